//! XF commands of Kelvin and up: mode words, context rows, programs.
//!
//! Everything is staged in attribute slot 16 of the vertex attribute buffer; a row
//! is committed by its last word, so words left behind leak into the next load.

use super::Fe;
use super::chips::Kind;
use super::convert::lt;
use super::idx::{ONE, Path};
use super::regs::Regs;
use super::table::{Call, Fourth};
use super::words::Edit;
use isotherm_bus::bundle::Event;
use isotherm_regs::bundle::{XF_A, XF_LIGHT, XF_TXC};
use isotherm_regs::field::Field;
use isotherm_regs::xf::ctx::{self, Ram};
use isotherm_regs::xf::isa::Word;
use isotherm_regs::xf::isa::convert::kelvin_to_rankine;
use isotherm_regs::xf::mode::{XFMODE_A, XFMODE_B, XFMODE_T};

/// XF command numbers.
pub(crate) mod cmd {
    pub const NOP: u32 = 0;
    pub const PROGRAM: u32 = 2;
    pub const DATA: u32 = 4;
    pub const RUN: u32 = 5;
    pub const MODE: u32 = 7;
    /// Branch targets and the time-out, Rankine.
    pub const BRANCH: u32 = 8;
    pub const XFCTX: u32 = 9;
    pub const LTCTX: u32 = 10;
    /// LTC0; LTC1 to LTC3 follow.
    pub const LTC: u32 = 11;
    pub const SYNC: u32 = 15;
}

/// First row and number of rows of the four LTC spaces.
const LTC_KELVIN: [(u32, u32); 4] = [(0x00, 0x04), (0x04, 0x14), (0x18, 0x0f), (0x27, 0x0e)];
const LTC_RANKINE: [(u32, u32); 4] = [(0x00, 0x00), (0x00, 0x15), (0x15, 0x0d), (0x22, 0x0f)];

/// Stages one word of an XFCTX row (`at`: row times 4 and component) and commits the row with
/// its last; what that sends.
#[inline(always)]
pub(crate) fn xfctx_word(r: &mut Regs, path: &mut Path, rows: u32, at: u32, a: u32) -> Event {
    let (row, comp) = (at >> 2, at as usize & 3);
    let be = if comp & 1 != 0 { 2 } else { 1 };
    path.xf(r, cmd::XFCTX << 12 | at << 2, be, a, a);
    r.vab[16][comp] = a;
    if comp == 3 && row < rows {
        r.xfctx[row as usize] = r.vab[16];
    }
    Event::Xf {
        cmd: cmd::XFCTX as u8,
        addr: (at << 2) as u16,
        be: be as u8,
        a,
        b: a,
    }
}

/// Fields of XFMODE_A that Curie has in XF_A.
const CURIE_FROM_A: &[(Field, Field)] = &[
    (
        XFMODE_A::LIGHT_MATERIAL_EMISSION_FRONT,
        XF_A::LIGHT_MATERIAL_EMISSION_FRONT,
    ),
    (
        XFMODE_A::LIGHT_MATERIAL_AMBIENT_FRONT,
        XF_A::LIGHT_MATERIAL_AMBIENT_FRONT,
    ),
    (
        XFMODE_A::LIGHT_MATERIAL_DIFFUSE_FRONT,
        XF_A::LIGHT_MATERIAL_DIFFUSE_FRONT,
    ),
    (
        XFMODE_A::LIGHT_MATERIAL_SPECULAR_FRONT,
        XF_A::LIGHT_MATERIAL_SPECULAR_FRONT,
    ),
    (
        XFMODE_A::LIGHT_MATERIAL_EMISSION_BACK,
        XF_A::LIGHT_MATERIAL_EMISSION_BACK,
    ),
    (
        XFMODE_A::LIGHT_MATERIAL_AMBIENT_BACK,
        XF_A::LIGHT_MATERIAL_AMBIENT_BACK,
    ),
    (
        XFMODE_A::LIGHT_MATERIAL_DIFFUSE_BACK,
        XF_A::LIGHT_MATERIAL_DIFFUSE_BACK,
    ),
    (
        XFMODE_A::LIGHT_MATERIAL_SPECULAR_BACK,
        XF_A::LIGHT_MATERIAL_SPECULAR_BACK,
    ),
    (XFMODE_A::LIGHTING_ENABLE, XF_A::LIGHTING_ENABLE),
    (XFMODE_A::NORMALIZE_ENABLE, XF_A::NORMALIZE_ENABLE),
];

