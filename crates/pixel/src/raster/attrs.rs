//! What a primitive interpolates: its vertices' values, and a triangle's colours, fog and
//! texture coordinates from them.

use super::Prim;
use super::inputs::Inputs;
use super::num::D;
use super::planes;
use super::positions::Positions;
use super::shares::{Coordinate, Parts, between4, mix4, weights_of, weights_outside};
use super::smooth::Distances;
use super::tile::Draw;
use super::tri::{Corner4, Tri};
use crate::frag::{F, Frag, I, LANES};
use crate::shader::program::Fragments;
use crate::tex::unwrap_cylinder;
#[cfg(test)]
use isotherm_bus::vertex::VtxOut;
use isotherm_bus::verts::Verts;
use isotherm_lanes::{Level, dispatch};

#[inline(always)]
fn float(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

dispatch! {
    /// Takes the rest of a primitive of `n` vertices that has begun.
    fn complete(
        attrs: &mut Attrs,
        draw: &Draw,
        prim: &Prim,
        verts: &Verts,
        n: usize,
    ) = Attrs::complete;
}

/// Takes the shorter way around for these coordinates.
#[cold]
fn unwrap(cylinder: &[bool; 4], corners: &mut [[f32; 3]; 4]) {
    for (v, _) in corners
        .iter_mut()
        .zip(cylinder)
        .filter(|(_, around)| **around)
    {
        unwrap_cylinder(v);
    }
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
    pub(super) fog: [f64; 3],
    pub(super) tex: [[[f64; 3]; 4]; 4],
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
    /// What a fragment program reads.
    pub(super) inputs: Option<Box<Inputs>>,
    /// What an earlier primitive gave to a program, to be used again.
    spare: Option<Box<Inputs>>,
    /// How far a smooth line of Curie reaches.
    pub(super) smooth: Option<Box<Distances>>,
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
        let heads = verts.heads();
        let head = |i: usize| &heads[prim.v[i.min(n - 1)] as usize];
        self.begin(draw, prim, &Positions::new([head(0), head(1), head(2)]));
        complete(level, self, draw, prim, verts, n);
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
        complete(level, self, draw, prim, verts, 3);
        if let Some(inputs) = &mut self.inputs {
            inputs.set_up(tri);
        }
    }

    #[inline(always)]
    fn complete(&mut self, draw: &Draw, prim: &Prim, verts: &Verts, n: usize) {
        let state = &draw.raster;
        let side = if state.two_side && !prim.front { 2 } else { 0 };
        self.is_complete = true;
        self.color[1] = [[0, 0, 0, 0xff]; 3];
        self.varies = 0;
        self.planes.clear();
        self.spare = self.inputs.take().or(self.spare.take());
        self.smooth = None;
        let heads = verts.heads();
        for i in 0..3 {
            let at = &heads[prim.v[i.min(n - 1)] as usize];
            let source = if state.flat {
                &heads[prim.provoking as usize]
            } else {
                at
            };
            self.color[0][i] = source.color[side];
            if state.specular {
                self.color[1][i] = source.color[side + 1];
            }
            self.fog[i] = float(at.fog);
        }
        for c in 0..2 {
            let [x, y, z] = self.color[c];
            self.constant[c] = x == y && y == z;
        }
        if let Some(program) = &draw.program {
            let mut inputs = self.spare.take().unwrap_or_default();
            inputs.fill_in(program.inputs(), draw, prim, verts, n);
            self.inputs = Some(inputs);
        }
        if self.sets & !draw.sets != 0 {
            self.tex = Default::default();
        }
        self.sets = draw.sets;
        if draw.sets != 0 {
            self.coordinates(draw, prim, verts, n);
        }
        if state.curie_edges && n == 2 && state.smooth(prim.kind) {
            let at = |i: usize| &heads[prim.v[i] as usize];
            self.smooth = Distances::new([at(0), at(1)], state.line_width).map(Box::new);
        }
        if state.planes != 0 {
            let at = |i: usize| verts.tail(&heads[prim.v[i.min(n - 1)] as usize]);
            self.planes = planes::distances(state.planes, [at(0), at(1), at(2)]);
        }
    }

    /// The texture coordinates that the pixel units read.
    #[inline(always)]
    fn coordinates(&mut self, draw: &Draw, prim: &Prim, verts: &Verts, n: usize) {
        let heads = verts.heads();
        let tail = |i: usize| verts.tail(&heads[prim.v[i.min(n - 1)] as usize]);
        let tails = [tail(0), tail(1), tail(2)];
        for set in 0..4 {
            if draw.sets >> set & 1 == 0 {
                continue;
            }
            let mut corners = [[0.0; 3]; 4];
            for c in 0..4 {
                for i in 0..3 {
                    corners[c][i] = f32::from_bits(tails[i].tex[set][c]);
                }
            }
            if draw.cylinder[set] != [false; 4] {
                unwrap(&draw.cylinder[set], &mut corners);
            }
            for c in 0..4 {
                let v = &corners[c];
                let same = (v[0] == v[1]) & (v[1] == v[2]);
                self.varies |= u16::from(!same) << (4 * set + c);
                for i in 0..3 {
                    self.tex[set][c][i] = v[i].into();
                }
            }
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
                        frag.tex[set][c] = [self.tex[set][c][1] as f32; LANES];
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
            frag.fog = draw.raster.fog.run(&Coordinate::new(&self.fog).at(&shares));
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
                let v = Coordinate::new(&self.tex[set][c]).at(shares);
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
            attrs.tex[0][c] = [0, 1, 2].map(|i: usize| float(v[i].tex[0][c]));
        }
        attrs.z = [0, 1, 2, 2].map(|i: usize| float(v[i].pos[2]));
        attrs
    }
}
