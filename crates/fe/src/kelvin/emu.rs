//! The Celsius classes 56h and 96h on a Kelvin: Celsius methods, Kelvin words.

use isotherm_regs::Chip::{Nv10, Nv20};
use isotherm_regs::bundle::*;
use isotherm_regs::method::{
    CELSIUS_LIGHT_MATERIAL_DATA, CELSIUS_LIGHT_MODEL_DATA, CELSIUS_RC_OUT_DATA,
    CELSIUS_TEX_FILTER_DATA, CELSIUS_TEX_FORMAT_DATA, CELSIUS_TL_MODE_DATA, CONTROL, VTX_TYPE,
    VTXBUF_FORMAT, celsius as m,
};
use isotherm_regs::pgraph::FE3D_MISC;
use isotherm_regs::xf::ctx::{self, LTCTX};
use isotherm_regs::xf::mode::{XFMODE_A, XFMODE_B};

use super::light;
use super::rows::{self, POINT_SMOOTH};
use super::state as gl;
use super::{rc, tex, vertex};
use crate::Fe;
use crate::celsius::state as celsius;
use crate::celsius::vertex::{OFFSET_BITS, vtxbuf_format_ok, vtxbuf_format_soft};
use crate::idx::CELSIUS_ATTR;
use crate::object;
use crate::table::Check::{Any, Declared, Mask, Rule};
use crate::table::Op::{Always, Do, Field, Index16, Index32, Load, Mode as ModeField, Nop, Word};
use crate::table::{Call, Guard, Mode, Move, Row, Soft, free, open, soft};
use crate::transform::{self, set_texgen_mode, texgen_mode};
use crate::traps::warning;
use crate::words::{Data, Edit};

/// TEX_FORMAT: Kelvin's shader operation, wrap and format words share the old one's fields.
fn tex_format(fe: &mut Fe, c: Call) {
    use CELSIUS_TEX_FORMAT_DATA as D;
    let data = Data::new(fe, c.v);
    let op = if data.is(D::CUBE_MAP) {
        TEX_SHADER_PROGRAM::TEXTURE_CUBE_MAP
    } else {
        TEX_SHADER_PROGRAM::TEXTURE_2D
    };
    let stage = [TEX_SHADER_OP::TX0, TEX_SHADER_OP::TX1][c.i as usize & 1];
    let shader = Edit::of(fe, TEX_SHADER_OP, 0);
    // Of the first stage NV20 replaces three bits.
    let bypass = if c.i == 0 && !fe.g.nv25p {
        TEX_SHADER_OP::TX0.get(fe.g.chip, shader.word) & 8
    } else {
        0
    };
    fe.put(TEX_SHADER_OP, 0, shader.set(stage, op | bypass).word);
    let wrap = Edit::of(fe, TEX_WRAP, c.i).moved(c.v, WRAP_MOVES);
    fe.put(TEX_WRAP, c.i, wrap.word);
    let largest = data.get(D::SIZE_S).max(data.get(D::SIZE_T));
    let format = Edit::of(fe, TEX_FORMAT, c.i)
        .moved(c.v, FORMAT_MOVES)
        .set(TEX_FORMAT::MIPS, data.get(D::MIPS).min(largest + 1));
    fe.put(TEX_FORMAT, c.i, format.word);
}

const WRAP_MOVES: &[Move] = &[
    (CELSIUS_TEX_FORMAT_DATA::WRAP_S, TEX_WRAP::WRAP_S),
    (CELSIUS_TEX_FORMAT_DATA::WRAP_S_CYL, TEX_WRAP::WRAP_S_CYL),
    (CELSIUS_TEX_FORMAT_DATA::WRAP_T, TEX_WRAP::WRAP_T),
    (CELSIUS_TEX_FORMAT_DATA::WRAP_T_CYL, TEX_WRAP::WRAP_T_CYL),
];

/// Of the objects and the origins the upper bit counts.
const FORMAT_MOVES: &[Move] = &[
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
];

fn tex_filter(fe: &mut Fe, c: Call) {
    use CELSIUS_TEX_FILTER_DATA as D;
    // The magnification has two bits.
    let moves: &[Move] = &[
        (D::LOD_BIAS, TEX_FILTER::LOD_BIAS),
        (D::MINIFY, TEX_FILTER::MINIFY),
    ];
    let word = Edit::of(fe, TEX_FILTER, c.i)
        .moved(c.v, moves)
        .set(TEX_FILTER::MAGNIFY, D::MAGNIFY.read(c.v) & 3);
    fe.put(TEX_FILTER, c.i, word.word);
}

