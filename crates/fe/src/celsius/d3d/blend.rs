//! Blending of Direct3D 5 and 6, and what Direct3D 5 makes of its one texture.

use isotherm_regs::bundle::*;
use isotherm_regs::method::d3d::D3D_BLEND;
use isotherm_regs::pgraph::VALID_B;
use isotherm_regs::xf::mode::CELSIUS_XFMODE_A;

use super::combine::{Input, ONE, ZERO, final_b, inputs, output, passes, stages};
use super::{Data, Edit, bypass, d3d6, mark, set_mode_a, tex};
use crate::Fe;
use crate::table::Call;

pub(super) fn blend_ok(fe: &Fe, c: Call) -> bool {
    use D3D_BLEND as D;
    let data = Data::new(fe, c.v);
    let op = data.get(D::TEXTURE_BLEND);
    let mut declared = 0;
    for field in D3D_BLEND::WORD.fields {
        declared |= field.mask(fe.chip());
    }
    (if d3d6(fe) {
        op == 0
    } else {
        (1..=8).contains(&op)
    }) && (1..=2).contains(&data.get(D::MASK_BIT))
        && data.is(D::SHADE_MODE)
        && c.v & !declared == 0
        && (1..=0xb).contains(&data.get(D::FACTOR_SRC))
        && (1..=0xb).contains(&data.get(D::FACTOR_DST))
}

/// Combiner inputs of a texture blend operation, alpha and colour, and the multiplexer.
struct TextureBlend {
    alpha: [Input; 4],
    color: [Input; 4],
    mux: bool,
}

/// Direct3D 5's texture blend operations.
fn texture_blend(op: u32) -> Option<TextureBlend> {
    const TEX: Input = Input(RC_REGISTER::TEXTURE0, false, false);
    const TEX_A: Input = Input(RC_REGISTER::TEXTURE0, true, false);
    const NOT_TEX_A: Input = Input(RC_REGISTER::TEXTURE0, true, true);
    const COL: Input = Input(RC_REGISTER::PRIMARY_COLOR, false, false);
    const COL_A: Input = Input(RC_REGISTER::PRIMARY_COLOR, true, false);
    const TEX_ALPHA: [Input; 4] = [TEX_A, ONE, ZERO, ZERO];
    const COL_ALPHA: [Input; 4] = [COL_A, ONE, ZERO, ZERO];
    const EITHER_ALPHA: [Input; 4] = [COL_A, ONE, COL_A, ONE];
    let (alpha, color) = match op {
        1 | 7 => (TEX_ALPHA, [TEX, ONE, ZERO, ZERO]),
        2 => (TEX_ALPHA, [TEX, COL, ZERO, ZERO]),
        3 => (COL_ALPHA, [TEX, TEX_A, COL, NOT_TEX_A]),
        4 => ([TEX_A, COL_A, ZERO, ZERO], [TEX, COL, ZERO, ZERO]),
        5 => (EITHER_ALPHA, [COL, ONE, TEX, ONE]),
        6 => (EITHER_ALPHA, [COL, ONE, COL, TEX]),
        8 => (COL_ALPHA, [TEX, ONE, COL, ONE]),
        _ => return None,
    };
    let mux = matches!(op, 5 | 6);
    Some(TextureBlend { alpha, color, mux })
}

pub(super) fn blend(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        set_blend(fe, Data::new(fe, c.v));
    }
    mark(fe, VALID_B::BLEND);
}

