//! Texture units.

use isotherm_regs::bundle::*;

use crate::Fe;
use crate::bits::{ext, ins};
use crate::chips::Kind;
use crate::table::Check::{Any, Mask, Rule};
use crate::table::Op::{Do, Word};
use crate::table::{Call, Row, hard};
use isotherm_regs::method::rankine_curie as m;

/// TEX_FORMAT: Rankine has the sizes in it and cuts the mip count to them; Curie has not.
fn format(fe: &mut Fe, c: Call) {
    let v = c.v;
    let mut word = fe.word(TEX_FORMAT, c.i as usize);
    let mut mips = ext(v, 16, 4);
    if fe.kind == Kind::Curie {
        ins(&mut word, 1, 1, ext(!v, 0, 1));
        ins(&mut word, 8, 8, ext(v, 8, 8));
    } else {
        let largest = ext(v, 20, 4).max(ext(v, 24, 4)).max(ext(v, 28, 4));
        mips = mips.min(largest + 1);
        ins(&mut word, 1, 1, ext(v, 1, 1));
        ins(&mut word, 8, 8, ext(v, 8, 7));
        ins(&mut word, 20, 12, ext(v, 20, 12));
    }
    ins(&mut word, 2, 2, ext(v, 2, 2));
    ins(&mut word, 6, 2, ext(v, 4, 2));
    ins(&mut word, 16, 4, mips);
    fe.put(TEX_FORMAT, c.i, word);
}

/// TEX_WRAP: Curie counts the modes from 0.
fn wrap(fe: &mut Fe, c: Call) {
    let v = c.v;
    let mut word = fe.word(TEX_WRAP, c.i as usize);
    for (from, to, len) in [
        (4, 4, 4),
        (12, 12, 1),
        (24, 13, 2),
        (20, 24, 4),
        (28, 28, 4),
    ] {
        ins(&mut word, to, len, ext(v, from, len));
    }
    let less = u32::from(fe.g.curie());
    for lo in [0, 8, 16] {
        ins(&mut word, lo, 3, ext(v, lo, 3).wrapping_sub(less));
    }
    fe.put(TEX_WRAP, c.i, word);
}

/// TEX_FILTER_OPT.
fn filter_opt(fe: &mut Fe, c: Call) {
    let mut word = fe.word(TEX_WRAP, c.i as usize);
    ins(&mut word, 19, 5, c.v);
    if fe.kind == Kind::Curie {
        ins(&mut word, 11, 1, ext(c.v, 6, 1));
        ins(&mut word, 15, 1, ext(c.v, 7, 1));
    }
    fe.put(TEX_WRAP, c.i, word);
    if fe.kind == Kind::Curie {
        let mut control = fe.word(TEX_PITCH, c.i as usize);
        ins(&mut control, 17, 12, ext(c.v, 8, 12));
        fe.put(TEX_PITCH, c.i, control);
    }
}

fn control_a(fe: &mut Fe, c: Call) {
    let mask = if fe.g.curie() { !0 } else { 0x7fff_ffff };
    fe.put(TEX_CONTROL, c.i, c.v & mask);
}

/// TEX_CONTROL_B: Rankine's pitch and swizzle, Curie's swizzle.
fn control_b(fe: &mut Fe, c: Call) {
    if fe.kind == Kind::Curie {
        let mut word = fe.word(TEX_PITCH, c.i as usize);
        ins(&mut word, 0, 17, c.v);
        fe.put(TEX_PITCH, c.i, word);
    } else {
        fe.put(TEX_PITCH, c.i, c.v);
    }
}

fn rect_ok(_: &Fe, c: Call) -> bool {
    (1..=0x1000).contains(&ext(c.v, 0, 16)) && (1..=0x1000).contains(&ext(c.v, 16, 16))
}

pub(crate) const SHARED: &[Row] = &[
    hard(m::TEX_FILTER_OPT, Any, Do(filter_opt)),
    hard(m::TEX_OFFSET, Any, Word(TEX_OFFSET)),
    hard(m::TEX_FORMAT, Any, Do(format)),
    hard(m::TEX_WRAP, Any, Do(wrap)),
    hard(m::TEX_CONTROL_A, Any, Do(control_a)),
    hard(m::TEX_CONTROL_B, Any, Do(control_b)),
    hard(m::TEX_FILTER, Mask(0xff3f_ffff), Word(TEX_FILTER)),
    hard(m::TEX_RECT, Rule(rect_ok), Word(TEX_RECT)),
    hard(m::TEX_BORDER_COLOR, Any, Word(TEX_BORDER_COLOR)),
    hard(m::TEX_COLOR_KEY, Any, Word(TEX_COLOR_KEY)),
];

pub(crate) const RANKINE: &[Row] = &[hard(m::TEX_PALETTE, Mask(!0x32), Word(TEX_PALETTE))];
