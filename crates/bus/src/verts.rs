//! The vertices of a scene, as the rasteriser reads them.
//!
//! A tile's primitives lie all over a scene, so each vertex that one of them names is a wait
//! for memory. What every primitive needs of a vertex is therefore on one line of cache, its
//! [`VtxHead`]; texture coordinates and clip distances are elsewhere, its [`VtxTail`]. Many
//! draws have the same tail at all vertices, and only the first of equal ones is written.

use crate::pages;
use crate::vertex::{SETS, VtxOut};

/// What every primitive needs of a vertex; the fields are those of [`VtxOut`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct VtxHead {
    /// Window x, y, z and clip w.
    pub pos: [u32; 4],
    /// x and y before ASSM rounded them; 0 where it does not.
    pub exact: [u32; 2],
    /// 1/w.
    pub rw: u32,
    /// Front diffuse, front specular, back diffuse, back specular.
    pub color: [[u8; 4]; 4],
    /// The fog value.
    pub fog: u32,
    /// Point size in pixels.
    pub point_size: u32,
    /// The number of the vertex whose tail is this one's, too.
    pub tail: u32,
    /// The edge flag.
    pub edge_flag: bool,
}

/// What only some primitives need of a vertex. The four sets of Kelvin are on a line of cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct VtxTail {
    /// Texture coordinate sets.
    pub tex: [[u32; 4]; SETS],
    /// User clip distances.
    pub clip: [u32; 6],
}

impl VtxTail {
    /// Takes the vertex's words: in pieces that are copied without a call.
    #[inline(always)]
    fn take(&mut self, v: &VtxOut) {
        let (low, high) = self.tex.split_at_mut(SETS / 2);
        low.copy_from_slice(&v.tex[..SETS / 2]);
        high.copy_from_slice(&v.tex[SETS / 2..]);
        self.clip = v.clip;
    }

    /// Is this the vertex's? All words are looked at, so that nothing is guessed.
    #[inline(always)]
    fn is_of(&self, v: &VtxOut) -> bool {
        // Most that differ do so in their first set.
        if self.tex[0] != v.tex[0] {
            return false;
        }
        let mut other = 0;
        for (a, b) in self.tex.as_flattened().iter().zip(v.tex.as_flattened()) {
            other |= a ^ b;
        }
        for (a, b) in self.clip.iter().zip(&v.clip) {
            other |= a ^ b;
        }
        other == 0
    }
}

impl VtxHead {
    /// Are x and y in their place, and not to be rounded any more? Where both were 0, it does
    /// not matter.
    #[inline(always)]
    pub fn is_placed(&self) -> bool {
        self.exact != [0; 2]
    }

    /// That of a vertex; `tail` is the number of the vertex that has its tail.
    #[inline(always)]
    fn new(v: &VtxOut, tail: u32) -> VtxHead {
        VtxHead {
            pos: v.pos,
            exact: v.exact,
            rw: v.rw,
            color: v.color,
            fog: v.fog,
            point_size: v.point_size,
            tail,
            edge_flag: v.edge_flag,
        }
    }
}

/// Vertices whose heads take several large pages.
const MANY: usize = 1 << 16;

/// The vertices of a scene by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Verts {
    /// Both may have more places than there are vertices: what an earlier scene left.
    heads: Vec<VtxHead>,
    tails: Vec<VtxTail>,
    count: usize,
}

impl Verts {
    /// How many there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Forgets all; their memory is used again.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// The heads of all.
    #[inline(always)]
    pub fn heads(&self) -> &[VtxHead] {
        &self.heads[..self.count]
    }

    /// The same, to be changed.
    pub fn heads_mut(&mut self) -> &mut [VtxHead] {
        &mut self.heads[..self.count]
    }

    /// The tail of a vertex.
    #[inline(always)]
    pub fn tail(&self, head: &VtxHead) -> &VtxTail {
        &self.tails[head.tail as usize]
    }

    /// A whole vertex.
    pub fn get(&self, number: usize) -> Option<VtxOut> {
        let head = self.heads().get(number)?;
        let VtxTail { tex, clip } = *self.tail(head);
        Some(VtxOut {
            pos: head.pos,
            exact: head.exact,
            rw: head.rw,
            color: head.color,
            fog: head.fog,
            point_size: head.point_size,
            tex,
            clip,
            edge_flag: head.edge_flag,
        })
    }

    /// One more.
    pub fn push(&mut self, vertex: &VtxOut) {
        self.append(std::slice::from_ref(vertex));
    }

    /// Some more. It is part of who calls it, as [`Room::take`] is.
    #[inline(always)]
    pub fn append(&mut self, vertices: &[VtxOut]) {
        for mut room in self.grow(vertices.len(), vertices.len()) {
            room.take(vertices);
        }
    }

    /// Makes room for the heads of all that there are to be. Those of a large scene lie on
    /// large pages; so they are moved and not grown, which would keep the pages.
    fn make_room(&mut self) {
        if self.heads.capacity() < self.count {
            let mut heads = Vec::with_capacity(self.count.next_power_of_two());
            if heads.capacity() >= MANY {
                pages::prefer_large(heads.spare_capacity_mut());
            }
            heads.append(&mut self.heads);
            self.heads = heads;
        }
    }

