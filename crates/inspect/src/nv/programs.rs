//! Vertex and fragment programs and register combiners of a draw.

use super::Film;
use crate::combiners;
use crate::question::Answer;
use isotherm::Family;
use isotherm::capture::Reader;
use isotherm::programs::{fragments, vertex};
use isotherm_regs::fp;
use isotherm_regs::xf::asm;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The programs of all draws. Draws that run the same one share its text.
#[derive(Default)]
pub struct Programs {
    vertex: HashMap<u64, Arc<str>>,
    fragment: HashMap<u64, Arc<str>>,
}

/// Keeps every text once.
#[derive(Default)]
struct Texts(HashSet<Arc<str>>);

impl Texts {
    fn keep(&mut self, text: String) -> Arc<str> {
        if let Some(kept) = self.0.get(text.as_str()) {
            return kept.clone();
        }
        let text: Arc<str> = text.into();
        self.0.insert(text.clone());
        text
    }
}

/// Draws whose programs are looked at.
const MOST_DRAWS: usize = 1 << 16;

impl Programs {
    /// Looks at the whole capture, with a chip that draws nothing.
    fn read(capture: &[u8]) -> anyhow::Result<Programs> {
        let mut found = Programs::default();
        let mut texts = Texts::default();
        vertex::draws(Reader::new(capture)?, |draw| {
            let text = asm::disassemble(&draw.program());
            found.vertex.insert(draw.number, texts.keep(text));
            found.vertex.len() < MOST_DRAWS
        })?;
        fragments::draws(Reader::new(capture)?, |draw| {
            let text = match draw.program() {
                Ok(program) => fp::asm::disassemble(draw.family, &program),
                Err(error) => format!("# {:#010x}: {error}\n", draw.address),
            };
            found.fragment.insert(draw.number, texts.keep(text));
            found.fragment.len() < MOST_DRAWS
        })?;
        Ok(found)
    }
}

impl Film {
    /// What a draw runs.
    pub fn programs(&mut self, event: usize) -> anyhow::Result<Answer> {
        if !self.is_draw(event) {
            return Ok(Answer::Json(Value::Null));
        }
        if self.programs.is_none() {
            self.programs = Some(Programs::read(&self.capture)?);
        }
        let draw = self.entry(event)?.draw;
        let family = self.chip.family();
        let combiners = matches!(family, Family::Celsius | Family::Kelvin);
        let listing = match combiners {
            true => Some(combiners::listing(self.mirror(event)?)),
            false => None,
        };
        let programs = self.programs.as_ref();
        let text = |list: Option<&HashMap<u64, Arc<str>>>| {
            list.and_then(|list| list.get(&draw)).map(|t| t.to_string())
        };
        Ok(Answer::Json(json!({
            "vertex": text(programs.map(|p| &p.vertex)),
            "fragment": text(programs.map(|p| &p.fragment)),
            "combiners": listing,
        })))
    }
}
