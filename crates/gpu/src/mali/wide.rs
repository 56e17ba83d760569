//! Eight lanes at a time, for the loops that the compiler does not turn into good
//! vectors by itself. Two forms with the same bits: AVX2, and plain arrays.

/// Lanes of a vector.
pub(crate) const WIDE: usize = 8;

/// Eight singles with eight integers beside them.
pub(crate) trait Wide: Copy {
    /// Eight integers.
    type Int: Copy;
    fn splat(x: f32) -> Self;
    /// Lanes from `at` on.
    fn load(from: &[f32; 16], at: usize) -> Self;
    fn store(self, to: &mut [f32; 16], at: usize);
    fn add(self, b: Self) -> Self;
    fn sub(self, b: Self) -> Self;
    fn mul(self, b: Self) -> Self;
    /// The smaller; `b` if a lane is not a number.
    fn min(self, b: Self) -> Self;
    /// The larger; `b` if a lane is not a number.
    fn max(self, b: Self) -> Self;
    fn floor(self) -> Self;
    /// Towards zero; lanes must be in range.
    fn int(self) -> Self::Int;
    fn of_int(i: Self::Int) -> Self;
    fn isplat(i: i32) -> Self::Int;
    fn iload(from: &[u32; 16], at: usize) -> Self::Int;
    fn istore(i: Self::Int, to: &mut [u32; 16], at: usize);
    fn iadd(a: Self::Int, b: Self::Int) -> Self::Int;
    fn imul(a: Self::Int, b: Self::Int) -> Self::Int;
    fn imin(a: Self::Int, b: Self::Int) -> Self::Int;
    fn imax(a: Self::Int, b: Self::Int) -> Self::Int;
    fn iand(a: Self::Int, b: Self::Int) -> Self::Int;
    fn ior(a: Self::Int, b: Self::Int) -> Self::Int;
    fn ishl(a: Self::Int, bits: i32) -> Self::Int;
    fn ishr(a: Self::Int, bits: i32) -> Self::Int;
    /// `yes` where `a > b`, else `no`.
    fn if_greater(a: Self::Int, b: Self::Int, yes: Self::Int, no: Self::Int) -> Self::Int;
    /// `table[index]` per lane; indices outside give the last entry.
    fn gather(table: &[u32], index: Self::Int) -> Self::Int;

    /// The byte at `shift` of each word.
    #[inline(always)]
    fn byte(words: Self::Int, shift: i32) -> Self {
        Self::of_int(Self::iand(Self::ishr(words, shift), Self::isplat(255)))
    }

    /// Clamped to 0…1.
    #[inline(always)]
    fn unit(self) -> Self {
        self.max(Self::splat(0.0)).min(Self::splat(1.0))
    }

    /// 0…1 as a byte, to nearest.
    #[inline(always)]
    fn to_byte(self) -> Self::Int {
        self.unit()
            .mul(Self::splat(255.0))
            .add(Self::splat(0.5))
            .int()
    }

    /// Four channels in a word, R lowest.
    #[inline(always)]
    fn pack(rgba: [Self; 4]) -> Self::Int {
        let [r, g, b, a] = [
            rgba[0].to_byte(),
            rgba[1].to_byte(),
            rgba[2].to_byte(),
            rgba[3].to_byte(),
        ];
        let rg = Self::ior(r, Self::ishl(g, 8));
        Self::ior(rg, Self::ior(Self::ishl(b, 16), Self::ishl(a, 24)))
    }
}

/// Arrays.
#[derive(Clone, Copy)]
pub(crate) struct Plain([f32; WIDE]);

macro_rules! each {
    (|$i:ident| $e:expr) => {{
        let mut out = [Default::default(); WIDE];
        for $i in 0..WIDE {
            out[$i] = $e;
        }
        out
    }};
}

