//! LT's 22-bit arithmetic: float32 without the low ten fraction bits, kept left
//! aligned in a word.
//!
//! A vector unit (multiply, three-input add, dot product) and a scalar unit
//! (multiply, two-input add, reciprocal, reciprocal root) that differ in their
//! guard bits and special values.

use crate::xf::arith::{
    INF, Lanes, ONE, SIGN, exponent, fraction, guess_rcp, guess_rsq, is_inf, is_nan, map, rows,
    settle,
};

/// The NaN that the unit creates.
pub const NAN22: u32 = 0x7fff_fc00;
const MAX22: u32 = 0x7f7f_fc00;

/// float32 to 22 bits on the way into LT: rounds half up, but cuts where the
/// carry would have to run through eight ones.
#[inline(always)]
pub fn load(x: u32) -> u32 {
    let up = if x >> 10 & 0xff == 0xff { 0 } else { 0x200 };
    x.wrapping_add(up) & !0x3ff
}

/// [`load`] of a scalar constant on Celsius: no denormals, no signs on infinity
/// and NaN.
#[inline(always)]
pub fn load_scalar_celsius(x: u32) -> u32 {
    match exponent(x) {
        0 => 0,
        0xff if x >> 9 & 0x3fff != 0 => NAN22,
        0xff => INF,
        _ => load(x),
    }
}

/// Vector unit: a × b, cut to 14 bits.
#[inline(always)]
pub fn mul<const N: usize>(a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    let mut r = [0; N];
    for i in 0..N {
        r[i] = product(a[i], b[i], false);
    }
    r
}

/// Scalar unit: a × b. Overflow of the exponents alone gives infinity.
#[inline(always)]
pub fn smul<const N: usize>(a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    let mut r = [0; N];
    for i in 0..N {
        r[i] = product(a[i], b[i], true);
    }
    r
}

#[inline(always)]
fn product(a: u32, b: u32, scalar: bool) -> u32 {
    let (ea, eb) = (exponent(a), exponent(b));
    let sign = (a ^ b) & SIGN;
    let p = (a >> 10 & 0x1fff | 0x2000) * (b >> 10 & 0x1fff | 0x2000);
    let carry = p >> 27;
    let e0 = ea + eb - 0x7f;
    let e = e0 + carry as i32;
    let finite = sign | (e as u32) << 23 | (p >> (13 + carry) & 0x1fff) << 10;
    let nan = (a & !(SIGN | 0x3ff) > INF) | (b & !(SIGN | 0x3ff) > INF);
    let r = if e <= 0 { sign } else { finite };
    let r = if e >= 0xff { sign | MAX22 } else { r };
    let r = if scalar && e0 >= 0xff { sign | INF } else { r };
    let inf = if scalar { sign | INF } else { INF };
    let r = if (ea == 0xff) | (eb == 0xff) { inf } else { r };
    let r = if (ea == 0) | (eb == 0) { 0 } else { r };
    if nan { NAN22 } else { r }
}

/// The sum of `K` in one step with `GUARD` bits below the significand, cut to 14 bits.
#[inline(always)]
fn sum<const K: usize, const GUARD: u32, const N: usize>(v: [&Lanes<N>; K]) -> Lanes<N> {
    let mut r = [0; N];
    let mut odd = 0;
    for i in 0..N {
        let mut top = 0;
        for x in v {
            top = top.max(x[i] >> 23 & 0xff);
        }
        let mut acc = 0i32;
        for x in v {
            let e = x[i] >> 23 & 0xff;
            acc += signed(addend::<GUARD>(x[i]) >> (top - e).min(31), x[i]);
        }
        // Its bits are few enough to be exact in a single.
        let cut = f32::from_bits((acc as f32).to_bits() & !0x3ff);
        let scale = f32::from_bits(top.wrapping_sub(13 + GUARD) << 23);
        r[i] = (cut * scale).to_bits();
        odd |= (top > 252) as u32 | ((top < 40) & (acc != 0)) as u32;
        r[i] = if acc == 0 { 0 } else { r[i] };
    }
    if odd != 0 {
        sum_cold::<K, GUARD, N>(v, &mut r);
    }
    r
}

#[cold]
#[inline(never)]
fn sum_cold<const K: usize, const GUARD: u32, const N: usize>(v: [&Lanes<N>; K], r: &mut Lanes<N>) {
    for i in 0..N {
        r[i] = sum_exact::<K, GUARD>(v.map(|x| x[i]));
    }
}

/// The definition of [`sum`], every special case included. An infinite sum is
/// positive whatever went in.
fn sum_exact<const K: usize, const GUARD: u32>(v: [u32; K]) -> u32 {
    let plus = v.contains(&INF);
    let minus = v.contains(&(SIGN | INF));
    if v.iter().any(|&x| is_nan(x)) || plus && minus {
        return NAN22;
    }
    if plus || minus {
        return INF;
    }
    let top = v.iter().map(|&x| exponent(x)).max().unwrap_or(0);
    let mut acc = 0i32;
    for x in v {
        acc += signed(addend::<GUARD>(x) >> (top - exponent(x)).min(31), x);
    }
    assemble(acc, top + 18 - GUARD as i32)
}

