//! Texels: formats and layouts, decoded once per texture.

use isotherm_bus::memory::Memory;
use isotherm_lanes::lanes;
use isotherm_lanes::{LANES, Lane, Simd};
use isotherm_regs::mali::isa_bits::half_to_f32;

/// A level of a texture: rows of texels, layer after layer.
#[derive(Debug)]
pub(crate) struct Level {
    width: i32,
    height: i32,
    layers: u32,
    /// Texels around the level on each side, see [`Level::of_bytes`].
    margin: i32,
    texels: Texels,
}

#[derive(Debug)]
enum Texels {
    /// R in the low byte.
    Bytes(Vec<u32>),
    Floats(Vec<[f32; 4]>),
}

/// How texels lie in memory.
pub(crate) struct TexelSource {
    pub(crate) format: u32,
    pub(crate) swap_rb: bool,
    pub(crate) reverse: bool,
    pub(crate) tiled: bool,
    /// Bytes per row of a linear texture, 0 if the rows are packed.
    pub(crate) stride: u32,
    pub(crate) range: u32,
    pub(crate) signed: bool,
    /// Whether coordinates repeat, for s and t.
    pub(crate) repeats: [bool; 2],
}

/// Index of a texel in a 16x16 tile: the bits of x and y alternate, those of x
/// exclusive-ored with those of y.
pub const fn tile_index(x: u32, y: u32) -> u32 {
    let mut index = 0;
    let mut bit = 0;
    while bit < 4 {
        index |= ((x ^ y) >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1);
        bit += 1;
    }
    index
}

const ETC1: u32 = 0x20;

/// Bytes per texel.
fn texel_size(format: u32) -> Option<u32> {
    Some(match format {
        0x09..=0x0B => 1,
        0x0E..=0x14 | 0x22..=0x24 => 2,
        0x15 => 3,
        0x16 | 0x17 | 0x25 | 0x2C | 0x32 => 4,
        0x2F => 6,
        0x26 => 8,
        _ => return None,
    })
}

/// A level's size in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) layers: u32,
    /// The level, 0 the largest.
    pub(crate) number: usize,
}

impl TexelSource {
    /// Bytes of a texel; `None` if the format has blocks or is not known.
    pub(crate) fn texel_bytes(&self) -> Option<u32> {
        texel_size(self.format)
    }

    /// Bytes of a row and of a layer.
    fn steps(&self, size: u32, of: Extent) -> (u32, u32) {
        let stride = if self.stride == 0 || of.number > 0 {
            of.width * size
        } else {
            self.stride
        };
        let layer = if self.tiled || of.layers > 1 {
            of.width.next_multiple_of(16) * size * of.height.next_multiple_of(16)
        } else {
            stride * of.height
        };
        (stride, layer)
    }

    /// Where a texel of so many bytes lies in a level.
    pub(crate) fn place(&self, size: u32, of: Extent, [x, y, layer]: [u32; 3]) -> usize {
        let (stride, layer_bytes) = self.steps(size, of);
        let inside = if self.tiled {
            let tile = y / 16 * of.width.div_ceil(16) + x / 16;
            (tile * 256 + tile_index(x & 15, y & 15)) * size
        } else {
            y * stride + x * size
        };
        (layer * layer_bytes + inside) as usize
    }

    /// A texel's bytes as R, G, B, A.
    pub(crate) fn rgba(&self, texel: &[u8]) -> [u8; 4] {
        match self.wide() {
            true => self.float_texel(texel).map(crate::pictures::byte),
            false => self.byte_texel(texel),
        }
    }

    /// Are its numbers of two bytes each: half floats, or from 0 to 65535?
    pub(crate) fn shorts(&self) -> bool {
        matches!(self.format, 0x12..=0x14 | 0x22..=0x26 | 0x2F)
    }

    /// Are its texels more than four bytes from 0 to 1?
    fn wide(&self) -> bool {
        self.shorts() || matches!(self.format, 0x2C | 0x32) || self.range != 0 || self.signed
    }

