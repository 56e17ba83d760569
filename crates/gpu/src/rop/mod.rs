//! ROP: tests, blending, surfaces.
