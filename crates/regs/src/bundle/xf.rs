//! Curie's vertex engine words: its mode left the XFMODE registers and became bundles.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::xf::mode::{
    ARITH_RULES, LIGHT_MODE, MATERIAL_SOURCE, TEX_GEN, WEIGHT_MODE, XF_MODE, XFCTX_ACCESS,
};
use crate::{plain_words, word};

word! { /// Vertex engine mode; most of Rankine's XFMODE, of which NV41 and up keep little.
XF_A {
    /// bit 0 of method 9CCh
    TEXGEN_VIEW_MODEL: bit(0).until(Nv41).src("newer public XF page"),
    XFCTX_ACCESS: bit(2).until(Nv41).of(XFCTX_ACCESS).src("newer public XF page"),
    LIGHT_MATERIAL_EMISSION_FRONT: bits(3, 4).until(Nv41).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_AMBIENT_FRONT: bits(5, 6).until(Nv41).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_DIFFUSE_FRONT: bits(7, 8).until(Nv41).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_SPECULAR_FRONT: bits(9, 10).until(Nv41).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_EMISSION_BACK: bits(11, 12).until(Nv41).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_AMBIENT_BACK: bits(13, 14).until(Nv41).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_DIFFUSE_BACK: bits(15, 16).until(Nv41).of(MATERIAL_SOURCE),
    LIGHT_MATERIAL_SPECULAR_BACK: bits(17, 18).until(Nv41).of(MATERIAL_SOURCE),
    FOG_COORD: bits(19, 21).until(Nv41),
    LIGHTING_ENABLE: bit(22).until(Nv41),
    WEIGHT_MODE: bits(23, 25).until(Nv41).of(WEIGHT_MODE),
    NORMALIZE_ENABLE: bit(26).until(Nv41),
    VIEWPORT_TRANSFORM_SKIP: bit(28),
    /// the register scan of NV44 has NV40's mask, the newer page says NV41 dropped these
    NV41_UNK0: bit(0).since(Nv41).of(Kind::Unknown),
    NV41_UNK2: bits(2, 26).since(Nv41).of(Kind::Unknown),
} }

word! { /// Lights. The newer page has it on NV40 and NV45 only, the scan of NV44 too.
XF_LIGHT {
    LIGHT_MODE_0: bits(0, 1).of(LIGHT_MODE),
    LIGHT_MODE_1: bits(2, 3).of(LIGHT_MODE),
    LIGHT_MODE_2: bits(4, 5).of(LIGHT_MODE),
    LIGHT_MODE_3: bits(6, 7).of(LIGHT_MODE),
    LIGHT_MODE_4: bits(8, 9).of(LIGHT_MODE),
    LIGHT_MODE_5: bits(10, 11).of(LIGHT_MODE),
    LIGHT_MODE_6: bits(12, 13).of(LIGHT_MODE),
    LIGHT_MODE_7: bits(14, 15).of(LIGHT_MODE),
    LIGHT_MODEL_LOCAL_VIEWER: bit(16),
    /// Kelvin's LIGHT_MODEL bit 17
    LIGHT_MODEL_UNK17: bit(17).of(Kind::Unknown),
    LIGHT_MODEL_SEPARATE_SPECULAR: bit(18),
} }

word! { /// Program start and mode.
XF_C {
    PROGRAM_START_POS: bits(0, 9),
    ARITH_RULES: bit(27).of(ARITH_RULES),
    MODE: bits(30, 31).of(XF_MODE),
} }

word! { /// Program time-out.
XF_D {
    TIMEOUT: bits(0, 15),
    /// bit 20 of method 1EF8h
    UNK16: bit(16).of(Kind::Unknown),
} }

word! { /// Vertex attributes the program reads, and how arrays count for them.
XF_ATTR_IN_MASK {
    /// method 1FF0h VP_ATTRIB_EN
    ATTRS: bits(0, 15).of(Kind::Hex),
    /// method 1FC0h: the number of a vertex is taken modulo the array's frequency instead of
    /// divided by it
    MODULO: bits(16, 31).of(Kind::Hex)
        .src("public headers: SET_FREQUENCY_DIVIDER_OPERATION, 1 is MODULO, 0 is DIVIDE"),
} }

word! { /// Results the program writes.
XF_ATTR_OUT_MASK {
    /// method 1FF4h VP_RESULT_EN
    RESULTS: bits(0, 21).of(Kind::Hex),
} }

/// Bits of [`XF_ATTR_OUT_MASK`]'s RESULTS, as the public driver for these chips sets them.
pub mod result {
    /// First of front diffuse, front specular, back diffuse, back specular.
    pub const COLOR: u32 = 0;
    /// Fog coordinate.
    pub const FOG: u32 = 4;
    /// Point size.
    pub const POINT_SIZE: u32 = 5;
    /// First of six clip distances.
    pub const CLIP: u32 = 6;
    /// Texture coordinate sets 8 and 9.
    pub const TEX8: u32 = 12;
    /// First of texture coordinate sets 0 to 7.
    pub const TEX: u32 = 14;

