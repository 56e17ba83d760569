//! A texture as the filters read it: every level decoded to rows of A8R8G8B8.
//!
//! Decoding happens when a draw starts and memory changed since the last time,
//! so what a draw renders is never seen by the draw itself, and what an earlier
//! one rendered always is.

use super::dxt;
use super::format::{self, Format, Layout, Texel};
use super::lanes::SimpleStage;
use super::unit::{self, SMALL};
use isotherm_bus::budget::{Cost, Held, Unit};
use isotherm_bus::memory::Memory;
use isotherm_lanes::morton;
use std::sync::Arc;

/// More words of texels than this in one texture are not decoded; the texture reads 0.
/// (The largest that a driver can ask for has 2^24 and its levels.)
const MOST_TEXELS: u64 = 1 << 25;

/// How far a border texture reaches beyond its size on each side, and where its
/// texel 0 lies in the stored image.
pub const BORDER: i32 = 4;

/// Everything that decides how memory becomes an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// Address of the first level.
    pub addr: u32,
    /// Format.
    pub format: Format,
    /// Size of level 0 in texels; unused axes are 1.
    pub size: [u32; 3],
    /// Axes that the layout interleaves (1, 2 or 3).
    pub dims: u8,
    /// Number of levels.
    pub levels: u8,
    /// Six faces?
    pub cube: bool,
    /// Texels around the image instead of a border colour?
    pub border: bool,
    /// Bytes per row of a linear texture, per row of blocks if it has blocks.
    pub pitch: u32,
    /// Address of the palette.
    pub palette: u32,
    /// Entries of the palette, a power of two.
    pub palette_len: u32,
    /// The DXT1 noise is on.
    pub noise: bool,
    /// Colour key mode: 0 off, 1 clears alpha, 2 clears the texel, 3 kills.
    pub key_mode: u8,
    /// Colour key.
    pub key: u32,
}

/// One level of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Index of texel (0, 0, 0) of face 0.
    pub origin: u32,
    /// Size without the border.
    pub size: [i32; 3],
    /// Index step from row to row.
    pub row: u32,
    /// Index step from slice to slice.
    pub slice: u32,
    /// Index step from face to face.
    pub face: u32,
}

/// A decoded texture.
#[derive(Debug)]
pub struct Image {
    /// The texels of all levels and faces, [`Texel::words`] each.
    pub texels: Vec<u32>,
    /// The levels, at least one.
    pub levels: Vec<Level>,
    /// Texels that the colour key kills, one bit each; empty when there are none.
    pub killed: Vec<u64>,
    /// Behind each row is its first texel once more, and behind the last row the first one: who
    /// reads two by two texels of an image that repeats needs no second look at its edges.
    pub margin: bool,
    /// The room for them, given back with them.
    held: Option<Held>,
}

