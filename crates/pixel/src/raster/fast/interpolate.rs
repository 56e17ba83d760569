//! Depth, shares and texture coordinates of groups of quads.
//!
//! The chip's significands have 24 bits and are cut. Elsewhere float64 carries them
//! ([`crate::raster::num`]); here they are float32, which is the chip's own format: AVX-512
//! can round each instruction's result toward zero (`avx512.rs`). Levels that cannot do that
//! compute with float64 from the same numbers, and a test below holds both against each
//! other.

use super::quads::{self, Group};
use super::stages::MOST;
use crate::frag::{F, I, LANES};
use crate::raster::attrs::Corners;
use crate::raster::centres::Centres;
use crate::raster::colors::Quick;
use crate::raster::inputs::Exact;
use crate::raster::num::{D, FAR_FROM_0, FAR_FROM_INFINITY, far_from_limits, t24};
use crate::raster::shares::{Coordinate, Parts, SHARE, mix4, weights_of};
use crate::raster::tri::{Corner4, Depth, Steps, Tri, linear, normalised};
use isotherm_lanes::{Base, Simd};

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
mod near;

pub(crate) use near::NearDepth;

/// Interpolation for each level, of groups of quads or of blocks whose pixels are all
/// covered. Of lanes that are not covered nothing is said.
pub(crate) trait Interpolate: Simd {
    /// Takes a triangle's edge functions in a rectangle of the tile at `origin`. Says no if one of
    /// them is too large, or if the triangle is extreme.
    #[inline(always)]
    fn edges(edges: &mut Edges, tri: &Tri, rectangle: [i32; 4], origin: [i32; 2]) -> bool {
        edges.take(tri, rectangle, origin)
    }

    /// How a set's s and t are interpolated. `None` if a number could leave float32's range.
    #[inline(always)]
    fn slopes(s: &Corners, t: &Corners) -> Option<[Slope; 2]> {
        Some([Slope::new(s)?, Slope::new(t)?])
    }

    /// Takes what depth is made of where the vertices' depths are near to each other; `r` is
    /// the reciprocal of the weights' sum. Says no if they are not.
    #[inline(always)]
    fn near(near: &mut NearDepth, edges: &Edges, r: f64, z: &Corner4) -> bool {
        near.take(edges, r, z)
    }

    /// The depth of a group's pixels.
    #[inline(always)]
    fn depth(lines: &Lines, depth: &Depth, group: &Group, block: bool) -> D {
        depth.at(&lines.at(group, block))
    }

    /// The same of a triangle whose vertices' depths are near to each other.
    #[inline(always)]
    fn near_depth(depth: &NearDepth, group: &Group, block: bool) -> F {
        depth.at(&quads::places(group, block))
    }

    /// The shares of vertices 0 and 2 for colours.
    #[inline(always)]
    fn shares(interpolator: &Interpolator, edges: &Edges, at: At<'_>) -> [I; 2] {
        interpolator.parts(&at.wide(edges)).shares()
    }

    /// The same, and those for texture coordinates and fog.
    #[inline(always)]
    fn weights(interpolator: &Interpolator, edges: &Edges, at: At<'_>) -> Weights {
        interpolator.weights(&at.wide(edges))
    }

    /// A texture coordinate or a fog value.
    #[inline(always)]
    fn value(slope: &Slope, weights: &Weights) -> F {
        slope.value(weights)
    }

    /// A colour of the vertices with [`Weights::shares`].
    #[inline(always)]
    fn mix_color(shares: &[I; 2], corners: &[[u8; 4]; 3], out: &mut [I; 4]) {
        mix4(&weights_of(shares), corners, out);
    }

    /// The centres of a group's pixels, by quads; the tile starts at `origin`.
    #[inline(always)]
    fn centres(group: &Group, block: bool, origin: [i32; 2]) -> Centres {
        quads::centres(group, block, origin)
    }

