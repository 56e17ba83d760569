//! Instructions to operations whose operands' places are known.
//!
//! Straight code becomes lists of operations that run for all lanes one after the other; each
//! result goes where the instruction wants it, if that does not spoil what is read later.
//! What such a list cannot say (indices, textures, address registers) is a step of its own, as
//! are all instructions of code that branches.

use super::super::arith::Test;
use super::Prep;
use super::alu::{scalar_gives, vector_gives};
use super::file::{self, Slot};
use super::flow::codes_of;
use super::machine::{OUTPUTS, POSITION_SHADOW, TEMPS};
use super::op::{Code, Op, Part, Scalar};
use super::write::{FOG, is_number};
use isotherm_regs::xf::isa::ops::{sca, vec};
use isotherm_regs::xf::isa::{Dst, Inst, Isa, Mux, Src, Target, Unit};
use std::ops::Range;

/// A component of a context row, and what is done to its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constant {
    pub row: u16,
    pub component: u8,
    pub keep: u32,
    pub turn: u32,
}

/// A part of straight code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stretch {
    Ops(Range<usize>),
    /// An instruction by itself.
    Step(usize),
}

/// An instruction by itself: its results are left in the file's rows for them.
#[derive(Clone, Debug)]
pub(super) struct Single {
    /// Sources that are put into the file's rows for them before anything runs.
    pub gathered: u8,
    /// Operations that make sources, and those that use them.
    pub makes: Range<usize>,
    pub ops: Range<usize>,
    /// Where the first source lies.
    pub first: [Slot; 4],
}

/// A program.
#[derive(Clone, Debug, Default)]
pub(super) struct Resolved {
    pub ops: Vec<Op>,
    /// Each instruction.
    pub singles: Vec<Single>,
    /// All of straight code, and the constants that its lists read.
    pub stretches: Vec<Stretch>,
    pub constants: Vec<Constant>,
}

impl Resolved {
    /// Makes operations of instructions; `shadow` if the position can be read back.
    pub fn new(isa: Isa, shadow: bool, flow: bool, insts: &[Inst], preps: &[Prep]) -> Resolved {
        let mut to = Resolver {
            isa,
            shadow,
            made: Resolved::default(),
        };
        for (inst, prep) in insts.iter().zip(preps) {
            to.single(inst, prep);
        }
        if !flow {
            for (at, (inst, prep)) in insts.iter().zip(preps).enumerate() {
                to.straight(at, inst, prep);
            }
        }
        to.made
    }
}

/// What has been made so far.
struct Resolver {
    isa: Isa,
    shadow: bool,
    made: Resolved,
}

/// Where the components of a result go; none for those that nobody looks at.
type Places = [Option<Slot>; 4];

/// A place that takes a component of a result.
type Taker = (Slot, usize);

/// The components in a mask, x in its bit 3.
fn components(mask: u8) -> impl Iterator<Item = usize> {
    (0..4).filter(move |c| mask >> (3 - c) & 1 != 0)
}

/// The components of a row that are in a mask.
fn places(row: usize, mask: u8) -> Places {
    let mut places = [None; 4];
    for c in components(mask) {
        places[c] = Some(Slot::new(row, c));
    }
    places
}

/// The bits of a source that stay, and those that turn.
fn modifiers(src: Src) -> (u32, u32) {
    let keep = if src.abs { 0x7fff_ffff } else { u32::MAX };
    (keep, u32::from(src.neg) << 31)
}

/// The components of a source that the units look at, after its swizzle.
fn looked_at(isa: Isa, inst: &Inst, prep: &Prep, source: usize) -> u8 {
    let mut mask = 0;
    if inst.vec_op(isa).sources >> source & 1 != 0 {
        mask |= match inst.vec {
            vec::DP3 => 0b1110,
            vec::DPH if source == 0 => 0b1110,
            op if !vector_gives(op) || matches!(op, vec::DP4 | vec::DPH | vec::DST) => 0b1111,
            _ => prep.vec_need,
        };
    }
    if inst.sca_op(isa).sources >> source & 1 != 0 {
        mask |= match inst.sca {
            sca::MOV => prep.sca_need,
            sca::LIT => 0b1101,
            op if scalar_gives(op) => 0b1000,
            _ => 0,
        };
    }
    mask
}

