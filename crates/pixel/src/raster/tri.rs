//! Triangles: snapping, edge functions, coverage, weights.
//!
//! There is no geometric clipping. A vertex behind the eye (w < 0) turns the
//! sign of its edge function, which makes the three half planes the exact image
//! of the homogeneous triangle; only the clip rectangle bounds it. A vertex may be
//! at infinity: its edges then have its direction.

use super::centres::Centres;
use super::num::{
    D, asum3_guarded, asum3_guarded_moderate, max, min, moderate_size, pow2, recip24, recip29, t24,
    weight_sum,
};
use super::positions::Positions;
use super::shares::{Parts, SHARE, whole};
use crate::frag::{LANES, WIDTH};
use isotherm_bus::verts::VtxHead;

/// Positions within this many 1/16 pixels, two million pixels, have edge functions that a
/// float64 holds exactly however they are formed.
const NEAR: f64 = 33554432.0;
/// The same for positions that count to 1/256 pixel: 130,000 pixels.
const NEAR_FINE: f64 = 2097152.0;
/// The least that an edge function can be but 0: the square of 1/256 pixel.
const HAIR: f64 = 1.0 / 256.0;

/// Largest edge function and largest step of one from 1/16 pixel to the next with which no
/// pixel of a tile leaves 32 bits: 2^30 + 2 * 64 * 16 * 2^18 < 2^31.
pub(super) const LARGEST: (f64, f64) = (1073741824.0, 262144.0);

/// What a coordinate is that has no room in a float32 of 1/16 pixels, infinity included:
/// the number that infinity's bits would be, 2^128. Only the direction shows.
const INFINITE: f64 = 340282366920938463463374607431768211456.0;

/// A vertex's window coordinates in 1/16 pixels. Where ASSM did not place it, everything below
/// that is dropped, toward zero. NaN is 0.
/// There is no bound: a vertex at infinity gives its edges their direction
/// (docs/accuracy/raster.md).
#[inline(always)]
pub(crate) fn snap(v: &VtxHead) -> [f64; 2] {
    if v.is_placed() {
        [placed(v.pos[0]), placed(v.pos[1])]
    } else {
        [cut(v.pos[0]), cut(v.pos[1])]
    }
}

/// Where one vertex of a triangle has been placed, all have.
#[inline(always)]
pub(super) fn is_placed(v: [&VtxHead; 3]) -> bool {
    v[0].is_placed() | v[1].is_placed() | v[2].is_placed()
}

/// A coordinate that has been rounded.
fn placed(bits: u32) -> f64 {
    let x = f64::from(f32::from_bits(bits)) * 16.0;
    if x.abs() <= NEAR { x } else { cut(bits) }
}

#[inline(always)]
fn cut(bits: u32) -> f64 {
    let x = f64::from(f32::from_bits(bits)) * 16.0;
    if x.abs() <= NEAR {
        // SAFETY: it is a number, and within ±2^25.
        f64::from(unsafe { x.to_int_unchecked::<i32>() })
    } else if x.abs() < INFINITE {
        // So far away every float32 is whole.
        x
    } else if x.is_nan() {
        0.0
    } else {
        INFINITE.copysign(x)
    }
}

/// A snapped coordinate pulled in so far that pixels can be counted in an i32. What is
/// further away lies outside every surface.
#[inline(always)]
pub(crate) fn within_reach(x: f64) -> i32 {
    // SAFETY: the limits leave neither NaN nor a value out of range.
    unsafe { min(max(x, -NEAR), NEAR).to_int_unchecked() }
}

/// Is a vertex behind the eye? The sign bit of w says so: it counts for zero and for
/// infinity too (W_param).
#[inline(always)]
pub(crate) fn behind_eye(w: u32) -> bool {
    w >> 31 != 0
}

/// w as the interpolators use it: what is smaller than 2^-64, zero included, acts as 2^-64,
/// what is larger than 2^64, infinity included, as 2^64.
#[inline(always)]
pub(crate) fn bounded_w(bits: u32) -> f64 {
    const HUGE: f64 = 18446744073709551616.0;
    // NaN is huge.
    let size = max(min(f64::from(f32::from_bits(bits)).abs(), HUGE), 1.0 / HUGE);
    f64::from_bits(size.to_bits() | u64::from(bits >> 31) << 63)
}

