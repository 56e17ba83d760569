//! The forward differencer of Kelvin: method data, what the front end remembers of a patch, and
//! the unit's own state as far as the hardware tests know it.

use crate::field::{Kind, bit, bits};
use crate::{values, word};

values! { /// Which rows at an edge of a patch belong to a transition.
FD_EDGE {
    NONE = 0,
    NEAR = 1,
    FAR = 2,
    BOTH = 3,
    NEAR_REVERSED = 5,
    FAR_REVERSED = 6,
} }

word! { /// FD_BEGIN_PATCH_A and _B, FD_BEGIN_TRANSITION_A and _B: a number for each attribute.
FD_ATTRIBUTES { FIRST: bits(0, 3), REST: bits(4, 31).of(Kind::Hex), } }

word! { /// FD_BEGIN_PATCH_C: the patch's size.
FD_BEGIN_PATCH_C {
    /// whole swatches in s
    SWATCHES_S: bits(0, 7),
    SWATCHES_T: bits(8, 15),
    ORDER: bits(16, 20),
    /// rows that are left over
    ROWS_T: bits(21, 25),
    ROWS_S: bits(26, 30),
    ZERO31: bit(31).of(Kind::Unknown),
} }

word! { /// FD_BEGIN_PATCH_D: its edges and its vertices.
FD_BEGIN_PATCH_D {
    EDGE_S: bits(0, 2).of(FD_EDGE),
    EDGE_T: bits(3, 5).of(FD_EDGE),
    /// words of a vertex, and of its second half
    WORDS: bits(6, 9),
    WORDS_2: bits(10, 13),
    UNK14: bit(14).of(Kind::Unknown),
    UNK15: bit(15).of(Kind::Unknown),
    UNK16: bit(16).of(Kind::Unknown),
    ZERO17: bits(17, 23).of(Kind::Unknown),
    COUNT: bits(24, 31),
} }

word! { /// The curve under way.
FE3D_STATE_CURVE {
    /// words so far
    DONE: bits(0, 9),
    VERTEX_WORDS: bits(12, 17),
    COUNT: bits(18, 25),
} }

word! { /// The swatch under way.
FE3D_STATE_SWATCH { STATE: bits(0, 23).of(Kind::Hex), } }

word! { /// The transitions of a patch.
FE3D_STATE_TRANSITION {
    DONE: bits(0, 2),
    EDGES: bits(4, 6),
    ATTRIBUTES_A: bits(24, 27),
    ATTRIBUTES_B: bits(28, 31),
} }

word! { /// What is kept of FD_BEGIN_PATCH_C.
FE3D_SHADOW_BEGIN_PATCH_C { SIZE: bits(0, 30).of(Kind::Hex), } }

word! { /// What is kept of FD_BEGIN_PATCH_D.
FE3D_SHADOW_BEGIN_PATCH_D {
    EDGE_S: bits(0, 2).of(FD_EDGE),
    EDGE_T: bits(3, 5).of(FD_EDGE),
    UNK14: bit(14).of(Kind::Unknown),
    UNK15: bit(15).of(Kind::Unknown),
    UNK16: bit(16).of(Kind::Unknown),
} }

word! { /// The unit: what it draws.
FD_STATE_UNK14 {
    /// 0 is nothing; bit 1 is set if rows are filled downwards
    MODE: bits(28, 30),
} }
word! { /// The unit: where the next curve goes.
FD_STATE_UNK18 {
    ROW: bits(0, 5),
    UNK6: bits(6, 7).of(Kind::Unknown),
    ACTIVE: bit(8),
    UNK9: bit(9).of(Kind::Unknown),
    UNK10: bit(10).of(Kind::Unknown),
    UNK11: bits(11, 17).of(Kind::Unknown),
    UNK23: bits(23, 27).of(Kind::Unknown),
} }
word! { /// The unit: rows and attributes.
FD_STATE_UNK1C {
    ROWS_S: bits(0, 4),
    UNK5: bits(5, 13).of(Kind::Unknown),
    ATTRIBUTES_A: bits(14, 21).of(Kind::Hex),
    ATTRIBUTES_B: bits(22, 29).of(Kind::Hex),
} }
word! { /// The unit: the first two transitions, the swatches.
FD_STATE_UNK20 {
    TRANSITION_1: bits(0, 1),
    TRANSITION_0: bits(2, 3),
    UNK4: bits(4, 5).of(Kind::Unknown),
    UNK6: bit(6).of(Kind::Unknown),
    UNK7: bit(7).of(Kind::Unknown),
    UNK8: bit(8).of(Kind::Unknown),
    SWATCHES_S: bits(9, 17),
    SWATCHES_T: bits(18, 26),
    ROWS_T: bits(27, 31),
} }
word! { /// The unit: the edges and the last two transitions.
FD_STATE_UNK24 {
    UNK15: bit(15).of(Kind::Unknown),
    /// edges that have a transition, in the order of drawing
    EDGES: bits(16, 19),
    /// transitions that run backwards
    BACKWARDS: bits(20, 23),
    TRANSITION_3: bits(24, 25),
    TRANSITION_2: bits(26, 27),
} }
word! { /// The unit: the vertices of a curve.
FD_STATE_UNK30 {
    OPEN: bit(10),
    UNK11: bits(11, 12).of(Kind::Unknown),
    COUNT: bits(13, 20),
} }
word! { /// The unit: which half of the index cache.
FD_STATE_UNK34 {
    EMPTY: bit(11),
    BANK: bit(16),
} }
