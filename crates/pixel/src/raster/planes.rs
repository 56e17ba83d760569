//! User clip planes (Rankine and Curie): a pixel is drawn where the distance of every
//! enabled plane, interpolated with perspective, is not negative. That it is decided per
//! pixel, at its centre, is believed (the switch is the rasterizer's); nothing with
//! hardware results is at hand.

use super::Bundles;
use super::num::D;
use isotherm_bus::verts::VtxTail;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{CLIP_PLANE, CLIP_PLANE_ENABLE};

/// The enabled planes, a bit each.
pub(crate) fn enabled(chip: Chip, bundles: &Bundles) -> u8 {
    let word = bundles.CLIP_PLANE_ENABLE;
    let planes = [
        CLIP_PLANE_ENABLE::PLANE0,
        CLIP_PLANE_ENABLE::PLANE1,
        CLIP_PLANE_ENABLE::PLANE2,
        CLIP_PLANE_ENABLE::PLANE3,
        CLIP_PLANE_ENABLE::PLANE4,
        CLIP_PLANE_ENABLE::PLANE5,
    ];
    planes.iter().enumerate().fold(0, |set, (i, plane)| {
        set | u8::from(plane.get(chip, word) & CLIP_PLANE::ENABLE != 0) << i
    })
}

/// Distances at the three vertices, of the planes that have something to cut.
pub(crate) fn distances(enabled: u8, v: [&VtxTail; 3]) -> Vec<[f64; 3]> {
    (0..6)
        .filter(|i| enabled >> i & 1 != 0)
        .map(|i| v.map(|v| f64::from(f32::from_bits(v.clip[i]))))
        .filter(|d| d.iter().any(|d| *d < 0.0 || d.is_nan()))
        .collect()
}

/// Lanes that are not behind a plane.
#[inline(always)]
pub(crate) fn mask(distance: &D) -> u16 {
    let mut mask = 0;
    for (lane, d) in distance.iter().enumerate() {
        mask |= u16::from(*d >= 0.0) << lane;
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_planes_that_cut_are_kept() {
        let mut v = [VtxTail::default(); 3];
        v[1].clip[2] = (-1.0f32).to_bits();
        v[2].clip[4] = (-2.0f32).to_bits();
        let all = v.each_ref();
        assert_eq!(distances(0b00_0111, all), [[0.0, -1.0, 0.0]]);
        assert!(distances(0b00_1011, all).is_empty());
        assert_eq!(distances(0b11_1111, all).len(), 2);
        let mut lanes = [1.0; 16];
        lanes[3] = -0.5;
        lanes[7] = f64::NAN;
        assert_eq!(mask(&lanes), !(1 << 3 | 1 << 7));
    }
}
