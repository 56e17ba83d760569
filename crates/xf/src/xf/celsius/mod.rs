//! Celsius fixed function.
//!
//! From NV10 on the engine has one program, in two forms: bypass (scale and
//! offset) and full. Its constants (2, 1, ½) lie in XFCTX. The rasterizer gets
//! the sixteen words of an output vertex slot; `run` restates them for the
//! common pipeline.

mod full;
mod texgen;
mod vector;

use super::arith::{self, Lanes, Rules, color_to_byte, map};
use super::lanes::{V4, attr, full, per_lane};
use super::mode::CelsiusMode;
use super::{LANES, State, VtxIn, VtxOut};
use crate::lt::arith::load;
use crate::lt::celsius_bypass;
use isotherm_lanes::{Level, dispatch};
use isotherm_regs::Chip;
use vector::{row, scale, vadd, vmul};

const RULES: Rules = Rules::Celsius;
/// Attributes of a vertex.
const ATTRIBUTES: usize = 7;

type L = Lanes<LANES>;
type Vec4 = V4<LANES>;
/// The vertex attribute buffer.
type Vab = [Vec4; ATTRIBUTES];

/// Output positions and texture coordinates: magnitudes that the rasterizer
/// cannot take lose their fraction.
#[inline(always)]
pub fn squash(x: u32) -> u32 {
    if x >> 24 & 0x7f == 0x7f {
        x & 0xff00_0000
    } else {
        x
    }
}

/// Window x and y: cut to 1/16 pixel toward zero.
#[inline(always)]
pub fn squash_xy(x: u32) -> u32 {
    let e = x >> 23 & 0xff;
    if e <= 0x7a {
        0
    } else if e < 0x92 {
        x & !((1 << (0x92 - e)) - 1)
    } else {
        x
    }
}

/// Window z: with `clamp`, nothing below zero.
#[inline(always)]
pub fn squash_z(x: u32, clamp: bool) -> u32 {
    if clamp && x >> 31 != 0 { 0 } else { x }
}

/// Celsius' window coordinates run from -2048; pixel 0 is at their lower end
/// (nouveau subtracts 2048 from the viewport's translation on NV10 to NV18 only).
fn centred(x: u32) -> u32 {
    (f32::from_bits(x) + 2048.0).to_bits()
}

/// Window 1/w: 16 significant bits, at most 2^64; with `clamp`, at least 2^-64.
#[inline(always)]
pub fn squash_w(x: u32, clamp: bool) -> u32 {
    let e = x >> 23 & 0xff;
    if clamp && (e < 0x3f || x >> 31 != 0) {
        return 0x1f80_0000;
    }
    let x = if e >= 0xbf {
        x & 0x8000_0000 | 0x5f80_0000
    } else {
        x
    };
    x & !0xff
}

/// A batch's results before the output conversions.
#[derive(Default)]
struct Raw {
    /// Window x, y, z and 1/w.
    pos: Vec4,
    /// Clip w (the reciprocal of 1/w in bypass).
    w: L,
    /// Texture sets as the rasterizer gets them, and before the 1/w factor.
    tex: [Vec4; 2],
    undivided: [Vec4; 2],
    color: [Vec4; 2],
    fog: L,
    point_size: L,
}

/// One vertex, as the sixteen words of an output slot. Words that the mode does
/// not produce are 0. `clamp` is `DEBUG_E[22]` without `RASTER[30]`.
pub fn slot(chip: Chip, state: &State, clamp: bool, v: &VtxIn) -> [u32; 16] {
    let mode = CelsiusMode::decode(chip, state);
    let raw = transform(Level::current(), chip, state, &mode, &[*v; LANES]);
    let bypass = mode.bypass;
    let edge = u32::from(v.edge_flag);
    let pos = output_position(raw.pos.map(|c| c[0]), clamp);
    let mut o = [0; 16];
    for (i, first) in [(0, 4), (1, 0)] {
        if bypass || mode.tex[i].enable {
            o[first] = squash(raw.tex[i][0][0]);
            o[first + 1] = squash(raw.tex[i][1][0]);
            o[first + 3] = squash(raw.tex[i][3][0]);
        }
    }
    if bypass || mode.point_params {
        o[2] = raw.point_size[0] & 0x001f_f000;
    }
    o[2] |= edge << 31;
    if bypass || mode.fog {
        o[9] = output_fog(raw.fog[0]);
    }
    let c = raw.color.map(|c| c.map(|x| color_to_byte(x[0])));
    o[10] = u32::from_le_bytes(c[0]);
    o[11] = u32::from_le_bytes([edge as u8, c[1][0], c[1][1], c[1][2]]);
    o[12..].copy_from_slice(&pos);
    o
}

