//! Channels: each has objects and a context of its own, and one of them is on the chip.

use super::domain;
use crate::buffers::Space;
use crate::device::Card;
use crate::request::Request;
use crate::user::Errno;
use isotherm::capture::{ObjectRecord, Payload, Record};
use isotherm::context::Context;
use isotherm_regs::method::Class;
use std::collections::BTreeMap;

/// Bytes of a channel's notifier buffer.
const NOTIFIERS: u64 = 4096;

/// An object that does nothing.
const NULL_CLASS: u32 = 0x30;

/// Channels, and objects of one channel, that there can be at once.
const MOST_CHANNELS: usize = 32;
const MOST_OBJECTS: usize = 4096;

/// A channel.
pub(super) struct Channel {
    /// The buffer in which its notifiers lie.
    notifiers: u32,
    /// Bytes of it that are given away.
    used: u32,
    objects: Vec<ObjectRecord>,
    /// The chip's state when another channel took its place.
    context: Option<Box<Context>>,
}

/// All channels.
#[derive(Default)]
pub(crate) struct Channels {
    list: BTreeMap<u32, Channel>,
    next: u32,
    /// The one that is on the chip.
    current: Option<u32>,
    /// The chip's state before any channel was on it.
    reset: Option<Box<Context>>,
    /// Objects of NVIF by their token: the device, and those of channels.
    pub(super) objects: BTreeMap<u64, u32>,
}

/// The channel with a number.
pub(super) fn get(card: &mut Card, id: u32) -> Result<&mut Channel, Errno> {
    card.nouveau.list.get_mut(&id).ok_or(libc::ENOENT)
}

/// Puts a channel on the chip: the context of the one before is kept, and its own comes back.
pub(super) fn switch_to(card: &mut Card, id: u32) -> Result<(), Errno> {
    let before = card.nouveau.current.replace(id);
    if before == Some(id) {
        return Ok(());
    }
    let state = Some(Box::new(card.gpu.context()));
    match before {
        None => card.nouveau.reset = state.clone(),
        Some(before) => {
            if let Some(channel) = card.nouveau.list.get_mut(&before) {
                channel.context = state;
            }
        }
    }
    if before.is_some() || card.nouveau.list.len() > 1 {
        restore(card, id)?;
    }
    Ok(())
}

fn restore(card: &mut Card, id: u32) -> Result<(), Errno> {
    let channel = get(card, id)?;
    let (objects, context) = (channel.objects.clone(), channel.context.take());
    for object in objects {
        announce(card, object)?;
    }
    let Some(context) = context.or_else(|| card.nouveau.reset.clone()) else {
        return Ok(());
    };
    if let Some(recorder) = &mut card.recorder {
        recorder.context(&context);
    }
    execute(card, Payload::Context(context))
}

fn execute(card: &mut Card, payload: Payload<'_>) -> Result<(), Errno> {
    let done = card.gpu.record(Record { offset: 0, payload });
    done.map(|_| ()).map_err(|_| libc::EINVAL)
}

/// Tells the chip and the recording of an object.
fn announce(card: &mut Card, object: ObjectRecord) -> Result<(), Errno> {
    if let Some(recorder) = &mut card.recorder {
        recorder.object(&object);
    }
    execute(card, Payload::Object(object))
}

/// Makes an object in a channel.
fn object(card: &mut Card, id: u32, object: ObjectRecord) -> Result<(), Errno> {
    let channel = get(card, id)?;
    if channel.objects.len() >= MOST_OBJECTS {
        return Err(libc::ENOSPC);
    }
    channel.objects.push(object.clone());
    if card.nouveau.current.is_none_or(|current| current == id) {
        announce(card, object)?;
    }
    Ok(())
}

