//! The texture stages, one after another.

pub mod explain;

use super::dot;
use super::words::{Conversion, Op, Program};
use crate::frag::{F, Frag, I, LANES};
use crate::tex::format::{Class, yuv_to_rgb};
use crate::tex::num::{byte, divide, dot3, half_up, reciprocal, reflect, times};
use crate::tex::{
    Coords, Image, SampleLanes, Sampler, SimpleStage, Texels, Unit, face_coords, face_of,
};
use std::sync::Arc;

/// What the stages of a block know of each other.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub struct Stages {
    /// Filtered texels per stage.
    pub(super) texels: [Texels; 4],
    /// Texture registers of stages whose texels are not all there is to them.
    pub(super) registers: [[I; 4]; 4],
    /// Dot products per stage.
    dots: [F; 4],
    /// Brightness of a bump stage's result.
    luminance: [F; 4],
}

/// The stages of a block at work.
struct State<'a> {
    program: &'a Program,
    textures: &'a Textures<'a>,
    /// Coordinates, the lanes that are alive, depth; what the stages before did.
    frag: &'a mut Frag,
}

/// What the stages sample.
pub struct Textures<'a> {
    /// The prepared words.
    pub units: &'a [Option<Arc<Unit>>; 4],
    /// What lies in memory.
    pub images: &'a [Option<Arc<Image>>; 4],
    /// The same of stages whose texture is simple.
    pub simple: &'a [Option<Arc<SimpleStage>>; 4],
}

/// Runs the stages of `live` (one bit each) on blocks, which do not wait for each other: each
/// stage on all of them. Leaves the texels of the stages in `bytes`, the texture registers of
/// the others.
#[inline(always)]
pub fn run<L: SampleLanes>(
    program: &Program,
    textures: &Textures<'_>,
    [live, bytes]: [u8; 2],
    blocks: &mut [Frag],
) {
    for block in &mut *blocks {
        block.stages.start(program);
    }
    for i in (0..4).filter(|i| live >> i & 1 != 0) {
        let plain = program.ops[i] == Op::Texture2d && bytes >> i & 1 != 0;
        if let Some(simple) = textures.simple[i].as_deref().filter(|_| plain) {
            simple.fill::<L>(i, blocks);
            continue;
        }
        for frag in &mut *blocks {
            let mut state = State {
                program,
                textures,
                frag,
            };
            if program.ops[i] != Op::None {
                state.stage::<L>(i);
            }
            if bytes >> i & 1 == 0 {
                state.result(i);
            }
        }
    }
}

/// Stages whose registers are the bytes of their texels, one bit each.
pub fn of_bytes(program: &Program, units: &[Option<Arc<Unit>>; 4]) -> u8 {
    (0..4)
        .filter(|&i| {
            let signed = units[i]
                .as_ref()
                .is_some_and(|u| u.control.signed != [false; 4]);
            let bright = program.ops[i] == Op::BumpEnvLum;
            !signed && !bright && !converts(program, &units[i])
        })
        .fold(0, |bytes, i| bytes | 1 << i)
}

/// Is a stage's result converted from luminance and colour differences? Where a word
/// says so, also that of other textures (Bump_map YUY2, UYVY).
fn converts(program: &Program, unit: &Option<Arc<Unit>>) -> bool {
    match program.conversion {
        Conversion::None => false,
        Conversion::Offset | Conversion::Signed => true,
        Conversion::ByFormat => unit.as_ref().is_some_and(|u| u.control.class == Class::Yuv),
    }
}

/// Is a stage's texture a plain 2D image, wherever it is sampled?
pub fn has_simple_texture(program: &Program, unit: &Option<Arc<Unit>>) -> bool {
    let plain = |u: &Arc<Unit>| u.control.plain && u.control.class == Class::Bytes;
    unit.as_ref().is_some_and(plain) && !program.conversion.of_all()
}

impl SimpleStage {
    /// Puts what it samples at stage `i`'s coordinates in that stage's place.
    #[inline(always)]
    pub fn fill<L: SampleLanes>(&self, i: usize, blocks: &mut [Frag]) {
        for frag in blocks {
            let (set, hint) = (&frag.tex[i], &mut frag.levels[i]);
            frag.stages.texels[i] = if is_divided(set) {
                self.sample::<L>(hint, &set[0], &set[1])
            } else {
                let [u, v] = divided(set);
                self.sample::<L>(hint, &u, &v)
            };
        }
    }
}

/// Black, alpha 1: a stage that does nothing.
const OPAQUE: u32 = 0xff00_0000;