/// A significand with `GUARD` bits below. Denormals are 0 in the scalar unit; the vector
/// unit takes them as they stand.
#[inline(always)]
fn addend<const GUARD: u32>(x: u32) -> u32 {
    let normal = exponent(x) != 0;
    if GUARD == 0 {
        return significand(x, normal);
    }
    let hidden = if normal { 0x2000 } else { 0 };
    (x >> 10 & 0x1fff | hidden) << GUARD
}

/// The 14 bits of a significand; 0 if the number is not `live`.
#[inline(always)]
fn significand(x: u32, live: bool) -> u32 {
    if live { x >> 10 & 0x1fff | 0x2000 } else { 0 }
}

/// `f` with the sign of `x`.
#[inline(always)]
fn signed(f: u32, x: u32) -> i32 {
    let s = (x as i32) >> 31;
    (f as i32 ^ s) - s
}

/// Guard bits of the vector unit's sums.
const VECTOR_GUARD: u32 = 5;

/// Vector unit: the sum of three in one step, five guard bits, cut to 14 bits.
#[inline(always)]
pub fn add3<const N: usize>(v: [&Lanes<N>; 3]) -> Lanes<N> {
    sum::<3, VECTOR_GUARD, N>(v)
}

/// A signed accumulator as 22-bit float, cut; `e` is the exponent of bit 31
/// (less one bit of headroom). Saturates above, flushes below.
fn assemble(acc: i32, e: i32) -> u32 {
    let m = acc.unsigned_abs();
    if m == 0 {
        return 0;
    }
    let up = m.leading_zeros();
    let e = e - up as i32;
    let sign = acc as u32 & SIGN;
    if e <= 0 {
        sign
    } else if e >= 0xff {
        sign | MAX22
    } else {
        sign | (e as u32) << 23 | (m << up >> 8 & 0x7f_fc00)
    }
}

/// Vector unit: a + b.
#[inline(always)]
pub fn add<const N: usize>(a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    sum::<2, VECTOR_GUARD, N>([a, b])
}

/// Kelvin's vector unit: a × b + c in one step; the product goes whole into the
/// sum, which has five guard bits and is cut to 14 bits.
#[inline(always)]
pub fn mad<const N: usize>(a: &Lanes<N>, b: &Lanes<N>, c: &Lanes<N>) -> Lanes<N> {
    let mut r = [0; N];
    let mut odd = 0;
    for i in 0..N {
        let (acc, top, special) = mad_sum(a[i], b[i], c[i]);
        // 21 bits are exact in a single.
        let cut = f32::from_bits((acc as f32).to_bits() & !0x3ff);
        let scale = f32::from_bits((top as u32).wrapping_sub(18) << 23);
        r[i] = (cut * scale).to_bits();
        odd |= special as u32 | (top > 251) as u32 | ((top < 40) & (acc != 0)) as u32;
        r[i] = if acc == 0 { 0 } else { r[i] };
    }
    if odd != 0 {
        mad_cold([a, b, c], &mut r);
    }
    r
}

/// The sum in units of 2^-18 of the larger exponent, that exponent, and whether a
/// special value is among the operands.
#[inline(always)]
fn mad_sum(a: u32, b: u32, c: u32) -> (i32, i32, bool) {
    let (ea, eb, ec) = (exponent(a), exponent(b), exponent(c));
    let ep = ea + eb - 0x7f;
    let live = (ea != 0) & (eb != 0) & (ep > 0);
    let ep = if live { ep } else { 0 };
    let top = ep.max(ec);
    let p = (significand(a, live) * significand(b, live)) >> (8 + top - ep).min(31);
    let f = significand(c, ec != 0) << 5 >> (top - ec).min(31);
    let special = (ea == 0xff) | (eb == 0xff) | (ec == 0xff) | (ep >= 0xff);
    (signed(p, a ^ b) + signed(f, c), top, special)
}

#[cold]
#[inline(never)]
fn mad_cold<const N: usize>(v: [&Lanes<N>; 3], r: &mut Lanes<N>) {
    for i in 0..N {
        let [a, b, c] = v.map(|x| x[i]);
        let (acc, top, special) = mad_sum(a, b, c);
        r[i] = if special {
            // A guess: special values are the separate steps'.
            sum_exact::<2, VECTOR_GUARD>([product(a, b, false), c])
        } else {
            assemble(acc, top + 13)
        };
    }
}

/// Vector unit: dot product.
#[inline(always)]
pub fn dp3<const N: usize>(a: [&Lanes<N>; 3], b: [&Lanes<N>; 3]) -> Lanes<N> {
    let p = rows!(3, |i| mul(a[i], b[i]));
    add3([&p[0], &p[1], &p[2]])
}

