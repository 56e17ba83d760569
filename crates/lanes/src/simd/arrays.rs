//! The form over arrays.

use super::Simd;
use crate::half::round1;
use crate::{LANES, Lane};

/// Arrays. Where a better level is compiled, this one is a reference: its operations are
/// called then (see build.rs).
#[derive(Clone, Copy)]
pub struct Base;

macro_rules! each {
    (|$i:ident| $e:expr) => {{
        let mut out = [Default::default(); LANES];
        for $i in 0..LANES {
            out[$i] = $e;
        }
        out
    }};
}

/// Functions of arrays that differ in one expression.
macro_rules! lane_by_lane {
    ($($name:ident($($a:ident: $t:ty),*) -> $r:ty = |$i:ident| $e:expr;)*) => {
        $(#[cfg_attr(base_is_reference, inline(never))]
        #[cfg_attr(not(base_is_reference), inline(always))]
        fn $name($($a: $t),*) -> $r {
            each!(|$i| $e)
        })*
    };
}

/// A function of the 16-bit halves of two words.
#[inline(always)]
fn pairs(a: i32, b: i32, f: impl Fn(u16, u16) -> u16) -> i32 {
    let low = f(a as u16, b as u16);
    let high = f((a >> 16) as u16, (b >> 16) as u16);
    i32::from(low) | i32::from(high) << 16
}

impl Simd for Base {
    type F = Lane;
    type I = [i32; LANES];
    type M = [bool; LANES];

    lane_by_lane! {
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
        half(a: Lane) -> Lane = |i| round1(a[i]);
        lt(a: Lane, b: Lane) -> Self::M = |i| a[i] < b[i];
        le(a: Lane, b: Lane) -> Self::M = |i| a[i] <= b[i];
        eq(a: Lane, b: Lane) -> Self::M = |i| a[i] == b[i];
        ne(a: Lane, b: Lane) -> Self::M = |i| a[i] != b[i];
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
        ult(a: Self::I, b: Self::I) -> Self::M = |i| (a[i] as u32) < b[i] as u32;
        ieq(a: Self::I, b: Self::I) -> Self::M = |i| a[i] == b[i];
        iselect(m: Self::M, yes: Self::I, no: Self::I) -> Self::I = |i| if m[i] { yes[i] } else { no[i] };
        mul_pairs(a: Self::I, b: Self::I) -> Self::I = |i| pairs(a[i], b[i], u16::wrapping_mul);
        add_pairs(a: Self::I, b: Self::I) -> Self::I = |i| pairs(a[i], b[i], u16::wrapping_add);
        mul_parts(a: Self::I, b: Self::I) -> Self::I = |i| pairs(a[i], b[i], |a, b| {
            let product = i32::from(a.cast_signed()) * i32::from(b.cast_signed());
            ((product + 0x4000) >> 15) as u16
        });
        less_pairs(a: Self::I, b: Self::I) -> Self::I = |i| pairs(a[i], b[i], u16::saturating_sub);
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
    #[cfg_attr(base_is_reference, inline(never))]
    #[cfg_attr(not(base_is_reference), inline(always))]
    fn pick<const N: i32>(x: Lane) -> Lane {
        each!(|i| x[i & !3 | N as usize])
    }
    #[cfg_attr(base_is_reference, inline(never))]
    #[cfg_attr(not(base_is_reference), inline(always))]
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
    #[cfg_attr(base_is_reference, inline(never))]
    #[cfg_attr(not(base_is_reference), inline(always))]
    fn shl<const N: u32>(a: Self::I) -> Self::I {
        each!(|i| a[i] << N)
    }
    #[cfg_attr(base_is_reference, inline(never))]
    #[cfg_attr(not(base_is_reference), inline(always))]
    fn shr<const N: u32>(a: Self::I) -> Self::I {
        each!(|i| (a[i] as u32 >> N) as i32)
    }
    #[cfg_attr(base_is_reference, inline(never))]
    #[cfg_attr(not(base_is_reference), inline(always))]
    fn shr_pairs<const N: u32>(a: Self::I) -> Self::I {
        each!(|i| pairs(a[i], 0, |a, _| a >> N))
    }
    #[cfg_attr(base_is_reference, inline(never))]
    #[cfg_attr(not(base_is_reference), inline(always))]
    fn sar<const N: u32>(a: Self::I) -> Self::I {
        each!(|i| a[i] >> N)
    }
    #[cfg_attr(base_is_reference, inline(never))]
    #[cfg_attr(not(base_is_reference), inline(always))]
    fn gather(table: &[u32], index: Self::I) -> Self::I {
        let last = table.len().saturating_sub(1);
        each!(|i| {
            let at = (index[i] as u32 as usize).min(last);
            table.get(at).copied().unwrap_or(0) as i32
        })
    }
}
