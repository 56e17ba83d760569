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

/// Which lane of four quads each lane of two rows of eight pixels is.
const ROWS_OF_QUADS: [i32; LANES] = [0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15];

/// Sixteen singles, sixteen integers, sixteen truths.
pub trait Simd: Copy {
    /// Sixteen singles.
    type F: Copy;
    /// Sixteen integers of 32 bits.
    type I: Copy;
    /// Sixteen truths.
    type M: Copy;

    /// The same number in all lanes.
    fn splat(x: f32) -> Self::F;
    /// From memory.
    fn load(from: &Lane) -> Self::F;
    /// To memory.
    fn store(x: Self::F, to: &mut Lane);
    /// One value per quad.
    fn quads(x: [f32; 4]) -> Self::F;
    /// One value per pixel of a quad, the same for all quads.
    fn repeat(x: [f32; 4]) -> Self::F;
    /// Four values per quad, one for each of its pixels.
    #[inline(always)]
    fn four(x: [&[f32; 4]; 4]) -> Self::F {
        let mut out = [0.0; LANES];
        for (to, x) in out.as_chunks_mut::<4>().0.iter_mut().zip(x) {
            *to = *x;
        }
        Self::load(&out)
    }
    /// The value of pixel `N` of each quad in all its pixels.
    fn pick<const N: i32>(x: Self::F) -> Self::F;
    /// The sum.
    fn add(a: Self::F, b: Self::F) -> Self::F;
    /// The difference.
    fn sub(a: Self::F, b: Self::F) -> Self::F;
    /// The product.
    fn mul(a: Self::F, b: Self::F) -> Self::F;
    /// The quotient.
    fn div(a: Self::F, b: Self::F) -> Self::F;
    /// The square root.
    fn sqrt(a: Self::F) -> Self::F;
    /// The smaller; `b` if a lane is not a number.
    fn min(a: Self::F, b: Self::F) -> Self::F;
    /// The larger; `b` if a lane is not a number.
    fn max(a: Self::F, b: Self::F) -> Self::F;
    /// Down to an integer.
    fn floor(a: Self::F) -> Self::F;
    /// Up to an integer.
    fn ceil(a: Self::F) -> Self::F;
    /// Towards zero to an integer.
    fn trunc(a: Self::F) -> Self::F;
    /// To the nearest integer, ties to even.
    fn round(a: Self::F) -> Self::F;
    /// To the nearest half float, ties to even.
    fn half(a: Self::F) -> Self::F;
    /// Less.
    fn lt(a: Self::F, b: Self::F) -> Self::M;
    /// Less or equal.
    fn le(a: Self::F, b: Self::F) -> Self::M;
    /// Equal.
    fn eq(a: Self::F, b: Self::F) -> Self::M;
    /// Not equal.
    fn ne(a: Self::F, b: Self::F) -> Self::M;
    /// `yes` where the mask is set.
    fn select(m: Self::M, yes: Self::F, no: Self::F) -> Self::F;
    /// One bit per lane.
    fn bits(m: Self::M) -> u32;
    /// From one bit per lane.
    fn mask(bits: u32) -> Self::M;
    /// The bits of the singles.
    fn to_bits(a: Self::F) -> Self::I;
    /// The singles with these bits.
    fn from_bits(a: Self::I) -> Self::F;
    /// Towards zero; lanes must be in range.
    fn int(a: Self::F) -> Self::I;
    /// Integers as singles, to nearest.
    fn of_int(i: Self::I) -> Self::F;
    /// The same integer in all lanes.
    fn isplat(i: i32) -> Self::I;
    /// From memory.
    fn iload(from: &[u32; LANES]) -> Self::I;
    /// To memory.
    fn istore(i: Self::I, to: &mut [u32; LANES]);
    /// The sum, without carry.
    fn iadd(a: Self::I, b: Self::I) -> Self::I;
    /// The difference, without borrow.
    fn isub(a: Self::I, b: Self::I) -> Self::I;
    /// The lower half of the product.
    fn imul(a: Self::I, b: Self::I) -> Self::I;
    /// The smaller, with sign.
    fn imin(a: Self::I, b: Self::I) -> Self::I;
    /// The larger, with sign.
    fn imax(a: Self::I, b: Self::I) -> Self::I;
    /// Bits of both.
    fn iand(a: Self::I, b: Self::I) -> Self::I;
    /// Bits of either.
    fn ior(a: Self::I, b: Self::I) -> Self::I;
    /// Bits of one alone.
    fn ixor(a: Self::I, b: Self::I) -> Self::I;
    /// Shifted left by `N`.
    fn shl<const N: u32>(a: Self::I) -> Self::I;
    /// Zeros come in.
    fn shr<const N: u32>(a: Self::I) -> Self::I;
    /// The sign comes in.
    fn sar<const N: u32>(a: Self::I) -> Self::I;
    /// Greater, with sign.
    fn igt(a: Self::I, b: Self::I) -> Self::M;
    /// Less, without sign.
    fn ult(a: Self::I, b: Self::I) -> Self::M;
    /// Equal.
    fn ieq(a: Self::I, b: Self::I) -> Self::M;
    /// `yes` where the mask is set.
    fn iselect(m: Self::M, yes: Self::I, no: Self::I) -> Self::I;
    /// The lower halves of the products of 16-bit numbers, two in every lane.
    fn mul_pairs(a: Self::I, b: Self::I) -> Self::I;
    /// The sums of 16-bit numbers, two in every lane, without carry.
    fn add_pairs(a: Self::I, b: Self::I) -> Self::I;
    /// The products of 16-bit numbers with sign, two in every lane, as parts of 2^15, to nearest.
    fn mul_parts(a: Self::I, b: Self::I) -> Self::I;
    /// The differences of 16-bit numbers without sign, two in every lane; none is below zero.
    fn less_pairs(a: Self::I, b: Self::I) -> Self::I;
    /// 16-bit numbers shifted right by `N`; zeros come in.
    fn shr_pairs<const N: u32>(a: Self::I) -> Self::I;
    /// `table[index]` per lane; indices outside give the last entry.
    fn gather(table: &[u32], index: Self::I) -> Self::I;

