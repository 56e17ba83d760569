//! GL values, and what state methods do beyond replacing a field of a word.

use isotherm_regs::Chip::{Nv20, Nv25};
use isotherm_regs::bundle::*;
use isotherm_regs::field::Field;
use isotherm_regs::method::{
    COLOR_MASK_DATA, CONTROL, DEPTH_CLAMP, FOG_COLOR_DATA, LINE_STIPPLE_DATA, OCCLUDE_DATA,
    POINT_SPRITE_DATA, POLYGON_STIPPLE_ENABLE_DATA, QUERY_GET, SWATH_WIDTH_DATA,
};
use isotherm_regs::pgraph::{FE3D_MISC, NSOURCE};
use isotherm_regs::xf::ctx;
use isotherm_regs::xf::mode::XFMODE_B;

use crate::Fe;
use crate::chips::Kind;
use crate::table::{Call, Move, Soft};
use crate::traps::warning;
use crate::words::Edit;
use isotherm_bus::bundle::Event;

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
    (COLOR_MASK_DATA::B, CONFIG_A::COLOR_MASK_B),
    (COLOR_MASK_DATA::G, CONFIG_A::COLOR_MASK_G),
    (COLOR_MASK_DATA::R, CONFIG_A::COLOR_MASK_R),
    (COLOR_MASK_DATA::A, CONFIG_A::COLOR_MASK_A),
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
    fe.put_field(CONFIG_B, CONFIG_B::FOG_MODE, c.v);
    if fe.g.kelvin() {
        XFMODE_B::FOG_MODE_EXP.write(&mut fe.r.xf_mode_b, c.v);
        fe.send_mode();
    }
}

pub(crate) fn fog_coord_ok(_: &Fe, c: Call) -> bool {
    c.v < 4 || c.v == 6
}

pub(crate) fn fog_coord(fe: &mut Fe, c: Call) {
    let source = if c.v & 7 == 6 { 4 } else { c.v & 7 };
    if fe.g.rankine() {
        // It has no absolute distances.
        let source = [0, 1, 2, 2][source as usize & 3] | if source >= 4 { 3 } else { 0 };
        XFMODE_B::RANKINE_FOG_COORD.write(&mut fe.r.xf_mode_b, source);
    } else {
        XFMODE_B::FOG_COORD.write(&mut fe.r.xf_mode_b, source);
    }
    fe.send_mode();
}

/// FOG_COLOR: red and blue change places.
pub(crate) const FOG_COLOR_BITS: &[Move] = &[
    (FOG_COLOR_DATA::B, FOG_COLOR::B),
    (FOG_COLOR_DATA::G, FOG_COLOR::G),
    (FOG_COLOR_DATA::R, FOG_COLOR::R),
    (FOG_COLOR_DATA::A, FOG_COLOR::A),
];

/// Point sprites, from NV25 on.
pub(crate) const POINT_SPRITE_BITS: &[Move] = &[
    (POINT_SPRITE_DATA::ENABLE, CONFIG_B::POINT_SPRITE_ENABLE),
    (POINT_SPRITE_DATA::R_MODE, CONFIG_B::POINT_SPRITE_R_MODE),
    (
        POINT_SPRITE_DATA::COORD_REPLACE,
        CONFIG_B::POINT_SPRITE_COORD_REPLACE,
    ),
];

/// Line stipple, from NV25 on.
pub(crate) const LINE_STIPPLE_BITS: &[Move] = &[
    (LINE_STIPPLE_DATA::FACTOR, LINE_STIPPLE::LINE_STIPPLE_FACTOR),
    (
        LINE_STIPPLE_DATA::PATTERN,
        LINE_STIPPLE::LINE_STIPPLE_PATTERN,
    ),
];

const FOG_COEFF_ROW: u32 = ctx::index_of(ctx::LTCTX, "FOG_COEFF", Nv20) as u32;

/// FOG_COEFF: two are bundles, the third sends all three to LT.
pub(crate) fn fog_coeff(fe: &mut Fe, c: Call) {
    if c.i < 2 {
        fe.put(FOG_COEFF, c.i, c.v);
    } else if fe.g.kelvin() {
        let (a, b) = (fe.word(FOG_COEFF, 0), fe.word(FOG_COEFF, 1));
        fe.load_ltctx_row(FOG_COEFF_ROW, [a, b, c.v]);
    }
}

