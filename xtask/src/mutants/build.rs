//! A copy of the sources with all mutants in it, and its tests.

use super::find::Mutant;
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the copy's crate gets: the number of the mutant that is on.
const SWITCH: &str = "
/// The mutant that is on.
pub(crate) mod mutants {
    static ON: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    #[inline]
    pub(crate) fn on(number: u32) -> bool {
        let read = || std::env::var(\"ISOTHERM_MUTANT\").ok()?.parse().ok();
        *ON.get_or_init(|| read().unwrap_or(u32::MAX)) == number
    }
}
";

/// What is copied: the workspace, and what the chores need beside it.
const PARTS: [&str; 7] = [
    "Cargo.toml",
    "Cargo.lock",
    "crates",
    "xtask",
    "fuzz/Cargo.toml",
    "fuzz/src",
    "fuzz/fuzz_targets",
];

/// Crates that mutants can be in, and the tests of others that have to notice.
const CRATES: [&str; 3] = ["lanes", "xf", "pixel"];
const SCENES: [&str; 2] = ["scenes", "pixel"];

/// The sources below the target folder.
pub struct Copy {
    root: PathBuf,
    target: PathBuf,
}

impl Copy {
    /// Copies the workspace.
    pub fn new() -> Result<Copy> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
        let base = std::path::absolute(target)?.join("mutants");
        let copy = Copy {
            root: base.join("source"),
            target: base.join("build"),
        };
        std::fs::create_dir_all(&copy.root)?;
        for part in PARTS {
            let to = copy.root.join(part);
            std::fs::create_dir_all(to.parent().context("a folder")?)?;
            mirror(Path::new(part), &to)?;
        }
        Ok(copy)
    }

    /// Writes the files with their mutants, drops those that do not compile. Returns
    /// how many those are.
    pub fn compile(&self, chosen: &mut Vec<Mutant>) -> Result<usize> {
        let before = chosen.len();
        let files: Vec<PathBuf> = chosen.iter().map(|m| m.file.clone()).collect();
        for _ in 0..60 {
            self.write(&files, chosen)?;
            let errors = self.errors()?;
            if errors.is_empty() {
                return Ok(before - chosen.len());
            }
            let count = chosen.len();
            chosen.retain(|m| !errors.iter().any(|e| near(m, e, 0)));
            if chosen.len() == count {
                chosen.retain(|m| !errors.iter().any(|e| near(m, e, 3)));
            }
            ensure!(
                chosen.len() < count,
                "{}:{} does not compile, and no mutant is near",
                errors[0].0.display(),
                errors[0].1
            );
            println!("{} mutants do not compile", count - chosen.len());
        }
        bail!("no end of errors");
    }

    fn write(&self, files: &[PathBuf], chosen: &[Mutant]) -> Result<()> {
        let mut edits: BTreeMap<&Path, Vec<(usize, &Mutant)>> = BTreeMap::new();
        for file in files {
            edits.entry(file).or_default();
        }
        for (i, m) in chosen.iter().enumerate() {
            edits.entry(&m.file).or_default().push((i, m));
        }
        for (file, mut list) in edits {
            let mut text = std::fs::read_to_string(file)?;
            // From the end, so that places stay.
            list.sort_by_key(|(_, m)| std::cmp::Reverse(m.at.start));
            for (i, m) in list {
                let lines = text[m.at.clone()].matches('\n').count();
                text.replace_range(m.at.clone(), &m.switched(i, lines));
            }
            put(&self.root.join(file), &text)?;
        }
        for package in CRATES {
            let lib = Path::new("crates").join(package).join("src/lib.rs");
            let kept = self.root.join(&lib);
            // It may have mutants itself.
            let of_mutants = files.contains(&lib);
            let text = std::fs::read_to_string(if of_mutants { &kept } else { &lib })?;
            put(&kept, &(text + SWITCH))?;
        }
        Ok(())
    }

    fn cargo(&self, words: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command
            .args(words)
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            // A mutant may overflow where the compiler sees it.
            .env("RUSTFLAGS", "--cap-lints=allow")
            .stderr(Stdio::null());
        command
    }

    /// Files and lines of the compiler's errors.
    fn errors(&self) -> Result<Vec<(PathBuf, usize)>> {
        let packages = CRATES.map(|package| format!("isotherm-{package}"));
        let output = self
            .cargo(&["check", "-q", "--lib"])
            .args(packages.iter().flat_map(|package| ["-p", package]))
            .arg("--message-format=json")
            .output()
            .context("cargo check")?;
        let mut out = Vec::new();
        for message in messages(&output.stdout) {
            let message = &message["message"];
            if message["level"] != "error" {
                continue;
            }
            for span in message["spans"].as_array().into_iter().flatten() {
                if span["is_primary"] == true {
                    let file = span["file_name"].as_str().unwrap_or_default();
                    let line = span["line_start"].as_u64().unwrap_or(0) as usize;
                    out.push((PathBuf::from(file), line));
                }
            }
        }
        ensure!(
            output.status.success() || !out.is_empty(),
            "cargo check fails without an error in a file"
        );
        Ok(out)
    }

