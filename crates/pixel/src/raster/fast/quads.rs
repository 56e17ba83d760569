//! The 2x2 quads of a tile that a triangle covers, found with integers.
//!
//! Most blocks along a small triangle's edges have few covered pixels. Their quads are
//! listed and drawn four at a time as if they were one block: quad `q` takes the lanes
//! 2q, 2q + 1 and, one row below, 2q + 8, 2q + 9, as it does in a block of eight by two.
//! The quads of one triangle have no pixel in common, so their order does not matter.

use super::interpolate::Edges;
use crate::frag::{HEIGHT, I, LANES, WIDTH};
use crate::raster::centres::Centres;
use crate::raster::tri::{Steps, Tri};
use crate::rop::surface::{Area, Words};
use isotherm_lanes::{Base, Simd};

#[cfg(target_arch = "x86_64")]
pub(super) mod x86;

/// Quads of a block.
pub(super) const QUADS: usize = LANES / 4;
/// Width and height of the largest tile.
const SIDE: i32 = 64;
/// Quads of such a tile.
const MOST: usize = (SIDE * SIDE / 4) as usize;
/// Blocks of such a tile.
const BLOCKS: usize = MOST / QUADS;
/// More quads than these and [`QUADS`], and a power of two.
const ROOM: usize = 2 * MOST;
/// A rectangle of fewer pixels has so few whole blocks that looking for them costs more than
/// it saves.
const WORTH_A_SEARCH: i32 = 48 * LANES as i32;
/// Width and height of the parts in which a larger one is looked at.
const PART: i32 = 16;
/// Every pixel of a block.
const ALL: u32 = 0xffff;

/// A quad: its row and column in the tile, six bits each, and its covered pixels: bits 0
/// and 1, below them 2 and 3.
type Quad = u32;

/// What is added to a quad for the next column, for the next row of pixels.
const COLUMN: i32 = 1 << 4;
const ROW: i32 = 1 << 10;

/// What is added to the first quad of a block for each of its quads, and for those of the block
/// below.
const PLACES: [u32; 2 * QUADS] = {
    let (mut out, mut i) = ([0; 2 * QUADS], 0);
    while i < out.len() {
        let (column, row) = (2 * (i % QUADS) as i32, HEIGHT * (i / QUADS) as i32);
        out[i] = (column * COLUMN + row * ROW) as u32;
        i += 1;
    }
    out
};

/// Column of a quad.
#[inline(always)]
fn column(quad: Quad) -> i32 {
    (quad >> 4) as i32 % SIDE
}

/// Row of a quad.
#[inline(always)]
fn row(quad: Quad) -> i32 {
    (quad >> 10) as i32
}

/// Column and row of a quad.
#[inline(always)]
pub(super) fn place(quad: Quad) -> [i32; 2] {
    [column(quad), row(quad)]
}

/// The covered quads of one triangle. One list is used for all triangles of a tile.
/// The list comes first, on a line of cache: what packs eight quads writes a whole one.
#[repr(C, align(64))]
pub(super) struct Quads {
    /// The other covered quads. More places than quads: what is not covered is written, but
    /// not counted, and the last four are filled up.
    list: [[Quad; 2]; ROOM],
    /// The first quads of the blocks whose pixels are all covered.
    blocks: [Quad; BLOCKS],
    block_count: usize,
    count: usize,
}

/// Four quads that are drawn together. Each stands there twice, once for either column. Of
/// a block, only the first quad is looked at.
pub(crate) type Group = [[Quad; 2]; QUADS];

/// Groups of a triangle that go through the stages together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Batch<'a> {
    /// The first quads of whole blocks.
    Blocks(&'a [Quad]),
    /// Quads from anywhere; those that are missing at the end have no pixels.
    Quads(&'a [Group]),
}

impl Batch<'_> {
    /// How many groups there are, and whether they are blocks.
    #[inline(always)]
    pub(super) fn count(&self) -> (usize, bool) {
        match self {
            Batch::Blocks(blocks) => (blocks.len(), true),
            Batch::Quads(groups) => (groups.len(), false),
        }
    }

    /// A group and its covered lanes.
    #[inline(always)]
    pub(super) fn group<L: QuadLanes>(&self, i: usize) -> (Group, u16) {
        match self {
            Batch::Blocks(blocks) => ([[blocks[i]; 2]; QUADS], u16::MAX),
            Batch::Quads(groups) => (groups[i], L::covered(&groups[i])),
        }
    }
}

