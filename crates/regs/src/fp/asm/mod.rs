//! Fragment-program text: assembler and disassembler.
//!
//! The text follows the `NV_fragment_program` specifications. An operation's
//! name carries the precision, `C` where the condition register is written,
//! the scale and the clamp; a constant stands where it is read:
//!
//! ```text
//! !!FP2.0
//!     TEX R0, f[TEX0], TEX2;
//!     MADH_2X_SAT R1.xyz, f[COL0], c[0.5, 0.25, 1, 0], -|H2.x|;
//!     MOVC RC.x, R1;
//!     IF (GT.x);
//!         MOVR H0, R1;
//!     ELSE;
//!         MOVR H0 (NE.y), R0;
//!     ENDIF;
//!     KIL (LT);
//! END
//! ```
//!
//! `END` marks the instruction before it. Where the words hold more than the
//! text says, fields follow in braces (`{SRC1_REG=0x6, SRC1_PREC=0x1}`), so
//! that text and words carry the same bits both ways.

mod blocks;
mod extra;
pub mod generate;
mod lex;
mod names;
mod parse;
mod print;
mod usual;

pub use crate::xf::asm::AsmError;
pub use names::input_name;
pub use parse::{Assembled, assemble, assemble_any};
pub use print::{disassemble, disassemble_words, text};

#[cfg(test)]
mod tests;
