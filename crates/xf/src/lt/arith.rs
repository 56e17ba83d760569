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
    products(a, b, false)
}

/// Scalar unit: a × b. Overflow of the exponents alone gives infinity.
#[inline(always)]
pub fn smul<const N: usize>(a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    products(a, b, true)
}

#[inline(always)]
fn products<const N: usize>(a: &Lanes<N>, b: &Lanes<N>, scalar: bool) -> Lanes<N> {
    let mut r = [0; N];
    let mut odd = false;
    for i in 0..N {
        let (ea, eb) = (a[i] & INF, b[i] & INF);
        // Exponents that cannot leave their range, even with a carry.
        let usual = (ea + eb).wrapping_sub(0x80 << 23) < 0xfd << 23;
        let zero = ea.min(eb) == 0;
        odd |= !(usual | zero) | (ea.max(eb) == INF);
        // 24 of the product's 28 bits, which are exact in a single: the others are cut anyway.
        let p = (significand(a[i], true) * significand(b[i], true)) & !0xf;
        let p = (p as i32 as f32).to_bits() & !0x3ff;
        let scaled = p
            .wrapping_add(ea + eb)
            .wrapping_sub((0x7f + 0x7f + 26) << 23);
        r[i] = if zero {
            0
        } else {
            (a[i] ^ b[i]) & SIGN | scaled
        };
    }
    if odd { products_cold(a, b, scalar) } else { r }
}

#[cold]
#[inline(never)]
fn products_cold<const N: usize>(a: &Lanes<N>, b: &Lanes<N>, scalar: bool) -> Lanes<N> {
    let mut r = [0; N];
    for i in 0..N {
        r[i] = product(a[i], b[i], scalar);
    }
    r
}

/// The definition of both, every special case included.
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

/// Largest exponents of terms whose sums are far from both ends of what there is.
const FIRST: u32 = 40 << 23;
const LAST: u32 = 251 << 23;

/// Are the terms, of which this is the largest one's size, nothing special? None at all is fine.
#[inline(always)]
fn is_usual(size: u32) -> bool {
    (size.wrapping_sub(FIRST) <= LAST - FIRST) | (size == 0)
}

/// What makes terms whole numbers where the largest one's first bit counts 2^`bits`, and back.
#[inline(always)]
fn units(size: u32, bits: u32) -> (f32, f32) {
    let e = (size & INF).max(FIRST);
    (
        f32::from_bits(((2 * 0x7f + bits) << 23) - e),
        f32::from_bits(e - (bits << 23)),
    )
}

/// The whole part.
///
/// # Safety
/// It must be in range.
#[inline(always)]
unsafe fn whole(x: f32) -> i32 {
    // SAFETY: the caller's.
    unsafe { x.to_int_unchecked() }
}

/// A sum of at most 24 bits, cut to 14.
#[inline(always)]
fn cut(sum: i32, unit: f32) -> u32 {
    (f32::from_bits((sum as f32).to_bits() & !0x3ff) * unit).to_bits()
}

/// The sum of `K` in one step with `GUARD` bits below the significand, cut to 14 bits.
#[inline(always)]
fn sum<const K: usize, const GUARD: u32, const N: usize>(v: [&Lanes<N>; K]) -> Lanes<N> {
    let mut top = [0; N];
    let mut odd = false;
    for i in 0..N {
        for x in v {
            top[i] = (x[i] & !SIGN).max(top[i]);
        }
        odd |= !is_usual(top[i]);
    }
    if odd {
        return sum_cold::<K, GUARD, N>(v);
    }
    let mut r = [0; N];
    for i in 0..N {
        let (per_unit, unit) = units(top[i], 13 + GUARD);
        let mut acc = 0;
        for x in v {
            // SAFETY: no term is larger than the largest one, which is below 2^(14 + GUARD).
            acc += unsafe { whole(f32::from_bits(x[i]) * per_unit) };
        }
        r[i] = cut(acc, unit);
    }
    r
}

