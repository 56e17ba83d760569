//! State methods.

use isotherm_regs::bundle::*;

use crate::Fe;
use crate::bits::{bit, ext, ins};
use crate::kelvin::{rc, rows, state as gl};
use crate::object;
use crate::surface::{self, COLOR, ZETA};
use crate::table::Check::{Any, Below, Mask, Rule};
use crate::table::Op::{Always, Do, Field, Nop, Spread, Word};
use crate::table::{Call, Row, Soft, field_at, free, moved, soft};
use crate::traps::warning;
use isotherm_bus::bundle::{DmaRole, Event};
use isotherm_bus::trap::{intr, nsource};
use isotherm_regs::Chip::{Nv10, Nv17};
use isotherm_regs::method::{CONTROL, OCCLUDE_DATA};

pub(crate) use rows::GL;

/// A method without a warning inside BEGIN/END, that sends bundles.
const fn bundle(
    at: u16,
    name: &'static str,
    check: crate::table::Check,
    op: crate::table::Op,
) -> Row {
    free(at, name, check, op).pipe()
}

fn dma_tex(fe: &mut Fe, c: Call) {
    object::dma_slot(fe, c, 2, true);
    fe.announce_dma(DmaRole::Tex(c.p as u8));
}

fn dma_vtx(fe: &mut Fe, c: Call) {
    let value = fe.dma_value(c.v);
    fe.check_dma_class(2);
    if value_without_pages(fe) {
        fe.r.intr |= intr::VERTEX_DMA;
        fe.r.fifo_enable = 0;
    }
    fe.check_dma_aligned();
    ins(&mut fe.r.celsius_dma, 0, 16, value);
    fe.announce_dma(DmaRole::Vtx(0));
}

/// A vertex object that is neither linear nor paged.
fn value_without_pages(fe: &Fe) -> bool {
    ext(fe.dma.words[0], 0, 12) != 0x30 && ext(fe.dma.words[0], 12, 2) == 0
}

fn dma_state(fe: &mut Fe, c: Call) {
    let value = fe.dma_value(c.v);
    fe.check_dma_class(3);
    ins(&mut fe.r.celsius_dma, 16, 16, value);
    fe.announce_dma(DmaRole::State);
}

/// CLIP_H, CLIP_V: the third user clip rectangle, with the marks that any clip method leaves in
/// the 2D rasteriser.
fn clip(fe: &mut Fe, c: Call) {
    let (hv, min) = (c.p as usize, ext(c.v, 0, 16));
    let max = min + ext(c.v, 16, 16);
    let r = &mut fe.r;
    ins(&mut r.valid[1], 30, 2, 0);
    ins(&mut r.valid[0], 19, 1, 0);
    ins(&mut r.xy_misc_1[1], 0, 1, 1);
    ins(&mut r.xy_misc_1[0], 0, 1, 0);
    ins(&mut r.xy_misc_3, 8, 1, 0);
    r.vtx_xy[9][hv] = min;
    fe.set_clip_status(0, hv, min);
    let r = &mut fe.r;
    if hv == 0 {
        r.vtx_xy[9] = [max; 2];
    }
    r.uclip_min[2][hv] = min;
    r.uclip_max[2][hv] = max & 0x3_ffff;
    fe.surface_clip(c.p, c.v);
}

impl Fe {
    /// Where a coordinate lies, as the 2D rasteriser notes it.
    fn set_clip_status(&mut self, vertex: usize, xy: usize, coord: u32) {
        let sign = |v: u32, bits: u32| (v << (32 - bits)) as i32 >> (32 - bits);
        let (min, max) = (
            sign(self.r.uclip_min[2][xy], 16),
            sign(self.r.uclip_max[2][xy], 18),
        );
        let at = sign(ext(coord, 4, 12), 12);
        let status = u32::from(at < min)
            | u32::from(at == min) << 1
            | u32::from(at > max) << 2
            | u32::from(at == max) << 3;
        ins(
            &mut self.r.xy_clip[xy][vertex >> 3],
            (vertex as u32 & 7) * 4,
            4,
            status,
        );
    }
}

