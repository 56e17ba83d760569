//! Smoothing: LINE_SMOOTH and POLYGON_SMOOTH while MULTISAMPLE_ENABLE is off.
//!
//! Polygons: eight points of a pixel, one in each eighth of its width and one in each
//! eighth of its height. A pixel with any of them inside is drawn once, with the values of
//! its centre, and its alpha is cut by the points outside. Kelvin's begin in the upper left
//! corner, Curie's lie around the centre.
//!
//! Lines: Kelvin asks the same points, Curie measures how far the centre lies from the edges
//! ([`Distances`]).

use super::tri::snap;
use crate::frag::{I, LANES};
use isotherm_bus::verts::VtxHead;

/// Kelvin's points in u from the pixel's upper left corner: (2j, 6j mod 16).
pub(super) const CORNERED: [[f64; 2]; 8] = [
    [0.0, 0.0],
    [2.0, 6.0],
    [4.0, 12.0],
    [6.0, 2.0],
    [8.0, 8.0],
    [10.0, 14.0],
    [12.0, 4.0],
    [14.0, 10.0],
];

/// Curie's: (2j + 1, 6j + 11 mod 16), the same grid moved so that the centre is its centre.
pub(super) const CENTRED: [[f64; 2]; 8] = [
    [1.0, 11.0],
    [3.0, 1.0],
    [5.0, 7.0],
    [7.0, 13.0],
    [9.0, 3.0],
    [11.0, 9.0],
    [13.0, 15.0],
    [15.0, 5.0],
];

/// How much of every lane is inside, in parts of 256.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coverage([u16; LANES]);

impl Coverage {
    /// Asks `cover` for the lanes that are inside at each point; gives the lanes
    /// with at least one.
    pub(crate) fn new(
        points: &[[f64; 2]; 8],
        mut cover: impl FnMut([f64; 2]) -> u16,
    ) -> (Coverage, u16) {
        let mut count = [0; LANES];
        let mut any = 0;
        for &at in points {
            let mask = cover(at);
            any |= mask;
            for (lane, n) in count.iter_mut().enumerate() {
                *n += 32 * (mask >> lane & 1);
            }
        }
        (Coverage(count), any)
    }

    /// Cuts alpha: a fully opaque edge has 31, 63, ... 255.
    pub(crate) fn apply(&self, alpha: &mut I) {
        for (a, &n) in alpha.iter_mut().zip(&self.0) {
            *a = (*a * i32::from(n)) >> 8;
        }
    }
}

/// What lies further away counts as elsewhere.
const FAR: f64 = 16384.0;

/// An edge: how far a point (x, y) lies inside is a x + b y + c, in pixels.
type Edge = [f64; 3];

/// The edges of a smooth line of Curie. A pixel is drawn where its centre lies less than
/// half a pixel outside all of them.
#[derive(Clone, Debug)]
pub(super) struct Distances([Edge; 4]);

/// The positions of vertices that can be measured from.
fn places(v: [&VtxHead; 2]) -> Option<[[f64; 2]; 2]> {
    let places = v.map(|v| snap(v).map(|x| x / 16.0));
    let near = places.iter().flatten().all(|x| x.abs() < FAR);
    let before = v.iter().all(|v| v.pos[3] >> 31 == 0);
    (near && before).then_some(places)
}

/// The edge from `p` to `q` whose inside lies to the right of it (y points down), moved
/// outward.
fn edge(p: [f64; 2], q: [f64; 2], outward: f64) -> Option<Edge> {
    let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
    let length = dx.hypot(dy);
    let (a, b) = (-dy / length, dx / length);
    (length > 0.0).then(|| [a, b, outward - a * p[0] - b * p[1]])
}

impl Distances {
    /// Of a line, a rectangle; `width` is in eighths of a pixel.
    pub(super) fn new(v: [&VtxHead; 2], width: u32) -> Option<Distances> {
        let [p, q] = places(v)?;
        let half = f64::from(width) / 16.0;
        let across = |p: [f64; 2], q: [f64; 2]| [p[0] - (q[1] - p[1]), p[1] + (q[0] - p[0])];
        Some(Distances([
            edge(p, q, half)?,
            edge(q, p, half)?,
            edge(across(p, q), p, 0.0)?,
            edge(across(q, p), q, 0.0)?,
        ]))
    }

