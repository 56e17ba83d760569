//! The structure that an ioctl points at: copied in, answered, copied out.

use crate::user::{self, Errno};

/// The most bytes an ioctl number can speak of.
const MOST: usize = 1 << 14;

/// An ioctl's number, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    /// The letter, `d` for DRM.
    pub letter: u8,
    /// The number.
    pub number: u8,
    /// Bytes of the structure.
    pub size: usize,
}

impl Number {
    pub(crate) fn new(request: u64) -> Number {
        Number {
            letter: (request >> 8) as u8,
            number: request as u8,
            size: (request >> 16) as usize & (MOST - 1),
        }
    }
}

/// An ioctl's structure. Bytes that the caller's shorter structure does not have read as 0 and
/// are not written back, as in the kernel.
pub(crate) struct Request {
    addr: u64,
    size: usize,
    bytes: Vec<u8>,
}

impl Request {
    /// Copies the structure in.
    pub(crate) fn read(addr: u64, size: usize) -> Result<Request, Errno> {
        let mut bytes = vec![0; size];
        user::read(addr, &mut bytes)?;
        // Every field of every structure lies in here.
        bytes.resize(size.max(256), 0);
        Ok(Request { addr, size, bytes })
    }

    /// Copies it out.
    pub(crate) fn write_back(&self) -> Result<(), Errno> {
        user::write(self.addr, &self.bytes[..self.size])
    }

    /// Bytes that the caller's structure has.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn u8(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    pub(crate) fn u32(&self, at: usize) -> u32 {
        self.array(at).map_or(0, u32::from_le_bytes)
    }

    pub(crate) fn u64(&self, at: usize) -> u64 {
        self.array(at).map_or(0, u64::from_le_bytes)
    }

    fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..at + N)?.try_into().ok()
    }

    pub(crate) fn set_u32(&mut self, at: usize, value: u32) {
        self.set(at, &value.to_le_bytes());
    }

    pub(crate) fn set_u64(&mut self, at: usize, value: u64) {
        self.set(at, &value.to_le_bytes());
    }

    /// Bytes at a place; what the structure does not have vanishes.
    pub(crate) fn set(&mut self, at: usize, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_apart() {
        // DRM_IOCTL_VERSION on 64-bit systems.
        let version = Number::new(0xC040_6400);
        assert_eq!(
            (version.letter, version.number, version.size),
            (b'd', 0, 64)
        );
    }

    #[test]
    fn structures_shorter_than_their_fields_are_harmless() {
        let mut data = [7u32, 8];
        let mut request = Request::read(data.as_mut_ptr() as u64, 4).unwrap();
        assert_eq!((request.u32(0), request.u32(4)), (7, 0));
        request.set_u32(0, 1);
        request.set_u32(4, 2);
        request.set_u64(1000, 3);
        request.write_back().unwrap();
        assert_eq!(data, [1, 8]);
    }
}
