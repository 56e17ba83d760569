//! Sixteen lanes at a time, in three forms with the same bits: plain arrays, AVX2, AVX-512.
//!
//! Code is written once over [`Simd`] and compiled for each form; [`level`] says which one
//! this processor runs. Everything below a compiled function is `inline(always)`, so that
//! the instructions of its form reach the innermost loop.

use super::half::round1;

/// Pixels that one step of a loop works on: four quads.
pub(crate) const LANES: usize = 16;
/// One value per pixel.
pub(crate) type Lane = [f32; LANES];

/// Which form runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Base,
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code))]
    Avx2,
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code))]
    Avx512,
    /// Arrays, and nothing is rounded to half floats: not what the chip does, see
    /// [`super::WhatIf`].
    Full,
}

impl Default for Level {
    fn default() -> Level {
        level()
    }
}

/// The best form for this processor; `ISOTHERM_SIMD` = `base`, `avx2` or `avx512` holds it
/// back.
fn level() -> Level {
    static LEVEL: std::sync::OnceLock<Level> = std::sync::OnceLock::new();
    *LEVEL.get_or_init(|| best(&std::env::var("ISOTHERM_SIMD").unwrap_or_default()))
}

/// The best form up to a limit.
pub(crate) fn best(limit: &str) -> Level {
    #[cfg(target_arch = "x86_64")]
    {
        let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c");
        let avx512 = avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        if avx512 && !matches!(limit, "base" | "avx2") {
            return Level::Avx512;
        }
        if avx2 && limit != "base" {
            return Level::Avx2;
        }
    }
    let _ = limit;
    Level::Base
}

/// Compiles a function over [`Simd`] once per form and makes another that picks the form of
/// a [`Level`]: `by_level! { fn name(level, a: A) -> R = inner; }`.
macro_rules! by_level {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $inner:ident;) => {
        $(#[$meta])*
        $vis fn $name(level: $crate::mali::simd::Level, $($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,f16c,bmi1,bmi2,lzcnt,popcnt")]
                fn avx2($($arg: $ty),*) $(-> $ret)? {
                    $inner::<$crate::mali::simd::Avx2>($($arg),*)
                }
                #[target_feature(enable = "avx2,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
                fn avx512($($arg: $ty),*) $(-> $ret)? {
                    $inner::<$crate::mali::simd::Avx512>($($arg),*)
                }
                match level {
                    // SAFETY: `best` names a level only where the processor has its features.
                    $crate::mali::simd::Level::Avx512 => return unsafe { avx512($($arg),*) },
                    // SAFETY: as above.
                    $crate::mali::simd::Level::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::mali::simd::Level::Base | $crate::mali::simd::Level::Full => {}
                }
            }
            if level == $crate::mali::simd::Level::Full {
                return $inner::<$crate::mali::simd::Full>($($arg),*);
            }
            $inner::<$crate::mali::simd::Plain>($($arg),*)
        }
    };
}
pub(crate) use by_level;

/// Sixteen singles, sixteen integers, sixteen truths.
pub(crate) trait Simd: Copy {
    type F: Copy;
    type I: Copy;
    type M: Copy;

