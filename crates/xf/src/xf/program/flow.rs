//! Conditions and branches.

use super::super::LANES;
use super::super::arith::INF;
use super::file;
use super::machine::{L, Machine, Row};
use super::run::Job;
use super::step::Active;
use isotherm_regs::xf::isa::ops::{Form, sca};
use isotherm_regs::xf::isa::{Cond, Dst, Inst, Isa};

/// A condition code that is neither less (1) nor equal (2) nor greater (4).
const UNORDERED: u32 = 8;

/// The condition codes that a condition takes.
pub(super) fn codes_of(cond: Cond) -> u32 {
    // A NaN is not equal, and "true" takes it, too; no other test does.
    let test = u32::from(cond.test & 7);
    if test & 5 == 5 {
        test | UNORDERED
    } else {
        test
    }
}

/// Per component, the lanes whose condition holds.
#[inline(never)]
pub(super) fn passes(m: &Machine, inst: &Inst, cond: Cond) -> Row {
    let reg = &m.file[file::CODES + usize::from(inst.cc_reg & 1)];
    let test = codes_of(cond);
    cond.swz.map(|c| {
        let mut lanes = [0; LANES];
        for (to, &code) in lanes.iter_mut().zip(&reg[usize::from(c & 3)]) {
            *to = if code & test != 0 { u32::MAX } else { 0 };
        }
        lanes
    })
}

/// The condition register after a result.
#[inline(never)]
pub(super) fn update_condition(m: &mut Machine, inst: &Inst, result: usize, dst: Dst, pass: &Row) {
    let result = m.file[result];
    let mask = dst.mask | dst.out_mask;
    for c in (0..4).filter(|c| mask >> (3 - c) & 1 != 0) {
        let codes = &mut m.file[file::CODES + usize::from(inst.cc_reg & 1)][c];
        for i in 0..LANES {
            if pass[c][i] != 0 {
                codes[i] = condition_code(result[c][i]);
            }
        }
    }
}

/// How a result compares with zero: less 1, equal 2, greater 4, unordered 8.
#[inline(always)]
pub(super) fn condition_code(x: u32) -> u32 {
    let magnitude = x & 0x7fff_ffff;
    match (magnitude > INF, magnitude < 0x0080_0000, x >> 31 != 0) {
        (true, ..) => UNORDERED,
        (_, true, _) => 2,
        (_, _, true) => 1,
        _ => 4,
    }
}

/// Moves the program counters of the active lanes past an instruction.
#[inline(always)]
pub(super) fn advance(m: &mut Machine, job: &Job, at: usize, active: &Active, pass: &Row) {
    let inst = &job.plan.insts[at];
    let mut to = [at as u32 + 1; LANES];
    let branch = job.plan.preps[at].branch;
    if let Some(form) = branch.filter(|_| job.plan.isa != Isa::Kelvin) {
        let taken = taken(job, inst, form, active, pass);
        if matches!(inst.sca, sca::BRA | sca::BRB) {
            for i in 0..LANES {
                to[i] = if taken[i] != 0 {
                    inst.branch.into()
                } else {
                    to[i]
                };
            }
        } else {
            one_by_one(m, job, inst, form, &taken, &mut to);
        }
    }
    go_on(m, job, active, &to, 1, inst.end);
}

/// Sends the active lanes where they go after some instructions; they stop at the end, beyond
/// the code, and when their time is over.
#[inline(always)]
pub(super) fn go_on(m: &mut Machine, job: &Job, active: &Active, to: &L, count: u32, end: bool) {
    let stop = job.plan.insts.len() as u32;
    for i in 0..LANES {
        let run = m.lane_count[i].wrapping_add(count & active[i]);
        let over = end | (to[i] > stop) | (run >= job.env.timeout);
        let to = if over { stop } else { to[i] };
        m.pc[i] = m.pc[i] & !active[i] | to & active[i];
        m.lane_count[i] = run;
    }
}

/// The active lanes that follow a branch.
#[inline(always)]
fn taken(job: &Job, inst: &Inst, form: Form, active: &Active, pass: &Row) -> L {
    let (bit, wanted) = inst.branch_bit;
    let open = form != Form::BranchBit || (job.env.branch_bits >> (bit & 31) & 1 != 0) == wanted;
    let mut taken = [0; LANES];
    if !open {
        return taken;
    }
    for i in 0..LANES {
        // A condition with four answers: one that holds is enough.
        let passed = pass[0][i] | pass[1][i] | pass[2][i] | pass[3][i];
        taken[i] = active[i]
            & if inst.cond.is_some() {
                passed
            } else {
                u32::MAX
            };
    }
    taken
}

/// Branches that may lead every lane elsewhere.
#[inline(never)]
fn one_by_one(m: &mut Machine, job: &Job, inst: &Inst, form: Form, taken: &L, to: &mut L) {
    for lane in (0..LANES).filter(|&lane| taken[lane] != 0) {
        to[lane] = next(m, job, inst, form, lane, to[lane]);
    }
}

/// Where a lane goes that would otherwise go to `next`.
fn next(m: &mut Machine, job: &Job, inst: &Inst, form: Form, lane: usize, next: u32) -> u32 {
    let stop = job.plan.insts.len() as u32;
    match inst.sca {
        sca::BRX => target(m, job, inst, form, lane),
        sca::CAL | sca::CLX | sca::CLB => {
            // A full stack ends the program.
            if m.push(lane, [next as i32, 0, 0, 0]) {
                target(m, job, inst, form, lane)
            } else {
                stop
            }
        }
        // Returning from nowhere ends the program.
        sca::RET => m.pop(lane).map_or(stop, |v| v[0].max(0) as u32),
        sca::PUSHA => {
            let value = m.address(inst.addr_reg.into(), lane);
            if m.push(lane, value) { next } else { stop }
        }
        sca::POPA => match m.pop(lane) {
            Some(value) => {
                for (c, v) in value.into_iter().enumerate() {
                    m.addr[usize::from(inst.addr_reg & 1)][c][lane] = v;
                }
                next
            }
            None => stop,
        },
        _ => next,
    }
}

/// Where a branch leads.
fn target(m: &Machine, job: &Job, inst: &Inst, form: Form, lane: usize) -> u32 {
    if form != Form::BranchIndexed {
        return inst.branch.into();
    }
    let entry = i32::from(inst.branch).wrapping_add(m.index(inst, lane));
    let entry = usize::try_from(entry).ok();
    entry
        .and_then(|e| job.env.branch_table.get(e))
        .map_or(job.plan.insts.len() as u32, |&t| u32::from(t))
}
