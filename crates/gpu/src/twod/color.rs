//! Pixel formats of the 2D surfaces and the colours that go into them.

/// The format of a surface that 2D draws to or copies from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Bytes that are no colour.
    Y8,
    /// 1-5-5-5; bit 15 is written as this.
    X1R5G5B5(u32),
    /// 5-6-5.
    R5G6B5,
    /// Half-words that are no colour.
    Y16,
    /// 8-8-8-8; bits 31 to 24 are written as this.
    X8R8G8B8(u32),
    /// 1-7-8-8-8; bit 31 is written as this.
    X1A7R8G8B8(u32),
    /// 8-8-8-8 with alpha.
    A8R8G8B8,
    /// Words that are no colour.
    Y32,
}

use Format::*;

impl Format {
    /// By the number of the FORMAT methods of classes 42h, 62h, 52h and 9Eh.
    pub(crate) fn of_surface(code: u32) -> Option<Format> {
        Some(match code & 0xFF {
            1 => Y8,
            2 => X1R5G5B5(0),
            3 => X1R5G5B5(0x8000),
            4 => R5G6B5,
            5 => Y16,
            6 => X8R8G8B8(0),
            7 => X8R8G8B8(0xFF00_0000),
            8 => X1A7R8G8B8(0),
            9 => X1A7R8G8B8(0x8000_0000),
            0xA => A8R8G8B8,
            0xB => Y32,
            _ => return None,
        })
    }

    /// Bytes per pixel.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Y8 => 1,
            X1R5G5B5(_) | R5G6B5 | Y16 => 2,
            _ => 4,
        }
    }

    /// Does the surface hold plain numbers?
    pub(crate) fn is_plain(self) -> bool {
        matches!(self, Y8 | Y16 | Y32)
    }

    /// A colour A8R8G8B8 (or a number) to a pixel.
    pub(crate) fn pack(self, c: u32) -> u32 {
        match self {
            Y8 => c & 0xFF,
            Y16 => c & 0xFFFF,
            X1R5G5B5(fill) => (c >> 9 & 0x7C00) | (c >> 6 & 0x3E0) | (c >> 3 & 0x1F) | fill,
            R5G6B5 => (c >> 8 & 0xF800) | (c >> 5 & 0x7E0) | (c >> 3 & 0x1F),
            X8R8G8B8(fill) => (c & 0x00FF_FFFF) | fill,
            X1A7R8G8B8(fill) => (c >> 1 & 0x7F00_0000) | (c & 0x00FF_FFFF) | fill,
            A8R8G8B8 | Y32 => c,
        }
    }

    /// A pixel to a colour A8R8G8B8 (or a number).
    pub(crate) fn unpack(self, p: u32) -> u32 {
        match self {
            Y8 | Y16 | Y32 | A8R8G8B8 => p,
            X1R5G5B5(_) => expand_555(p) | 0xFF00_0000,
            R5G6B5 => expand_565(p),
            X8R8G8B8(_) => p | 0xFF00_0000,
            X1A7R8G8B8(_) => {
                let a = p >> 24 & 0x7F;
                (a << 1 | a >> 6) << 24 | (p & 0x00FF_FFFF)
            }
        }
    }

    /// A pixel of this format as another surface of this format stores it: bits without
    /// meaning take their fixed value.
    pub(crate) fn store(self, p: u32) -> u32 {
        match self {
            X1R5G5B5(fill) => (p & 0x7FFF) | fill,
            X8R8G8B8(fill) => (p & 0x00FF_FFFF) | fill,
            X1A7R8G8B8(fill) => (p & 0x7FFF_FFFF) | fill,
            _ => p,
        }
    }
}

fn five(v: u32) -> u32 {
    let v = v & 31;
    v << 3 | v >> 2
}

fn six(v: u32) -> u32 {
    let v = v & 63;
    v << 2 | v >> 4
}

fn expand_555(p: u32) -> u32 {
    five(p >> 10) << 16 | five(p >> 5) << 8 | five(p)
}

fn expand_565(p: u32) -> u32 {
    0xFF00_0000 | five(p >> 11) << 16 | six(p >> 5) << 8 | five(p)
}

/// The colour of a solid (classes 5Ch, 5Eh, 4Ah), of a pattern or an inline image by its
/// COLOR_FORMAT. `alpha` says whether the class's formats carry alpha.
pub(super) fn solid(format: u32, value: u32, alpha: bool) -> u32 {
    let opaque = |c: u32, a: u32| {
        if alpha {
            (c & 0x00FF_FFFF) | a << 24
        } else {
            c | 0xFF00_0000
        }
    };
    match format {
        1 => opaque(expand_565(value), value >> 16 & 0xFF),
        2 => opaque(expand_555(value), if value & 0x8000 != 0 { 255 } else { 0 }),
        _ => opaque(value, value >> 24),
    }
}

