//! Words of the texture units.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::{plain_words, values, word};

values! { /// Which of the two memory objects.
DMA_AB {
    A = 0,
    B = 1,
} }

values! { /// Where a texel's origin lies.
TEX_ORIGIN {
    CENTER = 0,
    CORNER = 1,
} }

values! { /// Where border texels come from.
BORDER_TYPE {
    /// stored around the image
    INCLUDED = 0,
    /// TEX_BORDER_COLOR
    CONST = 1,
} }

values! { /// Texture dimensions. The bundle keeps the method's number.
TEX_MODE {
    D1 = 1,
    /// also used for cube maps
    D2 = 2,
    D3 = 3,
} }

values! { /// Texel formats of Celsius, Kelvin and Rankine. Swizzled unless the name says RECT or DXT.
TEX_FORMAT_COLOR {
    /// 8 bits per texel; NV097 SZ_Y8
    L8 = 0x00,
    /// 8 bits; NV097 SZ_AY8
    I8 = 0x01,
    /// 16 bits
    A1R5G5B5 = 0x02,
    /// 16 bits
    X1R5G5B5 = 0x03,
    /// 16 bits
    A4R4G4B4 = 0x04,
    /// 16 bits
    R5G6B5 = 0x05,
    /// 32 bits
    A8R8G8B8 = 0x06,
    /// 32 bits
    X8R8G8B8 = 0x07,
    /// 8 bits; a palette of 16-bit entries is believed (no public name, no picture)
    UNK08 = 0x08 until Nv30,
    /// 8 bits; a palette of 16-bit entries is believed (no public name, no picture)
    UNK09 = 0x09 until Nv30,
    /// 8 bits; a palette of 16-bit entries is believed (no public name, no picture)
    UNK0A = 0x0a until Nv30,
    /// 8 bits, palette entries A8R8G8B8
    INDEX8 = 0x0b,
    /// 4 bits, blocks of 4x4 in 8 bytes
    DXT1 = 0x0c,
    /// 8 bits, blocks of 4x4 in 16 bytes; also DXT2
    DXT3 = 0x0e,
    /// 8 bits, blocks of 4x4 in 16 bytes; also DXT4
    DXT5 = 0x0f,
    /// 16 bits, linear
    A1R5G5B5_RECT = 0x10,
    /// 16 bits, linear
    R5G6B5_RECT = 0x11,
    /// 32 bits, linear
    A8R8G8B8_RECT = 0x12,
    /// 8 bits, linear; rnndb calls the Celsius one I8_RECT
    L8_RECT = 0x13,
    /// 8 bits, linear (no public name)
    UNK14_RECT = 0x14,
    /// 16 bits, linear (no public name)
    UNK15_RECT = 0x15,
    /// 16 bits, linear
    R8B8_RECT = 0x16,
    /// 16 bits, linear; rnndb DSDT8_RECT
    G8B8_RECT = 0x17,
    /// linear, unknown
    UNK18_RECT = 0x18,
    /// linear, unknown
    UNK19_RECT = 0x19 since Nv17 until Nv20,
    /// linear, unknown
    UNK1A_RECT = 0x1a since Nv17 until Nv20,
    /// linear, unknown
    UNK1B_RECT = 0x1b since Nv17 until Nv20,
    /// linear, unknown
    UNK1C_RECT = 0x1c since Nv17 until Nv20,
    /// 8 bits; RGB reads 255
    A8 = 0x19 since Nv20,
    /// 16 bits; NV097 SZ_A8Y8
    A8L8 = 0x1a since Nv20,
    /// 8 bits, linear; NV097 LU_IMAGE_AY8
    I8_RECT = 0x1b since Nv20,
    /// 16 bits, linear
    X1R5G5B5_RECT = 0x1c since Nv20,
    /// 16 bits, linear
    A4R4G4B4_RECT = 0x1d since Nv20,
    /// 32 bits, linear; rnndb R8G8B8_RECT
    X8R8G8B8_RECT = 0x1e since Nv20,
    /// 8 bits, linear
    A8_RECT = 0x1f since Nv20,
    /// 16 bits, linear; NV097 LU_IMAGE_A8Y8
    A8L8_RECT = 0x20 since Nv20,
    /// 16 bits, linear, bytes Y0 U Y1 V; NV097 LC_IMAGE_CR8YB8CB8YA8
    YUY2_RECT = 0x24 since Nv20,
    /// 16 bits, linear, bytes U Y0 V Y1; NV097 LC_IMAGE_YB8CR8YA8CB8
    UYVY_RECT = 0x25 since Nv20,
    /// linear, unknown
    UNK26_RECT = 0x26 since Nv20,
    /// 16 bits
    R6G5B5 = 0x27 since Nv20,
    /// 16 bits; rnndb DSDT8
    G8B8 = 0x28 since Nv20,
    /// 16 bits
    R8B8 = 0x29 since Nv20,
    /// 32 bits, depth in the upper 24
    Z24 = 0x2a since Nv20,
    /// 32 bits, float depth in the upper 24 (rnndb guesses Z24_RECT)
    Z24_FLOAT = 0x2b since Nv20,
    /// 16 bits
    Z16 = 0x2c since Nv20,
    /// 16 bits, float (rnndb guesses Z16_RECT)
    Z16_FLOAT = 0x2d since Nv20,
    /// 32 bits, linear, depth in the upper 24
    Z24_RECT = 0x2e since Nv20,
    /// 32 bits, linear, float depth in the upper 24
    Z24_FLOAT_RECT = 0x2f since Nv20,
    /// 16 bits, linear
    Z16_RECT = 0x30 since Nv20,
    /// 16 bits, linear, float
    Z16_FLOAT_RECT = 0x31 since Nv20,
    /// 16 bits; NV097 SZ_Y16, rnndb A16
    Y16 = 0x32 since Nv20,
    /// 32 bits, two 16-bit components; NV097 R16B16
    HILO16 = 0x33 since Nv20,
    /// unknown; the page groups it with the block formats
    UNK34_RECT = 0x34 since Nv20,
    /// 16 bits, linear; NV097 LU_IMAGE_Y16, rnndb A16_RECT
    Y16_RECT = 0x35 since Nv20,
    /// 32 bits, linear, two 16-bit components
    HILO16_RECT = 0x36 since Nv20,
    /// 16 bits, linear
    R6G5B5_RECT = 0x37 since Nv20,
    /// 16 bits
    R5G5B5A1 = 0x38 since Nv20,
    /// 16 bits
    R4G4B4A4 = 0x39 since Nv20,
    /// 32 bits
    A8B8G8R8 = 0x3a since Nv20,
    /// 32 bits
    B8G8R8A8 = 0x3b since Nv20,
    /// 32 bits
    R8G8B8A8 = 0x3c since Nv20,
    /// 16 bits, linear
    R5G5B5A1_RECT = 0x3d since Nv20,
    /// 16 bits, linear
    R4G4B4A4_RECT = 0x3e since Nv20,
    /// 32 bits, linear
    A8B8G8R8_RECT = 0x3f since Nv20,
    /// 32 bits, linear
    B8G8R8A8_RECT = 0x40 since Nv20,
    /// 32 bits, linear
    R8G8B8A8_RECT = 0x41 since Nv20,
    /// unknown
    UNK42 = 0x42 since Nv25,
    /// linear, unknown
    UNK43_RECT = 0x43 since Nv25,
    /// 16 bits, two 8-bit components
    HILO8 = 0x44 since Nv25,
    /// 16 bits, two signed 8-bit components
    SIGNED_HILO8 = 0x45 since Nv25,
    /// 16 bits, linear
    HILO8_RECT = 0x46 since Nv25,
    /// 16 bits, linear
    SIGNED_HILO8_RECT = 0x47 since Nv25,
    /// linear, unknown
    UNK48_RECT = 0x48 since Nv25,
    /// unknown
    UNK49 = 0x49 since Nv25,
    /// 64 bits, linear
    RGBA16F_RECT = 0x4a since Nv30,
    /// 128 bits, linear
    RGBA32F_RECT = 0x4b since Nv30,
    /// 32 bits, linear
    R32F_RECT = 0x4c since Nv30,
    /// linear, unknown
    UNK4D_RECT = 0x4d since Nv30,
    /// unknown
    UNK4E = 0x4e since Nv30,
} }

