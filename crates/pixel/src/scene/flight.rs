//! A scene that helpers draw while its owner goes on with the next one.
//!
//! Helpers take one tile after the other. Whoever lands the flight takes what is left of them
//! and waits for those that are being drawn; a helper who comes later finds nothing to do.

use super::{Place, Scene};
use crate::raster::tile::{Passed, Work, draw_tile};
use crate::rop::Target;
use isotherm_bus::threads::{CALLER, Threads, lock};
use isotherm_bus::turns::Turns;
use isotherm_lanes::Level;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

/// A scene on its way to memory.
pub struct Flight {
    shared: Arc<Shared>,
}

/// What a flight brings back: the scene, nothing pending, what passed, and, if it was timed,
/// the nanoseconds that threads were busy.
pub struct Landed {
    /// The scene as it was drawn.
    pub scene: Scene,
    /// Its pixels that passed.
    pub passed: Passed,
    /// Nanoseconds of all threads.
    pub busy: u64,
}

struct Shared {
    /// Whoever draws holds it for reading; gone when the flight has landed.
    job: RwLock<Option<Job>>,
    /// Whose turn which tile is.
    turns: Turns,
    done: Mutex<(Passed, u64)>,
    /// What a helper's thread ended with.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

pub(super) struct Job {
    pub(super) scene: Scene,
    pub(super) target: Target<'static>,
    pub(super) timed: bool,
    /// Block steps for loops: nothing in a flight takes any.
    pub(super) loop_steps: AtomicU64,
}

impl Flight {
    /// Calls all helpers.
    pub(super) fn start(job: Job, turns: Turns, threads: &Threads) -> Flight {
        let shared = Arc::new(Shared {
            job: RwLock::new(Some(job)),
            turns,
            done: Mutex::default(),
            panic: Mutex::default(),
        });
        let helpers = shared.clone();
        threads.call(move |thread| helpers.help(thread));
        Flight { shared }
    }

    /// Are there tiles that nobody has taken?
    pub fn has_tiles(&self) -> bool {
        self.shared.turns.any()
    }

    /// Draws what is left and waits for the helpers.
    pub fn land(self) -> Option<Landed> {
        self.shared.draw(CALLER);
        let job = self.shared.take();
        if let Some(panic) = lock(&self.shared.panic).take() {
            resume_unwind(panic);
        }
        let (passed, busy) = *lock(&self.shared.done);
        job.map(|job| Landed {
            scene: job.scene,
            passed,
            busy,
        })
    }
}

/// Whatever happens to its owner: who drops a flight waits for it.
impl Drop for Flight {
    fn drop(&mut self) {
        drop(self.shared.take());
    }
}

impl Shared {
    /// Draws tiles until none is left. A panic is kept for who lands the flight.
    fn help(&self, thread: usize) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.draw(thread))) {
            *lock(&self.panic) = Some(panic);
        }
    }

    fn draw(&self, thread: usize) {
        let job = self.job.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = &*job {
            let (passed, busy) = job.draw(&self.turns, thread);
            let mut done = lock(&self.done);
            *done = (done.0 + passed, done.1 + busy);
        }
    }

    /// Waits for all who draw; afterwards nobody will.
    fn take(&self) -> Option<Job> {
        let mut job = self.job.write().unwrap_or_else(PoisonError::into_inner);
        job.take()
    }
}

impl Job {
    fn draw(&self, turns: &Turns, thread: usize) -> (Passed, u64) {
        let since = self.timed.then(Instant::now);
        let scene = &self.scene;
        let work = Work {
            draws: &scene.draws,
            verts: &scene.verts,
            prims: &scene.prims,
            clears: &scene.clears,
            target: self.target,
            loop_steps: &self.loop_steps,
        };
        let (level, place) = (Level::current(), Place::of(scene));
        let mut passed = Passed::default();
        while let Some(number) = turns.take(thread) {
            let bin = |number: usize| place.bin(scene.used[number], &scene.bins);
            let next = turns.after(number).map(bin);
            passed = passed + draw_tile(level, &work, bin(number), next, None);
        }
        (passed, since.map_or(0, |at| at.elapsed().as_nanos() as u64))
    }
}
