//! Conditions and branches.

use super::super::LANES;
use super::super::arith::INF;
use super::file;
use super::machine::{Machine, Row};
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
pub(super) fn update_condition(m: &mut Machine, inst: &Inst, result: &Row, dst: Dst, pass: &Row) {
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

/// Moves the program counters of the active lanes.
#[inline(never)]
pub(super) fn advance(m: &mut Machine, job: &Job, at: usize, active: &Active, pass: &Row) {
    let (plan, env) = (job.plan, job.env);
    let (inst, stop) = (&plan.insts[at], plan.insts.len());
    let branch = plan.preps[at].branch.filter(|_| plan.isa != Isa::Kelvin);
    for lane in (0..LANES).filter(|&l| active[l] != 0) {
        let taken = branch.filter(|form| taken(job, inst, *form, lane, pass));
        m.pc[lane] = match taken {
            Some(form) => next(m, job, inst, form, lane),
            None => m.pc[lane] + 1,
        };
        m.lane_count[lane] += 1;
        if inst.end || m.pc[lane] > stop || m.lane_count[lane] >= env.timeout {
            m.pc[lane] = stop;
        }
    }
}

/// Does a lane follow a branch?
fn taken(job: &Job, inst: &Inst, form: Form, lane: usize, pass: &Row) -> bool {
    // A condition with four answers: one that holds is enough.
    let taken = inst.cond.is_none() || pass.iter().any(|p| p[lane] != 0);
    if form != Form::BranchBit {
        return taken;
    }
    let (bit, wanted) = inst.branch_bit;
    taken && (job.env.branch_bits >> (bit & 31) & 1 != 0) == wanted
}

/// Where a lane goes whose condition holds.
fn next(m: &mut Machine, job: &Job, inst: &Inst, form: Form, lane: usize) -> usize {
    let stop = job.plan.insts.len();
    let next = m.pc[lane] + 1;
    match inst.sca {
        sca::BRA | sca::BRX | sca::BRB => target(m, job, inst, form, lane),
        sca::CAL | sca::CLX | sca::CLB => {
            // A full stack ends the program.
            if m.push(lane, [next as i32, 0, 0, 0]) {
                target(m, job, inst, form, lane)
            } else {
                stop
            }
        }
        // Returning from nowhere ends the program.
        sca::RET => m.pop(lane).map_or(stop, |v| v[0].max(0) as usize),
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
fn target(m: &Machine, job: &Job, inst: &Inst, form: Form, lane: usize) -> usize {
    if form != Form::BranchIndexed {
        return usize::from(inst.branch);
    }
    let entry = i32::from(inst.branch).wrapping_add(m.index(inst, lane));
    let entry = usize::try_from(entry).ok();
    entry
        .and_then(|e| job.env.branch_table.get(e))
        .map_or(job.plan.insts.len(), |&t| usize::from(t))
}
