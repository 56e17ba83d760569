//! Rankine's LG2, EX2, SIN, COS (a quadratic table interpolator) and FLR, FRC.

use super::tables::{EX2, LG2, SINCOS, TURN};
use super::{
    INF, Lanes, NAN, ONE, Rules, SIGN, add, exponent, fraction, is_inf, is_nan, map, neg, settle,
};

/// The square unit: x² / 2^14 from a truncated array with rounded partial products.
#[inline(always)]
fn square(x: i32) -> i32 {
    // No branches: all bits where the digit is 1, none where it is 0.
    let digit = |i: i32| -(x >> i & 1);
    let h = x >> 7;
    let mut r = h * h + (h & digit(6));
    for i in 0..6 {
        r += ((x + (1 << (12 - i))) >> (13 - i)) & digit(i);
    }
    r
}

#[inline(always)]
fn shifted(x: i32, by: i32) -> i32 {
    if by >= 0 {
        x << by
    } else {
        (x + (1 << (-by - 1))) >> -by
    }
}

/// Digits of a slope, which has 24 bits, in radix 4.
const DIGITS: i32 = 13;

/// The slope multiplier: radix-4 Booth, each partial product rounded by itself.
#[inline(always)]
fn booth(c: u32, x: i32) -> i32 {
    let mut r = 0;
    for digit in 0..DIGITS {
        let by = 2 * digit - 14;
        let three = c << 1 >> (2 * digit) & 7;
        let double = (three == 3) | (three == 4);
        let none = (three == 0) | (three == 7);
        let part = if double {
            shifted(x, by + 1)
        } else {
            shifted(x, by)
        };
        let part = if none { 0 } else { part };
        r += if three >= 4 { -part } else { part };
    }
    r
}

/// Quadratic interpolation around the nearest of 65 nodes; 38 fraction bits.
/// `concave` subtracts the square term. Loops that become vector code.
#[inline(always)]
fn interpolate<const N: usize>(lut: &[[u32; 3]; 65], x: &[u32; N], concave: bool) -> [i64; N] {
    let (mut c0, mut c1, mut c2) = ([0; N], [0; N], [0; N]);
    let (mut dx, mut sq) = ([0; N], [0; N]);
    for i in 0..N {
        let t = fraction(x[i]) >> 16;
        [c0[i], c1[i], c2[i]] = lut[(t as usize + 1) >> 1];
        dx[i] = (x[i] & 0xffff) as i32 - ((t & 1) << 16) as i32;
    }
    settle(&mut dx);
    for i in 0..N {
        sq[i] = square(dx[i]);
    }
    settle(&mut sq);
    let mut slope = [0; N];
    for i in 0..N {
        slope[i] = booth(c1[i], dx[i]);
    }
    settle(&mut slope);
    let mut out = [0; N];
    for i in 0..N {
        let line = (i64::from(c0[i]) << 15) + (i64::from(slope[i]) << 6);
        let quad = i64::from(c2[i]) * i64::from(sq[i]);
        out[i] = if concave {
            line - ((quad + i64::from((sq[i] - 0x400) >> 12) + 0x20) >> 5)
        } else {
            line + (quad >> 5)
        };
    }
    settle(&mut out);
    out
}

/// A positive fixed-point number below 2^53 as float, cut. A double holds it.
#[inline(always)]
fn to_float(x: i64, fraction_bits: i32) -> u32 {
    let wide = (x as f64).to_bits();
    let e = (wide >> 52) as i32 - 1023 + 0x7f - fraction_bits;
    (e as u32) << 23 | fraction((wide >> 29) as u32)
}

/// log2 x.
#[inline(always)]
pub fn lg2<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    let parts = interpolate(&LG2, x, true);
    let mut floats = [0; N];
    for i in 0..N {
        let l = parts[i] + (i64::from(exponent(x[i]) - 0x7f) << 38);
        // All ones below zero.
        let below = l >> 63;
        let l = l ^ below;
        let float = below as u32 & SIGN | to_float(l, 38);
        floats[i] = if l == 0 { 0 } else { float };
    }
    settle(&mut floats);
    let mut r = [0; N];
    for i in 0..N {
        let float = floats[i];
        let float = if is_inf(x[i]) { INF } else { float };
        let nothing = is_nan(x[i]) | (x[i] & SIGN != 0);
        let float = if nothing { NAN } else { float };
        r[i] = if exponent(x[i]) == 0 {
            SIGN | INF
        } else {
            float
        };
    }
    r
}

/// 2^x.
#[inline(always)]
pub fn ex2<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    let (mut whole, mut rest) = ([0; N], [0; N]);
    for i in 0..N {
        let e = exponent(x[i]);
        let m = (fraction(x[i]) | 1 << 23) as i32;
        // Both shifts, one of them by nothing.
        let t = m << (e - 0x7f).clamp(0, 7) >> (0x7f - e).clamp(0, 31);
        let t = if x[i] & SIGN != 0 { !t } else { t };
        (whole[i], rest[i]) = (t >> 23, fraction(t as u32));
    }
    settle(&mut whole);
    settle(&mut rest);
    let parts = interpolate(&EX2, &rest, false);
    let mut fractions = [0; N];
    for i in 0..N {
        fractions[i] = (parts[i] >> 15) as u32;
    }
    settle(&mut fractions);
    let mut r = [0; N];
    for i in 0..N {
        let (e, power) = (exponent(x[i]), 0x7f + whole[i]);
        let float = (power as u32) << 23 | fractions[i];
        let float = if power <= 0 { 0 } else { float };
        let end = if x[i] & SIGN != 0 { 0 } else { INF };
        let float = if e >= 0x86 { end } else { float };
        let float = if e < 0x46 { ONE } else { float };
        r[i] = if is_nan(x[i]) { NAN } else { float };
    }
    r
}

