//! What happened to a pixel, as plain data.
//!
//! Names are the hardware's (`isotherm_regs`); colours and register values are the integers
//! that the units compute with, 255 for 1.0.

use serde::Serialize;

/// A pixel's words in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Words {
    /// The colour surface's, if there is one.
    pub color: Option<u32>,
    /// The zeta surface's, if there is one.
    pub zeta: Option<u32>,
}

/// One thing that happened to the pixel.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Touch {
    /// CLEAR_SURFACE.
    Clear(Cleared),
    /// A primitive covered it.
    Fragment(Box<Fragment>),
    /// A triangle of a Mali's draw covered it.
    Mali(Box<super::MaliFragment>),
}

impl Touch {
    /// The words before and after.
    pub fn words(&self) -> [Words; 2] {
        match self {
            Touch::Clear(clear) => [clear.before, clear.after],
            Touch::Fragment(fragment) => [fragment.before, fragment.after],
            Touch::Mali(fragment) => [fragment.before, fragment.after],
        }
    }
}

/// A clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cleared {
    /// The colour word, and the bits that are written.
    pub color: [u32; 2],
    /// The zeta word, and the bits that are written.
    pub zeta: [u32; 2],
    /// Memory before.
    pub before: Words,
    /// Memory after.
    pub after: Words,
}

/// What became of a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Its depth is outside the range.
    OutsideDepthRange,
    /// The stencil test failed.
    StencilFailed,
    /// The depth test failed.
    DepthFailed,
    /// A texture stage killed it: clip plane, colour key or alpha.
    Killed,
    /// The alpha test failed.
    AlphaFailed,
    /// SAMPLE_COVERAGE or alpha-to-coverage left the sample out.
    NotSampled,
    /// It passed and was written.
    Written,
}

/// One fragment of a primitive, from coverage to memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fragment {
    /// Number of the primitive among those of the draw that were not culled.
    pub primitive: u32,
    /// triangle, line or point.
    pub kind: &'static str,
    /// Front facing?
    pub front: bool,
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// Column in the surface.
    pub x: i32,
    /// Row in the surface.
    pub y: i32,
    /// Sample within the pixel.
    pub sample: [u32; 2],
    /// Lanes of the 8x2 block that the primitive covers, clip rectangles and stipple applied.
    pub coverage: u16,
    /// Its bit in the block.
    pub lane: usize,
    /// Depth in buffer units, with polygon offset; none where no test asks for it.
    pub depth: Option<f32>,
    /// What was interpolated, if it came to that.
    pub inputs: Option<Inputs>,
    /// The texture stages that do something.
    pub stages: Vec<Stage>,
    /// The general combiners.
    pub combiners: Vec<Combiner>,
    /// The final combiner.
    pub final_combiner: Option<FinalCombiner>,
    /// The fragment program, on chips that run one instead of stages and combiners.
    pub program: Option<ProgramRun>,
    /// The colour that leaves the pixel units.
    pub color: Option<[i32; 4]>,
    /// Its alpha where smoothing cut it by coverage.
    pub smoothed_alpha: Option<i32>,
    /// The stencil test.
    pub stencil_test: Option<StencilTest>,
    /// The depth test.
    pub depth_test: Option<Test>,
    /// The alpha test.
    pub alpha_test: Option<Test>,
    /// How the colour became a word.
    pub write: Option<Write>,
    /// How it ended.
    pub outcome: Outcome,
    /// Memory before.
    pub before: Words,
    /// Memory after.
    pub after: Words,
}

/// A vertex after XF and LT.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Vertex {
    /// Its number in the draw, in the order in which vertices were transformed.
    pub number: u32,
    /// Window x, y, z and clip w.
    pub window: [f32; 4],
    /// Primary colour of the face that is seen.
    pub primary: [u8; 4],
    /// Secondary colour of the face that is seen.
    pub secondary: [u8; 4],
    /// Fog coordinate.
    pub fog: f32,
    /// The texture coordinate sets that are read: s, t, r, q.
    pub tex: Vec<[f32; 4]>,
}

/// What the rasteriser gives the pixel units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inputs {
    /// Primary colour.
    pub primary: [i32; 4],
    /// Secondary colour.
    pub secondary: [i32; 4],
    /// Fog factor.
    pub fog: i32,
    /// The texture coordinate sets that are read.
    pub tex: Vec<[f32; 4]>,
}

/// What a fragment program did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProgramRun {
    /// The inputs that it reads.
    pub inputs: Vec<ProgramInput>,
    /// Its instructions in the order in which they ran; branches are not among them.
    pub steps: Vec<ProgramStep>,
    /// The colour that it leaves.
    pub color: [i32; 4],
}

/// An input of a fragment program.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProgramInput {
    /// Its name.
    pub name: String,
    /// x, y, z, w; none where the program does not read them.
    pub value: [Option<f32>; 4],
}

/// An instruction of a fragment program.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProgramStep {
    /// Its first word, counted from the program's.
    pub word: u32,
    /// As the assembler writes it.
    pub text: String,
    /// The pixel took part; else another one of its block did.
    pub ran: bool,
    /// It took the pixel away.
    pub killed: bool,
    /// What was written to x, y, z, w.
    pub result: [Option<f32>; 4],
}

/// A texture stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stage {
    /// Its number.
    pub stage: usize,
    /// Its program.
    pub program: &'static str,
    /// Its coordinates as interpolated: s, t, r, q.
    pub set: [f32; 4],
    /// The stage whose result it reads, for the programs that do.
    pub source: Option<usize>,
    /// Its dot product, for the programs that form one.
    pub dot: Option<f32>,
    /// Where it sampled, if it did.
    pub sampled: Option<Sampled>,
    /// The brightness of a bump map with luminance.
    pub luminance: Option<f32>,
    /// What it wrote to its register.
    pub register: [i32; 4],
}

