//! Words of vertex and index fetch, memory objects, fences, and words nobody understands.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::{plain_words, word};

word! { /// Vertex buffer memory objects A and B.
DMA_VTX {
    /// RAMIN instance of the object
    INSTANCE: bits(0, 15).then(Nv40, 0, 23).of(Kind::Hex),
} }

word! { /// Texture memory objects A and B.
DMA_TEX {
    /// RAMIN instance of the object
    INSTANCE: bits(0, 15).then(Nv40, 0, 23).of(Kind::Hex),
    /// target of the object: local memory, PCI, AGP
    TARGET: bits(24, 25),
} }

word! { /// Primitive restart.
PRIMITIVE_RESTART_ENABLE {
    ENABLE: bit(0),
} }

plain_words! {
    /// The index that restarts a primitive.
    PRIMITIVE_RESTART_INDEX.INDEX of Kind::Hex;
    /// Trigger: fetch the fragment program's first words.
    PS_PREFETCH_TRIGGER.DATA of Kind::Hex;
    /// Added to every vertex index.
    VB_ELEMENT_BASE.BASE of Kind::Int;
    /// Where a fence writes in its object.
    FENCE_OFFSET.OFFSET of Kind::Hex;
    /// Trigger: write the fence's value to memory.
    FENCE_WRITE_B.VALUE of Kind::Hex;
    /// Fog polynomial, coefficients 0 and 1; the third goes to the lighting unit.
    FOG_COEFF.VALUE of Kind::Float32;
    /// Unknown, method 1E68h: the driver writes a float.
    UNK1E68.VALUE of Kind::Float32;
    /// Unknown trigger.
    UNKA08.DATA of Kind::Unknown;
    /// Added to the address of every vertex array.
    VB_OFFSET_BASE.BASE of Kind::Hex;
    /// Unknown.
    CURIE_UNK0E1.DATA of Kind::Unknown;
    /// Unknown.
    CURIE_UNK0E2.DATA of Kind::Unknown;
    /// Unknown.
    CURIE_UNK0E5.DATA of Kind::Unknown;
    /// Unknown, four words.
    CURIE_UNK0E9.DATA of Kind::Unknown;
    /// Unknown.
    CURIE_UNK0ED.DATA of Kind::Unknown;
}

word! { /// Unknown; the page has it without a name.
RANKINE_UNK069 {
    UNK0: bits(0, 27).of(Kind::Unknown),
} }

word! { /// Unknown; method 1D88h. Rankine's method of that number is COORD_CONVENTIONS.
KELVIN_UNK1D88 {
    UNK0: bits(0, 1).until(Nv40).of(Kind::Unknown),
    DATA: bits(0, 31).since(Nv40).of(Kind::Unknown),
} }

word! { /// Unknown; method A40h of Rankine.
RANKINE_UNK0A40 {
    UNK0: bits(0, 6).of(Kind::Unknown),
    UNK9: bit(9).of(Kind::Unknown),
    UNK11: bits(11, 12).of(Kind::Unknown),
    UNK16: bit(16).of(Kind::Unknown),
} }

word! { /// Unknown; method 1DC0h, four bytes of which the low three bits do not exist.
KELVIN_UNK1DC0 {
    UNK3: bits(3, 7).of(Kind::Unknown),
    UNK11: bits(11, 15).of(Kind::Unknown),
    UNK19: bits(19, 23).of(Kind::Unknown),
    UNK27: bits(27, 31).of(Kind::Unknown),
} }

word! { /// Unknown; method 1DBCh.
KELVIN_UNK1DBC {
    UNK0: bits(0, 1).of(Kind::Unknown),
} }

word! { /// Unknown.
CURIE_UNK0E0 {
    UNK0: bits(0, 7).of(Kind::Unknown),
    UNK16: bit(16).of(Kind::Unknown),
} }

word! { /// Unknown.
CURIE_UNK0E6 {
    UNK0: bits(0, 24).of(Kind::Unknown),
} }
