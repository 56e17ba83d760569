//! The 2D engine: blits, solids, images and memory copies.
//!
//! Context objects (surfaces, clip, pattern, raster operation, beta) write registers of
//! the one engine; drawing objects keep their own operation and formats, and which of the
//! context objects they use.

mod canvas;
mod class;
mod color;
mod context;
mod image;
mod line;
mod methods;
mod op;
mod state;

use canvas::{Canvas, Rect};
use class::Class2d;
use color::{Format, Texel};
use image::{Lines, Scaled};
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::{Memory, Tiles};
use isotherm_bus::objects::Objects;
use op::{Pattern, PixelOp};
use state::{Drawing, low_high};
use std::collections::HashMap;

/// A 2D or swizzled surface object's registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SurfaceRegs {
    source: DmaSpan,
    target: DmaSpan,
    format: u32,
    pitch: u32,
    offset_source: u32,
    offset_target: u32,
}

/// What the engine reaches beyond its own registers.
pub(crate) struct Bus<'a> {
    /// Objects by handle.
    pub(crate) objects: &'a Objects,
    /// Memory.
    pub(crate) memory: &'a mut Memory,
    /// Tile regions: nothing is drawn past the end of the one that a surface begins in.
    pub(crate) tiles: &'a Tiles,
}

/// The 2D engine.
pub(crate) struct TwoD {
    /// Handle bound to each subchannel.
    bound: [u32; 8],
    /// Drawing objects by handle.
    drawings: HashMap<u32, Drawing>,
    surface: SurfaceRegs,
    swizzled: SurfaceRegs,
    clip: Rect,
    clip_point: u32,
    pattern: Box<Pattern>,
    rop: u8,
    beta: u32,
    beta4: u32,
    chroma: u32,
    chroma_format: u32,
    lines: Lines,
    /// The line or rectangle that is being put together.
    points: [i32; 4],
    ifc: Ifc,
}

/// An image that comes in as data words.
#[derive(Clone, Copy, Debug, Default)]
struct Ifc {
    x: u32,
    y: u32,
}

/// More objects than a channel has room for in instance memory.
const MOST_OBJECTS: usize = 1 << 12;

impl TwoD {
    /// The engine after reset.
    pub(crate) fn new() -> TwoD {
        TwoD {
            bound: [0; 8],
            drawings: HashMap::new(),
            surface: SurfaceRegs::default(),
            swizzled: SurfaceRegs::default(),
            clip: Rect::ALL,
            clip_point: 0,
            pattern: Box::default(),
            rop: 0xCC,
            beta: 0,
            beta4: 0,
            chroma: 0,
            chroma_format: 0,
            lines: Lines::default(),
            points: [0; 4],
            ifc: Ifc::default(),
        }
    }

    /// May this method read or write memory?
    pub(crate) fn acts(&self, class: u32, method: u16) -> bool {
        Class2d::of(class).is_some_and(|class| class.acts(method))
    }

    /// Executes a method; says whether the class is known.
    pub(crate) fn method(
        &mut self,
        subchannel: u8,
        class: u32,
        method: u16,
        data: u32,
        bus: &mut Bus<'_>,
    ) -> bool {
        let subchannel = usize::from(subchannel & 7);
        if method == 0 {
            self.bound[subchannel] = data;
        }
        let handle = self.bound[subchannel];
        let span = || {
            bus.objects
                .get(data)
                .map_or(DmaSpan::default(), |object| object.span)
        };
        let Some(kind) = Class2d::of(class) else {
            return method == 0 && class == 0;
        };
        match kind {
            Class2d::Null => {}
            Class2d::Beta1 if method == 0x300 => self.beta = data,
            Class2d::Beta4 if method == 0x300 => self.beta4 = data,
            Class2d::Rop if method == 0x300 => self.rop = data as u8,
            Class2d::Beta1 | Class2d::Beta4 | Class2d::Rop => {}
            Class2d::Clip => self.clip_method(method, data),
            Class2d::Chroma => match method {
                0x300 => self.chroma_format = data,
                0x304 => self.chroma = data,
                _ => {}
            },
            Class2d::Pattern => self.pattern.method(method, data),
            Class2d::Surfaces => self.surface_method(method, data, span()),
            Class2d::SwizzledSurface => match method {
                0x184 => self.swizzled.target = span(),
                0x300 => self.swizzled.format = data,
                0x304 => self.swizzled.offset_target = data,
                _ => {}
            },
            Class2d::MemoryCopy => self.copy_method(method, data, span(), bus.memory),
            Class2d::Blit
            | Class2d::Lines
            | Class2d::Rectangles
            | Class2d::Gdi
            | Class2d::ImageFromCpu
            | Class2d::ScaledImage => self.drawing_method(handle, kind, method, data, bus),
        }
        true
    }

