//! Kelvin's and Rankine's fixed function: positions, normals, texture
//! coordinates, fog coordinate. LT follows with colours and point sizes.
//!
//! The steps and their order are Celsius' (which hwtest's author matched on
//! hardware), with Kelvin's arithmetic; goldens confirm position, z, fog.

use super::arith::{self, Lanes, ONE, Rules, map, neg, rows, splat, transform};
use super::mode::{FogSource, LightMode, Mode, Path, TexGen, TexMode};
use super::output::{fog_value, secondary_rule};
use super::{LANES, State, VtxIn, VtxOut};
use crate::lt::{self, arith::load};

/// A vector of four components, each in lanes.
pub(crate) type V4<const N: usize> = [Lanes<N>; 4];
/// A vector of three components, each in lanes.
pub(crate) type V3<const N: usize> = [Lanes<N>; 3];

const TWO: u32 = 0x4000_0000;
const HALF: u32 = 0x3f00_0000;
/// First of six rows of XFCTX on Rankine.
const USER_CLIP_PLANE: usize = 0x20;

/// What XF hands to LT, already 22 bits wide.
pub(crate) struct ToLt<const N: usize> {
    /// Eye-space normal.
    pub normal: V3<N>,
    /// Unit vector to the eye.
    pub eye: V3<N>,
    /// (1, d, d²) of the distance to the eye.
    pub eye_distance: V3<N>,
    /// Unit vectors to the local lights.
    pub light: [V3<N>; 8],
    /// (1, d, d²) of the distances to the local lights.
    pub light_distance: [V3<N>; 8],
    /// Where in the cone of each spot light.
    pub spot: [Lanes<N>; 8],
    /// The four vertex colours.
    pub color: [V3<N>; 4],
}

impl<const N: usize> ToLt<N> {
    /// Only the colours are known.
    #[inline(always)]
    pub(crate) fn unknown(colors: &[V4<N>; 4]) -> Self {
        let mut to = ToLt::new();
        for (to, c) in to.color.iter_mut().zip(colors) {
            *to = load3(&xyz(c));
        }
        for d in &mut to.light_distance {
            d[0] = [ONE; N];
        }
        to
    }

    #[inline(always)]
    fn new() -> Self {
        let zero = [[0; N]; 3];
        ToLt {
            normal: zero,
            eye: zero,
            eye_distance: zero,
            light: [zero; 8],
            light_distance: [zero; 8],
            spot: [[0; N]; 8],
            color: [zero; 4],
        }
    }
}

/// The same source for every level.
#[inline(always)]
pub(super) fn run_lanes(mode: &Mode, state: &State, vertices: &[VtxIn], out: &mut [VtxOut]) {
    let need = needs(mode);
    for (chunk, out) in vertices.chunks(LANES).zip(out.chunks_mut(LANES)) {
        batch::<arith::Kelvin, LANES>(mode, state, &need, chunk, out);
    }
}

/// Gathers one attribute of a batch; a short batch repeats its last vertex.
#[inline(always)]
fn attr<const N: usize>(v: &[VtxIn], i: usize) -> V4<N> {
    let mut r = [[0; N]; 4];
    for lane in 0..N {
        let a = &v[lane.min(v.len() - 1)].attr[i];
        for c in 0..4 {
            r[c][lane] = a[c];
        }
    }
    r
}

#[inline(always)]
fn row4<R: Rules, const N: usize>(v: &V4<N>, row: &[u32; 4]) -> Lanes<N> {
    let r = rows!(4, |i| splat(row[i]));
    arith::dp4::<R, N>([&v[0], &v[1], &v[2], &v[3]], [&r[0], &r[1], &r[2], &r[3]])
}

#[inline(always)]
fn dot<R: Rules, const N: usize>(a: &V3<N>, b: &V3<N>) -> Lanes<N> {
    arith::dp3::<R, N>([&a[0], &a[1], &a[2]], [&b[0], &b[1], &b[2]])
}

