//! `isotherm pixel`: a pixel's history: which draw, clear or blit changed it, and the state
//! that did.

use super::replay::open;
use anyhow::{Context, ensure};
use isotherm::bundle::Event;
use isotherm::capture::{Surface, read_all};
use isotherm::fifo::Method;
use isotherm::gpu::{self, Gpu};
use isotherm::observe::Observer;
use isotherm_regs::bundle::Bundle;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Options of `isotherm pixel`.
#[derive(clap::Args)]
pub struct Args {
    /// The capture.
    capture: PathBuf,
    /// Column, from the left.
    x: u32,
    /// Row, from the top.
    y: u32,
    /// Show all state words of this draw (from 1), if it touched the pixel.
    #[arg(long, value_name = "N")]
    draw: Option<u64>,
}

/// What went by since the last look.
#[derive(Default)]
struct Seen {
    words: BTreeMap<(Bundle, u16), u32>,
    changed: BTreeMap<(Bundle, u16), u32>,
    prim: u8,
    last: String,
}

struct Watcher {
    family: isotherm::Family,
    seen: Arc<Mutex<Seen>>,
}

impl Observer for Watcher {
    fn method(&mut self, class: u32, method: Method) {
        if !gpu::is_3d(class) {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.last = format!("2D class {class:02X}, method {:04X}", method.method);
        }
    }

    fn event(&mut self, event: &Event) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match *event {
            Event::Bundle { id, value, .. } => {
                if let Some(key) = Bundle::locate(self.family, id)
                    && seen.words.insert(key, value) != Some(value)
                {
                    seen.changed.insert(key, value);
                }
            }
            Event::Begin { prim } => seen.prim = prim,
            Event::End => {
                let name = super::trace::PRIMS
                    .get(usize::from(seen.prim))
                    .copied()
                    .unwrap_or("?");
                seen.last = format!("draw of {name}");
            }
            Event::Clear(what) => seen.last = format!("clear {what:02X}"),
            _ => {}
        }
    }
}

/// Prints the history.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut reader = open(&args.capture)?;
    let mut gpu = gpu::start(&mut reader)?;
    let records = read_all(&mut reader).with_context(|| format!("{}", args.capture.display()))?;
    let surface = records
        .iter()
        .rev()
        .find_map(|record| record.surface())
        .context("the capture has no SURF record")?
        .clone();
    ensure!(
        args.x < surface.width && args.y < surface.height,
        "the surface is {}x{}",
        surface.width,
        surface.height
    );
    let seen = Arc::new(Mutex::new(Seen::default()));
    let watcher = Watcher {
        family: gpu.chip().family(),
        seen: seen.clone(),
    };
    gpu.set_observer(Some(Box::new(watcher)));
    let mut history = History {
        args,
        surface,
        seen,
        pixel: 0,
        actions: 0,
        touched: 0,
    };
    history.pixel = history.look(&gpu);
    println!("at the start: {:08X}", history.pixel);
    for record in &records {
        match record.push_words() {
            Some(words) => {
                gpu.push_until(words, |gpu| {
                    history.step(gpu);
                    false
                })?;
            }
            None => {
                gpu.record(record.record())?;
                let now = history.look(&gpu);
                if now != history.pixel {
                    println!("CPU: {:08X} -> {now:08X}", history.pixel);
                    history.pixel = now;
                }
            }
        }
    }
    println!(
        "at the end: {:08X}, after {} changes",
        history.pixel, history.touched
    );
    Ok(())
}

struct History<'a> {
    args: &'a Args,
    surface: Surface,
    seen: Arc<Mutex<Seen>>,
    pixel: u32,
    actions: u64,
    touched: u64,
}

impl History<'_> {
    /// The pixel as it is.
    fn look(&self, gpu: &Gpu) -> u32 {
        let [r, g, b, a] = self.surface.pixel(&gpu.memory, self.args.x, self.args.y);
        u32::from_be_bytes([a, r, g, b])
    }

    /// After each word: has something been drawn, and did it touch the pixel?
    fn step(&mut self, gpu: &mut Gpu) {
        if gpu.actions() == self.actions {
            return;
        }
        self.actions = gpu.actions();
        gpu.finish();
        let now = self.look(gpu);
        if now == self.pixel {
            return;
        }
        self.touched += 1;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let draws = gpu.draws();
        println!(
            "after draw {draws}: {}: {:08X} -> {now:08X}",
            seen.last, self.pixel
        );
        let changed = std::mem::take(&mut seen.changed);
        let all = self.args.draw == Some(draws);
        for (&(bundle, index), value) in if all { &seen.words } else { &changed } {
            let unit = format!("{:?}", bundle.row().unit).to_lowercase();
            println!(
                "    {unit:<6} {:<24} {value:08X}",
                format!("{}[{index}]", bundle.name())
            );
        }
        self.pixel = now;
    }
}
