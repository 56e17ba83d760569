//! Direct3D 3 (48h): a texture, and one word for the whole pipe.

use isotherm_regs::bundle::*;
use isotherm_regs::method::d3d::{D3D0_ALPHA, D3D0_CONFIG, D3D0_TEX_FILTER, D3D0_TEX_FORMAT};
use isotherm_regs::pgraph::VALID_B;

use super::combine::{Input, ONE, ZERO, final_b, inputs, output, stages};
use super::state::no_stencil;
use super::{Data, Edit, cull_raster, mark, tex};
use crate::Fe;
use crate::table::Call;

pub(super) fn format_ok(fe: &Fe, c: Call) -> bool {
    use D3D0_TEX_FORMAT as D;
    let data = Data::new(fe, c.v);
    let (min, max) = (data.get(D::SIZE_MIN), data.get(D::SIZE_MAX));
    // The key has a bit and the format two; what lies below nobody looks at.
    data.get(D::COLOR_KEY) & 2 == 0
        && data.get(D::FORMAT) < 4
        && !data.is(D::ZERO18)
        && min >= 2
        && min <= max
        && max <= 0xb
}

pub(super) fn format(fe: &mut Fe, c: Call) {
    use D3D0_TEX_FORMAT as D;
    fe.refresh_point_size();
    let data = Data::new(fe, c.v);
    for which in [VALID_B::TEX_0_FORMAT, VALID_B::TEX_1_FORMAT] {
        mark(fe, which);
    }
    if fe.blocked() {
        return;
    }
    let format = data.get(D::FORMAT).min(3) + 2;
    let (min, max) = (data.get(D::SIZE_MIN), data.get(D::SIZE_MAX));
    for unit in 0..2 {
        let word = Edit::of(fe, TEX_FORMAT, unit).set_all(&[
            (TEX_FORMAT::DMA, DMA_AB::A),
            (TEX_FORMAT::CUBE_MAP, 0),
            (TEX_FORMAT::ORIGIN_FOH, TEX_ORIGIN::CENTER),
            (TEX_FORMAT::FORMAT, format),
            (TEX_FORMAT::MIPS, max.wrapping_sub(min).wrapping_add(1)),
            (TEX_FORMAT::SIZE_S, max),
            (TEX_FORMAT::SIZE_T, max),
        ]);
        fe.put_more(TEX_FORMAT, unit, word.word);
    }
    let key = data.get(D::COLOR_KEY);
    fe.put_more(TEX_CONTROL, 0, tex::control(fe, true, key));
    fe.put(TEX_CONTROL, 1, tex::control(fe, false, key));
}

pub(super) fn filter(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        // 4.4 to 5.8 fixed point.
        let bias = D3D0_TEX_FILTER::LOD_BIAS.get_signed(fe.chip(), c.v) << 4;
        for unit in 0..2 {
            let word = Edit::of(fe, TEX_FILTER, unit).set(TEX_FILTER::LOD_BIAS, bias as u32);
            fe.keep(TEX_FILTER, unit, word.word);
        }
        fe.resend(TEX_FILTER, 0, false);
        fe.resend(TEX_FILTER, 1, true);
    }
    for which in [VALID_B::TEX_0_FILTER, VALID_B::TEX_1_FILTER] {
        mark(fe, which);
    }
}

pub(super) fn config_ok(fe: &Fe, c: Call) -> bool {
    use D3D0_CONFIG as D;
    let data = Data::new(fe, c.v);
    !data.is(D::ZERO9)
        && data.is(D::CULL_MODE)
        && !data.is(D::ZERO14)
        && data.is_func(D::DEPTH_FUNC)
        && data.get(D::DEPTH_WRITE) <= 4
        && data.get(D::COLOR_WRITE) <= 4
        && data.get(D::INTERPOLATOR) <= 2
}

pub(super) fn config(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        set_config(fe, Data::new(fe, c.v));
    }
    mark(fe, VALID_B::CONFIG);
    mark(fe, VALID_B::COMBINE_FACTOR);
}