#[inline(always)]
fn scale3<R: Rules, const N: usize>(v: &V3<N>, s: &Lanes<N>) -> V3<N> {
    [
        arith::mul::<R, N>(&v[0], s),
        arith::mul::<R, N>(&v[1], s),
        arith::mul::<R, N>(&v[2], s),
    ]
}

#[inline(always)]
fn sub3<R: Rules, const N: usize>(a: &V3<N>, b: &V3<N>) -> V3<N> {
    rows!(3, |i| arith::add::<R, N>(&a[i], &neg(b[i])))
}

#[inline(always)]
fn xyz<const N: usize>(v: &V4<N>) -> V3<N> {
    [v[0], v[1], v[2]]
}

#[inline(always)]
fn load3<const N: usize>(v: &V3<N>) -> V3<N> {
    rows!(3, |i| map(&v[i], load))
}

/// A vector's unit vector, and (d², d) of its length.
#[inline(always)]
fn unit<R: Rules, const N: usize>(v: &V3<N>) -> (V3<N>, Lanes<N>, Lanes<N>) {
    let dd = dot::<R, N>(v, v);
    let r = arith::rsq::<R, N>(&dd);
    let d = arith::mul::<R, N>(&dd, &r);
    (scale3::<R, N>(v, &r), dd, d)
}

/// A vector in eye space: by one matrix, or by up to four with weights. `base`
/// is the first matrix; each further one lies eight rows on.
#[inline(always)]
fn to_eye_space<R: Rules, const K: usize, const M: usize, const N: usize>(
    v: &[Lanes<N>; K],
    ctx: &[[u32; 4]],
    base: usize,
    weights: &[Lanes<N>],
) -> [Lanes<N>; M] {
    let mut acc = transform::<R, K, M, N>(v, &ctx[base..]);
    if weights.len() > 1 {
        for c in &mut acc {
            *c = arith::mul::<R, N>(c, &weights[0]);
        }
        for (i, w) in weights.iter().enumerate().skip(1) {
            let m = transform::<R, K, M, N>(v, &ctx[base + 8 * i..]);
            for c in 0..M {
                acc[c] = arith::mad::<R, N>(&m[c], w, &acc[c]);
            }
        }
    }
    acc
}

pub(super) struct Needs {
    sets: usize,
    /// Texture sets that are more than the vertex's own, a bit each.
    computed: u8,
    planes: bool,
    eye: bool,
    normal: bool,
    eye_vector: bool,
    reflection: bool,
}

fn needs(mode: &Mode) -> Needs {
    let sets = || mode.tex.iter().filter(|t| t.enable);
    let uses = |g: TexGen| sets().any(|t| t.gen_.contains(&g));
    let local = mode.lighting
        && mode
            .lights
            .iter()
            .any(|l| matches!(l, LightMode::Local | LightMode::Spot));
    let reflection = uses(TexGen::Sphere) || uses(TexGen::Reflection);
    let eye_vector = reflection
        || mode.point_params
        || mode.lighting && mode.local_viewer
        || mode.fog && mode.fog_source == FogSource::Radial;
    let planar = mode.fog && matches!(mode.fog_source, FogSource::Planar | FogSource::PlanarAbs);
    let planes = mode.map.rankine;
    Needs {
        sets: if mode.map.rankine { 8 } else { 4 },
        computed: (0..8).map(|i| u8::from(mode.tex[i].computed()) << i).sum(),
        planes,
        eye: planes
            || local
            || eye_vector
            || planar
            || uses(TexGen::EyeLinear)
            || mode.weights.0 > 1,
        normal: mode.lighting || reflection || uses(TexGen::Normal),
        eye_vector,
        reflection,
    }
}

