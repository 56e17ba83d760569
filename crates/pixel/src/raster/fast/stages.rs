//! The stages of the fast way, a batch of groups at a time.
//!
//! From a pixel's place to its colour there are some hundred steps, each of which waits for
//! the one before. So all groups of a batch take a few of them, then all of them the next
//! few: a processor works on several groups at once, but cannot look far enough ahead to
//! find the next group behind all of one group's steps.

use super::color::{self, Pair};
use super::interpolate::{Edges, Interpolator, Slope};
use super::quads::{self, Group, Quads};
use super::sink::Sink;
use super::values::Values;
use super::{FastLanes, FastTriangle};
use crate::frag::{F, Frag, I, LANES};
use crate::raster::attrs::Attrs;
use crate::raster::inputs::Inputs;
use crate::raster::num::D;
use crate::raster::tile::{Draw, range};
use crate::raster::tri::Depth;
use crate::rop::Func;
use crate::shader::program::{BLOCKS, Fragments};
use crate::shader::{Modulate, Shade};
use crate::tex::Texels;
use isotherm_lanes::{Simd, dispatch};
use std::hint::black_box;
use std::mem;

/// Groups of a batch.
const MOST: usize = 8;
/// Places for these and for those that wait, a power of two.
const ROOM: usize = 2 * MOST;

/// Groups whose combiners take their steps together: as many as the first cache holds.
const TOGETHER: usize = 4;

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
    waiting: usize,
    /// What texture shader and combiners work with, and what they make.
    blocks: [Frag; TOGETHER],
    made: [[I; 4]; TOGETHER],
}

impl Batch {
    pub(super) fn new() -> Batch {
        Batch {
            shares: [[[0; LANES]; 2]; MOST],
            coordinates: [[[0.0; LANES]; 2]; MOST],
            texels: [[0; LANES]; MOST],
            colors: [[[0; LANES]; 2]; ROOM],
            blocks: std::array::from_fn(|_| Frag::default()),
            made: [[[0; LANES]; 4]; TOGETHER],
            zeta: [[0; LANES]; ROOM],
            groups: [Group::default(); ROOM],
            masks: [0; ROOM],
            whole: [false; ROOM],
            waiting: 0,
        }
    }

    /// Are there groups that wait?
    #[inline(always)]
    pub(super) fn waits(&self) -> bool {
        self.waiting != 0
    }

    /// Puts what is known of groups from `from` on in front.
    #[inline(always)]
    fn move_up(&mut self, from: usize) {
        for i in 0..self.waiting {
            self.groups[i] = self.groups[from + i];
            self.masks[i] = self.masks[from + i];
            self.whole[i] = self.whole[from + i];
        }
    }
}

/// A triangle and where it is drawn.
pub(super) struct Job<'a> {
    pub(super) triangle: &'a FastTriangle<'a, 'a>,
    pub(super) edges: Edges,
    /// Used by [`combined`] only if there are `values`.
    pub(super) interpolator: Interpolator,
    /// The texture coordinates s and t of [`textured`].
    pub(super) slopes: [Slope; 2],
    /// What texture shader and combiners read, if float32 holds all of its numbers.
    pub(super) values: Option<&'a Values>,
    /// If neither the triangle nor its depths are extreme.
    pub(super) depth: Option<Depth>,
    pub(super) quads: &'a Quads,
    /// The tile's first pixel.
    pub(super) origin: [i32; 2],
    pub(super) sink: Sink<'a>,
}

