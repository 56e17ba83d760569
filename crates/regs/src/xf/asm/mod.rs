//! Vertex-program text: assembler and disassembler.
//!
//! The text follows the `NV_vertex_program` specifications; what the machine
//! does in one instruction is one statement, a pair being joined by `+`:
//!
//! ```text
//! !!VP1.1
//! DP4 o[HPOS].x, v[0], c[96];
//! MUL R2.xyz, R0, R1 + RCP R1.w, R0.w;
//! MOV R3 & o[COL0], v[3];          # one result, two destinations
//! END
//! ```
//!
//! `END` marks the statement before it. Context rows and outputs are numbered
//! as the hardware does. Where a word holds more than its text says, the
//! disassembler adds the fields in braces (`{SRC1=0x6c2, BITS=0x…}`), so
//! that text and words carry the same bits both ways.

mod error;
pub mod generate;
mod lex;
mod names;
mod parse;
mod print;

pub use error::AsmError;
pub use parse::assemble;
pub use print::{disassemble, statement};

use super::isa::{Isa, Word};

/// A program as it lies in the program memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Instruction set.
    pub isa: Isa,
    /// Slot of the first instruction.
    pub org: u16,
    /// The instructions.
    pub words: Vec<Word>,
}

impl Program {
    /// The words in upload order.
    pub fn upload(&self) -> Vec<u32> {
        self.words.iter().flat_map(|w| w.to_upload()).collect()
    }

    /// From words in upload order; a last, incomplete instruction is left out.
    pub fn from_upload(isa: Isa, org: u16, words: &[u32]) -> Program {
        let (whole, _) = words.as_chunks::<4>();
        Program {
            isa,
            org,
            words: whole.iter().map(|&w| Word::from_upload(w)).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