/// RC_FACTOR: the first stage's and the final combiner's constant at once.
fn rc_factor(fe: &mut Fe, c: Call) {
    fe.put(if c.i == 0 { RC_FACTOR_A } else { RC_FACTOR_B }, 0, c.v);
    fe.put(RC_FINAL_FACTOR, c.i, c.v);
}

fn rc_out_alpha(fe: &mut Fe, c: Call) {
    fe.put(RC_OUT_ALPHA, c.i, c.v & RC_OUT_ALPHA::WORD.mask(Nv10, 0));
}

/// RC_OUT_COLOR: the second stage's word also has the number of stages.
fn rc_out_color(fe: &mut Fe, c: Call) {
    fe.put(RC_OUT_COLOR, c.i, c.v & RC_OUT_COLOR::WORD.mask(Nv10, 0));
    if c.i != 0 {
        let config = Edit::of(fe, RC_CONFIG, 0)
            .set(
                RC_CONFIG::NUM_COMBINERS,
                CELSIUS_RC_OUT_DATA::STAGES.read(c.v),
            )
            .set(
                RC_CONFIG::MUX_SELECT,
                CELSIUS_RC_OUT_DATA::MUX_SELECT.read(c.v),
            )
            .set(RC_CONFIG::FACTOR0, false)
            .set(RC_CONFIG::FACTOR1, false);
        fe.put(RC_CONFIG, 0, config.word);
    }
}

/// CONFIG without what came with Kelvin.
fn config(fe: &mut Fe, c: Call) {
    let a = Edit::of(fe, CONFIG_A, 0)
        .set(
            CONFIG_A::STENCIL_WRITE_ENABLE,
            CONTROL::STENCIL_WRITE_ENABLE.read(c.v),
        )
        .set(
            CONFIG_A::DEPTH_PERSPECTIVE_ENABLE,
            CONTROL::DEPTH_PERSPECTIVE_ENABLE.read(c.v),
        )
        .set(CONFIG_A::COLOR_SPACE_CONVERT, 0u32);
    let b = Edit::of(fe, CONFIG_B, 0)
        .set(
            CONFIG_B::PREMULTIPLIED_ALPHA,
            CONTROL::PREMULTIPLIED_ALPHA.read(c.v),
        )
        .set(
            CONFIG_B::TEXTURE_PERSPECTIVE_ENABLE,
            CONTROL::TEXTURE_PERSPECTIVE_ENABLE.read(c.v),
        )
        .set(CONFIG_B::CELSIUS_CONFIG_UNK8, CONTROL::UNK8.read(c.v));
    let raster = Edit::of(fe, RASTER, 0).set(RASTER::Z_FORMAT, CONTROL::Z_FORMAT.read(c.v));
    fe.put(CONFIG_A, 0, a.word);
    fe.put(CONFIG_B, 0, b.word);
    fe.put(RASTER, 0, raster.word);
}

/// Where the specular material comes from: FE3D_MISC keeps what two methods say of it.
fn specular_source(fe: &mut Fe) {
    let source = match (
        FE3D_MISC::EMU_MATERIAL_SPECULAR.is_on(fe.r.fe3d_misc),
        FE3D_MISC::EMU_VERTEX_SPECULAR.is_on(fe.r.fe3d_misc),
    ) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    };
    XFMODE_A::LIGHT_MATERIAL_SPECULAR_FRONT.write(&mut fe.r.xf_mode_a, source);
}

const LIGHT_MODEL: &[Move] = &[
    (
        CELSIUS_LIGHT_MODEL_DATA::LOCAL_VIEWER,
        XFMODE_A::LIGHT_MODEL_LOCAL_VIEWER,
    ),
    (
        CELSIUS_LIGHT_MODEL_DATA::NO_INVERT,
        XFMODE_A::LIGHT_MODEL_NO_INVERT,
    ),
    (
        CELSIUS_LIGHT_MODEL_DATA::SEPARATE_SPECULAR,
        XFMODE_A::LIGHT_MODEL_SEPARATE_SPECULAR,
    ),
];

