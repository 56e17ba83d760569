//! A chip with its memory: feed it records, read its surfaces.

mod builder;
mod engine;
mod fifo;
mod mali;
mod nvidia;
mod objects;
mod oddities;
mod record;
mod replay;
mod snapshot;

pub use builder::Builder;
pub use fifo::{Fifo, Stop};
pub use objects::ObjectsMut;
pub use oddities::Oddities;
pub use replay::{chip, replay, run, start};
pub use snapshot::Snapshot;

use crate::host::{Host, Outcome, Progress, Wait};
use crate::pipeline::{DrawReport, Profile, VertexPair, WatchedVertex};
use crate::surface::SurfaceView;
use engine::{Bus, Engine};
use isotherm_bus::budget::{Cost, Limits, Unit};
use isotherm_bus::context::{self, Context};
use isotherm_bus::memory::Memory;
use isotherm_bus::method::Method;
use isotherm_bus::objects::Objects;
use isotherm_bus::observe::{Observer, Touch};
use isotherm_capture::{
    Error, Image, ObjectRecord, Payload, Problem, Record, Surface, Writer, object_json,
};
use isotherm_regs::bundle::Bundle;
use isotherm_regs::pgraph::address;
use isotherm_regs::{Chip, Family};
use mali::Mali;
use nvidia::Nvidia;
use record::Recording;

/// What reading a pixel of a surface counts as.
const SURFACE_BYTES: u64 = 8;

/// A chip with its memory.
pub struct Gpu {
    chip: Chip,
    /// All memory the chip sees.
    pub memory: Memory,
    objects: Objects,
    oddities: Oddities,
    engine: Box<dyn Engine>,
    /// The CPU may have written anything since the last call.
    checked: bool,
    recording: Option<Box<Recording>>,
}

impl Gpu {
    /// A chip after reset, its memory all zero and of the usual size.
    ///
    /// # Panics
    /// When the system refuses that much memory; [`Builder::build`] says so instead.
    pub fn new(chip: Chip) -> Gpu {
        Gpu::with_memory(chip, Memory::new(chip))
    }

    /// A chip to order: its memory, its threads, whom it calls.
    pub fn builder(chip: Chip) -> Builder {
        Builder::new(chip)
    }

