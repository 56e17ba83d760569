//! Flat images of bytes: sixteen pixels at once.
//!
//! Texels stay words. They are blended as two pairs of 16-bit numbers, blue and red, green and
//! alpha: no blend of bytes with weights of 256 needs more.
//!
//! Loops instead of closures: what is not inlined has not the instructions of its form.

use super::lod::Choices;
use super::{BoundUnit, Lookup};
use crate::tex::image::Level;
use crate::tex::lanes::SampleLanes;
use isotherm_lanes::{LANES, Simd};

/// The bits of a pair's numbers, and a half of what is cut off at the end.
const PAIR: i32 = 0x00ff_00ff;
const HALF: i32 = 0x0080_0080;
/// The sum of two texels' weights.
const WHOLE: i32 = 0x0100_0100;

/// Blue and red, green and alpha of each pixel.
pub(super) type Pairs<I> = [I; 2];

impl BoundUnit {
    #[inline(always)]
    pub(super) fn flat<S: SampleLanes>(
        &self,
        coords: &[S::F; 4],
        lookup: Lookup<S::F>,
    ) -> Pairs<S::I> {
        let unit = &self.unit;
        if !unit.needs_lod() {
            return self.level_lanes::<S>(0, coords, unit.linear[0]);
        }
        let rho2 = match lookup {
            Lookup::Explicit(_) => S::splat(0.0),
            Lookup::Footprint(rho2) => rho2,
            _ => unit.footprints::<S>(coords, &lookup),
        };
        if let Lookup::Implicit | Lookup::Footprint(_) | Lookup::Gradients { .. } = lookup
            && let Some(choice) = self.certain.choice::<S>(rho2)
        {
            return self.level_lanes::<S>(choice.level, coords, choice.linear);
        }
        let last = self.image.levels.len() - 1;
        let Choices { keys, shares } =
            unit.choices::<S>(unit.lods::<S>(rho2, &lookup), last as i32);
        let mut each = [0; LANES];
        S::istore(keys, &mut each);
        // No level but the first of two has a share for the next.
        let blends = S::bits(S::igt(shares, S::isplat(0))) != 0;
        let share = weights::<S>(shares);
        let mut out = [S::isplat(0); 2];
        let mut todo = 0xffffu32;
        // Pixels that want the same levels are sampled together.
        while todo != 0 {
            let key = each[todo.trailing_zeros() as usize % LANES];
            let same = S::bits(S::ieq(keys, S::isplat(key as i32)));
            let (level, linear) = Choices::<S::I>::parts(key);
            let mut texel = self.level_lanes::<S>(level, coords, linear);
            if blends && level < last {
                let next = self.level_lanes::<S>(level + 1, coords, linear);
                for i in 0..2 {
                    texel[i] = mix::<S>(texel[i], next[i], share);
                }
            }
            if same == 0xffff {
                return texel;
            }
            let mask = S::mask(same & todo);
            for i in 0..2 {
                out[i] = S::iselect(mask, texel[i], out[i]);
            }
            todo &= !same;
        }
        out
    }

