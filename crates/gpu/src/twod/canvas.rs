//! A surface in memory as the 2D engine sees it.

use super::color::Format;
use super::op::PixelOp;
use isotherm_bus::budget::{Cost, Unit};
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_lanes::morton;

/// Where pixels go, or come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canvas {
    pub(crate) span: DmaSpan,
    pub(crate) offset: u32,
    pub(crate) pitch: u32,
    pub(crate) format: Format,
    /// log2 of width and height of a swizzled surface.
    pub(crate) swizzle: Option<(u32, u32)>,
}

/// A rectangle of pixels, right and bottom exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(crate) x0: i32,
    pub(crate) y0: i32,
    pub(crate) x1: i32,
    pub(crate) y1: i32,
}

impl Rect {
    /// A corner and a size.
    pub(crate) fn new(x: i32, y: i32, width: i32, height: i32) -> Rect {
        Rect {
            x0: x,
            y0: y,
            x1: x.saturating_add(width),
            y1: y.saturating_add(height),
        }
    }

    /// Everything that can be addressed.
    pub(crate) const ALL: Rect = Rect {
        x0: 0,
        y0: 0,
        x1: 0x8000,
        y1: 0x8000,
    };

    /// What is in both.
    pub(crate) fn and(self, other: Rect) -> Rect {
        Rect {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// Pixels inside.
    pub(crate) fn pixels(self) -> u64 {
        match self.is_empty() {
            true => 0,
            false => (self.x1 - self.x0) as u64 * (self.y1 - self.y0) as u64,
        }
    }

    /// Nothing inside?
    pub(crate) fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }
}

/// Steps of the budget for a pixel of a row, and for one that is drawn by itself.
const FILLED: u64 = 1;
pub(super) const DRAWN: u64 = 25;

/// Asks the budget for steps of the 2D engine.
pub(super) fn charge(memory: &Memory, steps: u64) -> bool {
    memory.budget().charge(Unit::TwoD, Cost::Steps, steps)
}

impl Canvas {
    /// Pixels that can be drawn to at all.
    pub(crate) fn bounds(&self) -> Rect {
        match self.swizzle {
            Some((wide, high)) => {
                Rect::new(0, 0, 1 << wide.min(15), 1 << high.min(15)).and(Rect::ALL)
            }
            None => Rect::ALL,
        }
    }

    /// Pixels that can be drawn to and of which memory may hold anything.
    pub(crate) fn inside(&self, memory: &Memory) -> Rect {
        let bounds = self.bounds();
        let object = (u64::from(self.span.limit) + 1).saturating_sub(u64::from(self.offset));
        let first = self.span.base.wrapping_add(self.offset);
        let room = memory.bytes(first, object as usize).len() as u64;
        let side = |unit: u32| match unit {
            0 => i32::MAX,
            _ => room.div_ceil(u64::from(unit)).min(1 << 30) as i32,
        };
        let (right, bottom) = match self.swizzle {
            Some(_) => (side(1), side(1)),
            None => (side(self.format.bytes()), side(self.pitch)),
        };
        Rect {
            x1: bounds.x1.min(right),
            y1: bounds.y1.min(bottom),
            ..bounds
        }
    }

    /// Byte offset of a pixel from the start of the DMA object.
    fn place(&self, x: i32, y: i32) -> Option<u32> {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        let inside = match self.swizzle {
            Some((wide, high)) => {
                morton::place(x, y, wide.min(15), high.min(15)).checked_mul(self.format.bytes())?
            }
            None => y
                .checked_mul(self.pitch)?
                .checked_add(x.checked_mul(self.format.bytes())?)?,
        };
        self.offset.checked_add(inside)
    }

    /// Address of a pixel; none outside the DMA object.
    pub(crate) fn address(&self, x: i32, y: i32) -> Option<u32> {
        let place = self.place(x, y)?;
        let last = place.checked_add(self.format.bytes() - 1)?;
        (last <= self.span.limit).then(|| self.span.base.wrapping_add(place))
    }

