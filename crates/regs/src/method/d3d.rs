//! Data of the Direct3D triangle classes (48h, 54h, 55h, 94h, 95h) that Celsius takes apart
//! into its own words. Layouts read off the method vectors of the hardware tests.

use crate::field::{Kind, bit, bits};
use crate::word;

word! { /// Texture format of Direct3D 5 and 6; numbers of the older chips' own.
D3D_TEX_FORMAT {
    /// 1 object A, 2 object B
    DMA: bits(0, 1),
    COLOR_KEY: bits(2, 3),
    /// 1 centre, 2 corner
    ORIGIN_ZOH: bits(4, 5),
    /// 1 centre, 2 corner
    ORIGIN_FOH: bits(6, 7),
    FORMAT: bits(8, 11),
    MIPS: bits(12, 15),
    SIZE_S: bits(16, 19),
    SIZE_T: bits(20, 23),
    WRAP_S: bits(24, 26),
    WRAP_S_CYL: bit(27),
    WRAP_T: bits(28, 30),
    WRAP_T_CYL: bit(31),
} }

word! { /// Texture filter of Direct3D 5 and 6.
D3D_TEX_FILTER {
    /// kernel sizes, and bits that must be 0
    KERNEL_X: bits(0, 4).of(Kind::Unknown),
    ZERO5: bits(5, 7).of(Kind::Unknown),
    KERNEL_Y: bits(8, 12).of(Kind::Unknown),
    ZERO13: bits(13, 14).of(Kind::Unknown),
    /// signed 4.4 fixed point
    LOD_BIAS: bits(16, 23),
    MINIFY: bits(24, 26),
    MAGNIFY: bits(28, 30),
} }

word! { /// A combiner stage of Direct3D 6: four arguments and an operation.
D3D_COMBINE {
    ARGUMENT_0_INVERT: bit(0),
    ARGUMENT_0_ALPHA: bit(1),
    ARGUMENT_0: bits(2, 4),
    ARGUMENT_1_INVERT: bit(8),
    ARGUMENT_1_ALPHA: bit(9),
    ARGUMENT_1: bits(10, 12),
    ARGUMENT_2_INVERT: bit(16),
    ARGUMENT_2_ALPHA: bit(17),
    ARGUMENT_2: bits(18, 20),
    ARGUMENT_3_INVERT: bit(24),
    ARGUMENT_3_ALPHA: bit(25),
    ARGUMENT_3: bits(26, 28),
    OPERATION: bits(29, 31),
} }

word! { /// Blending of Direct3D 5 and 6.
D3D_BLEND {
    /// Direct3D 5's texture blend operation; 0 in Direct3D 6
    TEXTURE_BLEND: bits(0, 3),
    MASK_BIT: bits(4, 5),
    /// 1 flat, 2 Gouraud, 3 accepted too
    SHADE_MODE: bits(6, 7),
    TEXTURE_PERSPECTIVE_ENABLE: bit(8),
    SPECULAR_ENABLE: bit(12),
    FOG_ENABLE: bit(16),
    BLEND_ENABLE: bit(20),
    /// Direct3D's number: one more than the factor's
    FACTOR_SRC: bits(24, 27),
    FACTOR_DST: bits(28, 31),
} }

word! { /// Tests and masks of Direct3D 5 and 6; all but a few bits stand where CONFIG_A has them.
D3D_CONFIG {
    ALPHA_REF: bits(0, 7),
    /// Direct3D's number: one more than the function's
    ALPHA_FUNC: bits(8, 11),
    ALPHA_FUNC_ENABLE: bit(12),
    ORIGIN: bit(13),
    DEPTH_TEST_ENABLE: bit(14),
    ZERO15: bit(15).of(Kind::Unknown),
    /// Direct3D's number: one more than the function's
    DEPTH_FUNC: bits(16, 19),
    /// 1 none, 2 clockwise, 3 counter-clockwise
    CULL_MODE: bits(20, 21),
    DITHER_ENABLE: bit(22),
    DEPTH_PERSPECTIVE_ENABLE: bit(23),
    DEPTH_WRITE_ENABLE: bit(24),
    /// Direct3D 6 only: stencil, alpha, red, green, blue
    WRITE_MASK: bits(25, 29),
    /// 1 fixed point, 2 floating point
    Z_FORMAT: bits(30, 31),
} }

word! { /// Stencil test of Direct3D 6.
D3D_STENCIL_FUNC {
    ENABLE: bit(0),
    ZERO1: bits(1, 3).of(Kind::Unknown),
    /// Direct3D's number: one more than the function's
    FUNC: bits(4, 7),
    REF: bits(8, 15),
    MASK_READ: bits(16, 23),
    MASK_WRITE: bits(24, 31),
} }

