//! IDX: vertex and index fetch.
//!
//! The vertex attribute buffer (VAB) holds the current value of every attribute.
//! Immediate methods, arrays and inline words all write it; a vertex is a copy of
//! it. So whatever a draw does not write carries over from the one before.

mod bundles;
mod format;

pub use bundles::Bundles;

use format::Format;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_bus::saved::Saved;
use isotherm_bus::unit::Takes;
use isotherm_bus::vertex::VtxIn;
use isotherm_lanes::{Level, dispatch};
use isotherm_regs::Chip;
use isotherm_regs::Family;
use isotherm_regs::bundle::{Bundle, PRIMITIVE_RESTART_ENABLE, XF_ATTR_IN_MASK};

/// Attributes of the widest family.
const ATTRS: usize = 16;

/// One vertex buffer.
#[derive(Clone, Copy, Debug, Default)]
struct Buffer {
    dma: u8,
    offset: u32,
    format: Format,
}

/// Vertex fetch with its registers.
#[derive(Clone, Debug)]
pub struct Idx {
    chip: Chip,
    buffers: [Buffer; ATTRS],
    /// Vertex objects A and B.
    dma: [DmaSpan; 2],
    /// The VAB.
    pub current: VtxIn,
    /// Inline words of a vertex that is not complete.
    inline: Vec<u32>,
    /// Words of a complete inline vertex.
    inline_size: usize,
    bundles: Bundles,
}

impl Idx {
    pub fn new(chip: Chip) -> Idx {
        let one = 1f32.to_bits();
        let mut attr = [[0, 0, 0, one]; ATTRS];
        // Kelvin's diffuse colour resets to white; the others to 0, 0, 0, 1.
        if chip.family() == Family::Kelvin {
            attr[3] = [one; 4];
        }
        Idx {
            chip,
            buffers: [Buffer::default(); ATTRS],
            dma: [DmaSpan::default(); 2],
            current: VtxIn {
                attr,
                edge_flag: true,
            },
            inline: Vec::new(),
            inline_size: 0,
            bundles: Bundles::default(),
        }
    }

    /// The words of the bundles that it took.
    pub fn bundles(&self) -> &Bundles {
        &self.bundles
    }

    /// Takes a bundle's word.
    pub fn bundle(&mut self, bundle: Bundle, entry: usize, value: u32) {
        self.bundles.take(bundle, entry, value);
    }

    /// All words that it holds, but for those of bundles.
    pub fn saved(&mut self, saved: &mut Saved) {
        let Idx {
            chip,
            buffers,
            dma,
            current,
            inline,
            inline_size: _,
            bundles: _,
        } = self;
        for Buffer {
            dma,
            offset,
            format,
        } in buffers
        {
            let mut number = u32::from(*dma);
            saved.words([&mut number, offset]);
            *dma = number as u8 & 1;
            format.saved(*chip, saved);
        }
        dma.iter_mut().for_each(|span| saved.span(span));
        current.saved(saved);
        let words = saved.count(inline.len(), 4 * ATTRS);
        inline.resize(words, 0);
        saved.words(&mut *inline);
        if saved.loads() {
            self.inline_size = self.enabled().map(|(_, b)| b.format.words()).sum();
            // A vertex that is complete would have been taken.
            self.inline.truncate(self.inline_size.saturating_sub(1));
        }
    }

    /// Does this number begin the primitive anew instead of naming a vertex?
    pub fn restarts_at(&self, number: u32) -> bool {
        self.restarts() && number == self.bundles.PRIMITIVE_RESTART_INDEX
    }

    /// Does any number?
    pub fn restarts(&self) -> bool {
        PRIMITIVE_RESTART_ENABLE::ENABLE.is_set(self.chip, self.bundles.PRIMITIVE_RESTART_ENABLE)
    }

    /// The vertex that a number means.
    pub fn based(&self, number: u32) -> u32 {
        number.wrapping_add(self.bundles.VB_ELEMENT_BASE)
    }

    /// The span of a vertex DMA object.
    pub fn span(&self, index: u8) -> DmaSpan {
        self.dma[usize::from(index & 1)]
    }

    /// Attaches vertex object A or B.
    pub fn set_dma(&mut self, index: u8, span: DmaSpan) {
        self.dma[usize::from(index & 1)] = span;
    }

    /// Points a buffer to memory.
    pub fn set_offset(&mut self, index: u8, dma: u8, offset: u32) {
        let buffer = &mut self.buffers[usize::from(index) % ATTRS];
        buffer.dma = dma & 1;
        buffer.offset = offset;
    }

