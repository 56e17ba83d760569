//! The texel that is decoded to a colour: found by trying, so that no format has to be known
//! twice.

use super::distance;
use std::collections::HashMap;

/// A texel's bytes as R, G, B, A.
type Decode<'a> = &'a dyn Fn(&[u8]) -> [u8; 4];

/// Looks for texels of one format.
pub struct Search<'a> {
    bytes: usize,
    /// Bytes that make up a number together.
    group: usize,
    decode: Decode<'a>,
    /// Every value of a format of one or two bytes, as it is decoded.
    table: Vec<[u8; 4]>,
    /// What was found for colours.
    found: HashMap<[u8; 4], Vec<u8>>,
}

impl<'a> Search<'a> {
    /// For texels of so many bytes; where they are `halves`, two bytes are a number.
    pub fn new(bytes: usize, halves: bool, decode: Decode<'a>) -> Search<'a> {
        let table = match bytes {
            1 | 2 => (0..1u32 << (8 * bytes))
                .map(|value| decode(&value.to_le_bytes()[..bytes]))
                .collect(),
            _ => Vec::new(),
        };
        Search {
            bytes,
            group: if halves { 2 } else { 1 },
            decode,
            table,
            found: HashMap::new(),
        }
    }

    /// The texel that comes closest to a colour. Bits that do not matter are as they were.
    pub fn nearest(&mut self, old: &[u8], wanted: [u8; 4]) -> Vec<u8> {
        let mut old = old.to_vec();
        old.resize(self.bytes, 0);
        if distance((self.decode)(&old), wanted) == 0 {
            return old;
        }
        if self.table.is_empty() {
            return self.by_groups(old, wanted);
        }
        let (table, bytes) = (&self.table, self.bytes);
        let found = self.found.entry(wanted).or_insert_with(|| {
            let values = (0u32..).zip(table);
            let best = values.min_by_key(|(_, colour)| distance(**colour, wanted));
            best.map_or(0, |(value, _)| value).to_le_bytes()[..bytes].to_vec()
        });
        found.clone()
    }

    /// Each number of a larger texel by itself: formats have none that depend on each other.
    fn by_groups(&self, mut best: Vec<u8>, wanted: [u8; 4]) -> Vec<u8> {
        let mut least = distance((self.decode)(&best), wanted);
        for at in (0..self.bytes).step_by(self.group) {
            let mut tried = best.clone();
            for value in 0..1u32 << (8 * self.group) {
                tried[at..at + self.group].copy_from_slice(&value.to_le_bytes()[..self.group]);
                let far = distance((self.decode)(&tried), wanted);
                if far < least {
                    least = far;
                    best.copy_from_slice(&tried);
                }
            }
        }
        best
    }
}
