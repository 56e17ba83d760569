//! Pixmaps that stand for buffers.

use super::{Connection, Cookie, Id, of};
use crate::end;
use crate::hook::{FileId, device, file_id};
use crate::settings::settings;
use isotherm::capture::Surface;
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

/// A pixmap, and the buffer that it shows.
pub(super) struct Pixmap {
    shape: Shape,
    /// Where the buffer is mapped; an address.
    bytes: usize,
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
        let Some(create) = of!(
            c"libxcb.so.1",
            c"xcb_create_pixmap",
            unsafe extern "C" fn(Connection, u8, Id, Id, u16, u16) -> Cookie
        ) else {
            return 0;
        };
        // SAFETY: the caller's connection.
        let cookie = unsafe { create(c, shape.depth, pixmap, drawable, shape.width, shape.height) };
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
        // SAFETY: a new mapping of the buffer's file, which is as large as its picture.
        let bytes = unsafe {
            if libc::lseek(fd, 0, libc::SEEK_END) < shape.bytes() as libc::off_t {
                return None;
            }
            let shared = libc::MAP_SHARED;
            libc::mmap(
                std::ptr::null_mut(),
                shape.bytes(),
                libc::PROT_READ,
                shared,
                fd,
                0,
            )
        };
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
        (bytes != libc::MAP_FAILED).then_some(Pixmap {
            shape,
            bytes: bytes as usize,
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
                let start = self.bytes + usize::from(y) * usize::from(stride);
                let (at, len) = (band.len(), self.shape.row());
                band.resize(at + padded, 0);
                let to = band[at..at + len].as_mut_ptr();
                // SAFETY: the mapping holds all rows, and a row's pixels lie in it (`fits`). The
                // program may have it mapped too, so that no reference is made.
                unsafe { std::ptr::copy_nonoverlapping(start as *const u8, to, len) };
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
    fn surface(&self, addr: u32) -> Option<Surface> {
        let format = match self.shape.bpp {
            16 => "R5G6B5",
            32 => "X8R8G8B8",
            _ => return None,
        };
        Some(Surface {
            addr,
            pitch: self.shape.stride.into(),
            width: self.shape.width.into(),
            height: self.shape.height.into(),
            format: format.into(),
            source: "color".into(),
            ..Surface::default()
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
    let (Some(device), Some(settings)) = (device(), settings()) else {
        return;
    };
    let frame = pixmaps()
        .get(&(c as usize, pixmap))
        .map(|found| (found.file, found.surface(0)));
    if let Some((file, Some(surface))) = frame {
        let _ = device.call(move |card| {
            if let Some(recorder) = &mut card.recorder {
                let addr = card.buffers.address_of(file).ok_or(libc::ENOENT)?;
                recorder.surface(Some(Surface { addr, ..surface }));
            }
            Ok(())
        });
    }
    end::frame_shown(device, settings);
}

/// A pixmap goes.
pub(super) fn forget(c: Connection, pixmap: Id) {
    if let Some(old) = pixmaps().remove(&(c as usize, pixmap)) {
        // SAFETY: the mapping is ours, and nobody knows of it any more.
        unsafe { libc::munmap(old.bytes as *mut c_void, old.shape.bytes()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
