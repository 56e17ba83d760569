//! The 3D pipeline: takes the front end's events in order.
//!
//! What an event changes is changed through the `Queue`, which first does whatever work
//! would see the change; nothing here can forget that.

mod context;
mod queue;
mod routing;
mod texture;
mod watch;

pub use isotherm_pixel::profile::{Part, Profile};
pub use queue::{DrawReport, Nothing, Reason, VertexPair};
pub use routing::takes;
pub use watch::WatchedVertex;

use isotherm_bus::bundle::{DmaRole, DmaSpan, Event};
use isotherm_bus::memory::Memory;
use isotherm_bus::observe::Touch;
use isotherm_bus::unit::Takes;
use isotherm_pixel::rop::prepare::Surfaces;
use isotherm_regs::Chip;
use isotherm_regs::bundle as id;
use isotherm_regs::bundle::Bundle;
use queue::Queue;
use watch::VertexWatch;

/// Where a report has its count.
const REPORT_COUNT: u32 = 8;

/// Clip rectangles of a chip.
const CLIP_RECTANGLES: usize = 8;

/// Turns a Celsius clip rectangle's word into Kelvin's: both coordinates change their sign
/// bit.
const CELSIUS_CLIP_SIGNS: u32 = 0x0800_0800;

/// The index buffer of Rankine and Curie.
#[derive(Clone, Copy, Debug, Default)]
struct IndexBuffer {
    /// Which of the two vertex DMA objects.
    dma: u8,
    offset: u32,
    /// Its entries have 16 bits, not 32.
    short: bool,
}

/// The 3D pipeline of one chip.
pub struct Pipeline {
    chip: Chip,
    /// Bundle and entry of every id of the chip's numbering.
    ids: Vec<Option<(Bundle, u16)>>,
    queue: Queue,
    index_buffer: IndexBuffer,
    semaphore: DmaSpan,
    report: DmaSpan,
}

impl Pipeline {
    /// A pipeline after reset. It uses all cores until told otherwise.
    pub fn new(chip: Chip) -> Pipeline {
        let family = chip.family();
        Pipeline {
            chip,
            ids: (0..512).map(|i| Bundle::locate(family, i)).collect(),
            queue: Queue::new(chip),
            index_buffer: IndexBuffer::default(),
            semaphore: DmaSpan::default(),
            report: DmaSpan::default(),
        }
    }

    /// How many threads may draw. The picture does not depend on it.
    pub fn set_threads(&mut self, threads: usize) {
        self.queue.set_threads(threads);
    }

    /// Scenes are drawn after so many primitives at the latest. The picture does not depend on
    /// it.
    pub fn set_scene_size(&mut self, primitives: usize) {
        self.queue.set_scene_size(primitives);
    }

    /// Watches the pixel whose word begins at this address of memory, or none any more.
    pub fn watch(&mut self, address: Option<u32>) {
        self.queue.watch_pixel(address);
    }

    /// What happened to the watched pixel since the last question.
    pub fn touches(&mut self) -> Vec<Touch> {
        self.queue.take_touches()
    }

    /// What was drawn since [`Pipeline::restart_profile`].
    pub fn profile(&self) -> &Profile {
        &self.queue.profile
    }

    /// Counts what is drawn from zero; with `times`, measures it.
    pub fn restart_profile(&mut self, times: bool) {
        self.queue.profile.restart(times);
    }

    /// Watches a vertex: the number `vertex` (from 0) that goes through XF in the draw
    /// that comes after `draw` more.
    pub fn watch_vertex(&mut self, draw: u64, vertex: usize) {
        self.queue.vertex_watch = Some(VertexWatch::new(draw, vertex));
    }

    /// The watched vertex, if it has come by; watching ends.
    pub fn watched_vertex(&mut self) -> Option<WatchedVertex> {
        self.queue.vertex_watch.take()?.take()
    }

    /// From now on scenes may be drawn on other threads while events come in, or no longer.
    ///
    /// # Safety
    /// Until it is turned off again, the memory must live and be used by the pipeline alone.
    pub unsafe fn overlap(&mut self, mem: &mut Memory, on: bool) {
        // SAFETY: the caller's promise.
        unsafe { self.queue.overlap(mem, on) };
    }

