//! One instruction: read, compute in both units, write.

use super::super::LANES;
use super::alu::{self, Call, Source};
use super::context::Context;
use super::flow::{advance, passes, update_condition};
use super::machine::{L, Machine, POSITION_SHADOW, Row, TEMPS};
use super::run::{Job, UserRows};
use super::write::{Pass, write, write_address};
use isotherm_regs::xf::isa::ops;
use isotherm_regs::xf::isa::{Inst, Isa, Mux, Src, Unit};

/// Lanes that take part, all ones or zero each.
pub(super) type Active = L;

/// Where a step finds its constants and puts what it makes on the way.
pub(super) struct Scratch {
    /// Of straight code, the context row of each instruction, spread over the lanes.
    splats: Vec<Row>,
    /// Sources that lie nowhere as they are.
    made: [Row; 3],
    /// The results of the vector and the scalar unit.
    vector: Row,
    scalar: Row,
}

impl Scratch {
    /// Prepares for many batches of vertices; `constant` if the context stays as it is
    /// meanwhile.
    pub(super) fn new(job: &Job, ctx: &Context, constant: bool) -> Scratch {
        let insts = if constant && !job.plan.flow {
            job.plan.insts
        } else {
            &[]
        };
        let splat = |inst| context_row(job, ctx, inst).map(|x| [x; LANES]);
        Scratch {
            splats: insts.iter().map(splat).collect(),
            made: [[[0; LANES]; 4]; 3],
            vector: [[0; LANES]; 4],
            scalar: [[0; LANES]; 4],
        }
    }
}

