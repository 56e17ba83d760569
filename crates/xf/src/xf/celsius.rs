//! Celsius fixed function.
//!
//! From NV10 on the engine has one program, in two forms: bypass (scale and
//! offset) and full. Its constants (2, 1, ½) lie in XFCTX. The rasterizer gets
//! the sixteen words of an output vertex slot; `vertex` restates them for the
//! common pipeline.

use super::arith::{self, Celsius, Lanes, color_to_byte, map, neg, rows, splat};
use super::fixed::{V3, V4};
use super::mode::{CelsiusMode, LightMode, TexGen, TexMode};
use super::{State, VtxIn, VtxOut};
use crate::lt::arith::load;
use crate::lt::{CelsiusIn, celsius_bypass, celsius_full};
use isotherm_regs::Chip;
use isotherm_regs::xf::mode::CELSIUS_FOG_COORD;

/// Output positions and texture coordinates: magnitudes that the rasterizer
/// cannot take lose their fraction.
#[inline(always)]
pub fn squash(x: u32) -> u32 {
    if x >> 24 & 0x7f == 0x7f {
        x & 0xff00_0000
    } else {
        x
    }
}

/// Window x and y: cut to 1/16 pixel toward zero.
#[inline(always)]
pub fn squash_xy(x: u32) -> u32 {
    let e = x >> 23 & 0xff;
    if e <= 0x7a {
        0
    } else if e < 0x92 {
        x & !((1 << (0x92 - e)) - 1)
    } else {
        x
    }
}

/// Window z: with `clamp`, nothing below zero.
#[inline(always)]
pub fn squash_z(x: u32, clamp: bool) -> u32 {
    if clamp && x >> 31 != 0 { 0 } else { x }
}

/// Celsius' window coordinates run from -2048; pixel 0 is at their lower end
/// (nouveau subtracts 2048 from the viewport's translation on NV10 to NV18 only).
#[inline(always)]
fn centred(x: u32) -> u32 {
    (f32::from_bits(x) + 2048.0).to_bits()
}

/// Window 1/w: 16 significant bits, at most 2^64; with `clamp`, at least 2^-64.
#[inline(always)]
pub fn squash_w(x: u32, clamp: bool) -> u32 {
    let e = x >> 23 & 0xff;
    if clamp && (e < 0x3f || x >> 31 != 0) {
        return 0x1f80_0000;
    }
    let x = if e >= 0xbf {
        x & 0x8000_0000 | 0x5f80_0000
    } else {
        x
    };
    x & !0xff
}

#[inline(always)]
fn mul<const N: usize>(a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    arith::mul::<Celsius, N>(a, b)
}

#[inline(always)]
fn add<const N: usize>(a: &Lanes<N>, b: &Lanes<N>) -> Lanes<N> {
    arith::add::<Celsius, N>(a, b)
}

#[inline(always)]
fn dp3<const N: usize>(a: &V4<N>, b: &V4<N>) -> Lanes<N> {
    arith::dp3::<Celsius, N>([&a[0], &a[1], &a[2]], [&b[0], &b[1], &b[2]])
}

#[inline(always)]
fn dp4<const N: usize>(a: &V4<N>, b: &V4<N>) -> Lanes<N> {
    arith::dp4::<Celsius, N>([&a[0], &a[1], &a[2], &a[3]], [&b[0], &b[1], &b[2], &b[3]])
}

#[inline(always)]
fn row<const N: usize>(r: &[u32; 4]) -> V4<N> {
    rows!(4, |i| splat(r[i]))
}

#[inline(always)]
fn vmul<const N: usize>(a: &V4<N>, b: &V4<N>) -> V4<N> {
    rows!(4, |i| mul(&a[i], &b[i]))
}

#[inline(always)]
fn scale<const N: usize>(a: &V4<N>, s: &Lanes<N>) -> V4<N> {
    rows!(4, |i| mul(&a[i], s))
}

