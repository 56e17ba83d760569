//! `isotherm disasm`: words, hex text or captures to program text.

use super::asm;
use super::disasm_fragment as fragment;
use super::disasm_mali as mali;
use super::language::{self, Language};
use crate::input;
use anyhow::{Context, bail};
use isotherm::capture::Reader;
use isotherm::programs::vertex as uploads;
use isotherm_regs::xf::asm::{Program, disassemble, statement};
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

/// The version of the JSON.
pub const SCHEMA: &str = "isotherm-disasm-1";

/// Options of `isotherm disasm`.
#[derive(clap::Args)]
pub struct Args {
    /// A capture, a file of binary words, or hex text (four words per
    /// instruction in upload order); `-` reads standard input.
    input: PathBuf,
    /// Instruction set of words: kelvin, rankine, curie, rankine-fp, curie-fp, mali-gp or
    /// mali-pp. A capture knows its own.
    #[arg(long)]
    isa: Option<Language>,
    /// Only the programs of this draw of a capture (from 1); without it every
    /// different program, with the draw that first runs it.
    #[arg(long, value_name = "N")]
    draw: Option<u64>,
    /// Only vertex or only fragment programs of a capture, as text that `asm` and `edit` take
    /// back.
    #[arg(long, value_enum)]
    stage: Option<Stage>,
    /// Slot of the first instruction of words.
    #[arg(long, default_value_t = 0)]
    slot: u16,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Which programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Stage {
    /// Vertex programs (GP on a Mali).
    Vertex,
    /// Fragment programs (PP on a Mali).
    Fragment,
}

/// What a file holds.
pub enum Source {
    /// Captures are recognised by their first bytes.
    Capture(Vec<u8>),
    /// Words in upload order.
    Words(Vec<u32>),
    /// Anything else that is text.
    Text(String),
}

/// Tells captures, hex text, program text and binary words apart.
pub fn sniff(bytes: Vec<u8>) -> anyhow::Result<Source> {
    if bytes.starts_with(b"GPUCAP") || bytes.starts_with(&input::ZSTD) {
        return Ok(Source::Capture(bytes));
    }
    let binary = |bytes: &[u8]| -> anyhow::Result<Source> {
        let (words, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            bail!("{} bytes are no whole number of words", bytes.len());
        }
        Ok(Source::Words(
            words.iter().map(|&w| u32::from_le_bytes(w)).collect(),
        ))
    };
    let text = match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => text,
        Ok(text) => return binary(text.as_bytes()),
        Err(error) => return binary(error.as_bytes()),
    };
    Ok(match hex_words(&text) {
        Some(words) => Source::Words(words),
        None => Source::Text(text),
    })
}

/// All of a text as hex words, with or without 0x, commas and comments.
fn hex_words(text: &str) -> Option<Vec<u32>> {
    let mut words = Vec::new();
    for line in text.lines() {
        let line = line.split(['#', ';']).next().unwrap_or("");
        let line = line.split("//").next().unwrap_or("");
        for token in line.split([' ', '\t', ',', '\r']).filter(|t| !t.is_empty()) {
            let digits = token
                .strip_prefix("0x")
                .or_else(|| token.strip_prefix("0X"))
                .unwrap_or(token);
            words.push(u32::from_str_radix(digits, 16).ok()?);
        }
    }
    (!words.is_empty()).then_some(words)
}

/// Prints the program or programs.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let name = input::name(&args.input);
    if input::lima_text(&args.input)?.is_some() {
        // A dump that lima wrote.
        let mut dump = super::replay::open(&args.input)?;
        let programs = mali::programs(&mut dump, &name, args.draw).with_context(|| name.clone())?;
        return mali::print(args.json, args.stage, &programs.unwrap_or_default());
    }
    match sniff(input::bytes(&args.input)?).with_context(|| name.clone())? {
        Source::Capture(bytes) => capture(args, &bytes).with_context(|| name),
        Source::Words(words) => {
            let isa = match language::required(args.isa, &name)? {
                Language::Vertex(isa) => isa,
                Language::Fragment(family) => {
                    return fragment::print_words(args.json, family, &words);
                }
                mali => {
                    if let Some(text) = mali.mali_text(&words) {
                        print_mali(args.json, &words, &text.with_context(|| name)?)?;
                    }
                    return Ok(());
                }
            };
            if words.len() % 4 != 0 {
                bail!(
                    "{name}: {} words are no whole number of instructions (four words each)",
                    words.len()
                );
            }
            print(
                args.json,
                None,
                &Program::from_upload(isa, args.slot, &words),
            )
        }
        Source::Text(text) => {
            // Program text comes out in the usual form.
            if let Some(made) = language::fragment_words(args.isa, &name, &text) {
                let made = made?;
                return fragment::print_words(args.json, made.family, &made.words);
            }
            print(
                args.json,
                None,
                &asm::parse(&name, &text, args.isa.and_then(Language::vertex))?,
            )
        }
    }
}

fn capture(args: &Args, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(programs) = mali::programs(
        &mut Reader::new(bytes)?,
        &input::name(&args.input),
        args.draw,
    )? {
        return mali::print(args.json, args.stage, &programs);
    }
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    uploads::draws(Reader::new(bytes)?, |draw| {
        let wanted = args.draw.is_none_or(|n| n == draw.number);
        if wanted && args.stage != Some(Stage::Fragment) {
            let program = draw.program();
            if seen.insert((program.org, program.words.clone())) {
                found.push((draw.number, program));
            }
        }
        args.draw.is_none_or(|n| draw.number < n)
    })?;
    let fragments = match args.stage {
        Some(Stage::Vertex) => Vec::new(),
        _ => fragment::programs(Reader::new(bytes)?, args.draw)?,
    };
    let mut fragments = fragments.into_iter().peekable();
    if found.is_empty() && fragments.peek().is_none() {
        match args.draw {
            Some(n) => {
                let draws = isotherm_inspect::follow::count_draws(&mut Reader::new(bytes)?)?;
                if n == 0 || n > draws {
                    return Err(crate::usage::no_draw(&input::name(&args.input), n, draws));
                }
                bail!("draw {n} runs no such program")
            }
            None => bail!("no draw of this capture runs a program"),
        }
    }
    // In the order of the draws.
    for (draw, program) in &found {
        while let Some(fragment) = fragments.next_if(|f| f.draw < *draw) {
            fragment::print(args.json, &fragment)?;
        }
        print(args.json, Some(*draw), program)?;
    }
    for fragment in fragments {
        fragment::print(args.json, &fragment)?;
    }
    Ok(())
}

fn print_mali(json: bool, words: &[u32], text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(
            out,
            "{}",
            serde_json::json!({ "schema": SCHEMA, "words": words, "text": text })
        )?;
    } else {
        write!(out, "{text}")?;
    }
    Ok(())
}

fn print(json: bool, draw: Option<u64>, program: &Program) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        let lines: Vec<_> = program
            .words
            .iter()
            .map(|&w| {
                let hex = w.to_upload().map(|x| format!("{x:08x}"));
                serde_json::json!({ "words": hex, "text": statement(program.isa, w) })
            })
            .collect();
        let value = serde_json::json!({
            "schema": SCHEMA,
            "draw": draw, "isa": program.isa.name(), "slot": program.org, "instructions": lines,
        });
        writeln!(out, "{value}")?;
        return Ok(());
    }
    if let Some(draw) = draw {
        writeln!(out, "# draw {draw}")?;
    }
    write!(out, "{}", disassemble(program))?;
    Ok(())
}
