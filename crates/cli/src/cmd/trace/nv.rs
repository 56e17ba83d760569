//! The NVIDIA chips: methods, bundles, and what else the front end emits.

use super::names::{self, Methods, XF_MODE, all_fields, changed_fields, set_fields};
use super::query::{Place, Query, Values};
use super::{Args, Output};
use crate::show::many;
use anyhow::Context;
use isotherm::bundle::{Event, PIPELINE};
use isotherm::capture::Surface;
use isotherm::method::Method;
use isotherm::observe::Observer;
use isotherm::takes;
use isotherm::trap::Trap;
use isotherm::{Chip, Family, gpu};
use isotherm_regs::bundle::{Bundle, Unit};
use isotherm_regs::explain;
use isotherm_regs::record::Slot;
use isotherm_regs::xf::mode;
use serde_json::{Map, Value, json};
use std::sync::Mutex;

/// What a trace shows besides answers and summaries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    Methods,
    Events,
    Both,
    /// Queries or a summary.
    Draws,
}

pub struct Tracer {
    chip: Chip,
    json: bool,
    show: Show,
    summary: bool,
    only_changed: bool,
    delta: bool,
    route: bool,
    draw_wanted: Option<u64>,
    unit: Option<Unit>,
    queries: Vec<Query>,
    last_answers: Option<Vec<Option<String>>>,
    methods: Methods,
    /// Bundle and entry of every id.
    ids: Vec<Option<(Bundle, u16)>>,
    values: Values,
    /// Bundles changed since the last draw.
    changed: Vec<(Bundle, u16)>,
    draw: u64,
    /// A draw was begun and not ended.
    open: bool,
    prim: u8,
    vertices: u64,
    inline_words: u64,
    /// Words of a vertex in each buffer.
    vertex_words: [u64; 16],
    clears: u64,
    all_clears: u64,
    out: Output,
}

/// The observer's end of a tracer.
pub struct Handle(pub std::sync::Arc<Mutex<Tracer>>);

