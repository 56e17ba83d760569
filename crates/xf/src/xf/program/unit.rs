//! The program side of the unit: memory, output buffer, limits.

use super::super::state::word;
use super::super::{LastOutputs, Mode, State, VtxIn, VtxOut};
use super::out::{Finished, Sink};
use super::run::Job;
use super::{Env, Machine, Plan, Rows, Tbuf, UserRows, Xfpr};
use isotherm_bus::saved::Saved;
use isotherm_bus::vertex::Textures;
use isotherm_lanes::Level;
use isotherm_regs::bundle::{XF_A, XF_C, XF_D};
use isotherm_regs::xf::isa::{Inst, Isa, Word};
use isotherm_regs::xf::mode::{ARITH_RULES, XF_MODE, XFCTX_ACCESS, XFMODE_A, XFMODE_B};
use isotherm_regs::{Chip, Family};
use std::sync::Mutex;

/// XF commands that concern programs.
mod cmd {
    pub const XFPR: u8 = 2;
    pub const RUN: u8 = 6;
    pub const CONTROL: u8 = 8;
}

/// What the mode words say about programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Setup {
    code: Isa,
    start: usize,
    ieee: bool,
    viewport: bool,
    user_only: bool,
    writes: bool,
    timeout: Option<u32>,
}

impl Setup {
    fn decode(chip: Chip, state: &State) -> Setup {
        if chip.family() == Family::Curie {
            let bundles = &state.curie.bundles;
            let (a, c) = (bundles.XF_A, bundles.XF_C);
            return Setup {
                // In mode PROGRAM_V2 too: Mesa's blits and its software vertex path set it
                // and send Curie's words. NV40 also has a mode for Rankine's (envytools
                // intro.rst); what chooses it is not known.
                code: Isa::Curie,
                start: XF_C::PROGRAM_START_POS.get(chip, c) as usize,
                ieee: XF_C::ARITH_RULES.get(chip, c) == ARITH_RULES::MODERN,
                viewport: XF_A::VIEWPORT_TRANSFORM_SKIP.get(chip, a) == 0,
                user_only: false,
                writes: false,
                timeout: Some(XF_D::TIMEOUT.get(chip, bundles.XF_D)),
            };
        }
        let (a, b) = (state.mode[word::B], state.mode[word::A]);
        let rankine = chip.family() == Family::Rankine;
        let v2 = XFMODE_B::MODE.get(chip, b) == XF_MODE::PROGRAM_V2;
        Setup {
            code: if rankine && v2 {
                Isa::Rankine
            } else {
                Isa::Kelvin
            },
            start: XFMODE_A::PROGRAM_START_POS.get(chip, a) as usize,
            ieee: rankine && XFMODE_B::ARITH_RULES.get(chip, b) == ARITH_RULES::MODERN,
            // Kelvin programs write window coordinates themselves, also on Rankine.
            viewport: rankine && v2 && XFMODE_B::VIEWPORT_TRANSFORM_SKIP.get(chip, b) == 0,
            // Drivers for Rankine leave this at "user only" and still use rows that the
            // documentation counts as fixed function's, so it is not held against them.
            user_only: !rankine && XFMODE_B::XFCTX_ACCESS.get(chip, b) == XFCTX_ACCESS::USER_ONLY,
            writes: XFMODE_B::XFCTX_WRITE_ENABLE.get(chip, b) != 0,
            timeout: None,
        }
    }
}

/// What XF keeps for programs besides its context.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    chip: Chip,
    xfpr: Xfpr,
    tbuf: Tbuf,
    timeout: u32,
    branch_table: [u16; 16],
    machines: Machines,
    /// What programs took since somebody asked.
    steps: u64,
    /// The memory was changed from outside: all of it is to be decoded again.
    reload: bool,
}

impl Programs {
    pub(crate) fn new(chip: Chip) -> Programs {
        let isa = match chip.family() {
            Family::Rankine => Isa::Rankine,
            Family::Curie => Isa::Curie,
            _ => Isa::Kelvin,
        };
        Programs {
            chip,
            xfpr: Xfpr::new(isa),
            tbuf: Tbuf::default(),
            timeout: 0xffff,
            branch_table: [0; 16],
            machines: Machines::default(),
            steps: 0,
            reload: false,
        }
    }

    /// Somebody may have changed the words in [`State::xfpr`].
    pub(crate) fn forget(&mut self) {
        self.reload = true;
    }

    /// The memory as it is to run now.
    fn memory(&mut self, setup: &Setup, state: &State) -> &Xfpr {
        if std::mem::take(&mut self.reload) {
            for (slot, &upload) in state.xfpr.iter().enumerate() {
                self.xfpr.write(slot, upload);
            }
        }
        self.xfpr.set_code(setup.code);
        &self.xfpr
    }

