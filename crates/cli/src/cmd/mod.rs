//! The subcommands. Each file has an `Args` and a `run`.

mod asm;
mod bench;
mod conform;
mod demo;
mod disasm;
mod replay;
mod trace;
mod vsh;

use std::process::ExitCode;

/// What the program can do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Assemble a vertex program.
    Asm(asm::Args),
    /// Time the replay of captures, or the front end alone.
    Bench(bench::Args),
    /// Replay captures and compare the pictures with those that real hardware drew.
    Conform(conform::Args),
    /// Run the built-in examples: written to a folder and explained on the terminal.
    Demo(demo::Args),
    /// Disassemble vertex programs: words, hex text or those of a capture.
    Disasm(disasm::Args),
    /// Replay a capture and write its picture.
    Replay(replay::Args),
    /// Run a vertex program on one vertex.
    Vsh(vsh::Args),
    /// Show methods and bundles of a capture, query registers at each draw.
    Trace(trace::Args),
}

/// Runs a subcommand.
pub fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Asm(args) => asm::run(&args)?,
        Command::Bench(args) => bench::run(&args)?,
        Command::Conform(args) => return conform::run(&args),
        Command::Demo(args) => demo::run(&args)?,
        Command::Disasm(args) => disasm::run(&args)?,
        Command::Replay(args) => replay::run(&args)?,
        Command::Vsh(args) => vsh::run(&args)?,
        Command::Trace(args) => trace::run(&args)?,
    }
    Ok(ExitCode::SUCCESS)
}
