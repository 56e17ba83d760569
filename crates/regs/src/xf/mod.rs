//! XF, the vertex engine: the vertex-program instruction sets and their assembly text.

pub mod asm;
pub mod ctx;
pub mod isa;
pub mod mode;
