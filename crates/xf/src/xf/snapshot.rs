//! One state of the unit, ready for vertices: threads may share it.

use super::program::{PreparedProgram, Tbuf};
use super::{Mode, State, VtxIn, VtxOut, celsius, fixed};
use isotherm_bus::vertex::Textures;
use isotherm_lanes::Level;
use isotherm_regs::{Chip, Family};

/// The unit as it stands, read-only. Every thread takes a piece of the vertices;
/// whoever has the last piece gives what it got to [`super::Xf::keep_outputs`].
#[derive(Clone, Copy)]
pub struct Snapshot<'a> {
    pub(super) chip: Chip,
    pub(super) mode: &'a Mode,
    pub(super) state: &'a State,
    /// Set where a program is on.
    pub(super) program: Option<PreparedProgram<'a>>,
}

/// What the last vertex of a batch leaves behind for the next batch.
#[derive(Clone, Debug, Default)]
pub struct LastOutputs(pub(super) Option<(Tbuf, u64)>);

impl Snapshot<'_> {
    /// Is a program on that jumps? How long it takes is known only afterwards.
    pub fn jumps(&self) -> bool {
        self.program.is_some_and(|program| program.jumps())
    }

    /// Transforms and lights as many vertices as both slices have.
    pub fn run(
        &self,
        textures: Option<&dyn Textures>,
        vertices: &[VtxIn],
        out: &mut [VtxOut],
    ) -> LastOutputs {
        self.run_at(Level::current(), textures, vertices, out)
    }

    /// The same at a given vector level.
    pub fn run_at(
        &self,
        level: Level,
        textures: Option<&dyn Textures>,
        vertices: &[VtxIn],
        out: &mut [VtxOut],
    ) -> LastOutputs {
        let count = vertices.len().min(out.len());
        let (vertices, out) = (&vertices[..count], &mut out[..count]);
        if count == 0 {
            return LastOutputs(None);
        }
        if let Some(program) = &self.program {
            return LastOutputs(Some(
                program.run(level, self.mode, self.state, textures, vertices, out),
            ));
        }
        match self.chip.family() {
            Family::Celsius => celsius::run(level, self.chip, self.state, vertices, out),
            _ => fixed::run(level, self.mode, self.state, vertices, out),
        }
        LastOutputs(None)
    }
}

const _: () = {
    const fn threads_may_share<T: Send + Sync>() {}
    threads_may_share::<Snapshot<'static>>();
    threads_may_share::<LastOutputs>();
};
