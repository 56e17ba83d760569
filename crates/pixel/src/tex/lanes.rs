//! The common case, sixteen fragments at a time: a plain 2D image of unsigned
//! bytes, no border, nearest or linear, with or without levels. Gives the same
//! bits as the general path in `sample.rs`; `ISOTHERM_GENERAL_TEXTURES=1` switches
//! it off to bisect a wrong picture.

use super::filter::{Pairs, weights};
use super::image::{Image, Level};
use super::lod::{self, MAGNIFY};
use super::num::moved;
use super::sample::{Texels, to_fixed};
use super::unit::{Filter, Mip, SMALL, Unit, Wrap};
use crate::frag::{F, Halves, I, LANES};
use isotherm_lanes::{Base, Simd};
use std::sync::Arc;

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;

/// Sampling for each level.
pub trait SampleLanes: Simd {
    /// Samples a texture unit whose state is plain. `hint` is kept from block to block.
    #[inline(always)]
    fn sample(unit: &Unit, texture: &PreparedTexture, hint: &mut usize, u: &F, v: &F) -> Texels {
        let _ = hint;
        texture.sample(unit, u, v)
    }

    /// What a program's lookup finds within a level: blue and red, green and alpha. `None` if this
    /// form has nothing better than [`Simd`]'s instructions.
    #[inline(always)]
    fn in_level(image: &Image, level: &SimpleLevel, at: [Self::F; 2]) -> Option<[Self::I; 2]> {
        let _ = (image, level, at);
        None
    }

    /// Coordinates that another stage's texels have moved: `x` + `a` `b` + `c` `d`.
    #[inline(always)]
    fn moved(x: &F, [a, c]: [f32; 2], [b, d]: &[F; 2]) -> F {
        let mut out = [0.0; LANES];
        for l in 0..LANES {
            out[l] = moved(x[l], a, b[l], c, d[l]);
        }
        out
    }
}

/// Not inlined: the base level is fast enough with calls, and its copy is the largest.
impl SampleLanes for Base {
    #[inline(never)]
    fn sample(unit: &Unit, texture: &PreparedTexture, _: &mut usize, u: &F, v: &F) -> Texels {
        texture.sample(unit, u, v)
    }
}

#[cfg(target_arch = "x86_64")]
impl SampleLanes for isotherm_lanes::Avx2 {}

#[cfg(target_arch = "x86_64")]
impl SampleLanes for isotherm_lanes::Avx512 {
    #[inline(always)]
    fn sample(unit: &Unit, texture: &PreparedTexture, hint: &mut usize, u: &F, v: &F) -> Texels {
        // SAFETY: only functions compiled for AVX-512 use this form.
        unsafe { avx512::plain(unit, texture, hint, u, v) }
    }

    #[inline(always)]
    fn in_level(image: &Image, level: &SimpleLevel, at: [Self::F; 2]) -> Option<[Self::I; 2]> {
        // SAFETY: only functions compiled for AVX-512 use this form.
        Some(unsafe { avx512::pairs_in_level(image, level, at) })
    }

    #[inline(always)]
    fn moved(x: &F, by: [f32; 2], texels: &[F; 2]) -> F {
        // SAFETY: as above.
        let moved = unsafe { avx512::moved(x, by, texels) };
        moved.unwrap_or_else(|| Base::moved(x, by, texels))
    }
}

/// A texture of a unit whose state is plain, with what each of its levels needs at hand.
#[derive(Clone, Debug)]
pub struct PreparedTexture {
    image: Arc<Image>,
    /// Magnification, then the levels as [`lod::CertainLevels`] knows them.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only AVX-512 reads it")
    )]
    levels: [SimpleLevel; lod::LEVELS],
    /// Does its level depend on where it is sampled?
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only AVX-512 reads it")
    )]
    needs_lod: bool,
    /// Halves of the texels per unit of each coordinate, both twice.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only AVX-512 reads it")
    )]
    half: [f32; 4],
}

