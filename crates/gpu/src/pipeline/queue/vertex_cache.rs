//! Vertices that were transformed already, by their number.

use crate::idx::Idx;

/// Entries; a power of two.
pub(super) const ENTRIES: usize = 4096;
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
    pub(super) low_are_elsewhere: bool,
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

    /// Are the entries good?
    #[inline]
    pub(super) fn is_ready(&self) -> bool {
        self.valid
    }

    /// Makes the cache ready, empty if its entries were forgotten. `drawn_to` says whether
    /// any of these bytes (address and length) are part of the surfaces.
    #[inline]
    pub(super) fn start(&mut self, idx: &Idx, drawn_to: impl FnMut((u32, usize)) -> bool) {
        if !self.valid {
            self.entries.fill((NONE, 0));
            self.valid = true;
            self.low_are_elsewhere = !idx.ranges(0, LOW_NUMBERS).any(drawn_to);
        }
    }

    /// May the scene draw over what this vertex is fetched from?
    #[inline]
    pub(super) fn may_be_drawn_to(&self, number: u32) -> bool {
        !self.low_are_elsewhere || number >= LOW_NUMBERS
    }

    /// Numbers and places of the vertices that may be used again.
    pub(super) fn kept(&self) -> impl Iterator<Item = (u32, u32)> {
        let entries = self.entries.iter().copied();
        entries.filter(|(number, _)| self.valid && *number != NONE)
    }

    /// A cache with the same vertices at other places.
    pub(super) fn refill(
        &mut self,
        low_are_elsewhere: bool,
        kept: impl IntoIterator<Item = (u32, u32)>,
    ) {
        self.entries.fill((NONE, 0));
        self.valid = true;
        self.low_are_elsewhere = low_are_elsewhere;
        kept.into_iter()
            .for_each(|(number, place)| self.keep(number, place));
    }

    /// Keeps the place of a vertex.
    #[inline]
    pub(super) fn keep(&mut self, number: u32, place: u32) {
        if number != NONE {
            self.entries[number as usize % ENTRIES] = (number, place);
        }
    }
}
