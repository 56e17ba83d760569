//! Malis: the commands of a job, and of each draw the render state and the programs.

use super::{Args, Output, Progress, SCHEMA};
use crate::show::many;
use anyhow::{Context, bail};
use isotherm::capture::{Payload, Reader};
use isotherm::gpu::Gpu;
use isotherm::mali::trace;
use isotherm_regs::find::{self, Target};
use isotherm_regs::mali::words::RSW;
use isotherm_regs::{Chip, text};
use serde_json::{Map, Value, json};

const CHIP: Chip = Chip::Mali400;

/// A word of the render state, or a field of it.
struct Query {
    text: String,
    slot: usize,
    field: Option<String>,
}

impl Query {
    fn parse(text: &str) -> anyhow::Result<Query> {
        let (register, field) = match text.rsplit_once('.') {
            Some((register, field)) => (register, Some(field.to_string())),
            None => (text, None),
        };
        let Target::Slot(record, slot) = find::find(CHIP, register)? else {
            bail!("{register}: a trace of a Mali answers for words of the render state, as rsw[2]");
        };
        if record.name != RSW.name {
            bail!("{register} is no word of the render state");
        }
        if let Some(name) = &field
            && RSW.slots[slot].word.field(CHIP, name).is_none()
        {
            let word = RSW.slots[slot].word;
            let names: Vec<_> = word.on(CHIP, 0).iter().map(|f| f.name).collect();
            bail!(
                "{register} has no field {name:?}: it has {}",
                names.join(", ")
            );
        }
        Ok(Query {
            text: text.to_string(),
            slot,
            field,
        })
    }

    fn value(&self, state: &[u32]) -> String {
        let word = state.get(self.slot).copied().unwrap_or(0);
        self.field
            .as_deref()
            .and_then(|name| RSW.slots[self.slot].reading(CHIP, word).field(CHIP, name))
            .and_then(|field| text::format_field(CHIP, field, word))
            .unwrap_or_else(|| format!("{word:08x}"))
    }
}

struct Tracer<'a> {
    args: &'a Args,
    queries: Vec<Query>,
    last: Option<Vec<String>>,
    jobs: u64,
    draws: u64,
    out: Output,
}

/// Traces a Mali's capture.
pub fn run(args: &Args, mut reader: Reader<'_>, mut gpu: Gpu) -> anyhow::Result<()> {
    let name = || crate::input::name(&args.capture);
    if args.unit.is_some() || args.route {
        return Err(crate::usage::usage(
            "a Mali has no bundles: --unit and --route are for NVIDIA chips",
        ));
    }
    let queries = args.query.iter().map(|text| Query::parse(text));
    let mut tracer = Tracer {
        args,
        queries: queries.collect::<Result<_, _>>().map_err(super::bad_use)?,
        last: None,
        jobs: 0,
        draws: 0,
        out: Output::open(),
    };
    let mut progress = Progress::new();
    let mut failure = None;
    loop {
        let record = match reader.next_record() {
            Ok(Some(record)) => record,
            Ok(None) => break,
            Err(error) => {
                failure = Some(error.into());
                break;
            }
        };
        let shown = match &record.payload {
            Payload::Gp(job) => tracer.gp(&gpu, job.frame),
            Payload::Pp(job) => tracer.pp(&gpu, job.frame),
            _ => Ok(()),
        };
        if let Err(error) = shown {
            failure =
                Some(anyhow::Error::new(error).context(format!("job at {:#x}", record.offset)));
            break;
        }
        match gpu.record(record) {
            Ok(Some(surface)) => tracer.surface(surface.reference.as_deref().unwrap_or("")),
            Ok(None) => {}
            Err(error) => {
                failure = Some(error.into());
                break;
            }
        }
        progress.at(tracer.draws);
        if tracer.out.closed() {
            break;
        }
    }
    progress.finish();
    let draws = tracer.draws;
    tracer.end().finish()?;
    match (failure, args.draw) {
        (Some(error), _) => Err(error).with_context(name),
        (None, Some(draw)) if draw == 0 || draw > draws => {
            Err(crate::usage::no_draw(&name(), draw, draws))
        }
        _ => Ok(()),
    }
}

