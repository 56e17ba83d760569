//! The 2x2 quads of a tile that a triangle covers, found with integers.
//!
//! Most blocks along a small triangle's edges have few covered pixels. Their quads are
//! listed and drawn four at a time as if they were one block: quad `q` takes the lanes
//! 2q, 2q + 1 and, one row below, 2q + 8, 2q + 9, as it does in a block of eight by two.
//! The quads of one triangle have no pixel in common, so their order does not matter.

use super::tri::{Tri, Whole};
use crate::frag::{HEIGHT, I, LANES, WIDTH};
use crate::level::Level;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Quads of a block.
pub(super) const QUADS: usize = LANES / 4;
/// Width and height of the largest tile.
const SIDE: i32 = 64;
/// Quads of such a tile.
const MOST: usize = (SIDE * SIDE / 4) as usize;
/// More than these and [`QUADS`], and a power of two.
const ROOM: usize = 2 * MOST;
/// Largest edge function and largest step of one from 1/16 pixel to the next with which no
/// pixel of a tile leaves 32 bits: 2^30 + 2 * 64 * 16 * 2^18 < 2^31.
const LARGEST: (f64, f64) = (1073741824.0, 262144.0);

/// A quad: its row and column in the tile, six bits each, and its covered pixels: bits 0
/// and 1, below them 2 and 3.
type Quad = u32;

/// What is added to a quad for the next column, for the next row of pixels.
const COLUMN: i32 = 1 << 4;
const ROW: i32 = 1 << 10;

/// Column of a quad.
#[inline(always)]
pub(crate) fn column(quad: Quad) -> i32 {
    (quad >> 4) as i32 % SIDE
}

/// Row of a quad.
#[inline(always)]
pub(crate) fn row(quad: Quad) -> i32 {
    (quad >> 10) as i32
}

/// The covered quads of one triangle. One list is used for all triangles of a tile.
pub(super) struct Quads {
    count: usize,
    /// They are whole blocks.
    joined: bool,
    /// More places than quads: what is not covered is written, but not counted, and the
    /// last four are filled up.
    list: [[Quad; 2]; ROOM],
}

/// Quads that are drawn together. Each stands there twice, once for either column.
pub(crate) type Four = [[Quad; 2]; QUADS];

/// The covered lanes of four quads.
#[inline(always)]
pub(super) fn mask<L: Level>(quads: &Four) -> u16 {
    let quads = quads.as_flattened();
    let mut out = [0; LANES];
    for lane in 0..LANES {
        let bit = lane as u32 % 2 + lane as u32 / 8 * 2;
        out[lane] = (quads[lane % 8] << (31 - bit)).cast_signed();
    }
    L::signs(&out)
}

/// Do four quads stand side by side, as in a block?
#[inline(always)]
pub(super) fn joined(quads: &Four) -> bool {
    let [[first, _], .., [last, _]] = *quads;
    (last >> 4).wrapping_sub(first >> 4) == 2 * QUADS as u32 - 2
}

/// The pixels of four quads in their tile: columns, rows.
#[inline(always)]
pub(super) fn places(quads: &Four) -> [I; 2] {
    let quads = quads.as_flattened();
    let (mut columns, mut rows) = ([0; LANES], [0; LANES]);
    for lane in 0..LANES {
        let (right, below) = (lane as i32 % 2, lane as i32 / 8);
        columns[lane] = column(quads[lane % 8]) + right;
        rows[lane] = row(quads[lane % 8]) + below;
    }
    [columns, rows]
}

/// Columns and rows of quads in their tile.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn places_avx2(quads: __m256i) -> [__m256i; 2] {
    let column = _mm256_and_si256(_mm256_srli_epi32::<4>(quads), _mm256_set1_epi32(SIDE - 1));
    [column, _mm256_srli_epi32::<10>(quads)]
}

/// The centres of the pixels of four quads of the tile at (x, y): columns, rows, in 1/16
/// pixels.
#[inline(always)]
pub(super) fn centres(quads: &Four, [x, y]: [i32; 2]) -> [I; 2] {
    let [mut columns, mut rows] = places(quads);
    for lane in 0..LANES {
        columns[lane] = (x + columns[lane]) * 16 + 8;
        rows[lane] = (y + rows[lane]) * 16 + 8;
    }
    [columns, rows]
}

/// Is a rectangle of pixels all inside whose first one is so far inside of each edge?
#[inline(always)]
fn inside(first: &[i32; 3], steps: &[[i32; 2]; 3], width: i32, height: i32) -> bool {
    let mut all = true;
    for (first, [right, down]) in first.iter().zip(steps) {
        all &= first + (right * (width - 1)).min(0) + (down * (height - 1)).min(0) >= 0;
    }
    all
}

impl Quads {
    pub(super) fn new() -> Quads {
        Quads {
            count: 0,
            joined: false,
            list: [[0; 2]; ROOM],
        }
    }

