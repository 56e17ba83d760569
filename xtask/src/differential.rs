//! Mutated captures, replayed in several ways that must leave the same memory: one and seven
//! threads, all vector levels, observed, inspected, saved and restored in between.

use anyhow::{Context, ensure};
use isotherm_fuzz::{mutate, oracle};
use isotherm_lanes::Random;
use isotherm_regs::xf::asm::generate::Rng;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Larger captures take too long to be worth it.
const LARGEST: usize = 400 << 10;
/// Bytes that mutation may add.
const ROOM: usize = 64 << 10;
/// Captures that are tried until one is small enough.
const TRIES: u32 = 8;

/// Options.
#[derive(clap::Args)]
pub struct Args {
    /// How many mutated captures.
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// First seed; a file that knows better counts.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Goes on where this file says, and keeps the counts in it.
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,
    /// Where captures go that differ.
    #[arg(long, value_name = "DIR", default_value = "target/differential")]
    keep: PathBuf,
}

/// What was done so far.
#[derive(Default, Deserialize, Serialize)]
struct Progress {
    next: u64,
    captures: u64,
    /// Those that still were captures after the mutation.
    replayed: u64,
    replays: u64,
    seconds: f64,
    folders: BTreeMap<String, u64>,
    findings: Vec<String>,
}

/// Captures that belong together: a folder of the shared data, or the project's own scenes.
struct Family {
    name: String,
    files: Vec<PathBuf>,
    own: Vec<Vec<u8>>,
}

impl Family {
    /// A capture that is not too large, plain.
    fn pick(&self, random: &mut Random) -> Option<Vec<u8>> {
        let own = self.own.len() as u32;
        for _ in 0..TRIES {
            let at = random.below((own + self.files.len() as u32).max(1)) as usize;
            if let Some(own) = self.own.get(at) {
                return Some(own.clone());
            }
            let path = self.files.get(at - own as usize)?;
            if let Some(plain) = read(path) {
                return Some(plain);
            }
        }
        None
    }
}

/// A capture from a file, if it is not too large.
fn read(path: &Path) -> Option<Vec<u8>> {
    let packed = std::fs::read(path).ok()?;
    if packed.len() > LARGEST {
        return None;
    }
    let mut plain = Vec::new();
    let reader = zstd::Decoder::new(&*packed).ok()?;
    let mut reader = std::io::Read::take(reader, LARGEST as u64 + 1);
    std::io::Read::read_to_end(&mut reader, &mut plain).ok()?;
    (plain.len() <= LARGEST).then_some(plain)
}

/// The project's own scenes, and every folder of chips.
fn families() -> &'static [Family] {
    static FAMILIES: OnceLock<Vec<Family>> = OnceLock::new();
    FAMILIES.get_or_init(|| {
        let scenes = isotherm_scenes::all().unwrap_or_default();
        let plain = |scene: &isotherm_scenes::Scene| zstd::decode_all(&*scene.capture).ok();
        let mut families = vec![Family {
            name: "scenes".into(),
            files: Vec::new(),
            own: scenes.iter().filter_map(plain).collect(),
        }];
        let chips = std::fs::read_dir(crate::shared().join("streams"));
        let chips = chips.into_iter().flatten().flatten();
        let mut folders: Vec<String> = chips
            .filter_map(|entry| Some(format!("streams/{}", entry.file_name().to_str()?)))
            .collect();
        folders.sort();
        folders.extend(["nv2a", "live", "rsx"].map(String::from));
        for name in folders {
            let files = crate::threads::captures_in(vec![crate::shared().join(&name)]);
            if !files.is_empty() {
                let own = Vec::new();
                families.push(Family { name, files, own });
            }
        }
        families
    })
}

/// A mutated capture, and where it is from.
fn mutated(seed: u64) -> Option<(&'static str, Vec<u8>)> {
    let mut random = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let families = families();
    let family = &families[(seed % families.len() as u64) as usize];
    let mut file = family.pick(&mut random)?;
    let mut len = file.len();
    let most = len + ROOM;
    file.resize(most, 0);
    for _ in 0..=random.below(3) {
        len = mutate::capture(&mut file, len, most, random.next_u32());
    }
    file.truncate(len);
    Some((&family.name, file))
}

/// One capture, mutated a few times; the vector level is left alone.
pub fn round(rng: &mut Rng) {
    if let Some((_, file)) = mutated(rng.0) {
        oracle::compare(&file);
    }
}

/// Many of them, one after the other, at all vector levels; counted, and with a place to go on
/// from.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut progress = load(args)?;
    let end = progress.captures + args.count;
    let started = std::time::Instant::now();
    let before = progress.seconds;
    while progress.captures < end {
        let seed = progress.next;
        step(&mut progress, seed, args)?;
        progress.next += 1;
        progress.captures += 1;
        progress.seconds = before + started.elapsed().as_secs_f64();
        if progress.captures.is_multiple_of(20) || progress.captures == end {
            save(args, &progress)?;
        }
    }
    println!(
        "{} mutated captures, {} replayed {} times, {} differ, {:.0} s",
        progress.captures,
        progress.replayed,
        progress.replays,
        progress.findings.len(),
        progress.seconds
    );
    for (folder, count) in &progress.folders {
        println!("  {folder}: {count}");
    }
    ensure!(progress.findings.is_empty(), "{:#?}", progress.findings);
    Ok(())
}

fn step(progress: &mut Progress, seed: u64, args: &Args) -> anyhow::Result<()> {
    let Some((folder, file)) = mutated(seed) else {
        return Ok(());
    };
    let ways = oracle::all_ways(seed);
    let found = std::panic::catch_unwind(|| oracle::differs(&file, &ways));
    let found = found.unwrap_or_else(|_| Err("a panic".into()));
    match found {
        Ok(replays) => {
            progress.replayed += u64::from(replays > 0);
            progress.replays += replays as u64;
        }
        Err(what) => {
            println!("seed {seed}, {folder}: {what}");
            std::fs::create_dir_all(&args.keep)?;
            std::fs::write(args.keep.join(format!("{seed}.cap")), &file)?;
            progress.findings.push(format!("{seed} {folder}: {what}"));
        }
    }
    *progress.folders.entry(folder.into()).or_default() += 1;
    Ok(())
}

fn load(args: &Args) -> anyhow::Result<Progress> {
    let fresh = Progress {
        next: args.seed,
        ..Progress::default()
    };
    let Some(path) = args.progress.as_ref().filter(|path| path.exists()) else {
        return Ok(fresh);
    };
    let text = std::fs::read_to_string(path)?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

fn save(args: &Args, progress: &Progress) -> anyhow::Result<()> {
    let Some(path) = &args.progress else {
        return Ok(());
    };
    // Whole or not at all: a run may be ended at any time.
    let beside = path.with_extension("new");
    std::fs::write(&beside, serde_json::to_string_pretty(progress)?)?;
    Ok(std::fs::rename(beside, path)?)
}
