//! Curie's vertex engine words: its mode left the XFMODE registers and became bundles.

use crate::field::{Kind, bit, bits};
use crate::{plain_words, word};

word! { /// Vertex engine mode; presumably the heir of XFMODE_A.
XF_A {
    UNK0: bit(0).of(Kind::Unknown),
    UNK2: bits(2, 26).of(Kind::Unknown).src("register scan; which of Rankine's mode bits these are is not known"),
    UNK28: bit(28).of(Kind::Unknown),
} }

word! { /// Lights; presumably the heir of XFMODE_B.
XF_LIGHT {
    /// two bits a light
    LIGHT_MODES: bits(0, 15).of(Kind::Hex).src("guess from Rankine's XFMODE_B"),
    UNK16: bits(16, 18).of(Kind::Unknown),
} }

word! { /// Vertex engine mode, unknown.
XF_C {
    UNK0: bits(0, 9).of(Kind::Unknown),
    UNK27: bit(27).of(Kind::Unknown),
    UNK30: bits(30, 31).of(Kind::Unknown),
} }

word! { /// Vertex engine mode, unknown.
XF_D {
    UNK0: bits(0, 16).of(Kind::Unknown),
} }

word! { /// Vertex attributes the program reads.
XF_ATTR_IN_MASK {
    /// method 1FF0h VP_ATTRIB_EN
    ATTRS: bits(0, 31).of(Kind::Hex),
} }

word! { /// Results the program writes.
XF_ATTR_OUT_MASK {
    /// method 1FF4h VP_RESULT_EN
    RESULTS: bits(0, 21).of(Kind::Hex),
} }

word! { /// Texture coordinate set of the fixed-function vertex engine.
XF_TXC {
    GEN_S: bits(0, 2).entries(0, 7).src("guess: four 3-bit fields like XFMODE_T's texgen modes"),
    GEN_T: bits(4, 6).entries(0, 7),
    GEN_R: bits(8, 10).entries(0, 7),
    GEN_Q: bits(12, 14).entries(0, 7),
    UNK16: bit(16).entries(0, 7).of(Kind::Unknown),
    UNK17: bits(17, 19).of(Kind::Unknown),
} }

plain_words! {
    /// Where results go, unknown layout.
    XF_OUT_MAP_MISC_A.MAP of Kind::Hex;
    /// Where results go, unknown layout.
    XF_OUT_MAP_MISC_B.MAP of Kind::Hex;
    /// Where texture coordinates go, four bits each.
    XF_OUT_MAP_TXC_A.MAP of Kind::Hex;
    /// Vertex texture address.
    XF_TEX_OFFSET.OFFSET of Kind::Hex;
    /// Vertex texture border colour.
    XF_TEX_BORDER_COLOR.COLOR of Kind::Hex;
}

word! { /// Where texture coordinates 8 and 9 go.
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
    PROGRAM: bits(0, 11),
    CONSTANT: bits(16, 27),
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
    WRAP_S: bits(0, 2).of(super::tex::TEX_WRAP_MODE),
    WRAP_T: bits(8, 10).of(super::tex::TEX_WRAP_MODE),
} }

word! { /// Vertex texture enable and level-of-detail clamp.
XF_TEX_CONTROL_A {
    UNK6: bit(6).of(Kind::Unknown),
    MAX_LOD: bits(7, 18).of(Kind::UFixed(4, 8)).src("as TEX_CONTROL"),
    MIN_LOD: bits(19, 30).of(Kind::UFixed(4, 8)).src("as TEX_CONTROL"),
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
