//! A recording of everything the driver sent, as a capture that replays to the same pictures.

use isotherm::capture::{ObjectRecord, Surface, Writer};
use isotherm::context::Context;
use isotherm::memory::Memory;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// Bytes that are compared, and written, at once.
const PAGE: usize = 4096;

/// Writes a capture while the chip works.
pub(crate) struct Recorder {
    writer: Option<Writer<File>>,
    /// What the capture's reader has in the pages that the driver has mapped.
    known: BTreeMap<u32, Box<[u8]>>,
    /// Pages that belonged to a buffer once.
    used: BTreeSet<u32>,
    /// `SURF` records so far.
    surfaces: u32,
}

impl Recorder {
    /// Starts a capture of a board.
    pub(crate) fn create(path: &str, board: &str) -> io::Result<Recorder> {
        let chip = board.split("mp").next().unwrap_or(board);
        let info = json!({ "gpu": chip, "source": "live driver" });
        Ok(Recorder {
            writer: Some(Writer::new(own_file(path)?, &info)?),
            known: BTreeMap::new(),
            used: BTreeSet::new(),
            surfaces: 0,
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

    /// Another channel goes on.
    pub(crate) fn context(&mut self, context: &Context) {
        self.write(|writer| writer.context(context));
    }

    pub(crate) fn push(&mut self, words: &[u32]) {
        self.write(|writer| writer.push(words));
    }

    pub(crate) fn job(&mut self, geometry: bool, frame: &[u32]) {
        let tag = if geometry { b"GP  " } else { b"PP  " };
        self.write(|writer| writer.job(tag, "{}", frame));
    }

    /// A picture is to be looked at now; one that a capture cannot show is left out.
    pub(crate) fn surface(&mut self, surface: Option<Surface>) {
        let Some(mut surface) = surface else { return };
        surface.frame = Some(self.surfaces);
        self.surfaces += 1;
        self.write(|writer| writer.surface(&serde_json::to_value(surface)?));
    }

    /// A new buffer lies here, all zero: what an earlier one left in the same place is gone.
    pub(crate) fn fresh(&mut self, addr: u32, len: usize) {
        for at in pages(addr, len) {
            if !self.used.insert(at) {
                self.write(|writer| writer.memory(at, &[0; PAGE]));
                self.known.remove(&at);
            }
        }
    }

    /// A buffer moved.
    pub(crate) fn moved(&mut self, from: u32, to: u32, len: usize, memory: &Memory) {
        self.write(|writer| writer.copy(to, from, len as u32));
        for at in pages(to, len) {
            self.used.insert(at);
            self.known.insert(at, memory.bytes(at, PAGE).into());
        }
    }

    /// Writes what changed in a range since it was last looked at.
    pub(crate) fn memory(&mut self, memory: &Memory, addr: u32, len: usize) {
        for at in pages(addr, len) {
            let bytes = memory.bytes(at, PAGE);
            let same = match self.known.get(&at) {
                Some(known) => known[..] == *bytes,
                None => bytes.iter().all(|byte| *byte == 0),
            };
            if !same {
                self.write(|writer| writer.memory(at, bytes));
            }
            if !same || !self.known.contains_key(&at) {
                self.known.insert(at, bytes.into());
            }
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

/// Addresses of a range's pages.
fn pages(addr: u32, len: usize) -> impl Iterator<Item = u32> {
    (0..len)
        .step_by(PAGE)
        .map(move |start| addr.wrapping_add(start as u32))
}

/// The file to record to. The first process that draws gets the name itself, others a name
/// with their number in it.
fn own_file(path: &str) -> io::Result<File> {
    let open = |path: &str| {
        File::options()
            .create(true)
            .append(true)
            .read(true)
            .open(path)
    };
    let file = open(path)?;
    // SAFETY: the descriptor is open. The lock goes with it.
    let locked = unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0;
    if locked && file.metadata()?.len() == 0 {
        return Ok(file);
    }
    let (stem, suffix) = path.split_once(".cap").unwrap_or((path, ""));
    let suffix = if suffix.is_empty() && !path.contains(".cap") {
        String::new()
    } else {
        format!(".cap{suffix}")
    };
    open(&format!("{stem}.{}{suffix}", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_do_not_write_over_each_other() {
        let folder = std::env::temp_dir().join(format!("isotherm-record-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.cap.zst");
        let path = path.to_str().unwrap();
        let first = own_file(path).unwrap();
        let second = own_file(path).unwrap();
        drop((first, second));
        let mut names: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let other = format!("a.{}.cap.zst", std::process::id());
        let mut wanted = [other, "a.cap.zst".into()];
        wanted.sort();
        assert_eq!(names, wanted);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
