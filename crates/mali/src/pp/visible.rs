//! Triangles of which only depth decides what shows: edges, test and the note which triangle
//! was the last in one walk over the tile.

use crate::pp::depth_stencil::{DepthTest, depth_half, row_base};
use crate::pp::raster::{Inside, X, columns, rows_of};
use crate::pp::tile::PIXELS;
use isotherm_lanes::{LANES, Simd, dispatch};

/// Where triangles leave what they are in front of.
pub(crate) struct Surface<'a> {
    pub(crate) depth: &'a mut [u32; PIXELS],
    /// The last triangle of each pixel.
    pub(crate) last: &'a mut [u32; PIXELS],
    /// This triangle's number.
    pub(crate) number: u32,
}

/// Lanes of the lower row of pixels.
const LOWER: u32 = 0xCCCC;

dispatch! {
    /// Pixels of a triangle that pass, by rows of quads; whether there are any.
    pub(crate) fn visible(tri: &Inside, test: &DepthTest, to: Surface, cover: &mut [u32; 8]) -> bool = visible_any::<Lanes>;
}

#[inline(always)]
fn visible_any<S: Simd>(tri: &Inside, test: &DepthTest, to: Surface, cover: &mut [u32; 8]) -> bool {
    let (depths, _) = to.depth.as_chunks_mut::<LANES>();
    let (lasts, _) = to.last.as_chunks_mut::<LANES>();
    let [x0, x1, y0, y1] = tri.bounds.map(|b| b.clamp(0, 15));
    let (first, zero) = (y0 / 2, S::isplat(0));
    let across = S::iload(&X[0]);
    let start = |j: usize| {
        let (a, b, e) = tri.crossing[j];
        let down = S::iselect(S::mask(LOWER), S::isplat(b), zero);
        let base = S::isplat(e.wrapping_add(b.wrapping_mul(first * 2)));
        S::iadd(S::iadd(S::imul(S::isplat(a), across), down), base)
    };
    // Edges that do not cross the tile are zero everywhere: inside.
    let mut edges = [start(0), start(1), start(2)];
    let down = tri.crossing.map(|(_, b, _)| S::isplat(b.wrapping_mul(2)));
    let right = tri.crossing.map(|(a, ..)| S::isplat(a.wrapping_mul(8)));
    let columns = columns(tri);
    let mut any = 0;
    for row in first..=y1 / 2 {
        let inside = columns & rows_of(tri, row);
        let row = row as usize & 7;
        let base = row_base(&test.plane, row, test.at);
        let mut passed = 0;
        for half in (x0 / 8) as usize..=(x1 / 8) as usize {
            let mut e = edges;
            if half == 1 {
                for j in 0..3 {
                    e[j] = S::iadd(e[j], right[j]);
                }
            }
            let outside = S::igt(zero, S::ior(S::ior(e[0], e[1]), e[2]));
            let here = inside >> (half * LANES) & 0xFFFF & !S::bits(outside);
            if here == 0 {
                continue;
            }
            let at = (row * 2 + half) & 15;
            let z = depth_half::<S>(base, &test.plane, half & 1);
            let old = S::iload(&depths[at]);
            let pass = here & test.passes::<S>(z, old);
            if test.write {
                S::istore(S::iselect(S::mask(pass), z, old), &mut depths[at]);
            }
            let number = S::isplat(to.number as i32);
            let last = S::iselect(S::mask(pass), number, S::iload(&lasts[at]));
            S::istore(last, &mut lasts[at]);
            passed |= pass << (half * LANES);
        }
        cover[row] = passed;
        any |= passed;
        for j in 0..3 {
            edges[j] = S::iadd(edges[j], down[j]);
        }
    }
    any != 0
}