    /// Whether the command is one of those below.
    pub(crate) fn listens(command: u8) -> bool {
        matches!(command, cmd::XFPR | cmd::RUN | cmd::CONTROL)
    }

    /// Takes a command that `state` has already staged or committed.
    pub(crate) fn command(&mut self, command: u8, addr: u16, a: u32, state: &mut State) {
        let row = usize::from(addr >> 4);
        match command {
            cmd::XFPR => {
                if let Some(&upload) = state.xfpr.get(row) {
                    self.xfpr.write(row, upload);
                }
            }
            cmd::CONTROL => self.control(row, state.slot),
            cmd::RUN => self.run_state_program(a as usize, state),
            _ => {}
        }
    }

    /// Rows 0 and 1: eight 9-bit branch addresses each, two per word; row 2: the timeout.
    fn control(&mut self, row: usize, words: [u32; 4]) {
        match row {
            0 | 1 => {
                for (i, entry) in self.branch_table[8 * row..8 * row + 8]
                    .iter_mut()
                    .enumerate()
                {
                    *entry = (words[i / 2] >> (16 * (i & 1)) & 0x1ff) as u16;
                }
            }
            2 => self.timeout = words[0] & 0xffff,
            _ => {}
        }
    }

    /// All words that the state's do not give.
    pub(crate) fn saved(&mut self, saved: &mut Saved) {
        let Tbuf {
            rows,
            fog,
            point_size,
        } = &mut self.tbuf;
        saved.words(rows.as_flattened_mut());
        saved.words([fog, point_size, &mut self.timeout]);
        self.timeout &= 0xffff;
        for entry in &mut self.branch_table {
            let mut word = u32::from(*entry);
            saved.word(&mut word);
            *entry = (word & 0x1ff) as u16;
        }
        self.reload |= saved.loads();
    }

    /// The words that [`Programs::control`] would take to be as it is.
    pub(crate) fn control_words(&self) -> [[u32; 4]; 3] {
        let row = |row: usize| {
            std::array::from_fn(|i| {
                let at = 8 * row + 2 * i;
                let [low, high] = [self.branch_table[at], self.branch_table[at + 1]];
                u32::from(low) | u32::from(high) << 16
            })
        };
        [row(0), row(1), [self.timeout, 0, 0, 0]]
    }

