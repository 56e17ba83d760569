//! The state methods.

use isotherm_regs::Chip::Nv30;
use isotherm_regs::bundle::*;
use isotherm_regs::method::{
    COMPRESS_ZBUFFER_DATA, COORD_CONVENTIONS_DATA, Method, OCCLUDE_DATA, UNKA40_DATA,
    rankine_curie as m,
};
use isotherm_regs::xf::mode::XFMODE_B;

use super::state::{
    alpha_ref, alpha_ref_ok, blend_dst, blend_src, clip_planes, clip_planes_ok, clip_rect,
    color_mask, config, config_ok, cylwrap, depth_clamp, equations, factors, fence_offset,
    fence_offset_ok, fence_write, fog_coeff, func, ordered, point_params, point_sprite,
    point_sprite_ok, ps_control, ps_control_ok, ps_offset, ps_offset_ok, rectangle, rectangle_ok,
    rt_enable, rt_enable_ok, set_equations, stencil_op, swath_width, swath_width_ok, two_side,
    txc_enable, viewport_offset_ok,
};
use crate::chips::Kind;
use crate::kelvin::rc;
use crate::kelvin::state as gl;
use crate::object;
use crate::surface::{self, COLOR, COLOR_B, ZETA};
use crate::table::Check::{Any, Below, Declared, Mask, Rule};
use crate::table::Op::{Always, Both, Do, Field, Nop, Spread, Trigger, Word};
use crate::table::{Guard, Mode, Row, Soft, free, hard, open, soft};
use crate::transform::specular_enable;
use isotherm_bus::bundle::Event;
use isotherm_bus::trap::nsource;

/// Stays without an effect on anything drawn.
pub(crate) const fn inert(method: Method) -> Row {
    free(method, Any, Nop)
}

const FUNC: Soft = Soft::Rule(func);
const OP: Soft = Soft::Rule(stencil_op);

