//! The embedder's side: what the chip calls, and why it stops.

use crate::surface::SurfaceView;
use isotherm_bus::trap::Trap;

/// May the chip go on?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Go on with the next word.
    Go,
    /// Stop here; the embedder gives the rest of the words when it is ready.
    Wait,
}

/// What an embedder does when the chip calls. The calls come in the order of the commands,
/// each when everything before it is in memory. Every method has a default: a host that
/// overrides none of them lets the chip run through.
pub trait Host: Send {
    /// The front end raised an interrupt: a method that it refuses, or one by which a driver
    /// calls its own handler (NO_OPERATION with an argument).
    fn interrupt(&mut self, _trap: &Trap) -> Answer {
        Answer::Go
    }

    /// A notifier was written: its address, and whether the driver asked for an interrupt too.
    fn notify(&mut self, _address: u32, _awaken: bool) -> Answer {
        Answer::Go
    }

    /// FLIP_STALL: a picture is complete. Answer [`Answer::Wait`] to show it first.
    fn flip(&mut self, _flip: &Flip) -> Answer {
        Answer::Go
    }

    /// Should [`Host::wrote`] be called? Looking for written pages takes some microseconds
    /// each time.
    fn wants_writes(&self) -> bool {
        false
    }

    /// The chip wrote to memory, in whole pages: address of the first byte and how many. Called
    /// before any of the other calls, after a semaphore or report, and by
    /// [`Gpu::finish`](crate::Gpu::finish).
    fn wrote(&mut self, _address: u32, _len: usize) {}
}

/// The flip counters at a FLIP_STALL, and what was drawn to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flip {
    /// The colour surface.
    pub surface: Option<SurfaceView>,
    /// Number of the picture that is drawn: FLIP_INCREMENT_WRITE counts it.
    pub write: u8,
    /// Number of the picture that is shown: the display counts it
    /// ([`Gpu::picture_shown`](crate::Gpu::picture_shown)).
    pub read: u8,
    /// Both begin again at 0 when they reach this.
    pub modulo: u8,
}

impl Flip {
    /// Would the chip stall? It does until the display has left the picture that is drawn next.
    pub fn stalls(&self) -> bool {
        self.read == self.write
    }
}

/// Why the chip stopped before the end of its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// The host wants to handle this interrupt first.
    Interrupt(Trap),
    /// The host wants to handle this notification first; the notifier's address.
    Notify(u32),
    /// The host wants to show the picture first.
    Flip(Flip),
    /// SEMAPHORE_ACQUIRE: the word at this address is not this value yet. The method was not
    /// taken: it runs again with the next words.
    Semaphore {
        /// Address of the word.
        address: u32,
        /// What it must be.
        value: u32,
    },
}

/// How far the chip came with some words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Words that were taken; go on with the one after them.
    pub taken: usize,
    /// Why not all of them.
    pub wait: Option<Wait>,
}

/// What became of one method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The front end refused it.
    pub trap: Option<Trap>,
    /// The host wants to wait.
    pub wait: Option<Wait>,
}

impl Outcome {
    /// Has the method run? If not, it has to be given again.
    pub fn taken(&self) -> bool {
        !matches!(self.wait, Some(Wait::Semaphore { .. }))
    }
}
