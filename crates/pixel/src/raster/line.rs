//! Lines. Kelvin has two line rasterisers; MULTISAMPLE_ENABLE picks one.
//!
//! *Thin* lines walk their major axis and light one pixel per step. *Wide* lines
//! are rectangles with square ends whose half width is stretched by an
//! approximation of the length, M + m/2, and whose corners a frame cuts off.
//!
//! Rankine and Curie draw *strokes*: as many pixels as the line is wide in each column (or
//! row) whose centre lies between the ends. Smooth lines are rectangles there too.

use super::num::{D, asum2, max, min, pow2, recip24, recip29, t24, weight_sum};
use super::shares::{Parts, SHARE, cut25};
use super::tri::{behind_eye, bounded_w, bounds, normalised, snap, within_reach};
use crate::frag::{I, LANES};
use isotherm_bus::verts::VtxHead;

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One pixel per step along the major axis.
    Thin,
    /// A rectangle.
    Wide,
    /// A parallelogram whose ends lie along an axis.
    Stroke,
}

/// Which pixels of a line are drawn, counted from its first vertex along the major axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineStipple {
    /// Sixteen bits, the lowest first.
    pub pattern: u16,
    /// Pixels for each of them.
    pub repeat: u32,
}

/// The same with what it needs.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// First and last pixel along the major axis, inclusive.
    Thin(i32, i32),
    /// Half width times length, doubled.
    Wide(f64),
    /// Half the width times the distance along the major axis.
    Stroke(f64),
}

