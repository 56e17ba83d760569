//! [`super::plain`] with AVX-512: sixteen fragments are one register.

use super::{PreparedTexture, Rules, SimpleLevel};
use crate::frag::{F, LANES};
use crate::raster::num::avx512::{CUT, floats, load, sum};
use crate::raster::num::far_from_limits;
use crate::tex::image::Image;
use crate::tex::lod::{LEVELS, MAGNIFY};
use crate::tex::sample::Texels;
use crate::tex::unit::{Filter, Mip, Unit, Wrap};
use isotherm_lanes::{Avx512, Simd};
use std::arch::x86_64::*;

/// Two channels of a texel, 16 bits each.
const PAIR: i32 = 0x00ff_00ff;

/// [`super::SampleLanes::moved`]; the texels are signed bytes over 128. `None` if a number
/// could leave float32's range.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) fn moved(x: &F, [a, c]: [f32; 2], [b, d]: &[F; 2]) -> Option<F> {
    const LEAST: f32 = f32::from_bits((127 - 40) << 23);
    const MOST: f32 = f32::from_bits((127 + 40) << 23);
    let x = load(x);
    let size = _mm512_abs_ps(x);
    let fits = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(size, _mm512_set1_ps(MOST));
    let small = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(size, _mm512_set1_ps(LEAST));
    let some = _mm512_test_epi32_mask(_mm512_castps_si512(size), _mm512_castps_si512(size));
    if fits & !(small & some) != u16::MAX || !far_from_limits(a) || !far_from_limits(c) {
        return None;
    }
    let product = |a: f32, b: &F| _mm512_mul_round_ps::<CUT>(_mm512_set1_ps(a), load(b));
    Some(floats(sum(x, product(a, b), product(c, d))))
}

/// Samples a unit whose state is plain. `hint` is where to look for the level first: asking
/// whether it is the right one costs less than waiting for the right one's number.
#[inline]
#[target_feature(enable = "bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl")]
pub(crate) fn plain(
    unit: &Unit,
    texture: &PreparedTexture,
    hint: &mut usize,
    u: &F,
    v: &F,
) -> Texels {
    let (x, y) = (load(u), load(v));
    let mut level = &texture.levels[0];
    if texture.needs_lod {
        let rho2 = rho2(texture, x, y);
        level = &texture.levels[*hint % LEVELS];
        if !is_sure(level, rho2) {
            let (guess, _) = unit.certain.guess(unit, _mm512_cvtss_f32(rho2));
            *hint = (guess - MAGNIFY) as usize;
            level = &texture.levels[*hint % LEVELS];
            if !is_sure(level, rho2) {
                return mixed(unit, texture, rho2, u, v);
            }
        }
    }
    stored(in_level(texture, level, x, y))
}

/// The lanes do not all have one level, or nearly so: each level that any of them needs.
/// `rho2` is that of [`rho2`].
#[cold]
#[inline(never)]
#[target_feature(enable = "bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl")]
fn mixed(unit: &Unit, texture: &PreparedTexture, rho2: __m512, u: &F, v: &F) -> Texels {
    let set = |x: i32| _mm512_set1_epi32(x);
    let [upper, between] = chosen(unit, by_lanes(rho2));
    let two = _mm512_test_epi32_mask(between, between);
    let next = _mm512_add_epi32(upper, set(1));
    let first = _mm512_reduce_min_epi32(upper);
    let last = _mm512_reduce_max_epi32(_mm512_mask_mov_epi32(upper, two, next));
    if last - MAGNIFY >= LEVELS as i32 {
        return super::plain(unit, &texture.image, u, v);
    }
    let (x, y) = (load(u), load(v));
    let (mut a, mut b) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    for level in first..=last {
        let above = _mm512_cmpeq_epi32_mask(upper, set(level));
        let below = _mm512_mask_cmpeq_epi32_mask(two, next, set(level));
        if above | below != 0 {
            let level = &texture.levels[(level - MAGNIFY) as usize % LEVELS];
            let texels = in_level(texture, level, x, y);
            a = _mm512_mask_mov_epi32(a, above, texels);
            b = _mm512_mask_mov_epi32(b, below, texels);
        }
    }
    let ([a_br, a_ga], [b_br, b_ga], w) = (pairs(a), pairs(b), weights(between));
    let ga = _mm512_slli_epi32::<8>(blend(a_ga, b_ga, w));
    let blended = _mm512_or_si512(blend(a_br, b_br, w), ga);
    stored(_mm512_mask_mov_epi32(a, two, blended))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn stored(texels: __m512i) -> Texels {
    let mut out = [0; LANES];
    // SAFETY: it is 64 bytes.
    unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), texels) };
    out
}

