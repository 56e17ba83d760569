//! The subcommands. Each file has an `Args` and a `run`.

mod asm;
mod bench;
mod bench_decode;
mod bench_fe;
mod bench_xf;
mod compare;
mod conform;
mod convert;
mod decode;
mod decode_lima;
mod demo;
mod diff;
mod disasm;
mod disasm_fragment;
mod disasm_mali;
mod dump;
mod edit;
mod encode;
mod explain;
mod import;
mod inspect;
mod language;
mod lint;
mod pixel;
mod regs;
mod replay;
#[cfg(target_os = "linux")]
mod run;
mod schema;
mod shell;
mod state;
mod trace;
mod vsh;
mod vsh_mali;
mod vsh_vertex;
mod why;

use std::process::ExitCode;

/// What the program can do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Assemble a vertex or fragment program or a Mali shader.
    Asm(asm::Args),
    /// Time the replay of captures, or the front end alone.
    Bench(bench::Args),
    /// Compare a picture, such as an emulator's screenshot, with ours, and name the draw that
    /// explains the worst pixel.
    Compare(compare::Args),
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
    /// Compare two captures draw by draw, or two dumps or words field by field.
    Diff(diff::Args),
    /// Write what draws read and write as files: surfaces, textures, meshes, programs, state; or
    /// every picture, numbered.
    Dump(dump::Args),
    /// Write a capture with another program, texture or word, or with only some of its draws.
    Edit(edit::Args),
    /// Make a word from fields.
    Encode(encode::Args),
    /// Explain a word or a record.
    Explain(explain::Args),
    /// Make a capture of pushbuffer words, method traces or lima's dumps.
    Import(import::Args),
    /// Look at a capture in the browser: every event, surface, texture, vertex and pixel.
    Inspect(inspect::Args),
    /// Browse and search the database of words.
    Regs(regs::Args),
    /// A pixel's whole history: what touched it, and what each unit did on the way.
    Pixel(pixel::Args),
    /// Remark on states that contradict themselves or that no driver means.
    Lint(lint::Args),
    /// Replay a capture, or all of a folder, and write the pictures.
    Replay(replay::Args),
    /// Figures, page and comparison of results that conform wrote.
    Report(conform::report::Args),
    /// Run a program with the stock Mesa driver of a chip, on this one.
    #[cfg(target_os = "linux")]
    Run(run::Args),
    /// Run a vertex program on one vertex.
    Vsh(vsh::Args),
    /// Save a chip's state in the middle of a capture, or load it.
    State(state::Args),
    /// Show methods and bundles of a capture, query registers at each draw.
    Trace(trace::Args),
    /// Print what a command writes with --json, as JSON Schema.
    Schema(schema::Args),
    /// Print a completion script for a shell.
    Completions(shell::CompletionArgs),
    /// Print or write manual pages.
    Man(shell::ManArgs),
    /// Why draws show nothing: what stopped them, and the word that decides.
    Why(why::Args),
}

/// Runs a subcommand.
pub fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Asm(args) => asm::run(&args)?,
        Command::Bench(args) => bench::run(&args)?,
        Command::Compare(args) => return compare::run(&args),
        Command::Conform(args) => return conform::run(&args),
        Command::Convert(args) => convert::run(&args)?,
        Command::Decode(args) => decode::run(&args)?,
        Command::Demo(args) => demo::run(&args)?,
        Command::Disasm(args) => disasm::run(&args)?,
        Command::Diff(args) => return diff::run(&args),
        Command::Dump(args) => dump::run(&args)?,
        Command::Edit(args) => edit::run(&args)?,
        Command::Encode(args) => encode::run(&args)?,
        Command::Explain(args) => explain::run(&args)?,
        Command::Import(args) => import::run(&args)?,
        Command::Inspect(args) => inspect::run(&args)?,
        Command::Regs(args) => regs::run(&args)?,
        Command::Pixel(args) => pixel::run(&args)?,
        Command::Lint(args) => return lint::run(&args),
        Command::Replay(args) => replay::run(&args)?,
        Command::Report(args) => return conform::report::run(&args),
        #[cfg(target_os = "linux")]
        Command::Run(args) => return run::run(&args),
        Command::Vsh(args) => vsh::run(&args)?,
        Command::State(args) => state::run(&args)?,
        Command::Trace(args) => trace::run(&args)?,
        Command::Schema(args) => schema::run(&args)?,
        Command::Completions(args) => shell::completions(&args)?,
        Command::Man(args) => shell::man(&args)?,
        Command::Why(args) => why::run(&args)?,
    }
    Ok(ExitCode::SUCCESS)
}
