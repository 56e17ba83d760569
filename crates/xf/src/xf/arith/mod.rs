//! The arithmetic of the vertex engine, over lanes.
//!
//! Every operation takes and gives arrays of `N` float32 bit patterns, one per
//! vertex; `N` = 1 is the scalar unit. The bodies are plain loops without
//! branches, so that the compiler turns them into vector code for whatever
//! level the caller was compiled for (see `isotherm_lanes::dispatch`). A lane with an
//! unusual value (NaN, infinity, overflow, underflow) sends its whole batch
//! through a cold path that computes such lanes by the integer definition.
//!
//! Evidence: 90 operations, every row of the hardware-checked vectors.

mod cmp;
mod convert;
mod explog;
mod mul_sum;
mod rcp;
mod special;
mod tables;

pub use cmp::{Cond, Test, cond, max, min, set, ssg};
pub(crate) use convert::color_to_byte32;
pub use convert::{color_to_byte, nshort_to_float, short_to_float, ubyte_to_float};
pub use explog::{exp, exp_flr, exp_frc, lit, log, log_e, log_f, pre_exp};
pub use mul_sum::{Matrix, add, dp3, dp4, dph, mad, mul, sum, transform};
pub use rcp::{guess_rcp, guess_rsq, rcc, rcp, rsq};
pub use special::{cos, ex2, flr, frc, lg2, sin};

/// An array of lanes by a loop. A closure given to the core library's `map`
/// would be compiled without the caller's vector level.
macro_rules! rows {
    ($n:literal, |$i:ident| $e:expr) => {{
        let mut r = [[0; _]; $n];
        for ($i, r) in r.iter_mut().enumerate() {
            *r = $e;
        }
        r
    }};
}
pub(crate) use rows;

/// One value per vertex.
pub type Lanes<const N: usize> = [u32; N];

/// 1.0
pub const ONE: u32 = 0x3f80_0000;
/// The NaN that every operation creates.
pub const NAN: u32 = 0x7fff_ffff;
/// Positive infinity.
pub const INF: u32 = 0x7f80_0000;
/// The largest finite number.
pub const MAX: u32 = 0x7f7f_ffff;
/// The sign bit.
pub const SIGN: u32 = 0x8000_0000;

/// How a generation rounds and treats special values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// NV10 to NV17: fixed function.
    Celsius,
    /// NV20 to NV2A: fixed function and programs.
    Kelvin,
    /// NV30 to NV36 with XFMODE's IEEE bit clear.
    RankineLegacy,
    /// NV30 to NV36 with XFMODE's IEEE bit set.
    Rankine,
    /// NV40 and up with XF_C's IEEE bit clear.
    CurieLegacy,
    /// NV40 and up with XF_C's IEEE bit set.
    Curie,
}

impl Rules {
    /// 1 Celsius, 2 Kelvin, 3 Rankine, 4 Curie.
    #[inline(always)]
    pub(crate) const fn version(self) -> u8 {
        match self {
            Rules::Celsius => 1,
            Rules::Kelvin => 2,
            Rules::RankineLegacy | Rules::Rankine => 3,
            Rules::CurieLegacy | Rules::Curie => 4,
        }
    }

    /// 0 times anything is 0, and comparisons order the bit patterns.
    #[inline(always)]
    pub(crate) const fn zero_wins(self) -> bool {
        !matches!(self, Rules::Rankine | Rules::Curie)
    }
}

/// The same value in every lane.
#[inline(always)]
pub fn splat<const N: usize>(x: u32) -> Lanes<N> {
    [x; N]
}

/// Flips the sign of every lane.
#[inline(always)]
pub fn neg<const N: usize>(mut x: Lanes<N>) -> Lanes<N> {
    for v in &mut x {
        *v ^= SIGN;
    }
    x
}

/// Clears the sign of every lane.
#[inline(always)]
pub fn abs<const N: usize>(mut x: Lanes<N>) -> Lanes<N> {
    for v in &mut x {
        *v &= !SIGN;
    }
    x
}

#[inline(always)]
pub(crate) const fn exponent(x: u32) -> i32 {
    (x >> 23 & 0xff) as i32
}

#[inline(always)]
pub(crate) const fn fraction(x: u32) -> u32 {
    x & 0x7f_ffff
}

#[inline(always)]
pub(crate) const fn is_nan(x: u32) -> bool {
    x & !SIGN > INF
}

#[inline(always)]
pub(crate) const fn is_inf(x: u32) -> bool {
    x & !SIGN == INF
}

/// Puts a finite result together: `f` has its leading one at bit 23. Exponents
/// that do not fit flush to zero below and saturate (or, from Rankine, become
/// infinite) above.
#[inline(always)]
pub(crate) fn finish(version: u8, negative: bool, e: i32, f: u32) -> u32 {
    let sign = (negative as u32) << 31;
    if e <= 0 || f < 1 << 23 {
        sign
    } else if e >= 0xff {
        sign | if version >= 3 { INF } else { MAX }
    } else {
        sign | (e as u32) << 23 | fraction(f)
    }
}

/// Has all lanes in memory before what follows. The compiler makes vectors of lanes from where
/// they are stored, back along what they come from, but only so far: of a longer chain the
/// beginning would be done lane by lane.
#[inline(always)]
pub(crate) fn settle<T, const N: usize>(lanes: &mut [T; N]) {
    if N > 1 {
        core::hint::black_box(lanes);
    }
}

/// Applies a scalar function to every lane.
#[inline(always)]
pub(crate) fn map<const N: usize>(x: &Lanes<N>, f: impl Fn(u32) -> u32) -> Lanes<N> {
    let mut r = [0; N];
    for i in 0..N {
        r[i] = f(x[i]);
    }
    r
}
