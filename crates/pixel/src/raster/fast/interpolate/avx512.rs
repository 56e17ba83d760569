//! Interpolation with AVX-512, whose instructions can round toward zero.
//!
//! Nothing here goes through `map` of arrays: it is compiled without AVX-512, and calls of it
//! would stay calls.

use super::near::{BEYOND, GUARDED, limit};
use super::{At, Edges, Firsts, Interpolator, Lines, NearDepth, Norm, Slope, Weights};
use crate::frag::{F, I, LANES};
use crate::raster::attrs::Corners;
use crate::raster::centres::Centres;
use crate::raster::colors::Quick;
use crate::raster::fast::quads::{Group, place, x86};
use crate::raster::inputs::Exact;
use crate::raster::num::avx512::{CUT, floats, load, recip_share, sum, weight_sum};
use crate::raster::num::{D, FAR_FROM_0, FAR_FROM_INFINITY, inverse, pow2, t24};
use crate::raster::shares::SHARE;
use crate::raster::tri::{Corner4, Depth, LARGEST, Tri};
use std::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx512f")]
fn ints(x: __m512i) -> I {
    let mut out = [0; LANES];
    // SAFETY: it is 64 bytes.
    unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), x) };
    out
}

/// Four numbers.
#[inline]
#[target_feature(enable = "avx512f")]
fn load4(x: &Corner4) -> __m256d {
    // SAFETY: it is 32 bytes.
    unsafe { _mm256_loadu_pd(x.as_ptr()) }
}

