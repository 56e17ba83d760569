//! Reciprocal and reciprocal square root: a first guess of seven bits and two Newton
//! steps. The hardware's tables of guesses are what the formulas below give, entry by
//! entry (a test has the tables); dividing is faster than looking up lane by lane.

use super::{INF, Lanes, NAN, Rules, SIGN, fraction, settle};

/// How a generation makes its guesses whole: Celsius (and LT) cut, later ones round.
const fn half(version: u8) -> f32 {
    if version >= 2 { 0.5 } else { 0.0 }
}

/// The middle of the 64th of the octave that a significand lies in: 64.5 … 127.5.
#[inline(always)]
fn middle(x: u32) -> f32 {
    f32::from_bits(0x4280_0000 | x & 0x7e_0000) + 0.5
}

/// The guess of 2^13 / the middle.
#[inline(always)]
pub fn guess_rcp(x: u32, version: u8) -> i32 {
    // SAFETY: within 64 … 128.
    unsafe { (8192.0 / middle(x) + half(version)).to_int_unchecked() }
}

/// The guess of 2^10 / √ of the middle, which is doubled where the exponent is even: the
/// bias is odd. It must fit in seven bits.
#[inline(always)]
pub fn guess_rsq(x: u32, version: u8) -> i32 {
    let m = middle(x) * if x >> 23 & 1 != 0 { 1.0 } else { 2.0 };
    // SAFETY: within 64 … 128.
    let guess: i32 = unsafe { (1024.0 / m.sqrt() + half(version)).to_int_unchecked() };
    guess.min(127)
}

/// 1 / |x| as exponent and fraction in one, the exponent unchecked (and so signed).
#[inline(always)]
fn quotient<const N: usize>(rules: Rules, x: &Lanes<N>) -> [i32; N] {
    let mut guess = [0; N];
    for i in 0..N {
        guess[i] = guess_rcp(x[i], rules.version());
    }
    settle(&mut guess);
    let mut r = [0; N];
    for i in 0..N {
        // Integers of at most 49 bits, which doubles hold exactly.
        let m = f64::from((fraction(x[i]) | 1 << 23) as i32);
        let s0 = f64::from(guess[i]);
        let s1 = ((1u64 << 31) as f64 - s0 * m) * s0 * (1.0 / (1u64 << 24) as f64);
        // SAFETY: (2^31 - s0 m) s0 is at most 2^60 / m, so this at most 2^13.
        let s1 = f64::from(unsafe { s1.to_int_unchecked::<i32>() });
        let s2 = ((1u64 << 37) as f64 - s1 * m) * s1 * (1.0 / (1u64 << 25) as f64);
        // SAFETY: likewise at most 2^24.
        let s2 = unsafe { s2.to_int_unchecked::<i32>() };
        // A power of two gives all ones; its quotient is exact, one up.
        let exact = (fraction(x[i]) == 0) as i32;
        let e = 0xfd - (x[i] >> 23 & 0xff) as i32;
        r[i] = (e << 23) + (s2 & 0x7f_ffff) + exact;
    }
    settle(&mut r);
    r
}

/// 1 / |x| rounded up, as [`quotient`] gives it.
#[inline(always)]
fn rounded_up<const N: usize>(x: &Lanes<N>) -> [i32; N] {
    let mut r = [0; N];
    for i in 0..N {
        let x = f32::from_bits(x[i] & !SIGN);
        let nearest = 1.0 / x;
        // The product of two singles is exact in a double.
        let below = f64::from(nearest) * f64::from(x) < 1.0;
        r[i] = nearest.to_bits() as i32 + i32::from(below);
    }
    r
}

