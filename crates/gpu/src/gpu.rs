//! A chip with its memory: feed it records, read its surfaces.

use crate::pipeline::{Pipeline, Profile, WatchedVertex};
use crate::twod::{Bus, TwoD};
use isotherm_bus::bundle::Event;
use isotherm_bus::context::{self, Context};
use isotherm_bus::memory::{Memory, Tiles};
use isotherm_bus::method::Method;
use isotherm_bus::objects::Objects;
use isotherm_bus::observe::{Observer, Touch};
use isotherm_bus::trap::Trap;
use isotherm_capture::{
    Error, Job, ObjectRecord, Payload, Problem, Reader, Record, Surface, Writer, object_json,
};
use isotherm_fe::fifo::Pusher;
use isotherm_fe::{self as fe, Fe};
use isotherm_regs::{Chip, Family};

/// Things that are odd but do not stop a replay, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    /// Records of unknown kind.
    pub records: u64,
    /// Methods on a subchannel that nothing is bound to, or a class nobody implements.
    pub methods: u64,
    /// Bindings of handles that lead nowhere.
    pub handles: u64,
    /// Words that are no header where one was expected.
    pub headers: u64,
    /// Methods that the front end refused, as the chip would have by an interrupt.
    pub traps: u64,
    /// Software interrupts: NO_OPERATION with an argument, by which a driver calls its own
    /// handler. Not odd.
    pub calls: u64,
}

/// The engine that draws.
enum Engine {
    /// An NVIDIA chip: front end, 3D pipeline, 2D engine.
    Nv(Box<Nv>),
    /// A Mali: geometry and pixel processors.
    Mali(Box<Mali>),
}

struct Mali {
    machine: isotherm_mali::Machine,
    /// Pixel jobs run too, not only geometry.
    drawing: bool,
}

struct Nv {
    pusher: Pusher,
    /// Class bound to each subchannel, 0 for none.
    bound: [u32; 8],
    /// Is it a class of the 3D engine?
    bound_3d: [bool; 8],
    fe: Fe,
    pipeline: Pipeline,
    twod: TwoD,
    tiles: Tiles,
    /// A tile register was written since memory was last put in order.
    tiles_changed: bool,
    draws: u64,
    /// Draws, clears and 2D operations.
    actions: u64,
    drawing: bool,
    /// A draw was begun and not ended.
    open: bool,
    /// Stop when so many draws are done.
    until_draw: Option<u64>,
    observer: Option<Box<dyn Observer>>,
}

/// A chip with its memory.
pub struct Gpu {
    chip: Chip,
    /// All memory the chip sees.
    pub memory: Memory,
    objects: Objects,
    oddities: Oddities,
    engine: Engine,
}

impl Oddities {
    #[cold]
    fn trapped(&mut self, trap: &Trap) {
        // NO_OPERATION with an argument is how drivers call their own interrupt handler.
        if trap.method == 0x100 {
            self.calls += 1;
        } else {
            self.traps += 1;
        }
    }

    /// Was anything odd?
    pub fn any(&self) -> bool {
        let ordinary = Oddities {
            calls: self.calls,
            ..Oddities::default()
        };
        *self != ordinary
    }
}

/// Is this a class of the 3D engine?
pub fn is_3d(class: u32) -> bool {
    matches!(
        class,
        0x48 | 0x54
            | 0x55
            | 0x56
            | 0x85
            | 0x94
            | 0x95
            | 0x96
            | 0x97
            | 0x98
            | 0x99
            | 0x397
            | 0x497
            | 0x597
            | 0x697
            | 0x3597
            | 0x4097
            | 0x4497
    )
}

