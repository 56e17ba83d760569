//! A batch of quads through the program: weights in front of it, late tests and blending
//! behind it.

use crate::pp::blend::{self, Pixels};
use crate::pp::depth_stencil;
use crate::pp::exec::{self, GROUPS, Mask};
use crate::pp::rsw::ALWAYS;
use crate::pp::tile::{Batch, Buffers, DrawState, HALVES, Job, LocalTriangle, Worker};
use isotherm_lanes::dispatch;
use isotherm_lanes::{LANES, Lane, Simd};

/// What a program starts from.
#[repr(C, align(64))]
pub(crate) struct Scratch {
    weights: [exec::Row; 2],
    frag_coord: [exec::Row; 4],
    facing: exec::Row,
    tile: [exec::Row; 5],
    quad_planes: [[u32; 4]; GROUPS],
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        let row = [[0.0; LANES]; GROUPS];
        Scratch {
            weights: [row; 2],
            frag_coord: [row; 4],
            facing: row,
            quad_planes: [[0; 4]; GROUPS],
            tile: [row; 5],
        }
    }
}

impl Worker {
    /// What the program will find in front of it.
    pub(crate) fn start(&mut self, job: &Job, draw: &DrawState) {
        self.batch.fill_group();
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
    }

    /// Runs the draw's program on the batch and writes what it gives.
    pub(crate) fn shade(&mut self, job: &Job, draw: &DrawState) -> Result<(), u32> {
        self.draw_layers(job);
        self.start(job, draw);
        let input = input(job, draw, &self.scratch, &self.batch);
        exec::run(&draw.program, &input, &mut self.exec).map_err(|exec::Hung| draw.rsw.shader)?;
        self.output(job, draw);
        Ok(())
    }

