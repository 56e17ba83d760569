//! A recording of everything the driver sent, as a capture that replays to the same pictures.

use isotherm::capture::{ObjectRecord, Writer};
use isotherm::memory::Memory;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;

/// Bytes that are compared, and written, at once.
const PAGE: usize = 4096;

/// Writes a capture while the chip works.
pub(crate) struct Recorder {
    writer: Option<Writer<File>>,
    /// What the capture's reader has in the pages that the driver has mapped.
    known: BTreeMap<u32, Box<[u8]>>,
}

impl Recorder {
    /// Starts a capture of a chip.
    pub(crate) fn create(path: &str, chip: &str) -> io::Result<Recorder> {
        let info = json!({ "gpu": chip, "source": "live driver" });
        Ok(Recorder {
            writer: Some(Writer::new(File::create(path)?, &info)?),
            known: BTreeMap::new(),
        })
    }

    /// Writes; a recording that fails ends, the program goes on.
    fn write(&mut self, write: impl FnOnce(&mut Writer<File>) -> io::Result<()>) {
        if let Some(writer) = &mut self.writer
            && let Err(error) = write(writer)
        {
            eprintln!("isotherm: the recording ends: {error}");
            self.writer = None;
        }
    }

    pub(crate) fn object(&mut self, object: &ObjectRecord) {
        self.write(|writer| writer.object(&object.json()));
    }

    pub(crate) fn push(&mut self, words: &[u32]) {
        self.write(|writer| writer.push(words));
    }

    pub(crate) fn job(&mut self, geometry: bool, frame: &[u32]) {
        let tag = if geometry { b"GP  " } else { b"PP  " };
        self.write(|writer| writer.job(tag, "{}", frame));
    }

    /// Writes what changed in a range since it was last looked at.
    pub(crate) fn memory(&mut self, memory: &Memory, addr: u32, len: usize) {
        for start in (0..len).step_by(PAGE) {
            let at = addr.wrapping_add(start as u32);
            let bytes = memory.bytes(at, PAGE.min(len - start));
            let same = match self.known.get(&at) {
                Some(known) => known[..] == *bytes,
                None => bytes.iter().all(|byte| *byte == 0),
            };
            if !same {
                self.write(|writer| writer.memory(at, bytes));
            }
            self.known.insert(at, bytes.into());
        }
    }

    /// The chip has worked: what it wrote into pages that the driver has mapped is known to the
    /// capture's reader too.
    pub(crate) fn settle(&mut self, memory: &Memory) {
        for (at, known) in &mut self.known {
            let bytes = memory.bytes(*at, known.len());
            if known[..] != *bytes {
                *known = bytes.into();
            }
        }
    }

    /// Ends the capture.
    pub(crate) fn finish(&mut self) {
        if let Some(writer) = self.writer.take()
            && let Err(error) = writer.finish()
        {
            eprintln!("isotherm: the recording is not whole: {error}");
        }
    }
}
