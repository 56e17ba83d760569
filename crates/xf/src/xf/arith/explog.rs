//! EXP, LOG and LIT: linear interpolation in 32-segment tables.

use super::tables::{EXP_BASE, EXP_SLOPE, LOG_BASE, LOG_SLOPE};
use super::{INF, Lanes, NAN, ONE, Rules, SIGN, exponent, fraction, is_inf, is_nan, map};

/// Float to fixed point with 13 fraction bits, rounded down; saturates.
#[inline(always)]
pub fn pre_exp(x: u32) -> i32 {
    let e = exponent(x);
    if is_nan(x) {
        return i32::MAX;
    }
    if e >= 0x7f + 18 {
        return if x & SIGN != 0 { i32::MIN } else { i32::MAX };
    }
    if e < 0x7f - 23 {
        return 0;
    }
    let f = u64::from(fraction(x) | 1 << 23) << 8;
    let shift = 0x7f + 18 - e;
    if x & SIGN != 0 {
        -((f.div_ceil(1 << shift)) as i32)
    } else {
        (f >> shift) as i32
    }
}

/// 2^(x / 2^13).
#[inline(always)]
fn exp_core(x: i32) -> u32 {
    let floor = x >> 13;
    if floor <= -0x7f {
        return 0;
    }
    if floor >= 0x80 {
        return INF;
    }
    let h = (x >> 8 & 0x1f) as usize;
    let f = (u32::from(EXP_BASE[h]) << 8) + u32::from(EXP_SLOPE[h]) * (x as u32 & 0xff);
    ((floor + 0x7f) as u32) << 23 | f << 1
}

/// EXP.x: 2 to the whole part.
#[inline(always)]
pub fn exp_flr<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| exp_core(pre_exp(x) & !0x1fff))
}

/// EXP.y: the fractional part, exact.
#[inline(always)]
pub fn exp_frc<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| {
        let e = exponent(x);
        let negative = x & SIGN != 0;
        if is_nan(x) {
            return x;
        }
        if e == 0 || e >= 0x7f + 23 {
            return 0;
        }
        if !negative && e < 0x7f {
            return x;
        }
        if e < 0x7f - 23 {
            return ONE;
        }
        let f = fraction(x) | 1 << 23;
        // As fixed point with 23 bits below the binary point of 2^e, or of 1.
        let (f, e) = if e < 0x7f {
            (f.div_ceil(1 << (0x7f - e)), 0x7f)
        } else {
            (f, e)
        };
        let f = if negative { f.wrapping_neg() } else { f };
        let f = f & ((1 << (0x7f + 23 - e)) - 1);
        if f == 0 {
            return 0;
        }
        let up = f.leading_zeros() - 8;
        ((e - up as i32) as u32) << 23 | fraction(f << up)
    })
}

/// EXP.z: the approximation of 2^x.
#[inline(always)]
pub fn exp<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| if is_nan(x) { NAN } else { exp_core(pre_exp(x)) })
}

/// What LOG gives for operands that have no ordinary logarithm.
#[inline(always)]
fn log_special(rules: Rules, x: u32) -> Option<u32> {
    if !rules.zero_wins() && x & SIGN != 0 {
        Some(NAN)
    } else if is_nan(x) {
        // Kelvin passes the payload.
        Some(if rules.version() < 3 { x & !SIGN } else { NAN })
    } else {
        None
    }
}

/// LOG.x: the exponent.
#[inline(always)]
pub fn log_e<const N: usize>(rules: Rules, x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| match (log_special(rules, x), exponent(x)) {
        (Some(r), _) => r,
        (_, 0) => SIGN | INF,
        (_, 0xff) => INF,
        (_, e) => ((e - 0x7f) as f32).to_bits(),
    })
}

/// LOG.y: the significand.
#[inline(always)]
pub fn log_f<const N: usize>(rules: Rules, x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| match (log_special(rules, x), exponent(x)) {
        (Some(r), _) => r,
        (_, 0) => ONE,
        _ => ONE | fraction(x),
    })
}

/// log2 with 26 fraction bits.
#[inline(always)]
fn log_core(x: u32) -> i64 {
    let h = (x >> 18 & 0x1f) as usize;
    let f = (LOG_BASE[h] << 8) + u32::from(LOG_SLOPE[h]) * (x >> 10 & 0xff);
    i64::from(f) + (i64::from(exponent(x) - 0x7f) << 26)
}

/// LOG.z: the approximation of log2.
#[inline(always)]
pub fn log<const N: usize>(rules: Rules, x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| match (log_special(rules, x), exponent(x)) {
        (Some(r), _) => r,
        (_, 0) => SIGN | INF,
        (_, 0xff) => INF,
        _ => {
            let l = log_core(x);
            if l == 0 {
                return 0;
            }
            let m = l.unsigned_abs();
            let up = m.leading_zeros();
            let f = (m << up >> 40) as u32;
            let e = 0x7f + 63 - 26 - up as i32;
            ((l < 0) as u32) << 31 | (e as u32) << 23 | fraction(f)
        }
    })
}

/// LIT: (1, max(x, 0), specular, 1) from x, y and w.
#[inline(always)]
pub fn lit<const N: usize>(x: &Lanes<N>, y: &Lanes<N>, w: &Lanes<N>) -> [Lanes<N>; 4] {
    let diffuse = map(x, |x| if x & SIGN != 0 { 0 } else { x });
    let mut specular = [0; N];
    for i in 0..N {
        specular[i] = lit_specular(x[i], y[i], w[i]);
    }
    [[ONE; N], diffuse, specular, [ONE; N]]
}

#[inline(always)]
fn lit_specular(x: u32, y: u32, w: u32) -> u32 {
    if x & SIGN != 0 || exponent(x) == 0 {
        return 0;
    }
    if exponent(w) == 0 {
        return ONE;
    }
    if is_nan(y) || is_nan(w) {
        return NAN;
    }
    let inverse = w & SIGN != 0;
    if y & SIGN != 0 || exponent(y) == 0 {
        return if inverse { INF } else { 0 };
    }
    if is_inf(y) {
        return if inverse { 0 } else { INF };
    }
    let power = i64::from(pre_exp(w).clamp(-0x10_0000, 0xf_ffff));
    let x = (log_core(y) * power) >> 26;
    match i32::try_from(x) {
        Ok(x) => exp_core(x),
        Err(_) if x < 0 => 0,
        Err(_) => INF,
    }
}
