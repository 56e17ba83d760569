//! Long runs of vertices on all threads: fetched, transformed and assembled in parts
//! whose results are put together in order.

use super::{Queue, Scene, XF_BATCH};
use crate::idx::Idx;
use isotherm_bus::memory::Memory;
use isotherm_bus::vertex::{Textures, VtxIn, VtxOut};
use isotherm_bus::verts::{Room, Verts};
use isotherm_lanes::{Level, dispatch};
use isotherm_pixel::assm::Out;
use isotherm_pixel::profile::Part;
use isotherm_pixel::tex::VertexTextures;
use isotherm_regs::Family;
use isotherm_xf::xf::{LastOutputs, Snapshot};
use std::time::Instant;

/// Vertices that a thread takes at once.
const PART: usize = 8 * XF_BATCH;
/// From this many vertices on, more than one thread is worth it.
pub(super) const WORTH_THREADS: usize = 4 * PART;

/// The numbers of vertices to fetch.
pub(super) enum Numbers<'a> {
    /// The first one, and how many successive ones.
    Run(u32, usize),
    /// Any, one after the other.
    List(&'a [u32]),
}

impl Numbers<'_> {
    fn len(&self) -> usize {
        match *self {
            Numbers::Run(_, count) => count,
            Numbers::List(list) => list.len(),
        }
    }

    /// Fetches `count` of them from place `at` on.
    fn fetch(&self, idx: &Idx, mem: &Memory, at: usize, count: usize, out: &mut Vec<VtxIn>) {
        match *self {
            Numbers::Run(start, _) => {
                idx.fetch_run(mem, start.wrapping_add(at as u32), count, out);
            }
            Numbers::List(list) => idx.fetch_list(mem, &list[at..at + count], out),
        }
    }
}

impl Queue {
    /// May several threads transform at once? Not while somebody looks at vertices, and not
    /// for programs that write context rows, nor for those that jump: a few may take all of the
    /// budget, and the last vertex that it allows is the same at any number of threads.
    pub(super) fn may_share_xf(&mut self) -> bool {
        let watched = self.vertex_watch.is_some() || self.inspection.is_some();
        let shares = |xf: Snapshot<'_>| !xf.jumps();
        self.threads > 1 && !watched && self.xf.snapshot().is_some_and(shares)
    }

    /// Fetches and transforms successive vertices on all threads and assembles them in
    /// order. None are waiting before and after.
    pub(super) fn send_run_on_threads(&mut self, mem: &mut Memory, start: u32, count: usize) {
        let draw = self.prepare(mem);
        let started = self.profile.start();
        let first = self.scene.verts.len();
        let busy = self.transform_on_threads(mem, &Numbers::Run(start, count));
        self.idx.fetch(mem, start.wrapping_add(count as u32 - 1));
        self.profile.end_shared(started, Part::Vertices, busy);
        self.assemble_on_threads(draw, first as u32, count as u32);
        self.sort_into_tiles(mem);
    }

    /// Fetches and transforms vertices on all threads, to the end of the scene's. Only where
    /// XF can be shared. Returns the nanoseconds that the threads were busy, if anybody
    /// measures.
    pub(super) fn transform_on_threads(&mut self, mem: &Memory, numbers: &Numbers<'_>) -> u64 {
        let (count, first) = (numbers.len(), self.scene.verts.len());
        let (workers, timed) = (self.workers(), self.profile.on());
        let textures = (self.chip.family() == Family::Curie)
            .then(|| VertexTextures::prepare(self.chip, &self.bundles.tex, self.tex, mem));
        let idx = &self.idx;
        let Some(xf) = self.xf.snapshot() else {
            return 0;
        };
        let rooms = self.scene.verts.grow(count, PART);
        let part = |(part, mut room): (usize, Room<'_>)| {
            let since = timed.then(Instant::now);
            let textures = textures.as_ref().map(|t| t as &dyn Textures);
            let (mut fetched, mut out) = (Vec::new(), [VtxOut::default(); XF_BATCH]);
            let mut last = LastOutputs::default();
            let mut at = part * PART;
            while !room.is_empty() {
                let count = room.len().min(XF_BATCH);
                fetched.clear();
                numbers.fetch(idx, mem, at, count, &mut fetched);
                last = xf.run(textures, &fetched, &mut out);
                take(Level::current(), &mut room, &out[..count]);
                at += count;
            }
            (since.map_or(0, |at| at.elapsed().as_nanos() as u64), last)
        };
        let done = workers.each(rooms.enumerate(), part);
        let busy = done.iter().map(|(ns, _)| ns).sum();
        if let Some((_, last)) = done.into_iter().last() {
            self.xf.keep_outputs(last);
        }
        self.place(first);
        busy
    }

    /// Primitives of successive vertices: every thread takes some from where ASSM would
    /// be by then.
    fn assemble_on_threads(&mut self, draw: u32, first: u32, count: u32) {
        let started = self.profile.start();
        let (workers, timed) = (self.workers(), self.profile.on());
        let Scene { draws, verts, .. } = &self.scene;
        let (assm, state) = (&self.assm, &draws[draw as usize]);
        let part = |from: u32| {
            let since = timed.then(Instant::now);
            let mut prims = Vec::new();
            let mut out = Out::new(verts.heads(), state, draw, &mut prims);
            let mut assm = assm.clone();
            assm.skip(first, from);
            for number in from..count.min(from + PART as u32) {
                assm.vertex(first + number, &mut out);
            }
            let busy = since.map_or(0, |at| at.elapsed().as_nanos() as u64);
            (busy, prims)
        };
        let done = workers.each((0..count).step_by(PART), part);
        let mut busy = 0;
        for (ns, prims) in done {
            busy += ns;
            self.scene.prims.extend(prims);
        }
        self.assm.skip(first, count);
        self.profile.end_shared(started, Part::Assembly, busy);
    }
}

dispatch! {
    /// Vertices to the scene: mostly copies and comparisons of long rows of words.
    pub(super) fn append(verts: &mut Verts, vertices: &[VtxOut]) = append_any;
}

#[inline(always)]
fn append_any(verts: &mut Verts, vertices: &[VtxOut]) {
    verts.append(vertices);
}

dispatch! {
    /// The same for a part of them.
    fn take(room: &mut Room<'_>, vertices: &[VtxOut]) = take_any;
}

#[inline(always)]
fn take_any(room: &mut Room<'_>, vertices: &[VtxOut]) {
    room.take(vertices);
}
