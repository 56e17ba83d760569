//! Interpolation with AVX-512, whose instructions can round toward zero.
//!
//! Nothing here goes through `map` of arrays: it is compiled without AVX-512, and calls of it
//! would stay calls.

use super::{Edges, Interpolator, Norm, Slope};
use crate::frag::{F, I, LANES};
use crate::raster::fast::quads::{Group, place, x86};
use crate::raster::num::D;
use crate::raster::shares::SHARE;
use crate::raster::tri::Depth;
use std::arch::x86_64::*;

/// Round toward zero: what the chip does with every result.
const CUT: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
/// Nearest, ties to even.
const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

/// The exponent's bits, those of the significand, and the bits of 1.0.
const EXPONENT: i32 = 0x7f80_0000;
const SIGNIFICAND: i32 = 0x007f_ffff;
const ONE: i32 = 0x3f80_0000;

/// The smallest number that has a unit here: 2^-100.
const SMALLEST: f32 = f32::from_bits(27 << 23);

#[inline]
#[target_feature(enable = "avx512f")]
fn ints(x: __m512i) -> I {
    let mut out = [0; LANES];
    // SAFETY: it is 64 bytes.
    unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), x) };
    out
}

/// An edge function of a block's pixels: what the lanes add is the same for all blocks of a
/// triangle.
#[inline]
#[target_feature(enable = "avx512f")]
fn edge_of_block(edges: &Edges, group: &Group, i: usize) -> __m512i {
    let right = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
    let [along, down] = edges.steps[i];
    let lanes = _mm512_mullo_epi32(_mm512_set1_epi32(along), right);
    let lanes = _mm512_mask_add_epi32(lanes, 0xff00, lanes, _mm512_set1_epi32(down));
    let [x, y] = place(group[0][0]);
    let first = edges.first[i]
        .wrapping_add(along.wrapping_mul(x))
        .wrapping_add(down.wrapping_mul(y));
    _mm512_add_epi32(_mm512_set1_epi32(first), lanes)
}

/// The edge functions of a group's pixels.
#[inline]
#[target_feature(enable = "avx512f")]
fn edges_at(edges: &Edges, group: &Group, block: bool) -> [__m512i; 3] {
    if block {
        return [
            edge_of_block(edges, group, 0),
            edge_of_block(edges, group, 1),
            edge_of_block(edges, group, 2),
        ];
    }
    // SAFETY: it is 32 bytes.
    let quads = unsafe { _mm256_loadu_si256(std::ptr::from_ref(group).cast()) };
    let [x, y] = x86::places(quads);
    let (x, y) = (_mm512_broadcast_i64x4(x), _mm512_broadcast_i64x4(y));
    let right = _mm512_setr_epi32(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
    let below = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    let (x, y) = (_mm512_add_epi32(x, right), _mm512_add_epi32(y, below));
    let edge = |i: usize| {
        let [along, down] = edges.steps[i];
        let along = _mm512_mullo_epi32(_mm512_set1_epi32(along), x);
        let down = _mm512_mullo_epi32(_mm512_set1_epi32(down), y);
        _mm512_add_epi32(
            _mm512_add_epi32(_mm512_set1_epi32(edges.first[i]), along),
            down,
        )
    };
    [edge(0), edge(1), edge(2)]
}

/// Cuts to 24 significant bits.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn cut24(x: __m512d) -> __m512d {
    let bits = _mm512_set1_epi64(!0x1fff_ffff);
    _mm512_and_pd(x, _mm512_castsi512_pd(bits))
}

