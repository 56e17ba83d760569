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
    serde_json::to_writer_pretty(&mut *out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    out.flush()
}

/// Prints to standard output. For `say!` and `put!`.
pub fn say(text: std::fmt::Arguments<'_>, end: &str) -> io::Result<()> {
    let mut out = stdout();
    out.write_fmt(text)?;
    out.write_all(end.as_bytes())
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
    let _ = writeln!(anstream::stderr(), "isotherm: {BAD}error:{BAD:#} {error:#}");
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
