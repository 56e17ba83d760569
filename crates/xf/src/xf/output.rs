//! What leaves XF and LT, converted for ASSM. Programs end here too.

use super::arith::{self, ONE, Rules, color_to_byte32};
use super::lanes::V4;
use super::{Mode, State, VtxIn, VtxOut};
use crate::lt::{self, LANES, ToLt, arith as lta};
use isotherm_bus::vertex::SETS;
use isotherm_lanes::Level;

/// An opaque black as a word of bytes, red lowest.
pub(super) const BLACK: u32 = 0xff00_0000;

/// One vertex's results as float32, before the output conversions. A program
/// fills it in; registers that it does not write keep what the caller put there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Window x, y, z and clip w.
    pub pos: [u32; 4],
    /// Front diffuse, front specular, back diffuse, back specular.
    pub color: [[u32; 4]; 4],
    /// The fog coordinate.
    pub fog: u32,
    /// Point size.
    pub point_size: u32,
    /// Texture sets.
    pub tex: [[u32; 4]; SETS],
    /// User clip distances.
    pub clip: [u32; 6],
    /// The edge flag.
    pub edge_flag: bool,
}

impl Results {
    /// Attributes straight through.
    pub fn load_defaults(&mut self, v: &VtxIn) {
        self.color = [v.attr[3], v.attr[4], v.attr[7], v.attr[8]];
        self.fog = v.attr[5][0];
        self.point_size = v.attr[6][0];
        self.tex[..4].copy_from_slice(&v.attr[9..13]);
        self.edge_flag = v.edge_flag;
    }

    /// The four colours. LT lights a program's colours too when lighting is on;
    /// what it knows of normals and light vectors is then stale, and taken as 0.
    fn lit(&self, mode: &Mode, state: &State) -> [[u32; 4]; 4] {
        if !mode.lighting {
            return self.color;
        }
        let colors = self.color.map(|c| c.map(|x| [x; LANES]));
        let mut to = ToLt::unknown();
        to.color = colors.map(|[r, g, b, _]| [r, g, b].map(|c| c.map(lta::load)));
        let mut factors = Default::default();
        let mut lit = colors;
        let level = Level::current();
        lt::light(level, mode, state, &to, &colors, &mut factors, &mut lit);
        lit.map(|c| c.map(|lanes| lanes[0]))
    }

    /// Output conversions: colours to bytes, the fog value through LT, 1/w.
    pub fn finish(&self, mode: &Mode, state: &State) -> VtxOut {
        let c = lta::load(self.fog);
        let [fog] = fog_value(mode, state, &[c]);
        let [rw] = arith::rcp(Rules::Kelvin, &[self.pos[3]]);
        let mut color = self.lit(mode, state).map(|c| bytes(&c.map(|x| [x])));
        secondary_rule(mode, &mut color);
        VtxOut {
            pos: self.pos,
            exact: [0; 2],
            rw,
            color: color.map(|[word]| word.to_le_bytes()),
            fog,
            point_size: self.point_size,
            tex: self.tex,
            clip: self.clip,
            edge_flag: self.edge_flag,
        }
    }
}

/// A colour as words of bytes, red lowest.
#[inline(always)]
pub(super) fn bytes<const N: usize>(c: &V4<N>) -> [u32; N] {
    let mut r = [0; N];
    for i in 0..N {
        r[i] = color_to_byte32(c[0][i])
            | color_to_byte32(c[1][i]) << 8
            | color_to_byte32(c[2][i]) << 16
            | color_to_byte32(c[3][i]) << 24;
    }
    r
}

/// The secondary colours as they leave the unit: SPECULAR_ENABLE off makes them
/// black and opaque, and their alpha counts only with LIGHT_MODEL bit 17.
#[inline(always)]
pub(super) fn secondary_rule<const N: usize>(mode: &Mode, color: &mut V4<N>) {
    for i in [1, 3] {
        if !mode.specular_enable {
            color[i] = [BLACK; N];
        } else if !mode.light_model_17 {
            for word in &mut color[i] {
                *word |= BLACK;
            }
        }
    }
}

/// LT's fog value of a coordinate that is already 22 bits wide: one of two
/// constant rows times (1, c): FOG_COEFF, or (0, 1) which passes the coordinate.
#[inline(always)]
pub(super) fn fog_value<const N: usize>(mode: &Mode, state: &State, c: &[u32; N]) -> [u32; N] {
    let row = lt::Constants::new(mode, state).fog(mode.fog_exp);
    let bias = lta::mul(&[row[0]; N], &[ONE; N]);
    lta::add(&bias, &lta::mul(&[row[1]; N], c))
}