/// All groups of a triangle, `N` at a time, the blocks first.
pub(super) struct Batches<'a, const N: usize> {
    blocks: &'a [Quad],
    groups: &'a [Group],
}

impl<'a, const N: usize> Iterator for Batches<'a, N> {
    type Item = Batch<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Batch<'a>> {
        if !self.blocks.is_empty() {
            let (now, later) = self.blocks.split_at(self.blocks.len().min(N));
            self.blocks = later;
            return Some(Batch::Blocks(now));
        }
        let (now, later) = self.groups.split_at(self.groups.len().min(N));
        self.groups = later;
        (!now.is_empty()).then_some(Batch::Quads(now))
    }
}

/// What the levels do with groups in their own way.
pub(crate) trait QuadLanes: Simd {
    /// Writes the quads of a block and of the one below it to the front of `out`, twice each,
    /// but only those that have any of their four bits in `bits`. Returns how many; what is
    /// behind them is not defined.
    #[inline(always)]
    fn pack_quads(first: Quad, bits: u32, out: &mut [Group; 2]) -> usize {
        let out = out.as_flattened_mut();
        let mut count = 0;
        for i in 0..2 * QUADS {
            let own = bits >> (4 * i) & 15;
            out[count % (2 * QUADS)] = [(first + PLACES[i]) | own; 2];
            count += usize::from(own != 0);
        }
        count
    }

    /// The covered lanes of a group.
    #[inline(always)]
    fn covered(group: &Group) -> u16 {
        let quads = group.as_flattened();
        let mut out = [0; LANES];
        for lane in 0..LANES {
            let bit = lane as u32 % 2 + lane as u32 / 8 * 2;
            out[lane] = (quads[lane % 8] << (31 - bit)).cast_signed();
        }
        Self::signs(&out)
    }

    /// The words of a group's pixels, the upper row first.
    ///
    /// # Safety
    /// The quads must be inside the area.
    #[inline(always)]
    unsafe fn read_quads(area: &Area, group: &Group) -> [u32; LANES] {
        let mut out = [0; LANES];
        for (q, [quad, _]) in group.iter().enumerate() {
            // SAFETY: the caller's promise.
            let [a, b] = unsafe { area.read_quad(column(*quad), row(*quad)) };
            out[2 * q..2 * q + 2].copy_from_slice(&a);
            out[2 * q + 8..2 * q + 10].copy_from_slice(&b);
        }
        out
    }

    /// The words of the block that begins with a quad.
    ///
    /// # Safety
    /// All of its pixels must be inside the area.
    #[inline(always)]
    unsafe fn read_block(area: &Area, first: Quad) -> [u32; LANES] {
        // SAFETY: the caller's promise.
        unsafe { area.block(column(first), row(first)).load() }
    }

    /// Writes the words of those quads that have pixels in `mask`.
    ///
    /// # Safety
    /// The quads must be inside the area.
    #[inline(always)]
    unsafe fn write_quads(area: &Area, group: &Group, words: &[u32; LANES], mask: u16) {
        for (q, [quad, _]) in group.iter().enumerate() {
            let (a, b) = (2 * q, 2 * q + 8);
            if mask >> a & 3 | mask >> b & 3 != 0 {
                let quad_words = [[words[a], words[a + 1]], [words[b], words[b + 1]]];
                // SAFETY: the caller's promise.
                unsafe { area.write_quad(column(*quad), row(*quad), quad_words) };
            }
        }
    }
}

impl QuadLanes for Base {}

/// Reads the words of a group's pixels; `block` says that they are a block.
///
/// # Safety
/// The quads must be inside the area.
#[inline(always)]
pub(super) unsafe fn read<L: QuadLanes>(area: &Area, group: &Group, block: bool) -> [u32; LANES] {
    // SAFETY: the caller's promise.
    unsafe {
        if block {
            let [first, _] = group[0];
            return L::read_block(area, first);
        }
        L::read_quads(area, group)
    }
}

/// Writes the words of those quads that have pixels in `mask`.
///
/// # Safety
/// The quads must be inside the area.
#[inline(always)]
pub(super) unsafe fn write<L: QuadLanes>(
    area: &Area,
    group: &Group,
    block: bool,
    words: &[u32; LANES],
    mask: u16,
) {
    // SAFETY: the caller's promise.
    unsafe {
        if block {
            let [first, _] = group[0];
            return area.block(column(first), row(first)).store(words);
        }
        L::write_quads(area, group, words, mask);
    }
}

