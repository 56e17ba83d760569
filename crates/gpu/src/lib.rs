//! The chip: a front end turns methods into bundles, bundles flow down a
//! pipeline, every unit keeps its own registers, picks the bundles it knows and
//! passes on the rest. The module tree is the block diagram.

pub mod assm;
pub mod bundle;
pub mod capture;
pub mod context;
pub mod fe;
pub mod fifo;
pub mod frag;
pub mod gpu;
pub mod idx;
mod level;
pub mod mali;
pub mod memory;
pub mod observe;
pub mod pipeline;
pub mod raster;
pub mod rc;
pub mod rop;
pub mod scenes;
pub mod shader;
mod simd;
pub mod tex;
pub mod twod;
pub mod zcull;

pub use isotherm_regs::{Chip, Family};
pub use isotherm_xf::{lt, xf};
