//! A batch of quads through the program: weights in front of it, late tests and blending
//! behind it.

use super::blend::{self, Pixels};
use super::exec::{self, CHUNKS, QUADS};
use super::rsw::ALWAYS;
use super::simd::{LANES, Lane, Simd, by_level};
use super::tile::{Batch, Buffers, DrawState, Job, Worker};
use super::zs;

/// What a program starts from.
#[repr(C, align(64))]
pub(crate) struct Scratch {
    weights: [exec::Row; 2],
    frag_coord: [exec::Row; 4],
    facing: exec::Row,
    tile: [exec::Row; 5],
    quad_planes: [u32; QUADS],
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        let row = [[0.0; LANES]; CHUNKS];
        Scratch {
            weights: [row; 2],
            frag_coord: [row; 4],
            facing: row,
            quad_planes: [0; QUADS],
            tile: [row; 5],
        }
    }
}

impl Worker {
    /// Runs the draw's program on the batch and writes what it gives.
    pub(crate) fn shade(&mut self, job: &Job, draw: &DrawState) -> Result<(), u32> {
        let level = job.frame.level;
        weights(level, &self.batch, &mut self.scratch, draw.uses_frag_coord);
        if draw.uses_frag_coord {
            frag_coords(job, &self.batch, &mut self.scratch);
        }
        if draw.program.reads_tile {
            for (i, &quad) in self.batch.quad[..self.batch.len].iter().enumerate() {
                read_tile(&self.buf, job.frame.fp16, quad, &mut self.scratch.tile, i);
            }
        }
        let s = &*self.scratch;
        let input = exec::Input {
            level,
            chunks: self.batch.len.div_ceil(4),
            weights: &s.weights,
            frag_coord: &s.frag_coord,
            facing: &s.facing,
            quad_planes: &s.quad_planes,
            planes: &job.prims.planes,
            consts: &draw.consts,
            uniforms: &draw.uniforms,
            samplers: &draw.samplers,
            flip_derivatives: job.frame.flip_derivatives,
            tile: &s.tile,
        };
        exec::run(level, &draw.program, &input, &mut self.exec)
            .map_err(|exec::Hung| draw.rsw.shader)?;
        self.output(job, draw);
        Ok(())
    }

    /// Late tests and the colour.
    fn output(&mut self, job: &Job, draw: &DrawState) {
        let (frame, rsw) = (job.frame, &draw.rsw);
        let n = self.batch.len;
        let mut killed = 0u64;
        for k in 0..CHUNKS {
            killed |= u64::from(self.exec.killed[k] & 0xFFFF) << (16 * k);
        }
        let mut cover = self.batch.cover.map(|c| c & !killed);
        let exec = &self.exec;
        let color: [&exec::Row; 4] = std::array::from_fn(|c| exec.row(rsw.color_reg * 4 + c));
        if draw.late {
            if rsw.alpha_func != ALWAYS || rsw.alpha_to_coverage {
                for lane in 0..n * 4 {
                    let alpha = color[3][lane / LANES][lane % LANES];
                    let keep = zs::alpha_cover(rsw, alpha, frame.planes);
                    for (s, c) in cover.iter_mut().enumerate() {
                        if keep >> s & 1 == 0 {
                            *c &= !(1 << lane);
                        }
                    }
                }
            }
            self.late(job, draw, &mut cover);
        }
        if rsw.color_mask == 0 {
            return;
        }
        let exec = &self.exec;
        let out = Pixels {
            quads: &self.batch.quad[..n],
            color: std::array::from_fn(|c| exec.row(rsw.color_reg * 4 + c)),
            second: std::array::from_fn(|c| exec.row(rsw.color1_reg * 4 + c)),
        };
        for s in 0..frame.planes {
            if cover[s] == 0 {
                continue;
            }
            if frame.fp16 {
                draw.blend
                    .write_float(&out, cover[s], &mut self.buf.float[s]);
            } else {
                blend::write(
                    frame.level,
                    &draw.blend,
                    &out,
                    cover[s],
                    &mut self.buf.color.0[s],
                );
            }
        }
    }

    /// Depth and stencil behind the program.
    fn late(&mut self, job: &Job, draw: &DrawState, cover: &mut [u64; 4]) {
        let rsw = &draw.rsw;
        let (buf, b, exec) = (&mut self.buf, &self.batch, &self.exec);
        let depth_row: [&exec::Row; 4] =
            std::array::from_fn(|c| exec.row(rsw.frag_depth_reg * 4 + c));
        for lane in 0..b.len * 4 {
            let q = lane / 4;
            let l = &b.locals[b.local[q] as usize];
            let quad = u32::from(b.quad[q]);
            let (x, y) = (
                quad % 8 * 2 + (lane as u32 & 1),
                quad / 8 * 2 + (lane as u32 >> 1 & 1),
            );
            let out: [f32; 4] = std::array::from_fn(|c| depth_row[c][lane / LANES][lane % LANES]);
            let (z, st) = zs::shader_depth_stencil(rsw, out, || {
                zs::depth24(l.z[0] + l.z[1] * x as f32 + l.z[2] * y as f32)
            });
            let stencil = &rsw.stencil[usize::from(!l.front)];
            let at = quad as usize * 4 + lane % 4;
            for s in 0..job.frame.planes {
                if cover[s] >> lane & 1 != 0 {
                    let (d, t) = (&mut buf.depth.0[s][at], &mut buf.stencil[s][at]);
                    if !zs::depth_stencil(rsw, stencil, z, d, t, st) {
                        cover[s] &= !(1 << lane);
                    }
                }
            }
        }
    }
}