    /// The weights of Curie's colours there.
    #[inline(always)]
    fn color_weights(quick: &Quick, group: &Group, block: bool, origin: [i32; 2]) -> [I; 2] {
        quick.weights(&quads::centres(group, block, origin))
    }

    /// What Curie's perspective starts from there.
    #[inline(always)]
    fn exact(tri: &Tri, group: &Group, block: bool, origin: [i32; 2]) -> Exact {
        Exact::new(tri, &quads::centres(group, block, origin))
    }
}

/// Not inlined: the base level is fast enough with calls, and its copy is the largest.
impl Interpolate for Base {
    #[inline(never)]
    fn depth(lines: &Lines, depth: &Depth, group: &Group, block: bool) -> D {
        depth.at(&lines.at(group, block))
    }

    #[inline(never)]
    fn near_depth(depth: &NearDepth, group: &Group, block: bool) -> F {
        depth.at(&quads::places(group, block))
    }

    #[inline(never)]
    fn shares(interpolator: &Interpolator, edges: &Edges, at: At<'_>) -> [I; 2] {
        interpolator.parts(&at.wide(edges)).shares()
    }

    #[inline(never)]
    fn weights(interpolator: &Interpolator, edges: &Edges, at: At<'_>) -> Weights {
        interpolator.weights(&at.wide(edges))
    }

    #[inline(never)]
    fn value(slope: &Slope, weights: &Weights) -> F {
        slope.value(weights)
    }
}

#[cfg(target_arch = "x86_64")]
impl Interpolate for isotherm_lanes::Avx2 {}

#[cfg(target_arch = "x86_64")]
impl Interpolate for isotherm_lanes::Avx512 {
    #[inline(always)]
    fn edges(edges: &mut Edges, tri: &Tri, rectangle: [i32; 4], origin: [i32; 2]) -> bool {
        // SAFETY: only functions compiled for AVX-512 use this form.
        unsafe { avx512::edges(edges, tri, rectangle, origin) }
    }

    #[inline(always)]
    fn slopes(s: &Corners, t: &Corners) -> Option<[Slope; 2]> {
        // SAFETY: as above.
        unsafe { avx512::slopes(s, t) }
    }

    #[inline(always)]
    fn near(near: &mut NearDepth, edges: &Edges, r: f64, z: &Corner4) -> bool {
        // SAFETY: as above.
        unsafe { avx512::near(near, edges, r, z) }
    }

    #[inline(always)]
    fn depth(lines: &Lines, depth: &Depth, group: &Group, block: bool) -> D {
        // SAFETY: only functions compiled for AVX-512 use this form.
        unsafe { avx512::depth(lines, depth, group, block) }
    }

    #[inline(always)]
    fn near_depth(depth: &NearDepth, group: &Group, block: bool) -> F {
        // SAFETY: as above.
        unsafe { avx512::near_depth(depth, group, block) }
    }

    #[inline(always)]
    fn shares(interpolator: &Interpolator, edges: &Edges, at: At<'_>) -> [I; 2] {
        // SAFETY: as above.
        unsafe { avx512::shares(interpolator, edges, at) }
    }

    #[inline(always)]
    fn weights(interpolator: &Interpolator, edges: &Edges, at: At<'_>) -> Weights {
        // SAFETY: as above.
        unsafe { avx512::weights(interpolator, edges, at) }
    }

    #[inline(always)]
    fn value(slope: &Slope, weights: &Weights) -> F {
        // SAFETY: as above.
        unsafe { avx512::value(slope, weights) }
    }

    #[inline(always)]
    fn mix_color(shares: &[I; 2], corners: &[[u8; 4]; 3], out: &mut [I; 4]) {
        // SAFETY: as above.
        unsafe { avx512::mix_color(shares, corners, out) }
    }

    #[inline(always)]
    fn centres(group: &Group, block: bool, origin: [i32; 2]) -> Centres {
        // SAFETY: as above.
        unsafe { avx512::centres(group, block, origin) }
    }

