//! How bundles find the units that act on them.

use super::Pipeline;
use crate::idx;
use isotherm_bus::memory::Memory;
use isotherm_bus::unit::Takes;
use isotherm_pixel::bundles::UnitBundles;
use isotherm_regs::bundle as id;
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

impl Pipeline {
    /// A bundle goes down the pipeline.
    pub(super) fn bundle(&mut self, mem: &mut Memory, number: u16, value: u32) {
        let Some(Some((bundle, entry))) = self.ids.get(usize::from(number)).copied() else {
            return;
        };
        let entry = usize::from(entry);
        match bundle {
            id::ZPASS_COUNTER_RESET => {
                self.finish(mem);
                self.passed = 0;
            }
            id::CLEAR_CLIPID_TRIGGER => self.clear_clip_ids(mem),
            // A clip rectangle replaces all later ones too; the front end sends only
            // the one that was written.
            id::CLIP_RECT_HORIZ | id::CLIP_RECT_VERT => {
                for entry in entry..8 {
                    self.state(mem, bundle, entry, value);
                }
            }
            _ => self.state(mem, bundle, entry, value),
        }
    }

    /// A state bundle: the units that know it keep its word.
    fn state(&mut self, mem: &mut Memory, bundle: Bundle, entry: usize, value: u32) {
        let held = self.bundles.register(bundle, entry);
        let held = held.or_else(|| self.xf.bundles().register(bundle, entry));
        if held.is_none_or(|held| held == value) {
            return;
        }
        // What waits was sent before.
        self.vertices(mem);
        self.xf.bundle(bundle, entry, value);
        self.bundles.take(bundle, entry, value);
        self.draw = None;
    }
}
