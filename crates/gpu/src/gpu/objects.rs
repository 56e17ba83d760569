//! Objects by handle: made by call, or read from instance memory.

use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::GART;
use isotherm_bus::objects::{Object, Objects};
use isotherm_capture::ObjectRecord;
use isotherm_regs::{Chip, Family};

/// The class of DMA objects that may be read and written.
const DMA_IN_MEMORY: u32 = 0x3D;

/// The objects that handles lead to, to be changed; [`Gpu::objects_mut`](crate::Gpu::objects_mut)
/// gives it.
pub struct ObjectsMut<'a> {
    pub(super) chip: Chip,
    pub(super) table: &'a mut Objects,
}

impl ObjectsMut<'_> {
    /// A DMA object: the memory from `base` to `base + limit`, both included.
    pub fn dma(&mut self, handle: u32, base: u32, limit: u32) -> &mut Self {
        // Target 0 is the chip's own memory, 3 the bus.
        let target = if self.has_gart() { (base >> 31) * 3 } else { 0 };
        let frame = (if self.has_gart() { base & !GART } else { base }) & !0xFFF;
        self.table.insert(Object {
            handle,
            instance: self.table.fresh_instance(),
            class: DMA_IN_MEMORY,
            // Page table present, linear.
            raw: [
                DMA_IN_MEMORY | 0x3000 | target << 16 | base << 20,
                limit,
                frame | 3,
                frame | 3,
            ],
            span: DmaSpan { base, limit },
        });
        self
    }

    /// A graphics object of a class.
    pub fn graphics(&mut self, handle: u32, class: u32) -> &mut Self {
        ObjectRecord::Graphics { handle, class }.apply(self.table);
        self
    }

    /// What a record of a capture says.
    pub fn record(&mut self, record: &ObjectRecord) -> &mut Self {
        record.apply(self.table);
        self
    }

    /// No handle leads anywhere any more.
    pub fn clear(&mut self) -> &mut Self {
        *self.table = Objects::default();
        self
    }

    /// Reads all objects of a channel that the hash table in instance memory names; says how
    /// many it found. `ramin` is instance memory, `table` where the hash table lies in it.
    /// Call it again when the driver has changed the table.
    ///
    /// Entries are two words, handle and context, as envytools and nouveau describe them. A
    /// paged DMA object covers its first pages as far as they follow each other.
    pub fn load_ramht(
        &mut self,
        ramin: &[u8],
        table: std::ops::Range<usize>,
        channel: u8,
    ) -> usize {
        let Some(entries) = ramin.get(table) else {
            return 0;
        };
        let mut found = 0;
        for entry in entries.as_chunks::<8>().0 {
            let (handle, context) = entry.split_at(4);
            let [handle, context] = [handle, context].map(|bytes| word(bytes, 0));
            let Some((instance, owner)) = self.context(context) else {
                continue;
            };
            if owner != channel {
                continue;
            }
            if let Some(object) = self.object(ramin, handle, instance) {
                found += usize::from(self.table.insert(object));
            }
        }
        found
    }

    /// Instance and channel of an entry's context word; `None` for empty entries.
    fn context(&self, context: u32) -> Option<(u32, u8)> {
        if self.chip.family() == Family::Curie {
            return (context != 0).then_some((context & 0xF_FFFF, (context >> 23) as u8));
        }
        (context >> 31 != 0).then_some((context & 0xFFFF, (context >> 24 & 0x1F) as u8))
    }

    fn object(&self, ramin: &[u8], handle: u32, instance: u32) -> Option<Object> {
        let at = instance as usize * 16;
        let raw = [0, 4, 8, 12].map(|i| word(ramin, at + i));
        ramin.get(at..at + 16)?;
        let dma_class = raw[0] & 0xFFF;
        let mut object = Object {
            handle,
            instance,
            class: dma_class,
            raw,
            span: DmaSpan::default(),
        };
        if object.is_dma() {
            object.span = self.span(ramin, at, raw);
        } else {
            object.class = raw[0] & self.class_mask();
        }
        Some(object)
    }

    /// The memory that a DMA object covers.
    fn span(&self, ramin: &[u8], at: usize, raw: [u32; 4]) -> DmaSpan {
        let (adjust, linear) = (raw[0] >> 20, raw[0] & 0x2000 != 0);
        let frame = raw[2] & !0xFFF;
        let bus = self.has_gart() && raw[0] >> 16 & 3 >= 2;
        let base = (frame | adjust) & if self.has_gart() { !GART } else { !0 };
        let mut limit = raw[1];
        if !linear {
            let pages = (u64::from(adjust) + u64::from(limit)) >> 12;
            let follows = |page: &u64| {
                let entry = word(ramin, at + 8 + 4 * *page as usize);
                u64::from(entry & !0xFFF) == u64::from(frame) + (page << 12)
            };
            // The table cannot be longer than instance memory.
            let most = pages.min(ramin.len() as u64 / 4);
            let last = (1..=most).take_while(follows).count() as u64;
            if last < pages {
                limit = (((last + 1) << 12) - 1 - u64::from(adjust)) as u32;
            }
        }
        DmaSpan {
            base: base | if bus { GART } else { 0 },
            limit,
        }
    }

    fn has_gart(&self) -> bool {
        self.chip != Chip::Nv2a
    }

    /// Bits of a graphics object's first word that are its class.
    fn class_mask(&self) -> u32 {
        match self.chip.family() {
            Family::Curie => 0xFFFF,
            _ if self.chip.since(Chip::Nv25) => 0xFFF,
            _ => 0xFF,
        }
    }
}

