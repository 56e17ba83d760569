//! `cargo xtask threads`: the same bits at any number of threads and any vector level, with
//! programs as they were prepared and step by step.
//!
//! Every capture is replayed once per setting; its surfaces and, at the end, all of memory
//! are hashed. Level and programs are fixed when a process starts, so each setting is a process.

use anyhow::{Context, ensure};
use isotherm::capture::Reader;
use isotherm::gpu;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Threads, vector levels and how programs run; the first is what the others are compared with.
const SETTINGS: [(usize, &str, &str); 6] = [
    (1, "avx512", "prepared"),
    (2, "avx512", "prepared"),
    (7, "avx512", "prepared"),
    (1, "avx2", "prepared"),
    (2, "base", "prepared"),
    (2, "avx512", "steps"),
];

/// Options.
#[derive(clap::Args)]
pub struct Args {
    /// Only every so many captures.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Folders of the shared data to look in.
    #[arg(default_values = ["nv2a", "streams", "bench"])]
    folders: Vec<String>,
    /// Print the hashes at this many threads and compare nothing.
    #[arg(long, hide = true)]
    hashes: Option<usize>,
}

/// Replays at every setting and compares.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let captures = captures(args);
    if let Some(threads) = args.hashes {
        println!("{}", hashes(&captures, threads).join("\n"));
        return Ok(());
    }
    if captures.is_empty() {
        println!("skipped: no captures (set ISOTHERM_SHARED)");
        return Ok(());
    }
    let mut first: Option<Vec<String>> = None;
    let mut other = Vec::new();
    for (threads, level, programs) in SETTINGS {
        let lines = child(args, threads, level, programs)?;
        ensure!(
            lines.len() == captures.len(),
            "{} captures, {} hashes",
            captures.len(),
            lines.len()
        );
        let Some(first) = &first else {
            first = Some(lines);
            continue;
        };
        let differ = first.iter().zip(&lines).filter(|(a, b)| a != b);
        let before = other.len();
        other.extend(
            differ.map(|(_, line)| {
                format!("{threads} threads, {level}, programs {programs}: {line}")
            }),
        );
        println!(
            "{threads} threads, {level}, programs {programs}: {} captures, {} differ",
            lines.len(),
            other.len() - before
        );
    }
    ensure!(
        other.is_empty(),
        "other bits than at one thread:\n  {}",
        other.join("\n  ")
    );
    Ok(())
}

/// This program again, for one setting.
fn child(args: &Args, threads: usize, level: &str, programs: &str) -> anyhow::Result<Vec<String>> {
    let output = Command::new(std::env::current_exe()?)
        .arg("threads")
        .args(["--every", &args.every.to_string()])
        .args(["--hashes", &threads.to_string()])
        .args(&args.folders)
        .env("ISOTHERM_SIMD", level)
        .env("ISOTHERM_PROGRAMS", programs)
        .output()
        .context("cannot start itself")?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().map(String::from).collect())
}

fn captures(args: &Args) -> Vec<PathBuf> {
    let folders = args.folders.iter();
    let found = captures_in(folders.map(|folder| crate::shared().join(folder)).collect());
    found.into_iter().step_by(args.every.max(1)).collect()
}

/// All captures in folders and below, by name.
pub fn captures_in(mut todo: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    while let Some(path) = todo.pop() {
        if let Ok(list) = std::fs::read_dir(&path) {
            todo.extend(list.filter_map(|entry| Some(entry.ok()?.path())));
        } else if path.to_string_lossy().ends_with(".cap.zst") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// All captures on plain threads. Not on a pool: a worker that waits for the chip's own
/// pool would begin the next capture on top of the last one, until its stack ends.
fn hashes(captures: &[PathBuf], threads: usize) -> Vec<String> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let part = captures.len().div_ceil(workers).max(1);
    std::thread::scope(|scope| {
        let parts: Vec<_> = captures
            .chunks(part)
            .map(|part| scope.spawn(move || part.iter().map(|c| line(c, threads)).collect()))
            .collect();
        let joined = parts
            .into_iter()
            .map(|part| part.join().unwrap_or_default());
        joined.flat_map(|lines: Vec<String>| lines).collect()
    })
}

fn line(capture: &Path, threads: usize) -> String {
    match hash(capture, threads) {
        Ok(hash) => format!("{} {hash:016x}", capture.display()),
        Err(error) => format!("{} {error:#}", capture.display()),
    }
}

fn hash(capture: &Path, threads: usize) -> anyhow::Result<u64> {
    let file = std::fs::File::open(capture)?;
    let mut hasher = DefaultHasher::new();
    let gpu = gpu::replay(
        Reader::new(file)?,
        |gpu| gpu.set_threads(threads),
        |gpu, surface| hasher.write(&surface.read(&gpu.memory).rgba),
    )?;
    for (address, bytes) in gpu.memory.pages() {
        hasher.write_u32(address);
        hasher.write(bytes);
    }
    Ok(hasher.finish())
}
