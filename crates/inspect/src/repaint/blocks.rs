//! Blocks of 4x4 texels (DXT1, DXT3, DXT5) for a picture.

use super::{Bytes, distance, pixel};
use isotherm::capture::Image as Picture;
use isotherm::memory::Memory;
use isotherm::pixel::tex::Source;
use isotherm::pixel::tex::format::Texel;
use std::collections::BTreeSet;

/// Encodes every block that has a changed pixel.
pub fn encode(
    source: &Source,
    memory: &Memory,
    changed: &[(u32, u32)],
    picture: &Picture,
    place: impl Fn(u32, u32) -> u32,
) -> Bytes {
    let blocks: BTreeSet<(u32, u32)> = changed.iter().map(|(x, y)| (x / 4, y / 4)).collect();
    let size = source.format.texel.bytes() as usize;
    let mut out = Bytes::new();
    for (bx, by) in blocks {
        let at = place(4 * bx, 4 * by);
        let inside = |x: u32, y: u32| (x.min(picture.width - 1), y.min(picture.height - 1));
        let wanted: [[u8; 4]; 16] = std::array::from_fn(|i| {
            let (x, y) = inside(4 * bx + i as u32 % 4, 4 * by + i as u32 / 4);
            pixel(picture, x, y)
        });
        let old = memory.bytes(at, size);
        let new = block(source, old, &wanted);
        out.extend((0u32..).zip(new).map(|(i, b)| (at.wrapping_add(i), b)));
    }
    out
}

fn colours(source: &Source, block: &[u8]) -> [[u8; 4]; 16] {
    source.decode_block(block).map(crate::texture::of_word)
}

/// The old block, if nothing that was tried is closer.
fn block(source: &Source, old: &[u8], wanted: &[[u8; 4]; 16]) -> Vec<u8> {
    let far = |block: &[u8]| -> u32 {
        let have = colours(source, block);
        have.iter().zip(wanted).map(|(a, b)| distance(*a, *b)).sum()
    };
    let alpha = match source.format.texel {
        Texel::Dxt3 => alpha_of_dxt3(wanted).to_vec(),
        Texel::Dxt5 => alpha_of_dxt5(source, wanted).to_vec(),
        _ => Vec::new(),
    };
    let [a, b] = ends(wanted);
    // The order of the ends decides between four colours, and three and nothing.
    let tries = [[a, b], [b, a]].map(|ends| with_ends(source, &alpha, ends, wanted));
    let mut best = old.to_vec();
    for block in tries {
        if far(&block) < far(&best) || best.len() != block.len() {
            best = block;
        }
    }
    best
}

/// The two colours that are farthest apart, as R5G6B5.
fn ends(wanted: &[[u8; 4]; 16]) -> [u16; 2] {
    let mut best = (0, 0, 0);
    for (i, a) in wanted.iter().enumerate() {
        for (j, b) in wanted.iter().enumerate().skip(i) {
            let far = distance([a[0], a[1], a[2], 0], [b[0], b[1], b[2], 0]);
            if far >= best.0 {
                best = (far, i, j);
            }
        }
    }
    [best.1, best.2].map(|i| {
        let [r, g, b, _] = wanted[i].map(u32::from);
        let scaled = |v: u32, most: u32| (v * most + 127) / 255;
        (scaled(r, 31) << 11 | scaled(g, 63) << 5 | scaled(b, 31)) as u16
    })
}

/// A block with these ends, and for each texel what comes closest.
fn with_ends(source: &Source, alpha: &[u8], ends: [u16; 2], wanted: &[[u8; 4]; 16]) -> Vec<u8> {
    let made = |picks: u32| {
        let mut block = alpha.to_vec();
        block.extend(ends.iter().flat_map(|end| end.to_le_bytes()));
        block.extend(picks.to_le_bytes());
        block
    };
    // All texels with the same pick: what each would be.
    let all: [[[u8; 4]; 16]; 4] =
        std::array::from_fn(|pick| colours(source, &made(0x5555_5555 * pick as u32)));
    let pick = |i: usize| (0..4u32).min_by_key(|p| distance(all[*p as usize][i], wanted[i]));
    let picks = (0..16).fold(0, |picks, i| picks | pick(i).unwrap_or(0) << (2 * i));
    made(picks)
}

/// Four bits for each texel.
fn alpha_of_dxt3(wanted: &[[u8; 4]; 16]) -> [u8; 8] {
    let four = |i: usize| (u16::from(wanted[i][3]) + 8) / 17;
    std::array::from_fn(|byte| (four(2 * byte) | four(2 * byte + 1) << 4) as u8)
}

/// Two ends and three bits for each texel.
fn alpha_of_dxt5(source: &Source, wanted: &[[u8; 4]; 16]) -> [u8; 8] {
    let values = wanted.iter().map(|w| w[3]);
    let (most, least) = (values.clone().max().unwrap_or(0), values.min().unwrap_or(0));
    let made = |picks: u64| {
        let mut alpha = [most, least, 0, 0, 0, 0, 0, 0];
        alpha[2..].copy_from_slice(&picks.to_le_bytes()[..6]);
        alpha
    };
    const EACH: u64 = 0o1111_1111_1111_1111;
    let all: [[u8; 16]; 8] = std::array::from_fn(|pick| {
        let mut block = made(EACH * pick as u64).to_vec();
        block.extend([0; 8]);
        colours(source, &block).map(|c| c[3])
    });
    let pick = |i: usize| (0..8u64).min_by_key(|p| all[*p as usize][i].abs_diff(wanted[i][3]));
    let picks = (0..16).fold(0, |picks, i| picks | pick(i).unwrap_or(0) << (3 * i));
    made(picks)
}
