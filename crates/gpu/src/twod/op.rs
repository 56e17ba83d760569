//! What happens to a pixel: copies, raster operations with patterns, blending.
//!
//! `BLEND_AND` on NV2A is `(s*beta + d*(255-beta) + 127) / 255` with the eight beta bits
//! 30 to 23, negative beta being 0: sixteen of sixteen `Image_blit` goldens, every pixel
//! (shifting by 8, NV3's five-bit factors and truncation all fail).

use super::color::Format;

/// The OPERATION method's values.
pub(super) mod operation {
    pub(crate) const SRCCOPY_AND: u32 = 0;
    pub(crate) const ROP_AND: u32 = 1;
    pub(crate) const BLEND_AND: u32 = 2;
    pub(crate) const SRCCOPY: u32 = 3;
    pub(crate) const SRCCOPY_PREMULT: u32 = 4;
    pub(crate) const BLEND_PREMULT: u32 = 5;
}

/// An 8x8, 64x1 or 1x64 pattern.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(crate) color_format: u32,
    /// 1: the leftmost pixel is bit 7 of each byte; 2: bit 0.
    pub(crate) mono_format: u32,
    pub(crate) shape: u32,
    /// 1: two colours by bitmap; 2: 64 colours.
    pub(crate) select: u32,
    pub(crate) mono_color: [u32; 2],
    pub(crate) bitmap: [u32; 2],
    pub(crate) colors: [u32; 64],
}

impl Default for Pattern {
    fn default() -> Pattern {
        Pattern {
            color_format: 3,
            mono_format: 2,
            shape: 0,
            select: 1,
            mono_color: [0; 2],
            bitmap: [0; 2],
            colors: [0; 64],
        }
    }
}

impl Pattern {
    /// A method of the pattern's class.
    pub(crate) fn method(&mut self, method: u16, data: u32) {
        let mut put = |index: u16, color: u32| {
            if let Some(slot) = self.colors.get_mut(usize::from(index)) {
                *slot = color;
            }
        };
        match method {
            0x300 => self.color_format = data,
            0x304 => self.mono_format = data,
            0x308 => self.shape = data,
            0x30C => self.select = data,
            0x310 | 0x314 => self.mono_color[usize::from((method - 0x310) >> 2)] = data,
            0x318 | 0x31C => self.bitmap[usize::from((method - 0x318) >> 2)] = data,
            0x400..0x440 => (0..4).for_each(|i| {
                let y = data >> (8 * i) & 0xFF;
                put((method - 0x400) + i, y * 0x01_0101);
            }),
            0x500..0x580 => (0..2).for_each(|i| {
                put(
                    (method - 0x500) / 2 + i,
                    super::color::solid(1, data >> (16 * i) & 0xFFFF, false),
                );
            }),
            0x600..0x680 => (0..2).for_each(|i| {
                put(
                    (method - 0x600) / 2 + i,
                    super::color::solid(2, data >> (16 * i) & 0xFFFF, false),
                );
            }),
            0x700..0x800 => put((method - 0x700) / 4, data),
            _ => {}
        }
    }

    /// The pattern's colour at a pixel, as a pixel of the surface.
    fn at(&self, format: Format, x: i32, y: i32) -> u32 {
        let index = match self.shape {
            1 => x & 63,
            2 => y & 63,
            _ => (y & 7) << 3 | (x & 7),
        } as usize;
        let color = if self.select == 2 {
            self.colors[index]
        } else {
            let bit = if self.mono_format == 1 {
                index ^ 7
            } else {
                index
            };
            self.mono_color[(self.bitmap[bit >> 5] >> (bit & 31) & 1) as usize]
        };
        self.pixel(format, color)
    }

    fn pixel(&self, format: Format, color: u32) -> u32 {
        if format.is_plain() {
            format.pack(color)
        } else {
            format.pack(super::color::solid(self.color_format, color, true))
        }
    }

    /// The one colour of a pattern that has only one.
    fn constant(&self, format: Format) -> Option<u32> {
        let color = match (self.select, self.bitmap) {
            (2, _) => self
                .colors
                .iter()
                .all(|c| *c == self.colors[0])
                .then_some(self.colors[0])?,
            (_, [0, 0]) => self.mono_color[0],
            (_, [0xFFFF_FFFF, 0xFFFF_FFFF]) => self.mono_color[1],
            _ if self.mono_color[0] == self.mono_color[1] => self.mono_color[0],
            _ => return None,
        };
        Some(self.pixel(format, color))
    }
}

/// An operation with everything it needs, for one drawing.
pub(super) struct PixelOp<'a> {
    pub(crate) operation: u32,
    pub(crate) rop: u8,
    pub(crate) beta: u8,
    /// Alpha, red, green, blue factors.
    pub(crate) beta4: u32,
    pub(crate) pattern: &'a Pattern,
    pub(crate) format: Format,
    /// Sources of this colour (24 bits) are not drawn.
    pub(crate) chroma: Option<u32>,
}

/// A ternary raster operation on all bits at once: bit `P<<2 | S<<1 | D` of `rop`.
fn ternary(rop: u8, p: u32, s: u32, d: u32) -> u32 {
    (0..8)
        .filter(|index| rop >> index & 1 != 0)
        .fold(0, |result, index| {
            let pick = |on: bool, v: u32| if on { v } else { !v };
            result | (pick(index & 4 != 0, p) & pick(index & 2 != 0, s) & pick(index & 1 != 0, d))
        })
}

/// `(s*f + d*(255-f)) / 255`, rounded.
fn mix(s: u32, d: u32, f: u32) -> u32 {
    (s * f + d * (255 - f) + 127) / 255
}

