//! Text to tokens.

use super::error::AsmError;

/// A token's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word: letters, digits, `_`.
    Word,
    /// A number, decimal or `0x…`.
    Number(u128),
    /// `!!VP1.1` and the like.
    Header,
    /// One of `, ; : . [ ] ( ) { } + - | & = !`.
    Punct(u8),
    /// End of text.
    End,
}

/// A token with its place in the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// All tokens, with an `End` at the end.
pub(super) fn lex(source: &str) -> Result<Vec<Token>, AsmError> {
    let bytes = source.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let run = |from: usize, test: &dyn Fn(u8) -> bool| {
        bytes[from..]
            .iter()
            .position(|&b| !test(b))
            .map_or(bytes.len(), |n| from + n)
    };
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let kind = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                continue;
            }
            b'#' => {
                at = run(at, &|b| b != b'\n');
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = run(at, &|b| b != b'\n');
                continue;
            }
            b'!' if bytes.get(at + 1) == Some(&b'!') => {
                at = run(at + 2, &|b| is_word(b) || b == b'.');
                Kind::Header
            }
            b'0'..=b'9' => {
                at = run(at, &is_word);
                Kind::Number(number(source, start, at)?)
            }
            _ if is_word(byte) => {
                at = run(at, &is_word);
                Kind::Word
            }
            b',' | b';' | b':' | b'.' | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'+' | b'-'
            | b'|' | b'&' | b'=' | b'!' => {
                at += 1;
                Kind::Punct(byte)
            }
            _ => {
                let c = source[start..].chars().next().unwrap_or(' ');
                return Err(AsmError::at(
                    source,
                    start,
                    start + c.len_utf8(),
                    format!("unexpected character `{c}`"),
                ));
            }
        };
        tokens.push(Token {
            kind,
            start,
            end: at,
        });
    }
    tokens.push(Token {
        kind: Kind::End,
        start: bytes.len(),
        end: bytes.len(),
    });
    Ok(tokens)
}

fn number(source: &str, start: usize, end: usize) -> Result<u128, AsmError> {
    let text = &source[start..end];
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let value = match hex {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    value.map_err(|_| AsmError::at(source, start, end, format!("`{text}` is not a number")))
}
