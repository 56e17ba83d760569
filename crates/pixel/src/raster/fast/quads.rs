//! The 2x2 quads of a tile that a triangle covers, found with integers.
//!
//! Most blocks along a small triangle's edges have few covered pixels. Their quads are
//! listed and drawn four at a time as if they were one block: quad `q` takes the lanes
//! 2q, 2q + 1 and, one row below, 2q + 8, 2q + 9, as it does in a block of eight by two.
//! The quads of one triangle have no pixel in common, so their order does not matter.

use super::interpolate::{Edges, Interpolate};
use super::stages::in_place;
use crate::frag::{HEIGHT, I, LANES, WIDTH};
use crate::raster::centres::Centres;
use crate::raster::clip::intersect;
use crate::raster::tile::blocks_around;
use crate::raster::tri::{Steps, Tri};
use crate::rop::surface::{Area, Words};
use isotherm_lanes::{Base, Simd};
use std::hint::black_box;

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
/// Width of the strips in which a rectangle is looked at.
const STRIP: i32 = 16;
/// Lanes of a block's quads among those of a strip of whole blocks.
const BLOCK: u16 = 0b1111;
/// Width and height of the parts in which a larger one is looked at.
const PART: i32 = 16;
/// A quad: its row and column in the tile, six bits each, and its covered pixels: bits 0
/// and 1, below them 2 and 3.
type Quad = u32;

/// What is added to a quad for the next column, for the next row of pixels.
const COLUMN: i32 = 1 << 4;
const ROW: i32 = 1 << 10;

/// How lanes are dealt out to the quads of a strip: from left to right, row by row. Together they
/// are a region.
#[repr(C, align(64))]
struct Shape {
    /// Pixels from the first quad to each.
    columns: [u32; LANES],
    rows: [u32; LANES],
    /// What is added to the first one for each.
    places: [u32; LANES],
    /// Quads of a region, and its rows of pixels.
    quads: i32,
    height: i32,
}

/// Those of strips of one to eight columns of quads.
static SHAPES: [Shape; STRIP as usize / 2] = {
    let mut shapes = [const { Shape::new(1) }; STRIP as usize / 2];
    let mut i = 1;
    while i < shapes.len() {
        shapes[i] = Shape::new(i + 1);
        i += 1;
    }
    shapes
};

impl Shape {
    /// That of strips of so many columns.
    const fn new(columns: usize) -> Shape {
        let lines = LANES / columns;
        let mut shape = Shape {
            columns: [0; LANES],
            rows: [0; LANES],
            places: [0; LANES],
            quads: (columns * lines) as i32,
            height: 2 * lines as i32,
        };
        let mut i = 0;
        while i < LANES {
            let (column, row) = (2 * (i % columns) as u32, 2 * (i / columns) as u32);
            shape.columns[i] = column;
            shape.rows[i] = row;
            shape.places[i] = column * COLUMN as u32 + row * ROW as u32;
            i += 1;
        }
        shape
    }
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
    /// Writes those quads of a region that have covered pixels, of those in `lanes`, to the front
    /// of `out`, twice each. The region's first quad is at `first`, the others at `places` from
    /// there. Returns how many; what is behind them is not defined.
    #[inline(always)]
    fn pack_quads(
        first: Quad,
        places: &[u32; LANES],
        outside: &[Self::I; 4],
        lanes: u16,
        out: &mut [[Quad; 2]; LANES],
    ) -> usize {
        let covered = Covered::new::<Self>(outside, lanes);
        let (mut some, mut count) = (u32::from(covered.any()), 0);
        while some != 0 {
            let lane = some.trailing_zeros() as usize;
            some &= some - 1;
            out[count % LANES] = [(first + places[lane]) | covered.pixels(lane); 2];
            count += 1;
        }
        count
    }

