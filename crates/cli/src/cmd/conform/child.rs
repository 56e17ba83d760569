//! A process that replays, seen from outside: what it says, how long it takes, how much memory
//! it has.

use super::judge::Output;
use super::plan::Chain;
use super::record::{Failure, Record};
use anyhow::Context;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a capture may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Time.
    pub timeout: Option<Duration>,
    /// Memory of the process, in bytes.
    pub memory: Option<u64>,
}

/// How often memory is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// A process that replays.
pub struct Worker {
    process: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    /// The end of what it said on standard error.
    complaint: Option<JoinHandle<String>>,
}

/// This program's own file. It stays the same while we run, even if somebody builds a new one.
pub fn program() -> PathBuf {
    let own = PathBuf::from("/proc/self/exe");
    match own.exists() {
        true => own,
        false => std::env::current_exe().unwrap_or_else(|_| "isotherm".into()),
    }
}

impl Worker {
    /// Starts a process.
    pub fn start(output: &Output) -> anyhow::Result<Worker> {
        let mut process = Command::new(program())
            .args(["conform", "--worker"])
            .env("RAYON_NUM_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("a process that replays cannot be started")?;
        let (stdin, stdout, stderr) = (
            process.stdin.take().context("no pipe")?,
            process.stdout.take().context("no pipe")?,
            process.stderr.take().context("no pipe")?,
        );
        let (send, lines) = channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(stdout).lines().map_while(Result::ok);
            lines.for_each(|line| {
                // Nobody listens any more when the process is given up.
                let _ = send.send(line);
            });
        });
        let mut worker = Worker {
            process,
            stdin,
            lines,
            complaint: Some(std::thread::spawn(move || last_words(stderr))),
        };
        worker.say(&serde_json::to_string(output)?)?;
        Ok(worker)
    }

    fn say(&mut self, line: &str) -> std::io::Result<()> {
        self.stdin.write_all(line.as_bytes())?;
        self.stdin.write_all(b"\n")?;
        self.stdin.flush()
    }

    /// Hands over a chain; the answers come capture by capture.
    pub fn give(&mut self, chain: &Chain) -> anyhow::Result<()> {
        let line = serde_json::to_string(chain)?;
        // A process that is gone is noticed when its answer does not come.
        let _ = self.say(&line);
        Ok(())
    }

    /// Waits for the answer to the next capture, or says why none comes. After a failure the
    /// process is of no use any more.
    pub fn answer(&mut self, limits: Limits) -> Result<Vec<Record>, (Failure, String)> {
        let start = Instant::now();
        loop {
            let left = limits.timeout.map(|t| t.saturating_sub(start.elapsed()));
            let nap = match (left, limits.memory) {
                (Some(left), Some(_)) => left.min(LOOK),
                (Some(left), None) => left,
                (None, Some(_)) => LOOK,
                (None, None) => Duration::from_secs(3600),
            };
            match self.lines.recv_timeout(nap) {
                Ok(line) => {
                    let records = serde_json::from_str(&line);
                    return records.map_err(|_| (Failure::Died, "an answer was cut".into()));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err((Failure::Died, self.obituary()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let (Some(limit), Some(has)) = (limits.memory, self.memory())
                && has > limit
            {
                let text = format!("took {} MiB, allowed {}", has >> 20, limit >> 20);
                return Err((Failure::Memory, text));
            }
            if let Some(limit) = limits.timeout
                && start.elapsed() >= limit
            {
                let text = format!("not done after {} s", limit.as_secs_f64());
                return Err((Failure::Timeout, text));
            }
        }
    }

    /// How much memory it has.
    fn memory(&self) -> Option<u64> {
        super::worker::memory_of(&self.process.id().to_string(), "VmRSS:")
    }

    /// How it ended, and its last words.
    fn obituary(&mut self) -> String {
        let mut text = match self.process.wait() {
            Ok(status) => format!("the process ended: {status}"),
            Err(error) => format!("the process ended: {error}"),
        };
        let complaint = self.complaint.take().and_then(|thread| thread.join().ok());
        if let Some(words) = complaint.filter(|words| !words.is_empty()) {
            text = format!("{text}: {words}");
        }
        text
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may be gone already, or hang: neither is news.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads to the end and keeps the last line.
fn last_words(mut stderr: impl Read) -> String {
    const MOST: usize = 4096;
    let (mut tail, mut part) = (Vec::new(), [0; MOST]);
    while let Ok(count @ 1..) = stderr.read(&mut part) {
        tail.extend_from_slice(&part[..count]);
        let excess = tail.len().saturating_sub(MOST);
        tail.drain(..excess);
    }
    let text = String::from_utf8_lossy(&tail);
    text.lines().last().unwrap_or_default().trim().to_string()
}