/// Fields of XFMODE_B that Curie has in XF_A.
const CURIE_FROM_B: &[(Field, Field)] = &[
    (XFMODE_B::RANKINE_FOG_COORD, XF_A::FOG_COORD),
    (XFMODE_B::WEIGHT_MODE, XF_A::WEIGHT_MODE),
    (XFMODE_B::TEXGEN_VIEW_MODEL, XF_A::TEXGEN_VIEW_MODEL),
];

/// The lights, of XFMODE_B.
const CURIE_LIGHTS: &[(Field, Field)] = &[
    (XFMODE_B::LIGHT_MODE_0, XF_LIGHT::LIGHT_MODE_0),
    (XFMODE_B::LIGHT_MODE_1, XF_LIGHT::LIGHT_MODE_1),
    (XFMODE_B::LIGHT_MODE_2, XF_LIGHT::LIGHT_MODE_2),
    (XFMODE_B::LIGHT_MODE_3, XF_LIGHT::LIGHT_MODE_3),
    (XFMODE_B::LIGHT_MODE_4, XF_LIGHT::LIGHT_MODE_4),
    (XFMODE_B::LIGHT_MODE_5, XF_LIGHT::LIGHT_MODE_5),
    (XFMODE_B::LIGHT_MODE_6, XF_LIGHT::LIGHT_MODE_6),
    (XFMODE_B::LIGHT_MODE_7, XF_LIGHT::LIGHT_MODE_7),
];

/// The two texture coordinate sets of an XFMODE_T, each of which Curie has in an XF_TXC.
const CURIE_TXC: [[(Field, Field); 5]; 2] = [
    [
        (XFMODE_T::TEX_0_GEN_S, XF_TXC::TEX_GEN_S),
        (XFMODE_T::TEX_0_GEN_T, XF_TXC::TEX_GEN_T),
        (XFMODE_T::TEX_0_GEN_R, XF_TXC::TEX_GEN_R),
        (XFMODE_T::TEX_0_GEN_Q, XF_TXC::TEX_GEN_Q),
        (XFMODE_T::TEX_0_MATRIX_ENABLE, XF_TXC::TEX_MATRIX_ENABLE),
    ],
    [
        (XFMODE_T::TEX_1_GEN_S, XF_TXC::TEX_GEN_S),
        (XFMODE_T::TEX_1_GEN_T, XF_TXC::TEX_GEN_T),
        (XFMODE_T::TEX_1_GEN_R, XF_TXC::TEX_GEN_R),
        (XFMODE_T::TEX_1_GEN_Q, XF_TXC::TEX_GEN_Q),
        (XFMODE_T::TEX_1_MATRIX_ENABLE, XF_TXC::TEX_MATRIX_ENABLE),
    ],
];

/// Fields of XFMODE_A that Curie has in XF_LIGHT.
const CURIE_LIGHT: &[(Field, Field)] = &[
    (
        XFMODE_A::LIGHT_MODEL_LOCAL_VIEWER,
        XF_LIGHT::LIGHT_MODEL_LOCAL_VIEWER,
    ),
    (XFMODE_A::LIGHT_MODEL_UNK17, XF_LIGHT::LIGHT_MODEL_UNK17),
    (
        XFMODE_A::LIGHT_MODEL_SEPARATE_SPECULAR,
        XF_LIGHT::LIGHT_MODEL_SEPARATE_SPECULAR,
    ),
];

impl Fe {
    /// Sends an XF command.
    pub(crate) fn xf(&mut self, cmd: u32, addr: u32, be: u32, a: u32, b: u32) {
        let mut path = self.open_path();
        path.xf(&mut self.r, cmd << 12 | addr, be, a, b);
        self.close_path(path);
        self.out.push(Event::Xf {
            cmd: cmd as u8,
            addr: addr as u16,
            be: be as u8,
            a,
            b,
        });
    }

    /// One word of an XF command, through the staging slot.
    fn xf_word(&mut self, cmd: u32, addr: u32, a: u32) {
        let be = if addr & 4 != 0 { 2 } else { 1 };
        self.xf(cmd, addr, be, a, a);
        self.r.vab[16][(addr >> 2 & 3) as usize] = a;
    }

    /// Two words of an XF command.
    fn xf_pair(&mut self, cmd: u32, addr: u32, a: u32, b: u32) {
        self.xf(cmd, addr, 3, a, b);
        let comp = (addr >> 2 & 3) as usize;
        self.r.vab[16][comp] = a;
        self.r.vab[16][(comp + 1) & 3] = b;
    }

