//! A tile: 16x16 pixels that a worker draws from clear to finished without
//! touching memory.
//!
//! Inside a tile pixels are kept quad by quad (2x2), and quads row by row; eight
//! quads, two rows of pixels, are rasterised and tested at once. Quads of the same
//! draw, whatever triangle they come from, are shaded together in batches.

use super::exec::{self, CHUNKS, QUADS};
use super::half::{LANES, Lane};
use super::plbu::Draw;
use super::prim::{Prims, Tri};
use super::rop;
use super::rsw::{ALWAYS, RenderState};
use super::shader::Program;
use super::tex;
use std::sync::Arc;

/// Pixels of a tile.
pub(crate) const PIXELS: usize = 256;
/// Pixels of a row of quads.
const ROW: usize = 32;
/// Where samples lie, in 1/256 pixel from the centre. A rotated grid (guess: the true
/// places are not known).
const SAMPLES: [(i32, i32); 4] = [(-32, -96), (96, -32), (-96, 32), (32, 96)];

/// Everything that stays the same for a draw.
pub(crate) struct DrawState {
    pub(crate) rsw: RenderState,
    pub(crate) program: Arc<Program>,
    pub(crate) consts: Vec<f32>,
    pub(crate) uniforms: Vec<f32>,
    pub(crate) samplers: Vec<Option<Arc<tex::Sampler>>>,
    /// Tests wait for the program.
    pub(crate) late: bool,
    /// Pixels depend on what was there.
    pub(crate) ordered: bool,
    pub(crate) blend: rop::Blend,
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
}

/// Colour, depth and stencil of a tile, per sample.
pub(crate) struct Buffers {
    /// R in the low byte.
    pub(crate) color: Box<[[u32; PIXELS]; 4]>,
    pub(crate) float: Box<[[[f32; 4]; PIXELS]; 4]>,
    pub(crate) depth: Box<[[u32; PIXELS]; 4]>,
    pub(crate) stencil: Box<[[u8; PIXELS]; 4]>,
}

/// Place of a pixel in the buffers.
pub(crate) const fn index(x: u32, y: u32) -> usize {
    ((y / 2 * 8 + x / 2) * 4 + (y & 1) * 2 + (x & 1)) as usize
}

/// x of lane `i` of a row of quads.
const fn lane_x(i: usize) -> i32 {
    (i / 4 * 2 + (i & 1)) as i32
}

/// y of lane `i`, 0 or 1.
const fn lane_y(i: usize) -> i32 {
    (i >> 1 & 1) as i32
}

/// A triangle's planes relative to a tile's first pixel.
#[derive(Clone, Copy, Default)]
struct Local {
    l1: [f32; 3],
    l2: [f32; 3],
    z: [f32; 3],
    rw: [f32; 3],
    affine: bool,
    front: bool,
    planes: u32,
}

/// Quads waiting to be shaded.
struct Batch {
    len: usize,
    quad: [u8; QUADS],
    local: [u8; QUADS],
    /// Covered pixels of each sample, one bit per lane.
    cover: [u64; 4],
    locals: Vec<Local>,
    /// Pixels of the tile that are in the batch.
    present: [u64; 4],
}

/// A worker's tile and batch.
pub(crate) struct Worker {
    pub(crate) buf: Buffers,
    batch: Batch,
    exec: exec::State,
    scratch: Box<Scratch>,
}

struct Scratch {
    weights: [exec::Row; 2],
    frag_coord: [exec::Row; 4],
    facing: exec::Row,
    quad_planes: [u32; QUADS],
    tile: [exec::Row; 5],
}

/// Boxed arrays without a detour over the stack.
fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].try_into() {
        Ok(b) => b,
        Err(_) => unreachable!("the length is right"),
    }
}

impl Worker {
    pub(crate) fn new() -> Worker {
        let row = [[0.0; LANES]; CHUNKS];
        Worker {
            buf: Buffers {
                color: boxed([0; PIXELS]),
                float: boxed([[0.0; 4]; PIXELS]),
                depth: boxed([0; PIXELS]),
                stencil: boxed([0; PIXELS]),
            },
            batch: Batch {
                len: 0,
                quad: [0; QUADS],
                local: [0; QUADS],
                cover: [0; 4],
                locals: Vec::new(),
                present: [0; 4],
            },
            exec: exec::State::new(),
            scratch: Box::new(Scratch {
                weights: [row; 2],
                frag_coord: [row; 4],
                facing: row,
                quad_planes: [0; QUADS],
                tile: [row; 5],
            }),
        }
    }

