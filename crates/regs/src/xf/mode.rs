//! XFMODE: the words that say what XF and LT do with a vertex.
//!
//! Names follow the newer public documentation, the register scans and the
//! method vectors (A holds materials or Celsius' textures, B the lights, T two
//! textures each). The older page calls the same words A (lights), B (materials)
//! and C (textures). The [`record`] is in the order of the shadow registers,
//! which is the older page's order of naming too.

use crate::Chip::{self, *};
use crate::field::{Kind, bit, bits};
use crate::record::{Record, Slot, slot};
use crate::{Family, values, word};

values! { /// How a light behaves. If one is off, all that follow must be off.
LIGHT_MODE {
    NONE = 0,
    INFINITE = 1,
    LOCAL = 2,
    SPOTLIGHT = 3,
} }

values! { /// How the fog coordinate comes about on Celsius.
CELSIUS_FOG_COORD {
    PASS = 0,
    DIST_RADIAL = 1,
    DIST_ORTHOGONAL = 2,
    DIST_ORTHOGONAL_ABS = 3,
} }

values! { /// How the fog coordinate comes about on Kelvin.
KELVIN_FOG_COORD {
    SPEC_ALPHA = 0,
    DIST_RADIAL = 1,
    DIST_ORTHOGONAL = 2,
    DIST_ORTHOGONAL_ABS = 3,
    FOG_COORD = 4,
} }

values! { /// How the fog coordinate comes about on Rankine.
RANKINE_FOG_COORD {
    SPEC_ALPHA = 0,
    DIST_RADIAL = 1,
    DIST_ORTHOGONAL = 2,
    FOG_COORD = 3,
} }

values! { /// Texture coordinate generation.
TEX_GEN {
    PASS = 0,
    EYE_LINEAR = 1,
    OBJECT_LINEAR = 2,
    /// s and t only
    SPHERE_MAP = 3,
    /// s, t and r only
    NORMAL_MAP = 4,
    /// s, t and r only
    REFLECTION_MAP = 5,
    /// s of texture 1 on Celsius (and Celsius emulated); affects all coordinates
    EMBOSS_MAP = 6,
} }

values! { /// Which viewport offset bypass mode uses.
BYPASS_ORIGIN {
    CORNER = 0,
    CENTER = 1,
} }

values! { /// Where a material colour comes from.
MATERIAL_SOURCE {
    NONE = 0,
    COL0 = 1,
    COL1 = 2,
} }

values! { /// How matrices are blended (page: ??? above 1). Names from the public NV097 method SET_SKIN_MODE.
WEIGHT_MODE {
    NONE = 0,
    /// two matrices, the second weight is one minus the first (page: 1)
    W1 = 1,
    /// two matrices, two weights
    W2 = 2,
    /// three matrices, the last weight computed
    W2_GEN = 3,
    /// three matrices, three weights
    W3 = 4,
    /// four matrices, the last weight computed
    W3_GEN = 5,
    /// four matrices, four weights
    W4 = 6,
} }

values! { /// What the vertex engine runs.
XF_MODE {
    /// fixed function
    FIXED = 0,
    /// set by emulated Celsius only
    BYPASS = 1 until Nv30,
    PROGRAM_V3 = 1 since Nv40,
    /// first-generation program (page: PROGRAM)
    PROGRAM_V1 = 2,
    /// second-generation program
    PROGRAM_V2 = 3 since Nv30,
} }

values! { /// Which context entries a program reads.
XFCTX_ACCESS {
    /// the user's, and the viewport's two directly
    USER_ONLY = 0,
    FULL = 1,
} }

values! { /// How arithmetic treats zeros, infinities and NaNs.
ARITH_RULES {
    /// as NV_vertex_program: zero wins, NaNs are ordered
    LEGACY = 0,
    /// as NV_vertex_program2: mostly IEEE 754
    MODERN = 1,
} }

word! { /// Celsius, 400F40h: lights and materials. The older page: XFMODE_A.
CELSIUS_XFMODE_B {
    LIGHT_MODE_0: bits(0, 1).of(LIGHT_MODE),
    LIGHT_MODE_1: bits(2, 3).of(LIGHT_MODE),
    LIGHT_MODE_2: bits(4, 5).of(LIGHT_MODE),
    LIGHT_MODE_3: bits(6, 7).of(LIGHT_MODE),
    LIGHT_MODE_4: bits(8, 9).of(LIGHT_MODE),
    LIGHT_MODE_5: bits(10, 11).of(LIGHT_MODE),
    LIGHT_MODE_6: bits(12, 13).of(LIGHT_MODE),
    LIGHT_MODE_7: bits(14, 15).of(LIGHT_MODE),
    FOG_COORD: bits(16, 17).of(CELSIUS_FOG_COORD)
        .conflict("in bypass mode the numbers mean otherwise: 1 input z, 2 1/w, 3 1/w on NV10 and the vertex's fog later"),
    /// the attenuation polynomial is not inverted
    LIGHT_MODEL_NO_INVERT: bit(18).alias("LIGHT_MODEL_UNK2").src("vertex model"),
    /// the vertex's secondary colour is read as specular material
    LIGHT_MODEL_VERTEX_SPECULAR: bit(19),
    /// specular goes to the secondary colour
    LIGHT_MODEL_SEPARATE_SPECULAR: bit(20),
    LIGHT_MATERIAL_EMISSION: bit(21).alias("LIGHT_MATERIAL").src("vertex model; the page has one field 21-24, ???"),
    LIGHT_MATERIAL_AMBIENT: bit(22),
    LIGHT_MATERIAL_DIFFUSE: bit(23),
    LIGHT_MATERIAL_SPECULAR: bit(24),
    POINT_PARAMS_ENABLE: bit(25),
    WEIGHT_ENABLE: bit(27),
    BYPASS: bit(28),
    ORIGIN: bit(29).of(BYPASS_ORIGIN),
} }

