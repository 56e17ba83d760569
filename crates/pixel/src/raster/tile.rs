//! The tile worker: primitives of one tile, in order, down to memory.
//!
//! The path of a fragment reads top to bottom in [`Tile::block`].

use super::attrs::Attrs;
use super::clip::{empty, intersect, stipple};
use super::form::{Blocks, Job};
use super::inputs::{self, Inputs};
use super::line::Line;
use super::num::{D, asum2, t24};
use super::plain::{Code, Drawn, Plain, PlainTri, Room, Sixteen};
use super::planes;
use super::point::{Point, splat};
use super::smooth::Coverage;
use super::tri::{Tri, lerp};
use super::{Kind, Prim, State};
use crate::frag::{F, Frag, I, LANES};
use crate::level::Level;
use crate::rop::clear::Clear;
use crate::rop::{At, Rop, Target, Tested};
use crate::shader::Shade;
use crate::shader::program::Fragments;
use crate::watch::{Pixel, Watch};
use crate::zcull::ClipTest;
use isotherm_bus::vertex::VtxOut;
use isotherm_lanes::Base;
use std::marker::PhantomData;

/// A draw's prepared state, shared by its primitives.
#[derive(Clone, Debug)]
pub struct Draw {
    pub raster: State,
    pub rop: Rop,
    pub shade: Shade,
    /// What runs instead of it.
    pub program: Option<Fragments>,
    /// Texture coordinate sets that the pixel units read, one bit each.
    pub sets: u32,
    /// The pixel units may kill lanes or replace depth: tests come after them.
    pub late: bool,
    pub clip_ids: Option<ClipTest>,
    /// Triangles need little more than their colour. `None` sends them the general way.
    pub plain: Option<Plain>,
    /// Texture coordinates that run around a cylinder.
    pub cylinder: [[bool; 4]; 4],
    /// The largest depth.
    pub depth_top: f32,
    /// Sample positions (u) and places in memory.
    pub samples: Vec<([f64; 2], (u32, u32))>,
}

impl Draw {
    /// Are there samples that do not lie at pixel centres?
    #[inline(always)]
    pub fn beside_centres(&self) -> bool {
        self.samples.iter().any(|s| s.0 != [8.0, 8.0])
    }
}

/// What all workers read.
pub struct Work<'a> {
    pub draws: &'a [Draw],
    pub verts: &'a [VtxOut],
    pub prims: &'a [Prim],
    pub clears: &'a [Clear],
    pub target: Target,
}

/// A primitive set up for its tile.
trait Shape {
    /// Lit lanes at a sample position.
    fn cover(&self, x: i32, y: i32, at: [f64; 2]) -> u16;
    /// Depth (or w) at a sample position.
    fn depth(&self, x: i32, y: i32, at: [f64; 2], attrs: &Attrs, state: &State) -> D;
    /// A value of the three vertices at pixel centres, with perspective.
    fn between(&self, x: i32, y: i32, v: &[f64; 3]) -> D;
    /// Colours, fog and texture coordinates at pixel centres.
    fn fill(&self, attrs: &Attrs, draw: &Draw, frag: &mut Frag);
    /// Inputs of a fragment program at pixel centres.
    fn fill_inputs(&self, inputs: &Inputs, draw: &Draw, frag: &mut Frag);
}

impl Shape for Tri {
    #[inline(always)]
    fn cover(&self, x: i32, y: i32, at: [f64; 2]) -> u16 {
        if self.covers(x, y, at) {
            return 0xffff;
        }
        self.coverage(&self.edges(x, y, at[0], at[1]))
    }

    #[inline(always)]
    fn depth(&self, x: i32, y: i32, at: [f64; 2], attrs: &Attrs, state: &State) -> D {
        if state.w_buffer {
            Tri::depth_w(self, &self.edges(x, y, at[0], at[1]), &attrs.w)
        } else if attrs.z[0] == attrs.z[1] && attrs.z[1] == attrs.z[2] {
            splat(attrs.z[0])
        } else {
            Tri::depth(self, &self.edges(x, y, at[0], at[1]), &attrs.z)
        }
    }

