//! Vertices that were transformed already, by their number.

use crate::idx::Idx;

/// Entries; a power of two.
pub(super) const ENTRIES: usize = 4096;
/// Most vertex numbers are below this one.
const LOW_NUMBERS: u32 = 1 << 16;

/// A vertex that was transformed.
#[derive(Clone, Copy, Default)]
struct Entry {
    number: u32,
    /// In the scene.
    place: u32,
    /// It is good while this is the cache's.
    age: u32,
}

/// Where in the scene the vertices of an open primitive are.
pub(super) struct VertexCache {
    entries: Box<[Entry; ENTRIES]>,
    /// Counts how often the cache was emptied: writing all entries would take longer than a
    /// small draw's vertices.
    age: u32,
    /// The entries are good.
    valid: bool,
    /// While it is valid: vertices below [`LOW_NUMBERS`] do not lie in the surfaces that are
    /// drawn to.
    pub(super) low_are_elsewhere: bool,
}

impl VertexCache {
    pub(super) fn new() -> VertexCache {
        VertexCache {
            entries: Box::new([Entry::default(); ENTRIES]),
            age: 1,
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
    pub(super) fn find(&mut self, number: u32) -> Option<u32> {
        self.good()?.find(number)
    }

    /// The entries, if they are good.
    #[inline]
    pub(super) fn good(&mut self) -> Option<Good<'_>> {
        self.valid.then_some(Good {
            entries: &mut self.entries,
            age: self.age,
        })
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
            self.empty();
            self.valid = true;
            self.low_are_elsewhere = !idx.ranges(0, LOW_NUMBERS).any(drawn_to);
        }
    }

    fn empty(&mut self) {
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            // Entries of the first age would be good again.
            self.entries.fill(Entry::default());
            self.age = 1;
        }
    }

    /// Vertices below this number do not lie in what the scene draws to; others may.
    #[inline]
    pub(super) fn elsewhere(&self) -> u32 {
        if self.low_are_elsewhere {
            LOW_NUMBERS
        } else {
            0
        }
    }

    /// Numbers and places of the vertices that may be used again.
    pub(super) fn kept(&self) -> impl Iterator<Item = (u32, u32)> {
        let good = |entry: &&Entry| self.valid && entry.age == self.age;
        let entries = self.entries.iter().filter(good);
        entries.map(|entry| (entry.number, entry.place))
    }

    /// A cache with the same vertices at other places.
    pub(super) fn refill(
        &mut self,
        low_are_elsewhere: bool,
        kept: impl IntoIterator<Item = (u32, u32)>,
    ) {
        self.empty();
        self.valid = true;
        self.low_are_elsewhere = low_are_elsewhere;
        kept.into_iter()
            .for_each(|(number, place)| self.keep(number, place));
    }

    /// Keeps the place of a vertex.
    #[inline]
    pub(super) fn keep(&mut self, number: u32, place: u32) {
        let (entries, age) = (&mut *self.entries, self.age);
        Good { entries, age }.keep(number, place);
    }
}

/// Entries that are good: who looks for many numbers need not ask for each whether they are.
pub(super) struct Good<'a> {
    entries: &'a mut [Entry; ENTRIES],
    age: u32,
}

impl Good<'_> {
    /// The place of a vertex, if it has one.
    #[inline]
    pub(super) fn find(&self, number: u32) -> Option<u32> {
        let entry = &self.entries[number as usize % ENTRIES];
        let found = entry.age == self.age && entry.number == number;
        found.then_some(entry.place)
    }

    /// Keeps the place of a vertex.
    #[inline]
    pub(super) fn keep(&mut self, number: u32, place: u32) {
        self.entries[number as usize % ENTRIES] = Entry {
            number,
            place,
            age: self.age,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_forgotten_is_not_found_again() {
        let mut cache = VertexCache::new();
        assert_eq!(cache.find(0), None);
        cache.refill(true, [(7, 70), (u32::MAX, 1)]);
        assert_eq!((cache.find(7), cache.find(u32::MAX)), (Some(70), Some(1)));
        assert_eq!(cache.find(7 + ENTRIES as u32), None);
        cache.refill(true, [(8, 80)]);
        assert_eq!((cache.find(7), cache.find(8)), (None, Some(80)));
        assert_eq!(cache.kept().collect::<Vec<_>>(), [(8, 80)]);
        cache.forget();
        assert_eq!((cache.find(8), cache.kept().count()), (None, 0));
        // The counter runs around: what was kept at its first age is gone.
        cache.age = 1;
        cache.keep(5, 50);
        cache.age = u32::MAX;
        cache.refill(true, [(9, 90)]);
        assert_eq!((cache.find(5), cache.find(9)), (None, Some(90)));
        assert_eq!(cache.kept().count(), 1);
    }
}
