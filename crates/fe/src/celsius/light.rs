//! Transform and lighting: mode bits, matrices, lights, materials.

use isotherm_regs::bundle::CONFIG_B;
use isotherm_regs::field::Field;
use isotherm_regs::method::{
    CELSIUS_LIGHT_MATERIAL_DATA, CELSIUS_LIGHT_MODEL_DATA, CELSIUS_TL_MODE_DATA, celsius as m,
};
use isotherm_regs::xf::mode::{CELSIUS_XFMODE_A, CELSIUS_XFMODE_B};

use crate::Fe;
use crate::table::Check::{Any, Declared, Rule};
use crate::table::Op::{Both, Do, Load, Mode as ModeField, SpreadMode};
use crate::table::{Call, Mode, Move, Row, Soft, free, soft};
use crate::transform::{self, LIGHT_MODES, light_enable_ok, texgen_mode};

/// LIGHT_MODEL's flags lie in both words.
const LIGHT_MODEL: &[Move] = &[
    (
        CELSIUS_LIGHT_MODEL_DATA::NO_INVERT,
        CELSIUS_XFMODE_B::LIGHT_MODEL_NO_INVERT,
    ),
    (
        CELSIUS_LIGHT_MODEL_DATA::VERTEX_SPECULAR,
        CELSIUS_XFMODE_B::LIGHT_MODEL_VERTEX_SPECULAR,
    ),
    (
        CELSIUS_LIGHT_MODEL_DATA::SEPARATE_SPECULAR,
        CELSIUS_XFMODE_B::LIGHT_MODEL_SEPARATE_SPECULAR,
    ),
];

fn light_model(fe: &mut Fe, c: Call) {
    let viewer = CELSIUS_LIGHT_MODEL_DATA::LOCAL_VIEWER.read(c.v);
    CELSIUS_XFMODE_A::LIGHT_MODEL_LOCAL_VIEWER.write(&mut fe.r.celsius_xf_misc_b, viewer);
    fe.move_mode(Mode::CelsiusLights, LIGHT_MODEL, c.v);
}

const LIGHT_MATERIAL: &[Move] = &[
    (
        CELSIUS_LIGHT_MATERIAL_DATA::EMISSION,
        CELSIUS_XFMODE_B::LIGHT_MATERIAL_EMISSION,
    ),
    (
        CELSIUS_LIGHT_MATERIAL_DATA::AMBIENT,
        CELSIUS_XFMODE_B::LIGHT_MATERIAL_AMBIENT,
    ),
    (
        CELSIUS_LIGHT_MATERIAL_DATA::DIFFUSE,
        CELSIUS_XFMODE_B::LIGHT_MATERIAL_DIFFUSE,
    ),
    (
        CELSIUS_LIGHT_MATERIAL_DATA::SPECULAR,
        CELSIUS_XFMODE_B::LIGHT_MATERIAL_SPECULAR,
    ),
];

const LIGHT_ENABLE: &[Move] = &[
    (LIGHT_MODES[0], CELSIUS_XFMODE_B::LIGHT_MODE_0),
    (LIGHT_MODES[1], CELSIUS_XFMODE_B::LIGHT_MODE_1),
    (LIGHT_MODES[2], CELSIUS_XFMODE_B::LIGHT_MODE_2),
    (LIGHT_MODES[3], CELSIUS_XFMODE_B::LIGHT_MODE_3),
    (LIGHT_MODES[4], CELSIUS_XFMODE_B::LIGHT_MODE_4),
    (LIGHT_MODES[5], CELSIUS_XFMODE_B::LIGHT_MODE_5),
    (LIGHT_MODES[6], CELSIUS_XFMODE_B::LIGHT_MODE_6),
    (LIGHT_MODES[7], CELSIUS_XFMODE_B::LIGHT_MODE_7),
];

/// The generated coordinates of the two units.
const TEX_GEN: [[Field; 4]; 2] = [
    [
        CELSIUS_XFMODE_A::TEX_0_GEN_S,
        CELSIUS_XFMODE_A::TEX_0_GEN_T,
        CELSIUS_XFMODE_A::TEX_0_GEN_R,
        CELSIUS_XFMODE_A::TEX_0_GEN_Q,
    ],
    [
        CELSIUS_XFMODE_A::TEX_1_GEN_S,
        CELSIUS_XFMODE_A::TEX_1_GEN_T,
        CELSIUS_XFMODE_A::TEX_1_GEN_R,
        CELSIUS_XFMODE_A::TEX_1_GEN_Q,
    ],
];
const TEX_MATRIX_ENABLE: [Field; 2] = [
    CELSIUS_XFMODE_A::TEX_0_MATRIX_ENABLE,
    CELSIUS_XFMODE_A::TEX_1_MATRIX_ENABLE,
];

fn set_texgen_mode(fe: &mut Fe, c: Call) {
    let field = TEX_GEN[c.i as usize & 1][c.p as usize & 3];
    fe.mode_field(Mode::CelsiusTextures, field, c.v);
}

