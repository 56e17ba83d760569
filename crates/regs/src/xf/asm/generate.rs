//! Seeded programs for round-trip tests.

use super::Program;
use crate::xf::isa::{Isa, Word, layout};

/// SplitMix64: small, seeded, good enough to vary programs.
#[derive(Clone, Debug)]
pub struct Rng(pub u64);

impl Rng {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n.max(1)
    }
}

/// A program of random instructions: any bit pattern in some, sensible field
/// values in the others.
pub fn program(isa: Isa, rng: &mut Rng) -> Program {
    let len = 1 + rng.below(12) as usize;
    let org = rng.below((isa.slots() - len) as u64) as u16;
    let mut words: Vec<Word> = (0..len).map(|_| instruction(isa, rng)).collect();
    if let Some(end) = words.last_mut() {
        end.0 |= 1;
    }
    Program { isa, org, words }
}

fn instruction(isa: Isa, rng: &mut Rng) -> Word {
    let raw = u128::from(rng.bits()) << 64 | u128::from(rng.bits());
    if rng.below(4) == 0 {
        return Word(raw);
    }
    let mut word = Word(raw & !layout::unknown(isa));
    // Real code has few of the flags set, and often only one unit at work.
    let rare = [
        layout::END,
        layout::CDST_WM,
        layout::COND_ENABLE,
        layout::XFCTX_INDEXED,
        layout::IBUF_INDEXED,
    ];
    for field in rare {
        if rng.below(4) != 0 {
            word.0 &= !field.mask(isa);
        }
    }
    match rng.below(3) {
        0 => word.0 &= !layout::OP_VEC.mask(isa),
        1 => word.0 &= !layout::OP_SCA.mask(isa),
        _ => {}
    }
    word
}
