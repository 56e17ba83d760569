//! Transform and lighting.

use isotherm_regs::bundle::*;

use crate::Fe;
use crate::bits::{ext, ins};
use crate::kelvin::light;
use crate::table::Check::{Any, Below, Mask, Rule};
use crate::table::Op::{Always, Do, Ltc, Ltctx, Mode as ModeField, Nop, Spread, Word, Xfctx};
use crate::table::{
    Call, Mode, Move, Row, Soft, bits_to, bits_to_part, field_at, free, hard, open, soft,
};
use crate::xfload::cmd;
use isotherm_bus::trap::nsource;
use isotherm_regs::Chip::Nv40;

/// Rows of Rankine's XFCTX; Kelvin's rows sit 3Ch higher.
const KELVIN: u32 = 0x3c;

/// Where uploads go: position of the program and of the constants.
impl Fe {
    fn load_pos(&self) -> (u32, u32) {
        if self.g.curie() {
            let word = self.word(XF_LOAD_POS, 0);
            (ext(word, 2, 10), ext(word, 18, 10))
        } else {
            let word = self.r.fe3d_xf_load_pos;
            (ext(word, 0, 9), ext(word, 16, 9))
        }
    }

    fn set_program_pos(&mut self, row: u32) {
        if self.g.curie() {
            let mut word = self.word(XF_LOAD_POS, 0);
            ins(&mut word, 2, 10, row);
            self.keep(XF_LOAD_POS, 0, word);
        } else {
            ins(&mut self.r.fe3d_xf_load_pos, 0, 9, row);
        }
    }

    fn set_param_pos(&mut self, row: u32) {
        if self.g.curie() {
            let mut word = self.word(XF_LOAD_POS, 0);
            ins(&mut word, 18, 10, row);
            self.keep(XF_LOAD_POS, 0, word);
        } else {
            ins(&mut self.r.fe3d_xf_load_pos, 16, 9, row);
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
        fe.field(const { field_at(XF_C, XF_C::PROGRAM_START_POS, Nv40) }, c.v);
    } else {
        // Eight bits only; a start above 255 does not fit.
        ins(&mut fe.r.xf_mode_a, 8, 8, c.v);
        fe.send_mode();
    }
}

/// TL_MODE.
fn tl_mode(fe: &mut Fe, c: Call) {
    if fe.g.curie() {
        let (mut a, mut mode) = (fe.word(XF_A, 0), fe.word(XF_C, 0));
        ins(&mut a, 28, 1, ext(c.v, 8, 1));
        ins(&mut mode, 30, 2, ext(c.v, 0, 2));
        ins(&mut mode, 27, 1, ext(c.v, 4, 1));
        fe.put(XF_A, 0, a);
        fe.put(XF_C, 0, mode);
    } else {
        for (from, to, len) in [(2, 18, 1), (0, 30, 2), (8, 16, 1), (4, 17, 1)] {
            ins(&mut fe.r.xf_mode_b, to, len, ext(c.v, from, len));
        }
        fe.send_mode();
    }
}

/// VIEWPORT_TRANSLATE and _SCALE go to LT and to XF: LTCTX row, then XFCTX row.
fn viewport(fe: &mut Fe, c: Call) {
    fe.load_ltctx(c.p >> 16, c.i, c.v);
    fe.load_xfctx(c.p & 0xffff, c.i, c.v);
}

/// Three words of a row whose fourth is 1.
fn three(fe: &mut Fe, c: Call) {
    if c.i < 2 {
        fe.load_xfctx(c.p, c.i, c.v);
    } else {
        fe.load_xfctx_pair(c.p, 2, c.v, crate::idx::ONE);
    }
}

fn light_position(fe: &mut Fe, c: Call) {
    if c.i < 2 {
        fe.load_xfctx(c.p, c.i, c.v);
    } else {
        fe.load_xfctx_pair(c.p, 2, c.v, c.v);
    }
}

fn texgen_row(unit: u32) -> u32 {
    if unit < 4 {
        0x7c + unit * 8
    } else {
        (unit - 4) * 8
    }
}

fn point_params_b(fe: &mut Fe, c: Call) {
    if c.i == 0 {
        fe.load_xfctx(0x27, 0, c.v);
    }
}

fn fog_coord(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.xf_mode_b, 22, 2, c.v);
    fe.send_mode();
}

