//! Instructions to text.

use super::blocks::{self, Shape};
use super::{extra, names, usual};
use crate::Family;
use crate::fp::Program;
use crate::fp::inst::{Flow, IDENTITY, Inst, Precision, Source, Src};
use crate::fp::program::decode_at;
use core::fmt::Write;

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// A whole program: header, labels, one instruction per line.
pub fn disassemble(family: Family, program: &Program) -> String {
    let mut out = format!("{}\n", names::header(family));
    listing(&mut out, family, &program.insts);
    out
}

/// Any words: one instruction after the other, whatever END bits there are,
/// and what is left at the end as numbers.
pub fn disassemble_words(family: Family, words: &[u32]) -> String {
    let mut insts: Vec<Inst> = Vec::new();
    let mut at = 0;
    while let Some(inst) = decode_at(family, words, at) {
        at += inst.size();
        insts.push(inst);
    }
    let mut out = format!("{}\n", names::header(family));
    listing(&mut out, family, &insts);
    for word in &words[at as usize..] {
        let _ = writeln!(out, ".word {word:#x}");
    }
    out
}

/// One instruction, its constant in the text; no END flag. Offsets of
/// branches are words from the program's first one.
pub fn text(family: Family, inst: &Inst) -> String {
    instruction(family, inst, &Shape::default())
}

fn listing(out: &mut String, family: Family, insts: &[Inst]) {
    let shape = blocks::shape(insts);
    let mut depth = 1usize;
    let marks = |out: &mut String, depth: &mut usize, at: u32| {
        for mark in shape.marks.get(&at).into_iter().flatten() {
            *depth -= 1;
            let _ = writeln!(out, "{}{}", indent(*depth), mark.text());
            *depth += usize::from(*mark == blocks::Mark::Else);
        }
    };
    for inst in insts {
        marks(out, &mut depth, inst.at);
        if shape.labels.contains(&inst.at) {
            let _ = writeln!(out, "L{}:", inst.at);
        }
        let line = instruction(family, inst, &shape);
        let _ = writeln!(out, "{}{line}", indent(depth));
        depth += usize::from(shape.blocks.contains(&inst.at));
        if inst.end {
            out.push_str("END\n");
        }
    }
    let behind = insts.last().map_or(0, |last| last.at + last.size());
    marks(out, &mut depth, behind);
}

/// Blocks deeper than any program's stay at one depth.
fn indent(depth: usize) -> String {
    " ".repeat(4 * depth.min(16))
}

fn instruction(family: Family, inst: &Inst, shape: &Shape) -> String {
    let branch = inst.flow.is_some();
    let mut out = names::stem(inst.op, branch);
    let said = usual::said(family, inst);
    if names::has_result(inst.op, branch) {
        suffixes(&mut out, &said);
        destination(&mut out, &said);
        condition(&mut out, &said);
        for src in &said.src[..said.op.sources()] {
            out.push_str(", ");
            source(&mut out, family, &said, src);
        }
        if said.op.is_texture() {
            let _ = write!(out, ", TEX{}", said.unit);
        }
    } else {
        if let Some(flow) = said.flow {
            operands(&mut out, flow, inst.at, shape);
        }
        if usual::says_condition(inst.op, branch) {
            condition(&mut out, &said);
        }
    }
    braces(&mut out, family, inst, &said);
    out.push(';');
    out
}

fn suffixes(out: &mut String, inst: &Inst) {
    if inst.precision != names::natural(inst.out) {
        out.extend(names::letter(inst.precision));
    }
    if inst.cc_write {
        out.push('C');
    }
    if inst.expand {
        out.push_str("_BX2");
    }
    out.push_str(names::scale_suffix(inst.scale).unwrap_or_default());
    if inst.sat {
        out.push_str("_SAT");
    }
}

