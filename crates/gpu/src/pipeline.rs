//! Wires the units: the path of a draw reads top to bottom here.

mod beside;
mod rdi;
mod vertex;

use beside::Which;
use isotherm_pixel::crew::Crew;
use isotherm_pixel::profile::Started;
pub use isotherm_pixel::profile::{Part, Profile};

use crate::idx::Idx;
use isotherm_bus::bundle::{DmaRole, DmaSpan, Event, Words};
use isotherm_bus::memory::Memory;
use isotherm_bus::observe::Touch;
use isotherm_bus::vertex::VtxIn;
use isotherm_pixel::assm::{Assm, Out};
use isotherm_pixel::raster::State;
use isotherm_pixel::raster::clip::intersect;
use isotherm_pixel::raster::plain::Plain;
use isotherm_pixel::raster::prepare::scissor;
use isotherm_pixel::raster::tile::{Draw, Worker, worker};
use isotherm_pixel::rop::Rop;
use isotherm_pixel::rop::clear::Clear;
use isotherm_pixel::rop::prepare::{SurfaceRegs, Surfaces};
use isotherm_pixel::scene::Scene;
use isotherm_pixel::shader::Shade;
use isotherm_pixel::shader::program::{Fragments, ProgramCache};
use isotherm_pixel::tex::{TexCache, VertexTextures, cylinder_axes};
use isotherm_pixel::zcull::ClipIds;
use isotherm_regs::bundle as id;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::bundle::CLEAR_HV;
use isotherm_regs::{Chip, Family};
use isotherm_xf::xf::Xf;
use std::sync::Arc;
use vertex::VertexWatch;
pub use vertex::WatchedVertex;

/// Vertices that XF gets at once.
const BATCH: usize = 128;
/// Vertices and primitives after which a scene is finished even inside a
/// primitive, so that no stream can make it grow without bound.
const FULL: usize = 1 << 18;
/// Prepared states after which a scene is finished, for the same reason.
const DRAWS: usize = 1024;
/// Vertices that most indices stay below.
const NEAR: u32 = 1 << 16;
/// Entries of the cache of transformed vertices; a power of two.
const CACHE: usize = 4096;

/// The 3D pipeline of one chip.
pub struct Pipeline {
    chip: Chip,
    /// Bundle and entry of every id of the chip's numbering.
    ids: Vec<Option<(Bundle, u16)>>,
    words: Words,
    idx: Idx,
    xf: Xf,
    assm: Assm,
    surface: SurfaceRegs,
    tex: [DmaSpan; 2],
    semaphore: DmaSpan,
    report: DmaSpan,
    scene: Scene,
    textures: TexCache,
    programs: ProgramCache,
    /// The prepared draw that the next vertices belong to.
    draw: Option<u32>,
    /// A primitive is open.
    open: bool,
    /// First one and number of vertices that DRAW_ARRAYS asked for and that are not
    /// fetched yet: successive methods are taken together.
    waiting: (u32, u32),
    /// Vertices that wait for XF, or numbers of those that are not even fetched, and the
    /// order of all that wait for ASSM.
    batch: Vec<VtxIn>,
    elements: Vec<u32>,
    order: Vec<u32>,
    /// Vertex index and number of vertices already fetched in this primitive.
    cache: Vec<(u32, u32)>,
    cached: bool,
    /// While it is in use: vertices below [`NEAR`] do not lie in the surfaces.
    apart: bool,
    /// Pixels that passed since the counter was reset.
    passed: u64,
    worker: Worker,
    threads: usize,
    /// Celsius' CONFIG_C: fog mode, clip rectangle mode.
    celsius_config: u32,
    /// The index buffer's DMA object, offset, and whether its entries have 16 bits.
    index_buffer: (u8, u32, bool),
    /// Called together when there is work for more than one.
    crew: Option<Arc<Crew>>,
    profile: Profile,
    vertex_watch: Option<VertexWatch>,
}

