//! Every state word of NVIDIA Celsius, Kelvin, Rankine and Curie and of ARM's
//! Mali-400, declared once.
//!
//! A bit position is written in exactly one place, here. Decoding, encoding,
//! explaining, the emulator and the reference pages all read the same
//! declaration.

pub mod bundle;
pub mod chip;

pub use chip::{Chip, Family};
