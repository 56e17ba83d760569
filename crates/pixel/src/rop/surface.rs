//! Surfaces: where a pixel's word lies, and what its bits mean.

use crate::frag::LANES;
use isotherm_bus::memory::{self, Cell, SharedBytes};
use isotherm_lanes::morton;

/// Reads one word of 1, 2 or 4 bytes; 0 beyond the end.
#[inline(always)]
pub fn read_word(memory: SharedBytes<'_>, addr: usize, size: u32) -> u32 {
    let word = match size {
        1 => memory.cell::<u8>(addr).map(|cell| cell.load().into()),
        2 => memory.cell::<u16>(addr).map(|cell| cell.load().into()),
        _ => memory.cell::<u32>(addr).map(Cell::load),
    };
    word.unwrap_or(0)
}

/// Writes one word of 1, 2 or 4 bytes; nothing beyond the end.
#[inline(always)]
pub(super) fn write_word(memory: SharedBytes<'_>, addr: usize, size: u32, value: u32) {
    match size {
        1 => store(memory.cell(addr), value as u8),
        2 => store(memory.cell(addr), value as u16),
        _ => store(memory.cell(addr), value),
    }
}

#[inline(always)]
fn store<T: memory::Bits>(cell: Option<Cell<'_, T>>, value: T) {
    if let Some(cell) = cell {
        cell.store(value);
    }
}

/// One plane (colour or zeta) of the bound surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plane {
    /// Address of the first byte in memory; all other positions are relative to it.
    pub address: u32,
    /// First byte after the part that may be touched.
    pub end: usize,
    /// Bytes per row of samples.
    pub pitch: usize,
    /// Bytes per pixel: 1, 2 or 4; 8 or 16 where it is four floats.
    pub bytes: u32,
    /// log2 of width and height of a swizzled surface.
    pub swizzle: Option<(u32, u32)>,
    /// Samples per pixel, horizontally and vertically.
    pub scale: (u32, u32),
}

impl Plane {
    /// Address of the word of sample column `x`, row `y`.
    #[inline(always)]
    pub fn addr(&self, x: u32, y: u32) -> usize {
        match self.swizzle {
            None => y as usize * self.pitch + x as usize * self.bytes as usize,
            Some((w, h)) => morton::place(x, y, w, h) as usize * self.bytes as usize,
        }
    }

    /// Can an 8x2 block be moved row by row?
    #[inline(always)]
    fn rows(&self) -> bool {
        self.swizzle.is_none() && self.scale.0 == 1 && matches!(self.bytes, 2 | 4)
    }

    /// May `bytes` bytes from `at` on be touched?
    #[inline(always)]
    fn holds(&self, at: usize, bytes: usize) -> bool {
        at + bytes <= self.end
    }

    #[inline(always)]
    pub(super) fn lane(&self, x: i32, y: i32, sample: (u32, u32), lane: usize) -> usize {
        let px = (x as u32 + lane as u32 % 8) * self.scale.0 + sample.0;
        let py = (y as u32 + lane as u32 / 8) * self.scale.1 + sample.1;
        self.addr(px, py)
    }

    /// Reads the words of the block at pixel (x, y).
    #[inline(always)]
    pub fn load(
        &self,
        memory: SharedBytes<'_>,
        x: i32,
        y: i32,
        sample: (u32, u32),
    ) -> [u32; LANES] {
        let mut out = [0; LANES];
        if self.rows() {
            let top = self.lane(x, y, sample, 0);
            let low = self.lane(x, y, sample, 8);
            if self.bytes == 4 {
                if let (Some(a), Some(b)) = (memory.cell::<[u32; 8]>(top), memory.cell(low)) {
                    return Block { top: a, low: b }.load();
                }
            } else if let (Some(a), Some(b)) = (memory.cell::<[u16; 8]>(top), memory.cell(low)) {
                let (a, b): (_, [u16; 8]) = (a.load(), b.load());
                for i in 0..8 {
                    out[i] = u32::from(a[i]);
                    out[8 + i] = u32::from(b[i]);
                }
                return out;
            }
        }
        self.load_slow(memory, x, y, sample, &mut out);
        out
    }

