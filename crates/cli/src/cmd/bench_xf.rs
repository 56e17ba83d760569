//! `isotherm bench xf`: the vertex engine alone.
//!
//! Instructions are counted by callgrind, which runs this same program; time is
//! measured on one thread and on all of them.

use anyhow::{Context, bail};
use isotherm::vertex::VtxOut;
use isotherm::xf::Level;
use isotherm::xf::Xf;
use isotherm::xf::bench::{self, Case};
use serde_json::{Value, json};
use std::process::Command;
use std::time::Instant;

/// Vertices of one round.
const VERTICES: usize = 1024;
/// Rounds of the two runs whose difference is counted: starting up cancels out.
const ROUNDS: [u64; 2] = [1, 9];
/// Set for the runs under callgrind: case and rounds.
const COUNTED: &str = "ISOTHERM_BENCH_XF";

/// Measures all cases.
pub fn run(seconds: f64, threads: usize, as_json: bool) -> anyhow::Result<()> {
    if let Ok(job) = std::env::var(COUNTED) {
        return counted(&job);
    }
    let mut all = Vec::new();
    let mut valgrind = true;
    for case in Case::ALL {
        let count = if valgrind { instructions(case)? } else { None };
        valgrind &= count.is_some();
        let one = rate(case, 1, seconds / 6.0);
        let many = rate(case, threads, seconds / 6.0);
        let figures = json!({
            "case": case.name(),
            "instructions_per_vertex": count,
            "instructions_level": counted_level(),
            "mvertices_per_s": one / 1e6,
            "threads": threads,
            "mvertices_per_s_threads": many / 1e6,
        });
        if !as_json {
            print(&figures)?;
        }
        all.push(figures);
    }
    if as_json {
        say!("{}", serde_json::to_string_pretty(&all)?);
    } else if !valgrind {
        say!("install valgrind to have instructions counted");
    }
    Ok(())
}

fn print(figures: &Value) -> anyhow::Result<()> {
    let count = match figures["instructions_per_vertex"].as_u64() {
        Some(count) => format!("{count} instructions per vertex ({}), ", counted_level()),
        None => String::new(),
    };
    say!(
        "{}: {count}{:.2} million vertices per second, {:.2} with {} threads",
        figures["case"].as_str().unwrap_or_default(),
        figures["mvertices_per_s"].as_f64().unwrap_or(0.0),
        figures["mvertices_per_s_threads"].as_f64().unwrap_or(0.0),
        figures["threads"],
    );
    Ok(())
}

/// Vertices per second.
fn rate(case: Case, threads: usize, seconds: f64) -> f64 {
    let done: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                scope.spawn(move || {
                    let (mut xf, vertices) = case.prepare(VERTICES);
                    let (start, mut done) = (Instant::now(), 0);
                    let mut out = Vec::new();
                    while start.elapsed().as_secs_f64() < seconds {
                        std::hint::black_box(bench::run(&mut xf, &vertices, &mut out));
                        done += vertices.len() as u64;
                    }
                    done
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or(0))
            .sum()
    });
    done as f64 / seconds
}

/// The best level that callgrind knows and this build has.
fn counted_level() -> &'static str {
    match Level::up_to("avx2") {
        Level::Base => "base",
        _ => "avx2",
    }
}

/// Instructions per vertex at [`counted_level`]; `None` without valgrind.
fn instructions(case: Case) -> anyhow::Result<Option<u64>> {
    let mut counts = [0; 2];
    for (count, rounds) in counts.iter_mut().zip(ROUNDS) {
        let Some(n) = callgrind(case, rounds)? else {
            return Ok(None);
        };
        *count = n;
    }
    let rounds = (ROUNDS[1] - ROUNDS[0]) * VERTICES as u64;
    Ok(Some(counts[1].saturating_sub(counts[0]).div_ceil(rounds)))
}

fn callgrind(case: Case, rounds: u64) -> anyhow::Result<Option<u64>> {
    let this = std::env::current_exe().context("where this program lies")?;
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(this)
        .args(["bench", "xf"])
        .env("ISOTHERM_SIMD", counted_level())
        .env(COUNTED, format!("{} {rounds}", case.name()))
        .output();
    let output = match run {
        Ok(output) => output,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e).context("valgrind"),
    };
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("valgrind: {text}");
    }
    let line = text.lines().find(|line| line.contains("Collected"));
    let number = line.and_then(|line| line.rsplit(' ').next()?.parse().ok());
    Ok(Some(number.with_context(|| {
        format!("valgrind said nothing of instructions: {text}")
    })?))
}

/// One case so many times, for callgrind to count.
fn counted(job: &str) -> anyhow::Result<()> {
    let (name, rounds) = job.split_once(' ').context("case and rounds")?;
    let case = Case::ALL.into_iter().find(|case| case.name() == name);
    let (mut xf, vertices): (Xf, _) = case.context("no such case")?.prepare(VERTICES);
    let mut out: Vec<VtxOut> = Vec::new();
    for _ in 0..rounds.parse::<u64>()? {
        std::hint::black_box(bench::run(&mut xf, &vertices, &mut out));
    }
    Ok(())
}
