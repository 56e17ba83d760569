//! The multipliers and the adder behind them.
//!
//! The adder is a true 2- to 4-input one: all operands are aligned to the
//! largest exponent with five guard bits below the significand, cut there
//! toward zero, added exactly, and the sum is cut to 24 bits. A dot product is
//! that sum over rounded products, a MAD likewise.

use super::{
    INF, Lanes, MAX, NAN, ONE, Rules, SIGN, exponent, finish, fraction, is_inf, is_nan, rows, splat,
};

/// Cuts a double to float32's 24 significant bits, toward zero.
#[inline(always)]
fn cut24(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !((1 << 29) - 1))
}

/// a × b, product cut to 24 bits.
#[inline(always)]
pub fn mul<R: Rules, const N: usize>(a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    let mut r = [0; N];
    let mut odd = 0;
    for i in 0..N {
        // 24 × 24 bits are exact in a double, and the cut product is exact in a
        // single unless it leaves the range, which shows in its exponent.
        let p = f32::from_bits(a[i]) as f64 * f32::from_bits(b[i]) as f64;
        let bits = (cut24(p) as f32).to_bits();
        let zero = (a[i] & INF == 0) | (b[i] & INF == 0);
        let e = bits & INF;
        // A product just below the smallest normal number rounds up to it.
        odd |= (e == INF) as u32 | ((e <= 1 << 23) & !zero) as u32;
        r[i] = if zero { 0 } else { bits };
    }
    if odd != 0 {
        mul_cold::<R, N>(a, b, &mut r);
    }
    r
}

#[cold]
#[inline(never)]
fn mul_cold<R: Rules, const N: usize>(a: &Lanes<N>, b: &Lanes<N>, r: &mut Lanes<N>) {
    for i in 0..N {
        r[i] = mul_exact::<R>(a[i], b[i]);
    }
}

/// The definition, every special case included.
fn mul_exact<R: Rules>(a: u32, b: u32) -> u32 {
    let nan = is_nan(a) || is_nan(b);
    let zero = exponent(a) == 0 || exponent(b) == 0;
    let inf = is_inf(a) || is_inf(b);
    let sign = (a ^ b) & SIGN;
    match (R::VERSION, R::ZERO_WINS) {
        // Celsius: NaN beats zero, zero beats infinity, infinity loses its sign.
        (1, _) if nan => return NAN,
        (1, _) if zero => return 0,
        (1, _) if inf => return INF,
        (_, true) if zero => return 0,
        _ if nan || inf && zero => return NAN,
        _ if zero => return 0,
        _ if inf => return sign | INF,
        _ => {}
    }
    let p = u64::from(fraction(a) | 1 << 23) * u64::from(fraction(b) | 1 << 23);
    let carry = (p >> 47) as u32;
    let e = exponent(a) + exponent(b) - 0x7f + carry as i32;
    finish(R::VERSION, sign != 0, e, (p >> (23 + carry)) as u32)
}

/// The sum of `K` operands in one step.
#[inline(always)]
pub fn sum<R: Rules, const K: usize, const N: usize>(v: &[Lanes<N>; K]) -> Lanes<N> {
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
            let hidden = if e != 0 { 1 << 28 } else { 0 };
            let f = (fraction(x[i]) << 5 | hidden) >> (top - e).min(31);
            let s = (x[i] as i32) >> 31;
            acc += (f as i32 ^ s) - s;
        }
        // 31 bits are exact in a double; its exponent does the normalising.
        // Scale: bit 28 of the accumulator has the weight of `top`.
        let scale = f64::from_bits(((top as i32 - 127 - 28 + 1023) as u64) << 52);
        r[i] = ((cut24(acc as f64) * scale) as f32).to_bits();
        odd |= (top > 252) as u32 | ((top < 40) & (acc != 0)) as u32;
    }
    if odd != 0 {
        sum_cold::<R, K, N>(v, &mut r);
    }
    r
}

#[cold]
#[inline(never)]
fn sum_cold<R: Rules, const K: usize, const N: usize>(v: &[Lanes<N>; K], r: &mut Lanes<N>) {
    for i in 0..N {
        r[i] = sum_exact::<R, K>(v.map(|x| x[i]));
    }
}

/// The definition, every special case included.
fn sum_exact<R: Rules, const K: usize>(v: [u32; K]) -> u32 {
    let plus = v.contains(&INF);
    let minus = v.contains(&(SIGN | INF));
    if v.iter().any(|&x| is_nan(x)) || plus && minus {
        return NAN;
    }
    if plus || minus {
        return INF | (minus as u32) << 31;
    }
    let top = v.iter().map(|&x| exponent(x)).max().unwrap_or(0);
    let mut acc = 0i32;
    for x in v {
        let e = exponent(x);
        // Up to Kelvin a denormal takes part as it stands, without a hidden one.
        let f = match (e, R::VERSION) {
            (0, 3..) => 0,
            (0, _) => fraction(x) << 5,
            _ => (fraction(x) | 1 << 23) << 5,
        };
        let f = (f >> (top - e).min(31)) as i32;
        acc += if x & SIGN != 0 { -f } else { f };
    }
    if acc == 0 {
        return 0;
    }
    let m = acc.unsigned_abs() << acc.unsigned_abs().leading_zeros();
    let e = top + 3 - acc.unsigned_abs().leading_zeros() as i32;
    finish(R::VERSION, acc < 0, e, m >> 8)
}

/// a + b.
#[inline(always)]
pub fn add<R: Rules, const N: usize>(a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    sum::<R, 2, N>(&[*a, *b])
}

/// a × b + c, both steps rounded.
#[inline(always)]
pub fn mad<R: Rules, const N: usize>(a: &Lanes<N>, b: &Lanes<N>, c: &Lanes<N>) -> Lanes<N> {
    add::<R, N>(&mul::<R, N>(a, b), c)
}

/// Three-component dot product.
#[inline(always)]
pub fn dp3<R: Rules, const N: usize>(a: [&Lanes<N>; 3], b: [&Lanes<N>; 3]) -> Lanes<N> {
    sum::<R, 3, N>(&rows!(3, |i| mul::<R, N>(a[i], b[i])))
}

/// Homogeneous dot product: the fourth product is 1.0 × b.w.
#[inline(always)]
pub fn dph<R: Rules, const N: usize>(a: [&Lanes<N>; 3], b: [&Lanes<N>; 4]) -> Lanes<N> {
    dp4::<R, N>([a[0], a[1], a[2], &splat(ONE)], b)
}

/// Four-component dot product.
#[inline(always)]
pub fn dp4<R: Rules, const N: usize>(a: [&Lanes<N>; 4], b: [&Lanes<N>; 4]) -> Lanes<N> {
    sum::<R, 4, N>(&rows!(4, |i| mul::<R, N>(a[i], b[i])))
}

const _: () = assert!(MAX == INF - 1);
