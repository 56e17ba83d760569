//! The state methods.

use isotherm_regs::bundle::*;

use super::state::{
    alpha_ref, alpha_ref_ok, blend_enable, clear_hv, clip_planes, clip_rect, color_mask,
    color_offset, color_pitch, config, cylwrap, depth_clamp, dma_color, dma_fence, dma_query,
    equations, factors, fence_write, fog_coeff, func, pitch, point_params, ps_control, ps_offset,
    ps_offset_ok, rectangle, report, rt_enable, set_equations, set_factors, specular, stencil_op,
    two_side, txc_enable, unk3f0,
};
use crate::kelvin::state as gl;
use crate::object;
use crate::surface::{self, COLOR, ZETA};
use crate::table::Check::{Any, Below, Mask, Rule};
use crate::table::Op::{Always, Both, Do, Field, Nop, Spread, Trigger, Word};
use crate::table::{
    Guard, Mode, Row, Soft, bits_to, bits_to_part, field_at, free, hard, moved, open, soft,
};
use isotherm_bus::bundle::Event;
use isotherm_regs::Chip::{Nv30, Nv40};
use isotherm_regs::method::{COORD_CONVENTIONS_DATA, OCCLUDE_DATA};

/// Stays without an effect on anything drawn.
const fn inert(at: u16, name: &'static str) -> Row {
    free(at, name, Any, Nop)
}

const FUNC: Soft = Soft::Rule(func);
const OP: Soft = Soft::Rule(stencil_op);

