//! The subcommands. Each file has an `Args` and a `run`.

mod demo;

use std::process::ExitCode;

/// What the program can do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Run the built-in examples: written to a folder and explained on the terminal.
    Demo(demo::Args),
}

/// Runs a subcommand.
pub fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Demo(args) => demo::run(&args)?,
    }
    Ok(ExitCode::SUCCESS)
}
