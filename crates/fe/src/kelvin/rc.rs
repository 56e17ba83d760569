//! Register combiners.

use isotherm_regs::Chip::{Nv20, Nv25};
use isotherm_regs::bundle::*;
use isotherm_regs::field::Field;
use isotherm_regs::method::kelvin as m;

use crate::Fe;
use crate::chips::Kind;
use crate::table::Check::{Any, Rule};
use crate::table::Op::{Do, Word};
use crate::table::{Call, Row, hard};
use crate::words::Data;

/// RC_OUT_ALPHA of a Kelvin class on Rankine, whose operation has a bit more.
pub(crate) fn rankine_out_alpha(fe: &mut Fe, c: Call) {
    let mut word = c.v & RC_OUT_ALPHA::WORD.mask(Nv25, 0);
    if extended(word) {
        RC_OUT_ALPHA::RANKINE_UNK18.write(&mut word, 1);
    }
    fe.put(RC_OUT_ALPHA, c.i, word);
}

/// RC_OUT_COLOR of a Kelvin class on Rankine.
pub(crate) fn rankine_out_color(fe: &mut Fe, c: Call) {
    let kelvin = c.v & RC_OUT_COLOR::WORD.mask(Nv25, 0);
    // What follows the operation moves up by one.
    let following = !0 << RC_OUT_COLOR::CD_BLUE_TO_ALPHA.ones().trailing_zeros();
    let mut word = kelvin & !following | (kelvin & following) << 1;
    if extended(kelvin) {
        RC_OUT_ALPHA::RANKINE_UNK18.write(&mut word, 1);
    }
    fe.put(RC_OUT_COLOR, c.i, word);
}

/// Scaled by a half, without bias.
fn extended(word: u32) -> bool {
    RC_OUT_COLOR::SCALE.read(word) == 3 && !RC_OUT_COLOR::BIAS.is_on(word)
}

/// The inputs of a combiner; RC_IN_ALPHA and RC_FINAL_A have them in the same places.
const INPUTS: [Field; 4] = [
    RC_IN_COLOR::D_INPUT,
    RC_IN_COLOR::C_INPUT,
    RC_IN_COLOR::B_INPUT,
    RC_IN_COLOR::A_INPUT,
];
const FINAL_INPUTS: [Field; 3] = [
    RC_FINAL_B::G_INPUT,
    RC_FINAL_B::F_INPUT,
    RC_FINAL_B::E_INPUT,
];
const OUTPUTS: [Field; 3] = [
    RC_OUT_COLOR::CD_OUTPUT,
    RC_OUT_COLOR::AB_OUTPUT,
    RC_OUT_COLOR::SUM_OUTPUT,
];

/// Are there registers for textures 2 and 3? Not on Celsius, nor for its classes.
fn four_textures(fe: &Fe) -> bool {
    !fe.g.celsius() && fe.kind != Kind::Celsius
}

/// Inputs: any register but 6, 7, 14 and 15; Celsius lacks textures 2 and 3.
pub(crate) fn in_ok(fe: &Fe, c: Call) -> bool {
    INPUTS.iter().all(|input| match input.read(c.v) {
        6 | 7 | 0xe | 0xf => false,
        0xa | 0xb => four_textures(fe),
        _ => true,
    })
}

/// The final combiner also takes 14 and 15 in its first word.
pub(crate) fn final_a_ok(fe: &Fe, c: Call) -> bool {
    c.v & !RC_FINAL_A::WORD.mask(Nv20, 0) == 0
        && INPUTS.iter().all(|input| match input.read(c.v) {
            6 | 7 => false,
            0xa | 0xb => four_textures(fe),
            _ => true,
        })
}

pub(crate) fn final_b_ok(fe: &Fe, c: Call) -> bool {
    c.v & !RC_FINAL_B::WORD.mask(Nv20, 0) == 0
        && FINAL_INPUTS.iter().all(|input| match input.read(c.v) {
            6 | 7 | 0xe | 0xf => false,
            0xa | 0xb => four_textures(fe),
            _ => true,
        })
}

/// Registers that a combiner can write: all but the constants, and fog.
pub(crate) fn out_regs_ok(fe: &Fe, v: u32) -> bool {
    OUTPUTS.iter().all(|output| match output.read(v) {
        0 | 4 | 5 | 8 | 9 | 0xc | 0xd => true,
        0xa | 0xb => four_textures(fe),
        _ => false,
    })
}

/// Bias and scale: four and a half, with and without bias, are not there.
pub(crate) fn operation_ok(data: Data) -> bool {
    !data.is(RC_OUT_COLOR::BIAS) || data.get(RC_OUT_COLOR::SCALE) & 2 == 0
}

/// Rankine's fourth bit of the operation goes with a scale and without a bias only.
fn fourth_ok(fe: &Fe, v: u32) -> bool {
    fe.class_kind < Kind::Rankine
        || !RC_OUT_ALPHA::RANKINE_UNK18.is_on(v)
        || RC_OUT_COLOR::SCALE.is_on(v) && !RC_OUT_COLOR::BIAS.is_on(v)
}

pub(crate) fn out_alpha_ok(fe: &Fe, c: Call) -> bool {
    fourth_ok(fe, c.v)
        && c.v & !RC_OUT_ALPHA::WORD.mask(fe.class_chip, 0) == 0
        && operation_ok(Data::new(fe, c.v))
        && out_regs_ok(fe, c.v)
}

pub(crate) fn out_color_ok(fe: &Fe, c: Call) -> bool {
    fourth_ok(fe, c.v)
        && c.v & !RC_OUT_COLOR::WORD.mask(fe.class_chip, 0) == 0
        && operation_ok(Data::new(fe, c.v))
        && out_regs_ok(fe, c.v)
}

pub(crate) fn config_ok(fe: &Fe, c: Call) -> bool {
    c.v & !RC_CONFIG::WORD.mask(fe.class_chip, 0) == 0
        && RC_CONFIG::NUM_COMBINERS.read(c.v) <= 8
        && (fe.class_kind >= Kind::Rankine || RC_CONFIG::NUM_COMBINERS.is_on(c.v))
}

/// RC_CONFIG. NV34's register has two bits that the method does not reach.
pub(crate) fn config(fe: &mut Fe, c: Call) {
    let word = RC_CONFIG::WORD.mask(fe.g.chip, 0) & !RC_CONFIG::NV34_UNK25.ones();
    fe.put(RC_CONFIG, 0, c.v & word);
}

pub(crate) const ROWS: &[Row] = &[
    hard(m::RC_IN_ALPHA, Rule(in_ok), Word(RC_IN_ALPHA)),
    hard(m::RC_FINAL_A, Rule(final_a_ok), Word(RC_FINAL_A)),
    hard(m::RC_FINAL_B, Rule(final_b_ok), Word(RC_FINAL_B)),
    hard(m::RC_FACTOR_A, Any, Word(RC_FACTOR_A)),
    hard(m::RC_FACTOR_B, Any, Word(RC_FACTOR_B)),
    hard(m::RC_OUT_ALPHA, Rule(out_alpha_ok), Word(RC_OUT_ALPHA)),
    hard(m::RC_IN_COLOR, Rule(in_ok), Word(RC_IN_COLOR)),
    hard(m::RC_FINAL_FACTOR, Any, Word(RC_FINAL_FACTOR)),
    hard(m::RC_OUT_COLOR, Rule(out_color_ok), Word(RC_OUT_COLOR)),
    hard(m::RC_CONFIG, Rule(config_ok), Do(config)),
];
