//! A capture of what the running chip is told, from the chip as it is.

use super::Gpu;
use crate::host::Progress;
use crate::surface::{Layout, PixelFormat, SurfaceView};
use isotherm_bus::objects::Objects;
use isotherm_capture::{Problem, Surface, Writer, object_json};
use serde_json::json;
use std::io::{self, Write};

/// A recording under way.
pub(super) struct Recording {
    writer: Writer<Box<dyn Write + Send>>,
    /// The objects as the capture has them.
    objects: Objects,
    /// Somebody may have changed them since.
    look_at_objects: bool,
    /// Pictures so far.
    pictures: u32,
    /// The last record is a flip's picture, at this address.
    flipped: Option<u32>,
    /// What went wrong first; nothing is written after it.
    failed: Option<io::Error>,
}

impl Recording {
    fn write(&mut self, write: impl FnOnce(&mut Writer<Box<dyn Write + Send>>) -> io::Result<()>) {
        self.flipped = None;
        if self.failed.is_none() {
            self.failed = write(&mut self.writer).err();
        }
    }

    /// Notes a picture with the next number.
    fn picture(&mut self, mut surf: serde_json::Value) {
        surf["frame"] = self.pictures.into();
        self.pictures += 1;
        self.write(|writer| writer.surface(&surf));
    }

    /// Objects that are not as the capture has them.
    fn objects(&mut self, now: &Objects) {
        if !std::mem::take(&mut self.look_at_objects) {
            return;
        }
        for object in now.sorted() {
            if self.objects.get(object.handle) != Some(&object) {
                self.write(|writer| writer.object(&object_json(&object)));
                self.objects.insert(object);
            }
        }
    }
}

fn order(text: &str) -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, text)
}

