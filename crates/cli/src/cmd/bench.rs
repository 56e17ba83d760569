//! `isotherm bench`: how fast captures replay, and single units alone.

use super::replay::open;
use anyhow::Context;
use isotherm::Part;
use isotherm::capture::{Owned, Reader, read_all};
use isotherm::gpu::{self, Gpu};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What the figures mean, below the options.
const FIGURES: &str = "\
Figures per capture (JSON keys in brackets):
  [frames]            frames drawn: the capture's records from each surface to the next, in
                      a loop; the first frame, which uploads, is drawn once before
  [fps]               frames per second of wall time
  [cpu_ms_per_frame]  CPU time of all threads per frame
  [mpixels_per_s]     million pixels per second that passed all tests (samples on multisampled
                      surfaces; clears are not counted)
  [mvertices_per_s]   million vertices per second that were transformed
  [shares]            where the time went, all threads together, measured in some frames of
                      their own after the timed ones, per batch of vertices and per tile:
    front_end         methods to words; vertices sent word by word
    vertices          vertices fetched from memory, transformed and lit (IDX, XF, LT)
    assembly          primitives made, culled and sorted into tiles (ASSM)
    prepare           words to prepared state, textures decoded
    pixels            raster, texture, combiners, tests, blending, clears
A Mali's capture has only the first three.";

/// Options of `isotherm bench`.
#[derive(clap::Args)]
#[command(after_help = FIGURES)]
pub struct Args {
    /// Captures to time, or `fe`: the front end alone, on a stream of state changes and on
    /// all captures that follow; or `decode`: words to fields; or `xf`: the vertex engine,
    /// with its instructions per vertex if valgrind is installed. A name of the project's own
    /// scenes stands for their capture: `combine`, `frame`.
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
        return super::bench_fe::run(args.seconds, &args.captures[1..], args.json);
    }
    if args.captures[0].as_os_str() == "xf" {
        return super::bench_xf::run(args.seconds.clamp(0.01, 3600.0), threads, args.json);
    }
    if args.captures[0].as_os_str() == "decode" {
        return super::bench_decode::run(args.seconds, args.json);
    }
    let time = Duration::from_secs_f64(args.seconds.clamp(0.01, 3600.0));
    let mut all = Vec::new();
    for path in &args.captures {
        let figures = capture(path, time, threads)?;
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
    let Some(shares) = figures["shares"].as_object() else {
        return Ok(());
    };
    let shares: Vec<String> = shares
        .iter()
        .map(|(name, share)| format!("{name} {:.1} %", 100.0 * share.as_f64().unwrap_or(0.0)))
        .collect();
    say!(
        "  {:.2} Mpixel/s, {:.3} Mvertex/s; {}",
        number("mpixels_per_s"),
        number("mvertices_per_s"),
        shares.join(", "),
    );
    Ok(())
}

/// Size of the project's own scenes.
const OWN_SIZE: (u32, u32) = (640, 480);

/// Uploads once, then replays the steady frames again and again.
fn capture(path: &Path, time: Duration, threads: usize) -> anyhow::Result<Value> {
    let name = path.to_str().unwrap_or_default();
    let mut reader = match isotherm_scenes::bench(name, OWN_SIZE.0, OWN_SIZE.1)? {
        Some(scene) if !path.exists() => Reader::new(std::io::Cursor::new(scene.capture))?,
        _ => open(path)?,
    };
    timed(&mut reader, path, time, threads).with_context(|| format!("{}", path.display()))
}

fn timed(
    reader: &mut Reader<'_>,
    path: &Path,
    time: Duration,
    threads: usize,
) -> anyhow::Result<Value> {
    let mut gpu = gpu::start(reader)?;
    gpu.set_threads(threads);
    let records = read_all(reader)?;
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
    gpu.restart_profile(false);
    let (start, cpu) = (Instant::now(), cpu_time());
    let mut count = 0u64;
    while start.elapsed() < time {
        for frame in &steady {
            run_frame(&mut gpu, frame)?;
            count += 1;
        }
    }
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_time() - cpu);
    let mut figures = json!({
        "schema": "isotherm-bench-1",
        "capture": path.display().to_string(),
        "gpu": gpu.chip().name(),
        "threads": threads,
        "frames": count,
        "fps": count as f64 / wall,
        "cpu_ms_per_frame": cpu * 1e3 / count as f64,
    });
    if let Some(profile) = gpu.profile() {
        figures["mpixels_per_s"] = json!(profile.pixels as f64 * 1e-6 / wall);
        figures["mvertices_per_s"] = json!(profile.vertices as f64 * 1e-6 / wall);
        figures["shares"] = shares(&mut gpu, &steady, time)?;
    }
    Ok(figures)
}

/// Draws some more frames, for a tenth of the time, and measures the units.
fn shares(gpu: &mut Gpu, steady: &[&[Owned]], time: Duration) -> anyhow::Result<Value> {
    gpu.restart_profile(true);
    let start = Instant::now();
    while start.elapsed() < time / 10 {
        for frame in steady {
            run_frame(gpu, frame)?;
        }
    }
    let wall = start.elapsed().as_secs_f64();
    let Some(profile) = gpu.profile() else {
        return Ok(Value::Null);
    };
    let parts = [
        ("front_end", (wall - profile.calling_seconds()).max(0.0)),
        ("vertices", profile.seconds(Part::Vertices)),
        ("assembly", profile.seconds(Part::Assembly)),
        ("prepare", profile.seconds(Part::Prepare)),
        ("pixels", profile.seconds(Part::Pixels)),
    ];
    let sum: f64 = parts.iter().map(|(_, seconds)| seconds).sum();
    let shares = parts.map(|(name, seconds)| (name.to_string(), json!(seconds / sum)));
    Ok(Value::Object(shares.into_iter().collect()))
}

/// Draws a frame. Each has a budget of its own: the loop is ours, not the capture's.
fn run_frame(gpu: &mut Gpu, frame: &[Owned]) -> anyhow::Result<()> {
    gpu.renew_budget();
    for record in frame {
        gpu.record(record.record())?;
    }
    Ok(())
}

/// CPU time of all threads in seconds; wall time where the system does not say.
pub fn cpu_time() -> f64 {
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
