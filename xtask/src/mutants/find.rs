//! Finding what can be changed in a source file.

use super::tokens::{Kind, Token, tokens};
use anyhow::{Context, Result};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One change of one file.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The file.
    pub file: PathBuf,
    /// The line of what changes, from 1.
    pub line: usize,
    /// First and last line of what is replaced.
    pub lines: (usize, usize),
    /// What is replaced.
    pub at: Range<usize>,
    /// As it is.
    before: String,
    /// As it becomes.
    after: String,
    /// The change in a few words.
    pub what: String,
    /// The line that it is on, without the indent.
    pub text: String,
}

impl Mutant {
    /// Do two changes touch the same text?
    pub fn overlaps(&self, other: &Mutant) -> bool {
        self.file == other.file && self.at.start < other.at.end && other.at.start < self.at.end
    }

    /// The text behind its switch; as many lines as before.
    pub fn switched(&self, number: usize, lines: usize) -> String {
        format!(
            "(if crate::mutants::on({number}) {{ {} }} else {{ {} }}){}",
            self.after,
            self.before,
            "\n".repeat(lines)
        )
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        write!(f, "{file}:{}: {}: `{}`", self.line, self.what, self.before)
    }
}

/// All changes of the files of a crate, or of one of its modules (`crate/module`).
pub fn in_module(place: &str) -> Result<Vec<Mutant>> {
    let (package, module) = place.split_once('/').unwrap_or((place, ""));
    let root = &Path::new("crates").join(package).join("src");
    let mut files = Vec::new();
    let single = root.join(module).with_extension("rs");
    if single.is_file() {
        files.push(single);
    }
    collect(&root.join(module), &mut files)?;
    files.sort();
    let mut out = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        out.extend(in_file(&file, &source));
    }
    Ok(out)
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries {
        let path = entry?.path();
        // The choice of vector instructions must not show, and what only measures is no unit.
        let apart = ["tests", "simd", "bench", "level_check", "level", "random"];
        let skipped = path
            .file_stem()
            .is_some_and(|stem| apart.iter().any(|name| stem == *name));
        if skipped {
            continue;
        }
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
    Ok(())
}

/// All changes of a file.
pub fn in_file(file: &Path, source: &str) -> Vec<Mutant> {
    let end = source.find("#[cfg(test)]").unwrap_or(source.len());
    let tokens = tokens(&source[..end]);
    let expression = expressions(&tokens);
    let mut out = Vec::new();
    for i in 0..tokens.len() {
        if !expression[i] {
            continue;
        }
        let Some((left, right, after, what)) = change(&tokens, i) else {
            continue;
        };
        let line = |at: usize| source[..at].matches('\n').count() + 1;
        let at = tokens[left].at.start..tokens[right].at.end;
        out.push(Mutant {
            file: file.to_owned(),
            line: line(tokens[i].at.start),
            lines: (line(at.start), line(at.end)),
            at,
            before: join(&tokens[left..=right], None),
            after: join(&tokens[left..=right], Some((i - left, &after))),
            what,
            text: whole_line(source, tokens[i].at.start).into(),
        });
    }
    out
}

/// The line around a place, without white space around it.
fn whole_line(source: &str, at: usize) -> &str {
    let start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = source[at..].find('\n').map_or(source.len(), |len| at + len);
    source[start..end].trim()
}