    /// Makes all but the first quads of a group ones without pixels where the first one is.
    #[inline(always)]
    fn fill_up(group: &mut Group, count: usize) {
        let [[first, _], ..] = *group;
        for quad in group.iter_mut().skip(count) {
            *quad = [first & !15; 2];
        }
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
struct Covered([u16; 4]);

impl Covered {
    /// Those in `lanes` for whose pixels `outside` is not below 0.
    #[inline(always)]
    fn new<L: Simd>([a, b, c, d]: &[L::I; 4], lanes: u16) -> Covered {
        Covered([
            inside::<L>(*a) & lanes,
            inside::<L>(*b) & lanes,
            inside::<L>(*c) & lanes,
            inside::<L>(*d) & lanes,
        ])
    }

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
    /// Makes its edge functions from the tile's first pixel on, as far as 32 bits hold
    /// them; they hold those of all pixels in `r`. `None` if the triangle is too large.
    #[inline(always)]
    pub(super) fn cover<L: QuadLanes + Interpolate>(
        &mut self,
        tri: &Tri,
        r: [i32; 4],
        whole: [i32; 4],
        origin: [i32; 2],
        edges: &mut Edges,
    ) -> Option<()> {
        let (mut r, search) = (intersect(quads_around(r), whole), is_large(r));
        if search {
            r = intersect(blocks_around(r), whole);
        }
        let [x0, y0, x1, y1] = r;
        if x1 - origin[0] > SIDE || y1 - origin[1] > SIDE {
            return None;
        }
        let r = [x0 - origin[0], y0 - origin[1], x1 - x0, y1 - y0];
        if !L::edges(edges, tri, r, origin) {
            return None;
        }
        (self.count, self.block_count) = (0, 0);
        let (first, steps) = edges.inner();
        if search {
            self.search::<L>(first, steps, r);
        } else {
            self.walk::<L, false>(first, steps, r);
        }
        self.fill_up::<L>();
        Some(())
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

    /// Lists what a rectangle has, strip by strip. `SEARCH`: its blocks that are whole go to
    /// a list of their own; it is made of blocks.
    #[inline(always)]
    fn walk<L: QuadLanes, const SEARCH: bool>(
        &mut self,
        first: &[i32; 4],
        steps: &Steps,
        [x, y, width, height]: [i32; 4],
    ) {
        for left in (0..width).step_by(STRIP as usize) {
            let mut moved = [0; 4];
            let start = if left == 0 {
                first
            } else {
                for i in 0..4 {
                    moved[i] = first[i].wrapping_add(steps[0][i].wrapping_mul(left));
                }
                &moved
            };
            // In memory, where the lanes' instructions spread them from.
            let (start, steps) = black_box((start, steps));
            let place = ((x + left) * COLUMN + y * ROW) as u32;
            let columns = ((width - left).min(STRIP) / 2).cast_unsigned();
            self.strip::<L, SEARCH>(start, steps, place, columns, height / 2);
        }
    }

    /// Lists what a strip has that begins at `place` and has so many columns of quads and rows of
    /// them.
    #[inline(always)]
    fn strip<L: QuadLanes, const SEARCH: bool>(
        &mut self,
        first: &[i32; 4],
        [right, down]: &Steps,
        mut place: Quad,
        columns: u32,
        rows: i32,
    ) {
        let shape = &SHAPES[columns.wrapping_sub(1) as usize % SHAPES.len()];
        let mut left = columns.cast_signed() * rows;
        let mut edges = [
            Edge::<L>::new(first[0], right[0], down[0], shape),
            Edge::<L>::new(first[1], right[1], down[1], shape),
            Edge::<L>::new(first[2], right[2], down[2], shape),
        ];
        let mut next = [0; 4];
        for i in 0..4 {
            next[i] = down[i].wrapping_mul(shape.height);
        }
        let (mut count, mut block_count) = (self.count, self.block_count);
        while left > 0 {
            let outside = outside(&edges);
            let mut lanes = ((1 << left.min(shape.quads)) - 1) as u16;
            if SEARCH {
                let whole = Covered::new::<L>(&outside, lanes).all();
                for i in 0..QUADS {
                    // The list is always written, but only grows with those that are whole: no
                    // guess can be wrong.
                    let block = BLOCK << (QUADS * i);
                    let is_whole = whole & block == block;
                    self.blocks[block_count % BLOCKS] = place + shape.places[QUADS * i];
                    block_count += usize::from(is_whole);
                    lanes &= if is_whole { !block } else { u16::MAX };
                }
            }
            // There is room for a region more: none is looked at twice.
            if let Some(out) = self.list[count..].first_chunk_mut() {
                count += L::pack_quads(place, &shape.places, &outside, lanes, out);
            }
            left -= shape.quads;
            if left <= 0 {
                break;
            }
            place += (shape.height * ROW) as u32;
            let next = in_place(&next);
            for i in 0..3 {
                edges[i].first = L::iadd(edges[i].first, L::isplat(next[i]));
            }
        }
        self.count = count;
        self.block_count = block_count;
    }

    /// Fills the last four quads up. What is missing is where the first of them is: a place
    /// far off would have a level of detail of its own.
    #[inline(always)]
    fn fill_up<L: QuadLanes>(&mut self) {
        let (last, count) = (self.count / QUADS, self.count % QUADS);
        let (groups, _) = self.list.as_chunks_mut();
        if let Some(group) = groups.get_mut(last) {
            L::fill_up(group, count);
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
    fn new(first: i32, right: i32, down: i32, shape: &Shape) -> Edge<L> {
        let (right, down) = (L::isplat(right), L::isplat(down));
        let across = L::imul(right, L::iload(&shape.columns));
        let along = L::imul(down, L::iload(&shape.rows));
        Edge {
            first: L::iadd(L::isplat(first), L::iadd(across, along)),
            right,
            down,
        }
    }
}

/// For each pixel of the quads: below 0 where it is outside of one of the edges.
#[inline(always)]
fn outside<L: Simd>([a, b, c]: &[Edge<L>; 3]) -> [L::I; 4] {
    // No closures: they would not be compiled for the level's instructions.
    let below = [
        L::iadd(a.first, a.down),
        L::iadd(b.first, b.down),
        L::iadd(c.first, c.down),
    ];
    [
        any::<L>(a.first, b.first, c.first),
        any::<L>(
            L::iadd(a.first, a.right),
            L::iadd(b.first, b.right),
            L::iadd(c.first, c.right),
        ),
        any::<L>(below[0], below[1], below[2]),
        any::<L>(
            L::iadd(below[0], a.right),
            L::iadd(below[1], b.right),
            L::iadd(below[2], c.right),
        ),
    ]
}

/// The lanes that are not below 0, one bit each.
#[inline(always)]
fn inside<L: Simd>(outside: L::I) -> u16 {
    !L::bits(L::igt(L::isplat(0), outside)) as u16
}

/// Below 0 where one is.
#[inline(always)]
fn any<L: Simd>(a: L::I, b: L::I, c: L::I) -> L::I {
    L::ior(L::ior(a, b), c)
}

#[cfg(test)]
mod tests;
