//! Files: the device's node in `/dev`, and its directory in `/sys`.

use super::{Behind, behind, fail, next, plug_in};
use crate::settings::settings;
use libc::{DIR, FILE, c_char, c_int, c_uint, mode_t, size_t, ssize_t};
use std::ffi::{CStr, CString};

/// The device's node, and its major and minor number.
const NODE: &[u8] = b"/dev/dri/renderD128";
pub(super) const DEVICE_NUMBER: (u32, u32) = (226, 128);
/// Paths that begin so belong to the device.
const OURS: [&[u8]; 2] = [b"/dev/dri", b"/sys/dev/char/226:128"];

/// Bytes of a C string; none for a null pointer.
fn bytes<'a>(path: *const c_char) -> &'a [u8] {
    if path.is_null() {
        return &[];
    }
    // SAFETY: the caller of a C function gives strings that end.
    unsafe { CStr::from_ptr(path) }.to_bytes()
}

fn is_node(path: *const c_char) -> bool {
    settings().is_some() && bytes(path) == NODE
}

/// The path to use instead, where the device's files are meant.
fn instead(path: *const c_char) -> Option<CString> {
    let text = bytes(path);
    let below = |root: &&[u8]| {
        let rest = text.strip_prefix(*root);
        rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    };
    OURS.iter().any(below).then(|| {
        let mut path = settings()?.directory.clone();
        path.extend_from_slice(text);
        CString::new(path).ok()
    })?
}

/// A path, replaced if need be; the string has to live as long as it is used.
fn replaced(path: *const c_char, own: &Option<CString>) -> *const c_char {
    own.as_ref().map_or(path, |own| own.as_ptr())
}

/// A new descriptor of the device.
pub(super) fn open_device() -> c_int {
    let Some(device) = plug_in() else {
        return fail(libc::ENODEV);
    };
    let Ok(path) = CString::new(format!("/proc/self/fd/{}", device.fd())) else {
        return fail(libc::ENODEV);
    };
    match next!(
        c"open",
        unsafe extern "C" fn(*const c_char, c_int, c_uint) -> c_int
    ) {
        // SAFETY: the path is a string that ends.
        Some(open) => unsafe { open(path.as_ptr(), libc::O_RDWR | libc::O_CLOEXEC, 0) },
        None => fail(libc::ENOSYS),
    }
}

/// Makes the structure describe a character device.
fn disguise(stat: *mut libc::stat) {
    // SAFETY: the C library has just filled it in.
    unsafe {
        (*stat).st_mode = libc::S_IFCHR | 0o666;
        (*stat).st_rdev = libc::makedev(DEVICE_NUMBER.0, DEVICE_NUMBER.1);
    }
}

/// Defines `open` and its relatives.
macro_rules! opens {
    ($($name:ident, $c:literal, ($($before:ident: $bt:ty),*), ($($after:ident: $at:ty),*);)*) => {
        $(
            /// Opens the device, one of its files, or what was asked for.
            ///
            /// # Safety
            /// As the C library's.
            #[cfg_attr(not(test), unsafe(no_mangle))]
            pub unsafe extern "C" fn $name($($before: $bt,)* path: *const c_char, flags: c_int $(, $after: $at)*) -> c_int {
                if is_node(path) {
                    return open_device();
                }
                let own = instead(path);
                match next!($c, unsafe extern "C" fn($($bt,)* *const c_char, c_int $(, $at)*) -> c_int) {
                    // SAFETY: the caller's arguments, or a path of ours.
                    Some(next) => unsafe { next($($before,)* replaced(path, &own), flags $(, $after)*) },
                    None => fail(libc::ENOSYS),
                }
            }
        )*
    };
}

opens! {
    open, c"open", (), (mode: mode_t);
    open64, c"open64", (), (mode: mode_t);
    __open_2, c"__open_2", (), ();
    __open64_2, c"__open64_2", (), ();
    openat, c"openat", (at: c_int), (mode: mode_t);
    openat64, c"openat64", (at: c_int), (mode: mode_t);
}

