//! An open capture that answers questions.

use crate::nv;
use crate::question::{Answer, Question};
use crate::reference;
use crate::utgard;
use anyhow::ensure;
use isotherm::capture::{Reader, read_all, unpacked};
use isotherm::{Chip, Family, gpu, import};
use serde_json::json;
use std::io::{Cursor, Read};
use std::sync::Arc;

/// An open capture.
pub struct Session {
    name: String,
    hash: String,
    chip: Chip,
    film: Film,
}

enum Film {
    Nv(Box<nv::Film>),
    Utgard(Box<utgard::Film>),
}

impl Session {
    /// Opens a capture, or a dump that lima wrote; either may be compressed. Nothing is drawn
    /// before somebody asks.
    pub fn open(name: &str, bytes: &[u8]) -> anyhow::Result<Session> {
        let imported = lima(bytes)?;
        let capture = imported.as_deref().unwrap_or(bytes);
        let mut reader = Reader::new(Cursor::new(capture))?;
        let chip = gpu::chip(&mut reader)?;
        let records = read_all(&mut reader)?;
        let film = match chip.family() {
            Family::Utgard => Film::Utgard(Box::new(utgard::Film::new(records)?)),
            _ => {
                let film = nv::Film::new(chip, Arc::from(records), capture.into());
                Film::Nv(Box::new(film?))
            }
        };
        Ok(Session {
            name: name.to_string(),
            hash: format!("{:016x}", hash(bytes)),
            chip,
            film,
        })
    }

    /// Answers a question; an error's text is for people.
    pub fn ask(&mut self, question: &str) -> anyhow::Result<Answer> {
        let question = Question::new(question);
        if question.what == "info" {
            return Ok(Answer::Json(json!({
                "name": self.name,
                "hash": self.hash,
                "chip": self.chip.name(),
                "family": format!("{:?}", self.chip.family()),
            })));
        }
        if question.what == "reference" {
            return reference::section(&question);
        }
        match &mut self.film {
            Film::Nv(film) => film.ask(&question),
            Film::Utgard(film) => film.ask(&question),
        }
    }
}

/// Longest dump of lima's: more than it writes in an hour.
const MOST_TEXT: u64 = 1 << 29;

/// A capture made of a dump that lima wrote; `None` if these bytes are something else.
fn lima(bytes: &[u8]) -> anyhow::Result<Option<Vec<u8>>> {
    let mut start = Vec::new();
    // What cannot be unpacked is the reader's to complain about.
    let Ok(file) = unpacked(bytes) else {
        return Ok(None);
    };
    let _ = file.take(4096).read_to_end(&mut start);
    if !import::lima_dump::looks_like_dump(&start) {
        return Ok(None);
    }
    let mut whole = Vec::new();
    unpacked(bytes)?
        .take(MOST_TEXT + 1)
        .read_to_end(&mut whole)?;
    ensure!(
        whole.len() as u64 <= MOST_TEXT,
        "a dump of more than {MOST_TEXT} bytes"
    );
    let text = String::from_utf8_lossy(&whole);
    Ok(Some(import::lima_dump(&text)?.capture))
}

/// A number by which a file is known again (FNV-1a).
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    bytes
        .iter()
        .fold(START, |hash, byte| mix(hash, u64::from(*byte)))
}

/// One step of FNV-1a.
pub(crate) fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0100_0000_01b3)
}
