//! A tile: 16x16 pixels that a worker draws from clear to finished without
//! touching memory.
//!
//! Inside a tile pixels are kept quad by quad (2x2), and quads row by row; eight
//! quads, two rows of pixels, are rasterised and tested at once. Quads of the same
//! draw, whatever triangle they come from, are shaded together in batches.

use crate::lists::Draw;
use crate::pp::blend;
use crate::pp::depth_stencil;
use crate::pp::exec::{self, Mask, QUADS, Splat};
use crate::pp::pixel_kill::Waiting;
use crate::pp::primitives::{Primitives, Triangle};
use crate::pp::ramp::{Layers, Ramp};
use crate::pp::raster::{self, Inside, ROW, SAMPLES, lane_x, lane_y};
use crate::pp::rsw::{ALWAYS, RenderState};
use crate::pp::shade::Scratch;
use crate::pp::shader::{Program, RampProgram};
use crate::pp::tex;
use isotherm_lanes::Level;
use std::sync::Arc;

/// Pixels of a tile.
pub(crate) const PIXELS: usize = 256;

/// Everything that stays the same for a draw.
pub(crate) struct DrawState {
    pub(crate) rsw: RenderState,
    pub(crate) program: Arc<Program>,
    pub(crate) consts: Vec<Splat>,
    pub(crate) uniforms: Vec<f32>,
    pub(crate) samplers: Vec<Option<Arc<tex::Sampler>>>,
    /// The attributes that are the colour, where the program does nothing else.
    pub(crate) ramp: Option<RampProgram>,
    /// Neither depth nor stencil nor the program decide about pixels.
    pub(crate) untested: bool,
    /// Tests wait for the program.
    pub(crate) late: bool,
    /// Pixels depend on what was there.
    pub(crate) ordered: bool,
    pub(crate) blend: blend::Blend,
    pub(crate) near: f32,
    pub(crate) far: f32,
    pub(crate) uses_frag_coord: bool,
}

impl DrawState {
    pub(crate) fn range(rsw: &RenderState, draw: &Draw) -> (f32, f32) {
        let (mut near, mut far) = (draw.near.min(draw.far), draw.near.max(draw.far));
        if rsw.near_clip {
            near = near.max(rsw.depth_range[0]);
        }
        if rsw.far_clip {
            far = far.min(rsw.depth_range[1].max(near));
        }
        (near, far)
    }

    /// Whether triangles go from the weights to the tile in one go.
    #[inline(always)]
    fn ramp(&self, frame: &Frame) -> Option<RampProgram> {
        let one = frame.planes == 1 && !frame.fp16;
        self.ramp.filter(|_| one)
    }
}

/// What stays the same for a frame.
pub(crate) struct Frame {
    pub(crate) planes: usize,
    pub(crate) fp16: bool,
    pub(crate) clear_color: [u32; 4],
    pub(crate) clear_float: [f32; 4],
    pub(crate) clear_depth: u32,
    pub(crate) clear_stencil: u8,
    pub(crate) origin: (f32, f32),
    pub(crate) flip_y: bool,
    pub(crate) flip_derivatives: bool,
    pub(crate) channel_bits: [u32; 4],
    /// vec4s of temporaries that each pixel has, and the one that index 0 means.
    pub(crate) stack: (usize, u32),
    /// Work that the programs of a tile may do.
    pub(crate) budget: u64,
    pub(crate) level: Level,
}

/// Colour, depth and stencil of a tile, per sample.
pub(crate) struct Buffers {
    /// R in the low byte.
    pub(crate) color: Box<Words>,
    pub(crate) float: Box<[[[f32; 4]; PIXELS]; 4]>,
    pub(crate) depth: Box<Words>,
    pub(crate) stencil: Box<[[u8; PIXELS]; 4]>,
}

/// A word per pixel and sample, rows of quads at the start of cache lines.
#[repr(C, align(64))]
pub(crate) struct Words(pub(crate) [[u32; PIXELS]; 4]);

/// Place of a pixel in the buffers.
pub(crate) const fn index(x: u32, y: u32) -> usize {
    ((y / 2 * 8 + x / 2) * 4 + (y & 1) * 2 + (x & 1)) as usize
}

