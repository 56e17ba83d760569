//! The state methods.

use isotherm_regs::bundle::*;
use isotherm_regs::method::{
    COMPRESS_ZBUFFER_DATA, COORD_CONVENTIONS_DATA, Method, OCCLUDE_DATA, UNKA40_DATA,
    rankine_curie as m,
};
use isotherm_regs::xf::mode::XFMODE_B;

use super::state::{
    alpha_ref, alpha_ref_ok, blend_enable, clear_hv, clip_planes, clip_rect, color_mask,
    color_offset, color_pitch, config, cylwrap, depth_clamp, dma_color, dma_fence, dma_query,
    equations, factors, fence_write, fog_coeff, func, point_params, ps_control, ps_offset,
    ps_offset_ok, rectangle, rt_enable, set_equations, set_factors, stencil_op, two_side,
    txc_enable, unk3f0,
};
use crate::kelvin::state as gl;
use crate::object;
use crate::surface::{self, COLOR, ZETA};
use crate::table::Check::{Any, Below, Mask, Rule};
use crate::table::Op::{Always, Both, Do, Field, Nop, Spread, Trigger, Word};
use crate::table::{Guard, Mode, Row, Soft, free, hard, open, soft};
use crate::transform::specular_enable;
use isotherm_bus::bundle::Event;

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
    free(m::DMA_SURF_COLOR_B, Any, Always(dma_color)).dma().p(6),
    free(m::DMA_STATE, Any, Always(object::dma_state)).dma(),
    free(m::DMA_SURF_COLOR_A, Any, Always(object::dma_surface))
        .dma()
        .p(COLOR),
    free(m::DMA_SURF_ZETA, Any, Always(object::dma_surface))
        .dma()
        .p(ZETA),
    free(m::DMA_VTX_A, Any, Always(object::dma_vtx)).dma().p(0),
    free(m::DMA_VTX_B, Any, Always(object::dma_vtx)).dma().p(1),
    free(m::DMA_FENCE, Any, Do(dma_fence)).dma(),
    free(m::DMA_QUERY, Any, Do(dma_query)).dma(),
    free(m::DMA_CLIPID, Any, Always(object::dma_zcull))
        .dma()
        .p(0),
    free(m::CLIP_H, Any, Do(rectangle)).p(0),
    free(m::CLIP_V, Any, Do(rectangle)).p(1),
    free(
        m::SURF_FORMAT,
        Rule(surface::format_ok),
        Always(surface::format),
    ),
    free(m::COLOR_A_OFFSET, Mask(!0x3f), Always(surface::offset)).p(COLOR),
    free(m::ZETA_OFFSET, Mask(!0x3f), Always(surface::offset)).p(ZETA),
    free(m::COLOR_B_OFFSET, Any, Do(color_offset)).p(6),
    free(m::COLOR_B_PITCH, Any, Do(color_pitch)).p(6),
    open(m::RT_ENABLE, Any, Do(rt_enable)),
    free(m::SURF_PITCH_CLIPID, Any, Word(CLIPID_PITCH)),
    free(m::SURF_OFFSET_CLIPID, Any, Word(CLIPID_OFFSET)),
    inert(m::UNK234),
    hard(m::TXC_CYLWRAP, Any, Do(cylwrap)),
    open(m::VIEWPORT_OFFSET, Any, Word(VIEWPORT_OFFSET)),
    open(
        m::CLIP_RECT_MODE,
        Below(2),
        Field(RASTER, RASTER::CLIP_RECT_MODE),
    ),
    open(m::CLIP_RECT_HORIZ, Any, Do(clip_rect)).p(0),
    open(m::CLIP_RECT_VERT, Any, Do(clip_rect)).p(1),
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
    soft(m::BLEND_FUNC_ENABLE, Soft::Bool, Do(blend_enable)),
    soft(m::BLEND_FUNC_SRC, Soft::Rule(factors), Do(set_factors)).p(0),
    soft(m::BLEND_FUNC_DST, Soft::Rule(factors), Do(set_factors)).p(1),
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
        Field(STENCIL_D, STENCIL_D::STENCIL_BACK_FUNC_MASK),
    )
    .check(Below(0x100)),
    soft(
        m::STENCIL_BACK_FUNC_MASK,
        Soft::Any,
        Field(STENCIL_D, STENCIL_D::STENCIL_BACK_FUNC_REF),
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
    hard(m::CONFIG, Mask(0x7111_1101), Do(config)),
    soft(m::LINE_WIDTH, Soft::Any, Field(RASTER, RASTER::LINE_WIDTH)).check(Below(0x200)),
    soft(
        m::LINE_SMOOTH_ENABLE,
        Soft::Bool,
        Field(RASTER, RASTER::LINE_SMOOTH_ENABLE),
    ),
    free(m::SCISSOR_H, Any, Do(rectangle)).p(4),
    free(m::SCISSOR_V, Any, Do(rectangle)).p(5),
    soft(m::FOG_COEFF, Soft::Any, Do(fog_coeff)),
    hard(m::PS_OFFSET, Rule(ps_offset_ok), Do(ps_offset)),
    free(m::VIEWPORT_H, Any, Do(rectangle)).p(2),
    free(m::VIEWPORT_V, Any, Do(rectangle)).p(3),
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
    hard(m::SWATH_WIDTH, Any, Do(unk3f0)),
    open(
        m::FLATSHADE_FIRST,
        Below(2),
        Field(CONFIG_B, CONFIG_B::PROVOKING_VERTEX),
    ),
    soft(m::CLIP_PLANE_ENABLE, Soft::Any, Do(clip_planes)).check(Mask(0x33_3333)),
    hard(
        m::POLYGON_STIPPLE_ENABLE,
        Below(2),
        Field(LINE_STIPPLE, LINE_STIPPLE::POLYGON_STIPPLE_ENABLE),
    ),
    hard(m::POLYGON_STIPPLE, Any, Trigger(POLYGON_STIPPLE)),
    hard(
        m::ZPASS_COUNTER_RESET,
        Below(3),
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
    hard(m::PS_CONTROL, Any, Do(ps_control)),
    open(m::FENCE_OFFSET, Any, Word(FENCE_OFFSET)),
    open(m::FENCE_WRITE_A, Any, Do(fence_write)),
    open(m::FENCE_WRITE_B, Any, Do(fence_write)),
    hard(m::DEPTH_CLAMP, Mask(0x1111), Do(depth_clamp)),
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
        Mask(0xc000_0003),
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
    open(m::CLEAR_H, Any, Do(clear_hv)).p(0),
    open(m::CLEAR_V, Any, Do(clear_hv)).p(1),
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
    hard(
        m::POINT_SPRITE,
        Any,
        Spread(CONFIG_B, gl::POINT_SPRITE_BITS),
    ),
];

/// 497h, 3597h and Curie.
pub(crate) const DEPTH_BOUNDS: &[Row] = &[
    hard(
        m::DEPTH_BOUNDS_ENABLE,
        Below(2),
        Field(Z_CONFIG, Z_CONFIG::DEPTH_BOUNDS_ENABLE),
    ),
    hard(m::DEPTH_BOUNDS_MIN, Any, Word(DEPTH_BOUNDS_MIN)),
    hard(m::DEPTH_BOUNDS_MAX, Any, Word(DEPTH_BOUNDS_MAX)),
];

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
    free(m::SURF_PITCH_ZCULL, Any, Word(ZCULL_PITCH)),
    free(m::SURF_OFFSET_ZCULL, Any, Word(ZCULL_OFFSET)),
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
    hard(m::RC_FINAL_A, Any, Word(RC_FINAL_A)),
    hard(m::RC_FINAL_B, Any, Word(RC_FINAL_B)),
    hard(m::RC_CONFIG, Mask(0x1f1_110f), Word(RC_CONFIG)),
    hard(m::RC_IN_ALPHA, Any, Word(RC_IN_ALPHA)),
    hard(m::RC_IN_COLOR, Any, Word(RC_IN_COLOR)),
    hard(m::RC_FACTOR_A, Any, Word(RC_FACTOR_A)),
    hard(m::RC_FACTOR_B, Any, Word(RC_FACTOR_B)),
    hard(m::RC_OUT_ALPHA, Any, Word(RC_OUT_ALPHA)),
    hard(m::RC_OUT_COLOR, Any, Word(RC_OUT_COLOR)),
    free(m::UNKA08, Any, Trigger(UNKA08)),
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
    open(m::STATE_SAVE, Any, Nop),
    open(m::STATE_RESTORE, Any, Nop),
];
