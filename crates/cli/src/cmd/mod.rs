//! The subcommands. Each file has an `Args` and a `run`.

mod conform;
mod demo;
mod replay;

use std::process::ExitCode;

/// What the program can do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Replay captures and compare the pictures with those that real hardware drew.
    Conform(conform::Args),
    /// Run the built-in examples: written to a folder and explained on the terminal.
    Demo(demo::Args),
    /// Replay a capture and write its picture.
    Replay(replay::Args),
}

/// Runs a subcommand.
pub fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Conform(args) => return conform::run(&args),
        Command::Demo(args) => demo::run(&args)?,
        Command::Replay(args) => replay::run(&args)?,
    }
    Ok(ExitCode::SUCCESS)
}