/// Tokens as text, perhaps with one of them replaced.
fn join(tokens: &[Token<'_>], replaced: Option<(usize, &str)>) -> String {
    let mut out = String::new();
    for (i, t) in tokens.iter().enumerate() {
        // As close together as they were.
        if i > 0 && tokens[i - 1].at.end != t.at.start {
            out.push(' ');
        }
        match replaced {
            Some((at, text)) if at == i => out.push_str(text),
            _ => out.push_str(t.text),
        }
    }
    out
}

const SWAPS: [(&str, &str); 22] = [
    ("==", "!="),
    ("!=", "=="),
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("/", "*"),
    ("%", "/"),
    ("<<", ">>"),
    (">>", "<<"),
    ("&", "|"),
    ("|", "&"),
    ("^", "|"),
    ("&&", "||"),
    ("||", "&&"),
    ("+=", "-="),
    ("-=", "+="),
    ("|=", "&="),
    ("&=", "|="),
];

/// First and last token of what is replaced, the new text of token `i`, and words
/// for it.
fn change(tokens: &[Token<'_>], i: usize) -> Option<(usize, usize, String, String)> {
    let t = &tokens[i];
    let said = |new: &str| format!("`{}` becomes `{new}`", t.text);
    match t.kind {
        Kind::Int => {
            let before = i.checked_sub(1).map_or("", |k| tokens[k].text);
            let after = tokens.get(i + 1).map_or("", |t| t.text);
            // A tuple's field, an array's length, a generic argument.
            if before == "." || before == "<" || before == ";" && after == "]" {
                return None;
            }
            // What an array is filled with first; nearly always it is overwritten.
            if before == "[" && after == ";" {
                return None;
            }
            let digits = t.text.replace('_', "");
            let (radix, digits) = match digits.strip_prefix("0x") {
                Some(hex) => (16, hex.to_owned()),
                None => (10, digits),
            };
            let value = u64::from_str_radix(&digits, radix).ok()?;
            // Down where the value is even and not 0, else up.
            let new = if value > 0 && value % 2 == 0 {
                value - 1
            } else {
                value + 1
            };
            Some((i, i, new.to_string(), said(&new.to_string())))
        }
        Kind::Word if t.text == "true" => Some((i, i, "false".into(), said("false"))),
        Kind::Word if t.text == "false" => Some((i, i, "true".into(), said("true"))),
        Kind::Word if matches!(t.text, "min" | "max") => {
            let call = tokens.get(i + 1).is_some_and(|t| t.text == "(");
            if i < 2 || tokens[i - 1].text != "." || !call {
                return None;
            }
            let new = if t.text == "min" { "max" } else { "min" };
            Some((
                chain(tokens, i - 2),
                tokens[i + 1].pair,
                new.into(),
                said(new),
            ))
        }
        Kind::Punct if t.spaced && i > 0 && ends_operand(&tokens[i - 1]) => {
            let (_, new) = SWAPS.iter().find(|(old, _)| *old == t.text)?;
            let (left, right) = operands(tokens, i)?;
            Some((left, right, (*new).into(), said(new)))
        }
        _ => None,
    }
}

/// Can an operand end with this token?
fn ends_operand(t: &Token<'_>) -> bool {
    match t.kind {
        Kind::Close | Kind::Int | Kind::Literal => true,
        Kind::Word => !KEYWORDS.contains(&t.text),
        _ => t.text == "?",
    }
}

const KEYWORDS: [&str; 12] = [
    "return", "if", "while", "match", "in", "let", "else", "move", "mut", "break", "unsafe", "loop",
];

/// The first token of the chain of fields and calls that ends with token `i`.
fn chain(tokens: &[Token<'_>], mut i: usize) -> usize {
    loop {
        if tokens[i].kind == Kind::Close {
            i = tokens[i].pair;
            // A call or an index: what it belongs to is before it.
            let before = i.checked_sub(1).map(|k| &tokens[k]);
            let attached =
                before.is_some_and(|t| t.at.end == tokens[i].at.start && ends_operand(t));
            if attached && tokens[i].text != "{" {
                i -= 1;
                continue;
            }
        }
        let link = i >= 2 && matches!(tokens[i - 1].text, "." | "::");
        if !link {
            return i;
        }
        i -= 2;
    }
}

/// How tightly a binary operator binds.
fn binds(t: &Token<'_>) -> Option<u8> {
    Some(match t.text {
        "*" | "/" | "%" => 11,
        "+" | "-" => 10,
        "<<" | ">>" => 9,
        "&" => 8,
        "^" => 7,
        "|" => 6,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 5,
        "&&" => 4,
        "||" => 3,
        ".." | "..=" => 2,
        "=" | "+=" | "-=" | "*=" | "/=" | "|=" | "&=" | "^=" | "<<=" | ">>=" => 1,
        _ => return None,
    })
}

/// First and last token of `left op right`, as the operators bind.
fn operands(tokens: &[Token<'_>], i: usize) -> Option<(usize, usize)> {
    let strength = binds(&tokens[i])?;
    let binary = |k: usize| {
        let ranged = matches!(tokens[k].text, ".." | "..=");
        let infix = tokens[k].spaced && k > 0 && ends_operand(&tokens[k - 1]);
        (ranged || infix).then(|| binds(&tokens[k])).flatten()
    };
    let stops = |t: &Token<'_>| {
        matches!(t.text, "," | ";" | "=>" | "{" | "}" | "(" | "[" | ")" | "]")
            || t.kind == Kind::Word && KEYWORDS.contains(&t.text) && t.text != "mut"
    };
    let mut left = i;
    while left > 0 {
        let k = left - 1;
        let t = &tokens[k];
        if t.kind == Kind::Close && t.text != "}" {
            left = t.pair;
            continue;
        }
        // The parameters of a closure end with an unspaced stroke.
        let closure = t.text == "|" && binary(k).is_none() || t.text == "||" && !t.spaced;
        if stops(t) || closure || binary(k).is_some_and(|s| s < strength) {
            break;
        }
        left = k;
    }
    let mut right = i;
    while right + 1 < tokens.len() {
        let k = right + 1;
        let t = &tokens[k];
        if matches!(t.text, "if" | "match" | "unsafe" | "loop" | "|") && k == i + 1 {
            return None;
        }
        if t.kind == Kind::Open && t.text != "{" {
            right = t.pair;
            continue;
        }
        if stops(t) || binary(k).is_some_and(|s| s <= strength) {
            break;
        }
        right = k;
    }
    (left < i && right > i).then_some((left, right))
}

/// Which tokens belong to expressions: no types, patterns, items, macros.
fn expressions(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut out = vec![false; tokens.len()];
    walk(tokens, 0..tokens.len(), &mut out);
    out
}

/// The first token from `i` on, outside of brackets, that is one of `ends`.
fn until(tokens: &[Token<'_>], mut i: usize, end: usize, ends: &[&str]) -> usize {
    while i < end && !ends.contains(&tokens[i].text) {
        i = if tokens[i].kind == Kind::Open {
            tokens[i].pair
        } else {
            i
        } + 1;
    }
    i
}

fn walk(tokens: &[Token<'_>], range: Range<usize>, out: &mut [bool]) {
    let mut i = range.start;
    let mut arms = None;
    while i < range.end {
        let t = &tokens[i];
        let next = tokens.get(i + 1).map_or("", |t| t.text);
        i = match t.text {
            "#" | "#!" if next == "[" => tokens[i + 1].pair + 1,
            "struct" | "enum" | "union" | "trait" => {
                let body = until(tokens, i, range.end, &["{", ";"]);
                if tokens.get(body).is_some_and(|t| t.text == "{") {
                    tokens[body].pair + 1
                } else {
                    body + 1
                }
            }
            "const" if next == "fn" => i + 1,
            "const" if next == "{" => tokens[i + 1].pair + 1,
            "use" | "const" | "static" | "type" => until(tokens, i, range.end, &[";"]) + 1,
            "impl" | "mod" | "fn" => until(tokens, i, range.end, &["{", ";"]),
            "let" => until(tokens, i, range.end, &["=", ";"]),
            "for" => until(tokens, i, range.end, &["in"]),
            "match" => {
                out[i] = true;
                let body = until(tokens, i + 1, range.end, &["{"]);
                arms = Some(body);
                i + 1
            }
            // A macro: what it makes of its tokens is its own business.
            _ if t.kind == Kind::Word && next == "!" && tokens[i + 1].at.start == t.at.end => {
                let group = i + 2;
                tokens.get(group).map_or(group, |t| t.pair.max(group)) + 1
            }
            "{" if arms == Some(i) => {
                arms = None;
                match_arms(tokens, i + 1..t.pair, out);
                t.pair + 1
            }
            "|" if !(t.spaced && i > 0 && ends_operand(&tokens[i - 1])) => {
                // A closure's parameters.
                let mut k = i + 1;
                while k < range.end && tokens[k].text != "|" {
                    k += 1;
                }
                k + 1
            }
            _ => {
                out[i] = true;
                i + 1
            }
        };
    }
}

fn match_arms(tokens: &[Token<'_>], range: Range<usize>, out: &mut [bool]) {
    let mut i = range.start;
    while i < range.end {
        let arrow = until(tokens, i, range.end, &["=>"]);
        let value = arrow + 1;
        if value >= range.end {
            return;
        }
        let end = if tokens[value].text == "{" {
            tokens[value].pair + 1
        } else {
            until(tokens, value, range.end, &[","])
        };
        walk(tokens, value..end.min(range.end), out);
        i = end;
        if tokens.get(i).is_some_and(|t| t.text == ",") {
            i += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<(String, String)> {
        in_file(Path::new("x.rs"), source)
            .into_iter()
            .map(|m| (m.before, m.after))
            .collect()
    }

    fn pair(a: &str, b: &str) -> (String, String) {
        (a.into(), b.into())
    }

    #[test]
    fn operators_with_their_operands() {
        assert_eq!(
            found("fn f(n: [u8; 4]) -> bool { a + b * c(d) < -e && g }"),
            [
                pair("a + b * c(d)", "a - b * c(d)"),
                pair("b * c(d)", "b + c(d)"),
                pair("a + b * c(d) < -e", "a + b * c(d) <= -e"),
                pair("a + b * c(d) < -e && g", "a + b * c(d) < -e || g"),
            ]
        );
    }

    #[test]
    fn literals_calls_and_closures() {
        assert_eq!(
            found("fn f() { let x = y.map(|v| v.0.min(3)); x |= 0x10; [true; 4] }"),
            [
                pair("v.0.min(3)", "v.0.max(3)"),
                pair("3", "4"),
                pair("x |= 0x10", "x &= 0x10"),
                pair("0x10", "15"),
                pair("true", "false"),
            ]
        );
    }

    #[test]
    fn patterns_items_and_tests_are_left_alone() {
        let source =
            "const A: u8 = 3; struct S(u8); #[a(1)] fn f() { match x { 1 | 2 => 5, _ => { 7 } }
            for (1, a) in b {} if let Some(3) = c { p!(4) } } #[cfg(test)] mod tests { 9 }";
        assert_eq!(found(source), [pair("5", "6"), pair("7", "8")]);
    }
}
