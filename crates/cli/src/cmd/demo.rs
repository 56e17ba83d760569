//! `isotherm demo`: the built-in examples.

use std::path::PathBuf;

/// Options of `isotherm demo`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder for the files it writes.
    #[arg(short, long, default_value = "isotherm-demo")]
    out: PathBuf,
}

/// Writes the examples and explains them.
pub fn run(args: &Args) -> anyhow::Result<()> {
    std::fs::create_dir_all(&args.out)?;
    println!("examples in {}", args.out.display());
    Ok(())
}
