//! Covered 2x2 quads of a triangle, packed four to a block.
//!
//! Most blocks along a small triangle's edges have few covered pixels. Their quads wait
//! here until there are four, which then are drawn as one block: quad `q` takes the lanes
//! 2q, 2q + 1 and, one row below, 2q + 8, 2q + 9, as it does in a block of eight by two.
//! The quads of one triangle have no pixel in common, so their order does not matter.

use super::num::D;
use super::tri::Tri;
use crate::frag::LANES;
use crate::rop::surface::{Block, QuadWords};

/// Quads of a block.
const QUADS: usize = LANES / 4;
/// Three may wait when a block adds four.
const ROOM: usize = 2 * QUADS;

/// Waiting quads.
pub(super) struct Quads {
    count: usize,
    /// Edge functions at the first pixel, per vertex.
    first: [[f64; ROOM]; 3],
    /// Covered pixels: bits 0 and 1, below them 2 and 3.
    masks: [u8; ROOM],
    pixels: [QuadWords; ROOM],
    zetas: [QuadWords; ROOM],
}

/// Four quads, or fewer at the end of a triangle.
pub(super) struct Packed {
    pub e: [D; 3],
    pub mask: u16,
    pub pixels: [QuadWords; QUADS],
    pub zetas: [QuadWords; QUADS],
}

impl Quads {
    #[inline(always)]
    pub(super) fn new() -> Quads {
        Quads {
            count: 0,
            first: [[0.0; ROOM]; 3],
            masks: [0; ROOM],
            pixels: [QuadWords::NONE; ROOM],
            zetas: [QuadWords::NONE; ROOM],
        }
    }

    /// Adds the quads of a block that have pixels in `mask`; `first` are the block's edge
    /// functions.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        tri: &Tri,
        first: &[f64; 3],
        mask: u16,
        pixels: &Block,
        zetas: Option<&Block>,
    ) {
        for q in 0..QUADS {
            let (top, low) = (mask >> (2 * q) & 3, mask >> (2 * q + 8) & 3);
            let bits = (top | low << 2) as u8;
            let at = self.count % ROOM;
            let corner = tri.quad(first, q);
            for i in 0..3 {
                self.first[i][at] = corner[i];
            }
            self.masks[at] = bits;
            self.pixels[at] = pixels.quad(q);
            self.zetas[at] = zetas.map_or(QuadWords::NONE, |z| z.quad(q));
            self.count += usize::from(bits != 0);
        }
    }

    /// Takes four quads out; with `last` also fewer, but not none.
    #[inline(always)]
    pub(super) fn take(&mut self, tri: &Tri, last: bool) -> Option<Packed> {
        let n = self.count.min(QUADS);
        if n == 0 || n < QUADS && !last {
            return None;
        }
        // Places without a quad do as the first one does, but nothing of it is drawn.
        for q in n..QUADS {
            for first in &mut self.first {
                first[q] = first[0];
            }
            self.masks[q] = 0;
            self.pixels[q] = QuadWords::NONE;
            self.zetas[q] = QuadWords::NONE;
        }
        let mut mask = 0;
        for q in 0..QUADS {
            let bits = u16::from(self.masks[q]);
            mask |= (bits & 3 | (bits >> 2) << 8) << (2 * q);
        }
        let four = |from: &[f64; ROOM]| [from[0], from[1], from[2], from[3]];
        let packed = Packed {
            e: tri.quads(&[
                four(&self.first[0]),
                four(&self.first[1]),
                four(&self.first[2]),
            ]),
            mask,
            pixels: [0, 1, 2, 3].map(|q| self.pixels[q]),
            zetas: [0, 1, 2, 3].map(|q| self.zetas[q]),
        };
        for first in &mut self.first {
            first.copy_within(QUADS.., 0);
        }
        self.masks.copy_within(QUADS.., 0);
        self.pixels.copy_within(QUADS.., 0);
        self.zetas.copy_within(QUADS.., 0);
        self.count -= n;
        Some(packed)
    }
}