    fn splat(x: f32) -> Self::F;
    fn load(from: &Lane) -> Self::F;
    fn store(x: Self::F, to: &mut Lane);
    /// One value per quad.
    fn quads(x: [f32; 4]) -> Self::F;
    /// One value per pixel of a quad, the same for all quads.
    fn repeat(x: [f32; 4]) -> Self::F;
    /// The value of pixel `N` of each quad in all its pixels.
    fn pick<const N: i32>(x: Self::F) -> Self::F;
    fn add(a: Self::F, b: Self::F) -> Self::F;
    fn sub(a: Self::F, b: Self::F) -> Self::F;
    fn mul(a: Self::F, b: Self::F) -> Self::F;
    fn div(a: Self::F, b: Self::F) -> Self::F;
    fn sqrt(a: Self::F) -> Self::F;
    /// The smaller; `b` if a lane is not a number.
    fn min(a: Self::F, b: Self::F) -> Self::F;
    /// The larger; `b` if a lane is not a number.
    fn max(a: Self::F, b: Self::F) -> Self::F;
    fn floor(a: Self::F) -> Self::F;
    fn ceil(a: Self::F) -> Self::F;
    fn trunc(a: Self::F) -> Self::F;
    /// To the nearest integer, ties to even.
    fn round(a: Self::F) -> Self::F;
    /// To the nearest half float, ties to even.
    fn half(a: Self::F) -> Self::F;
    fn lt(a: Self::F, b: Self::F) -> Self::M;
    fn le(a: Self::F, b: Self::F) -> Self::M;
    fn eq(a: Self::F, b: Self::F) -> Self::M;
    /// `yes` where the mask is set.
    fn select(m: Self::M, yes: Self::F, no: Self::F) -> Self::F;
    /// One bit per lane.
    fn bits(m: Self::M) -> u32;
    fn mask(bits: u32) -> Self::M;
    /// The bits of the singles.
    fn to_bits(a: Self::F) -> Self::I;
    fn from_bits(a: Self::I) -> Self::F;
    /// Towards zero; lanes must be in range.
    fn int(a: Self::F) -> Self::I;
    fn of_int(i: Self::I) -> Self::F;
    fn isplat(i: i32) -> Self::I;
    fn iload(from: &[u32; LANES]) -> Self::I;
    fn istore(i: Self::I, to: &mut [u32; LANES]);
    fn iadd(a: Self::I, b: Self::I) -> Self::I;
    fn isub(a: Self::I, b: Self::I) -> Self::I;
    fn imul(a: Self::I, b: Self::I) -> Self::I;
    fn imin(a: Self::I, b: Self::I) -> Self::I;
    fn imax(a: Self::I, b: Self::I) -> Self::I;
    fn iand(a: Self::I, b: Self::I) -> Self::I;
    fn ior(a: Self::I, b: Self::I) -> Self::I;
    fn ixor(a: Self::I, b: Self::I) -> Self::I;
    fn shl<const N: u32>(a: Self::I) -> Self::I;
    /// Zeros come in.
    fn shr<const N: u32>(a: Self::I) -> Self::I;
    /// The sign comes in.
    fn sar<const N: u32>(a: Self::I) -> Self::I;
    fn igt(a: Self::I, b: Self::I) -> Self::M;
    fn ieq(a: Self::I, b: Self::I) -> Self::M;
    fn iselect(m: Self::M, yes: Self::I, no: Self::I) -> Self::I;
    /// `table[index]` per lane; indices outside give the last entry.
    fn gather(table: &[u32], index: Self::I) -> Self::I;

    /// The byte at `N` of each word as a number.
    #[inline(always)]
    fn byte<const N: u32>(words: Self::I) -> Self::F {
        Self::of_int(Self::iand(Self::shr::<N>(words), Self::isplat(255)))
    }

    /// Clamped to 0…1; not a number gives 0.
    #[inline(always)]
    fn unit(a: Self::F) -> Self::F {
        Self::min(Self::max(a, Self::splat(0.0)), Self::splat(1.0))
    }

    /// Towards zero; what no integer can hold is clamped.
    #[inline(always)]
    fn to_int(a: Self::F) -> Self::I {
        let a = Self::max(a, Self::splat(-2_147_483_648.0));
        Self::int(Self::min(a, Self::splat(2_147_483_520.0)))
    }

    /// A number from 0…1 as a byte, to nearest.
    #[inline(always)]
    fn to_byte(a: Self::F) -> Self::I {
        let x = Self::mul(a, Self::splat(255.0));
        Self::int(Self::add(x, Self::splat(0.5)))
    }

    /// Four channels in a word, R lowest.
    #[inline(always)]
    fn pack(rgba: [Self::F; 4]) -> Self::I {
        let [r, g, b, a] = rgba;
        Self::pack_unit([Self::unit(r), Self::unit(g), Self::unit(b), Self::unit(a)])
    }

    /// The same of channels that are known to lie in 0…1, give or take a rounding.
    #[inline(always)]
    fn pack_unit(rgba: [Self::F; 4]) -> Self::I {
        let [r, g, b, a] = rgba;
        let rg = Self::ior(Self::to_byte(r), Self::shl::<8>(Self::to_byte(g)));
        let ba = Self::ior(
            Self::shl::<16>(Self::to_byte(b)),
            Self::shl::<24>(Self::to_byte(a)),
        );
        Self::ior(rg, ba)
    }