    /// Makes room for `count` more, in pieces of `piece`, which threads may fill at the same
    /// time; all have to be filled.
    pub fn grow(&mut self, count: usize, piece: usize) -> impl Iterator<Item = Room<'_>> {
        let (first, piece) = (self.count, piece.max(1));
        self.count += count;
        if self.heads.len() < self.count {
            self.make_room();
            self.heads.resize(self.count, VtxHead::default());
            self.tails.resize(self.count, VtxTail::default());
        }
        let heads = self.heads[first..self.count].chunks_mut(piece);
        let tails = self.tails[first..self.count].chunks_mut(piece);
        let numbers = (first as u32..).step_by(piece);
        let pieces = numbers.zip(heads.zip(tails));
        pieces.map(|(first, (heads, tails))| Room {
            first,
            heads,
            tails,
            filled: 0,
            last: None,
        })
    }
}

impl FromIterator<VtxOut> for Verts {
    fn from_iter<I: IntoIterator<Item = VtxOut>>(vertices: I) -> Verts {
        let mut verts = Verts::default();
        verts.append(&vertices.into_iter().collect::<Vec<_>>());
        verts
    }
}

/// Room for successive vertices.
#[derive(Debug)]
pub struct Room<'a> {
    /// The first one's number.
    first: u32,
    heads: &'a mut [VtxHead],
    tails: &'a mut [VtxTail],
    filled: usize,
    /// Where the last tail is that was written.
    last: Option<usize>,
}

impl Room<'_> {
    /// How many vertices there is room for.
    pub fn len(&self) -> usize {
        self.heads.len() - self.filled
    }

    /// Is it full?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes the next vertices; those that have no room are left out. It is part of who calls
    /// it, with the instructions that there are.
    #[inline(always)]
    pub fn take(&mut self, vertices: &[VtxOut]) {
        for vertex in vertices.iter().take(self.len()) {
            let at = self.filled;
            // Without closures, which would be functions of the base level.
            let tail = match self.last {
                Some(last) if self.tails[last].is_of(vertex) => last,
                _ => {
                    self.tails[at].take(vertex);
                    at
                }
            };
            self.last = Some(tail);
            self.heads[at] = VtxHead::new(vertex, self.first + tail as u32);
            self.filled += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vertex of which everything is its own but the tail.
    fn vertex(n: u32, tail: u32) -> VtxOut {
        VtxOut {
            pos: [n, n + 1, n + 2, n + 3],
            exact: [n + 4, n + 5],
            rw: n + 6,
            color: [0, 1, 2, 3].map(|i| (n * 16 + i).to_le_bytes()),
            fog: n + 7,
            point_size: n + 8,
            tex: std::array::from_fn(|i| [tail * 100 + i as u32; 4]),
            clip: [tail; 6],
            edge_flag: n.is_multiple_of(2),
        }
    }

    #[test]
    fn a_head_is_a_line_of_cache() {
        assert_eq!(size_of::<VtxHead>(), 64);
        assert_eq!((size_of::<VtxTail>(), align_of::<VtxTail>()), (192, 64));
    }

    #[test]
    fn vertices_come_back_whole() {
        let tails = [0, 0, 3, 3, 3, 0, 7, 7];
        let all: Vec<VtxOut> = (0..8).map(|n| vertex(n, tails[n as usize])).collect();
        for piece in 1..9 {
            let mut verts = Verts::default();
            verts.push(&vertex(99, 1));
            for mut room in verts.grow(8, piece) {
                let first = room.first as usize - 1;
                let (a, b) = all[first..8.min(first + piece)].split_at(piece.min(1));
                room.take(a);
                assert_eq!(room.len(), b.len());
                room.take(b);
                assert!(room.is_empty());
                room.take(&all);
            }
            assert_eq!(verts.len(), 9);
            assert_eq!(verts.get(0), Some(vertex(99, 1)));
            let got: Vec<VtxOut> = (1..9).filter_map(|n| verts.get(n)).collect();
            assert_eq!(got, all, "pieces of {piece}");
            assert_eq!(verts.get(9), None);
        }
    }

    #[test]
    fn one_word_of_a_tail_makes_another() {
        let all: Verts = [vertex(1, 1), vertex(2, 1)].into_iter().collect();
        assert_eq!(all.heads()[0].tail, all.heads()[1].tail);
        const COORDINATES: usize = 4 * SETS;
        for word in 0..COORDINATES + 6 {
            let mut other = vertex(2, 1);
            match word.checked_sub(COORDINATES) {
                None => other.tex[word / 4][word % 4] ^= 1 << 31,
                Some(plane) => other.clip[plane] ^= 1,
            }
            let all: Verts = [vertex(1, 1), other].into_iter().collect();
            assert_eq!(all.get(1), Some(other), "word {word}");
        }
    }

    #[test]
    fn memory_of_an_earlier_scene_is_not_seen() {
        let mut verts: Verts = (0..4).map(|n| vertex(n, n)).collect();
        verts.clear();
        assert!(verts.is_empty() && verts.heads().is_empty());
        assert_eq!(verts.get(0), None);
        verts.append(&[vertex(5, 9), vertex(6, 9)]);
        assert_eq!(verts.get(1), Some(vertex(6, 9)));
        assert_eq!(verts.get(2), None);
    }
}
