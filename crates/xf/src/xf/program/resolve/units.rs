//! What the two units do, as operations.

use super::{Places, Resolver};
use crate::xf::arith::Test;
use crate::xf::program::file::{self, Slot};
use crate::xf::program::op::{Code, Op, Part, Scalar};
use isotherm_regs::xf::isa::Inst;
use isotherm_regs::xf::isa::ops::{sca, vec};

/// Operands that are not there.
const NOTHING: [Slot; 4] = [Slot::ZERO; 4];

impl Resolver {
    /// The vector unit's operation.
    pub(super) fn vector(&mut self, inst: &Inst, src: &[[Slot; 4]; 3], to: &Places) {
        let [a, b, c] = src;
        let code = match inst.vec {
            vec::DP3 => return self.one(Code::Dp3, &a[..3], &b[..3], to),
            vec::DP4 => return self.one(Code::Dp4, a, b, to),
            // The homogeneous dot product takes 1 for the first operand's w.
            vec::DPH => return self.one(Code::Dp4, &[a[0], a[1], a[2], Slot::ONE], b, to),
            vec::DST => return self.distance(a, b, to),
            vec::SFL => return self.each(Code::Copy, [&[Slot::ZERO; 4]; 3], to),
            vec::STR => return self.each(Code::Copy, [&[Slot::ONE; 4]; 3], to),
            vec::MOV => Code::Copy,
            vec::MUL => Code::Mul,
            vec::ADD => return self.each(Code::Add, [a, c, &NOTHING], to),
            vec::MAD => Code::Mad,
            vec::MIN => Code::Min,
            vec::MAX => Code::Max,
            vec::SLT => Code::Set(Test::Less),
            vec::SGE => Code::Set(Test::GreaterEqual),
            vec::SEQ => Code::Set(Test::Equal),
            vec::SGT => Code::Set(Test::Greater),
            vec::SLE => Code::Set(Test::LessEqual),
            vec::SNE => Code::Set(Test::NotEqual),
            vec::FRC => Code::Frc,
            vec::FLR => Code::Flr,
            vec::SSG => Code::Ssg,
            _ => return,
        };
        // What an operation does not read must not look as if it did.
        let sources = inst.vec_op(self.isa).sources;
        let read = |i: usize| {
            if sources >> i & 1 != 0 {
                &src[i]
            } else {
                &NOTHING
            }
        };
        self.each(code, [read(0), read(1), read(2)], to);
    }

    /// The scalar unit's. All but LIT and MOV look at x alone.
    pub(super) fn scalar(&mut self, inst: &Inst, src: &[Slot; 4], to: &Places) {
        use Scalar::*;
        let one = match inst.sca {
            sca::MOV => return self.each(Code::Copy, [src, &NOTHING, &NOTHING], to),
            sca::LIT => {
                let targets = (0..4).map(|c| to[c].unwrap_or(Slot::new(file::SCALAR, c)));
                let op = Op::one(Code::Lit, &[src[0], src[1], src[3]], &[], targets);
                return self.made.ops.push(op);
            }
            sca::EXP => return self.several([ExpFlr, ExpFrc, Exp], src[0], to),
            sca::LOG => return self.several([LogE, LogF, Log], src[0], to),
            sca::RCP => Rcp,
            sca::RCC => Rcc,
            sca::RSQ => Rsq,
            sca::LG2 => Lg2,
            sca::EX2 => Ex2,
            sca::SIN => Sin,
            sca::COS => Cos,
            _ => return,
        };
        self.one(Code::Scalar(one), &src[..1], &[], to);
    }

    /// Three numbers and 1 from x.
    pub(super) fn several(&mut self, all: [Scalar; 3], x: Slot, to: &Places) {
        for (one, to) in all.into_iter().zip(to) {
            self.one(Code::Scalar(one), &[x], &[], &[*to, None, None, None]);
        }
        self.each(
            Code::Copy,
            [&[Slot::ONE; 4], &NOTHING, &NOTHING],
            &[None, None, None, to[3]],
        );
    }

    /// DST: 1, a product of the ys, z of the first and w of the second.
    pub(super) fn distance(&mut self, a: &[Slot; 4], b: &[Slot; 4], to: &Places) {
        self.each(Code::Mul, [a, b, &NOTHING], &[None, to[1], None, None]);
        let copied = [Slot::ONE, Slot::ZERO, a[2], b[3]];
        self.each(
            Code::Copy,
            [&copied, &NOTHING, &NOTHING],
            &[to[0], None, to[2], to[3]],
        );
    }

    /// An operation on each component that has a place.
    pub(super) fn each(&mut self, code: Code, [a, b, c]: [&[Slot; 4]; 3], to: &Places) {
        let part = |i: usize| {
            to[i].map(|to| Part {
                to,
                a: a[i],
                b: b[i],
                c: c[i],
            })
        };
        self.push(Op::each(code, (0..4).filter_map(part)));
    }

    /// An operation that gives all components the same.
    pub(super) fn one(&mut self, code: Code, a: &[Slot], b: &[Slot], to: &Places) {
        self.push(Op::one(code, a, b, to.iter().copied().flatten()));
    }

    pub(super) fn saturate(&mut self, at: &Places) {
        let slots = at.map(|slot| slot.unwrap_or(Slot::ZERO));
        self.each(Code::Saturate, [&slots, &NOTHING, &NOTHING], at);
    }

    pub(super) fn saturate_if(&mut self, sat: bool, at: &Places) {
        if sat {
            self.saturate(at);
        }
    }
}