    /// `table[index]` and what follows it, per lane; indices outside give the last two entries.
    #[inline(always)]
    fn gather_pairs(table: &[u32], index: Self::I) -> [Self::I; 2] {
        let Some((_, first)) = table.split_last() else {
            return [Self::isplat(0); 2];
        };
        [Self::gather(first, index), Self::gather(&table[1..], index)]
    }

    /// [`Simd::gather_pairs`] of an index, and of the one so far behind it. `QUADS`: lanes are
    /// four quads, otherwise two rows of eight pixels; where a row's indices lie close together
    /// it takes less time.
    #[inline(always)]
    fn squares<const QUADS: bool>(table: &[u32], first: Self::I, down: u32) -> [[Self::I; 2]; 2] {
        let below = Self::iadd(first, Self::isplat(down.cast_signed()));
        [
            Self::gather_pairs(table, first),
            Self::gather_pairs(table, below),
        ]
    }

    /// Which lanes are below 0, one bit each.
    #[inline(always)]
    fn signs(x: &[i32; LANES]) -> u16 {
        let mut bits = 0u32;
        for (lane, &x) in x.iter().enumerate() {
            bits |= (x as u32 >> 31) << lane;
        }
        bits as u16
    }

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

    /// The larger one of two results without signs; what is no number is smaller than all
    /// others. (One that no operation made, and that signals, may win.)
    #[inline(always)]
    fn larger_size(a: Self::F, b: Self::F) -> Self::F {
        let (a, b) = (
            Self::modify(a, 0x7FFF_FFFF, 0),
            Self::modify(b, 0x7FFF_FFFF, 0),
        );
        Self::max(b, Self::select(Self::eq(a, a), a, b))
    }

    /// The byte at `N` of each word as a number.
    #[inline(always)]
    fn byte<const N: u32>(words: Self::I) -> Self::F {
        Self::of_int(Self::iand(Self::shr::<N>(words), Self::isplat(255)))
    }

