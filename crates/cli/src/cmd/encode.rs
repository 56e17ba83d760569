//! `isotherm encode`: fields to a word.

use crate::show;
use crate::usage::{chip, usage};
use isotherm_regs::find::Target;
use isotherm_regs::record::Record;
use isotherm_regs::{Chip, explain, text};

/// Options of `isotherm encode`.
#[derive(clap::Args)]
pub struct Args {
    /// Chip or family.
    chip: String,
    /// What it is, as for `explain`.
    word: String,
    /// Fields; those not named are zero. Of a record: WORD.FIELD=VALUE, or a field that crosses words.
    #[arg(value_name = "FIELD=VALUE")]
    fields: Vec<String>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Makes the words.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let chip = chip(&args.chip)?;
    let target = crate::usage::target(chip, &args.word)?;
    let values = match target {
        Target::Record(record) => encode_record(chip, record, &args.fields)?,
        _ => {
            // the reading may depend on the word, which is not known yet: the other reading is
            // reached by its own name
            let (word, entry) = target
                .word(chip, 0)
                .ok_or_else(|| usage(format!("{} is not one word", target.label())))?;
            let word = other_reading(&target, &args.word).unwrap_or(word);
            let fields = args.fields.iter().map(String::as_str);
            vec![explain::encode(chip, word, entry, fields).map_err(|e| usage(e.to_string()))?]
        }
    };
    if args.json {
        let words: Vec<_> = values.iter().map(|v| format!("{v:#010x}")).collect();
        let json = serde_json::json!({
            "schema": show::SCHEMA, "chip": chip.name(), "label": target.label(), "values": words,
        });
        say!("{}", serde_json::to_string_pretty(&json)?);
    } else {
        let words: Vec<_> = values.iter().map(|v| format!("{v:#010x}")).collect();
        say!("{}", words.join(" "));
    }
    Ok(())
}

/// The other reading of a record's word, if it was asked for by name.
fn other_reading(target: &Target, name: &str) -> Option<&'static isotherm_regs::Word> {
    let Target::Slot(record, index) = target else {
        return None;
    };
    let (_, _, word) = record.slots[*index].otherwise?;
    word.name.eq_ignore_ascii_case(name).then_some(word)
}

fn encode_record(
    chip: Chip,
    record: &'static Record,
    items: &[String],
) -> anyhow::Result<Vec<u32>> {
    let mut values = vec![0; record.slots.len()];
    for item in items {
        let (name, text) = item
            .split_once('=')
            .ok_or_else(|| usage(format!("{item:?} is not WORD.FIELD=VALUE")))?;
        if let Some(joined) = record
            .joined
            .iter()
            .find(|j| j.name.eq_ignore_ascii_case(name))
        {
            let raw = text::parse(chip, joined.kind, joined.width(chip), text)
                .map_err(|e| usage(format!("{name} cannot be {text:?}: {e}")))?;
            joined.set(chip, &mut values, raw)?;
            continue;
        }
        let (word, field) = name.split_once('.').ok_or_else(|| {
            let words: Vec<_> = record.slots.iter().map(|s| s.word.name).collect();
            usage(format!(
                "{item:?} is not WORD.FIELD=VALUE; the words are {}",
                words.join(", ")
            ))
        })?;
        let (index, word) = record
            .slots
            .iter()
            .enumerate()
            .find_map(|(i, slot)| {
                if slot.word.name.eq_ignore_ascii_case(word) || word.parse() == Ok(i) {
                    return Some((i, slot.word));
                }
                let (_, _, other) = slot.otherwise?;
                other.name.eq_ignore_ascii_case(word).then_some((i, other))
            })
            .ok_or_else(|| {
                let words: Vec<_> = record.slots.iter().map(|s| s.word.name).collect();
                usage(format!(
                    "{} has no word {word}; it has {}",
                    record.name,
                    words.join(", ")
                ))
            })?;
        let one = format!("{field}={text}");
        let value =
            explain::encode(chip, word, 0, [one.as_str()]).map_err(|e| usage(e.to_string()))?;
        values[index] |= value;
    }
    Ok(values)
}
