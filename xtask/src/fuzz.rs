//! `cargo xtask fuzz`: seeded hostile input. A panic names the target and its seed.

use crate::captures;
use crate::differential;
use crate::programs::{fragments, fuzz as programs};
use crate::words::fuzz as words;
use isotherm_regs::xf::asm::generate::Rng;
use rayon::prelude::*;
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
    ("captures replayed in several ways", differential::round),
];

/// Runs every target for its share of so many seconds. What a slow one takes beyond its share
/// is missing from the others', so that the whole keeps its time.
pub fn run_for(seconds: u64, seed: u64) {
    let end = Instant::now() + Duration::from_secs(seconds);
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
        println!("{name}: {} rounds in {:.0?}", next - seed, start.elapsed());
    }
}

/// Runs one target alone.
pub fn run_only(wanted: &str, rounds_wanted: u64, seed: u64) -> anyhow::Result<()> {
    let mut targets = TARGETS.iter();
    let Some((name, target)) = targets.find(|(name, _)| name.contains(wanted)) else {
        let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
        anyhow::bail!("no target {wanted:?} among: {}", names.join(", "));
    };
    rounds(name, *target, seed, rounds_wanted);
    println!("{name}: {rounds_wanted} rounds");
    Ok(())
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

/// Runs every target from `rounds` seeds.
pub fn run(count: u64, seed: u64) {
    for (name, target) in TARGETS {
        rounds(name, *target, seed, count);
        println!("{name}: {count} rounds");
    }
}
