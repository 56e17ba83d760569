//! XFMODE decoded: what selects code, derived once per change.

use super::state::{State, word};
use crate::{Chip, Family};
use isotherm_regs::bundle::XF_C;

/// Which way vertices go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Fixed-function transform and lighting.
    Fixed,
    /// Scale and offset only.
    Bypass,
    /// A vertex program.
    Program,
}

/// What kind of light this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LightMode {
    /// Not there.
    Off,
    /// Direction only.
    Infinite,
    /// At a position, with attenuation and range.
    Local,
    /// Local with a cone.
    Spot,
}

/// Where the fog coordinate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FogSource {
    /// Alpha of the secondary colour.
    SpecularAlpha,
    /// Distance from the eye.
    Radial,
    /// Distance from the fog plane.
    Planar,
    /// Its magnitude.
    PlanarAbs,
    /// The vertex's own fog coordinate.
    Coord,
}

/// How a texture coordinate is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexGen {
    /// The vertex's own.
    Pass,
    /// A plane in eye space.
    EyeLinear,
    /// A plane in object space.
    ObjectLinear,
    /// Sphere map.
    Sphere,
    /// The eye-space normal.
    Normal,
    /// The reflection vector.
    Reflection,
    /// Celsius' emboss map.
    Emboss,
}

/// One texture set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexMode {
    /// The set is used.
    pub enable: bool,
    /// A matrix is applied.
    pub matrix: bool,
    /// How s, t, r and q are made.
    pub gen_: [TexGen; 4],
}

impl TexMode {
    /// Whether the coordinates are more than the vertex's own.
    #[inline(always)]
    pub fn computed(&self) -> bool {
        self.enable && (self.matrix || self.gen_ != [TexGen::Pass; 4])
    }
}

/// Material colours that may come from the vertex: 0 from the material, 1 from
/// the primary, 2 from the secondary colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Emission.
    pub emission: u8,
    /// Ambient.
    pub ambient: u8,
    /// Diffuse.
    pub diffuse: u8,
    /// Specular.
    pub specular: u8,
}

/// Kelvin's and Rankine's mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Which way vertices go.
    pub path: Path,
    /// The eight lights.
    pub lights: [LightMode; 8],
    /// Lights shine.
    pub lighting: bool,
    /// The eye has a position.
    pub local_viewer: bool,
    /// Normals are made unit length.
    pub normalize: bool,
    /// Back colours are computed.
    pub two_side: bool,
    /// Specular light goes into the secondary colour.
    pub separate_specular: bool,
    /// LIGHT_MODEL bit 17: the secondary colour's alpha comes from the vertex.
    pub light_model_17: bool,
    /// LIGHT_MODEL bit 0 (LIGHT_MODEL_UNK2).
    pub attenuate_direct: bool,
    /// SPECULAR_ENABLE as XF sees it (Rankine).
    pub specular_enable: bool,
    /// Front material sources.
    pub front: Sources,
    /// Back material sources.
    pub back: Sources,
    /// Fog is computed.
    pub fog: bool,
    /// Bias and scale are applied here (exponential modes).
    pub fog_exp: bool,
    /// Where the coordinate comes from.
    pub fog_source: FogSource,
    /// Point sizes are computed.
    pub point_params: bool,
    /// Matrices in use, and whether the last weight is 1 less the others.
    pub weights: (usize, bool),
    /// The texture sets.
    pub tex: [TexMode; 8],
    /// Where the constants lie.
    pub map: Map,
}

/// Where fixed function's constants lie in XFCTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Map {
    /// COMPOSITE (model-view-projection-viewport); projection follows, then
    /// model-view and inverse of each of four matrices.
    pub composite: usize,
    /// First of eight light positions; spot directions follow.
    pub light_position: usize,
    /// The eye's position.
    pub eye: usize,
    /// The fog plane.
    pub fog_plane: usize,
    /// Viewport offset.
    pub viewport: usize,
    /// Planes of texture set 0; its matrix follows, then set 1 …
    pub tex0: usize,
    /// The same of set 4.
    pub tex4: usize,
    /// Rankine's layout of lighting constants and eight texture sets.
    pub rankine: bool,
}

const KELVIN: Map = Map {
    composite: 0x00,
    light_position: 0x28,
    eye: 0x38,
    fog_plane: 0x39,
    viewport: 0x3b,
    tex0: 0x40,
    tex4: 0,
    rankine: false,
};

