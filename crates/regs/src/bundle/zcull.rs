//! Words of early depth rejection and of the clip id buffer.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::{plain_words, word};

word! { /// Depth buffer compression, occlusion and clamping.
Z_CONFIG {
    /// bit 0 of method 1D80h: the depth buffer is compressed
    COMPRESS_ZBUFFER_ENABLE: bit(0).since(Nv20)
        .src("public NV097 headers name the method"),
    /// bit 0 of method D84h / 1D84h: reject by depth early
    OCCLUDE_Z_ENABLE: bit(1).src("public NV097 headers name the method field"),
    /// bit 1 of method D84h / 1D84h: reject by stencil early
    OCCLUDE_STENCIL_ENABLE: bit(2).src("public NV097 headers name the method field"),
    CURIE_UNK3: bit(3).since(Nv40).of(Kind::Unknown).src("register scan"),
    /// bit 4 of method 1D78h: depth beyond near and far is clamped
    DEPTH_CLAMP: bit(4).since(Nv20).src("method vectors; ZCLAMP_EN in public NV097 headers"),
    DEPTH_BOUNDS_ENABLE: bit(5).since(Nv35).until(Nv31).also(Nv36, Nv34).also(Nv40, Mali200)
        .alias("CURIE_UNK5").src("hardware tests of class 497h; the scans of NV3x lack it"),
    CLIPID_ENABLE: bit(6).until(Nv20).also(Nv25, Mali200),
    RANKINE_UNK7: bit(7).since(Nv30).until(Nv34).also(Nv40, Mali200).of(Kind::Unknown).src("register scan"),
    RANKINE_UNK30: bit(30).since(Nv30).until(Nv40).of(Kind::Unknown).src("register scan"),
    /// bit 31 of method D84h (Celsius) / 1D84h (class 597h)
    OCCLUDE_UNK31: bit(31).since(Nv17).until(Nv20).also(Nv25, Mali200).of(Kind::Unknown)
        .conflict("the NV25 scan mask 57h lacks it, but the method vectors of NV25 class 597h write it"),
} }

word! { /// Clip id of the window that is drawn.
CLIPID_ID {
    ID: bits(0, 3).until(Nv20).then(Nv25, 0, 7),
} }

word! { /// Base of the clip id buffer's memory object.
CLIPID_BASE {
    ADDRESS: bits(0, 26).until(Nv20).then(Nv25, 0, 29).of(Kind::Hex),
} }

word! { /// Limit of the clip id buffer's memory object.
CLIPID_LIMIT {
    ADDRESS: bits(0, 26).until(Nv20).then(Nv25, 0, 29).of(Kind::Hex),
    UNK30: bit(30).since(Nv25).of(Kind::Unknown).src("register scan"),
    VALID: bit(31),
} }

word! { /// Offset of the clip id buffer in its object.
CLIPID_OFFSET {
    OFFSET: bits(0, 26).until(Nv20).then(Nv25, 0, 29).of(Kind::Hex),
} }

word! { /// Bytes per row of the clip id buffer.
CLIPID_PITCH {
    PITCH: bits(0, 15),
} }

word! { /// Base of the zcull memory object.
ZCULL_BASE {
    ADDRESS: bits(0, 29).of(Kind::Hex),
} }

word! { /// Limit of the zcull memory object.
ZCULL_LIMIT {
    ADDRESS: bits(0, 29).of(Kind::Hex),
    UNK30: bit(30).since(Nv25).of(Kind::Unknown).src("register scan"),
    VALID: bit(31),
} }

word! { /// Offset of the zcull buffer in its object.
ZCULL_OFFSET {
    OFFSET: bits(0, 29).of(Kind::Hex),
} }

word! { /// Bytes per row of the zcull buffer.
ZCULL_PITCH {
    PITCH: bits(0, 15),
} }

word! { /// Clip id rectangles, horizontal: origin and size.
CLIPID_RECT_HORIZ {
    ORIGIN: bits(0, 11),
    SIZE: bits(16, 28),
} }

word! { /// Clip id rectangles, vertical: origin and size.
CLIPID_RECT_VERT {
    ORIGIN: bits(0, 11),
    SIZE: bits(16, 28),
} }

plain_words! {
    /// Depth and stencil that clears write: Z24S8, or Z16 in the low half.
    CLEAR_ZETA.VALUE of Kind::Hex;
    /// Unknown, method 3FCh of the NV17 class.
    UNK3FC.DATA of Kind::Unknown;
    /// Trigger: forget what zcull knows.
    INVALIDATE_ZCULL.DATA of Kind::Hex;
    /// Trigger: clear the clip id buffer.
    CLEAR_CLIPID_TRIGGER.DATA of Kind::Hex;
    /// Trigger: clear depth and stencil through zcull.
    CLEAR_ZCULL_TRIGGER.DATA of Kind::Hex;
}

word! { /// A memory object handle at the id where Rankine had the zcull base.
DMA_UNK0B0 {
    INSTANCE: bits(0, 23).of(Kind::Hex),
    TARGET: bits(24, 25),
} }
