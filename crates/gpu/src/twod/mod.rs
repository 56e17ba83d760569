//! The 2D engine: blits, solids, images and memory copies.
//!
//! Context objects (surfaces, clip, pattern, raster operation, beta) write registers of
//! the one engine; drawing objects keep their own operation and formats, and which of the
//! context objects they use.

mod canvas;
mod color;
mod image;
mod line;
mod op;
mod state;

use canvas::{Canvas, Rect};
use color::{Format, Texel};
use image::{Lines, Scaled};
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::{Memory, Tiles};
use isotherm_bus::objects::Objects;
use isotherm_regs::Chip;
use op::{Op, Pattern};
use state::{Drawing, low_high};
use std::collections::HashMap;

/// A 2D or swizzled surface object's registers.
#[derive(Clone, Copy, Debug, Default)]
struct SurfaceRegs {
    source: DmaSpan,
    target: DmaSpan,
    format: u32,
    pitch: u32,
    offset_source: u32,
    offset_target: u32,
}

/// What the engine reaches beyond its own registers.
pub struct Bus<'a> {
    /// Objects by handle.
    pub objects: &'a Objects,
    /// Memory.
    pub memory: &'a mut Memory,
    /// Tile regions: nothing is drawn past the end of the one that a surface begins in.
    pub tiles: &'a Tiles,
}

