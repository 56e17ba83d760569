//! Which triangles touch which tiles.

use crate::Error;
use crate::pp::primitives::{Primitives, Triangle};
use crate::threads;
use isotherm_bus::threads::Threads;
use std::ops::Range;

/// Entries of all tile lists together; lima's tile heap of 16 MiB holds them.
const MAX_BINNED: usize = 1 << 23;

/// Places that tiles may have.
const PLACES: usize = 256 * 256;

/// Triangles that are worth a thread of their own.
const PART: usize = 2048;

/// Which triangles touch which tiles, in drawing order.
#[derive(Default)]
pub(crate) struct Bins {
    /// Number of the tile at a place, all of them outside unless a job runs.
    slot: Vec<u32>,
    /// The triangles in parts, one after the other, each for a thread.
    parts: Vec<Part>,
}

/// Some of the triangles.
#[derive(Default)]
struct Part {
    /// Tile and triangle, as they were found.
    found: Vec<(u32, u32)>,
    /// Where each tile's triangles begin, and the end.
    start: Vec<u32>,
    tris: Vec<u32>,
    /// There were too many.
    full: bool,
}

impl Bins {
    /// The triangles of a tile, part by part.
    pub(crate) fn of(&self, tile: usize) -> impl Iterator<Item = &[u32]> {
        self.parts.iter().map(move |part| part.of(tile))
    }

    /// Entries of all tiles.
    pub(crate) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.tris.len()).sum()
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        let parts = self.parts.iter().map(Part::bytes);
        4 * self.slot.capacity() + parts.sum::<usize>()
    }

    /// Sorts the triangles of a job.
    pub(crate) fn fill(
        &mut self,
        threads: &Threads,
        prims: &Primitives,
        tiles: &[(u32, u32)],
    ) -> Result<(), Error> {
        let place = |&(x, y): &(u32, u32)| (y << 8 | x) as usize;
        self.slot.resize(PLACES, u32::MAX);
        for (i, at) in tiles.iter().enumerate() {
            self.slot[place(at)] = i as u32;
        }
        let all = prims.len();
        let count = (all / PART).clamp(1, threads.count());
        self.parts.resize_with(count, Part::default);
        let slot = &self.slot;
        threads::each(threads, &mut self.parts, |n, part| {
            let own = all * n / count..all * (n + 1) / count;
            part.full = !part.fill(slot, tiles.len(), prims, own);
        });
        let fits = self.parts.iter().all(|part| !part.full);
        tiles.iter().for_each(|at| self.slot[place(at)] = u32::MAX);
        if !fits || self.len() > MAX_BINNED {
            return Err(Error::Endless {
                unit: "PLBU",
                addr: 0,
            });
        }
        Ok(())
    }
}

impl Part {
    fn of(&self, tile: usize) -> &[u32] {
        &self.tris[self.start[tile] as usize..self.start[tile + 1] as usize]
    }

    fn bytes(&self) -> usize {
        4 * (self.start.capacity() + self.tris.capacity()) + 8 * self.found.capacity()
    }

    /// Sorts its own triangles; whether there were not too many.
    fn fill(&mut self, slot: &[u32], tiles: usize, prims: &Primitives, own: Range<usize>) -> bool {
        self.found.clear();
        self.start.clear();
        self.start.resize(tiles + 1, 0);
        let Some(slot) = slot.first_chunk() else {
            return false;
        };
        let mut runs = prims.part(own);
        if !runs.all(|(first, tris)| self.find(slot, first, tris)) {
            return false;
        }
        for i in 0..tiles {
            self.start[i + 1] += self.start[i];
        }
        self.tris.clear();
        self.tris.resize(self.found.len(), 0);
        for &(tile, tri) in &self.found {
            // Counts up to where the next tile begins, and is put back below.
            let at = &mut self.start[tile as usize];
            self.tris[*at as usize] = tri;
            *at += 1;
        }
        self.start.copy_within(0..tiles, 1);
        self.start[0] = 0;
        true
    }

    /// Finds the tiles of all triangles and counts theirs; whether there were not too many.
    fn find(&mut self, slot: &[u32; PLACES], first: usize, tris: &[Triangle]) -> bool {
        for (n, tri) in tris.iter().enumerate() {
            let [x0, x1, y0, y1] = tiles_of(tri);
            let number = (first + n) as u32;
            if x1 - x0 < 2 || y1 - y0 < 2 {
                for ty in y0..y1 + 1 {
                    for tx in x0..x1 + 1 {
                        self.note(slot[(ty << 8 | tx) as usize % PLACES], number);
                    }
                }
            } else {
                self.find_large(slot, tri, number);
            }
            if self.found.len() > MAX_BINNED {
                return false;
            }
        }
        true
    }

    /// Finds the tiles of a large triangle: those that lie beyond an edge are left out.
    fn find_large(&mut self, slot: &[u32; PLACES], tri: &Triangle, number: u32) {
        let [x0, x1, y0, y1] = tiles_of(tri);
        let edges = reaches(tri);
        for ty in y0..=y1 {
            let row = edges.map(|(a, b, e)| (a, e + b * i64::from(ty)));
            for tx in x0..=x1 {
                if row.iter().any(|&(a, e)| e + a * i64::from(tx) < 0) {
                    continue;
                }
                self.note(slot[(ty << 8 | tx) as usize % PLACES], number);
            }
        }
    }

    /// Notes that a triangle touches a tile, if that is one of the job's.
    #[inline(always)]
    fn note(&mut self, tile: u32, number: u32) {
        if let Some(count) = self.start.get_mut(tile.wrapping_add(1) as usize)
            && tile != u32::MAX
        {
            self.found.push((tile, number));
            *count += 1;
        }
    }
}

/// The tiles of a triangle's bounds: left, right, top, bottom.
#[inline(always)]
fn tiles_of(tri: &Triangle) -> [i32; 4] {
    tri.bounds.map(|b| (b >> 4).clamp(0, 255))
}

/// Edges by tiles: per tile across and down, and the most that it reaches in the first tile,
/// with one pixel of slack for samples off the centres.
fn reaches(tri: &Triangle) -> [(i64, i64, i64); 3] {
    tri.edge.map(|(a, b, c)| {
        let (a, b) = (i64::from(a), i64::from(b));
        let most = c + (a.max(0) + b.max(0)) * 16 - (a.min(0) + b.min(0));
        (a * 16, b * 16, most)
    })
}
