//! The textures of a render state as pictures, for those who look.

use crate::pp::rsw::RenderState;
use crate::pp::tex::{self, Sampler};
use crate::pp::texel::{Extent, TexelSource};
use crate::words::tex as f;
use crate::{Error, command_stream};
use isotherm_bus::memory::Memory;

/// A texture that a draw can sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Its sampler's number.
    pub sampler: usize,
    /// Address of its descriptor.
    pub descriptor: u32,
    /// Its format, as the descriptor has it.
    pub format: u32,
    /// Six faces?
    pub cube: bool,
    /// The levels, the largest first.
    pub levels: Vec<TextureLevel>,
}

/// One level of a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureLevel {
    /// Texels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Faces of a cube, slices of a volume; else one.
    pub layers: u32,
    /// R, G, B, A of each texel, layer by layer and row by row; values from 0 to 1.
    pub rgba: Vec<u8>,
}

/// Samplers that are looked at.
const SAMPLERS: usize = 64;

/// The textures of a render state; an error where a descriptor makes no sense.
pub fn textures(mem: &Memory, state: &[u32]) -> Vec<Result<Texture, Error>> {
    let state = RenderState::new(state);
    let samplers = 0..state.sampler_count.min(SAMPLERS);
    let found = samplers.filter_map(|sampler| {
        let at = state.textures.wrapping_add(4 * sampler as u32);
        let descriptor = Some(mem.read_u32(at)).filter(|addr| *addr != 0)?;
        Some(texture(mem, sampler, descriptor))
    });
    found.collect()
}

fn texture(mem: &Memory, sampler: usize, descriptor: u32) -> Result<Texture, Error> {
    let words = command_stream::words(mem, descriptor, 16);
    let (decoded, _) = Sampler::new(mem, &words).map_err(|what| Error::Texture {
        addr: descriptor,
        what,
    })?;
    Ok(Texture {
        sampler,
        descriptor,
        format: f::FORMAT.get(&words),
        cube: f::CUBE.on(&words),
        levels: decoded.pictures(),
    })
}

/// How a texture's texels lie in memory, for those who write them.
pub struct Stored {
    source: TexelSource,
    levels: Vec<(u32, Extent)>,
    /// Bytes of a texel.
    pub texel_bytes: u32,
    /// Two bytes are a number.
    pub shorts: bool,
}

/// How the texels of a texture lie in memory; `None` if they come in blocks.
pub fn stored(mem: &Memory, texture: &Texture) -> Option<Stored> {
    let words = command_stream::words(mem, texture.descriptor, 16);
    let source = tex::source(&words);
    let levels = (0..).zip(&texture.levels).map(|(number, level)| {
        let extent = Extent {
            width: level.width,
            height: level.height,
            layers: level.layers,
            number,
        };
        (f::level(&words, number), extent)
    });
    Some(Stored {
        texel_bytes: source.texel_bytes()?,
        shorts: source.shorts(),
        levels: levels.collect(),
        source,
    })
}

impl Stored {
    /// Where a texel lies: level, then column, row and layer.
    pub fn place(&self, level: usize, at: [u32; 3]) -> Option<u32> {
        let (addr, extent) = self.levels.get(level)?;
        let within = self.source.place(self.texel_bytes, *extent, at);
        Some(addr.wrapping_add(within as u32))
    }

    /// A texel's bytes as R, G, B, A; `None` if there are too few.
    pub fn rgba(&self, texel: &[u8]) -> Option<[u8; 4]> {
        let texel = texel.get(..self.texel_bytes as usize)?;
        Some(self.source.rgba(texel))
    }
}

/// A channel as a byte.
pub(crate) fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}
