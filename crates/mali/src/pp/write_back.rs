//! Write-back: from the tile to memory.

// `max` then `min` takes NaN to the lower bound; `clamp` would pass it on.
#![allow(clippy::manual_clamp)]

use crate::pp::tile::{Buffers, Frame, PIXELS, index, prefetch};
use crate::words::wb as f;
use isotherm_bus::memory::{Memory, Shared};
use isotherm_lanes::{LANES, Level, Simd, dispatch};
use isotherm_regs::mali::isa_bits::f32_to_half;

/// Where a tile goes.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    depth: bool,
    address: u32,
    format: u32,
    tiled: bool,
    pitch: u32,
    swap_rb: bool,
    mrt_bits: u32,
    mrt_pitch: u32,
    /// Pixels that exist.
    width: u32,
    height: u32,
}

/// A tile's bytes for one target and sample, in memory order.
pub(crate) struct Piece {
    target: usize,
    plane: u32,
    bytes: Vec<u8>,
}

impl Target {
    /// Reads a write-back unit; `None` if it is off.
    pub(crate) fn new(w: &[u32], width: u32, height: u32) -> Result<Option<Target>, String> {
        if w[f::TYPE] == 0 {
            return Ok(None);
        }
        let format = w[f::FORMAT];
        if pixel_size(format).is_none() {
            return Err(format!("pixel format {format:#x} is not known"));
        }
        if !matches!(w[f::LAYOUT], 0 | 2) {
            return Err(format!("layout {} is not known", w[f::LAYOUT]));
        }
        Ok(Some(Target {
            depth: w[f::TYPE] & 1 != 0,
            address: w[f::ADDRESS],
            format,
            tiled: w[f::LAYOUT] == 2,
            pitch: w[f::PITCH],
            swap_rb: f::SWAP_RB.on(w),
            mrt_bits: w[f::MRT_BITS] & 15,
            mrt_pitch: w[f::MRT_PITCH],
            width,
            height,
        }))
    }

    /// How many samples it stores, each as a picture of its own.
    pub(crate) fn samples(&self) -> usize {
        self.mrt_bits.count_ones() as usize
    }

    fn planes(&self) -> impl Iterator<Item = Option<usize>> {
        // Without sample bits the samples are averaged into one picture.
        let bits = self.mrt_bits;
        let single = (bits == 0).then_some(None);
        single
            .into_iter()
            .chain((0..4).filter(move |s| bits >> s & 1 != 0).map(Some))
    }

    /// The bytes of a finished tile.
    pub(crate) fn pack(
        &self,
        number: usize,
        buf: &Buffers,
        planes: usize,
        fp16: bool,
        out: &mut Vec<Piece>,
    ) {
        let size = pixel_size(self.format).unwrap_or(4);
        for plane in self.planes() {
            let mut bytes = vec![0; PIXELS * size];
            if !self.depth && !fp16 && self.format == 3 && (plane.is_some() || planes == 1) {
                // By far the most common case.
                let from = &buf.color.0[plane.unwrap_or(0).min(planes - 1)];
                let order = if self.tiled { &TILED } else { &ROWS };
                for (to, &at) in bytes.chunks_exact_mut(4).zip(order) {
                    let [r, g, b, a] = from[at as usize].to_le_bytes();
                    to.copy_from_slice(&if self.swap_rb {
                        [r, g, b, a]
                    } else {
                        [b, g, r, a]
                    });
                }
                out.push(Piece {
                    target: number,
                    plane: plane.unwrap_or(0) as u32,
                    bytes,
                });
                continue;
            }
            if self.depth && self.format == 0xF {
                let s = plane.unwrap_or(0).min(planes - 1);
                let order = if self.tiled { &TILED } else { &ROWS };
                for (to, &at) in bytes.chunks_exact_mut(4).zip(order) {
                    let z = buf.depth.0[s][at as usize] & 0xFF_FFFF;
                    let z = z | u32::from(buf.stencil[s][at as usize]) << 24;
                    to.copy_from_slice(&z.to_le_bytes());
                }
                out.push(Piece {
                    target: number,
                    plane: plane.unwrap_or(0) as u32,
                    bytes,
                });
                continue;
            }
            for y in 0..16 {
                for x in 0..16 {
                    let at = index(x, y);
                    let to = if self.tiled {
                        crate::pp::texel::tile_index(x, y) as usize
                    } else {
                        (y * 16 + x) as usize
                    };
                    let to = &mut bytes[to * size..(to + 1) * size];
                    if self.depth {
                        let s = plane.unwrap_or(0).min(planes - 1);
                        depth_bytes(self.format, buf.depth.0[s][at], buf.stencil[s][at], to);
                    } else if fp16 {
                        let rgba = float_pixel(buf, plane, planes, at);
                        self.float_bytes(rgba, to);
                    } else {
                        let rgba = pixel(buf, plane, planes, at);
                        self.color_bytes(rgba, to);
                    }
                }
            }
            out.push(Piece {
                target: number,
                plane: plane.unwrap_or(0) as u32,
                bytes,
            });
        }
    }

