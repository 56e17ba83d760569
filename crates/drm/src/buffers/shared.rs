//! Buffers that others see too (PRIME): each has a file of its own.

use super::aperture::map;
use super::{Buffer, Buffers, PAGE, Space, anonymous_file, resize};
use crate::hook::{FileId, file_id};
use crate::mappings;
use crate::user::Errno;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

impl Buffers {
    /// A descriptor of the buffer that others can map: its own file.
    pub(crate) fn export(&mut self, handle: u32, flags: i32) -> Result<RawFd, Errno> {
        let buffer = *self.get(handle)?;
        if !self.shared.contains_key(&handle) {
            let own = self.copied(&buffer)?;
            self.shared.insert(handle, own);
            self.remap(handle, &buffer)?;
        }
        self.get_mut(handle)?.mapped = true;
        let own = self.shared.get(&handle).ok_or(libc::ENOENT)?;
        let command = match flags & libc::O_CLOEXEC {
            0 => libc::F_DUPFD,
            _ => libc::F_DUPFD_CLOEXEC,
        };
        // SAFETY: the descriptor is a file of ours.
        match unsafe { libc::fcntl(own.as_raw_fd(), command, 3) } {
            -1 => Err(libc::EMFILE),
            fd => Ok(fd),
        }
    }

    /// A new file with a buffer's bytes.
    fn copied(&self, buffer: &Buffer) -> Result<OwnedFd, Errno> {
        let own = anonymous_file()?;
        resize(&own, buffer.size)?;
        seal(&own)?;
        let (start, _) = self.apertures()[buffer.space as usize];
        let to = map(std::ptr::null_mut(), buffer.size, Some((&own, 0)))?;
        // SAFETY: the buffer lies in its aperture, and the new mapping is as long.
        unsafe {
            let from = start.add(buffer.offset as usize);
            std::ptr::copy_nonoverlapping(from, to, buffer.size as usize);
            libc::munmap(to.cast(), buffer.size as usize);
        }
        Ok(own)
    }

    /// Puts a buffer's own file in the place of its range of the common one: in the chip's
    /// aperture, and wherever the program has it mapped.
    fn remap(&self, handle: u32, buffer: &Buffer) -> Result<(), Errno> {
        let own = self.shared.get(&handle).ok_or(libc::ENOENT)?;
        let (start, _) = self.apertures()[buffer.space as usize];
        // SAFETY: the offset lies in the aperture.
        let at = unsafe { start.add(buffer.offset as usize) };
        map(at, buffer.size, Some((own, 0)))?;
        for mapping in mappings::within(buffer.file, buffer.size) {
            let from = mapping.offset - buffer.file;
            let len = (mapping.len as u64).min(buffer.size - from);
            map(mapping.at as *mut u8, len, Some((own, from)))?;
        }
        Ok(())
    }

    /// The buffer behind a descriptor: one that was exported here, or a new one for a file of
    /// another process.
    pub(crate) fn import(&mut self, fd: RawFd, space: Space) -> Result<u32, Errno> {
        let id = file_id(fd).ok_or(libc::EBADF)?;
        if let Some(handle) = self.with_file(id) {
            return Ok(handle);
        }
        let ours = id == file_id(self.file.as_raw_fd()).unwrap_or_default();
        // SAFETY: asking for seals changes nothing; only anonymous files have any.
        let seals = unsafe { libc::fcntl(fd, libc::F_GET_SEALS) };
        // The chip would fault where a file that others can cut ends.
        if ours || seals < 0 || seals & libc::F_SEAL_SHRINK == 0 {
            return Err(libc::EINVAL);
        }
        // SAFETY: the descriptor is open. The copy is ours.
        let (own, size) = unsafe {
            let copy = libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 3);
            if copy < 0 {
                return Err(libc::EMFILE);
            }
            (
                OwnedFd::from_raw_fd(copy),
                libc::lseek(fd, 0, libc::SEEK_END),
            )
        };
        let size = u64::try_from(size).map_err(|_| libc::EINVAL)?;
        if !size.is_multiple_of(PAGE) {
            return Err(libc::EINVAL);
        }
        let (size, end) = self.grown(size, space)?;
        let handle = self.next;
        self.shared.insert(handle, own);
        match self.place((Some(handle), 0), size, PAGE, space) {
            Ok(offset) => {
                let file = std::mem::replace(&mut self.end, end);
                let handle = self.enter(size, file, (space, offset));
                self.get_mut(handle)?.mapped = true;
                Ok(handle)
            }
            Err(errno) => {
                self.shared.remove(&handle);
                Err(errno)
            }
        }
    }

    /// The chip's address of the buffer whose own file this is.
    pub(crate) fn address_of(&self, file: FileId) -> Option<u32> {
        let buffer = self.list.get(&self.with_file(file)?)?;
        Some(buffer.address())
    }

    /// The buffer whose own file this is.
    fn with_file(&self, id: FileId) -> Option<u32> {
        let mut files = self.shared.iter();
        let found = files.find(|(_, own)| file_id(own.as_raw_fd()) == Some(id));
        found.map(|(handle, _)| *handle)
    }
}

