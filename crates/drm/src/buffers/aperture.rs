//! Address ranges of the chip, and what of them is free.

use crate::user::Errno;
use std::collections::BTreeMap;
use std::os::fd::{AsRawFd, OwnedFd};

/// An address range with its free parts.
pub(super) struct Aperture {
    pub start: *mut u8,
    pub size: u64,
    /// Start and length of what is free.
    free: BTreeMap<u64, u64>,
    pub used: u64,
}

impl Aperture {
    /// Reserves the address range. `first` bytes at its beginning are nobody's: offset 0 is
    /// too often a mistake.
    pub(super) fn new(size: u64, first: u64) -> Result<Aperture, Errno> {
        let start = if size == 0 {
            std::ptr::null_mut()
        } else {
            map(std::ptr::null_mut(), size, None)?
        };
        let mut free = BTreeMap::new();
        if first < size {
            free.insert(first, size - first);
        }
        let used = 0;
        Ok(Aperture {
            start,
            size,
            free,
            used,
        })
    }

    /// The first free place that is large enough.
    pub(super) fn take(&mut self, size: u64, align: u64) -> Option<u64> {
        let (start, len, at) = self.free.iter().find_map(|(&start, &len)| {
            let at = start.checked_next_multiple_of(align)?;
            let end = at.checked_add(size)?;
            (end <= start + len).then_some((start, len, at))
        })?;
        self.free.remove(&start);
        if at > start {
            self.free.insert(start, at - start);
        }
        let (end, limit) = (at + size, start + len);
        if limit > end {
            self.free.insert(end, limit - end);
        }
        self.used += size;
        Some(at)
    }

    pub(super) fn give_back(&mut self, at: u64, size: u64) {
        self.used -= size;
        let (mut start, mut end) = (at, at + size);
        if let Some(len) = self.free.remove(&end) {
            end += len;
        }
        let before = self.free.range(..start).next_back().map(|(&s, &l)| (s, l));
        if let Some((s, l)) = before.filter(|(s, l)| s + l == start) {
            self.free.remove(&s);
            start -= l;
        }
        self.free.insert(start, end - start);
    }
}

/// Maps anonymous pages, or a range of a file, anywhere or at an address.
pub(super) fn map(at: *mut u8, size: u64, file: Option<(&OwnedFd, u64)>) -> Result<*mut u8, Errno> {
    let fixed = if at.is_null() { 0 } else { libc::MAP_FIXED };
    let (flags, fd, offset) = match file {
        Some((fd, offset)) => (libc::MAP_SHARED, fd.as_raw_fd(), offset),
        None => (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0),
    };
    // By the system call itself: `mmap` is one of the symbols that are answered here.
    // SAFETY: a fixed address lies in an aperture that this module reserved and that only the
    // chip uses, by addresses and not by references that live across this call; or it is the
    // program's mapping of the same bytes.
    let start = unsafe {
        libc::syscall(
            libc::SYS_mmap,
            at,
            size as usize,
            libc::PROT_READ | libc::PROT_WRITE,
            flags | fixed | libc::MAP_NORESERVE,
            fd,
            offset as libc::off_t,
        )
    };
    if start == -1 {
        Err(libc::ENOMEM)
    } else {
        Ok(start as *mut u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffers::PAGE;

    #[test]
    fn free_places_grow_together_again() {
        let mut aperture = Aperture::new(16 * PAGE, 0).unwrap();
        let places: Vec<u64> = (0..16).filter_map(|_| aperture.take(PAGE, PAGE)).collect();
        assert_eq!((places.len(), aperture.take(PAGE, PAGE)), (16, None));
        for at in places
            .iter()
            .rev()
            .step_by(2)
            .chain(places.iter().step_by(2))
        {
            aperture.give_back(*at, PAGE);
        }
        assert_eq!(aperture.take(16 * PAGE, PAGE), Some(0));
    }
}