    /// Bytes from the first to behind the last that it may write; `None` if they wrap round
    /// or its rows of tiles overlap.
    fn span(&self) -> Option<std::ops::Range<u64>> {
        let size = pixel_size(self.format).unwrap_or(4) as u64;
        let (width, height) = (u64::from(self.width), u64::from(self.height));
        let pitch = u64::from(self.pitch);
        let len = if self.tiled {
            let (columns, rows) = (width.div_ceil(16), height.div_ceil(16));
            (columns <= pitch).then_some(pitch * rows * 256 * size)?
        } else {
            (width * size <= pitch * 8).then_some(pitch * 8 * height)?
        };
        let planes = u64::from(32 - self.mrt_bits.leading_zeros()).max(1);
        let mrt = u64::from(self.mrt_pitch);
        let disjoint = planes == 1 || len <= mrt;
        let start = u64::from(self.address);
        let end = start + len + (planes - 1) * mrt;
        (disjoint && end <= 1 << 32).then_some(start..end)
    }

    /// Whether no two of the tiles share a byte in any of the targets.
    pub(crate) fn disjoint(targets: &[Target], tiles: &[(u32, u32)]) -> bool {
        if !targets.iter().all(|t| tiles.iter().all(|&at| t.holds(at))) {
            return false;
        }
        let spans: Option<Vec<_>> = targets.iter().map(Target::span).collect();
        let Some(mut spans) = spans else {
            return false;
        };
        spans.sort_by_key(|s| s.start);
        spans.windows(2).all(|w| w[0].end <= w[1].start)
    }

    /// Where a pixel's bytes of a sample begin.
    fn address(&self, x: u32, y: u32, plane: u32) -> u32 {
        let size = pixel_size(self.format).unwrap_or(4) as u32;
        let at = if self.tiled {
            let tile = (y / 16).wrapping_mul(self.pitch).wrapping_add(x / 16);
            let inside = crate::pp::texel::tile_index(x & 15, y & 15);
            tile.wrapping_mul(256)
                .wrapping_add(inside)
                .wrapping_mul(size)
        } else {
            y.wrapping_mul(self.pitch.wrapping_mul(8))
                .wrapping_add(x * size)
        };
        let plane = plane.wrapping_mul(self.mrt_pitch);
        self.address.wrapping_add(at).wrapping_add(plane)
    }

    /// The pixel and the sample whose bytes begin at an address.
    pub(crate) fn locate(&self, address: u32) -> Option<(u32, u32, usize)> {
        let samples = self.planes().map(|plane| plane.unwrap_or(0));
        let pixels = |sample: usize| {
            let columns = move |y: u32| (0..self.width).map(move |x| (x, y, sample));
            (0..self.height).flat_map(columns)
        };
        samples
            .flat_map(pixels)
            .find(|&(x, y, sample)| self.address(x, y, sample as u32) == address)
    }

    /// The word of a pixel in memory, for targets of four bytes.
    pub(crate) fn word(&self, mem: &Memory, (x, y, sample): (u32, u32, usize)) -> Option<u32> {
        let four = pixel_size(self.format) == Some(4);
        four.then(|| mem.read_u32(self.address(x, y, sample as u32)))
    }

    /// Whether it takes depth and stencil.
    pub(crate) fn is_depth(&self) -> bool {
        self.depth
    }

    /// Whether a tile lies inside the target.
    fn holds(&self, (tx, ty): (u32, u32)) -> bool {
        tx * 16 < self.width && ty * 16 < self.height
    }

