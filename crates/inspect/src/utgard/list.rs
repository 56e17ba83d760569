//! The list of events of a Mali's capture: geometry jobs, draws of pixel jobs, pictures.

use super::Film;
use crate::follow::mali;
use crate::question::Answer;
use isotherm::capture::{Image, Payload};
use isotherm::mali::trace::{Shader, vertex_programs};
use serde_json::{Value, json};

/// Longest side of a thumbnail.
const SIDE: u32 = 72;
/// Events that are listed.
const MOST_EVENTS: usize = 1 << 16;

/// An event.
pub struct Entry {
    kind: &'static str,
    name: String,
    /// The record that has to be run for it.
    pub record: usize,
    /// The draw, from 1.
    pub draw: Option<u64>,
    /// The picture of the capture.
    pub frame: Option<usize>,
    vertices: usize,
}

impl Entry {
    fn new(kind: &'static str, name: String, record: usize) -> Entry {
        Entry {
            kind,
            name,
            record,
            draw: None,
            frame: None,
            vertices: 0,
        }
    }

    fn json(&self, number: usize) -> Value {
        json!({
            "event": number, "kind": self.kind, "name": self.name, "draw": self.draw,
            "frame": self.frame, "vertices": self.vertices, "pixels": null, "traps": 0,
            "uploaded": 0, "changes": 0, "target": null, "size": [0, 0], "digest": null,
            "thumbnail": self.kind != "job",
        })
    }
}

impl Film {
    /// The events from a number on.
    pub fn events(&mut self, from: usize) -> anyhow::Result<Answer> {
        if !self.listed {
            self.listed = true;
            if let Err(error) = self.list() {
                self.error = Some(format!("{error:#}"));
            }
        }
        let listed = self.entries.iter().enumerate().skip(from);
        let events: Vec<Value> = listed.map(|(number, entry)| entry.json(number)).collect();
        let frames: Vec<Value> = self
            .surfaces
            .iter()
            .map(|s| json!({ "width": s.width, "height": s.height, "format": s.format, "frame": s.frame }))
            .collect();
        Ok(Answer::Json(json!({
            "events": events, "done": true, "error": self.error, "frames": frames,
        })))
    }

    /// Runs the capture once and lists what is in it, as far as it goes.
    fn list(&mut self) -> anyhow::Result<()> {
        self.seek(None)?;
        let (mut programs, mut frames) = (Vec::new(), 0);
        for index in 0..self.records.len() {
            if self.entries.len() >= MOST_EVENTS {
                break;
            }
            self.list_record(index, &mut programs, &mut frames)?;
            self.gpu.record(self.records[index].record())?;
        }
        Ok(())
    }

    fn list_record(
        &mut self,
        index: usize,
        programs: &mut Vec<(u32, Shader)>,
        frames: &mut usize,
    ) -> anyhow::Result<()> {
        match self.records[index].record().payload {
            Payload::Gp(job) => {
                *programs = vertex_programs(&self.gpu.memory, job.frame)?;
                let name = format!("geometry, {} vertex programs", programs.len());
                self.entries.push(Entry::new("job", name, index));
            }
            Payload::Pp(job) => {
                let before = self.draws.len() as u64;
                let draws = mali::draws_of_job(&self.gpu, job.frame, programs, 0, before)?;
                self.entries.extend(draws.iter().map(|draw| Entry {
                    draw: Some(draw.number),
                    vertices: draw.draw.elements,
                    ..Entry::new("draw", draw.draw.mode.to_string(), index)
                }));
                self.draws.extend(draws);
            }
            Payload::Surface(surface) => {
                let name = format!("{}x{} {}", surface.width, surface.height, surface.format);
                self.entries.push(Entry {
                    frame: Some(*frames),
                    ..Entry::new("frame", name, index)
                });
                *frames += 1;
            }
            _ => {}
        }
        Ok(())
    }

    /// An event's picture, small.
    pub fn thumbnail(&mut self, event: usize) -> anyhow::Result<Answer> {
        Ok(match self.picture(event, false)? {
            Some(image) => Answer::picture(&shrink(&image), json!({})),
            None => Answer::Json(Value::Null),
        })
    }
}

/// Every so manyth pixel.
fn shrink(image: &Image) -> Image {
    let longest = image.width.max(image.height).max(1);
    let side = |side: u32| (side * SIDE.min(longest) / longest).max(1);
    let (width, height) = (side(image.width), side(image.height));
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let at = |(x, y)| {
        let (x, y) = (x * image.width / width, y * image.height / height);
        4 * (y * image.width + x) as usize
    };
    let rgba = places.flat_map(|place| image.rgba[at(place)..][..4].iter().copied());
    Image {
        width,
        height,
        rgba: rgba.collect(),
    }
}