    /// Late tests and the colour.
    fn output(&mut self, job: &Job, draw: &DrawState) {
        let (frame, rsw) = (job.frame, &draw.rsw);
        let n = self.batch.len;
        let mut cover: [Mask; 4] = [0; 4];
        for (s, cover) in cover.iter_mut().enumerate().take(frame.planes) {
            *cover = self.batch.covered(s);
        }
        if draw.program.discards {
            let killed = self.exec.killed.map(|k| (k as u16).to_le_bytes());
            let mut bytes = [0; size_of::<Mask>()];
            bytes.copy_from_slice(killed.as_flattened());
            cover
                .iter_mut()
                .for_each(|c| *c &= !Mask::from_le_bytes(bytes));
        }
        let exec = &self.exec;
        let color: [&exec::Row; 4] = std::array::from_fn(|c| exec.row(rsw.color_reg * 4 + c));
        if draw.late {
            if rsw.alpha_func != ALWAYS || rsw.alpha_to_coverage {
                for lane in 0..n * 4 {
                    let alpha = color[3][lane / LANES][lane % LANES];
                    let keep = depth_stencil::alpha_cover(rsw, alpha, frame.planes);
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
    fn late(&mut self, job: &Job, draw: &DrawState, cover: &mut [Mask; 4]) {
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
            let (z, st) = depth_stencil::shader_depth_stencil(rsw, out, || {
                depth_stencil::depth24(l.z[0] + l.z[1] * x as f32 + l.z[2] * y as f32)
            });
            let stencil = &rsw.stencil[usize::from(!l.front)];
            let at = quad as usize * 4 + lane % 4;
            for s in 0..job.frame.planes {
                if cover[s] >> lane & 1 != 0 {
                    let (d, t) = (&mut buf.depth.0[s][at], &mut buf.stencil[s][at]);
                    if !depth_stencil::depth_stencil(rsw, stencil, z, d, t, st) {
                        cover[s] &= !(1 << lane);
                    }
                }
            }
        }
    }
}

/// A batch as its program sees it.
pub(crate) fn input<'a>(
    job: &Job<'a>,
    draw: &'a DrawState,
    s: &'a Scratch,
    batch: &Batch,
) -> exec::Input<'a> {
    exec::Input {
        level: job.frame.level,
        groups: batch.len / 4,
        one_triangle: batch.locals.len() == 1,
        weights: &s.weights,
        frag_coord: &s.frag_coord,
        facing: &s.facing,
        quad_planes: &s.quad_planes,
        planes: &job.prims.planes,
        consts: &draw.consts,
        uniforms: &draw.uniforms,
        samplers: &draw.samplers,
        stack: job.frame.stack,
        flip_derivatives: job.frame.flip_derivatives,
        tile: &s.tile,
    }
}

dispatch! {
    /// Weights of vertices 1 and 2 in each pixel, perspective corrected; w too where the
    /// program asks for it.
    fn weights(b: &Batch, s: &mut Scratch, with_w: bool) = weights_any::<Lanes>;
}

/// x of the pixels of quads that follow each other, from the first of them.
const ACROSS: [f32; 4] = [0.0, 2.0, 4.0, 6.0];

/// y of the first pixels of rows of quads.
const DOWN: [f32; 8] = [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0];

/// Whether quads are half a row of them, as those of most groups are.
#[inline(always)]
fn half_row(quad: [u8; 4]) -> bool {
    let next = u32::from(quad[0]) * 0x0101_0101;
    quad[0].is_multiple_of(4) && u32::from_le_bytes(quad) == next.wrapping_add(0x0302_0100)
}

#[inline(always)]
fn weights_any<S: Simd>(b: &Batch, s: &mut Scratch, with_w: bool) {
    let (quads, locals) = (b.quad.as_chunks::<4>().0, b.local.as_chunks::<4>().0);
    let one = b.locals.len() == 1;
    let groups = b.len / 4;
    if one && !with_w && b.locals[0].affine && groups == GROUPS {
        if b.quad == HALVES[0] {
            return affine_half::<S>(&b.locals[0], 0, s);
        }
        if b.quad == HALVES[1] {
            return affine_half::<S>(&b.locals[0], 1, s);
        }
    }
    for k in 0..groups {
        let (quad, which) = (quads[k], locals[k]);
        let (l1, l2, affine, rw);
        if one || which == [which[0]; 4] {
            let l = &b.locals[which[0] as usize];
            s.quad_planes[k] = [l.planes; 4];
            affine = l.affine;
            let first = quad[0];
            let (x, y);
            if half_row(quad) {
                x = S::add(S::splat(f32::from(first % 8 * 2)), S::quads(ACROSS));
                y = S::splat(f32::from(first / 8 * 2));
            } else {
                (x, y) = corners::<S>(quad);
            }
            l1 = plane::<S>(&l.l1, x, y);
            l2 = plane::<S>(&l.l2, x, y);
            rw = [S::splat(l.rw[0]), S::splat(l.rw[1]), S::splat(l.rw[2])];
        } else {
            let l = [
                &b.locals[which[0] as usize],
                &b.locals[which[1] as usize],
                &b.locals[which[2] as usize],
                &b.locals[which[3] as usize],
            ];
            s.quad_planes[k] = [l[0].planes, l[1].planes, l[2].planes, l[3].planes];
            affine = l[0].affine & l[1].affine & l[2].affine & l[3].affine;
            let (x, y) = corners::<S>(quad);
            l1 = planes::<S>(S::four([&l[0].l1, &l[1].l1, &l[2].l1, &l[3].l1]), x, y);
            l2 = planes::<S>(S::four([&l[0].l2, &l[1].l2, &l[2].l2, &l[3].l2]), x, y);
            // Triangles that need no correction among others that do.
            let of = |q: usize| if with_w { &l[q].rw } else { &l[q].correction };
            let w = S::four([of(0), of(1), of(2), of(3)]);
            rw = [S::pick::<0>(w), S::pick::<1>(w), S::pick::<2>(w)];
        }
        if affine && !with_w {
            S::store(l1, &mut s.weights[0][k]);
            S::store(l2, &mut s.weights[1][k]);
            continue;
        }
        let d1 = S::mul(S::sub(rw[1], rw[0]), l1);
        let d2 = S::mul(S::sub(rw[2], rw[0]), l2);
        let w = S::add(S::add(rw[0], d1), d2);
        let inv = S::div(S::splat(1.0), w);
        S::store(inv, &mut s.frag_coord[3][k]);
        S::store(S::mul(S::mul(l1, rw[1]), inv), &mut s.weights[0][k]);
        S::store(S::mul(S::mul(l2, rw[2]), inv), &mut s.weights[1][k]);
    }
}

/// Half a tile of one triangle that needs no correction.
#[inline(always)]
fn affine_half<S: Simd>(l: &LocalTriangle, half: usize, s: &mut Scratch) {
    s.quad_planes = [[l.planes; 4]; GROUPS];
    for (p, weights) in [&l.l1, &l.l2].into_iter().zip(&mut s.weights) {
        let plane = TilePlane::<S>::new(p);
        for (row, sides) in weights.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            for (side, to) in sides.iter_mut().enumerate() {
                S::store(plane.group(half * GROUPS / 2 + row, side), to);
            }
        }
    }
}

