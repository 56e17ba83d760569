//! Texel formats: from the bits in memory to the 32 bits that the filters see.
//!
//! A decoded texel is one word, A8R8G8B8, whatever it was. Formats with two
//! 16-bit values keep them as the halves A:R and G:B. Depth formats keep the raw
//! value. YUV texels stay unconverted as R = Y, G = U, B = V: the conversion sits
//! behind the texture shader. Evidence: Texture_format 40 of 40; see
//! docs/accuracy/tex.md.

use isotherm_regs::{Chip, Family};

/// How texels lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Morton order, power-of-two sizes, normalised coordinates, mipmaps.
    Swizzled,
    /// Rows with a pitch, any size, coordinates in texels.
    Linear,
}

/// What a texel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the hardware's names: components from the high bits down
pub enum Texel {
    Y8,
    Ay8,
    A1r5g5b5,
    X1r5g5b5,
    A4r4g4b4,
    R5g6b5,
    A8r8g8b8,
    X8r8g8b8,
    /// Palette index with A8R8G8B8 entries.
    I8,
    /// Palette index with 16-bit entries of the format.
    I8Short(PaletteEntry),
    Dxt1,
    Dxt3,
    Dxt5,
    A8,
    A8y8,
    R6g5b5,
    G8b8,
    R8b8,
    R5g5b5a1,
    R4g4b4a4,
    A8b8g8r8,
    B8g8r8a8,
    R8g8b8a8,
    Y16,
    /// Two 16-bit values, HI in the upper half.
    R16b16,
    /// Two unsigned bytes, widened to 16 bits.
    Hilo8,
    /// Two signed bytes, widened to 16 bits.
    SignedHilo8,
    /// Bytes Y0 U Y1 V.
    Yuy2,
    /// Bytes U Y0 V Y1.
    Uyvy,
    /// A, V, U, Y from the high byte down.
    A8v8u8y8,
    /// Two texels in a word: A4 V6 Y6 above A4 U6 Y6.
    A4v6y6a4u6y6,
    /// Depth in bits 31:8, integer.
    Y24,
    /// Depth in bits 31:8, e8m16.
    Y24Float,
    /// 16-bit depth, integer.
    Z16,
    /// 16-bit depth, e4m12.
    Z16Float,
    /// Two half floats, R in the lower half.
    Rg16f,
    /// Four half floats, R first.
    Rgba16f,
    /// One float.
    R32f,
    /// Four floats, R first.
    Rgba32f,
    /// Nobody knows what these codes mean; they read 0.
    Unknown(u8),
}

/// 16-bit palette entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PaletteEntry {
    A1r5g5b5,
    R5g6b5,
    A4r4g4b4,
}

/// How the filter must treat a decoded texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Four bytes.
    Bytes,
    /// Two 16-bit halves.
    Halves,
    /// A depth to compare with, then a byte.
    Depth,
    /// Four bytes that are Y, U, V.
    Yuv,
}

/// A format code's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// The texel.
    pub texel: Texel,
    /// Its place in memory.
    pub layout: Layout,
}

