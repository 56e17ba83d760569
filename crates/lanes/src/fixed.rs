//! Arithmetic on bytes and on numbers with eight fraction bits, each rule once.
//!
//! Whoever needs one of these takes it from here: a second copy would be a second place to
//! get a rounding wrong.

/// `t / 255` rounded to nearest, for the product of two bytes or a sum of such products that
/// is at most 255 × 255. Beyond that the result is too small by less than 1/255 of itself
/// and stays above 255.
#[inline(always)]
pub fn div255(t: i32) -> i32 {
    let t = t + 128;
    (t + (t >> 8)) >> 8
}

/// [`div255`] in sixteen bits, where two such numbers share a lane.
#[inline(always)]
pub fn div255_u16(t: u16) -> u16 {
    let t = t.wrapping_add(128);
    t.wrapping_add(t >> 8) >> 8
}

/// `t / 255` rounded to nearest (there are no ties), for |t| up to 4 × 255 × 255.
#[inline(always)]
pub fn div255_signed(t: i32) -> i32 {
    // Exact for 0 <= t < 2^20 without the offset, hence the offset.
    const OFFSET: i32 = 1021;
    let u = t + 128 + 255 * OFFSET;
    ((u + ((u + (u >> 8)) >> 8)) >> 8) - OFFSET
}

/// `a` to `b` by `w` / 256, rounded to nearest: the weights of linear filters.
#[inline(always)]
pub fn mix(a: i32, b: i32, w: i32) -> i32 {
    (a * (256 - w) + b * w + 128) >> 8
}

/// A whole number to an integer, limited to ±(2^31 - 256); not a number gives 0.
#[inline(always)]
pub fn whole(x: f32) -> i32 {
    const MOST: f32 = 2_147_483_392.0;
    let x = if x < MOST {
        x
    } else if x.is_nan() {
        0.0
    } else {
        MOST
    };
    let x = if x > -MOST { x } else { -MOST };
    // SAFETY: neither NaN nor out of range, see above. `as` would clamp once more, lane by
    // lane.
    unsafe { x.to_int_unchecked() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_the_nearest_integers() {
        for t in -4 * 255 * 255..=4 * 255 * 255 {
            let exact = (f64::from(t) / 255.0).round() as i32;
            assert_eq!(div255_signed(t), exact, "{t}");
            if (0..=255 * 255).contains(&t) {
                assert_eq!(div255(t), exact, "{t}");
                assert_eq!(i32::from(div255_u16(t as u16)), exact, "{t}");
            } else if t > 0 {
                assert!((255..=exact).contains(&div255(t)), "{t}");
            }
        }
    }

    #[test]
    fn mixtures_round_halves_up() {
        for (a, b, w, want) in [
            (10, 20, 0, 10),
            (10, 20, 256, 20),
            (0, 1, 128, 1),
            (0, 1, 127, 0),
            (-3, 0, 128, -1),
        ] {
            assert_eq!(mix(a, b, w), want);
        }
    }

    #[test]
    fn whole_numbers_are_limited() {
        for (x, want) in [
            (f32::NAN, 0),
            (f32::INFINITY, 2_147_483_392),
            (f32::NEG_INFINITY, -2_147_483_392),
            (-7.0, -7),
        ] {
            assert_eq!(whole(x), want, "{x}");
        }
    }
}
