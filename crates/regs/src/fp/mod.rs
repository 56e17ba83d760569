//! Fragment programs of Rankine (NV30 … NV36) and Curie (NV40 …).
//!
//! A program lies in memory, four words to an instruction. An instruction
//! reads up to three sources (temporaries, one input, one constant), runs one
//! operation on four components and writes a temporary or nothing, where the
//! condition register allows it. A constant has no number: its four words
//! stand behind the instruction that reads it. Curie adds structured control
//! flow. The temporaries are the outputs too: what R0 or H0 holds at the end is
//! the colour, R1.z the depth.
//!
//! [`layout`] has every field, [`ops`] every operation; [`Inst`] is what an
//! instruction means, [`Program`] what lies at an address, [`asm`] the text of it.

pub mod asm;
pub mod inst;
pub mod layout;
pub mod ops;
pub(crate) mod page;
pub mod program;

pub use inst::{Cond, Flow, Inst, Limit, Precision, Reg, Source, Src};
pub use layout::Field;
pub use ops::Op;
pub use program::{Error, Program};

#[cfg(test)]
mod tests;