/// RC_FINAL_A: the colour, mixed with fog if there is any.
fn final_a(fe: &Fe, data: Data) -> u32 {
    let color = if data.is(D3D_BLEND::SPECULAR_ENABLE) {
        RC_REGISTER::SPARE0_PLUS_SECONDARY_COLOR
    } else {
        RC_REGISTER::SPARE0
    };
    let word = Edit::zero(fe);
    if data.is(D3D_BLEND::FOG_ENABLE) {
        word.set(RC_FINAL_A::A_INPUT, RC_REGISTER::FOG)
            .set(RC_FINAL_A::A_COMPONENT_USAGE, RC_USAGE_COLOR::ALPHA)
            .set(RC_FINAL_A::B_INPUT, color)
            .set(RC_FINAL_A::C_INPUT, RC_REGISTER::FOG)
            .word
    } else {
        word.set(RC_FINAL_A::D_INPUT, color).word
    }
}

fn set_blend(fe: &mut Fe, data: Data) {
    use D3D_BLEND as D;
    let two = d3d6(fe);
    let blend = Edit::of(fe, BLEND, 0).set_all(&[
        (BLEND::BLEND_EQUATION, BLEND_EQUATION::ADD),
        (BLEND::BLEND_FUNC_ENABLE, data.get(D::BLEND_ENABLE)),
        (BLEND::BLEND_FACTOR_SRC_0, data.less_one(D::FACTOR_SRC)),
        (BLEND::BLEND_FACTOR_DST_0, data.less_one(D::FACTOR_DST)),
        (BLEND::COLOR_LOGIC_OP_OP, 0),
        (BLEND::COLOR_LOGIC_OP_ENABLE, 0),
    ]);
    let config = Edit::of(fe, CONFIG_B, 0).set_all(&[
        (CONFIG_B::PROVOKING_VERTEX, 0),
        (CONFIG_B::PREMULTIPLIED_ALPHA, 0),
        (CONFIG_B::CELSIUS_UNK4, 0),
        (CONFIG_B::SPECULAR_ENABLE, data.get(D::SPECULAR_ENABLE)),
        (
            CONFIG_B::TEXTURE_PERSPECTIVE_ENABLE,
            data.get(D::TEXTURE_PERSPECTIVE_ENABLE),
        ),
        (CONFIG_B::SHADE_MODE, data.get(D::SHADE_MODE) >> 1),
        (CONFIG_B::FOG_ENABLE, data.get(D::FOG_ENABLE)),
    ]);
    let mask_bit = data.get(D::MASK_BIT) >> 1;
    let out = Edit::of(fe, RC_OUT_COLOR, 1).set(
        RC_OUT_COLOR::OPERATION,
        stages(!two || passes(fe)) << 1 | mask_bit,
    );
    fe.keep(CONFIG_B, 0, config.word);
    fe.keep(RC_OUT_COLOR, 1, out.word);
    bypass(fe);
    let first = tex::perspective(fe, fe.word(TEX_FORMAT, 0));
    let second = two && tex::perspective(fe, fe.word(TEX_FORMAT, 1));
    set_mode_a(fe, CELSIUS_XFMODE_A::TEX_0_PERSPECTIVE, first);
    set_mode_a(fe, CELSIUS_XFMODE_A::TEX_1_PERSPECTIVE, second);
    if !two {
        if let Some(made) = texture_blend(data.get(D::TEXTURE_BLEND)) {
            fe.keep(RC_IN_ALPHA, 0, inputs(fe, made.alpha));
            fe.keep(RC_IN_COLOR, 0, inputs(fe, made.color));
            fe.keep(RC_OUT_ALPHA, 0, output(fe, made.mux).word);
            fe.keep(RC_OUT_COLOR, 0, output(fe, made.mux).word);
        }
        for id in [RC_IN_ALPHA, RC_IN_COLOR, RC_OUT_ALPHA, RC_OUT_COLOR] {
            fe.resend(id, 0, false);
        }
    }
    fe.resend(RC_OUT_COLOR, 1, false);
    fe.put_more(RC_FINAL_A, 0, final_a(fe, data));
    fe.put_more(RC_FINAL_B, 0, final_b(fe).word);
    fe.resend(CONFIG_B, 0, false);
    fe.put(BLEND, 0, blend.word);
    fe.push_celsius_mode();
}
