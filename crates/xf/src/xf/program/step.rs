//! One instruction: read, compute in both units, write.

use super::super::LANES;
use super::alu::{self, Source};
use super::context::Context;
use super::flow::{advance, passes, update_condition};
use super::machine::{L, Machine, POSITION_SHADOW, Row, TEMPS};
use super::run::{Job, UserRows};
use super::write::{write, write_address};
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
    let mut src = [[&m.fog; 4]; 3];
    for (i, made) in made.iter_mut().enumerate() {
        if prep.read >> i & 1 != 0 {
            src[i] = fetch(made, m, job, ctx, inst, inst.src[i], splat);
        }
    }
    let sampled = inst.vec == ops::vec::TXL && isa == Isa::Curie;
    if sampled {
        *vector = sample(job, inst, &src[0]);
    } else if prep.vec {
        alu::vector(job.level, job.rules, inst.vec, &src, prep.vec_need, vector);
    }
    if prep.sca {
        alu::scalar(
            job.level,
            job.rules,
            inst.sca,
            &src[2],
            prep.sca_need,
            scalar,
        );
    }
    let mut address = None;
    if prep.address {
        address = Some([*src[0][0], *src[0][1], *src[0][2], *src[0][3]]);
    }
    if inst.sat {
        alu::saturate(vector);
        alu::saturate(scalar);
    }
    let mut lanes = [*active; 4];
    let mut pass = None;
    if plan.flow {
        if let Some(cond) = inst.cond {
            for (lanes, passed) in lanes.iter_mut().zip(passes(m, inst, cond)) {
                for i in 0..LANES {
                    lanes[i] &= passed[i];
                }
            }
        }
        pass = Some(&lanes);
    }
    if let Some(src) = &address {
        write_address(m, isa, inst, src, pass);
    }
    let has_vector = sampled || prep.vec;
    if has_vector {
        write(m, isa, ctx, inst, inst.vec_dst, vector, pass);
    }
    if prep.sca {
        write(m, isa, ctx, inst, inst.sca_dst, scalar, pass);
    }
    if plan.flow {
        match inst.cc {
            Some(Unit::Vec) if has_vector => {
                update_condition(m, inst, vector, inst.vec_dst, &lanes)
            }
            Some(Unit::Sca) if prep.sca => update_condition(m, inst, scalar, inst.sca_dst, &lanes),
            _ => {}
        }
        advance(m, job, inst, active, &lanes);
    }
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