impl Resolver {
    /// An instruction whose sources may differ in kind from lane to lane.
    fn single(&mut self, inst: &Inst, prep: &Prep) {
        let start = self.made.ops.len();
        let mut gathered = 0;
        let mut src = [[Slot::ZERO; 4]; 3];
        for i in (0..3).filter(|i| prep.read >> i & 1 != 0) {
            let raw = match self.register(inst, inst.src[i]) {
                Some(row) => row,
                None => {
                    gathered |= 1 << i;
                    file::MADE + i
                }
            };
            let mask = looked_at(self.isa, inst, prep, i);
            src[i] = self.modified(inst.src[i], i, raw, mask);
        }
        let middle = self.made.ops.len();
        if prep.vec {
            let to = places(file::VECTOR, prep.vec_need);
            self.vector(inst, &src, &to);
        }
        if prep.sca {
            let to = places(file::SCALAR, prep.sca_need);
            self.scalar(inst, &src[2], &to);
        }
        if inst.sat {
            self.saturate(&places(file::VECTOR, prep.vec_need));
            self.saturate(&places(file::SCALAR, prep.sca_need));
        }
        self.made.singles.push(Single {
            gathered,
            makes: start..middle,
            ops: middle..self.made.ops.len(),
            first: src[0],
        });
    }

    /// An instruction of straight code: operations, if they can say it.
    fn straight(&mut self, at: usize, inst: &Inst, prep: &Prep) {
        let start = self.made.ops.len();
        let listed = self.listed(inst, prep).is_some();
        if !listed {
            self.made.ops.truncate(start);
            return self.made.stretches.push(Stretch::Step(at));
        }
        let end = self.made.ops.len();
        match self.made.stretches.last_mut() {
            Some(Stretch::Ops(range)) if range.end == start => range.end = end,
            _ => self.made.stretches.push(Stretch::Ops(start..end)),
        }
    }

    /// The same, if they can.
    fn listed(&mut self, inst: &Inst, prep: &Prep) -> Option<()> {
        let texture = inst.vec == vec::TXL && self.isa == Isa::Curie;
        let written = (inst.vec_dst.out_mask | inst.sca_dst.out_mask) != 0;
        let elsewhere = written && (inst.out.indexed || inst.out.target == Target::Ctx);
        if prep.address || texture || elsewhere {
            return None;
        }
        let mut src = [[Slot::ZERO; 4]; 3];
        for i in (0..3).filter(|i| prep.read >> i & 1 != 0) {
            src[i] = self.source(inst, i, looked_at(self.isa, inst, prep, i))?;
        }
        if let Some(cond) = inst.cond {
            let codes = Slot::row(file::CODES + usize::from(inst.cc_reg & 1));
            let part = |c: usize| Part {
                to: Slot::new(file::PASS, c),
                a: codes[usize::from(cond.swz[c] & 3)],
                ..Part::IDLE
            };
            let op = Op::each(Code::Pass(codes_of(cond)), (0..4).map(part));
            self.made.ops.push(op);
        }
        let start = self.made.ops.len();
        if !self.results(inst, prep, &src, true) {
            self.made.ops.truncate(start);
            self.results(inst, prep, &src, false);
        }
        Some(())
    }