    fn with_memory(chip: Chip, memory: Memory) -> Gpu {
        Gpu {
            chip,
            memory,
            objects: Objects::default(),
            oddities: Oddities::default(),
            engine: snapshot::engine(chip),
            checked: false,
            recording: None,
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

    /// Draws are collected to scenes, which are drawn after so many primitives at the latest. The
    /// picture does not depend on it; tests take few, so that many scenes are on their way while
    /// the next one is made.
    pub fn set_scene_size(&mut self, primitives: usize) {
        self.engine.set_scene_size(primitives);
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

    /// From now on draws are drawn one at a time and reported, or no longer. That is slow, and
    /// the picture is the same. A Mali reports none.
    pub fn inspect_draws(&mut self, on: bool) {
        self.engine.inspect(&mut self.memory, on);
    }

    /// What the draws did since the last question: their vertices and pixels, and why there
    /// were none.
    ///
    /// ```
    /// use isotherm::{Chip, Gpu, Reason};
    /// let mut gpu = Gpu::new(Chip::Nv2a);
    /// gpu.objects_mut().graphics(1, 0x97);
    /// gpu.inspect_draws(true);
    /// // A triangle without vertices.
    /// for (method, data) in [(0, 1), (0x17FC, 5), (0x17FC, 0)] {
    ///     gpu.method(0, method, data)?;
    /// }
    /// let reports = gpu.draw_reports();
    /// let why = reports[0].why_nothing().unwrap();
    /// assert_eq!(why.reason, Reason::Vertices);
    /// # Ok::<(), isotherm::capture::Problem>(())
    /// ```
    pub fn draw_reports(&mut self) -> Vec<DrawReport> {
        self.engine.take_reports()
    }

    /// The vertices of the last draw in the order in which they went through XF, each as it
    /// went in and as it came out; while draws are inspected.
    pub fn draw_vertices(&mut self) -> Vec<VertexPair> {
        self.engine.take_vertices()
    }

    /// A state word by its name, such as `RASTER`; `index` is for words that there are several
    /// of.
    pub fn word(&self, name: &str, index: usize) -> Option<u32> {
        self.engine.word(Bundle::by_name(name)?, index)
    }

    /// What a texture unit would sample: the largest level, of a cube map the first face.
    pub fn texture(&mut self, unit: usize) -> Option<Image> {
        self.finish();
        self.engine.texture(unit, &self.memory)
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

    /// The objects that have a handle, to be changed. Methods see the change when they name
    /// the handle the next time.
    pub fn objects_mut(&mut self) -> ObjectsMut<'_> {
        self.recorded_objects_change();
        ObjectsMut {
            chip: self.chip,
            table: &mut self.objects,
        }
    }

    /// The CPU writes to memory: after everything that the chip has drawn so far.
    pub fn write_memory(&mut self, addr: u32, bytes: &[u8]) {
        self.finish();
        self.engine.before_access(&mut self.memory);
        self.memory.write(addr, bytes);
        self.engine.cpu_wrote(&self.memory);
        if self.is_recording() {
            self.record_with(|writer| writer.memory(addr, bytes));
        }
    }

    /// The CPU wrote to borrowed memory by itself: nothing that was read there before may be
    /// used again. Call it before the commands that could read the new bytes. A driver waits
    /// until the chip is done with the old ones; whoever emulates that wait calls
    /// [`Gpu::finish`].
    pub fn cpu_wrote(&mut self, addr: u32, len: usize) {
        self.engine.tell_writes(&self.memory);
        self.memory.mark_written(addr, len);
        self.engine.cpu_wrote(&self.memory);
        if self.is_recording() {
            self.record_memory(addr, len);
        }
    }

    /// The CPU writes a register: its offset in the chip's register space.
    pub fn write_register(&mut self, addr: u32, value: u32) {
        self.engine.register(addr, value);
        if self.is_recording() {
            self.record_with(|writer| writer.register(addr, value));
        }
    }

    /// The colour surface that is bound now. Reading it wants [`Gpu::finish`] first.
    pub fn render_target(&self) -> Option<SurfaceView> {
        self.engine.color_target()
    }

    /// The depth surface that is bound now.
    pub fn depth(&self) -> Option<SurfaceView> {
        self.engine.depth_target()
    }

    /// Reads a surface when everything so far is drawn.
    pub fn read_surface(&mut self, surface: &SurfaceView) -> Image {
        self.finish();
        surface.rgba8(&self.memory)
    }

    /// The picture that was drawn to last, for those who are told of none.
    pub fn last_picture(&mut self) -> Option<Image> {
        self.finish();
        self.engine.last_picture(&self.memory)
    }

    /// Where the picture lies that was drawn to last, as a `SURF` record says it; none for
    /// formats that captures cannot show.
    pub fn last_surface(&self) -> Option<Surface> {
        self.engine.last_surface()
    }

    /// The display went on to the next picture: counts FLIP_READ.
    pub fn picture_shown(&mut self) {
        self.engine.picture_shown();
    }

    /// The channel's reference counter: what the driver's last REF_CNT said.
    pub fn reference(&self) -> u32 {
        self.engine.reference()
    }

    /// Runs a Mali's vertex job: the words of its frame structure.
    pub fn vertex_job(&mut self, frame: &[u32]) -> Result<(), Problem> {
        let done = self.engine.gp_job(&mut self.memory, frame);
        self.within_budget().and(done)?;
        self.record_job(b"GP  ", frame);
        Ok(())
    }

    /// Runs a Mali's fragment job: the words of its frame structure.
    pub fn fragment_job(&mut self, frame: &[u32]) -> Result<(), Problem> {
        let done = self.engine.pp_job(&mut self.memory, frame);
        self.within_budget().and(done)?;
        self.record_job(b"PP  ", frame);
        Ok(())
    }

    fn record_job(&mut self, tag: &[u8; 4], frame: &[u32]) {
        if self.is_recording() {
            self.record_with(|writer| writer.job(tag, "{}", frame));
        }
    }

    /// Everything that the chip remembers besides memory and objects: between any two methods
    /// or jobs, inside a primitive too.
    pub fn context(&mut self) -> Context {
        // Registers that were written reach the units before they are asked.
        self.engine.before_access(&mut self.memory);
        self.finish();
        self.engine.context(&mut self.memory)
    }

    /// Writes objects, memory and context: a capture that goes on from here, wherever that is.
    pub fn write_state<W: std::io::Write>(
        &mut self,
        writer: &mut Writer<W>,
    ) -> std::io::Result<()> {
        let context = self.context();
        self.write_objects(writer, &self.objects)?;
        for (addr, bytes) in self.memory.pages() {
            writer.memory(addr, bytes)?;
        }
        writer.context(&context)
    }

    /// Do the chip's registers show all of its state now? Not inside a primitive, nor while
    /// data of a method is to come.
    pub fn registers_show_all(&self) -> bool {
        !self.engine.inside_primitive() && self.engine.missing_data() == 0
    }

    /// Writes objects, bindings and registers as the hardware lays them out: methods for what
    /// methods bind, then every register of PGRAPH at its address, and the units' memories
    /// through RDI or PIPE. What a recorder in an emulator begins with; memory is not in it.
    /// False, and nothing written, for a Mali; a failure inside a primitive, and between the
    /// words of a method.
    pub fn write_hardware_state<W: std::io::Write>(
        &mut self,
        writer: &mut Writer<W>,
    ) -> std::io::Result<bool> {
        if self.chip.family() == Family::Utgard {
            return Ok(false);
        }
        if !self.registers_show_all() {
            return Err(no_state());
        }
        self.context();
        let mut objects = self.objects.clone();
        let Some(state) = self.engine.hardware_state(&mut objects) else {
            return Ok(false);
        };
        self.write_objects(writer, &objects)?;
        // The methods are checked as the driver's were.
        for &(addr, value) in &state.registers {
            if address::DEBUG.contains(&addr) {
                writer.register(addr, value)?;
            }
        }
        // Methods before registers: binding an object changes registers, and what they held
        // counts.
        let mut push = isotherm_capture::Push::new();
        for &(subchannel, method, data) in &state.methods {
            push.method(subchannel, method, &[data]);
        }
        writer.push(push.words())?;
        for (addr, value) in state.registers {
            writer.register(addr, value)?;
        }
        if state.passed != 0 {
            let mut counted = Context {
                version: context::VERSION,
                ..Context::default()
            };
            counted.units.zpass = state.passed;
            writer.context(&counted)?;
        }
        Ok(true)
    }

    /// Objects, and the registers that order memory: before its bytes.
    fn write_objects<W: std::io::Write>(
        &self,
        writer: &mut Writer<W>,
        objects: &Objects,
    ) -> std::io::Result<()> {
        for object in objects.sorted() {
            writer.object(&object_json(&object))?;
        }
        for (addr, value) in self.engine.registers() {
            writer.register(addr, value)?;
        }
        Ok(())
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
            Payload::Object(object) => drop(self.objects_mut().record(&object)),
            Payload::Memory { addr, bytes } => self.write_memory(addr, bytes),
            Payload::Copy { dst, src, len } => {
                self.finish();
                self.memory.copy(dst, src, len as usize);
                self.engine.cpu_wrote(&self.memory);
                self.record_with(|writer| writer.copy(dst, src, len));
            }
            Payload::Push(words) => {
                self.push(words)?;
            }
            Payload::Register { addr, value } => self.write_register(addr, value),
            Payload::Gp(job) => self.vertex_job(job.frame)?,
            Payload::Pp(job) => self.fragment_job(job.frame)?,
            Payload::Surface(surface) => {
                self.finish();
                self.charge_surface(&surface)?;
                self.record_shown(&surface);
                return Ok(Some(surface));
            }
            Payload::Context(context) => self.engine.restore(&context, &mut self.memory)?,
            Payload::Unknown { .. } => self.oddities.records += 1,
        }
        self.within_budget()?;
        Ok(None)
    }

    /// A surface is about to be read, and what was drawn until a budget ended is to be seen.
    fn charge_surface(&self, surface: &Surface) -> Result<(), Problem> {
        let pixels = u64::from(surface.width) * u64::from(surface.height);
        let budget = self.memory.budget();
        let ended = budget.over().is_some();
        match budget.charge(Unit::Copies, Cost::Copied, SURFACE_BYTES * pixels) || ended {
            true => Ok(()),
            false => self.within_budget(),
        }
    }

    /// Was everything done so far that was asked for? Otherwise which unit was refused.
    ///
    /// ```
    /// use isotherm::budget::Limits;
    /// use isotherm::{Chip, Gpu};
    /// let limits = Limits { steps: 10_000, ..Limits::default() };
    /// let mut gpu = Gpu::builder(Chip::Nv2a).budget(limits).build()?;
    /// gpu.objects_mut().graphics(0x97, 0x97);
    /// assert!(gpu.push(&[0; 100]).is_ok());
    /// let error = gpu.push(&[0; 2000]).unwrap_err();
    /// assert_eq!(error.to_string(), "over budget: pusher: more than 10000 steps");
    /// assert!(gpu.within_budget().is_err());
    /// gpu.renew_budget();
    /// assert!(gpu.push(&[0; 100]).is_ok());
    /// # Ok::<(), isotherm::MemoryError>(())
    /// ```
    pub fn within_budget(&self) -> Result<(), Problem> {
        match self.memory.budget().over() {
            Some(over) => Err(Problem::Budget(over)),
            None => Ok(()),
        }
    }

    /// What the chip may do from now on. Replays of what others recorded should leave it
    /// alone; whoever serves a program that runs for hours calls [`Gpu::renew_budget`].
    pub fn set_budget(&mut self, limits: Limits) {
        self.memory.set_budget(limits);
    }

    /// Nothing of the budget is spent any more; what is held stays so.
    pub fn renew_budget(&mut self) {
        self.memory.budget().renew();
    }

    /// Waits until everything drawn so far is in memory.
    pub fn finish(&mut self) {
        self.engine.finish(&mut self.memory);
    }

    /// Runs words through the pusher. A host may stop it: then go on with the words that were
    /// not taken.
    pub fn push(&mut self, words: &[u32]) -> Result<Progress, Problem> {
        if self.is_recording() {
            return self.push_recorded(words);
        }
        let (engine, mut bus) = self.bus();
        let progress = engine.push(words, &mut bus)?;
        self.within_budget()?;
        Ok(progress)
    }

    /// Runs one method on the object that is bound to a subchannel; method 0 binds the object
    /// of a handle. A method that the front end refuses comes back with its trap.
    pub fn method(&mut self, subchannel: u8, method: u16, data: u32) -> Result<Outcome, Problem> {
        let method = Method {
            subchannel: subchannel & 7,
            method: method & 0x1FFC,
            data,
        };
        let (engine, mut bus) = self.bus();
        let outcome = engine.method(method, &mut bus)?;
        if self.is_recording() && outcome.taken() {
            self.record_method(method.subchannel, method.method, method.data);
            self.record_flip();
        }
        self.within_budget()?;
        Ok(outcome)
    }

    /// The engine, and what it reaches.
    fn bus(&mut self) -> (&mut dyn Engine, Bus<'_>) {
        if self.checked {
            self.engine.memory_changed();
        }
        let bus = Bus {
            objects: &self.objects,
            memory: &mut self.memory,
            odd: &mut self.oddities,
        };
        (&mut *self.engine, bus)
    }

    /// Runs words until `stop` says so between two of them; says how many were taken.
    pub fn push_until(
        &mut self,
        words: &[u32],
        mut stop: impl FnMut(&mut Gpu) -> bool,
    ) -> Result<usize, Problem> {
        for (index, word) in words.iter().enumerate() {
            self.push(std::slice::from_ref(word))?;
            if stop(self) {
                return Ok(index + 1);
            }
        }
        Ok(words.len())
    }
}

fn no_state() -> std::io::Error {
    let text = "registers do not show all of the state here: a primitive or method is open";
    std::io::Error::new(std::io::ErrorKind::ResourceBusy, text)
}