    #[inline(always)]
    fn level_lanes<S: SampleLanes>(
        &self,
        level: usize,
        coords: &[S::F; 4],
        linear: bool,
    ) -> Pairs<S::I> {
        let n = level.min(self.image.levels.len() - 1);
        if let Some(filters) = self.simple.get(n)
            && let level = &filters[usize::from(linear)]
            && let Some(pairs) = S::in_level(&self.image, level, [coords[0], coords[1]])
        {
            return pairs;
        }
        let level = &self.image.levels[n];
        let (xs, ys) = (self.unit.axis(level, n, 0), self.unit.axis(level, n, 1));
        let x = xs.fixed_lanes::<S>(coords[0], linear);
        let y = ys.fixed_lanes::<S>(coords[1], linear);
        let (x0, y0) = (S::sar::<8>(x), S::sar::<8>(y));
        let row = self.row::<S>(level, ys.texel_lanes::<S>(y0));
        let left = xs.texel_lanes::<S>(x0);
        let border = self.unit.shows_border();
        let texels = &self.image.texels;
        if !linear {
            let mut words = S::gather(texels, S::iadd(row, left));
            if border {
                let inside = xs.inside::<S>(x0) & ys.inside::<S>(y0);
                words = self.or_border::<S>(inside, words);
            }
            return pairs::<S>(words);
        }
        let one = S::isplat(1);
        let (x1, y1) = (S::iadd(x0, one), S::iadd(y0, one));
        let below = self.row::<S>(level, ys.texel_lanes::<S>(y1));
        let right = xs.texel_lanes::<S>(x1);
        let mut corner = if S::bits(S::ieq(right, S::iadd(left, one))) == 0xffff {
            // No image ends between the two.
            let [a, b] = S::gather_pairs(texels, S::iadd(row, left));
            let [c, d] = S::gather_pairs(texels, S::iadd(below, left));
            [a, b, c, d]
        } else {
            [
                S::gather(texels, S::iadd(row, left)),
                S::gather(texels, S::iadd(row, right)),
                S::gather(texels, S::iadd(below, left)),
                S::gather(texels, S::iadd(below, right)),
            ]
        };
        if border {
            let (in_left, in_right) = (xs.inside::<S>(x0), xs.inside::<S>(x1));
            let (in_row, in_below) = (ys.inside::<S>(y0), ys.inside::<S>(y1));
            corner[0] = self.or_border::<S>(in_row & in_left, corner[0]);
            corner[1] = self.or_border::<S>(in_row & in_right, corner[1]);
            corner[2] = self.or_border::<S>(in_below & in_left, corner[2]);
            corner[3] = self.or_border::<S>(in_below & in_right, corner[3]);
        }
        let fraction = S::isplat(255);
        let (along, down) = (S::iand(x, fraction), S::iand(y, fraction));
        let (wx, wy) = (weights::<S>(along), weights::<S>(down));
        let half = S::isplat(128);
        let mut middle = 0;
        if self.unit.middle {
            middle = S::bits(S::ieq(along, half)) & S::bits(S::ieq(down, half));
        }
        let (a, b) = (pairs::<S>(corner[0]), pairs::<S>(corner[1]));
        let (c, d) = (pairs::<S>(corner[2]), pairs::<S>(corner[3]));
        let mut out = [S::isplat(0); 2];
        for i in 0..2 {
            let (top, bottom) = (mix::<S>(a[i], b[i], wx), mix::<S>(c[i], d[i], wx));
            out[i] = mix::<S>(top, bottom, wy);
            if middle != 0 {
                let (upper, lower) = (S::iadd(a[i], b[i]), S::iadd(c[i], d[i]));
                let sum = S::iadd(S::iadd(upper, lower), S::isplat(0x0002_0002));
                out[i] = S::iselect(S::mask(middle), S::shr_pairs::<2>(sum), out[i]);
            }
        }
        out
    }

    /// The texels, the border's colour in lanes that are not inside.
    #[inline(always)]
    fn or_border<S: Simd>(&self, inside: u32, words: S::I) -> S::I {
        let [r, g, b, a] = self.unit.border;
        let word = (a as i32) << 24 | (r as i32) << 16 | (g as i32) << 8 | b as i32;
        S::iselect(S::mask(inside), words, S::isplat(word))
    }

    /// Index of a row's first texel.
    #[inline(always)]
    fn row<S: Simd>(&self, level: &Level, y: S::I) -> S::I {
        let y = S::imul(y, S::isplat(level.row as i32));
        S::iadd(y, S::isplat(level.origin as i32))
    }
}

/// A8R8G8B8 words as pairs.
#[inline(always)]
fn pairs<S: Simd>(words: S::I) -> Pairs<S::I> {
    let mask = S::isplat(PAIR);
    [S::iand(words, mask), S::iand(S::shr::<8>(words), mask)]
}

/// What a second texel's weight in 256ths, the same for both numbers of a pair, leaves for the
/// first, and the weight.
#[inline(always)]
fn weights<S: Simd>(w: S::I) -> [S::I; 2] {
    let both = S::ior(w, S::shl::<16>(w));
    [S::isub(S::isplat(WHOLE), both), both]
}

/// (a (256 - w) + b w) / 256, to nearest. The sum is below 2^16.
#[inline(always)]
fn mix<S: Simd>(a: S::I, b: S::I, [rest, w]: [S::I; 2]) -> S::I {
    let sum = S::add_pairs(S::mul_pairs(a, rest), S::mul_pairs(b, w));
    S::shr_pairs::<8>(S::add_pairs(sum, S::isplat(HALF)))
}
