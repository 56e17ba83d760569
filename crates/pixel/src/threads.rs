//! The threads that draw: the caller's own and its helpers.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes the guard of a lock whose contents no panic leaves half done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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

    /// Has every helper do `work` as soon as it is free.
    pub(crate) fn call(&self, work: impl Fn() + Send + Sync + 'static) {
        if let Some(helpers) = &self.helpers {
            helpers.spawn_broadcast(move |_| work());
        }
    }

    /// Calls `f` with every item, whoever is free with the next one, and returns the results
    /// in the items' order.
    pub fn each<I, T>(&self, items: I, f: impl Fn(I::Item) -> T + Sync) -> Vec<T>
    where
        I: Iterator + Send,
        T: Send,
    {
        let Some(helpers) = &self.helpers else {
            return items.map(f).collect();
        };
        let items = Mutex::new(items.enumerate());
        let done = Mutex::new(Vec::new());
        let work = || {
            let mut own = Vec::new();
            loop {
                let next = lock(&items).next();
                let Some((number, item)) = next else {
                    break;
                };
                own.push((number, f(item)));
            }
            lock(&done).extend(own);
        };
        helpers.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, _| work());
            work();
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, result)| result).collect()
    }
}
