//! NVIF: one ioctl for objects of all kinds, a header and what follows it.
//!
//! ```text
//!  0 version, 1 type, 6 owner, 7 route, 8 token, 16 object   header, 24 bytes
//! 24 …                                                       NEW: 48 handle, 52 class, 56 …
//!                                                            MTHD: 25 method, 32 …
//! ```

use super::channel::{graphics_object, notifier_object};
use crate::device::Card;
use crate::request::Request;
use crate::user::Errno;
use isotherm::Family;

/// The class of the device itself.
const DEVICE: u32 = 0x80;
/// Classes of memory objects: from memory, to memory, both.
const DMA: [u32; 3] = [0x02, 0x03, 0x3d];

/// Answers an NVIF call.
pub(super) fn ioctl(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    if r.size() < 24 {
        return Err(libc::EINVAL);
    }
    match r.u8(1) {
        // NOP: which version is spoken.
        0 => {
            r.set(24, &[0]);
            Ok(())
        }
        // SCLASS: a list of classes, which these drivers do not read.
        1 => {
            r.set(25, &[0]);
            Ok(())
        }
        2 => new(card, r),
        // DEL.
        3 => {
            card.nouveau.objects.remove(&r.u64(16));
            Ok(())
        }
        4 => method(card, r),
        _ => Err(libc::ENOSYS),
    }
}

fn new(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    let (object, handle, class) = (r.u64(40), r.u32(48), r.u32(52));
    if card.nouveau.objects.len() >= 1 << 12 {
        return Err(libc::ENOMEM);
    }
    if class != DEVICE {
        // The header's token names the channel that the object is made in.
        let channel = r.u64(8) as u32;
        if DMA.contains(&class) {
            notifier_object(card, channel, handle, r.u32(64))?;
        } else {
            graphics_object(card, channel, handle, class)?;
        }
    }
    card.nouveau.objects.insert(object, class);
    Ok(())
}

/// A method of the device: what it is.
fn method(card: &Card, r: &mut Request) -> Result<(), Errno> {
    const INFO: u8 = 0;
    const TIME: u8 = 1;
    match r.u8(25) {
        INFO => info(card, r),
        TIME => r.set_u64(32 + 8, super::nanoseconds()),
        _ => return Err(libc::EINVAL),
    }
    Ok(())
}

/// `nv_device_info_v0`.
fn info(card: &Card, r: &mut Request) {
    let (platform, family) = match card.chip().family() {
        Family::Celsius => (1, 2),
        Family::Kelvin => (2, 3),
        Family::Rankine => (2, 4),
        _ => (3, 5),
    };
    let at = 32;
    r.set(at, &[0, platform]);
    r.set(at + 2, &(card.board.chipset as u16).to_le_bytes());
    r.set(at + 4, &[0xa1, family]);
    r.set_u64(at + 8, card.board.vram);
    r.set_u64(at + 16, card.board.vram);
    let name = format!("NV{:02X}", card.board.chipset);
    let mut text = [0; 16];
    text[..name.len().min(15)].copy_from_slice(&name.as_bytes()[..name.len().min(15)]);
    r.set(at + 24, &text);
}
