//! What no register shows, as words of a saved state.

use super::{BackEnd, Nvidia};
use isotherm_bus::memory::Memory;
use isotherm_bus::saved::Saved;
use isotherm_capture::Problem;

impl Nvidia {
    /// The words.
    pub(super) fn save_inner(&mut self, memory: &mut Memory) -> Vec<u32> {
        let mut saved = Saved::save();
        self.inner(memory, &mut saved);
        // Only lists that are read can be broken.
        saved.finish().unwrap_or_default()
    }

    /// Puts them back, when all else is there.
    pub(super) fn load_inner(&mut self, memory: &mut Memory, words: &[u32]) -> Result<(), Problem> {
        let mut saved = Saved::load(words.to_vec());
        self.inner(memory, &mut saved);
        let broken = |error: isotherm_bus::saved::Broken| Problem::Context(error.into());
        saved.finish().map(drop).map_err(broken)
    }

    fn inner(&mut self, memory: &mut Memory, saved: &mut Saved) {
        let BackEnd {
            pipeline,
            observer: _,
            drawing: _,
            draws: _,
            actions,
            open,
        } = &mut self.back;
        pipeline.saved(memory, saved);
        saved.wide(actions);
        // So that counting does not overflow.
        *actions %= 1 << 48;
        saved.flag(open);
        self.puller.saved(saved);
        self.calls.saved(saved);
        self.written.saved(saved);
        self.tiles.saved(saved);
        saved.flag(&mut self.tiles_changed);
    }
}
