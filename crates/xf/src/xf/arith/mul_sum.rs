//! The multipliers and the adder behind them.
//!
//! The adder is a true 2- to 4-input one: all operands are aligned to the
//! largest exponent with five guard bits below the significand, cut there
//! toward zero, added exactly, and the sum is cut to 24 bits. A dot product is
//! that sum over rounded products, a MAD likewise.

use super::{
    INF, Lanes, MAX, NAN, ONE, Rules, SIGN, exponent, finish, fraction, is_inf, is_nan, settle,
    splat,
};

/// Cuts a double to float32's 24 significant bits, toward zero.
#[inline(always)]
fn cut24(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !((1 << 29) - 1))
}

/// a × b, product cut to 24 bits.
#[inline(always)]
pub fn mul<const N: usize>(rules: Rules, a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    let mut r = [0; N];
    let mut odd = 0;
    for i in 0..N {
        // 24 × 24 bits are exact in a double, and the cut product is exact in a
        // single unless it leaves the range, which shows in its exponent.
        let p = f32::from_bits(a[i]) as f64 * f32::from_bits(b[i]) as f64;
        let bits = (cut24(p) as f32).to_bits();
        let zero = (a[i] & INF == 0) | (b[i] & INF == 0);
        let e = bits & INF;
        // By most rules zero times anything is zero.
        let settled = zero & (rules.version() != 1) & rules.zero_wins();
        // A product just below the smallest normal number rounds up to it.
        odd |= ((e == INF) & !settled) as u32 | ((e <= 1 << 23) & !zero) as u32;
        r[i] = if zero { 0 } else { bits };
    }
    if odd != 0 {
        mul_cold(rules, a, b, &mut r);
    }
    r
}

#[cold]
#[inline(never)]
fn mul_cold<const N: usize>(rules: Rules, a: &Lanes<N>, b: &Lanes<N>, r: &mut Lanes<N>) {
    for i in 0..N {
        r[i] = mul_exact(rules, a[i], b[i]);
    }
}