/// The pixels of a group in their tile: columns, rows. `block` says that it is a block.
#[inline(always)]
pub(super) fn places(group: &Group, block: bool) -> [I; 2] {
    let quads = group.as_flattened();
    let (mut columns, mut rows) = ([0; LANES], [0; LANES]);
    if block {
        for lane in 0..LANES {
            columns[lane] = column(quads[0]) + lane as i32 % 8;
            rows[lane] = row(quads[0]) + lane as i32 / 8;
        }
        return [columns, rows];
    }
    for lane in 0..LANES {
        let (right, below) = (lane as i32 % 2, lane as i32 / 8);
        columns[lane] = column(quads[lane % 8]) + right;
        rows[lane] = row(quads[lane % 8]) + below;
    }
    [columns, rows]
}

/// The centres of a group's pixels; its tile starts at `origin`.
#[inline(always)]
pub(super) fn centres(group: &Group, block: bool, [x, y]: [i32; 2]) -> Centres {
    let [first, _] = group[0];
    if block {
        return Centres::of_block(x + column(first), y + row(first));
    }
    let (mut columns, mut rows) = ([0; QUADS], [0; QUADS]);
    for (i, [quad, _]) in group.iter().enumerate() {
        columns[i] = x + column(*quad);
        rows[i] = y + row(*quad);
    }
    Centres::new(&columns, &rows)
}

/// A rectangle of pixels and a triangle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lies {
    Inside,
    Outside,
    Across,
}

/// Where a rectangle of pixels lies whose first one is so far inside of each edge. One that
/// lies outside near a corner may be found to lie across.
#[inline(always)]
fn lies(first: &[i32; 4], [right, down]: &Steps, width: i32, height: i32) -> Lies {
    let (mut least, mut most) = (0, 0);
    for i in 0..3 {
        let (across, along) = (right[i] * (width - 1), down[i] * (height - 1));
        // Only the signs are kept: all must be positive.
        least |= first[i] + across.min(0) + along.min(0);
        most |= first[i] + across.max(0) + along.max(0);
    }
    match (least < 0, most < 0) {
        (false, _) => Lies::Inside,
        (_, true) => Lies::Outside,
        _ => Lies::Across,
    }
}

impl Quads {
    pub(super) fn new() -> Quads {
        Quads {
            blocks: [0; BLOCKS],
            block_count: 0,
            list: [[0; 2]; ROOM],
            count: 0,
        }
    }

    /// Lists the quads that a triangle covers in `r`, whole blocks of the tile at `origin`.
    /// Returns its edge functions from the tile's first pixel on, as far as 32 bits hold
    /// them; they hold those of all pixels in `r`. `None` if the triangle is too large.
    #[inline(always)]
    pub(super) fn cover<L: QuadLanes>(
        &mut self,
        tri: &Tri,
        r: [i32; 4],
        origin: [i32; 2],
    ) -> Option<Edges> {
        let [x0, y0, x1, y1] = r;
        if x1 - origin[0] > SIDE || y1 - origin[1] > SIDE {
            return None;
        }
        let whole = tri.whole(x0, y0)?;
        let mut first = whole.first;
        for i in 0..4 {
            first[i] -= whole.least[i];
        }
        (self.count, self.block_count) = (0, 0);
        let (width, height) = (x1 - x0, y1 - y0);
        let r = [x0 - origin[0], y0 - origin[1], width, height];
        if width * height < WORTH_A_SEARCH {
            self.walk::<L, false>(&first, &whole.steps, r);
        } else {
            self.search::<L>(&first, &whole.steps, r);
        }
        self.fill_up();
        Some(Edges::new(&whole, r))
    }

    /// Lists what a large rectangle of blocks has, part by part.
    #[inline(always)]
    fn search<L: QuadLanes>(&mut self, first: &[i32; 4], steps: &Steps, r: [i32; 4]) {
        let [x, y, width, height] = r;
        match lies(first, steps, width, height) {
            Lies::Inside => return self.all(r),
            Lies::Outside => return,
            Lies::Across => {}
        }
        for down in (0..height).step_by(PART as usize) {
            for right in (0..width).step_by(PART as usize) {
                let mut part = *first;
                for i in 0..3 {
                    part[i] += steps[0][i] * right + steps[1][i] * down;
                }
                let (width, height) = ((width - right).min(PART), (height - down).min(PART));
                let r = [x + right, y + down, width, height];
                match lies(&part, steps, width, height) {
                    Lies::Inside => self.all(r),
                    Lies::Outside => {}
                    Lies::Across => self.walk::<L, true>(&part, steps, r),
                }
            }
        }
    }

