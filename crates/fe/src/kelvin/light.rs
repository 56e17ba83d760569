//! Transform and lighting: matrices, lights, materials, XF mode, programs.

use crate::Fe;
use crate::bits::{bit, ext, ins};
use crate::chips::Kind;
use crate::table::Check::{Any, Below, Mask, Rule};
use crate::table::Op::{Always, Do, Ltc, Ltctx, Mode as ModeField, Xfctx};
use crate::table::{Call, Guard, Mode, Row, Soft, field_at, hard, open, soft};
use crate::traps::warning;
use crate::xfload::cmd;
use isotherm_bus::trap::nsource;
use isotherm_regs::Chip::Nv20;
use isotherm_regs::bundle::CONFIG_B;

/// Rows of XFCTX, in Kelvin's numbering.
pub(crate) mod xfctx {
    pub const PROJ: u32 = 0x00;
    pub const UNK4: u32 = 0x04;
    /// Model-view matrix 0; its inverse and the other pairs follow, four rows each.
    pub const MV: u32 = 0x08;
    pub const IMV: u32 = 0x0c;
    pub const LIGHT_POSITION: u32 = 0x28;
    pub const LIGHT_SPOT: u32 = 0x30;
    pub const EYE: u32 = 0x38;
    pub const FOG_PLANE: u32 = 0x39;
    pub const VIEWPORT_SCALE: u32 = 0x3a;
    pub const VIEWPORT_TRANSLATE: u32 = 0x3b;
    pub const UNK3C: u32 = 0x3c;
    /// Texture generation planes of unit 0, then its matrix; eight rows a unit.
    pub const TEXGEN: u32 = 0x40;
    pub const TEXTURE: u32 = 0x44;
}

fn light_model(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.xf_mode_a, 30, 1, ext(c.v, 16, 1));
    ins(&mut fe.r.xf_mode_a, 17, 1, ext(c.v, 17, 1));
    ins(&mut fe.r.xf_mode_a, 18, 1, ext(c.v, 0, 1));
    fe.send_mode();
}

fn light_material_ok(_: &Fe, c: Call) -> bool {
    c.v & !0x1_ffff == 0 && (0..8).all(|i| ext(c.v, i * 2, 2) != 3)
}

/// Which vertex colour stands for which material colour: front, then back.
pub(crate) fn light_material(fe: &mut Fe, c: Call) {
    for (from, to) in [
        (14, 0),
        (12, 2),
        (10, 4),
        (8, 6),
        (6, 19),
        (4, 21),
        (2, 23),
        (0, 25),
    ] {
        ins(&mut fe.r.xf_mode_a, to, 2, ext(c.v, from, 2));
    }
    fe.send_mode();
}

/// SPECULAR_ENABLE is XF's business too, except for the Celsius classes.
pub(crate) fn specular_enable(fe: &mut Fe, c: Call) {
    fe.field(
        const { field_at(CONFIG_B, CONFIG_B::SPECULAR_ENABLE, Nv20) },
        c.v,
    );
    if fe.kind != Kind::Celsius {
        ins(&mut fe.r.xf_mode_a, 16, 1, c.v);
        fe.send_mode();
    }
}

/// The Celsius classes want their lights without gaps.
pub(crate) fn light_enable_ok(fe: &Fe, c: Call) -> bool {
    let modes: [u32; 8] = std::array::from_fn(|i| ext(c.v, i as u32 * 2, 2));
    let gap = modes.windows(2).any(|w| w[0] == 0 && w[1] != 0);
    c.v & !0xffff == 0 && !(fe.class_kind == Kind::Celsius && gap)
}

/// TEX_GEN_MODE of coordinate `p`.
pub(crate) fn texgen_mode(fe: &Fe, c: Call) -> Result<u32, u32> {
    match c.v {
        0 => Ok(0),
        0x2400 => Ok(1),
        0x2401 => Ok(2),
        0x2402 if c.p < 2 => Ok(3),
        0x8511 if c.p < 3 => Ok(4),
        0x8512 if c.p < 3 => Ok(5),
        // Emboss: the second unit is the shifted one.
        0x855f if c.p < 3 && fe.class_kind == Kind::Celsius => Ok((c.i & 1) * 6),
        _ => Err(warning::ENUM),
    }
}

