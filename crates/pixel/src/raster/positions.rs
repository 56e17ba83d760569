//! Positions of a triangle's vertices, coordinate by coordinate.

use isotherm_bus::verts::VtxHead;

/// The x, y, z and w of three vertices; the fourth is the third once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Positions(pub(super) [[u32; 4]; 4]);

impl Positions {
    #[inline(always)]
    pub(super) fn new([a, b, c]: [&VtxHead; 3]) -> Positions {
        Positions(turned([&a.pos, &b.pos, &c.pos]))
    }
}

/// Four numbers of three vertices, one after the other; the fourth vertex is the third once more.
///
/// They are read whole and turned around in registers: read number by number, they become
/// gathers.
#[inline(always)]
pub(super) fn turned([a, b, c]: [&[u32; 4]; 3]) -> [[u32; 4]; 4] {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        let mut out = [[0; 4]; 4];
        // SAFETY: all of them are 16 bytes, and every x86-64 has the instructions.
        unsafe {
            let load = |v: &[u32; 4]| _mm_loadu_si128(v.as_ptr().cast());
            let (a, b, c) = (load(a), load(b), load(c));
            let (low, high) = (_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
            let (low_c, high_c) = (_mm_unpacklo_epi32(c, c), _mm_unpackhi_epi32(c, c));
            let mut store = |i: usize, x| _mm_storeu_si128(out[i].as_mut_ptr().cast(), x);
            store(0, _mm_unpacklo_epi64(low, low_c));
            store(1, _mm_unpackhi_epi64(low, low_c));
            store(2, _mm_unpacklo_epi64(high, high_c));
            store(3, _mm_unpackhi_epi64(high, high_c));
        }
        out
    }
    #[cfg(not(target_arch = "x86_64"))]
    [0, 1, 2, 3].map(|i| [a[i], b[i], c[i], c[i]])
}

/// Which of four float32 numbers are not the same at three vertices, a bit each.
#[inline(always)]
pub(super) fn differing([a, b, c]: [&[u32; 4]; 3]) -> u16 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        // SAFETY: all of them are 16 bytes, and every x86-64 has the instructions.
        unsafe {
            let load = |v: &[u32; 4]| _mm_loadu_ps(v.as_ptr().cast());
            let (a, b, c) = (load(a), load(b), load(c));
            let some = _mm_or_ps(_mm_cmpneq_ps(a, b), _mm_cmpneq_ps(b, c));
            _mm_movemask_ps(some) as u16
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let float = f32::from_bits;
        let same = |i: usize| float(a[i]) == float(b[i]) && float(b[i]) == float(c[i]);
        (0..4).fold(0, |bits, i| bits | u16::from(!same(i)) << i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_differ_as_numbers_do() {
        let [nan, zero, below, one] = [f32::NAN, 0.0, -0.0, 1.0].map(f32::to_bits);
        let same = [one, zero, one, one];
        assert_eq!(differing([&same, &same, &same]), 0);
        assert_eq!(differing([&same, &[one, below, one, one], &same]), 0);
        assert_eq!(differing([&same, &same, &[zero, zero, one, one]]), 1);
        assert_eq!(differing([&[one, one, one, one], &same, &same]), 2);
        assert_eq!(differing([&same, &[one, zero, zero, one], &same]), 4);
        let none = [one, zero, one, nan];
        assert_eq!(differing([&none, &none, &none]), 8);
    }

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
