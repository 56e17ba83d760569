//! Primitives as [`super::tile`] sees them: where they cover a block, and with which values.

use super::attrs::{Attrs, wide};
use super::centres::Centres;
use super::inputs::{self, Inputs};
use super::line::{Line, LineStipple};
use super::num::D;
use super::point::{Point, splat};
use super::tile::Draw;
use super::tri::{Tri, lerp};
use super::{RasterState, SpriteR};
use crate::frag::{Frag, HEIGHT, LANES, WIDTH};
use isotherm_lanes::{Level, dispatch};

/// A primitive set up for its tile. Blocks are known by their first pixel (x, y).
pub(super) trait Shape {
    /// Can any sample of a block be inside? Only a false "yes" is possible.
    fn touches(&self, _x: i32, _y: i32) -> bool {
        true
    }
    /// Lanes that are inside at a sample position.
    fn cover(&self, level: Level, x: i32, y: i32, at: [f64; 2]) -> u16;
    /// Depth (or w) at a sample position.
    fn depth(&self, level: Level, block: DepthAt<'_>) -> D;
    /// Lanes that a line stipple lets through; other shapes have none.
    fn stippled(&self, _: &LineStipple, _phase: u32, _x: i32, _y: i32) -> u16 {
        0xffff
    }
    /// A value of the three vertices at pixel centres, with perspective.
    fn between(&self, x: i32, y: i32, v: &[f64; 3]) -> D;
    /// Colours, fog and texture coordinates at pixel centres.
    fn fill(&self, level: Level, attrs: &Attrs, draw: &Draw, frag: &mut Frag);
    /// Inputs of a fragment program at pixel centres.
    fn fill_inputs(&self, level: Level, inputs: &Inputs, draw: &Draw, frag: &mut Frag);
}

/// Whose depth is asked for, and where.
#[derive(Clone, Copy)]
pub(super) struct DepthAt<'a> {
    pub(super) x: i32,
    pub(super) y: i32,
    /// The sample's place in the pixel, in 1/16 pixels.
    pub(super) sample: [f64; 2],
    pub(super) attrs: &'a Attrs,
    pub(super) state: &'a RasterState,
}

impl Shape for Tri {
    fn touches(&self, x: i32, y: i32) -> bool {
        Tri::touches(self, x, y, WIDTH, HEIGHT)
    }

    fn cover(&self, level: Level, x: i32, y: i32, at: [f64; 2]) -> u16 {
        triangle_cover(level, self, x, y, at)
    }

    fn depth(&self, level: Level, at: DepthAt<'_>) -> D {
        triangle_depth(level, self, at)
    }

    fn between(&self, x: i32, y: i32, v: &[f64; 3]) -> D {
        lerp(&self.weights(&self.edges(x, y, 8.0, 8.0)), v)
    }

    fn fill(&self, level: Level, attrs: &Attrs, draw: &Draw, frag: &mut Frag) {
        triangle_fill(level, self, attrs, draw, frag);
    }

    fn fill_inputs(&self, level: Level, inputs: &Inputs, _: &Draw, frag: &mut Frag) {
        if inputs.vary() {
            triangle_inputs(level, self, inputs, frag);
        }
    }
}

// Triangles are most of what is drawn: their lanes are compiled for every level. Lines and
// points are rare and small.

dispatch! {
    fn triangle_cover(tri: &Tri, x: i32, y: i32, at: [f64; 2]) -> u16 = triangle_cover_any;
}

#[inline(always)]
fn triangle_cover_any(tri: &Tri, x: i32, y: i32, at: [f64; 2]) -> u16 {
    if tri.covers(x, y, at) {
        return 0xffff;
    }
    tri.coverage(&tri.edges(x, y, at[0], at[1]))
}

