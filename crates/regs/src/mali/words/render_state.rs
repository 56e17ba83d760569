//! The render state: 16 words, 64-byte aligned, one per draw.

use crate::field::{Kind, bit, bits};
use crate::record::{Joined, Record, Slot, slot};
use crate::{values, word};

values! { /// Compare functions.
RSW_COMPARE {
    NEVER = 0,
    LESS = 1,
    EQUAL = 2,
    LEQUAL = 3,
    GREATER = 4,
    NOTEQUAL = 5,
    GEQUAL = 6,
    ALWAYS = 7,
} }

values! { /// What the stencil test does to the stored value.
RSW_STENCIL_OP {
    KEEP = 0,
    REPLACE = 1,
    ZERO = 2,
    INVERT = 3,
    INCR_WRAP = 4,
    DECR_WRAP = 5,
    /// saturates
    INCR = 6,
    /// saturates
    DECR = 7,
} }

values! { /// How source and destination are joined.
RSW_BLEND_EQUATION {
    SUBTRACT = 0,
    REVERSE_SUBTRACT = 1,
    ADD = 2,
    /// a logic operation whose number stands in the source factor; missing on the page
    LOGIC_OP = 3,
    MIN = 4,
    MAX = 5,
} }

values! { /// Colour factors: low three bits the source, bit 3 one minus, bit 4 its alpha.
RSW_COLOR_FACTOR {
    SRC_COLOR = 0,
    DST_COLOR = 1,
    CONSTANT_COLOR = 2,
    ZERO = 3,
    /// the page says 7
    SRC_ALPHA_SATURATE = 4,
    /// the second source colour; missing on the page
    SRC1_COLOR = 5,
    ONE_MINUS_SRC_COLOR = 8,
    ONE_MINUS_DST_COLOR = 9,
    ONE_MINUS_CONSTANT_COLOR = 10,
    ONE = 11,
    ONE_MINUS_SRC1_COLOR = 13,
    SRC_ALPHA = 16,
    DST_ALPHA = 17,
    CONSTANT_ALPHA = 18,
    SRC1_ALPHA = 21,
    ONE_MINUS_SRC_ALPHA = 24,
    ONE_MINUS_DST_ALPHA = 25,
    ONE_MINUS_CONSTANT_ALPHA = 26,
    ONE_MINUS_SRC1_ALPHA = 29,
} }

values! { /// Alpha factors: as the colour factors, without bit 4.
RSW_ALPHA_FACTOR {
    SRC_ALPHA = 0,
    DST_ALPHA = 1,
    CONSTANT_ALPHA = 2,
    ZERO = 3,
    SRC_ALPHA_SATURATE = 4,
    SRC1_ALPHA = 5,
    ONE_MINUS_SRC_ALPHA = 8,
    ONE_MINUS_DST_ALPHA = 9,
    ONE_MINUS_CONSTANT_ALPHA = 10,
    ONE = 11,
    ONE_MINUS_SRC1_ALPHA = 13,
} }

values! { /// Logic operations as a truth table.
RSW_LOGIC_OP {
    CLEAR = 0,
    NOR = 1,
    AND_INVERTED = 2,
    COPY_INVERTED = 3,
    AND_REVERSE = 4,
    INVERT = 5,
    XOR = 6,
    NAND = 7,
    AND = 8,
    EQUIV = 9,
    NOOP = 10,
    OR_INVERTED = 11,
    COPY = 12,
    OR_REVERSE = 13,
    OR = 14,
    SET = 15,
} }

values! { /// What is drawn.
RSW_DRAW_MODE {
    POINTS = 0,
    LINES = 1,
    TRIANGLES = 2,
} }

values! { /// How a varying is stored.
RSW_VARYING_TYPE {
    VEC4_FP32 = 0,
    VEC2_FP32 = 1,
    VEC4_FP16 = 2,
    VEC2_FP16 = 3,
    VEC2_SNORM16 = 4,
    VEC2_UNORM16 = 5,
    VEC3_LOWP = 6,
    VEC4_UNORM8 = 7,
} }

