//! What is known of numbers' signs before a program runs.
//!
//! Curie's adder cuts its smaller operand. Where both operands have the same sign that changes
//! nothing, since what is cut lies below the last bit of the sum, and an addition is one
//! instruction instead of about a dozen. Squares, colours and what MAX leaves are of that kind.

use super::plan::{Kind, Operand, Plan, Round, Step};
use isotherm_regs::Family;
use isotherm_regs::fp::{Cond, Op};

/// May a step add as if nothing were cut?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alike {
    No,
    /// If no texel is negative.
    WithTexels,
    Yes,
}

impl Alike {
    /// Is it so, with texels that are never negative or with others?
    #[inline(always)]
    pub(super) fn holds(self, texels: bool) -> bool {
        self == Alike::Yes || texels && self == Alike::WithTexels
    }
}

/// What a number can be beside zero and no number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Any,
    Positive,
    Negative,
}

use Sign::{Any, Negative, Positive};

impl Sign {
    fn flipped(self) -> Sign {
        match self {
            Any => Any,
            Positive => Negative,
            Negative => Positive,
        }
    }

    fn times(self, other: Sign) -> Sign {
        match self {
            Any => Any,
            Positive => other,
            Negative => other.flipped(),
        }
    }

    /// Of a number that is one or the other, or the sum of both.
    fn or(self, other: Sign) -> Sign {
        if self == other { self } else { Any }
    }
}

/// Finds the steps that may add so.
pub(super) fn alike(plan: &Plan) -> Vec<Alike> {
    if plan.family != Family::Curie || plan.branches {
        return vec![Alike::No; plan.steps.len()];
    }
    let both = Signs::of(plan, Any).into_iter();
    let both = both.zip(Signs::of(plan, Positive));
    let found = both.map(|(always, with_texels)| match (always, with_texels) {
        (true, _) => Alike::Yes,
        (_, true) => Alike::WithTexels,
        _ => Alike::No,
    });
    found.collect()
}

/// The signs of rows, step after step.
struct Signs {
    rows: Vec<Sign>,
    texel: Sign,
}

impl Signs {
    /// Which steps add numbers of one sign, if texels have this one.
    fn of(plan: &Plan, texel: Sign) -> Vec<bool> {
        let mut rows = vec![Any; plan.first_const];
        rows.extend(plan.consts.iter().map(|row| {
            if row[0].is_sign_negative() {
                Negative
            } else {
                Positive
            }
        }));
        let mut signs = Signs { rows, texel };
        plan.steps.iter().map(|step| signs.take(step)).collect()
    }

    /// What a step does to them; whether it adds numbers of one sign.
    fn take(&mut self, step: &Step) -> bool {
        let alike = self.adds_alike(step);
        let results = [0, 1, 2, 3].map(|c| self.result(step, c));
        let Some(dst) = step.dst else { return alike };
        for c in 0..4 {
            let row = &mut self.rows[dst.row as usize + c];
            let written = step.mask >> c & 1 != 0;
            *row = match dst.kind {
                Kind::Whole if !written => *row,
                Kind::Whole if step.cond == Cond::Tr => results[c],
                Kind::Whole => row.or(results[c]),
                // Halves of other components lie there.
                Kind::Low | Kind::High => Any,
            };
        }
        alike
    }

    fn source(&self, from: &Operand, c: usize) -> Sign {
        let sign = match from.and {
            u32::MAX => self.rows[from.rows[c] as usize],
            _ => Positive,
        };
        if from.xor == 0 { sign } else { sign.flipped() }
    }

    /// Of the product of the first two sources.
    fn product(&self, step: &Step, c: usize) -> Sign {
        let [a, b, _] = &step.src;
        if a.rows[c] == b.rows[c] && a.and == b.and {
            return if a.xor == b.xor { Positive } else { Negative };
        }
        self.source(a, c).times(self.source(b, c))
    }

    /// Of the first products, if it is the same one.
    fn products(&self, step: &Step, count: usize) -> Sign {
        let rest = (1..count).map(|c| self.product(step, c));
        rest.fold(self.product(step, 0), Sign::or)
    }

    fn adds_alike(&self, step: &Step) -> bool {
        let written = |c: &usize| step.mask >> c & 1 != 0;
        let sum = |c: usize| match step.op {
            Op::Add => self
                .source(&step.src[0], c)
                .or(self.source(&step.src[1], c)),
            _ => self.product(step, c).or(self.source(&step.src[2], c)),
        };
        match step.op {
            Op::Add | Op::Mad => (0..4).filter(written).all(|c| sum(c) != Any),
            Op::Dp2 => self.products(step, 2) != Any,
            Op::Dp3 => self.products(step, 3) != Any,
            Op::Dp4 => self.products(step, 4) != Any,
            _ => false,
        }
    }

    /// Of a component of the result, as it is when scale, clamp and rounding are done.
    fn result(&self, step: &Step, c: usize) -> Sign {
        if step.sat {
            return Positive;
        }
        // What is no number becomes -2.
        if step.round == Round::Fixed {
            return Any;
        }
        let source = |i: usize| self.source(&step.src[i], c);
        match step.op {
            Op::Mov => source(0),
            Op::Mul => self.product(step, c),
            Op::Add => source(0).or(source(1)),
            Op::Mad => self.product(step, c).or(source(2)),
            Op::Dp2 => self.products(step, 2),
            Op::Dp3 => self.products(step, 3),
            Op::Dp4 => self.products(step, 4),
            Op::Max if [source(0), source(1)].contains(&Positive) => Positive,
            Op::Min if [source(0), source(1)].contains(&Negative) => Negative,
            Op::Max | Op::Min => source(0).or(source(1)),
            Op::Slt | Op::Sge | Op::Sle | Op::Sgt | Op::Sne | Op::Seq | Op::Str => Positive,
            Op::Frc | Op::Ex2 | Op::Rsq => Positive,
            Op::Tex | Op::Txp | Op::Txb | Op::Txl | Op::Txd if !step.expand => self.texel,
            _ => Any,
        }
    }
}