values! { /// Texel formats of Curie; layout is in the LINEAR and RECT bits.
CURIE_TEX_FORMAT {
    /// 8 bits
    L8 = 0x01,
    /// 16 bits
    A1R5G5B5 = 0x02,
    /// 16 bits
    A4R4G4B4 = 0x03,
    /// 16 bits
    R5G6B5 = 0x04,
    /// 32 bits
    A8R8G8B8 = 0x05,
    /// 4 bits, blocks of 4x4
    DXT1 = 0x06,
    /// 8 bits, blocks of 4x4
    DXT3 = 0x07,
    /// 8 bits, blocks of 4x4
    DXT5 = 0x08,
    /// 16 bits
    A8L8 = 0x0b,
    /// 16 bits, pairs of texels share two components
    B8R8_G8R8 = 0x0d,
    /// 16 bits, pairs of texels share two components
    R8B8_R8G8 = 0x0e,
    /// 16 bits
    R6G5B5 = 0x0f,
    /// 32 bits, depth in the upper 24
    Z24 = 0x10,
    /// 32 bits
    Z24_FLOAT = 0x11,
    /// 16 bits
    Z16 = 0x12,
    /// 16 bits
    Z16_FLOAT = 0x13,
    /// 16 bits
    A16 = 0x14,
    /// 32 bits
    A16L16 = 0x15,
    /// 16 bits
    R5G5B5A1 = 0x17,
    /// 16 bits
    HILO8 = 0x18,
    /// 16 bits
    SIGNED_HILO8 = 0x19,
    /// 64 bits
    RGBA16F = 0x1a,
    /// 128 bits
    RGBA32F = 0x1b,
    /// 32 bits
    R32F = 0x1c,
    /// 16 bits
    X1R5G5B5 = 0x1d,
    /// 32 bits
    X8R8G8B8 = 0x1e,
    /// 32 bits
    RG16F = 0x1f,
} }