/// A number for each corner of a triangle, or for the edge opposite to it; the fourth only fills
/// a register.
pub(crate) type Corner4 = [f64; 4];

/// Those that count.
#[inline(always)]
fn three([a, b, c, _]: &Corner4) -> [f64; 3] {
    [*a, *b, *c]
}

/// The same numbers, each at the corner before its own.
#[inline(always)]
fn next(v: &Corner4) -> Corner4 {
    [v[1], v[2], v[0], v[3]]
}

/// Each at the corner behind its own.
#[inline(always)]
fn last(v: &Corner4) -> Corner4 {
    [v[2], v[0], v[1], v[3]]
}

/// The products of the other two vertices' w, cut to 24 bits.
#[inline(always)]
fn products_of_others(bits: &[u32; 4]) -> Corner4 {
    let mut w = [0.0; 4];
    for i in 0..4 {
        w[i] = bounded_w(bits[i]);
    }
    let (a, b) = (next(&w), last(&w));
    for i in 0..4 {
        w[i] = t24(a[i] * b[i]);
    }
    w
}

/// The snapped corners of a triangle; the fourth is the third once more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corners {
    pub(crate) x: Corner4,
    pub(crate) y: Corner4,
    /// One is so far away that sums and products of coordinates may lose bits. Then they
    /// are formed from the distances to the corner nearest to the origin.
    far: bool,
}

impl Corners {
    #[inline(always)]
    pub(crate) fn new(v: [&VtxHead; 3]) -> Corners {
        let (at, placed) = (Positions::new(v), is_placed(v));
        match Corners::near(&at, placed) {
            Some(corners) => corners,
            None => Corners::any(&at, placed),
        }
    }

    /// If all are near enough.
    #[inline(always)]
    fn near(Positions([x, y, ..]): &Positions, placed: bool) -> Option<Corners> {
        let limit = if placed { NEAR_FINE } else { NEAR };
        let mut at = [[0.0; 4]; 2];
        let mut near = true;
        for (at, bits) in at.iter_mut().zip([x, y]) {
            for i in 0..4 {
                at[i] = f64::from(f32::from_bits(bits[i])) * 16.0;
                near &= at[i].abs() <= limit;
            }
        }
        if !near {
            return None;
        }
        if !placed {
            for x in at.as_flattened_mut() {
                // SAFETY: it is a number, and within ±2^25.
                let whole: i32 = unsafe { x.to_int_unchecked() };
                *x = whole.into();
            }
        }
        let [x, y] = at;
        Some(Corners { x, y, far: false })
    }

    /// Wherever they are.
    #[cold]
    #[inline(never)]
    fn any(Positions([x, y, ..]): &Positions, is_placed: bool) -> Corners {
        let one = if is_placed { placed } else { cut };
        let limit = if is_placed { NEAR_FINE } else { NEAR };
        let (x, y) = (x.map(one), y.map(one));
        let far = x.iter().chain(&y).any(|x| x.abs() > limit);
        Corners { x, y, far }
    }

    /// The nearer of two corners to the origin.
    fn nearer(&self, i: usize, j: usize) -> usize {
        let size = |i: usize| self.x[i].abs() + self.y[i].abs();
        if size(j) < size(i) { j } else { i }
    }

    /// Twice the area, positive if it is clockwise (y points down).
    #[inline(always)]
    pub(crate) fn double_area(&self) -> f64 {
        if self.far {
            return self.area_from(self.nearer(self.nearer(0, 1), 2));
        }
        let (x, y) = (&self.x, &self.y);
        (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
    }

    /// The same by the distances from corner `i`.
    #[cold]
    fn area_from(&self, i: usize) -> f64 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let (x, y) = (&self.x, &self.y);
        (x[j] - x[i]) * (y[k] - y[i]) - (x[k] - x[i]) * (y[j] - y[i])
    }

