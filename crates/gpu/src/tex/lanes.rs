//! The common case, sixteen fragments at a time: a plain 2D image of unsigned
//! bytes, no border, nearest or linear, with or without levels. Gives the same
//! bits as the general path in `sample.rs`; `ISOTHERM_GENERAL_TEXTURES=1` switches
//! it off to bisect a wrong picture.

use super::filter::{Pairs, weights};
use super::image::{Image, Level};
use super::lod::{self, MAGNIFY};
use super::sample::{Texels, to_fixed};
use super::unit::{Filter, Mip, Unit, Wrap};
use crate::frag::{F, Halves, I, LANES};

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;

/// Samples a unit whose state is plain.
#[inline(always)]
pub fn plain(unit: &Unit, image: &Image, u: &F, v: &F) -> Texels {
    if !unit.control.needs_lod() {
        return in_level(unit, image, MAGNIFY, u, v);
    }
    let rho2 = lod::of_quads(unit, u, v);
    if let Some(level) = unit.sure.level(unit, &rho2) {
        return in_level(unit, image, level, u, v);
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
        let texels = in_level(unit, image, level, u, v);
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

/// The filter of a level, what it adds to coordinates with 8 fraction bits, and the level.
#[inline(always)]
fn footing<'a>(unit: &Unit, image: &'a Image, level: i32) -> (Filter, i32, &'a Level) {
    let control = &unit.control;
    let filter = if level == MAGNIFY {
        control.mag
    } else {
        control.min
    };
    let last = image.levels.len() - 1;
    let level = &image.levels[(level.max(0) as usize).min(last)];
    let offset = if filter == Filter::Linear {
        -128 * i32::from(!control.centred[1])
    } else {
        128 * i32::from(control.centred[0])
    };
    (filter, offset, level)
}

/// Filters within one level.
#[inline(always)]
fn in_level(unit: &Unit, image: &Image, level: i32, u: &F, v: &F) -> Texels {
    let control = &unit.control;
    let (filter, offset, level) = footing(unit, image, level);
    let [w, h, _] = level.size;
    let x = fixed(u, if control.rect { 1 } else { w }, offset);
    let y = fixed(v, if control.rect { 1 } else { h }, offset);
    let fetch = Fetch::new(image, level);
    let (x0, x1) = wrap(&x, w, control.wrap[0]);
    let (y0, y1) = wrap(&y, h, control.wrap[1]);
    if filter == Filter::Nearest {
        return fetch.texels(&x0, &y0);
    }
    let (wx, wy) = (weights(&x), weights(&y));
    let top = fetch.row(&x0, &x1, &y0, &wx);
    let bottom = fetch.row(&x0, &x1, &y1, &wx);
    top.blend(&bottom, &wy).texels()
}

/// Coordinates in texels with 8 fraction bits.
#[inline(always)]
fn fixed(x: &F, size: i32, offset: i32) -> I {
    let scale = (size * 256) as f32;
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

/// A level whose bounds were checked once.
struct Fetch<'a> {
    texels: &'a [u32],
    row: i32,
    size: [i32; 2],
}

impl<'a> Fetch<'a> {
    #[inline(always)]
    fn new(image: &'a Image, level: &Level) -> Fetch<'a> {
        let texels = &image.texels[level.origin as usize..];
        let [w, h, _] = level.size;
        let last = level.row as usize * (h - 1) as usize + (w - 1) as usize;
        assert!(w > 0 && h > 0 && last < texels.len().min(i32::MAX as usize));
        Fetch {
            texels,
            row: level.row as i32,
            size: [w, h],
        }
    }

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
            debug_assert!(x[i] < self.size[0] && y[i] < self.size[1]);
            // A signed 32-bit index is what a vector gather takes.
            let index = y[i] * self.row + x[i];
            // SAFETY: `wrap` gives 0 <= x < w and 0 <= y < h, and `new` has checked
            // that texel (w - 1, h - 1), the largest index of them, lies inside.
            out[i] = unsafe { *first.offset(index as isize) };
        }
        out
    }
}