fn tex_offset(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        fe.put(TEX_OFFSET, c.i, c.v);
    }
    ins(&mut fe.r.valid[1], if c.i == 0 { 14 } else { 22 }, 1, 1);
}

pub(crate) fn tex_format_ok(fe: &Fe, c: Call) -> bool {
    let v = c.v;
    let (mips, su, sv, format) = (ext(v, 12, 4), ext(v, 16, 4), ext(v, 20, 4), ext(v, 7, 5));
    let (wrap_s, wrap_t, cube) = (ext(v, 24, 3), ext(v, 28, 3), bit(v, 2));
    let pair = |lo| matches!(ext(v, lo, 2), 1 | 2);
    let wraps = if fe.g.celsius() { 1..=5 } else { 1..=3 };
    let newest = if fe.class == 0x99 { 0x1d } else { 0x19 };
    // Formats of four and more bytes a texel, and DXT with alpha.
    let wide = matches!(format, 6 | 7 | 0xb | 0xe | 0xf);
    pair(0)
        && pair(3)
        && pair(5)
        && !(cube && (su != sv || su >= 0xb || su >= 0xa && wide))
        && format != 0xd
        && format < newest
        && (1..=0xc).contains(&mips)
        && !(format >= 0x10 && (cube || wrap_s != 3 || wrap_t != 3 || mips != 1))
        && su <= 0xb
        && sv <= 0xb
        && wraps.contains(&wrap_s)
        && wraps.contains(&wrap_t)
}

fn tex_format(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    let mut word = c.v & 0xffff_ffd6;
    let most = ext(c.v, 16, 4).max(ext(c.v, 20, 4)) + 1;
    ins(&mut word, 12, 4, ext(c.v, 12, 4).min(most));
    if !fe.blocked() {
        word |= fe.word(TEX_FORMAT, c.i as usize) & 8;
        fe.put(TEX_FORMAT, c.i, word);
    }
    ins(&mut fe.r.valid[1], if c.i == 0 { 15 } else { 21 }, 1, 1);
}

fn tex_control_a(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.celsius_xf_misc_b, c.i * 14, 1, ext(c.v, 30, 1));
    fe.put(TEX_CONTROL, c.i, c.v & 0x7fff_ffff);
    fe.send_celsius_mode();
}

fn tex_filter_ok(_: &Fe, c: Call) -> bool {
    ext(c.v, 13, 11) == 0
        && (1..=6).contains(&ext(c.v, 24, 4))
        && (1..=2).contains(&ext(c.v, 28, 4))
}

fn tex_filter(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        fe.put(TEX_FILTER, c.i, c.v & 0x7700_1fff);
    }
    ins(&mut fe.r.valid[1], if c.i == 0 { 16 } else { 23 }, 1, 1);
}

fn tex_rect_ok(_: &Fe, c: Call) -> bool {
    let (lo, hi) = (ext(c.v, 0, 16), ext(c.v, 16, 16));
    (1..0x800).contains(&lo) && hi & 1 == 0 && (1..0x800).contains(&(hi >> 1))
}

fn rc_factor(fe: &mut Fe, c: Call) {
    fe.put(if c.i == 0 { RC_FACTOR_A } else { RC_FACTOR_B }, 0, c.v);
}

pub(crate) fn rc_out_alpha_ok(fe: &Fe, c: Call) -> bool {
    c.v & !0x3_cfff == 0 && !matches!(ext(c.v, 15, 3), 5 | 7) && rc::out_regs_ok(fe, c.v)
}

pub(crate) fn rc_out_color_ok(fe: &Fe, c: Call) -> bool {
    let config = if c.i == 0 {
        ext(c.v, 27, 3) == 0
    } else {
        matches!(ext(c.v, 28, 2), 1 | 2)
    };
    config
        && c.v & 0xc7fc_0000 == 0
        && !matches!(ext(c.v, 15, 3), 5 | 7)
        && rc::out_regs_ok(fe, c.v)
}

fn rc_out_color(fe: &mut Fe, c: Call) {
    let mask = if c.i == 0 { 0x3_ffff } else { 0x3803_ffff };
    fe.put(RC_OUT_COLOR, c.i, c.v & mask);
}

