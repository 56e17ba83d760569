//! The rasteriser's number formats, on float64 carriers.
//!
//! The chip computes with 24-bit significands and cuts, never rounds. A float64
//! holds every product of two such numbers exactly, so cutting its bits is the
//! chip's own result. All functions are branch-free so that loops over lanes
//! become vector code.

use crate::frag::LANES;

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;

/// One float64 per lane.
pub(crate) type D = [f64; LANES];

/// The least size and the end of the sizes that are far from the limits of float32's range.
pub(crate) const FAR_FROM_0: f32 = f32::from_bits((127 - 40) << 23);
pub(crate) const FAR_FROM_INFINITY: f32 = f32::from_bits((127 + 41) << 23);

/// Is this 0, or between 2^-40 and 2^41 in size?
#[inline(always)]
pub(crate) fn far_from_limits(x: f32) -> bool {
    const LEAST: u32 = FAR_FROM_0.to_bits() >> 23;
    const END: u32 = FAR_FROM_INFINITY.to_bits() >> 23;
    let bits = x.to_bits() << 1;
    bits == 0 || (bits >> 24).wrapping_sub(LEAST) < END - LEAST
}

/// Cuts to 24 significant bits, toward zero.
#[inline(always)]
pub(crate) fn t24(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !0x1fff_ffff)
}

/// Cuts to 29 significant bits, toward zero.
#[inline(always)]
pub(crate) fn t29(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !0xff_ffff)
}

/// The power of two below or equal to |x| (0 for 0): the binary exponent in a
/// form that compares.
#[inline(always)]
pub(crate) fn pow2(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0x7ff0_0000_0000_0000)
}

/// The larger one, as one instruction. NaN in `a` gives `b`.
#[inline(always)]
pub(crate) fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller one, as one instruction. NaN in `a` gives `b`.
#[inline(always)]
pub(crate) fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// To integer, toward zero, of a value that the caller has limited to ±2^31.
#[inline(always)]
pub(crate) fn int(x: f64) -> i32 {
    // The clamp costs two instructions; a saturating cast costs six.
    let x = min(max(x, -2147483648.0), 2147483647.0);
    // SAFETY: the clamp above leaves neither NaN nor a value out of range.
    unsafe { x.to_int_unchecked() }
}

/// 1/x of a normal power of two: its exponent the other way round.
#[inline(always)]
pub(super) fn inverse(power: f64) -> f64 {
    f64::from_bits((2046u64 << 52).wrapping_sub(power.to_bits()))
}

/// Cuts to a multiple of the power of two `unit` (`inverse` is 1/`unit`).
#[inline(always)]
fn cut(x: f64, unit: f64, inverse: f64) -> f64 {
    (x * inverse).trunc() * unit
}

/// The aligned adder: every operand is cut to a multiple of 2^(largest exponent
/// - 28), then the sum is exact. 24-bit significands with five guard bits.
#[inline(always)]
pub(crate) fn asum3_guarded(a: f64, b: f64, c: f64) -> f64 {
    let top = max(max(a.abs(), b.abs()), c.abs());
    // All-zero and infinite operands leave the range where a unit exists.
    let top = min(max(top, SMALLEST), 1e300);
    let unit = pow2(top) * (1.0 / 268435456.0);
    let inverse = inverse(unit);
    cut(a, unit, inverse) + cut(b, unit, inverse) + cut(c, unit, inverse)
}

/// The same sum of numbers none of which is near the end of the range: at most
/// 64 times one that has a [`moderate_size`].
#[inline(always)]
pub(crate) fn asum3_guarded_moderate(a: f64, b: f64, c: f64) -> f64 {
    let top = max(max(a.abs(), b.abs()), max(c.abs(), SMALLEST));
    let unit = pow2(top) * (1.0 / 268435456.0);
    let inverse = f64::from_bits(0x7fe0_0000_0000_0000 - unit.to_bits());
    // Whole numbers below 2^29: neither their sum nor the unit rounds.
    ((a * inverse).trunc() + (b * inverse).trunc() + (c * inverse).trunc()) * unit
}

