//! Lines. The chip has two line rasterisers; MULTISAMPLE_ENABLE picks one.
//!
//! *Thin* lines walk their major axis and light one pixel per step. *Wide* lines
//! are rectangles with square ends whose half width is stretched by an
//! approximation of the length, M + m/2, and whose corners a frame cuts off.

use super::num::{D, asum2, max, min, pow2, recip24, recip29, t24, weight_sum};
use super::shares::{Parts, SHARE, cut25};
use super::tri::{behind_eye, bounded_w, bounds, normalised, snap, within_reach};
use crate::frag::{I, LANES};
use isotherm_bus::vertex::VtxOut;

/// A line set up for coverage and interpolation.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The end nearer to the origin, from which distances are measured: the other one may
    /// be at infinity.
    near: [f64; 2],
    /// That is the second vertex.
    from_second: bool,
    d: [f64; 2],
    /// Squared length.
    dd: f64,
    /// Half width times length, doubled; `None` for a thin line.
    reach: Option<f64>,
    /// What a wide line's corners are cut off by: the pixels that its ends' bounds
    /// touch when grown by half the width, unstretched and rounded up to a whole
    /// number of pixels. Left, top, right, bottom, inclusive.
    frame: [i32; 4],
    /// |dX| >= |dY|
    x_major: bool,
    /// First and last pixel of a thin line along the major axis, inclusive.
    walk: (i32, i32),
    /// The products of w that stand for 1/w, see [`products`]; 1 where weights are linear.
    ww: [f64; 2],
    /// Pixels, max exclusive.
    pub(crate) bounds: [i32; 4],
}

/// Column that a coordinate belongs to; ties go right.
fn column(x: f64) -> i32 {
    within_reach(x) >> 4
}

/// Row that a coordinate belongs to; ties go up.
fn row(y: f64) -> i32 {
    (within_reach(y) - 1) >> 4
}

/// What stands for 1/w of the two ends. A line is a triangle whose first two vertices are
/// both the line's first end, one of them without weight: as there it is the product of the
/// other two vertices' w.
fn products(w: [f64; 2]) -> [f64; 2] {
    [t24(w[1] * w[0]), t24(w[0] * w[0])]
}

impl Line {
    /// Sets up a line from vertex 0 to vertex 1. `width` in eighths of a pixel;
    /// `wide` picks the rectangle rasteriser.
    pub(crate) fn new(v: [&VtxOut; 2], width: u32, wide: bool, perspective: bool) -> Option<Line> {
        let mut x = v.map(|v| snap(v.pos[0]));
        let mut y = v.map(|v| snap(v.pos[1]));
        let behind = v.map(|v| behind_eye(v.pos[3]));
        if behind == [true; 2] {
            return None;
        }
        // Through w < 0 the segment leaves from the other vertex, the other way.
        for (far, near) in [(0, 1), (1, 0)] {
            if behind[far] {
                let (dx, dy) = (x[near] - x[far], y[near] - y[far]);
                let size = dx.abs().max(dy.abs()).max(1.0);
                let scale = (262144.0 / size).max(1.0);
                x[far] = (x[near] + dx * scale).trunc();
                y[far] = (y[near] + dy * scale).trunc();
            }
        }
        let d = [x[1] - x[0], y[1] - y[0]];
        let dd = d[0] * d[0] + d[1] * d[1];
        if dd == 0.0 {
            return None;
        }
        let x_major = d[0].abs() >= d[1].abs();
        let linear = !perspective || v[0].pos[3] == v[1].pos[3] || behind != [false; 2];
        let ww = if linear {
            [1.0; 2]
        } else {
            products(v.map(|v| bounded_w(v.pos[3])))
        };
        let (major, minor) = if x_major { (0, 1) } else { (1, 0) };
        let (m, n) = (d[major].abs(), d[minor].abs());
        let reach = wide.then(|| f64::from(width) * (2.0 * m + n));
        if reach == Some(0.0) {
            return None;
        }
        let ends = if x_major {
            (column(x[0]), column(x[1]))
        } else {
            (row(y[0]), row(y[1]))
        };
        let walk = if d[major] > 0.0 {
            (ends.0, ends.1 - 1)
        } else {
            (ends.1 + 1, ends.0)
        };
        let grow = match reach {
            None => 16.0,
            Some(r) => r / dd.sqrt() + 16.0,
        };
        let half = f64::from(width.div_ceil(16) * 16);
        let frame = [
            min(x[0], x[1]) - half,
            min(y[0], y[1]) - half,
            max(x[0], x[1]) + half,
            max(y[0], y[1]) + half,
        ]
        .map(column);
        let bounds = bounds(
            &[x[0] - grow, x[0] + grow, x[1] - grow, x[1] + grow],
            &[y[0] - grow, y[0] + grow, y[1] - grow, y[1] + grow],
        );
        let from_second = x[1].abs() + y[1].abs() < x[0].abs() + y[0].abs();
        let near = usize::from(from_second);
        Some(Line {
            near: [x[near], y[near]],
            from_second,
            d,
            dd,
            reach,
            frame,
            x_major,
            walk,
            ww,
            bounds,
        })
    }

