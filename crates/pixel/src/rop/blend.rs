//! Colour: unpacking, blending, logic operations, packing. Plain integers.

use super::surface::Color;
use crate::frag::{I, LANES};
use isotherm_lanes::fixed::div255;

/// The blend equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equation {
    Add,
    Subtract,
    ReverseSubtract,
    Min,
    Max,
    /// F006: the source is a two's complement byte that is added.
    SignedAdd,
    /// F005: the same, subtracted from the destination.
    SignedReverseSubtract,
    /// F007 (NV25 and up). No source says what it computes; taken as the signed
    /// subtraction that completes the set. A golden of an NV25 would settle it.
    SignedSubtract,
}

/// Blending, prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blend {
    /// For colour and for alpha.
    pub equation: [Equation; 2],
    /// Factor codes as the BLEND word has them, for colour and for alpha.
    pub src: [u8; 2],
    pub dst: [u8; 2],
    /// R, G, B, A.
    pub constant: [i32; 4],
}

/// The factor of one channel.
#[inline(always)]
pub(super) fn factor(code: u8, ch: usize, s: &[I; 4], d: &[I; 4], constant: &[i32; 4]) -> I {
    let inverse = |v: &I| {
        let mut out = [0; LANES];
        for i in 0..LANES {
            out[i] = 255 - v[i];
        }
        out
    };
    match code {
        0x1 => [255; LANES],
        0x2 => s[ch],
        0x3 => inverse(&s[ch]),
        0x4 => s[3],
        0x5 => inverse(&s[3]),
        0x6 => d[3],
        0x7 => inverse(&d[3]),
        0x8 => d[ch],
        0x9 => inverse(&d[ch]),
        0xa if ch == 3 => [255; LANES],
        0xa => {
            let mut out = [0; LANES];
            for i in 0..LANES {
                out[i] = s[3][i].min(255 - d[3][i]);
            }
            out
        }
        0xc => [constant[ch]; LANES],
        0xd => [255 - constant[ch]; LANES],
        0xe => [constant[3]; LANES],
        0xf => [255 - constant[3]; LANES],
        _ => [0; LANES],
    }
}

#[inline(always)]
fn signed(x: i32) -> i32 {
    i32::from(x as u8 as i8)
}

impl Blend {
    /// Blends all channels of a block.
    #[inline(always)]
    pub(crate) fn run(&self, s: &[I; 4], d: &[I; 4]) -> [I; 4] {
        let mut out = [[0; LANES]; 4];
        for ch in 0..4 {
            let (s1, d1, o) = (&s[ch], &d[ch], &mut out[ch]);
            let alpha = usize::from(ch == 3);
            match self.equation[alpha] {
                Equation::Min => {
                    for i in 0..LANES {
                        o[i] = s1[i].min(d1[i]);
                    }
                }
                Equation::Max => {
                    for i in 0..LANES {
                        o[i] = s1[i].max(d1[i]);
                    }
                }
                Equation::SignedAdd => {
                    for i in 0..LANES {
                        o[i] = (d1[i] + signed(s1[i])).clamp(0, 255);
                    }
                }
                Equation::SignedReverseSubtract => {
                    for i in 0..LANES {
                        o[i] = (d1[i] - signed(s1[i])).clamp(0, 255);
                    }
                }
                Equation::SignedSubtract => {
                    for i in 0..LANES {
                        o[i] = (signed(s1[i]) - d1[i]).clamp(0, 255);
                    }
                }
                Equation::Add | Equation::Subtract | Equation::ReverseSubtract => {
                    let fs = factor(self.src[alpha], ch, s, d, &self.constant);
                    let fd = factor(self.dst[alpha], ch, s, d, &self.constant);
                    let (ps, pd) = match self.equation[alpha] {
                        Equation::Add => (1, 1),
                        Equation::Subtract => (1, -1),
                        _ => (-1, 1),
                    };
                    for i in 0..LANES {
                        let sum = ps * (s1[i] * fs[i]) + pd * (d1[i] * fd[i]);
                        o[i] = div255(sum.max(0)).min(255);
                    }
                }
            }
        }
        out
    }

