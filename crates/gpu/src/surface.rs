//! Surfaces in memory, read as pictures.

use isotherm_bus::memory::Memory;
use isotherm_capture::{Image, Surface};
use isotherm_lanes::morton;
use isotherm_pixel::rop::prepare::Surfaces;
use isotherm_pixel::rop::surface::{Color, Plane};

/// Larger than any surface of these chips.
const MOST: u32 = 8192;

/// What a pixel's word holds, from its highest bit on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelFormat {
    /// A bit without meaning, five bits each of red, green and blue.
    X1R5G5B5,
    /// Five bits of red, six of green, five of blue.
    R5G6B5,
    /// A byte without meaning, red, green, blue.
    X8R8G8B8,
    /// A bit without meaning, seven bits of alpha, red, green, blue.
    X1A7R8G8B8,
    /// Alpha, red, green, blue.
    A8R8G8B8,
    /// A byte without meaning, blue, green, red.
    X8B8G8R8,
    /// Alpha, blue, green, red.
    A8B8G8R8,
    /// Blue alone.
    B8,
    /// Green and blue.
    G8B8,
    /// 16 bits of depth.
    Z16,
    /// 24 bits of depth, 8 of stencil.
    Z24S8,
}

impl PixelFormat {
    /// Bytes of a word.
    pub fn bytes(self) -> u32 {
        use PixelFormat::*;
        match self {
            B8 => 1,
            X1R5G5B5 | R5G6B5 | G8B8 | Z16 => 2,
            _ => 4,
        }
    }

    /// A word as red, green, blue and alpha. Depth is grey, its highest bits.
    pub fn rgba8(self, word: u32) -> [u8; 4] {
        use PixelFormat::*;
        let [b0, b1, b2, b3] = word.to_le_bytes();
        let wide = |v: u32, bits: u32| ((v & ((1 << bits) - 1)) * 255 / ((1 << bits) - 1)) as u8;
        match self {
            X1R5G5B5 => [wide(word >> 10, 5), wide(word >> 5, 5), wide(word, 5), 255],
            R5G6B5 => [wide(word >> 11, 5), wide(word >> 5, 6), wide(word, 5), 255],
            X8R8G8B8 => [b2, b1, b0, 255],
            X1A7R8G8B8 => [b2, b1, b0, wide(word >> 24, 7)],
            A8R8G8B8 => [b2, b1, b0, b3],
            X8B8G8R8 => [b0, b1, b2, 255],
            A8B8G8R8 => [b0, b1, b2, b3],
            B8 => [0, 0, b0, 255],
            G8B8 => [0, b1, b0, 255],
            Z16 => [b1, b1, b1, 255],
            Z24S8 => [b3, b3, b3, 255],
        }
    }
}

/// How words follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Row after row, this many bytes from one to the next.
    Linear {
        /// Bytes per row.
        pitch: u32,
    },
    /// Morton order; log2 of width and height.
    Swizzled {
        /// log2 of the width.
        width: u32,
        /// log2 of the height.
        height: u32,
    },
}

/// A surface in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurfaceView {
    /// Address of the first byte.
    pub address: u32,
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// How words follow each other.
    pub layout: Layout,
    /// What a word holds.
    pub format: PixelFormat,
    /// Samples per pixel, horizontally and vertically; each has a word.
    pub samples: (u32, u32),
}

impl SurfaceView {
    /// A linear surface with one sample per pixel.
    pub fn linear(address: u32, pitch: u32, size: (u32, u32), format: PixelFormat) -> SurfaceView {
        SurfaceView {
            address,
            width: size.0,
            height: size.1,
            layout: Layout::Linear { pitch },
            format,
            samples: (1, 1),
        }
    }

