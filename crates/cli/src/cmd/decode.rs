//! `isotherm decode`: dumps and streams of words, one line each.

use crate::input::{self, Reading};
use crate::show;
use crate::usage::{chip, usage};
use isotherm_regs::Chip;
use isotherm_regs::dump::{self, Item};
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
    let mut line = String::new();
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
            line.clear();
            dump::write(&mut line, item, args.all);
            heading.and_then(|()| out.write_all(line.as_bytes()))
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

/// One object: what [`isotherm_regs::dump`] reads, and the fields.
pub(super) fn json_line(out: &mut impl Write, item: Item<'_>) -> io::Result<()> {
    let shown = show::explain(item.chip, item.target, item.words);
    let mut value = show::to_json(item.chip, &shown);
    if let Some(object) = value.as_object_mut() {
        let fields = object.remove("words").unwrap_or_default();
        // The line is a dump again, in which a word has one name.
        object.remove("names");
        object.insert("schema".into(), show::SCHEMA.into());
        object.insert("name".into(), dump::name(item.target).into());
        object.insert("fields".into(), fields);
        object.insert("place".into(), item.place.to_string().into());
    }
    writeln!(out, "{value}")
}
