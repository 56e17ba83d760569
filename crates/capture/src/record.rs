//! The records of a capture.

use super::Surface;
use super::read::Problem;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::context::Context;
use isotherm_bus::memory::GART;
use isotherm_bus::objects::{Object, Objects};
use serde::Deserialize;
use serde_json::json;

/// One record, with where it begins in the decompressed file.
#[derive(Debug)]
pub struct Record<'a> {
    /// Offset of its tag in the decompressed file.
    pub offset: u64,
    /// What it says.
    pub payload: Payload<'a>,
}

/// What a record says.
#[derive(Debug)]
pub enum Payload<'a> {
    /// `INFO`: what this is a capture of. Always first.
    Info(Info),
    /// `OBJ `: an object is reachable by its handle from now on.
    Object(ObjectRecord),
    /// `MEM `: the CPU wrote these bytes.
    Memory {
        /// Address of the first byte.
        addr: u32,
        /// The bytes.
        bytes: &'a [u8],
    },
    /// `COPY`: the CPU copied memory that the GPU had rendered.
    Copy {
        /// Where to.
        dst: u32,
        /// Where from.
        src: u32,
        /// How many bytes.
        len: u32,
    },
    /// `PUSH`: words as the DMA pusher fetched them.
    Push(&'a [u32]),
    /// `REG `: the CPU wrote a register.
    Register {
        /// Address of the register.
        addr: u32,
        /// The word.
        value: u32,
    },
    /// `GP  `: a vertex job of a Mali.
    Gp(Job<'a>),
    /// `PP  `: a fragment job of a Mali.
    Pp(Job<'a>),
    /// `SURF`: a surface is to be looked at now.
    Surface(Box<Surface>),
    /// `CTX `: everything the chip remembers, to be put back now.
    Context(Box<Context>),
    /// A record of a kind that this version does not know.
    Unknown {
        /// Its tag.
        tag: [u8; 4],
        /// Length of the payload that was skipped.
        len: u32,
    },
}

/// `INFO`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Info {
    /// The chip, as `nv2a` or `mali400`.
    pub gpu: String,
    /// Test suite.
    pub suite: String,
    /// Test within the suite.
    pub test: String,
    /// Program that was captured.
    pub program: String,
    /// Where the commands come from.
    pub source: String,
    /// Version of the format; absent means 1.
    pub version: Option<u32>,
}

/// A job of a Mali: the frame structure as the kernel gets it.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// A description of the job, JSON.
    pub json: &'a str,
    /// The words of the frame structure.
    pub frame: &'a [u32],
}

/// `OBJ `. NV2A captures describe instance memory, driver streams what the driver asked
/// the kernel for.
#[derive(Clone, Debug)]
pub enum ObjectRecord {
    /// An object with its words in instance memory.
    Instance(Object),
    /// The channel: handles of the two objects that cover all VRAM and all GART.
    Channel {
        /// Handle of the object over VRAM.
        vram: u32,
        /// Handle of the object over GART.
        gart: u32,
    },
    /// A graphics object.
    Graphics {
        /// Its handle.
        handle: u32,
        /// Its class.
        class: u32,
    },
    /// A notifier in GART.
    Notifier {
        /// Its handle.
        handle: u32,
        /// Its offset in GART.
        offset: u32,
        /// Its size in bytes.
        size: u32,
    },
    /// A buffer; for people who read, the GPU needs only addresses.
    Buffer,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ObjectJson {
    r#type: Option<String>,
    kind: Option<String>,
    handle: u32,
    class: u32,
    base: u32,
    limit: u32,
    instance: u32,
    raw: Vec<u32>,
    vram_ctxdma: u32,
    gart_ctxdma: u32,
    gart_offset: u32,
    size: u32,
}

/// An object with its words in instance memory, as JSON.
pub fn object_json(object: &Object) -> serde_json::Value {
    json!({
        "handle": object.handle,
        "kind": if object.is_dma() { "dma" } else { "graphics" },
        "class": object.class,
        "base": object.span.base,
        "limit": object.span.limit,
        "instance": object.instance,
        "raw": object.raw,
    })
}

/// The DMA object in memory, as its kind is called in instance memory.
const DMA_IN_MEMORY: u32 = 0x3D;

impl ObjectRecord {
    pub(super) fn parse(json: &[u8]) -> Result<ObjectRecord, Problem> {
        let j: ObjectJson = serde_json::from_slice(json).map_err(Problem::json)?;
        Ok(match (j.kind.as_deref(), j.r#type.as_deref()) {
            (Some(_), _) => {
                let mut raw = [0; 4];
                raw.iter_mut()
                    .zip(&j.raw)
                    .for_each(|(to, from)| *to = *from);
                let span = DmaSpan {
                    base: j.base,
                    limit: j.limit,
                };
                ObjectRecord::Instance(Object {
                    handle: j.handle,
                    instance: j.instance,
                    class: j.class,
                    raw,
                    span,
                })
            }
            (None, Some("channel")) => ObjectRecord::Channel {
                vram: j.vram_ctxdma,
                gart: j.gart_ctxdma,
            },
            (None, Some("object")) => ObjectRecord::Graphics {
                handle: j.handle,
                class: j.class,
            },
            (None, Some("notifier")) => ObjectRecord::Notifier {
                handle: j.handle,
                offset: j.gart_offset,
                size: j.size,
            },
            (None, Some("bo")) => ObjectRecord::Buffer,
            _ => return Err(Problem::Object),
        })
    }

    /// The record's JSON.
    pub fn json(&self) -> serde_json::Value {
        match *self {
            ObjectRecord::Instance(object) => object_json(&object),
            ObjectRecord::Channel { vram, gart } => {
                json!({ "type": "channel", "vram_ctxdma": vram, "gart_ctxdma": gart })
            }
            ObjectRecord::Graphics { handle, class } => {
                json!({ "type": "object", "handle": handle, "class": class })
            }
            ObjectRecord::Notifier {
                handle,
                offset,
                size,
            } => json!({
                "type": "notifier", "handle": handle, "gart_offset": offset, "size": size,
            }),
            ObjectRecord::Buffer => json!({ "type": "bo" }),
        }
    }

    /// Enters what the record says into the table.
    pub fn apply(&self, objects: &mut Objects) {
        let mut dma = |handle: u32, base: u32, limit: u32| {
            objects.insert(Object {
                handle,
                instance: objects.fresh_instance(),
                class: DMA_IN_MEMORY,
                // Page table present, linear, in VRAM or on the bus: the words the kernel
                // driver writes for objects that cover a whole aperture.
                raw: [
                    DMA_IN_MEMORY | 0x3000 | (base >> 31) << 17,
                    limit,
                    (base & !GART & !0xFFF) | 2,
                    0,
                ],
                span: DmaSpan { base, limit },
            });
        };
        match *self {
            ObjectRecord::Instance(object) => {
                objects.insert(object);
            }
            ObjectRecord::Channel { vram, gart } => {
                dma(vram, 0, 0x7FFF_FFFF);
                dma(gart, GART, 0x7FFF_FFFF);
            }
            ObjectRecord::Notifier {
                handle,
                offset,
                size,
            } => {
                dma(handle, GART | offset, size.saturating_sub(1));
            }
            ObjectRecord::Graphics { handle, class } => {
                let instance = objects.fresh_instance();
                objects.insert(Object {
                    handle,
                    instance,
                    class,
                    raw: [class, 0, 0, 0],
                    span: DmaSpan::default(),
                });
            }
            ObjectRecord::Buffer => {}
        }
    }
}
