//! Vertex textures, and sizes of fragment textures.

use isotherm_regs::Chip::Nv40;
use isotherm_regs::bundle::*;
use isotherm_regs::method::{TEX_FORMAT_DATA, TEX_WRAP_DATA, rankine_curie as m};

use crate::Fe;
use crate::kelvin::tex::rect_ok;
use crate::table::Check::{Any, Declared, Mask, Rule};
use crate::table::Op::{Do, Word};
use crate::table::{Call, Move, Row, hard};
use crate::words::{Data, Edit};

/// Vertex textures are floats in rows.
fn format_ok(fe: &Fe, c: Call) -> bool {
    use TEX_FORMAT_DATA as D;
    let data = Data::new(fe, c.v);
    matches!(data.get(D::DMA), 1 | 2)
        && matches!(data.get(D::CURIE_FORMAT), 0x1b | 0x1c)
        && data.is(D::LINEAR)
        && data.is(D::UNK15)
        && !data.is(D::CUBE_MAP)
        && matches!(data.get(D::MODE), 1 | 2)
        && (1..=0xd).contains(&data.get(D::MIPS))
        && [D::SIZE_S, D::SIZE_T, D::SIZE_R]
            .iter()
            .all(|size| !data.is(*size))
}

const FORMAT: &[Move] = &[
    (TEX_FORMAT_DATA::MODE, XF_TEX_FORMAT::MODE),
    (TEX_FORMAT_DATA::CURIE_FORMAT, XF_TEX_FORMAT::FORMAT),
    (TEX_FORMAT_DATA::LINEAR, XF_TEX_FORMAT::LINEAR),
    (TEX_FORMAT_DATA::RECT, XF_TEX_FORMAT::RECT),
    (TEX_FORMAT_DATA::UNK15, XF_TEX_FORMAT::UNK15),
    (TEX_FORMAT_DATA::MIPS, XF_TEX_FORMAT::MIPS),
];

fn format(fe: &mut Fe, c: Call) {
    let second = TEX_FORMAT_DATA::DMA.entry(0, 1).read(c.v) == 0;
    let word = Edit::of(fe, XF_TEX_FORMAT, c.i)
        .moved(c.v, FORMAT)
        .set(XF_TEX_FORMAT::DMA, second);
    fe.put(XF_TEX_FORMAT, c.i, word.word);
}

fn wrap_ok(_: &Fe, c: Call) -> bool {
    let wraps = [TEX_WRAP_DATA::WRAP_S, TEX_WRAP_DATA::WRAP_T];
    c.v & !(wraps[0].ones() | wraps[1].ones()) == 0
        && wraps.iter().all(|wrap| (1..=8).contains(&wrap.read(c.v)))
}

fn wrap(fe: &mut Fe, c: Call) {
    let word = Edit::of(fe, XF_TEX_WRAP, c.i)
        .set(
            XF_TEX_WRAP::WRAP_S,
            TEX_WRAP_DATA::WRAP_S.read(c.v).wrapping_sub(1),
        )
        .set(
            XF_TEX_WRAP::WRAP_T,
            TEX_WRAP_DATA::WRAP_T.read(c.v).wrapping_sub(1),
        );
    fe.put(XF_TEX_WRAP, c.i, word.word);
}

/// The word is the fragment textures' with the lowest bits gone.
fn control_a_ok(_: &Fe, c: Call) -> bool {
    c.v.is_multiple_of(0x80)
}

fn control_a(fe: &mut Fe, c: Call) {
    let known = XF_TEX_CONTROL_A::WORD.mask(Nv40, 0);
    fe.put(XF_TEX_CONTROL_A, c.i, c.v >> 1 & known);
}

/// The rows.
pub(crate) const ROWS: &[Row] = &[
    hard(m::XF_TEX_OFFSET, Mask(!0x7f), Word(XF_TEX_OFFSET)),
    hard(m::XF_TEX_FORMAT, Rule(format_ok), Do(format)),
    hard(m::XF_TEX_WRAP, Rule(wrap_ok), Do(wrap)),
    hard(m::XF_TEX_CONTROL_A, Rule(control_a_ok), Do(control_a)),
    hard(m::XF_TEX_CONTROL_B, Declared, Word(XF_TEX_CONTROL_B)),
    hard(m::XF_TEX_FILTER, Declared, Word(XF_TEX_FILTER)),
    hard(m::XF_TEX_RECT, Rule(rect_ok), Word(XF_TEX_RECT)),
    hard(m::XF_TEX_BORDER_COLOR, Any, Word(XF_TEX_BORDER_COLOR)),
    hard(m::TEX_CONTROL_D, Declared, Word(TEX_CONTROL_D)),
];
