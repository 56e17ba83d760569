//! `cargo xtask piglit`: Debian's piglit on the model, beside what a real board fails.
//!
//! `piglit.floor.json` has, per chip and kind of run, the share of verdicts that agree with the
//! board's. Less is a failure; `--raise` raises it.

mod list;
mod runner;

use crate::boards::{self, Lists, Table};
use anyhow::{Context, ensure};
use list::Test;
use runner::{Outcome, Runner};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The floor, beside the workspace's Cargo.toml.
const FLOOR: &str = "piglit.floor.json";
/// CI runs every so-manieth test: a few minutes.
const SAMPLE: usize = 16;

/// Options of `cargo xtask piglit`.
#[derive(clap::Args)]
pub struct Args {
    /// The chip: nv34, nv40, nv43, nv44 …
    #[arg(long)]
    gpu: String,
    /// Tests at a time.
    #[arg(short, long, default_value_t = 2)]
    jobs: usize,
    /// Seconds that a test may take.
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Only tests whose name contains this.
    #[arg(long)]
    filter: Option<String>,
    /// The fixed sample that CI runs.
    #[arg(long)]
    sample: bool,
    /// Forget earlier results instead of going on.
    #[arg(long)]
    fresh: bool,
    /// Stop after so many seconds; the next run goes on.
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<u64>,
    /// Run nothing, only compare what there is.
    #[arg(long)]
    compare: bool,
    /// Name the tests on which model and board differ.
    #[arg(long)]
    list: bool,
    /// Raise the floor to today's figures where they are higher.
    #[arg(long)]
    raise: bool,
    /// Folder of the boards' lists; the shared data's by default.
    #[arg(long)]
    lists: Option<PathBuf>,
}

/// Runs what is left to run, and compares.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let folder = boards::folder(args.lists.as_deref());
    if !folder.is_dir() {
        println!(
            "skipped: no lists at {} (set ISOTHERM_SHARED)",
            folder.display()
        );
        return Ok(());
    }
    list::install()?;
    let tests = chosen(list::all()?, args);
    let kind = if args.sample { "sample" } else { "all" };
    let runner = Runner {
        gpu: args.gpu.clone(),
        jobs: args.jobs.max(1),
        timeout: Duration::from_secs(args.timeout),
        results: format!("target/piglit/{}-{kind}.jsonl", args.gpu).into(),
        until: args
            .seconds
            .map(|seconds| Instant::now() + Duration::from_secs(seconds)),
    };
    if args.fresh && runner.results.exists() {
        std::fs::remove_file(&runner.results)?;
    }
    let whole = args.compare || runner.run(&tests)?;
    let table = compare(args, &runner, &tests)?;
    if !whole {
        println!("time is up; the same command goes on");
    } else if args.filter.is_none() {
        hold(args, kind, &table)?;
    }
    Ok(())
}

fn chosen(mut tests: Vec<Test>, args: &Args) -> Vec<Test> {
    if let Some(part) = &args.filter {
        tests.retain(|test| test.name.contains(part.as_str()));
    }
    if args.sample {
        tests = tests.into_iter().step_by(SAMPLE).collect();
    }
    tests
}

/// The board that a chip is compared with: of nouveau's, only an NV43 has a list of piglit's tests.
fn board(gpu: &str) -> &str {
    if gpu.starts_with("mali") { gpu } else { "nv43" }
}

/// Compares and prints.
fn compare(args: &Args, runner: &Runner, tests: &[Test]) -> anyhow::Result<Table> {
    let known = runner.known()?;
    let outcomes: Vec<&Outcome> = tests.iter().filter_map(|t| known.get(&t.name)).collect();
    let lists = Lists::read(&boards::folder(args.lists.as_deref()), board(&args.gpu))?;
    let verdicts = outcomes.iter().map(|o| (o.test.as_str(), o.model()));
    let table = Table::new(verdicts, &lists, list::group);
    print!("{table}");
    for bad in ["crash", "timeout"] {
        let list: Vec<_> = outcomes.iter().filter(|o| o.verdict == bad).collect();
        println!("{bad}: {} of {}", list.len(), outcomes.len());
        if args.list {
            list.iter().for_each(|o| println!("  {}", o.test));
        }
    }
    if args.list {
        table.list();
    }
    Ok(table)
}

/// Holds the figures against the floor, or raises it.
fn hold(args: &Args, kind: &str, table: &Table) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(FLOOR).unwrap_or_else(|_| "{}".into());
    let mut floor: Value = serde_json::from_str(&text).context(FLOOR)?;
    let old = &floor[args.gpu.as_str()][kind];
    // Hundredths of a percent, rounded down, so that the file's digits are the whole truth.
    let percent = (table.all.percent() * 100.0).floor() / 100.0;
    let (agree, compared) = (old["percent"].as_f64(), old["compared"].as_u64());
    ensure!(
        percent >= agree.unwrap_or(0.0),
        "{percent} % of the verdicts agree, {} % did before",
        agree.unwrap_or(0.0)
    );
    let count = table.all.compared() as u64;
    ensure!(
        count >= compared.unwrap_or(0),
        "{count} verdicts could be compared, {} before",
        compared.unwrap_or(0)
    );
    if args.raise {
        floor[args.gpu.as_str()][kind] = json!({ "percent": percent, "compared": count });
        std::fs::write(FLOOR, serde_json::to_string_pretty(&floor)? + "\n").context(FLOOR)?;
    }
    Ok(())
}