/// Four integers.
#[inline]
#[target_feature(enable = "avx512f")]
fn ints4(x: &[i32; 4]) -> __m128i {
    // SAFETY: it is 16 bytes.
    unsafe { _mm_loadu_si128(x.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn put_ints4(x: __m128i, to: &mut [i32; 4]) {
    // SAFETY: it is 16 bytes.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), x) };
}

#[inline]
#[target_feature(enable = "avx512f")]
fn put_floats4(x: __m128, to: &mut [f32; 4]) {
    // SAFETY: it is 16 bytes.
    unsafe { _mm_storeu_ps(to.as_mut_ptr(), x) };
}

/// [`super::Interpolate::edges`]. Edge functions are exact, so that products may be added without
/// being rounded first. Everything is written as it is read: in whole registers.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
pub(super) fn edges(edges: &mut Edges, tri: &Tri, rectangle: [i32; 4], origin: [i32; 2]) -> bool {
    let (Some([a, b, c]), false) = (tri.planes(), tri.turned()) else {
        return false;
    };
    let (a, b, c) = (load4(a), load4(b), load4(c));
    let r = ints4(&rectangle);
    // SAFETY: it is 8 bytes.
    let origin = unsafe { _mm_loadl_epi64(origin.as_ptr().cast()) };
    // The first pixel's centre, in 1/16 pixels.
    let at = _mm_cvtepi32_pd(_mm_add_epi32(r, origin));
    let at = _mm_fmadd_pd(at, _mm_set1_pd(16.0), _mm_set1_pd(8.0));
    let x = _mm256_broadcastsd_pd(at);
    let y = _mm256_permute4x64_pd::<0b01_01_01_01>(_mm256_castpd128_pd256(at));
    let first = _mm256_fmadd_pd(b, y, _mm256_fmadd_pd(a, x, c));
    // One limit for all: powers of two apart.
    const STEPS: f64 = LARGEST.1 / LARGEST.0;
    let size = |x: __m256d| _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
    let most = _mm256_mul_pd(size(first), _mm256_set1_pd(STEPS));
    let most = _mm256_max_pd(most, _mm256_max_pd(size(a), size(b)));
    if _mm256_cmp_pd_mask::<_CMP_NLT_UQ>(most, _mm256_set1_pd(LARGEST.1)) != 0 {
        return false;
    }
    let below = _mm256_floor_pd(first);
    let rest = _mm256_sub_pd(first, below);
    let corner = _mm256_cvttpd_epi32(below);
    let sixteen = _mm256_set1_pd(16.0);
    let right = _mm256_cvttpd_epi32(_mm256_mul_pd(a, sixteen));
    let down = _mm256_cvttpd_epi32(_mm256_mul_pd(b, sixteen));
    let zero = _mm256_setzero_pd();
    let is_whole = _mm256_cmp_pd_mask::<_CMP_EQ_OQ>(rest, zero);
    let outside = _mm256_mask_cmp_pd_mask::<_CMP_NEQ_UQ>(is_whole, load4(tri.least()), zero);
    let inner = _mm_mask_sub_epi32(corner, outside, corner, _mm_set1_epi32(1));
    let along = _mm_mullo_epi32(right, _mm_shuffle_epi32::<0b00_00_00_00>(r));
    let down_to = _mm_mullo_epi32(down, _mm_shuffle_epi32::<0b01_01_01_01>(r));
    let start = _mm_sub_epi32(corner, _mm_add_epi32(along, down_to));
    put_ints4(r, &mut edges.rectangle);
    put_ints4(corner, &mut edges.corner);
    put_ints4(inner, &mut edges.inner);
    put_ints4(start, &mut edges.first);
    put_ints4(right, &mut edges.steps[0]);
    put_ints4(down, &mut edges.steps[1]);
    // SAFETY: it is 32 bytes.
    unsafe { _mm256_storeu_pd(edges.rest.as_mut_ptr(), rest) };
    true
}

/// [`super::Interpolate::slopes`].
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
pub(super) fn slopes(s: &Corners, t: &Corners) -> Option<[Slope; 2]> {
    let ((s, s_is_near), (t, t_is_near)) = (slope(s), slope(t));
    if s_is_near | t_is_near != 0 {
        return None;
    }
    Some([s, t])
}

/// A slope, and which of its numbers are near the limits of float32's range.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
fn slope(v: &Corners) -> (Slope, __mmask8) {
    const OWN: __mmask8 = 0b0010;
    const LEAST: i32 = (FAR_FROM_0.to_bits() >> 23).cast_signed();
    const SIZES: i32 = (FAR_FROM_INFINITY.to_bits() >> 23).cast_signed() - LEAST;
    // SAFETY: it is 16 bytes.
    let v = unsafe { _mm_loadu_ps(v.as_ptr()) };
    let wide = _mm256_cvtps_pd(v);
    let more = _mm256_sub_pd(wide, _mm256_permute4x64_pd::<0b01_01_01_01>(wide));
    let cut = _mm256_castsi256_pd(_mm256_set1_epi64x(!0x1fff_ffff));
    let more = _mm256_and_pd(more, cut);
    let more = _mm256_cvtpd_ps(_mm256_mul_pd(more, _mm256_set1_pd(1.0 / SHARE)));
    let sizes = _mm_mul_ps(more, _mm_set1_ps(SHARE as f32));
    let sizes = _mm_mask_mov_ps(sizes, OWN, v);
    let bits = _mm_slli_epi32::<1>(_mm_castps_si128(sizes));
    let power = _mm_sub_epi32(_mm_srli_epi32::<24>(bits), _mm_set1_epi32(LEAST));
    let some = _mm_test_epi32_mask(bits, bits);
    let near = _mm_mask_cmpge_epu32_mask(some, power, _mm_set1_epi32(SIZES));
    let mut slope = Slope::default();
    // SAFETY: it is four float32.
    unsafe {
        let to = std::ptr::from_mut(&mut slope).cast();
        _mm_storeu_ps(to, _mm_mask_mov_ps(more, OWN, v));
    }
    (slope, near)
}

/// [`super::Interpolate::near`]: [`NearDepth::take`] in whole registers.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
pub(super) fn near(near: &mut NearDepth, edges: &Edges, r: f64, z: &Corner4) -> bool {
    let power = pow2(z[0]);
    let z = load4(z);
    let powers = _mm256_set1_epi64x(power.to_bits().cast_signed());
    let differing = _mm256_xor_si256(_mm256_castpd_si256(z), powers);
    let beyond = _mm256_set1_epi64x(BEYOND.cast_signed());
    let beyond = _mm256_test_epi64_mask(differing, beyond);
    let [x, y, width, height] = edges.rectangle;
    let [right, down] = [ints4(&edges.steps[0]), ints4(&edges.steps[1])];
    let corner = ints4(&edges.corner);
    let across = _mm_mullo_epi32(_mm_abs_epi32(right), _mm_set1_epi32(width));
    let along = _mm_mullo_epi32(_mm_abs_epi32(down), _mm_set1_epi32(height));
    let reach = _mm_add_epi32(_mm_abs_epi32(corner), _mm_add_epi32(across, along));
    let far = _mm_cmpge_epi32_mask(reach, _mm_set1_epi32(limit(edges)));
    if beyond | far != 0 || !(1.0..=GUARDED).contains(&power) {
        return false;
    }
    let unit = power * (1.0 / GUARDED);
    near.start = [x, y];
    near.r = [t24(r) as f32, (r - t24(r)) as f32];
    near.unit = unit as f32;
    let units = _mm256_set1_pd(inverse(unit));
    // The vertices that one with the base is compared with.
    let others = [
        _mm256_permute4x64_pd::<0b00_00_00_01>(z),
        _mm256_permute4x64_pd::<0b01_01_10_10>(z),
    ];
    let factors = |others: __m256d| _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_sub_pd(others, z), units));
    put_floats4(factors(others[0]), &mut near.factors[0]);
    put_floats4(factors(others[1]), &mut near.factors[1]);
    put_ints4(_mm256_cvttpd_epi32(_mm256_mul_pd(z, units)), &mut near.z);
    let first = _mm256_add_pd(_mm256_cvtepi32_pd(corner), load4(&edges.rest));
    put_floats4(_mm256_cvtpd_ps(first), &mut near.first);
    put_floats4(_mm_cvtepi32_ps(right), &mut near.right);
    put_floats4(_mm_cvtepi32_ps(down), &mut near.down);
    true
}

/// An edge function of a block's pixels: what the lanes add is the same for all blocks of a
/// triangle.
#[inline]
#[target_feature(enable = "avx512f")]
fn edge_of_block(first: i32, [along, down]: [i32; 2]) -> __m512i {
    let right = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
    let lanes = _mm512_mullo_epi32(_mm512_set1_epi32(along), right);
    let lanes = _mm512_mask_add_epi32(lanes, 0xff00, lanes, _mm512_set1_epi32(down));
    _mm512_add_epi32(_mm512_set1_epi32(first), lanes)
}

/// The edge functions of a group's pixels.
#[inline]
#[target_feature(enable = "avx512f")]
fn edges_at(edges: &Edges, at: At<'_>) -> [__m512i; 3] {
    if let Some((Firsts([a, b, c]), i)) = at.block {
        let steps = edges.each();
        return [
            edge_of_block(a[i], steps[0]),
            edge_of_block(b[i], steps[1]),
            edge_of_block(c[i], steps[2]),
        ];
    }
    let [x, y] = places_by_rows(at.group, false);
    let edge = |i: usize| {
        let [along, down] = edges.each()[i];
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
fn depth_half(depth: &Depth, e: [__m512d; 3], base0: __mmask8, base1: __mmask8) -> __m512d {
    let r = _mm512_set1_pd(depth.r);
    let share = |e: __m512d| cut24(_mm512_mul_pd(e, r));
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

/// The edge functions of a group's pixels as float64: the upper row's, the lower row's.
#[inline]
#[target_feature(enable = "avx512f")]
fn wide_edges(lines: &Lines, group: &Group, block: bool) -> [[__m512d; 3]; 2] {
    let [x, y] = if block {
        let [x, y] = place(group[0][0]);
        let right = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        [
            _mm256_add_epi32(_mm256_set1_epi32(x), right),
            _mm256_set1_epi32(y),
        ]
    } else {
        // SAFETY: it is 32 bytes.
        let quads = unsafe { _mm256_loadu_si256(std::ptr::from_ref(group).cast()) };
        let [x, y] = x86::places(quads);
        let right = _mm256_setr_epi32(0, 1, 0, 1, 0, 1, 0, 1);
        [_mm256_add_epi32(x, right), y]
    };
    let (x, y) = (_mm512_cvtepi32_pd(x), _mm512_cvtepi32_pd(y));
    let upper = |i: usize| {
        let first = _mm512_set1_pd(lines.first[i]);
        let along = _mm512_fmadd_pd(_mm512_set1_pd(lines.right[i]), x, first);
        _mm512_fmadd_pd(_mm512_set1_pd(lines.down[i]), y, along)
    };
    let lower = |i: usize, e: __m512d| _mm512_add_pd(e, _mm512_set1_pd(lines.down[i]));
    let up = [upper(0), upper(1), upper(2)];
    [up, [lower(0, up[0]), lower(1, up[1]), lower(2, up[2])]]
}

/// Which vertex has the base: vertex 0 rather than 2, vertex 1 rather than both.
#[inline]
#[target_feature(enable = "avx512f")]
fn bases(e: &[__m512d; 3]) -> [__mmask8; 2] {
    let exponent = |x: __m512d| {
        let bits = _mm512_set1_epi64(0x7ff0_0000_0000_0000);
        _mm512_and_si512(_mm512_castpd_si512(x), bits)
    };
    let (e0, e1, e2) = (exponent(e[0]), exponent(e[1]), exponent(e[2]));
    [
        _mm512_cmple_epu64_mask(e2, e0),
        _mm512_cmple_epu64_mask(_mm512_max_epu64(e0, e2), e1),
    ]
}

/// [`super::Interpolate::depth`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) fn depth(lines: &Lines, depth: &Depth, group: &Group, block: bool) -> D {
    let [upper, lower] = wide_edges(lines, group, block);
    let ([a0, a1], [b0, b1]) = (bases(&upper), bases(&lower));
    let mut out = [0.0; LANES];
    let (upper, lower) = (
        depth_half(depth, upper, a0, a1),
        depth_half(depth, lower, b0, b1),
    );
    // SAFETY: it is twice 64 bytes.
    unsafe {
        _mm512_storeu_pd(out.as_mut_ptr(), upper);
        _mm512_storeu_pd(out.as_mut_ptr().add(8), lower);
    }
    out
}

/// Columns and rows of a group's pixels in the tile, by rows.
#[inline]
#[target_feature(enable = "avx512f")]
fn places_by_rows(group: &Group, block: bool) -> [__m512i; 2] {
    let below = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    let (x, y, right) = if block {
        let [x, y] = place(group[0][0]);
        let right = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
        (_mm512_set1_epi32(x), _mm512_set1_epi32(y), right)
    } else {
        // SAFETY: it is 32 bytes.
        let quads = unsafe { _mm256_loadu_si256(std::ptr::from_ref(group).cast()) };
        let [x, y] = x86::places(quads);
        let right = _mm512_setr_epi32(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
        (_mm512_broadcast_i64x4(x), _mm512_broadcast_i64x4(y), right)
    };
    [_mm512_add_epi32(x, right), _mm512_add_epi32(y, below)]
}

/// [`super::Interpolate::near_depth`]. Products and what integers are turned into are cut, as the
/// chip cuts them. Of the reciprocal's two parts the smaller one's product may be cut first: what
/// it loses is less than the last place of the other one.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn near_depth(depth: &NearDepth, group: &Group, block: bool) -> F {
    let [x, y] = places_by_rows(group, block);
    let [left, top] = depth.start;
    let x = _mm512_cvtepi32_ps(_mm512_sub_epi32(x, _mm512_set1_epi32(left)));
    let y = _mm512_cvtepi32_ps(_mm512_sub_epi32(y, _mm512_set1_epi32(top)));
    let set = |x: f32| _mm512_set1_ps(x);
    let edge = |i: usize| {
        let along = _mm512_fmadd_ps(x, set(depth.right[i]), set(depth.first[i]));
        _mm512_fmadd_ps(y, set(depth.down[i]), along)
    };
    let e = [edge(0), edge(1), edge(2)];
    let share = |e: __m512| {
        let rest = _mm512_mul_round_ps::<CUT>(e, set(depth.r[1]));
        _mm512_fmadd_round_ps::<CUT>(e, set(depth.r[0]), rest)
    };
    let b = [share(e[0]), share(e[1]), share(e[2])];
    // Which vertex has the base: 0 rather than 2, 1 rather than both.
    let exponent = |x: __m512| {
        let bits = _mm512_set1_epi32(0x7f80_0000);
        _mm512_and_si512(_mm512_castps_si512(x), bits)
    };
    let p = [exponent(e[0]), exponent(e[1]), exponent(e[2])];
    let base0 = _mm512_cmple_epi32_mask(p[2], p[0]);
    let base1 = _mm512_cmple_epi32_mask(_mm512_max_epi32(p[0], p[2]), p[1]);
    let term = |weight: __m512, [at0, at1, at2, _]: [f32; 4]| {
        let factor = _mm512_mask_blend_ps(base0, set(at2), set(at0));
        let factor = _mm512_mask_blend_ps(base1, factor, set(at1));
        let product = _mm512_mul_round_ps::<CUT>(weight, factor);
        // What was cut is less than the last place of what is left.
        let rest = _mm512_fmsub_ps(weight, factor, product);
        _mm512_add_epi32(_mm512_cvttps_epi32(product), _mm512_cvttps_epi32(rest))
    };
    let [m, n] = depth.factors;
    let m = term(_mm512_mask_blend_ps(base0 & !base1, b[0], b[1]), m);
    let n = term(_mm512_mask_blend_ps(base0 | base1, b[1], b[2]), n);
    let [z0, z1, z2, _] = depth.z;
    let z = _mm512_mask_blend_epi32(base0, _mm512_set1_epi32(z2), _mm512_set1_epi32(z0));
    let z = _mm512_mask_blend_epi32(base1, z, _mm512_set1_epi32(z1));
    let sum = _mm512_add_epi32(z, _mm512_add_epi32(m, n));
    let sum = _mm512_cvt_roundepi32_ps::<CUT>(sum);
    floats(_mm512_mul_ps(sum, set(depth.unit)))
}

/// The parts of the vertices in units of a share. `ALONE` makes two of it: one that had both of
/// its callers would be too large to become part of them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
fn parts<const ALONE: bool>(interpolator: &Interpolator, edges: &Edges, at: At<'_>) -> [__m512; 3] {
    let e = edges_at(edges, at);
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
        Norm::Linear(r) if at.block.is_some() => {
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

/// [`super::Interpolate::value`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) fn value(slope: &Slope, weights: &Weights) -> F {
    let [s0, s2] = &weights.exact;
    let m = _mm512_mul_round_ps::<CUT>(load(s0), _mm512_set1_ps(slope.d0));
    let n = _mm512_mul_round_ps::<CUT>(load(s2), _mm512_set1_ps(slope.d2));
    floats(sum(m, n, _mm512_set1_ps(slope.v1)))
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
#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
pub(super) fn shares(interpolator: &Interpolator, edges: &Edges, at: At<'_>) -> [I; 2] {
    cut::<false>(&parts::<true>(interpolator, edges, at)).shares()
}

/// [`super::Interpolate::weights`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
pub(super) fn weights(interpolator: &Interpolator, edges: &Edges, at: At<'_>) -> Weights {
    let w = parts::<false>(interpolator, edges, at);
    let cut = cut::<true>(&w);
    let wide0 = _mm512_cvt_roundepi32_ps::<CUT>(cut.left[0]);
    let wide2 = _mm512_cvt_roundepi32_ps::<CUT>(cut.left[1]);
    Weights {
        shares: cut.shares(),
        exact: [
            floats(_mm512_mask_blend_ps(cut.first, w[0], wide0)),
            floats(_mm512_mask_blend_ps(cut.kept, wide2, w[2])),
        ],
    }
}

/// [`super::Interpolate::mix_color`]. The weights of 256 of vertices 0 and 2
/// ([`crate::raster::shares::weights_of`]) are halves of a lane: one instruction adds their products.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn mix_color([s0, s2]: &[I; 2], corners: &[[u8; 4]; 3], out: &mut [I; 4]) {
    // SAFETY: both are 64 bytes.
    let (s0, s2) = unsafe {
        (
            _mm512_loadu_si512(s0.as_ptr().cast()),
            _mm512_loadu_si512(s2.as_ptr().cast()),
        )
    };
    let (low, high) = (_mm512_srai_epi32::<17>(s0), _mm512_srai_epi32::<1>(s2));
    let weights = _mm512_ternarylogic_epi32::<0xca>(_mm512_set1_epi32(0xffff), low, high);
    let corner = |i: usize| _mm_cvtepu8_epi16(_mm_cvtsi32_si128(i32::from_le_bytes(corners[i])));
    let own = corner(1);
    let more = _mm_unpacklo_epi16(_mm_sub_epi16(corner(0), own), _mm_sub_epi16(corner(2), own));
    let half = _mm_set1_epi32(128);
    let start = _mm_add_epi32(_mm_slli_epi32::<8>(_mm_cvtepu16_epi32(own)), half);
    let (more, start) = (_mm512_broadcast_i32x4(more), _mm512_broadcast_i32x4(start));
    let byte = |more: __m512i, start: __m512i| {
        let sum = _mm512_add_epi32(_mm512_madd_epi16(more, weights), start);
        let sum = _mm512_max_epi32(_mm512_srai_epi32::<8>(sum), _mm512_setzero_si512());
        ints(_mm512_min_epi32(sum, _mm512_set1_epi32(255)))
    };
    out[0] = byte(
        _mm512_shuffle_epi32::<0b00_00_00_00>(more),
        _mm512_shuffle_epi32::<0b00_00_00_00>(start),
    );
    out[1] = byte(
        _mm512_shuffle_epi32::<0b01_01_01_01>(more),
        _mm512_shuffle_epi32::<0b01_01_01_01>(start),
    );
    out[2] = byte(
        _mm512_shuffle_epi32::<0b10_10_10_10>(more),
        _mm512_shuffle_epi32::<0b10_10_10_10>(start),
    );
    out[3] = byte(
        _mm512_shuffle_epi32::<0b11_11_11_11>(more),
        _mm512_shuffle_epi32::<0b11_11_11_11>(start),
    );
}

/// Columns and rows of a group's pixels in their tile, by quads.
#[inline]
#[target_feature(enable = "avx512f")]
fn places_by_quads(group: &Group, block: bool) -> [__m512i; 2] {
    let right = _mm512_setr_epi32(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
    let below = _mm512_setr_epi32(0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1);
    let (x, y) = if block {
        let [x, y] = place(group[0][0]);
        let quads = _mm512_setr_epi32(0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6);
        (
            _mm512_add_epi32(_mm512_set1_epi32(x), quads),
            _mm512_set1_epi32(y),
        )
    } else {
        // SAFETY: it is 32 bytes.
        let quads = unsafe { _mm256_loadu_si256(std::ptr::from_ref(group).cast()) };
        let [x, y] = x86::places(quads);
        let each = _mm512_setr_epi32(0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6);
        let spread = |x: __m256i| _mm512_permutexvar_epi32(each, _mm512_castsi256_si512(x));
        (spread(x), spread(y))
    };
    [_mm512_add_epi32(x, right), _mm512_add_epi32(y, below)]
}

/// Both halves of sixteen integers as float64.
#[inline]
#[target_feature(enable = "avx512f")]
fn halves(x: __m512i) -> [__m512d; 2] {
    [
        _mm512_cvtepi32_pd(_mm512_castsi512_si256(x)),
        _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64::<1>(x)),
    ]
}

/// [`super::Interpolate::centres`]: written so that whoever reads them need not wait for
/// several narrow stores.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn centres(group: &Group, block: bool, origin: [i32; 2]) -> Centres {
    let [x, y] = places_by_quads(group, block);
    let along = |x: __m512i, from: i32| {
        let sixteenths = _mm512_slli_epi32::<4>(x);
        let [low, high] = halves(_mm512_add_epi32(
            sixteenths,
            _mm512_set1_epi32(from * 16 + 8),
        ));
        let mut out = [0.0; LANES];
        // SAFETY: it is twice 64 bytes.
        unsafe {
            _mm512_storeu_pd(out.as_mut_ptr(), low);
            _mm512_storeu_pd(out.as_mut_ptr().add(8), high);
        }
        out
    };
    Centres {
        x: along(x, origin[0]),
        y: along(y, origin[1]),
    }
}

/// [`super::Interpolate::color_weights`]. All edge functions are exact, so that it does not
/// matter where they are counted from.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn color_weights(quick: &Quick, group: &Group, block: bool, origin: [i32; 2]) -> [I; 2] {
    let [x, y] = places_by_quads(group, block);
    let (x, y) = (halves(x), halves(y));
    let [left, top] = [f64::from(origin[0] * 16 + 8), f64::from(origin[1] * 16 + 8)];
    let inverse = _mm512_set1_pd(quick.inverse);
    let hair = _mm512_castpd_si512(_mm512_set1_pd(quick.hair));
    let sign = _mm512_set1_epi64(i64::MIN);
    // Toward zero after a hair more, or always a hair down.
    let weight = |[along, down, zero]: [f64; 3], more: bool| {
        let first = _mm512_set1_pd(zero + along * left + down * top);
        let (along, down) = (_mm512_set1_pd(16.0 * along), _mm512_set1_pd(16.0 * down));
        let half = |x: __m512d, y: __m512d| {
            let edge = _mm512_fmadd_pd(along, x, _mm512_fmadd_pd(down, y, first));
            let share = _mm512_mul_pd(edge, inverse);
            let signs = if more {
                _mm512_and_si512(_mm512_castpd_si512(share), sign)
            } else {
                sign
            };
            let hair = _mm512_castsi512_pd(_mm512_or_si512(hair, signs));
            let share = _mm512_add_pd(share, hair);
            let share = _mm512_max_pd(share, _mm512_set1_pd(-2147483648.0));
            let share = _mm512_min_pd(share, _mm512_set1_pd(2147483647.0));
            _mm512_cvttpd_epi32(share)
        };
        let (low, high) = (half(x[0], y[0]), half(x[1], y[1]));
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
    };
    let [first, second] = quick.edges;
    [ints(weight(first, true)), ints(weight(second, false))]
}

/// [`super::Interpolate::exact`]. Edge functions are exact, so that products may be added without
/// being rounded first; all else is rounded as it is elsewhere.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn exact(tri: &Tri, group: &Group, block: bool, origin: [i32; 2]) -> Exact {
    let Some([along, down, zero]) = tri.planes() else {
        return Exact::new(tri, &centres(group, block, origin));
    };
    let [x, y] = places_by_quads(group, block);
    let sixteenths = |x: __m512i, from: i32| {
        let x = _mm512_slli_epi32::<4>(x);
        halves(_mm512_add_epi32(x, _mm512_set1_epi32(from * 16 + 8)))
    };
    let (x, y) = (sixteenths(x, origin[0]), sixteenths(y, origin[1]));
    let w = tri.factors();
    let mut out = Exact::default();
    for half in 0..2 {
        let edge = |i: usize| {
            let along = _mm512_fmadd_pd(_mm512_set1_pd(along[i]), x[half], _mm512_set1_pd(zero[i]));
            _mm512_fmadd_pd(_mm512_set1_pd(down[i]), y[half], along)
        };
        let e = [edge(0), edge(1), edge(2)];
        let t = [
            _mm512_mul_pd(e[0], _mm512_set1_pd(w[0])),
            _mm512_mul_pd(e[1], _mm512_set1_pd(w[1])),
            _mm512_mul_pd(e[2], _mm512_set1_pd(w[2])),
        ];
        let sum = _mm512_add_pd(_mm512_add_pd(t[0], t[1]), t[2]);
        let r = _mm512_div_pd(_mm512_set1_pd(1.0), sum);
        for i in 0..3 {
            let at = 8 * half;
            // SAFETY: both rows have eight more.
            unsafe {
                _mm512_storeu_pd(out.edges[i].as_mut_ptr().add(at), e[i]);
                _mm512_storeu_pd(out.parts[i].as_mut_ptr().add(at), _mm512_mul_pd(t[i], r));
            }
        }
    }
    out
}
