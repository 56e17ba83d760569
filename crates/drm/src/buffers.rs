//! Buffers: ranges of one file, mapped into the chip's apertures at their GPU addresses.
//!
//! ```text
//! file       |  A  |    B    | C |            offsets are what a driver maps
//! aperture 0    | B       |    | A  |         VRAM, or all of a Mali's addresses
//! aperture 1 | C |                            GART
//! ```
//!
//! Where no buffer is, an aperture has anonymous pages, so that no address of the chip's can
//! fault.

use crate::user::Errno;
use std::collections::BTreeMap;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Size of a page, and the least a buffer occupies.
pub(crate) const PAGE: u64 = 4096;

/// One of the chip's two address ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// Memory on the board; all of a Mali's.
    Vram,
    /// Memory on the bus.
    Gart,
}

/// A buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    /// Bytes, whole pages.
    pub size: u64,
    /// Where it lies in the file.
    pub file: u64,
    pub space: Space,
    /// Where it lies in its aperture.
    pub offset: u64,
    /// The driver may write to it without telling anybody: it has asked where to map it.
    pub mapped: bool,
    /// Layout words that the driver gave, for it to ask back.
    pub tile: [u32; 2],
}

/// An address range with its free parts.
struct Aperture {
    start: *mut u8,
    size: u64,
    /// Start and length of what is free.
    free: BTreeMap<u64, u64>,
    used: u64,
}

