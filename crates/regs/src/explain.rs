//! Words explained, and made from text.

use crate::chip::Chip;
use crate::field::{Field, Kind};
use crate::record::{Joined, Record};
use crate::text;
use crate::word::Word;

/// The name under which bits that no field declares are written and read.
pub const UNDECLARED: &str = "UNDECLARED";

/// One field of an explained word.
#[derive(Clone, Debug)]
pub struct Line {
    /// The field's name.
    pub name: &'static str,
    /// Lowest bit; for a field that crosses words, in the first of them.
    pub lo: u8,
    /// Highest bit; for a field that crosses words, in the second of them.
    pub hi: u8,
    /// Its bits.
    pub raw: u32,
    /// Its value as text that parses back.
    pub text: String,
    /// What the value means, where the text does not say it.
    pub meaning: String,
    /// What the field is.
    pub doc: &'static str,
    /// Anything wrong or doubtful.
    pub remarks: Vec<String>,
}

/// A word explained.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The word's name.
    pub name: &'static str,
    /// What the word is.
    pub doc: &'static str,
    /// The word.
    pub value: u32,
    /// Its fields, lowest bit first.
    pub lines: Vec<Line>,
    /// Bits set that the chip does not have.
    pub undeclared: u32,
}

/// What is wrong with or doubtful about a field's value.
fn remarks(chip: Chip, field: &Field, kind: Kind, raw: u32) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Kind::Enum(values) = kind
        && values.name_of(chip, raw).is_none()
    {
        match values.list.iter().find(|v| v.value == raw) {
            Some(other) => remarks.push(format!(
                "not valid on {}: {} is {}",
                chip.name(),
                other.name,
                range(other.range())
            )),
            None => remarks.push("no known value".into()),
        }
    }
    if matches!(kind, Kind::Unknown) && raw != 0 {
        remarks.push("meaning unknown".into());
    }
    if !field.conflict.is_empty() {
        remarks.push(format!("sources differ: {}", field.conflict));
    }
    remarks
}

/// A chip range as the pages write it.
pub fn range((since, until): (Option<Chip>, Option<Chip>)) -> String {
    let name = |c: Option<Chip>| c.map_or(String::new(), |c| c.name().to_ascii_uppercase());
    format!("[{}:{}]", name(since), name(until))
}

/// Explains a word of a chip, in one entry of its array.
pub fn word(chip: Chip, word: &'static Word, entry: u16, value: u32) -> Explained {
    let lines = word
        .on(chip, entry)
        .into_iter()
        .filter_map(|field| {
            let span = field.span(chip)?;
            let raw = field.get(chip, value);
            Some(Line {
                name: field.name,
                lo: span.lo,
                hi: span.hi,
                raw,
                text: text::format(chip, field.kind, span.width(), raw),
                meaning: text::meaning(chip, field.kind, span.width(), raw),
                doc: field.doc.trim(),
                remarks: remarks(chip, field, field.kind, raw),
            })
        })
        .collect();
    Explained {
        name: word.name,
        doc: word.doc.trim(),
        value,
        lines,
        undeclared: value & !word.mask(chip, entry),
    }
}

/// Explains a record: its words, then the fields that cross them.
pub fn record(chip: Chip, record: &'static Record, values: &[u32]) -> (Vec<Explained>, Vec<Line>) {
    let words = record
        .slots
        .iter()
        .zip(values)
        .map(|(slot, &value)| word(chip, slot.reading(chip, value), 0, value))
        .collect();
    let joined = record
        .joined
        .iter()
        .filter(|j| values.len() > j.word + 1)
        .map(|j| joined_line(chip, j, values))
        .collect();
    (words, joined)
}

fn joined_line(chip: Chip, joined: &'static Joined, values: &[u32]) -> Line {
    let raw = joined.get(chip, values);
    let width = joined.width(chip);
    Line {
        name: joined.name,
        lo: joined.low.span(chip).map_or(0, |s| s.lo),
        hi: joined.high.span(chip).map_or(0, |s| s.hi),
        raw,
        text: text::format(chip, joined.kind, width, raw),
        meaning: text::meaning(chip, joined.kind, width, raw),
        doc: "",
        remarks: remarks(chip, &joined.low, joined.kind, raw),
    }
}

