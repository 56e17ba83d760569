//! The oracle: a capture replayed in several ways leaves the same bytes in memory, or fails
//! in the same place with the same words.

use isotherm::budget::Limits;
use isotherm::capture::{self, Owned, Problem, Reader, read_all};
use isotherm::observe::Observer;
use isotherm::{Gpu, gpu};
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;

/// How a capture is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As it comes, on so many threads.
    Plain(usize),
    /// Somebody follows the methods.
    Observed,
    /// Every draw is looked at.
    Inspected,
    /// Saved and restored after every so many records.
    Restored(usize),
}

/// What is left of a replay.
#[derive(Debug, PartialEq, Eq)]
pub struct Left {
    memory: u64,
    draws: u64,
    error: Option<String>,
    /// Over budget, or a job that was cut: what a look at it costs counts too.
    cut: bool,
}

struct Nobody;

impl Observer for Nobody {}

/// Small limits: a find that takes long is a find.
fn limits() -> Limits {
    Limits {
        held: 300 << 20,
        steps: 1_000_000_000,
        copied: 256 << 20,
        texels: 32 << 20,
    }
}

/// Reads a capture whole; `None` if it is none.
pub fn read(file: &[u8]) -> Option<(Gpu, Vec<Owned>)> {
    let limits = capture::Limits {
        record: 4 << 20,
        total: 16 << 20,
        kept: 16 << 20,
        ..capture::Limits::default()
    };
    let mut reader = Reader::with_limits(file, limits).ok()?;
    let gpu = gpu::start(&mut reader).ok()?;
    Some((gpu, read_all(&mut reader).ok()?))
}

/// Replays it.
pub fn replay(file: &[u8], way: Way) -> Option<Left> {
    let (mut gpu, records) = read(file)?;
    gpu.set_budget(limits());
    gpu.set_threads(if let Way::Plain(threads) = way {
        threads
    } else {
        1
    });
    match way {
        Way::Observed => gpu.set_observer(Some(Box::new(Nobody))),
        Way::Inspected => gpu.inspect_draws(true),
        _ => {}
    }
    let mut error = None;
    for (n, record) in records.iter().enumerate() {
        match gpu.record(record.record()) {
            Ok(Some(surface)) if surface.width <= 4096 && surface.height <= 4096 => {
                drop(surface.read(&gpu.memory));
            }
            Ok(_) => {}
            Err(found) => {
                error = Some(found);
                break;
            }
        }
        if let Way::Restored(every) = way
            && n % every == every - 1
            && let Some(snapshot) = gpu.snapshot()
        {
            gpu = Gpu::from_snapshot(&snapshot).ok()?;
            gpu.set_budget(limits());
            gpu.set_threads(1);
        }
    }
    gpu.finish();
    let problem = error.as_ref().map(|error| &error.problem);
    let cut = gpu.within_budget().is_err()
        || matches!(problem, Some(Problem::Budget(_) | Problem::Job(_)));
    Some(Left {
        memory: digest(&gpu),
        draws: gpu.draws(),
        error: error.map(|error| error.to_string()),
        cut,
    })
}

fn digest(gpu: &Gpu) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (address, bytes) in gpu.memory.pages() {
        hasher.write_u32(address);
        hasher.write(bytes);
    }
    hasher.finish()
}

/// Replays a capture in all ways and compares. Panics where two differ.
pub fn compare(file: &[u8]) {
    let Some(one) = replay(file, Way::Plain(1)) else {
        return;
    };
    assert_eq!(Some(&one), replay(file, Way::Plain(7)).as_ref(), "threads");
    if one.cut {
        return;
    }
    // One of the dearer ways for each input. `Way::Restored` is for those who work on saved
    // states: a difference is known (docs/reliability.md).
    let way = match file.len() % 2 {
        0 => Way::Observed,
        _ => Way::Inspected,
    };
    let Some(other) = replay(file, way) else {
        return;
    };
    if !other.cut {
        assert_eq!(one, other, "{way:?}");
    }
}
