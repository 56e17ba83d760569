//! The ioctls that every DRM driver has.
//!
//! Errors are the kernel's (`drm_ioctl.c`): a number that nothing stands behind is EINVAL, one
//! that only screens have is EACCES, as for every client of a render node.

use crate::device::Card;
use crate::request::{Number, Request};
use crate::user::{self, Errno};
use crate::{lima, nouveau, syncobj};
use isotherm::Family;

/// Numbers below this are everybody's, from it on a driver's own.
const DRIVER: u8 = 0x40;
/// And from here on everybody's again.
const DRIVER_END: u8 = 0xA0;

/// Numbers of the calls that a render node has.
mod number {
    pub const VERSION: u8 = 0x00;
    pub const GEM_CLOSE: u8 = 0x09;
    pub const GEM_FLINK: u8 = 0x0a;
    pub const GEM_OPEN: u8 = 0x0b;
    pub const GET_CAP: u8 = 0x0c;
    pub const PRIME_HANDLE_TO_FD: u8 = 0x2d;
    pub const PRIME_FD_TO_HANDLE: u8 = 0x2e;
}

/// Who the device says it is.
pub(crate) struct Version {
    pub name: &'static str,
    pub numbers: [u32; 3],
    pub date: &'static str,
    pub description: &'static str,
}

/// Answers an ioctl.
pub(crate) fn ioctl(card: &mut Card, number: Number, r: &mut Request) -> Result<(), Errno> {
    let mali = card.chip().family() == Family::Utgard;
    match number.number {
        n if (DRIVER..DRIVER_END).contains(&n) && mali => lima::ioctl(card, n - DRIVER, r),
        n if (DRIVER..DRIVER_END).contains(&n) => nouveau::ioctl(card, n - DRIVER, r),
        number::VERSION if mali => version(&lima::VERSION, r),
        number::VERSION => version(&nouveau::VERSION, r),
        number::GEM_CLOSE => card.buffers.close(r.u32(0)),
        number::GEM_FLINK if has_names(card) => flink(card, r),
        number::GEM_OPEN if has_names(card) => open(card, r),
        number::GET_CAP => capability(r, mali),
        number::PRIME_HANDLE_TO_FD => prime_export(card, r),
        number::PRIME_FD_TO_HANDLE => prime_import(card, r),
        n if syncobj::NUMBERS.contains(&n) && mali => syncobj::ioctl(card, n, r),
        // nouveau had none of them when it had this version.
        n if syncobj::NUMBERS.contains(&n) => Err(libc::EOPNOTSUPP),
        n if needs_a_screen(n) => Err(libc::EACCES),
        _ => Err(libc::EINVAL),
    }
}

/// The driver of the oldest chips gets its buffers by name, as from a node with a screen.
fn has_names(card: &Card) -> bool {
    matches!(card.chip().family(), Family::Celsius | Family::Kelvin)
}

/// GEM_FLINK: a buffer's name, which is its handle: there is one client.
fn flink(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    let handle = r.u32(0);
    card.buffers.get(handle)?;
    r.set_u32(4, handle);
    Ok(())
}

/// GEM_OPEN: the buffer of a name, once more.
fn open(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    let name = r.u32(0);
    let buffer = card.buffers.get_mut(name)?;
    buffer.references += 1;
    let size = buffer.size;
    r.set_u32(4, name);
    r.set_u64(8, size);
    Ok(())
}

/// Calls of the kernel's table that a render node refuses: authentication, names of buffers,
/// everything about screens.
fn needs_a_screen(number: u8) -> bool {
    matches!(
        number,
        0x01..=0x07 | 0x0a | 0x0b | 0x0d | 0x10..=0x1f | 0x20..=0x2c | 0x30..=0x3a | 0x3f
            | 0xa0..=0xbe | 0xc6..=0xc9 | 0xce
    )
}

/// A call's name, as far as it has one here, for the log.
pub(crate) fn describe(number: Number) -> String {
    let name = match number.number {
        number::VERSION => "VERSION",
        number::GEM_CLOSE => "GEM_CLOSE",
        number::GET_CAP => "GET_CAP",
        number::PRIME_HANDLE_TO_FD => "PRIME_HANDLE_TO_FD",
        number::PRIME_FD_TO_HANDLE => "PRIME_FD_TO_HANDLE",
        n if syncobj::NUMBERS.contains(&n) => "SYNCOBJ",
        n if (DRIVER..DRIVER_END).contains(&n) => "driver",
        _ => "core",
    };
    let (number, size) = (number.number, number.size);
    format!("ioctl {number:02x}h {name}, {size} bytes")
}

/// VERSION: numbers, and three texts of which as much is copied as the caller has room for.
fn version(version: &Version, r: &mut Request) -> Result<(), Errno> {
    for (i, number) in version.numbers.into_iter().enumerate() {
        r.set_u32(4 * i, number);
    }
    let texts = [version.name, version.date, version.description];
    for (i, text) in texts.into_iter().enumerate() {
        let at = 16 + 16 * i;
        let room = usize::try_from(r.u64(at)).unwrap_or(usize::MAX);
        let to = r.u64(at + 8);
        if to != 0 {
            user::write(to, &text.as_bytes()[..room.min(text.len())])?;
        }
        r.set_u64(at, text.len() as u64);
    }
    Ok(())
}

/// GET_CAP.
fn capability(r: &mut Request, mali: bool) -> Result<(), Errno> {
    let value = match r.u64(0) {
        // PRIME, both ways.
        5 => 3,
        // Monotonic time stamps.
        6 => 1,
        // Synchronisation objects, without time lines.
        0x13 => u64::from(mali),
        0x14 => 0,
        // What concerns screens is no capability of a driver without any.
        1..=4 | 7..=0x12 | 0x15 => return Err(libc::EOPNOTSUPP),
        _ => return Err(libc::EINVAL),
    };
    r.set_u64(8, value);
    Ok(())
}

/// PRIME_HANDLE_TO_FD: a buffer as a file that others can map.
fn prime_export(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    let flags = r.u32(4) as i32;
    if flags & !(libc::O_CLOEXEC | libc::O_RDWR) != 0 {
        return Err(libc::EINVAL);
    }
    let fd = card.buffers.export(r.u32(0), flags)?;
    r.set_u32(8, fd as u32);
    Ok(())
}

/// PRIME_FD_TO_HANDLE.
fn prime_import(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    let handle = card.import(r.u32(8) as i32)?;
    r.set_u32(0, handle);
    Ok(())
}
