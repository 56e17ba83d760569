//! `cargo xtask fuzz --guided TARGET`: a target of `fuzz/` with libFuzzer.
//!
//! The flags are those of `cargo fuzz`, which wants a nightly compiler for its sanitizers. The
//! stable one has them too, if it is told to; the thread sanitizer also wants a standard library
//! that is built for it, from the compiler's sources.
//!
//! Inputs that reach something of their own are kept in `fuzz/seeds`, a packed file for each
//! target, and run with every `cargo xtask fuzz`.

use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Code that counts where it comes by, and tells what it compares.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Ccodegen-units=1";
const HOST: &str = "x86_64-unknown-linux-gnu";

/// Megabytes that a target may take, and seconds that an input may; sanitizers take several
/// times as much of both.
const MEMORY: u32 = 2048;
const SLOWEST: u32 = 20;
const SANITIZED: u32 = 4;

/// Where inputs are kept, the largest of them, and bytes for each target, all of it packed: a
/// capture is mostly empty memory.
const SEEDS: &str = "fuzz/seeds";
const LARGEST_SEED: usize = 4 << 10;
const MOST_BYTES: usize = 48 << 10;
/// The longest input.
const LONGEST: usize = 400_000;
/// How hard they are packed.
const PACKED: i32 = 19;

/// What else looks on.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Sanitizer {
    /// Memory errors.
    Address,
    /// Data races.
    Thread,
}

/// Options beside the target and the time.
#[derive(clap::Args)]
pub struct Args {
    /// With a sanitizer of the compiler.
    #[arg(long, requires = "guided")]
    sanitizer: Option<Sanitizer>,
    /// Afterwards keep the inputs that reach something of their own in `fuzz/seeds`.
    #[arg(long, requires = "guided")]
    keep: bool,
}

/// Builds a target and runs it for so many seconds.
pub fn run(target: &str, seconds: u64, args: &Args) -> anyhow::Result<()> {
    let folder = Path::new("fuzz");
    let corpus = folder.join("corpus").join(target);
    std::fs::create_dir_all(&corpus)?;
    for (number, input) in kept(target)?.iter().enumerate() {
        std::fs::write(corpus.join(format!("kept-{number}")), input)?;
    }
    if target == "chip" {
        write_scenes(&corpus)?;
    }
    let program = build(target, args.sanitizer)?;
    let artifacts = folder.join("artifacts").join(target);
    std::fs::create_dir_all(&artifacts)?;
    let more = args.sanitizer.map_or(1, |_| SANITIZED);
    let ran = Command::new(&program)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-rss_limit_mb={}", more * MEMORY))
        .arg(format!("-timeout={}", more * SLOWEST))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(format!("-max_len={LONGEST}"))
        .arg("-print_final_stats=1")
        .arg(&corpus)
        .status()?;
    ensure!(
        ran.success(),
        "{target} found something in {}",
        artifacts.display()
    );
    if args.keep {
        keep(&program, &corpus, &file_of(target))?;
    }
    Ok(())
}

/// Builds a target; the program.
fn build(target: &str, sanitizer: Option<Sanitizer>) -> anyhow::Result<PathBuf> {
    let mut command = Command::new("cargo");
    command.args(["rustc", "--release", "--target", HOST, "--bin", target]);
    let (flag, folder) = match sanitizer {
        None => ("", "target"),
        Some(Sanitizer::Address) => (" -Zsanitizer=address", "target/address"),
        Some(Sanitizer::Thread) => (" -Zsanitizer=thread", "target/thread"),
    };
    if sanitizer.is_some() {
        command.env("RUSTC_BOOTSTRAP", "1");
    }
    if sanitizer == Some(Sanitizer::Thread) {
        command
            .arg("-Zbuild-std=std,panic_unwind")
            .env("__CARGO_TESTS_ONLY_SRC_ROOT", sources()?);
    }
    command.args(["--target-dir", folder]);
    if sanitizer == Some(Sanitizer::Thread) {
        // The standard library has counters too: where unused functions are dropped, libFuzzer
        // finds another number of them than of their places, and refuses to start.
        command.args(["--", "-Clink-dead-code"]);
    }
    let built = command
        .current_dir("fuzz")
        .env("RUSTFLAGS", format!("{COVERAGE}{flag}"))
        .status()
        .context("cannot start cargo")?;
    ensure!(built.success(), "{target} does not build");
    Ok(["fuzz", folder, HOST, "release", target].iter().collect())
}