/// The aligned adder of depth ([`crate::raster::num::asum3_guarded_moderate`]), cut.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn depth_sum(a: __m512d, b: __m512d, c: __m512d) -> __m512d {
    let smallest = _mm512_set1_pd(f64::from_bits(0x0400_0000_0000_0000));
    let top = _mm512_range_pd::<0b1011>(_mm512_range_pd::<0b1011>(a, b), c);
    let top = _mm512_castpd_si512(_mm512_max_pd(top, smallest));
    // 2^28 over its power of two.
    let power = _mm512_and_si512(top, _mm512_set1_epi64(0x7ff0_0000_0000_0000));
    let over = _mm512_sub_epi64(_mm512_set1_epi64((2046 + 28) << 52), power);
    let over = _mm512_castsi512_pd(over);
    let whole = |x: __m512d| _mm512_roundscale_pd::<CUT>(_mm512_mul_pd(x, over));
    let sum = _mm512_add_pd(_mm512_add_pd(whole(a), whole(b)), whole(c));
    let unit = _mm512_mul_pd(
        _mm512_castsi512_pd(power),
        _mm512_set1_pd(1.0 / 268435456.0),
    );
    cut24(_mm512_mul_pd(sum, unit))
}

/// Depth of eight pixels; of those in `base0` and `base1` vertex 0 or 1 has the base.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn depth_half(depth: &Depth, e: [__m256i; 3], base0: __mmask8, base1: __mmask8) -> __m512d {
    let r = _mm512_set1_pd(depth.r);
    let share = |e: __m256i| cut24(_mm512_mul_pd(_mm512_cvtepi32_pd(e), r));
    let (b0, b1, b2) = (share(e[0]), share(e[1]), share(e[2]));
    let pick = |at1: f64, at0: f64, at2: f64| {
        let other = _mm512_mask_blend_pd(base0, _mm512_set1_pd(at2), _mm512_set1_pd(at0));
        _mm512_mask_blend_pd(base1, other, _mm512_set1_pd(at1))
    };
    let ([z0, z1, z2], [d01, d02, d12]) = (depth.z, depth.d);
    let m = _mm512_mask_blend_pd(base0 & !base1, b0, b1);
    let n = _mm512_mask_blend_pd(base0 | base1, b1, b2);
    let m = _mm512_mul_pd(m, pick(d01, -d01, d02));
    let n = _mm512_mul_pd(n, pick(-d12, -d02, d12));
    depth_sum(pick(z1, z0, z2), m, n)
}

/// [`super::Interpolate::depth`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) fn depth(edges: &Edges, depth: &Depth, group: &Group, block: bool) -> D {
    let e = edges_at(edges, group, block);
    let base1 = !larger(e[0], e[1]) & !larger(e[2], e[1]);
    let base0 = !larger(e[2], e[0]);
    let low = |i: usize| _mm512_castsi512_si256(e[i]);
    let high = |i: usize| _mm512_extracti64x4_epi64::<1>(e[i]);
    let (low, high) = ([low(0), low(1), low(2)], [high(0), high(1), high(2)]);
    let mut out = [0.0; LANES];
    let (low, high) = (
        depth_half(depth, low, base0 as u8, base1 as u8),
        depth_half(depth, high, (base0 >> 8) as u8, (base1 >> 8) as u8),
    );
    // SAFETY: it is twice 64 bytes.
    unsafe {
        _mm512_storeu_pd(out.as_mut_ptr(), low);
        _mm512_storeu_pd(out.as_mut_ptr().add(8), high);
    }
    out
}

/// Bits of `a` where `bits` has ones, of `b` elsewhere.
#[inline]
#[target_feature(enable = "avx512f")]
fn mix(bits: i32, a: __m512, b: __m512) -> __m512 {
    let (a, b) = (_mm512_castps_si512(a), _mm512_castps_si512(b));
    _mm512_castsi512_ps(_mm512_ternarylogic_epi32::<0xca>(
        _mm512_set1_epi32(bits),
        a,
        b,
    ))
}

/// The power of two below or equal to a positive number, and `n` powers of two over it.
#[inline]
#[target_feature(enable = "avx512f")]
fn powers(x: __m512, n: i32) -> (__m512, __m512) {
    let power = _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(EXPONENT));
    let over = _mm512_sub_epi32(_mm512_set1_epi32((254 + n) << 23), power);
    (_mm512_castsi512_ps(power), _mm512_castsi512_ps(over))
}

/// The larger size of two.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn larger_size(a: __m512, b: __m512) -> __m512 {
    // The larger absolute value, positive.
    _mm512_range_ps::<0b1011>(a, b)
}