pub fn with<T>(tracer: &Mutex<Tracer>, f: impl FnOnce(&mut Tracer) -> T) -> T {
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

fn unit_name(unit: Unit) -> String {
    match unit {
        Unit::Unknown => "?".into(),
        unit => format!("{unit:?}").to_lowercase(),
    }
}

fn unit(name: &str) -> anyhow::Result<Unit> {
    let names = || PIPELINE.map(unit_name).join(", ");
    PIPELINE
        .into_iter()
        .find(|unit| unit_name(*unit).eq_ignore_ascii_case(name))
        .with_context(|| format!("no unit {name:?}; there are {}", names()))
}

impl Tracer {
    pub fn new(args: &Args, chip: Chip) -> anyhow::Result<Tracer> {
        let queries: Vec<Query> = args
            .query
            .iter()
            .map(|text| Query::parse(chip, text))
            .collect::<Result<_, _>>()?;
        let show = match () {
            _ if args.summary || !queries.is_empty() => Show::Draws,
            _ if args.methods => Show::Methods,
            _ if args.bundles || args.unit.is_some() => Show::Events,
            _ => Show::Both,
        };
        Ok(Tracer {
            chip,
            json: args.json,
            show,
            summary: args.summary,
            only_changed: args.only_changed,
            delta: args.query_delta,
            route: args.route,
            draw_wanted: args.draw,
            unit: args.unit.as_deref().map(unit).transpose()?,
            queries,
            last_answers: None,
            methods: Methods::new(chip, args.names),
            ids: (0..512)
                .map(|id| Bundle::locate(chip.family(), id))
                .collect(),
            values: Values::default(),
            changed: Vec::new(),
            draw: 1,
            open: false,
            prim: 0,
            vertices: 0,
            inline_words: 0,
            vertex_words: [0; 16],
            clears: 0,
            all_clears: 0,
            out: Output::open(),
        })
    }

    /// Is there nothing more to show?
    pub fn done(&self) -> bool {
        self.out.closed() || self.draw_wanted.is_some_and(|draw| self.draw > draw)
    }

    fn wanted(&self) -> bool {
        self.draw_wanted.is_none_or(|draw| draw == self.draw)
    }

    fn shows_events(&self) -> bool {
        matches!(self.show, Show::Events | Show::Both) && self.wanted()
    }

    fn write(&mut self, mut value: Value) {
        value["schema"] = super::SCHEMA.into();
        self.out.line(format_args!("{value}"));
    }

    fn method(&mut self, class: u32, m: Method) {
        let Method {
            subchannel,
            method,
            data,
        } = m;
        if self.show == Show::Draws {
            if !self.queries.is_empty() {
                self.values.set(Place::Method(class, method), data);
            }
            return;
        }
        if self.show == Show::Events || !self.wanted() {
            return;
        }
        let named = self.methods.explain(class, method, data);
        if self.json {
            let fields: Map<String, Value> =
                named
                    .data
                    .iter()
                    .flat_map(|word| &word.lines)
                    .fold(Map::new(), |mut map, line| {
                        map.insert(line.name.into(), line.text.as_str().into());
                        map
                    });
            let line = json!({ "draw": self.draw, "subchannel": subchannel, "class": class,
                "method": method, "name": named.name, "data": data, "fields": fields });
            return self.write(line);
        }
        let text = match &named.data {
            Some(word) => all_fields(word),
            None if method == 0 => {
                let name = self.methods.class_name(class);
                format!("class {class:x} {name}")
            }
            None => String::new(),
        };
        let name = if named.name.is_empty() {
            "?"
        } else {
            &named.name
        };
        let line = format!("{subchannel} {class:04x}:{method:04x} {name:<32} {data:08x}  {text}");
        self.out.line(format_args!("{}", line.trim_end()));
    }

    fn trap(&mut self, trap: &Trap) {
        if self.show == Show::Draws || !self.wanted() {
            return;
        }
        let Trap {
            intr,
            nsource,
            class,
            method,
            data,
        } = *trap;
        let call = method == 0x100;
        if self.json {
            let kind = if call { "call" } else { "trap" };
            let line = json!({ "draw": self.draw, "event": kind, "intr": intr,
                "nsource": nsource, "class": class, "method": method, "data": data });
            return self.write(line);
        }
        if call {
            self.out.line(format_args!(
                "    fe     calls the driver, argument {data:#x}"
            ));
        } else {
            self.out.line(format_args!(
                "    fe     ! refused: INTR {intr:#x}, NSOURCE {nsource:#x} ({})",
                trap.reason()
            ));
        }
    }

    fn event(&mut self, event: &Event) {
        match *event {
            Event::Bundle { id, value, .. } => return self.bundle(id, value),
            Event::Xf {
                cmd,
                addr,
                be,
                a,
                b,
            } => {
                self.keep_xf(cmd, addr, be, a, b);
                if cmd == XF_MODE {
                    return;
                }
            }
            _ => self.count(event),
        }
        let of_unit = |unit: &str| match self.unit {
            None => true,
            Some(wanted) => unit_name(wanted) == unit,
        };
        if self.shows_events() {
            let (unit, text) = names::event(self.chip, event);
            if of_unit(unit) {
                if self.json {
                    let line = json!({ "draw": self.draw, "unit": unit, "event": text });
                    self.write(line);
                } else {
                    self.out.line(format_args!("    {unit:<6} {text}"));
                }
            }
        }
        if matches!(event, Event::End) {
            self.end_of_draw();
        }
    }

    /// Counts vertices and clears.
    fn count(&mut self, event: &Event) {
        match *event {
            Event::Begin { prim } => {
                // BEGIN without END before it counts as another draw.
                if std::mem::replace(&mut self.open, true) {
                    self.end_of_draw();
                }
                (self.prim, self.vertices, self.inline_words) = (prim, 0, 0);
            }
            Event::End => self.open = false,
            Event::Arrays { count, .. } | Event::Indexed { count, .. } => {
                self.vertices += u64::from(count);
            }
            Event::Element(_) => self.vertices += 1,
            // The last word of the position is a vertex.
            Event::Attr {
                fmt,
                attr: 0,
                ncomp,
                comp,
                ..
            } => {
                let words = attribute_words(fmt.into(), ncomp.into());
                self.vertices += u64::from(u64::from(comp) + 1 == words);
            }
            Event::VertexFormat { index, format } => {
                let (kind, comps) = (format & 7, u64::from(format >> 4 & 7));
                let words = match comps {
                    0 => 0,
                    _ => buffer_words(kind, comps),
                };
                self.vertex_words[usize::from(index & 15)] = words;
            }
            Event::Inline(_) => self.inline_words += 1,
            Event::Clear(_) => {
                self.clears += 1;
                self.all_clears += 1;
            }
            _ => {}
        }
    }

    /// Remembers what an XF command loads, and shows mode words.
    fn keep_xf(&mut self, cmd: u8, addr: u16, be: u8, a: u32, b: u32) {
        if let Some(ram) = names::xf_ram(cmd) {
            for (comp, value) in names::xf_words(addr, be, a, b) {
                self.values.set(Place::Context(ram, addr >> 4, comp), value);
            }
        } else if cmd == XF_MODE {
            let first = usize::from(addr / 4);
            for (i, value) in [a, b].into_iter().enumerate() {
                // Rankine's record begins with the second word of the first command.
                let at = match self.chip.family() {
                    Family::Rankine => (first + i).checked_sub(1),
                    _ => Some(first + i),
                };
                if let Some(at) = at {
                    self.mode_word(at, value);
                }
            }
        }
    }

    fn mode_word(&mut self, at: usize, value: u32) {
        let slots = mode::record(self.chip).map_or(&[][..], |(record, _)| record.slots);
        let Some(slot) = slots.get(at) else {
            return;
        };
        let before = self.values.set(Place::Mode(at), value);
        let hidden = self.unit.is_some_and(|unit| unit != Unit::Xf)
            || self.only_changed && before == Some(value);
        if hidden || !self.shows_events() {
            return;
        }
        let word = slot.reading(self.chip, value);
        // Of words with the same name the last is number 0.
        let same = |slots: &[Slot]| slots.iter().filter(|s| s.word.name == word.name).count();
        let name = if same(slots) > 1 {
            format!("{}[{}]", word.name, same(&slots[at + 1..]))
        } else {
            word.name.to_string()
        };
        self.word_line("xf", &name, None, before, value, word, 0);
    }

    /// A state word, what it was, and its fields.
    #[expect(clippy::too_many_arguments, reason = "one line of the trace")]
    fn word_line(
        &mut self,
        unit: &str,
        name: &str,
        route: Option<(String, String)>,
        before: Option<u32>,
        value: u32,
        word: &'static isotherm_regs::word::Word,
        entry: u16,
    ) {
        let explained = explain::word(self.chip, word, entry, value);
        if self.json {
            let fields: Map<String, Value> = explained
                .lines
                .iter()
                .map(|line| (line.name.to_string(), line.text.as_str().into()))
                .collect();
            let mut line = json!({ "draw": self.draw, "unit": unit, "bundle": name,
                "value": value, "before": before, "fields": fields });
            if let Some((took, passed)) = route {
                line["taken_by"] = took.split(' ').collect();
                line["passed_by"] = passed.split(' ').collect();
            }
            return self.write(line);
        }
        let text = match before {
            Some(before) if before != value => format!(
                "was {before:08x}  {}",
                changed_fields(self.chip, word, entry, before, value)
            ),
            Some(_) => "unchanged".into(),
            None => set_fields(&explained),
        };
        let line = format!("    {unit:<6} {name:<24} {value:08x}  {text}");
        self.out.line(format_args!("{}", line.trim_end()));
        if let (true, Some((took, passed))) = (self.route, route) {
            self.out.line(format_args!(
                "           taken by {took}; passed on by {passed}"
            ));
        }
    }

    fn bundle(&mut self, id: u16, value: u32) {
        let Some(Some((bundle, index))) = self.ids.get(usize::from(id)).copied() else {
            if self.shows_events() && self.unit.is_none() {
                let (draw, unit) = (self.draw, "?");
                if self.json {
                    let event = format!("bundle {id:03x} {value:08x}");
                    self.write(json!({ "draw": draw, "unit": unit, "event": event }));
                } else {
                    self.out
                        .line(format_args!("    ?      bundle {id:03x} {value:08x}"));
                }
            }
            return;
        };
        let place = Place::Bundle(bundle.slot() + usize::from(index));
        let before = self.values.set(place, value);
        let changed = before != Some(value);
        if changed {
            self.changed.push((bundle, index));
        }
        let hidden =
            self.only_changed && !changed || self.unit.is_some_and(|unit| !takes(unit, bundle));
        if hidden || !self.shows_events() {
            return;
        }
        let named = |took: bool| {
            let list: Vec<_> = PIPELINE
                .into_iter()
                .filter(|unit| takes(*unit, bundle) == took)
                .map(unit_name)
                .collect();
            if list.is_empty() {
                "nobody".into()
            } else {
                list.join(" ")
            }
        };
        let route = (self.route || self.json).then(|| (named(true), named(false)));
        let unit = unit_name(bundle.row().unit);
        let name = self.methods.register(bundle, index);
        self.word_line(&unit, &name, route, before, value, bundle.word(), index);
    }

    fn end_of_draw(&mut self) {
        let size: u64 = self.vertex_words.iter().sum();
        if self.inline_words > 0 && size > 0 {
            self.vertices += self.inline_words / size;
        }
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
        let words: Vec<_> = changed
            .iter()
            .map(|&(bundle, index)| {
                let slot = bundle.slot() + usize::from(index);
                let value = self.values.get(Place::Bundle(slot)).unwrap_or(0);
                (bundle, index, value)
            })
            .collect();
        let prim = names::primitive(self.prim);
        let (draw, vertices, clears) = (self.draw, self.vertices, self.clears);
        if self.json {
            let words: Map<_, _> = words
                .into_iter()
                .map(|(bundle, index, value)| (self.methods.register(bundle, index), value.into()))
                .collect();
            let line = json!({ "draw": draw, "primitive": prim, "vertices": vertices,
                "clears": clears, "changed": words });
            return self.write(line);
        }
        // What a driver sets to zero before its first draw says nothing about it.
        let silent = if draw == 1 {
            words.iter().filter(|(.., value)| *value == 0).count()
        } else {
            0
        };
        let zero = match silent {
            0 => String::new(),
            count => format!(", {count} of them to zero"),
        };
        self.out.line(format_args!(
            "draw {draw}: {prim}, {vertices} vertices, {} before it, {} changed{zero}",
            many(clears, "clear"),
            many(words.len() as u64, "word")
        ));
        for (bundle, index, value) in words {
            if draw == 1 && value == 0 {
                continue;
            }
            let name = self.methods.register(bundle, index);
            let fields = set_fields(&explain::word(self.chip, bundle.word(), index, value));
            let unit = unit_name(bundle.row().unit);
            let line = format!("    {unit:<6} {name:<24} {value:08x}  {fields}");
            self.out.line(format_args!("{}", line.trim_end()));
        }
    }

    fn query_line(&mut self) {
        let answers: Vec<_> = self
            .queries
            .iter()
            .map(|query| query.value(self.chip, &self.values))
            .collect();
        let texts: Vec<Option<String>> = answers
            .iter()
            .map(|answer| answer.as_ref().map(|(_, text)| text.clone()))
            .collect();
        if self.delta && self.last_answers.as_ref() == Some(&texts) {
            return;
        }
        let draw = self.draw;
        if self.json {
            let mut line = Map::new();
            line.insert("draw".into(), draw.into());
            for (query, answer) in self.queries.iter().zip(&answers) {
                let value = match answer {
                    Some((raw, text)) => json!({ "value": raw, "text": text }),
                    None => Value::Null,
                };
                line.insert(query.text.clone(), value);
            }
            self.write(Value::from(line));
        } else {
            let list: Vec<String> = self
                .queries
                .iter()
                .zip(&texts)
                .map(|(query, text)| match text {
                    Some(text) => format!("{} = {text}", query.text),
                    None => format!("{} unset", query.text),
                })
                .collect();
            self.out
                .line(format_args!("draw {draw}: {}", list.join(", ")));
        }
        self.last_answers = Some(texts);
    }

    /// A surface is read: a picture ends here.
    pub fn surface(&mut self, surface: &Surface) {
        if self.draw_wanted.is_some() || !self.queries.is_empty() {
            return;
        }
        let name = surface
            .golden
            .as_deref()
            .or(surface.reference.as_deref())
            .unwrap_or("");
        if self.json {
            self.write(json!({ "surface": name }));
        } else {
            self.out.line(format_args!("surface {name}"));
        }
    }

    /// The counts, if a summary was asked for.
    pub fn end(mut self, odd: &gpu::Oddities) -> Output {
        if self.summary && self.draw_wanted.is_none() {
            let (draws, clears) = (self.draw - 1, self.all_clears);
            if self.json {
                let line = json!({ "draws": draws, "clears": clears, "traps": odd.traps,
                    "calls": odd.calls, "unknown_methods": odd.methods,
                    "unknown_handles": odd.handles, "bad_headers": odd.headers,
                    "unknown_records": odd.records });
                self.write(line);
            } else {
                self.out.line(format_args!(
                    "{}, {}; {}, {}, {} to nowhere, {}, {}",
                    many(draws, "draw"),
                    many(clears, "clear"),
                    many(odd.traps, "trap"),
                    many(odd.methods, "unknown method"),
                    many(odd.handles, "handle"),
                    many(odd.headers, "bad header"),
                    many(odd.records, "unknown record")
                ));
            }
        }
        self.out
    }
}

/// Words of an immediate attribute: 4 bytes, 2 shorts or 1 float each.
fn attribute_words(fmt: u32, comps: u64) -> u64 {
    match fmt {
        4 => 1,
        5 | 6 => comps.div_ceil(2),
        _ => comps,
    }
}

/// Words of a vertex attribute in a buffer.
fn buffer_words(kind: u32, comps: u64) -> u64 {
    match kind {
        0 | 4 => 1,
        1 | 5 => comps.div_ceil(2),
        6 => 1,
        _ => comps,
    }
}
