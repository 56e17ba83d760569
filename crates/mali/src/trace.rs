//! Jobs as text: commands, render states and programs.

use crate::{Error, Machine, command_stream};
use isotherm_bus::memory::Memory;
use isotherm_regs::mali::isa_bits::Style;
use isotherm_regs::mali::{isa_gp, isa_gp_text, isa_pp, isa_pp_text, words};
use isotherm_regs::{Chip, explain};
use std::fmt::Write;

const CHIP: Chip = Chip::Mali400;

/// The commands of a geometry job and its vertex programs.
pub fn gp_job(mem: &Memory, frame: &[u32]) -> Result<String, Error> {
    let &[vs_start, vs_end, plbu_start, plbu_end, ..] = frame else {
        return Err(Error::Frame {
            unit: "GP",
            got: frame.len(),
            want: 6,
        });
    };
    let mut out = String::new();
    let _ = writeln!(out, "VS {vs_start:#010x}..{vs_end:#010x}");
    let mut stream = command_stream::Stream::new("VS", vs_start, vs_end);
    let (mut shader, mut seen) = (0, std::collections::HashSet::new());
    while let Some((at, w)) = stream.next(mem)? {
        command(&mut out, words::VS, at, w);
        match w[1] >> 24 {
            0x40..=0x4F => shader = w[0],
            0x10 if w[1] & 0xFF == 0x40 && seen.insert(shader) => {
                let count = crate::words::vs::SHADER_INSTRS.get(&w) as usize + 1;
                let code = isa_gp::decode_program(&command_stream::words(mem, shader, count * 4));
                let _ = writeln!(out, "  program {shader:#010x}");
                indent(&mut out, &isa_gp_text::disasm(&code, Style::Lima));
            }
            _ => {}
        }
    }
    let _ = writeln!(out, "PLBU {plbu_start:#010x}..{plbu_end:#010x}");
    let mut stream = command_stream::Stream::new("PLBU", plbu_start, plbu_end);
    while let Some((at, w)) = stream.next(mem)? {
        command(&mut out, words::PLBU, at, w);
        if w[1] == 0x5000_0000 {
            break;
        }
    }
    Ok(out)
}

fn command(out: &mut String, table: &[isotherm_regs::record::Command], at: u32, w: [u32; 2]) {
    let found = table.iter().find(|c| w[1] & c.mask == c.code);
    let _ = write!(out, "  {at:#010x}  {:08x} {:08x}  ", w[0], w[1]);
    match found {
        Some(c) => {
            let value = explain::word(CHIP, c.value, 0, w[0]).fields();
            let _ = writeln!(out, "{} {value}", c.name);
        }
        None => out.push_str("unknown\n"),
    }
}

/// The registers of a pixel job that are not zero.
pub fn pp_frame(frame: &[u32]) -> String {
    let mut out = String::from("PP\n");
    let (regs, _) = explain::record(CHIP, &words::PP_FRAME, frame);
    for word in regs.iter().filter(|w| w.value != 0) {
        let _ = writeln!(out, "  {} {:08x}  {}", word.name, word.value, word.fields());
    }
    out
}

/// A draw of a pixel job.
#[derive(Clone, Debug)]
pub struct Draw {
    /// What it draws.
    pub mode: &'static str,
    /// Number of vertices or indices.
    pub elements: usize,
    /// The vertices that its first elements name.
    pub vertices: Vec<u32>,
    /// Address of its render state.
    pub rsw: u32,
    /// Address of its positions.
    pub positions: u32,
    /// The words of its render state.
    pub state: Vec<u32>,
}

/// Vertices of a draw that are named.
const MAX_VERTICES: usize = 1 << 16;

