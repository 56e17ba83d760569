//! The tile worker: primitives of one tile, in order, down to memory.
//!
//! A triangle goes the fast way ([`super::fast`]) where its draw's state allows it; all else
//! goes the general way, whose path reads top to bottom in `Tile::block`.

use super::ahead::Ahead;
use super::attrs::Attrs;
use super::clip::{self, empty, intersect, stipple};
use super::fast::{self, Covering, FastLanes, FastState, Hiding, Scratch, Sink};
use super::line::Line;
use super::num::{D, asum2, t24};
use super::planes;
use super::point::Point;
use super::positions::Positions;
use super::shape::{DepthAt, Shape, Thin};
use super::smooth::{CENTRED, CORNERED, Coverage};
use super::tri::{Tri, behind_eye, is_placed};
use super::{Prim, PrimKind, RasterState};
use crate::assm::Settings;
use crate::frag::{F, Frag, HEIGHT, I, LANES, WIDTH};
use crate::rop::clear::Clear;
use crate::rop::{At, Rop, Target, Tested};
use crate::shader::Shade;
use crate::shader::program::Fragments;
use crate::watch::Pixel;
use crate::zcull::ClipTest;
use isotherm_bus::verts::{Verts, VtxHead};
use isotherm_lanes::{Level, dispatch};
use std::sync::atomic::{AtomicU64, Ordering};

/// A draw's prepared state, shared by its primitives.
#[derive(Clone, Debug)]
pub struct Draw {
    /// Primitive assembly's switches.
    pub assm: Settings,
    /// The rasteriser's.
    pub raster: RasterState,
    /// The raster operations'.
    pub rop: Rop,
    /// The texture shader's and the combiners'.
    pub shade: Shade,
    /// A fragment program that runs instead of them.
    pub program: Option<Fragments>,
    /// Texture coordinate sets that the pixel units read, one bit each.
    pub sets: u32,
    /// The pixel units may kill lanes or replace depth: tests come after them.
    pub late: bool,
    /// Window clip IDs, if they are tested.
    pub clip_ids: Option<ClipTest>,
    /// How triangles go the fast way. `None` sends them the general one.
    pub fast: Option<FastState>,
    /// Texture coordinates that run around a cylinder.
    pub cylinder: [[bool; 4]; 4],
    /// The buffer's depth where a program has 1.
    pub depth_scale: f32,
    /// Sample positions (u) and places in memory.
    pub samples: Vec<([f64; 2], (u32, u32))>,
}

impl Draw {
    /// Are there samples that do not lie at pixel centres?
    #[inline(always)]
    pub fn beside_centres(&self) -> bool {
        self.samples.iter().any(|s| s.0 != [8.0, 8.0])
    }

    /// May the pixel units read texture coordinates?
    #[inline(always)]
    pub(super) fn reads_sets(&self) -> bool {
        self.sets != 0 || self.program.is_some()
    }
}

/// What all workers read.
pub struct Work<'a> {
    /// Prepared states.
    pub draws: &'a [Draw],
    /// Vertices after transformation.
    pub verts: &'a Verts,
    /// What to draw.
    pub prims: &'a [Prim],
    /// The clears among them.
    pub clears: &'a [Clear],
    /// Where to.
    pub target: Target<'a>,
    /// Block steps that loops of fragment programs may still take. Workers draw at the same
    /// time only where there are enough for all.
    pub loop_steps: &'a AtomicU64,
}

/// Pixels that passed all tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// All of them.
    pub all: u64,
    /// Those that the ZPASS counter counts.
    pub counted: u64,
}

impl std::ops::Add for Passed {
    type Output = Passed;

    fn add(self, other: Passed) -> Passed {
        Passed {
            all: self.all + other.all,
            counted: self.counted + other.counted,
        }
    }
}

impl Passed {
    #[inline(always)]
    fn take(&mut self, pixels: u32, counted: bool) {
        self.all += u64::from(pixels);
        self.counted += u64::from(if counted { pixels } else { 0 });
    }
}

/// What is drawn in a tile.
#[derive(Clone, Copy)]
pub struct Bin<'a> {
    /// Its pixels, max exclusive.
    pub rect: [i32; 4],
    /// The primitives' numbers, in order.
    pub list: &'a [u32],
}

