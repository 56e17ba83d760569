//! The Celsius classes on a Kelvin.

use crate::fe::table::Row;

pub(crate) const ROWS: &[Row] = &[];
pub(crate) const ONLY_56: &[Row] = &[];
pub(crate) const ONLY_96: &[Row] = &[];
