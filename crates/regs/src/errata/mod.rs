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
pub const MASK_EXCEPTIONS: &[MaskException] = &[
    MaskException {
        word: "Z_CONFIG",
        since: Chip::Nv25,
        until: Chip::Nv30,
        reason: "the method vectors of class 597h put bit 31 of method 1D84h into the bundle; the scan's mask lacks it",
    },
    MaskException {
        word: "Z_CONFIG",
        since: Chip::Nv35,
        until: Chip::Nv40,
        reason: "the method vectors of class 497h put DEPTH_BOUNDS_ENABLE into bit 5, those of class 697h the compression into bit 0; the scan's masks lack both",
    },
    MaskException {
        word: "Z_CONFIG",
        since: Chip::Nv40,
        until: Chip::Mali200,
        reason: "the method vectors of classes 4097h and 4497h put bit 31 of method 1D84h into the bundle; the scan's mask lacks it",
    },
    MaskException {
        word: "RC_CONFIG",
        since: Chip::Nv34,
        until: Chip::Nv40,
        reason: "the method vectors of class 697h set bit 24; the scan's mask lacks it",
    },
    MaskException {
        word: "DEPTH_BOUNDS_MIN",
        since: Chip::Nv35,
        until: Chip::Nv40,
        reason: "the method vectors of class 497h send it; the scan of NV35 has no such register, and on the chips after it in this list no method writes it",
    },
    MaskException {
        word: "DEPTH_BOUNDS_MAX",
        since: Chip::Nv35,
        until: Chip::Nv40,
        reason: "as DEPTH_BOUNDS_MIN",
    },
];

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
