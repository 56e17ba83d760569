//! Windows on any Wayland compositor.
//!
//! A driver learns from the compositor which GPU to draw with, and shares its buffers with it,
//! both by the interface `zwp_linux_dmabuf_v1`. A compositor without a GPU has none, so a
//! translator sits between the program and the compositor: two threads that send everything
//! on, descriptors included, and speak of dma-bufs to the program and of `wl_shm` to the
//! compositor. A shared buffer is an anonymous file with rows of pixels, and so is a pool
//! of `wl_shm`: nothing is copied. When pictures are shown, how large windows are and which
//! buffer is free again stays between the program and the compositor.
//!
//! A driver may free a buffer as soon as it has sent its descriptor, so the program's requests
//! are done before its `sendmsg` returns.

mod events;
mod link;
mod session;
#[cfg(test)]
mod tests;
mod translator;
mod wire;

use super::{FileId, fail, file_id, next};
use crate::settings::settings;
use libc::{c_int, c_void, msghdr, ssize_t};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use translator::Translator;

/// Takes a connection over: the program gets one to a translator instead.
///
/// # Safety
/// As libwayland's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn wl_display_connect_to_fd(fd: c_int) -> *mut c_void {
    let next = super::of!(
        c"libwayland-client.so.0",
        c"wl_display_connect_to_fd",
        unsafe extern "C" fn(c_int) -> *mut c_void
    );
    let wanted = settings().is_some() && fd >= 0;
    let fd = if wanted { translated(fd) } else { fd };
    // SAFETY: the caller's argument, or a descriptor made for it.
    next.map_or(std::ptr::null_mut(), |next| unsafe { next(fd) })
}

/// Sends; to a translator, until it has sent it on.
///
/// # Safety
/// As the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn sendmsg(fd: c_int, message: *const msghdr, flags: c_int) -> ssize_t {
    let Some(next) = next!(
        c"sendmsg",
        unsafe extern "C" fn(c_int, *const msghdr, c_int) -> ssize_t
    ) else {
        return fail(libc::ENOSYS) as ssize_t;
    };
    // SAFETY: the caller's arguments.
    let sent = unsafe { next(fd, message, flags) };
    if sent > 0
        && let Some(translator) = behind(fd)
    {
        translator.settle(sent as u64);
    }
    sent
}

/// Connections that are translated, by the program's end.
static TRANSLATORS: Mutex<Vec<(FileId, Arc<Translator>)>> = Mutex::new(Vec::new());
/// Are there any?
static ANY: AtomicBool = AtomicBool::new(false);

fn translators() -> MutexGuard<'static, Vec<(FileId, Arc<Translator>)>> {
    TRANSLATORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The translator behind a descriptor.
fn behind(fd: c_int) -> Option<Arc<Translator>> {
    if !ANY.load(Ordering::Acquire) {
        return None;
    }
    let id = file_id(fd)?;
    let mut list = translators();
    list.retain(|(_, translator)| !translator.is_closed());
    let found = list.iter().find(|(end, _)| *end == id);
    found
        .map(|(_, translator)| Arc::clone(translator))
        .filter(|translator| translator.is_ours())
}

/// The program's end of a translated connection; the connection itself if there can be none.
fn translated(fd: c_int) -> c_int {
    let Ok((program, ours)) = link::pair() else {
        return fd;
    };
    // SAFETY: the descriptor is given away to us.
    let compositor = unsafe { OwnedFd::from_raw_fd(fd) };
    let translator = Translator::start(ours, compositor);
    if let Some(id) = file_id(program.as_raw_fd()) {
        translators().push((id, translator));
        ANY.store(true, Ordering::Release);
    }
    program.into_raw_fd()
}
