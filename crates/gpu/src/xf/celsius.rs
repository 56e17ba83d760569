//! Celsius fixed function.

/// Output positions and texture coordinates: magnitudes that the rasterizer
/// cannot take lose their fraction.
#[inline(always)]
pub fn squash(x: u32) -> u32 {
    if x >> 24 & 0x7f == 0x7f {
        x & 0xff00_0000
    } else {
        x
    }
}

/// Window x and y: cut to 1/16 pixel toward zero.
#[inline(always)]
pub fn squash_xy(x: u32) -> u32 {
    let e = x >> 23 & 0xff;
    if e <= 0x7a {
        0
    } else if e < 0x92 {
        x & !((1 << (0x92 - e)) - 1)
    } else {
        x
    }
}

/// Window z: with `clamp`, nothing below zero.
#[inline(always)]
pub fn squash_z(x: u32, clamp: bool) -> u32 {
    if clamp && x >> 31 != 0 { 0 } else { x }
}

/// Window 1/w: 16 significant bits, at most 2^64; with `clamp`, at least 2^-64.
#[inline(always)]
pub fn squash_w(x: u32, clamp: bool) -> u32 {
    let e = x >> 23 & 0xff;
    if clamp && (e < 0x3f || x >> 31 != 0) {
        return 0x1f80_0000;
    }
    let x = if e >= 0xbf {
        x & 0x8000_0000 | 0x5f80_0000
    } else {
        x
    };
    x & !0xff
}