pub(crate) fn config_ok(fe: &Fe, c: Call) -> bool {
    c.v & 0xceee_eefe == 0
        && (ext(c.v, 28, 2) == 0 || fe.class == 0x99)
        && (!bit(c.v, 8) || bit(c.v, 16))
}

fn config(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    ins(&mut fe.r.valid[1], 17, 1, 1);
    if fe.blocked() {
        return;
    }
    let chip = fe.chip();
    let [a, b, raster] = gl::control_words(fe, c.v);
    let b = CONFIG_B::CELSIUS_CONFIG_UNK8.with(chip, b, CONTROL::UNK8.get(chip, c.v));
    fe.put_more(CONFIG_A, 0, a);
    fe.put_more(CONFIG_B, 0, b);
    fe.put(RASTER, 0, raster);
}

/// GL fog modes; the distance ones are kept for vertex programs to come.
pub(crate) const FOG_MODE: Soft =
    Soft::Enum(&[(0x2601, 0), (0x800, 1), (0x801, 3), (0x802, 5), (0x803, 7)]);

/// CONFIG_C is no bundle: the units are told otherwise.
fn announce_config_c(fe: &mut Fe) {
    fe.out
        .push(Event::CelsiusConfig(fe.r.celsius_config_c & 0x17));
}

fn fog_mode(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.celsius_config_c, 0, 3, c.v);
    announce_config_c(fe);
}

fn clip_rect_mode(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.celsius_config_c, 4, 1, c.v);
    announce_config_c(fe);
}

fn clip_rect_ok(_: &Fe, c: Call) -> bool {
    // Twelve-bit signed coordinates.
    c.v & 0xf000_f000 == 0 && ext(c.v, 0, 12) ^ 0x800 <= ext(c.v, 16, 12) ^ 0x800
}

/// A clip rectangle replaces all later ones too.
fn clip_rect(fe: &mut Fe, c: Call) {
    let value = c.v & 0x0fff_0fff;
    for i in c.i..8 {
        let rects = if c.p == 0 {
            &mut fe.r.celsius_clip_rect_horiz
        } else {
            &mut fe.r.celsius_clip_rect_vert
        };
        rects[i as usize] = value;
        fe.out.push(Event::CelsiusClipRect {
            vertical: c.p != 0,
            index: i as u8,
            value,
        });
    }
}

fn fog_color(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if fe.inside() {
        fe.warn(warning::INSIDE);
    } else if !fe.blocked() {
        let v = c.v;
        let swapped = v & 0xff00_ff00 | ext(v, 0, 8) << 16 | ext(v, 16, 8);
        fe.put(FOG_COLOR, 0, swapped);
    }
    ins(&mut fe.r.valid[1], 13, 1, 1);
}

fn tex_color_key(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if fe.inside() {
        fe.warn(warning::INSIDE);
    } else if !fe.blocked() {
        fe.put(TEX_COLOR_KEY, c.i, c.v);
    }
    if c.i == 0 {
        ins(&mut fe.r.valid[1], 12, 1, 1);
    }
}

/// LINE_WIDTH lost its top bit on NV10.
fn line_width(fe: &mut Fe, c: Call) {
    let width = if fe.g.nv10 { c.v & 0xff } else { c.v };
    fe.field(const { field_at(RASTER, RASTER::LINE_WIDTH, Nv10) }, width);
}

