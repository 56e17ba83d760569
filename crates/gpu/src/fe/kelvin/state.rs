//! Raster, depth, stencil, blend and surface state.

use isotherm_regs::bundle::*;

use crate::bundle::Event;
use crate::fe::Fe;
use crate::fe::bits::{bit, ext, ins};
use crate::fe::chips::Kind;
use crate::fe::object;
use crate::fe::surface::{self, COLOR, ZETA};
use crate::fe::table::Check::{Any, Below, Mask, Rule};
use crate::fe::table::Op::{Always, Both, Do, Field, Spread, Trigger, Word};
use crate::fe::table::{
    Call, Guard, Mode, Move, Row, Soft, field_at, free, hard, moved, open, soft,
};
use crate::fe::traps::warning;
use isotherm_regs::Chip::{Nv20, Nv25};
use isotherm_regs::method::{
    COLOR_MASK_DATA, CONTROL, FOG_COLOR_DATA, LINE_STIPPLE_DATA, POINT_SPRITE_DATA,
};

/// GL comparison functions, in order.
pub(crate) const FUNC: Soft = Soft::Range(0x200, 8);
/// GL stencil operations.
pub(crate) const STENCIL_OP: Soft = Soft::Enum(&[
    (0, 2),
    (0x150a, 6),
    (0x1e00, 1),
    (0x1e01, 3),
    (0x1e02, 4),
    (0x1e03, 5),
    (0x8507, 7),
    (0x8508, 8),
]);
/// GL blend factors.
pub(crate) const BLEND_FACTOR: Soft = Soft::Enum(&[
    (0, 0),
    (1, 1),
    (0x300, 2),
    (0x301, 3),
    (0x302, 4),
    (0x303, 5),
    (0x304, 6),
    (0x305, 7),
    (0x306, 8),
    (0x307, 9),
    (0x308, 0xa),
    (0x8001, 0xc),
    (0x8002, 0xd),
    (0x8003, 0xe),
    (0x8004, 0xf),
]);
/// GL polygon modes.
pub(crate) const POLYGON_MODE: Soft = Soft::Enum(&[(0x1b00, 1), (0x1b01, 2), (0x1b02, 0)]);
/// GL faces.
pub(crate) const FACE: Soft = Soft::Enum(&[(0x404, 1), (0x405, 2), (0x408, 3)]);
/// GL winding orders.
pub(crate) const WINDING: Soft = Soft::Range(0x900, 2);
/// GL shade models.
pub(crate) const SHADE: Soft = Soft::Range(0x1d00, 2);
/// GL logic operations.
pub(crate) const LOGIC_OP: Soft = Soft::Range(0x1500, 16);
/// Bits of a COLOR_MASK word and where they are kept.
pub(crate) const COLOR_MASK_BITS: &[Move] = &[
    moved(COLOR_MASK_DATA::B, CONFIG_A::COLOR_MASK_B, Nv20),
    moved(COLOR_MASK_DATA::G, CONFIG_A::COLOR_MASK_G, Nv20),
    moved(COLOR_MASK_DATA::R, CONFIG_A::COLOR_MASK_R, Nv20),
    moved(COLOR_MASK_DATA::A, CONFIG_A::COLOR_MASK_A, Nv20),
];

/// The blend equation; the reverse and signed ones came with Kelvin.
pub(crate) fn blend_equation(fe: &Fe, c: Call) -> Result<u32, u32> {
    let kelvin = fe.kind >= Kind::Kelvin;
    match c.v {
        0x8006 => Ok(2),
        0x8007 => Ok(3),
        0x8008 => Ok(4),
        0x800a => Ok(0),
        0x800b => Ok(1),
        0xf005 if kelvin => Ok(5),
        0xf006 if kelvin => Ok(6),
        0xf007 if kelvin && fe.class != 0x97 => Ok(7),
        _ => Err(warning::ENUM),
    }
}