pub(crate) fn set_texgen_mode(fe: &mut Fe, c: Call) {
    ins(
        &mut fe.r.xf_mode_t[c.i as usize >> 1],
        4 + (c.i & 1) * 16 + c.p * 3,
        3,
        c.v,
    );
    fe.send_mode();
}

pub(crate) fn tex_matrix_enable(fe: &mut Fe, c: Call) {
    ins(
        &mut fe.r.xf_mode_t[c.i as usize >> 1],
        1 + (c.i & 1) * 16,
        1,
        c.v,
    );
    fe.send_mode();
}

/// TL_MODE: fixed function (0) or program (2); bit 2 lets programs write constants.
fn tl_mode(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.xf_mode_b, 18, 1, ext(c.v, 2, 1));
    ins(&mut fe.r.xf_mode_b, 30, 2, ext(c.v, 0, 2));
    fe.send_mode();
}

/// LIGHT_POSITION has three words; the third is written to the row's fourth as well.
pub(crate) fn light_position(fe: &mut Fe, c: Call) {
    let row = xfctx::LIGHT_POSITION + c.p;
    if c.i < 2 {
        fe.load_xfctx(row, c.i, c.v);
    } else {
        fe.load_xfctx_pair(row, c.i, c.v, c.v);
    }
}

/// VIEWPORT_TRANSLATE: NV25 keeps a copy in LTCTX.
pub(crate) fn viewport_translate(fe: &mut Fe, c: Call) {
    if fe.g.nv25p {
        fe.load_ltctx(0x4a, c.i, c.v);
    }
    fe.load_xfctx(xfctx::VIEWPORT_TRANSLATE, c.i, c.v);
}

/// In a patch, or inside BEGIN/END: as [`Guard::Trap`], for the uploads, which count on even
/// after an error.
fn check_upload(fe: &mut Fe, at_end: bool) {
    let patch = bit(fe.r.fe3d_misc, 4) && bit(fe.r.debug_d, 3);
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
    let at = ext(fe.r.fe3d_xf_load_pos, 0, 8);
    check_upload(fe, at >= 0x88);
    if !fe.blocked() {
        fe.load_program(at, c.i & 3, c.v);
    }
    if c.i & 3 == 3 && at < 0x88 {
        ins(&mut fe.r.fe3d_xf_load_pos, 0, 8, at + 1);
    }
}

/// TL_PARAM_LOAD: one word of a constant.
fn param_load(fe: &mut Fe, c: Call) {
    let at = ext(fe.r.fe3d_xf_load_pos, 8, 8);
    check_upload(fe, at >= 0xc0);
    if !fe.blocked() {
        fe.load_xfctx(at, c.i & 3, c.v);
    }
    if c.i & 3 == 3 && at < 0xc0 {
        ins(&mut fe.r.fe3d_xf_load_pos, 8, 8, at + 1);
    }
}

fn program_load_pos(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.fe3d_xf_load_pos, 0, 8, c.v);
}

fn param_load_pos(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.fe3d_xf_load_pos, 8, 8, c.v);
}

fn program_start_pos(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.xf_mode_a, 8, 8, c.v);
    fe.send_mode();
}

/// XF_UNK4: input attributes for a program that is run without a vertex.
fn transform_data(fe: &mut Fe, c: Call) {
    fe.load_data(c.i << 2, c.v);
}

/// RUN_PROGRAM. The command's number and form are a guess; a hardware test of
/// LAUNCH_TRANSFORM_PROGRAM would settle them.
fn run_program(fe: &mut Fe, c: Call) {
    fe.xf(cmd::RUN, 0, 3, c.v, c.v);
}