/// The draws of a pixel job, in order.
pub fn draws(m: &Machine, mem: &Memory, frame: &[u32]) -> Result<Vec<Draw>, Error> {
    let lists = crate::pp::lists_of(m, mem, frame)?;
    let draws = lists.draws.iter().map(|draw| Draw {
        mode: mode_name(draw.mode),
        elements: draw.elements.len(),
        vertices: (0..draw.elements.len().min(MAX_VERTICES))
            .map(|element| draw.elements.get(element))
            .collect(),
        rsw: draw.rsw,
        positions: draw.positions,
        state: command_stream::words(mem, draw.rsw, 16),
    });
    Ok(draws.collect())
}

/// GL's primitive numbers, and the PLBU's own.
pub(crate) fn mode_name(mode: u32) -> &'static str {
    match mode {
        0 => "points",
        1 => "lines",
        2 => "line_loop",
        3 => "line_strip",
        4 => "triangles",
        5 => "triangle_strip",
        6 => "triangle_fan",
        0xf => "rectangles",
        _ => "?",
    }
}

/// Column and row of a pixel job's tiles, in the order in which they are drawn.
pub fn tiles(m: &Machine, mem: &Memory, frame: &[u32]) -> Result<Vec<(u32, u32)>, Error> {
    crate::pp::tiles_of(m, mem, frame)
}

/// The registers of a pixel job, and each of its draws: render state, textures and
/// fragment program.
pub fn pp_job(m: &Machine, mem: &Memory, frame: &[u32]) -> Result<String, Error> {
    let mut out = pp_frame(frame);
    for (n, draw) in draws(m, mem, frame)?.iter().enumerate() {
        let _ = writeln!(
            out,
            "draw {n}: {}, {} elements, render state {:#010x}, positions {:#010x}",
            draw.mode, draw.elements, draw.rsw, draw.positions
        );
        out.push_str(&render_state(mem, draw.rsw));
    }
    Ok(out)
}

/// A render state with its program.
pub fn render_state(mem: &Memory, addr: u32) -> String {
    let mut out = String::new();
    let record = command_stream::words(mem, addr, 16);
    let (fields, _) = explain::record(CHIP, &words::RSW, &record);
    for word in &fields {
        let _ = writeln!(out, "  {} {:08x}  {}", word.name, word.value, word.fields());
    }
    let shader = crate::pp::rsw::RenderState::new(&record).shader;
    let code = command_stream::words(mem, shader, 1 << 12);
    match isa_pp::decode_program(&code, code.len()) {
        Ok(code) => indent(&mut out, &isa_pp_text::disasm(&code, Style::Lima)),
        Err(e) => {
            let _ = writeln!(out, "    program {shader:#010x}: {e}");
        }
    }
    out
}

