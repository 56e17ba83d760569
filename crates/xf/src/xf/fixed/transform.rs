//! Positions, normals, fog, and what LT needs to know.

use super::super::arith::{self, Lanes, Matrix, ONE, map, neg, rows, splat};
use super::super::lanes::{Half, V3, V4, attr, component, per_lane, put};
use super::super::mode::{FogSource, LightMode, Mode};
use super::super::output::{BLACK, Results, bytes, fog_value, secondary_rule};
use super::super::{LANES, State, VtxIn, VtxOut};
use super::texgen::tex_attr;
use super::{Batch, Fixed, L, Lt, LtVec4, RULES, Vec3, Vec4};
use crate::lt::arith::load;
use crate::lt::{self, LocalLight};
use isotherm_lanes::dispatch;

#[inline(always)]
pub(super) fn row4(v: &Vec4, row: &[u32; 4]) -> L {
    let r: Vec4 = rows!(4, |i| splat(row[i]));
    arith::dp4(
        RULES,
        [&v[0], &v[1], &v[2], &v[3]],
        [&r[0], &r[1], &r[2], &r[3]],
    )
}

#[inline(always)]
pub(super) fn dot(a: &Vec3, b: &Vec3) -> L {
    arith::dp3(RULES, [&a[0], &a[1], &a[2]], [&b[0], &b[1], &b[2]])
}

#[inline(always)]
pub(super) fn scale3(v: &Vec3, s: &L) -> Vec3 {
    rows!(3, |i| arith::mul(RULES, &v[i], s))
}

#[inline(always)]
pub(super) fn sub3(a: &Vec3, b: &Vec3) -> Vec3 {
    rows!(3, |i| arith::add(RULES, &a[i], &neg(b[i])))
}

#[inline(always)]
fn xyz<const N: usize>(v: &V4<N>) -> V3<N> {
    [v[0], v[1], v[2]]
}

#[inline(always)]
fn homogeneous(v: &Vec3) -> Vec4 {
    [v[0], v[1], v[2], [ONE; LANES]]
}

/// A vector's unit vector, and (d², d) of its length.
#[inline(always)]
fn unit(v: &Vec3) -> (Vec3, L, L) {
    let dd = dot(v, v);
    let r = arith::rsq(RULES, &dd);
    let d = arith::mul(RULES, &dd, &r);
    (scale3(v, &r), dd, d)
}

/// A vector in eye space: by one matrix, or by several with weights.
#[inline(always)]
fn to_eye_space<const K: usize>(
    v: &[L; K],
    matrices: &[Option<Matrix<K, K>>; 4],
    weights: &[L],
) -> [L; K] {
    let mut sum = [[0; LANES]; K];
    for (m, (matrix, weight)) in matrices.iter().flatten().zip(weights).enumerate() {
        let by_one = matrix.times(RULES, v);
        if weights.len() == 1 {
            return by_one;
        }
        for c in 0..K {
            sum[c] = match m {
                0 => arith::mul(RULES, &by_one[c], weight),
                _ => arith::mad(RULES, &by_one[c], weight, &sum[c]),
            };
        }
    }
    sum
}

dispatch! {
    /// The weights of the matrices, and the position in eye space.
    pub(super) fn eye_position(fixed: &Fixed, vertices: &[VtxIn; LANES], batch: &mut Batch)
        = eye_position_lanes;
}

#[inline(always)]
fn eye_position_lanes(fixed: &Fixed, vertices: &[VtxIn; LANES], batch: &mut Batch) {
    let (count, generated) = fixed.mode.weights;
    if count > 1 {
        batch.weights = attr(vertices, 1);
        if generated {
            let mut rest = [[ONE; LANES], [0; LANES], [0; LANES], [0; LANES]];
            for i in 0..count - 1 {
                rest[i + 1] = neg(batch.weights[i]);
            }
            batch.weights[count - 1] = arith::sum(RULES, &rest);
        }
    }
    let position = attr(vertices, 0);
    batch.eye = to_eye_space(&position, &fixed.model_view, &batch.weights[..count]);
    let rw = arith::rcp(RULES, &batch.eye[3]);
    batch.eye3 = scale3(&xyz(&batch.eye), &rw);
}

dispatch! {
    /// The window position, and the outputs that are the vertex's own unless later
    /// steps replace them.
    pub(super) fn project(
        fixed: &Fixed,
        vertices: &[VtxIn; LANES],
        batch: &mut Batch,
        out: &mut [VtxOut],
    ) = project_lanes;
}

