//! Programs in memory, and those that are ready to run.

use super::plan::{Plan, Results};
use isotherm_bus::memory::Memory;
use isotherm_regs::Family;
use isotherm_regs::fp::{self, Program};
use std::sync::Arc;

/// Words that are read at first; twice as many until the program is whole.
const FIRST: usize = 0x100;
/// More than the longest program.
const MOST: usize = 0x2_0000;

/// Programs that are kept ready.
const KEPT: usize = 256;

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
    let word = |i: u32| memory.read_u32(address.wrapping_add(4 * i));
    (0..count as u32).map(word).collect()
}

/// A program in memory, made ready.
#[derive(Debug)]
struct LoadedProgram {
    address: u32,
    results: Results,
    words: Vec<u32>,
    plan: Arc<Plan>,
}

/// The programs that draws have used.
#[derive(Debug, Default)]
pub struct ProgramCache {
    loaded: Vec<LoadedProgram>,
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
        let found = self.loaded.iter().position(|loaded| {
            loaded.address == address
                && loaded.results == results
                && loaded.words == words_at(mem, address, loaded.words.len())
        });
        if let Some(found) = found {
            return Some(self.loaded[found].plan.clone());
        }
        let program = program_at(family, mem, address).ok()?;
        let end = program.insts.last().map_or(0, |inst| inst.at + inst.size());
        let plan = Arc::new(Plan::new(family, program, results));
        if self.loaded.len() == KEPT {
            self.loaded.remove(0);
        }
        self.loaded.push(LoadedProgram {
            address,
            results,
            words: words_at(mem, address, end as usize),
            plan: plan.clone(),
        });
        Some(plan)
    }
}
