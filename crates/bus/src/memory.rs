//! VRAM and system memory behind the chip.
//!
//! One 32-bit address space per chip, as the capture format and the DMA objects
//! use it:
//!
//! | chip | address space |
//! |---|---|
//! | NV2A | 64 MiB of unified memory; addresses wrap (masked with 03FFFFFFh) |
//! | other NVIDIA chips | bit 31 clear: VRAM; bit 31 set: GART, offset in the low 31 bits |
//! | Mali | GPU virtual addresses, all 4 GiB |
//!
//! Memory nobody wrote reads as zero and costs nothing: the operating system hands
//! out zero pages when they are first touched. Reads outside give zero, writes
//! outside vanish; no address can make this module panic.
//!
//! Every 4 KiB page carries the time of its last write ([`Memory::now`],
//! [`Memory::changed_since`]), so that whoever keeps a decoded copy of a range can
//! tell whether the copy is still good.

mod block;
mod shared;
mod tile;

pub use shared::{Area, Bits, Cell, Shared, SharedBytes};
pub use tile::Tiles;

use block::Block;
use isotherm_regs::{Chip, Family};
use std::sync::atomic::{AtomicU32, Ordering};

/// Bit 31 of an address selects GART on chips with memory of their own.
pub const GART: u32 = 0x8000_0000;
/// Size of the console's unified memory.
pub const NV2A_RAM: usize = 64 << 20;
/// Size of VRAM and of GART on all other NVIDIA chips.
const NV_APERTURE: usize = 256 << 20;
/// log2 of the page size of the write times.
const PAGE_SHIFT: u32 = 12;

/// How addresses map to apertures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Map {
    /// One aperture, addresses masked.
    Uma {
        /// The bits of an address that count.
        mask: u32,
    },
    /// Aperture 0 is VRAM, aperture 1 GART.
    VramGart,
    /// One aperture that begins at this address.
    From(u32),
}

impl Map {
    #[inline(always)]
    fn locate(self, addr: u32) -> (usize, usize) {
        match self {
            Map::Uma { mask } => (0, (addr & mask) as usize),
            Map::VramGart => ((addr >> 31) as usize, (addr & !GART) as usize),
            // An address below the aperture wraps to an offset past its end.
            Map::From(base) => (0, addr.wrapping_sub(base) as usize),
        }
    }
}

/// One zeroed block of memory and the times of its last writes.
#[derive(Default)]
struct Aperture {
    data: Block,
    stamps: Vec<u32>,
}

impl Aperture {
    /// `None` when the system refuses.
    fn new(len: usize) -> Option<Aperture> {
        Some(Aperture {
            data: Block::zeroed(len)?,
            stamps: vec![0; len >> PAGE_SHIFT],
        })
    }

    /// Memory of somebody else.
    ///
    /// # Safety
    /// As for [`Memory::lent`].
    unsafe fn lent((start, len): (*mut u8, usize)) -> Aperture {
        Aperture {
            // SAFETY: the caller's promise.
            data: unsafe { Block::lent(start, len) },
            stamps: vec![0; len.div_ceil(1 << PAGE_SHIFT)],
        }
    }

    #[inline]
    fn stamp(&mut self, offset: usize, len: usize, now: u32) {
        if len == 0 {
            return;
        }
        let first = offset >> PAGE_SHIFT;
        let last = (offset + len - 1) >> PAGE_SHIFT;
        if let Some(pages) = self.stamps.get_mut(first..=last) {
            pages.fill(now);
        }
    }
}