    fn clip_method(&mut self, method: u16, data: u32) {
        match method {
            0x300 => self.clip_point = data,
            0x304 => {
                let ((x, y), (w, h)) = (low_high(self.clip_point), low_high(data));
                self.clip = Rect::new(x, y, w, h);
            }
            _ => {}
        }
    }

    fn surface_method(&mut self, method: u16, data: u32, span: DmaSpan) {
        let surface = &mut self.surface;
        match method {
            0x184 => surface.source = span,
            0x188 => surface.target = span,
            0x300 => surface.format = data,
            0x304 => surface.pitch = data,
            0x308 => surface.offset_source = data,
            0x30C => surface.offset_target = data,
            _ => {}
        }
    }

    fn copy_method(&mut self, method: u16, data: u32, span: DmaSpan, memory: &mut Memory) {
        let lines = &mut self.lines;
        match method {
            0x184 => lines.from = span,
            0x188 => lines.to = span,
            0x30C => lines.offset_in = data,
            0x310 => lines.offset_out = data,
            0x314 => lines.pitch_in = data,
            0x318 => lines.pitch_out = data,
            0x31C => lines.length = data,
            0x320 => lines.count = data,
            0x324 => lines.format = data,
            0x328 => lines.copy(memory),
            _ => {}
        }
    }

    fn drawing_method(
        &mut self,
        handle: u32,
        class: Class2d,
        method: u16,
        data: u32,
        bus: &mut Bus<'_>,
    ) {
        if self.drawings.len() >= MOST_OBJECTS && !self.drawings.contains_key(&handle) {
            return;
        }
        let drawing = self.drawings.entry(handle).or_default();
        if drawing.context(class, method, data, bus.objects) {
            return;
        }
        drawing.set(method, data);
        let drawing = *drawing;
        match class {
            Class2d::Blit if method == 0x308 => self.blit(&drawing, bus),
            Class2d::Lines if method >= 0x400 => {
                self.line_method(handle, &drawing, method, data, bus)
            }
            Class2d::Rectangles
                if (0x400..0x480).contains(&method) && self.two_points(method, data) =>
            {
                let [x, y, w, h] = self.points;
                let rect = Rect::new(x, y, w, h);
                self.fill(&drawing, rect, drawing.color(), bus);
            }
            Class2d::Gdi => self.gdi_method(&drawing, method, data, bus),
            Class2d::ImageFromCpu => self.ifc_method(&drawing, method, data, bus),
            Class2d::ScaledImage if method == 0x40C => {
                self.scaled(&drawing, bus);
            }
            _ => {}
        }
    }

    /// Where drawings go: the 2D surface's destination or the swizzled surface.
    fn target(&self, drawing: &Drawing, bus: &Bus<'_>) -> Option<Canvas> {
        if drawing.swizzled {
            let s = &self.swizzled;
            let format = Format::of_surface(s.format)?;
            let swizzle = Some((s.format >> 16 & 0xF, s.format >> 24 & 0xF));
            let (span, offset) = (s.target, s.offset_target);
            return Some(Canvas {
                span,
                offset,
                pitch: 0,
                format,
                swizzle,
            });
        }
        let s = &self.surface;
        let format = Format::of_surface(s.format)?;
        let (mut span, offset, pitch) = (s.target, s.offset_target, s.pitch >> 16);
        if let Some(end) = bus.tiles.end(span.base.wrapping_add(offset)) {
            span.limit = span.limit.min(end.wrapping_sub(span.base).wrapping_sub(1));
        }
        Some(Canvas {
            span,
            offset,
            pitch,
            format,
            swizzle: None,
        })
    }

