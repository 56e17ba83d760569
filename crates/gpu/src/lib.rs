//! The chip: a front end turns methods into bundles, bundles flow down a
//! pipeline, every unit keeps its own registers, picks the bundles it knows and
//! passes on the rest. The module tree is the block diagram.

pub mod gpu;
pub mod idx;
pub mod import;
pub mod pipeline;
pub mod programs;
pub mod scenes;
pub mod twod;

pub use isotherm_bus::{bundle, memory, method, objects, observe, trap, vertex};
pub use isotherm_capture as capture;
pub use isotherm_fe::{self as fe, fifo};
pub use isotherm_mali as mali;
pub use isotherm_pixel as pixel;
pub use isotherm_regs::{Chip, Family};
pub use isotherm_xf::{lt, xf};