    /// The ends of the edges opposite each corner that edge functions count from.
    #[inline(always)]
    fn ends(&self) -> [Corner4; 2] {
        if self.far {
            return self.near_ends();
        }
        [next(&self.x), next(&self.y)]
    }

    /// Those that are nearer to the origin.
    #[cold]
    fn near_ends(&self) -> [Corner4; 2] {
        let near = [self.nearer(1, 2), self.nearer(2, 0), self.nearer(0, 1), 3];
        [near.map(|i| self.x[i]), near.map(|i| self.y[i])]
    }
}

/// Edge functions as whole numbers of 32 bits. From pixel to pixel they change by whole
/// numbers, also where positions are finer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Whole {
    /// At the centre of a pixel, in units of 1/256 of its area, rounded down.
    pub(crate) first: [i32; 4],
    /// What was rounded off.
    pub(crate) rest: Corner4,
    /// The smallest values that count as inside: 1 where an edge function may be 0 and the
    /// edge is neither a top nor a left one, else 0.
    pub(crate) least: [i32; 4],
    /// What the next column and the next row of pixels add.
    pub(crate) steps: Steps,
}

/// What the next column of pixels adds to whole edge functions, and the next row.
pub(crate) type Steps = [[i32; 4]; 2];

impl Whole {
    /// The same from another pixel on, so many columns and rows away.
    #[inline(always)]
    pub(crate) fn moved(&self, columns: i32, rows: i32) -> Whole {
        let mut moved = *self;
        let [right, down] = &self.steps;
        for i in 0..4 {
            moved.first[i] = self.first[i]
                .wrapping_add(right[i].wrapping_mul(columns))
                .wrapping_add(down[i].wrapping_mul(rows));
        }
        moved
    }
}

/// A triangle set up for coverage and interpolation.
#[derive(Clone, Debug)]
pub(crate) struct Tri {
    /// Edge function opposite vertex i: `a*(X - x) + b*(Y - y)`, positive inside, (x, y) the
    /// end of the edge that is nearer to the origin.
    a: Corner4,
    b: Corner4,
    x: Corner4,
    y: Corner4,
    /// Its value at the origin. No use if the triangle is `far`.
    c: Corner4,
    /// A vertex is so far away that edge functions may lose bits if they are added up from
    /// pixel to pixel.
    far: bool,
    /// Signs of w: they turn the edge functions for coverage.
    turn: Corner4,
    /// One of them is negative: a vertex is behind the eye.
    turned: bool,
    /// Smallest value of the turned edge function that counts as inside: 0 on
    /// top and left edges, a hair elsewhere.
    least: Corner4,
    /// The product of the other two vertices' w, cut to 24 bits, which stands for
    /// 1/w; the signs of w where weights are linear.
    ww: Corner4,
    linear: bool,
    /// Reciprocal of the colour weight sum where it is constant.
    r_linear: f64,
    /// The depth weight sum where it is constant.
    depth_sum: Option<f64>,
}

impl Tri {
    /// Sets up a triangle; `None` if it has no area or lies behind the eye.
    /// `perspective` is the TEXTURE_PERSPECTIVE enable.
    #[inline(always)]
    pub(crate) fn new(v: [&VtxHead; 3], perspective: bool) -> Option<Tri> {
        Tri::at(&Positions::new(v), is_placed(v), perspective)
    }

    /// The same of positions, which ASSM may have placed.
    #[inline(always)]
    pub(super) fn at(at: &Positions, placed: bool, perspective: bool) -> Option<Tri> {
        match Corners::near(at, placed) {
            Some(corners) => Tri::of(&corners, at, perspective),
            None => Tri::far(at, placed, perspective),
        }
    }

    #[cold]
    #[inline(never)]
    fn far(at: &Positions, placed: bool, perspective: bool) -> Option<Tri> {
        Tri::of(&Corners::any(at, placed), at, perspective)
    }

