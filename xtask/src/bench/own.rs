//! The project's own scenes, beside the program in `crates/scenes/peers` that draws them with OpenGL.

use super::{Args, Peers, timed};
use crate::conform::target;
use anyhow::{Context, ensure};
use isotherm_scenes::{BENCH, bench};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The chip that the scenes are written for.
const GPU: &str = "nv2a";
const SIZES: [(u32, u32); 2] = [(640, 480), (1920, 1080)];
/// Drivers and the number of llvmpipe's threads besides the caller's.
const DRIVERS: [(&str, &str, Option<&str>); 3] = [
    ("softpipe", "softpipe", None),
    ("llvmpipe", "llvmpipe", None),
    ("llvmpipe:0", "llvmpipe", Some("0")),
];

/// A line for each wanted scene and size.
pub fn rows(args: &Args) -> anyhow::Result<String> {
    let mut rows = String::new();
    let wanted = BENCH.iter().filter(|(name, _)| args.wants(GPU, name));
    for (name, (width, height)) in wanted.flat_map(|(name, _)| SIZES.map(|size| (*name, size))) {
        let size = format!("{width}x{height}");
        let capture = capture(name, (width, height))?;
        rows += &timed(&format!("{GPU} | {name} | {size}"), &capture, args, || {
            let program = build()?;
            let time = |&(label, driver, threads): &(&str, &str, Option<&str>)| {
                let fps = peer(&program, name, (width, height), driver, threads, args)?;
                Ok((label.to_string(), fps))
            };
            DRIVERS.iter().map(time).collect::<anyhow::Result<Peers>>()
        })?;
    }
    Ok(rows)
}

/// Writes a scene's capture and says where.
fn capture(name: &str, (width, height): (u32, u32)) -> anyhow::Result<PathBuf> {
    let scene = bench(name, width, height)?.context("no such scene")?;
    let path = target().join(format!("bench-{name}_{width}x{height}.cap.zst"));
    std::fs::write(&path, scene.capture)?;
    Ok(path)
}

/// Builds the peers' program.
fn build() -> anyhow::Result<PathBuf> {
    let program = target().join("bench-peer");
    let output = Command::new("cc")
        .args(["-O2", "crates/scenes/peers/scenes.c", "-o"])
        .arg(&program)
        .args(["-lEGL", "-lGL", "-lm"])
        .output()
        .context("cc")?;
    ensure!(
        output.status.success(),
        "scenes.c: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(program)
}

/// A driver's frames per second.
fn peer(
    program: &Path,
    name: &str,
    (width, height): (u32, u32),
    driver: &str,
    threads: Option<&str>,
    args: &Args,
) -> anyhow::Result<f64> {
    let mut command = Command::new(program);
    command
        .args([name, &width.to_string(), &height.to_string()])
        .arg(args.seconds.to_string())
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env("GALLIUM_DRIVER", driver);
    if let Some(threads) = threads {
        command.env("LP_NUM_THREADS", threads);
    }
    let output = command.output().context("the peers' program")?;
    ensure!(
        output.status.success(),
        "{driver}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .with_context(|| format!("{driver} gave no number"))
}
