//! Images: screen-to-screen blits, images from the CPU, scaled images from memory,
//! memory-to-memory copies.

use super::canvas::{Canvas, DRAWN, Rect, charge};
use super::color::Texel;
use super::op::PixelOp;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;

/// Copies a rectangle between two surfaces. Overlapping rectangles copy as if the source
/// were read first.
pub(super) fn blit(
    memory: &mut Memory,
    op: &PixelOp<'_>,
    (from, to): (&Canvas, &Canvas),
    clip: Rect,
    (source, target, size): ((i32, i32), (i32, i32), (i32, i32)),
) {
    let wanted = Rect::new(target.0, target.1, size.0, size.1);
    let rect = wanted.and(clip).and(to.inside(memory));
    if rect.is_empty() || !charge(memory, DRAWN * rect.pixels()) {
        return;
    }
    let (dx, dy) = (source.0 - target.0, source.1 - target.1);
    let width = rect.x1 - rect.x0;
    let bytes = to.format.bytes() as usize;
    // From the far end when the target overlaps the source and lies behind it, as memmove
    // does; else rows that run into each other show which came last: the lower.
    let ends = |canvas: &Canvas, (x, y): (i32, i32)| {
        let last = canvas.address(x + size.0 - 1, y + size.1 - 1);
        canvas.address(x, y).zip(last)
    };
    let backwards = match (ends(from, source), ends(to, target)) {
        (Some((from, from_end)), Some((to, _))) => {
            let behind = memory.distance(from, to);
            behind != 0 && behind <= memory.distance(from, from_end)
        }
        _ => false,
    };
    let mut row = Vec::new();
    for line in 0..rect.y1 - rect.y0 {
        let y = if backwards {
            rect.y1 - 1 - line
        } else {
            rect.y0 + line
        };
        let Some((address, pixels)) = to.run(rect.x0, y, width) else {
            return;
        };
        let Some((source, found)) = from.run(rect.x0 + dx, y + dy, width) else {
            continue;
        };
        let length = pixels.min(memory.bytes(address, pixels * bytes).len() / bytes) * bytes;
        row.clear();
        row.extend_from_slice(memory.bytes(source, found * bytes));
        row.resize(length, 0);
        let target = memory.bytes_mut(address, length);
        blit_row(op, &row, target, (rect.x0, y), bytes);
    }
}

fn blit_row(op: &PixelOp<'_>, source: &[u8], target: &mut [u8], (x, y): (i32, i32), bytes: usize) {
    let load = |p: &[u8]| p.iter().rev().fold(0, |v, b| v << 8 | u32::from(*b));
    for (x, (to, from)) in (x..).zip(
        target
            .chunks_exact_mut(bytes)
            .zip(source.chunks_exact(bytes)),
    ) {
        let pixel = if op.is_copy() {
            op.format.store(load(from))
        } else {
            op.pixel(op.format.unpack(load(from)), load(to), x, y)
        };
        to.copy_from_slice(&pixel.to_le_bytes()[..bytes]);
    }
}

/// An image in memory with how to step through it.
pub(super) struct Scaled {
    pub(crate) span: DmaSpan,
    pub(crate) offset: u32,
    pub(crate) pitch: u32,
    pub(crate) texel: Texel,
    pub(crate) size: (u32, u32),
    /// Start, 12.4 fixed point.
    pub(crate) start: (u32, u32),
    /// Steps per pixel, 12.20 fixed point, signed.
    pub(crate) step: (i32, i32),
    pub(crate) bilinear: bool,
    /// The start is a texel's corner, not its centre.
    pub(crate) corner: bool,
}

impl Scaled {
    /// A texel's colour, the nearest one inside the image.
    fn fetch(&self, memory: &Memory, u: i64, v: i64, plain: bool) -> u32 {
        let u = u.clamp(0, i64::from(self.size.0.max(1)) - 1) as u32;
        let v = v.clamp(0, i64::from(self.size.1.max(1)) - 1) as u32;
        let bytes = self.texel.bytes();
        let yuv = matches!(self.texel, Texel::Yuv { .. });
        let (column, width) = if yuv { (u & !1, 4) } else { (u, bytes) };
        let place = u64::from(self.offset)
            + u64::from(v) * u64::from(self.pitch)
            + u64::from(column) * u64::from(bytes);
        if place + u64::from(width) > u64::from(self.span.limit) + 1 {
            return 0;
        }
        let address = self.span.base.wrapping_add(place as u32);
        let word = match width {
            1 => memory.read_u8(address).into(),
            2 => memory.read_u16(address).into(),
            _ => memory.read_u32(address),
        };
        self.texel.color(word, u & 1 != 0, plain)
    }