pub(crate) fn clip_ok(fe: &Fe, c: Call) -> bool {
    let reserved = if fe.kind == Kind::Celsius {
        0x8000
    } else {
        0xf000_f000
    };
    c.v & reserved == 0
}

/// CLIP: Rankine has three rectangles where Kelvin has one.
pub(crate) fn clip(fe: &mut Fe, c: Call) {
    if fe.g.rankine() {
        let value = c.v & CLIP_HV::WORD.mask(fe.g.chip, 0);
        for bundle in [CLIP_HV, VIEWPORT_HV, SCISSOR_HV] {
            fe.put(bundle, c.p, value);
        }
    } else {
        fe.put(CLIP_HV, c.p, c.v);
    }
    fe.surface_clip(c.p, c.v);
}

pub(crate) fn clip_rect_ok(fe: &Fe, c: Call) -> bool {
    // Celsius coordinates are signed.
    let at = |field: Field| match fe.kind {
        Kind::Celsius => field.get_signed(Nv20, c.v),
        _ => field.read(c.v) as i32,
    };
    c.v & !CLIP_RECT_HORIZ::WORD.mask(Nv20, 0) == 0
        && at(CLIP_RECT_HORIZ::LEFT) <= at(CLIP_RECT_HORIZ::RIGHT)
}

/// A clip rectangle replaces all later ones too; only its own bundle is sent.
pub(crate) fn clip_rect(fe: &mut Fe, c: Call) {
    let bundle = if c.p == 0 {
        CLIP_RECT_HORIZ
    } else {
        CLIP_RECT_VERT
    };
    let mut value = c.v & CLIP_RECT_HORIZ::WORD.mask(Nv20, 0);
    if fe.kind == Kind::Celsius {
        // Signed to unsigned: the sign bits change.
        for field in [CLIP_RECT_HORIZ::LEFT, CLIP_RECT_HORIZ::RIGHT] {
            let unsigned = field.read(value) ^ 0x800;
            field.write(&mut value, unsigned);
        }
    }
    for i in c.i + 1..8 {
        fe.keep(bundle, i, value);
    }
    if fe.g.rankine() {
        // Only the first rectangle counts as set, whichever it was.
        let (shadow, seen) = if c.p == 0 {
            (
                &mut fe.r.fe3d_shadow_clip_rect_horiz,
                FE3D_MISC::CLIP_RECT_HORIZ,
            )
        } else {
            (
                &mut fe.r.fe3d_shadow_clip_rect_vert,
                FE3D_MISC::CLIP_RECT_VERT,
            )
        };
        *shadow = c.v;
        seen.write(&mut fe.r.fe3d_misc, 1);
    }
    fe.put(bundle, c.i, value);
}

pub(crate) fn config_ok(fe: &Fe, c: Call) -> bool {
    let space = CONTROL::COLOR_SPACE_CONVERT.read(c.v);
    c.v & !CONTROL::WORD.mask(Nv20, 0) == 0
        && !CONTROL::UNK8.is_on(c.v)
        && space <= if fe.class == 0x97 { 2 } else { 3 }
}

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

pub(crate) fn config(fe: &mut Fe, c: Call) {
    let [a, b, raster] = control_words(fe, c.v);
    fe.put(CONFIG_A, 0, a);
    fe.put(CONFIG_B, 0, b);
    fe.put(RASTER, 0, raster);
    fe.refresh_perspective();
}

pub(crate) fn point_size_ok(fe: &Fe, c: Call) -> Result<u32, u32> {
    let fixed = fe.kind == Kind::Celsius || fe.class == 0x97;
    if fixed && c.v >= 0x200 {
        Err(warning::RANGE)
    } else {
        Ok(c.v)
    }
}

