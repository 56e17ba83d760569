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
}