/// sin x, x in radians.
#[inline(always)]
pub fn sin<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| sincos(x, false))
}

/// cos x, x in radians.
#[inline(always)]
pub fn cos<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| sincos(x, true))
}

#[inline(always)]
fn sincos(x: u32, cos: bool) -> u32 {
    let e = exponent(x);
    match (e, cos) {
        (0xff, _) => return NAN,
        (..0x60, false) => return 0,
        (..0x70, true) => return ONE,
        _ => {}
    }
    // The range reduction wraps at these exponents instead of ending.
    let shift = match e {
        ..0x63 => e - 0x62,
        0x63..0xa2 => e - 0x82,
        0xa2..0xc2 => e - 0xa2,
        0xc2..0xe2 => e - 0xc2,
        _ => e - 0xe2,
    };
    let mut turns = 0x2_8be6_0db8u64;
    for (i, part) in TURN.iter().enumerate() {
        if x & 1 << i != 0 {
            turns += part;
        }
    }
    turns >>= 8;
    let turns = if shift > 0 {
        turns << shift
    } else {
        turns >> -shift
    };
    let turns = if x & SIGN != 0 { !turns } else { turns };
    let turns = turns.wrapping_add(u64::from(cos) << 23);
    // Bit 24 is the half turn, bit 23 the falling quarter.
    let t = if turns & 1 << 23 != 0 { !turns } else { turns } as u32 & 0x7f_ffff;
    let sign = (turns as u32 >> 24 & 1) << 31;
    let [sine] = interpolate(&SINCOS, &[t], true);
    sign | to_float(sine, 38)
}

/// The largest whole number not above x.
#[inline(always)]
pub fn flr<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| {
        let e = exponent(x);
        if e == 0 {
            return 0;
        }
        if is_nan(x) {
            return NAN;
        }
        if e >= 0x7f + 23 {
            return x;
        }
        if e < 0x7f {
            return if x & SIGN != 0 { SIGN | ONE } else { 0 };
        }
        let unit = 1u32 << (0x7f + 23 - e);
        // A carry out of the fraction goes into the exponent, as it should.
        let up = if x & SIGN != 0 { unit - 1 } else { 0 };
        (x + up) & !(unit - 1)
    })
}

/// x less its floor, by the adder.
#[inline(always)]
pub fn frc<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    add(Rules::Rankine, x, &neg(flr(x)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_lanes::Random;

    /// The slope multiplier digit by digit.
    fn digit_by_digit(c: u32, x: i32) -> i64 {
        let part = |by: i32| match by {
            0.. => i64::from(x) << by,
            _ => i64::from((x + (1 << (-by - 1))) >> -by),
        };
        let (mut digits, mut by, mut r) = (c << 1, -14, 0);
        while digits != 0 {
            r += match digits & 7 {
                1 | 2 => part(by),
                3 => part(by + 1),
                4 => -part(by + 1),
                5 | 6 => -part(by),
                _ => 0,
            };
            digits >>= 2;
            by += 2;
        }
        r
    }

    #[test]
    fn slopes_are_multiplied_digit_by_digit() {
        let mut random = Random::new(3);
        for _ in 0..200_000 {
            let c = random.next_u32() >> (8 + random.below(16));
            let x = random.below(0x2_0001) as i32 - 0x1_0000;
            assert_eq!(i64::from(booth(c, x)), digit_by_digit(c, x), "{c:x} {x}");
        }
    }

    /// A fixed-point number as float by its leading zeros.
    #[test]
    fn floats_are_cut() {
        let mut random = Random::new(4);
        for _ in 0..200_000 {
            let x = i64::from(random.next_u32()) << 16 >> random.below(40) | 1;
            let up = x.leading_zeros();
            let e = 0x7f + 63 - 38 - up as i32;
            let want = (e as u32) << 23 | fraction((x << up >> 40) as u32);
            assert_eq!(to_float(x, 38), want, "{x:x}");
        }
    }

    /// Powers of whole numbers are one off: the table begins with 1, and a number below zero is
    /// taken as a complement.
    #[test]
    fn ends_of_the_range() {
        let inf = SIGN | INF;
        for (x, log, power) in [
            (0, inf, ONE),
            (SIGN, inf, ONE),
            (1, inf, ONE),
            (ONE, 0, 0x4000_0001),
            (SIGN | ONE, NAN, 0x3eff_ffff),
            (INF, INF, INF),
            (inf, NAN, 0),
            (NAN, NAN, NAN),
            (0x4300_0000, 0x40e0_0000, INF),
            (0xc300_0000, NAN, 0),
            (0x42fc_0000, 0x40df_45de, 0x7e80_0001),
            (0xc2fc_0000, NAN, 0),
        ] {
            assert_eq!(ex2(&[x; 3]), [power; 3], "{x:x}");
            let [got, ..] = lg2(&[x; 3]);
            assert!(got.abs_diff(log) < 0x100, "{x:x} {got:x}");
        }
    }
}