    /// Decodes a level; also the number of bytes that it covers in memory.
    pub(crate) fn level(
        &self,
        mem: &Memory,
        addr: u32,
        width: u32,
        height: u32,
        layers: u32,
        number: usize,
    ) -> Result<(Level, usize), String> {
        if self.format == ETC1 {
            return Ok(self.etc1(mem, addr, width, height, layers));
        }
        let Some(size) = texel_size(self.format) else {
            return Err(format!("texel format {:#x} is not known", self.format));
        };
        let extent = Extent {
            width,
            height,
            layers,
            number,
        };
        let (_, layer_bytes) = self.steps(size, extent);
        let len = (layer_bytes as usize) * layers as usize;
        let bytes = mem.bytes(addr, len);
        let total = (width * height * layers) as usize;
        let zeros = [0u8; 8];
        let raw = |x, y, layer| {
            let at = self.place(size, extent, [x, y, layer]);
            bytes
                .get(at..at + size as usize)
                .unwrap_or(&zeros[..size as usize])
        };
        let size = (width, height, layers);
        if !self.wide() {
            let mut out = Vec::with_capacity(total);
            for layer in 0..layers {
                for y in 0..height {
                    out.extend(
                        (0..width).map(|x| u32::from_le_bytes(self.byte_texel(raw(x, y, layer)))),
                    );
                }
            }
            return Ok((Level::of_bytes(size, out, self.repeats), len));
        }
        let mut out = Vec::with_capacity(total);
        for layer in 0..layers {
            for y in 0..height {
                out.extend((0..width).map(|x| self.float_texel(raw(x, y, layer))));
            }
        }
        let level = Level {
            width: width as i32,
            height: height as i32,
            layers,
            margin: 0,
            texels: Texels::Floats(out),
        };
        Ok((level, len))
    }

    fn order(&self, [r, g, b, a]: [u8; 4]) -> [u8; 4] {
        let [r, g, b, a] = if self.reverse {
            [a, b, g, r]
        } else {
            [r, g, b, a]
        };
        if self.swap_rb {
            [b, g, r, a]
        } else {
            [r, g, b, a]
        }
    }

    fn byte_texel(&self, t: &[u8]) -> [u8; 4] {
        let word = || u32::from(u16::from_le_bytes([t[0], t[1]]));
        let widen = |v: u32, bits: u32| {
            let v = v & ((1 << bits) - 1);
            ((v * 255 * 2 + ((1 << bits) - 1)) / (2 * ((1 << bits) - 1))) as u8
        };
        match self.format {
            0x09 => [t[0], t[0], t[0], 255],
            0x0A => [0, 0, 0, t[0]],
            0x0B => [t[0]; 4],
            0x0E => self.order([
                widen(word() >> 11, 5),
                widen(word() >> 5, 6),
                widen(word(), 5),
                255,
            ]),
            0x0F => self.order([
                widen(word() >> 10, 5),
                widen(word() >> 5, 5),
                widen(word(), 5),
                widen(word() >> 15, 1),
            ]),
            0x10 => self.order([
                widen(word() >> 8, 4),
                widen(word() >> 4, 4),
                widen(word(), 4),
                widen(word() >> 12, 4),
            ]),
            0x11 => [t[0], t[0], t[0], t[1]],
            0x15 => self.order([t[2], t[1], t[0], 255]),
            0x17 => {
                let [r, g, b, _] = self.order([t[2], t[1], t[0], 255]);
                [r, g, b, 255]
            }
            _ => self.order([t[2], t[1], t[0], t[3]]),
        }
    }

    fn float_texel(&self, t: &[u8]) -> [f32; 4] {
        let short = |i: usize| u16::from_le_bytes([t[2 * i], t[2 * i + 1]]);
        let unorm = |i: usize| f32::from(short(i)) / 65535.0;
        let half = |i: usize| half_to_f32(short(i));
        let out = match self.format {
            0x12 => [unorm(0), unorm(0), unorm(0), 1.0],
            0x13 => [0.0, 0.0, 0.0, unorm(0)],
            0x14 => [unorm(0); 4],
            0x22 => [half(0), half(0), half(0), 1.0],
            0x23 => [0.0, 0.0, 0.0, half(0)],
            0x24 => [half(0); 4],
            0x25 => [half(0), half(0), half(0), half(1)],
            0x26 if self.swap_rb => [half(0), half(1), half(2), half(3)],
            0x26 => [half(2), half(1), half(0), half(3)],
            0x2F if self.swap_rb => [half(0), half(1), half(2), 1.0],
            0x2F => [half(2), half(1), half(0), 1.0],
            0x2C => {
                let z = u32::from_le_bytes([t[0], t[1], t[2], 0]) as f32 / 16_777_215.0;
                [z, z, z, 1.0]
            }
            // Depth and stencil on their way back into the tile: four bytes that half
            // floats carry without loss (the true encoding is not known).
            0x32 => [t[0], t[1], t[2], t[3]].map(f32::from),
            _ => {
                let b = self.byte_texel(t);
                match self.range {
                    1 | 2 => b.map(|b| (f32::from(b as i8) / 127.0).max(-1.0)),
                    3 => b.map(|b| 1.0 - f32::from(b) / 255.0),
                    _ if self.signed => b.map(|b| (f32::from(b as i8) / 127.0).max(-1.0)),
                    _ => b.map(|b| f32::from(b) / 255.0),
                }
            }
        };
        if self.range == 3 && texel_size(self.format) != Some(4) {
            out.map(|x| 1.0 - x)
        } else {
            out
        }
    }

