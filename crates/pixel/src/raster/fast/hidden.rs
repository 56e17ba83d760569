//! Triangles that lie behind all that is under them, found before they are set up.
//!
//! In a mesh a third of the triangles that a tile gets are hidden, and to find that out pixel by
//! pixel takes as long as everything before the colours of those that are not. A triangle's
//! vertices have the least depth it can have, and the buffer has the greatest one under it.

use super::quads::QuadLanes;
use super::sink::Sink;
use crate::raster::attrs::Attrs;
use crate::rop::Zeta;
use isotherm_lanes::depth;

/// Pixels of the largest rectangle that is looked at: what lies before a larger triangle hardly
/// ever hides all of it.
const LARGEST: i32 = 1024;

/// The bit of a compare function that lets greater depth pass.
const GREATER: u8 = 4;

/// How far below its vertices' depths a triangle's may be, by the largest of them. A weight is
/// cut by 2^-23 of it at most, and so are its product, the sum and the weights' sum: less than
/// 2^-20 together.
const CUT: f64 = 1.0 / (1 << 19) as f64;

/// Whether it is worth looking for hidden triangles in a tile: some pictures have none.
pub(in crate::raster) struct Hiding(i32);

impl Default for Hiding {
    fn default() -> Hiding {
        Hiding(Self::MOST)
    }
}

impl Hiding {
    /// So many in vain are looked at.
    const MOST: i32 = 32;
    /// What one that was found is worth: a look takes about a twelfth of what it saves.
    const FOUND: i32 = 12;

    #[inline(always)]
    pub(in crate::raster) fn is_likely(&self) -> bool {
        self.0 > 0
    }

    #[inline(always)]
    pub(in crate::raster) fn learn(&mut self, hidden: bool) {
        let more = if hidden { Self::FOUND } else { 0 };
        self.0 = (self.0 - 1 + more).min(Self::MOST);
    }
}

/// Whether no pixel of a triangle that has begun can pass the depth test of its draw in the
/// rectangle `r` of the sink's tile. No vertex may be behind the eye.
#[inline(always)]
pub(super) fn is_hidden<L: QuadLanes>(sink: &Sink<'_>, attrs: &Attrs, r: [i32; 4]) -> bool {
    let (Some((func, _)), Some(zeta)) = (sink.state.depth, &sink.zeta) else {
        return false;
    };
    let [x0, y0, x1, y1] = r;
    let farther_pass = func & GREATER != 0;
    if farther_pass | !attrs.in_range || (x1 - x0) * (y1 - y0) > LARGEST {
        return false;
    }
    let least = least_depth(sink.draw.rop.zeta, &attrs.z);
    // SAFETY: the caller's rectangle lies in the sink's tile.
    least > unsafe { L::greatest(zeta, r) } >> 8
}

/// The buffer's number that no pixel between vertices of these depths is below.
#[inline(always)]
fn least_depth(zeta: Zeta, [a, b, c, _]: &[f64; 4]) -> u32 {
    let min = |a: f64, b: f64| if a < b { a } else { b };
    let max = |a: f64, b: f64| if a > b { a } else { b };
    let least = min(min(*a, *b), *c) - max(max(*a, *b), *c).abs() * CUT;
    if zeta.float {
        return depth::float24(least as f32);
    }
    depth::fixed_wide(least, f64::from(depth::top(true)))
}

#[cfg(test)]
mod tests;
