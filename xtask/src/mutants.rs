//! Mutation run: small changes of the exact units that the project's own tests
//! must notice.
//!
//! All mutants of a run are compiled at once into a copy of the sources, each
//! behind a switch (`if crate::mutants::on(7) { a - b } else { a + b }`), so that
//! a mutant costs one run of the tests and not one of the compiler. The switch is
//! the environment variable `ISOTHERM_MUTANT`. What does not compile in its place
//! (a constant, a pattern) is dropped. No shared data is used.

mod build;
mod find;
mod same;
mod tokens;

use anyhow::{Context, Result, bail, ensure};
use build::{Copy, Tests};
use find::Mutant;
use std::time::{Duration, Instant};

/// Options of the task.
#[derive(clap::Args)]
pub struct Args {
    /// How many mutants to try.
    #[arg(long, default_value_t = 60)]
    count: usize,
    /// Which ones: the order is shuffled with this seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this crate or module, such as lanes or pixel/rop; may be given several times.
    #[arg(long, default_values_t = UNITS.map(String::from))]
    module: Vec<String>,
    /// List the places without running anything.
    #[arg(long)]
    list: bool,
}

/// The exact units: numbers and their arithmetic, combiners, raster operations.
const UNITS: [&str; 5] = ["lanes", "xf/xf", "xf/lt", "pixel/rc", "pixel/rop"];

/// Survivors that are tolerated, in percent.
const MOST_SURVIVORS: usize = 5;

/// Runs the task.
pub fn run(args: &Args) -> Result<()> {
    let mut all = Vec::new();
    for module in &args.module {
        all.extend(find::in_module(module)?);
    }
    ensure!(!all.is_empty(), "no such module");
    shuffle(&mut all, args.seed);
    println!("{} places in {}", all.len(), args.module.join(", "));
    if args.list {
        for m in &all {
            println!("{m}");
        }
        return Ok(());
    }
    let mut chosen = apart(all, args.count);
    let copy = Copy::new()?;
    let dropped = copy.compile(&mut chosen)?;
    let tests = copy.tests()?;
    let start = Instant::now();
    if let Some(program) = tests.fails(None, Duration::from_secs(600))? {
        bail!("{} fails without any mutant", program.display());
    }
    let limit = start.elapsed() * 10 + Duration::from_secs(10);
    report(&tests, &chosen, limit, dropped)
}

fn report(tests: &Tests, chosen: &[Mutant], limit: Duration, dropped: usize) -> Result<()> {
    let (mut survivors, mut same) = (0, 0);
    for (i, mutant) in chosen.iter().enumerate() {
        let fails = tests.fails(Some((i, mutant)), limit);
        let survives = fails.context("running the tests")?.is_none();
        match same::why(mutant).filter(|_| survives) {
            Some(why) => {
                println!("the same {mutant}: {why}");
                same += 1;
            }
            None if survives => {
                println!("survived {mutant}");
                survivors += 1;
            }
            None => println!("killed   {mutant}"),
        }
    }
    let count = chosen.len();
    println!(
        "{count} mutants, {survivors} survived, {same} cannot show, {dropped} more did not compile"
    );
    ensure!(
        survivors * 100 <= (count - same) * MOST_SURVIVORS,
        "more than {MOST_SURVIVORS} % survived"
    );
    Ok(())
}

/// The first `count` that do not overlap in one file.
fn apart(all: Vec<Mutant>, count: usize) -> Vec<Mutant> {
    let mut chosen: Vec<Mutant> = Vec::new();
    for mutant in all {
        if chosen.len() == count {
            break;
        }
        if !chosen.iter().any(|m| m.overlaps(&mutant)) {
            chosen.push(mutant);
        }
    }
    chosen
}

fn shuffle(all: &mut [Mutant], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for i in (1..all.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        all.swap(i, (state % (i as u64 + 1)) as usize);
    }
}