#[cold]
#[inline(never)]
fn sum_cold<const K: usize, const GUARD: u32, const N: usize>(v: [&Lanes<N>; K]) -> Lanes<N> {
    let mut r = [0; N];
    for i in 0..N {
        r[i] = sum_exact::<K, GUARD>(v.map(|x| x[i]));
    }
    r
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
    let (mut top, mut factor) = ([0; N], [0; N]);
    let mut odd = false;
    for i in 0..N {
        let Product { exponent, special } = Product::of(a[i], b[i]);
        top[i] = exponent.max(c[i] & !SIGN);
        odd |= special | !is_usual(top[i]);
        // What makes the significands' product one of units; 0 for one that is far below them.
        let by = (exponent + (0x77 << 23)).wrapping_sub(top[i] & INF) as i32;
        let by = if exponent == 0 { 0 } else { by.max(0) as u32 };
        factor[i] = by | (a[i] ^ b[i]) & SIGN;
    }
    if odd {
        return mad_cold([a, b, c]);
    }
    let mut r = [0; N];
    for i in 0..N {
        let (per_unit, unit) = units(top[i], 18);
        // 24 of the product's 28 bits are exact in a single; eight at least are cut.
        let p = (significand(a[i], true) * significand(b[i], true)) & !0xf;
        let p = p as i32 as f32 * f32::from_bits(factor[i]);
        // SAFETY: both are at most 2^20.
        let acc = unsafe { whole(p) + whole(f32::from_bits(c[i]) * per_unit) };
        r[i] = cut(acc, unit);
    }
    r
}

/// A product that goes whole into a sum.
struct Product {
    /// Its exponent before a carry, in place; 0 if it is none.
    exponent: u32,
    /// A factor is infinite or NaN.
    special: bool,
}

impl Product {
    #[inline(always)]
    fn of(a: u32, b: u32) -> Product {
        let (ea, eb) = (a & INF, b & INF);
        let exponent = (ea + eb).max(0x7f << 23) - (0x7f << 23);
        Product {
            exponent: if ea.min(eb) == 0 { 0 } else { exponent },
            special: ea.max(eb) == INF,
        }
    }
}

/// The sum in units of 2^-18 of the larger exponent, that exponent, and whether a
/// special value is among the operands.
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
fn mad_cold<const N: usize>(v: [&Lanes<N>; 3]) -> Lanes<N> {
    let mut r = [0; N];
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
    r
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
    let (mut top, mut down) = ([0; N], [0; N]);
    let mut odd = false;
    for i in 0..N {
        let Product { exponent, special } = Product::of(a[i], b[i]);
        top[i] = exponent.max(c[i] & !SIGN);
        odd |= special | !is_usual(top[i]);
        // Of significands nothing is left by 31.
        down[i] = (top[i] & INF).wrapping_sub(exponent) >> 23;
        down[i] = if exponent == 0 { 31 } else { down[i].min(31) };
    }
    if odd {
        return smad_cold([a, b, c]);
    }
    let mut r = [0; N];
    for i in 0..N {
        let (per_unit, _) = units(top[i], 13);
        let p = (significand(a[i], true) >> down[i]) * significand(b[i], true);
        // SAFETY: below 2^14.
        let f = unsafe { whole(f32::from_bits(c[i]) * per_unit) } << 13;
        let acc = signed(p, a[i] ^ b[i]) + f;
        // 29 bits are exact in a double; what is left of them is so in a single.
        let cut = f64::from_bits(f64::from(acc).to_bits() & !((1 << 39) - 1));
        let unit = f32::from_bits((top[i] & INF).max(FIRST) - (26 << 23));
        r[i] = (cut as f32 * unit).to_bits();
    }
    r
}

/// The sum in units of 2^-26 of the larger exponent, that exponent, and whether a
/// special value is among the operands.
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
fn smad_cold<const N: usize>(v: [&Lanes<N>; 3]) -> Lanes<N> {
    let mut r = [0; N];
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
    r
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
