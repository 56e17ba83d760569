//! The bytes of one aperture: our own, or a mapping that somebody lends us.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Bytes that stay where they are.
pub(super) struct Block {
    start: NonNull<u8>,
    len: usize,
    owner: Owner,
}

/// Whose bytes they are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// Ours, from the allocator, which gets them back.
    #[cfg(not(target_arch = "wasm32"))]
    Heap,
    /// Ours, and nobody takes them back; or there are none.
    Forever,
    /// Somebody else's.
    Lender,
}

impl Default for Block {
    fn default() -> Block {
        Block {
            start: NonNull::dangling(),
            len: 0,
            owner: Owner::Forever,
        }
    }
}

impl Block {
    /// Zeroed memory whose pages are not touched before they are used; `None` when the system
    /// refuses. WebAssembly never takes memory back: who wants another chip there resets the
    /// one that there is.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn zeroed(len: usize) -> Option<Block> {
        const PAGE: usize = 64 << 10;
        let first = std::arch::wasm32::memory_grow::<0>(len.div_ceil(PAGE));
        let start = (first != usize::MAX).then(|| first * PAGE)?;
        Some(Block {
            start: NonNull::new(start as *mut u8)?,
            len,
            owner: Owner::Forever,
        })
    }

    /// Zeroed memory whose pages are not touched before they are used; `None` when the system
    /// refuses.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn zeroed(len: usize) -> Option<Block> {
        let layout = std::alloc::Layout::array::<u8>(len).ok()?;
        if len == 0 {
            return Some(Block::default());
        }
        // SAFETY: the layout has a size above zero.
        let start = NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })?;
        Some(Block {
            start,
            len,
            owner: Owner::Heap,
        })
    }

    /// Memory of somebody else.
    ///
    /// # Safety
    /// See [`super::Memory::backed`].
    pub(super) unsafe fn mapped(start: NonNull<u8>, len: usize) -> Block {
        Block {
            start,
            len,
            owner: Owner::Lender,
        }
    }

    /// Where its bytes are.
    pub(super) fn pointer(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The bytes from `start` to `end`, and a reference to no others: threads may be drawing
    /// into those.
    #[inline(always)]
    pub(super) fn part(&self, start: usize, end: usize) -> &[u8] {
        assert!(start <= end && end <= self.len);
        // SAFETY: as for `deref`, and the range lies inside.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr().add(start), end - start) }
    }

    /// The same for writing.
    #[inline(always)]
    pub(super) fn part_mut(&mut self, start: usize, end: usize) -> &mut [u8] {
        assert!(start <= end && end <= self.len);
        // SAFETY: as for `part`; and nobody else holds a reference to them.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().add(start), end - start) }
    }

    /// Somebody else may write to it, unseen.
    pub(super) fn is_lent(&self) -> bool {
        self.owner == Owner::Lender
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        #[cfg(not(target_arch = "wasm32"))]
        if self.owner == Owner::Heap {
            // SAFETY: `zeroed` got the memory from the global allocator with the layout that
            // a Vec<u8> of this capacity has.
            drop(unsafe { Vec::from_raw_parts(self.start.as_ptr(), self.len, self.len) });
        }
    }
}

impl Deref for Block {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        // SAFETY: `len` initialised bytes from `start` on live as long as the block: they are
        // ours, or whoever lent them vouched for it.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for Block {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `deref`; and nobody else holds a reference to them.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

// SAFETY: a block is a plain range of bytes that nothing else refers to, or one that its
// lender allowed to be used from any thread.
unsafe impl Send for Block {}
// SAFETY: as for `Send`.
unsafe impl Sync for Block {}
