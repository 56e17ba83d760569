//! `cargo xtask bench`: the benchmark scenes beside Mesa's software drivers, in one run.
//!
//! The peers' programs are part of the shared data; they are copied to the target folder and
//! built there. The project's own scenes (`own`) come with a program of their own. Ratios are
//! written to `docs/benchmarks.md`.

mod own;

use crate::conform::{isotherm, target};
use anyhow::{Context, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options.
#[derive(clap::Args)]
pub struct Args {
    /// Seconds per scene and driver.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Runs; the best of them counts, for us and for the peers.
    #[arg(long, default_value_t = 3)]
    repeats: u32,
    /// Only captures of this chip; may be given several times.
    #[arg(long)]
    gpu: Vec<String>,
    /// Only this scene.
    #[arg(long)]
    scene: Option<String>,
    /// Leave the table in the terminal, write no file.
    #[arg(long)]
    dry: bool,
}

/// Frames per second by driver.
type Peers = BTreeMap<String, f64>;

/// Times everything and writes the table.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let rows = shared_rows(args)? + &own::rows(args)?;
    ensure!(!rows.is_empty(), "no such scene");
    let table = format!("{HEADER}{rows}");
    print!("{table}");
    if !args.dry {
        let old = std::fs::read_to_string(PAGE).context(PAGE)?;
        std::fs::write(PAGE, page(&old, &table)).context(PAGE)?;
    }
    Ok(())
}

/// Where the table goes.
const PAGE: &str = "docs/benchmarks.md";
/// The page's line behind the table.
const BY_HAND: &str = "\n<!-- What follows is written by hand. -->\n";

/// The page with another table.
fn page(old: &str, table: &str) -> String {
    let text = old.split_once(BY_HAND).map_or(old, |(_, text)| text);
    format!("{table}{BY_HAND}{text}")
}

impl Args {
    /// Is this scene of this chip to be timed?
    fn wants(&self, gpu: &str, scene: &str) -> bool {
        (self.gpu.is_empty() || self.gpu.iter().any(|wanted| wanted == gpu))
            && self.scene.as_deref().is_none_or(|wanted| wanted == scene)
    }
}

/// The captures of the shared data.
fn shared_rows(args: &Args) -> anyhow::Result<String> {
    let folder = crate::shared().join("bench");
    let index = folder.join("index.json");
    if !index.exists() {
        println!("skipped: no {} (set ISOTHERM_SHARED)", index.display());
        return Ok(String::new());
    }
    let index: Value = serde_json::from_slice(&std::fs::read(index)?)?;
    let mut rows = String::new();
    let mut programs = None;
    for entry in index["entries"].as_array().into_iter().flatten() {
        let text = |key: &str| entry[key].as_str().unwrap_or_default();
        if !args.wants(text("gpu"), text("scene")) {
            continue;
        }
        let programs = match &programs {
            Some(programs) => programs,
            None => programs.insert(copy_peers(&folder.join("peer"))?),
        };
        rows += &row(&folder, entry, programs, args)?;
    }
    Ok(rows)
}

/// What to do when the peers do not build or run.
const NEEDED: &str = "\
They need bash, make, gcc and Mesa's software drivers with their headers; on Debian:
  apt install gcc make libegl-dev libgl-dev libgles-dev libegl-mesa0 libgl1-mesa-dri
The table below has our own figures only.";

const HEADER: &str = "\
# Benchmarks