    /// Sets a buffer's format word.
    pub fn set_format(&mut self, index: u8, word: u32) {
        self.buffers[usize::from(index) % ATTRS].format = Format::new(self.chip, word);
        self.inline.clear();
        self.inline_size = self.enabled().map(|(_, b)| b.format.words()).sum();
    }

    fn enabled(&self) -> impl Iterator<Item = (usize, &Buffer)> {
        let enabled = |(_, b): &(usize, &Buffer)| b.format.count != 0;
        self.buffers.iter().enumerate().filter(enabled)
    }

    /// Do arrays make vertices? From Rankine on not if none is on: NV34 and NV43 boards draw
    /// nothing then (docs/accuracy/raster.md).
    pub fn makes_vertices(&self) -> bool {
        !self.chip.since(Chip::Nv30) || self.enabled().next().is_some()
    }

    /// Writes one component of an immediate attribute. Says whether it launches a
    /// vertex.
    pub fn attr(&mut self, fmt: u8, attr: u8, ncomp: u8, comp: u8, data: u32) -> bool {
        let row = usize::from(attr) % ATTRS;
        // A component count of 4 travels in two bits.
        let ncomp = if ncomp == 0 { 4 } else { ncomp.min(4) };
        let comp = comp & 3;
        let last = match fmt {
            4 => {
                for i in 0..ncomp {
                    let byte = (data >> (8 * i)) as u8;
                    self.put(row, i, format::ubyte(byte));
                }
                ncomp - 1
            }
            5 | 6 => {
                let nv10 = self.chip == Chip::Nv10;
                for half in 0..2 {
                    let at = 2 * comp + half;
                    let value = (data >> (16 * half)) as i16;
                    if at < ncomp {
                        let value = if fmt == 5 {
                            format::short(value, nv10)
                        } else {
                            format::nshort(value)
                        };
                        self.put(row, at, value);
                    }
                }
                2 * comp + 1
            }
            _ => {
                self.put(row, comp, data);
                comp
            }
        };
        row == 0 && last + 1 >= ncomp
    }

    /// Writing the first component resets the others.
    fn put(&mut self, row: usize, comp: u8, value: u32) {
        let celsius = self.chip.family() == Family::Celsius;
        let r = &mut self.current.attr[row];
        if comp == 0 {
            if celsius && row == 2 {
                // The fourth component of Celsius' second colour is the fog coordinate.
                *r = [0, 0, 0, r[3]];
            } else {
                *r = [0, 0, 0, 1f32.to_bits()];
            }
        }
        r[usize::from(comp & 3)] = value;
    }

    /// Takes one word of inline vertex data. Says whether a vertex is complete.
    pub fn inline(&mut self, word: u32) -> bool {
        if self.inline_size == 0 {
            return false;
        }
        self.inline.push(word);
        if self.inline.len() < self.inline_size {
            return false;
        }
        let words = std::mem::take(&mut self.inline);
        let mut at = 0;
        for index in 0..ATTRS {
            let format = self.buffers[index].format;
            if format.count == 0 {
                continue;
            }
            let mut bytes = [0; 16];
            for (i, chunk) in bytes.chunks_exact_mut(4).enumerate().take(format.words()) {
                chunk.copy_from_slice(&words[at + i].to_le_bytes());
            }
            at += format.words();
            let value = format.convert(&bytes, self.nv10());
            store(self.chip, index, value, &mut self.current);
        }
        self.inline = words;
        self.inline.clear();
        true
    }

    /// Inline data ends; an incomplete vertex is dropped.
    pub fn end(&mut self) {
        self.inline.clear();
    }

    /// Fetches vertex `index` from the buffers into the VAB.
    pub fn fetch(&mut self, mem: &Memory, index: u32) {
        let mut vertex = [self.current];
        self.columns(mem, index, |_| 0, &mut vertex);
        self.current = vertex[0];
    }

    /// Appends vertices `start`, `start` + 1, ... to `out`: the VAB after each was
    /// fetched. The VAB itself stays as it is.
    pub fn fetch_run(&self, mem: &Memory, start: u32, count: usize, out: &mut Vec<VtxIn>) {
        let from = out.len();
        fill(Level::current(), out, count, &self.current);
        self.columns(mem, start, |i| i as u32, &mut out[from..]);
    }

    /// The same for vertices in any order.
    pub fn fetch_list(&self, mem: &Memory, list: &[u32], out: &mut Vec<VtxIn>) {
        let from = out.len();
        fill(Level::current(), out, list.len(), &self.current);
        let start = list.iter().copied().min().unwrap_or_default();
        self.columns(mem, start, move |i| list[i] - start, &mut out[from..]);
    }

