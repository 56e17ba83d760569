//! The Kelvin classes 97h and 597h, and the Celsius classes as Kelvin emulates them.

pub(crate) mod draw;
mod emu;
pub(crate) mod light;
mod patch;
pub(crate) mod rc;
pub(crate) mod rows;
pub(crate) mod state;
mod tex;
pub(crate) mod vertex;

use std::sync::OnceLock;

use super::chips::Kind;
use super::common;
use super::table::{Row, Table};

/// The table of a class on a Kelvin (or later) chip.
pub(crate) fn table(class: u32, kind: Kind) -> &'static Table {
    static KELVIN_97: OnceLock<Table> = OnceLock::new();
    static KELVIN_597: OnceLock<Table> = OnceLock::new();
    static CELSIUS_56: OnceLock<Table> = OnceLock::new();
    static CELSIUS_96: OnceLock<Table> = OnceLock::new();
    match (kind, class) {
        (Kind::Kelvin, 0x97) => KELVIN_97.get_or_init(|| kelvin(rows::ONLY_97)),
        (Kind::Kelvin, _) => KELVIN_597.get_or_init(|| kelvin(rows::ONLY_597)),
        (_, 0x56 | 0x85) => {
            CELSIUS_56.get_or_init(|| Table::new(&[common::COMMON, &emu::rows(), emu::ONLY_56]))
        }
        _ => CELSIUS_96.get_or_init(|| {
            Table::new(&[common::COMMON, common::FLIP, &emu::rows(), emu::ONLY_96])
        }),
    }
}

fn kelvin(own: &[Row]) -> Table {
    Table::new(&[
        common::COMMON,
        common::FLIP,
        rows::SHARED,
        rows::GL,
        rows::ROWS,
        &light::rows(),
        tex::ROWS,
        rc::ROWS,
        &vertex::rows(),
        patch::ROWS,
        draw::ROWS,
        own,
    ])
}