#[inline(always)]
fn batch<R: Rules, const N: usize>(
    mode: &Mode,
    state: &State,
    need: &Needs,
    vertices: &[VtxIn],
    out: &mut [VtxOut],
) {
    let at = &mode.map;
    let ctx = &state.xfctx;
    let pos = attr::<N>(vertices, 0);
    if mode.path == Path::Bypass {
        return bypass::<R, N>(mode, state, &pos, vertices, out);
    }

    // Weights.
    let (count, generated) = mode.weights;
    let mut weights = [[ONE; N]; 4];
    if count > 1 {
        let w = attr::<N>(vertices, 1);
        weights = w;
        if generated {
            let mut rest = [[ONE; N], [0; N], [0; N], [0; N]];
            for i in 0..count - 1 {
                rest[i + 1] = neg(w[i]);
            }
            weights[count - 1] = arith::sum::<R, 4, N>(&rest);
        }
    }
    let weights = &weights[..count];

    // Positions.
    let mut eye = [[0; N]; 4];
    if need.eye {
        eye = to_eye_space::<R, 4, 4, N>(&pos, ctx, at.model_view(0), weights);
    }
    // A weighted vertex is projected from eye space; the matrix then holds the
    // projection alone.
    let source = if count > 1 { &eye } else { &pos };
    let clip: V4<N> = transform::<R, 4, 4, N>(source, &ctx[at.composite..]);
    let rw = arith::rcc::<R, N>(&clip[3]);
    let window: V3<N> = rows!(3, |i| arith::mad::<R, N>(
        &clip[i],
        &rw,
        &splat(ctx[at.viewport][i])
    ));

    // User clip planes (Rankine), in eye space.
    let mut planes = [[0; N]; 6];
    if need.planes {
        planes = transform::<R, 4, 6, N>(&eye, &ctx[USER_CLIP_PLANE..]);
    }

    // Normal.
    let mut normal = [[0; N]; 3];
    if need.normal {
        let n = xyz(&attr::<N>(vertices, 2));
        normal = to_eye_space::<R, 3, 3, N>(&n, ctx, at.inverse(0), weights);
        if mode.normalize {
            normal = unit::<R, N>(&normal).0;
        }
    }

    // Eye position divided by its w; vectors to the eye.
    let mut eye3 = [[0; N]; 3];
    let mut to_eye = [[0; N]; 3];
    let (mut dd, mut d) = ([0; N], [0; N]);
    if need.eye {
        eye3 = scale3::<R, N>(&xyz(&eye), &arith::rcp::<R, N>(&eye[3]));
    }
    if need.eye_vector {
        let e = ctx[at.eye];
        let v = sub3::<R, N>(&[splat(e[0]), splat(e[1]), splat(e[2])], &eye3);
        (to_eye, dd, d) = unit::<R, N>(&v);
    }

    // Reflection and sphere map.
    let mut reflection = [[0; N]; 3];
    let mut sphere = [[0; N]; 3];
    if need.reflection {
        (reflection, sphere) = reflect::<R, N>(&normal, &to_eye);
    }

    // Texture coordinates.
    let mut tex = [[[0; N]; 4]; 8];
    for (i, t) in mode.tex[..need.sets].iter().enumerate() {
        if need.computed >> i & 1 != 0 {
            let sources = TexSources {
                pos: &pos,
                eye: &eye,
                normal,
                reflection,
                sphere,
            };
            let rows = &ctx[at.tex(i)..at.tex(i) + 8];
            let input = attr::<N>(vertices, tex_attr(i));
            tex[i] = texture::<R, N>(t, rows, &input, &sources);
        }
    }

    // Fog.
    let mut fog = [0; N];
    if mode.fog {
        let c = match mode.fog_source {
            FogSource::SpecularAlpha => attr::<N>(vertices, 4)[3],
            FogSource::Radial => d,
            FogSource::Planar => row4::<R, N>(&homogeneous(&eye3), &ctx[at.fog_plane]),
            FogSource::PlanarAbs => {
                arith::abs(row4::<R, N>(&homogeneous(&eye3), &ctx[at.fog_plane]))
            }
            FogSource::Coord => attr::<N>(vertices, 5)[0],
        };
        fog = fog_value(mode, state, &map(&c, load));
    }

    // LT.
    let distance = [[ONE; N], map(&d, load), map(&dd, load)];
    let mut point_size = [0; N];
    if mode.point_params {
        point_size = lt::point_size(mode, state, &distance);
    }
    let mut lit = [[0; N]; 4];
    if mode.lighting {
        // Fixed function reads the front colours alone, for both sides.
        let (diffuse, specular) = (attr::<N>(vertices, 3), attr::<N>(vertices, 4));
        let colors = [diffuse, specular, diffuse, specular];
        let mut to = ToLt::<N>::unknown(&colors);
        to.normal = load3(&normal);
        to.eye = load3(&to_eye);
        to.eye_distance = distance;
        local_lights::<R, N>(mode, state, &eye3, &mut to);
        lit = pack_colors(&lt::light::<N>(mode, state, &to, &colors));
    }

    for (lane, (v, o)) in vertices.iter().zip(&mut *out).enumerate() {
        o.pos = [
            window[0][lane],
            window[1][lane],
            window[2][lane],
            clip[3][lane],
        ];
        o.rw = rw[lane];
        o.fog = fog[lane];
        o.point_size = if mode.point_params {
            point_size[lane]
        } else {
            v.attr[6][0]
        };
        o.edge_flag = v.edge_flag;
        let color = if mode.lighting {
            rows_of(&lit, lane).map(u32::to_le_bytes)
        } else {
            // Unlit: the front colours pass, the back ones are black.
            let black = [0, 0, 0, 0xff];
            [
                color_bytes(&v.attr[3]),
                color_bytes(&v.attr[4]),
                black,
                black,
            ]
        };
        o.color = secondary_rule(mode, color);
        o.tex[..4].copy_from_slice(&v.attr[9..13]);
    }
    for i in 4..need.sets {
        for (v, o) in vertices.iter().zip(&mut *out) {
            o.tex[i] = v.attr[tex_attr(i)];
        }
    }
    for (i, t) in tex
        .iter()
        .enumerate()
        .filter(|(i, _)| need.computed >> i & 1 != 0)
    {
        for (lane, o) in out.iter_mut().enumerate() {
            o.tex[i] = rows_of(t, lane);
        }
    }
    for o in &mut *out {
        o.tex[need.sets..].fill([0; 4]);
        o.clip = [0; 6];
    }
    if need.planes {
        for (lane, o) in out.iter_mut().enumerate() {
            for (c, lanes) in o.clip.iter_mut().zip(&planes) {
                *c = lanes[lane];
            }
        }
    }
}