#[inline(always)]
fn project_lanes(fixed: &Fixed, vertices: &[VtxIn; LANES], batch: &mut Batch, out: &mut [VtxOut]) {
    let (mode, state) = (fixed.mode, fixed.state);
    let position = attr(vertices, 0);
    // A weighted vertex is projected from eye space; the matrix then holds the
    // projection alone.
    let source = if mode.weights.0 > 1 {
        &batch.eye
    } else {
        &position
    };
    let clip = fixed.composite.times(RULES, source);
    let rw = arith::rcc(RULES, &clip[3]);
    let offset = match mode.map.curie {
        true => state.curie.viewport.translate,
        false => state.xfctx[mode.map.viewport],
    };
    let window: Vec3 = rows!(3, |i| arith::mad(RULES, &clip[i], &rw, &splat(offset[i])));
    (batch.position, batch.clip, batch.rw) = (position, clip, rw);

    let pos = per_lane(&[window[0], window[1], window[2], clip[3]]);
    for (lane, (v, o)) in vertices.iter().zip(&mut *out).enumerate() {
        o.pos = pos[lane];
        o.rw = rw[lane];
        o.fog = 0;
        o.point_size = v.attr[6][0];
        o.edge_flag = v.edge_flag;
        o.tex[..4].copy_from_slice(&v.attr[9..13]);
        if fixed.need.sets == 8 {
            o.tex[4..7].copy_from_slice(&v.attr[13..16]);
            o.tex[7] = v.attr[tex_attr(7)];
            o.tex[8..].fill([0; 4]);
        } else {
            o.tex[4..].fill([0; 4]);
        }
        o.clip = [0; 6];
    }
    if !mode.lighting {
        unlit_colors(mode, vertices, out);
    }
}

/// Unlit, the front colours pass and the back ones are black.
#[inline(always)]
fn unlit_colors(mode: &Mode, vertices: &[VtxIn; LANES], out: &mut [VtxOut]) {
    let mut color = [[BLACK; LANES]; 4];
    color[0] = bytes(&attr(vertices, 3));
    if mode.specular_enable {
        color[1] = bytes(&attr(vertices, 4));
    }
    put_colors(mode, color, out);
}

#[inline(always)]
fn put_colors<const N: usize>(mode: &Mode, mut color: V4<N>, out: &mut [VtxOut]) {
    secondary_rule(mode, &mut color);
    for (o, color) in out.iter_mut().zip(per_lane(&color)) {
        o.color = color.map(u32::to_le_bytes);
    }
}

dispatch! {
    /// LT's colours as bytes.
    pub(super) fn lit_colors(mode: &Mode, lit: &[LtVec4; 4], out: &mut [VtxOut])
        = lit_colors_lanes;
}

#[inline(always)]
fn lit_colors_lanes(mode: &Mode, lit: &[LtVec4; 4], out: &mut [VtxOut]) {
    put_colors(mode, rows!(4, |i| bytes(&lit[i])), out);
}

dispatch! {
    /// The normal in eye space.
    pub(super) fn normal(fixed: &Fixed, vertices: &[VtxIn; LANES], batch: &mut Batch)
        = normal_lanes;
}

#[inline(always)]
fn normal_lanes(fixed: &Fixed, vertices: &[VtxIn; LANES], batch: &mut Batch) {
    let weights = &batch.weights[..fixed.mode.weights.0];
    let normal = to_eye_space(&xyz(&attr(vertices, 2)), &fixed.inverse, weights);
    batch.normal = match fixed.mode.normalize {
        true => unit(&normal).0,
        false => normal,
    };
}

dispatch! {
    /// The vector to the eye.
    pub(super) fn eye_vector(fixed: &Fixed, batch: &mut Batch) = eye_vector_lanes;
}

#[inline(always)]
fn eye_vector_lanes(fixed: &Fixed, batch: &mut Batch) {
    let at = fixed.state.xfctx[fixed.mode.map.eye];
    let v = sub3(&[splat(at[0]), splat(at[1]), splat(at[2])], &batch.eye3);
    (batch.to_eye, batch.distance_square, batch.distance) = unit(&v);
}

dispatch! {
    /// The fog coordinate, and LT's value of it.
    pub(super) fn fog(
        fixed: &Fixed,
        vertices: &[VtxIn; LANES],
        batch: &mut Batch,
        out: &mut [VtxOut],
    ) = fog_lanes;
}

#[inline(always)]
fn fog_lanes(fixed: &Fixed, vertices: &[VtxIn; LANES], batch: &mut Batch, out: &mut [VtxOut]) {
    let (mode, state) = (fixed.mode, fixed.state);
    let mut coordinate = match mode.fog_source {
        FogSource::SpecularAlpha => component(vertices, 4, 3),
        FogSource::Coord => component(vertices, 5, 0),
        FogSource::Radial => batch.distance,
        FogSource::Planar | FogSource::PlanarAbs => {
            row4(&homogeneous(&batch.eye3), &state.xfctx[mode.map.fog_plane])
        }
    };
    if mode.fog_source == FogSource::PlanarAbs {
        coordinate = arith::abs(coordinate);
    }
    batch.fog = match mode.map.curie {
        true => coordinate,
        false => fog_value(mode, state, &map(&coordinate, load)),
    };
    batch.fog_coordinate = coordinate;
    for (o, fog) in out.iter_mut().zip(batch.fog) {
        o.fog = fog;
    }
}