pub(crate) fn fog_mode(_: &Fe, c: Call) -> Result<u32, u32> {
    match c.v {
        0x2601 => Ok(0),
        0x800 => Ok(1),
        0x801 => Ok(3),
        0x802 => Ok(5),
        0x803 => Ok(7),
        0x804 => Ok(4),
        _ => Err(warning::ENUM),
    }
}

/// FOG_MODE: the mode to CONFIG_B, "is exponential" to XF.
pub(crate) fn set_fog_mode(fe: &mut Fe, c: Call) {
    fe.field(const { field_at(CONFIG_B, CONFIG_B::FOG_MODE, Nv20) }, c.v);
    if fe.g.kelvin() {
        ins(&mut fe.r.xf_mode_b, 21, 1, c.v);
        fe.send_mode();
    }
}

fn fog_coord_ok(_: &Fe, c: Call) -> bool {
    c.v < 4 || c.v == 6
}

fn fog_coord(fe: &mut Fe, c: Call) {
    let source = if c.v & 7 == 6 { 4 } else { c.v & 7 };
    ins(&mut fe.r.xf_mode_b, 22, 3, source);
    fe.send_mode();
}

/// FOG_COLOR: red and blue change places.
pub(crate) const FOG_COLOR_BITS: &[Move] = &[
    moved(FOG_COLOR_DATA::B, FOG_COLOR::B, Nv20),
    moved(FOG_COLOR_DATA::G, FOG_COLOR::G, Nv20),
    moved(FOG_COLOR_DATA::R, FOG_COLOR::R, Nv20),
    moved(FOG_COLOR_DATA::A, FOG_COLOR::A, Nv20),
];

/// Point sprites, from NV25 on.
pub(crate) const POINT_SPRITE_BITS: &[Move] = &[
    moved(
        POINT_SPRITE_DATA::ENABLE,
        CONFIG_B::POINT_SPRITE_ENABLE,
        Nv25,
    ),
    moved(
        POINT_SPRITE_DATA::R_MODE,
        CONFIG_B::POINT_SPRITE_R_MODE,
        Nv25,
    ),
    moved(
        POINT_SPRITE_DATA::COORD_REPLACE,
        CONFIG_B::POINT_SPRITE_COORD_REPLACE,
        Nv25,
    ),
];

/// Line stipple, from NV25 on.
pub(crate) const LINE_STIPPLE_BITS: &[Move] = &[
    moved(
        LINE_STIPPLE_DATA::FACTOR,
        LINE_STIPPLE::LINE_STIPPLE_FACTOR,
        Nv25,
    ),
    moved(
        LINE_STIPPLE_DATA::PATTERN,
        LINE_STIPPLE::LINE_STIPPLE_PATTERN,
        Nv25,
    ),
];

/// FOG_COEFF: two are bundles, the third sends all three to LT.
pub(crate) fn fog_coeff(fe: &mut Fe, c: Call) {
    if c.i < 2 {
        fe.put(FOG_COEFF, c.i, c.v);
    } else if fe.g.kelvin() {
        let (a, b) = (fe.word(FOG_COEFF, 0), fe.word(FOG_COEFF, 1));
        fe.load_ltctx_row(0x45, [a, b, c.v]);
    }
}

fn clip_ok(fe: &Fe, c: Call) -> bool {
    let reserved = if fe.kind == Kind::Celsius {
        0x8000
    } else {
        0xf000_f000
    };
    c.v & reserved == 0
}

fn clip(fe: &mut Fe, c: Call) {
    fe.put(CLIP_HV, c.p, c.v);
    fe.surface_clip(c.p, c.v);
}

fn clip_rect_ok(fe: &Fe, c: Call) -> bool {
    // Celsius coordinates are signed.
    let flip = if fe.kind == Kind::Celsius { 0x800 } else { 0 };
    c.v & 0xf000_f000 == 0 && ext(c.v, 0, 12) ^ flip <= ext(c.v, 16, 12) ^ flip
}

