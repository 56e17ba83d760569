//! The pixel pipe for each level of vector instructions; same source, same bits.

use super::Shade;
use super::stage::{Block, Textures, run as run_stages};
use super::words::Program;
use crate::frag::{Frag, I};
use crate::tex::SampleLanes;
use isotherm_lanes::dispatch;

dispatch! {
    /// [`Shade::run`].
    pub(super) fn run(shade: &Shade, frag: &mut Frag) -> [I; 4] = run_any::<Lanes>;
}

#[inline(always)]
fn run_any<L: SampleLanes>(shade: &Shade, frag: &mut Frag) -> [I; 4] {
    shade.lanes::<L>(frag)
}

dispatch! {
    /// [`run_stages`].
    pub(super) fn stages(
        program: &Program,
        textures: &Textures<'_>,
        live: u8,
        block: Block<'_>,
        registers: &mut [[I; 4]],
    ) = run_stages::<Lanes>;
}