pub(crate) const SHARED: &[Row] = &[
    free(m::DMA_NOTIFY, Any, Always(object::dma_notify)).dma(),
    free(m::DMA_TEX_A, Any, Always(object::dma_tex)).dma().p(0),
    free(m::DMA_TEX_B, Any, Always(object::dma_tex)).dma().p(1),
    free(m::DMA_SURF_COLOR_B, Any, Always(object::dma_surface))
        .dma()
        .p(COLOR_B),
    free(m::DMA_STATE, Any, Always(object::dma_state)).dma(),
    free(m::DMA_SURF_COLOR_A, Any, Always(object::dma_surface))
        .dma()
        .p(COLOR),
    free(m::DMA_SURF_ZETA, Any, Always(object::dma_surface))
        .dma()
        .p(ZETA),
    free(m::DMA_VTX_A, Any, Always(object::dma_vtx)).dma().p(0),
    free(m::DMA_VTX_B, Any, Always(object::dma_vtx)).dma().p(1),
    free(m::DMA_FENCE, Any, Always(object::dma_object))
        .dma()
        .p(0),
    free(m::DMA_QUERY, Any, Always(object::dma_object))
        .dma()
        .p(1),
    free(m::DMA_CLIPID, Any, Always(object::dma_zcull))
        .dma()
        .p(0),
    free(m::CLIP_H, Rule(rectangle_ok), Do(rectangle)).p(0),
    free(m::CLIP_V, Rule(rectangle_ok), Do(rectangle)).p(1),
    free(
        m::SURF_FORMAT,
        Rule(surface::format_ok),
        Always(surface::format),
    ),
    free(m::COLOR_A_OFFSET, Mask(!0x3f), Always(surface::offset)).p(COLOR),
    free(m::ZETA_OFFSET, Mask(!0x3f), Always(surface::offset)).p(ZETA),
    free(m::COLOR_B_OFFSET, Mask(!0x3f), Always(surface::offset)).p(COLOR_B),
    free(
        m::COLOR_B_PITCH,
        Rule(surface::one_pitch_ok),
        Always(surface::one_pitch),
    )
    .p(COLOR_B),
    open(m::RT_ENABLE, Rule(rt_enable_ok), Do(rt_enable)),
    free(
        m::SURF_PITCH_CLIPID,
        Rule(gl::surf_pitch_ok),
        Always(gl::pitch_clipid),
    ),
    free(
        m::SURF_OFFSET_CLIPID,
        Mask(!0xff),
        Always(gl::offset_clipid),
    ),
    inert(m::UNK234),
    hard(m::TXC_CYLWRAP, Any, Do(cylwrap)),
    open(
        m::VIEWPORT_OFFSET,
        Rule(viewport_offset_ok),
        Word(VIEWPORT_OFFSET),
    ),
    open(
        m::CLIP_RECT_MODE,
        Below(2),
        Field(RASTER, RASTER::CLIP_RECT_MODE),
    ),
    open(m::CLIP_RECT_HORIZ, Rule(ordered), Do(clip_rect)).p(0),
    open(m::CLIP_RECT_VERT, Rule(ordered), Do(clip_rect)).p(1),
    soft(
        m::DITHER_ENABLE,
        Soft::Bool,
        Field(CONFIG_A, CONFIG_A::DITHER_ENABLE),
    ),
    soft(
        m::ALPHA_FUNC_ENABLE,
        Soft::Bool,
        Field(CONFIG_A, CONFIG_A::ALPHA_FUNC_ENABLE),
    ),
    soft(
        m::ALPHA_FUNC_FUNC,
        FUNC,
        Field(CONFIG_A, CONFIG_A::ALPHA_FUNC),
    ),
    soft(m::ALPHA_FUNC_REF, Soft::Any, Do(alpha_ref)).check(Rule(alpha_ref_ok)),
    soft(
        m::BLEND_FUNC_ENABLE,
        Soft::Bool,
        Field(BLEND, BLEND::BLEND_FUNC_ENABLE),
    ),
    soft(m::BLEND_FUNC_SRC, Soft::Rule(factors), Do(blend_src)),
    soft(m::BLEND_FUNC_DST, Soft::Rule(factors), Do(blend_dst)),
    soft(m::BLEND_COLOR, Soft::Any, Word(BLEND_COLOR)),
    soft(m::BLEND_EQUATION, Soft::Rule(equations), Do(set_equations)),
    soft(m::COLOR_MASK, Soft::Declared, Do(color_mask)),
    soft(
        m::STENCIL_ENABLE,
        Soft::Bool,
        Field(STENCIL_A, STENCIL_A::STENCIL_ENABLE),
    ),
    soft(
        m::STENCIL_MASK,
        Soft::Any,
        Field(STENCIL_A, STENCIL_A::STENCIL_MASK),
    ),
    soft(
        m::STENCIL_FUNC,
        FUNC,
        Field(STENCIL_A, STENCIL_A::STENCIL_FUNC),
    ),
    soft(
        m::STENCIL_FUNC_REF,
        Soft::Any,
        Field(STENCIL_A, STENCIL_A::STENCIL_FUNC_REF),
    )
    .check(Below(0x100)),
    soft(
        m::STENCIL_FUNC_MASK,
        Soft::Any,
        Field(STENCIL_A, STENCIL_A::STENCIL_FUNC_MASK),
    ),
    soft(
        m::STENCIL_OP_FAIL,
        OP,
        Field(STENCIL_B, STENCIL_B::STENCIL_OP_FAIL),
    ),
    soft(
        m::STENCIL_OP_ZFAIL,
        OP,
        Field(STENCIL_B, STENCIL_B::STENCIL_OP_ZFAIL),
    ),
    soft(
        m::STENCIL_OP_ZPASS,
        OP,
        Field(STENCIL_B, STENCIL_B::STENCIL_OP_ZPASS),
    ),
    soft(
        m::STENCIL_BACK_ENABLE,
        Soft::Bool,
        Field(STENCIL_A, STENCIL_A::STENCIL_BACK_ENABLE),
    ),
    soft(
        m::STENCIL_BACK_MASK,
        Soft::Any,
        Field(STENCIL_C, STENCIL_C::STENCIL_BACK_MASK),
    ),
    soft(
        m::STENCIL_BACK_FUNC,
        FUNC,
        Field(STENCIL_D, STENCIL_D::STENCIL_BACK_FUNC),
    ),
    soft(
        m::STENCIL_BACK_FUNC_REF,
        Soft::Any,
        Field(STENCIL_D, STENCIL_D::STENCIL_BACK_FUNC_REF),
    )
    .check(Below(0x100)),
    soft(
        m::STENCIL_BACK_FUNC_MASK,
        Soft::Any,
        Field(STENCIL_D, STENCIL_D::STENCIL_BACK_FUNC_MASK),
    ),
    soft(
        m::STENCIL_BACK_OP_FAIL,
        OP,
        Field(STENCIL_C, STENCIL_C::STENCIL_BACK_OP_FAIL),
    ),
    soft(
        m::STENCIL_BACK_OP_ZFAIL,
        OP,
        Field(STENCIL_C, STENCIL_C::STENCIL_BACK_OP_ZFAIL),
    ),
    soft(
        m::STENCIL_BACK_OP_ZPASS,
        OP,
        Field(STENCIL_C, STENCIL_C::STENCIL_BACK_OP_ZPASS),
    ),
    soft(
        m::SHADE_MODE,
        gl::SHADE,
        Field(CONFIG_B, CONFIG_B::SHADE_MODE),
    ),
    soft(
        m::COLOR_LOGIC_OP_ENABLE,
        Soft::Bool,
        Field(BLEND, BLEND::COLOR_LOGIC_OP_ENABLE),
    ),
    soft(
        m::COLOR_LOGIC_OP_OP,
        gl::LOGIC_OP,
        Field(BLEND, BLEND::COLOR_LOGIC_OP_OP),
    ),
    hard(m::DEPTH_RANGE_NEAR, Any, Word(DEPTH_RANGE_NEAR)),
    hard(m::DEPTH_RANGE_FAR, Any, Word(DEPTH_RANGE_FAR)),
    hard(m::CONFIG, Rule(config_ok), Do(config)),
    soft(m::LINE_WIDTH, Soft::Any, Field(RASTER, RASTER::LINE_WIDTH)).check(Below(0x200)),
    soft(
        m::LINE_SMOOTH_ENABLE,
        Soft::Bool,
        Field(RASTER, RASTER::LINE_SMOOTH_ENABLE),
    ),
    free(m::SCISSOR_H, Rule(rectangle_ok), Do(rectangle)).p(4),
    free(m::SCISSOR_V, Rule(rectangle_ok), Do(rectangle)).p(5),
    soft(m::FOG_COEFF, Soft::Any, Do(fog_coeff)),
    hard(m::PS_OFFSET, Rule(ps_offset_ok), Do(ps_offset)),
    free(m::VIEWPORT_H, Rule(rectangle_ok), Do(rectangle)).p(2),
    free(m::VIEWPORT_V, Rule(rectangle_ok), Do(rectangle)).p(3),
    hard(
        m::UNKA0C,
        Below(2),
        Field(CONFIG_B, CONFIG_B::KELVIN_UNKA0C),
    ),
    soft(
        m::POLYGON_OFFSET_POINT_ENABLE,
        Soft::Bool,
        Field(RASTER, RASTER::POLYGON_OFFSET_POINT_ENABLE),
    ),
    soft(
        m::POLYGON_OFFSET_LINE_ENABLE,
        Soft::Bool,
        Field(RASTER, RASTER::POLYGON_OFFSET_LINE_ENABLE),
    ),
    soft(
        m::POLYGON_OFFSET_FILL_ENABLE,
        Soft::Bool,
        Field(RASTER, RASTER::POLYGON_OFFSET_FILL_ENABLE),
    ),
    soft(m::DEPTH_FUNC, FUNC, Field(CONFIG_A, CONFIG_A::DEPTH_FUNC)),
    soft(
        m::DEPTH_WRITE_ENABLE,
        Soft::Bool,
        Field(CONFIG_A, CONFIG_A::DEPTH_WRITE_ENABLE),
    ),
    soft(
        m::DEPTH_TEST_ENABLE,
        Soft::Bool,
        Field(CONFIG_A, CONFIG_A::DEPTH_TEST_ENABLE),
    ),
    soft(
        m::POLYGON_OFFSET_FACTOR,
        Soft::Any,
        Word(POLYGON_OFFSET_FACTOR),
    ),
    soft(
        m::POLYGON_OFFSET_UNITS,
        Soft::Any,
        Word(POLYGON_OFFSET_UNITS),
    ),
    soft(m::SPECULAR_ENABLE, Soft::Bool, Do(specular_enable)),
    hard(m::LIGHT_TWO_SIDE_ENABLE, Below(2), Do(two_side)).guard(Guard::Warn),
    hard(m::SWATH_WIDTH, Rule(swath_width_ok), Do(swath_width)),
    open(
        m::FLATSHADE_FIRST,
        Below(2),
        Field(CONFIG_B, CONFIG_B::PROVOKING_VERTEX),
    ),
    soft(m::CLIP_PLANE_ENABLE, Soft::Any, Do(clip_planes)).check(Rule(clip_planes_ok)),
    hard(
        m::POLYGON_STIPPLE_ENABLE,
        Below(2),
        Field(LINE_STIPPLE, LINE_STIPPLE::POLYGON_STIPPLE_ENABLE),
    ),
    hard(m::POLYGON_STIPPLE, Any, Trigger(POLYGON_STIPPLE)),
    hard(
        m::ZPASS_COUNTER_RESET,
        Rule(|fe, c| c.v == 1 || c.v == 2 && fe.class_kind == Kind::Curie),
        Trigger(ZPASS_COUNTER_RESET),
    ),
    hard(
        m::ZPASS_COUNTER_ENABLE,
        Below(2),
        Field(CONFIG_B, CONFIG_B::ZPASS_COUNTER_ENABLE),
    ),
    hard(m::ZPASS_COUNTER_READ, Any, Do(gl::zpass_read)),
    soft(
        m::POLYGON_MODE_FRONT,
        gl::POLYGON_MODE,
        Field(RASTER, RASTER::POLYGON_MODE_FRONT),
    ),
    soft(
        m::POLYGON_MODE_BACK,
        gl::POLYGON_MODE,
        Field(RASTER, RASTER::POLYGON_MODE_BACK),
    ),
    soft(m::CULL_FACE, gl::FACE, Field(RASTER, RASTER::CULL_FACE)),
    soft(
        m::FRONT_FACE,
        gl::WINDING,
        Field(RASTER, RASTER::FRONT_FACE),
    ),
    soft(
        m::POLYGON_SMOOTH_ENABLE,
        Soft::Bool,
        Field(RASTER, RASTER::POLYGON_SMOOTH_ENABLE),
    ),
    soft(
        m::CULL_FACE_ENABLE,
        Soft::Bool,
        Field(RASTER, RASTER::CULL_FACE_ENABLE),
    ),
    hard(m::PS_CONTROL, Rule(ps_control_ok), Do(ps_control)),
    open(m::FENCE_OFFSET, Rule(fence_offset_ok), Do(fence_offset)),
    open(m::FENCE_WRITE_A, Any, Do(fence_write)),
    open(m::FENCE_WRITE_B, Any, Do(fence_write)),
    hard(m::DEPTH_CLAMP, Declared, Do(depth_clamp)),
    hard(m::MULTISAMPLE, Mask(0xffff_0111), Word(MULTISAMPLE)),
    hard(
        m::COMPRESS_ZBUFFER_ENABLE,
        Below(4),
        Spread(
            Z_CONFIG,
            &[
                (
                    COMPRESS_ZBUFFER_DATA::ENABLE,
                    Z_CONFIG::COMPRESS_ZBUFFER_ENABLE,
                ),
                (COMPRESS_ZBUFFER_DATA::UNK1, Z_CONFIG::RANKINE_UNK7),
            ],
        ),
    ),
    open(
        m::OCCLUDE_ZSTENCIL,
        Rule(occlude_ok),
        Spread(
            Z_CONFIG,
            &[
                (OCCLUDE_DATA::Z_ENABLE, Z_CONFIG::OCCLUDE_Z_ENABLE),
                (
                    OCCLUDE_DATA::STENCIL_ENABLE,
                    Z_CONFIG::OCCLUDE_STENCIL_ENABLE,
                ),
                (OCCLUDE_DATA::UNK31, Z_CONFIG::OCCLUDE_UNK31),
                (OCCLUDE_DATA::UNK30, Z_CONFIG::RANKINE_UNK30),
            ],
        ),
    ),
    open(
        m::COORD_CONVENTIONS,
        Mask(0x1_1fff),
        Spread(
            WINDOW_OFFSET,
            &[
                (COORD_CONVENTIONS_DATA::HEIGHT, WINDOW_OFFSET::HEIGHT),
                (COORD_CONVENTIONS_DATA::ORIGIN, WINDOW_OFFSET::ORIGIN),
                (COORD_CONVENTIONS_DATA::CENTER, WINDOW_OFFSET::CENTER),
            ],
        ),
    ),
    hard(m::CLEAR_ZETA, Any, Word(CLEAR_ZETA)),
    hard(m::CLEAR_COLOR, Any, Word(CLEAR_COLOR)),
    hard(
        m::CLEAR_TRIGGER,
        Any,
        Do(|fe, c| fe.out.push(Event::Clear(c.v))),
    ),
    open(m::CLEAR_H, Rule(ordered), Do(gl::clear_hv)).p(0),
    open(m::CLEAR_V, Rule(ordered), Do(gl::clear_hv)).p(1),
    hard(m::CLEAR_CLIPID_TRIGGER, Any, Trigger(CLEAR_CLIPID_TRIGGER)),
    open(
        m::CLIPID_ENABLE,
        Below(2),
        Field(Z_CONFIG, Z_CONFIG::CLIPID_ENABLE),
    ),
    open(m::CLIPID_ID, Mask(0xff), Word(CLIPID_ID)),
    hard(
        m::PRIMITIVE_RESTART_ENABLE,
        Mask(1),
        Word(PRIMITIVE_RESTART_ENABLE),
    ),
    hard(
        m::PRIMITIVE_RESTART_INDEX,
        Any,
        Word(PRIMITIVE_RESTART_INDEX),
    ),
    hard(
        m::LINE_STIPPLE_ENABLE,
        Below(2),
        Field(LINE_STIPPLE, LINE_STIPPLE::LINE_STIPPLE_ENABLE),
    ),
    hard(
        m::LINE_STIPPLE_PATTERN,
        Mask(0xffff_00ff),
        Spread(LINE_STIPPLE, gl::LINE_STIPPLE_BITS),
    ),
    hard(m::UNK1DBC, Below(3), Word(KELVIN_UNK1DBC)),
    hard(m::UNK1DC0, Mask(0xf8f8_f8f8), Word(KELVIN_UNK1DC0)),
    soft(m::POINT_SIZE, Soft::Any, Word(POINT_SIZE)),
    soft(m::POINT_PARAMS_ENABLE, Soft::Bool, Do(point_params)),
    hard(m::POINT_SPRITE, Rule(point_sprite_ok), Do(point_sprite)),
];