    /// The bit of a texture coordinate set.
    pub const fn tex(set: u32) -> u32 {
        if set < 8 { TEX + set } else { TEX8 + set - 8 }
    }
}

word! { /// One texture coordinate set of the fixed-function vertex engine.
XF_TXC {
    TEX_GEN_S: bits(0, 2).entries(0, 7).of(TEX_GEN),
    TEX_GEN_T: bits(4, 6).entries(0, 7).of(TEX_GEN),
    TEX_GEN_R: bits(8, 10).entries(0, 7).of(TEX_GEN),
    TEX_GEN_Q: bits(12, 14).entries(0, 7).of(TEX_GEN),
    TEX_MATRIX_ENABLE: bit(16).entries(0, 7),
    /// fragment programs read z as 0 and w as the position's w
    TWO_D: bit(17).src("public headers: the 2D mask of a program's texture coordinates"),
    /// taken inside the part of a pixel that is covered
    CENTROID: bit(18).src("public headers: the centroid mask of a program's texture coordinates"),
    UNK19: bit(19).of(Kind::Unknown),
} }

plain_words! {
    /// The output registers that texture coordinates 0 to 7 come from, four bits each.
    XF_OUT_MAP_TXC_A.MAP of Kind::Hex;
    /// Vertex texture address.
    XF_TEX_OFFSET.OFFSET of Kind::Hex;
    /// Vertex texture border colour.
    XF_TEX_BORDER_COLOR.COLOR of Kind::Hex;
}

word! { /// Where the first three clip distances and other results come from: the number of an
/// output register, for single numbers times four and the component's number added.
XF_OUT_MAP_MISC_A {
    CLIP0: bits(0, 5),
    CLIP1: bits(6, 11),
    CLIP2: bits(12, 17),
    FOG: bits(18, 23).src("the value that drivers write: 14h, register 5's x"),
    FRONT_DIFFUSE: bits(24, 27).src("the value that drivers write: 1"),
    FRONT_SPECULAR: bits(28, 31).src("the value that drivers write: 2"),
} }

word! { /// Where the last three clip distances and other results come from.
XF_OUT_MAP_MISC_B {
    CLIP3: bits(0, 5),
    CLIP4: bits(6, 11),
    CLIP5: bits(12, 17),
    POINT_SIZE: bits(18, 23).src("the value that drivers write: 18h, register 6's x"),
    BACK_DIFFUSE: bits(24, 27).src("the value that drivers write: 3"),
    BACK_SPECULAR: bits(28, 31).src("the value that drivers write: 4"),
} }

word! { /// The output registers that texture coordinates 8 and 9 come from.
XF_OUT_MAP_TXC_B {
    MAP: bits(0, 7).of(Kind::Hex),
} }

word! { /// Unknown.
XF_UNK0E7 {
    UNK0: bits(0, 9).of(Kind::Unknown),
    UNK16: bits(16, 25).of(Kind::Unknown),
} }

word! { /// Where programs and constants are loaded.
XF_LOAD_POS {
    /// word of the instruction
    PROGRAM_WORD: bits(0, 1),
    PROGRAM: bits(2, 11),
    CONSTANT_WORD: bits(16, 17),
    CONSTANT: bits(18, 27),
} }

word! { /// Vertex texture format.
XF_TEX_FORMAT {
    DMA: bit(1).of(super::tex::DMA_AB),
    MODE: bits(6, 7).of(super::tex::TEX_MODE),
    FORMAT: bits(8, 12).of(super::tex::CURIE_TEX_FORMAT),
    LINEAR: bit(13),
    RECT: bit(14),
    UNK15: bit(15).of(Kind::Unknown),
    MIPS: bits(16, 19),
} }

word! { /// Vertex texture wrap modes.
XF_TEX_WRAP {
    WRAP_S: bits(0, 2).of(super::tex::CURIE_TEX_WRAP_MODE),
    WRAP_T: bits(8, 10).of(super::tex::CURIE_TEX_WRAP_MODE),
} }

word! { /// Vertex texture enable and level-of-detail clamp.
XF_TEX_CONTROL_A {
    MAX_LOD: bits(6, 17).of(Kind::UFixed(4, 8)).src("hardware tests: one bit below TEX_CONTROL's"),
    MIN_LOD: bits(18, 29).of(Kind::UFixed(4, 8)),
    ENABLE: bit(30),
} }

word! { /// Vertex texture pitch.
XF_TEX_CONTROL_B {
    PITCH: bits(0, 17),
} }

word! { /// Vertex texture filter.
XF_TEX_FILTER {
    LOD_BIAS: bits(0, 12).of(Kind::SFixed(5, 8)),
} }

word! { /// Vertex texture size.
XF_TEX_RECT {
    HEIGHT: bits(0, 12),
    WIDTH: bits(16, 28),
} }