impl Format {
    /// What the FORMAT field's value means on a chip.
    pub fn of(chip: Chip, code: u32) -> Format {
        use Layout::{Linear, Swizzled};
        let celsius = chip.family() == Family::Celsius;
        let nv25 = chip.since(Chip::Nv25);
        let (texel, layout) = match code {
            0x00 => (Texel::Y8, Swizzled),
            0x01 => (Texel::Ay8, Swizzled),
            0x02 => (Texel::A1r5g5b5, Swizzled),
            0x03 => (Texel::X1r5g5b5, Swizzled),
            0x04 => (Texel::A4r4g4b4, Swizzled),
            0x05 => (Texel::R5g6b5, Swizzled),
            0x06 => (Texel::A8r8g8b8, Swizzled),
            0x07 => (Texel::X8r8g8b8, Swizzled),
            // The order of the three short palettes is a guess (they follow the
            // codes of their entry formats); a game that uses one would settle it.
            0x08 => (Texel::I8Short(PaletteEntry::A1r5g5b5), Swizzled),
            0x09 => (Texel::I8Short(PaletteEntry::R5g6b5), Swizzled),
            0x0a => (Texel::I8Short(PaletteEntry::A4r4g4b4), Swizzled),
            0x0b => (Texel::I8, Swizzled),
            0x0c => (Texel::Dxt1, Swizzled),
            0x0e => (Texel::Dxt3, Swizzled),
            0x0f => (Texel::Dxt5, Swizzled),
            0x10 => (Texel::A1r5g5b5, Linear),
            0x11 => (Texel::R5g6b5, Linear),
            0x12 => (Texel::A8r8g8b8, Linear),
            // rnndb: intensity on Celsius, luminance from Kelvin on.
            0x13 if celsius => (Texel::Ay8, Linear),
            0x13 => (Texel::Y8, Linear),
            0x16 => (Texel::R8b8, Linear),
            0x17 => (Texel::G8b8, Linear),
            0x10..=0x1f if celsius => (Texel::Unknown(code as u8), Linear),
            0x19 => (Texel::A8, Swizzled),
            0x1a => (Texel::A8y8, Swizzled),
            0x1b => (Texel::Ay8, Linear),
            0x1c => (Texel::X1r5g5b5, Linear),
            0x1d => (Texel::A4r4g4b4, Linear),
            0x1e => (Texel::X8r8g8b8, Linear),
            0x1f => (Texel::A8, Linear),
            0x20 => (Texel::A8y8, Linear),
            0x24 => (Texel::Yuy2, Linear),
            0x25 => (Texel::Uyvy, Linear),
            0x26 => (Texel::A8v8u8y8, Linear),
            0x27 => (Texel::R6g5b5, Swizzled),
            0x28 => (Texel::G8b8, Swizzled),
            0x29 => (Texel::R8b8, Swizzled),
            0x2a => (Texel::Y24, Swizzled),
            0x2b => (Texel::Y24Float, Swizzled),
            0x2c => (Texel::Z16, Swizzled),
            0x2d => (Texel::Z16Float, Swizzled),
            0x2e => (Texel::Y24, Linear),
            0x2f => (Texel::Y24Float, Linear),
            0x30 => (Texel::Z16, Linear),
            0x31 => (Texel::Z16Float, Linear),
            0x32 => (Texel::Y16, Swizzled),
            0x33 => (Texel::R16b16, Swizzled),
            0x34 => (Texel::A4v6y6a4u6y6, Linear),
            0x35 => (Texel::Y16, Linear),
            0x36 => (Texel::R16b16, Linear),
            0x37 => (Texel::R6g5b5, Linear),
            0x38 => (Texel::R5g5b5a1, Swizzled),
            0x39 => (Texel::R4g4b4a4, Swizzled),
            0x3a => (Texel::A8b8g8r8, Swizzled),
            0x3b => (Texel::B8g8r8a8, Swizzled),
            0x3c => (Texel::R8g8b8a8, Swizzled),
            0x3d => (Texel::R5g5b5a1, Linear),
            0x3e => (Texel::R4g4b4a4, Linear),
            0x3f => (Texel::A8b8g8r8, Linear),
            0x40 => (Texel::B8g8r8a8, Linear),
            0x41 => (Texel::R8g8b8a8, Linear),
            0x44 if nv25 => (Texel::Hilo8, Swizzled),
            0x45 if nv25 => (Texel::SignedHilo8, Swizzled),
            0x46 if nv25 => (Texel::Hilo8, Linear),
            0x47 if nv25 => (Texel::SignedHilo8, Linear),
            // The bundles page marks which of the unknown codes are RECT.
            0x14 | 0x15 | 0x18 | 0x43 | 0x48 => (Texel::Unknown(code as u8), Linear),
            _ => (Texel::Unknown(code as u8), Swizzled),
        };
        Format { texel, layout }
    }
}

impl Texel {
    /// Bytes per texel; per 4x4 block for DXT.
    pub fn bytes(self) -> u32 {
        match self {
            Texel::Y8 | Texel::Ay8 | Texel::I8 | Texel::I8Short(_) | Texel::A8 => 1,
            Texel::A8r8g8b8
            | Texel::X8r8g8b8
            | Texel::A8b8g8r8
            | Texel::B8g8r8a8
            | Texel::R8g8b8a8
            | Texel::R16b16
            | Texel::A8v8u8y8
            | Texel::Y24
            | Texel::Y24Float
            | Texel::Rg16f
            | Texel::R32f => 4,
            Texel::Dxt1 | Texel::Rgba16f => 8,
            Texel::Dxt3 | Texel::Dxt5 | Texel::Rgba32f => 16,
            _ => 2,
        }
    }

    /// Words that a decoded texel takes: one, or one per component of the float formats.
    pub fn words(self) -> u32 {
        match self {
            Texel::Rg16f => 2,
            Texel::Rgba16f | Texel::Rgba32f => 4,
            _ => 1,
        }
    }

