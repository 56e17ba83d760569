//! Transform and lighting: what Celsius, Kelvin and Rankine have in common.
//!
//! The classes have the same methods at different addresses, and the chips the same contexts at
//! different places; both are declared in `regs`, so that one list serves all.

use isotherm_regs::Chip;
use isotherm_regs::bundle::CONFIG_B;
use isotherm_regs::field::Field;
use isotherm_regs::method::{GL_TEXGEN, LIGHT_ENABLE_DATA, LIGHT_MATERIAL_DATA, LIGHT_MODEL_DATA};
use isotherm_regs::xf::ctx;
use isotherm_regs::xf::mode::{TEX_GEN, XFMODE_A, XFMODE_B, XFMODE_T};

use super::Fe;
use super::chips::Kind;
use super::idx::ONE;
use super::table::{Call, Move};
use super::traps::warning;
use super::words::Data;
use super::xfload::cmd;

/// Matrices, planes, lights and materials of a class, given the module of its methods.
macro_rules! common {
    ($m:ident) => {{
        use crate::table::Check::Any;
        use crate::table::Op::{Do, Load, LoadThird};
        use crate::table::{Row, Soft, open, soft};
        use crate::transform;
        const ROWS: &[Row] = &[
            soft($m::MATRIX_MV, Soft::Any, Load("MATRIX_MV{}")),
            soft($m::MATRIX_IMV, Soft::Any, Load("MATRIX_IMV{}")),
            soft($m::MATRIX_PROJ, Soft::Any, Load("MATRIX_PROJ")),
            soft($m::MATRIX_TX, Soft::Any, Load("MATRIX_TX{}")),
            soft($m::TEX_GEN_S_PLANE, Soft::Any, Load("TEX_{}_GEN_S")),
            soft($m::TEX_GEN_T_PLANE, Soft::Any, Load("TEX_{}_GEN_T")),
            soft($m::TEX_GEN_R_PLANE, Soft::Any, Load("TEX_{}_GEN_R")),
            soft($m::TEX_GEN_Q_PLANE, Soft::Any, Load("TEX_{}_GEN_Q")),
            soft(
                $m::LIGHT_EYE_POSITION,
                Soft::Any,
                Load("LIGHT_EYE_POSITION"),
            ),
            open($m::LIGHT_AMBIENT_COLOR, Any, Load("LIGHT_{}_AMBIENT_COLOR")),
            open($m::LIGHT_DIFFUSE_COLOR, Any, Load("LIGHT_{}_DIFFUSE_COLOR")),
            open(
                $m::LIGHT_SPECULAR_COLOR,
                Any,
                Load("LIGHT_{}_SPECULAR_COLOR"),
            ),
            soft(
                $m::LIGHT_LOCAL_RANGE,
                Soft::Any,
                Load("LIGHT_{}_LOCAL_RANGE"),
            ),
            // An infinite light has the one, a local light the other.
            soft(
                $m::LIGHT_HALF_VECTOR,
                Soft::Any,
                Load("LIGHT_{}_HALF_VECTOR_ATTENUATION"),
            ),
            soft(
                $m::LIGHT_ATTENUATION,
                Soft::Any,
                Load("LIGHT_{}_HALF_VECTOR_ATTENUATION"),
            ),
            soft($m::LIGHT_DIRECTION, Soft::Any, Load("LIGHT_{}_DIRECTION")),
            soft(
                $m::LIGHT_SPOT_CUTOFF_A,
                Soft::Any,
                Load("LIGHT_{}_SPOT_CUTOFF_0"),
            ),
            soft(
                $m::LIGHT_SPOT_CUTOFF_B,
                Soft::Any,
                Load("LIGHT_{}_SPOT_CUTOFF_1"),
            ),
            soft(
                $m::LIGHT_SPOT_CUTOFF_C,
                Soft::Any,
                Load("LIGHT_{}_SPOT_CUTOFF_2"),
            ),
            soft(
                $m::LIGHT_SPOT_DIRECTION,
                Soft::Any,
                Load("LIGHT_{}_SPOT_DIRECTION"),
            ),
            soft(
                $m::LIGHT_POSITION,
                Soft::Any,
                LoadThird("LIGHT_{}_POSITION"),
            ),
            open($m::MATERIAL_SHININESS_A, Any, Load("MATERIAL_SHININESS_A")),
            open($m::MATERIAL_SHININESS_B, Any, Load("MATERIAL_SHININESS_B")),
            open($m::MATERIAL_SHININESS_C, Any, Load("MATERIAL_SHININESS_C")),
            open($m::MATERIAL_SHININESS_D, Any, Load("MATERIAL_SHININESS_D")),
            open($m::MATERIAL_SHININESS_E, Any, Load("MATERIAL_SHININESS_E")),
            open($m::MATERIAL_SHININESS_F, Any, Load("MATERIAL_SHININESS_F")),
            open($m::MATERIAL_FACTOR_A, Any, Load("MATERIAL_FACTOR_A")),
            soft($m::POINT_PARAMS_A, Soft::Any, Load("POINT_PARAMS_A")),
            soft($m::POINT_PARAMS_B, Soft::Any, Do(transform::point_params_b)),
            soft($m::POINT_PARAMS_C, Soft::Any, Do(transform::point_params_c)),
            soft($m::POINT_PARAMS_D, Soft::Any, Do(transform::point_params_d)),
        ];
        ROWS
    }};
}
pub(crate) use common;

