//! What XF and LT remember, and the commands that load it.

use super::Bundles;
use super::program::Viewport;
use crate::lt::arith as lt;
use isotherm_bus::saved::Saved;
use isotherm_bus::unit::Takes;
use isotherm_regs::{Chip, Family};

const ONE: u32 = 0x3f80_0000;
const MINUS_ONE: u32 = 0xbf80_0000;

/// Rows of LTC0 … LTC3 on the widest chip.
pub const LTC_BANKS: usize = 4;

/// The unit's registers. Floats are bit patterns; LT's are 22 bits wide, left
/// aligned.
#[derive(Clone, Debug)]
pub struct State {
    /// XFMODE words: Celsius [400F40h, 400F44h]; Kelvin [A, B, textures 2-3,
    /// textures 0-1]; Rankine [A, B, 6-7, 4-5, 2-3, 0-1, C].
    pub mode: [u32; 8],
    /// Transform constants.
    pub xfctx: Box<[[u32; 4]]>,
    /// Lighting vectors.
    pub ltctx: [[u32; 3]; 0x60],
    /// Lighting scalars, four banks.
    pub ltc: [[u32; 32]; LTC_BANKS],
    /// Program words as loaded, four per instruction.
    pub xfpr: Box<[[u32; 4]]>,
    /// Curie's mode, which arrives as bundles.
    pub curie: Curie,
    /// The pass-through slot in which rows are put together.
    pub(super) slot: [u32; 4],
}

/// What only Curie has: its mode arrives as bundles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curie {
    /// The bundles' words.
    pub bundles: Bundles,
    /// Scale and translation of the viewport.
    pub viewport: Viewport,
    /// Context row and component that the viewport method is about to send as well.
    copy: Option<(u16, usize)>,
}

impl Curie {
    fn new(chip: Chip) -> Curie {
        let viewport = Viewport {
            scale: [ONE; 4],
            translate: [0; 4],
        };
        Curie {
            bundles: Bundles::reset(chip),
            viewport,
            copy: None,
        }
    }
}

/// Rows of LTCTX that Rankine added, and the context rows that the same methods load.
pub(super) mod viewport_row {
    pub const LT_TRANSLATE: usize = 0x36;
    pub const LT_SCALE: usize = 0x37;
    pub const SCALE: u16 = 0x76;
    pub const TRANSLATE: u16 = 0x77;
}

/// Index of the words of [`State::mode`].
pub(super) mod word {
    pub const A: usize = 0;
    pub const B: usize = 1;
    pub const TEX: usize = 2;
    pub const C: usize = 6;
}

impl State {
    pub(super) fn new(chip: Chip) -> State {
        let family = chip.family();
        let (rows, program) = match family {
            Family::Celsius => (0x3c, 0),
            Family::Kelvin => (0xc0, 0x88),
            _ if family == Family::Rankine => (0x19c, 0x118),
            _ => (0x220, 0x220),
        };
        let mut s = State {
            mode: [0; 8],
            xfctx: vec![[0; 4]; rows].into(),
            ltctx: [[0; 3]; 0x60],
            ltc: [[0; 32]; LTC_BANKS],
            xfpr: vec![[0; 4]; program].into(),
            curie: Curie::new(chip),
            slot: [0; 4],
        };
        s.initial_context(family);
        s
    }

    /// Constants that no method sets, as every driver's context image has them.
    fn initial_context(&mut self, family: Family) {
        const FAR: u32 = 0x7149_f000; // 1e30
        match family {
            Family::Celsius => {
                self.xfctx[0x34] = [0, 0, 0, ONE];
                self.xfctx[0x35] = [0x4000_0000; 4];
                self.xfctx[0x36] = [0, 0, ONE, 0];
                self.xfctx[0x37] = [0x3f00_0000, 0x3f00_0000, 0, 0];
                // The fog plane: the kernel's context image has it, nouveau never sets it.
                self.xfctx[0x38] = [0, 0, ONE, 0];
                self.xfctx[0x3a] = [ONE; 4];
                self.ltctx[0x28] = [0, 0, ONE];
                self.ltc[0][0] = ONE;
                self.ltc[0][1] = MINUS_ONE;
                self.ltc[2][0] = ONE;
                self.ltc[1][3..11].fill(FAR);
            }
            Family::Kelvin => {
                // The eye direction (row 40h) starts as zero on NV2A: goldens
                // with local lights and a distant eye show it.
                self.ltctx[0x49] = [0, ONE, 0];
                self.ltc[0][0] = MINUS_ONE;
                self.ltc[1][4..12].fill(FAR);
                // The fog plane: nouveau turns planar fog on without setting it.
                self.xfctx[0x39] = [0, 0, ONE, 0];
            }
            Family::Rankine => {
                self.xfctx[0x38] = [0, 0, ONE, 0];
                self.ltc[1][5..13].fill(FAR);
            }
            _ => {}
        }
    }

    /// Is this row of LTCTX kept whole? All other numbers of LT have 22 bits.
    fn is_whole(chip: Chip, row: usize) -> bool {
        use viewport_row::*;
        chip.family() == Family::Rankine && matches!(row, LT_TRANSLATE | LT_SCALE)
    }

    /// After words came from outside: LT counts on its numbers having no more bits than they can.
    pub(super) fn cut_lt(&mut self, chip: Chip) {
        for (row, words) in self.ltctx.iter_mut().enumerate() {
            if !State::is_whole(chip, row) {
                words.iter_mut().for_each(|x| *x &= !0x3ff);
            }
        }
        self.ltc.iter_mut().flatten().for_each(|x| *x &= !0x3ff);
    }