word! { /// Texture format, sizes and layout.
TEX_FORMAT {
    DMA: bit(1).of(DMA_AB),
    CUBE_MAP: bit(2),
    /// bit 0 of method 258h, meaning unknown
    CELSIUS_MTHD_TEX_UNK258: bit(3).since(Nv17).until(Nv20).of(Kind::Unknown),
    BORDER_TYPE: bit(3).since(Nv20).of(BORDER_TYPE),
    ORIGIN_ZOH: bit(4).until(Nv30).of(TEX_ORIGIN),
    ORIGIN_FOH: bit(6).then(Nv20, 5, 5).until(Nv30).of(TEX_ORIGIN),
    MODE: bits(6, 7).since(Nv20).of(TEX_MODE)
        .conflict("the page ends it at NV30; the NV30 and NV40 scans show the bits and their methods carry the dimensions"),
    FORMAT: bits(7, 11).then(Nv20, 8, 14).until(Nv40).of(TEX_FORMAT_COLOR),
    CURIE_FORMAT: bits(8, 12).since(Nv40).of(CURIE_TEX_FORMAT),
    LINEAR: bit(13).since(Nv40),
    /// coordinates are in texels
    RECT: bit(14).since(Nv40),
    CURIE_UNK15: bit(15).since(Nv40).of(Kind::Unknown).src("register scan; the drivers set it always"),
    /// number of mipmap levels
    MIPS: bits(12, 15).then(Nv20, 16, 19),
    /// log2 of the width, unless RECT
    SIZE_S: bits(16, 19).then(Nv20, 20, 23),
    /// log2 of the height, unless RECT
    SIZE_T: bits(20, 23).then(Nv20, 24, 27),
    /// log2 of the depth, if 3D
    SIZE_R: bits(28, 31).since(Nv20),
    WRAP_S: bits(24, 26).until(Nv20).of(TEX_WRAP_MODE),
    WRAP_S_CYL: bit(27).until(Nv20),
    WRAP_T: bits(28, 30).until(Nv20).of(TEX_WRAP_MODE)
        .conflict("the page prints bits 28-32; bit 31 is WRAP_T_CYL"),
    WRAP_T_CYL: bit(31).until(Nv20),
} }

