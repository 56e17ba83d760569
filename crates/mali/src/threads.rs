//! Work on all threads of a machine.

use isotherm_bus::threads::Threads;
use isotherm_bus::turns::Turns;
use std::ops::Range;
use std::sync::Mutex;

/// Calls `work` for every item, on all threads. Each has items of its own, the same ones every
/// time, as they are in its caches; who is done helps the others.
pub(crate) fn each<T: Send>(
    threads: &Threads,
    items: &mut [T],
    work: impl Fn(usize, &mut T) + Sync,
) {
    if !threads.is_parallel() || items.len() < 2 {
        return (0..).zip(items).for_each(|(n, item)| work(n, item));
    }
    let turns = Turns::even(items.len(), threads.count());
    let items: Vec<_> = items.iter_mut().map(Mutex::new).collect();
    threads.all(|thread| {
        while let Some(n) = turns.take(thread) {
            // Everyone has its turn once: nobody waits, and nobody left it broken.
            if let Ok(mut item) = items[n].try_lock() {
                work(n, &mut item);
            }
        }
    });
}

/// Calls `work` for every number and returns the results in order. A number is the same
/// thread's every time.
pub(crate) fn map<T: Send>(
    threads: &Threads,
    numbers: Range<usize>,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    if !threads.is_parallel() {
        return numbers.map(work).collect();
    }
    let turns = Turns::even(numbers.len(), threads.count());
    let done = threads.all(|thread| {
        let own = std::iter::from_fn(|| turns.take(thread));
        own.map(|n| (n, work(numbers.start + n)))
            .collect::<Vec<_>>()
    });
    let mut done: Vec<_> = done.into_iter().flatten().collect();
    done.sort_unstable_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, result)| result).collect()
}
