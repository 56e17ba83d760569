//! What flows between the units: methods, bundles, vertices, memory, and what an observer sees.
//!
//! Nothing here computes a picture. A unit depends on this crate, never on another unit.

pub mod bundle;
pub mod context;
pub mod memory;
pub mod method;
pub mod objects;
pub mod observe;
pub mod trap;
pub mod vertex;
