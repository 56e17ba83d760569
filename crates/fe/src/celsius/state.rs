//! State methods.

use isotherm_regs::Chip::{Nv10, Nv17};
use isotherm_regs::bundle::*;
use isotherm_regs::field::Field as RegField;
use isotherm_regs::method::{
    CELSIUS_TEX_FILTER_DATA, CELSIUS_TEX_FORMAT_DATA, CLEAR_SURFACE, CONTROL, Method, OCCLUDE_DATA,
    SURF_CLIP, SURF_UNK2B8_DATA, celsius as m,
};
use isotherm_regs::pgraph::{
    CELSIUS_CONFIG_C, CELSIUS_DMA, CTX_VALID, DEBUG_D, SURF_TYPE, VALID_A, VALID_B, XY_CLIP,
    XY_MISC_1, XY_MISC_3,
};
use isotherm_regs::xf::mode::CELSIUS_XFMODE_A;

use crate::Fe;
use crate::kelvin::{rc, rows, state as gl};
use crate::object;
use crate::surface::{self, COLOR, ZETA};
use crate::table::Check::{Any, Below, Mask, Rule};
use crate::table::Op::{Always, Do, Field, Nop, Spread, Word};
use crate::table::{Call, Move, Row, Soft, free, soft};
use crate::traps::warning;
use crate::words::{Data, Edit};
use isotherm_bus::bundle::{DmaRole, Event};
use isotherm_bus::trap::{intr, nsource};

pub(crate) use rows::GL;

/// A method without a warning inside BEGIN/END, that sends bundles.
const fn bundle(method: Method, check: crate::table::Check, op: crate::table::Op) -> Row {
    free(method, check, op).pipe()
}

fn dma_tex(fe: &mut Fe, c: Call) {
    object::dma_slot(fe, c, 2, true);
    fe.announce_dma(DmaRole::Tex(c.p as u8));
}

fn dma_vtx(fe: &mut Fe, c: Call) {
    let value = fe.dma_value(c.v);
    fe.check_dma_class(2);
    if fe.dma.without_pages() {
        fe.r.intr |= intr::VERTEX_DMA;
        fe.r.fifo_enable = 0;
    }
    fe.check_dma_aligned();
    CELSIUS_DMA::VTX.write(&mut fe.r.celsius_dma, value);
    fe.announce_dma(DmaRole::Vtx(0));
}

fn dma_state(fe: &mut Fe, c: Call) {
    let value = fe.dma_value(c.v);
    fe.check_dma_class(3);
    CELSIUS_DMA::STATE.write(&mut fe.r.celsius_dma, value);
    fe.announce_dma(DmaRole::State);
}

/// CLIP_H, CLIP_V: the third user clip rectangle, with the marks that any clip method leaves in
/// the 2D rasteriser.
fn clip(fe: &mut Fe, c: Call) {
    let (hv, min) = (c.p as usize, SURF_CLIP::ORIGIN.read(c.v));
    let max = min + SURF_CLIP::SIZE.read(c.v);
    let r = &mut fe.r;
    VALID_B::CLIP.write(&mut r.valid[1], 0);
    VALID_A::CLIP.write(&mut r.valid[0], 0);
    XY_MISC_1::CLIP.write(&mut r.xy_misc_1[1], 1);
    XY_MISC_1::CLIP.write(&mut r.xy_misc_1[0], 0);
    XY_MISC_3::CLIP.write(&mut r.xy_misc_3, 0);
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
        // The coordinate has four bits of fraction.
        let at = sign(coord >> 4, 12);
        let status = u32::from(at < min)
            | u32::from(at == min) << 1
            | u32::from(at > max) << 2
            | u32::from(at == max) << 3;
        let nibble = XY_CLIP::STATUS.entry(vertex as u32 & 7, 4);
        nibble.write(&mut self.r.xy_clip[xy][vertex >> 3], status);
    }
}

/// Notes in VALID[1] that a unit's word came in.
fn mark(fe: &mut Fe, words: [RegField; 2], unit: u32) {
    words[unit as usize & 1].write(&mut fe.r.valid[1], 1);
}

fn tex_offset(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        fe.put(TEX_OFFSET, c.i, c.v);
    }
    mark(fe, [VALID_B::TEX_0_OFFSET, VALID_B::TEX_1_OFFSET], c.i);
}

