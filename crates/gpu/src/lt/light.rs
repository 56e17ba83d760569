//! Kelvin's lighting and point sizes.
//!
//! The formulas are Celsius' (see `celsius.rs`), with Kelvin's constant layout,
//! spot lights, back faces and material sources.

use super::arith::{self as a, add, clamp01, dp3, mul, rcp, rsqrt, sadd, smul};
use crate::xf::arith::{Lanes, ONE, SIGN, neg, rows};
use crate::xf::{
    LightMode, Mode, State,
    fixed::{ToLt, V3, V4},
    mode::Sources,
};

/// Rows of LTCTX.
mod row {
    /// Per light: ambient, diffuse, specular, half vector or attenuation,
    /// direction, then the back colours.
    pub const LIGHT: usize = 8;
    pub const HALF_OR_ATTENUATION: usize = 3;
    pub const DIRECTION: usize = 4;
    pub const BACK: usize = 5;
    pub const EYE_DIRECTION: usize = 0x40;
    pub const SCENE_AMBIENT: usize = 0x41;
    pub const EMISSION: usize = 0x43;
    pub const ZERO: usize = 0x46;
    pub const POINT_012: usize = 0x47;
    pub const POINT_345: usize = 0x48;
}

/// Scalars of LTC0-3 as (bank, index); the back ones follow the front ones.
mod scalar {
    pub const RANGE_SCALE: (usize, usize) = (0, 0);
    pub const SHININESS_3: (usize, usize) = (0, 2);
    pub const SHININESS_0: (usize, usize) = (1, 1);
    pub const POINT_6: (usize, usize) = (1, 3);
    pub const LOCAL_RANGE: (usize, usize) = (1, 4);
    pub const SPOT_0: (usize, usize) = (1, 0xc);
    pub const SHININESS_1: (usize, usize) = (2, 1);
    pub const SHININESS_4: (usize, usize) = (2, 3);
    pub const SHININESS_5: (usize, usize) = (2, 5);
    pub const SPOT_1: (usize, usize) = (2, 7);
    pub const POINT_7: (usize, usize) = (3, 1);
    pub const SHININESS_2: (usize, usize) = (3, 2);
    pub const SPOT_2: (usize, usize) = (3, 4);
    pub const ALPHA: (usize, usize) = (3, 0xc);
}

#[inline(always)]
fn dot<const N: usize>(x: &V3<N>, y: &V3<N>) -> Lanes<N> {
    dp3([&x[0], &x[1], &x[2]], [&y[0], &y[1], &y[2]])
}

#[inline(always)]
fn splat3<const N: usize>(v: &[u32; 3]) -> V3<N> {
    rows!(3, |i| [v[i]; N])
}

#[inline(always)]
fn mul3<const N: usize>(x: &V3<N>, y: &V3<N>) -> V3<N> {
    rows!(3, |i| mul(&x[i], &y[i]))
}

#[inline(always)]
fn add3<const N: usize>(x: &V3<N>, y: &V3<N>) -> V3<N> {
    rows!(3, |i| add(&x[i], &y[i]))
}

#[inline(always)]
fn scale<const N: usize>(s: &Lanes<N>, v: &[u32; 3]) -> V3<N> {
    rows!(3, |i| mul(s, &[v[i]; N]))
}

/// 0 in the lanes where `off` is set.
#[inline(always)]
fn mask<const N: usize>(x: &Lanes<N>, off: &[bool; N]) -> Lanes<N> {
    let mut r = *x;
    for i in 0..N {
        if off[i] {
            r[i] = 0;
        }
    }
    r
}

#[inline(always)]
fn or_negative<const N: usize>(off: &[bool; N], x: &Lanes<N>) -> [bool; N] {
    let mut r = *off;
    for i in 0..N {
        r[i] |= x[i] & SIGN != 0;
    }
    r
}

/// (x + k0) / (x k1 + k2): the power curve that shininess and spot exponent use.
#[inline(always)]
fn curve<const N: usize>(x: &Lanes<N>, k: [u32; 3]) -> (Lanes<N>, Lanes<N>) {
    let t = sadd(x, &[k[0]; N]);
    let b = sadd(&smul(x, &[k[1]; N]), &[k[2]; N]);
    let r = smul(&t, &rcp(&b));
    (t, r)
}

/// Point size from the distance to the eye.
#[inline(always)]
pub(crate) fn point_size<const N: usize>(state: &State, distance: &V3<N>) -> Lanes<N> {
    let c = |(bank, i): (usize, usize)| [state.ltc[bank][i]; N];
    let d = dot(&splat3(&state.ltctx[row::POINT_012]), distance);
    let d = clamp01(&sadd(&rsqrt(&d), &c(scalar::POINT_6)));
    let d = mul(&d, &[state.ltctx[row::POINT_345][0]; N]);
    let min = sadd(&[state.ltctx[row::ZERO][0]; N], &c(scalar::POINT_7));
    add(&d, &min)
}

/// All colours of a lit vertex: front and back, primary and secondary.
#[inline(always)]
pub(crate) fn light<const N: usize>(
    mode: &Mode,
    state: &State,
    v: &ToLt<N>,
    vertex: &[V4<N>; 4],
) -> [V4<N>; 4] {
    let front = side(mode, state, v, vertex, 0);
    let back = if mode.two_side {
        side(mode, state, v, vertex, 1)
    } else {
        [vertex[2], vertex[3]]
    };
    [front[0], front[1], back[0], back[1]]
}