impl Aperture {
    /// Reserves the address range. `first` bytes at its beginning are nobody's: offset 0 is
    /// too often a mistake.
    fn new(size: u64, first: u64) -> Result<Aperture, Errno> {
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
    fn take(&mut self, size: u64, align: u64) -> Option<u64> {
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

    fn give_back(&mut self, at: u64, size: u64) {
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
fn map(at: *mut u8, size: u64, file: Option<(&OwnedFd, u64)>) -> Result<*mut u8, Errno> {
    let fixed = if at.is_null() { 0 } else { libc::MAP_FIXED };
    let (flags, fd, offset) = match file {
        Some((fd, offset)) => (libc::MAP_SHARED, fd.as_raw_fd(), offset),
        None => (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0),
    };
    // SAFETY: a fixed address lies in an aperture that this module reserved and that only the
    // chip uses, by addresses and not by references that live across this call.
    let start = unsafe {
        libc::mmap(
            at.cast(),
            size as usize,
            libc::PROT_READ | libc::PROT_WRITE,
            flags | fixed | libc::MAP_NORESERVE,
            fd,
            offset as libc::off_t,
        )
    };
    if start == libc::MAP_FAILED {
        Err(libc::ENOMEM)
    } else {
        Ok(start.cast())
    }
}

/// All buffers of the device.
pub(crate) struct Buffers {
    file: OwnedFd,
    /// End of what the file was ever asked for.
    end: u64,
    apertures: [Aperture; 2],
    /// Bytes that each aperture may hold.
    limits: [u64; 2],
    list: BTreeMap<u32, Buffer>,
    next: u32,
}

// SAFETY: the apertures are used by whoever owns the value.
unsafe impl Send for Buffers {}

impl Buffers {
    /// Apertures of these sizes that hold as much as `limits` say.
    pub(crate) fn new(file: OwnedFd, sizes: [u64; 2], limits: [u64; 2]) -> Result<Buffers, Errno> {
        Ok(Buffers {
            file,
            end: 0,
            apertures: [
                Aperture::new(sizes[0], 16 * PAGE)?,
                Aperture::new(sizes[1], PAGE)?,
            ],
            limits,
            list: BTreeMap::new(),
            next: 1,
        })
    }

    /// Start and length of the apertures, for the chip.
    pub(crate) fn apertures(&self) -> [(*mut u8, usize); 2] {
        let [a, b] = &self.apertures;
        [(a.start, a.size as usize), (b.start, b.size as usize)]
    }

    /// Bytes that are left in an aperture.
    pub(crate) fn available(&self, space: Space) -> u64 {
        self.limits[space as usize].saturating_sub(self.apertures[space as usize].used)
    }

    /// Makes a buffer; its handle.
    pub(crate) fn create(&mut self, size: u64, align: u64, space: Space) -> Result<u32, Errno> {
        let size = size.checked_next_multiple_of(PAGE).ok_or(libc::EINVAL)?;
        if size == 0 || self.list.len() >= 1 << 16 {
            return Err(libc::EINVAL);
        }
        let file = self.end;
        let end = file.checked_add(size).ok_or(libc::ENOMEM)?;
        if self.available(space) < size {
            return Err(libc::ENOMEM);
        }
        // SAFETY: the descriptor is a file of ours.
        if unsafe { libc::ftruncate(self.file.as_raw_fd(), end as libc::off_t) } != 0 {
            return Err(libc::ENOMEM);
        }
        let offset = self.place(file, size, align, space)?;
        self.end = end;
        let handle = self.next;
        self.next += 1;
        self.list.insert(
            handle,
            Buffer {
                size,
                file,
                space,
                offset,
                mapped: false,
                tile: [0; 2],
            },
        );
        Ok(handle)
    }

    /// Maps a range of the file into an aperture.
    fn place(&mut self, file: u64, size: u64, align: u64, space: Space) -> Result<u64, Errno> {
        let align = align.max(PAGE).checked_next_power_of_two();
        let aperture = &mut self.apertures[space as usize];
        let offset = aperture.take(size, align.ok_or(libc::EINVAL)?);
        let offset = offset.ok_or(libc::ENOMEM)?;
        // SAFETY: the offset lies in the aperture.
        let at = unsafe { aperture.start.add(offset as usize) };
        match map(at, size, Some((&self.file, file))) {
            Ok(_) => Ok(offset),
            Err(errno) => {
                aperture.give_back(offset, size);
                Err(errno)
            }
        }
    }

    /// Takes a buffer out of its aperture.
    fn displace(&mut self, buffer: &Buffer) {
        let aperture = &mut self.apertures[buffer.space as usize];
        // SAFETY: the offset lies in the aperture.
        let at = unsafe { aperture.start.add(buffer.offset as usize) };
        // If the system has no page tables left for this, the old pages stay visible there,
        // where nothing is.
        let _ = map(at, buffer.size, None);
        aperture.give_back(buffer.offset, buffer.size);
    }

    pub(crate) fn get(&self, handle: u32) -> Result<&Buffer, Errno> {
        self.list.get(&handle).ok_or(libc::ENOENT)
    }

    pub(crate) fn get_mut(&mut self, handle: u32) -> Result<&mut Buffer, Errno> {
        self.list.get_mut(&handle).ok_or(libc::ENOENT)
    }

    /// The buffer at an offset of the file.
    pub(crate) fn mark_mapped(&mut self, file: u64) {
        let mut buffers = self.list.values_mut();
        if let Some(buffer) = buffers.find(|b| (b.file..b.file + b.size).contains(&file)) {
            buffer.mapped = true;
        }
    }

    /// Moves a buffer to the other aperture; its bytes and the driver's mappings stay.
    pub(crate) fn relocate(&mut self, handle: u32, space: Space) -> Result<(), Errno> {
        let old = *self.get(handle)?;
        if self.available(space) < old.size {
            return Err(libc::ENOMEM);
        }
        let offset = self.place(old.file, old.size, PAGE, space)?;
        self.displace(&old);
        let buffer = self.get_mut(handle)?;
        (buffer.space, buffer.offset) = (space, offset);
        Ok(())
    }

    /// Forgets a buffer; its pages go back to the system.
    pub(crate) fn close(&mut self, handle: u32) -> Result<(), Errno> {
        let buffer = self.list.remove(&handle).ok_or(libc::ENOENT)?;
        self.displace(&buffer);
        // SAFETY: the descriptor is a file of ours, and the range nobody's any more. Where the
        // file system cannot punch holes, the pages stay until the program ends.
        unsafe {
            libc::fallocate(
                self.file.as_raw_fd(),
                libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE,
                buffer.file as libc::off_t,
                buffer.size as libc::off_t,
            )
        };
        Ok(())
    }
}

/// An anonymous file.
pub(crate) fn anonymous_file() -> Result<OwnedFd, Errno> {
    // SAFETY: the name is a string that ends.
    let fd = unsafe { libc::memfd_create(c"isotherm".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(libc::ENOMEM);
    }
    // SAFETY: the descriptor is new and ours.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffers() -> Buffers {
        let file = anonymous_file().unwrap();
        Buffers::new(file, [1 << 20, 1 << 20], [1 << 19, 1 << 20]).unwrap()
    }

    /// A byte of a buffer as the chip sees it.
    fn byte(buffers: &Buffers, handle: u32) -> *mut u8 {
        let buffer = buffers.get(handle).unwrap();
        let (start, _) = buffers.apertures()[buffer.space as usize];
        // SAFETY: the buffer lies in the aperture.
        unsafe { start.add(buffer.offset as usize) }
    }

    #[test]
    fn bytes_survive_a_move() {
        let mut buffers = buffers();
        let handle = buffers.create(5000, 0, Space::Gart).unwrap();
        // SAFETY: the page is mapped, and nobody else uses it.
        unsafe { *byte(&buffers, handle) = 42 };
        let old = byte(&buffers, handle);
        buffers.relocate(handle, Space::Vram).unwrap();
        // SAFETY: as above; the old place has an anonymous page now.
        unsafe {
            assert_eq!(*byte(&buffers, handle), 42);
            assert_eq!(*old, 0);
        }
        assert_eq!(buffers.get(handle).unwrap().size, 8192);
    }

    #[test]
    fn memory_is_as_large_as_the_boards() {
        let mut buffers = buffers();
        let first = buffers.create(1 << 18, 0, Space::Vram).unwrap();
        buffers.create(1 << 18, 0, Space::Vram).unwrap();
        assert_eq!(buffers.create(1, 0, Space::Vram), Err(libc::ENOMEM));
        buffers.close(first).unwrap();
        assert!(buffers.create(1 << 18, 0, Space::Vram).is_ok());
        assert_eq!(buffers.close(first), Err(libc::ENOENT));
    }

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

    #[test]
    fn absurd_sizes_are_refused() {
        let mut buffers = buffers();
        assert!(buffers.create(0, 0, Space::Vram).is_err());
        assert!(buffers.create(u64::MAX, 0, Space::Vram).is_err());
        assert!(buffers.create(PAGE, u64::MAX, Space::Vram).is_err());
    }
}
