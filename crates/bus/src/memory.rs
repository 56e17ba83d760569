//! VRAM and system memory behind the chip.
//!
//! One 32-bit address space per chip, as the capture format and the DMA objects
//! use it:
//!
//! | chip | address space |
//! |---|---|
//! | NV2A | 64 MiB of unified memory (128 MiB in arcade boards); addresses wrap |
//! | other NVIDIA chips | bit 31 clear: VRAM; bit 31 set: GART, offset in the low 31 bits |
//! | Mali | GPU virtual addresses, all 4 GiB |
//!
//! Memory nobody wrote reads as zero and costs nothing: the operating system hands
//! out zero pages when they are first touched. Reads outside give zero, writes
//! outside vanish; no address can make this module panic.
//!
//! Every 4 KiB page carries the time of its last write ([`Memory::now`],
//! [`Memory::changed_since`]), so that whoever keeps a decoded copy of a range can
//! tell whether the copy is still good. Writes that this module does not see are announced
//! with [`Memory::mark_written`]; for those who cannot announce them,
//! [`Memory::set_checked`] compares pages with what they held before.

mod alias;
mod block;
mod shared;
mod tile;

pub use shared::{Area, Bits, Cell, Shared, SharedBytes};
pub use tile::Tiles;

use crate::budget::{Budget, Cost, Limits, Unit};
use crate::pages;
use block::Block;
use isotherm_regs::{Chip, Family};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

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
    /// One aperture, addresses masked with this.
    Unified(u32),
    /// Aperture 0 is VRAM, aperture 1 GART.
    VramGart,
    /// One aperture that begins at this address.
    From(u32),
}

impl Map {
    #[inline(always)]
    fn locate(self, addr: u32) -> (usize, usize) {
        match self {
            Map::Unified(mask) => (0, (addr & mask) as usize),
            Map::VramGart => ((addr >> 31) as usize, (addr & !GART) as usize),
            // An address below the aperture wraps to an offset past its end.
            Map::From(base) => (0, addr.wrapping_sub(base) as usize),
        }
    }
}

/// One block of memory and the times of its last writes.
#[derive(Default)]
struct Aperture {
    data: Block,
    stamps: Vec<AtomicU32>,
    /// What pages held when they were last compared; empty unless they are.
    digests: Vec<AtomicU64>,
}

impl Aperture {
    fn new(data: Block) -> Aperture {
        let pages = data.len().div_ceil(1 << PAGE_SHIFT);
        let mut stamps = Vec::new();
        stamps.resize_with(pages, AtomicU32::default);
        Aperture {
            data,
            stamps,
            digests: Vec::new(),
        }
    }

    /// Notes a write; says how many pages were never written before.
    #[inline]
    fn stamp(&mut self, offset: usize, len: usize, now: u32) -> usize {
        if len == 0 {
            return 0;
        }
        let first = offset >> PAGE_SHIFT;
        let last = (offset + len - 1) >> PAGE_SHIFT;
        let mut fresh = 0;
        if let Some(pages) = self.stamps.get_mut(first..=last) {
            for page in pages {
                fresh += usize::from(*page.get_mut() == 0);
                *page.get_mut() = now;
            }
        }
        fresh
    }

    /// Stamps a page whose bytes are not what they were.
    fn compare(&self, page: usize, now: u32) {
        let Some(kept) = self.digests.get(page) else {
            return;
        };
        let start = page << PAGE_SHIFT;
        let end = self.data.len().min(start + (1 << PAGE_SHIFT));
        let digest = digest(&self.data[start..end]);
        if kept.swap(digest, Ordering::Relaxed) != digest {
            self.stamps[page].store(now, Ordering::Relaxed);
        }
    }
}

/// A number that differs when the bytes do, but for one case in 2^64.
fn digest(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = bytes.as_chunks::<32>();
    let mut sums = [1u64, 2, 3, 4];
    for word in words {
        for (sum, part) in sums.iter_mut().zip(word.as_chunks::<8>().0) {
            *sum = (*sum ^ u64::from_le_bytes(*part)).wrapping_mul(ODD);
            *sum ^= *sum >> 29;
        }
    }
    let sums = sums.iter().fold(bytes.len() as u64, |all, sum| {
        (all ^ sum).wrapping_mul(ODD).rotate_left(17)
    });
    rest.iter()
        .fold(sums, |all, byte| (all ^ u64::from(*byte)).wrapping_mul(ODD))
}

/// All memory that a chip sees.
pub struct Memory {
    map: Map,
    apertures: [Aperture; 2],
    clock: AtomicU32,
    /// What the chip may do: whoever works on memory asks here first.
    budget: Arc<Budget>,
    /// Ranges that other threads draw into ([`Memory::lend`]).
    lent: Vec<(u32, usize)>,
}

