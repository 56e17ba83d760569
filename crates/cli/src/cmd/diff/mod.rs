//! `isotherm diff`: two captures, two dumps or two values, only what differs.

mod captures;
mod summary;

use crate::input::{self, Reading};
use crate::show;
use crate::usage::{number, usage};
use isotherm_regs::find::Target;
use isotherm_regs::record::Command;
use isotherm_regs::{Chip, Word, text};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

/// Options of `isotherm diff`.
#[derive(clap::Args)]
#[command(
    after_help = "Captures: draws are aligned, so that one more or less does not make all others differ; then \
vertices, state by field, programs and textures are compared, and the first draw and pixel that \
differ are named. Ends in 0 when nothing differs, in 1 when something does."
)]
pub struct Args {
    /// A capture, a dump (text, JSON or raw), or NAME:VALUE[,VALUE…], such as RASTER:0x20600084.
    a: String,
    /// The other one.
    b: String,
    /// Chip or family; dumps can say it themselves.
    #[arg(short, long)]
    chip: Option<String>,
    /// As JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: Reading,
}

/// Everything a side says: the last words of each name, in order of first mention.
#[derive(Default)]
struct Side {
    words: BTreeMap<String, (usize, Chip, Target, Vec<u32>)>,
}

impl Side {
    fn put(&mut self, chip: Chip, target: Target, words: &[u32]) {
        let order = self.words.len();
        let mut name = target.label();
        if let Target::Commands(..) = target {
            // a stream has an order, a dump has names
            name = format!("{name} {order}");
        }
        let entry = self
            .words
            .entry(name)
            .or_insert((order, chip, target, Vec::new()));
        entry.3 = words.to_vec();
    }
}

fn side(text: &str, chip: Option<Chip>, reading: &Reading) -> anyhow::Result<Side> {
    let mut side = Side::default();
    if !Path::new(text).exists()
        && let Some((name, values)) = text.rsplit_once(':')
    {
        let chip = chip.ok_or_else(|| usage("--chip is needed to read NAME:VALUE"))?;
        let target = crate::usage::target(chip, name)?;
        let values = values
            .split(',')
            .map(number)
            .collect::<anyhow::Result<Vec<_>>>()?;
        side.put(chip, target, &values);
        return Ok(side);
    }
    let options = reading.options(chip)?;
    input::read(Path::new(text), options, &mut |item| {
        side.put(item.chip, item.target, item.words);
        Ok(())
    })?;
    Ok(side)
}

/// A difference of one field; an absent side has no word of that name.
struct Difference {
    name: String,
    field: String,
    a: Option<String>,
    b: Option<String>,
}

fn words_of(chip: Chip, target: Target, values: &[u32]) -> Vec<(&'static Word, u16, u32)> {
    match target {
        Target::Record(record) => record
            .slots
            .iter()
            .zip(values)
            .map(|(slot, v)| (slot.reading(chip, *v), 0, *v))
            .collect(),
        Target::Commands(_, table) => match values {
            [value, opcode] => Command::find(table, *opcode)
                .map(|c| vec![(c.value, 0, *value), (c.opcode, 0, *opcode)])
                .unwrap_or_default(),
            _ => Vec::new(),
        },
        _ => values
            .iter()
            .filter_map(|v| target.word(chip, *v).map(|(w, e)| (w, e, *v)))
            .collect(),
    }
}

/// The fields of a value as (qualified name, text), with undeclared bits.
fn fields(chip: Chip, target: Target, values: &[u32]) -> Vec<(String, String)> {
    let words = words_of(chip, target, values);
    let many = words.len() > 1;
    let mut out = Vec::new();
    if words.is_empty() {
        for (i, value) in values.iter().enumerate() {
            out.push((
                format!("[{i}]"),
                text::format(chip, isotherm_regs::Kind::Float32, 32, *value),
            ));
        }
    }
    for (word, entry, value) in words {
        let prefix = if many {
            format!("{}.", word.name)
        } else {
            String::new()
        };
        for field in word.on(chip, entry) {
            let shown = text::format_field(chip, field, value).unwrap_or_default();
            out.push((format!("{prefix}{}", field.name), shown));
        }
        let undeclared = value & !word.mask(chip, entry);
        out.push((format!("{prefix}UNDECLARED"), format!("{undeclared:#x}")));
    }
    out
}

