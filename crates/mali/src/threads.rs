//! Work on all threads of a machine.

use isotherm_bus::turns::Turns;
use std::ops::Range;
use std::sync::Mutex;

/// Calls `work` for every item, on all threads. Each has items of its own, the same ones every
/// time, as they are in its caches; who is done helps the others.
pub(crate) fn each<T: Send>(items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    let threads = rayon::current_num_threads();
    if threads == 1 || items.len() < 2 {
        return (0..).zip(items).for_each(|(n, item)| work(n, item));
    }
    let turns = Turns::even(items.len(), threads);
    let items: Vec<_> = items.iter_mut().map(Mutex::new).collect();
    rayon::broadcast(|thread| {
        while let Some(n) = turns.take(thread.index()) {
            // Everyone has its turn once: nobody waits, and nobody left it broken.
            if let Ok(mut item) = items[n].try_lock() {
                work(n, &mut item);
            }
        }
    });
}

/// Calls `work` for every number and returns the results in order. A number is the same
/// thread's every time.
pub(crate) fn map<T: Send>(numbers: Range<usize>, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = rayon::current_num_threads();
    if threads == 1 {
        return numbers.map(work).collect();
    }
    let turns = Turns::even(numbers.len(), threads);
    let done = rayon::broadcast(|thread| {
        let own = std::iter::from_fn(|| turns.take(thread.index()));
        own.map(|n| (n, work(numbers.start + n)))
            .collect::<Vec<_>>()
    });
    let mut done: Vec<_> = done.into_iter().flatten().collect();
    done.sort_unstable_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, result)| result).collect()
}