word! { /// Word 0: blend constant, blue and green.
RSW_BLEND_COLOR_BG {
    B: bits(0, 7).of(Kind::Unorm),
    G: bits(16, 23).of(Kind::Unorm),
} }

word! { /// Word 1: blend constant, red and alpha.
RSW_BLEND_COLOR_RA {
    R: bits(0, 7).of(Kind::Unorm),
    A: bits(16, 23).of(Kind::Unorm),
} }

word! { /// Word 2: blending.
RSW_BLEND {
    EQUATION_RGB: bits(0, 2).of(RSW_BLEND_EQUATION),
    EQUATION_ALPHA: bits(3, 5).of(RSW_BLEND_EQUATION),
    SRC_RGB: bits(6, 10).of(RSW_COLOR_FACTOR)
        .conflict("the page gives SRC_ALPHA_SATURATE as 7; the driver packs 4"),
    DST_RGB: bits(11, 15).of(RSW_COLOR_FACTOR),
    SRC_ALPHA: bits(16, 19).of(RSW_ALPHA_FACTOR),
    DST_ALPHA: bits(20, 23).of(RSW_ALPHA_FACTOR),
    /// Ch in draws, 0 in the driver's blits and reloads
    UNK24: bits(24, 27).of(Kind::Unknown)
        .conflict("the page takes bits 24-31 for one field, always FCh, and guesses an alpha function"),
    /// colour write mask: bit 0 R, 1 G, 2 B, 3 A
    COLOR_MASK: bits(28, 31).of(Kind::Hex)
        .conflict("the page takes bits 24-31 for one field, always FCh"),
} }

word! { /// Word 2 with equation LOGIC_OP: the source factors hold the operation.
RSW_LOGIC {
    EQUATION_RGB: bits(0, 2).of(RSW_BLEND_EQUATION),
    EQUATION_ALPHA: bits(3, 5).of(RSW_BLEND_EQUATION),
    LOGIC_OP_RGB: bits(6, 9).of(RSW_LOGIC_OP),
    /// the rest of the source factor
    UNK10: bit(10).of(Kind::Unknown),
    DST_RGB: bits(11, 15).of(RSW_COLOR_FACTOR),
    LOGIC_OP_ALPHA: bits(16, 19).of(RSW_LOGIC_OP),
    DST_ALPHA: bits(20, 23).of(RSW_ALPHA_FACTOR),
    UNK24: bits(24, 27).of(Kind::Unknown),
    COLOR_MASK: bits(28, 31).of(Kind::Hex),
} }

word! { /// Word 3: depth test.
RSW_DEPTH {
    DEPTH_WRITE: bit(0)
        .conflict("the page has GL_DEPTH_TEST; a disabled test is the function ALWAYS, and this bit is the write enable"),
    DEPTH_FUNC: bits(1, 3).of(RSW_COMPARE),
    NEAR_CLIP_DISABLE: bit(4).src("missing on the page"),
    FAR_CLIP_DISABLE: bit(5).src("missing on the page"),
    /// register that holds the fragment's depth
    FRAG_DEPTH_REGISTER: bits(6, 9).src("missing on the page"),
    SHADER_WRITES_DEPTH_STENCIL: bit(10).src("missing on the page"),
    SHADER_WRITES_DEPTH: bit(11).src("missing on the page"),
    SHADER_WRITES_STENCIL: bit(12).src("missing on the page"),
    UNK13: bits(13, 15).of(Kind::Unknown),
    /// signed, the factor times 4
    OFFSET_FACTOR: bits(16, 23).of(Kind::SFixed(6, 2)),
    /// signed, the units times 2
    OFFSET_UNITS: bits(24, 31).of(Kind::SFixed(7, 1)),
} }

word! { /// Word 4: depth range.
RSW_DEPTH_RANGE {
    NEAR: bits(0, 15).of(Kind::Unorm)
        .conflict("the page has min(near, far); the driver does not swap a reversed range"),
    FAR: bits(16, 31).of(Kind::Unorm)
        .conflict("the page has max(near, far)"),
} }