/// Asks the system for large pages. A tile of a surface touches a page per row, and those
/// of a large surface are more than a processor keeps translations of.
fn prefer_large_pages(bytes: &mut [u8]) {
    #[cfg(target_os = "linux")]
    {
        use std::ffi::{c_int, c_void};
        const MADV_HUGEPAGE: c_int = 14;
        const PAGE: usize = 4096;
        unsafe extern "C" {
            fn madvise(address: *mut c_void, len: usize, advice: c_int) -> c_int;
        }
        let start = bytes.as_mut_ptr();
        let skip = start.align_offset(PAGE);
        if let Some(len) = bytes.len().checked_sub(skip) {
            // SAFETY: these pages are ours alone. The advice changes none of their bytes; a
            // system that does not know it says so, and nothing is lost.
            unsafe { madvise(start.add(skip).cast(), len & !(PAGE - 1), MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}

/// All memory that a chip sees.
pub struct Memory {
    map: Map,
    apertures: [Aperture; 2],
    clock: AtomicU32,
}

impl Memory {
    /// Memory of a chip, all zero.
    pub fn new(chip: Chip) -> Memory {
        let (map, apertures) = if chip == Chip::Nv2a {
            let mask = NV2A_RAM as u32 - 1;
            let ram = aperture(&[NV2A_RAM]);
            (Map::Uma { mask }, [ram, Aperture::default()])
        } else if chip.family() == Family::Utgard {
            // Drivers hand out addresses from the top; where the system refuses 4 GiB of
            // untouched pages, the upper part has to do.
            let whole = aperture(&[1 << 32, 1 << 30, 256 << 20]);
            (
                Map::From((whole.data.len() as u32).wrapping_neg()),
                [whole, Aperture::default()],
            )
        } else {
            let sizes = [NV_APERTURE, 64 << 20];
            (Map::VramGart, [aperture(&sizes), aperture(&sizes)])
        };
        let mut memory = Memory {
            map,
            apertures,
            clock: AtomicU32::new(1),
        };
        // A Mali's driver spreads small buffers over all its addresses.
        if chip.family() != Family::Utgard {
            for aperture in &mut memory.apertures {
                prefer_large_pages(&mut aperture.data);
            }
        }
        memory
    }

    /// Memory of a chip that lies in the caller's own: the console's RAM, or VRAM and GART,
    /// or the addresses of a Mali up to their end. What the caller writes is announced with
    /// [`Memory::mark_written`].
    ///
    /// # Safety
    /// Both ranges (start and length, a length of 0 for none) stay readable and writable as
    /// long as the memory lives, and nobody else reads or writes them while a method of the
    /// chip runs.
    pub unsafe fn lent(chip: Chip, apertures: [(*mut u8, usize); 2]) -> Memory {
        let map = if chip == Chip::Nv2a {
            let mask = apertures[0].1.next_power_of_two() - 1;
            Map::Uma { mask: mask as u32 }
        } else if chip.family() == Family::Utgard {
            Map::From((apertures[0].1 as u32).wrapping_neg())
        } else {
            Map::VramGart
        };
        Memory {
            map,
            // SAFETY: the caller's promise.
            apertures: apertures.map(|aperture| unsafe { Aperture::lent(aperture) }),
            clock: AtomicU32::new(1),
        }
    }

    /// Aperture and offset of `len` bytes, as many as there are from `addr` on.
    #[inline(always)]
    fn range(&self, addr: u32, len: usize) -> (usize, usize, usize) {
        let (space, offset) = self.map.locate(addr);
        let size = self.apertures[space].data.len();
        let start = offset.min(size);
        (space, start, start.saturating_add(len).min(size))
    }

    /// `len` bytes from `addr`; fewer when memory ends before.
    #[inline]
    pub fn bytes(&self, addr: u32, len: usize) -> &[u8] {
        let (space, start, end) = self.range(addr, len);
        &self.apertures[space].data[start..end]
    }

    /// `len` bytes from `addr` for writing; fewer when memory ends before. All their
    /// pages count as written.
    #[inline]
    pub fn bytes_mut(&mut self, addr: u32, len: usize) -> &mut [u8] {
        let (space, start, end) = self.range(addr, len);
        let now = *self.clock.get_mut();
        self.apertures[space].stamp(start, end - start, now);
        &mut self.apertures[space].data[start..end]
    }

    /// Fills `out` from memory; what lies outside is zero.
    pub fn read(&self, addr: u32, out: &mut [u8]) {
        let bytes = self.bytes(addr, out.len());
        let (inside, outside) = out.split_at_mut(bytes.len());
        inside.copy_from_slice(bytes);
        outside.fill(0);
    }

    /// Writes bytes; what lies outside vanishes.
    pub fn write(&mut self, addr: u32, bytes: &[u8]) {
        let target = self.bytes_mut(addr, bytes.len());
        let len = target.len();
        target.copy_from_slice(&bytes[..len]);
    }

    /// Copies `len` bytes as `memmove` does.
    pub fn copy(&mut self, dst: u32, src: u32, len: usize) {
        let (from, from_start, from_end) = self.range(src, len);
        let (to, to_start, to_end) = self.range(dst, len);
        let len = (from_end - from_start).min(to_end - to_start);
        let now = *self.clock.get_mut();
        self.apertures[to].stamp(to_start, len, now);
        if from == to {
            self.apertures[to]
                .data
                .copy_within(from_start..from_start + len, to_start);
        } else {
            let [a, b] = &mut self.apertures;
            let (source, target) = if from == 0 { (a, b) } else { (b, a) };
            target.data[to_start..to_start + len]
                .copy_from_slice(&source.data[from_start..from_start + len]);
        }
    }

    /// Reads a byte.
    #[inline]
    pub fn read_u8(&self, addr: u32) -> u8 {
        self.bytes(addr, 1).first().copied().unwrap_or(0)
    }

    /// Reads a little-endian half-word.
    #[inline]
    pub fn read_u16(&self, addr: u32) -> u16 {
        self.bytes(addr, 2).try_into().map_or(0, u16::from_le_bytes)
    }

    /// Reads a little-endian word.
    #[inline]
    pub fn read_u32(&self, addr: u32) -> u32 {
        self.bytes(addr, 4).try_into().map_or(0, u32::from_le_bytes)
    }

    /// Writes a byte.
    #[inline]
    pub fn write_u8(&mut self, addr: u32, value: u8) {
        self.write(addr, &[value]);
    }

    /// Writes a little-endian half-word.
    #[inline]
    pub fn write_u16(&mut self, addr: u32, value: u16) {
        if let Ok(bytes) = <&mut [u8; 2]>::try_from(self.bytes_mut(addr, 2)) {
            *bytes = value.to_le_bytes();
        }
    }

    /// Writes a little-endian word.
    #[inline]
    pub fn write_u32(&mut self, addr: u32, value: u32) {
        if let Ok(bytes) = <&mut [u8; 4]>::try_from(self.bytes_mut(addr, 4)) {
            *bytes = value.to_le_bytes();
        }
    }

    /// A point in time: everything written after this call is "changed since" it.
    #[inline]
    pub fn now(&self) -> u32 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }

    /// Was any page of the range written after [`Memory::now`] returned `then`?
    pub fn changed_since(&self, addr: u32, len: usize, then: u32) -> bool {
        let (space, start, end) = self.range(addr, len);
        if start == end {
            return false;
        }
        let pages = (start >> PAGE_SHIFT)..=((end - 1) >> PAGE_SHIFT);
        self.apertures[space].stamps[pages]
            .iter()
            .any(|&stamp| stamp > then)
    }

    /// Marks a range as written now, for writers that go through [`Memory::share`].
    pub fn mark_written(&mut self, addr: u32, len: usize) {
        let (space, start, end) = self.range(addr, len);
        let now = *self.clock.get_mut();
        self.apertures[space].stamp(start, end - start, now);
    }

    /// Every page that was ever written and is not all zero: address and bytes.
    pub fn pages(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let map = self.map;
        self.apertures
            .iter()
            .enumerate()
            .flat_map(move |(space, aperture)| {
                let first = match map {
                    Map::From(base) => base,
                    _ => (space as u32) << 31,
                };
                let pages = aperture
                    .data
                    .chunks(1 << PAGE_SHIFT)
                    .zip(&aperture.stamps)
                    .enumerate();
                pages.filter_map(move |(index, (bytes, stamp))| {
                    let used = *stamp != 0 && bytes.iter().any(|byte| *byte != 0);
                    used.then(|| (first.wrapping_add((index as u32) << PAGE_SHIFT), bytes))
                })
            })
    }
}

/// The first size that the system grants.
fn aperture(sizes: &[usize]) -> Aperture {
    sizes
        .iter()
        .find_map(|&len| Aperture::new(len))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn console_memory_wraps() {
        let mut memory = Memory::new(Chip::Nv2a);
        memory.write_u32(0xFC00_0010, 0x1234_5678);
        assert_eq!(memory.read_u32(0x10), 0x1234_5678);
        assert_eq!(memory.read_u16(0x12), 0x1234);
        assert_eq!(memory.read_u8(0x13), 0x12);
    }

    #[test]
    fn vram_and_gart_are_apart() {
        let mut memory = Memory::new(Chip::Nv40);
        memory.write_u32(GART | 64, 7);
        assert_eq!(memory.read_u32(64), 0);
        memory.copy(128, GART | 64, 4);
        assert_eq!(memory.read_u32(128), 7);
        memory.copy(GART, 128, 4);
        assert_eq!(memory.read_u32(GART), 7);
    }

    #[test]
    fn outside_is_zero_and_harmless() {
        let mut memory = Memory::new(Chip::Nv10);
        memory.write_u32(0x7FFF_FFFE, 1);
        memory.write(0x7000_0000, &[1; 64]);
        assert_eq!(memory.read_u32(0x7FFF_FFFE), 0);
        assert!(memory.bytes(0x7000_0000, 10).is_empty());
        let mut out = [9; 8];
        memory.read(NV_APERTURE as u32 - 4, &mut out);
        assert_eq!(out, [0; 8]);
        memory.copy(0, 0x7000_0000, usize::MAX);
        assert!(!memory.changed_since(0x7000_0000, 4, 0));
    }

    #[test]
    fn mali_reaches_the_top() {
        let mut memory = Memory::new(Chip::Mali400);
        memory.write_u32(0xFFFF_FFFC, 5);
        assert_eq!(memory.read_u32(0xFFFF_FFFC), 5);
        assert_eq!(memory.bytes(0xFFFF_FFFC, 100).len(), 4);
    }

    #[test]
    fn pages_know_when_they_were_written() {
        let mut memory = Memory::new(Chip::Nv2a);
        memory.write_u8(0x1000, 1);
        let then = memory.now();
        assert!(!memory.changed_since(0x1000, 4096, then));
        memory.write_u32(0x1FFE, 1);
        assert!(memory.changed_since(0x1000, 1, then));
        assert!(memory.changed_since(0x2000, 1, then));
        assert!(!memory.changed_since(0x3000, 4096, then));
        memory.mark_written(0x3FFF, 2);
        assert!(memory.changed_since(0x4000, 1, then));
    }
}
