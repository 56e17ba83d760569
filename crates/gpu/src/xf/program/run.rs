//! Batches of vertices through a program.

use super::super::LANES;
use super::super::arith::{Kelvin, Rankine, RankineLegacy, Rules};
use super::super::{Results, VtxIn, simd};
use super::machine::{Machine, Tbuf};
use super::step::{Active, Ctx, step};
use super::{Plan, Viewport, out};
use isotherm_regs::xf::isa::{Inst, Isa};

/// Vertex textures (Curie).
pub trait Textures: Sync {
    /// Samples a unit at (s, t, r) with the level of detail in the fourth
    /// component; float32 bit patterns in and out.
    fn sample(&self, unit: u8, coord: [u32; 4]) -> [u32; 4];
}

/// The context rows that a program may read when fixed function's are closed to it;
/// the others read as 0 (that it is 0 is a guess).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserRows {
    /// First row that is the user's.
    pub first: u16,
    /// VIEWPORT_SCALE and VIEWPORT_TRANSLATE, which may be read directly.
    pub viewport: [u16; 2],
}

impl UserRows {
    /// Kelvin's.
    pub const KELVIN: UserRows = UserRows {
        first: 0x60,
        viewport: [0x3a, 0x3b],
    };
}

/// What a program sees besides its vertex and the context rows.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    /// Instructions that one vertex may run (Rankine, Curie; Kelvin has no such limit).
    pub timeout: u32,
    /// Rankine and Curie: IEEE rules instead of "zero wins".
    pub ieee: bool,
    /// Set where the position leaves the program in clip coordinates.
    pub viewport: Option<Viewport>,
    /// Boolean constants of Curie's boolean branches.
    pub branch_bits: u32,
    /// Rankine's and Curie's table of branch addresses.
    pub branch_table: [u16; 16],
    /// Set where programs may not read all of the context.
    pub user_rows: Option<UserRows>,
    /// Vertex textures, if the chip has them bound.
    pub textures: Option<&'a dyn Textures>,
}

impl Default for Env<'_> {
    fn default() -> Self {
        Env {
            timeout: 0xffff,
            ieee: false,
            viewport: None,
            branch_bits: 0,
            branch_table: [0; 16],
            user_rows: None,
            textures: None,
        }
    }
}

/// Runs a simple program on every vertex. Context writes are dropped; `tbuf`
/// gives what the program does not write and keeps what it did.
pub fn run(
    plan: &Plan,
    env: &Env,
    ctx: &[[u32; 4]],
    tbuf: &mut Tbuf,
    vertices: &[VtxIn],
    out: &mut [Results],
) {
    run_at(simd::Level::current(), plan, env, ctx, tbuf, vertices, out);
}

/// [`run`] at a vector level of your choice, one of [`simd::Level::available`].
pub fn run_at(
    level: simd::Level,
    plan: &Plan,
    env: &Env,
    ctx: &[[u32; 4]],
    tbuf: &mut Tbuf,
    vertices: &[VtxIn],
    out: &mut [Results],
) {
    simd::program_at(level, plan, env, ctx, tbuf, vertices, out);
}

/// [`run`] for the level that the caller is compiled for.
#[inline(always)]
pub(crate) fn run_lanes(
    plan: &Plan,
    env: &Env,
    ctx: &[[u32; 4]],
    tbuf: &mut Tbuf,
    vertices: &[VtxIn],
    out: &mut [Results],
) {
    let mut ctx = ctx;
    match rules(plan.isa, env.ieee) {
        Arithmetic::Kelvin => batches::<Kelvin, _, LANES>(plan, env, &mut ctx, tbuf, vertices, out),
        Arithmetic::Legacy => {
            batches::<RankineLegacy, _, LANES>(plan, env, &mut ctx, tbuf, vertices, out)
        }
        Arithmetic::Ieee => batches::<Rankine, _, LANES>(plan, env, &mut ctx, tbuf, vertices, out),
    }
}

/// Runs a program with side effects: one vertex after the other, each seeing
/// the context as the one before left it. Also for vertex state programs, whose
/// one input is attribute 0 and whose output nobody takes.
pub fn run_with_side_effects(
    plan: &Plan,
    env: &Env,
    ctx: &mut [[u32; 4]],
    tbuf: &mut Tbuf,
    vertices: &[VtxIn],
    out: &mut [Results],
) {
    let mut ctx = ctx;
    match rules(plan.isa, env.ieee) {
        Arithmetic::Kelvin => batches::<Kelvin, _, 1>(plan, env, &mut ctx, tbuf, vertices, out),
        Arithmetic::Legacy => {
            batches::<RankineLegacy, _, 1>(plan, env, &mut ctx, tbuf, vertices, out)
        }
        Arithmetic::Ieee => batches::<Rankine, _, 1>(plan, env, &mut ctx, tbuf, vertices, out),
    }
}