    /// Cut to a half float, toward zero; what is too large for one becomes infinite.
    #[inline(always)]
    fn half_cut(a: Self::F) -> Self::F {
        const SIGN: i32 = i32::MIN;
        const INFINITY: i32 = 0x7f80_0000;
        // Below 2^-14 the last place stays at 2^-24.
        let last = 16_777_216.0;
        let size = Self::modify(a, 0x7fff_ffff, 0);
        let bits = Self::to_bits(a);
        let cut = Self::from_bits(Self::iand(bits, Self::isplat(!0x1fff)));
        let small = Self::trunc(Self::mul(a, Self::splat(last)));
        let small = Self::mul(small, Self::splat(1.0 / last));
        let sign = Self::iand(bits, Self::isplat(SIGN));
        let infinite = Self::from_bits(Self::ior(sign, Self::isplat(INFINITY)));
        let r = Self::select(Self::lt(size, Self::splat(1.0 / 16384.0)), small, cut);
        let r = Self::select(Self::le(Self::splat(65536.0), size), infinite, r);
        Self::select(Self::eq(a, a), r, a)
    }

    /// The nearest half float, ties to even: its bits in the lower half of each lane.
    #[inline(always)]
    fn to_halves(a: Self::F) -> Self::I {
        const INFINITY: i32 = 0x7f80_0000;
        let bits = Self::to_bits(a);
        let sign = Self::iand(Self::shr::<16>(bits), Self::isplat(0x8000));
        let size = Self::iand(bits, Self::isplat(i32::MAX));
        // Below 2^-14 the last place stays at 2^-24, which is that of 0.5.
        let half = Self::splat(0.5);
        let small = Self::to_bits(Self::add(Self::from_bits(size), half));
        let small = Self::isub(small, Self::to_bits(half));
        let odd = Self::iand(Self::shr::<13>(size), Self::isplat(1));
        let near = Self::iadd(Self::iadd(size, Self::isplat(0xfff)), odd);
        let is_large = Self::igt(near, Self::isplat((143 << 23) - 1));
        let near = Self::shr::<13>(Self::isub(near, Self::isplat(112 << 23)));
        let r = Self::iselect(is_large, Self::isplat(0x7c00), near);
        let is_small = Self::igt(Self::isplat(113 << 23), size);
        let r = Self::iselect(is_small, small, r);
        let which = Self::iand(Self::shr::<13>(size), Self::isplat(0x3ff));
        let none = Self::ior(which, Self::isplat(0x7e00));
        let is_none = Self::igt(size, Self::isplat(INFINITY));
        Self::ior(Self::iselect(is_none, none, r), sign)
    }

    /// The half floats in the lower halves of all lanes.
    #[inline(always)]
    fn of_halves(bits: Self::I) -> Self::F {
        const INFINITY: i32 = 0x7f80_0000;
        const QUIET: i32 = 0x40_0000;
        let sign = Self::shl::<16>(Self::iand(bits, Self::isplat(0x8000)));
        let size = Self::shl::<13>(Self::iand(bits, Self::isplat(0x7fff)));
        let normal = Self::iadd(size, Self::isplat(112 << 23));
        // Below 2^-14 it is what it adds to that.
        let least = Self::isplat(113 << 23);
        let small = Self::sub(
            Self::from_bits(Self::iadd(size, least)),
            Self::from_bits(least),
        );
        let is_small = Self::igt(Self::isplat(1 << 23), size);
        let r = Self::iselect(is_small, Self::to_bits(small), normal);
        let end = Self::ior(size, Self::isplat(INFINITY));
        let r = Self::iselect(Self::igt(size, Self::isplat((31 << 23) - 1)), end, r);
        let is_none = Self::igt(size, Self::isplat(31 << 23));
        let r = Self::iselect(is_none, Self::ior(end, Self::isplat(QUIET)), r);
        Self::from_bits(Self::ior(r, sign))
    }

