//! Colour targets that Rankine and Curie have besides the one of bytes: up to three more,
//! and targets of floats.

use super::blend::{Blend, Equation};
use super::surface::{Color, Plane};
use super::{At, Rop, Target};
use crate::frag::{F, I, LANES};
use isotherm_bus::memory::SharedBytes;
use isotherm_lanes::half::{f32_to_half, half_to_f32};
use isotherm_lanes::{Base, Simd};

/// Colour targets of a chip.
pub const TARGETS: usize = 4;

/// What goes to a further target, or to one of floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output {
    /// Its number among the targets that are on.
    pub number: usize,
    /// The program's result that it gets.
    pub result: usize,
    /// Channels that are written: R, G, B, A.
    mask: [bool; 4],
    /// The same as bits of a word, where the target has bytes.
    bits: u32,
    blend: Option<Blend>,
}

impl Output {
    pub(super) fn new(
        (number, result): (usize, usize),
        mask: [bool; 4],
        format: Color,
        blend: Option<Blend>,
    ) -> Output {
        Output {
            number,
            result,
            mask,
            bits: format.written(mask),
            blend: blend.filter(|_| !format.is_float() || format == Color::Rgba16f),
        }
    }

    /// Is any channel written?
    pub fn writes(&self) -> bool {
        self.mask != [false; 4]
    }
}

impl Target<'_> {
    /// The plane and memory of a colour target.
    fn colored(&self, number: usize) -> Option<&(Plane, SharedBytes<'_>)> {
        match number.checked_sub(1) {
            None => self.color.as_ref(),
            Some(i) => self.more.get(i)?.as_ref(),
        }
    }
}

impl Rop {
    /// Writes the lanes in `pass` of a further target, or of one of floats. `values` are the
    /// program's, `bytes` the same as bytes.
    pub(crate) fn write_output(
        &self,
        output: &Output,
        target: &Target<'_>,
        at: At,
        pass: u16,
        values: &[F; 4],
        bytes: &[I; 4],
    ) {
        let Some((plane, memory)) = target.colored(output.number) else {
            return;
        };
        if self.format.is_float() {
            for lane in (0..LANES).filter(|lane| pass >> lane & 1 != 0) {
                let value = values.map(|c| c[lane]);
                self.write_floats(
                    output,
                    plane,
                    *memory,
                    plane.lane(at.x, at.y, at.sample, lane),
                    value,
                );
            }
        } else if output.bits != 0 {
            let words = self.words_over(
                plane,
                *memory,
                at,
                bytes,
                output.bits,
                output.blend.as_ref(),
            );
            plane.store(*memory, at.x, at.y, at.sample, pass, &words, at.whole);
        }
    }

    fn write_floats(
        &self,
        output: &Output,
        plane: &Plane,
        memory: SharedBytes<'_>,
        address: usize,
        value: [f32; 4],
    ) {
        let size = plane.bytes as usize;
        if address + size > plane.end {
            return;
        }
        let old = read(self.format, memory, address);
        let mut new = value;
        if let Some(blend) = &output.blend {
            new = blended(blend, value, old);
        }
        for c in 0..4 {
            if !output.mask[c] {
                new[c] = old[c];
            }
        }
        write(self.format, memory, address, new);
    }
}

/// A pixel of a float target; what it does not hold is 0.
fn read(format: Color, memory: SharedBytes<'_>, at: usize) -> [f32; 4] {
    let word = |i: usize| super::surface::read_word(memory, at + 4 * i, 4);
    match format {
        Color::Rgba16f => {
            let [low, high] = [word(0), word(1)];
            [low, low >> 16, high, high >> 16].map(|half| half_to_f32(half as u16))
        }
        Color::Rgba32f => [0, 1, 2, 3].map(|i| f32::from_bits(word(i))),
        _ => [f32::from_bits(word(0)), 0.0, 0.0, 0.0],
    }
}

/// Puts a pixel there. Half floats are cut, as a program's registers are; a guess.
fn write(format: Color, memory: SharedBytes<'_>, at: usize, value: [f32; 4]) {
    let put = |i: usize, word: u32| super::surface::write_word(memory, at + 4 * i, 4, word);
    match format {
        Color::Rgba16f => {
            let [r, g, b, a] = value.map(|x| u32::from(f32_to_half(Base::half_cut([x; LANES])[0])));
            put(0, r | g << 16);
            put(1, b | a << 16);
        }
        Color::Rgba32f => (0..4).for_each(|i| put(i, value[i].to_bits())),
        _ => put(0, value[0].to_bits()),
    }
}