    /// Do its decoded words hold floats?
    pub fn floats(self) -> bool {
        matches!(
            self,
            Texel::Rg16f | Texel::Rgba16f | Texel::R32f | Texel::Rgba32f
        )
    }

    /// Stored as 4x4 blocks?
    pub fn blocks(self) -> bool {
        matches!(self, Texel::Dxt1 | Texel::Dxt3 | Texel::Dxt5)
    }

    /// Two texels share a word?
    pub fn pairs(self) -> bool {
        matches!(self, Texel::Yuy2 | Texel::Uyvy | Texel::A4v6y6a4u6y6)
    }

    /// How to filter it.
    pub fn class(self) -> Class {
        match self {
            Texel::Y16 | Texel::R16b16 | Texel::Hilo8 | Texel::SignedHilo8 => Class::Halves,
            Texel::Y24 | Texel::Y24Float | Texel::Z16 | Texel::Z16Float => Class::Depth,
            Texel::Yuy2 | Texel::Uyvy | Texel::A8v8u8y8 | Texel::A4v6y6a4u6y6 => Class::Yuv,
            _ => Class::Bytes,
        }
    }

    /// The bits of a raw texel that a colour key is compared with.
    pub fn key_mask(self) -> u32 {
        match self {
            Texel::X8r8g8b8 => 0x00ff_ffff,
            Texel::X1r5g5b5 => 0x7fff,
            _ => match self.bytes() {
                1 => 0xff,
                2 => 0xffff,
                _ => !0,
            },
        }
    }
}

/// Widens by repeating the bits from the top.
const fn widen(v: u32, bits: u32) -> u32 {
    match bits {
        1 => v * 255,
        4 => v * 17,
        5 => v << 3 | v >> 2,
        _ => v << 2 | v >> 4,
    }
}

const fn argb(a: u32, r: u32, g: u32, b: u32) -> u32 {
    a << 24 | r << 16 | g << 8 | b
}

/// Four fields of a 16-bit texel, given as (lowest bit, width); width 0 is 255.
const fn short(v: u32, a: (u32, u32), r: (u32, u32), g: (u32, u32), b: (u32, u32)) -> u32 {
    const fn field(v: u32, (low, bits): (u32, u32)) -> u32 {
        if bits == 0 {
            255
        } else {
            widen(v >> low & ((1 << bits) - 1), bits)
        }
    }
    argb(field(v, a), field(v, r), field(v, g), field(v, b))
}

/// A 16-bit colour of the formats that palettes also use.
pub fn decode_short(v: u32, format: PaletteEntry) -> u32 {
    match format {
        PaletteEntry::A1r5g5b5 => short(v, (15, 1), (10, 5), (5, 5), (0, 5)),
        PaletteEntry::R5g6b5 => short(v, (0, 0), (11, 5), (5, 6), (0, 5)),
        PaletteEntry::A4r4g4b4 => short(v, (12, 4), (8, 4), (4, 4), (0, 4)),
    }
}

/// Decodes a raw texel of a format without blocks, pairs or palette.
pub fn decode(texel: Texel, v: u32) -> u32 {
    let (b0, b1, b2, b3) = (v & 255, v >> 8 & 255, v >> 16 & 255, v >> 24);
    match texel {
        Texel::Y8 => argb(255, b0, b0, b0),
        Texel::Ay8 => argb(b0, b0, b0, b0),
        Texel::A1r5g5b5 => decode_short(v, PaletteEntry::A1r5g5b5),
        Texel::X1r5g5b5 => decode_short(v, PaletteEntry::A1r5g5b5) | 0xff00_0000,
        Texel::A4r4g4b4 => decode_short(v, PaletteEntry::A4r4g4b4),
        Texel::R5g6b5 => decode_short(v, PaletteEntry::R5g6b5),
        Texel::A8r8g8b8 | Texel::R16b16 => v,
        Texel::X8r8g8b8 => v | 0xff00_0000,
        Texel::A8 => argb(b0, 255, 255, 255),
        Texel::A8y8 => argb(b1, b0, b0, b0),
        Texel::R6g5b5 => short(v, (0, 0), (10, 6), (5, 5), (0, 5)),
        Texel::G8b8 => v << 16 | v & 0xffff,
        Texel::R8b8 => argb(b1, b1, b0, b0),
        Texel::R5g5b5a1 => short(v, (0, 1), (11, 5), (6, 5), (1, 5)),
        Texel::R4g4b4a4 => short(v, (0, 4), (12, 4), (8, 4), (4, 4)),
        // A, V, U, Y as R = Y, G = U, B = V is the same shuffle.
        Texel::A8b8g8r8 | Texel::A8v8u8y8 => argb(b3, b0, b1, b2),
        Texel::B8g8r8a8 => argb(b0, b1, b2, b3),
        Texel::R8g8b8a8 => argb(b0, b3, b2, b1),
        Texel::Y16 => 0xffff_0000 | v,
        Texel::Hilo8 => argb(b1, b1, b0, b0),
        Texel::SignedHilo8 => {
            // The widening of signed bytes is a guess: 127 becomes 32767.
            let wide = |b: u32| {
                let x = f32::from(b as u8 as i8) * 32767.0 / 127.0;
                (x.round() as i32).max(-32768) as u32 & 0xffff
            };
            wide(b1) << 16 | wide(b0)
        }
        Texel::Y24 | Texel::Y24Float => v >> 8,
        Texel::Z16 | Texel::Z16Float => v & 0xffff,
        _ => 0,
    }
}

