//! A program: the instructions from its first word to its end.

use super::Cond;
use super::inst::{Flow, Inst};
use super::ops::Op;
use crate::Family;
use core::fmt;

/// More instructions than any chip of these families takes (4096 on Curie); a
/// bound for memory that holds no program at all.
const MOST: usize = 0x4000;

/// A fragment program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Its instructions in the order of memory.
    pub insts: Vec<Inst>,
}

/// Why words are no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The family has no fragment programs.
    NoPrograms(Family),
    /// The words end before the instruction with the END bit does.
    Unfinished {
        /// Word offset of the instruction or constant that is not whole.
        at: u32,
    },
    /// No END bit in more instructions than the chip can have.
    TooLong {
        /// Word offset that was reached.
        at: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoPrograms(family) => {
                write!(
                    f,
                    "{family:?} has no fragment programs: expected Rankine or Curie"
                )
            }
            Error::Unfinished { at } => write!(
                f,
                "the words end at word {at:#x} of the program: expected four more, the END bit has not come"
            ),
            Error::TooLong { at } => write!(
                f,
                "no END bit in the {MOST} instructions up to word {at:#x}: this is no fragment program"
            ),
        }
    }
}

impl core::error::Error for Error {}

impl Program {
    /// Decodes up to the END bit, and on to whatever the branches before it
    /// reach: Mesa puts a last NOP behind the END for blocks that end there.
    pub fn decode(family: Family, words: &[u32]) -> Result<Program, Error> {
        if !matches!(family, Family::Rankine | Family::Curie) {
            return Err(Error::NoPrograms(family));
        }
        let mut insts: Vec<Inst> = Vec::new();
        let (mut at, mut reach, mut ended) = (0u32, 0u32, false);
        loop {
            if insts.len() >= MOST {
                return if ended {
                    Ok(Program { insts })
                } else {
                    Err(Error::TooLong { at })
                };
            }
            let Some(inst) = decode_at(family, words, at) else {
                return if ended {
                    Ok(Program { insts })
                } else {
                    Err(Error::Unfinished { at })
                };
            };
            at += inst.size();
            insts.push(inst);
            // A target outside the words leads nowhere.
            for target in inst.flow.into_iter().flat_map(Flow::targets) {
                if (target as usize) < words.len() {
                    reach = reach.max(target);
                }
            }
            ended |= inst.end;
            let leaves = inst.end || inst.op == Op::Ret && inst.cond == Cond::Tr;
            if ended && leaves && at > reach {
                return Ok(Program { insts });
            }
        }
    }

    /// All words, constants included.
    pub fn encode(&self, family: Family) -> Vec<u32> {
        let mut words = Vec::new();
        for inst in &self.insts {
            words.extend(inst.encode(family));
            words.extend(inst.constant.into_iter().flatten());
        }
        words
    }

    /// The instruction that begins at a word.
    pub fn index_of(&self, at: u32) -> Option<usize> {
        self.insts.binary_search_by_key(&at, |inst| inst.at).ok()
    }
}

/// The instruction at a word and its constant; `None` if it is not all there.
pub(super) fn decode_at(family: Family, words: &[u32], at: u32) -> Option<Inst> {
    let four = |from: u32| -> Option<[u32; 4]> {
        let from = from as usize;
        words.get(from..from.checked_add(4)?)?.try_into().ok()
    };
    let mut inst = Inst::decode(family, at, four(at)?);
    if inst.has_constant() {
        inst.constant = Some(four(at + 4)?);
    }
    Some(inst)
}