/// Celsius's own.
pub(crate) const ROWS: &[Row] = &[
    free(0x180, "dma_notify", Any, Always(object::dma_notify))
        .dma()
        .trap(3),
    free(0x184, "dma_tex_a", Any, Always(dma_tex))
        .dma()
        .p(0)
        .trap(4),
    free(0x188, "dma_tex_b", Any, Always(dma_tex))
        .dma()
        .p(1)
        .trap(5),
    free(0x18c, "dma_vtx", Any, Always(dma_vtx)).dma().trap(6),
    free(0x190, "dma_state", Any, Always(dma_state))
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
    free(0x200, "clip_h", Mask(!0x8000), Always(clip))
        .p(0)
        .trap(10),
    free(0x204, "clip_v", Mask(!0x8000), Always(clip))
        .p(1)
        .trap(10),
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
    ),
    free(0x210, "color_offset", Mask(!0x3f), Always(surface::offset))
        .p(COLOR)
        .trap(13),
    free(0x214, "zeta_offset", Mask(!0x3f), Always(surface::offset))
        .p(ZETA)
        .trap(14),
    free(0x218, "tex_offset", Mask(!0x7f), Always(tex_offset))
        .n(2)
        .trap(15),
    free(0x220, "tex_format", Rule(tex_format_ok), Always(tex_format))
        .n(2)
        .trap(16),
    bundle(0x228, "tex_control_a", Mask(0x7fff_ffdf), Do(tex_control_a))
        .n(2)
        .trap(17),
    bundle(
        0x230,
        "tex_control_b",
        Rule(|_, c| c.v & 0xffff == 0 && c.v & 0x3ff8_0000 != 0),
        Word(TEX_PITCH, 0xffff_0000),
    )
    .n(2)
    .trap(18),
    bundle(0x238, "tex_control_c", Any, Word(TEX_UNK238, !0))
        .n(2)
        .trap(19),
    bundle(
        0x240,
        "tex_rect",
        Rule(tex_rect_ok),
        Word(TEX_RECT, 0x07ff_07ff),
    )
    .n(2)
    .trap(20),
    free(0x248, "tex_filter", Rule(tex_filter_ok), Always(tex_filter))
        .n(2)
        .trap(21),
    bundle(
        0x250,
        "tex_palette",
        Mask(!0x3e),
        Word(TEX_PALETTE, 0xffff_ffc1),
    )
    .n(2)
    .trap(22),
    bundle(0x260, "rc_in_alpha", Rule(rc::in_ok), Word(RC_IN_ALPHA, !0))
        .n(2)
        .trap(23),
    bundle(0x268, "rc_in_color", Rule(rc::in_ok), Word(RC_IN_COLOR, !0))
        .n(2)
        .trap(24),
    bundle(0x270, "rc_factor", Any, Do(rc_factor)).n(2).trap(25),
    bundle(
        0x278,
        "rc_out_alpha",
        Rule(rc_out_alpha_ok),
        Word(RC_OUT_ALPHA, 0x3_cfff),
    )
    .n(2)
    .trap(26),
    bundle(
        0x280,
        "rc_out_color",
        Rule(rc_out_color_ok),
        Do(rc_out_color),
    )
    .n(2)
    .trap(27),
    bundle(
        0x288,
        "rc_final_a",
        Rule(rc::final_a_ok),
        Word(RC_FINAL_A, 0x3f3f_3f3f),
    )
    .trap(28),
    bundle(
        0x28c,
        "rc_final_b",
        Rule(rc::final_b_ok),
        Word(RC_FINAL_B, 0x3f3f_3fe0),
    )
    .trap(29),
    free(0x290, "config", Rule(config_ok), Always(config)).trap(30),
    soft(0x29c, "fog_mode", FOG_MODE, Do(fog_mode)),
    free(0x2a8, "fog_color", Any, Always(fog_color)),
    free(0x2ac, "tex_color_key", Any, Always(tex_color_key)).n(2),
    free(0x2b4, "clip_rect_mode", Below(2), Do(clip_rect_mode)),
    free(0x2c0, "clip_rect_horiz", Rule(clip_rect_ok), Do(clip_rect))
        .n(8)
        .p(0),
    free(0x2e0, "clip_rect_vert", Rule(clip_rect_ok), Do(clip_rect))
        .n(8)
        .p(1),
    rows::POINT_SMOOTH,
    soft(0x380, "line_width", Soft::Below(0x200), Do(line_width)).pipe(),
    soft(
        0x3b8,
        "specular_enable",
        Soft::Bool,
        Field(field_at(CONFIG_B, CONFIG_B::SPECULAR_ENABLE, Nv10)),
    ),
    soft(
        0x3ec,
        "point_size",
        Soft::Below(0x200),
        Word(POINT_SIZE, 0x1ff),
    ),
    soft(
        0x3f0,
        "unk3f0",
        Soft::Any,
        Field(field_at(RASTER, RASTER::SWATH_WIDTH, Nv10)),
    )
    .check(Below(4)),
    soft(
        0x3f4,
        "flatshade_first",
        Soft::Any,
        Field(field_at(CONFIG_B, CONFIG_B::PROVOKING_VERTEX, Nv10)),
    )
    .check(Below(2)),
];

