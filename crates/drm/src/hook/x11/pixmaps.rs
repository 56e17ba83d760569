//! Pixmaps that stand for buffers.

use super::{Connection, Cookie, Id, of};
use crate::hook::frames::{self, Frame};
use crate::hook::{FileId, file_id, stat};
use libc::{c_int, c_void};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Size and format of a pixmap, and how its buffer lies in memory.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub width: u16,
    pub height: u16,
    pub stride: u16,
    pub depth: u8,
    pub bpp: u8,
}

impl Shape {
    /// Bytes of a row that are pixels.
    fn row(&self) -> usize {
        usize::from(self.width) * usize::from(self.bpp) / 8
    }

    fn bytes(&self) -> usize {
        usize::from(self.stride) * usize::from(self.height)
    }

    /// Are there pixels, and are those of a row within it? The last row ends with the mapping.
    fn fits(&self) -> bool {
        self.bytes() > 0 && self.row() <= usize::from(self.stride)
    }
}

/// The bytes of a buffer, mapped for reading until it is dropped. The program may have them
/// mapped too and write to them, so that no reference to them is ever made.
struct Mapping {
    address: *mut c_void,
    len: usize,
}

// SAFETY: a mapping belongs to the whole process.
unsafe impl Send for Mapping {}

impl Mapping {
    /// Maps the beginning of a file that is at least so long.
    fn new(fd: c_int, len: usize) -> Option<Mapping> {
        let size = stat(fd)?.st_size;
        if len == 0 || !usize::try_from(size).is_ok_and(|size| len <= size) {
            return None;
        }
        let (read, shared) = (libc::PROT_READ, libc::MAP_SHARED);
        // SAFETY: a new mapping, where the system likes.
        let address = unsafe { libc::mmap(std::ptr::null_mut(), len, read, shared, fd, 0) };
        (address != libc::MAP_FAILED).then_some(Mapping { address, len })
    }

