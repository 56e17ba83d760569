//! Memory that several threads draw into at once.
//!
//! Why this is sound, and what callers promise:
//!
//! - **Life.** A [`Shared`] is made from a `&mut Memory` that stays borrowed for its whole
//!   life, and everything made from it carries that lifetime. Nobody else touches the memory
//!   meanwhile, and no pointer outlives it. Only ranges that are lent ([`Memory::lend`]) are
//!   used while others of the same memory are: whoever lends them promises to keep them apart.
//! - **Bounds.** A [`SharedBytes`] knows its length, and every access is checked against it: no
//!   address in a capture reaches beyond it. A [`Cell`] was checked when it was made. Only
//!   [`Area`], whose rectangle is checked as a whole, leaves the single place to its caller;
//!   tests and fuzzing check it there, too.
//! - **Races.** That no two threads use one byte at the same time is nothing a type can see.
//!   Whoever makes a [`SharedBytes`] promises it. The tile workers keep the promise because a
//!   pixel belongs to one tile and a tile to one worker; surfaces in which pixels share
//!   bytes are drawn by a single thread.
//! - **Aliasing.** They hand out copies of words, never references. So workers may go for
//!   neighbouring bytes, and one worker may hold ranges that overlap.

use super::{Aperture, Map, Memory};
use std::marker::PhantomData;

impl Memory {
    /// A handle through which several threads may work on disjoint bytes at once. Their
    /// writes leave no write times: call [`Memory::mark_written`] for what they cover.
    pub fn share(&mut self) -> Shared<'_> {
        self.handle()
    }

    /// Lends some ranges (address and length) to other threads, who may draw into them while
    /// the rest of memory goes on being used. They leave no write times either.
    ///
    /// # Safety
    /// Until [`Memory::take_back`] is called after the last of them is done, the memory must
    /// live, the handle be used for these ranges alone, and nobody read or write them in
    /// another way. Tests that compile debug assertions notice who does.
    pub unsafe fn lend(&mut self, ranges: impl Iterator<Item = (u32, usize)>) -> Shared<'static> {
        self.lent.extend(ranges);
        self.handle()
    }

    /// The threads who drew into lent ranges are done.
    pub fn take_back(&mut self) {
        self.lent.clear();
    }

    /// Is any of these bytes lent?
    #[inline]
    pub fn is_drawn_to(&self, range: (u32, usize)) -> bool {
        self.lent.iter().any(|lent| self.overlap(*lent, range))
    }

    fn handle<'m>(&mut self) -> Shared<'m> {
        let raw = |a: &Aperture| (a.data.pointer(), a.data.len());
        let [a, b] = &self.apertures;
        Shared {
            map: self.map,
            apertures: [raw(a), raw(b)],
            memory: PhantomData,
        }
    }
}

/// All memory, for several threads at once; see [`Memory::share`].
#[derive(Clone, Copy)]
pub struct Shared<'m> {
    map: Map,
    apertures: [(*mut u8, usize); 2],
    memory: PhantomData<&'m mut Memory>,
}

// SAFETY: nobody else has the memory, or the ranges that it was made for, while a `Shared`
// lives, and the only ways to its bytes are unsafe and ask the callers to keep theirs apart.
unsafe impl Send for Shared<'_> {}
// SAFETY: as for `Send`.
unsafe impl Sync for Shared<'_> {}

impl<'m> Shared<'m> {
    #[inline(always)]
    fn range(self, addr: u32, len: usize) -> (*mut u8, usize) {
        let (space, offset) = self.map.locate(addr);
        let (pointer, size) = self.apertures[space];
        let start = offset.min(size);
        // SAFETY: start is at most the size of the allocation.
        (unsafe { pointer.add(start) }, len.min(size - start))
    }