pub(crate) fn tex_format_ok(fe: &Fe, c: Call) -> bool {
    use CELSIUS_TEX_FORMAT_DATA as D;
    let data = Data::new(fe, c.v);
    let (mips, format) = (data.get(D::MIPS), data.get(D::FORMAT));
    let (su, sv) = (data.get(D::SIZE_S), data.get(D::SIZE_T));
    let (wrap_s, wrap_t) = (data.get(D::WRAP_S), data.get(D::WRAP_T));
    let cube = data.is(D::CUBE_MAP);
    let pair = |field| matches!(data.get(field), 1 | 2);
    let wraps = if fe.g.celsius() { 1..=5 } else { 1..=3 };
    let newest = if fe.class == 0x99 { 0x1d } else { 0x19 };
    // Formats of four and more bytes a texel, and DXT with alpha.
    let wide = matches!(format, 6 | 7 | 0xb | 0xe | 0xf);
    pair(D::DMA)
        && pair(D::ORIGIN_ZOH)
        && pair(D::ORIGIN_FOH)
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

/// TEX_FORMAT as the word has it: of the objects and the origins the upper bit.
const TEX_FORMAT_MOVES: &[Move] = &[
    (CELSIUS_TEX_FORMAT_DATA::DMA.entry(1, 1), TEX_FORMAT::DMA),
    (CELSIUS_TEX_FORMAT_DATA::CUBE_MAP, TEX_FORMAT::CUBE_MAP),
    (
        CELSIUS_TEX_FORMAT_DATA::ORIGIN_ZOH.entry(1, 1),
        TEX_FORMAT::ORIGIN_ZOH,
    ),
    (
        CELSIUS_TEX_FORMAT_DATA::ORIGIN_FOH.entry(1, 1),
        TEX_FORMAT::ORIGIN_FOH,
    ),
    (CELSIUS_TEX_FORMAT_DATA::FORMAT, TEX_FORMAT::FORMAT),
    (CELSIUS_TEX_FORMAT_DATA::SIZE_S, TEX_FORMAT::SIZE_S),
    (CELSIUS_TEX_FORMAT_DATA::SIZE_T, TEX_FORMAT::SIZE_T),
    (CELSIUS_TEX_FORMAT_DATA::WRAP_S, TEX_FORMAT::WRAP_S),
    (CELSIUS_TEX_FORMAT_DATA::WRAP_S_CYL, TEX_FORMAT::WRAP_S_CYL),
    (CELSIUS_TEX_FORMAT_DATA::WRAP_T, TEX_FORMAT::WRAP_T),
    (CELSIUS_TEX_FORMAT_DATA::WRAP_T_CYL, TEX_FORMAT::WRAP_T_CYL),
];

fn tex_format(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        let data = Data::new(fe, c.v);
        let largest = data
            .get(CELSIUS_TEX_FORMAT_DATA::SIZE_S)
            .max(data.get(CELSIUS_TEX_FORMAT_DATA::SIZE_T));
        let mips = data.get(CELSIUS_TEX_FORMAT_DATA::MIPS).min(largest + 1);
        let word = Edit::of(fe, TEX_FORMAT, c.i)
            .moved(c.v, TEX_FORMAT_MOVES)
            .set(TEX_FORMAT::MIPS, mips);
        fe.put(TEX_FORMAT, c.i, word.word);
    }
    mark(fe, [VALID_B::TEX_0_FORMAT, VALID_B::TEX_1_FORMAT], c.i);
}

fn tex_control_a(fe: &mut Fe, c: Call) {
    let enable = [
        CELSIUS_XFMODE_A::TEX_0_ENABLE,
        CELSIUS_XFMODE_A::TEX_1_ENABLE,
    ];
    let on = Data::new(fe, c.v).get(TEX_CONTROL::ENABLE);
    enable[c.i as usize & 1].write(&mut fe.r.celsius_xf_misc_b, on);
    let kept = TEX_CONTROL::WORD.mask(fe.g.chip, 0);
    fe.put(TEX_CONTROL, c.i, c.v & kept);
    fe.send_celsius_mode();
}

pub(crate) fn tex_filter_ok(fe: &Fe, c: Call) -> bool {
    use CELSIUS_TEX_FILTER_DATA as D;
    let data = Data::new(fe, c.v);
    data.only(&[D::LOD_BIAS, D::MINIFY, D::MAGNIFY])
        && (1..=6).contains(&data.get(D::MINIFY))
        && (1..=2).contains(&data.get(D::MAGNIFY))
}