/// The attribute of a texture set: 9 and up, and after the last of them 8.
#[inline(always)]
fn tex_attr(set: usize) -> usize {
    if 9 + set < 16 { 9 + set } else { 8 }
}

/// One lane of four rows.
#[inline(always)]
fn rows_of<const N: usize>(v: &V4<N>, lane: usize) -> [u32; 4] {
    [v[0][lane], v[1][lane], v[2][lane], v[3][lane]]
}

/// A colour's four components as bytes.
#[inline(always)]
fn color_bytes(c: &[u32; 4]) -> [u8; 4] {
    let mut r = [0; 4];
    for i in 0..4 {
        r[i] = arith::color_to_byte32(c[i]) as u8;
    }
    r
}

/// Four colours as words of bytes, red lowest.
#[inline(always)]
fn pack_colors<const N: usize>(color: &[V4<N>; 4]) -> V4<N> {
    let mut r = [[0; N]; 4];
    for (r, c) in r.iter_mut().zip(color) {
        for i in 0..N {
            r[i] = arith::color_to_byte32(c[0][i])
                | arith::color_to_byte32(c[1][i]) << 8
                | arith::color_to_byte32(c[2][i]) << 16
                | arith::color_to_byte32(c[3][i]) << 24;
        }
    }
    r
}

#[inline(always)]
fn homogeneous<const N: usize>(v: &V3<N>) -> V4<N> {
    [v[0], v[1], v[2], [ONE; N]]
}

