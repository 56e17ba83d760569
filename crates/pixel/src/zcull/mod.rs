//! ZCULL: early depth rejection and clip ids.
//!
//! The chip keeps a coarse depth buffer beside the real one and skips blocks that
//! cannot pass. That never changes a picture, and neither does this: blocks are
//! tested against the real buffer before they are shaded (`raster::tile`), which
//! is the same rejection without a second buffer. So INVALIDATE_ZCULL and
//! CLEAR_ZCULL_TRIGGER have nothing to throw away. What remains are the clip ids:
//! one number per pixel, written by CLEAR_CLIPID_TRIGGER and compared with
//! CLIPID_ID while CLIPID_ENABLE is set.

mod bundles;

pub use bundles::Bundles;

use isotherm_bus::budget::{Held, Unit};
use isotherm_bus::memory::Memory;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{
    CLIPID_BASE, CLIPID_ID, CLIPID_LIMIT, CLIPID_OFFSET, CLIPID_PITCH, Z_CONFIG,
};
use std::sync::Arc;

/// The clip id buffer, prepared: four bits per pixel, rows of `pitch` bytes. How
/// the chip packs the ids is not documented; two per byte, low half first, is a
/// guess that a dump of the buffer would settle. Clears and tests agree with each
/// other, which is all that a stream can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClipIds {
    /// First byte.
    pub address: u32,
    /// First byte beyond it, counted from there.
    pub end: usize,
    /// Bytes per row.
    pub pitch: usize,
    /// The window's id.
    pub id: u8,
}

impl ClipIds {
    /// The buffer, if the words describe one.
    pub fn prepare(chip: Chip, bundles: &Bundles) -> Option<ClipIds> {
        let limit = bundles.CLIPID_LIMIT;
        if CLIPID_LIMIT::VALID.get(chip, limit) == 0 {
            return None;
        }
        let base = CLIPID_BASE::ADDRESS.get(chip, bundles.CLIPID_BASE);
        let offset = CLIPID_OFFSET::OFFSET.get(chip, bundles.CLIPID_OFFSET);
        let room = CLIPID_LIMIT::ADDRESS.get(chip, limit).checked_sub(offset)?;
        Some(ClipIds {
            address: base.wrapping_add(offset),
            end: room as usize + 1,
            pitch: CLIPID_PITCH::PITCH.get(chip, bundles.CLIPID_PITCH) as usize,
            id: CLIPID_ID::ID.get(chip, bundles.CLIPID_ID) as u8 & 15,
        })
    }

    /// The buffer, if the test is on.
    fn tested(chip: Chip, bundles: &Bundles) -> Option<ClipIds> {
        let on = Z_CONFIG::CLIPID_ENABLE.get(chip, bundles.Z_CONFIG) != 0;
        ClipIds::prepare(chip, bundles).filter(|_| on)
    }

    /// What [`ClipIds::test`] reads: address and length.
    pub fn reads(chip: Chip, bundles: &Bundles, height: i32) -> Option<(u32, usize)> {
        let ids = ClipIds::tested(chip, bundles)?;
        Some((ids.address, ids.size(height)))
    }

    /// The buffer's present contents for a surface of `height` pixels, if the test is on.
    pub fn test(chip: Chip, bundles: &Bundles, mem: &Memory, height: i32) -> Option<ClipTest> {
        let ids = ClipIds::tested(chip, bundles)?;
        let bytes = mem.bytes(ids.address, ids.size(height));
        let held = mem.budget().hold(Unit::ClipIds, bytes.len() as u64);
        let bytes = if held.is_some() {
            bytes.into()
        } else {
            [].into()
        };
        let held = held.map(Arc::new);
        Some(ClipTest { ids, bytes, held })
    }

    /// Bytes for a surface of `height` pixels.
    fn size(&self, height: i32) -> usize {
        (height.clamp(0, 8192) as usize * self.pitch).min(self.end)
    }

    /// Byte and shift of a pixel's id.
    pub fn place(&self, x: u32, y: u32) -> Option<(usize, u32)> {
        let at = y as usize * self.pitch + x as usize / 2;
        (at < self.end && (x as usize / 2) < self.pitch).then_some((at, x % 2 * 4))
    }
}

/// The clip id test of a draw.
#[derive(Clone, Debug)]
pub struct ClipTest {
    ids: ClipIds,
    bytes: Arc<[u8]>,
    /// The room for them.
    #[expect(dead_code, reason = "to be dropped with the bytes")]
    held: Option<Arc<Held>>,
}

impl ClipTest {
    /// Bytes of ids.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Lanes of the block at (x, y) whose pixels have the window's id.
    pub fn mask(&self, x: i32, y: i32) -> u16 {
        let mut mask = 0;
        for lane in 0..16 {
            let place = self.ids.place(x as u32 + lane % 8, y as u32 + lane / 8);
            let id = place.and_then(|(at, shift)| self.bytes.get(at).map(|b| b >> shift & 15));
            mask |= u16::from(id == Some(self.ids.id)) << lane;
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_bus::unit::Takes;
    use isotherm_regs::bundle as id;

    #[test]
    fn only_pixels_with_the_windows_id_are_drawn() {
        let mut mem = Memory::new(Chip::Nv25);
        let mut words = Bundles::default();
        let valid = CLIPID_LIMIT::VALID.mask(Chip::Nv25);
        words.take(id::CLIPID_LIMIT, 0, valid | 0xffff);
        words.take(id::CLIPID_PITCH, 0, 64);
        words.take(id::CLIPID_ID, 0, 5);
        assert!(ClipIds::test(Chip::Nv25, &words, &mem, 16).is_none());
        words.take(id::Z_CONFIG, 0, Z_CONFIG::CLIPID_ENABLE.mask(Chip::Nv25));
        mem.write_u8(64, 0x55);
        mem.write_u8(65, 0x51);
        let test = ClipIds::test(Chip::Nv25, &words, &mem, 16).unwrap();
        assert_eq!(test.mask(0, 0), 0b1011 << 8);
    }
}
