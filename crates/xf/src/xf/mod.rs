//! XF: the vertex transform engine, with LT, its lighting engine, behind it.
//!
//! [`Xf`] keeps the unit's state (mode words, XFCTX, LTCTX, LTC, XFPR), takes
//! the front end's commands, and turns batches of vertices into what ASSM gets.

pub mod arith;
pub mod bench;
mod bundles;
pub mod celsius;
mod fixed;
pub(crate) mod lanes;
pub mod level_check;
pub(crate) mod mode;
mod output;
pub mod program;
mod snapshot;
mod state;

pub use bundles::Bundles;
pub use fixed::Seen;
pub use mode::{FogSource, LightMode, Mode, Path, TexGen, TexMode};
pub use output::Results;
pub use snapshot::{LastOutputs, Snapshot};
pub use state::{LTC_BANKS, State};

use isotherm_bus::saved::Saved;
use isotherm_bus::unit::Takes;
use isotherm_bus::vertex::{Textures, VtxIn, VtxOut};
pub use isotherm_lanes::Level;
use isotherm_lanes::dispatch;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::xf::isa::{Inst, Isa, Word};
use isotherm_regs::{Chip, Family};

/// Vertices per step: one register of doubles in AVX-512, two in AVX2.
pub const LANES: usize = 8;

/// The vertex engine of one chip.
#[derive(Clone, Debug)]
pub struct Xf {
    chip: Chip,
    state: State,
    mode: Mode,
    stale: bool,
    programs: program::Programs,
}

impl Xf {
    /// A unit as the driver's initial context leaves it.
    pub fn new(chip: Chip) -> Xf {
        let state = State::new(chip);
        let mode = Mode::decode(chip, &state);
        Xf {
            chip,
            state,
            mode,
            stale: false,
            programs: program::Programs::new(chip),
        }
    }

    /// The unit's registers.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The unit's registers, for programs that write them and for context load.
    pub fn state_mut(&mut self) -> &mut State {
        self.stale = true;
        self.programs.forget();
        &mut self.state
    }

    /// The words in the pass-through slot, staged for a row that is not complete.
    pub fn staged(&self) -> [u32; 4] {
        self.state.slot
    }

    /// Rankine's program control as the words that load it: two rows of branch addresses, one
    /// of the time-out.
    pub fn program_control(&self) -> [[u32; 4]; 3] {
        self.programs.control_words()
    }

    /// All words that it holds, but for those of bundles.
    pub fn saved(&mut self, saved: &mut Saved) {
        let Xf {
            chip,
            state,
            mode: _,
            stale,
            programs,
        } = self;
        state.saved(saved);
        if saved.loads() {
            state.cut_lt(*chip);
        }
        programs.saved(saved);
        *stale |= saved.loads();
    }

    /// The mode words, decoded.
    pub fn mode(&mut self) -> &Mode {
        if self.stale {
            self.mode = Mode::decode(self.chip, &self.state);
            self.stale = false;
        }
        &self.mode
    }

    /// Takes one `Event::Xf` of the front end.
    ///
    /// | cmd | space | address |
    /// |---|---|---|
    /// | 2 | XFPR | row << 4, component << 2 |
    /// | 4 | PARAM, the input of a vertex state program | component << 2 |
    /// | 6 | RUN a vertex state program | first slot in `a` |
    /// | 7 | XFMODE | 0, 8 (Rankine also 10h, 18h) |
    /// | 8 | branch table (Rankine), program timeout | row << 4, component << 2 |
    /// | 9 | XFCTX | row << 4, component << 2 |
    /// | 10 | LTCTX | row << 4, component << 2 |
    /// | 11-14 | LTC0-LTC3 | row << 4 |
    ///
    /// `be` says which of the two words count: 1 the first at `addr`, 2 the
    /// second (whose component is already in `addr`), 3 both. Celsius, whose
    /// front end loads the spaces directly, uses the same encoding with whole
    /// rows and XFMODE as (400F40h, 400F44h) at address 0.
    pub fn command(&mut self, cmd: u8, addr: u16, be: u8, a: u32, b: u32) {
        if self.chip.family() == Family::Curie && self.state.curie_viewport(cmd, addr, be, a, b) {
            return;
        }
        self.state.command(self.chip, cmd, addr, be, a, b);
        self.stale = true;
        if program::Programs::listens(cmd) {
            self.programs.command(cmd, addr, a, &mut self.state);
        }
    }