/// Runs one vertex and shows the machine after every instruction.
pub fn trace(
    plan: &Plan,
    env: &Env,
    ctx: &mut [[u32; 4]],
    tbuf: &mut Tbuf,
    vertex: &VtxIn,
    mut seen: impl FnMut(usize, &Inst, &Machine<1>),
) -> Results {
    let mut m = Machine::<1>::new();
    let mut ctx = ctx;
    let mut result = [Results::default()];
    m.start(plan, core::slice::from_ref(vertex), tbuf);
    let mut count = 0;
    while let Some(inst) = plan.insts.get(m.pc[0]) {
        if count >= env.timeout {
            break;
        }
        count += 1;
        let at = m.pc[0];
        match rules(plan.isa, env.ieee) {
            Arithmetic::Kelvin => {
                step::<Kelvin, _, 1, true>(&mut m, plan, env, &mut ctx, inst, &[u32::MAX])
            }
            Arithmetic::Legacy => {
                step::<RankineLegacy, _, 1, true>(&mut m, plan, env, &mut ctx, inst, &[u32::MAX])
            }
            Arithmetic::Ieee => {
                step::<Rankine, _, 1, true>(&mut m, plan, env, &mut ctx, inst, &[u32::MAX])
            }
        }
        seen(at, inst, &m);
    }
    *tbuf = m.tbuf(0);
    let edge = |_| vertex.edge_flag;
    match rules(plan.isa, env.ieee) {
        Arithmetic::Kelvin => {
            out::emit::<Kelvin, 1>(&m, plan.isa, env.viewport.as_ref(), edge, &mut result)
        }
        Arithmetic::Legacy => {
            out::emit::<RankineLegacy, 1>(&m, plan.isa, env.viewport.as_ref(), edge, &mut result)
        }
        Arithmetic::Ieee => {
            out::emit::<Rankine, 1>(&m, plan.isa, env.viewport.as_ref(), edge, &mut result)
        }
    }
    let [result] = result;
    result
}

enum Arithmetic {
    Kelvin,
    Legacy,
    Ieee,
}

fn rules(isa: Isa, ieee: bool) -> Arithmetic {
    match (isa, ieee) {
        (Isa::Kelvin, _) => Arithmetic::Kelvin,
        (_, false) => Arithmetic::Legacy,
        (_, true) => Arithmetic::Ieee,
    }
}

#[inline(always)]
fn batches<R: Rules, C: Ctx, const N: usize>(
    plan: &Plan,
    env: &Env,
    ctx: &mut C,
    tbuf: &mut Tbuf,
    vertices: &[VtxIn],
    out: &mut [Results],
) {
    let mut m = Machine::<N>::new();
    for (vertices, out) in vertices.chunks(N).zip(out.chunks_mut(N)) {
        m.start(plan, vertices, tbuf);
        if plan.flow {
            diverging::<R, C, N>(&mut m, plan, env, ctx, vertices.len());
        } else {
            let limit = if plan.isa == Isa::Kelvin {
                usize::MAX
            } else {
                env.timeout as usize
            };
            for inst in plan.insts.iter().take(limit) {
                step::<R, C, N, false>(&mut m, plan, env, ctx, inst, &[u32::MAX; N]);
            }
        }
        out::emit::<R, N>(
            &m,
            plan.isa,
            env.viewport.as_ref(),
            |lane| vertices[lane].edge_flag,
            out,
        );
        *tbuf = m.tbuf(vertices.len() - 1);
    }
}

/// Lanes at the lowest program counter step together until all have ended.
#[inline(always)]
fn diverging<R: Rules, C: Ctx, const N: usize>(
    m: &mut Machine<N>,
    plan: &Plan,
    env: &Env,
    ctx: &mut C,
    lanes: usize,
) {
    let stop = plan.insts.len();
    for pc in m.pc.iter_mut().skip(lanes) {
        *pc = stop;
    }
    if env.timeout == 0 {
        return;
    }
    loop {
        let at = m.pc.iter().copied().min().unwrap_or(stop);
        let Some(inst) = plan.insts.get(at) else {
            return;
        };
        let mut active: Active<N> = [0; N];
        for (a, &pc) in active.iter_mut().zip(&m.pc) {
            *a = if pc == at { u32::MAX } else { 0 };
        }
        step::<R, C, N, true>(m, plan, env, ctx, inst, &active);
    }
}
