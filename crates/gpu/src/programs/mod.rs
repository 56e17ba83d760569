//! The programs that a capture's draws run, found without drawing.

pub mod fragments;
pub mod vertex;