    /// Takes the `index`th word of a bundle; Curie's mode travels in some.
    pub fn bundle(&mut self, bundle: Bundle, index: usize, value: u32) {
        self.stale |= self.state.curie.bundles.take(bundle, index, value);
    }

    /// The words of the bundles that it took.
    pub fn bundles(&self) -> &Bundles {
        &self.state.curie.bundles
    }

    /// Transforms and lights a batch of vertices, in order.
    pub fn run(&mut self, vertices: &[VtxIn], out: &mut Vec<VtxOut>) {
        self.run_at(Level::current(), None, vertices, out);
    }

    /// Runs the current program on one vertex, on copies of all state, and shows
    /// the machine after every instruction, with slot, instruction set and word of it;
    /// `None` when no program is on.
    pub fn trace(
        &mut self,
        vertex: &VtxIn,
        seen: impl FnMut(usize, Isa, Word, &Inst, &program::Machine),
    ) -> Option<VtxOut> {
        let celsius = self.chip.family() == Family::Celsius;
        let on = self.mode().path == Path::Program && !celsius;
        on.then(|| self.programs.trace(&self.mode, &self.state, vertex, seen))
    }

    /// Runs fixed function on one vertex and shows what is computed on its way;
    /// `None` when a program is on, and on Celsius, whose engine shows nothing.
    pub fn observe(&mut self, vertex: &VtxIn) -> Option<(Vec<Seen>, VtxOut)> {
        let on = self.mode().path == Path::Fixed && self.chip.family() != Family::Celsius;
        on.then(|| fixed::observe(&self.mode, &self.state, vertex))
    }

    /// [`Xf::run`] with vertex textures.
    pub fn run_textured(
        &mut self,
        textures: &dyn Textures,
        vertices: &[VtxIn],
        out: &mut Vec<VtxOut>,
    ) {
        self.run_at(Level::current(), Some(textures), vertices, out);
    }

    /// The unit as it stands, for threads to run vertices through; `None` when a
    /// program writes the context, so that vertices must run in order.
    pub fn snapshot(&mut self) -> Option<Snapshot<'_>> {
        self.mode();
        let on = self.chip.family() != Family::Celsius && self.mode.path == Path::Program;
        let program = if on {
            Some(self.programs.ready(&self.state)?)
        } else {
            None
        };
        Some(Snapshot {
            chip: self.chip,
            mode: &self.mode,
            state: &self.state,
            program,
        })
    }

    /// Steps, each an instruction for [`LANES`] vertices, that programs took since the last call:
    /// those that jump, and those that run for one vertex alone.
    #[inline]
    pub fn take_steps(&mut self) -> u64 {
        self.programs.take_steps()
    }

    /// Takes what the last vertex of a batch left behind.
    pub fn keep_outputs(&mut self, left: LastOutputs) {
        self.programs.keep_outputs(left);
    }

    /// The same at a given vector level.
    pub(crate) fn run_at(
        &mut self,
        level: Level,
        textures: Option<&dyn Textures>,
        vertices: &[VtxIn],
        out: &mut Vec<VtxOut>,
    ) {
        let base = out.len();
        blank(level, out, vertices.len());
        let out = &mut out[base..];
        match self.snapshot() {
            Some(unit) => {
                let left = unit.run_at(level, textures, vertices, out);
                self.keep_outputs(left);
            }
            None => {
                self.programs
                    .run_in_order(&self.mode, &mut self.state, textures, vertices, out)
            }
        }
    }
}

dispatch! {
    /// Room for so many more vertices: a few vectors each.
    fn blank(out: &mut Vec<VtxOut>, count: usize) = blank_any;
}

#[inline(always)]
fn blank_any(out: &mut Vec<VtxOut>, count: usize) {
    let blank = VtxOut::default();
    out.reserve(count);
    let len = out.len();
    for room in &mut out.spare_capacity_mut()[..count] {
        room.write(blank);
    }
    // SAFETY: so many more have been written.
    unsafe { out.set_len(len + count) };
}
