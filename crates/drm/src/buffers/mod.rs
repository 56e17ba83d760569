//! Buffers: ranges of one file, mapped into the chip's apertures at their GPU addresses.
//!
//! ```text
//! file       |  A  |    B    | C |            offsets are what a driver maps
//! aperture 0    | B       |    | A  |         VRAM, or all of a Mali's addresses
//! aperture 1 | C |                            GART
//! ```
//!
//! Where no buffer is, an aperture has anonymous pages, so that no address of the chip's can
//! fault. A buffer that others shall see too (PRIME) gets a file of its own; its offset stays
//! what a driver maps it by.

mod aperture;
mod shared;

use crate::user::Errno;
use aperture::{Aperture, map};
use isotherm::memory::GART;
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
    /// How many times it has to be closed.
    pub references: u32,
    /// Layout words that the driver gave, for it to ask back.
    pub tile: [u32; 2],
}

impl Buffer {
    /// The chip's address of its first byte.
    pub(crate) fn address(&self) -> u32 {
        match self.space {
            Space::Vram => self.offset as u32,
            Space::Gart => GART | self.offset as u32,
        }
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
    /// Files of buffers that have their own.
    shared: BTreeMap<u32, OwnedFd>,
    /// What closed buffers have left in the apertures.
    left: Vec<Left>,
    next: u32,
}

/// The bytes of a closed buffer. A board's memory keeps them until the place is used again,
/// and nouveau relies on it: it closes index buffers of draws that are not submitted yet.
struct Left {
    space: Space,
    offset: u64,
    size: u64,
    /// Where they are in the common file, if they are there.
    file: Option<u64>,
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
            shared: BTreeMap::new(),
            left: Vec::new(),
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
        let (size, end) = self.grown(size, space)?;
        let file = self.end;
        let offset = self.place((None, file), size, align, space)?;
        self.end = end;
        Ok(self.enter(size, file, (space, offset)))
    }

    /// Room for another buffer in the file: its size in whole pages, and the file's new end.
    fn grown(&self, size: u64, space: Space) -> Result<(u64, u64), Errno> {
        let size = size.checked_next_multiple_of(PAGE).ok_or(libc::EINVAL)?;
        if size == 0 || self.list.len() >= 1 << 16 {
            return Err(libc::EINVAL);
        }
        let end = self.end.checked_add(size).ok_or(libc::ENOMEM)?;
        if self.available(space) < size {
            return Err(libc::ENOMEM);
        }
        resize(&self.file, end)?;
        Ok((size, end))
    }

    /// Enters a buffer into the list; its handle.
    fn enter(&mut self, size: u64, file: u64, (space, offset): (Space, u64)) -> u32 {
        let handle = self.next;
        self.next += 1;
        let buffer = Buffer {
            size,
            file,
            space,
            offset,
            mapped: false,
            references: 1,
            tile: [0; 2],
        };
        self.list.insert(handle, buffer);
        handle
    }

    /// Maps a range of the file, or of a buffer's own file, into an aperture.
    fn place(
        &mut self,
        (own, start): (Option<u32>, u64),
        size: u64,
        align: u64,
        space: Space,
    ) -> Result<u64, Errno> {
        let align = align.max(PAGE).checked_next_power_of_two();
        let align = align.ok_or(libc::EINVAL)?;
        let taken = self.apertures[space as usize].take(size, align);
        let offset = taken.ok_or(libc::ENOMEM)?;
        self.clear(space, offset, size);
        let at = self.at(space, offset);
        let file = own.and_then(|handle| self.shared.get(&handle));
        match map(at, size, Some((file.unwrap_or(&self.file), start))) {
            Ok(_) => Ok(offset),
            Err(errno) => {
                self.apertures[space as usize].give_back(offset, size);
                Err(errno)
            }
        }
    }

    /// The chip's view of a place.
    fn at(&self, space: Space, offset: u64) -> *mut u8 {
        let start = self.apertures[space as usize].start;
        // SAFETY: offsets lie in their aperture.
        unsafe { start.add(offset as usize) }
    }

    /// A place is used again: what closed buffers left there goes back to the system.
    fn clear(&mut self, space: Space, offset: u64, size: u64) {
        let over = |left: &Left| {
            let apart = left.offset + left.size <= offset || offset + size <= left.offset;
            left.space == space && !apart
        };
        let all = std::mem::take(&mut self.left);
        let (gone, kept): (Vec<Left>, _) = all.into_iter().partition(over);
        self.left = kept;
        for left in gone {
            let _ = map(self.at(left.space, left.offset), left.size, None);
            if let Some(start) = left.file {
                free_pages(&self.file, start, left.size);
            }
        }
    }

    /// Takes a buffer out of its aperture.
    fn displace(&mut self, buffer: &Buffer) {
        // If the system has no page tables left for this, the old pages stay visible there,
        // where nothing is.
        let _ = map(self.at(buffer.space, buffer.offset), buffer.size, None);
        self.apertures[buffer.space as usize].give_back(buffer.offset, buffer.size);
    }

    pub(crate) fn get(&self, handle: u32) -> Result<&Buffer, Errno> {
        self.list.get(&handle).ok_or(libc::ENOENT)
    }

