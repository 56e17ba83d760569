//! The C library's symbols that a driver reaches the kernel by.
//!
//! `isotherm run` makes a directory with the files that a GPU has in `/dev` and `/sys`; paths
//! that lie there are looked up in it instead. A descriptor of the device is one of the
//! anonymous file that holds all buffers, so that `mmap`, `dup` and `close` need no answer; it
//! is recognised by its inode.

use crate::core;
use crate::device::Device;
use crate::record::Recorder;
use crate::request::{Number, Request};
use libc::{DIR, FILE, c_char, c_int, c_uint, c_ulong, c_void, mode_t, off_t, size_t, ssize_t};
use std::ffi::{CStr, CString};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The device's node, and its major and minor number.
const NODE: &[u8] = b"/dev/dri/renderD128";
const DEVICE_NUMBER: (u32, u32) = (226, 128);
/// Paths that begin so belong to the device.
const OURS: [&[u8]; 2] = [b"/dev/dri", b"/sys/dev/char/226:128"];

/// Which board, the directory with its files, and where to record, from the environment.
struct Settings {
    gpu: String,
    directory: Vec<u8>,
    record: Option<String>,
    log: bool,
}

fn settings() -> Option<&'static Settings> {
    static SETTINGS: OnceLock<Option<Settings>> = OnceLock::new();
    SETTINGS
        .get_or_init(|| {
            let get = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
            Some(Settings {
                gpu: get("ISOTHERM_GPU")?,
                directory: get("ISOTHERM_DRM_FILES")?.into_bytes(),
                record: get("ISOTHERM_RECORD"),
                log: get("ISOTHERM_LOG").is_some_and(|log| log.split(',').any(|w| w == "ioctl")),
            })
        })
        .as_ref()
}

/// The device of this process, plugged in when it is first opened.
fn device() -> Option<&'static Device> {
    static DEVICE: Mutex<Option<&'static Device>> = Mutex::new(None);
    let settings = settings()?;
    let mut device = DEVICE.lock().unwrap_or_else(PoisonError::into_inner);
    if !device.is_some_and(Device::is_ours) {
        *device = Device::start(&settings.gpu).ok();
        if let (Some(device), Some(path)) = (*device, &settings.record) {
            record(device, path, &settings.gpu);
        }
    }
    *device
}

/// Starts a recording that ends with the program.
fn record(device: &'static Device, path: &str, gpu: &str) {
    match Recorder::create(path, gpu.split("mp").next().unwrap_or(gpu)) {
        Ok(recorder) => {
            let _ = device.call(move |card| {
                card.recorder = Some(recorder);
                Ok(())
            });
            // SAFETY: the function may be called at any time.
            unsafe { libc::atexit(end_recording) };
        }
        Err(error) => eprintln!("isotherm: cannot record to {path}: {error}"),
    }
}

extern "C" fn end_recording() {
    if let Some(device) = device() {
        let _ = device.call(|card| {
            if let Some(mut recorder) = card.recorder.take() {
                recorder.finish();
            }
            Ok(())
        });
    }
}

/// The next definition of a symbol: the C library's own.
macro_rules! next {
    ($name:literal, $type:ty) => {{
        static ADDRESS: OnceLock<usize> = OnceLock::new();
        let address = *ADDRESS.get_or_init(|| {
            // SAFETY: the name is a string that ends.
            unsafe { libc::dlsym(libc::RTLD_NEXT, $name.as_ptr()) as usize }
        });
        if address == 0 {
            None
        } else {
            // SAFETY: the C library's function of this name has this type.
            Some(unsafe { std::mem::transmute::<usize, $type>(address) })
        }
    }};
}

/// Sets errno and gives the value that means failure.
fn fail(errno: c_int) -> c_int {
    // SAFETY: the place is this thread's own.
    unsafe { *libc::__errno_location() = errno };
    -1
}

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
fn open_device() -> c_int {
    let Some(device) = device() else {
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

/// Is it a descriptor of the device?
fn is_device(fd: c_int) -> bool {
    let Some(device) = settings().and_then(|_| device()) else {
        return false;
    };
    let inode = |fd: c_int| {
        let fstat = next!(
            c"fstat",
            unsafe extern "C" fn(c_int, *mut libc::stat) -> c_int
        )?;
        let mut stat = std::mem::MaybeUninit::<libc::stat>::zeroed();
        // SAFETY: the structure is there, and zeros are valid in it.
        let stat = unsafe { (fstat(fd, stat.as_mut_ptr()) == 0).then(|| stat.assume_init()) };
        stat.map(|stat| (stat.st_dev, stat.st_ino))
    };
    inode(fd).is_some_and(|own| inode(device.fd()) == Some(own))
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
                if done == 0 && is_device(fd) {
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

/// Defines `mmap` and its twin: a buffer that the driver maps is one it may write to.
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
                // The device's own thread maps buffers too, by the file itself.
                if fd >= 0 && settings().is_some() && !is_device_thread() && is_device(fd) {
                    if let Some(device) = device() {
                        let _ = device.call(move |card| {
                            card.buffers.mark_mapped(offset as u64);
                            Ok(())
                        });
                    }
                }
                // SAFETY: the caller's arguments.
                unsafe { next(at, len, prot, flags, fd, offset) }
            }
        )*
    };
}

mmaps! {
    mmap, c"mmap";
    mmap64, c"mmap64";
}

/// Is this the thread that owns the chip?
fn is_device_thread() -> bool {
    std::thread::current().name() == Some("isotherm")
}

/// Answers the device's ioctls.
///
/// # Safety
/// As the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn ioctl(fd: c_int, request: c_ulong, argument: *mut c_void) -> c_int {
    let number = Number::new(request);
    if number.letter == b'd' && is_device(fd) {
        return match device() {
            Some(device) => answer(device, number, argument as u64),
            None => fail(libc::ENODEV),
        };
    }
    match next!(
        c"ioctl",
        unsafe extern "C" fn(c_int, c_ulong, *mut c_void) -> c_int
    ) {
        // SAFETY: the caller's arguments.
        Some(next) => unsafe { next(fd, request, argument) },
        None => fail(libc::ENOSYS),
    }
}

fn answer(device: &Device, number: Number, argument: u64) -> c_int {
    let done = device.call(move |card| {
        let mut request = Request::read(argument, number.size)?;
        core::ioctl(card, number, &mut request)?;
        request.write_back()
    });
    if settings().is_some_and(|settings| settings.log) {
        eprintln!(
            "isotherm: ioctl {:02x}h, {} bytes: {done:?}",
            number.number, number.size
        );
    }
    match done {
        Ok(()) => 0,
        Err(errno) => fail(errno),
    }
}
