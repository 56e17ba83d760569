//! `isotherm decode`: dumps and streams of words, one line each.

use crate::input::{self, Reading};
use crate::show;
use crate::usage::{chip, usage};
use isotherm_regs::dump::Item;
use isotherm_regs::find::Target;
use isotherm_regs::record::Command;
use isotherm_regs::text::Shown;
use isotherm_regs::{Chip, Word};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Options of `isotherm decode`.
#[derive(clap::Args)]
pub struct Args {
    /// Chip or family.
    chip: String,
    /// A dump: text (`addr value`, `name value`), JSON, raw little-endian words, or for mali400
    /// what lima wrote (`LIMA_DEBUG=dump`); standard input if not given.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Show fields that are zero too.
    #[arg(short, long)]
    all: bool,
    /// As JSON, one object a line.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: Reading,
}

/// Decodes.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let chip = chip(&args.chip)?;
    if chip == Chip::Mali400
        && args.file.is_file()
        && let Some(text) = input::lima_text(&args.file)?
    {
        return super::decode_lima::run(&args.file, &text, args.all, args.json);
    }
    // Standard input may be endless: it is not looked at beforehand.
    if args.file.is_file() && input::is_capture(&args.file) {
        return Err(usage(format!(
            "{}: is a capture, not a dump; `isotherm trace` shows its words",
            input::name(&args.file)
        )));
    }
    let options = args.reading.options(Some(chip))?;
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut gone = None;
    let mut said = None;
    let result = input::read(&args.file, options, &mut |item| {
        let written = if args.json {
            json_line(&mut out, item)
        } else {
            // a dump may go on to another chip
            let heading = if said.replace(item.chip) == Some(item.chip) {
                Ok(())
            } else {
                writeln!(out, "chip {}", item.chip.name())
            };
            heading.and_then(|()| text_line(&mut out, item, args.all))
        };
        written.map_err(|e| {
            let text = e.to_string();
            gone = Some(e);
            text
        })
    });
    if let Some(error) = gone {
        return show::finish(Err(error));
    }
    show::finish(out.flush())?;
    result
}

/// `NAME VALUE  # FIELD=VALUE…`: a dump again, with the fields as a comment.
pub(super) fn text_line(out: &mut impl Write, item: Item<'_>, all: bool) -> io::Result<()> {
    let Item {
        chip,
        target,
        words,
        ..
    } = item;
    write_name(out, target)?;
    for word in words {
        write!(out, " {word:#010x}")?;
    }
    match target {
        Target::Record(record) => {
            writeln!(out)?;
            for (slot, value) in record.slots.iter().zip(words) {
                let word = slot.reading(chip, *value);
                write!(out, "#   {} {value:#010x}", word.name)?;
                write_fields(out, chip, word, 0, *value, all)?;
                writeln!(out)?;
            }
            for joined in record.joined {
                let shown = Shown {
                    chip,
                    kind: joined.kind,
                    width: joined.width(chip),
                    raw: joined.get(chip, words),
                };
                if all || shown.raw != 0 {
                    writeln!(out, "#   {}={shown}", joined.name)?;
                }
            }
            return Ok(());
        }
        Target::Commands(_, table) => {
            if let [value, opcode] = *words
                && let Some(command) = Command::find(table, opcode)
            {
                write!(out, "  # {}", command.name)?;
                write_fields(out, chip, command.value, 0, value, all)?;
                write_fields(out, chip, command.opcode, 0, opcode, all)?;
            }
        }
        Target::Context(..) => {
            write!(out, "  #")?;
            for word in words {
                write!(out, " {:?}", f32::from_bits(*word))?;
            }
        }
        _ => {
            if let (Some(&value), Some((word, entry))) = (
                words.first(),
                target.word(chip, words.first().copied().unwrap_or(0)),
            ) {
                write!(out, "  #")?;
                if let Target::Method(_, method, _) = target {
                    write!(out, " {}", method.name)?;
                }
                write_fields(out, chip, word, entry, value, all)?;
            }
        }
    }
    writeln!(out)
}

/// The target's name in a form that dumps are read with.
fn write_name(out: &mut impl Write, target: Target) -> io::Result<()> {
    match target {
        Target::Bundle(bundle, entry) => write!(out, "{}[{entry}]", bundle.name()),
        Target::Mode(index, _) => write!(out, "XFMODE[{index}]"),
        Target::Method(class, _, at) => write!(out, "{:x}:{at:04x}", class.id),
        Target::Record(record) => write!(out, "{}", record.name),
        Target::Slot(record, index) => write!(out, "{}[{index}]", record.name),
        Target::Commands(name, _) => write!(out, "{name}"),
        Target::Context(ram, index, _) => write!(out, "{}[{index:#x}]", ram.name()),
        Target::Register(address) => write!(out, "{address:#x}"),
    }
}

fn write_fields(
    out: &mut impl Write,
    chip: Chip,
    word: &'static Word,
    entry: u16,
    value: u32,
    all: bool,
) -> io::Result<()> {
    for field in word.fields {
        let Some(span) = field.span(chip).filter(|_| field.in_entry(entry)) else {
            continue;
        };
        let raw = field.get(chip, value);
        if all || raw != 0 {
            let shown = Shown {
                chip,
                kind: field.kind,
                width: span.width(),
                raw,
            };
            write!(out, " {}={shown}", field.name)?;
        }
    }
    match value & !word.mask(chip, entry) {
        0 => Ok(()),
        bits => write!(out, " {}={bits:#x}", isotherm_regs::explain::UNDECLARED),
    }
}

/// One object: what [`isotherm_regs::dump`] reads, and the fields.
pub(super) fn json_line(out: &mut impl Write, item: Item<'_>) -> io::Result<()> {
    let mut name = Vec::new();
    write_name(&mut name, item.target)?;
    let shown = show::explain(item.chip, item.target, item.words);
    let mut value = show::to_json(item.chip, &shown);
    if let Some(object) = value.as_object_mut() {
        let fields = object.remove("words").unwrap_or_default();
        // The line is a dump again, in which a word has one name.
        object.remove("names");
        object.insert("schema".into(), show::SCHEMA.into());
        object.insert("name".into(), String::from_utf8_lossy(&name).into());
        object.insert("fields".into(), fields);
        object.insert("place".into(), item.place.to_string().into());
    }
    serde_json::to_writer(&mut *out, &value)?;
    writeln!(out)
}
