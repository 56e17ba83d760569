//! Surfaces: the registers behind the render target methods.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::word;

word! { /// Layout of the render targets, and the flip counters.
SURF_TYPE {
    TYPE: bits(0, 1).of(crate::method::SURF_TYPE),
    UNK2: bits(2, 3).since(Nv17).until(Nv20).of(Kind::Unknown),
    /// 16-bit depth with 32-bit colour
    ZETA_16: bit(4).since(Nv1a).until(Nv20),
    CELSIUS_ANTI_ALIASING: bit(5).since(Nv17).until(Nv20),
    UNK6: bits(6, 7).since(Nv17).until(Nv20).of(Kind::Unknown),
    ANTI_ALIASING: bits(4, 5).since(Nv20).then(Nv25, 4, 6),
    FLIP_WRITE: bits(20, 22),
    FLIP_READ: bits(24, 26),
    FLIP_MODULO: bits(28, 30),
    UNK31: bit(31).since(Nv17).until(Nv20).of(Kind::Unknown),
} }

word! { /// Formats of the render targets, in the numbers that all surfaces have.
SURF_FORMATS {
    COLOR: bits(8, 11).then(Nv30, 10, 14),
    ZETA: bits(12, 15).then(Nv30, 15, 19),
} }

word! { /// Sizes of swizzled render targets, log2.
SURF_SWIZZLE {
    WIDTH: bits(16, 19),
    HEIGHT: bits(24, 27),
} }

word! { /// First byte of a surface's object.
SURF_BASE {
    BASE: bits(0, 29).of(Kind::Hex),
    /// the object is not in local memory
    FAR: bit(30).since(Nv34).until(Nv40),
    /// no object
    NULL: bit(31).since(Nv34).until(Nv40),
} }

word! { /// Last byte of a surface's object.
SURF_LIMIT {
    LIMIT: bits(0, 29).of(Kind::Hex),
    /// no object
    NULL: bit(31),
} }

word! { /// Tile regions.
SURF_UNK880 {
    /// a surface that moves keeps its region
    TILE_PINNED: bit(20),
} }
word! { /// Which surfaces are in a tile region.
SURF_UNK888 { TILED: bits(0, 7).of(Kind::Hex), } }
word! { /// Which region, four bits a surface.
SURF_UNK89C { REGION: bits(0, 31).of(Kind::Hex), } }
