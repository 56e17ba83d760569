//! The surfaces that draws go to, as pictures.

use isotherm::capture::Image;
use isotherm::memory::Memory;
use isotherm::pixel::rop::prepare::Surfaces;
use isotherm::pixel::rop::surface::Plane;

/// The size of the bound surfaces in samples, as far as the surface clip reaches. What a broken
/// capture claims beyond the largest real surface is left out.
pub fn size(surfaces: &Surfaces) -> (u32, u32) {
    const MOST_PIXELS: i32 = 4096;
    const MOST_SAMPLES: u32 = 1 << 24;
    let [_, _, right, bottom] = surfaces.clip;
    let (sx, sy) = surfaces.scale;
    let width = right.clamp(0, MOST_PIXELS) as u32 * sx;
    let height = bottom.clamp(0, MOST_PIXELS) as u32 * sy;
    (width, height.min(MOST_SAMPLES / width.max(1)))
}

/// Address of a word of a plane; `None` outside of what may be touched.
pub fn address(plane: &Plane, x: u32, y: u32) -> Option<u32> {
    let at = plane.addr(x, y);
    (at + plane.bytes as usize <= plane.end).then(|| plane.address.wrapping_add(at as u32))
}

fn word(memory: &Memory, plane: &Plane, x: u32, y: u32) -> u32 {
    match (address(plane, x, y), plane.bytes) {
        (None, _) => 0,
        (Some(at), 1) => u32::from(memory.read_u8(at)),
        (Some(at), 2) => u32::from(memory.read_u16(at)),
        (Some(at), _) => memory.read_u32(at),
    }
}

/// All words of a plane, row by row.
pub fn words(memory: &Memory, surfaces: &Surfaces, plane: &Plane) -> Vec<u32> {
    let (width, height) = size(surfaces);
    let rows = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    rows.map(|(x, y)| word(memory, plane, x, y)).collect()
}

fn picture(
    surfaces: &Surfaces,
    memory: &Memory,
    plane: &Plane,
    rgba: impl Fn(u32) -> [u8; 4],
) -> Image {
    let (width, height) = size(surfaces);
    let words = words(memory, surfaces, plane);
    Image {
        width,
        height,
        rgba: words.into_iter().flat_map(rgba).collect(),
    }
}

/// One channel's bits of a word as 0 to 255.
fn channel(word: u32, mask: u32) -> u8 {
    if mask == 0 {
        return 0;
    }
    let (value, top) = (
        (word & mask) >> mask.trailing_zeros(),
        mask >> mask.trailing_zeros(),
    );
    ((u64::from(value) * 255 + u64::from(top) / 2) / u64::from(top)) as u8
}

/// A word of the colour surface; what has no alpha is opaque.
fn rgba_of(surfaces: &Surfaces, word: u32) -> [u8; 4] {
    let [r, g, b, a] = surfaces.format.channels();
    let alpha = if a == 0 { 255 } else { channel(word, a) };
    [channel(word, r), channel(word, g), channel(word, b), alpha]
}

/// One sample of the colour surface.
pub fn rgba(memory: &Memory, surfaces: &Surfaces, plane: &Plane, x: u32, y: u32) -> [u8; 4] {
    rgba_of(surfaces, word(memory, plane, x, y))
}

/// The colour surface.
pub fn color(memory: &Memory, surfaces: &Surfaces) -> Option<Image> {
    let plane = surfaces.color?;
    Some(picture(surfaces, memory, &plane, |word| {
        rgba_of(surfaces, word)
    }))
}

/// Depth as grey: 0 is black, the farthest that fits is white.
pub fn depth(memory: &Memory, surfaces: &Surfaces) -> Option<Image> {
    let plane = surfaces.zeta?;
    let shift = if surfaces.z24 { 24 } else { 8 };
    Some(picture(surfaces, memory, &plane, |word| {
        let grey = (word >> shift) as u8;
        [grey, grey, grey, 255]
    }))
}

/// Stencil as grey; `None` where there is none.
pub fn stencil(memory: &Memory, surfaces: &Surfaces) -> Option<Image> {
    let plane = surfaces.zeta.filter(|_| surfaces.z24)?;
    Some(picture(surfaces, memory, &plane, |word| {
        let grey = word as u8;
        [grey, grey, grey, 255]
    }))
}