    /// Which lanes of a block are lit, at sample (`sx`, `sy`) u.
    pub(crate) fn coverage(&self, x: i32, y: i32, sx: f64, sy: f64) -> u16 {
        let mut mask = 0;
        for lane in 0..LANES {
            let (px, py) = (x + lane as i32 % 8, y + lane as i32 / 8);
            let hit = match self.reach {
                Some(reach) => self.in_rect(px, py, sx, sy, reach),
                None => self.on_walk(px, py),
            };
            mask |= u16::from(hit) << lane;
        }
        mask
    }

    fn on_walk(&self, px: i32, py: i32) -> bool {
        let at = if self.x_major { px } else { py };
        if at < self.walk.0 || at > self.walk.1 {
            return false;
        }
        let centre = f64::from(at) * 16.0 + 8.0;
        // The exact value as a fraction: (near * d + (centre - near) * e) / d.
        let (a, b) = if self.x_major { (0, 1) } else { (1, 0) };
        let den = self.d[a];
        let num = self.near[b] * den + (centre - self.near[a]) * self.d[b];
        let (num, den) = if den < 0.0 { (-num, -den) } else { (num, den) };
        // Pixel n takes [16n, 16n+16) along x and (16n, 16n+16] along y.
        if self.x_major {
            let n = f64::from(py);
            num > 16.0 * n * den && num <= (16.0 * n + 16.0) * den
        } else {
            let n = f64::from(px);
            num >= 16.0 * n * den && num < (16.0 * n + 16.0) * den
        }
    }

    fn in_rect(&self, px: i32, py: i32, sx: f64, sy: f64, reach: f64) -> bool {
        let [left, top, right, bottom] = self.frame;
        if px < left || px > right || py < top || py > bottom {
            return false;
        }
        let qx = f64::from(px) * 16.0 + sx - self.near[0];
        let qy = f64::from(py) * 16.0 + sy - self.near[1];
        let [dx, dy] = self.d;
        let [left, along] = self.distances(qx * dx + qy * dy, self.dd);
        let across = 2.0 * (qy * dx - qx * dy);
        // Ties count as if the sample lay a hair to the left, then below.
        let inside = |f: f64, gx: f64, gy: f64| {
            f > 0.0 || (f == 0.0 && (gx < 0.0 || (gx == 0.0 && gy > 0.0)))
        };
        inside(along, dx, dy)
            && inside(left, -dx, -dy)
            && inside(reach - across, dy, -dx)
            && inside(reach + across, -dy, dx)
    }

    /// How far a point lies before the second and behind the first vertex, of how far it
    /// lies behind the nearer one.
    fn distances(&self, behind_near: f64, whole: f64) -> [f64; 2] {
        if self.from_second {
            [-behind_near, whole + behind_near]
        } else {
            [whole - behind_near, behind_near]
        }
    }

