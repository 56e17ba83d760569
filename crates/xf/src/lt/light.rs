//! Kelvin's lighting and point sizes.
//!
//! The formulas are Celsius' (see `celsius.rs`), with Kelvin's constant layout,
//! spot lights, back faces and material sources.

use super::arith::{self as a, add, clamp01, dp3, mul, rcp, rsqrt, sadd, smul};
use super::constants::Constants;
use crate::xf::arith::{Lanes, ONE, SIGN, neg, rows};
use crate::xf::{
    LightMode, Mode, State,
    fixed::{ToLt, V3, V4},
    mode::Sources,
    observe::Watch,
};

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
pub(crate) fn point_size<const N: usize>(mode: &Mode, state: &State, distance: &V3<N>) -> Lanes<N> {
    let c = Constants::new(mode, state);
    let (polynomial, range, bias, minimum) = c.point();
    let d = dot(&splat3(&polynomial), distance);
    let d = clamp01(&sadd(&rsqrt(&d), &[bias; N]));
    let base = sadd(&[c.zero()[0]; N], &[minimum; N]);
    add(&mul(&d, &[range; N]), &base)
}

/// All colours of a lit vertex: front and back, primary and secondary.
#[inline(always)]
pub(crate) fn light<const N: usize>(
    mode: &Mode,
    state: &State,
    v: &ToLt<N>,
    vertex: &[V4<N>; 4],
    watch: &mut impl Watch<N>,
) -> [V4<N>; 4] {
    let front = side(mode, state, v, vertex, 0, watch);
    let back = if mode.two_side {
        side(mode, state, v, vertex, 1, watch)
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
    watch: &mut impl Watch<N>,
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
    let c = Constants::new(mode, state);
    let scene = splat3::<N>(&c.scene(side));
    let factor = splat3::<N>(&c.factor(side));
    // MATERIAL_FACTOR scales whichever colour the vertex gives; if it gives both,
    // emission takes the scene's place.
    let mut primary = match (source(ambient), source(emission)) {
        (Some(a), Some(e)) => add3(e, &mul3(a, &factor)),
        (Some(x), None) | (None, Some(x)) => add3(&scene, &mul3(x, &factor)),
        (None, None) => scene,
    };
    let mut secondary = splat3::<N>(&c.zero());
    let eye = if mode.local_viewer {
        v.eye
    } else {
        splat3(&c.eye_direction())
    };
    for i in 0..8 {
        if mode.lights[i] == LightMode::Off {
            continue;
        }
        let k = factors(mode, state, v, i, side, &normal, &eye);
        let [ambient_name, diffuse_name, specular_name] = FACTOR_NAMES[side];
        watch.see(ambient_name, Some(i), &[k.ambient]);
        watch.see(diffuse_name, Some(i), &[k.diffuse]);
        watch.see(specular_name, Some(i), &[k.specular]);
        let tint = |c: V3<N>, s: u8| match source(s) {
            Some(t) => mul3(&c, t),
            None => c,
        };
        primary = add3(
            &primary,
            &tint(scale(&k.ambient, &c.color(i, side, 0)), ambient),
        );
        primary = add3(
            &primary,
            &tint(scale(&k.diffuse, &c.color(i, side, 1)), diffuse),
        );
        let s = tint(scale(&k.specular, &c.color(i, side, 2)), specular);
        if mode.separate_specular && mode.specular_enable {
            secondary = add3(&secondary, &s);
        } else {
            primary = add3(&primary, &s);
        }
    }
    let alpha = match diffuse {
        1 => vertex[2 * side][3],
        2 => vertex[2 * side + 1][3],
        _ => [c.alpha(side); N],
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

/// By side; the first is the attenuation.
const FACTOR_NAMES: [[&str; 3]; 2] = [
    ["attenuation", "diffuse factor", "specular factor"],
    [
        "back attenuation",
        "back diffuse factor",
        "back specular factor",
    ],
];

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
    let c = Constants::new(mode, state);
    let infinite = mode.lights[i] == LightMode::Infinite;
    let mut off = [false; N];
    let (to_light, ambient) = if infinite {
        (splat3(&c.direction(i)), [ONE; N])
    } else {
        let d = &v.light_distance[i];
        let mut att = dot(d, &splat3(&c.half(i)));
        if !mode.attenuate_direct {
            att = rcp(&att);
        }
        let reach = smul(&d[1], &[c.range_scale(); N]);
        let reach = sadd(&reach, &[c.range(i); N]);
        off = or_negative(&off, &reach);
        if mode.lights[i] == LightMode::Spot {
            let x = &v.spot[i];
            off = or_negative(&off, x);
            let (t, s) = curve(&clamp01(x), c.spot(i));
            off = or_negative(&off, &t);
            att = mul(&att, &s);
        }
        (v.light[i], mask(&att, &off))
    };

    let d = dot(normal, &to_light);
    let off = or_negative(&off, &d);
    let diffuse = mul(&ambient, &mask(&d, &off));

    let (s, off) = if infinite && !mode.local_viewer {
        let x = dot(normal, &splat3(&c.half(i)));
        let (t, s) = curve(&x, c.shininess(side));
        (s, or_negative(&off, &t))
    } else {
        // The half vector is left unscaled: its square goes into both terms.
        let k = c.shininess_square(side);
        let half = add3(eye, &to_light);
        let hh = dot(&half, &half);
        let x = dot(normal, &half);
        let xx = smul(&x, &x);
        let t = sadd(&xx, &smul(&hh, &[k[0]; N]));
        let b = sadd(&smul(&xx, &[k[1]; N]), &[0; N]);
        let b = sadd(&b, &smul(&hh, &[k[2]; N]));
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
