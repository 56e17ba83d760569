//! `isotherm disasm` of fragment programs: words, and those that a capture's draws run.

use super::disasm::SCHEMA;
use crate::usage::Draws;
use isotherm::Family;
use isotherm::capture::Reader;
use isotherm::programs::fragments;
use isotherm_regs::fp::asm::{disassemble, disassemble_words, text};
use isotherm_regs::fp::{Error, Inst, Program};
use std::collections::HashSet;
use std::io::Write;

/// A program with the draw that first runs it.
pub struct Found {
    /// The draw, from 1.
    pub draw: u64,
    family: Family,
    address: u32,
    program: Result<Program, Error>,
}

/// The different programs of all draws, or that of one.
pub fn programs(reader: Reader<'_>, only: Option<u64>) -> anyhow::Result<Vec<Found>> {
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    fragments::draws(reader, |draw| {
        if only.is_none_or(|n| n == draw.number) {
            let program = draw.program();
            let key = match &program {
                Ok(program) => program.encode(draw.family),
                Err(_) => vec![draw.address],
            };
            if seen.insert(key) {
                found.push(Found {
                    draw: draw.number,
                    family: draw.family,
                    address: draw.address,
                    program,
                });
            }
        }
        only.is_none_or(|n| draw.number < n)
    })?;
    Ok(found)
}

/// The programs of some draws as text; why there is none where it cannot be read.
pub fn texts(reader: Reader<'_>, wanted: Draws) -> anyhow::Result<Vec<(u64, String)>> {
    let mut found = Vec::new();
    fragments::draws(reader, |draw| {
        if wanted.contains(draw.number) {
            let text = match draw.program() {
                Ok(program) => disassemble(draw.family, &program),
                Err(error) => format!("# {:#010x}: {error}\n", draw.address),
            };
            found.push((draw.number, text));
        }
        draw.number < wanted.last
    })?;
    Ok(found)
}

/// Prints one, or why there is none where the draw looks for it.
pub fn print(json: bool, found: &Found) -> anyhow::Result<()> {
    let Found {
        draw,
        family,
        address,
        ref program,
    } = *found;
    let mut out = std::io::stdout().lock();
    if json {
        let mut value = serde_json::json!({
            "schema": SCHEMA, "draw": draw, "isa": isa_name(family), "address": address,
        });
        match program {
            Ok(program) => value["instructions"] = lines(family, program).into(),
            Err(error) => value["error"] = error.to_string().into(),
        }
        writeln!(out, "{value}")?;
        return Ok(());
    }
    write!(out, "# draw {draw}: fragment program {address:#010x}")?;
    match program {
        Ok(program) => write!(out, "\n{}", disassemble(family, program))?,
        Err(error) => writeln!(out, ": {error}")?,
    }
    Ok(())
}

/// Prints words: all of them, whatever they are.
pub fn print_words(json: bool, family: Family, words: &[u32]) -> anyhow::Result<()> {
    let text = disassemble_words(family, words);
    let mut out = std::io::stdout().lock();
    if json {
        let value = serde_json::json!({ "schema": SCHEMA, "isa": isa_name(family), "words": words, "text": text });
        writeln!(out, "{value}")?;
    } else {
        write!(out, "{text}")?;
    }
    Ok(())
}

/// As `--isa` has it.
pub fn isa_name(family: Family) -> &'static str {
    match family {
        Family::Curie => "curie-fp",
        _ => "rankine-fp",
    }
}

fn lines(family: Family, program: &Program) -> Vec<serde_json::Value> {
    let hex = |words: [u32; 4]| words.map(|w| format!("{w:08x}"));
    let line = |inst: &Inst| {
        serde_json::json!({
            "at": inst.at, "words": hex(inst.words), "constant": inst.constant.map(hex),
            "end": inst.end, "text": text(family, inst),
        })
    };
    program.insts.iter().map(line).collect()
}
