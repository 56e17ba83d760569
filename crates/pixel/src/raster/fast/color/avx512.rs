//! [`super::ColorLanes::finish`] with AVX-512: sixteen pixels' channels are two registers.

use super::{FastTriangle, HALF, Modulate, PAIR};
use crate::frag::{I, LANES};
use crate::tex::Texels;
use std::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx512f")]
fn load<T>(x: &[T; LANES]) -> __m512i {
    const { assert!(size_of::<T>() == 4) };
    // SAFETY: it is 64 bytes.
    unsafe { _mm512_loadu_si512(x.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn all(x: u32) -> __m512i {
    _mm512_set1_epi32(x.cast_signed())
}

/// Blue and red, green and alpha of sixteen words.
#[inline]
#[target_feature(enable = "avx512f")]
fn pairs(words: __m512i) -> [__m512i; 2] {
    [
        _mm512_and_si512(words, all(PAIR)),
        _mm512_and_si512(_mm512_srli_epi32::<8>(words), all(PAIR)),
    ]
}

/// The same number in both channels, from the lower one.
#[inline]
#[target_feature(enable = "avx512f")]
fn both(x: __m512i) -> __m512i {
    _mm512_or_si512(x, _mm512_slli_epi32::<16>(x))
}

/// A sum of products of bytes over 255, rounded: `x` has the rounding's half already.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn over_255(x: __m512i) -> __m512i {
    _mm512_srli_epi16::<8>(_mm512_add_epi16(x, _mm512_srli_epi16::<8>(x)))
}

/// `yes` where `bits` has ones, `no` elsewhere.
#[inline]
#[target_feature(enable = "avx512f")]
fn select(bits: u32, yes: __m512i, no: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<0xca>(all(bits), yes, no)
}

/// Mixes a pair of the vertices' channels with weights of 256.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn mix(w0: __m512i, w2: __m512i, [c0, c1, c2]: [u32; 3]) -> __m512i {
    let (c0, c1, c2) = (all(c0), all(c1), all(c2));
    let base = _mm512_add_epi16(_mm512_slli_epi16::<8>(c1), all(HALF));
    let first = _mm512_mullo_epi16(_mm512_sub_epi16(c0, c1), w0);
    let last = _mm512_mullo_epi16(_mm512_sub_epi16(c2, c1), w2);
    _mm512_srli_epi16::<8>(_mm512_add_epi16(_mm512_add_epi16(base, first), last))
}

/// The vertices' diffuse colour from the shares of vertices 0 and 2.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn vertex_color(triangle: &FastTriangle<'_>, [s0, s2]: &[I; 2]) -> [__m512i; 2] {
    let [br, ga] = triangle.colors;
    if triangle.attrs.constant[0] {
        return [all(br[0]), all(ga[0])];
    }
    let w0 = both(_mm512_srai_epi32::<17>(load(s0)));
    let w2 = both(_mm512_srai_epi32::<17>(load(s2)));
    [mix(w0, w2, br), mix(w0, w2, ga)]
}

/// The texels' channels, the vertices' or their products.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn textured(
    triangle: &FastTriangle<'_>,
    modulate: &Modulate,
    texels: &Texels,
    shares: &[I; 2],
) -> [__m512i; 2] {
    let mut color = pairs(load(texels));
    if modulate.reads_primary() {
        let vertex = vertex_color(triangle, shares);
        for i in 0..2 {
            let (product_bits, vertex_bits) = modulate.bits(i);
            let product = _mm512_mullo_epi16(color[i], vertex[i]);
            let product = over_255(_mm512_add_epi16(product, all(HALF)));
            let rest = select(vertex_bits, vertex[i], color[i]);
            color[i] = select(product_bits, product, rest);
        }
    }
    color
}

/// Source by its alpha, destination by the rest, one rounding of the sum.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn over(mut color: [__m512i; 2], old: __m512i) -> [__m512i; 2] {
    let alpha = both(_mm512_srli_epi32::<16>(color[1]));
    let rest = _mm512_sub_epi16(all(PAIR), alpha);
    let under = pairs(old);
    for i in 0..2 {
        let sum = _mm512_add_epi16(
            _mm512_mullo_epi16(color[i], alpha),
            _mm512_mullo_epi16(under[i], rest),
        );
        color[i] = over_255(_mm512_add_epi16(sum, all(HALF)));
    }
    color
}

/// [`super::ColorLanes::finish`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn finish(
    triangle: &FastTriangle<'_>,
    texture: Option<(&Modulate, &Texels)>,
    shares: &[I; 2],
    mask: u16,
    old: &[u32; LANES],
) -> [u32; LANES] {
    let old = load(old);
    let mut color = match texture {
        Some((modulate, texels)) => textured(triangle, modulate, texels, shares),
        None => vertex_color(triangle, shares),
    };
    if triangle.state.over {
        color = over(color, old);
    }
    let (forced, ones) = triangle.state.forced;
    let words = _mm512_or_si512(_mm512_slli_epi32::<8>(color[1]), color[0]);
    let words = _mm512_or_si512(_mm512_andnot_si512(all(forced), words), all(ones));
    let words = _mm512_mask_blend_epi32(mask, old, words);
    let mut out = [0; LANES];
    // SAFETY: it is 64 bytes.
    unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), words) };
    out
}
