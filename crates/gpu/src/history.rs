//! What happened to one pixel in a capture, and the pictures that a capture shows.

use crate::gpu::Gpu;
use crate::walk::Capture;
use isotherm_bus::observe::Touch;
use isotherm_capture::{Error, Image, Payload, Surface};
use serde::Serialize;

/// Something that happened to a pixel.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum PixelStep {
    /// A draw or clear touched it.
    Touch {
        /// Draws that were done by then.
        draw: u64,
        /// What each unit did.
        touch: Box<Touch>,
    },
    /// Something else changed it: the CPU, a copy, a 2D object, a job, or a draw to a surface
    /// that lies across it.
    Change {
        /// Draws that were done by then.
        draw: u64,
        /// The word before.
        before: u32,
        /// The word after.
        after: u32,
    },
}

/// A picture that a capture shows.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Its `SURF` record; `None` for a capture that has none and shows what it drew last.
    pub surface: Option<Surface>,
    /// The pixels.
    pub image: Image,
}

struct Watch {
    address: u32,
    bytes: u32,
    word: u32,
    actions: u64,
    steps: Vec<PixelStep>,
}

impl Watch {
    fn look(&self, gpu: &Gpu) -> u32 {
        match self.bytes {
            1 => gpu.memory.read_u8(self.address).into(),
            2 => gpu.memory.read_u16(self.address).into(),
            _ => gpu.memory.read_u32(self.address),
        }
    }

    /// Has something been drawn or written, and was the pixel under it?
    fn step(&mut self, gpu: &mut Gpu) {
        self.actions = gpu.actions();
        let draw = gpu.draws();
        let touches = gpu.touches();
        let before = self.word;
        self.word = self.look(gpu);
        if touches.is_empty() && before != self.word {
            let after = self.word;
            self.steps.push(PixelStep::Change {
                draw,
                before,
                after,
            });
        }
        let touch = |touch| PixelStep::Touch {
            draw,
            touch: Box::new(touch),
        };
        self.steps.extend(touches.into_iter().map(touch));
    }
}

impl Capture {
    /// All that happens to the pixel whose word of so many bytes begins at an address of
    /// memory. Replays the whole capture, word by word.
    pub fn pixel_history(&self, address: u32, bytes: u32) -> Result<Vec<PixelStep>, Error> {
        let mut gpu = self.new_gpu();
        gpu.watch(Some(address));
        let mut watch = Watch {
            address,
            bytes,
            word: 0,
            actions: 0,
            steps: Vec::new(),
        };
        for record in self.records() {
            let offset = record.offset;
            if let Payload::Push(words) = record.payload {
                gpu.push_until(words, |gpu| {
                    if gpu.actions() != watch.actions {
                        watch.step(gpu);
                    }
                    false
                })
                .map_err(|problem| Error { offset, problem })?;
            } else {
                gpu.record(record)?;
                watch.step(&mut gpu);
            }
        }
        Ok(watch.steps)
    }

    /// The pictures that the capture shows; of one without `SURF` records, what it drew last.
    pub fn pictures(&self, threads: Option<usize>) -> Result<Vec<Shown>, Error> {
        let mut gpu = self.new_gpu();
        if let Some(threads) = threads {
            gpu.set_threads(threads);
        }
        let mut pictures = Vec::new();
        for record in self.records() {
            if let Some(surface) = gpu.record(record)? {
                let image = surface.read(&gpu.memory);
                let surface = Some(*surface);
                pictures.push(Shown { surface, image });
            }
        }
        if pictures.is_empty() {
            let surface = None;
            pictures.extend(gpu.last_picture().map(|image| Shown { surface, image }));
        }
        Ok(pictures)
    }
}