impl Pipeline {
    /// A pipeline after reset. It uses all cores until told otherwise.
    pub fn new(chip: Chip) -> Pipeline {
        let family = chip.family();
        let words = Words::reset(chip);
        Pipeline {
            chip,
            ids: (0..512).map(|i| Bundle::locate(family, i)).collect(),
            words,
            idx: Idx::new(chip),
            xf: Xf::new(chip),
            assm: Assm::default(),
            surface: SurfaceRegs::default(),
            tex: [DmaSpan::default(); 2],
            semaphore: DmaSpan::default(),
            report: DmaSpan::default(),
            scene: Scene::default(),
            textures: TexCache::default(),
            programs: ProgramCache::default(),
            draw: None,
            open: false,
            waiting: (0, 0),
            batch: Vec::with_capacity(BATCH),
            elements: Vec::new(),
            order: Vec::new(),
            cache: vec![(u32::MAX, 0); CACHE],
            cached: false,
            apart: false,
            passed: 0,
            worker: worker(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            celsius_config: 0,
            index_buffer: (0, 0, false),
            crew: None,
            profile: Profile::default(),
            vertex_watch: None,
        }
    }

    /// How many threads may draw. The picture does not depend on it.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, 256);
        self.crew = None;
    }

    /// Watches the pixel whose word begins at this address of memory, or none any more.
    pub fn watch(&mut self, address: Option<u32>) {
        self.scene.watch = address;
    }

    /// What happened to the watched pixel since the last question.
    pub fn touches(&mut self) -> Vec<Touch> {
        std::mem::take(&mut self.scene.touches)
    }

    /// What was drawn since [`Pipeline::restart_profile`].
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Counts what is drawn from zero; with `times`, measures it.
    pub fn restart_profile(&mut self, times: bool) {
        self.profile.restart(times);
    }

    /// Watches a vertex: the number `vertex` (from 0) that goes through XF in the draw
    /// that comes after `draw` more.
    pub fn watch_vertex(&mut self, draw: u64, vertex: usize) {
        self.vertex_watch = Some(VertexWatch::new(draw, vertex));
    }

    /// The watched vertex, if it has come by; watching ends.
    pub fn watched_vertex(&mut self) -> Option<WatchedVertex> {
        self.vertex_watch.take()?.take()
    }

