//! The vertices of a draw, before the vertex engine and behind it.

use super::Film;
use crate::follow::{Mesh, Shape, shapes};
use crate::names::primitive;
use crate::question::{Answer, Question};
use crate::vertex;
use anyhow::Context;
use serde_json::{Value, json};

/// Vertices that the page gets; it says so when there are more.
const MOST: usize = 1 << 15;

impl Film {
    /// Runs a draw, keeping its vertices.
    fn collect(&mut self, event: usize) -> anyhow::Result<&Mesh> {
        self.seek(event)?;
        self.player.mirror.collect(true);
        self.play(event)?;
        self.player.mirror.collect(false);
        Ok(&self.player.mirror.mesh)
    }

    /// The vertices of a draw.
    pub fn mesh(&mut self, event: usize) -> anyhow::Result<Answer> {
        if !self.is_draw(event) {
            return Ok(Answer::Json(Value::Null));
        }
        Ok(Answer::Json(json(self.collect(event)?)))
    }

    /// One vertex, step by step.
    pub fn vertex(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        let event = self.event(question)?;
        let number: usize = question.number("vertex")?;
        self.collect(event)?;
        let found = self.player.mirror.vertex(number);
        let found = found.with_context(|| format!("event {event} has no vertex {number}"))?;
        Ok(Answer::Json(vertex::follow(found)?.json()))
    }
}

fn floats(row: [u32; 4]) -> [f32; 4] {
    row.map(f32::from_bits)
}

fn json(mesh: &Mesh) -> Value {
    let count = mesh.outputs.len().min(mesh.inputs.len()).min(MOST);
    let (inputs, outputs) = (&mesh.inputs[..count], &mesh.outputs[..count]);
    let default = [0, 0, 0, 1f32.to_bits()];
    let used: Vec<usize> = (0..16)
        .filter(|a| *a == 0 || inputs.iter().any(|v| v.attr[*a] != default))
        .collect();
    let attributes: Vec<Value> = used
        .iter()
        .map(|&a| {
            let rows: Vec<f32> = inputs.iter().flat_map(|v| floats(v.attr[a])).collect();
            json!({ "attribute": a, "values": rows })
        })
        .collect();
    let window: Vec<f32> = outputs.iter().flat_map(|v| floats(v.pos)).collect();
    let colors: Vec<u8> = outputs.iter().flat_map(|v| v.color[0]).collect();
    let sets: Vec<usize> = (0..8)
        .filter(|s| outputs.iter().any(|v| v.tex[*s] != [0; 4]))
        .collect();
    let sets: Vec<Value> = sets
        .iter()
        .map(|&s| {
            let rows: Vec<f32> = outputs.iter().flat_map(|v| floats(v.tex[s])).collect();
            json!({ "set": s, "values": rows })
        })
        .collect();
    json!({
        "primitive": primitive(mesh.prim),
        "count": count,
        "cut": mesh.cut || mesh.outputs.len() > count,
        "numbers": mesh.numbers.get(..count),
        "attributes": attributes,
        "window": window,
        "colors": colors,
        "sets": sets,
        "shapes": shapes(mesh.prim, count).iter().map(Shape::vertices).collect::<Vec<_>>(),
    })
}
