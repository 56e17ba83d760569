//! Another emulator's figures for the same goldens, shown beside ours: `xemu-*.json` in a root.

use super::record::{Record, Status};
use super::summary::Counters;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Figures in total and per suite.
type Figures = (Counters, BTreeMap<String, Counters>);

/// What the file says, and the sums over the cases that we ran.
pub struct Xemu {
    cases: HashMap<String, Case>,
    /// With its OpenGL and with its Vulkan renderer.
    sums: [Figures; 2],
}

#[derive(Deserialize)]
struct File {
    cases: HashMap<String, Case>,
}

#[derive(Deserialize)]
struct Case {
    gl: Option<Pixels>,
    vk: Option<Pixels>,
}

#[derive(Deserialize)]
struct Pixels {
    n: u32,
    diff: u32,
    gt1: u32,
    gt2: u32,
    gt4: u32,
    rgba: u32,
}

impl Xemu {
    /// Reads the file, if the folder has one.
    pub fn read(folder: &Path) -> Option<Xemu> {
        let list = std::fs::read_dir(folder).ok()?;
        let path = list
            .filter_map(|entry| Some(entry.ok()?.path()))
            .find(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                name.starts_with("xemu-") && name.ends_with(".json")
            })?;
        let File { cases } = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        let sums = Default::default();
        Some(Xemu { cases, sums })
    }

    /// Adds its figures for a case that we ran.
    pub fn add(&mut self, ours: &Record) {
        let key = format!("{}/{}.png", ours.suite, ours.name);
        let Some(case) = self.cases.get(&key) else {
            return;
        };
        for ((totals, suites), pixels) in self.sums.iter_mut().zip([&case.gl, &case.vk]) {
            let counters = Counters::of(&record(ours, pixels.as_ref()));
            totals.add(&counters);
            suites.entry(ours.suite.clone()).or_default().add(&counters);
        }
    }

    /// The figures of the better one of its renderers.
    pub fn figures(&self) -> Option<&Figures> {
        self.sums.iter().max_by_key(|(totals, _)| totals.exact_rgba)
    }
}

/// Its picture as if it were a case of ours.
fn record(ours: &Record, pixels: Option<&Pixels>) -> Record {
    let mut record = Record {
        against: ours.against,
        status: Status::Error,
        ..Record::default()
    };
    if let Some(p) = pixels {
        (record.pixels, record.differ, record.differ_rgb) = (Some(p.n), Some(p.rgba), Some(p.diff));
        (record.over1, record.over2, record.over4) = (Some(p.gt1), Some(p.gt2), Some(p.gt4));
        record.settle();
    }
    record
}
