//! Flat images of bytes: sixteen pixels at once.
//!
//! Loops instead of closures: what is not inlined has not the instructions of its form.

use super::{BoundUnit, Lookup};
use crate::tex::image::Level;
use crate::tex::unit::Mip;
use isotherm_lanes::{LANES, Simd};

/// Where R, G, B and A lie in a texel.
macro_rules! component {
    ($s:ident, $words:expr, $c:expr) => {
        match $c {
            0 => $s::byte::<16>($words),
            1 => $s::byte::<8>($words),
            2 => $s::byte::<0>($words),
            _ => $s::byte::<24>($words),
        }
    };
}

impl BoundUnit {
    /// R, G, B, A in 255ths.
    #[inline(always)]
    pub(super) fn flat<S: Simd>(&self, coords: &[S::F; 4], lookup: Lookup<S::F>) -> [S::F; 4] {
        let unit = &self.unit;
        if !unit.needs_lod() {
            return self.level_lanes::<S>(0, coords, unit.linear[0]);
        }
        let lod = unit.lods::<S>(coords, &lookup);
        let mut lods = [0; LANES];
        S::istore(lod, &mut lods);
        let last = self.image.levels.len() - 1;
        let mut choices = [unit.choose(lods[0] as i32, last); LANES];
        let mut shares = [0.0; LANES];
        for i in 0..LANES {
            choices[i] = unit.choose(lods[i] as i32, last);
            shares[i] = choices[i].next as f32;
        }
        let mut out = [S::splat(0.0); 4];
        let mut todo = 0xffffu32;
        // Pixels that want the same levels are sampled together.
        while todo != 0 {
            let choice = choices[todo.trailing_zeros() as usize % LANES];
            let mut same = 0;
            for (i, other) in choices.iter().enumerate() {
                let alike = other.level == choice.level && other.linear == choice.linear;
                same |= u32::from(alike) << i;
            }
            let mut texel = self.level_lanes::<S>(choice.level, coords, choice.linear);
            if unit.mip == Mip::Linear && choice.level < last && shares != [0.0; LANES] {
                let next = self.level_lanes::<S>(choice.level + 1, coords, choice.linear);
                let share = S::load(&shares);
                for c in 0..4 {
                    texel[c] = mix::<S>(texel[c], next[c], share);
                }
            }
            if same == 0xffff {
                return texel;
            }
            let mask = S::mask(same & todo);
            for c in 0..4 {
                out[c] = S::select(mask, texel[c], out[c]);
            }
            todo &= !same;
        }
        out
    }

    #[inline(always)]
    fn level_lanes<S: Simd>(&self, level: usize, coords: &[S::F; 4], linear: bool) -> [S::F; 4] {
        let n = level.min(self.image.levels.len() - 1);
        let level = &self.image.levels[n];
        let (xs, ys) = (self.unit.axis(level, n, 0), self.unit.axis(level, n, 1));
        let x = xs.fixed_lanes::<S>(coords[0], linear);
        let y = ys.fixed_lanes::<S>(coords[1], linear);
        let (x0, y0) = (S::sar::<8>(x), S::sar::<8>(y));
        let row = self.row::<S>(level, ys.texel_lanes::<S>(y0));
        let left = xs.texel_lanes::<S>(x0);
        let border = self.unit.shows_border();
        let (in_left, in_row) = (xs.inside::<S>(x0), ys.inside::<S>(y0));
        let texels = &self.image.texels;
        let mut out = [S::splat(0.0); 4];
        if !linear {
            let words = S::gather(texels, S::iadd(row, left));
            for c in 0..4 {
                if self.unit.output.needs(c) {
                    let texel = component!(S, words, c);
                    out[c] = self.or_border::<S>(border, in_left & in_row, texel, c);
                }
            }
            return out;
        }
        let one = S::isplat(1);
        let (x1, y1) = (S::iadd(x0, one), S::iadd(y0, one));
        let below = self.row::<S>(level, ys.texel_lanes::<S>(y1));
        let right = xs.texel_lanes::<S>(x1);
        let (in_right, in_below) = (xs.inside::<S>(x1), ys.inside::<S>(y1));
        let corner = [
            S::gather(texels, S::iadd(row, left)),
            S::gather(texels, S::iadd(row, right)),
            S::gather(texels, S::iadd(below, left)),
            S::gather(texels, S::iadd(below, right)),
        ];
        let inside = [
            in_row & in_left,
            in_row & in_right,
            in_below & in_left,
            in_below & in_right,
        ];
        let wx = S::of_int(S::iand(x, S::isplat(255)));
        let wy = S::of_int(S::iand(y, S::isplat(255)));
        let half = S::splat(128.0);
        let middle = S::bits(S::eq(wx, half)) & S::bits(S::eq(wy, half));
        let middle = if self.unit.middle { middle } else { 0 };
        for c in 0..4 {
            if !self.unit.output.needs(c) {
                continue;
            }
            let mut texel = [S::splat(0.0); 4];
            for k in 0..4 {
                let byte = component!(S, corner[k], c);
                texel[k] = self.or_border::<S>(border, inside[k], byte, c);
            }
            let [a, b, d, e] = texel;
            let (top, bottom) = (mix::<S>(a, b, wx), mix::<S>(d, e, wx));
            out[c] = mix::<S>(top, bottom, wy);
            if middle != 0 {
                let sum = S::add(S::add(a, b), S::add(S::add(d, e), S::splat(2.0)));
                let mean = S::floor(S::mul(sum, S::splat(0.25)));
                out[c] = S::select(S::mask(middle), mean, out[c]);
            }
        }
        out
    }

    /// The texel's component, the border's in lanes that are not inside.
    #[inline(always)]
    fn or_border<S: Simd>(&self, border: bool, inside: u32, texel: S::F, c: usize) -> S::F {
        if border {
            S::select(S::mask(inside), texel, S::splat(self.unit.border[c]))
        } else {
            texel
        }
    }

    /// Index of a row's first texel.
    #[inline(always)]
    fn row<S: Simd>(&self, level: &Level, y: S::I) -> S::I {
        let y = S::imul(y, S::isplat(level.row as i32));
        S::iadd(y, S::isplat(level.origin as i32))
    }
}

/// (a (256 - w) + b w) / 256, to nearest.
#[inline(always)]
fn mix<S: Simd>(a: S::F, b: S::F, w: S::F) -> S::F {
    let rest = S::sub(S::splat(256.0), w);
    let sum = S::add(S::mul(a, rest), S::mul(b, w));
    S::floor(S::mul(S::add(sum, S::splat(128.0)), S::splat(1.0 / 256.0)))
}