word! { /// Celsius, 400F44h: textures; writing it sends the mode. The older page: XFMODE_B.
CELSIUS_XFMODE_A {
    TEX_0_ENABLE: bit(0),
    /// must be set if texgen is used or perspective is off
    TEX_0_MATRIX_ENABLE: bit(1),
    /// multiply the coordinates by 1/w
    TEX_0_PERSPECTIVE: bit(2),
    TEX_0_GEN_S: bits(3, 5).of(TEX_GEN),
    TEX_0_GEN_T: bits(6, 8).of(TEX_GEN),
    TEX_0_GEN_R: bits(9, 11).of(TEX_GEN),
    TEX_0_GEN_Q: bits(12, 13).of(TEX_GEN),
    TEX_1_ENABLE: bit(14),
    TEX_1_MATRIX_ENABLE: bit(15),
    TEX_1_PERSPECTIVE: bit(16),
    TEX_1_GEN_S: bits(17, 19).of(TEX_GEN),
    TEX_1_GEN_T: bits(20, 22).of(TEX_GEN),
    TEX_1_GEN_R: bits(23, 25).of(TEX_GEN),
    TEX_1_GEN_Q: bits(26, 27).of(TEX_GEN),
    LIGHT_MODEL_LOCAL_VIEWER: bit(28),
    LIGHTING_ENABLE: bit(29),
    NORMALIZE_ENABLE: bit(30),
    FOG_ENABLE: bit(31),
} }

word! { /// Kelvin and Rankine: materials. The older page: XFMODE_B.
XFMODE_A {
    LIGHT_MATERIAL_SPECULAR_BACK: bits(0, 1).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_DIFFUSE_BACK: bits(2, 3).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_AMBIENT_BACK: bits(4, 5).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_EMISSION_BACK: bits(6, 7).of(MATERIAL_SOURCE),
    /// first instruction of the program
    PROGRAM_START_POS: bits(8, 15),
    SPECULAR_ENABLE: bit(16),
    /// bit 17 of method 294h; the driver sets it with LOCAL_VIEWER
    LIGHT_MODEL_UNK17: bit(17).of(Kind::Unknown),
    LIGHT_MODEL_SEPARATE_SPECULAR: bit(18),
    LIGHT_MATERIAL_SPECULAR_FRONT: bits(19, 20).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_DIFFUSE_FRONT: bits(21, 22).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_AMBIENT_FRONT: bits(23, 24).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_EMISSION_FRONT: bits(25, 26).of(MATERIAL_SOURCE),
    NORMALIZE_ENABLE: bit(27),
    /// as Celsius: the attenuation polynomial is not inverted
    LIGHT_MODEL_NO_INVERT: bit(28).until(Nv34).alias("LIGHT_MODEL_UNK2")
        .src("name carried over from the Celsius vertex model, not shown on Kelvin"),
    LIGHT_TWO_SIDE_ENABLE: bit(29),
    LIGHT_MODEL_LOCAL_VIEWER: bit(30),
    LIGHTING_ENABLE: bit(31),
} }

word! { /// Kelvin and Rankine: lights, fog, weights, mode. The older page: XFMODE_A.
XFMODE_B {
    LIGHT_MODE_0: bits(0, 1).of(LIGHT_MODE),
    LIGHT_MODE_1: bits(2, 3).of(LIGHT_MODE),
    LIGHT_MODE_2: bits(4, 5).of(LIGHT_MODE),
    LIGHT_MODE_3: bits(6, 7).of(LIGHT_MODE),
    LIGHT_MODE_4: bits(8, 9).of(LIGHT_MODE),
    LIGHT_MODE_5: bits(10, 11).of(LIGHT_MODE),
    LIGHT_MODE_6: bits(12, 13).of(LIGHT_MODE),
    LIGHT_MODE_7: bits(14, 15).of(LIGHT_MODE),
    /// the program's position is already in window coordinates
    VIEWPORT_TRANSFORM_SKIP: bit(16).since(Nv30),
    ARITH_RULES: bit(17).since(Nv30).of(ARITH_RULES),
    /// bit 2 of method 1E94h (older page: ???)
    XFCTX_ACCESS: bit(18).of(XFCTX_ACCESS),
    FOG_ENABLE: bit(19),
    /// bit 0 of method 9CCh; public NV097 headers call it SET_TEXGEN_VIEW_MODEL
    TEXGEN_VIEW_MODEL: bit(20).alias("UNK9CC").src("public NV097 headers name the method"),
    FOG_MODE_EXP: bit(21).until(Nv30),
    FOG_COORD: bits(22, 24).until(Nv30).of(KELVIN_FOG_COORD),
    RANKINE_FOG_COORD: bits(22, 23).since(Nv30).of(RANKINE_FOG_COORD),
    POINT_PARAMS_ENABLE: bit(25),
    WEIGHT_MODE: bits(26, 28).of(WEIGHT_MODE),
    /// programs may write the context, and vertices run one after the other (older page: ???)
    XFCTX_WRITE_ENABLE: bit(29),
    MODE: bits(30, 31).of(XF_MODE),
} }

