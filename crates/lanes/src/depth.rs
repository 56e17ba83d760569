//! Depth in buffer units to the number that a depth buffer or a depth texture holds.

/// The largest fixed-point number of 24 or 16 bits.
#[inline(always)]
pub fn top(bits24: bool) -> f32 {
    if bits24 { 16_777_215.0 } else { 65_535.0 }
}

/// Fixed point: cut off, from 0 to `top`, which is below 2^31. Not a number gives 0.
#[inline(always)]
pub fn fixed(z: f32, top: f32) -> u32 {
    let z = if z > 0.0 { z } else { 0.0 };
    let z = if z < top { z } else { top };
    // SAFETY: limited just above; NaN fails the first test.
    unsafe { z.to_int_unchecked::<i32>() as u32 }
}

/// [`fixed`] for depth that was computed with more bits.
#[inline(always)]
pub fn fixed_wide(z: f64, top: f64) -> u32 {
    let z = if z > 0.0 { z } else { 0.0 };
    let z = if z < top { z } else { top };
    // SAFETY: limited just above; NaN fails the first test.
    unsafe { z.to_int_unchecked::<i32>() as u32 }
}

/// Floating point in 24 bits: eight of exponent, sixteen of mantissa. Negative numbers and
/// denormals are zero.
#[inline(always)]
pub fn float24(z: f32) -> u32 {
    let bits = z.to_bits();
    let v = (bits & 0x7fff_ffff) >> 7;
    if bits >> 31 != 0 || v < 0x1_0000 {
        0
    } else {
        v
    }
}

/// Floating point in 16 bits: four of exponent, twelve of mantissa. Negative numbers and
/// those below the smallest exponent are zero.
#[inline(always)]
pub fn float16(z: f32) -> u32 {
    let bits = z.to_bits();
    let v = (bits >> 11) as i32 - 0x7_8000;
    let v = if bits >> 31 != 0 || v < 0x1000 { 0 } else { v };
    v.min(0xffff) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_point_is_cut_off_and_limited() {
        for (z, want) in [
            (-1.0, 0),
            (f32::NAN, 0),
            (1.9, 1),
            (65535.0, 65535),
            (f32::INFINITY, 65535),
        ] {
            assert_eq!(fixed(z, top(false)), want, "{z}");
            assert_eq!(fixed_wide(f64::from(z), 65535.0), want, "{z}");
        }
        assert_eq!(fixed(1e30, top(true)), 0xff_ffff);
    }

    #[test]
    fn floats_lose_their_sign_and_their_last_bits() {
        assert_eq!(float24(1.0), 0x7f_0000);
        assert_eq!(float24(-1.0), 0);
        assert_eq!(float24(f32::MIN_POSITIVE / 2.0), 0);
        assert_eq!(float24(f32::INFINITY), 0xff_0000);
        assert_eq!(float16(1.0), 0x7000);
        assert_eq!(float16(2f32.powi(-7)), 0);
        assert_eq!(float16(2f32.powi(-6)), 0x1000);
        assert_eq!(float16(f32::INFINITY), 0xffff);
    }
}