    #[inline(always)]
    fn of(corners: &Corners, Positions([.., w]): &Positions, perspective: bool) -> Option<Tri> {
        let far = corners.far;
        let area = corners.double_area();
        let turned = behind_eye(w[0] | w[1] | w[2]);
        if area == 0.0 || behind_eye(w[0] & w[1] & w[2]) {
            return None;
        }
        let sign = 1f64.copysign(area);
        let area = area.abs();
        let (x0, x1) = (next(&corners.x), last(&corners.x));
        let (y0, y1) = (next(&corners.y), last(&corners.y));
        let [x, y] = corners.ends();
        let (mut a, mut b, mut c) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        let (mut turn, mut least) = ([0.0; 4], [0.0; 4]);
        for i in 0..4 {
            let (dx, dy) = ((x1[i] - x0[i]) * sign, (y1[i] - y0[i]) * sign);
            (a[i], b[i]) = (-dy, dx);
            c[i] = dy * x[i] - dx * y[i];
            // 1 with the sign of w.
            turn[i] = f64::from_bits(1f64.to_bits() | u64::from(w[i] >> 31) << 63);
            let (dx, dy) = (dx * turn[i], dy * turn[i]);
            let top_left = (dy < 0.0) | (dy == 0.0) & (dx > 0.0);
            least[i] = if top_left { 0.0 } else { HAIR };
        }
        // Equal w leave no perspective at all: the weights are the linear ones, bit for
        // bit (Specular).
        let linear = !perspective || (w[0] == w[1] && w[1] == w[2]);
        Some(Tri {
            a,
            b,
            x,
            y,
            c,
            far,
            turn,
            turned,
            least,
            ww: if linear { turn } else { products_of_others(w) },
            linear: linear && !turned,
            r_linear: if linear { recip24(t24(area)) } else { 0.0 },
            // Below 2^24 no edge function loses a bit, so their sum is constant.
            depth_sum: (area < 16777216.0 && !turned && !far).then_some(area),
        })
    }

    /// The edge functions at sample (`sx`, `sy`) u of every pixel of a block.
    #[inline(always)]
    pub(crate) fn edges(&self, x: i32, y: i32, sx: f64, sy: f64) -> [D; 3] {
        if self.far {
            return self.far_edges(x, y, sx, sy);
        }
        let (px, py) = (f64::from(x) * 16.0 + sx, f64::from(y) * 16.0 + sy);
        let mut first = [0.0; 4];
        for i in 0..4 {
            first[i] = self.c[i] + self.a[i] * px + self.b[i] * py;
        }
        self.lanes(&first)
    }

    /// The same, each lane by itself.
    #[cold]
    fn far_edges(&self, x: i32, y: i32, sx: f64, sy: f64) -> [D; 3] {
        let mut out = [[0.0; LANES]; 3];
        for lane in 0..LANES {
            let px = f64::from(x + lane as i32 % WIDTH) * 16.0 + sx;
            let py = f64::from(y + lane as i32 / WIDTH) * 16.0 + sy;
            for i in 0..3 {
                out[i][lane] = self.edge(i, px, py);
            }
        }
        out
    }

    /// The edge function opposite vertex `i` at a point in 1/16 pixels.
    #[inline(always)]
    fn edge(&self, i: usize, px: f64, py: f64) -> f64 {
        self.a[i] * (px - self.x[i]) + self.b[i] * (py - self.y[i])
    }

    /// Can any sample of a block of `w` by `h` pixels be inside? Only a false
    /// "yes" is possible.
    #[inline(always)]
    pub(crate) fn touches(&self, x: i32, y: i32, w: i32, h: i32) -> bool {
        if self.far {
            return true;
        }
        let (x0, y0) = (f64::from(x) * 16.0, f64::from(y) * 16.0);
        let (w, h) = (f64::from(w) * 16.0, f64::from(h) * 16.0);
        let mut all = true;
        for i in 0..3 {
            let (a, b) = (self.a[i] * self.turn[i], self.b[i] * self.turn[i]);
            let base = (self.c[i] + self.a[i] * x0 + self.b[i] * y0) * self.turn[i];
            all &= base + max(a * w, 0.0) + max(b * h, 0.0) >= 0.0;
        }
        all
    }

