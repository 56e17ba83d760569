//! Transform and lighting: XF mode and programs.

use isotherm_regs::Chip::Nv30;
use isotherm_regs::method::{TL_MODE_DATA, kelvin as m};
use isotherm_regs::pgraph::{DEBUG_D, FE3D_MISC, FE3D_XF_LOAD_POS};
use isotherm_regs::xf::ctx;
use isotherm_regs::xf::mode::{XFMODE_A, XFMODE_B};

use crate::Fe;
use crate::chips::Kind;
use crate::table::Check::{Any, Below, Declared, Rule};
use crate::table::Op::{Always, Do, Load, Mode as ModeField, SpreadMode};
use crate::table::{Call, Guard, Mode, Row, Soft, hard, open, soft};
use crate::transform::{self, LIGHT_ENABLE, LIGHT_MATERIAL, LIGHT_MODEL, light_enable_ok};
use isotherm_bus::trap::nsource;

/// VIEWPORT_TRANSLATE: NV25 keeps a copy in LTCTX.
pub(crate) fn viewport_translate(fe: &mut Fe, c: Call) {
    fe.load_named(c, "NV25_VIEWPORT_TRANSLATE");
    fe.load_named(c, "VIEWPORT_TRANSLATE");
}

/// Instructions and constants that Kelvin's memories hold.
const PROGRAM_ROWS: u32 = 0x88;
const PARAM_ROWS: u32 = 0xc0;
/// Where Rankine has the first of Kelvin's rows.
const KELVIN_ROWS: u32 = ctx::index_of(ctx::XFCTX, "MATRIX_PROJ", Nv30) as u32;

/// LIGHT_MATERIAL has a seventeenth bit that does nothing.
fn light_material_ok(fe: &Fe, c: Call) -> bool {
    c.v < 0x2_0000 && transform::light_material_ok(fe, c)
}

/// TL_MODE: fixed function (0) or program (2), and which constants programs can reach.
const TL_MODE: &[crate::table::Move] = &[
    (TL_MODE_DATA::MODE, XFMODE_B::MODE),
    (TL_MODE_DATA::XFCTX_ACCESS, XFMODE_B::XFCTX_ACCESS),
];

pub(crate) fn tl_mode_ok(_: &Fe, c: Call) -> bool {
    c.v < 8 && c.v & 1 == 0
}

/// In a patch, or inside BEGIN/END: as [`Guard::Trap`], for the uploads, which count on even
/// after an error.
fn check_upload(fe: &mut Fe, at_end: bool) {
    let patch =
        FE3D_MISC::IN_PATCH.is_on(fe.r.fe3d_misc) && DEBUG_D::PATCH_CHECK.is_on(fe.r.debug_d);
    if fe.g.kelvin() && fe.kind == Kind::Kelvin && patch {
        fe.blow_up(nsource::PATCH);
    }
    if fe.inside() {
        fe.blow_up(nsource::IN_BEGIN_END);
    }
    if at_end {
        fe.state_error();
    }
}

/// TL_PROGRAM_LOAD: one word of an instruction.
fn program_load(fe: &mut Fe, c: Call) {
    let at = FE3D_XF_LOAD_POS::PROGRAM.get(fe.g.chip, fe.r.fe3d_xf_load_pos);
    check_upload(fe, at >= PROGRAM_ROWS);
    if !fe.blocked() {
        fe.load_program(at, c.i & 3, c.v);
    }
    if c.i & 3 == 3 && at < PROGRAM_ROWS {
        FE3D_XF_LOAD_POS::PROGRAM.put(fe.g.chip, &mut fe.r.fe3d_xf_load_pos, at + 1);
    }
}

/// TL_PARAM_LOAD: one word of a constant.
fn param_load(fe: &mut Fe, c: Call) {
    let at = FE3D_XF_LOAD_POS::PARAM.get(fe.g.chip, fe.r.fe3d_xf_load_pos);
    check_upload(fe, at >= PARAM_ROWS);
    if !fe.blocked() {
        // Rankine has Kelvin's rows further up.
        let first = if fe.g.rankine() { KELVIN_ROWS } else { 0 };
        fe.load_xfctx(first + at, c.i & 3, c.v);
    }
    if c.i & 3 == 3 && at < PARAM_ROWS {
        FE3D_XF_LOAD_POS::PARAM.put(fe.g.chip, &mut fe.r.fe3d_xf_load_pos, at + 1);
    }
}

fn program_load_pos(fe: &mut Fe, c: Call) {
    FE3D_XF_LOAD_POS::PROGRAM.put(fe.g.chip, &mut fe.r.fe3d_xf_load_pos, c.v);
}

fn param_load_pos(fe: &mut Fe, c: Call) {
    FE3D_XF_LOAD_POS::PARAM.put(fe.g.chip, &mut fe.r.fe3d_xf_load_pos, c.v);
}

/// What the Celsius classes have at the same address.
pub(crate) const SHARED: &[Row] = &[
    soft(
        m::LIGHTING_ENABLE,
        Soft::Bool,
        ModeField(Mode::A, XFMODE_A::LIGHTING_ENABLE),
    ),
    soft(
        m::NORMALIZE_ENABLE,
        Soft::Bool,
        ModeField(Mode::A, XFMODE_A::NORMALIZE_ENABLE),
    ),
    soft(
        m::SPECULAR_ENABLE,
        Soft::Bool,
        Do(transform::specular_enable),
    ),
    hard(
        m::LIGHT_ENABLE,
        Rule(light_enable_ok),
        SpreadMode(Mode::B, LIGHT_ENABLE),
    )
    .guard(Guard::TrapOrWarn),
];

/// Kelvin's own.
pub(crate) const ROWS: &[Row] = &[
    hard(m::LIGHT_MODEL, Declared, SpreadMode(Mode::A, LIGHT_MODEL)),
    open(
        m::LIGHT_MATERIAL,
        Rule(light_material_ok),
        SpreadMode(Mode::A, LIGHT_MATERIAL),
    ),
    soft(m::VIEWPORT_TRANSLATE, Soft::Any, Do(viewport_translate)),
    soft(m::VIEWPORT_SCALE, Soft::Any, Load("VIEWPORT_SCALE")),
    hard(m::TL_PROGRAM_LOAD, Any, Always(program_load)),
    hard(m::TL_PARAM_LOAD, Any, Always(param_load)),
    hard(m::LT_UNK17EC, Any, Load("LT_UNK17EC")),
    hard(m::TL_MODE, Rule(tl_mode_ok), SpreadMode(Mode::B, TL_MODE)),
    hard(
        m::TL_PROGRAM_LOAD_POS,
        Below(PROGRAM_ROWS),
        Do(program_load_pos),
    ),
    hard(
        m::TL_PROGRAM_START_POS,
        Below(PROGRAM_ROWS),
        ModeField(Mode::A, XFMODE_A::PROGRAM_START_POS),
    ),
    hard(m::TL_PARAM_LOAD_POS, Below(PARAM_ROWS), Do(param_load_pos)),
];

/// The matrices and lights.
pub(crate) const CONTEXT: &[&[Row]] = &[transform::common!(m), transform::two_sided!(m)];