/// A plane over a tile: what it is across the tile is the same in all rows.
pub(crate) struct TilePlane<S: Simd> {
    /// The first pixels of the left quads and of the right ones.
    sides: [S::F; 2],
    /// From a quad's first pixel to all of them.
    step: S::F,
    down: S::F,
}

impl<S: Simd> TilePlane<S> {
    #[inline(always)]
    pub(crate) fn new(p: &[f32; 4]) -> Self {
        let left = S::quads(ACROSS);
        let right = S::add(S::splat(8.0), left);
        TilePlane {
            sides: [
                S::add(S::splat(p[0]), S::mul(S::splat(p[1]), left)),
                S::add(S::splat(p[0]), S::mul(S::splat(p[1]), right)),
            ],
            step: S::repeat([0.0, p[1], p[2], p[3]]),
            down: S::splat(p[2]),
        }
    }

    /// Its values in the left or right quads of a row.
    #[inline(always)]
    pub(crate) fn group(&self, row: usize, side: usize) -> S::F {
        let down = S::mul(self.down, S::splat(DOWN[row % DOWN.len()]));
        S::add(S::add(self.sides[side], down), self.step)
    }

    /// Leaves what is the same in all rows for [`TilePlane::group_of`].
    #[inline(always)]
    pub(crate) fn store(&self, to: &mut [Lane; 3]) {
        S::store(self.sides[0], &mut to[0]);
        S::store(self.sides[1], &mut to[1]);
        S::store(self.step, &mut to[2]);
    }

    /// The same as [`TilePlane::group`] of plane `p`, from what was stored.
    #[inline(always)]
    pub(crate) fn group_of(stored: &[Lane; 3], p: &[f32; 4], row: usize, side: usize) -> S::F {
        let stored = TilePlane::<S> {
            sides: [S::load(&stored[side % 2]); 2],
            step: S::load(&stored[2]),
            down: S::splat(p[2]),
        };
        stored.group(row, side % 2)
    }
}

/// Where the first pixels of quads are.
#[inline(always)]
fn corners<S: Simd>(quad: [u8; 4]) -> (S::F, S::F) {
    let (mut across, mut down) = ([0.0; 4], [0.0; 4]);
    for q in 0..4 {
        across[q] = f32::from(quad[q] % 8 * 2);
        down[q] = f32::from(quad[q] / 8 * 2);
    }
    (S::quads(across), S::quads(down))
}

/// A plane in the pixels of four quads whose first pixels are at `x` and `y`.
#[inline(always)]
fn plane<S: Simd>(p: &[f32; 4], x: S::F, y: S::F) -> S::F {
    let across = S::mul(S::splat(p[1]), x);
    let first = S::add(S::add(S::splat(p[0]), across), S::mul(S::splat(p[2]), y));
    S::add(first, S::repeat([0.0, p[1], p[2], p[3]]))
}

/// The same for a plane per quad.
#[inline(always)]
fn planes<S: Simd>(p: S::F, x: S::F, y: S::F) -> S::F {
    /// All pixels of a quad but the first.
    const OTHERS: u32 = 0xEEEE;
    let across = S::mul(S::pick::<1>(p), x);
    let first = S::add(S::add(S::pick::<0>(p), across), S::mul(S::pick::<2>(p), y));
    S::add(first, S::select(S::mask(OTHERS), p, S::splat(0.0)))
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