    /// Finishes everything that is pending; afterwards memory is up to date and may be read.
    pub fn finish(&mut self, mem: &mut Memory) {
        self.queue.finish(mem);
    }

    /// The same; afterwards memory may be changed.
    pub fn flush(&mut self, mem: &mut Memory) {
        self.queue.flush(mem);
    }

    /// Somebody is about to read memory (address and length): what is drawn there comes first.
    pub fn before_read(&mut self, mem: &mut Memory, range: (u32, usize)) {
        self.queue.before_read(mem, range);
    }

    /// Memory was written: what was read of it has to be read again.
    pub fn memory_changed(&mut self) {
        self.queue.memory_changed();
    }

    /// Draws are drawn one at a time and reported, or no longer.
    pub fn inspect(&mut self, mem: &mut Memory, on: bool) {
        self.queue.inspect(mem, on);
    }

    /// The reports since the last call.
    pub fn take_reports(&mut self) -> Vec<DrawReport> {
        self.queue.take_reports()
    }

    /// The vertices of the last draw, while draws are inspected.
    pub fn take_vertices(&mut self) -> Vec<VertexPair> {
        self.queue.take_vertices()
    }

    /// A word that the units keep.
    pub fn word(&self, bundle: Bundle, index: usize) -> Option<u32> {
        let count = bundle.row().ids(self.chip.family())?.count;
        let held = || {
            let pixel = self.queue.bundles().register(bundle, index);
            pixel.or_else(|| self.queue.xf().bundles().register(bundle, index))
        };
        (index < usize::from(count)).then(held)?
    }

    /// The bound surfaces.
    pub fn surfaces(&self) -> Surfaces {
        self.queue.surface().prepare(self.chip)
    }

    /// The surfaces that were drawn to or cleared last.
    pub fn drawn_to(&self) -> Option<Surfaces> {
        Some(self.queue.drawn_to()?.prepare(self.chip))
    }

    /// Takes one event of the front end.
    pub fn event(&mut self, mem: &mut Memory, event: &Event) {
        let queue = &mut self.queue;
        match *event {
            Event::Bundle { id, value, .. } => self.bundle(mem, id, value),
            Event::Xf {
                cmd,
                addr,
                be,
                a,
                b,
            } => {
                queue.change_xf(mem).command(cmd, addr, be, a, b);
                queue.charge_programs(mem);
            }
            Event::Attr {
                fmt,
                attr,
                ncomp,
                comp,
                data,
            } => {
                if queue.change_idx(mem).attr(fmt, attr, ncomp, comp, data) {
                    queue.vertex(mem);
                }
            }
            Event::Inline(word) => {
                if queue.change_idx(mem).inline(word) {
                    queue.vertex(mem);
                }
            }
            Event::EdgeFlag(flag) => queue.change_idx(mem).current.edge_flag = flag,
            Event::VertexOffset { index, dma, offset } => {
                queue.change_idx(mem).set_offset(index, dma, offset);
            }
            Event::VertexFormat { index, format } => {
                queue.change_idx(mem).set_format(index, format);
            }
            Event::Begin { prim } => queue.begin(mem, prim),
            Event::End => queue.end(mem),
            Event::Arrays { start, count } => queue.arrays(mem, start, count),
            Event::Element(index) => queue.element(mem, index),
            Event::IndexBuffer { dma, offset, short } => {
                self.index_buffer = IndexBuffer { dma, offset, short };
            }
            Event::Indexed { start, count } => self.indexed(mem, start, count),
            Event::Surface { reg, value } => queue.set_surface(mem, reg, value),
            Event::Dma { role, span } => self.dma(mem, role, span),
            Event::Clear(what) => queue.clear(mem, what),
            Event::Report { offset, .. } => self.write_report(mem, offset),
            Event::RenderEnable { report } => self.render_enable(mem, report),
            Event::SemaphoreRelease { offset, value } => {
                queue.flush(mem);
                write_inside(mem, self.semaphore, offset, value);
            }
            Event::CelsiusClipRect {
                vertical,
                index,
                value,
            } => {
                // Kelvin has them as bundles.
                let bundle = match vertical {
                    true => id::CLIP_RECT_VERT,
                    false => id::CLIP_RECT_HORIZ,
                };
                let index = usize::from(index) % CLIP_RECTANGLES;
                queue.set_word(mem, bundle, index, value ^ CELSIUS_CLIP_SIGNS);
            }
            Event::CelsiusConfig(value) => queue.set_celsius_config(mem, value),
            // Whoever looks at memory flushes first, so there is nothing to wait for.
            Event::WaitIdle => {}
            // Patches: the forward differencer is not part of any captured stream.
            Event::Fd { .. } => {}
        }
    }