values! { /// What happens outside the image.
TEX_WRAP_MODE {
    REPEAT = 1,
    MIRRORED_REPEAT = 2,
    CLAMP_TO_EDGE = 3,
    CLAMP_TO_BORDER = 4,
    CLAMP = 5,
} }

values! { /// What happens outside the image on Curie: the method's number less one (hardware tests).
CURIE_TEX_WRAP_MODE {
    REPEAT = 0,
    MIRRORED_REPEAT = 1,
    CLAMP_TO_EDGE = 2,
    CLAMP_TO_BORDER = 3,
    CLAMP = 4,
    MIRROR_CLAMP_TO_EDGE = 5,
    MIRROR_CLAMP_TO_BORDER = 6,
    MIRROR_CLAMP = 7,
} }

values! { /// Depth comparison: the coordinate stands on the left, "LESS" keeps a texel nearer than it.
TEX_COMPARE {
    NEVER = 0,
    GREATER = 1,
    EQUAL = 2,
    GEQUAL = 3,
    LESS = 4,
    NOTEQUAL = 5,
    LEQUAL = 6,
    ALWAYS = 7,
} }

word! { /// Wrap modes, and from Rankine on what shares the word with them.
TEX_WRAP {
    WRAP_S: bits(0, 2).until(Nv40).of(TEX_WRAP_MODE),
    CURIE_WRAP_S: bits(0, 2).since(Nv40).of(CURIE_TEX_WRAP_MODE),
    WRAP_S_CYL: bit(4).until(Nv30),
    ANISO_MIP_FILTER_OPTIMIZATION: bits(4, 7).since(Nv30),
    WRAP_T: bits(8, 10).until(Nv40).of(TEX_WRAP_MODE),
    CURIE_WRAP_T: bits(8, 10).since(Nv40).of(CURIE_TEX_WRAP_MODE),
    CURIE_UNK11: bit(11).since(Nv40).of(Kind::Unknown).src("register scan"),
    WRAP_T_CYL: bit(12).until(Nv30),
    EXPAND_NORMAL: bit(12).since(Nv30),
    /// values 0 to 2, meaning unknown
    RANKINE_TEX_WRAP_UNK24: bits(13, 14).since(Nv30).of(Kind::Unknown),
    CURIE_UNK15: bit(15).since(Nv40).of(Kind::Unknown).src("register scan"),
    WRAP_R: bits(16, 18).until(Nv40).of(TEX_WRAP_MODE),
    CURIE_WRAP_R: bits(16, 18).since(Nv40).of(CURIE_TEX_WRAP_MODE),
    FILTER_OPT_TRILINEAR: bits(19, 23).since(Nv30)
        .conflict("rnndb has Curie's GAMMA_DECREASE_FILTER in bits 20-23 of the method"),
    WRAP_R_CYL: bit(20).until(Nv30),
    WRAP_Q_CYL: bit(24).until(Nv30),
    /// the page doubts the name
    GAMMA_DECREASE_FILTER: bits(24, 27).since(Nv30).of(Kind::Hex),
    ZCOMP: bits(28, 31).since(Nv30).of(TEX_COMPARE),
} }

values! { /// What a texel that matches the colour key does.
COLOR_KEY {
    NONE = 0,
    /// alpha becomes 0
    ALPHA = 1,
    /// all four components become 0
    RGBA = 2,
    /// the fragment is dropped
    KILL = 3,
} }

