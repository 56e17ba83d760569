//! The `isotherm` program: one subcommand per file in `cmd/`.

/// Prints a line; hands a failure to the caller, where `println!` would panic.
macro_rules! say {
    ($($part:tt)*) => { crate::show::say(format_args!($($part)*), "\n")? };
}
/// Prints without ending the line.
macro_rules! put {
    ($($part:tt)*) => { crate::show::say(format_args!($($part)*), "")? };
}
/// Tells the user something on standard error, unless `--quiet` was given.
macro_rules! note {
    ($($part:tt)*) => { crate::show::note(format_args!($($part)*)) };
}

mod cmd;
mod folder;
mod help;
mod input;
mod output;
mod picture;
mod show;
mod usage;

use clap::{CommandFactory, FromArgMatches, Parser};
use std::io::Write;
use std::process::ExitCode;

/// Version and commit, which results of a corpus run name.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (commit ",
    env!("ISOTHERM_COMMIT"),
    ")"
);

/// A software GPU for NVIDIA's Celsius, Kelvin (Xbox), Rankine and Curie (PS3) and ARM's Mali-400.
///
/// It draws recorded command streams bit for bit as the silicon did, explains every state word,
/// and shows what each unit did on the way.
#[derive(Parser)]
#[command(name = "isotherm", version, long_version = VERSION, max_term_width = 100, after_help = help::AFTER)]
struct Cli {
    #[command(subcommand)]
    command: cmd::Command,
    /// Print only what was asked for: no notes, no progress, no names of files written.
    #[arg(short, long, global = true)]
    quiet: bool,
    /// When to use colours.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// What a capture may cost: `none`, how many times the usual limits, or limits by name
    /// (`held=`, `steps=`, `copied=`, `texels=`), separated by commas.
    #[arg(long, global = true, value_name = "LIMITS")]
    budget: Option<isotherm::budget::Limits>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// The command line with its help.
pub fn command() -> clap::Command {
    help::grouped(Cli::command())
}

/// Ends in 0 when all is well or equal, in 1 when a check failed or things differ, and in 2
/// when it could not be done.
fn main() -> ExitCode {
    let matches = command().get_matches();
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    if cli.quiet {
        output::set_quiet();
    }
    if let Some(limits) = cli.budget {
        isotherm::budget::set_usual(limits);
    }
    match cli.color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    // What is still buffered may not fit any more.
    let flushed = |code| Ok(std::io::stdout().flush().map(|()| code)?);
    match cmd::run(cli.command).and_then(flushed) {
        Ok(code) => code,
        // Whoever read our output has seen enough.
        Err(error) if show::pipe_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            show::error(&error);
            ExitCode::from(2)
        }
    }
}