/// What Kelvin and Rankine have besides: two sides, and more units.
macro_rules! two_sided {
    ($m:ident) => {{
        use crate::table::Check::{Any, Below};
        use crate::table::Op::{Do, Load, Mode as ModeField};
        use crate::table::{Mode, Row, Soft, hard, open, soft};
        use crate::transform;
        const ROWS: &[Row] = &[
            soft($m::MATRIX_UNK440, Soft::Any, Load("MATRIX_UNK440")),
            open(
                $m::LIGHT_BACK_AMBIENT_COLOR,
                Any,
                Load("LIGHT_{}_BACK_AMBIENT_COLOR"),
            ),
            open(
                $m::LIGHT_BACK_DIFFUSE_COLOR,
                Any,
                Load("LIGHT_{}_BACK_DIFFUSE_COLOR"),
            ),
            open(
                $m::LIGHT_BACK_SPECULAR_COLOR,
                Any,
                Load("LIGHT_{}_BACK_SPECULAR_COLOR"),
            ),
            open(
                $m::MATERIAL_BACK_SHININESS_A,
                Any,
                Load("MATERIAL_BACK_SHININESS_A"),
            ),
            open(
                $m::MATERIAL_BACK_SHININESS_B,
                Any,
                Load("MATERIAL_BACK_SHININESS_B"),
            ),
            open(
                $m::MATERIAL_BACK_SHININESS_C,
                Any,
                Load("MATERIAL_BACK_SHININESS_C"),
            ),
            open(
                $m::MATERIAL_BACK_SHININESS_D,
                Any,
                Load("MATERIAL_BACK_SHININESS_D"),
            ),
            open(
                $m::MATERIAL_BACK_SHININESS_E,
                Any,
                Load("MATERIAL_BACK_SHININESS_E"),
            ),
            open(
                $m::MATERIAL_BACK_SHININESS_F,
                Any,
                Load("MATERIAL_BACK_SHININESS_F"),
            ),
            open(
                $m::MATERIAL_FACTOR_BACK_A,
                Any,
                Load("MATERIAL_FACTOR_BACK_A"),
            ),
            open($m::MATERIAL_FACTOR_RGB, Any, Load("MATERIAL_FACTOR_RGB")),
            open(
                $m::MATERIAL_FACTOR_BACK_RGB,
                Any,
                Load("MATERIAL_FACTOR_BACK_RGB"),
            ),
            open(
                $m::LIGHT_MODEL_AMBIENT_COLOR,
                Any,
                Load("LIGHT_MODEL_AMBIENT_COLOR"),
            ),
            open(
                $m::LIGHT_MODEL_BACK_AMBIENT_COLOR,
                Any,
                Load("LIGHT_MODEL_BACK_AMBIENT_COLOR"),
            ),
            hard($m::FOG_PLANE, Any, Load("FOG_PLANE")),
            hard($m::LT_UNK17D4, Any, Load("LT_UNK17D4")),
            hard($m::LT_UNK17E0, Any, Load("LT_UNK17E0")),
            hard($m::XF_UNK16D0, Any, Load("KELVIN_UNK16D0")),
            hard($m::XF_UNK16E0, Any, Load("KELVIN_UNK16E0")),
            hard($m::XF_UNK16F0, Any, Load("KELVIN_UNK16F0")),
            hard($m::XF_UNK1700, Any, Load("KELVIN_UNK1700")),
            hard($m::XF_UNK4, Any, Do(transform::transform_data)),
            hard($m::XF_RUN_PROGRAM, Any, Do(transform::run_program)),
            soft(
                $m::LIGHTING_ENABLE,
                Soft::Bool,
                ModeField(Mode::A, XFMODE_A::LIGHTING_ENABLE),
            ),
            soft(
                $m::NORMALIZE_ENABLE,
                Soft::Bool,
                ModeField(Mode::A, XFMODE_A::NORMALIZE_ENABLE),
            ),
            hard(
                $m::WEIGHT_MODE,
                Below(7),
                ModeField(Mode::B, XFMODE_B::WEIGHT_MODE),
            ),
            hard(
                $m::TEXGEN_VIEW_MODEL,
                Below(2),
                ModeField(Mode::B, XFMODE_B::TEXGEN_VIEW_MODEL),
            ),
            hard(
                $m::XFCTX_WRITE_ENABLE,
                Below(2),
                ModeField(Mode::B, XFMODE_B::XFCTX_WRITE_ENABLE),
            ),
            soft(
                $m::TEX_MATRIX_ENABLE,
                Soft::Bool,
                Do(transform::tex_matrix_enable),
            ),
            soft(
                $m::TEX_GEN_MODE_S,
                Soft::Rule(transform::texgen_mode),
                Do(transform::set_texgen_mode),
            )
            .p(0),
            soft(
                $m::TEX_GEN_MODE_T,
                Soft::Rule(transform::texgen_mode),
                Do(transform::set_texgen_mode),
            )
            .p(1),
            soft(
                $m::TEX_GEN_MODE_R,
                Soft::Rule(transform::texgen_mode),
                Do(transform::set_texgen_mode),
            )
            .p(2),
            soft(
                $m::TEX_GEN_MODE_Q,
                Soft::Rule(transform::texgen_mode),
                Do(transform::set_texgen_mode),
            )
            .p(3),
        ];
        ROWS
    }};
}
pub(crate) use two_sided;