    /// The words that the units keep.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// Takes one event of the front end.
    pub fn event(&mut self, mem: &mut Memory, event: &Event) {
        let (first, waiting) = self.waiting;
        if waiting != 0 {
            // A method draws 256 vertices at most: drivers send one after the other.
            if let Event::Arrays { start, count } = *event
                && start == first.wrapping_add(waiting)
                && (waiting as usize) < FULL
            {
                self.waiting.1 = waiting.saturating_add(count);
                return;
            }
            self.fetch_waiting(mem);
        }
        match *event {
            Event::Bundle { id, value, .. } => self.bundle(mem, id, value),
            Event::Xf {
                cmd,
                addr,
                be,
                a,
                b,
            } => {
                self.vertices(mem);
                self.forget_vertices();
                self.xf.command(cmd, addr, be, a, b);
            }
            Event::Attr {
                fmt,
                attr,
                ncomp,
                comp,
                data,
            } => {
                self.fetch_elements(mem);
                self.forget_vertices();
                if self.idx.attr(fmt, attr, ncomp, comp, data) && self.open {
                    self.vertex(mem);
                }
            }
            Event::EdgeFlag(flag) => {
                self.fetch_elements(mem);
                self.forget_vertices();
                self.idx.current.edge_flag = flag;
            }
            Event::VertexOffset { index, dma, offset } => {
                self.fetch_elements(mem);
                self.forget_vertices();
                self.idx.set_offset(index, dma, offset);
            }
            Event::VertexFormat { index, format } => {
                self.fetch_elements(mem);
                self.forget_vertices();
                self.idx.set_format(index, format);
            }
            // BEGIN inside a primitive is not seen: its vertices continue the open one
            // (Degenerate_begin_end).
            Event::Begin { prim } => {
                if !self.open {
                    self.forget_vertices();
                    self.open = true;
                    self.assm.begin(prim);
                }
            }
            Event::End => {
                self.end(mem);
                if let Some(watch) = &mut self.vertex_watch {
                    watch.end();
                }
            }
            Event::Arrays { start, count } if self.open => self.waiting = (start, count),
            Event::Arrays { .. } => {}
            Event::Element(index) => self.element(mem, index),
            Event::IndexBuffer { dma, offset, short } => self.index_buffer = (dma, offset, short),
            Event::Indexed { start, count } => self.indexed(mem, start, count),
            Event::Inline(word) => {
                self.fetch_elements(mem);
                self.forget_vertices();
                if self.idx.inline(word) && self.open {
                    self.vertex(mem);
                }
            }
            Event::Surface { reg, value } => {
                self.vertices(mem);
                if self.surface.set(reg, value) {
                    self.draw = None;
                }
            }
            Event::Dma { role, span } => {
                self.vertices(mem);
                self.dma(role, span);
            }
            Event::Clear(what) => self.clear(mem, what),
            Event::Report { offset, .. } => self.write_report(mem, offset),
            Event::SemaphoreRelease { offset, value } => {
                self.flush(mem);
                if offset <= self.semaphore.limit {
                    mem.write_u32(self.semaphore.base.wrapping_add(offset), value);
                }
            }
            Event::WaitIdle => {}
            Event::CelsiusClipRect {
                vertical,
                index,
                value,
            } => {
                // Kelvin has them as bundles, with the coordinates' signs turned around.
                let bundle = if vertical {
                    isotherm_regs::bundle::CLIP_RECT_VERT
                } else {
                    isotherm_regs::bundle::CLIP_RECT_HORIZ
                };
                self.words
                    .set(bundle, usize::from(index & 7), value ^ 0x0800_0800);
                self.draw = None;
            }
            Event::CelsiusConfig(value) => {
                self.celsius_config = value;
                self.draw = None;
            }
            // Patches: the forward differencer is not part of any captured stream.
            Event::Fd { .. } => {}
        }
    }

    /// Finishes everything that is pending; afterwards memory is up to date.
    pub fn flush(&mut self, mem: &mut Memory) {
        self.fetch_waiting(mem);
        self.vertices(mem);
        self.finish(mem);
        // Whoever asked may change memory: textures have to be looked at again.
        self.draw = None;
        self.forget_vertices();
    }

    /// The threads that draw.
    fn crew(&mut self) -> Arc<Crew> {
        let threads = self.threads;
        self.crew
            .get_or_insert_with(|| Arc::new(Crew::new(threads)))
            .clone()
    }

    fn finish(&mut self, mem: &mut Memory) {
        let scene = &self.scene;
        if scene.is_empty() && scene.verts.len() <= FULL && scene.draws.len() < DRAWS {
            return;
        }
        self.scene.bin();
        // Vertices that an open primitive still needs survive the scene.
        let kept: Vec<_> = if self.open {
            let verts = &self.scene.verts;
            let keep = |v: u32| verts.get(v as usize).copied().unwrap_or_default();
            self.assm.carry().into_iter().map(keep).collect()
        } else {
            Vec::new()
        };
        let crew = self.crew();
        let passed = self
            .scene
            .finish(mem, self.worker, &crew, &mut self.profile);
        self.passed += passed.counted;
        self.scene.verts.extend(kept);
        self.draw = None;
        self.forget_vertices();
    }

    fn bundle(&mut self, mem: &mut Memory, number: u16, value: u32) {
        let Some(Some((bundle, index))) = self.ids.get(usize::from(number)).copied() else {
            return;
        };
        let index = usize::from(index);
        match bundle {
            id::ZPASS_COUNTER_RESET => {
                self.finish(mem);
                self.passed = 0;
            }
            id::CLEAR_CLIPID_TRIGGER => self.clear_clip_ids(mem),
            // A clip rectangle replaces all later ones too; the front end sends only
            // the one that was written.
            id::CLIP_RECT_HORIZ | id::CLIP_RECT_VERT => {
                self.vertices(mem);
                for i in index..8 {
                    self.words.set(bundle, i, value);
                }
                self.draw = None;
            }
            _ => {
                if self.words.at(bundle, index) != value {
                    self.vertices(mem);
                    self.words.set(bundle, index, value);
                    self.xf.bundle(bundle, index, value);
                    self.draw = None;
                }
            }
        }
    }

