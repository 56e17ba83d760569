//! The 2x2 quads of a tile that a triangle covers, found with integers.
//!
//! Most blocks along a small triangle's edges have few covered pixels. Their quads are
//! listed and drawn four at a time as if they were one block: quad `q` takes the lanes
//! 2q, 2q + 1 and, one row below, 2q + 8, 2q + 9, as it does in a block of eight by two.
//! The quads of one triangle have no pixel in common, so their order does not matter.

use super::interpolate::Edges;
use crate::frag::{HEIGHT, I, LANES, WIDTH};
use crate::raster::centres::Centres;
use crate::raster::clip::intersect;
use crate::raster::tile::blocks_around;
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
/// Width and height of what is looked at together: a quad for each lane.
const REGION: i32 = 8;
/// Its quads side by side, and their lanes in its first row.
const ACROSS: i32 = REGION / 2;
const FIRST_ROW: u32 = (1 << ACROSS) - 1;
/// Their lanes in its first column.
const FIRST_COLUMN: u32 = 0x1111;
/// Width and height of the parts in which a larger one is looked at.
const PART: i32 = 16;
/// A quad: its row and column in the tile, six bits each, and its covered pixels: bits 0
/// and 1, below them 2 and 3.
type Quad = u32;

/// What is added to a quad for the next column, for the next row of pixels.
const COLUMN: i32 = 1 << 4;
const ROW: i32 = 1 << 10;

/// The columns and the rows of a region's quads, and what is added to the first of them for each.
const QUAD_COLUMNS: [u32; LANES] = of_quads(2, 0);
const QUAD_ROWS: [u32; LANES] = of_quads(0, 2);
const PLACES: [u32; LANES] = of_quads(2 * COLUMN as u32, 2 * ROW as u32);