/// A half float's bits as those of a single: every half is one.
pub fn half_to_single(h: u16) -> u32 {
    let (sign, low) = (u32::from(h & 0x8000) << 16, u32::from(h & 0x7fff));
    let magnitude = match low {
        0x7c00.. => low << 13 | 0x7f80_0000,
        // The exponents' biases differ by 112.
        0x0400.. => (low << 13) + (112 << 23),
        // Denormals are multiples of 2^-24.
        _ => (low as f32 / 16_777_216.0).to_bits(),
    };
    sign | magnitude
}

/// Decodes texel `odd` of the pair in the 32-bit word `v`, as R = Y, G = U, B = V.
pub fn decode_pair(texel: Texel, v: u32, odd: bool) -> u32 {
    let byte = |n: u32| v >> (8 * n) & 255;
    let k = u32::from(odd);
    match texel {
        Texel::Yuy2 => argb(255, byte(2 * k), byte(1), byte(3)),
        Texel::Uyvy => argb(255, byte(2 * k + 1), byte(0), byte(2)),
        _ => {
            let half = v >> (16 * k);
            argb(
                widen(half >> 12 & 15, 4),
                widen(half & 63, 6),
                widen(v >> 6 & 63, 6),
                widen(v >> 22 & 63, 6),
            )
        }
    }
}

