//! The texture units: formats, images, addressing, filtering.
//!
//! A unit is prepared from its words ([`Unit`]), bound to a decoded image when a
//! draw starts ([`TexCache`]), and sampled for sixteen fragments at a time
//! ([`Sampler`]).

mod bundles;
mod dxt;
mod explain;
mod filter;
pub mod format;
mod image;
pub mod lanes;
mod lod;
pub mod num;
pub mod program;
mod sample;
mod tap;
mod unit;
mod vertex;

pub use bundles::Bundles;
pub use image::{Image, Level, Source, TexCache};
pub use lanes::{PreparedTexture, SampleLanes, SimpleStage};
pub use sample::{Coords, Sampler, Texels, face_coords, face_of};
pub use unit::{
    Control, Data, Filter, Kernel, Mip, Unit, UnitCache, Wrap, cylinder_axes, unwrap_cylinder,
};
pub use vertex::{VertexTextures, vertex_texture_reads};

#[cfg(test)]
mod tests;
