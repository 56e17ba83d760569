//! Records: several words that belong together, and fields that cross them.

use crate::chip::Chip;
use crate::field::{Field, Kind, SetError};
use crate::word::Word;

/// A word of a record, with the other reading some of its values ask for.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The usual reading.
    pub word: &'static Word,
    /// If this field has this value, the word reads otherwise.
    pub otherwise: Option<(&'static Field, u32, &'static Word)>,
}

/// A slot that always reads the same.
pub const fn slot(word: &'static Word) -> Slot {
    Slot {
        word,
        otherwise: None,
    }
}

impl Slot {
    /// The same word read otherwise when `field` has `value`.
    pub const fn or(mut self, field: &'static Field, value: u32, word: &'static Word) -> Slot {
        self.otherwise = Some((field, value, word));
        self
    }

    /// The reading that fits a value.
    pub fn reading(&self, chip: Chip, value: u32) -> &'static Word {
        match self.otherwise {
            Some((field, when, word)) if field.get(chip, value) == when => word,
            _ => self.word,
        }
    }
}

/// A field whose low bits end one word and whose high bits begin the next.
#[derive(Clone, Copy, Debug)]
pub struct Joined {
    /// Its name.
    pub name: &'static str,
    /// Index of the word with the low bits.
    pub word: usize,
    /// The low bits.
    pub low: Field,
    /// The high bits, in the next word.
    pub high: Field,
    /// How the whole reads.
    pub kind: Kind,
}

impl Joined {
    /// Reads it from the record; 0 if the record is too short.
    pub fn get(&self, chip: Chip, words: &[u32]) -> u32 {
        let (Some(&a), Some(&b)) = (words.get(self.word), words.get(self.word + 1)) else {
            return 0;
        };
        let shift = self.low.span(chip).map_or(0, |s| s.width());
        self.low.get(chip, a) | self.high.get(chip, b) << shift
    }

    /// Number of bits.
    pub fn width(&self, chip: Chip) -> u32 {
        self.low.span(chip).map_or(0, |s| s.width()) + self.high.span(chip).map_or(0, |s| s.width())
    }

    /// Reads it as two's complement.
    pub fn get_signed(&self, chip: Chip, words: &[u32]) -> i32 {
        let spare = 32 - self.width(chip).clamp(1, 32);
        ((self.get(chip, words) << spare) as i32) >> spare
    }

    /// Writes it into the record.
    pub fn set(&self, chip: Chip, words: &mut [u32], value: u32) -> Result<(), SetError> {
        let shift = self.low.span(chip).map_or(0, |s| s.width());
        let max = ((1u64 << self.width(chip)) - 1) as u32;
        if words.len() < self.word + 2 || value > max {
            return Err(SetError::TooBig { max });
        }
        words[self.word] = self.low.with(chip, words[self.word], value);
        words[self.word + 1] = self.high.with(chip, words[self.word + 1], value >> shift);
        Ok(())
    }
}

/// A record of words.
#[derive(Debug)]
pub struct Record {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Its words in order.
    pub slots: &'static [Slot],
    /// Fields that cross two words.
    pub joined: &'static [Joined],
}

/// A command of two words: a value and an opcode with more of the value.
#[derive(Debug)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Bits of the second word that tell commands apart.
    pub mask: u32,
    /// What these bits are.
    pub code: u32,
    /// Fields of the first word.
    pub value: &'static Word,
    /// Fields of the second word, the opcode among them.
    pub opcode: &'static Word,
}

impl Command {
    /// The command of a table that the second word means.
    pub fn find(table: &'static [Command], opcode: u32) -> Option<&'static Command> {
        table.iter().find(|c| opcode & c.mask == c.code)
    }
}
