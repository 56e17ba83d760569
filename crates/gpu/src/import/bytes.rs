//! A file read from its beginning to its end, with an error that says where it stops making
//! sense.

use super::ImportError;

pub(super) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(all: &'a [u8]) -> Bytes<'a> {
        Bytes { all, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn left(&self) -> usize {
        self.all.len() - self.at
    }

    pub(super) fn bad(&self, what: impl std::fmt::Display) -> ImportError {
        ImportError::Bad {
            offset: self.at,
            what: what.to_string(),
        }
    }

    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], ImportError> {
        let end = self.at.checked_add(len);
        let found = end.and_then(|end| self.all.get(self.at..end));
        let found = found.ok_or_else(|| self.bad(format!("the file ends inside {len} bytes")))?;
        self.at += len;
        Ok(found)
    }

    pub(super) fn u32(&mut self) -> Result<u32, ImportError> {
        let bytes = self.take(4)?;
        Ok(bytes.try_into().map_or(0, u32::from_le_bytes))
    }

    pub(super) fn u64(&mut self) -> Result<u64, ImportError> {
        let bytes = self.take(8)?;
        Ok(bytes.try_into().map_or(0, u64::from_le_bytes))
    }

    /// Words to the end of so many bytes.
    pub(super) fn words(&mut self, count: usize) -> Result<Vec<u32>, ImportError> {
        let bytes = self.take(count.saturating_mul(4))?;
        let words = bytes.as_chunks::<4>().0.iter();
        Ok(words.map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// A number of seven bits a byte, the lowest first; bit 7 says that more follow.
    pub(super) fn number(&mut self) -> Result<u64, ImportError> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.bad("a number of more than 64 bits"))
    }

    /// How many things of at least so many bytes follow.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, ImportError> {
        let count = self.number()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.left() / least => Ok(count),
            _ => Err(self.bad(format!("{count} entries, more than the file has bytes for"))),
        }
    }
}