    /// Address of `width` pixels in a row and how many of them are inside the object;
    /// none for swizzled surfaces.
    pub(crate) fn run(&self, x: i32, y: i32, width: i32) -> Option<(u32, usize)> {
        if self.swizzle.is_some() {
            return None;
        }
        let place = self.place(x, y)?;
        let bytes = self.format.bytes();
        let inside = u64::from(self.span.limit) + 1;
        let room = inside.saturating_sub(u64::from(place)) / u64::from(bytes);
        let pixels = (width.max(0) as u64).min(room) as usize;
        Some((self.span.base.wrapping_add(place), pixels))
    }

    /// Reads a pixel; zero outside.
    pub(crate) fn read(&self, memory: &Memory, x: i32, y: i32) -> u32 {
        let Some(address) = self.address(x, y) else {
            return 0;
        };
        match self.format.bytes() {
            1 => memory.read_u8(address).into(),
            2 => memory.read_u16(address).into(),
            _ => memory.read_u32(address),
        }
    }

    /// Writes a pixel; outside it vanishes.
    pub(crate) fn write(&self, memory: &mut Memory, x: i32, y: i32, pixel: u32) {
        let Some(address) = self.address(x, y) else {
            return;
        };
        match self.format.bytes() {
            1 => memory.write_u8(address, pixel as u8),
            2 => memory.write_u16(address, pixel as u16),
            _ => memory.write_u32(address, pixel),
        }
    }

    /// One pixel through an operation.
    pub(crate) fn draw(&self, memory: &mut Memory, op: &PixelOp<'_>, x: i32, y: i32, src: u32) {
        let dst = if op.is_copy() {
            0
        } else {
            self.read(memory, x, y)
        };
        self.write(memory, x, y, op.pixel(src, dst, x, y));
    }

    /// A rectangle of one colour through an operation.
    pub(crate) fn fill(&self, memory: &mut Memory, op: &PixelOp<'_>, rect: Rect, src: u32) {
        let rect = rect.and(self.inside(memory));
        let bits = op.bitwise(src);
        let price = match (bits, self.swizzle) {
            (Some(_), None) => FILLED,
            _ => DRAWN,
        };
        if rect.is_empty() || !charge(memory, price * rect.pixels()) {
            return;
        }
        for y in rect.y0..rect.y1 {
            match (bits, self.run(rect.x0, y, rect.x1 - rect.x0)) {
                (_, Some((_, 0))) => break,
                (Some(bits), Some((address, pixels))) => {
                    let bytes = pixels * self.format.bytes() as usize;
                    fill_row(memory.bytes_mut(address, bytes), self.format.bytes(), bits);
                }
                _ => (rect.x0..rect.x1).for_each(|x| self.draw(memory, op, x, y, src)),
            }
        }
    }
}

/// Each pixel `d` of a row becomes `!d & zeros | d & ones`.
fn fill_row(row: &mut [u8], bytes: u32, (zeros, ones): (u32, u32)) {
    // Pixels are a power of two wide, so a word holds a whole number of them.
    let spread = |p: u32| match bytes {
        1 => (p & 0xFF) * 0x0101_0101,
        2 => (p & 0xFFFF) * 0x0001_0001,
        _ => p,
    };
    let (zeros, ones) = (spread(zeros), spread(ones));
    let (words, rest) = row.as_chunks_mut::<4>();
    if zeros == ones {
        words.fill(zeros.to_le_bytes());
    } else {
        for word in words {
            let d = u32::from_le_bytes(*word);
            *word = ((!d & zeros) | (d & ones)).to_le_bytes();
        }
    }
    let (zeros, ones) = (zeros.to_le_bytes(), ones.to_le_bytes());
    for (d, (zero, one)) in rest.iter_mut().zip(zeros.into_iter().zip(ones)) {
        *d = (!*d & zero) | (*d & one);
    }
}
