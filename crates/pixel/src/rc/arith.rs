//! The integer arithmetic of the combiners, lane by lane.
//!
//! Evidence: the Combiner, Fog and Texture_signed_component goldens; see
//! docs/accuracy/rc.md.

use super::words::{Map, Op};
use crate::frag::{I, LANES};

/// Applies a scalar function to every lane.
#[inline(always)]
pub fn map1(a: &I, f: impl Fn(i32) -> i32) -> I {
    let mut out = [0; LANES];
    for i in 0..LANES {
        out[i] = f(a[i]);
    }
    out
}

/// Applies a scalar function to every pair of lanes.
#[inline(always)]
pub fn map2(a: &I, b: &I, f: impl Fn(i32, i32) -> i32) -> I {
    let mut out = [0; LANES];
    for i in 0..LANES {
        out[i] = f(a[i], b[i]);
    }
    out
}

/// One input mapping.
#[inline(always)]
pub fn input(x: &I, map: Map) -> I {
    match map {
        Map::UnsignedIdentity => map1(x, |v| v.max(0)),
        Map::UnsignedInvert => map1(x, |v| 255 - v.clamp(0, 255)),
        // No golden uses the next four; the formulas are the extension's with
        // 1.0 = 255, and 0.5 = 128 as the output bias has it.
        Map::ExpandNormal => map1(x, |v| 2 * v.max(0) - 255),
        Map::ExpandNegate => map1(x, |v| 255 - 2 * v.max(0)),
        Map::HalfBiasNormal => map1(x, |v| v.max(0) - 128),
        Map::HalfBiasNegate => map1(x, |v| 128 - v.max(0)),
        Map::SignedIdentity => *x,
        Map::SignedNegate => map1(x, |v| -v),
    }
}

/// The output operation and the clamp of the register write.
#[inline(always)]
pub fn output(x: &I, op: Op) -> I {
    match op {
        Op::Identity => map1(x, |v| v.clamp(-255, 255)),
        Op::Bias => map1(x, |v| (v - 128).clamp(-255, 255)),
        Op::ShiftLeft1 => map1(x, |v| (v * 2).clamp(-255, 255)),
        Op::ShiftLeft1Bias => map1(x, |v| ((v - 128) * 2).clamp(-255, 255)),
        Op::ShiftLeft2 => map1(x, |v| (v * 4).clamp(-255, 255)),
        // Round half up, proven for positive values (25 -> 13, 255 -> 128).
        Op::ShiftRight1 => map1(x, |v| ((v + 1) >> 1).clamp(-255, 255)),
    }
}