/// One light: its colours, shape and place. Same layout in Celsius and Kelvin classes.
pub(crate) fn light(rows: &mut Vec<Row>, i: u32, at: u16) {
    let warn = |offset, name, op| soft(at + offset, name, Soft::Any, op);
    rows.extend([
        open(at, "light_ambient_color", Any, Ltctx(i * 8)).n(3),
        open(at + 0x0c, "light_diffuse_color", Any, Ltctx(i * 8 + 1)).n(3),
        open(at + 0x18, "light_specular_color", Any, Ltctx(i * 8 + 2)).n(3),
        warn(0x24, "light_local_range", Ltc(1, 4 + i)),
        warn(0x28, "light_half_vector", Ltctx(i * 8 + 3)).n(3),
        warn(0x34, "light_direction", Ltctx(i * 8 + 4)).n(3),
        warn(0x40, "light_spot_cutoff_a", Ltc(1, 0xc + i)),
        warn(0x44, "light_spot_cutoff_b", Ltc(2, 7 + i)),
        warn(0x48, "light_spot_cutoff_c", Ltc(3, 4 + i)),
        warn(0x4c, "light_spot_direction", Xfctx(xfctx::LIGHT_SPOT + i)).n(4),
        warn(0x5c, "light_position", Do(light_position)).n(3).p(i),
        warn(0x68, "light_attenuation", Ltctx(i * 8 + 3)).n(3),
    ]);
}

/// The specular curve of one side's material, six scalars.
pub(crate) fn shininess(rows: &mut Vec<Row>, side: u32, at: u16) {
    let spots = [(1, 1), (2, 1), (3, 2), (0, 2), (2, 3), (2, 5)];
    for (i, (space, row)) in spots.into_iter().enumerate() {
        rows.push(open(
            at + 4 * i as u16,
            "material_shininess",
            Any,
            Ltc(space, row + side),
        ));
    }
}

