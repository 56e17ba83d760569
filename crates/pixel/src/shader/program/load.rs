//! Programs in memory, and those that are ready to run.

use super::plan::{Plan, Results};
use isotherm_bus::budget::{Cost, Unit};
use isotherm_bus::memory::Memory;
use isotherm_regs::Family;
use isotherm_regs::fp::{self, Program};
use std::sync::Arc;

/// Words that are read at first; twice as many until the program is whole.
const FIRST: usize = 0x100;
/// More than the longest program.
pub(super) const MOST: usize = 0x2_0000;

/// Programs that are kept ready, and their words; the newest is, whatever it has.
const KEPT: usize = 256;
const KEPT_WORDS: usize = 1 << 17;

/// The program at an address.
pub fn program_at(family: Family, memory: &Memory, address: u32) -> Result<Program, fp::Error> {
    let mut count = FIRST;
    loop {
        let words = words_at(memory, address, count);
        let found = Program::decode(family, &words);
        if count >= MOST || found.as_ref().is_ok_and(|p| is_whole(p, words.len())) {
            return found;
        }
        count *= 2;
    }
}

/// Is every place that branches name among the words that were read?
fn is_whole(program: &Program, len: usize) -> bool {
    let flows = program.insts.iter().filter_map(|inst| inst.flow);
    flows
        .flat_map(fp::Flow::targets)
        .all(|at| (at as usize) < len)
}

/// Words of a program, plain little-endian ones: Mesa's `nv30_fragprog.c` swaps their halves
/// on big-endian machines only, and the streams agree.
pub fn words_at(memory: &Memory, address: u32, count: usize) -> Vec<u32> {
    let whole = memory.bytes(address, 4 * count);
    if whole.len() == 4 * count {
        let words = whole.as_chunks().0.iter();
        return words.map(|bytes| u32::from_le_bytes(*bytes)).collect();
    }
    // Memory ends before they do, or goes on at its beginning.
    let word = |i: u32| memory.read_u32(address.wrapping_add(4 * i));
    (0..count as u32).map(word).collect()
}

/// Steps of the budget for making an instruction ready.
const PREPARED: usize = 200;
/// Steps for each word of what turned out to be no program.
const SEARCHED: usize = 20;
/// Places without a program that are remembered.
const MISSING: usize = 4;

fn charge(mem: &Memory, steps: usize) -> bool {
    mem.budget()
        .charge(Unit::Programs, Cost::Steps, steps as u64)
}

/// A program in memory, made ready.
#[derive(Debug)]
struct LoadedProgram {
    address: u32,
    results: Results,
    words: Vec<u32>,
    plan: Arc<Plan>,
}

impl LoadedProgram {
    /// Is it what lies at the address now?
    fn is_at(&self, mem: &Memory, address: u32, results: Results) -> bool {
        self.address == address
            && self.results == results
            && self.words == words_at(mem, address, self.words.len())
    }
}

/// The programs that draws have used.
#[derive(Debug, Default)]
pub struct ProgramCache {
    loaded: Vec<LoadedProgram>,
    /// Words of all that are kept.
    words: usize,
    /// Addresses where no program was, and what was there instead. To find out takes long.
    missing: Vec<(u32, Vec<u32>)>,
    /// Bytes of all that were ever made ready.
    made: u64,
}

impl ProgramCache {
    /// The program at an address, as memory has it now; `None` if there is none.
    pub(super) fn get(
        &mut self,
        family: Family,
        mem: &Memory,
        address: u32,
        results: Results,
    ) -> Option<Arc<Plan>> {
        let at_address = self
            .loaded
            .iter()
            .filter(|loaded| loaded.address == address);
        let compared = at_address.map(|loaded| loaded.words.len()).sum();
        if !charge(mem, compared) {
            return None;
        }
        let mut loaded = self.loaded.iter();
        if let Some(found) = loaded.find(|loaded| loaded.is_at(mem, address, results)) {
            return Some(found.plan.clone());
        }
        if self.is_missing(mem, address) {
            return None;
        }
        let Ok(program) = program_at(family, mem, address) else {
            self.miss(mem, address);
            return None;
        };
        if !charge(mem, PREPARED * program.insts.len()) {
            return None;
        }
        let plan = Arc::new(Plan::new(family, program, results));
        self.made += plan.bytes() as u64;
        self.words += plan.words;
        self.loaded.push(LoadedProgram {
            address,
            results,
            words: words_at(mem, address, plan.words),
            plan: plan.clone(),
        });
        while self.loaded.len() > KEPT || self.words > KEPT_WORDS && self.loaded.len() > 1 {
            self.words -= self.loaded.remove(0).words.len();
        }
        Some(plan)
    }

    /// Is there still no program at an address?
    fn is_missing(&self, mem: &Memory, address: u32) -> bool {
        let mut known = self.missing.iter();
        known
            .find(|(at, _)| *at == address)
            .is_some_and(|(_, words)| {
                !charge(mem, words.len()) || words_at(mem, address, words.len()) == *words
            })
    }

    fn miss(&mut self, mem: &Memory, address: u32) {
        charge(mem, SEARCHED * MOST);
        self.missing.retain(|(at, _)| *at != address);
        if self.missing.len() == MISSING {
            self.missing.remove(0);
        }
        self.missing.push((address, words_at(mem, address, MOST)));
    }

    /// Bytes of all programs that were ever made ready.
    pub fn made(&self) -> u64 {
        self.made
    }
}
