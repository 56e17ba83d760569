//! Inputs of fragment programs: what they read of a primitive's vertices and of the window.
//!
//! Values are interpolated as Kelvin does texture coordinates. Curie's colours are bytes
//! ([`super::colors`]); Rankine's are taken for numbers like the others, a guess.

use super::centres::Centres;
use super::colors::{Colors, Mix, Quick, Steps};
use super::gradient::{Corner, Gradient, perspective, singles};
use super::num::D;
use super::shares::{Coordinate, Parts};
use super::tile::Draw;
use super::tri::Tri;
use super::{Prim, RasterState, SpriteR, Window};
use crate::frag::{F, Frag, I, LANES};
use crate::shader::program::{Apart, INPUTS, input, to_quads};
use crate::tex::unwrap_cylinder;
use isotherm_bus::vertex::SETS;
use isotherm_bus::verts::{Verts, VtxHead};

/// A byte of a colour as programs read it.
static OF_BYTES: [f32; 256] = {
    let (mut table, mut byte) = ([0.0; 256], 0);
    while byte < 256 {
        table[byte] = (byte as f64 / 255.0) as f32;
        byte += 1;
    }
    table
};

/// Edge functions at sixteen pixels, by quads, and the vertices' parts of them
/// ([`Tri::exact_weights`]).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Exact {
    pub(super) edges: [D; 3],
    pub(super) parts: [D; 3],
}

impl Exact {
    #[inline(always)]
    pub(super) fn new(tri: &Tri, at: &Centres) -> Exact {
        let edges = tri.edges_at(at);
        let parts = tri.exact_weights(&edges);
        Exact { edges, parts }
    }
}

/// What a primitive gives to a program.
#[derive(Default)]
pub(super) struct Inputs {
    /// Components that are the same at all vertices: input, component, value.
    constant: Vec<(usize, usize, f32)>,
    /// Those that are not: input, component, the vertices' values.
    varying: Vec<(u32, u32, [f64; 3])>,
    /// How Rankine interpolates these over triangles.
    coordinates: Vec<Coordinate>,
    /// Colours that are mixed as bytes.
    colors: Colors,
    /// w at the vertices, where a program reads the position's w.
    w: Option<[f64; 3]>,
    /// Components of the position that a program reads.
    position: u8,
    /// Curie's rules hold.
    curie: bool,
    /// Curie's planes of a triangle without perspective, where they start, and that of w.
    planes: Vec<Gradient>,
    corner: Option<Corner>,
    plane_w: Option<Gradient>,
}

impl Inputs {
    /// Takes the place of what an earlier primitive gave. `reads` has a bit for each component
    /// of each input.
    #[inline(always)]
    pub(super) fn fill_in(
        &mut self,
        reads: &[u8; INPUTS],
        draw: &Draw,
        prim: &Prim,
        verts: &Verts,
        n: usize,
    ) {
        let state = &draw.raster;
        let side = if state.two_side && !prim.front { 2 } else { 0 };
        let heads = verts.heads();
        let corner = |i: usize| &heads[prim.v[i.min(n - 1)] as usize];
        let corners = [corner(0), corner(1), corner(2)];
        let tail = |i: usize| verts.tail(corners[i]);
        let tails = [tail(0), tail(1), tail(2)];
        let provoking = &heads[prim.provoking as usize];
        let colored = if state.flat { [provoking; 3] } else { corners };
        self.constant.clear();
        self.varying.clear();
        self.coordinates.clear();
        self.colors.clear();
        self.planes.clear();
        (self.w, self.corner, self.plane_w) = (None, None, None);
        self.position = reads[input::POSITION];
        self.curie = state.byte_colors;
        if self.position >> 3 & 1 != 0 {
            self.w = Some(corners.map(|v| float(v.pos[3])));
        }
        // Most inputs are not read: a byte for each, but the position's.
        let mut read = u128::from_le_bytes(*reads) & !0xff;
        while read != 0 {
            let number = read.trailing_zeros() as usize / 8;
            read &= !(0xff << (8 * number));
            let mut left = reads[number];
            if let Some(set) = plain_set(state, number) {
                let rows = [&tails[0].tex[set], &tails[1].tex[set], &tails[2].tex[set]];
                while left != 0 {
                    let c = left.trailing_zeros() as usize % 4;
                    left &= left - 1;
                    let values = [float(rows[0][c]), float(rows[1][c]), float(rows[2][c])];
                    self.push(number, c, values);
                }
                continue;
            }
            if let (input::COLOR | SECOND, true) = (number, state.byte_colors) {
                let which = side + number - input::COLOR;
                let [a, b, c] = colored;
                let bytes = [&a.color[which], &b.color[which], &c.color[which]];
                self.push_bytes(number, left, bytes, corners);
                continue;
            }
            while left != 0 {
                let c = left.trailing_zeros() as usize % 4;
                left &= left - 1;
                // Loops, not `map` of arrays, which is a call for each.
                let mut values = [0.0; 3];
                match number {
                    input::COLOR | SECOND => {
                        for i in 0..3 {
                            let byte = colored[i].color[side + number - input::COLOR][c];
                            values[i] = f64::from(byte) / 255.0;
                        }
                    }
                    // Drivers add the 1 that w should have: it is 0 here.
                    input::FOG if c == 0 => {
                        for i in 0..3 {
                            values[i] = float(corners[i].fog);
                        }
                    }
                    input::TEX..LAST => {
                        let set = number - input::TEX;
                        match c {
                            _ if state.sets_on >> set & 1 == 0 => values = [OFF[c]; 3],
                            2 if state.is_two_d(set) => {}
                            3 if state.is_two_d(set) => {
                                for i in 0..3 {
                                    values[i] = float(corners[i].pos[3]);
                                }
                            }
                            _ => {
                                for i in 0..3 {
                                    values[i] = float(tails[i].tex[set][c]);
                                }
                                if state.cylinder != 0 {
                                    values = unwrapped(state.cylinder, number, c, values);
                                }
                            }
                        }
                    }
                    input::FACING if state.facing => values = [facing(prim.front)[c]; 3],
                    _ => {}
                }
                self.push(number, c, values);
            }
        }
    }