/// Where the bytes of an aperture come from.
#[derive(Clone, Copy, Debug)]
pub enum Backing {
    /// So many bytes of our own, all zero.
    Own(usize),
    /// A mapping of somebody else: its first byte and how many.
    Mapped(NonNull<u8>, usize),
}

impl Backing {
    fn len(self) -> usize {
        match self {
            Backing::Own(len) | Backing::Mapped(_, len) => len,
        }
    }
}

/// Why there is no such memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryError {
    /// A size that the chip cannot have.
    Size(usize),
    /// The system gives no such block.
    Refused(usize),
}

impl std::fmt::Display for MemoryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MemoryError::Size(len) => write!(
                f,
                "memory of {len:#x} bytes: the console's is a power of two from 1 MiB to 1 GiB, \
                 that of other chips whole pages up to 2 GiB"
            ),
            MemoryError::Refused(len) => write!(f, "the system refuses {len:#x} bytes"),
        }
    }
}

impl std::error::Error for MemoryError {}

impl Memory {
    /// Memory of a chip, all zero, of the usual size.
    ///
    /// # Panics
    /// When the system refuses that much: a smaller memory would draw another picture.
    /// [`Memory::usual`] says so instead.
    pub fn new(chip: Chip) -> Memory {
        match Memory::usual(chip) {
            Ok(memory) => memory,
            Err(error) => panic!("{error}"),
        }
    }

    /// Memory of a chip, all zero, of the usual size.
    pub fn usual(chip: Chip) -> Result<Memory, MemoryError> {
        let gart = match chip.family() {
            _ if chip == Chip::Nv2a => 0,
            Family::Utgard => 0,
            _ => NV_APERTURE,
        };
        Memory::with_sizes(chip, Memory::usual_size(chip), gart)
    }

    /// How much memory of its own a chip has if nobody says. A Mali has all addresses; where
    /// pointers have 32 bits, the upper quarter, from which drivers hand them out.
    pub fn usual_size(chip: Chip) -> usize {
        const MALI: usize = match usize::BITS {
            ..=32 => 1 << 30,
            _ => 1usize.unbounded_shl(32),
        };
        match chip.family() {
            _ if chip == Chip::Nv2a => NV2A_RAM,
            Family::Utgard => MALI,
            _ => NV_APERTURE,
        }
    }

    /// Memory of a chip, all zero: `local` bytes of its own (the console's unified memory; the
    /// topmost addresses of a Mali) and `gart` bytes behind bit 31, which only chips with
    /// memory of their own have.
    pub fn with_sizes(chip: Chip, local: usize, gart: usize) -> Result<Memory, MemoryError> {
        // SAFETY: nothing is mapped.
        unsafe { Memory::backed(chip, Backing::Own(local), Backing::Own(gart)) }
    }

    /// The same, with memory that may be somebody else's. Nothing of that is copied; what is
    /// drawn appears in it.
    ///
    /// # Safety
    /// For as long as the `Memory` lives, the pointer of a [`Backing::Mapped`] must be valid
    /// for reads and writes of its bytes, which must be initialised (fresh anonymous mappings
    /// are). While a method of the `Memory`, or of a chip that holds it, runs, no other thread
    /// may write to bytes that the method reads, nor touch bytes that it writes; between two
    /// calls anybody may. Writes are announced with [`Memory::mark_written`] before the next
    /// call that could see them, unless [`Memory::set_checked`] is on: bytes that are not
    /// announced may be read as they were.
    pub unsafe fn backed(chip: Chip, local: Backing, gart: Backing) -> Result<Memory, MemoryError> {
        check_sizes(chip, local.len(), gart.len())?;
        let block = |backing: Backing| match backing {
            Backing::Own(len) => {
                let mut block = Block::zeroed(len).ok_or(MemoryError::Refused(len))?;
                // A tile of a surface touches a page per row, and those of a large surface are
                // more than a processor keeps translations of. But a Mali's driver spreads
                // small buffers over all its addresses.
                if chip.family() != Family::Utgard {
                    pages::prefer_large(&mut block[..]);
                }
                Ok(block)
            }
            // SAFETY: the caller vouches for it.
            Backing::Mapped(start, len) => Ok(unsafe { Block::mapped(start, len) }),
        };
        Ok(Memory::of(chip, [block(local)?, block(gart)?]))
    }

    fn of(chip: Chip, blocks: [Block; 2]) -> Memory {
        let len = blocks[0].len();
        let map = match chip.family() {
            _ if chip == Chip::Nv2a => Map::Unified((len as u32).wrapping_sub(1)),
            Family::Utgard => Map::From((len as u32).wrapping_neg()),
            _ => Map::VramGart,
        };
        Memory {
            map,
            apertures: blocks.map(Aperture::new),
            clock: AtomicU32::new(1),
            budget: Arc::new(Budget::new(Limits::usual())),
            lent: Vec::new(),
        }
    }

