//! Text to tokens.

use super::AsmError;

/// A token's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word: letters, digits, `_`.
    Word,
    /// Begins with a digit: `12`, `0x1f`, `0.5`, `1e-20`.
    Number,
    /// `!!FP1.0` and the like.
    Header,
    /// One of `, ; : . [ ] ( ) { } + - | =`.
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

/// The end of the run of bytes from `from` on that pass.
fn run(bytes: &[u8], from: usize, test: impl Fn(u8) -> bool) -> usize {
    bytes[from..]
        .iter()
        .position(|&b| !test(b))
        .map_or(bytes.len(), |n| from + n)
}

/// The end of a number: digits, a point with digits behind it, an exponent
/// with its sign.
fn number_end(bytes: &[u8], start: usize) -> usize {
    let mut end = run(bytes, start, is_word);
    let digit_at = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if bytes.get(end) == Some(&b'.') && digit_at(end + 1) {
        end = run(bytes, end + 1, is_word);
    }
    let hex = bytes[start..end].starts_with(b"0x") || bytes[start..end].starts_with(b"0X");
    let exponent = !hex && matches!(bytes[end - 1], b'e' | b'E');
    if exponent && matches!(bytes.get(end), Some(b'+' | b'-')) && digit_at(end + 1) {
        end = run(bytes, end + 1, is_word);
    }
    end
}

/// All tokens, with an `End` at the end.
pub(super) fn lex(source: &str) -> Result<Vec<Token>, AsmError> {
    let bytes = source.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let after = bytes.get(at + 1).copied();
        let kind = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                continue;
            }
            b'#' => {
                at = run(bytes, at, |b| b != b'\n');
                continue;
            }
            b'/' if after == Some(b'/') => {
                at = run(bytes, at, |b| b != b'\n');
                continue;
            }
            b'!' if after == Some(b'!') => {
                at = run(bytes, at + 2, |b| is_word(b) || b == b'.');
                Kind::Header
            }
            b'0'..=b'9' => {
                at = number_end(bytes, at);
                Kind::Number
            }
            _ if is_word(byte) => {
                at = run(bytes, at, is_word);
                Kind::Word
            }
            b',' | b';' | b':' | b'.' | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'+' | b'-'
            | b'|' | b'=' => {
                at += 1;
                Kind::Punct(byte)
            }
            _ => {
                let c = source[start..].chars().next().unwrap_or(' ');
                let end = start + c.len_utf8();
                let message = format!("unexpected character `{c}`");
                return Err(AsmError::at(source, start, end, message));
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
