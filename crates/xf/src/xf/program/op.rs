//! What the units do, with every operand's place known.

use super::super::arith::Test;
use super::file::Slot;

/// What is done to a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// Component by component.
    Copy,
    Mul,
    Add,
    Mad,
    Min,
    Max,
    Set(Test),
    Frc,
    Flr,
    Ssg,
    /// Absolute value, then sign: the bits that stay, and those that turn.
    Modify(u32, u32),
    Saturate,
    /// All ones in lanes whose condition code is one of these.
    Pass(u32),
    /// `a` in the lanes that pass in `b`.
    Blend,
    /// The condition code, in the lanes that pass in `b`.
    Compare,
    /// One number from several components, written to all targets.
    Dp3,
    Dp4,
    /// One number from x.
    Scalar(Scalar),
    /// Four from x, y and w.
    Lit,
}

/// Operations of the scalar unit that give one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Rcp,
    Rcc,
    Rsq,
    Lg2,
    Ex2,
    Sin,
    Cos,
    ExpFlr,
    ExpFrc,
    Exp,
    LogE,
    LogF,
    Log,
}

/// One component's target and sources; what is not read is [`Slot::ZERO`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub to: Slot,
    pub a: Slot,
    pub b: Slot,
    pub c: Slot,
}

impl Part {
    /// Reads and writes nothing of interest.
    pub const IDLE: Part = Part {
        to: Slot::ZERO,
        a: Slot::ZERO,
        b: Slot::ZERO,
        c: Slot::ZERO,
    };
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Op {
    pub code: Code,
    /// Targets, in the first of the parts.
    pub count: u8,
    pub parts: [Part; 4],
}

impl Op {
    /// One that does something to each part by itself.
    pub fn each(code: Code, parts: impl IntoIterator<Item = Part>) -> Op {
        let mut op = Op {
            code,
            count: 0,
            parts: [Part::IDLE; 4],
        };
        for (to, part) in op.parts.iter_mut().zip(parts) {
            *to = part;
            op.count += 1;
        }
        op
    }

    /// One that makes one number of all sources.
    pub fn one(code: Code, a: &[Slot], b: &[Slot], targets: impl IntoIterator<Item = Slot>) -> Op {
        let target = |to| Part { to, ..Part::IDLE };
        let mut op = Op::each(code, targets.into_iter().map(target));
        for (part, &a) in op.parts.iter_mut().zip(a) {
            part.a = a;
        }
        for (part, &b) in op.parts.iter_mut().zip(b) {
            part.b = b;
        }
        op
    }

    /// The parts that have a target.
    #[inline(always)]
    pub fn targets(&self) -> &[Part] {
        &self.parts[..usize::from(self.count.min(4))]
    }

    /// Whether all sources are read before anything is written.
    fn reads_first(&self) -> bool {
        use Code::{Dp3, Dp4, Lit, Scalar};
        matches!(self.code, Dp3 | Dp4 | Scalar(_) | Lit)
    }

    /// Whether it reads what is in `written` or what it has written itself; adds that.
    pub fn clashes(&self, written: &mut Vec<Slot>) -> bool {
        let reads = |part: &Part, written: &[Slot]| {
            [part.a, part.b, part.c].iter().any(|s| written.contains(s))
        };
        let mut clash = self.reads_first() && self.parts.iter().any(|p| reads(p, written));
        for part in self.targets() {
            clash |= !self.reads_first() && reads(part, written);
            written.push(part.to);
        }
        clash
    }
}
