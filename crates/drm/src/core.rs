//! The ioctls that every DRM driver has.

use crate::buffers::PAGE;
use crate::device::Card;
use crate::request::{Number, Request};
use crate::user::{self, Errno};
use crate::{lima, nouveau};
use isotherm::Family;

/// Numbers below this are everybody's, from it on a driver's own.
const DRIVER: u8 = 0x40;
/// And from here on everybody's again.
const DRIVER_END: u8 = 0xA0;

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
        0x00 => version(
            if mali {
                &lima::VERSION
            } else {
                &nouveau::VERSION
            },
            r,
        ),
        // GET_UNIQUE: no name.
        0x01 => {
            r.set_u64(0, 0);
            Ok(())
        }
        // SET_VERSION.
        0x07 => Ok(()),
        0x09 => card.buffers.close(r.u32(0)),
        0x0c => capability(r),
        // SET_CLIENT_CAP: nothing that a render node has.
        0x0d => Err(libc::EINVAL),
        0xbf..=0xc5 => syncobj(card, number.number, r),
        // Everything about screens, magic numbers and names: render nodes have none.
        _ => Err(libc::EACCES),
    }
}

/// VERSION: numbers, and three texts of which as much is copied as the caller has room for.
fn version(version: &Version, r: &mut Request) -> Result<(), Errno> {
    for (i, number) in version.numbers.into_iter().enumerate() {
        r.set_u32(4 * i, number);
    }
    let texts = [version.name, version.date, version.description];
    for (i, text) in texts.into_iter().enumerate() {
        let at = 16 + 16 * i;
        let room = r.u64(at) as usize;
        let to = r.u64(at + 8);
        if to != 0 {
            user::write(to, &text.as_bytes()[..room.min(text.len())])?;
        }
        r.set_u64(at, text.len() as u64);
    }
    Ok(())
}

/// GET_CAP.
fn capability(r: &mut Request) -> Result<(), Errno> {
    let value = match r.u64(0) {
        // PRIME, both ways.
        5 => 3,
        // Monotonic time stamps.
        6 => 1,
        // Synchronisation objects.
        0x13 => 1,
        // What concerns screens.
        1..=0x14 => 0,
        _ => return Err(libc::EINVAL),
    };
    r.set_u64(8, value);
    Ok(())
}

/// Synchronisation objects: work is done before a call returns, so all of them are signalled.
fn syncobj(card: &mut Card, number: u8, r: &mut Request) -> Result<(), Errno> {
    let known = |card: &Card, handle: u32| {
        if card.syncobjs.contains_key(&handle) {
            Ok(())
        } else {
            Err(libc::ENOENT)
        }
    };
    match number {
        // CREATE.
        0xbf => {
            if card.syncobjs.len() as u64 >= PAGE {
                return Err(libc::ENOMEM);
            }
            let handle = card.next_syncobj;
            card.next_syncobj += 1;
            card.syncobjs.insert(handle, ());
            r.set_u32(0, handle);
            Ok(())
        }
        // DESTROY.
        0xc0 => card.syncobjs.remove(&r.u32(0)).ok_or(libc::EINVAL),
        // WAIT, RESET, SIGNAL: an array of handles.
        0xc3..=0xc5 => {
            let count = if number == 0xc3 { r.u32(16) } else { r.u32(8) };
            for [handle] in user::read_words::<1>(r.u64(0), count, 1 << 12)? {
                known(card, handle)?;
            }
            if number == 0xc3 {
                // The first of them is signalled.
                r.set_u32(24, 0);
            }
            Ok(())
        }
        // To and from files: a signalled fence needs none.
        _ => Err(libc::EINVAL),
    }
}