word! { /// Word 5: stencil test, front faces.
RSW_STENCIL_FRONT {
    FUNC: bits(0, 2).of(RSW_COMPARE),
    OP_FAIL: bits(3, 5).of(RSW_STENCIL_OP),
    OP_ZFAIL: bits(6, 8).of(RSW_STENCIL_OP),
    OP_ZPASS: bits(9, 11).of(RSW_STENCIL_OP),
    UNK12: bits(12, 15).of(Kind::Unknown),
    REF: bits(16, 23),
    /// compare mask only
    MASK: bits(24, 31).of(Kind::Hex),
} }

word! { /// Word 6: stencil test, back faces.
RSW_STENCIL_BACK {
    FUNC: bits(0, 2).of(RSW_COMPARE),
    OP_FAIL: bits(3, 5).of(RSW_STENCIL_OP),
    OP_ZFAIL: bits(6, 8).of(RSW_STENCIL_OP),
    OP_ZPASS: bits(9, 11).of(RSW_STENCIL_OP),
    UNK12: bits(12, 15).of(Kind::Unknown),
    REF: bits(16, 23),
    /// compare mask only
    MASK: bits(24, 31).of(Kind::Hex),
} }

word! { /// Word 7: stencil write masks, alpha test reference.
RSW_STENCIL_MASK {
    WRITE_MASK_FRONT: bits(0, 7).of(Kind::Hex)
        .conflict("the page has bits 0-15 as GL_STENCIL_TEST, all ones or not; they are two write masks, and no enable exists"),
    WRITE_MASK_BACK: bits(8, 15).of(Kind::Hex),
    ALPHA_REF: bits(16, 23).of(Kind::Unorm),
    UNK24: bits(24, 31).of(Kind::Unknown),
} }

word! { /// Word 8: alpha test, multisampling, output registers.
RSW_MULTISAMPLE {
    ALPHA_FUNC: bits(0, 2).of(RSW_COMPARE)
        .conflict("the page: always set, could be another compare function"),
    /// Dh when multisampled, 0 otherwise, 1 in the frame's state
    MSAA: bits(3, 6).of(Kind::Hex)
        .conflict("the page has the mask 68h as 4x MSAA"),
    ALPHA_TO_COVERAGE: bit(7),
    ALPHA_TO_ONE: bit(8),
    UNK9: bit(9).of(Kind::Unknown),
    DRAW_MODE: bits(10, 11).of(RSW_DRAW_MODE)
        .conflict("the page has a vertex selector in bits 22-23; its own two default values differ in bits 10-11"),
    /// one bit a sample; coverage and inversion are folded in
    SAMPLE_MASK: bits(12, 15).of(Kind::Hex),
    /// register of the colour output, given four times
    FRAG_COLOR_REGISTER0: bits(16, 19),
    FRAG_COLOR_REGISTER1: bits(20, 23),
    FRAG_COLOR_REGISTER2: bits(24, 27),
    FRAG_COLOR_REGISTER3: bits(28, 31),
} }

word! { /// Word 9: fragment shader.
RSW_SHADER {
    /// words of the first instruction
    FIRST_INSTR_LENGTH: bits(0, 4),
    ADDRESS: bits(5, 31).of(Kind::Address(5)),
} }

word! { /// Word 10: types of varyings 0 to 9 and the low bits of the tenth.
RSW_VARYING_TYPES {
    TYPE0: bits(0, 2).of(RSW_VARYING_TYPE),
    TYPE1: bits(3, 5).of(RSW_VARYING_TYPE),
    TYPE2: bits(6, 8).of(RSW_VARYING_TYPE),
    TYPE3: bits(9, 11).of(RSW_VARYING_TYPE),
    TYPE4: bits(12, 14).of(RSW_VARYING_TYPE),
    TYPE5: bits(15, 17).of(RSW_VARYING_TYPE),
    TYPE6: bits(18, 20).of(RSW_VARYING_TYPE),
    TYPE7: bits(21, 23).of(RSW_VARYING_TYPE),
    TYPE8: bits(24, 26).of(RSW_VARYING_TYPE),
    TYPE9: bits(27, 29).of(RSW_VARYING_TYPE),
    /// the high bit is word 15 bit 0
    TYPE10_LOW: bits(30, 31),
} }

