//! Long runs of vertices on all threads: fetched, transformed and assembled in parts
//! whose results are put together in order.

use super::{BATCH, FULL, Pipeline, Scene};
use crate::idx::Idx;
use isotherm_bus::memory::Memory;
use isotherm_bus::vertex::{Textures, VtxIn, VtxOut};
use isotherm_pixel::assm::Out;
use isotherm_pixel::profile::Part;
use isotherm_pixel::tex::VertexTextures;
use isotherm_regs::Family;
use isotherm_xf::xf::LastOutputs;
use std::mem::MaybeUninit;
use std::time::Instant;

/// Vertices that one thread takes at once, and the number from which on that is worth
/// it.
const PART: usize = 4 * BATCH;
pub(super) const WORTH_THREADS: usize = 4 * PART;

/// Vertices to fetch.
pub(super) enum Which<'a> {
    /// So many from this one on.
    Run(u32, usize),
    /// These.
    List(&'a [u32]),
}

impl Which<'_> {
    fn len(&self) -> usize {
        match *self {
            Which::Run(_, count) => count,
            Which::List(list) => list.len(),
        }
    }

    /// Fetches `count` of them from place `at` on.
    fn fetch(&self, idx: &Idx, mem: &Memory, at: usize, count: usize, out: &mut Vec<VtxIn>) {
        match *self {
            Which::Run(start, _) => {
                idx.fetch_run(mem, start.wrapping_add(at as u32), count, out);
            }
            Which::List(list) => idx.fetch_list(mem, &list[at..at + count], out),
        }
    }
}

impl Pipeline {
    /// Fetches and transforms successive vertices on all threads and assembles them in
    /// order. Returns how many it took; none are waiting before and after.
    pub(super) fn run_beside(&mut self, mem: &mut Memory, start: u32, left: usize) -> u32 {
        let draw = self.prepare(mem);
        let started = self.profile.start();
        let count = left.min(FULL / 4);
        let first = self.scene.verts.len();
        let busy = self.transform_beside(mem, &Which::Run(start, count));
        self.idx.fetch(mem, start.wrapping_add(count as u32 - 1));
        self.profile.end_shared(started, Part::Vertices, busy);
        self.assemble_beside(draw, first as u32, count as u32);
        self.bin(mem);
        count as u32
    }

    /// Fetches and transforms vertices on all threads, to the end of the scene's. Only where
    /// XF can be shared. Returns the nanoseconds that the threads were busy, if anybody
    /// measures.
    pub(super) fn transform_beside(&mut self, mem: &Memory, which: &Which<'_>) -> u64 {
        let (count, first) = (which.len(), self.scene.verts.len());
        let (crew, timed) = (self.crew(), self.profile.on());
        let textures = (self.chip.family() == Family::Curie)
            .then(|| VertexTextures::prepare(self.chip, &self.words, self.tex, mem));
        let idx = &self.idx;
        let Some(xf) = self.xf.snapshot() else {
            return 0;
        };
        self.scene.verts.reserve(count);
        let room = &mut self.scene.verts.spare_capacity_mut()[..count];
        let part = |(part, room): (usize, &mut [MaybeUninit<VtxOut>])| {
            let since = timed.then(Instant::now);
            let textures = textures.as_ref().map(|t| t as &dyn Textures);
            let (mut fetched, mut out) = (Vec::new(), [VtxOut::default(); BATCH]);
            let mut last = LastOutputs::default();
            for (i, room) in room.chunks_mut(BATCH).enumerate() {
                fetched.clear();
                which.fetch(idx, mem, part * PART + i * BATCH, room.len(), &mut fetched);
                last = xf.run(textures, &fetched, &mut out);
                for (slot, vertex) in room.iter_mut().zip(&out) {
                    slot.write(*vertex);
                }
            }
            (since.map_or(0, |at| at.elapsed().as_nanos() as u64), last)
        };
        let done = crew.each(room.chunks_mut(PART).enumerate(), part);
        let busy = done.iter().map(|(ns, _)| ns).sum();
        if let Some((_, last)) = done.into_iter().last() {
            self.xf.keep_outputs(last);
        }
        // SAFETY: `count` places beyond the end were reserved, and the parts, which
        // together are all of them, were filled to their last place.
        unsafe { self.scene.verts.set_len(first + count) };
        busy
    }

    /// Primitives of successive vertices: every thread takes some from where ASSM would
    /// be by then.
    fn assemble_beside(&mut self, draw: u32, first: u32, count: u32) {
        let started = self.profile.start();
        let (crew, timed) = (self.crew(), self.profile.on());
        let Scene { draws, verts, .. } = &self.scene;
        let (assm, state) = (&self.assm, &draws[draw as usize]);
        let part = |from: u32| {
            let since = timed.then(Instant::now);
            let mut prims = Vec::new();
            let mut out = Out::new(verts, state, draw, &mut prims);
            let mut assm = assm.clone();
            assm.skip(first, from);
            for number in from..count.min(from + PART as u32) {
                assm.vertex(first + number, &mut out);
            }
            let busy = since.map_or(0, |at| at.elapsed().as_nanos() as u64);
            (busy, prims)
        };
        let done = crew.each((0..count).step_by(PART), part);
        let mut busy = 0;
        for (ns, prims) in done {
            busy += ns;
            self.scene.prims.extend(prims);
        }
        self.assm.skip(first, count);
        self.profile.end_shared(started, Part::Assembly, busy);
    }
}
