//! The stages of the fast way, a batch of groups at a time.
//!
//! From a pixel's place to its colour there are some hundred steps, each of which waits for
//! the one before. So all groups of a batch take a few of them, then all of them the next
//! few: a processor works on several groups at once, but cannot look far enough ahead to
//! find the next group behind all of one group's steps.

use super::color::{self, Bytes, Pair};
use super::interpolate::{At, Edges, Interpolator, Lines, NearDepth, Slope};
use super::quads::{self, Claims, Group};
use super::sink::Sink;
use super::together::{Combiners, Program, TOGETHER, together};
use super::values::Values;
use super::{FastLanes, FastTriangle};
use crate::frag::{F, Frag, I, LANES};
use crate::raster::attrs::Attrs;
use crate::raster::inputs::Inputs;
use crate::raster::num::D;
use crate::raster::tile::range;
use crate::raster::tri::{Corner4, Depth, Tri};
use crate::rop::Func;
use crate::shader::Modulate;
use crate::shader::program::{ALL_LANES, Fragments};
use crate::tex::Texels;
use isotherm_lanes::{Simd, dispatch};
use std::hint::black_box;
use std::mem;

/// Groups of a batch.
pub(super) const MOST: usize = 8;
/// Places for these and for those that wait, a power of two: a group has a pixel at least.
const ROOM: usize = 2 * ALL_LANES;
const _: () = assert!(ROOM.is_power_of_two() && ROOM >= ALL_LANES + MOST);

/// What is known of a batch between the stages.
#[repr(C, align(64))]
pub(super) struct Batch {
    /// Shares of vertices 0 and 2.
    shares: [[I; 2]; MOST],
    /// Texture coordinates s and t.
    coordinates: [[F; 2]; MOST],
    texels: [Texels; MOST],
    /// What the pixel units made.
    pub(super) colors: [[Pair; 2]; ROOM],
    /// The new depth words.
    pub(super) zeta: [[u32; LANES]; ROOM],
    pub(super) groups: [Group; ROOM],
    /// Pixels that are drawn.
    pub(super) masks: [u16; ROOM],
    /// The groups that are blocks.
    pub(super) whole: [bool; ROOM],
    /// How many groups of triangles before wait for their colours: they are the first ones,
    /// and what those are made of is in the maker's first places.
    pub(super) waiting: usize,
    /// How many of the maker's places are taken, and the first one of each group.
    pub(super) taken: usize,
    pub(super) places: [u8; ROOM],
    /// Pixels that triangles cover whose groups may wait for their depth.
    pub(super) claims: Claims,
    /// What texture shader and combiners work with.
    pub(super) blocks: [Frag; TOGETHER],
}

impl Batch {
    pub(super) fn new() -> Batch {
        Batch {
            shares: [[[0; LANES]; 2]; MOST],
            coordinates: [[[0.0; LANES]; 2]; MOST],
            texels: [[0; LANES]; MOST],
            colors: [[[0; LANES]; 2]; ROOM],
            blocks: std::array::from_fn(|_| Frag::default()),
            zeta: [[0; LANES]; ROOM],
            groups: [Group::default(); ROOM],
            masks: [0; ROOM],
            whole: [false; ROOM],
            waiting: 0,
            taken: 0,
            places: [0; ROOM],
            claims: Claims::default(),
        }
    }

    /// The groups of a batch, if none wait.
    #[inline(always)]
    fn first_groups(&self) -> &[Group; MOST] {
        self.groups.first_chunk().expect("there is room for them")
    }

    /// Takes blocks of which all pixels are drawn, behind the groups that wait.
    #[inline(always)]
    fn take_blocks(&mut self, blocks: &[u32]) -> Found {
        let from = self.waiting.min(ROOM - MOST)..;
        let places = self.groups[from.clone()].iter_mut();
        for (group, &block) in places.zip(blocks) {
            group[0] = [block; 2];
        }
        self.masks[from.clone()][..MOST].fill(u16::MAX);
        self.whole[from][..MOST].fill(true);
        Found {
            count: blocks.len(),
            block: true,
        }
    }

