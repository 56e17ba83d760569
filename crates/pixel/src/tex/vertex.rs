//! Vertex textures: Curie's programs can look up unfiltered, linear, two-dimensional
//! float32 images (envytools intro.rst). Not seen in any capture; the addressing
//! follows the fragment textures' bundles, level n below level n - 1 at one pitch.

use super::Bundles;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_bus::vertex::Textures;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{
    CURIE_TEX_FORMAT, CURIE_TEX_WRAP_MODE, XF_TEX_CONTROL_A, XF_TEX_CONTROL_B, XF_TEX_FILTER,
    XF_TEX_FORMAT, XF_TEX_RECT, XF_TEX_WRAP,
};

/// The four units as the state words describe them.
pub struct VertexTextures<'m> {
    mem: &'m Memory,
    units: [Option<Unit>; 4],
}

#[derive(Clone, Copy)]
struct Unit {
    base: u32,
    pitch: u32,
    size: [u32; 2],
    levels: u32,
    /// R, G, B, A instead of one luminance.
    four: bool,
    /// Coordinates count texels.
    rect: bool,
    wrap: [u32; 2],
    border: u32,
    /// Eight fraction bits, as the limits.
    lod_bias: i32,
    lod_range: [i32; 2],
}

impl<'m> VertexTextures<'m> {
    /// Reads the words once.
    pub fn prepare(
        chip: Chip,
        bundles: &Bundles,
        spans: [DmaSpan; 2],
        mem: &'m Memory,
    ) -> VertexTextures<'m> {
        VertexTextures {
            mem,
            units: std::array::from_fn(|n| Unit::decode(chip, bundles, spans, n)),
        }
    }
}

/// Memory that the units' textures lie in.
pub fn vertex_texture_reads(
    chip: Chip,
    bundles: &Bundles,
    spans: [DmaSpan; 2],
) -> impl Iterator<Item = (u32, usize)> {
    (0..4).filter_map(move |n| Some(Unit::decode(chip, bundles, spans, n)?.reads()))
}

impl Unit {
    /// Address and bytes of all levels.
    fn reads(&self) -> (u32, usize) {
        let rows: u64 = (0..self.levels)
            .map(|l| u64::from((self.size[1] >> l).max(1)))
            .sum();
        let row = u64::from(self.size[0]) * if self.four { 16 } else { 4 };
        let bytes = rows * u64::from(self.pitch) + row;
        (self.base, bytes.min(1 << 32) as usize)
    }

    fn decode(chip: Chip, bundles: &Bundles, spans: [DmaSpan; 2], n: usize) -> Option<Unit> {
        let control = bundles.XF_TEX_CONTROL_A[n];
        if !XF_TEX_CONTROL_A::ENABLE.is_set(chip, control) {
            return None;
        }
        let format = bundles.XF_TEX_FORMAT[n];
        let four = match XF_TEX_FORMAT::FORMAT.get(chip, format) {
            CURIE_TEX_FORMAT::RGBA32F => true,
            CURIE_TEX_FORMAT::R32F => false,
            _ => return None,
        };
        let rect = bundles.XF_TEX_RECT[n];
        let size = [
            XF_TEX_RECT::WIDTH.get(chip, rect),
            XF_TEX_RECT::HEIGHT.get(chip, rect),
        ];
        if size.contains(&0) {
            return None;
        }
        let wrap = bundles.XF_TEX_WRAP[n];
        let span = spans[usize::from(XF_TEX_FORMAT::DMA.is_set(chip, format))];
        Some(Unit {
            base: span.base.wrapping_add(bundles.XF_TEX_OFFSET[n]),
            pitch: XF_TEX_CONTROL_B::PITCH.get(chip, bundles.XF_TEX_CONTROL_B[n]),
            size,
            levels: XF_TEX_FORMAT::MIPS.get(chip, format).clamp(1, 13),
            four,
            rect: XF_TEX_FORMAT::RECT.get(chip, format) != 0,
            wrap: [
                XF_TEX_WRAP::WRAP_S.get(chip, wrap),
                XF_TEX_WRAP::WRAP_T.get(chip, wrap),
            ],
            border: bundles.XF_TEX_BORDER_COLOR[n],
            lod_bias: XF_TEX_FILTER::LOD_BIAS.get_signed(chip, bundles.XF_TEX_FILTER[n]),
            lod_range: [XF_TEX_CONTROL_A::MIN_LOD, XF_TEX_CONTROL_A::MAX_LOD]
                .map(|f| f.get(chip, control) as i32),
        })
    }

