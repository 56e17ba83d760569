//! The methods of raster, depth, stencil, blend and surface state.

use isotherm_regs::bundle::*;
use isotherm_regs::method::{COMPRESS_ZBUFFER_DATA, Method, POINT_SPRITE_DATA, kelvin as m};
use isotherm_regs::xf::mode::{XFMODE_A, XFMODE_B};

use super::rc;
use super::state::{
    BLEND_FACTOR, COLOR_MASK_BITS, FACE, FOG_COLOR_BITS, FUNC, LINE_STIPPLE_BITS, LOGIC_OP,
    POINT_SPRITE_BITS, POLYGON_MODE, SHADE, STENCIL_OP, WINDING, blend_dst, blend_equation,
    blend_src, clear, clear_hv, clear_hv_ok, clip, clip_ok, clip_rect, clip_rect_ok, config,
    config_ok, depth_clamp, fence_offset_ok, fence_write, fog_coeff, fog_coord, fog_coord_ok,
    fog_mode, occlude_ok, offset_clipid, offset_zcull, pitch_clipid, pitch_zcull, point_size,
    point_size_ok, set_fog_mode, set_occlude, state_save, stipple_enable, stipple_ok,
    surf_pitch_ok, swath_width, swath_width_ok, zpass_read,
};
use crate::object;
use crate::rankine::xf as rankine_xf;
use crate::surface::{self, COLOR, ZETA};
use crate::table::Check::{Any, Below, Declared, Mask, Rule};
use crate::table::Op::{Always, Both, Do, Field, Nop, Spread, SpreadMode, Trigger, Word};
use crate::table::{Guard, Mode, Move, Row, Soft, free, hard, open, soft};

/// Methods that a Kelvin class shares with the emulated Celsius ones, by address.
pub(crate) const SHARED: &[Row] = &[
    free(m::DMA_NOTIFY, Any, Always(object::dma_notify))
        .dma()
        .trap(3),
    free(m::DMA_TEX_A, Any, Always(object::dma_tex))
        .dma()
        .p(0)
        .trap(4),
    free(m::DMA_TEX_B, Any, Always(object::dma_tex))
        .dma()
        .p(1)
        .trap(5),
    free(m::DMA_STATE, Any, Always(object::dma_state))
        .dma()
        .trap(7),
    free(m::DMA_SURF_COLOR, Any, Always(object::dma_surface))
        .dma()
        .p(COLOR)
        .trap(8),
    free(m::DMA_SURF_ZETA, Any, Always(object::dma_surface))
        .dma()
        .p(ZETA)
        .trap(9),
    free(m::CLIP_H, Rule(clip_ok), Do(clip)).p(0).trap(10),
    free(m::CLIP_V, Rule(clip_ok), Do(clip)).p(1).trap(10),
    free(
        m::SURF_FORMAT,
        Rule(surface::format_ok),
        Always(surface::format),
    )
    .trap(11),
    free(
        m::SURF_PITCH,
        Rule(surface::pitch_ok),
        Always(surface::pitch),
    )
    .trap(12),
    free(m::COLOR_OFFSET, Mask(!0x3f), Always(surface::offset))
        .p(COLOR)
        .trap(13),
    free(m::ZETA_OFFSET, Mask(!0x3f), Always(surface::offset))
        .p(ZETA)
        .trap(14),
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
    soft(m::FOG_COLOR, Soft::Any, Spread(FOG_COLOR, FOG_COLOR_BITS)).guard(Guard::TrapWarn),
    open(
        m::CLIP_RECT_MODE,
        Below(2),
        Field(RASTER, RASTER::CLIP_RECT_MODE),
    ),
    open(m::CLIP_RECT_HORIZ, Rule(clip_rect_ok), Do(clip_rect)).p(0),
    open(m::CLIP_RECT_VERT, Rule(clip_rect_ok), Do(clip_rect)).p(1),
    soft(
        m::POINT_PARAMS_ENABLE,
        Soft::Bool,
        Both(
            CONFIG_B,
            CONFIG_B::POINT_PARAMS_ENABLE,
            Mode::B,
            XFMODE_B::POINT_PARAMS_ENABLE,
        ),
    ),
    soft(
        m::LINE_WIDTH,
        Soft::Below(0x200),
        Field(RASTER, RASTER::LINE_WIDTH),
    ),
];