/// The vector adder does x, y, z; w passes from the first operand.
#[inline(always)]
fn vadd<const N: usize>(a: &V4<N>, b: &V4<N>) -> V4<N> {
    [
        add(&a[0], &b[0]),
        add(&a[1], &b[1]),
        add(&a[2], &b[2]),
        a[3],
    ]
}

#[inline(always)]
fn vsub<const N: usize>(a: &V4<N>, b: &V4<N>) -> V4<N> {
    vadd(a, &rows!(4, |i| neg(b[i])))
}

#[inline(always)]
fn mat4<const N: usize>(v: &V4<N>, m: &[[u32; 4]]) -> V4<N> {
    arith::transform::<Celsius, 4, 4, N>(v, m)
}

#[inline(always)]
fn mat3<const N: usize>(v: &V4<N>, m: &[[u32; 4]]) -> V4<N> {
    arith::transform::<Celsius, 3, 4, N>(&[v[0], v[1], v[2]], m)
}

#[inline(always)]
fn inverse_length<const N: usize>(v: &V4<N>) -> Lanes<N> {
    arith::rsq::<Celsius, N>(&dp3(v, v))
}

#[inline(always)]
fn cross<const N: usize>(a: &V4<N>, b: &V4<N>) -> V4<N> {
    let p = [mul(&a[1], &b[2]), mul(&a[2], &b[0]), mul(&a[0], &b[1])];
    let m = [mul(&a[2], &b[1]), mul(&a[0], &b[2]), mul(&a[1], &b[0])];
    let z = [0; N];
    vsub(&[p[0], p[1], p[2], z], &[m[0], m[1], m[2], z])
}

#[inline(always)]
fn load3<const N: usize>(v: &V4<N>) -> V3<N> {
    rows!(3, |i| map(&v[i], load))
}

/// A batch's results before the output conversions.
struct Raw<const N: usize> {
    /// Window x, y, z and 1/w.
    pos: V4<N>,
    /// Clip w (the reciprocal of 1/w in bypass).
    w: Lanes<N>,
    /// Texture sets as the rasterizer gets them, and before the 1/w factor.
    tex: [V4<N>; 2],
    plain: [V4<N>; 2],
    color: [V4<N>; 2],
    fog: Lanes<N>,
    point_size: Lanes<N>,
}

/// One vertex, as the sixteen words of an output slot. Words that the mode does
/// not produce are 0. `clamp` is `DEBUG_E[22]` without `RASTER[30]`.
pub fn slot(chip: Chip, state: &State, clamp: bool, v: &VtxIn) -> [u32; 16] {
    let mode = CelsiusMode::decode(chip, state);
    let raw = transform::<1>(chip, state, &mode, &v.attr.map(|a| a.map(|x| [x])));
    let bypass = mode.bypass;
    let edge = u32::from(v.edge_flag);
    let pos = output_position(&raw.pos, clamp, 0);
    let mut o = [0; 16];
    for (i, first) in [(0, 4), (1, 0)] {
        if bypass || mode.tex[i].enable {
            o[first] = squash(raw.tex[i][0][0]);
            o[first + 1] = squash(raw.tex[i][1][0]);
            o[first + 3] = squash(raw.tex[i][3][0]);
        }
    }
    if bypass || mode.point_params {
        o[2] = raw.point_size[0] & 0x001f_f000;
    }
    o[2] |= edge << 31;
    if bypass || mode.fog {
        o[9] = output_fog(raw.fog[0]);
    }
    let c = raw.color.map(|c| c.map(|x| color_to_byte(x[0])));
    o[10] = u32::from_le_bytes(c[0]);
    o[11] = u32::from_le_bytes([edge as u8, c[1][0], c[1][1], c[1][2]]);
    o[12..].copy_from_slice(&pos);
    o
}

#[inline(always)]
fn output_position<const N: usize>(pos: &V4<N>, clamp: bool, lane: usize) -> [u32; 4] {
    let x = squash(squash_xy(pos[0][lane]));
    [
        x,
        squash(squash_xy(pos[1][lane])),
        squash(squash_z(pos[2][lane], clamp)),
        squash(squash_w(pos[3][lane], clamp)) & !1 | x >> 31,
    ]
}

