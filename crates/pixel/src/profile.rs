//! Where the time goes: measured per batch of vertices and per tile, and only when
//! somebody asks.

use std::time::Instant;

/// Parts of the pipeline whose time is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// IDX and XF: vertices fetched from memory, transformed and lit.
    Vertices,
    /// ASSM and the sorting of primitives into tiles.
    Assembly,
    /// State words to prepared state, textures decoded.
    Prepare,
    /// Raster, texture, combiners and ROP: everything that a tile does.
    Pixels,
}

/// What was drawn and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Vertices that went through XF.
    pub vertices: u64,
    /// Primitives that were binned.
    pub primitives: u64,
    /// Pixels (samples on multisampled surfaces) that passed all tests; clears not counted.
    pub pixels: u64,
    /// Nanoseconds of each [`Part`], all threads together.
    busy: [u64; 4],
    /// Nanoseconds that the calling thread spent in any part, waiting included.
    calling: u64,
    on: bool,
}

/// A measurement under way.
#[derive(Clone, Copy)]
pub struct Started(Option<(Instant, u64)>);

impl Profile {
    /// Counts from zero; with `times`, the clock is read too.
    pub fn restart(&mut self, times: bool) {
        *self = Profile {
            on: times,
            ..Profile::default()
        };
    }

    /// Seconds that a part took, all threads together.
    pub fn seconds(&self, part: Part) -> f64 {
        self.busy[part as usize] as f64 * 1e-9
    }

    /// Seconds of the calling thread in any part, waiting for other threads included.
    /// What it spent besides is the front end's.
    pub fn calling_seconds(&self) -> f64 {
        self.calling as f64 * 1e-9
    }

    /// Is the clock read?
    #[inline]
    pub fn on(&self) -> bool {
        self.on
    }

    /// Starts a measurement.
    #[inline]
    pub fn start(&self) -> Started {
        Started(self.on.then(|| (Instant::now(), self.calling)))
    }

    /// Ends a measurement; parts measured meanwhile do not count twice.
    #[inline]
    pub fn end(&mut self, started: Started, part: Part) {
        if let Some(own) = self.leave(started) {
            self.busy[part as usize] += own;
        }
    }

    /// Ends the measurement of work that threads were busy with for `busy` nanoseconds.
    #[inline]
    pub fn end_shared(&mut self, started: Started, part: Part, busy: u64) {
        self.leave(started);
        self.busy[part as usize] += busy;
    }

    fn leave(&mut self, started: Started) -> Option<u64> {
        let (at, calling) = started.0?;
        let inner = self.calling - calling;
        let own = (at.elapsed().as_nanos() as u64).saturating_sub(inner);
        self.calling += own;
        Some(own)
    }
}