/// The aligned adder of the texture coordinates: 24 bits, no guard bits.
#[inline(always)]
pub(crate) fn asum3_plain(a: f64, b: f64, c: f64) -> f64 {
    let top = max(max(a.abs(), b.abs()), c.abs());
    let top = min(max(top, SMALLEST), 1e300);
    let unit = pow2(top) * (1.0 / 8388608.0);
    let inverse = inverse(unit);
    cut(a, unit, inverse) + cut(b, unit, inverse) + cut(c, unit, inverse)
}

/// The same sum where nothing can leave the range: `a` comes with its limited size
/// ([`moderate_size`]), the others are at most 64 times a number that has one.
#[inline(always)]
pub(crate) fn asum3_plain_moderate(a: f64, size: f64, b: f64, c: f64) -> f64 {
    let top = max(max(b.abs(), c.abs()), size);
    let unit = pow2(top) * (1.0 / 8388608.0);
    let inverse = f64::from_bits(0x7fe0_0000_0000_0000 - unit.to_bits());
    // Whole numbers below 2^24: neither their sum nor the unit rounds.
    ((a * inverse).trunc() + (b * inverse).trunc() + (c * inverse).trunc()) * unit
}

/// The smallest number that has a unit.
const SMALLEST: f64 = f64::from_bits(0x0400_0000_0000_0000);

/// The adder of the weights: 24 bits and one guard bit, the sum cut to 24 bits.
#[inline(always)]
pub(crate) fn weight_sum(a: f64, b: f64, c: f64) -> f64 {
    let top = max(max(a.abs(), b.abs()), c.abs());
    let top = min(max(top, SMALLEST), 1e300);
    let unit = pow2(top) * (1.0 / 16777216.0);
    let inverse = inverse(unit);
    // Whole numbers below 2^25: neither their sum nor the unit rounds.
    t24(((a * inverse).trunc() + (b * inverse).trunc() + (c * inverse).trunc()) * unit)
}

/// Adding and subtracting it leaves the nearest whole number.
const WHOLE: f64 = 6755399441055744.0;

/// The line of [`guess12`] over the 128th of an octave that begins at `start`: its value there
/// in units of 2^-16, and how it falls in units of 2^-10.
#[inline(always)]
const fn line_from(start: f64) -> [f64; 2] {
    const WIDTH: f64 = 1.0 / 128.0;
    // Series of (1/a - 1/b) / 2 + 1 / sqrt(a b) and of 1 / (a b), a and b the ends of the
    // 128th; close enough to round all of them the right way, as a test below shows.
    let inverse = 1.0 / start;
    let width = WIDTH * inverse;
    let first = inverse * (1.0 - width * width * (0.125 - 0.1875 * width));
    let slope = inverse * inverse * (1.0 - width * (1.0 - width));
    [
        (first * 65536.0 + WHOLE) - WHOLE,
        (slope * 1024.0 + WHOLE) - WHOLE,
    ]
}

/// A guess of 1/m in units of 2^-12, for 1 ≤ m < 2: m rounded to 14 fraction bits, the
/// best straight line over the 128th of the octave that it lies in, rounded to twelve bits
/// with halves down. The line's value at its start has 16 fraction bits, its slope ten.
#[inline(always)]
pub(super) fn guess12(m: f64) -> f64 {
    const UNIT: f64 = 16384.0;
    // Halves go up.
    let m = ((m * UNIT + 1.0 / 1024.0 + WHOLE) - WHOLE) * (1.0 / UNIT);
    let start = f64::from_bits(m.to_bits() & !0x1fff_ffff_ffff);
    let along = m - start;
    let [first, slope] = line_from(start);
    // A multiple of 2^-12.
    let line = first * (1.0 / 16.0) - slope * along * 4.0;
    (line - 1.0 / 16384.0 + WHOLE) - WHOLE
}

