//! The slope of a polygon offset: one per triangle, from one 2x2 quad of pixels, the first
//! that the chip's walk over the triangle draws something of (docs/accuracy/depth.md).

use super::RasterState;
use super::clip::Clip;
use super::num::{asum3_guarded, recip29, t24};
use super::tri::{Corners, Tri, normalised, within_reach};
use crate::frag::LANES;
use isotherm_bus::verts::VtxHead;

/// The walk goes over aligned blocks of so many pixels in each direction.
const BLOCK: i32 = 4;

/// The pixels of a quad in the lanes of a block that starts with it.
const TOP_LEFT: usize = 0;
const TOP_RIGHT: usize = 1;
const BOTTOM_LEFT: usize = LANES / 2;
const BOTTOM_RIGHT: usize = LANES / 2 + 1;

/// The two vertices that a slope is made of: what they have more than the third, and their
/// weights over the quad.
struct Terms {
    more: [f64; 2],
    weights: [[f64; LANES]; 2],
}

impl Terms {
    /// The larger gradient. For each vertex the difference to the right is taken in one row
    /// of the quad, and the difference downwards in one column: the first vertex's in the row
    /// and column named, the second's in the others.
    fn slope(&self, [row, column]: [[usize; 2]; 2]) -> f64 {
        let [first, second] = &self.weights;
        let opposite = |lane: usize| LANES / 2 + 1 - lane;
        let along = |b: &[f64; LANES], from: usize, to: usize| t24(b[to] - b[from]);
        let gradient = |[from, to]: [usize; 2]| {
            // The other row from left to right, the other column from top to bottom.
            let other = [opposite(to), opposite(from)];
            self.more[0] * along(first, from, to) + self.more[1] * along(second, other[0], other[1])
        };
        gradient(row).abs().max(gradient(column).abs())
    }
}

/// The slope of depth: linear weights, vertex 2 is the base.
fn slope_of_z(tri: &Tri, quad: [i32; 2], z: &[f64; 3]) -> f64 {
    let [e0, e1, e2] = tri.edges(quad[0], quad[1], 8.0, 8.0);
    let mut weights = [[0.0; LANES]; 2];
    for lane in [TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT] {
        let e = [t24(e0[lane]), t24(e1[lane]), t24(e2[lane])];
        let r = recip29(asum3_guarded(e[0], e[1], e[2]));
        weights[0][lane] = t24(e[0] * r);
        weights[1][lane] = t24(e[1] * r);
    }
    let more = [z[0] - z[2], z[1] - z[2]];
    Terms { more, weights }.slope([[TOP_LEFT, TOP_RIGHT], [TOP_RIGHT, BOTTOM_RIGHT]])
}

/// The slope of w: weights with perspective, vertex 1 is the base.
fn slope_of_w(tri: &Tri, quad: [i32; 2], w: &[f64; 3]) -> f64 {
    let e = tri.edges(quad[0], quad[1], 8.0, 8.0);
    let ww = [t24(w[1] * w[2]), t24(w[2] * w[0]), t24(w[0] * w[1])];
    let [b0, _, b2] = normalised(&e, &ww, 1.0);
    let more = [t24(w[0] - w[1]), t24(w[2] - w[1])];
    let weights = [b0, b2];
    Terms { more, weights }.slope([[BOTTOM_LEFT, BOTTOM_RIGHT], [TOP_LEFT, BOTTOM_LEFT]])
}

/// What polygon offset adds to a filled triangle's depth.
pub(crate) fn offset(state: &RasterState, v: [&VtxHead; 3]) -> f32 {
    let (units, factor) = (state.offset_units, state.offset_factor);
    let slope = if factor == 0.0 { 0.0 } else { slope(state, v) };
    t24(units + t24(factor * slope)) as f32
}

/// The slope of a triangle's depth, or of its w; none if nothing of it is drawn.
fn slope(state: &RasterState, v: [&VtxHead; 3]) -> f64 {
    let Some(tri) = Tri::new(v, state.perspective) else {
        return 0.0;
    };
    let Some(quad) = first_quad(&Corners::new(v), &tri, &state.clip) else {
        return 0.0;
    };
    let float = |bits| f64::from(f32::from_bits(bits));
    if state.w_buffer {
        slope_of_w(&tri, quad, &v.map(|v| float(v.pos[3])))
    } else {
        slope_of_z(&tri, quad, &v.map(|v| float(v.pos[2]) * state.depth_scale))
    }
}