/// 56h, 96h and 98h.
pub(crate) const ONLY_OLD: &[Row] = &[soft(
    0x3f8,
    "old_unk3f8",
    Soft::Rule(|_, c| if c.v > 3 { Err(warning::ENUM) } else { Ok(c.v) }),
    Field(field_at(RASTER, RASTER::CELSIUS_UNK30, Nv10)),
)];

/// 96h, 98h, 99h.
pub(crate) const SINCE_96: &[Row] = &[
    free(0x114, "unk114", Any, Do(|_, _| {})),
    super::light::MATERIAL_FREE,
    soft(
        0xd40,
        "color_logic_op_enable",
        Soft::Bool,
        Field(field_at(BLEND, BLEND::COLOR_LOGIC_OP_ENABLE, Nv17)),
    ),
    soft(
        0xd44,
        "color_logic_op_op",
        gl::LOGIC_OP,
        Field(field_at(BLEND, BLEND::COLOR_LOGIC_OP_OP, Nv17)),
    ),
];

/// Data is accepted outside BEGIN/END only.
fn outside(fe: &Fe, _: Call) -> bool {
    !fe.inside()
}

/// DMA_CLIPID (`p` = 0) and DMA_ZCULL (`p` = 1) of 99h: sent even if the object is refused.
fn dma_zcull(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    let words = fe.dma.words;
    let class = ext(words[0], 0, 12);
    let base = words[2] & !0xfff | ext(words[0], 20, 12);
    let (mask, base_id, limit_id) = if c.p == 0 {
        (fe.g.offset_mask() | 0xf, CLIPID_BASE, CLIPID_LIMIT)
    } else {
        (0x3fff_ffff, ZCULL_BASE, ZCULL_LIMIT)
    };
    fe.put_more(base_id, 0, base & mask);
    fe.put(
        limit_id,
        0,
        words[1] & mask | u32::from(class != 0x30) << 31,
    );
    let refused = class != 0x30 && class != 0x3d && bit(fe.r.debug_d, 23);
    if refused {
        fe.blow_up(nsource::DATA);
    }
    if class != 0x30 && (ext(base, 0, 6) != 0 || ext(words[0], 16, 2) != 0) {
        fe.blow_up(nsource::PROTECTION);
    }
    ins(
        &mut fe.r.ctx_valid,
        28 + c.p,
        1,
        (class != 0x30 && !refused).into(),
    );
}

fn pitch_ok(_: &Fe, c: Call) -> bool {
    c.v & !0xff80 == 0 && c.v != 0
}

fn clear_hv_ok(fe: &Fe, c: Call) -> bool {
    outside(fe, c) && c.v & !0x0fff_0fff == 0 && ext(c.v, 0, 16) <= ext(c.v, 16, 16)
}

fn clear_hv(fe: &mut Fe, c: Call) {
    fe.put(CLEAR_HV, c.p, c.v & 0x0fff_0fff);
}

fn surf_unk2b8(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.surf_type, 2, 2, ext(c.v, 0, 2));
    ins(&mut fe.r.surf_type, 6, 2, ext(c.v, 2, 2));
}

fn tex_unk258(fe: &mut Fe, c: Call) {
    let mut word = fe.word(TEX_FORMAT, c.i as usize);
    ins(&mut word, 3, 1, c.v);
    fe.put(TEX_FORMAT, c.i, word);
}

/// CLEAR_ZETA_TRIGGER: the depth surface, within CLEAR_HV. What its data bits mean is a guess
/// from the Kelvin method (1 depth, 2 stencil).
fn clear_zeta(fe: &mut Fe, c: Call) {
    fe.send(CLEAR_ZCULL_TRIGGER, 0, c.v);
    fe.out.push(Event::Clear(c.v & 3));
}