    /// The components `left` of a colour that stays bytes.
    #[inline(always)]
    fn push_bytes(
        &mut self,
        number: usize,
        mut left: u8,
        [a, b, c]: [&[u8; 4]; 3],
        corners: [&VtxHead; 3],
    ) {
        while left != 0 {
            let component = left.trailing_zeros() as usize % 4;
            left &= left - 1;
            let bytes = [a[component], b[component], c[component]];
            if bytes[0] == bytes[1] && bytes[1] == bytes[2] {
                let value = OF_BYTES[usize::from(bytes[0])];
                self.constant.push((number, component, value));
            } else {
                self.colors.push(corners, number, component, bytes);
            }
        }
    }

    #[inline(always)]
    fn push(&mut self, number: usize, c: usize, v: [f64; 3]) {
        if v[0] == v[1] && v[1] == v[2] {
            self.constant.push((number, c, v[1] as f32));
        } else {
            self.varying.push((number as u32, c as u32, v));
            // Curie has planes or plain quotients instead.
            if !self.curie {
                self.coordinates.push(Coordinate::new(&v));
            }
        }
    }

    /// What a triangle has once for all of its pixels.
    pub(super) fn set_up(&mut self, tri: &Tri) {
        if !self.curie {
            return;
        }
        self.colors.set_up(tri);
        if tri.is_flat() && (self.w.is_some() || !self.varying.is_empty()) {
            let corner = Corner::new(tri);
            let varying = self.varying.iter();
            self.planes
                .extend(varying.map(|(_, _, v)| Gradient::new(&corner, v)));
            self.plane_w = self.w.map(|w| Gradient::new(&corner, &w));
            self.corner = Some(corner);
        }
    }

    /// Does anything change from pixel to pixel, window x, y and z apart?
    #[inline(always)]
    pub(super) fn vary(&self) -> bool {
        !self.varying.is_empty() || !self.colors.is_empty() || self.w.is_some()
    }

    /// Puts what is the same for all fragments of the primitive in its place.
    pub(super) fn start(&self, frag: &mut Frag) {
        for &(number, c, value) in &self.constant {
            *frag.program.input(number, c) = [value; LANES];
        }
    }

    /// The window position of a block; depth is in `frag.z`.
    #[inline(always)]
    pub(super) fn place(&self, draw: &Draw, frag: &mut Frag) {
        if self.position == 0 {
            return;
        }
        let scale = f64::from(draw.depth_scale);
        let [x, y] = window(&draw.raster.window, frag.x, frag.y);
        let mut z = [0.0; LANES];
        for i in 0..LANES {
            z[i] = f64::from(frag.z[i]) / scale;
        }
        for (c, row) in [x, y, z].iter().enumerate() {
            *frag.program.input(input::POSITION, c) = to_quads(row);
        }
    }

