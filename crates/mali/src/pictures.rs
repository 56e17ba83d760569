//! The textures of a render state as pictures, for those who look.

use crate::pp::rsw::RenderState;
use crate::pp::tex::Sampler;
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

/// A channel as a byte.
pub(crate) fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}
