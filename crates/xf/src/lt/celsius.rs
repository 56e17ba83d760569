//! Celsius' lighting, fog and point sizes.

use super::arith::{add, add3, clamp01, mul, rcp, rsqrt, sadd, smul};
use super::light::LocalLight;
use super::vector::{dot, mask, mul3, negative, splat3, vadd};
use crate::xf::arith::{Lanes, ONE, rows};
use crate::xf::lanes::V3;
use crate::xf::mode::CelsiusMode;
use crate::xf::{LANES, LightMode, State};
use isotherm_lanes::{Level, dispatch};

type L = Lanes<LANES>;
type Vec3 = V3<LANES>;

/// What XF hands over, 22 bits wide.
pub(crate) struct CelsiusIn {
    pub fog: Vec3,
    pub normal: Vec3,
    pub eye: Vec3,
    pub eye_distance: Vec3,
    pub lights: [LocalLight<LANES>; 8],
    pub col0: Vec3,
    pub col1: Vec3,
}

impl Default for CelsiusIn {
    fn default() -> CelsiusIn {
        let none = [[0; LANES]; 3];
        CelsiusIn {
            fog: none,
            normal: none,
            eye: none,
            eye_distance: none,
            lights: [LocalLight::NONE; 8],
            col0: none,
            col1: none,
        }
    }
}

/// What LT computes.
#[derive(Default)]
pub(crate) struct CelsiusOut {
    pub fog: L,
    pub point_size: L,
    pub col0: Vec3,
    pub col1: Vec3,
}

dispatch! {
    /// Bypass: fog = scale × coordinate + the sum of one of two rows.
    pub(crate) fn bypass(state: &State, vertex_fog: bool, coordinate: &L, fog: &mut L)
        = bypass_lanes;
}

#[inline(always)]
fn bypass_lanes(state: &State, vertex_fog: bool, coordinate: &L, fog: &mut L) {
    let row = &state.ltctx[if vertex_fog { 0x28 } else { 0x29 }];
    let bias = add3([&[row[0]; LANES], &[row[1]; LANES], &[row[2]; LANES]]);
    *fog = add(&mul(&[state.ltctx[0x2b][0]; LANES], coordinate), &bias);
}

/// Full transform and lighting.
pub(crate) fn full(level: Level, state: &State, mode: &CelsiusMode, v: &CelsiusIn) -> CelsiusOut {
    let mut out = CelsiusOut::default();
    unlit(level, state, mode, v, &mut out);
    if mode.lighting {
        for i in 0..8 {
            if mode.lights[i] != LightMode::Off {
                let mut factors = [[0; LANES]; 3];
                reach(level, state, mode, v, i, &mut factors);
                shine(level, state, mode, v, i, &factors, &mut out);
            }
        }
    }
    out
}

dispatch! {
    /// Fog, point sizes, and the colours that there are without any light.
    fn unlit(state: &State, mode: &CelsiusMode, v: &CelsiusIn, out: &mut CelsiusOut)
        = unlit_lanes;
}

#[inline(always)]
fn unlit_lanes(state: &State, mode: &CelsiusMode, v: &CelsiusIn, out: &mut CelsiusOut) {
    let (ctx, ltc) = (&state.ltctx, &state.ltc);
    out.fog = dot(&splat3(&ctx[0x2b]), &v.fog);

    let d = rsqrt(&dot(&splat3(&ctx[0x2d]), &v.eye_distance));
    let d = clamp01(&sadd(&d, &[ltc[1][2]; LANES]));
    let base = sadd(&[ctx[0x2c][0]; LANES], &[ltc[3][1]; LANES]);
    out.point_size = add(&mul(&d, &[ctx[0x2e][0]; LANES]), &base);

    let pass_secondary = !mode.lighting && mode.specular_out && mode.specular_in;
    out.col1 = if pass_secondary {
        v.col1
    } else {
        splat3(&ctx[0x2c])
    };
    let [emission, ambient, ..] = mode.track;
    let scene = splat3(&ctx[0x29]);
    out.col0 = if !mode.lighting {
        v.col0
    } else if ambient {
        vadd(&mul3(&v.col0, &scene), &splat3(&ctx[0x2a]))
    } else if emission {
        vadd(&scene, &v.col0)
    } else {
        scene
    };
}

dispatch! {
    /// Adds light `i`, given its ambient, diffuse and specular factors.
    fn shine(
        state: &State,
        mode: &CelsiusMode,
        v: &CelsiusIn,
        i: usize,
        factors: &[L; 3],
        out: &mut CelsiusOut,
    ) = shine_lanes;
}