    /// The bound colour surface.
    pub(crate) fn color(surfaces: &Surfaces) -> Option<SurfaceView> {
        let format = match surfaces.format {
            Color::X1R5G5B5 { .. } => PixelFormat::X1R5G5B5,
            Color::R5G6B5 => PixelFormat::R5G6B5,
            Color::X8R8G8B8 { .. } => PixelFormat::X8R8G8B8,
            Color::X1A7R8G8B8 { .. } => PixelFormat::X1A7R8G8B8,
            Color::A8R8G8B8 => PixelFormat::A8R8G8B8,
            Color::B8 => PixelFormat::B8,
            Color::G8B8 => PixelFormat::G8B8,
            Color::A8B8G8R8 { forced: None } => PixelFormat::A8B8G8R8,
            Color::A8B8G8R8 { forced: Some(_) } => PixelFormat::X8B8G8R8,
            // No word holds a pixel of floats as bytes.
            Color::Rgba16f | Color::Rgba32f | Color::R32f => return None,
        };
        SurfaceView::of(surfaces.color?, surfaces, format)
    }

    /// The bound depth surface.
    pub(crate) fn depth(surfaces: &Surfaces) -> Option<SurfaceView> {
        let format = match surfaces.z24 {
            true => PixelFormat::Z24S8,
            false => PixelFormat::Z16,
        };
        SurfaceView::of(surfaces.zeta?, surfaces, format)
    }

    fn of(plane: Plane, surfaces: &Surfaces, format: PixelFormat) -> Option<SurfaceView> {
        let [_, _, right, bottom] = surfaces.clip;
        let side = |end: i32| u32::try_from(end).ok().filter(|end| *end != 0);
        Some(SurfaceView {
            address: plane.address,
            width: side(right)?.min(MOST),
            height: side(bottom)?.min(MOST),
            layout: match plane.swizzle {
                Some((width, height)) => Layout::Swizzled { width, height },
                None => Layout::Linear {
                    pitch: plane.pitch as u32,
                },
            },
            format,
            samples: plane.scale,
        })
    }

    /// The `SURF` record that shows this surface, if one can.
    pub fn record(&self) -> Option<Surface> {
        let format = match self.format {
            PixelFormat::A8R8G8B8 => "A8R8G8B8",
            PixelFormat::X8R8G8B8 => "X8R8G8B8",
            PixelFormat::R5G6B5 if matches!(self.layout, Layout::Linear { .. }) => "R5G6B5",
            _ => return None,
        };
        if self.scale() != (1, 1) {
            return None;
        }
        // Morton order needs the whole square, also where less of it is drawn to.
        let (pitch, (width, height), tiled) = match self.layout {
            Layout::Linear { pitch } => (pitch, self.size(), false.into()),
            Layout::Swizzled { width, height } => {
                let size = (1 << width.min(12), 1 << height.min(12));
                (size.0 * 4, size, "swizzled".into())
            }
        };
        Some(Surface {
            addr: self.address,
            pitch,
            width,
            height,
            format: format.into(),
            source: "color".into(),
            tiled,
            ..Surface::default()
        })
    }

    /// Address of the word of a sample: its column and row, counted in samples.
    pub fn address_of(&self, x: u32, y: u32) -> u32 {
        let bytes = self.format.bytes();
        let offset = match self.layout {
            Layout::Linear { pitch } => y.wrapping_mul(pitch).wrapping_add(x.wrapping_mul(bytes)),
            Layout::Swizzled { width, height } => {
                morton::place(x, y, width.min(15), height.min(15)).wrapping_mul(bytes)
            }
        };
        self.address.wrapping_add(offset)
    }

    /// The word of a sample; 0 outside memory.
    pub fn word(&self, memory: &Memory, x: u32, y: u32) -> u32 {
        let address = self.address_of(x, y);
        match self.format.bytes() {
            1 => memory.read_u8(address).into(),
            2 => memory.read_u16(address).into(),
            _ => memory.read_u32(address),
        }
    }

    /// All words, row after row of samples.
    pub fn raw(&self, memory: &Memory) -> Vec<u32> {
        let (columns, rows) = (
            self.size().0 * self.scale().0,
            self.size().1 * self.scale().1,
        );
        let words = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        words.map(|(x, y)| self.word(memory, x, y)).collect()
    }

