//! GL values, and what state methods do beyond replacing a field of a word.

use isotherm_regs::bundle::*;

use crate::Fe;
use crate::bits::{bit, ext, ins};
use crate::chips::Kind;
use crate::table::{Call, Move, Soft, field_at, moved};
use crate::traps::warning;
use isotherm_bus::bundle::Event;
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

pub(super) fn fog_coord_ok(_: &Fe, c: Call) -> bool {
    c.v < 4 || c.v == 6
}

pub(super) fn fog_coord(fe: &mut Fe, c: Call) {
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

pub(super) fn clip_ok(fe: &Fe, c: Call) -> bool {
    let reserved = if fe.kind == Kind::Celsius {
        0x8000
    } else {
        0xf000_f000
    };
    c.v & reserved == 0
}

pub(super) fn clip(fe: &mut Fe, c: Call) {
    fe.put(CLIP_HV, c.p, c.v);
    fe.surface_clip(c.p, c.v);
}

pub(super) fn clip_rect_ok(fe: &Fe, c: Call) -> bool {
    // Celsius coordinates are signed.
    let flip = if fe.kind == Kind::Celsius { 0x800 } else { 0 };
    c.v & 0xf000_f000 == 0 && ext(c.v, 0, 12) ^ flip <= ext(c.v, 16, 12) ^ flip
}

/// A clip rectangle replaces all later ones too; only its own bundle is sent.
pub(super) fn clip_rect(fe: &mut Fe, c: Call) {
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

pub(super) fn config_ok(fe: &Fe, c: Call) -> bool {
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

pub(super) fn config(fe: &mut Fe, c: Call) {
    let [a, b, raster] = control_words(fe, c.v);
    fe.put(CONFIG_A, 0, a);
    fe.put(CONFIG_B, 0, b);
    fe.put(RASTER, 0, raster);
}

pub(super) fn point_size_ok(fe: &Fe, c: Call) -> Result<u32, u32> {
    let fixed = fe.kind == Kind::Celsius || fe.class == 0x97;
    if fixed && c.v >= 0x200 {
        Err(warning::RANGE)
    } else {
        Ok(c.v)
    }
}

/// POINT_SIZE: 6.3 fixed point before NV25, float after; NV25 converts what 97h sends.
pub(super) fn point_size(fe: &mut Fe, c: Call) {
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

pub(super) fn unk3f0_ok(fe: &Fe, c: Call) -> bool {
    let mode = ext(c.v, 0, 4);
    c.v & !0x8000_000f == 0
        && !(fe.kind == Kind::Celsius && mode > 3)
        && (mode <= 4 || mode == 0xf)
        && (!bit(c.v, 31) || fe.class == 0x597)
}

pub(super) fn unk3f0(fe: &mut Fe, c: Call) {
    let mut raster = fe.word(RASTER, 0);
    ins(&mut raster, 25, 3, c.v);
    if fe.g.nv25p {
        ins(&mut raster, 4, 1, ext(c.v, 31, 1));
    }
    fe.put(RASTER, 0, raster);
}

/// LIGHT_TWO_SIDE_ENABLE takes 0 and 1, and warns inside BEGIN/END.
pub(super) fn stipple_ok(fe: &Fe, c: Call) -> bool {
    c.v < if fe.class == 0x597 { 4 } else { 2 }
}

pub(super) fn stipple_enable(fe: &mut Fe, c: Call) {
    if fe.g.nv25p {
        fe.field((LINE_STIPPLE, 0, 2), c.v);
    } else {
        fe.field(
            const { field_at(RASTER, RASTER::POLYGON_STIPPLE_ENABLE, Nv20) },
            c.v,
        );
    }
}

pub(super) fn fence_offset_ok(fe: &Fe, c: Call) -> bool {
    let mask = if fe.g.nv20 { 0xffc } else { 0xff0 };
    c.v & !mask == 0
}

pub(super) fn depth_clamp(fe: &mut Fe, c: Call) {
    let mut raster = fe.word(RASTER, 0);
    ins(&mut raster, 5, 1, ext(c.v, 8, 1));
    ins(&mut raster, 30, 1, ext(c.v, 0, 1));
    fe.put(RASTER, 0, raster);
    fe.field(
        const { field_at(Z_CONFIG, Z_CONFIG::DEPTH_CLAMP, Nv20) },
        ext(c.v, 4, 1),
    );
}

pub(super) fn unk1d84_ok(fe: &Fe, c: Call) -> bool {
    let mask = if fe.class == 0x97 { 3 } else { 0x8000_0003 };
    c.v & !mask == 0
}

pub(super) fn unk1d84(fe: &mut Fe, c: Call) {
    let mut word = fe.word(Z_CONFIG, 0);
    ins(&mut word, 1, 2, c.v);
    if fe.g.nv25p {
        ins(&mut word, 31, 1, ext(c.v, 31, 1));
    }
    fe.put(Z_CONFIG, 0, word);
}

pub(super) fn clear_hv_ok(_: &Fe, c: Call) -> bool {
    c.v & !0x0fff_0fff == 0 && ext(c.v, 0, 16) <= ext(c.v, 16, 16)
}

pub(super) fn clear_hv(fe: &mut Fe, c: Call) {
    fe.put(CLEAR_HV, c.p, c.v & 0x0fff_0fff);
}

/// CLEAR: the surfaces that the data's bits name.
pub(super) fn clear(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Clear(c.v));
}

/// Fences are released where FENCE_OFFSET says.
pub(super) fn fence_write(fe: &mut Fe, c: Call) {
    let offset = fe.word(FENCE_OFFSET, 0);
    fe.out.push(Event::SemaphoreRelease { offset, value: c.v });
}

/// ZPASS_COUNTER_READ: type above, offset below.
pub(super) fn zpass_read(fe: &mut Fe, c: Call) {
    fe.out.push(Event::Report {
        kind: (c.v >> 24) as u8,
        offset: c.v & 0x00ff_ffff,
    });
}

pub(super) fn surf_pitch_ok(_: &Fe, c: Call) -> bool {
    c.v & !0xff80 == 0 && c.v != 0
}

/// STATE_SAVE only leaves a mark.
pub(super) fn state_save(fe: &mut Fe, _: Call) {
    ins(&mut fe.r.fe3d_misc, 20, 1, 1);
}

/// The ZCULL and CLIPID surface registers mind data errors only.
fn surface_word(fe: &mut Fe, bundle: Bundle, value: u32) {
    if !bit(fe.r.nsource, 1) {
        fe.put(bundle, 0, value);
    }
}

pub(super) fn pitch_clipid(fe: &mut Fe, c: Call) {
    surface_word(fe, CLIPID_PITCH, c.v & 0xffff);
}

pub(super) fn offset_clipid(fe: &mut Fe, c: Call) {
    surface_word(fe, CLIPID_OFFSET, c.v & 0x3fff_ffff);
}

pub(super) fn pitch_zcull(fe: &mut Fe, c: Call) {
    surface_word(fe, ZCULL_PITCH, c.v & 0xffff);
}

pub(super) fn offset_zcull(fe: &mut Fe, c: Call) {
    surface_word(fe, ZCULL_OFFSET, c.v & 0x3fff_ffff);
}