impl Stages {
    /// As they are before the first stage.
    #[inline(always)]
    fn start(&mut self, program: &Program) {
        self.texels = [[OPAQUE; LANES]; 4];
        if program.ops.iter().any(|op| op.dots()) {
            self.dots = [[0.0; LANES]; 4];
        }
    }
}

impl<'a> State<'a> {
    #[inline(always)]
    fn stage<L: SampleLanes>(&mut self, i: usize) {
        if let Some(simple) = &self.textures.simple[i]
            && let Some([u, v]) = self.pair::<L>(i)
        {
            let hint = &mut self.frag.levels[i];
            self.frag.stages.texels[i] = simple.sample::<L>(hint, &u, &v);
        } else if let Some(coords) = self.coords::<L>(i) {
            self.sample(i, coords);
        }
    }

    /// Where a frequent operation samples, if that takes two coordinates: what
    /// [`State::coords`] says, without the rest.
    #[inline(always)]
    fn pair<L: SampleLanes>(&self, i: usize) -> Option<[F; 2]> {
        let set = &self.frag.tex[i];
        let source = self.program.source[i];
        match self.program.ops[i] {
            Op::Texture2d => Some(divided(set)),
            Op::BumpEnv => Some(self.bump::<L>(i, source, divided(set))),
            Op::DependentAr => Some(self.dependent(source, 24, 16)),
            Op::DependentGb => Some(self.dependent(source, 8, 0)),
            _ => None,
        }
    }

    /// Where the stage samples. An operation that samples nothing is done here.
    #[inline(always)]
    fn coords<L: SampleLanes>(&mut self, i: usize) -> Option<Coords> {
        let op = self.program.ops[i];
        let source = self.program.source[i];
        if op.dots() {
            self.frag.stages.dots[i] = self.dot(i);
        }
        let set = &self.frag.tex[i];
        let dots = &self.frag.stages.dots;
        let coords = match op {
            Op::None | Op::DotProduct => return None,
            Op::Texture2d => project(set, false),
            Op::Texture3d => project(set, true),
            Op::CubeMap => cube([set[0], set[1], set[2]]),
            Op::PassThrough => {
                self.frag.stages.texels[i] = pass_through(set);
                return None;
            }
            Op::ClipPlane => {
                self.frag.mask &= !clip(set, self.program.cull[i]);
                return None;
            }
            Op::BumpEnv | Op::BumpEnvLum => {
                let mut c = project(set, false);
                if op == Op::BumpEnvLum {
                    self.frag.stages.luminance[i] = self.brightness(i, source);
                }
                [c.u, c.v] = self.bump::<L>(i, source, [c.u, c.v]);
                c
            }
            Op::Brdf => self.brdf(i, set),
            Op::DotSt => plane([dots[i - i.min(1)], dots[i]]),
            Op::DotZw => {
                let (z, w) = (dots[i - i.min(1)], dots[i]);
                for l in 0..LANES {
                    self.frag.z[l] = divide(z[l], w[l]);
                }
                return None;
            }
            Op::DotReflectDiffuse => {
                // The third product is formed ahead of its stage.
                let next = (i + 1).min(3);
                cube([dots[i - i.min(1)], dots[i], self.dot(next)])
            }
            Op::DotReflectSpecular | Op::DotReflectSpecularConst => cube(self.reflect(i, op)),
            Op::DotStr3d => {
                let [s, t, r] = self.three(i);
                let mut c = plane([s, t]);
                c.p = r;
                c.three = true;
                c
            }
            Op::DotStrCube => cube(self.three(i)),
            Op::DependentAr => plane(self.dependent(source, 24, 16)),
            Op::DependentGb => plane(self.dependent(source, 8, 0)),
        };
        Some(coords)
    }

    /// The dot products of this stage and the two before.
    #[inline(always)]
    fn three(&self, i: usize) -> [F; 3] {
        [i.saturating_sub(2), i.saturating_sub(1), i].map(|k| self.frag.stages.dots[k])
    }

    /// s x + t y + r z with the vector of the source stage's texel.
    #[inline(always)]
    fn dot(&self, i: usize) -> F {
        let set = &self.frag.tex[i];
        let texels = self.texels(self.program.source[i]);
        std::array::from_fn(|l| {
            let [x, y, z] = dot::vector(self.program.dots[i], texels[l]);
            dot3([set[0][l], set[1][l], set[2][l]], [x, y, z])
        })
    }