/// Draws a tile that no other worker touches. `next` is what the worker will most likely draw
/// then. `watch` follows one of the tile's pixels.
pub fn draw_tile(
    level: Level,
    work: &Work<'_>,
    bin: Bin<'_>,
    next: Option<Bin<'_>>,
    watch: Option<Pixel<'_>>,
) -> Passed {
    let Bin { rect, list } = bin;
    let mut scratch = Scratch::take();
    let mut tile = Tile {
        work,
        watch,
        rect,
        frag: scratch.fragments(),
        passed: Passed::default(),
        level,
        scratch,
        aim: None,
        attrs: None,
        ahead: Ahead::new(work, bin, next),
        hiding: Hiding::default(),
    };
    let left = work.loop_steps.load(Ordering::Relaxed);
    tile.frag.program.left = left;
    primitives(level, &mut tile, list);
    let taken = left - tile.frag.program.left;
    work.loop_steps.fetch_sub(taken, Ordering::Relaxed);
    tile.scratch.give_back(tile.frag);
    tile.passed
}

dispatch! {
    fn primitives(tile: &mut Tile<'_>, list: &[u32]) = primitives_any::<Lanes>;
}

#[inline(always)]
fn primitives_any<L: FastLanes>(tile: &mut Tile<'_>, list: &[u32]) {
    tile.ahead.begin(tile.work, list);
    for (i, &index) in list.iter().enumerate() {
        tile.ahead.ask(tile.work, &list[i..]);
        tile.primitive::<L>(index);
    }
    tile.finish();
}

/// One worker on one tile.
struct Tile<'a> {
    work: &'a Work<'a>,
    watch: Option<Pixel<'a>>,
    /// Pixels, max exclusive.
    rect: [i32; 4],
    frag: Frag,
    passed: Passed,
    level: Level,
    scratch: Box<Scratch>,
    /// Where triangles of the last draw go. Pixels that wait for their colours are of that draw:
    /// whoever draws something else finishes them first.
    aim: Option<Aim<'a>>,
    /// What the last primitive interpolated; its memory is the next one's.
    attrs: Option<Box<Attrs>>,
    /// What later primitives will need.
    ahead: Ahead,
    /// Whether it is worth looking for triangles that are hidden.
    hiding: Hiding,
}

/// What the triangles of a draw have in common in a tile.
struct Aim<'a> {
    draw: &'a Draw,
    /// The pixels that they may touch, and all blocks among them that they may touch as a whole.
    limits: [i32; 4],
    whole: [i32; 4],
    /// Where they end if they go the fast way.
    sink: Option<Sink<'a>>,
}

/// A block of a primitive on the general way.
#[derive(Clone, Copy)]
struct Block<'a> {
    shape: &'a dyn Shape,
    draw: &'a Draw,
    prim: &'a Prim,
    attrs: &'a Attrs,
    /// The first pixel.
    x: i32,
    y: i32,
}

impl Block<'_> {
    /// One of its samples.
    fn at(&self, sample: (u32, u32)) -> At {
        let bounds = &self.draw.raster.clip.bounds;
        At {
            x: self.x,
            y: self.y,
            sample,
            whole: clip::lanes(bounds, self.x, self.y) == 0xffff,
        }
    }
}

/// What became of a block's samples in the tests.
type Tests = [Option<Tested>; 4];

impl<'a> Tile<'a> {
    #[inline(always)]
    fn primitive<L: FastLanes>(&mut self, index: u32) {
        let work = self.work;
        let prim = &work.prims[index as usize];
        if let Some(watch) = &mut self.watch {
            watch.prim(work, index);
        }
        match prim.kind {
            PrimKind::Triangle => self.triangle::<L>(prim),
            PrimKind::Line | PrimKind::Point => self.line_or_point(prim),
            PrimKind::Clear => self.clear(prim),
        }
    }

    /// Draws what waits for its colours.
    #[inline(always)]
    fn finish(&mut self) {
        if !self.scratch.waits() {
            return;
        }
        if let Some(Aim {
            sink: Some(sink), ..
        }) = &self.aim
        {
            let passed = fast::finish(self.level, sink, &mut self.scratch, &mut self.frag);
            self.passed.take(passed, sink.counts());
        }
    }

    #[inline(never)]
    fn clear(&mut self, prim: &Prim) {
        self.finish();
        let clear = &self.work.clears[prim.v[0] as usize];
        clear_run(self.level, clear, &self.work.target, &self.rect);
        if let Some(watch) = &mut self.watch {
            watch.cleared(&self.work.target, clear);
        }
    }

