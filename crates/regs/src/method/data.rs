//! Data words of the 3D classes' methods that are more than one number.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::{values, word};

values! { /// Colour formats of a render target.
SURF_COLOR {
    /// X bits are written 0
    X1R5G5B5_Z1R5G5B5 = 0x1,
    /// X bits are written 1
    X1R5G5B5_O1R5G5B5 = 0x2,
    R5G6B5 = 0x3,
    X8R8G8B8_Z8R8G8B8 = 0x4,
    X8R8G8B8_O8R8G8B8 = 0x5,
    X1A7R8G8B8_Z1A7R8G8B8 = 0x6,
    X1A7R8G8B8_O1A7R8G8B8 = 0x7,
    A8R8G8B8 = 0x8,
    B8 = 0x9,
    G8B8 = 0xa,
    A16B16G16R16_FLOAT = 0xb since Nv30,
    A32B32G32R32_FLOAT = 0xc since Nv30,
    R32_FLOAT = 0xd since Nv30,
    X8B8G8R8_Z8B8G8R8 = 0xe since Nv30,
    X8B8G8R8 = 0xf since Nv30,
    A8B8G8R8 = 0x10 since Nv30,
} }

values! { /// Depth formats of a render target.
SURF_ZETA {
    Z16 = 1,
    Z24S8 = 2,
} }

values! { /// Layout of a render target.
SURF_TYPE {
    PITCH = 1,
    SWIZZLE = 2,
} }

values! { /// Samples per pixel.
SURF_AA {
    CENTER_1 = 0,
    CENTER_CORNER_2 = 1,
    SQUARE_OFFSET_4 = 2,
} }

word! { /// Render target format (method 208h).
SURF_FORMAT {
    COLOR: bits(0, 3).then(Nv30, 0, 4).of(SURF_COLOR),
    ZETA: bits(4, 7).then(Nv30, 5, 7).of(SURF_ZETA),
    TYPE: bits(8, 11).of(SURF_TYPE),
    ANTI_ALIASING: bits(12, 15).of(SURF_AA),
    /// log2, if swizzled
    WIDTH: bits(16, 23),
    /// log2, if swizzled
    HEIGHT: bits(24, 31),
} }

word! { /// Render target pitches (method 20Ch).
SURF_PITCH {
    COLOR: bits(0, 15),
    ZETA: bits(16, 31),
} }

word! { /// Surface clip (methods 200h and 204h): origin and size.
SURF_CLIP {
    ORIGIN: bits(0, 15),
    SIZE: bits(16, 31),
} }

values! { /// Number format of depth.
CONTROL_Z_FORMAT {
    FIXED = 0,
    FLOAT = 1,
} }

word! { /// Control word (method 290h): goes to CONFIG_A, CONFIG_B and RASTER.
CONTROL {
    STENCIL_WRITE_ENABLE: bit(0),
    /// Celsius classes only; must be 0 for Kelvin's
    UNK8: bits(8, 11).of(Kind::Unknown),
    Z_FORMAT: bit(12).of(CONTROL_Z_FORMAT),
    DEPTH_PERSPECTIVE_ENABLE: bit(16),
    TEXTURE_PERSPECTIVE_ENABLE: bit(20),
    PREMULTIPLIED_ALPHA: bit(24),
    COLOR_SPACE_CONVERT: bits(28, 30).since(Nv17).of(crate::bundle::COLOR_SPACE_CONVERT),
} }

word! { /// Colour write mask (method 358h), one byte a channel of which bit 0 counts.
COLOR_MASK_DATA {
    B: bit(0),
    G: bit(8),
    R: bit(16),
    A: bit(24),
} }

word! { /// What a clear writes (method 1D94h).
CLEAR_SURFACE {
    DEPTH: bit(0),
    STENCIL: bit(1),
    COLOR_R: bit(4),
    COLOR_G: bit(5),
    COLOR_B: bit(6),
    COLOR_A: bit(7),
} }

word! { /// Depth clamping and near/far culling (method 1D78h).
DEPTH_CLAMP {
    /// RASTER CULL_NEAR_FAR
    CULL_NEAR_FAR: bit(0),
    /// Z_CONFIG DEPTH_CLAMP
    CLAMP: bit(4),
    /// RASTER CULL_IGNORE_W
    CULL_IGNORE_W: bit(8),
} }

values! { /// Primitive types of BEGIN/END; 0 ends.
PRIMITIVE {
    STOP = 0x0,
    POINTS = 0x1,
    LINES = 0x2,
    LINE_LOOP = 0x3,
    LINE_STRIP = 0x4,
    TRIANGLES = 0x5,
    TRIANGLE_STRIP = 0x6,
    TRIANGLE_FAN = 0x7,
    QUADS = 0x8,
    QUAD_STRIP = 0x9,
    POLYGON = 0xa,
} }

word! { /// BEGIN/END.
BEGIN_END {
    PRIMITIVE: bits(0, 31).of(PRIMITIVE),
} }

values! { /// Component type of a vertex array.
VTX_TYPE {
    /// bytes in the order B, G, R, A, 0 to 1
    B8G8R8A8_UNORM = 0,
    /// 16 bits, -1 to 1
    V16_SNORM = 1,
    V32_FLOAT = 2,
    V16_FLOAT = 3 since Nv30,
    /// bytes, 0 to 1
    U8_UNORM = 4,
    /// 16 bits, plain integers
    V16_SSCALED = 5,
    /// 11, 11 and 10 bits, signed normalised
    CMP_11_11_10 = 6,
    /// bytes, plain integers
    U8_USCALED = 7 since Nv30,
} }

word! { /// Vertex array format (Kelvin 1760h, Rankine and Curie 1740h).
VTXBUF_FORMAT {
    TYPE: bits(0, 3).of(VTX_TYPE),
    /// number of components; 0 disables
    SIZE: bits(4, 7),
    /// bytes from vertex to vertex
    STRIDE: bits(8, 15).then(Nv20, 8, 31),
    /// Celsius: positions have a homogeneous W
    HOMOGENEOUS: bit(24).until(Nv20),
} }

word! { /// Vertex array address (Kelvin 1720h, Rankine and Curie 1680h).
VTXBUF_OFFSET {
    OFFSET: bits(0, 30).of(Kind::Hex),
    DMA: bit(31).of(crate::bundle::DMA_AB),
} }

word! { /// A run of vertices to draw (Kelvin 1810h).
DRAW_ARRAYS {
    FIRST: bits(0, 23),
    /// number of vertices minus one
    COUNT: bits(24, 31).of(Kind::MinusOne),
}}

word! { /// Two indices in one word.
INDEX16 {
    I0: bits(0, 15),
    I1: bits(16, 31),
} }

word! { /// Where dependent texture stages read (method 1E78h).
SHADER_PREVIOUS {
    TX1: bit(0),
    TX2: bits(16, 19),
    TX3: bits(20, 23),
} }

word! { /// Dot product mappings (method 1E74h).
SHADER_DOT_MAPPING {
    TX1: bits(0, 3).of(crate::bundle::DOT_MAPPING),
    TX2: bits(4, 7).of(crate::bundle::DOT_MAPPING),
    TX3: bits(8, 11).of(crate::bundle::DOT_MAPPING),
} }