    /// Both units' results, written at once if `direct`. False if that spoils something.
    fn results(&mut self, inst: &Inst, prep: &Prep, src: &[[Slot; 4]; 3], direct: bool) -> bool {
        let takers = |gives, dst| {
            if gives {
                self.takers(inst, dst)
            } else {
                Vec::new()
            }
        };
        let vec_takers = takers(prep.vec, inst.vec_dst);
        let sca_takers = takers(prep.sca, inst.sca_dst);
        let compared = |gives: bool, unit, dst: Dst| match inst.cc {
            Some(cc) if gives && cc == unit => dst.mask | dst.out_mask,
            _ => 0,
        };
        let vec_compared = compared(prep.vec, Unit::Vec, inst.vec_dst);
        let sca_compared = compared(prep.sca, Unit::Sca, inst.sca_dst);
        let passing = inst.cond.is_some();
        let at_once = direct && !passing;
        let vec_to = home(&vec_takers, vec_compared, file::VECTOR, at_once);
        let sca_to = home(&sca_takers, sca_compared, file::SCALAR, at_once);
        let mut written = Vec::new();
        // One unit's result could be overwritten before it is compared.
        let mut good = !(prep.vec && prep.sca && inst.cc.is_some());

        let start = self.made.ops.len();
        // A move under a condition takes its source as it lies.
        let as_it_lies = direct && passing && prep.vec_move && !prep.sca && !inst.sat;
        let vec_to = if as_it_lies {
            src[0].map(Some)
        } else {
            if prep.vec {
                self.vector(inst, src, &vec_to);
            }
            vec_to
        };
        good &= self.good_since(start, &mut written);
        if inst.sat {
            self.saturate(&vec_to);
        }
        if !direct && prep.sca {
            self.scalar(inst, &src[2], &sca_to);
            self.saturate_if(inst.sat, &sca_to);
        }
        let start = self.made.ops.len();
        self.hand_out(&vec_takers, &vec_to, passing);
        if as_it_lies {
            good &= self.good_since(start, &mut written);
        }
        written.extend(vec_takers.iter().map(|t| t.0));
        if direct && prep.sca {
            let start = self.made.ops.len();
            self.scalar(inst, &src[2], &sca_to);
            good &= self.good_since(start, &mut written);
            self.saturate_if(inst.sat, &sca_to);
        }
        self.hand_out(&sca_takers, &sca_to, passing);
        self.compare(inst, vec_compared, &vec_to);
        self.compare(inst, sca_compared, &sca_to);
        good && !(as_it_lies && vec_compared != 0)
    }

    /// Whether the operations since `start` read nothing that is written before.
    fn good_since(&self, start: usize, written: &mut Vec<Slot>) -> bool {
        let mut good = true;
        for op in &self.made.ops[start..] {
            good &= !op.clashes(written);
        }
        good
    }

    /// A register that lies in the file; `None` for a context row, and where an index chooses.
    fn register(&self, inst: &Inst, src: Src) -> Option<usize> {
        match src.mux {
            Mux::Temp if self.shadow && usize::from(src.reg) >= POSITION_SHADOW => {
                Some(file::POSITION)
            }
            Mux::Temp => Some(file::TEMP + usize::from(src.reg) % TEMPS),
            Mux::Input if !inst.input_indexed => {
                Some(file::INPUT + usize::from(inst.input) % file::INPUTS)
            }
            Mux::Input | Mux::Ctx => None,
        }
    }

    /// A source with its swizzle and modifiers, for which operations are made.
    fn modified(&mut self, src: Src, number: usize, row: usize, mask: u8) -> [Slot; 4] {
        let swizzled = |row| src.swz.map(|c| Slot::new(row, usize::from(c & 3)));
        if !(src.abs || src.neg) {
            return swizzled(row);
        }
        let read = components(mask).fold(0, |set, c| set | 8 >> (src.swz[c] & 3));
        let part = |c| Part {
            to: Slot::new(file::MADE + number, c),
            a: Slot::new(row, c),
            ..Part::IDLE
        };
        let (keep, turn) = modifiers(src);
        let op = Op::each(Code::Modify(keep, turn), components(read).map(part));
        self.made.ops.push(op);
        swizzled(file::MADE + number)
    }

    /// A source of straight code; `None` where an index chooses.
    fn source(&mut self, inst: &Inst, number: usize, mask: u8) -> Option<[Slot; 4]> {
        let src = inst.src[number];
        if let Some(row) = self.register(inst, src) {
            return Some(self.modified(src, number, row, mask));
        }
        if src.mux == Mux::Input || inst.ctx_indexed {
            return None;
        }
        let (keep, turn) = modifiers(src);
        let mut slots = [Slot::ZERO; 4];
        for c in components(mask) {
            slots[c] = self.constant(Constant {
                row: inst.ctx,
                component: src.swz[c] & 3,
                keep,
                turn,
            })?;
        }
        Some(slots)
    }

    /// The place of a constant.
    fn constant(&mut self, constant: Constant) -> Option<Slot> {
        let all = &mut self.made.constants;
        let number = all.iter().position(|c| *c == constant).unwrap_or(all.len());
        let slot = Slot::constant(number)?;
        if number == all.len() {
            all.push(constant);
        }
        Some(slot)
    }