    pub(crate) fn get_mut(&mut self, handle: u32) -> Result<&mut Buffer, Errno> {
        self.list.get_mut(&handle).ok_or(libc::ENOENT)
    }

    /// The file, and the place in it, that a driver maps by an offset of the device's. From now
    /// on the driver may write to the buffer without telling anybody. The descriptor is a copy:
    /// another thread may close the buffer before it is used.
    pub(crate) fn file_of(&mut self, offset: u64) -> Result<(OwnedFd, u64), Errno> {
        let mut buffers = self.list.iter_mut();
        let (handle, buffer) = buffers
            .find(|(_, b)| (b.file..b.file + b.size).contains(&offset))
            .ok_or(libc::EINVAL)?;
        buffer.mapped = true;
        let (file, start) = match self.shared.get(handle) {
            Some(own) => (own, offset - buffer.file),
            None => (&self.file, offset),
        };
        Ok((file.try_clone().map_err(|_| libc::EMFILE)?, start))
    }

    /// Moves a buffer to the other aperture; its bytes and the driver's mappings stay.
    pub(crate) fn relocate(&mut self, handle: u32, space: Space) -> Result<(), Errno> {
        let old = *self.get(handle)?;
        if self.available(space) < old.size {
            return Err(libc::ENOMEM);
        }
        let offset = self.place(self.source(handle, &old), old.size, PAGE, space)?;
        self.displace(&old);
        let buffer = self.get_mut(handle)?;
        (buffer.space, buffer.offset) = (space, offset);
        Ok(())
    }

    /// Where a buffer's bytes are: whose file, and from where on.
    fn source(&self, handle: u32, buffer: &Buffer) -> (Option<u32>, u64) {
        match self.shared.contains_key(&handle) {
            true => (Some(handle), 0),
            false => (None, buffer.file),
        }
    }

    /// Forgets a buffer. Its bytes stay where they are until the place is used again.
    pub(crate) fn close(&mut self, handle: u32) -> Result<(), Errno> {
        let buffer = self.list.get_mut(&handle).ok_or(libc::EINVAL)?;
        buffer.references -= 1;
        if buffer.references > 0 {
            return Ok(());
        }
        let Buffer {
            space,
            offset,
            size,
            file,
            ..
        } = *buffer;
        self.list.remove(&handle);
        let file = match self.shared.remove(&handle) {
            Some(_) => None,
            None => Some(file),
        };
        self.left.push(Left {
            space,
            offset,
            size,
            file,
        });
        self.apertures[space as usize].give_back(offset, size);
        Ok(())
    }
}

/// Gives a file's pages back to the system. Where the file system cannot punch holes, they stay
/// until the program ends.
fn free_pages(file: &OwnedFd, start: u64, size: u64) {
    let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
    // SAFETY: the descriptor is a file of ours, and the range nobody's any more.
    unsafe { libc::fallocate(file.as_raw_fd(), mode, start as i64, size as i64) };
}

/// Gives a file a size.
fn resize(file: &OwnedFd, size: u64) -> Result<(), Errno> {
    // SAFETY: the descriptor is a file of ours.
    match unsafe { libc::ftruncate(file.as_raw_fd(), size as libc::off_t) } {
        0 => Ok(()),
        _ => Err(libc::ENOMEM),
    }
}

/// An anonymous file.
pub(crate) fn anonymous_file() -> Result<OwnedFd, Errno> {
    let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
    // SAFETY: the name is a string that ends.
    let fd = unsafe { libc::memfd_create(c"isotherm".as_ptr(), flags) };
    if fd < 0 {
        return Err(libc::ENOMEM);
    }
    // SAFETY: the descriptor is new and ours.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn buffers() -> Buffers {
        let file = anonymous_file().unwrap();
        Buffers::new(file, [1 << 20, 1 << 20], [1 << 19, 1 << 20]).unwrap()
    }

    /// A byte of a buffer as the chip sees it.
    pub fn byte(buffers: &Buffers, handle: u32) -> *mut u8 {
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
        assert_eq!(buffers.close(first), Err(libc::EINVAL));
    }

    #[test]
    fn closed_buffers_keep_their_bytes_until_the_place_is_used_again() {
        let mut buffers = buffers();
        let first = buffers.create(2 * PAGE, 0, Space::Vram).unwrap();
        let place = byte(&buffers, first);
        // SAFETY: the page is mapped as long as the aperture is, and nobody else uses it.
        unsafe { *place = 5 };
        buffers.close(first).unwrap();
        // SAFETY: as above.
        unsafe { assert_eq!(*place, 5) };
        let second = buffers.create(PAGE, 0, Space::Vram).unwrap();
        assert_eq!(byte(&buffers, second), place);
        // SAFETY: as above.
        unsafe { assert_eq!(*place, 0) };
        assert!(buffers.left.is_empty());
    }

    #[test]
    fn absurd_sizes_are_refused() {
        let mut buffers = buffers();
        assert!(buffers.create(0, 0, Space::Vram).is_err());
        assert!(buffers.create(u64::MAX, 0, Space::Vram).is_err());
        assert!(buffers.create(PAGE, u64::MAX, Space::Vram).is_err());
    }
}
