//! The subcommands. Each file has an `Args` and a `run`.

mod asm;
mod bench;
mod bench_decode;
mod bench_fe;
mod bench_xf;
mod conform;
mod convert;
mod decode;
mod decode_lima;
mod demo;
mod demo_words;
mod diff;
mod disasm;
mod disasm_fragment;
mod disasm_mali;
mod encode;
mod explain;
mod import;
mod language;
mod lint;
mod pixel;
mod regs;
mod replay;
#[cfg(target_os = "linux")]
mod run;
mod state;
mod trace;
mod vsh;
mod vsh_vertex;

use std::process::ExitCode;

/// What the program can do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Assemble a vertex or fragment program or a Mali shader.
    Asm(asm::Args),
    /// Time the replay of captures, or the front end alone.
    Bench(bench::Args),
    /// Replay captures and compare the pictures with those that real hardware drew.
    Conform(conform::Args),
    /// Translate raster state between a Mali render state and NVIDIA bundles.
    Convert(convert::Args),
    /// Decode dumps and streams of words.
    Decode(decode::Args),
    /// Run the built-in examples: written to a folder and explained on the terminal.
    Demo(demo::Args),
    /// Disassemble vertex and fragment programs and Mali shaders: words, hex text or those of a
    /// capture.
    Disasm(disasm::Args),
    /// Compare two dumps or two words, field by field.
    Diff(diff::Args),
    /// Make a word from fields.
    Encode(encode::Args),
    /// Explain a word or a record.
    Explain(explain::Args),
    /// Make a capture of pushbuffer words, method traces or lima's dumps.
    Import(import::Args),
    /// Browse and search the database of words.
    Regs(regs::Args),
    /// A pixel's whole history: what touched it, and what each unit did on the way.
    Pixel(pixel::Args),
    /// Remarks on render states of a Mali that contradict themselves; ends in 1 if there are
    /// any.
    Lint(lint::Args),
    /// Replay a capture and write its picture.
    Replay(replay::Args),
    /// Run a program with the stock Mesa driver of a chip, on this one.
    #[cfg(target_os = "linux")]
    Run(run::Args),
    /// Run a vertex program on one vertex.
    Vsh(vsh::Args),
    /// Save a chip's state in the middle of a capture, or load it.
    State(state::Args),
    /// Show methods and bundles of a capture, query registers at each draw.
    Trace(trace::Args),
}

/// Runs a subcommand.
pub fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Asm(args) => asm::run(&args)?,
        Command::Bench(args) => bench::run(&args)?,
        Command::Conform(args) => return conform::run(&args),
        Command::Convert(args) => convert::run(&args)?,
        Command::Decode(args) => decode::run(&args)?,
        Command::Demo(args) => demo::run(&args)?,
        Command::Disasm(args) => disasm::run(&args)?,
        Command::Diff(args) => return diff::run(&args),
        Command::Encode(args) => encode::run(&args)?,
        Command::Explain(args) => explain::run(&args)?,
        Command::Import(args) => import::run(&args)?,
        Command::Regs(args) => regs::run(&args)?,
        Command::Pixel(args) => pixel::run(&args)?,
        Command::Lint(args) => return lint::run(&args),
        Command::Replay(args) => replay::run(&args)?,
        #[cfg(target_os = "linux")]
        Command::Run(args) => return run::run(&args),
        Command::Vsh(args) => vsh::run(&args)?,
        Command::State(args) => state::run(&args)?,
        Command::Trace(args) => trace::run(&args)?,
    }
    Ok(ExitCode::SUCCESS)
}