fn set_config(fe: &mut Fe, data: Data) {
    use D3D0_CONFIG as D;
    set_textures(fe, data);
    set_combiners(fe, data);
    let depth = data.get(D::DEPTH_WRITE) & 7 != 0;
    let color = data.get(D::COLOR_WRITE) & 7 != 0;
    let a = Edit::of(fe, CONFIG_A, 0)
        .set(CONFIG_A::DEPTH_TEST_ENABLE, depth)
        .set(CONFIG_A::DEPTH_FUNC, data.less_one(D::DEPTH_FUNC))
        .set(CONFIG_A::DITHER_ENABLE, true)
        .set(
            CONFIG_A::DEPTH_PERSPECTIVE_ENABLE,
            data.get(D::DEPTH_PERSPECTIVE_ENABLE),
        )
        .set(CONFIG_A::DEPTH_WRITE_ENABLE, depth)
        .set(CONFIG_A::STENCIL_WRITE_ENABLE, false)
        .set(CONFIG_A::COLOR_MASK_A, false)
        .set(CONFIG_A::COLOR_MASK_R, color)
        .set(CONFIG_A::COLOR_MASK_G, color)
        .set(CONFIG_A::COLOR_MASK_B, color);
    fe.put_more(CONFIG_A, 0, a.word);
    fe.put_more(STENCIL_A, 0, no_stencil(fe));
    let zero = STENCIL_OP::ZERO;
    let stencil = Edit::zero(fe)
        .set(STENCIL_B::STENCIL_OP_FAIL, zero)
        .set(STENCIL_B::STENCIL_OP_ZFAIL, zero)
        .set(STENCIL_B::STENCIL_OP_ZPASS, zero);
    fe.put_more(STENCIL_B, 0, stencil.word);
    let b = Edit::of(fe, CONFIG_B, 0).set_all(&[
        (CONFIG_B::PROVOKING_VERTEX, 0),
        (CONFIG_B::PREMULTIPLIED_ALPHA, 0),
        (CONFIG_B::CELSIUS_UNK4, 0),
        (CONFIG_B::SPECULAR_ENABLE, 0),
        (CONFIG_B::TEXTURE_PERSPECTIVE_ENABLE, 1),
        (CONFIG_B::SHADE_MODE, SHADE_MODE::SMOOTH),
        (CONFIG_B::FOG_ENABLE, 1),
    ]);
    fe.put_more(CONFIG_B, 0, b.word);
    fe.put_more(BLEND, 0, blend_word(fe, data));
    let cull = data.get(D::CULL_MODE);
    let raster = cull_raster(fe, cull == 3, cull != 1);
    fe.put(RASTER, 0, raster.word);
    fe.push_celsius_mode();
}

fn blend_word(fe: &Fe, data: Data) -> u32 {
    use BLEND_FACTOR as F;
    use D3D0_CONFIG as D;
    let (mut src, mut dst) = if data.is(D::BLEND_DESTINATION) {
        (F::DST_COLOR, F::ONE_MINUS_DST_COLOR)
    } else {
        (F::SRC_ALPHA, F::ONE_MINUS_SRC_ALPHA)
    };
    if data.is(D::BLEND_ONE) {
        (src, dst) = (F::ONE, F::ONE);
    }
    if data.is(D::BLEND_NO_DESTINATION) {
        dst = F::ZERO;
    }
    if data.is(D::BLEND_NO_SOURCE) {
        src = F::ZERO;
    }
    Edit::zero(fe)
        .set(BLEND::BLEND_EQUATION, BLEND_EQUATION::ADD)
        .set(BLEND::BLEND_FUNC_ENABLE, true)
        .set(BLEND::BLEND_FACTOR_SRC_0, src)
        .set(BLEND::BLEND_FACTOR_DST_0, dst)
        .word
}

