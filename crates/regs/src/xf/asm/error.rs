//! What is wrong with a program's text, and where.

use core::fmt;

/// An error in assembly text, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsmError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Length of the offending text in characters, at least 1.
    pub len: usize,
    /// What is wrong and what was expected.
    pub message: String,
    /// The line's text.
    pub text: String,
}

impl AsmError {
    /// Places an error at bytes `start..end` of `source`.
    pub(crate) fn at(
        source: &str,
        start: usize,
        end: usize,
        message: impl Into<String>,
    ) -> AsmError {
        let start = floor_boundary(source, start);
        let end = floor_boundary(source, end);
        let line_start = source[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = source[start..]
            .find('\n')
            .map_or(source.len(), |i| start + i);
        AsmError {
            line: source[..start].matches('\n').count() + 1,
            column: source[line_start..start].chars().count() + 1,
            len: source[start..end.clamp(start, line_end)]
                .chars()
                .count()
                .max(1),
            message: message.into(),
            text: source[line_start..line_end]
                .trim_end_matches('\r')
                .to_owned(),
        }
    }
}

fn floor_boundary(source: &str, at: usize) -> usize {
    let mut at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// `line:column: message`, the line, and carets under the place.
impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}: {}", self.line, self.column, self.message)?;
        writeln!(f, "  {}", self.text)?;
        // Tabs stay tabs, so that the caret stands under its text.
        let pad: String = self
            .text
            .chars()
            .take(self.column - 1)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        write!(f, "  {pad}{}", "^".repeat(self.len))
    }
}

impl core::error::Error for AsmError {}