    /// Lists what the blocks of a rectangle have, a block and the one below it at a time;
    /// `SEARCH`: those that are whole go to a list of their own.
    #[inline(always)]
    fn walk<L: QuadLanes, const SEARCH: bool>(
        &mut self,
        first: &[i32; 4],
        steps: &Steps,
        [x, y, width, height]: [i32; 4],
    ) {
        let ramp = |i: usize| Ramp::<L>::new(first[i], steps[0][i], steps[1][i]);
        let (a, b, c) = (ramp(0), ramp(1), ramp(2));
        let (mut at_a, mut at_b, mut at_c) = (a.first, b.first, c.first);
        let mut path = Path::new(steps, width / WIDTH, height);
        let mut place = x * COLUMN + y * ROW;
        // One loop over all blocks: how many there are in a row is different each time, and
        // a processor would guess it wrong each time.
        let (mut count, mut block_count) = (self.count, self.block_count);
        for _ in 0..path.count() {
            let upper = L::ior(L::ior(at_a, at_b), at_c);
            let lower = [L::iadd(at_a, a.below), L::iadd(at_b, b.below)];
            let lower = L::ior(L::ior(lower[0], lower[1]), L::iadd(at_c, c.below));
            let outside = negative::<L>(upper) | negative::<L>(lower) << 16;
            let mut bits = !outside & path.rows();
            if SEARCH {
                for (shift, more) in [(0, 0), (16, HEIGHT * ROW)] {
                    // Either list is written, but only one of them grows: no guess can be wrong.
                    let whole = bits >> shift & ALL == ALL;
                    self.blocks[block_count % BLOCKS] = (place + more) as u32;
                    block_count += usize::from(whole);
                    bits = if whole { bits & !(ALL << shift) } else { bits };
                }
            }
            // There is room for eight more: no block is looked at twice.
            let (groups, _) = self.list[count..].as_chunks_mut();
            if let Some(out) = groups.first_chunk_mut() {
                count += L::pack_quads(place as u32, bits, out);
            }
            let to = path.next();
            at_a = L::iadd(at_a, L::isplat(to[0]));
            at_b = L::iadd(at_b, L::isplat(to[1]));
            at_c = L::iadd(at_c, L::isplat(to[2]));
            place += to[3];
        }
        self.count = count;
        self.block_count = block_count;
    }

    /// Fills the last four quads up. What is missing is where the first of them is: a place
    /// far off would have a level of detail of its own.
    #[inline(always)]
    fn fill_up(&mut self) {
        let count = self.count;
        let first = self.list[count / QUADS * QUADS];
        for place in &mut self.list[count..count + QUADS - 1] {
            *place = [first[0] & !15; 2];
        }
    }

    /// Lists all blocks of a rectangle.
    #[inline(always)]
    fn all(&mut self, [x, y, width, height]: [i32; 4]) {
        let across = (width / WIDTH) as usize;
        for y in (y..y + height).step_by(HEIGHT as usize) {
            let mut place = (x * COLUMN + y * ROW) as u32;
            for block in self.blocks.iter_mut().skip(self.block_count).take(across) {
                *block = place;
                place += (WIDTH * COLUMN) as u32;
            }
            self.block_count += across;
        }
    }

    /// Is nothing covered?
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.block_count + self.count == 0
    }

    /// How many groups they make.
    #[inline(always)]
    pub(super) fn groups(&self) -> usize {
        self.block_count + self.count.div_ceil(QUADS)
    }

    /// All of them, `N` groups at a time.
    #[inline(always)]
    pub(super) fn batches<const N: usize>(&self) -> Batches<'_, N> {
        let (groups, _) = self.list.as_chunks();
        Batches {
            blocks: &self.blocks[..self.block_count.min(BLOCKS)],
            groups: &groups[..self.count.div_ceil(QUADS)],
        }
    }
}

/// Pixels of a tile, a bit each by rows.
pub(super) struct Claims {
    rows: [u64; SIDE as usize],
    any: bool,
}

