//! Register combiners.

use isotherm_regs::bundle::*;

use crate::Fe;
use crate::bits::ext;
use crate::chips::Kind;
use crate::table::Check::{Any, Rule};
use crate::table::Op::{Do, Word};
use crate::table::{Call, Row, hard};

/// Are there registers for textures 2 and 3? Not on Celsius, nor for its classes.
fn four_textures(fe: &Fe) -> bool {
    !fe.g.celsius() && fe.kind != Kind::Celsius
}

/// Inputs: any register but 6, 7, 14 and 15; Celsius lacks textures 2 and 3.
pub(crate) fn in_ok(fe: &Fe, c: Call) -> bool {
    (0..4).all(|j| match ext(c.v, 8 * j, 4) {
        6 | 7 | 0xe | 0xf => false,
        0xa | 0xb => four_textures(fe),
        _ => true,
    })
}

/// The final combiner also takes 14 and 15 in its first word.
pub(crate) fn final_a_ok(fe: &Fe, c: Call) -> bool {
    c.v & 0xc0c0_c0c0 == 0
        && (0..4).all(|j| match ext(c.v, 8 * j, 4) {
            6 | 7 => false,
            0xa | 0xb => four_textures(fe),
            _ => true,
        })
}

pub(crate) fn final_b_ok(fe: &Fe, c: Call) -> bool {
    c.v & 0xc0c0_c01f == 0
        && (1..4).all(|j| match ext(c.v, 8 * j, 4) {
            6 | 7 | 0xe | 0xf => false,
            0xa | 0xb => four_textures(fe),
            _ => true,
        })
}

/// Registers that a combiner can write: all but the constants, and fog.
pub(crate) fn out_regs_ok(fe: &Fe, v: u32) -> bool {
    (0..3).all(|j| match ext(v, 4 * j, 4) {
        0 | 4 | 5 | 8 | 9 | 0xc | 0xd => true,
        0xa | 0xb => four_textures(fe),
        _ => false,
    })
}

fn out_alpha_ok(fe: &Fe, c: Call) -> bool {
    let extra = if fe.class == 0x97 { 0 } else { 0x03c0_0000 };
    c.v & !(0x0003_cfff | extra) == 0 && !matches!(ext(c.v, 15, 3), 5 | 7) && out_regs_ok(fe, c.v)
}

fn out_alpha(fe: &mut Fe, c: Call) {
    let mask = if fe.g.nv25p { 0x03c3_cfff } else { 0x0003_cfff };
    fe.put(RC_OUT_ALPHA, c.i, c.v & mask);
}

fn out_color_ok(fe: &Fe, c: Call) -> bool {
    let extra = if fe.class == 0x97 { 0 } else { 0x03f0_0000 };
    c.v & !(0x000f_ffff | extra) == 0 && !matches!(ext(c.v, 15, 3), 5 | 7) && out_regs_ok(fe, c.v)
}

fn out_color(fe: &mut Fe, c: Call) {
    let mask = if fe.g.nv25p { 0x03ff_ffff } else { 0x000f_ffff };
    fe.put(RC_OUT_COLOR, c.i, c.v & mask);
}

fn config_ok(fe: &Fe, c: Call) -> bool {
    let mask = if fe.class == 0x97 {
        0x0001_110f
    } else {
        0x00f1_110f
    };
    c.v & !mask == 0 && (1..=8).contains(&ext(c.v, 0, 4))
}

fn config(fe: &mut Fe, c: Call) {
    let mask = if fe.g.nv25p { 0x00f1_110f } else { 0x0001_110f };
    fe.put(RC_CONFIG, 0, c.v & mask);
}

pub(crate) const ROWS: &[Row] = &[
    hard(0x260, "rc_in_alpha", Rule(in_ok), Word(RC_IN_ALPHA, !0)).n(8),
    hard(
        0x288,
        "rc_final_a",
        Rule(final_a_ok),
        Word(RC_FINAL_A, 0x3f3f_3f3f),
    ),
    hard(
        0x28c,
        "rc_final_b",
        Rule(final_b_ok),
        Word(RC_FINAL_B, 0x3f3f_3fe0),
    ),
    hard(0xa60, "rc_factor_a", Any, Word(RC_FACTOR_A, !0)).n(8),
    hard(0xa80, "rc_factor_b", Any, Word(RC_FACTOR_B, !0)).n(8),
    hard(0xaa0, "rc_out_alpha", Rule(out_alpha_ok), Do(out_alpha)).n(8),
    hard(0xac0, "rc_in_color", Rule(in_ok), Word(RC_IN_COLOR, !0)).n(8),
    hard(0x1e20, "rc_final_factor", Any, Word(RC_FINAL_FACTOR, !0)).n(2),
    hard(0x1e40, "rc_out_color", Rule(out_color_ok), Do(out_color)).n(8),
    hard(0x1e60, "rc_config", Rule(config_ok), Do(config)),
];
