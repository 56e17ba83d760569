//! The Celsius classes 56h and 96h on a Kelvin: Celsius methods, Kelvin words.

use isotherm_regs::bundle::*;

use super::light::{self, xfctx};
use super::rows::{self, POINT_SMOOTH};
use super::state as gl;
use super::{rc, tex, vertex};
use crate::Fe;
use crate::bits::{bit, ext, ins};
use crate::celsius::state as celsius;
use crate::celsius::vertex::{vtxbuf_format_ok, vtxbuf_format_soft};
use crate::idx::CELSIUS_ATTR;
use crate::object;
use crate::table::Check::{Any, Mask, Rule};
use crate::table::Op::{Always, Do, Ltc, Ltctx, Mode as ModeField, Word, Xfctx};
use crate::table::{Call, Guard, Mode, Row, Soft, field_at, free, open, soft};
use crate::traps::warning;
use isotherm_regs::Chip::Nv20;

/// TEX_FORMAT: Kelvin's shader operation, wrap and format words share the old one's fields.
fn tex_format(fe: &mut Fe, c: Call) {
    let v = c.v;
    let op = if bit(v, 2) { 3 } else { 1 };
    let mut shader = fe.word(TEX_SHADER_OP, 0);
    let len = if c.i == 0 && !fe.g.nv25p { 3 } else { 5 };
    ins(&mut shader, c.i * 5, len, op);
    fe.put(TEX_SHADER_OP, 0, shader);
    let mut wrap = fe.word(TEX_WRAP, c.i as usize);
    for (from, to, len) in [(24, 0, 3), (27, 4, 1), (28, 8, 3), (31, 12, 1)] {
        ins(&mut wrap, to, len, ext(v, from, len));
    }
    fe.put(TEX_WRAP, c.i, wrap);
    let (su, sv) = (ext(v, 16, 4), ext(v, 20, 4));
    let mut format = fe.word(TEX_FORMAT, c.i as usize);
    for (from, to, len) in [(1, 1, 2), (4, 4, 1), (6, 5, 1), (7, 8, 5), (16, 20, 8)] {
        ins(&mut format, to, len, ext(v, from, len));
    }
    ins(&mut format, 13, 2, 0);
    ins(&mut format, 16, 4, ext(v, 12, 4).min(su.max(sv) + 1));
    fe.put(TEX_FORMAT, c.i, format);
}

fn tex_filter_ok(_: &Fe, c: Call) -> bool {
    ext(c.v, 13, 11) == 0
        && (1..=6).contains(&ext(c.v, 24, 4))
        && (1..=2).contains(&ext(c.v, 28, 4))
}

fn tex_filter(fe: &mut Fe, c: Call) {
    let mut word = fe.word(TEX_FILTER, c.i as usize);
    ins(&mut word, 0, 13, c.v);
    ins(&mut word, 16, 6, ext(c.v, 24, 4));
    ins(&mut word, 24, 4, ext(c.v, 28, 2));
    fe.put(TEX_FILTER, c.i, word);
}

/// RC_FACTOR: the first stage's and the final combiner's constant at once.
fn rc_factor(fe: &mut Fe, c: Call) {
    fe.put(if c.i == 0 { RC_FACTOR_A } else { RC_FACTOR_B }, 0, c.v);
    fe.put(RC_FINAL_FACTOR, c.i, c.v);
}

/// RC_OUT_COLOR: the second stage's word also has the number of stages.
fn rc_out_color(fe: &mut Fe, c: Call) {
    fe.put(RC_OUT_COLOR, c.i, c.v & 0x3_ffff);
    if c.i != 0 {
        let mut config = fe.word(RC_CONFIG, 0);
        ins(&mut config, 0, 4, ext(c.v, 28, 4));
        ins(&mut config, 8, 1, ext(c.v, 27, 1));
        ins(&mut config, 12, 1, 0);
        ins(&mut config, 16, 1, 0);
        fe.put(RC_CONFIG, 0, config);
    }
}