    /// How far every lane lies before the second and behind the first vertex: the two
    /// vertices' linear weights, unscaled whole numbers. The centre of a pixel of a smooth
    /// line may lie beyond an end; then one of them is negative (docs/accuracy/raster.md).
    pub(crate) fn parts(&self, x: i32, y: i32) -> [D; 2] {
        let mut out = [[0.0; LANES]; 2];
        for lane in 0..LANES {
            let (px, py) = (x + lane as i32 % 8, y + lane as i32 / 8);
            let (cx, cy) = (f64::from(px) * 16.0 + 8.0, f64::from(py) * 16.0 + 8.0);
            let parts = match self.reach {
                Some(_) => {
                    let (qx, qy) = (cx - self.near[0], cy - self.near[1]);
                    self.distances(qx * self.d[0] + qy * self.d[1], self.dd)
                }
                // A thin line takes its values where it leaves the pixel, or at its end.
                None => {
                    let a = usize::from(!self.x_major);
                    let at = if self.x_major { cx } else { cy };
                    let (sign, whole) = (self.d[a].signum(), self.d[a].abs());
                    let exit = at + 8.0 * sign - self.near[a];
                    limited(self.distances(exit * sign, whole))
                }
            };
            out[0][lane] = parts[0];
            out[1][lane] = parts[1];
        }
        out
    }

    /// The second vertex's weight of 256; the first one gets the rest. A triangle
    /// whose vertex 0 has no weight would come out the same.
    pub(crate) fn color_weight(&self, e: &[D; 2]) -> I {
        let mut limits = *e;
        for lane in 0..LANES {
            [limits[0][lane], limits[1][lane]] = limited([e[0][lane], e[1][lane]]);
        }
        let b = self.weights(&limits);
        let mut out = [0; LANES];
        for lane in 0..LANES {
            let (b0, b1) = (cut25(b[0][lane]), cut25(b[1][lane]));
            let b1 = if pow2(b1) > pow2(b0) { 1.0 - b0 } else { b1 };
            out[lane] = (b1 * 256.0).floor() as i32;
        }
        out
    }

    /// Weights of the two vertices, perspective where the state asks for it.
    pub(crate) fn weights(&self, e: &[D; 2]) -> [D; 2] {
        let mut out = [[0.0; LANES]; 2];
        for lane in 0..LANES {
            let (t0, t1) = if self.ww == [1.0; 2] {
                (e[0][lane], e[1][lane])
            } else {
                let e = [t24(e[0][lane]), t24(e[1][lane])];
                (t24(e[0] * self.ww[0]), t24(e[1] * self.ww[1]))
            };
            let r = recip24(weight_sum(t0, t1, 0.0));
            out[0][lane] = t24(t0 * r);
            out[1][lane] = t24(t1 * r);
        }
        out
    }

    /// Interpolates depth, linear in the window, as triangles do.
    pub(crate) fn depth(&self, e: &[D; 2], z: [f64; 2]) -> D {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            let (e0, e1) = (t24(e[0][lane]), t24(e[1][lane]));
            let r = recip29(asum2(e0, e1));
            let (b0, b1) = (t24(e0 * r), t24(e1 * r));
            out[lane] = t24(if pow2(e0) >= pow2(e1) {
                asum2(z[0], b1 * (z[1] - z[0]))
            } else {
                asum2(z[1], b0 * (z[0] - z[1]))
            });
        }
        out
    }

    /// Interpolates w for the W buffer, with perspective whatever the state says, as a
    /// triangle whose first vertex has no weight.
    pub(crate) fn depth_w(&self, e: &[D; 2], w: [f64; 2]) -> D {
        let [to0, to1] = products(w);
        let weights = normalised(&[[0.0; LANES], e[0], e[1]], &[0.0, to0, to1], SHARE);
        let [_, share] = Parts::new(&weights).coordinate_shares();
        let more = t24(w[1] - w[0]) / SHARE;
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = t24(asum2(w[0], share[lane] * more));
        }
        out
    }
}

