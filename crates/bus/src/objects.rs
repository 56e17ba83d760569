//! What the hash table in instance memory (RAMHT) finds for a handle.

use crate::bundle::DmaSpan;
use std::collections::HashMap;

/// One object in instance memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// The handle that methods and bindings use.
    pub handle: u32,
    /// Where it lies in instance memory, in units of 16 bytes.
    pub instance: u32,
    /// Its class: 02h, 03h, 3Dh are DMA objects, all others graphics objects.
    pub class: u32,
    /// Its first four words.
    pub raw: [u32; 4],
    /// The memory a DMA object covers; empty for graphics objects.
    pub span: DmaSpan,
}

impl Object {
    /// Is it a DMA object?
    pub fn is_dma(&self) -> bool {
        matches!(self.class, 0x02 | 0x03 | 0x3D)
    }
}

/// All objects that have a handle.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    by_handle: HashMap<u32, Object>,
}

/// More handles than any hash table in instance memory can hold.
const MOST: usize = 1 << 16;

impl Objects {
    /// The object of a handle.
    #[inline]
    pub fn get(&self, handle: u32) -> Option<&Object> {
        self.by_handle.get(&handle)
    }

    /// The object at an instance address (in units of 16 bytes).
    pub fn at(&self, instance: u32) -> Option<&Object> {
        self.by_handle
            .values()
            .find(|object| object.instance == instance)
    }

    /// Puts an object in place of the one with the same handle. Returns whether there
    /// was room.
    pub fn insert(&mut self, object: Object) -> bool {
        if self.by_handle.len() >= MOST && !self.by_handle.contains_key(&object.handle) {
            return false;
        }
        self.by_handle.insert(object.handle, object);
        true
    }

    /// An instance address that no object has yet.
    pub fn fresh_instance(&self) -> u32 {
        // Drivers describe objects by handle and class alone; where they lie in instance
        // memory is the kernel's business, so any free place is as good.
        0x1000 + self.by_handle.len() as u32
    }

    /// All objects, by handle.
    pub fn sorted(&self) -> Vec<Object> {
        let mut all: Vec<Object> = self.by_handle.values().copied().collect();
        all.sort_by_key(|object| object.handle);
        all
    }
}
