//! `isotherm conform`: captures against the pictures that real hardware drew.

mod compare;
mod index;
mod report;
mod run;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `isotherm conform`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder with `index.json`; a folder of captures will do, they are drawn then.
    dir: PathBuf,
    /// Only cases whose `Suite/Test` matches; `*` and `?` are wild. A plain suite name
    /// means all of the suite.
    #[arg(long, value_name = "GLOB")]
    filter: Vec<String>,
    /// Write the figures here.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a page with golden, ours and difference here, pictures beside it.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write our pictures here, as `<Suite>/<Test>.png`.
    #[arg(long, value_name = "DIR")]
    images: Option<PathBuf>,
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
    /// List each case that is not exact, worst first.
    #[arg(short, long)]
    verbose: bool,
}

/// Replays, compares, reports. Ends in 1 when a case ended in an error.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut cases = index::read(&args.dir)?;
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
        anyhow::ensure!(!cases.is_empty(), "no case matches {:?}", args.filter);
    }
    let report_folder = args.html.as_ref().map(|page| page.with_extension("images"));
    let output = run::Output {
        images: args.images.clone(),
        report: report_folder.clone(),
        why: args.why,
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs)
        .build()?;
    let bar = ProgressBar::new(cases.len() as u64).with_style(ProgressStyle::with_template(
        "{pos}/{len} {wide_bar} {eta}",
    )?);
    // A panic in one case is that case's error, told in the report; not on the terminal.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let outcomes = pool.install(|| run::run(cases, &output, |n| bar.inc(n as u64)));
    std::panic::set_hook(hook);
    bar.finish_and_clear();
    let report = report::Report::new(outcomes, &args.dir);
    if args.verbose {
        list(&report)?;
    }
    for outcome in &report.outcomes {
        if let Some(why) = &outcome.why {
            say!("{}/{}: {why}", outcome.case.suite, outcome.case.name);
        }
    }
    put!("{}", report.table());
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report.json())?;
        std::fs::write(path, text).with_context(|| format!("{}", path.display()))?;
    }
    if let (Some(path), Some(folder)) = (&args.html, &report_folder) {
        let folder = folder.file_name().unwrap_or_default().to_string_lossy();
        let page = report::html(&report, &folder);
        std::fs::write(path, page).with_context(|| format!("{}", path.display()))?;
    }
    for outcome in report
        .outcomes
        .iter()
        .filter(|outcome| outcome.error.is_some())
        .take(20)
    {
        let error = outcome.error.as_deref().unwrap_or_default();
        eprintln!(
            "error: {}/{}: {error}",
            outcome.case.suite, outcome.case.name
        );
    }
    Ok(if report.totals.errors > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Each case that is not exact.
fn list(report: &report::Report) -> std::io::Result<()> {
    let mut worst: Vec<_> = report
        .outcomes
        .iter()
        .filter_map(|outcome| Some((outcome.pixels.as_ref()?, &outcome.case)))
        .filter(|(pixels, _)| pixels.rgba > 0)
        .collect();
    worst.sort_by_key(|(pixels, _)| std::cmp::Reverse((pixels.gt4, pixels.rgba)));
    for (p, case) in worst {
        put!(
            "{}/{}: {} pixels differ, RGB {}",
            case.suite,
            case.name,
            p.rgba,
            p.diff
        );
        put!(", >1 {}, >4 {}, >8 {}, max {}", p.gt1, p.gt4, p.gt8, p.max);
        if let Some((x, y, expected, found)) = p.first {
            put!("; first at {x},{y}: expected {expected:02x?}, drew {found:02x?}");
        }
        say!("");
    }
    Ok(())
}
