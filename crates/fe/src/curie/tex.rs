//! Vertex textures, and sizes of fragment textures.

use isotherm_regs::bundle::*;
use isotherm_regs::method::rankine_curie as m;

use crate::Fe;
use crate::bits::{ext, ins};
use crate::table::Check::{Any, Declared};
use crate::table::Op::{Do, Word};
use crate::table::{Call, Row, hard};

/// Vertex textures: format.
fn xf_format(fe: &mut Fe, c: Call) {
    let mut word = fe.word(XF_TEX_FORMAT, c.i as usize);
    ins(&mut word, 1, 1, ext(!c.v, 0, 1));
    ins(&mut word, 6, 2, ext(c.v, 4, 2));
    ins(&mut word, 8, 12, ext(c.v, 8, 12));
    fe.put(XF_TEX_FORMAT, c.i, word);
}

fn xf_wrap(fe: &mut Fe, c: Call) {
    let mut word = fe.word(XF_TEX_WRAP, c.i as usize);
    ins(&mut word, 0, 3, ext(c.v, 0, 3).wrapping_sub(1));
    ins(&mut word, 8, 3, ext(c.v, 8, 3).wrapping_sub(1));
    fe.put(XF_TEX_WRAP, c.i, word);
}

fn xf_control_a(fe: &mut Fe, c: Call) {
    let mut word = fe.word(XF_TEX_CONTROL_A, c.i as usize);
    ins(&mut word, 6, 25, ext(c.v, 7, 25));
    fe.put(XF_TEX_CONTROL_A, c.i, word);
}

/// The rows.
pub(crate) const ROWS: &[Row] = &[
    hard(m::XF_TEX_OFFSET, Any, Word(XF_TEX_OFFSET)),
    hard(m::XF_TEX_FORMAT, Any, Do(xf_format)),
    hard(m::XF_TEX_WRAP, Any, Do(xf_wrap)),
    hard(m::XF_TEX_CONTROL_A, Any, Do(xf_control_a)),
    hard(m::XF_TEX_CONTROL_B, Any, Word(XF_TEX_CONTROL_B)),
    hard(m::XF_TEX_FILTER, Any, Word(XF_TEX_FILTER)),
    hard(m::XF_TEX_RECT, Any, Word(XF_TEX_RECT)),
    hard(m::XF_TEX_BORDER_COLOR, Any, Word(XF_TEX_BORDER_COLOR)),
    hard(m::TEX_PALETTE, Declared, Word(TEX_CONTROL_D)),
];
