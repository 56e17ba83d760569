//! Answers about captures of a Mali: its jobs, their draws, pictures.

mod draws;
mod history;
mod list;

use crate::follow::mali::{self, Draw};
use crate::question::{Answer, Question};
use anyhow::{Context, bail};
use isotherm::Chip;
use isotherm::capture::{Image, Owned, Payload, Surface};
use isotherm::gpu::Gpu;
use isotherm::mali::{WhatIf, color_surface};
use list::Entry;
use serde_json::{Value, json};

/// Longer than any side of a picture.
const MOST_SIDE: u32 = 8192;

/// A capture of a Mali.
pub struct Film {
    records: Vec<Owned>,
    gpu: Gpu,
    entries: Vec<Entry>,
    draws: Vec<Draw>,
    surfaces: Vec<Surface>,
    /// Why the list ends where it does, if that is no good reason.
    error: Option<String>,
    listed: bool,
    /// The entry behind which the chip stands.
    stands: Option<usize>,
}

impl Film {
    /// A capture of which nothing was looked at yet.
    pub fn new(records: Vec<Owned>) -> anyhow::Result<Film> {
        let gpu = Gpu::builder(Chip::Mali400).build()?;
        let lowest = gpu.memory.first_address();
        let below = |record: &Owned| match record.record().payload {
            Payload::Memory { addr, bytes } => addr < lowest && !bytes.is_empty(),
            _ => false,
        };
        if records.iter().any(below) {
            bail!(
                "it uses addresses below {lowest:08X}h, which a page has no room for: \
                 `isotherm inspect` has"
            );
        }
        let surfaces = records.iter().filter_map(Owned::surface).cloned().collect();
        Ok(Film {
            records,
            gpu,
            entries: Vec::new(),
            draws: Vec::new(),
            surfaces,
            error: None,
            listed: false,
            stands: None,
        })
    }

    /// Answers a question.
    pub fn ask(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        match question.what {
            "events" => self.events(question.number_or("from", 0)?),
            "thumbnail" => self.thumbnail(self.event(question)?),
            "target" => self.target(question),
            "state" => self.state(self.event(question)?),
            "explain" => draws::explain(question),
            "programs" => self.programs(self.event(question)?),
            "textures" => self.textures(self.event(question)?),
            "texture" => self.texture(question),
            "mesh" => self.mesh(self.event(question)?),
            "vertex" => self.vertex(question),
            "why" => self.why(self.event(question)?),
            "routing" => Ok(Answer::Json(Value::Null)),
            "history" => self.history(question),
            "switches" => Ok(switches()),
            "whatif" => self.what_if(question),
            other => bail!("no such question: {other:?}"),
        }
    }

    fn event(&self, question: &Question<'_>) -> anyhow::Result<usize> {
        let event = question.number("event")?;
        self.entry(event).map(|_| event)
    }

    fn entry(&self, event: usize) -> anyhow::Result<&Entry> {
        let listed = self.entries.len();
        let entry = self.entries.get(event);
        entry.with_context(|| format!("no event {event}: {listed} are listed"))
    }

    /// The draw of an event, if it is one.
    fn draw(&self, event: usize) -> anyhow::Result<Option<&Draw>> {
        let number = self.entry(event)?.draw;
        Ok(number.and_then(|n| self.draws.get(n as usize - 1)))
    }

    /// The chip behind an event; `None` is the beginning.
    fn seek(&mut self, event: Option<usize>) -> anyhow::Result<&mut Gpu> {
        if event.is_none() || self.stands != event {
            self.play(event, WhatIf::default(), None)?;
        }
        Ok(&mut self.gpu)
    }

    /// Runs everything up to an event from the beginning.
    fn play(
        &mut self,
        event: Option<usize>,
        what: WhatIf,
        watch: Option<u32>,
    ) -> anyhow::Result<()> {
        self.stands = None;
        self.gpu.reset();
        // Going back and forth for hours is no fault of the capture.
        self.gpu.renew_budget();
        if cfg!(target_arch = "wasm32") {
            self.gpu.set_threads(1);
        }
        self.gpu.set_what_if(what);
        self.gpu.watch(watch);
        let Some(event) = event else {
            return Ok(());
        };
        let entry = self.entry(event)?;
        let (end, draw) = (entry.record, entry.draw);
        self.gpu.set_until_draw(draw);
        for record in &self.records[..=end] {
            self.gpu.record(record.record())?;
        }
        if what == WhatIf::default() && watch.is_none() {
            self.stands = Some(event);
        }
        Ok(())
    }