    /// Does the result depend on what the surface holds?
    pub(crate) fn reads_destination(&self) -> bool {
        let reads = |e: &Equation| !matches!(e, Equation::Add | Equation::Subtract);
        self.equation.iter().any(reads)
            || self.dst != [0, 0]
            || self.src.iter().any(|&f| (6..=0xa).contains(&f))
    }
}

/// The destination's R, G, B, A as blending sees them.
#[inline(always)]
pub(crate) fn unpack(format: Color, words: &[u32; LANES]) -> [I; 4] {
    let mut out = [[255; LANES]; 4];
    let mut each = |f: &dyn Fn(u32) -> [u32; 4]| {
        for i in 0..LANES {
            let c = f(words[i]);
            for ch in 0..4 {
                out[ch][i] = c[ch] as i32;
            }
        }
    };
    match format {
        Color::A8R8G8B8 => {
            for i in 0..LANES {
                let w = words[i];
                out[0][i] = (w >> 16 & 255) as i32;
                out[1][i] = (w >> 8 & 255) as i32;
                out[2][i] = (w & 255) as i32;
                out[3][i] = (w >> 24) as i32;
            }
        }
        Color::X8R8G8B8 { .. } => each(&|w| [w >> 16 & 255, w >> 8 & 255, w & 255, 255]),
        Color::X1A7R8G8B8 { .. } => each(&|w| {
            let a = w >> 24 & 127;
            [w >> 16 & 255, w >> 8 & 255, w & 255, a << 1 | a >> 6]
        }),
        // The low bits come back as zeros, not replicated.
        Color::X1R5G5B5 { .. } => {
            each(&|w| [w >> 7 & 0xf8, w >> 2 & 0xf8, w << 3 & 0xf8, 255]);
        }
        Color::R5G6B5 => each(&|w| [w >> 8 & 0xf8, w >> 3 & 0xfc, w << 3 & 0xf8, 255]),
        Color::B8 => each(&|w| [0, 0, w & 255, 255]),
        Color::G8B8 => each(&|w| [0, w >> 8 & 255, w & 255, 255]),
        Color::A8B8G8R8 { forced } => each(&|w| {
            let a = if forced.is_some() { 255 } else { w >> 24 };
            [w & 255, w >> 8 & 255, w >> 16 & 255, a]
        }),
        Color::Rgba16f | Color::Rgba32f | Color::R32f => {}
    }
    out
}

/// On 16-bit surfaces the source loses its low bits before it is blended.
#[inline(always)]
pub(crate) fn narrow(format: Color, c: &mut [I; 4]) {
    let masks = match format {
        Color::X1R5G5B5 { .. } => [0xf8, 0xf8, 0xf8],
        Color::R5G6B5 => [0xf8, 0xfc, 0xf8],
        _ => return,
    };
    for ch in 0..3 {
        for i in 0..LANES {
            c[ch][i] &= masks[ch];
        }
    }
}

/// Packs R, G, B, A into the surface's words, without the forced bits.
#[inline(always)]
pub(crate) fn pack(format: Color, c: &[I; 4]) -> [u32; LANES] {
    let mut out = [0; LANES];
    let mut each = |f: &dyn Fn(u32, u32, u32, u32) -> u32| {
        for i in 0..LANES {
            out[i] = f(
                c[0][i] as u32,
                c[1][i] as u32,
                c[2][i] as u32,
                c[3][i] as u32,
            );
        }
    };
    match format {
        Color::A8R8G8B8 | Color::X8R8G8B8 { .. } => {
            for i in 0..LANES {
                out[i] = (c[3][i] << 24 | c[0][i] << 16 | c[1][i] << 8 | c[2][i]) as u32;
            }
        }
        Color::X1A7R8G8B8 { .. } => each(&|r, g, b, a| a >> 1 << 24 | r << 16 | g << 8 | b),
        Color::X1R5G5B5 { .. } => each(&|r, g, b, _| r >> 3 << 10 | g >> 3 << 5 | b >> 3),
        Color::R5G6B5 => each(&|r, g, b, _| r >> 3 << 11 | g >> 2 << 5 | b >> 3),
        Color::B8 => each(&|_, _, b, _| b),
        Color::G8B8 => each(&|_, g, b, _| g << 8 | b),
        Color::A8B8G8R8 { .. } => each(&|r, g, b, a| a << 24 | b << 16 | g << 8 | r),
        Color::Rgba16f | Color::Rgba32f | Color::R32f => {}
    }
    out
}

