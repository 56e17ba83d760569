//! The 2D and memory-copy classes.
