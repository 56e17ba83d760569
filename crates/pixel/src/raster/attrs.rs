//! What a primitive interpolates: its vertices' values, and a triangle's colours, fog and
//! texture coordinates from them.

use super::Prim;
use super::RasterState;
use super::inputs::Inputs;
use super::num::D;
use super::planes;
use super::positions::{Positions, differing, turned};
use super::shares::{Coordinate, Parts, between4, mix4, weights_of, weights_outside};
use super::smooth::Distances;
use super::tile::Draw;
use super::tri::{Corner4, Tri};
use crate::frag::{F, Frag, I, LANES};
use crate::shader::program::Fragments;
use crate::tex::unwrap_cylinder;
#[cfg(test)]
use isotherm_bus::vertex::VtxOut;
use isotherm_bus::verts::{Verts, VtxHead, VtxTail};
use isotherm_lanes::{Level, dispatch};

#[inline(always)]
fn float(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

dispatch! {
    /// Takes what few primitives have: inputs of programs, smooth lines, clip planes.
    #[inline(never)]
    fn complete_rest(
        attrs: &mut Attrs,
        draw: &Draw,
        prim: &Prim,
        verts: &Verts,
        n: usize,
    ) = Attrs::complete_rest;
}

/// Takes the shorter way around for these coordinates. Returns which are not the same at all
/// vertices then.
#[cold]
#[inline(never)]
fn unwrap(cylinder: &[bool; 4], set: &mut [Corners; 4]) -> u16 {
    let mut varying = 0;
    for (i, ([a, b, c, last], around)) in set.iter_mut().zip(cylinder).enumerate() {
        let mut v = [*a, *b, *c];
        if *around {
            unwrap_cylinder(&mut v);
        }
        varying |= u16::from(!(v[0] == v[1] && v[1] == v[2])) << i;
        [*a, *b, *c] = v;
        *last = v[2];
    }
    varying
}

/// A value of up to three vertices; the last one is there once more.
pub(super) type Corners = [f32; 4];

/// The first three as float64.
#[inline(always)]
pub(super) fn wide([a, b, c, _]: &Corners) -> [f64; 3] {
    [f64::from(*a), f64::from(*b), f64::from(*c)]
}

/// The values that a primitive interpolates. One is used for all primitives of a tile: it is
/// too large to be made anew for each.
#[derive(Default)]
pub(super) struct Attrs {
    /// Everything is taken, not only what the depth test needs.
    is_complete: bool,
    /// Diffuse and specular of up to three vertices.
    pub(super) color: [[[u8; 4]; 3]; 2],
    /// Diffuse, specular: all vertices have the same.
    pub(super) constant: [bool; 2],
    /// All of it lies inside the depth range.
    pub(super) in_range: bool,
    /// Depth decides nothing: no test, and all of it inside the range.
    pub(super) flat_depth: bool,
    pub(super) fog: Corners,
    pub(super) tex: [[Corners; 4]; 4],
    /// The sets of them that are not zero, one bit each.
    sets: u32,
    /// Texture coordinates that are not the same at all vertices, four bits per set.
    varies: u16,
    /// The last one is there once more.
    pub(super) z: Corner4,
    pub(super) w: [f64; 3],
    /// Polygon offset.
    pub(super) bias: f64,
    /// Distances from the user clip planes that cut the primitive.
    pub(super) planes: Vec<[f64; 3]>,
    /// There are planes, inputs or distances.
    has_rest: bool,
    /// What a fragment program reads.
    pub(super) inputs: Option<Box<Inputs>>,
    /// What an earlier primitive gave to a program, to be used again.
    spare: Option<Box<Inputs>>,
    /// How far a smooth line of Curie reaches.
    pub(super) smooth: Option<Box<Distances>>,
}

/// Three vertices of a primitive that has `n`: the last one is there as often as there is room.
#[inline(always)]
fn corners<'a>(prim: &Prim, verts: &'a Verts, n: usize) -> [&'a VtxHead; 3] {
    let heads = verts.heads();
    let at = |i: usize| &heads[prim.v[i.min(n - 1)] as usize];
    [at(0), at(1), at(2)]
}

impl Attrs {
    /// Takes a primitive of `n` vertices.
    pub(super) fn fill_in(
        &mut self,
        level: Level,
        draw: &Draw,
        prim: &Prim,
        verts: &Verts,
        n: usize,
    ) {
        let corners = corners(prim, verts, n);
        self.begin(draw, prim, &Positions::new(corners));
        self.complete(level, draw, prim, verts, corners, n);
    }