/// The first 2x2 quad with a pixel that may be drawn, in the order in which the chip walks
/// over a triangle. The window clip does not lead the walk, it only rejects pixels.
fn first_quad(corners: &Corners, tri: &Tri, clip: &Clip) -> Option<[i32; 2]> {
    let [left, top, right, bottom] = clip.surface;
    let start = start(corners, tri, clip.surface)?;
    let columns = (left / BLOCK, (right - 1) / BLOCK);
    // Blocks that have pixels within the clip's bounds.
    let [near, first, far, last] = clip.bounds;
    let open = (near / BLOCK, (far - 1) / BLOCK);
    let mut at = start[0];
    for row in start[1].max(top / BLOCK)..=(bottom - 1).min(last - 1) / BLOCK {
        let Some((from, to)) = touched(tri, row, columns) else {
            continue;
        };
        if row >= first / BLOCK {
            let leftwards = (from.max(open.0)..=at.min(to).min(open.1)).rev();
            let rightwards = from.max(at + 1).max(open.0)..=to.min(open.1);
            let found = leftwards
                .map(|column| (column, [3, 2, 1, 0]))
                .chain(rightwards.map(|column| (column, [0, 1, 2, 3])))
                .find_map(|(column, order)| drawn_quad(tri, clip, [column, row], order));
            if found.is_some() {
                return found;
            }
        }
        at = if to > at { to } else { from };
    }
    None
}

/// The block where the walk begins: that of the top vertex, of two the left one, pulled into
/// the surface. What a vertex behind the eye changes is not known; such a triangle may
/// reach up to the first row.
fn start(corners: &Corners, tri: &Tri, surface: [i32; 4]) -> Option<[i32; 2]> {
    let [left, top, right, bottom] = surface;
    if left >= right || top >= bottom {
        return None;
    }
    let (x, y) = (corners.x.map(within_reach), corners.y.map(within_reach));
    let highest = (0..3).min_by_key(|&i| (y[i], x[i]))?;
    let column = (x[highest] >> 4).clamp(left, right - 1) / BLOCK;
    let row = (y[highest] >> 4).clamp(top, bottom - 1) / BLOCK;
    Some([column, if tri.turned() { top / BLOCK } else { row }])
}

/// The blocks of a row that the triangle touches: no edge function is 0 or less everywhere
/// on the closed square around the block's pixels.
fn touched(tri: &Tri, row: i32, (mut from, mut to): (i32, i32)) -> Option<(i32, i32)> {
    let size = f64::from(16 * BLOCK);
    for i in 0..3 {
        let (first, step) = tri.largest_in_squares(i, f64::from(row) * size, size);
        let positive = |column: i32| first + step * f64::from(column) > 0.0;
        if step == 0.0 {
            if first <= 0.0 {
                return None;
            }
            continue;
        }
        // A quotient may be rounded: its neighbours are looked at too.
        let zero = (-first / step).clamp(-1e6, 1e6) as i32;
        let around = zero - 2..=zero + 2;
        if step > 0.0 {
            from = from.max(around.clone().find(|&c| positive(c)).unwrap_or(zero + 2));
        } else {
            to = to.min(around.rev().find(|&c| positive(c)).unwrap_or(zero - 2));
        }
    }
    (from <= to).then_some((from, to))
}

/// The first quad of a block that has a pixel to be drawn.
fn drawn_quad(tri: &Tri, clip: &Clip, block: [i32; 2], order: [i32; 4]) -> Option<[i32; 2]> {
    const QUAD: u16 = 0x0303;
    let [x, y] = block.map(|at| at * BLOCK);
    let half = |y: i32| tri.coverage(&tri.edges(x, y, 8.0, 8.0)) & clip.mask(x, y);
    let halves = [half(y), half(y + 2)];
    let drawn = |quad: &i32| halves[*quad as usize / 2] >> (quad % 2 * 2) & QUAD != 0;
    let quad = order.into_iter().find(drawn)?;
    Some([x + quad % 2 * 2, y + quad / 2 * 2])
}

#[cfg(test)]
mod tests;
