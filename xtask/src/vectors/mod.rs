//! `cargo xtask vectors [FOLDER]`: runs the hardware vectors against the code.

use anyhow::{Context, Result, ensure};
use isotherm::Chip;
use isotherm::xf::Level;
use isotherm::xf::level_check::fixed_function;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

mod celsius_tl;
mod methods;
mod score;
mod xf;

/// How many rows were compared and how many differ.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    pub rows: usize,
    pub wrong: usize,
}

impl Tally {
    /// Prints one line and passes the tally on.
    pub fn report(self, name: &str) -> Tally {
        println!("{name:24} {:8} rows {:8} wrong", self.rows, self.wrong);
        self
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, o: Tally) {
        self.rows += o.rows;
        self.wrong += o.wrong;
    }
}

/// Reads a zstd file whole.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
    zstd::decode_all(file).with_context(|| path.display().to_string())
}

/// A seeded million of random vertices through fixed function: every vector level, and
/// one vertex at a time, give the same bits. (`cargo xtask programs` does the same with
/// random programs.)
fn levels() -> Result<()> {
    const CHIPS: [Chip; 4] = [Chip::Nv10, Chip::Nv17, Chip::Nv2a, Chip::Nv34];
    const SEEDS: u64 = 50;
    const UNITS: usize = 50;
    const EACH: usize = 100;
    for chip in CHIPS {
        (0..SEEDS)
            .into_par_iter()
            .try_for_each(|seed| fixed_function(chip, seed, UNITS, EACH))
            .map_err(anyhow::Error::msg)?;
        println!(
            "{:24} {:8} random vertices: same bits at {:?} and alone",
            chip.name(),
            SEEDS as usize * UNITS * EACH,
            Level::available()
        );
    }
    Ok(())
}

/// Runs every family of vectors in the folder (default: the shared data's).
pub fn run(folder: Option<PathBuf>, list: bool) -> Result<()> {
    levels()?;
    let folder = folder.unwrap_or_else(|| crate::shared().join("vectors"));
    if !folder.is_dir() {
        println!(
            "skipped: {} is not there (set ISOTHERM_SHARED)",
            folder.display()
        );
        return Ok(());
    }
    let mut exact = Tally::default();
    exact += xf::run(&folder)?;
    exact += celsius_tl::run(&folder)?;
    let methods = methods::run(&folder, list)?;
    let mut total = exact;
    total += methods.tally();
    total.report("total");
    methods.report();
    ensure!(
        exact.wrong == 0,
        "arithmetic: {} of {} rows differ",
        exact.wrong,
        exact.rows
    );
    methods.judge()?;
    later(&folder.with_file_name("vectors-rankine-curie"), list)
}

/// The method vectors of Rankine and Curie, which lie in a folder of their own.
fn later(folder: &Path, list: bool) -> Result<()> {
    if !folder.is_dir() {
        println!("skipped: {} is not there", folder.display());
        return Ok(());
    }
    let methods = methods::run(folder, list)?;
    methods.report();
    methods.judge_later()
}
