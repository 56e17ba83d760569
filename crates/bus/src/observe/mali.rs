//! What happened to a pixel of a Mali, as plain data. Register values are those that the
//! pixel processor holds: half floats, written as numbers.

use super::{Outcome, StencilTest, Test, Words};
use serde::Serialize;

/// One fragment of a draw, from coverage to the tile.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MaliFragment {
    /// The draw, counted from 1 over all jobs.
    pub draw: u64,
    /// What it draws.
    pub mode: &'static str,
    /// Number of the triangle among those of the draw that were not culled.
    pub primitive: u32,
    /// Front facing?
    pub front: bool,
    /// The tile.
    pub tile: [u32; 2],
    /// Column in the frame.
    pub x: u32,
    /// Row in the frame.
    pub y: u32,
    /// Samples of the pixel that it covers, one bit each.
    pub samples: u32,
    /// The sample that tests and words are told of.
    pub sample: usize,
    /// Depth of the triangle in that sample, 24 bits.
    pub depth: u32,
    /// Shares of the triangle's three vertices, perspective corrected.
    pub weights: Option<[f32; 3]>,
    /// Address of the render state.
    pub render_state: u32,
    /// Its words.
    pub state: Vec<u32>,
    /// Address of the fragment program.
    pub shader: u32,
    /// The interpolated values that the program reads: name and value.
    pub varyings: Vec<(String, f32)>,
    /// The program, instruction by instruction; none if it did not come to that.
    pub steps: Vec<MaliStep>,
    /// The colour that it leaves, R G B A.
    pub color: Option<[f32; 4]>,
    /// Depth and stencil are tested behind the program.
    pub late: bool,
    /// The alpha test.
    pub alpha_test: Option<Test>,
    /// The stencil test.
    pub stencil_test: Option<StencilTest>,
    /// The depth test.
    pub depth_test: Option<Test>,
    /// How the colour came into the tile.
    pub blend: Option<MaliBlend>,
    /// How it ended.
    pub outcome: Outcome,
    /// The tile before: A8R8G8B8, and stencil above 24 bits of depth.
    pub before: Words,
    /// The tile after.
    pub after: Words,
}

/// An instruction of the fragment program that the pixel went through.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MaliStep {
    /// The instruction.
    pub text: String,
    /// What its units wrote for this pixel: register and value.
    pub results: Vec<(String, f32)>,
    /// Its texture lookup.
    pub lookup: Option<MaliLookup>,
    /// It discarded the pixel.
    pub killed: bool,
}

/// A texture lookup.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MaliLookup {
    /// Number of the sampler.
    pub sampler: u32,
    /// Size of level 0 and its layers; none if there is no texture.
    pub size: Option<[u32; 3]>,
    /// The coordinates.
    pub coords: [f32; 4],
    /// Face of a cube.
    pub face: Option<u8>,
    /// Level of detail with all biases; none where nothing depends on it.
    pub lod: Option<f32>,
    /// What was filtered, level by level.
    pub levels: Vec<MaliLevel>,
    /// The result.
    pub result: [f32; 4],
}

/// Filtering within one level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MaliLevel {
    /// The level.
    pub level: usize,
    /// Its share of the result.
    pub share: f32,
    /// The texels.
    pub texels: Vec<MaliTexel>,
}

/// A texel that was fetched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MaliTexel {
    /// Column, row and layer; a negative column or row is the border.
    pub at: [i32; 3],
    /// Its share of the level.
    pub weight: f32,
    /// Its value, R G B A.
    pub value: [f32; 4],
}

/// A colour on its way into the tile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MaliBlend {
    /// What the program gave, R G B A.
    pub source: [f32; 4],
    /// What was there.
    pub destination: [u8; 4],
    /// What is there now.
    pub result: [u8; 4],
}