impl Gpu {
    /// From now on everything that the chip is told goes into a capture, which begins with the
    /// chip as it is: registers, objects, memory. A FLIP_STALL is noted as a picture; others
    /// by [`Gpu::record_picture`]. Not when the chip has to find out by itself what the CPU
    /// wrote. A capture is written without compression, to take little time; `isotherm edit`
    /// compresses.
    ///
    /// ```
    /// use isotherm::{Chip, Gpu};
    /// let mut gpu = Gpu::new(Chip::Nv2a);
    /// gpu.objects_mut().graphics(1, 0x97);
    /// gpu.record_to(std::io::sink())?;
    /// gpu.method(0, 0, 1).map_err(std::io::Error::other)?;
    /// gpu.end_recording()?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn record_to(&mut self, out: impl Write + Send + 'static) -> io::Result<()> {
        if self.recording.is_some() {
            return Err(order("a recording is under way"));
        }
        if self.checked {
            return Err(order("a recording has to be told what the CPU writes"));
        }
        self.finish();
        let info = json!({ "gpu": self.chip.name(), "source": "isotherm" });
        let out: Box<dyn Write + Send> = Box::new(out);
        let mut writer = Writer::plain(out, &info)?;
        self.write_state(&mut writer)?;
        self.recording = Some(Box::new(Recording {
            writer,
            objects: self.objects.clone(),
            look_at_objects: false,
            pictures: 0,
            flipped: None,
            failed: None,
        }));
        self.engine.set_stop_at_flips(true);
        Ok(())
    }

    /// Is a recording under way?
    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Notes in the recording that the bound colour surface is a picture now; false if none is
    /// bound. Directly behind a FLIP_STALL it is noted already, and nothing happens.
    pub fn record_picture(&mut self) -> io::Result<bool> {
        if self.recording.is_none() {
            return Err(order("nothing is recorded"));
        }
        let Some(target) = self.render_target() else {
            return Ok(false);
        };
        self.record_surface(&target)?;
        Ok(true)
    }

    /// Notes in the recording that a surface is a picture now.
    pub fn record_surface(&mut self, surface: &SurfaceView) -> io::Result<()> {
        let json = surf(surface).ok_or_else(|| {
            let text = format!("a capture has no pictures in {:?}", surface.format);
            io::Error::new(io::ErrorKind::InvalidInput, text)
        })?;
        let Some(recording) = &mut self.recording else {
            return Err(order("nothing is recorded"));
        };
        if recording.flipped != Some(surface.address) {
            recording.picture(json);
        }
        Ok(())
    }

    /// Ends the recording; says what went wrong on the way.
    pub fn end_recording(&mut self) -> io::Result<()> {
        let recording = self.recording.take();
        let recording = recording.ok_or_else(|| order("nothing is recorded"))?;
        self.engine.set_stop_at_flips(false);
        match recording.failed {
            Some(error) => Err(error),
            None => recording.writer.finish()?.flush(),
        }
    }

    /// Writes something into the recording, after objects that have changed.
    #[cold]
    pub(super) fn record_with(
        &mut self,
        write: impl FnOnce(&mut Writer<Box<dyn Write + Send>>) -> io::Result<()>,
    ) {
        if let Some(recording) = &mut self.recording {
            recording.objects(&self.objects);
            recording.write(write);
        }
    }

    /// The objects may change.
    pub(super) fn recorded_objects_change(&mut self) {
        if let Some(recording) = &mut self.recording {
            recording.look_at_objects = true;
        }
    }

    /// Bytes of memory that the CPU wrote.
    #[cold]
    pub(super) fn record_memory(&mut self, addr: u32, len: usize) {
        if let Some(mut recording) = self.recording.take() {
            let bytes = self.memory.bytes(addr, len);
            recording.write(|writer| writer.memory(addr, bytes));
            self.recording = Some(recording);
        }
    }

    /// A method that comes by itself, as words. Between the words of a push there is no place
    /// for it.
    #[cold]
    pub(super) fn record_method(&mut self, subchannel: u8, method: u16, data: u32) {
        let inside = self.engine.missing_data() != 0;
        let header = 1 << 18 | u32::from(subchannel) << 13 | u32::from(method);
        self.record_with(|writer| match inside {
            true => Err(order("a method between the words of a push")),
            false => writer.push(&[header, data]),
        });
    }

    /// Runs words and records them, each flip behind the words before it.
    #[cold]
    pub(super) fn push_recorded(&mut self, words: &[u32]) -> Result<Progress, Problem> {
        let mut taken = 0;
        loop {
            let rest = &words[taken..];
            let (engine, mut bus) = self.bus();
            let progress = engine.push(rest, &mut bus)?;
            taken += progress.taken;
            self.record_with(|writer| writer.push(&rest[..progress.taken]));
            let flipped = self.record_flip();
            self.within_budget()?;
            if !flipped || progress.wait.is_some() || taken == words.len() {
                let wait = progress.wait;
                return Ok(Progress { taken, wait });
            }
        }
    }

    /// Notes the picture of a flip that has just been; was there one?
    pub(super) fn record_flip(&mut self) -> bool {
        let Some(flip) = self.engine.take_flip() else {
            return false;
        };
        if let Some((recording, surface)) = self.recording.as_mut().zip(flip.surface)
            && let Some(json) = surf(&surface)
        {
            recording.picture(json);
            recording.flipped = Some(surface.address);
        }
        true
    }

    /// A picture that the replayed capture shows.
    #[cold]
    pub(super) fn record_shown(&mut self, surface: &Surface) {
        let flipped = self.recording.as_ref().and_then(|r| r.flipped);
        if flipped == Some(surface.addr) {
            return;
        }
        self.record_with(|writer| writer.surface(&serde_json::to_value(surface)?));
    }
}

/// A surface as a `SURF` record describes it; `None` in formats that a capture does not have.
fn surf(surface: &SurfaceView) -> Option<serde_json::Value> {
    let format = match surface.format {
        PixelFormat::A8R8G8B8 => "A8R8G8B8",
        PixelFormat::X8R8G8B8 | PixelFormat::X1A7R8G8B8 => "X8R8G8B8",
        PixelFormat::R5G6B5 => "R5G6B5",
        _ => return None,
    };
    let (width, height) = (
        surface.width * surface.samples.0,
        surface.height * surface.samples.1,
    );
    let mut json = json!({
        "addr": surface.address, "width": width, "height": height, "format": format,
        "source": "color",
    });
    match surface.layout {
        Layout::Linear { pitch } => json["pitch"] = pitch.into(),
        Layout::Swizzled { width, .. } => {
            json["pitch"] = (surface.format.bytes() << width.min(15)).into();
            json["tiled"] = "swizzled".into();
        }
    }
    Some(json)
}
