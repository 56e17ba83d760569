//! LT: the lighting engine (NV10 to NV3x), in 22-bit floating point.

pub mod arith;