    fn between(&self, x: i32, y: i32, v: &[f64; 3]) -> D {
        lerp(&self.weights(&self.edges(x, y, 8.0, 8.0)), v)
    }

    #[inline(always)]
    fn fill(&self, attrs: &Attrs, draw: &Draw, frag: &mut Frag) {
        let e = self.edges(frag.x, frag.y, 8.0, 8.0);
        attrs.fill(self, &e, false, draw, frag);
    }

    #[inline(always)]
    fn fill_inputs(&self, inputs: &Inputs, _: &Draw, frag: &mut Frag) {
        if inputs.vary() {
            let e = self.edges(frag.x, frag.y, 8.0, 8.0);
            inputs.fill_triangle(&self.parts(&e).coordinate_shares(), frag);
        }
    }
}

impl Line {
    fn depth_at(&self, x: i32, y: i32, attrs: &Attrs, state: &State) -> D {
        let e = self.parts(x, y);
        if state.w_buffer {
            self.depth_w(&e, [attrs.w[0], attrs.w[1]])
        } else {
            self.depth(&e, [attrs.z[0], attrs.z[1]])
        }
    }

    fn fill(&self, attrs: &Attrs, draw: &Draw, frag: &mut Frag) {
        let e = self.parts(frag.x, frag.y);
        let w1 = self.color_weight(&e);
        for (c, out) in [&mut frag.col0, &mut frag.col1].into_iter().enumerate() {
            for ch in 0..4 {
                let (a, b) = (attrs.color[c][0][ch], attrs.color[c][1][ch]);
                for i in 0..LANES {
                    let sum = i32::from(a) * (256 - w1[i]) + i32::from(b) * w1[i];
                    out[ch][i] = (sum + 128) >> 8;
                }
            }
        }
        let b = self.weights(&e);
        let between = |v: &[f64; 3]| {
            let mut out = [0.0; LANES];
            for i in 0..LANES {
                out[i] = v[0] + (v[1] - v[0]) * b[1][i];
            }
            out
        };
        fill_rest(&between, attrs, draw, frag);
    }
}

impl Point {
    fn fill(&self, attrs: &Attrs, draw: &Draw, frag: &mut Frag) {
        fill_rest(&|v: &[f64; 3]| splat(v[0]), attrs, draw, frag);
        let [s, t] = self.sprite(frag.x, frag.y);
        for set in 0..4 {
            if draw.raster.sprite >> set & 1 != 0 {
                frag.tex[set] = [s, t, [0.0; LANES], [1.0; LANES]];
            }
        }
    }
}

/// A line or a point.
enum Thin {
    Line(Line),
    Point(Point),
}

impl Shape for Thin {
    fn cover(&self, x: i32, y: i32, at: [f64; 2]) -> u16 {
        match self {
            Thin::Line(line) => line.coverage(x, y, at[0], at[1]),
            Thin::Point(point) => point.coverage(x, y),
        }
    }

    fn depth(&self, x: i32, y: i32, _: [f64; 2], attrs: &Attrs, state: &State) -> D {
        match self {
            Thin::Line(line) => line.depth_at(x, y, attrs, state),
            Thin::Point(_) if state.w_buffer => splat(attrs.w[0]),
            Thin::Point(_) => splat(attrs.z[0]),
        }
    }

    fn between(&self, x: i32, y: i32, v: &[f64; 3]) -> D {
        let share = match self {
            Thin::Line(line) => line.weights(&line.parts(x, y))[1],
            Thin::Point(_) => [0.0; LANES],
        };
        share.map(|b| v[0] + (v[1] - v[0]) * b)
    }

