//! Reciprocal and reciprocal square root: a table and two Newton steps.

use super::tables::{RCP_V1, RCP_V2, RSQ_V1, RSQ_V2};
use super::{INF, Lanes, NAN, Rules, SIGN, fraction};

/// Table entries by index, one scalar load per lane; what follows is vector code.
#[inline(always)]
pub(crate) fn look_up<const N: usize>(lut: &[u8], index: &Lanes<N>) -> Lanes<N> {
    let mut r = [0; N];
    for i in 0..N {
        r[i] = u32::from(lut[index[i] as usize % lut.len()]);
    }
    r
}

/// Exponent and fraction of 1 / |x|, the exponent unchecked.
#[inline(always)]
fn quotient<R: Rules, const N: usize>(x: &Lanes<N>) -> ([i32; N], Lanes<N>) {
    let mut index = [0; N];
    for i in 0..N {
        index[i] = x[i] >> 17 & 0x3f;
    }
    let guess = look_up(if R::VERSION >= 2 { &RCP_V2 } else { &RCP_V1 }, &index);
    let (mut e, mut f) = ([0; N], [0; N]);
    for i in 0..N {
        let m = u64::from(fraction(x[i]) | 1 << 23);
        let s0 = u64::from(guess[i]);
        let s1 = (((1 << 31) - s0 * m) * s0) >> 24;
        let s2 = (((1 << 37) - s1 * m) * s1) >> 25;
        let exact = fraction(x[i]) == 0;
        f[i] = if exact { 0 } else { fraction(s2 as u32) };
        e[i] = 0xfd + exact as i32 - (x[i] >> 23 & 0xff) as i32;
    }
    (e, f)
}

/// 1 / x.
#[inline(always)]
pub fn rcp<R: Rules, const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    let (e, f) = quotient::<R, N>(x);
    let mut r = [0; N];
    for i in 0..N {
        let finite = if e[i] <= 0 {
            0
        } else {
            (e[i] as u32) << 23 | f[i]
        };
        let y = if x[i] & INF == 0 { INF } else { finite };
        r[i] = if x[i] & !SIGN > INF {
            NAN
        } else {
            x[i] & SIGN | y
        };
    }
    r
}

/// 1 / x with the magnitude held within 2^-64 … 2^64, as the perspective
/// division uses it.
#[inline(always)]
pub fn rcc<R: Rules, const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    let (e, f) = quotient::<R, N>(x);
    let mut r = [0; N];
    for i in 0..N {
        // Celsius keeps the fraction at the limits; a result of exponent BFh is
        // at the limit too.
        let limit = (e[i] < 0x3f) | (e[i] >= 0xbf);
        let f = if (R::VERSION >= 2) & limit { 0 } else { f[i] };
        let y = x[i] & SIGN | (e[i].clamp(0x3f, 0xbf) as u32) << 23 | f;
        r[i] = if x[i] & !SIGN > INF { NAN } else { y };
    }
    r
}

/// 1 / √x. The zero-wins generations take |x|.
#[inline(always)]
pub fn rsq<R: Rules, const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    let mut index = [0; N];
    for i in 0..N {
        // Even (unbiased) powers of two leave 1 ≤ m < 2, odd ones 2 ≤ m < 4.
        index[i] = (x[i] >> 17 & 0x7f) ^ 0x40;
    }
    let guess = look_up(if R::VERSION >= 2 { &RSQ_V2 } else { &RSQ_V1 }, &index);
    let mut r = [0; N];
    for i in 0..N {
        let odd = x[i] >> 23 & 1;
        let e = 0x7e - (((x[i] >> 23 & 0xff) as i32 - 0x80 + odd as i32) >> 1);
        let m = u64::from((fraction(x[i]) | 1 << 23) << (odd ^ 1));
        let s0 = u64::from(guess[i]);
        let s1 = (((3 << 37) - s0 * s0 * m) * s0) >> 32;
        // The last step needs 64 bits; s1 has 14, so the square takes a 32-bit
        // multiplier and the rest a 64-bit one.
        let s2 = (3u64 << 49).wrapping_sub(s1 * s1 * m).wrapping_mul(s1) >> 39;
        let exact = (R::VERSION >= 3) & (odd == 1) & (fraction(x[i]) == 0);
        let y = ((e + exact as i32) as u32) << 23 | if exact { 0 } else { fraction(s2 as u32) };
        let sign = if R::ZERO_WINS { 0 } else { x[i] & SIGN };
        let y = if x[i] & !SIGN == INF { 0 } else { y };
        let y = if sign != 0 { NAN } else { y };
        let y = if x[i] & INF == 0 { sign | INF } else { y };
        r[i] = if x[i] & !SIGN > INF { NAN } else { y };
    }
    r
}
