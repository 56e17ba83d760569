//! Colours of Curie's fragment programs: bytes, mixed with weights of nine bits.
//!
//! Two vertices' weights are cut, the third takes the rest. Which one does what goes by the
//! window (docs/accuracy/fragment.md has the pictures and what does not fit).

use super::centres::Centres;
use super::inputs::Exact;
use super::num::{D, int, max, min};
use super::tri::{Tri, snap};
use crate::frag::{Frag, I, LANES};
use crate::shader::program::by_quads;
use isotherm_bus::verts::VtxHead;
use isotherm_lanes::Lane;

/// The sum of all weights.
const WHOLE: f64 = 512.0;

/// The colours of a primitive that are not the same at all of its vertices.
#[derive(Default)]
pub(super) struct Colors {
    /// Input, component, the vertices' bytes, and how a triangle mixes them.
    values: Vec<(usize, usize, [i32; 3], Mix)>,
    /// Whose weight is cut, whose is cut a hair earlier, who takes the rest.
    order: [usize; 3],
    /// x and y of the vertices in 1/16 pixels.
    places: [[f64; 2]; 3],
    /// A shorter way to the weights, where there is one.
    quick: Option<Quick>,
}

impl Colors {
    /// Forgets all colours.
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.quick = None;
    }

    /// A colour of a primitive with these corners.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        corners: [&VtxHead; 3],
        input: usize,
        component: usize,
        bytes: [u8; 3],
    ) {
        if self.values.is_empty() {
            self.order = order(corners);
            for (place, corner) in self.places.iter_mut().zip(corners) {
                *place = snap(corner);
            }
        }
        let bytes = [bytes[0].into(), bytes[1].into(), bytes[2].into()];
        let mix = Mix::new(self.order, bytes);
        self.values.push((input, component, bytes, mix));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// What a triangle has once for all of its pixels.
    pub(super) fn set_up(&mut self, tri: &Tri) {
        if tri.is_flat() && !self.is_empty() {
            self.quick = Quick::new(&self.places, self.order);
        }
    }

    /// A triangle's colours, where the first two vertices in order have these weights.
    #[inline(always)]
    pub(super) fn fill_triangle(&self, weights: &[I; 2], frag: &mut Frag) {
        let mut rows = frag.program.inputs();
        for (input, component, _, mix) in &self.values {
            mix.fill(weights, rows.of(*input, *component));
        }
    }

    /// Inputs and components.
    #[inline(always)]
    pub(super) fn inputs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.values.iter().map(|&(input, c, ..)| (input, c))
    }

    /// How the components of an input are mixed; those that are the same everywhere are as
    /// they were.
    pub(super) fn mixes(&self, input: usize, out: &mut [Mix; 4]) {
        for (number, component, _, mix) in &self.values {
            if *number == input {
                out[component % 4] = *mix;
            }
        }
    }

    /// A shorter way to the weights, where there is one.
    #[inline(always)]
    pub(super) fn quick(&self) -> Option<&Quick> {
        self.quick.as_ref()
    }

    /// The weights of the first two vertices in order. A part is a few of its last bits beside the
    /// quotient, which is no matter but near whole numbers.
    #[inline(always)]
    pub(super) fn weights(&self, tri: &Tri, exact: &Exact) -> [I; 2] {
        /// How near, by a number's size: eight times what a product and two roundings do.
        const NEAR: f64 = 1.0 / 562949953421312.0;
        /// Whole numbers that are larger than any weight of a pixel inside.
        const MOST: f64 = 1073741824.0;
        /// Added and taken away, it leaves the nearest whole number.
        const NEAREST: f64 = 6755399441055744.0;
        // Rows are chosen before the lanes, so that these loops become vector code.
        let [left, middle, _] = self.order;
        let rows = [&exact.parts[left], &exact.parts[middle]];
        // Signs of how much nearer than that they are.
        let (mut out, mut far) = ([[0; LANES]; 2], [u64::MAX; LANES]);
        for (out, row) in out.iter_mut().zip(rows) {
            for lane in 0..LANES {
                // What is no number becomes one, and whole.
                let share = min(max(row[lane] * WHOLE, -MOST), MOST);
                let away = share - ((share + NEAREST) - NEAREST);
                far[lane] &= (share.abs() * NEAR - away.abs()).to_bits();
                out[lane] = int(share);
            }
        }
        let far = far.iter().fold(u64::MAX, |all, lane| all & lane);
        if far >> 63 != 0 {
            out
        } else {
            self.divided(tri, &exact.edges)
        }
    }

    /// The same by divisions.
    #[inline(never)]
    fn divided(&self, tri: &Tri, edges: &[D; 3]) -> [I; 2] {
        let factors = tri.factors();
        let (mut parts, mut sum) = ([[0.0; LANES]; 3], [0.0; LANES]);
        for i in 0..3 {
            for lane in 0..LANES {
                parts[i][lane] = edges[i][lane] * factors[i];
            }
        }
        for lane in 0..LANES {
            sum[lane] = parts[0][lane] + parts[1][lane] + parts[2][lane];
        }
        let [left, middle, _] = self.order;
        let (left, middle) = (&parts[left], &parts[middle]);
        let mut out = [[0; LANES]; 2];
        for lane in 0..LANES {
            let p = left[lane] / sum[lane] * WHOLE;
            // Toward zero, also outside; what is no number counts as none.
            out[0][lane] = int(if p.is_nan() { 0.0 } else { p });
        }
        for lane in 0..LANES {
            let q = middle[lane] / sum[lane] * WHOLE;
            // A whole number counts as a hair less.
            let q = q.ceil() - f64::from(q > 0.0);
            out[1][lane] = int(if q.is_nan() { 0.0 } else { q });
        }
        out
    }

    /// A line's colours: the second vertex has these shares, in a block's rows of pixels.
    pub(super) fn fill_line(&self, shares: &D, frag: &mut Frag) {
        let second = shares.map(|share| (share.clamp(0.0, 1.0) * WHOLE).floor() as i32);
        let second = by_quads(&second);
        let weights = [second, second.map(|w| WHOLE as i32 - w)];
        for (input, component, bytes, _) in &self.values {
            let mix = Mix::new([1, 0, 2], *bytes);
            mix.fill(&weights, frag.program.input(*input, *component));
        }
    }
}

