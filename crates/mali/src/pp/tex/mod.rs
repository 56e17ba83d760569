//! Textures: descriptors and sampling.

mod explain;
mod layers;
mod plain;

pub(crate) use plain::{Lookups, sample_common};

use super::texel::{self, Level};
use crate::pictures::{TextureLevel, byte};
use crate::words::tex as f;
use crate::{Error, command_stream};
use isotherm_bus::budget::{Cost, Held, Unit};
use isotherm_bus::memory::Memory;
use isotherm_lanes::dispatch;
use isotherm_lanes::half::{at_least, at_most, to_int};
use isotherm_lanes::lanes;
use isotherm_lanes::math::log2;
use isotherm_lanes::{LANES, Lane, Simd};
use std::collections::HashMap;
use std::sync::Arc;

/// Levels that a descriptor has room for.
const LEVELS: usize = 11;
/// Bytes of decoded textures that may stay between jobs.
const CACHE_BYTES: usize = 128 << 20;
/// Bytes of textures that a job may decode.
const JOB_BYTES: usize = 512 << 20;

/// A texture with its sampling state.
#[derive(Debug)]
pub struct Sampler {
    levels: Vec<Level>,
    cube: bool,
    unnormalised: bool,
    min_lod: f32,
    max_lod: f32,
    bias: f32,
    mip_linear: bool,
    min_nearest: bool,
    mag_nearest: bool,
    wrap: [u32; 3],
    border: [f32; 4],
    /// Neither level nor filter depend on the derivatives.
    fixed: bool,
    /// Steps between neighbours that need no logarithm.
    spans: Vec<plain::Span>,
    /// Filters reach across the edges of faces.
    joined: bool,
    /// The room for its texels, given back with them.
    held: Option<Held>,
}

/// Decoded textures by their descriptor, with the time of decoding.
#[derive(Default)]
pub(crate) struct Cache {
    known: HashMap<Vec<u32>, Entry>,
    bytes: usize,
    /// Decoded since the job began.
    job: usize,
    /// See [`super::WhatIf`].
    pub(crate) joined_cubes: bool,
}

struct Entry {
    sampler: Arc<Sampler>,
    when: u32,
    ranges: Vec<(u32, usize)>,
    bytes: usize,
}

impl Cache {
    /// A new job may decode as much as the one before.
    pub(crate) fn start_job(&mut self) {
        self.job = 0;
    }

    /// The texture of the descriptor at `addr`.
    pub(crate) fn get(&mut self, mem: &Memory, addr: u32) -> Result<Arc<Sampler>, Error> {
        let words = command_stream::words(mem, addr, 16);
        if let Some(entry) = self.known.get(&words) {
            let stale = |&(at, len): &(u32, usize)| mem.changed_since(at, len, entry.when);
            if !entry.ranges.iter().any(stale) {
                return Ok(Arc::clone(&entry.sampler));
            }
        }
        if self.job > JOB_BYTES {
            let what = "cut, the job's textures are too large".into();
            return Err(Error::Texture { addr, what });
        }
        let when = mem.now();
        let (mut sampler, ranges) =
            Sampler::new(mem, &words).map_err(|what| Error::Texture { addr, what })?;
        sampler.joined = self.joined_cubes;
        let bytes = sampler.levels.iter().map(Level::bytes).sum();
        self.job += bytes;
        let budget = mem.budget();
        sampler.held = budget.hold(Unit::Textures, bytes as u64);
        let texels = sampler.levels.iter().map(Level::cost).sum();
        if sampler.held.is_none() || !budget.charge(Unit::Textures, Cost::Texels, texels) {
            let what = "cut, over budget".into();
            return Err(Error::Texture { addr, what });
        }
        if self.bytes + bytes > CACHE_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        let sampler = Arc::new(sampler);
        let entry = Entry {
            sampler: Arc::clone(&sampler),
            when,
            ranges,
            bytes,
        };
        self.bytes += bytes;
        if let Some(old) = self.known.insert(words, entry) {
            self.bytes -= old.bytes;
        }
        Ok(sampler)
    }
}