impl Explained {
    /// The word in one line that [`encode`] takes: all fields, then undeclared bits.
    pub fn fields(&self) -> String {
        let mut out = String::new();
        for line in &self.lines {
            if !out.is_empty() {
                out.push(' ');
            }
            out += line.name;
            out.push('=');
            out += &line.text;
        }
        if self.undeclared != 0 {
            out += &format!(" {UNDECLARED}={:#x}", self.undeclared);
        }
        out.trim_start().to_string()
    }
}

/// Why fields do not make a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// Not `FIELD=VALUE`.
    Syntax(String),
    /// The word has no such field on this chip.
    NoField {
        /// What was asked for.
        name: String,
        /// Why, or what there is.
        would_do: String,
    },
    /// The value does not fit the field.
    BadValue {
        /// The field.
        name: String,
        /// The value given.
        value: String,
        /// What would do.
        expected: String,
    },
    /// The field was given twice.
    Twice(String),
}

impl std::fmt::Display for EncodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EncodeError::Syntax(text) => write!(f, "{text:?} is not FIELD=VALUE"),
            EncodeError::NoField { name, would_do } => write!(f, "no field {name}: {would_do}"),
            EncodeError::BadValue {
                name,
                value,
                expected,
            } => write!(f, "{name} cannot be {value:?}: expected {expected}"),
            EncodeError::Twice(name) => write!(f, "{name} is given twice"),
        }
    }
}

impl std::error::Error for EncodeError {}

/// Makes a word from `FIELD=VALUE` texts; fields not named are zero.
pub fn encode<'a>(
    chip: Chip,
    word: &'static Word,
    entry: u16,
    fields: impl IntoIterator<Item = &'a str>,
) -> Result<u32, EncodeError> {
    let mut value = 0;
    let mut seen = 0u32;
    for item in fields {
        let (name, text) = item
            .split_once('=')
            .ok_or_else(|| EncodeError::Syntax(item.into()))?;
        let bad = |expected: String| EncodeError::BadValue {
            name: name.into(),
            value: text.into(),
            expected,
        };
        if name.eq_ignore_ascii_case(UNDECLARED) {
            let free = !word.mask(chip, entry);
            let bits = text::parse(chip, Kind::Hex, 32, text).map_err(|e| bad(e.expected))?;
            if bits & !free != 0 {
                return Err(bad(format!("bits of {free:#x}")));
            }
            value |= bits;
            continue;
        }
        let field = word
            .field(chip, name)
            .filter(|f| f.in_entry(entry))
            .ok_or_else(|| no_field(chip, word, entry, name))?;
        let span = field
            .span(chip)
            .ok_or_else(|| no_field(chip, word, entry, name))?;
        if seen & span.mask() != 0 {
            return Err(EncodeError::Twice(field.name.into()));
        }
        seen |= span.mask();
        let raw = text::parse(chip, field.kind, span.width(), text).map_err(|e| bad(e.expected))?;
        value = field.with(chip, value, raw);
    }
    Ok(value)
}

fn no_field(chip: Chip, word: &'static Word, entry: u16, name: &str) -> EncodeError {
    let other = word
        .fields
        .iter()
        .find(|f| f.name.eq_ignore_ascii_case(name));
    let would_do = match other {
        Some(field) => {
            let ranges: Vec<_> = field
                .spans()
                .iter()
                .map(|s| range((Some(s.first()), s.end())))
                .collect();
            format!("{} has it on {}", word.name, ranges.join(", "))
        }
        None => {
            let names: Vec<_> = word.on(chip, entry).iter().map(|f| f.name).collect();
            format!("{} has {}", word.name, names.join(", "))
        }
    };
    EncodeError::NoField {
        name: name.into(),
        would_do,
    }
}
