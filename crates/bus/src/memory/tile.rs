//! Tile regions of the frame buffer (PFB 100240h and on).
//!
//! Inside a tile region a surface's rows lie in DRAM in another order, which nobody sees as
//! long as all access goes through the region. This model therefore keeps the contents of
//! a region in the order that the GPU sees, and moves them when the region is switched on
//! or off: then, and only then, the other order shows.
//!
//! The order is that of NV20's memory controller with four partitions and 4 KiB banks, as
//! envytools' `nvhw/tile.c` has it. `Image_blit/BlitBeyondWidth` draws into a region,
//! switches it off and shows what it finds: every pixel agrees (other partition counts and
//! bank sizes agree in less than 15 % of pixels).

use super::Memory;
use crate::saved::Saved;
use std::ops::Range;

/// Regions that the chip has.
const REGIONS: usize = 8;
/// log2 of the bytes in a bank of one region row.
const BANK_SHIFT: u32 = 12;
/// log2 of the number of memory partitions.
const PART_BITS: u32 = 2;

/// The registers of one region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Region {
    /// Base address; bit 0 switches it on, bit 1 is the bank offset.
    base: u32,
    /// Last byte.
    limit: u32,
    /// Bytes per row.
    pitch: u32,
}

impl Region {
    /// The bytes it covers; none when it is off or makes no sense.
    fn range(self) -> Option<Range<u32>> {
        let start = self.base & 0x03FF_C000;
        let end = (self.limit & 0x03FF_FFFF) + 1;
        let valid = self.base & 1 != 0 && end > start && self.shift().is_some();
        valid.then_some(start..end)
    }

    /// How often the pitch in units of 256 bytes can be halved; none for pitches that the
    /// chip cannot do: those have a power of two times 1, 3, 5, 7 or 13.
    fn shift(self) -> Option<u32> {
        let units = self.pitch >> 8;
        if self.pitch & !0x1_FF00 != 0 || units < 2 {
            return None;
        }
        let shift = units.trailing_zeros();
        matches!(units >> shift, 1 | 3 | 5 | 7 | 13).then_some(shift)
    }

    /// Where the byte at `offset` of the region lies in DRAM.
    fn physical(self, offset: u32) -> u32 {
        let bank_rows = (1 << (BANK_SHIFT - 8)) - 1;
        let (x, y) = (offset % self.pitch, offset / self.pitch);
        let (inner_x, inner_y) = (x & 0xFF, y & bank_rows);
        let (x, y) = (x >> 8, y >> (BANK_SHIFT - 8));
        let parts = (1 << PART_BITS) - 1;
        let rows = inner_y >> 2;
        // Each group of four rows starts at another partition.
        let turn = (rows & 1) << (PART_BITS - 1) | (rows >> 1 & 1) << (PART_BITS - 2);
        let part = ((inner_x >> 4 & parts) + turn) & parts;
        let mut inner = rows;
        inner = inner << (4 - PART_BITS) | inner_x >> (4 + PART_BITS);
        inner = inner << 2 | (inner_y & 3);
        inner = inner << PART_BITS | part;
        inner = inner << 4 | (inner_x & 0xF);
        let mut bank = y * (self.pitch >> 8) + x;
        bank ^= self.base >> 1 & 1;
        if y & 1 != 0 && self.shift() != Some(0) {
            bank ^= 1;
        }
        bank << BANK_SHIFT | inner
    }
}

/// All tile regions.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    /// As the registers have it.
    wanted: [Region; REGIONS],
    /// As memory has it.
    active: [Region; REGIONS],
}

impl Tiles {
    /// The CPU wrote a register (offset within the BAR).
    pub fn register(&mut self, addr: u32, value: u32) {
        let Some(index) = addr.checked_sub(0x10_0240) else {
            return;
        };
        let Some(region) = self.wanted.get_mut((index >> 4) as usize) else {
            return;
        };
        match index & 0xC {
            0 => region.base = value,
            4 => region.limit = value,
            8 => region.pitch = value,
            _ => {}
        }
    }

