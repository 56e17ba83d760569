//! Levels of vector instructions.
//!
//! Loops over the lanes of a block become vector code by themselves in functions that are
//! compiled with a level's features. Code over a [`Level`] says in addition what compilers
//! do not find, such as how sixteen truths become sixteen bits, and sixteen bits a choice,
//! or take apart where it is part of something larger.

use crate::raster::plain::PlainTri;
use crate::raster::quads::{self, Four};
use crate::raster::shares::Parts;
use crate::raster::short::Short;
use crate::raster::tri::{Depth, linear};
use crate::rc::Form;
use crate::rop::surface::Area;
use crate::tex::{Ready, Texels, Unit};
use isotherm_lanes::{Base, D, F, I, LANES};

/// A level of vector instructions. Only functions that are compiled with a level's
/// features may use it.
pub(crate) trait Level {
    /// Which lanes are below 0, one bit each.
    fn signs(x: &I) -> u16;

    /// Lanes for which `a` is less than, equal to or greater than `b`, as bits 0, 1 and 2 of
    /// `func` ask for. Both are below 2^31.
    #[inline(always)]
    fn compare(func: u8, a: &[u32; LANES], b: &[u32; LANES]) -> u16 {
        let all = |bit: u32| -i32::from(func >> bit & 1);
        let (less, equal, greater) = (all(0), all(1), all(2));
        let mut out = [0; LANES];
        for i in 0..LANES {
            let less_by = a[i].wrapping_sub(b[i]).cast_signed();
            let more_by = b[i].wrapping_sub(a[i]).cast_signed();
            out[i] = less_by & less | more_by & greater | !(less_by | more_by) & equal;
        }
        Self::signs(&out)
    }

    /// Writes `first`, `first + step`, ... with the four bits each that `bits` has for them to
    /// the front of `out`, twice each, but only those with any. Returns how many; what is
    /// behind them is not defined.
    #[inline(always)]
    fn pack(first: u32, step: u32, bits: u32, out: &mut [[u32; 2]; 4]) -> usize {
        let mut count = 0;
        for i in 0..4 {
            let own = bits >> (4 * i) & 15;
            out[count % 4] = [(first + step * i) | own; 2];
            count += usize::from(own != 0);
        }
        count
    }

    /// A linear function `c + a x + b y` at sixteen places, each step exact.
    #[inline(always)]
    fn plane(c: f64, a: f64, b: f64, x: &I, y: &I) -> D {
        let mut out = [0.0; LANES];
        for i in 0..LANES {
            out[i] = c + a * f64::from(x[i]) + b * f64::from(y[i]);
        }
        out
    }

    /// The words of four quads' pixels, the upper row first.
    ///
    /// # Safety
    /// The quads must be inside the area.
    #[inline(always)]
    unsafe fn read(area: &Area, quads: &Four) -> [u32; LANES] {
        let mut out = [0; LANES];
        for (q, [quad, _]) in quads.iter().enumerate() {
            // SAFETY: the caller's promise.
            let [a, b] = unsafe { area.read_quad(quads::column(*quad), quads::row(*quad)) };
            out[2 * q..2 * q + 2].copy_from_slice(&a);
            out[2 * q + 8..2 * q + 10].copy_from_slice(&b);
        }
        out
    }

    /// Writes the words of those quads that have pixels in `mask`.
    ///
    /// # Safety
    /// The quads must be inside the area.
    #[inline(always)]
    unsafe fn write(area: &Area, quads: &Four, words: &[u32; LANES], mask: u16) {
        for (q, [quad, _]) in quads.iter().enumerate() {
            let (a, b) = (2 * q, 2 * q + 8);
            if mask >> a & 3 | mask >> b & 3 != 0 {
                let quad_words = [[words[a], words[a + 1]], [words[b], words[b + 1]]];
                // SAFETY: the caller's promise.
                unsafe { area.write_quad(quads::column(*quad), quads::row(*quad), quad_words) };
            }
        }
    }

    /// The depth of four quads' pixels, as far as they are covered.
    #[inline(always)]
    fn depth(short: &Short, depth: &Depth, quads: &Four) -> D {
        short.depth(depth, quads)
    }

    /// The shares of vertices 0 and 2 in four quads' pixels; texture coordinates s and t go
    /// to `out`.
    #[inline(always)]
    fn interpolate(short: &Short, quads: &Four, out: &mut [F; 2]) -> [I; 2] {
        short.wide(quads, out)
    }