    /// Are all lanes of a block inside, at sample `at`?
    #[inline(always)]
    pub(crate) fn covers(&self, x: i32, y: i32, at: [f64; 2]) -> bool {
        if self.far {
            return false;
        }
        let (x0, y0) = (f64::from(x) * 16.0 + at[0], f64::from(y) * 16.0 + at[1]);
        let mut all = true;
        for i in 0..3 {
            let (a, b) = (self.a[i] * self.turn[i], self.b[i] * self.turn[i]);
            let base = (self.c[i] + self.a[i] * x0 + self.b[i] * y0) * self.turn[i];
            all &= base + min(a * 112.0, 0.0) + min(b * 16.0, 0.0) >= self.least[i];
        }
        all
    }

    /// The largest values of the turned edge function opposite vertex `i` on the squares of
    /// a row that starts at `y`, all in 1/16 pixels: on the first one, and what each next adds.
    pub(super) fn largest_in_squares(&self, i: usize, y: f64, size: f64) -> (f64, f64) {
        let (right, down) = (self.a[i] * self.turn[i], self.b[i] * self.turn[i]);
        let corner = self.edge(i, 0.0, y) * self.turn[i];
        let first = corner + max(right * size, 0.0) + max(down * size, 0.0);
        (first, right * size)
    }

    /// Is a vertex behind the eye?
    #[inline(always)]
    pub(super) fn turned(&self) -> bool {
        self.turned
    }

    /// Is a vertex behind the eye, or so far away that edge functions must not be added up?
    #[inline(always)]
    pub(crate) fn extreme(&self) -> bool {
        self.turned | self.far
    }

    /// The edge functions at the centre of pixel (x, y). A float64 holds them.
    #[inline(always)]
    pub(crate) fn first(&self, x: i32, y: i32) -> Corner4 {
        let (px, py) = (f64::from(x) * 16.0 + 8.0, f64::from(y) * 16.0 + 8.0);
        let mut first = [0.0; 4];
        for i in 0..4 {
            first[i] = self.c[i] + self.a[i] * px + self.b[i] * py;
        }
        first
    }

    /// The edge functions of all pixel centres of a block from its first one's.
    #[inline(always)]
    pub(crate) fn lanes(&self, first: &Corner4) -> [D; 3] {
        [
            ramp(first[0], &steps(self.a[0], self.b[0])),
            ramp(first[1], &steps(self.a[1], self.b[1])),
            ramp(first[2], &steps(self.a[2], self.b[2])),
        ]
    }

    /// The edge functions at the centre of pixel (x, y), and what one pixel to the right and
    /// one below add. `None` if one of them is too large ([`LARGEST`]), or if a vertex is behind
    /// the eye.
    #[inline(always)]
    pub(crate) fn whole(&self, x: i32, y: i32) -> Option<Whole> {
        let (first, mut fits) = (self.first(x, y), !self.extreme());
        for i in 0..4 {
            let steps = (self.a[i].abs() < LARGEST.1) & (self.b[i].abs() < LARGEST.1);
            fits &= (first[i].abs() < LARGEST.0) & steps;
        }
        if !fits {
            return None;
        }
        let mut whole = Whole::default();
        let [right, down] = &mut whole.steps;
        for i in 0..4 {
            let below = first[i].floor();
            whole.rest[i] = first[i] - below;
            // SAFETY: 32 bits hold all that is smaller than `LARGEST`, and sixteen steps.
            unsafe {
                whole.first[i] = below.to_int_unchecked();
                right[i] = (self.a[i] * 16.0).to_int_unchecked();
                down[i] = (self.b[i] * 16.0).to_int_unchecked();
            }
            whole.least[i] = i32::from((self.least[i] != 0.0) & (whole.rest[i] == 0.0));
        }
        Some(whole)
    }

    /// Which lanes are inside, by the top-left rule.
    #[inline(always)]
    pub(crate) fn coverage(&self, e: &[D; 3]) -> u16 {
        let mut mask = 0u32;
        for lane in 0..LANES {
            let inside = (e[0][lane] * self.turn[0] >= self.least[0])
                & (e[1][lane] * self.turn[1] >= self.least[1])
                & (e[2][lane] * self.turn[2] >= self.least[2]);
            mask |= u32::from(inside) << lane;
        }
        mask as u16
    }