impl Gpu {
    /// A chip after reset, its memory all zero.
    pub fn new(chip: Chip) -> Gpu {
        let engine = if chip.family() == Family::Utgard {
            Engine::Mali(Box::new(Mali {
                machine: isotherm_mali::Machine::new(),
                drawing: true,
            }))
        } else {
            Engine::Nv(Box::new(Nv {
                pusher: Pusher::default(),
                bound: [0; 8],
                bound_3d: [false; 8],
                fe: Fe::new(chip),
                pipeline: Pipeline::new(chip),
                twod: TwoD::new(chip),
                tiles: Tiles::default(),
                tiles_changed: false,
                draws: 0,
                actions: 0,
                drawing: true,
                open: false,
                until_draw: None,
                observer: None,
            }))
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
        match &mut self.engine {
            Engine::Nv(nv) => nv.pipeline.set_threads(threads),
            Engine::Mali(mali) => mali.machine.set_threads(threads),
        }
    }

    /// Counts what is drawn from zero; with `times`, measures where the time goes. The
    /// Mali's units keep no such figures.
    pub fn restart_profile(&mut self, times: bool) {
        if let Engine::Nv(nv) = &mut self.engine {
            nv.pipeline.restart_profile(times);
        }
    }

    /// What was drawn since [`Gpu::restart_profile`].
    pub fn profile(&self) -> Option<&Profile> {
        match &self.engine {
            Engine::Nv(nv) => Some(nv.pipeline.profile()),
            Engine::Mali(_) => None,
        }
    }

    /// Ignore everything after this many draws.
    pub fn set_until_draw(&mut self, draws: Option<u64>) {
        match &mut self.engine {
            Engine::Nv(nv) => nv.until_draw = draws,
            Engine::Mali(mali) => mali.machine.set_until_draw(draws),
        }
    }

    /// Draws with rules of software renderers where a Mali has others; false for other chips.
    pub fn set_what_if(&mut self, what: isotherm_mali::WhatIf) -> bool {
        match &mut self.engine {
            Engine::Nv(_) => false,
            Engine::Mali(mali) => {
                mali.machine.set_what_if(what);
                true
            }
        }
    }

    /// Switches the units behind the front end on or off. Off, methods run and nothing is
    /// drawn: for those who want the commands, not the picture.
    pub fn set_drawing(&mut self, on: bool) {
        match &mut self.engine {
            Engine::Nv(nv) => nv.drawing = on,
            Engine::Mali(mali) => mali.drawing = on,
        }
    }

    /// The processors of a Mali.
    pub fn mali(&self) -> Option<&isotherm_mali::Machine> {
        match &self.engine {
            Engine::Nv(_) => None,
            Engine::Mali(mali) => Some(&mali.machine),
        }
    }

    /// Somebody watches, or nobody any more.
    pub fn set_observer(&mut self, observer: Option<Box<dyn Observer>>) {
        if let Engine::Nv(nv) = &mut self.engine {
            nv.observer = observer;
        }
    }

    /// Watches the pixel whose word begins at this address of memory, or none any more. What
    /// draws and clears do to it is kept until it is asked for.
    pub fn watch(&mut self, address: Option<u32>) {
        match &mut self.engine {
            Engine::Nv(nv) => nv.pipeline.watch(address),
            Engine::Mali(mali) => mali.machine.watch(address),
        }
    }

    /// What happened to the watched pixel since the last question. Drawing is finished first.
    pub fn touches(&mut self) -> Vec<Touch> {
        self.finish();
        match &mut self.engine {
            Engine::Nv(nv) => nv.pipeline.touches(),
            Engine::Mali(mali) => mali.machine.touches(),
        }
    }

    /// Watches a vertex: the number `vertex` (from 0) that goes through XF in the draw
    /// that comes after `draw` more.
    pub fn watch_vertex(&mut self, draw: u64, vertex: usize) {
        if let Engine::Nv(nv) = &mut self.engine {
            nv.pipeline.watch_vertex(draw, vertex);
        }
    }

    /// The watched vertex, if it has come by; watching ends.
    pub fn watched_vertex(&mut self) -> Option<WatchedVertex> {
        match &mut self.engine {
            Engine::Nv(nv) => nv.pipeline.watched_vertex(),
            Engine::Mali(_) => None,
        }
    }

    /// Draws so far: primitives begun and ended.
    pub fn draws(&self) -> u64 {
        match &self.engine {
            Engine::Nv(nv) => nv.draws,
            Engine::Mali(mali) => mali.machine.draws(),
        }
    }

    /// Draws, clears and 2D operations so far.
    pub fn actions(&self) -> u64 {
        match &self.engine {
            Engine::Nv(nv) => nv.actions,
            Engine::Mali(mali) => mali.machine.draws(),
        }
    }

    /// What was odd so far.
    pub fn oddities(&self) -> Oddities {
        let mut oddities = self.oddities;
        if let Engine::Nv(nv) = &self.engine {
            oddities.headers = nv.pusher.bad_headers;
        }
        oddities
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

    /// The context, if the chip has one and no primitive is open.
    pub fn context(&mut self) -> Option<Context> {
        self.finish();
        let Engine::Nv(nv) = &mut self.engine else {
            return None;
        };
        if nv.open {
            return None;
        }
        let mut bound = [[0; 2]; 8];
        for (index, pair) in bound.iter_mut().enumerate() {
            *pair = [nv.bound[index], nv.twod.bound(index)];
        }
        Some(Context {
            version: context::VERSION,
            fe: nv.fe.save(),
            units: nv.pipeline.units(),
            bound,
            pusher: nv.pusher.save(),
            twod: nv.twod.save(),
            draws: nv.draws,
        })
    }

    /// Puts a context back.
    fn restore(&mut self, saved: &Context) -> Result<(), Problem> {
        let Engine::Nv(nv) = &mut self.engine else {
            return Err(Problem::WrongChip("CTX"));
        };
        let (pipeline, memory) = (&mut nv.pipeline, &mut self.memory);
        fe::Context::from_words(&saved.fe)
            .and_then(|context| {
                nv.fe.load_context(&context, &mut |event| {
                    pipeline.event(memory, event);
                })
            })
            .map_err(|e| Problem::Context(e.into()))?;
        pipeline.load_units(memory, &saved.units);
        nv.pusher.restore(saved.pusher);
        nv.bound = saved.bound.map(|[class, _]| class);
        nv.bound_3d = nv.bound.map(is_3d);
        nv.twod
            .restore(&saved.twod, saved.bound.map(|[_, handle]| handle));
        nv.draws = saved.draws;
        Ok(())
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
            let open = matches!(&self.engine, Engine::Nv(nv) if nv.open);
            if !open && stop(self) {
                return Ok(index + 1);
            }
        }
        Ok(words.len())
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
        if let Engine::Nv(nv) = &self.engine {
            for (addr, value) in nv.tiles.registers() {
                writer.register(addr, value)?;
            }
        }
        for (addr, bytes) in self.memory.pages() {
            writer.memory(addr, bytes)?;
        }
        writer.context(&context)
    }

    /// The objects that have a handle.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Executes one record; a `SURF` comes back when all drawing before it is in memory.
    pub fn record(&mut self, record: Record<'_>) -> Result<Option<Box<Surface>>, Error> {
        let offset = record.offset;
        self.payload(record.payload)
            .map_err(|problem| Error { offset, problem })
    }

    fn payload(&mut self, payload: Payload<'_>) -> Result<Option<Box<Surface>>, Problem> {
        if self.stopped() && !matches!(payload, Payload::Surface(_)) {
            return Ok(None);
        }
        match payload {
            Payload::Info(_) => {}
            Payload::Object(object) => {
                // What is queued was bound with the objects as they were; the front end
                // resolved them when the methods ran, so nothing needs to be finished.
                object.apply(&mut self.objects);
            }
            Payload::Memory { addr, bytes } => {
                self.finish();
                self.order_tiles();
                self.memory.write(addr, bytes);
            }
            Payload::Copy { dst, src, len } => {
                self.finish();
                self.memory.copy(dst, src, len as usize);
            }
            Payload::Push(words) => self.push(words)?,
            Payload::Register { addr, value } => self.register(addr, value),
            Payload::Gp(job) => self.job(job, "GP")?,
            Payload::Pp(job) => self.job(job, "PP")?,
            Payload::Surface(surface) => {
                self.finish();
                return Ok(Some(surface));
            }
            Payload::Context(context) => self.restore(&context)?,
            Payload::Unknown { .. } => self.oddities.records += 1,
        }
        Ok(None)
    }

    fn stopped(&self) -> bool {
        matches!(&self.engine, Engine::Nv(nv) if nv.stopped())
    }

    /// Waits until everything drawn so far is in memory.
    pub fn finish(&mut self) {
        if let Engine::Nv(nv) = &mut self.engine {
            nv.pipeline.flush(&mut self.memory);
        }
    }

    fn job(&mut self, job: Job<'_>, what: &'static str) -> Result<(), Problem> {
        let Engine::Mali(mali) = &mut self.engine else {
            return Err(Problem::WrongChip(what));
        };
        let done = if what == "GP" {
            mali.machine.gp_job(&mut self.memory, job.frame)
        } else if !mali.drawing {
            Ok(())
        } else {
            mali.machine.pp_job(&mut self.memory, job.frame)
        };
        done.map_err(|e| Problem::Job(e.into()))
    }

    fn register(&mut self, addr: u32, value: u32) {
        if let Engine::Nv(nv) = &mut self.engine {
            if self.chip == Chip::Nv2a {
                nv.tiles.register(addr & 0x00FF_FFFF, value);
                nv.tiles_changed = true;
            }
            nv.fe.write(addr & 0x00FF_FFFF, value);
        }
    }

    /// Brings memory into the order that the tile registers ask for.
    #[inline]
    fn order_tiles(&mut self) {
        if let Engine::Nv(nv) = &mut self.engine
            && std::mem::take(&mut nv.tiles_changed)
        {
            nv.pipeline.flush(&mut self.memory);
            nv.tiles.apply(&mut self.memory);
        }
    }

    /// Runs words through the pusher.
    pub fn push(&mut self, words: &[u32]) -> Result<(), Problem> {
        self.order_tiles();
        let Engine::Nv(nv) = &mut self.engine else {
            return Err(Problem::WrongChip("PUSH"));
        };
        let (objects, memory, odd) = (&self.objects, &mut self.memory, &mut self.oddities);
        let mut rest = words;
        loop {
            let taken = nv.push_plain(rest, objects, memory, odd);
            let Some((&word, tail)) = rest.get(taken..).and_then(<[u32]>::split_first) else {
                break;
            };
            rest = tail;
            if let Some(method) = nv.pusher.step(word) {
                if nv.stopped() {
                    break;
                }
                nv.method(method, objects, memory, odd);
            }
        }
        Ok(())
    }
}

/// Notes an event that ends something: draws, and with clears the actions.
#[inline]
fn count(event: &Event, open: &mut bool, draws: &mut u64, actions: &mut u64) {
    match event {
        Event::End => {
            *open = false;
            *draws += 1;
            *actions += 1;
        }
        // BEGIN without END before it counts as another draw.
        Event::Begin { .. } if std::mem::replace(open, true) => {
            *draws += 1;
            *actions += 1;
        }
        Event::Clear(_) => *actions += 1,
        _ => {}
    }
}

impl Nv {
    #[inline]
    fn stopped(&self) -> bool {
        self.until_draw.is_some_and(|draws| self.draws >= draws)
    }