    fn dma(&mut self, role: DmaRole, span: DmaSpan) {
        let changed = |slot: &mut DmaSpan| std::mem::replace(slot, span) != span;
        let stale = match role {
            DmaRole::Tex(i) => changed(&mut self.tex[usize::from(i & 1)]),
            DmaRole::Vtx(i) => {
                self.idx.set_dma(i, span);
                self.forget_vertices();
                false
            }
            DmaRole::Color => changed(&mut self.surface.dma[0]),
            DmaRole::Zeta => changed(&mut self.surface.dma[1]),
            DmaRole::Semaphore => {
                self.semaphore = span;
                false
            }
            DmaRole::Report => {
                self.report = span;
                false
            }
            DmaRole::State => false,
        };
        if stale {
            self.draw = None;
        }
    }

    /// The surfaces of what comes next; a pending scene on others is finished.
    fn surfaces(&mut self, mem: &mut Memory) -> Surfaces {
        let surfaces = self.surface.prepare(self.chip);
        if surfaces != self.scene.surfaces {
            self.finish(mem);
            self.scene.start(surfaces);
        }
        surfaces
    }

    /// Prepares the units for the next vertices, if a word changed since.
    fn prepare(&mut self, mem: &mut Memory) -> u32 {
        if let Some(draw) = self.draw {
            return draw;
        }
        let started = self.profile.start();
        if self.scene.draws.len() >= DRAWS {
            self.finish(mem);
        }
        let surfaces = self.surfaces(mem);
        let raster = State::prepare(
            self.chip,
            &self.words,
            self.celsius_config,
            surfaces.clip,
            surfaces.depth_top(),
        );
        let rop = Rop::prepare(self.chip, &self.words, &surfaces);
        let mut shade = Shade::prepare(self.chip, &self.words, self.tex);
        if shade.reads().any(|(a, n)| self.scene.writes(a, n)) {
            self.finish(mem);
        }
        shade.bind(mem, &mut self.textures);
        let program = self.program(mem, surfaces.depth_top());
        let samples = samples(&surfaces, raster.multisample);
        let clip_ids = ClipIds::test(self.chip, &self.words, mem, surfaces.clip[3]);
        // Where pixels share words, the order of blocks shows.
        let plain = match clip_ids {
            None if !self.scene.serial() => {
                Plain::prepare(&raster, &rop, &shade, program.as_ref(), &surfaces)
            }
            _ => None,
        };
        let draw = self.scene.draws.len() as u32;
        self.scene.draws.push(Draw {
            plain,
            raster,
            rop,
            sets: match program {
                Some(_) => 0,
                None => (1 << shade.coordinate_sets().min(4)) - 1,
            },
            late: match &program {
                Some(program) => program.kills_or_moves(),
                None => shade.kills_or_moves(),
            },
            program,
            depth_top: surfaces.depth_top(),
            clip_ids,
            cylinder: cylinder_axes(self.chip, &self.words),
            shade,
            samples,
        });
        self.draw = Some(draw);
        self.profile.end(started, Part::Prepare);
        draw
    }

    /// The fragment program of the next draw, its textures bound.
    fn program(&mut self, mem: &mut Memory, depth_top: f32) -> Option<Fragments> {
        let (chip, spans) = (self.chip, self.tex);
        let programs = &mut self.programs;
        let mut program = Fragments::prepare(chip, &self.words, spans, mem, programs, depth_top)?;
        if program.reads().any(|(a, n)| self.scene.writes(a, n)) {
            self.finish(mem);
        }
        program.bind(mem, &mut self.textures);
        Some(program)
    }

