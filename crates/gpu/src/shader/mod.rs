//! The pixel pipe between rasteriser and ROP: up to four texture stages with
//! their texture-shader operations, then the register combiners.
//!
//! [`Shade::prepare`] is called when a state word changed, [`Shade::run`] for
//! every block of fragments.

use crate::Chip;
use crate::bundle::{DmaSpan, Words};
use crate::frag::{Frag, I, LANES};
use crate::rc::{self, Combiners, reg};

/// Texture shader and combiners, prepared for a state.
#[derive(Clone, Debug)]
pub struct Shade {
    combiners: Combiners,
}

impl Shade {
    /// Derives the pixel pipe from the state words. `dma_tex` are the objects
    /// that texture offsets are relative to.
    pub fn prepare(chip: Chip, words: &Words, dma_tex: [DmaSpan; 2]) -> Shade {
        let _ = dma_tex;
        Shade {
            combiners: Combiners::prepare(chip, words),
        }
    }

    /// Shades a block: returns R, G, B, A as 0..=255, takes killed lanes out of
    /// `frag.mask` and may replace `frag.z`.
    pub fn run(&self, frag: &mut Frag) -> [I; 4] {
        let mut regs = rc::CLEAR;
        regs[reg::COL0] = frag.col0;
        regs[reg::COL1] = frag.col1;
        regs[reg::FOG][3] = frag.fog;
        for stage in 0..4 {
            // A stage without a program reads black with alpha 1.
            regs[reg::TEX0 + stage][3] = [255; LANES];
        }
        self.combiners.run(&mut regs)
    }
}
