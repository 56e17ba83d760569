//! The `isotherm` program: one subcommand per file in `cmd/`.

mod cmd;
mod input;
mod picture;
mod show;
mod usage;

use clap::Parser;
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
    match cmd::run(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("isotherm: {error:#}");
            ExitCode::from(if error.is::<usage::Usage>() { 2 } else { 1 })
        }
    }
}