fn compare(a: &Side, b: &Side) -> Vec<Difference> {
    let mut names: Vec<(&String, usize)> = a.words.iter().map(|(n, w)| (n, w.0)).collect();
    let extra = b
        .words
        .iter()
        .filter(|(n, _)| !a.words.contains_key(*n))
        .map(|(n, w)| (n, usize::MAX / 2 + w.0));
    names.extend(extra);
    names.sort_by_key(|(_, order)| *order);
    let mut out = Vec::new();
    for (name, _) in names {
        let of = |side: &Side| {
            side.words
                .get(name)
                .map(|(_, chip, target, values)| fields(*chip, *target, values))
        };
        match (of(a), of(b)) {
            (Some(a), Some(b)) => out.extend(field_differences(name, a, b)),
            (a, b) => {
                let text = |side: Option<Vec<(String, String)>>| {
                    side.map(|f| {
                        f.iter()
                            .filter(|(_, v)| v != "0" && v != "0x0")
                            .map(|(n, v)| format!("{n}={v}"))
                            .collect::<Vec<_>>()
                            .join(" ")
                    })
                };
                out.push(Difference {
                    name: name.clone(),
                    field: String::new(),
                    a: text(a),
                    b: text(b),
                });
            }
        }
    }
    out
}

fn field_differences(
    name: &str,
    a: Vec<(String, String)>,
    b: Vec<(String, String)>,
) -> Vec<Difference> {
    let mut other: BTreeMap<_, _> = b.into_iter().collect();
    let mut out = Vec::new();
    for (field, value) in a {
        let theirs = other.remove(&field);
        if theirs.as_ref() != Some(&value) {
            out.push(Difference {
                name: name.into(),
                field,
                a: Some(value),
                b: theirs,
            });
        }
    }
    for (field, value) in other {
        out.push(Difference {
            name: name.into(),
            field,
            a: None,
            b: Some(value),
        });
    }
    out
}

/// Compares; ends in 0 if nothing differs, in 1 if something does.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (a, b) = (Path::new(&args.a), Path::new(&args.b));
    match (input::is_capture(a), input::is_capture(b)) {
        (true, true) => return captures::run(a, b, args.json),
        (false, false) => {}
        (first, _) => {
            let other = if first { b } else { a };
            // A file that is not there says so itself.
            input::bytes(other)?;
            return Err(usage(format!(
                "{} is no capture, and a capture can only be compared with another",
                input::name(other)
            )));
        }
    }
    let chip = input::maybe_chip(args.chip.as_deref())?;
    let a = side(&args.a, chip, &args.reading)?;
    let b = side(&args.b, chip, &args.reading)?;
    let differences = compare(&a, &b);
    let mut out = BufWriter::new(std::io::stdout().lock());
    if args.json {
        let list: Vec<_> = differences
            .iter()
            .map(|d| json!({ "name": d.name, "field": d.field, "a": d.a, "b": d.b }))
            .collect();
        let value = json!({ "schema": show::SCHEMA, "differences": list });
        show::finish(show::write_json(&mut out, &value))?;
    } else {
        let written = differences.iter().try_for_each(|d| {
            let absent = "absent".to_string();
            let (a, b) = (
                d.a.as_ref().unwrap_or(&absent),
                d.b.as_ref().unwrap_or(&absent),
            );
            if d.field.is_empty() {
                writeln!(out, "{}: {a} -> {b}", d.name)
            } else {
                writeln!(out, "{}.{}: {a} -> {b}", d.name, d.field)
            }
        });
        show::finish(written.and_then(|()| out.flush()))?;
    }
    Ok(ExitCode::from(u8::from(!differences.is_empty())))
}
