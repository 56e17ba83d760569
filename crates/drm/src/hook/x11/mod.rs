//! Windows on any X server.
//!
//! A driver gets its descriptor from the X server and shares its buffers with it, both by the
//! extension DRI3, which a server without a GPU does not have. So its calls are answered here:
//! the device is ours, a shared buffer becomes an ordinary pixmap, and before a pixmap is
//! presented, or copied, the buffer's bytes are sent to it. Everything else, when a picture is
//! shown and which sizes windows have, stays between the program and the server.
//!
//! A picture's bytes are on their way when the call returns, so no buffer is ever busy, and
//! its fence need never be reset.

mod pixmaps;

use super::files::open_device;
use super::of;
use crate::settings::settings;
use libc::{c_char, c_int, c_uint, c_void};
use pixmaps::Pixmap;

/// A connection to an X server.
type Connection = *mut c_void;
/// An X server's number of something.
type Id = u32;
/// What a request gives back: its sequence number.
type Cookie = c_uint;

/// The version of DRI3 that is spoken: the first, without planes and modifiers.
const DRI3_VERSION: (u32, u32) = (1, 0);

/// Is anything to be answered at all?
fn wanted() -> bool {
    settings().is_some()
}

/// `xcb_query_extension_reply_t`.
#[repr(C)]
pub struct Extension {
    head: [u8; 8],
    present: u8,
    opcode: u8,
    first_event: u8,
    first_error: u8,
}

/// Says that the server has DRI3.
///
/// # Safety
/// As libxcb's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn xcb_get_extension_data(
    connection: Connection,
    extension: *mut c_void,
) -> *const Extension {
    static DRI3: Extension = Extension {
        head: [1, 0, 0, 0, 0, 0, 0, 0],
        present: 1,
        // Nothing is ever sent to it.
        opcode: 0xff,
        first_event: 0,
        first_error: 0,
    };
    // SAFETY: the structure begins with a pointer to the extension's name.
    let name = unsafe { std::ffi::CStr::from_ptr(*extension.cast::<*const c_char>()) };
    if wanted() && name == c"DRI3" {
        return &raw const DRI3;
    }
    let next = of!(
        c"libxcb.so.1",
        c"xcb_get_extension_data",
        unsafe extern "C" fn(Connection, *mut c_void) -> *const Extension
    );
    // SAFETY: the caller's arguments.
    next.map_or(std::ptr::null(), |next| unsafe {
        next(connection, extension)
    })
}

/// A reply, which the caller frees; some have descriptors behind them.
#[repr(C)]
struct Reply {
    kind: u8,
    descriptors: u8,
    sequence: u16,
    length: u32,
    data: [u32; 6],
    fd: c_int,
}

fn reply(descriptors: u8, data: [u32; 2], fd: c_int, error: *mut *mut c_void) -> *mut c_void {
    let [a, b] = data;
    let reply = Reply {
        kind: 1,
        descriptors,
        sequence: 0,
        length: 0,
        data: [a, b, 0, 0, 0, 0],
        fd,
    };
    // SAFETY: the new block is as large as the structure; the caller's place for an error, if
    // there is one, is valid.
    unsafe {
        if !error.is_null() {
            *error = std::ptr::null_mut();
        }
        let place = libc::malloc(size_of::<Reply>()).cast::<Reply>();
        if !place.is_null() {
            place.write(reply);
        }
        place.cast()
    }
}

/// Defines functions that answer instead of the server.
macro_rules! answers {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) -> $ret:ty $body:block)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// As libxcb's.
            #[cfg_attr(not(test), unsafe(no_mangle))]
            pub unsafe extern "C" fn $name($($arg: $type),*) -> $ret $body
        )*
    };
}

