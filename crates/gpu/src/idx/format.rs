//! Vertex attribute formats.

pub(super) use isotherm_xf::xf::arith::{
    nshort_to_float as nshort, short_to_float as short, ubyte_to_float as ubyte,
};

use isotherm_bus::saved::Saved;
use isotherm_regs::Chip;
use isotherm_regs::mali::isa_bits::half_to_f32;
use isotherm_regs::method::VTXBUF_FORMAT;

/// A vertex buffer's format word, taken apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Format {
    /// Type code: 0 D3D colour, 1 normalised short, 2 float, 3 half
    /// float (Rankine's), 4 normalised byte, 5 short, 6 packed, 7 byte (Rankine's).
    kind: u8,
    /// Components; 0 switches the attribute off.
    pub count: u8,
    /// The third component is w: size code 7. A guess from its public name, 3W;
    /// no capture uses it.
    third_is_w: bool,
    /// Bytes from one vertex to the next.
    pub stride: u32,
    /// Vertices that an entry serves, or entries before they begin anew (Curie); 0 and 1 say
    /// that each vertex has its own.
    pub frequency: u32,
}

impl Format {
    /// Takes a word apart.
    pub(super) fn new(chip: Chip, word: u32) -> Format {
        let count = VTXBUF_FORMAT::SIZE.get(chip, word) as u8;
        Format {
            kind: VTXBUF_FORMAT::TYPE.get(chip, word) as u8,
            count: if count == 7 { 3 } else { count.min(4) },
            third_is_w: count == 7,
            stride: VTXBUF_FORMAT::STRIDE.get(chip, word) & 0xffff,
            frequency: VTXBUF_FORMAT::FREQUENCY.get(chip, word),
        }
    }

    /// The word that it came from.
    pub(super) fn saved(&mut self, chip: Chip, saved: &mut Saved) {
        let count = if self.third_is_w { 7 } else { self.count };
        let mut word = 0;
        for (field, value) in [
            (VTXBUF_FORMAT::TYPE, self.kind.into()),
            (VTXBUF_FORMAT::SIZE, count.into()),
            (VTXBUF_FORMAT::STRIDE, self.stride),
            (VTXBUF_FORMAT::FREQUENCY, self.frequency),
        ] {
            field.put(chip, &mut word, value);
        }
        saved.word(&mut word);
        *self = Format::new(chip, word);
    }

    /// The entry of a vertex.
    #[inline]
    pub(super) fn entry(self, number: u32, modulo: bool) -> u32 {
        match self.frequency {
            0 | 1 => number,
            n if modulo => number % n,
            n => number / n,
        }
    }

    /// The first entry of successive vertices, and how many there are from it on.
    pub(super) fn entries(self, start: u32, count: u32, modulo: bool) -> (u32, u32) {
        match self.frequency {
            0 | 1 => (start, count),
            n if modulo => (0, n),
            n => (start / n, count / n + 2),
        }
    }

    /// Words of inline data that a vertex takes.
    pub(super) fn words(self) -> usize {
        let n = usize::from(self.count);
        match self.kind {
            0 | 4 | 6 | 7 => usize::from(n != 0),
            1 | 3 | 5 => n.div_ceil(2),
            _ => n,
        }
    }

    /// Bytes that a vertex takes in memory.
    pub(super) fn bytes(self) -> usize {
        let n = usize::from(self.count);
        match self.kind {
            0 | 6 => 4,
            4 | 7 => n,
            1 | 3 | 5 => 2 * n,
            _ => 4 * n,
        }
    }

    /// Are they floats as they are?
    pub(super) fn is_floats(self) -> bool {
        self.kind == 2 && !self.third_is_w
    }

    /// The four components of a vertex whose [`Format::bytes`] these are.
    #[inline]
    pub(super) fn read(self, source: &[u8], nv10: bool) -> [u32; 4] {
        let mut bytes = [0; 16];
        bytes[..source.len()].copy_from_slice(source);
        self.convert(&bytes, nv10)
    }

