//! `isotherm trace`: what a capture's commands do, as text or JSON lines.

use super::replay::open;
use anyhow::Context;
use indicatif::ProgressBar;
use isotherm::Chip;
use isotherm::bundle::Event;
use isotherm::fe::Trap;
use isotherm::fifo::Method;
use isotherm::gpu;
use isotherm::observe::Observer;
use isotherm_regs::bundle::{Bundle, Unit};
use isotherm_regs::field::Field;
use serde_json::json;
use std::collections::HashMap;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

/// Options of `isotherm trace`.
#[derive(clap::Args)]
pub struct Args {
    /// The capture.
    capture: PathBuf,
    /// JSON, one object per line.
    #[arg(long)]
    json: bool,
    /// Only methods.
    #[arg(long)]
    methods: bool,
    /// Only what the front end emits.
    #[arg(long, conflicts_with = "methods")]
    bundles: bool,
    /// Only what belongs to this draw (from 1).
    #[arg(long, value_name = "N")]
    draw: Option<u64>,
    /// Leave out bundles that repeat the word they already have.
    #[arg(long)]
    only_changed: bool,
    /// Only bundles of this unit: idx, assm, raster, zcull, tex, shader, rc, rop, xf.
    #[arg(long)]
    unit: Option<String>,
    /// Print this register, or a field of it (`BLEND` or `BLEND.SFACTOR`, `TEX_FILTER[1]`),
    /// at each draw. May be given several times.
    #[arg(long, value_name = "REGISTER[.FIELD]")]
    query: Vec<String>,
    /// With --query: only at draws where a value is another than at the draw before.
    #[arg(long, requires = "query")]
    query_delta: bool,
    /// One line per draw: primitive, vertices, and the words changed since the last draw.
    #[arg(long, conflicts_with = "query")]
    summary: bool,
}

/// Traces a capture.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let queries = args
        .query
        .iter()
        .map(|text| Query::parse(text))
        .collect::<Result<_, _>>()?;
    let unit = args.unit.as_deref().map(unit).transpose()?;
    let (out, pager) = output();
    let progress = ProgressBar::new_spinner();
    let mut reader = open(&args.capture)?;
    let name = || format!("{}", args.capture.display());
    let mut gpu = gpu::start(&mut reader).with_context(name)?;
    let tracer = Tracer {
        chip: gpu.chip(),
        json: args.json,
        methods: !args.bundles && !args.summary && args.query.is_empty(),
        events: !args.methods && !args.summary && args.query.is_empty(),
        summary: args.summary,
        only_changed: args.only_changed,
        delta: args.query_delta,
        draw_wanted: args.draw,
        unit,
        queries,
        last_values: None,
        words: HashMap::new(),
        changed: Vec::new(),
        draw: 1,
        prim: 0,
        vertices: 0,
        clears: 0,
        broken: false,
        out,
    };
    let tracer = Arc::new(Mutex::new(tracer));
    gpu.set_drawing(false);
    gpu.set_observer(Some(Box::new(Handle(tracer.clone()))));
    while let Some(record) = reader.next_record().with_context(name)? {
        if let Some(surface) = gpu.record(record).with_context(name)? {
            with(&tracer, |t| {
                t.surface(surface.golden.as_deref().or(surface.reference.as_deref()))
            });
        }
        progress.set_position(gpu.draws());
        if with(&tracer, |t| t.broken) {
            break;
        }
    }
    progress.finish_and_clear();
    let odd = gpu.oddities();
    with(&tracer, |t| t.end(&odd));
    gpu.set_observer(None);
    drop(tracer);
    if let Some(mut pager) = pager {
        pager.wait()?;
    }
    Ok(())
}

/// The terminal's pager, or plain standard output.
fn output() -> (Box<dyn Write + Send>, Option<Child>) {
    if std::io::stdout().is_terminal() {
        let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".into());
        let started = Command::new(&pager)
            .args(pager_options(&pager))
            .stdin(Stdio::piped())
            .spawn();
        if let Ok(mut child) = started
            && let Some(input) = child.stdin.take()
        {
            return (Box::new(BufWriter::new(input)), Some(child));
        }
    }
    (Box::new(BufWriter::new(std::io::stdout())), None)
}

fn pager_options(pager: &str) -> &'static [&'static str] {
    if pager.ends_with("less") {
        &["-FRX"]
    } else {
        &[]
    }
}

fn unit(name: &str) -> anyhow::Result<Unit> {
    use Unit::{Assm, Idx, Raster, Rc, Rop, Shader, Tex, Xf, Zcull};
    let all = [Idx, Assm, Raster, Zcull, Tex, Shader, Rc, Rop, Xf];
    all.into_iter()
        .find(|unit| format!("{unit:?}").eq_ignore_ascii_case(name))
        .with_context(|| format!("no unit {name:?}"))
}

/// A register or a field that is asked for.
struct Query {
    text: String,
    bundle: Bundle,
    index: u16,
    field: Option<String>,
}

