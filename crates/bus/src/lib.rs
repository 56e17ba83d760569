//! What flows between the units: methods, bundles, vertices, memory, and what an observer sees.
//!
//! Nothing here computes a picture. A unit depends on this crate, never on another unit.

pub mod budget;
pub mod bundle;
pub mod context;
pub mod memory;
pub mod method;
pub mod objects;
pub mod observe;
mod pages;
pub mod saved;
pub mod threads;
pub mod trap;
pub mod turns;
pub mod unit;
pub mod vertex;
pub mod verts;

// For `takes!`, whose users need not depend on the tables themselves.
#[doc(hidden)]
pub use isotherm_regs as regs;