fn light_model(fe: &mut Fe, c: Call) {
    let specular = CELSIUS_LIGHT_MODEL_DATA::VERTEX_SPECULAR.read(c.v);
    FE3D_MISC::EMU_VERTEX_SPECULAR.write(&mut fe.r.fe3d_misc, specular);
    specular_source(fe);
    fe.move_mode(Mode::A, LIGHT_MODEL, c.v);
}

/// The material factor and ambient light that Kelvin wants in place of Celsius's: a colour that
/// tracks the vertex is multiplied in elsewhere.
fn material(fe: &Fe) -> ([u32; 3], [u32; 3]) {
    use crate::idx::ONE;
    let (factor, ambient) = (
        fe.r.fe3d_emu_material_factor_rgb,
        fe.r.fe3d_emu_light_model_ambient,
    );
    if FE3D_MISC::EMU_MATERIAL_EMISSION.is_on(fe.r.fe3d_misc) {
        ([ONE; 3], ambient)
    } else if FE3D_MISC::EMU_MATERIAL_AMBIENT.is_on(fe.r.fe3d_misc) {
        (ambient, factor)
    } else {
        (factor, ambient)
    }
}

/// LTCTX rows of the material factor and the ambient light.
const FACTOR: u32 = ctx::index_of(LTCTX, "MATERIAL_FACTOR_RGB", Nv20) as u32;
const AMBIENT: u32 = ctx::index_of(LTCTX, "LIGHT_MODEL_AMBIENT_COLOR", Nv20) as u32;

fn send_material(fe: &mut Fe) {
    let (factor, ambient) = material(fe);
    fe.load_ltctx_row(FACTOR, factor);
    fe.load_ltctx_row(AMBIENT, ambient);
}

fn light_material(fe: &mut Fe, c: Call) {
    use CELSIUS_LIGHT_MATERIAL_DATA as D;
    let (emission, ambient) = (D::EMISSION.read(c.v), D::AMBIENT.read(c.v));
    let only_emission = emission & !ambient;
    FE3D_MISC::EMU_MATERIAL_SPECULAR.write(&mut fe.r.fe3d_misc, D::SPECULAR.read(c.v));
    FE3D_MISC::EMU_MATERIAL_EMISSION.write(&mut fe.r.fe3d_misc, only_emission);
    FE3D_MISC::EMU_MATERIAL_AMBIENT.write(&mut fe.r.fe3d_misc, ambient);
    specular_source(fe);
    XFMODE_A::LIGHT_MATERIAL_DIFFUSE_FRONT.write(&mut fe.r.xf_mode_a, D::DIFFUSE.read(c.v));
    XFMODE_A::LIGHT_MATERIAL_AMBIENT_FRONT.write(&mut fe.r.xf_mode_a, ambient);
    XFMODE_A::LIGHT_MATERIAL_EMISSION_FRONT.write(&mut fe.r.xf_mode_a, only_emission);
    let (factor, ambient) = material(fe);
    fe.load_ltctx_pair(FACTOR, factor[0], factor[1]);
    fe.send_mode();
    fe.load_ltctx(FACTOR, 2, factor[2]);
    fe.load_ltctx_row(AMBIENT, ambient);
}

/// MATERIAL_FACTOR_RGB is kept even if the method fails; `p` = 1: warn inside BEGIN/END.
fn material_factor(fe: &mut Fe, c: Call) {
    fe.r.fe3d_emu_material_factor_rgb[c.i as usize] = c.v;
    if c.p == 1 && fe.inside() {
        return fe.warn(warning::INSIDE);
    }
    if !fe.blocked() && c.i == 2 {
        let factor = fe.r.fe3d_emu_material_factor_rgb;
        fe.load_ltctx_row(FACTOR, factor);
        send_material(fe);
    }
}

fn ambient(fe: &mut Fe, c: Call) {
    fe.r.fe3d_emu_light_model_ambient[c.i as usize] = c.v;
    if !fe.blocked() && c.i == 2 {
        send_material(fe);
    }
}

fn fog_coord(fe: &mut Fe, c: Call) {
    let source = if c.v == 0 { 4 } else { c.v };
    XFMODE_B::FOG_COORD.write(&mut fe.r.xf_mode_b, source);
    fe.send_mode();
}

