//! The forms for AVX2 and AVX-512.

mod squares;

use super::Simd;
use crate::{LANES, Lane};
use std::arch::x86_64::*;

/// Two vectors of eight. Use only inside functions compiled for AVX2 and F16C.
#[derive(Clone, Copy)]
pub struct Avx2;

/// Use only inside functions compiled for AVX-512.
#[derive(Clone, Copy)]
pub struct Avx512;

macro_rules! x {
    ($e:expr) => {
        // SAFETY: only reached from functions compiled for the form's features after a
        // run-time check; loads and stores cover arrays whose length their types say.
        unsafe { $e }
    };
}

type F2 = [__m256; 2];
type I2 = [__m256i; 2];

/// Functions of pairs of vectors from functions of vectors.
macro_rules! avx2 {
    ($($name:ident($($a:ident: $t:ty),*) -> $r:ty = |$h:ident| $e:expr;)*) => {
        $(#[inline(always)]
        fn $name($($a: $t),*) -> $r {
            x!([{ let $h = 0; $e }, { let $h = 1; $e }])
        })*
    };
}

impl Simd for Avx2 {
    type F = F2;
    type I = I2;
    type M = F2;

    avx2! {
        add(a: F2, b: F2) -> F2 = |h| _mm256_add_ps(a[h], b[h]);
        sub(a: F2, b: F2) -> F2 = |h| _mm256_sub_ps(a[h], b[h]);
        mul(a: F2, b: F2) -> F2 = |h| _mm256_mul_ps(a[h], b[h]);
        div(a: F2, b: F2) -> F2 = |h| _mm256_div_ps(a[h], b[h]);
        sqrt(a: F2) -> F2 = |h| _mm256_sqrt_ps(a[h]);
        min(a: F2, b: F2) -> F2 = |h| _mm256_min_ps(a[h], b[h]);
        max(a: F2, b: F2) -> F2 = |h| _mm256_max_ps(a[h], b[h]);
        floor(a: F2) -> F2 = |h| _mm256_floor_ps(a[h]);
        ceil(a: F2) -> F2 = |h| _mm256_ceil_ps(a[h]);
        trunc(a: F2) -> F2 = |h| _mm256_round_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a[h]);
        round(a: F2) -> F2 = |h| _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a[h]);
        half(a: F2) -> F2 = |h| _mm256_cvtph_ps(_mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(a[h]));
        lt(a: F2, b: F2) -> F2 = |h| _mm256_cmp_ps::<_CMP_LT_OQ>(a[h], b[h]);
        le(a: F2, b: F2) -> F2 = |h| _mm256_cmp_ps::<_CMP_LE_OQ>(a[h], b[h]);
        eq(a: F2, b: F2) -> F2 = |h| _mm256_cmp_ps::<_CMP_EQ_OQ>(a[h], b[h]);
        ne(a: F2, b: F2) -> F2 = |h| _mm256_cmp_ps::<_CMP_NEQ_UQ>(a[h], b[h]);
        select(m: F2, yes: F2, no: F2) -> F2 = |h| _mm256_blendv_ps(no[h], yes[h], m[h]);
        to_bits(a: F2) -> I2 = |h| _mm256_castps_si256(a[h]);
        from_bits(a: I2) -> F2 = |h| _mm256_castsi256_ps(a[h]);
        int(a: F2) -> I2 = |h| _mm256_cvttps_epi32(a[h]);
        of_int(a: I2) -> F2 = |h| _mm256_cvtepi32_ps(a[h]);
        iadd(a: I2, b: I2) -> I2 = |h| _mm256_add_epi32(a[h], b[h]);
        isub(a: I2, b: I2) -> I2 = |h| _mm256_sub_epi32(a[h], b[h]);
        imul(a: I2, b: I2) -> I2 = |h| _mm256_mullo_epi32(a[h], b[h]);
        imin(a: I2, b: I2) -> I2 = |h| _mm256_min_epi32(a[h], b[h]);
        imax(a: I2, b: I2) -> I2 = |h| _mm256_max_epi32(a[h], b[h]);
        iand(a: I2, b: I2) -> I2 = |h| _mm256_and_si256(a[h], b[h]);
        ior(a: I2, b: I2) -> I2 = |h| _mm256_or_si256(a[h], b[h]);
        ixor(a: I2, b: I2) -> I2 = |h| _mm256_xor_si256(a[h], b[h]);
        igt(a: I2, b: I2) -> F2 = |h| _mm256_castsi256_ps(_mm256_cmpgt_epi32(a[h], b[h]));
        ult(a: I2, b: I2) -> F2 = |h| {
            // As numbers with sign, half of the range away.
            let half = _mm256_set1_epi32(i32::MIN);
            let (a, b) = (_mm256_xor_si256(a[h], half), _mm256_xor_si256(b[h], half));
            _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a))
        };
        ieq(a: I2, b: I2) -> F2 = |h| _mm256_castsi256_ps(_mm256_cmpeq_epi32(a[h], b[h]));
        iselect(m: F2, yes: I2, no: I2) -> I2 = |h| _mm256_blendv_epi8(no[h], yes[h], _mm256_castps_si256(m[h]));
        mul_pairs(a: I2, b: I2) -> I2 = |h| _mm256_mullo_epi16(a[h], b[h]);
        add_pairs(a: I2, b: I2) -> I2 = |h| _mm256_add_epi16(a[h], b[h]);
        mul_parts(a: I2, b: I2) -> I2 = |h| _mm256_mulhrs_epi16(a[h], b[h]);
        less_pairs(a: I2, b: I2) -> I2 = |h| _mm256_subs_epu16(a[h], b[h]);
    }

    #[inline(always)]
    fn splat(x: f32) -> F2 {
        x!([_mm256_set1_ps(x); 2])
    }
    #[inline(always)]
    fn load(from: &Lane) -> F2 {
        x!([
            _mm256_loadu_ps(from.as_ptr()),
            _mm256_loadu_ps(from.as_ptr().add(8))
        ])
    }
    #[inline(always)]
    fn store(x: F2, to: &mut Lane) {
        x!({
            _mm256_storeu_ps(to.as_mut_ptr(), x[0]);
            _mm256_storeu_ps(to.as_mut_ptr().add(8), x[1]);
        });
    }
    #[inline(always)]
    fn quads(x: [f32; 4]) -> F2 {
        x!([
            _mm256_set_m128(_mm_set1_ps(x[1]), _mm_set1_ps(x[0])),
            _mm256_set_m128(_mm_set1_ps(x[3]), _mm_set1_ps(x[2]))
        ])
    }
    #[inline(always)]
    fn repeat(x: [f32; 4]) -> F2 {
        x!({
            let four = _mm_setr_ps(x[0], x[1], x[2], x[3]);
            [_mm256_set_m128(four, four); 2]
        })
    }
    #[inline(always)]
    fn four(x: [&[f32; 4]; 4]) -> F2 {
        x!({
            let load = |x: &[f32; 4]| _mm_loadu_ps(x.as_ptr());
            [
                _mm256_set_m128(load(x[1]), load(x[0])),
                _mm256_set_m128(load(x[3]), load(x[2])),
            ]
        })
    }
    #[inline(always)]
    fn pick<const N: i32>(x: F2) -> F2 {
        x!(match N {
            0 => [
                _mm256_permute_ps::<0x00>(x[0]),
                _mm256_permute_ps::<0x00>(x[1])
            ],
            1 => [
                _mm256_permute_ps::<0x55>(x[0]),
                _mm256_permute_ps::<0x55>(x[1])
            ],
            2 => [
                _mm256_permute_ps::<0xAA>(x[0]),
                _mm256_permute_ps::<0xAA>(x[1])
            ],
            _ => [
                _mm256_permute_ps::<0xFF>(x[0]),
                _mm256_permute_ps::<0xFF>(x[1])
            ],
        })
    }
    #[inline(always)]
    fn signs(x: &[i32; LANES]) -> u16 {
        x!({
            let low = _mm256_loadu_ps(x.as_ptr().cast());
            let high = _mm256_loadu_ps(x.as_ptr().add(8).cast());
            Self::bits([low, high]) as u16
        })
    }
    #[inline(always)]
    fn bits(m: F2) -> u32 {
        x!(_mm256_movemask_ps(m[0]) as u32 | (_mm256_movemask_ps(m[1]) as u32) << 8)
    }
    #[inline(always)]
    fn mask(bits: u32) -> F2 {
        x!({
            let lanes = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let low = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lanes);
            let high = _mm256_and_si256(_mm256_set1_epi32((bits >> 8) as i32), lanes);
            [
                _mm256_castsi256_ps(_mm256_cmpeq_epi32(low, lanes)),
                _mm256_castsi256_ps(_mm256_cmpeq_epi32(high, lanes)),
            ]
        })
    }
    #[inline(always)]
    fn isplat(i: i32) -> I2 {
        x!([_mm256_set1_epi32(i); 2])
    }
    #[inline(always)]
    fn iload(from: &[u32; LANES]) -> I2 {
        x!([
            _mm256_loadu_si256(from.as_ptr().cast()),
            _mm256_loadu_si256(from.as_ptr().add(8).cast())
        ])
    }
    #[inline(always)]
    fn istore(i: I2, to: &mut [u32; LANES]) {
        x!({
            _mm256_storeu_si256(to.as_mut_ptr().cast(), i[0]);
            _mm256_storeu_si256(to.as_mut_ptr().add(8).cast(), i[1]);
        });
    }
    #[inline(always)]
    fn shl<const N: u32>(a: I2) -> I2 {
        x!({
            let n = _mm_cvtsi32_si128(N as i32);
            [_mm256_sll_epi32(a[0], n), _mm256_sll_epi32(a[1], n)]
        })
    }
    #[inline(always)]
    fn shr<const N: u32>(a: I2) -> I2 {
        x!({
            let n = _mm_cvtsi32_si128(N as i32);
            [_mm256_srl_epi32(a[0], n), _mm256_srl_epi32(a[1], n)]
        })
    }
    #[inline(always)]
    fn shr_pairs<const N: u32>(a: I2) -> I2 {
        x!({
            let n = _mm_cvtsi32_si128(N as i32);
            [_mm256_srl_epi16(a[0], n), _mm256_srl_epi16(a[1], n)]
        })
    }
    #[inline(always)]
    fn to_halves(a: F2) -> I2 {
        x!([
            _mm256_cvtepu16_epi32(_mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(a[0])),
            _mm256_cvtepu16_epi32(_mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(a[1])),
        ])
    }
    #[inline(always)]
    fn of_halves(bits: I2) -> F2 {
        x!({
            let low = _mm256_set1_epi32(0xffff);
            let (a, b) = (
                _mm256_and_si256(bits[0], low),
                _mm256_and_si256(bits[1], low),
            );
            // The lower parts of both come first, then the upper ones.
            let all = _mm256_packus_epi32(a, b);
            let all = _mm256_permute4x64_epi64::<0b11_01_10_00>(all);
            [
                _mm256_cvtph_ps(_mm256_castsi256_si128(all)),
                _mm256_cvtph_ps(_mm256_extracti128_si256::<1>(all)),
            ]
        })
    }
    #[inline(always)]
    fn half_cut(a: F2) -> F2 {
        let a = within_halves::<Self>(a);
        x!([
            _mm256_cvtph_ps(_mm256_cvtps_ph::<_MM_FROUND_TO_ZERO>(a[0])),
            _mm256_cvtph_ps(_mm256_cvtps_ph::<_MM_FROUND_TO_ZERO>(a[1])),
        ])
    }
    #[inline(always)]
    fn sar<const N: u32>(a: I2) -> I2 {
        x!({
            let n = _mm_cvtsi32_si128(N as i32);
            [_mm256_sra_epi32(a[0], n), _mm256_sra_epi32(a[1], n)]
        })
    }
    #[inline(always)]
    fn gather(table: &[u32], index: I2) -> I2 {
        if table.is_empty() || table.len() > i32::MAX as usize {
            return Self::isplat(0);
        }
        let last = Self::isplat(table.len() as i32 - 1);
        // Indices are unsigned: what looks negative is large.
        x!({
            let low = _mm256_min_epu32(index[0], last[0]);
            let high = _mm256_min_epu32(index[1], last[1]);
            [
                _mm256_i32gather_epi32::<4>(table.as_ptr().cast(), low),
                _mm256_i32gather_epi32::<4>(table.as_ptr().cast(), high),
            ]
        })
    }
}