/// A triangle's planes relative to a tile's first pixel.
#[derive(Clone, Copy, Default)]
pub struct LocalTriangle {
    /// Weights of vertices 1 and 2: at the first pixel, across, down, both ways.
    pub(crate) l1: [f32; 4],
    pub(crate) l2: [f32; 4],
    pub(crate) z: [f32; 3],
    /// 1/w of the vertices, and what weights are corrected with: all one where they need not be.
    pub(crate) rw: [f32; 4],
    pub(crate) correction: [f32; 4],
    pub(crate) affine: bool,
    pub(crate) front: bool,
    pub(crate) planes: u32,
}

/// Quads waiting to be shaded.
pub(crate) struct Batch {
    pub(crate) len: usize,
    pub(crate) quad: [u8; QUADS],
    pub(crate) local: [u8; QUADS],
    /// Covered pixels of each sample, four bits per quad.
    cover: [[u8; QUADS]; 4],
    pub(crate) locals: Vec<LocalTriangle>,
    /// Pixels of the tile that are in the batch.
    present: [u64; 4],
}

/// A worker's tile and batch.
pub(crate) struct Worker {
    pub(crate) buf: Buffers,
    pub(crate) batch: Batch,
    pub(crate) waiting: Waiting,
    pub(crate) layers: Layers,
    pub(crate) exec: exec::Registers,
    pub(crate) scratch: Box<Scratch>,
}

/// What a worker draws: a frame's draws and triangles, seen from a tile.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) draws: &'a [DrawState],
    pub(crate) prims: &'a Primitives,
    /// Which tile.
    pub(crate) at: (u32, u32),
}

impl Job<'_> {
    /// The tile's first pixel.
    pub(crate) fn origin(&self) -> (i32, i32) {
        (self.at.0 as i32 * 16, self.at.1 as i32 * 16)
    }
}

/// The quads of the two halves of a tile.
pub(crate) const HALVES: [[u8; QUADS]; 2] = {
    let mut out = [[0; QUADS]; 2];
    let mut i = 0;
    while i < 2 * QUADS {
        out[i / QUADS][i % QUADS] = i as u8;
        i += 1;
    }
    out
};

/// Quads from which on a triangle does not wait for others to fill a batch with it.
const RAMP_QUADS: u32 = 12;

// Two batches are a tile.
const _: () = assert!(QUADS * 2 == PIXELS / 4);

/// Boxed arrays without a detour over the stack.
fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].try_into() {
        Ok(b) => b,
        Err(_) => unreachable!("the length is right"),
    }
}

impl Worker {
    pub(crate) fn new() -> Worker {
        Worker {
            buf: Buffers {
                color: Box::new(Words([[0; PIXELS]; 4])),
                float: boxed([[0.0; 4]; PIXELS]),
                depth: Box::new(Words([[0; PIXELS]; 4])),
                stencil: boxed([0; PIXELS]),
            },
            batch: Batch {
                len: 0,
                quad: [0; QUADS],
                local: [0; QUADS],
                cover: [[0; QUADS]; 4],
                locals: Vec::new(),
                present: [0; 4],
            },
            waiting: Waiting::default(),
            layers: Layers::default(),
            exec: exec::Registers::default(),
            scratch: Box::new(Scratch::new()),
        }
    }

