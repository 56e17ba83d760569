//! An NVIDIA chip as an engine: pusher, front end, 3D pipeline, 2D engine.

mod bar;
mod calls;
mod inner;
mod puller;
mod start;

use super::Oddities;
use super::engine::{Bus, Engine, HardwareState};
use crate::host::{Flip, Host, Outcome, Progress};
use crate::pipeline::{DrawReport, Pipeline, Profile, VertexPair, WatchedVertex};
use crate::surface::SurfaceView;
use crate::twod::{self, TwoD};
use calls::Calls;
use isotherm_bus::budget::{Budget, Cost, Unit};
use isotherm_bus::bundle::Event;
use isotherm_bus::context::{self, Context};
use isotherm_bus::memory::{Memory, Tiles};
use isotherm_bus::method::Method;
use isotherm_bus::objects::Objects;
use isotherm_bus::observe::{Observer, Touch};
use isotherm_bus::trap::Trap;
use isotherm_capture::{Image, Problem, Surface};
use isotherm_fe::fifo::Pusher;
use isotherm_fe::{self as fe, Fe};
use isotherm_regs::bundle::Bundle;
use isotherm_regs::{Chip, Class3d};
use puller::Puller;

/// Registers lie in a BAR of this size; captures give addresses of the CPU.
const BAR: u32 = 0x00FF_FFFF;

/// Methods below are the puller's, whatever is bound.
const FIRST_OF_CLASS: u16 = 0x100;

/// Pusher, front end, 3D pipeline and 2D engine of a chip.
pub(super) struct Nvidia {
    chip: Chip,
    pusher: Pusher,
    puller: Puller,
    /// Class bound to each subchannel, 0 for none.
    bound: [u32; 8],
    /// Is it a class of the 3D engine?
    bound_3d: [bool; 8],
    /// The handle that it was bound by.
    handles: [u32; 8],
    fe: Fe,
    back: BackEnd,
    twod: TwoD,
    tiles: Tiles,
    /// A tile register was written since memory was last put in order.
    tiles_changed: bool,
    /// Stop when so many draws are done.
    until_draw: Option<u64>,
    calls: Calls,
    written: bar::Writes,
}

/// What the front end's events go to.
struct BackEnd {
    pipeline: Pipeline,
    observer: Option<Box<dyn Observer>>,
    drawing: bool,
    draws: u64,
    /// Draws, clears and 2D operations.
    actions: u64,
    /// A draw was begun and not ended.
    open: bool,
}

impl BackEnd {
    /// Takes one event. Whoever knows that nobody watches spares the question.
    #[inline(always)]
    fn event<const WATCHED: bool>(&mut self, memory: &mut Memory, event: &Event) {
        if WATCHED && let Some(observer) = &mut self.observer {
            observer.event(event);
        }
        match event {
            Event::End => {
                self.open = false;
                self.acts(memory, 1);
            }
            // BEGIN without END before it counts as another draw.
            Event::Begin { .. } if std::mem::replace(&mut self.open, true) => {
                self.acts(memory, 1);
            }
            Event::Clear(_) => self.acts(memory, 0),
            // Nothing is told of what was not done. A header's words are run as one, so some
            // of them come after the budget's end.
            Event::Report { .. } | Event::SemaphoreRelease { .. }
                if memory.budget().over().is_some() =>
            {
                return;
            }
            _ => {}
        }
        if self.drawing {
            self.pipeline.event(memory, event);
        }
    }

    /// Counts an action that the budget still allows, and the draw that it may be.
    fn acts(&mut self, memory: &Memory, draws: u64) {
        if memory.budget().over().is_none() {
            self.draws += draws;
            self.actions += 1;
        }
    }

    #[cold]
    #[inline(never)]
    fn trapped(&mut self, trap: &Trap, odd: &mut Oddities) {
        odd.trapped(trap);
        if let Some(observer) = &mut self.observer {
            observer.trap(trap);
        }
    }
}

/// The back end and its memory while scenes may be drawn as events come in. However this ends,
/// they are drawn then.
struct Overlapped<'a> {
    back: &'a mut BackEnd,
    memory: &'a mut Memory,
}

impl<'a> Overlapped<'a> {
    fn new(back: &'a mut BackEnd, memory: &'a mut Memory) -> Overlapped<'a> {
        // SAFETY: the memory is borrowed, and goes through events to the pipeline alone, until
        // `drop` turns it off.
        unsafe { back.pipeline.overlap(memory, true) };
        Overlapped { back, memory }
    }
}