impl Image {
    /// Does the colour key kill a texel?
    #[inline(always)]
    pub fn is_killed(&self, index: usize) -> bool {
        let word = self.killed.get(index / 64);
        word.is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    /// Fills the margin of a level.
    fn fill_margin(&mut self, level: &Level) {
        let [w, h, _] = level.size.map(|n| n as usize);
        let (first, row) = (level.origin as usize, level.row as usize);
        for line in self.texels[first..first + row * h].chunks_exact_mut(row) {
            line[w] = line[0];
        }
        self.texels.copy_within(first..first + row, first + row * h);
    }

    /// One texel of zeros: what a texture that cannot be decoded reads.
    fn nothing(words: usize) -> Image {
        Image {
            texels: vec![0; words],
            levels: vec![Level {
                origin: 0,
                size: [1; 3],
                row: 1,
                slice: 1,
                face: 0,
            }],
            killed: Vec::new(),
            margin: false,
            held: None,
        }
    }
}

/// Where a level lies in memory.
struct Stored {
    /// Inner size.
    size: [u32; 3],
    /// Size in memory, border included.
    full: [u32; 3],
    /// Bytes of one face.
    bytes: u64,
}

impl Source {
    fn stored(&self, level: u8) -> Stored {
        let size = self.size.map(|s| (s >> level).max(1));
        let full: [u32; 3] = std::array::from_fn(|axis| {
            if self.border && axis < self.dims as usize {
                (2 * size[axis]).max(16)
            } else {
                size[axis]
            }
        });
        let bytes = if self.format.layout == Layout::Linear {
            let rows = if self.format.texel.blocks() {
                full[1].div_ceil(4)
            } else {
                full[1]
            };
            u64::from(self.pitch) * u64::from(rows) * u64::from(full[2])
        } else if self.format.texel.blocks() {
            let blocks = |n: u32| u64::from(n.div_ceil(4));
            blocks(full[0])
                * blocks(full[1])
                * u64::from(full[2])
                * u64::from(self.format.texel.bytes())
        } else {
            // Only powers of two can be swizzled; others get the room of the next.
            let room = full.iter().map(|n| u64::from(n.next_power_of_two()));
            room.product::<u64>() * u64::from(self.format.texel.bytes())
        };
        Stored { size, full, bytes }
    }

    /// Bytes from face to face: all levels, rounded up to 128. Mesa's nv30 driver does not
    /// round where the faces are linear.
    fn face_stride(&self) -> u64 {
        let all: u64 = (0..self.levels).map(|l| self.stored(l).bytes).sum();
        if self.cube && self.format.layout == Layout::Linear {
            all
        } else {
            all.next_multiple_of(128)
        }
    }

    fn faces(&self) -> u64 {
        if self.cube { 6 } else { 1 }
    }

    /// Bytes of memory that the image is made from, the palette apart.
    fn len(&self) -> usize {
        (self.face_stride() * self.faces()).min(1 << 31) as usize
    }

    /// Address and length of the texels and of the palette.
    pub(crate) fn reads(&self) -> [(u32, usize); 2] {
        let palette = if self.indexed() { 1024 } else { 0 };
        [(self.addr, self.len()), (self.palette, palette)]
    }

    /// Texels of all levels and faces, with their margins.
    fn texels(&self) -> u64 {
        let margin = u64::from(self.has_margin());
        let texels = |level: u8| {
            let [w, h, d] = self.stored(level).full.map(u64::from);
            (w + margin) * (h + margin) * d * self.faces()
        };
        (0..self.levels).map(texels).sum()
    }

    /// Does the image have a margin, see [`Image::margin`]? Flat ones of bytes do, if all places
    /// in a row are still small ones.
    fn has_margin(&self) -> bool {
        let flat = self.size[2] <= 1 && !self.cube && !self.border;
        flat && self.format.texel.words() == 1 && self.size[0] + 1 < SMALL
    }

    /// Bytes of a palette entry.
    fn entry_bytes(&self) -> u32 {
        if self.format.texel == Texel::I8 { 4 } else { 2 }
    }

    /// Was anything that the image shows, of whose texels there are `len` bytes, written after
    /// `then`?
    fn changed_since(&self, memory: &Memory, len: usize, then: u32) -> bool {
        memory.changed_since(self.addr, len, then)
            || self.indexed()
                && memory.changed_since(
                    self.palette,
                    (self.palette_len * self.entry_bytes()) as usize,
                    then,
                )
    }

    fn indexed(&self) -> bool {
        matches!(self.format.texel, Texel::I8 | Texel::I8Short(_))
    }

    /// The palette as A8R8G8B8, repeated to 256 entries; zeros where the format has none.
    pub fn read_palette(&self, memory: &Memory) -> [u32; 256] {
        let mut table = [0; 256];
        if self.indexed() {
            let mask = self.palette_len.clamp(1, 256) - 1;
            for (i, entry) in table.iter_mut().enumerate() {
                let i = i as u32 & mask;
                *entry = match self.format.texel {
                    Texel::I8Short(short) => format::decode_short(
                        u32::from(memory.read_u16(self.palette.wrapping_add(2 * i))),
                        short,
                    ),
                    _ => memory.read_u32(self.palette.wrapping_add(4 * i)),
                };
            }
        }
        table
    }