    /// All words, but for the bundles'.
    pub(super) fn saved(&mut self, saved: &mut Saved) {
        let State {
            mode,
            xfctx,
            ltctx,
            ltc,
            xfpr,
            curie,
            slot,
        } = self;
        saved.words(mode);
        saved.words(xfctx.as_flattened_mut());
        saved.words(ltctx.as_flattened_mut());
        saved.words(ltc.as_flattened_mut());
        saved.words(xfpr.as_flattened_mut());
        saved.words(slot);
        let Curie {
            bundles: _,
            viewport,
            copy,
        } = curie;
        saved.words(viewport.scale.iter_mut().chain(&mut viewport.translate));
        // A context row and component, or one that there is not.
        let mut word = copy.map_or(!0, |(row, comp)| u32::from(row) << 4 | comp as u32);
        saved.word(&mut word);
        *copy = (word != !0).then_some(((word >> 4) as u16, (word & 3) as usize));
    }

    pub(super) fn command(&mut self, chip: Chip, cmd: u8, addr: u16, be: u8, a: u32, b: u32) {
        let row = usize::from(addr >> 4);
        let comp = usize::from(addr >> 2 & 3);
        match cmd {
            2 | 4 | 8 | 9 | 10 => {
                // A pair starts at an even component.
                let last = match be & 3 {
                    1 => {
                        self.slot[comp] = a;
                        comp
                    }
                    2 => {
                        self.slot[comp | 1] = b;
                        comp | 1
                    }
                    3 => {
                        self.slot[comp & 2] = a;
                        self.slot[comp | 1] = b;
                        comp | 1
                    }
                    _ => return,
                };
                self.commit(chip, cmd, row, last);
            }
            7 => self.set_mode(chip, addr, a, b),
            11..=14 => {
                self.slot[0] = a;
                let celsius = chip.family() == Family::Celsius;
                if let Some(x) = self.ltc[usize::from(cmd - 11)].get_mut(row) {
                    *x = if celsius {
                        lt::load_scalar_celsius(a)
                    } else {
                        lt::load(a)
                    };
                }
            }
            _ => {}
        }
    }

    /// Curie's viewport. Its methods still load LTCTX, which Curie does not have, and
    /// then a context row, which on Curie is the user's: the pair ends here, and the
    /// row is left alone (a guess; where NV43's smaller context keeps the viewport is
    /// not known). True if the command was such a one.
    pub(super) fn curie_viewport(&mut self, cmd: u8, addr: u16, be: u8, a: u32, b: u32) -> bool {
        use viewport_row::*;
        let (row, comp) = (addr >> 4, usize::from(addr >> 2 & 3));
        let curie = &mut self.curie;
        let (to, copy) = match (cmd, usize::from(row)) {
            (10, LT_TRANSLATE) => (&mut curie.viewport.translate, TRANSLATE),
            (10, LT_SCALE) => (&mut curie.viewport.scale, SCALE),
            _ => return curie.copy.take() == Some((row, comp)) && cmd == 9,
        };
        to[comp] = if be == 2 { b } else { a };
        curie.copy = Some((copy, comp));
        true
    }

    /// The viewport that Rankine applies behind a program. Its methods load a copy into
    /// LTCTX, which Kelvin, whose programs do this themselves, has no rows for. That this
    /// copy counts and has all its bits is a guess: Mesa's driver uses context rows 76h and
    /// 77h for constants without sending the viewport again, which would lose it. A program
    /// with constants in these rows on a real NV34 would settle it.
    pub(super) fn rankine_viewport(&self) -> Viewport {
        let row = |r: usize| {
            let [x, y, z] = self.ltctx[r];
            [x, y, z, 0]
        };
        Viewport {
            scale: row(viewport_row::LT_SCALE),
            translate: row(viewport_row::LT_TRANSLATE),
        }
    }

    fn commit(&mut self, chip: Chip, cmd: u8, row: usize, last: usize) {
        let slot = self.slot;
        match cmd {
            // Every word of an instruction shows at once.
            2 => {
                if let Some(x) = self.xfpr.get_mut(row) {
                    *x = slot;
                }
            }
            9 if last == 3 => {
                if let Some(x) = self.xfctx.get_mut(row) {
                    *x = slot;
                }
            }
            10 if last >= 2 => {
                if let Some(x) = self.ltctx.get_mut(row) {
                    let words = [slot[0], slot[1], slot[2]];
                    let whole = State::is_whole(chip, row);
                    *x = if whole { words } else { words.map(lt::load) };
                }
            }
            _ => {}
        }
    }

    fn set_mode(&mut self, chip: Chip, addr: u16, a: u32, b: u32) {
        let m = &mut self.mode;
        match (chip.family(), addr) {
            (Family::Celsius | Family::Kelvin, 0) => (m[word::A], m[word::B]) = (a, b),
            (Family::Kelvin, 8) => (m[word::TEX], m[word::TEX + 1]) = (a, b),
            (Family::Celsius | Family::Kelvin, _) => {}
            (_, 0) => m[word::C] = b,
            (_, 8) => (m[word::A], m[word::B]) = (a, b),
            (_, 0x10) => (m[word::TEX], m[word::TEX + 1]) = (a, b),
            (_, 0x18) => (m[word::TEX + 2], m[word::TEX + 3]) = (a, b),
            _ => {}
        }
    }
}
