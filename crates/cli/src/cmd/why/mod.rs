//! `isotherm why`: why a draw shows nothing, the first reason in pipeline order with the word
//! that decides.

mod fragments;
mod geometry;
mod mali;

use super::trace::{PRIMS, set_fields};
use crate::input;
use crate::show::{BAD, GOOD, HEAD};
use crate::usage::Draws;
use anyhow::Context;
use isotherm::Family;
use isotherm::gpu::{self, Gpu};
use isotherm_inspect::follow::{self, Mirror, Next, Step, target};
use isotherm_inspect::names::register;
use isotherm_picture::words;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::explain;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Options of `isotherm why`.
#[derive(clap::Args)]
#[command(
    after_help = "For each draw: how many pixels it changed. For one that changed none, the first thing on \
its way that stopped it (no vertices, w, near and far, culling, no area, clipping, no surface, \
depth, stencil, alpha, a texture that kills, masks, a colour that was there already), with the \
state word that decides."
)]
pub struct Args {
    /// The capture; `-` is standard input.
    capture: PathBuf,
    /// This draw, or these (3..9), from 1; all that show nothing unless given.
    #[arg(long, value_name = "N|A..B")]
    draw: Option<Draws>,
    /// JSON, one object per draw.
    #[arg(long)]
    json: bool,
}

/// Why something did not go on.
#[derive(Clone, Debug, Serialize)]
pub struct Reason {
    /// The unit that stopped it.
    unit: &'static str,
    /// What happened.
    text: String,
    /// The words that decide.
    words: Vec<Deciding>,
}

/// A state word that decides.
#[derive(Clone, Debug, Serialize)]
struct Deciding {
    register: String,
    word: u32,
    fields: String,
}

impl Reason {
    fn new(unit: &'static str, text: impl Into<String>) -> Reason {
        Reason {
            unit,
            text: text.into(),
            words: Vec::new(),
        }
    }

    /// With a word that decides.
    fn by(mut self, mirror: &Mirror, bundle: Bundle, index: u16) -> Reason {
        let word = mirror.words.at(bundle, usize::from(index));
        if bundle.row().on(mirror.chip).is_some() {
            self.words.push(Deciding {
                register: register(mirror.chip, bundle, index),
                word,
                fields: set_fields(&explain::word(mirror.chip, bundle.word(), index, word)),
            });
        }
        self
    }
}

/// What became of a draw.
#[derive(Serialize)]
struct Verdict {
    schema: &'static str,
    draw: u64,
    primitive: String,
    vertices: usize,
    /// Words of the colour surface that changed.
    color_changed: usize,
    /// Words of the zeta surface that changed.
    zeta_changed: usize,
    /// Why nothing changed; the first decides.
    reasons: Vec<Reason>,
}

impl Verdict {
    fn print(&self, json: bool) -> anyhow::Result<()> {
        if json {
            say!("{}", serde_json::to_string(self)?);
            return Ok(());
        }
        let Verdict {
            draw,
            primitive,
            vertices,
            color_changed,
            zeta_changed,
            ..
        } = self;
        put!("{HEAD}draw {draw}{HEAD:#}: {primitive}, {vertices} vertices: ");
        match (color_changed, zeta_changed) {
            (0, 0) => say!("{BAD}shows nothing{BAD:#}"),
            (0, zeta) => {
                say!("{BAD}shows nothing{BAD:#}, but changes {zeta} words of depth and stencil")
            }
            (color, zeta) => {
                say!("{GOOD}changes {color} pixels{GOOD:#}, {zeta} words of depth and stencil")
            }
        }
        for reason in &self.reasons {
            say!("  {:<7} {}", reason.unit, reason.text);
            for word in &reason.words {
                say!(
                    "          {} {:08x}  {}",
                    word.register,
                    word.word,
                    word.fields
                );
            }
        }
        Ok(())
    }
}

/// The words of the surfaces before a draw.
struct Before {
    color: Vec<u32>,
    zeta: Vec<u32>,
}

