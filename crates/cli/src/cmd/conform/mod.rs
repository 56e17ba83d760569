//! `isotherm conform`: captures against the pictures that real hardware drew.
//!
//! ```text
//! index ─ plan ─ pool ═ child ═ worker ─ judge ─ shoot
//!                  └─ sink: journal, results (summary, baseline, page)
//! ```
//! Double lines lead to other processes. A result is a [`record::Record`] from there on.

mod baseline;
mod child;
mod index;
mod journal;
mod judge;
mod page;
mod plan;
mod pool;
mod record;
pub mod report;
mod results;
mod shoot;
mod sink;
mod summary;
mod worker;
mod xemu;

use child::Limits;
use journal::Journal;
use plan::{Chain, Shard};
use results::{Results, Wishes};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Options of `isotherm conform`.
#[derive(clap::Args)]
#[command(
    after_help = "docs/corpus.md describes index.json and the lines of --jsonl. Captures are replayed in processes of \
their own: one that crashes, hangs or takes too much memory is one failed case."
)]
pub struct Args {
    /// Folders with `index.json`, or index files; folders of captures will do, they are drawn
    /// then.
    #[arg(required_unless_present = "worker")]
    roots: Vec<PathBuf>,
    /// Only cases whose `Suite/Test` matches; `*` and `?` are wild. A plain suite name
    /// means all of the suite.
    #[arg(long, value_name = "GLOB")]
    filter: Vec<String>,
    /// Write a line for each case here as soon as it is known; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Keep the lines of `--jsonl` that are there already, and pass over their cases as long as
    /// capture, expectation and program are the same.
    #[arg(long, requires = "jsonl")]
    resume: bool,
    /// Only this part of the work: 2/8 is the second of eight.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Seconds that a capture may take; 0 is for ever.
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, value_parser = crate::usage::seconds)]
    timeout: f64,
    /// Memory that a capture may take, in MiB.
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// Write our pictures here, as `<Suite>/<Test>.png`.
    #[arg(long, value_name = "DIR")]
    images: Option<PathBuf>,
    /// Another program's pictures, as `<Suite>/<Name>.png`, to flicker with on the page.
    #[arg(long, value_name = "DIR", requires = "html")]
    theirs: Option<PathBuf>,
    /// For pictures of a Mali that do not agree with their reference: draw them again with
    /// rules of the reference that the chip does not have (`replay --what-if`), and compare
    /// them with the second reference; say what makes them agree.
    #[arg(long)]
    why: bool,
    /// Replay each suite as one chain: its captures one after the other on one chip, each
    /// with the memory and the state that the one before left.
    #[arg(long)]
    chain: bool,
    /// Captures to replay at a time.
    #[arg(short = 'j', long, default_value_t = 0)]
    jobs: usize,
    #[command(flatten)]
    wishes: Wishes,
    /// Be one of the processes that replay.
    #[arg(long, hide = true)]
    worker: bool,
}

/// Replays, compares, reports. Ends in 1 when `--fail-on` says so.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.worker {
        worker::serve()?;
        return Ok(ExitCode::SUCCESS);
    }
    let chains = work(args)?;
    let settings = settings(args)?;
    let results = Results::new(&args.wishes, &args.roots)?;
    let journal = args.jsonl.as_deref();
    let journal = journal.map(|path| Journal::open(path, args.resume));
    let mut sink = sink::Progress::new(journal.transpose()?, results, count(&chains));
    pool::run(chains, &settings, &mut sink)?;
    let printed = args
        .jsonl
        .as_deref()
        .is_some_and(crate::output::is_standard);
    sink.finish().finish(printed)
}

/// Everything that is to be done.
fn work(args: &Args) -> anyhow::Result<Vec<Chain>> {
    let mut cases = index::read_all(&args.roots)?;
    if args.chain {
        for case in &mut cases {
            case.chain.get_or_insert_with(|| case.suite.clone());
        }
    }
    if !args.filter.is_empty() {
        index::keep(&mut cases, |case| {
            args.filter.iter().any(|filter| {
                let matches = |name: &str| index::glob(filter, &format!("{}/{name}", case.suite));
                *filter == case.suite || matches(&case.test) || matches(&case.name)
            })
        });
        let filters = args.filter.join(" or ");
        anyhow::ensure!(!cases.is_empty(), "no case matches {filters}");
    }
    let chains = plan::chains(cases);
    Ok(match args.shard {
        Some(shard) => shard.keep(chains),
        None => chains,
    })
}

fn settings(args: &Args) -> anyhow::Result<pool::Settings> {
    anyhow::ensure!(
        args.memory.is_none() || Path::new("/proc/self/status").exists(),
        "--memory needs Linux, which tells how much memory a process has"
    );
    for folder in args.images.iter().chain(&args.wishes.html) {
        crate::output::check_folder(folder)?;
    }
    let jobs = match args.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    Ok(pool::Settings {
        jobs,
        limits: Limits {
            timeout: (args.timeout > 0.0).then(|| Duration::from_secs_f64(args.timeout)),
            memory: args.memory.map(|mib| mib << 20),
        },
        output: judge::Output {
            images: args.images.clone(),
            report: args
                .wishes
                .html
                .as_ref()
                .map(|dir| dir.join(page::PICTURES)),
            theirs: args.theirs.clone(),
            why: args.why,
            culprit: args.jsonl.is_some() || args.wishes.html.is_some(),
        },
        tool: pool::Tool::this()?,
    })
}

/// Cases that are asked for.
fn count(chains: &[Chain]) -> usize {
    let jobs = chains.iter().flatten();
    jobs.flat_map(|job| &job.cases)
        .filter(|case| !case.silent)
        .count()
}