Written by `cargo xtask bench`: the captures of the shared data's five scenes and two scenes of
our own (`combine` and `frame`, for the Xbox's NV20), replayed in a loop, beside Mesa's software drivers on the same scenes on the same machine in the same run (the
peers without unused depth buffers, and with highp fragment shaders for ES 2, which is their
faster setting). Peers and we take turns; best of the repeats, for each. `x1` is one thread, `xN` all cores; llvmpipe likewise.

| chip | scene | size | fps x1 | fps xN | speed-up | softpipe | llvmpipe x1 | llvmpipe xN | xN / softpipe | x1 / llvmpipe x1 | xN / llvmpipe xN |
|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
";

fn row(folder: &Path, entry: &Value, programs: &Path, args: &Args) -> anyhow::Result<String> {
    let text = |key: &str| entry[key].as_str().unwrap_or_default().to_string();
    let size = format!("{}x{}", entry["width"], entry["height"]);
    let api = if text("peer") == "es2" { "es2h" } else { "glm" };
    let scene = text("scene");
    timed(
        &format!("{} | {scene} | {size}", text("gpu")),
        &folder.join(text("capture")),
        args,
        || peers(programs, api, &scene, &size, args),
    )
}

/// A scene's line: peers and we in turn, the best of the repeats.
fn timed(
    title: &str,
    capture: &Path,
    args: &Args,
    peers: impl Fn() -> anyhow::Result<Peers>,
) -> anyhow::Result<String> {
    let (mut single, mut all, mut best) = (0f64, 0f64, Peers::new());
    for _ in 0..args.repeats.max(1) {
        match peers() {
            Ok(peers) => {
                for (driver, fps) in peers {
                    let best = best.entry(driver).or_insert(0.0);
                    *best = best.max(fps);
                }
            }
            Err(error) => println!("no peers: {error:#}\n{NEEDED}"),
        }
        single = single.max(fps(capture, args, Some(1))?);
        all = all.max(fps(capture, args, None)?);
    }
    let peer = |driver: &str| best.get(driver).copied();
    let (softpipe, alone, llvmpipe) = (peer("softpipe"), peer("llvmpipe:0"), peer("llvmpipe"));
    let number = |v: Option<f64>| v.map_or("-".into(), |v| format!("{v:.1}"));
    let ratio = |ours: f64, v: Option<f64>| v.map_or("-".into(), |v| format!("{:.2}", ours / v));
    Ok(format!(
        "| {title} | {single:.1} | {all:.1} | {:.2} | {} | {} | {} | {} | {} | {} |\n",
        all / single,
        number(softpipe),
        number(alone),
        number(llvmpipe),
        ratio(all, softpipe),
        ratio(single, alone),
        ratio(all, llvmpipe),
    ))
}

/// Our frames per second.
fn fps(capture: &Path, args: &Args, threads: Option<u32>) -> anyhow::Result<f64> {
    let mut command = isotherm()?;
    command.arg("bench").arg(capture).arg("--json");
    command.args(["--seconds", &args.seconds.to_string()]);
    if let Some(threads) = threads {
        command.args(["-j", &threads.to_string()]);
    }
    let output = command.output().context("isotherm bench")?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let figures: Value = serde_json::from_slice(&output.stdout)?;
    figures[0]["fps"].as_f64().context("no fps")
}

/// Copies the peers' programs to where they may be built.
fn copy_peers(folder: &Path) -> anyhow::Result<PathBuf> {
    let copy = target().join("peer");
    std::fs::create_dir_all(&copy)?;
    for file in std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))? {
        let file = file?.path();
        let target = copy.join(file.file_name().unwrap_or_default());
        if !target.exists() {
            std::fs::copy(&file, &target)?;
        }
    }
    Ok(copy)
}

/// Builds the peers if need be and times a scene.
fn peers(
    programs: &Path,
    api: &str,
    scene: &str,
    size: &str,
    args: &Args,
) -> anyhow::Result<Peers> {
    let output = Command::new("bash")
        .arg(programs.join("peer_bench.sh"))
        .env("SECS", args.seconds.to_string())
        .env("REPS", "1")
        .env("APIS", api)
        .env("SCENES", scene)
        .env("SIZES", size)
        .output()
        .context("peer_bench.sh")?;
    ensure!(
        output.status.success(),
        "peer_bench.sh: {}",
        String::from_utf8_lossy(&output.stderr)
            .lines()
            .last()
            .unwrap_or_default()
    );
    let mut peers = Peers::new();
    let mut failed = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.last() == Some(&"failed") {
            failed.push(line.to_string());
        }
        if let [_, _, _, driver, "fps", fps, ..] = words[..]
            && let Ok(fps) = fps.parse::<f64>()
        {
            peers.insert(driver.into(), fps);
        }
    }
    ensure!(
        !peers.is_empty(),
        "none of the peers runs: {}",
        failed.join("; ")
    );
    for line in failed {
        println!("peer: {line}");
    }
    Ok(peers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_table_leaves_the_text() {
        let first = page("text\n", "one\n");
        assert_eq!(first, format!("one\n{BY_HAND}text\n"));
        assert_eq!(page(&first, "two\n"), format!("two\n{BY_HAND}text\n"));
    }
}