/// The level that each lane chooses, the lower one of two, and the weight of the next one
/// ([`crate::tex::lod::level`]).
#[inline]
#[target_feature(enable = "avx512f")]
fn chosen(unit: &Unit, rho2: __m512) -> [__m512i; 2] {
    let set = |x: i32| _mm512_set1_epi32(x);
    // A bias has 13 bits: no sum leaves 32.
    let lod = _mm512_add_epi32(half_log2_8(rho2), set(unit.data.lod_bias));
    let minify = _mm512_cmpgt_epi32_mask(lod, set(0));
    let [low, high] = unit.data.lod_range;
    let (last, high) = (unit.data.last_level, high.max(low));
    let limited = _mm512_min_epi32(_mm512_max_epi32(lod, set(low)), set(high));
    let limited = _mm512_min_epi32(limited, set(last << 8));
    let (level, between) = match unit.control.mip {
        Mip::Base => (set(0), set(0)),
        Mip::Nearest => {
            let near = _mm512_srai_epi32::<8>(_mm512_add_epi32(limited, set(128)));
            (_mm512_min_epi32(near, set(last)), set(0))
        }
        Mip::Linear => {
            let between = _mm512_maskz_and_epi32(minify, limited, set(255));
            (_mm512_srai_epi32::<8>(limited), between)
        }
    };
    [_mm512_mask_mov_epi32(set(MAGNIFY), minify, level), between]
}

/// [`crate::tex::lod::half_log2_8`].
#[inline]
#[target_feature(enable = "avx512f")]
fn half_log2_8(x: __m512) -> __m512i {
    const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
    let set = |x: f32| _mm512_set1_ps(x);
    let bits = _mm512_castps_si512(x);
    let e = _mm512_srai_epi32::<23>(_mm512_sub_epi32(bits, _mm512_set1_epi32(0x3f35_04f3)));
    let m = _mm512_castsi512_ps(_mm512_sub_epi32(bits, _mm512_slli_epi32::<23>(e)));
    let t = _mm512_div_ps(_mm512_sub_ps(m, set(1.0)), _mm512_add_ps(m, set(1.0)));
    let t2 = _mm512_mul_ps(t, t);
    // Rounded after each step, as it is elsewhere.
    let step = |sum: __m512, add: f32| _mm512_add_ps(set(add), _mm512_mul_ps(t2, sum));
    let series = step(
        step(step(set(0.412_198_6), 0.577_078), 0.961_796_7),
        2.885_39,
    );
    let series = _mm512_mul_ps(_mm512_mul_ps(t, series), set(128.0));
    let part = _mm512_cvt_roundps_epi32::<DOWN>(series);
    let whole = _mm512_slli_epi32::<7>(e);
    let some = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(x, set(0.0));
    let none = _mm512_set1_epi32(i32::MIN / 2);
    _mm512_mask_add_epi32(none, some, whole, part)
}

/// What one instruction makes of both coordinates' even and odd pixels: of two quads u's, then v's.
#[inline]
#[target_feature(enable = "avx512f")]
fn columns(u: __m512, v: __m512) -> [__m512; 2] {
    [
        _mm512_shuffle_ps::<0b10_00_10_00>(u, v),
        _mm512_shuffle_ps::<0b11_01_11_01>(u, v),
    ]
}

/// The other row's.
#[inline]
#[target_feature(enable = "avx512f")]
fn other_row(x: __m512) -> __m512 {
    _mm512_shuffle_f32x4::<0b01_00_11_10>(x, x)
}

/// Squared lengths of the longer mean differences, in texels: those of two quads, twice in each
/// quarter of a register, and the same in both rows.
#[inline]
#[target_feature(enable = "avx512f")]
fn rho2(texture: &PreparedTexture, u: __m512, v: __m512) -> __m512 {
    let [left, right] = columns(u, v);
    let along = _mm512_sub_ps(right, left);
    let x = _mm512_add_ps(along, other_row(along));
    // Below 0 in the lower row, where it is squared all the same.
    let [left, right] = columns(
        _mm512_sub_ps(other_row(u), u),
        _mm512_sub_ps(other_row(v), v),
    );
    let y = _mm512_add_ps(left, right);
    // SAFETY: it is 16 bytes.
    let half = _mm512_broadcast_f32x4(unsafe { _mm_loadu_ps(texture.half.as_ptr()) });
    let (x, y) = (_mm512_mul_ps(x, half), _mm512_mul_ps(y, half));
    let (x, y) = (_mm512_mul_ps(x, x), _mm512_mul_ps(y, y));
    let both = |x: __m512| _mm512_add_ps(x, _mm512_permute_ps::<0b01_00_11_10>(x));
    _mm512_max_ps(both(x), both(y))
}

