//! Colours of Curie's fragment programs: bytes, mixed with weights of nine bits.
//!
//! Which vertex does what goes by its place in the window: the leftmost one's weight is cut,
//! the middle one's too, the rightmost takes the rest (docs/accuracy/fragment.md).

use super::num::D;
use super::tri::Tri;
use crate::frag::{Frag, I, LANES};
use crate::shader::program::to_quads;
use isotherm_bus::vertex::VtxOut;

/// The sum of all weights.
const WHOLE: f64 = 512.0;

/// The colours of a primitive that are not the same at all of its vertices.
pub(super) struct Colors {
    /// Input, component, and the vertices' bytes.
    values: Vec<(usize, usize, [i32; 3])>,
    /// The vertices from left to right, the upper one first where two are in a column.
    order: [usize; 3],
}

impl Colors {
    pub(super) fn new(corners: [&VtxOut; 3]) -> Colors {
        let mut order = [0, 1, 2];
        let place = |i: usize| [0, 1].map(|c: usize| f32::from_bits(corners[i].pos[c]));
        order.sort_by(|&i, &j| {
            let ([x0, y0], [x1, y1]) = (place(i), place(j));
            x0.total_cmp(&x1).then(y0.total_cmp(&y1))
        });
        Colors {
            values: Vec::new(),
            order,
        }
    }

    pub(super) fn push(&mut self, input: usize, component: usize, bytes: [u8; 3]) {
        self.values.push((input, component, bytes.map(i32::from)));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A triangle's colours where its edge functions are `e`.
    pub(super) fn fill_triangle(&self, tri: &Tri, e: &[D; 3], frag: &mut Frag) {
        let [left, middle, right] = self.order;
        let mut weights = [[0; LANES]; 3];
        let shares = tri.exact_weights(e);
        for lane in 0..LANES {
            let (p, q) = (shares[left][lane] * WHOLE, shares[middle][lane] * WHOLE);
            let first = p.floor() as i32;
            // A whole number counts as a hair less.
            let second = q.ceil() as i32 - 1;
            let second = if q > 0.0 { second } else { second.max(0) };
            weights[left][lane] = first;
            weights[middle][lane] = second;
            weights[right][lane] = WHOLE as i32 - first - second;
        }
        self.fill(&weights, frag);
    }

    /// A line's colours: the second vertex has these shares.
    pub(super) fn fill_line(&self, shares: &D, frag: &mut Frag) {
        let second = shares.map(|share| (share.clamp(0.0, 1.0) * WHOLE).floor() as i32);
        let first = second.map(|w| WHOLE as i32 - w);
        self.fill(&[first, second, [0; LANES]], frag);
    }

    fn fill(&self, weights: &[I; 3], frag: &mut Frag) {
        for &(input, component, c) in &self.values {
            let [low, high] =
                [c.into_iter().min(), c.into_iter().max()].map(Option::unwrap_or_default);
            let mut out = [0.0; LANES];
            for lane in 0..LANES {
                let sum: i32 = (0..3).map(|i| c[i] * weights[i][lane]).sum();
                // Pixels beside the triangle have the colours of its edge.
                let byte = ((sum + 256) >> 9).clamp(low, high);
                out[lane] = f64::from(byte) / 255.0;
            }
            *frag.program.input(input, component) = to_quads(&out);
        }
    }
}
