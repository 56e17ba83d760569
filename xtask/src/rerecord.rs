//! `cargo xtask rerecord`: how many captures that the recorder kit records anew from their
//! middle, from the chip's registers and memory, show the same pictures as the whole. A measure
//! for work on that state, with no floor yet.

use anyhow::{Context, ensure};
use isotherm::capture::{Payload, Reader, Writer, read_all};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many are recorded.
const COUNT: usize = 200;

/// Records and compares.
pub fn run() -> anyhow::Result<()> {
    let captures = captures();
    if captures.is_empty() {
        println!("skipped: no captures (set ISOTHERM_SHARED)");
        return Ok(());
    }
    let Some(program) = compile("rerecord")? else {
        println!("skipped: no gcc");
        return Ok(());
    };
    let mut differ = Vec::new();
    for path in &captures {
        if !same(&program, path).with_context(|| path.display().to_string())? {
            differ.push(path.display().to_string());
        }
    }
    let equal = captures.len() - differ.len();
    println!("{equal} of {} show the same pictures", captures.len());
    differ.iter().for_each(|path| println!("  other: {path}"));
    Ok(())
}

/// Captures of the console, evenly from all suites.
fn captures() -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![crate::shared().join("nv2a/captures")];
    while let Some(folder) = folders.pop() {
        let Ok(list) = std::fs::read_dir(folder) else {
            continue;
        };
        for path in list.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".cap.zst") {
                all.push(path);
            }
        }
    }
    all.sort();
    let step = (all.len() / COUNT).max(1);
    all.into_iter().step_by(step).take(COUNT).collect()
}

/// A C program of crates/capi/tests, made with the library; `None` without a compiler.
pub fn compile(name: &str) -> anyhow::Result<Option<PathBuf>> {
    if Command::new("gcc").arg("--version").output().is_err() {
        return Ok(None);
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--release", "-p", "isotherm-capi"])
        .status()?;
    ensure!(built.success(), "libisotherm could not be built");
    // Both are built into the same folder.
    let here = std::env::current_exe()?;
    let folder = here.parent().context("a program lies in a folder")?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/capi");
    let program = folder.join(format!("capi-{name}"));
    let compiled = Command::new("gcc")
        .args(["-O2", "-o"])
        .arg(&program)
        .arg("-I")
        .arg(root.join("include"))
        .arg(root.join(format!("tests/{name}.c")))
        .arg(root.join("record/isotherm_record.c"))
        .arg(folder.join("libisotherm.a"))
        .args(["-lpthread", "-ldl", "-lm"])
        .status()?;
    ensure!(compiled.success(), "{name}.c could not be compiled");
    Ok(Some(program))
}

/// Does the second half alone show what the whole shows?
fn same(program: &Path, path: &Path) -> anyhow::Result<bool> {
    let whole = std::fs::read(path)?;
    let folder = std::env::temp_dir();
    let id = std::process::id();
    let (from, to) = (
        folder.join(format!("whole-{id}.cap")),
        folder.join(format!("half-{id}.cap")),
    );
    std::fs::write(&from, plain(&whole)?)?;
    let status = Command::new(program).arg(&from).arg(&to).status()?;
    ensure!(status.success(), "the recorder ended with {status}");
    let half = std::fs::read(&to)?;
    std::fs::remove_file(&from)?;
    std::fs::remove_file(&to)?;
    let (whole, half) = (pictures(&whole)?, pictures(&half)?);
    // Pictures of the first half are not in the second.
    Ok(!half.is_empty() && whole.ends_with(&half))
}

/// A capture without compression.
pub fn plain(capture: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut reader = Reader::new(capture)?;
    let chip = match reader.next_record()?.map(|record| record.payload) {
        Some(Payload::Info(info)) => info.gpu,
        _ => anyhow::bail!("INFO does not come first"),
    };
    let mut writer = Writer::plain(Vec::new(), &json!({ "gpu": chip }))?;
    for record in read_all(&mut reader)? {
        record.write(&mut writer)?;
    }
    Ok(writer.finish()?)
}

fn pictures(capture: &[u8]) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut pictures = Vec::new();
    let see = |gpu: &mut isotherm::Gpu, surface: &isotherm::Surface| {
        pictures.push(surface.read(&gpu.memory).rgba);
    };
    isotherm::replay(Reader::new(capture)?, |_| {}, see)?;
    Ok(pictures)
}
