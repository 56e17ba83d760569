//! Where groups of pixels end: in the words of the surfaces.

use super::FastLanes;
use super::color::{self, Pair};
use super::quads::{self, Group};
use super::stages::Batch;
use super::state::{FastState, Source};
use crate::frag::LANES;
use crate::raster::clip::empty;
use crate::raster::tile::Draw;
use crate::rop::surface::{Area, Plane};
use crate::rop::{Func, Target};
use crate::shader::program::Fragments;
use isotherm_bus::memory::SharedBytes;

/// Rows of the largest tile, and the bytes of one of its rows.
const SIDE: usize = 64;
const ROW: usize = 4 * SIDE;

/// A draw and the surfaces of a tile.
#[derive(Clone, Copy)]
pub(crate) struct Sink<'a> {
    pub(super) draw: &'a Draw,
    pub(super) state: &'a FastState,
    pub(super) color: Area<'a>,
    /// Where depth is tested.
    pub(super) zeta: Option<Area<'a>>,
    /// May groups wait for their colours? Not where those may be depth, as surfaces can lie in
    /// each other, and not where other triangles of the draw need no pixel units and are drawn at
    /// once.
    pub(super) may_wait: bool,
    /// Does the depth of groups that wait do so, too? Where alpha decides about it. Then those
    /// that wait must not have a pixel in common.
    pub(super) depth_waits: bool,
}

impl<'a> Sink<'a> {
    /// Where triangles of a draw end in `r`, whole blocks of the tile at `origin` of which no
    /// other tile has a part. `None` if they do not go the fast way, or if memory ends before
    /// the last pixel.
    pub(crate) fn new(
        draw: &'a Draw,
        target: &Target<'a>,
        r: [i32; 4],
        origin: [i32; 2],
    ) -> Option<Sink<'a>> {
        let state = draw.fast.as_ref().filter(|_| !empty(&r))?;
        let area = |surface: &Option<(Plane, SharedBytes<'a>)>| {
            let (plane, bytes) = surface.as_ref()?;
            plane.area(*bytes, r, origin)
        };
        let color = area(&target.color)?;
        let zeta = match state.depth {
            Some(_) => Some(area(&target.zeta)?),
            None => None,
        };
        let apart = |zeta: &Area<'_>| {
            let ((a, pitch), (b, zeta_pitch)) = (color.parts(), zeta.parts());
            let row = (pitch.max(zeta_pitch) as usize).max(ROW);
            a.addr().abs_diff(b.addr()) >= SIDE * row
        };
        let writes_depth = matches!(state.depth, Some((_, true)));
        Some(Sink {
            draw,
            state,
            color,
            zeta,
            may_wait: state.source == Source::Units && zeta.as_ref().is_none_or(apart),
            depth_waits: draw.rop.alpha.is_some() && writes_depth,
        })
    }
}

impl Sink<'_> {
    /// Does the primitives' ZPASS count?
    pub(crate) fn counts(&self) -> bool {
        self.draw.rop.count
    }

    /// Its program, if it has one without branches.
    #[inline(always)]
    pub(super) fn straight(&self) -> Option<&Fragments> {
        let program = self.draw.program.as_ref();
        program.filter(|program| program.is_straight())
    }

    /// Where new depth goes, if it goes anywhere.
    #[inline(always)]
    fn depth_to(&self) -> Option<&Area<'_>> {
        self.zeta
            .as_ref()
            .filter(|_| matches!(self.state.depth, Some((_, true))))
    }

    /// The alpha test of group `i`, by a function and a reference.
    #[inline(always)]
    pub(super) fn alpha_stage<L: FastLanes>(
        &self,
        (func, reference): (Func, u32),
        batch: &mut Batch,
        i: usize,
    ) {
        let alpha = color::alpha_of(&batch.colors[i][1]);
        batch.masks[i] &= L::compare(func, &alpha, &[reference; LANES]);
        if let Some(zeta) = self.depth_to() {
            // Pixels that are not drawn keep their depth: quads are written whole.
            // SAFETY: `cover` lists quads that the areas have.
            let old = unsafe { quads::read::<L>(zeta, &batch.groups[i], batch.whole[i]) };
            batch.zeta[i] = L::choose(batch.masks[i], &batch.zeta[i], &old);
        }
    }

    /// The words of a group.
    #[inline(always)]
    pub(super) fn old<L: FastLanes>(&self, group: &Group, block: bool) -> [u32; LANES] {
        // SAFETY: as above.
        unsafe { quads::read::<L>(&self.color, group, block) }
    }

    /// Writes the words of a group of which the lanes in `mask` are drawn. Returns their number.
    #[inline(always)]
    pub(super) fn write_color<L: FastLanes>(
        &self,
        group: &Group,
        block: bool,
        words: &[u32; LANES],
        mask: u16,
    ) -> u32 {
        // SAFETY: as above.
        unsafe { quads::write::<L>(&self.color, group, block, words, mask) };
        mask.count_ones()
    }

    /// Writes the depth of group `i`, where depth is written.
    #[inline(always)]
    pub(super) fn write_depth<L: FastLanes>(&self, batch: &Batch, i: usize, block: bool) {
        if let Some(zeta) = self.depth_to() {
            let (group, mask) = (&batch.groups[i], batch.masks[i]);
            // SAFETY: as above.
            unsafe { quads::write::<L>(zeta, group, block, &batch.zeta[i], mask) };
        }
    }

    /// Colours as words over the old ones, in the lanes of `mask`.
    #[inline(always)]
    pub(super) fn blended<L: FastLanes>(
        &self,
        color: [Pair; 2],
        mask: u16,
        old: &[u32; LANES],
    ) -> [u32; LANES] {
        color::blended::<L>(self.state, &self.draw.rop, color, mask, old)
    }
}