/// Runs one instruction on the active lanes and moves their program counters.
///
/// Both units read before either writes (Vertex_shader_independence).
#[inline(always)]
pub(super) fn step(
    m: &mut Machine,
    job: &Job,
    ctx: &mut Context,
    at: usize,
    active: &Active,
    scratch: &mut Scratch,
) {
    let plan = job.plan;
    let isa = plan.isa;
    let (inst, prep) = (&plan.insts[at], &plan.preps[at]);
    let Scratch {
        splats,
        made,
        vector,
        scalar,
    } = scratch;
    let splat = splats.get(at);
    let mut call = Call {
        rules: job.rules,
        op: inst.vec,
        mask: prep.vec_need,
        src: [[&m.fog; 4]; 3],
    };
    let [made0, made1, made2] = made;
    if prep.read & 1 != 0 {
        call.src[0] = fetch(made0, m, job, ctx, inst, inst.src[0], splat);
    }
    if prep.read & 2 != 0 {
        call.src[1] = fetch(made1, m, job, ctx, inst, inst.src[1], splat);
    }
    if prep.read & 4 != 0 {
        call.src[2] = fetch(made2, m, job, ctx, inst, inst.src[2], splat);
    }
    let sampled = inst.vec == ops::vec::TXL && isa == Isa::Curie;
    if sampled {
        *vector = sample(job, inst, &call.src[0]);
    } else if prep.vec_move {
        alu::copy(&call, vector);
    } else if prep.vec {
        alu::vector(job.level, &call, vector);
    }
    if prep.sca {
        (call.op, call.mask) = (inst.sca, prep.sca_need);
        alu::scalar(job.level, &call, scalar);
    }
    let mut address = None;
    if prep.address {
        address = Some(call.src[0].map(|lanes| *lanes));
    }
    if inst.sat {
        alu::saturate(vector);
        alu::saturate(scalar);
    }
    let has_vector = sampled || prep.vec;
    let results = Results {
        address,
        vector: has_vector.then_some(&*vector),
        scalar: prep.sca.then_some(&*scalar),
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

/// What an instruction has computed.
struct Results<'r> {
    /// The source of an address register.
    address: Option<Row>,
    vector: Option<&'r Row>,
    scalar: Option<&'r Row>,
}

impl Results<'_> {
    /// Writes all of it in the lanes that pass.
    #[inline(always)]
    fn write(&self, m: &mut Machine, isa: Isa, ctx: &mut Context, inst: &Inst, pass: Pass) {
        if let Some(src) = &self.address {
            write_address(m, isa, inst, src, pass);
        }
        if let Some(result) = self.vector {
            write(m, isa, ctx, inst, inst.vec_dst, result, pass);
        }
        if let Some(result) = self.scalar {
            write(m, isa, ctx, inst, inst.sca_dst, result, pass);
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
    let (updated, dst) = match inst.cc {
        Some(Unit::Vec) => (results.vector, inst.vec_dst),
        Some(Unit::Sca) => (results.scalar, inst.sca_dst),
        None => (None, inst.vec_dst),
    };
    if let Some(result) = updated {
        update_condition(m, inst, result, dst, &lanes);
    }
    lanes
}

/// The context row that an instruction names without an index.
#[inline(always)]
fn context_row(job: &Job, ctx: &Context, inst: &Inst) -> [u32; 4] {
    let closed = |user: UserRows| inst.ctx < user.first && !user.viewport.contains(&inst.ctx);
    match job.env.user_rows {
        Some(user) if closed(user) => [0; 4],
        _ => ctx.read(i64::from(inst.ctx)),
    }
}

/// Reads a source, swizzled; what does not lie anywhere as it is gets `made`.
#[inline(always)]
fn fetch<'s>(
    made: &'s mut Row,
    m: &'s Machine,
    job: &Job,
    ctx: &Context,
    inst: &Inst,
    src: Src,
    splat: Option<&'s Row>,
) -> Source<'s> {
    let row = match src.mux {
        Mux::Temp => {
            let reg = usize::from(src.reg);
            if job.plan.position_shadow && reg >= POSITION_SHADOW {
                &m.position
            } else {
                &m.temp[reg % TEMPS]
            }
        }
        Mux::Input if !inst.input_indexed => &m.input[usize::from(inst.input & 15)],
        Mux::Ctx if !inst.ctx_indexed => match splat {
            Some(row) => row,
            None => {
                let row = context_row(job, ctx, inst);
                for (to, c) in made.iter_mut().zip(src.swz) {
                    *to = [modified(row[usize::from(c & 3)], src); LANES];
                }
                return [&made[0], &made[1], &made[2], &made[3]];
            }
        },
        Mux::Input | Mux::Ctx => {
            let gathered = indexed(m, job, ctx, inst, src.mux);
            return swizzled(made, &gathered, src);
        }
    };
    if src.abs || src.neg {
        return swizzled(made, row, src);
    }
    let mut refs = [&row[0]; 4];
    for (to, c) in refs.iter_mut().zip(src.swz) {
        *to = &row[usize::from(c & 3)];
    }
    refs
}

/// A copy with swizzle and modifiers.
#[inline(always)]
fn swizzled<'s>(made: &'s mut Row, row: &Row, src: Src) -> Source<'s> {
    for (to, c) in made.iter_mut().zip(src.swz) {
        let from = &row[usize::from(c & 3)];
        for i in 0..LANES {
            to[i] = modified(from[i], src);
        }
    }
    [&made[0], &made[1], &made[2], &made[3]]
}

/// Absolute value, then sign.
#[inline(always)]
fn modified(x: u32, src: Src) -> u32 {
    let keep = if src.abs { 0x7fff_ffff } else { u32::MAX };
    x & keep ^ u32::from(src.neg) << 31
}

/// An input or a context row that differs from lane to lane.
#[inline(never)]
fn indexed(m: &Machine, job: &Job, ctx: &Context, inst: &Inst, mux: Mux) -> Row {
    gather(|lane| {
        let index = m.index(inst, lane);
        if mux == Mux::Input {
            let row = i32::from(inst.input).wrapping_add(index);
            return match usize::try_from(row) {
                Ok(row) if row < m.input.len() => core::array::from_fn(|c| m.input[row][c][lane]),
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
fn sample(job: &Job, inst: &Inst, coord: &Source) -> Row {
    gather(|lane| match job.env.textures {
        Some(textures) => {
            textures.sample(inst.texture & 3, core::array::from_fn(|c| coord[c][lane]))
        }
        None => [0; 4],
    })
}