    /// How the diffuse colour is mixed, where colours are bytes.
    pub(super) fn diffuse(&self) -> [Mix; 4] {
        let mut out = [Mix::default(); 4];
        for &(number, c, value) in &self.constant {
            if number == input::COLOR {
                out[c % 4] = Mix::constant((value * 255.0).round() as i32);
            }
        }
        self.colors.mixes(input::COLOR, &mut out);
        out
    }

    /// A shorter way to the weights of a triangle's colours, where there is one.
    #[inline(always)]
    pub(super) fn quick(&self) -> Option<&Quick> {
        self.colors.quick()
    }

    /// The same in the whole blocks of a tile that starts at `origin`.
    #[inline(always)]
    pub(super) fn steps(&self, origin: [i32; 2]) -> Option<Steps> {
        if self.colors.is_empty() {
            return Some(Steps::default());
        }
        Steps::new(self.quick()?, origin)
    }

    /// The weights of a triangle's colours, by quads; no matter which where none varies.
    #[inline(always)]
    pub(super) fn color_weights(&self, tri: &Tri, at: &Centres) -> [I; 2] {
        if self.colors.is_empty() {
            return [[0; LANES]; 2];
        }
        self.colors.weights(tri, &Exact::new(tri, at))
    }

    /// Is a triangle's rest found from pixel centres, not from edge functions?
    #[inline(always)]
    pub(super) fn by_centres(&self) -> bool {
        self.curie
    }

    /// The rest, in a block of a triangle whose weights are `parts`.
    #[inline(always)]
    pub(super) fn fill_parts(&self, parts: &Parts, frag: &mut Frag) {
        let (shares, mut rows) = (&parts.coordinate_shares(), frag.program.inputs());
        for (&(number, c, _), coordinate) in self.varying.iter().zip(&self.coordinates) {
            *rows.of(number as usize, c as usize) = to_quads(&coordinate.at(shares));
        }
        if let Some(w) = &self.w {
            let w = one_over(Coordinate::new(w).at(shares));
            *rows.of(input::POSITION, 3) = to_quads(&w);
        }
    }

    /// The rest, in sixteen pixels of a triangle on Curie.
    #[inline(always)]
    pub(super) fn fill_centres(&self, tri: &Tri, at: &Centres, frag: &mut Frag) {
        if let Some(quick) = self.quick() {
            self.fill_colors(&quick.weights(at), frag);
        }
        self.fill_planes(at, frag);
        if self.needs_exact() {
            self.fill_exact(tri, &Exact::new(tri, at), frag);
        }
    }

    /// Of these the colours, where there is a shorter way to their weights.
    #[inline(always)]
    pub(super) fn fill_colors(&self, weights: &[I; 2], frag: &mut Frag) {
        self.colors.fill_triangle(weights, frag);
    }

    /// Has a triangle planes?
    #[inline(always)]
    pub(super) fn has_planes(&self) -> bool {
        self.corner.is_some()
    }

    /// What planes give.
    #[inline(always)]
    pub(super) fn fill_planes(&self, at: &Centres, frag: &mut Frag) {
        let Some(corner) = &self.corner else { return };
        let (away, mut rows) = (corner.away(at), frag.program.inputs());
        for (&(number, c, _), plane) in self.varying.iter().zip(&self.planes) {
            *rows.of(number as usize, c as usize) = singles(&plane.at(&away));
        }
        if let Some(plane) = &self.plane_w {
            *rows.of(input::POSITION, 3) = singles(&one_over(plane.at(&away)));
        }
    }

    /// Are there values that neither of both gives?
    #[inline(always)]
    pub(super) fn needs_exact(&self) -> bool {
        self.mixes_exactly() || self.divides()
    }

    #[inline(always)]
    fn mixes_exactly(&self) -> bool {
        self.quick().is_none() && !self.colors.is_empty()
    }

    #[inline(always)]
    fn divides(&self) -> bool {
        self.corner.is_none() && (self.w.is_some() || !self.varying.is_empty())
    }