fn tl_mode(fe: &mut Fe, c: Call) {
    use CELSIUS_TL_MODE_DATA as D;
    let bypass = D::BYPASS.read(c.v);
    let mut word = Edit::of(fe, TEX_SHADER_OP, 0);
    if fe.g.nv25p {
        word = word.set(TEX_SHADER_OP::KELVIN_UNK29, bypass);
    } else {
        let kept = TEX_SHADER_OP::TX0.get(fe.g.chip, word.word) & 7;
        word = word.set(TEX_SHADER_OP::TX0, kept | bypass << 3);
    }
    let perspective = D::TEX_0_PERSPECTIVE.read(c.v) | D::TEX_1_PERSPECTIVE.read(c.v) << 1;
    word = word.set(TEX_SHADER_OP::KELVIN_UNK30, perspective);
    fe.put(TEX_SHADER_OP, 0, word.word);
    XFMODE_B::MODE.write(&mut fe.r.xf_mode_b, bypass);
    fe.send_mode();
}

/// 3F8h only sends the eye vector's last word again.
fn unk3f8(fe: &mut Fe, _: Call) {
    fe.resend(TEX_SHADER_CONST_EYE, 2, true);
}

fn vtxbuf_offset(fe: &mut Fe, c: Call) {
    fe.vertex_offset(CELSIUS_ATTR[c.i as usize], c.v);
}

fn emu_vtxbuf_format_ok(fe: &Fe, c: Call) -> bool {
    (c.i != 0 || c.v < 0x200_0000) && vtxbuf_format_ok(fe, c)
}

/// Celsius's formats in Kelvin's numbers; three components with a W of their own are number 7.
fn vtxbuf_format(fe: &mut Fe, c: Call) {
    let mut value = c.v;
    if VTXBUF_FORMAT::TYPE.read(c.v) == VTX_TYPE::V16_SNORM && c.i != 5 && c.i != 6 {
        VTXBUF_FORMAT::TYPE.write(&mut value, VTX_TYPE::V16_SSCALED);
    }
    VTXBUF_FORMAT::HOMOGENEOUS.write(&mut value, 0);
    if VTXBUF_FORMAT::HOMOGENEOUS.is_on(c.v) && VTXBUF_FORMAT::SIZE.read(c.v) == 3 {
        VTXBUF_FORMAT::SIZE.write(&mut value, 7);
    }
    fe.vertex_format(CELSIUS_ATTR[c.i as usize], value);
}

/// BEGIN and END. Unlike on Celsius chips no hardware model covers them.
fn begin(fe: &mut Fe, c: Call) {
    let mut err = 0;
    if c.v > 0xa {
        err |= warning::ENUM;
    }
    if fe.inside() && c.v & 0xf != 0 {
        err |= warning::INSIDE;
    }
    if err != 0 {
        return fe.warn(err);
    }
    if !fe.blocked() {
        super::draw::begin(fe, c);
    }
}

