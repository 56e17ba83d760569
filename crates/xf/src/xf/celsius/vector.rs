//! Celsius' vector unit: four components at a time.

use super::super::arith::{self, neg, rows, splat};
use super::{L, RULES, Vec4};
use crate::xf::LANES;

#[inline(always)]
pub(super) fn mul(a: &L, b: &L) -> L {
    arith::mul(RULES, a, b)
}

#[inline(always)]
fn add(a: &L, b: &L) -> L {
    arith::add(RULES, a, b)
}

#[inline(always)]
pub(super) fn dp3(a: &Vec4, b: &Vec4) -> L {
    arith::dp3(RULES, [&a[0], &a[1], &a[2]], [&b[0], &b[1], &b[2]])
}

#[inline(always)]
pub(super) fn dp4(a: &Vec4, b: &Vec4) -> L {
    arith::dp4(
        RULES,
        [&a[0], &a[1], &a[2], &a[3]],
        [&b[0], &b[1], &b[2], &b[3]],
    )
}

#[inline(always)]
pub(super) fn row(r: &[u32; 4]) -> Vec4 {
    rows!(4, |i| splat(r[i]))
}

#[inline(always)]
pub(super) fn vmul(a: &Vec4, b: &Vec4) -> Vec4 {
    rows!(4, |i| mul(&a[i], &b[i]))
}

#[inline(always)]
pub(super) fn scale(a: &Vec4, s: &L) -> Vec4 {
    rows!(4, |i| mul(&a[i], s))
}

/// The vector adder does x, y, z; w passes from the first operand.
#[inline(always)]
pub(super) fn vadd(a: &Vec4, b: &Vec4) -> Vec4 {
    let mut r = *a;
    for i in 0..3 {
        r[i] = add(&a[i], &b[i]);
    }
    r
}

#[inline(always)]
pub(super) fn vsub(a: &Vec4, b: &Vec4) -> Vec4 {
    vadd(a, &rows!(4, |i| neg(b[i])))
}

#[inline(always)]
pub(super) fn mat4(v: &Vec4, m: &[[u32; 4]]) -> Vec4 {
    arith::transform(RULES, v, m)
}

#[inline(always)]
pub(super) fn mat3(v: &Vec4, m: &[[u32; 4]]) -> Vec4 {
    arith::transform::<3, 4, LANES>(RULES, &[v[0], v[1], v[2]], m)
}

#[inline(always)]
pub(super) fn inverse_length(v: &Vec4) -> L {
    arith::rsq(RULES, &dp3(v, v))
}

#[inline(always)]
pub(super) fn cross(a: &Vec4, b: &Vec4) -> Vec4 {
    let p = [mul(&a[1], &b[2]), mul(&a[2], &b[0]), mul(&a[0], &b[1])];
    let m = [mul(&a[2], &b[1]), mul(&a[0], &b[2]), mul(&a[1], &b[0])];
    let z = [0; LANES];
    vsub(&[p[0], p[1], p[2], z], &[m[0], m[1], m[2], z])
}
