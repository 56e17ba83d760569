//! Smoothing: LINE_SMOOTH and POLYGON_SMOOTH while MULTISAMPLE_ENABLE is off.
//!
//! The chip looks at eight points of a pixel, one in each eighth of its width and
//! one in each eighth of its height. A pixel with any of them inside is drawn once,
//! with the values of its centre, and its alpha is cut by the points outside.

use crate::frag::{I, LANES};

/// The points in u from the pixel's upper left corner: (2j, 6j mod 16).
const POINTS: [[f64; 2]; 8] = [
    [0.0, 0.0],
    [2.0, 6.0],
    [4.0, 12.0],
    [6.0, 2.0],
    [8.0, 8.0],
    [10.0, 14.0],
    [12.0, 4.0],
    [14.0, 10.0],
];

/// How many of the eight points of every lane are inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coverage([u8; LANES]);

impl Coverage {
    /// Asks `cover` for the lanes that are inside at each point; gives the lanes
    /// with at least one.
    pub(crate) fn new(mut cover: impl FnMut([f64; 2]) -> u16) -> (Coverage, u16) {
        let mut count = [0; LANES];
        let mut any = 0;
        for at in POINTS {
            let mask = cover(at);
            any |= mask;
            for (lane, n) in count.iter_mut().enumerate() {
                *n += (mask >> lane & 1) as u8;
            }
        }
        (Coverage(count), any)
    }

    /// Cuts alpha: a fully opaque edge has 31, 63, ... 255.
    pub(crate) fn apply(&self, alpha: &mut I) {
        for (a, &n) in alpha.iter_mut().zip(&self.0) {
            *a = (*a * i32::from(n)) >> 3;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_point_in_every_eighth_of_both_axes() {
        for axis in 0..2 {
            let mut at = POINTS.map(|p| p[axis]);
            at.sort_by(f64::total_cmp);
            assert_eq!(at, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]);
        }
    }

    #[test]
    fn alpha_follows_the_number_of_points_inside() {
        // Lane l lets the points with x < 2l in.
        let (coverage, any) = Coverage::new(|at| {
            let inside = |lane: &u32| at[0] < f64::from(2 * lane);
            (0..LANES as u32)
                .filter(inside)
                .fold(0, |mask, lane| mask | 1 << lane)
        });
        assert_eq!(any, 0xfffe);
        let mut alpha = [255; LANES];
        coverage.apply(&mut alpha);
        assert_eq!(alpha[..9], [0, 31, 63, 95, 127, 159, 191, 223, 255]);
        assert_eq!(alpha[15], 255);
    }
}