    /// All places that take a result, in the order in which they are written.
    fn takers(&self, inst: &Inst, dst: Dst) -> Vec<Taker> {
        let mut takers: Vec<Taker> = Vec::new();
        let mut row = |row, mask| takers.extend(components(mask).map(|c| (Slot::new(row, c), c)));
        // Numbers beyond the register file write nothing.
        if let Some(reg) = dst.temp.map(usize::from).filter(|&r| r < self.isa.temps()) {
            row(file::TEMP + reg, dst.mask);
        }
        let out = inst.out.addr;
        if dst.out_mask == 0 || usize::from(out) >= OUTPUTS {
            return takers;
        }
        row(file::OUT + usize::from(out), dst.out_mask);
        if out == 0 && self.shadow {
            row(file::POSITION, dst.out_mask);
        }
        if is_number(out) && (self.isa != Isa::Curie || dst.out_mask & 8 != 0) {
            takers.push((Slot::new(file::NUMBERS, usize::from(out != FOG)), 0));
        }
        takers
    }

    /// The vector unit's operation.
    fn vector(&mut self, inst: &Inst, src: &[[Slot; 4]; 3], to: &Places) {
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
    fn scalar(&mut self, inst: &Inst, src: &[Slot; 4], to: &Places) {
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
    fn several(&mut self, all: [Scalar; 3], x: Slot, to: &Places) {
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
    fn distance(&mut self, a: &[Slot; 4], b: &[Slot; 4], to: &Places) {
        self.each(Code::Mul, [a, b, &NOTHING], &[None, to[1], None, None]);
        let copied = [Slot::ONE, Slot::ZERO, a[2], b[3]];
        self.each(
            Code::Copy,
            [&copied, &NOTHING, &NOTHING],
            &[to[0], None, to[2], to[3]],
        );
    }

    /// An operation on each component that has a place.
    fn each(&mut self, code: Code, [a, b, c]: [&[Slot; 4]; 3], to: &Places) {
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
    fn one(&mut self, code: Code, a: &[Slot], b: &[Slot], to: &Places) {
        self.push(Op::one(code, a, b, to.iter().copied().flatten()));
    }

    fn saturate(&mut self, at: &Places) {
        let slots = at.map(|slot| slot.unwrap_or(Slot::ZERO));
        self.each(Code::Saturate, [&slots, &NOTHING, &NOTHING], at);
    }

    fn saturate_if(&mut self, sat: bool, at: &Places) {
        if sat {
            self.saturate(at);
        }
    }

    /// Copies a result to all that take it, under a condition where there is one.
    fn hand_out(&mut self, takers: &[Taker], from: &Places, passing: bool) {
        let mut parts = Vec::new();
        for &(to, c) in takers {
            let Some(a) = from[c].filter(|&from| passing || from != to) else {
                continue;
            };
            let b = if passing {
                Slot::new(file::PASS, c)
            } else {
                Slot::ZERO
            };
            let c = Slot::ZERO;
            parts.push(Part { to, a, b, c });
        }
        let code = if passing { Code::Blend } else { Code::Copy };
        for parts in parts.chunks(4) {
            self.push(Op::each(code, parts.iter().copied()));
        }
    }

    /// Condition codes of the components in a mask.
    fn compare(&mut self, inst: &Inst, mask: u8, from: &Places) {
        let codes = file::CODES + usize::from(inst.cc_reg & 1);
        let part = |c: usize| {
            from[c].map(|a| Part {
                to: Slot::new(codes, c),
                a,
                b: match inst.cond {
                    Some(_) => Slot::new(file::PASS, c),
                    None => Slot::ALL,
                },
                c: Slot::ZERO,
            })
        };
        self.push(Op::each(Code::Compare, components(mask).filter_map(part)));
    }

    /// An operation without a target is none.
    fn push(&mut self, op: Op) {
        if op.count != 0 {
            self.made.ops.push(op);
        }
    }
}

/// Operands that are not there.
const NOTHING: [Slot; 4] = [Slot::ZERO; 4];

/// Where a result is computed: where it is to go, or in a row that is kept for it; also the
/// components that are only `compared`.
fn home(takers: &[Taker], compared: u8, kept: usize, at_once: bool) -> Places {
    let mut home = places(kept, compared);
    for &(to, c) in takers.iter().rev() {
        home[c] = Some(if at_once { to } else { Slot::new(kept, c) });
    }
    home
}