const LIST: &[Row] = &[
    free(m::DMA_VTX, Any, Always(object::dma_vtx))
        .dma()
        .p(0)
        .trap(6),
    free(m::TEX_OFFSET, Mask(!0x7f), Word(TEX_OFFSET)).trap(15),
    free(m::TEX_FORMAT, Rule(celsius::tex_format_ok), Do(tex_format)).trap(16),
    free(
        m::TEX_CONTROL_A,
        Rule(tex::control_a_ok),
        Do(tex::control_a),
    )
    .trap(17),
    free(
        m::TEX_CONTROL_B,
        Rule(tex::control_b_ok),
        Do(tex::control_b),
    )
    .trap(18),
    free(m::TEX_CONTROL_C, Any, Word(TEX_UNK238)).trap(19),
    free(m::TEX_RECT, Rule(tex::rect_ok), Word(TEX_RECT)).trap(20),
    free(m::TEX_FILTER, Rule(celsius::tex_filter_ok), Do(tex_filter)).trap(21),
    free(m::TEX_PALETTE, Rule(tex::palette_ok), Word(TEX_PALETTE)).trap(22),
    free(m::RC_IN_ALPHA, Rule(rc::in_ok), Word(RC_IN_ALPHA)).trap(23),
    free(m::RC_IN_COLOR, Rule(rc::in_ok), Word(RC_IN_COLOR)).trap(24),
    free(m::RC_FACTOR, Any, Do(rc_factor)).trap(25),
    free(
        m::RC_OUT_ALPHA,
        Rule(celsius::rc_out_alpha_ok),
        Do(rc_out_alpha),
    )
    .trap(26),
    free(
        m::RC_OUT_COLOR,
        Rule(celsius::rc_out_color_ok),
        Do(rc_out_color),
    )
    .trap(27),
    free(m::RC_FINAL_A, Rule(rc::final_a_ok), Word(RC_FINAL_A)).trap(28),
    free(m::RC_FINAL_B, Rule(rc::final_b_ok), Word(RC_FINAL_B)).trap(29),
    free(m::CONFIG, Rule(celsius::config_ok), Do(config)).trap(30),
    free(m::LIGHT_MODEL, Declared, Do(light_model)).trap(31),
    free(m::LIGHT_MATERIAL, Any, Do(light_material)).soft(Soft::Declared),
    soft(m::FOG_MODE, celsius::FOG_MODE, Do(gl::set_fog_mode)),
    soft(m::FOG_COORD, Soft::Range(0, 4), Do(fog_coord)),
    soft(m::TEX_COLOR_KEY, Soft::Any, Word(TEX_COLOR_KEY)).guard(Guard::TrapWarn),
    POINT_SMOOTH,
    soft(
        m::WEIGHT_ENABLE,
        Soft::Bool,
        ModeField(Mode::B, XFMODE_B::WEIGHT_MODE),
    ),
    soft(
        m::TEX_MATRIX_ENABLE,
        Soft::Bool,
        Do(transform::tex_matrix_enable),
    ),
    soft(m::TL_MODE, Soft::Declared, Do(tl_mode)),
    rows::point_size_row(m::POINT_SIZE),
    rows::swath_width_row(m::UNK3F0),
    rows::flatshade_first_row(m::FLATSHADE_FIRST),
    soft(
        m::UNK3F8,
        Soft::Rule(|_, c| if c.v > 3 { Err(warning::ENUM) } else { Ok(c.v) }),
        Do(unk3f8),
    ),
    soft(m::FOG_COEFF, Soft::Any, Do(gl::fog_coeff)),
    free(m::FOG_PLANE, Any, Load("FOG_PLANE")),
    free(m::LIGHT_MODEL_AMBIENT_COLOR, Any, Always(ambient)),
    soft(
        m::VIEWPORT_TRANSLATE,
        Soft::Any,
        Do(super::light::viewport_translate),
    ),
    free(m::VTX_EDGE_FLAG, Any, Always(vertex::edge_flag)),
    free(m::VTXBUF_OFFSET, Mask(OFFSET_BITS), Do(vtxbuf_offset)),
    soft(
        m::VTXBUF_FORMAT,
        Soft::Rule(vtxbuf_format_soft),
        Do(vtxbuf_format),
    )
    .check(Rule(emu_vtxbuf_format_ok))
    .guard(Guard::Free),
    open(m::DRAW_IDX16_DATA, Any, Index16),
    open(m::DRAW_IDX32_DATA, Any, Index32),
    open(m::DRAW_ARRAYS_DATA, Any, Do(super::draw::arrays)),
    open(m::DRAW_INLINE_DATA, Any, Do(super::draw::inline)),
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
    vertex::attr(m::VTX_TXC_4F, "TEX{}", vertex::fmt::FLOAT, 4),
    vertex::attr(m::VTX_TXC_4S, "TEX{}", vertex::fmt::SHORT, 4),
    vertex::drop_cache_row(m::UNKCF0),
    vertex::drop_cache_row(m::UNKCF4),
    vertex::nop_row(m::XF_NOP),
    vertex::sync_row(m::XF_SYNC),
    free(m::DRAW_IDX16_BEGIN, Any, Always(begin)),
    free(m::DRAW_IDX32_BEGIN, Any, Always(begin)),
    free(m::DRAW_ARRAYS_BEGIN, Any, Always(begin)),
    free(m::DRAW_INLINE_BEGIN, Any, Always(begin)),
];

/// All rows that 56h and 96h share.
pub(crate) const LISTS: &[&[Row]] = &[
    rows::SHARED,
    rows::GL,
    light::SHARED,
    transform::common!(m),
    vertex::named_attributes!(m),
    LIST,
];

/// 56h only.
pub(crate) const ONLY_56: &[Row] = &[
    free(m::MATERIAL_FACTOR_RGB, Any, Always(material_factor)).p(1),
    free(m::MATERIAL_FACTOR_RGB_FREE, Any, Always(material_factor)),
];

/// 96h only.
pub(crate) const ONLY_96: &[Row] = &[
    free(m::UNK114, Any, Nop),
    free(m::MATERIAL_FACTOR_RGB, Any, Always(material_factor)),
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