    /// What the chip may do, and has done.
    #[inline]
    pub fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Replaces the limits of the budget; nothing of them is spent but the memory in use.
    pub fn set_budget(&mut self, limits: Limits) {
        self.budget = Arc::new(Budget::new(limits));
        let stamps = self.apertures.iter().flat_map(|a| &a.stamps);
        let written = |stamp: &&AtomicU32| stamp.load(Ordering::Relaxed) != 0;
        let used = stamps.filter(written).count();
        let _ = self.charge_pages(used);
    }

    /// Asks for pages that were never written before.
    #[cold]
    fn charge_pages(&self, pages: usize) -> bool {
        let bytes = (pages as u64) << PAGE_SHIFT;
        self.budget.charge(Unit::Memory, Cost::Held, bytes)
    }

    /// Notes a write of one aperture; whether there is room for it.
    #[inline(always)]
    fn wrote(&mut self, space: usize, start: usize, len: usize) -> bool {
        let now = *self.clock.get_mut();
        let fresh = self.apertures[space].stamp(start, len, now);
        fresh == 0 || self.charge_pages(fresh)
    }

    /// From now on, pages that somebody asks about are compared with what they held when they
    /// were last asked about. That finds writes nobody announced, at the price of reading
    /// every texture whenever it is used.
    pub fn set_checked(&mut self, on: bool) {
        for aperture in &mut self.apertures {
            aperture.digests.clear();
            let pages = if on { aperture.stamps.len() } else { 0 };
            aperture.digests.resize_with(pages, AtomicU64::default);
        }
    }

    /// Are pages compared when somebody asks about them?
    pub fn is_checked(&self) -> bool {
        self.apertures.iter().any(|a| !a.digests.is_empty())
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
        debug_assert!(
            !self.is_drawn_to((addr, end - start)),
            "drawn to: {addr:#x}"
        );
        self.apertures[space].data.part(start, end)
    }

