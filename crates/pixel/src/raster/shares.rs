//! Shares: what part of its vertices' values a pixel gets, and values made with them.
//!
//! Weights come from `super::tri::Tri` in units of 2^-25. The largest of three is what
//! the other two leave, so that they always add up to one.

use super::num::{D, asum3_plain, asum3_plain_moderate, max, min, moderate_size, t24};
use crate::frag::{I, LANES};

/// Units of a share of a vertex: 25 fraction bits.
pub(super) const SHARE: f64 = 33554432.0;

// What follows takes one vertex after the other by calls, not by loops: a loop over
// three vertices and sixteen lanes would be turned into vectors across the vertices.

/// Weights in units of 2^-25 within bounds; what is no number is the lower one.
#[inline(always)]
fn limited(b: &D) -> D {
    const MOST: f64 = 15.0 * SHARE;
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        out[lane] = min(max(b[lane], -MOST), MOST);
    }
    out
}

/// Whole numbers, toward zero.
///
/// # Safety
/// All must be numbers within ±2^31.
#[inline(always)]
pub(super) unsafe fn whole(x: &D) -> I {
    let mut out = [0; LANES];
    for lane in 0..LANES {
        // SAFETY: the caller's promise.
        out[lane] = unsafe { x[lane].to_int_unchecked() };
    }
    out
}

/// Does `x` have the larger exponent? Its highest bit is one that `y` lacks.
#[inline(always)]
fn larger(x: i32, y: i32) -> bool {
    x & !y > y
}

/// Which vertex has the weight with the largest exponent, and so what the other two leave:
/// vertex 0, vertex 1, or else 2.
#[inline(always)]
fn replaced(b0: i32, b1: i32, b2: i32) -> (bool, bool) {
    let (p0, p1, p2) = (b0.wrapping_abs(), b1.wrapping_abs(), b2.wrapping_abs());
    (
        !larger(p1, p0) & larger(p0, p2),
        !larger(p2, p1) & larger(p1, p0),
    )
}

/// One of two numbers. Written as a choice it becomes two masked writes to memory, and what
/// reads it back has to wait for both.
#[inline(always)]
fn pick(choice: bool, yes: i32, no: i32) -> i32 {
    let mask = -i32::from(choice);
    yes & mask | no & !mask
}

/// The same with wide numbers.
#[inline(always)]
fn pick_wide(choice: bool, yes: f64, no: f64) -> f64 {
    let mask = -i64::from(choice) as u64;
    f64::from_bits(yes.to_bits() & mask | no.to_bits() & !mask)
}

/// Weights of a block, see [`Tri::parts`].
pub(crate) struct Parts {
    pub(super) wide: [D; 3],
    pub(super) cut: [I; 3],
}

impl Parts {
    /// From weights in units of 2^-25.
    #[inline(always)]
    pub(crate) fn new(b: &[D; 3]) -> Parts {
        let wide = [limited(&b[0]), limited(&b[1]), limited(&b[2])];
        // SAFETY: the limits leave neither NaN nor a value out of range.
        let cut = unsafe { [whole(&wide[0]), whole(&wide[1]), whole(&wide[2])] };
        Parts { wide, cut }
    }

    /// The shares of vertices 0 and 2 (vertex 1 has the rest) for colours and fog: the cut
    /// weights, of which the one with the largest exponent is what the other two leave.
    #[inline(always)]
    pub(crate) fn shares(&self) -> [I; 2] {
        const ONE: i32 = SHARE as i32;
        let [b0, b1, b2] = &self.cut;
        let (mut s0, mut s2) = ([0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let (b0, b1, b2) = (b0[lane], b1[lane], b2[lane]);
            let (first, second) = replaced(b0, b1, b2);
            s0[lane] = pick(first, ONE.wrapping_sub(b1.wrapping_add(b2)), b0);
            let left = ONE.wrapping_sub(b0.wrapping_add(b1));
            s2[lane] = pick(first | second, b2, left);
        }
        [s0, s2]
    }

    /// The same for texture coordinates, whose weights keep their significands. Only the
    /// adder that forms what two of them leave cuts: its operands as above, its sum to 24
    /// significant bits (docs/accuracy/tex.md).
    #[inline(always)]
    pub(crate) fn coordinate_shares(&self) -> [D; 2] {
        let [b0, b1, b2] = &self.cut;
        let [w0, _, w2] = &self.wide;
        let (mut s0, mut s2) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let (b0, b1, b2) = (b0[lane], b1[lane], b2[lane]);
            let (first, second) = replaced(b0, b1, b2);
            let left0 = t24(SHARE - f64::from(b1.wrapping_add(b2)));
            let left2 = t24(SHARE - f64::from(b0.wrapping_add(b1)));
            s0[lane] = pick_wide(first, left0, w0[lane]);
            s2[lane] = pick_wide(first | second, w2[lane], left2);
        }
        [s0, s2]
    }
}