/// Which vertex colour stands for which material colour: front, then back.
pub(crate) const LIGHT_MATERIAL: &[Move] = &[
    (
        LIGHT_MATERIAL_DATA::EMISSION_FRONT,
        XFMODE_A::LIGHT_MATERIAL_EMISSION_FRONT,
    ),
    (
        LIGHT_MATERIAL_DATA::AMBIENT_FRONT,
        XFMODE_A::LIGHT_MATERIAL_AMBIENT_FRONT,
    ),
    (
        LIGHT_MATERIAL_DATA::DIFFUSE_FRONT,
        XFMODE_A::LIGHT_MATERIAL_DIFFUSE_FRONT,
    ),
    (
        LIGHT_MATERIAL_DATA::SPECULAR_FRONT,
        XFMODE_A::LIGHT_MATERIAL_SPECULAR_FRONT,
    ),
    (
        LIGHT_MATERIAL_DATA::EMISSION_BACK,
        XFMODE_A::LIGHT_MATERIAL_EMISSION_BACK,
    ),
    (
        LIGHT_MATERIAL_DATA::AMBIENT_BACK,
        XFMODE_A::LIGHT_MATERIAL_AMBIENT_BACK,
    ),
    (
        LIGHT_MATERIAL_DATA::DIFFUSE_BACK,
        XFMODE_A::LIGHT_MATERIAL_DIFFUSE_BACK,
    ),
    (
        LIGHT_MATERIAL_DATA::SPECULAR_BACK,
        XFMODE_A::LIGHT_MATERIAL_SPECULAR_BACK,
    ),
];

