//! Texture coordinates and fog of Curie's triangles: a plane that starts at the upper left
//! corner of the triangle's bounds and has slopes of 24 bits, cut. The sum is cut, too.
//!
//! So a coordinate that grows to the right comes out a little too small, and one that falls
//! downwards a little too large, as the RSX's pictures have them (docs/accuracy/fragment.md).

use super::centres::Centres;
use super::num::{D, t24};
use super::tri::Tri;
use crate::frag::LANES;
use isotherm_lanes::Lane;

/// What the planes of a triangle have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Corner {
    /// The corner, in 1/16 pixels.
    place: [f64; 2],
    /// The edge functions there, what they gain per 1/16 pixel to the right and down, and
    /// their sum.
    edges: [f64; 3],
    slopes: [[f64; 3]; 2],
    whole: f64,
}

impl Corner {
    pub(super) fn new(tri: &Tri) -> Corner {
        Corner {
            place: tri.corner(),
            edges: tri.corner_edges(),
            slopes: tri.slopes(),
            whole: tri.area(),
        }
    }

    /// How far pixels lie from it, in 1/16 pixels.
    #[inline(always)]
    pub(super) fn away(&self, at: &Centres) -> Centres {
        let mut away = *at;
        for lane in 0..LANES {
            away.x[lane] -= self.place[0];
            away.y[lane] -= self.place[1];
        }
        away
    }
}

/// A value over a triangle without perspective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gradient {
    base: f64,
    /// What 1/16 pixel to the right and down adds.
    slope: [f64; 2],
}

impl Gradient {
    /// Of the values at the three vertices.
    pub(super) fn new(corner: &Corner, v: &[f64; 3]) -> Gradient {
        let sum =
            |part: &[f64; 3]| (part[0] * v[0] + part[1] * v[1] + part[2] * v[2]) / corner.whole;
        Gradient {
            base: sum(&corner.edges),
            slope: [t24(sum(&corner.slopes[0])), t24(sum(&corner.slopes[1]))],
        }
    }

    /// At points that lie so far from the corner.
    #[inline(always)]
    pub(super) fn at(&self, away: &Centres) -> D {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            let right = self.slope[0] * away.x[lane];
            out[lane] = t24(self.base + right + self.slope[1] * away.y[lane]);
        }
        out
    }
}

/// The same with perspective: there is no picture of it, so nothing is cut.
#[inline(always)]
pub(super) fn perspective(weights: &[D; 3], v: &[f64; 3]) -> D {
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        let [a, b, c] = [weights[0][lane], weights[1][lane], weights[2][lane]];
        out[lane] = a * v[0] + b * v[1] + c * v[2];
    }
    out
}

/// Values as singles.
#[inline(always)]
pub(super) fn singles(v: &D) -> Lane {
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        out[lane] = v[lane] as f32;
    }
    out
}
