//! Textures as pictures.

use super::Pipeline;
use isotherm_bus::memory::Memory;
use isotherm_capture::Image;
use isotherm_pixel::tex::Unit;
use isotherm_pixel::tex::program::ProgramUnit;
use isotherm_regs::Family;

impl Pipeline {
    /// What a texture unit would sample: the largest level, of a cube map the first face, of a
    /// volume the first slice.
    pub fn texture(&self, unit: usize, mem: &Memory) -> Option<Image> {
        let (words, spans) = (&self.queue.bundles().tex, self.queue.texture_dma());
        let units = match self.chip.family() {
            Family::Celsius => 2,
            Family::Kelvin => 4,
            _ => 16,
        };
        if unit >= units {
            return None;
        }
        let source = match self.chip.family() {
            Family::Celsius | Family::Kelvin => {
                Unit::prepare(self.chip, words, spans, unit)?.source
            }
            _ => *ProgramUnit::prepare(self.chip, words, spans, unit)?.source(),
        };
        let image = source.decode(mem);
        let level = image.levels.first()?;
        let [width, height, _] = level.size.map(|side| side.max(0) as u32);
        let texel = &source.format.texel;
        let (step, floats) = (texel.words() as usize, texel.floats());
        let mut rgba = Vec::new();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let at = (level.origin + y * level.row + x) as usize * step;
            let words = image.texels.get(at..at + step).unwrap_or(&[0]);
            rgba.extend(pixel(words, floats));
        }
        Some(Image {
            width,
            height,
            rgba,
        })
    }
}

/// A decoded texel as bytes: A8R8G8B8, or floats from 0 to 1.
fn pixel(words: &[u32], floats: bool) -> [u8; 4] {
    if !floats {
        let [b, g, r, a] = words[0].to_le_bytes();
        return [r, g, b, a];
    }
    let byte = |word: u32| (f32::from_bits(word).clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    let mut out = [0, 0, 0, 255];
    for (to, from) in out.iter_mut().zip(words) {
        *to = byte(*from);
    }
    out
}
