//! Texture units and texture shaders.

use isotherm_regs::Chip;
use isotherm_regs::bundle::*;

use crate::Fe;
use crate::bits::{bit, ext, ins};
use crate::chips::Kind;
use crate::table::Check::{Any, Mask, Rule};
use crate::table::Op::{Do, Spread, Word};
use crate::table::{Call, Guard, Op, Row, Soft, hard, moved, soft};
use isotherm_regs::Chip::Nv20;
use isotherm_regs::method::SHADER_PREVIOUS;

/// How a texture format is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// There is no such format.
    None,
    /// Morton order.
    Swizzled,
    /// Rows with a pitch.
    Rect,
    /// 4x4 blocks.
    Dxt,
    /// Rows of packed YUV.
    Yuv,
}

/// The layout of a Kelvin texture format.
pub(crate) fn layout(fe: &Fe, format: u32) -> Layout {
    use Layout::*;
    match format {
        0x42.. if !fe.g.nv25p => None,
        0x4a.. if fe.g.kelvin() => None,
        0x0c | 0x0e | 0x0f => Dxt,
        0x00..=0x0b | 0x19 | 0x1a | 0x27..=0x2d | 0x32 | 0x33 | 0x38..=0x3c => Swizzled,
        0x42 | 0x44 | 0x45 | 0x49 | 0x4e => Swizzled,
        0x10..=0x18 | 0x1b..=0x20 | 0x26 | 0x2e..=0x31 | 0x35..=0x37 | 0x3d..=0x41 => Rect,
        0x43 | 0x46..=0x48 | 0x4a..=0x4d => Rect,
        0x24 | 0x25 | 0x34 => Yuv,
        _ => None,
    }
}

/// Is it a depth format, compared while it is fetched?
fn depth(format: u32) -> bool {
    (0x2a..=0x31).contains(&format)
}

fn format_ok(fe: &Fe, c: Call) -> bool {
    let v = c.v;
    let (cube, border) = (bit(v, 2), bit(v, 3));
    let (mode, format, mips) = (ext(v, 4, 2), ext(v, 8, 8), ext(v, 16, 4));
    let (su, sv, sw) = (ext(v, 20, 4), ext(v, 24, 4), ext(v, 28, 4));
    let layout = layout(fe, format);
    let newest = if fe.class == 0x97 { 0x42 } else { 0x4a };
    if !matches!(ext(v, 0, 2), 1 | 2)
        || layout == Layout::None
        // Swizzled formats that Celsius had and the Kelvin classes refuse.
        || matches!(format, 8..=0xa)
        || format >= newest
        || mode == 0
        || ext(v, 6, 2) != 0
        || mips > 0xd
        || mips == 0
    {
        return false;
    }
    let rows = matches!(layout, Layout::Rect | Layout::Yuv);
    if rows && (cube || mips != 1 || mode == 3)
        || depth(format) && (mode == 3 || cube)
        || cube && (mode != 2 || su != sv)
    {
        return false;
    }
    let grow = u32::from(border);
    match mode {
        1 => su <= 0xb + grow && sv == 0 && sw == 0,
        2 => su <= 0xb + grow && sv <= 0xb + grow && sw == 0,
        _ => su <= 8 + grow && sv <= 8 + grow && sw <= 8 + grow,
    }
}

/// TEX_FORMAT: the mip count is cut to what the sizes allow, and XF is told whether the
/// third coordinate matters.
fn format(fe: &mut Fe, c: Call) {
    let v = c.v;
    let (mode, format) = (ext(v, 4, 2), ext(v, 8, 7));
    let (su, sv, sw) = (ext(v, 20, 4), ext(v, 24, 4), ext(v, 28, 4));
    let mips = ext(v, 16, 4).min(su.max(sv).max(sw) + 1);
    let mut word = fe.word(TEX_FORMAT, c.i as usize);
    ins(&mut word, 1, 1, ext(v, 1, 1));
    ins(&mut word, 2, 2, ext(v, 2, 2));
    ins(&mut word, 6, 2, mode);
    ins(&mut word, 8, 8, format);
    ins(&mut word, 16, 4, mips);
    ins(&mut word, 20, 12, ext(v, 20, 12));
    fe.put(TEX_FORMAT, c.i, word);
    if fe.g.kelvin() {
        let r_enable = mode == 3 || depth(format);
        ins(
            &mut fe.r.xf_mode_t[c.i as usize >> 1],
            (c.i & 1) * 16 + 2,
            1,
            r_enable.into(),
        );
    }
    fe.send_mode();
}

fn wrap_ok(_: &Fe, c: Call) -> bool {
    let mode = |lo| (1..=5).contains(&ext(c.v, lo, 3));
    c.v & !0x0117_1717 == 0 && mode(0) && mode(8) && mode(16)
}

pub(crate) fn control_a_ok(fe: &Fe, c: Call) -> bool {
    !(bit(c.v, 31) || fe.kind == Kind::Celsius && bit(c.v, 5))
}

