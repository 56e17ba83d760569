//! Instructions to operations whose operands' places are known.
//!
//! Straight code becomes lists of operations that run for all lanes one after the other; each
//! result goes where the instruction wants it, if that does not spoil what is read later.
//! What such a list cannot say (indices, textures, address registers) is a step of its own. Code
//! that branches has a list for each of its blocks, which vertices run through together; where
//! one comes to the middle of a block, it goes on by steps.

use super::Prep;
mod blocks;
mod results;
mod units;

pub(super) use blocks::Block;

use super::alu::{scalar_gives, vector_gives};
use super::file::{self, Slot};
use super::flow::codes_of;
use super::machine::{POSITION_SHADOW, TEMPS};
use super::op::{Code, Op, Part};
use isotherm_regs::xf::isa::ops::{sca, vec};
use isotherm_regs::xf::isa::{Inst, Isa, Mux, Src, Target};
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
    /// All of straight code.
    pub stretches: Vec<Stretch>,
    /// The blocks of code that branches, by their first instructions.
    pub blocks: Vec<Option<Block>>,
    /// The constants that lists of either read.
    pub constants: Vec<Constant>,
}

impl Resolved {
    /// Makes operations of instructions; `shadow` if the position can be read back, `entry` where
    /// code begins that branches.
    pub fn new(
        isa: Isa,
        shadow: bool,
        entry: Option<usize>,
        insts: &[Inst],
        preps: &[Prep],
    ) -> Resolved {
        let mut to = Resolver {
            isa,
            shadow,
            made: Resolved::default(),
        };
        for (inst, prep) in insts.iter().zip(preps) {
            to.single(inst, prep);
        }
        if let Some(entry) = entry {
            to.blocks(insts, preps, entry);
        } else {
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
        self.results(inst, prep, &src);
        Some(())
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

    /// An operation without a target is none.
    fn push(&mut self, op: Op) {
        if op.count != 0 {
            self.made.ops.push(op);
        }
    }
}