impl fe::Sink for Overlapped<'_> {
    #[inline(always)]
    fn event(&mut self, event: &Event) {
        self.back.event::<false>(self.memory, event);
    }

    #[inline]
    fn elements(&mut self, numbers: &[u32]) {
        if self.back.drawing {
            self.back.pipeline.elements(self.memory, numbers);
        }
    }
}

impl Drop for Overlapped<'_> {
    fn drop(&mut self) {
        // SAFETY: it is turned off.
        unsafe { self.back.pipeline.overlap(self.memory, false) };
    }
}

impl Nvidia {
    pub(super) fn new(chip: Chip) -> Nvidia {
        Nvidia {
            chip,
            pusher: Pusher::default(),
            puller: Puller::default(),
            bound: [0; 8],
            bound_3d: [false; 8],
            handles: [0; 8],
            fe: Fe::new(chip),
            back: BackEnd {
                pipeline: Pipeline::new(chip),
                observer: None,
                drawing: true,
                draws: 0,
                actions: 0,
                open: false,
            },
            twod: TwoD::new(),
            tiles: Tiles::default(),
            tiles_changed: false,
            until_draw: None,
            calls: Calls::new(),
            written: bar::Writes::default(),
        }
    }

    fn bind(&mut self, subchannel: usize, class: u32) {
        self.bound[subchannel] = class;
        self.bound_3d[subchannel] = Class3d::of(class).is_some();
    }

    /// Runs words of the 3D engine, as many as a header announces at once; says how many it
    /// took. Bindings and other engines' methods end it, and nothing is run while somebody
    /// wants to see every method or to stop at one.
    fn push_3d(&mut self, words: &[u32], bus: &mut Bus<'_>) -> usize {
        if self.back.observer.is_some() || self.until_draw.is_some() || self.calls.any() {
            return 0;
        }
        let Nvidia {
            pusher,
            fe,
            back,
            calls,
            ..
        } = self;
        let Bus {
            objects,
            memory,
            odd,
        } = bus;
        let budget = memory.budget().clone();
        let mut overlapped = Overlapped::new(back, memory);
        let mut trapped = |trap: Trap| odd.trapped(&trap);
        let mut taken = 0;
        while let Some(rest) = words.get(taken..)
            && let Some(&word) = rest.first()
            && budget.over().is_none()
        {
            let Some(ahead) = pusher.ahead(rest) else {
                pusher.step(word);
                taken += 1;
                continue;
            };
            if ahead.method < FIRST_OF_CLASS
                || !self.bound_3d[usize::from(ahead.subchannel & 7)]
                || calls.flips_in(&ahead)
            {
                break;
            }
            let data = &rest[..ahead.words];
            let run = fe::Run::new(
                ahead.subchannel,
                ahead.method.into(),
                ahead.step.into(),
                data,
            );
            fe.run(run, *objects, &mut overlapped, &mut trapped);
            pusher.skip(ahead);
            taken += ahead.words;
        }
        taken
    }

    /// Runs one method.
    #[inline]
    fn run(&mut self, m: Method, bus: &mut Bus<'_>) -> Outcome {
        let subchannel = usize::from(m.subchannel & 7);
        if m.method == 0 {
            let object = bus.objects.get(m.data);
            bus.odd.handles += u64::from(object.is_none());
            self.bind(subchannel, object.map_or(0, |object| object.class));
            self.handles[subchannel] = m.data;
        }
        let class = self.bound[subchannel];
        if let Some(observer) = &mut self.back.observer {
            observer.method(class, m);
        }
        if m.method != 0
            && m.method < FIRST_OF_CLASS
            && let Some(outcome) = self.pull(m, bus)
        {
            return outcome;
        }
        self.note_flip(m);
        if self.bound_3d[subchannel] {
            if let Some(trap) = self.method_3d(m, bus) {
                return self.interrupt(trap, bus);
            }
        } else {
            self.method_2d(class, m, bus);
        }
        if self.calls.any() {
            return self.call_host(m, bus);
        }
        Outcome::default()
    }

    #[inline]
    fn method_3d(&mut self, m: Method, bus: &mut Bus<'_>) -> Option<Trap> {
        let Nvidia {
            fe, back, calls, ..
        } = self;
        let mut sink = |event: &Event| {
            calls.released |=
                matches!(event, Event::SemaphoreRelease { .. } | Event::Report { .. });
            back.event::<true>(bus.memory, event);
        };
        let subchannel = usize::from(m.subchannel & 7);
        fe.method(subchannel, m.method.into(), m.data, bus.objects, &mut sink)
    }

