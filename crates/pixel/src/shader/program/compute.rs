//! Operations on rows: all that a program computes.

use super::apart::Apart;
use super::exec::{ALL, At, Units, any, conditions, finish, fixed, limited, write};
use super::lanes::{BLOCKS, Lanes, Rows, half, with_half};
use super::list::{Code, Formula, RowOp};
use super::operations::{
    Sources, Sums, across, add, down, packed, quotients, scalar, texture, vector,
};
use super::pack;
use super::plan::{Plan, Round, Step};
use isotherm_lanes::{Lane, Simd, math};
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
        match op.code {
            Code::Formula(formula) => {
                component::<S>(File::of(plan, lanes), blocks.clone(), op, formula);
            }
            Code::Copy => component::<S>(File::of(plan, lanes), blocks.clone(), op, Formula::Mov),
            Code::Modify => {
                let (mut file, [_, and, xor]) = (File::of(plan, lanes), op.rows);
                for block in blocks.clone() {
                    let x = S::load(file.at(op.rows[0], block));
                    S::store(S::modify(x, and, xor), file.to(op, block));
                }
            }
            Code::Finish => {
                let step = &plan.steps[op.step as usize];
                finish_row::<S>(File::of(plan, lanes), blocks.clone(), step, op);
            }
            Code::Half(of) => {
                let mut file = File::of(plan, lanes);
                for block in blocks.clone() {
                    let words = S::to_bits(S::load(file.at(op.rows[0], block)));
                    S::store(half::<S>(words, of.into()), file.to(op, block));
                }
            }
            Code::Pack(as_half) => {
                let (step, mut file) = (&plan.steps[op.step as usize], File::of(plan, lanes));
                for block in blocks.clone() {
                    let x = finish::<S>(step, S::load(file.at(op.rows[0], block)));
                    let words = S::to_bits(S::load(file.at(op.rows[1], block)));
                    let words = with_half::<S>(words, as_half.into(), x);
                    S::store(S::from_bits(words), file.to(op, block));
                }
            }
            _ => step_op::<S>(plan, units, lanes, blocks.clone(), op, at),
        }
    }
}

/// What a whole step is needed for.
#[inline(always)]
fn step_op<S: Apart>(
    plan: &Plan,
    units: &Units,
    lanes: &mut Lanes,
    blocks: Range<usize>,
    op: &RowOp,
    at: At,
) {
    let step = &plan.steps[op.step as usize];
    match op.code {
        Code::Whole => {
            let to = op.to as usize;
            whole::<S>(plan, units, lanes, blocks, (step, to), at.active);
        }
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
        _ => {
            for block in blocks {
                lanes.unpack::<S>(block, plan, step, at.index);
            }
        }
    }
}

/// The rows that a plan's operations name.
struct File<'a>(&'a mut [Rows]);

impl<'a> File<'a> {
    #[inline(always)]
    fn of(plan: &Plan, lanes: &'a mut Lanes) -> File<'a> {
        assert!(plan.list.rows() <= lanes.rows.len());
        File(&mut lanes.rows)
    }

    /// Of a row that an operation of the plan reads, a block.
    #[inline(always)]
    fn at(&self, row: u32, block: usize) -> &Lane {
        // SAFETY: no operation of the plan names a row from `rows` on, and there are so many. To
        // ask for each row again takes as long as adding it.
        let row = unsafe { self.0.get_unchecked(row as usize) };
        &row.0[block]
    }

    /// Of the row that an operation of the plan writes, a block.
    #[inline(always)]
    fn to(&mut self, op: &RowOp, block: usize) -> &mut Lane {
        // SAFETY: as above.
        let row = unsafe { self.0.get_unchecked_mut(op.to as usize) };
        &mut row.0[block]
    }
}

/// A component by its formula. Rows are looked for once for all blocks, and what is the same for
/// all of them is chosen once.
#[inline(always)]
fn component<S: Apart>(mut file: File<'_>, blocks: Range<usize>, op: &RowOp, formula: Formula) {
    let (one, zero) = (S::splat(1.0), S::splat(0.0));
    /// A formula of the operation's rows.
    macro_rules! of {
        (|$($name:ident = $at:literal),+| $e:expr) => {
            for block in blocks {
                $(let $name = S::load(file.at(op.rows[$at], block));)+
                S::store($e, file.to(op, block));
            }
        };
    }
    /// The same for each way of adding.
    macro_rules! sums {
        (|$how:ident, $($name:ident = $at:literal),+| $e:expr) => {
            match op.sums {
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
fn finish_row<S: Simd>(mut file: File<'_>, blocks: Range<usize>, step: &Step, op: &RowOp) {
    let whole = step.scale == 1.0 && !step.sat;
    /// How it is rounded is chosen once for all blocks.
    macro_rules! each {
        (|$x:ident| $rounded:expr) => {
            for block in blocks {
                let x = S::load(file.at(op.rows[0], block));
                let $x = if whole { x } else { limited::<S>(step, x) };
                S::store($rounded, file.to(op, block));
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