    #[inline(always)]
    fn triangle<L: FastLanes>(&mut self, prim: &Prim) {
        let work = self.work;
        let draw = &work.draws[prim.draw as usize];
        let (limits, whole) = self.aim(draw);
        let r = intersect(prim.bounds, limits);
        if empty(&r) {
            return;
        }
        let inside = is_inside(r, whole);
        let v = vertices(work, prim);
        let at = Positions::new(v);
        let mut attrs = self.attrs.take().unwrap_or_default();
        attrs.begin(draw, prim, &at);
        let tri = if inside && self.is_hidden::<L>(&attrs, &at, r) {
            None
        } else {
            Tri::at(&at, is_placed(v), draw.raster.perspective)
        };
        // Where it is made it stays: a copy would wait for its stores.
        let Some(tri) = &tri else {
            self.attrs = Some(attrs);
            return;
        };
        let drawn = if inside || !empty(&intersect(r, whole)) {
            self.fast::<L>(prim, tri, &mut attrs, r, whole)
        } else {
            None
        };
        if let Some(passed) = drawn {
            self.passed.take(passed, draw.rop.count);
        }
        if drawn.is_none() || !inside {
            let r = blocks_around(r);
            let skip = drawn.map(|_| intersect(r, whole));
            attrs.complete_triangle(self.level, draw, prim, work.verts, tri);
            self.general(tri, draw, prim, &attrs, r, skip);
        }
        self.attrs = Some(attrs);
    }

    /// Turns to a draw's triangles. Returns which pixels they may touch, and which blocks as a
    /// whole.
    #[inline(always)]
    fn aim(&mut self, draw: &'a Draw) -> ([i32; 4], [i32; 4]) {
        match &self.aim {
            Some(aim) if std::ptr::eq(aim.draw, draw) => (aim.limits, aim.whole),
            _ => self.aim_anew(draw),
        }
    }

    #[inline(never)]
    fn aim_anew(&mut self, draw: &'a Draw) -> ([i32; 4], [i32; 4]) {
        self.finish();
        let origin = [self.rect[0], self.rect[1]];
        let limits = intersect(self.rect, draw.raster.clip.bounds);
        let whole = blocks_inside(limits);
        self.aim = Some(Aim {
            draw,
            limits,
            whole,
            sink: Sink::new(draw, &self.work.target, whole, origin),
        });
        (limits, whole)
    }

