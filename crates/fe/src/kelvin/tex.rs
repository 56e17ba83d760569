//! Texture units and texture shaders.

use isotherm_regs::Chip::{self, Nv20};
use isotherm_regs::bundle::*;
use isotherm_regs::field::Field;
use isotherm_regs::method::{
    SHADER_DOT_MAPPING, SHADER_OPS, SHADER_PREVIOUS, TEX_FORMAT_DATA, kelvin as m,
};
use isotherm_regs::pgraph::{DEBUG_B, DEBUG_L};

use crate::Fe;
use crate::celsius::state::tex_rect_ok;
use crate::chips::Kind;
use crate::table::Check::{Any, Declared, Mask, Rule};
use crate::table::Op::{Do, Nop, Spread, Word};
use crate::table::{Call, Guard, Move, Row, hard};
use crate::transform::{TXC_ENABLE, TXC_R};
use crate::words::{Data, Edit};

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
    let data = Data::new(fe, c.v);
    let newest = if fe.class == 0x97 { 0x42 } else { 0x4a };
    format_fits(fe, data, newest)
}

/// Do the parts of a TEX_FORMAT fit together? `newest`: the first format number that the class
/// does not have.
pub(crate) fn format_fits(fe: &Fe, data: Data, newest: u32) -> bool {
    use TEX_FORMAT_DATA as D;
    let (cube, border) = (data.is(D::CUBE_MAP), data.is(D::BORDER_TYPE));
    let (mode, format, mips) = (data.get(D::MODE), data.get(D::FORMAT), data.get(D::MIPS));
    let (su, sv, sw) = (
        data.get(D::SIZE_S),
        data.get(D::SIZE_T),
        data.get(D::SIZE_R),
    );
    let layout = layout(fe, format);
    if !matches!(data.get(D::DMA), 1 | 2)
        || layout == Layout::None
        // Swizzled formats that Celsius had and the Kelvin classes refuse.
        || matches!(format, 8..=0xa)
        || format >= newest
        || !(1..=3).contains(&mode)
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

/// TEX_FORMAT's word: the mip count is cut to what the sizes allow.
pub(crate) fn format_word(fe: &Fe, c: Call) -> u32 {
    Edit::of(fe, TEX_FORMAT, c.i)
        .moved(c.v, FORMAT_MOVES)
        .set(TEX_FORMAT::MIPS, levels(fe, c.v))
        .word
}

/// The mip count of a TEX_FORMAT, no more than the sizes allow.
pub(crate) fn levels(fe: &Fe, data: u32) -> u32 {
    use TEX_FORMAT_DATA as D;
    let data = Data::new(fe, data);
    let largest = data
        .get(D::SIZE_S)
        .max(data.get(D::SIZE_T))
        .max(data.get(D::SIZE_R));
    data.get(D::MIPS).min(largest + 1)
}

/// Of the object the upper bit counts.
const FORMAT_MOVES: &[Move] = &[
    (TEX_FORMAT_DATA::DMA.entry(1, 1), TEX_FORMAT::DMA),
    (TEX_FORMAT_DATA::CUBE_MAP, TEX_FORMAT::CUBE_MAP),
    (TEX_FORMAT_DATA::BORDER_TYPE, TEX_FORMAT::BORDER_TYPE),
    (TEX_FORMAT_DATA::MODE, TEX_FORMAT::MODE),
    (TEX_FORMAT_DATA::FORMAT, TEX_FORMAT::FORMAT),
    (TEX_FORMAT_DATA::SIZE_S, TEX_FORMAT::SIZE_S),
    (TEX_FORMAT_DATA::SIZE_T, TEX_FORMAT::SIZE_T),
    (TEX_FORMAT_DATA::SIZE_R, TEX_FORMAT::SIZE_R),
];

/// TEX_FORMAT: XF is told whether the third coordinate matters.
fn format(fe: &mut Fe, c: Call) {
    let word = format_word(fe, c);
    fe.put(TEX_FORMAT, c.i, word);
    if fe.g.kelvin() {
        let (mode, format) = (
            TEX_FORMAT::MODE.get(fe.g.chip, word),
            TEX_FORMAT::FORMAT.get(fe.g.chip, word),
        );
        let r_enable = mode == TEX_MODE::D3 || depth(format);
        fe.set_txc(c.i, TXC_R, r_enable.into());
    }
    fe.send_mode();
}

fn wrap_ok(_: &Fe, c: Call) -> bool {
    let modes = [TEX_WRAP::WRAP_S, TEX_WRAP::WRAP_T, TEX_WRAP::WRAP_R];
    c.v & !const { TEX_WRAP::WORD.mask(Nv20, 0) } == 0
        && modes.iter().all(|mode| (1..=5).contains(&mode.read(c.v)))
}

pub(crate) fn control_a_ok(fe: &Fe, c: Call) -> bool {
    // Celsius has one bit of anisotropy.
    c.v & !const { TEX_CONTROL::WORD.mask(Nv20, 0) } == 0
        && !(fe.kind == Kind::Celsius && TEX_CONTROL::ANISOTROPY.read(c.v) > 1)
}

/// TEX_CONTROL_A: the enable bit is also XF's.
pub(crate) fn control_a(fe: &mut Fe, c: Call) {
    fe.put(
        TEX_CONTROL,
        c.i,
        c.v & const { TEX_CONTROL::WORD.mask(Nv20, 0) },
    );
    fe.set_txc(c.i, TXC_ENABLE, TEX_CONTROL::ENABLE.get(Nv20, c.v));
    fe.send_mode();
}

pub(crate) fn control_b_ok(_: &Fe, c: Call) -> bool {
    // A multiple of 8.
    c.v & !TEX_PITCH::PITCH.ones() == 0 && TEX_PITCH::PITCH.read(c.v) >= 8
}

/// TEX_CONTROL_B: the pitch, above what Celsius keeps below.
pub(crate) fn control_b(fe: &mut Fe, c: Call) {
    let pitch = TEX_PITCH::PITCH.read(c.v);
    let word = Edit::of(fe, TEX_PITCH, c.i).set(TEX_PITCH::PITCH, pitch);
    fe.put(TEX_PITCH, c.i, word.word);
}

pub(crate) fn filter_ok(fe: &Fe, c: Call) -> bool {
    let kernels = if fe.class == 0x97 { 1..=2 } else { 1..=3 };
    let get = |field: Field| field.get(Nv20, c.v);
    c.v & !const { TEX_FILTER::WORD.mask(Nv20, 0) } == 0
        && kernels.contains(&get(TEX_FILTER::CONVOLUTION_KERNEL))
        && (1..=7).contains(&get(TEX_FILTER::MINIFY))
        && matches!(get(TEX_FILTER::MAGNIFY), 1 | 2 | 4)
}

pub(crate) fn rect_ok(fe: &Fe, c: Call) -> bool {
    let (height, width) = (c.v & 0xffff, c.v >> 16);
    if fe.kind == Kind::Celsius {
        tex_rect_ok(fe, c)
    } else {
        (1..=0x1000).contains(&height) && (1..=0x1000).contains(&width)
    }
}

pub(crate) fn palette_ok(fe: &Fe, c: Call) -> bool {
    c.v & !TEX_PALETTE::WORD.mask(fe.class_chip, 0) == 0
}

/// The bump matrices hold floats between -8 and 8.
fn unk10_ok(_: &Fe, c: Call) -> bool {
    f32::from_bits(c.v).abs().to_bits() <= 8f32.to_bits()
}

/// The four stages in the method, and in the word.
const STAGES: [Field; 4] = [
    SHADER_OPS::TX0,
    SHADER_OPS::TX1,
    SHADER_OPS::TX2,
    SHADER_OPS::TX3,
];
const STAGE_OPS: [Field; 4] = [
    TEX_SHADER_OP::TX0,
    TEX_SHADER_OP::TX1,
    TEX_SHADER_OP::TX2,
    TEX_SHADER_OP::TX3,
];

/// Which sequences of texture shader operations the Kelvin classes accept.
fn shader_op_ok(fe: &Fe, c: Call) -> bool {
    let data = Data::new(fe, c.v);
    if !data.only(&STAGES) {
        return false;
    }
    // Operations that give no texture coordinates to a later stage.
    let dead = |op| matches!(op, 0 | 5 | 0x11 | 0x17);
    let (mut prev, mut pprev) = (0, 0);
    let mut depth_replace = false;
    for i in 0..4 {
        let stored = STAGES[i].read(c.v);
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
            (0x13..=0x17).contains(&op) && !DEBUG_L::SHADER_OPS_13_ENABLE.is_on(fe.r.debug_l)
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
            0xb => prev == 0x11 && i != 3 && matches!(STAGES[i + 1].read(c.v), 0xc | 0x12),
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
    let mut word = Edit::of(fe, TEX_SHADER_OP, 0);
    let old = TEX_SHADER_OP::TX0.get(fe.g.chip, word.word);
    for (from, to) in STAGES.into_iter().zip(STAGE_OPS) {
        word = word.set(to, from.read(c.v));
    }
    if !fe.g.nv25p {
        // Of the first stage NV20 replaces three bits.
        let new = STAGES[0].read(c.v);
        word = word.set(TEX_SHADER_OP::TX0, old & 8 | new & 7);
    }
    fe.put(TEX_SHADER_OP, 0, word.word);
}

/// How the three dependent stages read their texels.
const MAPPINGS: [Field; 3] = [
    SHADER_DOT_MAPPING::TX1,
    SHADER_DOT_MAPPING::TX2,
    SHADER_DOT_MAPPING::TX3,
];
const MAPPING_MOVES: &[Move] = &[
    (SHADER_DOT_MAPPING::TX1, TEX_SHADER_MISC::TX1_DOT_MAPPING),
    (SHADER_DOT_MAPPING::TX2, TEX_SHADER_MISC::TX2_DOT_MAPPING),
    (SHADER_DOT_MAPPING::TX3, TEX_SHADER_MISC::TX3_DOT_MAPPING),
    (SHADER_DOT_MAPPING::UNK24, TEX_SHADER_MISC::KELVIN_UNK24),
];

/// The same bits where NV25 has the method's numbers unpacked.
const KEPT_MAPPINGS: [Field; 4] = [
    TEX_SHADER_MISC::TX1_DOT_MAPPING,
    TEX_SHADER_MISC::TX2_DOT_MAPPING,
    TEX_SHADER_MISC::TX3_DOT_MAPPING,
    TEX_SHADER_MISC::KELVIN_UNK9,
];

fn dotmapping_ok(fe: &Fe, c: Call) -> bool {
    // 97h has three bits each.
    let first = fe.class == 0x97;
    let known = SHADER_DOT_MAPPING::WORD.mask(fe.class_chip, 0);
    c.v & !known == 0
        && MAPPINGS.iter().all(|field| match field.read(c.v) {
            8.. if first => false,
            5 => DEBUG_B::DOT_MAPPING_5_ENABLE.is_on(fe.r.debug_b),
            6 => DEBUG_B::DOT_MAPPING_6_ENABLE.is_on(fe.r.debug_b),
            map => map < 11,
        })
}

fn dotmapping(fe: &mut Fe, c: Call) {
    let mut word = Edit::of(fe, TEX_SHADER_MISC, 0).moved(c.v, MAPPING_MOVES);
    if fe.g.nv25p {
        // NV25 keeps the twelve bits as they come.
        for (n, field) in KEPT_MAPPINGS.into_iter().enumerate() {
            word = word.set(field, c.v >> (3 * n));
        }
    }
    fe.put(TEX_SHADER_MISC, 0, word.word);
}

const SHADER_PREVIOUS_ACCEPTED: u32 =
    SHADER_PREVIOUS::TX2.entry(0, 1).ones() | SHADER_PREVIOUS::TX3.entry(0, 2).ones();

fn previous_ok(_: &Fe, c: Call) -> bool {
    // One bit, one bit that is 0 in the first, and two.
    c.v & !SHADER_PREVIOUS_ACCEPTED == 0 && SHADER_PREVIOUS::TX3.read(c.v) != 3
}

fn zcomp_ok(fe: &Fe, c: Call) -> bool {
    c.v & !TEX_ZCOMP::WORD.mask(fe.class_chip, 0) == 0
}

/// TEX_ZCOMP: one comparison for all units in 97h, one for each in 597h.
fn zcomp(fe: &mut Fe, c: Call) {
    let mut value = c.v & TEX_ZCOMP::WORD.mask(fe.g.chip, 0);
    if fe.g.nv25p && fe.class == 0x97 {
        let mode = TEX_ZCOMP::TEX0_MODE.read(c.v);
        for unit in [
            TEX_ZCOMP::TEX0_MODE,
            TEX_ZCOMP::TEX1_MODE,
            TEX_ZCOMP::TEX2_MODE,
            TEX_ZCOMP::TEX3_MODE,
        ] {
            unit.write(&mut value, mode);
        }
    }
    fe.put(TEX_ZCOMP, 0, value);
}

/// TEX_WRAP on Rankine: what wraps around is a word of its own.
fn rankine_wrap(fe: &mut Fe, c: Call) {
    let around = [
        TEX_WRAP::WRAP_S_CYL,
        TEX_WRAP::WRAP_T_CYL,
        TEX_WRAP::WRAP_R_CYL,
        TEX_WRAP::WRAP_Q_CYL,
    ];
    let mut cylinder = 0;
    for (n, field) in around.into_iter().enumerate() {
        cylinder |= field.read(c.v) << n;
    }
    let units = [
        TXC_CYLWRAP::TXC0,
        TXC_CYLWRAP::TXC1,
        TXC_CYLWRAP::TXC2,
        TXC_CYLWRAP::TXC3,
    ];
    let all = Edit::of(fe, TXC_CYLWRAP, 0).set(units[c.i as usize & 3], cylinder);
    fe.put(TXC_CYLWRAP, 0, all.word);
    let word = Edit::of(fe, TEX_WRAP, c.i)
        .set(TEX_WRAP::WRAP_S, TEX_WRAP::WRAP_S.read(c.v))
        .set(TEX_WRAP::WRAP_T, TEX_WRAP::WRAP_T.read(c.v))
        .set(TEX_WRAP::WRAP_R, TEX_WRAP::WRAP_R.read(c.v));
    fe.put(TEX_WRAP, c.i, word.word);
    let on = CONFIG_B::TEXTURE_PERSPECTIVE_ENABLE.is_on(fe.word(CONFIG_B, 0));
    fe.set_txc(c.i, TXC_R, (on && cylinder == 0).into());
    fe.send_mode();
}

/// TEX_ZCOMP on Rankine: part of the units' TEX_WRAP.
fn rankine_zcomp(fe: &mut Fe, c: Call) {
    let modes = [
        TEX_ZCOMP::TEX0_MODE,
        TEX_ZCOMP::TEX1_MODE,
        TEX_ZCOMP::TEX2_MODE,
        TEX_ZCOMP::TEX3_MODE,
    ];
    for (unit, mode) in (0..).zip(modes) {
        let mode = if fe.class == 0x97 { modes[0] } else { mode };
        let word = Edit::of(fe, TEX_WRAP, unit).set(TEX_WRAP::ZCOMP, mode.read(c.v));
        fe.put(TEX_WRAP, unit, word.word);
    }
}

/// What the Kelvin classes do otherwise on Rankine.
pub(crate) const ON_RANKINE: &[Row] = &[
    hard(m::TEX_WRAP, Rule(wrap_ok), Do(rankine_wrap)),
    hard(m::TEX_ZCOMP, Rule(zcomp_ok), Do(rankine_zcomp)).guard(Guard::Warn),
];

pub(crate) const ROWS: &[Row] = &[
    hard(m::TEX_COLOR_KEY, Any, Word(TEX_COLOR_KEY)),
    hard(
        m::TEX_SHADER_CULL_MODE,
        Declared,
        Word(TEX_SHADER_CULL_MODE),
    ),
    hard(m::TEX_SHADER_CONST_EYE, Any, Word(TEX_SHADER_CONST_EYE)),
    hard(m::TEX_OFFSET, Mask(!0x7f), Word(TEX_OFFSET)),
    hard(m::TEX_FORMAT, Rule(format_ok), Do(format)),
    hard(m::TEX_WRAP, Rule(wrap_ok), Word(TEX_WRAP)),
    hard(m::TEX_CONTROL_A, Rule(control_a_ok), Do(control_a)),
    hard(m::TEX_CONTROL_B, Rule(control_b_ok), Do(control_b)),
    hard(m::TEX_FILTER, Rule(filter_ok), Word(TEX_FILTER)),
    hard(m::TEX_RECT, Rule(rect_ok), Word(TEX_RECT)),
    hard(m::TEX_PALETTE, Rule(palette_ok), Word(TEX_PALETTE)),
    hard(m::TEX_BORDER_COLOR, Any, Word(TEX_BORDER_COLOR)),
    // Unit 0 has no bump matrix. NV20 and NV25 refuse these methods; every program for NV2A
    // sends them, and the interrupt handler that those programs bring does not expect it.
    hard(m::TEX_BUMP_MATRIX_UNIT0, Any, Nop).exists(|fe| fe.g.chip == Chip::Nv2a),
    hard(m::TEX_BUMP_LUMINANCE_UNIT0, Any, Nop).exists(|fe| fe.g.chip == Chip::Nv2a),
    hard(m::TEX_UNK10, Rule(unk10_ok), Word(TEX_UNK10)),
    hard(m::TEX_UNK11, Rule(unk10_ok), Word(TEX_UNK11)),
    hard(m::TEX_UNK12, Rule(unk10_ok), Word(TEX_UNK12)),
    hard(m::TEX_UNK13, Rule(unk10_ok), Word(TEX_UNK13)),
    hard(m::TEX_UNK14, Any, Word(TEX_UNK14)),
    hard(m::TEX_UNK15, Any, Word(TEX_UNK15)),
    hard(m::TEX_ZCOMP, Rule(zcomp_ok), Do(zcomp)).guard(Guard::Warn),
    hard(m::TEX_SHADER_OP, Rule(shader_op_ok), Do(shader_op)),
    hard(
        m::TEX_SHADER_DOTMAPPING,
        Rule(dotmapping_ok),
        Do(dotmapping),
    ),
    hard(
        m::TEX_SHADER_PREVIOUS,
        Rule(previous_ok),
        Spread(
            TEX_SHADER_MISC,
            &[
                (SHADER_PREVIOUS::TX1, TEX_SHADER_MISC::TX1_PREVIOUS),
                (SHADER_PREVIOUS::TX2, TEX_SHADER_MISC::TX2_PREVIOUS),
                (SHADER_PREVIOUS::TX3, TEX_SHADER_MISC::TX3_PREVIOUS),
            ],
        ),
    ),
];
