//! Reciprocal and reciprocal square root: a table and two Newton steps.

use super::tables::{RCP_V1, RCP_V2, RSQ_V1, RSQ_V2};
use super::{INF, Lanes, NAN, Rules, SIGN, exponent, fraction, is_inf, is_nan, map};

/// The reciprocal of a significand 1.f, less its leading one, for `f` ≠ 0.
/// The exponent goes down by one.
#[inline(always)]
fn rcp_fraction(lut: &[u8; 64], f: u32) -> u32 {
    // All intermediate values stay below 2^53: doubles are exact and vectorise.
    let x = (f | 1 << 23) as f64;
    let s0 = lut[(f >> 17 & 0x3f) as usize] as f64;
    let s1 = shift_down::<24>(((1u64 << 31) as f64 - s0 * x) * s0);
    let s2 = shift_down::<25>(((1u64 << 37) as f64 - s1 * x) * s1);
    (s2 as i32 - (1 << 23)) as u32
}

/// floor(x / 2^S) of a non-negative whole number below 2^53.
#[inline(always)]
fn shift_down<const S: i32>(x: f64) -> f64 {
    f64::from((x * f64::from_bits(((1023 - S) as u64) << 52)) as i32)
}

#[inline(always)]
fn lut<R: Rules>() -> &'static [u8; 64] {
    if R::VERSION >= 2 { &RCP_V2 } else { &RCP_V1 }
}

/// 1 / x.
#[inline(always)]
pub fn rcp<R: Rules, const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| {
        if is_nan(x) {
            return NAN;
        }
        if exponent(x) == 0 {
            return x & SIGN | INF;
        }
        let (e, f) = quotient::<R>(x);
        x & SIGN | if e <= 0 { 0 } else { (e as u32) << 23 | f }
    })
}

/// 1 / x with the magnitude held within 2^-64 … 2^64, as the perspective
/// division uses it.
#[inline(always)]
pub fn rcc<R: Rules, const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| {
        let (e, f) = quotient::<R>(x);
        let held = e.clamp(0x3f, 0xbf);
        // Celsius keeps the fraction at the limits; a result of exponent BFh is
        // at the limit too.
        let f = if R::VERSION >= 2 && (e < 0x3f || e >= 0xbf) {
            0
        } else {
            f
        };
        let r = x & SIGN | (held as u32) << 23 | f;
        if is_nan(x) { NAN } else { r }
    })
}

#[inline(always)]
fn quotient<R: Rules>(x: u32) -> (i32, u32) {
    let f = fraction(x);
    if f == 0 {
        (0xfe - exponent(x), 0)
    } else {
        (0xfd - exponent(x), rcp_fraction(lut::<R>(), f))
    }
}

/// 1 / √x. The zero-wins generations take |x|.
#[inline(always)]
pub fn rsq<R: Rules, const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, rsq_one::<R>)
}

#[inline(always)]
fn rsq_one<R: Rules>(x: u32) -> u32 {
    let sign = if R::ZERO_WINS { 0 } else { x & SIGN };
    if is_nan(x) {
        return NAN;
    }
    if exponent(x) == 0 {
        return sign | INF;
    }
    if sign != 0 {
        return NAN;
    }
    if is_inf(x) {
        return 0;
    }
    let odd = x >> 23 & 1;
    // Even (unbiased) powers of two leave 1 ≤ m < 2, odd ones 2 ≤ m < 4.
    let e = 0x7e - ((exponent(x) - 0x80 + odd as i32) >> 1);
    if R::VERSION >= 3 && odd == 1 && fraction(x) == 0 {
        return ((e + 1) as u32) << 23;
    }
    let index = (fraction(x) >> 17 | (odd ^ 1) << 6) as usize;
    let lut = if R::VERSION >= 2 { &RSQ_V2 } else { &RSQ_V1 };
    let m = u64::from((fraction(x) | 1 << 23) << (odd ^ 1));
    let s0 = u64::from(lut[index]);
    let s1 = ((3 << 37) - s0 * s0 * m) * s0 >> 32;
    let s2 = ((3u64 << 49).wrapping_sub(s1 * s1 * m)).wrapping_mul(s1) >> 39;
    (e as u32) << 23 | fraction(s2 as u32)
}
