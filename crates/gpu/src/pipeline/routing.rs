//! How bundles find the units that act on them.

use crate::idx;
use isotherm_bus::unit::Takes;
use isotherm_pixel::bundles::UnitBundles;
use isotherm_regs::bundle::{Bundle, Unit};
use isotherm_xf::xf;

/// Does a unit act on a bundle? Every unit declares in its own folder what it takes.
pub fn takes(unit: Unit, bundle: Bundle) -> bool {
    let taken = match unit {
        Unit::Idx => idx::Bundles::TAKES,
        Unit::Xf => xf::Bundles::TAKES,
        _ => UnitBundles::taken_by(unit),
    };
    taken.contains(&bundle)
}
