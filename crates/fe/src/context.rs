//! Context switch: the front end's state as words, and back.
//!
//! Saving reads registers. Restoring writes the shadow registers as the CPU would, so that
//! every bundle is sent again, and tells the units what else they have of the front end: modes,
//! vertex buffers, surfaces, objects. The units' own memories are read and loaded by
//! `pipeline::rdi`. Vertices of an open primitive are not saved: there is no boundary in one.

use isotherm_regs::Chip;
use isotherm_regs::bundle::{Bundle, Kind as BundleKind, SLOTS};
use isotherm_regs::method::VTXBUF_FORMAT;
use isotherm_regs::pgraph::{IDX_STATE_A, IDX_VTXBUF_FORMAT, IDX_VTXBUF_OFFSET, address};

use super::Fe;
use super::regs::Regs;
use super::xfload::cmd;
use isotherm_bus::bundle::{DmaRole, DmaSpan, Event, SurfaceReg};

/// First word of a saved context, and the version of what follows.
const MAGIC: u32 = 0x4346_5349;
const VERSION: u32 = 3;

/// DMA roles in the order in which a context keeps their spans.
pub(crate) const ROLES: [DmaRole; 12] = [
    DmaRole::Tex(0),
    DmaRole::Tex(1),
    DmaRole::Vtx(0),
    DmaRole::Vtx(1),
    DmaRole::Color,
    DmaRole::Zeta,
    DmaRole::MoreColor(1),
    DmaRole::MoreColor(2),
    DmaRole::MoreColor(3),
    DmaRole::Semaphore,
    DmaRole::Report,
    DmaRole::State,
];

/// Surface registers, likewise.
pub(crate) const SURFACE: [SurfaceReg; 12] = [
    SurfaceReg::ClipHoriz,
    SurfaceReg::ClipVert,
    SurfaceReg::Format,
    SurfaceReg::Pitch,
    SurfaceReg::ColorOffset,
    SurfaceReg::ZetaOffset,
    SurfaceReg::MoreOffset(1),
    SurfaceReg::MoreOffset(2),
    SurfaceReg::MoreOffset(3),
    SurfaceReg::MorePitch(1),
    SurfaceReg::MorePitch(2),
    SurfaceReg::MorePitch(3),
];

/// What the units were told of memory: objects and surfaces as the methods gave them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Announced {
    pub(crate) dma: [Option<DmaSpan>; ROLES.len()],
    pub(crate) surface: [Option<u32>; SURFACE.len()],
}

impl Announced {
    pub(crate) fn dma(&mut self, role: DmaRole, span: DmaSpan) {
        if let Some(i) = ROLES.iter().position(|r| *r == role) {
            self.dma[i] = Some(span);
        }
    }

    pub(crate) fn surface(&mut self, reg: SurfaceReg, value: u32) {
        if let Some(i) = SURFACE.iter().position(|r| *r == reg) {
            self.surface[i] = Some(value);
        }
    }
}

/// A saved front end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    chip: Chip,
    regs: Box<Regs>,
    shadow: Box<[u32; SLOTS]>,
    objects: [[u32; 5]; 8],
    announced: Announced,
    mode_pending: bool,
}

/// Why words are no context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContextError {
    /// Not a saved front end at all.
    #[error("not a saved front end: the first word is {0:#x}")]
    Magic(u32),
    /// Written by another version.
    #[error("version {0} of the context format; this program reads version 3")]
    Version(u32),
    /// Too short or too long.
    #[error("the context ends at word {0}; {1} words were expected")]
    Length(usize, usize),
    /// No such chip.
    #[error("chip number {0} is unknown")]
    Chip(u32),
    /// For another chip.
    #[error("the context is for {0}, the front end is {1}")]
    OtherChip(&'static str, &'static str),
}

impl Context {
    /// The context as words, for a file.
    pub fn to_words(&self) -> Vec<u32> {
        let number = Chip::ALL.iter().position(|c| *c == self.chip).unwrap_or(0);
        let mut words = vec![MAGIC, VERSION, number as u32, self.mode_pending.into()];
        self.regs
            .clone()
            .each(&mut |_, reg| reg.each(&mut |word| words.push(*word)));
        words.extend_from_slice(&self.shadow[..]);
        words.extend(self.objects.iter().flatten());
        for span in self.announced.dma {
            let known = span.unwrap_or_default();
            words.extend([span.is_some().into(), known.base, known.limit]);
        }
        for value in self.announced.surface {
            words.extend([value.is_some().into(), value.unwrap_or(0)]);
        }
        words
    }

