//! Kelvin's and Rankine's fixed function: positions, normals, texture
//! coordinates, fog coordinate. LT follows with colours and point sizes.
//!
//! The steps and their order are Celsius' (which hwtest's author matched on
//! hardware), with Kelvin's arithmetic; goldens confirm position, z, fog.

use super::arith::{self, Lanes, Matrix, ONE, Rules, map, neg, rows, splat};
pub(crate) use super::lanes::V4;
use super::lanes::{Padded, attr, component, per_lane};
use super::mode::{FogSource, LightMode, Mode, Path, TexGen, TexMode};
use super::observe::{Seen, Watch};
use super::output::{bytes, fog_value, secondary_rule};
use super::{LANES, State, VtxIn, VtxOut};
use crate::lt::{self, arith::load};

/// A vector of three components, each in lanes.
pub(crate) type V3<const N: usize> = [Lanes<N>; 3];

const TWO: u32 = 0x4000_0000;
const HALF: u32 = 0x3f00_0000;
/// An opaque black as a word of bytes, red lowest.
pub(super) const BLACK: u32 = 0xff00_0000;
/// First of six rows of XFCTX on Rankine.
const USER_CLIP_PLANE: usize = 0x20;

const COLOR_NAMES: [&str; 4] = [
    "lit front diffuse",
    "lit front specular",
    "lit back diffuse",
    "lit back specular",
];

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
    let fixed = Fixed::new(mode, state);
    let mut pad = None;
    for (vertices, out) in vertices.chunks(LANES).zip(out.chunks_mut(LANES)) {
        if let Some((v, o)) = Padded::batch(&mut pad, vertices, out) {
            fixed.batch::<arith::Kelvin, LANES>(v, o, &mut ());
        }
        Padded::finish(&pad, out);
    }
}

/// One vertex, with all that is computed on its way.
pub(super) fn observe(mode: &Mode, state: &State, vertex: &VtxIn) -> (Vec<Seen>, VtxOut) {
    let mut seen = Vec::new();
    let mut out = [VtxOut::default()];
    let vertex = std::array::from_ref(vertex);
    Fixed::new(mode, state).batch::<arith::Kelvin, 1>(vertex, &mut out, &mut seen);
    let [out] = out;
    (seen, out)
}

