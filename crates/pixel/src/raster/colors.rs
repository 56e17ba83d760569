//! Colours of Curie's fragment programs: bytes, mixed with weights of nine bits.
//!
//! Two vertices' weights are cut, the third takes the rest. Which one does what goes by the
//! window (docs/accuracy/fragment.md has the pictures and what does not fit).

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
    /// Whose weight is cut, whose is cut a hair earlier, who takes the rest.
    order: [usize; 3],
    /// x and y of the vertices in 1/16 pixels, to 1/256 pixel.
    places: [[f64; 2]; 3],
}

impl Colors {
    pub(super) fn new(corners: [&VtxOut; 3]) -> Colors {
        Colors {
            values: Vec::new(),
            order: order(corners),
            places: corners.map(|v| {
                v.exact
                    .map(|x| (f64::from(f32::from_bits(x)) * 256.0).round() / 16.0)
            }),
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
        let shares = self.weights(tri, e);
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

    /// The weights of the three vertices. Positions count to 1/256 pixel here, unless the
    /// triangle is extreme.
    fn weights(&self, tri: &Tri, e: &[D; 3]) -> [D; 3] {
        if tri.extreme() {
            return tri.exact_weights(e);
        }
        let [xs, ys] = tri.centres(e);
        let mut edges = [[0.0; LANES]; 3];
        for i in 0..3 {
            let ([x0, y0], [x1, y1]) = (self.places[(i + 1) % 3], self.places[(i + 2) % 3]);
            for lane in 0..LANES {
                edges[i][lane] = (x1 - x0) * (ys[lane] - y0) - (y1 - y0) * (xs[lane] - x0);
            }
        }
        tri.exact_weights(&edges)
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

/// Where no position was rounded, the vertices from top to bottom, as they came where two are
/// in a row; else from left to right, the upper one first where two are in a column.
fn order(corners: [&VtxOut; 3]) -> [usize; 3] {
    let place = |i: usize| [0, 1].map(|c: usize| f32::from_bits(corners[i].pos[c]));
    let whole = corners.iter().all(|v| v.exact == v.pos[..2]);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| {
        let ([x0, y0], [x1, y1]) = (place(i), place(j));
        if whole {
            y0.total_cmp(&y1)
        } else {
            x0.total_cmp(&x1).then(y0.total_cmp(&y1))
        }
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(x: f32, y: f32) -> VtxOut {
        let place = [x.to_bits(), y.to_bits()];
        VtxOut {
            pos: [place[0], place[1], 0, 1f32.to_bits()],
            exact: place,
            ..VtxOut::default()
        }
    }

    #[test]
    fn who_takes_the_rest() {
        // The RSX's second quad, and its first, whose x is not whole.
        let [a, b, c] = [
            vertex(144.0, 228.0),
            vertex(144.0, 156.0),
            vertex(216.0, 156.0),
        ];
        assert_eq!(order([&a, &b, &c]), [1, 2, 0]);
        let off = |x: f32, y: f32| VtxOut {
            exact: [(x + 0.00003).to_bits(), y.to_bits()],
            ..vertex(x, y)
        };
        let [a, b, c] = [off(36.0, 228.0), off(36.0, 156.0), off(108.0, 156.0)];
        assert_eq!(order([&a, &b, &c]), [1, 0, 2]);
    }

    #[test]
    fn weights_have_nine_bits() {
        let v = [vertex(0.0, 0.0), vertex(8.0, 0.0), vertex(0.0, 8.0)];
        let corners = [&v[0], &v[1], &v[2]];
        let tri = Tri::new(corners, false).expect("an area");
        let mut colors = Colors::new(corners);
        assert_eq!(colors.order, [0, 1, 2]);
        colors.push(4, 0, [0, 255, 0]);
        colors.push(4, 1, [0, 0, 255]);
        let mut frag = Frag::default();
        colors.fill_triangle(&tri, &tri.edges(0, 0, 8.0, 8.0), &mut frag);
        // The first pixel has a sixteenth of each: 32 of 512, of which the cut takes one.
        let first = |frag: &mut Frag, c: usize| (frag.program.input(4, c)[0] * 255.0).round();
        assert_eq!(first(&mut frag, 0), f32::from((31 * 255 + 256) as u16 >> 9));
        let rest = 512 - 31 - 512 * 14 / 16;
        assert_eq!(first(&mut frag, 1), (((rest * 255) + 256) >> 9) as f32);
        // A line's second vertex: cut.
        colors.fill_line(&[0.501; LANES], &mut frag);
        assert_eq!(first(&mut frag, 0), ((256 * 255 + 256) >> 9) as f32);
    }
}