/// Y, U, V (in R, G, B) to R, G, B; alpha stays. Exact on all 65,536 texels of
/// Texture_format YUY2 and UYVY; the chroma terms of R and G are always even.
pub fn yuv_to_rgb([y, u, v, a]: [i32; 4]) -> [i32; 4] {
    let l = (149 * y) >> 7;
    [
        (l + 2 * ((409 * v) >> 9) - 223).clamp(0, 255),
        (l - 2 * ((25 * u) >> 7) - 2 * ((13 * v) >> 5) + 136).clamp(0, 255),
        (l + ((129 * u) >> 6) - 277).clamp(0, 255),
        a,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kelvin(code: u32, v: u32) -> u32 {
        decode(Format::of(Chip::Nv2a, code).texel, v)
    }

    #[test]
    fn direct_formats() {
        for (swizzled, linear, raw, want) in [
            (0x00, 0x13, 0x5a, 0xff5a_5a5a),
            (0x01, 0x1b, 0x5a, 0x5a5a_5a5a),
            (
                0x02,
                0x10,
                0x8000 | 0x11 << 10 | 0x0a << 5 | 0x15,
                0xff8c_52ad,
            ),
            (0x03, 0x1c, 0x11 << 10 | 0x0a << 5 | 0x15, 0xff8c_52ad),
            (0x04, 0x1d, 0x1234, 0x1122_3344),
            (0x05, 0x11, 0x11 << 11 | 0x2a << 5 | 0x15, 0xff8c_aaad),
            (0x06, 0x12, 0x1234_5678, 0x1234_5678),
            (0x07, 0x1e, 0x1234_5678, 0xff34_5678),
            (0x19, 0x1f, 0x5a, 0x5aff_ffff),
            (0x1a, 0x20, 0x125a, 0x125a_5a5a),
            (0x27, 0x37, 0x2a << 10 | 0x11 << 5 | 0x15, 0xffaa_8cad),
            (0x28, 0x17, 0x1234, 0x1234_1234),
            (0x29, 0x16, 0x1234, 0x1212_3434),
            (0x32, 0x35, 0x1234, 0xffff_1234),
            (0x33, 0x36, 0x1234_5678, 0x1234_5678),
            (
                0x38,
                0x3d,
                0x11 << 11 | 0x0a << 6 | 0x15 << 1 | 1,
                0xff8c_52ad,
            ),
            (0x39, 0x3e, 0x1234, 0x4411_2233),
            (0x3a, 0x3f, 0x1234_5678, 0x1278_5634),
            (0x3b, 0x40, 0x1234_5678, 0x7856_3412),
            (0x3c, 0x41, 0x1234_5678, 0x7812_3456),
            (0x2a, 0x2e, 0x1234_5678, 0x0012_3456),
            (0x2b, 0x2f, 0x1234_5678, 0x0012_3456),
            (0x2c, 0x30, 0x5678, 0x5678),
            (0x2d, 0x31, 0x5678, 0x5678),
        ] {
            assert_eq!(kelvin(swizzled, raw), want, "{swizzled:x}");
            assert_eq!(kelvin(linear, raw), want, "{linear:x}");
            assert_eq!(Format::of(Chip::Nv2a, swizzled).layout, Layout::Swizzled);
            assert_eq!(Format::of(Chip::Nv2a, linear).layout, Layout::Linear);
        }
        assert_eq!(kelvin(0x26, 0x1234_5678), 0x1278_5634);
        assert_eq!(kelvin(0x02, 0), 0);
        assert_eq!(kelvin(0x38, 0xfffe), 0x00ff_ffff);
    }

    #[test]
    fn sizes_and_classes() {
        for (code, bytes, class) in [
            (0x00, 1, Class::Bytes),
            (0x0b, 1, Class::Bytes),
            (0x05, 2, Class::Bytes),
            (0x06, 4, Class::Bytes),
            (0x0c, 8, Class::Bytes),
            (0x0e, 16, Class::Bytes),
            (0x24, 2, Class::Yuv),
            (0x26, 4, Class::Yuv),
            (0x2e, 4, Class::Depth),
            (0x30, 2, Class::Depth),
            (0x32, 2, Class::Halves),
            (0x33, 4, Class::Halves),
        ] {
            let t = Format::of(Chip::Nv2a, code).texel;
            assert_eq!((t.bytes(), t.class()), (bytes, class), "{code:x}");
        }
    }

    #[test]
    fn chips_differ() {
        assert_eq!(Format::of(Chip::Nv10, 0x13).texel, Texel::Ay8);
        assert_eq!(Format::of(Chip::Nv17, 0x19).layout, Layout::Linear);
        assert_eq!(Format::of(Chip::Nv25, 0x44).texel, Texel::Hilo8);
        assert_eq!(Format::of(Chip::Nv20, 0x44).texel, Texel::Unknown(0x44));
        assert_eq!(decode(Texel::SignedHilo8, 0x7f80), 0x7fff_8000);
        assert_eq!(decode(Texel::SignedHilo8, 0x81ff), 0x8001_fefe);
        assert_eq!(decode(Texel::Hilo8, 0x7f80), 0x7f7f_8080);
    }

    #[test]
    fn pairs() {
        let v = 0x4433_2211;
        assert_eq!(decode_pair(Texel::Yuy2, v, false), 0xff11_2244);
        assert_eq!(decode_pair(Texel::Yuy2, v, true), 0xff33_2244);
        assert_eq!(decode_pair(Texel::Uyvy, v, false), 0xff22_1133);
        assert_eq!(decode_pair(Texel::Uyvy, v, true), 0xff44_1133);
        let v = 0x3 << 28 | 0x2a << 22 | 0x15 << 16 | 0xc << 12 | 0x3f << 6 | 0x01;
        assert_eq!(decode_pair(Texel::A4v6y6a4u6y6, v, false), 0xcc04_ffaa);
        assert_eq!(decode_pair(Texel::A4v6y6a4u6y6, v, true), 0x3355_ffaa);
    }

    #[test]
    fn yuv() {
        // Examples from the Bump_map goldens.
        assert_eq!(yuv_to_rgb([254, 0, 0, 7]), [72, 255, 18, 7]);
        assert_eq!(yuv_to_rgb([34, 33, 32, 255]), [0, 137, 0, 255]);
        assert_eq!(yuv_to_rgb([16, 128, 128, 255]), [0, 0, 0, 255]);
        assert_eq!(yuv_to_rgb([235, 128, 128, 255]), [254, 255, 254, 255]);
    }
}