    fn op(&self, drawing: &Drawing, format: Format) -> PixelOp<'_> {
        PixelOp {
            operation: drawing.operation,
            rop: self.rop,
            beta: op::beta(self.beta),
            beta4: self.beta4,
            pattern: &self.pattern,
            format,
            chroma: drawing
                .chroma
                .then(|| color::solid(self.chroma_format, self.chroma, false)),
        }
    }

    fn clip(&self, drawing: &Drawing) -> Rect {
        if drawing.clip {
            self.clip.and(Rect::ALL)
        } else {
            Rect::ALL
        }
    }

    fn blit(&self, drawing: &Drawing, bus: &mut Bus<'_>) {
        let Some(to) = self.target(drawing, bus) else {
            return;
        };
        let s = &self.surface;
        let (span, offset, pitch) = (s.source, s.offset_source, s.pitch & 0xFFFF);
        let from = Canvas {
            span,
            offset,
            pitch,
            ..to
        };
        let op = self.op(drawing, to.format);
        let clip = self.clip(drawing);
        let points = [drawing.reg(0x300), drawing.reg(0x304), drawing.reg(0x308)].map(low_high);
        image::blit(
            bus.memory,
            &op,
            (&from, &to),
            clip,
            (points[0], points[1], points[2]),
        );
    }

    fn fill(&self, drawing: &Drawing, rect: Rect, color: u32, bus: &mut Bus<'_>) {
        let Some(to) = self.target(drawing, bus) else {
            return;
        };
        let op = self.op(drawing, to.format);
        to.fill(bus.memory, &op, rect.and(self.clip(drawing)), color);
    }

    /// Keeps the first or second point of a pair; true when the pair is complete.
    fn two_points(&mut self, method: u16, data: u32) -> bool {
        let (x, y) = low_high(data);
        let second = method & 4 != 0;
        self.points[if second { 2 } else { 0 }] = x;
        self.points[if second { 3 } else { 1 }] = y;
        second
    }

    fn line_method(
        &mut self,
        handle: u32,
        drawing: &Drawing,
        method: u16,
        data: u32,
        bus: &mut Bus<'_>,
    ) {
        let complete = match method {
            0x400..0x480 => self.two_points(method, data),
            0x480..0x500 => {
                let index = usize::from(method >> 2 & 3);
                self.points[index] = data as i32;
                index == 3
            }
            // A point of a polyline: from where the last one ended.
            0x500..0x580 | 0x600..0x680 if method < 0x600 || method & 4 != 0 => {
                self.points.copy_within(2.., 0);
                let (x, y) = low_high(data);
                self.points[2..].copy_from_slice(&[x, y]);
                method != 0x500
            }
            0x580..0x600 => {
                if method & 4 == 0 {
                    self.points.copy_within(2.., 0);
                    self.points[2] = data as i32;
                } else {
                    self.points[3] = data as i32;
                }
                method & 4 != 0 && method != 0x584
            }
            0x600..0x680 => {
                if let Some(kept) = self.drawings.get_mut(&handle) {
                    kept.set(0x304, data);
                }
                false
            }
            _ => false,
        };
        if !complete {
            return;
        }
        let Some(to) = self.target(drawing, bus) else {
            return;
        };
        let op = self.op(drawing, to.format);
        let clip = self.clip(drawing).and(to.inside(bus.memory));
        let [x0, y0, x1, y1] = self.points;
        if !canvas::charge(bus.memory, canvas::DRAWN * line::MOST_PIXELS) {
            return;
        }
        line::draw((x0, y0), (x1, y1), clip, |x, y| {
            to.draw(bus.memory, &op, x, y, drawing.color());
        });
    }

    fn gdi_method(&mut self, drawing: &Drawing, method: u16, data: u32, bus: &mut Bus<'_>) {
        // X and width are in the high halves here, unlike everywhere else.
        let swapped = low_high(data.rotate_left(16));
        match method {
            0x400..0x500 if method & 4 == 0 => {
                self.points[..2].copy_from_slice(&[swapped.0, swapped.1]);
            }
            0x400..0x500 => {
                let rect = Rect::new(self.points[0], self.points[1], swapped.0, swapped.1);
                self.fill(drawing, rect, drawing.gdi_color(0x3FC), bus);
            }
            0x600..0x700 if self.two_points(method, data) => {
                let clip = drawing.corners(0x5F4, 0x5F8);
                let [x0, y0, x1, y1] = self.points;
                let rect = Rect { x0, y0, x1, y1 }.and(clip);
                self.fill(drawing, rect, drawing.gdi_color(0x5FC), bus);
            }
            0x7FC => self.ifc = Ifc::default(),
            0x800..0xA00 => self.glyph_word(drawing, data, bus),
            _ => {}
        }
    }

    /// 32 pixels of a one-colour bitmap; clear bits are not drawn.
    fn glyph_word(&mut self, drawing: &Drawing, data: u32, bus: &mut Bus<'_>) {
        let (width, height) = low_high(drawing.reg(0x7F8));
        let (x, y) = low_high(drawing.reg(0x7FC));
        let clip = drawing.corners(0x7EC, 0x7F0);
        // Format 1 counts from the top of each byte.
        let bits = if drawing.reg(0x304) == 1 {
            data.reverse_bits().swap_bytes()
        } else {
            data
        };
        for bit in 0..32 {
            if width <= 0 || self.ifc.y as i32 >= height {
                return;
            }
            if bits >> bit & 1 != 0 {
                let (x, y) = (x + self.ifc.x as i32, y + self.ifc.y as i32);
                let rect = Rect::new(x, y, 1, 1).and(clip);
                self.fill(drawing, rect, drawing.gdi_color(0x7F4), bus);
            }
            self.ifc.x += 1;
            if self.ifc.x as i32 >= width {
                self.ifc = Ifc {
                    x: 0,
                    y: self.ifc.y + 1,
                };
            }
        }
    }

    fn ifc_method(&mut self, drawing: &Drawing, method: u16, data: u32, bus: &mut Bus<'_>) {
        if method == 0x30C {
            self.ifc = Ifc::default();
        }
        if method < 0x400 {
            return;
        }
        let Some(to) = self.target(drawing, bus) else {
            return;
        };
        let Some(texel) = Texel::of_ifc(drawing.reg(0x300)) else {
            return;
        };
        let op = self.op(drawing, to.format);
        let (x, y) = low_high(drawing.reg(0x304));
        let (width, height) = low_high(drawing.reg(0x308));
        let size_in = drawing.reg(0x30C) & 0xFFFF;
        let out = Rect::new(x, y, width, height)
            .and(self.clip(drawing))
            .and(to.bounds());
        let Ifc {
            x: mut column,
            y: mut row,
        } = self.ifc;
        let per_word = 4 / texel.bytes();
        for index in 0..per_word {
            let raw = data >> (8 * texel.bytes() * index);
            let raw = if texel.bytes() == 2 {
                raw & 0xFFFF
            } else {
                raw
            };
            let (px, py) = (
                x.saturating_add(column as i32),
                y.saturating_add(row as i32),
            );
            if !Rect::new(px, py, 1, 1).and(out).is_empty() {
                to.draw(
                    bus.memory,
                    &op,
                    px,
                    py,
                    texel.color(raw, false, op.format.is_plain()),
                );
            }
            column += 1;
        }
        // Each line starts with a new word.
        if column >= size_in {
            (column, row) = (0, row.saturating_add(1));
        }
        self.ifc = Ifc { x: column, y: row };
    }

    fn scaled(&self, drawing: &Drawing, bus: &mut Bus<'_>) {
        let Some(to) = self.target(drawing, bus) else {
            return;
        };
        let Some(texel) = Texel::of_sifm(drawing.reg(0x300)) else {
            return;
        };
        let op = PixelOp {
            operation: drawing.reg(0x304),
            ..self.op(drawing, to.format)
        };
        let rect = |point: u16, size: u16| {
            let ((x, y), (w, h)) = (low_high(drawing.reg(point)), low_high(drawing.reg(size)));
            Rect::new(x, y, w, h)
        };
        let halves = |word: u32| (word & 0xFFFF, word >> 16);
        let format = drawing.reg(0x404);
        let image = Scaled {
            span: drawing.image,
            offset: drawing.reg(0x408),
            pitch: format & 0xFFFF,
            texel,
            size: halves(drawing.reg(0x400)),
            start: halves(drawing.reg(0x40C)),
            step: (drawing.reg(0x318) as i32, drawing.reg(0x31C) as i32),
            bilinear: format >> 24 & 1 != 0,
            corner: format >> 16 & 3 == 2,
        };
        image.draw(bus.memory, &op, &to, rect(0x308, 0x30C), rect(0x310, 0x314));
    }
}