    /// Are there groups that wait?
    #[inline(always)]
    pub(super) fn waits(&self) -> bool {
        self.waiting != 0
    }

    /// Puts what is known of groups from `from` on in front.
    #[inline(always)]
    pub(super) fn move_up(&mut self, from: usize) {
        for i in 0..self.waiting {
            self.zeta[i] = self.zeta[from + i];
            self.groups[i] = self.groups[from + i];
            self.masks[i] = self.masks[from + i];
            self.whole[i] = self.whole[from + i];
            self.places[i] = self.places[from + i];
        }
    }
}

/// How a triangle's depth is found.
#[derive(Clone, Copy)]
enum Way {
    /// Its vertices' depths are near to each other, and nothing is added to them.
    Near,
    /// Neither the triangle nor its depths are extreme.
    Moderate,
    /// All else.
    Any,
}

/// What it is made of, as far as its way needs it. They are filled in their place: copies of
/// either would take as long as to make them.
#[derive(Default)]
pub(super) struct Depths {
    /// Of the weights' sum, if that is constant.
    reciprocal: Option<f64>,
    near: NearDepth,
    lines: Lines,
    moderate: Depth,
}

/// What the depth test of a triangle's groups needs.
pub(super) struct Test<'t, 'a> {
    tri: &'t Tri,
    pub(super) edges: &'t Edges,
    way: Way,
    depths: &'t Depths,
    z: Corner4,
    bias: f64,
    in_range: bool,
    pub(super) sink: &'t Sink<'a>,
}

/// Groups of which something passed the depth test: how many of them are behind those that
/// wait, and whether they are blocks.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) count: usize,
    pub(super) block: bool,
}

/// The groups of a triangle that pass the depth test, batch after batch.
pub(super) struct Tested<'q> {
    /// Those that are in the batch already.
    pub(super) found: Option<Found>,
    pub(super) rest: quads::Batches<'q, MOST>,
}

/// A triangle and where it is drawn.
pub(super) struct Job<'t, 'a> {
    pub(super) triangle: FastTriangle<'t, 'a>,
    pub(super) test: &'t Test<'t, 'a>,
    pub(super) edges: &'t Edges,
    /// Used by [`combined`] only if there are `values`.
    pub(super) interpolator: Interpolator,
    /// The texture coordinates s and t of [`textured`].
    pub(super) slopes: [Slope; 2],
    /// It has those two, as far as its source needs them.
    pub(super) is_plain: bool,
    /// What texture shader and combiners read, if float32 holds all of its numbers.
    pub(super) values: Option<&'t Values>,
    /// The tile's first pixel.
    pub(super) origin: [i32; 2],
    pub(super) sink: &'t Sink<'a>,
}

