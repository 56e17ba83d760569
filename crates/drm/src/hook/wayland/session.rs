//! What is known of a connection's objects, and the program's requests.
//!
//! Every number that the program gives to an object is given to one of the compositor's as
//! well, since a compositor takes numbers only in their order. Where it needs to know nothing
//! the number becomes a callback of `wl_display.sync`: it comes and goes at once, and its two
//! events, `done` and the number's release, are kept from the program.

use super::wire::{Arg, Message, put, put_words};
use crate::hook::FileId;
use crate::hook::frames::Frame;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// `wl_display` is always the first object.
pub(super) const DISPLAY: u32 = 1;
/// The name by which the dma-buf interface is announced. Compositors count theirs from 1.
pub(super) const NAME: u32 = 0x4953_4f54;
/// The interfaces that are exchanged, and the newest version that is spoken.
pub(super) const DMABUF: &str = "zwp_linux_dmabuf_v1";
pub(super) const SHM: &str = "wl_shm";
pub(super) const VERSION: u32 = 4;
/// More objects than a program has; more descriptors of ours than it sends at once.
const OBJECTS: usize = 1 << 16;
const FILES: usize = 256;

/// Formats of pictures: two that `wl_shm` has numbers of its own for, and one more.
pub(super) const ARGB8888: u32 = u32::from_le_bytes(*b"AR24");
pub(super) const XRGB8888: u32 = u32::from_le_bytes(*b"XR24");
pub(super) const RGB565: u32 = u32::from_le_bytes(*b"RG16");
/// Rows one after another; and as the driver does it without being told, which is the same
/// for buffers that can be scanned out.
pub(super) const LINEAR: u64 = 0;
pub(super) const IMPLICIT: u64 = 0x00ff_ffff_ffff_ffff;

/// What happens when a callback of ours is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Then {
    Nothing,
    /// The program is told that its buffer was refused.
    Refuse,
    /// The program is told which device and formats to use.
    Tell,
}

/// What an object is to the program. Those of no interest are not kept.
#[derive(Debug)]
pub(super) enum Kind {
    Registry,
    Compositor,
    /// A dma-buf interface, of a version. For the compositor it is `wl_shm`.
    Dmabuf(u32),
    /// A buffer in the making. When it has its plane it is a pool for the compositor.
    Params(Option<Plane>),
    Feedback,
    Surface {
        attached: Option<u32>,
    },
    Buffer(Frame),
}

/// A buffer's only plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    file: Option<FileId>,
    offset: u32,
    stride: u32,
}

/// An object, and what the compositor will say of it that the program must not hear.
#[derive(Debug)]
pub(super) struct Object {
    pub kind: Kind,
    /// What to do at each `done` to come.
    pub dones: VecDeque<Then>,
    /// Releases of the number to come.
    pub releases: u32,
}

/// What is to be done beside sending on.
#[derive(Debug, PartialEq)]
pub(super) enum Action {
    None,
    /// The program gets nothing more done until this object was told of.
    Wait(u32),
    /// A picture is shown.
    Shown(Frame),
}

/// A connection.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub objects: BTreeMap<u32, Object>,
    /// The compositor's name of `wl_shm`.
    pub shm: Option<u32>,
    /// Formats that it takes.
    pub formats: BTreeSet<u32>,
    /// Files of buffers of ours whose descriptors came, in their order.
    files: VecDeque<FileId>,
    /// Feedback that has been told since it was asked for last.
    pub told: Option<u32>,
    /// Bytes that the program has sent, and those of them that were sent on.
    pub sent: u64,
    pub handled: u64,
    /// Nothing comes any more.
    pub closed: bool,
}

impl Session {
    /// A descriptor of a buffer of ours came, before the message that it belongs to.
    pub(super) fn came(&mut self, file: FileId) {
        if self.files.len() == FILES {
            self.files.pop_front();
        }
        self.files.push_back(file);
    }

    fn enter(&mut self, id: u32, kind: Kind) -> Result<(), String> {
        if self.objects.len() >= OBJECTS {
            return Err(format!("more than {OBJECTS} objects"));
        }
        let dones = VecDeque::new();
        let object = Object {
            kind,
            dones,
            releases: 0,
        };
        self.objects.insert(id, object);
        Ok(())
    }

    /// Makes a number a callback. Its release reaches the program if it waits for that.
    fn sync(&mut self, out: &mut Vec<u8>, id: u32, then: Then, hidden: bool) {
        const SYNC: u16 = 0;
        if let Some(object) = self.objects.get_mut(&id) {
            object.dones.push_back(then);
            object.releases += u32::from(hidden);
            put_words(out, DISPLAY, SYNC, &[id]);
        }
    }

