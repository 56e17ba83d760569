//! Blending, logic operations and dithering: from the program's colour to the tile's.

// `max` then `min` takes NaN to the lower bound, as the unit does; `clamp` would pass it on.
#![allow(clippy::manual_clamp)]

use crate::pp::exec::{GROUPS, Mask, Row};
use crate::pp::ramp::Layer;
use crate::pp::rsw::{RenderState, func};
use crate::pp::tile::HALVES;
use isotherm_lanes::dispatch;
use isotherm_lanes::half::{to_int, unit};
use isotherm_lanes::lanes;
use isotherm_lanes::{LANES, Lane, Simd};

/// The pixels of a batch on their way out.
pub(crate) struct Pixels<'a> {
    pub(crate) quads: &'a [u8],
    pub(crate) color: [&'a Row; 4],
    pub(crate) second: [&'a Row; 4],
}

impl<'a> Pixels<'a> {
    /// A group of second colours.
    #[inline(always)]
    fn second(&self, k: usize) -> [&'a Lane; 4] {
        let [r, g, b, a] = self.second;
        [&r[k], &g[k], &b[k], &a[k]]
    }
}

/// Blend state, prepared.
#[derive(Clone, Debug)]
pub(crate) struct Blend {
    path: BlendPath,
    state: RenderState,
    /// Bits that may be written.
    mask: u32,
    bits: [u32; 4],
    /// A factor uses the second colour.
    dual: bool,
}

/// Bits of a factor: one minus what it names; its alpha.
const FACTOR_INVERSE: u32 = 8;
const FACTOR_ALPHA: u32 = 16;

/// How blending is computed. The paths other than the general one leave out multiplications
/// by one and zero; the bits are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum BlendPath {
    /// The new colour as it is.
    Replace,
    /// Source times its alpha, plus the rest of what was there.
    Over,
    /// Source, plus what was there times one minus the source's alpha.
    Premultiplied,
    /// Source plus what was there.
    Add,
    /// Source times its alpha, plus what was there.
    AddAlpha,
    /// Source times what was there.
    Modulate,
    /// Eight bits, any equation and factors.
    General,
    /// Logic operations, and channels of fewer than eight bits.
    Slow,
}

impl BlendPath {
    /// Whether a path needs no more than the program's colour and the old channels.
    const fn stacks(path: u8) -> bool {
        path != BlendPath::Replace as u8
            && path != BlendPath::General as u8
            && path != BlendPath::Slow as u8
    }

    fn new(state: &RenderState, narrow: bool) -> BlendPath {
        const SRC_ALPHA: u32 = 16;
        const NOT_SRC_ALPHA: u32 = 24;
        const ONE: u32 = 11;
        const ZERO: u32 = 3;
        const DST: u32 = 1;
        const ADD: u32 = 2;
        if narrow || state.func_rgb == func::LOGIC_OP {
            return BlendPath::Slow;
        }
        if !state.reads_color() {
            return BlendPath::Replace;
        }
        let rgb = (state.src_rgb, state.dst_rgb);
        let alpha = (state.src_a & 15, state.dst_a & 15);
        let plain = state.func_rgb == ADD && state.func_a == ADD && state.color_mask == 15;
        match (rgb, alpha) {
            ((SRC_ALPHA, NOT_SRC_ALPHA), (0, 8)) if plain => BlendPath::Over,
            ((ONE, NOT_SRC_ALPHA), (ONE, 8)) if plain => BlendPath::Premultiplied,
            ((ONE, ONE), (ONE, ONE)) if plain => BlendPath::Add,
            ((SRC_ALPHA, ONE), (0, ONE)) if plain => BlendPath::AddAlpha,
            ((DST, ZERO), (DST, ZERO)) if plain => BlendPath::Modulate,
            _ => BlendPath::General,
        }
    }
}

