//! The Rankine classes 397h, 497h, 697h and 3597h.

pub(crate) mod draw;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod tex;
pub(crate) mod xf;

use isotherm_regs::Chip;

use super::common;
use super::table::{Row, Table};

/// What Rankine and Curie have in common.
pub(crate) const SHARED: &[&[Row]] = &[
    common::COMMON,
    common::FLIP,
    rows::SHARED,
    tex::SHARED,
    draw::ROWS,
    xf::SHARED,
];

/// The table of a class.
pub(crate) fn table(chip: Chip, class: u32) -> Table {
    let own: &[&[Row]] = &[rows::RANKINE, tex::RANKINE, xf::RANKINE];
    let bounds: &[&[Row]] = match class {
        0x497 | 0x3597 => &[rows::DEPTH_BOUNDS],
        _ => &[],
    };
    let lists = [SHARED, xf::CONTEXT, own, bounds].concat();
    Table::new(chip, class, &lists)
}
