//! Rankine's LG2, EX2, SIN, COS (a quadratic table interpolator) and FLR, FRC.

use super::tables::{EX2, LG2, SINCOS, TURN};
use super::{INF, Lanes, NAN, ONE, Rules, SIGN, add, exponent, fraction, is_inf, is_nan, map, neg};

/// The square unit: x² / 2^14 from a truncated array with rounded partial products.
#[inline(always)]
fn square(x: i32) -> i32 {
    let h = x >> 7;
    let mut r = h * h;
    if x & 1 << 6 != 0 {
        r += h;
    }
    for i in 0..6 {
        if x & 1 << i != 0 {
            r += (x + (1 << (12 - i))) >> (13 - i);
        }
    }
    r
}

#[inline(always)]
fn shifted(x: i32, by: i32) -> i64 {
    if by >= 0 {
        i64::from(x) << by
    } else {
        i64::from((x + (1 << (-by - 1))) >> -by)
    }
}

/// The slope multiplier: radix-4 Booth, each partial product rounded by itself.
#[inline(always)]
fn booth(c: u32, x: i32) -> i64 {
    let mut digits = c << 1;
    let mut by = -14;
    let mut r = 0;
    while digits != 0 {
        r += match digits & 7 {
            1 | 2 => shifted(x, by),
            3 => shifted(x, by + 1),
            4 => -shifted(x, by + 1),
            5 | 6 => -shifted(x, by),
            _ => 0,
        };
        digits >>= 2;
        by += 2;
    }
    r
}

/// Quadratic interpolation around the nearest of 65 nodes; 38 fraction bits.
/// `concave` subtracts the square term.
#[inline(always)]
fn interpolate(lut: &[[u32; 3]; 65], x: u32, concave: bool) -> i64 {
    let t = x >> 16;
    let node = (t + 1) >> 1;
    let dx = (x & 0xffff) as i32 - if t & 1 != 0 { 0x1_0000 } else { 0 };
    let [c0, c1, c2] = lut[node as usize];
    let sq = square(dx);
    let line = (i64::from(c0) << 15) + (booth(c1, dx) << 6);
    let quad = i64::from(c2) * i64::from(sq);
    if concave {
        line - ((quad + i64::from((sq - 0x400) >> 12) + 0x20) >> 5)
    } else {
        line + (quad >> 5)
    }
}

/// A positive fixed-point number as float, cut.
#[inline(always)]
fn to_float(x: i64, fraction_bits: i32) -> u32 {
    let up = x.leading_zeros();
    let e = 0x7f + 63 - fraction_bits - up as i32;
    (e as u32) << 23 | fraction((x << up >> 40) as u32)
}

/// log2 x.
#[inline(always)]
pub fn lg2<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| {
        if exponent(x) == 0 {
            return SIGN | INF;
        }
        if is_nan(x) || x & SIGN != 0 {
            return NAN;
        }
        if is_inf(x) {
            return INF;
        }
        let l = interpolate(&LG2, fraction(x), true) + (i64::from(exponent(x) - 0x7f) << 38);
        let (sign, l) = if l < 0 { (SIGN, !l) } else { (0, l) };
        if l == 0 { 0 } else { sign | to_float(l, 38) }
    })
}

/// 2^x.
#[inline(always)]
pub fn ex2<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| {
        let e = exponent(x);
        if is_nan(x) {
            return NAN;
        }
        if e < 0x46 {
            return ONE;
        }
        if e >= 0x86 {
            return if x & SIGN != 0 { 0 } else { INF };
        }
        let m = i64::from(fraction(x) | 1 << 23);
        let t = if e > 0x7f {
            m << (e - 0x7f)
        } else {
            m >> (0x7f - e)
        };
        let t = if x & SIGN != 0 { !t } else { t };
        let f = interpolate(&EX2, t as u32 & 0x7f_ffff, false) >> 15;
        let e = 0x7f + (t >> 23);
        if e <= 0 {
            0
        } else {
            (e as u32) << 23 | f as u32
        }
    })
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
    sign | to_float(interpolate(&SINCOS, t, true), 38)
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
