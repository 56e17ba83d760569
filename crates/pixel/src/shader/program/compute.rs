//! Operations on rows: all that a program computes.

use super::apart::Apart;
use super::exec::{ALL, At, Units, any, conditions, fixed, limited, write};
use super::lanes::{BLOCKS, Lanes};
use super::list::{Code, Formula, RowOp};
use super::operations::{
    Sources, Sums, across, add, down, packed, quotients, scalar, texture, vector,
};
use super::pack;
use super::plan::{Plan, Round, Step};
use isotherm_lanes::{Simd, math};
use isotherm_regs::fp::Op;
use std::ops::Range;

/// Runs operations on blocks, all of each before the next; on all blocks that there can be if
/// `ALL` says so.
///
/// Once for all who call it where there is but the base level: as plain loops it is long, and took
/// minutes to compile.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn run_ops<S: Apart, const ALL: bool>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    blocks: Range<usize>,
    ops: &[RowOp],
    at: At,
) {
    let blocks = if ALL {
        0..BLOCKS
    } else {
        blocks.start..blocks.end.min(BLOCKS)
    };
    for op in ops {
        let step = &plan.steps[op.step as usize];
        let blocks = blocks.clone();
        match op.code {
            Code::Formula(formula) => {
                let sums = Sums::of(plan.family, op.alike.holds(lanes.texels_positive));
                component::<S>(lanes, blocks, op, formula, sums);
            }
            Code::Copy => {
                let (from, to) = (op.rows[0] as usize, op.to as usize);
                for block in blocks {
                    lanes.rows[to].0[block] = lanes.rows[from].0[block];
                }
            }
            Code::Modify => {
                let (from, to) = (op.rows[0] as usize, op.to as usize);
                let [and, xor] = [op.rows[1], op.rows[2]];
                for block in blocks {
                    let x = S::load(&lanes.rows[from].0[block]);
                    S::store(S::modify(x, and, xor), &mut lanes.rows[to].0[block]);
                }
            }
            Code::Finish => finish_row::<S>(lanes, blocks, step, op),
            Code::Whole => whole::<S>(
                plan,
                units,
                lanes,
                blocks,
                (step, op.to as usize),
                at.active,
            ),
            Code::Write => {
                for block in blocks {
                    write::<S, false>(plan, lanes, block, at.of(op.step), 0, &mut |_| {});
                }
            }
            Code::Kill => {
                for block in blocks {
                    lanes.killed[block] |= at.active & any(conditions::<S>(lanes, block, step));
                }
            }
            Code::Unpack => {
                for block in blocks {
                    lanes.unpack(block, plan, step, at.index);
                }
            }
        }
    }
}

