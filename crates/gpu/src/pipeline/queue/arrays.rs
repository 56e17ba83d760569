//! Runs of vertices, fetched and sent on.

use super::threads::WORTH_THREADS;
use super::{LONGEST_RUN, Queue, Run, VERTEX_STEPS, XF_BATCH};
use isotherm_bus::budget::{Cost, Unit};
use isotherm_bus::memory::Memory;
use isotherm_pixel::profile::Part;
use isotherm_regs::bundle::LINE_STIPPLE;

impl Queue {
    /// Fetches the vertices that DRAW_ARRAYS asked for.
    #[inline]
    pub(super) fn fetch_arrays(&mut self, mem: &mut Memory) {
        let Run { start, count } = std::mem::take(&mut self.arrays);
        if count != 0 && self.idx.makes_vertices() {
            self.fetch_run(mem, start, count);
        }
    }

    fn fetch_run(&mut self, mem: &mut Memory, start: u32, count: u32) {
        // All at once: batches are not the same at any number of threads.
        if !pay_vertices(mem, count as usize) {
            return;
        }
        if !self.unfetched.is_empty() {
            self.send_waiting(mem);
        }
        self.transformed.forget();
        if self.prepared.is_none() {
            if !self.order.is_empty() {
                self.send_waiting(mem);
            }
            self.prepare(mem);
        }
        if self.draws_over_vertices(mem, start, count) {
            for number in 0..count {
                self.fetch_in_order(mem, start.wrapping_add(number));
            }
            return;
        }
        let mut done = 0;
        while done < count {
            let (at, left) = (start.wrapping_add(done), (count - done) as usize);
            done += if left >= WORTH_THREADS && !self.counts_stipple() {
                self.send_vertices(mem);
                self.send_run(mem, at, left.min(LONGEST_RUN))
            } else {
                self.fetch_batch(mem, at, left)
            };
        }
    }

    /// Sends successive vertices on their way, on all threads if they may; says how many. None
    /// wait before and after.
    fn send_run(&mut self, mem: &mut Memory, start: u32, count: usize) -> u32 {
        if self.may_share_xf() && self.has_helpers(mem) {
            self.send_run_on_threads(mem, start, count);
        } else {
            for at in (0..count).step_by(XF_BATCH) {
                let start = start.wrapping_add(at as u32);
                self.fetch_part(mem, start, XF_BATCH.min(count - at));
                self.send_to_tiles(mem);
            }
        }
        self.draw_if_full(mem);
        count as u32
    }

    /// Does each line of a strip have to know how long those before it are?
    fn counts_stipple(&self) -> bool {
        let word = self.bundles.raster.LINE_STIPPLE;
        LINE_STIPPLE::LINE_STIPPLE_ENABLE.is_set(self.chip, word)
    }

    /// Fetches as many successive vertices as XF gets at once; says how many.
    pub(super) fn fetch_batch(&mut self, mem: &mut Memory, start: u32, left: usize) -> u32 {
        let count = left.min(XF_BATCH - self.fetched.len());
        self.fetch_part(mem, start, count);
        if self.fetched.len() >= XF_BATCH {
            self.send_vertices(mem);
        }
        count as u32
    }

    /// Fetches successive vertices, which are paid.
    pub(super) fn fetch_part(&mut self, mem: &Memory, start: u32, count: usize) {
        let started = self.profile.start();
        let place = (self.scene.verts.len() + self.fetched.len()) as u32;
        self.idx.fetch_run(mem, start, count, &mut self.fetched);
        self.order.extend(place..place + count as u32);
        self.paid += count;
        if let Some(last) = self.fetched.last() {
            self.idx.current = *last;
        }
        self.profile.end(started, Part::Vertices);
    }
}

/// Asks the budget for fetching, transforming and assembling vertices.
pub(super) fn pay_vertices(mem: &Memory, count: usize) -> bool {
    let steps = VERTEX_STEPS * count as u64;
    mem.budget().charge(Unit::Vertices, Cost::Steps, steps)
}
