//! The arithmetic of texture coordinates: 24-bit significands, cut toward zero
//! after every step, on float64 carriers.
//!
//! Evidence: Texture_cubemap (28 of 29 exact, far fewer with rounding or with a
//! true division), Texture_Matrix, Texgen; see docs/accuracy/tex.md and shader.md.

use crate::raster::num::{asum3_guarded, asum3_plain, recip24, t24};

/// 1/x, by the rasteriser's unit. Texgen_with_texture_matrix/Disabled_ShiftVMinus and
/// Texture_2D_as_cubemap show it: a cut quotient has pixels wrong in both.
#[inline(always)]
pub fn reciprocal(x: f32) -> f32 {
    let r = recip24(f64::from(x)) as f32;
    if x.is_nan() { x } else { r }
}

/// a * b.
#[inline(always)]
pub fn times(a: f32, b: f32) -> f32 {
    t24(f64::from(a) * f64::from(b)) as f32
}

/// a / b: the chip multiplies by the reciprocal.
#[inline(always)]
pub fn divide(a: f32, b: f32) -> f32 {
    times(a, reciprocal(b))
}

/// (x + 1) / 2: the exact sum is cut, so that the least bit below 0 shows
/// (Texture_cubemap/DotSTR3D_-1to1, where x is -1.2e-10).
#[inline(always)]
pub fn half_up(x: f32) -> f32 {
    // What a float64 would lose beside 1 acts like the last bit that it keeps.
    const LEAST: f64 = 1.0 / 4503599627370496.0;
    let x = f64::from(x);
    let x = if x < 0.0 { x.min(-LEAST) } else { x };
    t24(x + 1.0) as f32 * 0.5
}

/// A dot product: cut products, one aligned sum.
#[inline(always)]
pub fn dot3(a: [f32; 3], b: [f32; 3]) -> f32 {
    let p = |k: usize| t24(f64::from(a[k]) * f64::from(b[k]));
    t24(asum3_guarded(p(0), p(1), p(2))) as f32
}

/// a / b of whole numbers, cut.
#[inline(always)]
pub fn quotient(a: f32, b: f32) -> f32 {
    t24(f64::from(a) / f64::from(b)) as f32
}

/// The eye vector `e` reflected about `n`: 2 m (m.e) - e with m = n / |n|. The root's
/// reciprocal is rounded to 24 bits or has a 25th (docs/accuracy/shader.md).
pub fn reflect(n: [f32; 3], e: [f32; 3]) -> [f32; 3] {
    let length = (1.0 / f64::from(dot3(n, n)).sqrt()) as f32;
    let m = n.map(|x| times(x, length));
    let twice = 2.0 * dot3(m, e);
    [0, 1, 2].map(|k| {
        let moved = f64::from(times(m[k], twice));
        t24(asum3_guarded(moved, -f64::from(e[k]), 0.0)) as f32
    })
}

/// x + a * b + c * d: cut products, one aligned sum without guard bits, as in the
/// interpolator.
#[inline(always)]
pub fn moved(x: f32, a: f32, b: f32, c: f32, d: f32) -> f32 {
    let p = |a: f32, b: f32| t24(f64::from(a) * f64::from(b));
    t24(asum3_plain(f64::from(x), p(a, b), p(c, d))) as f32
}

/// A value of 0 to 1 as a byte: twelve fraction bits, then 255/256 of them, cut.
#[inline(always)]
pub fn byte(x: f32) -> i32 {
    let v = (x.clamp(0.0, 1.0) * 4096.0) as i32;
    ((v - (v >> 8)) >> 4).min(255)
}
