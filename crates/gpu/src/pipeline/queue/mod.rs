//! What is under way between the front end and memory.
//!
//! Units work best on much at once, so work waits in three places:
//!
//! 1. vertices that DRAW_ARRAYS or an index names and IDX has not fetched,
//! 2. vertices that are fetched and wait for XF,
//! 3. primitives that are sorted into tiles and wait for raster: the [`Scene`].
//!
//! Two results are kept for reuse: the units' prepared state, and vertices that were
//! transformed already ([`VertexCache`]).
//!
//! A change must not be seen by work that came before it. The fields are private to this
//! module, and everything that can be changed from outside is reached through a method that
//! does that work first:
//!
//! | change | done first | not reused |
//! |---|---|---|
//! | `change_idx`: what a vertex is fetched from | fetching (1) | cached vertices |
//! | `change_xf`: what XF makes of a vertex | vertices (1, 2) | cached vertices |
//! | `set_word` and the other `set_…`: state of all units | vertices (1, 2) | prepared state; with it cached vertices |
//! | `flush`: memory | everything (1, 2, 3) | both |
//!
//! A scene may be on its way to memory already while the next one is filled (`flight`).

mod arrays;
mod clear;
mod elements;
mod flight;
mod inspect;
mod prepare;
mod saved;
mod threads;
mod vertex_cache;

pub use inspect::{DrawReport, Nothing, Reason, VertexPair};

use super::watch::VertexWatch;
use crate::idx::Idx;
use arrays::pay_vertices;
use inspect::Inspection;
use isotherm_bus::budget::{Cost, Unit};
use isotherm_bus::bundle::{DmaRole, DmaSpan, SurfaceReg};
use isotherm_bus::memory::Memory;
use isotherm_bus::observe::Touch;
use isotherm_bus::threads::Threads;
use isotherm_bus::vertex::{VtxIn, VtxOut};
use isotherm_lanes::Level;
use isotherm_pixel::assm::{Assm, Out};
use isotherm_pixel::bundles::{Changed, UnitBundles};
use isotherm_pixel::profile::{Part, Profile, Started};
use isotherm_pixel::raster::tile::{Draw, Passed};
use isotherm_pixel::rop::prepare::SurfaceRegs;
use isotherm_pixel::scene::{Flight, Scene};
use isotherm_pixel::shader::program::ProgramCache;
use isotherm_pixel::tex::{TexCache, UnitCache, VertexTextures};
use isotherm_regs::bundle::{self as id, Bundle};
use isotherm_regs::{Chip, Family};
use isotherm_xf::xf::Xf;
use std::sync::Arc;
use threads::{Numbers, WORTH_THREADS};
use vertex_cache::VertexCache;

/// Vertices that XF gets at once: as many as the first cache holds, before and after.
const XF_BATCH: usize = 64;
/// Vertices and primitives after which a scene is drawn even inside a primitive, so that
/// no stream can make it grow without bound.
const SCENE_LIMIT: usize = 1 << 18;
/// Vertices of a run after which it is asked whether the scene is full.
const LONGEST_RUN: usize = SCENE_LIMIT / 4;
/// Prepared states after which a scene is drawn, for the same reason.
const STATE_LIMIT: usize = 1024;
/// Bytes of textures and programs, made for a scene, after which it is drawn.
const SCENE_BYTES: u64 = 128 << 20;
/// Steps of the budget for a vertex, and what one costs that waits for a scene of its own.
const VERTEX_STEPS: u64 = 200;
/// Steps of the budget for an instruction of a program that jumps, for all lanes at once.
const PROGRAM_STEPS: u64 = 20;
const IN_ORDER_STEPS: u64 = 10_000;

/// Everything between the front end and memory.
pub(super) struct Queue {
    chip: Chip,
    // Registers and units.
    bundles: UnitBundles,
    /// Celsius' CONFIG_C: fog mode, clip rectangle mode.
    celsius_config: u32,
    surface: SurfaceRegs,
    /// Those that the last draw or clear went to.
    drawn_to: Option<SurfaceRegs>,
    /// Texture objects A and B.
    tex: [DmaSpan; 2],
    idx: Idx,
    xf: Xf,
    assm: Assm,
    /// A primitive is open.
    open: bool,
    /// Draws are left out.
    skips: bool,
    /// Pixels that passed since the counter was reset.
    passed: u64,

