//! The state words, vertex fetch and vertex engine as the pipeline has them at this moment.

use isotherm::WatchedVertex;
use isotherm::bundle::{DmaRole, DmaSpan, Event, reset_words};
use isotherm::capture::Payload;
use isotherm::fe::{self, Fe};
use isotherm::idx::Idx;
use isotherm::memory::Memory;
use isotherm::pixel::bundles::UnitBundles;
use isotherm::pixel::rop::prepare::{SurfaceRegs, Surfaces};
use isotherm::pixel::tex::program::ProgramUnit;
use isotherm::pixel::tex::{Source, Unit, VertexTextures};
use isotherm::trap::Trap;
use isotherm::vertex::{VtxIn, VtxOut};
use isotherm::xf::Xf;
use isotherm_regs::bundle::{self as id, Bundle, SLOTS};
use isotherm_regs::{Chip, Family};

/// Vertices that are kept of one draw; the rest is left out.
const MOST_VERTICES: usize = 1 << 18;
/// Traps that are kept until the next draw.
const MOST_TRAPS: usize = 64;

/// The vertices of a draw, in the order in which they were asked for.
#[derive(Clone, Default)]
pub struct Mesh {
    /// The primitive, GL's number and one more.
    pub prim: u8,
    /// The number that each had in the vertex buffers; none for vertices that the commands
    /// themselves carry.
    pub numbers: Vec<Option<u32>>,
    /// As they go into the vertex engine.
    pub inputs: Vec<VtxIn>,
    /// As they come out of it.
    pub outputs: Vec<VtxOut>,
    /// There were more.
    pub cut: bool,
}

/// The last word of every bundle, whichever unit takes it.
#[derive(Clone)]
pub struct Words(Box<[u32; SLOTS]>);

impl Words {
    /// The word of a bundle that is no array, or entry 0.
    pub fn get(&self, bundle: Bundle) -> u32 {
        self.at(bundle, 0)
    }

    /// Entry `index` of a bundle.
    pub fn at(&self, bundle: Bundle, index: usize) -> u32 {
        self.0[bundle.slot() + index]
    }

    /// All words by slot.
    pub fn all(&self) -> &[u32; SLOTS] {
        &self.0
    }
}

/// State words and units that follow the front end's events.
#[derive(Clone)]
pub struct Mirror {
    /// The chip.
    pub chip: Chip,
    /// All words.
    pub words: Words,
    /// Those that the pixel units keep.
    pub units: UnitBundles,
    /// The texture objects.
    pub tex: [DmaSpan; 2],
    /// The draw's vertices, if they were asked for.
    pub mesh: Mesh,
    /// The methods that were refused since the last draw.
    pub traps: Vec<Trap>,
    surface: SurfaceRegs,
    idx: Idx,
    xf: Xf,
    index_buffer: (u8, u32, bool),
    open: bool,
    collecting: bool,
}

impl Mirror {
    /// Everything as it is after reset.
    pub fn new(chip: Chip) -> Mirror {
        Mirror {
            chip,
            words: Words(reset_words(chip)),
            units: UnitBundles::reset(chip),
            tex: [DmaSpan::default(); 2],
            mesh: Mesh::default(),
            traps: Vec::new(),
            surface: SurfaceRegs::default(),
            idx: Idx::new(chip),
            xf: Xf::new(chip),
            index_buffer: (0, 0, false),
            open: false,
            collecting: false,
        }
    }

    /// Is a primitive open?
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Keep the vertices of the next draw, or do not.
    pub fn collect(&mut self, on: bool) {
        self.collecting = on;
    }

    /// A method was refused.
    pub fn trapped(&mut self, trap: Trap) {
        // NO_OPERATION with an argument is a driver's call to itself.
        if trap.method != 0x100 && self.traps.len() < MOST_TRAPS {
            self.traps.push(trap);
        }
    }

    /// The next draw begins without a trap.
    pub fn forget_traps(&mut self) {
        self.traps.clear();
    }