fn tex_filter(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if !fe.blocked() {
        let kept = TEX_FILTER::WORD.mask(fe.g.chip, 0);
        fe.put(TEX_FILTER, c.i, c.v & kept);
    }
    mark(fe, [VALID_B::TEX_0_FILTER, VALID_B::TEX_1_FILTER], c.i);
}

/// TEX_RECT: the width is even.
pub(crate) fn tex_rect_ok(_: &Fe, c: Call) -> bool {
    let (height, width) = (c.v & 0xffff, c.v >> 16);
    (1..0x800).contains(&height) && width % 2 == 0 && (1..0x800).contains(&(width / 2))
}

fn rc_factor(fe: &mut Fe, c: Call) {
    fe.put(if c.i == 0 { RC_FACTOR_A } else { RC_FACTOR_B }, 0, c.v);
}

pub(crate) fn rc_out_alpha_ok(fe: &Fe, c: Call) -> bool {
    let data = Data::new(fe, c.v);
    c.v & !RC_OUT_ALPHA::WORD.mask(Nv10, 0) == 0
        && rc::operation_ok(data)
        && rc::out_regs_ok(fe, c.v)
}

pub(crate) fn rc_out_color_ok(fe: &Fe, c: Call) -> bool {
    // The second stage's word has the number of stages, above a bit for the multiplexer.
    let stages = RC_OUT_COLOR::OPERATION.get(Nv10, c.v) >> 1;
    let data = Data::new(fe, c.v);
    (c.i == 0 || matches!(stages, 1 | 2))
        && c.v & !RC_OUT_COLOR::WORD.mask(Nv10, c.i as u16) == 0
        && rc::operation_ok(data)
        && rc::out_regs_ok(fe, c.v)
}

fn rc_out_color(fe: &mut Fe, c: Call) {
    let kept = RC_OUT_COLOR::WORD.mask(fe.g.chip, c.i as u16);
    fe.put(RC_OUT_COLOR, c.i, c.v & kept);
}

pub(crate) fn config_ok(fe: &Fe, c: Call) -> bool {
    // One bit of the unknown field, and 99h's two for colour spaces.
    c.v & !CONTROL::WORD.mask(Nv17, 0) == 0
        && CONTROL::UNK8.read(c.v) < 2
        && CONTROL::COLOR_SPACE_CONVERT.read(c.v) < if fe.class == 0x99 { 4 } else { 1 }
        && (!CONTROL::UNK8.is_on(c.v) || CONTROL::DEPTH_PERSPECTIVE_ENABLE.is_on(c.v))
}

fn config(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    VALID_B::CONFIG.write(&mut fe.r.valid[1], 1);
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

impl Fe {
    /// CONFIG_C is no bundle: the units are told otherwise.
    pub(crate) fn announce_config_c(&mut self) {
        let shown = CELSIUS_CONFIG_C::FOG_MODE.ones() | CELSIUS_CONFIG_C::CLIP_RECT_MODE.ones();
        self.out
            .push(Event::CelsiusConfig(self.r.celsius_config_c & shown));
    }
}

fn fog_mode(fe: &mut Fe, c: Call) {
    CELSIUS_CONFIG_C::FOG_MODE.write(&mut fe.r.celsius_config_c, c.v);
    fe.announce_config_c();
}

fn clip_rect_mode(fe: &mut Fe, c: Call) {
    CELSIUS_CONFIG_C::CLIP_RECT_MODE.write(&mut fe.r.celsius_config_c, c.v);
    fe.announce_config_c();
}

fn clip_rect_ok(_: &Fe, c: Call) -> bool {
    // Twelve-bit signed coordinates.
    let signed = |field: RegField| field.get_signed(Nv10, c.v);
    c.v & !CLIP_RECT_HORIZ::WORD.mask(Nv10, 0) == 0
        && signed(CLIP_RECT_HORIZ::LEFT) <= signed(CLIP_RECT_HORIZ::RIGHT)
}

/// A clip rectangle replaces all later ones too.
fn clip_rect(fe: &mut Fe, c: Call) {
    let value = c.v & CLIP_RECT_HORIZ::WORD.mask(Nv10, 0);
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
        let word = Edit::zero(fe).moved(c.v, gl::FOG_COLOR_BITS);
        fe.put(FOG_COLOR, 0, word.word);
    }
    VALID_B::FOG_COLOR.write(&mut fe.r.valid[1], 1);
}

