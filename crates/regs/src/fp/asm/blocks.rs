//! Which branches of a program read as blocks: IF … ELSE … ENDIF and the like.
//!
//! Offsets may point anywhere. A branch whose block lies whole in the block
//! around it is written with the words that close it; others name labels.

use crate::fp::inst::{Flow, Inst};
use crate::fp::ops::Op;
use std::collections::{BTreeMap, BTreeSet};

/// What is written before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// `ELSE;`
    Else,
    /// `ENDIF;`, `ENDLOOP;` or `ENDREP;`
    End(Op),
}

impl Mark {
    pub(super) fn text(self) -> &'static str {
        match self {
            Mark::Else => "ELSE;",
            Mark::End(Op::If) => "ENDIF;",
            Mark::End(Op::Loop) => "ENDLOOP;",
            Mark::End(_) => "ENDREP;",
        }
    }
}

/// The shape of a program.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// Branches that open a block, by their first word.
    pub blocks: BTreeSet<u32>,
    /// What stands before the instruction at a word, in order.
    pub marks: BTreeMap<u32, Vec<Mark>>,
    /// Words that other branches name.
    pub labels: BTreeSet<u32>,
}

/// A block that is open.
struct Open {
    op: Op,
    /// Where ELSE stands; `None` without one or once it is passed.
    otherwise: Option<u32>,
    end: u32,
}

impl Open {
    /// Where the part that is open now ends.
    fn limit(&self) -> u32 {
        self.otherwise.unwrap_or(self.end)
    }
}

/// Finds the blocks of instructions that stand one behind the other.
pub(super) fn shape(insts: &[Inst]) -> Shape {
    let behind = insts.last().map_or(0, |last| last.at + last.size());
    let starts: BTreeSet<u32> = insts.iter().map(|i| i.at).collect();
    let is_place = |at: u32| at == behind || starts.contains(&at);
    let mut shape = Shape::default();
    let mut open: Vec<Open> = Vec::new();
    for inst in insts {
        close(&mut shape, &mut open, inst.at);
        let Some(flow) = inst.flow else { continue };
        let next = inst.at + inst.size();
        let limit = open.last().map_or(behind, Open::limit);
        match block(inst.op, flow) {
            Some(block)
                if next <= block.limit()
                    && block.limit() <= block.end
                    && block.end <= limit
                    && is_place(block.limit())
                    && is_place(block.end) =>
            {
                shape.blocks.insert(inst.at);
                open.push(block);
            }
            _ => shape
                .labels
                .extend(flow.targets().filter(|at| starts.contains(at))),
        }
    }
    close(&mut shape, &mut open, behind);
    shape
}

/// Closes all that ends at `at`, the innermost first.
fn close(shape: &mut Shape, open: &mut Vec<Open>, at: u32) {
    while let Some(top) = open.last_mut() {
        if top.limit() != at {
            return;
        }
        let marks = shape.marks.entry(at).or_default();
        if top.otherwise.take().is_some() {
            marks.push(Mark::Else);
        } else {
            marks.push(Mark::End(top.op));
            open.pop();
        }
    }
}

fn block(op: Op, flow: Flow) -> Option<Open> {
    let (otherwise, end) = match flow {
        Flow::If { otherwise, end } => (Some(otherwise).filter(|&at| at != end), end),
        Flow::Loop { end, .. } | Flow::Rep { end, .. } => (None, end),
        Flow::Call { .. } | Flow::Plain => return None,
    };
    Some(Open { op, otherwise, end })
}
