//! `cargo xtask rerecord`: captures that the recorder kit records anew from their middle, from
//! the chip's registers and memory, show the same pictures as the whole.

use anyhow::{Context, ensure};
use isotherm::Gpu;
use isotherm::capture::{Owned, Payload, Reader, Writer, read_all};
use isotherm::fe::Fe;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many are recorded of the console's, and of driver streams of all families.
const COUNT: [usize; 2] = [140, 60];
/// The same for every change.
const QUICK: [usize; 2] = [18, 9];

/// Which captures.
#[derive(clap::Args)]
pub struct Args {
    /// These instead of 200 of the shared data.
    captures: Vec<PathBuf>,
    /// Few of the shared data, for every change.
    #[arg(long)]
    quick: bool,
}

/// The quick sample.
pub fn quick() -> anyhow::Result<()> {
    run(&Args {
        captures: Vec::new(),
        quick: true,
    })
}

/// Records and compares; fails if one differs.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let captures = match args.captures.as_slice() {
        [] => sample(if args.quick { QUICK } else { COUNT }),
        given => given.to_vec(),
    };
    if captures.is_empty() {
        println!("skipped: no captures (set ISOTHERM_SHARED)");
        return Ok(());
    }
    let Some(program) = compile("rerecord")? else {
        println!("skipped: no gcc");
        return Ok(());
    };
    let mut differ = 0;
    for path in &captures {
        let name = path.display().to_string();
        if !same(&program, path).with_context(|| name.clone())? {
            differ += 1;
            println!("other: {name}");
            for line in why(path).unwrap_or_else(|error| vec![error.to_string()]) {
                println!("    {line}");
            }
        }
    }
    let equal = captures.len() - differ;
    println!("{equal} of {} show the same pictures", captures.len());
    ensure!(differ == 0, "{differ} captures differ when recorded anew");
    Ok(())
}

/// Captures of the console, evenly from all suites, and of drivers.
fn sample([console, drivers]: [usize; 2]) -> Vec<PathBuf> {
    let shared = crate::shared();
    let streams = [
        "nv10", "nv17", "nv20", "nv25", "nv34", "nv35", "nv40", "nv44",
    ];
    let streams = streams.map(|chip| shared.join("streams").join(chip));
    let mut all = evenly(vec![shared.join("nv2a/captures")], console);
    all.extend(evenly(streams.to_vec(), drivers));
    all
}

fn evenly(mut folders: Vec<PathBuf>, count: usize) -> Vec<PathBuf> {
    let mut all = Vec::new();
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
    let step = all.len() as f64 / count as f64;
    let picked = (0..count).map(|i| (i as f64 * step.max(1.0)) as usize);
    picked.filter_map(|i| all.get(i).cloned()).collect()
}

/// A C program of crates/capi/tests, made with the library; `None` without a compiler.
pub fn compile(name: &str) -> anyhow::Result<Option<PathBuf>> {
    if Command::new("gcc").arg("--version").output().is_err() {
        return Ok(None);
    }
    // Both are built into the same folder.
    let here = std::env::current_exe()?;
    let folder = here.parent().context("a program lies in a folder")?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    // Together with the program, whose dependencies have more features: alone, the library would
    // have all other crates built once more.
    build.args(["build", "--quiet", "-p", "isotherm-capi"]);
    build.args(["-p", "isotherm-cli"]);
    if folder.ends_with("release") {
        build.arg("--release");
    }
    let built = build.status()?;
    ensure!(built.success(), "libisotherm could not be built");
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
    let chip = isotherm::gpu::start(&mut Reader::new(&whole[..])?)?.chip();
    let folder = std::env::temp_dir();
    let id = std::process::id();
    let (from, to) = (
        folder.join(format!("whole-{id}.cap")),
        folder.join(format!("half-{id}.cap")),
    );
    std::fs::write(&from, plain(&whole)?)?;
    let status = Command::new(program)
        .args([&from, &to])
        .arg(chip.name())
        .status()?;
    ensure!(status.success(), "the recorder ended with {status}");
    let half = std::fs::read(&to)?;
    std::fs::remove_file(&from)?;
    std::fs::remove_file(&to)?;
    let (whole, half) = (pictures(&whole)?, pictures(&half)?);
    // Pictures of the first half are not in the second.
    Ok(!half.is_empty() && whole.ends_with(&half))
}

/// What a chip that was started from the registers of another remembers otherwise: the same
/// cut, without the kit.
fn why(path: &Path) -> anyhow::Result<Vec<String>> {
    let capture = std::fs::read(path)?;
    let mut reader = Reader::new(&capture[..])?;
    let mut first = isotherm::gpu::start(&mut reader)?;
    let records = read_all(&mut reader)?;
    run_half(&mut first, &records)?;
    let mut writer = Writer::plain(Vec::new(), &json!({ "gpu": first.chip().name() }))?;
    first.write_hardware_state(&mut writer)?;
    for (addr, bytes) in first.memory.pages() {
        writer.memory(addr, bytes)?;
    }
    let state = writer.finish()?;
    let mut reader = Reader::new(&state[..])?;
    let mut second = isotherm::gpu::start(&mut reader)?;
    for record in read_all(&mut reader)? {
        second.record(record.record())?;
    }
    let odd = second.oddities();
    let mut lines = vec![format!("the start: {odd:?}")];
    let (one, two) = (first.context(), second.context());
    let [mut ours, mut theirs] = [Fe::new(first.chip()), Fe::new(first.chip())];
    ours.restore(&one.fe);
    theirs.restore(&two.fe);
    for (name, a, b) in ours.differences(&theirs).into_iter().take(MOST) {
        lines.push(format!("{name}: {a:x}, then {b:x}"));
    }
    let [one, two] = [one, two].map(|context| json!(context));
    for key in ["units", "bound", "pusher", "twod"] {
        differences(key, &one[key], &two[key], &mut lines);
    }
    Ok(lines)
}

/// So many lines of each kind are enough to see what is wrong.
const MOST: usize = 40;

fn differences(name: &str, a: &serde_json::Value, b: &serde_json::Value, lines: &mut Vec<String>) {
    use serde_json::Value;
    match (a, b) {
        _ if a == b || lines.len() > 3 * MOST => {}
        (Value::Object(a), Value::Object(b)) => {
            for (key, a) in a {
                differences(&format!("{name}.{key}"), a, &b[key], lines);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                differences(&format!("{name}[{i:x}]"), a, b, lines);
            }
        }
        (a, b) => lines.push(format!("{name}: {a}, then {b}")),
    }
}

/// Runs a capture until half of its words are done and no primitive is open.
fn run_half(gpu: &mut Gpu, records: &[Owned]) -> anyhow::Result<()> {
    let words: usize = records
        .iter()
        .filter_map(Owned::push_words)
        .map(<[u32]>::len)
        .sum();
    let mut seen = 0;
    for record in records {
        match record.push_words() {
            Some(push) if seen + push.len() > words / 2 => {
                let mut left = (words / 2 - seen).max(1);
                gpu.push_until(push, |_| {
                    left = left.saturating_sub(1);
                    left == 0
                })?;
                return Ok(());
            }
            push => {
                seen += push.map_or(0, <[u32]>::len);
                gpu.record(record.record())?;
            }
        }
    }
    Ok(())
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
