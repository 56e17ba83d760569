//! Vertex attribute formats to float32, and colours to bytes.

/// An unsigned byte as 0 … 1: the fraction is the byte repeated, cut.
pub fn ubyte_to_float(x: u8) -> u32 {
    match x {
        0 => 0,
        0xff => super::ONE,
        _ => {
            let f = u32::from(x) * 0x01_0101;
            let up = f.leading_zeros() - 8;
            (0x7e - up) << 23 | super::fraction(f << up)
        }
    }
}

/// A short as a whole number. NV10 alone turns the most negative one into −0.
pub fn short_to_float(x: i16, nv10: bool) -> u32 {
    if nv10 && x == i16::MIN {
        super::SIGN
    } else {
        f32::from(x).to_bits()
    }
}

/// A short as −1 … 1: (2x + 1) / 65535, cut, the ends exact.
pub fn nshort_to_float(x: i16) -> u32 {
    let sign = (x < 0) as u32;
    match x {
        i16::MIN => super::SIGN | super::ONE,
        i16::MAX => super::ONE,
        _ => {
            let odd = (i32::from(x) << 1 | 1).unsigned_abs();
            let f = odd * 0x1_0001;
            let up = f.leading_zeros();
            sign << 31 | (0x7e - up) << 23 | super::fraction(f << up >> 8)
        }
    }
}

/// A colour component to 8 bits: 14 significant bits × 255, rounded half up.
#[inline(always)]
pub fn color_to_byte(x: u32) -> u8 {
    color_to_byte32(x) as u8
}

/// [`color_to_byte`] without narrowing, for lanes.
#[inline(always)]
pub(crate) fn color_to_byte32(x: u32) -> u32 {
    // Whatever is at or above 1 (NaN included) is 1, whatever has a sign is 0.
    let held = (x as i32).clamp(0, super::ONE as i32) as u32 & !0x3ff;
    // 14 bits times 255 are exact, and so is the half, above the least byte.
    let scaled = f32::from_bits(held) * 255.0 + 0.5;
    // SAFETY: within 0.5 … 255.5.
    unsafe { scaled.to_int_unchecked::<i32>() as u32 }
}