    /// `a b + c`, cut toward zero. `c` must be so near to the product that a double holds the sum.
    #[inline(always)]
    fn product_cut(a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        let (mut x, mut y, mut z) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        Self::store(a, &mut x);
        Self::store(b, &mut y);
        Self::store(c, &mut z);
        for i in 0..LANES {
            // A double holds the product of two singles.
            let exact = f64::from(x[i]) * f64::from(y[i]) + f64::from(z[i]);
            let nearest = exact as f32;
            let over = u32::from(f64::from(nearest).abs() > exact.abs());
            z[i] = f32::from_bits(nearest.to_bits() - over);
        }
        Self::load(&z)
    }

    /// The same where the mask is set, `c` elsewhere.
    #[inline(always)]
    fn product_cut_where(m: Self::M, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        Self::select(m, Self::product_cut(a, b, c), c)
    }

    /// The larger and the smaller of two numbers, by their size. What is no number may be either,
    /// and of two that are equal in size either may come first.
    #[inline(always)]
    fn by_size(a: Self::F, b: Self::F) -> [Self::F; 2] {
        let (x, y) = (
            Self::modify(a, 0x7fff_ffff, 0),
            Self::modify(b, 0x7fff_ffff, 0),
        );
        let second = Self::lt(x, y);
        [Self::select(second, b, a), Self::select(second, a, b)]
    }

    /// The sum of two numbers, the larger one first, cut toward zero.
    #[inline(always)]
    fn sum_cut(large: Self::F, small: Self::F) -> Self::F {
        let nearest = Self::add(large, small);
        let error = Self::sub(small, Self::sub(nearest, large));
        // One unit nearer to zero where the error, what the nearest lacks, points there.
        let bits = Self::to_bits(nearest);
        let sign = Self::iand(bits, Self::isplat(i32::MIN));
        let outward = Self::from_bits(Self::ixor(Self::to_bits(error), sign));
        let nearer = Self::isub(bits, Self::isplat(1));
        let inward = Self::lt(outward, Self::splat(0.0));
        Self::from_bits(Self::iselect(inward, nearer, bits))
    }

    /// The same, in any order.
    #[inline(always)]
    fn sum_cut_any(a: Self::F, b: Self::F) -> Self::F {
        let [large, small] = Self::by_size(a, b);
        Self::sum_cut(large, small)
    }

    /// The logarithm of `x`, which is `log` unless there is none: that of zero is -∞, that of ∞
    /// is ∞, and what is below zero or no number has no number.
    #[inline(always)]
    fn ends_of_log(x: Self::F, log: Self::F) -> Self::F {
        let infinity = Self::splat(f32::INFINITY);
        let log = Self::select(Self::eq(x, infinity), infinity, log);
        let zero = Self::splat(0.0);
        let log = Self::select(Self::eq(x, zero), Self::splat(f32::NEG_INFINITY), log);
        Self::select(Self::le(zero, x), log, Self::splat(f32::NAN))
    }

    /// A byte, given as a number, as a part of 255.
    #[inline(always)]
    fn part_of_255(byte: Self::F) -> Self::F {
        Self::div(byte, Self::splat(255.0))
    }

