//! Explained words on the terminal and as JSON.

pub use isotherm::words::{SCHEMA, Shown, explain, to_json};

use isotherm_regs::Chip;
use isotherm_regs::explain::Line;
use serde_json::Value;
use std::io::{self, Write};

/// Writes it for people, with `names` also what others call it.
pub fn print(out: &mut impl Write, chip: Chip, shown: &Shown, names: bool) -> io::Result<()> {
    write!(out, "{HEAD}{}{HEAD:#} = ", shown.label)?;
    for (i, value) in shown.values.iter().enumerate() {
        write!(out, "{}{value:#010x}", if i > 0 { " " } else { "" })?;
    }
    write!(out, "  ({}", chip.name())?;
    if !shown.place.is_empty() {
        write!(out, ", {}", shown.place)?;
    }
    writeln!(out, ")")?;
    if names && !shown.names.is_empty() {
        writeln!(out, "  also called {}", shown.names.join(", "))?;
    }
    for word in &shown.words {
        if shown.words.len() > 1 {
            writeln!(out, "{} = {:#010x}", word.name, word.value)?;
        }
        if !word.doc.is_empty() {
            writeln!(out, "  {}", word.doc)?;
        }
        lines(out, &word.lines)?;
        if word.undeclared != 0 {
            let why = if shown.method {
                "are not part of the method's data: the hardware reports an error".to_string()
            } else {
                format!("are set and {} does not have them", chip.name())
            };
            writeln!(out, "  {BAD}!{BAD:#} bits {:#x} {why}", word.undeclared)?;
        }
    }
    lines(out, &shown.extra)
}

fn lines(out: &mut impl Write, lines: &[Line]) -> io::Result<()> {
    let wide = lines.iter().map(|l| l.name.len()).max().unwrap_or(0);
    let value_wide = lines
        .iter()
        .map(|l| l.text.len())
        .max()
        .unwrap_or(0)
        .min(28);
    for line in lines {
        let bits = if line.lo == line.hi {
            line.lo.to_string()
        } else {
            format!("{}-{}", line.lo, line.hi)
        };
        let about: Vec<&str> = [line.meaning.as_str(), line.doc]
            .into_iter()
            .filter(|t| !t.is_empty() && *t != "on" && *t != "off")
            .collect();
        let (name, value) = (line.name, &line.text);
        if about.is_empty() {
            writeln!(out, "  {bits:>5}  {name:wide$}  {HEAD}{value}{HEAD:#}")?;
        } else {
            let about = about.join("; ");
            writeln!(
                out,
                "  {bits:>5}  {name:wide$}  {HEAD}{value:value_wide$}{HEAD:#}  {DIM}{about}{DIM:#}"
            )?;
        }
        for remark in &line.remarks {
            writeln!(out, "         {BAD}!{BAD:#} {remark}")?;
        }
    }
    Ok(())
}

/// Writes a document, indented.
pub fn write_json(out: &mut impl Write, value: &Value) -> io::Result<()> {
    writeln!(out, "{value:#}")?;
    out.flush()
}

/// Prints to standard output, or to standard error where a file goes to standard output. For
/// `say!` and `put!`.
pub fn say(text: std::fmt::Arguments<'_>, end: &str) -> io::Result<()> {
    fn write(mut out: impl Write, text: std::fmt::Arguments<'_>, end: &str) -> io::Result<()> {
        out.write_fmt(text)?;
        out.write_all(end.as_bytes())
    }
    match crate::output::standard_is_taken() {
        true => write(anstream::stderr(), text, end),
        false => write(stdout(), text, end),
    }
}

/// Standard output; colours are taken out where nobody sees them.
pub fn stdout() -> anstream::AutoStream<io::StdoutLock<'static>> {
    anstream::AutoStream::auto(io::stdout().lock())
}

/// Prints a note to standard error. For `note!`.
pub fn note(text: std::fmt::Arguments<'_>) {
    if !crate::output::quiet() {
        // Nobody can be told that standard error is gone.
        let _ = writeln!(anstream::stderr(), "isotherm: {text}");
    }
}

/// Prints why the program ends in 2.
pub fn error(error: &anyhow::Error) {
    let text = causes(error.chain().map(|cause| cause.to_string()));
    let _ = writeln!(anstream::stderr(), "isotherm: {BAD}error:{BAD:#} {text}");
}

/// An error with what caused it in one line. What a cause begins with, such as the file's name,
/// is not said twice.
fn causes(chain: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = chain.collect();
    let said_next = |at: usize| {
        let next = parts
            .get(at + 1)
            .and_then(|next| next.strip_prefix(&parts[at]));
        next.is_some_and(|rest| rest.starts_with(": "))
    };
    let shown = parts.iter().enumerate().filter(|(at, _)| !said_next(*at));
    let shown: Vec<&str> = shown.map(|(_, part)| part.as_str()).collect();
    shown.join(": ")
}

/// So many of something: `1 draw`, `2 draws`.
pub fn many(count: u64, what: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {what}{end}")
}

/// The style of what a paragraph is about.
pub const HEAD: anstyle::Style = anstyle::Style::new().bold();
/// The style of what is wrong or gone.
pub const BAD: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
/// The style of what is right or new.
pub const GOOD: anstyle::Style = anstyle::AnsiColor::Green.on_default();
/// The style of what is said beside the matter.
pub const DIM: anstyle::Style = anstyle::Style::new().dimmed();

/// Is it that the reader of our output has gone?
pub fn pipe_closed(error: &anyhow::Error) -> bool {
    let broken = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|e| e.downcast_ref().is_some_and(broken))
}

/// Ends quietly when the reader of our output has gone.
pub fn finish(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_name_is_said_once() {
        let line = |parts: &[&str]| causes(parts.iter().map(|part| part.to_string()));
        assert_eq!(line(&["a.cap", "a.cap: no draw 9"]), "a.cap: no draw 9");
        assert_eq!(line(&["a.cap", "cut", "early"]), "a.cap: cut: early");
        assert_eq!(line(&["a", "a.cap: cut"]), "a: a.cap: cut");
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(many(1, "draw"), "1 draw");
        assert_eq!(many(0, "draw"), "0 draws");
    }
}