impl Query {
    fn parse(text: &str) -> anyhow::Result<Query> {
        let (register, field) = match text.split_once('.') {
            Some((register, field)) => (register, Some(field.to_string())),
            None => (text, None),
        };
        let (name, index) = match register.strip_suffix(']').and_then(|r| r.split_once('[')) {
            Some((name, index)) => (name, index.parse().with_context(|| text.to_string())?),
            None => (register, 0),
        };
        let bundle = Bundle::by_name(name).with_context(|| format!("no register {name:?}"))?;
        Ok(Query {
            text: text.to_string(),
            bundle,
            index,
            field,
        })
    }

    fn field(&self, chip: Chip) -> Option<&'static Field> {
        self.bundle.word().field(chip, self.field.as_deref()?)
    }

    /// The register or field in a word; none when the chip has no such field.
    fn value(&self, chip: Chip, word: u32) -> Option<u32> {
        match &self.field {
            None => Some(word),
            Some(_) => self.field(chip).map(|field| field.get(chip, word)),
        }
    }
}

struct Tracer {
    chip: Chip,
    json: bool,
    methods: bool,
    events: bool,
    summary: bool,
    only_changed: bool,
    delta: bool,
    draw_wanted: Option<u64>,
    unit: Option<Unit>,
    queries: Vec<Query>,
    last_values: Option<Vec<Option<u32>>>,
    words: HashMap<(Bundle, u16), u32>,
    changed: Vec<(Bundle, u16)>,
    draw: u64,
    prim: u8,
    vertices: u64,
    clears: u64,
    /// Nobody reads any more.
    broken: bool,
    out: Box<dyn Write + Send>,
}

/// The observer's end of a tracer.
struct Handle(Arc<Mutex<Tracer>>);

fn with<T>(tracer: &Mutex<Tracer>, f: impl FnOnce(&mut Tracer) -> T) -> T {
    f(&mut tracer
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner))
}

impl Observer for Handle {
    fn method(&mut self, class: u32, method: Method) {
        with(&self.0, |t| t.method(class, method));
    }

    fn event(&mut self, event: &Event) {
        with(&self.0, |t| t.event(event));
    }

    fn trap(&mut self, trap: &Trap) {
        with(&self.0, |t| t.trap(trap));
    }
}

/// GL's primitive numbers, one up.
pub const PRIMS: [&str; 11] = [
    "none",
    "points",
    "lines",
    "line_loop",
    "line_strip",
    "triangles",
    "triangle_strip",
    "triangle_fan",
    "quads",
    "quad_strip",
    "polygon",
];