/// The mode with what is derived from it and from the constants once for many
/// batches.
struct Fixed<'a> {
    mode: &'a Mode,
    state: &'a State,
    need: Needs,
    composite: Matrix<'a, 4, 4>,
    model_view: [Matrix<'a, 4, 4>; 4],
    inverse: [Matrix<'a, 3, 3>; 4],
    tex: [Matrix<'a, 4, 4>; 8],
    planes: Matrix<'a, 4, 6>,
}

impl<'a> Fixed<'a> {
    fn new(mode: &'a Mode, state: &'a State) -> Fixed<'a> {
        let need = needs(mode);
        let at = &mode.map;
        // What is not needed is not prepared.
        let rows = |wanted: bool, at: usize| if wanted { &state.xfctx[at..] } else { &[] };
        let weighted = mode.weights.0;
        Fixed {
            composite: Matrix::new(rows(true, at.composite)),
            model_view: std::array::from_fn(|i| {
                Matrix::new(rows(need.eye && i < weighted, at.model_view(i)))
            }),
            inverse: std::array::from_fn(|i| {
                Matrix::new(rows(need.normal && i < weighted, at.inverse(i)))
            }),
            tex: std::array::from_fn(|i| {
                let wanted = need.computed >> i & 1 != 0 && mode.tex[i].matrix;
                Matrix::new(rows(wanted, at.tex(i) + 4))
            }),
            planes: Matrix::new(rows(need.planes, USER_CLIP_PLANE)),
            mode,
            state,
            need,
        }
    }
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

/// A vector in eye space: by one matrix, or by up to four with weights.
#[inline(always)]
fn to_eye_space<R: Rules, const K: usize, const N: usize>(
    v: &[Lanes<N>; K],
    matrices: &[Matrix<K, K>; 4],
    weights: &[Lanes<N>],
) -> [Lanes<N>; K] {
    let mut acc = matrices[0].times::<R, N>(v);
    if weights.len() > 1 {
        for c in &mut acc {
            *c = arith::mul::<R, N>(c, &weights[0]);
        }
        for (m, w) in matrices.iter().zip(weights).skip(1) {
            let m = m.times::<R, N>(v);
            for c in 0..K {
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

impl Fixed<'_> {
    #[inline(always)]
    fn batch<R: Rules, const N: usize>(
        &self,
        vertices: &[VtxIn; N],
        out: &mut [VtxOut; N],
        watch: &mut impl Watch<N>,
    ) {
        let &Fixed {
            mode, state, need, ..
        } = &self;
        let at = &mode.map;
        let ctx = &state.xfctx;
        let pos = attr(vertices, 0);
        if mode.path == Path::Bypass {
            return bypass::<R, N>(mode, state, &pos, vertices, out);
        }

        // Weights.
        let (count, generated) = mode.weights;
        let mut weights = [[ONE; N]; 4];
        if count > 1 {
            let w = attr(vertices, 1);
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
        if count > 1 {
            watch.see("weights", None, weights);
        }

        // Positions.
        let mut eye = [[0; N]; 4];
        if need.eye {
            eye = to_eye_space::<R, 4, N>(&pos, &self.model_view, weights);
            watch.see("eye position", None, &eye);
        }
        // A weighted vertex is projected from eye space; the matrix then holds the
        // projection alone.
        let source = if count > 1 { &eye } else { &pos };
        let clip = self.composite.times::<R, N>(source);
        let rw = arith::rcc::<R, N>(&clip[3]);
        watch.see("clip position", None, &clip);
        watch.see("1/w", None, &[rw]);
        let offset = match at.curie {
            true => state.curie.viewport.translate,
            false => ctx[at.viewport],
        };
        let window: V3<N> = rows!(3, |i| arith::mad::<R, N>(&clip[i], &rw, &splat(offset[i])));

        // Normal.
        let mut normal = [[0; N]; 3];
        if need.normal {
            let n = xyz(&attr(vertices, 2));
            normal = to_eye_space::<R, 3, N>(&n, &self.inverse, weights);
            if mode.normalize {
                normal = unit::<R, N>(&normal).0;
            }
            watch.see("normal", None, &normal);
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
            watch.see("vector to the eye", None, &to_eye);
            watch.see("distance to the eye", None, &[d]);
        }

        // Fog.
        let mut fog = [0; N];
        if mode.fog {
            let c = match mode.fog_source {
                FogSource::SpecularAlpha => component(vertices, 4, 3),
                FogSource::Radial => d,
                FogSource::Planar => row4::<R, N>(&homogeneous(&eye3), &ctx[at.fog_plane]),
                FogSource::PlanarAbs => {
                    arith::abs(row4::<R, N>(&homogeneous(&eye3), &ctx[at.fog_plane]))
                }
                FogSource::Coord => component(vertices, 5, 0),
            };
            fog = match at.curie {
                true => c,
                false => fog_value(mode, state, &map(&c, load)),
            };
            watch.see("fog coordinate", None, &[c]);
            watch.see("fog value", None, &[fog]);
        }

        // LT.
        let distance = [[ONE; N], map(&d, load), map(&dd, load)];
        // Unlit: the front colours pass, the back ones are black.
        let mut color = [[BLACK; N]; 4];
        if mode.lighting {
            // Fixed function reads the front colours alone, for both sides.
            let (diffuse, specular) = (attr(vertices, 3), attr(vertices, 4));
            let colors = [diffuse, specular, diffuse, specular];
            let mut to = ToLt::<N>::unknown(&colors);
            to.normal = load3(&normal);
            to.eye = load3(&to_eye);
            to.eye_distance = distance;
            local_lights::<R, N>(mode, state, &eye3, &mut to);
            let lit = lt::light::<N>(mode, state, &to, &colors, watch);
            for (name, color) in COLOR_NAMES.into_iter().zip(&lit) {
                watch.see(name, None, color);
            }
            color = rows!(4, |i| bytes(&lit[i]));
        } else {
            color[0] = bytes(&attr(vertices, 3));
            if mode.specular_enable {
                color[1] = bytes(&attr(vertices, 4));
            }
        }
        secondary_rule(mode, &mut color);

        let pos = per_lane(&[window[0], window[1], window[2], clip[3]]);
        let color = per_lane(&color);
        for (lane, (v, o)) in vertices.iter().zip(&mut *out).enumerate() {
            o.pos = pos[lane];
            o.rw = rw[lane];
            o.fog = fog[lane];
            o.point_size = v.attr[6][0];
            o.edge_flag = v.edge_flag;
            o.color = color[lane].map(u32::to_le_bytes);
            o.tex[..4].copy_from_slice(&v.attr[9..13]);
            if need.sets == 8 {
                o.tex[4..7].copy_from_slice(&v.attr[13..16]);
                o.tex[7] = v.attr[tex_attr(7)];
            } else {
                o.tex[4..].fill([0; 4]);
            }
            o.clip = [0; 6];
        }

        if mode.point_params {
            let sizes = lt::point_size(mode, state, &distance);
            watch.see("point size", None, &[sizes]);
            for (o, size) in out.iter_mut().zip(sizes) {
                o.point_size = size;
            }
        }

        // Texture coordinates that are more than the vertex's own.
        if need.computed != 0 {
            let mut sources = TexSources {
                pos: &attr(vertices, 0),
                eye: &eye,
                normal,
                reflection: [[0; N]; 3],
                sphere: [[0; N]; 3],
            };
            if need.reflection {
                (sources.reflection, sources.sphere) = reflect::<R, N>(&normal, &to_eye);
                watch.see("reflection vector", None, &sources.reflection);
                watch.see("sphere map", None, &sources.sphere);
            }
            for (i, t) in mode.tex[..need.sets].iter().enumerate() {
                if need.computed >> i & 1 == 0 {
                    continue;
                }
                let planes = &ctx[at.tex(i)..at.tex(i) + 4];
                let input = attr(vertices, tex_attr(i));
                let set = texture::<R, N>(t, planes, &self.tex[i], &input, &sources);
                watch.see("texture coordinates", Some(i), &set);
                for (o, set) in out.iter_mut().zip(per_lane(&set)) {
                    o.tex[i] = set;
                }
            }
        }

        // User clip planes (Rankine), in eye space.
        if need.planes {
            let planes = self.planes.times::<R, N>(&eye);
            watch.see("clip distances", None, &planes);
            for (lane, o) in out.iter_mut().enumerate() {
                for (c, lanes) in o.clip.iter_mut().zip(&planes) {
                    *c = lanes[lane];
                }
            }
        }
    }
}

/// The attribute of a texture set: 9 and up, and after the last of them 8.
#[inline(always)]
fn tex_attr(set: usize) -> usize {
    if 9 + set < 16 { 9 + set } else { 8 }
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

/// One texture set: generation, then the matrix.
#[inline(always)]
fn texture<R: Rules, const N: usize>(
    t: &TexMode,
    planes: &[[u32; 4]],
    matrix: &Matrix<4, 4>,
    input: &V4<N>,
    s: &TexSources<N>,
) -> V4<N> {
    let mut c = *input;
    for i in 0..4 {
        c[i] = match t.gen_[i] {
            TexGen::Pass | TexGen::Emboss => c[i],
            TexGen::EyeLinear => row4::<R, N>(s.eye, &planes[i]),
            TexGen::ObjectLinear => row4::<R, N>(s.pos, &planes[i]),
            TexGen::Sphere if i < 2 => s.sphere[i],
            // A guess: the sphere map takes the place of x and y alone, z is still the
            // reflection's. No method asks for it: the front end refuses it for r.
            TexGen::Sphere if i == 2 => s.reflection[2],
            TexGen::Normal if i < 3 => s.normal[i],
            TexGen::Reflection if i < 3 => s.reflection[i],
            _ => c[i],
        };
    }
    if t.matrix {
        matrix.times::<R, N>(&c)
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
    vertices: &[VtxIn; N],
    out: &mut [VtxOut; N],
) {
    let offset = state.xfctx[mode.map.viewport];
    let window: V3<N> = rows!(3, |i| arith::add::<R, N>(&pos[i], &splat(offset[i])));
    let fog = map(&component(vertices, 5, 0), load);
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
