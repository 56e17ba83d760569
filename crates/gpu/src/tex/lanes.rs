//! The common case, sixteen fragments at a time: a plain 2D image of unsigned
//! bytes, no border, nearest or linear, with or without levels. Gives the same
//! bits as the general path in `sample.rs`; `ISOTHERM_GENERAL_TEXTURES=1` switches
//! it off to bisect a wrong picture.

use super::filter;
use super::image::{Image, Level};
use super::lod;
use super::sample::{Coords, Texels, to_fixed};
use super::unit::{Filter, Mip, Unit, Wrap};
use crate::frag::{F, I, LANES};

/// Samples, if all lanes can go the same way.
#[inline(always)]
pub fn sample(unit: &Unit, image: &Image, c: &Coords) -> Option<Texels> {
    let control = &unit.control;
    if !control.plain {
        return None;
    }
    if !control.needs_lod() {
        return Some(in_level(unit, image, 0, control.mag, c));
    }
    let lods = lod::lods(unit, c);
    let (mut low, mut high) = (lods[0], lods[0]);
    for &l in &lods[1..] {
        low = low.min(l);
        high = high.max(l);
    }
    if high <= 0 {
        return Some(in_level(unit, image, 0, control.mag, c));
    }
    if low <= 0 {
        return None;
    }
    let clamp = |l: i32| lod::limit(unit, l);
    match control.mip {
        Mip::Base => Some(in_level(unit, image, 0, control.min, c)),
        Mip::Nearest => {
            let level = |l: i32| (clamp(l) + 128) >> 8;
            (level(low) == level(high)).then(|| in_level(unit, image, level(low), control.min, c))
        }
        Mip::Linear => {
            let level = clamp(low) >> 8;
            if level != clamp(high) >> 8 {
                return None;
            }
            let a = in_level(unit, image, level, control.min, c);
            if level == unit.data.last_level {
                return Some(a);
            }
            let b = in_level(unit, image, level + 1, control.min, c);
            let mut out = [0; LANES];
            for i in 0..LANES {
                out[i] = filter::bytes(a[i], b[i], clamp(lods[i]) as u32 & 255);
            }
            Some(out)
        }
    }
}

#[inline(always)]
fn in_level(unit: &Unit, image: &Image, level: i32, filter: Filter, c: &Coords) -> Texels {
    let last = image.levels.len() - 1;
    let level = &image.levels[(level.max(0) as usize).min(last)];
    let control = &unit.control;
    let offset = if filter == Filter::Linear {
        -128 * i32::from(!control.centred[1])
    } else {
        128 * i32::from(control.centred[0])
    };
    let fixed = |x: &F, axis: usize| -> I {
        let size = if control.rect { 1 } else { level.size[axis] };
        let scale = (size * 256) as f32;
        let mut out = [0; LANES];
        for i in 0..LANES {
            out[i] = to_fixed(x[i] * scale) + offset;
        }
        out
    };
    let (x, y) = (fixed(&c.u, 0), fixed(&c.v, 1));
    let [w, h, _] = level.size;
    let [ws, wt, _] = control.wrap;
    let x0 = wrap(&x, 0, w, ws);
    let y0 = wrap(&y, 0, h, wt);
    let fetch = Fetch::new(image, level);
    if filter == Filter::Nearest {
        return fetch.texels(&x0, &y0);
    }
    let x1 = wrap(&x, 1, w, ws);
    let y1 = wrap(&y, 1, h, wt);
    let a = fetch.texels(&x0, &y0);
    let b = fetch.texels(&x1, &y0);
    let c = fetch.texels(&x0, &y1);
    let d = fetch.texels(&x1, &y1);
    let mut out = [0; LANES];
    for i in 0..LANES {
        let (wx, wy) = (x[i] as u32 & 255, y[i] as u32 & 255);
        let top = filter::bytes(a[i], b[i], wx);
        let bottom = filter::bytes(c[i], d[i], wx);
        out[i] = filter::bytes(top, bottom, wy);
    }
    out
}

/// Texel `step` to the right of the cut coordinate, wrapped.
#[inline(always)]
fn wrap(fixed: &I, step: i32, size: i32, mode: Wrap) -> I {
    let mut out = [0; LANES];
    match mode {
        Wrap::Repeat => {
            for i in 0..LANES {
                out[i] = ((fixed[i] >> 8) + step) & (size - 1);
            }
        }
        Wrap::Mirror => {
            for i in 0..LANES {
                let j = ((fixed[i] >> 8) + step) & (2 * size - 1);
                out[i] = j.min(2 * size - 1 - j);
            }
        }
        _ => {
            for i in 0..LANES {
                out[i] = ((fixed[i] >> 8) + step).clamp(0, size - 1);
            }
        }
    }
    out
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
        assert!(w > 0 && h > 0 && last < texels.len());
        Fetch {
            texels,
            row: level.row as i32,
            size: [w, h],
        }
    }

    /// Texels at coordinates that `wrap` made.
    #[inline(always)]
    fn texels(&self, x: &I, y: &I) -> Texels {
        let mut out = [0; LANES];
        for i in 0..LANES {
            debug_assert!(x[i] < self.size[0] && y[i] < self.size[1]);
            let index = (y[i] * self.row + x[i]) as u32 as usize;
            // SAFETY: `wrap` gives 0 <= x < w and 0 <= y < h, and `new` has checked
            // that texel (w - 1, h - 1), the largest index of them, lies inside.
            out[i] = unsafe { *self.texels.get_unchecked(index) };
        }
        out
    }
}