    /// What comes next changes how vertices are fetched: those that wait go first.
    #[inline]
    fn fetch_elements(&mut self, mem: &mut Memory) {
        if !self.elements.is_empty() {
            self.vertices(mem);
        }
    }

    /// The VAB is a vertex.
    fn vertex(&mut self, mem: &mut Memory) {
        let number = (self.scene.verts.len() + self.batch.len()) as u32;
        self.batch.push(self.idx.current);
        self.order.push(number);
        if self.batch.len() >= BATCH {
            self.vertices(mem);
        }
    }

    /// Fetches the vertices that DRAW_ARRAYS asked for.
    fn fetch_waiting(&mut self, mem: &mut Memory) {
        let (start, count) = std::mem::take(&mut self.waiting);
        if count == 0 {
            return;
        }
        self.fetch_elements(mem);
        self.forget_vertices();
        if self
            .idx
            .ranges(start, count)
            .any(|(a, n)| self.scene.writes(a, n))
        {
            self.vertices(mem);
            self.finish(mem);
        }
        let mut done = 0;
        while done < count {
            let (at, left) = (start.wrapping_add(done), (count - done) as usize);
            done += if left >= beside::WORTH_THREADS
                && self.threads > 1
                && self.xf.snapshot().is_some()
            {
                self.vertices(mem);
                self.run_beside(mem, at, left)
            } else {
                let started = self.profile.start();
                let n = left.min(BATCH - self.batch.len());
                let number = (self.scene.verts.len() + self.batch.len()) as u32;
                self.idx.fetch_run(mem, at, n, &mut self.batch);
                self.order.extend(number..number + n as u32);
                if let Some(last) = self.batch.last() {
                    self.idx.current = *last;
                }
                self.profile.end(started, Part::Vertices);
                if self.batch.len() >= BATCH {
                    self.vertices(mem);
                }
                n as u32
            };
        }
    }

    /// Vertices whose numbers are in the index buffer.
    fn indexed(&mut self, mem: &mut Memory, start: u32, count: u32) {
        let (dma, offset, short) = self.index_buffer;
        let span = self.idx.span(dma);
        let size = if short { 2 } else { 4 };
        for i in start..start.saturating_add(count) {
            let at = u64::from(offset) + u64::from(i) * size;
            if at + size > u64::from(span.limit) + 1 {
                return;
            }
            let addr = span.base.wrapping_add(at as u32);
            let index = if short {
                u32::from(mem.read_u16(addr))
            } else {
                mem.read_u32(addr)
            };
            self.element(mem, index);
        }
    }

    fn element(&mut self, mem: &mut Memory, index: u32) {
        if !self.open {
            return;
        }
        if self.draw.is_none() {
            // Preparing may finish the scene that holds the cached vertices.
            self.vertices(mem);
            self.prepare(mem);
            self.forget_vertices();
        }
        let slot = index as usize % CACHE;
        if self.cached && index != u32::MAX && self.cache[slot].0 == index {
            self.order.push(self.cache[slot].1);
            if self.order.len() >= FULL {
                self.vertices(mem);
            }
            return;
        }
        self.start_cache();
        let apart = self.apart && index < NEAR;
        let in_scene = |(a, n): (u32, usize)| self.scene.writes(a, n);
        if !apart && self.idx.ranges(index, 1).any(in_scene) {
            self.vertices(mem);
            self.finish(mem);
            self.start_cache();
        }
        if !self.batch.is_empty() {
            self.vertices(mem);
        }
        let number = (self.scene.verts.len() + self.elements.len()) as u32;
        if index != u32::MAX {
            self.cache[slot] = (index, number);
        }
        self.elements.push(index);
        self.order.push(number);
        // Threads want more to share.
        let most = if self.threads > 1 {
            beside::WORTH_THREADS
        } else {
            BATCH
        };
        if self.elements.len() >= most {
            self.vertices(mem);
        }
    }

