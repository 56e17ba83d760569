//! The Kelvin classes 97h and 597h, and the Celsius classes as Kelvin emulates them.

pub(crate) mod draw;
mod emu;
pub(crate) mod light;
mod patch;
pub(crate) mod rc;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod tex;
pub(crate) mod vertex;

use isotherm_regs::{Chip, Family};

use super::common;
use super::table::{Row, Table};

/// The table of 97h or 597h.
pub(crate) fn table(chip: Chip, class: u32) -> Table {
    let own = if class == 0x97 {
        rows::ONLY_97
    } else {
        rows::ONLY_597
    };
    let mut lists: Vec<&[Row]> = vec![
        common::COMMON,
        common::FLIP,
        rows::SHARED,
        rows::GL,
        rows::ROWS,
        light::SHARED,
        light::ROWS,
    ];
    lists.extend(light::CONTEXT);
    lists.extend([
        tex::ROWS,
        rc::ROWS,
        vertex::NAMED,
        vertex::ROWS,
        patch::ROWS,
        draw::ROWS,
        own,
    ]);
    if chip.family() == Family::Rankine {
        lists.extend([rows::ON_RANKINE, tex::ON_RANKINE]);
        if class == 0x97 {
            lists.push(rows::SMOOTH_SPRITES);
        }
    }
    Table::new(chip, class, &lists)
}

/// The table of a Celsius class that Kelvin emulates.
pub(crate) fn celsius_table(chip: Chip, class: u32) -> Table {
    let own: &[&[Row]] = if class == 0x56 {
        &[emu::ONLY_56]
    } else {
        &[common::FLIP, emu::ONLY_96]
    };
    let lists = [&[common::COMMON], emu::LISTS, own].concat();
    Table::new(chip, class, &lists)
}