    /// Where the triangles of the last draw end, if they go the fast way.
    #[inline(always)]
    fn sink(&self) -> Option<&Sink<'a>> {
        self.aim.as_ref()?.sink.as_ref()
    }

    /// Is a triangle of the draw that has the sink behind all that is there in `r`, which lies in
    /// blocks that it may touch as a whole?
    #[inline(always)]
    fn is_hidden<L: FastLanes>(
        &mut self,
        attrs: &Attrs,
        Positions([.., w]): &Positions,
        r: [i32; 4],
    ) -> bool {
        // The watch is told of each pixel that fails.
        let (Some(sink), None) = (self.sink(), &self.watch) else {
            return false;
        };
        if behind_eye(w[0] | w[1] | w[2]) || !self.hiding.is_likely() {
            return false;
        }
        let [x, y, ..] = self.rect;
        let hidden = fast::is_hidden::<L>(sink, attrs, [r[0] - x, r[1] - y, r[2] - x, r[3] - y]);
        self.hiding.learn(hidden);
        hidden
    }

    /// Draws what the triangle has in `r` the fast way, if it may go it, as far as it lies in
    /// `whole` blocks: some of it does. Returns the number of pixels that passed. What it
    /// interpolates has begun, and is completed if it is needed.
    #[inline(always)]
    fn fast<L: FastLanes>(
        &mut self,
        prim: &Prim,
        tri: &Tri,
        attrs: &mut Attrs,
        r: [i32; 4],
        whole: [i32; 4],
    ) -> Option<u32> {
        // Only the general way tells the watch what happens.
        if self.watch.is_some() {
            return None;
        }
        let covering = Covering {
            sink: self.aim.as_ref()?.sink.as_ref()?,
            prim,
            verts: self.work.verts,
            tri,
            r,
            whole,
            origin: [self.rect[0], self.rect[1]],
        };
        covering.draw::<L>(self.level, attrs, &mut self.scratch, &mut self.frag)
    }

    #[inline(never)]
    fn line_or_point(&mut self, prim: &Prim) {
        let work = self.work;
        let draw = &work.draws[prim.draw as usize];
        let state = &draw.raster;
        let v = vertices(work, prim);
        let (shape, count) = if prim.kind == PrimKind::Line {
            let (ends, style) = ([v[0], v[1]], state.line_style());
            let line = Line::new(ends, state.line_width, style, state.perspective);
            (line.map(Thin::Line), 2)
        } else {
            let point = Point::new(v[0], point_size(state, v[0]), state.multisample);
            (point.map(Thin::Point), 1)
        };
        let Some(shape) = shape else { return };
        let mut attrs = self.attrs.take().unwrap_or_default();
        attrs.fill_in(self.level, draw, prim, work.verts, count);
        let limits = intersect(self.rect, state.clip.bounds);
        let r = intersect(prim.bounds, limits);
        if !empty(&r) {
            self.general(&shape, draw, prim, &attrs, blocks_around(r), None);
        }
        self.attrs = Some(attrs);
    }

    /// Draws the blocks in `r`, except those in `skip`, the general way.
    #[inline(never)]
    fn general(
        &mut self,
        shape: &dyn Shape,
        draw: &Draw,
        prim: &Prim,
        attrs: &Attrs,
        r: [i32; 4],
        skip: Option<[i32; 4]>,
    ) {
        self.finish();
        attrs.start(draw, &mut self.frag);
        let skipped = |x, y| skip.is_some_and(|s| x >= s[0] && x < s[2] && y >= s[1] && y < s[3]);
        for y in (r[1]..r[3]).step_by(HEIGHT as usize) {
            for x in (r[0]..r[2]).step_by(WIDTH as usize) {
                if !skipped(x, y) && shape.touches(x, y) {
                    self.block(&Block {
                        shape,
                        draw,
                        prim,
                        attrs,
                        x,
                        y,
                    });
                }
            }
        }
    }

    /// One block of a primitive: coverage, depth, tests, shading, raster operations.
    fn block(&mut self, block: &Block<'_>) {
        let Block { draw, x, y, .. } = *block;
        let allowed = self.allowed(block);
        let smooth = draw.raster.smooth(block.prim.kind).then(|| {
            if let Some(smooth) = &block.attrs.smooth {
                let (coverage, any) = smooth.coverage(x, y);
                return (coverage, any & allowed);
            }
            let points = match draw.raster.curie_edges {
                true => &CENTRED,
                false => &CORNERED,
            };
            Coverage::new(points, |at| {
                block.shape.cover(self.level, x, y, at) & allowed
            })
        });
        let covered = |level, at| match smooth {
            Some((_, any)) => any,
            None => block.shape.cover(level, x, y, at) & allowed,
        };
        let Some(mut tests) = self.test(block, covered) else {
            return;
        };
        // `z` that the pixel units replaced is tested again below.
        let z = self.frag.z;
        let mut color = self.shade(block);
        if let Some((coverage, _)) = &smooth {
            coverage.apply(&mut color[3]);
        }
        if let Some(watch) = &mut self.watch {
            watch.shaded(draw, &self.frag, &color);
        }
        let alive = draw.rop.alpha_test(self.frag.mask, &color[3]);
        if draw.late && self.frag.z != z {
            self.test_again(block, &mut tests);
        }
        self.write(block, alive, &tests, &color);
    }

    /// Lanes that may be drawn.
    fn allowed(&self, block: &Block<'_>) -> u16 {
        let Block { x, y, .. } = *block;
        let state = &block.draw.raster;
        let mut allowed = state.clip.mask(x, y) & clip::lanes(&self.rect, x, y);
        if let Some(pattern) = &state.stipple
            && block.prim.kind == PrimKind::Triangle
        {
            allowed &= stipple(pattern, x, y);
        }
        if let Some(stipple) = &state.line_stipple {
            allowed &= block.shape.stippled(stipple, block.prim.phase, x, y);
        }
        if let Some(ids) = &block.draw.clip_ids {
            allowed &= ids.mask(x, y);
        }
        for plane in &block.attrs.planes {
            allowed &= planes::mask(&block.shape.between(x, y, plane));
        }
        allowed
    }

    /// Depth and stencil tests of all samples; `covered` knows their lanes. `None` if there
    /// is nothing more to do, else `frag` has the lanes that are left and their depth.
    fn test(
        &mut self,
        block: &Block<'_>,
        covered: impl Fn(Level, [f64; 2]) -> u16,
    ) -> Option<Tests> {
        let Block { draw, attrs, .. } = *block;
        let (level, state) = (self.level, &draw.raster);
        let mut tests: Tests = [None; 4];
        let mut alive = 0;
        let mut silent = true;
        for (test, (position, sample)) in tests.iter_mut().zip(&draw.samples) {
            let mut mask = covered(level, *position);
            if mask == 0 {
                continue;
            }
            if let Some(watch) = &mut self.watch {
                watch.covered(draw, block.x, block.y, *sample, mask);
            }
            let z = if attrs.flat_depth {
                [0.0; LANES]
            } else {
                let at = DepthAt {
                    x: block.x,
                    y: block.y,
                    sample: *position,
                    attrs,
                    state,
                };
                range(state, attrs.bias, &block.shape.depth(level, at), &mut mask)
            };
            let tested = self.test_sample(block, *sample, mask, &z);
            self.frag.z = z;
            alive |= mask;
            silent &= tested.pass == 0 && draw.rop.fails_silently(&tested);
            *test = Some(tested);
        }
        self.frag.mask = alive;
        (alive != 0 && (!silent || draw.late)).then_some(tests)
    }

    /// The same once more, with the depth that the pixel units made.
    #[cold]
    fn test_again(&mut self, block: &Block<'_>, tests: &mut Tests) {
        let (state, wide) = (&block.draw.raster, self.frag.z.map(f64::from));
        for (test, (_, sample)) in tests.iter_mut().zip(&block.draw.samples) {
            if let Some(tested) = test {
                let mut mask = tested.lanes;
                let z = range(state, 0.0, &wide, &mut mask);
                *tested = self.test_sample(block, *sample, mask, &z);
            }
        }
    }

    fn test_sample(&mut self, block: &Block<'_>, sample: (u32, u32), mask: u16, z: &F) -> Tested {
        let (draw, at) = (block.draw, block.at(sample));
        let target = &self.work.target;
        let tested = rop_test(self.level, &draw.rop, target, at, mask, z, block.prim.front);
        if let Some(watch) = &mut self.watch {
            watch.tested(draw, at, z, &tested);
        }
        tested
    }

    /// Runs the pixel units: R, G, B, A as 0..=255.
    fn shade(&mut self, block: &Block<'_>) -> [I; 4] {
        let Block { draw, attrs, .. } = *block;
        let (level, frag) = (self.level, &mut self.frag);
        frag.x = block.x;
        frag.y = block.y;
        frag.front = block.prim.front;
        match (&draw.program, &attrs.inputs) {
            (Some(program), Some(inputs)) => {
                inputs.place(draw, frag);
                block.shape.fill_inputs(level, inputs, draw, frag);
                if let Some(watch) = &mut self.watch {
                    watch.filled(frag);
                }
                program.run(frag)
            }
            _ => {
                block.shape.fill(level, attrs, draw, frag);
                if let Some(watch) = &mut self.watch {
                    watch.filled(frag);
                }
                draw.shade.run(frag)
            }
        }
    }

    /// Writes the samples of the lanes in `alive` that passed the tests.
    fn write(&mut self, block: &Block<'_>, alive: u16, tests: &Tests, color: &[I; 4]) {
        let Block { draw, .. } = *block;
        let (rop, target) = (&draw.rop, &self.work.target);
        for (s, (test, (_, sample))) in tests.iter().zip(&draw.samples).enumerate() {
            let Some(tested) = test else { continue };
            let at = block.at(*sample);
            let lanes = alive & sample_lanes(rop, s, draw.samples.len(), &color[3]);
            if let Some(watch) = &mut self.watch {
                watch.writes(draw, at, lanes, color);
            }
            let passed = rop_write(self.level, rop, target, at, lanes, tested, color);
            if let Some(watch) = &mut self.watch {
                watch.written(target, at);
            }
            self.passed.take(passed, rop.count);
            if !rop.outputs.is_empty() {
                self.write_outputs(draw, at, tested.pass & lanes, color);
            }
        }
    }

    /// Writes what passed to further targets, and to targets of floats.
    #[cold]
    fn write_outputs(&self, draw: &Draw, at: At, pass: u16, color: &[I; 4]) {
        for output in &draw.rop.outputs {
            let (values, bytes) = match &draw.program {
                Some(program) => {
                    let values = program.result(&self.frag, output.result);
                    (values, program.bytes(&values))
                }
                None => (color.map(|c| c.map(|byte| byte as f32 / 255.0)), *color),
            };
            draw.rop
                .write_output(output, &self.work.target, at, pass, &values, &bytes);
        }
    }
}

