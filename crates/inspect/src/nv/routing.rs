//! The bundles of an event on their way down the pipeline: who took them, who passed them on.

use super::Film;
use crate::names::{register, set_fields};
use crate::question::Answer;
use isotherm::bundle::PIPELINE;
use isotherm::takes;
use isotherm_regs::bundle::{Bundle, Unit};
use isotherm_regs::explain;
use serde_json::{Value, json};

/// Bundles that are shown one by one.
const MOST: usize = 1500;

fn name(unit: Unit) -> String {
    format!("{unit:?}").to_lowercase()
}

impl Film {
    /// The bundles that were sent between the event before and this one's end.
    pub fn routing(&mut self, event: usize) -> anyhow::Result<Answer> {
        let chip = self.chip;
        self.seek(event)?;
        self.player.record_bundles(true);
        self.play(event)?;
        let sent = self.player.record_bundles(false);
        let mut took = PIPELINE.map(|_| 0usize);
        let mut bundles = Vec::new();
        for &(id, word) in &sent {
            let Some((bundle, index)) = Bundle::locate(chip.family(), id) else {
                continue;
            };
            let takers = PIPELINE.map(|unit| takes(unit, bundle));
            for (count, taken) in took.iter_mut().zip(takers) {
                *count += usize::from(taken);
            }
            if bundles.len() < MOST {
                let takers = PIPELINE.iter().zip(takers).filter(|(_, taken)| *taken);
                bundles.push(json!({
                    "name": register(chip, bundle, index),
                    "bundle": bundle.name(),
                    "index": index,
                    "word": word,
                    "takers": takers.map(|(unit, _)| name(*unit)).collect::<Vec<_>>(),
                    "fields": set_fields(&explain::word(chip, bundle.word(), index, word)),
                }));
            }
        }
        let units: Vec<Value> = PIPELINE
            .iter()
            .zip(took)
            .map(|(unit, took)| json!({ "unit": name(*unit), "took": took }))
            .collect();
        Ok(Answer::Json(json!({
            "sent": sent.len(), "units": units, "bundles": bundles,
        })))
    }
}
