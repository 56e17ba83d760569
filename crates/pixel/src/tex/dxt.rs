//! DXT1, DXT3 and DXT5 blocks, and the ordered noise that DXT1 gets.
//!
//! Evidence: Texture_DXT, Texture_format and Volume_texture goldens; see
//! docs/accuracy/tex.md.

use super::format::Texel;

/// The dither patterns of the DXT1 noise, row = y & 3, column = x & 3.
const NOISE_R: [[i32; 4]; 4] = [[3, 7, 4, 0], [5, 1, 6, 2], [0, 4, 7, 3], [2, 6, 1, 5]];
const NOISE_G: [[i32; 4]; 4] = [[0, 2, 3, 1], [3, 1, 2, 0], [2, 0, 1, 3], [1, 3, 0, 2]];
/// Blue has red's pattern upside down.
const NOISE_B: [[i32; 4]; 4] = [NOISE_R[3], NOISE_R[2], NOISE_R[1], NOISE_R[0]];

/// Replaces the low bits of a DXT1 channel by the pattern `p`; `bits` is 3 for R
/// and B, 2 for G. Values that come near the ends snap to them.
const fn noise(v: i32, p: i32, bits: u32) -> i32 {
    let (round, low, high) = if bits == 3 { (3, 11, 250) } else { (1, 5, 252) };
    let o = p + (((v - p + round) >> bits) << bits);
    if o < low {
        0
    } else if o > high {
        255
    } else {
        o
    }
}

/// [`noise`] of every channel value, by pattern: red and blue have eight, green has four.
static NOISY_8: [[u8; 256]; 8] = noises(3);
static NOISY_4: [[u8; 256]; 4] = noises(2);

const fn noises<const PATTERNS: usize>(bits: u32) -> [[u8; 256]; PATTERNS] {
    let mut table = [[0; 256]; PATTERNS];
    let mut at = 0;
    while at < 256 * PATTERNS {
        let (pattern, value) = (at / 256, at % 256);
        table[pattern][value] = noise(value as i32, pattern as i32, bits) as u8;
        at += 1;
    }
    table
}

fn expand(c: u32) -> [i32; 3] {
    let (r, g, b) = (c >> 11 & 31, c >> 5 & 63, c & 31);
    [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2].map(|v| v as i32)
}

/// The four colours of a block.
fn colours(c0: u32, c1: u32, dxt1: bool) -> [([i32; 3], i32); 4] {
    let (a, b) = (expand(c0), expand(c1));
    let mix = |f: &dyn Fn(i32, i32) -> i32| std::array::from_fn(|k| f(a[k], b[k]));
    if !dxt1 || c0 > c1 {
        [
            (a, 255),
            (b, 255),
            (mix(&|x, y| (2 * x + y + 1) / 3), 255),
            (mix(&|x, y| (x + 2 * y + 1) / 3), 255),
        ]
    } else {
        [
            (a, 255),
            (b, 255),
            (mix(&|x, y| (x + y + 1) / 2), 255),
            ([0; 3], 0),
        ]
    }
}

/// The eight alphas of a DXT5 block.
fn alphas(a0: i32, a1: i32) -> [i32; 8] {
    std::array::from_fn(|i| {
        let k = i as i32 - 1;
        match i {
            0 => a0,
            1 => a1,
            _ if a0 > a1 => ((7 - k) * a0 + k * a1 + 3) / 7,
            6 => 0,
            7 => 255,
            _ => ((5 - k) * a0 + k * a1 + 2) / 5,
        }
    })
}

fn pack(rgb: [i32; 3], alpha: i32) -> u32 {
    (alpha << 24 | rgb[0] << 16 | rgb[1] << 8 | rgb[2]) as u32
}

/// An opaque texel with the noise of its place in the block.
fn with_noise(texel: u32, place: usize) -> u32 {
    let (x, y) = (place & 3, place >> 2);
    let channel = |shift: u32| (texel >> shift & 255) as usize;
    let r = NOISY_8[NOISE_R[y][x] as usize][channel(16)];
    let g = NOISY_4[NOISE_G[y][x] as usize][channel(8)];
    let b = NOISY_8[NOISE_B[y][x] as usize][channel(0)];
    texel & 0xff00_0000 | u32::from_be_bytes([0, r, g, b])
}

