//! The stages of the fast way, a batch of groups at a time.
//!
//! From a pixel's place to its colour there are some hundred steps, each of which waits for
//! the one before. So all groups of a batch take a few of them, then all of them the next
//! few: a processor works on several groups at once, but cannot look far enough ahead to
//! find the next group behind all of one group's steps.

use super::color::{self, Pair};
use super::interpolate::{Edges, Interpolator, Slope};
use super::quads::{self, Group, Quads};
use super::values::Values;
use super::{FastLanes, FastTriangle};
use crate::frag::{F, Frag, I, LANES};
use crate::raster::inputs::Inputs;
use crate::raster::num::D;
use crate::raster::tile::range;
use crate::raster::tri::Depth;
use crate::rop::Func;
use crate::rop::surface::Area;
use crate::shader::Modulate;
use crate::shader::program::{Fragments, Lanes};
use crate::tex::Texels;
use isotherm_lanes::{Simd, dispatch};
use std::hint::black_box;
use std::mem;

/// Groups of a batch.
const MOST: usize = 8;

/// Groups whose programs take their steps together: as many as the first cache holds.
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
    colors: [[Pair; 2]; MOST],
    /// The new depth words.
    zeta: [[u32; LANES]; MOST],
    groups: [Group; MOST],
    /// Pixels that are drawn.
    masks: [u16; MOST],
    /// What programs work with, of groups that take their steps together.
    lanes: [Lanes; TOGETHER],
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
            colors: [[[0; LANES]; 2]; MOST],
            lanes: std::array::from_fn(|_| Lanes::default()),
            blocks: std::array::from_fn(|_| Frag::default()),
            made: [[[0; LANES]; 4]; TOGETHER],
            zeta: [[0; LANES]; MOST],
            groups: [Group::default(); MOST],
            masks: [0; MOST],
        }
    }
}

/// A triangle and where it is drawn.
pub(super) struct Job<'a> {
    pub(super) triangle: &'a FastTriangle<'a>,
    pub(super) edges: Edges,
    /// Used by [`shaded`] only if there are `values`.
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
    pub(super) color: Area<'a>,
    /// Where depth is tested.
    pub(super) zeta: Option<Area<'a>>,
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
    /// The same with what the pixel units make.
    pub(super) fn shaded(job: &Job<'_>, batch: &mut Batch, frag: &mut Frag) -> u32
        = shaded_any::<Lanes>;
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
                job.triangle.blended::<L>(batch.colors[i], mask, old)
            });
        }
    }
    passed
}

#[inline(always)]
fn shaded_any<L: FastLanes>(job: &Job<'_>, batch: &mut Batch, frag: &mut Frag) -> u32 {
    let mut passed = 0;
    let FastTriangle { draw, attrs, .. } = job.triangle;
    let program = draw
        .program
        .as_ref()
        .filter(|program| program.is_straight());
    let straight = program.zip(attrs.inputs.as_deref());
    // How many of the batch's lanes have what is the same for the whole triangle.
    let mut started = 0;
    for groups in job.quads.batches::<MOST>() {
        let (count, block) = job.depth_stage::<L>(groups, batch);
        if let Some((program, inputs)) = straight {
            for first in (0..count).step_by(TOGETHER) {
                let some = TOGETHER.min(count - first);
                for i in 0..some {
                    // Whoever fills inputs looks for them here.
                    mem::swap(&mut *frag.program, &mut batch.lanes[i]);
                    if i >= started {
                        inputs.start(frag);
                        started += 1;
                    }
                    let (group, mask) = (&batch.groups[first + i], batch.masks[first + i]);
                    job.fill::<L>(inputs, group, block, mask, frag);
                    mem::swap(&mut *frag.program, &mut batch.lanes[i]);
                }
                let colors = &mut batch.colors[first..first + some];
                program.run_blocks(&mut batch.lanes[..some], colors);
            }
        } else if let Some(program) = draw.program.as_ref().zip(attrs.inputs.as_deref()) {
            for i in 0..count {
                let (group, mask) = (&batch.groups[i], batch.masks[i]);
                batch.colors[i] = job.run::<L>(program, group, block, mask, frag);
            }
        } else {
            for first in (0..count).step_by(TOGETHER) {
                let some = TOGETHER.min(count - first);
                for i in 0..some {
                    let frag = &mut batch.blocks[i];
                    if i >= started {
                        attrs.start(draw, frag);
                        started += 1;
                    }
                    frag.mask = batch.masks[first + i];
                    job.interpolate::<L>(&batch.groups[first + i], block, frag);
                }
                let made = &mut batch.made[..some];
                draw.shade.run_blocks(&mut batch.blocks[..some], made);
                for i in 0..some {
                    batch.colors[first + i] = color::pairs_of(&batch.made[i]);
                }
            }
        }
        if let Some(test) = draw.rop.alpha {
            for i in 0..count {
                job.alpha_stage::<L>(test, batch, i, block);
            }
        }
        for i in 0..count {
            passed += job.write_stage::<L>(batch, i, block, |old, mask| {
                job.triangle.blended::<L>(batch.colors[i], mask, old)
            });
        }
    }
    passed
}