    /// Takes what the depth test needs of a primitive with vertices at these places. Who draws
    /// something of it takes the rest ([`Attrs::complete`]).
    #[inline(always)]
    pub(super) fn begin(&mut self, draw: &Draw, prim: &Prim, Positions(at): &Positions) {
        let state = &draw.raster;
        self.is_complete = false;
        self.bias = f64::from(prim.offset);
        // With room for what the interpolation cuts off.
        let (near, far) = (f64::from(state.near), f64::from(state.far));
        let (mut z, mut w, mut in_range) = ([0.0; 4], [0.0; 4], true);
        for i in 0..4 {
            z[i] = float(at[2][i]) * state.depth_scale;
            w[i] = float(at[3][i]);
        }
        for z in z {
            let slack = z.abs() * 1e-6;
            in_range &= (z >= near + slack) & (z <= far - slack);
        }
        self.in_range = in_range & !state.w_buffer & (prim.offset == 0.0);
        self.z = z;
        [self.w[0], self.w[1], self.w[2], _] = w;
        let program = draw.program.as_ref();
        let needs_depth = draw.rop.depth.is_some() || draw.late;
        self.flat_depth =
            self.in_range && !needs_depth && !program.is_some_and(Fragments::reads_depth);
    }

    /// Takes the rest of a triangle that has begun.
    #[inline(always)]
    pub(super) fn complete_triangle(
        &mut self,
        level: Level,
        draw: &Draw,
        prim: &Prim,
        verts: &Verts,
        tri: &Tri,
    ) {
        if self.is_complete {
            return;
        }
        self.complete(level, draw, prim, verts, corners(prim, verts, 3), 3);
        if let Some(inputs) = &mut self.inputs {
            inputs.set_up(tri);
        }
    }

    /// Takes the rest of a primitive with these `n` vertices, the last one as often as there is
    /// room.
    #[inline(always)]
    fn complete(
        &mut self,
        level: Level,
        draw: &Draw,
        prim: &Prim,
        verts: &Verts,
        corners: [&VtxHead; 3],
        n: usize,
    ) {
        let state = &draw.raster;
        let side = if state.two_side && !prim.front { 2 } else { 0 };
        self.is_complete = true;
        self.colors(
            state,
            side,
            corners,
            &verts.heads()[prim.provoking as usize],
        );
        let [a, b, c] = corners;
        let fog = |v: &VtxHead| f32::from_bits(v.fog);
        self.fog = [fog(a), fog(b), fog(c), fog(c)];
        self.varies = 0;
        if self.sets & !draw.sets != 0 {
            self.tex = Default::default();
        }
        self.sets = draw.sets;
        if draw.sets != 0 {
            self.coordinates(draw, [verts.tail(a), verts.tail(b), verts.tail(c)]);
        }
        let smooth = state.curie_edges && n == 2;
        if self.has_rest | smooth | draw.program.is_some() | (state.planes != 0) {
            complete_rest(level, self, draw, prim, verts, n);
        }
    }

    /// Their diffuse and specular colours, or those of the provoking one, on this side.
    #[inline(always)]
    fn colors(
        &mut self,
        state: &RasterState,
        side: usize,
        corners: [&VtxHead; 3],
        provoking: &VtxHead,
    ) {
        let [a, b, c] = if state.flat { [provoking; 3] } else { corners };
        self.color[0] = [a.color[side], b.color[side], c.color[side]];
        self.color[1] = if state.specular {
            [a.color[side + 1], b.color[side + 1], c.color[side + 1]]
        } else {
            [[0, 0, 0, 0xff]; 3]
        };
        for c in 0..2 {
            let [x, y, z] = self.color[c];
            self.constant[c] = (x == y) & (y == z);
        }
    }

    /// What [`Attrs::complete`] leaves: nothing of it is an earlier primitive's.
    #[inline(always)]
    fn complete_rest(&mut self, draw: &Draw, prim: &Prim, verts: &Verts, n: usize) {
        let state = &draw.raster;
        let heads = verts.heads();
        let at = |i: usize| &heads[prim.v[i.min(n - 1)] as usize];
        self.planes.clear();
        self.spare = self.inputs.take().or(self.spare.take());
        self.smooth = None;
        if let Some(program) = &draw.program {
            let mut inputs = self.spare.take().unwrap_or_default();
            inputs.fill_in(program.inputs(), draw, prim, verts, n);
            self.inputs = Some(inputs);
        }
        if state.curie_edges && n == 2 && state.smooth(prim.kind) {
            self.smooth = Distances::new([at(0), at(1)], state.line_width).map(Box::new);
        }
        if state.planes != 0 {
            let tails = [0, 1, 2].map(|i| verts.tail(at(i)));
            self.planes = planes::distances(state.planes, tails);
        }
        self.has_rest = self.inputs.is_some() | self.smooth.is_some() | !self.planes.is_empty();
    }

    /// The texture coordinates that the pixel units read.
    #[inline(always)]
    fn coordinates(&mut self, draw: &Draw, [a, b, c]: [&VtxTail; 3]) {
        let mut sets = draw.sets & 15;
        while sets != 0 {
            let set = sets.trailing_zeros() as usize % 4;
            sets &= sets - 1;
            let rows = [&a.tex[set], &b.tex[set], &c.tex[set]];
            for (out, words) in self.tex[set].iter_mut().zip(&turned(rows)) {
                for i in 0..4 {
                    out[i] = f32::from_bits(words[i]);
                }
            }
            let varying = if draw.cylinder[set] == [false; 4] {
                differing(rows)
            } else {
                unwrap(&draw.cylinder[set], &mut self.tex[set])
            };
            self.varies |= varying << (4 * set);
        }
    }