    /// Whether [`Target::write`] knows its format: four bytes, one sample.
    pub(crate) fn is_common(&self, frame: &Frame) -> bool {
        let color = !self.depth && !frame.fp16 && self.format == 3;
        let depth = self.depth && self.format == 0xF;
        (color || depth) && frame.planes == 1 && self.mrt_bits <= 1
    }

    /// Writes a finished tile to memory. Only for what [`Target::is_common`] names.
    ///
    /// # Safety
    /// No other thread may touch the tile's bytes, see [`Target::disjoint`].
    pub(crate) unsafe fn write(
        &self,
        level: Level,
        mem: Shared,
        buf: &Buffers,
        (tx, ty): (u32, u32),
    ) {
        let mut words = [0u32; PIXELS];
        arrange(level, self, buf, &mut words);
        let each = if self.tiled { PIXELS } else { 16 };
        for ((at, len), words) in self.lines((tx, ty)).zip(words.chunks_exact(each)) {
            // SAFETY: the caller's promise.
            copy_words(unsafe { mem.slice_mut(at, len) }, words);
        }
    }

    /// Asks for the memory that [`Target::write`] will need.
    ///
    /// # Safety
    /// As for [`Target::write`].
    pub(crate) unsafe fn prefetch(&self, mem: Shared, at: (u32, u32)) {
        for (at, len) in self.lines(at) {
            // SAFETY: the caller's promise.
            prefetch(unsafe { mem.slice_mut(at, len) });
        }
    }

    /// Where the bytes of a tile go, in pieces that lie together, for four bytes a pixel.
    fn lines(&self, (tx, ty): (u32, u32)) -> impl Iterator<Item = (u32, usize)> {
        let rows = (self.height - ty * 16).min(16);
        let columns = (self.width - tx * 16).min(16) as usize;
        let (count, first, step, len) = if self.tiled {
            let tile = ty.wrapping_mul(self.pitch).wrapping_add(tx);
            (1, tile.wrapping_mul(1024), 0, 1024)
        } else {
            let pitch = self.pitch.wrapping_mul(8);
            let first = (ty * 16).wrapping_mul(pitch).wrapping_add(tx * 64);
            (rows, first, pitch, columns * 4)
        };
        let first = self.address.wrapping_add(first);
        (0..count).map(move |y| (first.wrapping_add(y.wrapping_mul(step)), len))
    }

    /// Notes that a tile was written; only where [`Target::disjoint`] holds.
    pub(crate) fn mark(&self, mem: &mut Memory, (tx, ty): (u32, u32)) {
        let size = pixel_size(self.format).unwrap_or(4) as u32;
        if self.tiled {
            let at = (ty * self.pitch + tx).wrapping_mul(256 * size);
            mem.mark_written(self.address.wrapping_add(at), 256 * size as usize);
            return;
        }
        let pitch = self.pitch * 8;
        let rows = (self.height - ty * 16).min(16);
        let at = (ty * 16).wrapping_mul(pitch) + tx * 16 * size;
        let len = (rows - 1) * pitch + 16 * size;
        mem.mark_written(self.address.wrapping_add(at), len as usize);
    }

    fn color_bytes(&self, rgba: [u8; 4], to: &mut [u8]) {
        let [r, g, b, a] = rgba;
        let (r, b) = if self.swap_rb { (b, r) } else { (r, b) };
        let part = |v: u8, bits: u32| (u32::from(v) * ((1 << bits) - 1) * 2 + 255) / 510;
        match self.format {
            0 => {
                let v = part(r, 5) << 11 | part(g, 6) << 5 | part(b, 5);
                to.copy_from_slice(&(v as u16).to_le_bytes());
            }
            1 => {
                let v = part(a, 1) << 15 | part(r, 5) << 10 | part(g, 5) << 5 | part(b, 5);
                to.copy_from_slice(&(v as u16).to_le_bytes());
            }
            2 => {
                let v = part(a, 4) << 12 | part(r, 4) << 8 | part(g, 4) << 4 | part(b, 4);
                to.copy_from_slice(&(v as u16).to_le_bytes());
            }
            4 => to[0] = b,
            5 => to.copy_from_slice(&[b, g]),
            6..=8 => self.float_bytes(rgba.map(|v| f32::from(v) / 255.0), to),
            _ => to.copy_from_slice(&[b, g, r, a]),
        }
    }

