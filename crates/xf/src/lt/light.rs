//! Kelvin's lighting and point sizes.
//!
//! The formulas are Celsius' (see `celsius.rs`), with Kelvin's constant layout,
//! spot lights, back faces and material sources.

use super::arith::{add, clamp01, mad, mul, rcp, rsqrt, sadd, smad, smul};
use super::constants::Constants;
use super::vector::{dot, mask, mul3, negative, splat3, vadd};
use crate::xf::arith::{Lanes, ONE, neg, rows};
use crate::xf::{
    LightMode, Mode, State,
    fixed::{ToLt, V3, V4},
    mode::Sources,
    observe::Watch,
};

/// `to` + s × color, or `to` + (s × color) × `tint` where the material's colour
/// comes from the vertex.
#[inline(always)]
fn shine<const N: usize>(
    to: &V3<N>,
    s: &Lanes<N>,
    color: &[u32; 3],
    tint: Option<&V3<N>>,
) -> V3<N> {
    match tint {
        Some(t) => rows!(3, |i| mad(&mul(s, &[color[i]; N]), &t[i], &to[i])),
        None => rows!(3, |i| mad(s, &[color[i]; N], &to[i])),
    }
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
        (Some(a), Some(e)) => vadd(e, &mul3(a, &factor)),
        (Some(x), None) | (None, Some(x)) => vadd(&scene, &mul3(x, &factor)),
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
        let color = |k| c.color(i, side, k);
        primary = shine(&primary, &k.ambient, &color(0), source(ambient));
        primary = shine(&primary, &k.diffuse, &color(1), source(diffuse));
        let to = if mode.separate_specular && mode.specular_enable {
            &mut secondary
        } else {
            &mut primary
        };
        *to = shine(to, &k.specular, &color(2), source(specular));
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
        let reach = smad(&d[1], &[c.range_scale(); N], &[c.range(i); N]);
        negative(&mut off, &reach);
        if mode.lights[i] == LightMode::Spot {
            negative(&mut off, &v.spot[i]);
            let (x, k) = (clamp01(&v.spot[i]), c.spot(i));
            let t = sadd(&x, &[k[0]; N]);
            negative(&mut off, &t);
            // Here it is the constant that loses bits, below it is the dot product.
            let b = smad(&[k[1]; N], &x, &[k[2]; N]);
            att = smul(&mul(&att, &t), &rcp(&b));
        }
        (v.light[i], mask(&att, &off))
    };

    let d = dot(normal, &to_light);
    negative(&mut off, &d);
    let diffuse = mul(&ambient, &mask(&d, &off));

    // (x + k0) / (x k1 + k2), as numerator and denominator.
    let (t, b) = if infinite && !mode.local_viewer {
        let k = c.shininess(side);
        let x = dot(normal, &splat3(&c.half(i)));
        let t = sadd(&x, &[k[0]; N]);
        let b = smad(&x, &[k[1]; N], &[k[2]; N]);
        (t, b)
    } else {
        // The half vector is left unscaled: its square goes into both terms.
        let k = c.shininess_square(side);
        let half = vadd(eye, &to_light);
        let hh = dot(&half, &half);
        let x = dot(normal, &half);
        let xx = smul(&x, &x);
        let t = smad(&hh, &[k[0]; N], &xx);
        let b = smad(&hh, &[k[2]; N], &smul(&xx, &[k[1]; N]));
        negative(&mut off, &x);
        (t, b)
    };
    negative(&mut off, &t);
    // The attenuation comes before the division.
    let specular = mask(&smul(&mul(&t, &ambient), &rcp(&b)), &off);
    Factors {
        ambient,
        diffuse,
        specular,
    }
}