    /// Makes the cache ready to be asked.
    #[inline]
    fn start_cache(&mut self) {
        if !self.cached {
            self.cache.fill((u32::MAX, 0));
            self.cached = true;
            let near = |(a, n): (u32, usize)| {
                u64::from(a) + n as u64 > 1 << 32 || self.scene.surfaces_reach(a, n)
            };
            self.apart = !self.idx.ranges(0, NEAR).any(near);
        }
    }

    /// Vertices fetched by index are not to be used again.
    fn forget_vertices(&mut self) {
        self.cached = false;
    }

    /// Sends waiting vertices through XF to ASSM and the scene.
    fn vertices(&mut self, mem: &mut Memory) {
        if self.order.is_empty() {
            return;
        }
        let before = self.scene.verts.len();
        let draw = self.prepare(mem);
        // Preparing may have finished a scene: numbers move with it.
        let shift = before.wrapping_sub(self.scene.verts.len()) as u32;
        let started = self.profile.start();
        if self.elements.is_empty() {
            self.transform(mem);
            self.profile.end(started, Part::Vertices);
        } else {
            self.run_elements(mem, started);
        }
        self.assemble(mem, draw, shift);
    }

    /// Sends the batch through XF.
    fn transform(&mut self, mem: &Memory) {
        if let Some(watch) = &mut self.vertex_watch {
            watch.batch(&self.xf, &self.batch);
        }
        if self.chip.family() == Family::Curie {
            let textures = VertexTextures::prepare(self.chip, &self.words, self.tex, mem);
            self.xf
                .run_textured(&textures, &self.batch, &mut self.scene.verts);
        } else {
            self.xf.run(&self.batch, &mut self.scene.verts);
        }
        self.batch.clear();
    }

    /// Fetches the waiting elements and sends them through XF.
    fn run_elements(&mut self, mem: &Memory, started: Started) {
        let elements = std::mem::take(&mut self.elements);
        let shared =
            self.threads > 1 && self.vertex_watch.is_none() && self.xf.snapshot().is_some();
        if shared && elements.len() >= beside::WORTH_THREADS {
            let busy = self.transform_beside(mem, &Which::List(&elements));
            self.profile.end_shared(started, Part::Vertices, busy);
        } else {
            for part in elements.chunks(BATCH) {
                self.idx.fetch_list(mem, part, &mut self.batch);
                self.transform(mem);
            }
            self.profile.end(started, Part::Vertices);
        }
        if let Some(&last) = elements.last() {
            self.idx.fetch(mem, last);
        }
        self.elements = elements;
        self.elements.clear();
    }

    /// Sends the waiting numbers, less `shift`, through ASSM.
    fn assemble(&mut self, mem: &mut Memory, draw: u32, shift: u32) {
        let started = self.profile.start();
        let scene = &mut self.scene;
        let Some(last) = (scene.verts.len() as u32).checked_sub(1) else {
            self.order.clear();
            return;
        };
        let state = &scene.draws[draw as usize];
        let mut out = Out::new(&scene.verts, state, draw, &mut scene.prims);
        for number in self.order.drain(..) {
            let number = number.wrapping_sub(shift).min(last);
            self.assm.vertex(number, &mut out);
        }
        self.profile.end(started, Part::Assembly);
        self.bin(mem);
    }

    /// Sorts new primitives into tiles; a scene that is full is finished.
    fn bin(&mut self, mem: &mut Memory) {
        let started = self.profile.start();
        self.scene.bin();
        self.profile.end(started, Part::Assembly);
        if self.scene.verts.len() > FULL || self.scene.prims.len() > FULL {
            self.finish(mem);
        }
    }

    fn end(&mut self, mem: &mut Memory) {
        if !self.open {
            return;
        }
        self.vertices(mem);
        if self.assm.closes() {
            let draw = self.prepare(mem);
            let scene = &mut self.scene;
            let state = &scene.draws[draw as usize];
            let mut out = Out::new(&scene.verts, state, draw, &mut scene.prims);
            self.assm.end(&mut out);
            scene.bin();
        }
        self.open = false;
        self.idx.end();
        if self.scene.serial() {
            self.finish(mem);
        }
    }