/// 1 / x. Curie's is rounded up: products are cut, and still whole numbers that go into each
/// other give whole numbers (docs/accuracy/programs.md).
#[inline(always)]
pub fn rcp<const N: usize>(rules: Rules, x: &Lanes<N>) -> Lanes<N> {
    let q = if rules.version() >= 4 {
        rounded_up(x)
    } else {
        quotient(rules, x)
    };
    let mut r = [0; N];
    for i in 0..N {
        let finite = if q[i] < 1 << 23 { 0 } else { q[i] as u32 };
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
pub fn rcc<const N: usize>(rules: Rules, x: &Lanes<N>) -> Lanes<N> {
    const MIN: i32 = 0x3f << 23;
    const MAX: i32 = 0xbf << 23;
    let q = quotient(rules, x);
    let mut r = [0; N];
    for i in 0..N {
        // Celsius keeps the fraction at the limits; a result of exponent BFh is
        // at the limit too.
        let y = if rules.version() >= 2 {
            q[i].clamp(MIN, MAX)
        } else {
            (q[i] & !0x7f_ffff).clamp(MIN, MAX) | q[i] & 0x7f_ffff
        };
        let y = x[i] & SIGN | y as u32;
        r[i] = if x[i] & !SIGN > INF { NAN } else { y };
    }
    r
}

/// Two Newton steps from the guesses of [`rsq`].
#[inline(always)]
fn roots<const N: usize>(x: &Lanes<N>, guess: &[i32; N]) -> Lanes<N> {
    let (mut m, mut s1) = ([0.0; N], [0.0; N]);
    for i in 0..N {
        // Even (unbiased) powers of two leave 1 ≤ m < 2, odd ones 2 ≤ m < 4.
        let even = (x[i] >> 23 & 1) ^ 1;
        m[i] = f64::from(((fraction(x[i]) | 1 << 23) << even) as i32);
    }
    settle(&mut m);
    for i in 0..N {
        let s0 = f64::from(guess[i]);
        let s = ((3u64 << 37) as f64 - s0 * s0 * m[i]) * s0 * (1.0 / (1u64 << 32) as f64);
        // SAFETY: s0² m is near 2^37, so this below 2^15.
        s1[i] = f64::from(unsafe { s.to_int_unchecked::<i32>() });
    }
    settle(&mut s1);
    // The last product has 64 bits: upper and lower part of the first factor apart.
    const PART: f64 = (1u64 << 20) as f64;
    let (mut t, mut high) = ([0.0; N], [0.0; N]);
    for i in 0..N {
        t[i] = (3u64 << 49) as f64 - s1[i] * s1[i] * m[i];
        // SAFETY: below 3 × 2^29.
        high[i] = f64::from(unsafe { (t[i] * (1.0 / PART)).to_int_unchecked::<i32>() });
    }
    settle(&mut t);
    settle(&mut high);
    let mut s = [0; N];
    for i in 0..N {
        let low = (t[i] - high[i] * PART) * s1[i] * (1.0 / PART);
        // SAFETY: below s1.
        let low = f64::from(unsafe { low.to_int_unchecked::<i32>() });
        let s2 = (high[i] * s1[i] + low) * (1.0 / (1u64 << 19) as f64);
        // SAFETY: below 3 × 2^10 × s1.
        s[i] = unsafe { s2.to_int_unchecked::<i32>() } as u32;
    }
    s
}

/// 1 / √x. The zero-wins generations take |x|.
#[inline(always)]
pub fn rsq<const N: usize>(rules: Rules, x: &Lanes<N>) -> Lanes<N> {
    let mut guess = [0; N];
    for i in 0..N {
        guess[i] = guess_rsq(x[i], rules.version());
    }
    settle(&mut guess);
    let mut s = roots(x, &guess);
    settle(&mut s);
    // The rules as bits: choices among lanes alone become vectors.
    let late = (rules.version() >= 3) as u32;
    let signs = if rules.zero_wins() { 0 } else { SIGN };
    let mut r = [0; N];
    for i in 0..N {
        let odd = x[i] >> 23 & 1;
        let e = 0x7e - (((x[i] >> 23 & 0xff) as i32 - 0x80 + odd as i32) >> 1);
        let exact = late & odd & (fraction(x[i]) == 0) as u32;
        let keep = exact.wrapping_sub(1);
        let y = (e as u32 + exact) << 23 | fraction(s[i]) & keep;
        let sign = x[i] & signs;
        let y = if x[i] & !SIGN == INF { 0 } else { y };
        let y = if sign != 0 { NAN } else { y };
        let y = if x[i] & INF == 0 { sign | INF } else { y };
        r[i] = if x[i] & !SIGN > INF { NAN } else { y };
    }
    r
}
