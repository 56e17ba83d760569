//! The pixel pipe for each level of vector instructions; same source, same bits.

use super::Shade;
use super::stage::{Textures, run as run_stages};
use super::words::Program;
use crate::frag::{ColorPairs, Frag};
use crate::tex::SampleLanes;
use isotherm_lanes::dispatch;

dispatch! {
    /// [`Shade::run_blocks`].
    pub(super) fn run(shade: &Shade, blocks: &mut [Frag], colors: &mut [ColorPairs])
        = run_any::<Lanes>;
}

#[inline(always)]
fn run_any<L: SampleLanes>(shade: &Shade, blocks: &mut [Frag], colors: &mut [ColorPairs]) {
    shade.lanes::<L>(blocks, colors);
}

dispatch! {
    /// [`run_stages`].
    pub(super) fn stages(program: &Program, textures: &Textures<'_>, live: [u8; 2], blocks: &mut [Frag])
        = run_stages::<Lanes>;
}