    /// The eye vector reflected about the three products.
    #[inline(always)]
    fn reflect(&self, i: usize, op: Op) -> [F; 3] {
        let (n, sets) = (self.three(i), &self.frag.tex);
        let first = i.saturating_sub(2);
        let mut out = [[0.0; LANES]; 3];
        for l in 0..LANES {
            let n = [n[0][l], n[1][l], n[2][l]];
            let e = if op == Op::DotReflectSpecularConst {
                self.program.eye
            } else {
                std::array::from_fn(|k| sets[(first + k).min(3)][3][l])
            };
            let r = reflect(n, e);
            for k in 0..3 {
                out[k][l] = r[k];
            }
        }
        out
    }

    /// Coordinates moved by the source stage's texel: du = B, dv = G, as signed
    /// bytes whatever the component's flag says.
    #[inline(always)]
    fn bump<L: SampleLanes>(&self, i: usize, source: usize, [u, v]: [F; 2]) -> [F; 2] {
        let m = self.program.bump[i].matrix;
        let mut by = [[0.0; LANES]; 2];
        for (by, shift) in by.iter_mut().zip([0, 8]) {
            for l in 0..LANES {
                by[l] = signed_byte(self.texels(source)[l], shift) as f32 / 128.0;
            }
        }
        [
            L::moved(&u, [m[0], m[3]], &by),
            L::moved(&v, [m[1], m[2]], &by),
        ]
    }

    /// The factor of a bump stage with luminance, from the source's red.
    #[inline(always)]
    fn brightness(&self, i: usize, source: usize) -> F {
        let b = &self.program.bump[i];
        std::array::from_fn(|l| {
            let red = (self.texels(source)[l] >> 16 & 255) as f32;
            (red / 255.0 * b.scale + b.offset).max(0.0)
        })
    }

    /// Two texels of another stage as coordinates.
    #[inline(always)]
    fn dependent(&self, source: usize, s: u32, t: u32) -> [F; 2] {
        let mut out = [[0.0; LANES]; 2];
        for (out, shift) in out.iter_mut().zip([s, t]) {
            for l in 0..LANES {
                out[l] = (self.texels(source)[l] >> shift & 255) as f32 / 255.0;
            }
        }
        out
    }

    /// A volume addressed by the angles that the two stages before hold: no
    /// document describes it; the two HILO texels give two angles of eye and
    /// light, their difference the third coordinate.
    fn brdf(&self, i: usize, set: &[F; 4]) -> Coords {
        let mut c = project(set, true);
        if i >= 2 {
            let (eye, light) = (self.texels(i - 2), self.texels(i - 1));
            for l in 0..LANES {
                let hi = |t: u32| (t >> 16) as f32 / 65536.0;
                let lo = |t: u32| (t & 0xffff) as f32 / 65536.0;
                c.u[l] = hi(eye[l]);
                c.v[l] = hi(light[l]);
                let d = lo(light[l]) - lo(eye[l]);
                c.p[l] = d - d.floor();
            }
        }
        c
    }

    #[inline(always)]
    fn sample(&mut self, i: usize, mut c: Coords) {
        if let Some(sampler) = self.sampler(i, &mut c) {
            self.frag.stages.texels[i] = sampler.sample(&c, &mut self.frag.mask);
        }
    }

    /// What an earlier stage sampled.
    #[inline(always)]
    fn texels(&self, stage: usize) -> &Texels {
        &self.frag.stages.texels[stage]
    }

