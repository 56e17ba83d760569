//! Batches of vertices through a program.

use super::super::arith::Rules;
use super::super::lanes;
use super::super::{LANES, Results, VtxIn};
use super::alu;
use super::block::{self, Stand, block_at};
use super::context::Context;
use super::machine::{Machine, Tbuf};
use super::out::{self, Sink};
use super::resolve::Stretch;
use super::step::{context_row, step};
use super::{Plan, Rows, Viewport};
use isotherm_bus::vertex::Textures;
use isotherm_lanes::{Level, dispatch};
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
    /// Set where results come from other places than usual (Curie).
    pub rows: Option<Rows>,
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
            rows: None,
        }
    }
}

/// A program, ready to run at a vector level.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub level: Level,
    pub plan: &'a Plan<'a>,
    pub env: &'a Env<'a>,
    pub rules: Rules,
    /// Instructions run one by one.
    pub stepwise: bool,
}

impl Job<'_> {
    /// Where results come from.
    pub(super) fn rows(&self) -> Rows {
        self.env.rows.unwrap_or(Rows::of(self.plan.isa))
    }
}

impl<'a> Job<'a> {
    pub(super) fn new(level: Level, plan: &'a Plan<'a>, env: &'a Env<'a>) -> Job<'a> {
        let rules = match (plan.isa, env.ieee) {
            (Isa::Kelvin, _) => Rules::Kelvin,
            (Isa::Rankine, false) => Rules::RankineLegacy,
            (Isa::Rankine, true) => Rules::Rankine,
            (Isa::Curie, false) => Rules::CurieLegacy,
            (Isa::Curie, true) => Rules::Curie,
        };
        Job {
            level,
            plan,
            env,
            rules,
            stepwise: isotherm_lanes::step_by_step(),
        }
    }

    /// The constants of straight code.
    fn constants(&self, ctx: &Context) -> impl Iterator<Item = u32> {
        self.plan.resolved.constants.iter().map(move |constant| {
            let row = context_row(self, ctx, constant.row);
            row[usize::from(constant.component & 3)] & constant.keep ^ constant.turn
        })
    }

    /// Instructions that a vertex may run.
    fn limit(&self) -> usize {
        match self.plan.isa {
            Isa::Kelvin => usize::MAX,
            Isa::Rankine | Isa::Curie => self.env.timeout as usize,
        }
    }

    /// Whether all instructions run, once and in order.
    fn straight(&self) -> bool {
        !self.stepwise && !self.plan.flow && self.limit() >= self.plan.insts.len()
    }

    /// Runs vertices, for which `out` has room.
    pub(super) fn run(
        &self,
        m: &mut Machine,
        ctx: &[[u32; 4]],
        tbuf: &mut Tbuf,
        vertices: &[VtxIn],
        out: &mut Sink,
    ) {
        let mut ctx = Context::ReadOnly(ctx);
        m.fill_outputs(self.plan, tbuf, u32::MAX);
        m.file.spread(self.constants(&ctx));
        let straight = self.straight();
        for (number, chunk) in vertices.chunks(LANES).enumerate() {
            // What is written alike for every vertex, or never, is still there.
            if self.plan.varying != 0 {
                m.fill_outputs(self.plan, tbuf, self.plan.varying);
            }
            let mut pad = None;
            let full = lanes::full(chunk, &mut pad);
            if straight {
                run_straight(m, self, &mut ctx, full);
            } else {
                walk(m, self, &mut ctx, full, chunk.len(), &mut None);
            }
            out::emit(self.level, m, self, chunk, number * LANES, out);
        }
        if let Some(last) = vertices.len().checked_sub(1) {
            *tbuf = m.tbuf(last % LANES);
        }
    }

    /// Runs one vertex that may write the context, in all lanes alike, and shows the
    /// machine after every instruction. The result is left in it.
    pub(super) fn run_one(
        &self,
        m: &mut Machine,
        ctx: &mut [[u32; 4]],
        tbuf: &mut Tbuf,
        vertex: &VtxIn,
        seen: &mut Seen,
    ) {
        let mut ctx = Context::Writable(ctx);
        m.fill_outputs(self.plan, tbuf, u32::MAX);
        walk(m, self, &mut ctx, &[*vertex; LANES], 1, seen);
        if !self.plan.flow {
            m.steps += self.plan.insts.len() as u64;
        }
        *tbuf = m.tbuf(0);
    }

    /// Takes the result of [`Job::run_one`] out of the machine.
    pub(super) fn emit_one(&self, m: &Machine, vertex: &VtxIn, sink: &mut Sink) {
        out::emit(self.level, m, self, &[*vertex], 0, sink);
    }

    /// The same as the program left it.
    fn result(&self, m: &Machine, vertex: &VtxIn) -> Results {
        let mut result = [Results::default()];
        self.emit_one(m, vertex, &mut Sink::Raw(&mut result));
        let [result] = result;
        result
    }
}

