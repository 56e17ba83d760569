//! The surfaces that events draw to, word for word.

use super::Film;
use crate::follow::target;
use crate::question::{Answer, Question};
use anyhow::{Context, bail};
use isotherm::memory::Memory;
use isotherm::pixel::rop::prepare::Surfaces;
use isotherm::pixel::rop::surface::Plane;
use serde_json::{Value, json};

impl Film {
    /// A surface when an event is over, or before it: `what` is `color`, `zeta` or `frame`.
    pub fn target(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        let event = self.event(question)?;
        let before: usize = question.number_or("before", 0)?;
        let what = question.text("what").unwrap_or("color");
        let surfaces = self.entry(event)?.surfaces;
        if what == "frame" {
            let surface = self.frame(question)?.clone();
            let player = self.seek(event + 1 - before.min(1))?;
            let head = json!({ "format": surface.format, "address": surface.addr });
            return Ok(Answer::picture(&surface.read(&player.gpu.memory), head));
        }
        let player = self.seek(event + 1 - before.min(1))?;
        words(&player.gpu.memory, &surfaces, what)
    }

    /// The picture of the capture that a question names.
    pub fn frame(&self, question: &Question<'_>) -> anyhow::Result<&isotherm::capture::Surface> {
        let number: usize = question.number_or("frame", self.surfaces.len().saturating_sub(1))?;
        let surface = self.surfaces.get(number);
        surface.with_context(|| {
            format!(
                "no picture {number}: the capture has {}",
                self.surfaces.len()
            )
        })
    }
}

/// A bound surface as words; null where none is bound.
pub fn words(memory: &Memory, surfaces: &Surfaces, what: &str) -> anyhow::Result<Answer> {
    let Some(plane) = plane(surfaces, what)? else {
        return Ok(Answer::Json(Value::Null));
    };
    let (width, height) = target::size(surfaces);
    let mut head = json!({
        "width": width, "height": height,
        "address": plane.address, "pitch": plane.pitch, "swizzled": plane.swizzle.is_some(),
        "samples": [surfaces.scale.0, surfaces.scale.1],
    });
    if what == "zeta" {
        head["format"] = if surfaces.z24 { "Z24S8" } else { "Z16" }.into();
        head["depth"] = (if surfaces.z24 { 24 } else { 16 }).into();
    } else {
        head["format"] = format_name(surfaces).into();
        head["channels"] = json!(surfaces.format.channels());
    }
    Ok(Answer::Words(head, target::words(memory, surfaces, &plane)))
}

/// The plane of colour or zeta.
pub fn plane(surfaces: &Surfaces, what: &str) -> anyhow::Result<Option<Plane>> {
    match what {
        "color" => Ok(surfaces.color),
        "zeta" => Ok(surfaces.zeta),
        other => bail!("no surface is called {other:?}: there are color, zeta and frame"),
    }
}

/// The colour format's name without what is forced.
pub fn format_name(surfaces: &Surfaces) -> String {
    let name = format!("{:?}", surfaces.format);
    name.split(' ').next().unwrap_or_default().to_string()
}