word! { /// Stencil operations of Direct3D 6, by the numbers that STENCIL_B has.
D3D_STENCIL_OP {
    FAIL: bits(0, 3),
    ZFAIL: bits(4, 7),
    ZPASS: bits(8, 11),
    ZERO12: bits(12, 31).of(Kind::Unknown),
} }

word! { /// Texture format of Direct3D 3.
D3D0_TEX_FORMAT {
    COLOR_KEY: bits(16, 17),
    ZERO18: bits(18, 19).of(Kind::Unknown),
    FORMAT: bits(20, 23),
    /// log2 of the smallest level
    SIZE_MIN: bits(24, 27),
    /// log2 of the largest level
    SIZE_MAX: bits(28, 31),
} }

word! { /// Texture filter of Direct3D 3.
D3D0_TEX_FILTER {
    /// signed 4.4 fixed point
    LOD_BIAS: bits(16, 23).of(Kind::Int),
} }

word! { /// The one word of Direct3D 3 for the whole pipe.
D3D0_CONFIG {
    /// 0 nearest at the corner, 1 nearest, 2 linear
    INTERPOLATOR: bits(0, 3),
    WRAP_S: bits(4, 5),
    WRAP_T: bits(6, 7),
    /// the vertex's alpha is multiplied in
    SOURCE_ALPHA: bit(8),
    ZERO9: bit(9).of(Kind::Unknown),
    /// what becomes of alpha: as it is, inverted twice, inverted, one
    ALPHA: bits(10, 11),
    /// 1 none, 2 clockwise, 3 counter-clockwise
    CULL_MODE: bits(12, 13),
    ZERO14: bit(14).of(Kind::Unknown),
    DEPTH_PERSPECTIVE_ENABLE: bit(15),
    /// Direct3D's number: one more than the function's
    DEPTH_FUNC: bits(16, 19),
    /// when depth is written: not 0 is always
    DEPTH_WRITE: bits(20, 23),
    /// when colour is written: not 0 is always
    COLOR_WRITE: bits(24, 27),
    BLEND_ONE: bit(28),
    BLEND_DESTINATION: bit(29),
    BLEND_NO_DESTINATION: bit(30),
    BLEND_NO_SOURCE: bit(31),
} }

word! { /// Alpha test of Direct3D 3.
D3D0_ALPHA {
    REF: bits(0, 7),
    /// Direct3D's number: one more than the function's
    FUNC: bits(8, 11),
    ZERO12: bits(12, 31).of(Kind::Unknown),
} }

/// Methods of class 48h: Direct3D 3 triangles.
pub mod d3d0 {
    use super::super::data::*;
    use super::super::table::{m, methods};
    use super::*;

    methods! {
        OBJECT: m(0x0000, &HANDLE::WORD),
        NOP: m(0x0100, &HEX::WORD),
        NOTIFY: m(0x0104, &HEX::WORD),
        PM_TRIGGER: m(0x0140, &HEX::WORD),
        DMA_NOTIFY: m(0x0180, &HANDLE::WORD),
        DMA_TEX: m(0x0184, &HANDLE::WORD),
        CTX_CLIP: m(0x0188, &HANDLE::WORD),
        CTX_COLOR: m(0x018c, &HANDLE::WORD),
        CTX_ZETA: m(0x0190, &HANDLE::WORD),
        UNK200: m(0x0200, &HEX::WORD).by(4, 0x4),
        TEX_OFFSET: m(0x0304, &HEX::WORD),
        TEX_FORMAT: m(0x0308, &D3D0_TEX_FORMAT::WORD),
        TEX_FILTER: m(0x030c, &D3D0_TEX_FILTER::WORD),
        FOG_COLOR: m(0x0310, &UBYTE4::WORD),
        CONFIG: m(0x0314, &D3D0_CONFIG::WORD),
        ALPHA: m(0x0318, &D3D0_ALPHA::WORD),
        TLV_FOG: m(0x1000, &UBYTE4::WORD).by(128, 0x20),
        TLV_COLOR: m(0x1004, &UBYTE4::WORD).by(128, 0x20),
        TLV_X: m(0x1008, &FLOAT::WORD).by(128, 0x20),
        TLV_Y: m(0x100c, &FLOAT::WORD).by(128, 0x20),
        TLV_Z: m(0x1010, &FLOAT::WORD).by(128, 0x20),
        TLV_RHW: m(0x1014, &FLOAT::WORD).by(128, 0x20),
        TLV_U: m(0x1018, &FLOAT::WORD).by(128, 0x20),
        TLV_V: m(0x101c, &FLOAT::WORD).by(128, 0x20),
    }
}

/// Methods of classes 54h and 94h: Direct3D 5 triangles.
pub mod d3d5 {
    use super::super::data::*;
    use super::super::table::{m, methods};
    use super::*;

