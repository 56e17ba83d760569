//! Instructions to text.

use super::{Program, names};
use crate::xf::isa::ops::{self, CONDITIONS, Form, Op};
use crate::xf::isa::{Cond, Dst, Inst, Isa, Mux, Src, Target, Unit, Word, layout};
use core::fmt::Write;
use std::collections::BTreeSet;

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// A whole program: header, labels, one statement per line.
pub fn disassemble(program: &Program) -> String {
    let Program {
        isa,
        org,
        ref words,
    } = *program;
    let insts: Vec<Inst> = words.iter().map(|&w| Inst::decode(isa, w)).collect();
    let slots = usize::from(org)..usize::from(org) + words.len();
    let labels: BTreeSet<u16> = insts
        .iter()
        .filter(|i| has_label(i, isa))
        .map(|i| i.branch)
        .filter(|&slot| slots.contains(&usize::from(slot)))
        .collect();
    let mut text = format!("{}\n", isa.header());
    if org != 0 {
        let _ = writeln!(text, ".org {org}");
    }
    for (i, (&word, inst)) in words.iter().zip(&insts).enumerate() {
        let slot = usize::from(org) + i;
        if u16::try_from(slot).is_ok_and(|slot| labels.contains(&slot)) {
            let _ = writeln!(text, "L{slot}:");
        }
        let _ = writeln!(text, "    {}", statement_with(isa, word, inst, &labels));
        if inst.end {
            text.push_str("END\n");
        }
    }
    text
}

/// One instruction as a statement; its END flag is not part of the text.
pub fn statement(isa: Isa, word: Word) -> String {
    statement_with(isa, word, &Inst::decode(isa, word), &BTreeSet::new())
}

fn has_label(inst: &Inst, isa: Isa) -> bool {
    matches!(inst.sca_op(isa).form, Form::Branch | Form::BranchBit)
}

fn statement_with(isa: Isa, word: Word, inst: &Inst, labels: &BTreeSet<u16>) -> String {
    let mut text = String::new();
    let (vec, sca) = (inst.vec_op(isa), inst.sca_op(isa));
    let has_sca = sca.code != ops::sca::NOP;
    // A lone scalar MOV would read as the vector one.
    let has_vec = vec.code != ops::vec::NOP || !has_sca || sca.code == ops::sca::MOV;
    if has_vec {
        operation(&mut text, isa, inst, vec, Unit::Vec, true, labels);
    }
    if has_sca {
        if has_vec {
            text.push_str(" + ");
        }
        operation(&mut text, isa, inst, sca, Unit::Sca, !has_vec, labels);
    }
    extra_fields(&mut text, isa, word, inst);
    text.push(';');
    text
}

fn operation(
    text: &mut String,
    isa: Isa,
    inst: &Inst,
    op: Op,
    unit: Unit,
    first: bool,
    labels: &BTreeSet<u16>,
) {
    text.push_str(op.name);
    if op.is_unknown() {
        let _ = write!(text, "_{:02X}", op.code);
    }
    if inst.cc == Some(unit) {
        text.push('C');
        if inst.cc_reg != 0 {
            text.push('1');
        }
    }
    if first && inst.sat {
        text.push_str("_SAT");
    }
    let dst = match unit {
        Unit::Vec => inst.vec_dst,
        Unit::Sca => inst.sca_dst,
    };
    match op.form {
        Form::Bare => {}
        Form::Plain | Form::Texture => destination(text, isa, inst, dst),
        Form::ToAddress | Form::AddressAdd => {
            let _ = write!(text, " A{}{}", dst.temp.unwrap_or(0), mask_text(dst.mask));
        }
        Form::Branch => label(text, inst.branch, labels),
        Form::BranchBit => {
            label(text, inst.branch, labels);
            let (bit, value) = inst.branch_bit;
            let _ = write!(text, ", {}b[{bit}]", if value { "" } else { "!" });
        }
        Form::BranchIndexed => {
            let _ = write!(text, " [{} + {}]", address(inst), inst.branch);
        }
        Form::Address => {
            let _ = write!(text, " {}", address(inst));
        }
    }
    if let (true, Some(cond)) = (first, inst.cond) {
        condition(text, cond, inst.cc_reg);
    }
    if op.form == Form::AddressAdd {
        let _ = write!(text, ", {}", address(inst));
    }
    for (i, &src) in inst.src.iter().enumerate() {
        if op.sources >> i & 1 != 0 {
            text.push_str(", ");
            source(text, inst, src);
        }
    }
    if op.form == Form::Texture {
        let _ = write!(text, ", texture[{}]", inst.texture);
    }
}