    /// `len` bytes from `addr`, fewer when memory ends before, to be read and written by
    /// whoever holds a copy of the range.
    ///
    /// # Safety
    /// As long as the range is used, a byte that one thread writes through it may be read
    /// or written by no other thread at the same time, through this range or another.
    #[inline]
    pub unsafe fn bytes(self, addr: u32, len: usize) -> SharedBytes<'m> {
        let (start, len) = self.range(addr, len);
        SharedBytes {
            start,
            len,
            memory: PhantomData,
        }
    }

    /// `len` bytes from `addr` for writing; fewer when memory ends before.
    ///
    /// # Safety
    /// While the slice lives, no other thread may hold a slice or use a range that shares a
    /// byte with it, and this thread may hold no other one.
    #[inline(always)]
    pub unsafe fn slice_mut(self, addr: u32, len: usize) -> &'m mut [u8] {
        let (pointer, len) = self.range(addr, len);
        // SAFETY: the range lies inside one live allocation, and the caller keeps it apart
        // from all others.
        unsafe { std::slice::from_raw_parts_mut(pointer, len) }
    }
}

/// A range of shared memory, the bytes of a surface for example; see the module.
#[derive(Clone, Copy, Debug)]
pub struct SharedBytes<'m> {
    start: *mut u8,
    len: usize,
    memory: PhantomData<&'m mut [u8]>,
}

// SAFETY: whoever made the range promised that threads do not meet in one byte
// (`Shared::bytes`, `SharedBytes::new`).
unsafe impl Send for SharedBytes<'_> {}
// SAFETY: as for `Send`.
unsafe impl Sync for SharedBytes<'_> {}

impl<'m> SharedBytes<'m> {
    /// These bytes.
    ///
    /// # Safety
    /// As for [`Shared::bytes`].
    pub unsafe fn new(bytes: &'m mut [u8]) -> SharedBytes<'m> {
        SharedBytes {
            start: bytes.as_mut_ptr(),
            len: bytes.len(),
            memory: PhantomData,
        }
    }

    /// How many bytes.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// Has it no bytes?
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// `len` bytes from `offset` on, if all of them are inside.
    #[inline(always)]
    pub fn part(self, offset: usize, len: usize) -> Option<SharedBytes<'m>> {
        if offset.checked_add(len)? > self.len {
            return None;
        }
        Some(SharedBytes {
            // SAFETY: `offset` is inside the range.
            start: unsafe { self.start.add(offset) },
            len,
            memory: PhantomData,
        })
    }

    /// The value at `offset`, aligned or not, if all of it is inside.
    #[inline(always)]
    pub fn cell<T: Bits>(self, offset: usize) -> Option<Cell<'m, T>> {
        let part = self.part(offset, size_of::<T>())?;
        Some(Cell {
            at: part.start.cast(),
            memory: PhantomData,
        })
    }

    /// The first value; the range begins behind it afterwards. `None` at the end.
    #[inline(always)]
    pub fn next_cell<T: Bits>(&mut self) -> Option<Cell<'m, T>> {
        let first = self.cell(0)?;
        *self = self.part(size_of::<T>(), self.len - size_of::<T>())?;
        Some(first)
    }

    /// All whole values, one after the other.
    #[inline(always)]
    pub fn cells<T: Bits>(self) -> impl Iterator<Item = Cell<'m, T>> {
        (0..self.len / size_of::<T>()).map(move |i| Cell {
            // SAFETY: that many values are inside the range.
            at: unsafe { self.start.cast::<T>().add(i) },
            memory: PhantomData,
        })
    }

    /// A rectangle of words in rows of `pitch` bytes, whose columns and rows count from the
    /// word at `origin`, which may lie before the range.
    #[inline(always)]
    pub fn area(self, origin: usize, pitch: usize) -> Area<'m> {
        Area {
            start: self.start.wrapping_add(origin),
            pitch,
            #[cfg(debug_assertions)]
            range: [self.start.addr(), self.start.addr() + self.len],
            memory: PhantomData,
        }
    }
}

/// Values of which any bits are good.
///
/// # Safety
/// The type has no padding, and every pattern of bits is a value.
pub unsafe trait Bits: Copy + 'static {}

// SAFETY: integers and arrays of them have no padding and no wrong values.
unsafe impl Bits for u8 {}
// SAFETY: as above.
unsafe impl Bits for u16 {}
// SAFETY: as above.
unsafe impl Bits for u32 {}
// SAFETY: as above.
unsafe impl<T: Bits, const N: usize> Bits for [T; N] {}

/// A value in shared memory, in the machine's byte order; its place was checked.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'m, T> {
    at: *mut T,
    memory: PhantomData<&'m mut T>,
}