pub(crate) const SHARED: &[Row] = &[
    free(0x180, "dma_notify", Any, Always(object::dma_notify)).dma(),
    free(0x184, "dma_tex_a", Any, Always(object::dma_tex))
        .dma()
        .p(0),
    free(0x188, "dma_tex_b", Any, Always(object::dma_tex))
        .dma()
        .p(1),
    free(0x18c, "dma_surf_color_b", Any, Always(dma_color))
        .dma()
        .p(6),
    free(0x190, "dma_state", Any, Always(object::dma_state)).dma(),
    free(0x194, "dma_surf_color_a", Any, Always(object::dma_surface))
        .dma()
        .p(COLOR),
    free(0x198, "dma_surf_zeta", Any, Always(object::dma_surface))
        .dma()
        .p(ZETA),
    free(0x19c, "dma_vtx_a", Any, Always(object::dma_vtx))
        .dma()
        .p(0),
    free(0x1a0, "dma_vtx_b", Any, Always(object::dma_vtx))
        .dma()
        .p(1),
    free(0x1a4, "dma_fence", Any, Do(dma_fence)).dma(),
    free(0x1a8, "dma_query", Any, Do(dma_query)).dma(),
    free(0x1ac, "dma_clipid", Any, Always(object::dma_zcull))
        .dma()
        .p(0),
    free(0x200, "clip_h", Any, Do(rectangle)).p(0),
    free(0x204, "clip_v", Any, Do(rectangle)).p(1),
    free(
        0x208,
        "surf_format",
        Rule(surface::format_ok),
        Always(surface::format),
    ),
    free(
        0x210,
        "color_a_offset",
        Mask(!0x3f),
        Always(surface::offset),
    )
    .p(COLOR),
    free(0x214, "zeta_offset", Mask(!0x3f), Always(surface::offset)).p(ZETA),
    free(0x218, "color_b_offset", Any, Do(color_offset)).p(6),
    free(0x21c, "color_b_pitch", Any, Do(color_pitch)).p(6),
    open(0x220, "rt_enable", Any, Do(rt_enable)),
    free(0x224, "surf_pitch_clipid", Any, Word(CLIPID_PITCH, 0xffff)),
    free(
        0x228,
        "surf_offset_clipid",
        Any,
        Word(CLIPID_OFFSET, 0x3fff_ffff),
    ),
    inert(0x234, "unk234"),
    hard(0x238, "txc_cylwrap", Any, Do(cylwrap)),
    open(
        0x2b8,
        "viewport_offset",
        Any,
        Word(VIEWPORT_OFFSET, 0x1fff_1fff),
    ),
    open(
        0x2bc,
        "clip_rect_mode",
        Below(2),
        Field(field_at(RASTER, RASTER::CLIP_RECT_MODE, Nv30)),
    ),
    open(0x2c0, "clip_rect_horiz", Any, Do(clip_rect))
        .every(8, 8)
        .p(0),
    open(0x2c4, "clip_rect_vert", Any, Do(clip_rect))
        .every(8, 8)
        .p(1),
    soft(
        0x300,
        "dither_enable",
        Soft::Bool,
        Field(field_at(CONFIG_A, CONFIG_A::DITHER_ENABLE, Nv30)),
    ),
    soft(
        0x304,
        "alpha_func_enable",
        Soft::Bool,
        Field(field_at(CONFIG_A, CONFIG_A::ALPHA_FUNC_ENABLE, Nv30)),
    ),
    soft(
        0x308,
        "alpha_func_func",
        FUNC,
        Field(field_at(CONFIG_A, CONFIG_A::ALPHA_FUNC, Nv30)),
    ),
    soft(0x30c, "alpha_func_ref", Soft::Any, Do(alpha_ref)).check(Rule(alpha_ref_ok)),
    soft(0x310, "blend_func_enable", Soft::Bool, Do(blend_enable)),
    soft(
        0x314,
        "blend_func_src",
        Soft::Rule(factors),
        Do(set_factors),
    )
    .p(0),
    soft(
        0x318,
        "blend_func_dst",
        Soft::Rule(factors),
        Do(set_factors),
    )
    .p(1),
    soft(0x31c, "blend_color", Soft::Any, Word(BLEND_COLOR, !0)),
    soft(
        0x320,
        "blend_equation",
        Soft::Rule(equations),
        Do(set_equations),
    ),
    soft(0x324, "color_mask", Soft::Mask(0x0101_0101), Do(color_mask)),
    soft(
        0x328,
        "stencil_enable",
        Soft::Bool,
        Field(field_at(STENCIL_A, STENCIL_A::STENCIL_ENABLE, Nv30)),
    ),
    soft(
        0x32c,
        "stencil_mask",
        Soft::Any,
        Field(field_at(STENCIL_A, STENCIL_A::STENCIL_MASK, Nv30)),
    ),
    soft(
        0x330,
        "stencil_func",
        FUNC,
        Field(field_at(STENCIL_A, STENCIL_A::STENCIL_FUNC, Nv30)),
    ),
    soft(
        0x334,
        "stencil_func_ref",
        Soft::Any,
        Field(field_at(STENCIL_A, STENCIL_A::STENCIL_FUNC_REF, Nv30)),
    )
    .check(Below(0x100)),
    soft(
        0x338,
        "stencil_func_mask",
        Soft::Any,
        Field(field_at(STENCIL_A, STENCIL_A::STENCIL_FUNC_MASK, Nv30)),
    ),
    soft(
        0x33c,
        "stencil_op_fail",
        OP,
        Field(field_at(STENCIL_B, STENCIL_B::STENCIL_OP_FAIL, Nv30)),
    ),
    soft(
        0x340,
        "stencil_op_zfail",
        OP,
        Field(field_at(STENCIL_B, STENCIL_B::STENCIL_OP_ZFAIL, Nv30)),
    ),
    soft(
        0x344,
        "stencil_op_zpass",
        OP,
        Field(field_at(STENCIL_B, STENCIL_B::STENCIL_OP_ZPASS, Nv30)),
    ),
    soft(
        0x348,
        "stencil_back_enable",
        Soft::Bool,
        Field(field_at(STENCIL_A, STENCIL_A::STENCIL_BACK_ENABLE, Nv30)),
    ),
    soft(
        0x34c,
        "stencil_back_mask",
        Soft::Any,
        Field(field_at(STENCIL_C, STENCIL_C::STENCIL_BACK_MASK, Nv30)),
    ),
    soft(
        0x350,
        "stencil_back_func",
        FUNC,
        Field(field_at(STENCIL_D, STENCIL_D::STENCIL_BACK_FUNC, Nv30)),
    ),
    soft(
        0x354,
        "stencil_back_func_ref",
        Soft::Any,
        Field(field_at(STENCIL_D, STENCIL_D::STENCIL_BACK_FUNC_MASK, Nv30)),
    )
    .check(Below(0x100)),
    soft(
        0x358,
        "stencil_back_func_mask",
        Soft::Any,
        Field(field_at(STENCIL_D, STENCIL_D::STENCIL_BACK_FUNC_REF, Nv30)),
    ),
    soft(
        0x35c,
        "stencil_back_op_fail",
        OP,
        Field(field_at(STENCIL_C, STENCIL_C::STENCIL_BACK_OP_FAIL, Nv30)),
    ),
    soft(
        0x360,
        "stencil_back_op_zfail",
        OP,
        Field(field_at(STENCIL_C, STENCIL_C::STENCIL_BACK_OP_ZFAIL, Nv30)),
    ),
    soft(
        0x364,
        "stencil_back_op_zpass",
        OP,
        Field(field_at(STENCIL_C, STENCIL_C::STENCIL_BACK_OP_ZPASS, Nv30)),
    ),
    soft(
        0x368,
        "shade_mode",
        gl::SHADE,
        Field(field_at(CONFIG_B, CONFIG_B::SHADE_MODE, Nv30)),
    ),
    soft(
        0x374,
        "color_logic_op_enable",
        Soft::Bool,
        Field(field_at(BLEND, BLEND::COLOR_LOGIC_OP_ENABLE, Nv30)),
    ),
    soft(
        0x378,
        "color_logic_op_op",
        gl::LOGIC_OP,
        Field(field_at(BLEND, BLEND::COLOR_LOGIC_OP_OP, Nv30)),
    ),
    hard(
        0x380,
        "depth_bounds_enable",
        Mask(1),
        Field(field_at(Z_CONFIG, Z_CONFIG::CURIE_UNK5, Nv40)),
    ),
    hard(0x384, "depth_bounds_min", Any, Word(DEPTH_BOUNDS_MIN, !0)),
    hard(0x388, "depth_bounds_max", Any, Word(DEPTH_BOUNDS_MAX, !0)),
    hard(0x394, "depth_range_near", Any, Word(DEPTH_RANGE_NEAR, !0)),
    hard(0x398, "depth_range_far", Any, Word(DEPTH_RANGE_FAR, !0)),
    hard(0x3b0, "config", Mask(0x7111_1101), Do(config)),
    soft(
        0x3b8,
        "line_width",
        Soft::Any,
        Field(field_at(RASTER, RASTER::LINE_WIDTH, Nv30)),
    )
    .check(Below(0x200)),
    soft(
        0x3bc,
        "line_smooth_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::LINE_SMOOTH_ENABLE, Nv30)),
    ),
    free(0x8c0, "scissor_h", Any, Do(rectangle)).p(4),
    free(0x8c4, "scissor_v", Any, Do(rectangle)).p(5),
    soft(0x8d0, "fog_coeff", Soft::Any, Do(fog_coeff)).n(3),
    hard(0x8e4, "ps_offset", Rule(ps_offset_ok), Do(ps_offset)),
    free(0xa00, "viewport_h", Any, Do(rectangle)).p(2),
    free(0xa04, "viewport_v", Any, Do(rectangle)).p(3),
    hard(
        0xa0c,
        "unka0c",
        Below(2),
        Field(field_at(CONFIG_B, CONFIG_B::KELVIN_UNKA0C, Nv30)),
    ),
    soft(
        0xa60,
        "polygon_offset_point_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::POLYGON_OFFSET_POINT_ENABLE, Nv30)),
    ),
    soft(
        0xa64,
        "polygon_offset_line_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::POLYGON_OFFSET_LINE_ENABLE, Nv30)),
    ),
    soft(
        0xa68,
        "polygon_offset_fill_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::POLYGON_OFFSET_FILL_ENABLE, Nv30)),
    ),
    soft(
        0xa6c,
        "depth_func",
        FUNC,
        Field(field_at(CONFIG_A, CONFIG_A::DEPTH_FUNC, Nv30)),
    ),
    soft(
        0xa70,
        "depth_write_enable",
        Soft::Bool,
        Field(field_at(CONFIG_A, CONFIG_A::DEPTH_WRITE_ENABLE, Nv30)),
    ),
    soft(
        0xa74,
        "depth_test_enable",
        Soft::Bool,
        Field(field_at(CONFIG_A, CONFIG_A::DEPTH_TEST_ENABLE, Nv30)),
    ),
    soft(
        0xa78,
        "polygon_offset_factor",
        Soft::Any,
        Word(POLYGON_OFFSET_FACTOR, !0),
    ),
    soft(
        0xa7c,
        "polygon_offset_units",
        Soft::Any,
        Word(POLYGON_OFFSET_UNITS, !0),
    ),
    soft(0x1428, "specular_enable", Soft::Bool, Do(specular)),
    hard(0x142c, "light_two_side_enable", Below(2), Do(two_side)).guard(Guard::Warn),
    hard(0x1450, "unk3f0", Any, Do(unk3f0)),
    open(
        0x1454,
        "flatshade_first",
        Below(2),
        Field(field_at(CONFIG_B, CONFIG_B::PROVOKING_VERTEX, Nv30)),
    ),
    soft(0x1478, "clip_plane_enable", Soft::Any, Do(clip_planes)).check(Mask(0x33_3333)),
    hard(
        0x147c,
        "polygon_stipple_enable",
        Below(2),
        Field(field_at(
            LINE_STIPPLE,
            LINE_STIPPLE::POLYGON_STIPPLE_ENABLE,
            Nv30,
        )),
    ),
    hard(0x1480, "polygon_stipple", Any, Trigger(POLYGON_STIPPLE)).n(32),
    hard(
        0x17c8,
        "zpass_counter_reset",
        Below(3),
        Trigger(ZPASS_COUNTER_RESET),
    ),
    hard(
        0x17cc,
        "zpass_counter_enable",
        Below(2),
        Field(field_at(CONFIG_B, CONFIG_B::ZPASS_COUNTER_ENABLE, Nv30)),
    ),
    hard(0x1800, "zpass_counter_read", Any, Do(report)),
    soft(
        0x1828,
        "polygon_mode_front",
        gl::POLYGON_MODE,
        Field(field_at(RASTER, RASTER::POLYGON_MODE_FRONT, Nv30)),
    ),
    soft(
        0x182c,
        "polygon_mode_back",
        gl::POLYGON_MODE,
        Field(field_at(RASTER, RASTER::POLYGON_MODE_BACK, Nv30)),
    ),
    soft(
        0x1830,
        "cull_face",
        gl::FACE,
        Field(field_at(RASTER, RASTER::CULL_FACE, Nv30)),
    ),
    soft(
        0x1834,
        "front_face",
        gl::WINDING,
        Field(field_at(RASTER, RASTER::FRONT_FACE, Nv30)),
    ),
    soft(
        0x1838,
        "polygon_smooth_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::POLYGON_SMOOTH_ENABLE, Nv30)),
    ),
    soft(
        0x183c,
        "cull_face_enable",
        Soft::Bool,
        Field(field_at(RASTER, RASTER::CULL_FACE_ENABLE, Nv30)),
    ),
    hard(0x1d60, "ps_control", Any, Do(ps_control)),
    open(0x1d6c, "fence_offset", Any, Word(FENCE_OFFSET, !0)),
    open(0x1d70, "fence_write_a", Any, Do(fence_write)),
    open(0x1d74, "fence_write_b", Any, Do(fence_write)),
    hard(0x1d78, "depth_clamp", Mask(0x1111), Do(depth_clamp)),
    hard(
        0x1d7c,
        "multisample",
        Mask(0xffff_0111),
        Word(MULTISAMPLE, 0xffff_0111),
    ),
    hard(
        0x1d80,
        "unk1d80",
        Below(4),
        Spread(
            Z_CONFIG,
            &[
                bits_to(0, Z_CONFIG::COMPRESS_ZBUFFER_ENABLE, Nv30),
                bits_to(1, Z_CONFIG::RANKINE_UNK7, Nv30),
            ],
        ),
    ),
    open(
        0x1d84,
        "unk1d84",
        Mask(0xc000_0003),
        Spread(
            Z_CONFIG,
            &[
                moved(OCCLUDE_DATA::Z_ENABLE, Z_CONFIG::OCCLUDE_Z_ENABLE, Nv30),
                moved(
                    OCCLUDE_DATA::STENCIL_ENABLE,
                    Z_CONFIG::OCCLUDE_STENCIL_ENABLE,
                    Nv30,
                ),
                moved(OCCLUDE_DATA::UNK31, Z_CONFIG::OCCLUDE_UNK31, Nv30),
                bits_to(30, Z_CONFIG::RANKINE_UNK30, Nv30),
            ],
        ),
    ),
    open(
        0x1d88,
        "window_config",
        Mask(0x1_1fff),
        Spread(
            WINDOW_OFFSET,
            &[
                moved(COORD_CONVENTIONS_DATA::HEIGHT, WINDOW_OFFSET::HEIGHT, Nv30),
                moved(COORD_CONVENTIONS_DATA::ORIGIN, WINDOW_OFFSET::ORIGIN, Nv30),
                moved(COORD_CONVENTIONS_DATA::CENTER, WINDOW_OFFSET::CENTER, Nv30),
            ],
        ),
    ),
    hard(0x1d8c, "clear_zeta", Any, Word(CLEAR_ZETA, !0)),
    hard(0x1d90, "clear_color", Any, Word(CLEAR_COLOR, !0)),
    hard(
        0x1d94,
        "clear_trigger",
        Any,
        Do(|fe, c| fe.out.push(Event::Clear(c.v))),
    ),
    open(0x1d98, "clear_h", Any, Do(clear_hv)).p(0),
    open(0x1d9c, "clear_v", Any, Do(clear_hv)).p(1),
    hard(
        0x1da0,
        "clear_clipid_trigger",
        Any,
        Trigger(CLEAR_CLIPID_TRIGGER),
    ),
    open(
        0x1da4,
        "clipid_enable",
        Below(2),
        Field(field_at(Z_CONFIG, Z_CONFIG::CLIPID_ENABLE, Nv30)),
    ),
    open(0x1da8, "clipid_id", Mask(0xff), Word(CLIPID_ID, 0xff)),
    hard(
        0x1dac,
        "primitive_restart_enable",
        Mask(1),
        Word(PRIMITIVE_RESTART_ENABLE, 1),
    ),
    hard(
        0x1db0,
        "primitive_restart_index",
        Any,
        Word(PRIMITIVE_RESTART_INDEX, !0),
    ),
    hard(
        0x1db4,
        "line_stipple_enable",
        Below(2),
        Field(field_at(
            LINE_STIPPLE,
            LINE_STIPPLE::LINE_STIPPLE_ENABLE,
            Nv30,
        )),
    ),
    hard(
        0x1db8,
        "line_stipple_pattern",
        Mask(0xffff_00ff),
        Spread(LINE_STIPPLE, gl::LINE_STIPPLE_BITS),
    ),
    hard(0x1dbc, "unk1dbc", Below(3), Word(KELVIN_UNK1DBC, 3)),
    hard(
        0x1dc0,
        "unk1dc0",
        Mask(0xf8f8_f8f8),
        Word(KELVIN_UNK1DC0, 0xf8f8_f8f8),
    )
    .n(4),
    soft(0x1ee0, "point_size", Soft::Any, Word(POINT_SIZE, !0)),
    soft(0x1ee4, "point_params_enable", Soft::Bool, Do(point_params)),
    hard(
        0x1ee8,
        "point_sprite",
        Any,
        Spread(CONFIG_B, gl::POINT_SPRITE_BITS),
    ),
];