/// Matrices and planes: address, name, first XFCTX row, words.
pub(crate) fn matrices(rows: &mut Vec<Row>, list: &[(u16, &'static str, u32, u16)]) {
    for &(at, name, row, n) in list {
        rows.push(soft(at, name, Soft::Any, Xfctx(row)).n(n));
    }
}

/// What the Celsius classes have at the same address.
pub(crate) const SHARED: &[Row] = &[
    soft(
        0x314,
        "lighting_enable",
        Soft::Bool,
        ModeField((Mode::A, 31, 1)),
    ),
    soft(
        0x3a4,
        "normalize_enable",
        Soft::Bool,
        ModeField((Mode::A, 27, 1)),
    ),
    open(0x3b4, "material_factor_a", Any, Ltc(3, 0xc)),
    soft(0x3b8, "specular_enable", Soft::Bool, Do(specular_enable)),
    hard(
        0x3bc,
        "light_enable",
        Rule(light_enable_ok),
        ModeField((Mode::B, 0, 16)),
    )
    .guard(Guard::TrapOrWarn),
];

/// Kelvin's own.
const KELVIN: &[Row] = &[
    hard(0x294, "light_model", Mask(0x3_0001), Do(light_model)),
    open(
        0x298,
        "light_material",
        Rule(light_material_ok),
        Do(light_material),
    ),
    hard(0x328, "weight_mode", Below(7), ModeField((Mode::B, 26, 3))),
    open(0x3a8, "material_factor_rgb", Any, Ltctx(0x43)).n(3),
    soft(
        0x420,
        "tex_matrix_enable",
        Soft::Bool,
        Do(tex_matrix_enable),
    )
    .n(4),
    hard(0x9cc, "tl_unk9cc", Below(2), ModeField((Mode::B, 20, 1))),
    hard(0x9d0, "fog_plane", Any, Xfctx(xfctx::FOG_PLANE)).n(4),
    open(0xa10, "light_model_ambient_color", Any, Ltctx(0x41)).n(3),
    soft(
        0xa20,
        "viewport_translate",
        Soft::Any,
        Do(viewport_translate),
    )
    .n(4),
    soft(0xa30, "point_params_a", Soft::Any, Ltctx(0x47)).n(3),
    soft(0xa3c, "point_params_b", Soft::Any, Ltctx(0x48)).n(3),
    soft(0xa48, "point_params_c", Soft::Any, Ltc(1, 3)),
    soft(0xa4c, "point_params_d", Soft::Any, Ltc(3, 1)),
    hard(0xb00, "tl_program_load", Any, Always(program_load)).n(32),
    hard(0xb80, "tl_param_load", Any, Always(param_load)).n(32),
    hard(0x16d0, "xf_unk16d0", Any, Xfctx(xfctx::UNK3C + 3)).n(4),
    hard(0x16e0, "xf_unk16e0", Any, Xfctx(xfctx::UNK3C)).n(4),
    hard(0x16f0, "xf_unk16f0", Any, Xfctx(xfctx::UNK3C + 1)).n(4),
    hard(0x1700, "xf_unk1700", Any, Xfctx(xfctx::UNK3C + 2)).n(4),
    open(0x17a0, "light_model_back_ambient_color", Any, Ltctx(0x42)).n(3),
    open(0x17ac, "material_factor_back_a", Any, Ltc(3, 0xd)),
    open(0x17b0, "material_factor_back_rgb", Any, Ltctx(0x44)).n(3),
    hard(0x17d4, "lt_unk17d4", Any, Ltctx(0x46)).n(3),
    hard(0x17e0, "lt_unk17e0", Any, Ltctx(0x40)).n(3),
    hard(0x17ec, "lt_unk17ec", Any, Ltctx(0x49)).n(3),
    hard(0x1e80, "xf_unk4", Any, Do(transform_data)).n(4),
    hard(0x1e90, "xf_run_program", Any, Do(run_program)),
    hard(
        0x1e94,
        "tl_mode",
        Rule(|_, c| c.v & !7 == 0 && c.v & 1 == 0),
        Do(tl_mode),
    ),
    hard(0x1e98, "unk1e98", Below(2), ModeField((Mode::B, 29, 1))),
    hard(
        0x1e9c,
        "tl_program_load_pos",
        Below(0x88),
        Do(program_load_pos),
    ),
    hard(
        0x1ea0,
        "tl_program_start_pos",
        Below(0x88),
        Do(program_start_pos),
    ),
    hard(0x1ea4, "tl_param_load_pos", Below(0xc0), Do(param_load_pos)),
];

/// All rows of the Kelvin classes.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = [SHARED, KELVIN].concat();
    for coord in 0..4 {
        let at = 0x3c0 + 4 * coord as u16;
        let row = soft(
            at,
            "tex_gen_mode",
            Soft::Rule(texgen_mode),
            Do(set_texgen_mode),
        );
        rows.push(row.every(4, 0x10).p(coord));
    }
    matrices(
        &mut rows,
        &[
            (0x440, "matrix_unk4", xfctx::UNK4, 16),
            (0x680, "matrix_proj", xfctx::PROJ, 16),
            (0xa50, "light_eye_position", xfctx::EYE, 4),
            (0xaf0, "viewport_scale", xfctx::VIEWPORT_SCALE, 4),
        ],
    );
    for i in 0..4u16 {
        let unit = u32::from(i) * 8;
        matrices(
            &mut rows,
            &[
                (0x480 + i * 0x40, "matrix_mv", xfctx::MV + unit, 16),
                (0x580 + i * 0x40, "matrix_imv", xfctx::IMV + unit, 16),
                (0x6c0 + i * 0x40, "matrix_tx", xfctx::TEXTURE + unit, 16),
                (0x840 + i * 0x40, "tex_gen_planes", xfctx::TEXGEN + unit, 16),
            ],
        );
    }
    shininess(&mut rows, 0, 0x9e0);
    shininess(&mut rows, 1, 0x1e28);
    for i in 0..8u16 {
        light(&mut rows, i.into(), 0x1000 + i * 0x80);
        let back = 0xc00 + i * 0x40;
        for (k, name) in ["ambient", "diffuse", "specular"].into_iter().enumerate() {
            let row = u32::from(i) * 8 + 5 + k as u32;
            rows.push(open(back + 0xc * k as u16, name, Any, Ltctx(row)).n(3));
        }
    }
    rows
}
