//! Kelvin's lighting and point sizes.
//!
//! The formulas are Celsius' (see `celsius.rs`), with Kelvin's constant layout,
//! spot lights, back faces and material sources.

use super::LANES;
use super::arith::{add, clamp01, mad, mul, rcp, rsqrt, sadd, smad, smul};
use super::constants::Constants;
use super::vector::{dot, mask, mul3, negative, splat3, vadd};
use crate::xf::arith::{Lanes, ONE, neg, rows};
use crate::xf::lanes::{V3, V4};
use crate::xf::mode::Sources;
use crate::xf::{LightMode, Mode, State};
use isotherm_lanes::{Level, dispatch};

type L = Lanes<LANES>;
type Vec3 = V3<LANES>;
type Vec4 = V4<LANES>;

/// What XF hands to LT, already 22 bits wide.
#[derive(Clone, Copy)]
pub(crate) struct ToLt {
    /// Eye-space normal.
    pub normal: Vec3,
    /// Unit vector to the eye.
    pub eye: Vec3,
    /// (1, d, d²) of the distance to the eye.
    pub eye_distance: Vec3,
    /// The lights that have a position.
    pub lights: [LocalLight<LANES>; 8],
    /// The four vertex colours.
    pub color: [Vec3; 4],
}

impl ToLt {
    /// Nothing is known: neither normal nor distances.
    pub(crate) fn unknown() -> ToLt {
        let none = [[0; LANES]; 3];
        let mut light = LocalLight::NONE;
        light.distance[0] = [ONE; LANES];
        ToLt {
            normal: none,
            eye: none,
            eye_distance: none,
            lights: [light; 8],
            color: [none; 4],
        }
    }
}

/// A light that has a position, as seen from a vertex.
#[derive(Clone, Copy)]
pub(crate) struct LocalLight<const N: usize> {
    /// Unit vector to the light.
    pub to_light: V3<N>,
    /// (1, d, d²) of the distance.
    pub distance: V3<N>,
    /// Where in a spot light's cone the vertex lies.
    pub spot: Lanes<N>,
}

impl<const N: usize> LocalLight<N> {
    /// Nothing is known.
    pub(crate) const NONE: LocalLight<N> = LocalLight {
        to_light: [[0; N]; 3],
        distance: [[0; N]; 3],
        spot: [0; N],
    };
}

/// How much of a light reaches a vertex.
#[derive(Clone, Copy, Default)]
pub(crate) struct Factors {
    /// The attenuation.
    pub ambient: L,
    pub diffuse: L,
    pub specular: L,
}

/// The colours of one side while lights are added to them.
#[derive(Clone, Copy, Default)]
struct Sum {
    primary: Vec3,
    secondary: Vec3,
}

/// One side of the vertices: its constants and where its colours come from.
#[derive(Clone, Copy)]
struct Side<'a> {
    /// 0 front, 1 back.
    number: usize,
    mode: &'a Mode,
    constants: Constants<'a>,
    sources: Sources,
    to: &'a ToLt,
}

impl<'a> Side<'a> {
    fn new(number: usize, mode: &'a Mode, state: &'a State, to: &'a ToLt) -> Side<'a> {
        Side {
            number,
            mode,
            constants: Constants::new(mode, state),
            sources: if number == 0 { mode.front } else { mode.back },
            to,
        }
    }

    /// The vertex colour that a material source names; those of the same side.
    #[inline(always)]
    fn source(&self, source: u8) -> Option<&'a Vec3> {
        match source {
            1 => Some(&self.to.color[2 * self.number]),
            2 => Some(&self.to.color[2 * self.number + 1]),
            _ => None,
        }
    }
}

