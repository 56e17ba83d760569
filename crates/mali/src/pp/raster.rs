//! Which pixels of a tile a triangle covers, eight quads (two rows of pixels) at a time.

use crate::pp::primitives::{Edge, Triangle};
use isotherm_lanes::dispatch;
use isotherm_lanes::{LANES, Simd};

/// Pixels of a row of quads.
pub const ROW: usize = 32;
/// Where samples lie, in 1/256 pixel from the centre. A rotated grid (guess: the true
/// places are not known).
pub const SAMPLES: [(i32, i32); 4] = [(-32, -96), (96, -32), (-96, 32), (32, 96)];

/// x of lane `i` of a row of quads.
pub const fn lane_x(i: usize) -> i32 {
    (i / 4 * 2 + (i & 1)) as i32
}

/// y of lane `i`, 0 or 1.
pub const fn lane_y(i: usize) -> i32 {
    (i >> 1 & 1) as i32
}

/// What of a triangle matters inside a tile.
pub struct Inside {
    /// Pixels, inclusive: left, right, top, bottom, from the tile's first.
    pub bounds: [i32; 4],
    /// Edges that cross the tile, relative to it; zero for the others, but for those of small
    /// triangles.
    pub crossing: [(i32, i32, i32); 3],
}

impl Inside {
    /// `None` if the triangle misses the tile whose first pixel is (`ox`, `oy`); a small one may
    /// miss it all the same.
    #[inline(always)]
    pub(crate) fn new(tri: &Triangle, (ox, oy): (i32, i32), msaa: bool) -> Option<Inside> {
        let bounds = [
            (tri.bounds[0] - ox).max(0),
            (tri.bounds[1] - ox).min(15),
            (tri.bounds[2] - oy).max(0),
            (tri.bounds[3] - oy).min(15),
        ];
        if bounds[0] > bounds[1] || bounds[2] > bounds[3] {
            return None;
        }
        if tri.small {
            // Nothing leaves 32 bits here, and what misses the tile in spite of its bounds is
            // found out soon enough.
            let here = |(a, b, c): Edge| {
                let e = (c as i32).wrapping_add(a.wrapping_mul(ox));
                (a, b, e.wrapping_add(b.wrapping_mul(oy)))
            };
            let crossing = tri.edge.map(here);
            return Some(Inside { bounds, crossing });
        }
        let slack = i64::from(msaa);
        let mut crossing = [(0, 0, 0); 3];
        for (to, &(a, b, c)) in crossing.iter_mut().zip(&tri.edge) {
            let (al, bl) = (i64::from(a), i64::from(b));
            let e = c + al * i64::from(ox) + bl * i64::from(oy);
            let reach =
                |v: i64, sign: i64| (v * sign).max(0) * (15 + slack) + (-v * sign).max(0) * slack;
            let most = e + reach(al, 1) + reach(bl, 1);
            let least = e - reach(al, -1) - reach(bl, -1);
            if most < 0 {
                return None;
            }
            if least < 0 {
                *to = (a, b, e as i32);
            }
        }
        Some(Inside { bounds, crossing })
    }

    /// Whether [`Inside::is_whole`] would say so of the pixels' centres, with less ado.
    #[inline(always)]
    pub(crate) fn holds_tile(tri: &Triangle, (ox, oy): (i32, i32)) -> bool {
        let [x0, x1, y0, y1] = tri.bounds;
        let holds = |&(a, b, c): &Edge| {
            let least = i64::from(a.min(0)) + i64::from(b.min(0));
            c + i64::from(a) * i64::from(ox) + i64::from(b) * i64::from(oy) + 15 * least >= 0
        };
        x0 <= ox && x1 >= ox + 15 && y0 <= oy && y1 >= oy + 15 && tri.edge.iter().all(holds)
    }

    /// All of the tile is inside.
    #[inline(always)]
    pub fn is_whole(&self) -> bool {
        self.crossing == [(0, 0, 0); 3] && self.bounds == [0, 15, 0, 15]
    }
}

dispatch! {
    /// Covered pixels of a tile's rows of quads, for a sample (`dx`, `dy`) 1/256 pixel off the
    /// centre.
    pub fn cover(tri: &Inside, at: (i32, i32), out: &mut [u32; 8]) = cover_any::<Lanes>;
}

/// x of the lanes of a row of quads.
pub(crate) const X: [[u32; LANES]; 2] = {
    let mut out = [[0; LANES]; 2];
    let mut i = 0;
    while i < ROW {
        out[i / LANES][i % LANES] = lane_x(i) as u32;
        i += 1;
    }
    out
};

/// y of the lanes of a row of quads.
pub(crate) const Y: [u32; LANES] = {
    let mut out = [0; LANES];
    let mut i = 0;
    while i < LANES {
        out[i] = lane_y(i) as u32;
        i += 1;
    }
    out
};

/// Lanes of a row of quads in the columns up to one.
const COLUMNS: [u32; 17] = {
    let mut out = [0; 17];
    let mut n = 0;
    while n < 17 {
        let mut i = 0;
        while i < ROW {
            if lane_x(i) < n as i32 {
                out[n] |= 1 << i;
            }
            i += 1;
        }
        n += 1;
    }
    out
};

/// Lanes of a row of quads in the triangle's columns.
#[inline(always)]
pub(crate) fn columns(tri: &Inside) -> u32 {
    let [x0, x1, ..] = tri.bounds;
    COLUMNS[(x1 + 1).clamp(0, 16) as usize] & !COLUMNS[x0.clamp(0, 16) as usize]
}

/// Lanes of a row of quads in the triangle's rows of pixels.
#[inline(always)]
fn rows_of(tri: &Inside, row: i32) -> u32 {
    const UPPER: u32 = 0x3333_3333;
    let [.., y0, y1] = tri.bounds;
    let above = if row * 2 < y0 { UPPER } else { 0 };
    let below = if row * 2 + 1 > y1 { !UPPER } else { 0 };
    !(above | below)
}

#[inline(always)]
fn cover_any<S: Simd>(tri: &Inside, (dx, dy): (i32, i32), out: &mut [u32; 8]) {
    let [.., y0, y1] = tri.bounds;
    let columns = columns(tri);
    *out = [0; 8];
    for qy in y0 / 2..=y1 / 2 {
        out[qy as usize & 7] = columns & rows_of(tri, qy);
    }
    let zero = S::isplat(0);
    let crosses = |edge: &&(i32, i32, i32)| **edge != (0, 0, 0);
    for &(a, b, e) in tri.crossing.iter().filter(crosses) {
        let shift = (i64::from(a) * i64::from(dx) + i64::from(b) * i64::from(dy)) >> 8;
        let first = e.wrapping_add(shift as i32);
        let down = S::imul(S::isplat(b), S::iload(&Y));
        let left = S::iadd(S::imul(S::isplat(a), S::iload(&X[0])), down);
        let right = S::iadd(left, S::isplat(a.wrapping_mul(8)));
        for qy in y0 / 2..=y1 / 2 {
            let base = S::isplat(first.wrapping_add(b.wrapping_mul(qy * 2)));
            let row = &mut out[qy as usize & 7];
            let mut outside = 0;
            if columns & 0xFFFF != 0 {
                outside |= S::bits(S::igt(zero, S::iadd(base, left)));
            }
            if columns >> 16 != 0 {
                outside |= S::bits(S::igt(zero, S::iadd(base, right))) << LANES;
            }
            *row &= !outside;
        }
    }
}