/// POINT_SIZE: 6.3 fixed point before NV25, float after; NV25 converts what 97h sends.
pub(crate) fn point_size(fe: &mut Fe, c: Call) {
    let value = if !fe.g.nv25p {
        c.v & POINT_SIZE::FIXED.ones()
    } else if fe.class == 0x97 && c.v != 0 {
        let shift = (c.v & 0x1ff).leading_zeros() - 23;
        (0x84 - shift) << 23 | (c.v << shift & 0xff) << 15
    } else {
        c.v
    };
    fe.put(POINT_SIZE, 0, value);
}

pub(crate) fn swath_width_ok(fe: &Fe, c: Call) -> bool {
    let width = SWATH_WIDTH_DATA::WIDTH.read(c.v);
    c.v & !SWATH_WIDTH_DATA::WORD.mask(Nv25, 0) == 0
        && !(fe.kind == Kind::Celsius && width > 3)
        && (width <= 4 || width == 0xf)
        && (!SWATH_WIDTH_DATA::UNK31.is_on(c.v) || fe.class == 0x597)
}

/// What Rankine makes of a swath width.
pub(crate) fn rankine_swath(width: u32) -> u32 {
    match width {
        0..=4 | 0xf => width,
        0xd => 1,
        0xe => 2,
        _ => 0,
    }
}

/// SWATH_WIDTH, UNK3F0 of Celsius.
pub(crate) fn swath_width(fe: &mut Fe, c: Call) {
    let unk31 = SWATH_WIDTH_DATA::UNK31.read(c.v);
    let width = match SWATH_WIDTH_DATA::WIDTH.read(c.v) {
        width if !fe.g.rankine() => width,
        width => rankine_swath(width),
    };
    let raster = Edit::of(fe, RASTER, 0)
        .set(RASTER::SWATH_WIDTH, width)
        .set(RASTER::SWATH_UNK31, unk31)
        .set(RASTER::RANKINE_UNK1450_UNK31, unk31);
    fe.put(RASTER, 0, raster.word);
}

/// 597h has line stipple beside polygon stipple.
pub(crate) fn stipple_ok(fe: &Fe, c: Call) -> bool {
    c.v < if fe.class == 0x597 { 4 } else { 2 }
}

pub(crate) fn stipple_enable(fe: &mut Fe, c: Call) {
    if fe.g.nv25p {
        let word = Edit::of(fe, LINE_STIPPLE, 0)
            .set(
                LINE_STIPPLE::POLYGON_STIPPLE_ENABLE,
                POLYGON_STIPPLE_ENABLE_DATA::POLYGON.read(c.v),
            )
            .set(
                LINE_STIPPLE::LINE_STIPPLE_ENABLE,
                POLYGON_STIPPLE_ENABLE_DATA::LINE.read(c.v),
            );
        fe.put(LINE_STIPPLE, 0, word.word);
    } else {
        fe.put_field(RASTER, RASTER::POLYGON_STIPPLE_ENABLE, c.v);
    }
}

pub(crate) fn fence_offset_ok(fe: &Fe, c: Call) -> bool {
    let mask = if fe.g.nv20 { 0xffc } else { 0xff0 };
    c.v & !mask == 0
}

pub(crate) fn depth_clamp(fe: &mut Fe, c: Call) {
    let raster = Edit::of(fe, RASTER, 0)
        .set(RASTER::CULL_IGNORE_W, DEPTH_CLAMP::CULL_IGNORE_W.read(c.v))
        .set(RASTER::CULL_NEAR_FAR, DEPTH_CLAMP::CULL_NEAR_FAR.read(c.v));
    fe.put(RASTER, 0, raster.word);
    fe.put_field(
        Z_CONFIG,
        Z_CONFIG::DEPTH_CLAMP,
        DEPTH_CLAMP::CLAMP.read(c.v),
    );
}

pub(crate) fn occlude_ok(fe: &Fe, c: Call) -> bool {
    c.v & !OCCLUDE_DATA::WORD.mask(fe.class_chip, 0) == 0 && !OCCLUDE_DATA::UNK30.is_on(c.v)
}

/// OCCLUDE_ZSTENCIL.
pub(crate) fn set_occlude(fe: &mut Fe, c: Call) {
    let word = Edit::of(fe, Z_CONFIG, 0).moved(c.v, OCCLUDE_BITS);
    fe.put(Z_CONFIG, 0, word.word);
}