/// The same lane by lane.
#[inline]
#[target_feature(enable = "avx512f")]
fn by_lanes(rho2: __m512) -> __m512 {
    _mm512_permute_ps::<0b01_01_00_00>(rho2)
}

/// Do all lanes certainly choose this level?
#[inline]
#[target_feature(enable = "avx512f")]
fn is_sure(level: &SimpleLevel, rho2: __m512) -> bool {
    let [low, high] = level.certain;
    let bits = _mm512_castps_si512(rho2);
    let outside = _mm512_cmplt_epu32_mask(bits, _mm512_set1_epi32(low.cast_signed()))
        | _mm512_cmpgt_epu32_mask(bits, _mm512_set1_epi32(high.cast_signed()));
    outside == 0
}

/// Filters within one level.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
fn in_level(texture: &PreparedTexture, level: &SimpleLevel, u: __m512, v: __m512) -> __m512i {
    let texels = &texture.image.texels[level.origin..];
    let at = fixed_both::<false>(level, [u, v]);
    if level.rules.filter == Filter::Nearest {
        return nearest(texels, level, at);
    }
    let [br, ga] = linear::<false>(texels, level, at);
    _mm512_or_si512(br, _mm512_slli_epi32::<8>(ga))
}

/// [`super::SampleLanes::in_level`]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
pub(super) fn pairs_in_level(image: &Image, level: &SimpleLevel, at: [__m512; 2]) -> [__m512i; 2] {
    let texels = &image.texels[level.origin..];
    let at = fixed_both::<true>(level, at);
    if level.rules.filter == Filter::Nearest {
        return pairs(nearest(texels, level, at));
    }
    linear::<true>(texels, level, at)
}

/// Coordinates with 8 fraction bits; `PROGRAM`: by the rules of programs.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn fixed_both<const PROGRAM: bool>(level: &SimpleLevel, [u, v]: [__m512; 2]) -> [__m512i; 2] {
    let rules = &level.rules;
    [
        fixed::<PROGRAM>(u, rules.scale[0], rules),
        fixed::<PROGRAM>(v, rules.scale[1], rules),
    ]
}

/// The texels under the coordinates.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn nearest(texels: &[u32], level: &SimpleLevel, [x, y]: [__m512i; 2]) -> __m512i {
    let wraps = level.rules.wrap;
    let column = wrap(_mm512_srai_epi32::<8>(x), level.size[0], wraps[0]);
    let line = wrap(_mm512_srai_epi32::<8>(y), level.size[1], wraps[1]);
    // SAFETY: see [`start`].
    unsafe { single(texels, _mm512_add_epi32(start(level, line), column)) }
}

/// The numbers of lines' first texels. Both factors are below 2^15. With a column that `wrap`
/// gave, as the line, it is the number of a texel that is there: 0 <= x < w and 0 <= y < h, and
/// [`SimpleLevel::checked`] has seen that texel (w - 1, h - 1), the largest number of them,
/// lies inside.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn start(level: &SimpleLevel, line: __m512i) -> __m512i {
    _mm512_madd_epi16(line, _mm512_set1_epi32(level.row))
}

/// Coordinates such that the texel behind theirs is the second one: in the margin, or without
/// weight. Where an image is mirrored the two change places, and so do their weights; a blend
/// is rounded the same way from either side.
#[inline]
#[target_feature(enable = "avx512f")]
fn steady(x: __m512i, level: &SimpleLevel, axis: usize) -> __m512i {
    let last = _mm512_set1_epi32(level.last[axis]);
    let x = match level.rules.wrap[axis] {
        Wrap::Repeat => return _mm512_and_si512(x, last),
        Wrap::Mirror => {
            let size = level.size[axis];
            let x = _mm512_and_si512(x, _mm512_set1_epi32((size << 9) - 1));
            let back = _mm512_set1_epi32((2 * size - 1) << 8);
            _mm512_min_epi32(x, _mm512_sub_epi32(back, x))
        }
        _ => x,
    };
    _mm512_min_epi32(_mm512_max_epi32(x, _mm512_setzero_si512()), last)
}

/// Two by two texels.
type Square = [[__m512i; 2]; 2];

/// The texels beside coordinates, one by one: those of images that have no margin, or repeat by
/// a size that is no power of two.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw")]
fn corners(texels: &[u32], level: &SimpleLevel, [x, y]: [__m512i; 2]) -> Square {
    let rules = &level.rules;
    let both = |c: __m512i, axis: usize| {
        let first = _mm512_srai_epi32::<8>(c);
        let next = _mm512_add_epi32(first, _mm512_set1_epi32(1));
        [first, next].map(|c| wrap(c, level.size[axis], rules.wrap[axis]))
    };
    let columns = both(x, 0);
    let texel = |line: __m512i, column: __m512i| {
        // SAFETY: see [`start`].
        unsafe { single(texels, _mm512_add_epi32(start(level, line), column)) }
    };
    both(y, 1).map(|line| columns.map(|column| texel(line, column)))
}