    /// Draws the tile at (`tx`, `ty`) from clear to finished.
    pub(crate) fn render(
        &mut self,
        frame: &Frame,
        draws: &[Option<DrawState>],
        prims: &Prims,
        list: &[u32],
        (tx, ty): (u32, u32),
    ) -> Result<(), u32> {
        for p in 0..frame.planes {
            self.buf.color[p].fill(frame.clear_color[p]);
            if frame.fp16 {
                self.buf.float[p].fill(frame.clear_float);
            }
            self.buf.depth[p].fill(frame.clear_depth);
            self.buf.stencil[p].fill(frame.clear_stencil);
        }
        let mut current = u32::MAX;
        for &n in list {
            let tri = &prims.tris[n as usize];
            if tri.draw != current {
                self.flush(frame, draws, prims, current, (tx, ty))?;
                current = tri.draw;
            }
            let Some(Some(draw)) = draws.get(current as usize) else {
                continue;
            };
            self.triangle(frame, draws, prims, draw, tri, (tx, ty))?;
        }
        self.flush(frame, draws, prims, current, (tx, ty))
    }

    fn triangle(
        &mut self,
        frame: &Frame,
        draws: &[Option<DrawState>],
        prims: &Prims,
        draw: &DrawState,
        tri: &Tri,
        (tx, ty): (u32, u32),
    ) -> Result<(), u32> {
        let (ox, oy) = (tx as i32 * 16, ty as i32 * 16);
        let x0 = (tri.bounds[0] - ox).max(0);
        let x1 = (tri.bounds[1] - ox).min(15);
        let y0 = (tri.bounds[2] - oy).max(0);
        let y1 = (tri.bounds[3] - oy).min(15);
        if x0 > x1 || y0 > y1 {
            return Ok(());
        }
        let msaa = draw.rsw.msaa && frame.planes > 1;
        // Edges that cross the tile, relative to it.
        let mut crossing = [(0i32, 0i32, 0i32); 3];
        let mut crossings = 0;
        let slack = if msaa { 1 } else { 0 };
        for &(a, b, c) in &tri.edge {
            let (al, bl) = (i64::from(a), i64::from(b));
            let e = c + al * i64::from(ox) + bl * i64::from(oy);
            let reach =
                |v: i64, sign: i64| (v * sign).max(0) * (15 + slack) + (-v * sign).max(0) * slack;
            let most = e + reach(al, 1) + reach(bl, 1);
            let least = e - reach(al, -1) - reach(bl, -1);
            if most < 0 {
                return Ok(());
            }
            if least < 0 {
                crossing[crossings] = (a, b, e as i32);
                crossings += 1;
            }
        }
        let local = self.local(tri, (ox, oy));
        let which = self.batch.locals.len();
        if which >= 255 {
            self.flush(frame, draws, prims, tri.draw, (tx, ty))?;
        }
        let which = self.batch.locals.len() as u8;
        self.batch.locals.push(local);
        let mut columns = 0u32;
        for i in 0..ROW {
            let x = lane_x(i);
            columns |= u32::from(x >= x0 && x <= x1) << i;
        }
        let mut offsets = [[0i32; ROW]; 3];
        for k in 0..crossings {
            let (a, b, _) = crossing[k];
            offsets[k] = std::array::from_fn(|i| {
                a.wrapping_mul(lane_x(i))
                    .wrapping_add(b.wrapping_mul(lane_y(i)))
            });
        }
        const UPPER: u32 = 0x3333_3333;
        let samples = if msaa { 4 } else { 1 };
        let mut which = which;
        for qy in y0 / 2..=y1 / 2 {
            let mut box_mask = columns;
            if qy * 2 < y0 {
                box_mask &= !UPPER;
            }
            if qy * 2 + 1 > y1 {
                box_mask &= UPPER;
            }
            let mut cover = [0u32; 4];
            for s in 0..samples {
                let mut mask = box_mask;
                for k in 0..crossings {
                    let (a, b, e) = crossing[k];
                    let mut base = e.wrapping_add(b.wrapping_mul(qy * 2));
                    if msaa {
                        let (dx, dy) = SAMPLES[s];
                        base = base.wrapping_add(
                            ((i64::from(a) * i64::from(dx) + i64::from(b) * i64::from(dy)) >> 8)
                                as i32,
                        );
                    }
                    mask &= not_negative(base, &offsets[k]);
                }
                cover[s] = mask;
            }
            if !msaa {
                cover = [cover[0]; 4];
            }
            for (s, cover) in cover.iter_mut().enumerate() {
                if draw.rsw.sample_mask >> s & 1 == 0 && frame.planes > 1 {
                    *cover = 0;
                }
            }
            cover[frame.planes..].fill(0);
            if cover.iter().all(|&c| c == 0) {
                continue;
            }
            let l = self.batch.locals[which as usize];
            if tri.clip_z {
                let inside = depth_inside(&l, qy, draw.near, draw.far);
                cover.iter_mut().for_each(|c| *c &= inside);
            }
            if !draw.late {
                for s in 0..frame.planes {
                    if cover[s] != 0 {
                        let at = if msaa { SAMPLES[s] } else { (0, 0) };
                        cover[s] = self.early(draw, &l, qy, s, cover[s], at, tri.back);
                    }
                }
            }
            let mut any = cover.iter().fold(0, |a, c| a | c);
            if any == u32::MAX && self.row_fits(draw, qy as usize, frame.planes, &cover) {
                self.push_row(qy as usize, which, frame.planes);
                continue;
            }
            while any != 0 {
                let q = any.trailing_zeros() / 4;
                any &= !(15 << (q * 4));
                let nibbles = cover.map(|c| c >> (q * 4) & 15);
                if self.full_or_conflict(draw, qy as u32 * 8 + q, nibbles) {
                    let local = self.batch.locals[which as usize];
                    self.flush(frame, draws, prims, tri.draw, (tx, ty))?;
                    self.batch.locals.push(local);
                    which = 0;
                }
                self.push(qy as u32 * 8 + q, nibbles, which);
            }
        }
        Ok(())
    }

