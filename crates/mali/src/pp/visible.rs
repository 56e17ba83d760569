//! Triangles of which only depth decides what shows: edges, test and the note which triangle
//! was the last in one walk over the tile.

use crate::pp::depth_stencil::{DepthTest, TileDepth};
use crate::pp::raster::{Inside, X, Y, columns};
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

/// Lanes of a row of quads in none, the upper, the lower and both of its rows of pixels.
const LINES: [u32; 4] = [0, 0x3333_3333, 0xCCCC_CCCC, u32::MAX];

dispatch! {
    /// Pixels of a triangle that pass, by rows of quads, into an empty `cover`; whether there
    /// are any.
    pub(crate) fn visible(tri: &Inside, test: &DepthTest, to: Surface, cover: &mut [u32; 8]) -> bool = visible_any::<Lanes>;
}

#[inline(always)]
fn visible_any<S: Simd>(tri: &Inside, test: &DepthTest, to: Surface, cover: &mut [u32; 8]) -> bool {
    let (depths, _) = to.depth.as_chunks_mut::<LANES>();
    let (lasts, _) = to.last.as_chunks_mut::<LANES>();
    // They lie inside the tile.
    let [x0, x1, y0, y1] = tri.bounds.map(|b| b as usize & 15);
    let (first, zero) = (y0 / 2, S::isplat(0));
    let number = S::isplat(to.number as i32);
    let columns = columns(tri);
    let lines = (2 << y1) - (1u32 << y0);
    let plane = TileDepth::<S>::new(&test.plane);
    let top = S::iadd(S::iload(&Y), S::isplat(first as i32 * 2));
    let mut any = 0;
    for half in x0 / 8..x1 / 8 + 1 {
        let inside = columns >> (half * LANES) & 0xFFFF;
        // Edges that do not cross the tile are zero everywhere: inside.
        let start = |j: usize| {
            let (a, b, e) = tri.crossing[j];
            let across = S::imul(S::isplat(a), S::iload(&X[half & 1]));
            S::iadd(S::iadd(across, S::imul(S::isplat(b), top)), S::isplat(e))
        };
        let down = |j: usize| {
            let b = S::isplat(tri.crossing[j].1);
            S::iadd(b, b)
        };
        let (mut e, down) = ([start(0), start(1), start(2)], [down(0), down(1), down(2)]);
        let side = plane.side(half & 1);
        let mut y = TileDepth::<S>::row(first);
        for row in first..y1 / 2 + 1 {
            let outside = S::igt(zero, S::ior(S::ior(e[0], e[1]), e[2]));
            let here = inside & LINES[(lines >> (row * 2) & 3) as usize] & !S::bits(outside);
            let z = plane.depth(side, y);
            e = [
                S::iadd(e[0], down[0]),
                S::iadd(e[1], down[1]),
                S::iadd(e[2], down[2]),
            ];
            y = TileDepth::<S>::next_row(y);
            if here == 0 {
                continue;
            }
            let at = (row * 2 + half) & 15;
            let old = S::iload(&depths[at]);
            let pass = here & test.passes::<S>(z, old);
            if test.write {
                S::istore(S::iselect(S::mask(pass), z, old), &mut depths[at]);
            }
            let last = S::iselect(S::mask(pass), number, S::iload(&lasts[at]));
            S::istore(last, &mut lasts[at]);
            cover[row & 7] |= pass << (half * LANES);
            any |= pass;
        }
    }
    any != 0
}