    /// Sends the XF mode words.
    pub(crate) fn send_mode(&mut self) {
        let (a, b, c, t) = (
            self.r.xf_mode_a,
            self.r.xf_mode_b,
            self.r.xf_mode_c,
            self.r.xf_mode_t,
        );
        if self.g.kelvin() {
            self.xf(cmd::MODE, 0, 3, b, a);
            self.xf(cmd::MODE, 8, 3, t[1], t[0]);
            self.r.vab[16] = [b, a, t[1], t[0]];
        } else if self.g.rankine() {
            self.xf(cmd::MODE, 0x00, 3, 0, c);
            self.xf(cmd::MODE, 0x08, 3, b, a);
            self.xf(cmd::MODE, 0x10, 3, t[3], t[2]);
            self.xf(cmd::MODE, 0x18, 3, t[1], t[0]);
            self.r.vab[16] = [t[3], t[2], t[1], t[0]];
        }
    }

    /// Curie has bundles in place of the mode registers: replaces the field that stands for one
    /// of Rankine's, and sends its bundle.
    pub(crate) fn put_curie_mode(&mut self, moves: &[(Field, u32)]) {
        let chip = self.g.chip;
        for (bundle, lists) in [
            (XF_A, [CURIE_FROM_A, CURIE_FROM_B]),
            (XF_LIGHT, [CURIE_LIGHT, CURIE_LIGHTS]),
        ] {
            let mut word = self.word(bundle, 0);
            let mut found = false;
            for (field, value) in moves {
                let same = lists
                    .iter()
                    .copied()
                    .flatten()
                    .find(|(old, _)| old.name == field.name);
                if let Some((_, new)) = same {
                    new.put(chip, &mut word, *value);
                    found = true;
                }
            }
            if found {
                self.put(bundle, 0, word);
            }
        }
    }

    /// The same for a texture coordinate set.
    pub(crate) fn put_curie_txc(&mut self, set: u32, field: Field, value: u32) {
        let same = CURIE_TXC[set as usize & 1]
            .iter()
            .find(|(old, _)| old.name == field.name);
        if let Some((_, new)) = same {
            let word = Edit::of(self, XF_TXC, set).set(*new, value).word;
            self.put(XF_TXC, set, word);
        }
    }

    /// Rows of XFCTX.
    pub(crate) fn xfctx_rows(&self) -> u32 {
        if self.g.kelvin() { 0xc0 } else { 0x19c }
    }

    fn commit_xfctx(&mut self, row: u32) {
        if row < self.xfctx_rows() {
            self.r.xfctx[row as usize] = self.r.vab[16];
        }
    }

    /// One word of an XFCTX row.
    pub(crate) fn load_xfctx(&mut self, row: u32, comp: u32, a: u32) {
        if self.g.celsius() {
            return self.load_celsius_xfctx(row, comp, 3, a);
        }
        let mut path = self.open_path();
        let rows = self.xfctx_rows();
        let event = xfctx_word(&mut self.r, &mut path, rows, row << 2 | comp, a);
        self.close_path(path);
        self.out.push(event);
    }

    /// One word of an XFCTX row that a method has three words for. Celsius takes what an earlier
    /// load left behind for the fourth.
    pub(crate) fn load_xfctx3(&mut self, row: u32, comp: u32, a: u32, fourth: Fourth) {
        if self.g.celsius() {
            self.load_celsius_xfctx(row, comp, 2, a);
        } else if comp < 2 {
            self.load_xfctx(row, comp, a);
        } else {
            let last = if fourth == Fourth::One { ONE } else { a };
            self.load_xfctx_pair(row, 2, a, last);
        }
    }

    /// One word of the context entry with a name.
    pub(crate) fn load_named(&mut self, c: Call, name: &str) {
        match ctx::find(self.g.chip, name) {
            Some((Ram::Xfctx, row)) => self.load_xfctx(row.into(), c.i, c.v),
            Some((Ram::Ltctx, row)) => self.load_ltctx(row.into(), c.i, c.v),
            Some((Ram::Ltc(space), row)) => self.load_ltc(space.into(), row.into(), c.v),
            Some((Ram::Vab, _)) | None => {}
        }
    }

    /// Two words of an XFCTX row.
    pub(crate) fn load_xfctx_pair(&mut self, row: u32, comp: u32, a: u32, b: u32) {
        self.xf_pair(cmd::XFCTX, row << 4 | comp << 2, a, b);
        if comp == 2 {
            self.commit_xfctx(row);
        }
    }

