//! `SURF`: where a finished picture lies, and how to read it.

use super::read::{Problem, short};
use isotherm_bus::memory::Memory;
use isotherm_lanes::morton;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A picture: RGBA, eight bits each, top row first, alpha straight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` times R, G, B, A.
    pub rgba: Vec<u8>,
}

/// `SURF`: look at this surface now.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Surface {
    /// Name of the golden picture.
    pub golden: Option<String>,
    /// Name of a reference picture.
    pub reference: Option<String>,
    /// Frame number, in captures of several frames.
    pub frame: Option<u32>,
    /// Address of the first pixel.
    pub addr: u32,
    /// Bytes per row.
    pub pitch: u32,
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `A8R8G8B8`, `X8R8G8B8`, `R5G6B5`, `B8G8R8A8`.
    pub format: String,
    /// `color`, or `texture` for a depth buffer that was dumped as if it were one.
    pub source: String,
    /// `top` or `bottom`: which row comes first in memory.
    pub origin: String,
    /// `false`, `"swizzled"` (Morton order) or `"16x16-block-u"` (Mali).
    pub tiled: Value,
    /// Red and blue are exchanged on the way to memory (Mali).
    pub swap_rb: bool,
    /// Which samples have a plane of their own (Mali).
    pub mrt_bits: u32,
    /// Bytes from one sample's plane to the next.
    pub mrt_pitch: u32,
}

/// Larger than any surface of these chips.
const MOST: u32 = 8192;

#[derive(Clone, Copy)]
enum Layout {
    Linear,
    Morton,
    MaliBlocks,
}

impl Surface {
    pub(super) fn parse(json: &[u8]) -> Result<Surface, Problem> {
        let surface: Surface = serde_json::from_slice(json).map_err(Problem::json)?;
        let (width, height) = (surface.width, surface.height);
        if !(1..=MOST).contains(&width) || !(1..=MOST).contains(&height) {
            return Err(Problem::Surface(format!("size {width}x{height}")));
        }
        if !matches!(
            surface.format.as_str(),
            "A8R8G8B8" | "X8R8G8B8" | "R5G6B5" | "B8G8R8A8"
        ) {
            return Err(Problem::Surface(short(&format!(
                "format {:?}",
                surface.format
            ))));
        }
        surface.layout()?;
        Ok(surface)
    }

    fn layout(&self) -> Result<Layout, Problem> {
        match &self.tiled {
            Value::Null | Value::Bool(false) => Ok(Layout::Linear),
            Value::String(name) if name == "swizzled" => Ok(Layout::Morton),
            Value::String(name) if name == "16x16-block-u" => Ok(Layout::MaliBlocks),
            other => Err(Problem::Surface(short(&format!("tiling {other}")))),
        }
    }

    /// Reads the picture out of memory.
    pub fn read(&self, memory: &Memory) -> Image {
        let (width, height) = (self.width, self.height);
        let mut rgba = vec![0; (width * height) as usize * 4];
        let row = width as usize * 4;
        let mut line = Vec::new();
        for (y, out) in (0..height).zip(rgba.chunks_exact_mut(row)) {
            self.row(memory, self.stored_row(y), &mut line, out);
        }
        Image {
            width,
            height,
            rgba,
        }
    }

    /// The row of memory that holds a row of the picture.
    fn stored_row(&self, y: u32) -> u32 {
        if self.origin == "bottom" {
            self.height - 1 - y.min(self.height - 1)
        } else {
            y
        }
    }

    /// Bytes of a pixel's word.
    pub fn bytes(&self) -> u32 {
        if self.format == "R5G6B5" { 2 } else { 4 }
    }

    /// Address of a pixel's word (of the first sample's, on a Mali); column and row as in
    /// the picture.
    pub fn address(&self, x: u32, y: u32) -> u32 {
        let y = self.stored_row(y);
        let offset = match self.layout() {
            Ok(Layout::Morton) => swizzled(x, y, self.width, self.height).wrapping_mul(4),
            Ok(Layout::MaliBlocks) => mali_block(x, y, self.tiles_per_row()).wrapping_mul(4),
            _ => self.pitch.wrapping_mul(y).wrapping_add(x * self.bytes()),
        };
        self.addr.wrapping_add(offset)
    }

    /// Tiles in a row of a Mali's surface: the pitch holds the bytes of one row of tiles.
    fn tiles_per_row(&self) -> u32 {
        match self.pitch / 1024 {
            0 => self.width.div_ceil(16),
            tiles => tiles,
        }
    }

    /// One pixel as RGBA; column and row as in the picture.
    pub fn pixel(&self, memory: &Memory, x: u32, y: u32) -> [u8; 4] {
        let y = self.stored_row(y);
        let mut out = vec![0; self.width as usize * 4];
        self.row(memory, y, &mut Vec::new(), &mut out);
        let start = x.min(self.width - 1) as usize * 4;
        [out[start], out[start + 1], out[start + 2], out[start + 3]]
    }

    /// Row `y` of memory as RGBA.
    fn row(&self, memory: &Memory, y: u32, line: &mut Vec<u8>, out: &mut [u8]) {
        self.stored(memory, y, line, out);
        if self.swap_rb {
            let (out, _) = out.as_chunks_mut::<4>();
            out.iter_mut().for_each(|pixel| pixel.swap(0, 2));
        }
    }

    /// The same, by the format alone.
    fn stored(&self, memory: &Memory, y: u32, line: &mut Vec<u8>, out: &mut [u8]) {
        if self.format == "R5G6B5" {
            line.resize(self.width as usize * 2, 0);
            memory.read(self.addr.wrapping_add(self.pitch.wrapping_mul(y)), line);
            let (pixels, _) = line.as_chunks::<2>();
            let (out, _) = out.as_chunks_mut::<4>();
            for (to, from) in out.iter_mut().zip(pixels) {
                *to = sdl_565(u16::from_le_bytes(*from));
            }
            return;
        }
        line.resize(self.width as usize * 4, 0);
        // Parsing has seen to it that there is a layout.
        match self.layout().unwrap_or(Layout::Linear) {
            Layout::Linear => {
                memory.read(self.addr.wrapping_add(self.pitch.wrapping_mul(y)), line);
            }
            Layout::Morton => {
                self.gather(memory, line, |x| swizzled(x, y, self.width, self.height))
            }
            Layout::MaliBlocks => {
                self.gather(memory, line, |x| mali_block(x, y, self.tiles_per_row()));
            }
        }
        let opaque = self.format == "X8R8G8B8";
        let (pixels, _) = line.as_chunks::<4>();
        let (out, _) = out.as_chunks_mut::<4>();
        for (to, &[b, g, r, a]) in out.iter_mut().zip(pixels) {
            *to = [r, g, b, if opaque { 255 } else { a }];
        }
    }

    /// Fills a line of 32-bit pixels that lie scattered; several sample planes are
    /// averaged.
    fn gather(&self, memory: &Memory, line: &mut [u8], index: impl Fn(u32) -> u32) {
        let planes = self.mrt_bits.count_ones().max(1);
        let (pixels, _) = line.as_chunks_mut::<4>();
        for (x, pixel) in (0..).zip(pixels) {
            let offset = index(x).wrapping_mul(4);
            let mut sum = [0u32; 4];
            for plane in 0..planes {
                let addr = self.addr.wrapping_add(plane.wrapping_mul(self.mrt_pitch));
                let word = memory.read_u32(addr.wrapping_add(offset)).to_le_bytes();
                sum.iter_mut()
                    .zip(word)
                    .for_each(|(sum, c)| *sum += u32::from(c));
            }
            *pixel = sum.map(|sum| ((sum + planes / 2) / planes) as u8);
        }
    }
}

/// A half-word as SDL_image expands R5G6B5 to PNG (its green table is not a plain
/// replication).
fn sdl_565(v: u16) -> [u8; 4] {
    const GREEN: [u8; 8] = [0, 32, 64, 97, 129, 161, 194, 226];
    let five = |v: u16| (u32::from(v & 31) * 255 / 31) as u8;
    let six = v >> 5 & 63;
    [
        five(v >> 11),
        GREEN[(six >> 3) as usize] + 4 * (six & 7) as u8,
        five(v),
        255,
    ]
}

/// Index of a pixel in a swizzled surface.
fn swizzled(x: u32, y: u32, width: u32, height: u32) -> u32 {
    let bits = |side: u32| side.max(1).next_power_of_two().trailing_zeros();
    morton::place(x, y, bits(width), bits(height))
}

/// Index of a pixel in Mali's block order: tiles of 16x16 in rows; inside a tile the
/// bits are, from bit 0, x0^y0, y0, x1^y1, y1 and so on.
fn mali_block(x: u32, y: u32, tiles_per_row: u32) -> u32 {
    let tile = (y / 16).wrapping_mul(tiles_per_row).wrapping_add(x / 16);
    let inside = (0..4).fold(0, |index, bit| {
        let (x, y) = (x >> bit & 1, y >> bit & 1);
        index | (x ^ y) << (2 * bit) | y << (2 * bit + 1)
    });
    tile.wrapping_mul(256).wrapping_add(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_regs::Chip;

    #[test]
    fn sdl_expands_as_it_does() {
        assert_eq!(sdl_565(0xFFFF), [255, 254, 255, 255]);
        assert_eq!(sdl_565(0x0000), [0, 0, 0, 255]);
        assert_eq!(sdl_565(0x8410), [131, 129, 131, 255]);
    }

    #[test]
    fn swizzle_walks_the_shorter_side_first() {
        assert_eq!(swizzled(1, 0, 4, 4), 1);
        assert_eq!(swizzled(0, 1, 4, 4), 2);
        assert_eq!(swizzled(3, 3, 4, 4), 15);
        assert_eq!(swizzled(7, 1, 8, 2), 15);
        assert_eq!(swizzled(2, 1, 8, 2), 6);
    }

    #[test]
    fn mali_blocks_are_u_shaped() {
        assert_eq!(
            [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| mali_block(x, y, 1)),
            [0, 1, 2, 3]
        );
        assert_eq!(mali_block(16, 16, 2), 3 * 256);
    }

    #[test]
    fn depth_dumps_read_as_argb() {
        let mut memory = Memory::new(Chip::Nv2a);
        memory.write_u32(0x100, 0x1234_5678);
        let json = br#"{"addr":256,"pitch":4,"width":1,"height":1,"format":"A8R8G8B8"}"#;
        let image = Surface::parse(json).unwrap().read(&memory);
        assert_eq!(image.rgba, [0x34, 0x56, 0x78, 0x12]);
    }

    #[test]
    fn exchanged_channels_come_back() {
        let mut memory = Memory::new(Chip::Mali400);
        memory.write_u32(0x100, 0x1234_5678);
        let json =
            br#"{"addr":256,"pitch":4,"width":1,"height":1,"format":"B8G8R8A8","swap_rb":true}"#;
        let surface = Surface::parse(json).unwrap();
        assert_eq!(surface.read(&memory).rgba, [0x78, 0x56, 0x34, 0x12]);
        assert_eq!(surface.pixel(&memory, 0, 0), [0x78, 0x56, 0x34, 0x12]);
    }
}
