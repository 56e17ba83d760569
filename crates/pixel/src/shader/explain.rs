//! What the pixel pipe does for one lane.

use super::{Shade, stage};
use crate::frag::Frag;
use crate::rc::reg;
use isotherm_bus::observe::{Combiner, FinalCombiner, Stage};

impl Shade {
    /// Shades a block the general way and says what lane `lane` saw.
    pub(crate) fn explain(
        &self,
        frag: &mut Frag,
        lane: usize,
    ) -> (Vec<Stage>, Vec<Combiner>, FinalCombiner) {
        let mut regs = self.registers(frag);
        let stages = stage::explain::explain(&self.program, &self.textures(), frag, lane);
        regs[reg::TEX0..reg::TEX0 + 4].copy_from_slice(&frag.stages.registers);
        let (combiners, last) = self.combiners.words.explain(&mut regs, lane);
        (stages, combiners, last)
    }
}