    fn local(&self, tri: &Tri, (ox, oy): (i32, i32)) -> Local {
        let (ox, oy) = (f64::from(ox), f64::from(oy));
        let at = |p: &[f64; 3]| {
            [
                (p[0] + p[1] * ox + p[2] * oy) as f32,
                p[1] as f32,
                p[2] as f32,
            ]
        };
        Local {
            l1: at(&tri.l1),
            l2: at(&tri.l2),
            z: at(&tri.z),
            rw: tri.rw,
            affine: tri.affine,
            front: !tri.back,
            planes: tri.planes,
        }
    }

    #[inline(always)]
    fn full_or_conflict(&self, draw: &DrawState, quad: u32, nibbles: [u32; 4]) -> bool {
        if self.batch.len == QUADS {
            return true;
        }
        let all = u64::from(nibbles[0] | nibbles[1] | nibbles[2] | nibbles[3]);
        draw.ordered && self.batch.present[quad as usize / 16] >> (quad % 16 * 4) & all != 0
    }

    /// Whether a whole row of quads can be added at once.
    #[inline(always)]
    fn row_fits(&self, draw: &DrawState, row: usize, planes: usize, cover: &[u32; 4]) -> bool {
        self.batch.len + 8 <= QUADS
            && cover[..planes].iter().all(|&c| c == u32::MAX)
            && !(draw.ordered && self.batch.present[row / 2] >> (row % 2 * 32) & 0xFFFF_FFFF != 0)
    }

    #[inline(always)]
    fn push_row(&mut self, row: usize, local: u8, planes: usize) {
        let b = &mut self.batch;
        for i in 0..8 {
            b.quad[b.len + i] = (row * 8 + i) as u8;
            b.local[b.len + i] = local;
        }
        for s in 0..planes {
            b.cover[s] |= 0xFFFF_FFFF << (b.len * 4);
        }
        b.present[row / 2] |= 0xFFFF_FFFF << (row % 2 * 32);
        b.len += 8;
    }