    /// Copies bytes from a place on; nothing if they do not all lie in the mapping.
    fn read(&self, at: usize, to: &mut [u8]) {
        if at.checked_add(to.len()).is_some_and(|end| end <= self.len) {
            let from = self.address.cast::<u8>();
            // SAFETY: checked above; what is copied to is the caller's own.
            unsafe { std::ptr::copy_nonoverlapping(from.add(at), to.as_mut_ptr(), to.len()) };
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and nobody else knows of it.
        unsafe { libc::munmap(self.address, self.len) };
    }
}

/// A pixmap, and the buffer that it shows.
pub(super) struct Pixmap {
    shape: Shape,
    bytes: Mapping,
    file: FileId,
    /// The graphics context to draw it with.
    gc: Id,
}

static PIXMAPS: Mutex<BTreeMap<(usize, Id), Pixmap>> = Mutex::new(BTreeMap::new());

fn pixmaps() -> MutexGuard<'static, BTreeMap<(usize, Id), Pixmap>> {
    PIXMAPS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pixmap {
    /// Makes a pixmap of the server's for a buffer, whose descriptor is given away to us.
    pub(super) fn create(
        c: Connection,
        (pixmap, drawable): (Id, Id),
        shape: Shape,
        fd: c_int,
    ) -> Cookie {
        let create = of!(
            c"libxcb.so.1",
            c"xcb_create_pixmap",
            unsafe extern "C" fn(Connection, u8, Id, Id, u16, u16) -> Cookie
        );
        // SAFETY: the caller's connection.
        let cookie = create.map_or(0, |create| unsafe {
            create(c, shape.depth, pixmap, drawable, shape.width, shape.height)
        });
        if let Some(new) = Pixmap::new(c, pixmap, shape, fd) {
            pixmaps().insert((c as usize, pixmap), new);
        }
        // SAFETY: the descriptor is given away to us.
        unsafe { libc::close(fd) };
        cookie
    }

    fn new(c: Connection, pixmap: Id, shape: Shape, fd: c_int) -> Option<Pixmap> {
        let file = file_id(fd)?;
        if !shape.fits() {
            return None;
        }
        let bytes = Mapping::new(fd, shape.bytes())?;
        let generate = of!(
            c"libxcb.so.1",
            c"xcb_generate_id",
            unsafe extern "C" fn(Connection) -> Id
        )?;
        let create_gc = of!(
            c"libxcb.so.1",
            c"xcb_create_gc",
            unsafe extern "C" fn(Connection, Id, Id, u32, *const c_void) -> Cookie
        )?;
        // SAFETY: the caller's connection; no values are given.
        let gc = unsafe {
            let gc = generate(c);
            create_gc(c, gc, pixmap, 0, std::ptr::null());
            gc
        };
        Some(Pixmap {
            shape,
            bytes,
            file,
            gc,
        })
    }

    /// Sends the buffer's bytes to the pixmap, as many rows at once as a request may have.
    fn send(&self, c: Connection, pixmap: Id) -> Option<()> {
        type PutImage = unsafe extern "C" fn(
            Connection,
            u8,
            Id,
            Id,
            u16,
            u16,
            i16,
            i16,
            u8,
            u8,
            u32,
            *const u8,
        ) -> Cookie;
        const Z_PIXMAP: u8 = 2;
        const HEADER: usize = 64;
        let limit = of!(
            c"libxcb.so.1",
            c"xcb_get_maximum_request_length",
            unsafe extern "C" fn(Connection) -> u32
        )?;
        let put = of!(c"libxcb.so.1", c"xcb_put_image", PutImage)?;
        let Shape {
            width,
            height,
            stride,
            depth,
            ..
        } = self.shape;
        // Rows of an image are whole words.
        let padded = self.shape.row().next_multiple_of(4);
        // SAFETY: the caller's connection.
        let room = unsafe { limit(c) } as usize * 4;
        let rows = (room.saturating_sub(HEADER) / padded.max(1)).clamp(1, usize::from(height));
        let mut band = Vec::with_capacity(rows * padded);
        for first in (0..height).step_by(rows) {
            let count = (height - first).min(rows as u16);
            band.clear();
            for y in first..first + count {
                let start = usize::from(y) * usize::from(stride);
                let (at, len) = (band.len(), self.shape.row());
                band.resize(at + padded, 0);
                self.bytes.read(start, &mut band[at..at + len]);
            }
            let len = band.len() as u32;
            // SAFETY: the caller's connection; the bytes are copied before it returns.
            unsafe {
                put(
                    c,
                    Z_PIXMAP,
                    pixmap,
                    self.gc,
                    width,
                    count,
                    0,
                    first as i16,
                    0,
                    depth,
                    len,
                    band.as_ptr(),
                );
            }
        }
        Some(())
    }

    /// The picture as a recording shows it.
    fn frame(&self) -> Option<Frame> {
        let format = match self.shape.bpp {
            16 => "R5G6B5",
            32 => "X8R8G8B8",
            _ => return None,
        };
        Some(Frame {
            file: self.file,
            offset: 0,
            pitch: self.shape.stride.into(),
            width: self.shape.width.into(),
            height: self.shape.height.into(),
            format,
        })
    }
}

/// Brings a pixmap up to date; false if it is none of ours.
pub(super) fn send(c: Connection, pixmap: Id) -> bool {
    let pixmaps = pixmaps();
    let found = pixmaps.get(&(c as usize, pixmap));
    found.and_then(|found| found.send(c, pixmap)).is_some()
}

/// A pixmap is shown: a frame is done.
pub(super) fn shown(c: Connection, pixmap: Id) {
    let frame = pixmaps().get(&(c as usize, pixmap)).and_then(Pixmap::frame);
    if let Some(frame) = frame {
        frames::record(&frame);
    }
    frames::shown();
}

/// A pixmap goes, and what it was drawn with.
pub(super) fn forget(c: Connection, pixmap: Id) {
    let Some(old) = pixmaps().remove(&(c as usize, pixmap)) else {
        return;
    };
    let free = of!(
        c"libxcb.so.1",
        c"xcb_free_gc",
        unsafe extern "C" fn(Connection, Id) -> Cookie
    );
    if let Some(free) = free {
        // SAFETY: the caller's connection.
        unsafe { free(c, old.gc) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files that are too short are not mapped, and nothing beside a mapping is read.
    #[test]
    fn mappings_know_their_length() {
        use std::os::fd::AsRawFd;
        let path = std::env::temp_dir().join(format!("isotherm-map-{}", std::process::id()));
        std::fs::write(&path, [7; 100]).unwrap();
        let file = std::fs::File::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(Mapping::new(file.as_raw_fd(), 101).is_none());
        assert!(Mapping::new(file.as_raw_fd(), 0).is_none());
        assert!(Mapping::new(-1, 1).is_none());
        let mapping = Mapping::new(file.as_raw_fd(), 100).unwrap();
        let read = |at: usize, len: usize| {
            let mut to = vec![0; len];
            mapping.read(at, &mut to);
            to
        };
        assert_eq!(read(90, 10), [7; 10]);
        assert_eq!(read(91, 10), [0; 10]);
        assert_eq!(read(usize::MAX, 2), [0; 2]);
    }

    #[test]
    fn rows_end_within_the_buffer() {
        let shape = Shape {
            width: 64,
            height: 3,
            stride: 256,
            depth: 24,
            bpp: 32,
        };
        assert!(shape.fits());
        assert!(
            !Shape {
                stride: 255,
                ..shape
            }
            .fits()
        );
        assert!(!Shape { height: 0, ..shape }.fits());
        assert!(
            !Shape {
                stride: 0,
                width: 0,
                ..shape
            }
            .fits()
        );
    }
}
