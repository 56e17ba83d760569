//! `cargo xtask hostile`: every tool on the small files that ask for much: no panic, no
//! signal, and no more memory and time than is promised. The inspector is asked fifty questions;
//! what counts is the one that takes longest.

use anyhow::{Context, ensure};
use isotherm_inspect::Session;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a file below 100 KB may cost at the default budget.
const MOST_MIB: u64 = 1024;
const MOST_CPU: f64 = 20.0;
/// When a tool is ended; the inspector has many questions to answer.
const PATIENCE: Duration = Duration::from_secs(120);
const PATIENCE_ASKING: Duration = Duration::from_secs(900);
/// Events that the inspector is asked about.
const EVENTS: usize = 4;

/// Tools, and what comes before and after the file's name.
const TOOLS: [(&str, &[&str]); 9] = [
    ("replay", &["@", "-o", "%"]),
    ("why", &["@"]),
    ("lint", &["@"]),
    ("dump", &["@", "-o", "%"]),
    ("pixel", &["@", "5", "5"]),
    ("trace", &["@"]),
    ("diff", &["@", "@"]),
    ("state", &["save", "@", "-o", "%"]),
    ("inspect", &[]),
];

/// Options.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of the files; the shared data's by default.
    folder: Option<PathBuf>,
    /// Only the tool of this name.
    #[arg(long)]
    only: Option<String>,
    /// Open this file in the inspector's core and ask it everything.
    #[arg(long, hide = true)]
    ask: Option<PathBuf>,
}

/// What a tool cost.
struct Cost {
    status: ExitStatus,
    cpu: f64,
    mib: u64,
    last_line: String,
}

impl Cost {
    /// What is wrong with it.
    fn wrong(&self) -> Option<String> {
        let code = self.status.code();
        match code {
            None => Some(format!("signal {:?}", self.status.signal())),
            Some(101) => Some(format!("a panic: {}", self.last_line)),
            _ if self.mib > MOST_MIB => Some(format!("{} MiB", self.mib)),
            _ if self.cpu > MOST_CPU => Some(format!("{:.1} CPU seconds", self.cpu)),
            _ => None,
        }
    }
}

/// Runs everything on everything.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(file) = &args.ask {
        return ask(file);
    }
    let folder = args.folder.clone();
    let folder = folder.unwrap_or_else(|| crate::shared().join("hostile"));
    let files = files(&folder);
    if files.is_empty() {
        println!(
            "skipped: no files in {} (set ISOTHERM_SHARED)",
            folder.display()
        );
        return Ok(());
    }
    let program = program()?;
    let scratch = std::env::temp_dir().join(format!("isotherm-hostile-{}", std::process::id()));
    let mut wrong = Vec::new();
    println!("| tool | files | most time | on | most memory | on |\n|---|---|---|---|---|---|");
    for (tool, arguments) in TOOLS {
        if args.only.as_deref().is_some_and(|only| only != tool) {
            continue;
        }
        let mut worst = [(0.0, ""), (0.0, "")];
        for file in &files {
            let name = file.file_name().and_then(|n| n.to_str()).unwrap_or("?");
            std::fs::create_dir_all(&scratch)?;
            let cost = cost(&program, (tool, arguments), file, &scratch)?;
            std::fs::remove_dir_all(&scratch)?;
            for (worst, value) in worst.iter_mut().zip([cost.cpu, cost.mib as f64]) {
                if value > worst.0 {
                    *worst = (value, name);
                }
            }
            wrong.extend(cost.wrong().map(|what| format!("{tool} {name}: {what}")));
        }
        let [(cpu, slow), (mib, large)] = worst;
        let count = files.len();
        println!("| `{tool}` | {count} | {cpu:.1} s | {slow} | {mib} MiB | {large} |");
    }
    ensure!(wrong.is_empty(), "{:#?}", wrong);
    Ok(())
}

/// The files, largest names last.
fn files(folder: &Path) -> Vec<PathBuf> {
    let list = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = list
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "zst"))
        .collect();
    files.sort();
    files
}

/// The program as people have it.
fn program() -> anyhow::Result<PathBuf> {
    let built = Command::new("cargo")
        .args(["build", "--quiet", "--release", "-p", "isotherm-cli"])
        .status()
        .context("cannot start cargo")?;
    ensure!(built.success(), "the program does not build");
    let here = std::env::current_exe()?;
    Ok(here.with_file_name("isotherm"))
}