impl Tracer<'_> {
    /// Are commands shown, and not only draws?
    fn commands(&self) -> bool {
        !self.args.summary && self.queries.is_empty()
    }

    fn text(&mut self, unit: &str, draw: Option<u64>, text: &str) {
        for line in text.lines() {
            if self.args.json {
                let value = json!({ "schema": SCHEMA, "job": self.jobs, "unit": unit, "draw": draw, "text": line });
                self.out.line(format_args!("{value}"));
            } else {
                self.out.line(format_args!("{line}"));
            }
        }
    }

    fn gp(&mut self, gpu: &Gpu, frame: &[u32]) -> Result<(), isotherm::mali::Error> {
        self.jobs += 1;
        if self.commands() && self.args.draw.is_none() && !self.args.bundles {
            let text = trace::gp_job(&gpu.memory, frame)?;
            self.text("gp", None, &text);
        }
        Ok(())
    }

    fn pp(&mut self, gpu: &Gpu, frame: &[u32]) -> Result<(), isotherm::mali::Error> {
        self.jobs += 1;
        let Some(machine) = gpu.mali() else {
            return Ok(());
        };
        let draws = trace::draws(machine, &gpu.memory, frame)?;
        if self.commands() && self.args.draw.is_none() {
            let text = trace::pp_frame(frame);
            self.text("pp", None, &text);
        }
        for draw in draws {
            self.draws += 1;
            if self.args.draw.is_some_and(|wanted| wanted != self.draws) {
                continue;
            }
            if self.commands() {
                let number = self.draws;
                let head = format!(
                    "draw {number}: {}, {} elements, render state {:#010x}, positions {:#010x}",
                    draw.mode, draw.elements, draw.rsw, draw.positions
                );
                let state = if self.args.side_by_side {
                    trace::side_by_side(&gpu.memory, draw.rsw, self.args.columns())
                } else {
                    trace::render_state(&gpu.memory, draw.rsw)
                };
                self.text("pp", Some(number), &head);
                self.text("pp", Some(number), &state);
            } else if self.args.summary {
                self.summary(&draw);
            } else {
                self.answers(&draw.state);
            }
        }
        Ok(())
    }

    fn summary(&mut self, draw: &trace::Draw) {
        let number = self.draws;
        if self.args.json {
            let line = json!({ "schema": SCHEMA, "draw": number, "mode": draw.mode, "elements": draw.elements,
                "rsw": draw.rsw, "state": draw.state });
            self.out.line(format_args!("{line}"));
        } else {
            self.out.line(format_args!(
                "draw {number}: {}, {} elements, render state {:#010x}",
                draw.mode, draw.elements, draw.rsw
            ));
        }
    }

    fn answers(&mut self, state: &[u32]) {
        let answers: Vec<String> = self.queries.iter().map(|q| q.value(state)).collect();
        if self.args.query_delta && self.last.as_ref() == Some(&answers) {
            return;
        }
        let number = self.draws;
        if self.args.json {
            let mut line = Map::new();
            line.insert("schema".into(), SCHEMA.into());
            line.insert("draw".into(), number.into());
            for (query, answer) in self.queries.iter().zip(&answers) {
                line.insert(query.text.clone(), answer.as_str().into());
            }
            self.out.line(format_args!("{}", Value::from(line)));
        } else {
            let list: Vec<String> = self
                .queries
                .iter()
                .zip(&answers)
                .map(|(query, answer)| format!("{} = {answer}", query.text))
                .collect();
            self.out
                .line(format_args!("draw {number}: {}", list.join(", ")));
        }
        self.last = Some(answers);
    }

    fn surface(&mut self, name: &str) {
        if self.args.draw.is_some() || !self.queries.is_empty() {
            return;
        }
        if self.args.json {
            self.out.line(format_args!(
                "{}",
                json!({ "schema": SCHEMA, "surface": name })
            ));
        } else {
            let space = if name.is_empty() { "" } else { " " };
            self.out.line(format_args!("surface{space}{name}"));
        }
    }

    fn end(mut self) -> Output {
        if self.args.summary && self.args.draw.is_none() {
            let (draws, jobs) = (self.draws, self.jobs);
            if self.args.json {
                let line = json!({ "schema": SCHEMA, "draws": draws, "jobs": jobs });
                self.out.line(format_args!("{line}"));
            } else {
                let (draws, jobs) = (many(draws, "draw"), many(jobs, "job"));
                self.out.line(format_args!("{draws} in {jobs}"));
            }
        }
        self.out
    }
}