    fn clear(&mut self, mem: &mut Memory, what: u32) {
        let surfaces = self.surfaces(mem);
        let chip = self.chip;
        let edges = |i: usize| {
            let word = self.words.at(id::CLEAR_HV, i);
            let min = CLEAR_HV::MIN.get(chip, word) as i32;
            (min, CLEAR_HV::MAX.get(chip, word) as i32 + 1)
        };
        let ((x0, x1), (y0, y1)) = (edges(0), edges(1));
        let mut color_bits = 0;
        for (ch, bits) in surfaces.format.channels().into_iter().enumerate() {
            if what >> (4 + ch) & 1 != 0 {
                color_bits |= bits;
            }
        }
        let (forced, ones) = surfaces.format.forced();
        if color_bits != 0 {
            color_bits |= forced;
        }
        let zeta_bits = match (surfaces.z24, what & 3) {
            (_, 0) => 0,
            (false, bits) => {
                if bits & 1 != 0 {
                    0xffff
                } else {
                    0
                }
            }
            (true, 1) => 0xffff_ff00,
            (true, 2) => 0xff,
            (true, _) => u32::MAX,
        };
        let color = self.words.get(id::CLEAR_COLOR);
        let mut rect = intersect([x0, y0, x1, y1], surfaces.clip);
        if chip.since(Chip::Nv30) {
            // Drivers set the scissor and no clear rectangle.
            rect = intersect(rect, scissor(chip, &self.words));
        }
        self.scene.clear(Clear {
            rect,
            color: (color & !forced | ones, color_bits),
            zeta: (self.words.get(id::CLEAR_ZETA), zeta_bits),
        });
        if self.scene.serial() || self.scene.prims.len() > FULL {
            self.finish(mem);
        }
    }

    /// The pixel counter's report: 64-bit time, count, 0. There is no clock, so
    /// the time is 0.
    fn write_report(&mut self, mem: &mut Memory, offset: u32) {
        self.flush(mem);
        let words = [0, 0, self.passed as u32, 0];
        for (i, word) in words.into_iter().enumerate() {
            let at = offset.wrapping_add(4 * i as u32);
            if at <= self.report.limit {
                mem.write_u32(self.report.base.wrapping_add(at), word);
            }
        }
    }

    /// Writes CLIPID_ID over the clear rectangle of the clip id buffer.
    fn clear_clip_ids(&mut self, mem: &mut Memory) {
        let Some(ids) = ClipIds::prepare(self.chip, &self.words) else {
            return;
        };
        self.finish(mem);
        let clip = self.surface.prepare(self.chip).clip;
        for y in clip[1].max(0)..clip[3] {
            for x in clip[0].max(0)..clip[2] {
                let Some((at, shift)) = ids.place(x as u32, y as u32) else {
                    continue;
                };
                let addr = ids.address.wrapping_add(at as u32);
                let byte = mem.read_u8(addr) & !(15 << shift) | ids.id << shift;
                mem.write_u8(addr, byte);
            }
        }
    }
}

/// Where a pixel's samples lie, and where their words go. Without multisampling
/// the pixel centre stands for all of them.
fn samples(surfaces: &Surfaces, multisample: bool) -> Vec<([f64; 2], (u32, u32))> {
    let spots: &[([f64; 2], (u32, u32))] = match surfaces.scale {
        (2, 1) => &[([0.0, 0.0], (0, 0)), ([8.0, 8.0], (1, 0))],
        (2, 2) => &[
            ([0.0, 0.0], (0, 0)),
            ([8.0, 0.0], (1, 0)),
            ([0.0, 8.0], (0, 1)),
            ([8.0, 8.0], (1, 1)),
        ],
        _ => &[([8.0, 8.0], (0, 0))],
    };
    let place = |&(at, word): &([f64; 2], (u32, u32))| {
        if multisample {
            (at, word)
        } else {
            ([8.0, 8.0], word)
        }
    };
    spots.iter().map(place).collect()
}
