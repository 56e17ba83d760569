//! Vertices on their way through XF, and the textures that their programs may read.

use crate::saved::Saved;

/// One vertex as IDX hands it to XF: sixteen attributes of four float32 bit
/// patterns, already converted and defaulted (missing components 0, 0, 0, 1.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VtxIn {
    /// Attribute rows in VAB order. Celsius chips use their own first seven:
    /// position, colour, secondary colour with fog in w, two texture sets,
    /// normal, weight.
    pub attr: [[u32; 4]; 16],
    /// The edge flag travelling with the vertex.
    pub edge_flag: bool,
}

/// Texture coordinate sets of the widest family.
pub const SETS: usize = 10;

/// One vertex as XF and LT hand it to ASSM. Float fields are float32 bit patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VtxOut {
    /// Window x, y, z and clip w. x and y are not yet cut to 1/16 pixel.
    pub pos: [u32; 4],
    /// x and y before ASSM rounded them (Rankine and Curie).
    pub exact: [u32; 2],
    /// 1/w as the unit's own reciprocal gives it.
    pub rw: u32,
    /// Front diffuse, front specular, back diffuse, back specular as R, G, B, A bytes.
    pub color: [[u8; 4]; 4],
    /// The fog value that is interpolated: the coordinate in the linear modes,
    /// bias + scale × coordinate in the exponential ones.
    pub fog: u32,
    /// Point size in pixels; meaningful with point parameters or a program.
    pub point_size: u32,
    /// Texture coordinate sets s, t, r, q (Celsius uses two, Kelvin four, Rankine eight,
    /// Curie's programs ten).
    pub tex: [[u32; 4]; SETS],
    /// User clip distances (Rankine and Curie).
    pub clip: [u32; 6],
    /// The edge flag.
    pub edge_flag: bool,
}

impl VtxIn {
    /// All words.
    pub fn saved(&mut self, saved: &mut Saved) {
        let VtxIn { attr, edge_flag } = self;
        saved.words(attr.as_flattened_mut());
        saved.flag(edge_flag);
    }
}

impl VtxOut {
    /// All words.
    pub fn saved(&mut self, saved: &mut Saved) {
        let VtxOut {
            pos,
            exact,
            rw,
            color,
            fog,
            point_size,
            tex,
            clip,
            edge_flag,
        } = self;
        saved.words(pos);
        saved.words(exact);
        for color in color {
            let mut word = u32::from_le_bytes(*color);
            saved.word(&mut word);
            *color = word.to_le_bytes();
        }
        saved.words([rw, fog, point_size]);
        saved.words(tex.as_flattened_mut());
        saved.words(clip);
        saved.flag(edge_flag);
    }
}

/// Vertex textures (Curie).
pub trait Textures: Sync {
    /// Samples a unit at (s, t, r) with the level of detail in the fourth
    /// component; float32 bit patterns in and out.
    fn sample(&self, unit: u8, coord: [u32; 4]) -> [u32; 4];
}
