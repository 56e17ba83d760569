//! `ioctl`: what the kernel would be asked.

use super::{Behind, behind, fail, next};
use crate::core;
use crate::device::Device;
use crate::request::{Number, Request};
use crate::settings::settings;
use libc::{c_int, c_ulong, c_void};

/// Answers the device's ioctls.
///
/// # Safety
/// As the C library's.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn ioctl(fd: c_int, request: c_ulong, argument: *mut c_void) -> c_int {
    let number = Number::new(request);
    if number.letter == b'd' {
        match behind(fd) {
            Behind::Ours(device) => return answer(device, number, argument as u64),
            Behind::Parents => return fail(libc::ENODEV),
            Behind::Other => {}
        }
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
        eprintln!("isotherm: {}: {}", core::describe(number), outcome(done));
    }
    match done {
        Ok(()) => 0,
        Err(errno) => fail(errno),
    }
}

/// An answer in words.
fn outcome(done: Result<(), c_int>) -> String {
    match done {
        Ok(()) => "ok".into(),
        Err(errno) => std::io::Error::from_raw_os_error(errno).to_string(),
    }
}
