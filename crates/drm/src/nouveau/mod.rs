//! nouveau: channels, objects, buffers and pushbuffers, as the kernel's `nouveau_drm.h` has
//! them. Both of its ways to make objects are there: the old calls, one per kind, and NVIF.

mod nvif;
mod pushbuf;

use crate::buffers::{Buffer, Space};
use crate::core::Version;
use crate::device::Card;
use crate::request::Request;
use crate::user::Errno;
use isotherm::capture::{ObjectRecord, Payload, Record};
use isotherm_regs::Family;
use isotherm_regs::method::Class;
use std::collections::BTreeMap;

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

/// Bytes of a channel's notifier buffer.
const NOTIFIERS: u64 = 4096;

/// An object that does nothing.
const NULL_CLASS: u32 = 0x30;

/// A channel.
struct Channel {
    /// The buffer in which its notifiers lie.
    notifiers: u32,
    /// Bytes of it that are given away.
    used: u32,
}

/// All channels.
#[derive(Default)]
pub(crate) struct Channels {
    list: BTreeMap<u32, Channel>,
    next: u32,
    /// Objects of NVIF by their token: the device, and those of channels.
    objects: BTreeMap<u64, u32>,
}

/// Answers a nouveau ioctl.
pub(crate) fn ioctl(card: &mut Card, number: u8, r: &mut Request) -> Result<(), Errno> {
    match number {
        0x00 => parameter(card, r),
        0x02 => channel_alloc(card, r),
        0x03 => channel_free(card, r.u32(0)),
        0x04 => graphics_object(card, r.u32(0), r.u32(4), r.u32(8)),
        0x05 => notifier(card, r),
        // GPUOBJ_FREE: a handle that nobody uses any more.
        0x06 => channel(card, r.u32(0)).map(|_| ()),
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

fn channel(card: &mut Card, id: u32) -> Result<&mut Channel, Errno> {
    card.nouveau.list.get_mut(&id).ok_or(libc::ENOENT)
}

/// Makes an object of the chip's and notes it for the recording.
fn object(card: &mut Card, object: ObjectRecord) -> Result<(), Errno> {
    if let Some(recorder) = &mut card.recorder {
        recorder.object(&object);
    }
    let record = Record {
        offset: 0,
        payload: Payload::Object(object),
    };
    card.gpu
        .record(record)
        .map(|_| ())
        .map_err(|_| libc::EINVAL)
}

/// CHANNEL_ALLOC: two objects that cover VRAM and GART, and a buffer for notifiers.
fn channel_alloc(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    if card.nouveau.list.len() >= 32 {
        return Err(libc::ENOSPC);
    }
    let (vram, gart) = (r.u32(0), r.u32(4));
    let notifiers = card.buffers.create(NOTIFIERS, 0, Space::Gart)?;
    object(card, ObjectRecord::Channel { vram, gart })?;
    let id = card.nouveau.next;
    card.nouveau.next += 1;
    let used = 0;
    card.nouveau.list.insert(id, Channel { notifiers, used });
    r.set_u32(8, id);
    r.set_u32(12, domain::GART);
    r.set_u32(16, notifiers);
    // No subchannels are taken.
    r.set_u32(20 + 64, 0);
    Ok(())
}

fn channel_free(card: &mut Card, id: u32) -> Result<(), Errno> {
    let channel = card.nouveau.list.remove(&id).ok_or(libc::ENOENT)?;
    // The driver may have closed the buffer itself.
    let _ = card.buffers.close(channel.notifiers);
    Ok(())
}

/// GROBJ_ALLOC.
fn graphics_object(card: &mut Card, id: u32, handle: u32, class: u32) -> Result<(), Errno> {
    channel(card, id)?;
    let known = u16::try_from(class).ok().and_then(Class::by_id);
    if known.is_none_or(|known| !card.chip().since(known.since)) && class != NULL_CLASS {
        return Err(libc::EINVAL);
    }
    object(card, ObjectRecord::Graphics { handle, class })
}

/// NOTIFIEROBJ_ALLOC: a place in the channel's notifier buffer, and an object over it.
fn notifier(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    let (handle, size) = (r.u32(4), r.u32(8));
    let offset = notifier_object(card, r.u32(0), handle, size)?;
    r.set_u32(12, offset);
    Ok(())
}

fn notifier_object(card: &mut Card, id: u32, handle: u32, size: u32) -> Result<u32, Errno> {
    let channel = channel(card, id)?;
    let offset = channel.used;
    let end = offset.checked_add(size).ok_or(libc::EINVAL)?;
    if u64::from(end) > NOTIFIERS {
        return Err(libc::ENOMEM);
    }
    channel.used = end;
    let notifiers = channel.notifiers;
    let base = card.buffers.get(notifiers)?.offset as u32;
    let notifier = ObjectRecord::Notifier {
        handle,
        offset: base + offset,
        size,
    };
    object(card, notifier)?;
    Ok(offset)
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
    let handle = match card.buffers.create(size, align, wanted) {
        // What may also lie on the bus does so when the board is full.
        Err(libc::ENOMEM) if wanted == Space::Vram && domains & domain::GART != 0 => {
            card.buffers.create(size, align, Space::Gart)?
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
