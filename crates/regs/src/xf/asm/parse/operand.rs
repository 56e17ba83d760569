//! Operands: destinations, sources, masks, swizzles, conditions.

use super::super::lex::{Kind, Token};
use super::super::names;
use super::{Parser, Result, Shared};
use crate::xf::isa::inst::IDENTITY;
use crate::xf::isa::ops::CONDITIONS;
use crate::xf::isa::{Cond, Dst, Isa, Mux, Out, Src, Target, layout};

impl<'a> Parser<'a> {
    pub(super) fn destination(&mut self, shared: &mut Shared) -> Result<Dst> {
        let start = self.peek();
        let mut dst = Dst::default();
        loop {
            let (name, token) = self.word("a destination")?;
            if name == "_" {
                return Ok(dst);
            }
            if name.eq_ignore_ascii_case("CC") {
                dst.mask = self.mask()?;
            } else if let Some(reg) = register(name, 'R') {
                let max = layout::DST.max(self.isa).max(layout::DST_VEC.max(self.isa));
                if reg > max {
                    return self.error(token, format!("`{name}` is out of range: R0 … R{max}"));
                }
                dst.temp = Some(reg as u8);
                dst.mask = self.mask()?;
            } else {
                let out = self.output(name, token, shared)?;
                if shared.out.is_some_and(|other| other != out) {
                    return self.error(token, "an instruction writes one output row");
                }
                shared.out = Some(out);
                dst.out_mask = self.mask()?;
            }
            if !self.eat(b'&') {
                break;
            }
        }
        if self.isa == Isa::Curie && dst.out_mask != 0 {
            if dst.mask != 0 && dst.mask != dst.out_mask {
                return self.error(start, "both destinations take the same components");
            }
            dst.mask = dst.out_mask;
        }
        Ok(dst)
    }

    pub(super) fn output(&mut self, name: &str, token: Token, shared: &mut Shared) -> Result<Out> {
        if let Some(addr) = names::short_output(self.isa, name) {
            return Ok(Out {
                target: Target::Output,
                addr,
                indexed: false,
            });
        }
        let target = match name {
            "o" | "O" => Target::Output,
            "c" | "C" => Target::Ctx,
            _ => return self.error(token, format!("`{name}` is no destination")),
        };
        if target == Target::Ctx && !layout::OUT_TARGET.exists(self.isa) {
            return self.error(token, "this instruction set cannot write the context");
        }
        self.expect(b'[')?;
        let place = self.peek();
        let max = u128::from(layout::OUT_ADDR.max(self.isa));
        let out = if place.kind == Kind::Word {
            let word = self.text(place);
            match names::output_row(self.isa, word) {
                Some(addr) if target == Target::Output => {
                    self.at += 1;
                    Out {
                        target,
                        addr,
                        indexed: false,
                    }
                }
                _ if !layout::OUT_INDEXED.exists(self.isa) => {
                    return self.error(
                        place,
                        format!("`{word}` is no output of this instruction set"),
                    );
                }
                _ => {
                    let addr = self.address_operand()?;
                    self.share_address(shared, addr, place)?;
                    self.expect(b'+')?;
                    Out {
                        target,
                        addr: self.number(max, "output")? as u16,
                        indexed: true,
                    }
                }
            }
        } else {
            Out {
                target,
                addr: self.number(max, "row")? as u16,
                indexed: false,
            }
        };
        self.expect(b']')?;
        Ok(out)
    }

    /// `.xz`, `._` or nothing for all.
    pub(super) fn mask(&mut self) -> Result<u8> {
        if !self.eat(b'.') {
            return Ok(0b1111);
        }
        let (text, token) = self.word("a write mask")?;
        if text == "_" {
            return Ok(0);
        }
        let mut mask = 0;
        let mut last = 4;
        for c in text.chars() {
            let Some(i) = component(c).filter(|&i| last == 4 || i > last) else {
                return self.error(
                    token,
                    format!("`{text}` is no write mask: expected x, y, z, w in this order"),
                );
            };
            mask |= 8 >> i;
            last = i;
        }
        Ok(mask)
    }

    /// `.x`, `.xyzw` or nothing for the identity.
    pub(super) fn swizzle(&mut self) -> Result<[u8; 4]> {
        if !self.eat(b'.') {
            return Ok(IDENTITY);
        }
        let (text, token) = self.word("a swizzle")?;
        let picked: Option<Vec<u8>> = text
            .chars()
            .map(|c| component(c).map(|i| i as u8))
            .collect();
        match picked.as_deref() {
            Some(&[one]) => Ok([one; 4]),
            Some(&[x, y, z, w]) => Ok([x, y, z, w]),
            _ => self.error(
                token,
                format!("`{text}` is no swizzle: expected one or four of x, y, z, w"),
            ),
        }
    }

    pub(super) fn condition(&mut self, shared: &mut Shared) -> Result<()> {
        let open = self.expect(b'(')?;
        let (text, token) = self.word("a condition")?;
        if !layout::COND_ENABLE.exists(self.isa) {
            return self.error(open, "this instruction set has no conditions");
        }
        let upper = text.to_ascii_uppercase();
        let (name, reg) = match upper.strip_suffix('1') {
            Some(name) => (name, 1),
            None => (upper.strip_suffix('0').unwrap_or(&upper), 0),
        };
        let Some(test) = CONDITIONS.iter().position(|&c| c == name) else {
            return self.error(
                token,
                format!(
                    "`{text}` is no condition: expected one of {}",
                    CONDITIONS.join(", ")
                ),
            );
        };
        if reg != 0 && !layout::CSRCDST.exists(self.isa) {
            return self.error(token, "this instruction set has one condition register");
        }
        let cond = (
            Cond {
                test: test as u8,
                swz: self.swizzle()?,
            },
            reg,
        );
        self.expect(b')')?;
        if shared.cond.is_some_and(|other| other != cond) {
            return self.error(
                token,
                "the operations of a pair share one condition, and it differs",
            );
        }
        shared.cond = Some(cond);
        Ok(())
    }

