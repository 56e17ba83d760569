//! A Mali as an engine: geometry and pixel processors.

use super::engine::Engine;
use isotherm_bus::context::{self, Context};
use isotherm_bus::memory::Memory;
use isotherm_bus::observe::Touch;
use isotherm_bus::saved::{Broken, Saved};
use isotherm_capture::{Image, Problem, Surface};
use isotherm_mali::{Error, Machine, WhatIf};

/// Longer than any side of a picture.
const MOST: u32 = 8192;

/// The processors of a Mali.
pub(super) struct Mali {
    machine: Machine,
    /// Pixel jobs run too, not only geometry.
    drawing: bool,
    /// What the last pixel job wrote to.
    surface: Option<Surface>,
}

impl Mali {
    pub(super) fn new() -> Mali {
        Mali {
            machine: Machine::new(),
            drawing: true,
            surface: None,
        }
    }
}

/// Can a job have drawn it?
fn possible(surface: &Surface) -> bool {
    let possible = |side: u32| (1..=MOST).contains(&side);
    possible(surface.width) && possible(surface.height)
}

fn failed(error: Error) -> Problem {
    Problem::Job(error.into())
}

impl Engine for Mali {
    fn set_threads(&mut self, threads: usize) {
        self.machine.set_threads(threads);
    }

    fn set_drawing(&mut self, on: bool) {
        self.drawing = on;
    }

    fn set_until_draw(&mut self, draws: Option<u64>) {
        self.machine.set_until_draw(draws);
    }

    fn draws(&self) -> u64 {
        self.machine.draws()
    }

    fn watch(&mut self, address: Option<u32>) {
        self.machine.watch(address);
    }

    fn touches(&mut self) -> Vec<Touch> {
        self.machine.touches()
    }

    fn set_what_if(&mut self, what: WhatIf) -> bool {
        self.machine.set_what_if(what);
        true
    }

    fn mali(&self) -> Option<&Machine> {
        Some(&self.machine)
    }

    fn last_picture(&self, memory: &Memory) -> Option<Image> {
        Some(self.surface.as_ref()?.read(memory))
    }

    fn last_surface(&self) -> Option<Surface> {
        self.surface.clone()
    }

    fn gp_job(&mut self, memory: &mut Memory, frame: &[u32]) -> Result<(), Problem> {
        self.machine.gp_job(memory, frame).map_err(failed)
    }

    fn pp_job(&mut self, memory: &mut Memory, frame: &[u32]) -> Result<(), Problem> {
        if !self.drawing {
            return Ok(());
        }
        let surface = isotherm_mali::color_surface(frame);
        let surface: Option<Surface> = surface.and_then(|json| serde_json::from_value(json).ok());
        self.surface = surface.filter(possible);
        self.machine.pp_job(memory, frame).map_err(failed)
    }

    fn context(&mut self, _memory: &mut Memory) -> Context {
        let mut saved = Saved::save();
        self.machine.saved(&mut saved);
        // Where the last picture is: a SURF record's text, four bytes to a word.
        let text = self.surface.as_ref().map(serde_json::to_vec);
        saved.bytes(&mut text.and_then(Result::ok).unwrap_or_default());
        Context {
            version: context::VERSION,
            draws: self.machine.draws(),
            // Only lists that are read can be broken.
            inner: saved.finish().unwrap_or_default(),
            ..Context::default()
        }
    }

    fn restore(&mut self, context: &Context, _memory: &mut Memory) -> Result<(), Problem> {
        if !context.fe.is_empty() || context.inner.is_empty() {
            return Err(Problem::WrongChip("CTX"));
        }
        let mut saved = Saved::load(context.inner.clone());
        self.machine.forget();
        self.machine.saved(&mut saved);
        let mut text = Vec::new();
        saved.bytes(&mut text);
        self.surface = serde_json::from_slice(&text).ok().filter(possible);
        let broken = |error: Broken| Problem::Context(error.into());
        saved.finish().map(drop).map_err(broken)
    }
}
