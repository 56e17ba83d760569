//! Batches of vertices through a program.

use super::super::LANES;
use super::super::arith::{Kelvin, Rankine, RankineLegacy, Rules};
use super::super::{Results, VtxIn, simd};
use super::machine::{Machine, Tbuf};
use super::out::{self, Sink};
use super::step::{Active, Ctx, Operands, step};
use super::{Plan, Viewport};
use isotherm_bus::vertex::Textures;
use isotherm_regs::xf::isa::{Inst, Isa};

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

/// [`run`] at a vector level of your choice, or the best that the machine has.
pub fn run_at(
    level: simd::Level,
    plan: &Plan,
    env: &Env,
    ctx: &[[u32; 4]],
    tbuf: &mut Tbuf,
    vertices: &[VtxIn],
    out: &mut [Results],
) {
    let count = vertices.len().min(out.len());
    let mut sink = Sink::Raw(out);
    let m = &mut Machine::new();
    run_into(
        level,
        m,
        plan,
        env,
        ctx,
        tbuf,
        &vertices[..count],
        &mut sink,
    );
}

/// Runs vertices, for which `out` has room.
#[expect(clippy::too_many_arguments)]
pub(super) fn run_into(
    level: simd::Level,
    m: &mut Machine<LANES>,
    plan: &Plan,
    env: &Env,
    ctx: &[[u32; 4]],
    tbuf: &mut Tbuf,
    vertices: &[VtxIn],
    out: &mut Sink,
) {
    // Eight lanes gain nothing from wider registers, and every level costs another
    // copy of the machine: there are two.
    #[cfg(target_arch = "x86_64")]
    if level >= simd::Level::Avx2 && std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been asked.
        return unsafe { run_avx2(m, plan, env, ctx, tbuf, vertices, out) };
    }
    let _ = level;
    run_lanes(m, plan, env, ctx, tbuf, vertices, out);
}

/// The same source, compiled for AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(
    m: &mut Machine<LANES>,
    plan: &Plan,
    env: &Env,
    ctx: &[[u32; 4]],
    tbuf: &mut Tbuf,
    vertices: &[VtxIn],
    out: &mut Sink,
) {
    run_lanes(m, plan, env, ctx, tbuf, vertices, out);
}

/// [`run`] for the level that the caller is compiled for.
#[inline(always)]
fn run_lanes(
    m: &mut Machine<LANES>,
    plan: &Plan,
    env: &Env,
    ctx: &[[u32; 4]],
    tbuf: &mut Tbuf,
    vertices: &[VtxIn],
    out: &mut Sink,
) {
    match rules(plan.isa, env.ieee) {
        Arithmetic::Kelvin => batches::<Kelvin>(m, plan, env, ctx, tbuf, vertices, out),
        Arithmetic::Legacy => batches::<RankineLegacy>(m, plan, env, ctx, tbuf, vertices, out),
        Arithmetic::Ieee => batches::<Rankine>(m, plan, env, ctx, tbuf, vertices, out),
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
    for (vertex, out) in vertices.iter().zip(out) {
        *out = trace(plan, env, ctx, tbuf, vertex, |_, _, _| {});
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
    match rules(plan.isa, env.ieee) {
        Arithmetic::Kelvin => alone::<Kelvin>(plan, env, ctx, tbuf, vertex, &mut seen),
        Arithmetic::Legacy => alone::<RankineLegacy>(plan, env, ctx, tbuf, vertex, &mut seen),
        Arithmetic::Ieee => alone::<Rankine>(plan, env, ctx, tbuf, vertex, &mut seen),
    }
}

type Seen<'s, const N: usize> = &'s mut dyn FnMut(usize, &Inst, &Machine<N>);

/// One vertex that may write the context.
#[inline(never)]
fn alone<R: Rules>(
    plan: &Plan,
    env: &Env,
    mut ctx: &mut [[u32; 4]],
    tbuf: &mut Tbuf,
    vertex: &VtxIn,
    seen: Seen<1>,
) -> Results {
    let mut m = Machine::<1>::new();
    let mut result = [Results::default()];
    m.fill_outputs(plan, tbuf);
    m.start(plan, core::array::from_ref(vertex));
    let mut operands = Operands::new(plan, env, &ctx, false);
    walk::<R, _, 1>(&mut m, plan, env, &mut ctx, 1, &mut operands, Some(seen));
    *tbuf = m.tbuf(0);
    let mut sink = Sink::Raw(&mut result);
    let vertex = core::slice::from_ref(vertex);
    out::emit::<R, 1>(&m, plan, env.viewport.as_ref(), vertex, 0, &mut sink);
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
fn batches<R: Rules>(
    m: &mut Machine<LANES>,
    plan: &Plan,
    env: &Env,
    mut ctx: &[[u32; 4]],
    tbuf: &mut Tbuf,
    vertices: &[VtxIn],
    out: &mut Sink,
) {
    m.fill_outputs(plan, tbuf);
    let mut operands = Operands::new(plan, env, &ctx, true);
    for (number, chunk) in vertices.chunks(LANES).enumerate() {
        // Straight code writes the same outputs for every vertex, so what it leaves
        // alone is still there.
        if plan.flow {
            m.fill_outputs(plan, tbuf);
        }
        let padded;
        let full = match chunk.first_chunk() {
            Some(full) => full,
            None => {
                padded = core::array::from_fn(|i| chunk[i.min(chunk.len() - 1)]);
                &padded
            }
        };
        m.start(plan, full);
        walk::<R, _, LANES>(m, plan, env, &mut ctx, chunk.len(), &mut operands, None);
        let viewport = env.viewport.as_ref();
        out::emit::<R, LANES>(m, plan, viewport, chunk, number * LANES, out);
    }
    if let Some(last) = vertices.len().checked_sub(1) {
        *tbuf = m.tbuf(last % LANES);
    }
}

/// Steps until all lanes have ended. In straight code they walk together; where
/// they part, those at the lowest program counter go first.
#[inline(always)]
fn walk<R: Rules, C: Ctx, const N: usize>(
    m: &mut Machine<N>,
    plan: &Plan,
    env: &Env,
    ctx: &mut C,
    lanes: usize,
    operands: &mut Operands<N>,
    mut seen: Option<Seen<N>>,
) {
    let stop = plan.insts.len();
    let limit = match plan.isa {
        Isa::Kelvin => usize::MAX,
        Isa::Rankine | Isa::Curie => env.timeout as usize,
    };
    // Lanes without a vertex, and a program that may not run at all.
    let waiting = if limit == 0 { 0 } else { lanes };
    for pc in m.pc.iter_mut().skip(waiting) {
        *pc = stop;
    }
    let mut active: Active<N> = [u32::MAX; N];
    let mut straight = plan.entry..stop.min(plan.entry.saturating_add(limit));
    loop {
        let at = if plan.flow {
            let at = m.pc.iter().copied().min().unwrap_or(stop);
            for (a, &pc) in active.iter_mut().zip(&m.pc) {
                *a = if pc == at { u32::MAX } else { 0 };
            }
            at
        } else {
            straight.next().unwrap_or(stop)
        };
        let Some(inst) = plan.insts.get(at) else {
            return;
        };
        step::<R, C, N>(m, plan, env, ctx, at, &active, operands);
        if let Some(seen) = &mut seen {
            seen(at, inst, m);
        }
    }
}
