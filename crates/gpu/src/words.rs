//! Words explained and made, for the doors: the command line, C, Python, the browser.

use isotherm_regs::bundle::Bundle;
use isotherm_regs::explain::{self, Explained, Line};
use isotherm_regs::find::{self, Target};
use isotherm_regs::record::{Command, Record};
use isotherm_regs::{Chip, Word, text};
use serde_json::{Value, json};

/// The version of the JSON that is written of words; `docs/json.md` describes it.
pub const SCHEMA: &str = "isotherm-words-1";

/// Why words cannot be explained or made, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadWords(pub String);

/// Explains words by the name of what they are, as JSON: `{"schema", "words": [...]}`.
///
/// ```
/// let json = isotherm::words::explain_named(isotherm::Chip::Nv25, "RASTER", &[0x2060_0084])?;
/// assert_eq!(json["words"][0]["label"], "RASTER");
/// # Ok::<(), isotherm::words::BadWords>(())
/// ```
pub fn explain_named(chip: Chip, name: &str, values: &[u32]) -> Result<Value, BadWords> {
    let target = find_named(chip, name)?;
    let shown = groups(chip, target, values)?.into_iter();
    let words: Vec<Value> = shown
        .map(|(target, values)| to_json(chip, &explain(chip, target, &values)))
        .collect();
    Ok(json!({ "schema": SCHEMA, "words": words }))
}

/// Makes the words of something by its name; fields are `NAME=VALUE`, those not named are zero.
///
/// ```
/// let words = isotherm::words::encode_named(isotherm::Chip::Nv2a, "BLEND", &["BLEND_FUNC_ENABLE=1"]);
/// assert!(words.is_ok_and(|words| words[0] != 0));
/// ```
pub fn encode_named(chip: Chip, name: &str, fields: &[&str]) -> Result<Vec<u32>, BadWords> {
    encode(chip, find_named(chip, name)?, name, fields)
}

fn find_named(chip: Chip, name: &str) -> Result<Target, BadWords> {
    find::find(chip, name).map_err(|e| BadWords(e.to_string()))
}

/// The words of a target; `name` is what it was asked for by.
pub fn encode(
    chip: Chip,
    target: Target,
    name: &str,
    fields: &[&str],
) -> Result<Vec<u32>, BadWords> {
    if let Target::Record(record) = target {
        return encode_record(chip, record, fields);
    }
    // The reading may depend on the word, which is not known yet: the other reading is
    // reached by its own name.
    let (word, entry) = target
        .word(chip, 0)
        .ok_or_else(|| BadWords(format!("{} is not one word", target.label())))?;
    let word = other_reading(&target, name).unwrap_or(word);
    let made = explain::encode(chip, word, entry, fields.iter().copied());
    Ok(vec![made.map_err(|e| BadWords(e.to_string()))?])
}

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

/// Explains the values that belong to a target together; [`groups`] says which do.
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

/// Splits the values given to a target into what it takes at a time.
pub fn groups(
    chip: Chip,
    target: Target,
    values: &[u32],
) -> Result<Vec<(Target, Vec<u32>)>, BadWords> {
    let wrong = |wanted: String| {
        BadWords(format!(
            "{} takes {wanted}, {} given",
            target.label(),
            values.len()
        ))
    };
    Ok(match target {
        Target::Record(record) => {
            if values.len() != record.slots.len() {
                return Err(wrong(format!("{} words", record.slots.len())));
            }
            vec![(target, values.to_vec())]
        }
        Target::Commands(..) => {
            if !values.len().is_multiple_of(2) {
                return Err(wrong("pairs of words, a value and an opcode".into()));
            }
            values
                .chunks(2)
                .map(|pair| (target, pair.to_vec()))
                .collect()
        }
        Target::Context(ram, ..) => {
            if values.len() > ram.width() {
                return Err(wrong(format!("up to {} words", ram.width())));
            }
            vec![(target, values.to_vec())]
        }
        Target::Bundle(first, entry) => neighbours(values, |i| {
            let ids = first.row().on(chip)?;
            (entry + i < ids.count).then_some(Target::Bundle(first, entry + i))
        })
        .ok_or_else(|| wrong("no more than its entries".into()))?,
        Target::Method(class, _, at) => neighbours(values, |i| {
            let at = at.checked_add(4 * i)?;
            Some(Target::Method(class, class.method(at)?, at))
        })
        .ok_or_else(|| wrong("no more than the methods that follow".into()))?,
        Target::Mode(..) | Target::Slot(..) | Target::Register(_) => {
            if values.len() != 1 {
                return Err(wrong("one word".into()));
            }
            vec![(target, values.to_vec())]
        }
    })
}

fn neighbours(
    values: &[u32],
    next: impl Fn(u16) -> Option<Target>,
) -> Option<Vec<(Target, Vec<u32>)>> {
    values
        .iter()
        .enumerate()
        .map(|(i, v)| Some((next(u16::try_from(i).ok()?)?, vec![*v])))
        .collect()
}

/// The other reading of a record's word, if it was asked for by name.
fn other_reading(target: &Target, name: &str) -> Option<&'static Word> {
    let Target::Slot(record, index) = target else {
        return None;
    };
    let (_, _, word) = record.slots[*index].otherwise?;
    word.name.eq_ignore_ascii_case(name).then_some(word)
}

fn encode_record(
    chip: Chip,
    record: &'static Record,
    items: &[&str],
) -> Result<Vec<u32>, BadWords> {
    let mut values = vec![0; record.slots.len()];
    for item in items {
        let (name, text) = item
            .split_once('=')
            .ok_or_else(|| BadWords(format!("{item:?} is not WORD.FIELD=VALUE")))?;
        if let Some(joined) = record
            .joined
            .iter()
            .find(|j| j.name.eq_ignore_ascii_case(name))
        {
            let raw = text::parse(chip, joined.kind, joined.width(chip), text)
                .map_err(|e| BadWords(format!("{name} cannot be {text:?}: {e}")))?;
            joined
                .set(chip, &mut values, raw)
                .map_err(|e| BadWords(e.to_string()))?;
            continue;
        }
        let (word, field) = name.split_once('.').ok_or_else(|| {
            let words: Vec<_> = record.slots.iter().map(|s| s.word.name).collect();
            BadWords(format!(
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
                BadWords(format!(
                    "{} has no word {word}; it has {}",
                    record.name,
                    words.join(", ")
                ))
            })?;
        let one = format!("{field}={text}");
        let value =
            explain::encode(chip, word, 0, [one.as_str()]).map_err(|e| BadWords(e.to_string()))?;
        values[index] |= value;
    }
    Ok(values)
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

/// An explanation as JSON; `docs/json.md` describes it.
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
