//! Sampling: coordinates to filtered texels, sixteen fragments at a time.

use super::filter::Blend;
use super::format::Class;
use super::image::{BORDER, Image, Level};
use super::lanes;
use super::lod::{self, Footprint, Probes};
use super::num::{reciprocal, times};
use super::tap::Tap;
use super::unit::{Filter, Mip, Unit, Wrap};
use crate::frag::{F, I, LANES};
use isotherm_lanes::depth;
use isotherm_lanes::fixed::whole;

/// Filtered texels, A8R8G8B8 or two halves, before any sign is applied.
pub type Texels = [u32; LANES];

/// Where to sample, after the division by q.
#[derive(Clone, Debug)]
pub struct Coords {
    /// First axis.
    pub u: F,
    /// Second axis.
    pub v: F,
    /// Third axis; also the reference of a depth comparison.
    pub p: F,
    /// Face of a cube map.
    pub face: [u8; LANES],
    /// The vectors behind the faces, for derivatives across an edge.
    pub vectors: Option<[F; 3]>,
    /// Does the third axis count (a 3D operation)?
    pub three: bool,
}

/// Axes of the six faces: which component is the major axis, and which (with
/// sign) are s and t.
pub(super) const FACES: [[(usize, f32); 3]; 6] = [
    [(0, 1.0), (2, -1.0), (1, -1.0)],
    [(0, -1.0), (2, 1.0), (1, -1.0)],
    [(1, 1.0), (0, 1.0), (2, 1.0)],
    [(1, -1.0), (0, 1.0), (2, -1.0)],
    [(2, 1.0), (0, 1.0), (1, -1.0)],
    [(2, -1.0), (0, -1.0), (1, -1.0)],
];

/// The face that a vector points to: the largest component, x before y before z.
/// A vector that is no number goes to +X, like the zero vector.
pub fn face_of(x: f32, y: f32, z: f32) -> u8 {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (axis, v) = if az > ax && az > ay {
        (2, z)
    } else if ay > ax {
        (1, y)
    } else {
        (0, x)
    };
    axis * 2 + u8::from(v < 0.0)
}

/// The face coordinates s', t' of a vector: s' = sc / ma, t' = -tc / ma.
pub fn face_coords(face: u8, xyz: [f32; 3]) -> [f32; 2] {
    let [(ma, msign), (sc, ssign), (tc, tsign)] = FACES[face as usize % 6];
    let m = reciprocal(xyz[ma] * msign);
    [times(xyz[sc] * ssign, m), times(-(xyz[tc] * tsign), m)]
}

/// A unit with its image.
#[derive(Clone, Copy)]
pub struct Sampler<'a> {
    /// The prepared words.
    pub unit: &'a Unit,
    /// The decoded texture.
    pub image: &'a Image,
}