    /// Puts what is the same for all fragments of the primitive in its place.
    #[inline(always)]
    pub(super) fn start(&self, draw: &Draw, frag: &mut Frag) {
        if let Some(inputs) = &self.inputs {
            inputs.start(frag);
        }
        for ch in 0..4 {
            if self.constant[0] {
                frag.col0[ch] = [i32::from(self.color[0][0][ch]); LANES];
            }
            if self.constant[1] {
                frag.col1[ch] = [i32::from(self.color[1][0][ch]); LANES];
            }
        }
        for set in 0..4 {
            if draw.sets >> set & 1 != 0 {
                for c in 0..4 {
                    if self.varies >> (4 * set + c) & 1 == 0 {
                        frag.tex[set][c] = [self.tex[set][c][1]; LANES];
                    }
                }
            }
        }
    }

    /// A triangle's colours, fog and texture coordinates where its edge functions are `e`.
    /// `inside` says that all lanes are covered. [`Attrs::start`] has done the rest.
    #[inline(always)]
    pub(super) fn fill(&self, tri: &Tri, e: &[D; 3], inside: bool, draw: &Draw, frag: &mut Frag) {
        let colors = self.constant != [true; 2];
        let fog = draw.raster.fog.enable;
        if self.varies == 0 && !colors && !fog {
            return;
        }
        let parts = self.parts(tri, e, inside);
        let shares = parts.shares();
        if fog {
            let shares = parts.coordinate_shares();
            let fog = Coordinate::new(&wide(&self.fog));
            frag.fog = draw.raster.fog.run(&fog.at(&shares));
        }
        if colors {
            // Smoothing and samples beside the centre draw pixels whose centre lies outside.
            let outside = draw.raster.smooth[1] || draw.beside_centres();
            self.fill_colors(&shares, outside, frag);
        }
        self.fill_coordinates(&parts, frag);
    }

    /// Those colours that are not the same everywhere; `outside`: also of pixels whose
    /// centre lies outside of the triangle.
    #[inline(always)]
    pub(super) fn fill_colors(&self, shares: &[I; 2], outside: bool, frag: &mut Frag) {
        let w = if outside {
            weights_outside(shares)
        } else {
            weights_of(shares)
        };
        for (c, out) in [&mut frag.col0, &mut frag.col1].into_iter().enumerate() {
            if !self.constant[c] {
                mix4(&w, &self.color[c], out);
                if outside {
                    between4(&self.color[c], out);
                }
            }
        }
    }

    /// The weights of a block, as [`Attrs::fill`] takes it.
    #[inline(always)]
    pub(super) fn parts(&self, tri: &Tri, e: &[D; 3], inside: bool) -> Parts {
        if inside && !tri.extreme() {
            // SAFETY: all lanes are covered, and no vertex is behind the eye.
            unsafe { tri.inner_parts(e) }
        } else {
            tri.parts(e)
        }
    }

    /// Those coordinates of all sets that are not the same everywhere, one bit each.
    #[inline(always)]
    pub(super) fn varying(&self) -> u16 {
        self.varies
    }

    /// The texture coordinates that are not the same everywhere.
    #[inline(always)]
    fn fill_coordinates(&self, parts: &Parts, frag: &mut Frag) {
        if self.varies != 0 {
            let shares = parts.coordinate_shares();
            for set in 0..4 {
                self.fill_set(set, &shares, &mut frag.tex[set]);
            }
        }
    }

    /// Those of one set.
    #[inline(always)]
    pub(super) fn fill_set(&self, set: usize, shares: &[D; 2], out: &mut [F; 4]) {
        for c in 0..4 {
            if self.varies >> (4 * set + c) & 1 != 0 {
                let v = Coordinate::new(&wide(&self.tex[set][c])).at(shares);
                for i in 0..LANES {
                    out[c][i] = v[i] as f32;
                }
            }
        }
    }
}

#[cfg(test)]
impl Attrs {
    /// Nothing but depth and the first texture's coordinates.
    pub(super) fn textured(v: &[VtxOut; 3]) -> Attrs {
        let mut attrs = Attrs {
            constant: [true; 2],
            in_range: true,
            flat_depth: true,
            varies: 15,
            ..Attrs::default()
        };
        for c in 0..4 {
            attrs.tex[0][c] = [0, 1, 2, 2].map(|i: usize| f32::from_bits(v[i].tex[0][c]));
        }
        attrs.z = [0, 1, 2, 2].map(|i: usize| float(v[i].pos[2]));
        attrs
    }
}
