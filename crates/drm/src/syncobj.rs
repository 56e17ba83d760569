//! Synchronisation objects. Work is done before a call returns, so all of them are signalled.

use crate::device::Card;
use crate::request::Request;
use crate::user::{self, Errno};
use libc::c_int;
use std::ops::RangeInclusive;

/// The numbers of these calls, those for time lines excluded.
pub(crate) const NUMBERS: RangeInclusive<u8> = 0xbf..=0xc5;

/// The most objects that exist at once, and that one call names.
const MOST: u32 = 4096;

mod number {
    pub const CREATE: u8 = 0xbf;
    pub const DESTROY: u8 = 0xc0;
    pub const HANDLE_TO_FD: u8 = 0xc1;
    pub const FD_TO_HANDLE: u8 = 0xc2;
    pub const WAIT: u8 = 0xc3;
}

/// Answers a call about synchronisation objects.
pub(crate) fn ioctl(card: &mut Card, number: u8, r: &mut Request) -> Result<(), Errno> {
    match number {
        number::CREATE => create(card, r),
        number::DESTROY => {
            let known = card.syncobjs.remove(&r.u32(0));
            known.then_some(()).ok_or(libc::EINVAL)
        }
        number::HANDLE_TO_FD => to_file(card, r),
        number::FD_TO_HANDLE => from_file(card, r),
        // WAIT, RESET, SIGNAL: an array of handles.
        _ => {
            let wait = number == number::WAIT;
            let count = if wait { r.u32(16) } else { r.u32(8) };
            if count == 0 {
                return Err(libc::EINVAL);
            }
            for [handle] in user::read_words::<1>(r.u64(0), count, MOST)? {
                known(card, handle, libc::ENOENT)?;
            }
            if wait {
                // The first of them is signalled.
                r.set_u32(24, 0);
            }
            Ok(())
        }
    }
}

fn known(card: &Card, handle: u32, otherwise: Errno) -> Result<(), Errno> {
    let known = card.syncobjs.contains(&handle);
    known.then_some(()).ok_or(otherwise)
}

fn create(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    const SIGNALED: u32 = 1;
    if r.u32(4) & !SIGNALED != 0 {
        return Err(libc::EINVAL);
    }
    if card.syncobjs.len() >= MOST as usize {
        return Err(libc::ENOMEM);
    }
    let handle = card.next_syncobj;
    card.next_syncobj += 1;
    card.syncobjs.insert(handle);
    r.set_u32(0, handle);
    Ok(())
}

/// HANDLE_TO_FD: a file that can be waited for. An event that has happened is one.
fn to_file(card: &Card, r: &mut Request) -> Result<(), Errno> {
    const SYNC_FILE: u32 = 1;
    if r.u32(4) & !SYNC_FILE != 0 {
        return Err(libc::EINVAL);
    }
    known(card, r.u32(0), libc::EINVAL)?;
    // SAFETY: it takes numbers only.
    let fd = unsafe { libc::eventfd(1, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
    if fd < 0 {
        return Err(libc::EMFILE);
    }
    r.set_u32(8, fd as u32);
    Ok(())
}

/// FD_TO_HANDLE: whatever the file stands for happened when it was made.
fn from_file(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    const SYNC_FILE: u32 = 1;
    let flags = r.u32(4);
    if flags & !SYNC_FILE != 0 {
        return Err(libc::EINVAL);
    }
    // SAFETY: asking for flags changes nothing.
    if unsafe { libc::fcntl(r.u32(8) as c_int, libc::F_GETFD) } < 0 {
        return Err(libc::EINVAL);
    }
    if flags & SYNC_FILE != 0 {
        return known(card, r.u32(0), libc::ENOENT);
    }
    create(card, r)
}