/// How the vertices' bytes become a pixel's, where two vertices have weights and the third
/// has the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mix {
    /// What the two have more than the third.
    pub(super) more: [i32; 2],
    /// The third's with all of the weight, and the rounding's half.
    pub(super) start: i32,
    /// Pixels beside the triangle have the colours of its edge.
    limits: [i32; 2],
}

impl Mix {
    /// Of vertices in this order.
    fn new([p, q, rest]: [usize; 3], c: [i32; 3]) -> Mix {
        Mix {
            more: [c[p] - c[rest], c[q] - c[rest]],
            start: (c[rest] << 9) + 256,
            limits: [c[0].min(c[1]).min(c[2]), c[0].max(c[1]).max(c[2])],
        }
    }

    /// The same byte everywhere.
    pub(super) fn constant(byte: i32) -> Mix {
        Mix::new([0, 1, 2], [byte; 3])
    }

    /// The bytes where the two vertices have these weights.
    #[inline(always)]
    pub(super) fn bytes(&self, [first, second]: &[I; 2]) -> I {
        let ([more, also], [low, high]) = (self.more, self.limits);
        let mut out = [0; LANES];
        for lane in 0..LANES {
            let sum = more
                .wrapping_mul(first[lane])
                .wrapping_add(also.wrapping_mul(second[lane]))
                .wrapping_add(self.start);
            out[lane] = (sum >> 9).max(low).min(high);
        }
        out
    }