/// A little-endian word; 0 outside.
fn word(bytes: &[u8], at: usize) -> u32 {
    let end = at.saturating_add(4);
    bytes
        .get(at..end)
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instance memory with objects at 1000h and on and their entries at 0.
    fn ramin(objects: &[(u32, u32, [u32; 5])]) -> Vec<u8> {
        let mut ramin = vec![0; 0x4000];
        let mut put = |at: usize, word: u32| {
            ramin[at..at + 4].copy_from_slice(&word.to_le_bytes());
        };
        for (i, (handle, context, words)) in objects.iter().enumerate() {
            // Tables have holes.
            put(i * 24, *handle);
            put(i * 24 + 4, *context);
            for (j, word) in words.iter().enumerate() {
                put(0x1000 + i * 32 + 4 * j, *word);
            }
        }
        ramin
    }

    #[test]
    fn objects_from_instance_memory() {
        let valid = 1 << 31 | 1 << 16 | 5 << 24;
        let ramin = ramin(&[
            (0xBEEF, valid | 0x100, [0x97, 0, 0, 0, 0]),
            (
                0xD00D,
                valid | 0x102,
                [0x123 << 20 | 0x303D, 0xFFF, 0x0040_0003, 0, 0],
            ),
            (0x0BAD, 6 << 24 | 1 << 31 | 0x100, [0; 5]),
            // Two pages that follow each other, and one elsewhere.
            (
                0xFA6E,
                valid | 0x106,
                [0x103D, 0x2FFF, 0x1003, 0x2003, 0x9003],
            ),
            (0xE4D, valid | 0xFFFF, [0; 5]),
        ]);
        let mut table = Objects::default();
        let mut objects = ObjectsMut {
            chip: Chip::Nv2a,
            table: &mut table,
        };
        assert_eq!(objects.load_ramht(&ramin, 0..0x200, 5), 3);
        assert_eq!(objects.load_ramht(&ramin, 0..0x9000, 5), 0);
        let span = |handle: u32| table.get(handle).unwrap().span;
        assert_eq!(table.get(0xBEEF).unwrap().class, 0x97);
        assert_eq!(
            (span(0xD00D).base, span(0xD00D).limit),
            (0x0040_0123, 0xFFF)
        );
        assert_eq!((span(0xFA6E).base, span(0xFA6E).limit), (0x1000, 0x1FFF));
        assert!(table.get(0x0BAD).is_none());
        assert!(table.get(0xE4D).is_none());
    }

    #[test]
    fn the_bus_has_bit_31() {
        let ramin = ramin(&[
            (1, 0x100 | 1 << 20 | 2 << 23, [0x4097, 0, 0, 0, 0]),
            (2, 0x102 | 2 << 23, [0x2_303D, 0xFFFF, 0x0020_0002, 0, 0]),
        ]);
        let mut table = Objects::default();
        let mut objects = ObjectsMut {
            chip: Chip::Nv40,
            table: &mut table,
        };
        assert_eq!(objects.load_ramht(&ramin, 0..0x100, 2), 2);
        objects.dma(3, GART | 0x1000, 0xFF).graphics(4, 0x4497);
        assert_eq!(table.get(1).unwrap().class, 0x4097);
        assert_eq!(table.get(2).unwrap().span.base, GART | 0x0020_0000);
        assert_eq!(table.get(3).unwrap().raw[2], 0x1003);
        assert_eq!(table.get(4).unwrap().class, 0x4497);
    }
}