/// The rasteriser's reciprocal of a weight sum of 24 bits: [`guess12`] and one Newton
/// step, whose s g is rounded to 24 fraction bits and whose last product is cut
/// (docs/accuracy/depth.md).
#[inline(always)]
pub(crate) fn recip24(s: f64) -> f64 {
    const GUESS: f64 = 4096.0;
    const FRACTION: f64 = 16777216.0;
    // Zero and infinity leave the range where a power turns around.
    let size = min(max(s.abs(), SMALLEST), 1e300);
    let back = inverse(pow2(size));
    let m = size * back;
    let guess = guess12(m);
    // A multiple of 2^-11; halves of the product go up.
    let product = m * guess * (FRACTION / GUESS);
    let rest = 2.0 * FRACTION - ((product + 1.0 / 4096.0 + WHOLE) - WHOLE);
    (t24(guess * rest * (1.0 / (GUESS * FRACTION))) * back).copysign(s)
}

/// |x|, at least the smallest number that has a unit; `None` for what is too large
/// or no number.
#[inline(always)]
pub(crate) fn moderate_size(x: f64) -> Option<f64> {
    (x.abs() < 1e100).then(|| max(x.abs(), SMALLEST))
}

/// The aligned adder with two operands.
#[inline(always)]
pub(crate) fn asum2(a: f64, b: f64) -> f64 {
    asum3_guarded(a, b, 0.0)
}

