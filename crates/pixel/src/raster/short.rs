//! Weights and texture coordinates of triangles whose numbers stay in float32's range.
//!
//! The chip's significands have 24 bits and are cut. Elsewhere float64 carries them
//! ([`super::num`]); here they are float32, which is the chip's own format: AVX-512 can
//! round each instruction's result toward zero (`avx512.rs`). Levels that cannot do that
//! compute with float64 from the same numbers ([`Short::wide`]), and a test below holds
//! both against each other.

use super::attrs::Attrs;
use super::num::D;
use super::quads::{self, Four};
use super::shares::{Coordinate, Parts, SHARE};
use super::tri::{Depth, Tri, Whole, linear, normalised};
use crate::frag::{F, I, LANES};

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;

/// A coordinate of a triangle: vertex 1's value and what the others have more, per unit of a
/// share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Slope {
    v1: f32,
    d0: f32,
    d2: f32,
}

impl Slope {
    /// `None` if a number could leave float32's range.
    #[inline(always)]
    fn new(v: &[f64; 3]) -> Option<Slope> {
        const ONE: f32 = SHARE as f32;
        let [v1, d0, d2] = Coordinate::new(v).terms();
        let slope = Slope {
            v1: v1 as f32,
            d0: d0 as f32,
            d2: d2 as f32,
        };
        let fine = calm(slope.v1) & calm(slope.d0 * ONE) & calm(slope.d2 * ONE);
        fine.then_some(slope)
    }
}

/// What turns edge functions into weights.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Norm {
    /// The area's reciprocal, for shares.
    Linear(f32),
    /// The products of the other two vertices' w.
    Perspective([f32; 3]),
}

/// A triangle on a tile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Short {
    /// The edge functions at the centre of the tile's first pixel, see [`quads::Quads::cover`].
    first: [i32; 3],
    /// What the next column and the next row add.
    steps: [[i32; 2]; 3],
    norm: Norm,
    /// The texture coordinates s and t.
    slopes: [Slope; 2],
}

/// Is this 0, or between 2^-40 and 2^41 in size?
#[inline(always)]
fn calm(x: f32) -> bool {
    const ONE: u32 = 127;
    let bits = x.to_bits() << 1;
    bits == 0 || (bits >> 24).wrapping_sub(ONE - 40) <= 80
}

impl Short {
    /// A triangle, its edge functions from the tile's first pixel on, and one of its texture
    /// coordinate sets. `None` if a number could leave float32's range, or if q is not 1.
    #[inline(always)]
    pub(super) fn new(tri: &Tri, whole: &Whole, attrs: &Attrs, set: usize) -> Option<Short> {
        let norm = match tri.linear_reciprocal() {
            Some(r) => Norm::Linear((r * SHARE) as f32),
            None => Norm::Perspective(products(tri.products())?),
        };
        let [s, t, _, q] = &attrs.tex[set];
        let slopes = [Slope::new(s)?, Slope::new(t)?];
        (*q == [1.0; 3]).then_some(Short {
            first: whole.first,
            steps: whole.steps,
            norm,
            slopes,
        })
    }

    /// The edge functions of four quads' pixels.
    #[inline(always)]
    fn edges(&self, quads: &Four) -> [I; 3] {
        let [x, y] = quads::places(quads);
        let mut out = [[0; LANES]; 3];
        for ((out, first), [right, down]) in out.iter_mut().zip(self.first).zip(self.steps) {
            for lane in 0..LANES {
                let along = right.wrapping_mul(x[lane]);
                let down = down.wrapping_mul(y[lane]);
                out[lane] = first.wrapping_add(along).wrapping_add(down);
            }
        }
        out
    }

    /// The depth of their pixels.
    #[inline(always)]
    pub(crate) fn depth(&self, depth: &Depth, quads: &Four) -> D {
        depth.at(&self.edges_wide(quads))
    }

    /// The edge functions as float64.
    #[inline(always)]
    pub(crate) fn edges_wide(&self, quads: &Four) -> [D; 3] {
        let [a, b, c] = self.edges(quads);
        [a.map(f64::from), b.map(f64::from), c.map(f64::from)]
    }

    /// The shares of vertices 0 and 2 for colours; the coordinates s and t go to `out`.
    #[inline(always)]
    pub(crate) fn wide(&self, quads: &Four, out: &mut [F; 2]) -> [I; 2] {
        let e = self.edges_wide(quads);
        let weights = match &self.norm {
            Norm::Linear(r) => {
                let r = f64::from(*r);
                [linear(&e[0], r), linear(&e[1], r), linear(&e[2], r)]
            }
            Norm::Perspective(ww) => normalised(&e, &ww.map(f64::from), SHARE),
        };
        let parts = Parts::new(&weights);
        let shares = parts.coordinate_shares();
        for (slope, out) in self.slopes.iter().zip(out) {
            let terms = [slope.v1, slope.d0, slope.d2].map(f64::from);
            let v = Coordinate::from_terms(terms).at(&shares);
            for lane in 0..LANES {
                out[lane] = v[lane] as f32;
            }
        }
        parts.shares()
    }
}

/// Products of w, if they are so near to each other and to 1 that neither a share nor a sum
/// leaves float32's range.
#[inline(always)]
fn products(ww: &[f64; 3]) -> Option<[f32; 3]> {
    let [a, b, c] = [ww[0] as f32, ww[1] as f32, ww[2] as f32];
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let fine = calm(low) & calm(high) & (low > 0.0) & (high <= 65536.0 * low);
    fine.then_some([a, b, c])
}

#[cfg(test)]
mod tests;
