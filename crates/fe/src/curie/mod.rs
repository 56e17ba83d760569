//! The Curie classes 4097h and 4497h: Rankine's without the fixed function.

mod rows;
mod tex;
mod xf;

use isotherm_regs::Chip;

use super::rankine;
use super::table::{Row, Table};

/// The table of a class.
pub(crate) fn table(chip: Chip, class: u32) -> Table {
    let own: &[&[Row]] = &[rankine::rows::DEPTH_BOUNDS, rows::ROWS, tex::ROWS, xf::ROWS];
    let lists = [rankine::SHARED, own].concat();
    Table::new(chip, class, &lists)
}