/// All colours of lit vertices: front and back, primary and secondary, which `lit` gets.
/// `seen` gets the factors of both sides' lights.
pub(crate) fn light(
    level: Level,
    mode: &Mode,
    state: &State,
    to: &ToLt,
    vertex: &[Vec4; 4],
    seen: &mut [[Factors; 8]; 2],
    lit: &mut [Vec4; 4],
) {
    for (number, lit) in lit.as_chunks_mut().0.iter_mut().enumerate() {
        let side = Side::new(number, mode, state, to);
        if number == 1 && !mode.two_side {
            colors(level, &side, None, vertex, lit);
            continue;
        }
        let mut sum = Sum::default();
        unlit(level, &side, &mut sum);
        for (i, factors) in seen[number].iter_mut().enumerate() {
            if mode.lights[i] != LightMode::Off {
                reach(level, &side, i, factors);
                shine(level, &side, i, factors, &mut sum);
            }
        }
        colors(level, &side, Some(&sum), vertex, lit);
    }
}

dispatch! {
    /// What there is without any light.
    fn unlit(side: &Side, sum: &mut Sum) = unlit_lanes;
}

#[inline(always)]
fn unlit_lanes(side: &Side, sum: &mut Sum) {
    let c = &side.constants;
    let scene = splat3(&c.scene(side.number));
    let factor = splat3(&c.factor(side.number));
    let ambient = side.source(side.sources.ambient);
    let emission = side.source(side.sources.emission);
    // MATERIAL_FACTOR scales whichever colour the vertex gives; if it gives both,
    // emission takes the scene's place.
    let (start, scaled) = match (ambient, emission) {
        (Some(a), Some(e)) => (e, Some(a)),
        (a, e) => (&scene, a.or(e)),
    };
    sum.primary = match scaled {
        Some(color) => vadd(start, &mul3(color, &factor)),
        None => *start,
    };
    sum.secondary = splat3(&c.zero());
}

dispatch! {
    /// The colours of a side as they leave LT: the vertex's, or the lights' sum, whose alpha and,
    /// without separate specular light, secondary colour are the vertex's.
    fn colors(side: &Side, sum: Option<&Sum>, vertex: &[Vec4; 4], lit: &mut [Vec4; 2])
        = colors_lanes;
}

#[inline(always)]
fn colors_lanes(side: &Side, sum: Option<&Sum>, vertex: &[Vec4; 4], lit: &mut [Vec4; 2]) {
    let [own, secondary] = [&vertex[2 * side.number], &vertex[2 * side.number + 1]];
    *lit = [*own, *secondary];
    let Some(sum) = sum else {
        return;
    };
    lit[0][..3].copy_from_slice(&sum.primary);
    match side.sources.diffuse {
        1 => {}
        2 => lit[0][3] = secondary[3],
        _ => lit[0][3] = [side.constants.alpha(side.number); LANES],
    }
    if side.mode.separate_specular {
        lit[1][..3].copy_from_slice(&sum.secondary);
    }
}

dispatch! {
    /// Adds light `i` to the colours.
    fn shine(side: &Side, i: usize, factors: &Factors, sum: &mut Sum) = shine_lanes;
}

#[inline(always)]
fn shine_lanes(side: &Side, i: usize, factors: &Factors, sum: &mut Sum) {
    let Sources {
        ambient,
        diffuse,
        specular,
        ..
    } = side.sources;
    let own_sum = side.mode.separate_specular && side.mode.specular_enable;
    let parts = [
        (&factors.ambient, ambient, false),
        (&factors.diffuse, diffuse, false),
        (&factors.specular, specular, own_sum),
    ];
    for (k, (factor, source, own_sum)) in parts.into_iter().enumerate() {
        let color = side.constants.color(i, side.number, k);
        let to = if own_sum {
            &mut sum.secondary
        } else {
            &mut sum.primary
        };
        // Sum + s × color, or sum + (s × color) × tint where the material's colour comes
        // from the vertex.
        match side.source(source) {
            Some(tint) => {
                for c in 0..3 {
                    to[c] = mad(&mul(factor, &[color[c]; LANES]), &tint[c], &to[c]);
                }
            }
            None => {
                for c in 0..3 {
                    to[c] = mad(factor, &[color[c]; LANES], &to[c]);
                }
            }
        }
    }
}

