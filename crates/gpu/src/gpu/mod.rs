//! A chip with its memory: feed it records, read its surfaces.

mod engine;
mod mali;
mod nvidia;
mod oddities;
mod replay;

pub use oddities::Oddities;
pub use replay::{replay, start};

use crate::pipeline::{Profile, WatchedVertex};
use engine::{Bus, Engine};
use isotherm_bus::context::Context;
use isotherm_bus::memory::Memory;
use isotherm_bus::objects::Objects;
use isotherm_bus::observe::{Observer, Touch};
use isotherm_capture::{
    Error, ObjectRecord, Payload, Problem, Record, Surface, Writer, object_json,
};
use isotherm_regs::{Chip, Family};
use mali::Mali;
use nvidia::Nvidia;

/// A chip with its memory.
pub struct Gpu {
    chip: Chip,
    /// All memory the chip sees.
    pub memory: Memory,
    objects: Objects,
    oddities: Oddities,
    engine: Box<dyn Engine>,
}

impl Gpu {
    /// A chip after reset, its memory all zero.
    pub fn new(chip: Chip) -> Gpu {
        let engine: Box<dyn Engine> = match chip.family() {
            Family::Utgard => Box::new(Mali::new()),
            _ => Box::new(Nvidia::new(chip)),
        };
        Gpu {
            chip,
            memory: Memory::new(chip),
            objects: Objects::default(),
            oddities: Oddities::default(),
            engine,
        }
    }

    /// The chip.
    pub fn chip(&self) -> Chip {
        self.chip
    }

    /// How many threads may draw. The picture does not depend on it.
    pub fn set_threads(&mut self, threads: usize) {
        self.engine.set_threads(threads);
    }

    /// Counts what is drawn from zero; with `times`, measures where the time goes. The
    /// Mali's units keep no such figures.
    pub fn restart_profile(&mut self, times: bool) {
        self.engine.restart_profile(times);
    }

    /// What was drawn since [`Gpu::restart_profile`].
    pub fn profile(&self) -> Option<&Profile> {
        self.engine.profile()
    }

    /// Ignore everything after this many draws.
    pub fn set_until_draw(&mut self, draws: Option<u64>) {
        self.engine.set_until_draw(draws);
    }

    /// Draws with rules of software renderers where a Mali has others; false for other chips.
    pub fn set_what_if(&mut self, what: isotherm_mali::WhatIf) -> bool {
        self.engine.set_what_if(what)
    }

    /// Switches the units behind the front end on or off. Off, methods run and nothing is
    /// drawn: for those who want the commands, not the picture.
    pub fn set_drawing(&mut self, on: bool) {
        self.engine.set_drawing(on);
    }

    /// The processors of a Mali.
    pub fn mali(&self) -> Option<&isotherm_mali::Machine> {
        self.engine.mali()
    }

    /// Somebody watches, or nobody any more.
    pub fn set_observer(&mut self, observer: Option<Box<dyn Observer>>) {
        self.engine.set_observer(observer);
    }

    /// Watches the pixel whose word begins at this address of memory, or none any more. What
    /// draws and clears do to it is kept until it is asked for.
    pub fn watch(&mut self, address: Option<u32>) {
        self.engine.watch(address);
    }

    /// What happened to the watched pixel since the last question. Drawing is finished first.
    pub fn touches(&mut self) -> Vec<Touch> {
        self.finish();
        self.engine.touches()
    }

    /// Watches a vertex: the number `vertex` (from 0) that goes through XF in the draw
    /// that comes after `draw` more.
    pub fn watch_vertex(&mut self, draw: u64, vertex: usize) {
        self.engine.watch_vertex(draw, vertex);
    }

    /// The watched vertex, if it has come by; watching ends.
    pub fn watched_vertex(&mut self) -> Option<WatchedVertex> {
        self.engine.watched_vertex()
    }

    /// Draws so far: primitives begun and ended.
    pub fn draws(&self) -> u64 {
        self.engine.draws()
    }

    /// Draws, clears and 2D operations so far.
    pub fn actions(&self) -> u64 {
        self.engine.actions()
    }