    /// The shares of vertices 0 and 2 without perspective, from edge functions and the
    /// reciprocal that makes shares of them, where they are covered.
    #[inline(always)]
    fn linear_shares(e: &[D; 3], r: f64) -> [I; 2] {
        let weights = [linear(&e[0], r), linear(&e[1], r), linear(&e[2], r)];
        Parts::new(&weights).shares()
    }

    /// Samples a texture unit whose state is plain. `hint` is kept from block to block.
    #[inline(always)]
    fn sample(unit: &Unit, ready: &Ready, hint: &mut usize, u: &F, v: &F) -> Texels {
        let _ = hint;
        ready.sample(unit, u, v)
    }

    /// The words of a form's pixels, see [`PlainTri::finish`].
    #[inline(always)]
    fn finish(
        tri: &PlainTri<'_>,
        form: &Form,
        texels: &Texels,
        shares: &[I; 2],
        mask: u16,
        old: &[u32; LANES],
    ) -> [u32; LANES]
    where
        Self: Sized,
    {
        tri.finish::<Self>(form, texels, shares, mask, old)
    }

    /// The new words of the lanes in `mask`, the old ones elsewhere.
    #[inline(always)]
    fn choose(mask: u16, new: &[u32; LANES], old: &[u32; LANES]) -> [u32; LANES] {
        let mask = u32::from(mask);
        let mut out = [0; LANES];
        for i in 0..LANES {
            out[i] = if mask & 1 << i != 0 { new[i] } else { old[i] };
        }
        out
    }
}

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
    use super::{
        Area, D, Depth, F, Form, Four, I, LANES, Level, PlainTri, Ready, Short, Texels, Unit,
    };
    use crate::raster::short::avx512;
    use crate::raster::{form, quads};
    use crate::tex::lanes;
    use isotherm_lanes::{Avx2, Avx512};
    use std::arch::x86_64::*;

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

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn choose_avx512(mask: u16, new: &[u32; LANES], old: &[u32; LANES]) -> [u32; LANES] {
        let mut out = [0; LANES];
        // SAFETY: all three are 64 bytes.
        unsafe {
            let new = _mm512_loadu_si512(new.as_ptr().cast());
            let old = _mm512_loadu_si512(old.as_ptr().cast());
            let words = _mm512_mask_blend_epi32(mask, old, new);
            _mm512_storeu_si512(out.as_mut_ptr().cast(), words);
        }
        out
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn compare_avx512(func: u8, a: &[u32; LANES], b: &[u32; LANES]) -> u16 {
        // SAFETY: both are 64 bytes.
        let (a, b) = unsafe {
            (
                _mm512_loadu_si512(a.as_ptr().cast()),
                _mm512_loadu_si512(b.as_ptr().cast()),
            )
        };
        let all = |bit: u32| u16::from(func >> bit & 1).wrapping_neg();
        all(0) & _mm512_cmplt_epi32_mask(a, b)
            | all(1) & _mm512_cmpeq_epi32_mask(a, b)
            | all(2) & _mm512_cmpgt_epi32_mask(a, b)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn plane_avx512(c: f64, a: f64, b: f64, x: &I, y: &I) -> D {
        let (c, a, b) = (_mm512_set1_pd(c), _mm512_set1_pd(a), _mm512_set1_pd(b));
        let mut out = [0.0; LANES];
        let halves = x.as_chunks().0.iter().zip(y.as_chunks().0);
        for ((x, y), out) in halves.zip(out.as_chunks_mut::<8>().0) {
            let (x, y): (&[i32; 8], &[i32; 8]) = (x, y);
            // SAFETY: these are 32 bytes each, and 64.
            unsafe {
                let x = _mm512_cvtepi32_pd(_mm256_loadu_si256(x.as_ptr().cast()));
                let y = _mm512_cvtepi32_pd(_mm256_loadu_si256(y.as_ptr().cast()));
                let sum = _mm512_add_pd(c, _mm512_mul_pd(a, x));
                let sum = _mm512_add_pd(sum, _mm512_mul_pd(b, y));
                _mm512_storeu_pd(out.as_mut_ptr(), sum);
            }
        }
        out
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl,popcnt")]
    fn pack_avx512(first: u32, step: u32, bits: u32, out: &mut [[u32; 2]; 4]) -> usize {
        let step = i64::from(step);
        let steps = _mm256_setr_epi64x(0, step, 2 * step, 3 * step);
        let places = _mm256_add_epi64(_mm256_set1_epi64x(i64::from(first)), steps);
        let own = _mm256_srlv_epi64(
            _mm256_set1_epi64x(i64::from(bits)),
            _mm256_setr_epi64x(0, 4, 8, 12),
        );
        let own = _mm256_and_si256(own, _mm256_set1_epi64x(15));
        let some = _mm256_test_epi64_mask(own, own);
        let one = _mm256_or_si256(places, own);
        let two = _mm256_or_si256(one, _mm256_slli_epi64::<32>(one));
        let packed = _mm256_maskz_compress_epi64(some, two);
        // SAFETY: it is 32 bytes.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), packed) };
        some.count_ones() as usize
    }

    impl Level for Avx2 {
        #[inline(always)]
        fn signs(x: &I) -> u16 {
            // SAFETY: see `Level`.
            unsafe { signs_avx2(x) }
        }
    }

    /// Where the pairs of pixels of four quads are, in bytes from the area's start: the upper
    /// rows, the lower ones.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn pairs_avx512(pitch: i32, quads: &Four) -> __m256i {
        // SAFETY: it is 32 bytes.
        let quads = unsafe { _mm256_loadu_si256(std::ptr::from_ref(quads).cast()) };
        let each = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
        let quads = _mm256_permutevar8x32_epi32(quads, each);
        let [x, y] = quads::places_avx2(quads);
        let y = _mm256_add_epi32(y, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
        let rows = _mm256_mullo_epi32(y, _mm256_set1_epi32(pitch));
        _mm256_add_epi32(rows, _mm256_slli_epi32::<2>(x))
    }

    /// [`Level::read`], gathered, so that no wide load has to wait for narrow stores.
    ///
    /// # Safety
    /// The quads must be inside the area: the gather reads their pairs of pixels and no more.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    unsafe fn read_avx512(area: &Area, quads: &Four) -> [u32; LANES] {
        let (start, pitch) = area.parts();
        let mut out = [0; LANES];
        // SAFETY: the caller's promise; and it is 64 bytes.
        unsafe {
            let words = _mm512_i32gather_epi64::<1>(pairs_avx512(pitch, quads), start.cast());
            _mm512_storeu_si512(out.as_mut_ptr().cast(), words);
        }
        out
    }

    /// [`Level::write`], scattered.
    ///
    /// # Safety
    /// The quads must be inside the area: the scatter writes their pairs of pixels and no more.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl,bmi2")]
    unsafe fn write_avx512(area: &Area, quads: &Four, words: &[u32; LANES], mask: u16) {
        let (start, pitch) = area.parts();
        let at = pairs_avx512(pitch, quads);
        let some = _pext_u32(u32::from(mask | mask >> 1), 0x5555) as u8;
        // SAFETY: the caller's promise; and it is 64 bytes.
        unsafe {
            let words = _mm512_loadu_si512(words.as_ptr().cast());
            _mm512_mask_i32scatter_epi64::<1>(start.cast(), some, at, words);
        }
    }

    impl Level for Avx512 {
        #[inline(always)]
        unsafe fn read(area: &Area, quads: &Four) -> [u32; LANES] {
            // SAFETY: see `Level`, and the caller's promise.
            unsafe { read_avx512(area, quads) }
        }

        #[inline(always)]
        unsafe fn write(area: &Area, quads: &Four, words: &[u32; LANES], mask: u16) {
            // SAFETY: see `Level`, and the caller's promise.
            unsafe { write_avx512(area, quads, words, mask) }
        }

        #[inline(always)]
        fn signs(x: &I) -> u16 {
            // SAFETY: see `Level`.
            unsafe { signs_avx512(x) }
        }

        #[inline(always)]
        fn compare(func: u8, a: &[u32; LANES], b: &[u32; LANES]) -> u16 {
            // SAFETY: see `Level`.
            unsafe { compare_avx512(func, a, b) }
        }

        #[inline(always)]
        fn pack(first: u32, step: u32, bits: u32, out: &mut [[u32; 2]; 4]) -> usize {
            // SAFETY: see `Level`.
            unsafe { pack_avx512(first, step, bits, out) }
        }

        #[inline(always)]
        fn plane(c: f64, a: f64, b: f64, x: &I, y: &I) -> D {
            // SAFETY: see `Level`.
            unsafe { plane_avx512(c, a, b, x, y) }
        }

        #[inline(always)]
        fn depth(short: &Short, depth: &Depth, quads: &Four) -> D {
            // SAFETY: see `Level`.
            unsafe { avx512::depth(short, depth, quads) }
        }

        #[inline(always)]
        fn interpolate(short: &Short, quads: &Four, out: &mut [F; 2]) -> [I; 2] {
            // SAFETY: see `Level`.
            unsafe { avx512::interpolate(short, quads, out) }
        }

        #[inline(always)]
        fn linear_shares(e: &[D; 3], r: f64) -> [I; 2] {
            // SAFETY: see `Level`.
            unsafe { avx512::linear_shares(e, r) }
        }

        #[inline(always)]
        fn sample(unit: &Unit, ready: &Ready, hint: &mut usize, u: &F, v: &F) -> Texels {
            // SAFETY: see `Level`.
            unsafe { lanes::avx512::plain(unit, ready, hint, u, v) }
        }

        #[inline(always)]
        fn finish(
            tri: &PlainTri<'_>,
            form: &Form,
            texels: &Texels,
            shares: &[I; 2],
            mask: u16,
            old: &[u32; LANES],
        ) -> [u32; LANES] {
            // SAFETY: see `Level`.
            unsafe { form::avx512::finish(tri, form, texels, shares, mask, old) }
        }

        #[inline(always)]
        fn choose(mask: u16, new: &[u32; LANES], old: &[u32; LANES]) -> [u32; LANES] {
            // SAFETY: see `Level`.
            unsafe { choose_avx512(mask, new, old) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_lanes::Level as At;
    #[cfg(target_arch = "x86_64")]
    use isotherm_lanes::{Avx2, Avx512};

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
            if At::up_to("avx2") == At::Avx2 {
                assert_eq!(Avx2::signs(&x), 0x8189);
            }
            if At::up_to("") == At::Avx512 {
                assert_eq!(Avx512::signs(&x), 0x8189);
            }
        }
    }

    #[test]
    fn functions_compare_lanes() {
        // Per lane: less, equal, greater.
        let a: [u32; LANES] = std::array::from_fn(|i| [5, 6, 7][i % 3] << (i / 3 * 5));
        let b: [u32; LANES] = std::array::from_fn(|i| 6 << (i / 3 * 5));
        let each = [0x9249, 0x2492, 0x4924];
        for func in 0..8 {
            let bits = (0..3).filter(|i| func >> i & 1 != 0);
            let want = bits.fold(0, |bits, i| bits | each[i]);
            assert_eq!(Base::compare(func, &a, &b), want, "{func}");
            #[cfg(target_arch = "x86_64")]
            if At::up_to("") == At::Avx512 {
                assert_eq!(Avx512::compare(func, &a, &b), want, "{func}");
            }
        }
    }

    #[test]
    fn packing_leaves_out_what_has_no_bits() {
        for bits in [0, 0x1000, 0x00f3, 0x8421, 0xf0f0] {
            let have = |i: &u32| bits >> (4 * i) & 15 != 0;
            let want: Vec<u32> = (0..4)
                .filter(have)
                .map(|i| (0x400 + 0x20 * i) | bits >> (4 * i) & 15)
                .collect();
            let check = |out: [[u32; 2]; 4], count: usize| {
                assert_eq!(count, want.len());
                assert!(out[..count].iter().zip(&want).all(|(a, b)| *a == [*b; 2]));
            };
            let mut out = [[0; 2]; 4];
            let count = Base::pack(0x400, 0x20, bits, &mut out);
            check(out, count);
            #[cfg(target_arch = "x86_64")]
            if At::up_to("") == At::Avx512 {
                let count = Avx512::pack(0x400, 0x20, bits, &mut out);
                check(out, count);
            }
        }
    }

    #[test]
    fn planes_are_linear() {
        let (x, y) = (std::array::from_fn(|i| i as i32 * 7 - 50), [3; LANES]);
        let want: D = std::array::from_fn(|i| 1000.0 - 5.0 * f64::from(x[i]) + 6.0);
        assert_eq!(Base::plane(1000.0, -5.0, 2.0, &x, &y), want);
        #[cfg(target_arch = "x86_64")]
        if At::up_to("") == At::Avx512 {
            assert_eq!(Avx512::plane(1000.0, -5.0, 2.0, &x, &y), want);
        }
    }

    #[test]
    fn bits_choose_lanes() {
        let (new, old) = ([7; LANES], std::array::from_fn(|i| i as u32 + 100));
        let want = |mask: u16| std::array::from_fn(|i| if mask >> i & 1 != 0 { 7 } else { old[i] });
        for mask in [0, 1, 0x8189, 0x7e76, 0xffff] {
            assert_eq!(Base::choose(mask, &new, &old), want(mask));
            #[cfg(target_arch = "x86_64")]
            if At::up_to("") == At::Avx512 {
                assert_eq!(Avx512::choose(mask, &new, &old), want(mask));
            }
        }
    }
}
