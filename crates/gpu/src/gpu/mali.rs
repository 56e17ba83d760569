//! A Mali as an engine: geometry and pixel processors.

use super::engine::Engine;
use isotherm_bus::memory::Memory;
use isotherm_bus::observe::Touch;
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
        let possible = |side: u32| (1..=MOST).contains(&side);
        self.surface = surface.filter(|s| possible(s.width) && possible(s.height));
        self.machine.pp_job(memory, frame).map_err(failed)
    }
}
