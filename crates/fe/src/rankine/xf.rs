//! Transform and lighting.

use isotherm_regs::bundle::*;
use isotherm_regs::method::{CELSIUS_LIGHT_MODEL_DATA, ENGINE_DATA, rankine_curie as m};
use isotherm_regs::pgraph::FE3D_XF_LOAD_POS;
use isotherm_regs::xf::ctx::{self, LTCTX, XFCTX};
use isotherm_regs::xf::mode::{XFMODE_A, XFMODE_B};

use crate::Fe;
use crate::chips::Kind;
use crate::table::Check::{Any, Below, Declared, Mask, Rule};
use crate::table::Op::{Always, Do, Load, Mode as ModeField, SpreadMode};
use crate::table::{Call, Mode, Move, Row, Soft, hard, open, soft};
use crate::transform::{self, LIGHT_ENABLE, LIGHT_MATERIAL, LIGHT_MODEL};
use crate::words::Edit;
use crate::xfload::cmd;
use isotherm_bus::trap::nsource;
use isotherm_regs::Chip::Nv30;

impl Fe {
    /// Where uploads go: position of the program and of the constants. Curie's unit counts by
    /// itself; the register is its counter here.
    fn load_pos(&self) -> (u32, u32) {
        let (chip, word) = (self.g.chip, self.r.fe3d_xf_load_pos);
        (
            FE3D_XF_LOAD_POS::PROGRAM.get(chip, word),
            FE3D_XF_LOAD_POS::PARAM.get(chip, word),
        )
    }

    fn set_program_pos(&mut self, row: u32) {
        FE3D_XF_LOAD_POS::PROGRAM.put(self.g.chip, &mut self.r.fe3d_xf_load_pos, row);
    }

    fn set_param_pos(&mut self, row: u32) {
        FE3D_XF_LOAD_POS::PARAM.put(self.g.chip, &mut self.r.fe3d_xf_load_pos, row);
    }
}

/// Rows that a program and the constants can have.
fn limits(fe: &Fe) -> (u32, u32) {
    if fe.class_kind == Kind::Curie {
        (0x220, 0x220)
    } else {
        (0x118, 0x19c)
    }
}

fn check_upload(fe: &mut Fe, at_end: bool) {
    if fe.inside() {
        fe.blow_up(nsource::IN_BEGIN_END);
    }
    if at_end {
        fe.state_error();
    }
}

fn program_load(fe: &mut Fe, c: Call) {
    let (row, most) = (fe.load_pos().0, limits(fe).0);
    check_upload(fe, row >= most);
    if !fe.blocked() {
        fe.load_program(row, c.i & 3, c.v);
    }
    if c.i & 3 == 3 && row < most {
        fe.set_program_pos(row + 1);
    }
}

fn param_load(fe: &mut Fe, c: Call) {
    let (row, most) = (fe.load_pos().1, limits(fe).1);
    check_upload(fe, row >= most);
    if !fe.blocked() {
        fe.load_xfctx(row, c.i & 3, c.v);
    }
    if c.i & 3 == 3 && row < most {
        fe.set_param_pos(row + 1);
    }
}

fn program_load_pos(fe: &mut Fe, c: Call) {
    if fe.g.rankine() {
        fe.send_mode();
    }
    fe.set_program_pos(c.v & POSITION);
    if fe.g.curie() {
        let word = Edit::of(fe, XF_LOAD_POS, 0)
            .set(XF_LOAD_POS::PROGRAM, c.v)
            .set(XF_LOAD_POS::PROGRAM_WORD, c.v >> 24);
        fe.put(XF_LOAD_POS, 0, word.word);
    }
}

fn param_load_pos(fe: &mut Fe, c: Call) {
    fe.set_param_pos(c.v & POSITION);
    if fe.g.curie() {
        let word = Edit::of(fe, XF_LOAD_POS, 0)
            .set(XF_LOAD_POS::CONSTANT, c.v)
            .set(XF_LOAD_POS::CONSTANT_WORD, c.v >> 24);
        fe.put(XF_LOAD_POS, 0, word.word);
    }
}

/// The row in a load position; Curie has a word of the row above.
const POSITION: u32 = 0x3ff;

fn program_start_pos(fe: &mut Fe, c: Call) {
    if fe.g.curie() {
        fe.put_field(XF_C, XF_C::PROGRAM_START_POS, c.v);
    } else {
        // Eight bits only; a start above 255 does not fit.
        XFMODE_A::PROGRAM_START_POS.write(&mut fe.r.xf_mode_a, c.v);
        fe.send_mode();
    }
}

/// TL_MODE as Rankine has it.
pub(crate) const TL_MODE: &[Move] = &[
    (ENGINE_DATA::MODE, XFMODE_B::MODE),
    (ENGINE_DATA::XFCTX_ACCESS, XFMODE_B::XFCTX_ACCESS),
    (ENGINE_DATA::ARITH_RULES, XFMODE_B::ARITH_RULES),
    (
        ENGINE_DATA::VIEWPORT_TRANSFORM_SKIP,
        XFMODE_B::VIEWPORT_TRANSFORM_SKIP,
    ),
];

/// TL_MODE.
fn tl_mode(fe: &mut Fe, c: Call) {
    if fe.g.curie() {
        let skip = ENGINE_DATA::VIEWPORT_TRANSFORM_SKIP.read(c.v);
        let mut a = Edit::of(fe, XF_A, 0).set(XF_A::VIEWPORT_TRANSFORM_SKIP, skip);
        if fe.class_kind != Kind::Curie {
            a = a.set(XF_A::XFCTX_ACCESS, ENGINE_DATA::XFCTX_ACCESS.read(c.v));
        }
        let mode = Edit::of(fe, XF_C, 0)
            .set(XF_C::MODE, ENGINE_DATA::MODE.read(c.v))
            .set(XF_C::ARITH_RULES, ENGINE_DATA::ARITH_RULES.read(c.v));
        fe.put(XF_A, 0, a.word);
        fe.put(XF_C, 0, mode.word);
    } else {
        fe.move_mode(Mode::B, TL_MODE, c.v);
    }
}