/// The definition, every special case included.
fn mul_exact(rules: Rules, a: u32, b: u32) -> u32 {
    let nan = is_nan(a) || is_nan(b);
    let zero = exponent(a) == 0 || exponent(b) == 0;
    let inf = is_inf(a) || is_inf(b);
    let sign = (a ^ b) & SIGN;
    match (rules.version(), rules.zero_wins()) {
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
    finish(rules.version(), sign != 0, e, (p >> (23 + carry)) as u32)
}

/// Below this, a term could be lost to flushing before it is lost to alignment.
const LOW: f64 = 1.0 / (1u128 << 80) as f64;

/// The same where denormal factors were not flushed: with a factor below 2^62 such a
/// product is below 2^-64, and nothing below 2^-62 is left of it by alignment to this.
const LOW_UNFLUSHED: f64 = 1.0 / (1u64 << 34) as f64;

/// The adder on doubles that hold float32 values. Gives up on a batch with
/// anything unusual in it: sums of terms all below `low`, or (unless the caller knows
/// that there are none, `TOP` false) so large that saturation might matter.
#[inline(always)]
fn aligned_sum<const K: usize, const N: usize, const TOP: bool>(
    v: &[[f64; N]; K],
    low: f64,
) -> Option<Lanes<N>> {
    const HIGH: f64 = (1u128 << 125) as f64;
    const EXPONENT: u64 = 0x7ff << 52;
    let mut top = [0.0; N];
    let mut odd = 0;
    for i in 0..N {
        let mut t = v[0][i].abs();
        for x in &v[1..] {
            let a = x[i].abs();
            t = if a > t { a } else { t };
        }
        let high = TOP & (t >= HIGH);
        odd |= (high | ((t < low) & (t != 0.0))) as u64;
        top[i] = t;
    }
    if odd != 0 {
        return None;
    }
    let mut r = [0; N];
    for i in 0..N {
        let e = (if top[i] < low { low } else { top[i] }).to_bits() & EXPONENT;
        // Units of the last guard bit: 2^28 of them make the top exponent.
        let per_unit = f64::from_bits(((2 * 1023 + 28) << 52) - e);
        let unit = f64::from_bits(e - (28 << 52));
        let mut acc = 0;
        for x in v {
            // SAFETY: |x| < 2^(e + 1), so the product is below 2^29.
            acc += unsafe { (x[i] * per_unit).to_int_unchecked::<i32>() };
        }
        r[i] = ((cut24(f64::from(acc)) * unit) as f32).to_bits();
    }
    Some(r)
}

/// A float32 as double; the second value says that it is NaN or infinite.
#[inline(always)]
fn widen(x: u32) -> (f64, bool) {
    (f32::from_bits(x) as f64, x & INF == INF)
}

/// The same of a factor, for which denormals are zero.
#[inline(always)]
fn factor(x: u32) -> (f64, bool) {
    widen(if x & INF == 0 { 0 } else { x })
}

/// The sum of `K` operands in one step.
#[inline(always)]
pub fn sum<const K: usize, const N: usize>(rules: Rules, v: &[Lanes<N>; K]) -> Lanes<N> {
    sum_of(rules, v.each_ref())
}

/// The same of operands wherever they lie.
#[inline(always)]
fn sum_of<const K: usize, const N: usize>(rules: Rules, v: [&Lanes<N>; K]) -> Lanes<N> {
    let mut wide = [[0.0; N]; K];
    let mut odd = false;
    for (w, x) in wide.iter_mut().zip(v) {
        for i in 0..N {
            let (x, o) = widen(x[i]);
            w[i] = x;
            odd |= o;
        }
    }
    if !odd && let Some(r) = aligned_sum::<_, N, true>(&wide, LOW) {
        return r;
    }
    let mut r = [0; N];
    sum_cold(rules, v, &mut r);
    r
}

/// Whether some operand is so large, or NaN, that sums and products need care.
#[inline(always)]
fn large<const K: usize, const N: usize>(v: [&Lanes<N>; K]) -> bool {
    let mut top = [0; N];
    for x in v {
        for i in 0..N {
            top[i] = (x[i] << 1).max(top[i]);
        }
    }
    let mut large = 0;
    for t in top {
        large |= (t >= LARGE << 1) as u32;
    }
    large != 0
}

/// Sum of products, each product cut to 24 bits.
#[inline(always)]
fn dot<const K: usize, const N: usize>(
    rules: Rules,
    a: [&Lanes<N>; K],
    b: [&Lanes<N>; K],
) -> Lanes<N> {
    let mut wide = [[0.0; N]; K];
    for k in 0..K {
        for i in 0..N {
            let (x, y) = (f32::from_bits(a[k][i]), f32::from_bits(b[k][i]));
            wide[k][i] = cut24(f64::from(x) * f64::from(y));
        }
    }
    if !(large(a) | large(b))
        && let Some(r) = aligned_sum::<_, N, false>(&wide, LOW_UNFLUSHED)
    {
        return r;
    }
    dot_cold(rules, a, b)
}

#[cold]
#[inline(never)]
fn dot_cold<const K: usize, const N: usize>(
    rules: Rules,
    a: [&Lanes<N>; K],
    b: [&Lanes<N>; K],
) -> Lanes<N> {
    let mut r = [0; N];
    for i in 0..N {
        let mut p = [0; K];
        for k in 0..K {
            p[k] = mul_exact(rules, a[k][i], b[k][i]);
        }
        r[i] = sum_exact(rules, p);
    }
    r
}

#[cold]
#[inline(never)]
fn sum_cold<const K: usize, const N: usize>(rules: Rules, v: [&Lanes<N>; K], r: &mut Lanes<N>) {
    for i in 0..N {
        r[i] = sum_exact(rules, v.map(|x| x[i]));
    }
}

/// The definition, every special case included.
fn sum_exact<const K: usize>(rules: Rules, v: [u32; K]) -> u32 {
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
        let f = match (e, rules.version()) {
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
    finish(rules.version(), acc < 0, e, m >> 8)
}

/// a + b.
#[inline(always)]
pub fn add<const N: usize>(rules: Rules, a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    sum_of(rules, [a, b])
}

/// a × b + c, both steps rounded.
#[inline(always)]
pub fn mad<const N: usize>(rules: Rules, a: &Lanes<N>, b: &Lanes<N>, c: &Lanes<N>) -> Lanes<N> {
    let mut wide = [[0.0; N]; 2];
    for i in 0..N {
        let (x, y) = (f32::from_bits(a[i]), f32::from_bits(b[i]));
        wide[0][i] = cut24(f64::from(x) * f64::from(y));
        wide[1][i] = f64::from(f32::from_bits(c[i]));
    }
    if !large([a, b, c])
        && let Some(r) = aligned_sum::<_, N, false>(&wide, LOW_UNFLUSHED)
    {
        return r;
    }
    mad_cold(rules, a, b, c)
}

#[cold]
#[inline(never)]
fn mad_cold<const N: usize>(rules: Rules, a: &Lanes<N>, b: &Lanes<N>, c: &Lanes<N>) -> Lanes<N> {
    let mut r = [0; N];
    for i in 0..N {
        r[i] = sum_exact(rules, [mul_exact(rules, a[i], b[i]), c[i]]);
    }
    r
}

/// `M` rows of constants, of which the first `K` components count, widened once
/// for many batches.
#[derive(Clone, Copy)]
pub struct Matrix<'a, const K: usize, const M: usize> {
    wide: [[f64; K]; M],
    /// Some factor is so large that a product may leave the range.
    large: bool,
    rows: &'a [[u32; 4]],
}

/// Factors below 2^62 cannot overflow, which leaves one test per row.
const LARGE: u32 = (127 + 62) << 23;

impl<'a, const K: usize, const M: usize> Matrix<'a, K, M> {
    /// The first `M` of `rows`; missing ones count as 0.
    #[inline(always)]
    pub fn new(rows: &'a [[u32; 4]]) -> Self {
        let mut wide = [[0.0; K]; M];
        let mut large = rows.len() < M;
        for (wide, row) in wide.iter_mut().zip(rows) {
            for (wide, &x) in wide.iter_mut().zip(row) {
                *wide = factor(x).0;
                large |= x & INF >= LARGE;
            }
        }
        Matrix { wide, large, rows }
    }

    /// A vector times the rows: `M` dot products.
    #[inline(always)]
    pub fn times<const N: usize>(&self, rules: Rules, v: &[Lanes<N>; K]) -> [Lanes<N>; M] {
        let mut wide = [[0.0; N]; K];
        let mut top = [0; N];
        for k in 0..K {
            for i in 0..N {
                wide[k][i] = factor(v[k][i]).0;
            }
        }
        for i in 0..N {
            for v in v {
                top[i] = (v[i] & INF).max(top[i]);
            }
        }
        settle(&mut top);
        let mut large = self.large as u32;
        for i in 0..N {
            large |= (top[i] >= LARGE) as u32;
        }
        let mut r = [[0; N]; M];
        if large != 0 {
            self.times_cold(rules, v, &mut r);
            return r;
        }
        for m in 0..M {
            let mut p = [[0.0; N]; K];
            for k in 0..K {
                for i in 0..N {
                    p[k][i] = cut24(wide[k][i] * self.wide[m][k]);
                }
            }
            match aligned_sum::<K, N, false>(&p, LOW) {
                Some(x) => r[m] = x,
                None => r[m] = row_cold(rules, v, self.rows.get(m)),
            }
        }
        r
    }

    #[cold]
    #[inline(never)]
    fn times_cold<const N: usize>(&self, rules: Rules, v: &[Lanes<N>; K], r: &mut [Lanes<N>; M]) {
        for (m, r) in r.iter_mut().enumerate() {
            *r = row_cold(rules, v, self.rows.get(m));
        }
    }
}

/// A vector times `M` rows of constants.
#[inline(always)]
pub fn transform<const K: usize, const M: usize, const N: usize>(
    rules: Rules,
    v: &[Lanes<N>; K],
    rows: &[[u32; 4]],
) -> [Lanes<N>; M] {
    Matrix::<K, M>::new(rows).times(rules, v)
}

#[cold]
#[inline(never)]
fn row_cold<const K: usize, const N: usize>(
    rules: Rules,
    v: &[Lanes<N>; K],
    row: Option<&[u32; 4]>,
) -> Lanes<N> {
    let row = row.copied().unwrap_or_default();
    let mut r = [0; N];
    for i in 0..N {
        let mut p = [0; K];
        for k in 0..K {
            p[k] = mul_exact(rules, v[k][i], row[k]);
        }
        r[i] = sum_exact(rules, p);
    }
    r
}

/// Three-component dot product.
#[inline(always)]
pub fn dp3<const N: usize>(rules: Rules, a: [&Lanes<N>; 3], b: [&Lanes<N>; 3]) -> Lanes<N> {
    dot(rules, a, b)
}

/// Homogeneous dot product: the fourth product is 1.0 × b.w.
#[inline(always)]
pub fn dph<const N: usize>(rules: Rules, a: [&Lanes<N>; 3], b: [&Lanes<N>; 4]) -> Lanes<N> {
    dp4(rules, [a[0], a[1], a[2], &splat(ONE)], b)
}

/// Four-component dot product.
#[inline(always)]
pub fn dp4<const N: usize>(rules: Rules, a: [&Lanes<N>; 4], b: [&Lanes<N>; 4]) -> Lanes<N> {
    dot(rules, a, b)
}

const _: () = assert!(MAX == INF - 1);