dispatch! {
    /// Writes the covered pixels of a batch.
    pub(crate) fn write(blend: &Blend, p: &Pixels, cover: Mask, tile: &mut [u32; 256]) = write_any::<Lanes>;
}

/// A function compiled for the path that a blend takes.
macro_rules! by_path {
    ($function:ident::<$lanes:ident>, $blend:ident $(, $arg:ident)*) => {
        by_path! { @ $function $lanes $blend ($($arg),*)
            Replace Over Premultiplied Add AddAlpha Modulate General Slow }
    };
    (@ $function:ident $lanes:ident $blend:ident $args:tt $($path:ident)*) => {
        match $blend.path {
            $(BlendPath::$path => {
                by_path!(@ call $function $lanes $path $blend $args)
            })*
        }
    };
    (@ call $function:ident $lanes:ident $path:ident $blend:ident ($($arg:ident),*)) => {
        $function::<$lanes, { BlendPath::$path as u8 }>($blend $(, $arg)*)
    };
}

#[inline(always)]
fn write_any<S: Simd>(blend: &Blend, p: &Pixels, cover: Mask, tile: &mut [u32; 256]) {
    by_path!(groups::<S>, blend, p, cover, tile);
}

dispatch! {
    /// Writes the covered pixels of a tile, one triangle after the other.
    pub(crate) fn write_layers(blend: &Blend, layers: &mut [Layer], cover: &[u32; 8], tile: &mut [u32; 256]) = write_layers_any::<Lanes>;
}

#[inline(always)]
fn write_layers_any<S: Simd>(
    blend: &Blend,
    layers: &mut [Layer],
    cover: &[u32; 8],
    tile: &mut [u32; 256],
) {
    layers.iter_mut().for_each(Layer::prepare::<S>);
    by_path!(layers_of::<S>, blend, layers, cover, tile);
}

#[inline(always)]
fn layers_of<S: Simd, const PATH: u8>(
    blend: &Blend,
    layers: &[Layer],
    cover: &[u32; 8],
    tile: &mut [u32; 256],
) {
    let (groups, _) = tile.as_chunks_mut::<LANES>();
    let (rows, _) = groups.as_chunks_mut::<2>();
    for (row, (to, &cover)) in rows.iter_mut().zip(cover).enumerate() {
        let here = [cover & 0xFFFF, cover >> LANES];
        if here[0] != 0 && here[1] != 0 {
            // Two at once: each of them alone waits for itself.
            layers_on::<S, PATH, 2>(blend, layers, (row, 0), here, to);
            continue;
        }
        let side = usize::from(here[0] == 0);
        if here[side] != 0 {
            let (to, _) = to[side..].as_chunks_mut::<1>();
            layers_on::<S, PATH, 1>(blend, layers, (row, side), [here[side]], &mut to[0]);
        }
    }
}

/// Groups of a row of quads from `side` on behind all layers, where they are covered.
#[inline(always)]
fn layers_on<S: Simd, const PATH: u8, const N: usize>(
    blend: &Blend,
    layers: &[Layer],
    (row, side): (usize, usize),
    here: [u32; N],
    to: &mut [[u32; LANES]; N],
) {
    let mut channels = [[S::splat(0.0); 4]; N];
    for i in 0..N {
        channels[i] = numbers::<S>(S::iload(&to[i]));
    }
    for layer in layers {
        for i in 0..N {
            let src = opaque::<S>(blend, layer.colors::<S>(row, side + i));
            let new = if BlendPath::stacks(PATH) {
                rounded_mix::<S, PATH>(src, parts::<S>(channels[i]))
            } else {
                const NO_SECOND: [&Lane; 4] = [&[0.0; LANES]; 4];
                let quads = &HALVES.as_flattened().as_chunks::<4>().0[(row * 2 + side + i) % 16];
                let old = joined::<S>(integers::<S>(channels[i]));
                let new = mixed::<S, PATH>(blend, src, NO_SECOND, quads, old);
                integers::<S>(numbers::<S>(new))
            };
            for c in 0..4 {
                channels[i][c] = S::of_int(new[c]);
            }
        }
    }
    for i in 0..N {
        let new = joined::<S>(integers::<S>(channels[i]));
        let old = S::iload(&to[i]);
        S::istore(S::iselect(S::mask(here[i]), new, old), &mut to[i]);
    }
}

