//! The C library's symbols that a driver reaches the kernel by, and those of libxcb and
//! libwayland that it reaches a display server's graphics driver by.
//!
//! `isotherm run` makes a directory with the files that a GPU has in `/dev` and `/sys`; paths
//! that lie there are looked up in it instead. A descriptor of the device is one of the
//! anonymous file that holds all buffers, so that `dup` and `close` need no answer; it is
//! recognised by its inode.

pub mod files;
mod frames;
pub mod ioctl;
pub mod maps;
pub mod wayland;
pub mod x11;

use crate::settings::settings;
use crate::{device::Device, end};
use libc::c_int;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The next definition of a symbol: the C library's own.
macro_rules! next {
    ($name:literal, $type:ty) => {{
        static ADDRESS: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
        let address = *ADDRESS.get_or_init(|| {
            // SAFETY: the name is a string that ends.
            unsafe { libc::dlsym(libc::RTLD_NEXT, $name.as_ptr()) as usize }
        });
        if address == 0 {
            None
        } else {
            // SAFETY: the function of this name has this type.
            Some(unsafe { std::mem::transmute::<usize, $type>(address) })
        }
    }};
}
pub(crate) use next;

/// A symbol of a library that the program may have loaded where only drivers see it.
macro_rules! of {
    ($library:literal, $name:literal, $type:ty) => {{
        static ADDRESS: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
        let address = *ADDRESS.get_or_init(|| {
            // SAFETY: both are strings that end; the library stays loaded.
            unsafe {
                let library = libc::dlopen($library.as_ptr(), libc::RTLD_LAZY);
                match library.is_null() {
                    true => 0,
                    false => libc::dlsym(library, $name.as_ptr()) as usize,
                }
            }
        });
        if address == 0 {
            None
        } else {
            // SAFETY: the library's function of this name has this type.
            Some(unsafe { std::mem::transmute::<usize, $type>(address) })
        }
    }};
}
pub(crate) use of;

/// Sets errno and gives the value that means failure.
fn fail(errno: c_int) -> c_int {
    // SAFETY: the place is this thread's own.
    unsafe { *libc::__errno_location() = errno };
    -1
}

/// The device that was plugged in last, by this process or by the one it was forked from.
static DEVICE: AtomicPtr<Device> = AtomicPtr::new(std::ptr::null_mut());

fn last_device() -> Option<&'static Device> {
    // SAFETY: what is put there is never freed.
    unsafe { DEVICE.load(Ordering::Acquire).as_ref() }
}

/// The device of this process, if it has opened it.
pub(crate) fn device() -> Option<&'static Device> {
    last_device().filter(|device| device.is_ours())
}

/// The device of this process, plugged in now if need be.
fn plug_in() -> Option<&'static Device> {
    if let Some(device) = device() {
        return Some(device);
    }
    let settings = settings()?;
    let before = DEVICE.load(Ordering::Acquire);
    let new = Device::start(&settings.gpu).ok()?;
    let place = std::ptr::from_ref(new).cast_mut();
    // If two threads open the device at once, one of the two stays unused.
    match DEVICE.compare_exchange(before, place, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => {
            end::prepare(new, settings);
            Some(new)
        }
        Err(_) => device(),
    }
}

/// Whose device is behind a descriptor?
enum Behind {
    /// This process's.
    Ours(&'static Device),
    /// The one that this process's parent had before the fork. It is gone.
    Parents,
    /// Something else.
    Other,
}

/// What is behind a descriptor.
fn behind(fd: c_int) -> Behind {
    match last_device() {
        Some(device) if fd >= 0 && file_id(fd) == Some(device.file_id()) => {
            if device.is_ours() {
                Behind::Ours(device)
            } else {
                Behind::Parents
            }
        }
        _ => Behind::Other,
    }
}

/// What tells a file from all others: its file system and inode.
pub(crate) type FileId = (u64, u64);

/// The file behind a descriptor.
pub(crate) fn file_id(fd: c_int) -> Option<FileId> {
    stat(fd).map(|stat| (stat.st_dev, stat.st_ino))
}

/// What the system knows of an open file.
fn stat(fd: c_int) -> Option<libc::stat> {
    let mut stat = std::mem::MaybeUninit::<libc::stat>::zeroed();
    // By the system call itself: `fstat` is one of the symbols that are answered here.
    // SAFETY: the structure is there, and zeros are valid in it.
    unsafe {
        let done = libc::syscall(libc::SYS_fstat, fd, stat.as_mut_ptr());
        (done == 0).then(|| stat.assume_init())
    }
}