/// A texture lookup.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sampled {
    /// Address of the texture.
    pub address: u32,
    /// Texel format and layout.
    pub format: String,
    /// Size of level 0.
    pub size: [u32; 3],
    /// Wrap modes of s, t, r.
    pub wrap: [String; 3],
    /// Coordinates after projection, bump or dot products.
    pub coords: [f32; 3],
    /// Face of a cube map.
    pub face: Option<u8>,
    /// Level of detail, 8 fraction bits: as computed, and as limited.
    pub lod: Vec<i32>,
    /// What was filtered, level by level.
    pub levels: Vec<Filtered>,
    /// The colour key or alpha killed the fragment.
    pub killed: bool,
    /// The result, A8R8G8B8 or two halves, before signs are applied.
    pub texel: u32,
}

/// Filtering within one level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Filtered {
    /// The level.
    pub level: usize,
    /// The weight of the anisotropic probe it belongs to, in 1/256.
    pub probe: Option<u32>,
    /// The filter.
    pub filter: String,
    /// Where, in texels with 8 fraction bits.
    pub place: [i32; 3],
    /// The texels.
    pub texels: Vec<Texel>,
}

/// A texel that was fetched.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Texel {
    /// Coordinates before wrapping.
    pub at: [i32; 3],
    /// Its share of the level's result.
    pub weight: f32,
    /// Its value.
    pub value: u32,
    /// It lies outside: the border colour.
    pub border: bool,
    /// The reference that a depth was compared with.
    pub compared: Option<u32>,
}

/// An operand of a combiner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Operand {
    /// The register.
    pub register: &'static str,
    /// RGB, ALPHA or BLUE.
    pub component: &'static str,
    /// The input mapping.
    pub mapping: &'static str,
    /// What the register held.
    pub raw: Vec<i32>,
    /// What the mapping made of it.
    pub value: Vec<i32>,
}

/// A product or sum of a general combiner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Output {
    /// AB, CD or SUM.
    pub name: &'static str,
    /// How it was formed: MUL, DOT, SUM, MUX_AB or MUX_CD.
    pub how: &'static str,
    /// Its value before the output operation.
    pub value: Vec<i32>,
    /// Its value after the operation and the clamp.
    pub out: Vec<i32>,
    /// The register it goes to.
    pub register: &'static str,
    /// Its blue also goes to the register's alpha.
    pub blue_to_alpha: bool,
}

/// The colour or the alpha half of a general combiner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Portion {
    /// A, B, C, D.
    pub inputs: Vec<Operand>,
    /// Bias and scale of the results.
    pub operation: &'static str,
    /// The results that go to a register.
    pub outputs: Vec<Output>,
}

/// A general combiner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Combiner {
    /// Its number.
    pub stage: usize,
    /// The colour half, if it writes anything.
    pub rgb: Option<Portion>,
    /// The alpha half, if it writes anything.
    pub alpha: Option<Portion>,
}

/// The final combiner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FinalCombiner {
    /// A to G.
    pub inputs: Vec<Operand>,
    /// SPARE0 plus the secondary colour, where it is read.
    pub spare0_plus_secondary: Option<[i32; 3]>,
    /// E times F, where it is read.
    pub e_times_f: Option<[i32; 3]>,
    /// A B + (1 - A) C + D, and G.
    pub color: [i32; 4],
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Test {
    /// The function.
    pub function: &'static str,
    /// Its left side: what comes in.
    pub incoming: u32,
    /// Its right side: what is stored, or the reference.
    pub stored: u32,
    /// Does it hold?
    pub pass: bool,
}

/// The stencil test and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StencilTest {
    /// The comparison: reference on the left, stored value on the right, both masked.
    pub test: Test,
    /// The mask of the comparison.
    pub func_mask: u32,
    /// The mask of the write.
    pub write_mask: u32,
    /// The operation that was chosen.
    pub operation: &'static str,
    /// The stored value before.
    pub before: u32,
    /// The stored value after.
    pub after: u32,
}

/// How a colour became a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Write {
    /// The surface's format.
    pub format: String,
    /// The colour that arrives, dithered and cut as the surface wants it.
    pub source: [i32; 4],
    /// Dithering was on.
    pub dithered: bool,
    /// Blending.
    pub blend: Option<Blended>,
    /// The packed word.
    pub packed: u32,
    /// The logic operation and its result.
    pub logic: Option<(&'static str, u32)>,
    /// The bits that may change: colour mask and the format's forced bits.
    pub mask: u32,
    /// Bits whose value the format dictates, and that value.
    pub forced: [u32; 2],
    /// The word that is written.
    pub word: u32,
}

/// Blending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Blended {
    /// The colour's equation.
    pub equation: &'static str,
    /// Alpha's equation, which only Curie sets apart.
    pub alpha_equation: &'static str,
    /// Source factors of colour and alpha.
    pub source_factor: [&'static str; 2],
    /// Their values; none where the equation ignores them.
    pub source_weight: Option<[i32; 4]>,
    /// Destination factors of colour and alpha.
    pub destination_factor: [&'static str; 2],
    /// Their values.
    pub destination_weight: Option<[i32; 4]>,
    /// The destination.
    pub destination: [i32; 4],
    /// The blend colour.
    pub constant: [i32; 4],
    /// The result.
    pub result: [i32; 4],
}
