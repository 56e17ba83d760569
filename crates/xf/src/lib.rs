//! The vertex engine: XF transforms (fixed function and programs), LT lights.
//!
//! A crate of its own because its arithmetic is compiled once per level of vector
//! instructions, which takes longer than the rest of the chip together.

pub mod lt;
pub mod xf;

pub use isotherm_regs::{Chip, Family};