/// Numbers from 0 to 255 as what they are.
#[inline(always)]
fn integers<S: Simd>(x: [S::F; 4]) -> [S::I; 4] {
    [S::int(x[0]), S::int(x[1]), S::int(x[2]), S::int(x[3])]
}

/// A colour with the alpha that the state wants.
#[inline(always)]
fn opaque<S: Simd>(blend: &Blend, [r, g, b, a]: [S::F; 4]) -> [S::F; 4] {
    let one = blend.state.alpha_to_one;
    [r, g, b, if one { S::splat(1.0) } else { a }]
}

/// New pixels from the program's colour and the old ones.
#[inline(always)]
fn mixed<S: Simd, const PATH: u8>(
    blend: &Blend,
    src: [S::F; 4],
    second: [&Lane; 4],
    quads: &[u8],
    dst: S::I,
) -> S::I {
    if PATH == BlendPath::Replace as u8 {
        return S::pack(src);
    }
    if PATH == BlendPath::General as u8 {
        return blend.general::<S>(&src, second, dst);
    }
    if PATH == BlendPath::Slow as u8 {
        let (mut old, mut new) = ([0; LANES], [[0.0; LANES]; 4]);
        S::istore(dst, &mut old);
        for c in 0..4 {
            S::store(src[c], &mut new[c]);
        }
        return S::iload(&blend.slow(&new, second, &old, quads));
    }
    joined::<S>(rounded_mix::<S, PATH>(src, parts::<S>(numbers::<S>(dst))))
}

/// The channels of new pixels as numbers from 0 to 255, for the paths that need nothing else.
#[inline(always)]
fn rounded_mix<S: Simd, const PATH: u8>(src: [S::F; 4], d: [S::F; 4]) -> [S::I; 4] {
    let s = unit4::<S>(&src);
    let rest = S::sub(S::splat(1.0), s[3]);
    let mut out = s;
    for c in 0..4 {
        out[c] = if PATH == BlendPath::Over as u8 {
            S::add(S::mul(s[c], s[3]), S::mul(d[c], rest))
        } else if PATH == BlendPath::Premultiplied as u8 {
            S::add(s[c], S::mul(d[c], rest))
        } else if PATH == BlendPath::Add as u8 {
            S::add(s[c], d[c])
        } else if PATH == BlendPath::AddAlpha as u8 {
            S::add(S::mul(s[c], s[3]), d[c])
        } else {
            S::mul(s[c], d[c])
        };
    }
    // No sum of shares that are one together leaves the range by more than rounding.
    if PATH != BlendPath::Over as u8 && PATH != BlendPath::Modulate as u8 {
        out = unit4::<S>(&out);
    }
    [
        S::to_byte(out[0]),
        S::to_byte(out[1]),
        S::to_byte(out[2]),
        S::to_byte(out[3]),
    ]
}

/// Four channels in a word, R lowest.
#[inline(always)]
fn joined<S: Simd>([r, g, b, a]: [S::I; 4]) -> S::I {
    let rg = S::ior(r, S::shl::<8>(g));
    S::ior(rg, S::ior(S::shl::<16>(b), S::shl::<24>(a)))
}

/// Clamped to 0…1.
#[inline(always)]
fn unit4<S: Simd>(x: &[S::F; 4]) -> [S::F; 4] {
    [S::unit(x[0]), S::unit(x[1]), S::unit(x[2]), S::unit(x[3])]
}