/// Decodes a block to sixteen A8R8G8B8 texels, row by row. `block` has 8 bytes
/// for DXT1, 16 for the others; missing bytes read as 0.
pub fn decode(texel: Texel, block: &[u8], noisy: bool) -> [u32; 16] {
    let half = |at: usize| {
        let mut bytes = [0; 8];
        let there = block.get(at..).unwrap_or_default();
        let len = there.len().min(8);
        bytes[..len].copy_from_slice(&there[..len]);
        u64::from_le_bytes(bytes)
    };
    let dxt1 = texel == Texel::Dxt1;
    let colour = half(if dxt1 { 0 } else { 8 });
    let ends = colour as u32;
    let table = colours(ends & 0xffff, ends >> 16, dxt1).map(|(rgb, alpha)| pack(rgb, alpha));
    let pick = |i: usize| table[(colour >> (32 + 2 * i) & 3) as usize];
    if dxt1 {
        return match noisy {
            // What is not there at all stays black.
            true => std::array::from_fn(|i| match pick(i) {
                0 => 0,
                texel => with_noise(texel, i),
            }),
            false => std::array::from_fn(pick),
        };
    }
    let alpha = half(0);
    let opaque = |i: usize| pick(i) & 0xff_ffff;
    if texel == Texel::Dxt3 {
        return std::array::from_fn(|i| ((alpha >> (4 * i) & 15) as u32 * 17) << 24 | opaque(i));
    }
    let table = alphas((alpha & 255) as i32, (alpha >> 8 & 255) as i32);
    std::array::from_fn(|i| {
        let alpha = table[(alpha >> (16 + 3 * i) & 7) as usize] as u32;
        alpha << 24 | opaque(i)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_colours() {
        // red FF (31), blue FF (31); picks 0 1 2 3 in the first row
        let block = [0x00, 0xf8, 0x1f, 0x00, 0b1110_0100, 0, 0, 0];
        let t = decode(Texel::Dxt1, &block, false);
        assert_eq!(t[..4], [0xffff_0000, 0xff00_00ff, 0xffaa_0055, 0xff55_00aa]);
        assert_eq!(t[4], 0xffff_0000);
    }

    #[test]
    fn three_colours_and_black() {
        let block = [0x1f, 0x00, 0x00, 0xf8, 0b1110_0100, 0, 0, 0];
        let t = decode(Texel::Dxt1, &block, true);
        assert_eq!(t[3], 0);
        let t = decode(Texel::Dxt1, &block, false);
        assert_eq!(t[..4], [0xff00_00ff, 0xffff_0000, 0xff80_0080, 0]);
    }

    #[test]
    fn dxt3_alpha_and_four_colours_always() {
        let mut block = [0; 16];
        block[0] = 0x9a;
        block[7] = 0x30;
        block[8..13].copy_from_slice(&[0x1f, 0x00, 0x00, 0xf8, 0b1110_0100]);
        let t = decode(Texel::Dxt3, &block, true);
        assert_eq!(t[0], 0xaa00_00ff);
        assert_eq!(t[1], 0x99ff_0000);
        assert_eq!(t[3], 0x00aa_0055);
        assert_eq!(t[15] >> 24, 0x33);
    }

    #[test]
    fn dxt5_alpha() {
        assert_eq!(alphas(255, 0), [255, 0, 219, 182, 146, 109, 73, 36]);
        assert_eq!(alphas(0, 255), [0, 255, 51, 102, 153, 204, 0, 255]);
        // ((7 - k) a + k b + 3) / 7, or ((5 - k) a + k b + 2) / 5 and the two ends.
        assert_eq!(alphas(211, 37), [211, 37, 186, 161, 136, 112, 87, 62]);
        assert_eq!(alphas(37, 211), [37, 211, 72, 107, 141, 176, 0, 255]);
        assert_eq!(alphas(90, 90), [90, 90, 90, 90, 90, 90, 0, 255]);
        let mut block = [0; 16];
        block[0] = 255;
        block[2] = 0b0001_0001; // picks 1, 2
        let t = decode(Texel::Dxt5, &block, true);
        assert_eq!([t[0] >> 24, t[1] >> 24, t[2] >> 24], [0, 219, 255]);
    }

    #[test]
    fn noise_is_the_pattern_in_the_low_bits() {
        assert_eq!(noise(100, 3, 3), 99);
        assert_eq!(noise(104, 3, 3), 107);
        assert_eq!(noise(10, 2, 3), 0);
        assert_eq!(noise(255, 7, 3), 255);
        assert_eq!(noise(100, 1, 2), 101);
        assert_eq!(noise(4, 3, 2), 0);
        assert_eq!(noise(255, 1, 2), 255);
        // R 168, G 84, B 41: o = p + 8 floor((v - p + 3) / 8), green with 4 and 1.
        let c = 21 << 11 | 21 << 5 | 5;
        let t = decode(
            Texel::Dxt1,
            &[c as u8, (c >> 8) as u8, 0, 0, 0, 0, 0, 0],
            true,
        );
        let (v, up) = ([173, 85, 41], [3, 1, 3]);
        for (i, got) in t.into_iter().enumerate() {
            let (x, y) = (i & 3, i >> 2);
            let p = [NOISE_R[y][x], NOISE_G[y][x], NOISE_R[3 - y][x]];
            let step = [8, 4, 8];
            let want: [i32; 3] =
                std::array::from_fn(|k| p[k] + step[k] * (v[k] - p[k] + up[k]).div_euclid(step[k]));
            let [r, g, b] = want;
            assert_eq!(got as i32 & 0xff_ffff, r << 16 | g << 8 | b, "{i}");
        }
        // mid grey: every texel of the block shows its place in the pattern
        let block = [0x10, 0x84, 0x10, 0x84, 0, 0, 0, 0];
        let t = decode(Texel::Dxt1, &block, true);
        for (i, v) in t.iter().enumerate() {
            let (x, y) = (i & 3, i >> 2);
            assert_eq!((v >> 16 & 7) as i32, NOISE_R[y][x]);
            assert_eq!((v >> 8 & 3) as i32, NOISE_G[y][x]);
            assert_eq!((v & 7) as i32, NOISE_R[3 - y][x]);
        }
    }
}