/// How the texels of a descriptor lie in memory.
pub(crate) fn source(w: &[u32]) -> texel::TexelSource {
    texel::TexelSource {
        format: f::FORMAT.get(w),
        swap_rb: f::SWAP_RB.on(w),
        reverse: f::REVERSE.on(w),
        tiled: f::LAYOUT.get(w) == 3,
        stride: if f::HAS_STRIDE.on(w) {
            f::STRIDE.get(w)
        } else {
            0
        },
        range: f::RANGE.get(w),
        signed: f::SIGNED.on(w),
        repeats: [f::WRAP_S.get(w) == 0, f::WRAP_T.get(w) == 0],
    }
}

impl Sampler {
    /// Its levels as pictures.
    pub(crate) fn pictures(&self) -> Vec<TextureLevel> {
        let picture = |level: &Level| {
            let (width, height) = level.size();
            let (width, height, layers) = (width as i32, height as i32, level.layers() as i32);
            let rows = (0..layers).flat_map(|layer| (0..height).map(move |y| (y, layer)));
            let texels = rows.flat_map(|(y, layer)| (0..width).map(move |x| (x, y, layer)));
            let texel = |(x, y, layer)| level.texel(x, y, layer, &self.border).map(byte);
            TextureLevel {
                width: width as u32,
                height: height as u32,
                layers: layers as u32,
                rgba: texels.flat_map(texel).collect(),
            }
        };
        self.levels.iter().map(picture).collect()
    }

    pub(crate) fn new(mem: &Memory, w: &[u32]) -> Result<(Sampler, Vec<(u32, usize)>), String> {
        let (width, height) = (f::WIDTH.get(w).max(1), f::HEIGHT.get(w).max(1));
        let height = if f::DIM.get(w) == 0 { 1 } else { height };
        let (min, max) = (f::MIN_LOD.get(w), f::MAX_LOD.get(w));
        let cube = f::CUBE.on(w);
        let wanted = (max.div_ceil(16) as usize + 1).min(LEVELS);
        let useful = (32 - width.max(height).leading_zeros()) as usize;
        let source = source(w);
        let depth = if f::DIM.get(w) == 2 && !cube {
            f::DEPTH.get(w).max(1)
        } else {
            1
        };
        let (mut levels, mut ranges) = (Vec::new(), Vec::new());
        let mut texels = 0u64;
        for level in 0..wanted.min(useful) {
            let addr = f::level(w, level);
            if addr == 0 && level > 0 {
                break;
            }
            let layers = if cube { 6 } else { (depth >> level).max(1) };
            let (lw, lh) = ((width >> level).max(1), (height >> level).max(1));
            texels += u64::from(lw) * u64::from(lh) * u64::from(layers);
            // A cube of 2048x2048 with all its levels.
            if texels > 9 << 22 {
                return Err(format!("{width}x{height}x{layers} is too large"));
            }
            let (decoded, len) = source.level(mem, addr, lw, lh, layers, level)?;
            ranges.push((addr, len));
            levels.push(decoded);
        }
        if f::SWAP_RB.on(w) && source.format == 0 {
            return Err("format 0".into());
        }
        let (min_nearest, mag_nearest) = (f::MIN_NEAREST.on(w), f::MAG_NEAREST.on(w));
        let mip_linear = f::MIPFILTER.get(w) == 3;
        // The nearest texel of a level counts as half a level nearer: lima adds 1/2 to the bias
        // to make up for it, and silicon then passes dEQP's `nearest_linear_*`. Where all is
        // nearest lima takes away 1/16 instead, which shows: `nearest_nearest_*` fail.
        let all_nearest = min_nearest && mag_nearest && !mip_linear && min != max;
        let nearer = if min_nearest && !all_nearest {
            0.5
        } else {
            0.0
        };
        let border = f::BORDER.map(|b| b.get(w) as f32 / 65535.0);
        let mut sampler = Sampler {
            fixed: levels.len() == 1 && min_nearest == mag_nearest,
            levels,
            cube,
            unnormalised: f::UNNORM.on(w),
            min_lod: min as f32 / 16.0,
            max_lod: max as f32 / 16.0,
            bias: f::LOD_BIAS.signed(w) as f32 / 16.0 - nearer,
            mip_linear,
            min_nearest,
            mag_nearest,
            wrap: [f::WRAP_S, f::WRAP_T, f::WRAP_R].map(|b| b.get(w)),
            border,
            spans: Vec::new(),
            joined: false,
            held: None,
        };
        sampler.spans = sampler.find_spans();
        Ok((sampler, ranges))
    }

