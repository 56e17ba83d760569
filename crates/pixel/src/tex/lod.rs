//! Footprint, level of detail, anisotropy.
//!
//! One footprint per 2x2 quad: the mean of the two rows' differences, the mean of
//! the two columns' (Texture_border/Cube_BorderTex). Where the quad spans faces of a
//! cube map, each lane sees the others on its own face.

use super::num::half_up;
use super::sample::{Coords, face_coords};
use super::unit::{Mip, Unit};
use crate::frag::{F, I, LANES};

/// A fragment's footprint on level 0 of an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Length of the longer derivative, in texels per pixel.
    pub major: f32,
    /// Length of the shorter one.
    pub minor: f32,
    /// The longer derivative as a vector in coordinate units.
    pub axis: [f32; 3],
}

/// Mean differences of one coordinate: along x, along y.
#[inline(always)]
fn slopes(c: &F) -> [F; 2] {
    let (mut dx, mut dy) = ([0.0; LANES], [0.0; LANES]);
    for quad in 0..LANES / 4 {
        let k = 2 * quad;
        let (a, b, c, d) = (c[k], c[k + 1], c[k + 8], c[k + 9]);
        let x = ((b - a) + (d - c)) * 0.5;
        let y = ((c - a) + (d - b)) * 0.5;
        for lane in [k, k + 1, k + 8, k + 9] {
            dx[lane] = x;
            dy[lane] = y;
        }
    }
    [dx, dy]
}

/// Mean differences of all coordinates: axis, direction, lane.
#[inline(always)]
fn gradients(c: &Coords) -> [[F; 2]; 3] {
    let mut d = [slopes(&c.u), slopes(&c.v), slopes(&c.p)];
    if let Some(xyz) = &c.vectors {
        across_edges(c, xyz, &mut d);
    }
    d
}

/// Repairs the differences of quads whose lanes lie on different faces.
fn across_edges(c: &Coords, xyz: &[F; 3], d: &mut [[F; 2]; 3]) {
    for i in 0..LANES {
        let k = i & !9;
        let quad = [k, k + 1, k + 8, k + 9];
        let face = c.face[i];
        if quad.iter().all(|&l| c.face[l] == face) {
            continue;
        }
        let on = |l: usize| {
            let [s, t] = face_coords(face, [xyz[0][l], xyz[1][l], xyz[2][l]]);
            [half_up(s), half_up(-t)]
        };
        let p = quad.map(on);
        for axis in 0..2 {
            let [a, b, c, e] = p.map(|p| p[axis]);
            d[axis][0][i] = ((b - a) + (e - c)) * 0.5;
            d[axis][1][i] = ((c - a) + (e - b)) * 0.5;
        }
    }
}

/// Texels per unit of each coordinate, 0 for axes that do not count.
#[inline(always)]
fn scales(unit: &Unit, c: &Coords) -> [f32; 3] {
    let mut scale: [f32; 3] = if unit.control.rect {
        [1.0; 3]
    } else {
        unit.data.size.map(|s| s as f32)
    };
    if !c.three || unit.control.dims < 3 {
        scale[2] = 0.0;
    }
    scale
}

/// Squared lengths of the two derivatives in texels, per lane. The norm is
/// Euclidean.
#[inline(always)]
fn squares(unit: &Unit, c: &Coords) -> [F; 2] {
    let scale = scales(unit, c);
    let d = gradients(c);
    let mut out = [[0.0; LANES]; 2];
    for axis in 0..3 {
        if scale[axis] == 0.0 {
            continue;
        }
        for k in 0..2 {
            for i in 0..LANES {
                let t = d[axis][k][i] * scale[axis];
                out[k][i] += t * t;
            }
        }
    }
    out
}

/// The level of detail of every lane with its bias, 8 fraction bits.
#[inline(always)]
pub fn lods(unit: &Unit, c: &Coords) -> I {
    let [x, y] = squares(unit, c);
    let mut out = [0; LANES];
    for i in 0..LANES {
        let rho2 = if x[i] > y[i] { x[i] } else { y[i] };
        out[i] = half_log2_8(rho2).saturating_add(unit.data.lod_bias);
    }
    out
}

/// Texels per unit of the coordinates of a plain 2D image.
#[inline(always)]
pub fn extent(unit: &Unit) -> [f32; 2] {
    if unit.control.rect {
        [1.0; 2]
    } else {
        [unit.data.size[0] as f32, unit.data.size[1] as f32]
    }
}

