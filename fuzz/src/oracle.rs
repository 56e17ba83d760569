//! The oracle: a capture replayed in several ways leaves the same bytes in memory, or fails
//! in the same place with the same words.

use isotherm::budget::Limits;
use isotherm::capture::{self, Owned, Problem, Reader, Writer, read_all};
use isotherm::observe::Observer;
use isotherm::{Gpu, gpu};
use isotherm_lanes::{Level, Random};
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;

/// How a capture is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As it comes, on so many threads.
    Plain(usize),
    /// Scenes of single draws, on several threads while the next one is made.
    Scenes,
    /// At this vector level, in all of the process.
    Level(Level),
    /// Somebody follows the methods.
    Observed,
    /// Every draw is looked at.
    Inspected,
    /// Saved and restored a few times, between any two words or jobs, by this seed.
    Restored(u64),
}

impl Way {
    /// Does a budget end at the same place? Whoever looks at every draw, or wants small scenes,
    /// has them drawn earlier, and a restored chip gets a new budget.
    fn spends_the_same(self) -> bool {
        !matches!(self, Way::Scenes | Way::Inspected | Way::Restored(_))
    }
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

/// Makes a chip ready for a way.
fn prepare(gpu: &mut Gpu, way: Way) {
    gpu.set_budget(limits());
    gpu.set_threads(match way {
        Way::Plain(threads) => threads,
        Way::Scenes => 3,
        _ => 1,
    });
    match way {
        Way::Scenes => gpu.set_scene_size(1),
        Way::Observed => gpu.set_observer(Some(Box::new(Nobody))),
        Way::Inspected => gpu.inspect_draws(true),
        _ => {}
    }
}

/// Replays it.
pub fn replay(file: &[u8], way: Way) -> Option<Left> {
    if let Way::Level(level) = way {
        Level::choose(Some(level));
    }
    let left = replay_now(file, way);
    Level::choose(None);
    left
}

fn replay_now(file: &[u8], way: Way) -> Option<Left> {
    let (mut gpu, records) = read(file)?;
    prepare(&mut gpu, way);
    let mut cuts = match way {
        Way::Restored(seed) => Cuts::new(seed, &records),
        _ => Cuts::none(),
    };
    let mut error = None;
    for (n, record) in records.iter().enumerate() {
        match cuts.run(&mut gpu, n, record) {
            Ok(()) => {}
            Err(found) => {
                error = Some(found);
                break;
            }
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

/// Where a replay is cut: records, and words within them.
struct Cuts {
    places: Vec<(usize, usize)>,
    random: Random,
}

impl Cuts {
    /// Most cuts of a replay.
    const MOST: u32 = 4;

    fn none() -> Cuts {
        Cuts {
            places: Vec::new(),
            random: Random::new(0),
        }
    }

    fn new(seed: u64, records: &[Owned]) -> Cuts {
        let mut random = Random::new(seed);
        let words = |record: &Owned| record.push_words().map_or(1, |words| words.len().max(1));
        let total: usize = records.iter().map(words).sum();
        let mut places = Vec::new();
        for _ in 0..=random.below(Cuts::MOST) {
            let mut at = random.below(total.max(1) as u32) as usize;
            let inside = |record: &Owned| {
                let words = words(record);
                let here = at < words;
                if !here {
                    at -= words;
                }
                here
            };
            if let Some(record) = records.iter().position(inside) {
                places.push((record, at));
            }
        }
        places.sort_unstable();
        Cuts { places, random }
    }

    /// Runs a record and cuts where it is time.
    fn run(&mut self, gpu: &mut Gpu, n: usize, record: &Owned) -> Result<(), capture::Error> {
        let here: Vec<usize> = self
            .places
            .iter()
            .filter(|(record, _)| *record == n)
            .map(|(_, word)| *word)
            .collect();
        let whole = record.record();
        let fail = |problem| capture::Error {
            offset: whole.offset,
            problem,
        };
        let Some(words) = record.push_words().filter(|_| !here.is_empty()) else {
            for _ in here {
                self.cut(gpu);
            }
            return show(gpu, record);
        };
        let mut done = 0;
        for word in here {
            gpu.push(&words[done..word]).map_err(fail)?;
            done = word;
            self.cut(gpu);
        }
        gpu.push(&words[done..]).map(drop).map_err(fail)
    }

    /// Saves the chip and goes on with another one.
    fn cut(&mut self, gpu: &mut Gpu) {
        match self.random.below(3) {
            0 => {
                let snapshot = gpu.snapshot();
                *gpu = Gpu::from_snapshot(&snapshot).expect("its own snapshot");
            }
            1 => {
                let snapshot = gpu.snapshot();
                gpu.restore(&snapshot).expect("its own snapshot");
            }
            _ => *gpu = by_file(gpu),
        }
        prepare(gpu, Way::Plain(1));
    }
}

/// A chip from a capture that holds another one's state.
fn by_file(gpu: &mut Gpu) -> Gpu {
    let info = serde_json::json!({ "gpu": gpu.chip().name() });
    let mut writer = Writer::plain(Vec::new(), &info).expect("to memory");
    gpu.write_state(&mut writer).expect("to memory");
    let file = writer.finish().expect("to memory");
    let mut reader = Reader::new(file.as_slice()).expect("as written");
    let mut other = gpu::start(&mut reader).expect("as written");
    while let Some(record) = reader.next_record().expect("as written") {
        other.record(record).expect("its own state");
    }
    other
}

/// Runs a record; a surface is looked at.
fn show(gpu: &mut Gpu, record: &Owned) -> Result<(), capture::Error> {
    if let Some(surface) = gpu.record(record.record())?
        && surface.width <= 4096
        && surface.height <= 4096
    {
        drop(surface.read(&gpu.memory));
    }
    Ok(())
}

fn digest(gpu: &Gpu) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (address, bytes) in gpu.memory.pages() {
        hasher.write_u32(address);
        hasher.write(bytes);
    }
    hasher.finish()
}

/// The ways that a capture is replayed besides the plain one.
pub fn ways(seed: u64) -> Vec<Way> {
    let look = [Way::Observed, Way::Inspected][seed as usize % 2];
    vec![Way::Restored(seed), Way::Scenes, look]
}

/// The same, and the weaker vector levels. They are chosen for the whole process.
pub fn all_ways(seed: u64) -> Vec<Way> {
    let mut ways = ways(seed);
    let best = Level::current();
    let weaker = Level::available()
        .into_iter()
        .filter(|level| *level != best);
    ways.extend(weaker.map(Way::Level));
    ways
}

/// Replays a capture on one thread, on seven and in other ways, and compares. Gives the ways
/// that it was replayed in, or what differs.
pub fn differs(file: &[u8], ways: &[Way]) -> Result<usize, String> {
    let Some(one) = replay(file, Way::Plain(1)) else {
        return Ok(0);
    };
    let same = |way: Way, other: &Option<Left>| match other {
        Some(other) if *other == one => Ok(()),
        other => Err(format!("{way:?}: {one:x?}, then {other:x?}")),
    };
    let way = Way::Plain(7);
    same(way, &replay(file, way))?;
    let mut replays = 2;
    for &way in ways {
        if one.cut && !way.spends_the_same() {
            continue;
        }
        let other = replay(file, way);
        let cut = other.as_ref().is_some_and(|other| other.cut);
        if !cut || way.spends_the_same() {
            same(way, &other)?;
        }
        replays += 1;
    }
    Ok(replays)
}

/// Replays a capture in several ways and compares. Panics where two differ.
pub fn compare(file: &[u8]) {
    let mut seed = DefaultHasher::new();
    seed.write(file);
    if let Err(found) = differs(file, &ways(seed.finish())) {
        panic!("{found}");
    }
}