    /// Whether it has layers: a cube or a volume.
    pub(crate) fn has_layers(&self) -> bool {
        self.cube || self.levels.first().is_some_and(|l| l.layers() > 1)
    }

    /// Chooses levels and filter for each pixel. The range of levels does not decide between
    /// the filters.
    #[inline(always)]
    fn mipmapped<S: Simd>(&self, s: S::F, t: S::F, lambda: S::F) -> [S::F; 4] {
        let last = self.levels.len() - 1;
        let large = (self.min_lod as usize).min(last);
        let clamped = S::min(
            S::max(lambda, S::splat(self.min_lod)),
            S::splat(self.max_lod),
        );
        let first = if self.mip_linear {
            S::to_int(clamped)
        } else {
            // Halfway between two levels is the larger picture.
            let up = S::ceil(S::add(clamped, S::splat(0.5)));
            S::isub(S::to_int(up), S::isplat(1))
        };
        let first = S::imin(S::imax(first, S::isplat(0)), S::isplat(last as i32));
        // A fixed texture is as good as magnified everywhere: both filters are the same.
        let magnified = if self.fixed {
            0xFFFF
        } else {
            S::bits(S::le(lambda, S::splat(0.0)))
        };
        let mut levels = [0; LANES];
        S::istore(first, &mut levels);
        // Pixels that want the same levels are sampled together.
        let mut out = [S::splat(0.0); 4];
        let mut todo = 0xFFFFu32;
        while todo != 0 {
            let next = todo.trailing_zeros() as usize % LANES;
            let (same, level, nearest, mix) = if magnified >> next & 1 != 0 {
                (magnified, large, self.mag_nearest, false)
            } else {
                let level = levels[next];
                let same = S::bits(S::ieq(first, S::isplat(level as i32))) & !magnified;
                let level = (level as usize).min(last);
                (
                    same,
                    level,
                    self.min_nearest,
                    self.mip_linear && level < last,
                )
            };
            let mut r = [S::splat(0.0); 4];
            for second in 0..=usize::from(mix) {
                let x = self.at_level::<S>(&self.levels[level + second], s, t, nearest);
                if second == 0 {
                    r = x;
                    continue;
                }
                let share = S::sub(clamped, S::splat(level as f32));
                for c in 0..4 {
                    r[c] = S::add(r[c], S::mul(S::sub(x[c], r[c]), share));
                }
            }
            if same == 0xFFFF {
                return r;
            }
            let mask = S::mask(same & todo);
            for c in 0..4 {
                out[c] = S::select(mask, r[c], out[c]);
            }
            todo &= !same;
        }
        out
    }

    #[inline(always)]
    fn clamped(&self, lambda: f32) -> f32 {
        at_most(at_least(lambda, self.min_lod), self.max_lod)
    }

    /// Two levels to mix (or one twice) and whether to take the nearest texel. The range
    /// of levels does not decide between the filters.
    #[inline(always)]
    fn levels_at(&self, lambda: f32, last: usize) -> (usize, usize, bool) {
        if lambda <= 0.0 {
            let level = (self.min_lod as usize).min(last);
            return (level, level, self.mag_nearest);
        }
        let lambda = self.clamped(lambda);
        if self.mip_linear {
            let first = (to_int(lambda).max(0) as usize).min(last);
            return (first, (first + 1).min(last), self.min_nearest);
        }
        // Halfway between two levels is the larger picture.
        let level = (to_int((lambda + 0.5).ceil()) - 1).max(0) as usize;
        let level = level.min(last);
        (level, level, self.min_nearest)
    }