    /// Bits cleared and flipped: absolute value and negation.
    #[inline(always)]
    fn modify(a: Self::F, and: u32, xor: u32) -> Self::F {
        let bits = Self::iand(Self::to_bits(a), Self::isplat(and as i32));
        Self::from_bits(Self::ixor(bits, Self::isplat(xor as i32)))
    }

    /// Lane by lane, for what has no instruction.
    #[inline(always)]
    fn map(a: Self::F, f: impl Fn(f32) -> f32) -> Self::F {
        let mut x = [0.0; LANES];
        Self::store(a, &mut x);
        for x in &mut x {
            *x = f(*x);
        }
        Self::load(&x)
    }
}

/// Arrays.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

macro_rules! each {
    (|$i:ident| $e:expr) => {{
        let mut out = [Default::default(); LANES];
        for $i in 0..LANES {
            out[$i] = $e;
        }
        out
    }};
}

/// Arrays of functions that differ in one expression.
macro_rules! plain {
    ($($name:ident($($a:ident: $t:ty),*) -> $r:ty = |$i:ident| $e:expr;)*) => {
        $(#[inline(always)]
        fn $name($($a: $t),*) -> $r {
            each!(|$i| $e)
        })*
    };
}

/// Arrays without half floats.
#[derive(Clone, Copy)]
pub(crate) struct Full;