/// A component by its formula. Rows are looked for once for all blocks, and what is the same for
/// all of them is chosen once.
#[inline(always)]
fn component<S: Apart>(
    lanes: &mut Lanes,
    blocks: Range<usize>,
    op: &RowOp,
    formula: Formula,
    sums: Sums,
) {
    let rows = &mut lanes.rows[..];
    let (one, zero) = (S::splat(1.0), S::splat(0.0));
    let (count, to) = (rows.len(), op.to as usize);
    /// A formula of the operation's rows.
    macro_rules! of {
        (|$($name:ident = $at:literal),+| $e:expr) => {{
            $(let $name = op.rows[$at] as usize;)+
            assert!($($name < count &&)+ to < count);
            for block in blocks {
                $(let $name = S::load(&rows[$name].0[block]);)+
                S::store($e, &mut rows[to].0[block]);
            }
        }};
    }
    /// The same for each way of adding.
    macro_rules! sums {
        (|$how:ident, $($name:ident = $at:literal),+| $e:expr) => {
            match sums {
                Sums::Nearest => {
                    let $how = Sums::Nearest;
                    of!(|$($name = $at),+| $e)
                }
                Sums::Cut => {
                    let $how = Sums::Cut;
                    of!(|$($name = $at),+| $e)
                }
                Sums::Alike => {
                    let $how = Sums::Alike;
                    of!(|$($name = $at),+| $e)
                }
            }
        };
    }
    match formula {
        Formula::Mov => of!(|a = 0| a),
        Formula::Mul => sums!(|how, a = 0, b = 1| how.product::<S>(a, b)),
        Formula::Add => sums!(|how, a = 0, b = 1| add::<S>(how, a, b)),
        Formula::Mad => sums!(|how, a = 0, b = 1, d = 2| {
            add::<S>(how, how.product::<S>(a, b), d)
        }),
        Formula::Rest => of!(|a = 0| S::sub(one, a)),
        // What is no number wins on either side.
        Formula::Min => {
            of!(|a = 0, b = 1| S::select(S::eq(a, a), S::min(a, b), a))
        }
        Formula::Max => {
            of!(|a = 0, b = 1| S::select(S::eq(a, a), S::max(a, b), a))
        }
        Formula::Slt => of!(|a = 0, b = 1| S::select(S::lt(a, b), one, zero)),
        Formula::Sge => of!(|a = 0, b = 1| S::select(S::le(b, a), one, zero)),
        Formula::Sle => of!(|a = 0, b = 1| S::select(S::le(a, b), one, zero)),
        Formula::Sgt => of!(|a = 0, b = 1| S::select(S::lt(b, a), one, zero)),
        Formula::Seq => of!(|a = 0, b = 1| S::select(S::eq(a, b), one, zero)),
        Formula::Sne => of!(|a = 0, b = 1| S::select(S::eq(a, b), zero, one)),
        Formula::Flr => of!(|a = 0| S::floor(a)),
        Formula::Frc => of!(|a = 0| S::sub(a, S::floor(a))),
        Formula::Ddx => of!(|a = 0| across::<S>(a)),
        Formula::Ddy => of!(|a = 0| down::<S>(a)),
        Formula::Rcp => of!(|x = 0| S::div(one, x)),
        Formula::Ex2 => of!(|x = 0| math::exp2::<S>(x)),
        Formula::Lg2 => of!(|x = 0| math::log2::<S>(x)),
    }
}

/// Scale, clamp and rounding of a row.
#[inline(always)]
fn finish_row<S: Simd>(lanes: &mut Lanes, blocks: Range<usize>, step: &Step, op: &RowOp) {
    let rows = &mut lanes.rows[..];
    let (from, to) = (op.rows[0] as usize, op.to as usize);
    assert!(from < rows.len() && to < rows.len());
    let whole = step.scale == 1.0 && !step.sat;
    /// How it is rounded is chosen once for all blocks.
    macro_rules! each {
        (|$x:ident| $rounded:expr) => {
            for block in blocks {
                let x = S::load(&rows[from].0[block]);
                let $x = if whole { x } else { limited::<S>(step, x) };
                S::store($rounded, &mut rows[to].0[block]);
            }
        };
    }
    match step.round {
        Round::Full => each!(|x| x),
        Round::Half => each!(|x| S::half(x)),
        Round::HalfCut => each!(|x| S::half_cut(x)),
        Round::Fixed => each!(|x| fixed::<S>(x)),
    }
}

/// Operations whose components differ or that take longer, to the rows from `to` on.
#[inline(always)]
fn whole<S: Apart>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    blocks: Range<usize>,
    (step, to): (&Step, usize),
    active: u32,
) {
    let (family, apart) = (plan.family, lanes.apart);
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    let rows = &mut lanes.rows[..];
    for block in blocks {
        let src = Sources {
            rows,
            block,
            step,
            family,
        };
        let mut killed = 0;
        let x: [S::F; 4] = match step.op {
            Op::Div | Op::DivSq => quotients::<S>(src),
            Op::Rsq | Op::Sin | Op::Cos | Op::Pow => [scalar::<S>(src); 4],
            Op::Dst | Op::Lit | Op::LitEx2 | Op::Rfl | Op::Nrm | Op::Bem => vector::<S>(src),
            Op::Str => [one; 4],
            Op::Tex | Op::Txp | Op::Txb | Op::Txl | Op::Txd | Op::TexBem | Op::TxpBem => {
                let (texel, lanes) = texture::<S>(units, src, apart);
                killed = lanes & active & ALL;
                texel
            }
            op if pack::packs(op) => packed::<S>(src),
            // NOP, SFL, and numbers whose operation is not known.
            _ => [zero; 4],
        };
        for c in 0..4 {
            if step.mask >> c & 1 != 0 {
                S::store(x[c], &mut rows[to + c].0[block]);
            }
        }
        lanes.killed[block] |= killed;
    }
}
