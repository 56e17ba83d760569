//! Transform and lighting: mode bits, matrices, lights, materials.

use isotherm_regs::bundle::CONFIG_B;

use crate::Fe;
use crate::bits::{ext, ins};
use crate::kelvin::light::light_enable_ok;
use crate::table::Check::{Any, Mask, Rule};
use crate::table::Op::{Do, Mode as ModeField};
use crate::table::{Call, Mode, Row, Soft, field_at, free, soft};
use crate::traps::warning;
use isotherm_regs::Chip::Nv10;

fn light_model(fe: &mut Fe, c: Call) {
    let r = &mut fe.r;
    ins(&mut r.celsius_xf_misc_a, 18, 1, ext(c.v, 2, 1));
    ins(&mut r.celsius_xf_misc_a, 19, 1, ext(c.v, 0, 1));
    ins(&mut r.celsius_xf_misc_a, 20, 1, ext(c.v, 1, 1));
    ins(&mut r.celsius_xf_misc_b, 28, 1, ext(c.v, 16, 1));
    fe.send_celsius_mode();
}

fn fog_enable(fe: &mut Fe, c: Call) {
    fe.field(
        const { field_at(CONFIG_B, CONFIG_B::FOG_ENABLE, Nv10) },
        c.v,
    );
    fe.mode_field((Mode::CelsiusB, 31, 1), c.v);
}

fn point_params_enable(fe: &mut Fe, c: Call) {
    fe.field(
        const { field_at(CONFIG_B, CONFIG_B::POINT_PARAMS_ENABLE, Nv10) },
        c.v,
    );
    fe.mode_field((Mode::CelsiusA, 25, 1), c.v);
}

fn texgen_mode(_: &Fe, c: Call) -> Result<u32, u32> {
    match c.v {
        0 => Ok(0),
        0x2400 => Ok(1),
        0x2401 => Ok(2),
        0x2402 if c.p < 2 => Ok(3),
        0x8511 if c.p < 3 => Ok(4),
        0x8512 if c.p < 3 => Ok(5),
        0x855f if c.p < 3 => Ok(6),
        _ => Err(warning::ENUM),
    }
}

fn set_texgen_mode(fe: &mut Fe, c: Call) {
    let len = if c.p == 3 { 2 } else { 3 };
    fe.mode_field((Mode::CelsiusB, 3 + c.i * 14 + c.p * 3, len), c.v);
}

fn tex_matrix_enable(fe: &mut Fe, c: Call) {
    fe.mode_field((Mode::CelsiusB, 1 + c.i * 14, 1), c.v);
}

/// TL_MODE: bypass, and perspective textures for the two units.
fn tl_mode(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.celsius_xf_misc_a, 28, 1, ext(c.v, 0, 1));
    ins(&mut fe.r.celsius_xf_misc_b, 2, 1, ext(c.v, 1, 1));
    ins(&mut fe.r.celsius_xf_misc_b, 16, 1, ext(c.v, 2, 1));
    fe.send_celsius_mode();
}

/// A word of XFCTX; `p` is the first row.
fn xfctx(fe: &mut Fe, c: Call) {
    fe.load_celsius_xfctx(c.p + (c.i >> 2), c.i & 3, 3, c.v);
}

/// A light position: the third word completes the row, the fourth is what an earlier load left.
fn xfctx3(fe: &mut Fe, c: Call) {
    fe.load_celsius_xfctx(c.p, c.i, 2, c.v);
}

/// A word of LTCTX row `p`.
fn ltctx(fe: &mut Fe, c: Call) {
    fe.load_celsius_ltctx(c.p, c.i, c.v);
}

/// A scalar: space above, row below.
fn ltc(fe: &mut Fe, c: Call) {
    fe.load_celsius_ltc(c.p >> 8, c.p & 0xff, c.v);
}

const fn warns(at: u16, name: &'static str, act: fn(&mut Fe, Call), p: u32) -> Row {
    soft(at, name, Soft::Any, Do(act)).p(p)
}

const fn open(at: u16, name: &'static str, act: fn(&mut Fe, Call), p: u32) -> Row {
    free(at, name, Any, Do(act)).p(p)
}

/// A scalar's parameter.
const fn at(space: u32, row: u32) -> u32 {
    space << 8 | row
}

/// MATERIAL_FACTOR_RGB of 56h warns inside BEGIN/END, that of the later classes does not.
pub(crate) const ONLY_56: &[Row] = &[warns(0x3a8, "material_factor_rgb", ltctx, 42).n(3)];
pub(crate) const MATERIAL_FREE: Row = open(0x3a8, "material_factor_rgb", ltctx, 42).n(3);

