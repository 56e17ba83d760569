//! XFMODE decoded: what selects code, derived once per change.

use super::state::{State, word};
use isotherm_regs::bundle::{CONFIG_B, RASTER, XF_A, XF_C, XF_LIGHT, XF_TXC};
use isotherm_regs::field::Field;
use isotherm_regs::xf::mode::{
    BYPASS_ORIGIN, CELSIUS_XFMODE_A, CELSIUS_XFMODE_B, KELVIN_FOG_COORD, LIGHT_MODE,
    RANKINE_FOG_COORD, TEX_GEN, WEIGHT_MODE, XF_MODE, XFMODE_A, XFMODE_B, XFMODE_T,
};
use isotherm_regs::{Chip, Family};

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
    /// Curie, whose viewport lies outside the context and which has no LT for the fog
    /// coordinate to go through.
    pub curie: bool,
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
    curie: false,
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
    curie: false,
};

const CURIE: Map = Map {
    curie: true,
    ..RANKINE
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

impl Mode {
    /// Decodes the mode words. Celsius has its own ([`CelsiusMode`]).
    pub(super) fn decode(chip: Chip, state: &State) -> Mode {
        if chip.family() == Family::Curie {
            return Mode::decode_curie(chip, state);
        }
        let rankine = chip.family() == Family::Rankine;
        // The registers' order is lights, materials; see `isotherm_regs::xf::mode`.
        let (b, a) = (state.mode[word::A], state.mode[word::B]);
        let lights = |f: Field| f.get(chip, b);
        let material = |f: Field| f.get(chip, a) as u8;
        let on = |f: Field| f.is_set(chip, a);
        let path = match lights(XFMODE_B::MODE) {
            XF_MODE::FIXED => Path::Fixed,
            XF_MODE::BYPASS if !rankine => Path::Bypass,
            _ => Path::Program,
        };
        Mode {
            path,
            lights: LIGHT_MODES.map(|f| light_mode(f.get(chip, b))),
            fog: XFMODE_B::FOG_ENABLE.is_set(chip, b),
            fog_exp: XFMODE_B::FOG_MODE_EXP.is_set(chip, b),
            fog_source: fog_source(chip, b),
            point_params: XFMODE_B::POINT_PARAMS_ENABLE.is_set(chip, b),
            weights: weights(lights(XFMODE_B::WEIGHT_MODE)),
            back: Sources {
                specular: material(XFMODE_A::LIGHT_MATERIAL_SPECULAR_BACK),
                diffuse: material(XFMODE_A::LIGHT_MATERIAL_DIFFUSE_BACK),
                ambient: material(XFMODE_A::LIGHT_MATERIAL_AMBIENT_BACK),
                emission: material(XFMODE_A::LIGHT_MATERIAL_EMISSION_BACK),
            },
            specular_enable: on(XFMODE_A::SPECULAR_ENABLE),
            light_model_17: on(XFMODE_A::LIGHT_MODEL_UNK17),
            separate_specular: on(XFMODE_A::LIGHT_MODEL_SEPARATE_SPECULAR),
            front: Sources {
                specular: material(XFMODE_A::LIGHT_MATERIAL_SPECULAR_FRONT),
                diffuse: material(XFMODE_A::LIGHT_MATERIAL_DIFFUSE_FRONT),
                ambient: material(XFMODE_A::LIGHT_MATERIAL_AMBIENT_FRONT),
                emission: material(XFMODE_A::LIGHT_MATERIAL_EMISSION_FRONT),
            },
            normalize: on(XFMODE_A::NORMALIZE_ENABLE),
            attenuate_direct: on(XFMODE_A::LIGHT_MODEL_NO_INVERT),
            two_side: on(XFMODE_A::LIGHT_TWO_SIDE_ENABLE),
            local_viewer: on(XFMODE_A::LIGHT_MODEL_LOCAL_VIEWER),
            lighting: on(XFMODE_A::LIGHTING_ENABLE),
            tex: std::array::from_fn(|i| {
                // The words run downwards: the last holds sets 0 and 1.
                let words = if rankine { 4 } else { 2 };
                match (words - 1usize).checked_sub(i / 2) {
                    Some(w) => tex_mode(chip, state.mode[word::TEX + w], &TEX[i & 1]),
                    None => tex_mode(chip, 0, &TEX[0]),
                }
            }),
            map: if rankine { RANKINE } else { KELVIN },
        }
    }
}

impl Mode {
    /// Curie's mode comes in bundles. From NV41 on there is no fixed function left:
    /// whatever the mode says, a program runs (believed).
    fn decode_curie(chip: Chip, state: &State) -> Mode {
        let bundles = &state.curie.bundles;
        let (a, light, c) = (bundles.XF_A, bundles.XF_LIGHT, bundles.XF_C);
        let (config_b, raster) = (bundles.CONFIG_B, bundles.RASTER);
        // Fixed function has eight of the ten sets.
        let [txc @ .., _, _] = bundles.XF_TXC;
        let fixed = !chip.since(Chip::Nv41) && XF_C::MODE.get(chip, c) == XF_MODE::FIXED;
        // Of the words below, programs follow only what concerns the secondary colour.
        let number = |f: Field| if fixed { f.get(chip, a) } else { 0 };
        let source = |f: Field| number(f) as u8;
        let on = |f: Field, word: u32| f.is_set(chip, word);
        Mode {
            path: if fixed { Path::Fixed } else { Path::Program },
            lights: CURIE_LIGHT_MODES.map(|f| light_mode(f.get(chip, light))),
            fog: on(CONFIG_B::FOG_ENABLE, config_b),
            fog_exp: false,
            fog_source: rankine_fog_source(number(XF_A::FOG_COORD)),
            point_params: fixed && on(CONFIG_B::POINT_PARAMS_ENABLE, config_b),
            weights: weights(number(XF_A::WEIGHT_MODE)),
            back: Sources {
                specular: source(XF_A::LIGHT_MATERIAL_SPECULAR_BACK),
                diffuse: source(XF_A::LIGHT_MATERIAL_DIFFUSE_BACK),
                ambient: source(XF_A::LIGHT_MATERIAL_AMBIENT_BACK),
                emission: source(XF_A::LIGHT_MATERIAL_EMISSION_BACK),
            },
            specular_enable: on(CONFIG_B::SPECULAR_ENABLE, config_b),
            light_model_17: on(XF_LIGHT::LIGHT_MODEL_UNK17, light),
            separate_specular: on(XF_LIGHT::LIGHT_MODEL_SEPARATE_SPECULAR, light),
            front: Sources {
                specular: source(XF_A::LIGHT_MATERIAL_SPECULAR_FRONT),
                diffuse: source(XF_A::LIGHT_MATERIAL_DIFFUSE_FRONT),
                ambient: source(XF_A::LIGHT_MATERIAL_AMBIENT_FRONT),
                emission: source(XF_A::LIGHT_MATERIAL_EMISSION_FRONT),
            },
            normalize: number(XF_A::NORMALIZE_ENABLE) != 0,
            attenuate_direct: false,
            two_side: on(RASTER::LIGHT_TWO_SIDE_ENABLE, raster),
            local_viewer: on(XF_LIGHT::LIGHT_MODEL_LOCAL_VIEWER, light),
            lighting: number(XF_A::LIGHTING_ENABLE) != 0,
            tex: txc.map(|word| TexMode {
                enable: true,
                matrix: on(XF_TXC::TEX_MATRIX_ENABLE, word),
                gen_: CURIE_TEX_GEN.map(|f| tex_gen(f.get(chip, word))),
            }),
            map: CURIE,
        }
    }
}

fn fog_source(chip: Chip, b: u32) -> FogSource {
    if chip.family() == Family::Kelvin {
        return match XFMODE_B::FOG_COORD.get(chip, b) {
            KELVIN_FOG_COORD::SPEC_ALPHA => FogSource::SpecularAlpha,
            KELVIN_FOG_COORD::DIST_RADIAL => FogSource::Radial,
            KELVIN_FOG_COORD::DIST_ORTHOGONAL => FogSource::Planar,
            KELVIN_FOG_COORD::DIST_ORTHOGONAL_ABS => FogSource::PlanarAbs,
            _ => FogSource::Coord,
        };
    }
    rankine_fog_source(XFMODE_B::RANKINE_FOG_COORD.get(chip, b))
}

fn rankine_fog_source(number: u32) -> FogSource {
    match number {
        RANKINE_FOG_COORD::SPEC_ALPHA => FogSource::SpecularAlpha,
        RANKINE_FOG_COORD::DIST_RADIAL => FogSource::Radial,
        RANKINE_FOG_COORD::DIST_ORTHOGONAL => FogSource::Planar,
        _ => FogSource::Coord,
    }
}

/// WEIGHT_MODE: the odd modes generate the last weight.
fn weights(mode: u32) -> (usize, bool) {
    match mode {
        WEIGHT_MODE::W1 => (2, true),
        WEIGHT_MODE::W2 => (2, false),
        WEIGHT_MODE::W2_GEN => (3, true),
        WEIGHT_MODE::W3 => (3, false),
        WEIGHT_MODE::W3_GEN => (4, true),
        WEIGHT_MODE::W4 => (4, false),
        _ => (1, false),
    }
}

const LIGHT_MODES: [Field; 8] = [
    XFMODE_B::LIGHT_MODE_0,
    XFMODE_B::LIGHT_MODE_1,
    XFMODE_B::LIGHT_MODE_2,
    XFMODE_B::LIGHT_MODE_3,
    XFMODE_B::LIGHT_MODE_4,
    XFMODE_B::LIGHT_MODE_5,
    XFMODE_B::LIGHT_MODE_6,
    XFMODE_B::LIGHT_MODE_7,
];

const CURIE_LIGHT_MODES: [Field; 8] = [
    XF_LIGHT::LIGHT_MODE_0,
    XF_LIGHT::LIGHT_MODE_1,
    XF_LIGHT::LIGHT_MODE_2,
    XF_LIGHT::LIGHT_MODE_3,
    XF_LIGHT::LIGHT_MODE_4,
    XF_LIGHT::LIGHT_MODE_5,
    XF_LIGHT::LIGHT_MODE_6,
    XF_LIGHT::LIGHT_MODE_7,
];

const CURIE_TEX_GEN: [Field; 4] = [
    XF_TXC::TEX_GEN_S,
    XF_TXC::TEX_GEN_T,
    XF_TXC::TEX_GEN_R,
    XF_TXC::TEX_GEN_Q,
];

const CELSIUS_LIGHT_MODES: [Field; 8] = [
    CELSIUS_XFMODE_B::LIGHT_MODE_0,
    CELSIUS_XFMODE_B::LIGHT_MODE_1,
    CELSIUS_XFMODE_B::LIGHT_MODE_2,
    CELSIUS_XFMODE_B::LIGHT_MODE_3,
    CELSIUS_XFMODE_B::LIGHT_MODE_4,
    CELSIUS_XFMODE_B::LIGHT_MODE_5,
    CELSIUS_XFMODE_B::LIGHT_MODE_6,
    CELSIUS_XFMODE_B::LIGHT_MODE_7,
];

fn light_mode(n: u32) -> LightMode {
    match n {
        LIGHT_MODE::NONE => LightMode::Off,
        LIGHT_MODE::INFINITE => LightMode::Infinite,
        LIGHT_MODE::LOCAL => LightMode::Local,
        _ => LightMode::Spot,
    }
}

fn tex_gen(n: u32) -> TexGen {
    match n {
        TEX_GEN::EYE_LINEAR => TexGen::EyeLinear,
        TEX_GEN::OBJECT_LINEAR => TexGen::ObjectLinear,
        TEX_GEN::SPHERE_MAP => TexGen::Sphere,
        TEX_GEN::NORMAL_MAP => TexGen::Normal,
        TEX_GEN::REFLECTION_MAP => TexGen::Reflection,
        TEX_GEN::EMBOSS_MAP => TexGen::Emboss,
        _ => TexGen::Pass,
    }
}

/// The fields of a texture set.
struct TexFields {
    enable: Field,
    matrix: Field,
    gen_: [Field; 4],
}

/// The two sets of an XFMODE_T.
const TEX: [TexFields; 2] = [
    TexFields {
        enable: XFMODE_T::TEX_0_ENABLE,
        matrix: XFMODE_T::TEX_0_MATRIX_ENABLE,
        gen_: [
            XFMODE_T::TEX_0_GEN_S,
            XFMODE_T::TEX_0_GEN_T,
            XFMODE_T::TEX_0_GEN_R,
            XFMODE_T::TEX_0_GEN_Q,
        ],
    },
    TexFields {
        enable: XFMODE_T::TEX_1_ENABLE,
        matrix: XFMODE_T::TEX_1_MATRIX_ENABLE,
        gen_: [
            XFMODE_T::TEX_1_GEN_S,
            XFMODE_T::TEX_1_GEN_T,
            XFMODE_T::TEX_1_GEN_R,
            XFMODE_T::TEX_1_GEN_Q,
        ],
    },
];

/// Celsius' two sets, and whether each is multiplied by 1/w.
const CELSIUS_TEX: [(TexFields, Field); 2] = [
    (
        TexFields {
            enable: CELSIUS_XFMODE_A::TEX_0_ENABLE,
            matrix: CELSIUS_XFMODE_A::TEX_0_MATRIX_ENABLE,
            gen_: [
                CELSIUS_XFMODE_A::TEX_0_GEN_S,
                CELSIUS_XFMODE_A::TEX_0_GEN_T,
                CELSIUS_XFMODE_A::TEX_0_GEN_R,
                CELSIUS_XFMODE_A::TEX_0_GEN_Q,
            ],
        },
        CELSIUS_XFMODE_A::TEX_0_PERSPECTIVE,
    ),
    (
        TexFields {
            enable: CELSIUS_XFMODE_A::TEX_1_ENABLE,
            matrix: CELSIUS_XFMODE_A::TEX_1_MATRIX_ENABLE,
            gen_: [
                CELSIUS_XFMODE_A::TEX_1_GEN_S,
                CELSIUS_XFMODE_A::TEX_1_GEN_T,
                CELSIUS_XFMODE_A::TEX_1_GEN_R,
                CELSIUS_XFMODE_A::TEX_1_GEN_Q,
            ],
        },
        CELSIUS_XFMODE_A::TEX_1_PERSPECTIVE,
    ),
];

fn tex_mode(chip: Chip, word: u32, fields: &TexFields) -> TexMode {
    // Most sets are not in use, and modes are decoded with every draw.
    if word == 0 {
        return TexMode {
            enable: false,
            matrix: false,
            gen_: [tex_gen(0); 4],
        };
    }
    let mut gen_ = [tex_gen(0); 4];
    for (gen_, field) in gen_.iter_mut().zip(&fields.gen_) {
        *gen_ = tex_gen(field.get(chip, word));
    }
    TexMode {
        enable: fields.enable.is_set(chip, word),
        matrix: fields.matrix.is_set(chip, word),
        gen_,
    }
}

/// Celsius' mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CelsiusMode {
    /// Scale and offset only.
    pub bypass: bool,
    /// Bypass moves by the second viewport offset.
    pub centred: bool,
    pub lights: [LightMode; 8],
    pub lighting: bool,
    pub local_viewer: bool,
    pub normalize: bool,
    /// The attenuation polynomial is not inverted.
    pub attenuate_direct: bool,
    /// The vertex's secondary colour is read.
    pub specular_in: bool,
    /// Specular light goes to the secondary colour.
    pub specular_out: bool,
    /// Emission, ambient, diffuse, specular come from the vertex.
    pub track: [bool; 4],
    pub fog: bool,
    /// CELSIUS_FOG_COORD.
    pub fog_coord: u32,
    pub point_params: bool,
    pub weighted: bool,
    pub tex: [TexMode; 2],
    /// Texture coordinates are multiplied by 1/w.
    pub perspective: [bool; 2],
}