    #[inline(always)]
    fn at_level<S: Simd>(&self, level: &Level, s: S::F, t: S::F, nearest: bool) -> [S::F; 4] {
        let (wrap_s, wrap_t) = (self.wrap[0], self.wrap[1]);
        if !nearest
            && wrap_s <= 1
            && wrap_t <= 1
            && !self.unnormalised
            && let Some(out) = level.bilinear_bytes::<S>(s, t, [wrap_s == 0, wrap_t == 0])
        {
            return out;
        }
        let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
        S::store(s, &mut a);
        S::store(t, &mut b);
        let mut out = [[0.0; LANES]; 4];
        self.at_level_any(level, &a, &b, nearest, &mut out);
        [
            S::load(&out[0]),
            S::load(&out[1]),
            S::load(&out[2]),
            S::load(&out[3]),
        ]
    }

    /// Any wrap and any texels.
    #[inline(never)]
    fn at_level_any(&self, level: &Level, s: &Lane, t: &Lane, nearest: bool, out: &mut [Lane; 4]) {
        let (w, h) = level.size();
        let (sw, sh) = if self.unnormalised {
            (1.0, 1.0)
        } else {
            (w, h)
        };
        let (wrap_s, wrap_t) = (self.wrap[0], self.wrap[1]);
        if nearest {
            let (i, j) = (
                nearest_texel(wrap_s, s, sw, w),
                nearest_texel(wrap_t, t, sh, h),
            );
            *out = level.fetch(&i, &j, &self.border);
            return;
        }
        let (i0, i1, fx) = linear_texels(wrap_s, s, sw, w);
        let (j0, j1, fy) = linear_texels(wrap_t, t, sh, h);
        *out = level.bilinear(&i0, &i1, &j0, &j1, &fx, &fy, &self.border);
    }
}