    /// The four components as float32 bit patterns.
    pub(super) fn convert(self, bytes: &[u8; 16], nv10: bool) -> [u32; 4] {
        let mut out = [0, 0, 0, 1f32.to_bits()];
        let half = |i: usize| i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
        let word = |i: usize| {
            u32::from_le_bytes([
                bytes[4 * i],
                bytes[4 * i + 1],
                bytes[4 * i + 2],
                bytes[4 * i + 3],
            ])
        };
        let n = usize::from(self.count).min(4);
        match self.kind {
            // B, G, R, A in memory.
            0 => {
                out = [
                    ubyte(bytes[2]),
                    ubyte(bytes[1]),
                    ubyte(bytes[0]),
                    ubyte(bytes[3]),
                ]
            }
            1 => (0..n).for_each(|i| out[i] = nshort(half(i))),
            3 => (0..n).for_each(|i| out[i] = half_to_f32(half(i) as u16).to_bits()),
            4 => (0..n).for_each(|i| out[i] = ubyte(bytes[i])),
            7 => (0..n).for_each(|i| out[i] = f32::from(bytes[i]).to_bits()),
            5 => (0..n).for_each(|i| out[i] = short(half(i), nv10)),
            6 => {
                // 11, 11 and 10 signed bits, normalised by their largest value.
                let w = word(0) as i32;
                let part = |v: i32, top: f32| (v as f32 / top).to_bits();
                out[0] = part(w << 21 >> 21, 1023.0);
                out[1] = part(w << 10 >> 21, 1023.0);
                out[2] = part(w >> 22, 511.0);
            }
            _ => (0..n).for_each(|i| out[i] = word(i)),
        }
        if self.third_is_w {
            out = [out[0], out[1], 0, out[2]];
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(Format::new(Chip::Nv34, 0x1032).bytes(), 12);
        assert_eq!(Format::new(Chip::Nv34, 0x1032).stride, 16);
        assert_eq!(Format::new(Chip::Nv34, 0x31).words(), 2);
        assert_eq!(Format::new(Chip::Nv34, 0x40).words(), 1);
        assert_eq!(Format::new(Chip::Nv34, 0x02).words(), 0);
    }

    #[test]
    fn rankines_half_floats_and_bytes() {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&[0x00, 0x38, 0x00, 0xc0, 0x00, 0x3c, 0xff, 0x03]);
        let read = |word: u32| {
            let format = Format::new(Chip::Nv34, word);
            format
                .read(&bytes[..format.bytes()], false)
                .map(f32::from_bits)
        };
        assert_eq!(read(0x23), [0.5, -2.0, 0.0, 1.0]);
        assert_eq!(read(0x33), [0.5, -2.0, 1.0, 1.0]);
        assert_eq!(read(0x47), [0.0, 56.0, 0.0, 192.0]);
        assert_eq!(
            (
                Format::new(Chip::Nv34, 0x33).words(),
                Format::new(Chip::Nv34, 0x47).words()
            ),
            (2, 1)
        );
    }

    #[test]
    fn packed_normals() {
        let word: u32 = 0x3ff | 0x400 << 11 | 0x1ff << 22;
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&word.to_le_bytes());
        let got = Format::new(Chip::Nv34, 0x16)
            .convert(&bytes, false)
            .map(f32::from_bits);
        assert_eq!(got[0], 1.0);
        assert!(got[1] < -1.0);
        assert_eq!(got[2], 1.0);
    }

    #[test]
    fn entries_that_serve_several_vertices() {
        let words = [0x0003_0c32, 0x0001_0c32, 0x0c32];
        let [three, one, none] = words.map(|word| Format::new(Chip::Nv47, word));
        assert_eq!((three.stride, three.frequency), (12, 3));
        let all = |format: Format, modulo| [0, 1, 2, 3, 7, 9].map(|n| format.entry(n, modulo));
        assert_eq!(all(three, false), [0, 0, 0, 1, 2, 3]);
        assert_eq!(all(three, true), [0, 1, 2, 0, 1, 0]);
        for format in [one, none] {
            assert_eq!(all(format, false), [0, 1, 2, 3, 7, 9]);
            assert_eq!(all(format, true), [0, 1, 2, 3, 7, 9]);
        }
        // What is read of memory lies inside what is said to be.
        for (start, count) in [(0, 1), (5, 9), (7, 2)] {
            for modulo in [false, true] {
                let (first, entries) = three.entries(start, count, modulo);
                for number in start..start + count {
                    let entry = three.entry(number, modulo);
                    assert!((first..first + entries).contains(&entry));
                }
            }
        }
    }

    #[test]
    fn words_come_back() {
        for (chip, word) in [(Chip::Nv47, 0xabcd_1832), (Chip::Nv2a, 0x0012_3472)] {
            let mut format = Format::new(chip, word);
            let mut other = Format::default();
            let mut saved = Saved::save();
            format.saved(chip, &mut saved);
            other.saved(chip, &mut Saved::load(saved.finish().unwrap()));
            assert_eq!(format, other);
        }
    }
}
