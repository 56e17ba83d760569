//! Textures as they are decoded: every level, face and slice a picture.

use super::Folder;
use crate::follow::Mirror;
use isotherm::capture::Image as Picture;
use isotherm::memory::Memory;
use isotherm::pixel::tex::{Image, Level, Source};

/// Writes the textures of all units that are on.
pub fn write(
    folder: &mut Folder<'_>,
    draw: u64,
    mirror: &Mirror,
    memory: &Memory,
) -> anyhow::Result<()> {
    for unit in 0..mirror.texture_units() {
        let Some(source) = mirror.texture(unit) else {
            continue;
        };
        let image = source.decode(memory);
        for (number, level) in image.levels.iter().enumerate() {
            let faces = if source.cube { 6 } else { 1 };
            for face in 0..faces {
                for slice in 0..level.size[2].max(1) as u32 {
                    let mut name = format!("texture{unit}");
                    if image.levels.len() > 1 {
                        name += &format!("-level{number}");
                    }
                    if source.cube {
                        name += &format!("-face{face}");
                    }
                    if level.size[2] > 1 {
                        name += &format!("-slice{slice}");
                    }
                    let picture = picture(&source, &image, level, face, slice);
                    folder.picture(draw, &name, &picture)?;
                }
            }
        }
        if folder.args.raw {
            folder.words(draw, &format!("texture{unit}"), &image.texels)?;
        }
    }
    Ok(())
}

fn picture(source: &Source, image: &Image, level: &Level, face: u32, slice: u32) -> Picture {
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
fn of_word(word: u32) -> [u8; 4] {
    let [b, g, r, a] = word.to_le_bytes();
    [r, g, b, a]
}

/// Floats from 0 to 1; one of them is grey.
fn of_floats(texel: &[u32]) -> [u8; 4] {
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
