//! The vertex engine: XF transforms (fixed function and programs), LT lights.
//!
//! Vertices go through in batches of [`xf::LANES`]. Every step of a batch is a function of
//! its own that is compiled once per vector level; what the steps hand to each other lies
//! in memory between them.

pub mod lt;
pub mod xf;

pub use isotherm_regs::{Chip, Family};