    fn etc1(
        &self,
        mem: &Memory,
        addr: u32,
        width: u32,
        height: u32,
        layers: u32,
    ) -> (Level, usize) {
        let blocks = width.div_ceil(4);
        // Tiles of 4x4 blocks, the blocks in the order of texels.
        let tiles = width.div_ceil(16);
        let layer_bytes = if self.tiled {
            tiles * height.div_ceil(16) * 16 * 8
        } else {
            blocks * height.div_ceil(4) * 8
        };
        let len = layer_bytes as usize * layers as usize;
        let bytes = mem.bytes(addr, len);
        let mut out = vec![0u32; (width * height * layers) as usize];
        for layer in 0..layers {
            for by in 0..height.div_ceil(4) {
                for bx in 0..blocks {
                    let at = layer * layer_bytes
                        + 8 * if self.tiled {
                            (by / 4 * tiles + bx / 4) * 16 + tile_index(bx & 3, by & 3)
                        } else {
                            by * blocks + bx
                        };
                    let block = bytes.get(at as usize..at as usize + 8);
                    let block = block.and_then(|b| b.try_into().ok()).unwrap_or([0; 8]);
                    let texels = etc1_block(u64::from_be_bytes(block));
                    for (i, texel) in texels.iter().enumerate() {
                        let (x, y) = (bx * 4 + i as u32 % 4, by * 4 + i as u32 / 4);
                        if x < width && y < height {
                            out[((layer * height + y) * width + x) as usize] = *texel;
                        }
                    }
                }
            }
        }
        (
            Level::of_bytes((width, height, layers), out, self.repeats),
            len,
        )
    }
}

/// Sixteen texels, row by row.
pub fn etc1_block(b: u64) -> [u32; 16] {
    const MODIFIERS: [[i32; 2]; 8] = [
        [2, 8],
        [5, 17],
        [9, 29],
        [13, 42],
        [18, 60],
        [24, 80],
        [33, 106],
        [47, 183],
    ];
    let field = |lo: u32, len: u32| (b >> lo & ((1 << len) - 1)) as i32;
    let (diff, flip) = (field(33, 1) != 0, field(32, 1) != 0);
    let base: [[i32; 3]; 2] = if diff {
        let first = [59, 51, 43].map(|lo| field(lo, 5));
        let delta = [56, 48, 40].map(|lo| (field(lo, 3) << 29) >> 29);
        let widen = |v: i32| (v & 31) << 3 | (v & 31) >> 2;
        let second = [0, 1, 2].map(|i| widen(first[i] + delta[i]));
        [first.map(widen), second]
    } else {
        let widen = |v: i32| v << 4 | v;
        [
            [60, 52, 44].map(|lo| widen(field(lo, 4))),
            [56, 48, 40].map(|lo| widen(field(lo, 4))),
        ]
    };
    let tables = [field(37, 3) as usize, field(34, 3) as usize];
    std::array::from_fn(|i| {
        let (x, y) = (i % 4, i / 4);
        // Codes run down the columns.
        let n = (x * 4 + y) as u32;
        let half = usize::from(if flip { y >= 2 } else { x >= 2 });
        let amount = MODIFIERS[tables[half]][field(n, 1) as usize];
        let amount = if field(n + 16, 1) != 0 {
            -amount
        } else {
            amount
        };
        let c = base[half].map(|c| (c + amount).clamp(0, 255) as u32);
        c[0] | c[1] << 8 | c[2] << 16 | 0xFF << 24
    })
}

