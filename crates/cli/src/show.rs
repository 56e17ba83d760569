//! Explained words on the terminal and as JSON.

use isotherm_regs::bundle::Bundle;
use isotherm_regs::explain::{self, Explained, Line};
use isotherm_regs::find::{self, Target};
use isotherm_regs::record::Command;
use isotherm_regs::{Chip, text};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The version of the JSON these tools write; `docs/json.md` describes it.
pub const SCHEMA: &str = "isotherm-words-1";

/// One thing to show: a heading, words, and lines that belong to none of them.
pub struct Shown {
    /// The heading.
    pub label: String,
    /// What others call it.
    pub names: Vec<String>,
    /// Where it is found on the chip.
    pub place: String,
    /// The words.
    pub words: Vec<Explained>,
    /// Fields that cross words, or context entries.
    pub extra: Vec<Line>,
    /// Raw values.
    pub values: Vec<u32>,
    /// Data of a method, which rejects bits that a word would only lack.
    pub method: bool,
}

/// Explains values of a target.
pub fn explain(chip: Chip, target: Target, values: &[u32]) -> Shown {
    let mut shown = Shown {
        label: target.label(),
        names: isotherm_regs::alias::names(chip, target),
        place: place(chip, target),
        words: Vec::new(),
        extra: Vec::new(),
        values: values.to_vec(),
        method: matches!(target, Target::Method(..)),
    };
    match target {
        Target::Record(record) => {
            (shown.words, shown.extra) = explain::record(chip, record, values);
        }
        Target::Commands(_, table) => {
            if let [value, opcode] = *values
                && let Some(command) = Command::find(table, opcode)
            {
                shown.label = format!("{} {}", shown.label, command.name);
                shown.words = vec![
                    explain::word(chip, command.value, 0, value),
                    explain::word(chip, command.opcode, 0, opcode),
                ];
            }
        }
        Target::Context(..) => {
            shown.extra = values
                .iter()
                .enumerate()
                .map(|(i, v)| component(chip, i, *v))
                .collect()
        }
        _ => {
            if let Some((word, entry)) = target.word(chip, values.first().copied().unwrap_or(0)) {
                shown.words = values
                    .iter()
                    .map(|v| explain::word(chip, word, entry, *v))
                    .collect();
            }
        }
    }
    shown
}

fn component(chip: Chip, index: usize, raw: u32) -> Line {
    Line {
        name: ["X", "Y", "Z", "W"].get(index).copied().unwrap_or("?"),
        lo: 0,
        hi: 31,
        raw,
        text: text::format(chip, isotherm_regs::Kind::Float32, 32, raw),
        meaning: String::new(),
        doc: "",
        remarks: Vec::new(),
    }
}

/// Where a target is found: bundle id and shadow register, or the words a method changes.
fn place(chip: Chip, target: Target) -> String {
    match target {
        Target::Bundle(bundle, entry) => bundle_place(chip, bundle, entry),
        Target::Mode(index, _) => isotherm_regs::xf::mode::record(chip)
            .map_or(String::new(), |(_, first)| {
                format!("register {:x}", first + 4 * index as u32)
            }),
        Target::Method(_, method, _) if !method.changes.is_empty() => {
            format!("changes {}", method.changes)
        }
        _ => String::new(),
    }
}

fn bundle_place(chip: Chip, bundle: Bundle, entry: u16) -> String {
    let Some(id) = bundle.id(chip.family(), entry) else {
        return String::new();
    };
    let register = find::shadow_base(chip.family()).map(|base| base + 4 * u32::from(id));
    match (bundle.row().kind, register) {
        (isotherm_regs::bundle::Kind::State, Some(at)) => {
            format!("bundle {id:03x}, shadow register {at:x}")
        }
        _ => format!("bundle {id:03x}"),
    }
}

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

fn line_json(line: &Line) -> Value {
    json!({
        "name": line.name,
        "bits": [line.lo, line.hi],
        "raw": line.raw,
        "value": line.text,
        "meaning": line.meaning,
        "doc": line.doc,
        "remarks": line.remarks,
    })
}

/// The same as JSON.
pub fn to_json(chip: Chip, shown: &Shown) -> Value {
    let hex = |v: u32| format!("{v:#010x}");
    let word = |w: &Explained| {
        json!({
            "name": w.name,
            "doc": w.doc,
            "value": hex(w.value),
            "undeclared": hex(w.undeclared),
            "fields": w.lines.iter().map(line_json).collect::<Vec<_>>(),
        })
    };
    json!({
        "chip": chip.name(),
        "label": shown.label,
        "names": shown.names,
        "place": shown.place,
        "values": shown.values.iter().map(|v| hex(*v)).collect::<Vec<_>>(),
        "words": shown.words.iter().map(word).collect::<Vec<_>>(),
        "joined": shown.extra.iter().map(line_json).collect::<Vec<_>>(),
    })
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