dispatch! {
    /// Hands normals, distances, lights and colours over to LT.
    pub(super) fn to_lt(
        fixed: &Fixed,
        half: Half,
        vertices: &[VtxIn; LANES],
        batch: &Batch,
        lt: &mut Lt,
    ) = to_lt_lanes;
}

#[inline(always)]
fn to_lt_lanes(fixed: &Fixed, half: Half, vertices: &[VtxIn; LANES], batch: &Batch, lt: &mut Lt) {
    let (mode, to) = (fixed.mode, &mut lt.to);
    to.eye_distance[0] = [ONE; lt::LANES];
    put(&mut to.eye_distance[1], half, &map(&batch.distance, load));
    put(
        &mut to.eye_distance[2],
        half,
        &map(&batch.distance_square, load),
    );
    if !mode.lighting {
        return;
    }
    put3(&mut to.normal, half, &batch.normal);
    put3(&mut to.eye, half, &batch.to_eye);
    // Fixed function reads the front colours alone, for both sides.
    for (i, color) in [attr(vertices, 3), attr(vertices, 4)].iter().enumerate() {
        for side in [0, 2] {
            for c in 0..4 {
                put(&mut lt.colors[side + i][c], half, &color[c]);
            }
            put3(&mut to.color[side + i], half, &xyz(color));
        }
    }
}

/// Three components for LT.
#[inline(always)]
fn put3(to: &mut V3<{ lt::LANES }>, half: Half, v: &Vec3) {
    for i in 0..3 {
        put(&mut to[i], half, &map(&v[i], load));
    }
}

dispatch! {
    /// The vector to a light that has a position, and the place in a spot's cone.
    pub(super) fn local_light(
        fixed: &Fixed,
        i: usize,
        half: Half,
        batch: &Batch,
        light: &mut LocalLight<{ lt::LANES }>,
    ) = local_light_lanes;
}

#[inline(always)]
fn local_light_lanes(
    fixed: &Fixed,
    i: usize,
    half: Half,
    batch: &Batch,
    light: &mut LocalLight<{ lt::LANES }>,
) {
    let (mode, ctx) = (fixed.mode, &fixed.state.xfctx);
    let p = ctx[mode.map.light_position + i];
    let v = sub3(&[splat(p[0]), splat(p[1]), splat(p[2])], &batch.eye3);
    let (u, dd, d) = unit(&v);
    put3(&mut light.to_light, half, &u);
    light.distance[0] = [ONE; lt::LANES];
    put(&mut light.distance[1], half, &map(&d, load));
    put(&mut light.distance[2], half, &map(&dd, load));
    if mode.lights[i] == LightMode::Spot {
        let direction = &ctx[mode.map.light_position + 8 + i];
        let spot = row4(&homogeneous(&u), direction);
        put(&mut light.spot, half, &map(&spot, load));
    }
}

dispatch! {
    /// User clip planes (Rankine), in eye space.
    pub(super) fn clip_distances(fixed: &Fixed, batch: &Batch, out: &mut [VtxOut])
        = clip_distances_lanes;
}

#[inline(always)]
fn clip_distances_lanes(fixed: &Fixed, batch: &Batch, out: &mut [VtxOut]) {
    let Some(planes) = &fixed.planes else {
        return;
    };
    let planes: [Lanes<LANES>; 6] = planes.times(RULES, &batch.eye);
    for (lane, o) in out.iter_mut().enumerate() {
        for (c, lanes) in o.clip.iter_mut().zip(&planes) {
            *c = lanes[lane];
        }
    }
}

/// Celsius objects on Kelvin can ask for bypass: scale and offset only. Rare enough for
/// the base level alone.
pub(super) fn bypass(mode: &Mode, state: &State, vertices: &[VtxIn; LANES], out: &mut [VtxOut]) {
    let position = attr(vertices, 0);
    let offset = state.xfctx[mode.map.viewport];
    let window: Vec3 = rows!(3, |i| arith::add(RULES, &position[i], &splat(offset[i])));
    let pos = per_lane(&[window[0], window[1], window[2], position[3]]);
    for (lane, (v, o)) in vertices.iter().zip(out).enumerate() {
        let mut result = Results::default();
        result.load_defaults(v);
        result.pos = pos[lane];
        *o = result.finish(mode, state);
    }
}
