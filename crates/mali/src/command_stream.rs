//! Command streams: pairs of words in memory, with jumps.

use crate::Error;
use isotherm_bus::memory::Memory;

/// Commands a stream may have, jumps included; real ones have a few thousand.
const MAX_COMMANDS: usize = 1 << 20;

/// Walks a stream of pairs of words.
pub(crate) struct Stream {
    at: u32,
    end: u32,
    left: usize,
    unit: &'static str,
}

impl Stream {
    pub(crate) fn new(unit: &'static str, start: u32, end: u32) -> Stream {
        Stream {
            at: start,
            end,
            left: MAX_COMMANDS,
            unit,
        }
    }

    /// The next command and its address; jumps are followed.
    pub(crate) fn next(&mut self, mem: &Memory) -> Result<Option<(u32, [u32; 2])>, Error> {
        loop {
            if self.at == self.end {
                return Ok(None);
            }
            if self.left == 0 {
                return Err(Error::Endless {
                    unit: self.unit,
                    addr: self.at,
                });
            }
            self.left -= 1;
            let at = self.at;
            let w = [mem.read_u32(at), mem.read_u32(at.wrapping_add(4))];
            if w[1] >> 28 == 0xF {
                self.at = w[0];
                continue;
            }
            self.at = at.wrapping_add(8);
            return Ok(Some((at, w)));
        }
    }
}

/// `count` words from memory; what lies outside is zero.
pub(crate) fn words(mem: &Memory, addr: u32, count: usize) -> Vec<u32> {
    let bytes = mem.bytes(addr, count * 4);
    let (whole, _) = bytes.as_chunks::<4>();
    let mut out: Vec<u32> = whole.iter().map(|b| u32::from_le_bytes(*b)).collect();
    out.resize(count, 0);
    out
}