/// A texture stage whose unit's state is plain, with its texture.
#[derive(Clone, Debug)]
pub struct SimpleStage {
    unit: Unit,
    texture: PreparedTexture,
    /// What `unit` is a copy of: who samples needs both at hand.
    of: Arc<Unit>,
}

impl SimpleStage {
    /// From the unit and its image.
    pub fn new(unit: &Arc<Unit>, image: Arc<Image>) -> SimpleStage {
        SimpleStage {
            texture: PreparedTexture::new(unit, image),
            unit: (**unit).clone(),
            of: unit.clone(),
        }
    }

    /// Is it this unit's?
    pub(super) fn is_of(&self, unit: &Arc<Unit>) -> bool {
        Arc::ptr_eq(&self.of, unit)
    }

    /// What it samples at coordinates that are divided by q.
    #[inline(always)]
    pub(crate) fn sample<L: SampleLanes>(&self, hint: &mut usize, s: &F, t: &F) -> Texels {
        L::sample(&self.unit, &self.texture, hint, s, t)
    }
}

/// A level and how it is sampled.
#[derive(Clone, Copy, Debug)]
pub struct SimpleLevel {
    /// Bits of the squared lengths that certainly choose it.
    certain: [u32; 2],
    rules: Rules,
    /// Texels: width and height. They and `row` are such that all of them lie in the
    /// image's texels from `origin` on.
    size: [i32; 2],
    /// The last coordinates with 8 fraction bits, or those that repeat: the bits that are kept.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only AVX-512 reads it")
    )]
    last: [i32; 2],
    origin: usize,
    row: i32,
    /// The second texel in a row and the one below are always one step away.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only AVX-512 reads it")
    )]
    steady: bool,
}

/// From coordinates to a texel.
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(dead_code, reason = "only AVX-512 samples for programs")
)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub filter: Filter,
    /// Repeating and mirroring is for powers of two; all else clamps to the edge.
    pub wrap: [Wrap; 2],
    /// From coordinates to texels with 8 fraction bits.
    pub scale: [f32; 2],
    pub offset: i32,
    /// For programs: what is added before coordinates are cut, and whether the very middle of
    /// four texels is rounded once.
    pub nudge: f32,
    pub middle: bool,
}

impl Rules {
    /// Can coordinates be such that the second texel of an image with a margin is always one
    /// step away? Sizes that are no powers of two repeat by their bits, somewhere inside.
    fn is_steady(&self, size: [i32; 2]) -> bool {
        let axis = |(mode, size): (Wrap, i32)| match mode {
            Wrap::Mirror | Wrap::Repeat => size.cast_unsigned().is_power_of_two(),
            _ => true,
        };
        self.wrap.into_iter().zip(size).all(axis)
    }

    /// What [`SimpleLevel`] says of an axis of this size.
    fn last(&self, axis: usize, size: i32) -> i32 {
        match self.wrap[axis] {
            Wrap::Repeat => (size << 8).wrapping_sub(1),
            _ => (size - 1) << 8,
        }
    }
}

impl SimpleLevel {
    #[inline(always)]
    fn new(unit: &Unit, image: &Image, level: i32) -> SimpleLevel {
        let control = &unit.control;
        let filter = if level == MAGNIFY {
            control.mag
        } else {
            control.min
        };
        let last = image.levels.len() - 1;
        let certain = if control.needs_lod() {
            unit.certain.bounds(level)
        } else {
            [0, u32::MAX]
        };
        let level = &image.levels[(level.max(0) as usize).min(last)];
        let [w, h, _] = level.size;
        let rules = Rules {
            filter,
            wrap: [control.wrap[0], control.wrap[1]],
            scale: [w, h].map(|size| {
                if control.rect {
                    256.0
                } else {
                    (size * 256) as f32
                }
            }),
            offset: if filter == Filter::Linear {
                -128 * i32::from(!control.centred[1])
            } else {
                128 * i32::from(control.centred[0])
            },
            nudge: 0.0,
            middle: false,
        };
        let mut simple = SimpleLevel::checked(image, level, rules).expect("a plain state's level");
        simple.certain = certain;
        simple
    }