fn tex_color_key(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    if fe.inside() {
        fe.warn(warning::INSIDE);
    } else if !fe.blocked() {
        fe.put(TEX_COLOR_KEY, c.i, c.v);
    }
    if c.i == 0 {
        VALID_B::COLOR_KEY.write(&mut fe.r.valid[1], 1);
    }
}

/// LINE_WIDTH lost its top bit on NV10.
fn line_width(fe: &mut Fe, c: Call) {
    let width = if fe.g.nv10 { c.v & 0xff } else { c.v };
    fe.put_field(RASTER, RASTER::LINE_WIDTH, width);
}

/// Celsius's own.
pub(crate) const ROWS: &[Row] = &[
    free(m::DMA_NOTIFY, Any, Always(object::dma_notify))
        .dma()
        .trap(3),
    free(m::DMA_TEX_A, Any, Always(dma_tex)).dma().p(0).trap(4),
    free(m::DMA_TEX_B, Any, Always(dma_tex)).dma().p(1).trap(5),
    free(m::DMA_VTX, Any, Always(dma_vtx)).dma().trap(6),
    free(m::DMA_STATE, Any, Always(dma_state)).dma().trap(7),
    free(m::DMA_SURF_COLOR, Any, Always(object::dma_surface))
        .dma()
        .p(COLOR)
        .trap(8),
    free(m::DMA_SURF_ZETA, Any, Always(object::dma_surface))
        .dma()
        .p(ZETA)
        .trap(9),
    free(m::CLIP_H, Mask(!0x8000), Always(clip)).p(0).trap(10),
    free(m::CLIP_V, Mask(!0x8000), Always(clip)).p(1).trap(10),
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
    ),
    free(m::COLOR_OFFSET, Mask(!0x3f), Always(surface::offset))
        .p(COLOR)
        .trap(13),
    free(m::ZETA_OFFSET, Mask(!0x3f), Always(surface::offset))
        .p(ZETA)
        .trap(14),
    free(m::TEX_OFFSET, Mask(!0x7f), Always(tex_offset)).trap(15),
    free(m::TEX_FORMAT, Rule(tex_format_ok), Always(tex_format)).trap(16),
    bundle(m::TEX_CONTROL_A, Mask(0x7fff_ffdf), Do(tex_control_a)).trap(17),
    bundle(
        m::TEX_CONTROL_B,
        Rule(|_, c| c.v & 0xffff == 0 && c.v & 0x3ff8_0000 != 0),
        Word(TEX_PITCH),
    )
    .trap(18),
    bundle(m::TEX_CONTROL_C, Any, Word(TEX_UNK238)).trap(19),
    bundle(m::TEX_RECT, Rule(tex_rect_ok), Word(TEX_RECT)).trap(20),
    free(m::TEX_FILTER, Rule(tex_filter_ok), Always(tex_filter)).trap(21),
    bundle(m::TEX_PALETTE, Mask(!0x3e), Word(TEX_PALETTE)).trap(22),
    bundle(m::RC_IN_ALPHA, Rule(rc::in_ok), Word(RC_IN_ALPHA)).trap(23),
    bundle(m::RC_IN_COLOR, Rule(rc::in_ok), Word(RC_IN_COLOR)).trap(24),
    bundle(m::RC_FACTOR, Any, Do(rc_factor)).trap(25),
    bundle(m::RC_OUT_ALPHA, Rule(rc_out_alpha_ok), Word(RC_OUT_ALPHA)).trap(26),
    bundle(m::RC_OUT_COLOR, Rule(rc_out_color_ok), Do(rc_out_color)).trap(27),
    bundle(m::RC_FINAL_A, Rule(rc::final_a_ok), Word(RC_FINAL_A)).trap(28),
    bundle(m::RC_FINAL_B, Rule(rc::final_b_ok), Word(RC_FINAL_B)).trap(29),
    free(m::CONFIG, Rule(config_ok), Always(config)).trap(30),
    soft(m::FOG_MODE, FOG_MODE, Do(fog_mode)),
    free(m::FOG_COLOR, Any, Always(fog_color)),
    free(m::TEX_COLOR_KEY, Any, Always(tex_color_key)),
    free(m::CLIP_RECT_MODE, Below(2), Do(clip_rect_mode)),
    free(m::CLIP_RECT_HORIZ, Rule(clip_rect_ok), Do(clip_rect)).p(0),
    free(m::CLIP_RECT_VERT, Rule(clip_rect_ok), Do(clip_rect)).p(1),
    rows::POINT_SMOOTH,
    soft(m::LINE_WIDTH, Soft::Below(0x200), Do(line_width)).pipe(),
    soft(
        m::SPECULAR_ENABLE,
        Soft::Bool,
        Field(CONFIG_B, CONFIG_B::SPECULAR_ENABLE),
    ),
    soft(m::POINT_SIZE, Soft::Below(0x200), Word(POINT_SIZE)),
    soft(m::UNK3F0, Soft::Any, Field(RASTER, RASTER::SWATH_WIDTH)).check(Below(4)),
    soft(
        m::FLATSHADE_FIRST,
        Soft::Any,
        Field(CONFIG_B, CONFIG_B::PROVOKING_VERTEX),
    )
    .check(Below(2)),
];

