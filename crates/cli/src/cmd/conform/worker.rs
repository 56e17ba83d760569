//! The process that replays: it takes chains from standard input and answers each capture with
//! a line of records. Whatever a capture does to it, it does to this process alone.

use super::judge::{self, Output};
use super::plan::{Chain, Job};
use super::record::{Failure, Record};
use super::shoot::Left;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

/// Serves until standard input ends. The first line is an [`Output`], each that follows a
/// [`Chain`].
pub fn serve() -> anyhow::Result<()> {
    // A panic is told in the record; not on the terminal.
    std::panic::set_hook(Box::new(|_| {}));
    let lines = listen();
    let Ok(first) = lines.recv() else {
        return Ok(());
    };
    let output: Output = serde_json::from_str(&first)?;
    let mut out = std::io::stdout().lock();
    while let Ok(line) = lines.recv() {
        let chain: Chain = serde_json::from_str(&line)?;
        let mut left = Left::Nothing;
        for job in chain {
            forget_peak();
            let (mut records, after) = one(left, job, &output);
            left = after;
            let peak = memory_of("self", "VmHWM:");
            records
                .iter_mut()
                .for_each(|record| record.peak_bytes = peak);
            let mut line = serde_json::to_string(&records)?;
            line.push('\n');
            out.write_all(line.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(())
}

/// Lines of standard input. When it ends, whoever asked has gone, and so do we, even in the
/// middle of a capture.
fn listen() -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
        std::process::exit(0);
    });
    receive
}

/// One capture; a panic in comparing is an error of all its cases.
fn one(left: Left, job: Job, output: &Output) -> (Vec<Record>, Left) {
    let Job { capture, cases } = job;
    let asked_for = cases.iter().filter(|case| !case.silent);
    let mut failed: Vec<Record> = asked_for.map(Record::new).collect();
    let work = || judge::capture(left, &capture, cases, output);
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        for record in &mut failed {
            record.failed(Failure::Panic, "panic while the picture was compared");
            record.settle();
        }
        (failed, Left::Broken)
    })
}

/// Starts a new maximum of memory.
fn forget_peak() {
    // Where it is not allowed, the maximum is that of all captures so far.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Bytes of memory that a process has (`VmRSS:`) or had at most (`VmHWM:`); Linux tells.
pub fn memory_of(process: &str, what: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(what))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}