    /// Asks again for a moment when feedback can be told.
    pub(super) fn ask(&mut self, out: &mut Vec<u8>, id: u32) {
        self.told = None;
        self.sync(out, id, Then::Tell, true);
    }

    /// Has the moment not come yet that was asked for?
    pub(super) fn awaits(&self, id: u32) -> bool {
        let object = self.objects.get(&id);
        object.is_some_and(|object| object.dones.contains(&Then::Tell))
    }

    /// Translates a request of the program.
    ///
    /// # Errors
    /// What no compositor would accept, or what cannot be shown.
    pub(super) fn request(
        &mut self,
        message: Message<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Action, String> {
        if message.object == DISPLAY {
            return self.display(message, out);
        }
        let kind = self.objects.get(&message.object).map(|object| &object.kind);
        match kind {
            Some(Kind::Registry) => self.registry(message, out)?,
            Some(Kind::Dmabuf(_)) => return self.dmabuf(message, out),
            Some(Kind::Params(plane)) => {
                let plane = *plane;
                self.params(message, plane, out)?;
            }
            Some(Kind::Feedback) => self.sync(out, message.object, Then::Nothing, false),
            Some(Kind::Compositor) => {
                const CREATE_SURFACE: u16 = 0;
                if message.opcode == CREATE_SURFACE {
                    let [id] = message.words()?;
                    self.enter(id, Kind::Surface { attached: None })?;
                }
                out.extend_from_slice(message.whole);
            }
            Some(Kind::Surface { .. }) => {
                out.extend_from_slice(message.whole);
                return self.surface(message);
            }
            Some(Kind::Buffer(_)) | None => out.extend_from_slice(message.whole),
        }
        Ok(Action::None)
    }

    fn display(&mut self, message: Message<'_>, out: &mut Vec<u8>) -> Result<Action, String> {
        const GET_REGISTRY: u16 = 1;
        if message.opcode == GET_REGISTRY {
            let [id] = message.words()?;
            self.enter(id, Kind::Registry)?;
        }
        out.extend_from_slice(message.whole);
        Ok(Action::None)
    }

    fn registry(&mut self, message: Message<'_>, out: &mut Vec<u8>) -> Result<(), String> {
        const BIND: u16 = 0;
        if message.opcode == BIND {
            let (name, interface, [version, id]) = message.name_text_words()?;
            if name == NAME && interface == DMABUF {
                let shm = self.shm.ok_or("a compositor without wl_shm")?;
                self.enter(id, Kind::Dmabuf(version))?;
                let args = [Arg::Word(shm), Arg::Text(SHM), Arg::Word(1), Arg::Word(id)];
                put(out, message.object, BIND, &args);
                return Ok(());
            }
            if interface == "wl_compositor" {
                self.enter(id, Kind::Compositor)?;
            }
        }
        out.extend_from_slice(message.whole);
        Ok(())
    }

    fn dmabuf(&mut self, message: Message<'_>, out: &mut Vec<u8>) -> Result<Action, String> {
        const DESTROY: u16 = 0;
        const CREATE_PARAMS: u16 = 1;
        const GET_DEFAULT_FEEDBACK: u16 = 2;
        const GET_SURFACE_FEEDBACK: u16 = 3;
        let feedback = match message.opcode {
            // The first version of `wl_shm` stays for ever, and so does the number.
            DESTROY => return Ok(Action::None),
            CREATE_PARAMS => {
                let [id] = message.words()?;
                self.enter(id, Kind::Params(None))?;
                self.sync(out, id, Then::Nothing, true);
                return Ok(Action::None);
            }
            GET_DEFAULT_FEEDBACK => message.words::<1>()?[0],
            GET_SURFACE_FEEDBACK => message.words::<2>()?[0],
            other => return Err(format!("{DMABUF} has no request {other}")),
        };
        self.enter(feedback, Kind::Feedback)?;
        self.ask(out, feedback);
        Ok(Action::Wait(feedback))
    }

    fn params(
        &mut self,
        message: Message<'_>,
        plane: Option<Plane>,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        const DESTROY: u16 = 0;
        const ADD: u16 = 1;
        const CREATE: u16 = 2;
        const CREATE_IMMED: u16 = 3;
        const POOL_DESTROY: u16 = 1;
        let id = message.object;
        match (message.opcode, plane) {
            (DESTROY, Some(_)) => put_words(out, id, POOL_DESTROY, &[]),
            (DESTROY, None) => self.sync(out, id, Then::Nothing, false),
            (ADD, None) => self.add(message, out)?,
            (ADD, Some(_)) => return Err("a buffer of more than one plane".into()),
            // Its answer would be an object with a number of the compositor's.
            (CREATE, _) => {
                if plane.is_some() {
                    put_words(out, id, POOL_DESTROY, &[]);
                    if let Some(object) = self.objects.get_mut(&id) {
                        object.kind = Kind::Params(None);
                        object.releases += 1;
                    }
                }
                self.sync(out, id, Then::Refuse, true);
            }
            (CREATE_IMMED, Some(plane)) => self.create(message, plane, out)?,
            (CREATE_IMMED, None) => return Err("a buffer without a plane".into()),
            (other, _) => return Err(format!("a buffer's parameters have no request {other}")),
        }
        Ok(())
    }

    /// A buffer's descriptor: one of a pool, whose size is only known later.
    fn add(&mut self, message: Message<'_>, out: &mut Vec<u8>) -> Result<(), String> {
        const CREATE_POOL: u16 = 0;
        let [plane, offset, stride, high, low] = message.words()?;
        let modifier = u64::from(high) << 32 | u64::from(low);
        if plane != 0 {
            return Err("a buffer of more than one plane".into());
        }
        if ![LINEAR, IMPLICIT].contains(&modifier) {
            return Err(format!(
                "a buffer that is laid out by the modifier {modifier:#x}"
            ));
        }
        let shm = self
            .objects
            .iter()
            .find(|(_, object)| matches!(object.kind, Kind::Dmabuf(_)));
        let shm = shm.map(|(id, _)| *id).ok_or("no dma-buf interface")?;
        let size = pool_size(offset, stride, 1)?;
        put_words(out, shm, CREATE_POOL, &[message.object, size]);
        let file = self.files.pop_front();
        if let Some(object) = self.objects.get_mut(&message.object) {
            object.kind = Kind::Params(Some(Plane {
                file,
                offset,
                stride,
            }));
        }
        Ok(())
    }

    /// A buffer: a part of its pool.
    fn create(
        &mut self,
        message: Message<'_>,
        plane: Plane,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        const POOL_CREATE_BUFFER: u16 = 0;
        const POOL_RESIZE: u16 = 2;
        let [id, width, height, format, flags] = message.words()?;
        if flags != 0 {
            return Err(format!("a buffer with the flags {flags:#x}"));
        }
        let Plane {
            file,
            offset,
            stride,
        } = plane;
        put_words(
            out,
            message.object,
            POOL_RESIZE,
            &[pool_size(offset, stride, height)?],
        );
        let args = [id, offset, width, height, stride, shm_format(format)];
        put_words(out, message.object, POOL_CREATE_BUFFER, &args);
        let format = match format {
            ARGB8888 | XRGB8888 => "X8R8G8B8",
            RGB565 => "R5G6B5",
            _ => return Ok(()),
        };
        if let Some(file) = file {
            let frame = Frame {
                file,
                offset,
                pitch: stride,
                width,
                height,
                format,
            };
            self.enter(id, Kind::Buffer(frame))?;
        }
        Ok(())
    }

    fn surface(&mut self, message: Message<'_>) -> Result<Action, String> {
        const ATTACH: u16 = 1;
        const COMMIT: u16 = 6;
        let Some(object) = self.objects.get_mut(&message.object) else {
            return Ok(Action::None);
        };
        let Kind::Surface { attached } = &mut object.kind else {
            return Ok(Action::None);
        };
        match message.opcode {
            ATTACH => {
                let [buffer, _, _] = message.words()?;
                *attached = Some(buffer);
            }
            COMMIT => {
                let buffer = attached.take().and_then(|id| self.objects.get(&id));
                if let Some(Object {
                    kind: Kind::Buffer(frame),
                    ..
                }) = buffer
                {
                    return Ok(Action::Shown(*frame));
                }
            }
            _ => {}
        }
        Ok(Action::None)
    }
}

/// Bytes of a pool that so many rows need, in a number that has a sign.
fn pool_size(offset: u32, stride: u32, rows: u32) -> Result<u32, String> {
    let size = u64::from(stride) * u64::from(rows) + u64::from(offset);
    match i32::try_from(size) {
        Ok(size) if size > 0 => Ok(size as u32),
        _ => Err(format!("a buffer of {size} bytes")),
    }
}

/// The number that `wl_shm` has for a format, and the other way round.
fn shm_format(format: u32) -> u32 {
    match format {
        ARGB8888 => 0,
        XRGB8888 => 1,
        other => other,
    }
}

/// See above.
pub(super) fn drm_format(format: u32) -> u32 {
    match format {
        0 => ARGB8888,
        1 => XRGB8888,
        other => other,
    }
}