dispatch! {
    /// How much of light `i` reaches the vertices.
    fn reach(side: &Side, i: usize, factors: &mut Factors) = reach_lanes;
}

#[inline(always)]
fn reach_lanes(side: &Side, i: usize, factors: &mut Factors) {
    let (mode, c) = (side.mode, &side.constants);
    let infinite = mode.lights[i] == LightMode::Infinite;
    let mut off = [0; LANES];
    let (to_light, ambient) = if infinite {
        (splat3(&c.direction(i)), [ONE; LANES])
    } else {
        let light = &side.to.lights[i];
        let attenuation = attenuation(mode, c, i, light, &mut off);
        (light.to_light, mask(&attenuation, &off))
    };
    let normal = match side.number {
        0 => side.to.normal,
        _ => rows!(3, |i| neg(side.to.normal[i])),
    };
    let d = dot(&normal, &to_light);
    negative(&mut off, &d);
    factors.diffuse = mul(&ambient, &mask(&d, &off));

    // (x + k0) / (x k1 + k2), as numerator and denominator.
    let (t, b) = if infinite && !mode.local_viewer {
        let k = c.shininess(side.number);
        let x = dot(&normal, &splat3(&c.half(i)));
        let t = sadd(&x, &[k[0]; LANES]);
        (t, smad(&x, &[k[1]; LANES], &[k[2]; LANES]))
    } else {
        let eye = match mode.local_viewer {
            true => side.to.eye,
            false => splat3(&c.eye_direction()),
        };
        // The half vector is left unscaled: its square goes into both terms.
        let k = c.shininess_square(side.number);
        let half = vadd(&eye, &to_light);
        let hh = dot(&half, &half);
        let x = dot(&normal, &half);
        let xx = smul(&x, &x);
        negative(&mut off, &x);
        let t = smad(&hh, &[k[0]; LANES], &xx);
        let xx_k = smul(&xx, &[k[1]; LANES]);
        (t, smad(&hh, &[k[2]; LANES], &xx_k))
    };
    negative(&mut off, &t);
    // The attenuation comes before the division.
    factors.specular = mask(&smul(&mul(&t, &ambient), &rcp(&b)), &off);
    factors.ambient = ambient;
}

/// By distance and in a spot's cone; `off` where the light does not reach.
#[inline(always)]
fn attenuation(mode: &Mode, c: &Constants, i: usize, light: &LocalLight<LANES>, off: &mut L) -> L {
    let mut attenuation = dot(&light.distance, &splat3(&c.half(i)));
    if !mode.attenuate_direct {
        attenuation = rcp(&attenuation);
    }
    let range = [c.range(i); LANES];
    negative(
        off,
        &smad(&light.distance[1], &[c.range_scale(); LANES], &range),
    );
    if mode.lights[i] != LightMode::Spot {
        return attenuation;
    }
    negative(off, &light.spot);
    let (x, k) = (clamp01(&light.spot), c.spot(i));
    let t = sadd(&x, &[k[0]; LANES]);
    negative(off, &t);
    // Here it is the constant that loses bits; of the shininess it is the dot product.
    let b = smad(&[k[1]; LANES], &x, &[k[2]; LANES]);
    smul(&mul(&attenuation, &t), &rcp(&b))
}

dispatch! {
    /// Point sizes from the distance to the eye.
    pub(crate) fn point_size(mode: &Mode, state: &State, distance: &Vec3, sizes: &mut L)
        = point_size_lanes;
}

#[inline(always)]
fn point_size_lanes(mode: &Mode, state: &State, distance: &Vec3, sizes: &mut L) {
    let c = Constants::new(mode, state);
    let (polynomial, range, bias, minimum) = c.point();
    let d = dot(&splat3(&polynomial), distance);
    let d = clamp01(&sadd(&rsqrt(&d), &[bias; LANES]));
    let base = sadd(&[c.zero()[0]; LANES], &[minimum; LANES]);
    *sizes = add(&mul(&d, &[range; LANES]), &base);
}