fn occlude_ok(fe: &crate::Fe, c: crate::table::Call) -> bool {
    c.v & !OCCLUDE_DATA::WORD.mask(Nv30, 0) == 0
        && !(fe.class_kind == Kind::Curie && OCCLUDE_DATA::UNK30.is_on(c.v))
}

/// DEPTH_BOUNDS_MIN and _MAX: NV35 has no shadow for them.
fn depth_bounds(fe: &mut crate::Fe, c: crate::table::Call) {
    let bundle = [DEPTH_BOUNDS_MIN, DEPTH_BOUNDS_MAX][c.p as usize & 1];
    if fe.g.curie() {
        fe.keep(bundle, 0, c.v);
    }
    fe.send(bundle, 0, c.v);
}

/// 497h, 3597h and Curie.
pub(crate) const DEPTH_BOUNDS: &[Row] = &[
    hard(
        m::DEPTH_BOUNDS_ENABLE,
        Below(2),
        Field(Z_CONFIG, Z_CONFIG::DEPTH_BOUNDS_ENABLE),
    ),
    hard(m::DEPTH_BOUNDS_MIN, Any, Do(depth_bounds)).p(0),
    hard(m::DEPTH_BOUNDS_MAX, Any, Do(depth_bounds)).p(1),
];

/// A method that is left to software; inside BEGIN/END it is an error besides.
pub(crate) fn software(fe: &mut crate::Fe, _: crate::table::Call) {
    if fe.inside() {
        fe.blow_up(nsource::IN_BEGIN_END);
    }
    fe.missing_hw();
}

