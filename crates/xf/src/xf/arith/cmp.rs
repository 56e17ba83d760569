//! Comparisons: MIN, MAX, the set-on operations, SSG, condition codes.

use super::{INF, Lanes, NAN, ONE, Rules, SIGN, is_nan, settle};

/// What a comparison found, and what a condition code holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cond {
    /// Less.
    Less,
    /// Equal.
    Equal,
    /// Greater.
    Greater,
    /// A NaN took part.
    Unordered,
}

/// A test of a [`Cond`], with the instruction sets' own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// FL: never.
    False = 0,
    /// LT.
    Less = 1,
    /// EQ.
    Equal = 2,
    /// LE.
    LessEqual = 3,
    /// GT.
    Greater = 4,
    /// NE; also true of an unordered pair.
    NotEqual = 5,
    /// GE.
    GreaterEqual = 6,
    /// TR: always.
    True = 7,
}

impl Test {
    /// The test of a 3-bit field.
    pub fn from_bits(bits: u32) -> Test {
        use Test::*;
        [
            False,
            Less,
            Equal,
            LessEqual,
            Greater,
            NotEqual,
            GreaterEqual,
            True,
        ][bits as usize & 7]
    }

    /// Whether the condition passes.
    #[inline(always)]
    pub fn passes(self, c: Cond) -> bool {
        match self {
            Test::False => false,
            Test::Less => c == Cond::Less,
            Test::Equal => c == Cond::Equal,
            Test::LessEqual => matches!(c, Cond::Less | Cond::Equal),
            Test::Greater => c == Cond::Greater,
            Test::NotEqual => c != Cond::Equal,
            Test::GreaterEqual => matches!(c, Cond::Equal | Cond::Greater),
            Test::True => true,
        }
    }
}

/// A number whose signed order is the order of the operands: bit patterns as
/// they stand with zero-wins, otherwise denormals and both zeros are equal.
#[inline(always)]
fn key(rules: Rules, x: u32) -> i32 {
    let x = if !rules.zero_wins() && x & INF == 0 {
        0
    } else {
        x
    };
    order(x)
}

/// The same of bit patterns as they stand.
#[inline(always)]
fn order(x: u32) -> i32 {
    (x ^ (((x as i32) >> 31) as u32 >> 1)) as i32
}

#[inline(always)]
fn unordered(rules: Rules, a: u32, b: u32) -> bool {
    !rules.zero_wins() && (is_nan(a) || is_nan(b))
}

/// Compares two values.
#[inline(always)]
pub fn cond(rules: Rules, a: u32, b: u32) -> Cond {
    if unordered(rules, a, b) {
        return Cond::Unordered;
    }
    match key(rules, a).cmp(&key(rules, b)) {
        std::cmp::Ordering::Less => Cond::Less,
        std::cmp::Ordering::Equal => Cond::Equal,
        std::cmp::Ordering::Greater => Cond::Greater,
    }
}

/// The smaller; the second of equals.
#[inline(always)]
pub fn min<const N: usize>(rules: Rules, a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    pick(rules, a, b, |less, a, b| if less { a } else { b })
}

/// The larger; the first of equals.
#[inline(always)]
pub fn max<const N: usize>(rules: Rules, a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    pick(rules, a, b, |less, a, b| if less { b } else { a })
}

#[inline(always)]
fn pick<const N: usize>(
    rules: Rules,
    a: &Lanes<N>,
    b: &Lanes<N>,
    f: impl Fn(bool, u32, u32) -> u32,
) -> Lanes<N> {
    let mut r = [0; N];
    // Two loops, each without a choice in it.
    if rules.zero_wins() {
        for i in 0..N {
            r[i] = f(order(a[i]) < order(b[i]), a[i], b[i]);
        }
        return r;
    }
    let (x, y) = (keys(a), keys(b));
    for i in 0..N {
        r[i] = f(x[i] < y[i], a[i], b[i]);
    }
    spoiled(r, a, b)
}

/// The keys of lanes where denormals and both zeros are equal.
#[inline(always)]
fn keys<const N: usize>(x: &Lanes<N>) -> [i32; N] {
    let mut r = [0; N];
    for i in 0..N {
        r[i] = order(if x[i] & INF == 0 { 0 } else { x[i] });
    }
    settle(&mut r);
    r
}

/// Results, but a NaN where one took part.
#[inline(always)]
fn spoiled<const N: usize>(mut r: Lanes<N>, a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    settle(&mut r);
    for i in 0..N {
        let nan = is_nan(a[i]) | is_nan(b[i]);
        r[i] = if nan { NAN } else { r[i] };
    }
    r
}

/// 1.0 where the test holds, else 0.
#[inline(always)]
pub fn set<const N: usize>(rules: Rules, test: Test, a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    // The number of a test is itself a mask of less, equal, greater.
    let value = |bit: u32| if test as u32 >> bit & 1 != 0 { ONE } else { 0 };
    let (less, equal, greater) = (value(0), value(1), value(2));
    let pick = |x: i32, y: i32| {
        let or_equal = if x == y { equal } else { greater };
        if x < y { less } else { or_equal }
    };
    let mut r = [0; N];
    if rules.zero_wins() {
        for i in 0..N {
            r[i] = pick(order(a[i]), order(b[i]));
        }
        return r;
    }
    let (x, y) = (keys(a), keys(b));
    for i in 0..N {
        r[i] = pick(x[i], y[i]);
    }
    spoiled(r, a, b)
}

/// The sign as −1.0, 0 or 1.0.
#[inline(always)]
pub fn ssg<const N: usize>(rules: Rules, x: &Lanes<N>) -> Lanes<N> {
    super::map(x, |x| match cond(rules, x, 0) {
        Cond::Less => SIGN | ONE,
        Cond::Equal => 0,
        Cond::Greater => ONE,
        Cond::Unordered => NAN,
    })
}
