//! Mali-400: render state, command streams, descriptors, and the instruction
//! sets of the geometry and pixel processors.

pub mod isa_bits;
pub mod isa_gp;
pub mod isa_gp_text;
pub mod isa_pp;
pub mod isa_pp_text;

pub mod words;