/// VIEWPORT_TRANSLATE goes to LT and to XF.
pub(crate) fn viewport_translate(fe: &mut Fe, c: Call) {
    const LT: u32 = ctx::index_of(LTCTX, "VIEWPORT_TRANSLATE", Nv30) as u32;
    const XF: u32 = ctx::index_of(XFCTX, "VIEWPORT_TRANSLATE", Nv30) as u32;
    fe.load_ltctx(LT, c.i, c.v);
    fe.load_xfctx(XF, c.i, c.v);
}

/// So does VIEWPORT_SCALE.
pub(crate) fn viewport_scale(fe: &mut Fe, c: Call) {
    const LT: u32 = ctx::index_of(LTCTX, "VIEWPORT_SCALE", Nv30) as u32;
    const XF: u32 = ctx::index_of(XFCTX, "VIEWPORT_SCALE", Nv30) as u32;
    fe.load_ltctx(LT, c.i, c.v);
    fe.load_xfctx(XF, c.i, c.v);
}

/// 1F80h: XF's branch and time-out words.
fn unk1f80(fe: &mut Fe, c: Call) {
    let row = c.i as usize >> 2;
    if fe.g.curie() {
        if c.i == 8 {
            let word = Edit::of(fe, XF_D, 0).set(XF_D::TIMEOUT, c.v);
            fe.put(XF_D, 0, word.word);
        }
        return;
    }
    let be = if c.i & 1 != 0 { 2 } else { 1 };
    fe.xf(cmd::BRANCH, c.i << 2, be, c.v, c.v);
    let r = &mut fe.r;
    r.vab[16][c.i as usize & 3] = c.v;
    match row {
        // Eight numbers of nine bits, one in each half of the row's words.
        0 | 1 => {
            let mut packed = 0u128;
            for (n, word) in r.vab[16].into_iter().enumerate() {
                packed |= u128::from(word & 0x1ff) << (18 * n);
                packed |= u128::from(word >> 16 & 0x1ff) << (18 * n + 9);
            }
            for (n, word) in r.xfprunk1[row].iter_mut().take(3).enumerate() {
                *word = (packed >> (32 * n)) as u32;
            }
        }
        2 => r.xf_timeout = r.vab[16][0] & 0xffff,
        _ => {}
    }
}

/// LIGHT_MATERIAL: sixteen bits.
fn light_material_ok(fe: &Fe, c: Call) -> bool {
    c.v < 0x1_0000 && transform::light_material_ok(fe, c)
}

/// LIGHT_MODEL: one flag is taken although it is refused.
pub(crate) fn light_model(fe: &mut Fe, c: Call) {
    let no_invert = CELSIUS_LIGHT_MODEL_DATA::NO_INVERT.read(c.v);
    XFMODE_A::LIGHT_MODEL_NO_INVERT.put(fe.g.chip, &mut fe.r.xf_mode_a, no_invert);
    fe.move_mode(Mode::A, LIGHT_MODEL, c.v);
}

fn tl_mode_ok(fe: &Fe, c: Call) -> bool {
    let mode = ENGINE_DATA::MODE.read(c.v);
    let known = ENGINE_DATA::WORD.mask(fe.data_chip, 0);
    c.v & !known == 0 && mode != if fe.class_kind == Kind::Curie { 0 } else { 1 }
}

/// Uploads and mode, the same methods in both generations.
pub(crate) const SHARED: &[Row] = &[
    hard(m::VIEWPORT_TRANSLATE, Any, Do(viewport_translate)),
    soft(m::VIEWPORT_SCALE, Soft::Any, Do(viewport_scale)),
    hard(m::TL_PROGRAM_LOAD, Any, Always(program_load)),
    hard(m::TL_MODE, Rule(tl_mode_ok), Do(tl_mode)),
    hard(
        m::TL_PROGRAM_LOAD_POS,
        Rule(|fe, c| c.v < limits(fe).0),
        Do(program_load_pos),
    ),
    hard(
        m::TL_PROGRAM_START_POS,
        Rule(|fe, c| c.v < limits(fe).0),
        Do(program_start_pos),
    ),
    hard(
        m::TL_PARAM_LOAD_POS,
        Rule(|fe, c| c.v < limits(fe).1),
        Do(param_load_pos),
    ),
    hard(m::TL_PARAM_LOAD, Any, Always(param_load)),
];

/// The matrices and lights of the fixed function.
pub(crate) const CONTEXT: &[&[Row]] = &[transform::common!(m), transform::two_sided!(m)];

/// The rest of the fixed function.
pub(crate) const RANKINE: &[Row] = &[
    open(
        m::LIGHT_MATERIAL,
        Rule(light_material_ok),
        SpreadMode(Mode::A, LIGHT_MATERIAL),
    ),
    hard(
        m::FOG_COORD,
        Below(4),
        ModeField(Mode::B, XFMODE_B::RANKINE_FOG_COORD),
    ),
    hard(
        m::LIGHT_ENABLE,
        Mask(0xffff),
        SpreadMode(Mode::B, LIGHT_ENABLE),
    ),
    hard(m::LIGHT_MODEL, Declared, Do(light_model)),
    open(m::USER_CLIP_PLANE, Any, Load("USER_CLIP_PLANE_{}")),
    hard(m::XF_UNK1F80, Any, Do(unk1f80)),
];
