//! A block of fragments: what the rasteriser hands to the pixel units.
//!
//! Eight pixels wide and two high, so that every 2x2 quad is inside one block
//! and sixteen lanes fill an AVX-512 register of 32-bit values.

use crate::rc::Slots;
use crate::shader::Stages;
use crate::shader::program::Lanes;
pub(crate) use isotherm_lanes::halves::{Halves, halves, lanes};
pub use isotherm_lanes::{F, I, LANES};

/// Width of a block in pixels.
pub const WIDTH: i32 = 8;
/// Height of a block in pixels.
pub const HEIGHT: i32 = 2;

/// A block of fragments. Lane `i` is the pixel (`x` + `i` % 8, `y` + `i` / 8). Arrays come
/// first, where vectors of them are aligned.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Frag {
    /// Diffuse colour R, G, B, A as 0..=255.
    pub col0: [I; 4],
    /// Specular colour R, G, B, A as 0..=255.
    pub col1: [I; 4],
    /// Fog factor 0..=255.
    pub fog: I,
    /// Texture coordinates s, t, r, q per set, before division by q; valid in all
    /// lanes, covered or not, so that derivatives can be formed.
    pub tex: [[F; 4]; 4],
    /// Depth in buffer units as float32.
    pub z: F,
    /// What the texture stages know of each other; nothing in it outlives a block.
    pub(crate) stages: Stages,
    /// Working values of the combiners; nothing in them outlives a block.
    pub slots: Slots,
    /// Inputs and registers of a fragment program.
    pub(crate) program: Box<Lanes>,
    /// Where each texture unit found its level last.
    pub(crate) levels: [usize; 4],
    /// Left column, a multiple of 8.
    pub x: i32,
    /// Top row, a multiple of 2.
    pub y: i32,
    /// Lanes that are covered and still alive, bit `i` for lane `i`.
    pub mask: u16,
    /// Is the primitive front facing?
    pub front: bool,
}

impl Default for Frag {
    fn default() -> Frag {
        Frag::with(Box::default())
    }
}

impl Frag {
    /// With memory for programs that was used before.
    pub(crate) fn with(program: Box<Lanes>) -> Frag {
        Frag {
            x: 0,
            y: 0,
            mask: 0,
            front: true,
            col0: [[0; LANES]; 4],
            col1: [[0; LANES]; 4],
            fog: [255; LANES],
            tex: [[[0.0; LANES]; 4]; 4],
            z: [0.0; LANES],
            stages: Stages::default(),
            slots: Slots::default(),
            program,
            levels: [0; 4],
        }
    }
}

/// Colours as blue and red, green and alpha, sixteen bits each.
pub(crate) type ColorPairs = [[u32; LANES]; 2];

/// R, G, B, A as such pairs.
#[inline(always)]
pub(crate) fn pairs([r, g, b, a]: &[I; 4]) -> ColorPairs {
    let (mut br, mut ga) = ([0; LANES], [0; LANES]);
    for i in 0..LANES {
        br[i] = b[i] as u32 | (r[i] as u32) << 16;
        ga[i] = g[i] as u32 | (a[i] as u32) << 16;
    }
    [br, ga]
}

/// R, G, B, A of such pairs.
#[inline(always)]
pub(crate) fn channels([br, ga]: &ColorPairs) -> [I; 4] {
    let mut out = [[0; LANES]; 4];
    for i in 0..LANES {
        out[0][i] = (br[i] >> 16) as i32;
        out[1][i] = (ga[i] & 255) as i32;
        out[2][i] = (br[i] & 255) as i32;
        out[3][i] = (ga[i] >> 16) as i32;
    }
    out
}