    /// The weights in units of 2^-25, as numbers of 24 bits and cut to whole ones. Outside
    /// the triangle they have no bound; what is beyond this one shows nowhere.
    #[inline(always)]
    pub(crate) fn parts(&self, e: &[D; 3]) -> Parts {
        Parts::new(&self.weights_of(e, SHARE))
    }

    /// The same where all lanes are covered.
    ///
    /// # Safety
    /// All lanes must be covered, and no vertex be behind the eye: then edge functions
    /// lie between 0 and the area.
    #[inline(always)]
    pub(crate) unsafe fn inner_parts(&self, e: &[D; 3]) -> Parts {
        let wide = self.weights_of(e, SHARE);
        // SAFETY: the reciprocal is at most 2^25 (1 + 2^-22) / area, or the weights are
        // parts of their sum; so all are below 2^26.
        let cut = unsafe { [whole(&wide[0]), whole(&wide[1]), whole(&wide[2])] };
        Parts { wide, cut }
    }

    /// The weights of every lane as 24-bit significands, perspective where the
    /// state asks for it.
    #[inline(always)]
    pub(crate) fn weights(&self, e: &[D; 3]) -> [D; 3] {
        self.weights_of(e, 1.0)
    }

    /// Twice the area.
    pub(super) fn area(&self) -> f64 {
        self.corner_edges().iter().sum()
    }

    /// The upper left corner of the bounds, in 1/16 pixels.
    pub(super) fn corner(&self) -> [f64; 2] {
        let low = |v: &Corner4| min(min(v[0], v[1]), v[2]);
        [low(&self.x), low(&self.y)]
    }

    /// The edge functions at that corner.
    pub(super) fn corner_edges(&self) -> [f64; 3] {
        let [x, y] = self.corner();
        [0, 1, 2].map(|i| self.edge(i, x, y))
    }

    /// What the edge functions gain per 1/16 pixel to the right and down.
    pub(super) fn slopes(&self) -> [[f64; 3]; 2] {
        [three(&self.a), three(&self.b)]
    }

    /// Is one value of 1/w enough, and no vertex extreme?
    pub(super) fn is_flat(&self) -> bool {
        self.linear && !self.far
    }

