//! Depth of triangles whose vertices' depths have the same power of two, as those of most small
//! ones do.
//!
//! Then no number that depth is made of needs more bits than float32 or 32-bit integers have,
//! and a register holds sixteen of them, not eight. The words are those of
//! [`Depth`](crate::raster::tri::Depth).

use super::Edges;
use crate::frag::{F, I, LANES};
use crate::raster::num::{inverse, pow2, t24};
use crate::raster::tri::{Corner4, depth_terms};

/// The adder's units in the power of two of a depth.
pub(super) const GUARDED: f64 = 268435456.0;
/// The bits of a depth but those of a float32's significand.
pub(super) const BEYOND: u64 = 0xfff0_0000_1fff_ffff;

/// What edge functions must be below. Positions finer than 1/16 pixel take eight more bits.
#[inline(always)]
pub(super) fn limit(edges: &Edges) -> i32 {
    if edges.are_whole() { 1 << 24 } else { 1 << 16 }
}

/// What depth is made of where the vertices' depths have the same power of two.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct NearDepth {
    /// The edge functions at the rectangle's first pixel, and what the next column and the next
    /// row add. All that is added up to any pixel of the rectangle is exact.
    pub(super) first: [f32; 4],
    pub(super) right: [f32; 4],
    pub(super) down: [f32; 4],
    /// The depths of the vertices, as units of the adder.
    pub(super) z: [i32; 4],
    /// What two weights are multiplied with, in such units, if vertex 0, 1 or 2 has the base.
    pub(super) factors: [[f32; 4]; 2],
    /// The weights' reciprocal in two parts: 24 bits, and the rest.
    pub(super) r: [f32; 2],
    /// Such a unit.
    pub(super) unit: f32,
    /// That first pixel's column and row in the tile.
    pub(super) start: [i32; 2],
}

impl NearDepth {
    /// Takes a triangle's; `r` is the reciprocal of its weights' sum. Says no, and takes nothing, if
    /// a number could need more bits.
    #[inline(always)]
    pub(super) fn take(&mut self, edges: &Edges, r: f64, z: &Corner4) -> bool {
        let power = pow2(z[0]);
        let [x, y, width, height] = edges.rectangle;
        let [right, down] = &edges.steps;
        let (mut beyond, mut far) = (0, 0);
        for i in 0..4 {
            // Nor may one be negative.
            beyond |= (z[i].to_bits() ^ power.to_bits()) & BEYOND;
            let across = right[i].wrapping_abs().wrapping_mul(width);
            let along = down[i].wrapping_abs().wrapping_mul(height);
            // None has more than 30 bits, as `cover` has made sure.
            far |= limit(edges) - 1 - (edges.corner[i].wrapping_abs() + across + along);
        }
        let fits = (beyond == 0) & (far >= 0) & (1.0..=GUARDED).contains(&power);
        if !fits {
            return false;
        }
        let unit = power * (1.0 / GUARDED);
        let units = inverse(unit);
        self.start = [x, y];
        self.r = [t24(r) as f32, (r - t24(r)) as f32];
        self.unit = unit as f32;
        // The vertices that a vertex with the base is compared with.
        let others = [[z[1], z[0], z[0], z[0]], [z[2], z[2], z[1], z[1]]];
        for i in 0..4 {
            self.first[i] = (f64::from(edges.corner[i]) + edges.rest[i]) as f32;
            self.right[i] = right[i] as f32;
            self.down[i] = down[i] as f32;
            // SAFETY: they are below 2^29.
            self.z[i] = unsafe { (z[i] * units).to_int_unchecked() };
            self.factors[0][i] = ((others[0][i] - z[i]) * units) as f32;
            self.factors[1][i] = ((others[1][i] - z[i]) * units) as f32;
        }
        true
    }

    /// Depth of pixels at these columns and rows of the tile, with float64.
    #[inline(always)]
    pub(super) fn at(&self, [columns, rows]: &[I; 2]) -> F {
        let r = f64::from(self.r[0]) + f64::from(self.r[1]);
        let [[_, d01, d02, _], [.., d12]] = self.factors;
        let d = [f64::from(d01), f64::from(d02), f64::from(d12)];
        let z = [self.z[0].into(), self.z[1].into(), self.z[2].into()];
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            let x = f64::from(columns[lane] - self.start[0]);
            let y = f64::from(rows[lane] - self.start[1]);
            let edge = |i: usize| {
                f64::from(self.first[i])
                    + f64::from(self.right[i]) * x
                    + f64::from(self.down[i]) * y
            };
            let [z, m, n] = depth_terms([edge(0), edge(1), edge(2)], r, &z, d);
            let sum = t24(z + m.trunc() + n.trunc());
            out[lane] = (sum * f64::from(self.unit)) as f32;
        }
        out
    }
}
