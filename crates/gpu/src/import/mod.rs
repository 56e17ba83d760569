//! Importers: what other tools record, as captures.

mod bytes;
mod lima;
pub mod lima_dump;
mod lima_kernel;
mod methods;
mod rrc;

pub use lima::lima_dump;
pub use lima_kernel::{lima_kernel_dump, looks_like_kernel_dump};
pub use methods::{pushbuffer, trace_lines};
pub use rrc::rrc;

/// A capture made from something else.
#[derive(Debug, Default)]
pub struct Imported {
    /// The capture file.
    pub capture: Vec<u8>,
    /// What was lost or doubtful, with the line it was found in.
    pub warnings: Vec<String>,
}

/// Why an import failed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Nothing that could be imported.
    #[error("{0}")]
    Nothing(&'static str),
    /// A file that stops making sense.
    #[error("at offset {offset}: {what}")]
    Bad {
        /// Where.
        offset: usize,
        /// How.
        what: String,
    },
    /// Bad pushbuffer.
    #[error(transparent)]
    Walk(#[from] isotherm_fe::fifo::WalkError),
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Warnings after this many are only counted.
const MOST_WARNINGS: usize = 100;

/// Collects warnings.
#[derive(Default)]
struct Warnings {
    list: Vec<String>,
    more: usize,
}

impl Warnings {
    fn add(&mut self, line: usize, text: impl std::fmt::Display) {
        if self.list.len() < MOST_WARNINGS {
            self.list.push(format!("line {line}: {text}"));
        } else {
            self.more += 1;
        }
    }

    fn finish(mut self) -> Vec<String> {
        if self.more > 0 {
            self.list.push(format!("and {} more", self.more));
        }
        self.list
    }
}
