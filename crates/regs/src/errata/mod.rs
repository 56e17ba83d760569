//! Where the documents are wrong or silent, and where declarations knowingly
//! differ from a source. `docs/errata.md` is made from this and from the
//! declarations' own remarks.

mod bundles;
mod render_state;
mod xf;

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

/// One of the three documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// "Pipeline Bundles".
    Bundles,
    /// "XF: The vertex transform & lighting engine".
    Xf,
    /// "Render State" of limadriver.org.
    RenderState,
}

/// The documents with their titles.
pub const DOCUMENTS: &[(Document, &str)] = &[
    (Document::Bundles, "Pipeline Bundles"),
    (Document::Xf, "XF: The vertex transform & lighting engine"),
    (Document::RenderState, "Render State (limadriver.org)"),
];

/// One error, doubt or gap of a document.
#[derive(Clone, Copy, Debug)]
pub struct Erratum {
    /// Which document.
    pub document: Document,
    /// Where in it.
    pub place: &'static str,
    /// What it says.
    pub says: &'static str,
    /// What is known today.
    pub known: &'static str,
    /// How.
    pub evidence: &'static str,
}

const fn e(
    document: Document,
    place: &'static str,
    says: &'static str,
    known: &'static str,
    evidence: &'static str,
) -> Erratum {
    Erratum {
        document,
        place,
        says,
        known,
        evidence,
    }
}

const SCAN: &str = "register scan";
const VECTORS: &str = "method vectors of the hardware tests";
const NEWER: &str = "newer edition of the page";
const HEADERS: &str = "public NV097 headers";
const PICTURES: &str = "pictures of an NV2A";
const NOTHING: &str = "none";

/// All entries, in the documents' order.
pub fn entries() -> impl Iterator<Item = &'static Erratum> {
    [bundles::ENTRIES, xf::ENTRIES, render_state::ENTRIES]
        .into_iter()
        .flatten()
}
