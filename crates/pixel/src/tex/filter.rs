//! Filter arithmetic on decoded texels.
//!
//! Weights have 8 bits; every blend rounds to the texel's own precision, x first,
//! then y, then z, then the level. Evidence: Bump_map, Texture_LOD_Bias, MIPDXT;
//! see docs/accuracy/tex.md.

use super::format::Class;
use crate::frag::{Halves, I, LANES, halves, lanes};
use isotherm_lanes::fixed::mix;

/// How the components of a texel are blended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blend {
    /// Two 16-bit halves instead of four bytes.
    pub halves: bool,
    /// Signed components R, G, B, A.
    pub signed: [bool; 4],
}

impl Blend {
    /// How to blend texels of a class.
    pub fn new(class: Class, signed: [bool; 4]) -> Blend {
        Blend {
            halves: class == Class::Halves,
            // A comparison's result has no sign.
            signed: if class == Class::Depth {
                [false; 4]
            } else {
                signed
            },
        }
    }

    /// Blends `a` to `b` by `w` / 256.
    #[inline(always)]
    pub fn lerp(&self, a: u32, b: u32, w: u32) -> u32 {
        if self.halves {
            // HI is A:R, LO is G:B; a half is signed if its upper byte is.
            component(a >> 16, b >> 16, w, 16, self.signed[3]) << 16
                | component(a & 0xffff, b & 0xffff, w, 16, self.signed[1])
        } else if self.signed == [false; 4] {
            bytes(a, b, w)
        } else {
            let [r, g, bl, al] = self.signed;
            [(16, r), (8, g), (0, bl), (24, al)]
                .into_iter()
                .fold(0, |out, (shift, signed)| {
                    out | component(a >> shift & 255, b >> shift & 255, w, 8, signed) << shift
                })
        }
    }

    /// The weighted mean of several texels; weights are in units of 1 / `total`.
    pub fn mean(&self, texels: &[(u32, u32)], total: u32) -> u32 {
        let part = |shift: u32, bits: u32, signed: bool| {
            let mask = (1u32 << bits) - 1;
            let sum: i64 = texels
                .iter()
                .map(|&(t, w)| {
                    let v = t >> shift & mask;
                    let v = if signed {
                        i64::from((v << (32 - bits)) as i32 >> (32 - bits))
                    } else {
                        i64::from(v)
                    };
                    v * i64::from(w)
                })
                .sum();
            let total = i64::from(total);
            ((2 * sum + total).div_euclid(2 * total) as u32 & mask) << shift
        };
        if self.halves {
            part(16, 16, self.signed[3]) | part(0, 16, self.signed[1])
        } else {
            part(16, 8, self.signed[0])
                | part(8, 8, self.signed[1])
                | part(0, 8, self.signed[2])
                | part(24, 8, self.signed[3])
        }
    }
}

/// The weights of coordinates with 8 fraction bits, for both halves of a lane.
#[inline(always)]
pub fn weights(fixed: &I) -> Halves {
    let mut out = [0; LANES];
    for i in 0..LANES {
        let w = fixed[i] as u32 & 255;
        out[i] = w | w << 16;
    }
    halves(out)
}

/// A block of texels of unsigned bytes, every byte in 16 bits.
pub struct Pairs {
    /// Red and blue.
    even: Halves,
    /// Alpha and green.
    odd: Halves,
}

impl Pairs {
    /// Takes texels apart.
    #[inline(always)]
    pub fn new(texels: &[u32; LANES]) -> Pairs {
        let (mut even, mut odd) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            even[i] = texels[i] & 0x00ff_00ff;
            odd[i] = texels[i] >> 8 & 0x00ff_00ff;
        }
        Pairs {
            even: halves(even),
            odd: halves(odd),
        }
    }

    /// Blends to `b` by `w` / 256.
    #[inline(always)]
    pub fn blend(&self, b: &Pairs, w: &Halves) -> Pairs {
        Pairs {
            even: blend16(&self.even, &b.even, w),
            odd: blend16(&self.odd, &b.odd, w),
        }
    }

    /// Puts texels together.
    #[inline(always)]
    pub fn texels(&self) -> [u32; LANES] {
        let (even, odd) = (lanes(self.even), lanes(self.odd));
        let mut out = [0; LANES];
        for i in 0..LANES {
            out[i] = even[i] | odd[i] << 8;
        }
        out
    }
}

/// a (256 - w) + b w, rounded, in 16 bits: only the difference can be negative, and
/// the sum fits again.
#[inline(always)]
fn blend16(a: &Halves, b: &Halves, w: &Halves) -> Halves {
    let mut out = [0; 2 * LANES];
    for i in 0..2 * LANES {
        let part = b[i].wrapping_sub(a[i]).wrapping_mul(w[i]);
        out[i] = (a[i] << 8).wrapping_add(part).wrapping_add(128) >> 8;
    }
    out
}

/// Four unsigned bytes at once: two of them fit a 32-bit multiplication.
#[inline(always)]
fn bytes(a: u32, b: u32, w: u32) -> u32 {
    const M: u32 = 0x00ff_00ff;
    const HALF: u32 = 0x0080_0080;
    let low = ((a & M) * (256 - w) + (b & M) * w + HALF) >> 8 & M;
    let high = ((a >> 8 & M) * (256 - w) + (b >> 8 & M) * w + HALF) & !M;
    low | high
}

/// One component of `bits` bits, signed or not.
#[inline(always)]
fn component(a: u32, b: u32, w: u32, bits: u32, signed: bool) -> u32 {
    let spare = 32 - bits;
    let wide = |v: u32| {
        if signed {
            (v << spare) as i32 >> spare
        } else {
            v as i32
        }
    };
    mix(wide(a), wide(b), w as i32) as u32 & (u32::MAX >> spare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_blend_like_single_texels() {
        for w in 0..256 {
            for first in (0..256).step_by(LANES) {
                let a = std::array::from_fn(|i| ((first + i) as u32) * 0x0101_0101);
                let b: [u32; LANES] = std::array::from_fn(|i| {
                    (i as u32 * 17) | ((w * 7) & 255) << 8 | 255 << 16 | (255 - w) << 24
                });
                let got = Pairs::new(&a).blend(&Pairs::new(&b), &weights(&[w as i32 - 512; LANES]));
                let want: [u32; LANES] = std::array::from_fn(|i| bytes(a[i], b[i], w));
                assert_eq!(got.texels(), want, "{w}");
            }
        }
    }
}