    /// The picture. Samples of a pixel are averaged.
    pub fn rgba8(&self, memory: &Memory) -> Image {
        let ((width, height), (across, down)) = (self.size(), self.scale());
        let mut rgba = Vec::with_capacity((width * height * 4) as usize);
        let count = across * down;
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let mut sum = [0; 4];
            for i in 0..count {
                let (x, y) = (x * across + i % across, y * down + i / across);
                let pixel = self.format.rgba8(self.word(memory, x, y));
                (0..4).for_each(|c| sum[c] += u32::from(pixel[c]));
            }
            rgba.extend(sum.map(|sum| ((sum + count / 2) / count) as u8));
        }
        Image {
            width,
            height,
            rgba,
        }
    }

    /// Width and height, bounded: an embedder may ask for anything.
    fn size(&self) -> (u32, u32) {
        (self.width.min(MOST), self.height.min(MOST))
    }

    fn scale(&self) -> (u32, u32) {
        (self.samples.0.clamp(1, 2), self.samples.1.clamp(1, 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_regs::Chip;

    #[test]
    fn formats_as_bytes() {
        let rgba = |format: PixelFormat, word| format.rgba8(word);
        assert_eq!(rgba(PixelFormat::R5G6B5, 0xF81F), [255, 0, 255, 255]);
        assert_eq!(rgba(PixelFormat::X1R5G5B5, 0x03E0), [0, 255, 0, 255]);
        assert_eq!(
            rgba(PixelFormat::A8R8G8B8, 0x1234_5678),
            [0x34, 0x56, 0x78, 0x12]
        );
        assert_eq!(
            rgba(PixelFormat::A8B8G8R8, 0x1234_5678),
            [0x78, 0x56, 0x34, 0x12]
        );
        assert_eq!(rgba(PixelFormat::X1A7R8G8B8, 0xFF00_0000), [0, 0, 0, 255]);
        assert_eq!(rgba(PixelFormat::Z24S8, 0x8000_0012), [128, 128, 128, 255]);
    }

    #[test]
    fn swizzled_and_sampled() {
        let mut memory = Memory::new(Chip::Nv2a);
        memory.write_u32(0x100 + 4 * 3, 0x00FF_0000);
        let mut view = SurfaceView {
            layout: Layout::Swizzled {
                width: 1,
                height: 1,
            },
            ..SurfaceView::linear(0x100, 0, (2, 2), PixelFormat::X8R8G8B8)
        };
        assert_eq!(view.raw(&memory), [0, 0, 0, 0x00FF_0000]);
        assert_eq!(view.rgba8(&memory).rgba[12..], [255, 0, 0, 255]);
        (view.width, view.height, view.samples) = (1, 1, (2, 2));
        assert_eq!(view.rgba8(&memory).rgba, [64, 0, 0, 255]);
    }

    #[test]
    fn records_show_the_same_picture() {
        let mut memory = Memory::new(Chip::Nv34);
        (0..64).for_each(|i| memory.write_u32(0x100 + 4 * i, 0x0102_0304 * i));
        let linear = SurfaceView::linear(0x100, 32, (8, 8), PixelFormat::A8R8G8B8);
        let swizzled = SurfaceView {
            layout: Layout::Swizzled {
                width: 3,
                height: 3,
            },
            ..linear.clone()
        };
        for view in [linear, swizzled] {
            let record = view.record().unwrap();
            assert_eq!(record.read(&memory), view.rgba8(&memory));
        }
    }

    #[test]
    fn sizes_that_lie_are_bounded() {
        let memory = Memory::new(Chip::Nv2a);
        let mut view = SurfaceView::linear(0, 0, (u32::MAX, 1), PixelFormat::B8);
        view.samples = (9, 0);
        assert_eq!(view.raw(&memory).len(), 2 * MOST as usize);
    }
}
