//! The two units: sources to results.

use super::super::arith::{self, Lanes, ONE, Rules, Test};
use super::machine::Row;
use isotherm_regs::xf::isa::ops::{sca, vec};

/// The components in `mask` (x is bit 3), each by an expression. A loop and not a
/// closure: a closure would be compiled without the caller's vector level.
macro_rules! each {
    ($mask:expr, |$i:ident| $e:expr) => {{
        let mut row = [[0; N]; 4];
        for ($i, lanes) in row.iter_mut().enumerate() {
            if $mask >> (3 - $i) & 1 != 0 {
                *lanes = $e;
            }
        }
        row
    }};
}

/// An operand: its components wherever they lie.
pub(super) type Source<'s, const N: usize> = [&'s Lanes<N>; 4];

/// The vector operation's result in the components of `mask`; `None` for an
/// operation without one.
#[inline(always)]
pub(super) fn vector<R: Rules, const N: usize>(
    op: u8,
    src: &[Source<N>; 3],
    mask: u8,
) -> Option<Row<N>> {
    let [a, b, c] = src;
    Some(match op {
        vec::MOV => each!(mask, |i| *a[i]),
        vec::MUL => each!(mask, |i| arith::mul::<R, N>(a[i], b[i])),
        vec::ADD => each!(mask, |i| arith::add::<R, N>(a[i], c[i])),
        vec::MAD => each!(mask, |i| arith::mad::<R, N>(a[i], b[i], c[i])),
        vec::DP3 => all(
            mask,
            &arith::dp3::<R, N>([a[0], a[1], a[2]], [b[0], b[1], b[2]]),
        ),
        vec::DPH => all(mask, &arith::dph::<R, N>([a[0], a[1], a[2]], *b)),
        vec::DP4 => all(mask, &arith::dp4::<R, N>(*a, *b)),
        vec::DST => [[ONE; N], arith::mul::<R, N>(a[1], b[1]), *a[2], *b[3]],
        vec::MIN => each!(mask, |i| arith::min::<R, N>(a[i], b[i])),
        vec::MAX => each!(mask, |i| arith::max::<R, N>(a[i], b[i])),
        vec::SLT | vec::SGE | vec::SEQ | vec::SGT | vec::SLE | vec::SNE => {
            let test = comparison(op);
            each!(mask, |i| arith::set::<R, N>(test, a[i], b[i]))
        }
        vec::FRC => each!(mask, |i| arith::frc(a[i])),
        vec::FLR => each!(mask, |i| arith::flr(a[i])),
        vec::SFL => [[0; N]; 4],
        vec::STR => [[ONE; N]; 4],
        vec::SSG => each!(mask, |i| arith::ssg::<R, N>(a[i])),
        _ => return None,
    })
}

/// The same in every component of `mask`.
#[inline(always)]
fn all<const N: usize>(mask: u8, x: &Lanes<N>) -> Row<N> {
    each!(mask, |_i| *x)
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

/// The scalar operation's result; all but LIT and MOV look at x alone.
#[inline(always)]
pub(super) fn scalar<R: Rules, const N: usize>(op: u8, src: &Source<N>) -> Option<Row<N>> {
    let x = src[0];
    Some(match op {
        sca::MOV => [*x, *src[1], *src[2], *src[3]],
        sca::RCP => [arith::rcp::<R, N>(x); 4],
        sca::RCC => [arith::rcc::<R, N>(x); 4],
        sca::RSQ => [arith::rsq::<R, N>(x); 4],
        sca::EXP => [
            arith::exp_flr(x),
            arith::exp_frc(x),
            arith::exp(x),
            [ONE; N],
        ],
        sca::LOG => [
            arith::log_e::<R, N>(x),
            arith::log_f::<R, N>(x),
            arith::log::<R, N>(x),
            [ONE; N],
        ],
        sca::LIT => arith::lit(x, src[1], src[3]),
        sca::LG2 => [arith::lg2(x); 4],
        sca::EX2 => [arith::ex2(x); 4],
        sca::SIN => [arith::sin(x); 4],
        sca::COS => [arith::cos(x); 4],
        _ => return None,
    })
}

/// Results held within 0 … 1; a NaN becomes 0.
#[inline(always)]
pub(super) fn saturate<const N: usize>(row: &mut Row<N>) {
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