    /// Fetches all attributes of vertices, one attribute after the other. The number of each is
    /// so far behind `start` as `behind` says of its place.
    fn columns(
        &self,
        mem: &Memory,
        start: u32,
        behind: impl Fn(usize) -> u32 + Copy,
        out: &mut [VtxIn],
    ) {
        let Some(last) = (0..out.len()).map(behind).max() else {
            return;
        };
        for index in 0..ATTRS {
            let Buffer {
                dma,
                offset,
                format,
            } = self.buffers[index];
            if format.count == 0 {
                continue;
            }
            let span = self.dma[usize::from(dma)];
            let size = format.bytes();
            let room = u64::from(span.limit) + 1;
            let offset = self.based_offset(offset);
            let vertices = out.iter_mut().enumerate();
            let vertices = vertices.map(move |(i, vertex)| (behind(i), vertex));
            if format.frequency > 1 {
                let modulo = self.is_modulo(index);
                for (behind, vertex) in vertices {
                    let entry = format.entry(start.wrapping_add(behind), modulo);
                    let offset = offset.wrapping_add(entry.wrapping_mul(format.stride));
                    let value = self.read_entry(mem, span, offset, format);
                    store(self.chip, index, value, vertex);
                }
                continue;
            }
            let first = offset.wrapping_add(start.wrapping_mul(format.stride));
            let bytes = u64::from(last) * u64::from(format.stride) + size as u64;
            let range = (span.base.wrapping_add(first), bytes as usize);
            // Between those that are named there may be memory that is drawn to.
            let source = match u64::from(first) + bytes <= room && !mem.is_drawn_to(range) {
                true => mem.bytes(range.0, range.1),
                false => &[],
            };
            if source.len() as u64 == bytes {
                let stride = format.stride as usize;
                let vertices =
                    vertices.map(move |(behind, vertex)| (behind as usize * stride, vertex));
                if format.is_floats() && self.chip.family() != Family::Celsius {
                    let column = Column { source, index };
                    column.store(format.count, vertices);
                    continue;
                }
                for (at, vertex) in vertices {
                    let value = format.read(&source[at..][..size], self.nv10());
                    store(self.chip, index, value, vertex);
                }
                continue;
            }
            // Not all of it may be read: vertex by vertex, zeros beyond the end.
            for (behind, vertex) in vertices {
                let step = start.wrapping_add(behind).wrapping_mul(format.stride);
                let value = self.read_entry(mem, span, offset.wrapping_add(step), format);
                store(self.chip, index, value, vertex);
            }
        }
    }

    /// What an array has at an offset; zeros beyond the end of its memory.
    fn read_entry(&self, mem: &Memory, span: DmaSpan, offset: u32, format: Format) -> [u32; 4] {
        let (size, mut bytes) = (format.bytes(), [0; 16]);
        if u64::from(offset) + size as u64 <= u64::from(span.limit) + 1 {
            let source = mem.bytes(span.base.wrapping_add(offset), size);
            bytes[..source.len()].copy_from_slice(source);
        }
        format.convert(&bytes, self.nv10())
    }

    /// Are the entries of an array counted modulo its frequency?
    fn is_modulo(&self, index: usize) -> bool {
        let word = self.bundles.XF_ATTR_IN_MASK;
        XF_ATTR_IN_MASK::MODULO.get(self.chip, word) >> index & 1 != 0
    }

    /// Where an array begins: Curie adds a base to all of them.
    fn based_offset(&self, offset: u32) -> u32 {
        offset.wrapping_add(self.bundles.VB_OFFSET_BASE)
    }

    fn nv10(&self) -> bool {
        self.chip == Chip::Nv10
    }

    /// The memory that fetching `count` vertices from `start` reads.
    pub fn ranges(&self, start: u32, count: u32) -> impl Iterator<Item = (u32, usize)> {
        self.enabled().map(move |(index, b)| {
            let base = self.dma[usize::from(b.dma)].base;
            let modulo = self.is_modulo(index);
            let (start, count) = b.format.entries(start, count, modulo);
            let offset = self.based_offset(b.offset);
            let first = offset.wrapping_add(start.wrapping_mul(b.format.stride));
            let len = u64::from(count) * u64::from(b.format.stride) + 16;
            (base.wrapping_add(first), len.min(1 << 30) as usize)
        })
    }
}