fn cost(
    program: &Path,
    (tool, arguments): (&str, &[&str]),
    file: &Path,
    scratch: &Path,
) -> anyhow::Result<Cost> {
    let mut command = match tool {
        "inspect" => {
            let mut command = Command::new(std::env::current_exe()?);
            command.arg("hostile").arg("--ask").arg(file);
            command
        }
        _ => {
            let mut command = Command::new(program);
            command.arg(tool);
            for argument in arguments {
                match *argument {
                    "@" => command.arg(file),
                    "%" => command.arg(scratch.join("out")),
                    other => command.arg(other),
                };
            }
            command
        }
    };
    let errors = scratch.join("errors");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&errors)?);
    let asking = tool == "inspect";
    let patience = if asking { PATIENCE_ASKING } else { PATIENCE };
    let (status, cpu, mib) = wait(command.spawn()?.id(), patience)?;
    let text = std::fs::read(&errors)?;
    let text = String::from_utf8_lossy(&text);
    let last_line = text.lines().last().unwrap_or_default().to_string();
    let longest = last_line.strip_prefix(LONGEST).filter(|_| asking);
    let cpu = longest.and_then(|text| text.parse().ok()).unwrap_or(cpu);
    Ok(Cost {
        status,
        cpu,
        mib,
        last_line,
    })
}

/// Waits for a child: how it ended, its CPU seconds, the MiB that it had at most.
fn wait(child: u32, patience: Duration) -> anyhow::Result<(ExitStatus, f64, u64)> {
    let started = Instant::now();
    let mut killed = false;
    loop {
        let mut status = 0;
        // SAFETY: a structure of numbers, for which zeros are fine.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: both places are ours, and the child is, too: nobody else waits for it.
        let done = unsafe { libc::wait4(child as i32, &mut status, libc::WNOHANG, &mut usage) };
        ensure!(done >= 0, "{}", std::io::Error::last_os_error());
        if done != 0 {
            let status = ExitStatus::from_raw(status);
            return Ok((status, seconds(&usage), usage.ru_maxrss as u64 >> 10));
        }
        if started.elapsed() > patience && !killed {
            // SAFETY: a number; the child has not been waited for, so it is still its own.
            unsafe { libc::kill(child as i32, libc::SIGKILL) };
            killed = true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// CPU seconds of user and system.
fn seconds(usage: &libc::rusage) -> f64 {
    let one = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    one(usage.ru_utime) + one(usage.ru_stime)
}

/// CPU seconds of this process so far.
fn cpu_now() -> f64 {
    // SAFETY: a structure of numbers, for which zeros are fine.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the place is ours.
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    seconds(&usage)
}

/// What the longest answer's CPU seconds are told behind.
const LONGEST: &str = "longest answer: ";

/// Opens a file as the inspector does and asks about its first, its middle and its last events.
fn ask(file: &Path) -> anyhow::Result<()> {
    let mut longest = 0.0f64;
    let timed = |longest: &mut f64, work: &mut dyn FnMut()| {
        let before = cpu_now();
        work();
        *longest = longest.max(cpu_now() - before);
    };
    let mut session = None;
    let bytes = std::fs::read(file)?;
    timed(&mut longest, &mut || {
        session = Some(Session::open("hostile", &bytes));
    });
    let mut session = session.context("opened")??;
    let mut ask = |question: &str| {
        let mut answer = Vec::new();
        timed(&mut longest, &mut || {
            // A capture that ends in an error has events all the same.
            answer = session
                .ask(question)
                .map(|answer| answer.into_bytes())
                .unwrap_or_default();
        });
        answer
    };
    ask("info");
    let listed: serde_json::Value = serde_json::from_slice(&ask("events")).unwrap_or_default();
    let count = listed["events"].as_array().map_or(0, Vec::len);
    let mut events: Vec<usize> = (0..EVENTS).map(|i| i * count / EVENTS).collect();
    events.push(count.saturating_sub(1));
    let questions = [
        "target",
        "thumbnail",
        "state",
        "programs",
        "textures",
        "mesh",
        "why",
        "routing",
    ];
    for event in events {
        for question in questions {
            ask(&format!("{question}?event={event}"));
        }
        ask(&format!("history?event={event}&x=5&y=5"));
        ask(&format!("vertex?event={event}&vertex=0"));
    }
    eprintln!("{LONGEST}{longest:.2}");
    Ok(())
}
