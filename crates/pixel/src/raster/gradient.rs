//! Texture coordinates and fog of Curie's triangles: a plane that starts at the upper left
//! corner of the triangle's bounds and has slopes of 24 bits, cut. The sum is cut, too.
//!
//! So a coordinate that grows to the right comes out a little too small, and one that falls
//! downwards a little too large, as the RSX's pictures have them (docs/accuracy/fragment.md).

use super::num::{D, t24};
use super::tri::Tri;
use crate::frag::LANES;

/// A value over a triangle without perspective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gradient {
    base: f64,
    /// What 1/16 pixel to the right and down adds.
    slope: [f64; 2],
}

impl Gradient {
    /// Of the values at the three vertices.
    pub(super) fn new(tri: &Tri, v: &[f64; 3]) -> Gradient {
        let whole = tri.area();
        let sum = |part: [f64; 3]| (0..3).map(|i| part[i] * v[i]).sum::<f64>() / whole;
        let slopes = tri.slopes();
        Gradient {
            base: sum(tri.corner_edges()),
            slope: slopes.map(|part| t24(sum(part))),
        }
    }

    /// At points that lie so far from the corner, in 1/16 pixels.
    pub(super) fn at(&self, [x, y]: &[D; 2]) -> D {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = t24(self.base + self.slope[0] * x[lane] + self.slope[1] * y[lane]);
        }
        out
    }
}

/// The same with perspective: there is no picture of it, so nothing is cut.
pub(super) fn perspective(weights: &[D; 3], v: &[f64; 3]) -> D {
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        out[lane] = (0..3).map(|i| weights[i][lane] * v[i]).sum();
    }
    out
}