#[inline(always)]
fn output_fog(fog: u32) -> u32 {
    fog & !0x400 | fog >> 1 & 0x400
}

/// The same vertices for the common pipeline: clip w beside 1/w, texture
/// coordinates before their division.
#[inline(always)]
pub(super) fn run_lanes<const N: usize>(
    chip: Chip,
    state: &State,
    vertices: &[VtxIn],
    out: &mut [VtxOut],
) {
    let mode = CelsiusMode::decode(chip, state);
    for (chunk, out) in vertices.chunks(N).zip(out.chunks_mut(N)) {
        let mut attr = [[[0; N]; 4]; 16];
        for lane in 0..N {
            let v = &chunk[lane.min(chunk.len() - 1)];
            for i in 0..7 {
                for c in 0..4 {
                    attr[i][c][lane] = v.attr[i][c];
                }
            }
        }
        let raw = transform::<N>(chip, state, &mode, &attr);
        for (lane, (v, out)) in chunk.iter().zip(out).enumerate() {
            let mut o = VtxOut {
                edge_flag: v.edge_flag,
                ..VtxOut::default()
            };
            let pos = output_position(&raw.pos, false, lane);
            o.pos = [centred(pos[0]), centred(pos[1]), pos[2], raw.w[lane]];
            o.rw = pos[3] & !1;
            o.fog = output_fog(raw.fog[lane]);
            // The nine bits are pixels with three fraction bits.
            o.point_size = ((raw.point_size[lane] >> 12 & 0x1ff) as f32 / 8.0).to_bits();
            for i in 0..2 {
                o.color[i] = raw.color[i].map(|c| color_to_byte(c[lane]));
                o.tex[i] = raw.plain[i].map(|c| squash(c[lane]));
            }
            *out = o;
        }
    }
}

#[inline(always)]
fn transform<const N: usize>(
    chip: Chip,
    state: &State,
    mode: &CelsiusMode,
    vab: &[V4<N>; 16],
) -> Raw<N> {
    if mode.bypass {
        bypass(chip, state, mode, vab)
    } else {
        full(chip, state, mode, vab)
    }
}

#[inline(always)]
fn bypass<const N: usize>(
    chip: Chip,
    state: &State,
    mode: &CelsiusMode,
    vab: &[V4<N>; 16],
) -> Raw<N> {
    let ctx = &state.xfctx;
    let offset = &ctx[if mode.centred { 0x0e } else { 0x0d }];
    let pos = vadd(&vmul(&vab[0], &row(&ctx[0x0c])), &row(offset));
    let rw = pos[3];
    let w = arith::rcp::<Celsius, N>(&rw);
    let (mut tex, mut plain) = ([vab[3], vab[4]], [vab[3], vab[4]]);
    for i in 0..2 {
        if mode.perspective[i] {
            tex[i] = scale(&tex[i], &rw);
        } else {
            plain[i] = scale(&plain[i], &w);
        }
    }
    // The numbers have meanings of their own here: 1 is z, 2 is w. 3 was to mean
    // more than NV10 knew.
    let source = mode.fog_coord;
    let vertex_fog = source == 0 || source == 3 && chip != Chip::Nv10;
    let coord = if vertex_fog {
        vab[2][3]
    } else if source == 1 {
        vab[0][2]
    } else {
        w
    };
    Raw {
        pos,
        w,
        tex,
        plain,
        color: [vab[1], vab[2]],
        fog: celsius_bypass(state, vertex_fog, &map(&coord, load)),
        point_size: map(&vab[6][0], load),
    }
}

/// Per-vertex vectors that several consumers share.
struct Vectors<const N: usize> {
    pos: V4<N>,
    eye: V4<N>,
    normal: V4<N>,
    sphere: V4<N>,
    reflection: V4<N>,
    light0: V4<N>,
}

