//! Text to words.

mod cursor;
mod flow;
mod operand;

use super::lex::{Kind, Token, lex};
use super::{AsmError, extra, names, usual};
use crate::Family;
use crate::fp::inst::Inst;
use crate::fp::layout::{self, Field};
use crate::fp::ops::Op;
use flow::{Block, Target};
use operand::Input;
use std::collections::HashMap;

type Result<T, E = AsmError> = core::result::Result<T, E>;

/// Words and the instruction set they are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// Rankine or Curie.
    pub family: Family,
    /// Instructions and constants.
    pub words: Vec<u32>,
}

/// Assembles a program of this family; a header of another one is an error.
pub fn assemble(family: Family, source: &str) -> Result<Vec<u32>> {
    let mut parser = Parser::new(source, family)?;
    let token = parser.peek();
    let found = parser.header()?;
    if found.is_some_and(|found| found != family) {
        let expected = names::header(family);
        return parser.expected(token, &format!("`{expected}`"));
    }
    parser.program()
}

/// Assembles; the header line names the instruction set, and without one
/// `default` is taken.
pub fn assemble_any(source: &str, default: Option<Family>) -> Result<Assembled> {
    let mut parser = Parser::new(source, default.unwrap_or(Family::Rankine))?;
    let token = parser.peek();
    match parser.header()?.or(default) {
        Some(family) => parser.family = family,
        None => return parser.expected(token, "`!!FP1.0` (Rankine) or `!!FP2.0` (Curie) first"),
    }
    Ok(Assembled {
        family: parser.family,
        words: parser.program()?,
    })
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    at: usize,
    family: Family,
    words: Vec<u32>,
    /// First word of the last instruction.
    last: Option<usize>,
    labels: HashMap<&'a str, u32>,
    /// Blocks that are open.
    blocks: Vec<Block>,
    /// Fields that wait for a label: the instruction's first word and the name.
    waiting: Vec<(usize, Field, Token)>,
}

/// What the operands of one instruction agree on so far.
#[derive(Default)]
struct Shared {
    input: Option<Input>,
    constant: Option<[u32; 4]>,
}

