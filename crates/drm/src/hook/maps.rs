//! `mmap` and `munmap`: a buffer that the driver maps is one it may write to, and where it is
//! mapped has to be known when it gets a file of its own.

use super::{Behind, behind, fail, next};
use crate::mappings::{self, Mapping};
use libc::{c_int, c_void, off_t, size_t};
use std::os::fd::AsRawFd;

/// Defines `mmap` and its twin.
macro_rules! mmaps {
    ($($name:ident, $c:literal;)*) => {
        $(
            /// Maps a buffer, and remembers that it is mapped.
            ///
            /// # Safety
            /// As the C library's.
            #[cfg_attr(not(test), unsafe(no_mangle))]
            pub unsafe extern "C" fn $name(at: *mut c_void, len: size_t, prot: c_int, flags: c_int, fd: c_int, offset: off_t) -> *mut c_void {
                let Some(next) = next!($c, unsafe extern "C" fn(*mut c_void, size_t, c_int, c_int, c_int, off_t) -> *mut c_void) else {
                    fail(libc::ENOSYS);
                    return libc::MAP_FAILED;
                };
                let device = match behind(fd) {
                    Behind::Other => {
                        // SAFETY: the caller's arguments.
                        let place = unsafe { next(at, len, prot, flags, fd, offset) };
                        if flags & libc::MAP_FIXED != 0 && place != libc::MAP_FAILED {
                            forget(place, len);
                        }
                        return place;
                    }
                    Behind::Parents => {
                        fail(libc::ENODEV);
                        return libc::MAP_FAILED;
                    }
                    Behind::Ours(device) => device,
                };
                match device.call(move |card| card.buffers.file_of(offset as u64)) {
                    Ok((file, start)) => {
                        // SAFETY: the caller's arguments; the buffer's file instead of the device's.
                        let place = unsafe { next(at, len, prot, flags, file.as_raw_fd(), start as off_t) };
                        if place != libc::MAP_FAILED {
                            forget(place, len);
                            let (at, offset) = (place as usize, offset as u64);
                            mappings::add(Mapping { at, len, offset });
                        }
                        place
                    }
                    Err(errno) => {
                        fail(errno);
                        libc::MAP_FAILED
                    }
                }
            }
        )*
    };
}

mmaps! {
    mmap, c"mmap";
    mmap64, c"mmap64";
}

/// Forgets where a buffer was mapped.
///
/// # Safety
/// As the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn munmap(at: *mut c_void, len: size_t) -> c_int {
    let Some(next) = next!(
        c"munmap",
        unsafe extern "C" fn(*mut c_void, size_t) -> c_int
    ) else {
        return fail(libc::ENOSYS);
    };
    // Before it is done: afterwards the place may be somebody else's already.
    forget(at, len);
    // SAFETY: the caller's arguments.
    unsafe { next(at, len) }
}

/// No buffer is mapped in this range any more.
fn forget(at: *mut c_void, len: size_t) {
    if super::device().is_some() {
        mappings::remove(at as usize, len);
    }
}