    // Work that waits.
    arrays: Run,
    /// Vertices that are fetched, or numbers of those that are not; never both.
    fetched: Vec<VtxIn>,
    /// Vertices of `order` that the budget has been charged for.
    paid: usize,
    unfetched: Vec<u32>,
    /// What XF makes of a batch, on its way to the scene; empty in between.
    out: Vec<VtxOut>,
    /// All that wait, as ASSM is to get them, by their place in the scene. Reused vertices
    /// occur several times.
    order: Vec<u32>,
    scene: Scene,
    /// The scene before it, which helpers are drawing to the same surfaces.
    flight: Option<Flight>,
    /// Memory for the scene after it.
    spare: Scene,
    /// Scenes may be drawn while events come in.
    overlaps: bool,
    /// Primitives after which the scene is drawn when a primitive ends.
    enough: usize,
    /// Primitives after which a scene is drawn, if it is not the usual number.
    scene_size: Option<usize>,

    // Results that are kept.
    /// The scene's state that the next vertices belong to.
    prepared: Option<u32>,
    /// Units whose words changed since a state was prepared.
    changed: Changed,
    /// What the scene's surfaces are made from.
    bound: Option<SurfaceRegs>,
    /// That state's textures overlap the surfaces: each BEGIN shows them what was drawn before.
    reads_surfaces: bool,
    /// What that state read of memory that was drawn to since: addresses and bytes.
    read_before: Vec<(u32, Vec<u8>)>,
    transformed: VertexCache,
    textures: TexCache,
    units: UnitCache,
    programs: ProgramCache,
    /// Bytes of clip ids that draws have used.
    clip_id_bytes: u64,
    /// What had been made from memory when the scene began.
    made_before: u64,

    // Who works, and who looks on.
    threads: usize,
    /// Called together when there is work for more than one.
    workers: Option<Arc<Threads>>,
    pub(super) profile: Profile,
    pub(super) vertex_watch: Option<VertexWatch>,
    inspection: Option<Box<Inspection>>,
    /// Pixels that passed since the beginning.
    pixels: u64,
}

/// What an open primitive takes with it from one scene to the next.
#[derive(Default)]
struct Carried {
    vertices: Vec<VtxOut>,
    /// Its state: what it draws is not seen by itself.
    state: Option<Draw>,
}

/// Successive vertices that DRAW_ARRAYS asked for.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    start: u32,
    count: u32,
}

impl Queue {
    pub(super) fn new(chip: Chip) -> Queue {
        Queue {
            chip,
            bundles: UnitBundles::reset(chip),
            celsius_config: 0,
            surface: SurfaceRegs::default(),
            drawn_to: None,
            tex: [DmaSpan::default(); 2],
            idx: Idx::new(chip),
            xf: Xf::new(chip),
            assm: Assm::default(),
            open: false,
            skips: false,
            passed: 0,
            arrays: Run::default(),
            fetched: Vec::with_capacity(XF_BATCH),
            paid: 0,
            unfetched: Vec::new(),
            out: Vec::with_capacity(XF_BATCH),
            order: Vec::new(),
            scene: Scene::default(),
            flight: None,
            spare: Scene::default(),
            overlaps: false,
            enough: flight::FIRST,
            scene_size: None,
            prepared: None,
            changed: Changed::ALL,
            bound: None,
            reads_surfaces: false,
            read_before: Vec::new(),
            transformed: VertexCache::new(),
            textures: TexCache::default(),
            units: UnitCache::default(),
            programs: ProgramCache::default(),
            clip_id_bytes: 0,
            made_before: 0,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            workers: None,
            profile: Profile::default(),
            vertex_watch: None,
            inspection: None,
            pixels: 0,
        }
    }