impl Sampler<'_> {
    /// Samples all lanes. Lanes that the colour key or alpha kill are taken out of `mask`.
    #[inline(always)]
    pub fn sample(&self, c: &Coords, mask: &mut u16) -> Texels {
        if self.unit.control.plain {
            return lanes::plain(self.unit, self.image, &c.u, &c.v);
        }
        self.general(c, mask)
    }

    /// Any state, one lane after another.
    pub(super) fn general(&self, c: &Coords, mask: &mut u16) -> Texels {
        let spread = self.spread(c);
        let mut killed = 0;
        let out = std::array::from_fn(|i| {
            let mut kill = false;
            let texel = self.lane(c, &spread, i, &mut kill);
            killed |= u16::from(kill) << i;
            texel
        });
        *mask &= !killed;
        out
    }

    /// What the state wants to know of the lanes' footprints.
    pub(super) fn spread(&self, c: &Coords) -> Spread {
        let control = &self.unit.control;
        if control.aniso != 0 {
            Spread::Footprints(lod::footprints(self.unit, c))
        } else if control.needs_lod() {
            Spread::Lods(lod::lods(self.unit, c))
        } else {
            Spread::None
        }
    }

    /// Any state, one lane.
    pub(super) fn lane(&self, c: &Coords, spread: &Spread, i: usize, tap: &mut impl Tap) -> u32 {
        let control = &self.unit.control;
        let point = Point {
            at: [c.u[i], c.v[i], c.p[i]],
            shift: [0.0; 3],
            face: u32::from(c.face[i]),
            three: c.three && control.dims == 3,
            reference: self.reference(c, i),
        };
        let texel = match spread {
            Spread::Footprints(f) => self.anisotropic(&point, &f[i], tap),
            Spread::Lods(l) => self.at_lod(&point, l[i], tap),
            Spread::None => self.in_level(&point, 0, control.mag, tap),
        };
        if control.alpha_kill && texel >> 24 == 0 {
            tap.kill();
        }
        texel
    }

    fn anisotropic(&self, p: &Point, f: &Footprint, tap: &mut impl Tap) -> u32 {
        let control = &self.unit.control;
        let probes = Probes::new(f, (1 << control.aniso) as f32);
        let rho = f.major / probes.ratio;
        let level = lod::half_log2_8(rho * rho).saturating_add(self.unit.data.lod_bias);
        // One probe where even a part of the footprint covers the image.
        if self.unit.data.size.iter().all(|&size| rho >= size as f32) {
            return self.at_lod(p, level, tap);
        }
        let mut texels = [(0, 0); 8];
        let mut n = 0;
        for (at, weight) in probes.places() {
            let mut q = *p;
            q.shift = f.axis.map(|d| d * at);
            tap.probe(weight);
            texels[n] = (self.at_lod(&q, level, tap), weight);
            n += 1;
        }
        self.blend().mean(&texels[..n], 256)
    }

    /// Samples with a level of detail (8 fraction bits).
    fn at_lod(&self, p: &Point, lod: i32, tap: &mut impl Tap) -> u32 {
        let (control, data) = (&self.unit.control, &self.unit.data);
        tap.lod(lod);
        if lod <= 0 {
            return self.in_level(p, 0, control.mag, tap);
        }
        let lod = lod::limit(self.unit, lod);
        tap.lod(lod);
        match control.mip {
            Mip::Base => self.in_level(p, 0, control.min, tap),
            Mip::Nearest => {
                let level = (lod + 128) >> 8;
                self.in_level(p, level.min(data.last_level), control.min, tap)
            }
            Mip::Linear => {
                let level = lod >> 8;
                let a = self.in_level(p, level, control.min, tap);
                let w = lod as u32 & 255;
                if w == 0 {
                    return a;
                }
                let b = self.in_level(p, level + 1, control.min, tap);
                self.blend().lerp(a, b, w)
            }
        }
    }

    fn blend(&self) -> Blend {
        Blend::new(self.unit.control.class, self.unit.control.signed)
    }

    /// Filters within one level.
    fn in_level(&self, p: &Point, level: i32, filter: Filter, tap: &mut impl Tap) -> u32 {
        let number = (level.max(0) as usize).min(self.image.levels.len() - 1);
        let level = &self.image.levels[number];
        let at = self.fixed(p, level, usize::from(filter == Filter::Linear));
        tap.level(number, filter, at);
        match filter {
            Filter::Nearest => self.texel(p, level, at.map(|c| c >> 8), tap),
            Filter::Linear => self.linear(p, level, at, tap),
            Filter::Convolution => self.convolution(p, level, at, tap),
        }
    }

    /// Coordinates in texels with 8 fraction bits. Multiplying by the size, a
    /// power of two, is exact, so is cutting; nothing is rounded here.
    #[inline(always)]
    fn fixed(&self, p: &Point, level: &Level, linear: usize) -> [i32; 3] {
        let control = &self.unit.control;
        std::array::from_fn(|k| {
            if k >= 2 && !p.three {
                return 0;
            }
            let size = if control.rect { 1 } else { level.size[k] };
            // The size of a probe's way is rounded, then it gets its sign.
            let way = p.shift[k] * (size * 256) as f32;
            let way = whole((way.abs() + 0.5).floor().copysign(way));
            let mut c = to_fixed(p.at[k] * (size * 256) as f32).saturating_add(way);
            if control.wrap[k] == Wrap::Clamp {
                // To the image's edges, from where a linear filter reaches the border.
                let end = level.size[k] * 256 - i32::from(linear == 0);
                c = c.clamp(0, end);
            }
            match (linear, control.centred[linear]) {
                (0, true) => c.saturating_add(128),
                (1, false) => c.saturating_sub(128),
                _ => c,
            }
        })
    }

    fn linear(&self, p: &Point, level: &Level, at: [i32; 3], tap: &mut impl Tap) -> u32 {
        let [x, y, z] = at.map(|c| c >> 8);
        let [wx, wy, wz] = at.map(|c| c as u32 & 255);
        let blend = self.blend();
        let mut row = |y: i32, z: i32| {
            let a = self.texel(p, level, [x, y, z], tap);
            if wx == 0 {
                return a;
            }
            blend.lerp(a, self.texel(p, level, [x + 1, y, z], tap), wx)
        };
        if self.unit.control.dims == 1 {
            return row(y, z);
        }
        let mut plane = |z: i32| {
            let a = row(y, z);
            if wy == 0 {
                return a;
            }
            blend.lerp(a, row(y + 1, z), wy)
        };
        let a = plane(z);
        if !p.three || wz == 0 {
            return a;
        }
        blend.lerp(a, plane(z + 1), wz)
    }

    /// A 3x3 kernel around the nearest texel. No capture uses it: the weights are
    /// those of the names, the rounding is that of the anisotropic mean.
    fn convolution(&self, p: &Point, level: &Level, at: [i32; 3], tap: &mut impl Tap) -> u32 {
        let [x, y, z] = at.map(|c| c >> 8);
        let [centre, edge, corner] = self.unit.control.kernel.weights();
        let mut texels = [(0, 0); 9];
        for (i, t) in texels.iter_mut().enumerate() {
            let (dx, dy) = (i as i32 % 3 - 1, i as i32 / 3 - 1);
            let weight = match dx.abs() + dy.abs() {
                0 => centre,
                1 => edge,
                _ => corner,
            };
            if weight != 0 {
                *t = (self.texel(p, level, [x + dx, y + dy, z], tap), weight);
            }
        }
        self.blend().mean(&texels, 16)
    }

    /// One texel at integer coordinates, wrapped, compared if it is a depth.
    #[inline(always)]
    fn texel(&self, p: &Point, level: &Level, at: [i32; 3], tap: &mut impl Tap) -> u32 {
        let control = &self.unit.control;
        let mut index = level.origin as i32 + (p.face * level.face) as i32;
        let mut outside = false;
        for k in 0..3 {
            if k >= control.dims as usize || k == 2 && !p.three {
                break;
            }
            let step = [1, level.row as i32, level.slice as i32][k];
            match wrap(at[k], level.size[k], control.wrap[k], control.border) {
                Some(i) => index += i * step,
                None => outside = true,
            }
        }
        let texel = if outside {
            tap.border(at, self.unit.data.border_color);
            self.unit.data.border_color
        } else {
            let index = index as usize;
            if control.key_kill && self.image.is_killed(index) {
                tap.kill();
            }
            let texel = self.image.texels.get(index).copied().unwrap_or(0);
            tap.texel(at, index, texel);
            texel
        };
        if control.class == Class::Depth && !outside {
            tap.compared(p.reference);
            return compare(control.compare, p.reference, texel);
        }
        texel
    }

    /// The depth that a fragment compares with: r / q of a 3D operation, else 0,
    /// in the texture's own units.
    fn reference(&self, c: &Coords, i: usize) -> u32 {
        let control = &self.unit.control;
        if control.class != Class::Depth || !c.three {
            return 0;
        }
        depth_units(c.p[i], control.depth24, control.depth_float)
    }
}