dispatch! {
    /// Draws a job whose colours come from one texture and the vertices. Returns how many
    /// pixels passed.
    pub(super) fn textured(job: &Job<'_, '_>, tested: Tested<'_>, modulate: &Modulate, batch: &mut Batch, frag: &mut Frag) -> u32
        = textured_any::<Lanes>;
}

dispatch! {
    /// The same with the vertices' colours alone.
    pub(super) fn colored(job: &Job<'_, '_>, tested: Tested<'_>, batch: &mut Batch) -> u32
        = colored_any::<Lanes>;
}

dispatch! {
    /// The same by Curie's rules.
    pub(super) fn handed_on(job: &Job<'_, '_>, tested: Tested<'_>, batch: &mut Batch) -> u32
        = handed_on_any::<Lanes>;
}

dispatch! {
    /// The same with what a program with branches makes.
    pub(super) fn branching(job: &Job<'_, '_>, tested: Tested<'_>, program: &Fragments, inputs: &Inputs, batch: &mut Batch, frag: &mut Frag) -> u32
        = branching_any::<Lanes>;
}

dispatch! {
    /// The same with what texture shader and combiners make. If they may, the last groups wait
    /// for those of the next triangle.
    pub(super) fn combined(job: &Job<'_, '_>, tested: Tested<'_>, batch: &mut Batch, frag: &mut Frag) -> u32
        = combined_any::<Lanes>;
}

dispatch! {
    /// The same with what another program makes.
    pub(super) fn programmed(job: &Job<'_, '_>, tested: Tested<'_>, program: &Fragments, inputs: &Inputs, batch: &mut Batch, frag: &mut Frag) -> u32
        = programmed_any::<Lanes>;
}

dispatch! {
    /// Draws the groups that wait. Returns how many of their pixels passed.
    pub(super) fn rest(sink: &Sink<'_>, batch: &mut Batch, frag: &mut Frag) -> u32
        = rest_any::<Lanes>;
}

dispatch! {
    /// [`Job::fill_wide`], apart from those that hardly ever need it: its constants would take
    /// their registers.
    fn fill_wide(job: &Job<'_, '_>, group: &Group, block: bool, frag: &mut Frag)
        = Job::fill_wide;
}

#[inline(always)]
fn textured_any<L: FastLanes>(
    job: &Job<'_, '_>,
    tested: Tested<'_>,
    modulate: &Modulate,
    batch: &mut Batch,
    frag: &mut Frag,
) -> u32 {
    let stage = modulate.stage % 4;
    let Some(texture) = job.triangle.draw.shade.simple_stage(stage) else {
        return 0;
    };
    let (mut tested, mut passed) = (tested, 0);
    while let Some(Found { count, block }) = job.next::<L>(&mut tested, batch) {
        // Twice, so that either knows what its groups are.
        if block {
            job.place_groups::<L>(batch, count, true);
        } else {
            job.place_groups::<L>(batch, count, false);
        }
        for i in 0..count {
            let [s, t] = &batch.coordinates[i];
            batch.texels[i] = texture.sample::<L>(&mut frag.levels[stage], s, t);
        }
        let modulate = *in_place(modulate);
        let color = |triangle: &FastTriangle<'_, '_>, i: usize, mask: u16, old: &[u32; LANES]| {
            let texture = Some((&modulate, &batch.texels[i]));
            L::finish(triangle, texture, &batch.shares[i], mask, old)
        };
        passed += if block {
            job.write_groups::<L>(batch, count, true, color)
        } else {
            job.write_groups::<L>(batch, count, false, color)
        };
    }
    passed
}

#[inline(always)]
fn colored_any<L: FastLanes>(job: &Job<'_, '_>, tested: Tested<'_>, batch: &mut Batch) -> u32 {
    let (mut tested, mut passed) = (tested, 0);
    while let Some(Found { count, block }) = job.next::<L>(&mut tested, batch) {
        passed += if block {
            job.color_groups::<L>(batch, count, true)
        } else {
            job.color_groups::<L>(batch, count, false)
        };
    }
    passed
}

#[inline(always)]
fn handed_on_any<L: FastLanes>(job: &Job<'_, '_>, tested: Tested<'_>, batch: &mut Batch) -> u32 {
    let Some(inputs) = job.triangle.attrs.inputs.as_deref() else {
        return 0;
    };
    let mixes = inputs.diffuse();
    // Blocks come first.
    let has_blocks = tested.found.is_some_and(|found| found.block);
    let steps = has_blocks.then(|| inputs.steps(job.origin)).flatten();
    let FastTriangle { state, draw, .. } = job.triangle;
    let bytes = steps.map(|steps| Bytes::new(steps, mixes, state, &draw.rop));
    let (mut tested, mut passed) = (tested, 0);
    while let Some(Found { count, block }) = job.next::<L>(&mut tested, batch) {
        if let (Some(bytes), true) = (&bytes, block) {
            passed += job.write_groups::<L>(batch, count, true, |_, i, mask, old| {
                let place = quads::place(batch.groups[i][0][0]);
                L::finish_bytes(bytes, place, mask, old)
            });
            continue;
        }
        for i in 0..count {
            let weights = &job.color_weights::<L>(inputs, &batch.groups[i], block);
            let [r, g, b, a] = &mixes;
            batch.colors[i] = color::pairs_of_quads::<L>(&[
                r.bytes(weights),
                g.bytes(weights),
                b.bytes(weights),
                a.bytes(weights),
            ]);
        }
        passed += job.write_groups::<L>(batch, count, block, |_, i, mask, old| {
            job.sink.blended::<L>(batch.colors[i], mask, old)
        });
    }
    passed
}

#[inline(always)]
fn branching_any<L: FastLanes>(
    job: &Job<'_, '_>,
    tested: Tested<'_>,
    program: &Fragments,
    inputs: &Inputs,
    batch: &mut Batch,
    frag: &mut Frag,
) -> u32 {
    let (mut tested, mut passed) = (tested, 0);
    inputs.start(frag);
    while let Some(Found { count, block }) = job.next::<L>(&mut tested, batch) {
        for i in 0..count {
            let (group, mask) = (&batch.groups[i], batch.masks[i]);
            batch.colors[i] = job.run::<L>((program, inputs), group, block, mask, frag);
        }
        passed += job.sink.end::<L, true>(batch, 0, count);
    }
    passed
}

#[inline(always)]
fn combined_any<L: FastLanes>(
    job: &Job<'_, '_>,
    tested: Tested<'_>,
    batch: &mut Batch,
    frag: &mut Frag,
) -> u32 {
    let FastTriangle { draw, attrs, .. } = job.triangle;
    together::<L, _>(job, tested, &Combiners { draw, attrs }, batch, frag)
}

#[inline(always)]
fn programmed_any<L: FastLanes>(
    job: &Job<'_, '_>,
    tested: Tested<'_>,
    program: &Fragments,
    inputs: &Inputs,
    batch: &mut Batch,
    frag: &mut Frag,
) -> u32 {
    let apart = L::WORTH && program.stands_apart();
    let maker = Program {
        program,
        inputs,
        apart,
    };
    together::<L, _>(job, tested, &maker, batch, frag)
}

#[inline(always)]
fn rest_any<L: FastLanes>(sink: &Sink<'_>, batch: &mut Batch, frag: &mut Frag) -> u32 {
    let count = mem::take(&mut batch.waiting);
    match sink.straight() {
        Some(program) => {
            let apart = L::WORTH && program.stands_apart();
            Program::make(program, apart, batch, frag, 0, count);
        }
        None => Combiners::make(&sink.draw.shade, batch, 0, count),
    }
    batch.taken = 0;
    sink.end_of::<L>(batch, 0, count, !sink.depth_waits)
}

impl Sink<'_> {
    /// The last stages of groups whose colours are made. `tested`: their depth is written
    /// already.
    #[inline(always)]
    pub(super) fn end_of<L: FastLanes>(
        &self,
        batch: &mut Batch,
        first: usize,
        count: usize,
        tested: bool,
    ) -> u32 {
        if tested {
            self.end::<L, false>(batch, first, count)
        } else {
            self.end::<L, true>(batch, first, count)
        }
    }

    /// The same: alpha test, blending, memory. `DEPTH`: depth is written, too. Returns how many pixels were drawn.
    #[inline(always)]
    fn end<L: FastLanes, const DEPTH: bool>(
        &self,
        batch: &mut Batch,
        first: usize,
        count: usize,
    ) -> u32 {
        let mut passed = 0;
        for i in first..first + count {
            // Of one group after the other: they may have quads in common.
            if let Some(test) = self.draw.rop.alpha {
                self.alpha_stage::<L>(test, batch, i);
            }
            let (group, block, mask) = (&batch.groups[i], batch.whole[i], batch.masks[i]);
            let old = self.old::<L>(group, block);
            let words = self.blended::<L>(batch.colors[i], mask, &old);
            passed += self.write_color::<L>(group, block, &words, mask);
            if DEPTH {
                self.write_depth::<L>(batch, i, batch.whole[i]);
            }
        }
        passed
    }
}

/// The same thing, of which the compiler knows nothing: else it spreads all of a triangle's
/// numbers to vectors on the stack ahead of the first group, which costs more than the two or
/// three groups of a small triangle, and computes with those that are not there.
#[inline(always)]
pub(super) fn in_place<T>(thing: &T) -> &T {
    black_box(thing)
}

impl Depths {
    /// Begins with a triangle. A reciprocal takes long, but what does not need it can be done at
    /// the same time, if it comes behind it.
    #[inline(always)]
    pub(super) fn begin(&mut self, tri: &Tri) {
        self.reciprocal = tri.depth_reciprocal();
    }

    #[inline(always)]
    fn way<L: FastLanes>(&mut self, edges: &Edges, attrs: &Attrs) -> Way {
        let Some(r) = self.reciprocal else {
            return Way::Any;
        };
        let edges = in_place(edges);
        if attrs.in_range && L::near(&mut self.near, edges, r, &attrs.z) {
            return Way::Near;
        }
        match Depth::moderate(r, &attrs.z) {
            Some(depth) => {
                self.lines.take(edges);
                self.moderate = depth;
                Way::Moderate
            }
            None => Way::Any,
        }
    }
}

impl<'t, 'a> Test<'t, 'a> {
    /// The test of a triangle whose attributes and depths have begun.
    #[inline(always)]
    pub(super) fn new<L: FastLanes>(
        tri: &'t Tri,
        edges: &'t Edges,
        sink: &'t Sink<'a>,
        attrs: &Attrs,
        depths: &'t mut Depths,
    ) -> Self {
        let way = match &sink.zeta {
            Some(_) => depths.way::<L>(edges, attrs),
            None => Way::Any,
        };
        Test {
            tri,
            edges,
            way,
            depths,
            z: attrs.z,
            bias: attrs.bias,
            in_range: attrs.in_range,
            sink,
        }
    }

    /// Which pixels of the groups pass: fills `zeta`, `groups`, `masks` and `whole` with the
    /// groups that have any, behind those that wait.
    #[inline(always)]
    pub(super) fn groups<L: FastLanes>(
        &self,
        groups: quads::Batch<'_>,
        batch: &mut Batch,
    ) -> Found {
        let first = batch.waiting;
        let mut next = first;
        // Twice, so that either knows what its groups are.
        let block = match groups {
            quads::Batch::Blocks(blocks) => {
                for &block in blocks {
                    let group = [[block; 2]; quads::QUADS];
                    next += self.group::<L>(&group, true, u16::MAX, batch, next % ROOM);
                }
                true
            }
            quads::Batch::Quads(groups) => {
                for group in groups {
                    let covered = L::covered(group);
                    next += self.group::<L>(group, false, covered, batch, next % ROOM);
                }
                false
            }
        };
        Found {
            count: (next - first).min(MOST),
            block,
        }
    }

    /// The same of one group with these covered pixels, which goes to place `i` of the batch.
    /// Returns 1 if some pass, else 0.
    #[inline(always)]
    fn group<L: FastLanes>(
        &self,
        group: &Group,
        block: bool,
        mut mask: u16,
        batch: &mut Batch,
        i: usize,
    ) -> usize {
        if let (Some((func, _)), Some(zeta)) = (self.sink.state.depth, &self.sink.zeta) {
            let test = in_place(self);
            let new = match test.way {
                Way::Near => {
                    let z = L::near_depth(&test.depths.near, group, block);
                    self.sink.draw.rop.zeta.convert(&z)
                }
                Way::Moderate => {
                    let Depths {
                        lines, moderate, ..
                    } = test.depths;
                    let z = L::depth(lines, moderate, group, block);
                    self.stored(&z, &mut mask)
                }
                Way::Any => {
                    let z = self.depth(&self.edges.wide(group, block));
                    self.stored(&z, &mut mask)
                }
            };
            // SAFETY: `cover` lists quads that the areas have.
            let old = unsafe { quads::read::<L>(zeta, group, block) };
            batch.zeta[i] = self.words::<L>(func, &new, &mut mask, &old);
        }
        if block {
            // Of a block nothing else is looked at.
            batch.groups[i][0] = group[0];
        } else {
            batch.groups[i] = *group;
        }
        batch.masks[i] = mask;
        batch.whole[i] = block;
        usize::from(mask != 0)
    }

    /// Depth where the edge functions are `e`.
    #[inline(always)]
    fn depth(&self, e: &[D; 3]) -> D {
        let z = &self.z;
        if z[0] == z[1] && z[1] == z[2] {
            [z[0]; LANES]
        } else {
            self.tri.depth(e, z)
        }
    }

    /// Depth as the buffer's numbers; takes lanes that are out of range out of the mask.
    #[inline(always)]
    fn stored(&self, z: &D, mask: &mut u16) -> [u32; LANES] {
        let draw = self.sink.draw;
        if self.in_range {
            return draw.rop.zeta.convert_wide(z);
        }
        let z = range(&draw.raster, self.bias, z, mask);
        draw.rop.zeta.convert(&z)
    }

    /// The depth test: takes lanes out of the mask and returns the new words.
    #[inline(always)]
    fn words<L: Simd>(
        &self,
        func: Func,
        new: &[u32; LANES],
        mask: &mut u16,
        old: &[u32; LANES],
    ) -> [u32; LANES] {
        let (mut stored, mut words) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            stored[i] = old[i] >> 8;
            words[i] = new[i] << 8 | old[i] & 0xff;
        }
        *mask &= L::compare(func, new, &stored);
        L::choose(*mask, &words, old)
    }
}

impl Job<'_, '_> {
    /// Finds shares and texture coordinates of the first groups of a batch; `block` says that
    /// they are blocks.
    #[inline(always)]
    fn place_groups<L: FastLanes>(&self, batch: &mut Batch, count: usize, block: bool) {
        let Job {
            edges,
            interpolator,
            slopes,
            ..
        } = in_place(self);
        // Copies are nobody else's: their vectors are made once for all blocks.
        let (edges, interpolator, slopes) = (**edges, *interpolator, *slopes);
        let firsts = edges.firsts(batch.first_groups());
        for i in 0..count {
            let at = At::new(&batch.groups[i], block, &firsts, i);
            let weights = if block {
                L::weights(&interpolator, &edges, at)
            } else {
                let job = in_place(self);
                L::weights(&job.interpolator, job.edges, at)
            };
            let slopes = if block {
                &slopes
            } else {
                &in_place(self).slopes
            };
            batch.shares[i] = weights.shares;
            for (slope, out) in slopes.iter().zip(&mut batch.coordinates[i]) {
                *out = L::value(slope, &weights);
            }
        }
    }

    /// Draws the first groups of a batch with the vertices' colours; `block` says that they are
    /// blocks. Returns how many pixels.
    ///
    /// One group after the other, without stages: their numbers would take the cache's room
    /// from the surface.
    #[inline(always)]
    fn color_groups<L: FastLanes>(&self, batch: &Batch, count: usize, block: bool) -> u32 {
        let job = in_place(self);
        let (edges, interpolator) = (*job.edges, job.interpolator);
        let firsts = edges.firsts(batch.first_groups());
        self.write_groups::<L>(batch, count, block, |triangle, i, mask, old| {
            let at = At::new(&batch.groups[i], block, &firsts, i);
            let shares = if triangle.constant {
                [[0; LANES]; 2]
            } else {
                L::shares(&interpolator, &edges, at)
            };
            L::finish(triangle, None, &shares, mask, old)
        })
    }

    /// Writes the first groups of a batch, whose new words `color` makes of the old ones and the
    /// pixels that are drawn. Returns their number.
    ///
    /// What is the same for all of them is copied first: else the compiler has to read it again
    /// after each group's words are written, which might be anywhere.
    #[inline(always)]
    fn write_groups<L: FastLanes>(
        &self,
        batch: &Batch,
        count: usize,
        block: bool,
        color: impl Fn(&FastTriangle<'_, '_>, usize, u16, &[u32; LANES]) -> [u32; LANES],
    ) -> u32 {
        let job = in_place(self);
        let state = &{ *job.triangle.state };
        let triangle = FastTriangle {
            state,
            ..job.triangle
        };
        let sink = Sink { state, ..*job.sink };
        let mut passed = 0;
        for i in 0..count {
            let (group, mask) = (&batch.groups[i], batch.masks[i]);
            let old = sink.old::<L>(group, block);
            let words = color(&triangle, i, mask, &old);
            passed += sink.write_color::<L>(group, block, &words, mask);
            sink.write_depth::<L>(batch, i, block);
        }
        passed
    }

    /// The next groups that passed, if there may be any.
    #[inline(always)]
    pub(super) fn next<L: FastLanes>(
        &self,
        tested: &mut Tested<'_>,
        batch: &mut Batch,
    ) -> Option<Found> {
        if let Some(found) = tested.found.take() {
            return Some(found);
        }
        let groups = tested.rest.next()?;
        if let (quads::Batch::Blocks(blocks), None) = (groups, self.sink.state.depth) {
            return Some(batch.take_blocks(blocks));
        }
        Some(self.test.groups::<L>(groups, batch))
    }
}

impl Job<'_, '_> {
    /// What texture shader and combiners read of a group's pixels.
    #[inline(always)]
    pub(super) fn interpolate<L: FastLanes>(&self, group: &Group, block: bool, frag: &mut Frag) {
        let FastTriangle { draw, attrs, .. } = self.triangle;
        match self.values {
            Some(values) if values.is_empty() => {}
            Some(values) => {
                let first = self.edges.first(group);
                let at = At::new(group, block, &first, 0);
                let weights = L::weights(&self.interpolator, self.edges, at);
                values.fill::<L>(&weights, attrs, &draw.raster.fog, frag);
            }
            None => fill_wide(draw.shade.level(), self, group, block, frag),
        }
    }

    /// The same with numbers that float32 might not hold.
    #[inline(always)]
    fn fill_wide(&self, group: &Group, block: bool, frag: &mut Frag) {
        let FastTriangle {
            draw, attrs, tri, ..
        } = self.triangle;
        let (edges, inside) = (self.edges.wide(group, block), frag.mask == 0xffff);
        attrs.fill(tri, &edges, inside, draw, frag);
    }

    /// What a program with branches makes of a group.
    #[inline(always)]
    fn run<L: FastLanes>(
        &self,
        (program, inputs): (&Fragments, &Inputs),
        group: &Group,
        block: bool,
        mask: u16,
        frag: &mut Frag,
    ) -> [Pair; 2] {
        frag.mask = mask;
        self.fill::<L>(inputs, group, block, mask, frag);
        program.run_pairs(frag)
    }

    /// The weights of Curie's colours, by quads.
    #[inline(always)]
    fn color_weights<L: FastLanes>(&self, inputs: &Inputs, group: &Group, block: bool) -> [I; 2] {
        match inputs.quick() {
            Some(quick) => L::color_weights(quick, group, block, self.origin),
            None => {
                let at = L::centres(group, block, self.origin);
                inputs.color_weights(self.triangle.tri, &at)
            }
        }
    }

    /// A program's inputs for a group of which the lanes in `mask` are drawn.
    #[inline(always)]
    pub(super) fn fill<L: FastLanes>(
        &self,
        inputs: &Inputs,
        group: &Group,
        block: bool,
        mask: u16,
        frag: &mut Frag,
    ) {
        let FastTriangle { attrs, tri, .. } = self.triangle;
        if !inputs.vary() {
            return;
        }
        if inputs.by_centres() {
            if let Some(quick) = inputs.quick() {
                let weights = L::color_weights(quick, group, block, self.origin);
                inputs.fill_colors(&weights, frag);
            }
            if inputs.has_planes() {
                inputs.fill_planes(&L::centres(group, block, self.origin), frag);
            }
            if inputs.needs_exact() {
                // Out of sight, they are read as the vectors that were written.
                let exact = L::exact(tri, group, block, self.origin);
                inputs.fill_exact(tri, in_place(&exact), frag);
            }
        } else {
            let inside = mask == 0xffff;
            let parts = attrs.parts(tri, &self.edges.wide(group, block), inside);
            inputs.fill_parts(&parts, frag);
        }
    }
}
