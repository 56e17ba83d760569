//! What state methods do beyond replacing a field of a word.

use isotherm_regs::Chip::{Nv30, Nv40, Nv47};
use isotherm_regs::bundle::*;
use isotherm_regs::field::Field;
use isotherm_regs::method::{
    COLOR_MASK_DATA, CONTROL, DEPTH_CLAMP, GL_BLEND_EQUATION, GL_BLEND_EQUATION2_DATA,
    GL_BLEND_FACTOR2_DATA, POINT_SPRITE_DATA, PS_CONTROL_DATA, RT_ENABLE_DATA, SWATH_WIDTH_DATA,
    VTXBUF_FORMAT,
};
use isotherm_regs::pgraph::FE3D_MISC;
use isotherm_regs::xf::mode::{XFMODE_A, XFMODE_B, XFMODE_C};

use crate::Fe;
use crate::chips::Kind;
use crate::kelvin::state as gl;
use crate::table::{Call, Move};
use crate::transform::{TXC_ENABLE as TXC_ENABLE_FIELDS, TXC_R};
use crate::traps::warning;
use crate::words::{Data, Edit};
use isotherm_bus::bundle::Event;

/// GL comparison functions; Curie also takes Direct3D's numbers.
pub(crate) fn func(fe: &Fe, c: Call) -> Result<u32, u32> {
    match c.v {
        0x200..=0x207 => Ok(c.v & 7),
        1..=8 if fe.class_kind == Kind::Curie => Ok(c.v - 1),
        _ => Err(warning::ENUM),
    }
}

pub(crate) fn stencil_op(fe: &Fe, c: Call) -> Result<u32, u32> {
    match c.v {
        0 => Ok(2),
        0x150a => Ok(6),
        0x1e00 => Ok(1),
        0x1e01..=0x1e03 => Ok(c.v - 0x1dfe),
        0x8507 => Ok(7),
        0x8508 => Ok(8),
        1..=8 if fe.class_kind == Kind::Curie => Ok(c.v),
        _ => Err(warning::ENUM),
    }
}

fn factor(fe: &Fe, v: u32) -> Result<u32, u32> {
    let curie = fe.class_kind == Kind::Curie;
    Ok(match v {
        0 | 1 => v,
        0x300..=0x308 => v - 0x2fe,
        0x8001..=0x8004 => v - 0x7ff5,
        0x1001..=0x100b if curie => v - 0x1001,
        0x100c | 0x100d if curie => v - 0x1008,
        0x100e | 0x100f if curie => v - 0x1002,
        _ => return Err(warning::ENUM),
    })
}

/// Two blend factors in one word.
pub(crate) fn factors(fe: &Fe, c: Call) -> Result<u32, u32> {
    use GL_BLEND_FACTOR2_DATA as D;
    let mut stored = 0;
    D::RGB.write(&mut stored, factor(fe, D::RGB.read(c.v))?);
    D::ALPHA.write(&mut stored, factor(fe, D::ALPHA.read(c.v))?);
    Ok(stored)
}

pub(crate) fn blend_src(fe: &mut Fe, c: Call) {
    let word = Edit::of(fe, BLEND, 0)
        .set(
            BLEND::BLEND_FACTOR_SRC_0,
            GL_BLEND_FACTOR2_DATA::RGB.read(c.v),
        )
        .set(
            BLEND::BLEND_FACTOR_SRC_1,
            GL_BLEND_FACTOR2_DATA::ALPHA.read(c.v),
        );
    fe.put(BLEND, 0, word.word);
}

pub(crate) fn blend_dst(fe: &mut Fe, c: Call) {
    let word = Edit::of(fe, BLEND, 0)
        .set(
            BLEND::BLEND_FACTOR_DST_0,
            GL_BLEND_FACTOR2_DATA::RGB.read(c.v),
        )
        .set(
            BLEND::BLEND_FACTOR_DST_1,
            GL_BLEND_FACTOR2_DATA::ALPHA.read(c.v),
        );
    fe.put(BLEND, 0, word.word);
}

fn equation(fe: &Fe, v: u32) -> Result<u32, u32> {
    use GL_BLEND_EQUATION as E;
    Ok(match v {
        E::ADD => 2,
        E::MIN => 3,
        E::MAX => 4,
        E::SUBTRACT => 0,
        E::REVERSE_SUBTRACT => 1,
        E::SIGNED_REVERSE_SUBTRACT..=E::UNKF007 => v & 7,
        1..=5 if fe.class_kind == Kind::Curie => [2, 0, 1, 3, 4][v as usize - 1],
        _ => return Err(warning::ENUM),
    })
}

