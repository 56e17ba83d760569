//! An open capture that answers questions.

use crate::nv;
use crate::question::{Answer, Question};
use crate::utgard;
use isotherm::capture::{Reader, read_all};
use isotherm::{Chip, Family, gpu, import};
use serde_json::json;
use std::io::Cursor;
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
        let chip = gpu::start(&mut reader)?.chip();
        let records = read_all(&mut reader)?;
        let film = match chip.family() {
            Family::Utgard => Film::Utgard(Box::new(utgard::Film::new(records))),
            _ => Film::Nv(Box::new(nv::Film::new(
                chip,
                Arc::from(records),
                capture.into(),
            ))),
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
        match &mut self.film {
            Film::Nv(film) => film.ask(&question),
            Film::Utgard(film) => film.ask(&question),
        }
    }
}

/// A capture made of a dump that lima wrote; `None` if these bytes are something else.
fn lima(bytes: &[u8]) -> anyhow::Result<Option<Vec<u8>>> {
    if !import::lima_dump::looks_like_dump(&bytes[..bytes.len().min(4096)]) {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(bytes);
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
