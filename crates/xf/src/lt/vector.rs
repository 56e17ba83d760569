//! Three components at a time, and what switches a light off.

use super::arith::{add, dp3, mul};
use crate::xf::arith::{Lanes, SIGN, rows};
use crate::xf::lanes::V3;

#[inline(always)]
pub(super) fn dot<const N: usize>(x: &V3<N>, y: &V3<N>) -> Lanes<N> {
    dp3([&x[0], &x[1], &x[2]], [&y[0], &y[1], &y[2]])
}

#[inline(always)]
pub(super) fn splat3<const N: usize>(v: &[u32; 3]) -> V3<N> {
    rows!(3, |i| [v[i]; N])
}

#[inline(always)]
pub(super) fn mul3<const N: usize>(x: &V3<N>, y: &V3<N>) -> V3<N> {
    rows!(3, |i| mul(&x[i], &y[i]))
}

#[inline(always)]
pub(super) fn vadd<const N: usize>(x: &V3<N>, y: &V3<N>) -> V3<N> {
    rows!(3, |i| add(&x[i], &y[i]))
}

/// 0 in the lanes where `off` is set.
#[inline(always)]
pub(super) fn mask<const N: usize>(x: &Lanes<N>, off: &Lanes<N>) -> Lanes<N> {
    let mut r = *x;
    for i in 0..N {
        r[i] &= !off[i];
    }
    r
}

/// Sets `off` (all ones) in the lanes where `x` has a sign.
#[inline(always)]
pub(super) fn negative<const N: usize>(off: &mut Lanes<N>, x: &Lanes<N>) {
    for i in 0..N {
        off[i] |= if x[i] & SIGN != 0 { u32::MAX } else { 0 };
    }
}
