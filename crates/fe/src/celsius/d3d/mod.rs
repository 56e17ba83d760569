//! What the Direct3D triangle classes do on Celsius: their words are taken apart into Celsius
//! bundles.

mod blend;
mod combine;
mod d3d0;
mod state;
pub(super) mod tables;
mod tex;
mod vertex;

use isotherm_regs::bundle::{CULL_FACE, POLYGON_MODE, RASTER, SWATH_WIDTH};
use isotherm_regs::field::Field;
use isotherm_regs::xf::mode::CELSIUS_XFMODE_B;

use crate::Fe;
use crate::words::{Data, Edit};

/// Is it one of the two-texture classes?
fn d3d6(fe: &Fe) -> bool {
    matches!(fe.class, 0x55 | 0x95)
}

/// Notes in VALID[1] that a word came in.
fn mark(fe: &mut Fe, which: Field) {
    which.write(&mut fe.r.valid[1], 1);
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
    (0..2).filter(move |&unit| mask >> unit & 1 != 0)
}