/// The adder of the weights ([`crate::raster::num::weight_sum`]).
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn weight_sum([a, b, c]: [__m512; 3]) -> __m512 {
    let top = larger_size(larger_size(a, b), c);
    let top = _mm512_max_ps(top, _mm512_set1_ps(SMALLEST));
    let (power, over) = powers(top, 24);
    let whole = |x: __m512| _mm512_cvttps_epi32(_mm512_mul_ps(x, over));
    let sum = _mm512_add_epi32(_mm512_add_epi32(whole(a), whole(b)), whole(c));
    let sum = _mm512_cvt_roundepi32_ps::<CUT>(sum);
    _mm512_mul_ps(sum, _mm512_mul_ps(power, _mm512_set1_ps(1.0 / 16777216.0)))
}

/// The guess of 1/m ([`crate::raster::num::recip24`]) in units of 2^-12, for 1 ≤ m < 2.
#[inline]
#[target_feature(enable = "avx512f")]
fn guess12(m: __m512) -> __m512 {
    const WIDTH: f32 = 1.0 / 128.0;
    const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
    let set = |x: f32| _mm512_set1_ps(x);
    // To 14 fraction bits, halves up; the line starts at seven.
    let m = _mm512_add_epi32(_mm512_castps_si512(m), _mm512_set1_epi32(1 << 8));
    let m = _mm512_and_si512(m, _mm512_set1_epi32(!0x1ff));
    let start = _mm512_and_si512(m, _mm512_set1_epi32(!0xffff));
    let (m, start) = (_mm512_castsi512_ps(m), _mm512_castsi512_ps(start));
    let along = _mm512_sub_ps(m, start);
    let inverse = _mm512_div_ps(set(1.0), start);
    let width = _mm512_mul_ps(inverse, set(WIDTH));
    // What the line's first value and its slope are made of, as in the other form.
    let below = _mm512_mul_ps(width, _mm512_fnmadd_ps(width, set(0.1875), set(0.125)));
    let first = _mm512_fnmadd_ps(below, _mm512_mul_ps(width, inverse), inverse);
    let first = _mm512_roundscale_ps::<NEAREST>(_mm512_mul_ps(first, set(65536.0)));
    let slope = _mm512_fnmadd_ps(width, _mm512_fnmadd_ps(width, set(1.0), set(1.0)), set(1.0));
    let slope = _mm512_mul_ps(slope, _mm512_mul_ps(inverse, inverse));
    let slope = _mm512_roundscale_ps::<NEAREST>(_mm512_mul_ps(slope, set(1024.0)));
    // A multiple of 2^-12, which a float32 holds.
    let fall = _mm512_mul_ps(slope, _mm512_mul_ps(along, set(4.0)));
    let line = _mm512_fmsub_ps(first, set(1.0 / 16.0), fall);
    _mm512_roundscale_ps::<UP>(_mm512_sub_ps(line, set(0.5)))
}

/// The reciprocal of a weight sum ([`crate::raster::num::recip24`]) in units of a share.
#[inline]
#[target_feature(enable = "avx512f")]
fn recip_share(s: __m512) -> __m512 {
    let size = _mm512_max_ps(_mm512_abs_ps(s), _mm512_set1_ps(SMALLEST));
    let (_, back) = powers(size, 25);
    let m = mix(
        SIGNIFICAND,
        size,
        _mm512_castsi512_ps(_mm512_set1_epi32(ONE)),
    );
    let guess = guess12(m);
    // m g is 2^35 in these units, but for little: the bits above 32 are not needed.
    let whole = _mm512_or_si512(
        _mm512_and_si512(_mm512_castps_si512(size), _mm512_set1_epi32(SIGNIFICAND)),
        _mm512_set1_epi32(SIGNIFICAND + 1),
    );
    let error = _mm512_mullo_epi32(whole, _mm512_cvttps_epi32(guess));
    let error = _mm512_add_epi32(error, _mm512_set1_epi32(1 << 10));
    let error = _mm512_cvtepi32_ps(_mm512_srai_epi32::<11>(error));
    let error = _mm512_mul_ps(error, _mm512_set1_ps(1.0 / 16777216.0));
    let guess = _mm512_mul_ps(guess, _mm512_set1_ps(1.0 / 4096.0));
    let r = _mm512_fnmadd_round_ps::<CUT>(guess, error, guess);
    mix(i32::MAX, _mm512_mul_ps(r, back), s)
}