impl<T: Bits> Cell<'_, T> {
    /// The value.
    #[inline(always)]
    pub fn load(self) -> T {
        // SAFETY: the place is inside a live range and no other thread writes it now; any
        // bits are a value.
        unsafe { self.at.read_unaligned() }
    }

    /// Replaces it.
    #[inline(always)]
    pub fn store(self, value: T) {
        // SAFETY: as for `load`, and no other thread reads it now.
        unsafe { self.at.write_unaligned(value) }
    }
}

/// A rectangle of 32-bit words, see [`SharedBytes::area`]. It knows where its rows lie but not
/// where they end: for code that has checked a whole rectangle and picks words out of it.
#[derive(Clone, Copy, Debug)]
pub struct Area<'m> {
    /// The word that columns and rows are counted from.
    start: *mut u8,
    pitch: usize,
    /// Where the range begins and ends: what tests and fuzzing hold every access against.
    #[cfg(debug_assertions)]
    range: [usize; 2],
    memory: PhantomData<&'m mut [u8]>,
}

impl<'m> Area<'m> {
    /// Is the value that begins with the word in column `x`, row `y` inside? Only builds with
    /// debug assertions know; the others say yes.
    #[inline(always)]
    pub fn has<T: Bits>(&self, x: i32, y: i32) -> bool {
        #[cfg(debug_assertions)]
        {
            let at = self.place(x, y).addr();
            at >= self.range[0] && at + size_of::<T>() <= self.range[1]
        }
        #[cfg(not(debug_assertions))]
        {
            let _ = (x, y);
            true
        }
    }

    #[inline(always)]
    fn place(&self, x: i32, y: i32) -> *mut u8 {
        let at = y as usize * self.pitch + 4 * x as usize;
        self.start.wrapping_add(at)
    }

    /// Where the word is that columns and rows are counted from, and how many bytes there
    /// are from row to row. Good as long as the area is.
    #[inline(always)]
    pub fn parts(&self) -> (*mut u8, usize) {
        (self.start, self.pitch)
    }

    /// The value that begins with the word in column `x`, row `y`.
    ///
    /// # Safety
    /// All of it must be inside the range that the area is of.
    #[inline(always)]
    pub unsafe fn cell<T: Bits>(&self, x: i32, y: i32) -> Cell<'m, T> {
        debug_assert!(self.has::<T>(x, y), "outside: column {x}, row {y}");
        Cell {
            at: self.place(x, y).cast(),
            memory: PhantomData,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_regs::Chip;

    #[test]
    fn threads_write_disjoint_bytes() {
        let mut memory = Memory::new(Chip::Nv2a);
        let shared = memory.share();
        // SAFETY: each worker has 16 bytes of its own.
        let range = unsafe { shared.bytes(0, 64) };
        std::thread::scope(|scope| {
            for worker in 0..4 {
                scope.spawn(move || {
                    let part = range.part(worker * 16, 16).expect("inside");
                    for cell in part.cells::<u8>() {
                        cell.store(worker as u8 + 1);
                    }
                });
            }
        });
        assert_eq!(memory.read_u32(0x30), 0x0404_0404);
    }

    #[test]
    fn a_range_ends_where_it_says() {
        let mut bytes: Vec<u8> = (0..10).collect();
        // SAFETY: there is one thread.
        let mut range = unsafe { SharedBytes::new(&mut bytes) };
        assert_eq!(range.cell::<u32>(6).map(Cell::load), Some(0x0908_0706));
        assert!(range.cell::<u32>(7).is_none());
        assert!(range.cell::<u8>(usize::MAX).is_none());
        assert!(range.part(10, 0).is_some_and(SharedBytes::is_empty));
        assert!(range.part(11, 0).is_none());
        assert_eq!(range.cells::<[u8; 4]>().count(), 2);
        assert!(range.next_cell::<[u8; 8]>().is_some());
        assert_eq!(range.next_cell::<u16>().map(Cell::load), Some(0x0908));
        assert!(range.next_cell::<u8>().is_none());
    }

    #[test]
    fn memory_ends_the_range_that_is_too_long() {
        let mut memory = Memory::new(Chip::Nv2a);
        let shared = memory.share();
        // SAFETY: there is one thread.
        let range = unsafe { shared.bytes(0x03FF_FFFC, 100) };
        assert_eq!(range.len(), 4);
    }
}