    /// Builds the tests: those of the crates, the scenes, the pixel's history.
    pub fn tests(&self) -> Result<Tests> {
        let packages = CRATES.map(|package| format!("isotherm-{package}"));
        let mut own: Vec<&str> = vec!["--lib", "--tests"];
        own.extend(packages.iter().flat_map(|package| ["-p", package]));
        let mut scenes: Vec<&str> = vec!["-p", "isotherm"];
        scenes.extend(SCENES.iter().flat_map(|test| ["--test", test]));
        // The units' own tests first: they are quick.
        let mut programs = self.built(&own)?;
        programs.extend(self.built(&scenes)?);
        ensure!(programs.len() > CRATES.len(), "test programs are missing");
        Ok(Tests { programs })
    }

    /// Builds tests; each program with the folder of its package.
    fn built(&self, which: &[&str]) -> Result<Vec<(PathBuf, PathBuf)>> {
        let output = self
            .cargo(&["test", "-q", "--no-run"])
            .args(which)
            .arg("--message-format=json")
            .output()
            .context("cargo test")?;
        ensure!(output.status.success(), "the tests do not compile");
        let program = |message: serde_json::Value| {
            let path = message["executable"].as_str()?.into();
            let manifest = Path::new(message["manifest_path"].as_str()?);
            Some((path, manifest.parent()?.to_path_buf()))
        };
        Ok(messages(&output.stdout).filter_map(program).collect())
    }
}

/// Is an error at a mutant, or `slack` lines from it?
fn near(m: &Mutant, (file, line): &(PathBuf, usize), slack: usize) -> bool {
    let (first, last) = m.lines;
    m.file == *file && *line + slack >= first && *line <= last + slack
}

fn messages(bytes: &[u8]) -> impl Iterator<Item = serde_json::Value> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let lines: Vec<String> = text.lines().map(String::from).collect();
    lines
        .into_iter()
        .filter_map(|line| serde_json::from_str(&line).ok())
}

/// Copies a folder; files that are the same keep their time, what is no longer there
/// goes.
fn mirror(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        std::fs::create_dir_all(to)?;
        for entry in std::fs::read_dir(to)? {
            let entry = entry?;
            if !from.join(entry.file_name()).exists() {
                if entry.file_type()?.is_dir() {
                    std::fs::remove_dir_all(entry.path())?;
                } else {
                    std::fs::remove_file(entry.path())?;
                }
            }
        }
        for entry in std::fs::read_dir(from)? {
            let name = entry?.file_name();
            mirror(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    let bytes = std::fs::read(from)?;
    if std::fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    Ok(std::fs::write(to, bytes)?)
}

/// Writes a file unless it is the same.
fn put(path: &Path, text: &str) -> Result<()> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

/// The test programs and what they are asked for.
pub struct Tests {
    programs: Vec<(PathBuf, PathBuf)>,
}

impl Tests {
    /// The first program of tests that fails with a mutant on, those of its own crate first.
    /// One that runs too long does.
    pub fn fails(
        &self,
        mutant: Option<(usize, &Mutant)>,
        limit: Duration,
    ) -> Result<Option<&Path>> {
        let crate_of = |path: &Path| path.components().nth(1).map(|c| c.as_os_str().to_owned());
        let own = mutant.and_then(|(_, mutant)| crate_of(&mutant.file));
        let mut programs: Vec<_> = self.programs.iter().collect();
        programs.sort_by_key(|(_, folder)| folder.file_name() != own.as_deref());
        for (program, folder) in programs {
            let mut command = Command::new(program);
            command
                .arg("-q")
                .current_dir(folder)
                .env_remove("ISOTHERM_SHARED")
                .env_remove("ISOTHERM_MUTANT")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            if let Some((number, _)) = mutant {
                command.env("ISOTHERM_MUTANT", number.to_string());
            }
            let mut child = command.spawn()?;
            let start = Instant::now();
            let status = loop {
                if let Some(status) = child.try_wait()? {
                    break Some(status);
                }
                if start.elapsed() > limit {
                    child.kill()?;
                    child.wait()?;
                    break None;
                }
                std::thread::sleep(Duration::from_millis(10));
            };
            if !status.is_some_and(|s| s.success()) {
                return Ok(Some(program));
            }
        }
        Ok(None)
    }
}