    /// The registers that are not zero: address and value.
    pub fn registers(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.wanted.iter().enumerate().flat_map(|(index, region)| {
            let first = 0x10_0240 + 16 * index as u32;
            let all = [
                (first, region.base),
                (first + 4, region.limit),
                (first + 8, region.pitch),
            ];
            all.into_iter().filter(|(_, value)| *value != 0)
        })
    }

    /// The order that memory has, which the registers may be ahead of; those are written
    /// first.
    pub fn saved(&mut self, saved: &mut Saved) {
        for Region { base, limit, pitch } in &mut self.active {
            saved.words([base, limit, pitch]);
        }
    }

    /// Brings memory into the order of the registers.
    pub fn apply(&mut self, memory: &mut Memory) {
        for index in 0..REGIONS {
            let (old, new) = (self.active[index], self.wanted[index]);
            if old == new {
                continue;
            }
            reorder(memory, old, |region, bytes, out| {
                scatter(bytes, out, |offset| (offset, region.physical(offset)));
            });
            reorder(memory, new, |region, bytes, out| {
                scatter(bytes, out, |offset| (region.physical(offset), offset));
            });
            self.active[index] = new;
        }
    }

    /// The end of the active region that holds an address.
    pub fn end(&self, address: u32) -> Option<u32> {
        let ranges = self.active.iter().filter_map(|region| region.range());
        ranges
            .into_iter()
            .find(|range| range.contains(&address))
            .map(|range| range.end)
    }
}

/// Moves 16-byte pieces, the smallest that stay together.
fn scatter(bytes: &[u8], out: &mut [u8], places: impl Fn(u32) -> (u32, u32)) {
    const PIECE: usize = 16;
    for offset in (0..bytes.len()).step_by(PIECE) {
        let (from, to) = places(offset as u32);
        let (from, to) = (from as usize, to as usize);
        let source = bytes.get(from..from + PIECE);
        if let (Some(source), Some(target)) = (source, out.get_mut(to..to + PIECE)) {
            target.copy_from_slice(source);
        }
    }
}

fn reorder(memory: &mut Memory, region: Region, order: impl Fn(Region, &[u8], &mut [u8])) {
    let Some(range) = region.range() else { return };
    let length = (range.end - range.start) as usize;
    // Nothing was ever written: zeros in any order.
    if !memory.changed_since(range.start, length, 0) {
        return;
    }
    let bytes = memory.bytes(range.start, length).to_vec();
    let target = memory.bytes_mut(range.start, length);
    order(region, &bytes, target);
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_regs::Chip;

    fn switch(tiles: &mut Tiles, memory: &mut Memory, base: u32) {
        for (addr, value) in [(0, base), (4, 0x4000 + 480 * 2560 - 1), (8, 2560)] {
            tiles.register(0x10_0240 + addr, value);
        }
        tiles.apply(memory);
    }

    #[test]
    fn off_and_on_again_is_where_it_was() {
        let mut memory = Memory::new(Chip::Nv2a);
        let mut tiles = Tiles::default();
        switch(&mut tiles, &mut memory, 0x4003);
        let data: Vec<u8> = (0..480u32 * 2560).map(|i| ((i * 7) >> 4) as u8).collect();
        memory.write(0x4000, &data);
        assert_eq!(tiles.end(0x4000), Some(0x4000 + 480 * 2560));
        switch(&mut tiles, &mut memory, 0x4002);
        assert_eq!(tiles.end(0x4000), None);
        assert_ne!(memory.bytes(0x4000, data.len()), data);
        switch(&mut tiles, &mut memory, 0x4003);
        assert_eq!(memory.bytes(0x4000, data.len()), data);
    }

    #[test]
    fn nonsense_is_off() {
        for pitch in [0, 256, 0xB00, 0x2001, 0x80_0000] {
            let region = Region {
                base: 0x4001,
                limit: 0xFFFF,
                pitch,
            };
            assert_eq!(region.range(), None, "{pitch:#x}");
        }
        let backwards = Region {
            base: 0x8001,
            limit: 0x4000,
            pitch: 0x200,
        };
        assert_eq!(backwards.range(), None);
    }
}
