//! Any image and any state, pixel by pixel.

use super::format::Kind;
use super::unit::ProgramUnit;
use super::{BoundUnit, Lookup, cube, lod};
use crate::tex::format::yuv_to_rgb;
use crate::tex::lod::{Footprint, Probes};
use crate::tex::sample::depth_units;
use isotherm_lanes::{LANES, Lane, srgb};
use isotherm_regs::bundle::TEX_COMPARE;
use std::sync::OnceLock;

/// R, G, B, A in the units of the texels.
type Texel = [f32; 4];

/// Where a pixel samples.
#[derive(Clone, Copy)]
struct Place {
    at: [f32; 3],
    face: u8,
    /// What depths are compared with.
    reference: u32,
}

impl BoundUnit {
    #[inline(never)]
    pub(super) fn general(
        &self,
        coords: &[Lane; 4],
        lookup: &Lookup<Lane>,
        killed: &mut u32,
    ) -> [Lane; 4] {
        let mut out = [[0.0; LANES]; 4];
        for i in 0..LANES {
            let place = self.place(coords, i);
            let mut texel = self.pixel(&place, coords, lookup, i);
            if self.unit.key_kills() && texel[3].is_nan() {
                *killed |= 1 << i;
                texel = [0.0; 4];
            }
            if self.unit.kind == Kind::Yuv {
                texel = yuv_to_rgb(texel.map(|x| x.round() as i32)).map(|x| x as f32);
            }
            if self.unit.half_floats {
                texel = texel.map(to_half);
            }
            for c in 0..4 {
                out[c][i] = texel[c];
            }
        }
        out
    }

    fn place(&self, coords: &[Lane; 4], i: usize) -> Place {
        let v = [coords[0][i], coords[1][i], coords[2][i]];
        let reference = match self.unit.kind {
            Kind::Depth { depth24, float } => reference(v[2], depth24, float),
            _ => 0,
        };
        let (face, at) = if self.unit.source.cube {
            let (face, [s, t]) = cube::place(v);
            (face, [s, t, 0.0])
        } else {
            (0, v)
        };
        Place {
            at,
            face,
            reference,
        }
    }

    fn pixel(&self, p: &Place, coords: &[Lane; 4], lookup: &Lookup<Lane>, i: usize) -> Texel {
        let unit = &self.unit;
        if !unit.needs_lod() {
            return self.in_level(p, 0, unit.linear[0]);
        }
        let bias = match lookup {
            Lookup::Explicit(level) => return self.at_lod(p, lod::fixed(level[i]) + unit.lod_bias),
            Lookup::Bias(bias) => lod::fixed(bias[i]),
            _ => 0,
        };
        let slopes = self.slopes(p, coords, lookup, i);
        let [x, y] = slopes.map(|d| unit.square_of(d));
        let most = if x > y { x } else { y };
        if unit.aniso == 1.0 {
            return self.at_lod(p, unit.lod_of(most) + bias);
        }
        let (axis, major, minor) = if x >= y {
            (slopes[0], x, y)
        } else {
            (slopes[1], y, x)
        };
        let footprint = Footprint {
            major: major.sqrt(),
            minor: minor.sqrt(),
            axis,
        };
        self.anisotropic(p, &footprint, bias)
    }

    /// Probes along the longer side, as Kelvin lays them.
    fn anisotropic(&self, p: &Place, f: &Footprint, bias: i32) -> Texel {
        let probes = Probes::new(f, self.unit.aniso);
        let rho = f.major / probes.ratio;
        let level = self.unit.lod_of(rho * rho) + bias;
        if probes.ratio <= 1.0 {
            return self.at_lod(p, level);
        }
        let mut sum = [0.0; 4];
        for (at, weight) in probes.places() {
            let mut q = *p;
            for (x, d) in q.at.iter_mut().zip(f.axis) {
                *x += d * at;
            }
            let texel = self.at_lod(&q, level);
            for c in 0..4 {
                sum[c] += texel[c] * weight as f32;
            }
        }
        sum.map(|x| self.unit.rounded(x / 256.0))
    }