    /// `len` bytes from `addr` for writing; fewer when memory ends before, none when the
    /// budget has no room for new pages. All their pages count as written.
    #[inline]
    pub fn bytes_mut(&mut self, addr: u32, len: usize) -> &mut [u8] {
        let (space, start, mut end) = self.range(addr, len);
        if !self.wrote(space, start, end - start) {
            end = start;
        }
        debug_assert!(
            !self.is_drawn_to((addr, end - start)),
            "drawn to: {addr:#x}"
        );
        self.apertures[space].data.part_mut(start, end)
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

    /// Copies `len` bytes as `memmove` does, unless the budget refuses.
    pub fn copy(&mut self, dst: u32, src: u32, len: usize) {
        let (from, from_start, from_end) = self.range(src, len);
        let (to, to_start, to_end) = self.range(dst, len);
        let len = (from_end - from_start).min(to_end - to_start);
        let granted = self.budget.charge(Unit::Copies, Cost::Copied, len as u64);
        if !granted || !self.wrote(to, to_start, len) {
            return;
        }
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
        let aperture = &self.apertures[space];
        if !aperture.digests.is_empty() {
            let now = self.clock.load(Ordering::Relaxed);
            pages.clone().for_each(|page| aperture.compare(page, now));
        }
        aperture.stamps[pages]
            .iter()
            .any(|stamp| stamp.load(Ordering::Relaxed) > then)
    }

    /// Marks a range as written now, for writers that go through [`Memory::share`].
    pub fn mark_written(&mut self, addr: u32, len: usize) {
        let (space, start, end) = self.range(addr, len);
        // Too late to refuse them; the next who asks is.
        let _ = self.wrote(space, start, end - start);
    }

    /// Runs of pages that were written after [`Memory::now`] returned `then`: address of the
    /// first byte, and how many.
    pub fn written_since(&self, then: u32) -> Vec<(u32, usize)> {
        let mut runs: Vec<(u32, usize)> = Vec::new();
        for (space, aperture) in self.apertures.iter().enumerate() {
            let mut last = None;
            for (page, stamp) in aperture.stamps.iter().enumerate() {
                if stamp.load(Ordering::Relaxed) <= then {
                    continue;
                }
                let start = page << PAGE_SHIFT;
                let len = (aperture.data.len() - start).min(1 << PAGE_SHIFT);
                match runs.last_mut() {
                    Some(run) if page > 0 && last == Some(page - 1) => run.1 += len,
                    _ => runs.push((self.first(space).wrapping_add(start as u32), len)),
                }
                last = Some(page);
            }
        }
        runs
    }

    /// The lowest address of the chip's own memory.
    pub fn first_address(&self) -> u32 {
        self.first(0)
    }

    /// The address of an aperture's first byte.
    fn first(&self, space: usize) -> u32 {
        match self.map {
            Map::From(base) => base,
            _ => (space as u32) << 31,
        }
    }

    /// Every page that is not all zero: address and bytes. Of our own memory only those that
    /// were ever written are looked at.
    pub fn pages(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.apertures
            .iter()
            .enumerate()
            .flat_map(move |(space, aperture)| {
                let first = self.first(space);
                let pages = aperture
                    .data
                    .chunks(1 << PAGE_SHIFT)
                    .zip(&aperture.stamps)
                    .enumerate();
                pages.filter_map(move |(index, (bytes, stamp))| {
                    let touched = aperture.data.is_lent() || stamp.load(Ordering::Relaxed) != 0;
                    let used = touched && bytes.iter().any(|byte| *byte != 0);
                    used.then(|| (first.wrapping_add((index as u32) << PAGE_SHIFT), bytes))
                })
            })
    }
}

/// Can the chip have apertures of these sizes?
fn check_sizes(chip: Chip, local: usize, gart: usize) -> Result<(), MemoryError> {
    const MIB: usize = 1 << 20;
    let pages = |len: usize| len.is_multiple_of(1 << PAGE_SHIFT);
    let refused = match chip.family() {
        _ if chip == Chip::Nv2a => {
            let possible = local.is_power_of_two() && (MIB..=1024 * MIB).contains(&local);
            (!possible).then_some(local).or((gart != 0).then_some(gart))
        }
        Family::Utgard => {
            let possible = pages(local) && local != 0 && local as u64 <= 1 << 32;
            (!possible).then_some(local).or((gart != 0).then_some(gart))
        }
        _ => [local, gart]
            .into_iter()
            .find(|&len| !pages(len) || len as u64 > 1 << 31),
    };
    match refused {
        Some(len) => Err(MemoryError::Size(len)),
        None => Ok(()),
    }
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
    fn sizes_that_a_chip_can_have() {
        let mut arcade = Memory::with_sizes(Chip::Nv2a, 128 << 20, 0).unwrap();
        arcade.write_u32(64 << 20, 7);
        assert_eq!((arcade.read_u32(0), arcade.read_u32(192 << 20)), (0, 7));
        for (chip, local, gart) in [
            (Chip::Nv2a, 96 << 20, 0),
            (Chip::Nv2a, 64 << 20, 4096),
            (Chip::Nv40, 4097, 0),
            (Chip::Mali400, 0, 0),
        ] {
            assert!(
                Memory::with_sizes(chip, local, gart).is_err(),
                "{chip:?} {local:x} {gart:x}"
            );
        }
        let mut small = Memory::with_sizes(Chip::Nv40, 8192, 0).unwrap();
        small.write_u32(8192, 1);
        small.write_u32(GART, 1);
        assert_eq!((small.read_u32(8192), small.read_u32(GART)), (0, 0));
    }

    #[test]
    fn borrowed_memory_is_the_owners() {
        let mut ram = vec![0u8; 1 << 20];
        let lent = Backing::Mapped(NonNull::new(ram.as_mut_ptr()).unwrap(), ram.len());
        // SAFETY: `ram` outlives the memory, and nobody touches it meanwhile.
        let memory = unsafe { Memory::backed(Chip::Nv2a, lent, Backing::Own(0)) };
        let mut memory = memory.unwrap();
        memory.write_u32(0x1234, 0xABCD_EF01);
        drop(memory);
        assert_eq!(ram[0x1234..0x1238], 0xABCD_EF01u32.to_le_bytes());
    }

    #[test]
    fn checked_pages_show_writes_that_nobody_announced() {
        let mut memory = Memory::with_sizes(Chip::Nv2a, 1 << 20, 0).unwrap();
        memory.set_checked(true);
        memory.changed_since(0x3000, 4, 0);
        let then = memory.now();
        assert!(!memory.changed_since(0x3000, 4, then));
        memory.apertures[0].data[0x3FFF] = 1;
        assert!(memory.changed_since(0x3000, 4, then));
        // A second one who keeps a copy is told as well.
        assert!(memory.changed_since(0x3800, 4, then));
        assert!(!memory.changed_since(0x3000, 4, memory.now()));
        memory.set_checked(false);
        let then = memory.now();
        memory.apertures[0].data[0x3FFF] = 2;
        assert!(!memory.changed_since(0x3000, 4, then));
    }

    #[test]
    fn written_pages_come_in_runs() {
        let mut memory = Memory::new(Chip::Nv40);
        memory.write_u8(0x1000, 1);
        let then = memory.now();
        memory.write(0x5FFF, &[1; 3]);
        memory.write_u8(GART | 0x2000, 1);
        let runs = [(0x5000, 0x2000), (GART | 0x2000, 0x1000)];
        assert_eq!(memory.written_since(then), runs);
        assert!(memory.written_since(memory.now()).is_empty());
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