    #[inline(always)]
    fn color_weights(quick: &Quick, group: &Group, block: bool, origin: [i32; 2]) -> [I; 2] {
        // SAFETY: as above.
        unsafe { avx512::color_weights(quick, group, block, origin) }
    }

    #[inline(always)]
    fn exact(tri: &Tri, group: &Group, block: bool, origin: [i32; 2]) -> Exact {
        // SAFETY: as above.
        unsafe { avx512::exact(tri, group, block, origin) }
    }
}

/// Where a group lies.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    group: &'a Group,
    /// If it is a block: the edge functions of its first pixel, and its place among them.
    block: Option<(&'a Firsts, usize)>,
}

impl<'a> At<'a> {
    /// Group `i` of some; `block` says that they are blocks.
    #[inline(always)]
    pub(super) fn new(group: &'a Group, block: bool, firsts: &'a Firsts, i: usize) -> At<'a> {
        At {
            group,
            block: block.then_some((firsts, i)),
        }
    }

    /// The edge functions of its pixels.
    #[inline(always)]
    fn wide(&self, edges: &Edges) -> [D; 3] {
        edges.wide(self.group, self.block.is_some())
    }
}

/// The edge functions of the first pixels of a batch's groups.
#[derive(Clone, Copy, Default)]
pub(crate) struct Firsts([[i32; MOST]; 3]);

/// A triangle's edge functions on a tile, as integers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Edges {
    /// At the centre of the tile's first pixel. Only the pixels that
    /// [`quads::Quads::cover`] was asked for are sure not to overflow.
    first: [i32; 4],
    /// What the next column and the next row add.
    steps: Steps,
    /// What all of them have more, of positions finer than 1/16 pixel.
    rest: Corner4,
    /// Those pixels: column and row of the first one in the tile, width, height.
    rectangle: [i32; 4],
    /// At the centre of that one; and below 0 where it does not count as inside.
    corner: [i32; 4],
    inner: [i32; 4],
}

impl Edges {
    /// [`Interpolate::edges`]. They are filled in where they stay.
    #[inline(always)]
    fn take(&mut self, tri: &Tri, rectangle: [i32; 4], origin: [i32; 2]) -> bool {
        let [x, y, ..] = rectangle;
        let Some(whole) = tri.whole(origin[0] + x, origin[1] + y) else {
            return false;
        };
        for i in 0..4 {
            self.inner[i] = whole.first[i] - whole.least[i];
        }
        self.rectangle = rectangle;
        self.corner = whole.first;
        self.steps = whole.steps;
        self.rest = whole.rest;
        self.first = whole.moved(-x, -y).first;
        true
    }

    /// What `cover` starts from: those at the centre of the rectangle's first pixel, below 0
    /// where it is outside, and what the next column and the next row add.
    #[inline(always)]
    pub(super) fn inner(&self) -> (&[i32; 4], &Steps) {
        (&self.inner, &self.steps)
    }

    /// Are they all that there is, without a rest?
    #[inline(always)]
    pub(super) fn are_whole(&self) -> bool {
        // None is below 0.
        let [a, b, c, _] = self.rest;
        a.to_bits() | b.to_bits() | c.to_bits() == 0
    }

    /// What the next column and the next row add to each.
    #[inline(always)]
    fn each(&self) -> [[i32; 2]; 3] {
        let [right, down] = &self.steps;
        [
            [right[0], down[0]],
            [right[1], down[1]],
            [right[2], down[2]],
        ]
    }

    /// Those of the first pixels of a batch's groups, for all of them at once.
    #[inline(always)]
    pub(super) fn firsts(&self, groups: &[Group; MOST]) -> Firsts {
        let (mut x, mut y) = ([0; MOST], [0; MOST]);
        for (i, group) in groups.iter().enumerate() {
            [x[i], y[i]] = quads::place(group[0][0]);
        }
        let mut out = [[0; MOST]; 3];
        for ((out, first), [right, down]) in out.iter_mut().zip(self.first).zip(self.each()) {
            for i in 0..MOST {
                let (along, down) = (right.wrapping_mul(x[i]), down.wrapping_mul(y[i]));
                out[i] = first.wrapping_add(along).wrapping_add(down);
            }
        }
        Firsts(out)
    }