/// A render state and, to the right of it, its program, in so many columns; what does not fit
/// goes on in the next line. Fewer than eighty columns count as eighty.
pub fn side_by_side(mem: &Memory, addr: u32, columns: usize) -> String {
    // Both halves wrap: the state's fields are short, instructions are not.
    let left_half = (columns.max(80) * 2 / 5).min(62);
    let right_half = columns.max(80) - left_half - "   | ".len();
    let record = command_stream::words(mem, addr, 16);
    let (fields, _) = explain::record(CHIP, &words::RSW, &record);
    let mut left = Vec::new();
    for word in &fields {
        left.push(format!("{} {:08x}", word.name, word.value));
        wrap(&format!("  {}", word.fields()), left_half, 2, &mut left);
    }
    let program = fragment_program(mem, &record);
    let mut right = vec![format!("program {:#010x}", program.addr)];
    for line in program.text.lines() {
        wrap(line, right_half, 8, &mut right);
    }
    let mut out = String::new();
    for i in 0..left.len().max(right.len()) {
        let line = |side: &[String]| side.get(i).cloned().unwrap_or_default();
        let line = format!("  {:<left_half$} | {}", line(&left), line(&right));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// A line in pieces of at most `columns`, cut at spaces; pieces behind the first are indented.
pub fn wrap(line: &str, columns: usize, indent: usize, out: &mut Vec<String>) {
    let mut rest = line.trim_end();
    let mut lead = 0;
    loop {
        let room = columns - lead;
        let words = rest.len() - rest.trim_start().len();
        // A word that is too long by itself is not cut.
        let spaces = || rest.match_indices(' ').map(|(at, _)| at);
        let cut = spaces()
            .rfind(|&at| at > words && at <= room)
            .or_else(|| spaces().find(|&at| at > room));
        let whole = rest.len() <= room;
        let (piece, next) = match cut {
            Some(at) if !whole => rest.split_at(at),
            _ => (rest, ""),
        };
        out.push(format!("{:lead$}{}", "", piece.trim_end()));
        rest = next.trim_start();
        lead = indent;
        if rest.is_empty() {
            return;
        }
    }
}

fn indent(out: &mut String, text: &str) {
    for line in text.lines() {
        let _ = writeln!(out, "    {line}");
    }
}

/// A program in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shader {
    /// Where it lies.
    pub addr: u32,
    /// Its words.
    pub words: Vec<u32>,
    /// Its disassembly; for words that are no program, what is wrong with them.
    pub text: String,
}

pub use crate::gp::vertex::{VertexRun, VertexStep, attributes, vertex};

/// The vertex programs of a geometry job, one per draw of its VS stream, with the address
/// that the draw's positions go to.
pub fn vertex_programs(mem: &Memory, frame: &[u32]) -> Result<Vec<(u32, Shader)>, Error> {
    use crate::words::vs as f;
    let &[start, end, ..] = frame else {
        return Err(Error::Frame {
            unit: "GP",
            got: frame.len(),
            want: 6,
        });
    };
    let mut stream = command_stream::Stream::new("VS", start, end);
    let (mut shader, mut count, mut varyings, mut outputs) = (0, 0, 0, 0);
    let mut out = Vec::new();
    while let Some((_, w)) = stream.next(mem)? {
        match (w[1] >> 24, w[1] & 0xFF) {
            (0, _) if w != [0, 0] => {
                let entry = |i: u32| {
                    let at = u32::wrapping_add(varyings, 8 * i);
                    [mem.read_u32(at), mem.read_u32(at.wrapping_add(4))]
                };
                let position = (0..outputs)
                    .map(entry)
                    .find(|e| f::VARY_KIND.get(e) == 0x20);
                let words = command_stream::words(mem, shader, count * 4);
                let text = isa_gp_text::disasm(&isa_gp::decode_program(&words), Style::Lima);
                let addr = shader;
                out.push((position.map_or(0, |e| e[0]), Shader { addr, words, text }));
            }
            (0x40..=0x4F, _) => shader = w[0],
            (0x10, 0x40) => count = f::SHADER_INSTRS.get(&w) as usize + 1,
            (0x10, 0x42) => outputs = f::VARYINGS.get(&w) + 1,
            (0x20..=0x2F, 8) => varyings = w[0],
            _ => {}
        }
        if out.len() > MAX_DRAWS {
            return Err(Error::Endless {
                unit: "VS",
                addr: start,
            });
        }
    }
    Ok(out)
}

/// Draws of a job that are taken apart; lima ends a job after 500.
const MAX_DRAWS: usize = 1 << 14;

/// The fragment program that a render state names.
pub fn fragment_program(mem: &Memory, record: &[u32]) -> Shader {
    let addr = crate::pp::rsw::RenderState::new(record).shader;
    let mut words = command_stream::words(mem, addr, 1 << 12);
    match isa_pp::decode_program(&words, words.len()) {
        Ok(code) => {
            words.truncate(code.last().map_or(0, |i| i.offset + i.len()));
            let text = isa_pp_text::disasm(&code, Style::Lima);
            Shader { addr, words, text }
        }
        Err(e) => Shader {
            addr,
            words: Vec::new(),
            text: format!("program {addr:#010x}: {e}\n"),
        },
    }
}