    /// What the edge functions gain per 1/16 pixel to the right and down, and what they are at the
    /// origin, if sums of these are exact.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn planes(&self) -> Option<[&Corner4; 3]> {
        (!self.far).then_some([&self.a, &self.b, &self.c])
    }

    /// The smallest values that count as inside.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn least(&self) -> &Corner4 {
        &self.least
    }

    /// The edge functions at pixel centres.
    #[inline(always)]
    pub(super) fn edges_at(&self, at: &Centres) -> [D; 3] {
        let mut out = [[0.0; LANES]; 3];
        for (i, out) in out.iter_mut().enumerate() {
            for lane in 0..LANES {
                let (x, y) = (at.x[lane], at.y[lane]);
                out[lane] = if self.far {
                    self.edge(i, x, y)
                } else {
                    self.c[i] + self.a[i] * x + self.b[i] * y
                };
            }
        }
        out
    }

    /// What edge functions are multiplied with before they are parts of their sum.
    #[inline(always)]
    pub(super) fn factors(&self) -> Corner4 {
        if self.linear { [1.0; 4] } else { self.ww }
    }

    /// The weights without the cuts of the chip's float unit.
    #[inline(always)]
    pub(super) fn exact_weights(&self, e: &[D; 3]) -> [D; 3] {
        let w = self.factors();
        let mut out = [[0.0; LANES]; 3];
        for lane in 0..LANES {
            let [a, b, c] = [e[0][lane] * w[0], e[1][lane] * w[1], e[2][lane] * w[2]];
            let r = 1.0 / (a + b + c);
            (out[0][lane], out[1][lane], out[2][lane]) = (a * r, b * r, c * r);
        }
        out
    }

    /// The reciprocal that makes weights of edge functions, if there is no perspective.
    #[inline(always)]
    pub(super) fn linear_reciprocal(&self) -> Option<f64> {
        self.linear.then_some(self.r_linear)
    }

    /// The products of the other two vertices' w, for weights with perspective.
    #[inline(always)]
    pub(super) fn products(&self) -> [f64; 3] {
        three(&self.ww)
    }

    /// [`Tri::weights`] times a power of two, which costs nothing.
    #[inline(always)]
    fn weights_of(&self, e: &[D; 3], one: f64) -> [D; 3] {
        if self.linear {
            let r = self.r_linear * one;
            return [linear(&e[0], r), linear(&e[1], r), linear(&e[2], r)];
        }
        normalised(e, &self.products(), one)
    }

    /// Interpolates w for the W buffer, with perspective whatever the state says: the
    /// shares of texture coordinates, then depth's adder with the base always at vertex 1.
    #[inline(always)]
    pub(crate) fn depth_w(&self, e: &[D; 3], w: &[f64; 3]) -> D {
        let ww = [t24(w[1] * w[2]), t24(w[2] * w[0]), t24(w[0] * w[1])];
        let (d0, d2) = (t24(w[0] - w[1]) / SHARE, t24(w[2] - w[1]) / SHARE);
        let [s0, s2] = Parts::new(&normalised(e, &ww, SHARE)).coordinate_shares();
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = t24(asum3_guarded(w[1], s0[lane] * d0, s2[lane] * d2));
        }
        out
    }

    /// Interpolates depth, linear in the window.
    #[inline(always)]
    pub(crate) fn depth(&self, e: &[D; 3], z: &Corner4) -> D {
        let constant = self.depth_reciprocal();
        if let Some(depth) = constant.and_then(|r| Depth::moderate(r, z)) {
            return depth.at(e);
        }
        let z = &three(z);
        let d = differences(z);
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            let e = [t24(e[0][lane]), t24(e[1][lane]), t24(e[2][lane])];
            let r = match constant {
                Some(r) => r,
                None => recip29(asum3_guarded(e[0], e[1], e[2])),
            };
            let [zk, m, n] = depth_terms(e, r, z, d);
            out[lane] = t24(asum3_guarded(zk, m, n));
        }
        out
    }

    /// The reciprocal of the weights' sum for depth, where that is constant.
    #[inline(always)]
    pub(super) fn depth_reciprocal(&self) -> Option<f64> {
        self.depth_sum.map(recip29)
    }
}

/// The depth of a triangle so small that its weights' sum is constant, and without extreme
/// depths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Depth {
    /// The reciprocal of that sum.
    pub(super) r: f64,
    pub(super) z: [f64; 3],
    pub(super) d: [f64; 3],
}

impl Depth {
    /// That of a triangle with this reciprocal and depths, if none of these is extreme.
    #[inline(always)]
    pub(super) fn moderate(r: f64, z: &Corner4) -> Option<Depth> {
        let moderate = moderate_size(z[0]).is_some()
            & moderate_size(z[1]).is_some()
            & moderate_size(z[2]).is_some();
        if !moderate {
            return None;
        }
        let z = three(z);
        let d = differences(&z);
        Some(Depth { r, z, d })
    }

    /// Depth where the edge functions are `e`; where they are covered none has a bit to lose.
    #[inline(always)]
    pub(super) fn at(&self, e: &[D; 3]) -> D {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            let e = [e[0][lane], e[1][lane], e[2][lane]];
            let [zk, m, n] = depth_terms(e, self.r, &self.z, self.d);
            out[lane] = t24(asum3_guarded_moderate(zk, m, n));
        }
        out
    }
}

/// What the depths of two vertices differ by: 0 and 1, 0 and 2, 1 and 2.
#[inline(always)]
fn differences(z: &[f64; 3]) -> [f64; 3] {
    let mut d = [z[0] - z[1], z[0] - z[2], z[1] - z[2]];
    for d in &mut d {
        if d.abs() < f64::from(f32::MIN_POSITIVE) {
            *d = 0.0;
        }
    }
    d
}