    /// The pixels of a rectangle (max exclusive, not empty), on the same conditions. The
    /// area counts columns and rows from `origin`.
    #[inline(always)]
    pub fn area<'m>(
        &self,
        memory: SharedBytes<'m>,
        [x0, y0, x1, y1]: [i32; 4],
        origin: [i32; 2],
    ) -> Option<Area<'m>> {
        let end = self.lane(x1 - 1, y1 - 1, (0, 0), 0) + 4;
        let usual = self.rows() && self.bytes == 4 && self.pitch < 1 << 24;
        if !usual || x0 < 0 || y0 < 0 || end > self.end.min(memory.len()) {
            return None;
        }
        let first = self.lane(origin[0], origin[1], (0, 0), 0);
        Some(Area(memory.area(first, self.pitch)))
    }

    #[inline(never)]
    fn load_slow(
        &self,
        memory: SharedBytes<'_>,
        x: i32,
        y: i32,
        sample: (u32, u32),
        out: &mut [u32; LANES],
    ) {
        for (lane, word) in out.iter_mut().enumerate() {
            *word = read_word(memory, self.lane(x, y, sample, lane), self.bytes);
        }
    }

    /// Writes the words of the lanes in `mask`. `whole` says that no lane of the
    /// block belongs to anybody else, so that rows may be written back unchanged.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // inlined: one block's whole address
    pub fn store(
        &self,
        memory: SharedBytes<'_>,
        x: i32,
        y: i32,
        sample: (u32, u32),
        mask: u16,
        words: &[u32; LANES],
        whole: bool,
    ) {
        if self.rows() && whole && self.bytes == 4 {
            let top = self.lane(x, y, sample, 0);
            let low = self.lane(x, y, sample, 8);
            // The lower row ends last.
            if self.holds(low, 32)
                && let (Some(a), Some(b)) = (memory.cell(top), memory.cell(low))
            {
                a.store(merge(a.load(), &words[..8], mask));
                b.store(merge(b.load(), &words[8..], mask >> 8));
                return;
            }
        }
        self.store_slow(memory, x, y, sample, mask, words);
    }

    #[inline(never)]
    fn store_slow(
        &self,
        memory: SharedBytes<'_>,
        x: i32,
        y: i32,
        sample: (u32, u32),
        mask: u16,
        words: &[u32; LANES],
    ) {
        for (lane, &word) in words.iter().enumerate() {
            let addr = self.lane(x, y, sample, lane);
            if mask >> lane & 1 != 0 && self.holds(addr, self.bytes as usize) {
                write_word(memory, addr, self.bytes, word);
            }
        }
    }

    /// Fills sample columns `x0..x1` of row `y` with `(old & !bits) | (value & bits)`.
    #[inline(always)]
    pub fn fill(&self, memory: SharedBytes<'_>, x0: u32, x1: u32, y: u32, value: u32, bits: u32) {
        let (from, to) = (self.addr(x0, y), self.addr(x1, y));
        if self.swizzle.is_none()
            && self.bytes == 4
            && to <= self.end
            && let Some(row) = memory.part(from, to - from)
        {
            fill_words(row, value, bits);
            return;
        }
        // Pixels of several words have the value in each.
        let words = (self.bytes / 4).max(1) as usize;
        for x in x0..x1 {
            for addr in (0..words).map(|i| self.addr(x, y) + 4 * i) {
                let size = self.bytes.min(4);
                if self.holds(addr, size as usize) {
                    let word = read_word(memory, addr, size) & !bits | value & bits;
                    write_word(memory, addr, size, word);
                }
            }
        }
    }

    /// How many bytes pixels up to column `w`, row `h` (exclusive) can reach.
    pub fn reach(&self, w: i32, h: i32) -> usize {
        let (w, h) = (w.max(0) as usize, h.max(0) as usize);
        let (sx, sy) = (self.scale.0 as usize, self.scale.1 as usize);
        let size = match self.swizzle {
            Some((lw, lh)) => (self.bytes as usize) << (lw + lh).min(32),
            None => (h * sy).saturating_sub(1) * self.pitch + w * sx * self.bytes as usize,
        };
        size.min(self.end)
    }
}