    /// Draws a tile from clear to finished. On failure, the address of the program that
    /// hangs.
    pub(crate) fn render<'a>(
        &mut self,
        job: &Job,
        lists: impl Iterator<Item = &'a [u32]>,
    ) -> Result<(), u32> {
        self.clear(job.frame);
        let mut current = u32::MAX;
        for list in lists {
            self.draw_list(job, list, &mut current)?;
        }
        self.finish(job, current)?;
        self.draw_layers(job);
        Ok(())
    }

    /// Draws a list of triangles, `current` the draw that the last one was of.
    fn draw_list(&mut self, job: &Job, list: &[u32], current: &mut u32) -> Result<(), u32> {
        let mut shows = shows(job, *current);
        for (i, &n) in list.iter().enumerate() {
            if let Some(&next) = list.get(i + 2) {
                prefetch(std::slice::from_ref(&job.prims.tris[next as usize]));
            }
            let tri = &job.prims.tris[n as usize];
            let Some(draw) = job.draws.get(tri.draw as usize) else {
                continue;
            };
            if tri.draw != *current || draw.program.reads_tile {
                self.finish(job, *current)?;
                *current = tri.draw;
                shows = self::shows(job, *current);
            }
            if shows[usize::from(tri.back)] && !tri.clip_z {
                self.show(job, draw, n)?;
                continue;
            }
            if job.frame.planes == 1 {
                self.triangle::<1>(job, draw, n)?;
            } else {
                self.triangle::<4>(job, draw, n)?;
            }
        }
        Ok(())
    }

    /// An empty tile.
    pub(crate) fn clear(&mut self, frame: &Frame) {
        self.exec.budget = frame.budget;
        self.waiting.clear();
        self.layers.clear();
        self.empty();
        for p in 0..frame.planes {
            self.buf.color.0[p].fill(frame.clear_color[p]);
            if frame.fp16 {
                self.buf.float[p].fill(frame.clear_float);
            }
            self.buf.depth.0[p].fill(frame.clear_depth);
            self.buf.stencil[p].fill(frame.clear_stencil);
        }
    }

    /// A triangle seen from the tile, and the samples that it covers.
    #[inline(always)]
    pub(crate) fn covered<const PLANES: usize>(
        &self,
        job: &Job,
        draw: &DrawState,
        tri: &Triangle,
    ) -> Option<(LocalTriangle, [[u32; 8]; PLANES])> {
        let frame = job.frame;
        let origin = job.origin();
        let msaa = draw.rsw.msaa && frame.planes > 1;
        let inside = Inside::new(tri, origin, msaa)?;
        let local = LocalTriangle::new(tri, origin);
        let mut cover = [[0u32; 8]; PLANES];
        if msaa {
            for (cover, at) in cover.iter_mut().zip(SAMPLES) {
                raster::cover(frame.level, &inside, at, cover);
            }
        } else {
            if inside.is_whole() {
                cover[0] = [u32::MAX; 8];
            } else {
                raster::cover(frame.level, &inside, (0, 0), &mut cover[0]);
            }
            cover = [cover[0]; PLANES];
        }
        if frame.planes > 1 {
            for (s, cover) in cover.iter_mut().enumerate() {
                if draw.rsw.sample_mask >> s & 1 == 0 {
                    *cover = [0; 8];
                }
            }
        }
        Some((local, cover))
    }

    /// Takes away what lies outside the draw's range of depths.
    #[inline(always)]
    pub(crate) fn cut_depth(
        &self,
        draw: &DrawState,
        tri: &Triangle,
        local: &LocalTriangle,
        cover: &mut [[u32; 8]],
    ) {
        if tri.clip_z {
            for row in 0..8 {
                let inside = depth_inside(local, row as i32, draw.near, draw.far);
                cover.iter_mut().for_each(|c| c[row] &= inside);
            }
        }
    }

    /// Draws triangle `n` of the job.
    fn triangle<const PLANES: usize>(
        &mut self,
        job: &Job,
        draw: &DrawState,
        n: u32,
    ) -> Result<(), u32> {
        let frame = job.frame;
        let tri = &job.prims.tris[n as usize];
        if draw.untested
            && tri.affine
            && !tri.clip_z
            && let Some(ramp) = draw.ramp(frame)
            && Inside::holds_tile(tri, job.origin())
        {
            let ramp = Ramp {
                draw: tri.draw,
                cost: ramp.cost * (PIXELS / exec::PIXELS) as u32,
                weights: [&tri.l1, &tri.l2].map(|p| four(local_plane(p, job.origin()))),
                planes: tri.planes + ramp.first,
                cover: None,
            };
            return self.ramp(job, draw, &ramp);
        }
        let msaa = draw.rsw.msaa && frame.planes > 1;
        let Some((local, mut cover)) = self.covered::<PLANES>(job, draw, tri) else {
            return Ok(());
        };
        self.cut_depth(draw, tri, &local, &mut cover);
        if !draw.late {
            for (s, cover) in cover.iter_mut().enumerate() {
                let at = if msaa { SAMPLES[s] } else { (0, 0) };
                self.early(frame.level, draw, &local, s, cover, at, tri.back);
            }
        }
        if draw.kills(frame) {
            self.wait(job, tri.draw, n, cover[0])
        } else {
            self.queue(job, draw, tri.draw, &local, &cover)
        }
    }

    /// A triangle of which only depth decides what shows: it waits with the pixels in which it
    /// passed.
    #[inline(always)]
    fn show(&mut self, job: &Job, draw: &DrawState, n: u32) -> Result<(), u32> {
        let tri = &job.prims.tris[n as usize];
        let origin = job.origin();
        let Some(inside) = Inside::new(tri, origin, false) else {
            return Ok(());
        };
        if self.waiting.is_full() {
            self.wake(job, tri.draw)?;
        }
        let test = depth_stencil::DepthTest {
            func: draw.rsw.depth_func,
            write: draw.rsw.depth_write,
            plane: local_plane(&tri.z, origin),
            at: (0, 0),
        };
        let depth = &mut self.buf.depth.0[0];
        self.waiting.test(job.frame.level, &inside, &test, depth, n);
        Ok(())
    }

    /// Puts what a triangle covers into batches.
    pub(crate) fn queue<const PLANES: usize>(
        &mut self,
        job: &Job,
        draw: &DrawState,
        number: u32,
        local: &LocalTriangle,
        cover: &[[u32; 8]; PLANES],
    ) -> Result<(), u32> {
        if local.affine
            && let Some(ramp) = draw.ramp(job.frame)
        {
            let quads = quads_of(&cover[0]);
            if quads >= RAMP_QUADS {
                let whole = quads as usize == PIXELS / 4 && cover[0] == [u32::MAX; 8];
                let ramp = Ramp {
                    draw: number,
                    // What the batches would take.
                    cost: (ramp.cost * quads).div_ceil(QUADS as u32),
                    weights: [local.l1, local.l2],
                    planes: local.planes + ramp.first,
                    cover: (!whole).then_some(&cover[0]),
                };
                return self.ramp(job, draw, &ramp);
            }
        }
        if cover.iter().all(|c| *c == [u32::MAX; 8]) {
            // A triangle over all of the tile.
            for half in 0..2 {
                self.flush(job, number)?;
                self.batch.push_half(half, *local, PLANES);
            }
            return Ok(());
        }
        self.gather(job, draw, number, local, cover)
    }

    /// Puts the covered quads of a triangle into the batch.
    #[inline(always)]
    fn gather<const PLANES: usize>(
        &mut self,
        job: &Job,
        draw: &DrawState,
        number: u32,
        local: &LocalTriangle,
        cover: &[[u32; 8]; PLANES],
    ) -> Result<(), u32> {
        let mut which = None;
        for row in 0..8 {
            let mut here = [0; PLANES];
            let mut any = 0;
            for s in 0..PLANES {
                here[s] = cover[s][row];
                any |= here[s];
            }
            if any == 0 {
                continue;
            }
            if self.batch.locals.len() >= 255 {
                self.flush(job, number)?;
                which = None;
            }
            let mut triangle = which.unwrap_or_else(|| self.batch.add(*local));
            if any == u32::MAX && self.batch.row_fits(draw, row, &here) {
                self.batch.push_row(row, triangle, PLANES);
                which = Some(triangle);
                continue;
            }
            if self.batch.quads_fit(draw, row, any) {
                self.batch.push_quads(row, here, any, triangle);
                which = Some(triangle);
                continue;
            }
            while any != 0 {
                let q = any.trailing_zeros() / 4;
                let all = any >> (q * 4) & 15;
                any &= !(15 << (q * 4));
                let quad = row as u32 * 8 + q;
                if self.batch.full_or_conflict(draw, quad, all) {
                    self.flush(job, number)?;
                    triangle = self.batch.add(*local);
                }
                let mut nibbles = [0; PLANES];
                for s in 0..PLANES {
                    nibbles[s] = here[s] >> (q * 4) & 15;
                }
                self.batch.push(quad, nibbles, all, triangle);
            }
            which = Some(triangle);
        }
        Ok(())
    }

    /// Depth and stencil of a tile, before the program; leaves what passes.
    #[expect(clippy::too_many_arguments, reason = "a place and a mask")]
    pub(crate) fn early(
        &mut self,
        level: Level,
        draw: &DrawState,
        l: &LocalTriangle,
        s: usize,
        cover: &mut [u32; 8],
        at: (i32, i32),
        back: bool,
    ) {
        let rsw = &draw.rsw;
        let stencil = &rsw.stencil[usize::from(back)];
        let idle = stencil.idle();
        if rsw.depth_func == ALWAYS && !rsw.depth_write && idle {
            return;
        }
        let depth = &mut self.buf.depth.0[s];
        if idle {
            let test = depth_stencil::DepthTest {
                func: rsw.depth_func,
                write: rsw.depth_write,
                plane: l.z,
                at,
            };
            depth_stencil::depth_tile(level, &test, depth, cover);
            return;
        }
        for (row, cover) in cover.iter_mut().enumerate() {
            if *cover == 0 {
                continue;
            }
            let mut z = [0u32; ROW];
            depth_stencil::depth_row(level, &l.z, row, at, &mut z);
            for i in 0..ROW {
                let place = row * ROW + i;
                let (d, st) = (&mut depth[place], &mut self.buf.stencil[s][place]);
                if *cover >> i & 1 != 0
                    && !depth_stencil::depth_stencil(rsw, stencil, z[i], d, st, None)
                {
                    *cover &= !(1 << i);
                }
            }
        }
    }

    /// The draw has no more triangles here.
    #[inline(always)]
    fn finish(&mut self, job: &Job, current: u32) -> Result<(), u32> {
        if !self.waiting.is_empty() {
            self.wake(job, current)?;
        }
        self.flush(job, current)
    }

    /// Shades the batch. On failure, the address of the program that hangs.
    #[inline(always)]
    pub(crate) fn flush(&mut self, job: &Job, current: u32) -> Result<(), u32> {
        // No triangle is in a batch without a quad.
        if self.batch.len > 0 {
            if let Some(draw) = job.draws.get(current as usize) {
                self.shade(job, draw)?;
            }
            self.empty();
        }
        Ok(())
    }

    pub(crate) fn empty(&mut self) {
        self.batch.len = 0;
        self.batch.present = [0; 4];
        self.batch.locals.clear();
    }
}

