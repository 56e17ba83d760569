//! The Celsius classes 56h, 96h, 98h and 99h on Celsius chips.

mod d3d;
mod light;
mod pipe;
pub(crate) mod state;
pub(crate) mod vertex;

use std::sync::OnceLock;

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
pub(crate) fn table(class: u32) -> &'static Table {
    static C56: OnceLock<Table> = OnceLock::new();
    static C96: OnceLock<Table> = OnceLock::new();
    static C99: OnceLock<Table> = OnceLock::new();
    match class {
        0x56 | 0x85 => {
            C56.get_or_init(|| celsius(&[state::ONLY_OLD, light::ONLY_56, state::ONLY_56]))
        }
        0x99 => C99.get_or_init(|| celsius(&[common::FLIP, state::SINCE_96, state::ONLY_99])),
        0x48 => d3d::tables::d3d0(),
        0x54 | 0x94 => d3d::tables::d3d5(class),
        0x55 | 0x95 => d3d::tables::d3d6(class),
        _ => C96.get_or_init(|| celsius(&[common::FLIP, state::SINCE_96, state::ONLY_OLD])),
    }
}

fn celsius(own: &[&[Row]]) -> Table {
    let (light, vertex) = (light::rows(), vertex::rows());
    let mut lists = vec![common::COMMON, state::GL, state::ROWS, &light, &vertex];
    lists.extend(own);
    Table::new(&lists)
}
