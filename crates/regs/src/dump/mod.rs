//! Reading register dumps and word streams, of any size, from any source; and writing them.
//!
//! Three forms are read and told apart by their beginning:
//!
//! * text: lines of `NAME VALUE…`, `ADDRESS VALUE…` or `CLASS:METHOD VALUE…`, all
//!   numbers hexadecimal with or without `0x`; `#` starts a comment; a line
//!   `chip NAME` says which chip it is; a register that is no state word is handed
//!   out as such;
//! * JSON: objects `{"name": …, "value": …}` in an array, one after another or
//!   under `"words"`, or one object of names and values; `"chip"` as in text;
//! * raw words, little-endian: a pusher stream, or one word or record after another.
//!
//! Nothing is kept but the current line or record, and every input is taken as
//! hostile: lengths are bounded and an error says where and what was expected.

mod json;
mod raw;
mod text;
mod write;

pub use raw::Raw;
pub use write::{name, write};

use crate::chip::Chip;
use crate::find::Target;
use std::io::BufRead;

/// Longest line of text, longest string of JSON.
pub const LONGEST: usize = 1 << 16;

/// Where in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(u64),
    /// A byte offset.
    Offset(u64),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Line(n) => write!(f, "line {n}"),
            Place::Offset(n) => write!(f, "offset {n:#x}"),
        }
    }
}

/// Why a dump could not be read.
#[derive(Debug)]
pub struct Error {
    /// Where.
    pub place: Place,
    /// What was wrong and what was expected.
    pub problem: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for Error {}

/// What the reader hands out: something named, and its words.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// The chip it is of.
    pub chip: Chip,
    /// What it is.
    pub target: Target,
    /// Its words: one, a record, or a command.
    pub words: &'a [u32],
    /// Where it stood.
    pub place: Place,
}

/// How the input is to be read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The chip, unless the dump says so.
    pub chip: Option<Chip>,
    /// The form, or `None` to look.
    pub form: Option<Form>,
}

/// Form of the input.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Lines of text.
    Text,
    /// JSON.
    Json,
    /// Words.
    Raw(Raw),
}

/// A visitor's refusal ends the reading with this.
pub type Visit<'v> = dyn FnMut(Item<'_>) -> Result<(), String> + 'v;

/// Reads a dump and hands every item to `visit`.
pub fn read(input: &mut dyn BufRead, options: Options, visit: &mut Visit<'_>) -> Result<(), Error> {
    let form = match options.form {
        Some(form) => form,
        None => detect(input, options.chip)?,
    };
    match form {
        Form::Text => text::read(input, options.chip, visit),
        Form::Json => json::read(input, options.chip, visit),
        Form::Raw(raw) => raw::read(input, options.chip, raw, visit),
    }
}

fn io_error(place: Place, error: &std::io::Error) -> Error {
    Error {
        place,
        problem: format!("cannot be read: {error}"),
    }
}

/// Looks at the first bytes: JSON begins with a bracket, text has no control bytes.
fn detect(input: &mut dyn BufRead, chip: Option<Chip>) -> Result<Form, Error> {
    let start = input
        .fill_buf()
        .map_err(|e| io_error(Place::Offset(0), &e))?;
    let head = &start[..start.len().min(4096)];
    let first = head.iter().find(|b| !b.is_ascii_whitespace());
    if matches!(first, Some(b'{' | b'[')) {
        return Ok(Form::Json);
    }
    let binary = head
        .iter()
        .any(|&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r') || b == 0x7f);
    if binary || std::str::from_utf8(head).is_err_and(|e| e.error_len().is_some()) {
        return Ok(Form::Raw(Raw::natural(chip)));
    }
    Ok(Form::Text)
}

/// Says that no chip is known.
fn no_chip(place: Place) -> Error {
    Error {
        place,
        problem: "which chip? give one, or begin the dump with a line such as \"chip nv25\"".into(),
    }
}