    /// The colour at a position in 20-bit fixed point.
    ///
    /// Where a "corner" origin puts the sample and how many weight bits the filter has are
    /// guesses (drivers use unscaled centre origins); a scaled blit from hardware would
    /// settle both.
    fn sample(&self, memory: &Memory, u: i64, v: i64, plain: bool) -> u32 {
        let half = 1 << 19;
        let (u, v) = if self.corner {
            (
                u + i64::from(self.step.0) / 2,
                v + i64::from(self.step.1) / 2,
            )
        } else if self.bilinear {
            (u + half, v + half)
        } else {
            (u, v)
        };
        if !self.bilinear {
            return self.fetch(memory, u >> 20, v >> 20, plain);
        }
        let (u, v) = (u - half, v - half);
        let (fu, fv) = ((u >> 12 & 0xFF) as u32, (v >> 12 & 0xFF) as u32);
        let corner = |du, dv| self.fetch(memory, (u >> 20) + du, (v >> 20) + dv, plain);
        let corners = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
        [0, 8, 16, 24].into_iter().fold(0, |color, shift| {
            let [a, b, c, d] = corners.map(|c| c >> shift & 0xFF);
            let top = a * (256 - fu) + b * fu;
            let bottom = c * (256 - fu) + d * fu;
            color | ((top * (256 - fv) + bottom * fv + 0x8000) >> 16) << shift
        })
    }

    /// Draws the image to `out`, inside `clip`.
    pub(crate) fn draw(
        &self,
        memory: &mut Memory,
        op: &PixelOp<'_>,
        to: &Canvas,
        clip: Rect,
        out: Rect,
    ) {
        let rect = out.and(clip).and(to.inside(memory));
        let price = if self.bilinear { 6 * DRAWN } else { 2 * DRAWN };
        if !charge(memory, price * rect.pixels()) {
            return;
        }
        let plain = op.format.is_plain();
        for y in rect.y0..rect.y1 {
            let v =
                (i64::from(self.start.1) << 16) + i64::from(self.step.1) * i64::from(y - out.y0);
            for x in rect.x0..rect.x1 {
                let u = (i64::from(self.start.0) << 16)
                    + i64::from(self.step.0) * i64::from(x - out.x0);
                let color = self.sample(memory, u, v, plain);
                to.draw(memory, op, x, y, color);
            }
        }
    }
}

/// Memory to memory: lines of bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    pub(crate) from: DmaSpan,
    pub(crate) to: DmaSpan,
    pub(crate) offset_in: u32,
    pub(crate) offset_out: u32,
    pub(crate) pitch_in: u32,
    pub(crate) pitch_out: u32,
    pub(crate) length: u32,
    pub(crate) count: u32,
    pub(crate) format: u32,
}

/// Steps of the budget for a byte that is copied by itself.
const SCATTERED: u64 = 6;

impl Lines {
    /// Most lines and bytes per line: wider values do not fit the registers.
    const MOST_LINES: u32 = 0x7FF;
    const MOST_BYTES: u32 = 0x3F_FFFF;

    /// Copies.
    pub(crate) fn copy(&self, memory: &mut Memory) {
        if self.count > Lines::MOST_LINES || self.length > Lines::MOST_BYTES {
            return;
        }
        let step = |code: u32| match code & 7 {
            2 => 2,
            4 => 4,
            _ => 1,
        };
        let (step_in, step_out) = (step(self.format), step(self.format >> 8));
        if (step_in, step_out) != (1, 1) {
            let bytes = u64::from(self.count) * u64::from(self.length);
            if !charge(memory, SCATTERED * bytes) {
                return;
            }
        }
        for line in 0..self.count {
            let source = self
                .offset_in
                .wrapping_add(self.pitch_in.wrapping_mul(line));
            let target = self
                .offset_out
                .wrapping_add(self.pitch_out.wrapping_mul(line));
            if step_in == 1 && step_out == 1 {
                let room = |span: DmaSpan, place: u32| {
                    (u64::from(span.limit) + 1).saturating_sub(u64::from(place))
                };
                let length = u64::from(self.length)
                    .min(room(self.from, source))
                    .min(room(self.to, target));
                let address = |span: DmaSpan, place: u32| span.base.wrapping_add(place);
                memory.copy(
                    address(self.to, target),
                    address(self.from, source),
                    length as usize,
                );
            } else {
                self.scatter(memory, (source, step_in), (target, step_out));
            }
        }
    }

    fn scatter(&self, memory: &mut Memory, from: (u32, u32), to: (u32, u32)) {
        for byte in 0..self.length {
            let source = from.0.wrapping_add(byte.wrapping_mul(from.1));
            let target = to.0.wrapping_add(byte.wrapping_mul(to.1));
            if source <= self.from.limit && target <= self.to.limit {
                let value = memory.read_u8(self.from.base.wrapping_add(source));
                memory.write_u8(self.to.base.wrapping_add(target), value);
            }
        }
    }
}