values! { /// Largest anisotropy before Curie.
ANISOTROPY {
    NONE = 0,
    X2 = 1,
    X4 = 2,
    X8 = 3,
} }

values! { /// Largest anisotropy on Curie.
CURIE_ANISOTROPY {
    NONE = 0,
    X2 = 1,
    X4 = 2,
    X6 = 3,
    X8 = 4,
    X10 = 5,
    X12 = 6,
    X16 = 7,
} }

word! { /// Enable, level-of-detail clamp, anisotropy, colour key.
TEX_CONTROL {
    COLOR_KEY_MODE: bits(0, 1).of(COLOR_KEY).alias("COLOR_KEY_ENABLE")
        .conflict("the page has one enable bit 0; the goldens show three modes in two bits"),
    /// a texel of alpha 0 drops the fragment
    ALPHA_KILL: bit(2).src("public NV097 headers"),
    /// the image is one field of two; needs a constant border, a RECT format and an even height
    IMAGE_FIELD: bit(3).src("public NV097 headers; launch checks in the hardware tests"),
    ANISOTROPY: bits(4, 5).until(Nv40).of(ANISOTROPY),
    CURIE_ANISOTROPY: bits(4, 6).since(Nv40).of(CURIE_ANISOTROPY),
    /// unsigned 4.8 fixed point
    MAX_LOD: bits(6, 17).then(Nv40, 7, 18).of(Kind::UFixed(4, 8)),
    /// unsigned 4.8 fixed point
    MIN_LOD: bits(18, 29).then(Nv40, 19, 30).of(Kind::UFixed(4, 8)),
    /// also stored in XFMODE
    ENABLE: bit(30).then(Nv40, 31, 31),
} }

values! { /// Component of the fetched texel: the driver's tables show which letter means which colour.
TEX_SWIZZLE {
    /// alpha
    W = 0,
    /// red
    Z = 1,
    /// green
    Y = 2,
    /// blue
    X = 3,
} }

values! { /// Where a swizzled component comes from.
TEX_SWIZZLE_SOURCE {
    ZERO = 0,
    ONE = 1,
    /// the component that S1 names
    S1 = 2,
} }

word! { /// Row pitch, and from Rankine on the swizzle.
TEX_PITCH {
    S1_W: bits(0, 1).since(Nv30).of(TEX_SWIZZLE),
    S1_Z: bits(2, 3).since(Nv30).of(TEX_SWIZZLE),
    S1_Y: bits(4, 5).since(Nv30).of(TEX_SWIZZLE),
    S1_X: bits(6, 7).since(Nv30).of(TEX_SWIZZLE),
    S0_W: bits(8, 9).since(Nv30).of(TEX_SWIZZLE_SOURCE),
    S0_Z: bits(10, 11).since(Nv30).of(TEX_SWIZZLE_SOURCE),
    S0_Y: bits(12, 13).since(Nv30).of(TEX_SWIZZLE_SOURCE),
    S0_X: bits(14, 15).since(Nv30).of(TEX_SWIZZLE_SOURCE),
    /// bytes per row, if RECT
    PITCH: bits(16, 31).until(Nv40),
    CURIE_UNK16: bit(16).since(Nv40).of(Kind::Unknown).src("register scan; the pitch went to TEX_CONTROL_D"),
    CURIE_UNK17: bits(17, 28).since(Nv40).of(Kind::Unknown).src("register scan; the pitch went to TEX_CONTROL_D"),
} }

word! { /// Curie's pitch and depth.
TEX_CONTROL_D {
    PITCH: bits(0, 17).conflict("rnndb gives the method 16 bits; the register has 18"),
    DEPTH: bits(20, 29).conflict("rnndb gives the method 12 bits; the register has 10"),
} }

values! { /// Minification filters.
MIN_FILTER {
    NEAREST = 1,
    LINEAR = 2,
    NEAREST_MIPMAP_NEAREST = 3,
    LINEAR_MIPMAP_NEAREST = 4,
    NEAREST_MIPMAP_LINEAR = 5,
    LINEAR_MIPMAP_LINEAR = 6,
    /// convolution on level 0 (page: ???)
    CONVOLUTION = 7 since Nv20,
} }