answers! {
    /// Asks for DRI3's version.
    xcb_dri3_query_version(_c: Connection, _major: u32, _minor: u32) -> Cookie { 0 }

    /// The version.
    xcb_dri3_query_version_reply(_c: Connection, _cookie: Cookie, error: *mut *mut c_void) -> *mut c_void {
        reply(0, [DRI3_VERSION.0, DRI3_VERSION.1], -1, error)
    }

    /// Asks for the device.
    xcb_dri3_open(_c: Connection, _drawable: Id, _provider: Id) -> Cookie { 0 }

    /// The device: ours.
    xcb_dri3_open_reply(_c: Connection, _cookie: Cookie, error: *mut *mut c_void) -> *mut c_void {
        match open_device() {
            -1 => reply(0, [0; 2], -1, error),
            fd => reply(1, [0; 2], fd, error),
        }
    }

    /// Its descriptor.
    xcb_dri3_open_reply_fds(_c: Connection, reply: *mut c_void) -> *mut c_int {
        if reply.is_null() {
            return std::ptr::null_mut();
        }
        // SAFETY: replies to `open` come from above.
        unsafe { &raw mut (*reply.cast::<Reply>()).fd }
    }

    /// Asks for the buffer of a pixmap that the server made.
    xcb_dri3_buffer_from_pixmap(_c: Connection, _pixmap: Id) -> Cookie { 0 }

    /// There is none: the server's pixmaps are not the device's.
    xcb_dri3_buffer_from_pixmap_reply(_c: Connection, _cookie: Cookie, error: *mut *mut c_void) -> *mut c_void {
        // SAFETY: a place for an error, if there is one, is valid.
        unsafe {
            if !error.is_null() {
                *error = std::ptr::null_mut();
            }
        }
        std::ptr::null_mut()
    }

    /// Makes a pixmap for a buffer.
    xcb_dri3_pixmap_from_buffer(c: Connection, pixmap: Id, drawable: Id, _size: u32, width: u16, height: u16, stride: u16, depth: u8, bpp: u8, fd: c_int) -> Cookie {
        let shape = pixmaps::Shape { width, height, stride, depth, bpp };
        Pixmap::create(c, (pixmap, drawable), shape, fd)
    }

    /// Makes a fence. Nobody waits for it.
    xcb_dri3_fence_from_fd(c: Connection, drawable: Id, fence: Id, _triggered: u8, fd: c_int) -> Cookie {
        // SAFETY: the descriptor is given away to us.
        unsafe { libc::close(fd) };
        let create = of!(
            c"libxcb-sync.so.1",
            c"xcb_sync_create_fence",
            unsafe extern "C" fn(Connection, Id, Id, u8) -> Cookie
        );
        // SAFETY: the caller's connection.
        create.map_or(0, |create| unsafe { create(c, drawable, fence, 1) })
    }

    /// Frees a pixmap, and what is known of its buffer.
    xcb_free_pixmap(c: Connection, pixmap: Id) -> Cookie {
        pixmaps::forget(c, pixmap);
        let next = of!(
            c"libxcb.so.1",
            c"xcb_free_pixmap",
            unsafe extern "C" fn(Connection, Id) -> Cookie
        );
        // SAFETY: the caller's arguments.
        next.map_or(0, |next| unsafe { next(c, pixmap) })
    }

    /// Copies between pixmaps and windows: the buffer's newest bytes.
    xcb_copy_area_checked(c: Connection, from: Id, to: Id, gc: Id, x: i16, y: i16, to_x: i16, to_y: i16, width: u16, height: u16) -> Cookie {
        pixmaps::send(c, from);
        let next = of!(
            c"libxcb.so.1",
            c"xcb_copy_area_checked",
            unsafe extern "C" fn(Connection, Id, Id, Id, i16, i16, i16, i16, u16, u16) -> Cookie
        );
        // SAFETY: the caller's arguments.
        next.map_or(0, |next| unsafe {
            next(c, from, to, gc, x, y, to_x, to_y, width, height)
        })
    }

    /// Shows a pixmap in a window: the buffer's newest bytes.
    xcb_present_pixmap(c: Connection, window: Id, pixmap: Id, serial: u32, valid: Id, update: Id, x: i16, y: i16, crtc: Id, wait: Id, idle: Id, options: u32, msc: u64, divisor: u64, remainder: u64, count: u32, notifies: *const c_void) -> Cookie {
        let shown = pixmaps::send(c, pixmap);
        let next = of!(
            c"libxcb-present.so.0",
            c"xcb_present_pixmap",
            unsafe extern "C" fn(Connection, Id, Id, u32, Id, Id, i16, i16, Id, Id, Id, u32, u64, u64, u64, u32, *const c_void) -> Cookie
        );
        // SAFETY: the caller's arguments.
        let cookie = next.map_or(0, |next| unsafe {
            next(c, window, pixmap, serial, valid, update, x, y, crtc, wait, idle, options, msc, divisor, remainder, count, notifies)
        });
        if shown {
            pixmaps::shown(c, pixmap);
        }
        cookie
    }

    /// Marks a buffer as busy, which none ever is.
    xshmfence_reset(fence: *mut c_void) -> c_int {
        if wanted() {
            return 0;
        }
        let next = of!(
            c"libxshmfence.so.1",
            c"xshmfence_reset",
            unsafe extern "C" fn(*mut c_void) -> c_int
        );
        // SAFETY: the caller's argument.
        next.map_or(-1, |next| unsafe { next(fence) })
    }
}