    /// A context from the words of a file.
    pub fn from_words(words: &[u32]) -> Result<Context, ContextError> {
        let head = |i: usize| {
            words
                .get(i)
                .copied()
                .ok_or(ContextError::Length(words.len(), 4))
        };
        if head(0)? != MAGIC {
            return Err(ContextError::Magic(words[0]));
        }
        if head(1)? != VERSION {
            return Err(ContextError::Version(words[1]));
        }
        let chip = *Chip::ALL
            .get(head(2)? as usize)
            .ok_or(ContextError::Chip(words[2]))?;
        let mut context = Fe::new(chip).context();
        let expected = context.to_words().len();
        if words.len() != expected {
            return Err(ContextError::Length(words.len(), expected));
        }
        context.mode_pending = head(3)? != 0;
        let mut rest = words[4..].iter().copied();
        let mut next = || rest.next().unwrap_or(0);
        context
            .regs
            .each(&mut |_, reg| reg.each(&mut |word| *word = next()));
        context.shadow.iter_mut().for_each(|word| *word = next());
        context
            .objects
            .iter_mut()
            .flatten()
            .for_each(|word| *word = next());
        for span in &mut context.announced.dma {
            let (known, base, limit) = (next(), next(), next());
            *span = (known != 0).then_some(DmaSpan { base, limit });
        }
        for value in &mut context.announced.surface {
            let (known, word) = (next(), next());
            *value = (known != 0).then_some(word);
        }
        Ok(context)
    }
}

impl Fe {
    /// All words, always as many for a chip.
    pub fn save(&self) -> Vec<u32> {
        self.context().to_words()
    }

    /// Puts back what [`Fe::save`] gave and tells nobody; false, and nothing changed, when it is
    /// no context of this chip.
    pub fn restore(&mut self, words: &[u32]) -> bool {
        match Context::from_words(words) {
            Ok(context) if context.chip == self.g.chip => {
                self.set_registers(&context);
                true
            }
            _ => false,
        }
    }

    fn set_registers(&mut self, context: &Context) {
        self.r.clone_from(&context.regs);
        self.shadow.clone_from(&context.shadow);
        self.grobj = context.objects;
        self.announced = context.announced;
        self.mode_pending = context.mode_pending;
        // What was derived from the registers is derived anew.
        self.class_key = !0;
        self.settled = Default::default();
    }

    /// The state at a method boundary.
    pub fn context(&self) -> Context {
        Context {
            chip: self.g.chip,
            regs: self.r.clone(),
            shadow: self.shadow.clone(),
            objects: self.grobj,
            announced: self.announced,
            mode_pending: self.mode_pending,
        }
    }

    /// Restores a state as the driver does, and so tells the units about it.
    pub fn load_context(
        &mut self,
        context: &Context,
        sink: &mut impl FnMut(&Event),
    ) -> Result<(), ContextError> {
        if context.chip != self.g.chip {
            return Err(ContextError::OtherChip(
                context.chip.name(),
                self.g.chip.name(),
            ));
        }
        self.clear();
        // Shadow registers first, as the CPU writes them: each write sends its bundle.
        for bundle in Bundle::all() {
            if bundle.row().kind != BundleKind::State {
                continue;
            }
            let count = bundle.row().ids(self.g.family).map_or(0, |ids| ids.count);
            for i in 0..count {
                let value = context.shadow[bundle.slot() + usize::from(i)];
                if let Some(id) = bundle.id(self.g.family, i) {
                    self.write(self.shadow_range().0 + 4 * u32::from(id), value);
                }
            }
        }
        // Registers that the writes above disturbed are then set as they were.
        self.set_registers(context);
        if self.g.celsius() {
            self.send_celsius_registers();
        } else {
            self.send_kelvin_registers();
        }
        self.send_surfaces();
        for event in &self.out {
            sink(event);
        }
        self.out.clear();
        Ok(())
    }

    /// Where the shadow registers are in the BAR, and how many there can be.
    pub(crate) fn shadow_range(&self) -> (u32, u32) {
        if self.g.celsius() {
            address::CELSIUS_SHADOW
        } else {
            address::SHADOW
        }
    }

