//! Sixteen lanes at a time, in three forms with the same bits: plain arrays, AVX2, AVX-512.
//!
//! Code is written once over [`Simd`] and compiled for each form; [`Level`](crate::Level) says which one
//! this processor runs. Everything below a compiled function is `inline(always)`, so that
//! the instructions of its form reach the innermost loop.

mod arrays;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use arrays::Base;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

use crate::{LANES, Lane};

/// Sixteen singles, sixteen integers, sixteen truths.
pub trait Simd: Copy {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, dispatch};

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

    dispatch! {
        fn all(a: &Lane, b: &Lane, table: &[u32], out: &mut Vec<[u32; LANES]>) = all_any::<Lanes>;
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
            for level in Level::available() {
                let mut out = Vec::new();
                all(level, &a, &b, &table, &mut out);
                assert_eq!(&out, first.get_or_insert_with(|| out.clone()), "{level:?}");
            }
        }
    }
}