    /// Decodes the texture.
    pub fn decode(&self, memory: &Memory) -> Image {
        self.decode_up_to(memory, MOST_TEXELS)
    }

    /// Decodes the texture if it has at most so many words of texels, and if the budget has
    /// room for them.
    pub(super) fn decode_up_to(&self, memory: &Memory, most: u64) -> Image {
        let words = self.format.texel.words();
        let total = self.texels() * u64::from(words);
        let mut image = Image::nothing(words as usize);
        if total > most {
            return image;
        }
        let budget = memory.budget();
        image.held = budget.hold(Unit::Textures, 4 * total);
        if image.held.is_none() || !budget.charge(Unit::Textures, Cost::Texels, total) {
            return image;
        }
        image.levels.clear();
        image.margin = self.has_margin();
        image.texels = vec![0; total as usize];
        if self.key_mode == 3 {
            image.killed = vec![0; image.texels.len().div_ceil(64)];
        }
        let palette = self.read_palette(memory);
        let stride = self.face_stride();
        let (mut start, mut offset) = (0, 0);
        for l in 0..self.levels.max(1) {
            let stored = self.stored(l);
            let [w, h, d] = stored.full;
            let inset = |axis: usize| {
                if self.border && axis < self.dims as usize {
                    BORDER as u32
                } else {
                    0
                }
            };
            let row = w + u32::from(image.margin);
            let slice = row * (h + u32::from(image.margin));
            let level = Level {
                origin: start + inset(0) + row * inset(1) + slice * inset(2),
                size: stored.size.map(|n| n as i32),
                row,
                slice,
                face: slice * d,
            };
            for f in 0..self.faces() {
                let addr = self.addr.wrapping_add((f * stride + offset) as u32);
                let bytes = memory.bytes(addr, stored.bytes as usize);
                self.decode_level(bytes, stored.full, &palette, [start, row], &mut image);
                start += level.face;
            }
            if image.margin {
                image.fill_margin(&level);
            }
            image.levels.push(level);
            offset += stored.bytes;
        }
        image
    }

    /// Decodes one face of one level into `image` from index `start` on, so far from row to row.
    fn decode_level(
        &self,
        bytes: &[u8],
        full: [u32; 3],
        palette: &[u32; 256],
        [start, row]: [u32; 2],
        image: &mut Image,
    ) {
        let [w, h, d] = full;
        if self.format.texel.blocks() {
            return self.decode_blocks(bytes, full, [start, row], image);
        }
        let [xs, ys, zs] = self.offsets(full);
        let words = self.format.texel.words() as usize;
        let mut at = start as usize;
        for z in 0..d as usize {
            for y in 0..h as usize {
                let base = ys[y] + zs[z];
                let out = &mut image.texels[at * words..(at + w as usize) * words];
                if self.format.texel.floats() {
                    self.decode_floats(bytes, base, &xs, out);
                } else {
                    self.decode_row(bytes, base, &xs, palette, out);
                }
                if self.key_mode != 0 {
                    self.apply_key(bytes, base, &xs, at, image);
                }
                at += row as usize;
            }
        }
    }

