//! Where the program has mapped buffers.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A mapping: its address, bytes, and the device's offset that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mapping {
    pub at: usize,
    pub len: usize,
    pub offset: u64,
}

static LIST: Mutex<BTreeMap<usize, Mapping>> = Mutex::new(BTreeMap::new());

fn list() -> MutexGuard<'static, BTreeMap<usize, Mapping>> {
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a mapping.
pub(crate) fn add(mapping: Mapping) {
    list().insert(mapping.at, mapping);
}

/// Forgets the mapping that begins at an address, if there is one.
pub(crate) fn remove(at: usize) {
    list().remove(&at);
}

/// The mappings that begin in a range of the device's offsets.
pub(crate) fn within(offset: u64, len: u64) -> Vec<Mapping> {
    let list = list();
    let inside = list
        .values()
        .filter(|m| (offset..offset + len).contains(&m.offset));
    inside.copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_found_by_their_offset() {
        let mapping = Mapping {
            at: 0x1000,
            len: 0x2000,
            offset: 1 << 60,
        };
        add(mapping);
        assert_eq!(within(1 << 60, 1), [mapping]);
        assert_eq!(within((1 << 60) + 1, 100), []);
        remove(0x1000);
        assert_eq!(within(1 << 60, 1), []);
    }
}
