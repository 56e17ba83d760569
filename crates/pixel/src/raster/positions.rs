//! Positions of a triangle's vertices, coordinate by coordinate.

use isotherm_bus::verts::VtxHead;

/// The x, y, z and w of three vertices; the fourth is the third once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Positions(pub(super) [[u32; 4]; 4]);

impl Positions {
    /// Whole positions are read and turned around in registers: read number by number, they
    /// become gathers.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn new([a, b, c]: [&VtxHead; 3]) -> Positions {
        use std::arch::x86_64::*;
        let mut out = [[0; 4]; 4];
        // SAFETY: all of them are 16 bytes, and every x86-64 has the instructions.
        unsafe {
            let load = |v: &VtxHead| _mm_loadu_si128(v.pos.as_ptr().cast());
            let (a, b, c) = (load(a), load(b), load(c));
            let (low, high) = (_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
            let (low_c, high_c) = (_mm_unpacklo_epi32(c, c), _mm_unpackhi_epi32(c, c));
            let mut store = |i: usize, x| _mm_storeu_si128(out[i].as_mut_ptr().cast(), x);
            store(0, _mm_unpacklo_epi64(low, low_c));
            store(1, _mm_unpackhi_epi64(low, low_c));
            store(2, _mm_unpacklo_epi64(high, high_c));
            store(3, _mm_unpackhi_epi64(high, high_c));
        }
        Positions(out)
    }

    /// Of any processor.
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn new([a, b, c]: [&VtxHead; 3]) -> Positions {
        Positions([0, 1, 2, 3].map(|i| [a, b, c, c].map(|v| v.pos[i])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_stand_by_themselves() {
        let v = [10, 20, 30].map(|n| VtxHead {
            pos: [n, n + 1, n + 2, n + 3],
            ..VtxHead::default()
        });
        let want = [10, 11, 12, 13].map(|n| [n, n + 10, n + 20, n + 20]);
        assert_eq!(Positions::new([&v[0], &v[1], &v[2]]), Positions(want));
    }
}
