//! What the Direct3D triangle classes do on Celsius: their words are taken apart
//! into Celsius bundles.

use isotherm_regs::bundle::*;

use crate::bundle::{DmaRole, Event};
use crate::fe::Fe;
use crate::fe::bits::{bit, ext, ins};
use crate::fe::convert::ubyte;
use crate::fe::idx::ONE;
use crate::fe::kelvin::vertex::fmt;
use crate::fe::object;
use crate::fe::table::Call;

/// TEX_CONTROL_A of an enabled unit: all mip levels; and of a disabled one.
const ENABLED: u32 = 0x4003_ffc0;
const DISABLED: u32 = 0x0003_ffc0;

/// Is it one of the two-texture classes?
fn d3d6(fe: &Fe) -> bool {
    matches!(fe.class, 0x55 | 0x95)
}

/// VALID[1] notes which words of a state came in.
fn mark(fe: &mut Fe, bit_number: u32) {
    ins(&mut fe.r.valid[1], bit_number, 1, 1);
}

pub(crate) fn dma_tex(fe: &mut Fe, c: Call) {
    object::dma_slot(fe, c, 2, true);
    fe.announce_dma(DmaRole::Tex(c.p as u8));
}

pub(crate) fn tex_color_key(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        fe.put(TEX_COLOR_KEY, 0, c.v);
    }
    mark(fe, 12);
}

pub(crate) fn offset_ok(_: &Fe, c: Call) -> bool {
    c.v & 0xff == 0
}

/// TEX_OFFSET; `p` is a mask of units.
pub(crate) fn tex_offset(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    for unit in 0..2 {
        if bit(c.p, unit) {
            if !fe.blocked() {
                fe.put(TEX_OFFSET, unit, c.v);
            }
            mark(fe, if unit == 0 { 14 } else { 22 });
        }
    }
    if !fe.g.nv10 && c.p == 3 {
        fe.r.celsius_pipe_junk[0] = 4;
    }
}