/// The channels of pixels in the tile, from 0 to 255.
#[inline(always)]
fn numbers<S: Simd>(x: S::I) -> [S::F; 4] {
    [
        S::byte::<0>(x),
        S::byte::<8>(x),
        S::byte::<16>(x),
        S::byte::<24>(x),
    ]
}

/// The same as parts of one.
#[inline(always)]
fn parts<S: Simd>(x: [S::F; 4]) -> [S::F; 4] {
    let scale = S::splat(1.0 / 255.0);
    [
        S::mul(x[0], scale),
        S::mul(x[1], scale),
        S::mul(x[2], scale),
        S::mul(x[3], scale),
    ]
}

/// A group of the program's colours.
#[inline(always)]
fn source<S: Simd>(blend: &Blend, p: &Pixels, k: usize) -> [S::F; 4] {
    let alpha = if blend.state.alpha_to_one {
        S::splat(1.0)
    } else {
        S::load(&p.color[3][k])
    };
    [
        S::load(&p.color[0][k]),
        S::load(&p.color[1][k]),
        S::load(&p.color[2][k]),
        alpha,
    ]
}

/// Walks the groups of a batch.
#[inline(always)]
fn groups<S: Simd, const PATH: u8>(blend: &Blend, p: &Pixels, cover: Mask, tile: &mut [u32; 256]) {
    if cover == Mask::MAX
        && let Some(half) = HALVES.iter().position(|half| p.quads == half)
    {
        // Half a tile.
        let (pixels, _) = tile.as_chunks_mut::<LANES>();
        let (quads, _) = p.quads.as_chunks::<4>();
        for (k, to) in pixels[half * GROUPS..][..GROUPS].iter_mut().enumerate() {
            let src = source::<S>(blend, p, k);
            let out = mixed::<S, PATH>(blend, src, p.second(k), &quads[k], S::iload(to));
            S::istore(out, to);
        }
        return;
    }
    let (quads_of, _) = tile.as_chunks_mut::<4>();
    let bytes = cover.to_le_bytes();
    let (covers, _) = bytes.as_chunks::<2>();
    for (k, (quads, &here)) in p.quads.chunks(4).zip(covers).enumerate() {
        let here = u32::from(u16::from_le_bytes(here));
        if here == 0 {
            continue;
        }
        let src = source::<S>(blend, p, k);
        // Neighbours in a tile are neighbours in memory.
        let first = quads[0] as usize % 64;
        let next = |i: usize| quads.get(i).is_some_and(|&q| q as usize == first + i);
        let neighbours = here == 0xFFFF && next(1) && next(2) && next(3);
        let (mut old, mut new) = ([0u32; LANES], [0u32; LANES]);
        let dst = if neighbours {
            let flat = quads_of[first..first + 4].as_flattened();
            flat.first_chunk().map_or(S::isplat(0), S::iload)
        } else {
            if PATH != BlendPath::Replace as u8 {
                let (old, _) = old.as_chunks_mut::<4>();
                for (old, &quad) in old.iter_mut().zip(quads) {
                    *old = quads_of[quad as usize % 64];
                }
            }
            S::iload(&old)
        };
        let out = mixed::<S, PATH>(blend, src, p.second(k), quads, dst);
        if neighbours {
            let flat = quads_of[first..first + 4].as_flattened_mut();
            if let Some(to) = flat.first_chunk_mut() {
                S::istore(out, to);
            }
            continue;
        }
        S::istore(out, &mut new);
        let (new, _) = new.as_chunks::<4>();
        // One after the other: two of them may be the same quad, with different pixels.
        for (q, (&quad, new)) in quads.iter().zip(new).enumerate() {
            let to = &mut quads_of[quad as usize % 64];
            let mask = &QUAD_MASKS[(here >> (q * 4) & 15) as usize];
            for i in 0..4 {
                to[i] = new[i] & mask[i] | to[i] & !mask[i];
            }
        }
    }
}