    /// A vertex of the draw that just ended, and the vertex engine as it stands.
    pub fn vertex(&self, number: usize) -> Option<WatchedVertex> {
        let vertex = *self.mesh.inputs.get(number)?;
        let xf = self.xf.clone();
        Some(WatchedVertex { xf, vertex })
    }

    /// The surfaces that are bound.
    pub fn surfaces(&self) -> Surfaces {
        self.surface.prepare(self.chip)
    }

    /// A word.
    pub fn word(&self, bundle: Bundle) -> u32 {
        self.words.get(bundle)
    }

    /// The texture that a unit is set to, if it is on.
    pub fn texture(&self, unit: usize) -> Option<Source> {
        let (chip, words) = (self.chip, &self.units.tex);
        match chip.family() {
            Family::Celsius | Family::Kelvin => {
                Unit::prepare(chip, words, self.tex, unit).map(|unit| unit.source)
            }
            _ => ProgramUnit::prepare(chip, words, self.tex, unit).map(|unit| *unit.source()),
        }
    }

    /// How many texture units the chip has.
    pub fn texture_units(&self) -> usize {
        match self.chip.family() {
            Family::Celsius => 2,
            Family::Kelvin => 4,
            _ => 16,
        }
    }

    /// Takes one event of the front end.
    pub fn event(&mut self, event: &Event, mem: &Memory) {
        match *event {
            Event::Bundle { id, value, .. } => self.bundle(id, value, mem),
            Event::Xf {
                cmd,
                addr,
                be,
                a,
                b,
            } => {
                self.transform(mem);
                self.xf.command(cmd, addr, be, a, b);
            }
            Event::Attr {
                fmt,
                attr,
                ncomp,
                comp,
                data,
            } => {
                let complete = self.idx.attr(fmt, attr, ncomp, comp, data);
                self.launch(complete);
            }
            Event::EdgeFlag(flag) => self.idx.current.edge_flag = flag,
            Event::VertexOffset { index, dma, offset } => self.idx.set_offset(index, dma, offset),
            Event::VertexFormat { index, format } => self.idx.set_format(index, format),
            Event::Begin { prim } if !self.open => {
                self.open = true;
                self.mesh = Mesh {
                    prim,
                    ..Mesh::default()
                };
            }
            Event::End => {
                self.transform(mem);
                self.open = false;
                self.idx.end();
            }
            Event::Arrays { start, count } if self.open => {
                for number in start..start.saturating_add(count) {
                    self.fetch(number, mem);
                }
            }
            Event::Element(number) if self.open => self.fetch(number, mem),
            Event::IndexBuffer { dma, offset, short } => self.index_buffer = (dma, offset, short),
            Event::Indexed { start, count } if self.open => self.indexed(start, count, mem),
            Event::Inline(word) => {
                let complete = self.idx.inline(word);
                self.launch(complete);
            }
            Event::Surface { reg, value } => {
                self.surface.set(reg, value);
            }
            Event::Dma { role, span } => self.dma(role, span),
            Event::CelsiusClipRect {
                vertical,
                index,
                value,
            } => {
                let bundle = if vertical {
                    id::CLIP_RECT_VERT
                } else {
                    id::CLIP_RECT_HORIZ
                };
                // Kelvin has them as bundles, with the coordinates' signs turned around.
                self.keep(bundle, usize::from(index & 7), value ^ 0x0800_0800);
            }
            _ => {}
        }
    }

    fn keep(&mut self, bundle: Bundle, entry: usize, value: u32) {
        self.words.0[bundle.slot() + entry] = value;
        self.units.take(bundle, entry, value);
        if bundle == id::RT_ENABLE {
            self.surface.enable(value);
        }
    }

    fn bundle(&mut self, number: u16, value: u32, mem: &Memory) {
        let Some((bundle, index)) = Bundle::locate(self.chip.family(), number) else {
            return;
        };
        let index = usize::from(index);
        self.transform(mem);
        // Before Curie a clip rectangle replaces all later ones, too.
        let last = match bundle {
            id::CLIP_RECT_HORIZ | id::CLIP_RECT_VERT if !self.chip.since(Chip::Nv40) => 7,
            _ => index,
        };
        for entry in index..=last {
            self.keep(bundle, entry, value);
        }
        self.xf.bundle(bundle, index, value);
    }

