//! `cargo xtask boards`: results of dEQP beside what real boards fail.

mod lists;
mod table;

pub use lists::Lists;
pub use table::{Model, Table};

use anyhow::{Context, ensure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Options of `cargo xtask boards`.
#[derive(clap::Args)]
pub struct Args {
    /// What dEQP wrote: its log (`TestResults.qpa`), or deqp-runner's `results.csv`.
    #[arg(long, value_name = "FILE", required = true)]
    results: Vec<PathBuf>,
    /// The chip that it ran on.
    #[arg(long)]
    gpu: String,
    /// Folder of the boards' lists; the shared data's by default.
    #[arg(long)]
    lists: Option<PathBuf>,
    /// Name the tests on which model and board differ.
    #[arg(long)]
    list: bool,
    /// Fail if fewer percent of the verdicts agree.
    #[arg(long, value_name = "PERCENT")]
    floor: Option<f64>,
}

/// Compares and prints.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut results = BTreeMap::new();
    for path in &args.results {
        results.extend(read(path)?);
    }
    ensure!(!results.is_empty(), "no results");
    let lists = Lists::read(&folder(args.lists.as_deref()), &args.gpu)?;
    let verdicts = results.iter().map(|(test, model)| (test.as_str(), *model));
    let table = Table::new(verdicts, &lists, group);
    print!("{table}");
    if args.list {
        table.list();
    }
    let (percent, floor) = (table.all.percent(), args.floor.unwrap_or(0.0));
    ensure!(
        percent >= floor,
        "{percent:.2} % is below the floor of {floor} %"
    );
    Ok(())
}

/// The boards' lists.
pub fn folder(given: Option<&Path>) -> PathBuf {
    given.map_or_else(|| crate::shared().join("boards"), Path::to_owned)
}

/// `dEQP-GLES2.functional.shaders.loops.x` is of `shaders.loops`.
fn group(test: &str) -> String {
    let mut parts = test.split('.').skip(2);
    let first = parts.next().unwrap_or("other");
    let second = parts.next().unwrap_or("");
    format!("{first}.{second}")
}

fn read(path: &Path) -> anyhow::Result<BTreeMap<String, Model>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(if text.contains("#beginTestCaseResult") {
        from_log(&text)
    } else {
        from_table(&text)
    })
}

/// dEQP's words for verdicts, in its log and in deqp-runner's tables.
fn verdict(word: &str) -> Option<Model> {
    match word {
        // The board's lists have neither warnings nor what a driver cannot do.
        "Pass" | "QualityWarning" | "CompatibilityWarning" | "Warn" | "NotSupported" | "Skip" => {
            Some(Model::Good)
        }
        "Fail"
        | "Crash"
        | "Timeout"
        | "InternalError"
        | "ResourceError"
        | "Pending"
        | "UnexpectedImprovement(Fail)" => Some(Model::Bad),
        _ => None,
    }
}

/// A log: what begins and does not end has crashed.
fn from_log(text: &str) -> BTreeMap<String, Model> {
    let mut results = BTreeMap::new();
    let mut test = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("#beginTestCaseResult ") {
            test = name.trim();
            results.insert(test.to_owned(), Model::Bad);
        } else if let Some((_, rest)) = line.split_once("<Result StatusCode=\"")
            && let Some(model) = rest.split('"').next().and_then(verdict)
        {
            results.insert(test.to_owned(), model);
        }
    }
    results
}

/// `name,verdict,…` per line.
fn from_table(text: &str) -> BTreeMap<String, Model> {
    let entry = |line: &str| {
        let mut fields = line.split(',');
        let (name, word) = (fields.next()?, fields.next()?);
        Some((name.to_owned(), verdict(word.trim())?))
    };
    text.lines().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_results_are_read() {
        let log = "#beginTestCaseResult a.b\n<Result StatusCode=\"Pass\">ok</Result>\n\
                   #endTestCaseResult\n#beginTestCaseResult a.c\n";
        let log = from_log(log);
        assert_eq!(log["a.b"], Model::Good);
        assert_eq!(log["a.c"], Model::Bad);
        let table = from_table("a.b,Pass,0.1\na.c,Crash,0.2\nnot a result\n");
        assert_eq!(table, log);
    }
}