/// 56h has no logic operation, but the public driver sends these methods to every class; the
/// kernel only logs the error that a chip raises.
pub(crate) const ONLY_56: &[Row] = &[free(0xd40, "color_logic_op", Any, Nop).n(2)];

/// 99h only.
pub(crate) const ONLY_99: &[Row] = &[
    // Early depth rejection, which changes no picture; known from the public class headers.
    free(0x1638, "hierz_window", Any, Nop).n(4),
    free(0x1658, "hierz_enable", Any, Nop),
    free(0x1ac, "dma_clipid", Any, Always(dma_zcull)).dma().p(0),
    free(0x1b0, "dma_zcull", Any, Always(dma_zcull)).dma().p(1),
    bundle(0x258, "tex_unk258", Below(2), Do(tex_unk258)).n(2),
    free(
        0x2b8,
        "surf_unk2b8",
        Rule(|_, c| c.v < 0x10 && c.v & 3 != 3 && c.v >> 2 != 3),
        Always(surf_unk2b8),
    ),
    free(
        0x2bc,
        "surf_unk2bc",
        Below(2),
        Always(|fe, c| ins(&mut fe.r.surf_type, 31, 1, c.v)),
    ),
    bundle(
        0x3f8,
        "unk3f8",
        Below(2),
        Field(field_at(CONFIG_A, CONFIG_A::CELSIUS_UNK3F8, Nv17)),
    ),
    bundle(0x3fc, "unk3fc", Any, Word(UNK3FC, !0)),
    bundle(
        0xd54,
        "surf_pitch_clipid",
        Rule(pitch_ok),
        Word(CLIPID_PITCH, 0xffff),
    ),
    bundle(
        0xd58,
        "surf_offset_clipid",
        Mask(!0x3f),
        Word(CLIPID_OFFSET, 0x07ff_ffff),
    ),
    bundle(
        0xd5c,
        "surf_pitch_zcull",
        Rule(pitch_ok),
        Word(ZCULL_PITCH, 0xffff),
    ),
    bundle(
        0xd60,
        "surf_offset_zcull",
        Mask(!0x3f),
        Word(ZCULL_OFFSET, 0x3fff_ffff),
    ),
    bundle(
        0xd64,
        "invalidate_zcull",
        Rule(|_, c| c.v < 4 || c.v == 6),
        Do(|fe, c| fe.send(INVALIDATE_ZCULL, 0, c.v)),
    ),
    bundle(0xd68, "clear_zeta", Rule(outside), Word(CLEAR_ZETA, !0)),
    bundle(0xd6c, "clear_zeta_trigger", Rule(outside), Do(clear_zeta)),
    bundle(
        0xd70,
        "clear_clipid_trigger",
        Rule(outside),
        Do(|fe, c| fe.send(CLEAR_CLIPID_TRIGGER, 0, c.v)),
    ),
    bundle(
        0xd74,
        "clipid_enable",
        Rule(|fe, c| outside(fe, c) && c.v < 2),
        Field(field_at(Z_CONFIG, Z_CONFIG::CLIPID_ENABLE, Nv17)),
    ),
    bundle(
        0xd78,
        "clipid_id",
        Rule(|fe, c| outside(fe, c) && c.v < 0x10),
        Word(CLIPID_ID, 0xf),
    ),
    bundle(0xd7c, "clear_h", Rule(clear_hv_ok), Do(clear_hv)).p(0),
    bundle(0xd80, "clear_v", Rule(clear_hv_ok), Do(clear_hv)).p(1),
    bundle(
        0xd84,
        "unkd84",
        Rule(|fe, c| outside(fe, c) && c.v & !0x8000_0003 == 0),
        Spread(
            Z_CONFIG,
            &[
                moved(OCCLUDE_DATA::Z_ENABLE, Z_CONFIG::OCCLUDE_Z_ENABLE, Nv17),
                moved(
                    OCCLUDE_DATA::STENCIL_ENABLE,
                    Z_CONFIG::OCCLUDE_STENCIL_ENABLE,
                    Nv17,
                ),
                moved(OCCLUDE_DATA::UNK31, Z_CONFIG::OCCLUDE_UNK31, Nv17),
            ],
        ),
    ),
];
