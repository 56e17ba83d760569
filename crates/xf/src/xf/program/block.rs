//! A block of code that branches, for all vertices that stand at its beginning.

use super::super::LANES;
use super::alu;
use super::context::Context;
use super::file::Slot;
use super::flow::go_on;
use super::machine::{L, Machine};
use super::resolve::Block;
use super::run::Job;
use super::step::Active;
use isotherm_lanes::dispatch;

/// Where the vertices are.
pub(super) struct Stand {
    /// The first instruction that one of them is at.
    pub at: usize,
    /// The lanes that are there.
    pub active: Active,
}

dispatch! {
    /// Finds the first instruction that a vertex is at.
    pub(super) fn stand(m: &Machine) -> Stand = stand_lanes;
}

#[inline(always)]
fn stand_lanes(m: &Machine) -> Stand {
    let mut at = u32::MAX;
    for pc in m.pc {
        at = at.min(pc);
    }
    let mut active = [0; LANES];
    for i in 0..LANES {
        active[i] = if m.pc[i] == at { u32::MAX } else { 0 };
    }
    Stand {
        at: at as usize,
        active,
    }
}

/// The block that begins where vertices are. Lists read constants that were put in their places
/// before, so there is none where a program may change them.
pub(super) fn block_at<'a>(job: &Job<'a>, ctx: &Context, at: usize) -> Option<&'a Block> {
    match ctx {
        Context::ReadOnly(_) if job.stepwise => None,
        Context::ReadOnly(_) => job.plan.resolved.blocks.get(at)?.as_ref(),
        Context::Writable(_) => None,
    }
}

dispatch! {
    /// Runs a block on the vertices that stand at its beginning; false if one of them may not run
    /// all of it. `idle` lanes have no vertex.
    pub(super) fn run(m: &mut Machine, job: &Job, block: &Block, from: &Stand, idle: &L) -> bool
        = run_lanes;
}

#[inline(always)]
fn run_lanes(m: &mut Machine, job: &Job, block: &Block, from: &Stand, idle: &L) -> bool {
    let (mut late, mut elsewhere) = (0, 0);
    for i in 0..LANES {
        let after = m.lane_count[i].saturating_add(block.count);
        late |= from.active[i] & if after > job.env.timeout { u32::MAX } else { 0 };
        elsewhere |= !(from.active[i] | idle[i]);
    }
    if late != 0 {
        return false;
    }
    let ops = &job.plan.resolved.ops[block.ops.clone()];
    if elsewhere == 0 {
        alu::run(job.level, job.level, job.rules, &mut m.file, ops);
    } else {
        keep(m, &block.written);
        alu::run(job.level, job.level, job.rules, &mut m.file, ops);
        put_back(m, &block.written, &from.active);
    }
    let to = [from.at as u32 + block.count; LANES];
    go_on(m, job, &from.active, &to, block.count, block.ends);
    true
}

/// Copies what a block writes.
#[inline(always)]
fn keep(m: &mut Machine, written: &[Slot]) {
    m.kept.clear();
    m.kept.extend(written.iter().map(|&slot| m.file[slot]));
}

/// Gives the lanes that stand elsewhere what they had.
#[inline(always)]
fn put_back(m: &mut Machine, written: &[Slot], active: &Active) {
    for (&slot, kept) in written.iter().zip(&m.kept) {
        m.file[slot] = alu::blend(kept, &m.file[slot], active);
    }
}