impl Default for Claims {
    fn default() -> Claims {
        Claims {
            rows: [0; SIDE as usize],
            any: false,
        }
    }
}

impl Claims {
    /// Nobody has any.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        if self.any {
            *self = Claims::default();
        }
    }

    /// Takes the pixels that a triangle covers. Says whether one of them was taken already.
    #[inline]
    pub(super) fn take(&mut self, quads: &Quads) -> bool {
        self.any = true;
        let mut both = 0;
        let blocks = quads.blocks.iter().take(quads.block_count);
        for &first in blocks {
            both |= self.take_rows(first, [0xff; 2]);
        }
        for &[quad, _] in quads.list.iter().take(quads.count) {
            let bits = u64::from(quad);
            both |= self.take_rows(quad, [bits & 3, bits >> 2 & 3]);
        }
        both != 0
    }

    /// Takes pixels from a quad's first column on; returns those that were taken.
    #[inline(always)]
    fn take_rows(&mut self, quad: Quad, pixels: [u64; 2]) -> u64 {
        let [x, y] = place(quad);
        let mut both = 0;
        for (row, pixels) in (y..).zip(pixels) {
            let row = &mut self.rows[row as usize % SIDE as usize];
            both |= *row & pixels << x;
            *row |= pixels << x;
        }
        both
    }
}

/// The column and the row of each pixel of a block, quad by quad.
const PIXELS: [[u32; LANES]; 2] = {
    let (mut out, mut lane) = ([[0; LANES]; 2], 0);
    while lane < LANES {
        out[0][lane] = (lane / 4 * 2 + lane % 2) as u32;
        out[1][lane] = (lane % 4 / 2) as u32;
        lane += 1;
    }
    out
};

/// An edge function in a block and in the one below it.
struct Ramp<L: Simd> {
    /// In the block, quad by quad.
    first: L::I,
    /// What the block below has more.
    below: L::I,
}

impl<L: Simd> Ramp<L> {
    /// `first` is the first pixel's, `right` and `down` are what the next ones add.
    #[inline(always)]
    fn new(first: i32, right: i32, down: i32) -> Ramp<L> {
        let [columns, rows] = &PIXELS;
        let along = L::imul(L::isplat(right), L::iload(columns));
        let along = L::iadd(along, L::imul(L::isplat(down), L::iload(rows)));
        Ramp {
            first: L::iadd(L::isplat(first), along),
            below: L::isplat(down.wrapping_mul(HEIGHT)),
        }
    }
}

/// The lanes below 0, one bit each.
#[inline(always)]
fn negative<L: Simd>(x: L::I) -> u32 {
    L::bits(L::igt(L::isplat(0), x))
}

/// From block to block, two rows of them at a time.
struct Path {
    /// What to add to the edge functions and to the place: to the right; to the first block of
    /// the next two rows.
    to: Steps,
    across: i32,
    /// Blocks that are left in the row.
    left: i32,
    /// Pixels that are left below.
    height: i32,
}

impl Path {
    #[inline(always)]
    fn new(steps: &Steps, across: i32, height: i32) -> Path {
        let (mut right, mut turn) = ([0; 4], [0; 4]);
        for i in 0..4 {
            right[i] = steps[0][i].wrapping_mul(WIDTH);
            turn[i] = steps[1][i].wrapping_mul(2 * HEIGHT);
        }
        right[3] = WIDTH * COLUMN;
        turn[3] = 2 * HEIGHT * ROW;
        for i in 0..4 {
            turn[i] = turn[i].wrapping_sub(right[i].wrapping_mul(across - 1));
        }
        Path {
            to: [right, turn],
            across,
            left: across,
            height,
        }
    }

    /// How many steps it has.
    #[inline(always)]
    fn count(&self) -> i32 {
        self.across * ((self.height + HEIGHT) / (2 * HEIGHT))
    }

    /// The pixels of the two blocks that are in the rectangle: the last one may be alone.
    #[inline(always)]
    fn rows(&self) -> u32 {
        u32::MAX >> (16 * u32::from(self.height <= HEIGHT))
    }

    #[inline(always)]
    fn next(&mut self) -> [i32; 4] {
        self.left -= 1;
        let turns = self.left == 0;
        // As a mask, not as a branch.
        let mask = -i32::from(turns);
        self.left += self.across & mask;
        self.height -= (2 * HEIGHT) & mask;
        self.to[usize::from(turns)]
    }
}

#[cfg(test)]
mod tests;
