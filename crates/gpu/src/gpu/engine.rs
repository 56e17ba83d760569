//! What the engines of all chips have in common.

use super::Oddities;
use crate::pipeline::{Profile, WatchedVertex};
use isotherm_bus::context::Context;
use isotherm_bus::memory::Memory;
use isotherm_bus::objects::Objects;
use isotherm_bus::observe::{Observer, Touch};
use isotherm_capture::Problem;

/// What an engine reaches while it works.
pub(super) struct Bus<'a> {
    pub objects: &'a Objects,
    pub memory: &'a mut Memory,
    pub odd: &'a mut Oddities,
}

/// Everything of a chip but its memory and objects. The methods with a body are for engines
/// that have no such thing.
pub(super) trait Engine: Send {
    /// How many threads may draw.
    fn set_threads(&mut self, threads: usize);

    /// Draw, or only run the commands.
    fn set_drawing(&mut self, on: bool);

    /// Ignore everything after this many draws.
    fn set_until_draw(&mut self, draws: Option<u64>);

    /// Draws so far.
    fn draws(&self) -> u64;

    /// Draws, clears and 2D operations so far.
    fn actions(&self) -> u64 {
        self.draws()
    }

    /// Watches the pixel at an address.
    fn watch(&mut self, address: Option<u32>);

    /// What happened to it since the last question.
    fn touches(&mut self) -> Vec<Touch>;

    /// Watches a vertex of a draw.
    fn watch_vertex(&mut self, _draw: u64, _vertex: usize) {}

    /// The watched vertex.
    fn watched_vertex(&mut self) -> Option<WatchedVertex> {
        None
    }

    /// Somebody follows the commands.
    fn set_observer(&mut self, _observer: Option<Box<dyn Observer>>) {}

    /// What was drawn, and where the time went.
    fn profile(&self) -> Option<&Profile> {
        None
    }

    /// Counts from zero.
    fn restart_profile(&mut self, _times: bool) {}

    /// Rules of software renderers; false if it has none.
    fn set_what_if(&mut self, _what: isotherm_mali::WhatIf) -> bool {
        false
    }

    /// The processors of a Mali.
    fn mali(&self) -> Option<&isotherm_mali::Machine> {
        None
    }

    /// Words that are no header, so far.
    fn bad_headers(&self) -> u64 {
        0
    }

    /// All draws that were asked for are done.
    fn stopped(&self) -> bool {
        false
    }

    /// A draw was begun and not ended.
    fn inside_primitive(&self) -> bool {
        false
    }

    /// Draws what is pending.
    fn finish(&mut self, _memory: &mut Memory) {}

    /// The CPU is about to write memory, or to start something.
    fn before_access(&mut self, _memory: &mut Memory) {}

    /// Words for the pusher.
    fn push(&mut self, _words: &[u32], _bus: &mut Bus<'_>) -> Result<(), Problem> {
        Err(Problem::WrongChip("PUSH"))
    }

    /// The CPU writes a register.
    fn register(&mut self, _addr: u32, _value: u32) {}

    /// Registers that a capture needs besides the context: addresses and values.
    fn registers(&self) -> Vec<(u32, u32)> {
        Vec::new()
    }

    /// A vertex job.
    fn gp_job(&mut self, _memory: &mut Memory, _frame: &[u32]) -> Result<(), Problem> {
        Err(Problem::WrongChip("GP"))
    }

    /// A fragment job.
    fn pp_job(&mut self, _memory: &mut Memory, _frame: &[u32]) -> Result<(), Problem> {
        Err(Problem::WrongChip("PP"))
    }

    /// Everything it remembers, if that can be said now.
    fn context(&mut self) -> Option<Context> {
        None
    }

    /// Puts a context back.
    fn restore(&mut self, _saved: &Context, _memory: &mut Memory) -> Result<(), Problem> {
        Err(Problem::WrongChip("CTX"))
    }
}