    /// Lanes of four quads as lanes of two rows of eight pixels.
    #[inline(always)]
    fn rows_of_quads(x: Self::I) -> Self::I {
        let (mut quads, mut rows) = ([0; LANES], [0; LANES]);
        Self::istore(x, &mut quads);
        for (row, &lane) in rows.iter_mut().zip(&ROWS_OF_QUADS) {
            *row = quads[lane as usize];
        }
        Self::iload(&rows)
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
    use crate::{Level, Random, dispatch};

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
            S::half_cut(x),
            S::product_cut(x, y, S::splat(0.0)),
            S::product_cut_where(S::lt(x, y), x, y, S::splat(0.0)),
            S::select(S::ne(x, y), x, S::splat(3.0)),
            S::select(S::ult(S::to_bits(x), S::to_bits(y)), x, y),
            S::ends_of_log(x, y),
            S::sum_cut(S::by_size(x, y)[0], S::by_size(x, y)[1]),
            S::sum_cut_any(x, y),
            S::part_of_255(S::byte::<16>(S::to_bits(y))),
            S::pick::<1>(x),
            S::pick::<2>(x),
            S::select(S::lt(x, y), x, y),
            S::select(S::le(x, y), y, x),
            S::select(S::eq(x, y), y, x),
            S::select(S::mask(0x5AF0), x, y),
            S::quads([a[0], a[5], b[2], b[7]]),
            S::repeat([a[0], a[5], b[2], b[7]]),
            S::four([
                &[a[0], a[1], b[2], b[3]],
                &[a[4]; 4],
                &[b[5]; 4],
                &[a[6], b[7], b[0], a[3]],
            ]),
            S::modify(x, 0x7FFF_FFFF, 0x8000_0000),
            S::larger_size(S::sub(x, y), S::add(x, y)),
            S::larger_size(S::add(x, y), S::mul(x, y)),
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
            S::gather_pairs(table, i)[0],
            S::gather_pairs(table, i)[1],
            S::squares::<false>(table, i, 7)[0][0],
            S::squares::<false>(table, i, 7)[1][1],
            S::squares::<true>(table, i, 19)[0][1],
            S::squares::<true>(table, i, 19)[1][0],
            S::squares::<true>(table, S::iand(i, S::isplat(15)), 3)[1][0],
            S::squares::<false>(table, S::iand(i, S::isplat(31)), 0)[1][1],
            S::pack([x, y, S::unit(x), S::byte::<8>(i)]),
            S::mul_pairs(S::to_bits(x), S::to_bits(y)),
            S::add_pairs(S::to_bits(x), S::to_bits(y)),
            S::mul_parts(S::to_bits(x), S::to_bits(y)),
            S::less_pairs(S::to_bits(x), S::to_bits(y)),
            S::shr_pairs::<3>(S::to_bits(x)),
            S::rows_of_quads(S::to_bits(x)),
        ] {
            put(v);
        }
        out.push([S::bits(S::lt(x, y)); LANES]);
        let (mut i31, mut j31) = ([0; LANES], [0; LANES]);
        S::istore(S::shr::<1>(S::to_bits(x)), &mut i31);
        S::istore(S::shr::<1>(S::to_bits(y)), &mut j31);
        j31[3] = i31[3];
        for func in 0..8 {
            let bits = S::compare(func, &i31, &j31);
            out.push([bits.into(); LANES]);
            out.push(S::choose(bits, &i31, &j31));
        }
        out.push([S::signs(&a.map(|a| a.to_bits().cast_signed())).into(); LANES]);
    }

    dispatch! {
        fn all(a: &Lane, b: &Lane, table: &[u32], out: &mut Vec<[u32; LANES]>) = all_any::<Lanes>;
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
        }
    }

    #[test]
    fn half_floats_are_cut_toward_zero() {
        let cut = |x: f32| Base::half_cut([x; LANES])[3];
        for (x, want) in [
            (1.0009765, 1.0),
            (-1.0009765, -1.0),
            (1.0009766, 1.000_976_6),
            (65535.9, 65504.0),
            (65536.0, f32::INFINITY),
            (-1e9, f32::NEG_INFINITY),
            (5.9e-8, 0.0),
            (-6.0e-8, -5.960_464_5e-8),
        ] {
            assert_eq!(cut(x), want, "{x}");
        }
        assert!(cut(f32::NAN).is_nan());
        for half in 0..0x7c00 {
            let x = crate::half::half_to_f32(half);
            assert_eq!(cut(x), x);
        }
    }

    #[inline(always)]
    fn halves_any<S: Simd>(numbers: &Lane, bits: &mut [u32; LANES], halves: &mut Lane) {
        S::istore(S::to_halves(S::load(numbers)), bits);
        S::store(S::of_halves(S::iload(bits)), halves);
    }

    dispatch! {
        fn halves(numbers: &Lane, bits: &mut [u32; LANES], halves: &mut Lane) =
            halves_any::<Lanes>;
    }

    /// Of every level; what lies above a half's bits does not matter.
    #[test]
    fn half_floats_are_those_of_single_steps() {
        use crate::half::{f32_to_half, half_to_f32};
        let mut random = Random::new(17);
        for level in Level::available() {
            for round in 0..20_000 {
                let numbers: Lane = std::array::from_fn(|_| {
                    let bits = random.next_u32();
                    // Most of them are not far from what half floats hold.
                    f32::from_bits(match round % 4 {
                        0 => bits,
                        _ => bits & 0x87ff_ffff | (6 + (bits >> 27 & 1)) << 27,
                    })
                });
                let (mut bits, mut lanes) = ([0; LANES], [0.0; LANES]);
                halves(level, &numbers, &mut bits, &mut lanes);
                for i in 0..LANES {
                    let want = f32_to_half(numbers[i]);
                    assert_eq!(bits[i], u32::from(want), "{level:?} {:e}", numbers[i]);
                    let want = half_to_f32(want);
                    assert_eq!(lanes[i].to_bits(), want.to_bits(), "{level:?} {want:e}");
                }
            }
            for first in (0..=u16::MAX).step_by(LANES) {
                let given: [u32; LANES] =
                    std::array::from_fn(|i| u32::from(first + i as u16) | random.next_u32() << 16);
                let mut lanes = [0.0; LANES];
                unpacked(level, &given, &mut lanes);
                for (x, bits) in lanes.into_iter().zip(given) {
                    let want = half_to_f32(bits as u16);
                    let is_same = x.to_bits() == want.to_bits();
                    assert!(
                        is_same || x.is_nan() && want.is_nan(),
                        "{level:?} {bits:#x}"
                    );
                }
            }
        }
    }

    #[inline(always)]
    fn unpacked_any<S: Simd>(bits: &[u32; LANES], halves: &mut Lane) {
        S::store(S::of_halves(S::iload(bits)), halves);
    }

    dispatch! {
        fn unpacked(bits: &[u32; LANES], halves: &mut Lane) = unpacked_any::<Lanes>;
    }

    #[inline(always)]
    fn parts_any<S: Simd>(out: &mut [Lane; 16]) {
        for (i, out) in (0..).zip(out) {
            let first: [u32; LANES] = std::array::from_fn(|lane| 16 * i + lane as u32);
            S::store(S::part_of_255(S::of_int(S::iload(&first))), out);
        }
    }

    dispatch! {
        fn parts(out: &mut [Lane; 16]) = parts_any::<Lanes>;
    }

    #[test]
    fn parts_of_255_are_the_nearest() {
        for level in Level::available() {
            let mut out = [[0.0; LANES]; 16];
            parts(level, &mut out);
            for (byte, got) in (0u8..=255).zip(out.as_flattened()) {
                assert_eq!(*got, f32::from(byte) / 255.0, "{level:?}");
                // Dividing as doubles does not round twice.
                assert_eq!(*got, (f64::from(byte) / 255.0) as f32);
            }
        }
    }

    #[test]
    fn quads_become_rows() {
        let x = std::array::from_fn(|i| i as i32);
        let rows = Base::rows_of_quads(x);
        for (i, lane) in rows.into_iter().enumerate() {
            let (column, row, quad) = (i % 8, i / 8, lane / 4);
            assert_eq!(lane as usize % 4, column % 2 + 2 * row);
            assert_eq!(quad as usize, column / 2);
        }
    }

    #[test]
    fn signs_are_bits_in_order_and_choose_lanes() {
        let mut x = [0; LANES];
        for lane in [0, 3, 7, 8, 15] {
            x[lane] = i32::MIN + lane as i32;
        }
        x[5] = i32::MAX;
        assert_eq!(Base::signs(&x), 0x8189);
        let old = std::array::from_fn(|i| i as u32 + 100);
        let chosen = Base::choose(0x8189, &[7; LANES], &old);
        let want = |i: usize| if 0x8189 >> i & 1 != 0 { 7 } else { old[i] };
        assert_eq!(chosen, std::array::from_fn(want));
    }

    #[test]
    fn the_forms_agree() {
        let mut random = Random::new(11);
        let mut next = || {
            let bits = random.next_u32();
            match random.below(8) {
                0 => f32::from_bits(bits),
                1 => random.pick(&[0.0, -0.0, 1.0, f32::INFINITY, f32::NAN, 65520.0, 6e-8, -0.5]),
                _ => random.unit() * 90.0 - 9.0,
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
