//! Vertex data to float32 bit patterns, as IDX does it.

/// 0..255 to 0..1: the byte three times over as a 24-bit fraction.
pub(crate) fn ubyte(v: u8) -> u32 {
    match v {
        0 => 0,
        255 => 0x3f80_0000,
        _ => {
            let frac = u32::from(v) * 0x01_0101;
            let shift = frac.leading_zeros() - 8;
            (0x7e - shift) << 23 | frac << shift & 0x7f_ffff
        }
    }
}

/// A signed 16-bit integer, exactly.
pub(crate) fn short(v: i16) -> u32 {
    f32::from(v).to_bits()
}

/// A signed 16-bit integer as (2v+1)/65535, truncated; the ends are -1 and 1.
pub(crate) fn nshort(v: i16) -> u32 {
    match v {
        i16::MIN => 0xbf80_0000,
        i16::MAX => 0x3f80_0000,
        _ => {
            let twice = i32::from(v) * 2 + 1;
            let frac = u64::from(twice.unsigned_abs()) * 0x1_0001;
            // frac / 2^32 is the value; bring its top bit to bit 23.
            let top = 63 - frac.leading_zeros();
            let mantissa = if top >= 23 {
                frac >> (top - 23)
            } else {
                frac << (23 - top)
            };
            let exp = 0x7f - 9 + top - 23;
            u32::from(v < 0) << 31 | exp << 23 | mantissa as u32 & 0x7f_ffff
        }
    }
}

/// float32 to the 22-bit floats of LT: add half and cut, except where the carry would
/// run through eight ones.
pub(crate) fn lt(x: u32) -> u32 {
    let x = if x >> 10 & 0xff != 0xff {
        x.wrapping_add(0x200)
    } else {
        x
    };
    x >> 10
}
