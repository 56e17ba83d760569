//! The methods of raster, depth, stencil, blend and surface state.

use isotherm_regs::bundle::*;

use super::state::{
    BLEND_FACTOR, COLOR_MASK_BITS, FACE, FOG_COLOR_BITS, FUNC, LINE_STIPPLE_BITS, LOGIC_OP,
    POINT_SPRITE_BITS, POLYGON_MODE, SHADE, STENCIL_OP, WINDING, blend_equation, clear, clear_hv,
    clear_hv_ok, clip, clip_ok, clip_rect, clip_rect_ok, config, config_ok, depth_clamp,
    fence_offset_ok, fence_write, fog_coeff, fog_coord, fog_coord_ok, fog_mode, offset_clipid,
    offset_zcull, pitch_clipid, pitch_zcull, point_size, point_size_ok, set_fog_mode, state_save,
    stipple_enable, stipple_ok, surf_pitch_ok, unk1d84, unk1d84_ok, unk3f0, unk3f0_ok, zpass_read,
};
use crate::bits::ext;
use crate::object;
use crate::surface::{self, COLOR, ZETA};
use crate::table::Check::{Any, Below, Mask, Rule};
use crate::table::Op::{Always, Both, Do, Field, Spread, Trigger, Word};
use crate::table::{Guard, Mode, Row, Soft, field_at, free, hard, open, soft};
use isotherm_regs::Chip::{Nv20, Nv25};

/// Methods that a Kelvin class shares with the emulated Celsius ones, by address.
pub(crate) const SHARED: &[Row] = &[
    free(0x180, "dma_notify", Any, Always(object::dma_notify))
        .dma()
        .trap(3),
    free(0x184, "dma_tex_a", Any, Always(object::dma_tex))
        .dma()
        .p(0)
        .trap(4),
    free(0x188, "dma_tex_b", Any, Always(object::dma_tex))
        .dma()
        .p(1)
        .trap(5),
    free(0x190, "dma_state", Any, Always(object::dma_state))
        .dma()
        .trap(7),
    free(0x194, "dma_surf_color", Any, Always(object::dma_surface))
        .dma()
        .p(COLOR)
        .trap(8),
    free(0x198, "dma_surf_zeta", Any, Always(object::dma_surface))
        .dma()
        .p(ZETA)
        .trap(9),
    free(0x200, "clip_h", Rule(clip_ok), Do(clip)).p(0).trap(10),
    free(0x204, "clip_v", Rule(clip_ok), Do(clip)).p(1).trap(10),
    free(
        0x208,
        "surf_format",
        Rule(surface::format_ok),
        Always(surface::format),
    )
    .trap(11),
    free(
        0x20c,
        "surf_pitch",
        Rule(surface::pitch_ok),
        Always(surface::pitch),
    )
    .trap(12),
    free(0x210, "color_offset", Mask(!0x3f), Always(surface::offset))
        .p(COLOR)
        .trap(13),
    free(0x214, "zeta_offset", Mask(!0x3f), Always(surface::offset))
        .p(ZETA)
        .trap(14),
    soft(
        0x2a4,
        "fog_enable",
        Soft::Bool,
        Both(
            field_at(CONFIG_B, CONFIG_B::FOG_ENABLE, Nv20),
            (Mode::B, 19, 1),
        ),
    ),
    soft(
        0x2a8,
        "fog_color",
        Soft::Any,
        Spread(FOG_COLOR, FOG_COLOR_BITS),
    )
    .guard(Guard::TrapWarn),
    open(
        0x2b4,
        "clip_rect_mode",
        Below(2),
        Field(field_at(RASTER, RASTER::CLIP_RECT_MODE, Nv20)),
    ),
    open(0x2c0, "clip_rect_horiz", Rule(clip_rect_ok), Do(clip_rect))
        .n(8)
        .p(0),
    open(0x2e0, "clip_rect_vert", Rule(clip_rect_ok), Do(clip_rect))
        .n(8)
        .p(1),
    soft(
        0x318,
        "point_params_enable",
        Soft::Bool,
        Both(
            field_at(CONFIG_B, CONFIG_B::POINT_PARAMS_ENABLE, Nv20),
            (Mode::B, 25, 1),
        ),
    ),
    soft(
        0x380,
        "line_width",
        Soft::Below(0x200),
        Field(field_at(RASTER, RASTER::LINE_WIDTH, Nv20)),
    ),
];

