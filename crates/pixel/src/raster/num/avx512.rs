//! The arithmetic with AVX-512 on float32, the chip's own format: instructions can round
//! toward zero. Numbers must be far from the limits of float32's range.

use crate::frag::{F, LANES};
use std::arch::x86_64::*;

/// Round toward zero: what the chip does with every result.
pub(crate) const CUT: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

/// The exponent's bits, and those of the significand.
const EXPONENT: i32 = 0x7f80_0000;
const SIGNIFICAND: i32 = 0x007f_ffff;

/// The smallest number that has a unit here: 2^-100.
const SMALLEST: f32 = f32::from_bits(27 << 23);

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn load(x: &F) -> __m512 {
    // SAFETY: it is 64 bytes.
    unsafe { _mm512_loadu_ps(x.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn floats(x: __m512) -> F {
    let mut out = [0.0; LANES];
    // SAFETY: it is 64 bytes.
    unsafe { _mm512_storeu_ps(out.as_mut_ptr(), x) };
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

/// The adder of the weights ([`super::weight_sum`]).
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(crate) fn weight_sum([a, b, c]: [__m512; 3]) -> __m512 {
    let top = larger_size(larger_size(a, b), c);
    let top = _mm512_max_ps(top, _mm512_set1_ps(SMALLEST));
    let (power, over) = powers(top, 24);
    let whole = |x: __m512| _mm512_cvttps_epi32(_mm512_mul_ps(x, over));
    let sum = _mm512_add_epi32(_mm512_add_epi32(whole(a), whole(b)), whole(c));
    let sum = _mm512_cvt_roundepi32_ps::<CUT>(sum);
    _mm512_mul_ps(sum, _mm512_mul_ps(power, _mm512_set1_ps(1.0 / 16777216.0)))
}

/// The lines of [`super::guess12`], one for each 128th of an octave: how it falls in the low
/// half; in the high half its first value, less 2^15.
const LINES: [u32; 128] = {
    let (mut out, mut i) = ([0; 128], 0);
    while i < out.len() {
        let [first, slope] = super::line_from(1.0 + i as f64 / 128.0);
        out[i] = (first as u32 - (1 << 15)) << 16 | slope as u32;
        i += 1;
    }
    out
};

/// The line of each lane, whose number may have more bits above seven: two registers make a
/// table of 32.
#[inline]
#[target_feature(enable = "avx512f")]
fn lines(number: __m512i) -> __m512i {
    let part = |i: usize| {
        let line = &LINES[i * LANES..][..LANES];
        // SAFETY: it is 64 bytes.
        unsafe { _mm512_loadu_si512(line.as_ptr().cast()) }
    };
    let pair = |i: usize| _mm512_permutex2var_epi32(part(i), number, part(i + 1));
    let bit = |n: u32| _mm512_test_epi32_mask(number, _mm512_set1_epi32(1 << n));
    let (odd, high) = (bit(5), bit(6));
    let low = _mm512_mask_blend_epi32(odd, pair(0), pair(2));
    _mm512_mask_blend_epi32(high, low, _mm512_mask_blend_epi32(odd, pair(4), pair(6)))
}

/// The guess of 1/m ([`super::guess12`]) in units of 2^-12, from the 23 bits behind the point
/// of 1 ≤ m < 2.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn guess12(fraction: __m512i) -> __m512i {
    let set = |x: i32| _mm512_set1_epi32(x);
    // To 14 fraction bits, halves up. The last of them has the same guess as 2.
    let m = _mm512_srli_epi32::<9>(_mm512_add_epi32(fraction, set(1 << 8)));
    let m = _mm512_min_epu32(m, set((1 << 14) - 1));
    let line = lines(_mm512_srli_epi32::<7>(m));
    // In units of 2^-24; the high half of each factor is 0 in one of them.
    let fall = _mm512_madd_epi16(line, _mm512_and_si512(m, set(127)));
    let first = _mm512_srli_epi32::<8>(_mm512_and_si512(line, set(!0xffff)));
    // A half is taken off, and what is left rounded up.
    let first = _mm512_add_epi32(first, set((1 << 23) + (1 << 11) - 1));
    _mm512_srai_epi32::<12>(_mm512_sub_epi32(first, fall))
}

/// The reciprocal of a weight sum ([`super::recip24`]) in units of a share.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn recip_share(s: __m512) -> __m512 {
    let size = _mm512_max_ps(_mm512_abs_ps(s), _mm512_set1_ps(SMALLEST));
    let (_, back) = powers(size, 25);
    let bits = _mm512_castps_si512(size);
    let fraction = _mm512_and_si512(bits, _mm512_set1_epi32(SIGNIFICAND));
    let guess = guess12(fraction);
    // m g is 2^35 in these units, but for little: the bits above 32 are not needed.
    let whole = _mm512_or_si512(fraction, _mm512_set1_epi32(SIGNIFICAND + 1));
    let error = _mm512_mullo_epi32(whole, guess);
    let error = _mm512_add_epi32(error, _mm512_set1_epi32(1 << 10));
    let error = _mm512_cvtepi32_ps(_mm512_srai_epi32::<11>(error));
    // Powers of two change no digit: they are there before the error is.
    let guess = _mm512_mul_ps(_mm512_cvtepi32_ps(guess), back);
    let part = _mm512_mul_ps(guess, _mm512_set1_ps(1.0 / 68719476736.0));
    let guess = _mm512_mul_ps(guess, _mm512_set1_ps(1.0 / 4096.0));
    let r = _mm512_fnmadd_round_ps::<CUT>(part, error, guess);
    mix(i32::MAX, r, s)
}

/// The adder of the texture coordinates ([`super::asum3_plain`]), cut.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(crate) fn sum(a: __m512, b: __m512, c: __m512) -> __m512 {
    let top = larger_size(larger_size(a, b), c);
    let top = _mm512_max_ps(top, _mm512_set1_ps(SMALLEST));
    let (power, over) = powers(top, 23);
    let whole = |x: __m512| _mm512_cvttps_epi32(_mm512_mul_ps(x, over));
    let sum = _mm512_add_epi32(_mm512_add_epi32(whole(a), whole(b)), whole(c));
    let sum = _mm512_cvt_roundepi32_ps::<CUT>(sum);
    _mm512_mul_ps(sum, _mm512_mul_ps(power, _mm512_set1_ps(1.0 / 8388608.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::num;
    use crate::raster::shares::SHARE;
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
            // SAFETY: `lanes` asks for the instructions.
            let guess = |m| unsafe {
                let bits = _mm512_castps_si512(m);
                let fraction = _mm512_and_si512(bits, _mm512_set1_epi32(SIGNIFICAND));
                _mm512_cvtepi32_ps(guess12(fraction))
            };
            if let Some(got) = lanes(&m, guess) {
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
                let bits = match i % 4 {
                    0 => bits & !0x1ff | 0xff | bits & 1 << 8,
                    // What is rounded to the next power of two.
                    1 => bits | 0x7f_fe00,
                    _ => bits,
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