fn light_model(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.xf_mode_a, 30, 1, ext(c.v, 16, 1));
    ins(&mut fe.r.xf_mode_a, 17, 1, ext(c.v, 17, 1));
    ins(&mut fe.r.xf_mode_a, 18, 1, ext(c.v, 0, 1));
    fe.send_mode();
}

/// 1F80h: XF's branch and time-out words.
fn unk1f80(fe: &mut Fe, c: Call) {
    if fe.g.rankine() {
        let be = if c.i & 1 != 0 { 2 } else { 1 };
        fe.xf(8, c.i << 2, be, c.v, c.v);
    }
}

/// XF's time-out, and a bit of which nothing is known.
const XF_TIMEOUT: &[Move] = &[
    bits_to(0, XF_D::TIMEOUT, Nv40),
    bits_to(20, XF_D::UNK16, Nv40),
];
/// Attributes that a program reads: the usual sixteen, and sixteen more.
const ATTRS_LOW: &[Move] = &[bits_to_part(0, XF_ATTR_IN_MASK::ATTRS, (0, 16), Nv40)];
const ATTRS_HIGH: &[Move] = &[bits_to_part(0, XF_ATTR_IN_MASK::ATTRS, (16, 16), Nv40)];
/// Where three clip distances each come from.
const OUT_MAP_CLIP_A: &[Move] = &[
    bits_to_part(0, XF_OUT_MAP_MISC_A::MAP, (0, 6), Nv40),
    bits_to_part(8, XF_OUT_MAP_MISC_A::MAP, (6, 6), Nv40),
    bits_to_part(16, XF_OUT_MAP_MISC_A::MAP, (12, 6), Nv40),
];
const OUT_MAP_CLIP_B: &[Move] = &[
    bits_to_part(0, XF_OUT_MAP_MISC_B::MAP, (0, 6), Nv40),
    bits_to_part(8, XF_OUT_MAP_MISC_B::MAP, (6, 6), Nv40),
    bits_to_part(16, XF_OUT_MAP_MISC_B::MAP, (12, 6), Nv40),
];

/// Uploads and mode, the same methods in both generations.
fn shared() -> Vec<Row> {
    vec![
        soft(0xa20, "viewport_translate", Soft::Any, Do(viewport))
            .n(4)
            .p(0x36 << 16 | 0x77),
        soft(0xa30, "viewport_scale", Soft::Any, Do(viewport))
            .n(4)
            .p(0x37 << 16 | 0x76),
        hard(0xb80, "tl_program_load", Any, Always(program_load)).n(32),
        hard(0x1e94, "tl_mode", Mask(0x117), Do(tl_mode)),
        open(
            0x1e9c,
            "tl_program_load_pos",
            Rule(|fe, c| c.v < limits(fe).0),
            Do(program_load_pos),
        ),
        open(
            0x1ea0,
            "tl_program_start_pos",
            Rule(|fe, c| c.v < limits(fe).0),
            Do(program_start_pos),
        ),
        open(
            0x1efc,
            "tl_param_load_pos",
            Rule(|fe, c| c.v < limits(fe).1),
            Do(param_load_pos),
        ),
        hard(0x1f00, "tl_param_load", Any, Always(param_load)).n(32),
    ]
}

