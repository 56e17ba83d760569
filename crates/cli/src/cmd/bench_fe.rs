//! `isotherm bench fe`: the front end alone.

use anyhow::Context;
use isotherm::Chip;
use isotherm::capture::{Payload, Push, Reader};
use isotherm::gpu::{self, Gpu};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Times state changes, and a walk through captures if any are given.
pub fn run(seconds: f64, captures: &[PathBuf], json: bool) -> anyhow::Result<()> {
    let time = Duration::from_secs_f64(seconds.clamp(0.01, 3600.0));
    let (wall, busy) = state_changes(time)?;
    let walk = (!captures.is_empty()).then(|| walk(captures)).transpose()?;
    if json {
        let line = json!({ "mwords_per_s": wall, "mwords_per_cpu_s": busy, "walk": walk });
        say!("{line}");
        return Ok(());
    }
    say!(
        "state changes: {wall:.1} million words per second on one core, {busy:.1} per second of CPU time"
    );
    if let Some(walk) = walk {
        print_walk(&walk)?;
    }
    Ok(())
}

/// Where the time of a walk went.
fn print_walk(walk: &Value) -> std::io::Result<()> {
    let number = |key: &str| walk[key].as_f64().unwrap_or(0.0);
    say!(
        "{} captures, {:.1} million words, {:.1} MB:",
        walk["captures"],
        number("words") / 1e6,
        number("bytes") / 1e6
    );
    let parts = [
        ("decompress_s", "decompression"),
        ("records_s", "records"),
        ("memory_s", "uploads to memory"),
        ("front_end_s", "front end"),
    ];
    let all: f64 = parts.iter().map(|(key, _)| number(key)).sum();
    for (key, what) in parts {
        let share = 100.0 * number(key) / all.max(1e-9);
        say!("    {:8.3} s  {share:4.1} %  {what}", number(key));
    }
    let (front_end, decompress) = (number("front_end_s"), number("decompress_s"));
    let bound = if front_end < decompress {
        "decompression"
    } else {
        "the front end"
    };
    say!(
        "bound by {bound}: the front end takes {:.2} of the time that decompression takes",
        front_end / decompress.max(1e-9)
    );
    Ok(())
}

/// Millions of words per second and per second of CPU time.
fn state_changes(time: Duration) -> anyhow::Result<(f64, f64)> {
    let words = state_stream();
    let mut gpu = Gpu::new(Chip::Nv20);
    gpu.set_drawing(false);
    gpu.bind_for_bench(0x97);
    gpu.push(&words)?;
    let (start, cpu, mut count) = (Instant::now(), super::bench::cpu_time(), 0u64);
    while start.elapsed() < time {
        for _ in 0..16 {
            gpu.push(&words)?;
            count += words.len() as u64;
        }
    }
    let millions = count as f64 / 1e6;
    let (wall, cpu) = (
        start.elapsed().as_secs_f64(),
        super::bench::cpu_time() - cpu,
    );
    Ok((millions / wall, millions / cpu.max(0.01)))
}

/// The files themselves, and all captures below the folders.
fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let (folders, mut found): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.iter().cloned().partition(|path| path.is_dir());
    let mut todo = folders;
    while let Some(folder) = todo.pop() {
        let list = std::fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))?;
        for path in list.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                todo.push(path);
            } else if path.to_string_lossy().ends_with(".cap.zst") {
                found.push(path);
            }
        }
    }
    anyhow::ensure!(
        !found.is_empty(),
        "no captures (*.cap.zst) in the folders given"
    );
    found.sort();
    Ok(found)
}

/// Where the time of a walk goes.
#[derive(Default)]
struct Split {
    decompress: f64,
    records: f64,
    memory: f64,
    front_end: f64,
    words: usize,
    bytes: usize,
}

/// Reads captures and runs their front end, timing each step apart.
fn walk(paths: &[PathBuf]) -> anyhow::Result<Value> {
    let (mut split, mut captures) = (Split::default(), 0);
    for path in files(paths)? {
        walk_one(&path, &mut split).with_context(|| format!("{}", path.display()))?;
        captures += 1;
    }
    Ok(
        json!({ "captures": captures, "words": split.words, "bytes": split.bytes,
        "decompress_s": split.decompress, "records_s": split.records,
        "memory_s": split.memory, "front_end_s": split.front_end }),
    )
}

fn walk_one(path: &Path, split: &mut Split) -> anyhow::Result<()> {
    let timed = |total: &mut f64, start: Instant| *total += start.elapsed().as_secs_f64();
    let start = Instant::now();
    let bytes = zstd::decode_all(std::fs::File::open(path)?)?;
    timed(&mut split.decompress, start);
    split.bytes += bytes.len();
    let mut reader = Reader::new(bytes.as_slice())?;
    let mut gpu = gpu::start(&mut reader)?;
    gpu.set_drawing(false);
    loop {
        let start = Instant::now();
        let Some(record) = reader.next_record()? else {
            break;
        };
        timed(&mut split.records, start);
        let start = Instant::now();
        let words = match &record.payload {
            Payload::Push(words) => Some(words.len()),
            Payload::Surface(_) => continue,
            _ => None,
        };
        gpu.record(record)?;
        match words {
            Some(words) => {
                split.words += words;
                timed(&mut split.front_end, start);
            }
            None => timed(&mut split.memory, start),
        }
    }
    Ok(())
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