    /// Runs words of the 3D engine while nobody watches and nothing is to stop at; says how many
    /// it took. Bindings and other engines' methods end it.
    fn push_plain(
        &mut self,
        words: &[u32],
        objects: &Objects,
        memory: &mut Memory,
        odd: &mut Oddities,
    ) -> usize {
        if self.observer.is_some() || self.until_draw.is_some() {
            return 0;
        }
        let Nv {
            pusher,
            bound_3d,
            fe,
            pipeline,
            draws,
            actions,
            drawing,
            open,
            ..
        } = self;
        let mut sink = |event: &Event| {
            count(event, open, draws, actions);
            if *drawing {
                pipeline.event(memory, event);
            }
        };
        let mut trapped = |trap: Trap| odd.trapped(&trap);
        let mut taken = 0;
        while let Some(rest) = words.get(taken..)
            && let Some(&word) = rest.first()
        {
            let Some(ahead) = pusher.ahead(rest) else {
                pusher.step(word);
                taken += 1;
                continue;
            };
            if ahead.method == 0 || !bound_3d[usize::from(ahead.subchannel & 7)] {
                break;
            }
            let data = &rest[..ahead.words];
            let run = fe::Run::new(
                ahead.subchannel,
                ahead.method.into(),
                ahead.step.into(),
                data,
            );
            fe.run(run, objects, &mut sink, &mut trapped);
            pusher.skip(ahead);
            taken += ahead.words;
        }
        taken
    }

