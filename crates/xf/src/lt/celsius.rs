//! Celsius' lighting, fog and point sizes.

use super::arith::{add, add3, clamp01, mul, rcp, rsqrt, sadd, smul};
use super::vector::{dot, mask, mul3, negative, splat3, vadd};
use crate::xf::arith::{Lanes, ONE, rows};
use crate::xf::fixed::V3;
use crate::xf::mode::CelsiusMode;
use crate::xf::{LightMode, State};

/// What XF hands over, 22 bits wide.
pub(crate) struct CelsiusIn<const N: usize> {
    pub fog: V3<N>,
    pub normal: V3<N>,
    pub eye: V3<N>,
    pub eye_distance: V3<N>,
    pub light: [V3<N>; 8],
    pub light_distance: [V3<N>; 8],
    pub spot: [Lanes<N>; 8],
    pub col0: V3<N>,
    pub col1: V3<N>,
}

/// What LT computes.
pub(crate) struct CelsiusOut<const N: usize> {
    pub fog: Lanes<N>,
    pub point_size: Lanes<N>,
    pub col0: V3<N>,
    pub col1: V3<N>,
}

#[inline(always)]
fn scale<const N: usize>(s: &Lanes<N>, v: &[u32; 3]) -> V3<N> {
    rows!(3, |i| mul(s, &[v[i]; N]))
}

/// Bypass: fog = scale × coordinate + the sum of one of two rows.
#[inline(always)]
pub(crate) fn bypass<const N: usize>(state: &State, vertex_fog: bool, fog: &Lanes<N>) -> Lanes<N> {
    let row = &state.ltctx[if vertex_fog { 0x28 } else { 0x29 }];
    let bias = add3([&[row[0]; N], &[row[1]; N], &[row[2]; N]]);
    add(&mul(&[state.ltctx[0x2b][0]; N], fog), &bias)
}

/// Full transform and lighting.
#[inline(always)]
pub(crate) fn full<const N: usize>(
    state: &State,
    mode: &CelsiusMode,
    v: &CelsiusIn<N>,
) -> CelsiusOut<N> {
    let ctx = &state.ltctx;
    let ltc = &state.ltc;
    let fog = dot(&splat3(&ctx[0x2b]), &v.fog);

    let d = rsqrt(&dot(&splat3(&ctx[0x2d]), &v.eye_distance));
    let d = clamp01(&sadd(&d, &[ltc[1][2]; N]));
    let base = sadd(&[ctx[0x2c][0]; N], &[ltc[3][1]; N]);
    let point_size = add(&mul(&d, &[ctx[0x2e][0]; N]), &base);

    let zero = splat3::<N>(&ctx[0x2c]);
    let (mut col0, mut col1) = (v.col0, zero);
    if !mode.lighting {
        if mode.specular_out && mode.specular_in {
            col1 = v.col1;
        }
        return CelsiusOut {
            fog,
            point_size,
            col0,
            col1,
        };
    }
    let [emission, ambient, ..] = mode.track;
    let scene = splat3::<N>(&ctx[0x29]);
    col0 = if ambient {
        vadd(&mul3(&v.col0, &scene), &splat3(&ctx[0x2a]))
    } else if emission {
        vadd(&scene, &v.col0)
    } else {
        scene
    };
    let eye = if mode.local_viewer {
        v.eye
    } else {
        splat3(&ctx[0x28])
    };
    for i in 0..8 {
        if mode.lights[i] == LightMode::Off {
            continue;
        }
        let [ca, cd, cs] = factors(state, mode, v, i, &eye);
        let rows = &ctx[5 * i..5 * i + 5];
        let tint = |c: V3<N>, on: bool, by: &V3<N>| if on { mul3(&c, by) } else { c };
        col0 = vadd(&col0, &tint(scale(&ca, &rows[0]), ambient, &v.col0));
        col0 = vadd(&col0, &tint(scale(&cd, &rows[1]), mode.track[2], &v.col0));
        let by = if mode.specular_in { &v.col1 } else { &v.col0 };
        let s = tint(scale(&cs, &rows[2]), mode.track[3], by);
        if mode.specular_out {
            col1 = vadd(&col1, &s);
        } else {
            col0 = vadd(&col0, &s);
        }
    }
    CelsiusOut {
        fog,
        point_size,
        col0,
        col1,
    }
}

/// Ambient, diffuse and specular factors of light `i`.
#[inline(always)]
fn factors<const N: usize>(
    state: &State,
    mode: &CelsiusMode,
    v: &CelsiusIn<N>,
    i: usize,
    eye: &V3<N>,
) -> [Lanes<N>; 3] {
    let rows = &state.ltctx[5 * i..5 * i + 5];
    let ltc = &state.ltc;
    let infinite = mode.lights[i] == LightMode::Infinite;
    let mut off = [false; N];
    let (to_light, ca) = if infinite {
        (splat3(&rows[4]), [ONE; N])
    } else {
        let d = &v.light_distance[i];
        let mut att = dot(d, &splat3(&rows[3]));
        if !mode.attenuate_direct {
            att = rcp(&att);
        }
        let reach = sadd(&smul(&d[1], &[ltc[0][1]; N]), &[ltc[1][3 + i]; N]);
        negative(&mut off, &reach);
        if mode.lights[i] == LightMode::Spot {
            // Kelvin's rule; nothing shows Celsius' own.
            negative(&mut off, &v.spot[i]);
            let x = clamp01(&v.spot[i]);
            let t = sadd(&x, &[ltc[1][0xb + i]; N]);
            let b = sadd(&smul(&x, &[ltc[2][4 + i]; N]), &[ltc[3][3 + i]; N]);
            negative(&mut off, &t);
            att = mul(&att, &smul(&t, &rcp(&b)));
        }
        (v.light[i], mask(&att, &off))
    };
    let cd = dot(&v.normal, &to_light);
    negative(&mut off, &cd);
    let cd = mul(&ca, &mask(&cd, &off));

    let cs = if !mode.local_viewer && infinite {
        let s = dot(&v.normal, &splat3(&rows[3]));
        let t = sadd(&s, &[ltc[1][1]; N]);
        negative(&mut off, &t);
        let b = sadd(&smul(&s, &[ltc[2][1]; N]), &[ltc[3][2]; N]);
        smul(&t, &rcp(&b))
    } else {
        let half = vadd(eye, &to_light);
        let hh = dot(&half, &half);
        let s = dot(&v.normal, &half);
        negative(&mut off, &s);
        let ss = smul(&s, &s);
        let t = sadd(&ss, &smul(&hh, &[ltc[0][2]; N]));
        negative(&mut off, &t);
        let b = sadd(&smul(&ss, &[ltc[2][2]; N]), &[0; N]);
        let b = sadd(&b, &smul(&hh, &[ltc[2][3]; N]));
        smul(&t, &rcp(&b))
    };
    [ca, cd, mul(&ca, &mask(&cs, &off))]
}