/// The same numbers, but those that are too large for a half float are infinite.
#[inline(always)]
fn within_halves<S: Simd>(a: S::F) -> S::F {
    // From 2^16 on they overflow on the way.
    const POWER: i32 = 112;
    let up = S::from_bits(S::isplat((127 + POWER) << 23));
    let down = S::from_bits(S::isplat((127 - POWER) << 23));
    S::mul(S::mul(a, up), down)
}

macro_rules! avx512 {
    ($($name:ident($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {
        $(#[inline(always)]
        fn $name($($a: $t),*) -> $r {
            x!($e)
        })*
    };
}

/// Rounding of `roundscale`, no exceptions.
const EVEN: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
const ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

/// Of `fixupimm`, four bits for each kind of number, from the lowest on: quiet and signalling
/// not-a-numbers have none (3), zero has -∞ (4), 1 what was computed (0), -∞ none, ∞ itself (5), those
/// below zero none, the others what was computed.
const ENDS_OF_LOG: i32 = 0x0353_0433;

/// Of `range`: the larger one without signs, and none for the result.
const LARGER_SIZE: i32 = 0b1011;

impl Simd for Avx512 {
    type F = __m512;
    type I = __m512i;
    type M = __mmask16;

    avx512! {
        splat(x: f32) -> __m512 = _mm512_set1_ps(x);
        load(from: &Lane) -> __m512 = _mm512_loadu_ps(from.as_ptr());
        store(x: __m512, to: &mut Lane) -> () = _mm512_storeu_ps(to.as_mut_ptr(), x);
        repeat(x: [f32; 4]) -> __m512 = _mm512_broadcast_f32x4(_mm_setr_ps(x[0], x[1], x[2], x[3]));
        add(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b);
        sub(a: __m512, b: __m512) -> __m512 = _mm512_sub_ps(a, b);
        mul(a: __m512, b: __m512) -> __m512 = _mm512_mul_ps(a, b);
        product_cut(a: __m512, b: __m512, c: __m512) -> __m512 = _mm512_fmadd_round_ps::<ZERO>(a, b, c);
        product_cut_where(m: __mmask16, a: __m512, b: __m512, c: __m512) -> __m512 = _mm512_mask3_fmadd_round_ps::<ZERO>(a, b, c, m);
        sum_cut(large: __m512, small: __m512) -> __m512 = _mm512_add_round_ps::<ZERO>(large, small);
        sum_cut_any(a: __m512, b: __m512) -> __m512 = _mm512_add_round_ps::<ZERO>(a, b);
        div(a: __m512, b: __m512) -> __m512 = _mm512_div_ps(a, b);
        sqrt(a: __m512) -> __m512 = _mm512_sqrt_ps(a);
        min(a: __m512, b: __m512) -> __m512 = _mm512_min_ps(a, b);
        max(a: __m512, b: __m512) -> __m512 = _mm512_max_ps(a, b);
        larger_size(a: __m512, b: __m512) -> __m512 = _mm512_range_ps::<LARGER_SIZE>(a, b);
        floor(a: __m512) -> __m512 = _mm512_roundscale_ps::<DOWN>(a);
        ceil(a: __m512) -> __m512 = _mm512_roundscale_ps::<UP>(a);
        trunc(a: __m512) -> __m512 = _mm512_roundscale_ps::<ZERO>(a);
        round(a: __m512) -> __m512 = _mm512_roundscale_ps::<EVEN>(a);
        half(a: __m512) -> __m512 = _mm512_cvtph_ps(_mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(a));
        lt(a: __m512, b: __m512) -> __mmask16 = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b);
        le(a: __m512, b: __m512) -> __mmask16 = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b);
        eq(a: __m512, b: __m512) -> __mmask16 = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(a, b);
        ne(a: __m512, b: __m512) -> __mmask16 = _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(a, b);
        select(m: __mmask16, yes: __m512, no: __m512) -> __m512 = _mm512_mask_blend_ps(m, no, yes);
        to_bits(a: __m512) -> __m512i = _mm512_castps_si512(a);
        from_bits(a: __m512i) -> __m512 = _mm512_castsi512_ps(a);
        int(a: __m512) -> __m512i = _mm512_cvttps_epi32(a);
        of_int(a: __m512i) -> __m512 = _mm512_cvtepi32_ps(a);
        isplat(i: i32) -> __m512i = _mm512_set1_epi32(i);
        iload(from: &[u32; LANES]) -> __m512i = _mm512_loadu_si512(from.as_ptr().cast());
        istore(i: __m512i, to: &mut [u32; LANES]) -> () = _mm512_storeu_si512(to.as_mut_ptr().cast(), i);
        iadd(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        isub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
        imul(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi32(a, b);
        imin(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epi32(a, b);
        imax(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epi32(a, b);
        iand(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        ior(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        ixor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        igt(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmpgt_epi32_mask(a, b);
        ult(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmplt_epu32_mask(a, b);
        ieq(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmpeq_epi32_mask(a, b);
        iselect(m: __mmask16, yes: __m512i, no: __m512i) -> __m512i = _mm512_mask_blend_epi32(m, no, yes);
        mul_pairs(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi16(a, b);
        add_pairs(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi16(a, b);
        mul_parts(a: __m512i, b: __m512i) -> __m512i = _mm512_mulhrs_epi16(a, b);
        less_pairs(a: __m512i, b: __m512i) -> __m512i = _mm512_subs_epu16(a, b);
    }

    #[inline(always)]
    fn shr_pairs<const N: u32>(a: __m512i) -> __m512i {
        x!(_mm512_srli_epi16::<N>(a))
    }
    #[inline(always)]
    fn to_halves(a: __m512) -> __m512i {
        x!(_mm512_cvtepu16_epi32(_mm512_cvtps_ph::<
            _MM_FROUND_TO_NEAREST_INT,
        >(a)))
    }
    #[inline(always)]
    fn of_halves(bits: __m512i) -> __m512 {
        x!(_mm512_cvtph_ps(_mm512_cvtepi32_epi16(bits)))
    }
    #[inline(always)]
    fn half_cut(a: __m512) -> __m512 {
        let a = within_halves::<Self>(a);
        x!(_mm512_cvtph_ps(_mm512_cvtps_ph::<_MM_FROUND_TO_ZERO>(a)))
    }
    #[inline(always)]
    fn ends_of_log(x: __m512, log: __m512) -> __m512 {
        x!(_mm512_fixupimm_ps::<0>(
            log,
            x,
            _mm512_set1_epi32(ENDS_OF_LOG)
        ))
    }
    #[inline(always)]
    fn by_size(a: __m512, b: __m512) -> [__m512; 2] {
        x!({
            // The larger one with its own sign; a number rather than none. The other one is
            // what is left of both.
            let large = _mm512_range_ps::<0b0111>(a, b);
            let both = _mm512_xor_ps(a, b);
            [large, _mm512_xor_ps(both, large)]
        })
    }
    #[inline(always)]
    fn part_of_255(byte: __m512) -> __m512 {
        const PART: f64 = 1.0 / 255.0;
        const FIRST: f32 = PART as f32;
        const REST: f32 = (PART - FIRST as f64) as f32;
        x!({
            let rest = _mm512_mul_ps(byte, _mm512_set1_ps(REST));
            _mm512_fmadd_ps(byte, _mm512_set1_ps(FIRST), rest)
        })
    }
    #[inline(always)]
    fn rows_of_quads(x: __m512i) -> __m512i {
        x!({
            let order = _mm512_loadu_si512(super::ROWS_OF_QUADS.as_ptr().cast());
            _mm512_permutexvar_epi32(order, x)
        })
    }

    #[inline(always)]
    fn signs(x: &[i32; LANES]) -> u16 {
        x!(_mm512_movepi32_mask(_mm512_loadu_si512(x.as_ptr().cast())))
    }
    #[inline(always)]
    fn compare(func: u8, a: &[u32; LANES], b: &[u32; LANES]) -> u16 {
        // Each function is a range of differences: its first one, and what the last has more.
        // None is -2^31.
        const LEAST: u32 = 1 << 31;
        const RANGES: [[u32; 2]; 8] = [
            [LEAST, 0],
            [LEAST, LEAST - 1],
            [0, 0],
            [LEAST, LEAST],
            [1, LEAST - 2],
            [1, u32::MAX - 1],
            [0, LEAST - 1],
            [0, u32::MAX],
        ];
        let [first, more] = RANGES[usize::from(func % 8)];
        let by = Self::isub(Self::iload(a), Self::iload(b));
        let by = Self::isub(by, Self::isplat(first.cast_signed()));
        x!(_mm512_cmple_epu32_mask(
            by,
            Self::isplat(more.cast_signed())
        ))
    }
    #[inline(always)]
    fn choose(mask: u16, new: &[u32; LANES], old: &[u32; LANES]) -> [u32; LANES] {
        let mut out = [0; LANES];
        let words = Self::iselect(mask, Self::iload(new), Self::iload(old));
        Self::istore(words, &mut out);
        out
    }
    #[inline(always)]
    fn bits(m: __mmask16) -> u32 {
        u32::from(m)
    }
    #[inline(always)]
    fn mask(bits: u32) -> __mmask16 {
        bits as __mmask16
    }
    #[inline(always)]
    fn quads(x: [f32; 4]) -> __m512 {
        x!({
            let four = _mm512_castps128_ps512(_mm_setr_ps(x[0], x[1], x[2], x[3]));
            let order = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
            _mm512_permutexvar_ps(order, four)
        })
    }
    #[inline(always)]
    fn four(x: [&[f32; 4]; 4]) -> __m512 {
        x!({
            let out = _mm512_castps128_ps512(_mm_loadu_ps(x[0].as_ptr()));
            let out = _mm512_insertf32x4::<1>(out, _mm_loadu_ps(x[1].as_ptr()));
            let out = _mm512_insertf32x4::<2>(out, _mm_loadu_ps(x[2].as_ptr()));
            _mm512_insertf32x4::<3>(out, _mm_loadu_ps(x[3].as_ptr()))
        })
    }
    #[inline(always)]
    fn pick<const N: i32>(x: __m512) -> __m512 {
        x!(match N {
            0 => _mm512_permute_ps::<0x00>(x),
            1 => _mm512_permute_ps::<0x55>(x),
            2 => _mm512_permute_ps::<0xAA>(x),
            _ => _mm512_permute_ps::<0xFF>(x),
        })
    }
    #[inline(always)]
    fn shl<const N: u32>(a: __m512i) -> __m512i {
        x!(_mm512_slli_epi32::<N>(a))
    }
    #[inline(always)]
    fn shr<const N: u32>(a: __m512i) -> __m512i {
        x!(_mm512_srli_epi32::<N>(a))
    }
    #[inline(always)]
    fn sar<const N: u32>(a: __m512i) -> __m512i {
        x!(_mm512_srai_epi32::<N>(a))
    }
    #[inline(always)]
    fn gather(table: &[u32], index: __m512i) -> __m512i {
        if table.is_empty() || table.len() > i32::MAX as usize {
            return Self::isplat(0);
        }
        x!({
            // Indices are unsigned: what looks negative is large.
            let index = _mm512_min_epu32(index, _mm512_set1_epi32(table.len() as i32 - 1));
            _mm512_i32gather_epi32::<4>(index, table.as_ptr().cast())
        })
    }
    #[inline(always)]
    fn squares<const QUADS: bool>(table: &[u32], first: __m512i, down: u32) -> [[__m512i; 2]; 2] {
        x!(squares::squares::<QUADS>(table, first, down))
    }
    #[inline(always)]
    fn gather_pairs(table: &[u32], index: __m512i) -> [__m512i; 2] {
        if table.len() < 2 || table.len() > i32::MAX as usize {
            return [Self::isplat(0); 2];
        }
        x!({
            // Indices are unsigned: what looks negative is large.
            let index = _mm512_min_epu32(index, _mm512_set1_epi32(table.len() as i32 - 2));
            let (low, high) = (
                _mm512_castsi512_si256(index),
                _mm512_extracti64x4_epi64::<1>(index),
            );
            // Eight bytes from the entry on: it and the next one.
            let low = _mm512_i32gather_epi64::<4>(low, table.as_ptr().cast());
            let high = _mm512_i32gather_epi64::<4>(high, table.as_ptr().cast());
            let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
            let odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
            [
                _mm512_permutex2var_epi32(low, even, high),
                _mm512_permutex2var_epi32(low, odd, high),
            ]
        })
    }
}
