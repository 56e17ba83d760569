//! Wires the units: the path of a draw reads top to bottom here.

use crate::bundle::Event;
use crate::memory::Memory;
use isotherm_regs::Chip;

/// The units behind the front end.
pub struct Pipeline {}

impl Pipeline {
    /// All units after reset.
    pub fn new(_chip: Chip) -> Pipeline {
        Pipeline {}
    }

    /// How many threads may draw.
    pub fn set_threads(&mut self, _threads: usize) {}

    /// One event from the front end.
    pub fn event(&mut self, _memory: &mut Memory, _event: &Event) {}

    /// Waits until everything drawn so far is in memory.
    pub fn flush(&mut self, _memory: &mut Memory) {}
}
