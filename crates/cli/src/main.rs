//! The `isotherm` program: one subcommand per file in `cmd/`.

/// Prints a line; hands a failure to the caller, where `println!` would panic.
macro_rules! say {
    ($($part:tt)*) => { crate::show::say(format_args!($($part)*), "\n")? };
}
/// Prints without ending the line.
macro_rules! put {
    ($($part:tt)*) => { crate::show::say(format_args!($($part)*), "")? };
}

mod cmd;
mod input;
mod picture;
mod show;
mod usage;

use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

/// A software GPU for NVIDIA Celsius, Kelvin, Rankine and Curie and ARM's Mali-400.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: cmd::Command,
}

/// Bad use ends in 2 (clap's own code), bad data in 1.
fn main() -> ExitCode {
    // What is still buffered may not fit any more.
    let flushed = |code| Ok(std::io::stdout().flush().map(|()| code)?);
    match cmd::run(Cli::parse().command).and_then(flushed) {
        Ok(code) => code,
        // Whoever read our output has seen enough.
        Err(error) if show::pipe_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("isotherm: {error:#}");
            ExitCode::from(if error.is::<usage::Usage>() { 2 } else { 1 })
        }
    }
}
