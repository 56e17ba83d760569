//! ASSM: primitive assembly, clipping, culling.