fn set_textures(fe: &mut Fe, data: Data) {
    use D3D0_CONFIG as D;
    let interpolator = data.get(D::INTERPOLATOR);
    let filter = if interpolator == 2 { 2u32 } else { 1 };
    // 0 is cylindrical: it repeats, and goes around.
    let wrap = |field| match data.get(field) {
        0 => (TEX_WRAP_MODE::REPEAT, 1),
        mode => (mode, 0),
    };
    let ((wrap_s, cyl_s), (wrap_t, cyl_t)) = (wrap(D::WRAP_S), wrap(D::WRAP_T));
    for unit in 0..2 {
        let word = Edit::of(fe, TEX_FORMAT, unit).set_all(&[
            (TEX_FORMAT::ORIGIN_ZOH, (interpolator == 0).into()),
            (TEX_FORMAT::WRAP_S, wrap_s),
            (TEX_FORMAT::WRAP_S_CYL, cyl_s),
            (TEX_FORMAT::WRAP_T, wrap_t),
            (TEX_FORMAT::WRAP_T_CYL, cyl_t),
        ]);
        fe.put_more(TEX_FORMAT, unit, word.word);
    }
    for unit in 0..2 {
        let word = Edit::of(fe, TEX_FILTER, unit)
            .set(TEX_FILTER::MINIFY, filter)
            .set(TEX_FILTER::MAGNIFY, filter);
        fe.put_more(TEX_FILTER, unit, word.word);
    }
}

fn set_combiners(fe: &mut Fe, data: Data) {
    use D3D0_CONFIG as D;
    const TEX: Input = Input(RC_REGISTER::TEXTURE0, false, false);
    const TEX_A: Input = Input(RC_REGISTER::TEXTURE0, true, false);
    const COL: Input = Input(RC_REGISTER::PRIMARY_COLOR, false, false);
    const COL_A: Input = Input(RC_REGISTER::PRIMARY_COLOR, true, false);
    let vertex = if data.is(D::SOURCE_ALPHA) { COL_A } else { ONE };
    let (mut alpha, mut last) = ([TEX_A, vertex], final_b(fe));
    match data.get(D::ALPHA) {
        1 => {
            last = last
                .set(RC_FINAL_B::G_MAPPING, true)
                .set(RC_FINAL_B::SPARE0_INVERT, true);
        }
        2 => last = last.set(RC_FINAL_B::G_MAPPING, true),
        3 => alpha = [ONE, ONE],
        _ => {}
    }
    let [a, b] = alpha;
    fe.put_more(RC_IN_ALPHA, 0, inputs(fe, [a, b, ZERO, ZERO]));
    fe.put_more(RC_IN_COLOR, 0, inputs(fe, [TEX, COL, ZERO, ZERO]));
    fe.put_more(RC_FACTOR_A, 0, data.word);
    fe.put_more(RC_FACTOR_B, 0, data.word);
    let out = output(fe, false).word;
    fe.put_more(RC_OUT_ALPHA, 0, out);
    fe.put_more(RC_OUT_COLOR, 0, out);
    let out = Edit::of(fe, RC_OUT_COLOR, 1).set(RC_OUT_COLOR::OPERATION, stages(true) << 1);
    fe.put_more(RC_OUT_COLOR, 1, out.word);
    let color = Edit::zero(fe).set(RC_FINAL_A::D_INPUT, RC_REGISTER::SPARE0);
    fe.put_more(RC_FINAL_A, 0, color.word);
    fe.put_more(RC_FINAL_B, 0, last.word);
}

pub(super) fn alpha_ok(fe: &Fe, c: Call) -> bool {
    let data = Data::new(fe, c.v);
    data.is_func(D3D0_ALPHA::FUNC) && !data.is(D3D0_ALPHA::ZERO12)
}

pub(super) fn alpha(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        let data = Data::new(fe, c.v);
        let a = Edit::of(fe, CONFIG_A, 0)
            .set(CONFIG_A::ALPHA_REF, data.get(D3D0_ALPHA::REF))
            .set(CONFIG_A::ALPHA_FUNC, data.less_one(D3D0_ALPHA::FUNC))
            .set(CONFIG_A::ALPHA_FUNC_ENABLE, true);
        fe.put(CONFIG_A, 0, a.word);
    }
    mark(fe, VALID_B::TEST);
}