    fn env<'t>(&self, setup: &Setup, state: &State, textures: Option<&'t dyn Textures>) -> Env<'t> {
        let viewport = setup.viewport.then(|| match self.chip.family() {
            Family::Curie => state.curie.viewport,
            _ => state.rankine_viewport(),
        });
        Env {
            timeout: setup.timeout.unwrap_or(self.timeout),
            ieee: setup.ieee,
            viewport,
            branch_table: self.branch_table,
            user_rows: setup.user_only.then_some(UserRows::KELVIN),
            textures,
            rows: Rows::mapped(self.chip, &state.curie.bundles),
            ..Env::default()
        }
    }

    /// A vertex state program: one input, no output, context writes.
    fn run_state_program(&mut self, start: usize, state: &mut State) {
        let setup = Setup::decode(self.chip, state);
        let env = self.env(&setup, state, None);
        let mut attr = [[0; 4]; 16];
        attr[0] = state.slot;
        let vertex = VtxIn {
            attr,
            edge_flag: false,
        };
        // It has no output buffer of its own to leave behind.
        let mut tbuf = self.tbuf.clone();
        self.memory(&setup, state);
        let plan = self.xfpr.plan(start);
        let job = Job::new(Level::current(), &plan, &env);
        let mut machine = self.machines.take();
        job.run_one(
            &mut machine,
            &mut state.xfctx,
            &mut tbuf,
            &vertex,
            &mut None,
        );
        self.steps += machine.steps;
        self.machines.put(machine);
    }

    /// Steps of programs whose length is not known before, since the last call.
    #[inline]
    pub(crate) fn take_steps(&mut self) -> u64 {
        std::mem::take(&mut self.steps)
    }

    /// The program that the mode selects, ready to run; `None` when it writes the
    /// context.
    pub(crate) fn ready(&mut self, state: &State) -> Option<PreparedProgram<'_>> {
        let setup = Setup::decode(self.chip, state);
        let env = self.env(&setup, state, None);
        self.memory(&setup, state);
        let plan = self.xfpr.plan(setup.start);
        (!setup.writes || !plan.writes_ctx).then_some(PreparedProgram {
            plan,
            env,
            tbuf: &self.tbuf,
            machines: &self.machines,
            raw_fog: self.chip.family() == Family::Curie,
        })
    }

    /// Takes what the last vertex of a batch left behind.
    pub(crate) fn keep_outputs(&mut self, left: LastOutputs) {
        if let Some((tbuf, steps)) = left.0 {
            self.tbuf = tbuf;
            self.steps += steps;
        }
    }

    /// Vertices one after the other through a program that writes the context.
    pub(crate) fn run_in_order(
        &mut self,
        mode: &Mode,
        state: &mut State,
        textures: Option<&dyn Textures>,
        vertices: &[VtxIn],
        out: &mut [VtxOut],
    ) {
        let setup = Setup::decode(self.chip, state);
        let env = self.env(&setup, state, textures);
        self.memory(&setup, state);
        let plan = self.xfpr.plan(setup.start);
        let raw_fog = self.chip.family() == Family::Curie;
        let job = Job::new(Level::current(), &plan, &env);
        let mut machine = self.machines.take();
        for (vertex, out) in vertices.iter().zip(out) {
            let (ctx, before) = (&mut state.xfctx, self.tbuf.clone());
            job.run_one(&mut machine, ctx, &mut self.tbuf, vertex, &mut None);
            let out = std::slice::from_mut(out);
            let finished = Finished::new(&job, &before, mode, state, raw_fog, out);
            job.emit_one(&machine, vertex, &mut Sink::Finished(finished));
        }
        self.steps += machine.steps;
        self.machines.put(machine);
    }

    /// One vertex on copies of everything, with a look after every instruction.
    pub(crate) fn trace(
        &mut self,
        mode: &Mode,
        state: &State,
        vertex: &VtxIn,
        mut seen: impl FnMut(usize, Isa, Word, &Inst, &Machine),
    ) -> VtxOut {
        let setup = Setup::decode(self.chip, state);
        let env = self.env(&setup, state, None);
        let mut ctx = state.xfctx.clone();
        let before = self.tbuf.clone();
        let mut tbuf = before.clone();
        let raw_fog = self.chip.family() == Family::Curie;
        let memory = self.memory(&setup, state);
        let plan = memory.plan(setup.start);
        let base = plan.base();
        let mut seen = |at: usize, inst: &Inst, machine: &Machine| {
            let word = Word::from_upload(memory.read(base + at));
            seen(base + at, memory.code, word, inst, machine);
        };
        let job = Job::new(Level::current(), &plan, &env);
        let (machine, mut out) = (&mut Machine::new(), [VtxOut::default()]);
        job.run_one(machine, &mut ctx, &mut tbuf, vertex, &mut Some(&mut seen));
        let finished = Finished::new(&job, &before, mode, state, raw_fog, &mut out);
        job.emit_one(machine, vertex, &mut Sink::Finished(finished));
        let [out] = out;
        out
    }
}

/// A program that only reads the context, ready for vertices.
#[derive(Clone, Copy)]
pub(crate) struct PreparedProgram<'a> {
    plan: Plan<'a>,
    env: Env<'a>,
    tbuf: &'a Tbuf,
    machines: &'a Machines,
    /// Curie has no LT for the fog coordinate to go through.
    raw_fog: bool,
}

impl PreparedProgram<'_> {
    /// Does it jump, so that its length depends on the vertex?
    pub(crate) fn jumps(&self) -> bool {
        self.plan.flow
    }

    /// Runs it on every vertex; gives the output buffer as the last one left it, and the steps
    /// that its jumps led over.
    pub(crate) fn run(
        &self,
        level: Level,
        mode: &Mode,
        state: &State,
        textures: Option<&dyn Textures>,
        vertices: &[VtxIn],
        out: &mut [VtxOut],
    ) -> (Tbuf, u64) {
        let env = Env {
            textures,
            ..self.env
        };
        let mut tbuf = self.tbuf.clone();
        let job = Job::new(level, &self.plan, &env);
        let finished = Finished::new(&job, &tbuf, mode, state, self.raw_fog, out);
        let mut sink = Sink::Finished(finished);
        let ctx = &state.xfctx;
        let mut machine = self.machines.take();
        job.run(&mut machine, ctx, &mut tbuf, vertices, &mut sink);
        let steps = machine.steps;
        self.machines.put(machine);
        (tbuf, steps)
    }
}

/// Machines at rest, one for each thread that has run a program: they are large, and
/// what a program reads of them is set before it runs.
#[derive(Debug, Default)]
struct Machines(Mutex<Vec<Machine>>);

impl Machines {
    fn take(&self) -> Machine {
        let kept = self.0.lock().ok().and_then(|mut all| all.pop());
        let mut machine = kept.unwrap_or_default();
        machine.steps = 0;
        machine
    }

    fn put(&self, machine: Machine) {
        if let Ok(mut all) = self.0.lock() {
            all.push(machine);
        }
    }
}

/// A copy starts with none.
impl Clone for Machines {
    fn clone(&self) -> Machines {
        Machines::default()
    }
}
