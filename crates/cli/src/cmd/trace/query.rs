//! Registers and fields that are asked for at each draw.

use anyhow::bail;
use isotherm::Chip;
use isotherm_regs::find::{self, Target};
use isotherm_regs::text;
use std::collections::HashMap;

/// Where a value is kept between draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A bundle's word: its slot.
    Bundle(usize),
    /// A word of XF's mode.
    Mode(usize),
    /// A component of a context memory's row.
    Context(isotherm_regs::xf::ctx::Ram, u16, u16),
    /// The last data of a method: class and address.
    Method(u32, u16),
}

/// The last value of everything that was written.
#[derive(Default)]
pub struct Values(HashMap<Place, u32>);

impl Values {
    /// Keeps a value; gives the one before.
    pub fn set(&mut self, place: Place, value: u32) -> Option<u32> {
        self.0.insert(place, value)
    }

    pub fn get(&self, place: Place) -> Option<u32> {
        self.0.get(&place).copied()
    }
}

/// One question.
pub struct Query {
    pub text: String,
    target: Target,
    field: Option<String>,
}

impl Query {
    /// `REGISTER`, `REGISTER[n]`, `REGISTER.FIELD`; a method is `97:NAME`.
    pub fn parse(chip: Chip, text: &str) -> anyhow::Result<Query> {
        let (register, field) = match text.rsplit_once('.') {
            Some((register, field)) => (register, Some(field.to_string())),
            None => (text, None),
        };
        let target = find::find(chip, register)?;
        let query = Query {
            text: text.to_string(),
            target,
            field,
        };
        if let Some(name) = &query.field {
            match query.target.word(chip, 0) {
                Some((word, entry)) => {
                    if word.field(chip, name).is_none() {
                        let names: Vec<_> = word.on(chip, entry).iter().map(|f| f.name).collect();
                        bail!(
                            "{register} has no field {name:?}: it has {}",
                            names.join(", ")
                        );
                    }
                }
                None if matches!(query.target, Target::Context(..))
                    && component(name).is_some() => {}
                None => bail!("{register} has no field {name:?}"),
            }
        }
        if query.places().is_empty() {
            bail!("{register} is no register that a trace can follow");
        }
        Ok(query)
    }

    fn places(&self) -> Vec<Place> {
        match self.target {
            Target::Bundle(bundle, entry) => {
                vec![Place::Bundle(bundle.slot() + usize::from(entry))]
            }
            Target::Mode(index, _) => vec![Place::Mode(index)],
            Target::Method(class, _, at) => vec![Place::Method(class.id.into(), at)],
            Target::Context(ram, row, _) => {
                let wanted = self.field.as_deref().and_then(component);
                (0..ram.width() as u16)
                    .filter(|comp| wanted.is_none_or(|w| w == *comp))
                    .map(|comp| Place::Context(ram, row, comp))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The value now: as a number where it is one, and as text. `None` before it was set.
    pub fn value(&self, chip: Chip, values: &Values) -> Option<(Option<u32>, String)> {
        let places = self.places();
        if let Target::Context(..) = self.target {
            let known: Vec<_> = places.iter().map(|p| values.get(*p)).collect();
            if known.iter().all(Option::is_none) {
                return None;
            }
            let list: Vec<_> = known
                .iter()
                .map(|v| v.map_or("?".into(), |v| format!("{:?}", f32::from_bits(v))))
                .collect();
            return Some((known[0].filter(|_| known.len() == 1), list.join(" ")));
        }
        let word = values.get(*places.first()?)?;
        let Some(name) = &self.field else {
            return Some((Some(word), format!("{word:08x}")));
        };
        let (declared, _) = self.target.word(chip, word)?;
        let field = declared.field(chip, name)?;
        let raw = field.get(chip, word);
        let text = text::format_field(chip, field, word).unwrap_or_else(|| format!("{raw:#x}"));
        Some((Some(raw), text))
    }
}

/// x, y, z or w.
fn component(name: &str) -> Option<u16> {
    ["x", "y", "z", "w"]
        .iter()
        .position(|c| c.eq_ignore_ascii_case(name))
        .map(|i| i as u16)
}