    /// One word of an LTCTX row.
    pub(crate) fn load_ltctx(&mut self, row: u32, comp: u32, a: u32) {
        if self.g.celsius() {
            return self.load_celsius_ltctx(row, comp, a);
        }
        self.xf_word(cmd::LTCTX, row << 4 | comp << 2, a);
        if comp == 2 {
            self.commit_ltctx(row);
        }
    }

    /// Words 0 and 1 of an LTCTX row.
    pub(crate) fn load_ltctx_pair(&mut self, row: u32, a: u32, b: u32) {
        self.xf_pair(cmd::LTCTX, row << 4, a, b);
    }

    /// A whole LTCTX row: a pair and a word.
    pub(crate) fn load_ltctx_row(&mut self, row: u32, [x, y, z]: [u32; 3]) {
        self.load_ltctx_pair(row, x, y);
        self.load_ltctx(row, 2, z);
    }

    /// Staged words to an LTCTX row.
    fn commit_ltctx(&mut self, row: u32) {
        let [x, y, z, _] = self.r.vab[16];
        if let Some(slot) = self.ltctx_row(row) {
            *slot = [lt(x), lt(y), lt(z)];
        }
    }

    /// Where an LTCTX row is kept. From NV2A on the memory is split in two.
    pub(crate) fn ltctx_row(&mut self, row: u32) -> Option<&mut [u32; 3]> {
        let (nv20, kelvin) = (self.g.nv20, self.g.kelvin());
        let r = &mut self.r;
        if nv20 {
            return r.ltctx.get_mut(row as usize);
        }
        if !kelvin {
            return None;
        }
        let light = (row >> 3 & 7) as usize;
        match row {
            0..0x40 => match (row & 7) as usize {
                k @ 0..=2 => r.ltctxb.get_mut(light * 6 + k),
                k @ 3..=4 => r.ltctx.get_mut(light * 2 + k - 3),
                k => r.ltctxb.get_mut(light * 6 + k - 2),
            },
            0x40..0x48 => r.ltctx.get_mut(row as usize - 0x30),
            0x48 => r.ltctxb.get_mut(0x30),
            0x49 => r.ltctx.get_mut(0x18),
            0x4a => r.ltctxb.get_mut(0x32),
            0x4b => r.ltctxb.get_mut(0x31),
            _ => None,
        }
    }

    /// First row and number of rows of an LTC space.
    pub(crate) fn ltc_space(&self, space: u32) -> (u32, u32) {
        let map = if self.g.kelvin() {
            LTC_KELVIN
        } else {
            LTC_RANKINE
        };
        map[space as usize & 3]
    }

    /// An LTC scalar.
    pub(crate) fn load_ltc(&mut self, space: u32, row: u32, a: u32) {
        if self.g.celsius() {
            return self.load_celsius_ltc(space, row, a);
        }
        self.xf_word(cmd::LTC + space, row << 4, a);
        let (first, n) = self.ltc_space(space);
        if row < n
            && let Some(slot) = self.r.ltc.get_mut((first + row) as usize)
        {
            *slot = lt(a);
        }
    }

    /// One word of a program instruction; it takes effect at once.
    pub(crate) fn load_program(&mut self, row: u32, comp: u32, a: u32) {
        self.xf_word(cmd::PROGRAM, row << 4 | comp << 2, a);
        let [w, z, y, x] = self.r.vab[16];
        let rows = if self.g.kelvin() { 0x88 } else { 0x118 };
        if row < rows {
            self.r.xfpr[row as usize] = if self.g.kelvin() {
                [x, y, z & 0x0fff_ffff, 0]
            } else if self.class_kind == Kind::Kelvin {
                // Rankine keeps Kelvin's instructions as its own.
                let [w, z, y, x] = kelvin_to_rankine(Word::from_upload([0, z, y, x])).to_upload();
                [x, y, z, w]
            } else {
                [x, y, z, w & 0x01ff_ffff]
            };
        }
    }

    /// TRANSFORM_DATA: input attributes of a program run without a vertex.
    pub(crate) fn load_data(&mut self, addr: u32, a: u32) {
        self.xf_word(cmd::DATA, addr, a);
    }

    /// NOP or SYNC: both halves of the slot's upper words.
    pub(crate) fn xf_marker(&mut self, cmd: u32, a: u32) {
        self.xf(cmd, 8, 3, a, a);
        self.r.vab[16][2] = a;
        self.r.vab[16][3] = a;
    }
}