    /// The stage's texture, and the coordinates as it wants them.
    #[inline(always)]
    fn sampler(&self, i: usize, c: &mut Coords) -> Option<Sampler<'a>> {
        let (Some(unit), Some(image)) = (&self.textures.units[i], &self.textures.images[i]) else {
            return None;
        };
        if unit.control.cube {
            // The texture turns face coordinates into its own (see 2D operations
            // on a cube map: face 0).
            for l in 0..LANES {
                c.u[l] = half_up(c.u[l]);
                c.v[l] = half_up(-c.v[l]);
            }
        } else {
            c.face = [0; LANES];
            c.vectors = None;
        }
        Some(Sampler { unit, image })
    }

    /// Writes the stage's register: signs, brightness, YUV.
    #[inline(always)]
    fn result(&mut self, i: usize) {
        let unit = self.textures.units[i].as_ref();
        let signed = unit.map_or([false; 4], |u| u.control.signed);
        let Stages {
            texels,
            registers,
            luminance,
            ..
        } = &mut self.frag.stages;
        let (texels, out) = (&texels[i], &mut registers[i]);
        for (c, shift) in [16, 8, 0, 24].into_iter().enumerate() {
            if signed[c] {
                for l in 0..LANES {
                    // 2x in units of 1/255: 127 becomes 254; not below -1.
                    out[c][l] = (signed_byte(texels[l], shift) * 2).max(-255);
                }
            } else {
                for l in 0..LANES {
                    out[c][l] = (texels[l] >> shift & 255) as i32;
                }
            }
        }
        if self.program.ops[i] == Op::BumpEnvLum {
            let lum = &luminance[i];
            for c in &mut out[..3] {
                for l in 0..LANES {
                    c[l] = byte(times(c[l] as f32 * (1.0 / 255.0), lum[l]));
                }
            }
        }
        if converts(self.program, &self.textures.units[i]) {
            // Signed differences have their highest bit the other way round.
            let sign = match self.program.conversion {
                Conversion::Signed => 0x80,
                _ => 0,
            };
            for l in 0..LANES {
                let [u, v] = [out[1][l] ^ sign, out[2][l] ^ sign];
                let rgb = yuv_to_rgb([out[0][l], u, v, out[3][l]]);
                for c in 0..4 {
                    out[c][l] = rgb[c];
                }
            }
        }
    }
}

/// The byte from bit `shift` on as a signed number. By shifts: a loop that takes bytes would
/// become one that picks them out of memory.
#[inline(always)]
fn signed_byte(texel: u32, shift: u32) -> i32 {
    (texel << (24 - shift)).cast_signed() >> 24
}

/// Is q 1 everywhere?
#[inline(always)]
fn is_divided([.., q]: &[F; 4]) -> bool {
    let mut other = 0;
    for l in 0..LANES {
        other |= q[l].to_bits() ^ 1f32.to_bits();
    }
    other == 0
}

/// s/q, t/q.
#[inline(always)]
fn divided(set: &[F; 4]) -> [F; 2] {
    let [s, t, _, q] = set;
    let (mut u, mut v) = (*s, *t);
    if !is_divided(set) {
        for l in 0..LANES {
            let rq = reciprocal(q[l]);
            u[l] = times(s[l], rq);
            v[l] = times(t[l], rq);
        }
    }
    [u, v]
}

/// s/q, t/q, r/q.
#[inline(always)]
fn project(set: &[F; 4], three: bool) -> Coords {
    let [s, t, r, q] = set;
    let mut c = plane([*s, *t]);
    c.three = three;
    c.p = *r;
    if *q != [1.0; LANES] {
        for l in 0..LANES {
            let rq = reciprocal(q[l]);
            c.u[l] = times(s[l], rq);
            c.v[l] = times(t[l], rq);
            c.p[l] = times(r[l], rq);
        }
    }
    c
}

#[inline(always)]
fn plane([u, v]: [F; 2]) -> Coords {
    Coords {
        u,
        v,
        p: [0.0; LANES],
        face: [0; LANES],
        vectors: None,
        three: false,
    }
}

/// Face and face coordinates of vectors. A zero vector shows texel (0, 0) of +X.
#[inline(always)]
fn cube(xyz: [F; 3]) -> Coords {
    let mut c = plane([[0.0; LANES]; 2]);
    for l in 0..LANES {
        let v = [xyz[0][l], xyz[1][l], xyz[2][l]];
        c.face[l] = face_of(v[0], v[1], v[2]);
        [c.u[l], c.v[l]] = if v == [0.0; 3] {
            [-1.0, 1.0]
        } else {
            face_coords(c.face[l], v)
        };
    }
    c.vectors = Some(xyz);
    c
}

/// Coordinates as R, G, B, A (Pixel_shader/Passthru; the linear fog factor and the
/// luminance of a bump map become bytes in the same way).
#[inline(always)]
fn pass_through(set: &[F; 4]) -> Texels {
    std::array::from_fn(|l| {
        let part = |k: usize| byte(set[k][l]) as u32;
        part(3) << 24 | part(0) << 16 | part(1) << 8 | part(2)
    })
}

/// Lanes that the clip planes kill.
#[inline(always)]
fn clip(set: &[F; 4], modes: u8) -> u16 {
    let mut killed = 0;
    for (k, c) in set.iter().enumerate() {
        for (l, v) in c.iter().enumerate() {
            let kill = if modes >> k & 1 != 0 {
                *v >= 0.0
            } else {
                *v < 0.0
            };
            killed |= u16::from(kill) << l;
        }
    }
    killed
}
