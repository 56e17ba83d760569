//! Tests, masks, culling and fog colour of Direct3D 5 and 6.

use isotherm_regs::bundle::*;
use isotherm_regs::method::d3d::{D3D_CONFIG, D3D_STENCIL_FUNC, D3D_STENCIL_OP};
use isotherm_regs::pgraph::VALID_B;
use isotherm_regs::xf::mode::{CELSIUS_XFMODE_A, CELSIUS_XFMODE_B};

use super::{Data, Edit, bypass, cull_raster, d3d6, mark, set_mode_a, set_mode_b};
use crate::Fe;
use crate::table::Call;

pub(super) fn config_ok(fe: &Fe, c: Call) -> bool {
    use D3D_CONFIG as D;
    let data = Data::new(fe, c.v);
    data.is_func(D::ALPHA_FUNC)
        && !data.is(D::ZERO15)
        && data.is_func(D::DEPTH_FUNC)
        && data.is(D::CULL_MODE)
        && (d3d6(fe) || !data.is(D::WRITE_MASK))
        && matches!(data.get(D::Z_FORMAT), 1 | 2)
}

pub(super) fn config(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    let two = d3d6(fe);
    if !fe.blocked() {
        set_config(fe, Data::new(fe, c.v));
    }
    mark(fe, VALID_B::CONFIG);
    if !two {
        mark(fe, VALID_B::TEST);
    }
}

fn set_config(fe: &mut Fe, data: Data) {
    use D3D_CONFIG as D;
    let two = d3d6(fe);
    // Direct3D 5 has no stencil and writes all of the colour.
    let mask = if two { data.get(D::WRITE_MASK) } else { 0x1e };
    let masks = [
        CONFIG_A::STENCIL_WRITE_ENABLE,
        CONFIG_A::COLOR_MASK_A,
        CONFIG_A::COLOR_MASK_R,
        CONFIG_A::COLOR_MASK_G,
        CONFIG_A::COLOR_MASK_B,
    ];
    let mut a = Edit::of(fe, CONFIG_A, 0).set_all(&[
        (CONFIG_A::ALPHA_REF, data.get(D::ALPHA_REF)),
        (CONFIG_A::ALPHA_FUNC, data.less_one(D::ALPHA_FUNC)),
        (CONFIG_A::ALPHA_FUNC_ENABLE, data.get(D::ALPHA_FUNC_ENABLE)),
        (CONFIG_A::DEPTH_TEST_ENABLE, data.get(D::DEPTH_TEST_ENABLE)),
        (CONFIG_A::DEPTH_FUNC, data.less_one(D::DEPTH_FUNC)),
        (CONFIG_A::DITHER_ENABLE, data.get(D::DITHER_ENABLE)),
        (
            CONFIG_A::DEPTH_PERSPECTIVE_ENABLE,
            data.get(D::DEPTH_PERSPECTIVE_ENABLE),
        ),
        (
            CONFIG_A::DEPTH_WRITE_ENABLE,
            data.get(D::DEPTH_WRITE_ENABLE),
        ),
    ]);
    for (i, field) in masks.into_iter().enumerate() {
        a = a.set(field, mask >> i & 1);
    }
    fe.put_more(CONFIG_A, 0, a.word);
    let cull = data.get(D::CULL_MODE);
    let raster =
        cull_raster(fe, cull == 2, cull != 1).set(RASTER::Z_FORMAT, data.get(D::Z_FORMAT) >> 1);
    bypass(fe);
    set_mode_b(fe, CELSIUS_XFMODE_B::ORIGIN, !data.is(D::ORIGIN));
    set_mode_a(fe, CELSIUS_XFMODE_A::TEX_0_ENABLE, false);
    set_mode_a(fe, CELSIUS_XFMODE_A::TEX_1_ENABLE, false);
    if !two {
        fe.put_more(STENCIL_A, 0, no_stencil(fe));
    }
    fe.put(RASTER, 0, raster.word);
    fe.push_celsius_mode();
}

/// STENCIL_A of classes without stencil: a test that always passes.
pub(super) fn no_stencil(fe: &Fe) -> u32 {
    Edit::zero(fe)
        .set(STENCIL_A::STENCIL_FUNC, COMPARE::ALWAYS)
        .word
}

pub(super) fn stencil_func_ok(fe: &Fe, c: Call) -> bool {
    let data = Data::new(fe, c.v);
    !data.is(D3D_STENCIL_FUNC::ZERO1) && data.is_func(D3D_STENCIL_FUNC::FUNC)
}

pub(super) fn stencil_func(fe: &mut Fe, c: Call) {
    use D3D_STENCIL_FUNC as D;
    fe.refresh_point_size();
    mark(fe, VALID_B::TEST);
    if !fe.blocked() {
        let data = Data::new(fe, c.v);
        let word = Edit::zero(fe).set_all(&[
            (STENCIL_A::STENCIL_ENABLE, data.get(D::ENABLE)),
            (STENCIL_A::STENCIL_FUNC, data.less_one(D::FUNC)),
            (STENCIL_A::STENCIL_FUNC_REF, data.get(D::REF)),
            (STENCIL_A::STENCIL_FUNC_MASK, data.get(D::MASK_READ)),
            (STENCIL_A::STENCIL_MASK, data.get(D::MASK_WRITE)),
        ]);
        fe.put(STENCIL_A, 0, word.word);
    }
}

pub(super) fn stencil_op_ok(fe: &Fe, c: Call) -> bool {
    use D3D_STENCIL_OP as D;
    let data = Data::new(fe, c.v);
    !data.is(D::ZERO12)
        && [D::FAIL, D::ZFAIL, D::ZPASS]
            .into_iter()
            .all(|op| data.is_func(op))
}

pub(super) fn stencil_op(fe: &mut Fe, c: Call) {
    use D3D_STENCIL_OP as D;
    fe.refresh_point_size();
    mark(fe, VALID_B::STENCIL_OP);
    if !fe.blocked() {
        let data = Data::new(fe, c.v);
        let word = Edit::zero(fe)
            .set(STENCIL_B::STENCIL_OP_FAIL, data.get(D::FAIL))
            .set(STENCIL_B::STENCIL_OP_ZFAIL, data.get(D::ZFAIL))
            .set(STENCIL_B::STENCIL_OP_ZPASS, data.get(D::ZPASS));
        fe.put(STENCIL_B, 0, word.word);
    }
}

pub(super) fn fog_color(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    mark(fe, VALID_B::FOG_COLOR);
    if !fe.blocked() {
        fe.put(FOG_COLOR, 0, c.v);
    }
}
