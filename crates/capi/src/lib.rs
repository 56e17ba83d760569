//! libisotherm: the crate `isotherm` for C and C++.
//!
//! The header, `include/isotherm.h`, is made from these files; what is written here for a
//! function is what a C programmer reads there.
//!
//! The modules are public so that the compiler counts what only C uses as used.

pub mod border;
pub mod bytes;
pub mod config;
pub mod gpu;
pub mod look;
pub mod mali;
pub mod run;
pub mod state;
pub mod status;
pub mod structs;
