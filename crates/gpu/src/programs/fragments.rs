//! The fragment programs of a capture's draws (Rankine and Curie).
//!
//! A program lies in memory, where drivers copy it with commands of their own:
//! the commands are run with a chip that draws nothing, and when a draw begins
//! the program is read from where PS_OFFSET points.

use crate::gpu::{self, Gpu};
use isotherm_bus::bundle::{DmaRole, DmaSpan, Event};
use isotherm_bus::memory::Memory;
use isotherm_bus::observe::Observer;
use isotherm_capture::{Error, Payload, Reader};
pub use isotherm_pixel::shader::program::load::{program_at, words_at};
use isotherm_regs::bundle::{self, Bundle, PS_OFFSET};
use isotherm_regs::fp::{self, Program};
use isotherm_regs::{Chip, Family};
use std::sync::{Arc, Mutex, PoisonError};

/// What a draw would run.
#[derive(Clone, Copy)]
pub struct Draw<'a> {
    /// Number of the draw in the capture, from 1.
    pub number: u64,
    /// The chip's family.
    pub family: Family,
    /// Where the program lies in memory.
    pub address: u32,
    memory: &'a Memory,
}

impl Draw<'_> {
    /// The program, or why there is none.
    pub fn program(&self) -> Result<Program, fp::Error> {
        program_at(self.family, self.memory, self.address)
    }
}

/// The few words that say where the program lies.
#[derive(Default)]
struct State {
    offset: Option<u32>,
    spans: [DmaSpan; 2],
    draws: u64,
    begun: bool,
}

impl State {
    fn event(&mut self, family: Family, event: &Event) {
        match *event {
            Event::Bundle { id, value, .. }
                if Bundle::locate(family, id) == Some((bundle::PS_OFFSET, 0)) =>
            {
                self.offset = Some(value);
            }
            Event::Dma {
                role: DmaRole::Tex(index),
                span,
            } => self.spans[usize::from(index & 1)] = span,
            Event::Begin { .. } => {
                self.draws += 1;
                self.begun = true;
            }
            _ => {}
        }
    }

    /// Programs are reached through the texture objects, as Mesa's driver has it.
    fn address(&self, chip: Chip) -> Option<u32> {
        let offset = self.offset?;
        let object = PS_OFFSET::DMA.get(chip, offset) as usize & 1;
        let within = offset & PS_OFFSET::OFFSET.mask(chip);
        Some(self.spans[object].base.wrapping_add(within))
    }
}

struct Follower(Family, Arc<Mutex<State>>);

impl Observer for Follower {
    fn event(&mut self, event: &Event) {
        let mut state = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        state.event(self.0, event);
    }
}

/// Shows every draw that runs a fragment program; stops when `see` says so.
/// Chips without such programs have no such draws.
pub fn draws(mut reader: Reader, mut see: impl FnMut(Draw) -> bool) -> Result<(), Error> {
    let mut gpu = gpu::start(&mut reader)?;
    let (chip, family) = (gpu.chip(), gpu.chip().family());
    if !matches!(family, Family::Rankine | Family::Curie) {
        return Ok(());
    }
    let state = Arc::new(Mutex::new(State::default()));
    gpu.set_drawing(false);
    gpu.set_observer(Some(Box::new(Follower(family, state.clone()))));
    let mut show = |gpu: &mut Gpu| -> bool {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        match (std::mem::take(&mut state.begun), state.address(chip)) {
            (true, Some(address)) => see(Draw {
                number: state.draws,
                family,
                address,
                memory: &gpu.memory,
            }),
            _ => true,
        }
    };
    while let Some(record) = reader.next_record()? {
        let offset = record.offset;
        let Payload::Push(words) = record.payload else {
            gpu.record(record)?;
            continue;
        };
        for word in words {
            gpu.push(std::slice::from_ref(word))
                .map_err(|problem| Error { offset, problem })?;
            if !show(&mut gpu) {
                return Ok(());
            }
        }
    }
    Ok(())
}