fn destination(out: &mut String, inst: &Inst) {
    let _ = match inst.out {
        Some(reg) => write!(out, " {}{}", if reg.half { 'H' } else { 'R' }, reg.index),
        None if inst.cc_write => write!(out, " RC"),
        None => write!(out, " _"),
    };
    // Nothing for all four, `._` for none.
    if inst.mask != 0b1111 {
        out.push('.');
        let written = (0..4).filter(|i| inst.mask >> i & 1 != 0);
        out.extend(written.map(|i| LETTERS[i]));
    }
    if inst.mask == 0 {
        out.push('_');
    }
}

fn condition(out: &mut String, inst: &Inst) {
    if !usual::is_always(inst) {
        let name = names::CONDITIONS[inst.cond as usize];
        let _ = write!(out, " ({name}{})", swizzle(inst.cond_swizzle));
    }
}

/// `.x` for a broadcast, nothing for the identity.
fn swizzle(swizzle: [u8; 4]) -> String {
    if swizzle == IDENTITY {
        return String::new();
    }
    let same = swizzle.iter().all(|&c| c == swizzle[0]);
    let shown = if same { &swizzle[..1] } else { &swizzle[..] };
    core::iter::once('.')
        .chain(shown.iter().map(|&c| LETTERS[usize::from(c & 3)]))
        .collect()
}

fn source(out: &mut String, family: Family, inst: &Inst, src: &Src) {
    let sign = if src.neg { "-" } else { "" };
    let bars = if src.abs { "|" } else { "" };
    let name = match src.source {
        Source::Temp(reg) => format!("{}{}", if reg.half { 'H' } else { 'R' }, reg.index),
        Source::Input => input(family, inst),
        Source::Const => constant(inst.constant),
        Source::Unknown => "UNK".to_owned(),
    };
    let _ = write!(out, "{sign}{bars}{name}{}{bars}", swizzle(src.swizzle));
}

fn input(family: Family, inst: &Inst) -> String {
    let file = match inst.input_precision {
        Precision::Half => "fh",
        Precision::Fixed => "fx",
        Precision::Full | Precision::Unknown3 => "f",
    };
    let place = match (inst.indexed_input, inst.address_index) {
        (false, _) => names::input_name(family, inst.input),
        (true, 0) => "A0".to_owned(),
        (true, add) => format!("A0 + {add}"),
    };
    format!("{file}[{place}]")
}

/// `c[0.5, 1, 0, 0]`; `c[?]` for an instruction without its constant.
fn constant(words: Option<[u32; 4]>) -> String {
    match words {
        Some(words) => format!("c[{}]", words.map(number).join(", ")),
        None => "c[?]".to_owned(),
    }
}

/// The shortest decimal number that reads back as the same bits, else the bits.
fn number(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if !value.is_finite() {
        return format!("{bits:#x}");
    }
    let size = value.abs();
    if size == 0.0 || (1e-5..1e9).contains(&size) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

fn operands(out: &mut String, flow: Flow, at: u32, shape: &Shape) {
    let place = |at: u32| match shape.labels.contains(&at) {
        true => format!("L{at}"),
        false => at.to_string(),
    };
    let (mut list, places) = match flow {
        Flow::If { otherwise, end } => (vec![], vec![place(otherwise), place(end)]),
        Flow::Loop {
            count,
            start,
            step,
            end,
        } => (
            [count, start, step].map(|n| n.to_string()).to_vec(),
            vec![place(end)],
        ),
        Flow::Rep { counts, end } => (vec![counts[0].to_string()], vec![place(end)]),
        Flow::Call { target } => (vec![], vec![place(target)]),
        Flow::Plain => return,
    };
    if !shape.blocks.contains(&at) {
        list.extend(places);
    }
    if !list.is_empty() {
        let _ = write!(out, " {}", list.join(", "));
    }
}

/// Whatever `said` alone would lose.
fn braces(out: &mut String, family: Family, inst: &Inst, said: &Inst) {
    let words = inst.encode(family);
    let mut list = extra::list(family, inst, said.encode(family), words);
    if inst.has_constant() && !usual::reads_constant(said) {
        list.push(constant(inst.constant));
    }
    if !list.is_empty() {
        let _ = write!(out, " {{{}}}", list.join(", "));
    }
}