    fn fill(&self, attrs: &Attrs, draw: &Draw, frag: &mut Frag) {
        match self {
            Thin::Line(line) => line.fill(attrs, draw, frag),
            Thin::Point(point) => point.fill(attrs, draw, frag),
        }
    }

    fn fill_inputs(&self, inputs: &Inputs, draw: &Draw, frag: &mut Frag) {
        let (x, y) = (frag.x, frag.y);
        inputs.fill(|v| self.between(x, y, v), frag);
        if let Thin::Point(point) = self {
            let [s, t] = point.sprite(x, y);
            inputs::sprite(draw.raster.sprite, &[s, t], frag);
        }
    }
}

/// Fog and texture coordinates of lines and points.
fn fill_rest(value: &dyn Fn(&[f64; 3]) -> D, attrs: &Attrs, draw: &Draw, frag: &mut Frag) {
    if draw.raster.fog.enable {
        frag.fog = draw.raster.fog.run(&value(&attrs.fog));
    }
    for set in 0..4 {
        if draw.sets >> set & 1 != 0 {
            for c in 0..4 {
                frag.tex[set][c] = value(&attrs.tex[set][c]).map(|v| v as f32);
            }
        }
    }
}

/// Pixels that passed all tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
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

/// One worker on one tile.
struct Tile<'a, W, L> {
    work: &'a Work<'a>,
    watch: W,
    /// Pixels, max exclusive.
    rect: [i32; 4],
    frag: Frag,
    passed: Passed,
    code: Code,
    room: Box<Room>,
    level: PhantomData<L>,
}

