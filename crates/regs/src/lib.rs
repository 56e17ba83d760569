//! Every state word of NVIDIA Celsius, Kelvin, Rankine and Curie and of ARM's
//! Mali-400, declared once.
//!
//! A bit position is written in exactly one place, here. Decoding, encoding,
//! explaining, the emulator and the reference pages all read the same
//! declaration.
//!
//! ```
//! use isotherm_regs::{Chip, bundle::{RASTER, CULL_FACE}};
//! let word = 0x2060_0084;
//! assert_eq!(RASTER::CULL_FACE.get(Chip::Nv25, word), CULL_FACE::FRONT_AND_BACK);
//! ```

pub mod alias;
pub mod bundle;
pub mod chip;
mod class;
pub mod convert;
pub mod dump;
pub mod errata;
pub mod explain;
pub mod field;
pub mod find;
pub mod fp;
pub mod mali;
pub mod markdown;
pub mod method;
pub mod pgraph;
pub mod record;
pub mod stream;
pub mod text;
pub mod word;
pub mod xf;

pub use chip::{Chip, Family};
pub use class::Class3d;
pub use field::{Field, Kind};
pub use word::Word;
