//! Everything that happened to one pixel.

use super::Film;
use super::target::plane;
use crate::follow::target;
use crate::question::{Answer, Question};
use anyhow::{Context, bail};
use isotherm::gpu::Gpu;
use serde_json::{Value, json};

/// Touches that are told in full.
const MOST: usize = 4096;

/// A pixel's word.
struct Place {
    address: u32,
    bytes: u32,
}

impl Place {
    fn word(&self, gpu: &Gpu) -> u32 {
        match self.bytes {
            1 => gpu.memory.read_u8(self.address).into(),
            2 => gpu.memory.read_u16(self.address).into(),
            _ => gpu.memory.read_u32(self.address),
        }
    }
}

impl Film {
    /// What touched a pixel, event by event, up to the last event that is listed.
    pub fn history(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        let place = self.place(question)?;
        self.stands = None;
        self.player.rewind();
        self.player.gpu.watch(Some(place.address));
        let mut word = place.word(&self.player.gpu);
        let start = word;
        let mut touches: Vec<Value> = Vec::new();
        for event in 0..self.entries.len() {
            self.play(event)?;
            let gpu = &mut self.player.gpu;
            let told = gpu.touches();
            let after = place.word(gpu);
            if told.is_empty() && after != word {
                let name = &self.entries[event].happened.name;
                touches.push(json!({ "event": event, "change": { "what": name, "before": word, "after": after } }));
            }
            let told = told
                .iter()
                .map(|touch| json!({ "event": event, "touch": touch }));
            touches.extend(told);
            word = after;
            if touches.len() >= MOST {
                break;
            }
        }
        self.player.gpu.watch(None);
        Ok(Answer::Json(json!({
            "address": place.address, "start": start, "end": word, "touches": touches,
        })))
    }

    fn place(&self, question: &Question<'_>) -> anyhow::Result<Place> {
        let event = self.event(question)?;
        let (x, y): (u32, u32) = (question.number("x")?, question.number("y")?);
        let what = question.text("what").unwrap_or("color");
        if what == "frame" {
            let surface = self.frame(question)?;
            if x >= surface.width || y >= surface.height {
                bail!("pixel ({x}, {y}) is outside the picture");
            }
            return Ok(Place {
                address: surface.address(x, y),
                bytes: surface.bytes(),
            });
        }
        let surfaces = self.entry(event)?.surfaces;
        let plane = plane(&surfaces, what)?.context("no such surface is bound")?;
        let (width, height) = target::size(&surfaces);
        let address = (x < width && y < height)
            .then(|| target::address(&plane, x, y))
            .flatten();
        Ok(Place {
            address: address.context("the pixel is outside the surface")?,
            bytes: plane.bytes,
        })
    }
}
