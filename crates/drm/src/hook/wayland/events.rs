//! The compositor's events.

use super::session::{
    ARGB8888, DISPLAY, DMABUF, IMPLICIT, Kind, LINEAR, NAME, RGB565, SHM, Session, Then, VERSION,
    XRGB8888, drm_format,
};
use super::wire::{Arg, Message, put, put_words};
use crate::buffers::anonymous_file;
use crate::hook::files::DEVICE_NUMBER;
use std::io::Write;
use std::os::fd::OwnedFd;

/// Interfaces by which a compositor with a GPU would speak of its own.
const HIDDEN: [&str; 4] = [
    "wl_drm",
    DMABUF,
    "zwp_linux_explicit_synchronization_v1",
    "wp_linux_drm_syncobj_manager_v1",
];

impl Session {
    /// Translates an event of the compositor. A descriptor that comes back is the last one of
    /// the events that were written. `clean` says that no descriptors can be on their way whose
    /// messages have not come: only then one of ours can be put between them.
    ///
    /// # Errors
    /// Events that no compositor sends.
    pub(super) fn event(
        &mut self,
        message: Message<'_>,
        clean: bool,
        out: &mut Vec<u8>,
    ) -> Result<Option<OwnedFd>, String> {
        if message.object == DISPLAY {
            self.of_display(message, out)?;
            return Ok(None);
        }
        let Some(object) = self.objects.get_mut(&message.object) else {
            out.extend_from_slice(message.whole);
            return Ok(None);
        };
        match object.kind {
            Kind::Registry => self.global(message, out)?,
            Kind::Dmabuf(version) => self.format(message, version, out)?,
            // The compositor knows these as callbacks, and has nothing else to say of them.
            Kind::Params(_) | Kind::Feedback => match object.dones.pop_front() {
                Some(Then::Refuse) => {
                    const FAILED: u16 = 1;
                    put_words(out, message.object, FAILED, &[]);
                }
                Some(Then::Tell) if clean => {
                    self.told = Some(message.object);
                    return self.tell(message.object, out).map(Some);
                }
                Some(Then::Tell | Then::Nothing) | None => {}
            },
            Kind::Compositor | Kind::Surface { .. } | Kind::Buffer(_) => {
                out.extend_from_slice(message.whole);
            }
        }
        Ok(None)
    }

    fn of_display(&mut self, message: Message<'_>, out: &mut Vec<u8>) -> Result<(), String> {
        const DELETE_ID: u16 = 1;
        if message.opcode == DELETE_ID {
            let [id] = message.words()?;
            if let Some(object) = self.objects.get_mut(&id) {
                if object.releases > 0 {
                    object.releases -= 1;
                    return Ok(());
                }
                self.objects.remove(&id);
            }
        }
        out.extend_from_slice(message.whole);
        Ok(())
    }

    /// Something that the compositor can do.
    fn global(&mut self, message: Message<'_>, out: &mut Vec<u8>) -> Result<(), String> {
        const GLOBAL: u16 = 0;
        if message.opcode == GLOBAL {
            let (name, interface, [_version]) = message.name_text_words()?;
            if HIDDEN.contains(&interface) {
                return Ok(());
            }
            if interface == SHM {
                self.shm = Some(name);
                let args = [Arg::Word(NAME), Arg::Text(DMABUF), Arg::Word(VERSION)];
                put(out, message.object, GLOBAL, &args);
            }
        }
        out.extend_from_slice(message.whole);
        Ok(())
    }

    /// A format of `wl_shm`. Old versions of the dma-buf interface say the same by events.
    fn format(
        &mut self,
        message: Message<'_>,
        version: u32,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        const FORMAT: u16 = 0;
        const MODIFIER: u16 = 1;
        let [format] = message.words()?;
        let format = drm_format(format);
        if [ARGB8888, XRGB8888, RGB565].contains(&format) {
            self.formats.insert(format);
            match version {
                ..3 => put_words(out, message.object, FORMAT, &[format]),
                3 => put_words(out, message.object, MODIFIER, &[format, 0, LINEAR as u32]),
                _ => {}
            }
        }
        Ok(())
    }

    /// Tells which device to draw with, and which buffers can be shown: those of the formats
    /// that `wl_shm` takes, with rows one after another. Drivers that cannot be told how to
    /// lay out a buffer do it so where it is to be scanned out.
    fn tell(&self, id: u32, out: &mut Vec<u8>) -> Result<OwnedFd, String> {
        const DONE: u16 = 0;
        const FORMAT_TABLE: u16 = 1;
        const MAIN_DEVICE: u16 = 2;
        const TRANCHE_DONE: u16 = 3;
        const TRANCHE_TARGET_DEVICE: u16 = 4;
        const TRANCHE_FORMATS: u16 = 5;
        const TRANCHE_FLAGS: u16 = 6;
        const SCANOUT: u32 = 1;
        let mut table = Vec::new();
        for format in &self.formats {
            for modifier in [LINEAR, IMPLICIT] {
                table.extend(u64::from(*format).to_ne_bytes());
                table.extend(modifier.to_ne_bytes());
            }
        }
        let count = (table.len() / 16) as u16;
        let indices: Vec<u8> = (0..count).flat_map(u16::to_ne_bytes).collect();
        let device = libc::makedev(DEVICE_NUMBER.0, DEVICE_NUMBER.1).to_ne_bytes();
        put_words(out, id, FORMAT_TABLE, &[table.len() as u32]);
        put(out, id, MAIN_DEVICE, &[Arg::Array(&device)]);
        put(out, id, TRANCHE_TARGET_DEVICE, &[Arg::Array(&device)]);
        put_words(out, id, TRANCHE_FLAGS, &[SCANOUT]);
        put(out, id, TRANCHE_FORMATS, &[Arg::Array(&indices)]);
        put_words(out, id, TRANCHE_DONE, &[]);
        put_words(out, id, DONE, &[]);
        let cannot = |why: String| format!("no table of formats: {why}");
        let file = anonymous_file().map_err(|errno| cannot(format!("error {errno}")))?;
        let mut file = std::fs::File::from(file);
        file.write_all(&table)
            .map_err(|error| cannot(error.to_string()))?;
        Ok(file.into())
    }
}