/// A form over arrays, with its rounding of results.
macro_rules! arrays {
    ($form:ident, $half:expr) => {
        impl Simd for $form {
            type F = Lane;
            type I = [i32; LANES];
            type M = [bool; LANES];

            plain! {
                quads(x: [f32; 4]) -> Lane = |i| x[i / 4];
                repeat(x: [f32; 4]) -> Lane = |i| x[i % 4];
                add(a: Lane, b: Lane) -> Lane = |i| a[i] + b[i];
                sub(a: Lane, b: Lane) -> Lane = |i| a[i] - b[i];
                mul(a: Lane, b: Lane) -> Lane = |i| a[i] * b[i];
                div(a: Lane, b: Lane) -> Lane = |i| a[i] / b[i];
                sqrt(a: Lane) -> Lane = |i| a[i].sqrt();
                min(a: Lane, b: Lane) -> Lane = |i| if a[i] < b[i] { a[i] } else { b[i] };
                max(a: Lane, b: Lane) -> Lane = |i| if a[i] > b[i] { a[i] } else { b[i] };
                floor(a: Lane) -> Lane = |i| a[i].floor();
                ceil(a: Lane) -> Lane = |i| a[i].ceil();
                trunc(a: Lane) -> Lane = |i| a[i].trunc();
                round(a: Lane) -> Lane = |i| a[i].round_ties_even();
                half(a: Lane) -> Lane = |i| $half(a[i]);
                lt(a: Lane, b: Lane) -> Self::M = |i| a[i] < b[i];
                le(a: Lane, b: Lane) -> Self::M = |i| a[i] <= b[i];
                eq(a: Lane, b: Lane) -> Self::M = |i| a[i] == b[i];
                select(m: Self::M, yes: Lane, no: Lane) -> Lane = |i| if m[i] { yes[i] } else { no[i] };
                mask(bits: u32) -> Self::M = |i| bits >> i & 1 != 0;
                to_bits(a: Lane) -> Self::I = |i| a[i].to_bits() as i32;
                from_bits(a: Self::I) -> Lane = |i| f32::from_bits(a[i] as u32);
                int(a: Lane) -> Self::I = |i| a[i] as i32;
                of_int(a: Self::I) -> Lane = |i| a[i] as f32;
                iload(from: &[u32; LANES]) -> Self::I = |i| from[i] as i32;
                iadd(a: Self::I, b: Self::I) -> Self::I = |i| a[i].wrapping_add(b[i]);
                isub(a: Self::I, b: Self::I) -> Self::I = |i| a[i].wrapping_sub(b[i]);
                imul(a: Self::I, b: Self::I) -> Self::I = |i| a[i].wrapping_mul(b[i]);
                imin(a: Self::I, b: Self::I) -> Self::I = |i| a[i].min(b[i]);
                imax(a: Self::I, b: Self::I) -> Self::I = |i| a[i].max(b[i]);
                iand(a: Self::I, b: Self::I) -> Self::I = |i| a[i] & b[i];
                ior(a: Self::I, b: Self::I) -> Self::I = |i| a[i] | b[i];
                ixor(a: Self::I, b: Self::I) -> Self::I = |i| a[i] ^ b[i];
                igt(a: Self::I, b: Self::I) -> Self::M = |i| a[i] > b[i];
                ieq(a: Self::I, b: Self::I) -> Self::M = |i| a[i] == b[i];
                iselect(m: Self::M, yes: Self::I, no: Self::I) -> Self::I = |i| if m[i] { yes[i] } else { no[i] };
            }

            #[inline(always)]
            fn splat(x: f32) -> Lane {
                [x; LANES]
            }
            #[inline(always)]
            fn load(from: &Lane) -> Lane {
                *from
            }
            #[inline(always)]
            fn store(x: Lane, to: &mut Lane) {
                *to = x;
            }
            #[inline(always)]
            fn pick<const N: i32>(x: Lane) -> Lane {
                each!(|i| x[i & !3 | N as usize])
            }
            #[inline(always)]
            fn bits(m: Self::M) -> u32 {
                (0..LANES).fold(0, |out, i| out | u32::from(m[i]) << i)
            }
            #[inline(always)]
            fn isplat(i: i32) -> Self::I {
                [i; LANES]
            }
            #[inline(always)]
            fn istore(v: Self::I, to: &mut [u32; LANES]) {
                *to = v.map(|v| v as u32);
            }
            #[inline(always)]
            fn shl<const N: u32>(a: Self::I) -> Self::I {
                each!(|i| a[i] << N)
            }
            #[inline(always)]
            fn shr<const N: u32>(a: Self::I) -> Self::I {
                each!(|i| (a[i] as u32 >> N) as i32)
            }
            #[inline(always)]
            fn sar<const N: u32>(a: Self::I) -> Self::I {
                each!(|i| a[i] >> N)
            }
            #[inline(always)]
            fn gather(table: &[u32], index: Self::I) -> Self::I {
                let last = table.len().saturating_sub(1);
                each!(|i| {
                    let at = (index[i] as u32 as usize).min(last);
                    table.get(at).copied().unwrap_or(0) as i32
                })
            }
        }
    };
}

