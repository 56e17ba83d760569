//! Per-pixel tests and blending.

// `max` then `min` takes NaN to the lower bound, as the unit does; `clamp` would pass it on.
#![allow(clippy::manual_clamp)]

use super::exec::Row;
use super::half::{LANES, Lane, lanes, to_int, unit};
use super::rsw::{ALWAYS, RenderState, Stencil, func};
use super::wide::{Plain, WIDE, Wide};

/// Largest depth.
const DEPTH_MAX: f32 = 16_777_215.0;

/// Depth as the tile keeps it.
#[inline(always)]
pub(crate) fn depth24(z: f32) -> u32 {
    // Clamped first: what is left of the range after clipping is rounding.
    to_int(unit(z) * DEPTH_MAX + 0.5) as u32
}

/// Depth of two rows of eight quads, `base` that of the first pixel.
pub(crate) fn depth_plane(base: f32, dx: f32, dy: f32, out: &mut [u32; 32]) {
    #[cfg(target_arch = "x86_64")]
    if super::exec::has_f16c() {
        // SAFETY: the processor has the feature.
        return unsafe { depth_plane_avx2(base, dx, dy, out) };
    }
    depth_plane_any(base, dx, dy, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn depth_plane_avx2(base: f32, dx: f32, dy: f32, out: &mut [u32; 32]) {
    depth_plane_any(base, dx, dy, out);
}

#[inline(always)]
fn depth_plane_any(base: f32, dx: f32, dy: f32, out: &mut [u32; 32]) {
    for i in 0..32 {
        let (x, y) = ((i / 4 * 2 + (i & 1)) as f32, (i >> 1 & 1) as f32);
        out[i] = depth24(base + dx * x + dy * y);
    }
}

/// Tests and writes the depth of two rows of quads; which pixels passed.
pub(crate) fn depth_row(
    func: u32,
    write: bool,
    z: &[u32; 32],
    depth: &mut [u32; 32],
    cover: u32,
) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if super::exec::has_f16c() {
        // SAFETY: the processor has the feature.
        return unsafe { depth_row_avx2(func, write, z, depth, cover) };
    }
    depth_row_any(func, write, z, depth, cover)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn depth_row_avx2(func: u32, write: bool, z: &[u32; 32], depth: &mut [u32; 32], cover: u32) -> u32 {
    depth_row_any(func, write, z, depth, cover)
}

#[inline(always)]
fn depth_row_any(func: u32, write: bool, z: &[u32; 32], depth: &mut [u32; 32], cover: u32) -> u32 {
    // 24 bits: the sign of a difference is the comparison.
    let (mut less, mut more) = ([0i32; 32], [0i32; 32]);
    for i in 0..32 {
        less[i] = z[i] as i32 - depth[i] as i32;
        more[i] = depth[i] as i32 - z[i] as i32;
    }
    let (less, more) = (signs(&less), signs(&more));
    let pass = cover
        & match func {
            0 => 0,
            1 => less,
            2 => !(less | more),
            3 => !more,
            4 => more,
            5 => less | more,
            6 => !less,
            _ => u32::MAX,
        };
    if write && pass != 0 {
        for i in 0..32 {
            let m = 0u32.wrapping_sub(pass >> i & 1);
            depth[i] = z[i] & m | depth[i] & !m;
        }
    }
    pass
}

/// One bit per lane: set where negative.
#[inline(always)]
fn signs(v: &[i32; 32]) -> u32 {
    let mut out = 0;
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        for k in 0..8 {
            // SAFETY: SSE2 is part of x86-64; the pointer covers four integers of the array.
            let bits = unsafe { _mm_movemask_ps(_mm_loadu_ps(v.as_ptr().add(k * 4).cast())) };
            out |= (bits as u32) << (k * 4);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    for i in 0..32 {
        out |= u32::from(v[i] < 0) << i;
    }
    out
}

fn compare(func: u32, a: u32, b: u32) -> bool {
    match func {
        0 => false,
        1 => a < b,
        2 => a == b,
        3 => a <= b,
        4 => a > b,
        5 => a != b,
        6 => a >= b,
        _ => true,
    }
}

/// Tests and updates depth and stencil of one sample. `replace` is the program's
/// stencil value where it writes one.
pub(crate) fn depth_stencil(
    rsw: &RenderState,
    stencil: &Stencil,
    z: u32,
    depth: &mut u32,
    value: &mut u8,
    replace: Option<u8>,
) -> bool {
    let reference = replace.unwrap_or(stencil.reference);
    let mask = stencil.mask;
    let update = |op: u32, value: &mut u8| {
        let old = *value;
        let new = match op {
            0 => old,
            1 => reference,
            2 => 0,
            3 => !old,
            4 => old.wrapping_add(1),
            5 => old.wrapping_sub(1),
            6 => old.saturating_add(1),
            _ => old.saturating_sub(1),
        };
        *value = old & !stencil.write | new & stencil.write;
    };
    if !compare(
        stencil.func,
        u32::from(reference & mask),
        u32::from(*value & mask),
    ) {
        update(stencil.fail, value);
        return false;
    }
    if !compare(rsw.depth_func, z, *depth) {
        update(stencil.zfail, value);
        return false;
    }
    update(stencil.zpass, value);
    if rsw.depth_write {
        *depth = z;
    }
    true
}

/// Depth and stencil as the program may have written them.
pub(crate) fn shader_depth_stencil(
    rsw: &RenderState,
    out: [f32; 4],
    plane: impl Fn() -> u32,
) -> (u32, Option<u8>) {
    if rsw.shader_depth_stencil {
        // Four bytes, see texel format 32h.
        let b = out.map(|x| x.max(0.0).min(255.0) as u32);
        let z = if rsw.shader_depth {
            b[0] | b[1] << 8 | b[2] << 16
        } else {
            plane()
        };
        return (z, rsw.shader_stencil.then_some(b[3] as u8));
    }
    let z = if rsw.shader_depth {
        depth24(out[0])
    } else {
        plane()
    };
    (z, None)
}

/// Samples that the alpha tests leave.
pub(crate) fn alpha_cover(rsw: &RenderState, alpha: f32, planes: usize) -> u32 {
    let byte = (alpha.max(0.0).min(1.0) * 255.0 + 0.5) as u32;
    if rsw.alpha_func != ALWAYS && !compare(rsw.alpha_func, byte, u32::from(rsw.alpha_ref)) {
        return 0;
    }
    if rsw.alpha_to_coverage && planes > 1 {
        // As many samples as alpha has quarters (guess: which ones is not known).
        let count = (alpha.max(0.0).min(1.0) * 4.0 + 0.5) as u32;
        return (1 << count) - 1;
    }
    15
}

/// The pixels of a batch on their way out.
pub(crate) struct Pixels<'a> {
    pub(crate) quads: &'a [u8],
    pub(crate) color: [&'a Row; 4],
    pub(crate) second: [&'a Row; 4],
}

/// Blend state, prepared.
#[derive(Clone, Debug)]
pub(crate) struct Blend {
    plain: bool,
    state: RenderState,
    /// Bits that may be written.
    mask: u32,
    bits: [u32; 4],
    narrow: bool,
    /// A factor uses the second colour.
    dual: bool,
}

/// Thresholds of ordered dithering (guess: the true matrix is not known).
const DITHER: [u8; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

impl Blend {
    pub(crate) fn new(state: &RenderState, bits: [u32; 4]) -> Blend {
        let bits = bits.map(|b| if b == 0 { 8 } else { b.min(8) });
        let narrow = bits.iter().any(|&b| b != 8);
        let mask = (0..4)
            .filter(|c| state.color_mask >> c & 1 != 0)
            .fold(0, |m, c| m | 0xFF << (8 * c));
        Blend {
            plain: !state.reads_color() && !narrow,
            state: state.clone(),
            mask,
            bits,
            narrow,
            dual: [state.src_rgb, state.dst_rgb, state.src_a, state.dst_a]
                .iter()
                .any(|f| f & 7 == 5),
        }
    }

    /// Writes the covered pixels of a batch.
    pub(crate) fn write(&self, p: &Pixels, cover: u64, tile: &mut [u32; 256]) {
        #[cfg(target_arch = "x86_64")]
        {
            static AVX2: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
            if *AVX2.get_or_init(|| is_x86_feature_detected!("avx2")) {
                // SAFETY: the processor has the feature.
                unsafe { self.write_avx2(p, cover, tile) };
                return;
            }
        }
        self.write_any::<Plain>(p, cover, tile);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn write_avx2(&self, p: &Pixels, cover: u64, tile: &mut [u32; 256]) {
        self.write_any::<super::wide::Avx2>(p, cover, tile);
    }

    #[inline(always)]
    fn write_any<W: Wide>(&self, p: &Pixels, cover: u64, tile: &mut [u32; 256]) {
        for (k, quads) in p.quads.chunks(4).enumerate() {
            let here = (cover >> (k * LANES)) as u32 & 0xFFFF;
            if here == 0 {
                continue;
            }
            // Neighbours in a tile are neighbours in memory.
            let run = quads.len() == 4 && quads[3] == quads[0] + 3 && here == 0xFFFF;
            let mut src = [p.color[0][k], p.color[1][k], p.color[2][k], p.color[3][k]];
            if self.state.alpha_to_one {
                src[3] = [1.0; LANES];
            }
            let out: [u32; LANES] = if self.plain {
                let mut out = [0; LANES];
                for at in [0, WIDE] {
                    let load = |c: usize| W::load(&src[c], at);
                    W::istore(W::pack([load(0), load(1), load(2), load(3)]), &mut out, at);
                }
                out
            } else {
                let mut dst = [0u32; LANES];
                if run {
                    let at = quads[0] as usize % 61 * 4;
                    dst.copy_from_slice(&tile[at..at + LANES]);
                } else {
                    for (q, &quad) in quads.iter().enumerate() {
                        let at = quad as usize % 64 * 4;
                        dst[q * 4..q * 4 + 4].copy_from_slice(&tile[at..at + 4]);
                    }
                }
                self.over::<W>(p, k, &src, &dst, quads)
            };
            if run {
                let at = quads[0] as usize % 61 * 4;
                tile[at..at + LANES].copy_from_slice(&out);
                continue;
            }
            for (q, &quad) in quads.iter().enumerate() {
                let at = quad as usize % 64 * 4;
                let nibble = here >> (q * 4) & 15;
                if nibble == 15 {
                    tile[at..at + 4].copy_from_slice(&out[q * 4..q * 4 + 4]);
                    continue;
                }
                for i in 0..4 {
                    if nibble >> i & 1 != 0 {
                        tile[at + i] = out[q * 4 + i];
                    }
                }
            }
        }
    }

    /// The new colour of pixels whose old colour matters.
    #[inline(always)]
    fn over<W: Wide>(
        &self,
        p: &Pixels,
        k: usize,
        src: &[Lane; 4],
        dst: &[u32; LANES],
        quads: &[u8],
    ) -> [u32; LANES] {
        if self.state.func_rgb == func::LOGIC_OP {
            let new = self.logic(src, dst);
            return lanes!(|i| new[i] & self.mask | dst[i] & !self.mask);
        }
        let second = [
            p.second[0][k],
            p.second[1][k],
            p.second[2][k],
            p.second[3][k],
        ];
        let mut out = [0; LANES];
        if self.narrow {
            let mut old = [[0.0; LANES]; 4];
            for (c, old) in old.iter_mut().enumerate() {
                *old = lanes!(|i| (dst[i] >> (8 * c) & 255) as i32 as f32 * (1.0 / 255.0));
            }
            let new = self.pack_narrow(&self.mix(src, &second, &old, true), quads);
            return lanes!(|i| new[i] & self.mask | dst[i] & !self.mask);
        }
        let (mask, keep) = (W::isplat(self.mask as i32), W::isplat(!self.mask as i32));
        for at in [0, WIDE] {
            let old = W::iload(dst, at);
            let scale = W::splat(1.0 / 255.0);
            let channel = |c: i32| W::byte(old, 8 * c).mul(scale);
            let d = [channel(0), channel(1), channel(2), channel(3)];
            let load = |from: &[Lane; 4], c: usize| W::load(&from[c], at).unit();
            let s = [load(src, 0), load(src, 1), load(src, 2), load(src, 3)];
            let t = if self.dual {
                [
                    load(&second, 0),
                    load(&second, 1),
                    load(&second, 2),
                    load(&second, 3),
                ]
            } else {
                s
            };
            let new = W::pack([
                self.channel(0, &s, &t, &d),
                self.channel(1, &s, &t, &d),
                self.channel(2, &s, &t, &d),
                self.channel(3, &s, &t, &d),
            ]);
            W::istore(W::ior(W::iand(new, mask), W::iand(old, keep)), &mut out, at);
        }
        out
    }

    /// One channel of [`Blend::mix`], eight pixels.
    #[inline(always)]
    fn channel<W: Wide>(&self, c: usize, s: &[W; 4], t: &[W; 4], d: &[W; 4]) -> W {
        let state = &self.state;
        let (func, fs, fd) = if c == 3 {
            (state.func_a, state.src_a | 16, state.dst_a | 16)
        } else {
            (state.func_rgb, state.src_rgb, state.dst_rgb)
        };
        let one = W::splat(1.0);
        let factor = |n: u32| {
            let channel = if n & 16 != 0 { 3 } else { c };
            let x = match n & 7 {
                0 => s[channel],
                1 => d[channel],
                2 => W::splat(state.blend_color[channel]),
                4 if c == 3 => one,
                4 => s[3].min(one.sub(d[3])),
                5 => t[channel],
                _ => W::splat(0.0),
            };
            if n & 8 != 0 { one.sub(x) } else { x }
        };
        let (a, b) = (s[c].mul(factor(fs)), d[c].mul(factor(fd)));
        match func {
            func::SUBTRACT => a.sub(b),
            func::REVERSE_SUBTRACT => b.sub(a),
            func::MIN => a.add(b).min(d[c]),
            func::MAX => a.add(b).max(d[c]),
            _ => a.add(b),
        }
    }

    /// The same for tiles of half floats.
    pub(crate) fn write_float(&self, p: &Pixels, cover: u64, tile: &mut [[f32; 4]; 256]) {
        for (k, quads) in p.quads.chunks(4).enumerate() {
            let here = cover >> (k * LANES) & 0xFFFF;
            if here == 0 {
                continue;
            }
            let mut src: [Lane; 4] = std::array::from_fn(|c| p.color[c][k]);
            if self.state.alpha_to_one {
                src[3] = [1.0; LANES];
            }
            let second: [Lane; 4] = std::array::from_fn(|c| p.second[c][k]);
            let place = |lane: usize| quads.get(lane / 4).map(|&q| q as usize % 64 * 4 + lane % 4);
            let old: [Lane; 4] = std::array::from_fn(|c| {
                std::array::from_fn(|i| place(i).map_or(0.0, |at| tile[at][c]))
            });
            let out = self.mix(&src, &second, &old, false);
            for lane in 0..LANES {
                if here >> lane & 1 == 0 {
                    continue;
                }
                if let Some(at) = place(lane) {
                    for c in 0..4 {
                        if self.state.color_mask >> c & 1 != 0 {
                            tile[at][c] = super::half::round1(out[c][lane]);
                        }
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn mix(&self, src: &[Lane; 4], second: &[Lane; 4], old: &[Lane; 4], clamp: bool) -> [Lane; 4] {
        let s = &self.state;
        let (mut src, mut second) = (*src, *second);
        if clamp {
            for c in 0..4 {
                src[c] = lanes!(|i| unit(src[c][i]));
                second[c] = lanes!(|i| unit(second[c][i]));
            }
        }
        let mut out = [[0.0; LANES]; 4];
        for c in 0..4 {
            let (func, fs, fd) = if c == 3 {
                // Alpha factors have no bit that selects alpha: they always do.
                (s.func_a, s.src_a | 16, s.dst_a | 16)
            } else {
                (s.func_rgb, s.src_rgb, s.dst_rgb)
            };
            let fs = self.factor(fs, c, &src, &second, old);
            let fd = self.factor(fd, c, &src, &second, old);
            let (a, b) = (&src[c], &old[c]);
            out[c] = match func {
                func::SUBTRACT => lanes!(|i| a[i] * fs[i] - b[i] * fd[i]),
                func::REVERSE_SUBTRACT => lanes!(|i| b[i] * fd[i] - a[i] * fs[i]),
                // The comparison is with the pixel as it is, after the weighting.
                func::MIN => lanes!(|i| (a[i] * fs[i] + b[i] * fd[i]).min(b[i])),
                func::MAX => lanes!(|i| (a[i] * fs[i] + b[i] * fd[i]).max(b[i])),
                _ => lanes!(|i| a[i] * fs[i] + b[i] * fd[i]),
            };
        }
        out
    }

    #[inline(always)]
    fn factor(
        &self,
        n: u32,
        c: usize,
        src: &[Lane; 4],
        second: &[Lane; 4],
        old: &[Lane; 4],
    ) -> Lane {
        let channel = if n & 16 != 0 { 3 } else { c };
        let x = match n & 7 {
            0 => src[channel],
            1 => old[channel],
            2 => [self.state.blend_color[channel]; LANES],
            4 if c == 3 => [1.0; LANES],
            4 => lanes!(|i| src[3][i].min(1.0 - old[3][i])),
            5 => second[channel],
            _ => [0.0; LANES],
        };
        if n & 8 != 0 {
            lanes!(|i| 1.0 - x[i])
        } else {
            x
        }
    }

    fn logic(&self, src: &[Lane; 4], dst: &[u32; LANES]) -> [u32; LANES] {
        let s = pack(src);
        let op = |n: u32, s: u32, d: u32| {
            // The number is the truth table: bit 0 for s = d = 0, 1 for d, 2 for s, 3 both.
            let term = |bit: u32, x: u32| if n >> bit & 1 != 0 { x } else { 0 };
            term(0, !s & !d) | term(1, !s & d) | term(2, s & !d) | term(3, s & d)
        };
        let [rgb, a] = self.state.logicop;
        std::array::from_fn(|i| {
            op(rgb, s[i], dst[i]) & 0x00FF_FFFF | op(a, s[i], dst[i]) & 0xFF00_0000
        })
    }

    /// Channels of fewer than eight bits, widened again.
    fn pack_narrow(&self, rgba: &[[f32; LANES]; 4], quads: &[u8]) -> [u32; LANES] {
        std::array::from_fn(|lane| {
            let quad = u32::from(quads.get(lane / 4).copied().unwrap_or(0));
            let (x, y) = (
                quad % 8 * 2 + (lane as u32 & 1),
                quad / 8 * 2 + (lane as u32 >> 1 & 1),
            );
            let threshold = if self.state.dither {
                (f32::from(DITHER[(y % 4 * 4 + x % 4) as usize]) + 0.5) / 16.0
            } else {
                0.5
            };
            (0..4).fold(0, |out, c| {
                let bits = self.bits[c];
                let max = ((1 << bits) - 1) as f32;
                let threshold = if bits == 8 { 0.5 } else { threshold };
                let v = (rgba[c][lane].max(0.0).min(1.0) * max + threshold).min(max) as u32;
                out | ((v as f32 * 255.0 / max + 0.5) as u32) << (8 * c)
            })
        })
    }
}

/// Four bytes, rounded to nearest.
#[inline(always)]
fn pack(rgba: &[Lane; 4]) -> [u32; LANES] {
    #[inline(always)]
    fn byte(x: f32) -> u32 {
        to_int(unit(x) * 255.0 + 0.5) as u32
    }
    lanes!(|i| {
        byte(rgba[0][i]) | byte(rgba[1][i]) << 8 | byte(rgba[2][i]) << 16 | byte(rgba[3][i]) << 24
    })
}
