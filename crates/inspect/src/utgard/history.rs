//! Everything that happened to one pixel of a Mali's picture.

use super::Film;
use crate::question::{Answer, Question};
use anyhow::{Context, bail};
use isotherm::capture::Payload;
use isotherm::mali::WhatIf;
use isotherm::observe::Touch;
use serde_json::{Value, json};

impl Film {
    /// What touched a pixel, job by job.
    pub fn history(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        let event = self.event(question)?;
        let (x, y): (u32, u32) = (question.number("x")?, question.number("y")?);
        let surface = self.surface(event)?;
        let surface = surface.context("this event has no picture")?;
        if x >= surface.width || y >= surface.height {
            bail!("pixel ({x}, {y}) is outside the picture");
        }
        let address = surface.address(x, y);
        self.play(None, WhatIf::default(), Some(address))?;
        let start = self.gpu.memory.read_u32(address);
        let mut word = start;
        let mut touches: Vec<Value> = Vec::new();
        for index in 0..self.records.len() {
            let record = self.records[index].record();
            let job = matches!(record.payload, Payload::Pp(_));
            self.gpu.record(record)?;
            let after = self.gpu.memory.read_u32(address);
            let told = match job {
                true => self.gpu.touches(),
                false => Vec::new(),
            };
            if told.is_empty() && after != word {
                let what = "write by the CPU";
                let change = json!({ "what": what, "before": word, "after": after });
                touches.push(json!({ "event": self.last_event(index), "change": change }));
            }
            touches.extend(told.iter().map(|touch| {
                let event = match touch {
                    Touch::Mali(fragment) => self.event_of_draw(fragment.draw),
                    _ => self.first_event(index),
                };
                json!({ "event": event, "touch": touch })
            }));
            word = after;
        }
        Ok(Answer::Json(json!({
            "address": address, "start": start, "end": word, "touches": touches,
        })))
    }

    fn event_of_draw(&self, draw: u64) -> Option<usize> {
        self.entries.iter().position(|e| e.draw == Some(draw))
    }

    fn first_event(&self, record: usize) -> Option<usize> {
        self.entries.iter().position(|e| e.record >= record)
    }

    fn last_event(&self, record: usize) -> Option<usize> {
        self.entries.iter().rposition(|e| e.record <= record)
    }
}