/// Curie has an equation for alpha too.
pub(crate) fn equations(fe: &Fe, c: Call) -> Result<u32, u32> {
    use GL_BLEND_EQUATION2_DATA as D;
    if fe.class_kind != Kind::Curie {
        return equation(fe, c.v);
    }
    let mut stored = 0;
    D::RGB.write(&mut stored, equation(fe, D::RGB.read(c.v))?);
    D::ALPHA.write(&mut stored, equation(fe, D::ALPHA.read(c.v))?);
    Ok(stored)
}

pub(crate) fn set_equations(fe: &mut Fe, c: Call) {
    let mut word = Edit::of(fe, BLEND, 0).set(
        BLEND::BLEND_EQUATION,
        GL_BLEND_EQUATION2_DATA::RGB.read(c.v),
    );
    if fe.class_kind == Kind::Curie {
        let alpha = GL_BLEND_EQUATION2_DATA::ALPHA.read(c.v);
        word = word.set(BLEND::BLEND_EQUATION_1, alpha);
    } else {
        word = word.set(BLEND::BLEND_EQUATION_1, c.v);
    }
    fe.put(BLEND, 0, word.word);
}

pub(crate) fn alpha_ref_ok(fe: &Fe, c: Call) -> bool {
    let most = if fe.class_kind == Kind::Curie {
        ALPHA_FUNC_REF::ALPHA_REF.ones()
    } else {
        CONFIG_A::ALPHA_REF.ones()
    };
    c.v <= most
}

pub(crate) fn alpha_ref(fe: &mut Fe, c: Call) {
    if fe.g.curie() {
        fe.put(ALPHA_FUNC_REF, 0, c.v & ALPHA_FUNC_REF::ALPHA_REF.ones());
    } else {
        fe.put_field(CONFIG_A, CONFIG_A::ALPHA_REF, c.v);
    }
}

/// COLOR_MASK: Curie has a word of its own, with four bits for each target.
pub(crate) fn color_mask(fe: &mut Fe, c: Call) {
    if !fe.g.curie() {
        let word = Edit::of(fe, CONFIG_A, 0).moved(c.v, gl::COLOR_MASK_BITS);
        return fe.put(CONFIG_A, 0, word.word);
    }
    const MOVES: &[Move] = &[
        (COLOR_MASK_DATA::A, COLOR_MASK::MASK.entry(0, 1)),
        (COLOR_MASK_DATA::R, COLOR_MASK::MASK.entry(1, 1)),
        (COLOR_MASK_DATA::G, COLOR_MASK::MASK.entry(2, 1)),
        (COLOR_MASK_DATA::B, COLOR_MASK::MASK.entry(3, 1)),
    ];
    let word = Edit::of(fe, COLOR_MASK, 0).moved(c.v, MOVES);
    fe.put(COLOR_MASK, 0, word.word);
}

/// Bits that a rectangle's two coordinates can have.
const COORDINATES: u32 = CLIP_RECT_HORIZ::LEFT.ones() | CLIP_RECT_HORIZ::RIGHT.ones();

/// A rectangle begins within 4096 pixels and has no more than so many.
pub(crate) fn rectangle_ok(_: &Fe, c: Call) -> bool {
    c.v & !CLIP_HV::WORD.mask(Nv30, 0) == 0 && SCISSOR_HV::SIZE.read(c.v) <= 0x1000
}

/// CLIP, VIEWPORT or SCISSOR rectangle; `p`: which, then horizontal or vertical.
pub(crate) fn rectangle(fe: &mut Fe, c: Call) {
    let bundle = [CLIP_HV, VIEWPORT_HV, SCISSOR_HV][c.p as usize >> 1];
    fe.put(bundle, c.p & 1, c.v & CLIP_HV::WORD.mask(fe.g.chip, 0));
    if c.p >> 1 == 0 {
        fe.surface_clip(c.p & 1, c.v);
    }
}

/// A rectangle or range whose first number is not behind its second.
pub(crate) fn ordered(_: &Fe, c: Call) -> bool {
    c.v & !COORDINATES == 0 && CLIP_RECT_HORIZ::LEFT.read(c.v) <= CLIP_RECT_HORIZ::RIGHT.read(c.v)
}