/// GL state that all classes keep the same way.
pub(crate) const GL: &[Row] = &[
    soft(
        0x300,
        "alpha_func_enable",
        Soft::Bool,
        Field(field_at(CONFIG_A, CONFIG_A::ALPHA_FUNC_ENABLE, Nv20)),
    ),
    soft(
        0x304,
        "blend_func_enable",
        Soft::Bool,
        Field(field_at(BLEND, BLEND::BLEND_FUNC_ENABLE, Nv20)),
    ),
    soft(
        0x308,
        "cull_face_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::CULL_FACE_ENABLE, Nv20)),
    ),
    soft(
        0x30c,
        "depth_test_enable",
        Soft::Bool,
        Field(field_at(CONFIG_A, CONFIG_A::DEPTH_TEST_ENABLE, Nv20)),
    ),
    soft(
        0x310,
        "dither_enable",
        Soft::Bool,
        Field(field_at(CONFIG_A, CONFIG_A::DITHER_ENABLE, Nv20)),
    ),
    soft(
        0x320,
        "line_smooth_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::LINE_SMOOTH_ENABLE, Nv20)),
    ),
    soft(
        0x324,
        "polygon_smooth_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::POLYGON_SMOOTH_ENABLE, Nv20)),
    ),
    soft(
        0x32c,
        "stencil_enable",
        Soft::Bool,
        Field(field_at(STENCIL_A, STENCIL_A::STENCIL_ENABLE, Nv20)),
    ),
    soft(
        0x330,
        "polygon_offset_point_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::POLYGON_OFFSET_POINT_ENABLE, Nv20)),
    ),
    soft(
        0x334,
        "polygon_offset_line_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::POLYGON_OFFSET_LINE_ENABLE, Nv20)),
    ),
    soft(
        0x338,
        "polygon_offset_fill_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::POLYGON_OFFSET_FILL_ENABLE, Nv20)),
    ),
    soft(
        0x33c,
        "alpha_func_func",
        FUNC,
        Field(field_at(CONFIG_A, CONFIG_A::ALPHA_FUNC, Nv20)),
    ),
    soft(
        0x340,
        "alpha_func_ref",
        Soft::Below(0x100),
        Field(field_at(CONFIG_A, CONFIG_A::ALPHA_REF, Nv20)),
    ),
    soft(
        0x344,
        "blend_func_src",
        BLEND_FACTOR,
        Field(field_at(BLEND, BLEND::BLEND_FACTOR_SRC_0, Nv20)),
    ),
    soft(
        0x348,
        "blend_func_dst",
        BLEND_FACTOR,
        Field(field_at(BLEND, BLEND::BLEND_FACTOR_DST_0, Nv20)),
    ),
    soft(0x34c, "blend_color", Soft::Any, Word(BLEND_COLOR, !0)),
    soft(
        0x350,
        "blend_equation",
        Soft::Rule(blend_equation),
        Field(field_at(BLEND, BLEND::BLEND_EQUATION, Nv20)),
    ),
    soft(
        0x354,
        "depth_func",
        FUNC,
        Field(field_at(CONFIG_A, CONFIG_A::DEPTH_FUNC, Nv20)),
    ),
    soft(
        0x358,
        "color_mask",
        Soft::Mask(0x0101_0101),
        Spread(CONFIG_A, COLOR_MASK_BITS),
    ),
    soft(
        0x35c,
        "depth_write_enable",
        Soft::Bool,
        Field(field_at(CONFIG_A, CONFIG_A::DEPTH_WRITE_ENABLE, Nv20)),
    ),
    soft(
        0x360,
        "stencil_mask",
        Soft::Any,
        Field(field_at(STENCIL_A, STENCIL_A::STENCIL_MASK, Nv20)),
    ),
    soft(
        0x364,
        "stencil_func",
        FUNC,
        Field(field_at(STENCIL_A, STENCIL_A::STENCIL_FUNC, Nv20)),
    ),
    soft(
        0x368,
        "stencil_func_ref",
        Soft::Below(0x100),
        Field(field_at(STENCIL_A, STENCIL_A::STENCIL_FUNC_REF, Nv20)),
    ),
    soft(
        0x36c,
        "stencil_func_mask",
        Soft::Any,
        Field(field_at(STENCIL_A, STENCIL_A::STENCIL_FUNC_MASK, Nv20)),
    ),
    soft(
        0x370,
        "stencil_op_fail",
        STENCIL_OP,
        Field(field_at(STENCIL_B, STENCIL_B::STENCIL_OP_FAIL, Nv20)),
    ),
    soft(
        0x374,
        "stencil_op_zfail",
        STENCIL_OP,
        Field(field_at(STENCIL_B, STENCIL_B::STENCIL_OP_ZFAIL, Nv20)),
    ),
    soft(
        0x378,
        "stencil_op_zpass",
        STENCIL_OP,
        Field(field_at(STENCIL_B, STENCIL_B::STENCIL_OP_ZPASS, Nv20)),
    ),
    soft(
        0x37c,
        "shade_mode",
        SHADE,
        Field(field_at(CONFIG_B, CONFIG_B::SHADE_MODE, Nv20)),
    ),
    soft(
        0x384,
        "polygon_offset_factor",
        Soft::Any,
        Word(POLYGON_OFFSET_FACTOR, !0),
    ),
    soft(
        0x388,
        "polygon_offset_units",
        Soft::Any,
        Word(POLYGON_OFFSET_UNITS, !0),
    ),
    soft(
        0x38c,
        "polygon_mode_front",
        POLYGON_MODE,
        Field(field_at(RASTER, RASTER::POLYGON_MODE_FRONT, Nv20)),
    ),
    soft(
        0x390,
        "polygon_mode_back",
        POLYGON_MODE,
        Field(field_at(RASTER, RASTER::POLYGON_MODE_BACK, Nv20)),
    ),
    soft(
        0x394,
        "depth_range_near",
        Soft::Any,
        Word(DEPTH_RANGE_NEAR, !0),
    )
    .guard(Guard::TrapOrWarn),
    soft(
        0x398,
        "depth_range_far",
        Soft::Any,
        Word(DEPTH_RANGE_FAR, !0),
    )
    .guard(Guard::TrapOrWarn),
    soft(
        0x39c,
        "cull_face",
        FACE,
        Field(field_at(RASTER, RASTER::CULL_FACE, Nv20)),
    ),
    soft(
        0x3a0,
        "front_face",
        WINDING,
        Field(field_at(RASTER, RASTER::FRONT_FACE, Nv20)),
    ),
];