/// 56h, 96h and 98h.
pub(crate) const ONLY_OLD: &[Row] = &[soft(
    m::UNK3F8,
    Soft::Rule(|_, c| if c.v > 3 { Err(warning::ENUM) } else { Ok(c.v) }),
    Field(RASTER, RASTER::CELSIUS_UNK30),
)];

/// 96h, 98h, 99h.
pub(crate) const SINCE_96: &[Row] = &[
    free(m::UNK114, Any, Do(|_, _| {})),
    super::light::MATERIAL_FREE,
    soft(
        m::COLOR_LOGIC_OP_ENABLE,
        Soft::Bool,
        Field(BLEND, BLEND::COLOR_LOGIC_OP_ENABLE),
    ),
    soft(
        m::COLOR_LOGIC_OP_OP,
        gl::LOGIC_OP,
        Field(BLEND, BLEND::COLOR_LOGIC_OP_OP),
    ),
];

/// Data is accepted outside BEGIN/END only.
fn outside(fe: &Fe, _: Call) -> bool {
    !fe.inside()
}

/// DMA_CLIPID (`p` = 0) and DMA_ZCULL (`p` = 1) of 99h: sent even if the object is refused.
fn dma_zcull(fe: &mut Fe, c: Call) {
    fe.refresh_point_size();
    let dma = fe.dma;
    let (class, bound) = (dma.dma_class(), !dma.is_null());
    if c.p == 0 {
        let base = Edit::zero(fe).set(CLIPID_BASE::ADDRESS, dma.base());
        let limit = Edit::zero(fe)
            .set(CLIPID_LIMIT::ADDRESS, dma.limit())
            .set(CLIPID_LIMIT::VALID, bound);
        fe.put_more(CLIPID_BASE, 0, base.word);
        fe.put(CLIPID_LIMIT, 0, limit.word);
    } else {
        let base = Edit::zero(fe).set(ZCULL_BASE::ADDRESS, dma.base());
        let limit = Edit::zero(fe)
            .set(ZCULL_LIMIT::ADDRESS, dma.limit())
            .set(ZCULL_LIMIT::VALID, bound);
        fe.put_more(ZCULL_BASE, 0, base.word);
        fe.put(ZCULL_LIMIT, 0, limit.word);
    }
    let refused = bound && class != 0x3d && DEBUG_D::DMA_CLASS_CHECK.is_on(fe.r.debug_d);
    if refused {
        fe.blow_up(nsource::DATA);
    }
    if bound && (!dma.base().is_multiple_of(64) || dma.target() != 0) {
        fe.blow_up(nsource::PROTECTION);
    }
    let valid = [CTX_VALID::CLIPID_DMA, CTX_VALID::ZCULL_DMA][c.p as usize & 1];
    valid.write(&mut fe.r.ctx_valid, (bound && !refused).into());
}

fn clear_hv_ok(fe: &Fe, c: Call) -> bool {
    outside(fe, c) && gl::clear_hv_ok(fe, c)
}

fn surf_unk2b8(fe: &mut Fe, c: Call) {
    SURF_TYPE::UNK2.write(&mut fe.r.surf_type, SURF_UNK2B8_DATA::UNK0.read(c.v));
    SURF_TYPE::UNK6.write(&mut fe.r.surf_type, SURF_UNK2B8_DATA::UNK2.read(c.v));
}

fn tex_unk258(fe: &mut Fe, c: Call) {
    let word = Edit::of(fe, TEX_FORMAT, c.i).set(TEX_FORMAT::CELSIUS_MTHD_TEX_UNK258, c.v);
    fe.put(TEX_FORMAT, c.i, word.word);
}

