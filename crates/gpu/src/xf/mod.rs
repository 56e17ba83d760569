//! XF: the vertex transform engine.

pub mod arith;
pub mod celsius;

/// One vertex as IDX hands it to XF: sixteen attributes of four float32 bit
/// patterns, already converted and defaulted (missing components 0, 0, 0, 1.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VtxIn {
    /// Attribute rows in VAB order.
    pub attr: [[u32; 4]; 16],
    /// The edge flag travelling with the vertex.
    pub edge_flag: bool,
}

/// One vertex as XF and LT hand it to ASSM. Float fields are float32 bit patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VtxOut {
    /// Window x, y, z and w. x and y are not yet cut to 1/16 pixel.
    pub pos: [u32; 4],
    /// Front diffuse, front specular, back diffuse, back specular as R, G, B, A bytes.
    pub color: [[u8; 4]; 4],
    /// The fog value that is interpolated.
    pub fog: u32,
    /// Point size in pixels.
    pub point_size: u32,
    /// Texture coordinate sets s, t, r, q (Kelvin uses four, Rankine eight).
    pub tex: [[u32; 4]; 8],
    /// The edge flag.
    pub edge_flag: bool,
}