/// Whether only depth decides what shows of a draw's front and back faces.
fn shows(job: &Job, draw: u32) -> [bool; 2] {
    let shows = |back: usize| {
        let draw = job.draws.get(draw as usize);
        draw.is_some_and(|draw| draw.kills(job.frame) && draw.rsw.stencil[back].idle())
    };
    [shows(0), shows(1)]
}

/// A plane seen from a tile's first pixel.
#[inline(always)]
fn local_plane(p: &[f64; 3], (ox, oy): (i32, i32)) -> [f32; 3] {
    let (ox, oy) = (f64::from(ox), f64::from(oy));
    [
        (p[0] + p[1] * ox + p[2] * oy) as f32,
        p[1] as f32,
        p[2] as f32,
    ]
}

/// A plane with what it is both ways.
#[inline(always)]
fn four([a, b, c]: [f32; 3]) -> [f32; 4] {
    [a, b, c, b + c]
}

/// The first pixels of a row's quads that have any of these.
#[inline(always)]
fn first_pixels(any: u32) -> u32 {
    (any | any >> 1 | any >> 2 | any >> 3) & 0x1111_1111
}

/// Quads that have covered pixels.
#[inline(always)]
fn quads_of(cover: &[u32; 8]) -> u32 {
    let quads = |c: &u32| first_pixels(*c).count_ones();
    cover.iter().map(quads).sum()
}