/// CLEAR_ZETA_TRIGGER: the depth surface, within CLEAR_HV. What its data bits mean is a guess
/// from the Kelvin method (1 depth, 2 stencil).
fn clear_zeta(fe: &mut Fe, c: Call) {
    fe.send(CLEAR_ZCULL_TRIGGER, 0, c.v);
    let surfaces = CLEAR_SURFACE::DEPTH.ones() | CLEAR_SURFACE::STENCIL.ones();
    fe.out.push(Event::Clear(c.v & surfaces));
}

/// 56h has no logic operation, but the public driver sends these methods to every class; the
/// kernel only logs the error that a chip raises.
pub(crate) const ONLY_56: &[Row] = &[
    free(m::COLOR_LOGIC_OP_ENABLE, Any, Nop),
    free(m::COLOR_LOGIC_OP_OP, Any, Nop),
];

/// 99h only.
pub(crate) const ONLY_99: &[Row] = &[
    // Early depth rejection, which changes no picture; known from the public class headers.
    free(m::HIERZ_WINDOW, Any, Nop),
    free(m::HIERZ_ENABLE, Any, Nop),
    free(m::DMA_CLIPID, Any, Always(dma_zcull)).dma().p(0),
    free(m::DMA_ZCULL, Any, Always(dma_zcull)).dma().p(1),
    bundle(m::TEX_UNK258, Below(2), Do(tex_unk258)),
    free(
        m::SURF_UNK2B8,
        Rule(|_, c| c.v < 0x10 && c.v & 3 != 3 && c.v >> 2 != 3),
        Always(surf_unk2b8),
    ),
    free(
        m::SURF_UNK2BC,
        Below(2),
        Always(|fe, c| SURF_TYPE::UNK31.write(&mut fe.r.surf_type, c.v)),
    ),
    bundle(
        m::UNK3F8,
        Below(2),
        Field(CONFIG_A, CONFIG_A::CELSIUS_UNK3F8),
    ),
    bundle(m::UNK3FC, Any, Word(UNK3FC)),
    bundle(
        m::SURF_PITCH_CLIPID,
        Rule(gl::surf_pitch_ok),
        Word(CLIPID_PITCH),
    ),
    bundle(m::SURF_OFFSET_CLIPID, Mask(!0x3f), Word(CLIPID_OFFSET)),
    bundle(
        m::SURF_PITCH_ZCULL,
        Rule(gl::surf_pitch_ok),
        Word(ZCULL_PITCH),
    ),
    bundle(m::SURF_OFFSET_ZCULL, Mask(!0x3f), Word(ZCULL_OFFSET)),
    bundle(
        m::INVALIDATE_ZCULL,
        Rule(|_, c| c.v < 4 || c.v == 6),
        Do(|fe, c| fe.send(INVALIDATE_ZCULL, 0, c.v)),
    ),
    bundle(m::CLEAR_ZETA, Rule(outside), Word(CLEAR_ZETA)),
    bundle(m::CLEAR_ZETA_TRIGGER, Rule(outside), Do(clear_zeta)),
    bundle(
        m::CLEAR_CLIPID_TRIGGER,
        Rule(outside),
        Do(|fe, c| fe.send(CLEAR_CLIPID_TRIGGER, 0, c.v)),
    ),
    bundle(
        m::CLIPID_ENABLE,
        Rule(|fe, c| outside(fe, c) && c.v < 2),
        Field(Z_CONFIG, Z_CONFIG::CLIPID_ENABLE),
    ),
    bundle(
        m::CLIPID_ID,
        Rule(|fe, c| outside(fe, c) && c.v < 0x10),
        Word(CLIPID_ID),
    ),
    bundle(m::CLEAR_H, Rule(clear_hv_ok), Do(gl::clear_hv)).p(0),
    bundle(m::CLEAR_V, Rule(clear_hv_ok), Do(gl::clear_hv)).p(1),
    bundle(
        m::UNKD84,
        Rule(|fe, c| outside(fe, c) && c.v & !0x8000_0003 == 0),
        Spread(
            Z_CONFIG,
            &[
                (OCCLUDE_DATA::Z_ENABLE, Z_CONFIG::OCCLUDE_Z_ENABLE),
                (
                    OCCLUDE_DATA::STENCIL_ENABLE,
                    Z_CONFIG::OCCLUDE_STENCIL_ENABLE,
                ),
                (OCCLUDE_DATA::UNK31, Z_CONFIG::OCCLUDE_UNK31),
            ],
        ),
    ),
];