pub(crate) fn format_ok(fe: &Fe, c: Call) -> bool {
    let pair = |lo| matches!(ext(c.v, lo, 2), 1 | 2);
    let key = if d3d6(fe) { 0 } else { 1 };
    pair(0)
        && pair(4)
        && pair(6)
        && ext(c.v, 8, 3) != 0
        && !bit(c.v, 11)
        && ext(c.v, 12, 4) != 0
        && ext(c.v, 16, 4) <= 0xb
        && ext(c.v, 20, 4) <= 0xb
        && (1..=4).contains(&ext(c.v, 24, 3))
        && (1..=4).contains(&ext(c.v, 28, 3))
        && ext(c.v, 2, 2) <= key
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
fn perspective(fe: &Fe, format: u32) -> u32 {
    u32::from(bit(fe.word(CONFIG_B, 0), 6) && !bit(format, 27) && !bit(format, 31))
}

/// TEX_FORMAT; `p` is a mask of units.
pub(crate) fn tex_format(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    let v = c.v;
    let (su, sv) = (ext(v, 16, 4), ext(v, 20, 4));
    let (wrap_u, wrap_v) = (ext(v, 24, 3), ext(v, 28, 3));
    let mut word = v & 0xfffff002;
    ins(&mut word, 24, 3, wrap(wrap_u, false, fe.g.nv15p));
    ins(&mut word, 28, 3, wrap(wrap_v, true, fe.g.nv15p));
    if wrap_u != 1 {
        ins(&mut word, 27, 1, 0);
    }
    if wrap_v != 1 {
        ins(&mut word, 31, 1, 0);
    }
    let format = ext(v, 8, 4);
    let keyed = !d3d6(fe) && format == 1;
    ins(&mut word, 4, 1, ext(v, 5, 1));
    ins(&mut word, 6, 1, ext(v, 7, 1));
    ins(&mut word, 7, 5, if keyed { 0 } else { format });
    ins(&mut word, 12, 4, ext(v, 12, 4).min(su.max(sv) + 1));
    if !fe.blocked() {
        for unit in 0..2 {
            if bit(c.p, unit) {
                let kept = fe.word(TEX_FORMAT, unit as usize) & 8;
                fe.keep(TEX_FORMAT, unit, word | kept);
            }
        }
        if d3d6(fe) {
            if c.p == 2 {
                let on = perspective(fe, word);
                ins(&mut fe.r.celsius_xf_misc_b, 16, 1, on);
            }
            fe.resend(TEX_FORMAT, c.p - 1, true);
        } else {
            let on = perspective(fe, word);
            ins(&mut fe.r.celsius_xf_misc_b, 2, 1, on);
            ins(&mut fe.r.celsius_xf_misc_b, 16, 1, 0);
            fe.resend(TEX_FORMAT, 0, false);
            fe.keep(TEX_CONTROL, 0, ENABLED | ext(v, 2, 2));
            fe.keep(TEX_CONTROL, 1, DISABLED | ext(v, 2, 2));
            fe.resend(TEX_CONTROL, 0, false);
            fe.resend(TEX_CONTROL, 1, true);
        }
        if bit(c.p, 0) {
            let on = perspective(fe, word);
            ins(&mut fe.r.celsius_xf_misc_b, 2, 1, on);
        }
        ins(&mut fe.r.celsius_xf_misc_a, 28, 1, 1);
        fe.push_celsius_mode();
    }
    for (unit, valid) in [(0, 15), (1, 21)] {
        if bit(c.p, unit) {
            mark(fe, valid);
        }
    }
}

pub(crate) fn filter_ok(_: &Fe, c: Call) -> bool {
    ext(c.v, 13, 2) == 0
        && ext(c.v, 5, 3) == 0
        && (1..=6).contains(&ext(c.v, 24, 3))
        && (1..=6).contains(&ext(c.v, 28, 3))
}

pub(crate) fn tex_filter(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    let mut word = c.v & 0x7700_0000;
    ins(&mut word, 28, 3, if bit(c.v, 28) { 1 } else { 2 });
    ins(&mut word, 5, 8, ext(c.v, 16, 8));
    if !fe.blocked() {
        fe.put(TEX_FILTER, c.p, word);
    }
    mark(fe, if c.p == 0 { 16 } else { 23 });
}

pub(crate) fn combine_ok(fe: &Fe, c: Call) -> bool {
    let arguments = [2, 10, 18, 26].map(|lo| ext(c.v, lo, 3));
    let seven = c.p & 2 == 0 && fe.class == 0x55;
    c.v & 0x00e0_e0e0 == 0
        && arguments.iter().all(|&a| a != 0 && (a != 7 || seven))
        && ext(c.v, 29, 3) != 0
}

/// COMBINE_CONTROL; `p`: bit 0 colour (else alpha), bit 1 the stage.
pub(crate) fn combine(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    let (color, stage) = (c.p & 1, c.p >> 1);
    let mut input = 0;
    let mut texture1 = false;
    for j in 0..4 {
        let register = match ext(c.v, 8 * j + 2, 3) {
            2 => 2,
            3 => 4,
            4 if stage != 0 => 0xc,
            4 | 5 => 8,
            6 => {
                texture1 = true;
                9
            }
            _ => 0,
        };
        let alpha = bit(c.v, 8 * j + 1) || color == 0;
        let byte = register | u32::from(alpha) << 4 | ext(c.v, 8 * j, 1) << 5;
        input |= byte << ((3 - j) * 8);
    }
    let (op, mux, complement) = match ext(c.v, 29, 3) {
        1 => (0, false, false),
        2 => (2, false, false),
        3 => (4, false, false),
        4 => (1, false, false),
        5 => (0, true, false),
        6 => (0, false, true),
        _ => (3, false, false),
    };
    let output = 0xc00 | u32::from(mux) << 14 | op << 15;
    mark(fe, 28 - stage * 2 - color);
    if fe.blocked() {
        return;
    }
    let config = &mut fe.r.celsius_config_c;
    if stage == 0 {
        ins(config, 16 + color, 1, (!texture1).into());
    } else {
        ins(
            config,
            18 + color,
            1,
            (c.v & 0x1f1f_1f1f == 0x0404_0510).into(),
        );
    }
    ins(config, 20 + color + stage * 2, 1, complement.into());
    let passes = ext(*config, 18, 2) == 3;
    if (stage, color) == (1, 1) {
        fe.put_more(TEX_CONTROL, 0, ENABLED);
    }
    fe.put_more(TEX_CONTROL, 1, ENABLED);
    let (ins_id, outs_id) = if color == 1 {
        (RC_IN_COLOR, RC_OUT_COLOR)
    } else {
        (RC_IN_ALPHA, RC_OUT_ALPHA)
    };
    fe.put_more(ins_id, stage, input);
    if stage == 0 {
        fe.resend(ins_id, 1, false);
    }
    let mut word = fe.word(outs_id, stage as usize);
    ins(&mut word, 0, 18, output);
    fe.keep(outs_id, stage, word);
    if stage == 1 {
        let mut word = fe.word(RC_OUT_COLOR, 1);
        ins(&mut word, 28, 2, if passes { 1 } else { 2 });
        fe.keep(RC_OUT_COLOR, 1, word);
    }
    fe.resend(outs_id, stage, false);
    if (stage, color) == (1, 0) {
        fe.resend(RC_OUT_COLOR, 1, false);
    }
    fe.resend(RC_FINAL_B, 0, true);
}

pub(crate) fn combine_factor(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        fe.put_more(RC_FACTOR_A, 0, c.v);
        fe.put(RC_FACTOR_B, 0, c.v);
    }
    mark(fe, 24);
}

