//! The project's chores: `cargo xtask <task>`. One task per file.

mod masks;
mod vectors;

use clap::Parser;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand)]
enum Task {
    /// Where the shared data is looked for.
    Shared,
    /// The declared fields against the bits that register scans found.
    Masks {
        /// The scans; the shared data's `vectors/masks.json` by default.
        file: Option<std::path::PathBuf>,
    },
    /// Hardware vectors against the code, bit for bit.
    Vectors {
        /// Folder of the vectors; the shared data's by default.
        folder: Option<std::path::PathBuf>,
    },
}

/// The shared data folder: `ISOTHERM_SHARED`, or `../shared`.
pub fn shared() -> std::path::PathBuf {
    std::env::var_os("ISOTHERM_SHARED").map_or_else(|| "../shared".into(), Into::into)
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Shared => println!("{}", shared().display()),
        Task::Masks { file } => masks::run(file)?,
        Task::Vectors { folder } => vectors::run(folder)?,
    }
    Ok(())
}