/// Replaces the bits in `bits` of all words.
#[inline(always)]
fn fill_words(row: SharedBytes<'_>, value: u32, bits: u32) {
    for word in row.cells::<u32>() {
        let old = if bits == u32::MAX { 0 } else { word.load() };
        word.store(old & !bits | value & bits);
    }
}

/// Sixteen words in memory, one per lane. No lane may belong to another worker while
/// they are used.
pub trait Words {
    /// The words of all lanes.
    fn load(&self) -> [u32; LANES];
    /// Writes all lanes.
    fn store(&self, words: &[u32; LANES]);
}

/// A block's two rows, see [`Area::block`].
#[derive(Clone, Copy)]
pub struct Block<'m> {
    top: Cell<'m, [u32; 8]>,
    low: Cell<'m, [u32; 8]>,
}

impl Block<'_> {
    /// The words of its rows.
    #[inline(always)]
    pub fn rows(&self) -> [[u32; 8]; 2] {
        [self.top.load(), self.low.load()]
    }
}

impl Words for Block<'_> {
    #[inline(always)]
    fn load(&self) -> [u32; LANES] {
        let mut out = [0; LANES];
        let [a, b] = self.rows();
        out[..8].copy_from_slice(&a);
        out[8..].copy_from_slice(&b);
        out
    }

    #[inline(always)]
    fn store(&self, words: &[u32; LANES]) {
        let (mut a, mut b) = ([0; 8], [0; 8]);
        a.copy_from_slice(&words[..8]);
        b.copy_from_slice(&words[8..]);
        self.top.store(a);
        self.low.store(b);
    }
}

/// A rectangle of pixels, see [`Plane::area`].
#[derive(Clone, Copy)]
pub struct Area<'m>(memory::Area<'m>);

impl<'m> Area<'m> {
    /// Where the pixel is that columns and rows are counted from, and how many bytes there
    /// are from row to row, less than 2^24.
    #[inline(always)]
    pub fn parts(&self) -> (*mut u8, i32) {
        let (start, pitch) = self.0.parts();
        (start, pitch as i32)
    }

    /// Are the pixels of the 2x2 quad at (x, y) inside? Builds without debug assertions always
    /// say so.
    #[inline(always)]
    pub fn has_quad(&self, x: i32, y: i32) -> bool {
        self.0.has::<[u32; 2]>(x, y) && self.0.has::<[u32; 2]>(x, y + 1)
    }

    /// The words of the block at pixel (x, y).
    ///
    /// # Safety
    /// All of its pixels must be inside the area.
    #[inline(always)]
    pub unsafe fn block(&self, x: i32, y: i32) -> Block<'m> {
        // SAFETY: the caller's promise.
        let [top, low] = unsafe { [self.0.cell(x, y), self.0.cell(x, y + 1)] };
        Block { top, low }
    }

    /// Reads the 2x2 quad at pixel (x, y).
    ///
    /// # Safety
    /// All of its pixels must be inside the area.
    #[inline(always)]
    pub unsafe fn read_quad(&self, x: i32, y: i32) -> [[u32; 2]; 2] {
        // SAFETY: the caller's promise.
        unsafe { [self.0.cell(x, y).load(), self.0.cell(x, y + 1).load()] }
    }

    /// Writes it.
    ///
    /// # Safety
    /// All of its pixels must be inside the area.
    #[inline(always)]
    pub unsafe fn write_quad(&self, x: i32, y: i32, [a, b]: [[u32; 2]; 2]) {
        // SAFETY: the caller's promise.
        unsafe {
            self.0.cell(x, y).store(a);
            self.0.cell(x, y + 1).store(b);
        }
    }
}

/// Takes the new words of the lanes in `mask`, the old ones elsewhere.
#[inline(always)]
fn merge(mut old: [u32; 8], new: &[u32], mask: u16) -> [u32; 8] {
    for i in 0..8 {
        let take = u32::from(mask >> i & 1).wrapping_neg();
        old[i] = old[i] & !take | new[i] & take;
    }
    old
}