impl Level {
    /// A level of bytes. A single layer gets a margin of one texel, what lies there by the rule
    /// for coordinates: so the two by two texels of a filter are always neighbours.
    fn of_bytes(
        (width, height, layers): (u32, u32, u32),
        texels: Vec<u32>,
        repeats: [bool; 2],
    ) -> Level {
        let (w, h) = (width as usize, height as usize);
        let margin = usize::from(layers == 1);
        let mut out = texels;
        if margin == 1 {
            let beside = |n: usize, repeats: bool| if repeats { (n - 1, 0) } else { (0, n - 1) };
            let (left, right) = beside(w, repeats[0]);
            let (above, below) = beside(h, repeats[1]);
            let mut wide = Vec::with_capacity((w + 2) * (h + 2));
            for y in std::iter::once(above).chain(0..h).chain([below]) {
                let row = &out[y * w..(y + 1) * w];
                wide.push(row[left]);
                wide.extend_from_slice(row);
                wide.push(row[right]);
            }
            out = wide;
        }
        Level {
            width: width as i32,
            height: height as i32,
            layers,
            margin: margin as i32,
            texels: Texels::Bytes(out),
        }
    }

    /// Where a texel lies.
    #[inline(always)]
    fn place(&self, x: i32, y: i32, layer: i32) -> usize {
        let row = layer * self.height + y + self.margin;
        (row * (self.width + 2 * self.margin) + x + self.margin) as usize
    }

    pub(crate) fn size(&self) -> (f32, f32) {
        (self.width as f32, self.height as f32)
    }

    pub(crate) fn layers(&self) -> u32 {
        self.layers
    }

    pub(crate) fn bytes(&self) -> usize {
        match &self.texels {
            Texels::Bytes(t) => t.len() * 4,
            Texels::Floats(t) => t.len() * 16,
        }
    }

    /// What decoding it costs, in texels of four bytes.
    pub(crate) fn cost(&self) -> u64 {
        let texels = self.width as u64 * self.height as u64 * u64::from(self.layers);
        match &self.texels {
            Texels::Bytes(_) => texels,
            Texels::Floats(_) => texels * 4,
        }
    }

    /// One texel; negative coordinates are the border.
    pub(crate) fn texel(&self, x: i32, y: i32, layer: i32, border: &[f32; 4]) -> [f32; 4] {
        if x < 0 || y < 0 || layer < 0 {
            return *border;
        }
        let at = self.place(x, y, layer);
        match &self.texels {
            Texels::Bytes(t) => {
                let t = t.get(at).copied().unwrap_or(0).to_le_bytes();
                t.map(|b| f32::from(b) / 255.0)
            }
            Texels::Floats(t) => t.get(at).copied().unwrap_or([0.0; 4]),
        }
    }

    #[inline(always)]
    pub(crate) fn fetch(&self, x: &[i32; LANES], y: &[i32; LANES], border: &[f32; 4]) -> [Lane; 4] {
        let mut out = [[0.0; LANES]; 4];
        match &self.texels {
            Texels::Bytes(t) if x.iter().chain(y).all(|&i| i >= 0) => {
                let t: [u32; LANES] = lanes!(|i| self.byte(t, x[i], y[i]));
                for c in 0..4 {
                    out[c] = lanes!(|i| (t[i] >> (8 * c) & 255) as i32 as f32 * (1.0 / 255.0));
                }
            }
            _ => {
                for i in 0..LANES {
                    let t = self.texel(x[i], y[i], 0, border);
                    (0..4).for_each(|c| out[c][i] = t[c]);
                }
            }
        }
        out
    }

    /// Two by two texels of bytes mixed. `None` if the texels are no bytes, or have no margin.
    /// Coordinates must repeat or stop at the edge as [`TexelSource::repeats`] said.
    #[inline(always)]
    pub(crate) fn bilinear_bytes<S: Simd>(
        &self,
        s: S::F,
        t: S::F,
        repeats: [bool; 2],
    ) -> Option<[S::F; 4]> {
        let Texels::Bytes(table) = &self.texels else {
            return None;
        };
        // Whole numbers up to here are exact in singles.
        if self.margin == 0 || table.len() > 1 << 24 {
            return None;
        }
        let stride = self.width + 2;
        let (x, fx) = first_texel::<S>(s, self.width, repeats[0]);
        let (y, fy) = first_texel::<S>(t, self.height, repeats[1]);
        let row = S::add(
            S::mul(y, S::splat(stride as f32)),
            S::splat((stride + 1) as f32),
        );
        let at = S::int(S::add(row, x));
        let [[a, b], [c, d]] = S::squares::<true>(table, at, stride as u32);
        let texels = [a, b, c, d];
        Some([
            mix_bytes::<S, 0>(texels, fx, fy),
            mix_bytes::<S, 8>(texels, fx, fy),
            mix_bytes::<S, 16>(texels, fx, fy),
            mix_bytes::<S, 24>(texels, fx, fy),
        ])
    }