/// The three colour weights of covered lanes as parts of 256: the shares, cut. Vertex 1
/// always gets the rest.
#[inline(always)]
pub(crate) fn weights_of([s0, s2]: &[I; 2]) -> [I; 3] {
    let (mut w0, mut w1, mut w2) = ([0; LANES], [0; LANES], [0; LANES]);
    for lane in 0..LANES {
        w0[lane] = s0[lane] >> 17;
        w2[lane] = s2[lane] >> 17;
        w1[lane] = 256 - w0[lane] - w2[lane];
    }
    [w0, w1, w2]
}

/// The same with negative shares, cut toward zero: smoothing draws lanes whose centre lies
/// outside.
pub(crate) fn weights_outside([s0, s2]: &[I; 2]) -> [I; 3] {
    let w0 = s0.map(|s| s / (1 << 17));
    let w2 = s2.map(|s| s / (1 << 17));
    let mut w1 = [0; LANES];
    for lane in 0..LANES {
        w1[lane] = 256 - w0[lane] - w2[lane];
    }
    [w0, w1, w2]
}

/// Cuts a weight to a multiple of 2^-25.
#[inline(always)]
pub(crate) fn cut25(b: f64) -> f64 {
    let b = min(max(b, -64.0), 64.0);
    (b * 33554432.0).trunc() * (1.0 / 33554432.0)
}

/// A texture coordinate or fog of a triangle: vertex 1's value and the differences of the
/// others, for shares in units of 2^-25.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Coordinate {
    v1: f64,
    d0: f64,
    d2: f64,
    /// The value's size, if no sum of it can leave the range.
    size: Option<f64>,
}

impl Coordinate {
    #[inline(always)]
    pub(crate) fn new(v: &[f64; 3]) -> Coordinate {
        let (d0, d2) = (t24(v[0] - v[1]) / SHARE, t24(v[2] - v[1]) / SHARE);
        Coordinate::from_terms([v[1], d0, d2])
    }

    /// From vertex 1's value and what each unit of the others' shares adds.
    #[inline(always)]
    pub(super) fn from_terms([v1, d0, d2]: [f64; 3]) -> Coordinate {
        let moderate = moderate_size(d0).is_some() & moderate_size(d2).is_some();
        Coordinate {
            v1,
            d0,
            d2,
            size: moderate_size(v1).filter(|_| moderate),
        }
    }

    /// Interpolates it: vertex 1's value plus the shares of the differences, in an adder
    /// that aligns its operands to 24 bits and has no guard bits.
    /// Texture_palette/XemuHighPaletteBug: 19,592 pixels whose coordinate lies exactly on
    /// a texel edge, all on the right side (docs/accuracy/tex.md).
    #[inline(always)]
    pub(crate) fn at(&self, share: &[D; 2]) -> D {
        let Coordinate { v1, d0, d2, size } = *self;
        let mut out = [0.0; LANES];
        if let Some(size) = size {
            for lane in 0..LANES {
                let (m, n) = (share[0][lane] * d0, share[1][lane] * d2);
                out[lane] = t24(asum3_plain_moderate(v1, size, m, n));
            }
            return out;
        }
        for lane in 0..LANES {
            out[lane] = t24(asum3_plain(v1, share[0][lane] * d0, share[1][lane] * d2));
        }
        out
    }
}

/// Mixes 8-bit colours with weights of 256.
#[inline(always)]
pub(crate) fn mix(w: &[I; 3], c0: u8, c1: u8, c2: u8) -> I {
    let mut out = [0; LANES];
    let (c0, c1, c2) = (i32::from(c0), i32::from(c1), i32::from(c2));
    let (d0, d2, base) = (c0 - c1, c2 - c1, c1 * 256 + 128);
    for lane in 0..LANES {
        let sum = base + d0 * w[0][lane] + d2 * w[2][lane];
        out[lane] = (sum >> 8).clamp(0, 255);
    }
    out
}

/// Mixes all four channels. Written out: a loop over the channels would be turned
/// into vectors of four channels instead of sixteen lanes, four times slower.
#[inline(always)]
pub(crate) fn mix4(w: &[I; 3], c: &[[u8; 4]; 3], out: &mut [I; 4]) {
    let [a, b, d] = c;
    out[0] = mix(w, a[0], b[0], d[0]);
    out[1] = mix(w, a[1], b[1], d[1]);
    out[2] = mix(w, a[2], b[2], d[2]);
    out[3] = mix(w, a[3], b[3], d[3]);
}

/// Keeps mixed colours between the vertices' own: smoothing also draws pixels whose
/// centre lies outside the triangle.
pub(crate) fn between4(c: &[[u8; 4]; 3], out: &mut [I; 4]) {
    for (ch, lanes) in out.iter_mut().enumerate() {
        let [a, b, d] = [0, 1, 2].map(|i| i32::from(c[i][ch]));
        let (low, high) = (a.min(b).min(d), a.max(b).max(d));
        for v in lanes {
            *v = (*v).clamp(low, high);
        }
    }
}