    fn fetch(&self, mem: &Memory, coord: [u32; 4]) -> [u32; 4] {
        let [s, t, _, lod] = coord.map(f32::from_bits);
        // The cast saturates and turns NaN into 0. The nearest level is taken: these textures
        // are not filtered.
        let [low, high] = self.lod_range;
        let lod = ((lod * 256.0) as i32).saturating_add(self.lod_bias);
        let lod = lod.max(low).min(high.max(low));
        let level = (lod.saturating_add(128) >> 8).clamp(0, self.levels as i32 - 1) as u32;
        let mut row = 0;
        for l in 0..level {
            row += (self.size[1] >> l).max(1);
        }
        let size = self.size.map(|n| (n >> level).max(1));
        let texel: [Option<u32>; 2] = std::array::from_fn(|axis| {
            let scale = if self.rect {
                1.0
            } else {
                f64::from(size[axis])
            };
            let x = (f64::from([s, t][axis]) * scale).floor() as i64;
            wrapped(x, size[axis].into(), self.wrap[axis])
        });
        let [Some(x), Some(y)] = texel else {
            return border(self.border);
        };
        let bytes = if self.four { 16 } else { 4 };
        let at = self
            .base
            .wrapping_add((row + y).wrapping_mul(self.pitch))
            .wrapping_add(x.wrapping_mul(bytes));
        if self.four {
            std::array::from_fn(|c| mem.read_u32(at.wrapping_add(4 * c as u32)))
        } else {
            let l = mem.read_u32(at);
            [l, l, l, 1f32.to_bits()]
        }
    }
}

/// The texel that a coordinate means; `None` for the border.
fn wrapped(x: i64, n: i64, wrap: u32) -> Option<u32> {
    let mirror = |x: i64| if x < 0 { !x } else { x };
    let inside = match wrap {
        CURIE_TEX_WRAP_MODE::REPEAT => x.rem_euclid(n),
        CURIE_TEX_WRAP_MODE::MIRRORED_REPEAT => {
            let x = x.rem_euclid(2 * n);
            if x < n { x } else { 2 * n - 1 - x }
        }
        CURIE_TEX_WRAP_MODE::CLAMP_TO_BORDER => x,
        CURIE_TEX_WRAP_MODE::MIRROR_CLAMP_TO_BORDER => mirror(x),
        CURIE_TEX_WRAP_MODE::MIRROR_CLAMP_TO_EDGE | CURIE_TEX_WRAP_MODE::MIRROR_CLAMP => {
            mirror(x).min(n - 1)
        }
        _ => x.clamp(0, n - 1),
    };
    u32::try_from(inside).ok().filter(|&x| i64::from(x) < n)
}

/// A, R, G, B bytes to floats.
fn border(word: u32) -> [u32; 4] {
    [16, 8, 0, 24]
        .map(|shift| (f64::from(word >> shift & 0xff) / 255.0) as f32)
        .map(f32::to_bits)
}

