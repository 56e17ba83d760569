//! Walking over the tokens.

use super::super::error::AsmError;
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

    pub(super) fn text(&self, token: Token) -> &'a str {
        &self.source[token.start..token.end]
    }

    pub(super) fn error<T>(&self, token: Token, message: impl Into<String>) -> Result<T> {
        Err(AsmError::at(self.source, token.start, token.end, message))
    }

    pub(super) fn shown(&self, token: Token) -> String {
        match token.kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text(token)),
        }
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
        self.error(
            token,
            format!(
                "expected `{}`, found {}",
                char::from(punct),
                self.shown(token)
            ),
        )
    }

    pub(super) fn word(&mut self, what: &str) -> Result<(&'a str, Token)> {
        let token = self.next();
        if token.kind == Kind::Word {
            return Ok((self.text(token), token));
        }
        self.error(
            token,
            format!("expected {what}, found {}", self.shown(token)),
        )
    }

    /// A number up to `max`.
    pub(super) fn number(&mut self, max: u128, what: &str) -> Result<u128> {
        let token = self.next();
        match token.kind {
            Kind::Number(n) if n <= max => Ok(n),
            Kind::Number(n) => self.error(token, format!("{what} {n} is out of range: 0 … {max}")),
            _ => self.error(
                token,
                format!("expected {what}, found {}", self.shown(token)),
            ),
        }
    }
}