const ROWS: &[Row] = &[
    free(0x294, "light_model", Mask(0x1_0007), Do(light_model)).trap(31),
    free(
        0x298,
        "light_material",
        Any,
        ModeField((Mode::CelsiusA, 21, 4)),
    )
    .soft(Soft::Mask(0xf)),
    soft(
        0x2a0,
        "fog_coord",
        Soft::Range(0, 4),
        ModeField((Mode::CelsiusA, 16, 2)),
    ),
    soft(0x2a4, "fog_enable", Soft::Bool, Do(fog_enable)).pipe(),
    soft(
        0x314,
        "lighting_enable",
        Soft::Bool,
        ModeField((Mode::CelsiusB, 29, 1)),
    ),
    soft(
        0x318,
        "point_params_enable",
        Soft::Bool,
        Do(point_params_enable),
    )
    .pipe(),
    soft(
        0x328,
        "weight_enable",
        Soft::Bool,
        ModeField((Mode::CelsiusA, 27, 1)),
    ),
    soft(
        0x3a4,
        "normalize_enable",
        Soft::Bool,
        ModeField((Mode::CelsiusB, 30, 1)),
    ),
    open(0x3b4, "material_factor_a", ltc, at(3, 11)),
    soft(
        0x3bc,
        "light_enable",
        Soft::Any,
        ModeField((Mode::CelsiusA, 0, 16)),
    )
    .check(Rule(light_enable_ok)),
    soft(
        0x3e0,
        "tex_matrix_enable",
        Soft::Bool,
        Do(tex_matrix_enable),
    )
    .n(2),
    soft(0x3e8, "tl_mode", Soft::Mask(7), Do(tl_mode)),
    warns(0x400, "matrix_mv0", xfctx, 0).n(16),
    warns(0x440, "matrix_mv1", xfctx, 12).n(16),
    warns(0x480, "matrix_imv0", xfctx, 4).n(16),
    warns(0x4c0, "matrix_imv1", xfctx, 16).n(16),
    warns(0x500, "matrix_proj", xfctx, 8).n(16),
    warns(0x540, "matrix_tx0", xfctx, 24).n(16),
    warns(0x580, "matrix_tx1", xfctx, 32).n(16),
    warns(0x600, "tex_gen_0_planes", xfctx, 20).n(16),
    warns(0x640, "tex_gen_1_planes", xfctx, 28).n(16),
    warns(0x680, "fog_coeff", ltctx, 43).n(3),
    open(0x68c, "fog_plane", xfctx, 56).n(4),
    open(0x6a0, "material_shininess_0", ltc, at(1, 1)),
    open(0x6a4, "material_shininess_1", ltc, at(2, 1)),
    open(0x6a8, "material_shininess_2", ltc, at(3, 2)),
    open(0x6ac, "material_shininess_3", ltc, at(0, 2)),
    open(0x6b0, "material_shininess_4", ltc, at(2, 2)),
    open(0x6b4, "material_shininess_5", ltc, at(2, 3)),
    open(0x6c4, "light_model_ambient_color", ltctx, 41).n(3),
    warns(0x6e8, "viewport_translate", xfctx, 57).n(4),
    warns(0x6f8, "point_params_012", ltctx, 45).n(3),
    warns(0x704, "point_params_345", ltctx, 46).n(3),
    warns(0x710, "point_params_6", ltc, at(1, 2)),
    warns(0x714, "point_params_7", ltc, at(3, 1)),
    warns(0x718, "light_eye_position", xfctx, 52).n(4),
];

/// All rows.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = ROWS.to_vec();
    for coord in 0..4u16 {
        let row = soft(
            0x3c0 + 4 * coord,
            "tex_gen_mode",
            Soft::Rule(texgen_mode),
            Do(set_texgen_mode),
        );
        rows.push(row.every(2, 0x10).p(coord.into()));
    }
    for i in 0..8u16 {
        let (base, n) = (0x800 + i * 0x80, u32::from(i));
        rows.extend([
            open(base, "light_ambient_color", ltctx, n * 5).n(3),
            open(base + 0x0c, "light_diffuse_color", ltctx, n * 5 + 1).n(3),
            open(base + 0x18, "light_specular_color", ltctx, n * 5 + 2).n(3),
            warns(base + 0x24, "light_local_range", ltc, at(1, 3 + n)),
            warns(base + 0x28, "light_half_vector", ltctx, n * 5 + 3).n(3),
            warns(base + 0x34, "light_direction", ltctx, n * 5 + 4).n(3),
            warns(base + 0x40, "light_spot_cutoff_0", ltc, at(1, 11 + n)),
            warns(base + 0x44, "light_spot_cutoff_1", ltc, at(2, 4 + n)),
            warns(base + 0x48, "light_spot_cutoff_2", ltc, at(3, 3 + n)),
            warns(base + 0x4c, "light_spot_direction", xfctx, 44 + n).n(4),
            warns(base + 0x5c, "light_position", xfctx3, 36 + n).n(3),
            warns(base + 0x68, "light_attenuation", ltctx, n * 5 + 3).n(3),
        ]);
    }
    rows
}