word! { /// Word 11: uniforms.
RSW_UNIFORMS {
    /// about log2 of the bytes divided by 8
    SIZE_CODE: bits(0, 3),
    /// an array of pointers to uniforms
    ADDRESS: bits(4, 31).of(Kind::Address(4))
        .conflict("the page has the uniforms' own address"),
} }

word! { /// Word 12: textures.
RSW_TEXTURES {
    UNK0: bits(0, 3).of(Kind::Unknown),
    /// a list of pointers to descriptors
    ADDRESS: bits(4, 31).of(Kind::Address(4)),
} }

word! { /// Word 13: varying stride, samplers, early depth.
RSW_AUX0 {
    /// bytes from vertex to vertex, divided by 8
    VARYING_STRIDE: bits(0, 4).of(Kind::Times(3)),
    HAS_SAMPLERS: bit(5),
    UNK6: bit(6).of(Kind::Unknown),
    HAS_UNIFORMS: bit(7),
    /// 0 in draws, 1 in the frame's state
    UNK8: bit(8).of(Kind::Unknown).conflict("the page: usually 1"),
    EARLY_Z: bit(9),
    UNK10: bits(10, 11).of(Kind::Unknown),
    PIXEL_KILL: bit(12),
    UNK13: bit(13).of(Kind::Unknown),
    SAMPLER_COUNT: bits(14, 27),
    /// register of the second source colour
    FRAG_COLOR1_REGISTER: bits(28, 31),
} }

word! { /// Word 14: front face, dithering.
RSW_AUX1 {
    UNK0: bits(0, 11).of(Kind::Unknown),
    FRONT_FACE_CCW: bit(12)
        .conflict("the page has 0 = CCW; the driver sets 1 for CCW on a window, whose Y points down"),
    DITHER: bit(13),
    UNK14: bits(14, 15).of(Kind::Unknown),
    /// set when there are uniforms
    UNIFORM_BIT: bit(16),
    UNK17: bits(17, 31).of(Kind::Unknown),
} }

word! { /// Word 15: varyings.
RSW_VARYINGS {
    /// the high bit of the tenth type
    TYPE10_HIGH: bit(0).of(Kind::Uint),
    TYPE11: bits(1, 3).of(RSW_VARYING_TYPE),
    ADDRESS: bits(4, 31).of(Kind::Address(4)),
} }

/// Type of varying 10, which crosses words 10 and 15.
pub fn rsw_varying_type10(rsw: &[u32; 16]) -> u32 {
    let chip = crate::Chip::Mali400;
    RSW_VARYING_TYPES::TYPE10_LOW.get(chip, rsw[10])
        | RSW_VARYINGS::TYPE10_HIGH.get(chip, rsw[15]) << 2
}

const NO_JOINS: &[Joined] = &[];
const RSW_SLOTS: &[Slot] = &[
    slot(&RSW_BLEND_COLOR_BG::WORD),
    slot(&RSW_BLEND_COLOR_RA::WORD),
    slot(&RSW_BLEND::WORD).or(
        &RSW_BLEND::EQUATION_RGB,
        RSW_BLEND_EQUATION::LOGIC_OP,
        &RSW_LOGIC::WORD,
    ),
    slot(&RSW_DEPTH::WORD),
    slot(&RSW_DEPTH_RANGE::WORD),
    slot(&RSW_STENCIL_FRONT::WORD),
    slot(&RSW_STENCIL_BACK::WORD),
    slot(&RSW_STENCIL_MASK::WORD),
    slot(&RSW_MULTISAMPLE::WORD),
    slot(&RSW_SHADER::WORD),
    slot(&RSW_VARYING_TYPES::WORD),
    slot(&RSW_UNIFORMS::WORD),
    slot(&RSW_TEXTURES::WORD),
    slot(&RSW_AUX0::WORD),
    slot(&RSW_AUX1::WORD),
    slot(&RSW_VARYINGS::WORD),
];

/// The render state.
pub const RSW: Record = Record {
    name: "RSW",
    doc: "Render state of a draw, 16 words.",
    slots: RSW_SLOTS,
    joined: NO_JOINS,
};