dispatch! {
    fn clear_run(clear: &Clear, target: &Target<'_>, tile: &[i32; 4]) = Clear::run;
}

dispatch! {
    fn rop_test(
        rop: &Rop,
        target: &Target,
        at: At,
        mask: u16,
        z: &F,
        front: bool,
    ) -> Tested = Rop::test;
}

dispatch! {
    fn rop_write(
        rop: &Rop,
        target: &Target,
        at: At,
        alive: u16,
        tested: &Tested,
        color: &[I; 4],
    ) -> u32 = Rop::write;
}

/// The vertices of a primitive.
#[inline(always)]
fn vertices<'a>(work: &Work<'a>, prim: &Prim) -> [&'a VtxHead; 3] {
    let heads = work.verts.heads();
    let top = heads.len() - 1;
    let vert = |i: usize| &heads[(prim.v[i] as usize).min(top)];
    [vert(0), vert(1), vert(2)]
}

/// Does a rectangle that is not empty lie in another one?
#[inline(always)]
fn is_inside(r: [i32; 4], other: [i32; 4]) -> bool {
    // Pixels of surfaces are near enough to each other. Their signs are looked at together:
    // rectangles are in vectors, and comparisons one by one would take them apart.
    let before = (r[0] - other[0]) | (r[1] - other[1]);
    before | (other[2] - r[2]) | (other[3] - r[3]) >= 0
}

