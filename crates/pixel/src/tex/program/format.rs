//! Texel formats of the units: what the codes mean, and what a decoded texel holds.

use crate::tex::format::{Class, Format, Layout, Texel};
use isotherm_regs::Chip;
use isotherm_regs::bundle::{CURIE_TEX_FORMAT as Curie, TEX_FORMAT, TEX_FORMAT_COLOR as Rankine};

/// What the words of a decoded texel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A8R8G8B8.
    Bytes,
    /// Two 16-bit numbers: how far R, G, B and A lie from the lowest bit. What begins at bit
    /// 24 is a byte.
    Halves([u8; 4]),
    /// A depth to compare with: how many bits it has, and whether it is a float.
    Depth { depth24: bool, float: bool },
    /// R = Y, G = U, B = V, to be converted behind the filter.
    Yuv,
    /// One, two or four floats from R on.
    Floats,
}

/// The format that a word names; `None` if nobody knows it.
pub(super) fn of(chip: Chip, word: u32) -> Option<(Format, Kind)> {
    let format = if chip.since(Chip::Nv40) {
        let layout = if TEX_FORMAT::LINEAR.is_set(chip, word) {
            Layout::Linear
        } else {
            Layout::Swizzled
        };
        Format {
            texel: curie(TEX_FORMAT::CURIE_FORMAT.get(chip, word))?,
            layout,
        }
    } else {
        rankine(chip, TEX_FORMAT::FORMAT.get(chip, word))
    };
    if matches!(format.texel, Texel::Unknown(_)) {
        return None;
    }
    let kind = if format.texel.floats() {
        Kind::Floats
    } else {
        match format.texel.class() {
            Class::Bytes => Kind::Bytes,
            // Alpha has the high byte alone.
            Class::Halves if chip.since(Chip::Nv40) && format.texel == Texel::R16b16 => {
                Kind::Halves([16, 0, 16, 24])
            }
            Class::Halves if chip.since(Chip::Nv40) => Kind::Halves([16, 0, 16, 16]),
            Class::Halves => Kind::Halves([16, 0, 0, 16]),
            Class::Depth => Kind::Depth {
                depth24: matches!(format.texel, Texel::Y24 | Texel::Y24Float),
                float: matches!(format.texel, Texel::Y24Float | Texel::Z16Float),
            },
            // Curie's names say red, green and blue where Kelvin's said Y, U and V.
            Class::Yuv if chip.since(Chip::Nv40) => Kind::Bytes,
            Class::Yuv => Kind::Yuv,
        }
    };
    Some((format, kind))
}

fn rankine(chip: Chip, code: u32) -> Format {
    let texel = match code {
        Rankine::RGBA16F_RECT => Texel::Rgba16f,
        Rankine::RGBA32F_RECT => Texel::Rgba32f,
        Rankine::R32F_RECT => Texel::R32f,
        _ => return Format::of(chip, code),
    };
    Format {
        texel,
        layout: Layout::Linear,
    }
}

fn curie(code: u32) -> Option<Texel> {
    Some(match code {
        // The driver takes luminance from blue, as Kelvin's layout allows.
        Curie::L8 => Texel::Y8,
        Curie::A1R5G5B5 => Texel::A1r5g5b5,
        Curie::A4R4G4B4 => Texel::A4r4g4b4,
        Curie::R5G6B5 => Texel::R5g6b5,
        Curie::A8R8G8B8 => Texel::A8r8g8b8,
        Curie::DXT1 => Texel::Dxt1,
        Curie::DXT3 => Texel::Dxt3,
        Curie::DXT5 => Texel::Dxt5,
        // Low byte in red and blue, high byte in green (and alpha).
        Curie::A8L8 => Texel::G8b8,
        // A guess: the order of the names is that of the bytes from the high end, and the
        // shared two are green and blue. A picture of either format would settle it.
        Curie::B8R8_G8R8 => Texel::Yuy2,
        Curie::R8B8_R8G8 => Texel::Uyvy,
        Curie::R6G5B5 => Texel::R6g5b5,
        Curie::Z24 => Texel::Y24,
        Curie::Z24_FLOAT => Texel::Y24Float,
        Curie::Z16 => Texel::Z16,
        Curie::Z16_FLOAT => Texel::Z16Float,
        // The driver takes the 16 bits from green, where Kelvin's Y16 has them.
        Curie::A16 => Texel::Y16,
        Curie::A16L16 => Texel::R16b16,
        Curie::R5G5B5A1 => Texel::R5g5b5a1,
        Curie::HILO8 => Texel::Hilo8,
        Curie::SIGNED_HILO8 => Texel::SignedHilo8,
        Curie::RGBA16F => Texel::Rgba16f,
        Curie::RGBA32F => Texel::Rgba32f,
        Curie::R32F => Texel::R32f,
        Curie::X1R5G5B5 => Texel::X1r5g5b5,
        Curie::X8R8G8B8 => Texel::X8r8g8b8,
        Curie::RG16F => Texel::Rg16f,
        _ => return None,
    })
}