/// The light model's flags.
pub(crate) const LIGHT_MODEL: &[Move] = &[
    (
        LIGHT_MODEL_DATA::LOCAL_VIEWER,
        XFMODE_A::LIGHT_MODEL_LOCAL_VIEWER,
    ),
    (LIGHT_MODEL_DATA::UNK17, XFMODE_A::LIGHT_MODEL_UNK17),
    (
        LIGHT_MODEL_DATA::SEPARATE_SPECULAR,
        XFMODE_A::LIGHT_MODEL_SEPARATE_SPECULAR,
    ),
];

/// The modes of the eight lights.
pub(crate) const LIGHT_MODES: [Field; 8] = [
    LIGHT_ENABLE_DATA::LIGHT0,
    LIGHT_ENABLE_DATA::LIGHT1,
    LIGHT_ENABLE_DATA::LIGHT2,
    LIGHT_ENABLE_DATA::LIGHT3,
    LIGHT_ENABLE_DATA::LIGHT4,
    LIGHT_ENABLE_DATA::LIGHT5,
    LIGHT_ENABLE_DATA::LIGHT6,
    LIGHT_ENABLE_DATA::LIGHT7,
];

/// Where XFMODE_B has them.
pub(crate) const LIGHT_ENABLE: &[Move] = &[
    (LIGHT_MODES[0], XFMODE_B::LIGHT_MODE_0),
    (LIGHT_MODES[1], XFMODE_B::LIGHT_MODE_1),
    (LIGHT_MODES[2], XFMODE_B::LIGHT_MODE_2),
    (LIGHT_MODES[3], XFMODE_B::LIGHT_MODE_3),
    (LIGHT_MODES[4], XFMODE_B::LIGHT_MODE_4),
    (LIGHT_MODES[5], XFMODE_B::LIGHT_MODE_5),
    (LIGHT_MODES[6], XFMODE_B::LIGHT_MODE_6),
    (LIGHT_MODES[7], XFMODE_B::LIGHT_MODE_7),
];

/// LIGHT_MATERIAL: none, the first or the second vertex colour.
pub(crate) fn light_material_ok(fe: &Fe, c: Call) -> bool {
    let data = Data::new(fe, c.v);
    LIGHT_MATERIAL
        .iter()
        .all(|(field, _)| data.get(*field) != 3)
}

/// The Celsius classes want their lights without gaps.
pub(crate) fn light_enable_ok(fe: &Fe, c: Call) -> bool {
    let gap = LIGHT_MODES
        .windows(2)
        .any(|pair| !pair[0].is_on(c.v) && pair[1].is_on(c.v));
    Data::new(fe, c.v).only(&LIGHT_MODES) && !(fe.class_kind == Kind::Celsius && gap)
}

/// SPECULAR_ENABLE is XF's business too, except for the Celsius classes and on Curie.
pub(crate) fn specular_enable(fe: &mut Fe, c: Call) {
    fe.put_field(CONFIG_B, CONFIG_B::SPECULAR_ENABLE, c.v);
    if fe.kind != Kind::Celsius && !fe.g.curie() {
        XFMODE_A::SPECULAR_ENABLE.write(&mut fe.r.xf_mode_a, c.v);
        fe.send_mode();
    }
}

/// TEX_GEN_MODE of coordinate `p`.
pub(crate) fn texgen_mode(fe: &Fe, c: Call) -> Result<u32, u32> {
    let emboss = fe.class_kind == Kind::Celsius;
    match c.v {
        GL_TEXGEN::DISABLE => Ok(TEX_GEN::PASS),
        GL_TEXGEN::EYE_LINEAR => Ok(TEX_GEN::EYE_LINEAR),
        GL_TEXGEN::OBJECT_LINEAR => Ok(TEX_GEN::OBJECT_LINEAR),
        GL_TEXGEN::SPHERE_MAP if c.p < 2 => Ok(TEX_GEN::SPHERE_MAP),
        GL_TEXGEN::NORMAL_MAP if c.p < 3 => Ok(TEX_GEN::NORMAL_MAP),
        GL_TEXGEN::REFLECTION_MAP if c.p < 3 => Ok(TEX_GEN::REFLECTION_MAP),
        // Kelvin emulates it for the second unit, which is the shifted one.
        GL_TEXGEN::EMBOSS_MAP if c.p < 3 && emboss && !fe.g.celsius() && c.i & 1 == 0 => {
            Ok(TEX_GEN::PASS)
        }
        GL_TEXGEN::EMBOSS_MAP if c.p < 3 && emboss => Ok(TEX_GEN::EMBOSS_MAP),
        _ => Err(warning::ENUM),
    }
}

