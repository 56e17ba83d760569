//! `isotherm pixel`: a pixel's history: which draw, clear, blit or CPU write touched it, and
//! what each unit did on the way.

mod mali;
mod surface;
mod text;

pub use surface::{PixelWord, SurfaceChoice};

use super::replay::open;
use super::trace::{PRIMS, set_fields};
use crate::show::finish;
use anyhow::Context;
use isotherm::bundle::Event;
use isotherm::capture::{Payload, read_all};
use isotherm::gpu::{self, Gpu};
use isotherm::method::Method;
use isotherm::observe::{Observer, Touch};
use isotherm_inspect::follow;
use isotherm_inspect::names::register;
use isotherm_regs::Class3d;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::explain;
use isotherm_regs::method::Class;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Options of `isotherm pixel`.
#[derive(clap::Args)]
#[command(
    after_help = "For each fragment: the primitive's vertices, coverage, interpolated values; for each \
texture stage its program, coordinates, level of detail, the texels with their weights; the inputs \
and outputs of each general combiner and of the final one; the stencil, depth and alpha tests; \
blending, logic operation and mask; the words in memory before and after. Colours and registers are \
integers with 255 for 1.0, R G B A. On a Mali, for each job: the clear, and for each triangle the \
coverage, varyings, each instruction of the fragment program with what it wrote and the texels it \
fetched, the tests, blending, and the tile's words before and after."
)]
pub struct Args {
    /// The capture; `-` is standard input.
    pub capture: PathBuf,
    /// Column of the picture, from the left.
    pub x: u32,
    /// Row, from the top.
    pub y: u32,
    #[command(flatten)]
    pub choice: SurfaceChoice,
    /// Only this draw (from 1), and all its state words.
    #[arg(long, value_name = "N")]
    pub draw: Option<u64>,
    /// One line for each thing that touched the pixel, no details.
    #[arg(long)]
    pub brief: bool,
    /// JSON, one object per line.
    #[arg(long, conflicts_with = "brief")]
    pub json: bool,
}

/// A line with its schema.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    #[serde(flatten)]
    line: &'a Line<'a>,
}

/// A line of the history.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    /// Before the first record.
    Start { address: u32, word: u32 },
    /// A draw or clear touched it.
    Touch {
        draw: u64,
        what: &'a str,
        touch: &'a Touch,
    },
    /// Something else changed it: the CPU, a copy, a 2D object, a Mali job, or a draw to a
    /// surface that lies across it.
    Change {
        draw: u64,
        what: &'a str,
        before: u32,
        after: u32,
    },
    /// A state word of the draw asked for.
    State {
        unit: &'a str,
        register: String,
        word: u32,
        fields: String,
    },
    /// After the last record.
    End { word: u32, touches: u64 },
}

/// What went by since the last look.
#[derive(Default)]
struct Seen {
    words: BTreeMap<(Bundle, u16), u32>,
    prim: u8,
    last: String,
}

struct Watcher {
    family: isotherm::Family,
    seen: Arc<Mutex<Seen>>,
}

impl Observer for Watcher {
    fn method(&mut self, class: u32, method: Method) {
        if Class3d::of(class).is_none() {
            let known = u16::try_from(class).ok().and_then(Class::by_id);
            let kind = known.map_or("", |class| class.name);
            let name = known.and_then(|class| class.method(method.method));
            let name = name.map_or_else(String::new, |m| m.label(method.method));
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.last = format!(
                "class {class:02X}h {kind}, method {:04X}h {name}",
                method.method
            );
        }
    }

    fn event(&mut self, event: &Event) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match *event {
            Event::Bundle { id, value, .. } => {
                if let Some(key) = Bundle::locate(self.family, id) {
                    seen.words.insert(key, value);
                }
            }
            Event::Begin { prim } => seen.prim = prim,
            Event::End => {
                let name = PRIMS.get(usize::from(seen.prim)).copied();
                seen.last = name.unwrap_or("?").to_string();
            }
            Event::Clear(what) => seen.last = format!("CLEAR_SURFACE {what:02X}h"),
            _ => {}
        }
    }
}