/// TEX_CONTROL_A: the enable bit is also XF's.
pub(crate) fn control_a(fe: &mut Fe, c: Call) {
    fe.put(TEX_CONTROL, c.i, c.v & 0x7fff_ffff);
    ins(
        &mut fe.r.xf_mode_t[c.i as usize >> 1],
        (c.i & 1) * 16,
        1,
        ext(c.v, 30, 1),
    );
    fe.send_mode();
}

pub(crate) fn control_b_ok(_: &Fe, c: Call) -> bool {
    c.v & 0xffff == 0 && c.v & 0xfff8_0000 != 0
}

/// TEX_CONTROL_B: the pitch, above what Celsius keeps below.
pub(crate) fn control_b(fe: &mut Fe, c: Call) {
    let mut word = fe.word(TEX_PITCH, c.i as usize);
    ins(&mut word, 16, 16, ext(c.v, 16, 16));
    fe.put(TEX_PITCH, c.i, word);
}

fn filter_ok(fe: &Fe, c: Call) -> bool {
    let kernels = if fe.class == 0x97 { 1..=2 } else { 1..=3 };
    ext(c.v, 22, 2) == 0
        && kernels.contains(&ext(c.v, 13, 3))
        && (1..=7).contains(&ext(c.v, 16, 6))
        && matches!(ext(c.v, 24, 4), 1 | 2 | 4)
}

pub(crate) fn rect_ok(fe: &Fe, c: Call) -> bool {
    let (lo, hi) = (ext(c.v, 0, 16), ext(c.v, 16, 16));
    if fe.kind == Kind::Celsius {
        (1..0x800).contains(&lo) && hi & 1 == 0 && (1..0x800).contains(&(hi >> 1))
    } else {
        (1..=0x1000).contains(&lo) && (1..=0x1000).contains(&hi)
    }
}

pub(crate) fn palette_ok(fe: &Fe, c: Call) -> bool {
    let reserved = if fe.kind == Kind::Celsius { 0x3e } else { 0x32 };
    c.v & reserved == 0
}

/// The bump matrices hold floats between -8 and 8.
fn unk10_ok(_: &Fe, c: Call) -> bool {
    ext(c.v, 0, 31) <= 0x4100_0000
}

/// Which sequences of texture shader operations the Kelvin classes accept.
fn shader_op_ok(fe: &Fe, c: Call) -> bool {
    if c.v & !0xf_ffff != 0 {
        return false;
    }
    // Operations that give no texture coordinates to a later stage.
    let dead = |op| matches!(op, 0 | 5 | 0x11 | 0x17);
    let (mut prev, mut pprev) = (0, 0);
    let mut depth_replace = false;
    for i in 0..4 {
        let stored = ext(c.v, i * 5, 5);
        let mut op = stored;
        if fe.class == 0x97 {
            if op > 0x13 || op == 0x13 && i != 3 {
                return false;
            }
        } else if i == 0 {
            op &= !8;
        }
        let beyond = if !fe.g.nv25p {
            op > 0x12
        } else {
            (0x13..=0x17).contains(&op) && !bit(fe.r.debug_l, 1)
        };
        if beyond || (0x18..0x1c).contains(&op) || op > 0x1d {
            return false;
        }
        if matches!(op, 0xa | 0x17) {
            if depth_replace {
                return false;
            }
            depth_replace = true;
        }
        let ok = match op {
            8 => i >= 2 && !dead(prev) && !dead(pprev),
            9 | 0xa => prev == 0x11,
            0xb => prev == 0x11 && i != 3 && matches!(ext(c.v, (i + 1) * 5, 5), 0xc | 0x12),
            0xc..=0xe | 0x12 => matches!(prev, 0x11 | 0xb) && pprev == 0x11,
            0x11 => i != 3,
            _ => true,
        };
        if !ok || op >= 6 && (i == 0 || i == 1 && matches!(prev, 0 | 5)) {
            return false;
        }
        (pprev, prev) = (prev, stored);
    }
    true
}

fn shader_op(fe: &mut Fe, c: Call) {
    let mut word = fe.word(TEX_SHADER_OP, 0);
    if fe.g.nv25p {
        ins(&mut word, 0, 20, c.v);
    } else {
        ins(&mut word, 0, 3, c.v);
        ins(&mut word, 5, 15, ext(c.v, 5, 15));
    }
    fe.put(TEX_SHADER_OP, 0, word);
}

fn dotmapping_ok(fe: &Fe, c: Call) -> bool {
    let mask = if fe.class == 0x97 { 0x777 } else { 0x3f00_0fff };
    c.v & !mask == 0
        && (0..3).all(|i| match ext(c.v, i * 4, 4) {
            5 => bit(fe.r.debug_b, 6),
            6 => bit(fe.r.debug_b, 7),
            map => map < 11,
        })
}

fn dotmapping(fe: &mut Fe, c: Call) {
    let mut word = fe.word(TEX_SHADER_MISC, 0);
    if fe.g.nv25p {
        ins(&mut word, 0, 12, c.v);
        ins(&mut word, 24, 6, ext(c.v, 24, 6));
    } else {
        for i in 0..3 {
            ins(&mut word, i * 3, 3, ext(c.v, i * 4, 3));
        }
    }
    fe.put(TEX_SHADER_MISC, 0, word);
}