    #[cold]
    #[inline(never)]
    fn method_2d(&mut self, class: u32, m: Method, bus: &mut Bus<'_>) {
        const STEPS: u64 = 100;
        if !bus.memory.budget().charge(Unit::TwoD, Cost::Steps, STEPS) {
            return;
        }
        // 2D reads and writes memory when it acts: what is still queued goes first.
        if self.twod.acts(class, m.method) {
            self.back.actions += 1;
            self.back.pipeline.flush(bus.memory);
        }
        let reach = &mut twod::Bus {
            objects: bus.objects,
            memory: bus.memory,
            tiles: &self.tiles,
        };
        let known = self
            .twod
            .method(m.subchannel, class, m.method, m.data, reach);
        bus.odd.methods += u64::from(!known);
    }
}

/// Words cost something whatever they say. What is refused is seen by the loop over them.
fn charge_words(budget: &Budget, words: usize) {
    const STEPS: u64 = 10;
    let _ = budget.charge(Unit::Pusher, Cost::Steps, STEPS * words as u64);
}

impl Engine for Nvidia {
    fn set_threads(&mut self, threads: usize) {
        self.back.pipeline.set_threads(threads);
    }

    fn set_scene_size(&mut self, primitives: usize) {
        self.back.pipeline.set_scene_size(primitives);
    }

    fn set_drawing(&mut self, on: bool) {
        self.back.drawing = on;
    }

    fn set_until_draw(&mut self, draws: Option<u64>) {
        self.until_draw = draws;
    }

    fn draws(&self) -> u64 {
        self.back.draws
    }

    fn actions(&self) -> u64 {
        self.back.actions
    }

    fn watch(&mut self, address: Option<u32>) {
        self.back.pipeline.watch(address);
    }

    fn touches(&mut self) -> Vec<Touch> {
        self.back.pipeline.touches()
    }

    fn watch_vertex(&mut self, draw: u64, vertex: usize) {
        self.back.pipeline.watch_vertex(draw, vertex);
    }

    fn watched_vertex(&mut self) -> Option<WatchedVertex> {
        self.back.pipeline.watched_vertex()
    }

    fn set_observer(&mut self, observer: Option<Box<dyn Observer>>) {
        self.back.observer = observer;
    }

    fn profile(&self) -> Option<&Profile> {
        Some(self.back.pipeline.profile())
    }

    fn restart_profile(&mut self, times: bool) {
        self.back.pipeline.restart_profile(times);
    }

    fn inspect(&mut self, memory: &mut Memory, on: bool) {
        self.back.pipeline.inspect(memory, on);
    }

    fn take_reports(&mut self) -> Vec<DrawReport> {
        self.back.pipeline.take_reports()
    }

    fn take_vertices(&mut self) -> Vec<VertexPair> {
        self.back.pipeline.take_vertices()
    }

    fn word(&self, bundle: Bundle, index: usize) -> Option<u32> {
        self.back.pipeline.word(bundle, index)
    }

    fn texture(&self, unit: usize, memory: &Memory) -> Option<Image> {
        self.back.pipeline.texture(unit, memory)
    }

    fn bad_headers(&self) -> u64 {
        self.pusher.bad_headers
    }

    #[inline]
    fn stopped(&self) -> bool {
        self.until_draw
            .is_some_and(|draws| self.back.draws >= draws)
    }

    fn inside_primitive(&self) -> bool {
        self.back.open
    }

    fn finish(&mut self, memory: &mut Memory) {
        self.back.pipeline.finish(memory);
        self.calls.tell_writes(memory);
    }

    fn before_read(&mut self, memory: &mut Memory, range: (u32, usize)) {
        self.back.pipeline.before_read(memory, range);
    }

    fn memory_changed(&mut self) {
        self.back.pipeline.memory_changed();
    }

    fn tell_writes(&mut self, memory: &Memory) {
        self.calls.tell_writes(memory);
    }

    fn cpu_wrote(&mut self, memory: &Memory) {
        self.calls.skip_writes(memory);
        self.back.pipeline.memory_changed();
    }

    fn set_host(&mut self, host: Option<Box<dyn Host>>) {
        self.calls.set_host(host);
    }

    fn missing_data(&self) -> usize {
        self.pusher.missing().into()
    }

    fn reference(&self) -> u32 {
        self.puller.reference
    }

    fn set_stop_at_flips(&mut self, on: bool) {
        self.calls.set_stop_at_flips(on);
    }

    fn take_flip(&mut self) -> Option<Flip> {
        self.calls.take_flip()
    }

    fn picture_shown(&mut self) {
        self.advance_flip_read();
    }

