//! Blocks of code that branches: instructions that always run one after the other.

use super::Resolver;
use crate::xf::program::file::Slot;
use crate::xf::program::{Prep, file};
use isotherm_regs::xf::isa::ops::{Form, sca};
use isotherm_regs::xf::isa::{Inst, Isa};
use std::ops::Range;

/// A block.
#[derive(Clone, Debug)]
pub(in super::super) struct Block {
    pub ops: Range<usize>,
    /// Its instructions.
    pub count: u32,
    /// The last of them ends the program.
    pub ends: bool,
    /// What of a vertex it writes.
    pub written: Vec<Slot>,
}

/// Where vertices can be, as far as the code tells.
struct Reach {
    /// Instructions that can run.
    runs: Vec<bool>,
    /// Those where a block has to begin.
    begins: Vec<bool>,
}

impl Reach {
    fn new(isa: Isa, insts: &[Inst], preps: &[Prep], entry: usize) -> Reach {
        let mut reach = Reach {
            runs: vec![false; insts.len()],
            begins: vec![false; insts.len()],
        };
        let mut open = vec![entry];
        while let Some(at) = open.pop() {
            let known = reach.runs.get(at).copied();
            let (Some(false), Some(inst)) = (known, insts.get(at)) else {
                continue;
            };
            reach.runs[at] = true;
            match preps[at].branch.filter(|_| isa != Isa::Kelvin) {
                // The table may lead anywhere.
                Some(Form::BranchIndexed) => open.extend(0..insts.len()),
                Some(Form::Branch | Form::BranchBit) => open.extend(reach.target(inst)),
                _ => {}
            }
            if !inst.end {
                open.push(at + 1);
            }
        }
        if let Some(begins) = reach.begins.get_mut(entry) {
            *begins = true;
        }
        reach
    }

    /// Where a branch leads, if there is something.
    fn target(&mut self, inst: &Inst) -> Option<usize> {
        let target = usize::from(inst.branch);
        *self.begins.get_mut(target)? = true;
        (inst.sca != sca::RET).then_some(target)
    }
}

impl Resolver {
    /// All blocks that can be reached from `entry`.
    pub(super) fn blocks(&mut self, insts: &[Inst], preps: &[Prep], entry: usize) {
        let reach = Reach::new(self.isa, insts, preps, entry);
        self.made.blocks = vec![None; insts.len()];
        let mut at = 0;
        while at < insts.len() {
            let block = self.block(insts, preps, &reach, at);
            let count = block.count as usize;
            if count != 0 {
                self.made.blocks[at] = Some(block);
            }
            at += count.max(1);
        }
    }

    /// The block that begins at an instruction; it is empty if that is a step of its own.
    fn block(&mut self, insts: &[Inst], preps: &[Prep], reach: &Reach, first: usize) -> Block {
        let start = self.made.ops.len();
        let (mut count, mut ends) = (0, false);
        for at in first..insts.len() {
            let begins = at != first && reach.begins[at];
            if ends || begins || !reach.runs[at] || preps[at].branch.is_some() {
                break;
            }
            let before = self.made.ops.len();
            if self.listed(&insts[at], &preps[at]).is_none() {
                self.made.ops.truncate(before);
                break;
            }
            (count, ends) = (count + 1, insts[at].end);
        }
        let ops = start..self.made.ops.len();
        Block {
            written: self.written(ops.clone()),
            ops,
            count,
            ends,
        }
    }

    /// The places that operations write, but for those that nobody reads afterwards.
    fn written(&self, ops: Range<usize>) -> Vec<Slot> {
        let mut written = Vec::new();
        for part in self.made.ops[ops].iter().flat_map(|op| op.targets()) {
            if part.to.get() < Slot::new(file::MADE, 0).get() && !written.contains(&part.to) {
                written.push(part.to);
            }
        }
        written
    }
}