#[inline(always)]
fn shine_lanes(
    state: &State,
    mode: &CelsiusMode,
    v: &CelsiusIn,
    i: usize,
    factors: &[L; 3],
    out: &mut CelsiusOut,
) {
    let [_, ambient, diffuse, specular] = mode.track;
    let secondary = if mode.specular_in { &v.col1 } else { &v.col0 };
    let parts = [
        (ambient, &v.col0, false),
        (diffuse, &v.col0, false),
        (specular, secondary, mode.specular_out),
    ];
    for (k, (tracked, tint, to_secondary)) in parts.into_iter().enumerate() {
        let color = &state.ltctx[5 * i + k];
        let mut light: Vec3 = rows!(3, |c| mul(&factors[k], &[color[c]; LANES]));
        if tracked {
            light = mul3(&light, tint);
        }
        let to = if to_secondary {
            &mut out.col1
        } else {
            &mut out.col0
        };
        *to = vadd(to, &light);
    }
}

dispatch! {
    /// Ambient, diffuse and specular factors of light `i`.
    fn reach(
        state: &State,
        mode: &CelsiusMode,
        v: &CelsiusIn,
        i: usize,
        factors: &mut [L; 3],
    ) = reach_lanes;
}

#[inline(always)]
fn reach_lanes(state: &State, mode: &CelsiusMode, v: &CelsiusIn, i: usize, factors: &mut [L; 3]) {
    let rows = &state.ltctx[5 * i..5 * i + 5];
    let ltc = &state.ltc;
    let infinite = mode.lights[i] == LightMode::Infinite;
    let mut off = [0; LANES];
    let (to_light, ambient) = if infinite {
        (splat3(&rows[4]), [ONE; LANES])
    } else {
        let light = &v.lights[i];
        let attenuation = attenuation(state, mode, i, light, &mut off);
        (light.to_light, mask(&attenuation, &off))
    };
    let diffuse = dot(&v.normal, &to_light);
    negative(&mut off, &diffuse);
    let diffuse = mul(&ambient, &mask(&diffuse, &off));

    // (x + k0) / (x k1 + k2), as numerator and denominator.
    let (t, b) = if !mode.local_viewer && infinite {
        let s = dot(&v.normal, &splat3(&rows[3]));
        let t = sadd(&s, &[ltc[1][1]; LANES]);
        let b = sadd(&smul(&s, &[ltc[2][1]; LANES]), &[ltc[3][2]; LANES]);
        (t, b)
    } else {
        let eye = match mode.local_viewer {
            true => v.eye,
            false => splat3(&state.ltctx[0x28]),
        };
        let half = vadd(&eye, &to_light);
        let hh = dot(&half, &half);
        let s = dot(&v.normal, &half);
        negative(&mut off, &s);
        let ss = smul(&s, &s);
        let t = sadd(&ss, &smul(&hh, &[ltc[0][2]; LANES]));
        let b = sadd(&smul(&ss, &[ltc[2][2]; LANES]), &[0; LANES]);
        (t, sadd(&b, &smul(&hh, &[ltc[2][3]; LANES])))
    };
    negative(&mut off, &t);
    let specular = mask(&smul(&t, &rcp(&b)), &off);
    *factors = [ambient, diffuse, mul(&ambient, &specular)];
}

/// By distance and in a spot's cone; `off` where the light does not reach.
#[inline(always)]
fn attenuation(
    state: &State,
    mode: &CelsiusMode,
    i: usize,
    light: &LocalLight<LANES>,
    off: &mut L,
) -> L {
    let ltc = &state.ltc;
    let mut attenuation = dot(&light.distance, &splat3(&state.ltctx[5 * i + 3]));
    if !mode.attenuate_direct {
        attenuation = rcp(&attenuation);
    }
    let scaled = smul(&light.distance[1], &[ltc[0][1]; LANES]);
    negative(off, &sadd(&scaled, &[ltc[1][3 + i]; LANES]));
    if mode.lights[i] != LightMode::Spot {
        return attenuation;
    }
    // Kelvin's rule; nothing shows Celsius' own.
    negative(off, &light.spot);
    let x = clamp01(&light.spot);
    let t = sadd(&x, &[ltc[1][0xb + i]; LANES]);
    let b = sadd(&smul(&x, &[ltc[2][4 + i]; LANES]), &[ltc[3][3 + i]; LANES]);
    negative(off, &t);
    mul(&attenuation, &smul(&t, &rcp(&b)))
}