    /// A level of an image, if all of its texels are there and their places are small.
    #[inline(always)]
    pub(super) fn checked(image: &Image, level: &Level, rules: Rules) -> Option<SimpleLevel> {
        let [w, h, _] = level.size;
        let texels = image.texels.len().checked_sub(level.origin as usize)?;
        if w <= 0 || h <= 0 || h as u32 > SMALL || level.row >= SMALL {
            return None;
        }
        let end = level.row as usize * (h - 1) as usize + (w - 1) as usize;
        (end < texels.min(i32::MAX as usize)).then_some(SimpleLevel {
            certain: [0, u32::MAX],
            steady: image.margin && rules.is_steady([w, h]),
            last: [rules.last(0, w), rules.last(1, h)],
            rules,
            size: [w, h],
            origin: level.origin as usize,
            row: level.row as i32,
        })
    }
}

impl PreparedTexture {
    /// A unit, whose state must be plain, and its image.
    pub fn new(unit: &Unit, image: Arc<Image>) -> PreparedTexture {
        PreparedTexture {
            levels: std::array::from_fn(|i| SimpleLevel::new(unit, &image, i as i32 + MAGNIFY)),
            needs_lod: unit.control.needs_lod(),
            half: {
                let [w, h] = lod::extent(unit);
                [0.5 * w, 0.5 * w, 0.5 * h, 0.5 * h]
            },
            image,
        }
    }

    /// Samples it.
    #[inline(always)]
    pub fn sample(&self, unit: &Unit, u: &F, v: &F) -> Texels {
        plain(unit, &self.image, u, v)
    }
}

/// Samples a unit whose state is plain.
#[inline(always)]
pub fn plain(unit: &Unit, image: &Image, u: &F, v: &F) -> Texels {
    if !unit.control.needs_lod() {
        return in_level(image, &SimpleLevel::new(unit, image, MAGNIFY), u, v);
    }
    let rho2 = lod::of_quads(unit, u, v);
    if let Some(level) = unit.certain.level(unit, &rho2) {
        return in_level(image, &SimpleLevel::new(unit, image, level), u, v);
    }
    let (mut quads, mut parts) = ([0; LANES / 2], [0; LANES / 2]);
    for i in 0..LANES / 2 {
        let lod = lod::half_log2_8(rho2[i]).saturating_add(unit.data.lod_bias);
        quads[i] = lod::level(unit, lod);
        parts[i] = if unit.control.mip == Mip::Linear && lod > 0 {
            lod::limit(unit, lod) & 255
        } else {
            0
        };
    }
    let (mut first, mut last) = (quads[0], quads[0]);
    for i in 0..LANES / 2 {
        let reach = quads[i] + i32::from(parts[i] != 0);
        first = if quads[i] < first { quads[i] } else { first };
        last = if reach > last { reach } else { last };
    }
    let (mut levels, mut between) = ([0; LANES], [0; LANES]);
    for i in 0..LANES {
        levels[i] = quads[i % (LANES / 2)];
        between[i] = parts[i % (LANES / 2)];
    }
    let (mut a, mut b) = ([0; LANES], [0; LANES]);
    // Every level that any lane needs; nearly always there is one.
    for level in first..=last {
        let mut wanted = 0;
        for i in 0..LANES {
            let next = (levels[i] + 1 == level) & (between[i] != 0);
            wanted |= u32::from((levels[i] == level) | next);
        }
        if wanted == 0 {
            continue;
        }
        let texels = in_level(image, &SimpleLevel::new(unit, image, level), u, v);
        if first == last {
            return texels;
        }
        for i in 0..LANES {
            a[i] = if levels[i] == level { texels[i] } else { a[i] };
            b[i] = if levels[i] + 1 == level {
                texels[i]
            } else {
                b[i]
            };
        }
    }
    if unit.control.mip != Mip::Linear {
        return a;
    }
    Pairs::new(&a)
        .blend(&Pairs::new(&b), &weights(&between))
        .texels()
}