/// The blocks that a rectangle of pixels touches.
#[inline(always)]
pub(super) fn blocks_around([x0, y0, x1, y1]: [i32; 4]) -> [i32; 4] {
    let up = |v: i32, size: i32| v.saturating_add(size - 1) & !(size - 1);
    [
        x0 & !(WIDTH - 1),
        y0 & !(HEIGHT - 1),
        up(x1, WIDTH),
        up(y1, HEIGHT),
    ]
}

/// The blocks that lie inside a rectangle of pixels.
#[inline(always)]
fn blocks_inside([x0, y0, x1, y1]: [i32; 4]) -> [i32; 4] {
    let up = |v: i32, size: i32| v.saturating_add(size - 1) & !(size - 1);
    [
        up(x0, WIDTH),
        up(y0, HEIGHT),
        x1 & !(WIDTH - 1),
        y1 & !(HEIGHT - 1),
    ]
}

/// Lanes whose sample `s` of `n` is written: SAMPLE_COVERAGE, and alpha turned
/// into a number of samples. The order in which samples fill up is a guess (no
/// golden shows alpha to coverage): lowest sample first.
#[inline(always)]
fn sample_lanes(rop: &Rop, s: usize, n: usize, alpha: &I) -> u16 {
    if n == 1 {
        return 0xffff;
    }
    if rop.sample_mask >> s & 1 == 0 {
        return 0;
    }
    if !rop.alpha_to_coverage {
        return 0xffff;
    }
    let mut mask = 0;
    for (i, &a) in alpha.iter().enumerate() {
        let lit = (a * n as i32 + 127) / 255;
        mask |= u16::from((s as i32) < lit) << i;
    }
    mask
}

/// Size of a point in eighths of a pixel.
pub fn point_size(state: &RasterState, v: &VtxHead) -> u32 {
    if state.point_params {
        (f32::from_bits(v.point_size) * 8.0).clamp(0.0, 511.0) as u32
    } else {
        state.point_size
    }
}

/// Polygon offset and depth range: what lies outside is dropped or clamped.
#[inline(always)]
pub(super) fn range(state: &RasterState, bias: f64, z: &D, mask: &mut u16) -> F {
    let mut out = [0.0; LANES];
    if bias != 0.0 {
        for i in 0..LANES {
            out[i] = t24(asum2(z[i], bias)) as f32;
        }
    } else {
        for i in 0..LANES {
            out[i] = z[i] as f32;
        }
    }
    if state.depth_clamp {
        for v in &mut out {
            let up = if *v > state.near { *v } else { state.near };
            *v = if up < state.far { up } else { state.far };
        }
    } else {
        let mut keep = 0u32;
        for i in 0..LANES {
            let inside = (out[i] >= state.near) & (out[i] <= state.far);
            keep |= u32::from(inside) << i;
        }
        *mask &= keep as u16;
    }
    out
}
