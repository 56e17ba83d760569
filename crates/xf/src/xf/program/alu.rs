//! The two units: operations on the file of registers.

use super::super::LANES;
use super::super::arith::{self, ONE, Rules};
use super::file::File;
use super::flow::condition_code;
use super::machine::L;
use super::op::{Code, Op, Scalar};
use isotherm_lanes::{Level, dispatch};
use isotherm_regs::xf::isa::ops::{sca, vec};

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

/// Whether a scalar operation gives a result; the others branch or do nothing.
pub(super) fn scalar_gives(op: u8) -> bool {
    use sca::*;
    matches!(
        op,
        MOV | RCP | RCC | RSQ | EXP | LOG | LIT | LG2 | EX2 | SIN | COS
    )
}

/// Does something to each part of an operation. A loop and not a closure: a closure would
/// be compiled without the caller's vector level.
macro_rules! each {
    ($file:ident, $op:ident, |$a:ident, $b:ident, $c:ident| $e:expr) => {
        for part in $op.targets() {
            let ($a, $b, $c) = (&$file[part.a], &$file[part.b], &$file[part.c]);
            $file[part.to] = $e;
        }
    };
}

dispatch! {
    /// Runs operations one after the other. `level` is for those that have functions of
    /// their own.
    pub(super) fn run(own: Level, rules: Rules, file: &mut File, ops: &[Op]) = run_lanes;
}

#[inline(always)]
fn run_lanes(own: Level, rules: Rules, file: &mut File, ops: &[Op]) {
    for op in ops {
        match op.code {
            Code::Copy => each!(file, op, |a, _b, _c| *a),
            Code::Mul => each!(file, op, |a, b, _c| arith::mul(rules, a, b)),
            Code::Add => each!(file, op, |a, b, _c| arith::add(rules, a, b)),
            Code::Mad => each!(file, op, |a, b, c| arith::mad(rules, a, b, c)),
            Code::Min => each!(file, op, |a, b, _c| arith::min(rules, a, b)),
            Code::Max => each!(file, op, |a, b, _c| arith::max(rules, a, b)),
            Code::Set(test) => each!(file, op, |a, b, _c| arith::set(rules, test, a, b)),
            Code::Modify(keep, turn) => each!(file, op, |a, _b, _c| modified(a, keep, turn)),
            Code::Pass(codes) => each!(file, op, |a, _b, _c| passing(a, codes)),
            Code::Blend => {
                for part in op.targets() {
                    file[part.to] = blend(&file[part.to], &file[part.a], &file[part.b]);
                }
            }
            Code::Dp3 => {
                let [p, q, r, _] = &op.parts;
                let a = [&file[p.a], &file[q.a], &file[r.a]];
                let x = arith::dp3(rules, a, [&file[p.b], &file[q.b], &file[r.b]]);
                each!(file, op, |_a, _b, _c| x);
            }
            Code::Dp4 => {
                let [p, q, r, s] = &op.parts;
                let a = [&file[p.a], &file[q.a], &file[r.a], &file[s.a]];
                let b = [&file[p.b], &file[q.b], &file[r.b], &file[s.b]];
                let x = arith::dp4(rules, a, b);
                each!(file, op, |_a, _b, _c| x);
            }
            _ => rarer(own, rules, file, op),
        }
    }
}

dispatch! {
    /// The rest: what is long, and what is rare.
    fn rarer(rules: Rules, file: &mut File, op: &Op) = rarer_lanes;
}

#[inline(always)]
fn rarer_lanes(rules: Rules, file: &mut File, op: &Op) {
    match op.code {
        Code::Frc => each!(file, op, |a, _b, _c| arith::frc(a)),
        Code::Flr => each!(file, op, |a, _b, _c| arith::flr(a)),
        Code::Ssg => each!(file, op, |a, _b, _c| arith::ssg(rules, a)),
        Code::Saturate => each!(file, op, |a, _b, _c| saturated(a)),
        Code::Compare => {
            for part in op.targets() {
                let codes = arith::map(&file[part.a], condition_code);
                file[part.to] = blend(&file[part.to], &codes, &file[part.b]);
            }
        }
        Code::Scalar(scalar) => {
            let x = number(rules, scalar, &file[op.parts[0].a]);
            each!(file, op, |_a, _b, _c| x);
        }
        Code::Lit => {
            let [x, y, w, _] = &op.parts;
            let row = arith::lit(&file[x.a], &file[y.a], &file[w.a]);
            for (part, lanes) in op.targets().iter().zip(row) {
                file[part.to] = lanes;
            }
        }
        _ => {}
    }
}

/// The scalar unit's result.
#[inline(always)]
fn number(rules: Rules, op: Scalar, x: &L) -> L {
    match op {
        Scalar::Rcp => arith::rcp(rules, x),
        Scalar::Rcc => arith::rcc(rules, x),
        Scalar::Rsq => arith::rsq(rules, x),
        Scalar::Lg2 => arith::lg2(x),
        Scalar::Ex2 => arith::ex2(x),
        Scalar::Sin => arith::sin(x),
        Scalar::Cos => arith::cos(x),
        Scalar::ExpFlr => arith::exp_flr(x),
        Scalar::ExpFrc => arith::exp_frc(x),
        Scalar::Exp => arith::exp(x),
        Scalar::LogE => arith::log_e(rules, x),
        Scalar::LogF => arith::log_f(rules, x),
        Scalar::Log => arith::log(rules, x),
    }
}

#[inline(always)]
fn modified(x: &L, keep: u32, turn: u32) -> L {
    let mut r = [0; LANES];
    for i in 0..LANES {
        r[i] = x[i] & keep ^ turn;
    }
    r
}

#[inline(always)]
fn passing(codes: &L, wanted: u32) -> L {
    let mut r = [0; LANES];
    for i in 0..LANES {
        r[i] = if codes[i] & wanted != 0 { u32::MAX } else { 0 };
    }
    r
}

/// `from` in the lanes that pass.
#[inline(always)]
pub(super) fn blend(to: &L, from: &L, pass: &L) -> L {
    let mut r = [0; LANES];
    for i in 0..LANES {
        r[i] = to[i] & !pass[i] | from[i] & pass[i];
    }
    r
}

/// Held within 0 … 1; a NaN becomes 0.
#[inline(always)]
fn saturated(x: &L) -> L {
    let mut r = [0; LANES];
    for i in 0..LANES {
        // As signed numbers, positive floats order like their bit patterns.
        let nan = x[i] & 0x7fff_ffff > arith::INF;
        r[i] = if nan {
            0
        } else {
            (x[i] as i32).clamp(0, ONE as i32) as u32
        };
    }
    r
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
