//! The words of Utgard: render state, command streams, texture descriptors, and
//! the pixel processor's frame and write-back registers.
//!
//! Where the Render State page and today's driver differ, the declaration
//! follows what the captures and the driver show; the page's reading stands in
//! the field's `conflict`.

mod commands;
mod frame;
mod render_state;
mod texture;

pub use commands::*;
pub use frame::*;
pub use render_state::*;
pub use texture::*;
