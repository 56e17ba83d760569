//! [`super::ColorLanes`] with AVX-512: sixteen pixels' channels are two registers.

use super::{Blending, Bytes, FastState, FastTriangle, HALF, Modulate, PAIR, VertexPairs};
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

/// Picks the same bytes of every lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn shuffle<const BYTES: u32>(x: __m512i) -> __m512i {
    let lanes = _mm_setr_epi32(0, 0x0404_0404, 0x0808_0808, 0x0c0c_0c0c);
    let bytes = _mm_add_epi32(lanes, _mm_set1_epi32(BYTES.cast_signed()));
    _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(bytes))
}

/// The weight of 256 that a share is, in both channels.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn weight(share: &I) -> __m512i {
    _mm512_srai_epi16::<1>(shuffle::<0x0302_0302>(load(share)))
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

/// Mixes a pair of the vertices' channels with weights of 256; `sign` as in [`over`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn mix(w0: __m512i, w2: __m512i, c: &VertexPairs, sign: bool) -> __m512i {
    let first = _mm512_mullo_epi16(all(c.more[0]), w0);
    let last = _mm512_mullo_epi16(all(c.more[1]), w2);
    let start = all(c.start[usize::from(sign)]);
    _mm512_srli_epi16::<8>(_mm512_add_epi16(_mm512_add_epi16(start, first), last))
}

/// The vertices' diffuse colour from the shares of vertices 0 and 2.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn vertex_color(triangle: &FastTriangle<'_, '_>, [s0, s2]: &[I; 2], sign: bool) -> [__m512i; 2] {
    let [br, ga] = &triangle.colors;
    if triangle.constant {
        let sign = if sign { HALF } else { 0 };
        return [all(br.own ^ sign), all(ga.own ^ sign)];
    }
    let (w0, w2) = (weight(s0), weight(s2));
    [mix(w0, w2, br, sign), mix(w0, w2, ga, sign)]
}

/// The texels' channels, the vertices' or their products.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn textured(
    triangle: &FastTriangle<'_, '_>,
    modulate: &Modulate,
    texels: &Texels,
    shares: &[I; 2],
    sign: bool,
) -> [__m512i; 2] {
    let mut color = pairs(load(texels));
    if modulate.reads_primary() {
        let vertex = vertex_color(triangle, shares, false);
        for i in 0..2 {
            let (product_bits, vertex_bits) = modulate.bits(i);
            let product = _mm512_mullo_epi16(color[i], vertex[i]);
            let product = over_255(_mm512_add_epi16(product, all(HALF)));
            let rest = select(vertex_bits, vertex[i], color[i]);
            color[i] = select(product_bits, product, rest);
        }
    }
    if sign {
        let sign = all(HALF);
        color = [
            _mm512_xor_si512(color[0], sign),
            _mm512_xor_si512(color[1], sign),
        ];
    }
    color
}

/// The words of source by its alpha, destination by the rest, one rounding of the sum. Only the
/// low bytes of the source's channels are looked at.
///
/// One instruction adds two products of bytes, but only one factor of each may be above 127.
/// So all colours are 128 less: their highest bits are turned. The sum is then 128 * 255 less,
/// and the rounding wants 128 more.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn over([br, ga]: [__m512i; 2], old: __m512i) -> __m512i {
    const SIGNS: u32 = HALF | HALF << 8;
    // Alpha, and 255 less alpha.
    let weights = _mm512_xor_si512(shuffle::<0x0202_0202>(ga), all(0x7f80_7f80));
    let old = _mm512_xor_si512(old, all(SIGNS));
    let blended = |bytes: __m512i| {
        let sum = _mm512_maddubs_epi16(weights, bytes);
        let sum = _mm512_xor_si512(sum, all(0x8000_8000));
        _mm512_add_epi16(sum, _mm512_srli_epi16::<8>(sum))
    };
    let br = blended(select(PAIR, br, _mm512_slli_epi16::<8>(old)));
    let ga = blended(select(PAIR << 8, old, ga));
    select(PAIR << 8, ga, _mm512_srli_epi16::<8>(br))
}

/// [`super::ColorLanes::finish`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn finish(
    triangle: &FastTriangle<'_, '_>,
    texture: Option<(&Modulate, &Texels)>,
    shares: &[I; 2],
    mask: u16,
    old: &[u32; LANES],
) -> [u32; LANES] {
    let old = load(old);
    let blend = triangle.state.blending == Blending::Over;
    let color = match texture {
        Some((modulate, texels)) => textured(triangle, modulate, texels, shares, blend),
        None => vertex_color(triangle, shares, blend),
    };
    stored(triangle.state, color, mask, old)
}

/// The words that come of colours, whose highest bits are turned where they are blended.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn stored(state: &FastState, color: [__m512i; 2], mask: u16, old: __m512i) -> [u32; LANES] {
    let words = if state.blending == Blending::Over {
        over(color, old)
    } else {
        _mm512_or_si512(_mm512_slli_epi32::<8>(color[1]), color[0])
    };
    let (kept, ones) = state.kept;
    let words = _mm512_ternarylogic_epi32::<0xf8>(all(ones), words, all(kept));
    let words = _mm512_mask_blend_epi32(mask, old, words);
    let mut out = [0; LANES];
    // SAFETY: it is 64 bytes.
    unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), words) };
    out
}

/// The weights of two vertices at a block's pixels, 16 bits each: an instruction that adds two
/// products of 16 bits mixes a channel.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn byte_weights(bytes: &Bytes<'_>, place: [i32; 2]) -> __m512i {
    let upper = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    // Their upper halves start with the weight.
    let numbers = |i: usize| {
        let first = _mm512_set1_epi64(bytes.steps.at(i, place));
        let row = |at: usize| {
            // SAFETY: there are sixteen, of 64 bits.
            let lanes = unsafe { _mm512_loadu_si512(bytes.lanes[i].as_ptr().add(at).cast()) };
            _mm512_add_epi64(first, lanes)
        };
        _mm512_permutex2var_epi32(row(0), upper, row(8))
    };
    let weights = select(0xffff_0000, numbers(1), _mm512_srli_epi32::<16>(numbers(0)));
    // The second one's hair is more than nothing.
    _mm512_max_epi16(weights, _mm512_setzero_si512())
}

/// [`super::ColorLanes::finish_bytes`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn finish_bytes(
    bytes: &Bytes<'_>,
    place: [i32; 2],
    mask: u16,
    old: &[u32; LANES],
) -> [u32; LANES] {
    // Taken from a channel, it turns the highest bit of its byte, and others above it.
    let sign = match bytes.state.blending {
        Blending::Over => 128 << 9,
        _ => 0,
    };
    let weights = byte_weights(bytes, place);
    let channel = |i: usize| {
        let mix = &bytes.mixes[i];
        let more = mix.more[0] as u32 & 0xffff | (mix.more[1] as u32) << 16;
        let sum = _mm512_madd_epi16(weights, all(more));
        _mm512_add_epi32(sum, _mm512_set1_epi32(mix.start - sign))
    };
    let pair = |low: __m512i, high: __m512i| {
        let high = _mm512_slli_epi32::<7>(high);
        select(PAIR << 16, high, _mm512_srli_epi32::<9>(low))
    };
    let color = [pair(channel(2), channel(0)), pair(channel(1), channel(3))];
    stored(bytes.state, color, mask, load(old))
}
