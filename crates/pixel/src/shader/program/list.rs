//! A program's steps as a list of operations on rows, made once when it is prepared: where each
//! operand lies and what may be left out is known before a pixel comes.

use super::lanes::BLOCKS;
use super::operations::Sums;
use super::plan::{Kind, Origin, Plan, Staging, Step};
use super::shorten::shortened;
use isotherm_regs::fp::{Limit, Op};
use std::ops::Range;

/// What is done, to one row unless it says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Code {
    /// The step's formula, of the rows that are named.
    Formula(Formula),
    /// A row is the same as another.
    Copy,
    /// Of the bits of a row some stay (the second number) and some flip (the third).
    Modify,
    /// Scale, clamp and rounding of the step.
    Finish,
    /// The lower or the upper half of a row's words as a number.
    Half(Half),
    /// The same as Finish, put into words as one half; the other one is the second row's.
    Pack(Half),
    /// All components by a function of the step's own, to the rows from `to` on.
    Whole,
    /// What the step computed is written where its condition holds.
    Write,
    /// Lanes are given up where a condition holds.
    Kill,
    /// Sources are put beside the registers.
    Unpack,
}

/// Which half of a word a component is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Half {
    Lower,
    Upper,
}

impl Half {
    fn of(component: usize) -> Half {
        match component % 2 {
            0 => Half::Lower,
            _ => Half::Upper,
        }
    }
}

/// The first component that is that half.
impl From<Half> for usize {
    #[inline(always)]
    fn from(half: Half) -> usize {
        half as usize
    }
}

/// Formulas of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Formula {
    Mov,
    Mul,
    Add,
    Mad,
    /// 1 less a number.
    Rest,
    Min,
    Max,
    Slt,
    Sge,
    Sle,
    Sgt,
    Seq,
    Sne,
    Flr,
    Frc,
    Ddx,
    Ddy,
    Rcp,
    Ex2,
    Lg2,
}

impl Formula {
    fn of(op: Op) -> Option<Formula> {
        Some(match op {
            Op::Mov => Formula::Mov,
            Op::Mul => Formula::Mul,
            Op::Add => Formula::Add,
            Op::Mad => Formula::Mad,
            Op::Min => Formula::Min,
            Op::Max => Formula::Max,
            Op::Slt => Formula::Slt,
            Op::Sge => Formula::Sge,
            Op::Sle => Formula::Sle,
            Op::Sgt => Formula::Sgt,
            Op::Seq => Formula::Seq,
            Op::Sne => Formula::Sne,
            Op::Flr => Formula::Flr,
            Op::Frc => Formula::Frc,
            Op::Ddx => Formula::Ddx,
            Op::Ddy => Formula::Ddy,
            Op::Rcp => Formula::Rcp,
            Op::Ex2 => Formula::Ex2,
            Op::Lg2 => Formula::Lg2,
            _ => return None,
        })
    }

    /// How many rows it reads.
    pub(super) fn arity(self) -> usize {
        match self {
            Formula::Mad => 3,
            Formula::Mov | Formula::Rest | Formula::Flr | Formula::Frc => 1,
            Formula::Ddx | Formula::Ddy => 1,
            Formula::Rcp | Formula::Ex2 | Formula::Lg2 => 1,
            _ => 2,
        }
    }

    /// Is it of x alone, for all components?
    fn is_of_x(self) -> bool {
        matches!(self, Formula::Rcp | Formula::Ex2 | Formula::Lg2)
    }
}

/// An operation on rows of all blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RowOp {
    pub code: Code,
    /// How it adds and multiplies.
    pub sums: Sums,
    /// The step that it belongs to.
    pub step: u32,
    pub to: u32,
    pub rows: [u32; 3],
}

impl RowOp {
    /// How many of its numbers are rows that it reads; [`Code::Whole`] and the like read what
    /// their step says.
    pub(super) fn reads(&self) -> usize {
        match self.code {
            Code::Formula(formula) => formula.arity(),
            Code::Copy | Code::Modify | Code::Finish | Code::Half(_) => 1,
            Code::Pack(_) => 2,
            Code::Whole | Code::Write | Code::Kill | Code::Unpack => 0,
        }
    }

    /// It names no row from here on.
    fn end(&self) -> usize {
        let read = self.rows[..self.reads()].iter().max();
        read.map_or(0, |&row| row as usize + 1)
            .max(self.to as usize + 1)
    }
}

/// Operations of all steps.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    ops: Vec<RowOp>,
    /// Those of a step where all lanes run.
    steps: Vec<Range<usize>>,
    /// Those that compute a step's result with nothing left out and leave it where it waits to
    /// be written.
    results: Vec<Range<usize>>,
    /// Those of all steps, up to the end, but for what nobody needs: where texels may be negative,
    /// and where none ever is.
    all: [Vec<RowOp>; 2],
    /// No operation names a row from here on.
    rows: usize,
}