    pub(super) fn source(&mut self, shared: &mut Shared) -> Result<Src> {
        let neg = self.eat(b'-');
        let bars = self.peek();
        let abs = self.eat(b'|');
        if abs && !layout::SRC0_ABS.exists(self.isa) {
            return self.error(bars, "this instruction set has no absolute value");
        }
        let (name, token) = self.word("a source")?;
        let (mux, reg) = match name {
            "v" | "V" => {
                let max = layout::IBUF_ADDR.max(self.isa);
                let indexed = layout::IBUF_INDEXED.exists(self.isa);
                let (row, indexed) = self.row(shared, max, indexed, names::input_row)?;
                let input = (row as u8, indexed);
                if shared.input.is_some_and(|other| other != input) {
                    return self.error(token, "an instruction reads one input row");
                }
                shared.input = Some(input);
                (Mux::Input, 0)
            }
            "c" | "C" => {
                let max = layout::XFCTX_ADDR.max(self.isa);
                let (row, indexed) = self.row(shared, max, true, |_| None)?;
                let ctx = (row as u16, indexed);
                if shared.ctx.is_some_and(|other| other != ctx) {
                    return self.error(token, "an instruction reads one context row");
                }
                shared.ctx = Some(ctx);
                (Mux::Ctx, 0)
            }
            _ => {
                let max = if self.isa == Isa::Curie { 63 } else { 15 };
                match register(name, 'R') {
                    Some(reg) if reg <= max => (Mux::Temp, reg as u8),
                    Some(_) => {
                        return self.error(token, format!("`{name}` is out of range: R0 … R{max}"));
                    }
                    None => {
                        return self.error(
                            token,
                            format!("`{name}` is no source: expected R, v[…] or c[…]"),
                        );
                    }
                }
            }
        };
        let swz = self.swizzle()?;
        if abs {
            self.expect(b'|')?;
        }
        Ok(Src {
            mux,
            reg,
            swz,
            abs,
            neg,
        })
    }

    /// `[5]`, `[NAME]` or `[A0.x + 5]`.
    pub(super) fn row(
        &mut self,
        shared: &mut Shared,
        max: u32,
        indexable: bool,
        by_name: impl Fn(&str) -> Option<u8>,
    ) -> Result<(u32, bool)> {
        self.expect(b'[')?;
        let place = self.peek();
        let mut indexed = false;
        let row = if place.kind == Kind::Word {
            if let Some(row) = by_name(self.text(place)) {
                self.at += 1;
                row.into()
            } else if !indexable {
                return self.error(place, format!("`{}` is no row here", self.text(place)));
            } else {
                indexed = true;
                let addr = self.address_operand()?;
                self.share_address(shared, addr, place)?;
                if self.eat(b'+') {
                    self.number(max.into(), "row")? as u32
                } else {
                    0
                }
            }
        } else {
            self.number(max.into(), "row")? as u32
        };
        self.expect(b']')?;
        Ok((row, indexed))
    }

    /// `name[n]`.
    pub(super) fn indexed_name(&mut self, name: &str, max: u128) -> Result<u32> {
        let (text, token) = self.word(name)?;
        if !text.eq_ignore_ascii_case(name) {
            return self.error(token, format!("expected `{name}[…]`, found `{text}`"));
        }
        self.expect(b'[')?;
        let n = self.number(max, name)? as u32;
        self.expect(b']')?;
        Ok(n)
    }

    pub(super) fn address_register(&mut self, max: u32) -> Result<u8> {
        let (name, token) = self.word("an address register")?;
        match register(name, 'A') {
            Some(reg) if reg <= max => Ok(reg as u8),
            Some(_) => self.error(token, format!("`{name}` is out of range: A0 … A{max}")),
            None => self.error(token, format!("`{name}` is no address register")),
        }
    }

    /// `A0.x` as it is read.
    pub(super) fn address_operand(&mut self) -> Result<(u8, u8)> {
        let reg = self.address_register(layout::ASRC.max(self.isa))?;
        let token = self.expect(b'.')?;
        let (text, _) = self.word("a component")?;
        let mut chars = text.chars();
        match (chars.next().and_then(component), chars.next()) {
            (Some(comp), None) if comp == 0 || layout::ASRC_SWZ.exists(self.isa) => {
                Ok((reg, comp as u8))
            }
            _ => self.error(
                token,
                format!("`.{text}` is no component of an address register"),
            ),
        }
    }

    pub(super) fn share_address(
        &self,
        shared: &mut Shared,
        addr: (u8, u8),
        place: Token,
    ) -> Result<()> {
        if shared.addr.is_some_and(|other| other != addr) {
            return self.error(place, "an instruction uses one address register component");
        }
        shared.addr = Some(addr);
        Ok(())
    }
}

/// The number after a register's letter.
fn register(name: &str, letter: char) -> Option<u32> {
    let digits = name
        .strip_prefix(letter)
        .or_else(|| name.strip_prefix(letter.to_ascii_lowercase()))?;
    digits
        .parse()
        .ok()
        .filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))
}

fn component(c: char) -> Option<usize> {
    "xyzw".find(c.to_ascii_lowercase())
}