/// What sixteen pixels, four quads, ask a sampler for.
pub(crate) struct SampleRequest<'a> {
    pub(crate) coord: [&'a Lane; 4],
    /// A bias or a level (true).
    pub(crate) lod: Option<(&'a Lane, bool)>,
    pub(crate) cube: bool,
    /// What comes out is rounded to half floats.
    pub(crate) rounds: bool,
}

dispatch! {
    /// Samples sixteen pixels.
    pub(crate) fn sample(texture: &Sampler, lookup: &SampleRequest, out: &mut [Lane; 4]) = sample_any::<Lanes>;
}

#[inline(always)]
fn sample_any<S: Simd>(texture: &Sampler, lookup: &SampleRequest, out: &mut [Lane; 4]) {
    let SampleRequest {
        coord, lod, cube, ..
    } = *lookup;
    if cube || texture.has_layers() {
        *out = texture.sample_layers(coord, lod, cube || texture.cube);
    } else {
        let (s, t) = (S::load(coord[0]), S::load(coord[1]));
        let (w, h) = if texture.unnormalised {
            (1.0, 1.0)
        } else {
            texture.levels[0].size()
        };
        let lambda = match lod {
            _ if texture.fixed => S::splat(0.0),
            Some((level, true)) => S::load(level),
            Some((bias, false)) => S::add(derivative_max::<S>(s, t, w, h), S::load(bias)),
            None => derivative_max::<S>(s, t, w, h),
        };
        let texel = texture.mipmapped::<S>(s, t, S::add(lambda, S::splat(texture.bias)));
        for c in 0..4 {
            S::store(texel[c], &mut out[c]);
        }
    }
    if lookup.rounds {
        for x in out {
            S::store(S::half(S::load(x)), x);
        }
    }
}

/// log2 of the largest step between neighbours in texels, for each pixel of its quad.
#[inline(always)]
fn derivative_max<S: Simd>(s: S::F, t: S::F, w: f32, h: f32) -> S::F {
    let ds = S::mul(largest_step::<S>(s), S::splat(w));
    log2::<S>(S::max(ds, S::mul(largest_step::<S>(t), S::splat(h))))
}

/// The larger of the steps across and down; one that is no number does not count.
#[inline(always)]
fn largest_step<S: Simd>(x: S::F) -> S::F {
    let first = S::pick::<0>(x);
    S::larger_size(
        S::sub(S::pick::<1>(x), first),
        S::sub(S::pick::<2>(x), first),
    )
}

/// The texel under a coordinate; −1 is the border.
#[inline(always)]
fn nearest_texel(wrap: u32, s: &Lane, scale: f32, size: f32) -> [i32; LANES] {
    let last = size as i32 - 1;
    let border = |u: f32| {
        if u < 0.0 || u > last as f32 || u.is_nan() {
            -1
        } else {
            u as i32
        }
    };
    match wrap {
        0 if scale == size => lanes!(|i| to_int((s[i] - s[i].floor()) * size).min(last)),
        0 => lanes!(|i| to_int(s[i] - (s[i] / size).floor() * size).min(last)),
        1 | 2 => lanes!(|i| to_int(at_least(s[i] * scale, 0.0)).min(last)),
        3 => lanes!(|i| border((s[i] * scale).floor())),
        4 => lanes!(|i| to_int(at_least(mirror(s[i] * scale / size) * size, 0.0)).min(last)),
        7 => lanes!(|i| border((s[i] * scale).abs().floor())),
        _ => lanes!(|i| to_int(at_least((s[i] * scale).abs(), 0.0)).min(last)),
    }
}

/// 0…1…0…
#[inline(always)]
fn mirror(s: f32) -> f32 {
    let f = s - 2.0 * (s * 0.5).floor();
    1.0 - (f - 1.0).abs()
}

/// The two texels beside a coordinate and the share of the second.
#[inline(always)]
fn linear_texels(wrap: u32, s: &Lane, scale: f32, size: f32) -> ([i32; LANES], [i32; LANES], Lane) {
    let last = size as i32 - 1;
    let u: Lane = match wrap {
        // Keep the whole part small, so that the fraction keeps its bits.
        0 if scale == size => lanes!(|i| (s[i] - s[i].floor()) * size - 0.5),
        0 => lanes!(|i| s[i] - (s[i] / size).floor() * size - 0.5),
        2 => lanes!(|i| at_most(at_least(s[i] * scale, 0.0), size) - 0.5),
        4 => lanes!(|i| mirror(s[i] * scale / size) * size - 0.5),
        5 | 7 => lanes!(|i| (s[i] * scale).abs() - 0.5),
        6 => lanes!(|i| at_most((s[i] * scale).abs(), size) - 0.5),
        _ => lanes!(|i| s[i] * scale - 0.5),
    };
    let mut fx = [0.0; LANES];
    let (mut i0, mut i1) = ([0i32; LANES], [0i32; LANES]);
    for i in 0..LANES {
        let u = at_most(at_least(u[i], -2.0), size + 2.0);
        let floor = u.floor();
        fx[i] = u - floor;
        i0[i] = to_int(floor);
        i1[i] = i0[i] + 1;
    }
    match wrap {
        0 => {
            for i in 0..LANES {
                i0[i] = if i0[i] < 0 { last } else { i0[i].min(last) };
                i1[i] = if i1[i] > last { 0 } else { i1[i] };
            }
        }
        2 | 3 | 6 | 7 => {
            for i in 0..LANES {
                i0[i] = if i0[i] > last { -1 } else { i0[i].max(-1) };
                i1[i] = if i1[i] > last { -1 } else { i1[i].max(-1) };
            }
        }
        _ => {
            for i in 0..LANES {
                i0[i] = i0[i].max(0).min(last);
                i1[i] = i1[i].max(0).min(last);
            }
        }
    }
    (i0, i1, fx)
}