    fn event_xf(&mut self, cmd: u32, addr: u32, be: u8, a: u32, b: u32) {
        self.out.push(Event::Xf {
            cmd: cmd as u8,
            addr: addr as u16,
            be,
            a,
            b,
        });
    }

    /// Mode, edge flag, vertex buffers, and what later chips have as bundles.
    pub(crate) fn send_celsius_registers(&mut self) {
        let r = self.r.clone();
        self.event_xf(cmd::MODE, 0, 3, r.celsius_xf_misc_a, r.celsius_xf_misc_b);
        self.out
            .push(Event::EdgeFlag(r.celsius_pipe_edge_flag & 1 != 0));
        for i in 0..8 {
            self.out.push(Event::VertexOffset {
                index: i as u8,
                dma: 0,
                offset: r.celsius_pipe_vtxbuf_offset[i],
            });
            self.out.push(Event::VertexFormat {
                index: i as u8,
                format: method_format(r.celsius_pipe_vtxbuf_format[i]),
            });
            for (vertical, rects) in [
                (false, &r.celsius_clip_rect_horiz),
                (true, &r.celsius_clip_rect_vert),
            ] {
                self.out.push(Event::CelsiusClipRect {
                    vertical,
                    index: i as u8,
                    value: rects[i],
                });
            }
        }
        self.announce_config_c();
    }

    /// Mode, edge flag, vertex and index buffers.
    pub(crate) fn send_kelvin_registers(&mut self) {
        self.event_mode();
        let r = self.r.clone();
        self.out
            .push(Event::EdgeFlag(IDX_STATE_A::EDGE_FLAG.is_on(r.idx_state_a)));
        for i in 0..16 {
            let (offset, kept) = (r.idx_state_vtxbuf_offset[i], r.idx_state_vtxbuf_format[i]);
            self.out.push(Event::VertexOffset {
                index: i as u8,
                dma: IDX_VTXBUF_OFFSET::DMA.read(offset) as u8,
                offset: IDX_VTXBUF_OFFSET::OFFSET.get(self.g.chip, offset),
            });
            self.out.push(Event::VertexFormat {
                index: i as u8,
                format: array_format(self.g.chip, kept),
            });
        }
        if !self.g.kelvin() {
            self.announce_indices();
        }
    }

    fn event_mode(&mut self) {
        let r = &self.r;
        let (a, b, c, t) = (r.xf_mode_a, r.xf_mode_b, r.xf_mode_c, r.xf_mode_t);
        if self.g.kelvin() {
            self.event_xf(cmd::MODE, 0, 3, b, a);
            self.event_xf(cmd::MODE, 8, 3, t[1], t[0]);
        } else if self.g.rankine() {
            self.event_xf(cmd::MODE, 0x00, 3, 0, c);
            self.event_xf(cmd::MODE, 0x08, 3, b, a);
            self.event_xf(cmd::MODE, 0x10, 3, t[3], t[2]);
            self.event_xf(cmd::MODE, 0x18, 3, t[1], t[0]);
        }
    }

    fn send_surfaces(&mut self) {
        let announced = self.announced;
        for (role, span) in ROLES.into_iter().zip(announced.dma) {
            self.out.extend(span.map(|span| Event::Dma { role, span }));
        }
        for (reg, value) in SURFACE.into_iter().zip(announced.surface) {
            self.out
                .extend(value.map(|value| Event::Surface { reg, value }));
        }
    }
}

/// The method's data that a Celsius vertex buffer format register came from: the register has
/// the types by other numbers.
fn method_format(kept: u32) -> u32 {
    let mut format = kept;
    let number = match VTXBUF_FORMAT::TYPE.read(kept) & 7 {
        6 => 2,
        5 => 1,
        number => number,
    };
    VTXBUF_FORMAT::TYPE.write(&mut format, VTXBUF_FORMAT::TYPE.read(kept) & 8 | number);
    format
}

/// The method's data that an IDX_VTXBUF_FORMAT register came from.
pub(crate) fn array_format(chip: Chip, kept: u32) -> u32 {
    let mut format = 0;
    VTXBUF_FORMAT::TYPE.write(&mut format, IDX_VTXBUF_FORMAT::TYPE.read(kept));
    VTXBUF_FORMAT::SIZE.write(&mut format, IDX_VTXBUF_FORMAT::SIZE.read(kept));
    VTXBUF_FORMAT::STRIDE.put(chip, &mut format, IDX_VTXBUF_FORMAT::STRIDE.read(kept));
    format
}
