//! Pictures back into textures: what has to be written to memory so that a texture is decoded
//! to a picture, or as near to it as its format can be. Texels that are right already keep their
//! bits.

mod blocks;
mod search;

use crate::texture::{self, Part};
use anyhow::{Context, bail, ensure};
use isotherm::capture::Image as Picture;
use isotherm::mali::{self, Texture};
use isotherm::memory::Memory;
use isotherm::pixel::tex::Source;
use isotherm::pixel::tex::format::{self, Texel};
use search::Search;
use std::collections::BTreeMap;

/// Bytes by address.
pub type Bytes = BTreeMap<u32, u8>;

/// What makes a part of an NVIDIA chip's texture look like a picture.
pub fn nvidia(
    source: &Source,
    memory: &Memory,
    part: Part,
    picture: &Picture,
) -> anyhow::Result<Bytes> {
    let image = source.decode(memory);
    let faces = if source.cube { 6 } else { 1 };
    ensure!(part.face < faces, "the texture has no face {}", part.face);
    let old = texture::picture(source, &image, part)
        .with_context(|| format!("the texture has no level {}", part.level))?;
    let slices = image.levels[part.level].size[2].max(1) as u32;
    ensure!(
        part.slice < slices,
        "the texture has no slice {}",
        part.slice
    );
    let texel = source.format.texel;
    ensure!(
        !texel.pairs() && !matches!(texel, Texel::Unknown(_)),
        "textures of the format {} cannot be written",
        texture::format_name(texel)
    );
    let changed = changed(&old, picture)?;
    let place = |x: u32, y: u32| source.place(part.level as u8, part.face, [x, y, part.slice]);
    if texel.blocks() {
        return Ok(blocks::encode(source, memory, &changed, picture, place));
    }
    let palette = source.read_palette(memory);
    let decode = |raw: &[u8]| rgba(texel, &palette, raw);
    let size = texel.bytes() as usize;
    let mut search = Search::new(size, halves(texel), &decode);
    let mut out = Bytes::new();
    for (x, y) in changed {
        let (at, wanted) = (place(x, y), pixel(picture, x, y));
        let new = match texel {
            Texel::R32f | Texel::Rgba32f => floats(size, wanted),
            _ => search.nearest(memory.bytes(at, size), wanted),
        };
        out.extend((0u32..).zip(new).map(|(i, b)| (at.wrapping_add(i), b)));
    }
    Ok(out)
}

/// What makes a part of a Mali's texture look like a picture.
pub fn utgard(
    texture: &Texture,
    memory: &Memory,
    part: Part,
    picture: &Picture,
) -> anyhow::Result<Bytes> {
    let Some(stored) = mali::stored(memory, texture) else {
        bail!(
            "textures of the format {:#x} cannot be written",
            texture.format
        );
    };
    let level = texture.levels.get(part.level);
    let level = level.with_context(|| format!("the texture has no level {}", part.level))?;
    // A cube has faces, a volume slices.
    let layer = part.face + part.slice;
    ensure!(layer < level.layers, "the texture has no layer {layer}");
    let size = (level.width * level.height * 4) as usize;
    let rgba = level.rgba.iter().skip(layer as usize * size).take(size);
    let old = Picture {
        width: level.width,
        height: level.height,
        rgba: rgba.copied().collect(),
    };
    let decode = |raw: &[u8]| stored.rgba(raw).unwrap_or_default();
    let size = stored.texel_bytes as usize;
    let mut search = Search::new(size, stored.shorts, &decode);
    let mut out = Bytes::new();
    for (x, y) in changed(&old, picture)? {
        let at = stored
            .place(part.level, [x, y, layer])
            .context("no place")?;
        let new = search.nearest(memory.bytes(at, size), pixel(picture, x, y));
        out.extend((0u32..).zip(new).map(|(i, b)| (at.wrapping_add(i), b)));
    }
    Ok(out)
}

/// The pixels that differ; an error if the pictures are not of one size.
fn changed(old: &Picture, new: &Picture) -> anyhow::Result<Vec<(u32, u32)>> {
    ensure!(
        (old.width, old.height) == (new.width, new.height),
        "the picture has {}x{} pixels, this part of the texture {}x{}",
        new.width,
        new.height,
        old.width,
        old.height
    );
    let pairs = old.rgba.chunks_exact(4).zip(new.rgba.chunks_exact(4));
    let differ = (0u32..).zip(pairs).filter(|(_, (a, b))| a != b);
    Ok(differ
        .map(|(i, _)| (i % old.width, i / old.width))
        .collect())
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 4] {
    let at = (y * picture.width + x) as usize * 4;
    [0, 1, 2, 3].map(|c| picture.rgba.get(at + c).copied().unwrap_or(0))
}

fn halves(texel: Texel) -> bool {
    matches!(texel, Texel::Rg16f | Texel::Rgba16f)
}

/// A texel's bytes as R, G, B, A, as pictures of textures have them.
fn rgba(texel: Texel, palette: &[u32; 256], raw: &[u8]) -> [u8; 4] {
    let byte = |i: usize| raw.get(i).copied().unwrap_or(0);
    let word = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
    match texel {
        Texel::I8 | Texel::I8Short(_) => texture::of_word(palette[usize::from(byte(0))]),
        Texel::Rg16f | Texel::Rgba16f => {
            let half = |i: usize| u16::from_le_bytes([byte(2 * i), byte(2 * i + 1)]);
            let words: Vec<u32> = (0..texel.words() as usize)
                .map(|i| format::half_to_single(half(i)))
                .collect();
            texture::of_floats(&words)
        }
        _ => texture::of_word(format::decode(texel, word)),
    }
}

/// Singles from 0 to 1.
fn floats(bytes: usize, rgba: [u8; 4]) -> Vec<u8> {
    let single = |v: u8| (f32::from(v) / 255.0).to_le_bytes();
    rgba.into_iter().flat_map(single).take(bytes).collect()
}

/// How far two colours are apart.
fn distance(a: [u8; 4], b: [u8; 4]) -> u32 {
    let square = |c: usize| u32::from(a[c].abs_diff(b[c])).pow(2);
    (0..4).map(square).sum()
}