word! { /// Rankine: user clip planes.
XFMODE_C {
    CLIP_PLANE_ENABLE_0: bit(0),
    CLIP_PLANE_ENABLE_1: bit(1),
    CLIP_PLANE_ENABLE_2: bit(2),
    CLIP_PLANE_ENABLE_3: bit(3),
    CLIP_PLANE_ENABLE_4: bit(4),
    CLIP_PLANE_ENABLE_5: bit(5),
} }

word! { /// Two texture coordinate sets: 0 and 1 in the first T, 2 and 3 in the second and so on. The older page: XFMODE_C.
XFMODE_T {
    TEX_0_ENABLE: bit(0),
    TEX_0_MATRIX_ENABLE: bit(1),
    /// the r coordinate is computed
    TEX_0_R_ENABLE: bit(2),
    TEX_0_GEN_S: bits(4, 6).of(TEX_GEN),
    TEX_0_GEN_T: bits(7, 9).of(TEX_GEN),
    TEX_0_GEN_R: bits(10, 12).of(TEX_GEN),
    TEX_0_GEN_Q: bits(13, 15).of(TEX_GEN),
    TEX_1_ENABLE: bit(16),
    TEX_1_MATRIX_ENABLE: bit(17),
    /// the r coordinate is computed
    TEX_1_R_ENABLE: bit(18),
    TEX_1_GEN_S: bits(20, 22).of(TEX_GEN),
    TEX_1_GEN_T: bits(23, 25).of(TEX_GEN),
    TEX_1_GEN_R: bits(26, 28).of(TEX_GEN),
    TEX_1_GEN_Q: bits(29, 31).of(TEX_GEN),
} }

const CELSIUS_SLOTS: &[Slot] = &[slot(&CELSIUS_XFMODE_B::WORD), slot(&CELSIUS_XFMODE_A::WORD)];
const KELVIN_SLOTS: &[Slot] = &[
    slot(&XFMODE_B::WORD),
    slot(&XFMODE_A::WORD),
    slot(&XFMODE_T::WORD),
    slot(&XFMODE_T::WORD),
];
const RANKINE_SLOTS: &[Slot] = &[
    slot(&XFMODE_C::WORD),
    slot(&XFMODE_B::WORD),
    slot(&XFMODE_A::WORD),
    slot(&XFMODE_T::WORD),
    slot(&XFMODE_T::WORD),
    slot(&XFMODE_T::WORD),
    slot(&XFMODE_T::WORD),
];

/// Celsius' two words.
pub const CELSIUS_XFMODE: Record = Record {
    name: "XFMODE",
    doc: "Vertex engine mode of Celsius: lights (400F40h), textures (400F44h).",
    slots: CELSIUS_SLOTS,
    joined: &[],
};

/// Kelvin's four words.
pub const KELVIN_XFMODE: Record = Record {
    name: "XFMODE",
    doc: "Vertex engine mode of Kelvin: lights (400FB4h), materials, textures 2 and 3, textures 0 and 1.",
    slots: KELVIN_SLOTS,
    joined: &[],
};

/// Rankine's seven words.
pub const RANKINE_XFMODE: Record = Record {
    name: "XFMODE",
    doc: "Vertex engine mode of Rankine: clip planes (400FB8h), lights, materials, textures 6 and 7, 4 and 5, 2 and 3, 0 and 1.",
    slots: RANKINE_SLOTS,
    joined: &[],
};

/// The mode record of a chip, in the order of its shadow registers, and the MMIO
/// address of its first word. Curie has none: its mode travels as bundles.
pub fn record(chip: Chip) -> Option<(&'static Record, u32)> {
    match chip.family() {
        Family::Celsius => Some((&CELSIUS_XFMODE, 0x40_0f40)),
        Family::Kelvin => Some((&KELVIN_XFMODE, 0x40_0fb4)),
        Family::Rankine => Some((&RANKINE_XFMODE, 0x40_0fb8)),
        Family::Curie | Family::Utgard => None,
    }
}