    /// The same as numbers.
    #[inline(always)]
    fn fill(&self, weights: &[I; 2], out: &mut Lane) {
        let bytes = self.bytes(weights);
        for lane in 0..LANES {
            out[lane] = part_of_255(bytes[lane]);
        }
    }
}

/// A byte as a part of 255: the quotient, without a division. The first product is a whole
/// number below 2^24, so that nothing but the sum is rounded that could be seen.
#[inline(always)]
fn part_of_255(byte: i32) -> f32 {
    const MOST: f32 = 65793.0 / 16777216.0;
    const REST: f32 = (1.0 / 255.0 - 65793.0 / 16777216.0) as f32;
    let byte = byte as f32;
    byte * MOST + byte * REST
}

/// Weights without perspective, where all edge functions are whole numbers of 1/256 below 2^33:
/// then the quotients are whole numbers, or at least 1/256 of the area's inverse away from one,
/// and half of that is more than what rounding can do to a product with the inverse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quick {
    /// The edge functions of the first two vertices in order: per x, per y, and at the origin.
    pub(super) edges: [[f64; 3]; 2],
    /// Twice the triangle's area, below 0 if it runs the other way, and [`WHOLE`] by it.
    area: f64,
    pub(super) inverse: f64,
    /// Half of how far quotients stay away from whole numbers.
    pub(super) hair: f64,
}

impl Quick {
    /// Positions, in 1/16 pixels, beyond which edge functions may be too large; pixels of the
    /// same blocks lie a little further out.
    const FARTHEST: f64 = 32000.0;

    fn new(places: &[[f64; 2]; 3], [left, middle, _]: [usize; 3]) -> Option<Quick> {
        let near = |x: &f64| x.abs() <= Quick::FARTHEST;
        if !places.as_flattened().iter().all(near) {
            return None;
        }
        let edge = |i: usize| {
            let ([x0, y0], [x1, y1]) = (places[(i + 1) % 3], places[(i + 2) % 3]);
            let (dx, dy) = (x1 - x0, y1 - y0);
            [-dy, dx, dy * x0 - dx * y0]
        };
        let all = [edge(0), edge(1), edge(2)];
        let area = all[0][2] + all[1][2] + all[2][2];
        (area != 0.0).then(|| Quick {
            edges: [all[left], all[middle]],
            area,
            inverse: WHOLE / area,
            hair: 1.0 / (512.0 * area.abs()),
        })
    }

    #[inline(always)]
    pub(super) fn weights(&self, at: &Centres) -> [I; 2] {
        let mut out = [[0; LANES]; 2];
        let [[ax, ay, a0], [bx, by, b0]] = self.edges;
        for lane in 0..LANES {
            let (x, y) = (at.x[lane], at.y[lane]);
            let p = (ax * x + ay * y + a0) * self.inverse;
            let q = (bx * x + by * y + b0) * self.inverse;
            // A whole number of the second counts as a hair less.
            out[0][lane] = int(p + self.hair.copysign(p));
            out[1][lane] = int(q - self.hair);
        }
        out
    }

    /// An edge function's share of [`WHOLE`] in units of a step, at most half of one and a little
    /// off. `None` if it is far larger than any inside of a triangle.
    #[inline(always)]
    fn fixed(&self, edge: f64) -> Option<i64> {
        const FAR: f64 = 8192.0;
        let guess = edge * self.inverse;
        if guess.is_nan() || guess.abs() >= FAR {
            return None;
        }
        let guess = (guess * Steps::ONE) as i64;
        let (edge, area) = ((edge * 256.0) as i64, (self.area * 256.0) as i64);
        // What the guess leaves over. Modulo 2^64 is enough: a float64's last bit is 2^9 units
        // here, and the area has 40 bits.
        let rest = (edge << (9 + Steps::BITS)).wrapping_sub(guess.wrapping_mul(area));
        let more = rest as f64 * (self.inverse / (WHOLE * 256.0));
        Some(guess + (more + 0.5f64.copysign(more)) as i64)
    }
}