/// Early rejection by depth and stencil.
pub(crate) const OCCLUDE_BITS: &[Move] = &[
    (OCCLUDE_DATA::Z_ENABLE, Z_CONFIG::OCCLUDE_Z_ENABLE),
    (
        OCCLUDE_DATA::STENCIL_ENABLE,
        Z_CONFIG::OCCLUDE_STENCIL_ENABLE,
    ),
    (OCCLUDE_DATA::UNK30, Z_CONFIG::RANKINE_UNK30),
    (OCCLUDE_DATA::UNK31, Z_CONFIG::OCCLUDE_UNK31),
];

/// BLEND_FUNC: Rankine has factors for alpha too.
pub(crate) fn blend_src(fe: &mut Fe, c: Call) {
    let word = Edit::of(fe, BLEND, 0)
        .set(BLEND::BLEND_FACTOR_SRC_0, c.v)
        .set(BLEND::BLEND_FACTOR_SRC_1, c.v);
    fe.put(BLEND, 0, word.word);
}

pub(crate) fn blend_dst(fe: &mut Fe, c: Call) {
    let word = Edit::of(fe, BLEND, 0)
        .set(BLEND::BLEND_FACTOR_DST_0, c.v)
        .set(BLEND::BLEND_FACTOR_DST_1, c.v);
    fe.put(BLEND, 0, word.word);
}

pub(crate) fn clear_hv_ok(_: &Fe, c: Call) -> bool {
    c.v & !CLEAR_HV::WORD.mask(Nv20, 0) == 0 && CLEAR_HV::MIN.read(c.v) <= CLEAR_HV::MAX.read(c.v)
}

pub(crate) fn clear_hv(fe: &mut Fe, c: Call) {
    fe.put(CLEAR_HV, c.p, c.v & CLEAR_HV::WORD.mask(Nv20, 0));
}

/// CLEAR: the surfaces that the data's bits name.
pub(crate) fn clear(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Clear(c.v));
}

/// Fences are released where FENCE_OFFSET says.
pub(crate) fn fence_write(fe: &mut Fe, c: Call) {
    let offset = fe.word(FENCE_OFFSET, 0);
    fe.out.push(Event::SemaphoreRelease { offset, value: c.v });
}

/// ZPASS_COUNTER_READ: type above, offset below.
pub(crate) fn zpass_read(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Report {
        kind: QUERY_GET::TYPE.read(c.v) as u8,
        offset: QUERY_GET::OFFSET.read(c.v),
    });
}

/// A pitch of the CLIPID or ZCULL surface: a multiple of 128, not 0.
pub(crate) fn surf_pitch_ok(_: &Fe, c: Call) -> bool {
    c.v < 0x1_0000 && c.v.is_multiple_of(128) && c.v != 0
}

/// STATE_SAVE only leaves a mark.
pub(crate) fn state_save(fe: &mut Fe, _: Call) {
    FE3D_MISC::STATE_SAVED.write(&mut fe.r.fe3d_misc, 1);
}

/// The ZCULL and CLIPID surface registers mind data errors only.
fn surface_word(fe: &mut Fe, bundle: Bundle, value: u32) {
    if !NSOURCE::DATA_ERROR.is_on(fe.r.nsource) {
        fe.put(bundle, 0, value);
    }
}

pub(crate) fn pitch_clipid(fe: &mut Fe, c: Call) {
    surface_word(fe, CLIPID_PITCH, c.v & CLIPID_PITCH::PITCH.ones());
}

pub(crate) fn offset_clipid(fe: &mut Fe, c: Call) {
    surface_word(fe, CLIPID_OFFSET, c.v & CLIPID_OFFSET::OFFSET.mask(Nv25));
}

pub(crate) fn pitch_zcull(fe: &mut Fe, c: Call) {
    surface_word(fe, ZCULL_PITCH, c.v & ZCULL_PITCH::PITCH.ones());
}

pub(crate) fn offset_zcull(fe: &mut Fe, c: Call) {
    surface_word(fe, ZCULL_OFFSET, c.v & ZCULL_OFFSET::OFFSET.ones());
}
