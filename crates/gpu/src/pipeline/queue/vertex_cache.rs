//! Vertices that were transformed already, by their number.

use crate::idx::Idx;
use isotherm_pixel::scene::Scene;

/// Entries; a power of two.
const ENTRIES: usize = 4096;
/// Most vertex numbers are below this one.
const LOW_NUMBERS: u32 = 1 << 16;
/// The number of entries that hold nothing.
const NONE: u32 = u32::MAX;

/// Where in the scene the vertices of an open primitive are.
pub(super) struct VertexCache {
    /// Vertex number and place in the scene.
    entries: Vec<(u32, u32)>,
    /// The entries are good.
    valid: bool,
    /// While it is valid: vertices below [`LOW_NUMBERS`] do not lie in the surfaces that are
    /// drawn to.
    low_are_elsewhere: bool,
}

impl VertexCache {
    pub(super) fn new() -> VertexCache {
        VertexCache {
            entries: vec![(NONE, 0); ENTRIES],
            valid: false,
            low_are_elsewhere: false,
        }
    }

    /// None of the vertices is to be used again.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.valid = false;
    }

    /// The place of a vertex, if it has one.
    #[inline]
    pub(super) fn find(&self, number: u32) -> Option<u32> {
        let (kept, place) = self.entries[number as usize % ENTRIES];
        (self.valid && number != NONE && kept == number).then_some(place)
    }

    /// Makes the cache ready, empty if its entries were forgotten.
    #[inline]
    pub(super) fn start(&mut self, idx: &Idx, scene: &Scene) {
        if !self.valid {
            self.entries.fill((NONE, 0));
            self.valid = true;
            let reached = |(addr, len): (u32, usize)| {
                u64::from(addr) + len as u64 > 1 << 32 || scene.surfaces_reach(addr, len)
            };
            self.low_are_elsewhere = !idx.ranges(0, LOW_NUMBERS).any(reached);
        }
    }

    /// May the scene draw over what this vertex is fetched from?
    #[inline]
    pub(super) fn may_be_drawn_to(&self, number: u32) -> bool {
        !self.low_are_elsewhere || number >= LOW_NUMBERS
    }

    /// Keeps the place of a vertex.
    #[inline]
    pub(super) fn keep(&mut self, number: u32, place: u32) {
        if number != NONE {
            self.entries[number as usize % ENTRIES] = (number, place);
        }
    }
}