/// Floats of vertices, which go to row `index`. They are what most vertices are made of.
struct Column<'a> {
    source: &'a [u8],
    index: usize,
}

impl Column<'_> {
    /// Takes vertices and where each one's floats begin.
    #[inline]
    fn store<'v>(&self, count: u8, vertices: impl Iterator<Item = (usize, &'v mut VtxIn)>) {
        match count {
            1 => self.store_each::<1>(vertices),
            2 => self.store_each::<2>(vertices),
            3 => self.store_each::<3>(vertices),
            _ => self.store_each::<4>(vertices),
        }
    }

    /// With a number of components that the compiler knows: else it copies them with a call. A
    /// function of its own keeps what it needs in registers.
    #[inline(never)]
    fn store_each<'v, const N: usize>(
        &self,
        vertices: impl Iterator<Item = (usize, &'v mut VtxIn)>,
    ) {
        let Some(last) = self.source.len().checked_sub(4 * N) else {
            return;
        };
        for (at, vertex) in vertices {
            // One comparison says that all of it is there.
            if at > last {
                return;
            }
            let words = self.source[at..at + 4 * N].as_chunks().0;
            let mut value = [0, 0, 0, 1f32.to_bits()];
            for (value, word) in value.iter_mut().zip(words) {
                *value = u32::from_le_bytes(*word);
            }
            vertex.attr[self.index] = value;
        }
    }
}

/// Puts what buffer `index` holds for a vertex in its row.
#[inline]
fn store(chip: Chip, index: usize, mut value: [u32; 4], vertex: &mut VtxIn) {
    if chip.family() == Family::Celsius {
        // The eighth Celsius buffer is the fog coordinate, which has its place
        // beside the second colour.
        if index == 7 {
            vertex.attr[2][3] = value[0];
            return;
        }
        if index == 2 {
            value[3] = vertex.attr[2][3];
        }
    }
    vertex.attr[index] = value;
}

dispatch! {
    /// So many more of one vertex, which is a few vectors.
    fn fill(out: &mut Vec<VtxIn>, count: usize, vertex: &VtxIn) = fill_any;
}

