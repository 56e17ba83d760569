//! `isotherm bench`: how fast captures replay, and the front end alone.

use super::replay::open;
use anyhow::Context;
use isotherm::Chip;
use isotherm::capture::{Owned, Push, read_all};
use isotherm::gpu::{self, Gpu};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Options of `isotherm bench`.
#[derive(clap::Args)]
pub struct Args {
    /// Captures to time, or `fe`: the front end alone, on a stream of state changes and on
    /// all captures that follow; or `decode`: words to fields.
    #[arg(required = true)]
    captures: Vec<PathBuf>,
    /// How long to time each.
    #[arg(long, default_value_t = 3.0, value_name = "S", value_parser = crate::usage::seconds)]
    seconds: f64,
    /// Threads to draw with; all cores unless given.
    #[arg(short = 'j', long, default_value_t = 0)]
    jobs: usize,
    /// JSON: a list with one object per capture.
    #[arg(long)]
    json: bool,
}

/// Times and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let threads = match args.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    if args.captures[0].as_os_str() == "fe" {
        return front_end(args);
    }
    if args.captures[0].as_os_str() == "decode" {
        return super::bench_decode::run(args.seconds, args.json);
    }
    let time = Duration::from_secs_f64(args.seconds.clamp(0.01, 3600.0));
    let mut all = Vec::new();
    for path in &args.captures {
        let figures =
            capture(path, time, threads).with_context(|| format!("{}", path.display()))?;
        if !args.json {
            print_figures(path, &figures)?;
        }
        all.push(figures);
    }
    if args.json {
        say!("{}", serde_json::to_string_pretty(&all)?);
    }
    Ok(())
}

fn print_figures(path: &Path, figures: &Value) -> std::io::Result<()> {
    let number = |key: &str| figures[key].as_f64().unwrap_or(0.0);
    say!(
        "{}: {} frames, {:.1} fps, {:.3} ms CPU per frame, {} threads",
        path.display(),
        number("frames"),
        number("fps"),
        number("cpu_ms_per_frame"),
        number("threads"),
    );
    Ok(())
}

/// Uploads once, then replays the steady frames again and again.
fn capture(path: &Path, time: Duration, threads: usize) -> anyhow::Result<Value> {
    let mut reader = open(path)?;
    let mut gpu = gpu::start(&mut reader)?;
    gpu.set_threads(threads);
    let records = read_all(&mut reader)?;
    let frames: Vec<&[Owned]> = records.split_inclusive(Owned::is_surface).collect();
    let (first, steady) = frames.split_first().context("no records")?;
    let ends = |frame: &[Owned]| frame.last().is_some_and(Owned::is_surface);
    let mut steady: Vec<&[Owned]> = steady.iter().copied().filter(|frame| ends(frame)).collect();
    run_frame(&mut gpu, first)?;
    if steady.is_empty() {
        // One picture only: all of the capture is the frame.
        steady.push(first);
    }
    for frame in &steady {
        run_frame(&mut gpu, frame)?;
    }
    let (start, cpu) = (Instant::now(), cpu_time());
    let mut count = 0u64;
    while start.elapsed() < time {
        for frame in &steady {
            run_frame(&mut gpu, frame)?;
            count += 1;
        }
    }
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_time() - cpu);
    Ok(json!({
        "capture": path.display().to_string(),
        "gpu": gpu.chip().name(),
        "threads": threads,
        "frames": count,
        "fps": count as f64 / wall,
        "cpu_ms_per_frame": cpu * 1e3 / count as f64,
    }))
}

fn run_frame(gpu: &mut Gpu, frame: &[Owned]) -> anyhow::Result<()> {
    for record in frame {
        gpu.record(record.record())?;
    }
    Ok(())
}