/// Clip rectangles. `p`: horizontal or vertical.
pub(crate) fn clip_rect(fe: &mut Fe, c: Call) {
    let (bundle, seen) = if c.p == 0 {
        fe.r.fe3d_shadow_clip_rect_horiz = c.v;
        (CLIP_RECT_HORIZ, FE3D_MISC::CLIP_RECT_HORIZ)
    } else {
        fe.r.fe3d_shadow_clip_rect_vert = c.v;
        (CLIP_RECT_VERT, FE3D_MISC::CLIP_RECT_VERT)
    };
    for later in c.i..8 {
        let first = later == c.i;
        seen.entry(later, 1)
            .write(&mut fe.r.fe3d_misc, first.into());
    }
    let value = c.v & COORDINATES;
    // A Rankine rectangle replaces all later ones too.
    let last = if fe.class_kind == Kind::Curie {
        c.i + 1
    } else {
        8
    };
    for i in c.i + 1..last {
        fe.keep(bundle, i, value);
    }
    fe.put(bundle, c.i, value);
}

pub(crate) fn config_ok(fe: &Fe, c: Call) -> bool {
    let reserved = [
        CONTROL::STENCIL_WRITE_ENABLE,
        CONTROL::PREMULTIPLIED_ALPHA,
        CONTROL::UNK8,
    ];
    let curie = fe.class_kind == Kind::Curie;
    let forbidden = if curie {
        &reserved[1..2]
    } else {
        &reserved[..1]
    };
    c.v & !CONTROL::WORD.mask(Nv30, 0) == 0
        && CONTROL::UNK8.read(c.v) < if curie { 2 } else { 1 }
        && !forbidden.iter().any(|field| field.is_on(c.v))
        && !(curie && CONTROL::STENCIL_WRITE_ENABLE.is_on(c.v))
        && CONTROL::COLOR_SPACE_CONVERT.read(c.v) <= 3
}

/// CONFIG: stencil writes are always on; they have a mask of their own.
pub(crate) fn config(fe: &mut Fe, c: Call) {
    let (chip, curie) = (fe.chip(), fe.g.curie());
    let [mut a, mut b, raster] = gl::control_words(fe, c.v);
    if curie {
        if fe.class_kind == Kind::Curie {
            b = CONFIG_B::CURIE_UNK19.with(chip, b, CONTROL::UNK8.read(c.v));
            b = CONFIG_B::CURIE_UNK21.with(chip, b, CONTROL::DEPTH_PERSPECTIVE_ENABLE.read(c.v));
            // No method changes this one any more.
            let kept = CONFIG_B::PREMULTIPLIED_ALPHA.read(fe.word(CONFIG_B, 0));
            CONFIG_B::PREMULTIPLIED_ALPHA.write(&mut b, kept);
        }
    } else {
        a = CONFIG_A::STENCIL_WRITE_ENABLE.with(chip, a, 1);
    }
    fe.put(CONFIG_A, 0, a);
    fe.put(CONFIG_B, 0, b);
    fe.put(RASTER, 0, raster);
    fe.refresh_perspective();
}

/// How the eight texture coordinate sets wrap.
const CYLWRAP: [Field; 8] = [
    TXC_CYLWRAP::TXC0,
    TXC_CYLWRAP::TXC1,
    TXC_CYLWRAP::TXC2,
    TXC_CYLWRAP::TXC3,
    TXC_CYLWRAP::TXC4,
    TXC_CYLWRAP::TXC5,
    TXC_CYLWRAP::TXC6,
    TXC_CYLWRAP::TXC7,
];

impl Fe {
    /// XFMODE: a texture coordinate set is perspective-correct unless it wraps.
    pub(crate) fn refresh_perspective(&mut self) {
        if !self.g.rankine() {
            return;
        }
        let on = CONFIG_B::TEXTURE_PERSPECTIVE_ENABLE.is_on(self.word(CONFIG_B, 0));
        let wrap = self.word(TXC_CYLWRAP, 0);
        for (set, field) in (0..).zip(CYLWRAP) {
            self.set_txc(set, TXC_R, (on && !field.is_on(wrap)).into());
        }
        self.send_mode();
    }
}

pub(crate) fn cylwrap(fe: &mut Fe, c: Call) {
    fe.put(TXC_CYLWRAP, 0, c.v);
    fe.refresh_perspective();
}

/// TXC_ENABLE: which coordinate sets there are.
pub(crate) fn txc_enable(fe: &mut Fe, c: Call) {
    fe.put(TXC_ENABLE, 0, c.v & TXC_ENABLE::TXC.ones());
    if fe.g.rankine() {
        for set in 0..8 {
            let on = TXC_ENABLE::TXC.entry(set, 1).read(c.v);
            fe.set_txc(set, TXC_ENABLE_FIELDS, on);
        }
        fe.send_mode();
    }
}