    /// What was odd so far.
    pub fn oddities(&self) -> Oddities {
        Oddities {
            headers: self.engine.bad_headers(),
            ..self.oddities
        }
    }

    /// Binds an object of a class, as if a driver had made it, to subchannel 0.
    pub fn bind_for_bench(&mut self, class: u32) {
        ObjectRecord::Graphics {
            handle: class,
            class,
        }
        .apply(&mut self.objects);
        let bind = isotherm_capture::Push::new()
            .method(0, 0, &[class])
            .words()
            .to_vec();
        // Only Malis have no pusher, and they have no classes.
        let _ = self.push(&bind);
    }

    /// The objects that have a handle.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// The context, if the chip has one and no primitive is open.
    pub fn context(&mut self) -> Option<Context> {
        self.finish();
        self.engine.context()
    }

    /// Writes objects, memory and context: a capture that goes on from here.
    pub fn write_state<W: std::io::Write>(
        &mut self,
        writer: &mut Writer<W>,
    ) -> std::io::Result<()> {
        let context = self
            .context()
            .ok_or_else(|| std::io::Error::other("no context here: a primitive is open"))?;
        for object in self.objects.sorted() {
            writer.object(&object_json(&object))?;
        }
        for (addr, value) in self.engine.registers() {
            writer.register(addr, value)?;
        }
        for (addr, bytes) in self.memory.pages() {
            writer.memory(addr, bytes)?;
        }
        writer.context(&context)
    }

    /// Executes one record; a `SURF` comes back when all drawing before it is in memory.
    pub fn record(&mut self, record: Record<'_>) -> Result<Option<Box<Surface>>, Error> {
        let offset = record.offset;
        self.payload(record.payload)
            .map_err(|problem| Error { offset, problem })
    }

    fn payload(&mut self, payload: Payload<'_>) -> Result<Option<Box<Surface>>, Problem> {
        if self.engine.stopped() && !matches!(payload, Payload::Surface(_)) {
            return Ok(None);
        }
        match payload {
            Payload::Info(_) => {}
            // What is queued was bound with the objects as they were; the front end resolved
            // them when the methods ran, so nothing needs to be finished.
            Payload::Object(object) => object.apply(&mut self.objects),
            Payload::Memory { addr, bytes } => {
                self.finish();
                self.engine.before_access(&mut self.memory);
                self.memory.write(addr, bytes);
            }
            Payload::Copy { dst, src, len } => {
                self.finish();
                self.memory.copy(dst, src, len as usize);
            }
            Payload::Push(words) => self.push(words)?,
            Payload::Register { addr, value } => self.engine.register(addr, value),
            Payload::Gp(job) => self.engine.gp_job(&mut self.memory, job.frame)?,
            Payload::Pp(job) => self.engine.pp_job(&mut self.memory, job.frame)?,
            Payload::Surface(surface) => {
                self.finish();
                return Ok(Some(surface));
            }
            Payload::Context(context) => self.engine.restore(&context, &mut self.memory)?,
            Payload::Unknown { .. } => self.oddities.records += 1,
        }
        Ok(None)
    }

    /// Waits until everything drawn so far is in memory.
    pub fn finish(&mut self) {
        self.engine.finish(&mut self.memory);
    }

    /// Runs words through the pusher.
    pub fn push(&mut self, words: &[u32]) -> Result<(), Problem> {
        let mut bus = Bus {
            objects: &self.objects,
            memory: &mut self.memory,
            odd: &mut self.oddities,
        };
        self.engine.push(words, &mut bus)
    }

    /// Runs words until `stop` says so between two methods outside primitives; says how many
    /// words were taken.
    pub fn push_until(
        &mut self,
        words: &[u32],
        mut stop: impl FnMut(&mut Gpu) -> bool,
    ) -> Result<usize, Problem> {
        for (index, word) in words.iter().enumerate() {
            self.push(std::slice::from_ref(word))?;
            if !self.engine.inside_primitive() && stop(self) {
                return Ok(index + 1);
            }
        }
        Ok(words.len())
    }
}