/// GL state that all classes keep the same way.
pub(crate) const GL: &[Row] = &[
    soft(
        m::ALPHA_FUNC_ENABLE,
        Soft::Bool,
        Field(CONFIG_A, CONFIG_A::ALPHA_FUNC_ENABLE),
    ),
    soft(
        m::BLEND_FUNC_ENABLE,
        Soft::Bool,
        Field(BLEND, BLEND::BLEND_FUNC_ENABLE),
    ),
    soft(
        m::CULL_FACE_ENABLE,
        Soft::Bool,
        Field(RASTER, RASTER::CULL_FACE_ENABLE),
    ),
    soft(
        m::DEPTH_TEST_ENABLE,
        Soft::Bool,
        Field(CONFIG_A, CONFIG_A::DEPTH_TEST_ENABLE),
    ),
    soft(
        m::DITHER_ENABLE,
        Soft::Bool,
        Field(CONFIG_A, CONFIG_A::DITHER_ENABLE),
    ),
    soft(
        m::LINE_SMOOTH_ENABLE,
        Soft::Bool,
        Field(RASTER, RASTER::LINE_SMOOTH_ENABLE),
    ),
    soft(
        m::POLYGON_SMOOTH_ENABLE,
        Soft::Bool,
        Field(RASTER, RASTER::POLYGON_SMOOTH_ENABLE),
    ),
    soft(
        m::STENCIL_ENABLE,
        Soft::Bool,
        Field(STENCIL_A, STENCIL_A::STENCIL_ENABLE),
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
    soft(
        m::ALPHA_FUNC_FUNC,
        FUNC,
        Field(CONFIG_A, CONFIG_A::ALPHA_FUNC),
    ),
    soft(
        m::ALPHA_FUNC_REF,
        Soft::Below(0x100),
        Field(CONFIG_A, CONFIG_A::ALPHA_REF),
    ),
    soft(
        m::BLEND_FUNC_SRC,
        BLEND_FACTOR,
        Field(BLEND, BLEND::BLEND_FACTOR_SRC_0),
    ),
    soft(
        m::BLEND_FUNC_DST,
        BLEND_FACTOR,
        Field(BLEND, BLEND::BLEND_FACTOR_DST_0),
    ),
    soft(m::BLEND_COLOR, Soft::Any, Word(BLEND_COLOR)),
    soft(
        m::BLEND_EQUATION,
        Soft::Rule(blend_equation),
        Field(BLEND, BLEND::BLEND_EQUATION),
    ),
    soft(m::DEPTH_FUNC, FUNC, Field(CONFIG_A, CONFIG_A::DEPTH_FUNC)),
    soft(
        m::COLOR_MASK,
        Soft::Declared,
        Spread(CONFIG_A, COLOR_MASK_BITS),
    ),
    soft(
        m::DEPTH_WRITE_ENABLE,
        Soft::Bool,
        Field(CONFIG_A, CONFIG_A::DEPTH_WRITE_ENABLE),
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
        Soft::Below(0x100),
        Field(STENCIL_A, STENCIL_A::STENCIL_FUNC_REF),
    ),
    soft(
        m::STENCIL_FUNC_MASK,
        Soft::Any,
        Field(STENCIL_A, STENCIL_A::STENCIL_FUNC_MASK),
    ),
    soft(
        m::STENCIL_OP_FAIL,
        STENCIL_OP,
        Field(STENCIL_B, STENCIL_B::STENCIL_OP_FAIL),
    ),
    soft(
        m::STENCIL_OP_ZFAIL,
        STENCIL_OP,
        Field(STENCIL_B, STENCIL_B::STENCIL_OP_ZFAIL),
    ),
    soft(
        m::STENCIL_OP_ZPASS,
        STENCIL_OP,
        Field(STENCIL_B, STENCIL_B::STENCIL_OP_ZPASS),
    ),
    soft(m::SHADE_MODE, SHADE, Field(CONFIG_B, CONFIG_B::SHADE_MODE)),
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
    soft(
        m::POLYGON_MODE_FRONT,
        POLYGON_MODE,
        Field(RASTER, RASTER::POLYGON_MODE_FRONT),
    ),
    soft(
        m::POLYGON_MODE_BACK,
        POLYGON_MODE,
        Field(RASTER, RASTER::POLYGON_MODE_BACK),
    ),
    soft(m::DEPTH_RANGE_NEAR, Soft::Any, Word(DEPTH_RANGE_NEAR)).guard(Guard::TrapOrWarn),
    soft(m::DEPTH_RANGE_FAR, Soft::Any, Word(DEPTH_RANGE_FAR)).guard(Guard::TrapOrWarn),
    soft(m::CULL_FACE, FACE, Field(RASTER, RASTER::CULL_FACE)),
    soft(m::FRONT_FACE, WINDING, Field(RASTER, RASTER::FRONT_FACE)),
];

/// POINT_SIZE.
pub(crate) const fn point_size_row(method: Method) -> Row {
    soft(method, Soft::Rule(point_size_ok), Do(point_size))
}

/// 3F0h of Celsius, 9F8h of Kelvin.
pub(crate) const fn swath_width_row(method: Method) -> Row {
    hard(method, Rule(swath_width_ok), Do(swath_width)).guard(Guard::TrapWarn)
}

/// FLATSHADE_FIRST.
pub(crate) const fn flatshade_first_row(method: Method) -> Row {
    open(
        method,
        Below(2),
        Field(CONFIG_B, CONFIG_B::PROVOKING_VERTEX),
    )
    .guard(Guard::WarnCelsius)
}

/// POINT_SMOOTH_ENABLE, which 597h replaced by point sprites.
pub(crate) const POINT_SMOOTH: Row = soft(
    m::POINT_SMOOTH_ENABLE,
    Soft::Bool,
    Field(RASTER, RASTER::POINT_SMOOTH_ENABLE),
);

/// Kelvin's own.
pub(crate) const ROWS: &[Row] = &[
    free(m::DMA_VTX_A, Any, Always(object::dma_vtx)).dma().p(0),
    free(m::DMA_VTX_B, Any, Always(object::dma_vtx)).dma().p(1),
    free(m::DMA_FENCE, Any, Always(object::dma_object))
        .dma()
        .p(0),
    free(m::DMA_QUERY, Any, Always(object::dma_object))
        .dma()
        .p(1),
    hard(m::CONFIG, Rule(config_ok), Do(config)),
    soft(m::FOG_MODE, Soft::Rule(fog_mode), Do(set_fog_mode)),
    hard(m::FOG_COORD, Rule(fog_coord_ok), Do(fog_coord)),
    point_size_row(m::POINT_SIZE),
    soft(m::FOG_COEFF, Soft::Any, Do(fog_coeff)),
    swath_width_row(m::SWATH_WIDTH),
    flatshade_first_row(m::FLATSHADE_FIRST),
    hard(
        m::POLYGON_STIPPLE_ENABLE,
        Rule(stipple_ok),
        Do(stipple_enable),
    ),
    hard(m::POLYGON_STIPPLE, Any, Trigger(POLYGON_STIPPLE)),
    soft(
        m::COLOR_LOGIC_OP_ENABLE,
        Soft::Bool,
        Field(BLEND, BLEND::COLOR_LOGIC_OP_ENABLE),
    ),
    soft(
        m::COLOR_LOGIC_OP_OP,
        LOGIC_OP,
        Field(BLEND, BLEND::COLOR_LOGIC_OP_OP),
    ),
    hard(
        m::LIGHT_TWO_SIDE_ENABLE,
        Below(2),
        Both(
            RASTER,
            RASTER::LIGHT_TWO_SIDE_ENABLE,
            Mode::A,
            XFMODE_A::LIGHT_TWO_SIDE_ENABLE,
        ),
    )
    .guard(Guard::Warn),
    hard(
        m::ZPASS_COUNTER_RESET,
        Rule(|_, c| c.v == 1),
        Trigger(ZPASS_COUNTER_RESET),
    ),
    hard(
        m::ZPASS_COUNTER_ENABLE,
        Below(2),
        Field(CONFIG_B, CONFIG_B::ZPASS_COUNTER_ENABLE),
    ),
    hard(m::ZPASS_COUNTER_READ, Any, Do(zpass_read)),
    open(m::STATE_SAVE, Below(1), Do(state_save)),
    open(m::STATE_RESTORE, Any, Nop),
    open(m::FENCE_OFFSET, Rule(fence_offset_ok), Word(FENCE_OFFSET)),
    open(m::FENCE_WRITE_A, Any, Do(fence_write)),
    open(m::FENCE_WRITE_B, Any, Do(fence_write)),
    hard(m::DEPTH_CLAMP, Declared, Do(depth_clamp)),
    hard(m::MULTISAMPLE, Declared, Word(MULTISAMPLE)),
    hard(
        m::COMPRESS_ZBUFFER_ENABLE,
        Below(2),
        Field(Z_CONFIG, Z_CONFIG::COMPRESS_ZBUFFER_ENABLE),
    ),
    hard(m::OCCLUDE_ZSTENCIL, Rule(occlude_ok), Do(set_occlude)),
    hard(m::CLEAR_ZETA, Any, Word(CLEAR_ZETA)),
    hard(m::CLEAR_COLOR, Any, Word(CLEAR_COLOR)),
    hard(m::CLEAR_TRIGGER, Any, Do(clear)),
    hard(m::CLEAR_H, Rule(clear_hv_ok), Do(clear_hv)).p(0),
    hard(m::CLEAR_V, Rule(clear_hv_ok), Do(clear_hv)).p(1),
];

fn point_sprite_ok(fe: &crate::Fe, c: crate::table::Call) -> bool {
    c.v & !POINT_SPRITE_DATA::WORD.mask(fe.class_chip, 0) == 0
        && POINT_SPRITE_DATA::R_MODE.read(c.v) != 3
}

/// What the Kelvin classes do otherwise on Rankine.
pub(crate) const ON_RANKINE: &[Row] = &[
    soft(m::BLEND_FUNC_SRC, BLEND_FACTOR, Do(blend_src)),
    soft(m::BLEND_FUNC_DST, BLEND_FACTOR, Do(blend_dst)),
    soft(
        m::VIEWPORT_TRANSLATE,
        Soft::Any,
        Do(rankine_xf::viewport_translate),
    ),
    soft(m::VIEWPORT_SCALE, Soft::Any, Do(rankine_xf::viewport_scale)),
    hard(m::LIGHT_MODEL, Declared, Do(rankine_xf::light_model)),
    hard(
        m::TL_MODE,
        Rule(super::light::tl_mode_ok),
        SpreadMode(Mode::B, rankine_xf::TL_MODE),
    ),
    hard(
        m::COMPRESS_ZBUFFER_ENABLE,
        Below(2),
        Spread(Z_CONFIG, COMPRESS_BITS),
    ),
    hard(
        m::RC_OUT_ALPHA,
        Rule(rc::out_alpha_ok),
        Do(rc::rankine_out_alpha),
    ),
    hard(
        m::RC_OUT_COLOR,
        Rule(rc::out_color_ok),
        Do(rc::rankine_out_color),
    ),
    free(m::FD_BEGIN_PATCH_A, Any, Always(software)),
    free(m::FD_BEGIN_PATCH_B, Any, Always(software)),
    free(m::FD_BEGIN_PATCH_C, Any, Always(software)),
    free(m::FD_BEGIN_PATCH_D, Any, Always(software)),
    free(m::FD_END_PATCH, Any, Always(software)),
    free(m::FD_CURVE_DATA, Any, Always(software)),
    free(m::FD_BEGIN_TRANSITION_A, Any, Always(software)),
    free(m::FD_BEGIN_TRANSITION_B, Any, Always(software)),
];

/// Depth compression has a bit more on Rankine.
pub(crate) const COMPRESS_BITS: &[Move] = &[
    (
        COMPRESS_ZBUFFER_DATA::ENABLE,
        Z_CONFIG::COMPRESS_ZBUFFER_ENABLE,
    ),
    (COMPRESS_ZBUFFER_DATA::UNK1, Z_CONFIG::RANKINE_UNK7),
];

/// 97h's smooth points are sprites on Rankine.
pub(crate) const SMOOTH_SPRITES: &[Row] = &[soft(
    m::POINT_SMOOTH_ENABLE,
    Soft::Bool,
    Field(CONFIG_B, CONFIG_B::POINT_SPRITE_ENABLE),
)];

/// The forward differencer is left to software.
fn software(fe: &mut crate::Fe, _: crate::table::Call) {
    fe.missing_hw();
}

/// 97h only.
pub(crate) const ONLY_97: &[Row] = &[POINT_SMOOTH, soft(m::UNK1E68, Soft::Any, Word(UNK1E68))];

/// 597h only.
pub(crate) const ONLY_597: &[Row] = &[
    free(m::DMA_CLIPID, Any, Always(object::dma_zcull))
        .dma()
        .p(0),
    free(m::DMA_ZCULL, Any, Always(object::dma_zcull))
        .dma()
        .p(1),
    free(
        m::SURF_PITCH_CLIPID,
        Rule(surf_pitch_ok),
        Always(pitch_clipid),
    ),
    free(m::SURF_OFFSET_CLIPID, Mask(!0xff), Always(offset_clipid)),
    free(
        m::SURF_PITCH_ZCULL,
        Rule(surf_pitch_ok),
        Always(pitch_zcull),
    ),
    free(m::SURF_OFFSET_ZCULL, Mask(!0xff), Always(offset_zcull)),
    free(m::UNK234, Any, Nop),
    hard(
        m::UNKA0C,
        Below(2),
        Field(CONFIG_B, CONFIG_B::KELVIN_UNKA0C),
    ),
    hard(
        m::POINT_SPRITE,
        Rule(point_sprite_ok),
        Spread(CONFIG_B, POINT_SPRITE_BITS),
    ),
    hard(
        m::LINE_STIPPLE_PATTERN,
        Declared,
        Spread(LINE_STIPPLE, LINE_STIPPLE_BITS),
    ),
    hard(m::UNK1D88, Mask(3), Word(KELVIN_UNK1D88)),
    hard(m::CLEAR_CLIPID_TRIGGER, Any, Trigger(CLEAR_CLIPID_TRIGGER)),
    hard(
        m::CLIPID_ENABLE,
        Below(2),
        Field(Z_CONFIG, Z_CONFIG::CLIPID_ENABLE),
    ),
    hard(m::CLIPID_ID, Mask(0xff), Word(CLIPID_ID)),
    hard(m::UNK1DBC, Below(3), Word(KELVIN_UNK1DBC)),
    hard(m::UNK1DC0, Mask(0xf8f8_f8f8), Word(KELVIN_UNK1DC0)),
    hard(
        m::TEX_SHADER_UNK1E7C,
        Mask(1),
        Field(TEX_SHADER_MISC, TEX_SHADER_MISC::KELVIN_UNK1E7C),
    ),
];