    /// Where a texel of a level and face lies, by column, row and slice; of a format with blocks,
    /// the block that it belongs to. For those who write textures.
    pub fn place(&self, level: u8, face: u32, at: [u32; 3]) -> u32 {
        let before: u64 = (0..level).map(|l| self.stored(l).bytes).sum();
        let start = u64::from(face) * self.face_stride() + before;
        let full = self.stored(level).full;
        let inset = |axis: usize| match self.border && axis < self.dims as usize {
            true => BORDER as u32,
            false => 0,
        };
        let at: [u32; 3] = std::array::from_fn(|axis| at[axis] + inset(axis));
        let within = if self.format.texel.blocks() {
            let [w, h, d] = full.map(|n| n as usize);
            let blocks = [w.div_ceil(4), h.div_ceil(4), d];
            self.block(blocks, [at[0] / 4, at[1] / 4, at[2]].map(|n| n as usize))
        } else {
            let steps = self.offsets(full);
            let step = |axis: usize| steps[axis].get(at[axis] as usize).copied();
            (0..3).filter_map(step).sum()
        };
        self.addr.wrapping_add((start + within as u64) as u32)
    }

    /// Sixteen texels of a block, row by row.
    pub fn decode_block(&self, block: &[u8]) -> [u32; 16] {
        dxt::decode(self.format.texel, block, self.noise)
    }

    /// Byte offset of a block of a level.
    fn block(&self, [bw, bh, d]: [usize; 3], [bx, by, z]: [usize; 3]) -> usize {
        let size = self.format.texel.bytes() as usize;
        if self.format.layout == Layout::Linear {
            (z * bh + by) * self.pitch as usize + bx * size
        } else if self.dims == 3 {
            // Slices of a volume come in groups of four.
            let deep = (d - z / 4 * 4).min(4);
            ((z / 4 * 4 * bh * bw) + (by * bw + bx) * deep + (z & 3)) * size
        } else {
            (by * bw + bx) * size
        }
    }

    /// Byte offsets per column, row and slice.
    fn offsets(&self, full: [u32; 3]) -> [Vec<usize>; 3] {
        let bytes = self.format.texel.bytes() as usize;
        if self.format.layout == Layout::Linear {
            let (pitch, slice) = (self.pitch as usize, self.pitch as usize * full[1] as usize);
            let steps = [bytes, pitch, slice];
            return std::array::from_fn(|axis| {
                (0..full[axis] as usize).map(|i| i * steps[axis]).collect()
            });
        }
        let axes = morton::axes(full.map(|n| n.next_power_of_two().trailing_zeros()));
        std::array::from_fn(|axis| {
            (0..full[axis])
                .map(|i| axes[axis].place(i) as usize * bytes)
                .collect()
        })
    }

    /// A row of a float format: one word per component.
    fn decode_floats(&self, bytes: &[u8], base: usize, xs: &[usize], out: &mut [u32]) {
        let texel = self.format.texel;
        let n = texel.words() as usize;
        for (x, out) in out.chunks_exact_mut(n).enumerate() {
            for (c, out) in out.iter_mut().enumerate() {
                let at = base + xs[x];
                *out = match texel {
                    Texel::R32f | Texel::Rgba32f => word(bytes, at + 4 * c),
                    _ => format::half_to_single(raw(bytes, at + 2 * c, 2) as u16),
                };
            }
        }
    }

    fn decode_row(
        &self,
        bytes: &[u8],
        base: usize,
        xs: &[usize],
        palette: &[u32; 256],
        out: &mut [u32],
    ) {
        let texel = self.format.texel;
        for (x, out) in out.iter_mut().enumerate() {
            let at = base + xs[x];
            *out = match texel {
                Texel::A8r8g8b8 => word(bytes, at),
                Texel::I8 | Texel::I8Short(_) => {
                    palette[bytes.get(at).copied().unwrap_or(0) as usize]
                }
                _ if texel.pairs() => format::decode_pair(texel, word(bytes, at & !3), x & 1 != 0),
                _ => format::decode(texel, raw(bytes, at, texel.bytes())),
            };
        }
    }

    /// Compares the raw texels of a row with the colour key.
    fn apply_key(&self, bytes: &[u8], base: usize, xs: &[usize], at: usize, image: &mut Image) {
        let texel = self.format.texel;
        let mask = texel.key_mask();
        for (x, &step) in xs.iter().enumerate() {
            if (raw(bytes, base + step, texel.bytes()) ^ self.key) & mask != 0 {
                continue;
            }
            let out = &mut image.texels[at + x];
            match self.key_mode {
                1 => *out &= 0x00ff_ffff,
                2 => *out = 0,
                _ => image.killed[(at + x) / 64] |= 1 << ((at + x) % 64),
            }
        }
    }