    fn float_bytes(&self, rgba: [f32; 4], to: &mut [u8]) {
        if !matches!(self.format, 6..=8) {
            let byte = rgba.map(|x| (x.max(0.0).min(1.0) * 255.0 + 0.5) as u8);
            return self.color_bytes(byte, to);
        }
        let [r, g, b, a] = rgba;
        let (r, b) = if self.swap_rb { (b, r) } else { (r, b) };
        for (to, v) in to.chunks_exact_mut(2).zip([b, g, r, a]) {
            to.copy_from_slice(&f32_to_half(v).to_le_bytes());
        }
    }

    /// Puts a piece where it belongs.
    pub(crate) fn store(&self, mem: &mut Memory, piece: &Piece, (tx, ty): (u32, u32)) {
        let size = pixel_size(self.format).unwrap_or(4) as u32;
        let base = self
            .address
            .wrapping_add(piece.plane.wrapping_mul(self.mrt_pitch));
        if self.tiled {
            let tile = ty.wrapping_mul(self.pitch).wrapping_add(tx);
            mem.write(
                base.wrapping_add(tile.wrapping_mul(256 * size)),
                &piece.bytes,
            );
            return;
        }
        let columns = self.width.saturating_sub(tx * 16).min(16);
        for y in 0..self.height.saturating_sub(ty * 16).min(16) {
            let at = (ty * 16 + y).wrapping_mul(self.pitch.wrapping_mul(8));
            let at = base.wrapping_add(at).wrapping_add(tx * 16 * size);
            let from = (y * 16 * size) as usize;
            mem.write(at, &piece.bytes[from..from + (columns * size) as usize]);
        }
    }
}

/// Copies words that are in memory's order already.
#[inline(always)]
fn copy_words(to: &mut [u8], words: &[u32]) {
    let (to, _) = to.as_chunks_mut::<4>();
    for (to, word) in to.iter_mut().zip(words) {
        *to = word.to_ne_bytes();
    }
}

dispatch! {
    /// A tile's words as they lie in memory, rows or the tiled order.
    fn arrange(target: &Target, buf: &Buffers, out: &mut [u32; PIXELS]) = arrange_any::<Lanes>;
}

#[inline(always)]
fn arrange_any<S: Simd>(target: &Target, buf: &Buffers, out: &mut [u32; PIXELS]) {
    let mut words = [0u32; PIXELS];
    if target.depth {
        let values = buf.depth.0[0].iter().zip(&buf.stencil[0]);
        for (to, (z, s)) in words.iter_mut().zip(values) {
            *to = (z & 0xFF_FFFF | u32::from(*s) << 24).to_le();
        }
    } else if target.swap_rb {
        for (to, v) in words.iter_mut().zip(&buf.color.0[0]) {
            *to = v.to_le();
        }
    } else {
        for (to, v) in words.iter_mut().zip(&buf.color.0[0]) {
            *to = (v & 0xFF00_FF00 | v << 16 & 0xFF_0000 | v >> 16 & 0xFF).to_le();
        }
    }
    if target.tiled {
        return tiled(&words, out);
    }
    let (halves, _) = words.as_chunks::<LANES>();
    let (rows, _) = out.as_chunks_mut::<32>();
    for (row, half) in rows.iter_mut().zip(halves.as_chunks::<2>().0) {
        let (lines, _) = row.as_chunks_mut::<8>();
        for side in 0..2 {
            let mut two = [0; LANES];
            S::istore(S::rows_of_quads(S::iload(&half[side])), &mut two);
            let (upper, lower) = two.split_at(8);
            lines[side].copy_from_slice(upper);
            lines[2 + side].copy_from_slice(lower);
        }
    }
}

/// Quads in the tiled order. Compiled once: with gathers, which compilers find here, it takes
/// several times as long.
#[inline(never)]
fn tiled(words: &[u32; PIXELS], out: &mut [u32; PIXELS]) {
    let (quads, _) = words.as_chunks::<4>();
    let (to, _) = out.as_chunks_mut::<4>();
    for (to, &quad) in to.iter_mut().zip(&TILED_QUADS) {
        // The tiled order goes round the quad.
        let [a, b, c, d] = quads[quad as usize % 64];
        *to = [a, b, d, c];
    }
}