pub(crate) fn two_side(fe: &mut Fe, c: Call) {
    fe.put_field(RASTER, RASTER::LIGHT_TWO_SIDE_ENABLE, c.v);
    if fe.g.rankine() {
        XFMODE_A::LIGHT_TWO_SIDE_ENABLE.write(&mut fe.r.xf_mode_a, c.v);
        fe.send_mode();
    }
}

pub(crate) fn point_params(fe: &mut Fe, c: Call) {
    fe.put_field(CONFIG_B, CONFIG_B::POINT_PARAMS_ENABLE, c.v);
    if fe.g.rankine() {
        XFMODE_B::POINT_PARAMS_ENABLE.write(&mut fe.r.xf_mode_b, c.v);
        fe.send_mode();
    }
}

/// The six user clip planes in the method and in the mode.
const PLANES: [(Field, Field); 6] = [
    (CLIP_PLANE_ENABLE::PLANE0, XFMODE_C::CLIP_PLANE_ENABLE_0),
    (CLIP_PLANE_ENABLE::PLANE1, XFMODE_C::CLIP_PLANE_ENABLE_1),
    (CLIP_PLANE_ENABLE::PLANE2, XFMODE_C::CLIP_PLANE_ENABLE_2),
    (CLIP_PLANE_ENABLE::PLANE3, XFMODE_C::CLIP_PLANE_ENABLE_3),
    (CLIP_PLANE_ENABLE::PLANE4, XFMODE_C::CLIP_PLANE_ENABLE_4),
    (CLIP_PLANE_ENABLE::PLANE5, XFMODE_C::CLIP_PLANE_ENABLE_5),
];

/// Less, greater or off.
pub(crate) fn clip_planes_ok(_: &Fe, c: Call) -> bool {
    c.v & !CLIP_PLANE_ENABLE::WORD.mask(Nv30, 0) == 0
        && PLANES.iter().all(|(plane, _)| plane.read(c.v) != 3)
}

/// User clip planes.
pub(crate) fn clip_planes(fe: &mut Fe, c: Call) {
    fe.put(
        CLIP_PLANE_ENABLE,
        0,
        c.v & CLIP_PLANE_ENABLE::WORD.mask(Nv30, 0),
    );
    if fe.g.rankine() {
        for (plane, mode) in PLANES {
            mode.write(&mut fe.r.xf_mode_c, plane.is_on(c.v).into());
        }
        fe.send_mode();
    }
}

pub(crate) fn swath_width_ok(fe: &Fe, c: Call) -> bool {
    use SWATH_WIDTH_DATA as D;
    let width = D::WIDTH.read(c.v);
    let curie = fe.class_kind == Kind::Curie;
    c.v & !D::WORD.mask(Nv30, 0) == 0
        && (width <= 4 || width == 0xf)
        && !D::UNK31.is_on(c.v)
        && (curie || (1..=8).contains(&D::UNK16.read(c.v)))
        && !(curie && (D::UNK8.is_on(c.v) || D::UNK20.is_on(c.v)))
}

/// SWATH_WIDTH: how primitives are walked and programs spread.
pub(crate) fn swath_width(fe: &mut Fe, c: Call) {
    use SWATH_WIDTH_DATA as D;
    let stored = match D::WIDTH.read(c.v) {
        width if fe.g.curie() => width,
        width => gl::rankine_swath(width),
    };
    let raster = Edit::of(fe, RASTER, 0)
        .set(RASTER::SWATH_WIDTH, stored)
        .set(RASTER::RANKINE_UNK1450_UNK31, D::UNK31.read(c.v));
    fe.put(RASTER, 0, raster.word);
    if fe.g.curie() && fe.class_kind != Kind::Curie {
        return;
    }
    let control = Edit::of(fe, PS_CONTROL, 0);
    let threads = D::UNK16.read(c.v);
    let less_one = if (1..=8).contains(&threads) {
        threads - 1
    } else {
        0
    };
    let control = if fe.g.curie() {
        control.set(PS_CONTROL::CURIE_UNK27, threads)
    } else {
        control
            .set(PS_CONTROL::RANKINE_UNK8, D::UNK8.read(c.v))
            .set(PS_CONTROL::RANKINE_UNK17, D::UNK20.read(c.v))
            .set(PS_CONTROL::RANKINE_UNK28, less_one)
    };
    fe.put(PS_CONTROL, 0, control.word);
}