/// All bits of the pixels that are set in a nibble.
const QUAD_MASKS: [[u32; 4]; 16] = {
    let mut out = [[0; 4]; 16];
    let mut i = 0;
    while i < 64 {
        if (i / 4) >> (i % 4) & 1 != 0 {
            out[i / 4][i % 4] = u32::MAX;
        }
        i += 1;
    }
    out
};

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
            path: BlendPath::new(state, narrow),
            state: state.clone(),
            mask,
            bits,
            dual: state.second_color(),
        }
    }

    /// Whether pixels can go through both without a stop in the tile.
    pub(crate) fn stacks_with(&self, next: &Blend) -> bool {
        let alike = self.state.alpha_to_one == next.state.alpha_to_one;
        BlendPath::stacks(self.path as u8) && self.path == next.path && alike
    }

    /// Any equation and any factors.
    #[inline(always)]
    fn general<S: Simd>(&self, src: &[S::F; 4], second: [&Lane; 4], old: S::I) -> S::I {
        let state = &self.state;
        let (zero, one) = (S::splat(0.0), S::splat(1.0));
        let (s, d) = (unit4::<S>(src), parts::<S>(numbers::<S>(old)));
        let second = if self.dual {
            unit4::<S>(&[
                S::load(second[0]),
                S::load(second[1]),
                S::load(second[2]),
                S::load(second[3]),
            ])
        } else {
            s
        };
        let constant = [
            S::splat(state.blend_color[0]),
            S::splat(state.blend_color[1]),
            S::splat(state.blend_color[2]),
            S::splat(state.blend_color[3]),
        ];
        let saturate = S::min(s[3], S::sub(one, d[3]));
        let saturate = [saturate, saturate, saturate, one];
        let none = [zero; 4];
        // What the low three bits of a factor name.
        let operands: [&[S::F; 4]; 8] =
            [&s, &d, &constant, &none, &saturate, &second, &none, &none];
        let mut out = [zero; 4];
        for c in 0..4 {
            let (func, fs, fd) = self.equation(c);
            let mut shares = [s[c], d[c]];
            for (share, factor) in shares.iter_mut().zip([fs, fd]) {
                let channel = if factor & FACTOR_ALPHA != 0 && factor & 7 != 4 {
                    3
                } else {
                    c
                };
                let x = operands[factor as usize & 7][channel];
                let x = if factor & FACTOR_INVERSE != 0 {
                    S::sub(one, x)
                } else {
                    x
                };
                *share = S::mul(*share, x);
            }
            let [a, b] = shares;
            out[c] = match func {
                func::SUBTRACT => S::sub(a, b),
                func::REVERSE_SUBTRACT => S::sub(b, a),
                func::MIN => S::min(S::add(a, b), d[c]),
                func::MAX => S::max(S::add(a, b), d[c]),
                _ => S::add(a, b),
            };
        }
        let mask = S::isplat(self.mask as i32);
        let keep = S::isplat(!self.mask as i32);
        S::ior(S::iand(S::pack(out), mask), S::iand(old, keep))
    }

    /// Function and factors of a channel. Alpha factors have no bit that selects alpha: they
    /// always do.
    #[inline(always)]
    fn equation(&self, c: usize) -> (u32, u32, u32) {
        let s = &self.state;
        if c == 3 {
            (s.func_a, s.src_a | FACTOR_ALPHA, s.dst_a | FACTOR_ALPHA)
        } else {
            (s.func_rgb, s.src_rgb, s.dst_rgb)
        }
    }

    /// Logic operations, and channels of fewer than eight bits.
    #[cold]
    #[inline(never)]
    fn slow(
        &self,
        src: &[Lane; 4],
        second: [&Lane; 4],
        dst: &[u32; LANES],
        quads: &[u8],
    ) -> [u32; LANES] {
        let new = if self.state.func_rgb == func::LOGIC_OP {
            self.logic(src, dst)
        } else {
            let second = second.map(|row| *row);
            let mut old = [[0.0; LANES]; 4];
            for (c, old) in old.iter_mut().enumerate() {
                *old = lanes!(|i| (dst[i] >> (8 * c) & 255) as i32 as f32 * (1.0 / 255.0));
            }
            self.pack_narrow(&self.mix(src, &second, &old, true), quads)
        };
        lanes!(|i| new[i] & self.mask | dst[i] & !self.mask)
    }

    /// The same for tiles of half floats.
    pub(crate) fn write_float(&self, p: &Pixels, cover: Mask, tile: &mut [[f32; 4]; 256]) {
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
                            tile[at][c] = isotherm_lanes::half::round1(out[c][lane]);
                        }
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn mix(&self, src: &[Lane; 4], second: &[Lane; 4], old: &[Lane; 4], clamp: bool) -> [Lane; 4] {
        let (mut src, mut second) = (*src, *second);
        if clamp {
            for c in 0..4 {
                src[c] = lanes!(|i| unit(src[c][i]));
                second[c] = lanes!(|i| unit(second[c][i]));
            }
        }
        let mut out = [[0.0; LANES]; 4];
        for c in 0..4 {
            let (func, fs, fd) = self.equation(c);
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
        let channel = if n & FACTOR_ALPHA != 0 { 3 } else { c };
        let x = match n & 7 {
            0 => src[channel],
            1 => old[channel],
            2 => [self.state.blend_color[channel]; LANES],
            4 if c == 3 => [1.0; LANES],
            4 => lanes!(|i| src[3][i].min(1.0 - old[3][i])),
            5 => second[channel],
            _ => [0.0; LANES],
        };
        if n & FACTOR_INVERSE != 0 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_lanes::Random;
    use isotherm_lanes::{Base, Level};

    const PATHS: [BlendPath; 8] = [
        BlendPath::Replace,
        BlendPath::Over,
        BlendPath::Premultiplied,
        BlendPath::Add,
        BlendPath::AddAlpha,
        BlendPath::Modulate,
        BlendPath::General,
        BlendPath::Slow,
    ];

    /// A layer's way into a tile through batches.
    fn in_batches(level: Level, blend: &Blend, layer: &mut Layer, tile: &mut [u32; 256]) {
        layer.prepare::<Base>();
        for (half, quads) in HALVES.iter().enumerate() {
            let mut color = [[[0.0; LANES]; GROUPS]; 4];
            for k in 0..GROUPS {
                let group = half * GROUPS + k;
                let here = layer.colors::<Base>(group / 2, group % 2);
                for c in 0..4 {
                    color[c][k] = here[c];
                }
            }
            let color = color.each_ref();
            let out = Pixels {
                quads,
                color,
                second: color,
            };
            write(level, blend, &out, Mask::MAX, tile);
        }
    }

    #[test]
    fn layers_are_what_batches_would_be() {
        let mut random = Random::new(1);
        for level in Level::available() {
            for path in PATHS {
                let state = RenderState::new(&[0; 16]);
                let blend = Blend {
                    path,
                    mask: u32::MAX,
                    ..Blend::new(&state, [8; 4])
                };
                let mut layers = [0; 3].map(|_| Layer::random(&mut random));
                let cover: [u32; 8] = std::array::from_fn(|_| random.pick(&[0, 0xFFFF, !0, 0xA5]));
                let first: [u32; 256] = std::array::from_fn(|_| random.next_u32());
                let mut want = first;
                for layer in &mut layers {
                    in_batches(level, &blend, layer, &mut want);
                }
                for (i, want) in want.iter_mut().enumerate() {
                    if cover[i / 32] >> (i % 32) & 1 == 0 {
                        *want = first[i];
                    }
                }
                let mut got = first;
                write_layers(level, &blend, &mut layers, &cover, &mut got);
                assert_eq!(got, want, "{level:?} {path:?}");
            }
        }
    }
}
