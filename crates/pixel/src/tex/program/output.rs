//! From a filtered texel to what an instruction gets: sign, scale, swizzle.

use super::flat::Pairs;
use super::format::Kind;
use isotherm_lanes::Simd;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{TEX_PITCH, TEX_SWIZZLE, TEX_SWIZZLE_SOURCE};
use isotherm_regs::field::Field;

/// Where a component of the result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Zero,
    One,
    /// Component of the texel: R, G, B, A.
    Texel(usize),
}

/// What happens behind the filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Output {
    /// What a component is divided by.
    pub unit: [f32; 4],
    /// The component is signed.
    pub signed: [bool; 4],
    /// Unsigned components are spread from 0…1 to -1…1.
    pub expand: bool,
    /// Sources of R, G, B, A.
    pub swizzle: [From; 4],
}

impl Output {
    pub(super) fn new(
        chip: Chip,
        kind: Kind,
        signed: [bool; 4],
        expand: bool,
        word: u32,
    ) -> Output {
        let whole = match kind {
            Kind::Bytes | Kind::Yuv => [255.0, 127.0],
            Kind::Halves(_) => [65535.0, 32767.0],
            Kind::Depth { .. } | Kind::Floats => [1.0; 2],
        };
        Output {
            unit: signed.map(|signed| whole[usize::from(signed)]),
            signed,
            expand,
            swizzle: swizzle(chip, word),
        }
    }

    /// Does anything come from component `c` of the texel?
    #[inline(always)]
    pub(super) fn needs(&self, c: usize) -> bool {
        self.swizzle.contains(&From::Texel(c))
    }

    #[inline(always)]
    pub(super) fn apply<S: Simd>(&self, raw: [S::F; 4]) -> [S::F; 4] {
        let mut scaled = raw;
        for c in 0..4 {
            if self.needs(c) && self.unit[c] != 1.0 {
                scaled[c] = self.scaled::<S>(raw[c], c);
            }
        }
        let mut out = scaled;
        for c in 0..4 {
            out[c] = match self.swizzle[c] {
                From::Zero => S::splat(0.0),
                From::One => S::splat(1.0),
                From::Texel(c) => scaled[c & 3],
            };
        }
        out
    }

    /// Are results the texels' components as they are?
    pub(super) fn hands_on(&self) -> bool {
        !self.expand && self.swizzle == [0, 1, 2, 3].map(From::Texel)
    }

    /// The same of bytes that are not signed: blue and red, green and alpha.
    #[inline(always)]
    pub(super) fn apply_bytes<S: Simd>(&self, [br, ga]: Pairs<S::I>) -> [S::F; 4] {
        let low = S::isplat(0xffff);
        let mut out = [S::splat(0.0); 4];
        for c in 0..4 {
            let byte = match self.swizzle[c] {
                From::Zero => continue,
                From::One => {
                    out[c] = S::splat(1.0);
                    continue;
                }
                From::Texel(0) => S::shr::<16>(br),
                From::Texel(1) => S::iand(ga, low),
                From::Texel(2) => S::iand(br, low),
                From::Texel(_) => S::shr::<16>(ga),
            };
            let x = S::part_of_255(S::of_int(byte));
            out[c] = if self.expand {
                S::sub(S::add(x, x), S::splat(1.0))
            } else {
                x
            };
        }
        out
    }

    #[inline(always)]
    fn scaled<S: Simd>(&self, x: S::F, c: usize) -> S::F {
        let x = S::div(x, S::splat(self.unit[c]));
        if self.signed[c] {
            // -128 is as far as -127. Kelvin has 2 x / 255 instead; the driver offers these
            // components as x / 127, which is all that speaks for it.
            S::max(x, S::splat(-1.0))
        } else if self.expand {
            // A guess from the name: rnndb knows nothing else of the bit.
            S::sub(S::add(x, x), S::splat(1.0))
        } else {
            x
        }
    }
}

fn swizzle(chip: Chip, word: u32) -> [From; 4] {
    let from = |source: Field, component: Field| match source.get(chip, word) {
        TEX_SWIZZLE_SOURCE::ZERO => From::Zero,
        TEX_SWIZZLE_SOURCE::ONE => From::One,
        _ => From::Texel(match component.get(chip, word) {
            TEX_SWIZZLE::Z => 0,
            TEX_SWIZZLE::Y => 1,
            TEX_SWIZZLE::X => 2,
            _ => 3,
        }),
    };
    [
        from(TEX_PITCH::S0_Z, TEX_PITCH::S1_Z),
        from(TEX_PITCH::S0_Y, TEX_PITCH::S1_Y),
        from(TEX_PITCH::S0_X, TEX_PITCH::S1_X),
        from(TEX_PITCH::S0_W, TEX_PITCH::S1_W),
    ]
}