dispatch! {
    fn triangle_depth(tri: &Tri, at: DepthAt<'_>) -> D = triangle_depth_any;
}

#[inline(always)]
fn triangle_depth_any(tri: &Tri, at: DepthAt<'_>) -> D {
    let (z, w) = (&at.attrs.z, &at.attrs.w);
    let edges = || tri.edges(at.x, at.y, at.sample[0], at.sample[1]);
    if at.state.w_buffer {
        tri.depth_w(&edges(), w)
    } else if z[0] == z[1] && z[1] == z[2] {
        splat(z[0])
    } else {
        tri.depth(&edges(), z)
    }
}

dispatch! {
    fn triangle_fill(tri: &Tri, attrs: &Attrs, draw: &Draw, frag: &mut Frag) = triangle_fill_any;
}

#[inline(always)]
fn triangle_fill_any(tri: &Tri, attrs: &Attrs, draw: &Draw, frag: &mut Frag) {
    let e = tri.edges(frag.x, frag.y, 8.0, 8.0);
    attrs.fill(tri, &e, false, draw, frag);
}

dispatch! {
    fn triangle_inputs(tri: &Tri, inputs: &Inputs, frag: &mut Frag) = triangle_inputs_any;
}

#[inline(always)]
fn triangle_inputs_any(tri: &Tri, inputs: &Inputs, frag: &mut Frag) {
    if inputs.by_centres() {
        let at = Centres::of_block(frag.x, frag.y);
        return inputs.fill_centres(tri, &at, frag);
    }
    let e = tri.edges(frag.x, frag.y, 8.0, 8.0);
    inputs.fill_parts(&tri.parts(&e), frag);
}

impl Line {
    fn depth_at(&self, x: i32, y: i32, attrs: &Attrs, state: &RasterState) -> D {
        let e = self.parts(x, y);
        if state.w_buffer {
            self.depth_w(&e, [attrs.w[0], attrs.w[1]])
        } else {
            self.depth(&e, [attrs.z[0], attrs.z[1]])
        }
    }

    fn fill(&self, attrs: &Attrs, draw: &Draw, frag: &mut Frag) {
        let e = self.parts(frag.x, frag.y);
        let w1 = self.color_weight(&e);
        for (c, out) in [&mut frag.col0, &mut frag.col1].into_iter().enumerate() {
            for ch in 0..4 {
                let (a, b) = (attrs.color[c][0][ch], attrs.color[c][1][ch]);
                for i in 0..LANES {
                    let sum = i32::from(a) * (256 - w1[i]) + i32::from(b) * w1[i];
                    out[ch][i] = (sum + 128) >> 8;
                }
            }
        }
        let b = self.weights(&e);
        let between = |v: &[f64; 3]| {
            let mut out = [0.0; LANES];
            for i in 0..LANES {
                out[i] = v[0] + (v[1] - v[0]) * b[1][i];
            }
            out
        };
        fill_rest(&between, attrs, draw, frag);
    }
}

impl Point {
    fn fill(&self, attrs: &Attrs, draw: &Draw, frag: &mut Frag) {
        fill_rest(&|v: &[f64; 3]| splat(v[0]), attrs, draw, frag);
        let [s, t] = self.sprite(frag.x, frag.y);
        for set in 0..4 {
            if draw.raster.sprite >> set & 1 != 0 {
                let r = match draw.raster.sprite_r {
                    SpriteR::Zero => [0.0; LANES],
                    SpriteR::Vertex => frag.tex[set][2],
                    SpriteR::S => s,
                };
                frag.tex[set] = [s, t, r, [1.0; LANES]];
            }
        }
    }
}

/// A line or a point.
pub(super) enum Thin {
    Line(Line),
    Point(Point),
}

impl Shape for Thin {
    fn cover(&self, _: Level, x: i32, y: i32, at: [f64; 2]) -> u16 {
        match self {
            Thin::Line(line) => line.coverage(x, y, at[0], at[1]),
            Thin::Point(point) => point.coverage(x, y),
        }
    }

    fn stippled(&self, stipple: &LineStipple, phase: u32, x: i32, y: i32) -> u16 {
        match self {
            Thin::Line(line) => line.stippled(stipple, phase, x, y),
            Thin::Point(_) => 0xffff,
        }
    }

    fn depth(&self, _: Level, at: DepthAt<'_>) -> D {
        match self {
            Thin::Line(line) => line.depth_at(at.x, at.y, at.attrs, at.state),
            Thin::Point(_) if at.state.w_buffer => splat(at.attrs.w[0]),
            Thin::Point(_) => splat(at.attrs.z[0]),
        }
    }

    fn between(&self, x: i32, y: i32, v: &[f64; 3]) -> D {
        let share = match self {
            Thin::Line(line) => line.weights(&line.parts(x, y))[1],
            Thin::Point(_) => [0.0; LANES],
        };
        share.map(|b| v[0] + (v[1] - v[0]) * b)
    }

    fn fill(&self, _: Level, attrs: &Attrs, draw: &Draw, frag: &mut Frag) {
        match self {
            Thin::Line(line) => line.fill(attrs, draw, frag),
            Thin::Point(point) => point.fill(attrs, draw, frag),
        }
    }

    fn fill_inputs(&self, _: Level, inputs: &Inputs, draw: &Draw, frag: &mut Frag) {
        let (x, y) = (frag.x, frag.y);
        let second = match self {
            Thin::Line(line) => line.second_share(x, y),
            Thin::Point(_) => [0.0; LANES],
        };
        inputs.fill(&second, |v| self.between(x, y, v), frag);
        if let Thin::Point(point) = self {
            let [s, t] = point.sprite(x, y);
            inputs::sprite(&draw.raster, &[s, t], frag);
        }
    }
}

/// Fog and texture coordinates of lines and points.
fn fill_rest(value: &dyn Fn(&[f64; 3]) -> D, attrs: &Attrs, draw: &Draw, frag: &mut Frag) {
    if draw.raster.fog.enable {
        frag.fog = draw.raster.fog.run(&value(&wide(&attrs.fog)));
    }
    for set in 0..4 {
        if draw.sets >> set & 1 != 0 {
            for c in 0..4 {
                frag.tex[set][c] = value(&wide(&attrs.tex[set][c])).map(|v| v as f32);
            }
        }
    }
}
