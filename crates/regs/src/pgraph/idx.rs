//! The vertex path: IDX of Kelvin and its heirs, and Celsius's pipe.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::word;

word! { /// Enabled vertex arrays and the edge flag.
IDX_STATE_A {
    ARRAYS: bits(0, 15).of(Kind::Hex),
    /// patches that are open
    PATCHES: bits(20, 23),
    EDGE_FLAG: bit(24),
} }

word! { /// Counters of the vertex path.
IDX_STATE_B {
    /// words of one inline vertex
    VERTEX_WORDS: bits(2, 7),
    /// vertices that are cached
    CACHED: bits(10, 15),
    UNK16: bits(16, 20).of(Kind::Unknown),
    /// bundles, modulo 24
    BUNDLES: bits(24, 28),
} }

word! { /// The next attribute of an inline vertex.
IDX_STATE_C {
    ARRAYS: bits(0, 15).of(Kind::Hex),
    CURSOR: bits(16, 21),
    UNK24: bit(24).of(Kind::Unknown),
} }

word! { /// The index buffer, from Rankine on.
IDX_STATE_D {
    OFFSET: bits(0, 28).of(Kind::Hex),
    /// 16-bit indices
    SHORT: bit(29),
    DMA: bit(30).of(crate::bundle::DMA_AB),
} }

word! { /// Where a vertex array lies.
IDX_VTXBUF_OFFSET {
    OFFSET: bits(0, 27).then(Nv30, 0, 28).of(Kind::Hex),
    DMA: bit(31).of(crate::bundle::DMA_AB),
} }

word! { /// The format of a vertex array: type and size twice.
IDX_VTXBUF_FORMAT {
    TYPE: bits(0, 2).of(crate::method::VTX_TYPE),
    SIZE: bits(3, 5),
    STRIDE: bits(6, 13),
    TYPE_2: bits(14, 16).of(crate::method::VTX_TYPE),
    SIZE_2: bits(17, 19),
    /// words of one element
    WORDS: bits(20, 22),
} }

word! { /// Third word of a token: where it goes. The address is in units of eight bytes.
IDX_TOKEN {
    ADDRESS: bits(0, 13).then(Nv30, 0, 14).of(Kind::Hex),
    BYTE_ENABLE: bits(14, 15).then(Nv30, 15, 16),
} }

word! { /// The address of a token for a vertex attribute.
TOKEN_ATTRIBUTE {
    COMPONENT: bits(2, 3),
    ATTRIBUTE: bits(4, 7),
    /// number of components, 0 is four
    SIZE: bits(8, 9),
    TYPE: bits(10, 12),
} }

word! { /// Celsius: how far the vertex under construction is.
CELSIUS_PIPE_VTX_STATE {
    UNK0: bits(0, 4).of(Kind::Unknown),
    UNK8: bits(8, 12).of(Kind::Unknown),
    /// vertices of the primitive so far
    STEP: bits(28, 30),
} }

word! { /// Celsius: the format of a vertex array; the types have other numbers than in the method.
CELSIUS_VTXBUF_FORMAT {
    TYPE: bits(0, 2),
    SIZE: bits(4, 6),
    STRIDE: bits(10, 15).of(Kind::Times(2)),
    HOMOGENEOUS: bit(24),
} }

word! { /// Celsius: the vertex and state objects.
CELSIUS_DMA {
    VTX: bits(0, 15).of(Kind::Hex),
    STATE: bits(16, 31).of(Kind::Hex),
} }

word! { /// Celsius: word 9 of an assembled vertex, a float for fog; a bundle has its id there.
CELSIUS_OVTX_FOG {
    BUNDLE: bits(0, 5),
    FRACTION: bits(11, 22),
    EXPONENT: bits(23, 30),
    SIGN: bit(31),
} }

word! { /// Celsius: word 13 of a transformed vertex, fog as fraction and exponent.
CELSIUS_XVTX_FOG {
    FRACTION: bits(10, 23),
    EXPONENT: bits(24, 31),
} }

word! { /// Celsius: word 11 of a vertex, the second colour and a sign.
CELSIUS_VTX_COLOR1 {
    SIGN: bit(0),
    COLOR: bits(8, 31),
} }

word! { /// Celsius: word 2 of an assembled vertex before its point size.
CELSIUS_OVTX_POINT_SIZE {
    SIZE: bits(12, 20),
    SIGN: bit(31),
} }