/// Reflection vector and sphere map coordinates.
#[inline(always)]
fn reflect<R: Rules, const N: usize>(n: &V3<N>, e: &V3<N>) -> (V3<N>, V3<N>) {
    let twice = scale3::<R, N>(n, &[TWO; N]);
    let d = dot::<R, N>(e, &twice);
    let p = scale3::<R, N>(n, &d);
    let r = sub3::<R, N>(&p, e);
    // The sphere map adds (0, 0, 1) before the eye vector is taken off.
    let z = arith::add::<R, N>(&p[2], &[ONE; N]);
    let m = [r[0], r[1], arith::add::<R, N>(&z, &neg(e[2]))];
    let inv = arith::rsq::<R, N>(&dot::<R, N>(&m, &m));
    let half = scale3::<R, N>(&m, &[HALF; N]);
    let s = scale3::<R, N>(&half, &inv);
    let s = rows!(3, |i| arith::add::<R, N>(&s[i], &[HALF; N]));
    (r, s)
}

struct TexSources<'a, const N: usize> {
    pos: &'a V4<N>,
    eye: &'a V4<N>,
    normal: V3<N>,
    reflection: V3<N>,
    sphere: V3<N>,
}

/// One texture set: generation, then the matrix. `rows` are the set's four
/// planes and its matrix.
#[inline(always)]
fn texture<R: Rules, const N: usize>(
    t: &TexMode,
    rows: &[[u32; 4]],
    input: &V4<N>,
    s: &TexSources<N>,
) -> V4<N> {
    let mut c = *input;
    for i in 0..4 {
        c[i] = match t.gen_[i] {
            TexGen::Pass | TexGen::Emboss => c[i],
            TexGen::EyeLinear => row4::<R, N>(s.eye, &rows[i]),
            TexGen::ObjectLinear => row4::<R, N>(s.pos, &rows[i]),
            TexGen::Sphere if i < 2 => s.sphere[i],
            TexGen::Normal if i < 3 => s.normal[i],
            TexGen::Reflection if i < 3 => s.reflection[i],
            _ => c[i],
        };
    }
    if t.matrix {
        transform::<R, 4, 4, N>(&c, &rows[4..])
    } else {
        c
    }
}

/// Vectors to the lights that have a position, and the place in a spot's cone.
#[inline(always)]
fn local_lights<R: Rules, const N: usize>(
    mode: &Mode,
    state: &State,
    eye3: &V3<N>,
    to: &mut ToLt<N>,
) {
    for i in 0..8 {
        if !matches!(mode.lights[i], LightMode::Local | LightMode::Spot) {
            continue;
        }
        let p = state.xfctx[mode.map.light_position + i];
        let v = sub3::<R, N>(&[splat(p[0]), splat(p[1]), splat(p[2])], eye3);
        let (u, dd, d) = unit::<R, N>(&v);
        to.light[i] = load3(&u);
        to.light_distance[i] = [[ONE; N], map(&d, load), map(&dd, load)];
        if mode.lights[i] == LightMode::Spot {
            let row = &state.xfctx[mode.map.light_position + 8 + i];
            to.spot[i] = map(&row4::<R, N>(&homogeneous(&u), row), load);
        }
    }
}

/// Celsius objects on Kelvin can ask for bypass: scale and offset only.
#[inline(always)]
fn bypass<R: Rules, const N: usize>(
    mode: &Mode,
    state: &State,
    pos: &V4<N>,
    vertices: &[VtxIn],
    out: &mut [VtxOut],
) {
    let offset = state.xfctx[mode.map.viewport];
    let window: V3<N> = rows!(3, |i| arith::add::<R, N>(&pos[i], &splat(offset[i])));
    let fog = map(&attr::<N>(vertices, 5)[0], load);
    let fog = fog_value(mode, state, &fog);
    for (lane, (v, out)) in vertices.iter().zip(out).enumerate() {
        let mut r = super::Results::default();
        r.load_defaults(v);
        r.pos = [
            window[0][lane],
            window[1][lane],
            window[2][lane],
            pos[3][lane],
        ];
        let mut o = r.finish(mode, state);
        o.fog = fog[lane];
        *out = o;
    }
}
