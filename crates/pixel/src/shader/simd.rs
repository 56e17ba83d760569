//! The pixel pipe for each level of vector instructions; same source, same bits.

use super::stage::{self, Block};
use super::words::Program;
use super::{Shade, Unit};
use crate::frag::{Frag, I};
use crate::tex::{Image, SampleLanes};
use isotherm_lanes::dispatch;
use std::sync::Arc;

dispatch! {
    /// [`Shade::run`].
    pub(super) fn run(shade: &Shade, frag: &mut Frag) -> [I; 4] = run_any::<Lanes>;
}

#[inline(always)]
fn run_any<L: SampleLanes>(shade: &Shade, frag: &mut Frag) -> [I; 4] {
    shade.lanes::<L>(frag)
}

dispatch! {
    /// [`stage::run`].
    pub(super) fn stages(
        program: &Program,
        units: &[Option<Unit>; 4],
        images: &[Option<Arc<Image>>; 4],
        live: u8,
        block: Block<'_>,
        registers: &mut [[I; 4]],
    ) = stage::run;
}
