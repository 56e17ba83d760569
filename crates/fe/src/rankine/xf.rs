//! Transform and lighting.

use isotherm_regs::bundle::*;
use isotherm_regs::method::{ENGINE_DATA, rankine_curie as m};
use isotherm_regs::pgraph::FE3D_XF_LOAD_POS;
use isotherm_regs::xf::ctx::{self, LTCTX, XFCTX};
use isotherm_regs::xf::mode::{XFMODE_A, XFMODE_B};

use crate::Fe;
use crate::table::Check::{Any, Below, Mask, Rule};
use crate::table::Op::{Always, Do, Load, Mode as ModeField, SpreadMode};
use crate::table::{Call, Mode, Move, Row, Soft, hard, open, soft};
use crate::transform::{self, LIGHT_ENABLE, LIGHT_MATERIAL, LIGHT_MODEL};
use crate::words::Edit;
use isotherm_bus::trap::nsource;
use isotherm_regs::Chip::Nv30;

/// Where uploads go: position of the program and of the constants.
impl Fe {
    fn load_pos(&self) -> (u32, u32) {
        if self.g.curie() {
            let word = self.word(XF_LOAD_POS, 0);
            (
                XF_LOAD_POS::PROGRAM.read(word),
                XF_LOAD_POS::CONSTANT.read(word),
            )
        } else {
            let (chip, word) = (self.g.chip, self.r.fe3d_xf_load_pos);
            (
                FE3D_XF_LOAD_POS::PROGRAM.get(chip, word),
                FE3D_XF_LOAD_POS::PARAM.get(chip, word),
            )
        }
    }

    fn set_program_pos(&mut self, row: u32) {
        if self.g.curie() {
            let mut word = self.word(XF_LOAD_POS, 0);
            XF_LOAD_POS::PROGRAM.write(&mut word, row);
            self.keep(XF_LOAD_POS, 0, word);
        } else {
            FE3D_XF_LOAD_POS::PROGRAM.put(self.g.chip, &mut self.r.fe3d_xf_load_pos, row);
        }
    }

    fn set_param_pos(&mut self, row: u32) {
        if self.g.curie() {
            let mut word = self.word(XF_LOAD_POS, 0);
            XF_LOAD_POS::CONSTANT.write(&mut word, row);
            self.keep(XF_LOAD_POS, 0, word);
        } else {
            FE3D_XF_LOAD_POS::PARAM.put(self.g.chip, &mut self.r.fe3d_xf_load_pos, row);
        }
    }
}

/// Rows that a program and the constants can have.
fn limits(fe: &Fe) -> (u32, u32) {
    if fe.g.curie() {
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
    fe.set_program_pos(c.v);
    if fe.g.curie() {
        fe.resend(XF_LOAD_POS, 0, true);
    }
}

fn param_load_pos(fe: &mut Fe, c: Call) {
    fe.set_param_pos(c.v);
    if fe.g.curie() {
        fe.resend(XF_LOAD_POS, 0, true);
    }
}

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
const TL_MODE: &[Move] = &[
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
        let a = Edit::of(fe, XF_A, 0).set(XF_A::VIEWPORT_TRANSFORM_SKIP, skip);
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
fn viewport_translate(fe: &mut Fe, c: Call) {
    const LT: u32 = ctx::index_of(LTCTX, "VIEWPORT_TRANSLATE", Nv30) as u32;
    const XF: u32 = ctx::index_of(XFCTX, "VIEWPORT_TRANSLATE", Nv30) as u32;
    fe.load_ltctx(LT, c.i, c.v);
    fe.load_xfctx(XF, c.i, c.v);
}

/// So does VIEWPORT_SCALE.
fn viewport_scale(fe: &mut Fe, c: Call) {
    const LT: u32 = ctx::index_of(LTCTX, "VIEWPORT_SCALE", Nv30) as u32;
    const XF: u32 = ctx::index_of(XFCTX, "VIEWPORT_SCALE", Nv30) as u32;
    fe.load_ltctx(LT, c.i, c.v);
    fe.load_xfctx(XF, c.i, c.v);
}

/// 1F80h: XF's branch and time-out words.
fn unk1f80(fe: &mut Fe, c: Call) {
    if fe.g.rankine() {
        let be = if c.i & 1 != 0 { 2 } else { 1 };
        fe.xf(8, c.i << 2, be, c.v, c.v);
    }
}

/// Uploads and mode, the same methods in both generations.
pub(crate) const SHARED: &[Row] = &[
    soft(m::VIEWPORT_TRANSLATE, Soft::Any, Do(viewport_translate)),
    soft(m::VIEWPORT_SCALE, Soft::Any, Do(viewport_scale)),
    hard(m::TL_PROGRAM_LOAD, Any, Always(program_load)),
    hard(m::TL_MODE, Mask(0x117), Do(tl_mode)),
    open(
        m::TL_PROGRAM_LOAD_POS,
        Rule(|fe, c| c.v < limits(fe).0),
        Do(program_load_pos),
    ),
    open(
        m::TL_PROGRAM_START_POS,
        Rule(|fe, c| c.v < limits(fe).0),
        Do(program_start_pos),
    ),
    open(
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
        Mask(0xffff),
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
    hard(m::LIGHT_MODEL, Any, SpreadMode(Mode::A, LIGHT_MODEL)),
    open(m::USER_CLIP_PLANE, Any, Load("USER_CLIP_PLANE_{}")),
    hard(m::XF_UNK1F80, Any, Do(unk1f80)),
];
