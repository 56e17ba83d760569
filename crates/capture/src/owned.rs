//! A capture in memory, for those who go through it more than once.

use super::record::{Info, Job, ObjectRecord, Payload, Record};
use super::{Error, Problem, Reader, Surface, Writer};
use isotherm_bus::context::Context;
use std::io::{self, Write};

/// A record that owns its data.
#[derive(Clone, Debug)]
pub struct Owned {
    /// Offset of its tag in the decompressed file.
    pub offset: u64,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Info(Info),
    Object(ObjectRecord),
    Memory(u32, Box<[u8]>),
    Copy(u32, u32, u32),
    Push(Box<[u32]>),
    Register(u32, u32),
    Gp(Box<str>, Box<[u32]>),
    Pp(Box<str>, Box<[u32]>),
    Surface(Box<Surface>),
    Context(Box<Context>),
    Unknown([u8; 4], u32),
}

impl Owned {
    /// Copies a record.
    pub fn new(record: Record<'_>) -> Owned {
        let kind = match record.payload {
            Payload::Info(info) => Kind::Info(info),
            Payload::Object(object) => Kind::Object(object),
            Payload::Memory { addr, bytes } => Kind::Memory(addr, bytes.into()),
            Payload::Copy { dst, src, len } => Kind::Copy(dst, src, len),
            Payload::Push(words) => Kind::Push(words.into()),
            Payload::Register { addr, value } => Kind::Register(addr, value),
            Payload::Gp(job) => Kind::Gp(job.json.into(), job.frame.into()),
            Payload::Pp(job) => Kind::Pp(job.json.into(), job.frame.into()),
            Payload::Surface(surface) => Kind::Surface(surface),
            Payload::Context(context) => Kind::Context(context),
            Payload::Unknown { tag, len } => Kind::Unknown(tag, len),
        };
        Owned {
            offset: record.offset,
            kind,
        }
    }

    /// The record again.
    pub fn record(&self) -> Record<'_> {
        let payload = match &self.kind {
            Kind::Info(info) => Payload::Info(info.clone()),
            Kind::Object(object) => Payload::Object(object.clone()),
            Kind::Memory(addr, bytes) => Payload::Memory { addr: *addr, bytes },
            Kind::Copy(dst, src, len) => Payload::Copy {
                dst: *dst,
                src: *src,
                len: *len,
            },
            Kind::Push(words) => Payload::Push(words),
            Kind::Register(addr, value) => Payload::Register {
                addr: *addr,
                value: *value,
            },
            Kind::Gp(json, frame) => Payload::Gp(Job { json, frame }),
            Kind::Pp(json, frame) => Payload::Pp(Job { json, frame }),
            Kind::Surface(surface) => Payload::Surface(surface.clone()),
            Kind::Context(context) => Payload::Context(context.clone()),
            Kind::Unknown(tag, len) => Payload::Unknown {
                tag: *tag,
                len: *len,
            },
        };
        Record {
            offset: self.offset,
            payload,
        }
    }

    /// Writes the record into another capture; one of unknown kind cannot be written.
    pub fn write<W: Write>(&self, writer: &mut Writer<W>) -> io::Result<()> {
        match &self.kind {
            Kind::Info(_) | Kind::Unknown(..) => Ok(()),
            Kind::Object(object) => writer.object(&object.json()),
            Kind::Memory(addr, bytes) => writer.memory(*addr, bytes),
            Kind::Copy(dst, src, len) => writer.copy(*dst, *src, *len),
            Kind::Push(words) => writer.push(words),
            Kind::Register(addr, value) => writer.register(*addr, *value),
            Kind::Gp(json, frame) => writer.job(b"GP  ", json, frame),
            Kind::Pp(json, frame) => writer.job(b"PP  ", json, frame),
            Kind::Surface(surface) => writer.surface(&serde_json::to_value(surface)?),
            Kind::Context(context) => writer.context(context),
        }
    }

    /// Is it a `SURF`?
    pub fn is_surface(&self) -> bool {
        matches!(self.kind, Kind::Surface(_))
    }

    /// The surface of a `SURF`.
    pub fn surface(&self) -> Option<&Surface> {
        match &self.kind {
            Kind::Surface(surface) => Some(surface),
            _ => None,
        }
    }

    /// Words of a `PUSH`.
    pub fn push_words(&self) -> Option<&[u32]> {
        match &self.kind {
            Kind::Push(words) => Some(words),
            _ => None,
        }
    }
}

/// All records of a capture that are left, up to the reader's [`Limits::kept`](crate::Limits).
pub fn read_all(reader: &mut Reader<'_>) -> Result<Vec<Owned>, Error> {
    let limit = reader.limits().kept;
    let mut kept = 0;
    let mut records = Vec::new();
    while let Some(record) = reader.next_record()? {
        kept += bulk(&record.payload);
        if kept > limit {
            return Err(Error {
                offset: record.offset,
                problem: Problem::TooMuchToKeep(limit),
            });
        }
        records.push(Owned::new(record));
    }
    Ok(records)
}

/// Bytes that keeping a record takes, as far as a file can make them many.
fn bulk(payload: &Payload<'_>) -> u64 {
    let bytes = match payload {
        Payload::Memory { bytes, .. } => bytes.len(),
        Payload::Push(words) => size_of_val(*words),
        Payload::Gp(job) | Payload::Pp(job) => size_of_val(job.frame) + job.json.len(),
        _ => 0,
    };
    (bytes + size_of::<Owned>()) as u64
}
