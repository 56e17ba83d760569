//! Full transform and lighting, step by step.

use super::super::arith::{self, Lanes, ONE, map, rows};
use super::super::lanes::V3;
use super::super::mode::{CelsiusMode, LightMode, TexGen};
use super::vector::{dp3, dp4, inverse_length, mat3, mat4, mul, row, scale, vadd, vmul, vsub};
use super::{L, RULES, Raw, Vab, Vec4, texgen};
use crate::lt::arith::load;
use crate::lt::{CelsiusIn, LocalLight, celsius_full};
use crate::xf::{LANES, State};
use isotherm_lanes::{Level, dispatch};
use isotherm_regs::Chip;
use isotherm_regs::xf::mode::CELSIUS_FOG_COORD;

/// Vectors that several steps share.
#[derive(Default)]
pub(super) struct Vectors {
    pub pos: Vec4,
    pub eye: Vec4,
    /// The same divided by its w.
    eye3: Vec4,
    clip: Vec4,
    /// 1 / clip w.
    rw: L,
    pub normal: Vec4,
    /// Unit vector to the eye with the distance in w; the distance's square.
    to_eye: Vec4,
    distance_square: L,
    pub sphere: Vec4,
    pub reflection: Vec4,
    pub light0: Vec4,
}

/// How the vertex weight mixes two matrices: its lanes, and 1 less them.
type Weights = Option<(Vec4, Vec4)>;

/// All steps of one batch.
pub(super) fn full(
    level: Level,
    chip: Chip,
    state: &State,
    mode: &CelsiusMode,
    vab: &Vab,
    raw: &mut Raw,
) {
    let mut v = Vectors::default();
    let mut lt = CelsiusIn::default();
    position(level, state, mode, vab, &mut v, raw);
    normal(level, state, mode, vab, &mut v);
    to_eye(level, state, &mut v);
    let uses = |g: TexGen| mode.tex.iter().any(|t| t.enable && t.gen_.contains(&g));
    if uses(TexGen::Sphere) || uses(TexGen::Reflection) {
        reflect(level, state, &mut v);
    }
    v.light0 = row(&state.xfctx[0x24]);
    for i in 0..8 {
        if mode.lighting && matches!(mode.lights[i], LightMode::Local | LightMode::Spot) {
            local_light(level, state, mode, i, &mut v, &mut lt.lights[i]);
        }
    }
    for i in 0..2 {
        if mode.tex[i].enable {
            texgen::texture(level, chip, state, mode, vab, &v, i, &mut raw.undivided[i]);
            perspective(level, mode.perspective[i], &v, i, raw);
        }
    }
    to_lt(level, state, mode, vab, &v, &mut lt);

    let o = celsius_full(level, state, mode, &lt);
    let alpha = if mode.lighting && !mode.track[2] {
        [state.ltc[3][0xb]; LANES]
    } else {
        vab[1][3]
    };
    raw.color = [
        [o.col0[0], o.col0[1], o.col0[2], alpha],
        [o.col1[0], o.col1[1], o.col1[2], [0; LANES]],
    ];
    raw.fog = o.fog;
    raw.point_size = o.point_size;
}

#[inline(always)]
fn weights(state: &State, mode: &CelsiusMode, vab: &Vab) -> Weights {
    mode.weighted.then(|| {
        let w = [vab[6][0]; 4];
        (w, vsub(&row(&state.xfctx[0x3a]), &w))
    })
}

/// x, y, z blend; w is the first matrix's.
#[inline(always)]
fn blend(p: &Vec4, q: &Vec4, (v, u): &(Vec4, Vec4)) -> Vec4 {
    let mut r = vadd(&vmul(p, v), &vmul(q, u));
    r[3] = p[3];
    r
}

dispatch! {
    /// Eye, clip and window position.
    fn position(state: &State, mode: &CelsiusMode, vab: &Vab, v: &mut Vectors, raw: &mut Raw)
        = position_lanes;
}

#[inline(always)]
fn position_lanes(state: &State, mode: &CelsiusMode, vab: &Vab, v: &mut Vectors, raw: &mut Raw) {
    let ctx = &state.xfctx;
    v.pos = vab[0];
    v.eye = mat4(&v.pos, &ctx[0..4]);
    let mut source = v.pos;
    if let Some(w) = weights(state, mode, vab) {
        v.eye = blend(&v.eye, &mat4(&v.pos, &ctx[0xc..0x10]), &w);
        source = v.eye;
    }
    v.clip = mat4(&source, &ctx[8..12]);
    v.rw = arith::rcc(RULES, &v.clip[3]);
    let mut divided = scale(&v.clip, &v.rw);
    divided[3] = v.rw;
    raw.pos = vadd(&divided, &row(&ctx[0x39]));
    raw.w = v.clip[3];
}

dispatch! {
    /// The normal in eye space.
    fn normal(state: &State, mode: &CelsiusMode, vab: &Vab, v: &mut Vectors) = normal_lanes;
}