/// The rasteriser's reciprocal of a depth weight sum of 29 or 30 bits: a guess of 14 bits,
/// rounded, and one Newton step, whose s g is rounded to 30 fraction bits and whose last
/// product is cut to 29 bits (docs/accuracy/depth.md).
#[inline(always)]
pub(crate) fn recip29(s: f64) -> f64 {
    const GUESS: f64 = 16384.0;
    const FRACTION: f64 = 1073741824.0;
    let size = min(max(s.abs(), SMALLEST), 1e300);
    let back = inverse(pow2(size));
    let m = size * back;
    let guess = ((GUESS / m + WHOLE) - WHOLE) * (1.0 / GUESS);
    // Halves of the product go up; it is a multiple of 2^-44.
    let product = (m * guess * FRACTION + 1.0 / 65536.0 + WHOLE) - WHOLE;
    // g (2 − m g) in a form that a float64 holds: m g is 1 up to 2^-14.
    let error = 1.0 - product * (1.0 / FRACTION);
    (t29(guess + guess * error) * back).copysign(s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_go_toward_zero() {
        assert_eq!(t24(16777217.0), 16777216.0);
        assert_eq!(t24(33554433.0), 33554432.0);
        assert_eq!(t24(-33554431.0), -33554430.0);
        assert_eq!(t29(536870913.0), 536870912.0);
    }

    #[test]
    fn the_adder_drops_what_lies_below_its_guard_bits() {
        assert_eq!(
            asum3_guarded(1.0, 2f64.powi(-28), 0.0),
            1.0 + 2f64.powi(-28)
        );
        assert_eq!(
            asum3_guarded(1.0, 1.5 * 2f64.powi(-28), 0.0),
            1.0 + 2f64.powi(-28)
        );
        assert_eq!(asum3_guarded(1.0, -2f64.powi(-29), 0.0), 1.0);
        assert_eq!(asum3_guarded(0.0, 0.0, 0.0), 0.0);
    }

    #[test]
    fn the_adders_of_moderate_numbers_are_the_full_ones() {
        let mut seed = 5u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            let size = (seed >> 33) as i32 % 60 - 30;
            let sign = if seed >> 32 & 1 == 0 { 1.0 } else { -1.0 };
            let zero = seed >> 28 & 15 == 0;
            if zero {
                0.0
            } else {
                sign * (1.0 + (seed >> 11) as f64 / 2f64.powi(53)) * 2f64.powi(size)
            }
        };
        for _ in 0..100_000 {
            let (a, b, c) = (t24(random()), random(), random());
            let size = moderate_size(a).expect("small");
            assert_eq!(
                asum3_plain_moderate(a, size, b, c),
                asum3_plain(a, b, c),
                "{a} {b} {c}"
            );
            assert_eq!(
                asum3_guarded_moderate(a, b, c),
                asum3_guarded(a, b, c),
                "{a} {b} {c}"
            );
        }
        assert_eq!(moderate_size(f64::NAN), None);
        assert_eq!(moderate_size(f64::NEG_INFINITY), None);
    }

    #[test]
    fn reciprocals_of_powers_of_two_are_exact() {
        assert_eq!(recip29(1024.0), 1.0 / 1024.0);
        assert!(recip29(3.0) < 1.0 / 3.0);
    }

    #[test]
    fn reciprocals_of_depth_sums_have_the_chips_last_bit() {
        // Sums whose last bit depth buffers show (W_buffering Floor, Roof and Wall), with the
        // error of their reciprocal in its last place, from the quotient.
        for (sum, off) in [
            (0x3ff6_239f_f700_0000, 0),
            (0x3ff6_23a0_0400_0000, -1),
            (0x3ff6_23a0_0600_0000, 0),
            (0x3ffc_6fc5_6400_0000, -1),
            (0x3ffc_6fc5_7e00_0000, -1),
            // This one needs the thirtieth bit of the product.
            (0x3ffc_6fc5_8000_0000, 0),
            (0x3ff8_6000_0000_0000, -1),
            (0x3ffc_2000_0000_0000, 0),
        ] {
            let s = f64::from_bits(sum);
            let got = (recip29(s) - t29(1.0 / s)) * 536870912.0;
            assert_eq!(got, f64::from(off), "{sum:016x}");
        }
    }

    #[test]
    fn guesses_lie_on_the_best_lines() {
        for i in 0..=16384 {
            let m = 1.0 + f64::from(i) / 16384.0;
            let low = 1.0 + f64::from((i / 128).min(127)) / 128.0;
            let high = low + 1.0 / 128.0;
            // Halfway between the chord and the tangent that is parallel to it.
            let slope = 1.0 / (low * high);
            let first = slope * (low + high) / 2.0 + slope.sqrt() - slope * low;
            let rounded = |x: f64, unit: f64| (x * unit).round() / unit;
            let line = rounded(first, 65536.0) - rounded(slope, 1024.0) * (m - low);
            assert_eq!(guess12(m), (4096.0 * line - 0.5).ceil(), "{m}");
        }
        assert_eq!(guess12(1.0 + 255.9 / 8388608.0), 4096.0);
    }

    #[test]
    fn reciprocals_of_weight_sums_have_the_chips_last_bit() {
        // Sums that W buffers and texel edges tell apart, with the error of their
        // reciprocal in its last place, from the quotient: Riddick, TriV and the quads of W_buffering.
        for (sum, off) in [
            (0x849cd1, -1),
            (0x891819, -1),
            (0x8f745d, 1),
            (0x9130da, 1),
            (0x9430ba, 1),
            (0x9b5e5a, -1),
            (0xa10c35, -1),
            (0xa92987, 0),
            (0xc16362, 1),
            // These need the lines and the fourteen bits.
            (0xc92544, 0),
            (0xd0acdb, 0),
            (0xde1b5a, -1),
            (0xfe7286, 0),
            // W_param bitri_w0.50: the line's start is rounded to a half, which goes down.
            (0xe60000, -1),
        ] {
            let s = f64::from(sum) / 8388608.0;
            let exact = (16777216.0 / s).floor();
            let got = recip24(s) * 16777216.0;
            assert_eq!(got - exact, f64::from(off), "{sum:06x}");
        }
        for power in -60..60 {
            let s = 2f64.powi(power);
            assert_eq!((recip24(s), recip24(-s)), (1.0 / s, -1.0 / s));
        }
        assert!(recip24(0.0).is_finite() && recip24(f64::INFINITY).is_finite());
        assert!(recip24(f64::NAN).is_finite());
    }

    #[test]
    fn weights_are_added_with_one_guard_bit() {
        let u = 2f64.powi(-23);
        // One and a half units survive a guard bit, and then the sum is cut.
        assert_eq!(weight_sum(1.0, 1.5 * u, 0.5 * u), 1.0 + 2.0 * u);
        assert_eq!(weight_sum(1.0, 1.75 * u, 0.25 * u), 1.0 + u);
    }

    #[test]
    fn powers_of_two_turn_around() {
        for exponent in -1000..1000 {
            assert_eq!(inverse(2f64.powi(exponent)), 2f64.powi(-exponent));
        }
    }

    #[test]
    fn integers_saturate() {
        assert_eq!(int(f64::NAN), i32::MIN);
        assert_eq!(int(1e99), i32::MAX);
        assert_eq!(int(-2.9), -2);
    }
}
