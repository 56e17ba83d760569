//! `cargo xtask fuzz`: seeded hostile input. A panic names the target and its seed.

use crate::captures;
use crate::differential;
use crate::guided;
use crate::imports;
use crate::programs::{fragments, fuzz as programs};
use crate::states;
use crate::words::fuzz as words;
use isotherm_fuzz::targets;
use isotherm_regs::xf::asm::generate::Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

type Target = (&'static str, fn(&mut Rng));

/// What is fuzzed. One function per target; it panics when something is wrong.
const TARGETS: &[Target] = &[
    ("capture container", captures::container),
    ("pusher", captures::pusher),
    ("methods of all classes", captures::methods),
    ("vertex program words", programs::decode),
    ("vertex program text", programs::text),
    ("vertex program execution", programs::execute),
    ("fragment program words", fragments::words),
    ("fragment program text", fragments::text),
    ("register dumps", words::dumps),
    ("names and fields", words::names),
    ("pusher streams", words::streams),
    ("raster state conversions", words::conversions),
    ("captures", words::captures),
    ("Mali instruction sets", |rng| {
        isotherm::mali::fuzz::programs(rng.0)
    }),
    ("Mali command streams and descriptors", |rng| {
        isotherm::mali::fuzz::jobs(rng.0)
    }),
    ("Mali program text", words::mali_programs),
    ("files of other tools", imports::round),
    ("saved states", states::round),
    ("captures replayed in several ways", differential::round),
];

/// How often targets have run, kept over runs in a file: target, executions, seconds.
#[derive(Default)]
pub struct Log {
    path: Option<PathBuf>,
    counts: BTreeMap<String, (u64, f64)>,
}

impl Log {
    /// Goes on with a file's counts, or counts for nobody.
    pub fn open(path: Option<PathBuf>) -> anyhow::Result<Log> {
        let kept = path.as_ref().filter(|path| path.exists());
        let counts = match kept {
            Some(path) => serde_json::from_str(&std::fs::read_to_string(path)?)?,
            None => BTreeMap::new(),
        };
        Ok(Log { path, counts })
    }

    fn add(&mut self, name: &str, rounds: u64, took: Duration) -> anyhow::Result<()> {
        println!("{name}: {rounds} rounds in {took:.0?}");
        let (count, seconds) = self.counts.entry(name.into()).or_default();
        *count += rounds;
        *seconds += took.as_secs_f64();
        if let Some(path) = &self.path {
            std::fs::write(path, serde_json::to_string_pretty(&self.counts)?)?;
        }
        Ok(())
    }
}

/// Runs every target for its share of so many seconds. What a slow one takes beyond its share
/// is missing from the others', so that the whole keeps its time.
pub fn run_for(seconds: u64, seed: u64, log: &mut Log) -> anyhow::Result<()> {
    let end = Instant::now() + Duration::from_secs(seconds);
    run_kept(log)?;
    for (n, (name, target)) in TARGETS.iter().enumerate() {
        let start = Instant::now();
        let left = (TARGETS.len() - n) as u32;
        let share = end.saturating_duration_since(start) / left;
        let (mut next, mut batch) = (seed, 2);
        while next == seed || start.elapsed() < share {
            let before = start.elapsed();
            rounds(name, *target, next, batch);
            next = next.saturating_add(batch);
            // Batches of about a twentieth of the share.
            let took = (start.elapsed() - before).as_secs_f64().max(1e-6);
            let fits = batch as f64 * share.as_secs_f64() / 20.0 / took;
            batch = (fits as u64).clamp(2, 20_000).min(batch * 16);
        }
        log.add(name, next - seed, start.elapsed())?;
    }
    Ok(())
}

/// Runs one target alone.
pub fn run_only(wanted: &str, count: u64, seed: u64, log: &mut Log) -> anyhow::Result<()> {
    let mut targets = TARGETS.iter();
    let Some((name, target)) = targets.find(|(name, _)| name.contains(wanted)) else {
        let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
        anyhow::bail!("no target {wanted:?} among: {}", names.join(", "));
    };
    let start = Instant::now();
    rounds(name, *target, seed, count);
    log.add(name, count, start.elapsed())
}

fn rounds(name: &str, target: fn(&mut Rng), seed: u64, rounds: u64) {
    (seed..seed.saturating_add(rounds))
        .into_par_iter()
        .for_each(|n| {
            let caught = std::panic::catch_unwind(|| target(&mut Rng(n)));
            assert!(
                caught.is_ok(),
                "{name}: seed {n} fails: cargo xtask fuzz --rounds 1 --seed {n}"
            );
        });
}

/// Runs the inputs that coverage-guided fuzzing found worth keeping.
fn run_kept(log: &mut Log) -> anyhow::Result<()> {
    for (name, target) in targets::ALL {
        let start = Instant::now();
        let inputs = guided::kept(name)?;
        for (number, input) in inputs.iter().enumerate() {
            let caught = std::panic::catch_unwind(|| target(input));
            assert!(caught.is_ok(), "{name}: kept input {number} fails");
        }
        log.add(
            &format!("kept: {name}"),
            inputs.len() as u64,
            start.elapsed(),
        )?;
    }
    Ok(())
}

/// Runs every target from `rounds` seeds.
pub fn run(count: u64, seed: u64, log: &mut Log) -> anyhow::Result<()> {
    run_kept(log)?;
    for (name, target) in TARGETS {
        let start = Instant::now();
        rounds(name, *target, seed, count);
        log.add(name, count, start.elapsed())?;
    }
    Ok(())
}
