//! Text to instructions.

mod cursor;
mod operand;

use super::Program;
use super::error::AsmError;
use super::lex::{Kind, Token, lex};
use crate::xf::isa::inst::PAIR_TEMP;
use crate::xf::isa::ops::{self, Form, Op};
use crate::xf::isa::{Cond, Dst, Inst, Isa, Out, Src, Unit, Word, layout};
use std::collections::HashMap;

/// Assembles a program. The header line names the instruction set; without one
/// `default` is taken.
pub fn assemble(source: &str, default: Option<Isa>) -> Result<Program, AsmError> {
    let mut parser = Parser {
        source,
        tokens: lex(source)?,
        at: 0,
        isa: default.unwrap_or(Isa::Kelvin),
        org: 0,
        labels: HashMap::new(),
    };
    parser.header(default)?;
    let statements = parser.program()?;
    let words = statements
        .iter()
        .map(|s| parser.finish(s))
        .collect::<Result<_, _>>()?;
    Ok(Program {
        isa: parser.isa,
        org: parser.org,
        words,
    })
}

type Result<T, E = AsmError> = core::result::Result<T, E>;

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    at: usize,
    isa: Isa,
    org: u16,
    labels: HashMap<&'a str, u16>,
}

/// A parsed statement; branch targets may still be names.
struct Statement<'a> {
    inst: Inst,
    target: Option<(&'a str, Token)>,
    fields: Vec<(&'static layout::Field, u32)>,
    bits: u128,
    whole: Token,
}

/// What the operands of one statement agree on so far.
#[derive(Default)]
struct Shared {
    input: Option<(u8, bool)>,
    ctx: Option<(u16, bool)>,
    out: Option<Out>,
    addr: Option<(u8, u8)>,
    cond: Option<(Cond, u8)>,
    src: [Option<Src>; 3],
}

/// One half of a statement.
struct Half<'a> {
    op: Op,
    unit: Unit,
    dst: Dst,
    cc: Option<u8>,
    sat: bool,
    target: Option<(&'a str, Token)>,
    branch: u16,
    branch_bit: (u8, bool),
    texture: u8,
}

impl<'a> Parser<'a> {
    fn header(&mut self, default: Option<Isa>) -> Result<()> {
        let token = self.peek();
        if token.kind != Kind::Header {
            if default.is_none() {
                return self.error(token, "expected `!!VP1.1`, `!!VP2.0` or `!!VP3.0` first");
            }
            return Ok(());
        }
        self.at += 1;
        self.isa = match self.text(token) {
            "!!VP1.0" | "!!VP1.1" | "!!VSP1.0" => Isa::Kelvin,
            "!!VP2.0" => Isa::Rankine,
            "!!VP3.0" => Isa::Curie,
            other => return self.error(token, format!("unknown program type `{other}`")),
        };
        Ok(())
    }

    fn program(&mut self) -> Result<Vec<Statement<'a>>> {
        let mut statements: Vec<Statement> = Vec::new();
        loop {
            let token = self.peek();
            match token.kind {
                Kind::End => return Ok(statements),
                Kind::Punct(b'.') => self.directive(statements.is_empty())?,
                Kind::Word if self.text(token).eq_ignore_ascii_case("END") => {
                    self.at += 1;
                    match statements.last_mut() {
                        Some(last) => last.inst.end = true,
                        None => {
                            return self.error(
                                token,
                                "END marks the instruction before it; there is none",
                            );
                        }
                    }
                }
                Kind::Word
                    if self
                        .tokens
                        .get(self.at + 1)
                        .is_some_and(|t| t.kind == Kind::Punct(b':')) =>
                {
                    self.at += 2;
                    let slot = self.org + statements.len() as u16;
                    if self.labels.insert(self.text(token), slot).is_some() {
                        return self.error(
                            token,
                            format!("label `{}` is already defined", self.text(token)),
                        );
                    }
                }
                _ => {
                    if usize::from(self.org) + statements.len() >= self.isa.slots() {
                        let slots = self.isa.slots();
                        return self.error(
                            token,
                            format!("the program memory ends here: it has {slots} slots"),
                        );
                    }
                    statements.push(self.statement()?);
                }
            }
        }
    }

    fn directive(&mut self, at_start: bool) -> Result<()> {
        self.expect(b'.')?;
        let (name, token) = self.word("a directive")?;
        if !name.eq_ignore_ascii_case("org") {
            return self.error(
                token,
                format!("unknown directive `.{name}`: there is only `.org`"),
            );
        }
        if !at_start {
            return self.error(token, "`.org` must come before the first instruction");
        }
        self.org = self.number(self.isa.slots() as u128 - 1, "slot")? as u16;
        Ok(())
    }

    fn statement(&mut self) -> Result<Statement<'a>> {
        let first = self.peek();
        let mut shared = Shared::default();
        let mut halves = vec![self.half(None, &mut shared)?];
        if self.eat(b'+') {
            let other = match halves[0].unit {
                Unit::Vec => Unit::Sca,
                Unit::Sca => Unit::Vec,
            };
            halves.push(self.half(Some(other), &mut shared)?);
        }
        let (fields, bits) = self.extra_fields()?;
        let last = self.expect(b';')?;
        let whole = Token {
            kind: Kind::End,
            start: first.start,
            end: last.end,
        };
        let target = halves.iter().find_map(|h| h.target);
        let inst = self.combine(&halves, &shared, whole)?;
        Ok(Statement {
            inst,
            target,
            fields,
            bits,
            whole,
        })
    }

    /// Puts two halves into one instruction and checks what they share.
    fn combine(&self, halves: &[Half], shared: &Shared, whole: Token) -> Result<Inst> {
        let mut inst = Inst::default();
        for half in halves {
            match half.unit {
                Unit::Vec => (inst.vec, inst.vec_dst) = (half.op.code, half.dst),
                Unit::Sca => (inst.sca, inst.sca_dst) = (half.op.code, half.dst),
            }
            if let Some(reg) = half.cc {
                if inst.cc.is_some() {
                    return self.error(
                        whole,
                        "only one of the pair can update the condition register",
                    );
                }
                if shared.cond.is_some_and(|(_, tested)| tested != reg) {
                    return self.error(
                        whole,
                        "an instruction tests and updates the same condition register",
                    );
                }
                (inst.cc, inst.cc_reg) = (Some(half.unit), reg);
            }
            inst.sat |= half.sat;
            inst.texture |= half.texture;
            if matches!(
                half.op.form,
                Form::Branch | Form::BranchIndexed | Form::BranchBit
            ) {
                (inst.branch, inst.branch_bit) = (half.branch, half.branch_bit);
            }
        }
        if inst.cc.is_some() && !layout::CDST_WM.exists(self.isa) {
            return self.error(whole, "this instruction set has no condition register");
        }
        if let (Isa::Rankine, Some(Unit::Sca), true) =
            (self.isa, inst.cc, inst.vec != ops::vec::NOP)
        {
            return self.error(
                whole,
                "in a pair the vector operation updates the condition register",
            );
        }
        for (to, from) in inst.src.iter_mut().zip(shared.src) {
            *to = from.unwrap_or(Src::UNREAD);
        }
        (inst.input, inst.input_indexed) = shared.input.unwrap_or_default();
        (inst.ctx, inst.ctx_indexed) = shared.ctx.unwrap_or_default();
        (inst.addr_reg, inst.addr_comp) = shared.addr.unwrap_or_default();
        inst.out = shared.out.unwrap_or_default();
        if let Some((cond, reg)) = shared.cond {
            (inst.cond, inst.cc_reg) = (Some(cond), reg);
        }
        if self.isa != Isa::Curie {
            self.check_temporaries(&inst, whole)?;
        }
        Ok(inst)
    }

    /// Kelvin and Rankine have one temporary field for both units.
    fn check_temporaries(&self, inst: &Inst, whole: Token) -> Result<()> {
        let (Some(vec), Some(sca)) = (inst.vec_dst.temp.or(Some(PAIR_TEMP)), inst.sca_dst.temp)
        else {
            return Ok(());
        };
        let vec_op = inst.vec_op(self.isa);
        if inst.vec == ops::vec::NOP || inst.sca_dst.mask == 0 {
            return Ok(());
        }
        if vec_op.is_unknown() {
            if vec != sca && inst.vec_dst.mask != 0 {
                return self.error(whole, "both operations write the same temporary here");
            }
            return Ok(());
        }
        if sca != PAIR_TEMP {
            return self.error(
                whole,
                format!("in a pair the scalar operation writes R{PAIR_TEMP}, not R{sca}"),
            );
        }
        Ok(())
    }

    /// One operation. `unit` is set for the second of a pair.
    fn half(&mut self, unit: Option<Unit>, shared: &mut Shared) -> Result<Half<'a>> {
        let (name, token) = self.word("an operation")?;
        let Some((op, unit, cc, sat)) = self.operation(name, unit) else {
            return match unit {
                Some(Unit::Sca) => self.error(token, format!("`{name}` is no scalar operation")),
                Some(Unit::Vec) => self.error(token, format!("`{name}` is no vector operation")),
                None => self.error(
                    token,
                    format!("`{name}` is no {} operation", self.isa.name()),
                ),
            };
        };
        if sat && !layout::SAT.exists(self.isa) {
            return self.error(token, "this instruction set cannot saturate");
        }
        let mut half = Half {
            op,
            unit,
            dst: Dst::default(),
            cc,
            sat,
            target: None,
            branch: 0,
            branch_bit: (0, false),
            texture: 0,
        };
        self.target(&mut half, shared, token)?;
        if self.is(b'(') {
            self.condition(shared)?;
        }
        if op.form == Form::AddressAdd {
            self.expect(b',')?;
            let place = self.peek();
            let addr = self.address_operand()?;
            self.share_address(shared, addr, place)?;
        }
        self.sources(op, shared)?;
        if op.form == Form::Texture {
            self.expect(b',')?;
            half.texture = self.indexed_name("texture", 63)? as u8;
        }
        Ok(half)
    }

    /// What an operation writes or where it goes.
    fn target(&mut self, half: &mut Half<'a>, shared: &mut Shared, token: Token) -> Result<()> {
        let op = half.op;
        match op.form {
            Form::Bare => {}
            Form::Plain | Form::Texture => half.dst = self.destination(shared)?,
            Form::ToAddress | Form::AddressAdd => {
                let reg = self.address_register(if self.isa == Isa::Kelvin { 0 } else { 63 })?;
                let mask = self.mask()?;
                if self.isa == Isa::Kelvin && mask != 0b1000 {
                    return self.error(token, "Kelvin's address register has one component: A0.x");
                }
                half.dst = Dst {
                    temp: Some(reg),
                    mask,
                    out_mask: 0,
                };
            }
            Form::Branch | Form::BranchBit => {
                self.branch_target(half)?;
                if op.form == Form::BranchBit {
                    self.expect(b',')?;
                    let wanted = !self.eat(b'!');
                    half.branch_bit = (self.indexed_name("b", 31)? as u8, wanted);
                }
            }
            Form::BranchIndexed => {
                self.expect(b'[')?;
                let place = self.peek();
                let addr = self.address_operand()?;
                self.share_address(shared, addr, place)?;
                self.expect(b'+')?;
                half.branch = self.number(0x1ff, "table entry")? as u16;
                self.expect(b']')?;
            }
            Form::Address => {
                let place = self.peek();
                let addr = self.address_operand()?;
                self.share_address(shared, addr, place)?;
            }
        }
        Ok(())
    }

    /// What it reads; the operations of a pair share their sources.
    fn sources(&mut self, op: Op, shared: &mut Shared) -> Result<()> {
        for i in 0..3 {
            if op.sources >> i & 1 != 0 {
                self.expect(b',')?;
                let place = self.peek();
                let src = self.source(shared)?;
                if shared.src[i].is_some_and(|other| other != src) {
                    return self.error(
                        place,
                        "the operations of a pair share this source, and it differs",
                    );
                }
                shared.src[i] = Some(src);
            }
        }
        Ok(())
    }

    /// Splits `MOVC1_SAT` into operation, condition register and saturation.
    fn operation(&self, name: &str, unit: Option<Unit>) -> Option<(Op, Unit, Option<u8>, bool)> {
        let upper = name.to_ascii_uppercase();
        let (stem, sat) = match upper.strip_suffix("_SAT") {
            Some(stem) => (stem, true),
            None => (upper.as_str(), false),
        };
        let with_cc = [("", None), ("C1", Some(1)), ("C0", Some(0)), ("C", Some(0))];
        let units = [Unit::Vec, Unit::Sca];
        for (suffix, cc) in with_cc {
            let Some(stem) = stem.strip_suffix(suffix) else {
                continue;
            };
            if cc == Some(1) && !layout::CSRCDST.exists(self.isa) {
                continue;
            }
            for candidate in units
                .into_iter()
                .filter(|u| unit.is_none_or(|wanted| *u == wanted))
            {
                if let Some(op) = self.find(stem, candidate) {
                    return Some((op, candidate, cc, sat));
                }
            }
        }
        None
    }

    fn find(&self, name: &str, unit: Unit) -> Option<Op> {
        let (table, prefix, field) = match unit {
            Unit::Vec => (ops::vec::TABLE, "VOP_", layout::OP_VEC),
            Unit::Sca => (ops::sca::TABLE, "SOP_", layout::OP_SCA),
        };
        if let Some(digits) = name.strip_prefix(prefix) {
            let code = u8::from_str_radix(digits, 16)
                .ok()
                .filter(|_| digits.len() == 2)?;
            let op = match unit {
                Unit::Vec => ops::vec_or_unknown(self.isa, code),
                Unit::Sca => ops::sca_or_unknown(self.isa, code),
            };
            return (u32::from(code) <= field.max(self.isa) && op.is_unknown()).then_some(op);
        }
        let op = table.iter().find(|op| op.name == name)?;
        (op.since as u8 <= self.isa as u8).then_some(*op)
    }

    fn branch_target(&mut self, half: &mut Half<'a>) -> Result<()> {
        let token = self.peek();
        match token.kind {
            Kind::Number(_) => {
                half.branch = self.number(layout::BRANCH_ADDR.max(self.isa).into(), "slot")? as u16;
            }
            _ => half.target = Some(self.word("a label or a slot")?),
        }
        Ok(())
    }

    /// `{SRC1=0x6c2, BITS=0x10}`.
    fn extra_fields(&mut self) -> Result<(Vec<(&'static layout::Field, u32)>, u128)> {
        let (mut fields, mut bits) = (Vec::new(), 0);
        if !self.eat(b'{') {
            return Ok((fields, bits));
        }
        loop {
            let (name, token) = self.word("a field name")?;
            self.expect(b'=')?;
            if name.eq_ignore_ascii_case("BITS") {
                let place = self.peek();
                bits = self.number(u128::MAX, "bits")?;
                if bits & !layout::unknown(self.isa) != 0 {
                    return self.error(place, "BITS may only hold bits that belong to no field");
                }
            } else {
                let Some(field) = layout::by_name(name).filter(|field| field.exists(self.isa))
                else {
                    return self
                        .error(token, format!("this instruction set has no field `{name}`"));
                };
                fields.push((field, self.number(field.max(self.isa).into(), name)? as u32));
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok((fields, bits))
    }

    /// Resolves labels and makes the word.
    fn finish(&self, statement: &Statement) -> Result<Word> {
        let mut inst = statement.inst;
        if let Some((name, token)) = statement.target {
            let Some(&slot) = self.labels.get(name) else {
                return self.error(token, format!("label `{name}` is not defined"));
            };
            if u32::from(slot) > layout::BRANCH_ADDR.max(self.isa) {
                return self.error(token, format!("slot {slot} is out of a branch's reach"));
            }
            inst.branch = slot;
        }
        let mut word = match inst.encode(self.isa) {
            Ok(word) => word,
            Err(field) => {
                return self.error(
                    statement.whole,
                    format!("this does not fit the field {field}"),
                );
            }
        };
        // A branch target lies over source 2: a vector operation that reads it must agree.
        if statement.fields.is_empty() && Inst::decode(self.isa, word).src != inst.src {
            return self.error(
                statement.whole,
                "the branch target overlays source 2, which the vector operation reads",
            );
        }
        for &(field, value) in &statement.fields {
            word = field.set(self.isa, word, value).unwrap_or(word);
        }
        Ok(Word(word.0 | statement.bits))
    }
}
