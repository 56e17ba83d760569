//! A software GPU: NVIDIA Celsius, Kelvin, Rankine and Curie and ARM's Mali-400, drawing as
//! the silicon does.
//!
//! [`Gpu`] is a chip with its memory. A front end turns methods into bundles, bundles flow down
//! a pipeline, every unit keeps its own registers, picks the bundles it knows and passes on the
//! rest; the module tree is the block diagram.
//!
//! # Embedding
//!
//! | you want to | |
//! |---|---|
//! | make a chip: memory size, guest memory, threads | [`Gpu::builder`] |
//! | make objects by handle, or read RAMHT | [`Gpu::objects_mut`] |
//! | run a method, words, a pushbuffer | [`Gpu::method`], [`Gpu::push`], [`Gpu::fetch`] |
//! | answer interrupts, notifiers, flips | [`Host`] |
//! | say what the CPU wrote | [`Gpu::cpu_wrote`], [`Gpu::write_memory`] |
//! | wait until everything is in memory | [`Gpu::finish`] |
//! | see a surface | [`Gpu::render_target`], [`Gpu::depth`], [`SurfaceView`] |
//! | know why a draw shows nothing | [`Gpu::inspect_draws`], [`DrawReport::why_nothing`] |
//! | go through a capture | [`Capture`] |
//! | make a capture of a running chip | [`Gpu::record_to`] |
//! | explain and make words | [`words`] |
//!
//! ```
//! use isotherm::{Chip, Gpu, PixelFormat, SurfaceView};
//! let mut gpu = Gpu::builder(Chip::Nv2a).threads(1).build()?;
//! // Handle 1 is a Kelvin object, handle 2 all memory.
//! gpu.objects_mut().graphics(1, 0x97).dma(2, 0, 0x03FF_FFFF);
//! for (method, data) in [
//!     (0x000, 1),          // bind the object
//!     (0x194, 2),          // the colour surface's memory
//!     (0x200, 16 << 16),   // 16 pixels wide
//!     (0x204, 16 << 16),   // and high
//!     (0x208, 0x128),      // linear, A8R8G8B8
//!     (0x20C, 64 << 16 | 64), // bytes per row of depth and colour
//!     (0x210, 0x1000),     // offset
//!     (0x1D98, 15 << 16),  // clear from 0 to 15
//!     (0x1D9C, 15 << 16),
//!     (0x1D90, 0xFFFF_8000),
//!     (0x1D94, 0xF0),      // all channels
//! ] {
//!     assert_eq!(gpu.method(0, method, data)?.trap, None);
//! }
//! let target = gpu.render_target().unwrap();
//! assert_eq!(target, SurfaceView::linear(0x1000, 64, (16, 16), PixelFormat::A8R8G8B8));
//! assert_eq!(gpu.read_surface(&target).rgba[..4], [255, 128, 0, 255]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/` has whole programs: a triangle, a host, a capture walked, a Mali job.

#![deny(missing_docs)]

pub mod gpu;
mod history;
mod host;
#[doc(hidden)]
pub mod idx;
pub mod import;
#[doc(hidden)]
pub mod pipeline;
pub mod programs;
mod surface;
mod twod;
mod walk;
pub mod words;

pub use gpu::{Builder, Fifo, Gpu, ObjectsMut, Oddities, Snapshot, Stop, replay};
pub use history::{PixelStep, Shown};
pub use host::{Answer, Flip, Host, Outcome, Progress, Wait};
pub use isotherm_bus::memory::{Memory, MemoryError};
pub use isotherm_bus::{budget, bundle, context, memory, method, objects, observe, trap, vertex};
pub use isotherm_capture as capture;
pub use isotherm_capture::{Image, Reader, Surface};
pub use isotherm_fe::{self as fe, fifo};
pub use isotherm_mali as mali;
#[doc(hidden)]
pub use isotherm_pixel as pixel;
pub use isotherm_regs::{Chip, Family};
pub use isotherm_xf::{lt, xf};
pub use pipeline::{DrawReport, Nothing, Part, Profile, Reason, VertexPair, WatchedVertex, takes};
pub use surface::{Layout, PixelFormat, SurfaceView};
pub use walk::{Capture, DrawPlace};