    /// These values.
    #[inline(always)]
    pub(super) fn fill_exact(&self, tri: &Tri, exact: &Exact, frag: &mut Frag) {
        if self.mixes_exactly() {
            let weights = self.colors.weights(tri, exact);
            self.colors.fill_triangle(&weights, frag);
        }
        if self.divides() {
            let mut rows = frag.program.inputs();
            for &(number, c, ref v) in &self.varying {
                *rows.of(number as usize, c as usize) = singles(&perspective(&exact.parts, v));
            }
            if let Some(w) = &self.w {
                let w = one_over(perspective(&exact.parts, w));
                *rows.of(input::POSITION, 3) = singles(&w);
            }
        }
    }

    /// Puts the lanes in `mask`, by quads, of all that varies in front.
    #[inline(always)]
    pub(super) fn compress<S: Apart>(&self, mask: u32, frag: &mut Frag) {
        let mut rows = frag.program.inputs();
        for &(number, c, _) in &self.varying {
            S::compress(rows.of(number as usize, c as usize), mask);
        }
        for (number, c) in self.colors.inputs() {
            S::compress(rows.of(number, c), mask);
        }
    }

    /// The rest, by a function that interpolates the values of up to two vertices.
    /// `second` is the second one's part of it.
    pub(super) fn fill(&self, second: &D, value: impl Fn(&[f64; 3]) -> D, frag: &mut Frag) {
        if !self.colors.is_empty() {
            self.colors.fill_line(second, frag);
        }
        let mut rows = frag.program.inputs();
        for &(number, c, ref v) in &self.varying {
            *rows.of(number as usize, c as usize) = to_quads(&value(v));
        }
        if let Some(w) = &self.w {
            *rows.of(input::POSITION, 3) = to_quads(&one_over(value(w)));
        }
    }
}

/// The set of coordinates that an input is, if they are read as they are.
#[inline(always)]
fn plain_set(state: &RasterState, number: usize) -> Option<usize> {
    let set = number.checked_sub(input::TEX).filter(|&set| set < SETS)?;
    let plain = state.sets_on >> set & 1 != 0 && !state.is_two_d(set) && state.cylinder == 0;
    plain.then_some(set)
}

/// 1/w, of w.
#[inline(always)]
fn one_over(mut w: D) -> D {
    for w in &mut w {
        *w = 1.0 / *w;
    }
    w
}

/// A set that is off.
const OFF: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

const SECOND: usize = input::COLOR + 1;
const LAST: usize = input::TEX + SETS;

/// A coordinate's values, those that run around a cylinder on the same turn.
fn unwrapped(cylinder: u64, number: usize, c: usize, values: [f64; 3]) -> [f64; 3] {
    let turns = (input::TEX..LAST).contains(&number)
        && cylinder >> (4 * (number - input::TEX) + c) & 1 != 0;
    if !turns {
        return values;
    }
    let mut v = values.map(|x| x as f32);
    unwrap_cylinder(&mut v);
    v.map(f64::from)
}

/// A point's own coordinates in the sets that they replace. Sets of two components keep
/// their own third and fourth (public notes on the RSX).
pub(super) fn sprite(state: &RasterState, [s, t]: &[F; 2], frag: &mut Frag) {
    let (zero, one) = ([0.0; LANES], [1.0; LANES]);
    let r = match state.sprite_r {
        SpriteR::Zero => Some(&zero),
        SpriteR::Vertex => None,
        SpriteR::S => Some(s),
    };
    for set in (0..SETS).filter(|set| state.sprite >> set & 1 != 0) {
        let behind = if state.is_two_d(set) {
            [Some(&zero), None]
        } else {
            [r, Some(&one)]
        };
        let rows = [Some(s), Some(t)].into_iter().chain(behind);
        for (c, row) in rows.enumerate() {
            if let Some(row) = row {
                *frag.program.input(input::TEX + set, c) = to_quads(&row.map(f64::from));
            }
        }
    }
}

/// Window x and y of a block's pixels.
fn window(window: &Window, x: i32, y: i32) -> [D; 2] {
    let column = |i: usize| f64::from(x + i as i32 % 8) + window.centre;
    let row = |i: usize| f64::from(y + i as i32 / 8);
    let up = |i: usize| match window.inverted {
        // Pixel centres stay where they are between two rows.
        Some(height) => height - 1.0 - row(i) + window.centre,
        None => row(i) + window.centre,
    };
    [std::array::from_fn(column), std::array::from_fn(up)]
}

/// NV_fragment_program2 has what stands behind x.
fn facing(front: bool) -> [f64; 4] {
    [if front { 1.0 } else { -1.0 }, 0.0, 0.0, 1.0]
}

fn float(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

#[cfg(test)]
mod tests;