/// Rankine's rows: the whole fixed function.
pub(crate) fn rankine() -> Vec<Row> {
    let mut rows = shared();
    rows.extend([
        soft(
            0x37c,
            "normalize_enable",
            Soft::Bool,
            ModeField((Mode::A, 27, 1)),
        ),
        open(
            0x390,
            "light_material",
            Mask(0xffff),
            Do(light::light_material),
        ),
        open(0x3a0, "material_factor_rgb", Any, Ltctx(0x32)).n(3),
        open(0x3b4, "material_factor_a", Any, Ltc(3, 0xd)),
        soft(
            0x240,
            "tex_matrix_enable",
            Soft::Bool,
            Do(light::tex_matrix_enable),
        )
        .n(8),
        hard(0x8c8, "fog_coord", Below(4), Do(fog_coord)),
        hard(0x8e8, "weight_mode", Below(7), ModeField((Mode::B, 26, 3))),
        open(0xa10, "light_model_ambient_color", Any, Ltctx(0x30)).n(3),
        soft(0xa50, "light_eye_position", Soft::Any, Xfctx(0x74)).n(4),
        hard(
            0x1420,
            "light_enable",
            Mask(0xffff),
            ModeField((Mode::B, 0, 16)),
        ),
        hard(0x1424, "light_model", Any, Do(light_model)),
        hard(0x143c, "tl_unk9cc", Below(2), ModeField((Mode::B, 20, 1))),
        hard(0x1440, "fog_plane", Any, Xfctx(0x75)).n(4),
        soft(
            0x1458,
            "lighting_enable",
            Soft::Bool,
            ModeField((Mode::A, 31, 1)),
        ),
        open(0x1600, "user_clip_plane", Any, Xfctx(0x20)).n(24),
        hard(0x16d0, "xf_unk16e0", Any, Xfctx(0x78)).n(16),
        open(0x17a0, "light_model_back_ambient_color", Any, Ltctx(0x31)).n(3),
        open(0x17b0, "material_factor_back_rgb", Any, Ltctx(0x33)).n(3),
        open(0x17c0, "material_factor_back_a", Any, Ltc(3, 0xe)),
        hard(0x17d0, "lt_unk17d4", Any, Ltctx(0x34)).n(3),
        hard(0x17e0, "lt_unk17e0", Any, Do(three)).n(3).p(0x38),
        hard(
            0x1e80,
            "xf_unk4",
            Any,
            Do(|fe, c| fe.load_data(c.i << 2, c.v)),
        )
        .n(4),
        hard(
            0x1e90,
            "xf_run_program",
            Any,
            Do(|fe, c| fe.xf(cmd::RUN, 0, 3, c.v, c.v)),
        ),
        hard(0x1e98, "unk1e98", Below(2), ModeField((Mode::B, 29, 1))),
        soft(0x1ec0, "point_params_a", Soft::Any, Do(three))
            .n(3)
            .p(0x26),
        soft(0x1ecc, "point_params_b", Soft::Any, Do(point_params_b)).n(3),
        soft(
            0x1ed8,
            "point_params_c",
            Soft::Any,
            Do(|fe, c| fe.load_xfctx(0x27, 1, c.v)),
        ),
        soft(
            0x1edc,
            "point_params_d",
            Soft::Any,
            Do(|fe, c| fe.load_xfctx_pair(0x27, 2, c.v, crate::idx::ONE)),
        ),
        hard(0x1f80, "xf_unk1f80", Any, Do(unk1f80)).n(16),
    ]);
    for coord in 0..4u16 {
        let row = soft(
            0x400 + 4 * coord,
            "tex_gen_mode",
            Soft::Rule(light::texgen_mode),
            Do(light::set_texgen_mode),
        );
        rows.push(row.every(8, 0x10).p(coord.into()));
    }
    light::matrices(
        &mut rows,
        &[
            (0x480, "matrix_mv0", KELVIN + 0x08, 16),
            (0x4c0, "matrix_mv1", KELVIN + 0x10, 16),
            (0x500, "matrix_mv2", KELVIN + 0x18, 16),
            (0x540, "matrix_mv3", KELVIN + 0x20, 16),
            (0x580, "matrix_imv0", KELVIN + 0x0c, 16),
            (0x5c0, "matrix_imv1", KELVIN + 0x14, 16),
            (0x600, "matrix_imv2", KELVIN + 0x1c, 16),
            (0x640, "matrix_imv3", KELVIN + 0x24, 16),
            (0x680, "matrix_proj", KELVIN, 16),
        ],
    );
    for unit in 0..8u16 {
        let row = texgen_row(unit.into());
        light::matrices(
            &mut rows,
            &[
                (0x6c0 + unit * 0x40, "matrix_tx", row + 4, 16),
                (0xe00 + unit * 0x40, "tex_gen_planes", row, 16),
            ],
        );
    }
    for i in 0..8u16 {
        lights(&mut rows, i);
    }
    shininess(&mut rows, 0, 0x1400);
    shininess(&mut rows, 1, 0x1e20);
    rows
}