#[inline(always)]
fn full<const N: usize>(
    chip: Chip,
    state: &State,
    mode: &CelsiusMode,
    vab: &[V4<N>; 16],
) -> Raw<N> {
    let ctx = &state.xfctx;
    let pos = vab[0];

    let weights = mode.weighted.then(|| {
        let w = [vab[6][0]; 4];
        (w, vsub(&row(&ctx[0x3a]), &w))
    });
    // x, y, z blend; w is the first matrix's.
    let blend = |p: V4<N>, q: V4<N>, (v, u): (V4<N>, V4<N>)| {
        let (s, t) = (vmul(&p, &v), vmul(&q, &u));
        let r = vadd(&s, &t);
        [r[0], r[1], r[2], p[3]]
    };

    // Position.
    let first = mat4(&pos, &ctx[0..4]);
    let (eye, clip) = match weights {
        Some(w) => {
            let eye = blend(first, mat4(&pos, &ctx[0xc..0x10]), w);
            (eye, mat4(&eye, &ctx[8..12]))
        }
        None => (first, mat4(&pos, &ctx[8..12])),
    };
    let rw = arith::rcc::<Celsius, N>(&clip[3]);
    let divided = scale(&clip, &rw);
    let window = vadd(&[divided[0], divided[1], divided[2], rw], &row(&ctx[0x39]));

    // Normal.
    let mut normal = mat3(&vab[5], &ctx[4..8]);
    if let Some(w) = weights {
        normal = blend(normal, mat3(&vab[5], &ctx[0x10..0x14]), w);
    }
    if mode.normalize {
        normal = scale(&normal, &inverse_length(&normal));
    }

    // To the eye.
    let eye3 = scale(&eye, &arith::rcp::<Celsius, N>(&eye[3]));
    let mut to_eye = vsub(&row(&ctx[0x34]), &eye3);
    let dd = dp3(&to_eye, &to_eye);
    to_eye[3] = dd;
    let to_eye = scale(&to_eye, &arith::rsq::<Celsius, N>(&dd));

    // Reflection and sphere map.
    let one = row(&ctx[0x36]);
    let d = dp3(&to_eye, &vmul(&row(&ctx[0x35]), &normal));
    let m = vsub(&vadd(&scale(&normal, &d), &one), &to_eye);
    let reflection = vsub(&m, &one);
    let half = row(&ctx[0x37]);
    let sphere = vadd(&scale(&vmul(&m, &half), &inverse_length(&m)), &half);

    // Lights.
    let mut lt = CelsiusIn {
        fog: [[0; N]; 3],
        normal: load3(&normal),
        eye: load3(&to_eye),
        eye_distance: [[arith::ONE; N], map(&to_eye[3], load), map(&dd, load)],
        light: [[[0; N]; 3]; 8],
        light_distance: [[[0; N]; 3]; 8],
        spot: [[0; N]; 8],
        col0: load3(&vab[1]),
        col1: load3(&vab[2]),
    };
    let mut light0 = row(&ctx[0x24]);
    for i in 0..8 {
        let kind = mode.lights[i];
        if !mode.lighting || matches!(kind, LightMode::Off | LightMode::Infinite) {
            continue;
        }
        let v = vsub(&row(&ctx[0x24 + i]), &eye3);
        let dd = dp3(&v, &v);
        let u = scale(&[v[0], v[1], v[2], dd], &arith::rsq::<Celsius, N>(&dd));
        lt.light[i] = load3(&u);
        lt.light_distance[i] = [[arith::ONE; N], map(&u[3], load), map(&dd, load)];
        if kind == LightMode::Spot {
            let at = [u[0], u[1], u[2], [arith::ONE; N]];
            lt.spot[i] = map(&dp4(&at, &row(&ctx[0x2c + i])), load);
        }
        if i == 0 {
            light0 = u;
        }
    }

    // Texture sets.
    let vectors = Vectors {
        pos,
        eye,
        normal,
        sphere,
        reflection,
        light0,
    };
    let mut tex = [[[0; N]; 4]; 2];
    let mut plain = tex;
    for i in 0..2 {
        if mode.tex[i].enable {
            plain[i] = texture(chip, state, mode, vab, &vectors, i);
            if mode.perspective[i] {
                tex[i] = scale(&plain[i], &rw);
            } else {
                tex[i] = plain[i];
                plain[i] = scale(&plain[i], &clip[3]);
            }
        }
    }

    // Fog.
    let source = mode.fog_coord;
    let fog = if source == CELSIUS_FOG_COORD::DIST_RADIAL {
        [[arith::ONE; N], to_eye[3], dd]
    } else {
        let c = if source == CELSIUS_FOG_COORD::PASS {
            vab[2][3]
        } else {
            dp4(&eye3, &row(&ctx[0x38]))
        };
        let f = [one[2], c, mul(&c, &c)];
        if source == CELSIUS_FOG_COORD::DIST_ORTHOGONAL_ABS {
            rows!(3, |i| arith::abs(f[i]))
        } else {
            f
        }
    };
    lt.fog = rows!(3, |i| map(&fog[i], load));

    let o = celsius_full(state, mode, &lt);
    let alpha = if mode.lighting && !mode.track[2] {
        [state.ltc[3][0xb]; N]
    } else {
        vab[1][3]
    };
    Raw {
        pos: window,
        w: clip[3],
        tex,
        plain,
        color: [
            [o.col0[0], o.col0[1], o.col0[2], alpha],
            [o.col1[0], o.col1[1], o.col1[2], [0; N]],
        ],
        fog: o.fog,
        point_size: o.point_size,
    }
}