dispatch! {
    /// Draws a job whose colours come from one texture and the vertices. Returns how many
    /// pixels passed.
    pub(super) fn textured(job: &Job<'_>, modulate: &Modulate, batch: &mut Batch, frag: &mut Frag) -> u32
        = textured_any::<Lanes>;
}

dispatch! {
    /// The same with the vertices' colours alone.
    pub(super) fn colored(job: &Job<'_>, batch: &mut Batch) -> u32
        = colored_any::<Lanes>;
}

dispatch! {
    /// The same by Curie's rules.
    pub(super) fn handed_on(job: &Job<'_>, batch: &mut Batch) -> u32
        = handed_on_any::<Lanes>;
}

dispatch! {
    /// The same with what a program with branches makes.
    pub(super) fn branching(job: &Job<'_>, program: &Fragments, inputs: &Inputs, batch: &mut Batch, frag: &mut Frag) -> u32
        = branching_any::<Lanes>;
}

dispatch! {
    /// The same with what texture shader and combiners make. If they may, the last groups wait
    /// for those of the next triangle.
    pub(super) fn combined(job: &Job<'_>, batch: &mut Batch, frag: &mut Frag) -> u32
        = combined_any::<Lanes>;
}

dispatch! {
    /// The same with what another program makes.
    pub(super) fn programmed(job: &Job<'_>, program: &Fragments, inputs: &Inputs, batch: &mut Batch, frag: &mut Frag) -> u32
        = programmed_any::<Lanes>;
}

dispatch! {
    /// Draws the groups that wait. Returns how many of their pixels passed.
    pub(super) fn rest(sink: &Sink<'_>, batch: &mut Batch, frag: &mut Frag) -> u32
        = rest_any::<Lanes>;
}

#[inline(always)]
fn textured_any<L: FastLanes>(
    job: &Job<'_>,
    modulate: &Modulate,
    batch: &mut Batch,
    frag: &mut Frag,
) -> u32 {
    let stage = modulate.stage % 4;
    let Some(texture) = job.triangle.draw.shade.simple_stage(stage) else {
        return 0;
    };
    let mut passed = 0;
    for groups in job.quads.batches::<MOST>() {
        let (count, block) = job.depth_stage::<L>(groups, batch);
        for i in 0..count {
            let job = in_place(job);
            let weights = L::weights(&job.interpolator, &job.edges, &batch.groups[i], block);
            batch.shares[i] = weights.shares;
            for (slope, out) in job.slopes.iter().zip(&mut batch.coordinates[i]) {
                *out = L::value(slope, &weights);
            }
        }
        for i in 0..count {
            let [s, t] = &batch.coordinates[i];
            batch.texels[i] = texture.sample::<L>(&mut frag.levels[stage], s, t);
        }
        for i in 0..count {
            passed += job.write_stage::<L>(batch, i, block, |old, mask| {
                let texture = Some((modulate, &batch.texels[i]));
                L::finish(job.triangle, texture, &batch.shares[i], mask, old)
            });
        }
    }
    passed
}

#[inline(always)]
fn colored_any<L: FastLanes>(job: &Job<'_>, batch: &mut Batch) -> u32 {
    let constant = job.triangle.attrs.constant[0];
    let mut passed = 0;
    for groups in job.quads.batches::<MOST>() {
        let (count, block) = job.depth_stage::<L>(groups, batch);
        if !constant {
            for i in 0..count {
                batch.shares[i] = L::shares(&job.interpolator, &job.edges, &batch.groups[i], block);
            }
        }
        for i in 0..count {
            passed += job.write_stage::<L>(batch, i, block, |old, mask| {
                L::finish(job.triangle, None, &batch.shares[i], mask, old)
            });
        }
    }
    passed
}

#[inline(always)]
fn handed_on_any<L: FastLanes>(job: &Job<'_>, batch: &mut Batch) -> u32 {
    let Some(inputs) = job.triangle.attrs.inputs.as_deref() else {
        return 0;
    };
    let mixes = inputs.diffuse();
    let mut passed = 0;
    for groups in job.quads.batches::<MOST>() {
        let (count, block) = job.depth_stage::<L>(groups, batch);
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
        for i in 0..count {
            passed += job.write_stage::<L>(batch, i, block, |old, mask| {
                job.sink.blended::<L>(batch.colors[i], mask, old)
            });
        }
    }
    passed
}

#[inline(always)]
fn branching_any<L: FastLanes>(
    job: &Job<'_>,
    program: &Fragments,
    inputs: &Inputs,
    batch: &mut Batch,
    frag: &mut Frag,
) -> u32 {
    let mut passed = 0;
    inputs.start(frag);
    for groups in job.quads.batches::<MOST>() {
        let (count, block) = job.depth_stage::<L>(groups, batch);
        for i in 0..count {
            let (group, mask) = (&batch.groups[i], batch.masks[i]);
            batch.colors[i] = job.run::<L>((program, inputs), group, block, mask, frag);
        }
        passed += job.sink.end::<L, true>(batch, 0, count);
    }
    passed
}

#[inline(always)]
fn combined_any<L: FastLanes>(job: &Job<'_>, batch: &mut Batch, frag: &mut Frag) -> u32 {
    let FastTriangle { draw, attrs, .. } = job.triangle;
    together::<L, _>(job, &Combiners { draw, attrs }, batch, frag)
}

#[inline(always)]
fn programmed_any<L: FastLanes>(
    job: &Job<'_>,
    program: &Fragments,
    inputs: &Inputs,
    batch: &mut Batch,
    frag: &mut Frag,
) -> u32 {
    together::<L, _>(job, &Program { program, inputs }, batch, frag)
}

#[inline(always)]
fn rest_any<L: FastLanes>(sink: &Sink<'_>, batch: &mut Batch, frag: &mut Frag) -> u32 {
    let count = mem::take(&mut batch.waiting);
    match sink.straight() {
        Some(program) => Program::make(program, batch, frag, 0, count),
        None => Combiners::make(&sink.draw.shade, batch, 0, count),
    }
    sink.end::<L, false>(batch, 0, count)
}

/// Who makes the colours of several groups at once.
trait Maker {
    /// How many groups.
    const MOST: usize;

    /// Takes what is the same for a whole triangle to place `at`.
    fn start(&self, batch: &mut Batch, frag: &mut Frag, at: usize);

    /// Takes the batch's group `i` to place `at`.
    fn fill<L: FastLanes>(
        &self,
        job: &Job<'_>,
        batch: &mut Batch,
        frag: &mut Frag,
        i: usize,
        at: usize,
    );

    /// Makes the colours of the first `count` places, which are those of groups from `first` on.
    fn run(&self, batch: &mut Batch, frag: &mut Frag, first: usize, count: usize);
}

/// A straight program.
struct Program<'a> {
    program: &'a Fragments,
    inputs: &'a Inputs,
}

impl Program<'_> {
    #[inline(always)]
    fn make(program: &Fragments, batch: &mut Batch, frag: &mut Frag, first: usize, count: usize) {
        frag.program.block = 0;
        program.run_blocks(&mut frag.program, &mut batch.colors[first..first + count]);
    }
}

impl Maker for Program<'_> {
    const MOST: usize = BLOCKS;

    #[inline(always)]
    fn start(&self, _: &mut Batch, frag: &mut Frag, at: usize) {
        frag.program.block = at;
        self.inputs.start(frag);
    }

    #[inline(always)]
    fn fill<L: FastLanes>(
        &self,
        job: &Job<'_>,
        batch: &mut Batch,
        frag: &mut Frag,
        i: usize,
        at: usize,
    ) {
        frag.program.block = at;
        let (group, mask) = (&batch.groups[i], batch.masks[i]);
        job.fill::<L>(in_place(self.inputs), group, batch.whole[i], mask, frag);
    }

    #[inline(always)]
    fn run(&self, batch: &mut Batch, frag: &mut Frag, first: usize, count: usize) {
        Program::make(self.program, batch, frag, first, count);
    }
}

/// Texture shader and combiners.
struct Combiners<'a> {
    draw: &'a Draw,
    attrs: &'a Attrs,
}

impl Combiners<'_> {
    #[inline(always)]
    fn make(shade: &Shade, batch: &mut Batch, first: usize, count: usize) {
        let made = &mut batch.made[..count];
        shade.run_blocks(&mut batch.blocks[..count], made);
        for i in 0..count {
            batch.colors[first + i] = color::pairs_of(&batch.made[i]);
        }
    }
}

impl Maker for Combiners<'_> {
    const MOST: usize = TOGETHER;

    #[inline(always)]
    fn start(&self, batch: &mut Batch, _: &mut Frag, at: usize) {
        self.attrs.start(self.draw, &mut batch.blocks[at]);
    }

    #[inline(always)]
    fn fill<L: FastLanes>(
        &self,
        job: &Job<'_>,
        batch: &mut Batch,
        _: &mut Frag,
        i: usize,
        at: usize,
    ) {
        let frag = &mut batch.blocks[at];
        frag.mask = batch.masks[i];
        job.interpolate::<L>(&batch.groups[i], batch.whole[i], frag);
    }

    #[inline(always)]
    fn run(&self, batch: &mut Batch, _: &mut Frag, first: usize, count: usize) {
        Combiners::make(&self.draw.shade, batch, first, count);
    }
}

/// A small triangle has two or three groups, and a unit's steps for so few wait for each other
/// most of the time. So groups wait until there are enough, of whatever triangles of the draw:
/// their depth is written at once, their colours later, in order.
#[inline(always)]
fn together<L: FastLanes, M: Maker>(
    job: &Job<'_>,
    maker: &M,
    batch: &mut Batch,
    frag: &mut Frag,
) -> u32 {
    let may_wait = job.sink.may_wait();
    let mut passed = 0;
    // The maker's places that have what is the same for the whole triangle, a bit each.
    let mut started = 0u32;
    for groups in job.quads.batches::<MOST>() {
        let first = batch.waiting;
        let (count, block) = job.depth_stage::<L>(groups, batch);
        let end = first + count;
        let mut done = 0;
        for i in first..end {
            if may_wait {
                job.sink.write_depth::<L>(batch, i, block);
            }
            let at = i % M::MOST;
            if started >> at & 1 == 0 {
                maker.start(batch, frag, at);
                started |= 1 << at;
            }
            maker.fill::<L>(in_place(job), batch, frag, i, at);
            if at == M::MOST - 1 {
                maker.run(batch, frag, done, M::MOST);
                passed += job.sink.end_of::<L>(batch, done, M::MOST, may_wait);
                done += M::MOST;
            }
        }
        batch.waiting = end - done;
        if !may_wait {
            maker.run(batch, frag, done, end - done);
            passed += job.sink.end_of::<L>(batch, done, end - done, false);
            batch.waiting = 0;
        } else if done != 0 {
            batch.move_up(done);
        }
    }
    passed
}

impl Sink<'_> {
    /// The last stages of groups whose colours are made. `tested`: their depth is written
    /// already.
    #[inline(always)]
    fn end_of<L: FastLanes>(
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
        if let Some(test) = self.draw.rop.alpha {
            for i in first..first + count {
                self.alpha_stage::<L>(test, batch, i);
            }
        }
        let mut passed = 0;
        for i in first..first + count {
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
fn in_place<T>(thing: &T) -> &T {
    black_box(thing)
}

impl Job<'_> {
    /// Which pixels of the groups pass the depth test: fills `zeta`, `groups`, `masks` and
    /// `whole` with the groups that have any, behind those that wait. Returns their number, and
    /// whether they are blocks.
    #[inline(always)]
    fn depth_stage<L: FastLanes>(
        &self,
        groups: quads::Batch<'_>,
        batch: &mut Batch,
    ) -> (usize, bool) {
        let (all, block) = groups.count();
        let first = batch.waiting;
        let mut next = first;
        for i in 0..all {
            let (group, mut mask) = groups.group::<L>(i);
            if let (Some((func, _)), Some(zeta)) = (self.triangle.state.depth, &self.sink.zeta) {
                let job = in_place(self);
                let z = match &job.depth {
                    Some(depth) => L::depth(&job.edges, depth, &group, block),
                    None => self.triangle.depth(&self.edges.wide(&group, block)),
                };
                // SAFETY: `cover` lists quads that the areas have.
                let old = unsafe { quads::read::<L>(zeta, &group, block) };
                batch.zeta[next % ROOM] = self.triangle.test::<L>(func, &z, &mut mask, &old);
            }
            // Of a block nothing else is looked at.
            batch.groups[next % ROOM][0] = group[0];
            if !block {
                batch.groups[next % ROOM] = group;
            }
            batch.masks[next % ROOM] = mask;
            batch.whole[next % ROOM] = block;
            next += usize::from(mask != 0);
        }
        ((next - first).min(MOST), block)
    }

    /// Writes group `i`, whose new words `color` makes of the old ones and the pixels that
    /// are drawn. Returns their number.
    #[inline(always)]
    fn write_stage<L: FastLanes>(
        &self,
        batch: &Batch,
        i: usize,
        block: bool,
        color: impl FnOnce(&[u32; LANES], u16) -> [u32; LANES],
    ) -> u32 {
        let (group, mask) = (&batch.groups[i], batch.masks[i]);
        let old = self.sink.old::<L>(group, block);
        let words = color(&old, mask);
        let passed = self.sink.write_color::<L>(group, block, &words, mask);
        self.sink.write_depth::<L>(batch, i, block);
        passed
    }
}

impl Job<'_> {
    /// What texture shader and combiners read of a group's pixels.
    #[inline(always)]
    fn interpolate<L: FastLanes>(&self, group: &Group, block: bool, frag: &mut Frag) {
        let FastTriangle {
            draw, attrs, tri, ..
        } = self.triangle;
        match self.values {
            Some(values) if values.is_empty() => {}
            Some(values) => {
                let weights = L::weights(&self.interpolator, &self.edges, group, block);
                values.fill::<L>(&weights, attrs, &draw.raster.fog, frag);
            }
            None => {
                let (edges, inside) = (self.edges.wide(group, block), frag.mask == 0xffff);
                attrs.fill(tri, &edges, inside, draw, frag);
            }
        }
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
    fn fill<L: FastLanes>(
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
            let at = L::centres(group, block, self.origin);
            let weights = self.color_weights::<L>(inputs, group, block);
            inputs.fill_centres(tri, &at, &weights, frag);
        } else {
            let inside = mask == 0xffff;
            let parts = attrs.parts(tri, &self.edges.wide(group, block), inside);
            inputs.fill_parts(&parts, frag);
        }
    }
}

impl FastTriangle<'_, '_> {
    /// Depth where the edge functions are `e`.
    #[inline(always)]
    fn depth(&self, e: &[D; 3]) -> D {
        let z = &self.attrs.z;
        if z[0] == z[1] && z[1] == z[2] {
            [z[0]; LANES]
        } else {
            self.tri.depth(e, z)
        }
    }

    /// The depth test: takes lanes out of the mask and returns the new words.
    #[inline(always)]
    fn test<L: Simd>(&self, func: Func, z: &D, mask: &mut u16, old: &[u32; LANES]) -> [u32; LANES] {
        let zeta = self.draw.rop.zeta;
        let new = if self.attrs.in_range {
            zeta.convert_wide(z)
        } else {
            zeta.convert(&range(&self.draw.raster, self.attrs.bias, z, mask))
        };
        let (mut stored, mut words) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            stored[i] = old[i] >> 8;
            words[i] = new[i] << 8 | old[i] & 0xff;
        }
        *mask &= L::compare(func, &new, &stored);
        L::choose(*mask, &words, old)
    }
}
