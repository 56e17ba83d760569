//! Do all vector levels give the same bits? Seeded random states and vertices
//! through fixed function, every mode and special values included. Tests run a
//! few, `cargo xtask vectors` a million.

use super::{State, VtxIn, VtxOut, Xf, celsius};
use isotherm_lanes::{Level, Random};
use isotherm_regs::xf::mode::{XF_MODE, XFMODE_B};
use isotherm_regs::{Chip, Family};

/// Mostly ordinary floats, now and then any bit pattern.
fn float(r: &mut Random) -> u32 {
    let x = r.next_u32();
    match r.below(64) {
        0 => x,
        1 => 0,
        2 => 0x3f80_0000,
        3 => 0x7f80_0000 | x & 0x8000_0000,
        4 => x & 0x807f_ffff,
        _ => (x & 0x807f_ffff) | (r.below(24) + 115) << 23,
    }
}

fn fill(s: &mut State, r: &mut Random) {
    for x in s.xfctx.iter_mut().flatten() {
        *x = float(r);
    }
    for x in s.ltctx.iter_mut().flatten() {
        *x = float(r) & !0x3ff;
    }
    for x in s.ltc.iter_mut().flatten() {
        *x = float(r) & !0x3ff;
    }
    for m in &mut s.mode {
        *m = r.next_u32();
    }
    let curie = &mut s.curie;
    let bundles = &mut curie.bundles;
    let words = [
        &mut bundles.XF_A,
        &mut bundles.XF_LIGHT,
        &mut bundles.CONFIG_B,
        &mut bundles.RASTER,
    ];
    for word in words.into_iter().chain(&mut bundles.XF_TXC[..8]) {
        *word = r.next_u32();
    }
    for x in &mut curie.viewport.translate {
        *x = float(r);
    }
}

fn random_unit(chip: Chip, r: &mut Random) -> Xf {
    let mut xf = Xf::new(chip);
    let s = xf.state_mut();
    fill(s, r);
    // Fixed function (Curie's default); programs have tests of their own.
    if matches!(chip.family(), Family::Kelvin | Family::Rankine) {
        let word = &mut s.mode[super::state::word::A];
        *word = *word & !XFMODE_B::MODE.mask(chip) | XF_MODE::FIXED;
    }
    xf
}

fn random_vertex(r: &mut Random) -> VtxIn {
    let mut attr = [[0; 4]; 16];
    for x in attr.iter_mut().flatten() {
        *x = float(r);
    }
    VtxIn {
        attr,
        edge_flag: r.next_u32() & 1 != 0,
    }
}

/// A number for what `each` vertices come to in each of `units` random states: it changes when any
/// bit does.
pub fn digest(chip: Chip, seed: u64, units: usize, each: usize) -> u64 {
    let mut r = Random::new(seed << 8 ^ chip as u64);
    let mut digest = Digest::default();
    for _ in 0..units {
        let mut xf = random_unit(chip, &mut r);
        let vertices: Vec<VtxIn> = (0..each).map(|_| random_vertex(&mut r)).collect();
        let mut out: Vec<VtxOut> = Vec::new();
        xf.run_at(Level::Base, None, &vertices, &mut out);
        digest.vertices(&format!("{out:x?}"));
        if chip.family() == Family::Celsius {
            for v in &vertices {
                let clamp = r.below(2) == 0;
                let words = celsius::slot(chip, xf.state(), clamp, v);
                words.iter().for_each(|word| digest.take(*word));
            }
        }
    }
    digest.0
}

/// Words, one after the other, as one number (FNV-1a): the same on every machine.
pub struct Digest(pub u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Takes another word.
    pub fn take(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// Takes a text.
    pub fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.take(byte.into()));
    }

    /// Takes the text of vertices without texture coordinate sets 8 and 9, which are younger
    /// than the numbers that tests know.
    pub fn vertices(&mut self, text: &str) {
        const BEHIND: &str = "]], clip";
        let mut parts = text.split(BEHIND).peekable();
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                return self.text(part);
            }
            self.text(part.rsplitn(3, "], [").nth(2).unwrap_or(part));
            self.text(BEHIND);
        }
    }
}

/// Runs `each` vertices through each of `units` random states at every level; one
/// vertex at a time, at the lowest level, must agree as well. The error says where
/// they part.
pub fn fixed_function(chip: Chip, seed: u64, units: usize, each: usize) -> Result<(), String> {
    let mut r = Random::new(0x1505_7434_0000_0001 ^ seed << 8 ^ chip as u64);
    for unit in 0..units {
        let mut xf = random_unit(chip, &mut r);
        let vertices: Vec<VtxIn> = (0..each).map(|_| random_vertex(&mut r)).collect();
        let mut want: Vec<VtxOut> = Vec::new();
        for v in &vertices {
            xf.run_at(Level::Base, None, std::slice::from_ref(v), &mut want);
        }
        for level in Level::available() {
            let mut got = Vec::new();
            xf.run_at(level, None, &vertices, &mut got);
            if let Some(i) = (0..each).find(|&i| got.get(i) != want.get(i)) {
                return Err(format!(
                    "{chip:?} seed {seed} unit {unit} vertex {i}: {level:?} gives {:x?}, alone {:x?}",
                    got.get(i),
                    want.get(i)
                ));
            }
        }
    }
    Ok(())
}