/// POINT_SIZE, at `at`.
pub(crate) const fn point_size_row(at: u16) -> Row {
    soft(at, "point_size", Soft::Rule(point_size_ok), Do(point_size))
}

/// 3F0h of Celsius, 9F8h of Kelvin.
pub(crate) const fn unk3f0_row(at: u16) -> Row {
    hard(at, "unk3f0", Rule(unk3f0_ok), Do(unk3f0)).guard(Guard::TrapWarn)
}

/// FLATSHADE_FIRST, at `at`.
pub(crate) const fn flatshade_first_row(at: u16) -> Row {
    open(
        at,
        "flatshade_first",
        Below(2),
        Field(field_at(CONFIG_B, CONFIG_B::PROVOKING_VERTEX, Nv20)),
    )
    .guard(Guard::WarnCelsius)
}

/// POINT_SMOOTH_ENABLE, which 597h replaced by point sprites.
pub(crate) const POINT_SMOOTH: Row = soft(
    0x31c,
    "point_smooth_enable",
    Soft::Bool,
    Field(field_at(RASTER, RASTER::POINT_SMOOTH_ENABLE, Nv20)),
);

/// Kelvin's own.
pub(crate) const ROWS: &[Row] = &[
    free(0x19c, "dma_vtx_a", Any, Always(object::dma_vtx))
        .dma()
        .p(0),
    free(0x1a0, "dma_vtx_b", Any, Always(object::dma_vtx))
        .dma()
        .p(1),
    free(0x1a4, "dma_fence", Any, Always(object::dma_object))
        .dma()
        .p(0),
    free(0x1a8, "dma_query", Any, Always(object::dma_object))
        .dma()
        .p(1),
    hard(0x290, "config", Rule(config_ok), Do(config)),
    soft(0x29c, "fog_mode", Soft::Rule(fog_mode), Do(set_fog_mode)),
    hard(0x2a0, "fog_coord", Rule(fog_coord_ok), Do(fog_coord)),
    point_size_row(0x43c),
    soft(0x9c0, "fog_coeff", Soft::Any, Do(fog_coeff)).n(3),
    unk3f0_row(0x9f8),
    flatshade_first_row(0x9fc),
    hard(
        0x147c,
        "polygon_stipple_enable",
        Rule(stipple_ok),
        Do(stipple_enable),
    ),
    hard(0x1480, "polygon_stipple", Any, Trigger(POLYGON_STIPPLE)).n(32),
    soft(
        0x17bc,
        "color_logic_op_enable",
        Soft::Bool,
        Field(field_at(BLEND, BLEND::COLOR_LOGIC_OP_ENABLE, Nv20)),
    ),
    soft(
        0x17c0,
        "color_logic_op_op",
        LOGIC_OP,
        Field(field_at(BLEND, BLEND::COLOR_LOGIC_OP_OP, Nv20)),
    ),
    hard(
        0x17c4,
        "light_two_side_enable",
        Below(2),
        Both(
            field_at(RASTER, RASTER::LIGHT_TWO_SIDE_ENABLE, Nv20),
            (Mode::A, 29, 1),
        ),
    )
    .guard(Guard::Warn),
    hard(
        0x17c8,
        "zpass_counter_reset",
        Rule(|_, c| c.v == 1),
        Trigger(ZPASS_COUNTER_RESET),
    ),
    hard(
        0x17cc,
        "zpass_counter_enable",
        Below(2),
        Field(field_at(CONFIG_B, CONFIG_B::ZPASS_COUNTER_ENABLE, Nv20)),
    ),
    hard(0x17d0, "zpass_counter_read", Any, Do(zpass_read)),
    open(0x1d64, "state_save", Below(1), Do(state_save)),
    open(0x1d68, "state_restore", Any, Do(|_, _| {})),
    open(
        0x1d6c,
        "fence_offset",
        Rule(fence_offset_ok),
        Word(FENCE_OFFSET, !0),
    ),
    open(0x1d70, "fence_write_a", Any, Do(fence_write)),
    open(0x1d74, "fence_write_b", Any, Do(fence_write)),
    hard(0x1d78, "depth_clamp", Mask(0x111), Do(depth_clamp)),
    hard(
        0x1d7c,
        "multisample",
        Mask(0xffff_0111),
        Word(MULTISAMPLE, 0xffff_0111),
    ),
    hard(
        0x1d80,
        "unk1d80",
        Below(2),
        Field(field_at(Z_CONFIG, Z_CONFIG::COMPRESS_ZBUFFER_ENABLE, Nv20)),
    ),
    hard(0x1d84, "unk1d84", Rule(unk1d84_ok), Do(unk1d84)),
    hard(0x1d8c, "clear_zeta", Any, Word(CLEAR_ZETA, !0)),
    hard(0x1d90, "clear_color", Any, Word(CLEAR_COLOR, !0)),
    hard(0x1d94, "clear_trigger", Any, Do(clear)),
    hard(0x1d98, "clear_h", Rule(clear_hv_ok), Do(clear_hv)).p(0),
    hard(0x1d9c, "clear_v", Rule(clear_hv_ok), Do(clear_hv)).p(1),
];