pub(crate) fn blend_ok(fe: &Fe, c: Call) -> bool {
    let op = ext(c.v, 0, 4);
    (if d3d6(fe) {
        op == 0
    } else {
        (1..=8).contains(&op)
    }) && (1..=2).contains(&ext(c.v, 4, 2))
        && ext(c.v, 6, 2) != 0
        && c.v & 0x00ee_ee00 == 0
        && (1..=0xb).contains(&ext(c.v, 24, 4))
        && (1..=0xb).contains(&ext(c.v, 28, 4))
}

/// Combiner words of Direct3D 5's texture blend operations: alpha and colour inputs, the outputs.
fn texture_blend(op: u32) -> Option<(u32, u32, u32)> {
    Some(match op {
        1 | 7 => (0x1820_0000, 0x0820_0000, 0x0c00),
        2 => (0x1820_0000, 0x0804_0000, 0x0c00),
        3 => (0x1420_0000, 0x0818_0438, 0x0c00),
        4 => (0x1814_0000, 0x0804_0000, 0x0c00),
        5 => (0x1420_1420, 0x0420_0820, 0x4c00),
        6 => (0x1420_1420, 0x0420_0408, 0x4c00),
        8 => (0x1420_0000, 0x0820_0420, 0x0c00),
        _ => return None,
    })
}

pub(crate) fn blend(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        set_blend(fe, c.v);
    }
    mark(fe, 19);
}

