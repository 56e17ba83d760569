//! `cargo xtask fuzz --guided TARGET`: a target of `fuzz/` with libFuzzer.
//!
//! The flags are those of `cargo fuzz`, which wants a nightly compiler for its sanitizers;
//! coverage alone builds with the stable one.

use anyhow::{Context, ensure};
use std::path::Path;
use std::process::Command;

/// Code that counts where it comes by, and tells what it compares.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Ccodegen-units=1";

/// Megabytes that a target may take, and seconds that an input may.
const MEMORY: u32 = 2048;
const SLOWEST: u32 = 20;

/// Builds a target and runs it for so many seconds.
pub fn run(target: &str, seconds: u64) -> anyhow::Result<()> {
    let folder = Path::new("fuzz");
    let corpus = folder.join("corpus").join(target);
    std::fs::create_dir_all(&corpus)?;
    if target == "chip" {
        write_scenes(&corpus)?;
    }
    let host = "x86_64-unknown-linux-gnu";
    let built = Command::new("cargo")
        .args(["build", "--release", "--target", host, "--bin", target])
        .current_dir(folder)
        .env("RUSTFLAGS", COVERAGE)
        .status()
        .context("cannot start cargo")?;
    ensure!(built.success(), "{target} does not build");
    let program = folder
        .join("target")
        .join(host)
        .join("release")
        .join(target);
    let artifacts = folder.join("artifacts").join(target);
    std::fs::create_dir_all(&artifacts)?;
    let ran = Command::new(program)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-rss_limit_mb={MEMORY}"))
        .arg(format!("-timeout={SLOWEST}"))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args(["-max_len=400000", "-print_final_stats=1"])
        .arg(&corpus)
        .status()?;
    ensure!(
        ran.success(),
        "{target} found something in {}",
        artifacts.display()
    );
    Ok(())
}

/// The project's own scenes are where captures start from.
fn write_scenes(corpus: &Path) -> anyhow::Result<()> {
    for scene in isotherm_scenes::all()? {
        let plain = zstd::decode_all(&*scene.capture)?;
        std::fs::write(corpus.join(&scene.name), plain)?;
    }
    Ok(())
}