/// Squared lengths of the longer derivative on a plain 2D image, one value per
/// column of the block: both lanes of a column belong to the same quad.
#[inline(always)]
pub fn of_quads(unit: &Unit, u: &F, v: &F) -> [f32; LANES / 2] {
    let [w, h] = extent(unit);
    let (ux, uy) = columns(u, w);
    let (vx, vy) = columns(v, h);
    let mut out = [0.0; LANES / 2];
    for i in 0..LANES / 2 {
        let (x, y) = (ux[i] + vx[i], uy[i] + vy[i]);
        out[i] = if x > y { x } else { y };
    }
    out
}

/// Squared mean differences of a coordinate along x and along y, in texels.
#[inline(always)]
fn columns(c: &F, scale: f32) -> ([f32; LANES / 2], [f32; LANES / 2]) {
    let (mut dx, mut dy) = ([0.0; LANES / 2], [0.0; LANES / 2]);
    for i in 0..LANES / 2 {
        let k = i & !1;
        let (a, b, c, d) = (c[k], c[k + 1], c[k + 8], c[k + 9]);
        let x = ((b - a) + (d - c)) * 0.5 * scale;
        let y = ((c - a) + (d - b)) * 0.5 * scale;
        dx[i] = x * x;
        dy[i] = y * y;
    }
    (dx, dy)
}

/// The level of lanes that magnify: level 0 with the magnification filter.
pub const MAGNIFY: i32 = -1;

/// The level that a level of detail chooses, the lower one of two.
#[inline(always)]
pub fn level(unit: &Unit, lod: i32) -> i32 {
    if lod <= 0 {
        return MAGNIFY;
    }
    let limited = limit(unit, lod);
    match unit.control.mip {
        Mip::Base => 0,
        Mip::Nearest => ((limited + 128) >> 8).min(unit.data.last_level),
        Mip::Linear => limited >> 8,
    }
}

/// Levels that [`CertainLevels`] knows of.
pub const LEVELS: usize = 16;

/// For each level, magnification first: bits of the squared lengths between which
/// the choice is certain without a logarithm, and no second level takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertainLevels([[u32; 2]; LEVELS]);

impl CertainLevels {
    /// Nothing is certain.
    pub const NEVER: CertainLevels = CertainLevels([[1, 0]; LEVELS]);

    /// From a unit's words.
    pub fn new(unit: &Unit) -> CertainLevels {
        let mut certain = CertainLevels::NEVER;
        if !unit.control.needs_lod() {
            return certain;
        }
        // 2^(lod / 128), a little more or less than the series of the logarithm errs.
        let at = |lod: i32, slack: f64| {
            let x = (f64::from(lod - unit.data.lod_bias) / 128.0).exp2() * (1.0 + slack);
            (x as f32).to_bits()
        };
        const SLACK: f64 = 1.0 / 32768.0;
        let mut first = None;
        for (i, bounds) in certain.0.iter_mut().enumerate() {
            let this = i as i32 + MAGNIFY;
            // The smallest level of detail of the next level: 1 or halfway between two.
            let next = if this == MAGNIFY { 1 } else { 256 * this + 128 };
            let ends = level(unit, next) > this;
            if level(unit, next - 1) == this {
                *bounds = [
                    first.map_or(0, |lod| at(lod, SLACK)),
                    if ends {
                        at(next, -SLACK)
                    } else {
                        f32::MAX.to_bits()
                    },
                ];
                first = Some(next);
            } else {
                first = Some(1);
            }
            if !ends || unit.control.mip == Mip::Linear {
                break;
            }
        }
        certain
    }

    /// The level that a squared length seems to choose, and between which bits of other
    /// ones it is certain.
    #[inline(always)]
    pub fn guess(&self, unit: &Unit, rho2: f32) -> (i32, [u32; 2]) {
        // The exponent and the first bits of the fraction are nearly the logarithm.
        let near = (rho2.to_bits() as i32).wrapping_sub(0x3f80_0000) >> 16;
        let guess = level(unit, near.saturating_add(unit.data.lod_bias));
        (guess, self.bounds(guess))
    }

    /// The bits of squared lengths with which a level is certain.
    #[inline(always)]
    pub fn bounds(&self, level: i32) -> [u32; 2] {
        self.0[(level - MAGNIFY) as usize % LEVELS]
    }

    /// The level of a whole block, if it is certain.
    #[inline(always)]
    pub fn level(&self, unit: &Unit, rho2: &[f32; LANES / 2]) -> Option<i32> {
        let (guess, [low, high]) = self.guess(unit, rho2[0]);
        let mut outside = 0;
        for r in rho2 {
            outside |= u32::from(r.to_bits() < low) | u32::from(r.to_bits() > high);
        }
        (outside == 0).then_some(guess)
    }
}

/// Applies the unit's limits and its last level. The limits choose levels;
/// whether a footprint magnifies is asked before.
#[inline(always)]
pub fn limit(unit: &Unit, lod: i32) -> i32 {
    let [low, high] = unit.data.lod_range;
    lod.max(low)
        .min(high.max(low))
        .min(unit.data.last_level << 8)
}