    #[inline(always)]
    fn byte(&self, t: &[u32], x: i32, y: i32) -> u32 {
        t.get(self.place(x, y, 0)).copied().unwrap_or(0)
    }

    #[expect(clippy::too_many_arguments, reason = "two corners and two fractions")]
    #[inline(always)]
    pub(crate) fn bilinear(
        &self,
        x0: &[i32; LANES],
        x1: &[i32; LANES],
        y0: &[i32; LANES],
        y1: &[i32; LANES],
        fx: &Lane,
        fy: &Lane,
        border: &[f32; 4],
    ) -> [Lane; 4] {
        let mut out = [[0.0; LANES]; 4];
        let mut least = 0;
        for i in 0..LANES {
            least |= x0[i] | x1[i] | y0[i] | y1[i];
        }
        let inside = least >= 0;
        match &self.texels {
            Texels::Bytes(t) if inside => {
                let a: [u32; LANES] = lanes!(|i| self.byte(t, x0[i], y0[i]));
                let b: [u32; LANES] = lanes!(|i| self.byte(t, x1[i], y0[i]));
                let c: [u32; LANES] = lanes!(|i| self.byte(t, x0[i], y1[i]));
                let d: [u32; LANES] = lanes!(|i| self.byte(t, x1[i], y1[i]));
                for (k, out) in out.iter_mut().enumerate() {
                    let shift = 8 * k as u32;
                    *out = lanes!(|i| {
                        let a = (a[i] >> shift & 255) as i32 as f32;
                        let b = (b[i] >> shift & 255) as i32 as f32;
                        let c = (c[i] >> shift & 255) as i32 as f32;
                        let d = (d[i] >> shift & 255) as i32 as f32;
                        let top = a + (b - a) * fx[i];
                        let bottom = c + (d - c) * fx[i];
                        (top + (bottom - top) * fy[i]) * (1.0 / 255.0)
                    });
                }
            }
            _ => {
                for i in 0..LANES {
                    let a = self.texel(x0[i], y0[i], 0, border);
                    let b = self.texel(x1[i], y0[i], 0, border);
                    let c = self.texel(x0[i], y1[i], 0, border);
                    let d = self.texel(x1[i], y1[i], 0, border);
                    for k in 0..4 {
                        let top = a[k] + (b[k] - a[k]) * fx[i];
                        let bottom = c[k] + (d[k] - c[k]) * fx[i];
                        out[k][i] = top + (bottom - top) * fy[i];
                    }
                }
            }
        }
        out
    }
}

/// One channel of four texels, mixed. A byte stays where it is in its word, 2^N times as large,
/// until the last product: that changes no digit.
#[inline(always)]
fn mix_bytes<S: Simd, const N: u32>(texels: [S::I; 4], fx: S::F, fy: S::F) -> S::F {
    let [a, b, c, d] = texels;
    let (a, b) = (byte_in_place::<S, N>(a), byte_in_place::<S, N>(b));
    let (c, d) = (byte_in_place::<S, N>(c), byte_in_place::<S, N>(d));
    let top = S::add(a, S::mul(S::sub(b, a), fx));
    let bottom = S::add(c, S::mul(S::sub(d, c), fx));
    let mixed = S::add(top, S::mul(S::sub(bottom, top), fy));
    let shift = if N < 24 { N } else { 0 };
    S::mul(mixed, S::splat(1.0 / 255.0 / (1 << shift) as f32))
}

/// The byte at `N`, 2^N times as large; the last one, which would be below 0, as it is.
#[inline(always)]
fn byte_in_place<S: Simd, const N: u32>(words: S::I) -> S::F {
    S::of_int(if N < 24 {
        S::iand(words, S::isplat(255 << N))
    } else {
        S::shr::<N>(words)
    })
}

/// The first of the two texels beside a normalised coordinate, from -1 on, and the share of the
/// second.
#[inline(always)]
fn first_texel<S: Simd>(s: S::F, size: i32, repeat: bool) -> (S::F, S::F) {
    let n = S::splat(size as f32);
    let u = if repeat {
        // Keep the whole part small, so that the fraction keeps its bits.
        S::mul(S::sub(s, S::floor(s)), n)
    } else {
        S::mul(s, n)
    };
    // What is no number is taken for the texel before the first.
    let u = S::max(S::sub(u, S::splat(0.5)), S::splat(-1.0));
    let u = if repeat {
        u
    } else {
        S::min(u, S::splat((size - 1) as f32))
    };
    let floor = S::floor(u);
    (floor, S::sub(u, floor))
}
