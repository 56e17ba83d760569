//! Which pixels of the bound surfaces may share words of memory.
//!
//! Tiles are drawn on several threads only because no two of them touch the same word.
//! Everything that decides so is here, and it looks at the bytes that addresses lead to
//! ([`Memory::overlap`]), not at the addresses.

use super::TILE;
use crate::frag::WIDTH;
use crate::rop::prepare::Surfaces;
use crate::rop::surface::Plane;
use isotherm_bus::memory::Memory;

/// The planes that are bound.
fn planes(surfaces: &Surfaces) -> impl Iterator<Item = Plane> + use<> {
    surfaces.planes().into_iter().flatten()
}

/// The bytes of a plane that pixels inside the clip can reach.
fn span(surfaces: &Surfaces, plane: &Plane) -> (u32, usize) {
    let [_, _, w, h] = surfaces.clip;
    (plane.address, plane.reach(w, h))
}

/// The bytes of all planes that pixels inside the clip can reach.
pub(super) fn spans(surfaces: &Surfaces) -> impl Iterator<Item = (u32, usize)> {
    planes(surfaces).map(|plane| span(surfaces, &plane))
}

/// May pixels share words, whatever is drawn? Then one worker draws everything in order.
pub(super) fn in_order(surfaces: &Surfaces, memory: &Memory) -> bool {
    let spans: Vec<_> = spans(surfaces).collect();
    let meets = |(i, &a): (usize, &_)| spans[..i].iter().any(|&b| memory.overlap(a, b));
    let [_, _, w, _] = surfaces.clip;
    spans.iter().enumerate().any(meets) || planes(surfaces).any(|plane| rows_meet(&plane, w))
}

/// Do rows of `w` pixels reach into the next one? Workers read whole blocks, so the last
/// block's pixels count even where they are outside.
fn rows_meet(plane: &Plane, w: i32) -> bool {
    let whole = (w.max(0) as usize).next_multiple_of(WIDTH as usize);
    plane.swizzle.is_none() && plane.pitch < whole * (plane.scale.0 * plane.bytes) as usize
}

/// Do tiles with work reach beyond a swizzled surface? Its coordinates wrap around, so that
/// several tiles may write the same words.
pub(super) fn wraps(surfaces: &Surfaces, used: &[u32], columns: u32) -> bool {
    let beyond = |index: u32, scale: u32, log_size: u32| {
        // The first tile wraps around within itself.
        index != 0 && u64::from(index + 1) * u64::from(TILE as u32 * scale) > 1 << log_size
    };
    planes(surfaces).any(|plane| {
        plane.swizzle.is_some_and(|(width, height)| {
            used.iter().any(|tile| {
                beyond(tile % columns, plane.scale.0, width)
                    || beyond(tile / columns, plane.scale.1, height)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_lanes::Random;
    use isotherm_regs::Chip;
    use std::collections::HashMap;

    fn plane(random: &mut Random, scale: (u32, u32)) -> Plane {
        let bytes = [1, 2, 4][random.below(3) as usize];
        let swizzle = (random.one_in(3)).then(|| (4 + random.below(5), 4 + random.below(5)));
        Plane {
            // Aliases of the lowest and the highest bytes too.
            address: random.below(0x4_0000).wrapping_sub(0x1_0000) ^ random.below(4) << 26,
            end: if random.one_in(4) { 0x2000 } else { 1 << 20 },
            pitch: match random.below(3) {
                0 => random.below(900) as usize,
                _ => 64 * random.below(20) as usize,
            },
            bytes,
            swizzle,
            scale,
        }
    }

    fn surfaces(random: &mut Random) -> Surfaces {
        let scale = [(1, 1), (2, 1), (2, 2)][random.below(3) as usize];
        Surfaces {
            color: Some(plane(random, scale)),
            zeta: random.one_in(2).then(|| plane(random, scale)),
            clip: [
                0,
                0,
                1 + random.below(200) as i32,
                1 + random.below(150) as i32,
            ],
            scale,
            ..Surfaces::default()
        }
    }

    /// The first byte that two tiles share, if they do; pixels outside the clip are read
    /// with their block.
    fn shared(surfaces: &Surfaces, memory: &Memory, columns: u32) -> Option<u32> {
        let mut owner = HashMap::new();
        let [_, _, w, h] = surfaces.clip;
        for plane in planes(surfaces) {
            let size = memory.bytes(plane.address, plane.reach(w, h)).len();
            for (x, y) in (0..h as u32).flat_map(|y| (0..w as u32).map(move |x| (x, y))) {
                let tile = y / TILE as u32 * columns + x / TILE as u32;
                for sample in 0..plane.scale.0 * plane.scale.1 {
                    let (sx, sy) = plane.scale;
                    let at = plane.addr(x * sx + sample % sx, y * sy + sample / sx);
                    for byte in at..at + plane.bytes as usize {
                        let byte = plane.address.wrapping_add(byte as u32);
                        let byte = memory.distance(0, byte);
                        let inside = at + plane.bytes as usize <= size;
                        if inside && *owner.entry(byte).or_insert(tile) != tile {
                            return Some(byte);
                        }
                    }
                }
            }
        }
        None
    }

    /// Tiles never share a word unless the scene is drawn in order.
    #[test]
    fn tiles_on_threads_share_nothing() {
        let memory = Memory::with_sizes(Chip::Nv2a, 1 << 20, 0).unwrap();
        let (mut threaded, mut ordered) = (0, 0);
        for seed in 0..1500 {
            let surfaces = surfaces(&mut Random::new(seed));
            let [_, _, w, h] = surfaces.clip.map(|v| v as u32);
            let tile = TILE as u32;
            let (columns, rows) = (w.div_ceil(tile), h.div_ceil(tile));
            let used: Vec<u32> = (0..columns * rows).collect();
            if in_order(&surfaces, &memory) || wraps(&surfaces, &used, columns) {
                ordered += 1;
                continue;
            }
            threaded += 1;
            let found = shared(&surfaces, &memory, columns);
            assert_eq!(found, None, "seed {seed}: {surfaces:x?}");
        }
        assert!(threaded > 100 && ordered > 100, "{threaded} {ordered}");
    }

    #[test]
    fn zeta_behind_the_mask_is_drawn_in_order() {
        let linear = |address| {
            Some(Plane {
                address,
                end: 1 << 20,
                pitch: 256,
                bytes: 4,
                scale: (1, 1),
                ..Plane::default()
            })
        };
        let memory = Memory::new(Chip::Nv2a);
        let at = |zeta| Surfaces {
            color: linear(0),
            zeta: linear(zeta),
            clip: [0, 0, 64, 64],
            ..Surfaces::default()
        };
        assert!(in_order(&at(0x0400_0000), &memory));
        assert!(in_order(&at(0x0400_3FFF), &memory));
        assert!(!in_order(&at(0x0400_4000), &memory));
    }
}