/// Rankine only.
pub(crate) const RANKINE: &[Row] = &[
    free(0x1b0, "dma_zcull", Any, Always(object::dma_zcull))
        .dma()
        .p(1),
    free(
        0x20c,
        "surf_pitch",
        Rule(surface::pitch_ok),
        Always(surface::pitch),
    ),
    free(0x22c, "surf_pitch_zcull", Any, Word(ZCULL_PITCH, 0xffff)),
    free(
        0x230,
        "surf_offset_zcull",
        Any,
        Word(ZCULL_OFFSET, 0x3fff_ffff),
    ),
    hard(0x23c, "txc_enable", Mask(0xff), Do(txc_enable)),
    soft(
        0x36c,
        "fog_enable",
        Soft::Bool,
        Both(
            field_at(CONFIG_B, CONFIG_B::FOG_ENABLE, Nv30),
            (Mode::B, 19, 1),
        ),
    ),
    hard(
        0x370,
        "fog_color",
        Any,
        Spread(FOG_COLOR, gl::FOG_COLOR_BITS),
    ),
    inert(0x39c, "idx_unk1828"),
    soft(
        0x8cc,
        "fog_mode",
        Soft::Rule(gl::fog_mode),
        Field(field_at(CONFIG_B, CONFIG_B::FOG_MODE, Nv30)),
    ),
    hard(0x8ec, "rc_final_factor", Any, Word(RC_FINAL_FACTOR, !0)).n(2),
    hard(0x8f4, "rc_final_a", Any, Word(RC_FINAL_A, 0x3f3f_3f3f)),
    hard(0x8f8, "rc_final_b", Any, Word(RC_FINAL_B, 0x3f3f_3fe0)),
    hard(
        0x8fc,
        "rc_config",
        Mask(0x1f1_110f),
        Word(RC_CONFIG, 0x1f1_110f),
    ),
    hard(0x900, "rc_in_alpha", Any, Word(RC_IN_ALPHA, !0)).every(8, 0x20),
    hard(0x904, "rc_in_color", Any, Word(RC_IN_COLOR, !0)).every(8, 0x20),
    hard(0x908, "rc_factor_a", Any, Word(RC_FACTOR_A, !0)).every(8, 0x20),
    hard(0x90c, "rc_factor_b", Any, Word(RC_FACTOR_B, !0)).every(8, 0x20),
    hard(0x910, "rc_out_alpha", Any, Word(RC_OUT_ALPHA, 0x03c7_cfff)).every(8, 0x20),
    hard(0x914, "rc_out_color", Any, Word(RC_OUT_COLOR, 0x07ff_ffff)).every(8, 0x20),
    free(0xa08, "unka08", Any, Trigger(UNKA08)),
    hard(
        0xa40,
        "unka40",
        Mask(0x3_0117),
        Spread(
            RANKINE_UNK0A40,
            &[
                bits_to_part(0, RANKINE_UNK0A40::UNK0, (0, 3), Nv30),
                bits_to_part(4, RANKINE_UNK0A40::UNK0, (3, 1), Nv30),
                bits_to_part(8, RANKINE_UNK0A40::UNK0, (4, 1), Nv30),
                bits_to(16, RANKINE_UNK0A40::UNK11, Nv30),
            ],
        ),
    ),
    open(0x1d64, "state_save", Any, Nop),
    open(0x1d68, "state_restore", Any, Nop),
];