fn tex_matrix_enable(fe: &mut Fe, c: Call) {
    fe.mode_field(
        Mode::CelsiusTextures,
        TEX_MATRIX_ENABLE[c.i as usize & 1],
        c.v,
    );
}

/// TL_MODE: bypass, and perspective textures for the two units.
const TL_MODE: &[Move] = &[
    (
        CELSIUS_TL_MODE_DATA::TEX_0_PERSPECTIVE,
        CELSIUS_XFMODE_A::TEX_0_PERSPECTIVE,
    ),
    (
        CELSIUS_TL_MODE_DATA::TEX_1_PERSPECTIVE,
        CELSIUS_XFMODE_A::TEX_1_PERSPECTIVE,
    ),
];

fn tl_mode(fe: &mut Fe, c: Call) {
    let bypass = CELSIUS_TL_MODE_DATA::BYPASS.read(c.v);
    CELSIUS_XFMODE_B::BYPASS.write(&mut fe.r.celsius_xf_misc_a, bypass);
    fe.move_mode(Mode::CelsiusTextures, TL_MODE, c.v);
}

/// MATERIAL_FACTOR_RGB of 56h warns inside BEGIN/END, that of the later classes does not.
pub(crate) const ONLY_56: &[Row] = &[soft(
    m::MATERIAL_FACTOR_RGB,
    Soft::Any,
    Load("MATERIAL_FACTOR_RGB"),
)];
pub(crate) const MATERIAL_FREE: Row =
    free(m::MATERIAL_FACTOR_RGB, Any, Load("MATERIAL_FACTOR_RGB"));

/// The matrices and lights.
pub(crate) const CONTEXT: &[Row] = transform::common!(m);

/// The rest.
pub(crate) const ROWS: &[Row] = &[
    free(m::LIGHT_MODEL, Declared, Do(light_model)).trap(31),
    free(
        m::LIGHT_MATERIAL,
        Any,
        SpreadMode(Mode::CelsiusLights, LIGHT_MATERIAL),
    )
    .soft(Soft::Declared),
    soft(
        m::FOG_COORD,
        Soft::Range(0, 4),
        ModeField(Mode::CelsiusLights, CELSIUS_XFMODE_B::FOG_COORD),
    ),
    soft(
        m::FOG_ENABLE,
        Soft::Bool,
        Both(
            CONFIG_B,
            CONFIG_B::FOG_ENABLE,
            Mode::CelsiusTextures,
            CELSIUS_XFMODE_A::FOG_ENABLE,
        ),
    ),
    soft(
        m::LIGHTING_ENABLE,
        Soft::Bool,
        ModeField(Mode::CelsiusTextures, CELSIUS_XFMODE_A::LIGHTING_ENABLE),
    ),
    soft(
        m::POINT_PARAMS_ENABLE,
        Soft::Bool,
        Both(
            CONFIG_B,
            CONFIG_B::POINT_PARAMS_ENABLE,
            Mode::CelsiusLights,
            CELSIUS_XFMODE_B::POINT_PARAMS_ENABLE,
        ),
    ),
    soft(
        m::WEIGHT_ENABLE,
        Soft::Bool,
        ModeField(Mode::CelsiusLights, CELSIUS_XFMODE_B::WEIGHT_ENABLE),
    ),
    soft(
        m::NORMALIZE_ENABLE,
        Soft::Bool,
        ModeField(Mode::CelsiusTextures, CELSIUS_XFMODE_A::NORMALIZE_ENABLE),
    ),
    soft(
        m::LIGHT_ENABLE,
        Soft::Any,
        SpreadMode(Mode::CelsiusLights, LIGHT_ENABLE),
    )
    .check(Rule(light_enable_ok)),
    soft(m::TEX_MATRIX_ENABLE, Soft::Bool, Do(tex_matrix_enable)),
    soft(m::TL_MODE, Soft::Declared, Do(tl_mode)),
    soft(
        m::TEX_GEN_MODE_S,
        Soft::Rule(texgen_mode),
        Do(set_texgen_mode),
    )
    .p(0),
    soft(
        m::TEX_GEN_MODE_T,
        Soft::Rule(texgen_mode),
        Do(set_texgen_mode),
    )
    .p(1),
    soft(
        m::TEX_GEN_MODE_R,
        Soft::Rule(texgen_mode),
        Do(set_texgen_mode),
    )
    .p(2),
    soft(
        m::TEX_GEN_MODE_Q,
        Soft::Rule(texgen_mode),
        Do(set_texgen_mode),
    )
    .p(3),
    soft(m::FOG_COEFF, Soft::Any, Load("FOG_COEFF")),
    free(m::FOG_PLANE, Any, Load("FOG_PLANE")),
    free(
        m::LIGHT_MODEL_AMBIENT_COLOR,
        Any,
        Load("LIGHT_MODEL_AMBIENT_COLOR"),
    ),
    soft(m::VIEWPORT_TRANSLATE, Soft::Any, Load("VIEWPORT_TRANSLATE")),
];