fn previous_ok(_: &Fe, c: Call) -> bool {
    c.v & !0x31_0000 == 0 && ext(c.v, 20, 2) != 3
}

fn zcomp_ok(fe: &Fe, c: Call) -> bool {
    let mask = if fe.class == 0x97 { 7 } else { 0xfff };
    c.v & !mask == 0
}

/// TEX_ZCOMP: one comparison for all units in 97h, one for each in 597h.
fn zcomp(fe: &mut Fe, c: Call) {
    let value = if !fe.g.nv25p {
        c.v & 7
    } else if fe.class == 0x97 {
        (c.v & 7) * 0x249
    } else {
        c.v & 0xfff
    };
    fe.put(TEX_ZCOMP, 0, value);
}

pub(crate) const ROWS: &[Row] = &[
    hard(0xae0, "tex_color_key", Any, Word(TEX_COLOR_KEY, !0)).n(4),
    hard(
        0x17f8,
        "tex_shader_cull_mode",
        Mask(0xffff),
        Word(TEX_SHADER_CULL_MODE, 0xffff),
    ),
    hard(
        0x181c,
        "tex_shader_const_eye",
        Any,
        Word(TEX_SHADER_CONST_EYE, !0),
    )
    .n(3),
    hard(0x1b00, "tex_offset", Mask(!0x7f), Word(TEX_OFFSET, !0)).every(4, 0x40),
    hard(0x1b04, "tex_format", Rule(format_ok), Do(format)).every(4, 0x40),
    hard(
        0x1b08,
        "tex_wrap",
        Rule(wrap_ok),
        Word(TEX_WRAP, 0x0117_1717),
    )
    .every(4, 0x40),
    hard(0x1b0c, "tex_control_a", Rule(control_a_ok), Do(control_a)).every(4, 0x40),
    hard(0x1b10, "tex_control_b", Rule(control_b_ok), Do(control_b)).every(4, 0x40),
    hard(
        0x1b14,
        "tex_filter",
        Rule(filter_ok),
        Word(TEX_FILTER, 0xff3f_ffff),
    )
    .every(4, 0x40),
    hard(
        0x1b1c,
        "tex_rect",
        Rule(rect_ok),
        Word(TEX_RECT, 0x1fff_1fff),
    )
    .every(4, 0x40),
    hard(
        0x1b20,
        "tex_palette",
        Rule(palette_ok),
        Word(TEX_PALETTE, !0x32),
    )
    .every(4, 0x40),
    hard(0x1b24, "tex_border_color", Any, Word(TEX_BORDER_COLOR, !0)).every(4, 0x40),
    // Unit 0 has no bump matrix. NV20 and NV25 refuse these methods; every program for NV2A
    // sends them, and the interrupt handler that those programs bring does not expect it.
    hard(0x1b28, "tex_unk0", Any, Op::Nop)
        .n(6)
        .exists(|fe| fe.g.chip == Chip::Nv2a),
    hard(0x1b68, "tex_unk10", Rule(unk10_ok), Word(TEX_UNK10, !0)).every(3, 0x40),
    hard(0x1b6c, "tex_unk11", Rule(unk10_ok), Word(TEX_UNK11, !0)).every(3, 0x40),
    hard(0x1b70, "tex_unk12", Rule(unk10_ok), Word(TEX_UNK12, !0)).every(3, 0x40),
    hard(0x1b74, "tex_unk13", Rule(unk10_ok), Word(TEX_UNK13, !0)).every(3, 0x40),
    hard(0x1b78, "tex_unk14", Any, Word(TEX_UNK14, !0)).every(3, 0x40),
    hard(0x1b7c, "tex_unk15", Any, Word(TEX_UNK15, !0)).every(3, 0x40),
    hard(0x1e6c, "tex_zcomp", Rule(zcomp_ok), Do(zcomp)).guard(Guard::Warn),
    hard(0x1e70, "tex_shader_op", Rule(shader_op_ok), Do(shader_op)),
    hard(
        0x1e74,
        "tex_shader_dotmapping",
        Rule(dotmapping_ok),
        Do(dotmapping),
    ),
    hard(
        0x1e78,
        "tex_shader_previous",
        Rule(previous_ok),
        Spread(
            TEX_SHADER_MISC,
            &[
                moved(SHADER_PREVIOUS::TX1, TEX_SHADER_MISC::TX1_PREVIOUS, Nv20),
                moved(SHADER_PREVIOUS::TX2, TEX_SHADER_MISC::TX2_PREVIOUS, Nv20),
                moved(SHADER_PREVIOUS::TX3, TEX_SHADER_MISC::TX3_PREVIOUS, Nv20),
            ],
        ),
    ),
];

/// The second colour of a unit's key; the Celsius classes have two units.
pub(crate) const fn color_key_row(at: u16) -> Row {
    soft(at, "tex_color_key", Soft::Any, Word(TEX_COLOR_KEY, !0))
        .guard(Guard::TrapWarn)
        .n(2)
}