    /// A block's coverage, and the lanes that have any.
    pub(super) fn coverage(&self, x: i32, y: i32) -> (Coverage, u16) {
        let (mut parts, mut any) = ([0; LANES], 0);
        for (lane, part) in parts.iter_mut().enumerate() {
            let (px, py) = (x + lane as i32 % 8, y + lane as i32 / 8);
            let (px, py) = (f64::from(px) + 0.5, f64::from(py) + 0.5);
            let inside = self.0.iter().map(|[a, b, c]| a * px + b * py + c + 0.5);
            let least = inside.fold(1.0, f64::min);
            *part = (256.0 * least.max(0.0)) as u16;
            any |= u16::from(self.touches(px, py)) << lane;
        }
        (Coverage(parts), any)
    }

    /// Is a pixel drawn whose centre this is? At exactly half a pixel it is as if it lay a
    /// hair to the left, then below, as Kelvin's lines have it.
    fn touches(&self, px: f64, py: f64) -> bool {
        let touched = |&[a, b, c]: &Edge| {
            let d = a * px + b * py + c + 0.5;
            d > 0.0 || d == 0.0 && (a < 0.0 || a == 0.0 && b > 0.0)
        };
        self.0.iter().all(touched)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::tri::Tri;

    #[test]
    fn one_point_in_every_eighth_of_both_axes() {
        for (points, first) in [(CORNERED, 0.0), (CENTRED, 1.0)] {
            for axis in 0..2 {
                let mut at = points.map(|p| p[axis]);
                at.sort_by(f64::total_cmp);
                let want = std::array::from_fn(|i| 2.0 * i as f64 + first);
                assert_eq!(at, want);
            }
        }
        // Curie's lie around the centre.
        for p in CENTRED {
            assert!(CENTRED.contains(&p.map(|x| 16.0 - x)), "{p:?}");
        }
    }

    fn vertex(x: f32, y: f32) -> VtxHead {
        VtxHead {
            pos: [x.to_bits(), y.to_bits(), 0, 1f32.to_bits()],
            exact: [x.to_bits(), y.to_bits()],
            ..VtxHead::default()
        }
    }

    #[test]
    fn curies_points_are_those_of_the_hexagon() {
        // The lower right edge of the RSX's hexagon: a corner of pixel (669, 193) lies on
        // it, and the pixel is not drawn. The pixel to its left is.
        let v = [
            vertex(540.0, 156.0),
            vertex(669.6, 192.0),
            vertex(648.0, 228.0),
        ];
        let cover = |[a, b, c]: [usize; 3], x, y| {
            let tri = Tri::new([&v[a], &v[b], &v[c]], false).expect("an area");
            let inside = |at: [f64; 2]| tri.coverage(&tri.edges(x, y, at[0], at[1]));
            Coverage::new(&CENTRED, inside).1
        };
        let row = cover([0, 1, 2], 664, 193);
        assert_eq!(row & 0xff, 0b0001_1111);
        // Either way round.
        assert_eq!(cover([0, 2, 1], 664, 193), row);
        // The edge from (540, 156) to (648, 228) has centres 0.14 and 0.42 pixels outside:
        // those of (543, 158) and (544, 159). Only the nearer one has a point inside.
        assert_eq!(cover([0, 1, 2], 543, 158) & 1, 1);
        assert_eq!(cover([0, 1, 2], 544, 159) & 1, 0);
    }

    #[test]
    fn ends_of_curies_smooth_lines() {
        // Of the RSX's line loop: (431.5, 432.5) is drawn, (359.5, 371.5) is not.
        let v = [vertex(360.0, 372.0), vertex(432.0, 372.0)];
        for [a, b] in [[0, 1], [1, 0]] {
            let d = Distances::new([&v[a], &v[b]], 8).unwrap();
            assert_eq!(d.coverage(352, 371).1, 0);
            assert_eq!(d.coverage(360, 371).1, 0xffff);
            assert_eq!(d.coverage(432, 371).1, 0x0101);
            let (coverage, _) = d.coverage(360, 370);
            let mut alpha = [255; LANES];
            coverage.apply(&mut alpha);
            // Half of the line lies in either row.
            assert_eq!((alpha[0], alpha[8]), (0, 127));
        }
    }

    #[test]
    fn alpha_follows_the_number_of_points_inside() {
        // Lane l lets the points with x < 2l in.
        let (coverage, any) = Coverage::new(&CORNERED, |at| {
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
