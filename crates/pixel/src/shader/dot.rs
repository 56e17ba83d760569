//! Vectors from texels, for the dot products.

use super::words::Dot;
use crate::tex::num::quotient;

/// x, y, z of a texel (A8R8G8B8, or HI and LO halves).
pub fn vector(map: Dot, texel: u32) -> [f32; 3] {
    let bytes = [texel >> 16 & 255, texel >> 8 & 255, texel & 255];
    let signed = |b: u32| f32::from(b as u8 as i8);
    let (hi, lo) = (texel >> 16, texel & 0xffff);
    match map {
        Dot::ZeroToOne => bytes.map(|b| b as f32 / 255.0),
        Dot::D3d => bytes.map(|b| (b as f32 - 128.0) / 127.0),
        Dot::Gl => bytes.map(|b| (2.0 * signed(b) + 1.0) / 255.0),
        Dot::Plain => bytes.map(|b| signed(b) / 128.0),
        Dot::Hilo1 => [
            quotient(hi as f32, 65535.0),
            quotient(lo as f32, 65535.0),
            1.0,
        ],
        // No golden uses the next two; they follow their 8-bit forms.
        Dot::HiloHemisphereD3d => {
            let f = |v: u32| quotient(v as f32 - 32768.0, 32767.0);
            on_sphere([f(hi), f(lo)])
        }
        Dot::HiloHemisphereGl => {
            let f = |v: u32| quotient(2.0 * f32::from(v as u16 as i16) + 1.0, 65535.0);
            on_sphere([f(hi), f(lo)])
        }
        Dot::HiloHemisphere => {
            let f = |v: u32| quotient(f32::from(v as u16 as i16), 32767.0);
            // What the squares leave of 2^30, whole, and its root cut to a whole number.
            let square = |v: u32| i32::from(v as u16 as i16).pow(2);
            let left = (1 << 30) - square(hi) - square(lo);
            let root = f64::from(left.max(0)).sqrt() as i32;
            [f(hi), f(lo), root as f32 / 32768.0]
        }
    }
}

fn on_sphere([x, y]: [f32; 2]) -> [f32; 3] {
    [x, y, (1.0 - x * x - y * y).max(0.0).sqrt()]
}