/// A logic operation on whole words (GL's sixteen, in GL's order).
#[inline(always)]
pub(crate) fn logic(op: u8, s: u32, d: u32) -> u32 {
    match op {
        0x0 => 0,
        0x1 => s & d,
        0x2 => s & !d,
        0x3 => s,
        0x4 => !s & d,
        0x5 => d,
        0x6 => s ^ d,
        0x7 => s | d,
        0x8 => !(s | d),
        0x9 => !(s ^ d),
        0xa => !d,
        0xb => s | !d,
        0xc => !s,
        0xd => !s | d,
        0xe => !(s & d),
        _ => !0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(blend: Blend, s: [i32; 4], d: [i32; 4]) -> [i32; 4] {
        let out = blend.run(&s.map(|c| [c; LANES]), &d.map(|c| [c; LANES]));
        out.map(|c| c[3])
    }

    fn add(src: u8, dst: u8) -> Blend {
        Blend {
            equation: [Equation::Add; 2],
            src: [src; 2],
            dst: [dst; 2],
            constant: [1, 2, 3, 4],
        }
    }

    #[test]
    fn rounding_is_to_nearest() {
        for t in 0..=65025 {
            assert_eq!(div255(t), (2 * t + 255) / 510, "{t}");
        }
    }

    #[test]
    fn the_sum_is_rounded_once() {
        // 127*128 + 255*127 = 48641 = 190.749 * 255
        let got = one(add(4, 5), [127, 0, 0, 128], [255, 0, 0, 0]);
        assert_eq!(got[0], 191);
        assert_eq!(one(add(1, 1), [200; 4], [100; 4]), [255; 4]);
    }

    #[test]
    fn saturate_uses_one_for_alpha() {
        let got = one(add(0xa, 0), [100, 100, 100, 60], [0, 0, 0, 200]);
        assert_eq!(
            got,
            [div255(100 * 55), div255(100 * 55), div255(100 * 55), 60]
        );
    }

    #[test]
    fn signed_equations_read_the_source_as_a_signed_byte() {
        let mut b = add(1, 1);
        b.equation = [Equation::SignedAdd; 2];
        assert_eq!(one(b, [0xff; 4], [10; 4]), [9; 4]);
        b.equation = [Equation::SignedReverseSubtract; 2];
        assert_eq!(one(b, [0xff; 4], [10; 4]), [11; 4]);
    }

    #[test]
    fn packing_truncates_and_unpacking_leaves_zeros() {
        let c = [255, 254, 7, 129].map(|c| [c; LANES]);
        let words = pack(Color::R5G6B5, &c);
        assert_eq!(words[0], 0x1f << 11 | 0x3f << 5);
        assert_eq!(
            unpack(Color::R5G6B5, &words).map(|c| c[0]),
            [248, 252, 0, 255]
        );
        let words = pack(Color::X1A7R8G8B8 { ones: false }, &c);
        assert_eq!(words[5] >> 24, 64);
        assert_eq!(unpack(Color::X1A7R8G8B8 { ones: true }, &words)[3][0], 129);
    }

    #[test]
    fn every_factor() {
        let (s, d) = ([10, 20, 30, 40], [50, 60, 70, 80]);
        for (code, want) in [
            (0x0, [0; 4]),
            (0x1, [255; 4]),
            (0x2, [10, 20, 30, 40]),
            (0x3, [245, 235, 225, 215]),
            (0x4, [40; 4]),
            (0x5, [215; 4]),
            (0x6, [80; 4]),
            (0x7, [175; 4]),
            (0x8, [50, 60, 70, 80]),
            (0x9, [205, 195, 185, 175]),
            (0xa, [40, 40, 40, 255]),
            (0xb, [0; 4]),
            (0xc, [1, 2, 3, 4]),
            (0xd, [254, 253, 252, 251]),
            (0xe, [4; 4]),
            (0xf, [251; 4]),
        ] {
            let (s, d) = (s.map(|c| [c; LANES]), d.map(|c| [c; LANES]));
            let got = [0, 1, 2, 3].map(|ch| factor(code, ch, &s, &d, &[1, 2, 3, 4])[9]);
            assert_eq!(got, want, "{code:x}");
            let blind = !(6..=10).contains(&code);
            assert_eq!(add(code, 0).reads_destination(), !blind, "{code:x}");
            assert!(code == 0 || add(1, code).reads_destination());
        }
    }

    #[test]
    fn every_equation() {
        let (s, d) = ([200, 100, 40, 255], [50, 60, 70, 128]);
        let mut b = add(1, 1);
        for (equation, want) in [
            (Equation::Add, [250, 160, 110, 255]),
            (Equation::Subtract, [150, 40, 0, 127]),
            (Equation::ReverseSubtract, [0, 0, 30, 0]),
            (Equation::Min, [50, 60, 40, 128]),
            (Equation::Max, [200, 100, 70, 255]),
            (Equation::SignedAdd, [0, 160, 110, 127]),
            (Equation::SignedReverseSubtract, [106, 0, 30, 129]),
            (Equation::SignedSubtract, [0, 40, 0, 0]),
        ] {
            b.equation = [equation; 2];
            assert_eq!(one(b, s, d), want, "{equation:?}");
            assert!(b.reads_destination());
        }
        // Alpha has its own factors.
        b = Blend {
            src: [1, 0],
            dst: [0, 1],
            ..add(0, 0)
        };
        assert_eq!(one(b, s, d), [200, 100, 40, 128]);
    }

    #[test]
    fn every_format_unpacks() {
        let w = 0xa9c5_963b;
        for (format, want) in [
            (Color::A8R8G8B8, [0xc5, 0x96, 0x3b, 0xa9]),
            (Color::X8R8G8B8 { ones: true }, [0xc5, 0x96, 0x3b, 255]),
            (Color::X1A7R8G8B8 { ones: true }, [0xc5, 0x96, 0x3b, 0x52]),
            (Color::X1R5G5B5 { ones: true }, [0x28, 0x88, 0xd8, 255]),
            (Color::R5G6B5, [0x90, 0xc4, 0xd8, 255]),
            (Color::B8, [0, 0, 0x3b, 255]),
            (Color::G8B8, [0, 0x96, 0x3b, 255]),
            (Color::A8B8G8R8 { forced: None }, [0x3b, 0x96, 0xc5, 0xa9]),
            (
                Color::A8B8G8R8 { forced: Some(true) },
                [0x3b, 0x96, 0xc5, 255],
            ),
        ] {
            let got = unpack(format, &[w; LANES]).map(|c| c[11]);
            assert_eq!(got, want, "{format:?}");
        }
        let mut c = [[0xff; LANES]; 4];
        narrow(Color::R5G6B5, &mut c);
        assert_eq!(c.map(|c| c[2]), [0xf8, 0xfc, 0xf8, 0xff]);
        narrow(Color::X1R5G5B5 { ones: false }, &mut c);
        assert_eq!(c.map(|c| c[2]), [0xf8, 0xf8, 0xf8, 0xff]);
    }

    #[test]
    fn logic_operations_are_gls() {
        let table = |op| (0..4).fold(0, |t, i| t | (logic(op, i >> 1, i & 1) & 1) << i);
        // Bit 2 s + d of the truth table.
        let tables = [
            0b0000, 0b1000, 0b0100, 0b1100, 0b0010, 0b1010, 0b0110, 0b1110, 0b0001, 0b1001, 0b0101,
            0b1101, 0b0011, 0b1011, 0b0111, 0b1111,
        ];
        for (op, want) in tables.into_iter().enumerate() {
            assert_eq!(table(op as u8), want, "{op:x}");
        }
    }
}