impl Before {
    fn new(gpu: &Gpu, mirror: &Mirror) -> Before {
        let surfaces = mirror.surfaces();
        let words = |plane: &Option<_>| {
            let plane = plane.as_ref();
            plane.map_or(Vec::new(), |p| target::words(&gpu.memory, &surfaces, p))
        };
        Before {
            color: words(&surfaces.color),
            zeta: words(&surfaces.zeta),
        }
    }

    fn changed(&self, other: &Before) -> (usize, usize) {
        (
            words::changed(&self.color, &other.color),
            words::changed(&self.zeta, &other.zeta),
        )
    }
}

/// Pixels that are looked at more closely, for each draw.
const SAMPLES: usize = 4;

/// Says why.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let name = || input::name(&args.capture);
    let gpu = gpu::start(&mut input::open_capture(&args.capture)?).with_context(name)?;
    if gpu.chip().family() == Family::Utgard {
        return mali::run(args).with_context(name);
    }
    let (mut verdicts, pixels, draws) = look(args).with_context(name)?;
    args.draw.unwrap_or(Draws::ALL).check(draws, &name())?;
    for round in 0..SAMPLES {
        let wanted: BTreeMap<u64, u32> = pixels
            .iter()
            .filter_map(|(draw, list)| Some((*draw, *list.get(round)?)))
            .collect();
        if wanted.is_empty() {
            break;
        }
        fragments::watch(args, &wanted, &mut verdicts).with_context(name)?;
    }
    for verdict in &mut verdicts {
        fragments::settle(&mut verdict.reasons);
        verdict.print(args.json)?;
    }
    if verdicts.is_empty() && !args.json {
        say!("{}", all_show(draws));
    }
    Ok(())
}

/// Nothing to report.
fn all_show(draws: u64) -> String {
    match draws {
        1 => "1 draw, and it shows something".into(),
        _ => format!("{draws} draws, and every one of them shows something"),
    }
}

type Looked = (Vec<Verdict>, BTreeMap<u64, Vec<u32>>, u64);

/// The first pass: what changed, what the vertices say, and pixels to look at more closely.
fn look(args: &Args) -> anyhow::Result<Looked> {
    let wanted = args.draw.unwrap_or(Draws::ALL);
    let mut reader = input::open_capture(&args.capture)?;
    let mut gpu = gpu::start(&mut reader)?;
    let (mut verdicts, mut pixels) = (Vec::new(), BTreeMap::new());
    let mut before = None;
    follow::follow(
        &mut reader,
        &mut gpu,
        |draw| wanted.contains(draw),
        |step, gpu, mirror| {
            match step {
                Step::Begin(draw) if wanted.contains(draw) => {
                    before = Some(Before::new(gpu, mirror));
                }
                Step::End(draw) => {
                    if let Some(before) = before.take() {
                        let verdict = judge(draw, mirror, &before, &Before::new(gpu, mirror));
                        let (verdict, close) = verdict;
                        if args.draw.is_some() || verdict.color_changed == 0 {
                            pixels.insert(draw, close);
                            verdicts.push(verdict);
                        }
                    }
                    if draw >= wanted.last {
                        return Ok(Next::Stop);
                    }
                }
                _ => {}
            }
            Ok(Next::Go)
        },
    )?;
    Ok((verdicts, pixels, gpu.draws()))
}

fn judge(draw: u64, mirror: &Mirror, before: &Before, after: &Before) -> (Verdict, Vec<u32>) {
    let (color_changed, zeta_changed) = before.changed(after);
    let mesh = &mirror.mesh;
    let mut verdict = Verdict {
        schema: "isotherm-why-1",
        draw,
        primitive: PRIMS
            .get(usize::from(mesh.prim))
            .unwrap_or(&"?")
            .to_string(),
        vertices: mesh.numbers.len(),
        color_changed,
        zeta_changed,
        reasons: Vec::new(),
    };
    if color_changed > 0 {
        return (verdict, Vec::new());
    }
    let (reasons, pixels) = geometry::judge(mirror, SAMPLES);
    verdict.reasons = reasons;
    (verdict, pixels)
}