/// Footprints for anisotropic filtering. Their lengths have few bits: differences and
/// squares 11, the sum 9 (docs/accuracy/tex.md).
pub fn footprints(unit: &Unit, c: &Coords) -> [Footprint; LANES] {
    let scale = scales(unit, c);
    let d = gradients(c);
    std::array::from_fn(|i| {
        let square = |k: usize| {
            let part = |axis: usize| {
                let t = coarse(d[axis][k][i] * scale[axis], 11);
                coarse(t * t, 11)
            };
            coarse(part(0) + part(1) + part(2), 9)
        };
        let (x2, y2) = (square(0), square(1));
        let (k, major, minor) = if x2 >= y2 { (0, x2, y2) } else { (1, y2, x2) };
        Footprint {
            major: major.sqrt(),
            minor: minor.sqrt(),
            axis: [d[0][k][i], d[1][k][i], d[2][k][i]],
        }
    })
}

/// Cuts to a number of significant bits, toward zero.
fn coarse(x: f32, bits: u32) -> f32 {
    f32::from_bits(x.to_bits() & (!0 << (24 - bits)))
}

/// log2 of the root of x with 8 fraction bits, cut: floor(128 log2 x). Exact at
/// powers of two; far below any level for 0 and what is no number.
#[inline(always)]
pub fn half_log2_8(x: f32) -> i32 {
    // x = m 2^e with m in [sqrt(1/2), sqrt(2)); log2 m by the series of atanh.
    let bits = x.to_bits() as i32;
    let e = (bits - 0x3f35_04f3) >> 23;
    let m = f32::from_bits((bits - (e << 23)) as u32);
    let t = (m - 1.0) / (m + 1.0);
    let t2 = t * t;
    let series = t * (2.885_39 + t2 * (0.961_796_7 + t2 * (0.577_078 + t2 * 0.412_198_6)));
    let v = e * 128 + isotherm_lanes::fixed::whole((series * 128.0).floor());
    if x > 0.0 { v } else { i32::MIN / 2 }
}

/// How many probes an anisotropic footprint takes, and how far they spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probes {
    /// The ratio of the sides, from 1 to the unit's limit.
    pub ratio: f32,
}

impl Probes {
    /// From a footprint and the largest anisotropy.
    pub fn new(f: &Footprint, most: f32) -> Probes {
        let ratio = f.major / f.minor.max(1.0);
        Probes {
            ratio: ratio.max(1.0).min(most),
        }
    }

    /// Places along the major axis (in units of it) and weights in 1/256. Up to a ratio
    /// of 2 a pair drifts apart, (r - 1) / 2 sides of the minor axis from the centre;
    /// above it pairs lie half a side, one and a half, ... away, and the last one has the
    /// weight that the others leave.
    pub fn places(&self) -> impl Iterator<Item = (f32, u32)> {
        let r = self.ratio;
        let pairs = (r / 2.0).ceil() as u32;
        let full = (256.0 / r.max(2.0) + rounding(r)) as u32;
        (0..pairs).flat_map(move |j| {
            let sides = if r < 2.0 {
                (r - 1.0) / 2.0
            } else {
                j as f32 + 0.5
            };
            let weight = full.min(128u32.saturating_sub(j * full));
            [(sides / r, weight), (-sides / r, weight)]
        })
    }
}

/// What is added to 256 / r before it is cut. It looks like a table of 1/r by octave: only
/// two numbers are known (docs/accuracy/tex.md).
fn rounding(ratio: f32) -> f32 {
    if ratio < 4.0 {
        73.0 / 128.0
    } else {
        17.0 / 32.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms() {
        for e in -60..60 {
            let x = (e as f32).exp2();
            assert_eq!(half_log2_8(x), 128 * e);
            let below = f32::from_bits(x.to_bits() - 1);
            assert_eq!(half_log2_8(below), 128 * e - 1);
        }
        // Every 32768th of an octave, some octaves apart; only what is next to a step
        // may fall to its other side.
        for i in 0..1 << 15 {
            for scale in [0.125, 1.0, 1024.0] {
                let x = scale * (1.0 + i as f32 / 32768.0);
                let exact = f64::from(x).log2() * 128.0;
                let got = f64::from(half_log2_8(x));
                let sure = (exact - exact.round()).abs() > 1e-4;
                assert!(!sure || got == exact.floor(), "{x}: {got} {exact}");
            }
        }
        for x in [0.0, -1.0, f32::NAN] {
            assert!(half_log2_8(x) < -100_000);
        }
        assert!(half_log2_8(f32::INFINITY) > 15 << 8);
    }
}