/// The least width of a stroke, in eighths of a pixel.
const PIXEL: u32 = 8;

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
    form: Form,
    /// What a wide line's corners are cut off by: the pixels that its ends' bounds
    /// touch when grown by half the width, unstretched and rounded up to a whole
    /// number of pixels. Left, top, right, bottom, inclusive.
    frame: [i32; 4],
    /// |dX| >= |dY|
    x_major: bool,
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
    /// Sets up a line from vertex 0 to vertex 1. `width` in eighths of a pixel.
    pub(crate) fn new(
        v: [&VtxHead; 2],
        width: u32,
        style: Style,
        perspective: bool,
    ) -> Option<Line> {
        let mut x = v.map(|v| snap(v)[0]);
        let mut y = v.map(|v| snap(v)[1]);
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
        let form = match style {
            Style::Thin => walk(&x, &y, x_major),
            Style::Wide if width == 0 => return None,
            Style::Wide => Form::Wide(f64::from(width) * (2.0 * m + n)),
            Style::Stroke => Form::Stroke(f64::from(width.max(PIXEL)) * m),
        };
        let grow = match form {
            Form::Thin(..) => 16.0,
            Form::Wide(reach) => reach / dd.sqrt() + 16.0,
            Form::Stroke(_) => f64::from(width.max(PIXEL)) + 16.0,
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
            form,
            frame,
            x_major,
            ww,
            bounds,
        })
    }

    /// Which lanes of a block are lit, at sample (`sx`, `sy`) u.
    pub(crate) fn coverage(&self, x: i32, y: i32, sx: f64, sy: f64) -> u16 {
        let mut mask = 0;
        for lane in 0..LANES {
            let (px, py) = (x + lane as i32 % 8, y + lane as i32 / 8);
            let hit = match self.form {
                Form::Thin(first, last) => self.on_walk(px, py, first, last),
                Form::Wide(reach) => self.in_rect(px, py, sx, sy, reach),
                Form::Stroke(reach) => self.in_stroke(px, py, sx, sy, reach),
            };
            mask |= u16::from(hit) << lane;
        }
        mask
    }

    fn on_walk(&self, px: i32, py: i32, first: i32, last: i32) -> bool {
        let at = if self.x_major { px } else { py };
        if at < first || at > last {
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

    /// Between the ends along the major axis, the first one included; along the minor axis
    /// within half the width, the lower side included.
    fn in_stroke(&self, px: i32, py: i32, sx: f64, sy: f64, reach: f64) -> bool {
        let q = [
            f64::from(px) * 16.0 + sx - self.near[0],
            f64::from(py) * 16.0 + sy - self.near[1],
        ];
        let (a, b) = if self.x_major { (0, 1) } else { (1, 0) };
        let sign = self.d[a].signum();
        let [left, along] = self.distances(q[a] * sign, self.d[a].abs());
        let across = (q[b] * self.d[a] - q[a] * self.d[b]) * sign;
        along >= 0.0 && left > 0.0 && across >= -reach && across < reach
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
            let parts = match self.form {
                Form::Wide(_) => {
                    let (qx, qy) = (cx - self.near[0], cy - self.near[1]);
                    self.distances(qx * self.d[0] + qy * self.d[1], self.dd)
                }
                // A thin line takes its values where it leaves the pixel, or at its end.
                Form::Thin(..) => limited(self.along([cx, cy], 8.0)),
                Form::Stroke(_) => self.along([cx, cy], 0.0),
            };
            out[0][lane] = parts[0];
            out[1][lane] = parts[1];
        }
        out
    }

    /// The same along the major axis, so much further on.
    fn along(&self, centre: [f64; 2], further: f64) -> [f64; 2] {
        let a = usize::from(!self.x_major);
        let (sign, whole) = (self.d[a].signum(), self.d[a].abs());
        let at = centre[a] + further * sign - self.near[a];
        self.distances(at * sign, whole)
    }

    /// The second vertex's share of every lane, without the cuts of the chip's float unit.
    pub(crate) fn second_share(&self, x: i32, y: i32) -> D {
        let [e0, e1] = self.parts(x, y);
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            let (t0, t1) = (e0[lane] * self.ww[0], e1[lane] * self.ww[1]);
            out[lane] = t1 / (t0 + t1);
        }
        out
    }

    /// How many pixels it has along the major axis.
    pub(crate) fn steps(&self) -> u32 {
        let a = usize::from(!self.x_major);
        let (sign, whole) = (self.d[a].signum(), self.d[a].abs());
        let [_, from_first] = self.distances(-self.near[a] * sign, whole);
        // Centres lie at 8 and every 16 from there; the first that is not before the vertex.
        let first = (from_first + 8.0 * sign).rem_euclid(16.0);
        within_reach(((whole - first) / 16.0).ceil())
            .max(0)
            .cast_unsigned()
    }

    /// Lanes that a stipple pattern lets through, of which the lines before have used up
    /// `phase` pixels.
    pub(crate) fn stippled(&self, stipple: &LineStipple, phase: u32, x: i32, y: i32) -> u16 {
        let mut mask = 0;
        for lane in 0..LANES {
            let (px, py) = (x + lane as i32 % 8, y + lane as i32 / 8);
            let centre = [px, py].map(|p| f64::from(p) * 16.0 + 8.0);
            let [_, along] = self.along(centre, 0.0);
            let pixel = phase.wrapping_add((within_reach(along) >> 4).cast_unsigned());
            let bit = (pixel / stipple.repeat.max(1)) & 15;
            mask |= (stipple.pattern >> bit & 1) << lane;
        }
        mask
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

/// The pixels of a thin line.
fn walk(x: &[f64; 2], y: &[f64; 2], x_major: bool) -> Form {
    let (from, to, forward) = if x_major {
        (column(x[0]), column(x[1]), x[1] > x[0])
    } else {
        (row(y[0]), row(y[1]), y[1] > y[0])
    };
    if forward {
        Form::Thin(from, to - 1)
    } else {
        Form::Thin(to + 1, from)
    }
}

/// Kept between the two ends.
fn limited(parts: [f64; 2]) -> [f64; 2] {
    let whole = parts[0] + parts[1];
    parts.map(|part| min(max(part, 0.0), whole))
}

#[cfg(test)]
mod tests;