/// A clip rectangle replaces all later ones too; only its own bundle is sent.
fn clip_rect(fe: &mut Fe, c: Call) {
    let bundle = if c.p == 0 {
        CLIP_RECT_HORIZ
    } else {
        CLIP_RECT_VERT
    };
    let mut value = c.v & 0x0fff_0fff;
    if fe.kind == Kind::Celsius {
        value ^= 0x0800_0800;
    }
    for i in c.i + 1..8 {
        fe.keep(bundle, i, value);
    }
    fe.put(bundle, c.i, value);
}

fn config_ok(fe: &Fe, c: Call) -> bool {
    let zcull = ext(c.v, 28, 3);
    c.v & !0x7111_1001 == 0 && zcull <= if fe.class == 0x97 { 2 } else { 3 }
}

/// CONFIG: bits of three words.
/// Where CONTROL's fields go: to CONFIG_A, CONFIG_B and RASTER. The chip decides which of the
/// words have them.
pub(crate) fn control_words(fe: &Fe, data: u32) -> [u32; 3] {
    let chip = fe.chip();
    let mut words = [
        fe.word(CONFIG_A, 0),
        fe.word(CONFIG_B, 0),
        fe.word(RASTER, 0),
    ];
    let moves = [
        (
            0,
            CONTROL::STENCIL_WRITE_ENABLE,
            CONFIG_A::STENCIL_WRITE_ENABLE,
        ),
        (
            0,
            CONTROL::DEPTH_PERSPECTIVE_ENABLE,
            CONFIG_A::DEPTH_PERSPECTIVE_ENABLE,
        ),
        (
            0,
            CONTROL::COLOR_SPACE_CONVERT,
            CONFIG_A::COLOR_SPACE_CONVERT,
        ),
        (
            1,
            CONTROL::PREMULTIPLIED_ALPHA,
            CONFIG_B::PREMULTIPLIED_ALPHA,
        ),
        (
            1,
            CONTROL::TEXTURE_PERSPECTIVE_ENABLE,
            CONFIG_B::TEXTURE_PERSPECTIVE_ENABLE,
        ),
        (
            1,
            CONTROL::COLOR_SPACE_CONVERT,
            CONFIG_B::CELSIUS_CONFIG_UNK28,
        ),
        (
            1,
            CONTROL::COLOR_SPACE_CONVERT,
            CONFIG_B::COLOR_SPACE_CONVERT,
        ),
        (2, CONTROL::Z_FORMAT, RASTER::Z_FORMAT),
    ];
    for (word, from, to) in moves {
        words[word] = to.with(chip, words[word], from.get(chip, data));
    }
    words
}

fn config(fe: &mut Fe, c: Call) {
    let [a, b, raster] = control_words(fe, c.v);
    fe.put(CONFIG_A, 0, a);
    fe.put(CONFIG_B, 0, b);
    fe.put(RASTER, 0, raster);
}

fn point_size_ok(fe: &Fe, c: Call) -> Result<u32, u32> {
    let fixed = fe.kind == Kind::Celsius || fe.class == 0x97;
    if fixed && c.v >= 0x200 {
        Err(warning::RANGE)
    } else {
        Ok(c.v)
    }
}

/// POINT_SIZE: 6.3 fixed point before NV25, float after; NV25 converts what 97h sends.
fn point_size(fe: &mut Fe, c: Call) {
    let value = if !fe.g.nv25p {
        c.v & 0x1ff
    } else if fe.class == 0x97 && c.v != 0 {
        let shift = (c.v & 0x1ff).leading_zeros() - 23;
        (0x84 - shift) << 23 | (c.v << shift & 0xff) << 15
    } else {
        c.v
    };
    fe.put(POINT_SIZE, 0, value);
}

fn unk3f0_ok(fe: &Fe, c: Call) -> bool {
    let mode = ext(c.v, 0, 4);
    c.v & !0x8000_000f == 0
        && !(fe.kind == Kind::Celsius && mode > 3)
        && (mode <= 4 || mode == 0xf)
        && (!bit(c.v, 31) || fe.class == 0x597)
}

fn unk3f0(fe: &mut Fe, c: Call) {
    let mut raster = fe.word(RASTER, 0);
    ins(&mut raster, 25, 3, c.v);
    if fe.g.nv25p {
        ins(&mut raster, 4, 1, ext(c.v, 31, 1));
    }
    fe.put(RASTER, 0, raster);
}

