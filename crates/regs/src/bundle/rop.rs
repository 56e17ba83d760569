//! Words of the raster operations: tests, blending, stencil, multisampling.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::{plain_words, values, word};

values! { /// Compare functions of the alpha, depth and stencil tests.
COMPARE {
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
STENCIL_OP {
    KEEP = 1,
    ZERO = 2,
    REPLACE = 3,
    /// saturates at 255
    INCR = 4,
    /// saturates at 0
    DECR = 5,
    INVERT = 6,
    INCR_WRAP = 7,
    DECR_WRAP = 8,
} }

values! { /// How blended source and destination are joined.
BLEND_EQUATION {
    SUBTRACT = 0,
    REVERSE_SUBTRACT = 1,
    ADD = 2,
    MIN = 3,
    MAX = 4,
    /// destination minus the source byte taken as two's complement; factors ignored (page: UNKF005)
    SIGNED_REVERSE_SUBTRACT = 5 since Nv20,
    /// destination plus the source byte taken as two's complement; factors ignored (page: UNKF006)
    SIGNED_ADD = 6 since Nv20,
    /// meaning unknown, method value F007h of class 597h
    UNKF007 = 7 since Nv25,
} }

values! { /// Blend factors.
BLEND_FACTOR {
    ZERO = 0x0,
    ONE = 0x1,
    SRC_COLOR = 0x2,
    ONE_MINUS_SRC_COLOR = 0x3,
    SRC_ALPHA = 0x4,
    ONE_MINUS_SRC_ALPHA = 0x5,
    DST_ALPHA = 0x6,
    ONE_MINUS_DST_ALPHA = 0x7,
    DST_COLOR = 0x8,
    ONE_MINUS_DST_COLOR = 0x9,
    SRC_ALPHA_SATURATE = 0xa,
    CONSTANT_COLOR = 0xc,
    ONE_MINUS_CONSTANT_COLOR = 0xd,
    CONSTANT_ALPHA = 0xe,
    ONE_MINUS_CONSTANT_ALPHA = 0xf,
} }

values! { /// The sixteen logic operations, GL's order.
LOGIC_OP {
    CLEAR = 0x0,
    AND = 0x1,
    AND_REVERSE = 0x2,
    COPY = 0x3,
    AND_INVERTED = 0x4,
    NOOP = 0x5,
    XOR = 0x6,
    OR = 0x7,
    NOR = 0x8,
    EQUIV = 0x9,
    INVERT = 0xa,
    OR_REVERSE = 0xb,
    COPY_INVERTED = 0xc,
    OR_INVERTED = 0xd,
    NAND = 0xe,
    SET = 0xf,
} }

values! { /// Conversion of the final colour between colour spaces.
COLOR_SPACE_CONVERT {
    PASS = 0,
    CRYCB_TO_RGB = 1,
    SCRYSCB_TO_RGB = 2,
    /// accepted by class 597h only
    UNK3 = 3 since Nv25,
} }

word! { /// Alpha test, depth test, write masks, dithering.
CONFIG_A {
    ALPHA_REF: bits(0, 7).until(Nv40),
    ALPHA_FUNC: bits(8, 11).of(COMPARE),
    ALPHA_FUNC_ENABLE: bit(12),
    DEPTH_TEST_ENABLE: bit(14),
    DEPTH_FUNC: bits(16, 19).of(COMPARE),
    DITHER_ENABLE: bit(22),
    /// depth is interpolated with perspective: the W buffer
    DEPTH_PERSPECTIVE_ENABLE: bit(23).until(Nv40),
    DEPTH_WRITE_ENABLE: bit(24),
    STENCIL_WRITE_ENABLE: bit(25).until(Nv40),
    COLOR_MASK_A: bit(26).until(Nv40),
    COLOR_MASK_R: bit(27).until(Nv40),
    COLOR_MASK_G: bit(28).until(Nv40),
    COLOR_MASK_B: bit(29).until(Nv40),
    /// method 290h bits 28-29; moved to CONFIG_B on NV25
    COLOR_SPACE_CONVERT: bits(30, 31).since(Nv20).until(Nv25).of(COLOR_SPACE_CONVERT)
        .alias("KELVIN_CONFIG_UNK28").src("public NV097 headers name the method field"),
    /// bit 0 of method 3F8h, meaning unknown
    CELSIUS_UNK3F8: bit(31).since(Nv17).until(Nv20).also(Nv34, Nv40).of(Kind::Unknown),
    /// exists on Curie, no known method writes it
    CURIE_UNK31: bit(31).since(Nv40).of(Kind::Unknown).src("register scan"),
} }

word! { /// Stencil test, front (or both) faces.
STENCIL_A {
    STENCIL_ENABLE: bit(0),
    STENCIL_BACK_ENABLE: bit(1).since(Nv30),
    STENCIL_FUNC: bits(4, 7).of(COMPARE),
    STENCIL_FUNC_REF: bits(8, 15),
    STENCIL_FUNC_MASK: bits(16, 23).of(Kind::Hex),
    STENCIL_MASK: bits(24, 31).of(Kind::Hex),
} }

word! { /// Stencil operations, front (or both) faces.
STENCIL_B {
    STENCIL_OP_FAIL: bits(0, 3).of(STENCIL_OP),
    STENCIL_OP_ZFAIL: bits(4, 7).of(STENCIL_OP),
    STENCIL_OP_ZPASS: bits(8, 11).of(STENCIL_OP),
    /// exists on NV34 and Curie, meaning unknown
    STENCIL_UNK12: bits(12, 15).since(Nv34).of(Kind::Unknown)
        .conflict("the page has it on NV34 only; the register scan shows it on NV40 and NV44 too"),
} }

word! { /// Stencil operations and mask, back faces.
STENCIL_C {
    STENCIL_BACK_MASK: bits(0, 7).of(Kind::Hex),
    STENCIL_BACK_OP_ZPASS: bits(8, 11).of(STENCIL_OP),
    STENCIL_BACK_OP_ZFAIL: bits(12, 15).of(STENCIL_OP),
    STENCIL_BACK_OP_FAIL: bits(16, 19).of(STENCIL_OP),
} }

word! { /// Stencil test, back faces.
STENCIL_D {
    STENCIL_BACK_FUNC_MASK: bits(0, 7).of(Kind::Hex)
        .conflict("the page has reference and mask the other way round; the hardware tests and 600 drawing tests of an NV43 board do not"),
    STENCIL_BACK_FUNC_REF: bits(8, 15),
    STENCIL_BACK_FUNC: bits(16, 19).of(COMPARE),
} }

word! { /// Blending and logic operations.
BLEND {
    BLEND_EQUATION: bits(0, 2).of(BLEND_EQUATION),
    BLEND_FUNC_ENABLE: bit(3).then(Nv40, 28, 28),
    BLEND_FACTOR_SRC_0: bits(4, 7).of(BLEND_FACTOR),
    BLEND_FACTOR_DST_0: bits(8, 11).of(BLEND_FACTOR),
    COLOR_LOGIC_OP_OP: bits(12, 15).since(Nv15).of(LOGIC_OP),
    COLOR_LOGIC_OP_ENABLE: bit(16).since(Nv15),
    /// the alpha equation
    BLEND_EQUATION_1: bits(17, 19).since(Nv40).of(BLEND_EQUATION).src("newer public bundle page"),
    BLEND_FACTOR_SRC_1: bits(20, 23).since(Nv30).of(BLEND_FACTOR),
    BLEND_FACTOR_DST_1: bits(24, 27).since(Nv30).of(BLEND_FACTOR),
    /// the enables of render targets 1 to 3
    BLEND_MRT_ENABLE: bits(29, 31).since(Nv40).of(Kind::Hex).alias("CURIE_UNK29")
        .src("hardware tests: method 36Ch; the newer public bundle page has no name"),
} }

word! { /// The blend constant, not swapped against the method's data.
BLEND_COLOR {
    B: bits(0, 7),
    G: bits(8, 15),
    R: bits(16, 23),
    A: bits(24, 31),
} }

word! { /// Multisampling.
MULTISAMPLE {
    MULTISAMPLE_ENABLE: bit(0),
    ALPHA_TO_COVERAGE: bit(4),
    ALPHA_TO_ONE: bit(8),
    SAMPLE_COVERAGE: bits(16, 31).of(Kind::Hex),
} }

word! { /// Which render targets are written.
RT_ENABLE {
    COLOR0: bit(0),
    COLOR1: bit(1),
    COLOR2: bit(2).since(Nv40),
    COLOR3: bit(3).since(Nv40),
    /// the method has MRT in bit 4; the other three bits are unknown
    MRT: bit(4).since(Nv40),
    UNK5: bits(5, 7).since(Nv40).of(Kind::Unknown),
} }

word! { /// The alpha test's reference, which left CONFIG_A on Curie.
ALPHA_FUNC_REF {
    ALPHA_REF: bits(0, 15),
} }

word! { /// Colour write masks of all render targets, which left CONFIG_A on Curie.
COLOR_MASK {
    /// four bits for each of four targets: A, R, G, B from the lowest
    MASK: bits(8, 23).of(Kind::Hex).src("hardware tests"),
} }

plain_words! {
    /// Depth bounds test, near bound.
    DEPTH_BOUNDS_MIN.VALUE of Kind::Float32;
    /// Depth bounds test, far bound.
    DEPTH_BOUNDS_MAX.VALUE of Kind::Float32;
    /// Trigger: write the pixel counter's report to memory.
    ZPASS_COUNTER_READ.REPORT of Kind::Hex;
    /// Trigger: set the pixel counter to zero.
    ZPASS_COUNTER_RESET.WHICH of Kind::Hex;
}