/// The weights in units of a share.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn weights(interpolator: &Interpolator, edges: &Edges, group: &Group, block: bool) -> [__m512; 3] {
    let e = edges_at(edges, group, block);
    let float = |i: usize| _mm512_cvt_roundepi32_ps::<CUT>(e[i]);
    let e = [float(0), float(1), float(2)];
    let limit = |x: __m512| {
        const MOST: f32 = 15.0 * SHARE as f32;
        let x = _mm512_max_ps(x, _mm512_set1_ps(-MOST));
        _mm512_min_ps(x, _mm512_set1_ps(MOST))
    };
    let scaled = |e: __m512, r: __m512| _mm512_mul_round_ps::<CUT>(e, r);
    match interpolator.norm {
        // Inside of a triangle no weight is far from 1.
        Norm::Linear(r) if block => {
            let r = _mm512_set1_ps(r);
            [scaled(e[0], r), scaled(e[1], r), scaled(e[2], r)]
        }
        Norm::Linear(r) => {
            let r = _mm512_set1_ps(r);
            let weight = |i: usize| limit(scaled(e[i], r));
            [weight(0), weight(1), weight(2)]
        }
        Norm::Perspective([a, b, c]) => {
            let t = [
                scaled(e[0], _mm512_set1_ps(a)),
                scaled(e[1], _mm512_set1_ps(b)),
                scaled(e[2], _mm512_set1_ps(c)),
            ];
            let r = recip_share(weight_sum(t));
            let weight = |i: usize| limit(scaled(t[i], r));
            [weight(0), weight(1), weight(2)]
        }
    }
}

/// Does `x` have the larger exponent? See [`crate::raster::shares`].
#[inline]
#[target_feature(enable = "avx512f")]
fn larger(x: __m512i, y: __m512i) -> __mmask16 {
    _mm512_cmpgt_epi32_mask(_mm512_andnot_si512(y, x), y)
}

/// A coordinate from the shares of vertices 0 and 2.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn coordinate(slope: &Slope, s0: __m512, s2: __m512) -> __m512 {
    let m = _mm512_mul_round_ps::<CUT>(s0, _mm512_set1_ps(slope.d0));
    let n = _mm512_mul_round_ps::<CUT>(s2, _mm512_set1_ps(slope.d2));
    let v1 = _mm512_set1_ps(slope.v1);
    let top = larger_size(larger_size(m, n), v1);
    let top = _mm512_max_ps(top, _mm512_set1_ps(SMALLEST));
    let (power, over) = powers(top, 23);
    let whole = |x: __m512| _mm512_cvttps_epi32(_mm512_mul_ps(x, over));
    let sum = _mm512_add_epi32(_mm512_add_epi32(whole(m), whole(n)), whole(v1));
    let sum = _mm512_cvt_roundepi32_ps::<CUT>(sum);
    _mm512_mul_ps(sum, _mm512_mul_ps(power, _mm512_set1_ps(1.0 / 8388608.0)))
}

/// Weights cut to whole units of a share, and what the largest leaves to be chosen from.
struct Cut {
    b: [__m512i; 3],
    /// What vertices 1 and 2, and what 0 and 1 leave.
    left: [__m512i; 2],
    /// Where vertex 0 gets what is left, and where vertex 2 does not.
    first: __mmask16,
    kept: __mmask16,
}

/// [`crate::raster::shares::Parts`]. `SIGNED`: also of pixels that are not covered, whose
/// weights may be below 0.
#[inline]
#[target_feature(enable = "avx512f")]
fn cut<const SIGNED: bool>(w: &[__m512; 3]) -> Cut {
    let (b0, b1, b2) = (
        _mm512_cvttps_epi32(w[0]),
        _mm512_cvttps_epi32(w[1]),
        _mm512_cvttps_epi32(w[2]),
    );
    let size = |b: __m512i| if SIGNED { _mm512_abs_epi32(b) } else { b };
    let (p0, p1, p2) = (size(b0), size(b1), size(b2));
    let first = !larger(p1, p0) & larger(p0, p2);
    let second = !larger(p2, p1) & larger(p1, p0);
    let one = _mm512_set1_epi32(SHARE as i32);
    Cut {
        b: [b0, b1, b2],
        left: [
            _mm512_sub_epi32(one, _mm512_add_epi32(b1, b2)),
            _mm512_sub_epi32(one, _mm512_add_epi32(b0, b1)),
        ],
        first,
        kept: first | second,
    }
}