/// LIGHT_TWO_SIDE_ENABLE takes 0 and 1, and warns inside BEGIN/END.
fn stipple_ok(fe: &Fe, c: Call) -> bool {
    c.v < if fe.class == 0x597 { 4 } else { 2 }
}

fn stipple_enable(fe: &mut Fe, c: Call) {
    if fe.g.nv25p {
        fe.field((LINE_STIPPLE, 0, 2), c.v);
    } else {
        fe.field(
            const { field_at(RASTER, RASTER::POLYGON_STIPPLE_ENABLE, Nv20) },
            c.v,
        );
    }
}

fn fence_offset_ok(fe: &Fe, c: Call) -> bool {
    let mask = if fe.g.nv20 { 0xffc } else { 0xff0 };
    c.v & !mask == 0
}

fn depth_clamp(fe: &mut Fe, c: Call) {
    let mut raster = fe.word(RASTER, 0);
    ins(&mut raster, 5, 1, ext(c.v, 8, 1));
    ins(&mut raster, 30, 1, ext(c.v, 0, 1));
    fe.put(RASTER, 0, raster);
    fe.field(
        const { field_at(Z_CONFIG, Z_CONFIG::DEPTH_CLAMP, Nv20) },
        ext(c.v, 4, 1),
    );
}

fn unk1d84_ok(fe: &Fe, c: Call) -> bool {
    let mask = if fe.class == 0x97 { 3 } else { 0x8000_0003 };
    c.v & !mask == 0
}

fn unk1d84(fe: &mut Fe, c: Call) {
    let mut word = fe.word(Z_CONFIG, 0);
    ins(&mut word, 1, 2, c.v);
    if fe.g.nv25p {
        ins(&mut word, 31, 1, ext(c.v, 31, 1));
    }
    fe.put(Z_CONFIG, 0, word);
}

fn clear_hv_ok(_: &Fe, c: Call) -> bool {
    c.v & !0x0fff_0fff == 0 && ext(c.v, 0, 16) <= ext(c.v, 16, 16)
}

fn clear_hv(fe: &mut Fe, c: Call) {
    fe.put(CLEAR_HV, c.p, c.v & 0x0fff_0fff);
}

/// CLEAR: the surfaces that the data's bits name.
fn clear(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Clear(c.v));
}

/// Fences are released where FENCE_OFFSET says.
fn fence_write(fe: &mut Fe, c: Call) {
    let offset = fe.word(FENCE_OFFSET, 0);
    fe.out.push(Event::SemaphoreRelease { offset, value: c.v });
}

/// ZPASS_COUNTER_READ: type above, offset below.
fn zpass_read(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Report {
        kind: (c.v >> 24) as u8,
        offset: c.v & 0x00ff_ffff,
    });
}

fn surf_pitch_ok(_: &Fe, c: Call) -> bool {
    c.v & !0xff80 == 0 && c.v != 0
}

/// STATE_SAVE only leaves a mark.
fn state_save(fe: &mut Fe, _: Call) {
    ins(&mut fe.r.fe3d_misc, 20, 1, 1);
}

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

/// The ZCULL and CLIPID surface registers mind data errors only.
fn surface_word(fe: &mut Fe, bundle: Bundle, value: u32) {
    if !bit(fe.r.nsource, 1) {
        fe.put(bundle, 0, value);
    }
}

fn pitch_clipid(fe: &mut Fe, c: Call) {
    surface_word(fe, CLIPID_PITCH, c.v & 0xffff);
}

fn offset_clipid(fe: &mut Fe, c: Call) {
    surface_word(fe, CLIPID_OFFSET, c.v & 0x3fff_ffff);
}

fn pitch_zcull(fe: &mut Fe, c: Call) {
    surface_word(fe, ZCULL_PITCH, c.v & 0xffff);
}

fn offset_zcull(fe: &mut Fe, c: Call) {
    surface_word(fe, ZCULL_OFFSET, c.v & 0x3fff_ffff);
}
