//! `isotherm asm`: program text to words.

use super::disasm_fragment::isa_name;
use super::language::{self, Language};
use crate::{input, output};
use anyhow::Context;
use isotherm_regs::fp::asm::Assembled;
use isotherm_regs::xf::asm::{Program, assemble};
use isotherm_regs::xf::isa::Isa;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The version of the JSON.
const SCHEMA: &str = "isotherm-asm-1";

/// Options of `isotherm asm`.
#[derive(clap::Args)]
pub struct Args {
    /// Program text; `-` reads standard input.
    program: PathBuf,
    /// Instruction set of text without a `!!VP…` or `!!FP…` line: kelvin, rankine, curie,
    /// rankine-fp, curie-fp, mali-gp or mali-pp.
    #[arg(long)]
    isa: Option<Language>,
    /// Write binary words (little-endian, upload order) here instead of hex text; `-` is standard
    /// output.
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Assembles; the error shows the place in `name`.
pub fn parse(name: &str, text: &str, isa: Option<Isa>) -> anyhow::Result<Program> {
    assemble(text, isa).map_err(|error| anyhow::anyhow!("{name}:{error}"))
}

/// Assembles and writes the words.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(out) = &args.out {
        output::check(out)?;
    }
    let name = args.program.display().to_string();
    let text = String::from_utf8(input::bytes(&args.program)?)
        .with_context(|| format!("{name}: not text"))?;
    let isa = args.isa.or_else(|| language::said(&text));
    if let Some(words) = isa.and_then(|isa| isa.mali_words(&name, &text)) {
        let words = words?;
        if let Some(out) = &args.out {
            return write_binary(out, &words);
        }
        let mut stdout = std::io::stdout().lock();
        if args.json {
            writeln!(
                stdout,
                "{}",
                serde_json::json!({ "schema": SCHEMA, "words": words })
            )?;
        } else {
            for word in words {
                writeln!(stdout, "{word:08x}")?;
            }
        }
        return Ok(());
    }
    if let Some(made) = language::fragment_words(isa, &name, &text) {
        return fragment(args, &made?);
    }
    let program = parse(&name, &text, isa.and_then(Language::vertex))?;
    if let Some(out) = &args.out {
        return write_binary(out, &program.upload());
    }
    let mut stdout = std::io::stdout().lock();
    if args.json {
        let words: Vec<_> = program.words.iter().map(|w| w.to_upload()).collect();
        let json = serde_json::json!({ "schema": SCHEMA, "isa": program.isa.name(), "slot": program.org, "words": words });
        writeln!(stdout, "{json}")?;
        return Ok(());
    }
    for word in &program.words {
        let [a, b, c, d] = word.to_upload();
        writeln!(stdout, "{a:08x} {b:08x} {c:08x} {d:08x}")?;
    }
    Ok(())
}

fn fragment(args: &Args, made: &Assembled) -> anyhow::Result<()> {
    if let Some(out) = &args.out {
        return write_binary(out, &made.words);
    }
    let mut stdout = std::io::stdout().lock();
    if args.json {
        let json = serde_json::json!({ "schema": SCHEMA, "isa": isa_name(made.family), "words": made.words });
        writeln!(stdout, "{json}")?;
        return Ok(());
    }
    for four in made.words.chunks(4) {
        let line: Vec<_> = four.iter().map(|word| format!("{word:08x}")).collect();
        writeln!(stdout, "{}", line.join(" "))?;
    }
    Ok(())
}

fn write_binary(out: &Path, words: &[u32]) -> anyhow::Result<()> {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    output::write(out, &bytes)
}