values! { /// Magnification filters.
MAG_FILTER {
    NEAREST = 1,
    LINEAR = 2,
    /// convolution on level 0 (page: ???)
    CONVOLUTION = 4 since Nv20,
} }

values! { /// Kernel of the convolution filters. The methods reject 0.
CONVOLUTION_KERNEL {
    UNK0 = 0,
    /// page: UNK1
    QUINCUNX = 1,
    /// page: UNK2
    GAUSSIAN_3 = 2,
    UNK3 = 3 since Nv25,
} }

word! { /// Texture filtering.
TEX_FILTER {
    /// signed 5.8 fixed point
    LOD_BIAS: bits(0, 12).of(Kind::SFixed(5, 8)),
    CONVOLUTION_KERNEL: bits(13, 15).since(Nv20).of(CONVOLUTION_KERNEL).alias("TEX_FILTER_UNK13"),
    MINIFY: bits(24, 26).then(Nv20, 16, 21).of(MIN_FILTER),
    MAGNIFY: bits(28, 30).then(Nv20, 24, 27).of(MAG_FILTER),
    SIGNED_A: bit(28).since(Nv20)
        .conflict("the page and rnndb have B, G, R, A from bit 28 up; the silicon's pictures show A, R, G, B"),
    SIGNED_R: bit(29).since(Nv20)
        .conflict("page and rnndb: SIGNED_G"),
    SIGNED_G: bit(30).since(Nv20)
        .conflict("page and rnndb: SIGNED_R"),
    SIGNED_B: bit(31).since(Nv20)
        .conflict("page and rnndb: SIGNED_A"),
} }

word! { /// Size of a RECT texture.
TEX_RECT {
    HEIGHT: bits(0, 10).then(Nv20, 0, 12)
        .conflict("the page has WIDTH here; rnndb, the drivers, the data check and the pictures have HEIGHT"),
    WIDTH: bits(16, 26).then(Nv20, 16, 28)
        .conflict("the page has HEIGHT here"),
} }

values! { /// Palette entries.
PALETTE_LENGTH {
    N256 = 0,
    N128 = 1,
    N64 = 2,
    N32 = 3,
} }

word! { /// Palette address.
TEX_PALETTE {
    DMA: bit(0).of(DMA_AB),
    LENGTH: bits(2, 3).since(Nv20).of(PALETTE_LENGTH)
        .src("public NV097 headers; the page has ???"),
    /// address of the palette, a multiple of 64
    OFFSET: bits(6, 31).of(Kind::Address(6)),
} }

word! { /// Depth comparison of textures; in TEX_WRAP from Rankine on.
TEX_ZCOMP {
    /// common to all units
    MODE: bits(0, 2).until(Nv25).of(TEX_COMPARE)
        .conflict("the page says the values are those of ALPHA_FUNC; rnndb and the pictures show less and greater swapped, the coordinate on the left"),
    TEX0_MODE: bits(0, 2).since(Nv25).of(TEX_COMPARE),
    TEX1_MODE: bits(3, 5).since(Nv25).of(TEX_COMPARE),
    TEX2_MODE: bits(6, 8).since(Nv25).of(TEX_COMPARE),
    TEX3_MODE: bits(9, 11).since(Nv25).of(TEX_COMPARE),
} }

word! { /// Border colour, A8R8G8B8 whatever the format.
TEX_BORDER_COLOR {
    B: bits(0, 7),
    G: bits(8, 15),
    R: bits(16, 23),
    A: bits(24, 31),
} }

plain_words! {
    /// Address of the texture in its memory object, a multiple of 128.
    TEX_OFFSET.OFFSET of Kind::Hex;
    /// Unknown, method 238h; on Kelvin only the first two units have it.
    TEX_UNK238.DATA of Kind::Unknown;
    /// The raw texel that the colour key compares with.
    TEX_COLOR_KEY.KEY of Kind::Hex;
}
