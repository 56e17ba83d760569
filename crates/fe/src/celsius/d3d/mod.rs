//! What the Direct3D triangle classes do on Celsius: their words are taken apart into Celsius
//! bundles.

mod blend;
mod combine;
mod d3d0;
mod state;
pub(super) mod tables;
mod tex;
mod vertex;

use isotherm_regs::Chip;
use isotherm_regs::bundle::{Bundle, CULL_FACE, POLYGON_MODE, RASTER, SWATH_WIDTH};
use isotherm_regs::field::Field;
use isotherm_regs::xf::mode::CELSIUS_XFMODE_B;

use crate::Fe;
use crate::bits::{bit, ins};

/// Bits of VALID[1]: which words of a vertex and of the state came in.
mod valid {
    pub const TLV_FOG: u32 = 0;
    pub const TLV_COLOR: u32 = 1;
    pub const TLV_RHW: u32 = 2;
    pub const TLV_Z: u32 = 3;
    pub const TLV_Y: u32 = 4;
    pub const TLV_X: u32 = 5;
    /// u and v of the first texture, then those of the second.
    pub const TLV_UV: u32 = 6;
    pub const COLOR_KEY: u32 = 12;
    pub const FOG_COLOR: u32 = 13;
    pub const OFFSET: [u32; 2] = [14, 22];
    pub const FORMAT: [u32; 2] = [15, 21];
    pub const FILTER: [u32; 2] = [16, 23];
    pub const CONFIG: u32 = 17;
    /// Stencil test, or Direct3D 3's alpha test.
    pub const TEST: u32 = 18;
    pub const BLEND: u32 = 19;
    pub const STENCIL_OP: u32 = 20;
    pub const FACTOR: u32 = 24;
    /// The last of four combiner words, which count down: stage, then colour.
    pub const COMBINE: u32 = 28;
}

/// Is it one of the two-texture classes?
fn d3d6(fe: &Fe) -> bool {
    matches!(fe.class, 0x55 | 0x95)
}

/// Notes in VALID[1] that a word came in.
fn mark(fe: &mut Fe, which: u32) {
    ins(&mut fe.r.valid[1], which, 1, 1);
}

/// A word under construction.
#[derive(Clone, Copy)]
struct Edit {
    chip: Chip,
    word: u32,
}

impl Edit {
    /// A shadow word as it is.
    fn of(fe: &Fe, bundle: Bundle, i: u32) -> Edit {
        let word = fe.word(bundle, i as usize);
        Edit {
            word,
            ..Edit::zero(fe)
        }
    }

    /// All zeroes.
    fn zero(fe: &Fe) -> Edit {
        let chip = fe.chip();
        Edit { chip, word: 0 }
    }

    /// With a field replaced.
    fn set(mut self, field: Field, value: impl Into<u32>) -> Edit {
        self.word = field.with(self.chip, self.word, value.into());
        self
    }

    /// With a field replaced by a bit of another value's.
    fn set_all(self, fields: &[(Field, u32)]) -> Edit {
        fields
            .iter()
            .fold(self, |edit, (field, v)| edit.set(*field, *v))
    }
}

/// Reads fields of a method's data.
#[derive(Clone, Copy)]
struct Data {
    chip: Chip,
    word: u32,
}

impl Data {
    fn new(fe: &Fe, word: u32) -> Data {
        Data {
            chip: fe.chip(),
            word,
        }
    }

    fn get(self, field: Field) -> u32 {
        field.get(self.chip, self.word)
    }

    fn is(self, field: Field) -> bool {
        field.is_set(self.chip, self.word)
    }

    /// Is it one of Direct3D's compare functions? They count from 1.
    fn is_func(self, field: Field) -> bool {
        (1..=8).contains(&self.get(field))
    }

    /// Direct3D's number as Celsius counts.
    fn less_one(self, field: Field) -> u32 {
        self.get(field).wrapping_sub(1)
    }
}

/// Sets a field of XF's first mode word; transformed vertices pass XF by.
fn bypass(fe: &mut Fe) {
    set_mode_b(fe, CELSIUS_XFMODE_B::BYPASS, true);
}

fn set_mode_b(fe: &mut Fe, field: Field, on: bool) {
    fe.r.celsius_xf_misc_a = field.with(fe.chip(), fe.r.celsius_xf_misc_a, on.into());
}

fn set_mode_a(fe: &mut Fe, field: Field, on: bool) {
    fe.r.celsius_xf_misc_b = field.with(fe.chip(), fe.r.celsius_xf_misc_b, on.into());
}

/// RASTER for filled triangles with a face to drop.
fn cull_raster(fe: &Fe, front: bool, enable: bool) -> Edit {
    let face = if front {
        CULL_FACE::FRONT
    } else {
        CULL_FACE::BACK
    };
    Edit::of(fe, RASTER, 0).set_all(&[
        (RASTER::POLYGON_MODE_FRONT, POLYGON_MODE::FILL),
        (RASTER::POLYGON_MODE_BACK, POLYGON_MODE::FILL),
        (RASTER::POLYGON_OFFSET_POINT_ENABLE, 0),
        (RASTER::POLYGON_OFFSET_LINE_ENABLE, 0),
        (RASTER::POLYGON_OFFSET_FILL_ENABLE, 0),
        (RASTER::POINT_SMOOTH_ENABLE, 0),
        (RASTER::LINE_SMOOTH_ENABLE, 0),
        (RASTER::POLYGON_SMOOTH_ENABLE, 0),
        (RASTER::LINE_WIDTH, 0),
        (RASTER::CULL_FACE, face),
        (RASTER::FRONT_FACE, 0),
        (RASTER::SWATH_WIDTH, SWATH_WIDTH::V_08),
        (RASTER::CULL_FACE_ENABLE, enable.into()),
        (RASTER::Z_FORMAT, 0),
    ])
}

/// Which of the two units does a mask of them name?
fn units(mask: u32) -> impl Iterator<Item = u32> {
    (0..2).filter(move |&unit| bit(mask, unit))
}