    /// Derivatives of the place along x and y.
    fn slopes(
        &self,
        p: &Place,
        coords: &[Lane; 4],
        lookup: &Lookup<Lane>,
        i: usize,
    ) -> [[f32; 3]; 2] {
        let vector = |c: &[Lane], i: usize| [c[0][i], c[1][i], c[2][i]];
        if let Lookup::Gradients { dx, dy } = lookup {
            return [dx, dy].map(|d| {
                let d = vector(d, i);
                if !self.unit.source.cube {
                    return d;
                }
                let [s, t] = cube::slope(p.face, vector(coords, i), d);
                [s, t, 0.0]
            });
        }
        // All of a quad as seen on this pixel's face.
        let first = i & !3;
        let [a, b, c, d] = [first, first + 1, first + 2, first + 3].map(|i| {
            let v = vector(coords, i);
            if self.unit.source.cube {
                let [s, t] = cube::on_face(p.face, v);
                [s, t, 0.0]
            } else {
                v
            }
        });
        [
            std::array::from_fn(|k| ((b[k] - a[k]) + (d[k] - c[k])) * 0.5),
            std::array::from_fn(|k| ((c[k] - a[k]) + (d[k] - b[k])) * 0.5),
        ]
    }

    fn at_lod(&self, p: &Place, lod: i32) -> Texel {
        let choice = self.unit.choose(lod, self.image.levels.len() - 1);
        let texel = self.in_level(p, choice.level, choice.linear);
        if choice.next == 0 {
            return texel;
        }
        let next = self.in_level(p, choice.level + 1, choice.linear);
        self.unit.mix(texel, next, choice.next)
    }

    fn in_level(&self, p: &Place, level: usize, linear: bool) -> Texel {
        let n = level.min(self.image.levels.len() - 1);
        let level = &self.image.levels[n];
        let axes = [0, 1, 2].map(|k| self.unit.axis(level, n, k));
        let at: [i32; 3] = std::array::from_fn(|k| axes[k].fixed(p.at[k], linear));
        let texel = |at: [i32; 3]| {
            let mut index = level.origin as i32 + i32::from(p.face) * level.face as i32;
            let steps = [1, level.row as i32, level.slice as i32];
            for k in 0..usize::from(self.unit.source.dims).min(3) {
                match axes[k].texel(at[k]) {
                    Some(i) => index += i * steps[k],
                    None => return self.unit.border,
                }
            }
            // Below 0 only where the border of an image that was too large is looked for.
            self.texel(index.max(0) as usize, p.reference)
        };
        let [x, y, z] = at.map(|c| c >> 8);
        if !linear {
            return texel([x, y, z]);
        }
        let [wx, wy, wz] = at.map(|c| c as u32 & 255);
        let unit = &self.unit;
        let row = |y, z| unit.blend(wx, |i| texel([x + i, y, z]));
        let plane = |z| match unit.source.dims {
            1 => row(y, z),
            _ if unit.middle && unit.rounds && [wx, wy] == [128; 2] => mean(
                [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]].map(|[x, y]| texel([x, y, z])),
            ),
            _ => unit.blend(wy, |i| row(y + i, z)),
        };
        match unit.source.dims {
            3 => unit.blend(wz, |i| plane(z + i)),
            _ => plane(z),
        }
    }

    /// One texel of the image.
    #[inline(always)]
    fn texel(&self, index: usize, reference: u32) -> Texel {
        let n = self.unit.source.format.texel.words() as usize;
        let words = self.image.texels.get(index * n..(index + 1) * n);
        let words = words.unwrap_or(&[0; 4][..n.min(4)]);
        let word = words[0];
        let signed = &self.unit.output.signed;
        if self.unit.key_kills() && self.image.is_killed(index) {
            // Bytes are numbers, and so is what is blended of them, but for this one.
            return [f32::NAN; 4];
        }
        match self.unit.kind {
            Kind::Bytes | Kind::Yuv => {
                let bytes = [16, 8, 0, 24].map(|shift| (word >> shift) as u8);
                std::array::from_fn(|c| match bytes[c] {
                    byte if signed[c] => f32::from(byte as i8),
                    byte if c < 3 && self.unit.gamma[c] => linear_light()[usize::from(byte)],
                    byte => f32::from(byte),
                })
            }
            Kind::Halves(places) => {
                let halves = places.map(|shift| match shift {
                    24 => (word >> 24) as u16 * 0x101,
                    _ => (word >> shift) as u16,
                });
                std::array::from_fn(|c| {
                    if signed[c] {
                        f32::from(halves[c] as i16)
                    } else {
                        f32::from(halves[c])
                    }
                })
            }
            Kind::Depth { .. } => {
                let pass = compare(self.unit.compare, reference, word);
                [f32::from(u8::from(pass)); 4]
            }
            Kind::Floats => {
                // Two components stand twice.
                if let [x, y] = *words {
                    return [x, y, x, y].map(f32::from_bits);
                }
                let mut out = [0.0, 0.0, 0.0, 1.0];
                for (out, word) in out.iter_mut().zip(words) {
                    *out = f32::from_bits(*word);
                }
                out
            }
        }
    }
}

