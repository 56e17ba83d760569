//! Textures of Direct3D 5 and 6.

use isotherm_regs::bundle::*;
use isotherm_regs::method::d3d::{D3D_TEX_FILTER, D3D_TEX_FORMAT};
use isotherm_regs::pgraph::VALID_B;
use isotherm_regs::xf::mode::CELSIUS_XFMODE_A;

use super::{Data, Edit, bypass, d3d6, mark, set_mode_a, units};
use crate::Fe;
use crate::object;
use crate::table::Call;
use isotherm_bus::bundle::DmaRole;

pub(super) fn dma_tex(fe: &mut Fe, c: Call) {
    object::dma_slot(fe, c, 2, true);
    fe.announce_dma(DmaRole::Tex(c.p as u8));
}

pub(super) fn tex_color_key(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        fe.put(TEX_COLOR_KEY, 0, c.v);
    }
    mark(fe, VALID_B::COLOR_KEY);
}

pub(super) fn offset_ok(_: &Fe, c: Call) -> bool {
    c.v & 0xff == 0
}

/// TEX_OFFSET; `p` is a mask of units.
pub(super) fn tex_offset(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    for unit in units(c.p) {
        if !fe.blocked() {
            fe.put(TEX_OFFSET, unit, c.v);
        }
        mark(
            fe,
            [VALID_B::TEX_0_OFFSET, VALID_B::TEX_1_OFFSET][unit as usize],
        );
    }
    if !fe.g.nv10 && c.p == 3 {
        fe.r.celsius_pipe_junk[0] = 4;
    }
}

pub(super) fn format_ok(fe: &Fe, c: Call) -> bool {
    use D3D_TEX_FORMAT as D;
    let data = Data::new(fe, c.v);
    let key = if d3d6(fe) { 0 } else { 1 };
    [D::DMA, D::ORIGIN_ZOH, D::ORIGIN_FOH]
        .iter()
        .all(|field| matches!(data.get(*field), 1 | 2))
        && (1..=7).contains(&data.get(D::FORMAT))
        && data.is(D::MIPS)
        && data.get(D::SIZE_S) <= 0xb
        && data.get(D::SIZE_T) <= 0xb
        && (1..=4).contains(&data.get(D::WRAP_S))
        && (1..=4).contains(&data.get(D::WRAP_T))
        && data.get(D::COLOR_KEY) <= key
}

/// Wrap mode numbers that Celsius makes of the Direct3D ones: defined for 1 to 4, a matter of
/// the decoder beyond.
fn wrap(mode: u32, second: bool, nv15: bool) -> u32 {
    match (mode, second, nv15) {
        (1..=3, ..) => mode,
        (4, ..) => 3,
        (0, false, true) => 2,
        (0, false, false) => 3,
        (0, true, true) => 0,
        (0, true, false) => 2,
        (5, false, false) => 0,
        (5, ..) => 1,
        (6, true, true) => 2,
        _ => 0,
    }
}

/// Is a unit's texture perspective-correct? Not if it wraps around a cylinder.
pub(super) fn perspective(fe: &Fe, format: u32) -> bool {
    let format = Data::new(fe, format);
    Data::new(fe, fe.word(CONFIG_B, 0)).is(CONFIG_B::TEXTURE_PERSPECTIVE_ENABLE)
        && !format.is(TEX_FORMAT::WRAP_S_CYL)
        && !format.is(TEX_FORMAT::WRAP_T_CYL)
}

/// TEX_CONTROL of a unit: all mip levels.
pub(super) fn control(fe: &Fe, enable: bool, color_key: u32) -> u32 {
    Edit::zero(fe)
        .set(TEX_CONTROL::COLOR_KEY_MODE, color_key)
        .set(TEX_CONTROL::MAX_LOD, !0u32)
        .set(TEX_CONTROL::ENABLE, enable)
        .word
}

