//! Which ranges of addresses share bytes: the one place where that is decided.
//!
//! Several addresses lead to the same byte where memory ignores their upper bits, so ranges
//! are compared as distances in the space that the bytes repeat in.

use super::{Map, Memory};

impl Map {
    /// The bits of an address that tell bytes apart.
    fn mask(self) -> u32 {
        match self {
            Map::Unified(mask) => mask,
            Map::VramGart | Map::From(_) => u32::MAX,
        }
    }
}

impl Memory {
    /// How many bytes `to` lies behind `from`.
    #[inline]
    pub fn distance(&self, from: u32, to: u32) -> u32 {
        to.wrapping_sub(from) & self.map.mask()
    }

    /// May two ranges (address and length) share a byte? A range that runs past the end of
    /// memory counts as going on at its beginning.
    #[inline]
    pub fn overlap(&self, a: (u32, usize), b: (u32, usize)) -> bool {
        let reaches = |from: (u32, usize), to: (u32, usize)| {
            to.1 != 0 && (self.distance(from.0, to.0) as usize) < from.1
        };
        reaches(a, b) || reaches(b, a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_regs::Chip;

    #[test]
    fn the_consoles_upper_address_bits_do_not_count() {
        let memory = Memory::new(Chip::Nv2a);
        assert!(memory.overlap((0, 16), (0x0400_0008, 4)));
        assert!(memory.overlap((0xFC00_0000, 16), (15, 1)));
        assert!(!memory.overlap((0, 16), (0x0400_0010, 4)));
        // Past the end, and around.
        assert!(memory.overlap((0x03FF_FFF0, 32), (4, 4)));
        assert!(!memory.overlap((8, 0), (0, 64)));
        assert_eq!(memory.distance(0x8000_0000, 0x0400_0010), 0x10);
    }

    #[test]
    fn other_chips_have_an_address_for_each_byte() {
        let memory = Memory::new(Chip::Nv40);
        assert!(!memory.overlap((0, 0x1000), (0x8000_0000, 0x1000)));
        assert!(!memory.overlap((0, 0x1000), (0x0400_0000, 0x1000)));
        assert!(memory.overlap((0, 0x1000), (0xFFF, 1)));
    }

    /// Two ranges that have no byte in common are never said to overlap, and those that
    /// have one always are.
    #[test]
    fn agrees_with_the_bytes_themselves() {
        let mut memory = Memory::with_sizes(Chip::Nv2a, 1 << 20, 0).unwrap();
        let mut state = 1u32;
        let mut random = move |below: u32| {
            state = state.wrapping_mul(0x915F_77F5).wrapping_add(1);
            (state >> 8) % below
        };
        for round in 0..200 {
            let mut range = || {
                let address = random(0x1_0000).wrapping_sub(0x8000) ^ random(16) << 28;
                (address, random(0x3000) as usize)
            };
            let (a, b) = (range(), range());
            for i in 0..a.1 {
                memory.write_u8(a.0.wrapping_add(i as u32), 1);
            }
            let shares = (0..b.1).any(|i| memory.read_u8(b.0.wrapping_add(i as u32)) != 0);
            assert_eq!(memory.overlap(a, b), shares, "round {round}: {a:x?} {b:x?}");
            for i in 0..a.1 {
                memory.write_u8(a.0.wrapping_add(i as u32), 0);
            }
        }
    }
}
