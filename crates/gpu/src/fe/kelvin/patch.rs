//! Patches: the protocol of the forward differencer.

use crate::fe::Fe;
use crate::fe::table::Check::Any;
use crate::fe::table::Op::Do;
use crate::fe::table::open;
use crate::fe::table::{Call, Row};

fn unmodelled(_: &mut Fe, _: Call) {}

pub(crate) const ROWS: &[Row] = &[open(0x1df4, "fd_begin_swatch", Any, Do(unmodelled))];