/// TEX_FORMAT's word without the bit that another method has.
fn format_word(fe: &Fe, data: Data) -> Edit {
    use D3D_TEX_FORMAT as D;
    let (wrap_s, wrap_t) = (data.get(D::WRAP_S), data.get(D::WRAP_T));
    let format = data.get(D::FORMAT);
    let keyed = !d3d6(fe) && format == 1;
    let levels = data.get(D::SIZE_S).max(data.get(D::SIZE_T)) + 1;
    // Only what repeats can go around a cylinder.
    let cylinder = |field, wrap: u32| if wrap == 1 { data.get(field) } else { 0 };
    Edit::zero(fe).set_all(&[
        (TEX_FORMAT::DMA, data.get(D::DMA) >> 1),
        (TEX_FORMAT::ORIGIN_ZOH, data.get(D::ORIGIN_ZOH) >> 1),
        (TEX_FORMAT::ORIGIN_FOH, data.get(D::ORIGIN_FOH) >> 1),
        (TEX_FORMAT::FORMAT, if keyed { 0 } else { format }),
        (TEX_FORMAT::MIPS, data.get(D::MIPS).min(levels)),
        (TEX_FORMAT::SIZE_S, data.get(D::SIZE_S)),
        (TEX_FORMAT::SIZE_T, data.get(D::SIZE_T)),
        (TEX_FORMAT::WRAP_S, wrap(wrap_s, false, fe.g.nv15p)),
        (TEX_FORMAT::WRAP_S_CYL, cylinder(D::WRAP_S_CYL, wrap_s)),
        (TEX_FORMAT::WRAP_T, wrap(wrap_t, true, fe.g.nv15p)),
        (TEX_FORMAT::WRAP_T_CYL, cylinder(D::WRAP_T_CYL, wrap_t)),
    ])
}

/// TEX_FORMAT; `p` is a mask of units.
pub(super) fn tex_format(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        set_format(fe, c);
    }
    for unit in units(c.p) {
        mark(
            fe,
            [VALID_B::TEX_0_FORMAT, VALID_B::TEX_1_FORMAT][unit as usize],
        );
    }
}

fn set_format(fe: &mut Fe, c: Call) {
    const KEPT: isotherm_regs::field::Field = TEX_FORMAT::CELSIUS_MTHD_TEX_UNK258;
    let data = Data::new(fe, c.v);
    let word = format_word(fe, data);
    for unit in units(c.p) {
        let kept = Data::new(fe, fe.word(TEX_FORMAT, unit as usize)).get(KEPT);
        fe.keep(TEX_FORMAT, unit, word.set(KEPT, kept).word);
    }
    let on = perspective(fe, word.word);
    if d3d6(fe) {
        if c.p == 2 {
            set_mode_a(fe, CELSIUS_XFMODE_A::TEX_1_PERSPECTIVE, on);
        }
        fe.resend(TEX_FORMAT, c.p - 1, true);
    } else {
        set_mode_a(fe, CELSIUS_XFMODE_A::TEX_1_PERSPECTIVE, false);
        fe.resend(TEX_FORMAT, 0, false);
        let key = data.get(D3D_TEX_FORMAT::COLOR_KEY);
        fe.put_more(TEX_CONTROL, 0, control(fe, true, key));
        fe.put(TEX_CONTROL, 1, control(fe, false, key));
    }
    if units(c.p).any(|unit| unit == 0) {
        set_mode_a(fe, CELSIUS_XFMODE_A::TEX_0_PERSPECTIVE, on);
    }
    bypass(fe);
    fe.push_celsius_mode();
}

pub(super) fn filter_ok(fe: &Fe, c: Call) -> bool {
    use D3D_TEX_FILTER as D;
    let data = Data::new(fe, c.v);
    !data.is(D::ZERO13)
        && !data.is(D::ZERO5)
        && (1..=6).contains(&data.get(D::MINIFY))
        && (1..=6).contains(&data.get(D::MAGNIFY))
}

pub(super) fn tex_filter(fe: &mut Fe, c: Call) {
    use D3D_TEX_FILTER as D;
    fe.refresh_point_size();
    let data = Data::new(fe, c.v);
    let word = Edit::zero(fe)
        // 4.4 to 5.8 fixed point, but for the sign.
        .set(TEX_FILTER::LOD_BIAS, data.get(D::LOD_BIAS) << 5)
        .set(TEX_FILTER::MINIFY, data.get(D::MINIFY))
        // Odd numbers are nearest, even ones linear.
        .set(TEX_FILTER::MAGNIFY, 2 - (data.get(D::MAGNIFY) & 1));
    if !fe.blocked() {
        fe.put(TEX_FILTER, c.p, word.word);
    }
    mark(
        fe,
        [VALID_B::TEX_0_FILTER, VALID_B::TEX_1_FILTER][c.p as usize & 1],
    );
}