/// The sources of the compiler's standard library: installed, or as the page's core is built
/// with them.
fn sources() -> anyhow::Result<PathBuf> {
    let ask = |args: &[&str]| -> anyhow::Result<String> {
        let said = Command::new("rustc").args(args).output()?;
        Ok(String::from_utf8(said.stdout)?.trim().to_string())
    };
    let root = PathBuf::from(ask(&["--print", "sysroot"])?);
    let installed = root.join("lib/rustlib/src/rust/library");
    if installed.exists() {
        return Ok(installed);
    }
    let fetched = Command::new("web/wasm.sh").arg("--ready").status()?;
    let version = ask(&["--version"])?;
    let version = version.split(' ').nth(1).context("a version")?;
    let path = format!("target/web/rust-src-{version}/usr/src/rustc-{version}/library");
    ensure!(
        fetched.success() && Path::new(&path).exists(),
        "the thread sanitizer needs the sources of Rust {version}: rustup component add rust-src"
    );
    Ok(std::path::absolute(path)?)
}

/// Where a target's inputs are kept.
fn file_of(target: &str) -> PathBuf {
    Path::new(SEEDS).join(target).with_extension("zst")
}

/// The inputs that are kept for a target.
pub fn kept(target: &str) -> anyhow::Result<Vec<Vec<u8>>> {
    let file = file_of(target);
    match file.exists() {
        true => unpack(&std::fs::read(&file)?).with_context(|| file.display().to_string()),
        false => Ok(Vec::new()),
    }
}

/// Inputs one after another, each behind its length in four bytes.
fn pack(inputs: &[Vec<u8>]) -> anyhow::Result<Vec<u8>> {
    let mut all = Vec::new();
    for input in inputs {
        all.extend(u32::try_from(input.len())?.to_le_bytes());
        all.extend(input);
    }
    Ok(zstd::encode_all(&*all, PACKED)?)
}

fn unpack(packed: &[u8]) -> anyhow::Result<Vec<Vec<u8>>> {
    let all = zstd::decode_all(packed)?;
    let (mut rest, mut inputs) = (&all[..], Vec::new());
    while let Some((length, behind)) = rest.split_first_chunk() {
        let length = u32::from_le_bytes(*length) as usize;
        let (input, behind) = behind.split_at_checked(length).context("cut short")?;
        inputs.push(input.to_vec());
        rest = behind;
    }
    ensure!(rest.is_empty(), "cut short");
    Ok(inputs)
}

/// The small inputs that reach something of their own, the smallest first.
fn keep(program: &Path, corpus: &Path, seeds: &Path) -> anyhow::Result<()> {
    let merged = corpus.with_extension("merged");
    let _ = std::fs::remove_dir_all(&merged);
    std::fs::create_dir_all(&merged)?;
    let ran = Command::new(program)
        .arg("-merge=1")
        .arg(format!("-max_len={LONGEST}"))
        .args([merged.as_path(), corpus])
        .status()?;
    ensure!(ran.success(), "libFuzzer cannot merge");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&merged)? {
        let input = std::fs::read(entry?.path())?;
        files.push((zstd::bulk::compress(&input, PACKED)?.len(), input));
    }
    files.sort();
    let (mut left, mut inputs) = (MOST_BYTES, Vec::new());
    for (bytes, input) in files {
        if bytes > LARGEST_SEED.min(left) {
            break;
        }
        left -= bytes;
        inputs.push(input);
    }
    std::fs::create_dir_all(SEEDS)?;
    std::fs::write(seeds, pack(&inputs)?)?;
    Ok(std::fs::remove_dir_all(merged)?)
}

/// The project's own scenes are where captures start from.
fn write_scenes(corpus: &Path) -> anyhow::Result<()> {
    for scene in isotherm_scenes::all()? {
        let plain = zstd::decode_all(&*scene.capture)?;
        std::fs::write(corpus.join(&scene.name), plain)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_inputs_come_back() {
        let inputs = [b"".to_vec(), b"one".to_vec(), vec![7; 1000]];
        let packed = pack(&inputs).unwrap();
        assert_eq!(unpack(&packed).unwrap(), inputs);
        let cut = zstd::encode_all(&b"\x05\0\0\0four"[..], 1).unwrap();
        assert!(unpack(&cut).is_err());
    }
}
