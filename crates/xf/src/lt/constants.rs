//! Where lighting's constants lie. Kelvin keeps them all in LTCTX and LTC; on
//! Rankine the geometric ones (directions, half vectors, attenuation, point
//! parameters) moved to XFCTX as float32, which LT reads through its own load
//! conversion here (the silicon's split of that work is not known).

use super::arith::load;
use crate::xf::{Mode, State};

/// A view of the constants of one chip.
#[derive(Clone, Copy)]
pub(crate) struct Constants<'a> {
    state: &'a State,
    rankine: bool,
}

/// Rows of LTCTX on Kelvin.
mod kelvin {
    pub const HALF: usize = 3;
    pub const DIRECTION: usize = 4;
    pub const BACK: usize = 5;
    pub const EYE_DIRECTION: usize = 0x40;
    pub const SCENE_AMBIENT: usize = 0x41;
    pub const FACTOR: usize = 0x43;
    pub const FOG: usize = 0x45;
    pub const ZERO: usize = 0x46;
    pub const POINT: usize = 0x47;
    pub const PASS: usize = 0x49;
}

/// Rows of LTCTX and XFCTX on Rankine.
mod rankine {
    pub const SCENE_AMBIENT: usize = 0x30;
    pub const FACTOR: usize = 0x32;
    pub const ZERO: usize = 0x34;
    pub const FOG: usize = 0x35;
    pub const XF_POINT: usize = 0x26;
    pub const XF_DIRECTION: usize = 0x28;
    pub const XF_HALF: usize = 0x30;
    pub const XF_EYE_DIRECTION: usize = 0x38;
}

impl<'a> Constants<'a> {
    #[inline(always)]
    pub(crate) fn new(mode: &Mode, state: &'a State) -> Constants<'a> {
        Constants {
            state,
            rankine: mode.map.rankine,
        }
    }

    #[inline(always)]
    fn xf(&self, row: usize) -> [u32; 3] {
        let [x, y, z, _] = self.state.xfctx[row];
        [load(x), load(y), load(z)]
    }

    #[inline(always)]
    fn pick(&self, kelvin: usize, rankine: usize) -> [u32; 3] {
        self.state.ltctx[if self.rankine { rankine } else { kelvin }]
    }

    /// Colour `k` (ambient, diffuse, specular) of a light.
    #[inline(always)]
    pub(crate) fn color(&self, light: usize, side: usize, k: usize) -> [u32; 3] {
        self.pick(
            8 * light + kelvin::BACK * side + k,
            6 * light + 3 * side + k,
        )
    }

    /// Half vector of an infinite light, attenuation of a local one.
    #[inline(always)]
    pub(crate) fn half(&self, light: usize) -> [u32; 3] {
        if self.rankine {
            self.xf(rankine::XF_HALF + light)
        } else {
            self.state.ltctx[8 * light + kelvin::HALF]
        }
    }

    /// Direction to an infinite light.
    #[inline(always)]
    pub(crate) fn direction(&self, light: usize) -> [u32; 3] {
        if self.rankine {
            self.xf(rankine::XF_DIRECTION + light)
        } else {
            self.state.ltctx[8 * light + kelvin::DIRECTION]
        }
    }

    /// Direction to an infinite eye.
    #[inline(always)]
    pub(crate) fn eye_direction(&self) -> [u32; 3] {
        if self.rankine {
            self.xf(rankine::XF_EYE_DIRECTION)
        } else {
            self.state.ltctx[kelvin::EYE_DIRECTION]
        }
    }

    /// Light that comes from nowhere, times the material.
    #[inline(always)]
    pub(crate) fn scene(&self, side: usize) -> [u32; 3] {
        self.pick(kelvin::SCENE_AMBIENT + side, rankine::SCENE_AMBIENT + side)
    }

    /// MATERIAL_FACTOR.
    #[inline(always)]
    pub(crate) fn factor(&self, side: usize) -> [u32; 3] {
        self.pick(kelvin::FACTOR + side, rankine::FACTOR + side)
    }

    /// What sums start from.
    #[inline(always)]
    pub(crate) fn zero(&self) -> [u32; 3] {
        self.pick(kelvin::ZERO, rankine::ZERO)
    }

    /// Fog's (bias, scale), or (0, 1) which passes the coordinate.
    #[inline(always)]
    pub(crate) fn fog(&self, exponential: bool) -> [u32; 3] {
        match (exponential, self.rankine) {
            (true, _) => self.pick(kelvin::FOG, rankine::FOG),
            (false, false) => self.state.ltctx[kelvin::PASS],
            (false, true) => [0, crate::xf::arith::ONE, 0],
        }
    }

    /// The point parameters: distance polynomial, size range, bias, minimum.
    #[inline(always)]
    pub(crate) fn point(&self) -> ([u32; 3], u32, u32, u32) {
        if self.rankine {
            let rest = self.state.xfctx[rankine::XF_POINT + 1].map(load);
            (self.xf(rankine::XF_POINT), rest[0], rest[1], rest[2])
        } else {
            let (s, ltc) = (self.state, &self.state.ltc);
            (
                s.ltctx[kelvin::POINT],
                s.ltctx[kelvin::POINT + 1][0],
                ltc[1][3],
                ltc[3][1],
            )
        }
    }

    #[inline(always)]
    fn scalar(&self, kelvin: (usize, usize), rankine: (usize, usize), by: usize) -> u32 {
        let (bank, i) = if self.rankine { rankine } else { kelvin };
        self.state.ltc[bank][i + by]
    }

    /// Shininess constants 0-2 (unit half vector).
    #[inline(always)]
    pub(crate) fn shininess(&self, side: usize) -> [u32; 3] {
        [
            self.scalar((1, 1), (1, 1), side),
            self.scalar((2, 1), (2, 1), side),
            self.scalar((3, 2), (3, 1), side),
        ]
    }

    /// Shininess constants 3-5 (half vector of any length).
    #[inline(always)]
    pub(crate) fn shininess_square(&self, side: usize) -> [u32; 3] {
        [
            self.scalar((0, 2), (1, 3), side),
            self.scalar((2, 3), (2, 3), side),
            self.scalar((2, 5), (3, 3), side),
        ]
    }

    /// What a distance is multiplied by before the range test.
    #[inline(always)]
    pub(crate) fn range_scale(&self) -> u32 {
        if self.rankine {
            0xbf80_0000
        } else {
            self.state.ltc[0][0]
        }
    }

    /// LOCAL_RANGE.
    #[inline(always)]
    pub(crate) fn range(&self, light: usize) -> u32 {
        self.scalar((1, 4), (1, 5), light)
    }

    /// SPOT_CUTOFF 0-2.
    #[inline(always)]
    pub(crate) fn spot(&self, light: usize) -> [u32; 3] {
        [
            self.scalar((1, 0xc), (1, 0xd), light),
            self.scalar((2, 7), (2, 5), light),
            self.scalar((3, 4), (3, 5), light),
        ]
    }

    /// Material alpha.
    #[inline(always)]
    pub(crate) fn alpha(&self, side: usize) -> u32 {
        self.scalar((3, 0xc), (3, 0xd), side)
    }
}