/// One light: front colours, range, vector and direction; then cutoff, place and attenuation;
/// back colours.
fn lights(rows: &mut Vec<Row>, i: u16) {
    let n = u32::from(i);
    let (front, shape, back) = (0x1000 + i * 0x40, 0x1200 + i * 0x40, 0xc00 + i * 0x40);
    for k in 0..3u16 {
        let row = n * 6 + u32::from(k);
        rows.push(open(front + k * 12, "light_color", Any, Ltctx(row)).n(3));
        rows.push(open(back + k * 12, "light_back_color", Any, Ltctx(row + 3)).n(3));
    }
    rows.extend([
        soft(front + 0x24, "light_local_range", Soft::Any, Ltc(1, 5 + n)),
        soft(front + 0x28, "light_half_vector", Soft::Any, Do(three))
            .n(3)
            .p(0x30 + n),
        soft(front + 0x34, "light_direction", Soft::Any, Do(three))
            .n(3)
            .p(0x28 + n),
        soft(shape, "light_spot_cutoff_a", Soft::Any, Ltc(1, 0xd + n)),
        soft(
            shape + 0x04,
            "light_spot_cutoff_b",
            Soft::Any,
            Ltc(2, 5 + n),
        ),
        soft(
            shape + 0x08,
            "light_spot_cutoff_c",
            Soft::Any,
            Ltc(3, 5 + n),
        ),
        soft(
            shape + 0x0c,
            "light_spot_direction",
            Soft::Any,
            Xfctx(0x6c + n),
        )
        .n(4),
        soft(
            shape + 0x1c,
            "light_position",
            Soft::Any,
            Do(light_position),
        )
        .n(3)
        .p(0x64 + n),
        soft(shape + 0x28, "light_attenuation", Soft::Any, Do(three))
            .n(3)
            .p(0x30 + n),
    ]);
}

/// The specular curve of one side's material.
fn shininess(rows: &mut Vec<Row>, side: u32, at: u16) {
    for (k, (space, row)) in [(1, 1), (2, 1), (3, 1), (1, 3), (2, 3), (3, 3)]
        .into_iter()
        .enumerate()
    {
        rows.push(open(
            at + 4 * k as u16,
            "material_shininess",
            Any,
            Ltc(space, row + side),
        ));
    }
}

/// Curie's rows.
pub(crate) fn curie() -> Vec<Row> {
    let mut rows = shared();
    rows.extend([
        hard(
            0xb40,
            "xf_txc_unkb40",
            Mask(0x111),
            Do(|fe, c| {
                let mut word = fe.word(XF_TXC, c.i as usize);
                for k in 0..3 {
                    ins(&mut word, 17 + k, 1, ext(c.v, k * 4, 1));
                }
                fe.put(XF_TXC, c.i, word);
            }),
        )
        .n(10),
        hard(0x1ef8, "xf_unk1ef8", Any, Spread(XF_D, XF_TIMEOUT)),
        free(
            0x1fc0,
            "xf_attr_in_unk1fc0",
            Any,
            Spread(XF_ATTR_IN_MASK, ATTRS_HIGH),
        ),
        free(
            0x1fc4,
            "xf_out_map_misc",
            Any,
            Do(|fe, c| {
                let (mut a, mut b) = (fe.word(XF_OUT_MAP_MISC_A, 0), fe.word(XF_OUT_MAP_MISC_B, 0));
                ins(&mut a, 24, 8, ext(c.v, 0, 8));
                ins(&mut b, 24, 8, ext(c.v, 8, 8));
                ins(&mut a, 18, 6, ext(c.v, 16, 6));
                ins(&mut b, 18, 6, ext(c.v, 22, 6));
                fe.put(XF_OUT_MAP_MISC_A, 0, a);
                fe.put(XF_OUT_MAP_MISC_B, 0, b);
            }),
        ),
        free(0x1fc8, "xf_out_map_txc_a", Any, Word(XF_OUT_MAP_TXC_A, !0)),
        free(
            0x1fcc,
            "xf_out_map_txc_b",
            Any,
            Word(XF_OUT_MAP_TXC_B, 0xff),
        ),
        free(
            0x1fd0,
            "xf_out_map_clip_a",
            Any,
            Spread(XF_OUT_MAP_MISC_A, OUT_MAP_CLIP_A),
        ),
        free(
            0x1fd4,
            "xf_out_map_clip_b",
            Any,
            Spread(XF_OUT_MAP_MISC_B, OUT_MAP_CLIP_B),
        ),
        free(
            0x1ff0,
            "xf_attr_in_mask",
            Any,
            Spread(XF_ATTR_IN_MASK, ATTRS_LOW),
        ),
        free(
            0x1ff4,
            "xf_attr_out_mask",
            Any,
            Word(XF_ATTR_OUT_MASK, 0x3f_ffff),
        ),
        free(0x1738, "bundle_unk0de", Any, Word(CURIE_UNK0DE, !0)),
        free(0x173c, "vb_element_base", Any, Word(VB_ELEMENT_BASE, !0)),
        // The old fixed-function material methods are gone.
        free(0x1f80, "unk1f80", Any, Nop).n(16),
    ]);
    rows
}