/// Filters within one level.
#[inline(always)]
fn in_level(image: &Image, level: &SimpleLevel, u: &F, v: &F) -> Texels {
    let [w, h] = level.size;
    let rules = &level.rules;
    let x = fixed(u, rules.scale[0], rules.offset);
    let y = fixed(v, rules.scale[1], rules.offset);
    let fetch = Fetch {
        texels: &image.texels[level.origin..],
        level,
    };
    let (x0, x1) = wrap(&x, w, rules.wrap[0]);
    let (y0, y1) = wrap(&y, h, rules.wrap[1]);
    if rules.filter == Filter::Nearest {
        return fetch.texels(&x0, &y0);
    }
    let (wx, wy) = (weights(&x), weights(&y));
    let top = fetch.row(&x0, &x1, &y0, &wx);
    let bottom = fetch.row(&x0, &x1, &y1, &wx);
    top.blend(&bottom, &wy).texels()
}

/// Coordinates in texels with 8 fraction bits.
#[inline(always)]
fn fixed(x: &F, scale: f32, offset: i32) -> I {
    let mut out = [0; LANES];
    for i in 0..LANES {
        out[i] = to_fixed(x[i] * scale) + offset;
    }
    out
}

/// The texel of the cut coordinate and its right neighbour, wrapped.
#[inline(always)]
fn wrap(fixed: &I, size: i32, mode: Wrap) -> (I, I) {
    let (mut a, mut b) = ([0; LANES], [0; LANES]);
    match mode {
        Wrap::Repeat => {
            for i in 0..LANES {
                a[i] = (fixed[i] >> 8) & (size - 1);
                b[i] = ((fixed[i] >> 8) + 1) & (size - 1);
            }
        }
        Wrap::Mirror => {
            let turn = 2 * size - 1;
            for i in 0..LANES {
                let j = (fixed[i] >> 8) & turn;
                let k = ((fixed[i] >> 8) + 1) & turn;
                a[i] = j.min(turn - j);
                b[i] = k.min(turn - k);
            }
        }
        _ => {
            for i in 0..LANES {
                a[i] = (fixed[i] >> 8).clamp(0, size - 1);
                b[i] = ((fixed[i] >> 8) + 1).clamp(0, size - 1);
            }
        }
    }
    (a, b)
}

/// A level's texels, all of which are there.
struct Fetch<'a> {
    texels: &'a [u32],
    level: &'a SimpleLevel,
}

impl Fetch<'_> {
    /// Neighbours in a row, blended.
    #[inline(always)]
    fn row(&self, x0: &I, x1: &I, y: &I, w: &Halves) -> Pairs {
        let (a, b) = (self.texels(x0, y), self.texels(x1, y));
        Pairs::new(&a).blend(&Pairs::new(&b), w)
    }

    /// Texels at coordinates that `wrap` made.
    #[inline(always)]
    fn texels(&self, x: &I, y: &I) -> Texels {
        let first = self.texels.as_ptr();
        let mut out = [0; LANES];
        for i in 0..LANES {
            debug_assert!(x[i] < self.level.size[0] && y[i] < self.level.size[1]);
            // A signed 32-bit index is what a vector gather takes.
            let index = y[i] * self.level.row + x[i];
            // SAFETY: `wrap` gives 0 <= x < w and 0 <= y < h, and `SimpleLevel::new` has
            // checked that texel (w - 1, h - 1), the largest index of them, lies inside.
            out[i] = unsafe { *first.offset(index as isize) };
        }
        out
    }
}