/// Somebody who looks at the machine after every instruction.
pub(super) type Seen<'s> = Option<&'s mut dyn FnMut(usize, &Inst, &Machine)>;

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
    run_at(Level::current(), plan, env, ctx, tbuf, vertices, out);
}

/// [`run`] at a vector level of your choice.
pub fn run_at(
    level: Level,
    plan: &Plan,
    env: &Env,
    ctx: &[[u32; 4]],
    tbuf: &mut Tbuf,
    vertices: &[VtxIn],
    out: &mut [Results],
) {
    let count = vertices.len().min(out.len());
    let job = Job::new(level, plan, env);
    let m = &mut Machine::new();
    job.run(m, ctx, tbuf, &vertices[..count], &mut Sink::Raw(out));
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
    let job = Job::new(Level::current(), plan, env);
    let m = &mut Machine::new();
    for (vertex, out) in vertices.iter().zip(out) {
        job.run_one(m, ctx, tbuf, vertex, &mut None);
        *out = job.result(m, vertex);
    }
}

/// Runs one vertex and shows the machine after every instruction.
pub fn trace(
    plan: &Plan,
    env: &Env,
    ctx: &mut [[u32; 4]],
    tbuf: &mut Tbuf,
    vertex: &VtxIn,
    mut seen: impl FnMut(usize, &Inst, &Machine),
) -> Results {
    let job = Job::new(Level::current(), plan, env);
    let m = &mut Machine::new();
    job.run_one(m, ctx, tbuf, vertex, &mut Some(&mut seen));
    job.result(m, vertex)
}

dispatch! {
    /// Loads vertices.
    fn start(m: &mut Machine, plan: &Plan, vertices: &[VtxIn; LANES]) = Machine::start;
}

/// A batch through straight code.
fn run_straight(m: &mut Machine, job: &Job, ctx: &mut Context, vertices: &[VtxIn; LANES]) {
    start(job.level, m, job.plan, vertices);
    let resolved = job.plan.resolved;
    for stretch in &resolved.stretches {
        match stretch {
            Stretch::Ops(range) => {
                let ops = &resolved.ops[range.clone()];
                alu::run(job.level, job.level, job.rules, &mut m.file, ops);
            }
            Stretch::Step(at) => step(job.level, m, job, ctx, *at, &[u32::MAX; LANES]),
        }
    }
}

/// Loads vertices and steps until all lanes have ended. In straight code they walk
/// together; where they part, those at the lowest program counter go first.
fn walk(
    m: &mut Machine,
    job: &Job,
    ctx: &mut Context,
    vertices: &[VtxIn; LANES],
    lanes: usize,
    seen: &mut Seen,
) {
    let plan = job.plan;
    start(job.level, m, plan, vertices);
    let stop = plan.insts.len();
    let limit = job.limit();
    // Lanes without a vertex, and a program that may not run at all.
    let waiting = if limit == 0 { 0 } else { lanes };
    let mut idle = [0; LANES];
    for (pc, idle) in m.pc.iter_mut().zip(&mut idle).skip(waiting) {
        (*pc, *idle) = (stop as u32, u32::MAX);
    }
    let mut straight = plan.entry..stop.min(plan.entry.saturating_add(limit));
    loop {
        let from = if plan.flow {
            block::stand(job.level, m)
        } else {
            Stand {
                at: straight.next().unwrap_or(stop),
                active: [u32::MAX; LANES],
            }
        };
        let Some(inst) = plan.insts.get(from.at) else {
            return;
        };
        if let Some(block) = block_at(job, ctx, from.at)
            && block::run(job.level, m, job, block, &from, &idle)
        {
            m.steps += u64::from(block.count);
            continue;
        }
        m.steps += u64::from(plan.flow);
        step(job.level, m, job, ctx, from.at, &from.active);
        if let Some(seen) = seen {
            seen(from.at, inst, m);
        }
    }
}