fn output_position([x, y, z, rw]: [u32; 4], clamp: bool) -> [u32; 4] {
    let x = squash(squash_xy(x));
    [
        x,
        squash(squash_xy(y)),
        squash(squash_z(z, clamp)),
        squash(squash_w(rw, clamp)) & !1 | x >> 31,
    ]
}

fn output_fog(fog: u32) -> u32 {
    fog & !0x400 | fog >> 1 & 0x400
}

/// The same vertices for the common pipeline: clip w beside 1/w, texture
/// coordinates before their division.
pub(super) fn run(level: Level, chip: Chip, state: &State, vertices: &[VtxIn], out: &mut [VtxOut]) {
    let mode = CelsiusMode::decode(chip, state);
    for (vertices, out) in vertices.chunks(LANES).zip(out.chunks_mut(LANES)) {
        let mut pad = None;
        let full = full(vertices, &mut pad);
        let raw = transform(level, chip, state, &mode, full);
        finish(&raw, vertices, out);
    }
}

/// The output conversions of a batch.
fn finish(raw: &Raw, vertices: &[VtxIn], out: &mut [VtxOut]) {
    let pos = per_lane(&raw.pos);
    let color = raw.color.each_ref().map(per_lane);
    let tex = raw.undivided.each_ref().map(per_lane);
    for (lane, (v, o)) in vertices.iter().zip(out).enumerate() {
        *o = VtxOut {
            edge_flag: v.edge_flag,
            ..VtxOut::default()
        };
        let pos = output_position(pos[lane], false);
        o.pos = [centred(pos[0]), centred(pos[1]), pos[2], raw.w[lane]];
        o.rw = pos[3] & !1;
        o.fog = output_fog(raw.fog[lane]);
        // The nine bits are pixels with three fraction bits.
        o.point_size = ((raw.point_size[lane] >> 12 & 0x1ff) as f32 / 8.0).to_bits();
        for i in 0..2 {
            o.color[i] = color[i][lane].map(color_to_byte);
            o.tex[i] = tex[i][lane].map(squash);
        }
    }
}

fn transform(
    level: Level,
    chip: Chip,
    state: &State,
    mode: &CelsiusMode,
    vertices: &[VtxIn; LANES],
) -> Raw {
    let mut vab = [[[0; LANES]; 4]; ATTRIBUTES];
    for (i, row) in vab.iter_mut().enumerate() {
        *row = attr(vertices, i);
    }
    let mut raw = Raw::default();
    if mode.bypass {
        // The numbers have meanings of their own here: 1 is z, 2 is w. 3 was to mean
        // more than NV10 knew.
        let source = mode.fog_coord;
        let vertex_fog = source == 0 || source == 3 && chip != Chip::Nv10;
        bypass(level, state, mode, &vab, &mut raw);
        let coordinate = match source {
            _ if vertex_fog => &vab[2][3],
            1 => &vab[0][2],
            _ => &raw.w,
        };
        let coordinate = map(coordinate, load);
        celsius_bypass(level, state, vertex_fog, &coordinate, &mut raw.fog);
    } else {
        full::full(level, chip, state, mode, &vab, &mut raw);
    }
    raw
}

dispatch! {
    /// Scale and offset only; all but the fog.
    fn bypass(state: &State, mode: &CelsiusMode, vab: &Vab, raw: &mut Raw) = bypass_lanes;
}

#[inline(always)]
fn bypass_lanes(state: &State, mode: &CelsiusMode, vab: &Vab, raw: &mut Raw) {
    let ctx = &state.xfctx;
    let offset = &ctx[if mode.centred { 0x0e } else { 0x0d }];
    raw.pos = vadd(&vmul(&vab[0], &row(&ctx[0x0c])), &row(offset));
    let rw = raw.pos[3];
    raw.w = arith::rcp(RULES, &rw);
    raw.tex = [vab[3], vab[4]];
    raw.undivided = raw.tex;
    for i in 0..2 {
        if mode.perspective[i] {
            raw.tex[i] = scale(&raw.tex[i], &rw);
        } else {
            raw.undivided[i] = scale(&raw.undivided[i], &raw.w);
        }
    }
    raw.color = [vab[1], vab[2]];
    raw.point_size = map(&vab[6][0], load);
}