/// One side: 0 front, 1 back.
#[inline(always)]
fn side<const N: usize>(
    mode: &Mode,
    state: &State,
    v: &ToLt<N>,
    vertex: &[V4<N>; 4],
    side: usize,
) -> [V4<N>; 2] {
    let Sources {
        emission,
        ambient,
        diffuse,
        specular,
    } = if side == 0 { mode.front } else { mode.back };
    // Sources name the colours of the same side.
    let source = |n: u8| match n {
        1 => Some(&v.color[2 * side]),
        2 => Some(&v.color[2 * side + 1]),
        _ => None,
    };
    let normal = if side == 0 {
        v.normal
    } else {
        rows!(3, |i| neg(v.normal[i]))
    };
    let scene = splat3::<N>(&state.ltctx[row::SCENE_AMBIENT + side]);
    let factor = splat3::<N>(&state.ltctx[row::EMISSION + side]);
    // MATERIAL_FACTOR scales whichever colour the vertex gives; if it gives both,
    // emission takes the scene's place.
    let mut primary = match (source(ambient), source(emission)) {
        (Some(a), Some(e)) => add3(e, &mul3(a, &factor)),
        (Some(c), None) | (None, Some(c)) => add3(&scene, &mul3(c, &factor)),
        (None, None) => scene,
    };
    let mut secondary = splat3::<N>(&state.ltctx[row::ZERO]);
    let eye = if mode.local_viewer {
        v.eye
    } else {
        splat3(&state.ltctx[row::EYE_DIRECTION])
    };
    for i in 0..8 {
        if mode.lights[i] == LightMode::Off {
            continue;
        }
        let rows = &state.ltctx[row::LIGHT * i..row::LIGHT * i + 8];
        let colors = if side == 0 {
            &rows[0..3]
        } else {
            &rows[row::BACK..row::BACK + 3]
        };
        let k = factors(mode, state, v, i, side, &normal, &eye);
        let tint = |c: V3<N>, s: u8| match source(s) {
            Some(t) => mul3(&c, t),
            None => c,
        };
        primary = add3(&primary, &tint(scale(&k.ambient, &colors[0]), ambient));
        primary = add3(&primary, &tint(scale(&k.diffuse, &colors[1]), diffuse));
        let s = tint(scale(&k.specular, &colors[2]), specular);
        if mode.separate_specular {
            secondary = add3(&secondary, &s);
        } else {
            primary = add3(&primary, &s);
        }
    }
    let alpha = match diffuse {
        1 => vertex[2 * side][3],
        2 => vertex[2 * side + 1][3],
        _ => {
            let (bank, i) = scalar::ALPHA;
            [state.ltc[bank][i + side]; N]
        }
    };
    let own = &vertex[2 * side + 1];
    if !mode.separate_specular {
        secondary = [own[0], own[1], own[2]];
    }
    [
        [primary[0], primary[1], primary[2], alpha],
        [secondary[0], secondary[1], secondary[2], own[3]],
    ]
}

struct Factors<const N: usize> {
    ambient: Lanes<N>,
    diffuse: Lanes<N>,
    specular: Lanes<N>,
}

/// How much of light `i` reaches the vertex.
#[inline(always)]
fn factors<const N: usize>(
    mode: &Mode,
    state: &State,
    v: &ToLt<N>,
    i: usize,
    side: usize,
    normal: &V3<N>,
    eye: &V3<N>,
) -> Factors<N> {
    let c = |(bank, n): (usize, usize), by: usize| state.ltc[bank][n + by];
    let rows = &state.ltctx[row::LIGHT * i..];
    let infinite = mode.lights[i] == LightMode::Infinite;
    let mut off = [false; N];
    let (to_light, ambient) = if infinite {
        (splat3(&rows[row::DIRECTION]), [ONE; N])
    } else {
        let d = &v.light_distance[i];
        let mut att = dot(d, &splat3(&rows[row::HALF_OR_ATTENUATION]));
        if !mode.attenuate_direct {
            att = rcp(&att);
        }
        let reach = smul(&d[1], &[c(scalar::RANGE_SCALE, 0); N]);
        let reach = sadd(&reach, &[c(scalar::LOCAL_RANGE, i); N]);
        off = or_negative(&off, &reach);
        if mode.lights[i] == LightMode::Spot {
            let x = &v.spot[i];
            off = or_negative(&off, x);
            let k = [
                c(scalar::SPOT_0, i),
                c(scalar::SPOT_1, i),
                c(scalar::SPOT_2, i),
            ];
            let (t, s) = curve(&clamp01(x), k);
            off = or_negative(&off, &t);
            att = mul(&att, &s);
        }
        (v.light[i], mask(&att, &off))
    };

    let d = dot(normal, &to_light);
    let off = or_negative(&off, &d);
    let diffuse = mul(&ambient, &mask(&d, &off));

    let (s, off) = if infinite && !mode.local_viewer {
        let x = dot(normal, &splat3(&rows[row::HALF_OR_ATTENUATION]));
        let k = [
            scalar::SHININESS_0,
            scalar::SHININESS_1,
            scalar::SHININESS_2,
        ]
        .map(|k| c(k, side));
        let (t, s) = curve(&x, k);
        (s, or_negative(&off, &t))
    } else {
        // The half vector is left unscaled: its square goes into both terms.
        let half = add3(eye, &to_light);
        let hh = dot(&half, &half);
        let x = dot(normal, &half);
        let xx = smul(&x, &x);
        let t = sadd(&xx, &smul(&hh, &[c(scalar::SHININESS_3, side); N]));
        let b = sadd(&smul(&xx, &[c(scalar::SHININESS_4, side); N]), &[0; N]);
        let b = sadd(&b, &smul(&hh, &[c(scalar::SHININESS_5, side); N]));
        let off = or_negative(&or_negative(&off, &x), &t);
        (smul(&t, &a::rcp(&b)), off)
    };
    let specular = mul(&ambient, &mask(&s, &off));
    Factors {
        ambient,
        diffuse,
        specular,
    }
}