fn set_blend(fe: &mut Fe, v: u32) {
    let two = d3d6(fe);
    let color = if bit(v, 12) { 0xe } else { 0xc };
    let fog = if bit(v, 16) {
        0x1300_0300 | color << 16
    } else {
        color
    };
    let mut blend = fe.word(BLEND, 0);
    ins(&mut blend, 0, 3, 2);
    ins(&mut blend, 3, 1, ext(v, 20, 1));
    ins(&mut blend, 4, 4, ext(v, 24, 4).wrapping_sub(1));
    ins(&mut blend, 8, 4, ext(v, 28, 4).wrapping_sub(1));
    ins(&mut blend, 12, 5, 0);
    let mut config = fe.word(CONFIG_B, 0);
    ins(&mut config, 0, 5, 0);
    ins(&mut config, 5, 1, ext(v, 12, 1));
    ins(&mut config, 6, 1, ext(v, 8, 1));
    ins(&mut config, 7, 1, ext(v, 7, 1));
    ins(&mut config, 8, 1, ext(v, 16, 1));
    let passes = !two || ext(fe.r.celsius_config_c, 18, 2) == 3;
    let mut out = fe.word(RC_OUT_COLOR, 1);
    ins(&mut out, 27, 1, ext(v, 5, 1));
    ins(&mut out, 28, 2, if passes { 1 } else { 2 });
    fe.keep(CONFIG_B, 0, config);
    fe.keep(RC_OUT_COLOR, 1, out);
    ins(&mut fe.r.celsius_xf_misc_a, 28, 1, 1);
    let first = perspective(fe, fe.word(TEX_FORMAT, 0));
    let second = if two {
        perspective(fe, fe.word(TEX_FORMAT, 1))
    } else {
        0
    };
    ins(&mut fe.r.celsius_xf_misc_b, 2, 1, first);
    ins(&mut fe.r.celsius_xf_misc_b, 16, 1, second);
    let op = if two { 0 } else { ext(v, 0, 4) };
    if let Some((alpha, color, out)) = texture_blend(op) {
        fe.keep(RC_IN_ALPHA, 0, alpha);
        fe.keep(RC_IN_COLOR, 0, color);
        fe.keep(RC_OUT_ALPHA, 0, out);
        fe.keep(RC_OUT_COLOR, 0, out);
    }
    if !two {
        for id in [RC_IN_ALPHA, RC_IN_COLOR, RC_OUT_ALPHA, RC_OUT_COLOR] {
            fe.resend(id, 0, false);
        }
    }
    fe.resend(RC_OUT_COLOR, 1, false);
    fe.put_more(RC_FINAL_A, 0, fog);
    fe.put_more(RC_FINAL_B, 0, 0x1c80);
    fe.resend(CONFIG_B, 0, false);
    fe.put(BLEND, 0, blend);
    fe.push_celsius_mode();
}

pub(crate) fn config_ok(fe: &Fe, c: Call) -> bool {
    (1..=8).contains(&ext(c.v, 8, 4))
        && !bit(c.v, 15)
        && (1..=8).contains(&ext(c.v, 16, 4))
        && ext(c.v, 20, 2) != 0
        && (d3d6(fe) || ext(c.v, 25, 5) == 0)
        && matches!(ext(c.v, 30, 2), 1 | 2)
}

pub(crate) fn config(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    let two = d3d6(fe);
    if !fe.blocked() {
        let v = c.v;
        let mut word = v & 0x3fcf_5fff;
        ins(&mut word, 16, 4, ext(v, 16, 4).wrapping_sub(1));
        ins(&mut word, 8, 4, ext(v, 8, 4).wrapping_sub(1));
        if !two {
            ins(&mut word, 25, 5, 0x1e);
        }
        let mut a = fe.word(CONFIG_A, 0);
        ins(&mut a, 0, 30, word);
        fe.put_more(CONFIG_A, 0, a);
        let cull = ext(v, 20, 2);
        let mut raster = cull_raster(fe, cull == 2, cull != 1);
        ins(&mut raster, 29, 1, ext(v, 31, 1));
        ins(&mut fe.r.celsius_xf_misc_a, 28, 1, 1);
        ins(&mut fe.r.celsius_xf_misc_a, 29, 1, ext(!v, 13, 1));
        ins(&mut fe.r.celsius_xf_misc_b, 0, 1, 0);
        ins(&mut fe.r.celsius_xf_misc_b, 14, 1, 0);
        if !two {
            fe.put_more(STENCIL_A, 0, 0x70);
        }
        fe.put(RASTER, 0, raster);
        fe.push_celsius_mode();
    }
    mark(fe, 17);
    if !two {
        mark(fe, 18);
    }
}

/// RASTER for filled triangles with a face to drop.
fn cull_raster(fe: &Fe, front: bool, enable: bool) -> u32 {
    let mut raster = fe.word(RASTER, 0);
    ins(&mut raster, 0, 21, 0);
    ins(&mut raster, 21, 2, if front { 1 } else { 2 });
    ins(&mut raster, 23, 5, 8);
    ins(&mut raster, 28, 2, enable.into());
    raster
}

pub(crate) fn stencil_func_ok(_: &Fe, c: Call) -> bool {
    ext(c.v, 1, 3) == 0 && (1..=8).contains(&ext(c.v, 4, 4))
}

pub(crate) fn stencil_func(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    mark(fe, 18);
    if !fe.blocked() {
        let mut word = c.v & 0xffff_fff1;
        ins(&mut word, 4, 4, ext(c.v, 4, 4).wrapping_sub(1));
        fe.put(STENCIL_A, 0, word);
    }
}