impl<W: Watch, L: Level> Tile<'_, W, L> {
    /// Lines and points are rare and small: one copy of their path for all
    /// instruction sets will do.
    #[inline(never)]
    fn thin(&mut self, shape: Thin, draw: &Draw, prim: &Prim, attrs: &Attrs) {
        self.blocks(&shape, draw, prim, attrs);
    }

    #[inline(always)]
    fn prim(&mut self, index: u32) {
        let work = self.work;
        let prim = &work.prims[index as usize];
        self.watch.prim(work, index);
        if prim.kind == Kind::Clear {
            let clear = &work.clears[prim.v[0] as usize];
            clear.run(&work.target, &self.rect);
            self.watch.cleared(&work.target, clear);
            return;
        }
        let draw = &work.draws[prim.draw as usize];
        let state = &draw.raster;
        let top = work.verts.len() - 1;
        let vert = |i: usize| &work.verts[(prim.v[i] as usize).min(top)];
        let v = [vert(0), vert(1), vert(2)];
        match prim.kind {
            Kind::Triangle => {
                if let Some(tri) = Tri::new(v, state.perspective) {
                    let attrs = Attrs::new(draw, prim, work.verts, 3);
                    self.triangle(&tri, draw, prim, &attrs);
                }
            }
            Kind::Line => {
                let line = Line::new(
                    [v[0], v[1]],
                    state.line_width,
                    state.wide_lines(),
                    state.perspective,
                );
                if let Some(line) = line {
                    let attrs = Attrs::new(draw, prim, work.verts, 2);
                    self.thin(Thin::Line(line), draw, prim, &attrs);
                }
            }
            _ => {
                if let Some(point) = Point::new(v[0], point_size(state, v[0]), state.multisample) {
                    let attrs = Attrs::new(draw, prim, work.verts, 1);
                    self.thin(Thin::Point(point), draw, prim, &attrs);
                }
            }
        }
    }

    #[inline(always)]
    fn triangle(&mut self, tri: &Tri, draw: &Draw, prim: &Prim, attrs: &Attrs) {
        let limits = intersect(self.rect, draw.raster.clip.bounds);
        let r = intersect(prim.bounds, limits);
        if empty(&r) {
            return;
        }
        let plain = draw
            .plain
            .as_ref()
            .filter(|_| !W::ON)
            .and_then(|p| PlainTri::new(p, tri, attrs, draw, r[2] - r[0], self.code));
        // The pixel units see a started block; plain colours do without.
        let mut started = plain.as_ref().is_some_and(PlainTri::shades);
        if let Some(plain) = &plain {
            let (target, frag) = (&self.work.target, &mut self.frag);
            let at = [self.rect[0], self.rect[1]];
            let mut drawn = plain.by_quads::<L>(target, r, limits, at, &mut self.room, frag);
            if let Drawn::Not = drawn {
                if started {
                    attrs.start(draw, frag);
                }
                drawn = plain.rectangle::<L>(target, r, frag);
            }
            if let Drawn::Pixels(n) = drawn {
                self.passed.take(n, draw.rop.count);
                return;
            }
        }
        let mut y = r[1] & !1;
        while y < r[3] {
            let mut x = r[0] & !7;
            let mut first = tri.first(x, y);
            let rows = y >= limits[1] && y + 2 <= limits[3];
            while x < r[2] {
                let mut drawn = Drawn::Not;
                if let Some(plain) = &plain
                    && rows
                    && x >= limits[0]
                    && x + 8 <= limits[2]
                {
                    let mut after = first;
                    let count = plain.inside(x, limits[2], &mut after);
                    let target = &self.work.target;
                    if count != 0
                        && let Drawn::Pixels(n) =
                            plain.rows::<L>(target, (x, y), &first, count, 2, &mut self.frag)
                    {
                        self.passed.take(n, draw.rop.count);
                        first = after;
                        x += 16 * count as i32;
                        continue;
                    }
                    drawn = plain.block::<L>(target, (x, y), &first, &mut self.frag);
                }
                match drawn {
                    Drawn::Pixels(n) => self.passed.take(n, draw.rop.count),
                    Drawn::Not if tri.touches(x, y, 8, 2) => {
                        if !started {
                            attrs.start(draw, &mut self.frag);
                            started = true;
                        }
                        self.block(tri, draw, prim, attrs, x, y);
                    }
                    Drawn::Not => {}
                }
                tri.next(&mut first);
                x += 8;
            }
            y += 2;
        }
    }

    #[inline(always)]
    fn blocks<S: Shape>(&mut self, shape: &S, draw: &Draw, prim: &Prim, attrs: &Attrs) {
        let r = intersect(intersect(prim.bounds, self.rect), draw.raster.clip.bounds);
        if empty(&r) {
            return;
        }
        attrs.start(draw, &mut self.frag);
        let mut y = r[1] & !1;
        while y < r[3] {
            let mut x = r[0] & !7;
            while x < r[2] {
                self.block(shape, draw, prim, attrs, x, y);
                x += 8;
            }
            y += 2;
        }
    }

    /// One block of a primitive: coverage, depth, tests, shading, raster operations.
    #[inline(always)]
    fn block<S: Shape>(
        &mut self,
        shape: &S,
        draw: &Draw,
        prim: &Prim,
        attrs: &Attrs,
        x: i32,
        y: i32,
    ) {
        let state = &draw.raster;
        let rop = &draw.rop;
        let target = &self.work.target;
        let mut allowed = state.clip.mask(x, y) & super::clip::lanes(&self.rect, x, y);
        if let Some(pattern) = &state.stipple
            && prim.kind == Kind::Triangle
        {
            allowed &= stipple(pattern, x, y);
        }
        if let Some(ids) = &draw.clip_ids {
            allowed &= ids.mask(x, y);
        }
        for plane in &attrs.planes {
            allowed &= planes::mask(&shape.between(x, y, plane));
        }
        let whole = super::clip::lanes(&state.clip.bounds, x, y) == 0xffff;

        let smooth = state
            .smooth(prim.kind)
            .then(|| Coverage::new(|at| shape.cover(x, y, at) & allowed));
        let mut tests: [Option<Tested>; 4] = [None; 4];
        let mut alive = 0;
        let mut silent = true;
        for (s, (position, sample)) in draw.samples.iter().enumerate() {
            let mut mask = match smooth {
                Some((_, any)) => any,
                None => shape.cover(x, y, *position) & allowed,
            };
            if mask == 0 {
                continue;
            }
            self.watch.covered(draw, x, y, *sample, mask);
            let z = if attrs.flat_depth {
                [0.0; LANES]
            } else {
                let z = shape.depth(x, y, *position, attrs, state);
                range(state, attrs.bias, &z, &mut mask)
            };
            let at = At {
                x,
                y,
                sample: *sample,
                whole,
            };
            let tested = rop.test(target, at, mask, &z, prim.front);
            self.frag.z = z;
            self.watch.tested(draw, at, &z, &tested);
            alive |= mask;
            silent &= tested.pass == 0 && rop.fails_silently(&tested);
            tests[s] = Some(tested);
        }
        if alive == 0 || (silent && !draw.late) {
            return;
        }

        // `z` that the pixel units replaced is tested again below.
        let frag = &mut self.frag;
        frag.x = x;
        frag.y = y;
        frag.mask = alive;
        frag.front = prim.front;
        let z = frag.z;
        let mut color = match (&draw.program, &attrs.inputs) {
            (Some(program), Some(inputs)) => {
                inputs.place(draw, frag);
                shape.fill_inputs(inputs, draw, frag);
                self.watch.filled(frag);
                program.run(frag)
            }
            _ => {
                shape.fill(attrs, draw, frag);
                self.watch.filled(frag);
                draw.shade.run(frag)
            }
        };
        if let Some((coverage, _)) = &smooth {
            coverage.apply(&mut color[3]);
        }
        self.watch.shaded(draw, frag, &color);
        let alive = rop.alpha_test(frag.mask, &color[3]);
        if draw.late && frag.z != z {
            for (s, (_, sample)) in draw.samples.iter().enumerate() {
                if let Some(tested) = &mut tests[s] {
                    let at = At {
                        x,
                        y,
                        sample: *sample,
                        whole,
                    };
                    let mut mask = tested.lanes;
                    let z = range(state, 0.0, &frag.z.map(f64::from), &mut mask);
                    *tested = rop.test(target, at, mask, &z, prim.front);
                    self.watch.tested(draw, at, &z, tested);
                }
            }
        }

        for (s, (_, sample)) in draw.samples.iter().enumerate() {
            let Some(tested) = &tests[s] else { continue };
            let at = At {
                x,
                y,
                sample: *sample,
                whole,
            };
            let lanes = alive & sample_lanes(rop, s, draw.samples.len(), &color[3]);
            self.watch.writes(draw, at, lanes, tested, &color);
            let passed = rop.write(target, at, lanes, tested, &color);
            self.watch.written(target, at);
            self.passed.take(passed, rop.count);
        }
    }
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
pub fn point_size(state: &State, v: &VtxOut) -> u32 {
    if state.own_sizes {
        (f32::from_bits(v.point_size) * 8.0).clamp(0.0, 4095.0) as u32
    } else if state.point_params {
        (f32::from_bits(v.point_size) * 8.0).clamp(0.0, 511.0) as u32
    } else {
        state.point_size
    }
}

