//! A block of memory that a chip sees: owned, or lent by whoever embeds the chip.

use std::ops::{Deref, DerefMut};

/// Bytes at a fixed address.
pub(super) struct Block {
    start: *mut u8,
    len: usize,
    owned: bool,
}

// SAFETY: a block is the only user of its bytes: it allocated them, or whoever lent them
// promised that (`Block::lent`).
unsafe impl Send for Block {}
// SAFETY: through a shared block bytes can only be read.
unsafe impl Sync for Block {}

impl Default for Block {
    fn default() -> Block {
        Block {
            start: std::ptr::NonNull::dangling().as_ptr(),
            len: 0,
            owned: false,
        }
    }
}

fn layout(len: usize) -> Option<std::alloc::Layout> {
    std::alloc::Layout::array::<u8>(len).ok()
}

impl Block {
    /// Zeroed memory whose pages are not touched before they are used, or `None` where the
    /// system refuses.
    pub(super) fn zeroed(len: usize) -> Option<Block> {
        if len == 0 {
            return Some(Block::default());
        }
        // SAFETY: the layout's size is above zero.
        let start = unsafe { std::alloc::alloc_zeroed(layout(len)?) };
        let owned = true;
        (!start.is_null()).then_some(Block { start, len, owned })
    }

    /// Memory of somebody else.
    ///
    /// # Safety
    /// The `len` bytes from `start` on stay readable and writable as long as the block lives,
    /// and nobody reads or writes them while a method of the chip runs.
    pub(super) unsafe fn lent(start: *mut u8, len: usize) -> Block {
        let owned = false;
        Block { start, len, owned }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Some(layout) = layout(self.len).filter(|_| self.owned) {
            // SAFETY: `zeroed` allocated it with this layout.
            unsafe { std::alloc::dealloc(self.start, layout) };
        }
    }
}

impl Deref for Block {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        // SAFETY: the bytes are there and initialised, see `zeroed` and `lent`.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl DerefMut for Block {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and nobody else has the block.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}
