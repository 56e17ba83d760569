//! Prepared programs, kept between draws and jobs.

use super::opt::RowSet;
use super::{MAX_WORDS, Program};
use crate::command_stream;
use isotherm_bus::memory::Memory;
use std::collections::HashMap;
use std::sync::Arc;

/// Programs that are kept.
const MOST: usize = 1 << 12;

/// Programs by their words, and where they were last seen.
#[derive(Default)]
pub(crate) struct Cache {
    known: Vec<Known>,
    by_words: HashMap<Vec<u32>, usize>,
    by_addr: HashMap<u32, usize>,
    /// See [`crate::WhatIf`]; to be set before the first program.
    pub(crate) full_floats: bool,
}

struct Known {
    bytes: Vec<u8>,
    program: Arc<Program>,
    /// What is left of it for the rows that a state looks at.
    variants: Vec<(RowSet, bool, Arc<Program>)>,
}

/// A program in the [`Cache`].
#[derive(Clone, Copy)]
pub(crate) struct Handle(usize);

impl Cache {
    /// The program at an address.
    pub(crate) fn find(&mut self, mem: &Memory, addr: u32) -> Result<Handle, String> {
        if let Some(&at) = self.by_addr.get(&addr)
            && let Some(known) = self.known.get(at)
            && mem.bytes(addr, known.bytes.len()) == known.bytes
        {
            return Ok(Handle(at));
        }
        let words = command_stream::words(mem, addr, MAX_WORDS);
        let words = &words[..Program::extent(&words)?];
        let at = match self.by_words.get(words) {
            Some(&at) => at,
            None => {
                if self.known.len() >= MOST {
                    *self = Cache {
                        full_floats: self.full_floats,
                        ..Cache::default()
                    };
                }
                self.known.push(Known {
                    bytes: words.iter().flat_map(|w| w.to_le_bytes()).collect(),
                    program: Arc::new(Program::new(words, self.full_floats)?),
                    variants: Vec::new(),
                });
                self.by_words.insert(words.to_vec(), self.known.len() - 1);
                self.known.len() - 1
            }
        };
        self.by_addr.insert(addr, at);
        Ok(Handle(at))
    }

    /// The program as it was written.
    pub(crate) fn whole(&self, handle: Handle) -> &Arc<Program> {
        &self.known[handle.0].program
    }

    /// The program for a state that looks at some rows alone, see [`Program::optimised`].
    pub(crate) fn variant(&mut self, handle: Handle, live: RowSet, planar: bool) -> Arc<Program> {
        let known = &mut self.known[handle.0];
        let found = known.variants.iter().find(|v| v.0 == live && v.1 == planar);
        if let Some((.., program)) = found {
            return Arc::clone(program);
        }
        let program = Arc::new(known.program.prepared(live, planar));
        known.variants.push((live, planar, Arc::clone(&program)));
        program
    }
}