/// 97h only.
pub(crate) const ONLY_97: &[Row] = &[
    POINT_SMOOTH,
    soft(0x1e68, "unk1e68", Soft::Any, Word(UNK1E68, !0)),
];

/// 597h only.
pub(crate) const ONLY_597: &[Row] = &[
    free(0x1ac, "dma_clipid", Any, Always(object::dma_zcull))
        .dma()
        .p(0),
    free(0x1b0, "dma_zcull", Any, Always(object::dma_zcull))
        .dma()
        .p(1),
    free(
        0x224,
        "surf_pitch_clipid",
        Rule(surf_pitch_ok),
        Always(pitch_clipid),
    ),
    free(
        0x228,
        "surf_offset_clipid",
        Mask(!0xff),
        Always(offset_clipid),
    ),
    free(
        0x22c,
        "surf_pitch_zcull",
        Rule(surf_pitch_ok),
        Always(pitch_zcull),
    ),
    free(
        0x230,
        "surf_offset_zcull",
        Mask(!0xff),
        Always(offset_zcull),
    ),
    free(0x234, "unk234", Any, Do(|_, _| {})),
    hard(
        0xa0c,
        "unka0c",
        Below(2),
        Field(field_at(CONFIG_B, CONFIG_B::KELVIN_UNKA0C, Nv25)),
    ),
    hard(
        0xa1c,
        "point_sprite",
        Rule(|_, c| c.v & !0xf07 == 0 && ext(c.v, 1, 2) != 3),
        Spread(CONFIG_B, POINT_SPRITE_BITS),
    ),
    hard(
        0x1478,
        "line_stipple_pattern",
        Mask(0xffff_00ff),
        Spread(LINE_STIPPLE, LINE_STIPPLE_BITS),
    ),
    hard(0x1d88, "unk1d88", Mask(3), Word(KELVIN_UNK1D88, 3)),
    hard(
        0x1da0,
        "clear_clipid_trigger",
        Any,
        Trigger(CLEAR_CLIPID_TRIGGER),
    ),
    hard(
        0x1da4,
        "clipid_enable",
        Below(2),
        Field(field_at(Z_CONFIG, Z_CONFIG::CLIPID_ENABLE, Nv25)),
    ),
    hard(0x1da8, "clipid_id", Mask(0xff), Word(CLIPID_ID, 0xff)),
    hard(0x1dbc, "unk1dbc", Below(3), Word(KELVIN_UNK1DBC, 3)),
    hard(
        0x1dc0,
        "unk1dc0",
        Mask(0xf8f8_f8f8),
        Word(KELVIN_UNK1DC0, 0xf8f8_f8f8),
    )
    .n(4),
    hard(
        0x1e7c,
        "tex_shader_unk1e7c",
        Mask(1),
        Field(field_at(
            TEX_SHADER_MISC,
            TEX_SHADER_MISC::KELVIN_UNK1E7C,
            Nv25,
        )),
    ),
];