    /// Lists the quads that a triangle covers in `r`, whole blocks of the tile at `origin`.
    /// Returns its edge functions from the tile's first pixel on, as far as 32 bits hold
    /// them; they hold those of all pixels in `r`. `None` if the triangle is too large.
    #[inline(always)]
    pub(super) fn cover<L: Level>(
        &mut self,
        tri: &Tri,
        r: [i32; 4],
        origin: [i32; 2],
    ) -> Option<Whole> {
        let [x0, y0, x1, y1] = r;
        if x1 - origin[0] > SIDE || y1 - origin[1] > SIDE {
            return None;
        }
        let whole = tri.whole(x0, y0, LARGEST)?;
        let slopes = whole.steps;
        let mut row = whole.first;
        for i in 0..3 {
            row[i] -= whole.least[i];
        }
        if inside(&row, &slopes, x1 - x0, y1 - y0) {
            self.all([
                x0 - origin[0],
                y0 - origin[1],
                x1 - origin[0],
                y1 - origin[1],
            ]);
            return Some(whole.moved(origin[0] - x0, origin[1] - y0));
        }
        let [mut a, mut b, mut c] = [
            block(row[0], slopes[0]),
            block(row[1], slopes[1]),
            block(row[2], slopes[2]),
        ];
        // One loop over all blocks: how many there are in a row is different each time, and
        // a processor would guess it wrong each time.
        let across = (x1 - x0) / WIDTH;
        let mut path = Path::new(&slopes, across);
        let mut place = (x0 - origin[0]) * COLUMN + (y0 - origin[1]) * ROW;
        let mut count = 0;
        for _ in 0..across * ((y1 - y0) / HEIGHT) {
            let mut outside = [0; LANES];
            for lane in 0..LANES {
                outside[lane] = a[lane] | b[lane] | c[lane];
            }
            let bits = u32::from(!L::signs(&outside));
            // There is room for four more: no block is looked at twice.
            if let Some(out) = self.list[count..].first_chunk_mut() {
                count += L::pack(place as u32, 2 * COLUMN as u32, bits, out);
            }
            let [to_a, to_b, to_c, to_place] = path.next();
            step(&mut a, to_a);
            step(&mut b, to_b);
            step(&mut c, to_c);
            place += to_place;
        }
        self.count = count;
        self.joined = false;
        // What is missing at the end is where the first of the four is: a place far off
        // would have a level of detail of its own.
        let first = self.list[count / QUADS * QUADS];
        for place in &mut self.list[count..count + QUADS - 1] {
            *place = [first[0] & !15; 2];
        }
        Some(whole.moved(origin[0] - x0, origin[1] - y0))
    }

    /// Lists all quads of a rectangle of blocks in the tile.
    #[inline(always)]
    fn all(&mut self, [x0, y0, x1, y1]: [i32; 4]) {
        self.count = 0;
        self.joined = true;
        for y in (y0..y1).step_by(HEIGHT as usize) {
            for x in (x0..x1).step_by(WIDTH as usize) {
                let place = x * COLUMN + y * ROW + 15;
                if let Some(out) = self.list[self.count..].first_chunk_mut::<QUADS>() {
                    for (q, out) in out.iter_mut().enumerate() {
                        *out = [(place + 2 * q as i32 * COLUMN) as u32; 2];
                    }
                    self.count += QUADS;
                }
            }
        }
    }

    /// Are all fours whole blocks?
    #[inline(always)]
    pub(super) fn joined(&self) -> bool {
        self.joined
    }

    /// The quads, four at a time. Those that are missing at the end have no pixels.
    #[inline(always)]
    pub(super) fn all_fours(&self) -> &[Four] {
        let (fours, _) = self.list.as_chunks();
        &fours[..self.count.div_ceil(QUADS)]
    }
}

/// The values of an edge function in a block whose first pixel has `first`, quad by quad.
#[inline(always)]
fn block(first: i32, [x, y]: [i32; 2]) -> I {
    let mut out = [0; LANES];
    for lane in 0..LANES {
        let (quad, pixel) = (lane as i32 / 4, lane as i32 % 4);
        let (column, row) = (2 * quad + pixel % 2, pixel / 2);
        let more = x.wrapping_mul(column).wrapping_add(y.wrapping_mul(row));
        out[lane] = first.wrapping_add(more);
    }
    out
}

/// From block to block, row by row: what to add to the edge functions and to the place.
struct Path {
    right: [i32; 4],
    /// To the first block of the next row.
    turn: [i32; 4],
    across: i32,
    /// Blocks that are left in the row.
    left: i32,
}

impl Path {
    #[inline(always)]
    fn new(slopes: &[[i32; 2]; 3], across: i32) -> Path {
        let (mut right, mut turn) = ([0; 4], [0; 4]);
        for i in 0..3 {
            right[i] = slopes[i][0].wrapping_mul(WIDTH);
            turn[i] = slopes[i][1].wrapping_mul(HEIGHT);
        }
        right[3] = WIDTH * COLUMN;
        turn[3] = HEIGHT * ROW;
        for i in 0..4 {
            turn[i] = turn[i].wrapping_sub(right[i].wrapping_mul(across - 1));
        }
        Path {
            right,
            turn,
            across,
            left: across,
        }
    }