    /// The same of one group.
    #[inline(always)]
    pub(super) fn first(&self, group: &Group) -> Firsts {
        let mut out = Firsts::default();
        let [x, y] = quads::place(group[0][0]);
        for ((out, first), [right, down]) in out.0.iter_mut().zip(self.first).zip(self.each()) {
            let (along, down) = (right.wrapping_mul(x), down.wrapping_mul(y));
            out[0] = first.wrapping_add(along).wrapping_add(down);
        }
        out
    }

    /// Those of a group's pixels.
    #[inline(always)]
    fn at(&self, group: &Group, block: bool) -> [I; 3] {
        let [x, y] = quads::places(group, block);
        let mut out = [[0; LANES]; 3];
        for ((out, first), [right, down]) in out.iter_mut().zip(self.first).zip(self.each()) {
            for lane in 0..LANES {
                let along = right.wrapping_mul(x[lane]);
                let down = down.wrapping_mul(y[lane]);
                out[lane] = first.wrapping_add(along).wrapping_add(down);
            }
        }
        out
    }

    /// The same as float64.
    #[inline(always)]
    pub(super) fn wide(&self, group: &Group, block: bool) -> [D; 3] {
        let e = self.at(group, block);
        let mut out = [[0.0; LANES]; 3];
        for ((out, e), rest) in out.iter_mut().zip(&e).zip(self.rest) {
            for lane in 0..LANES {
                out[lane] = f64::from(e[lane]) + rest;
            }
        }
        out
    }
}

/// A triangle's edge functions on a tile as float64, which holds them: turned into it once, not
/// for each group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lines {
    /// At the centre of the tile's first pixel.
    first: Corner4,
    /// What the next column and the next row add.
    right: Corner4,
    down: Corner4,
}

impl Lines {
    /// Takes a triangle's.
    #[inline(always)]
    pub(super) fn take(&mut self, edges: &Edges) {
        let [right, down] = &edges.steps;
        for i in 0..4 {
            self.first[i] = f64::from(edges.first[i]) + edges.rest[i];
            self.right[i] = right[i].into();
            self.down[i] = down[i].into();
        }
    }

    /// Those of a group's pixels.
    #[inline(always)]
    fn at(&self, group: &Group, block: bool) -> [D; 3] {
        let [columns, rows] = quads::places(group, block);
        let mut out = [[0.0; LANES]; 3];
        for (i, out) in out.iter_mut().enumerate() {
            for lane in 0..LANES {
                let (x, y) = (f64::from(columns[lane]), f64::from(rows[lane]));
                out[lane] = self.first[i] + self.right[i] * x + self.down[i] * y;
            }
        }
        out
    }
}

/// What turns edge functions into weights.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Norm {
    /// The area's reciprocal, for shares.
    Linear(f32),
    /// The products of the other two vertices' w.
    Perspective([f32; 3]),
}

/// How a group's values are made from its vertices'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    /// The shares of vertices 0 and 2 for colours.
    pub(super) shares: [I; 2],
    /// The same for coordinates and fog.
    exact: [F; 2],
}

impl Weights {
    /// Numbers, or their sizes, to be multiplied with a line's rise ([`Slope::line`]).
    #[inline(always)]
    pub(super) fn of(value: &F, size: bool) -> Weights {
        let mut exact = [*value, [0.0; LANES]];
        if size {
            for x in &mut exact[0] {
                *x = x.abs();
            }
        }
        Weights {
            shares: [[0; LANES]; 2],
            exact,
        }
    }
}

/// A coordinate or the fog value of a triangle: vertex 1's and what the others have more,
/// per unit of a share. In their vertices' order, and the last one once more: so they are made in
/// one register.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Slope {
    d0: f32,
    v1: f32,
    d2: f32,
    last: f32,
}

