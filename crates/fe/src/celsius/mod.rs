//! The Celsius classes 56h, 96h, 98h and 99h on Celsius chips.

mod d3d;
mod light;
mod pipe;
pub(crate) mod state;
pub(crate) mod vertex;

use isotherm_regs::Chip;

use super::common;
use super::convert;
use super::table::{Row, Table};

/// A vector component as LT keeps it: a float with the low ten bits gone.
pub(crate) fn float22(x: u32) -> u32 {
    convert::lt(x) << 10
}

/// A scalar as LT keeps it: no denormals, one infinity, one NaN.
pub(crate) fn scalar22(x: u32) -> u32 {
    match x >> 23 & 0xff {
        0 => 0,
        0xff if x >> 9 & 0x3fff != 0 => 0x7fff_fc00,
        0xff => 0x7f80_0000,
        _ => float22(x),
    }
}

/// The table of a class.
pub(crate) fn table(chip: Chip, class: u32) -> Table {
    let own: &[&[Row]] = match class {
        0x48 => return Table::new(chip, class, &[d3d::tables::D3D0]),
        0x54 => return Table::new(chip, class, &[d3d::tables::D3D5]),
        0x55 => return Table::new(chip, class, &[d3d::tables::D3D6]),
        0x56 => &[state::ONLY_OLD, light::ONLY_56, state::ONLY_56],
        0x99 => &[common::FLIP, state::SINCE_96, state::ONLY_99],
        _ => &[common::FLIP, state::SINCE_96, state::ONLY_OLD],
    };
    let lists = [
        &[
            common::COMMON,
            state::GL,
            state::ROWS,
            light::ROWS,
            light::CONTEXT,
            vertex::ATTRIBUTES,
            vertex::ROWS,
        ],
        own,
    ]
    .concat();
    Table::new(chip, class, &lists)
}
