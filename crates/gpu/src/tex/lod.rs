//! Footprint, level of detail, anisotropy.

use super::sample::Coords;
use super::unit::Unit;
use crate::frag::{F, LANES};

/// A fragment's footprint on level 0 of an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Longer derivative, in texels per pixel.
    pub major: f32,
    /// Shorter derivative.
    pub minor: f32,
    /// The longer derivative as a vector in coordinate units.
    pub axis: [f32; 3],
}

/// Differences between the two columns and the two rows of each 2x2 quad, as
/// lengths in texels: the norm is Euclidean (Texture_border/Cube 32x32).
pub fn footprints(unit: &Unit, c: &Coords) -> [Footprint; LANES] {
    let mut scale: [f32; 3] = if unit.control.rect {
        [1.0; 3]
    } else {
        unit.data.size.map(|s| s as f32)
    };
    if !c.three || unit.control.dims < 3 {
        scale[2] = 0.0;
    }
    std::array::from_fn(|i| {
        let dx = difference(c, i & !1, i | 1, i);
        let dy = difference(c, i & !8, i | 8, i);
        let length = |d: [f32; 3]| {
            let [x, y, z] = std::array::from_fn(|k| d[k] * scale[k]);
            (x * x + y * y + z * z).sqrt()
        };
        let (lx, ly) = (length(dx), length(dy));
        // A NaN makes neither comparison true; the footprint is then 0.
        let (major, minor, axis) = if lx >= ly { (lx, ly, dx) } else { (ly, lx, dy) };
        Footprint { major, minor, axis }
    })
}

/// The change of the coordinates from lane `a` to lane `b`, as seen by lane `i`
/// (on its face, if the image has faces).
fn difference(c: &Coords, a: usize, b: usize, i: usize) -> [f32; 3] {
    if let Some(cube) = &c.cube {
        let on = |lane: usize| cube.on_face(lane, c.face[i]);
        let ([ua, va], [ub, vb]) = (on(a), on(b));
        return [ub - ua, vb - va, 0.0];
    }
    let d = |x: &F| x[b] - x[a];
    [d(&c.u), d(&c.v), d(&c.p)]
}

/// log2 of a footprint with 8 fraction bits, cut.
pub fn log2_8(rho: f32) -> i32 {
    if rho > 0.0 {
        (rho.log2() * 256.0).floor() as i32
    } else {
        i32::MIN / 2
    }
}

/// How many probes an anisotropic footprint takes, and how far they spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probes {
    /// The ratio of the sides, at most the unit's limit; below it one probe is enough.
    pub ratio: f32,
}

/// Below this ratio one probe is taken (Texture_anisotropy puts the switch
/// between 1.25 and 1.45).
const ONE_PROBE: f32 = 1.4;

impl Probes {
    /// From a footprint and the largest anisotropy.
    pub fn new(f: &Footprint, most: f32) -> Probes {
        let ratio = (f.major / f.minor.max(1.0)).min(most);
        Probes {
            ratio: if ratio >= ONE_PROBE {
                ratio.max(2.0)
            } else {
                1.0
            },
        }
    }

    /// Places along the major axis (in units of it) and weights in 1/256.
    pub fn places(&self) -> impl Iterator<Item = (f32, u32)> {
        let r = self.ratio;
        let pairs = if r > 1.0 { (r / 2.0).ceil() as u32 } else { 0 };
        (0..pairs)
            .flat_map(move |j| {
                let at = (j as f32 + 0.5) / r;
                let weight = (((r - 2.0 * j as f32) / 2.0).clamp(0.0, 1.0) * 256.0) as u32;
                [(at, weight), (-at, weight)]
            })
            .chain((pairs == 0).then_some((0.0, 256)))
    }
}