    /// Takes as many [`Event::Element`]s.
    pub fn elements(&mut self, mem: &mut Memory, numbers: &[u32]) {
        self.queue.elements(mem, numbers);
    }

    fn bundle(&mut self, mem: &mut Memory, number: u16, value: u32) {
        let Some(Some((bundle, index))) = self.ids.get(usize::from(number)).copied() else {
            return;
        };
        let index = usize::from(index);
        match bundle {
            id::ZPASS_COUNTER_RESET => self.queue.set_passed(mem, 0),
            id::CLEAR_CLIPID_TRIGGER => self.queue.clear_clip_ids(mem),
            // Before Curie a clip rectangle replaces all later ones too; the front end sends
            // only the one that was written.
            id::CLIP_RECT_HORIZ | id::CLIP_RECT_VERT if !self.chip.since(Chip::Nv40) => {
                for i in index..CLIP_RECTANGLES {
                    self.queue.set_word(mem, bundle, i, value);
                }
            }
            _ => self.queue.set_word(mem, bundle, index, value),
        }
    }

    fn dma(&mut self, mem: &mut Memory, role: DmaRole, span: DmaSpan) {
        match role {
            DmaRole::Tex(i) => self.queue.set_texture_dma(mem, i, span),
            DmaRole::Vtx(i) => self.queue.change_idx(mem).set_dma(i, span),
            DmaRole::Color | DmaRole::Zeta | DmaRole::MoreColor(_) => {
                self.queue.set_surface_dma(mem, role, span);
            }
            DmaRole::Semaphore => self.semaphore = span,
            DmaRole::Report => self.report = span,
            DmaRole::State => {}
        }
    }

    /// Vertices whose numbers are in the index buffer.
    fn indexed(&mut self, mem: &mut Memory, start: u32, count: u32) {
        let IndexBuffer { dma, offset, short } = self.index_buffer;
        let span = self.queue.idx().span(dma);
        let size = if short { 2 } else { 4 };
        let first = u64::from(offset) + u64::from(start) * size;
        let bytes = u64::from(count) * size;
        let range = (span.base.wrapping_add(first as u32), bytes as usize);
        self.queue.before_read(mem, range);
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
            self.queue.element(mem, index);
        }
    }

    /// Conditional rendering: draws are left out while a report's count is 0.
    fn render_enable(&mut self, mem: &mut Memory, report: Option<u32>) {
        self.queue.flush(mem);
        let count = report.map(|offset| {
            let at = offset.wrapping_add(REPORT_COUNT);
            if at <= self.report.limit {
                mem.read_u32(self.report.base.wrapping_add(at))
            } else {
                0
            }
        });
        self.queue.skip_draws(count == Some(0));
    }

    /// The pixel counter's report: 64-bit time, count, 0. There is no clock, so
    /// the time is 0.
    fn write_report(&mut self, mem: &mut Memory, offset: u32) {
        self.queue.flush(mem);
        let words = [0, 0, self.queue.passed() as u32, 0];
        for (i, word) in (0..).zip(words) {
            write_inside(mem, self.report, offset.wrapping_add(4 * i), word);
        }
    }
}

/// Writes a word at an offset of a DMA object, if it is inside.
fn write_inside(mem: &mut Memory, object: DmaSpan, offset: u32, word: u32) {
    if offset <= object.limit {
        mem.write_u32(object.base.wrapping_add(offset), word);
    }
}
