//! Operands: destinations, sources, masks, swizzles, conditions.

use super::super::lex::{Kind, Token};
use super::super::names;
use super::{Parser, Result, Shared};
use crate::fp::inst::{Cond, IDENTITY, Precision, Reg, Source, Src};
use crate::fp::layout;

/// Which input, how: number, precision, through the address register, addend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Input {
    pub number: u8,
    pub precision: Precision,
    pub indexed: bool,
    pub add: u16,
}

impl Parser<'_> {
    /// `R0.xyz`, `H0`, `RC.x`, `_` or `o[COLR]`.
    pub(super) fn destination(&mut self) -> Result<(Option<Reg>, u8)> {
        let (name, token) = self.word("a destination")?;
        let out = if name == "_" || name.eq_ignore_ascii_case("RC") {
            None
        } else if name.eq_ignore_ascii_case("o") {
            self.expect(b'[')?;
            let (name, token) = self.word("an output")?;
            self.expect(b']')?;
            match names::output(name) {
                Some(reg) => Some(reg),
                None => return self.expected(token, "the output COLR, COLH or DEPR"),
            }
        } else {
            Some(self.register(
                name,
                token,
                "a destination: R0 …, H0 …, RC, o[COLR], o[COLH], o[DEPR] or _",
            )?)
        };
        Ok((out, self.mask()?))
    }

    fn register(&self, name: &str, token: Token, what: &str) -> Result<Reg> {
        let digits = name.get(1..).unwrap_or_default();
        let half = match name.as_bytes().first() {
            Some(b'R' | b'r') => Some(false),
            Some(b'H' | b'h') => Some(true),
            _ => None,
        };
        let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let (Some(half), true) = (half, all_digits) else {
            return self.expected(token, what);
        };
        let max = layout::OUT_REG.max(self.family);
        match digits.parse::<u32>() {
            Ok(index) if index <= max => Ok(Reg {
                index: index as u8,
                half,
            }),
            _ => self.error(token, format!("`{name}` is out of range: 0 … {max}")),
        }
    }

    /// `.xz`, `._` or nothing for all.
    fn mask(&mut self) -> Result<u8> {
        if !self.eat(b'.') {
            return Ok(0b1111);
        }
        let (text, token) = self.word("a write mask")?;
        if text == "_" {
            return Ok(0);
        }
        let mut mask = 0u8;
        for c in text.chars() {
            // Each letter above those that came.
            match component(c).filter(|&i| mask >> i == 0) {
                Some(i) => mask |= 1 << i,
                None => return self.expected(token, "a write mask: x, y, z, w in this order"),
            }
        }
        Ok(mask)
    }

    /// `.x`, `.xyzw` or nothing for the identity.
    fn swizzle(&mut self) -> Result<[u8; 4]> {
        if !self.eat(b'.') {
            return Ok(IDENTITY);
        }
        let (text, token) = self.word("a swizzle")?;
        let picked: Option<Vec<u8>> = text.chars().map(component).collect();
        match picked.as_deref() {
            Some(&[one]) => Ok([one; 4]),
            Some(&[x, y, z, w]) => Ok([x, y, z, w]),
            _ => self.expected(token, "a swizzle: one or four of x, y, z, w"),
        }
    }

    /// `(GT.x)`, or nothing for always.
    pub(super) fn condition(&mut self) -> Result<(Cond, [u8; 4])> {
        if !self.eat(b'(') {
            return Ok((Cond::Tr, IDENTITY));
        }
        let (name, token) = self.word("a condition")?;
        let Some(cond) = names::condition(name) else {
            let all = names::CONDITIONS.join(", ");
            return self.expected(token, &format!("a condition: one of {all}"));
        };
        let swizzle = self.swizzle()?;
        self.expect(b')')?;
        Ok((cond, swizzle))
    }

    pub(super) fn source_operand(&mut self, shared: &mut Shared) -> Result<Src> {
        let neg = self.eat(b'-');
        let abs = self.eat(b'|');
        let (name, token) = self.word("a source")?;
        let source = match name.to_ascii_lowercase().as_str() {
            file @ ("f" | "fh" | "fx") => {
                let input = self.input(file)?;
                if shared.input.is_some_and(|other| other != input) {
                    return self.error(token, "an instruction reads one input");
                }
                shared.input = Some(input);
                Source::Input
            }
            "c" => {
                self.constant(token, shared)?;
                Source::Const
            }
            "unk" => Source::Unknown,
            _ => Source::Temp(self.register(name, token, "a source: R0 …, H0 …, f[…] or c[…]")?),
        };
        let swizzle = self.swizzle()?;
        if abs {
            self.expect(b'|')?;
        }
        Ok(Src {
            source,
            swizzle,
            neg,
            abs,
        })
    }

    /// `[TEX0]`, `[15]`, `[A0 + 3]`.
    fn input(&mut self, file: &str) -> Result<Input> {
        let precision = match file {
            "fh" => Precision::Half,
            "fx" => Precision::Fixed,
            _ => Precision::Full,
        };
        let mut input = Input {
            precision,
            ..Input::default()
        };
        self.expect(b'[')?;
        let token = self.peek();
        let name = self.text(token);
        if token.kind == Kind::Number {
            let max = layout::INPUT_SRC.max(self.family);
            input.number = self.number(max, "input")? as u8;
        } else if name.eq_ignore_ascii_case("A0") {
            self.at += 1;
            input.indexed = true;
            if self.eat(b'+') {
                let max = layout::ADDR_INDEX.max(self.family);
                input.add = self.number(max, "addend")? as u16;
            }
        } else if let Some(number) = names::input(self.family, name) {
            self.at += 1;
            input.number = number;
        } else {
            let family = names::family_name(self.family);
            return self.expected(token, &format!("an input of {family} such as COL0 or TEX3"));
        }
        self.expect(b']')?;
        Ok(input)
    }

    /// `[0.5, 0x3f800000, 0, 1]` behind its `c`.
    pub(super) fn constant(&mut self, at: Token, shared: &mut Shared) -> Result<()> {
        self.expect(b'[')?;
        let mut words = [0; 4];
        for (i, word) in words.iter_mut().enumerate() {
            if i != 0 {
                self.expect(b',')?;
            }
            *word = self.float_bits()?;
        }
        self.expect(b']')?;
        if shared.constant.is_some_and(|other| other != words) {
            return self.error(at, "an instruction reads one constant");
        }
        shared.constant = Some(words);
        Ok(())
    }

    /// `, TEX2` and perhaps the specification's target behind it, which the
    /// instruction does not hold: the texture's own state does.
    pub(super) fn texture(&mut self) -> Result<u8> {
        const TARGETS: [&str; 5] = ["1D", "2D", "3D", "CUBE", "RECT"];
        self.expect(b',')?;
        let max = layout::TEX_UNIT.max(self.family);
        let (name, token) = self.word("a texture unit")?;
        let number = name
            .get(..3)
            .filter(|tex| tex.eq_ignore_ascii_case("TEX"))
            .and_then(|_| name[3..].parse::<u32>().ok())
            .filter(|&unit| unit <= max);
        let Some(unit) = number else {
            return self.expected(token, &format!("a texture unit: TEX0 … TEX{max}"));
        };
        if self.eat(b',') {
            let token = self.next();
            let target = self.text(token);
            if !TARGETS.iter().any(|t| t.eq_ignore_ascii_case(target)) {
                return self.expected(token, &format!("one of {}", TARGETS.join(", ")));
            }
        }
        Ok(unit as u8)
    }
}

fn component(c: char) -> Option<u8> {
    "xyzw"
        .find(c.to_ascii_lowercase())
        .map(|component| component as u8)
}