/// A08h is left to software, and sent all the same.
fn unka08(fe: &mut crate::Fe, c: crate::table::Call) {
    software(fe, c);
    if !fe.blocked() && fe.g.rankine() {
        fe.send(UNKA08, 0, c.v);
    }
}

/// Rankine only.
pub(crate) const RANKINE: &[Row] = &[
    free(m::DMA_ZCULL, Any, Always(object::dma_zcull))
        .dma()
        .p(1),
    free(
        m::SURF_PITCH,
        Rule(surface::pitch_ok),
        Always(surface::pitch),
    ),
    free(
        m::SURF_PITCH_ZCULL,
        Rule(gl::surf_pitch_ok),
        Always(gl::pitch_zcull),
    ),
    free(m::SURF_OFFSET_ZCULL, Mask(!0xff), Always(gl::offset_zcull)),
    hard(m::TXC_ENABLE, Mask(0xff), Do(txc_enable)),
    soft(
        m::FOG_ENABLE,
        Soft::Bool,
        Both(
            CONFIG_B,
            CONFIG_B::FOG_ENABLE,
            Mode::B,
            XFMODE_B::FOG_ENABLE,
        ),
    ),
    hard(m::FOG_COLOR, Any, Spread(FOG_COLOR, gl::FOG_COLOR_BITS)),
    inert(m::IDX_UNK1828),
    soft(
        m::FOG_MODE,
        Soft::Rule(gl::fog_mode),
        Field(CONFIG_B, CONFIG_B::FOG_MODE),
    ),
    hard(m::RC_FINAL_FACTOR, Any, Word(RC_FINAL_FACTOR)),
    hard(m::RC_FINAL_A, Rule(rc::final_a_ok), Word(RC_FINAL_A)),
    hard(m::RC_FINAL_B, Rule(rc::final_b_ok), Word(RC_FINAL_B)),
    hard(m::RC_CONFIG, Rule(rc::config_ok), Do(rc::config)),
    hard(m::RC_IN_ALPHA, Rule(rc::in_ok), Word(RC_IN_ALPHA)),
    hard(m::RC_IN_COLOR, Rule(rc::in_ok), Word(RC_IN_COLOR)),
    hard(m::RC_FACTOR_A, Any, Word(RC_FACTOR_A)),
    hard(m::RC_FACTOR_B, Any, Word(RC_FACTOR_B)),
    hard(m::RC_OUT_ALPHA, Rule(rc::out_alpha_ok), Word(RC_OUT_ALPHA)),
    hard(m::RC_OUT_COLOR, Rule(rc::out_color_ok), Word(RC_OUT_COLOR)),
    free(m::UNKA08, Any, Always(unka08)),
    hard(
        m::UNKA40,
        Mask(0x3_0117),
        Spread(
            RANKINE_UNK0A40,
            &[
                (UNKA40_DATA::UNK0, RANKINE_UNK0A40::UNK0.entry(0, 3)),
                (UNKA40_DATA::UNK4, RANKINE_UNK0A40::UNK0.entry(3, 1)),
                (UNKA40_DATA::UNK8, RANKINE_UNK0A40::UNK0.entry(4, 1)),
                (UNKA40_DATA::UNK16, RANKINE_UNK0A40::UNK11),
            ],
        ),
    ),
    free(m::UNKA44, Any, Always(software)),
    free(m::UNKA4C, Any, Always(software)),
    open(m::STATE_SAVE, Below(1), Do(gl::state_save)),
    open(m::STATE_RESTORE, Any, Nop),
];
