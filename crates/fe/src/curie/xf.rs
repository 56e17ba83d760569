//! The vertex engine's words, which only Curie has as bundles.

use isotherm_regs::Chip::Nv40;
use isotherm_regs::bundle::*;
use isotherm_regs::method::{
    XF_ATTR_DATA, XF_OUT_MAP_CLIP_DATA, XF_OUT_MAP_MISC_DATA, XF_TIMEOUT_DATA, XF_TXC_DATA,
    rankine_curie as m,
};

use crate::Fe;
use crate::table::Check::{Any, Declared, Rule};
use crate::table::Op::{Do, Nop, Spread, Word};
use crate::table::{Call, Move, Row, free, hard};
use crate::words::Edit;

/// XF's time-out, and a bit of which nothing is known.
const TIMEOUT: &[Move] = &[
    (XF_TIMEOUT_DATA::TIMEOUT, XF_D::TIMEOUT),
    (XF_TIMEOUT_DATA::UNK20, XF_D::UNK16),
];
/// Attributes that a program reads, and those whose vertices are counted modulo a frequency.
const ATTRS_LOW: &[Move] = &[(XF_ATTR_DATA::ATTRS, XF_ATTR_IN_MASK::ATTRS)];
const ATTRS_HIGH: &[Move] = &[(XF_ATTR_DATA::ATTRS, XF_ATTR_IN_MASK::MODULO)];
/// Where three clip distances each come from.
const CLIP_A: &[Move] = &[
    (XF_OUT_MAP_CLIP_DATA::CLIP0, XF_OUT_MAP_MISC_A::CLIP0),
    (XF_OUT_MAP_CLIP_DATA::CLIP1, XF_OUT_MAP_MISC_A::CLIP1),
    (XF_OUT_MAP_CLIP_DATA::CLIP2, XF_OUT_MAP_MISC_A::CLIP2),
];
const CLIP_B: &[Move] = &[
    (XF_OUT_MAP_CLIP_DATA::CLIP0, XF_OUT_MAP_MISC_B::CLIP3),
    (XF_OUT_MAP_CLIP_DATA::CLIP1, XF_OUT_MAP_MISC_B::CLIP4),
    (XF_OUT_MAP_CLIP_DATA::CLIP2, XF_OUT_MAP_MISC_B::CLIP5),
];
const MISC_A: &[Move] = &[
    (
        XF_OUT_MAP_MISC_DATA::FRONT_DIFFUSE,
        XF_OUT_MAP_MISC_A::FRONT_DIFFUSE,
    ),
    (
        XF_OUT_MAP_MISC_DATA::FRONT_SPECULAR,
        XF_OUT_MAP_MISC_A::FRONT_SPECULAR,
    ),
    (XF_OUT_MAP_MISC_DATA::FOG, XF_OUT_MAP_MISC_A::FOG),
];
const MISC_B: &[Move] = &[
    (
        XF_OUT_MAP_MISC_DATA::BACK_DIFFUSE,
        XF_OUT_MAP_MISC_B::BACK_DIFFUSE,
    ),
    (
        XF_OUT_MAP_MISC_DATA::BACK_SPECULAR,
        XF_OUT_MAP_MISC_B::BACK_SPECULAR,
    ),
    (
        XF_OUT_MAP_MISC_DATA::POINT_SIZE,
        XF_OUT_MAP_MISC_B::POINT_SIZE,
    ),
];
/// The flags of a texture coordinate set.
const TXC: &[Move] = &[
    (XF_TXC_DATA::TWO_D, XF_TXC::TWO_D),
    (XF_TXC_DATA::CENTROID, XF_TXC::CENTROID),
    (XF_TXC_DATA::UNK8, XF_TXC::UNK19),
];

/// The time-out counts from a bit that must be set.
fn timeout_ok(_: &Fe, c: Call) -> bool {
    c.v & !XF_TIMEOUT_DATA::WORD.mask(Nv40, 0) == 0 && XF_TIMEOUT_DATA::ENABLE.is_on(c.v)
}

fn txc(fe: &mut Fe, c: Call) {
    let word = Edit::of(fe, XF_TXC, c.i).moved(c.v, TXC);
    fe.put(XF_TXC, c.i, word.word);
}

fn out_map_misc(fe: &mut Fe, c: Call) {
    let a = Edit::of(fe, XF_OUT_MAP_MISC_A, 0).moved(c.v, MISC_A);
    let b = Edit::of(fe, XF_OUT_MAP_MISC_B, 0).moved(c.v, MISC_B);
    fe.put(XF_OUT_MAP_MISC_A, 0, a.word);
    fe.put(XF_OUT_MAP_MISC_B, 0, b.word);
}

/// The rows.
pub(crate) const ROWS: &[Row] = &[
    hard(m::XF_TXC_UNKB40, Declared, Do(txc)),
    hard(m::XF_UNK1EF8, Rule(timeout_ok), Spread(XF_D, TIMEOUT)),
    hard(
        m::XF_ATTR_IN_UNK1FC0,
        Declared,
        Spread(XF_ATTR_IN_MASK, ATTRS_HIGH),
    ),
    hard(m::XF_OUT_MAP_MISC, Declared, Do(out_map_misc)),
    hard(m::XF_OUT_MAP_TXC_A, Any, Word(XF_OUT_MAP_TXC_A)),
    hard(m::XF_OUT_MAP_TXC_B, Declared, Word(XF_OUT_MAP_TXC_B)),
    hard(
        m::XF_OUT_MAP_CLIP_A,
        Declared,
        Spread(XF_OUT_MAP_MISC_A, CLIP_A),
    ),
    hard(
        m::XF_OUT_MAP_CLIP_B,
        Declared,
        Spread(XF_OUT_MAP_MISC_B, CLIP_B),
    ),
    hard(
        m::XF_ATTR_IN_MASK,
        Declared,
        Spread(XF_ATTR_IN_MASK, ATTRS_LOW),
    ),
    hard(m::XF_ATTR_OUT_MASK, Declared, Word(XF_ATTR_OUT_MASK)),
    free(m::VB_OFFSET_BASE, Any, Word(VB_OFFSET_BASE)),
    free(m::VB_ELEMENT_BASE, Any, Word(VB_ELEMENT_BASE)),
    // Rankine's branch words, which drivers still send.
    free(m::XF_UNK1F80, Any, Nop),
];