    fn dma(&mut self, role: DmaRole, span: DmaSpan) {
        match role {
            DmaRole::Tex(i) => self.tex[usize::from(i & 1)] = span,
            DmaRole::Vtx(i) => self.idx.set_dma(i, span),
            DmaRole::Color | DmaRole::Zeta | DmaRole::MoreColor(_) => {
                self.surface.attach(role, span);
            }
            DmaRole::Semaphore | DmaRole::Report | DmaRole::State => {}
        }
    }

    fn indexed(&mut self, start: u32, count: u32, mem: &Memory) {
        let (dma, offset, short) = self.index_buffer;
        let span = self.idx.span(dma);
        let size = if short { 2 } else { 4 };
        for i in start..start.saturating_add(count) {
            let at = u64::from(offset) + u64::from(i) * size;
            if at + size > u64::from(span.limit) + 1 || self.mesh.cut {
                return;
            }
            let addr = span.base.wrapping_add(at as u32);
            let number = match short {
                true => u32::from(mem.read_u16(addr)),
                false => mem.read_u32(addr),
            };
            self.fetch(number, mem);
        }
    }

    fn fetch(&mut self, number: u32, mem: &Memory) {
        if !self.mesh.cut {
            self.idx.fetch(mem, number);
            self.keep_vertex(Some(number));
        }
    }

    /// Commands have brought a vertex, if it is complete and a primitive is open.
    fn launch(&mut self, complete: bool) {
        if complete && self.open {
            self.keep_vertex(None);
        }
    }

    /// The attributes as they stand are a vertex.
    fn keep_vertex(&mut self, number: Option<u32>) {
        if self.mesh.numbers.len() >= MOST_VERTICES {
            self.mesh.cut = true;
            return;
        }
        self.mesh.numbers.push(number);
        if self.collecting {
            self.mesh.inputs.push(self.idx.current);
        }
    }

    /// Sends the vertices that wait through the vertex engine.
    fn transform(&mut self, mem: &Memory) {
        let done = self.mesh.outputs.len();
        if !self.open || done >= self.mesh.inputs.len() {
            return;
        }
        let (waiting, out) = (&self.mesh.inputs[done..], &mut self.mesh.outputs);
        if self.chip.family() == Family::Curie {
            let textures = VertexTextures::prepare(self.chip, &self.units.tex, self.tex, mem);
            self.xf.run_textured(&textures, waiting, out);
        } else {
            self.xf.run(waiting, out);
        }
    }

    /// Takes over the context of a `CTX ` record.
    pub fn load(&mut self, record: &Payload<'_>, mem: &Memory) {
        let Payload::Context(saved) = record else {
            return;
        };
        // What cannot be read is the chip's to complain about.
        let Ok(context) = fe::Context::from_words(&saved.fe) else {
            return;
        };
        let mut events = Vec::new();
        let _ = Fe::new(self.chip).load_context(&context, &mut |event| events.push(*event));
        for event in &events {
            self.event(event, mem);
        }
        let units = &saved.units;
        for (cmd, rows) in [
            (9, &units.xfctx),
            (2, &units.xfpr),
            (8, &units.xf_control),
            (10, &units.ltctx),
        ] {
            for (row, words) in (0u16..0x400).zip(rows) {
                self.xf.command(cmd, row << 4, 3, words[0], words[1]);
                self.xf.command(cmd, row << 4 | 8, 3, words[2], words[3]);
            }
        }
        for (cmd, bank) in (11u8..15).zip(&units.ltc) {
            for (row, &word) in (0u16..0x400).zip(bank) {
                self.xf.command(cmd, row << 4, 1, word, word);
            }
        }
        for (to, from) in self.idx.current.attr.iter_mut().zip(&units.vab) {
            *to = *from;
        }
    }
}