/// The fields in braces.
#[derive(Default)]
struct Extra {
    fields: Vec<(&'static Field, u32)>,
    bits: [u32; 4],
}

impl<'a> Parser<'a> {
    fn new(source: &'a str, family: Family) -> Result<Parser<'a>> {
        Ok(Parser {
            source,
            tokens: lex(source)?,
            at: 0,
            family,
            words: Vec::new(),
            last: None,
            labels: HashMap::new(),
            blocks: Vec::new(),
            waiting: Vec::new(),
        })
    }

    fn header(&mut self) -> Result<Option<Family>> {
        let token = self.peek();
        if token.kind != Kind::Header {
            return Ok(None);
        }
        self.at += 1;
        let text = self.text(token);
        match names::HEADERS.iter().find(|(name, _)| *name == text) {
            Some(&(_, family)) => Ok(Some(family)),
            None => self.expected(token, "`!!FP1.0` (Rankine) or `!!FP2.0` (Curie)"),
        }
    }

    fn program(mut self) -> Result<Vec<u32>> {
        loop {
            let token = self.peek();
            match token.kind {
                Kind::End => break,
                Kind::Punct(b'.') => self.data()?,
                Kind::Word if self.second_is(b':') => self.label()?,
                Kind::Word if self.text(token).eq_ignore_ascii_case("END") => self.end()?,
                Kind::Word if self.closes_block()? => {}
                _ => self.instruction()?,
            }
        }
        if let Some(open) = self.blocks.last() {
            let message = format!("expected `{}` before the end of the text", open.closer());
            return self.error(open.token, message);
        }
        self.resolve()?;
        Ok(self.words)
    }

    /// `.word 0x…`: a word as it is.
    fn data(&mut self) -> Result<()> {
        self.expect(b'.')?;
        let (name, token) = self.word("`.word`")?;
        if !name.eq_ignore_ascii_case("word") {
            return self.expected(token, "`.word`");
        }
        let word = self.number(u32::MAX, "a word")?;
        self.words.push(word);
        Ok(())
    }

    fn label(&mut self) -> Result<()> {
        let (name, token) = self.word("a label")?;
        self.expect(b':')?;
        let here = self.here();
        if self.labels.insert(name, here).is_some() {
            return self.error(token, format!("label `{name}` is already defined"));
        }
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        let token = self.next();
        let Some(last) = self.last else {
            return self.error(token, "END marks the instruction before it; there is none");
        };
        self.put(last, layout::END, 1);
        Ok(())
    }

    /// Offset of the next word.
    fn here(&self) -> u32 {
        self.words.len() as u32
    }

    /// Sets a field of the instruction whose first word is given.
    fn put(&mut self, at: usize, field: Field, value: u32) {
        let place = at + usize::from(field.place(self.family).0);
        let mut four = [self.words[place]; 4];
        field.put(self.family, &mut four, value);
        self.words[place] = four[usize::from(field.place(self.family).0)];
    }

    fn instruction(&mut self) -> Result<()> {
        let (name, token) = self.word("an operation")?;
        let name = match names::take_apart(self.family, name) {
            Ok(name) => name,
            Err(message) => return self.error(token, message),
        };
        let op = name.op.unwrap_or(Op::Nop);
        let mut inst = usual::template(self.family, op, name.branch);
        let mut shared = Shared::default();
        let mut targets = Vec::new();
        if names::has_result(op, name.branch) {
            self.result(name, &mut inst, &mut shared)?;
        } else {
            if name.branch {
                targets = self.flow_operands(&mut inst)?;
            }
            if usual::says_condition(op, name.branch) {
                (inst.cond, inst.cond_swizzle) = self.condition()?;
            }
        }
        let extra = self.extra(&inst, &mut shared)?;
        let last = self.expect(b';')?;
        let whole = Token {
            kind: Kind::End,
            start: token.start,
            end: last.end,
        };
        self.emit(&inst, &extra, shared.constant, whole)?;
        self.aim(op, token, &targets);
        Ok(())
    }

    /// The operands of an operation that writes something.
    fn result(&mut self, name: names::Name, inst: &mut Inst, shared: &mut Shared) -> Result<()> {
        (inst.out, inst.mask) = self.destination()?;
        inst.precision = name.precision.unwrap_or(names::natural(inst.out));
        (inst.cc_write, inst.sat) = (name.cc_write, name.sat);
        (inst.scale, inst.expand) = (name.scale, name.expand);
        (inst.cond, inst.cond_swizzle) = self.condition()?;
        for src in &mut inst.src[..inst.op.sources()] {
            self.expect(b',')?;
            *src = self.source_operand(shared)?;
        }
        if inst.op.is_texture() {
            inst.unit = self.texture()?;
        }
        let input = shared.input.unwrap_or_default();
        (inst.input, inst.input_precision) = (input.number, input.precision);
        (inst.indexed_input, inst.address_index) = (input.indexed, input.add);
        Ok(())
    }

    /// `{SRC1_REG=0x6, BITS2=0x200000, c[1, 0, 0, 0]}`.
    fn extra(&mut self, inst: &Inst, shared: &mut Shared) -> Result<Extra> {
        let mut extra = Extra::default();
        if !self.eat(b'{') {
            return Ok(extra);
        }
        loop {
            let (name, token) = self.word("a field name")?;
            if name.eq_ignore_ascii_case("c") {
                self.constant(token, shared)?;
            } else {
                self.expect(b'=')?;
                self.extra_field(inst, name, token, &mut extra)?;
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(extra)
    }

    fn extra_field(
        &mut self,
        inst: &Inst,
        name: &str,
        token: Token,
        extra: &mut Extra,
    ) -> Result<()> {
        let bits = |n: &&str| n.eq_ignore_ascii_case(name);
        if let Some(i) = extra::BITS.iter().position(bits) {
            let place = self.peek();
            extra.bits[i] = self.number(u32::MAX, "bits")?;
            let spare = extra::spare(self.family, inst)[i];
            if extra.bits[i] & !spare != 0 {
                let message = format!("expected bits that belong to no field: of {spare:#x}");
                return self.error(place, message);
            }
            return Ok(());
        }
        let found = extra::fields(inst)
            .find(|f| f.name.eq_ignore_ascii_case(name) && f.exists(self.family))
            .filter(|f| **f != layout::IS_BRANCH && **f != layout::OPCODE);
        let Some(field) = found else {
            return self.expected(token, "a field that this instruction has");
        };
        let value = self.number(field.max(self.family), name)?;
        extra.fields.push((field, value));
        Ok(())
    }

    /// Makes the words of an instruction and of its constant.
    fn emit(
        &mut self,
        inst: &Inst,
        extra: &Extra,
        constant: Option<[u32; 4]>,
        whole: Token,
    ) -> Result<()> {
        let mut words = inst.encode(self.family);
        for (field, value) in &extra.fields {
            field.put(self.family, &mut words, *value);
        }
        for (word, bits) in words.iter_mut().zip(extra.bits) {
            *word |= bits;
        }
        let made = Inst::decode(self.family, 0, words);
        match (made.has_constant(), constant) {
            (true, None) => {
                return self.error(whole, "expected `c[…]`: a source has the constant's type");
            }
            (false, Some(_)) => {
                return self.error(
                    whole,
                    "no source has the constant's type: expected no `c[…]`",
                );
            }
            _ => {}
        }
        self.last = Some(self.words.len());
        self.words.extend(words);
        self.words.extend(constant.into_iter().flatten());
        Ok(())
    }

    /// Fills in the labels.
    fn resolve(&mut self) -> Result<()> {
        for (at, field, token) in core::mem::take(&mut self.waiting) {
            let name = self.text(token);
            let Some(&target) = self.labels.get(name) else {
                return self.error(token, format!("label `{name}` is not defined"));
            };
            self.put(at, field, target);
        }
        Ok(())
    }

    /// Remembers what an instruction's offsets wait for.
    fn aim(&mut self, op: Op, token: Token, targets: &[(Field, Target)]) {
        let at = self.last.unwrap_or_default();
        for &(field, target) in targets {
            match target {
                Target::Label(name) => self.waiting.push((at, field, name)),
                Target::Offset(offset) => self.put(at, field, offset),
            }
        }
        if targets.is_empty() {
            self.open_block(op, token, at);
        }
    }
}
