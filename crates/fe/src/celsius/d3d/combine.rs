//! The register combiners: Direct3D 6's two stages, Direct3D 5's fixed operations.

use isotherm_regs::bundle::*;
use isotherm_regs::field::Field;
use isotherm_regs::method::d3d::D3D_COMBINE;
use isotherm_regs::pgraph::{CELSIUS_CONFIG_C, VALID_B};

use super::{Data, Edit, mark, tex};
use crate::Fe;
use crate::table::Call;

/// An input: register, alpha or colour (in the alpha half: alpha or blue), inverted.
#[derive(Clone, Copy)]
pub(super) struct Input(pub u32, pub bool, pub bool);

/// 0.
pub(super) const ZERO: Input = Input(RC_REGISTER::ZERO, false, false);
/// 1.
pub(super) const ONE: Input = Input(RC_REGISTER::ZERO, false, true);

/// The fields of the four inputs, A to D; those of the alpha half lie in the same places.
const INPUTS: [[Field; 3]; 4] = {
    use RC_IN_COLOR as D;
    [
        [D::A_INPUT, D::A_COMPONENT_USAGE, D::A_MAPPING],
        [D::B_INPUT, D::B_COMPONENT_USAGE, D::B_MAPPING],
        [D::C_INPUT, D::C_COMPONENT_USAGE, D::C_MAPPING],
        [D::D_INPUT, D::D_COMPONENT_USAGE, D::D_MAPPING],
    ]
};

/// A word of inputs.
pub(super) fn inputs(fe: &Fe, list: [Input; 4]) -> u32 {
    let mut word = Edit::zero(fe);
    for (fields, Input(register, alpha, invert)) in INPUTS.iter().zip(list) {
        word = word
            .set(fields[0], register)
            .set(fields[1], alpha)
            .set(fields[2], invert);
    }
    word.word
}

/// A word of outputs: the sum to SPARE0.
pub(super) fn output(fe: &Fe, mux: bool) -> Edit {
    Edit::zero(fe)
        .set(RC_OUT_COLOR::SUM_OUTPUT, RC_REGISTER::SPARE0)
        .set(RC_OUT_COLOR::MUX_SUM, mux)
}

/// RC_FINAL_B: SPARE0's alpha is the alpha.
pub(super) fn final_b(fe: &Fe) -> Edit {
    Edit::zero(fe)
        .set(RC_FINAL_B::COLOR_SUM_CLAMP, true)
        .set(RC_FINAL_B::G_INPUT, RC_REGISTER::SPARE0)
        .set(RC_FINAL_B::G_COMPONENT_USAGE, RC_USAGE_ALPHA::ALPHA)
}

/// The arguments' fields: which, alpha, inverted.
const ARGUMENTS: [[Field; 3]; 4] = {
    use D3D_COMBINE as D;
    [
        [D::ARGUMENT_0, D::ARGUMENT_0_ALPHA, D::ARGUMENT_0_INVERT],
        [D::ARGUMENT_1, D::ARGUMENT_1_ALPHA, D::ARGUMENT_1_INVERT],
        [D::ARGUMENT_2, D::ARGUMENT_2_ALPHA, D::ARGUMENT_2_INVERT],
        [D::ARGUMENT_3, D::ARGUMENT_3_ALPHA, D::ARGUMENT_3_INVERT],
    ]
};

pub(super) fn combine_ok(fe: &Fe, c: Call) -> bool {
    let data = Data::new(fe, c.v);
    let seven = c.p & 2 == 0 && fe.class == 0x55;
    let mut declared = D3D_COMBINE::OPERATION.mask(fe.chip());
    for field in ARGUMENTS.iter().flatten() {
        declared |= field.mask(fe.chip());
    }
    c.v & !declared == 0
        && ARGUMENTS.iter().all(|[which, ..]| match data.get(*which) {
            0 => false,
            7 => seven,
            _ => true,
        })
        && data.is(D3D_COMBINE::OPERATION)
}

/// The combiner register of an argument.
fn register(argument: u32, stage: u32) -> u32 {
    match argument {
        2 => RC_REGISTER::CONSTANT_COLOR1,
        3 => RC_REGISTER::PRIMARY_COLOR,
        4 if stage != 0 => RC_REGISTER::SPARE0,
        4 | 5 => RC_REGISTER::TEXTURE0,
        6 => RC_REGISTER::TEXTURE1,
        _ => RC_REGISTER::ZERO,
    }
}

/// Bias, scale, multiplexer, and whether the result is to be complemented.
fn operation(number: u32) -> (bool, u32, bool, bool) {
    match number {
        1 => (false, RC_SCALE::NONE, false, false),
        2 => (false, RC_SCALE::SCALE_BY_TWO, false, false),
        3 => (false, RC_SCALE::SCALE_BY_FOUR, false, false),
        4 => (true, RC_SCALE::NONE, false, false),
        5 => (false, RC_SCALE::NONE, true, false),
        6 => (false, RC_SCALE::NONE, false, true),
        _ => (true, RC_SCALE::SCALE_BY_TWO, false, false),
    }
}

