//! Levels of vector instructions.
//!
//! Loops over the lanes of a block become vector code by themselves in functions that are
//! compiled with a level's features. Code over a [`Level`] says in addition what compilers
//! do not find: how sixteen truths become sixteen bits.

use crate::frag::I;

/// A level of vector instructions. Only functions that are compiled with a level's
/// features may use it.
pub(crate) trait Level {
    /// Which lanes are below 0, one bit each.
    fn signs(x: &I) -> u16;
}

/// What every processor has.
pub(crate) struct Base;

impl Level for Base {
    #[inline(always)]
    fn signs(x: &I) -> u16 {
        let mut bits = 0u32;
        for (lane, &x) in x.iter().enumerate() {
            bits |= (x as u32 >> 31) << lane;
        }
        bits as u16
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{I, Level};
    use std::arch::x86_64::{
        _mm256_castsi256_ps, _mm256_loadu_si256, _mm256_movemask_ps, _mm512_loadu_si512,
        _mm512_movepi32_mask,
    };

    /// AVX2.
    pub(crate) struct Avx2;
    /// AVX-512 F and DQ.
    pub(crate) struct Avx512;

    #[inline]
    #[target_feature(enable = "avx2")]
    fn signs_avx2(x: &I) -> u16 {
        let (low, high) = x.split_at(8);
        // SAFETY: both halves are 32 bytes.
        let (low, high) = unsafe {
            (
                _mm256_loadu_si256(low.as_ptr().cast()),
                _mm256_loadu_si256(high.as_ptr().cast()),
            )
        };
        let low = _mm256_movemask_ps(_mm256_castsi256_ps(low));
        let high = _mm256_movemask_ps(_mm256_castsi256_ps(high));
        (low | high << 8) as u16
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    fn signs_avx512(x: &I) -> u16 {
        // SAFETY: it is 64 bytes.
        _mm512_movepi32_mask(unsafe { _mm512_loadu_si512(x.as_ptr().cast()) })
    }

    impl Level for Avx2 {
        #[inline(always)]
        fn signs(x: &I) -> u16 {
            // SAFETY: see `Level`.
            unsafe { signs_avx2(x) }
        }
    }

    impl Level for Avx512 {
        #[inline(always)]
        fn signs(x: &I) -> u16 {
            // SAFETY: see `Level`.
            unsafe { signs_avx512(x) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frag::LANES;

    #[test]
    fn signs_are_bits_in_order() {
        let mut x = [0; LANES];
        for lane in [0, 3, 7, 8, 15] {
            x[lane] = i32::MIN + lane as i32;
        }
        x[5] = i32::MAX;
        assert_eq!(Base::signs(&x), 0x8189);
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                assert_eq!(Avx2::signs(&x), 0x8189);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
                assert_eq!(Avx512::signs(&x), 0x8189);
            }
        }
    }
}