#[inline(always)]
fn fill_any(out: &mut Vec<VtxIn>, count: usize, vertex: &VtxIn) {
    out.reserve(count);
    let (len, vertex) = (out.len(), *vertex);
    for room in &mut out.spare_capacity_mut()[..count] {
        room.write(vertex);
    }
    // SAFETY: so many more have been written.
    unsafe { out.set_len(len + count) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotherm_regs::bundle::VB_OFFSET_BASE;

    fn one() -> u32 {
        1f32.to_bits()
    }

    #[test]
    fn the_first_component_resets_the_rest_and_position_launches() {
        let mut idx = Idx::new(Chip::Nv2a);
        assert!(!idx.attr(7, 3, 4, 2, 5));
        assert_eq!(idx.current.attr[3], [one(), one(), 5, one()]);
        assert!(!idx.attr(7, 3, 3, 0, 7));
        assert_eq!(idx.current.attr[3], [7, 0, 0, one()]);
        assert!(!idx.attr(7, 0, 2, 0, 7));
        assert!(idx.attr(7, 0, 2, 1, 8));
        assert!(idx.attr(5, 0, 2, 0, 0x0001_ffff));
        assert_eq!(idx.current.attr[0], [(-1f32).to_bits(), one(), 0, one()]);
        idx.attr(4, 3, 4, 0, 0xff00_0080);
        assert_eq!(idx.current.attr[3][3], one());
    }

    #[test]
    fn arrays_carry_over() {
        let mut mem = Memory::new(Chip::Nv2a);
        for i in 0..8u32 {
            mem.write_u32(0x1000 + 4 * i, (i as f32).to_bits());
        }
        let mut idx = Idx::new(Chip::Nv2a);
        idx.set_dma(
            0,
            DmaSpan {
                base: 0x1000,
                limit: 0xffff,
            },
        );
        idx.set_offset(0, 0, 0);
        idx.set_format(0, 0x0822); // two floats, 8 bytes apart
        idx.set_offset(9, 0, 4);
        idx.set_format(9, 0x0012); // one float, zero stride
        idx.fetch(&mem, 2);
        let f = |x: f32| x.to_bits();
        assert_eq!(idx.current.attr[0], [f(4.0), f(5.0), 0, one()]);
        assert_eq!(idx.current.attr[9], [one(), 0, 0, one()]);
        idx.set_format(9, 0x0002);
        idx.fetch(&mem, 1);
        assert_eq!(idx.current.attr[9], [one(), 0, 0, one()], "disabled: kept");
    }

    #[test]
    fn vertices_in_any_order() {
        let mut mem = Memory::new(Chip::Nv2a);
        for i in 0..64u32 {
            mem.write_u32(0x1000 + 4 * i, 3 * i);
        }
        let mut idx = Idx::new(Chip::Nv2a);
        let span = DmaSpan {
            base: 0x1000,
            limit: 0xf7,
        };
        idx.set_dma(0, span);
        // Floats, bytes, and floats that overlap and that the object's end cuts.
        for (index, offset, format) in [(0, 0, 0x0c22), (3, 8, 0x0c40), (9, 4, 0x0432)] {
            idx.set_offset(index, 0, offset);
            idx.set_format(index, format);
        }
        let lists: [&[u32]; 4] = [
            &[0, 6, 1, 7, 2, 8],
            &[19, 3, 3, 0],
            &[40, 60, 61, 2],
            &[u32::MAX, 0, 1 << 30],
        ];
        for list in lists {
            let mut out = Vec::new();
            idx.fetch_list(&mem, list, &mut out);
            for (number, found) in list.iter().zip(&out) {
                let mut one = idx.clone();
                one.fetch(&mem, *number);
                assert_eq!(*found, one.current, "{number} of {list:?}");
            }
        }
    }

    /// Instances: of six vertices each two have one colour, and three positions begin anew.
    #[test]
    fn arrays_with_a_frequency() {
        let mut mem = Memory::new(Chip::Nv47);
        for i in 0..16u32 {
            mem.write_u32(0x1000 + 4 * i, (i as f32).to_bits());
        }
        let mut idx = Idx::new(Chip::Nv47);
        let span = DmaSpan {
            base: 0x1000,
            limit: 0x1f,
        };
        idx.set_dma(0, span);
        idx.set_offset(0, 0, 0);
        idx.set_format(0, 0x0003_0412); // a float, modulo three
        idx.set_offset(3, 0, 16);
        idx.set_format(3, 0x0002_0412); // a float, every second vertex
        idx.bundle(
            XF_ATTR_IN_MASK,
            0,
            XF_ATTR_IN_MASK::MODULO.with(Chip::Nv47, 0, 1),
        );
        let fetched = |idx: &Idx| {
            let mut out = Vec::new();
            idx.fetch_run(&mem, 1, 6, &mut out);
            let floats = |attr: usize| out.iter().map(move |v| f32::from_bits(v.attr[attr][0]));
            [floats(0).collect::<Vec<_>>(), floats(3).collect()]
        };
        let [positions, colors] = fetched(&idx);
        assert_eq!(positions, [1.0, 2.0, 0.0, 1.0, 2.0, 0.0]);
        assert_eq!(colors, [4.0, 5.0, 5.0, 6.0, 6.0, 7.0]);
        // A base moves all arrays; what lies beyond the object is 0.
        idx.bundle(VB_OFFSET_BASE, 0, 8);
        let [positions, colors] = fetched(&idx);
        assert_eq!(positions, [3.0, 4.0, 2.0, 3.0, 4.0, 2.0]);
        assert_eq!(colors, [6.0, 7.0, 7.0, 0.0, 0.0, 0.0]);
        let reads: Vec<_> = idx.ranges(1, 6).map(|(first, _)| first).collect();
        assert_eq!(reads, [0x1008, 0x1018]);
    }

    #[test]
    fn without_arrays_there_are_no_vertices_from_rankine_on() {
        for (chip, without) in [(Chip::Nv2a, true), (Chip::Nv34, false), (Chip::Nv43, false)] {
            let mut idx = Idx::new(chip);
            assert_eq!(idx.makes_vertices(), without, "{chip:?}");
            idx.set_format(3, 0x0442);
            assert!(idx.makes_vertices());
            idx.set_format(3, 0x0402);
            assert_eq!(idx.makes_vertices(), without, "{chip:?}");
        }
    }

    #[test]
    fn inline_words_fill_enabled_attributes_in_order() {
        let mut idx = Idx::new(Chip::Nv2a);
        idx.set_format(0, 0x22);
        idx.set_format(3, 0x40); // D3D colour
        assert!(!idx.inline(11));
        assert!(!idx.inline(12));
        assert!(idx.inline(0xff00_00ff));
        assert_eq!(idx.current.attr[0][..2], [11, 12]);
        assert_eq!(idx.current.attr[3], [0, 0, one(), one()]);
        assert!(!idx.inline(1));
        idx.end();
        assert!(!idx.inline(2));
    }
}
