//! Pixel kill: what a later triangle of the same draw hides is never shaded.
//!
//! Where a pixel's colour depends neither on what was there nor on the program's own tests,
//! only the last triangle that passed the depth test shows. Triangles wait, with the pixels they
//! passed in, until the draw has no more of them in the tile; then each shades the pixels in
//! which it was the last.

use crate::pp::depth_stencil::DepthTest;
use crate::pp::raster::Inside;
use crate::pp::tile::{DrawState, Frame, Job, LocalTriangle, PIXELS, Worker, prefetch};
use crate::pp::visible::{Surface, visible};
use isotherm_lanes::{LANES, Simd};
use isotherm_lanes::{Level, dispatch};

/// Triangles that wait at most.
const MOST: usize = 1024;

/// A triangle that waits.
#[derive(Clone, Copy)]
struct WaitingTriangle {
    /// Its place among the job's triangles.
    tri: u32,
    /// Pixels in which it passed, by rows of quads.
    cover: [u32; 8],
}

/// The triangles of a tile that wait.
pub struct Waiting {
    list: Vec<WaitingTriangle>,
    last: Box<Last>,
}

/// Which triangle of the list was the last in each pixel; nobody looks at pixels that none of
/// them covers.
#[repr(C, align(64))]
struct Last([u32; PIXELS]);

impl Default for Waiting {
    fn default() -> Waiting {
        Waiting {
            list: Vec::new(),
            last: Box::new(Last([0; PIXELS])),
        }
    }
}

impl Waiting {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    /// Adds a triangle.
    pub fn push(&mut self, level: Level, tri: u32, cover: [u32; 8]) {
        mark(level, &cover, self.list.len() as u32, &mut self.last.0);
        self.list.push(WaitingTriangle { tri, cover });
    }

    /// Adds a triangle of which only depth decides what passes.
    pub(crate) fn test(
        &mut self,
        level: Level,
        inside: &Inside,
        test: &DepthTest,
        depth: &mut [u32; PIXELS],
        tri: u32,
    ) {
        let mut cover = [0; 8];
        let surface = Surface {
            depth,
            last: &mut self.last.0,
            number: self.list.len() as u32,
        };
        if visible(level, inside, test, surface, &mut cover) {
            self.list.push(WaitingTriangle { tri, cover });
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.list.len() == MOST
    }

    /// Leaves of each triangle's pixels those in which it was the last.
    pub fn settle(&mut self, level: Level) {
        if self.list.len() > 1 {
            keep(level, &mut self.list, &self.last.0);
        }
    }

    /// The pixels of triangle `n`.
    pub fn cover(&self, n: usize) -> [u32; 8] {
        self.list[n].cover
    }
}

impl DrawState {
    /// Whether only the last triangle of a pixel shows. Samples are not looked at one by one.
    pub(crate) fn kills(&self, frame: &Frame) -> bool {
        !self.ordered && frame.planes == 1
    }
}

impl Worker {
    /// Lets a triangle wait that passed the tests in some pixels.
    pub(crate) fn wait(
        &mut self,
        job: &Job,
        number: u32,
        tri: u32,
        cover: [u32; 8],
    ) -> Result<(), u32> {
        if cover == [0; 8] {
            return Ok(());
        }
        if self.waiting.is_full() {
            self.wake(job, number)?;
        }
        self.waiting.push(job.frame.level, tri, cover);
        Ok(())
    }

    /// Sends on what shows of the triangles that wait, in their order. On failure, the address
    /// of the program that hangs.
    pub(crate) fn wake(&mut self, job: &Job, number: u32) -> Result<(), u32> {
        let Some(draw) = job.draws.get(number as usize) else {
            return Ok(());
        };
        self.waiting.settle(job.frame.level);
        let list = std::mem::take(&mut self.waiting.list);
        let origin = job.origin();
        let mut done = Ok(());
        for waiting in list.iter().filter(|w| w.cover != [0; 8]) {
            let tri = &job.prims.tris[waiting.tri as usize];
            let planes = tri.planes as usize..tri.planes as usize + draw.program.attrs.len();
            prefetch(job.prims.planes.get(planes).unwrap_or_default());
            let local = LocalTriangle::new(tri, origin);
            done = self.queue(job, draw, number, &local, &[waiting.cover]);
            if done.is_err() {
                break;
            }
        }
        self.waiting.list = list;
        self.waiting.clear();
        done
    }
}

dispatch! {
    /// Triangle `n` is the last in the pixels of `cover`.
    fn mark(cover: &[u32; 8], n: u32, last: &mut [u32; PIXELS]) = mark_any::<Lanes>;
}

#[inline(always)]
fn mark_any<S: Simd>(cover: &[u32; 8], n: u32, last: &mut [u32; PIXELS]) {
    let (halves, _) = last.as_chunks_mut::<LANES>();
    for (row, &cover) in cover.iter().enumerate() {
        for half in 0..2 {
            let here = cover >> (half * LANES) & 0xFFFF;
            if here != 0 {
                let to = &mut halves[row * 2 + half];
                let new = S::iselect(S::mask(here), S::isplat(n as i32), S::iload(to));
                S::istore(new, to);
            }
        }
    }
}

dispatch! {
    /// Leaves of each triangle the pixels in which it was the last.
    fn keep(list: &mut [WaitingTriangle], last: &[u32; PIXELS]) = keep_any::<Lanes>;
}

#[inline(always)]
fn keep_any<S: Simd>(list: &mut [WaitingTriangle], last: &[u32; PIXELS]) {
    let (halves, _) = last.as_chunks::<LANES>();
    for (n, waiting) in list.iter_mut().enumerate() {
        let n = S::isplat(n as i32);
        for (row, cover) in waiting.cover.iter_mut().enumerate() {
            if *cover == 0 {
                continue;
            }
            let left = S::bits(S::ieq(S::iload(&halves[row * 2]), n));
            let right = S::bits(S::ieq(S::iload(&halves[row * 2 + 1]), n));
            *cover &= left | right << LANES;
        }
    }
}
