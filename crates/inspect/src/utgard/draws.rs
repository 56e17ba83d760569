//! What a draw of a Mali has: render state, programs, textures, positions.

use super::Film;
use crate::follow::mali;
use crate::follow::{Shape, shapes};
use crate::nv::field;
use crate::question::{Answer, Question};
use crate::reference;
use anyhow::Context;
use isotherm::capture::Image;
use isotherm::mali::{Texture, WhatIf};
use isotherm_regs::mali::words::RSW;
use isotherm_regs::{Chip, explain};
use serde_json::{Value, json};

/// Vertices that the page gets.
const MOST: usize = 1 << 15;

impl Film {
    /// The words of the render state, with what they were at the draw before.
    pub fn state(&self, event: usize) -> anyhow::Result<Answer> {
        let Some(draw) = self.draw(event)? else {
            return Ok(Answer::Json(Value::Null));
        };
        let before = (draw.number as usize).checked_sub(2);
        let before = before.and_then(|i| self.draws.get(i));
        let (words, _) = explain::record(Chip::Mali400, &RSW, &draw.draw.state);
        let list: Vec<Value> = words
            .iter()
            .enumerate()
            .map(|(index, word)| {
                let was = before.and_then(|b| b.draw.state.get(index));
                json!({
                    "name": word.name, "bundle": "RSW", "index": index, "word": word.value,
                    "was": was.filter(|was| **was != word.value), "fields": word.fields(),
                })
            })
            .collect();
        Ok(Answer::Json(json!({
            "units": { "render state": list },
            "surfaces": null,
        })))
    }

    /// Vertex and fragment program.
    pub fn programs(&self, event: usize) -> anyhow::Result<Answer> {
        Ok(Answer::Json(match self.draw(event)? {
            Some(draw) => json!({
                "vertex": draw.vertex.as_ref().map(|v| &v.text),
                "fragment": draw.fragment.text,
                "combiners": null,
            }),
            None => Value::Null,
        }))
    }

    /// The textures that a draw's samplers name.
    pub fn textures(&mut self, event: usize) -> anyhow::Result<Answer> {
        let Some(draw) = self.draw(event)? else {
            return Ok(Answer::Json(json!([])));
        };
        let state = draw.draw.state.clone();
        let gpu = self.seek(Some(event))?;
        let textures = isotherm::mali::textures(&gpu.memory, &state);
        let list: Vec<Value> = textures
            .iter()
            .map(|texture| match texture {
                Ok(texture) => about(texture),
                Err(error) => json!({ "error": error.to_string() }),
            })
            .collect();
        Ok(Answer::Json(json!(list)))
    }

    /// One level and layer of a texture.
    pub fn texture(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        let event = self.event(question)?;
        let unit: usize = question.number("unit")?;
        let level: usize = question.number_or("level", 0)?;
        let face: usize = question.number_or("face", 0)?;
        let slice: usize = question.number_or("slice", 0)?;
        let state = self.draw(event)?.context("no draw")?.draw.state.clone();
        let gpu = self.seek(Some(event))?;
        let textures = isotherm::mali::textures(&gpu.memory, &state);
        let mut textures = textures.into_iter().flatten();
        let texture = textures.find(|t| t.sampler == unit);
        let texture = texture.with_context(|| format!("sampler {unit} has no texture"))?;
        let level = texture.levels.get(level).context("no such level")?;
        let layer = if texture.cube { face } else { slice };
        let len = 4 * (level.width * level.height) as usize;
        let rgba = level.rgba.chunks(len).nth(layer);
        let image = Image {
            width: level.width,
            height: level.height,
            rgba: rgba.context("no such layer")?.to_vec(),
        };
        Ok(Answer::picture(
            &image,
            json!({ "format": format_name(&texture) }),
        ))
    }