#[inline(always)]
fn normal_lanes(state: &State, mode: &CelsiusMode, vab: &Vab, v: &mut Vectors) {
    let ctx = &state.xfctx;
    v.normal = mat3(&vab[5], &ctx[4..8]);
    if let Some(w) = weights(state, mode, vab) {
        v.normal = blend(&v.normal, &mat3(&vab[5], &ctx[0x10..0x14]), &w);
    }
    if mode.normalize {
        v.normal = scale(&v.normal, &inverse_length(&v.normal));
    }
}

dispatch! {
    /// The vector to the eye.
    fn to_eye(state: &State, v: &mut Vectors) = to_eye_lanes;
}

#[inline(always)]
fn to_eye_lanes(state: &State, v: &mut Vectors) {
    v.eye3 = scale(&v.eye, &arith::rcp(RULES, &v.eye[3]));
    let mut to_eye = vsub(&row(&state.xfctx[0x34]), &v.eye3);
    let dd = dp3(&to_eye, &to_eye);
    to_eye[3] = dd;
    v.to_eye = scale(&to_eye, &arith::rsq(RULES, &dd));
    v.distance_square = dd;
}

dispatch! {
    /// Reflection vector and sphere map coordinates.
    fn reflect(state: &State, v: &mut Vectors) = reflect_lanes;
}

#[inline(always)]
fn reflect_lanes(state: &State, v: &mut Vectors) {
    let ctx = &state.xfctx;
    let one = row(&ctx[0x36]);
    let d = dp3(&v.to_eye, &vmul(&row(&ctx[0x35]), &v.normal));
    let m = vsub(&vadd(&scale(&v.normal, &d), &one), &v.to_eye);
    v.reflection = vsub(&m, &one);
    let half = row(&ctx[0x37]);
    v.sphere = vadd(&scale(&vmul(&m, &half), &inverse_length(&m)), &half);
}

dispatch! {
    /// The vector to a light that has a position, and the place in a spot's cone.
    fn local_light(
        state: &State,
        mode: &CelsiusMode,
        i: usize,
        v: &mut Vectors,
        light: &mut LocalLight<LANES>,
    ) = local_light_lanes;
}

#[inline(always)]
fn local_light_lanes(
    state: &State,
    mode: &CelsiusMode,
    i: usize,
    v: &mut Vectors,
    light: &mut LocalLight<LANES>,
) {
    let ctx = &state.xfctx;
    let mut to_light = vsub(&row(&ctx[0x24 + i]), &v.eye3);
    let dd = dp3(&to_light, &to_light);
    to_light[3] = dd;
    let u = scale(&to_light, &arith::rsq(RULES, &dd));
    light.to_light = load3(&u);
    light.distance = [[ONE; LANES], map(&u[3], load), map(&dd, load)];
    if mode.lights[i] == LightMode::Spot {
        let at = [u[0], u[1], u[2], [ONE; LANES]];
        light.spot = map(&dp4(&at, &row(&ctx[0x2c + i])), load);
    }
    if i == 0 {
        v.light0 = u;
    }
}

dispatch! {
    /// The texture set as the rasterizer gets it, and before the 1/w factor.
    fn perspective(on: bool, v: &Vectors, i: usize, raw: &mut Raw) = perspective_lanes;
}

#[inline(always)]
fn perspective_lanes(on: bool, v: &Vectors, i: usize, raw: &mut Raw) {
    let set = raw.undivided[i];
    let scaled = scale(&set, if on { &v.rw } else { &v.clip[3] });
    (raw.tex[i], raw.undivided[i]) = if on { (scaled, set) } else { (set, scaled) };
}

#[inline(always)]
fn load3(v: &Vec4) -> V3<LANES> {
    rows!(3, |i| map(&v[i], load))
}

dispatch! {
    /// Fog coordinate, normal, distances and colours, for LT.
    fn to_lt(
        state: &State,
        mode: &CelsiusMode,
        vab: &Vab,
        v: &Vectors,
        lt: &mut CelsiusIn,
    ) = to_lt_lanes;
}

#[inline(always)]
fn to_lt_lanes(state: &State, mode: &CelsiusMode, vab: &Vab, v: &Vectors, lt: &mut CelsiusIn) {
    let ctx = &state.xfctx;
    let mut fog: [Lanes<LANES>; 3] = [[ONE; LANES], v.to_eye[3], v.distance_square];
    if mode.fog_coord != CELSIUS_FOG_COORD::DIST_RADIAL {
        let c = match mode.fog_coord {
            CELSIUS_FOG_COORD::PASS => vab[2][3],
            _ => dp4(&v.eye3, &row(&ctx[0x38])),
        };
        fog = [[ctx[0x36][2]; LANES], c, mul(&c, &c)];
        if mode.fog_coord == CELSIUS_FOG_COORD::DIST_ORTHOGONAL_ABS {
            fog = rows!(3, |i| arith::abs(fog[i]));
        }
    }
    lt.fog = rows!(3, |i| map(&fog[i], load));
    lt.normal = load3(&v.normal);
    lt.eye = load3(&v.to_eye);
    lt.eye_distance = [
        [ONE; LANES],
        map(&v.to_eye[3], load),
        map(&v.distance_square, load),
    ];
    lt.col0 = load3(&vab[1]);
    lt.col1 = load3(&vab[2]);
}