pub(crate) fn ps_offset_ok(_: &Fe, c: Call) -> bool {
    c.v & 0x3c == 0 && matches!(c.v & 3, 1 | 2)
}

/// PS_OFFSET: the program's address; the object (A or B) in bit 0.
pub(crate) fn ps_offset(fe: &mut Fe, c: Call) {
    let object = c.v >> 1 & 1;
    FE3D_MISC::PS_PREFETCH.write(&mut fe.r.fe3d_misc, 1 << object);
    fe.put(PS_OFFSET, 0, c.v & PS_OFFSET::OFFSET.ones() | object);
}

pub(crate) fn ps_control_ok(fe: &Fe, c: Call) -> bool {
    let data = Data::new(fe, c.v);
    c.v & !PS_CONTROL_DATA::WORD.mask(fe.data_chip, 0) == 0
        && data.get(PS_CONTROL_DATA::UNK4) != 3
        && (fe.class_kind != Kind::Curie
            || (2..=0x30).contains(&data.get(PS_CONTROL_DATA::TEMP_COUNT)))
}

/// Fields of PS_CONTROL where the chips agree with their classes.
const PS_CONTROL_MOVES: &[Move] = &[
    (PS_CONTROL_DATA::USED_REGS, PS_CONTROL::USED_REGS),
    (PS_CONTROL_DATA::DEPTH, PS_CONTROL::DEPTH),
    (PS_CONTROL_DATA::UNK4, PS_CONTROL::RANKINE_UNK4),
    (PS_CONTROL_DATA::UNK4, PS_CONTROL::CURIE_UNK4),
    (PS_CONTROL_DATA::FULL_RESULTS, PS_CONTROL::FULL_RESULTS),
    (PS_CONTROL_DATA::USES_KIL, PS_CONTROL::USES_KIL),
    (PS_CONTROL_DATA::UNK8, PS_CONTROL::RANKINE_UNK16),
    (PS_CONTROL_DATA::UNK8, PS_CONTROL::CURIE_UNK16),
];
const CURIE_PS_CONTROL_MOVES: &[Move] = &[
    (PS_CONTROL_DATA::UNK10, PS_CONTROL::CURIE_UNK9),
    (PS_CONTROL_DATA::UNK12, PS_CONTROL::CURIE_UNK11),
    (PS_CONTROL_DATA::UNK15, PS_CONTROL::CURIE_UNK13),
    (PS_CONTROL_DATA::TEMP_COUNT, PS_CONTROL::TEMP_COUNT),
];

/// Register counts that Curie makes of 3597h's numbers.
const COUNTS: [u32; 8] = [2, 4, 6, 8, 0xc, 0x10, 0x18, 0x20];

/// PS_CONTROL: how many registers, what the program writes.
pub(crate) fn ps_control(fe: &mut Fe, c: Call) {
    let emulated = fe.g.curie() && fe.class_kind != Kind::Curie;
    let old = Edit::of(fe, PS_CONTROL, 0);
    let mut word = old.moved(c.v, PS_CONTROL_MOVES);
    if emulated {
        word = word.set(PS_CONTROL::DEPTH, PS_CONTROL::DEPTH.get(old.chip, old.word));
    }
    if fe.class_kind == Kind::Curie {
        word = word.moved(c.v, CURIE_PS_CONTROL_MOVES);
    } else if fe.g.curie() {
        let number = PS_CONTROL_DATA::USED_REGS.read(c.v);
        word = word
            .set(PS_CONTROL::DEPTH.entry(2, 1), number >> 3)
            .set(PS_CONTROL::TEMP_COUNT, COUNTS[number as usize & 7]);
    }
    fe.put(PS_CONTROL, 0, word.word);
}

/// DEPTH_CLAMP: Rankine has a bit more.
pub(crate) fn depth_clamp(fe: &mut Fe, c: Call) {
    gl::depth_clamp(fe, c);
    if fe.g.rankine() {
        let unk12 = DEPTH_CLAMP::UNK12.read(c.v);
        fe.put_field(PS_CONTROL, PS_CONTROL::RANKINE_UNK31, unk12);
    }
}

/// Targets are enabled from the first on, or the second alone.
pub(crate) fn rt_enable_ok(fe: &Fe, c: Call) -> bool {
    if fe.class_kind != Kind::Curie {
        return c.v < 4;
    }
    c.v & !RT_ENABLE_DATA::WORD.mask(Nv40, 0) == 0
        && matches!(c.v & !RT_ENABLE_DATA::MRT.ones(), 0 | 1 | 2 | 3 | 7 | 0xf)
}