arrays!(Plain, round1);
arrays!(Full, std::convert::identity);

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{LANES, Lane, Simd};
    use std::arch::x86_64::*;

    /// Two vectors of eight. Use only inside functions compiled for AVX2 and F16C.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2;

    /// Use only inside functions compiled for AVX-512.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx512;

    macro_rules! x {
        ($e:expr) => {
            // SAFETY: only reached from functions compiled for the form's features after a
            // run-time check; loads and stores cover arrays whose length their types say.
            unsafe { $e }
        };
    }

    type F2 = [__m256; 2];
    type I2 = [__m256i; 2];

    /// Functions of pairs of vectors from functions of vectors.
    macro_rules! avx2 {
        ($($name:ident($($a:ident: $t:ty),*) -> $r:ty = |$h:ident| $e:expr;)*) => {
            $(#[inline(always)]
            fn $name($($a: $t),*) -> $r {
                x!([{ let $h = 0; $e }, { let $h = 1; $e }])
            })*
        };
    }

    impl Simd for Avx2 {
        type F = F2;
        type I = I2;
        type M = F2;

        avx2! {
            add(a: F2, b: F2) -> F2 = |h| _mm256_add_ps(a[h], b[h]);
            sub(a: F2, b: F2) -> F2 = |h| _mm256_sub_ps(a[h], b[h]);
            mul(a: F2, b: F2) -> F2 = |h| _mm256_mul_ps(a[h], b[h]);
            div(a: F2, b: F2) -> F2 = |h| _mm256_div_ps(a[h], b[h]);
            sqrt(a: F2) -> F2 = |h| _mm256_sqrt_ps(a[h]);
            min(a: F2, b: F2) -> F2 = |h| _mm256_min_ps(a[h], b[h]);
            max(a: F2, b: F2) -> F2 = |h| _mm256_max_ps(a[h], b[h]);
            floor(a: F2) -> F2 = |h| _mm256_floor_ps(a[h]);
            ceil(a: F2) -> F2 = |h| _mm256_ceil_ps(a[h]);
            trunc(a: F2) -> F2 = |h| _mm256_round_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a[h]);
            round(a: F2) -> F2 = |h| _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a[h]);
            half(a: F2) -> F2 = |h| _mm256_cvtph_ps(_mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(a[h]));
            lt(a: F2, b: F2) -> F2 = |h| _mm256_cmp_ps::<_CMP_LT_OQ>(a[h], b[h]);
            le(a: F2, b: F2) -> F2 = |h| _mm256_cmp_ps::<_CMP_LE_OQ>(a[h], b[h]);
            eq(a: F2, b: F2) -> F2 = |h| _mm256_cmp_ps::<_CMP_EQ_OQ>(a[h], b[h]);
            select(m: F2, yes: F2, no: F2) -> F2 = |h| _mm256_blendv_ps(no[h], yes[h], m[h]);
            to_bits(a: F2) -> I2 = |h| _mm256_castps_si256(a[h]);
            from_bits(a: I2) -> F2 = |h| _mm256_castsi256_ps(a[h]);
            int(a: F2) -> I2 = |h| _mm256_cvttps_epi32(a[h]);
            of_int(a: I2) -> F2 = |h| _mm256_cvtepi32_ps(a[h]);
            iadd(a: I2, b: I2) -> I2 = |h| _mm256_add_epi32(a[h], b[h]);
            isub(a: I2, b: I2) -> I2 = |h| _mm256_sub_epi32(a[h], b[h]);
            imul(a: I2, b: I2) -> I2 = |h| _mm256_mullo_epi32(a[h], b[h]);
            imin(a: I2, b: I2) -> I2 = |h| _mm256_min_epi32(a[h], b[h]);
            imax(a: I2, b: I2) -> I2 = |h| _mm256_max_epi32(a[h], b[h]);
            iand(a: I2, b: I2) -> I2 = |h| _mm256_and_si256(a[h], b[h]);
            ior(a: I2, b: I2) -> I2 = |h| _mm256_or_si256(a[h], b[h]);
            ixor(a: I2, b: I2) -> I2 = |h| _mm256_xor_si256(a[h], b[h]);
            igt(a: I2, b: I2) -> F2 = |h| _mm256_castsi256_ps(_mm256_cmpgt_epi32(a[h], b[h]));
            ieq(a: I2, b: I2) -> F2 = |h| _mm256_castsi256_ps(_mm256_cmpeq_epi32(a[h], b[h]));
            iselect(m: F2, yes: I2, no: I2) -> I2 = |h| _mm256_blendv_epi8(no[h], yes[h], _mm256_castps_si256(m[h]));
        }

        #[inline(always)]
        fn splat(x: f32) -> F2 {
            x!([_mm256_set1_ps(x); 2])
        }
        #[inline(always)]
        fn load(from: &Lane) -> F2 {
            x!([
                _mm256_loadu_ps(from.as_ptr()),
                _mm256_loadu_ps(from.as_ptr().add(8))
            ])
        }
        #[inline(always)]
        fn store(x: F2, to: &mut Lane) {
            x!({
                _mm256_storeu_ps(to.as_mut_ptr(), x[0]);
                _mm256_storeu_ps(to.as_mut_ptr().add(8), x[1]);
            });
        }
        #[inline(always)]
        fn quads(x: [f32; 4]) -> F2 {
            x!([
                _mm256_set_m128(_mm_set1_ps(x[1]), _mm_set1_ps(x[0])),
                _mm256_set_m128(_mm_set1_ps(x[3]), _mm_set1_ps(x[2]))
            ])
        }
        #[inline(always)]
        fn repeat(x: [f32; 4]) -> F2 {
            x!({
                let four = _mm_setr_ps(x[0], x[1], x[2], x[3]);
                [_mm256_set_m128(four, four); 2]
            })
        }
        #[inline(always)]
        fn pick<const N: i32>(x: F2) -> F2 {
            x!(match N {
                0 => [
                    _mm256_permute_ps::<0x00>(x[0]),
                    _mm256_permute_ps::<0x00>(x[1])
                ],
                1 => [
                    _mm256_permute_ps::<0x55>(x[0]),
                    _mm256_permute_ps::<0x55>(x[1])
                ],
                2 => [
                    _mm256_permute_ps::<0xAA>(x[0]),
                    _mm256_permute_ps::<0xAA>(x[1])
                ],
                _ => [
                    _mm256_permute_ps::<0xFF>(x[0]),
                    _mm256_permute_ps::<0xFF>(x[1])
                ],
            })
        }
        #[inline(always)]
        fn bits(m: F2) -> u32 {
            x!(_mm256_movemask_ps(m[0]) as u32 | (_mm256_movemask_ps(m[1]) as u32) << 8)
        }
        #[inline(always)]
        fn mask(bits: u32) -> F2 {
            x!({
                let lanes = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
                let low = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lanes);
                let high = _mm256_and_si256(_mm256_set1_epi32((bits >> 8) as i32), lanes);
                [
                    _mm256_castsi256_ps(_mm256_cmpeq_epi32(low, lanes)),
                    _mm256_castsi256_ps(_mm256_cmpeq_epi32(high, lanes)),
                ]
            })
        }
        #[inline(always)]
        fn isplat(i: i32) -> I2 {
            x!([_mm256_set1_epi32(i); 2])
        }
        #[inline(always)]
        fn iload(from: &[u32; LANES]) -> I2 {
            x!([
                _mm256_loadu_si256(from.as_ptr().cast()),
                _mm256_loadu_si256(from.as_ptr().add(8).cast())
            ])
        }
        #[inline(always)]
        fn istore(i: I2, to: &mut [u32; LANES]) {
            x!({
                _mm256_storeu_si256(to.as_mut_ptr().cast(), i[0]);
                _mm256_storeu_si256(to.as_mut_ptr().add(8).cast(), i[1]);
            });
        }
        #[inline(always)]
        fn shl<const N: u32>(a: I2) -> I2 {
            x!({
                let n = _mm_cvtsi32_si128(N as i32);
                [_mm256_sll_epi32(a[0], n), _mm256_sll_epi32(a[1], n)]
            })
        }
        #[inline(always)]
        fn shr<const N: u32>(a: I2) -> I2 {
            x!({
                let n = _mm_cvtsi32_si128(N as i32);
                [_mm256_srl_epi32(a[0], n), _mm256_srl_epi32(a[1], n)]
            })
        }
        #[inline(always)]
        fn sar<const N: u32>(a: I2) -> I2 {
            x!({
                let n = _mm_cvtsi32_si128(N as i32);
                [_mm256_sra_epi32(a[0], n), _mm256_sra_epi32(a[1], n)]
            })
        }
        #[inline(always)]
        fn gather(table: &[u32], index: I2) -> I2 {
            if table.is_empty() || table.len() > i32::MAX as usize {
                return Self::isplat(0);
            }
            let last = Self::isplat(table.len() as i32 - 1);
            // Indices are unsigned: what looks negative is large.
            x!({
                let low = _mm256_min_epu32(index[0], last[0]);
                let high = _mm256_min_epu32(index[1], last[1]);
                [
                    _mm256_i32gather_epi32::<4>(table.as_ptr().cast(), low),
                    _mm256_i32gather_epi32::<4>(table.as_ptr().cast(), high),
                ]
            })
        }
    }

    macro_rules! avx512 {
        ($($name:ident($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {
            $(#[inline(always)]
            fn $name($($a: $t),*) -> $r {
                x!($e)
            })*
        };
    }

    /// Rounding of `roundscale`, no exceptions.
    const EVEN: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
    const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
    const ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

    impl Simd for Avx512 {
        type F = __m512;
        type I = __m512i;
        type M = __mmask16;

        avx512! {
            splat(x: f32) -> __m512 = _mm512_set1_ps(x);
            load(from: &Lane) -> __m512 = _mm512_loadu_ps(from.as_ptr());
            store(x: __m512, to: &mut Lane) -> () = _mm512_storeu_ps(to.as_mut_ptr(), x);
            repeat(x: [f32; 4]) -> __m512 = _mm512_broadcast_f32x4(_mm_setr_ps(x[0], x[1], x[2], x[3]));
            add(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b);
            sub(a: __m512, b: __m512) -> __m512 = _mm512_sub_ps(a, b);
            mul(a: __m512, b: __m512) -> __m512 = _mm512_mul_ps(a, b);
            div(a: __m512, b: __m512) -> __m512 = _mm512_div_ps(a, b);
            sqrt(a: __m512) -> __m512 = _mm512_sqrt_ps(a);
            min(a: __m512, b: __m512) -> __m512 = _mm512_min_ps(a, b);
            max(a: __m512, b: __m512) -> __m512 = _mm512_max_ps(a, b);
            floor(a: __m512) -> __m512 = _mm512_roundscale_ps::<DOWN>(a);
            ceil(a: __m512) -> __m512 = _mm512_roundscale_ps::<UP>(a);
            trunc(a: __m512) -> __m512 = _mm512_roundscale_ps::<ZERO>(a);
            round(a: __m512) -> __m512 = _mm512_roundscale_ps::<EVEN>(a);
            half(a: __m512) -> __m512 = _mm512_cvtph_ps(_mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(a));
            lt(a: __m512, b: __m512) -> __mmask16 = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b);
            le(a: __m512, b: __m512) -> __mmask16 = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b);
            eq(a: __m512, b: __m512) -> __mmask16 = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(a, b);
            select(m: __mmask16, yes: __m512, no: __m512) -> __m512 = _mm512_mask_blend_ps(m, no, yes);
            to_bits(a: __m512) -> __m512i = _mm512_castps_si512(a);
            from_bits(a: __m512i) -> __m512 = _mm512_castsi512_ps(a);
            int(a: __m512) -> __m512i = _mm512_cvttps_epi32(a);
            of_int(a: __m512i) -> __m512 = _mm512_cvtepi32_ps(a);
            isplat(i: i32) -> __m512i = _mm512_set1_epi32(i);
            iload(from: &[u32; LANES]) -> __m512i = _mm512_loadu_si512(from.as_ptr().cast());
            istore(i: __m512i, to: &mut [u32; LANES]) -> () = _mm512_storeu_si512(to.as_mut_ptr().cast(), i);
            iadd(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
            isub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
            imul(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi32(a, b);
            imin(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epi32(a, b);
            imax(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epi32(a, b);
            iand(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
            ior(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
            ixor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
            igt(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmpgt_epi32_mask(a, b);
            ieq(a: __m512i, b: __m512i) -> __mmask16 = _mm512_cmpeq_epi32_mask(a, b);
            iselect(m: __mmask16, yes: __m512i, no: __m512i) -> __m512i = _mm512_mask_blend_epi32(m, no, yes);
        }

        #[inline(always)]
        fn bits(m: __mmask16) -> u32 {
            u32::from(m)
        }
        #[inline(always)]
        fn mask(bits: u32) -> __mmask16 {
            bits as __mmask16
        }
        #[inline(always)]
        fn quads(x: [f32; 4]) -> __m512 {
            x!({
                let four = _mm512_castps128_ps512(_mm_setr_ps(x[0], x[1], x[2], x[3]));
                let order = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
                _mm512_permutexvar_ps(order, four)
            })
        }
        #[inline(always)]
        fn pick<const N: i32>(x: __m512) -> __m512 {
            x!(match N {
                0 => _mm512_permute_ps::<0x00>(x),
                1 => _mm512_permute_ps::<0x55>(x),
                2 => _mm512_permute_ps::<0xAA>(x),
                _ => _mm512_permute_ps::<0xFF>(x),
            })
        }
        #[inline(always)]
        fn shl<const N: u32>(a: __m512i) -> __m512i {
            x!(_mm512_slli_epi32::<N>(a))
        }
        #[inline(always)]
        fn shr<const N: u32>(a: __m512i) -> __m512i {
            x!(_mm512_srli_epi32::<N>(a))
        }
        #[inline(always)]
        fn sar<const N: u32>(a: __m512i) -> __m512i {
            x!(_mm512_srai_epi32::<N>(a))
        }
        #[inline(always)]
        fn gather(table: &[u32], index: __m512i) -> __m512i {
            if table.is_empty() || table.len() > i32::MAX as usize {
                return Self::isplat(0);
            }
            x!({
                // Indices are unsigned: what looks negative is large.
                let index = _mm512_min_epu32(index, _mm512_set1_epi32(table.len() as i32 - 1));
                _mm512_i32gather_epi32::<4>(index, table.as_ptr().cast())
            })
        }
    }
}

#[cfg(test)]
pub(crate) fn levels() -> Vec<Level> {
    let mut out: Vec<Level> = ["base", "avx2", "avx512"].map(best).into();
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(always)]
    fn all_any<S: Simd>(a: &Lane, b: &Lane, table: &[u32], out: &mut Vec<[u32; LANES]>) {
        let (x, y) = (S::load(a), S::load(b));
        let mut put = |i: S::I| {
            let mut words = [0; LANES];
            S::istore(i, &mut words);
            out.push(words);
        };
        for f in [
            S::add(x, y),
            S::sub(x, y),
            S::mul(x, y),
            S::div(x, y),
            S::sqrt(x),
            S::min(x, y),
            S::max(x, y),
            S::floor(x),
            S::ceil(x),
            S::trunc(x),
            S::round(x),
            S::half(x),
            S::pick::<1>(x),
            S::pick::<2>(x),
            S::select(S::lt(x, y), x, y),
            S::select(S::le(x, y), y, x),
            S::select(S::eq(x, y), y, x),
            S::select(S::mask(0x5AF0), x, y),
            S::quads([a[0], a[5], b[2], b[7]]),
            S::repeat([a[0], a[5], b[2], b[7]]),
            S::modify(x, 0x7FFF_FFFF, 0x8000_0000),
        ] {
            // Which not-a-number comes out is nobody's business.
            put(S::to_bits(S::select(S::eq(f, f), f, S::splat(9.0))));
        }
        let (i, j) = (S::to_int(x), S::to_int(y));
        for v in [
            S::iadd(i, j),
            S::isub(i, j),
            S::imul(i, j),
            S::imin(i, j),
            S::imax(i, j),
            S::iand(i, j),
            S::ior(i, j),
            S::ixor(i, j),
            S::shl::<5>(i),
            S::shr::<5>(i),
            S::sar::<5>(i),
            S::iselect(S::igt(i, j), i, j),
            S::iselect(S::ieq(i, j), S::isplat(7), j),
            S::gather(table, i),
            S::pack([x, y, S::unit(x), S::byte::<8>(i)]),
        ] {
            put(v);
        }
        out.push([S::bits(S::lt(x, y)); LANES]);
    }

    by_level! {
        fn all(a: &Lane, b: &Lane, table: &[u32], out: &mut Vec<[u32; LANES]>) = all_any;
    }

    #[test]
    fn the_forms_agree() {
        let mut seed = 11u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let bits = (seed >> 32) as u32;
            match seed >> 29 & 7 {
                0 => f32::from_bits(bits),
                1 => [0.0, -0.0, 1.0, f32::INFINITY, f32::NAN, 65520.0, 6e-8, -0.5]
                    [bits as usize % 8],
                _ => (bits >> 8) as f32 / 16_777_216.0 * 90.0 - 9.0,
            }
        };
        let table: Vec<u32> = (0..64).map(|i| i * 0x0103_0711).collect();
        for _ in 0..2000 {
            let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
            a.iter_mut().chain(&mut b).for_each(|x| *x = next());
            let mut first = None;
            for level in levels() {
                let mut out = Vec::new();
                all(level, &a, &b, &table, &mut out);
                assert_eq!(&out, first.get_or_insert_with(|| out.clone()), "{level:?}");
            }
        }
    }
}