    fn color_target(&self) -> Option<SurfaceView> {
        SurfaceView::color(&self.back.pipeline.surfaces())
    }

    fn depth_target(&self) -> Option<SurfaceView> {
        SurfaceView::depth(&self.back.pipeline.surfaces())
    }

    fn last_picture(&self, memory: &Memory) -> Option<Image> {
        let drawn_to = self.back.pipeline.drawn_to()?;
        Some(SurfaceView::color(&drawn_to)?.rgba8(memory))
    }

    fn last_surface(&self) -> Option<Surface> {
        SurfaceView::color(&self.back.pipeline.drawn_to()?)?.record()
    }

    /// Brings memory into the order that the tile registers ask for.
    fn before_access(&mut self, memory: &mut Memory) {
        if std::mem::take(&mut self.tiles_changed) {
            self.back.pipeline.flush(memory);
            self.tiles.apply(memory);
        }
        self.settle_bar(memory);
    }

    fn push(&mut self, words: &[u32], bus: &mut Bus<'_>) -> Result<Progress, Problem> {
        self.before_access(bus.memory);
        let mut taken = 0;
        let mut wait = None;
        let budget = bus.memory.budget().clone();
        charge_words(&budget, words.len());
        while wait.is_none() && budget.over().is_none() && !self.calls.at_flip() {
            taken += self.push_3d(&words[taken..], bus);
            let Some(rest) = words.get(taken..).filter(|rest| !rest.is_empty()) else {
                break;
            };
            if let Some(ahead) = self.pusher.ahead(&rest[..1]) {
                if self.stopped() {
                    taken = words.len();
                    break;
                }
                let outcome = self.run(
                    Method {
                        subchannel: ahead.subchannel,
                        method: ahead.method,
                        data: rest[0],
                    },
                    bus,
                );
                if !outcome.taken() {
                    wait = outcome.wait;
                    break;
                }
                wait = outcome.wait;
            }
            self.pusher.step(rest[0]);
            taken += 1;
        }
        Ok(Progress { taken, wait })
    }

    fn method(&mut self, method: Method, bus: &mut Bus<'_>) -> Result<Outcome, Problem> {
        self.before_access(bus.memory);
        Ok(self.run(method, bus))
    }

    fn register(&mut self, addr: u32, value: u32) {
        if self.chip == Chip::Nv2a {
            self.tiles.register(addr & BAR, value);
            self.tiles_changed = true;
        }
        if !self.write_bar(addr & BAR, value) {
            self.fe.write(addr & BAR, value);
        }
    }

    fn hardware_state(&mut self, objects: &mut Objects) -> Option<HardwareState> {
        Some(HardwareState {
            methods: self.start_methods(objects),
            registers: self.bar_writes(),
            passed: self.back.pipeline.units().zpass,
        })
    }

    fn registers(&self) -> Vec<(u32, u32)> {
        self.tiles.registers().collect()
    }

    fn context(&mut self, memory: &mut Memory) -> Context {
        self.settle_bar(memory);
        let inner = self.save_inner(memory);
        let mut bound = [[0; 2]; 8];
        for (index, pair) in bound.iter_mut().enumerate() {
            *pair = [self.bound[index], self.handles[index]];
        }
        Context {
            version: context::VERSION,
            fe: self.fe.save(),
            units: self.back.pipeline.units(),
            bound,
            pusher: self.pusher.save(),
            twod: self.twod.save(),
            draws: self.back.draws,
            inner,
        }
    }

    fn restore(&mut self, saved: &Context, memory: &mut Memory) -> Result<(), Problem> {
        self.settle_bar(memory);
        let pipeline = &mut self.back.pipeline;
        pipeline.drop_primitive(memory);
        self.back.open = false;
        if saved.fe.is_empty() {
            // Everything else was written to registers.
            pipeline.load_unseen(memory, &saved.units);
            return Ok(());
        }
        fe::Context::from_words(&saved.fe)
            .and_then(|context| {
                self.fe.load_context(&context, &mut |event| {
                    pipeline.event(memory, event);
                })
            })
            .map_err(|e| Problem::Context(e.into()))?;
        pipeline.load_units(memory, &saved.units);
        self.pusher.restore(saved.pusher);
        for (subchannel, [class, _]) in saved.bound.into_iter().enumerate() {
            self.bind(subchannel, class);
        }
        self.handles = saved.bound.map(|[_, handle]| handle);
        self.twod.restore(&saved.twod, self.handles);
        self.back.draws = saved.draws;
        match saved.inner.is_empty() {
            true => Ok(()),
            false => self.load_inner(memory, &saved.inner),
        }
    }
}
