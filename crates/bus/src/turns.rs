//! Who of several threads does what.
//!
//! Cores that write the same memory in turn fetch it from each other, which takes longer than
//! to fetch it from anywhere else. So a tile, say, is the same thread's in every frame.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Work that threads share out. Each has some of its own, which it begins with; who has done
/// that takes from the others.
pub struct Turns {
    own: Vec<Own>,
}

/// What is left of one thread's own: the number of the next, and behind the last.
struct Own {
    next: AtomicUsize,
    end: usize,
}

impl Turns {
    /// Items from 0 on: so many for each thread.
    pub fn new(counts: impl Iterator<Item = usize>) -> Turns {
        let mut end = 0;
        let own = counts.map(|count| {
            let next = AtomicUsize::new(end);
            end += count;
            Own { next, end }
        });
        Turns { own: own.collect() }
    }

    /// So many items, evenly.
    pub fn even(items: usize, threads: usize) -> Turns {
        let upto = move |thread: usize| items * thread / threads.max(1);
        Turns::new((0..threads.max(1)).map(move |thread| upto(thread + 1) - upto(thread)))
    }

    /// The next item for this thread.
    pub fn take(&self, thread: usize) -> Option<usize> {
        let (before, from) = self.own.split_at(thread.min(self.own.len()));
        from.iter().chain(before).find_map(Own::take)
    }

    /// What comes behind an item for the thread whose own that is.
    pub fn after(&self, item: usize) -> Option<usize> {
        let own = self.own.iter().find(|own| item < own.end)?;
        (item + 1 < own.end).then_some(item + 1)
    }

    /// Is anything left?
    pub fn any(&self) -> bool {
        self.own.iter().any(Own::any)
    }
}

impl Own {
    fn any(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.end
    }

    fn take(&self) -> Option<usize> {
        // Asked first, so that the number stays small however often somebody comes by.
        let item = self
            .any()
            .then(|| self.next.fetch_add(1, Ordering::Relaxed))?;
        (item < self.end).then_some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[test]
    fn who_has_done_its_own_helps_the_others() {
        let turns = Turns::new([2, 0, 3].into_iter());
        assert!(turns.any());
        let taken: Vec<_> = [2, 0, 0, 0, 1, 2].map(|thread| turns.take(thread)).into();
        let want = [2, 0, 1, 3, 4].map(Some);
        assert_eq!(taken[..5], want);
        assert_eq!(taken[5], None);
        assert!(!turns.any());
    }

    #[test]
    fn the_next_one_is_of_the_same_thread() {
        let turns = Turns::new([2, 0, 3].into_iter());
        let after: Vec<_> = (0..6).map(|item| turns.after(item)).collect();
        assert_eq!(after, [Some(1), None, Some(3), Some(4), None, None]);
    }

    #[test]
    fn every_item_is_taken_once() {
        for (items, threads) in [(0, 1), (1, 3), (7, 3), (100, 4), (5, 0)] {
            let turns = Turns::even(items, threads);
            let all = (0..items + 9).filter_map(|n| turns.take(n % 5));
            let mut all: Vec<_> = all.collect();
            all.sort_unstable();
            assert_eq!(all, (0..items).collect::<Vec<_>>(), "{items} for {threads}");
        }
    }
}
