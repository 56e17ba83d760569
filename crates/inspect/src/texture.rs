//! Textures as they are decoded: every level, face and slice a picture.

use isotherm::capture::Image as Picture;
use isotherm::pixel::tex::format::{PaletteEntry, Texel};
use isotherm::pixel::tex::{Image, Level, Source};

/// What a texel format is called.
pub fn format_name(texel: Texel) -> String {
    let entries = match texel {
        Texel::Unknown(code) => return format!("{code:02X}h"),
        Texel::I8Short(entry) => entry,
        known => return upper(&format!("{known:?}")),
    };
    let entries = match entries {
        PaletteEntry::A1r5g5b5 => "A1R5G5B5",
        PaletteEntry::R5g6b5 => "R5G6B5",
        PaletteEntry::A4r4g4b4 => "A4R4G4B4",
    };
    format!("I8 with {entries} entries")
}

/// Components are written large, words behind them stay: `Y24Float` is `Y24 float`.
fn upper(name: &str) -> String {
    match name.strip_suffix("Float") {
        Some(bits) => format!("{} float", bits.to_uppercase()),
        None => name.to_uppercase(),
    }
}

/// One level, face and slice of a decoded texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The level, 0 the largest.
    pub level: usize,
    /// The face of a cube map.
    pub face: u32,
    /// The slice of a volume.
    pub slice: u32,
}

/// All parts of a texture.
pub fn parts(source: &Source, image: &Image) -> Vec<Part> {
    let faces = if source.cube { 6 } else { 1 };
    let mut all = Vec::new();
    for (level, size) in image.levels.iter().enumerate() {
        for face in 0..faces {
            let slices = 0..size.size[2].max(1) as u32;
            all.extend(slices.map(|slice| Part { level, face, slice }));
        }
    }
    all
}

/// The picture of a part; `None` if there is no such level.
pub fn picture(source: &Source, image: &Image, part: Part) -> Option<Picture> {
    let level = image.levels.get(part.level)?;
    Some(read(source, image, level, part.face, part.slice))
}

fn read(source: &Source, image: &Image, level: &Level, face: u32, slice: u32) -> Picture {
    let words = source.format.texel.words() as usize;
    let floats = source.format.texel.floats();
    let (width, height) = (level.size[0].max(1) as u32, level.size[1].max(1) as u32);
    let start = level.origin + face * level.face + slice * level.slice;
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    for y in 0..height {
        for x in 0..width {
            let at = (start + y * level.row + x) as usize * words;
            let texel = image.texels.get(at..at + words).unwrap_or(&[0]);
            rgba.extend(if floats {
                of_floats(texel)
            } else {
                of_word(texel[0])
            });
        }
    }
    Picture {
        width,
        height,
        rgba,
    }
}

/// A8R8G8B8.
pub(crate) fn of_word(word: u32) -> [u8; 4] {
    let [b, g, r, a] = word.to_le_bytes();
    [r, g, b, a]
}

/// Floats from 0 to 1; one of them is grey.
pub(crate) fn of_floats(texel: &[u32]) -> [u8; 4] {
    let byte = |c: usize| {
        let value = f32::from_bits(texel.get(c).copied().unwrap_or(0));
        (value.clamp(0.0, 1.0) * 255.0).round() as u8
    };
    match texel.len() {
        4 => [byte(0), byte(1), byte(2), byte(3)],
        2 => [byte(0), byte(1), 0, 255],
        _ => [byte(0), byte(0), byte(0), 255],
    }
}