/// The 2D engine.
pub struct TwoD {
    chip: Chip,
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
    pub fn new(chip: Chip) -> TwoD {
        TwoD {
            chip,
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
    pub fn acts(&self, class: u32, method: u16) -> bool {
        match class {
            0x5F | 0x9F => method == 0x308,
            0x5C | 0x5E | 0x4A => method >= 0x400,
            0x61 | 0x65 | 0x8A => method >= 0x400,
            0x63 | 0x67 | 0x89 | 0x389 | 0x3089 => method == 0x40C,
            0x39 => method == 0x328,
            _ => false,
        }
    }

    /// Executes a method; says whether the class is known.
    pub fn method(
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
        match class {
            0x30 => {}
            0x12 if method == 0x300 => self.beta = data,
            0x72 if method == 0x300 => self.beta4 = data,
            0x43 if method == 0x300 => self.rop = data as u8,
            0x19 => self.clip_method(method, data),
            0x17 | 0x57 => match method {
                0x300 => self.chroma_format = data,
                0x304 => self.chroma = data,
                _ => {}
            },
            0x44 => pattern_method(&mut self.pattern, method, data),
            0x42 | 0x62 => self.surface_method(method, data, span()),
            0x52 | 0x9E | 0x39E | 0x309E => match method {
                0x184 => self.swizzled.target = span(),
                0x300 => self.swizzled.format = data,
                0x304 => self.swizzled.offset_target = data,
                _ => {}
            },
            0x39 => self.copy_method(method, data, span(), bus.memory),
            0x5F | 0x9F | 0x5C | 0x5E | 0x4A | 0x61 | 0x65 | 0x8A | 0x63 | 0x67 | 0x89 | 0x389
            | 0x3089 => self.drawing_method(handle, class, method, data, bus),
            0x12 | 0x72 | 0x43 => {}
            _ => return method == 0 && class == 0,
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
        class: u32,
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
            0x5F | 0x9F if method == 0x308 => self.blit(&drawing, bus),
            0x5C if method >= 0x400 => self.line_method(handle, &drawing, method, data, bus),
            0x5E if (0x400..0x480).contains(&method) && self.two_points(method, data) => {
                let [x, y, w, h] = self.points;
                let rect = Rect::new(x, y, w, h);
                self.fill(&drawing, rect, drawing.color(class), bus);
            }
            0x4A => self.gdi_method(&drawing, method, data, bus),
            0x61 | 0x65 | 0x8A => self.ifc_method(&drawing, method, data, bus),
            0x63 | 0x67 | 0x89 | 0x389 | 0x3089 if method == 0x40C => {
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

    fn op(&self, drawing: &Drawing, format: Format) -> Op<'_> {
        Op {
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
        let clip = self.clip(drawing).and(to.bounds());
        let [x0, y0, x1, y1] = self.points;
        line::draw((x0, y0), (x1, y1), clip, |x, y| {
            to.draw(bus.memory, &op, x, y, drawing.color(0x5C));
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
        let op = Op {
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

    /// The handle bound to a subchannel.
    pub fn bound(&self, subchannel: usize) -> u32 {
        self.bound[subchannel & 7]
    }

    /// All words, for a context.
    pub fn save(&mut self) -> Vec<u32> {
        let mut words = Vec::new();
        self.each(&mut |word| words.push(*word));
        let mut drawings: Vec<(&u32, &mut Drawing)> = self.drawings.iter_mut().collect();
        drawings.sort_by_key(|(handle, _)| **handle);
        for (handle, drawing) in drawings {
            words.push(*handle);
            drawing.each(&mut |word| words.push(*word));
        }
        words
    }

    /// Puts back what [`TwoD::save`] gave; missing words are zero.
    pub fn restore(&mut self, words: &[u32], bound: [u32; 8]) {
        let mut words = words.iter().copied();
        self.bound = bound;
        self.each(&mut |word| *word = words.next().unwrap_or(0));
        self.drawings.clear();
        while let (Some(handle), true) = (words.next(), self.drawings.len() < MOST_OBJECTS) {
            let mut drawing = Drawing::default();
            drawing.each(&mut |word| *word = words.next().unwrap_or(0));
            self.drawings.insert(handle, drawing);
        }
    }

    /// Visits the words of everything but the drawing objects.
    fn each(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        for surface in [&mut self.surface, &mut self.swizzled] {
            let spans = [&mut surface.source, &mut surface.target];
            spans.into_iter().for_each(|span| {
                [&mut span.base, &mut span.limit]
                    .into_iter()
                    .for_each(&mut *visit)
            });
            [&mut surface.format, &mut surface.pitch]
                .into_iter()
                .for_each(&mut *visit);
            [&mut surface.offset_source, &mut surface.offset_target]
                .into_iter()
                .for_each(&mut *visit);
        }
        let mut signed = |value: &mut i32| {
            let mut word = *value as u32;
            visit(&mut word);
            *value = word as i32;
        };
        [
            &mut self.clip.x0,
            &mut self.clip.y0,
            &mut self.clip.x1,
            &mut self.clip.y1,
        ]
        .into_iter()
        .for_each(&mut signed);
        self.points.iter_mut().for_each(&mut signed);
        let pattern = &mut *self.pattern;
        [
            &mut pattern.color_format,
            &mut pattern.mono_format,
            &mut pattern.shape,
            &mut pattern.select,
        ]
        .into_iter()
        .for_each(&mut *visit);
        pattern
            .mono_color
            .iter_mut()
            .chain(&mut pattern.bitmap)
            .for_each(&mut *visit);
        pattern.colors.iter_mut().for_each(&mut *visit);
        let mut rop = u32::from(self.rop);
        visit(&mut rop);
        self.rop = rop as u8;
        [
            &mut self.clip_point,
            &mut self.beta,
            &mut self.beta4,
            &mut self.chroma,
        ]
        .into_iter()
        .for_each(&mut *visit);
        visit(&mut self.chroma_format);
        let lines = &mut self.lines;
        [&mut lines.from, &mut lines.to]
            .into_iter()
            .for_each(|span| {
                [&mut span.base, &mut span.limit]
                    .into_iter()
                    .for_each(&mut *visit)
            });
        [
            &mut lines.offset_in,
            &mut lines.offset_out,
            &mut lines.pitch_in,
            &mut lines.pitch_out,
        ]
        .into_iter()
        .for_each(&mut *visit);
        [&mut lines.length, &mut lines.count, &mut lines.format]
            .into_iter()
            .for_each(&mut *visit);
        [&mut self.ifc.x, &mut self.ifc.y]
            .into_iter()
            .for_each(&mut *visit);
    }

    /// The chip it belongs to.
    pub fn chip(&self) -> Chip {
        self.chip
    }
}

fn pattern_method(pattern: &mut Pattern, method: u16, data: u32) {
    let mut put = |index: u16, color: u32| {
        if let Some(slot) = pattern.colors.get_mut(usize::from(index)) {
            *slot = color;
        }
    };
    match method {
        0x300 => pattern.color_format = data,
        0x304 => pattern.mono_format = data,
        0x308 => pattern.shape = data,
        0x30C => pattern.select = data,
        0x310 | 0x314 => pattern.mono_color[usize::from((method - 0x310) >> 2)] = data,
        0x318 | 0x31C => pattern.bitmap[usize::from((method - 0x318) >> 2)] = data,
        0x400..0x440 => (0..4).for_each(|i| {
            let y = data >> (8 * i) & 0xFF;
            put((method - 0x400) + i, y * 0x01_0101);
        }),
        0x500..0x580 => (0..2).for_each(|i| {
            put(
                (method - 0x500) / 2 + i,
                color::solid(1, data >> (16 * i) & 0xFFFF, false),
            );
        }),
        0x600..0x680 => (0..2).for_each(|i| {
            put(
                (method - 0x600) / 2 + i,
                color::solid(2, data >> (16 * i) & 0xFFFF, false),
            );
        }),
        0x700..0x800 => put((method - 0x700) / 4, data),
        _ => {}
    }
}
