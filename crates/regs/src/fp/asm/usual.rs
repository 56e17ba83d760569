//! What the text leaves unsaid: the words as Mesa's encoder writes them.

use super::names;
use crate::Family;
use crate::fp::inst::{Flow, IDENTITY, Inst, Precision, Reg, Source, Src};
use crate::fp::ops::{Form, Op};

/// An instruction of which only the operation is known.
pub(super) fn template(family: Family, op: Op, branch: bool) -> Inst {
    let flow = branch.then(|| empty_flow(op));
    match op.info().map(|info| info.form) {
        _ if branch => Inst {
            op,
            flow,
            // Mesa's IF and REP say half precision and no register, its CAL
            // and RET have all zeros; nobody knows that it matters.
            out: matches!(op, Op::Cal | Op::Ret).then(Reg::default),
            precision: match op {
                Op::If | Op::Loop | Op::Rep => Precision::Half,
                _ => Precision::Full,
            },
            src: [
                Src {
                    source: Source::Temp(Reg::default()),
                    swizzle: [0; 4],
                    ..Src::UNREAD
                },
                Src::UNREAD,
                Src::UNREAD,
            ],
            ..Inst::default()
        },
        // The NOP behind the last block is four zeros but for END.
        Some(Form::Bare) => Inst {
            op,
            ..Inst::decode(family, 0, [0; 4])
        },
        Some(Form::Condition) => Inst {
            op,
            out: None,
            ..Inst::default()
        },
        _ => Inst {
            op,
            mask: 0b1111,
            ..Inst::default()
        },
    }
}

/// The kind of a branch, with zeros for its numbers.
fn empty_flow(op: Op) -> Flow {
    match op {
        Op::If => Flow::If {
            otherwise: 0,
            end: 0,
        },
        Op::Loop => Flow::Loop {
            count: 0,
            start: 0,
            step: 0,
            end: 0,
        },
        Op::Rep => Flow::Rep {
            counts: [0; 3],
            end: 0,
        },
        Op::Cal => Flow::Call { target: 0 },
        _ => Flow::Plain,
    }
}

/// What the text of an instruction says, and nothing else.
pub(super) fn said(family: Family, inst: &Inst) -> Inst {
    let branch = inst.flow.is_some();
    let mut said = template(family, inst.op, branch);
    (said.at, said.end, said.constant) = (inst.at, inst.end, inst.constant);
    if says_condition(inst.op, branch) {
        (said.cond, said.cond_swizzle) = (inst.cond, inst.cond_swizzle);
    }
    said.flow = inst.flow.map(said_flow);
    if !names::has_result(inst.op, branch) {
        return said;
    }
    said.out = inst.out;
    said.mask = inst.mask;
    said.sat = inst.sat;
    said.cc_write = inst.cc_write;
    said.expand = inst.expand;
    said.precision = match inst.precision {
        Precision::Unknown3 => names::natural(inst.out),
        known => known,
    };
    if names::scale_suffix(inst.scale).is_some() {
        said.scale = inst.scale;
    }
    if inst.op.is_texture() {
        said.unit = inst.unit;
    }
    let read = inst.op.sources();
    said.src[..read].copy_from_slice(&inst.src[..read]);
    if reads_input(inst) {
        said_input(inst, &mut said);
    }
    said
}

fn said_input(inst: &Inst, said: &mut Inst) {
    if inst.input_precision != Precision::Unknown3 {
        said.input_precision = inst.input_precision;
    }
    said.indexed_input = inst.indexed_input;
    // With the address register the text has its addend, else the number.
    if inst.indexed_input {
        said.address_index = inst.address_index;
    } else {
        said.input = inst.input;
    }
}

/// REP's count stands in the text once.
fn said_flow(flow: Flow) -> Flow {
    match flow {
        Flow::Rep { counts, end } => Flow::Rep {
            counts: [counts[0]; 3],
            end,
        },
        other => other,
    }
}

/// Whether the text has a condition, be it the one that need not be written.
pub(super) fn says_condition(op: Op, branch: bool) -> bool {
    branch || op.info().is_none_or(|info| info.form != Form::Bare)
}

/// Whether a source that is read is the input.
pub(super) fn reads_input(inst: &Inst) -> bool {
    reads(inst, Source::Input)
}

/// Whether a source that is read is the constant.
pub(super) fn reads_constant(inst: &Inst) -> bool {
    reads(inst, Source::Const)
}

fn reads(inst: &Inst, source: Source) -> bool {
    let read = match inst.flow {
        Some(_) => 0,
        None => inst.op.sources(),
    };
    inst.src[..read].iter().any(|src| src.source == source)
}

/// Whether the condition need not be written: always, each component its own.
pub(super) fn is_always(inst: &Inst) -> bool {
    inst.cond == crate::fp::Cond::Tr && inst.cond_swizzle == IDENTITY
}