impl List {
    pub(super) fn new(plan: &Plan) -> List {
        let mut list = List::default();
        for (at, step) in plan.steps.iter().enumerate() {
            let start = list.ops.len();
            list.step(plan, at, step);
            list.steps.push(start..list.ops.len());
        }
        let last = plan.steps.iter().position(|step| step.end);
        let last = last.or(plan.steps.len().checked_sub(1));
        let all = 0..last.map_or(0, |last| list.steps[last].end);
        list.all = [false, true].map(|texels_positive| {
            let mut ops = list.ops[all.clone()].to_vec();
            for op in &mut ops {
                let alike = plan.steps[op.step as usize].alike;
                op.sums = Sums::of(plan.family, alike.holds(texels_positive));
            }
            shortened(plan, &ops)
        });
        for (at, step) in plan.steps.iter().enumerate() {
            let start = list.ops.len();
            if step.op != Op::Kil && step.branch.is_none() {
                list.compute(plan, at, step, plan.out, false);
            }
            list.results.push(start..list.ops.len());
        }
        let all = list.all.iter().flatten().chain(&list.ops);
        list.rows = all.map(RowOp::end).max().unwrap_or(0);
        list
    }

    /// Of a step where all lanes run.
    #[inline(always)]
    pub(super) fn step_ops(&self, step: usize) -> &[RowOp] {
        &self.ops[self.steps[step].clone()]
    }

    /// Of a step whose result waits.
    #[inline(always)]
    pub(super) fn result_ops(&self, step: usize) -> &[RowOp] {
        &self.ops[self.results[step].clone()]
    }

    /// Of a program without branches, whose texels may be negative or never are.
    #[inline(always)]
    pub(super) fn all(&self, texels_positive: bool) -> &[RowOp] {
        &self.all[usize::from(texels_positive)]
    }

