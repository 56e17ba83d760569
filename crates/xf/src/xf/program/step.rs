//! One instruction by itself: read, compute in both units, write.

use super::super::LANES;
use super::alu;
use super::context::Context;
use super::file::{self, Slot};
use super::flow::{advance, passes, update_condition};
use super::machine::{L, Machine, Row};
use super::run::{Job, UserRows};
use super::write::{Pass, write, write_address};
use isotherm_lanes::dispatch;
use isotherm_regs::xf::isa::ops;
use isotherm_regs::xf::isa::{Inst, Isa, Mux, Unit};
use std::ops::Range;

/// Lanes that take part, all ones or zero each.
pub(super) type Active = L;

dispatch! {
    /// Runs one instruction on the active lanes and moves their program counters.
    ///
    /// Both units read before either writes (Vertex_shader_independence).
    pub(super) fn step(
        m: &mut Machine,
        job: &Job,
        ctx: &mut Context,
        at: usize,
        active: &Active,
    ) = step_lanes;
}

#[inline(always)]
fn step_lanes(m: &mut Machine, job: &Job, ctx: &mut Context, at: usize, active: &Active) {
    let plan = job.plan;
    let isa = plan.isa;
    let (inst, prep) = (&plan.insts[at], &plan.preps[at]);
    let resolved = plan.resolved;
    let single = &resolved.singles[at];
    for i in (0..3).filter(|i| single.gathered >> i & 1 != 0) {
        m.file[file::MADE + i] = gathered(m, job, ctx, inst, inst.src[i].mux);
    }
    let sampled = inst.vec == ops::vec::TXL && isa == Isa::Curie;
    let (makes, ops) = (single.makes.clone(), single.ops.clone());
    if sampled || prep.address {
        operate(m, job, makes);
        if sampled {
            m.file[file::VECTOR] = sample(m, job, inst, single.first);
        }
        operate(m, job, ops);
    } else {
        operate(m, job, makes.start..ops.end);
    }
    let results = Results {
        address: prep.address.then_some(single.first),
        vector: sampled || prep.vec,
        scalar: prep.sca,
    };
    if plan.flow || inst.is_conditional() {
        let lanes = conditional(m, job, ctx, at, active, &results);
        if plan.flow {
            advance(m, job, at, active, &lanes);
        }
    } else {
        results.write(m, isa, ctx, inst, None);
    }
}

/// Runs some of the program's operations; branches have none.
#[inline(always)]
fn operate(m: &mut Machine, job: &Job, ops: Range<usize>) {
    let ops = &job.plan.resolved.ops[ops];
    if !ops.is_empty() {
        alu::run(job.level, job.level, job.rules, &mut m.file, ops);
    }
}

/// What an instruction has computed.
struct Results {
    /// Where the source of an address register lies.
    address: Option<[Slot; 4]>,
    /// Whether there is something in the rows for results.
    vector: bool,
    scalar: bool,
}

impl Results {
    /// Writes all of it in the lanes that pass.
    #[inline(always)]
    fn write(&self, m: &mut Machine, isa: Isa, ctx: &mut Context, inst: &Inst, pass: Pass) {
        if let Some(src) = &self.address {
            write_address(m, isa, inst, src, pass);
        }
        if self.vector {
            write(m, isa, ctx, inst, inst.vec_dst, file::VECTOR, pass);
        }
        if self.scalar {
            write(m, isa, ctx, inst, inst.sca_dst, file::SCALAR, pass);
        }
    }
}

/// Writes where the condition holds and updates the condition codes. Returns where it holds.
#[inline(always)]
fn conditional(
    m: &mut Machine,
    job: &Job,
    ctx: &mut Context,
    at: usize,
    active: &Active,
    results: &Results,
) -> Row {
    let inst = &job.plan.insts[at];
    let mut lanes = [*active; 4];
    if let Some(cond) = inst.cond {
        for (lanes, passed) in lanes.iter_mut().zip(passes(m, inst, cond)) {
            for i in 0..LANES {
                lanes[i] &= passed[i];
            }
        }
    }
    results.write(m, job.plan.isa, ctx, inst, Some(&lanes));
    match inst.cc {
        Some(Unit::Vec) if results.vector => {
            update_condition(m, inst, file::VECTOR, inst.vec_dst, &lanes);
        }
        Some(Unit::Sca) if results.scalar => {
            update_condition(m, inst, file::SCALAR, inst.sca_dst, &lanes);
        }
        _ => {}
    }
    lanes
}

/// A context row that an instruction names without an index.
#[inline(always)]
pub(super) fn context_row(job: &Job, ctx: &Context, row: u16) -> [u32; 4] {
    let closed = |user: UserRows| row < user.first && !user.viewport.contains(&row);
    match job.env.user_rows {
        Some(user) if closed(user) => [0; 4],
        _ => ctx.read(i64::from(row)),
    }
}

/// A source that does not lie in the file.
#[inline(always)]
fn gathered(m: &Machine, job: &Job, ctx: &Context, inst: &Inst, mux: Mux) -> Row {
    if mux == Mux::Ctx && !inst.ctx_indexed {
        return context_row(job, ctx, inst.ctx).map(|x| [x; LANES]);
    }
    indexed(m, job, ctx, inst, mux)
}

/// An input or a context row that differs from lane to lane.
#[inline(never)]
fn indexed(m: &Machine, job: &Job, ctx: &Context, inst: &Inst, mux: Mux) -> Row {
    gather(|lane| {
        let index = m.index(inst, lane);
        if mux == Mux::Input {
            let row = i32::from(inst.input).wrapping_add(index);
            return match usize::try_from(row) {
                Ok(row) if row < file::INPUTS => {
                    core::array::from_fn(|c| m.file[file::INPUT + row][c][lane])
                }
                _ => [0; 4],
            };
        }
        let row = i64::from(inst.ctx) + i64::from(index);
        match job.env.user_rows {
            Some(user) if row < i64::from(user.first) => [0; 4],
            _ => ctx.read(row),
        }
    })
}

fn gather(f: impl Fn(usize) -> [u32; 4]) -> Row {
    let values: [[u32; 4]; LANES] = core::array::from_fn(f);
    core::array::from_fn(|c| values.map(|v| v[c]))
}

/// A vertex texture at each lane's coordinate.
#[inline(never)]
fn sample(m: &Machine, job: &Job, inst: &Inst, coord: [Slot; 4]) -> Row {
    gather(|lane| match job.env.textures {
        Some(textures) => textures.sample(inst.texture & 3, coord.map(|slot| m.file[slot][lane])),
        None => [0; 4],
    })
}
