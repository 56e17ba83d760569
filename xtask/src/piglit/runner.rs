//! Runs tests in parallel, each in a process of its own, and keeps what they said in a file,
//! so that a run that was stopped goes on where it ended.

use super::list::{FOLDER, SOURCES, Test};
use crate::boards::Model;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What a test said.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Outcome {
    /// The test's name.
    pub test: String,
    /// `pass`, `fail`, `skip`, `warn` as the test itself says it; `crash`, `timeout`.
    pub verdict: String,
    /// How long it took.
    pub seconds: f64,
}

impl Outcome {
    /// The verdict as it is compared with a board's.
    pub fn model(&self) -> Model {
        match self.verdict.as_str() {
            "pass" | "warn" => Model::Good,
            "skip" => Model::Skipped,
            _ => Model::Bad,
        }
    }
}

/// How tests are run.
pub struct Runner {
    pub gpu: String,
    pub jobs: usize,
    pub timeout: Duration,
    /// The results, one line of JSON for each test.
    pub results: PathBuf,
    /// Stop when this time has come.
    pub until: Option<Instant>,
}

impl Runner {
    /// What is known from earlier runs.
    pub fn known(&self) -> anyhow::Result<BTreeMap<String, Outcome>> {
        let Ok(text) = std::fs::read_to_string(&self.results) else {
            return Ok(BTreeMap::new());
        };
        // A line that was cut off when a run was stopped is run again.
        let outcomes = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        Ok(outcomes
            .map(|outcome: Outcome| (outcome.test.clone(), outcome))
            .collect())
    }

    /// Runs the tests that have no result yet; false if time was up before the end.
    pub fn run(&self, tests: &[Test]) -> anyhow::Result<bool> {
        let known = self.known()?;
        let open: Vec<&Test> = tests
            .iter()
            .filter(|t| !known.contains_key(&t.name))
            .collect();
        if let Some(folder) = self.results.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let results = File::options()
            .create(true)
            .append(true)
            .open(&self.results);
        let results = Mutex::new(results.context("cannot write the results")?);
        let (next, isotherm) = (AtomicUsize::new(0), isotherm()?);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| self.work(&open, &next, &results, &isotherm));
            }
        });
        Ok(next.load(Ordering::Relaxed) >= open.len())
    }

    fn work(&self, open: &[&Test], next: &AtomicUsize, results: &Mutex<File>, isotherm: &Path) {
        while self.until.is_none_or(|until| Instant::now() < until) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(test) = open.get(index) else { return };
            // One that ended without a word is run once more: was it this test, or the machine?
            // What it left is shown either way.
            let outcome = self
                .test(test, isotherm)
                .and_then(|first| match &*first.verdict {
                    "crash" => self.test(test, isotherm),
                    _ => Ok(first),
                });
            let outcome = match outcome {
                Ok(outcome) => outcome,
                Err(error) => {
                    eprintln!("{}: {error:#}", test.name);
                    continue;
                }
            };
            if index.is_multiple_of(100) {
                eprintln!("{index} of {}", open.len());
            }
            let line = serde_json::to_string(&outcome).unwrap_or_default() + "\n";
            let mut file = results.lock().unwrap_or_else(|e| e.into_inner());
            if let Err(error) = file.write_all(line.as_bytes()) {
                eprintln!("{}: {error}", self.results.display());
            }
        }
    }

    fn test(&self, test: &Test, isotherm: &Path) -> anyhow::Result<Outcome> {
        let began = Instant::now();
        let mut output = temporary()?;
        let child = Command::new(isotherm)
            .args(["run", "--gpu", &self.gpu, "--"])
            .args(&test.command)
            .current_dir(FOLDER)
            .env("PIGLIT_PLATFORM", "gbm")
            .env("PIGLIT_SOURCE_DIR", SOURCES)
            // Tests run beside each other; inside of one, one thread is enough.
            .env("RAYON_NUM_THREADS", "1")
            // Its index is mapped by all of them; where another version of Mesa makes it
            // shorter, they die of a bus error.
            .env("MESA_SHADER_CACHE_DISABLE", "true")
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output.try_clone()?)
            .process_group(0)
            .spawn()
            .context("cannot start isotherm")?;
        let ended = wait(child, self.timeout)?;
        let mut text = Vec::new();
        output.rewind()?;
        output.read_to_end(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        let verdict = verdict(ended, &text);
        if verdict == "crash" {
            eprintln!("{}: {ended:?}, said: {text}", test.name);
        }
        Ok(Outcome {
            test: test.name.clone(),
            verdict,
            seconds: began.elapsed().as_secs_f64(),
        })
    }
}

/// The program, built beside this one.
pub fn isotherm() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe()?;
    let path = own.with_file_name("isotherm");
    anyhow::ensure!(
        path.is_file() && path.with_file_name("libisotherm_drm.so").is_file(),
        "{} and libisotherm_drm.so are not there: do `cargo build --release` first",
        path.display()
    );
    Ok(path)
}

/// A file that has no name any more.
fn temporary() -> anyhow::Result<File> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("piglit-{}-{number}", std::process::id()));
    let options = File::options()
        .create(true)
        .truncate(true)
        .read(true)
        .write(true)
        .open(&path);
    let file = options.with_context(|| format!("cannot make {}", path.display()))?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

/// Waits for a process; none if it took too long and was ended, with all it had started.
fn wait(mut child: Child, limit: Duration) -> anyhow::Result<Option<ExitStatus>> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if began.elapsed() > limit {
            // SAFETY: the group is the child's own.
            unsafe { libc::killpg(child.id() as libc::pid_t, libc::SIGKILL) };
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(4));
    }
}

/// What a test said last, `PIGLIT: {"result": "pass" }`; how it ended if it said nothing.
fn verdict(ended: Option<ExitStatus>, text: &str) -> String {
    let Some(status) = ended else {
        return "timeout".into();
    };
    let said = text.lines().rev().find_map(|line| {
        let json: serde_json::Value = serde_json::from_str(line.strip_prefix("PIGLIT: ")?).ok()?;
        Some(json.get("result")?.as_str()?.to_owned())
    });
    match said {
        Some(said) if status.signal().is_none() => said,
        _ => "crash".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_what_tests_say() {
        let done = Some(ExitStatus::from_raw(0));
        let text = "PIGLIT: {\"subtest\": {\"a\" : \"fail\"}}\nPIGLIT: {\"result\": \"pass\" }\n";
        assert_eq!(verdict(done, text), "pass");
        assert_eq!(verdict(done, "no word"), "crash");
        assert_eq!(verdict(Some(ExitStatus::from_raw(11)), text), "crash");
        assert_eq!(verdict(None, text), "timeout");
    }

    #[test]
    fn what_takes_too_long_is_ended() {
        let sleep = Command::new("sleep")
            .arg("60")
            .process_group(0)
            .spawn()
            .unwrap();
        let began = Instant::now();
        assert!(wait(sleep, Duration::from_millis(50)).unwrap().is_none());
        assert!(began.elapsed() < Duration::from_secs(30));
    }
}