    fn decode_blocks(
        &self,
        bytes: &[u8],
        full: [u32; 3],
        [start, row]: [u32; 2],
        image: &mut Image,
    ) {
        let [w, h, d] = full.map(|n| n as usize);
        let (start, step) = (start as usize, row as usize);
        let (bw, bh) = (w.div_ceil(4), h.div_ceil(4));
        let size = self.format.texel.bytes() as usize;
        // Neighbours are often the same block.
        let mut last: (&[u8], [u32; 16]) = (&[], dxt::decode(self.format.texel, &[], self.noise));
        for z in 0..d {
            for by in 0..bh {
                let rows = (h - 4 * by).min(4);
                for bx in 0..bw {
                    let at = self.block([bw, bh, d], [bx, by, z]).min(bytes.len());
                    let block = &bytes[at..(at + size).min(bytes.len())];
                    if last.0 != block {
                        last = (block, dxt::decode(self.format.texel, block, self.noise));
                    }
                    let columns = (w - 4 * bx).min(4);
                    let first = start + 4 * bx + step * (4 * by + h * z);
                    for (y, row) in last.1.chunks_exact(4).take(rows).enumerate() {
                        let at = first + step * y;
                        image.texels[at..at + columns].copy_from_slice(&row[..columns]);
                    }
                }
            }
        }
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    raw(bytes, at, 4)
}

/// A little-endian texel of 1, 2 or 4 bytes; 0 outside memory.
fn raw(bytes: &[u8], at: usize, len: u32) -> u32 {
    match (len, bytes.get(at..at + len as usize)) {
        (1, Some(b)) => u32::from(b[0]),
        (2, Some(b)) => u32::from(u16::from_le_bytes([b[0], b[1]])),
        (4, Some(b)) => u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        _ => 0,
    }
}

/// Decoded textures that may be used again.
#[derive(Debug, Default)]
pub struct TexCache {
    entries: Vec<Entry>,
    /// The entry that was asked for last.
    last: usize,
    /// How often one was asked for.
    uses: u64,
    texels: usize,
    /// Words of all texels that were ever decoded.
    decoded: u64,
}

#[derive(Debug)]
struct Entry {
    source: Source,
    /// Bytes of memory that its texels take.
    len: usize,
    image: Arc<Image>,
    decoded: u32,
    /// When it was asked for last.
    used: u64,
    /// The image as the unit samples it that did so last.
    simple: Option<Arc<SimpleStage>>,
}

/// Texels that the cache keeps at most (64 MiB of them), the newest apart.
const CACHED_TEXELS: usize = 1 << 24;

impl TexCache {
    /// The decoded texture, fresh.
    pub fn get(&mut self, source: &Source, memory: &Memory) -> Arc<Image> {
        let found = self.entries.iter().position(|e| e.source == *source);
        self.last = match found {
            Some(place) => self.refreshed(place, memory),
            None => self.added(source, memory),
        };
        self.uses += 1;
        let entry = &mut self.entries[self.last];
        entry.used = self.uses;
        entry.image.clone()
    }

    /// The texture that was asked for last, as a unit samples it whose state is plain.
    pub(crate) fn simple(&mut self, unit: &Arc<unit::Unit>) -> Arc<SimpleStage> {
        let Entry { image, simple, .. } = &mut self.entries[self.last];
        match simple {
            Some(simple) if simple.is_of(unit) => simple.clone(),
            _ => simple
                .insert(Arc::new(SimpleStage::new(unit, image.clone())))
                .clone(),
        }
    }