    /// The surface that an event is about: a picture of the capture, or where its job writes.
    fn surface(&self, event: usize) -> anyhow::Result<Option<Surface>> {
        let entry = self.entry(event)?;
        if let Some(frame) = entry.frame {
            return Ok(self.surfaces.get(frame).cloned());
        }
        let Payload::Pp(job) = self.records[entry.record].record().payload else {
            return Ok(None);
        };
        let surface = color_surface(job.frame).and_then(|json| serde_json::from_value(json).ok());
        let possible = |side: u32| (1..=MOST_SIDE).contains(&side);
        let surface = surface.filter(|s: &Surface| possible(s.width) && possible(s.height));
        // The capture says how its pictures are to be read: which row is the first, for one.
        let named = |s: &&Surface| Some(s.addr) == surface.as_ref().map(|s| s.addr);
        Ok(self.surfaces.iter().find(named).cloned().or(surface))
    }

    fn picture(&mut self, event: usize, before: bool) -> anyhow::Result<Option<Image>> {
        let Some(surface) = self.surface(event)? else {
            return Ok(None);
        };
        let at = match before {
            true => event.checked_sub(1),
            false => Some(event),
        };
        let gpu = self.seek(at)?;
        Ok(Some(surface.read(&gpu.memory)))
    }

    /// Depth and stencil behind a draw, or before it: its job is run once more, with them stored.
    fn zeta(&mut self, event: usize, before: bool) -> anyhow::Result<Answer> {
        let entry = self.entry(event)?;
        let (record, Some(draw)) = (entry.record, entry.draw) else {
            return Ok(Answer::Json(Value::Null));
        };
        let surface = self.surface(event)?;
        self.play(None, WhatIf::default(), None)?;
        self.gpu.set_until_draw(Some(draw - u64::from(before)));
        for earlier in &self.records[..record] {
            self.gpu.record(earlier.record())?;
        }
        let Payload::Pp(job) = self.records[record].record().payload else {
            return Ok(Answer::Json(Value::Null));
        };
        let Some(mut zeta) = mali::zeta_of_job(&mut self.gpu, job)? else {
            return Ok(Answer::Json(Value::Null));
        };
        if surface.is_some_and(|s| s.origin == "bottom") {
            zeta = zeta.upside_down();
        }
        let head = json!({
            "width": zeta.width, "height": zeta.height, "format": "Z24S8", "depth": 24,
        });
        Ok(Answer::Words(head, zeta.words))
    }

    /// The picture when an event is over, or before it.
    fn target(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        let event = self.event(question)?;
        let before: u32 = question.number_or("before", 0)?;
        if question.text("what") == Some("zeta") {
            return self.zeta(event, before != 0);
        }
        let surface = self.surface(event)?;
        Ok(match self.picture(event, before != 0)? {
            Some(image) => Answer::picture(&image, head(surface.as_ref())),
            None => Answer::Json(Value::Null),
        })
    }

    fn what_if(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        let event = self.event(question)?;
        let list = question.text("do").unwrap_or_default();
        let on = |name: &str| list.split(',').any(|given| given == name);
        let what = WhatIf {
            full_floats: on("full_floats"),
            joined_cubes: on("joined_cubes"),
            whole_stencil: on("whole_stencil"),
        };
        self.play(Some(event), what, None)?;
        Ok(match self.surface(event)? {
            Some(surface) => Answer::picture(&surface.read(&self.gpu.memory), head(Some(&surface))),
            None => Answer::Json(Value::Null),
        })
    }
}

fn head(surface: Option<&Surface>) -> Value {
    json!({
        "format": surface.map(|s| s.format.clone()),
        "address": surface.map(|s| s.addr),
    })
}

/// Rules of software renderers, where a Mali has others.
fn switches() -> Answer {
    Answer::Json(json!({ "every": false, "switches": [
        { "name": "full_floats", "label": "single precision in fragment programs" },
        { "name": "joined_cubes", "label": "filters reach across the edges of cube faces" },
        { "name": "whole_stencil", "label": "stencil operations count with all bits" },
    ] }))
}
