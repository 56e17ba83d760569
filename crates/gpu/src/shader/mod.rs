//! The pixel pipe between rasteriser and ROP: up to four texture stages with
//! their texture-shader operations, then the register combiners.
//!
//! [`Shade::prepare`] is called when a state word changed, [`Shade::bind`] when a
//! draw starts, [`Shade::run`] for every block of fragments.

mod dot;
mod reads;
mod simd;
mod stage;
mod words;

pub use words::{Dot, Op, Program};

use crate::Chip;
use crate::bundle::{DmaSpan, Words};
use crate::frag::{Frag, I};
use crate::memory::Memory;
use crate::rc::{self, Combiners, reg};
use crate::tex::{Image, TexCache, Unit};
use std::sync::Arc;

/// A compiled form of [`Shade::run`].
type Code = fn(&Shade, &mut Frag) -> [I; 4];

/// Texture shader and combiners, prepared for a state.
#[derive(Clone, Debug)]
pub struct Shade {
    program: Program,
    units: [Option<Unit>; 4],
    images: [Option<Arc<Image>>; 4],
    combiners: Combiners,
    code: Code,
}

impl Shade {
    /// Derives the pixel pipe from the state words. `dma_tex` are the objects
    /// that texture offsets are relative to.
    pub fn prepare(chip: Chip, words: &Words, dma_tex: [DmaSpan; 2]) -> Shade {
        let program = Program::prepare(chip, words);
        let units = std::array::from_fn(|i| {
            program.ops[i]
                .samples()
                .then(|| Unit::prepare(chip, words, dma_tex, i))
                .flatten()
        });
        Shade {
            program,
            units,
            images: [const { None }; 4],
            combiners: Combiners::prepare(chip, words),
            code: simd::code(),
        }
    }

    /// Takes the textures' present contents from memory. To be called before
    /// every draw: an earlier draw or the CPU may have changed them.
    pub fn bind(&mut self, memory: &Memory, cache: &mut TexCache) {
        for (unit, image) in self.units.iter().zip(&mut self.images) {
            *image = unit.as_ref().map(|u| cache.get(&u.source, memory));
        }
    }

    /// The highest texture coordinate set that the program reads, plus one.
    pub fn coordinate_sets(&self) -> usize {
        self.program.coordinate_sets()
    }

    /// May a block lose lanes or get another depth here? If not, depth and
    /// stencil tests can come first.
    pub fn kills_or_moves(&self) -> bool {
        self.program
            .ops
            .iter()
            .any(|op| matches!(op, Op::ClipPlane | Op::DotZw))
            || self
                .units
                .iter()
                .flatten()
                .any(|u| u.control.alpha_kill || u.control.key_kill)
    }

    /// Shades a block: returns R, G, B, A as 0..=255, takes killed lanes out of
    /// `frag.mask` and may replace `frag.z`.
    #[inline]
    pub fn run(&self, frag: &mut Frag) -> [I; 4] {
        (self.code)(self, frag)
    }

    /// The one implementation, compiled for each level of vector instructions.
    #[inline(always)]
    fn lanes(&self, frag: &mut Frag) -> [I; 4] {
        let mut regs = rc::CLEAR;
        regs[reg::COL0] = frag.col0;
        regs[reg::COL1] = frag.col1;
        regs[reg::FOG][3] = frag.fog;
        stage::run(&self.program, &self.units, &self.images, frag, &mut regs);
        self.combiners.run(&mut regs)
    }
}

#[cfg(test)]
mod tests;
