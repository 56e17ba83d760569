//! The registers of all pixel units: a bundle passes one unit after the other.

use crate::{assm, raster, rc, rop, shader, tex, zcull};
use isotherm_bus::unit::Takes;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{Bundle, Unit};

/// Every unit's own registers, in the order in which a bundle meets the units.
#[derive(Clone, Debug, Default)]
pub struct UnitBundles {
    /// Primitive assembly.
    pub assm: assm::Bundles,
    /// Rasteriser.
    pub raster: raster::Bundles,
    /// Clip ids.
    pub zcull: zcull::Bundles,
    /// Texture units.
    pub tex: tex::Bundles,
    /// Texture shaders and fragment programs.
    pub shader: shader::Bundles,
    /// Register combiners.
    pub rc: rc::Bundles,
    /// Raster operations.
    pub rop: rop::Bundles,
}

/// Which units' registers changed, of those whose state seldom does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The rasteriser's.
    pub raster: bool,
    /// The raster operations'.
    pub rop: bool,
}

impl Changed {
    /// All of them, for all that is known.
    pub const ALL: Changed = Changed {
        raster: true,
        rop: true,
    };
    /// None of them.
    pub const NONE: Changed = Changed {
        raster: false,
        rop: false,
    };

    /// These and others.
    pub fn and(self, more: Changed) -> Changed {
        Changed {
            raster: self.raster | more.raster,
            rop: self.rop | more.rop,
        }
    }
}

impl UnitBundles {
    /// The registers of the context that drivers start from.
    pub fn reset(chip: Chip) -> UnitBundles {
        UnitBundles {
            assm: Takes::reset(chip),
            raster: Takes::reset(chip),
            zcull: Takes::reset(chip),
            tex: Takes::reset(chip),
            shader: Takes::reset(chip),
            rc: Takes::reset(chip),
            rop: Takes::reset(chip),
        }
    }

    /// A bundle passes by: every unit that knows it keeps its word.
    pub fn take(&mut self, bundle: Bundle, entry: usize, value: u32) -> Changed {
        self.assm.take(bundle, entry, value);
        self.zcull.take(bundle, entry, value);
        self.tex.take(bundle, entry, value);
        self.shader.take(bundle, entry, value);
        self.rc.take(bundle, entry, value);
        Changed {
            raster: self.raster.take(bundle, entry, value),
            rop: self.rop.take(bundle, entry, value),
        }
    }

    /// The word that the units which take a bundle hold; they all hold the same.
    pub fn register(&self, bundle: Bundle, entry: usize) -> Option<u32> {
        None.or_else(|| self.rc.register(bundle, entry))
            .or_else(|| self.tex.register(bundle, entry))
            .or_else(|| self.raster.register(bundle, entry))
            .or_else(|| self.rop.register(bundle, entry))
            .or_else(|| self.shader.register(bundle, entry))
            .or_else(|| self.zcull.register(bundle, entry))
            .or_else(|| self.assm.register(bundle, entry))
    }

    /// The bundles that a unit takes; none of units that lie elsewhere.
    pub fn taken_by(unit: Unit) -> &'static [Bundle] {
        match unit {
            Unit::Assm => assm::Bundles::TAKES,
            Unit::Raster => raster::Bundles::TAKES,
            Unit::Zcull => zcull::Bundles::TAKES,
            Unit::Tex => tex::Bundles::TAKES,
            Unit::Shader => shader::Bundles::TAKES,
            Unit::Rc => rc::Bundles::TAKES,
            Unit::Rop => rop::Bundles::TAKES,
            Unit::Idx | Unit::Xf | Unit::Unknown => &[],
        }
    }
}