pub(crate) fn stencil_op_ok(_: &Fe, c: Call) -> bool {
    ext(c.v, 12, 20) == 0
        && [0, 4, 8]
            .iter()
            .all(|&lo| (1..=8).contains(&ext(c.v, lo, 4)))
}

pub(crate) fn stencil_op(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    mark(fe, 20);
    if !fe.blocked() {
        fe.put(STENCIL_B, 0, c.v & 0xfff);
    }
}

pub(crate) fn fog_color(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    mark(fe, 13);
    if !fe.blocked() {
        fe.put(FOG_COLOR, 0, c.v);
    }
}

pub(crate) fn d3d0_format_ok(_: &Fe, c: Call) -> bool {
    let (min, max) = (ext(c.v, 24, 4), ext(c.v, 28, 4));
    c.v & !0xff31_ffff == 0 && min >= 2 && min <= max && max <= 0xb
}

pub(crate) fn d3d0_format(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    let format = match ext(c.v, 20, 4) {
        n @ 0..=2 => n + 2,
        _ => 5,
    };
    let (min, max) = (ext(c.v, 24, 4), ext(c.v, 28, 4));
    mark(fe, 21);
    mark(fe, 15);
    if fe.blocked() {
        return;
    }
    for unit in 0..2 {
        let mut word = fe.word(TEX_FORMAT, unit as usize);
        ins(&mut word, 1, 2, 0);
        ins(&mut word, 6, 1, 0);
        ins(&mut word, 7, 5, format);
        ins(&mut word, 12, 4, max.wrapping_sub(min) + 1);
        ins(&mut word, 16, 4, max);
        ins(&mut word, 20, 4, max);
        fe.put_more(TEX_FORMAT, unit, word);
    }
    fe.put_more(TEX_CONTROL, 0, ENABLED | ext(c.v, 16, 2));
    fe.put(TEX_CONTROL, 1, DISABLED | ext(c.v, 16, 2));
}

pub(crate) fn d3d0_filter(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        let bias = (ext(c.v, 16, 8) as i8 as i32 as u32) << 4;
        for unit in 0..2 {
            let mut word = fe.word(TEX_FILTER, unit as usize);
            ins(&mut word, 0, 13, bias);
            fe.keep(TEX_FILTER, unit, word);
        }
        fe.resend(TEX_FILTER, 0, false);
        fe.resend(TEX_FILTER, 1, true);
    }
    mark(fe, 23);
    mark(fe, 16);
}

pub(crate) fn d3d0_config_ok(_: &Fe, c: Call) -> bool {
    !bit(c.v, 9)
        && ext(c.v, 12, 2) != 0
        && !bit(c.v, 14)
        && (1..=8).contains(&ext(c.v, 16, 4))
        && ext(c.v, 20, 4) <= 4
        && ext(c.v, 24, 4) <= 4
        && ext(c.v, 0, 4) <= 2
}

/// CONFIG of Direct3D 3: one word for the whole pipe.
pub(crate) fn d3d0_config(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        set_d3d0_config(fe, c.v);
    }
    mark(fe, 17);
    mark(fe, 24);
}

