//! Words read and made field by field.

use isotherm_regs::Chip;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::field::Field;

use super::Fe;
use super::table::Move;

/// Reads fields of a method's data or of a register.
#[derive(Clone, Copy)]
pub(crate) struct Data {
    chip: Chip,
    pub(crate) word: u32,
}

impl Data {
    /// A method's data as the class lays it out.
    pub(crate) fn new(fe: &Fe, word: u32) -> Data {
        Data {
            chip: fe.data_chip,
            word,
        }
    }

    /// A shadow word.
    pub(crate) fn of(fe: &Fe, bundle: Bundle, i: usize) -> Data {
        let (chip, word) = (fe.chip(), fe.word(bundle, i));
        Data { chip, word }
    }

    /// The field's value; 0 if the chip lacks it.
    pub(crate) fn get(self, field: Field) -> u32 {
        field.get(self.chip, self.word)
    }

    /// Is it not 0?
    pub(crate) fn is(self, field: Field) -> bool {
        field.is_set(self.chip, self.word)
    }

    /// Are all bits outside these fields 0?
    pub(crate) fn only(self, fields: &[Field]) -> bool {
        let mask = fields.iter().fold(0, |mask, f| mask | f.mask(self.chip));
        self.word & !mask == 0
    }

    /// Is it one of Direct3D's compare functions? They count from 1.
    pub(crate) fn is_func(self, field: Field) -> bool {
        (1..=8).contains(&self.get(field))
    }

    /// Direct3D's number as Celsius counts.
    pub(crate) fn less_one(self, field: Field) -> u32 {
        self.get(field).wrapping_sub(1)
    }
}

/// A word under construction.
#[derive(Clone, Copy)]
pub(crate) struct Edit {
    pub(crate) chip: Chip,
    /// The chip whose classes lay out the data as the current one does.
    data_chip: Chip,
    pub(crate) word: u32,
}

impl Edit {
    /// A shadow word as it is.
    pub(crate) fn of(fe: &Fe, bundle: Bundle, i: u32) -> Edit {
        let word = fe.word(bundle, i as usize);
        Edit {
            word,
            ..Edit::zero(fe)
        }
    }

    /// All zeroes.
    pub(crate) fn zero(fe: &Fe) -> Edit {
        Edit {
            chip: fe.chip(),
            data_chip: fe.data_chip,
            word: 0,
        }
    }

    /// With a field replaced by the value's low bits; as it is if the chip lacks the field.
    pub(crate) fn set(mut self, field: Field, value: impl Into<u32>) -> Edit {
        self.word = field.with(self.chip, self.word, value.into());
        self
    }

    /// With several fields replaced.
    pub(crate) fn set_all(self, fields: &[(Field, u32)]) -> Edit {
        fields
            .iter()
            .fold(self, |edit, (field, v)| edit.set(*field, *v))
    }

    /// With fields of the data moved to where the word has them.
    pub(crate) fn moved(mut self, data: u32, moves: &[Move]) -> Edit {
        for (from, to) in moves {
            self.word = to.with(self.chip, self.word, from.get(self.data_chip, data));
        }
        self
    }
}
