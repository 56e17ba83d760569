//! Writing dumps, a line each.

use super::Item;
use crate::chip::Chip;
use crate::explain;
use crate::find::Target;
use crate::record::Command;
use crate::text::Shown;
use crate::word::Word;
use std::fmt::{self, Display, Formatter, Write};

/// `NAME VALUE  # FIELD=VALUE…`: a dump again, with the fields as a comment, appended with the
/// end of the line. Fields that are zero are left out unless `all` are wanted.
pub fn write(out: &mut String, item: Item<'_>, all: bool) {
    // Nothing that is written to a string fails.
    let _ = line(out, item, all);
}

fn line(out: &mut String, item: Item<'_>, all: bool) -> fmt::Result {
    let Item {
        chip,
        target,
        words,
        ..
    } = item;
    write!(out, "{}", Name(target))?;
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
pub fn name(target: Target) -> String {
    Name(target).to_string()
}

struct Name(Target);

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Target::Bundle(bundle, entry) => write!(f, "{}[{entry}]", bundle.name()),
            Target::Mode(index, _) => write!(f, "XFMODE[{index}]"),
            Target::Method(class, _, at) => write!(f, "{:x}:{at:04x}", class.id),
            Target::Record(record) => write!(f, "{}", record.name),
            Target::Slot(record, index) => write!(f, "{}[{index}]", record.name),
            Target::Commands(name, _) => write!(f, "{name}"),
            Target::Context(ram, index, _) => write!(f, "{}[{index:#x}]", ram.name()),
            Target::Register(address) => write!(f, "{address:#x}"),
        }
    }
}

fn write_fields(
    out: &mut String,
    chip: Chip,
    word: &'static Word,
    entry: u16,
    value: u32,
    all: bool,
) -> fmt::Result {
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
        bits => write!(out, " {}={bits:#x}", explain::UNDECLARED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dump::Place;
    use crate::find::find;

    fn written(chip: Chip, name: &str, words: &[u32], all: bool) -> String {
        let mut out = String::new();
        let item = Item {
            chip,
            target: find(chip, name).unwrap(),
            words,
            place: Place::Line(1),
        };
        write(&mut out, item, all);
        out
    }

    #[test]
    fn a_line_can_be_read_again() {
        let text = written(Chip::Nv2a, "BLEND", &[0x0000_055a], false);
        assert!(text.starts_with("BLEND[0] 0x0000055a  # "), "{text}");
        assert!(text.ends_with('\n'));
        let longer = written(Chip::Nv2a, "BLEND", &[0x0000_055a], true);
        assert!(longer.len() > text.len(), "{longer}");
        let mut seen = Vec::new();
        let options = super::super::Options {
            chip: Some(Chip::Nv2a),
            form: None,
        };
        super::super::read(&mut text.as_bytes(), options, &mut |item| {
            seen.push((name(item.target), item.words.to_vec()));
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, [("BLEND[0]".to_string(), vec![0x0000_055a])]);
    }
}
