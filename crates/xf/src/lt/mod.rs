//! LT: the lighting engine (NV10 to NV3x), in 22-bit floating point.

pub mod arith;
mod celsius;
mod constants;
mod light;
mod vector;

/// Vertices per step: LT's numbers are words, of which a register holds twice as many as of XF's
/// doubles. (Celsius' lighting goes along with its XF.)
pub(crate) const LANES: usize = 2 * crate::xf::LANES;

pub(crate) use celsius::{CelsiusIn, bypass as celsius_bypass, full as celsius_full};
pub(crate) use constants::Constants;
pub(crate) use light::{Factors, LocalLight, ToLt, light, point_size};
