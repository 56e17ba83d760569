//! Do all vector levels give the same bits? Seeded random states and vertices
//! through fixed function, every mode and special values included. Tests run a
//! few, `cargo xtask vectors` a million.

use super::simd::Level;
use super::{State, VtxIn, VtxOut, Xf};
use isotherm_regs::xf::mode::{XF_MODE, XFMODE_B};
use isotherm_regs::{Chip, Family};

/// A small seeded generator (xorshift): the same numbers everywhere.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    /// Mostly ordinary floats, now and then any bit pattern.
    pub(crate) fn float(&mut self) -> u32 {
        let x = self.next();
        match x & 0x3f {
            0 => self.next(),
            1 => 0,
            2 => 0x3f80_0000,
            3 => 0x7f80_0000 | x & 0x8000_0000,
            4 => x & 0x807f_ffff,
            _ => (x & 0x807f_ffff) | (self.next() % 24 + 115) << 23,
        }
    }
}

fn fill(s: &mut State, r: &mut Random) {
    for x in s.xfctx.iter_mut().flatten() {
        *x = r.float();
    }
    for x in s.ltctx.iter_mut().flatten() {
        *x = r.float() & !0x3ff;
    }
    for x in s.ltc.iter_mut().flatten() {
        *x = r.float() & !0x3ff;
    }
    for m in &mut s.mode {
        *m = r.next();
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
        *word = r.next();
    }
    for x in &mut curie.viewport.translate {
        *x = r.float();
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
        *x = r.float();
    }
    VtxIn {
        attr,
        edge_flag: r.next() & 1 != 0,
    }
}

/// Runs `each` vertices through each of `units` random states at every level; one
/// vertex at a time, at the lowest level, must agree as well. The error says where
/// they part.
pub fn fixed_function(chip: Chip, seed: u64, units: usize, each: usize) -> Result<(), String> {
    let mut r = Random(0x1505_7434_0000_0001 ^ seed << 8 ^ chip as u64);
    for unit in 0..units {
        let mut xf = random_unit(chip, &mut r);
        let vertices: Vec<VtxIn> = (0..each).map(|_| random_vertex(&mut r)).collect();
        let mut want: Vec<VtxOut> = Vec::new();
        for v in &vertices {
            xf.run_at(Level::Baseline, None, std::slice::from_ref(v), &mut want);
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