impl Tracer {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        if writeln!(self.out, "{text}").is_err() {
            self.broken = true;
        }
    }

    fn wanted(&self) -> bool {
        self.draw_wanted.is_none_or(|draw| draw == self.draw)
    }

    fn method(&mut self, class: u32, m: Method) {
        if !self.methods || !self.wanted() || self.unit.is_some() {
            return;
        }
        let Method {
            subchannel,
            method,
            data,
        } = m;
        if self.json {
            let draw = self.draw;
            let line = json!({ "draw": draw, "subchannel": subchannel, "class": class,
                "method": method, "data": data });
            self.line(format_args!("{line}"));
        } else {
            self.line(format_args!(
                "{subchannel} {class:04X}:{method:04X} {data:08X}"
            ));
        }
    }

    fn trap(&mut self, trap: &Trap) {
        if self.wanted() && !self.summary && self.queries.is_empty() {
            if self.json {
                let line = json!({ "draw": self.draw, "trap": format!("{trap:?}") });
                self.line(format_args!("{line}"));
            } else {
                self.line(format_args!("    trap: {trap:?}"));
            }
        }
    }

    fn event(&mut self, event: &Event) {
        if let Event::Bundle { id, value, .. } = *event {
            self.bundle(id, value);
            return;
        }
        match *event {
            Event::Begin { prim } => (self.prim, self.vertices) = (prim, 0),
            Event::Arrays { count, .. } => self.vertices += u64::from(count),
            Event::Element(_) => self.vertices += 1,
            Event::Clear(_) => self.clears += 1,
            _ => {}
        }
        if self.events && self.wanted() && self.unit.is_none() {
            if self.json {
                let line = json!({ "draw": self.draw, "event": format!("{event:?}") });
                self.line(format_args!("{line}"));
            } else {
                self.line(format_args!("    {event:X?}"));
            }
        }
        if matches!(event, Event::End) {
            self.end_of_draw();
        }
    }

    fn bundle(&mut self, id: u16, value: u32) {
        let located = Bundle::locate(self.chip.family(), id);
        let Some((bundle, index)) = located else {
            if self.events && self.wanted() && self.unit.is_none() {
                self.line(format_args!("    bundle {id:03X} = {value:08X}"));
            }
            return;
        };
        let before = self.words.insert((bundle, index), value);
        let changed = before != Some(value);
        if changed {
            self.changed.push((bundle, index));
        }
        let row = bundle.row();
        if !self.events
            || !self.wanted()
            || (self.only_changed && !changed)
            || self.unit.is_some_and(|unit| unit != row.unit)
        {
            return;
        }
        if self.json {
            let line = json!({ "draw": self.draw, "bundle": bundle.name(), "index": index,
                "id": id, "unit": format!("{:?}", row.unit).to_lowercase(), "value": value,
                "before": before });
            self.line(format_args!("{line}"));
            return;
        }
        let unit = format!("{:?}", row.unit).to_lowercase();
        let name = register(bundle, index, self.chip);
        match before {
            Some(before) if changed => {
                self.line(format_args!(
                    "    {unit:<6} {name:<24} {value:08X}  was {before:08X}"
                ));
            }
            _ => self.line(format_args!("    {unit:<6} {name:<24} {value:08X}")),
        }
        if self.only_changed && changed {
            self.fields(bundle, index, before.unwrap_or(0), value);
        }
    }

    /// The fields of a word that changed.
    fn fields(&mut self, bundle: Bundle, index: u16, before: u32, value: u32) {
        for field in bundle.word().on(self.chip, index) {
            let (old, new) = (field.get(self.chip, before), field.get(self.chip, value));
            if old != new {
                self.line(format_args!(
                    "           {}: {old:X} -> {new:X}",
                    field.name
                ));
            }
        }
    }

    fn end_of_draw(&mut self) {
        if self.wanted() {
            if self.summary {
                self.summary_line();
            } else if !self.queries.is_empty() {
                self.query_line();
            }
        }
        self.changed.clear();
        self.clears = 0;
        self.draw += 1;
    }

    fn summary_line(&mut self) {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        let prim = PRIMS.get(usize::from(self.prim)).copied().unwrap_or("?");
        let words: Vec<_> = changed
            .iter()
            .map(|&(bundle, index)| {
                (
                    register(bundle, index, self.chip),
                    self.words[&(bundle, index)],
                )
            })
            .collect();
        if self.json {
            let words: serde_json::Map<_, _> = words
                .into_iter()
                .map(|(name, value)| (name, value.into()))
                .collect();
            let line = json!({ "draw": self.draw, "primitive": prim, "vertices": self.vertices,
                "clears": self.clears, "changed": words });
            self.line(format_args!("{line}"));
            return;
        }
        let (draw, vertices, clears) = (self.draw, self.vertices, self.clears);
        self.line(format_args!(
            "draw {draw}: {prim}, {vertices} fetched vertices, {clears} clears before it, {} words changed",
            words.len()
        ));
        for (name, value) in words {
            self.line(format_args!("    {name:<24} {value:08X}"));
        }
    }

    fn query_line(&mut self) {
        let values: Vec<Option<u32>> = self
            .queries
            .iter()
            .map(|query| {
                let word = self.words.get(&(query.bundle, query.index))?;
                query.value(self.chip, *word)
            })
            .collect();
        if self.delta && self.last_values.as_ref() == Some(&values) {
            return;
        }
        let named = self
            .queries
            .iter()
            .map(|query| query.text.clone())
            .zip(values.clone());
        if self.json {
            let mut line: serde_json::Map<_, _> =
                named.map(|(name, value)| (name, value.into())).collect();
            line.insert("draw".into(), self.draw.into());
            self.line(format_args!("{}", serde_json::Value::from(line)));
        } else {
            let text: Vec<String> = named
                .map(|(name, value)| match value {
                    Some(value) => format!("{name} = {value:X}"),
                    None => format!("{name} unset"),
                })
                .collect();
            let draw = self.draw;
            self.line(format_args!("draw {draw}: {}", text.join(", ")));
        }
        self.last_values = Some(values);
    }

    fn surface(&mut self, name: Option<&str>) {
        if self.draw_wanted.is_none() && self.queries.is_empty() {
            let name = name.unwrap_or("");
            let line = json!({ "surface": name });
            if self.json {
                self.line(format_args!("{line}"));
            } else {
                self.line(format_args!("surface {name}"));
            }
        }
    }

    fn end(&mut self, odd: &gpu::Oddities) {
        if self.summary && self.draw_wanted.is_none() {
            let (draws, traps) = (self.draw - 1, odd.traps);
            if self.json {
                let line = json!({ "draws": draws, "traps": traps, "calls": odd.calls, "unknown_methods": odd.methods,
                    "unknown_handles": odd.handles, "bad_headers": odd.headers });
                self.line(format_args!("{line}"));
            } else {
                self.line(format_args!(
                    "{draws} draws; {traps} traps, {} unknown methods, {} handles to nowhere, {} bad headers",
                    odd.methods, odd.handles, odd.headers
                ));
            }
        }
        if self.out.flush().is_err() {
            self.broken = true;
        }
    }
}

/// `NAME`, or `NAME[index]` for arrays.
fn register(bundle: Bundle, index: u16, chip: Chip) -> String {
    let many = bundle
        .row()
        .ids(chip.family())
        .is_some_and(|ids| ids.count > 1);
    if many {
        format!("{}[{index}]", bundle.name())
    } else {
        bundle.name().to_string()
    }
}
