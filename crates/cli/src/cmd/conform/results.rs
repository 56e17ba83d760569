//! What is done with results, as they come from a run or from files: figures, page, baseline,
//! and whether the run has failed.

use super::baseline::Baseline;
use super::page::Page;
use super::record::{Record, Status};
use super::summary::{Counters, Summary};
use crate::output;
use std::path::PathBuf;
use std::process::ExitCode;

/// What to make of the results.
#[derive(clap::Args, Clone, Default)]
pub struct Wishes {
    /// Write the figures here.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a page to this folder: cases to filter and sort, pictures to zoom and to flicker.
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,
    /// Where the inspector is served: cases of the page link to it, as
    /// URL#capture=FILE&draw=N&pixel=X,Y.
    #[arg(long, value_name = "URL", requires = "html")]
    inspector: Option<String>,
    /// Say what got better, worse and slower since this earlier run.
    #[arg(long, value_name = "JSONL")]
    baseline: Option<PathBuf>,
    /// End in 1 if a case is not exact, is not even near, ended in an error, or is worse than in
    /// the baseline.
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        default_value = "error"
    )]
    fail_on: Vec<FailOn>,
    /// List each case that is not exact, worst first.
    #[arg(short, long)]
    verbose: bool,
}

/// What makes a run fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FailOn {
    /// A case that is compared and not exact.
    Exact,
    /// A case that is compared and neither exact nor near.
    Near,
    /// A case that ended in an error.
    Error,
    /// A case that is worse than in the baseline, or one without expectation that shows another
    /// picture.
    Worse,
}

/// Errors that are told at the end.
const TOLD: usize = 20;

/// The results so far.
pub struct Results {
    wishes: Wishes,
    summary: Summary,
    page: Option<Page>,
    baseline: Option<Baseline>,
    /// Only where somebody wants to see each of them.
    kept: Vec<Record>,
    whys: Vec<String>,
    errors: Vec<String>,
    inexact: u32,
    far: u32,
}

impl Results {
    /// Looks at what is wished before any work is done.
    pub fn new(wishes: &Wishes, roots: &[PathBuf]) -> anyhow::Result<Results> {
        anyhow::ensure!(
            wishes.baseline.is_some() || !wishes.fail_on.contains(&FailOn::Worse),
            "--fail-on worse needs --baseline"
        );
        if let Some(path) = &wishes.json {
            output::check(path)?;
        }
        let inspector = wishes.inspector.as_deref();
        let page = wishes.html.as_ref().map(|dir| Page::open(dir, inspector));
        Ok(Results {
            wishes: wishes.clone(),
            summary: Summary::new(roots),
            page: page.transpose()?,
            baseline: wishes.baseline.as_deref().map(Baseline::read).transpose()?,
            kept: Vec::new(),
            whys: Vec::new(),
            errors: Vec::new(),
            inexact: 0,
            far: 0,
        })
    }

    /// Takes a result.
    pub fn add(&mut self, record: Record) -> anyhow::Result<()> {
        self.summary.add(&record);
        if let Some(page) = &mut self.page {
            page.add(&record)?;
        }
        if let Some(baseline) = &mut self.baseline {
            baseline.add(&record);
        }
        if let Some(why) = &record.why {
            self.whys.push(format!("{}: {why}", record.id()));
        }
        if let (Some(error), true) = (&record.error, self.errors.len() < TOLD) {
            self.errors.push(format!("{}: {error}", record.id()));
        }
        self.inexact += u32::from(record.status < Status::Exact);
        self.far += u32::from(record.status < Status::Near);
        let listed = self.wishes.verbose && record.status < Status::Exact;
        if self.wishes.json.is_some() || listed {
            self.kept.push(record);
        }
        Ok(())
    }

    /// Errors so far.
    pub fn errors(&self) -> u32 {
        self.summary.totals.errors
    }

    /// Tells everything: figures on standard output unless something else goes there.
    pub fn finish(mut self, silent: bool) -> anyhow::Result<ExitCode> {
        if let Some(page) = self.page.take() {
            let path = page.finish(&self.summary.table())?;
            if !silent {
                output::wrote(&path, format_args!("open it in a browser"))?;
            }
        }
        if let Some(path) = &self.wishes.json {
            let text = serde_json::to_string_pretty(&self.json())?;
            output::write(path, text.as_bytes())?;
        }
        if !silent {
            self.print()?;
        }
        for error in &self.errors {
            eprintln!("error: {error}");
        }
        let fails = self.wishes.fail_on.iter().any(|what| match what {
            FailOn::Exact => self.inexact > 0,
            FailOn::Near => self.far > 0,
            FailOn::Error => self.errors() > 0,
            FailOn::Worse => self.baseline.as_ref().is_some_and(Baseline::is_worse),
        });
        Ok(match fails {
            true => ExitCode::FAILURE,
            false => ExitCode::SUCCESS,
        })
    }

    fn print(&mut self) -> anyhow::Result<()> {
        if self.wishes.verbose {
            list(&self.kept)?;
        }
        for why in &self.whys {
            say!("{why}");
        }
        put!("{}", self.summary.table());
        if let Some(baseline) = &mut self.baseline {
            put!("{}", baseline.text());
        }
        Ok(())
    }

    fn json(&self) -> serde_json::Value {
        let mut json = self.summary.json();
        json["cases"] = self.kept.iter().map(case_json).collect();
        if let Some(baseline) = &self.baseline {
            json["baseline"] = baseline.json();
        }
        json
    }
}

/// A case with its counters.
fn case_json(record: &Record) -> serde_json::Value {
    let mut json = serde_json::json!(record);
    if let serde_json::Value::Object(counters) = serde_json::json!(Counters::of(record)) {
        for (key, value) in counters {
            // Both have `undisputed`; the record's says how many pixels.
            json.as_object_mut()
                .map(|json| json.entry(key).or_insert(value));
        }
    }
    json
}

/// Each case that is not exact.
fn list(records: &[Record]) -> std::io::Result<()> {
    let mut worst: Vec<&Record> = records
        .iter()
        .filter(|record| record.differ.is_some_and(|differ| differ > 0))
        .collect();
    worst.sort_by_key(|record| std::cmp::Reverse(record.badness()));
    for r in worst {
        let count = |count: Option<u32>| count.unwrap_or(0);
        put!(
            "{}: {} pixels differ, RGB {}, >1 {}, >4 {}, >8 {}, max {}",
            r.id(),
            count(r.differ),
            count(r.differ_rgb),
            count(r.over1),
            count(r.over4),
            count(r.over8),
            r.largest.unwrap_or(0)
        );
        if let (Some(x), Some(y)) = (r.first_x, r.first_y) {
            let text = |text: &Option<String>| text.clone().unwrap_or_default();
            let (expected, found) = (text(&r.first_expected), text(&r.first_found));
            put!("; first at {x},{y}: expected {expected}, drew {found}");
        }
        if let Some(draw) = r.first_draw {
            put!("; draw {draw}");
        }
        say!("");
    }
    Ok(())
}