/// Blends four texels.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn linear<const PROGRAM: bool>(
    texels: &[u32],
    level: &SimpleLevel,
    [mut x, mut y]: [__m512i; 2],
) -> [__m512i; 2] {
    let rules = &level.rules;
    let [[a, b], [c, d]] = if level.steady {
        x = steady(x, level, 0);
        y = steady(y, level, 1);
        let line = start(level, _mm512_srli_epi32::<8>(y));
        let first = _mm512_add_epi32(line, _mm512_srli_epi32::<8>(x));
        Avx512::squares::<false>(texels, first, level.row.cast_unsigned())
    } else {
        corners(texels, level, [x, y])
    };
    let (wx, wy) = (weights(x), weights(y));
    let [a, b, c, d] = [pairs(a), pairs(b), pairs(c), pairs(d)];
    let channels = |i: usize| blend(blend(a[i], b[i], wx), blend(c[i], d[i], wx), wy);
    let mut out = [channels(0), channels(1)];
    if PROGRAM && rules.middle {
        let half = _mm512_set1_epi32(0x4000_4000);
        let middle = _mm512_cmpeq_epi32_mask(wx, half) & _mm512_cmpeq_epi32_mask(wy, half);
        if middle != 0 {
            for i in 0..2 {
                let sum =
                    _mm512_add_epi16(_mm512_add_epi16(a[i], b[i]), _mm512_add_epi16(c[i], d[i]));
                let sum = _mm512_add_epi16(sum, _mm512_set1_epi16(2));
                let mean = _mm512_srli_epi16::<2>(sum);
                out[i] = _mm512_mask_blend_epi32(middle, out[i], mean);
            }
        }
    }
    out
}

/// Texels by their numbers.
///
/// # Safety
/// All of them must be there.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn single(texels: &[u32], at: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe { _mm512_i32gather_epi32::<4>(at, texels.as_ptr().cast()) }
}

/// Coordinates in texels with 8 fraction bits, [`super::to_fixed`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn fixed<const PROGRAM: bool>(x: __m512, scale: f32, rules: &Rules) -> __m512i {
    const MOST: f32 = 2_147_483_392.0;
    const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
    /// The smaller size, the first one's sign.
    const NEARER: i32 = 0b0010;
    let mut x = _mm512_mul_ps(x, _mm512_set1_ps(scale));
    if PROGRAM {
        x = _mm512_add_ps(x, _mm512_set1_ps(rules.nudge));
    }
    let number = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(x, x);
    let x = _mm512_maskz_range_ps::<NEARER>(number, x, _mm512_set1_ps(MOST));
    _mm512_add_epi32(
        _mm512_cvt_roundps_epi32::<DOWN>(x),
        _mm512_set1_epi32(rules.offset),
    )
}

/// Texels of a row or column, wrapped.
#[inline]
#[target_feature(enable = "avx512f")]
fn wrap(x: __m512i, size: i32, mode: Wrap) -> __m512i {
    let last = _mm512_set1_epi32(size - 1);
    match mode {
        Wrap::Repeat => _mm512_and_si512(x, last),
        Wrap::Mirror => {
            let turn = _mm512_set1_epi32(2 * size - 1);
            let x = _mm512_and_si512(x, turn);
            _mm512_min_epi32(x, _mm512_sub_epi32(turn, x))
        }
        _ => _mm512_min_epi32(_mm512_max_epi32(x, _mm512_setzero_si512()), last),
    }
}

/// The weights of coordinates with 8 fraction bits in both halves of a lane, over 2^15.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn weights(fixed: __m512i) -> __m512i {
    // The first byte, one byte higher, twice; then half of that.
    const BYTES: i128 = 0x0c80_0c80_0880_0880_0480_0480_0080_0080;
    let bytes = _mm512_broadcast_i32x4(_mm_set_epi64x((BYTES >> 64) as i64, BYTES as i64));
    _mm512_srli_epi16::<1>(_mm512_shuffle_epi8(fixed, bytes))
}

/// Texels as red and blue, alpha and green.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn pairs(texels: __m512i) -> [__m512i; 2] {
    [
        _mm512_and_si512(texels, _mm512_set1_epi32(PAIR)),
        _mm512_srli_epi16::<8>(texels),
    ]
}

/// a (256 - w) + b w, rounded, see `filter.rs`: as many as b has more, by the instruction that
/// rounds as that.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn blend(a: __m512i, b: __m512i, w: __m512i) -> __m512i {
    _mm512_add_epi16(a, _mm512_mulhrs_epi16(_mm512_sub_epi16(b, a), w))
}
