//! The arithmetic with AVX-512 on float32, the chip's own format: instructions can round
//! toward zero. Numbers must be far from the limits of float32's range.

use crate::frag::{F, LANES};
use std::arch::x86_64::*;

/// Round toward zero: what the chip does with every result.
pub(crate) const CUT: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
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

/// The guess of 1/m ([`super::recip24`]) in units of 2^-12, for 1 ≤ m < 2.
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

/// The reciprocal of a weight sum ([`super::recip24`]) in units of a share.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn recip_share(s: __m512) -> __m512 {
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
