//! The project's chores: `cargo xtask <task>`. One task per file.

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
}

/// The shared data folder: `ISOTHERM_SHARED`, or `../shared`.
pub fn shared() -> std::path::PathBuf {
    std::env::var_os("ISOTHERM_SHARED").map_or_else(|| "../shared".into(), Into::into)
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Shared => println!("{}", shared().display()),
    }
    Ok(())
}