    /// How many threads may draw.
    pub(super) fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, 256);
        self.workers = None;
    }

    /// The threads that draw.
    fn workers(&mut self) -> Arc<Threads> {
        let threads = self.threads;
        self.workers
            .get_or_insert_with(|| Arc::new(Threads::new(threads)))
            .clone()
    }

    /// Watches the pixel at an address.
    pub(super) fn watch_pixel(&mut self, address: Option<u32>) {
        self.scene.watch = address;
    }

    /// What happened to the watched pixel since the last call.
    pub(super) fn take_touches(&mut self) -> Vec<Touch> {
        std::mem::take(&mut self.scene.touches)
    }

    /// The words that the units keep.
    pub(super) fn bundles(&self) -> &UnitBundles {
        &self.bundles
    }

    /// The registers that describe the bound surfaces.
    pub(super) fn surface(&self) -> &SurfaceRegs {
        &self.surface
    }

    /// Those of the last draw or clear.
    pub(super) fn drawn_to(&self) -> Option<&SurfaceRegs> {
        self.drawn_to.as_ref()
    }

    /// Texture objects A and B.
    pub(super) fn texture_dma(&self) -> [DmaSpan; 2] {
        self.tex
    }

    /// Vertex fetch.
    pub(super) fn idx(&self) -> &Idx {
        &self.idx
    }

    /// The transform unit.
    pub(super) fn xf(&self) -> &Xf {
        &self.xf
    }

    /// Pixels that passed, as far as they are drawn.
    pub(super) fn passed(&self) -> u64 {
        self.passed
    }

    /// Draws that follow are left out, or no longer.
    pub(super) fn skip_draws(&mut self, skip: bool) {
        self.skips = skip;
    }

    /// Sets the pixel counter.
    pub(super) fn set_passed(&mut self, mem: &mut Memory, pixels: u64) {
        self.send_vertices(mem);
        self.draw_scene(mem);
        self.passed = pixels;
    }

    /// Vertex fetch, to be changed.
    #[inline]
    pub(super) fn change_idx(&mut self, mem: &mut Memory) -> &mut Idx {
        self.fetch_arrays(mem);
        if !self.unfetched.is_empty() {
            self.send_waiting(mem);
        }
        self.transformed.forget();
        &mut self.idx
    }

    /// XF, to be changed.
    pub(super) fn change_xf(&mut self, mem: &mut Memory) -> &mut Xf {
        self.send_vertices(mem);
        self.transformed.forget();
        &mut self.xf
    }

    /// A state bundle goes down the pipeline: the units that know it keep its word.
    #[inline]
    pub(super) fn set_word(&mut self, mem: &mut Memory, bundle: Bundle, entry: usize, value: u32) {
        if self.held(bundle, entry).is_none_or(|held| held == value) {
            return;
        }
        self.send_vertices(mem);
        self.idx.bundle(bundle, entry, value);
        self.xf.bundle(bundle, entry, value);
        let changed = self.bundles.take(bundle, entry, value);
        self.changed = self.changed.and(changed);
        if bundle == id::RT_ENABLE {
            self.surface.enable(value);
        }
        self.prepared = None;
    }

    /// Replaces Celsius' CONFIG_C.
    pub(super) fn set_celsius_config(&mut self, mem: &mut Memory, value: u32) {
        self.send_vertices(mem);
        self.celsius_config = value;
        self.changed = Changed::ALL;
        self.prepared = None;
    }

    /// Replaces a register that describes the surfaces.
    pub(super) fn set_surface(&mut self, mem: &mut Memory, reg: SurfaceReg, value: u32) {
        self.send_vertices(mem);
        if self.surface.set(reg, value) {
            self.prepared = None;
        }
    }

    /// Attaches the object of a surface.
    pub(super) fn set_surface_dma(&mut self, mem: &mut Memory, role: DmaRole, span: DmaSpan) {
        self.send_vertices(mem);
        if self.surface.attach(role, span) {
            self.prepared = None;
        }
    }

    /// Attaches texture object A or B.
    pub(super) fn set_texture_dma(&mut self, mem: &mut Memory, index: u8, span: DmaSpan) {
        self.send_vertices(mem);
        if std::mem::replace(&mut self.tex[usize::from(index & 1)], span) != span {
            self.prepared = None;
        }
    }

    /// Does all work; afterwards memory is up to date and may be read. An open primitive goes
    /// on as if nobody had asked.
    pub(super) fn finish(&mut self, mem: &mut Memory) {
        if !self.open {
            return self.flush(mem);
        }
        self.send_vertices(mem);
        let kept = self.kept_vertices();
        let low_are_elsewhere = self.transformed.low_are_elsewhere;
        self.draw_scene(mem);
        if let Some(kept) = kept.filter(|_| !self.transformed.is_ready()) {
            self.keep_vertices(low_are_elsewhere, kept);
        }
    }

    /// Does all work; afterwards memory is up to date and may be changed.
    pub(super) fn flush(&mut self, mem: &mut Memory) {
        self.send_vertices(mem);
        self.draw_scene(mem);
        // Textures and vertices have to be looked at again.
        self.prepared = None;
        self.transformed.forget();
    }

    /// Memory was changed by somebody who did not ask first.
    pub(super) fn memory_changed(&mut self) {
        self.prepared = None;
        self.transformed.forget();
    }

    /// A primitive begins. Inside another one BEGIN is not seen: its vertices continue the
    /// open primitive (golden Degenerate_begin_end).
    pub(super) fn begin(&mut self, mem: &mut Memory, prim: u8) {
        if !self.open && !self.skips {
            if self.inspection.is_some() {
                self.draw_scene(mem);
            }
            if let Some(inspection) = &mut self.inspection {
                inspection.begin(prim, self.pixels);
            }
            self.transformed.forget();
            self.open = true;
            if self.reads_surfaces {
                self.prepared = None;
            }
            self.assm.begin(prim);
        }
    }

    /// The primitive ends.
    pub(super) fn end(&mut self, mem: &mut Memory) {
        if self.open {
            self.send_vertices(mem);
            self.close_primitive(mem);
            if self.inspection.is_some() {
                self.report_draw(mem);
            }
            self.open = false;
            self.drawn_to = Some(self.surface);
            self.idx.end();
            if self.scene.serial() {
                self.draw_scene(mem);
            }
            self.launch_if_worth_it(mem);
        }
        if let Some(watch) = &mut self.vertex_watch {
            watch.end();
        }
    }

    /// Line loops and polygons get their last primitive at END.
    fn close_primitive(&mut self, mem: &mut Memory) {
        if self.assm.closes() {
            let draw = self.prepare(mem);
            let scene = &mut self.scene;
            let state = &scene.draws[draw as usize];
            let mut out = Out::new(scene.verts.heads(), state, draw, &mut scene.prims);
            self.assm.end(&mut out);
            scene.bin(mem.budget());
        }
    }

    /// Memory is about to be read by the front end: what is drawn there comes first.
    pub(super) fn before_read(&mut self, mem: &mut Memory, range: (u32, usize)) {
        if !self.order.is_empty() || self.arrays.count != 0 {
            self.prepare(mem);
        }
        if self.scene.reaches(mem, range) {
            self.send_vertices(mem);
            self.draw_scene(mem);
        }
    }

    /// Sends all waiting vertices on their way: this is the path of a draw. The way ends in
    /// the scene's tiles; [`Queue::draw_scene`] goes on from there.
    #[inline]
    fn send_vertices(&mut self, mem: &mut Memory) {
        self.fetch_arrays(mem);
        if !self.order.is_empty() {
            self.send_waiting(mem);
        }
    }

    fn send_waiting(&mut self, mem: &mut Memory) {
        self.send_to_tiles(mem);
        self.draw_if_full(mem);
        self.launch_if_worth_it(mem);
    }

    /// The same, however full the scene is.
    fn send_to_tiles(&mut self, mem: &mut Memory) {
        let unpaid = self.order.len() - std::mem::take(&mut self.paid).min(self.order.len());
        if !pay_vertices(mem, unpaid) {
            self.order.clear();
            self.fetched.clear();
            self.unfetched.clear();
            return;
        }
        let before = self.scene.verts.len();
        let draw = self.prepare(mem);
        // Preparing may have drawn a scene: places move with it.
        let moved = before.wrapping_sub(self.scene.verts.len()) as u32;
        self.fetch_and_transform(mem);
        self.assemble(draw, moved);
        self.sort_into_tiles(mem);
    }

    /// IDX and XF: waiting vertices to the end of the scene's.
    fn fetch_and_transform(&mut self, mem: &mut Memory) {
        self.land_before_lookups(mem);
        let started = self.profile.start();
        if self.unfetched.is_empty() {
            self.transform(mem);
            self.profile.end(started, Part::Vertices);
        } else {
            self.transform_elements(mem, started);
        }
    }

    /// XF: the fetched vertices.
    fn transform(&mut self, mem: &Memory) {
        if let Some(watch) = &mut self.vertex_watch {
            watch.batch(&self.xf, &self.fetched);
        }
        if self.chip.family() == Family::Curie {
            let textures = VertexTextures::prepare(self.chip, &self.bundles.tex, self.tex, mem);
            self.xf
                .run_textured(&textures, &self.fetched, &mut self.out);
        } else {
            self.xf.run(&self.fetched, &mut self.out);
        }
        self.charge_programs(mem);
        let first = self.scene.verts.len();
        threads::append(Level::current(), &mut self.scene.verts, &self.out);
        self.out.clear();
        self.place(first);
        if let Some(inspection) = &mut self.inspection {
            let verts = &self.scene.verts;
            let outputs = (first..verts.len()).filter_map(|number| verts.get(number));
            inspection.transformed(&self.fetched, outputs);
        }
        self.fetched.clear();
    }

    /// Moves the scene's vertices from number `first` on to their places in the window.
    fn place(&mut self, first: usize) {
        if let Some(draw) = self.prepared {
            let scene = &mut self.scene;
            let placing = scene.draws[draw as usize].raster.placing;
            placing.apply(&mut scene.verts.heads_mut()[first..]);
        }
    }

    /// Charges what vertex programs took beyond what every vertex costs. It is done already; the
    /// next who asks is refused.
    #[inline]
    pub(super) fn charge_programs(&mut self, mem: &Memory) {
        let steps = self.xf.take_steps();
        if steps != 0 {
            let steps = PROGRAM_STEPS * steps;
            let _ = mem.budget().charge(Unit::Vertices, Cost::Steps, steps);
        }
    }

    /// IDX and XF: the vertices whose numbers wait.
    fn transform_elements(&mut self, mem: &mut Memory, started: Started) {
        let elements = std::mem::take(&mut self.unfetched);
        if elements.len() >= WORTH_THREADS && self.may_share_xf() && self.has_helpers(mem) {
            let busy = self.transform_on_threads(mem, &Numbers::List(&elements));
            self.profile.end_shared(started, Part::Vertices, busy);
        } else {
            for part in elements.chunks(XF_BATCH) {
                if mem.budget().over().is_some() {
                    break;
                }
                self.idx.fetch_list(mem, part, &mut self.fetched);
                self.transform(mem);
            }
            self.profile.end(started, Part::Vertices);
        }
        if let Some(&last) = elements.last() {
            self.idx.fetch(mem, last);
        }
        self.unfetched = elements;
        self.unfetched.clear();
    }

    /// ASSM: the waiting places, less how far they `moved`, become primitives.
    fn assemble(&mut self, draw: u32, moved: u32) {
        let started = self.profile.start();
        let scene = &mut self.scene;
        let Some(last) = (scene.verts.len() as u32).checked_sub(1) else {
            self.order.clear();
            return;
        };
        if let Some(inspection) = &mut self.inspection {
            let places = self.order.iter().map(|p| p.wrapping_sub(moved).min(last));
            let vertices = places.filter_map(|place| scene.verts.get(place as usize));
            vertices.for_each(|vertex| inspection.vertex(&vertex));
        }
        let state = &scene.draws[draw as usize];
        let mut out = Out::new(scene.verts.heads(), state, draw, &mut scene.prims);
        for place in &mut self.order {
            *place = place.wrapping_sub(moved).min(last);
        }
        self.assm.vertices(&self.order, &mut out);
        self.order.clear();
        self.profile.end(started, Part::Assembly);
    }

    /// New primitives to the tiles they touch.
    fn sort_into_tiles(&mut self, mem: &Memory) {
        let started = self.profile.start();
        self.scene.bin(mem.budget());
        self.profile.end(started, Part::Assembly);
    }

    /// A scene that is full is drawn. Asked only where the number of threads does not show:
    /// what loops of programs cost is charged when they are drawn.
    fn draw_if_full(&mut self, mem: &mut Memory) {
        if self.scene.verts.len() > SCENE_LIMIT || self.scene.prims.len() > SCENE_LIMIT {
            self.draw_scene(mem);
        }
    }

    /// Raster to ROP: the scene to memory.
    fn draw_scene(&mut self, mem: &mut Memory) {
        self.land(mem);
        let full = self.scene.verts.len() > SCENE_LIMIT || self.scene_is_full();
        if self.scene.is_empty() && !full {
            // It may be a scene in flight alone that was asked for, which one thread never has.
            return;
        }
        self.enough = flight::FIRST;
        self.scene.bin(mem.budget());
        let carried = self.carry();
        if let Some(state) = &carried.state {
            self.keep_what_was_read(mem, state);
        }
        let workers = self.workers();
        let passed = self.scene.finish(mem, &workers, &mut self.profile);
        self.count(passed);
        self.go_on(carried);
    }

    /// What an open primitive still needs of the scene, which is about to be drawn.
    fn carry(&mut self) -> Carried {
        if !self.open {
            return Carried::default();
        }
        let verts = &self.scene.verts;
        let keep = |v: u32| verts.get(v as usize).unwrap_or_default();
        let vertices = self.assm.carry().into_iter().map(keep).collect();
        let state = |draw: u32| self.scene.draws.get(draw as usize).cloned();
        Carried {
            vertices,
            state: self.prepared.and_then(state),
        }
    }

    /// The scene is an empty one: nothing is prepared for it but what was carried.
    fn go_on(&mut self, carried: Carried) {
        self.scene.verts.append(&carried.vertices);
        self.prepared = carried.state.as_ref().map(|_| 0);
        self.scene.draws.extend(carried.state);
        self.made_before = self.made();
        self.transformed.forget();
    }

    /// Counts the pixels of a scene.
    fn count(&mut self, passed: Passed) {
        self.passed += passed.counted;
        self.pixels += passed.all;
    }
}