fn set_d3d0_config(fe: &mut Fe, v: u32) {
    let interpolator = ext(v, 0, 4);
    let filter = if interpolator == 2 { 2 } else { 1 };
    let wraps = [ext(v, 4, 2), ext(v, 6, 2)].map(|w| if w == 0 { 9 } else { w });
    let (mut alpha_a, mut alpha_b) = (0x18, if bit(v, 8) { 0x14 } else { 0x20 });
    let mut final_b = 0x1c80;
    match ext(v, 10, 2) {
        1 => final_b |= 0x2020,
        2 => final_b |= 0x2000,
        3 => (alpha_a, alpha_b) = (0x20, 0x20),
        _ => {}
    }
    let (mut src, mut dst) = if bit(v, 29) { (8, 9) } else { (4, 5) };
    if bit(v, 28) {
        (src, dst) = (1, 1);
    }
    if bit(v, 30) {
        dst = 0;
    }
    if bit(v, 31) {
        src = 0;
    }
    for unit in 0..2 {
        let mut word = fe.word(TEX_FORMAT, unit as usize);
        ins(&mut word, 4, 1, (interpolator == 0).into());
        ins(&mut word, 24, 4, wraps[0]);
        ins(&mut word, 28, 4, wraps[1]);
        fe.put_more(TEX_FORMAT, unit, word);
    }
    for unit in 0..2 {
        let mut word = fe.word(TEX_FILTER, unit as usize);
        ins(&mut word, 24, 3, filter);
        ins(&mut word, 28, 3, filter);
        fe.put_more(TEX_FILTER, unit, word);
    }
    fe.put_more(RC_IN_ALPHA, 0, alpha_a << 24 | alpha_b << 16);
    fe.put_more(RC_IN_COLOR, 0, 0x0804_0000);
    fe.put_more(RC_FACTOR_A, 0, v);
    fe.put_more(RC_FACTOR_B, 0, v);
    fe.put_more(RC_OUT_ALPHA, 0, 0xc00);
    fe.put_more(RC_OUT_COLOR, 0, 0xc00);
    let mut out = fe.word(RC_OUT_COLOR, 1);
    ins(&mut out, 27, 3, 2);
    fe.put_more(RC_OUT_COLOR, 1, out);
    fe.put_more(RC_FINAL_A, 0, 0xc);
    fe.put_more(RC_FINAL_B, 0, final_b);
    let depth = u32::from(ext(v, 20, 3) != 0);
    let mut a = fe.word(CONFIG_A, 0);
    ins(&mut a, 14, 1, depth);
    ins(&mut a, 16, 4, ext(v, 16, 4).wrapping_sub(1));
    ins(&mut a, 22, 1, 1);
    ins(&mut a, 23, 1, ext(v, 15, 1));
    ins(&mut a, 24, 1, depth);
    ins(&mut a, 25, 2, 0);
    ins(&mut a, 27, 3, if ext(v, 24, 3) != 0 { 7 } else { 0 });
    fe.put_more(CONFIG_A, 0, a);
    fe.put_more(STENCIL_A, 0, 0x70);
    fe.put_more(STENCIL_B, 0, 0x222);
    let mut b = fe.word(CONFIG_B, 0);
    ins(&mut b, 0, 9, 0x1c0);
    fe.put_more(CONFIG_B, 0, b);
    fe.put_more(BLEND, 0, 0xa | src << 4 | dst << 8);
    let cull = ext(v, 12, 2);
    let raster = cull_raster(fe, cull == 3, cull != 1);
    fe.put(RASTER, 0, raster);
    fe.push_celsius_mode();
}

pub(crate) fn d3d0_alpha_ok(_: &Fe, c: Call) -> bool {
    (1..=8).contains(&ext(c.v, 8, 4)) && ext(c.v, 12, 20) == 0
}

pub(crate) fn d3d0_alpha(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        let mut a = fe.word(CONFIG_A, 0);
        ins(&mut a, 0, 8, c.v);
        ins(&mut a, 8, 4, ext(c.v, 8, 4).wrapping_sub(1));
        ins(&mut a, 12, 1, 1);
        fe.put(CONFIG_A, 0, a);
    }
    mark(fe, 18);
}

pub(crate) fn any_ok(_: &Fe, _: Call) -> bool {
    true
}

/// 48h refuses coordinates of 2048 and more.
pub(crate) fn xy_ok(fe: &Fe, c: Call) -> bool {
    fe.class != 0x48 || ext(c.v, 23, 8) <= 0x7f + 10
}

/// 48h refuses depths outside 0 to 1.
pub(crate) fn z_ok(fe: &Fe, c: Call) -> bool {
    fe.class != 0x48 || !bit(c.v, 31) && ext(c.v, 23, 8) < 0x7f
}

/// 48h refuses negative 1/w.
pub(crate) fn w_ok(fe: &Fe, c: Call) -> bool {
    fe.class != 0x48 || !bit(c.v, 31)
}

/// The vertex slot: 48h has it in the fog method's data, the others in the address.
fn slot(fe: &Fe, c: Call) -> u32 {
    if fe.class == 0x48 {
        ext(fe.r.misc24[2], 0, 4)
    } else {
        c.i
    }
}