    /// No operation names a row from here on.
    #[inline(always)]
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        let all = self.all.iter().map(Vec::len).sum::<usize>();
        size_of::<RowOp>() * (self.ops.len() + all)
    }

    /// A step as it is run where all lanes run.
    fn step(&mut self, plan: &Plan, at: usize, step: &Step) {
        if step.branch.is_some() {
            return;
        }
        if step.op == Op::Kil {
            return self.push(plan, at, Code::Kill, 0, &[]);
        }
        let keeps = step.mask != 0 && (step.dst.is_some() || step.cc_write);
        if !keeps && !step.op.is_texture() {
            return;
        }
        if step.staged {
            self.stage(plan, at, step);
        }
        match step.dst {
            Some(dst) if step.direct => self.compute(plan, at, step, dst.row as usize, true),
            Some(dst) if step.always && dst.kind == Kind::Whole => {
                self.compute(plan, at, step, plan.out, true);
                for c in written(step) {
                    let from = (plan.out + c) as u32;
                    self.push(plan, at, Code::Finish, dst.row as usize + c, &[from]);
                }
            }
            Some(dst) if step.always => {
                self.compute(plan, at, step, plan.out, true);
                for c in written(step) {
                    let words = dst.row_of(c);
                    let from = [(plan.out + c) as u32, words];
                    let pack = Code::Pack(Half::of(c));
                    self.push(plan, at, pack, words as usize, &from);
                }
            }
            _ => {
                self.compute(plan, at, step, plan.out, true);
                self.push(plan, at, Code::Write, 0, &[]);
            }
        }
    }

    /// Puts sources that do not lie ready beside the registers: halves of words one by one, if
    /// there are no others.
    fn stage(&mut self, plan: &Plan, at: usize, step: &Step) {
        let (first, ops) = (plan.unpacked, self.ops.len());
        for (i, src) in step.src.iter().enumerate() {
            let place = match src.staged {
                None => continue,
                Some(Staging {
                    from: Origin::Halves(place),
                    undivided: false,
                    limit: Limit::None,
                }) => place,
                Some(_) => {
                    self.ops.truncate(ops);
                    return self.push(plan, at, Code::Unpack, 0, &[]);
                }
            };
            for c in 0..4 {
                let to = first + 4 * i + c;
                let is_read = |slot: usize| src.rows[slot] as usize == to;
                if (0..4).any(|slot| src.slots >> slot & 1 != 0 && is_read(slot)) {
                    let half = Code::Half(Half::of(c));
                    self.push(plan, at, half, to, &[place.row_of(c)]);
                }
            }
        }
    }

    /// What computes a step's result in the rows from `to` on; `short` leaves out what is known
    /// not to matter.
    fn compute(&mut self, plan: &Plan, at: usize, step: &Step, to: usize, short: bool) {
        if !is_by_components(step.op) {
            return self.push(plan, at, Code::Whole, to, &[]);
        }
        let sources = self.sources(plan, at, step);
        let one_for_all = is_one_for_all(step.op);
        let mut first = None;
        for c in written(step) {
            let twin = usize::from(step.twins[c]);
            let same = match one_for_all {
                true => first,
                false => (short && twin != c).then_some(twin),
            };
            first = first.or(Some(c));
            match same {
                Some(same) => self.push(plan, at, Code::Copy, to + c, &[(to + same) as u32]),
                None => self.component(plan, at, &sources, c, to + c),
            }
        }
    }

    /// A component, by way of another row where it takes several operations: all of a step's
    /// sources are read before its result is written.
    fn component(&mut self, plan: &Plan, at: usize, sources: &[[u32; 4]; 3], c: usize, to: usize) {
        let (step, way) = (&plan.steps[at], plan.out + c);
        let [a, b, d] = sources;
        let on_the_way = way as u32;
        let mut push = |formula, to, rows: &[u32]| {
            self.push(plan, at, Code::Formula(formula), to, rows);
        };
        match step.op {
            Op::Dp2 | Op::Dp2a | Op::Dp3 | Op::Dp4 => {
                let last = match step.op {
                    Op::Dp3 => 2,
                    Op::Dp4 => 3,
                    _ => 1,
                };
                let adds = step.op == Op::Dp2a;
                push(Formula::Mul, way, &[a[0], b[0]]);
                for i in 1..=last {
                    let to = if i == last && !adds { to } else { way };
                    push(Formula::Mad, to, &[a[i], b[i], on_the_way]);
                }
                if adds {
                    push(Formula::Add, to, &[on_the_way, d[0]]);
                }
            }
            Op::Lrp => {
                push(Formula::Rest, way, &[a[c]]);
                push(Formula::Mul, way, &[on_the_way, d[c]]);
                push(Formula::Mad, to, &[a[c], b[c], on_the_way]);
            }
            op => {
                if let Some(formula) = Formula::of(op) {
                    let c = if formula.is_of_x() { 0 } else { c };
                    push(formula, to, &[a[c], b[c], d[c]]);
                }
            }
        }
    }

    /// The rows of sources' components, for which those that are not read as they are get
    /// rows of their own.
    fn sources(&mut self, plan: &Plan, at: usize, step: &Step) -> [[u32; 4]; 3] {
        let mut rows = [0, 1, 2].map(|i| step.src[i].rows);
        for (i, (src, rows)) in step.src.iter().zip(&mut rows).enumerate() {
            if src.plain() {
                continue;
            }
            // What has been unpacked lies in these rows already.
            let own = (plan.unpacked + 4 * i) as u32;
            let mut made: [Option<u32>; 4] = [None; 4];
            for c in (0..4).filter(|c| src.slots >> c & 1 != 0) {
                let from = src.rows[c];
                let place = match src.staged {
                    Some(_) => (from - own) as usize % 4,
                    None => (0..4)
                        .find(|&k| made[k].is_none_or(|row| row == from))
                        .unwrap_or(0),
                };
                let to = own + place as u32;
                if made[place].replace(from).is_none() {
                    let modify = [from, src.and, src.xor];
                    self.push(plan, at, Code::Modify, to as usize, &modify);
                }
                rows[c] = to;
            }
        }
        rows
    }

    fn push(&mut self, plan: &Plan, at: usize, code: Code, to: usize, from: &[u32]) {
        let mut rows = [0; 3];
        rows[..from.len()].copy_from_slice(from);
        self.ops.push(RowOp {
            code,
            sums: Sums::of(plan.family, false),
            step: at as u32,
            to: to as u32,
            rows,
        });
    }
}

/// Is an operation made of formulas of components?
fn is_by_components(op: Op) -> bool {
    Formula::of(op).is_some() || op == Op::Lrp || is_one_for_all(op)
}

/// And have all components the same result?
fn is_one_for_all(op: Op) -> bool {
    let sum = matches!(op, Op::Dp2 | Op::Dp2a | Op::Dp3 | Op::Dp4);
    sum || Formula::of(op).is_some_and(Formula::is_of_x)
}

/// The components that a step writes.
fn written(step: &Step) -> impl Iterator<Item = usize> {
    let mask = step.mask;
    (0..4).filter(move |c| mask >> c & 1 != 0)
}

// Blocks are taken in pairs.
const _: () = assert!(BLOCKS.is_multiple_of(2));