impl Textures for VertexTextures<'_> {
    fn sample(&self, unit: u8, coord: [u32; 4]) -> [u32; 4] {
        self.units[usize::from(unit & 3)].map_or([0; 4], |u| u.fetch(self.mem, coord))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_bus::unit::Takes;
    use isotherm_regs::bundle as id;

    /// A unit that is on and may use all levels.
    fn on(chip: Chip) -> u32 {
        let word = XF_TEX_CONTROL_A::ENABLE.with(chip, 0, 1);
        XF_TEX_CONTROL_A::MAX_LOD.with(chip, word, 12 << 8)
    }

    #[test]
    fn wraps() {
        type Wrap = CURIE_TEX_WRAP_MODE;
        assert_eq!(wrapped(-1, 4, Wrap::REPEAT), Some(3));
        assert_eq!(wrapped(5, 4, Wrap::MIRRORED_REPEAT), Some(2));
        assert_eq!(wrapped(9, 4, Wrap::CLAMP_TO_EDGE), Some(3));
        assert_eq!(wrapped(4, 4, Wrap::CLAMP_TO_BORDER), None);
        assert_eq!(wrapped(i64::MIN, 4, Wrap::REPEAT), Some(0));
        for (wrap, want) in [
            (Wrap::REPEAT, [2, 3, 0, 1, 2, 3, 0, 1].map(Some)),
            (Wrap::MIRRORED_REPEAT, [1, 0, 0, 1, 2, 3, 3, 2].map(Some)),
            (Wrap::CLAMP_TO_EDGE, [0, 0, 0, 1, 2, 3, 3, 3].map(Some)),
            (
                Wrap::MIRROR_CLAMP_TO_EDGE,
                [1, 0, 0, 1, 2, 3, 3, 3].map(Some),
            ),
            (
                Wrap::CLAMP_TO_BORDER,
                [None, None, Some(0), Some(1), Some(2), Some(3), None, None],
            ),
            (
                Wrap::MIRROR_CLAMP_TO_BORDER,
                [
                    Some(1),
                    Some(0),
                    Some(0),
                    Some(1),
                    Some(2),
                    Some(3),
                    None,
                    None,
                ],
            ),
        ] {
            let got: Vec<_> = (-2..6).map(|x| wrapped(x, 4, wrap)).collect();
            assert_eq!(got, want, "{wrap}");
        }
    }

    #[test]
    fn levels_components_and_the_border() {
        let chip = Chip::Nv40;
        let mut mem = Memory::new(chip);
        // Rows of four floats each: 4 x 4 texels at rows 0 to 3, 2 x 2 at 4 and 5, 1 at 6.
        for row in 0..7u32 {
            for i in 0..16u32 {
                let at = 0x1000 + row * 256 + i * 4;
                mem.write_u32(at, ((100 * row + i) as f32).to_bits());
            }
        }
        let format = [
            (XF_TEX_FORMAT::FORMAT, CURIE_TEX_FORMAT::RGBA32F),
            (XF_TEX_FORMAT::MIPS, 3),
        ]
        .into_iter()
        .fold(0, |w, (f, v)| f.with(chip, w, v));
        let mut words = Bundles::default();
        words.take(id::XF_TEX_FORMAT, 2, format);
        words.take(id::XF_TEX_CONTROL_A, 2, on(chip));
        words.take(id::XF_TEX_RECT, 2, 4 << 16 | 4);
        words.take(id::XF_TEX_CONTROL_B, 2, 256);
        let wrap = CURIE_TEX_WRAP_MODE::CLAMP_TO_BORDER * 0x101;
        words.take(id::XF_TEX_WRAP, 2, wrap);
        words.take(id::XF_TEX_OFFSET, 2, 0x1000);
        words.take(id::XF_TEX_BORDER_COLOR, 2, 0xff33_6699);
        let textures = VertexTextures::prepare(chip, &words, [DmaSpan::default(); 2], &mem);
        let at = |s: f32, t: f32, lod: f32| {
            textures
                .sample(2, [s.to_bits(), t.to_bits(), 0, lod.to_bits()])
                .map(f32::from_bits)
        };
        let texel = |row: u32, x: u32| [0, 1, 2, 3].map(|c| (100 * row + 4 * x + c) as f32);
        assert_eq!(at(0.6, 0.8, 0.0), texel(3, 2));
        assert_eq!(at(0.6, 0.8, -1.0), texel(3, 2));
        assert_eq!(at(0.6, 0.8, 1.0), texel(5, 1));
        assert_eq!(at(0.6, 0.2, 1.4), texel(4, 1));
        assert_eq!(at(0.6, 0.8, 1.6), texel(6, 0));
        assert_eq!(at(0.6, 0.8, 9.0), texel(6, 0));
        assert_eq!(at(1.1, 0.8, 0.0), [0.2, 0.4, 0.6, 1.0]);
        // Coordinates in texels.
        let rect = XF_TEX_FORMAT::RECT.with(chip, format, 1);
        words.take(id::XF_TEX_FORMAT, 2, rect);
        let textures = VertexTextures::prepare(chip, &words, [DmaSpan::default(); 2], &mem);
        let got = textures.sample(2, [3.5f32.to_bits(), 1.5f32.to_bits(), 0, 0]);
        assert_eq!(got.map(f32::from_bits), texel(1, 3));
        // Limits and bias of the level.
        words.take(id::XF_TEX_FORMAT, 2, format);
        let limit =
            |field: isotherm_regs::field::Field, lod: u32| field.with(chip, on(chip), lod << 8);
        for (control, bias, row) in [
            (limit(XF_TEX_CONTROL_A::MIN_LOD, 2), 0, texel(6, 0)),
            (limit(XF_TEX_CONTROL_A::MAX_LOD, 1), 9 << 8, texel(5, 1)),
            (on(chip), 1 << 8, texel(5, 1)),
        ] {
            words.take(id::XF_TEX_CONTROL_A, 2, control);
            words.take(id::XF_TEX_FILTER, 2, bias);
            let textures = VertexTextures::prepare(chip, &words, [DmaSpan::default(); 2], &mem);
            let coord = [0.6f32.to_bits(), 0.8f32.to_bits(), 0, 0];
            assert_eq!(textures.sample(2, coord).map(f32::from_bits), row);
        }
        // No size, no texture; off, none either.
        words.take(id::XF_TEX_CONTROL_A, 2, 0);
        let textures = VertexTextures::prepare(chip, &words, [DmaSpan::default(); 2], &mem);
        assert_eq!(textures.sample(2, [0; 4]), [0; 4]);
        words.take(id::XF_TEX_CONTROL_A, 2, on(chip));
        words.take(id::XF_TEX_RECT, 2, 4 << 16);
        let textures = VertexTextures::prepare(chip, &words, [DmaSpan::default(); 2], &mem);
        assert_eq!(textures.sample(2, [0; 4]), [0; 4]);
    }

    #[test]
    fn a_float_image_is_read_texel_by_texel() {
        let chip = Chip::Nv40;
        let mut mem = Memory::new(chip);
        for i in 0..8u32 {
            mem.write_u32(0x1000 + (i / 4) * 64 + (i % 4) * 4, (i as f32).to_bits());
        }
        let mut words = Bundles::default();
        let format = XF_TEX_FORMAT::FORMAT
            .set(chip, 0, CURIE_TEX_FORMAT::R32F)
            .unwrap_or(0);
        words.take(id::XF_TEX_FORMAT, 1, format);
        words.take(id::XF_TEX_CONTROL_A, 1, on(chip));
        words.take(id::XF_TEX_RECT, 1, 4 << 16 | 2);
        words.take(id::XF_TEX_CONTROL_B, 1, 64);
        words.take(
            id::XF_TEX_WRAP,
            1,
            CURIE_TEX_WRAP_MODE::REPEAT | CURIE_TEX_WRAP_MODE::REPEAT << 8,
        );
        words.take(id::XF_TEX_OFFSET, 1, 0x1000);
        let textures = VertexTextures::prepare(chip, &words, [DmaSpan::default(); 2], &mem);
        let at = |s: f32, t: f32| {
            textures
                .sample(1, [s.to_bits(), t.to_bits(), 0, 0])
                .map(f32::from_bits)
        };
        assert_eq!(at(0.3, 0.6), [5.0, 5.0, 5.0, 1.0]);
        assert_eq!(at(-0.1, 0.1), [3.0, 3.0, 3.0, 1.0]);
        assert_eq!(at(f32::NAN, f32::INFINITY)[3], 1.0);
        assert_eq!(textures.sample(0, [0; 4]), [0; 4]);
        // The format's bit chooses the object that the offset counts from.
        let span = |base| DmaSpan {
            base,
            ..DmaSpan::default()
        };
        for (dma, bases) in [(0, [0, 0x40]), (1, [0x40, 0])] {
            let format = XF_TEX_FORMAT::DMA.set(chip, format, dma).unwrap_or(0);
            words.take(id::XF_TEX_FORMAT, 1, format);
            let textures = VertexTextures::prepare(chip, &words, bases.map(span), &mem);
            assert_eq!(textures.sample(1, [0; 4])[0], 0f32.to_bits(), "{dma}");
            let other = [bases[1], bases[0]].map(span);
            let textures = VertexTextures::prepare(chip, &words, other, &mem);
            assert_eq!(textures.sample(1, [0; 4])[0], 4f32.to_bits(), "{dma}");
        }
    }
}