/// The arguments by which a stage passes on what the stage before made: previous times one, and
/// zero times anything.
const PASS: [(u32, bool); 4] = [(4, false), (1, true), (1, false), (1, false)];

/// Replaces one bit of a field of CONFIG_C.
fn note(fe: &mut Fe, field: Field, which: u32, on: bool) {
    field
        .entry(which, 1)
        .write(&mut fe.r.celsius_config_c, on.into());
}

/// The words of VALID[1] for the four combiners: the first stage's alpha and colour, then the
/// second's.
const COMBINE_WORDS: [Field; 4] = [
    VALID_B::COMBINE_0_ALPHA,
    VALID_B::COMBINE_0_COLOR,
    VALID_B::COMBINE_1_ALPHA,
    VALID_B::COMBINE_1_COLOR,
];

/// Do both halves of the second stage pass on what the first made?
pub(super) fn passes(fe: &Fe) -> bool {
    CELSIUS_CONFIG_C::PASSES.get(fe.chip(), fe.r.celsius_config_c) == 3
}

/// The number of stages: the second is left out if it only passes on.
pub(super) fn stages(passes: bool) -> u32 {
    if passes { 1 } else { 2 }
}

/// COMBINE_CONTROL; `p`: bit 0 colour (else alpha), bit 1 the stage.
pub(super) fn combine(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    let (color, stage) = (c.p & 1, c.p >> 1);
    mark(fe, COMBINE_WORDS[(stage * 2 + color) as usize & 3]);
    if !fe.blocked() {
        set_combine(fe, Data::new(fe, c.v), color, stage);
    }
}

fn set_combine(fe: &mut Fe, data: Data, color: u32, stage: u32) {
    let arguments =
        ARGUMENTS.map(|[which, alpha, invert]| (data.get(which), data.is(alpha), data.is(invert)));
    let list = arguments
        .map(|(which, alpha, invert)| Input(register(which, stage), alpha || color == 0, invert));
    let input = inputs(fe, list);
    let (bias, scale, mux, complement) = operation(data.get(D3D_COMBINE::OPERATION));
    if stage == 0 {
        let texture1 = arguments.iter().any(|(which, ..)| *which == 6);
        note(fe, CELSIUS_CONFIG_C::NO_TEXTURE_1, color, !texture1);
    } else {
        note(fe, CELSIUS_CONFIG_C::PASSES, color, is_pass(&arguments));
    }
    note(
        fe,
        CELSIUS_CONFIG_C::COMPLEMENT,
        color + stage * 2,
        complement,
    );
    let enabled = tex::control(fe, true, 0);
    if (stage, color) == (1, 1) {
        fe.put_more(TEX_CONTROL, 0, enabled);
    }
    fe.put_more(TEX_CONTROL, 1, enabled);
    let (ins_id, outs_id) = if color == 1 {
        (RC_IN_COLOR, RC_OUT_COLOR)
    } else {
        (RC_IN_ALPHA, RC_OUT_ALPHA)
    };
    fe.put_more(ins_id, stage, input);
    if stage == 0 {
        fe.resend(ins_id, 1, false);
    }
    let out = output(fe, mux)
        .set(RC_OUT_COLOR::BIAS, bias)
        .set(RC_OUT_COLOR::SCALE, scale);
    let operation = RC_OUT_COLOR::OPERATION;
    let kept = Data::new(fe, fe.word(outs_id, stage as usize)).get(operation);
    fe.keep(outs_id, stage, out.set(operation, kept).word);
    if stage == 1 {
        let word = Edit::of(fe, RC_OUT_COLOR, 1);
        fe.keep(RC_OUT_COLOR, 1, set_stages(word, passes(fe)).word);
    }
    fe.resend(outs_id, stage, false);
    if (stage, color) == (1, 0) {
        fe.resend(RC_OUT_COLOR, 1, false);
    }
    fe.resend(RC_FINAL_B, 0, true);
}

fn is_pass(arguments: &[(u32, bool, bool); 4]) -> bool {
    arguments
        .iter()
        .zip(PASS)
        .all(|(&(which, alpha, invert), pass)| (which, invert) == pass && !alpha)
}

/// The stage count in RC_OUT_COLOR[1]; the mask bit below it stays.
pub(super) fn set_stages(word: Edit, passes: bool) -> Edit {
    let field = RC_OUT_COLOR::OPERATION;
    let mask_bit = field.get(word.chip, word.word) & 1;
    word.set(field, stages(passes) << 1 | mask_bit)
}

pub(super) fn combine_factor(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        fe.put_more(RC_FACTOR_A, 0, c.v);
        fe.put(RC_FACTOR_B, 0, c.v);
    }
    mark(fe, VALID_B::COMBINE_FACTOR);
}