/// Curie only.
pub(crate) const CURIE: &[Row] = &[
    free(0x1b0, "dma_unk0b0", Any, Nop).dma(),
    free(0x1b4, "dma_surf_color_c", Any, Always(dma_color))
        .dma()
        .p(7),
    free(0x1b8, "dma_surf_color_d", Any, Always(dma_color))
        .dma()
        .p(8),
    free(0x20c, "color_a_pitch", Any, Do(pitch)).p(COLOR),
    free(0x22c, "zeta_pitch", Any, Do(pitch)).p(ZETA),
    hard(
        0x23c,
        "txc_cylwrap_b",
        Mask(0xff),
        Word(TXC_CYLWRAP_B, 0xff),
    ),
    free(
        0x260,
        "clipid_rect_horiz",
        Any,
        Word(CLIPID_RECT_HORIZ, 0x1fff_0fff),
    )
    .every(4, 8),
    free(
        0x264,
        "clipid_rect_vert",
        Any,
        Word(CLIPID_RECT_VERT, 0x1fff_0fff),
    )
    .every(4, 8),
    free(0x280, "color_c_pitch", Any, Do(color_pitch)).p(7),
    free(0x284, "color_d_pitch", Any, Do(color_pitch)).p(8),
    free(0x288, "color_c_offset", Any, Do(color_offset)).p(7),
    free(0x28c, "color_d_offset", Any, Do(color_offset)).p(8),
    hard(
        0x36c,
        "blend_func_enable_mrt",
        Mask(0xe),
        Spread(BLEND, &[bits_to(1, BLEND::CURIE_UNK29, Nv40)]),
    ),
    hard(
        0x370,
        "color_mask_mrt",
        Mask(0xfff0),
        Spread(
            COLOR_MASK,
            // The first target's mask has a method of its own.
            &[bits_to_part(4, COLOR_MASK::MASK, (4, 12), Nv40)],
        ),
    ),
    soft(0x37c, "bundle_unk0e5", Soft::Any, Word(CURIE_UNK0E5, !0)),
    inert(0x38c, "unk38c"),
    soft(
        0x8cc,
        "fog_mode",
        Soft::Rule(gl::fog_mode),
        Field(field_at(CONFIG_B, CONFIG_B::FOG_MODE, Nv30)),
    ),
    hard(
        0x8e0,
        "bundle_unk0e6",
        Mask(0x13ff_cfff),
        Spread(CURIE_UNK0E6, &[(0, 0, 12), (14, 12, 12), (28, 24, 1)]),
    ),
    inert(0xa1c, "unka1c"),
    inert(0x1430, "unk1430").n(2),
    inert(0x1438, "unk1438"),
    inert(0x1804, "unk1804"),
    open(
        0x1d64,
        "xf_bundle_unk0e7",
        Any,
        Word(XF_UNK0E7, 0x03ff_03ff),
    ),
    inert(0x1e98, "unk1e98"),
    inert(0x1ea4, "unk1ea4").n(3),
    free(0x1eec, "bundle_unk0e1", Any, Word(CURIE_UNK0E1, !0)),
    inert(0x1ef0, "unk1ef0"),
    free(0x1ef4, "bundle_unk0e2", Any, Word(CURIE_UNK0E2, !0)),
    // Drops cached texels; there are none that memory does not know.
    inert(0x1fd8, "tex_cache_ctl"),
    inert(0x1fdc, "unk1fdc"),
    free(0x1fe0, "bundle_unk0e9", Any, Word(CURIE_UNK0E9, !0)).n(4),
    free(0x1ff8, "bundle_unk0ed", Any, Word(CURIE_UNK0ED, !0)),
];