/// Blending of floats: the same equations without limits.
fn blended(blend: &Blend, s: [f32; 4], d: [f32; 4]) -> [f32; 4] {
    let constant = blend.constant.map(|c| c as f32 / 255.0);
    let factor = |code: u8, c: usize| match code {
        0x1 => 1.0,
        0x2 => s[c],
        0x3 => 1.0 - s[c],
        0x4 => s[3],
        0x5 => 1.0 - s[3],
        0x6 => d[3],
        0x7 => 1.0 - d[3],
        0x8 => d[c],
        0x9 => 1.0 - d[c],
        0xa if c == 3 => 1.0,
        0xa => s[3].min(1.0 - d[3]),
        0xc => constant[c],
        0xd => 1.0 - constant[c],
        0xe => constant[3],
        0xf => 1.0 - constant[3],
        _ => 0.0,
    };
    std::array::from_fn(|c| {
        let part = usize::from(c == 3);
        let source = s[c] * factor(blend.src[part], c);
        let destination = d[c] * factor(blend.dst[part], c);
        match blend.equation[part] {
            Equation::Min => s[c].min(d[c]),
            Equation::Max => s[c].max(d[c]),
            Equation::Subtract | Equation::SignedSubtract => source - destination,
            Equation::ReverseSubtract | Equation::SignedReverseSubtract => destination - source,
            Equation::Add | Equation::SignedAdd => source + destination,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_come_back() {
        for (format, want) in [
            (Color::Rgba16f, [1.0, -2.5, 65504.0, 0.099_975_586]),
            (Color::Rgba32f, [1.0, -2.5, 1e9, 0.1]),
            (Color::R32f, [1.0, 0.0, 0.0, 0.0]),
        ] {
            let mut bytes = vec![0; 32];
            // SAFETY: one thread.
            let memory = unsafe { SharedBytes::new(&mut bytes) };
            let value = match format {
                Color::Rgba16f => [1.0, -2.5, 65535.0, 0.1],
                _ => [1.0, -2.5, 1e9, 0.1],
            };
            write(format, memory, 8, value);
            assert_eq!(read(format, memory, 8), want);
        }
    }

    #[test]
    fn floats_blend_beyond_one() {
        let blend = Blend {
            equation: [Equation::Add, Equation::ReverseSubtract],
            src: [1, 4],
            dst: [5, 1],
            constant: [0; 4],
        };
        let got = blended(&blend, [3.0, -1.0, 0.5, 0.25], [4.0, 4.0, 4.0, 2.0]);
        assert_eq!(got, [6.0, 2.0, 3.5, 2.0 - 0.0625]);
    }

    /// One channel of a float blend with the colours of [`every_factor_of_floats`].
    fn factor(code: u8) -> [f32; 4] {
        let blend = Blend {
            equation: [Equation::Add; 2],
            src: [code; 2],
            dst: [0; 2],
            constant: [51, 102, 153, 204],
        };
        blended(&blend, [2.0, 4.0, 8.0, 0.25], [0.5, 3.0, -1.0, 0.125])
    }

    #[test]
    fn every_factor_of_floats() {
        let source = [2.0, 4.0, 8.0, 0.25];
        let constant = [51.0, 102.0, 153.0, 204.0f32].map(|c| c / 255.0);
        for (code, factors) in [
            (0x0, [0.0; 4]),
            (0x1, [1.0; 4]),
            (0x2, source),
            (0x3, [-1.0, -3.0, -7.0, 0.75]),
            (0x4, [0.25; 4]),
            (0x5, [0.75; 4]),
            (0x6, [0.125; 4]),
            (0x7, [0.875; 4]),
            (0x8, [0.5, 3.0, -1.0, 0.125]),
            (0x9, [0.5, -2.0, 2.0, 0.875]),
            (0xa, [0.25, 0.25, 0.25, 1.0]),
            (0xb, [0.0; 4]),
            (0xc, constant),
            (0xd, constant.map(|c| 1.0 - c)),
            (0xe, [constant[3]; 4]),
            (0xf, [1.0 - constant[3]; 4]),
        ] {
            let want: [f32; 4] = std::array::from_fn(|c| source[c] * factors[c]);
            assert_eq!(factor(code), want, "{code:x}");
        }
        // Saturation takes the smaller of the two.
        let blend = Blend {
            equation: [Equation::Add; 2],
            src: [0xa; 2],
            dst: [0; 2],
            constant: [0; 4],
        };
        let got = blended(&blend, [1.0, 1.0, 1.0, 0.5], [0.0, 0.0, 0.0, 0.75]);
        assert_eq!(got, [0.25, 0.25, 0.25, 0.5]);
    }

    #[test]
    fn every_equation_of_floats() {
        let (s, d) = ([5.0, -1.0, 0.5, 2.0], [3.0, 4.0, 0.5, 8.0]);
        for (equation, want) in [
            (Equation::Add, [8.0, 3.0, 1.0, 10.0]),
            (Equation::SignedAdd, [8.0, 3.0, 1.0, 10.0]),
            (Equation::Subtract, [2.0, -5.0, 0.0, -6.0]),
            (Equation::SignedSubtract, [2.0, -5.0, 0.0, -6.0]),
            (Equation::ReverseSubtract, [-2.0, 5.0, 0.0, 6.0]),
            (Equation::SignedReverseSubtract, [-2.0, 5.0, 0.0, 6.0]),
            (Equation::Min, [3.0, -1.0, 0.5, 2.0]),
            (Equation::Max, [5.0, 4.0, 0.5, 8.0]),
        ] {
            for part in [0, 1] {
                // The other part only adds.
                let mut blend = Blend {
                    equation: [Equation::Add; 2],
                    src: [1; 2],
                    dst: [1; 2],
                    constant: [0; 4],
                };
                blend.equation[part] = equation;
                let got = blended(&blend, s, d);
                for c in 0..4 {
                    let own = usize::from(c == 3) == part;
                    let want = if own { want[c] } else { s[c] + d[c] };
                    assert_eq!(got[c], want, "{equation:?} {part} {c}");
                }
            }
        }
    }

    /// Draws a block to a target of four floats whose rows are 16 pixels long; what memory
    /// holds then.
    fn drawn(output: &Output, end: usize, pass: u16) -> Vec<f32> {
        let rop = Rop {
            format: Color::Rgba32f,
            ..Rop::prepare(
                isotherm_regs::Chip::Nv40,
                &crate::rop::Bundles::default(),
                &crate::rop::prepare::Surfaces::default(),
            )
        };
        let plane = Plane {
            address: 0,
            end,
            pitch: 256,
            bytes: 16,
            swizzle: None,
            scale: (1, 1),
        };
        let mut bytes: Vec<u8> = (0..128u32).flat_map(|_| 9.0f32.to_le_bytes()).collect();
        // SAFETY: one thread.
        let memory = unsafe { SharedBytes::new(&mut bytes) };
        let mut target = Target {
            color: None,
            zeta: None,
            more: [None; TARGETS - 1],
        };
        match output.number {
            0 => target.color = Some((plane, memory)),
            n => target.more[n - 1] = Some((plane, memory)),
        }
        let at = At {
            x: 8,
            y: 0,
            sample: (0, 0),
            whole: true,
        };
        let values = [1.0, 2.0, 3.0, 4.0].map(|v| std::array::from_fn(|i| v + 10.0 * i as f32));
        rop.write_output(output, &target, at, pass, &values, &[[0; LANES]; 4]);
        let word = |c: &[u8]| f32::from_le_bytes([c[0], c[1], c[2], c[3]]);
        bytes.chunks(4).map(word).collect()
    }

    /// Each lane that passes goes to its own pixel of its own target, channel by channel.
    #[test]
    fn floats_reach_their_pixels() {
        for number in 0..TARGETS {
            let mask = [true, false, true, true];
            let output = Output::new((number, number), mask, Color::Rgba32f, None);
            let found = drawn(&output, 512, 0b1010_0000_0010_0001);
            for (pixel, got) in found.chunks(4).enumerate() {
                let lane = match pixel {
                    8..16 => Some(pixel - 8),
                    24..32 => Some(pixel - 16),
                    _ => None,
                };
                let passes = [0, 5, 13, 15];
                let want = match lane.filter(|lane| passes.contains(lane)) {
                    Some(lane) => {
                        let base = 10.0 * lane as f32;
                        [base + 1.0, 9.0, base + 3.0, base + 4.0]
                    }
                    None => [9.0; 4],
                };
                assert_eq!(got, want, "target {number} pixel {pixel}");
            }
        }
    }

    /// A pixel that does not fit whole is not written.
    #[test]
    fn floats_end_with_their_surface() {
        let output = Output::new((0, 0), [true; 4], Color::Rgba32f, None);
        for (end, last) in [(12 * 16, 12), (12 * 16 - 1, 11)] {
            let found = drawn(&output, end, 0xff);
            let written = found.chunks(4).rposition(|pixel| pixel[0] != 9.0);
            assert_eq!(written, Some(last - 1), "{end}");
        }
    }
}