    #[inline]
    fn method(&mut self, m: Method, objects: &Objects, memory: &mut Memory, odd: &mut Oddities) {
        let subchannel = usize::from(m.subchannel & 7);
        if m.method == 0 {
            let object = objects.get(m.data);
            odd.handles += u64::from(object.is_none());
            self.bound[subchannel] = object.map_or(0, |object| object.class);
            self.bound_3d[subchannel] = is_3d(self.bound[subchannel]);
        }
        let class = self.bound[subchannel];
        if let Some(observer) = &mut self.observer {
            observer.method(class, m);
        }
        if self.bound_3d[subchannel] {
            let Nv {
                fe,
                pipeline,
                observer,
                draws,
                actions,
                drawing,
                open,
                ..
            } = self;
            let trap = fe.method(
                subchannel,
                m.method.into(),
                m.data,
                objects,
                &mut |event: &Event| {
                    if let Some(observer) = observer {
                        observer.event(event);
                    }
                    count(event, open, draws, actions);
                    if *drawing {
                        pipeline.event(memory, event);
                    }
                },
            );
            if let Some(trap) = trap {
                self.trapped(trap, odd);
            }
        } else {
            self.twod_method(class, m, objects, memory, odd);
        }
    }

    #[cold]
    #[inline(never)]
    fn trapped(&mut self, trap: Trap, odd: &mut Oddities) {
        odd.trapped(&trap);
        if let Some(observer) = &mut self.observer {
            observer.trap(&trap);
        }
    }