    /// Decodes an entry anew if memory changed.
    fn refreshed(&mut self, place: usize, memory: &Memory) -> usize {
        let entry = &mut self.entries[place];
        let Entry { source, len, .. } = entry;
        if source.changed_since(memory, *len, entry.decoded) {
            entry.decoded = memory.now();
            entry.simple = None;
            let image = source.decode(memory);
            self.texels = self.texels + image.texels.len() - entry.image.texels.len();
            self.decoded += image.texels.len() as u64;
            entry.image = Arc::new(image);
        }
        place
    }

    /// Decodes a texture that there was not, and keeps it.
    fn added(&mut self, source: &Source, memory: &Memory) -> usize {
        let decoded = memory.now();
        let image = Arc::new(source.decode(memory));
        self.texels += image.texels.len();
        self.decoded += image.texels.len() as u64;
        self.entries.push(Entry {
            source: *source,
            len: source.len(),
            image,
            decoded,
            used: self.uses + 1,
            simple: None,
        });
        self.trim(CACHED_TEXELS);
        self.entries.len() - 1
    }

    /// Bytes of all texels that were ever decoded.
    pub fn decoded(&self) -> u64 {
        4 * self.decoded
    }

    /// Drops the least recently used until `most` texels are left, or four images.
    pub(super) fn trim(&mut self, most: usize) {
        while self.texels > most && self.entries.len() > 4 {
            let places = 0..self.entries.len();
            let Some(oldest) = places.min_by_key(|&place| self.entries[place].used) else {
                return;
            };
            self.texels -= self.entries.remove(oldest).image.texels.len();
        }
    }

    /// Images and their texels.
    #[cfg(test)]
    pub(super) fn held(&self) -> (usize, usize) {
        (self.entries.len(), self.texels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_lanes::Random;

    /// A linear DXT texture of any size; its blocks come in runs, the last one is cut.
    fn blocks(texel: Texel, size: [u32; 3], noise: bool) -> (Source, Vec<u8>) {
        let format = Format {
            texel,
            layout: Layout::Linear,
        };
        let bytes = texel.bytes();
        let source = Source {
            addr: 0,
            format,
            size,
            dims: 2,
            levels: 1,
            cube: false,
            border: false,
            pitch: size[0].div_ceil(4) * bytes,
            palette: 0,
            palette_len: 1,
            noise,
            key_mode: 0,
            key: 0,
        };
        let mut random = Random::new(u64::from(bytes) + u64::from(size[0]));
        let count = size[0].div_ceil(4) * size[1].div_ceil(4);
        let mut data: Vec<u8> = Vec::new();
        for _ in 0..count {
            let last = data.len().checked_sub(bytes as usize);
            match last.filter(|_| random.below(2) == 0) {
                Some(last) => data.extend_from_within(last..),
                None => data.extend((0..bytes).map(|_| random.next_u32() as u8)),
            }
        }
        data.truncate(data.len() - 3);
        (source, data)
    }

    #[test]
    fn every_texel_of_a_block_goes_to_its_place() {
        for texel in [Texel::Dxt1, Texel::Dxt3, Texel::Dxt5] {
            for size in [[1, 1, 1], [7, 5, 1], [16, 12, 1], [33, 2, 1]] {
                let (source, data) = blocks(texel, size, true);
                let mut image = Image::nothing((size[0] * size[1]) as usize);
                source.decode_level(&data, size, &[0; 256], [0, size[0]], &mut image);
                for (at, &found) in image.texels.iter().enumerate() {
                    let (x, y) = (at % size[0] as usize, at / size[0] as usize);
                    let len = texel.bytes() as usize;
                    let from = y / 4 * source.pitch as usize + x / 4 * len;
                    let block = &data[from..(from + len).min(data.len())];
                    let wanted = dxt::decode(texel, block, true)[y % 4 * 4 + x % 4];
                    assert_eq!(found, wanted, "{texel:?} {size:?} ({x}, {y})");
                }
            }
        }
    }
}