const RANKINE: Map = Map {
    composite: 0x3c,
    light_position: 0x64,
    eye: 0x74,
    fog_plane: 0x75,
    viewport: 0x77,
    tex0: 0x7c,
    tex4: 0x00,
    rankine: true,
};

impl Map {
    /// Model-view matrix `i`.
    pub fn model_view(&self, i: usize) -> usize {
        self.composite + 8 + 8 * i
    }

    /// Inverse model-view matrix `i`.
    pub fn inverse(&self, i: usize) -> usize {
        self.model_view(i) + 4
    }

    /// Planes of texture set `i`; the matrix is four rows on.
    pub fn tex(&self, i: usize) -> usize {
        if i < 4 {
            self.tex0 + 8 * i
        } else {
            self.tex4 + 8 * (i - 4)
        }
    }
}

const fn bit(word: u32, n: u32) -> bool {
    word >> n & 1 != 0
}

const fn bits(word: u32, lo: u32, count: u32) -> u32 {
    word >> lo & ((1 << count) - 1)
}

impl Mode {
    /// Decodes the mode words. Celsius decodes its own where it uses them.
    pub(super) fn decode(chip: Chip, state: &State) -> Mode {
        let rankine = !matches!(chip.family(), Family::Celsius | Family::Kelvin);
        let (a, b) = (state.mode[word::A], state.mode[word::B]);
        let number = match chip.family() {
            Family::Curie => XF_C::MODE.get(chip, state.curie.c),
            _ => bits(a, 30, 2),
        };
        let path = match number {
            0 => Path::Fixed,
            1 if !rankine => Path::Bypass,
            _ => Path::Program,
        };
        // Curie from NV41 on has no fixed function left to fall back to; NV40
        // runs it on XF as Rankine does.
        Mode {
            path,
            lights: std::array::from_fn(|i| light_mode(a, i)),
            fog: bit(a, 19),
            fog_exp: bit(a, 21),
            fog_source: match bits(a, 22, 3) {
                0 => FogSource::SpecularAlpha,
                1 => FogSource::Radial,
                2 => FogSource::Planar,
                3 => FogSource::PlanarAbs,
                _ => FogSource::Coord,
            },
            point_params: bit(a, 25),
            weights: weights(bits(a, 26, 3)),
            back: Sources {
                specular: bits(b, 0, 2) as u8,
                diffuse: bits(b, 2, 2) as u8,
                ambient: bits(b, 4, 2) as u8,
                emission: bits(b, 6, 2) as u8,
            },
            specular_enable: bit(b, 16),
            light_model_17: bit(b, 17),
            separate_specular: bit(b, 18),
            front: Sources {
                specular: bits(b, 19, 2) as u8,
                diffuse: bits(b, 21, 2) as u8,
                ambient: bits(b, 23, 2) as u8,
                emission: bits(b, 25, 2) as u8,
            },
            normalize: bit(b, 27),
            attenuate_direct: bit(b, 28),
            two_side: bit(b, 29),
            local_viewer: bit(b, 30),
            lighting: bit(b, 31),
            tex: std::array::from_fn(|i| {
                // The words run downwards: the last holds sets 0 and 1.
                let words = if rankine { 4 } else { 2 };
                match (words - 1usize).checked_sub(i / 2) {
                    Some(w) => tex_mode(state.mode[word::TEX + w] >> (16 * (i & 1))),
                    None => tex_mode(0),
                }
            }),
            map: if rankine { RANKINE } else { KELVIN },
        }
    }
}

/// WEIGHT_MODE: the odd modes generate the last weight.
fn weights(mode: u32) -> (usize, bool) {
    match mode {
        0 | 7 => (1, false),
        m => (((m + 3) / 2) as usize, m & 1 != 0),
    }
}

pub(super) fn light_mode(a: u32, i: usize) -> LightMode {
    match bits(a, 2 * i as u32, 2) {
        0 => LightMode::Off,
        1 => LightMode::Infinite,
        2 => LightMode::Local,
        _ => LightMode::Spot,
    }
}

pub(super) fn tex_gen(n: u32) -> TexGen {
    match n {
        1 => TexGen::EyeLinear,
        2 => TexGen::ObjectLinear,
        3 => TexGen::Sphere,
        4 => TexGen::Normal,
        5 => TexGen::Reflection,
        6 => TexGen::Emboss,
        _ => TexGen::Pass,
    }
}

fn tex_mode(w: u32) -> TexMode {
    TexMode {
        enable: bit(w, 0),
        matrix: bit(w, 1),
        gen_: std::array::from_fn(|i| tex_gen(bits(w, 4 + 3 * i as u32, 3))),
    }
}