/// How a colour word is packed (SURFACE_FORMAT's colour codes on Kelvin).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Color {
    /// X1R5G5B5 with the X bit 0 or 1.
    X1R5G5B5 {
        /// X is all ones.
        ones: bool,
    },
    /// R5G6B5.
    R5G6B5,
    /// X8R8G8B8 with X 0 or FFh.
    X8R8G8B8 {
        /// X is all ones.
        ones: bool,
    },
    /// X1A7R8G8B8 with the X bit 0 or 1.
    X1A7R8G8B8 {
        /// X is all ones.
        ones: bool,
    },
    /// A8R8G8B8.
    #[default]
    A8R8G8B8,
    /// B8.
    B8,
    /// G8B8.
    G8B8,
    /// A8B8G8R8, optionally with a forced top byte (Rankine and up).
    A8B8G8R8 {
        /// The top byte is all ones, all zeros, or alpha.
        forced: Option<bool>,
    },
    /// Four half floats, R first.
    Rgba16f,
    /// Four floats, R first.
    Rgba32f,
    /// One float.
    R32f,
}

impl Color {
    /// Bytes per word.
    pub const fn bytes(self) -> u32 {
        match self {
            Color::B8 => 1,
            Color::X1R5G5B5 { .. } | Color::R5G6B5 | Color::G8B8 => 2,
            Color::Rgba16f => 8,
            Color::Rgba32f => 16,
            _ => 4,
        }
    }

    /// Are its channels floats?
    pub const fn is_float(self) -> bool {
        matches!(self, Color::Rgba16f | Color::Rgba32f | Color::R32f)
    }

    /// The word's bits that a pixel changes if these of R, G, B, A are written.
    pub fn written(self, mask: [bool; 4]) -> u32 {
        let channels = self.channels().into_iter().zip(mask);
        let bits = channels
            .filter(|(_, on)| *on)
            .fold(0, |all, (bits, _)| all | bits);
        // Whoever writes a pixel writes its X bits.
        if bits == 0 { 0 } else { bits | self.forced().0 }
    }

    /// Bits that writing forces, and to what.
    pub const fn forced(self) -> (u32, u32) {
        const fn pair(mask: u32, ones: bool) -> (u32, u32) {
            (mask, if ones { mask } else { 0 })
        }
        match self {
            Color::X1R5G5B5 { ones } => pair(0x8000, ones),
            Color::X8R8G8B8 { ones } => pair(0xff00_0000, ones),
            Color::X1A7R8G8B8 { ones } => pair(0x8000_0000, ones),
            Color::A8B8G8R8 { forced: Some(ones) } => pair(0xff00_0000, ones),
            _ => (0, 0),
        }
    }