/// The colour target of a pixel job as a capture describes a surface; `None` if it has
/// none of a kind that can be shown.
pub fn color_surface(frame: &[u32]) -> Option<serde_json::Value> {
    use crate::words::frame as fr;
    let (right, bottom) = (fr::RIGHT.get(frame), fr::BOTTOM.get(frame));
    let w = (0..fr::WB_UNITS)
        .filter_map(|unit| {
            frame
                .get(fr::WB + unit * fr::WB_WORDS..)?
                .get(..fr::WB_WORDS)
        })
        .find(|w| w[f::TYPE] == 2 && w[f::FORMAT] == 3)?;
    let tiled = w[f::LAYOUT] == 2;
    let pitch = if tiled {
        w[f::PITCH].wrapping_mul(1024)
    } else {
        w[f::PITCH].wrapping_mul(8)
    };
    Some(serde_json::json!({
        "addr": w[f::ADDRESS],
        "pitch": pitch,
        "width": right + 1,
        "height": bottom + 1,
        "format": "B8G8R8A8",
        "tiled": if tiled { serde_json::Value::from("16x16-block-u") } else { false.into() },
        "swap_rb": f::SWAP_RB.on(w),
        "mrt_bits": w[f::MRT_BITS],
        "mrt_pitch": w[f::MRT_PITCH],
        "origin": "top",
    }))
}

impl Piece {
    pub(crate) fn target(&self) -> usize {
        self.target
    }
}

/// Places in the buffers, in the order of a tiled target.
const TILED: [u8; PIXELS] = {
    let mut out = [0; PIXELS];
    let mut i = 0;
    while i < PIXELS as u32 {
        let (x, y) = (i % 16, i / 16);
        out[crate::pp::texel::tile_index(x, y) as usize] = index(x, y) as u8;
        i += 1;
    }
    out
};

/// Quads of the buffers, in the order of a tiled target.
const TILED_QUADS: [u8; PIXELS / 4] = {
    let mut out = [0; PIXELS / 4];
    let mut i = 0;
    while i < PIXELS / 4 {
        out[i] = TILED[i * 4] / 4;
        i += 1;
    }
    out
};

/// Places in the buffers, row by row.
const ROWS: [u8; PIXELS] = {
    let mut out = [0; PIXELS];
    let mut i = 0;
    while i < PIXELS as u32 {
        out[i as usize] = index(i % 16, i / 16) as u8;
        i += 1;
    }
    out
};

fn pixel_size(format: u32) -> Option<usize> {
    Some(match format {
        4 => 1,
        0..=2 | 5 | 7 | 0xE => 2,
        3 | 8 | 0xF => 4,
        6 => 8,
        _ => return None,
    })
}

fn depth_bytes(format: u32, depth: u32, stencil: u8, to: &mut [u8]) {
    match format {
        0xE => {
            // 24 bits to 16, so that the ends of the range stay.
            let z = (u64::from(depth) * 65535 + 8_388_607) / 16_777_215;
            to.copy_from_slice(&(z as u16).to_le_bytes());
        }
        0xF => to.copy_from_slice(&(depth & 0xFF_FFFF | u32::from(stencil) << 24).to_le_bytes()),
        _ => to.fill(0),
    }
}

fn pixel(buf: &Buffers, plane: Option<usize>, planes: usize, at: usize) -> [u8; 4] {
    match plane {
        None if planes > 1 => std::array::from_fn(|c| {
            let sum: u32 = (0..4).map(|s| buf.color.0[s][at] >> (8 * c) & 255).sum();
            ((sum + 2) / 4) as u8
        }),
        plane => buf.color.0[plane.unwrap_or(0).min(planes - 1)][at].to_le_bytes(),
    }
}

fn float_pixel(buf: &Buffers, plane: Option<usize>, planes: usize, at: usize) -> [f32; 4] {
    match plane {
        None if planes > 1 => {
            std::array::from_fn(|c| (0..4).map(|s| buf.float[s][at][c]).sum::<f32>() / 4.0)
        }
        plane => buf.float[plane.unwrap_or(0).min(planes - 1)][at],
    }
}