impl CelsiusMode {
    pub(crate) fn decode(chip: Chip, state: &State) -> CelsiusMode {
        let (b, a) = (state.mode[word::A], state.mode[word::B]);
        let lights = |f: Field| f.is_set(chip, b);
        let textures = |f: Field| f.is_set(chip, a);
        CelsiusMode {
            bypass: lights(CELSIUS_XFMODE_B::BYPASS),
            centred: CELSIUS_XFMODE_B::ORIGIN.get(chip, b) == BYPASS_ORIGIN::CENTER,
            lights: CELSIUS_LIGHT_MODES.map(|f| light_mode(f.get(chip, b))),
            lighting: textures(CELSIUS_XFMODE_A::LIGHTING_ENABLE),
            local_viewer: textures(CELSIUS_XFMODE_A::LIGHT_MODEL_LOCAL_VIEWER),
            normalize: textures(CELSIUS_XFMODE_A::NORMALIZE_ENABLE),
            attenuate_direct: lights(CELSIUS_XFMODE_B::LIGHT_MODEL_NO_INVERT),
            specular_in: lights(CELSIUS_XFMODE_B::LIGHT_MODEL_VERTEX_SPECULAR),
            specular_out: lights(CELSIUS_XFMODE_B::LIGHT_MODEL_SEPARATE_SPECULAR),
            track: [
                lights(CELSIUS_XFMODE_B::LIGHT_MATERIAL_EMISSION),
                lights(CELSIUS_XFMODE_B::LIGHT_MATERIAL_AMBIENT),
                lights(CELSIUS_XFMODE_B::LIGHT_MATERIAL_DIFFUSE),
                lights(CELSIUS_XFMODE_B::LIGHT_MATERIAL_SPECULAR),
            ],
            fog: textures(CELSIUS_XFMODE_A::FOG_ENABLE),
            fog_coord: CELSIUS_XFMODE_B::FOG_COORD.get(chip, b),
            point_params: lights(CELSIUS_XFMODE_B::POINT_PARAMS_ENABLE),
            weighted: lights(CELSIUS_XFMODE_B::WEIGHT_ENABLE),
            tex: [
                tex_mode(chip, a, &CELSIUS_TEX[0].0),
                tex_mode(chip, a, &CELSIUS_TEX[1].0),
            ],
            perspective: [textures(CELSIUS_TEX[0].1), textures(CELSIUS_TEX[1].1)],
        }
    }
}