    /// The word's bits that belong to R, G, B, A.
    pub const fn channels(self) -> [u32; 4] {
        match self {
            Color::X1R5G5B5 { .. } => [0x7c00, 0x3e0, 0x1f, 0],
            Color::R5G6B5 => [0xf800, 0x7e0, 0x1f, 0],
            Color::X8R8G8B8 { .. } => [0xff_0000, 0xff00, 0xff, 0],
            Color::X1A7R8G8B8 { .. } => [0xff_0000, 0xff00, 0xff, 0x7f00_0000],
            Color::A8R8G8B8 => [0xff_0000, 0xff00, 0xff, 0xff00_0000],
            Color::B8 => [0, 0, 0xff, 0],
            Color::G8B8 => [0, 0xff00, 0xff, 0],
            Color::A8B8G8R8 { forced: None } => [0xff, 0xff00, 0xff_0000, 0xff00_0000],
            Color::A8B8G8R8 { .. } => [0xff, 0xff00, 0xff_0000, 0],
            Color::Rgba16f | Color::Rgba32f | Color::R32f => [0; 4],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory of a test's own.
    fn shared(bytes: &mut [u8]) -> SharedBytes<'_> {
        // SAFETY: tests use it in one thread.
        unsafe { SharedBytes::new(bytes) }
    }

    #[test]
    fn lanes_come_back() {
        let mut bytes = vec![0u8; 4096];
        let ram = shared(&mut bytes);
        for swizzle in [None, Some((4, 4))] {
            for bytes in [1, 2, 4] {
                let plane = Plane {
                    address: 0,
                    end: 4096,
                    pitch: 64,
                    bytes,
                    swizzle,
                    scale: (1, 1),
                };
                let words: [u32; LANES] = std::array::from_fn(|i| 17 * i as u32 + 1);
                plane.store(ram, 8, 2, (0, 0), 0xffff, &words, true);
                plane.store(ram, 8, 2, (0, 0), 0x8001, &[9; LANES], false);
                let got = plane.load(ram, 8, 2, (0, 0));
                for i in 0..LANES {
                    let want = if i % 15 == 0 { 9 } else { words[i] & 0xff };
                    assert_eq!(got[i] & 0xff, want, "{bytes} {swizzle:?} {i}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_written_beyond_the_end() {
        let mut bytes = vec![0u8; 100];
        let ram = shared(&mut bytes);
        let plane = Plane {
            address: 0,
            end: 10,
            pitch: 32,
            bytes: 4,
            swizzle: None,
            scale: (1, 1),
        };
        plane.store(ram, 0, 0, (0, 0), 0xffff, &[!0; LANES], true);
        assert!(bytes[8..].iter().all(|&b| b == 0));
        assert_eq!(bytes[7], 0xff);
    }

    fn plane(bytes: u32, end: usize) -> Plane {
        Plane {
            address: 0,
            end,
            pitch: 64,
            bytes,
            swizzle: None,
            scale: (1, 1),
        }
    }

    #[test]
    fn words_lie_at_pitch_size_and_scale() {
        let p = plane(2, 4096);
        assert_eq!(p.addr(3, 5), 5 * 64 + 6);
        assert_eq!(p.lane(8, 2, (0, 0), 0), 2 * 64 + 16);
        assert_eq!(p.lane(8, 2, (0, 0), 13), 3 * 64 + 26);
        let p = Plane {
            scale: (2, 2),
            ..plane(4, 4096)
        };
        // Sample (1, 0) of pixel (9, 3): column 19, row 6.
        assert_eq!(p.lane(8, 2, (1, 0), 9), 6 * 64 + 19 * 4);
        assert_eq!(p.lane(8, 2, (0, 1), 9), 7 * 64 + 18 * 4);
        let p = Plane {
            swizzle: Some((3, 2)),
            ..plane(4, 4096)
        };
        // x 101, y 10: bits x0 y0 x1 y1 x2.
        assert_eq!(p.addr(5, 2), 4 * 0b11001);
    }

    /// Memory in which every byte tells its place.
    fn counted() -> Vec<u8> {
        (0..1024).map(|i| (i * 7 + i / 256) as u8).collect()
    }

    #[test]
    fn loads_read_what_is_there() {
        let mut bytes = counted();
        let copy = bytes.clone();
        let ram = shared(&mut bytes);
        for size in [1, 2, 4] {
            for scale in [(1, 1), (2, 1)] {
                let p = Plane {
                    scale,
                    ..plane(size, 1024)
                };
                let got = p.load(ram, 8, 3, (0, 0));
                for (lane, word) in got.into_iter().enumerate() {
                    let x = (8 + lane % 8) * scale.0 as usize;
                    let at = (3 + lane / 8) * 64 + x * size as usize;
                    let want =
                        (0..size as usize).fold(0, |w, i| w | u32::from(copy[at + i]) << (8 * i));
                    assert_eq!(word, want, "{size} {scale:?} {lane}");
                }
            }
        }
        // Rows that reach beyond memory: what is outside reads 0.
        for (size, row) in [(4, 32), (2, 16)] {
            let p = plane(size, 1024);
            let end = 1024 - 64 * 14 - row + size as usize;
            let mut short = copy[..64 * 14 + end].to_vec();
            let ram = shared(&mut short);
            let got = p.load(ram, 0, 13, (0, 0));
            let at = 64 * 14;
            assert_eq!(got[8] as u8, copy[at], "{size}");
            let inside = end / size as usize;
            for lane in 0..8 {
                let want = lane < inside;
                assert_eq!(got[8 + lane] != 0, want, "{size} {lane}");
            }
        }
    }

    #[test]
    fn stores_touch_their_lanes_alone() {
        for size in [1, 2, 4] {
            for whole in [true, false] {
                let mut bytes = counted();
                let mut want = bytes.clone();
                let p = plane(size, 1024);
                let words: [u32; LANES] = std::array::from_fn(|i| 0x0101_0101 * (i as u32 + 200));
                let mask = 0b1001_0000_0110_0010;
                p.store(shared(&mut bytes), 8, 3, (0, 0), mask, &words, whole);
                for lane in 0..LANES {
                    if mask >> lane & 1 != 0 {
                        let at = (3 + lane / 8) * 64 + (8 + lane % 8) * size as usize;
                        let n = size as usize;
                        want[at..at + n].copy_from_slice(&words[lane].to_le_bytes()[..n]);
                    }
                }
                assert!(bytes == want, "{size} {whole}");
            }
        }
    }

    #[test]
    fn the_end_of_a_plane_holds_for_every_path() {
        // Two rows of a block end at 64 + 32: one byte less and the last word stays.
        for (end, last) in [(96, true), (95, false)] {
            let mut bytes = vec![0; 1024];
            let ram = shared(&mut bytes);
            let p = plane(4, end);
            p.store(ram, 0, 0, (0, 0), !0, &[!0; LANES], true);
            assert_eq!(
                read_word(ram, 64 + 28, 4),
                if last { !0 } else { 0 },
                "{end}"
            );
            assert_eq!(read_word(ram, 64 + 24, 4), !0);
            assert_eq!(read_word(ram, 96, 4), 0);
        }
    }

    #[test]
    fn fills_change_bits_between_columns() {
        for (bytes, bits) in [(4, !0), (4, 0xff00), (2, 0xffff), (2, 0xf0), (1, 0xff)] {
            for swizzle in [None, Some((4, 4))] {
                let mut memory = vec![0x55; 1024];
                let ram = shared(&mut memory);
                let p = Plane {
                    swizzle,
                    ..plane(bytes, 1024)
                };
                p.fill(ram, 3, 6, 2, 0x1234_5678, bits);
                let all = u32::MAX >> (32 - 8 * bytes);
                for y in 0..4 {
                    for x in 0..12 {
                        let got = read_word(ram, p.addr(x, y), bytes);
                        let want = if y == 2 && (3..6).contains(&x) {
                            (0x5555_5555 & !bits | 0x1234_5678 & bits) & all
                        } else {
                            0x5555_5555 & all
                        };
                        assert_eq!(got, want, "{bytes} {bits:x} {swizzle:?} {x} {y}");
                    }
                }
            }
        }
        // Columns behind the end are left alone.
        for bits in [!0, 0xff] {
            let mut memory = vec![0; 1024];
            let ram = shared(&mut memory);
            plane(4, 64 + 20).fill(ram, 0, 8, 1, !0, bits);
            assert_eq!(
                [read_word(ram, 64 + 16, 4), read_word(ram, 64 + 20, 4)],
                [bits, 0]
            );
        }
    }

    #[test]
    fn reach_is_the_last_byte_that_pixels_touch() {
        assert_eq!(plane(4, 4096).reach(10, 3), 2 * 64 + 40);
        assert_eq!(plane(4, 100).reach(10, 3), 100);
        assert_eq!(plane(4, 4096).reach(-1, -1), 0);
        let p = Plane {
            scale: (2, 2),
            ..plane(2, 4096)
        };
        assert_eq!(p.reach(10, 3), 5 * 64 + 40);
        let p = Plane {
            swizzle: Some((3, 2)),
            ..plane(4, 4096)
        };
        assert_eq!(p.reach(1, 1), 128);
    }

    #[test]
    fn memory_ends_where_it_ends() {
        let mut bytes = counted();
        bytes.truncate(10);
        let copy = bytes.clone();
        let ram = shared(&mut bytes);
        assert_eq!(
            read_word(ram, 6, 4),
            u32::from_le_bytes([copy[6], copy[7], copy[8], copy[9]])
        );
        assert_eq!(
            [
                read_word(ram, 7, 4),
                read_word(ram, 9, 2),
                read_word(ram, 10, 1)
            ],
            [0; 3]
        );
        assert_eq!(read_word(ram, 9, 1), u32::from(copy[9]));
        write_word(ram, 7, 4, !0);
        write_word(ram, 9, 2, !0);
        write_word(ram, usize::MAX, 4, !0);
        assert_eq!(bytes, copy);
    }

    /// Pixels of several words are cleared whole, and the columns beside them are not.
    #[test]
    fn fills_change_pixels_of_floats() {
        for size in [8, 16] {
            let mut memory = vec![0x55; 1024];
            let ram = shared(&mut memory);
            plane(size, 2 * 64 + 40).fill(ram, 1, 4, 2, 0x1234_5678, 0xff00_ffff);
            for at in (0..1024).step_by(4) {
                let inside =
                    (128 + size as usize..128 + 40).contains(&at) && at < 128 + 4 * size as usize;
                let want = if inside { 0x1255_5678 } else { 0x5555_5555 };
                assert_eq!(read_word(ram, at, 4), want, "{size} {at}");
            }
        }
    }

    /// An area is for words in rows that lie inside as a whole.
    #[test]
    fn areas_are_inside() {
        let mut bytes = counted();
        let ram = shared(&mut bytes);
        let has = |p: Plane, rect| p.area(ram, rect, [0, 0]).is_some();
        let whole = [0, 0, 16, 16];
        assert!(has(plane(4, 1024), whole));
        assert!(!has(plane(4, 1023), whole));
        assert!(!has(plane(4, 4096), [0, 0, 16, 17]), "memory ends before");
        assert!(!has(plane(4, 4096), [-1, 0, 8, 8]));
        assert!(!has(plane(4, 4096), [0, -1, 8, 8]));
        assert!(!has(plane(2, 1024), [0, 0, 8, 8]));
        let swizzle = Some((4, 4));
        assert!(!has(
            Plane {
                swizzle,
                ..plane(4, 1024)
            },
            whole
        ));
        let scale = (2, 1);
        assert!(!has(
            Plane {
                scale,
                ..plane(4, 1024)
            },
            [0, 0, 8, 8]
        ));
        // A gather's offset has 32 bits: a block's rows must not be further apart.
        for (pitch, fits) in [((1 << 24) - 1, true), (1 << 24, false)] {
            let wide = Plane {
                pitch,
                ..plane(4, 1024)
            };
            assert_eq!(has(wide, [0, 0, 8, 1]), fits, "{pitch:x}");
        }
    }

    /// It counts from its origin.
    #[test]
    fn areas_read_and_write_their_pixels() {
        let mut bytes = counted();
        let copy = bytes.clone();
        let ram = shared(&mut bytes);
        let word = |x: usize, y: usize| {
            let at = 64 * y + 4 * x;
            u32::from_le_bytes([copy[at], copy[at + 1], copy[at + 2], copy[at + 3]])
        };
        let p = plane(4, 1024);
        let area = p.area(ram, [0, 0, 16, 16], [4, 2]).expect("inside");
        assert_eq!(area.parts().1, 64);
        assert!(area.has_quad(10, 12));
        // SAFETY: both lie in the area.
        let (quad, block) = unsafe { (area.read_quad(2, 1), area.block(1, 3).load()) };
        assert_eq!(quad, [[word(6, 3), word(7, 3)], [word(6, 4), word(7, 4)]]);
        for (lane, got) in block.into_iter().enumerate() {
            assert_eq!(got, word(5 + lane % 8, 5 + lane / 8), "{lane}");
        }
        // SAFETY: as above.
        unsafe {
            area.write_quad(2, 1, [[1, 2], [3, 4]]);
            area.block(1, 3)
                .store(&std::array::from_fn(|i| 100 + i as u32));
        }
        let now = |x, y| read_word(ram, p.addr(x, y), 4);
        assert_eq!([now(6, 3), now(7, 3), now(6, 4), now(7, 4)], [1, 2, 3, 4]);
        assert_eq!(
            [now(5, 5), now(12, 5), now(5, 6), now(12, 6)],
            [100, 107, 108, 115]
        );
        assert_eq!([now(13, 5), now(4, 6)], [word(13, 5), word(4, 6)]);
    }
}
