//! The two units: sources to results.

use super::super::LANES;
use super::super::arith::{self, ONE, Rules, Test};
use super::machine::{L, Row};
use isotherm_lanes::dispatch;
use isotherm_regs::xf::isa::ops::{sca, vec};

/// An operand: its components wherever they lie.
pub(super) type Source<'s> = [&'s L; 4];

/// What a unit is to do.
pub(super) struct Call<'s> {
    pub rules: Rules,
    pub op: u8,
    /// Components of the result that count, x in bit 3.
    pub mask: u8,
    pub src: [Source<'s>; 3],
}

/// Writes the components in `mask` (x is bit 3) of a row, each by an expression. A loop
/// and not a closure: a closure would be compiled without the caller's vector level.
macro_rules! each {
    ($row:ident, $mask:expr, |$i:ident| $e:expr) => {
        for ($i, lanes) in $row.iter_mut().enumerate() {
            if $mask >> (3 - $i) & 1 != 0 {
                *lanes = $e;
            }
        }
    };
}

/// Whether a vector operation gives a result; the others write address registers,
/// read textures or do nothing.
pub(super) fn vector_gives(op: u8) -> bool {
    use vec::*;
    matches!(
        op,
        MOV | MUL
            | ADD
            | MAD
            | DP3
            | DPH
            | DP4
            | DST
            | MIN
            | MAX
            | SLT
            | SGE
            | SEQ
            | SGT
            | SLE
            | SNE
            | FRC
            | FLR
            | SFL
            | STR
            | SSG
    )
}

/// The result of a vector move.
#[inline(always)]
pub(super) fn copy(call: &Call, row: &mut Row) {
    each!(row, call.mask, |i| *call.src[0][i]);
}

dispatch! {
    /// The result of a vector operation other than a move, in the components that count.
    pub(super) fn vector(call: &Call, row: &mut Row) = vector_lanes;
}

#[inline(always)]
fn vector_lanes(call: &Call, row: &mut Row) {
    let &Call {
        rules, op, mask, ..
    } = call;
    let [a, b, c] = &call.src;
    match op {
        vec::MUL => each!(row, mask, |i| arith::mul(rules, a[i], b[i])),
        vec::ADD => each!(row, mask, |i| arith::add(rules, a[i], c[i])),
        vec::MAD => each!(row, mask, |i| arith::mad(rules, a[i], b[i], c[i])),
        vec::DP3 => {
            let x = arith::dp3(rules, [a[0], a[1], a[2]], [b[0], b[1], b[2]]);
            each!(row, mask, |_i| x);
        }
        vec::DP4 | vec::DPH => {
            // The homogeneous dot product takes 1 for the first operand's w.
            let w = if op == vec::DPH { &[ONE; LANES] } else { a[3] };
            let x = arith::dp4(rules, [a[0], a[1], a[2], w], *b);
            each!(row, mask, |_i| x);
        }
        vec::DST => *row = [[ONE; LANES], arith::mul(rules, a[1], b[1]), *a[2], *b[3]],
        vec::MIN => each!(row, mask, |i| arith::min(rules, a[i], b[i])),
        vec::MAX => each!(row, mask, |i| arith::max(rules, a[i], b[i])),
        vec::SLT | vec::SGE | vec::SEQ | vec::SGT | vec::SLE | vec::SNE => {
            let test = comparison(op);
            each!(row, mask, |i| arith::set(rules, test, a[i], b[i]));
        }
        vec::FRC => each!(row, mask, |i| arith::frc(a[i])),
        vec::FLR => each!(row, mask, |i| arith::flr(a[i])),
        vec::SFL => *row = [[0; LANES]; 4],
        vec::STR => *row = [[ONE; LANES]; 4],
        vec::SSG => each!(row, mask, |i| arith::ssg(rules, a[i])),
        _ => {}
    }
}

/// What a set operation tests.
fn comparison(op: u8) -> Test {
    match op {
        vec::SLT => Test::Less,
        vec::SGE => Test::GreaterEqual,
        vec::SEQ => Test::Equal,
        vec::SGT => Test::Greater,
        vec::SLE => Test::LessEqual,
        _ => Test::NotEqual,
    }
}

/// Whether a scalar operation gives a result; the others branch or do nothing.
pub(super) fn scalar_gives(op: u8) -> bool {
    use sca::*;
    matches!(
        op,
        MOV | RCP | RCC | RSQ | EXP | LOG | LIT | LG2 | EX2 | SIN | COS
    )
}

dispatch! {
    /// The scalar operation's result in the components that count; all but LIT and MOV
    /// look at x alone.
    pub(super) fn scalar(call: &Call, row: &mut Row) = scalar_lanes;
}

#[inline(always)]
fn scalar_lanes(call: &Call, row: &mut Row) {
    let &Call {
        rules, op, mask, ..
    } = call;
    let src = &call.src[2];
    let x = src[0];
    let same = match op {
        sca::RCP => arith::rcp(rules, x),
        sca::RCC => arith::rcc(rules, x),
        sca::RSQ => arith::rsq(rules, x),
        sca::LG2 => arith::lg2(x),
        sca::EX2 => arith::ex2(x),
        sca::SIN => arith::sin(x),
        sca::COS => arith::cos(x),
        sca::MOV => return each!(row, mask, |i| *src[i]),
        sca::LIT => return *row = arith::lit(x, src[1], src[3]),
        sca::EXP => {
            let whole = arith::exp_flr(x);
            return *row = [whole, arith::exp_frc(x), arith::exp(x), [ONE; LANES]];
        }
        sca::LOG => {
            let (exponent, significand) = (arith::log_e(rules, x), arith::log_f(rules, x));
            return *row = [exponent, significand, arith::log(rules, x), [ONE; LANES]];
        }
        _ => return,
    };
    each!(row, mask, |_i| same);
}

/// Results held within 0 … 1; a NaN becomes 0.
#[inline(always)]
pub(super) fn saturate(row: &mut Row) {
    for lanes in row {
        for x in lanes {
            // As signed numbers, positive floats order like their bit patterns.
            let nan = *x & 0x7fff_ffff > arith::INF;
            *x = if nan {
                0
            } else {
                (*x as i32).clamp(0, ONE as i32) as u32
            };
        }
    }
}

/// The largest whole number not above `x`, for ARL. NaN gives 0.
pub(super) fn floor_to_int(x: u32) -> i32 {
    flush(x).floor() as i32
}

/// The nearest whole number, halves to even, for ARR.
pub(super) fn round_to_int(x: u32) -> i32 {
    flush(x).round_ties_even() as i32
}

fn flush(x: u32) -> f32 {
    if x & arith::INF == 0 {
        0.0
    } else {
        f32::from_bits(x)
    }
}