/// A file that others get keeps its size: neither side's mappings lose their pages.
fn seal(file: &OwnedFd) -> Result<(), Errno> {
    let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
    // SAFETY: the descriptor is a file of ours.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } {
        0 => Ok(()),
        _ => Err(libc::ENOMEM),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{buffers, byte};
    use super::*;

    #[test]
    fn exported_buffers_keep_their_bytes_and_mappings() {
        let _turn = mappings::one_device();
        let mut buffers = buffers();
        let handle = buffers.create(PAGE, 0, Space::Vram).unwrap();
        let (fd, offset) = buffers.file_of(0).unwrap();
        // SAFETY: a new mapping of a page that is there.
        let program = unsafe {
            let flags = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(
                std::ptr::null_mut(),
                4096,
                flags,
                libc::MAP_SHARED,
                fd.as_raw_fd(),
                offset as i64,
            )
        };
        let program = program.cast::<u8>();
        mappings::add(mappings::Mapping {
            at: program as usize,
            len: 4096,
            offset,
        });
        // SAFETY: the page is mapped, and nobody else uses it.
        unsafe { *program = 7 };
        let shared = buffers.export(handle, libc::O_CLOEXEC).unwrap();
        // SAFETY: as above.
        unsafe {
            assert_eq!(*byte(&buffers, handle), 7);
            *program = 8;
            assert_eq!(*byte(&buffers, handle), 8);
        }
        assert_eq!(buffers.import(shared, Space::Vram), Ok(handle));
        mappings::remove(program as usize, 4096);
    }

    #[test]
    fn files_of_others_become_buffers() {
        let _turn = mappings::one_device();
        let (mut here, mut there) = (buffers(), buffers());
        let handle = there.create(3 * PAGE, 0, Space::Gart).unwrap();
        let fd = there.export(handle, 0).unwrap();
        let copy = here.import(fd, Space::Vram).unwrap();
        assert_eq!(here.import(fd, Space::Vram), Ok(copy));
        // SAFETY: both pages are mapped, and nobody else uses them.
        unsafe {
            *byte(&there, handle) = 9;
            assert_eq!(*byte(&here, copy), 9);
        }
        here.relocate(copy, Space::Gart).unwrap();
        here.close(copy).unwrap();
        assert_eq!(here.import(-1, Space::Vram), Err(libc::EBADF));
        assert_eq!(here.import(0, Space::Vram), Err(libc::EINVAL));
    }

    #[test]
    fn shared_files_keep_their_size() {
        let _turn = mappings::one_device();
        let mut buffers = buffers();
        let handle = buffers.create(2 * PAGE, 0, Space::Vram).unwrap();
        let fd = buffers.export(handle, 0).unwrap();
        // SAFETY: numbers only; the file is the buffer's.
        assert_ne!(unsafe { libc::ftruncate(fd, 0) }, 0);
        // SAFETY: the descriptor was made for us.
        drop(unsafe { OwnedFd::from_raw_fd(fd) });
        let open = anonymous_file().unwrap();
        resize(&open, PAGE).unwrap();
        assert_eq!(
            buffers.import(open.as_raw_fd(), Space::Vram),
            Err(libc::EINVAL)
        );
        seal(&open).unwrap();
        assert!(buffers.import(open.as_raw_fd(), Space::Vram).is_ok());
    }
}