/// The fields of a texture coordinate set in its XFMODE_T: enable, matrix, and the third, whose
/// meaning changed with Rankine.
pub(crate) const TXC_ENABLE: [Field; 2] = [XFMODE_T::TEX_0_ENABLE, XFMODE_T::TEX_1_ENABLE];
const TXC_MATRIX: [Field; 2] = [XFMODE_T::TEX_0_MATRIX_ENABLE, XFMODE_T::TEX_1_MATRIX_ENABLE];
pub(crate) const TXC_R: [Field; 2] = [XFMODE_T::TEX_0_R_ENABLE, XFMODE_T::TEX_1_R_ENABLE];
const TXC_GEN: [[Field; 4]; 2] = [
    [
        XFMODE_T::TEX_0_GEN_S,
        XFMODE_T::TEX_0_GEN_T,
        XFMODE_T::TEX_0_GEN_R,
        XFMODE_T::TEX_0_GEN_Q,
    ],
    [
        XFMODE_T::TEX_1_GEN_S,
        XFMODE_T::TEX_1_GEN_T,
        XFMODE_T::TEX_1_GEN_R,
        XFMODE_T::TEX_1_GEN_Q,
    ],
];

impl Fe {
    /// Replaces a field of a texture coordinate set in its XFMODE_T, which has two of them.
    pub(crate) fn set_txc(&mut self, set: u32, fields: [Field; 2], value: u32) {
        let field = fields[set as usize & 1];
        if self.g.curie() {
            return self.put_curie_txc(set, field, value);
        }
        field.write(&mut self.r.xf_mode_t[set as usize >> 1], value);
    }
}

pub(crate) fn set_texgen_mode(fe: &mut Fe, c: Call) {
    let coordinate = c.p as usize & 3;
    fe.set_txc(c.i, TXC_GEN.map(|set| set[coordinate]), c.v);
    fe.send_mode();
}

pub(crate) fn tex_matrix_enable(fe: &mut Fe, c: Call) {
    fe.set_txc(c.i, TXC_MATRIX, c.v);
    fe.send_mode();
}

/// Rankine has the last point parameters in one XFCTX row.
const POINT_PARAMS_BCD: u32 = ctx::index_of(ctx::XFCTX, "POINT_PARAMS_BCD", Chip::Nv30) as u32;

fn one_row(fe: &Fe) -> bool {
    fe.g.rankine() || fe.g.curie()
}

pub(crate) fn point_params_b(fe: &mut Fe, c: Call) {
    match one_row(fe) {
        // Only the first of the three is loaded.
        true if c.i == 0 => fe.load_xfctx(POINT_PARAMS_BCD, 0, c.v),
        true => {}
        false => fe.load_named(c, "POINT_PARAMS_B"),
    }
}

pub(crate) fn point_params_c(fe: &mut Fe, c: Call) {
    match one_row(fe) {
        true => fe.load_xfctx(POINT_PARAMS_BCD, 1, c.v),
        false => fe.load_named(c, "POINT_PARAMS_C"),
    }
}

pub(crate) fn point_params_d(fe: &mut Fe, c: Call) {
    match one_row(fe) {
        true => fe.load_xfctx_pair(POINT_PARAMS_BCD, 2, c.v, ONE),
        false => fe.load_named(c, "POINT_PARAMS_D"),
    }
}

/// XF_UNK4: input attributes for a program that is run without a vertex.
pub(crate) fn transform_data(fe: &mut Fe, c: Call) {
    fe.load_data(c.i << 2, c.v);
}

/// RUN_PROGRAM. The command's number and form are a guess; a hardware test of
/// LAUNCH_TRANSFORM_PROGRAM would settle them.
pub(crate) fn run_program(fe: &mut Fe, c: Call) {
    fe.xf(cmd::RUN, 0, 3, c.v, c.v);
}