impl Cut {
    /// The shares of vertices 0 and 2.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn shares(&self) -> [I; 2] {
        [
            ints(_mm512_mask_blend_epi32(self.first, self.b[0], self.left[0])),
            ints(_mm512_mask_blend_epi32(self.kept, self.left[1], self.b[2])),
        ]
    }
}

/// [`super::Interpolate::shares`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) fn shares(
    interpolator: &Interpolator,
    edges: &Edges,
    group: &Group,
    block: bool,
) -> [I; 2] {
    cut::<false>(&weights(interpolator, edges, group, block)).shares()
}

/// [`super::Interpolate::coordinates`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) fn coordinates(
    interpolator: &Interpolator,
    edges: &Edges,
    group: &Group,
    block: bool,
    out: &mut [F; 2],
) -> [I; 2] {
    let w = weights(interpolator, edges, group, block);
    let cut = cut::<true>(&w);
    let wide0 = _mm512_cvt_roundepi32_ps::<CUT>(cut.left[0]);
    let wide2 = _mm512_cvt_roundepi32_ps::<CUT>(cut.left[1]);
    let s0 = _mm512_mask_blend_ps(cut.first, w[0], wide0);
    let s2 = _mm512_mask_blend_ps(cut.kept, wide2, w[2]);
    for (slope, out) in interpolator.slopes.iter().zip(out) {
        // SAFETY: it is 64 bytes.
        unsafe { _mm512_storeu_ps(out.as_mut_ptr(), coordinate(slope, s0, s2)) };
    }
    cut.shares()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::num;
    use isotherm_lanes::Random;

    /// Calls `f` on sixteen numbers, if there is AVX-512.
    fn lanes(x: &F, f: unsafe fn(__m512) -> __m512) -> Option<F> {
        if !isotherm_lanes::Level::up_to("").is_avx512() {
            return None;
        }
        let mut out = [0.0; LANES];
        // SAFETY: the processor has the instructions, and both arrays are 64 bytes.
        unsafe {
            let y = f(_mm512_loadu_ps(x.as_ptr()));
            _mm512_storeu_ps(out.as_mut_ptr(), y);
        }
        Some(out)
    }

    #[test]
    fn guesses_are_the_same_for_all_14_bits() {
        for first in (0..1 << 14).step_by(LANES) {
            let m: F = std::array::from_fn(|i| 1.0 + (first + i) as f32 / 16384.0);
            // SAFETY: `lanes` has asked for the instructions.
            if let Some(got) = lanes(&m, |m| unsafe { guess12(m) }) {
                let want = m.map(|m| num::guess12(f64::from(m)) as f32);
                assert_eq!(got, want, "{m:?}");
            }
        }
    }

    #[test]
    fn reciprocals_are_the_same() {
        let mut random = Random::new(5);
        for round in 0..20000 {
            let s: F = std::array::from_fn(|i| {
                let bits = random.next_u32() >> 1;
                // Also the ends of what is rounded to 14 bits.
                let bits = if i % 4 == 0 {
                    bits & !0x1ff | 0xff | bits & 1 << 8
                } else {
                    bits
                };
                let exponent = 127 - 60 + bits % 120;
                f32::from_bits(bits & 0x807f_ffff | exponent << 23)
            });
            // SAFETY: `lanes` has asked for the instructions.
            if let Some(got) = lanes(&s, |s| unsafe { recip_share(s) }) {
                let want = s.map(|s| (num::recip24(f64::from(s)) * SHARE) as f32);
                assert_eq!(got, want, "{round} {s:?}");
            }
        }
    }
}