/// Scalar unit: a + b without guard bits. An infinite sum is positive.
#[inline(always)]
pub fn sadd<const N: usize>(a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    sum::<2, 0, N>([a, b])
}

/// Kelvin's scalar unit: a × b + c in one step. Where the product lies below `c`,
/// the significand of `a` is shifted right *before* it is multiplied, and what it
/// loses is lost; the product of what is left is exact. Where `c` lies below, it is
/// `c` that loses bits. The sum is cut to 14 bits.
#[inline(always)]
pub fn smad<const N: usize>(a: &Lanes<N>, b: &Lanes<N>, c: &Lanes<N>) -> Lanes<N> {
    let mut r = [0; N];
    let mut odd = 0;
    for i in 0..N {
        let (acc, top, special) = smad_sum(a[i], b[i], c[i]);
        // 29 bits are exact in a double; what is left of them is so in a single.
        let cut = f64::from_bits(f64::from(acc).to_bits() & !((1 << 39) - 1));
        let scale = f32::from_bits((top as u32).wrapping_sub(26) << 23);
        r[i] = (cut as f32 * scale).to_bits();
        odd |= special as u32 | (top > 251) as u32 | ((top < 40) & (acc != 0)) as u32;
        r[i] = if acc == 0 { 0 } else { r[i] };
    }
    if odd != 0 {
        smad_cold([a, b, c], &mut r);
    }
    r
}

/// The sum in units of 2^-26 of the larger exponent, that exponent, and whether a
/// special value is among the operands.
#[inline(always)]
fn smad_sum(a: u32, b: u32, c: u32) -> (i32, i32, bool) {
    let (ea, eb, ec) = (exponent(a), exponent(b), exponent(c));
    let ep = ea + eb - 0x7f;
    let special = (ea == 0xff) | (eb == 0xff) | (ec == 0xff) | (ep >= 0xff);
    let live = (ea != 0) & (eb != 0) & (ep > 0);
    let ep = if live { ep } else { 0 };
    let top = ep.max(ec);
    let fa = significand(a, live) >> (top - ep).min(31);
    let fc = significand(c, ec != 0) >> (top - ec).min(31);
    let acc = signed(fa * significand(b, true), a ^ b) + signed(fc << 13, c);
    (acc, top, special)
}

#[cold]
#[inline(never)]
fn smad_cold<const N: usize>(v: [&Lanes<N>; 3], r: &mut Lanes<N>) {
    for i in 0..N {
        let [a, b, c] = v.map(|x| x[i]);
        let (acc, top, special) = smad_sum(a, b, c);
        r[i] = if special {
            // A guess: special values are the separate steps' (Celsius').
            sum_exact::<2, 0>([product(a, b, true), c])
        } else {
            assemble(acc, top + 5)
        };
    }
}

/// 1 / x: a guess and one Newton step.
#[inline(always)]
pub fn rcp<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    let mut guess = [0; N];
    for i in 0..N {
        guess[i] = guess_rcp(x[i], 1) as u32;
    }
    settle(&mut guess);
    let mut f = [0; N];
    for i in 0..N {
        let m = fraction(x[i]) >> 10 | 0x2000;
        let s1 = (((1 << 21) - guess[i] * m) * guess[i]) >> 14;
        f[i] = fraction(s1 << 11);
    }
    // The step is cheap in vectors; only some lanes would take it in their turn otherwise.
    settle(&mut f);
    let mut r = [0; N];
    for i in 0..N {
        let e = 0xfd - exponent(x[i]);
        let y = if e <= 0 { 0 } else { (e as u32) << 23 | f[i] };
        let y = if x[i] & !SIGN == INF {
            0
        } else {
            x[i] & SIGN | y
        };
        let y = if x[i] & INF == 0 { INF } else { y };
        r[i] = if x[i] & !SIGN > INF { NAN22 } else { y };
    }
    settle(&mut r);
    r
}

/// 1 / √x, the guess alone; seven bits. Negative operands and zero give
/// infinity.
#[inline(always)]
pub fn rsqrt<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| {
        if is_nan(x) {
            return NAN22;
        }
        if exponent(x) == 0 || x & SIGN != 0 {
            return INF;
        }
        if is_inf(x) {
            return 0;
        }
        let odd = x >> 23 & 1;
        let e = 0x7e - ((exponent(x) - 0x80 + odd as i32) >> 1);
        (e as u32) << 23 | fraction((guess_rsq(x, 1) as u32) << 17)
    })
}

/// Holds a value within 0 … 1.
#[inline(always)]
pub fn clamp01<const N: usize>(x: &Lanes<N>) -> Lanes<N> {
    map(x, |x| if x & SIGN != 0 { 0 } else { x.min(ONE) })
}
