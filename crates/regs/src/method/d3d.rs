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

word! { /// The front end's own word on Celsius, 400F48h: no bundle.
CELSIUS_CONFIG_C {
    FOG_MODE: bits(0, 2),
    CLIP_RECT_MODE: bit(4),
    BEGIN_END: bit(8),
    /// Direct3D 6, first stage, alpha and colour: texture 1 is not read
    NO_TEXTURE_1: bits(16, 17),
    /// Direct3D 6, second stage, alpha and colour: the first stage's result passes through
    PASSES: bits(18, 19),
    /// Direct3D 6: the result is complemented; first stage's alpha and colour, then the second's
    COMPLEMENT: bits(20, 23),
} }