impl Wide for Plain {
    type Int = [i32; WIDE];
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Plain([x; WIDE])
    }
    #[inline(always)]
    fn load(from: &[f32; 16], at: usize) -> Self {
        Plain(each!(|i| from[at + i]))
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; 16], at: usize) {
        to[at..at + WIDE].copy_from_slice(&self.0);
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Plain(each!(|i| self.0[i] + b.0[i]))
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Plain(each!(|i| self.0[i] - b.0[i]))
    }
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Plain(each!(|i| self.0[i] * b.0[i]))
    }
    #[inline(always)]
    fn min(self, b: Self) -> Self {
        Plain(each!(|i| if self.0[i] < b.0[i] {
            self.0[i]
        } else {
            b.0[i]
        }))
    }
    #[inline(always)]
    fn max(self, b: Self) -> Self {
        Plain(each!(|i| if self.0[i] > b.0[i] {
            self.0[i]
        } else {
            b.0[i]
        }))
    }
    #[inline(always)]
    fn floor(self) -> Self {
        Plain(each!(|i| self.0[i].floor()))
    }
    #[inline(always)]
    fn int(self) -> Self::Int {
        each!(|i| self.0[i] as i32)
    }
    #[inline(always)]
    fn of_int(v: Self::Int) -> Self {
        Plain(each!(|i| v[i] as f32))
    }
    #[inline(always)]
    fn isplat(i: i32) -> Self::Int {
        [i; WIDE]
    }
    #[inline(always)]
    fn iload(from: &[u32; 16], at: usize) -> Self::Int {
        each!(|i| from[at + i] as i32)
    }
    #[inline(always)]
    fn istore(v: Self::Int, to: &mut [u32; 16], at: usize) {
        for i in 0..WIDE {
            to[at + i] = v[i] as u32;
        }
    }
    #[inline(always)]
    fn iadd(a: Self::Int, b: Self::Int) -> Self::Int {
        each!(|i| a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    fn imul(a: Self::Int, b: Self::Int) -> Self::Int {
        each!(|i| a[i].wrapping_mul(b[i]))
    }
    #[inline(always)]
    fn imin(a: Self::Int, b: Self::Int) -> Self::Int {
        each!(|i| a[i].min(b[i]))
    }
    #[inline(always)]
    fn imax(a: Self::Int, b: Self::Int) -> Self::Int {
        each!(|i| a[i].max(b[i]))
    }
    #[inline(always)]
    fn iand(a: Self::Int, b: Self::Int) -> Self::Int {
        each!(|i| a[i] & b[i])
    }
    #[inline(always)]
    fn ior(a: Self::Int, b: Self::Int) -> Self::Int {
        each!(|i| a[i] | b[i])
    }
    #[inline(always)]
    fn ishl(a: Self::Int, bits: i32) -> Self::Int {
        each!(|i| a[i] << bits)
    }
    #[inline(always)]
    fn ishr(a: Self::Int, bits: i32) -> Self::Int {
        each!(|i| (a[i] as u32 >> bits) as i32)
    }
    #[inline(always)]
    fn if_greater(a: Self::Int, b: Self::Int, yes: Self::Int, no: Self::Int) -> Self::Int {
        each!(|i| if a[i] > b[i] { yes[i] } else { no[i] })
    }
    #[inline(always)]
    fn gather(table: &[u32], index: Self::Int) -> Self::Int {
        let last = table.len().saturating_sub(1);
        each!(|i| table
            .get((index[i] as u32 as usize).min(last))
            .copied()
            .unwrap_or(0) as i32)
    }
}

/// AVX2. Use only inside functions compiled for it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Avx2(std::arch::x86_64::__m256);

#[cfg(target_arch = "x86_64")]
macro_rules! avx2 {
    ($e:expr) => {
        // SAFETY: only reached from functions compiled for AVX2 after a run-time check; the
        // loads and stores lie inside arrays whose length is checked beside them.
        unsafe { $e }
    };
}

#[cfg(target_arch = "x86_64")]
impl Wide for Avx2 {
    type Int = std::arch::x86_64::__m256i;
    #[inline(always)]
    fn splat(x: f32) -> Self {
        avx2!(Avx2(std::arch::x86_64::_mm256_set1_ps(x)))
    }
    #[inline(always)]
    fn load(from: &[f32; 16], at: usize) -> Self {
        let from = &from[at..at + WIDE];
        avx2!(Avx2(std::arch::x86_64::_mm256_loadu_ps(from.as_ptr())))
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; 16], at: usize) {
        let to = &mut to[at..at + WIDE];
        avx2!(std::arch::x86_64::_mm256_storeu_ps(to.as_mut_ptr(), self.0));
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        avx2!(Avx2(std::arch::x86_64::_mm256_add_ps(self.0, b.0)))
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        avx2!(Avx2(std::arch::x86_64::_mm256_sub_ps(self.0, b.0)))
    }
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        avx2!(Avx2(std::arch::x86_64::_mm256_mul_ps(self.0, b.0)))
    }
    #[inline(always)]
    fn min(self, b: Self) -> Self {
        avx2!(Avx2(std::arch::x86_64::_mm256_min_ps(self.0, b.0)))
    }
    #[inline(always)]
    fn max(self, b: Self) -> Self {
        avx2!(Avx2(std::arch::x86_64::_mm256_max_ps(self.0, b.0)))
    }
    #[inline(always)]
    fn floor(self) -> Self {
        avx2!(Avx2(std::arch::x86_64::_mm256_floor_ps(self.0)))
    }
    #[inline(always)]
    fn int(self) -> Self::Int {
        avx2!(std::arch::x86_64::_mm256_cvttps_epi32(self.0))
    }
    #[inline(always)]
    fn of_int(i: Self::Int) -> Self {
        avx2!(Avx2(std::arch::x86_64::_mm256_cvtepi32_ps(i)))
    }
    #[inline(always)]
    fn isplat(i: i32) -> Self::Int {
        avx2!(std::arch::x86_64::_mm256_set1_epi32(i))
    }
    #[inline(always)]
    fn iload(from: &[u32; 16], at: usize) -> Self::Int {
        let from = &from[at..at + WIDE];
        avx2!(std::arch::x86_64::_mm256_loadu_si256(from.as_ptr().cast()))
    }
    #[inline(always)]
    fn istore(i: Self::Int, to: &mut [u32; 16], at: usize) {
        let to = &mut to[at..at + WIDE];
        avx2!(std::arch::x86_64::_mm256_storeu_si256(
            to.as_mut_ptr().cast(),
            i
        ));
    }
    #[inline(always)]
    fn iadd(a: Self::Int, b: Self::Int) -> Self::Int {
        avx2!(std::arch::x86_64::_mm256_add_epi32(a, b))
    }
    #[inline(always)]
    fn imul(a: Self::Int, b: Self::Int) -> Self::Int {
        avx2!(std::arch::x86_64::_mm256_mullo_epi32(a, b))
    }
    #[inline(always)]
    fn imin(a: Self::Int, b: Self::Int) -> Self::Int {
        avx2!(std::arch::x86_64::_mm256_min_epi32(a, b))
    }
    #[inline(always)]
    fn imax(a: Self::Int, b: Self::Int) -> Self::Int {
        avx2!(std::arch::x86_64::_mm256_max_epi32(a, b))
    }
    #[inline(always)]
    fn iand(a: Self::Int, b: Self::Int) -> Self::Int {
        avx2!(std::arch::x86_64::_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn ior(a: Self::Int, b: Self::Int) -> Self::Int {
        avx2!(std::arch::x86_64::_mm256_or_si256(a, b))
    }
    #[inline(always)]
    fn ishl(a: Self::Int, bits: i32) -> Self::Int {
        avx2!(std::arch::x86_64::_mm256_sll_epi32(
            a,
            std::arch::x86_64::_mm_cvtsi32_si128(bits)
        ))
    }
    #[inline(always)]
    fn ishr(a: Self::Int, bits: i32) -> Self::Int {
        avx2!(std::arch::x86_64::_mm256_srl_epi32(
            a,
            std::arch::x86_64::_mm_cvtsi32_si128(bits)
        ))
    }
    #[inline(always)]
    fn if_greater(a: Self::Int, b: Self::Int, yes: Self::Int, no: Self::Int) -> Self::Int {
        avx2!(std::arch::x86_64::_mm256_blendv_epi8(
            no,
            yes,
            std::arch::x86_64::_mm256_cmpgt_epi32(a, b)
        ))
    }
    #[inline(always)]
    fn gather(table: &[u32], index: Self::Int) -> Self::Int {
        if table.is_empty() || table.len() > i32::MAX as usize {
            return Self::isplat(0);
        }
        let last = Self::isplat(table.len() as i32 - 1);
        // Indices are unsigned: what looks negative is large.
        avx2!({
            let index = std::arch::x86_64::_mm256_min_epu32(index, last);
            std::arch::x86_64::_mm256_i32gather_epi32::<4>(table.as_ptr().cast(), index)
        })
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    fn mixed<W: Wide>(a: &[f32; 16], b: &[f32; 16], table: &[u32]) -> [u32; 16] {
        let mut out = [0; 16];
        for at in [0, 8] {
            let (x, y) = (W::load(a, at), W::load(b, at));
            let sum = x.add(y).sub(x.mul(y)).min(y).max(x);
            let i = W::imin(
                W::imax(x.mul(W::splat(9.0)).floor().int(), W::isplat(-1)),
                W::isplat(90),
            );
            let t = W::gather(table, i);
            let r = W::pack([sum, x, y, W::byte(t, 8).mul(W::splat(1.0 / 255.0))]);
            W::istore(
                W::if_greater(r, t, r, W::imul(t, W::isplat(3))),
                &mut out,
                at,
            );
        }
        out
    }

    #[target_feature(enable = "avx2")]
    fn fast(a: &[f32; 16], b: &[f32; 16], table: &[u32]) -> [u32; 16] {
        mixed::<Avx2>(a, b, table)
    }

    #[test]
    fn both_forms_agree() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let mut seed = 11u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 40) as f32 / 16_777_216.0 * 4.0 - 2.0
        };
        let table: Vec<u32> = (0..64).map(|i| i * 0x0103_0711).collect();
        for _ in 0..2000 {
            let mut a = [0.0; 16];
            let mut b = [0.0; 16];
            a.iter_mut().chain(&mut b).for_each(|x| *x = next());
            a[3] = f32::NAN;
            a[3] = a[3].max(0.0);
            // SAFETY: the processor has the feature.
            let wide = unsafe { fast(&a, &b, &table) };
            assert_eq!(wide, mixed::<Plain>(&a, &b, &table));
        }
    }
}
