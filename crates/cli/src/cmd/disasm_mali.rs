//! `isotherm disasm` of a Mali capture or of a dump that lima wrote: vertex and fragment
//! programs, and the render state of a draw beside its program.

use super::disasm::{SCHEMA, Stage};
use super::language::Language;
use anyhow::{Context, bail};
use isotherm::capture::{Payload, Reader};
use isotherm::mali::Machine;
use isotherm::mali::trace::{self, Shader};
use isotherm::memory::Memory;
use isotherm_regs::explain;
use isotherm_regs::mali::words;
use std::collections::HashSet;
use std::io::Write;

/// A program with the draw that runs it.
pub struct Found {
    draw: u64,
    unit: &'static str,
    shader: Shader,
    /// The render state, for one draw alone.
    state: String,
}

/// The different programs of all draws, or those of one; `None` if this is no Mali.
pub fn programs(
    reader: &mut Reader<'_>,
    name: &str,
    only: Option<u64>,
) -> anyhow::Result<Option<Vec<Found>>> {
    let mut mem = Memory::new(isotherm::Chip::Mali400);
    let mut machine = Machine::new();
    let (mut vertex, mut seen, mut found) = (Vec::new(), HashSet::new(), Vec::new());
    let mut draws = 0u64;
    while let Some(record) = reader.next_record()? {
        match record.payload {
            Payload::Info(info) if info.gpu != "mali400" => return Ok(None),
            Payload::Memory { addr, bytes } => mem.write(addr, bytes),
            Payload::Copy { dst, src, len } => mem.copy(dst, src, len as usize),
            Payload::Gp(job) => {
                vertex = trace::vertex_programs(&mem, job.frame).context("GP job")?;
                machine.gp_job(&mut mem, job.frame).context("GP job")?;
            }
            Payload::Pp(job) => {
                for draw in trace::draws(&machine, &mem, job.frame).context("PP job")? {
                    draws += 1;
                    let number = draws;
                    if only.is_some_and(|n| n != number) {
                        continue;
                    }
                    let mut add = |unit, shader: &Shader, state: String| {
                        if seen.insert((unit, shader.words.clone())) {
                            let shader = shader.clone();
                            found.push(Found {
                                draw: number,
                                unit,
                                shader,
                                state,
                            });
                        }
                    };
                    if let Some((_, v)) = vertex.iter().find(|v| v.0 == draw.positions) {
                        add("GP", v, String::new());
                    }
                    let state = if only.is_some() {
                        state_lines(&draw.state)
                    } else {
                        String::new()
                    };
                    add("PP", &trace::fragment_program(&mem, &draw.state), state);
                }
                machine.pp_job(&mut mem, job.frame).context("PP job")?;
            }
            _ => {}
        }
    }
    match only {
        Some(n) if n == 0 || n > draws => Err(crate::usage::no_draw(name, n, draws)),
        _ if found.is_empty() => bail!("no draw of this capture runs a program"),
        _ => Ok(Some(found)),
    }
}

/// The words of a render state as comments.
fn state_lines(record: &[u32]) -> String {
    let (fields, _) = explain::record(isotherm::Chip::Mali400, &words::RSW, record);
    fields
        .iter()
        .map(|w| format!("#   {} {:08x}  {}\n", w.name, w.value, w.fields()))
        .collect()
}

/// Prints them, or those of one stage in the form that `asm` takes.
pub fn print(json: bool, stage: Option<Stage>, programs: &[Found]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let of = |p: &Found| match p.unit {
        "GP" => Stage::Vertex,
        _ => Stage::Fragment,
    };
    let wanted = |p: &&Found| stage.is_none_or(|wanted| wanted == of(p));
    anyhow::ensure!(
        programs.iter().any(|p| wanted(&p)),
        "no such program: the positions were not written by the geometry job"
    );
    for p in programs.iter().filter(wanted) {
        let (language, isa) = match of(p) {
            Stage::Vertex => (Language::MaliGp, "mali-gp"),
            Stage::Fragment => (Language::MaliPp, "mali-pp"),
        };
        if let (Some(_), false, Some(text)) = (stage, json, language.mali_text(&p.shader.words)) {
            writeln!(
                out,
                "// draw {}: {:#010x}\n// isa {isa}",
                p.draw, p.shader.addr
            )?;
            write!(out, "{}", text?)?;
            continue;
        }
        if json {
            let value = serde_json::json!({
                "schema": SCHEMA,
                "draw": p.draw,
                "isa": isa,
                "addr": p.shader.addr,
                "words": p.shader.words,
                "text": p.shader.text,
            });
            writeln!(out, "{value}")?;
            continue;
        }
        writeln!(
            out,
            "# draw {}: {} program {:#010x}",
            p.draw, p.unit, p.shader.addr
        )?;
        write!(out, "{}{}", p.state, p.shader.text)?;
    }
    Ok(())
}