/// Texture set `i` before the 1/w factor.
#[inline(always)]
fn texture<const N: usize>(
    chip: Chip,
    state: &State,
    mode: &CelsiusMode,
    vab: &[V4<N>; 16],
    v: &Vectors<N>,
    i: usize,
) -> V4<N> {
    let ctx = &state.xfctx;
    let TexMode { gen_, matrix, .. } = mode.tex[i];
    let planes = &ctx[0x14 + 8 * i..];
    let mut c = vab[3 + i];
    let mut bump = [[0; N]; 4];
    let emboss = i == 1 && gen_[0] == TexGen::Emboss;
    if emboss {
        // Tangent frame of the normal and the second set; the light in it moves
        // the first set by its own q.
        let tangent = mat3(&vab[4], &ctx[4..8]);
        let n = cross(&v.normal, &tangent);
        let len = inverse_length(&n);
        let unit = scale(&n, &len);
        let other = scale(&cross(&n, &v.normal), &len);
        bump[0] = dp3(&vmul(&row(&ctx[0x1c]), &v.light0), &unit);
        bump[1] = dp3(&vmul(&row(&ctx[0x1d]), &v.light0), &other);
        c = vadd(&vab[3], &scale(&bump, &vab[3][3]));
    }
    for j in 0..4 {
        c[j] = match gen_[j] {
            TexGen::EyeLinear => dp4(&v.eye, &row(&planes[j])),
            TexGen::ObjectLinear => dp4(&v.pos, &row(&planes[j])),
            TexGen::Sphere if j < 2 => {
                if emboss {
                    bump[j]
                } else {
                    v.sphere[j]
                }
            }
            TexGen::Normal => v.normal[j],
            TexGen::Reflection if emboss => vab[3][3],
            TexGen::Reflection => v.reflection[j],
            _ => c[j],
        };
    }
    if !matrix {
        return c;
    }
    let matrix = &ctx[0x18 + 8 * i..0x1c + 8 * i];
    let mut m = mat4(&c, matrix);
    if chip == Chip::Nv10 {
        // NV10 has already overwritten s when it computes q.
        m[3] = dp4(&[m[0], c[1], c[2], c[3]], &row(&matrix[3]));
    }
    m
}
