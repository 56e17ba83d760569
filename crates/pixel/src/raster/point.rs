//! Points: squares around the snapped vertex.

use super::num::{D, t24};
use super::tri::{behind_eye, bounds, snap};
use crate::frag::{F, LANES};
use isotherm_bus::verts::VtxHead;

/// A point set up for coverage and sprite coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    centre: [f64; 2],
    /// Half the size in u: the size register is in eighths of a pixel.
    half: f64,
    /// The right and lower border count as inside.
    closed: bool,
    /// Ties as for thin lines: right column, upper row.
    thin: bool,
    pub(crate) bounds: [i32; 4],
}

impl Point {
    /// Sets up a point of `size` eighths of a pixel. `multisample` is
    /// MULTISAMPLE_ENABLE, which picks the tie rule.
    pub(crate) fn new(v: &VtxHead, size: u32, multisample: bool) -> Option<Point> {
        let [x, y] = snap(v);
        if behind_eye(v.pos[3]) {
            return None;
        }
        let half = f64::from(size);
        Some(Point {
            centre: [x, y],
            half,
            // The chip tests (centre - left) * T(1/size) < 1; the cut reciprocal of
            // anything but a power of two lets the border in.
            closed: !size.is_power_of_two(),
            thin: !multisample,
            bounds: bounds(
                &[x - half - 16.0, x + half + 16.0],
                &[y - half - 16.0, y + half + 16.0],
            ),
        })
    }

    /// Which lanes of a block are lit. A point is decided once, at the pixel's centre, and
    /// then has all samples (Swath_width).
    pub(crate) fn coverage(&self, x: i32, y: i32) -> u16 {
        let mut mask = 0;
        for lane in 0..LANES {
            let (px, py) = (x + lane as i32 % 8, y + lane as i32 / 8);
            let qx = f64::from(px) * 16.0 + 8.0 - self.centre[0];
            let qy = f64::from(py) * 16.0 + 8.0 - self.centre[1];
            let hit = if self.half == 0.0 {
                // Size 0 still lights the pixel that holds the vertex.
                qx > -8.0 && qx <= 8.0 && qy > -8.0 && qy <= 8.0
            } else if self.thin {
                let h = self.half;
                qx > -h && qx <= h && qy >= -h && qy < h
            } else {
                let h = self.half;
                let below = |q: f64| q >= -h && (q < h || (q == h && self.closed));
                below(qx) && below(qy)
            };
            mask |= u16::from(hit) << lane;
        }
        mask
    }

    /// Sprite coordinates s and t, 0 to 1 from the upper left.
    pub(crate) fn sprite(&self, x: i32, y: i32) -> [F; 2] {
        let mut out = [[0.0; LANES]; 2];
        let size = if self.half == 0.0 {
            16.0
        } else {
            2.0 * self.half
        };
        // From the centre outwards, by a reciprocal that is cut: texel borders right of
        // the centre come a little late, those left of it do not (Point_params Detailed_FF,
        // points of 24 and 40 pixels).
        let r = t24(1.0 / size);
        for lane in 0..LANES {
            let (px, py) = (x + lane as i32 % 8, y + lane as i32 / 8);
            let qx = f64::from(px) * 16.0 + 8.0 - self.centre[0];
            let qy = f64::from(py) * 16.0 + 8.0 - self.centre[1];
            out[0][lane] = t24(0.5 + qx * r) as f32;
            out[1][lane] = t24(0.5 + qy * r) as f32;
        }
        out
    }
}

/// A constant in every lane.
#[inline(always)]
pub(crate) fn splat(v: f64) -> D {
    [v; LANES]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(x: f32, y: f32, size: u32, multisample: bool) -> Vec<(i32, i32)> {
        let v = VtxHead {
            pos: [x.to_bits(), y.to_bits(), 0, 1f32.to_bits()],
            ..VtxHead::default()
        };
        let point = Point::new(&v, size, multisample).unwrap();
        let mut out = Vec::new();
        for y in (0..8).step_by(2) {
            let mask = point.coverage(0, y);
            for lane in 0..16 {
                if mask >> lane & 1 != 0 {
                    out.push((lane % 8, y + lane / 8));
                }
            }
        }
        out
    }

    #[test]
    fn squares_and_their_borders() {
        assert_eq!(lit(3.5, 3.5, 8, true), [(3, 3)]);
        assert_eq!(lit(3.0, 4.0, 8, true), [(2, 3)]);
        assert_eq!(lit(3.0, 4.0, 8, false), [(3, 3)]);
        assert_eq!(lit(3.0, 3.0, 16, true).len(), 4);
        // 3 px at a centre: both borders tie, size is no power of two.
        assert_eq!(lit(4.0, 4.0, 24, true).len(), 16);
        assert_eq!(lit(4.9, 4.9, 0, true), [(4, 4)]);
    }
}