/// A vertex word came in: note it, and that the slot is incomplete.
fn note(fe: &mut Fe, c: Call, which: u32) {
    mark(fe, which);
    let slot = slot(fe, c);
    ins(&mut fe.r.valid[0], slot, 1, 0);
}

fn send_attr(fe: &mut Fe, format: u32, attr: u8, n: u8, comp: u8, data: u32) {
    fe.out.push(Event::Attr {
        fmt: format as u8,
        attr,
        ncomp: n,
        comp,
        data,
    });
}

pub(crate) fn tlv_x(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        let nv10 = fe.g.nv10;
        let row = &mut fe.r.celsius_pipe_vtx;
        row[0] = c.v;
        if !nv10 {
            row[1] = 0;
        }
        row[2] = 0;
        row[3] = ONE;
    }
    note(fe, c, 5);
}

pub(crate) fn tlv_y(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        fe.r.celsius_pipe_vtx[1..4].copy_from_slice(&[c.v, 0, ONE]);
    }
    note(fe, c, 4);
}

pub(crate) fn tlv_z(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        fe.r.celsius_pipe_vtx[2] = c.v;
    }
    note(fe, c, 3);
}

pub(crate) fn tlv_w(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        fe.r.celsius_pipe_vtx[3] = c.v;
    }
    note(fe, c, 2);
}

/// A8R8G8B8 to four floats.
fn color_row(fe: &mut Fe, first: usize, v: u32) {
    for (k, lo) in [16, 8, 0, 24].into_iter().enumerate() {
        fe.r.celsius_pipe_vtx[first + k] = ubyte(ext(v, lo, 8) as u8);
    }
    let bgra = v & 0xff00_ff00 | ext(v, 0, 8) << 16 | ext(v, 16, 8);
    send_attr(fe, fmt::UBYTE, first as u8 / 4, 4, 0, bgra);
}

pub(crate) fn tlv_color(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        color_row(fe, 4, c.v);
    }
    note(fe, c, 1);
}

/// Fog in alpha, specular colour; in 48h also the triangle's three slots.
pub(crate) fn tlv_fog(fe: &mut Fe, c: Call) {
    if !fe.blocked() {
        color_row(fe, 8, c.v);
    }
    if fe.class == 0x48 {
        fe.r.misc24[2] = c.v & 0xff_ffff;
        ins(&mut fe.r.valid[1], 0, 7, 1);
    } else {
        note(fe, c, 0);
    }
}

/// A texture coordinate; `p`: which, and bit 8 on the one that ends a vertex.
pub(crate) fn tlv_uv(fe: &mut Fe, c: Call) {
    let (unit, v) = (c.p as usize >> 1 & 1, c.p as usize & 1);
    let ends = bit(c.p, 8);
    if !fe.blocked() {
        let nv10 = fe.g.nv10;
        let row = &mut fe.r.celsius_pipe_vtx[(3 + unit) * 4..];
        if !nv10 {
            row[1] = 0;
        }
        row[2] = 0;
        row[3] = ONE;
        row[v] = c.v;
    }
    if v == 0 || unit == 0 {
        mark(fe, 6 + unit as u32 * 2 + v as u32);
    }
    let slot = slot(fe, c);
    if !ends {
        ins(&mut fe.r.valid[0], slot, 1, 0);
        return;
    }
    end_vertex(fe, slot);
}

/// The last word of a vertex: it is stored if all others came in. No hardware model covers this.
fn end_vertex(fe: &mut Fe, slot: u32) {
    let words = if d3d6(fe) { 0x1ff } else { 0x7f };
    let current = ext(fe.r.valid[0], 16, 4);
    if fe.r.valid[1] & words == words {
        ins(&mut fe.r.valid[0], slot, 1, 1);
        if fe.class != 0x48 {
            ins(&mut fe.r.valid[0], 16, 4, slot);
        }
        fe.r.valid[1] &= !words;
    } else if !bit(fe.r.valid[0], current) {
        fe.blow_up(0x4000);
    }
    if ext(fe.r.surf_format, 8, 4) == 0 && bit(fe.r.debug_d, 22) {
        fe.blow_up(0x200);
    }
}