impl Slope {
    /// `None` if a number could leave float32's range.
    #[inline(always)]
    pub(super) fn new(v: &Corners) -> Option<Slope> {
        const ONE: f32 = SHARE as f32;
        let own = v[1];
        let (mut more, mut fit) = ([0.0; 4], far_from_limits(own));
        for i in 0..4 {
            more[i] = (t24(f64::from(v[i]) - f64::from(own)) / SHARE) as f32;
            fit &= far_from_limits(more[i] * ONE);
        }
        let [d0, _, d2, last] = more;
        let v1 = own;
        fit.then_some(Slope { d0, v1, d2, last })
    }

    /// A line by its value at 0 and its rise, of values that a slope has. `None` if a number
    /// could leave float32's range.
    #[inline(always)]
    pub(super) fn line(bias: f32, rise: f32) -> Option<Slope> {
        let slope = Slope {
            d0: rise,
            v1: bias,
            d2: 0.0,
            last: 0.0,
        };
        (far_from_limits(bias) & far_from_limits(rise)).then_some(slope)
    }

    /// [`Interpolate::value`].
    #[inline(always)]
    fn value(&self, weights: &Weights) -> F {
        let terms = [self.v1, self.d0, self.d2].map(f64::from);
        let [a, b] = &weights.exact;
        narrow(&Coordinate::from_terms(terms).at(&[wide(a), wide(b)]))
    }
}

/// Numbers as float64.
#[inline(always)]
pub(super) fn wide(x: &F) -> D {
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        out[lane] = f64::from(x[lane]);
    }
    out
}

/// Numbers as float32, which has room for all bits of those that are meant here.
#[inline(always)]
fn narrow(x: &D) -> F {
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        out[lane] = x[lane] as f32;
    }
    out
}

/// Finds a triangle's weights, if float32 holds all of its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interpolator {
    norm: Norm,
}

impl Default for Interpolator {
    fn default() -> Interpolator {
        Interpolator {
            norm: Norm::Linear(0.0),
        }
    }
}

impl Interpolator {
    /// `None` if a number could leave float32's range.
    #[inline(always)]
    pub(super) fn new(tri: &Tri) -> Option<Interpolator> {
        let norm = match tri.linear_reciprocal() {
            Some(r) => Norm::Linear((r * SHARE) as f32),
            None => Norm::Perspective(products(&tri.products())?),
        };
        Some(Interpolator { norm })
    }

    /// The weights where the edge functions are `e`.
    #[inline(always)]
    fn parts(&self, e: &[D; 3]) -> Parts {
        Parts::new(&match &self.norm {
            Norm::Linear(r) => {
                let r = f64::from(*r);
                [linear(&e[0], r), linear(&e[1], r), linear(&e[2], r)]
            }
            Norm::Perspective(ww) => normalised(e, &ww.map(f64::from), SHARE),
        })
    }

    /// [`Interpolate::weights`].
    #[inline(always)]
    fn weights(&self, e: &[D; 3]) -> Weights {
        let parts = self.parts(e);
        let [a, b] = parts.coordinate_shares();
        Weights {
            shares: parts.shares(),
            exact: [narrow(&a), narrow(&b)],
        }
    }
}

/// Products of w, if they are so near to each other and to 1 that neither a share nor a sum
/// leaves float32's range.
#[inline(always)]
fn products(ww: &[f64; 3]) -> Option<[f32; 3]> {
    let least = |a: f32, b: f32| if a < b { a } else { b };
    let most = |a: f32, b: f32| if a > b { a } else { b };
    let [a, b, c] = [ww[0] as f32, ww[1] as f32, ww[2] as f32];
    let (low, high) = (least(least(a, b), c), most(most(a, b), c));
    let near = (FAR_FROM_0 <= low) & (high < FAR_FROM_INFINITY) & (high <= 65536.0 * low);
    near.then_some([a, b, c])
}

#[cfg(test)]
mod tests;
