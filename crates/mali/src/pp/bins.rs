//! Which triangles touch which tiles.

use crate::Error;
use crate::pp::setup::{Primitives, Triangle};

/// Entries of all tile lists together; lima's tile heap of 16 MiB holds them.
const MAX_BINNED: usize = 1 << 23;

/// Which triangles touch which tiles, in drawing order.
#[derive(Default)]
pub(crate) struct Bins {
    /// Number of the tile at a place, all of them outside unless a job runs.
    slot: Vec<u32>,
    /// Tile and triangle, as they were found.
    found: Vec<(u32, u32)>,
    /// Where each tile's triangles begin, and the end.
    start: Vec<u32>,
    tris: Vec<u32>,
}

impl Bins {
    /// The triangles of a tile.
    pub(crate) fn of(&self, tile: usize) -> &[u32] {
        &self.tris[self.start[tile] as usize..self.start[tile + 1] as usize]
    }

    /// Entries of all tiles.
    pub(crate) fn len(&self) -> usize {
        self.tris.len()
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.slot.capacity() + self.start.capacity() + self.tris.capacity();
        4 * words + 8 * self.found.capacity()
    }

    /// Sorts the triangles of a job.
    pub(crate) fn fill(&mut self, prims: &Primitives, tiles: &[(u32, u32)]) -> Result<(), Error> {
        let place = |&(x, y): &(u32, u32)| (y << 8 | x) as usize;
        self.slot.resize(256 * 256, u32::MAX);
        self.found.clear();
        for (i, at) in tiles.iter().enumerate() {
            self.slot[place(at)] = i as u32;
        }
        self.start.clear();
        self.start.resize(tiles.len() + 1, 0);
        let fits = self.find(prims);
        tiles.iter().for_each(|at| self.slot[place(at)] = u32::MAX);
        if !fits {
            return Err(Error::Endless {
                unit: "PLBU",
                addr: 0,
            });
        }
        for i in 0..tiles.len() {
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
        self.start.copy_within(0..tiles.len(), 1);
        self.start[0] = 0;
        Ok(())
    }

    /// Finds the tiles of all triangles and counts theirs; whether there were not too many.
    fn find(&mut self, prims: &Primitives) -> bool {
        for (n, tri) in prims.tris.iter().enumerate() {
            let [x0, x1, y0, y1] = tri.bounds.map(|b| (b >> 4).clamp(0, 255));
            let small = x1 - x0 < 2 || y1 - y0 < 2;
            let edges = if small { [(0, 0, 0); 3] } else { reaches(tri) };
            for ty in y0..=y1 {
                let row = edges.map(|(a, b, e)| (a, e + b * i64::from(ty)));
                for tx in x0..=x1 {
                    // Large triangles leave out tiles that lie beyond an edge.
                    if row.iter().any(|&(a, e)| e + a * i64::from(tx) < 0) {
                        continue;
                    }
                    let tile = self.slot[(ty << 8 | tx) as usize];
                    if tile != u32::MAX {
                        self.found.push((tile, n as u32));
                        self.start[tile as usize + 1] += 1;
                    }
                }
            }
            if self.found.len() > MAX_BINNED {
                return false;
            }
        }
        true
    }
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
