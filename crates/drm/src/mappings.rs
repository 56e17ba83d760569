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

/// Unmapping works on whole pages.
const PAGE: usize = 4096;

static LIST: Mutex<BTreeMap<usize, Mapping>> = Mutex::new(BTreeMap::new());

fn list() -> MutexGuard<'static, BTreeMap<usize, Mapping>> {
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a mapping.
pub(crate) fn add(mapping: Mapping) {
    list().insert(mapping.at, mapping);
}

/// Forgets what lies in a range of addresses: it is unmapped, or something else is mapped there.
/// What is left of a mapping on either side stays one.
pub(crate) fn remove(at: usize, len: usize) {
    let len = len.checked_next_multiple_of(PAGE).unwrap_or(usize::MAX);
    let end = at.saturating_add(len);
    let mut list = list();
    let over = |m: &&Mapping| m.at < end && at < m.at.saturating_add(m.len);
    let cut: Vec<Mapping> = list.values().filter(over).copied().collect();
    for mapping in cut {
        list.remove(&mapping.at);
        let last = mapping.at.saturating_add(mapping.len);
        let mut keep = |from: usize, to: usize| {
            if from < to {
                let part = Mapping {
                    at: from,
                    len: to - from,
                    offset: mapping.offset + (from - mapping.at) as u64,
                };
                list.insert(from, part);
            }
        };
        keep(mapping.at, at.min(last));
        keep(end.max(mapping.at), last);
    }
}

/// The mappings that begin in a range of the device's offsets.
pub(crate) fn within(offset: u64, len: u64) -> Vec<Mapping> {
    let list = list();
    let inside = list
        .values()
        .filter(|m| (offset..offset + len).contains(&m.offset));
    inside.copied().collect()
}

/// The list is the process's, which has one device; tests that share buffers take turns.
#[cfg(test)]
pub(crate) fn one_device() -> MutexGuard<'static, ()> {
    static DEVICE: Mutex<()> = Mutex::new(());
    DEVICE.lock().unwrap_or_else(PoisonError::into_inner)
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
        remove(0x1000, 0x2000);
        assert_eq!(within(1 << 60, 1), []);
    }

    #[test]
    fn a_part_that_is_unmapped_is_forgotten() {
        let part = |at: usize, len: usize| Mapping {
            at,
            len,
            offset: (1 << 61) + at as u64,
        };
        add(part(0x10_0000, 0x8000));
        remove(0x10_2000, 1);
        let found = || within(1 << 61, 1 << 32);
        let (left, right) = (part(0x10_0000, 0x2000), part(0x10_3000, 0x5000));
        assert_eq!(found(), [left, right]);
        remove(0xf_f000, 0x5000);
        assert_eq!(found(), [part(0x10_4000, 0x4000)]);
        remove(0x10_8000, 0x1000);
        assert_eq!(found().len(), 1, "beside it");
        remove(0x10_4000, 0x3fff);
        assert_eq!(found(), []);
    }
}