/// Prints the history.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let name = || crate::input::name(&args.capture);
    let mut reader = open(&args.capture)?;
    let mut gpu = gpu::start(&mut reader).with_context(name)?;
    let records = read_all(&mut reader).with_context(name)?;
    if let Some(draw) = args.draw {
        // Before anything is printed.
        let draws = follow::count_draws(&mut open(&args.capture)?).with_context(name)?;
        if draw == 0 || draw > draws {
            return Err(crate::usage::no_draw(&name(), draw, draws));
        }
    }
    let place = args.choice.place(&args.capture, &records, args.x, args.y)?;
    let seen = Arc::new(Mutex::new(Seen::default()));
    gpu.set_observer(Some(Box::new(Watcher {
        family: gpu.chip().family(),
        seen: seen.clone(),
    })));
    gpu.watch(Some(place.address));
    let mut history = History {
        args,
        place,
        seen,
        word: 0,
        actions: 0,
        touches: 0,
        out: BufWriter::new(crate::output::plain()),
        failed: None,
    };
    history.word = history.look(&gpu);
    history.begin();
    for record in &records {
        match record.push_words() {
            Some(words) => {
                gpu.push_until(words, |gpu| {
                    history.step(gpu);
                    history.failed.is_some()
                })
                .with_context(name)?;
            }
            None => {
                let record = record.record();
                let what = match record.payload {
                    Payload::Pp(_) => "PP job",
                    Payload::Gp(_) => "GP job",
                    Payload::Copy { .. } => "copy by the CPU",
                    _ => "write by the CPU",
                };
                let drawn = matches!(record.payload, Payload::Pp(_));
                gpu.record(record).with_context(name)?;
                if drawn {
                    history.job(&mut gpu);
                } else {
                    history.step(&mut gpu);
                }
                history.changed(&gpu, what);
            }
        }
        if history.failed.is_some() {
            break;
        }
    }
    let (word, touches) = (history.word, history.touches);
    history.line(&Line::End { word, touches });
    finish(history.end())
}

struct History<'a> {
    args: &'a Args,
    place: PixelWord,
    seen: Arc<Mutex<Seen>>,
    word: u32,
    actions: u64,
    touches: u64,
    out: BufWriter<Box<dyn Write>>,
    failed: Option<io::Error>,
}

impl History<'_> {
    /// The pixel's word as it is.
    fn look(&self, gpu: &Gpu) -> u32 {
        let word = gpu.memory.read_u32(self.place.address);
        match self.place.bytes {
            1 => word & 0xFF,
            2 => word & 0xFFFF,
            _ => word,
        }
    }

    fn begin(&mut self) {
        let address = self.place.address;
        if !self.args.json {
            let result = writeln!(
                self.out,
                "pixel ({}, {}) of {} at {address:08X}h",
                self.args.x, self.args.y, self.place.surface,
            );
            self.note(result);
        }
        self.line(&Line::Start {
            address,
            word: self.word,
        });
    }

    /// After each word: has something been drawn, and did it touch the pixel?
    fn step(&mut self, gpu: &mut Gpu) {
        if gpu.actions() == self.actions {
            return;
        }
        self.actions = gpu.actions();
        let touches = gpu.touches();
        let draw = gpu.draws();
        let seen = self.seen.clone();
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        for touch in &touches {
            self.touches += 1;
            let what = &*seen.last;
            self.line(&Line::Touch { draw, what, touch });
        }
        if touches.is_empty() {
            self.changed(gpu, &seen.last);
            return;
        }
        self.word = self.look(gpu);
        if self.args.draw == Some(draw) {
            for (&(bundle, index), &word) in &seen.words {
                let unit = format!("{:?}", bundle.row().unit).to_lowercase();
                self.line(&Line::State {
                    unit: &unit,
                    register: register(gpu.chip(), bundle, index),
                    word,
                    fields: set_fields(&explain::word(gpu.chip(), bundle.word(), index, word)),
                });
            }
        }
    }

    /// After a pixel job of a Mali.
    fn job(&mut self, gpu: &mut Gpu) {
        self.actions = gpu.actions();
        for touch in &gpu.touches() {
            self.touches += 1;
            let (draw, what) = match touch {
                Touch::Mali(f) => (f.draw, f.mode),
                _ => (0, "PP job"),
            };
            self.line(&Line::Touch { draw, what, touch });
            if let Touch::Mali(f) = touch
                && self.args.draw == Some(draw)
            {
                for (register, word, fields) in mali::state(&f.state) {
                    self.line(&Line::State {
                        unit: "pp",
                        register,
                        word,
                        fields,
                    });
                }
            }
            // Write-back is the job's end; what else changes the word is told.
            self.word = self.look(gpu);
        }
    }

    /// Says so if the word is another one.
    fn changed(&mut self, gpu: &Gpu, what: &str) {
        let (before, after) = (self.word, self.look(gpu));
        if before != after {
            self.touches += 1;
            self.word = after;
            self.line(&Line::Change {
                draw: gpu.draws(),
                what,
                before,
                after,
            });
        }
    }

    fn wanted(&self, line: &Line<'_>) -> bool {
        match line {
            Line::Touch { draw, .. } | Line::Change { draw, .. } => {
                self.args.draw.is_none_or(|wanted| wanted == *draw)
            }
            _ => true,
        }
    }

    fn line(&mut self, line: &Line<'_>) {
        if !self.wanted(line) {
            return;
        }
        let result = if self.args.json {
            let line = Document {
                schema: "isotherm-pixel-1",
                line,
            };
            serde_json::to_writer(&mut self.out, &line)
                .map_err(io::Error::from)
                .and_then(|()| writeln!(self.out))
        } else {
            text::line(&mut self.out, line, self.args.brief, self.place.zeta)
        };
        self.note(result);
    }

    fn note(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
        }
    }

    fn end(&mut self) -> io::Result<()> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }
}