    #[inline(always)]
    fn next(&mut self) -> [i32; 4] {
        self.left -= 1;
        let turns = self.left == 0;
        // As masks, not as a branch.
        let mask = -i32::from(turns);
        self.left += self.across & mask;
        let mut to = [0; 4];
        for i in 0..4 {
            to[i] = self.turn[i] & mask | self.right[i] & !mask;
        }
        to
    }
}

/// Adds the same to all lanes.
#[inline(always)]
fn step(lanes: &mut I, by: i32) {
    for lane in lanes {
        *lane = lane.wrapping_add(by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_bus::vertex::VtxOut;
    use isotherm_lanes::Base;

    fn triangle(points: [[f32; 2]; 3]) -> Tri {
        let v = points.map(|[x, y]| VtxOut {
            pos: [x, y, 0.0, 1.0].map(f32::to_bits),
            ..VtxOut::default()
        });
        Tri::new([&v[0], &v[1], &v[2]], true).expect("it has an area")
    }

    /// Which pixels of the tile at `origin` are listed.
    fn listed(quads: &Quads, origin: [i32; 2]) -> Vec<(i32, i32)> {
        let mut out = Vec::new();
        for four in quads.all_fours() {
            let count = four.iter().filter(|[quad, _]| quad & 15 != 0).count();
            let lanes = mask::<Base>(four);
            let [x, y] = centres(four, origin);
            for [quad, _] in &four[count..] {
                assert_eq!(*quad, four[0][0] & !15, "missing ones repeat the first");
            }
            for lane in 0..LANES {
                let quad = lane % 8 / 2;
                if lanes >> lane & 1 != 0 {
                    assert!(quad < count, "a quad that is not there is covered");
                    out.push((x[lane] / 16, y[lane] / 16));
                }
            }
        }
        out.sort_unstable();
        out
    }

    #[test]
    fn the_quads_of_a_tile_are_its_covered_pixels() {
        let mut seed = 99u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            (seed >> 33) % n
        };
        let (mut quads, mut all, mut refused) = (Quads::new(), 0, 0);
        for round in 0..2000 {
            let reach = [4000, 60_000, 3_000_000][round % 3];
            let mut place = || random(reach) as f32 / 16.0 - 8.0;
            let tri = triangle([0; 3].map(|_| [place(), place()]));
            let origin = [64 * random(3) as i32, 64 * random(3) as i32];
            let r = [
                origin[0] + 8 * random(4) as i32,
                origin[1] + 2 * random(16) as i32,
                origin[0] + 64 - 8 * random(4) as i32,
                origin[1] + 64 - 2 * random(16) as i32,
            ];
            if quads.cover::<Base>(&tri, r, origin).is_none() {
                refused += 1;
                continue;
            }
            let mut want = Vec::new();
            for x in (r[0]..r[2]).step_by(8) {
                for y in (r[1]..r[3]).step_by(2) {
                    let lanes = tri.coverage(&tri.edges(x, y, 8.0, 8.0));
                    for lane in 0..LANES as i32 {
                        if lanes >> lane & 1 != 0 {
                            want.push((x + lane % 8, y + lane / 8));
                        }
                    }
                }
            }
            want.sort_unstable();
            assert!(listed(&quads, origin) == want, "round {round}");
            all += want.len();
        }
        assert!(
            all > 100_000 && refused > 50,
            "{all} pixels, {refused} refused"
        );
    }

    #[test]
    fn quads_side_by_side_are_a_block() {
        let tri = triangle([[-100.0, -100.0], [400.0, -100.0], [-100.0, 400.0]]);
        let mut quads = Quads::new();
        assert!(quads.cover::<Base>(&tri, [0, 0, 16, 4], [0, 0]).is_some());
        let fours = quads.all_fours();
        assert!(fours.len() == 4 && quads.joined());
        for (i, four) in fours.iter().enumerate() {
            assert!(joined(four) && mask::<Base>(four) == 0xffff);
            let place = (column(four[0][0]), row(four[0][0]));
            assert_eq!(place, [(0, 0), (8, 0), (0, 2), (8, 2)][i]);
        }
        // A gap, or the next row.
        let quad = |x: i32, y: i32| [(x * COLUMN + y * ROW) as u32; 2];
        assert!(!joined(&[quad(0, 0), quad(2, 0), quad(4, 0), quad(8, 0)]));
        assert!(!joined(&[
            quad(58, 0),
            quad(60, 0),
            quad(62, 0),
            quad(0, 2)
        ]));
        assert!(joined(&[
            quad(56, 6),
            quad(58, 6),
            quad(60, 6),
            quad(62, 6)
        ]));
    }
}