    #[inline(always)]
    fn push(&mut self, quad: u32, nibbles: [u32; 4], local: u8) {
        let b = &mut self.batch;
        b.quad[b.len] = quad as u8;
        b.local[b.len] = local;
        let mut all = 0;
        for s in 0..4 {
            b.cover[s] |= u64::from(nibbles[s]) << (b.len * 4);
            all |= nibbles[s];
        }
        b.present[quad as usize / 16] |= u64::from(all) << (quad % 16 * 4);
        b.len += 1;
    }

    /// Depth and stencil of a row of quads, before the program. Returns what is left.
    #[expect(clippy::too_many_arguments, reason = "a place and a mask")]
    fn early(
        &mut self,
        draw: &DrawState,
        l: &Local,
        qy: i32,
        s: usize,
        cover: u32,
        (dx, dy): (i32, i32),
        back: bool,
    ) -> u32 {
        let rsw = &draw.rsw;
        let stencil = &rsw.stencil[usize::from(back)];
        if rsw.depth_func == ALWAYS && !rsw.depth_write && stencil.idle() {
            return cover;
        }
        let start = qy as usize * ROW;
        let base =
            l.z[0] + l.z[1] * (dx as f32 / 256.0) + l.z[2] * ((qy * 2) as f32 + dy as f32 / 256.0);
        let mut z = [0u32; ROW];
        rop::depth_plane(base, l.z[1], l.z[2], &mut z);
        let depth: &mut [u32; ROW] = match (&mut self.buf.depth[s][start..start + ROW]).try_into() {
            Ok(d) => d,
            Err(_) => return 0,
        };
        if stencil.idle() {
            return rop::depth_row(rsw.depth_func, rsw.depth_write, &z, depth, cover);
        }
        let mut pass = 0;
        for i in 0..ROW {
            if cover >> i & 1 != 0 {
                let st = &mut self.buf.stencil[s][start + i];
                let ok = rop::depth_stencil(rsw, stencil, z[i], &mut depth[i], st, None);
                pass |= u32::from(ok) << i;
            }
        }
        pass
    }

    /// Shades what is waiting. On failure, the address of the program that hangs.
    fn flush(
        &mut self,
        frame: &Frame,
        draws: &[Option<DrawState>],
        prims: &Prims,
        current: u32,
        (tx, ty): (u32, u32),
    ) -> Result<(), u32> {
        let n = self.batch.len;
        if n > 0
            && let Some(Some(draw)) = draws.get(current as usize)
        {
            self.interpolate(frame, draw, (tx, ty));
            let s = &*self.scratch;
            let input = exec::Input {
                chunks: n.div_ceil(4),
                weights: &s.weights,
                frag_coord: &s.frag_coord,
                facing: &s.facing,
                quad_planes: &s.quad_planes,
                one_triangle: self.batch.local[..n]
                    .iter()
                    .all(|&l| l == self.batch.local[0]),
                planes: &prims.planes,
                consts: &draw.consts,
                uniforms: &draw.uniforms,
                samplers: &draw.samplers,
                flip_derivatives: frame.flip_derivatives,
                tile: &s.tile,
            };
            exec::run(&draw.program, &input, &mut self.exec)
                .map_err(|exec::Hung| draw.rsw.shader)?;
            self.output(frame, draw);
        }
        self.batch.len = 0;
        self.batch.cover = [0; 4];
        self.batch.present = [0; 4];
        self.batch.locals.clear();
        Ok(())
    }

