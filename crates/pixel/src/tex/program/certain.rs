//! Levels that footprints choose without a logarithm.
//!
//! Between two squared lengths, which are found once when a draw starts, the choice is
//! certain, and no second level takes part: pixels only have to be compared with them.

use super::lod::Choice;
use super::unit::ProgramUnit;
use crate::tex::unit::Mip;
use isotherm_lanes::{LANES, Simd};

/// Ranges that are known: magnification, and a range for each level.
const RANGES: usize = 18;

/// By how much the bounds are narrower than the ranges: more than the logarithm's series errs.
const SLACK: f64 = 1.0 / 32768.0;

/// A range of squared lengths, and what it chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    bounds: [f32; 2],
    choice: Choice,
}

/// The ranges of a unit and its image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Certain {
    ranges: [Range; RANGES],
    bias: i32,
}

/// The smallest level of detail of a range but the first: 1, then halfway between two levels.
fn start(range: usize) -> i32 {
    if range == 1 {
        1
    } else {
        256 * range as i32 - 384
    }
}

impl Certain {
    /// Of an image whose last level is `last`.
    pub(super) fn new(unit: &ProgramUnit, last: usize) -> Certain {
        let at = |lod: i32, slack: f64| {
            ((f64::from(lod - unit.lod_bias) / 128.0).exp2() * (1.0 + slack)) as f32
        };
        let range = |i: usize| {
            let first = if i == 0 { i32::MIN / 2 } else { start(i) };
            let end = start(i + 1);
            let choice = unit.choose(first, last);
            let low = if i == 0 { 0.0 } else { at(first, SLACK) };
            let mut bounds = [low, at(end, -SLACK).min(f32::MAX)];
            // Between levels that are mixed, the share is another at each length.
            let mixes = unit.mip == Mip::Linear && i > 0 || choice.next != 0;
            if mixes || unit.choose(end - 1, last) != choice {
                bounds = [1.0, 0.0];
            }
            Range { bounds, choice }
        };
        Certain {
            ranges: std::array::from_fn(range),
            bias: unit.lod_bias,
        }
    }

    /// What all of these squared lengths choose, if it is the same for all and certain.
    #[inline(always)]
    pub(super) fn choice<S: Simd>(&self, rho2: S::F) -> Option<Choice> {
        let mut each = [0.0; LANES];
        S::store(rho2, &mut each);
        // The exponent and the first bits of the fraction are nearly the logarithm.
        let near = (each[0].to_bits().cast_signed() >> 16) - (0x3f80_0000 >> 16);
        let near = near.wrapping_add(self.bias);
        let range = if near <= 0 {
            0
        } else {
            (near + 384) as usize >> 8
        };
        let Range { bounds, choice } = &self.ranges[range.min(RANGES - 1)];
        let low = S::bits(S::le(S::splat(bounds[0]), rho2));
        let high = S::bits(S::le(rho2, S::splat(bounds[1])));
        (low & high == 0xffff).then_some(*choice)
    }
}
