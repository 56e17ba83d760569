//! Rust source as tokens, as far as finding operators and operands needs it.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Name or keyword.
    Word,
    /// Integer literal.
    Int,
    /// Any other literal, or a lifetime.
    Literal,
    /// Opening bracket of any kind.
    Open,
    /// Closing bracket.
    Close,
    /// Operator or separator.
    Punct,
}

/// A token and where it is.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: &'a str,
    /// Its place in the file.
    pub at: Range<usize>,
    /// The bracket that belongs to a bracket.
    pub pair: usize,
    /// Written with white space on both sides, as rustfmt writes binary operators.
    pub spaced: bool,
}

const PUNCTS: [&str; 25] = [
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=",
    "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", "..", "#!",
];

/// Takes a file apart; comments are dropped.
pub fn tokens(source: &str) -> Vec<Token<'_>> {
    let bytes = source.as_bytes();
    let mut out: Vec<Token<'_>> = Vec::new();
    let mut open = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (kind, len) = token(rest);
        let blank = |i: usize| bytes.get(i).is_none_or(u8::is_ascii_whitespace);
        out.push(Token {
            kind,
            text: &rest[..len],
            at: at..at + len,
            pair: 0,
            spaced: at > 0 && blank(at - 1) && blank(at + len),
        });
        let this = out.len() - 1;
        if kind == Kind::Open {
            open.push(this);
        } else if kind == Kind::Close
            && let Some(other) = open.pop()
        {
            out[this].pair = other;
            out[other].pair = this;
        }
        at += len;
    }
    out
}

/// Kind and length of the token that `rest` starts with.
fn token(rest: &str) -> (Kind, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let run = |f: &dyn Fn(char) -> bool| rest.find(|c: char| !f(c)).unwrap_or(rest.len());
    let word = |c: char| c.is_alphanumeric() || c == '_';
    match first {
        '(' | '[' | '{' => (Kind::Open, 1),
        ')' | ']' | '}' => (Kind::Close, 1),
        '"' => (Kind::Literal, string(rest)),
        '\'' => (Kind::Literal, quote(rest)),
        c if c.is_ascii_digit() => number(rest),
        c if word(c) => (Kind::Word, run(&word)),
        _ => {
            let known = PUNCTS.iter().find(|p| rest.starts_with(**p));
            (Kind::Punct, known.map_or(first.len_utf8(), |p| p.len()))
        }
    }
}

fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return i + 1,
            _ => {}
        }
    }
    rest.len()
}

/// A character or a lifetime.
fn quote(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => rest[2..].find('\'').map_or(rest.len(), |i| i + 3),
        (Some(_), Some((i, '\''))) => i + 1,
        _ => {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            1 + rest[1..].find(|c| !word(c)).unwrap_or(rest.len() - 1)
        }
    }
}

fn number(rest: &str) -> (Kind, usize) {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut len = rest.find(|c| !word(c)).unwrap_or(rest.len());
    // A fraction, but neither a range nor a method.
    let tail = &rest[len..];
    let mut next = tail.chars().skip(1);
    let after = next.next();
    if tail.starts_with('.') && after != Some('.') && !after.is_some_and(char::is_alphabetic) {
        let more = tail[1..].find(|c| !word(c)).unwrap_or(tail.len() - 1);
        len += 1 + more;
        // An exponent's sign.
        if rest[..len].ends_with(['e', 'E']) && rest[len..].starts_with('-') {
            len += 1 + rest[len + 1..].find(|c| !word(c)).unwrap_or(0);
        }
        return (Kind::Literal, len);
    }
    // An exponent without a fraction; hexadecimal digits have none.
    let exponent = !rest.starts_with("0x") && rest[..len].ends_with('e');
    if exponent && tail.starts_with('-') {
        len += 1 + tail[1..].find(|c| !word(c)).unwrap_or(0);
        return (Kind::Literal, len);
    }
    let float = rest[..len].contains("f32") || rest[..len].contains("f64");
    if float && !rest.starts_with("0x") {
        return (Kind::Literal, len);
    }
    (Kind::Int, len)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).iter().map(|t| t.text).collect()
    }

    #[test]
    fn takes_apart() {
        assert_eq!(
            texts("a[0..=1] << 2; // no\n'x' 'life 1e-6 0x1e-6 2.5.min \"q\\\"\""),
            [
                "a",
                "[",
                "0",
                "..=",
                "1",
                "]",
                "<<",
                "2",
                ";",
                "'x'",
                "'life",
                "1e-6",
                "0x1e",
                "-",
                "6",
                "2.5",
                ".",
                "min",
                "\"q\\\"\""
            ]
        );
    }

    #[test]
    fn brackets_know_each_other() {
        let t = tokens("f(a, [1])");
        assert_eq!((t[1].pair, t[6].pair, t[4].pair), (7, 4, 6));
    }
}