    /// What goes into the vertex program, and the positions behind it.
    pub fn mesh(&mut self, event: usize) -> anyhow::Result<Answer> {
        let Some(found) = self.draw(event)?.map(|draw| draw.draw.clone()) else {
            return Ok(Answer::Json(Value::Null));
        };
        let record = self.entry(event)?.record;
        self.play(None, WhatIf::default(), None)?;
        let attributes = mali::attributes(&mut self.gpu, &self.records, record, &found)?;
        let draw = self.draw(event)?.context("no draw")?;
        let count = draw.positions.len().min(MOST);
        let window: Vec<f32> = draw.positions[..count].iter().flatten().copied().collect();
        let attributes = attributes.iter().enumerate().map(|(number, rows)| {
            let values: Vec<f32> = rows.iter().take(count).flatten().copied().collect();
            json!({ "attribute": number, "values": values })
        });
        let modes = crate::names::PRIMS.iter();
        let primitive = modes.into_iter().position(|mode| *mode == draw.draw.mode);
        let shapes = shapes(primitive.unwrap_or(0) as u8, count);
        Ok(Answer::Json(json!({
            "primitive": draw.draw.mode,
            "count": count,
            "cut": draw.draw.elements > count,
            "numbers": draw.draw.vertices.get(..count),
            "attributes": attributes.collect::<Vec<_>>(),
            "window": window,
            "colors": [],
            "sets": [],
            "shapes": shapes.iter().map(Shape::vertices).collect::<Vec<_>>(),
        })))
    }

    /// A vertex on its way through the vertex program.
    pub fn vertex(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        let event = self.event(question)?;
        let number: usize = question.number("vertex")?;
        let record = self.entry(event)?.record;
        let draw = self.draw(event)?.context("no draw")?;
        let position = *draw.positions.get(number).context("no such vertex")?;
        let positions = draw.draw.positions;
        // The page counts vertices as they are drawn, the job as they are stored.
        let stored = draw.draw.vertices.get(number).copied();
        let stored = stored.context("no such vertex")? as usize;
        self.play(None, WhatIf::default(), None)?;
        let run = mali::vertex(&mut self.gpu, &self.records, record, positions, stored)?;
        let mut run = run.unwrap_or_default();
        if run.outputs.is_empty() {
            // No program of ours: somebody else put it there.
            run.outputs.push(("window position".into(), position));
        }
        Ok(Answer::Json(mali::vertex_json(&run)))
    }

    /// How many pixels a draw changed.
    pub fn why(&mut self, event: usize) -> anyhow::Result<Answer> {
        let after = self.picture(event, false)?;
        let before = self.picture(event, true)?;
        let pixels = match (&before, &after) {
            (Some(a), Some(b)) => {
                let pairs = a.rgba.chunks(4).zip(b.rgba.chunks(4));
                pairs.filter(|(a, b)| a != b).count()
            }
            _ => 0,
        };
        let vertices = self.draw(event)?.map(|draw| draw.draw.elements);
        Ok(Answer::Json(json!({ "traps": [], "reports": [
            { "vertices": vertices, "pixels": pixels, "reason": null, "word": null },
        ] })))
    }
}

fn about(texture: &Texture) -> Value {
    let levels = texture.levels.iter();
    let sizes: Vec<[u32; 3]> = levels
        .map(|level| [level.width, level.height, level.layers])
        .collect();
    json!({
        "unit": texture.sampler, "address": texture.descriptor, "cube": texture.cube,
        "format": format_name(texture), "size": sizes.first(), "levels": sizes,
        "border": false,
    })
}

fn format_name(texture: &Texture) -> String {
    format!("format {:02X}h", texture.format)
}

/// A word of the render state field by field.
pub fn explain(question: &Question<'_>) -> anyhow::Result<Answer> {
    let index: usize = question.number("index")?;
    let word: u32 = question.number("word")?;
    let mut state = [0; 16];
    *state.get_mut(index).context("no such word")? = word;
    let (words, _) = explain::record(Chip::Mali400, &RSW, &state);
    let explained = words.get(index).context("no such word")?;
    Ok(Answer::Json(json!({
        "name": explained.name,
        "names": [],
        "id": null,
        "doc": explained.doc,
        "word": word,
        "undeclared": explained.undeclared,
        "fields": explained.lines.iter().map(field).collect::<Vec<_>>(),
        "reference": reference::link("mali.md", &format!("{index}: {}", explained.name)),
    })))
}