fn config(fe: &mut Fe, c: Call) {
    let (mut a, mut b, mut raster) = (
        fe.word(CONFIG_A, 0),
        fe.word(CONFIG_B, 0),
        fe.word(RASTER, 0),
    );
    ins(&mut a, 25, 1, ext(c.v, 0, 1));
    ins(&mut a, 23, 1, ext(c.v, 16, 1));
    ins(&mut a, 30, 2, 0);
    ins(&mut b, 2, 1, ext(c.v, 24, 1));
    ins(&mut b, 6, 1, ext(c.v, 20, 1));
    ins(&mut b, 10, 4, ext(c.v, 8, 4));
    ins(&mut raster, 29, 1, ext(c.v, 12, 1));
    fe.put(CONFIG_A, 0, a);
    fe.put(CONFIG_B, 0, b);
    fe.put(RASTER, 0, raster);
}

/// Where the specular material comes from: FE3D_MISC keeps what two methods say of it.
fn specular_source(fe: &mut Fe) {
    let source = match (bit(fe.r.fe3d_misc, 3), bit(fe.r.fe3d_misc, 2)) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    };
    ins(&mut fe.r.xf_mode_a, 19, 2, source);
}

fn light_model(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.fe3d_misc, 2, 1, ext(c.v, 0, 1));
    ins(&mut fe.r.xf_mode_a, 30, 1, ext(c.v, 16, 1));
    ins(&mut fe.r.xf_mode_a, 28, 1, ext(c.v, 2, 1));
    ins(&mut fe.r.xf_mode_a, 18, 1, ext(c.v, 1, 1));
    specular_source(fe);
    fe.send_mode();
}

/// The material factor and ambient light that Kelvin wants in place of Celsius's: a colour that
/// tracks the vertex is multiplied in elsewhere.
fn material(fe: &Fe) -> ([u32; 3], [u32; 3]) {
    use crate::idx::ONE;
    let (factor, ambient) = (
        fe.r.fe3d_emu_material_factor_rgb,
        fe.r.fe3d_emu_light_model_ambient,
    );
    if bit(fe.r.fe3d_misc, 21) {
        ([ONE; 3], ambient)
    } else if bit(fe.r.fe3d_misc, 22) {
        (ambient, factor)
    } else {
        (factor, ambient)
    }
}

/// LTCTX rows of the material factor and the ambient light.
const FACTOR: u32 = 0x43;
const AMBIENT: u32 = 0x41;

fn send_material(fe: &mut Fe) {
    let (factor, ambient) = material(fe);
    fe.load_ltctx_row(FACTOR, factor);
    fe.load_ltctx_row(AMBIENT, ambient);
}

fn light_material(fe: &mut Fe, c: Call) {
    let (emission, ambient) = (ext(c.v, 0, 1), ext(c.v, 1, 1));
    let only_emission = emission & !ambient;
    ins(&mut fe.r.fe3d_misc, 3, 1, ext(c.v, 3, 1));
    ins(&mut fe.r.fe3d_misc, 21, 1, only_emission);
    ins(&mut fe.r.fe3d_misc, 22, 1, ambient);
    specular_source(fe);
    ins(&mut fe.r.xf_mode_a, 21, 2, ext(c.v, 2, 1));
    ins(&mut fe.r.xf_mode_a, 23, 2, ambient);
    ins(&mut fe.r.xf_mode_a, 25, 2, only_emission);
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
    ins(&mut fe.r.xf_mode_b, 22, 3, source);
    fe.send_mode();
}

fn tl_mode(fe: &mut Fe, c: Call) {
    let mut word = fe.word(TEX_SHADER_OP, 0);
    ins(
        &mut word,
        if fe.g.nv25p { 29 } else { 3 },
        1,
        ext(c.v, 0, 1),
    );
    ins(&mut word, 30, 1, ext(c.v, 1, 1));
    ins(&mut word, 31, 1, ext(c.v, 2, 1));
    fe.put(TEX_SHADER_OP, 0, word);
    ins(&mut fe.r.xf_mode_b, 30, 2, ext(c.v, 0, 1));
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
    (c.i != 0 || ext(c.v, 25, 7) == 0) && vtxbuf_format_ok(fe, c)
}

