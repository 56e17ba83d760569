//! nouveau: channels, objects, buffers and pushbuffers, as the kernel's `nouveau_drm.h` has
//! them. Both of its ways to make objects are there: the old calls, one per kind, and NVIF.

mod channel;
mod nvif;
mod pushbuf;

use crate::buffers::{Buffer, Space};
use crate::core::Version;
use crate::device::Card;
use crate::request::Request;
use crate::user::Errno;
pub(crate) use channel::Channels;
use isotherm_regs::Family;

/// New enough for NVIF, which newer libraries insist on.
pub(crate) const VERSION: Version = Version {
    name: "nouveau",
    numbers: [1, 3, 1],
    date: "20120801",
    description: "nVidia Riva/TNT/GeForce/Quadro/Tesla/Tegra K1+",
};

/// Placements of a buffer.
mod domain {
    pub const VRAM: u32 = 2;
    pub const GART: u32 = 4;
    pub const MAPPABLE: u32 = 8;
}

/// Answers a nouveau ioctl.
pub(crate) fn ioctl(card: &mut Card, number: u8, r: &mut Request) -> Result<(), Errno> {
    match number {
        0x00 => parameter(card, r),
        0x02 => channel::alloc(card, r),
        0x03 => channel::free(card, r.u32(0)),
        0x04 => channel::graphics_object(card, r.u32(0), r.u32(4), r.u32(8)),
        0x05 => channel::notifier(card, r),
        // GPUOBJ_FREE: a handle that nobody uses any more.
        0x06 => channel::get(card, r.u32(0)).map(|_| ()),
        0x07 => nvif::ioctl(card, r),
        0x40 => buffer_new(card, r),
        0x41 => pushbuf::ioctl(card, r),
        // CPU_PREP, CPU_FINI: the chip has finished before a submission returns.
        0x42 | 0x43 => card.buffers.get(r.u32(0)).map(|_| ()),
        0x44 => {
            let handle = r.u32(0);
            let buffer = *card.buffers.get(handle)?;
            describe(handle, &buffer, r);
            Ok(())
        }
        _ => Err(libc::EINVAL),
    }
}

/// GETPARAM.
fn parameter(card: &Card, r: &mut Request) -> Result<(), Errno> {
    let value = match r.u64(0) {
        // PCI_VENDOR, PCI_DEVICE: NVIDIA, and any of its numbers.
        3 => 0x10de,
        4 => 0x0322,
        // BUS_TYPE: PCI, or PCI Express since Curie.
        5 => {
            if card.chip().family() == Family::Curie {
                2
            } else {
                1
            }
        }
        8 => card.board.vram,
        9 => card.board.gart,
        11 => u64::from(card.board.chipset),
        // GRAPH_UNITS, which these chips do not tell.
        13 => 0,
        // PTIMER_TIME in nanoseconds.
        14 => nanoseconds(),
        // HAS_BO_USAGE, HAS_PAGEFLIP.
        15 => 1,
        16 => 0,
        _ => return Err(libc::EINVAL),
    };
    r.set_u64(8, value);
    Ok(())
}

fn nanoseconds() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_nanos() as u64)
}

/// Where a buffer goes that may go to these places.
fn space(domains: u32) -> Result<Space, Errno> {
    if domains & domain::VRAM != 0 {
        Ok(Space::Vram)
    } else if domains & (domain::GART | domain::MAPPABLE | 1) != 0 {
        Ok(Space::Gart)
    } else {
        Err(libc::EINVAL)
    }
}

fn domain_of(space: Space) -> u32 {
    match space {
        Space::Vram => domain::VRAM,
        Space::Gart => domain::GART,
    }
}

/// GEM_NEW.
fn buffer_new(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    let (domains, size, align) = (r.u32(4), r.u64(8), u64::from(r.u32(44)));
    let wanted = space(domains)?;
    let handle = match card.create(size, align, wanted) {
        // What may also lie on the bus does so when the board is full.
        Err(libc::ENOMEM) if wanted == Space::Vram && domains & domain::GART != 0 => {
            card.create(size, align, Space::Gart)?
        }
        made => made?,
    };
    let tile = [r.u32(32), r.u32(36)];
    let buffer = card.buffers.get_mut(handle)?;
    buffer.tile = tile;
    let buffer = *buffer;
    describe(handle, &buffer, r);
    Ok(())
}

/// The structure that says what a buffer is.
fn describe(handle: u32, buffer: &Buffer, r: &mut Request) {
    r.set_u32(0, handle);
    r.set_u32(4, domain_of(buffer.space));
    r.set_u64(8, buffer.size);
    r.set_u64(16, buffer.offset);
    r.set_u64(24, buffer.file);
    r.set_u32(32, buffer.tile[0]);
    r.set_u32(36, buffer.tile[1]);
}
