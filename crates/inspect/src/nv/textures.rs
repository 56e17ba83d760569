//! The textures of a draw.

use super::Film;
use crate::question::{Answer, Question};
use crate::texture::{self, Part};
use anyhow::Context;
use serde_json::{Value, json};

impl Film {
    /// Every texture unit that is on.
    pub fn textures(&mut self, event: usize) -> anyhow::Result<Answer> {
        let player = self.seek(event + 1)?;
        let (mirror, memory) = (&player.mirror, &player.gpu.memory);
        let units = (0..mirror.texture_units()).filter_map(|unit| {
            let source = mirror.texture(unit)?;
            let image = source.decode(memory);
            let sizes: Vec<[i32; 3]> = image.levels.iter().map(|level| level.size).collect();
            let format = texture::format_name(source.format.texel);
            Some(json!({
                "unit": unit, "address": source.addr, "format": format, "size": source.size,
                "pitch": source.pitch, "cube": source.cube, "border": source.border,
                "levels": sizes,
            }))
        });
        let units: Vec<Value> = units.collect();
        Ok(Answer::Json(json!(units)))
    }

    /// One level, face and slice of a texture.
    pub fn texture(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        let event = self.event(question)?;
        let unit: usize = question.number("unit")?;
        let part = Part {
            level: question.number_or("level", 0)?,
            face: question.number_or("face", 0)?,
            slice: question.number_or("slice", 0)?,
        };
        let player = self.seek(event + 1)?;
        let known = unit < player.mirror.texture_units();
        let source = known.then(|| player.mirror.texture(unit)).flatten();
        let source = source.with_context(|| format!("texture unit {unit} is off"))?;
        let image = source.decode(&player.gpu.memory);
        let picture = texture::picture(&source, &image, part).context("no such level")?;
        let format = texture::format_name(source.format.texel);
        Ok(Answer::picture(&picture, json!({ "format": format })))
    }
}
