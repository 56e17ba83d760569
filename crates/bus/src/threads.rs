//! The threads that draw: the caller's own and its helpers.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The caller's number among the threads.
pub const CALLER: usize = 0;

/// Takes the guard of a lock whose contents no panic leaves half done.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The caller's thread and its helpers. The caller works too: it is awake already, and what
/// it wrote just before is in its caches.
pub struct Threads {
    helpers: Option<rayon::ThreadPool>,
}

impl Threads {
    /// So many threads, the caller's among them. Fewer if the system does not give them.
    pub fn new(threads: usize) -> Threads {
        let helpers = rayon::ThreadPoolBuilder::new().num_threads(threads.saturating_sub(1));
        Threads {
            helpers: (threads > 1).then(|| helpers.build().ok()).flatten(),
        }
    }

    /// Are there any helpers?
    pub fn is_parallel(&self) -> bool {
        self.helpers.is_some()
    }

    /// How many there are, the caller's among them.
    pub fn count(&self) -> usize {
        1 + self
            .helpers
            .as_ref()
            .map_or(0, |pool| pool.current_num_threads())
    }

    /// Has every helper do `work` as soon as it is free. It is told its number; the caller's
    /// is [`CALLER`].
    pub fn call(&self, work: impl Fn(usize) + Send + Sync + 'static) {
        if let Some(helpers) = &self.helpers {
            helpers.spawn_broadcast(move |helper| work(CALLER + 1 + helper.index()));
        }
    }

    /// Calls `f` on every thread, with its number, and returns the results in any order.
    pub fn all<T: Send>(&self, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let Some(helpers) = &self.helpers else {
            return vec![f(CALLER)];
        };
        let done = Mutex::new(Vec::new());
        let work = |number| {
            let result = f(number);
            lock(&done).push(result);
        };
        helpers.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, helper| work(CALLER + 1 + helper.index()));
            work(CALLER);
        });
        done.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `f` with every item, whoever is free with the next one, and returns the results
    /// in the items' order.
    pub fn each<I, T>(&self, items: I, f: impl Fn(I::Item) -> T + Sync) -> Vec<T>
    where
        I: Iterator + Send,
        T: Send,
    {
        if self.helpers.is_none() {
            return items.map(f).collect();
        }
        let items = Mutex::new(items.enumerate());
        let next = || lock(&items).next();
        let done = self.all(|_| {
            let own = std::iter::from_fn(next).map(|(number, item)| (number, f(item)));
            own.collect::<Vec<_>>()
        });
        let mut done: Vec<_> = done.into_iter().flatten().collect();
        done.sort_unstable_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, result)| result).collect()
    }
}
