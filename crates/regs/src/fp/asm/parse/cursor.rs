//! Walking over the tokens.

use super::super::AsmError;
use super::super::lex::{Kind, Token};
use super::{Parser, Result};

impl<'a> Parser<'a> {
    pub(super) fn peek(&self) -> Token {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    pub(super) fn next(&mut self) -> Token {
        let token = self.peek();
        self.at += 1;
        token
    }

    /// The token behind the next one.
    pub(super) fn second_is(&self, punct: u8) -> bool {
        self.tokens
            .get(self.at + 1)
            .is_some_and(|t| t.kind == Kind::Punct(punct))
    }

    pub(super) fn text(&self, token: Token) -> &'a str {
        &self.source[token.start..token.end]
    }

    pub(super) fn error<T>(&self, token: Token, message: impl Into<String>) -> Result<T> {
        Err(AsmError::at(self.source, token.start, token.end, message))
    }

    /// `expected …, found …`.
    pub(super) fn expected<T>(&self, token: Token, what: &str) -> Result<T> {
        let found = match token.kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text(token)),
        };
        self.error(token, format!("expected {what}, found {found}"))
    }

    pub(super) fn is(&self, punct: u8) -> bool {
        self.peek().kind == Kind::Punct(punct)
    }

    pub(super) fn eat(&mut self, punct: u8) -> bool {
        let found = self.is(punct);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, punct: u8) -> Result<Token> {
        let token = self.next();
        if token.kind == Kind::Punct(punct) {
            return Ok(token);
        }
        self.expected(token, &format!("`{}`", char::from(punct)))
    }

    pub(super) fn word(&mut self, what: &str) -> Result<(&'a str, Token)> {
        let token = self.next();
        if token.kind == Kind::Word {
            return Ok((self.text(token), token));
        }
        self.expected(token, what)
    }

    /// A whole number up to `max`.
    pub(super) fn number(&mut self, max: u32, what: &str) -> Result<u32> {
        let token = self.next();
        if token.kind != Kind::Number {
            return self.expected(token, what);
        }
        let text = self.text(token);
        let value = match hex_digits(text) {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        match value {
            Some(n) if n <= u64::from(max) => Ok(n as u32),
            Some(n) => self.error(token, format!("{what} {n} is out of range: 0 … {max}")),
            None => self.expected(token, &format!("{what}, a whole number")),
        }
    }

    /// A component of a constant: a decimal number, or its bits in hexadecimal.
    pub(super) fn float_bits(&mut self) -> Result<u32> {
        let minus = self.eat(b'-');
        let token = self.next();
        let text = self.text(token);
        if token.kind == Kind::Number {
            if let (Some(digits), false) = (hex_digits(text), minus) {
                if let Ok(bits) = u32::from_str_radix(digits, 16) {
                    return Ok(bits);
                }
            } else if let Ok(value) = text.parse::<f32>() {
                if value.is_finite() {
                    return Ok(if minus { -value } else { value }.to_bits());
                }
                return self.error(token, format!("{text} is too large for 32 bits"));
            }
        }
        self.expected(token, "a number such as 0.5, or 32 bits such as 0x3f000000")
    }
}

fn hex_digits(text: &str) -> Option<&str> {
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
}