/// Kept between the two ends.
fn limited(parts: [f64; 2]) -> [f64; 2] {
    let whole = parts[0] + parts[1];
    parts.map(|part| min(max(part, 0.0), whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vtx(x: f32, y: f32) -> VtxOut {
        VtxOut {
            pos: [x.to_bits(), y.to_bits(), 0, 1f32.to_bits()],
            ..VtxOut::default()
        }
    }

    fn lit(line: &Line) -> Vec<(i32, i32)> {
        let mut out = Vec::new();
        for y in (0..16).step_by(2) {
            for x in (0..16).step_by(8) {
                let mask = line.coverage(x, y, 8.0, 8.0);
                for lane in 0..16 {
                    if mask >> lane & 1 != 0 {
                        out.push((x + lane % 8, y + lane / 8));
                    }
                }
            }
        }
        out.sort_unstable();
        out
    }

    #[test]
    fn a_thin_line_leaves_out_its_last_pixel() {
        let line = Line::new([&vtx(2.5, 3.5), &vtx(6.5, 3.5)], 8, false, true).unwrap();
        assert_eq!(lit(&line), [(2, 3), (3, 3), (4, 3), (5, 3)]);
        let line = Line::new([&vtx(6.5, 3.5), &vtx(2.5, 3.5)], 8, false, true).unwrap();
        assert_eq!(lit(&line), [(3, 3), (4, 3), (5, 3), (6, 3)]);
        // A coordinate on the border belongs to the upper row.
        let line = Line::new([&vtx(2.0, 4.0), &vtx(4.0, 4.0)], 8, false, true).unwrap();
        assert_eq!(lit(&line), [(2, 3), (3, 3)]);
    }

    #[test]
    fn a_wide_line_is_a_rectangle() {
        let line = Line::new([&vtx(2.0, 8.0), &vtx(6.0, 8.0)], 32, true, true).unwrap();
        let want: Vec<_> = (2..6).flat_map(|x| (6..10).map(move |y| (x, y))).collect();
        assert_eq!(lit(&line), want);
        assert!(Line::new([&vtx(2.0, 8.0), &vtx(6.0, 8.0)], 0, true, true).is_none());
        assert!(Line::new([&vtx(2.0, 8.0), &vtx(2.0, 8.0)], 8, true, true).is_none());
    }

    #[test]
    fn a_smooth_line_goes_on_beyond_its_ends() {
        let line = Line::new([&vtx(4.0, 4.5), &vtx(12.0, 4.5)], 8, true, true).unwrap();
        let e = line.parts(0, 4);
        let z = line.depth(&e, [400.0, 1200.0]);
        assert_eq!(z[3], 350.0, "half a pixel before the first vertex");
        assert_eq!(z[4], 450.0);
        assert_eq!(line.color_weight(&e)[3], 0);
        let z = line.depth(&line.parts(8, 4), [400.0, 1200.0]);
        assert_eq!(z[4], 1250.0);
        // Thin lines end where they end.
        let thin = Line::new([&vtx(4.0, 4.5), &vtx(12.0, 4.5)], 8, false, true).unwrap();
        assert_eq!(thin.depth(&thin.parts(0, 4), [400.0, 1200.0])[1], 400.0);
    }

    #[test]
    fn an_end_at_infinity_is_a_direction() {
        let far = vtx(f32::INFINITY, f32::INFINITY);
        for order in [[0, 1], [1, 0]] {
            let ends = [&vtx(4.25, 4.5), &far];
            let ends = order.map(|i: usize| ends[i]);
            for wide in [false, true] {
                let line = Line::new(ends, 8, wide, true).unwrap();
                let lit = lit(&line);
                assert!(lit.contains(&(12, 12)) && lit.contains(&(6, 6)), "{lit:?}");
                assert!(!lit.contains(&(2, 2)) && !lit.contains(&(12, 10)));
            }
        }
    }
}