fn label(text: &mut String, slot: u16, labels: &BTreeSet<u16>) {
    let _ = if labels.contains(&slot) {
        write!(text, " L{slot}")
    } else {
        write!(text, " {slot}")
    };
}

fn address(inst: &Inst) -> String {
    format!(
        "A{}.{}",
        inst.addr_reg,
        LETTERS[usize::from(inst.addr_comp & 3)]
    )
}

fn destination(text: &mut String, isa: Isa, inst: &Inst, dst: Dst) {
    let mut parts = Vec::new();
    if let Some(temp) = dst.temp {
        parts.push(format!("R{temp}{}", mask_text(dst.mask)));
    } else if dst.mask != 0 && (dst.out_mask == 0 || isa == Isa::Rankine) {
        parts.push(format!("CC{}", mask_text(dst.mask)));
    }
    if dst.out_mask != 0 {
        let file = match inst.out.target {
            Target::Output => 'o',
            Target::Ctx => 'c',
        };
        let row = match inst.out.target {
            _ if inst.out.indexed => format!("{} + {}", address(inst), inst.out.addr),
            Target::Output => names::output_name(isa, inst.out.addr)
                .map_or(inst.out.addr.to_string(), str::to_owned),
            Target::Ctx => inst.out.addr.to_string(),
        };
        parts.push(format!("{file}[{row}]{}", mask_text(dst.out_mask)));
    }
    text.push(' ');
    text.push_str(&if parts.is_empty() {
        "_".to_owned()
    } else {
        parts.join(" & ")
    });
}

/// `.xz`; nothing for all four; `._` for none.
fn mask_text(mask: u8) -> String {
    match mask {
        0b1111 => String::new(),
        0 => "._".to_owned(),
        _ => {
            let letters = LETTERS
                .iter()
                .enumerate()
                .filter(|(i, _)| mask >> (3 - i) & 1 != 0);
            core::iter::once('.')
                .chain(letters.map(|(_, &c)| c))
                .collect()
        }
    }
}

/// `.x` for a broadcast, nothing for the identity.
fn swizzle_text(swz: [u8; 4]) -> String {
    if swz == [0, 1, 2, 3] {
        return String::new();
    }
    let shown = if swz.iter().all(|&c| c == swz[0]) {
        &swz[..1]
    } else {
        &swz[..]
    };
    core::iter::once('.')
        .chain(shown.iter().map(|&c| LETTERS[usize::from(c & 3)]))
        .collect()
}

fn condition(text: &mut String, cond: Cond, reg: u8) {
    let test = CONDITIONS[usize::from(cond.test & 7)];
    let reg = if reg != 0 { "1" } else { "" };
    let _ = write!(text, " ({test}{reg}{})", swizzle_text(cond.swz));
}

fn source(text: &mut String, inst: &Inst, src: Src) {
    let bars = if src.abs { "|" } else { "" };
    let name = match src.mux {
        Mux::Temp => format!("R{}", src.reg),
        Mux::Input if inst.input_indexed => format!("v[{} + {}]", address(inst), inst.input),
        Mux::Input => format!("v[{}]", inst.input),
        Mux::Ctx if inst.ctx_indexed => format!("c[{} + {}]", address(inst), inst.ctx),
        Mux::Ctx => format!("c[{}]", inst.ctx),
    };
    let sign = if src.neg { "-" } else { "" };
    let _ = write!(text, "{sign}{bars}{name}{}{bars}", swizzle_text(src.swz));
}

/// Whatever the usual encoding of `inst` would lose.
fn extra_fields(text: &mut String, isa: Isa, word: Word, inst: &Inst) {
    let usual = inst.encode(isa).unwrap_or_default();
    if usual == word {
        return;
    }
    let mut extra: Vec<String> = layout::ALL
        .iter()
        .filter(|field| field.get(isa, usual) != field.get(isa, word))
        .map(|field| format!("{}={:#x}", field.name, field.get(isa, word)))
        .collect();
    let bits = word.0 & layout::unknown(isa);
    if bits != 0 {
        extra.push(format!("BITS={bits:#x}"));
    }
    let _ = write!(text, " {{{}}}", extra.join(", "));
}
