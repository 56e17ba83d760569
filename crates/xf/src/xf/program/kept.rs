//! What was found out about programs, kept while the words in memory stay as they are.

use super::resolve::Resolved;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// What there is to know of a program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Slot of the first of its instructions, and their number.
    pub(super) first: usize,
    pub(super) count: usize,
    /// First instruction that runs, within them.
    pub(crate) entry: usize,
    /// Lanes may part.
    pub(crate) flow: bool,
    /// Results may be conditional.
    pub(crate) conditions: bool,
    /// Inputs that can be read.
    pub(crate) inputs: u16,
    /// Temporaries that can be read.
    pub(crate) temps: u32,
    /// Output rows that can be written.
    pub(crate) outputs: u32,
    /// Those that are not written for every vertex alike.
    pub(crate) varying: u32,
    /// Some instruction writes the context.
    pub writes_ctx: bool,
    /// No END was found: the program runs into the end of the memory.
    pub unterminated: bool,
    /// Its operations.
    pub(super) resolved: Resolved,
}

/// Programs by the slot that they start at.
#[derive(Debug)]
pub(super) struct Kept {
    programs: Vec<OnceLock<Box<Program>>>,
    /// There is some.
    any: AtomicBool,
}

impl Kept {
    /// None, for a memory of so many slots.
    pub fn new(slots: usize) -> Kept {
        let mut programs = Vec::new();
        // A start beyond the memory is a program of nothing.
        programs.resize_with(slots + 1, OnceLock::new);
        Kept {
            programs,
            any: AtomicBool::new(false),
        }
    }

    /// The program that starts at a slot.
    pub fn program(&self, start: usize, find_out: impl FnOnce() -> Program) -> &Program {
        self.programs[start].get_or_init(|| {
            self.any.store(true, Ordering::Relaxed);
            Box::new(find_out())
        })
    }

    /// The words change.
    pub fn forget(&mut self) {
        if std::mem::take(self.any.get_mut()) {
            for program in &mut self.programs {
                program.take();
            }
        }
    }
}

/// A copy finds out by itself.
impl Clone for Kept {
    fn clone(&self) -> Kept {
        Kept::new(self.programs.len().saturating_sub(1))
    }
}
