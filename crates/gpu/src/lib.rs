//! A software GPU: NVIDIA Celsius, Kelvin, Rankine and Curie and ARM's Mali-400, drawing as
//! the silicon does.
//!
//! [`Gpu`] is a chip with its memory. A front end turns methods into bundles, bundles flow down
//! a pipeline, every unit keeps its own registers, picks the bundles it knows and passes on the
//! rest; the module tree is the block diagram.

pub mod gpu;
mod idx;
pub mod import;
#[doc(hidden)]
pub mod pipeline;
pub mod programs;
mod twod;

pub use gpu::{Gpu, Oddities, replay};
pub use isotherm_bus::{bundle, memory, method, objects, observe, trap, vertex};
pub use isotherm_capture as capture;
pub use isotherm_capture::{Image, Reader, Surface};
pub use isotherm_fe::{self as fe, fifo};
pub use isotherm_mali as mali;
pub use isotherm_regs::{Chip, Family};
pub use isotherm_xf::{lt, xf};
pub use pipeline::{Part, Profile, WatchedVertex, takes};
