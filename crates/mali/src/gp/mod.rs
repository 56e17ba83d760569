//! The geometry processor: vertex programs, and primitives sorted into polygon lists.

pub(crate) mod plbu;
pub mod program;
pub mod vertex;
pub(crate) mod vs;
