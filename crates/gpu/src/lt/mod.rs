//! LT: the lighting engine, in 22-bit floats.