/// Defines `stat` and its relatives.
macro_rules! stats {
    ($($name:ident, $c:literal, ($($before:ident: $bt:ty),*), ($($after:ident: $at:ty),*);)*) => {
        $(
            /// Describes the device's node as a character device.
            ///
            /// # Safety
            /// As the C library's.
            #[cfg_attr(not(test), unsafe(no_mangle))]
            pub unsafe extern "C" fn $name($($before: $bt,)* path: *const c_char, out: *mut libc::stat $(, $after: $at)*) -> c_int {
                let own = instead(path);
                let Some(next) = next!($c, unsafe extern "C" fn($($bt,)* *const c_char, *mut libc::stat $(, $at)*) -> c_int) else {
                    return fail(libc::ENOSYS);
                };
                // SAFETY: the caller's arguments, or a path of ours.
                let done = unsafe { next($($before,)* replaced(path, &own), out $(, $after)*) };
                if done == 0 && is_node(path) {
                    disguise(out);
                }
                done
            }
        )*
    };
}

stats! {
    stat, c"stat", (), ();
    stat64, c"stat64", (), ();
    lstat, c"lstat", (), ();
    lstat64, c"lstat64", (), ();
    fstatat, c"fstatat", (at: c_int), (flags: c_int);
    fstatat64, c"fstatat64", (at: c_int), (flags: c_int);
}

/// Defines `fstat` and its twin.
macro_rules! fstats {
    ($($name:ident, $c:literal;)*) => {
        $(
            /// Describes the device as a character device.
            ///
            /// # Safety
            /// As the C library's.
            #[cfg_attr(not(test), unsafe(no_mangle))]
            pub unsafe extern "C" fn $name(fd: c_int, out: *mut libc::stat) -> c_int {
                let Some(next) = next!($c, unsafe extern "C" fn(c_int, *mut libc::stat) -> c_int) else {
                    return fail(libc::ENOSYS);
                };
                // SAFETY: the caller's arguments.
                let done = unsafe { next(fd, out) };
                if done == 0 && matches!(behind(fd), Behind::Ours(_) | Behind::Parents) {
                    disguise(out);
                }
                done
            }
        )*
    };
}

fstats! {
    fstat, c"fstat";
    fstat64, c"fstat64";
}

/// Defines functions that only need another path.
macro_rules! paths {
    ($($name:ident, $c:literal, ($($after:ident: $at:ty),*) -> $ret:ty, $none:expr;)*) => {
        $(
            /// Looks a file of the device up where it is.
            ///
            /// # Safety
            /// As the C library's.
            #[cfg_attr(not(test), unsafe(no_mangle))]
            pub unsafe extern "C" fn $name(path: *const c_char $(, $after: $at)*) -> $ret {
                let own = instead(path);
                match next!($c, unsafe extern "C" fn(*const c_char $(, $at)*) -> $ret) {
                    // SAFETY: the caller's arguments, or a path of ours.
                    Some(next) => unsafe { next(replaced(path, &own) $(, $after)*) },
                    None => {
                        fail(libc::ENOSYS);
                        $none
                    }
                }
            }
        )*
    };
}

paths! {
    access, c"access", (mode: c_int) -> c_int, -1;
    readlink, c"readlink", (out: *mut c_char, size: size_t) -> ssize_t, -1;
    __readlink_chk, c"__readlink_chk", (out: *mut c_char, size: size_t, room: size_t) -> ssize_t, -1;
    realpath, c"realpath", (out: *mut c_char) -> *mut c_char, std::ptr::null_mut();
    __realpath_chk, c"__realpath_chk", (out: *mut c_char, room: size_t) -> *mut c_char, std::ptr::null_mut();
    opendir, c"opendir", () -> *mut DIR, std::ptr::null_mut();
    fopen, c"fopen", (mode: *const c_char) -> *mut FILE, std::ptr::null_mut();
    fopen64, c"fopen64", (mode: *const c_char) -> *mut FILE, std::ptr::null_mut();
}