impl ProgramUnit {
    /// Squared length of a derivative in texels of level 0.
    fn square_of(&self, d: [f32; 3]) -> f32 {
        let mut sum = 0.0;
        for (d, scale) in d.into_iter().zip(self.scales) {
            if scale != 0.0 {
                sum += d * scale * (d * scale);
            }
        }
        sum
    }

    /// Two neighbours; the second is not looked at if it has no weight.
    #[inline(always)]
    fn blend(&self, w: u32, texel: impl Fn(i32) -> Texel) -> Texel {
        let a = texel(0);
        if w == 0 { a } else { self.mix(a, texel(1), w) }
    }

    #[inline(always)]
    fn mix(&self, a: Texel, b: Texel, w: u32) -> Texel {
        let (rest, w) = ((256 - w) as f32, w as f32);
        std::array::from_fn(|c| self.rounded((a[c] * rest + b[c] * w) * (1.0 / 256.0)))
    }

    /// To nearest, where texels are whole numbers; half floats to fifteen bits.
    #[inline(always)]
    fn rounded(&self, x: f32) -> f32 {
        if self.rounds {
            (x + 0.5).floor()
        } else if self.half_floats {
            nearest::<15>(x)
        } else {
            x
        }
    }
}

/// The nearest number of so many significant bits, halves away from zero.
#[inline(always)]
fn nearest<const BITS: u32>(x: f32) -> f32 {
    if !x.is_finite() {
        return x;
    }
    let unit = 1u32 << (24 - BITS);
    f32::from_bits((x.to_bits() + unit / 2) & !(unit - 1))
}

/// The nearest half float, halves away from zero (texture_formats; docs/accuracy/tex.md).
#[inline(always)]
fn to_half(x: f32) -> f32 {
    /// What the smallest half floats are multiples of, the other way round.
    const LAST: f32 = 16_777_216.0;
    if x.abs() < 1.0 / 16384.0 {
        (x * LAST).round() / LAST
    } else {
        nearest::<11>(x)
    }
}

/// The mean of four texels, rounded once.
fn mean(four: [Texel; 4]) -> Texel {
    let [a, b, c, d] = four;
    std::array::from_fn(|i| ((a[i] + b[i] + c[i] + d[i] + 2.0) * 0.25).floor())
}

/// What a coordinate is as a depth of the texture. The driver hands over 0…1, and there is
/// no scale in the words, so that an integer is all ones at 1; rounding it is a guess, which
/// a rendered shadow map on its own surface would settle.
fn reference(r: f32, depth24: bool, float: bool) -> u32 {
    if float {
        return depth_units(r, depth24, true);
    }
    let most = if depth24 { 0x00ff_ffff } else { 0xffff };
    // NaN becomes 0.
    (f64::from(r.clamp(0.0, 1.0)) * f64::from(most)).round() as u32
}

/// The coordinate stands on the left.
fn compare(func: u8, reference: u32, texel: u32) -> bool {
    match u32::from(func) {
        TEX_COMPARE::NEVER => false,
        TEX_COMPARE::GREATER => reference > texel,
        TEX_COMPARE::EQUAL => reference == texel,
        TEX_COMPARE::GEQUAL => reference >= texel,
        TEX_COMPARE::LESS => reference < texel,
        TEX_COMPARE::NOTEQUAL => reference != texel,
        TEX_COMPARE::LEQUAL => reference <= texel,
        _ => true,
    }
}

/// sRGB bytes to linear light in 255ths. That each texel is converted before the filter is
/// a guess; a magnified edge between black and white would settle it.
fn linear_light() -> &'static [f32; 256] {
    static TABLE: OnceLock<[f32; 256]> = OnceLock::new();
    TABLE.get_or_init(|| {
        std::array::from_fn(|i| {
            let light = srgb::to_light(i as f64 / 255.0);
            (light * 255.0) as f32
        })
    })
}