    #[cold]
    #[inline(never)]
    fn twod_method(
        &mut self,
        class: u32,
        m: Method,
        objects: &Objects,
        memory: &mut Memory,
        odd: &mut Oddities,
    ) {
        // 2D reads and writes memory when it acts: what is still queued goes first.
        if self.twod.acts(class, m.method) {
            self.actions += 1;
            self.pipeline.flush(memory);
        }
        let bus = &mut Bus {
            objects,
            memory,
            tiles: &self.tiles,
        };
        let known = self.twod.method(m.subchannel, class, m.method, m.data, bus);
        odd.methods += u64::from(!known);
    }
}

/// Replays a capture from its beginning; `surface` is called at each `SURF`.
pub fn replay(
    mut reader: Reader<'_>,
    prepare: impl FnOnce(&mut Gpu),
    mut surface: impl FnMut(&mut Gpu, &Surface),
) -> Result<Gpu, Error> {
    let mut gpu = start(&mut reader)?;
    prepare(&mut gpu);
    while let Some(record) = reader.next_record()? {
        if let Some(found) = gpu.record(record)? {
            surface(&mut gpu, &found);
        }
    }
    gpu.finish();
    Ok(gpu)
}

/// Reads the `INFO` record and makes the chip it names.
pub fn start(reader: &mut Reader<'_>) -> Result<Gpu, Error> {
    let offset = reader.offset();
    let at = |problem| Error { offset, problem };
    match reader.next_record()? {
        Some(Record {
            payload: Payload::Info(info),
            ..
        }) => {
            let chip = Chip::parse(&info.gpu).ok_or(at(Problem::Chip(info.gpu)))?;
            Ok(Gpu::new(chip))
        }
        _ => Err(at(Problem::NoInfo)),
    }
}
