//! Two 16-bit values in every lane: twice as many at once where bytes are multiplied.

use crate::LANES;

/// Two 16-bit values per lane of a block.
pub type Halves = [u16; 2 * LANES];

/// The lanes' bits as halves, for arithmetic that does not ask which half comes first.
#[inline(always)]
pub fn halves(x: [u32; LANES]) -> Halves {
    // SAFETY: both types are 64 bytes of integers, for which all bits are valid.
    unsafe { std::mem::transmute(x) }
}

/// Halves as lanes again.
#[inline(always)]
pub fn lanes(x: Halves) -> [u32; LANES] {
    // SAFETY: as above.
    unsafe { std::mem::transmute(x) }
}
