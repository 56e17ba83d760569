//! The commonest plans: a colour as it came, or one texture and the diffuse colour.

use crate::frag::{LANES, halves, lanes};
use isotherm_lanes::fixed::div255_u16;

/// A colour that a plan hands on unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passthrough {
    /// The diffuse colour.
    Diffuse,
    /// The specular colour.
    Specular,
}

/// One texture and the diffuse colour: every channel is the texel's, the colour's or the
/// product of both. Channels stand in pairs of 16 bits: blue and red, green and alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modulate {
    /// The texture's stage.
    pub stage: usize,
    /// Bits of the pairs that are products.
    pub(super) product: [u32; 2],
    /// Bits of the pairs that are the colour's.
    pub(super) primary: [u32; 2],
}

impl Modulate {
    /// The pair of each channel R, G, B, A, and its bits there.
    pub(super) const CHANNELS: [(usize, u32); 4] = [
        (0, 0xffff_0000),
        (1, 0x0000_ffff),
        (0, 0x0000_ffff),
        (1, 0xffff_0000),
    ];

    /// Does anything depend on the diffuse colour?
    #[inline(always)]
    pub fn reads_primary(&self) -> bool {
        self.product != [0; 2] || self.primary != [0; 2]
    }

    /// Bits of a pair that are products, and those that are the colour's.
    #[inline(always)]
    pub(crate) fn bits(&self, half: usize) -> (u32, u32) {
        (self.product[half], self.primary[half])
    }

    /// A pair of channels from the texels' and the colours'.
    #[inline(always)]
    pub fn pair(&self, half: usize, texel: &[u32; LANES], color: &[u32; LANES]) -> [u32; LANES] {
        let (product, primary) = self.bits(half);
        let (a, b) = (halves(*texel), halves(*color));
        let mut p = [0u16; 2 * LANES];
        for i in 0..2 * LANES {
            p[i] = div255_u16(a[i].wrapping_mul(b[i]));
        }
        let p = lanes(p);
        let mut out = [0; LANES];
        for i in 0..LANES {
            out[i] = p[i] & product | color[i] & primary | texel[i] & !(product | primary);
        }
        out
    }
}