/// CPU time of all threads in seconds; wall time where the system does not say.
fn cpu_time() -> f64 {
    let own = || -> Option<f64> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        // User and system time are the 12th and 13th fields after the name, in ticks of
        // 10 ms.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut ticks = || fields.next()?.parse::<f64>().ok();
        Some((ticks()? + ticks()?) / 100.0)
    };
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    own().unwrap_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64())
}

/// The front end alone.
fn front_end(args: &Args) -> anyhow::Result<()> {
    let time = Duration::from_secs_f64(args.seconds.clamp(0.01, 3600.0));
    let words = state_stream();
    let mut gpu = Gpu::new(Chip::Nv20);
    gpu.set_drawing(false);
    gpu.bind_for_bench(0x97);
    let (start, mut count) = (Instant::now(), 0u64);
    while start.elapsed() < time {
        for _ in 0..16 {
            gpu.push(&words)?;
            count += words.len() as u64;
        }
    }
    let rate = count as f64 / start.elapsed().as_secs_f64() / 1e6;
    let captures = &args.captures[1..];
    let walk = (!captures.is_empty()).then(|| walk(captures)).transpose()?;
    if args.json {
        say!("{}", json!({ "mwords_per_s": rate, "walk": walk }));
        return Ok(());
    }
    say!("state changes: {rate:.1} million words per second");
    if let Some(walk) = walk {
        let number = |key: &str| walk[key].as_f64().unwrap_or(0.0);
        say!(
            "{} captures, {:.1} million words: {:.2} s reading and decompressing, {:.2} s front end",
            walk["captures"],
            number("words") / 1e6,
            number("read_s"),
            number("front_end_s"),
        );
    }
    Ok(())
}

/// All files below the folders, and the files themselves.
fn files(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo: Vec<PathBuf> = paths.to_vec();
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

/// Reads captures and runs their front end, timing the two apart.
fn walk(paths: &[PathBuf]) -> anyhow::Result<Value> {
    let (mut read, mut run, mut words, mut captures) = (0.0, 0.0, 0usize, 0);
    for path in files(paths) {
        let start = Instant::now();
        let mut reader = open(&path)?;
        let mut gpu = gpu::start(&mut reader)?;
        let records = read_all(&mut reader).with_context(|| format!("{}", path.display()))?;
        read += start.elapsed().as_secs_f64();
        gpu.set_drawing(false);
        let start = Instant::now();
        for record in records.iter().filter(|record| !record.is_surface()) {
            words += record.push_words().map_or(0, <[u32]>::len);
            gpu.record(record.record())?;
        }
        run += start.elapsed().as_secs_f64();
        captures += 1;
    }
    Ok(json!({ "captures": captures, "words": words, "read_s": read, "front_end_s": run }))
}

/// State changes such as drivers send between draws, on Kelvin.
fn state_stream() -> Vec<u32> {
    let mut push = Push::new();
    for round in 0..64u32 {
        push.method(0, 0x0300, &[round & 1, 1, 0, 1, 0, 0, 0, 0])
            .method(
                0,
                0x033C,
                &[0x207, round & 0xFF, 0x302, 0x303, round << 16, 0x8006],
            )
            .method(0, 0x0354, &[0x203, 0x0101_0101, round & 1])
            .method(0, 0x0260, &[round, 2, 3, 4, 5, 6, 7, 8])
            .method(0, 0x0AC0, &[round, 2, 3, 4, 5, 6, 7, 8])
            .method(0, 0x0A60, &[round; 8])
            .method(
                0,
                0x1B00,
                &[round << 12, 0x0001_2A29, 0x0003_0303, 0x4003_FFC0],
            )
            .method(
                0,
                0x1B40,
                &[round << 12, 0x0001_2A29, 0x0003_0303, 0x4003_FFC0],
            )
            .method(0, 0x1E40, &[round & 0xFFF; 8]);
        push.floats(0, 0x0480, &[1.0; 16])
            .floats(0, 0x0680, &[round as f32; 16]);
    }
    push.words().to_vec()
}
