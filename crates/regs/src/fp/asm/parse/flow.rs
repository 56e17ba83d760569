//! Branches: blocks and offsets.

use super::super::lex::{Kind, Token};
use super::{Parser, Result};
use crate::fp::inst::{Flow, Inst};
use crate::fp::layout::{self, Field};
use crate::fp::ops::Op;

/// A block that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    op: Op,
    /// First word of the branch.
    at: usize,
    has_else: bool,
    /// The branch's name.
    pub token: Token,
}

impl Block {
    pub(super) fn closer(&self) -> &'static str {
        match self.op {
            Op::If => "ENDIF",
            Op::Loop => "ENDLOOP",
            _ => "ENDREP",
        }
    }
}

/// Where a branch goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// A name.
    Label(Token),
    /// A word of the program.
    Offset(u32),
}

impl Parser<'_> {
    /// The numbers of a branch and the fields of its offsets; no offsets for
    /// a branch that opens a block.
    pub(super) fn flow_operands(&mut self, inst: &mut Inst) -> Result<Vec<(Field, Target)>> {
        let family = self.family;
        let mut first = true;
        let mut numbers = |parser: &mut Self, field: Field, what: &str| -> Result<u8> {
            if !core::mem::take(&mut first) {
                parser.expect(b',')?;
            }
            Ok(parser.number(field.max(family), what)? as u8)
        };
        let fields: &[Field] = match &mut inst.flow {
            Some(Flow::If { .. }) => &[layout::ELSE_OFFSET, layout::END_OFFSET],
            Some(Flow::Loop {
                count, start, step, ..
            }) => {
                *count = numbers(self, layout::COUNT, "count")?;
                *start = numbers(self, layout::INDEX, "first index")?;
                *step = numbers(self, layout::INCR, "step")?;
                &[layout::END_OFFSET]
            }
            Some(Flow::Rep { counts, .. }) => {
                *counts = [numbers(self, layout::COUNT, "count")?; 3];
                &[layout::END_OFFSET]
            }
            Some(Flow::Call { .. }) => &[layout::SUB_OFFSET],
            Some(Flow::Plain) | None => return Ok(Vec::new()),
        };
        let (given, after_numbers) = match inst.op {
            Op::Cal => (true, false),
            Op::If => (matches!(self.peek().kind, Kind::Word | Kind::Number), false),
            _ => (self.is(b','), true),
        };
        if !given {
            return Ok(Vec::new());
        }
        let mut targets = Vec::new();
        for (i, &field) in fields.iter().enumerate() {
            if i != 0 || after_numbers {
                self.expect(b',')?;
            }
            targets.push((field, self.target(field)?));
        }
        Ok(targets)
    }

    fn target(&mut self, field: Field) -> Result<Target> {
        let token = self.peek();
        if token.kind == Kind::Number {
            let offset = self.number(field.max(self.family), "offset")?;
            return Ok(Target::Offset(offset));
        }
        let (_, token) = self.word("a label or a word's offset")?;
        Ok(Target::Label(token))
    }

    /// IF, LOOP and REP without offsets.
    pub(super) fn open_block(&mut self, op: Op, token: Token, at: usize) {
        if matches!(op, Op::If | Op::Loop | Op::Rep) {
            self.blocks.push(Block {
                op,
                at,
                has_else: false,
                token,
            });
        }
    }

    /// ELSE, ENDIF, ENDLOOP, ENDREP; `false` if it is none of them.
    pub(super) fn closes_block(&mut self) -> Result<bool> {
        let token = self.peek();
        let name = self.text(token).to_ascii_uppercase();
        let is_else = name == "ELSE";
        if !is_else && !matches!(name.as_str(), "ENDIF" | "ENDLOOP" | "ENDREP") {
            return Ok(false);
        }
        self.at += 1;
        let here = self.here();
        let Some(open) = self.blocks.last_mut() else {
            return self.error(token, format!("`{name}` closes no block: none is open"));
        };
        let block = *open;
        if is_else && (block.op != Op::If || block.has_else) || !is_else && name != block.closer() {
            return self.expected(token, &format!("`{};`", block.closer()));
        }
        if is_else {
            open.has_else = true;
            self.put(block.at, layout::ELSE_OFFSET, here);
        } else {
            self.blocks.pop();
            self.put(block.at, layout::END_OFFSET, here);
            if block.op == Op::If && !block.has_else {
                self.put(block.at, layout::ELSE_OFFSET, here);
            }
        }
        self.expect(b';')?;
        Ok(true)
    }
}
