//! One state of the unit, ready for vertices: threads may share it.

use super::program::{Ready, Tbuf};
use super::{Mode, State, VtxIn, VtxOut, simd};
use isotherm_bus::vertex::Textures;
use isotherm_regs::{Chip, Family};

/// The unit as it stands, read-only. Every thread takes a piece of the vertices;
/// whoever has the last piece gives what it got to [`super::Xf::settle`].
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub(super) chip: Chip,
    pub(super) mode: &'a Mode,
    pub(super) state: &'a State,
    /// Set where a program is on.
    pub(super) program: Option<Ready<'a>>,
}

/// What the last vertex of a batch leaves behind for the next batch.
#[derive(Clone, Debug, Default)]
pub struct Left(pub(super) Option<Tbuf>);

impl Shared<'_> {
    /// Transforms and lights as many vertices as both slices have.
    pub fn run(
        &self,
        textures: Option<&dyn Textures>,
        vertices: &[VtxIn],
        out: &mut [VtxOut],
    ) -> Left {
        self.run_at(simd::Level::current(), textures, vertices, out)
    }

    /// The same at a given vector level, or the best that the machine has.
    pub fn run_at(
        &self,
        level: simd::Level,
        textures: Option<&dyn Textures>,
        vertices: &[VtxIn],
        out: &mut [VtxOut],
    ) -> Left {
        let level = level.min(simd::Level::best());
        let count = vertices.len().min(out.len());
        let (vertices, out) = (&vertices[..count], &mut out[..count]);
        if count == 0 {
            return Left(None);
        }
        if let Some(program) = &self.program {
            return Left(Some(
                program.run(level, self.mode, self.state, textures, vertices, out),
            ));
        }
        match self.chip.family() {
            Family::Celsius => simd::celsius_at(level, self.chip, self.state, vertices, out),
            _ => simd::fixed_at(level, self.mode, self.state, vertices, out),
        }
        Left(None)
    }
}

const _: () = {
    const fn threads_may_share<T: Send + Sync>() {}
    threads_may_share::<Shared<'static>>();
    threads_may_share::<Left>();
};