pub(crate) fn rt_enable(fe: &mut Fe, c: Call) {
    let mask = if fe.class_kind == Kind::Curie {
        RT_ENABLE_DATA::WORD.mask(Nv40, 0)
    } else {
        RT_ENABLE::COLOR0.ones() | RT_ENABLE::COLOR1.ones()
    };
    let others = if fe.class_kind == Kind::Curie {
        0
    } else {
        // Four bits are replaced, two of them by 0.
        fe.word(RT_ENABLE, 0) & !0xf
    };
    fe.put(RT_ENABLE, 0, others | c.v & mask);
}

pub(crate) fn fence_offset_ok(fe: &Fe, c: Call) -> bool {
    let high = c.v >> 24;
    if fe.class_kind == Kind::Curie {
        c.v & 0x00ff_f00f == 0 && high <= 4
    } else {
        c.v & !0xff0 == 0
    }
}

/// FENCE_OFFSET: 3597h on Curie keeps 24 bits and sends all.
pub(crate) fn fence_offset(fe: &mut Fe, c: Call) {
    let upper = if fe.g.curie() && fe.class_kind != Kind::Curie {
        fe.word(FENCE_OFFSET, 0) & 0xff00_0000
    } else {
        c.v & 0xff00_0000
    };
    fe.keep(FENCE_OFFSET, 0, upper | c.v & 0xff_ffff);
    fe.send(FENCE_OFFSET, 0, c.v);
}

pub(crate) fn fence_write(fe: &mut Fe, c: Call) {
    let offset = fe.word(FENCE_OFFSET, 0) & 0xfff;
    fe.out.push(Event::SemaphoreRelease { offset, value: c.v });
}

pub(crate) fn fog_coeff(fe: &mut Fe, c: Call) {
    if c.i < 2 {
        fe.put(FOG_COEFF, c.i, c.v);
    }
}

/// Two signed numbers of 13 bits, extended to 16.
pub(crate) fn viewport_offset_ok(_: &Fe, c: Call) -> bool {
    [VIEWPORT_OFFSET::X, VIEWPORT_OFFSET::Y]
        .iter()
        .zip([c.v as u16, (c.v >> 16) as u16])
        .all(|(field, half)| field.get_signed(Nv30, c.v) == i32::from(half as i16))
}

pub(crate) fn point_sprite_ok(fe: &Fe, c: Call) -> bool {
    c.v & !POINT_SPRITE_DATA::WORD.mask(fe.data_chip, 0) == 0
        && POINT_SPRITE_DATA::R_MODE.read(c.v) != 3
}

/// May arrays serve several vertices with an entry? NV40 and NV44 call it an error (the
/// method vectors); what public software sends to the RSX has it.
fn has_frequencies(fe: &Fe) -> bool {
    fe.class_kind == Kind::Curie && fe.g.chip == Nv47
}

pub(crate) fn vtxbuf_format_ok(fe: &Fe, c: Call) -> bool {
    let (number, size) = (VTXBUF_FORMAT::TYPE.read(c.v), VTXBUF_FORMAT::SIZE.read(c.v));
    let number_ok = match number {
        0 => size == 3 || size == 4,
        1 | 2 | 4 | 5 => true,
        6 => size == 1,
        // Half floats came with Curie, and plain bytes in any number. Rankine takes four,
        // which an NV34 draws (docs/accuracy/fe.md).
        3 => fe.class_kind == Kind::Curie,
        7 => fe.class_kind == Kind::Curie || size == 4,
        _ => false,
    };
    let frequency_ok = VTXBUF_FORMAT::FREQUENCY.read(c.v) == 0 || has_frequencies(fe);
    size <= 4 && number_ok && frequency_ok
}

/// Curie's upper bits for point sprites.
pub(crate) fn point_sprite(fe: &mut Fe, c: Call) {
    let mut word = Edit::of(fe, CONFIG_B, 0).moved(c.v, gl::POINT_SPRITE_BITS);
    if fe.class_kind == Kind::Curie {
        let more = POINT_SPRITE_DATA::COORD_REPLACE_B.read(c.v);
        word = word.set(CONFIG_B::POINT_SPRITE_COORD_REPLACE_B, more);
    }
    fe.put(CONFIG_B, 0, word.word);
}