impl LocalTriangle {
    pub(crate) fn new(tri: &Triangle, origin: (i32, i32)) -> LocalTriangle {
        let rw = [tri.rw[0], tri.rw[1], tri.rw[2], 1.0];
        LocalTriangle {
            l1: four(local_plane(&tri.l1, origin)),
            l2: four(local_plane(&tri.l2, origin)),
            z: local_plane(&tri.z, origin),
            rw,
            correction: if tri.affine { [1.0; 4] } else { rw },
            affine: tri.affine,
            front: !tri.back,
            planes: tri.planes,
        }
    }
}

impl Batch {
    /// Adds a triangle; its number.
    pub(crate) fn add(&mut self, local: LocalTriangle) -> u8 {
        self.locals.push(local);
        (self.locals.len() - 1) as u8
    }

    /// Whether a quad with pixels `all` has to wait for the next batch.
    #[inline(always)]
    fn full_or_conflict(&self, draw: &DrawState, quad: u32, all: u32) -> bool {
        if self.len == QUADS {
            return true;
        }
        let present = self.present[quad as usize / 16] >> (quad % 16 * 4);
        draw.ordered && present & u64::from(all) != 0
    }

    /// Whether a whole row of quads can be added at once.
    #[inline(always)]
    fn row_fits(&self, draw: &DrawState, row: usize, cover: &[u32]) -> bool {
        self.len.next_multiple_of(4) + 8 <= QUADS
            && cover.iter().all(|&c| c == u32::MAX)
            && !(draw.ordered && self.present_in(row) != 0)
    }

    /// Whether the quads of a row that have any of these pixels can be added at once.
    #[inline(always)]
    fn quads_fit(&self, draw: &DrawState, row: usize, any: u32) -> bool {
        // The topmost four bits are the sum of all bits, eight at most.
        let quads = first_pixels(any).wrapping_mul(0x1111_1111) >> 28;
        self.len + quads as usize <= QUADS && !(draw.ordered && self.present_in(row) & any != 0)
    }