/// How an image in memory or in the pushbuffer is made of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texel {
    A1R5G5B5,
    X1R5G5B5,
    A8R8G8B8,
    X8R8G8B8,
    R5G6B5,
    Y8,
    AY8,
    /// Two pixels in a word: V8 YB8 U8 YA8 from the top, or the same with luma and
    /// chroma exchanged.
    Yuv {
        luma_high: bool,
    },
}

impl Texel {
    /// By COLOR_FORMAT of the scaled image from memory.
    pub(crate) fn of_sifm(code: u32) -> Option<Texel> {
        Some(match code {
            1 => Texel::A1R5G5B5,
            2 => Texel::X1R5G5B5,
            3 => Texel::A8R8G8B8,
            4 => Texel::X8R8G8B8,
            5 => Texel::Yuv { luma_high: false },
            6 => Texel::Yuv { luma_high: true },
            7 => Texel::R5G6B5,
            8 => Texel::Y8,
            9 => Texel::AY8,
            _ => return None,
        })
    }

    /// By COLOR_FORMAT of the image from the CPU.
    pub(crate) fn of_ifc(code: u32) -> Option<Texel> {
        Some(match code {
            1 => Texel::R5G6B5,
            2 => Texel::A1R5G5B5,
            3 => Texel::X1R5G5B5,
            4 => Texel::A8R8G8B8,
            5 => Texel::X8R8G8B8,
            _ => return None,
        })
    }

    /// Bytes per texel.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Texel::A8R8G8B8 | Texel::X8R8G8B8 => 4,
            Texel::Y8 | Texel::AY8 => 1,
            _ => 2,
        }
    }

    /// The colour of a texel. `word` is the texel itself, for YUV the pair's word; `odd`
    /// says which of the pair. Into a surface of plain numbers the texel goes as it is.
    pub(crate) fn color(self, word: u32, odd: bool, plain: bool) -> u32 {
        if plain && !matches!(self, Texel::Yuv { .. }) {
            return word;
        }
        match self {
            Texel::A8R8G8B8 => word,
            Texel::X8R8G8B8 => word | 0xFF00_0000,
            Texel::A1R5G5B5 => expand_555(word) | if word & 0x8000 != 0 { 0xFF00_0000 } else { 0 },
            Texel::X1R5G5B5 => expand_555(word) | 0xFF00_0000,
            Texel::R5G6B5 => expand_565(word),
            Texel::Y8 | Texel::AY8 => 0xFF00_0000 | ((word & 0xFF) * 0x01_0101),
            Texel::Yuv { luma_high } => yuv(word, odd, luma_high),
        }
    }
}

/// BT.601 in 8-bit fixed point. A guess but for the standard itself: no capture uses it;
/// a video overlay golden would settle the rounding.
fn yuv(word: u32, odd: bool, luma_high: bool) -> u32 {
    let byte = |n: u32| (word >> (8 * n) & 0xFF) as i32;
    let (y, u, v) = match (luma_high, odd) {
        (false, false) => (byte(0), byte(1), byte(3)),
        (false, true) => (byte(2), byte(1), byte(3)),
        (true, false) => (byte(1), byte(0), byte(2)),
        (true, true) => (byte(3), byte(0), byte(2)),
    };
    let (y, u, v) = (298 * (y - 16), u - 128, v - 128);
    let clamp = |c: i32| ((c + 128) >> 8).clamp(0, 255) as u32;
    let (r, g, b) = (y + 409 * v, y - 100 * u - 208 * v, y + 516 * u);
    0xFF00_0000 | clamp(r) << 16 | clamp(g) << 8 | clamp(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_undoes_unpacking() {
        for code in 1..=0xB {
            let format = Format::of_surface(code).unwrap();
            let mask = (1u64 << (format.bytes() * 8)) - 1;
            for p in [0u32, 0x1234_5678, 0xFFFF_FFFF, 0x8000_8000, 0x7BEF_7BEF] {
                let p = format.store(p & mask as u32);
                assert_eq!(format.pack(format.unpack(p)), p, "{format:?} {p:#x}");
            }
        }
    }

    #[test]
    fn green_of_565_is_full() {
        assert_eq!(solid(1, 0x7E0, false), 0xFF00_FF00);
        assert_eq!(solid(2, 0x3E0, false), 0xFF00_FF00);
        assert_eq!(solid(3, 0x0012_3456, false), 0xFF12_3456);
        assert_eq!(solid(3, 0x0012_3456, true), 0x0012_3456);
    }
}
