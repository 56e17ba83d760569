//! The geometry processor: vertex programs, and primitives sorted into polygon lists.

pub(crate) mod plbu;
pub mod program;
pub(crate) mod vs;
