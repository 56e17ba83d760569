//! What drawing costs, in steps of the budget: about nanoseconds on the general way.
//!
//! A price is an upper bound that is known before anything is drawn, from the rectangle
//! around a primitive and the state of its draw.

use super::tile::{Draw, blocks_around};
use super::{Prim, PrimKind};
use crate::frag::{HEIGHT, LANES, WIDTH};

/// Setting a primitive up.
const PRIMITIVE: u64 = 300;
/// A cleared pixel.
const CLEARED: u64 = 1;
/// A pixel's tests and raster operation, on the general and on the fast way.
const GENERAL: u64 = 12;
const FAST: u64 = 3;
/// A texture lookup.
const LOOKUP: u64 = 12;
/// Blocks across the widest line; one that runs across its rectangle does not fill it.
const WIDEST: u64 = 32;

impl Draw {
    /// Steps for a pixel.
    fn pixel_price(&self) -> u64 {
        let way = match self.fast {
            Some(_) => FAST,
            None => GENERAL * self.samples.len().max(1) as u64,
        };
        let units = match &self.program {
            Some(program) => program.price(),
            None => self.shade.reads().count() as u64 * LOOKUP,
        };
        way + units
    }

    /// Steps that the loops of its program may take at most for so many blocks.
    pub(crate) fn most_loop_steps(&self, blocks: u64) -> u64 {
        let program = self.program.as_ref();
        blocks * program.map_or(0, |program| program.most_loop_steps())
    }
}

/// Blocks of pixels that a primitive inside `r` (max exclusive) may touch.
pub(crate) fn blocks(prim: &Prim, r: [i32; 4]) -> u64 {
    let [x0, y0, x1, y1] = blocks_around(r);
    let (w, h) = ((x1 - x0).max(0) / WIDTH, (y1 - y0).max(0) / HEIGHT);
    let (w, h) = (w as u64, h as u64);
    match prim.kind {
        PrimKind::Line => (w * h).min((w + h) * WIDEST),
        _ => w * h,
    }
}

/// What sorting has to know of a draw.
#[derive(Clone, Copy)]
pub(crate) struct Terms {
    /// The pixels that it may draw, max exclusive.
    pub clip: [i32; 4],
    /// Steps for a pixel.
    pixel: u64,
    /// Steps that loops may take for a block.
    loops: u64,
}

impl Terms {
    /// Steps for a primitive that touches so many blocks.
    pub(crate) fn steps(&self, blocks: u64) -> u64 {
        PRIMITIVE + blocks * LANES as u64 * self.pixel
    }

    /// Steps that loops may take for so many blocks.
    pub(crate) fn loop_steps(&self, blocks: u64) -> u64 {
        blocks * self.loops
    }
}

/// Terms of primitives, most of which are of the same draw as the one before.
#[derive(Default)]
pub(crate) struct Prices {
    last: Option<(u32, Terms)>,
}

impl Prices {
    /// Those of a primitive; `surface` are the pixels that there are.
    #[inline]
    pub(crate) fn of(&mut self, prim: &Prim, draws: &[Draw], surface: [i32; 4]) -> Terms {
        match self.last {
            Some((draw, terms)) if draw == prim.draw && prim.kind != PrimKind::Clear => terms,
            _ => self.looked_up(prim, draws, surface),
        }
    }

    #[cold]
    fn looked_up(&mut self, prim: &Prim, draws: &[Draw], surface: [i32; 4]) -> Terms {
        let draw = &draws.get(prim.draw as usize);
        let loops = draw.map_or(0, |draw| draw.most_loop_steps(1));
        if prim.kind == PrimKind::Clear {
            return Terms {
                clip: surface,
                pixel: CLEARED,
                loops,
            };
        }
        let terms = Terms {
            clip: draw.map_or([0; 4], |draw| draw.raster.clip.bounds),
            pixel: draw.map_or(GENERAL, Draw::pixel_price),
            loops,
        };
        self.last = Some((prim.draw, terms));
        terms
    }
}
