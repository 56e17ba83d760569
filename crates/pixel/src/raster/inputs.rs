//! Inputs of fragment programs: what they read of a primitive's vertices and of the window.
//!
//! Values are interpolated as Kelvin does texture coordinates. Curie's colours are bytes
//! ([`super::colors`]); Rankine's are taken for numbers like the others, a guess.

use super::colors::Colors;
use super::gradient::{self, Gradient};
use super::num::D;
use super::shares::{Coordinate, Parts};
use super::tile::Draw;
use super::tri::Tri;
use super::{Prim, RasterState, SpriteR, Window};
use crate::frag::{F, Frag, LANES};
use crate::shader::program::{INPUTS, input, to_quads};
use crate::tex::unwrap_cylinder;
use isotherm_bus::vertex::VtxOut;

/// Texture coordinate sets that vertices bring.
const SETS: usize = 8;

/// What a primitive gives to a program.
pub(super) struct Inputs {
    /// Components that are the same at all vertices: input, component, value.
    constant: Vec<(usize, usize, f32)>,
    /// Those that are not, and how they are interpolated over triangles.
    varying: Vec<(usize, usize, [f64; 3], Coordinate)>,
    /// Colours that are mixed as bytes.
    colors: Colors,
    /// w at the vertices, where a program reads the position's w.
    w: Option<[f64; 3]>,
    /// Components of the position that a program reads.
    position: u8,
    /// Curie's rules hold.
    curie: bool,
}

impl Inputs {
    /// `reads` has a bit for each component of each input.
    pub(super) fn new(
        reads: &[u8; INPUTS],
        draw: &Draw,
        prim: &Prim,
        verts: &[VtxOut],
        n: usize,
    ) -> Inputs {
        let state = &draw.raster;
        let side = if state.two_side && !prim.front { 2 } else { 0 };
        let corner = |i: usize| &verts[prim.v[i.min(n - 1)] as usize];
        let byte = |v: &VtxOut, number: usize| v.color[side + number - input::COLOR];
        let mut inputs = Inputs {
            constant: Vec::new(),
            varying: Vec::new(),
            colors: Colors::new([corner(0), corner(1), corner(2)]),
            w: None,
            position: reads[input::POSITION],
            curie: state.byte_colors,
        };
        for (number, &components) in reads.iter().enumerate() {
            for c in (0..4).filter(|c| components >> c & 1 != 0) {
                let value = |i: usize| {
                    let at = corner(i);
                    let colors = if state.flat {
                        &verts[prim.provoking as usize]
                    } else {
                        at
                    };
                    match number {
                        input::COLOR | SECOND => f64::from(byte(colors, number)[c]) / 255.0,
                        // Drivers add the 1 that w should have: it is 0 here.
                        input::FOG if c == 0 => float(at.fog),
                        input::TEX..LAST => float(at.tex[number - input::TEX][c]),
                        input::FACING if state.facing => facing(prim.front)[c],
                        _ => 0.0,
                    }
                };
                let values = [value(0), value(1), value(2)];
                let same = values[0] == values[1] && values[1] == values[2];
                match number {
                    input::POSITION => {}
                    input::COLOR | SECOND if state.byte_colors && !same => {
                        let bytes = [0, 1, 2].map(|i| byte(corner(i), number)[c]);
                        inputs.colors.push(number, c, bytes);
                    }
                    _ => inputs.push(number, c, unwrapped(state.cylinder, number, c, values)),
                }
            }
        }
        if inputs.position >> 3 & 1 != 0 {
            inputs.w = Some([0, 1, 2].map(|i| float(corner(i).pos[3])));
        }
        inputs
    }

    fn push(&mut self, number: usize, c: usize, v: [f64; 3]) {
        if v[0] == v[1] && v[1] == v[2] {
            self.constant.push((number, c, v[1] as f32));
        } else {
            self.varying.push((number, c, v, Coordinate::new(&v)));
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
        let top = f64::from(draw.depth_top);
        let [x, y] = window(&draw.raster.window, frag.x, frag.y);
        let mut z = [0.0; LANES];
        for i in 0..LANES {
            z[i] = f64::from(frag.z[i]) / top;
        }
        for (c, row) in [x, y, z].iter().enumerate() {
            *frag.program.input(input::POSITION, c) = to_quads(row);
        }
    }

    /// The rest, in a block of a triangle whose edge functions are `e`.
    #[inline(always)]
    pub(super) fn fill_triangle(&self, tri: &Tri, e: &[D; 3], parts: &Parts, frag: &mut Frag) {
        if !self.colors.is_empty() {
            self.colors.fill_triangle(tri, e, frag);
        }
        if self.curie {
            self.fill_planes(tri, e, frag);
            return;
        }
        let shares = &parts.coordinate_shares();
        for (number, c, _, coordinate) in &self.varying {
            *frag.program.input(*number, *c) = to_quads(&coordinate.at(shares));
        }
        if let Some(w) = &self.w {
            place_w(Coordinate::new(w).at(shares), frag);
        }
    }

    /// Curie's coordinates.
    fn fill_planes(&self, tri: &Tri, e: &[D; 3], frag: &mut Frag) {
        let value: &dyn Fn(&[f64; 3]) -> D = if tri.is_flat() {
            let places = tri.places(e);
            &move |v: &[f64; 3]| Gradient::new(tri, v).at(&places)
        } else {
            let weights = tri.exact_weights(e);
            &move |v: &[f64; 3]| gradient::perspective(&weights, v)
        };
        for (number, c, v, _) in &self.varying {
            *frag.program.input(*number, *c) = to_quads(&value(v));
        }
        if let Some(w) = &self.w {
            place_w(value(w), frag);
        }
    }

    /// The rest, by a function that interpolates the values of up to two vertices.
    /// `second` is the second one's part of it.
    pub(super) fn fill(&self, second: &D, value: impl Fn(&[f64; 3]) -> D, frag: &mut Frag) {
        if !self.colors.is_empty() {
            self.colors.fill_line(second, frag);
        }
        for (number, c, v, _) in &self.varying {
            *frag.program.input(*number, *c) = to_quads(&value(v));
        }
        if let Some(w) = &self.w {
            place_w(value(w), frag);
        }
    }
}

/// 1/w, of w.
#[inline(always)]
fn place_w(mut w: D, frag: &mut Frag) {
    for w in &mut w {
        *w = 1.0 / *w;
    }
    *frag.program.input(input::POSITION, 3) = to_quads(&w);
}

const SECOND: usize = input::COLOR + 1;
const LAST: usize = input::TEX + SETS;

/// A coordinate's values, those that run around a cylinder on the same turn.
fn unwrapped(cylinder: u32, number: usize, c: usize, values: [f64; 3]) -> [f64; 3] {
    let turns = (input::TEX..LAST).contains(&number)
        && cylinder >> (4 * (number - input::TEX) + c) & 1 != 0;
    if !turns {
        return values;
    }
    let mut v = values.map(|x| x as f32);
    unwrap_cylinder(&mut v);
    v.map(f64::from)
}

/// A point's own coordinates in the sets that they replace.
pub(super) fn sprite(state: &RasterState, [s, t]: &[F; 2], frag: &mut Frag) {
    let (zero, one) = ([0.0; LANES], [1.0; LANES]);
    let r = match state.sprite_r {
        SpriteR::Zero => Some(&zero),
        SpriteR::Vertex => None,
        SpriteR::S => Some(s),
    };
    for set in (0..SETS).filter(|set| state.sprite >> set & 1 != 0) {
        for (c, row) in [Some(s), Some(t), r, Some(&one)].into_iter().enumerate() {
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
