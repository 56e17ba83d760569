//! Levels of detail, eight fraction bits.

use super::Lookup;
use super::unit::{MAG, MIN, ProgramUnit};
use crate::tex::lod::half_log2_8;
use crate::tex::sample::to_fixed;
use crate::tex::unit::Mip;
use isotherm_lanes::Simd;

/// A level that an instruction asks for is not further away than this.
const FARTHEST: i32 = 1 << 20;

/// What a level of detail chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub level: usize,
    /// The filter within the level is linear.
    pub linear: bool,
    /// Share of the next level in 256ths.
    pub next: u32,
}

/// The same for sixteen pixels.
pub(super) struct Choices<I> {
    /// Level, and in the lowest bit the filter.
    pub keys: I,
    /// Shares of the next level in 256ths.
    pub shares: I,
}

impl<I> Choices<I> {
    /// Level and filter of a key.
    #[inline(always)]
    pub(super) fn parts(key: u32) -> (usize, bool) {
        ((key >> 1) as usize, key & 1 != 0)
    }
}

impl ProgramUnit {
    /// From the squared length of the longer derivative in texels of level 0.
    pub(super) fn lod_of(&self, rho2: f32) -> i32 {
        half_log2_8(rho2) + self.lod_bias
    }

    /// Which level and filter. Whether a footprint magnifies is asked behind the limits: NV34
    /// and NV43 boards magnify everything where both are 0 (docs/accuracy/tex.md).
    pub(super) fn choose(&self, lod: i32, last: usize) -> Choice {
        let [low, high] = self.lod_range;
        let asked = lod.max(low).min(high.max(low));
        let limited = asked.min((last as i32) << 8);
        let magnify = asked <= 0;
        let level = match self.mip {
            Mip::Base => 0,
            Mip::Linear if !magnify => limited >> 8,
            _ => (limited + 128) >> 8,
        };
        Choice {
            level: level as usize,
            linear: self.linear[if magnify { MAG } else { MIN }],
            next: match self.mip {
                Mip::Linear if !magnify => limited as u32 & 255,
                _ => 0,
            },
        }
    }

    /// [`ProgramUnit::choose`] of each lane.
    #[inline(always)]
    pub(super) fn choices<S: Simd>(&self, lod: S::I, last: i32) -> Choices<S::I> {
        let [low, high] = self.lod_range;
        let zero = S::isplat(0);
        let asked = S::imin(S::imax(lod, S::isplat(low)), S::isplat(high.max(low)));
        let limited = S::imin(asked, S::isplat(last << 8));
        let minify = S::igt(asked, zero);
        let nearest = S::sar::<8>(S::iadd(limited, S::isplat(128)));
        let (level, shares) = match self.mip {
            Mip::Base => (zero, zero),
            Mip::Nearest => (nearest, zero),
            Mip::Linear => (
                S::iselect(minify, S::sar::<8>(limited), nearest),
                S::iselect(minify, S::iand(limited, S::isplat(255)), zero),
            ),
        };
        let (mag, min) = (
            S::isplat(self.linear[MAG].into()),
            S::isplat(self.linear[MIN].into()),
        );
        Choices {
            keys: S::ior(S::shl::<1>(level), S::iselect(minify, min, mag)),
            shares,
        }
    }

    /// Squared lengths of the longer derivatives of a flat image in texels of level 0. Flat images
    /// have two axes at most.
    #[inline(always)]
    pub(super) fn footprints<S: Simd>(&self, coords: &[S::F; 4], lookup: &Lookup<S::F>) -> S::F {
        let [mut x, mut y] = self.squares::<S>(coords, lookup, 0);
        if self.source.dims > 1 {
            let [u, v] = self.squares::<S>(coords, lookup, 1);
            (x, y) = (S::add(x, u), S::add(y, v));
        }
        S::select(S::lt(y, x), x, y)
    }

    /// The squares of axis `k`'s derivatives. Halves of scales are halves of products, but where
    /// those are so small that their squares are zero.
    #[inline(always)]
    fn squares<S: Simd>(&self, coords: &[S::F; 4], lookup: &Lookup<S::F>, k: usize) -> [S::F; 2] {
        let (x, y, scale) = match lookup {
            Lookup::Gradients { dx, dy } => (dx[k], dy[k], self.scales[k]),
            _ => {
                let [x, y] = twice_slopes::<S>(coords[k]);
                (x, y, 0.5 * self.scales[k])
            }
        };
        let scale = S::splat(scale);
        let (x, y) = (S::mul(x, scale), S::mul(y, scale));
        [S::mul(x, x), S::mul(y, y)]
    }

    /// Levels of detail of a flat image whose footprints have these squared lengths.
    #[inline(always)]
    pub(super) fn lods<S: Simd>(&self, rho2: S::F, lookup: &Lookup<S::F>) -> S::I {
        if let Lookup::Explicit(level) = lookup {
            return S::iadd(fixed_lanes::<S>(*level), S::isplat(self.lod_bias));
        }
        let lod = S::iadd(half_log2::<S>(rho2), S::isplat(self.lod_bias));
        match lookup {
            Lookup::Bias(bias) => S::iadd(lod, fixed_lanes::<S>(*bias)),
            _ => lod,
        }
    }
}

/// Differences within quads, the sums of two: across, down.
#[inline(always)]
fn twice_slopes<S: Simd>(x: S::F) -> [S::F; 2] {
    let (a, b) = (S::pick::<0>(x), S::pick::<1>(x));
    let (c, d) = (S::pick::<2>(x), S::pick::<3>(x));
    let across = S::add(S::sub(b, a), S::sub(d, c));
    let down = S::add(S::sub(c, a), S::sub(d, b));
    [across, down]
}

/// A level or a bias that an instruction gives.
pub(super) fn fixed(x: f32) -> i32 {
    to_fixed(x * 256.0).clamp(-FARTHEST, FARTHEST)
}

#[inline(always)]
fn fixed_lanes<S: Simd>(x: S::F) -> S::I {
    let most = FARTHEST as f32;
    let x = S::floor(S::mul(x, S::splat(256.0)));
    let x = S::select(S::eq(x, x), x, S::splat(0.0));
    S::int(S::min(S::max(x, S::splat(-most)), S::splat(most)))
}

/// [`half_log2_8`] of each lane, the same steps.
#[inline(always)]
fn half_log2<S: Simd>(x: S::F) -> S::I {
    let bits = S::to_bits(x);
    let e = S::sar::<23>(S::isub(bits, S::isplat(0x3f35_04f3)));
    let m = S::from_bits(S::isub(bits, S::shl::<23>(e)));
    let one = S::splat(1.0);
    let t = S::div(S::sub(m, one), S::add(m, one));
    let t2 = S::mul(t, t);
    let p = S::add(S::splat(0.577_078), S::mul(t2, S::splat(0.412_198_6)));
    let p = S::add(S::splat(0.961_796_7), S::mul(t2, p));
    let p = S::add(S::splat(2.885_39), S::mul(t2, p));
    let series = S::floor(S::mul(S::mul(t, p), S::splat(128.0)));
    let v = S::iadd(S::shl::<7>(e), S::int(series));
    S::iselect(S::lt(S::splat(0.0), x), v, S::isplat(i32::MIN / 2))
}
