//! The pixel pipe for each level of vector instructions; same source, same bits.

use super::Shade;
use super::stage::{Block, Textures, run as run_stages};
use super::words::Program;
use crate::frag::{Frag, I};
use crate::tex::SampleLanes;
use isotherm_lanes::dispatch;

dispatch! {
    /// [`Shade::run_blocks`].
    pub(super) fn run(shade: &Shade, blocks: &mut [Frag], colors: &mut [[I; 4]])
        = run_any::<Lanes>;
}

#[inline(always)]
fn run_any<L: SampleLanes>(shade: &Shade, blocks: &mut [Frag], colors: &mut [[I; 4]]) {
    shade.lanes::<L>(blocks, colors);
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