/// Polygon offset and depth range: what lies outside is dropped or clamped.
#[inline(always)]
pub(super) fn range(state: &State, bias: f64, z: &D, mask: &mut u16) -> F {
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

#[inline(always)]
fn run<W: Watch, L: Level>(
    work: &Work<'_>,
    rect: [i32; 4],
    list: &[u32],
    watch: W,
    code: Code,
) -> Passed {
    let mut tile = Tile::<W, L> {
        work,
        watch,
        rect,
        frag: Frag::default(),
        passed: Passed::default(),
        code,
        room: Room::take(),
        level: PhantomData,
    };
    for (i, &index) in list.iter().enumerate() {
        ahead(work, &list[i..]);
        tile.prim(index);
    }
    tile.room.give_back();
    tile.passed
}

/// Asks for what later primitives of a tile need. A tile's primitives lie all over a
/// scene's memory, which is larger than the caches.
#[inline(always)]
fn ahead(work: &Work<'_>, list: &[u32]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        if let Some(prim) = list.get(16).and_then(|&i| work.prims.get(i as usize)) {
            // SAFETY: the address is valid, and every x86-64 has the instruction.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(prim).cast()) };
        }
        if let Some(prim) = list.get(8).and_then(|&i| work.prims.get(i as usize)) {
            for v in prim.v {
                if let Some(v) = work.verts.get(v as usize) {
                    // SAFETY: as above.
                    unsafe {
                        _mm_prefetch::<_MM_HINT_T0>(v.pos.as_ptr().cast());
                        _mm_prefetch::<_MM_HINT_T0>(v.color.as_ptr().cast());
                    }
                }
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (work, list);
}

const BASE: Code = Code {
    shaded: |tri, block, frag| tri.shaded::<Base>(block, frag),
    forms: |tri, job, blocks, frag| tri.forms::<Base>(job, blocks, frag),
};

/// A worker that tells what it does to a pixel.
pub fn watched(work: &Work<'_>, rect: [i32; 4], list: &[u32], pixel: Pixel<'_>) -> Passed {
    run::<_, Base>(work, rect, list, pixel, BASE)
}

/// A worker compiled for one instruction set.
pub type Worker = fn(&Work<'_>, [i32; 4], &[u32]) -> Passed;

fn base(work: &Work<'_>, rect: [i32; 4], list: &[u32]) -> Passed {
    run::<_, Base>(work, rect, list, (), BASE)
}

/// The worker with a set of processor features.
#[allow(unused_macros)]
macro_rules! level {
    ($name:ident, $level:ident, $features:literal) => {
        mod $name {
            use super::{Blocks, Code, Frag, Job, Passed, PlainTri, Sixteen, Work, run};
            use isotherm_lanes::$level;

            #[target_feature(enable = $features)]
            fn shaded(tri: &PlainTri<'_>, block: &mut Sixteen, frag: &mut Frag) -> u16 {
                tri.shaded::<$level>(block, frag)
            }

            #[target_feature(enable = $features)]
            fn forms(
                tri: &PlainTri<'_>,
                job: &Job<'_>,
                blocks: &mut Blocks,
                frag: &mut Frag,
            ) -> u32 {
                tri.forms::<$level>(job, blocks, frag)
            }

            const CODE: Code = Code {
                // SAFETY: only `all` uses it.
                shaded: |tri, block, frag| unsafe { shaded(tri, block, frag) },
                // SAFETY: as above.
                forms: |tri, job, blocks, frag| unsafe { forms(tri, job, blocks, frag) },
            };

            #[target_feature(enable = $features)]
            fn all(work: &Work<'_>, rect: [i32; 4], list: &[u32]) -> Passed {
                run::<_, $level>(work, rect, list, (), CODE)
            }

            pub(super) fn worker(work: &Work<'_>, rect: [i32; 4], list: &[u32]) -> Passed {
                // SAFETY: handed out only where the processor has the features.
                unsafe { all(work, rect, list) }
            }
        }
    };
}

isotherm_lanes::with_avx2! { level!(avx2, Avx2, "avx2,bmi1,bmi2,popcnt,lzcnt"); }
isotherm_lanes::with_avx512! { level!(avx512, Avx512, "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512bw,avx512dq,avx512vl"); }

/// The best worker for this processor, see [`isotherm_lanes::Level::current`].
pub fn worker() -> Worker {
    let level = isotherm_lanes::Level::current();
    isotherm_lanes::with_avx512! {
        if level == isotherm_lanes::Level::Avx512 {
            return avx512::worker;
        }
    }
    isotherm_lanes::with_avx2! {
        if level == isotherm_lanes::Level::Avx2 {
            return avx2::worker;
        }
    }
    let _ = level;
    base
}