    /// Pixels of a row of quads that are in the batch.
    #[inline(always)]
    fn present_in(&self, row: usize) -> u32 {
        (self.present[row / 2] >> (row % 2 * 32)) as u32
    }

    /// The quads of a row that have any of these pixels.
    #[inline(always)]
    fn push_quads<const PLANES: usize>(
        &mut self,
        row: usize,
        here: [u32; PLANES],
        any: u32,
        local: u8,
    ) {
        self.present[row / 2] |= u64::from(any) << (row % 2 * 32);
        let mut left = first_pixels(any);
        while left != 0 {
            let at = left.trailing_zeros();
            left &= left - 1;
            let len = self.len % QUADS;
            self.quad[len] = (row as u32 * 8 + at / 4) as u8;
            self.local[len] = local;
            for s in 0..PLANES {
                self.cover[s][len] = (here[s] >> at & 15) as u8;
            }
            self.len = len + 1;
        }
    }

    /// Half of a tile, all of it covered, into an empty batch.
    #[inline(always)]
    fn push_half(&mut self, half: usize, local: LocalTriangle, planes: usize) {
        let number = self.add(local);
        self.quad = HALVES[half & 1];
        self.local = [number; QUADS];
        self.cover[..planes].fill([15; QUADS]);
        self.present[half * 2..half * 2 + 2].fill(u64::MAX);
        self.len = QUADS;
    }

    #[inline(always)]
    fn push_row(&mut self, row: usize, local: u8, planes: usize) {
        // Whole groups are worth some pixels that nobody will see.
        self.fill_group();
        for i in 0..8 {
            self.quad[self.len + i] = (row * 8 + i) as u8;
            self.local[self.len + i] = local;
        }
        for s in 0..planes {
            self.cover[s][self.len..self.len + 8].fill(15);
        }
        self.present[row / 2] |= 0xFFFF_FFFF << (row % 2 * 32);
        self.len += 8;
    }

    /// Covered pixels of a sample, one bit per lane.
    #[inline(always)]
    pub(crate) fn covered(&self, sample: usize) -> Mask {
        let (pairs, _) = self.cover[sample].as_chunks::<2>();
        let mut bytes = [0; QUADS / 2];
        for (byte, [low, high]) in bytes.iter_mut().zip(pairs) {
            *byte = low | high << 4;
        }
        // What lies behind the last quad is of another batch.
        let unused = Mask::BITS - self.len as u32 * 4;
        Mask::from_le_bytes(bytes) & Mask::MAX.checked_shr(unused).unwrap_or(0)
    }

    /// Repeats the last quad, uncovered, until a group is full.
    #[inline(always)]
    pub(crate) fn fill_group(&mut self) {
        while !self.len.is_multiple_of(4) {
            self.quad[self.len] = self.quad[self.len - 1];
            self.local[self.len] = self.local[self.len - 1];
            self.cover.iter_mut().for_each(|c| c[self.len] = 0);
            self.len += 1;
        }
    }

    /// Adds a quad: pixels of each sample, and of all of them together.
    #[inline(always)]
    pub(crate) fn push<const PLANES: usize>(
        &mut self,
        quad: u32,
        nibbles: [u32; PLANES],
        all: u32,
        local: u8,
    ) {
        self.quad[self.len] = quad as u8;
        self.local[self.len] = local;
        for s in 0..PLANES {
            self.cover[s][self.len] = nibbles[s] as u8;
        }
        self.present[quad as usize / 16] |= u64::from(all) << (quad % 16 * 4);
        self.len += 1;
    }
}

/// Asks for something that will be needed soon: a tile's triangles lie far apart.
#[inline(always)]
pub(crate) fn prefetch<T>(what: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let at = what.as_ptr().cast::<i8>();
        for line in 0..size_of_val(what).div_ceil(64) {
            // SAFETY: a hint; it touches no memory, and the address lies in or one line
            // behind what is asked for.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(at.wrapping_add(line * 64)) };
        }
    }
    let _ = what;
}

/// Lanes of a row of quads whose depth is in the draw's range.
fn depth_inside(l: &LocalTriangle, qy: i32, near: f32, far: f32) -> u32 {
    // Rounding must not cut off what lies exactly on a plane.
    const SLACK: f32 = 1.0 / 1_048_576.0;
    let mut inside = 0;
    for i in 0..ROW {
        let z = l.z[0] + l.z[1] * lane_x(i) as f32 + l.z[2] * (qy * 2 + lane_y(i)) as f32;
        inside |= u32::from(z >= near - SLACK && z <= far + SLACK) << i;
    }
    inside
}