/// What depth is the sum of: the value of the vertex whose edge function has the largest
/// exponent (ties go to 1, 0, 2), and the shares of the differences to it.
#[inline(always)]
pub(super) fn depth_terms(
    e: [f64; 3],
    r: f64,
    z: &[f64; 3],
    [d01, d02, d12]: [f64; 3],
) -> [f64; 3] {
    let [b0, b1, b2] = [t24(e[0] * r), t24(e[1] * r), t24(e[2] * r)];
    let [p0, p1, p2] = [pow2(e[0]), pow2(e[1]), pow2(e[2])];
    let base1 = (p1 >= p0) & (p1 >= p2);
    let base0 = p0 >= p2;
    let pick = |at1: f64, at0: f64, at2: f64| {
        let other = if base0 { at0 } else { at2 };
        if base1 { at1 } else { other }
    };
    let zk = pick(z[1], z[0], z[2]);
    let m = pick(b0, b1, b0) * pick(d01, -d01, d02);
    let n = pick(b2, b2, b1) * pick(-d12, -d02, d12);
    [zk, m, n]
}

/// Perspective weights: edge functions times the products of the other vertices' w,
/// divided by their sum, in units of which so many are one (a power of two). Every result is
/// cut to 24 bits.
#[inline(always)]
pub(super) fn normalised(e: &[D; 3], ww: &[f64; 3], one: f64) -> [D; 3] {
    let mut out = [[0.0; LANES]; 3];
    for lane in 0..LANES {
        let t0 = t24(t24(e[0][lane]) * ww[0]);
        let t1 = t24(t24(e[1][lane]) * ww[1]);
        let t2 = t24(t24(e[2][lane]) * ww[2]);
        let r = recip24(weight_sum(t0, t1, t2)) * one;
        out[0][lane] = t24(t0 * r);
        out[1][lane] = t24(t1 * r);
        out[2][lane] = t24(t2 * r);
    }
    out
}

/// Interpolates one attribute with the base at vertex 1.
#[inline(always)]
pub(crate) fn lerp(b: &[D; 3], v: &[f64; 3]) -> D {
    let mut out = [0.0; LANES];
    let (d0, d2) = (v[0] - v[1], v[2] - v[1]);
    for lane in 0..LANES {
        out[lane] = v[1] + b[0][lane] * d0 + b[2][lane] * d2;
    }
    out
}

/// What each lane adds to an edge function of the block's first pixel.
#[inline(always)]
fn steps(a: f64, b: f64) -> D {
    const X: D = [
        0., 16., 32., 48., 64., 80., 96., 112., 0., 16., 32., 48., 64., 80., 96., 112.,
    ];
    const Y: D = [
        0., 0., 0., 0., 0., 0., 0., 0., 16., 16., 16., 16., 16., 16., 16., 16.,
    ];
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        out[lane] = a * X[lane] + b * Y[lane];
    }
    out
}

/// A linear function over a block.
#[inline(always)]
fn ramp(first: f64, step: &D) -> D {
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        out[lane] = first + step[lane];
    }
    out
}

/// Linear weights of one vertex. The edge function is cut as it is for perspective and
/// depth; goldens do not tell.
#[inline(always)]
pub(crate) fn linear(e: &D, r: f64) -> D {
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        out[lane] = t24(t24(e[lane]) * r);
    }
    out
}

/// Pixels whose centres or corners can lie inside, max exclusive.
pub(crate) fn bounds(x: &[f64], y: &[f64]) -> [i32; 4] {
    let low = |v: &[f64]| v.iter().copied().fold(f64::MAX, f64::min);
    let high = |v: &[f64]| v.iter().copied().fold(f64::MIN, f64::max);
    let floor = |v: f64| within_reach(v) >> 4;
    [
        floor(low(x)),
        floor(low(y)),
        floor(high(x)) + 1,
        floor(high(y)) + 1,
    ]
}

#[cfg(test)]
mod tests;
