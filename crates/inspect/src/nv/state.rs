//! State words of every unit, and why a draw shows nothing.

use super::Film;
use super::target::format_name;
use crate::follow::target;
use crate::names::{register, set_fields};
use crate::question::{Answer, Question};
use crate::reference;
use anyhow::Context;
use isotherm::pixel::rop::prepare::Surfaces;
use isotherm::pixel::rop::surface::Plane;
use isotherm::trap::Trap;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::explain::{self, Line};
use isotherm_regs::find::Target;
use isotherm_regs::{Chip, alias};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

impl Film {
    /// The words when an event is over, with what they were before it.
    pub fn state(&mut self, event: usize) -> anyhow::Result<Answer> {
        let chip = self.chip;
        let was: HashMap<u16, u32> = self.entry(event)?.changes.iter().copied().collect();
        let surfaces = self.entry(event)?.surfaces;
        let words = &self.mirror(event)?.words;
        let mut units: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for bundle in Bundle::all() {
            let Some(ids) = bundle.row().on(chip) else {
                continue;
            };
            let unit = format!("{:?}", bundle.row().unit).to_lowercase();
            let list = units.entry(unit).or_default();
            for index in 0..ids.count {
                let word = words.at(bundle, usize::from(index));
                let slot = (bundle.slot() + usize::from(index)) as u16;
                list.push(json!({
                    "name": register(chip, bundle, index),
                    "bundle": bundle.name(),
                    "index": index,
                    "word": word,
                    "was": was.get(&slot),
                    "fields": set_fields(&explain::word(chip, bundle.word(), index, word)),
                }));
            }
        }
        Ok(Answer::Json(json!({
            "units": units,
            "surfaces": surfaces_json(&surfaces),
        })))
    }

    /// A word field by field, with other names of the register.
    pub fn explain(&self, question: &Question<'_>) -> anyhow::Result<Answer> {
        let name = question.text("bundle").context("explain: bundle")?;
        let bundle = Bundle::by_name(name).context("explain: no such bundle")?;
        let index = question.number_or("index", 0)?;
        let word = question.number("word")?;
        let explained = explain::word(self.chip, bundle.word(), index, word);
        let names = match bundle.id(self.chip.family(), index) {
            Some(_) => alias::names(self.chip, Target::Bundle(bundle, index)),
            None => Vec::new(),
        };
        Ok(Answer::Json(json!({
            "name": register(self.chip, bundle, index),
            "names": names,
            "id": bundle.id(self.chip.family(), index),
            "doc": explained.doc,
            "word": word,
            "undeclared": explained.undeclared,
            "fields": explained.lines.iter().map(field).collect::<Vec<_>>(),
            "reference": reference::link("bundles.md", bundle.name()),
        })))
    }

    /// How many pixels a draw left, and why there are none; the methods that were refused.
    pub fn why(&mut self, event: usize) -> anyhow::Result<Answer> {
        let chip = self.chip;
        self.seek(event)?;
        self.player.mirror.forget_traps();
        self.player.gpu.inspect_draws(true);
        self.play(event)?;
        let reports = self.player.gpu.draw_reports();
        self.player.gpu.inspect_draws(false);
        let reports: Vec<Value> = reports
            .iter()
            .map(|report| {
                let nothing = report.why_nothing();
                json!({
                    "vertices": report.vertices,
                    "pixels": report.pixels,
                    "reason": nothing.map(|n| n.reason.to_string()),
                    "word": nothing.and_then(|n| n.word).map(|(b, w)| deciding(chip, b, w)),
                })
            })
            .collect();
        let traps = self.player.mirror.traps.iter();
        let trap = |trap: &Trap| {
            json!({
                "class": trap.class, "method": trap.method, "data": trap.data,
                "reason": trap.reason(),
            })
        };
        let traps: Vec<Value> = traps.map(trap).collect();
        Ok(Answer::Json(json!({ "reports": reports, "traps": traps })))
    }
}

fn deciding(chip: Chip, bundle: Bundle, word: u32) -> Value {
    json!({
        "name": register(chip, bundle, 0),
        "bundle": bundle.name(),
        "word": word,
        "fields": set_fields(&explain::word(chip, bundle.word(), 0, word)),
    })
}

/// A field for the page.
pub fn field(line: &Line) -> Value {
    json!({
        "name": line.name,
        "bits": [line.lo, line.hi],
        "raw": line.raw,
        "text": line.text,
        "meaning": line.meaning,
        "doc": line.doc,
        "remarks": line.remarks,
    })
}

fn surfaces_json(surfaces: &Surfaces) -> Value {
    let (width, height) = target::size(surfaces);
    let plane = |plane: Plane, format: String| {
        json!({
            "address": plane.address, "pitch": plane.pitch, "format": format,
            "swizzled": plane.swizzle.is_some(),
        })
    };
    let depth = if surfaces.z24 { "Z24S8" } else { "Z16" };
    json!({
        "width": width,
        "height": height,
        "clip": surfaces.clip,
        "samples": [surfaces.scale.0, surfaces.scale.1],
        "color": surfaces.color.map(|p| plane(p, format_name(surfaces))),
        "zeta": surfaces.zeta.map(|p| plane(p, depth.into())),
    })
}