/// A number for each quad of a region that grows by so much to the right, and so much down.
const fn of_quads(right: u32, down: u32) -> [u32; LANES] {
    let (mut out, mut i) = ([0; LANES], 0);
    while i < LANES as u32 {
        out[i as usize] = i % ACROSS as u32 * right + i / ACROSS as u32 * down;
        i += 1;
    }
    out
}

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
/// The list comes first, on a line of cache: what packs quads writes whole ones.
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
    /// Writes those quads of a region that have covered pixels to the front of `out`, twice each.
    /// Returns how many; what is behind them is not defined.
    #[inline(always)]
    fn pack_quads(first: Quad, covered: Covered, out: &mut [[Quad; 2]; LANES]) -> usize {
        let (mut some, mut count) = (u32::from(covered.any()), 0);
        while some != 0 {
            let lane = some.trailing_zeros() as usize;
            some &= some - 1;
            out[count % LANES] = [(first + PLACES[lane]) | covered.pixels(lane); 2];
            count += 1;
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

    /// A number that no word of a rectangle of pixels, max exclusive, is above: the greatest of
    /// them, or of the quads that it touches.
    ///
    /// # Safety
    /// Those quads must be inside the area.
    #[inline(always)]
    unsafe fn greatest(area: &Area, [x0, y0, x1, y1]: [i32; 4]) -> u32 {
        let mut most = 0;
        for y in (y0 & !1..y1).step_by(2) {
            for x in (x0 & !1..x1).step_by(2) {
                // SAFETY: the caller's promise.
                let quad = unsafe { area.read_quad(x, y) };
                most = quad.as_flattened().iter().fold(most, |a, &b| a.max(b));
            }
        }
        most
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

/// The quads of a region of which a pixel is covered, a bit each, for each of their pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Covered([u16; 4]);

impl Covered {
    /// Those that have one.
    #[inline(always)]
    fn any(self) -> u16 {
        let Covered([a, b, c, d]) = self;
        a | b | c | d
    }

    /// Those of which all are covered.
    #[inline(always)]
    fn all(self) -> u16 {
        let Covered([a, b, c, d]) = self;
        a & b & c & d
    }

    /// No others than those of `quads`.
    #[inline(always)]
    fn only(self, quads: u16) -> Covered {
        let Covered([a, b, c, d]) = self;
        Covered([a & quads, b & quads, c & quads, d & quads])
    }

    /// The covered pixels of one.
    #[inline(always)]
    fn pixels(self, quad: usize) -> u32 {
        let of = |i: u32| u32::from(self.0[i as usize]) >> quad & 1;
        of(0) | of(1) << 1 | of(2) << 2 | of(3) << 3
    }
}

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

    /// Lists the quads that a triangle covers in `r` and in `whole`, blocks of the tile at
    /// `origin`; outside of `r` it covers nothing.
    /// Returns its edge functions from the tile's first pixel on, as far as 32 bits hold
    /// them; they hold those of all pixels in `r`. `None` if the triangle is too large.
    #[inline(always)]
    pub(super) fn cover<L: QuadLanes>(
        &mut self,
        tri: &Tri,
        r: [i32; 4],
        whole: [i32; 4],
        origin: [i32; 2],
    ) -> Option<Edges> {
        let (mut r, search) = (intersect(quads_around(r), whole), is_large(r));
        if search {
            r = intersect(blocks_around(r), whole);
        }
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
        let r = [x0 - origin[0], y0 - origin[1], x1 - x0, y1 - y0];
        if search {
            self.search::<L>(&first, &whole.steps, r);
        } else {
            self.walk::<L, false>(&first, &whole.steps, r);
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

    /// Lists what a rectangle has, a region at a time. `SEARCH`: its blocks that are whole go to
    /// a list of their own.
    #[inline(always)]
    fn walk<L: QuadLanes, const SEARCH: bool>(
        &mut self,
        first: &[i32; 4],
        steps: &Steps,
        [x, y, width, height]: [i32; 4],
    ) {
        let [right, down] = steps;
        let mut edges = [
            Edge::<L>::new(first[0], right[0], down[0]),
            Edge::<L>::new(first[1], right[1], down[1]),
            Edge::<L>::new(first[2], right[2], down[2]),
        ];
        let mut path = Path::new(steps, width, height);
        let mut place = x * COLUMN + y * ROW;
        // One loop over all regions: how many there are in a row is different each time, and
        // a processor would guess it wrong each time.
        let (mut count, mut block_count) = (self.count, self.block_count);
        for _ in 0..path.count() {
            let mut covered = covered(&edges).only(path.quads());
            if SEARCH {
                let (mut whole, mut rest) = (covered.all(), u16::MAX);
                for row in 0..REGION / HEIGHT {
                    // The list is always written, but only grows with those that are whole: no
                    // guess can be wrong.
                    let lanes = FIRST_ROW as u16;
                    let is_whole = whole & lanes == lanes;
                    self.blocks[block_count % BLOCKS] = (place + row * HEIGHT * ROW) as u32;
                    block_count += usize::from(is_whole);
                    rest &= if is_whole {
                        !(lanes << (row * ACROSS))
                    } else {
                        u16::MAX
                    };
                    whole >>= ACROSS;
                }
                covered = covered.only(rest);
            }
            // There is room for a region more: none is looked at twice.
            if let Some(out) = self.list[count..].first_chunk_mut() {
                count += L::pack_quads(place as u32, covered, out);
            }
            let to = path.next();
            for i in 0..3 {
                edges[i].first = L::iadd(edges[i].first, L::isplat(to[i]));
            }
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

/// Is it worth looking for whole blocks in a rectangle?
#[inline(always)]
fn is_large([x0, y0, x1, y1]: [i32; 4]) -> bool {
    (x1 - x0) * (y1 - y0) >= WORTH_A_SEARCH
}

/// The quads that have pixels of a rectangle.
#[inline(always)]
fn quads_around([x0, y0, x1, y1]: [i32; 4]) -> [i32; 4] {
    [x0 & !1, y0 & !1, (x1 + 1) & !1, (y1 + 1) & !1]
}

/// An edge function in a region.
#[derive(Clone, Copy)]
struct Edge<L: Simd> {
    /// At the first pixel of each quad.
    first: L::I,
    /// What the next pixel to the right has more, and the next one below.
    right: L::I,
    down: L::I,
}

impl<L: Simd> Edge<L> {
    /// `first` is the first pixel's, `right` and `down` are what the next ones add.
    #[inline(always)]
    fn new(first: i32, right: i32, down: i32) -> Edge<L> {
        let (right, down) = (L::isplat(right), L::isplat(down));
        let across = L::imul(right, L::iload(&QUAD_COLUMNS));
        let along = L::imul(down, L::iload(&QUAD_ROWS));
        Edge {
            first: L::iadd(L::isplat(first), L::iadd(across, along)),
            right,
            down,
        }
    }
}

/// What lies inside of all three edges.
#[inline(always)]
fn covered<L: Simd>([a, b, c]: &[Edge<L>; 3]) -> Covered {
    // No closures: they would not be compiled for the level's instructions.
    let below = [
        L::iadd(a.first, a.down),
        L::iadd(b.first, b.down),
        L::iadd(c.first, c.down),
    ];
    Covered([
        inside::<L>(a.first, b.first, c.first),
        inside::<L>(
            L::iadd(a.first, a.right),
            L::iadd(b.first, b.right),
            L::iadd(c.first, c.right),
        ),
        inside::<L>(below[0], below[1], below[2]),
        inside::<L>(
            L::iadd(below[0], a.right),
            L::iadd(below[1], b.right),
            L::iadd(below[2], c.right),
        ),
    ])
}

/// The lanes in which none is below 0, one bit each.
#[inline(always)]
fn inside<L: Simd>(a: L::I, b: L::I, c: L::I) -> u16 {
    let any = L::ior(L::ior(a, b), c);
    !L::bits(L::igt(L::isplat(0), any)) as u16
}

/// From region to region, row by row.
struct Path {
    /// What to add to the edge functions and to the place: to the right; to the first region of
    /// the next row.
    to: Steps,
    across: i32,
    /// Regions that are left in the row, and rows of them with this one.
    left: i32,
    rows: i32,
    /// The quads of the last region of a row that are in the rectangle, and of one of the last
    /// row.
    last: [u16; 2],
}

impl Path {
    #[inline(always)]
    fn new(steps: &Steps, width: i32, height: i32) -> Path {
        let regions = |pixels: i32| (pixels + REGION - 1) / REGION;
        let (across, rows) = (regions(width), regions(height));
        let (mut right, mut turn) = ([0; 4], [0; 4]);
        for i in 0..4 {
            right[i] = steps[0][i].wrapping_mul(REGION);
            turn[i] = steps[1][i].wrapping_mul(REGION);
        }
        right[3] = REGION * COLUMN;
        turn[3] = REGION * ROW;
        for i in 0..4 {
            turn[i] = turn[i].wrapping_sub(right[i].wrapping_mul(across - 1));
        }
        // Quads of the last one's columns and rows, from 1 to 4.
        let quads = |pixels: i32| ((pixels - 1) as u32 % REGION as u32) / 2 + 1;
        let columns = ((1 << quads(width)) - 1) * FIRST_COLUMN;
        let lines = (1 << (quads(height) * ACROSS as u32)) - 1;
        Path {
            to: [right, turn],
            across,
            left: across,
            rows,
            last: [columns as u16, lines as u16],
        }
    }

    /// How many steps it has.
    #[inline(always)]
    fn count(&self) -> i32 {
        self.across * self.rows.max(0)
    }

    /// The quads of the region that are in the rectangle.
    #[inline(always)]
    fn quads(&self) -> u16 {
        let [columns, lines] = self.last;
        let all = |is_last: bool, last: u16| if is_last { last } else { u16::MAX };
        all(self.left == 1, columns) & all(self.rows == 1, lines)
    }

    #[inline(always)]
    fn next(&mut self) -> [i32; 4] {
        self.left -= 1;
        let turns = self.left == 0;
        // As a mask, not as a branch.
        let mask = -i32::from(turns);
        self.left += self.across & mask;
        self.rows += mask;
        self.to[usize::from(turns)]
    }
}

#[cfg(test)]
mod tests;