/// A texel coordinate with 8 fraction bits, cut; limited so that half a texel more
/// or less still fits. What is no number becomes 0.
#[inline(always)]
pub fn to_fixed(x: f32) -> i32 {
    whole(x.floor())
}

/// The lanes' footprints, as far as the state asks for them.
#[allow(clippy::large_enum_variant)] // on the stack, one per block
pub(super) enum Spread {
    /// Not at all.
    None,
    /// Levels of detail.
    Lods(I),
    /// Both sides, for anisotropic filters.
    Footprints([Footprint; LANES]),
}

/// One fragment's place.
#[derive(Clone, Copy)]
struct Point {
    at: [f32; 3],
    /// From there to an anisotropic probe.
    shift: [f32; 3],
    face: u32,
    /// The third axis addresses.
    three: bool,
    reference: u32,
}

/// Wraps an integer coordinate; `None` shows the border colour. With texels
/// around the image the border modes reach four texels beyond it.
#[inline(always)]
fn wrap(i: i32, size: i32, mode: Wrap, border: bool) -> Option<i32> {
    match mode {
        Wrap::Repeat => Some(i & (size - 1)),
        Wrap::Mirror => {
            let j = i & (2 * size - 1);
            Some(j.min(2 * size - 1 - j))
        }
        Wrap::ClampToEdge => Some(i.clamp(0, size - 1)),
        Wrap::ClampToBorder | Wrap::Clamp => {
            if border {
                Some(i.clamp(-BORDER, size - 1 + BORDER))
            } else {
                (0..size).contains(&i).then_some(i)
            }
        }
    }
}

/// A coordinate as a depth value of the texture's format (the conversion of the
/// depth buffer, see docs/accuracy/rop.md).
pub fn depth_units(r: f32, depth24: bool, float: bool) -> u32 {
    // Not a number compares as 0.
    let r = if r > 0.0 { r } else { 0.0 };
    match (float, depth24) {
        (false, _) => depth::fixed(r, depth::top(depth24)),
        (true, true) => depth::float24(r),
        (true, false) => depth::float16(r),
    }
}

/// reference FUNC texel, as all ones or all zeros.
fn compare(func: u8, reference: u32, texel: u32) -> u32 {
    let pass = match func {
        0 => false,
        1 => reference > texel,
        2 => reference == texel,
        3 => reference >= texel,
        4 => reference < texel,
        5 => reference != texel,
        6 => reference <= texel,
        _ => true,
    };
    if pass { !0 } else { 0 }
}