    /// Weights and whatever else the program starts from.
    fn interpolate(&mut self, frame: &Frame, draw: &DrawState, at: (u32, u32)) {
        #[cfg(target_arch = "x86_64")]
        if exec::has_f16c() {
            // SAFETY: the processor has the features.
            return unsafe { self.interpolate_avx2(frame, draw, at) };
        }
        self.interpolate_any(frame, draw, at);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn interpolate_avx2(&mut self, frame: &Frame, draw: &DrawState, at: (u32, u32)) {
        self.interpolate_any(frame, draw, at);
    }

    #[inline(always)]
    fn interpolate_any(&mut self, frame: &Frame, draw: &DrawState, (tx, ty): (u32, u32)) {
        let s = &mut *self.scratch;
        let b = &self.batch;
        for k in 0..b.len.div_ceil(4) {
            let (mut l1, mut l2) = ([0.0; LANES], [0.0; LANES]);
            // 1/w at vertex 0, its differences to 1 and 2.
            let mut rw: [Lane; 3] = [[0.0; LANES]; 3];
            let mut affine = true;
            for o in (0..LANES).step_by(4) {
                // Lanes behind the last quad repeat it, so that no arithmetic runs wild.
                let q = (k * 4 + o / 4).min(b.len - 1);
                let l = &b.locals[b.local[q] as usize];
                let quad = b.quad[q];
                s.quad_planes[k * 4 + o / 4] = l.planes;
                affine &= l.affine;
                let (qx, qy) = (f32::from(quad % 8 * 2), f32::from(quad / 8 * 2));
                let a = l.l1[0] + l.l1[1] * qx + l.l1[2] * qy;
                let c = l.l2[0] + l.l2[1] * qx + l.l2[2] * qy;
                let step1 = [0.0, l.l1[1], l.l1[2], l.l1[1] + l.l1[2]];
                let step2 = [0.0, l.l2[1], l.l2[2], l.l2[1] + l.l2[2]];
                for i in 0..4 {
                    l1[o + i] = a + step1[i];
                    l2[o + i] = c + step2[i];
                }
                if !l.affine || draw.uses_frag_coord {
                    for (rw, v) in rw.iter_mut().zip(l.rw) {
                        rw[o..o + 4].fill(v);
                    }
                } else {
                    rw.iter_mut().for_each(|rw| rw[o..o + 4].fill(1.0));
                }
                if draw.uses_frag_coord {
                    let (px, py) = ((tx * 16) as f32 + qx, (ty * 16) as f32 + qy);
                    for i in 0..4 {
                        let (x, y) = ((i & 1) as f32, (i >> 1) as f32);
                        s.frag_coord[0][k][o + i] = px + x + frame.origin.0;
                        s.frag_coord[1][k][o + i] = if frame.flip_y {
                            frame.origin.1 - (py + y)
                        } else {
                            py + y + 0.5
                        };
                        let z = l.z[0] + l.z[1] * (qx + x) + l.z[2] * (qy + y);
                        s.frag_coord[2][k][o + i] = z.clamp(0.0, 1.0);
                        s.facing[k][o + i] = if l.front { 1.0 } else { 0.0 };
                    }
                }
                if draw.program.reads_tile {
                    read_tile(&self.buf, frame.fp16, quad, &mut s.tile, k, o);
                }
            }
            if !affine || draw.uses_frag_coord {
                for i in 0..LANES {
                    let w =
                        rw[0][i] + (rw[1][i] - rw[0][i]) * l1[i] + (rw[2][i] - rw[0][i]) * l2[i];
                    s.frag_coord[3][k][i] = w;
                    let inv = 1.0 / w;
                    l1[i] = l1[i] * rw[1][i] * inv;
                    l2[i] = l2[i] * rw[2][i] * inv;
                }
            }
            s.weights[0][k] = l1;
            s.weights[1][k] = l2;
        }
    }

    /// Late tests and the colour.
    fn output(&mut self, frame: &Frame, draw: &DrawState) {
        let rsw = &draw.rsw;
        let n = self.batch.len;
        let mut killed = 0u64;
        for k in 0..CHUNKS {
            killed |= u64::from(self.exec.killed[k] & 0xFFFF) << (16 * k);
        }
        let mut cover = self.batch.cover.map(|c| c & !killed);
        let color: [&exec::Row; 4] = std::array::from_fn(|c| {
            &self.exec.rows[(rsw.color_reg * 4 + c) % super::shader::row::COUNT]
        });
        if draw.late {
            if rsw.alpha_func != ALWAYS || rsw.alpha_to_coverage {
                for lane in 0..n * 4 {
                    let alpha = color[3][lane / LANES][lane % LANES];
                    let keep = rop::alpha_cover(rsw, alpha, frame.planes);
                    for (s, c) in cover.iter_mut().enumerate() {
                        if keep >> s & 1 == 0 {
                            *c &= !(1 << lane);
                        }
                    }
                }
            }
            let buf = &mut self.buf;
            let b = &self.batch;
            let depth_row: [&exec::Row; 4] = std::array::from_fn(|c| {
                &self.exec.rows[(rsw.frag_depth_reg * 4 + c) % super::shader::row::COUNT]
            });
            for lane in 0..n * 4 {
                let q = lane / 4;
                let l = &b.locals[b.local[q] as usize];
                let quad = u32::from(b.quad[q]);
                let (x, y) = (
                    quad % 8 * 2 + (lane as u32 & 1),
                    quad / 8 * 2 + (lane as u32 >> 1 & 1),
                );
                let out: [f32; 4] =
                    std::array::from_fn(|c| depth_row[c][lane / LANES][lane % LANES]);
                let (z, st) = rop::shader_depth_stencil(rsw, out, || {
                    rop::depth24(l.z[0] + l.z[1] * x as f32 + l.z[2] * y as f32)
                });
                let stencil = &rsw.stencil[usize::from(!l.front)];
                let at = quad as usize * 4 + lane % 4;
                for s in 0..frame.planes {
                    if cover[s] >> lane & 1 != 0 {
                        let (d, t) = (&mut buf.depth[s][at], &mut buf.stencil[s][at]);
                        if !rop::depth_stencil(rsw, stencil, z, d, t, st) {
                            cover[s] &= !(1 << lane);
                        }
                    }
                }
            }
        }
        if rsw.color_mask == 0 {
            return;
        }
        let second: [&exec::Row; 4] = std::array::from_fn(|c| {
            &self.exec.rows[(rsw.color1_reg * 4 + c) % super::shader::row::COUNT]
        });
        let out = rop::Pixels {
            quads: &self.batch.quad[..n],
            color,
            second,
        };
        for s in 0..frame.planes {
            if cover[s] == 0 {
                continue;
            }
            if frame.fp16 {
                draw.blend
                    .write_float(&out, cover[s], &mut self.buf.float[s]);
            } else {
                draw.blend.write(&out, cover[s], &mut self.buf.color[s]);
            }
        }
    }
}

/// What a program that reads the tile finds at a quad.
fn read_tile(buf: &Buffers, fp16: bool, quad: u8, out: &mut [exec::Row; 5], k: usize, o: usize) {
    for i in 0..4 {
        let at = quad as usize * 4 + i;
        let rgba = buf.color[0][at].to_le_bytes();
        for c in 0..4 {
            out[c][k][o + i] = if fp16 {
                buf.float[0][at][c]
            } else {
                f32::from(rgba[c]) / 255.0
            };
        }
        out[4][k][o + i] = buf.depth[0][at] as f32 / 16_777_215.0;
    }
}

/// One bit per lane: set where `base + offset` is not negative.
#[inline(always)]
fn not_negative(base: i32, offsets: &[i32; ROW]) -> u32 {
    let mut negative = 0u32;
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        for k in 0..ROW / 4 {
            // SAFETY: SSE2 is part of x86-64; the pointer covers four integers of the array.
            let bits = unsafe {
                let o = _mm_loadu_si128(offsets.as_ptr().add(k * 4).cast());
                let v = _mm_add_epi32(o, _mm_set1_epi32(base));
                _mm_movemask_ps(_mm_castsi128_ps(v))
            };
            negative |= (bits as u32) << (k * 4);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    for i in 0..ROW {
        negative |= u32::from(base.wrapping_add(offsets[i]) < 0) << i;
    }
    !negative
}

/// Lanes of a row of quads whose depth is in the draw's range.
fn depth_inside(l: &Local, qy: i32, near: f32, far: f32) -> u32 {
    // Rounding must not cut off what lies exactly on a plane.
    const SLACK: f32 = 1.0 / 1_048_576.0;
    let mut inside = 0;
    for i in 0..ROW {
        let z = l.z[0] + l.z[1] * lane_x(i) as f32 + l.z[2] * (qy * 2 + lane_y(i)) as f32;
        inside |= u32::from(z >= near - SLACK && z <= far + SLACK) << i;
    }
    inside
}
