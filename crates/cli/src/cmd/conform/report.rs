//! `isotherm report`: figures, page and comparison of runs that were written with
//! `conform --jsonl`, such as the parts of one run on several machines.

use super::journal;
use super::results::{Results, Wishes};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `isotherm report`.
#[derive(clap::Args)]
pub struct Args {
    /// Files that `conform --jsonl` wrote. Of several lines of a case the last one counts.
    #[arg(required = true)]
    results: Vec<PathBuf>,
    #[command(flatten)]
    wishes: Wishes,
}

/// Reads all lines and reports. Ends in 1 when `--fail-on` says so.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut results = Results::new(&args.wishes, &[])?;
    // Where the last line of each case is.
    let mut last: HashMap<u64, (usize, u64)> = HashMap::new();
    let id = |id: String| {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        hasher.finish()
    };
    for (file, path) in args.results.iter().enumerate() {
        journal::lines(path, |offset, record| {
            last.insert(id(record.id()), (file, offset));
            Ok(())
        })?;
    }
    for (file, path) in args.results.iter().enumerate() {
        journal::lines(path, |offset, record| {
            match last.get(&id(record.id())) == Some(&(file, offset)) {
                true => results.add(record),
                false => Ok(()),
            }
        })?;
    }
    results.finish(false)
}
