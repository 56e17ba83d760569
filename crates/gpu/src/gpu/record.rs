//! A capture of what the running chip is told, from the chip as it is.

use super::Gpu;
use crate::surface::{Layout, PixelFormat, SurfaceView};
use isotherm_bus::objects::Objects;
use isotherm_capture::{Surface, Writer, object_json};
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
    /// What went wrong first; nothing is written after it.
    failed: Option<io::Error>,
}

impl Recording {
    fn write(&mut self, write: impl FnOnce(&mut Writer<Box<dyn Write + Send>>) -> io::Result<()>) {
        if self.failed.is_none() {
            self.failed = write(&mut self.writer).err();
        }
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
    /// chip as it is: registers, objects, memory. Not when the chip has to find out by itself
    /// what the CPU wrote. A capture is written without
    /// compression, to take little time; `isotherm edit` compresses.
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
            failed: None,
        }));
        Ok(())
    }

    /// Is a recording under way?
    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Notes in the recording that the bound colour surface is a picture now; false if none is
    /// bound.
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
        let frame = recording.pictures;
        recording.pictures += 1;
        let mut json = json;
        json["frame"] = frame.into();
        recording.write(|writer| writer.surface(&json));
        Ok(())
    }

    /// Ends the recording; says what went wrong on the way.
    pub fn end_recording(&mut self) -> io::Result<()> {
        let recording = self.recording.take();
        let recording = recording.ok_or_else(|| order("nothing is recorded"))?;
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

    /// A picture that the replayed capture shows.
    #[cold]
    pub(super) fn record_shown(&mut self, surface: &Surface) {
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