    methods! {
        OBJECT: m(0x0000, &HANDLE::WORD),
        NOP: m(0x0100, &HEX::WORD),
        NOTIFY: m(0x0104, &HEX::WORD),
        PM_TRIGGER: m(0x0140, &HEX::WORD),
        DMA_NOTIFY: m(0x0180, &HANDLE::WORD),
        DMA_TEX_A: m(0x0184, &HANDLE::WORD),
        DMA_TEX_B: m(0x0188, &HANDLE::WORD),
        CTX_SURF3D: m(0x018c, &HANDLE::WORD),
        TEX_COLOR_KEY: m(0x0300, &HEX::WORD),
        TEX_OFFSET: m(0x0304, &HEX::WORD),
        TEX_FORMAT: m(0x0308, &D3D_TEX_FORMAT::WORD),
        TEX_FILTER: m(0x030c, &D3D_TEX_FILTER::WORD),
        BLEND: m(0x0310, &D3D_BLEND::WORD),
        CONFIG: m(0x0314, &D3D_CONFIG::WORD),
        FOG_COLOR: m(0x0318, &UBYTE4::WORD),
        TLV_X: m(0x0400, &FLOAT::WORD).by(16, 0x20),
        TLV_Y: m(0x0404, &FLOAT::WORD).by(16, 0x20),
        TLV_Z: m(0x0408, &FLOAT::WORD).by(16, 0x20),
        TLV_RHW: m(0x040c, &FLOAT::WORD).by(16, 0x20),
        TLV_COLOR: m(0x0410, &UBYTE4::WORD).by(16, 0x20),
        TLV_FOG: m(0x0414, &UBYTE4::WORD).by(16, 0x20),
        TLV_U: m(0x0418, &FLOAT::WORD).by(16, 0x20),
        TLV_V: m(0x041c, &FLOAT::WORD).by(16, 0x20),
        DRAW: m(0x0600, &HEX::WORD).by(64, 0x4),
    }
}

/// Methods of classes 55h and 95h: Direct3D 6 triangles.
pub mod d3d6 {
    use super::super::data::*;
    use super::super::table::{m, methods};
    use super::*;

    methods! {
        OBJECT: m(0x0000, &HANDLE::WORD),
        NOP: m(0x0100, &HEX::WORD),
        NOTIFY: m(0x0104, &HEX::WORD),
        PM_TRIGGER: m(0x0140, &HEX::WORD),
        DMA_NOTIFY: m(0x0180, &HANDLE::WORD),
        DMA_TEX_A: m(0x0184, &HANDLE::WORD),
        DMA_TEX_B: m(0x0188, &HANDLE::WORD),
        CTX_SURF3D: m(0x018c, &HANDLE::WORD),
        TEX_0_OFFSET: m(0x0308, &HEX::WORD),
        TEX_1_OFFSET: m(0x030c, &HEX::WORD),
        TEX_0_FORMAT: m(0x0310, &D3D_TEX_FORMAT::WORD),
        TEX_1_FORMAT: m(0x0314, &D3D_TEX_FORMAT::WORD),
        TEX_0_FILTER: m(0x0318, &D3D_TEX_FILTER::WORD),
        TEX_1_FILTER: m(0x031c, &D3D_TEX_FILTER::WORD),
        COMBINE_0_ALPHA: m(0x0320, &D3D_COMBINE::WORD),
        COMBINE_0_COLOR: m(0x0324, &D3D_COMBINE::WORD),
        COMBINE_1_ALPHA: m(0x032c, &D3D_COMBINE::WORD),
        COMBINE_1_COLOR: m(0x0330, &D3D_COMBINE::WORD),
        COMBINE_FACTOR: m(0x0334, &HEX::WORD),
        BLEND: m(0x0338, &D3D_BLEND::WORD),
        CONFIG: m(0x033c, &D3D_CONFIG::WORD),
        STENCIL_FUNC: m(0x0340, &D3D_STENCIL_FUNC::WORD),
        STENCIL_OP: m(0x0344, &D3D_STENCIL_OP::WORD),
        FOG_COLOR: m(0x0348, &UBYTE4::WORD),
        TLV_X: m(0x0400, &FLOAT::WORD).by(8, 0x28),
        TLV_Y: m(0x0404, &FLOAT::WORD).by(8, 0x28),
        TLV_Z: m(0x0408, &FLOAT::WORD).by(8, 0x28),
        TLV_RHW: m(0x040c, &FLOAT::WORD).by(8, 0x28),
        TLV_COLOR: m(0x0410, &UBYTE4::WORD).by(8, 0x28),
        TLV_FOG: m(0x0414, &UBYTE4::WORD).by(8, 0x28),
        TLV_U0: m(0x0418, &FLOAT::WORD).by(8, 0x28),
        TLV_V0: m(0x041c, &FLOAT::WORD).by(8, 0x28),
        TLV_U1: m(0x0420, &FLOAT::WORD).by(8, 0x28),
        TLV_V1: m(0x0424, &FLOAT::WORD).by(8, 0x28),
        DRAW: m(0x0540, &HEX::WORD).by(48, 0x4),
    }
}