/// The weights of [`Quick`] in the whole blocks of a tile, where none is below 0, by adding
/// fixed-point numbers.
///
/// No pixel of a tile is more than 63 columns and rows from its first one, so that what is added
/// up is less than 2^-41 off: less than a hair, which is at least 2^-41 and in the numbers already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    /// At the tile's first pixel.
    first: [i64; 2],
    /// What the next column and the next row add.
    right: [i64; 2],
    down: [i64; 2],
}

impl Steps {
    /// Fraction bits, and the number of units.
    const BITS: u32 = 48;
    const ONE: f64 = (1u64 << Steps::BITS) as f64;

    /// Of a tile that starts at `origin`. `None` if numbers would be too large.
    #[inline(always)]
    pub(super) fn new(quick: &Quick, origin: [i32; 2]) -> Option<Steps> {
        let [left, top] = [f64::from(origin[0] * 16 + 8), f64::from(origin[1] * 16 + 8)];
        let hair = (quick.hair * Steps::ONE) as i64;
        let mut steps = Steps::default();
        for (i, hair) in [hair, -hair].into_iter().enumerate() {
            let [along, down, zero] = quick.edges[i];
            steps.first[i] = quick.fixed(zero + along * left + down * top)? + hair;
            steps.right[i] = quick.fixed(16.0 * along)?;
            steps.down[i] = quick.fixed(16.0 * down)?;
        }
        Some(steps)
    }

    /// Number `i` at a pixel of the tile. Far from the triangle it may have lost its upper bits.
    #[inline(always)]
    pub(super) fn at(&self, i: usize, [x, y]: [i32; 2]) -> i64 {
        let right = self.right[i].wrapping_mul(x.into());
        let down = self.down[i].wrapping_mul(y.into());
        self.first[i].wrapping_add(right).wrapping_add(down)
    }

    /// What the lanes of a block, row by row, have more than its first pixel.
    #[inline(always)]
    pub(super) fn lanes(&self, i: usize) -> [i64; LANES] {
        let mut out = [0; LANES];
        for lane in 0..LANES {
            let right = self.right[i].wrapping_mul(lane as i64 % 8);
            let down = self.down[i].wrapping_mul(lane as i64 / 8);
            out[lane] = right.wrapping_add(down);
        }
        out
    }
}

/// The weight that a number of [`Steps`] is.
#[inline(always)]
pub(super) fn weight(number: i64) -> i32 {
    // The second one's hair is more than nothing.
    ((number >> 32) as i32 >> (Steps::BITS - 32)).max(0)
}

/// Where no position was rounded, the vertices from top to bottom, as they came where two are
/// in a row; else from left to right, the upper one first where two are in a column.
#[inline(always)]
fn order(corners: [&VtxHead; 3]) -> [usize; 3] {
    let mut whole = true;
    for v in corners {
        whole &= v.exact == [v.pos[0], v.pos[1]];
    }
    let mut keys = [0; 3];
    for (key, v) in keys.iter_mut().zip(corners) {
        let (x, y) = (ordered(v.pos[0]), ordered(v.pos[1]));
        *key = if whole { y } else { x << 32 | y };
    }
    // How many come before each; of equal ones the first does.
    let before = |i: usize, j: usize| usize::from(keys[i] <= keys[j]);
    let [a, b, c] = [before(0, 1), before(0, 2), before(1, 2)];
    let mut order = [0; 3];
    order[(2 - a - b) % 3] = 0;
    order[(1 + a - c) % 3] = 1;
    order[(b + c) % 3] = 2;
    order
}

