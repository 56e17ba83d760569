//! `cargo xtask conform`: the conformance figures against a floor that only rises.
//!
//! `conform.floor.json` has, per folder of the shared data and per suite, how many pictures
//! were exact, within 2, near, or in agreement with a reference. Fewer is a failure; more
//! raises the floor with `--raise`, and `--docs` writes the tables of `docs/accuracy.md`.

mod table;

use anyhow::{Context, bail, ensure};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The floor, beside the workspace's Cargo.toml.
const FLOOR: &str = "conform.floor.json";
/// What must not fall.
const COUNTERS: [&str; 5] = ["exact_rgba", "exact_rgb", "within2", "near", "agree"];

/// Options.
#[derive(clap::Args)]
pub struct Args {
    /// Raise the floor to today's figures where they are higher.
    #[arg(long)]
    raise: bool,
    /// Write the figures into the tables of `docs/accuracy.md`.
    #[arg(long)]
    docs: bool,
    /// Folders of the shared data to run.
    #[arg(default_values = ["nv2a", "rsx", "streams"])]
    folders: Vec<String>,
}

/// Runs the folders and compares.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let shared = crate::shared();
    let mut floor = read(Path::new(FLOOR))?;
    let mut fallen = Vec::new();
    for name in &args.folders {
        let folder = shared.join(name);
        if !folder.join("index.json").exists() {
            println!("skipped: no {} (set ISOTHERM_SHARED)", folder.display());
            continue;
        }
        let found = figures(&folder, name)?;
        fallen.extend(compare(name, &mut floor, &found, args.raise));
        if args.docs {
            table::write(name, &found)?;
        }
    }
    if args.raise {
        std::fs::write(FLOOR, serde_json::to_string_pretty(&floor)? + "\n").context(FLOOR)?;
    }
    ensure!(
        fallen.is_empty(),
        "below the floor:\n  {}",
        fallen.join("\n  ")
    );
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Map<String, Value>> {
    match std::fs::read(path) {
        Ok(text) => serde_json::from_slice(&text).with_context(|| format!("{}", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Map::new()),
        Err(error) => Err(error).with_context(|| format!("{}", path.display())),
    }
}

/// Builds the program and runs `isotherm conform` on a folder.
fn figures(folder: &Path, name: &str) -> anyhow::Result<Value> {
    let out = target().join(format!("conform-{name}.json"));
    let status = isotherm()?
        .arg("conform")
        .arg(folder)
        .arg("--json")
        .arg(&out)
        .status()
        .context("isotherm conform")?;
    // Code 1 says that there were errors; they are in the figures.
    ensure!(
        status.code().is_some_and(|code| code <= 1),
        "isotherm conform ended with {status}"
    );
    let text = std::fs::read(&out).with_context(|| format!("{}", out.display()))?;
    Ok(serde_json::from_slice(&text)?)
}

/// Where build products go.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from)
}

/// The program, built in release mode.
pub fn isotherm() -> anyhow::Result<Command> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--package", "isotherm-cli"])
        .status()
        .context("cargo build")?;
    if !status.success() {
        bail!("the program does not build");
    }
    Ok(Command::new(target().join("release").join("isotherm")))
}

/// Which figures fell below the floor; with `raise`, higher ones become the floor.
fn compare(name: &str, floor: &mut Map<String, Value>, found: &Value, raise: bool) -> Vec<String> {
    let mut fallen = Vec::new();
    let old = floor.get(name).cloned().unwrap_or_else(|| json!({}));
    let mut new = old.clone();
    let empty = Map::new();
    let suites = found["suites"].as_object().unwrap_or(&empty);
    for (suite, counters) in suites {
        for counter in COUNTERS {
            let now = counters[counter].as_u64().unwrap_or(0);
            let then = old[suite][counter].as_u64().unwrap_or(0);
            if now < then {
                fallen.push(format!("{name}/{suite}: {counter} {now}, was {then}"));
            } else if now > then {
                println!("{name}/{suite}: {counter} {now}, floor {then}");
                new[suite][counter] = now.into();
            }
        }
        let errors = counters["errors"].as_u64().unwrap_or(0);
        if errors > 0 {
            fallen.push(format!("{name}/{suite}: {errors} errors"));
        }
    }
    for suite in old.as_object().unwrap_or(&empty).keys() {
        if !suites.contains_key(suite) {
            fallen.push(format!("{name}/{suite}: not run"));
        }
    }
    if raise {
        floor.insert(name.into(), new);
    }
    fallen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_only_rises() {
        let mut floor = Map::new();
        floor.insert("a".into(), json!({ "s": { "near": 5, "exact_rgba": 2 } }));
        let found = |near: u32, exact: u32| json!({ "suites": { "s": { "near": near, "exact_rgba": exact, "errors": 0 } } });
        let fallen = compare("a", &mut floor, &found(4, 3), true);
        assert_eq!(fallen, ["a/s: near 4, was 5"]);
        assert_eq!(floor["a"]["s"], json!({ "near": 5, "exact_rgba": 3 }));
        assert!(compare("a", &mut floor, &found(5, 3), false).is_empty());
        assert_eq!(
            compare("a", &mut floor, &json!({ "suites": {} }), false).len(),
            1
        );
    }
}