by_level! {
    /// Weights of vertices 1 and 2 in each pixel, perspective corrected; 1/w too where the
    /// program asks for it.
    fn weights(b: &Batch, s: &mut Scratch, with_w: bool) = weights_any;
}

#[inline(always)]
fn weights_any<S: Simd>(b: &Batch, s: &mut Scratch, with_w: bool) {
    for k in 0..b.len.div_ceil(4) {
        // Lanes behind the last quad repeat it, so that no arithmetic runs wild.
        let at: [usize; 4] = std::array::from_fn(|q| (k * 4 + q).min(b.len - 1));
        let which = at.map(|q| b.local[q]);
        let quad = at.map(|q| b.quad[q]);
        let x = quad.map(|q| f32::from(q % 8 * 2));
        let y = quad.map(|q| f32::from(q / 8 * 2));
        let (l1, l2, affine, rw);
        let l = [
            &b.locals[which[0] as usize],
            &b.locals[which[1] as usize],
            &b.locals[which[2] as usize],
            &b.locals[which[3] as usize],
        ];
        for q in 0..4 {
            s.quad_planes[k * 4 + q] = l[q].planes;
        }
        if which == [which[0]; 4] {
            let l = l[0];
            affine = l.affine;
            let (x, y) = (S::quads(x), S::quads(y));
            l1 = plane::<S>(&l.l1, x, y);
            l2 = plane::<S>(&l.l2, x, y);
            rw = [S::splat(l.rw[0]), S::splat(l.rw[1]), S::splat(l.rw[2])];
        } else {
            affine = l[0].affine & l[1].affine & l[2].affine & l[3].affine;
            let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
            for q in 0..4 {
                quad_plane(&l[q].l1, x[q], y[q], &mut a, q);
                quad_plane(&l[q].l2, x[q], y[q], &mut b, q);
            }
            l1 = S::load(&a);
            l2 = S::load(&b);
            // Triangles that need no correction among others that do.
            let w = |c: usize| l.map(|l| if l.affine && !with_w { 1.0 } else { l.rw[c] });
            rw = [S::quads(w(0)), S::quads(w(1)), S::quads(w(2))];
        }
        if affine && !with_w {
            S::store(l1, &mut s.weights[0][k]);
            S::store(l2, &mut s.weights[1][k]);
            continue;
        }
        let d1 = S::mul(S::sub(rw[1], rw[0]), l1);
        let d2 = S::mul(S::sub(rw[2], rw[0]), l2);
        let w = S::add(S::add(rw[0], d1), d2);
        S::store(w, &mut s.frag_coord[3][k]);
        let inv = S::div(S::splat(1.0), w);
        S::store(S::mul(S::mul(l1, rw[1]), inv), &mut s.weights[0][k]);
        S::store(S::mul(S::mul(l2, rw[2]), inv), &mut s.weights[1][k]);
    }
}

/// A plane in the pixels of four quads whose first pixels are at `x` and `y`.
#[inline(always)]
fn plane<S: Simd>(p: &[f32; 3], x: S::F, y: S::F) -> S::F {
    let across = S::mul(S::splat(p[1]), x);
    let first = S::add(S::add(S::splat(p[0]), across), S::mul(S::splat(p[2]), y));
    S::add(first, S::repeat([0.0, p[1], p[2], p[1] + p[2]]))
}

/// The same for one quad of the four.
#[inline(always)]
fn quad_plane(p: &[f32; 3], x: f32, y: f32, out: &mut Lane, q: usize) {
    let first = p[0] + p[1] * x + p[2] * y;
    let step = [0.0, p[1], p[2], p[1] + p[2]];
    for i in 0..4 {
        out[q * 4 + i] = first + step[i];
    }
}

/// Window coordinates and facing, for programs that ask.
fn frag_coords(job: &Job, b: &Batch, s: &mut Scratch) {
    let frame = job.frame;
    let (tx, ty) = ((job.at.0 * 16) as f32, (job.at.1 * 16) as f32);
    for n in 0..b.len.next_multiple_of(4) {
        let (k, o) = (n / 4, n % 4 * 4);
        let at = n.min(b.len - 1);
        let l = &b.locals[b.local[at] as usize];
        let quad = b.quad[at];
        let (qx, qy) = (f32::from(quad % 8 * 2), f32::from(quad / 8 * 2));
        let (px, py) = (tx + qx, ty + qy);
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
}

/// What a program that reads the tile finds at quad `n` of the batch.
fn read_tile(buf: &Buffers, fp16: bool, quad: u8, out: &mut [exec::Row; 5], n: usize) {
    let (k, o) = (n / 4, n % 4 * 4);
    for i in 0..4 {
        let at = quad as usize % 64 * 4 + i;
        let rgba = buf.color.0[0][at].to_le_bytes();
        for c in 0..4 {
            out[c][k][o + i] = if fp16 {
                buf.float[0][at][c]
            } else {
                f32::from(rgba[c]) / 255.0
            };
        }
        out[4][k][o + i] = buf.depth.0[0][at] as f32 / 16_777_215.0;
    }
}