/// The same job, of which the compiler knows nothing: else it spreads all of a triangle's
/// numbers to vectors on the stack ahead of the first group, which costs more than the two or
/// three groups of a small triangle.
#[inline(always)]
fn in_place<'j, 'a>(job: &'j Job<'a>) -> &'j Job<'a> {
    black_box(job)
}

impl Job<'_> {
    /// Which pixels of the groups pass the depth test: fills `zeta`, `groups` and `masks`
    /// with the groups that have any. Returns their number, and whether they are blocks.
    #[inline(always)]
    fn depth_stage<L: FastLanes>(
        &self,
        groups: quads::Batch<'_>,
        batch: &mut Batch,
    ) -> (usize, bool) {
        let (all, block) = groups.count();
        let mut count = 0;
        for i in 0..all {
            let (group, mut mask) = groups.group::<L>(i);
            if let (Some((func, _)), Some(zeta)) = (self.triangle.state.depth, &self.zeta) {
                let job = in_place(self);
                let z = match &job.depth {
                    Some(depth) => L::depth(&job.edges, depth, &group, block),
                    None => self.triangle.depth(&self.edges.wide(&group, block)),
                };
                // SAFETY: `cover` lists quads that the areas have.
                let old = unsafe { quads::read::<L>(zeta, &group, block) };
                batch.zeta[count % MOST] = self.triangle.test::<L>(func, &z, &mut mask, &old);
            }
            // Of a block nothing else is looked at.
            batch.groups[count % MOST][0] = group[0];
            if !block {
                batch.groups[count % MOST] = group;
            }
            batch.masks[count % MOST] = mask;
            count += usize::from(mask != 0);
        }
        (count.min(MOST), block)
    }

    /// The alpha test of group `i`, by a function and a reference.
    #[inline(always)]
    fn alpha_stage<L: FastLanes>(
        &self,
        (func, reference): (Func, u32),
        batch: &mut Batch,
        i: usize,
        block: bool,
    ) {
        let alpha = color::alpha_of(&batch.colors[i][1]);
        batch.masks[i] &= L::compare(func, &alpha, &[reference; LANES]);
        if let (Some((_, true)), Some(zeta)) = (self.triangle.state.depth, &self.zeta) {
            // Pixels that are not drawn keep their depth: quads are written whole.
            // SAFETY: `cover` lists quads that the areas have.
            let old = unsafe { quads::read::<L>(zeta, &batch.groups[i], block) };
            batch.zeta[i] = L::choose(batch.masks[i], &batch.zeta[i], &old);
        }
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
        // SAFETY: `cover` lists quads that the areas have.
        unsafe {
            let old = quads::read::<L>(&self.color, group, block);
            quads::write::<L>(&self.color, group, block, &color(&old, mask), mask);
            if let (Some((_, true)), Some(zeta)) = (self.triangle.state.depth, &self.zeta) {
                quads::write::<L>(zeta, group, block, &batch.zeta[i], mask);
            }
        }
        mask.count_ones()
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

impl FastTriangle<'_> {
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
