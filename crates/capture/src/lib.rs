//! The capture format: everything a CPU sent to a GPU, in time order.
//!
//! A capture is zstd around the magic `GPUCAP01` and records of a four-letter tag, a
//! length and a payload, all little-endian. `docs/capture-format.md` specifies it.

mod compression;
mod owned;
mod read;
mod record;
mod surface;
mod write;

pub use compression::unpacked;
pub use owned::{Owned, read_all};
pub use read::{Error, Limits, Problem, Reader};
pub use record::{Info, Job, ObjectRecord, Payload, Record, object_json};
pub use surface::{Image, Surface};
pub use write::{Push, Writer};

/// The first eight bytes of a capture, inside the compression.
pub const MAGIC: [u8; 8] = *b"GPUCAP01";