/// A number's bits, so that they are ordered as numbers are ([`f32::total_cmp`]).
#[inline(always)]
fn ordered(bits: u32) -> u64 {
    let turned = bits ^ ((bits as i32 >> 31) as u32 | 0x8000_0000);
    turned.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_lanes::Random;

    fn vertex(x: f32, y: f32) -> VtxHead {
        let place = [x.to_bits(), y.to_bits()];
        VtxHead {
            pos: [place[0], place[1], 0, 1f32.to_bits()],
            exact: place,
            ..VtxHead::default()
        }
    }

    #[test]
    fn who_takes_the_rest() {
        // The RSX's second quad, and its first, whose x is not whole.
        let [a, b, c] = [
            vertex(144.0, 228.0),
            vertex(144.0, 156.0),
            vertex(216.0, 156.0),
        ];
        assert_eq!(order([&a, &b, &c]), [1, 2, 0]);
        let off = |x: f32, y: f32| VtxHead {
            exact: [(x + 0.00003).to_bits(), y.to_bits()],
            ..vertex(x, y)
        };
        let [a, b, c] = [off(36.0, 228.0), off(36.0, 156.0), off(108.0, 156.0)];
        assert_eq!(order([&a, &b, &c]), [1, 0, 2]);
    }

    #[test]
    fn orders_and_places_are_those_of_plain_sorting() {
        let mut random = Random::new(11);
        for _ in 0..100_000 {
            // Many that are equal, both zeros, and any bits.
            let mut number = || match random.below(4) {
                0 => random.next_u32(),
                1 => [0, 1 << 31][random.below(2) as usize],
                _ => ((random.below(8) as f32 - 4.0) / 512.0).to_bits(),
            };
            let v: [VtxHead; 3] = std::array::from_fn(|_| VtxHead {
                pos: [number(), number(), 0, 0],
                ..VtxHead::default()
            });
            let rounded = random.below(2) as usize;
            let v = v.map(|v| VtxHead {
                exact: [v.pos[0] ^ rounded as u32, v.pos[1]],
                ..v
            });
            let at = |i: usize| [0, 1].map(|c: usize| f32::from_bits(v[i].pos[c]));
            let mut want = [0, 1, 2];
            want.sort_by(|&i, &j| {
                let ([x0, y0], [x1, y1]) = (at(i), at(j));
                let rows = y0.total_cmp(&y1);
                if rounded == 0 {
                    rows
                } else {
                    x0.total_cmp(&x1).then(rows)
                }
            });
            assert_eq!(order([&v[0], &v[1], &v[2]]), want, "{v:?}");
        }
    }

    #[test]
    fn bytes_are_quotients() {
        for byte in 0..256 {
            assert_eq!(part_of_255(byte), byte as f32 / 255.0);
        }
    }

    #[test]
    fn weights_have_nine_bits() {
        let v = [vertex(0.0, 0.0), vertex(8.0, 0.0), vertex(0.0, 8.0)];
        let corners = [&v[0], &v[1], &v[2]];
        let tri = Tri::new(corners, false).expect("an area");
        let mut colors = Colors::default();
        colors.push(corners, 4, 0, [0, 255, 0]);
        colors.push(corners, 4, 1, [0, 0, 255]);
        assert_eq!(colors.order, [0, 1, 2]);
        let mut frag = Frag::default();
        let weights = colors.weights(&tri, &Exact::new(&tri, &Centres::of_block(0, 0)));
        colors.fill_triangle(&weights, &mut frag);
        // The first pixel has a sixteenth of each: 32 of 512, of which the cut takes one.
        let first = |frag: &mut Frag, c: usize| (frag.program.input(4, c)[0] * 255.0).round();
        assert_eq!(first(&mut frag, 0), f32::from((31 * 255 + 256) as u16 >> 9));
        let rest = 512 - 31 - 512 * 14 / 16;
        assert_eq!(first(&mut frag, 1), (((rest * 255) + 256) >> 9) as f32);
        // A line's second vertex: cut.
        colors.fill_line(&[0.501; LANES], &mut frag);
        assert_eq!(first(&mut frag, 0), ((256 * 255 + 256) >> 9) as f32);
        // The lower row of pixels is the lower half of every quad.
        let shares = std::array::from_fn(|lane| (lane / 8) as f64);
        colors.fill_line(&shares, &mut frag);
        let want = std::array::from_fn(|lane| (lane / 2 % 2) as f32);
        assert_eq!(*frag.program.input(4, 0), want);
    }

    #[test]
    fn the_quick_way_has_the_same_weights() {
        let mut random = Random::new(4);
        let mut quick = 0;
        for round in 0..20_000 {
            // Small triangles, and large ones whose positions have fractions.
            let size = [64, 1024, 480_000][round % 3];
            let mut place = || random.below(size) as f32 / 256.0;
            let v: [VtxHead; 3] = std::array::from_fn(|_| vertex(place(), place()));
            let corners = [&v[0], &v[1], &v[2]];
            let Some(tri) = Tri::new(corners, false) else {
                continue;
            };
            let mut colors = Colors::default();
            colors.push(corners, 4, 0, [0, 255, 9]);
            colors.set_up(&tri);
            let Some(short) = colors.quick else { continue };
            quick += 1;
            for _ in 0..4 {
                let (x, y) = (random.below(240) as i32 * 8, random.below(540) as i32 * 2);
                let at = Centres::of_block(x, y);
                let exact = Exact::new(&tri, &at);
                let want = colors.divided(&tri, &exact.edges);
                assert_eq!(short.weights(&at), want, "{v:?} {x} {y}");
                assert_eq!(colors.weights(&tri, &exact), want, "{v:?} {x} {y}");
            }
        }
        assert!(quick > 15_000, "{quick}");
    }

    /// A block that lies inside of a triangle, in a tile of 64 by 64 pixels, if there is one.
    fn block_inside(random: &mut Random, tri: &Tri, origin: [i32; 2]) -> Option<[i32; 2]> {
        let place = [random.below(8) as i32 * 8, random.below(32) as i32 * 2];
        let at = Centres::of_block(origin[0] + place[0], origin[1] + place[1]);
        let edges = tri.edges_at(&at);
        let inside = edges.as_flattened().iter().all(|&e| e >= 0.0);
        inside.then_some(place)
    }

    #[test]
    fn steps_have_the_same_weights() {
        let mut random = Random::new(12);
        let mut blocks = 0;
        for round in 0..100_000 {
            // Whole pixels, fractions, and positions that are as far away as may be.
            let unit = [256, 1, 16][round / 4 % 3];
            let size = [20_000, 100_000, 480_000, 512_000][round % 4] / unit;
            let off = if size * unit == 512_000 { -1000.0 } else { 0.0 };
            let mut place = || off + (random.below(size) * unit) as f32 / 256.0;
            let v: [VtxHead; 3] = std::array::from_fn(|_| vertex(place(), place()));
            let corners = [&v[0], &v[1], &v[2]];
            let Some(tri) = Tri::new(corners, false) else {
                continue;
            };
            let mut colors = Colors::default();
            colors.push(corners, 4, 0, [0, 255, 9]);
            colors.set_up(&tri);
            // A tile near the middle, more or less.
            let middle = |c: usize| {
                let sum: f32 = v.iter().map(|v| f32::from_bits(v.pos[c])).sum();
                (sum / 3.0) as i32 / 64 * 64
            };
            let origin = [middle(0), middle(1)];
            let Some(quick) = colors.quick else { continue };
            let Some(steps) = Steps::new(&quick, origin) else {
                continue;
            };
            for _ in 0..4 {
                let Some(place) = block_inside(&mut random, &tri, origin) else {
                    continue;
                };
                blocks += 1;
                let at = Centres::of_block(origin[0] + place[0], origin[1] + place[1]);
                let want = quick.weights(&at);
                for (i, want) in want.iter().enumerate() {
                    let (first, lanes) = (steps.at(i, place), steps.lanes(i));
                    let rows = lanes.map(|lane| weight(first.wrapping_add(lane)));
                    assert_eq!(by_quads(&rows), *want, "{v:?} {origin:?} {place:?}");
                }
            }
        }
        assert!(blocks > 100_000, "{blocks}");
    }
}