/// Celsius's formats in Kelvin's numbers; three components with a W of their own are number 7.
fn vtxbuf_format(fe: &mut Fe, c: Call) {
    let mut value = c.v;
    if ext(c.v, 0, 4) == 1 && c.i != 5 && c.i != 6 {
        ins(&mut value, 0, 3, 5);
    }
    ins(&mut value, 24, 1, 0);
    if bit(c.v, 24) && ext(c.v, 4, 4) == 3 {
        ins(&mut value, 4, 3, 7);
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
    free(0x18c, "dma_vtx", Any, Always(object::dma_vtx))
        .dma()
        .p(0)
        .trap(6),
    free(0x218, "tex_offset", Mask(!0x7f), Word(TEX_OFFSET, !0))
        .n(2)
        .trap(15),
    free(
        0x220,
        "tex_format",
        Rule(celsius::tex_format_ok),
        Do(tex_format),
    )
    .n(2)
    .trap(16),
    free(
        0x228,
        "tex_control_a",
        Rule(tex::control_a_ok),
        Do(tex::control_a),
    )
    .n(2)
    .trap(17),
    free(
        0x230,
        "tex_control_b",
        Rule(tex::control_b_ok),
        Do(tex::control_b),
    )
    .n(2)
    .trap(18),
    free(0x238, "tex_control_c", Any, Word(TEX_UNK238, !0))
        .n(2)
        .trap(19),
    free(
        0x240,
        "tex_rect",
        Rule(tex::rect_ok),
        Word(TEX_RECT, 0x1fff_1fff),
    )
    .n(2)
    .trap(20),
    free(0x248, "tex_filter", Rule(tex_filter_ok), Do(tex_filter))
        .n(2)
        .trap(21),
    free(
        0x250,
        "tex_palette",
        Rule(tex::palette_ok),
        Word(TEX_PALETTE, !0x32),
    )
    .n(2)
    .trap(22),
    free(0x260, "rc_in_alpha", Rule(rc::in_ok), Word(RC_IN_ALPHA, !0))
        .n(2)
        .trap(23),
    free(0x268, "rc_in_color", Rule(rc::in_ok), Word(RC_IN_COLOR, !0))
        .n(2)
        .trap(24),
    free(0x270, "rc_factor", Any, Do(rc_factor)).n(2).trap(25),
    free(
        0x278,
        "rc_out_alpha",
        Rule(celsius::rc_out_alpha_ok),
        Word(RC_OUT_ALPHA, 0x3_cfff),
    )
    .n(2)
    .trap(26),
    free(
        0x280,
        "rc_out_color",
        Rule(celsius::rc_out_color_ok),
        Do(rc_out_color),
    )
    .n(2)
    .trap(27),
    free(
        0x288,
        "rc_final_a",
        Rule(rc::final_a_ok),
        Word(RC_FINAL_A, 0x3f3f_3f3f),
    )
    .trap(28),
    free(
        0x28c,
        "rc_final_b",
        Rule(rc::final_b_ok),
        Word(RC_FINAL_B, 0x3f3f_3fe0),
    )
    .trap(29),
    free(0x290, "config", Rule(celsius::config_ok), Do(config)).trap(30),
    free(0x294, "light_model", Mask(0x1_0007), Do(light_model)).trap(31),
    free(0x298, "light_material", Any, Do(light_material)).soft(Soft::Mask(0xf)),
    soft(0x29c, "fog_mode", celsius::FOG_MODE, Do(gl::set_fog_mode)),
    soft(0x2a0, "fog_coord", Soft::Range(0, 4), Do(fog_coord)),
    tex::color_key_row(0x2ac),
    POINT_SMOOTH,
    soft(
        0x328,
        "weight_enable",
        Soft::Bool,
        ModeField((Mode::B, 26, 3)),
    ),
    soft(
        0x3e0,
        "tex_matrix_enable",
        Soft::Bool,
        Do(light::tex_matrix_enable),
    )
    .n(2),
    soft(0x3e8, "tl_mode", Soft::Mask(7), Do(tl_mode)),
    rows::point_size_row(0x3ec),
    rows::unk3f0_row(0x3f0),
    rows::flatshade_first_row(0x3f4),
    soft(
        0x3f8,
        "old_unk3f8",
        Soft::Rule(|_, c| if c.v > 3 { Err(warning::ENUM) } else { Ok(c.v) }),
        Do(unk3f8),
    ),
    soft(0x680, "fog_coeff", Soft::Any, Do(gl::fog_coeff)).n(3),
    free(0x68c, "fog_plane", Any, Xfctx(xfctx::FOG_PLANE)).n(4),
    free(0x6c4, "light_model_ambient_color", Any, Always(ambient)).n(3),
    soft(
        0x6e8,
        "viewport_translate",
        Soft::Any,
        Do(light::viewport_translate),
    )
    .n(4),
    soft(0x6f8, "point_params_a", Soft::Any, Ltctx(0x47)).n(3),
    soft(0x704, "point_params_b", Soft::Any, Ltctx(0x48)).n(3),
    soft(0x710, "point_params_c", Soft::Any, Ltc(1, 3)),
    soft(0x714, "point_params_d", Soft::Any, Ltc(3, 1)),
    free(0xcec, "vtx_edge_flag", Any, Always(vertex::edge_flag)),
    free(0xd00, "vtxbuf_offset", Mask(0x0fff_fffc), Do(vtxbuf_offset)).every(8, 8),
    soft(
        0xd04,
        "vtxbuf_format",
        Soft::Rule(vtxbuf_format_soft),
        Do(vtxbuf_format),
    )
    .check(Rule(emu_vtxbuf_format_ok))
    .guard(Guard::Free)
    .every(8, 8),
    open(0xe00, "draw_idx16.data", Any, Do(super::draw::idx16)).n(0x80),
    open(0x1100, "draw_idx32.data", Any, Do(super::draw::idx32)).n(0x40),
    open(0x1400, "draw_arrays.data", Any, Do(super::draw::arrays)).n(0x80),
    open(0x1800, "draw_inline.data", Any, Do(super::draw::inline)).n(0x200),
];

/// All rows that 56h and 96h share.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = [rows::SHARED, rows::GL, light::SHARED, LIST].concat();
    for coord in 0..4u16 {
        let at = 0x3c0 + 4 * coord;
        let row = soft(
            at,
            "tex_gen_mode",
            Soft::Rule(light::texgen_mode),
            Do(light::set_texgen_mode),
        );
        rows.push(row.every(2, 0x10).p(coord.into()));
    }
    let unit = 8;
    light::matrices(
        &mut rows,
        &[
            (0x400, "matrix_mv0", xfctx::MV, 16),
            (0x440, "matrix_mv1", xfctx::MV + unit, 16),
            (0x480, "matrix_imv0", xfctx::IMV, 16),
            (0x4c0, "matrix_imv1", xfctx::IMV + unit, 16),
            (0x500, "matrix_proj", xfctx::PROJ, 16),
            (0x540, "matrix_tx0", xfctx::TEXTURE, 16),
            (0x580, "matrix_tx1", xfctx::TEXTURE + unit, 16),
            (0x600, "tex_gen_0_planes", xfctx::TEXGEN, 16),
            (0x640, "tex_gen_1_planes", xfctx::TEXGEN + unit, 16),
            (0x718, "light_eye_position", xfctx::EYE, 4),
        ],
    );
    light::shininess(&mut rows, 0, 0x6a0);
    for i in 0..8u16 {
        light::light(&mut rows, i.into(), 0x800 + i * 0x80);
    }
    rows.extend(vertex::named(0xc00));
    rows.push(vertex::attr(0xce0, "vtx_fog_1f", vertex::fmt::FLOAT, 5, 1));
    rows.push(vertex::attr(0xce4, "vtx_wei_1f", vertex::fmt::FLOAT, 1, 1));
    rows.extend(vertex::markers(0xcf0));
    for at in [0xdfc, 0x10fc, 0x13fc, 0x17fc] {
        rows.push(free(at, "begin", Any, Always(begin)));
    }
    rows
}

/// 56h only.
pub(crate) const ONLY_56: &[Row] = &[
    free(0x3a8, "material_factor_rgb", Any, Always(material_factor))
        .n(3)
        .p(1),
    free(
        0x1628,
        "material_factor_rgb_free",
        Any,
        Always(material_factor),
    )
    .n(3),
];

/// 96h only.
pub(crate) const ONLY_96: &[Row] = &[
    free(0x114, "unk114", Any, Do(|_, _| {})),
    free(0x3a8, "material_factor_rgb", Any, Always(material_factor)).n(3),
    soft(
        0xd40,
        "color_logic_op_enable",
        Soft::Bool,
        crate::table::Op::Field(field_at(BLEND, BLEND::COLOR_LOGIC_OP_ENABLE, Nv20)),
    ),
    soft(
        0xd44,
        "color_logic_op_op",
        gl::LOGIC_OP,
        crate::table::Op::Field(field_at(BLEND, BLEND::COLOR_LOGIC_OP_OP, Nv20)),
    ),
];