fn per_channel(f: impl Fn(u32) -> u32) -> u32 {
    [0, 8, 16, 24]
        .into_iter()
        .fold(0, |c, shift| c | f(shift).min(255) << shift)
}

fn channel(c: u32, shift: u32) -> u32 {
    c >> shift & 0xFF
}

impl PixelOp<'_> {
    /// The colour `src` (A8R8G8B8, or a number for plain surfaces) onto the pixel `dst`.
    pub(crate) fn pixel(&self, src: u32, dst: u32, x: i32, y: i32) -> u32 {
        if self
            .chroma
            .is_some_and(|key| (key ^ src) & 0x00FF_FFFF == 0)
        {
            return dst;
        }
        let format = self.format;
        match self.operation {
            operation::ROP_AND => {
                let pattern = self.pattern.at(format, x, y);
                format.store(ternary(self.rop, pattern, format.pack(src), dst) & mask(format))
            }
            operation::BLEND_AND => {
                let d = format.unpack(dst);
                let factor = factor(src >> 24, u32::from(self.beta));
                format.pack(per_channel(|s| mix(channel(src, s), channel(d, s), factor)))
            }
            operation::BLEND_PREMULT => {
                let d = format.unpack(dst);
                let s = self.times_beta4(src);
                let keep = 255 - (s >> 24);
                let blend = |c| channel(s, c) + (channel(d, c) * keep + 127) / 255;
                format.pack(per_channel(blend))
            }
            operation::SRCCOPY_PREMULT => format.pack(self.times_beta4(src)),
            _ => format.pack(src),
        }
    }

    fn times_beta4(&self, src: u32) -> u32 {
        per_channel(|s| (channel(src, s) * channel(self.beta4, s) + 127) / 255)
    }

    /// For a source that is the same everywhere: what pixels with all bits clear and all
    /// bits set become, which says what becomes of any bit. None when a bit depends on
    /// more than its old value.
    pub(crate) fn bitwise(&self, src: u32) -> Option<(u32, u32)> {
        if self
            .chroma
            .is_some_and(|key| (key ^ src) & 0x00FF_FFFF == 0)
        {
            return Some((0, mask(self.format)));
        }
        match self.operation {
            operation::ROP_AND => {
                let pattern = self.pattern.constant(self.format)?;
                let s = self.format.pack(src);
                let store = |d| {
                    self.format
                        .store(ternary(self.rop, pattern, s, d) & mask(self.format))
                };
                Some((store(0), store(!0)))
            }
            operation::BLEND_AND | operation::BLEND_PREMULT => None,
            _ => {
                let pixel = self.pixel(src, 0, 0, 0);
                Some((pixel, pixel))
            }
        }
    }

    /// Is every pixel just the source's?
    pub(crate) fn is_copy(&self) -> bool {
        self.chroma.is_none()
            && matches!(self.operation, operation::SRCCOPY | operation::SRCCOPY_AND)
    }
}

fn mask(format: Format) -> u32 {
    match format.bytes() {
        1 => 0xFF,
        2 => 0xFFFF,
        _ => !0,
    }
}

/// Source alpha times beta. With opaque sources it is beta itself, which is all that the
/// goldens show; the product's rounding is a guess that a blit with alpha would settle.
fn factor(alpha: u32, beta: u32) -> u32 {
    (alpha * beta + 127) / 255
}

/// The eight factor bits of a beta word.
pub(super) fn beta(word: u32) -> u8 {
    if word >> 31 != 0 {
        0
    } else {
        (word >> 23) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(operation: u32, pattern: &Pattern, format: Format) -> PixelOp<'_> {
        let beta4 = 0x80FF_FFFF;
        PixelOp {
            operation,
            rop: 0xCA,
            beta: 136,
            beta4,
            pattern,
            format,
            chroma: None,
        }
    }

    #[test]
    fn the_mask_clear_of_the_classic_driver() {
        // Raster operation CAh is "pattern ? source : destination".
        let pattern = Pattern {
            mono_color: [0, 0xFF],
            bitmap: [!0, !0],
            ..Pattern::default()
        };
        let op = op(operation::ROP_AND, &pattern, Format::Y32);
        assert_eq!(op.pixel(0x1111_1111, 0x2222_2222, 3, 4), 0x2222_2211);
        let (zeros, ones) = op.bitwise(0x1111_1111).unwrap();
        let d = 0x2222_2222u32;
        assert_eq!((!d & zeros) | (d & ones), 0x2222_2211);
    }

    #[test]
    fn blend_rounds_to_nearest() {
        let pattern = Pattern::default();
        let op = op(operation::BLEND_AND, &pattern, Format::X8R8G8B8(0));
        let expected = |s: u32, d: u32| (s * 136 + d * 119 + 127) / 255;
        let pixel = op.pixel(0xFF10_80F0, 0xF044_0011, 0, 0);
        assert_eq!(pixel >> 24, 0);
        assert_eq!(pixel >> 16 & 0xFF, expected(0x10, 0x44));
        assert_eq!(pixel & 0xFF, expected(0xF0, 0x11));
    }

    #[test]
    fn ternary_operations_are_the_usual_numbers() {
        let (p, s, d) = (0xF0F0_F0F0, 0xCCCC_CCCC, 0xAAAA_AAAA);
        for (rop, expected) in [
            (0xF0, p),
            (0xCC, s),
            (0xAA, d),
            (0x66, s ^ d),
            (0, 0),
            (255, !0),
        ] {
            assert_eq!(ternary(rop, p, s, d), expected);
        }
    }

    #[test]
    fn beta_has_eight_bits_and_no_sign() {
        assert_eq!(
            [0x007F_FFFF, 0x0080_0000, 0x7FFF_FFFF, 0x8FFF_FFFF].map(beta),
            [0, 1, 255, 0]
        );
    }
}
