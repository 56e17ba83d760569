//! Where the documents are wrong or silent, and where declarations knowingly
//! differ from a source.

use crate::Chip;

/// A word whose declared bits knowingly differ from a register scan.
#[derive(Clone, Copy, Debug)]
pub struct MaskException {
    /// The word's name.
    pub word: &'static str,
    /// First chip.
    pub since: Chip,
    /// First chip that it no longer holds for.
    pub until: Chip,
    /// Why.
    pub reason: &'static str,
}

/// All of them.
pub const MASK_EXCEPTIONS: &[MaskException] = &[];

/// The exception that covers a word of a chip.
pub fn mask_exception(chip: Chip, word: &str, _entry: u16) -> Option<&'static MaskException> {
    MASK_EXCEPTIONS
        .iter()
        .find(|e| e.word == word && chip.within(e.since, e.until))
}
