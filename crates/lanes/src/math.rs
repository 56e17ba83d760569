//! Functions of the pixel processor's combiner, over lanes.

use crate::{LANES, Simd};

/// A polynomial, highest power first.
#[inline(always)]
fn poly<S: Simd, const N: usize>(x: S::F, c: [f32; N]) -> S::F {
    let mut p = S::splat(c[0]);
    for &c in &c[1..] {
        p = S::add(S::mul(p, x), S::splat(c));
    }
    p
}

/// 2^x, good to a few units in the last place of a single. What is smaller than any normal number
/// is zero.
#[inline(always)]
pub fn exp2<S: Simd>(x: S::F) -> S::F {
    // What is no number stays so. From 128 on the exponent below is that of infinity.
    let limited = S::min(S::splat(128.0), x);
    // A sum with this one has no room for a fraction, and a whole number in its last bits.
    let far = S::splat(12_582_912.0);
    let sum = S::add(limited, far);
    let p = poly::<S, 7>(
        S::sub(limited, S::sub(sum, far)),
        [
            1.535_336_2e-4,
            1.339_887_4e-3,
            9.618_438e-3,
            5.550_332_5e-2,
            2.402_264_7e-1,
            6.931_472e-1,
            1.0,
        ],
    );
    let power = S::from_bits(S::iadd(S::to_bits(p), S::shl::<23>(S::to_bits(sum))));
    S::select(S::lt(x, S::splat(-126.0)), S::splat(0.0), power)
}

/// log2 x; NaN below zero, -∞ at zero.
#[inline(always)]
pub fn log2<S: Simd>(x: S::F) -> S::F {
    // Mantissa in √½…√2.
    let root = S::isplat(0x3F35_04F3);
    let shifted = S::isub(S::to_bits(x), root);
    let e = S::of_int(S::sar::<23>(shifted));
    let m = S::from_bits(S::iadd(S::iand(shifted, S::isplat(0x007F_FFFF)), root));
    let one = S::splat(1.0);
    let t = S::div(S::sub(m, one), S::add(m, one));
    // 2/ln 2 · (t + t³/3 + t⁵/5 + …)
    let p = poly::<S, 4>(
        S::mul(t, t),
        [0.412_198_6, 0.577_078_04, 0.961_796_7, 2.885_39],
    );
    S::ends_of_log(x, S::add(S::mul(p, t), e))
}

/// sin 2πx.
#[inline(always)]
pub fn sin_turn<S: Simd>(x: S::F) -> S::F {
    let f = S::sub(x, S::round(x));
    // Fold into a quarter on each side.
    let below = S::select(S::lt(f, S::splat(-0.25)), S::sub(S::splat(-0.5), f), f);
    let f = S::select(S::lt(S::splat(0.25), f), S::sub(S::splat(0.5), f), below);
    let p = poly::<S, 5>(
        S::mul(f, f),
        [
            39.7,
            -76.705_86,
            81.605_25,
            -41.341_7,
            std::f32::consts::TAU,
        ],
    );
    S::mul(p, f)
}

/// sin 2πx, good to a few units in the last place of a single.
#[inline(always)]
pub fn fine_sin_turn<S: Simd>(x: S::F) -> S::F {
    let f = S::sub(x, S::round(x));
    let below = S::select(S::lt(f, S::splat(-0.25)), S::sub(S::splat(-0.5), f), f);
    let f = S::select(S::lt(S::splat(0.25), f), S::sub(S::splat(0.5), f), below);
    // Taylor's series: 2π, -(2π)³/3!, ….
    let p = poly::<S, 6>(
        S::mul(f, f),
        [
            -15.094_643,
            42.058_693,
            -76.705_86,
            81.605_25,
            -41.341_7,
            std::f32::consts::TAU,
        ],
    );
    S::mul(p, f)
}

/// Angle of (y, x).
#[inline(always)]
pub fn atan2<S: Simd>(y: S::F, x: S::F) -> S::F {
    let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
    S::store(y, &mut a);
    S::store(x, &mut b);
    for i in 0..LANES {
        a[i] = a[i].atan2(b[i]);
    }
    S::load(&a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Base;

    #[test]
    fn functions_are_good_to_more_than_a_half() {
        let of = |f: fn([f32; LANES]) -> [f32; LANES], x: f32| f([x; LANES])[0];
        for i in 0..20_000 {
            let x = (i as f32 - 10_000.0) / 700.0;
            let e = (of(exp2::<Base>, x) / x.exp2() - 1.0).abs();
            assert!(e < 1e-6, "exp2 {x} {e}");
            let y = x.exp2();
            assert!(
                (of(log2::<Base>, y) - y.log2()).abs() < 2e-6 * (1.0 + x.abs()),
                "log2 {y}"
            );
            let t = f64::from(x) * std::f64::consts::TAU;
            let sine = f64::from(of(sin_turn::<Base>, x));
            assert!((sine - t.sin()).abs() < 2e-5, "sin {x}");
            let sine = f64::from(of(fine_sin_turn::<Base>, x));
            assert!((sine - t.sin()).abs() < 4e-7, "sin {x}");
        }
        assert_eq!(of(log2::<Base>, 0.0), f32::NEG_INFINITY);
        assert!(of(log2::<Base>, -1.0).is_nan());
        assert!(of(exp2::<Base>, f32::NAN).is_nan());
        for (x, want) in [
            (f32::NEG_INFINITY, 0.0),
            (-1e30, 0.0),
            (-126.01, 0.0),
            (-126.0, f32::MIN_POSITIVE),
            (127.0, 2f32.powi(127)),
            (128.0, f32::INFINITY),
            (1e30, f32::INFINITY),
            (f32::INFINITY, f32::INFINITY),
        ] {
            assert_eq!(of(exp2::<Base>, x), want, "{x}");
        }
        assert!(of(exp2::<Base>, 127.999).is_finite());
        assert!(of(log2::<Base>, f32::INFINITY) == f32::INFINITY);
    }
}