/// CHANNEL_ALLOC: two objects that cover VRAM and GART, and a buffer for notifiers.
pub(super) fn alloc(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    if card.nouveau.list.len() >= MOST_CHANNELS {
        return Err(libc::ENOSPC);
    }
    let (vram, gart) = (r.u32(0), r.u32(4));
    let notifiers = card.create(NOTIFIERS, 0, Space::Gart)?;
    let id = card.nouveau.next;
    card.nouveau.next += 1;
    let channel = Channel {
        notifiers,
        used: 0,
        objects: Vec::new(),
        context: None,
    };
    card.nouveau.list.insert(id, channel);
    object(card, id, ObjectRecord::Channel { vram, gart })?;
    r.set_u32(8, id);
    r.set_u32(12, domain::GART);
    r.set_u32(16, notifiers);
    // No subchannels are taken.
    r.set_u32(20 + 64, 0);
    Ok(())
}

/// CHANNEL_FREE.
pub(super) fn free(card: &mut Card, id: u32) -> Result<(), Errno> {
    let channel = card.nouveau.list.remove(&id).ok_or(libc::ENOENT)?;
    // The driver may have closed the buffer itself.
    let _ = card.buffers.close(channel.notifiers);
    Ok(())
}

/// GROBJ_ALLOC.
pub(super) fn graphics_object(
    card: &mut Card,
    id: u32,
    handle: u32,
    class: u32,
) -> Result<(), Errno> {
    get(card, id)?;
    if handle == u32::MAX {
        return Err(libc::EINVAL);
    }
    let known = u16::try_from(class).ok().and_then(Class::by_id);
    if known.is_none_or(|known| !card.chip().since(known.since)) && class != NULL_CLASS {
        return Err(libc::EINVAL);
    }
    object(card, id, ObjectRecord::Graphics { handle, class })
}

/// NOTIFIEROBJ_ALLOC: a place in the channel's notifier buffer, and an object over it.
pub(super) fn notifier(card: &mut Card, r: &mut Request) -> Result<(), Errno> {
    let (handle, size) = (r.u32(4), r.u32(8));
    let offset = notifier_object(card, r.u32(0), handle, size)?;
    r.set_u32(12, offset);
    Ok(())
}

/// An object over the next free part of a channel's notifier buffer; where that begins.
pub(super) fn notifier_object(
    card: &mut Card,
    id: u32,
    handle: u32,
    size: u32,
) -> Result<u32, Errno> {
    let channel = get(card, id)?;
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
    object(card, id, notifier)?;
    Ok(offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;
    use isotherm::capture::Push;

    /// A 3D object of NV34 in a new channel; the channel's number.
    fn channel(card: &mut Card) -> u32 {
        let mut bytes = [0u32; 22];
        bytes[0] = 0xbeef_0201;
        bytes[1] = 0xbeef_0202;
        let mut request = Request::read(bytes.as_ptr() as u64, 88).unwrap();
        alloc(card, &mut request).unwrap();
        let id = request.u32(8);
        graphics_object(card, id, 0xbeef_3d00, 0x0697).unwrap();
        id
    }

    /// Binds the object, sets the clear colour, and gives the chip's whole state.
    fn state(card: &mut Card, color: Option<u32>) -> serde_json::Value {
        const CLEAR_COLOR: u16 = 0x1d90;
        if let Some(color) = color {
            let mut push = Push::new();
            push.method(7, 0, &[0xbeef_3d00])
                .method(7, CLEAR_COLOR, &[color]);
            card.gpu.push(push.words()).unwrap();
        }
        serde_json::to_value(card.gpu.context()).unwrap()
    }

    #[test]
    fn channels_keep_their_state() {
        let device = Device::start("nv34").unwrap();
        let done = device.call(|card| {
            let (first, second) = (channel(card), channel(card));
            switch_to(card, first)?;
            let before = state(card, Some(0x1234_5678));
            switch_to(card, second)?;
            let other = state(card, Some(0x8765_4321));
            assert_ne!(before, other);
            switch_to(card, first)?;
            assert_eq!(state(card, None), before);
            free(card, first)?;
            switch_to(card, second)?;
            assert_eq!(state(card, None), other);
            Ok(())
        });
        assert_eq!(done, Ok(()));
    }
}
