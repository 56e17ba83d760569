//! Vertices as the front end sends them: one by one, in runs, or by their numbers.

use super::threads::WORTH_THREADS;
use super::{IN_ORDER_STEPS, Queue, Run, SCENE_LIMIT, XF_BATCH};
use isotherm_bus::budget::{Cost, Unit};
use isotherm_bus::memory::Memory;
use isotherm_pixel::tex::vertex_texture_reads;
use isotherm_regs::Family;

impl Queue {
    /// What IDX holds now is a vertex.
    pub(in crate::pipeline) fn vertex(&mut self, mem: &mut Memory) {
        if !self.open {
            return;
        }
        let place = (self.scene.verts.len() + self.fetched.len()) as u32;
        self.fetched.push(self.idx.current);
        self.order.push(place);
        if self.fetched.len() >= XF_BATCH {
            self.send_vertices(mem);
        }
    }

    /// Successive vertices. A method draws 256 at most, so drivers send one method after the
    /// other: what continues the last one is joined to it.
    pub(in crate::pipeline) fn arrays(&mut self, mem: &mut Memory, start: u32, count: u32) {
        if !self.open {
            return;
        }
        let Run { start: s, count: n } = self.arrays;
        if n != 0 && start == s.wrapping_add(n) && (n as usize) < SCENE_LIMIT {
            self.arrays.count = n.saturating_add(count);
            return;
        }
        self.fetch_arrays(mem);
        self.arrays = Run { start, count };
    }

    /// The open primitive begins anew.
    fn restart(&mut self, mem: &mut Memory) {
        self.send_vertices(mem);
        let fresh = self.assm.fresh();
        self.close_primitive(mem);
        self.assm = fresh;
    }

    /// A vertex by its number.
    pub(in crate::pipeline) fn element(&mut self, mem: &mut Memory, index: u32) {
        if !self.open {
            return;
        }
        if self.idx.restarts_at(index) {
            return self.restart(mem);
        }
        let index = self.idx.based(index);
        self.fetch_arrays(mem);
        if self.prepared.is_none() {
            // Preparing may draw the scene that holds the cached vertices.
            self.send_vertices(mem);
            self.prepare(mem);
            self.transformed.forget();
        }
        if let Some(place) = self.transformed.find(index) {
            self.order.push(place);
            if self.order.len() >= SCENE_LIMIT {
                self.send_vertices(mem);
            }
            return;
        }
        self.start_cache(mem);
        if index >= self.transformed.elsewhere() && self.draws_over_vertices(mem, index, 1) {
            self.fetch_in_order(mem, index);
            return;
        }
        if !self.fetched.is_empty() {
            self.send_vertices(mem);
            self.start_cache(mem);
        }
        let place = (self.scene.verts.len() + self.unfetched.len()) as u32;
        self.transformed.keep(index, place);
        self.unfetched.push(index);
        self.order.push(place);
        // As many as threads want to share, also where there is one: the budget has to end at
        // the same method.
        if self.unfetched.len() >= WORTH_THREADS {
            self.send_vertices(mem);
        }
    }

    /// Vertices by their numbers.
    pub(in crate::pipeline) fn elements(&mut self, mem: &mut Memory, numbers: &[u32]) {
        let mut rest = &numbers[self.plain_elements(numbers)..];
        while let Some((&number, others)) = rest.split_first() {
            self.element(mem, number);
            rest = &others[self.plain_elements(others)..];
        }
    }

    /// Takes as many as need nothing but the cache; says how many. What else [`Queue::element`]
    /// looks at does not change by that.
    #[inline]
    fn plain_elements(&mut self, numbers: &[u32]) -> usize {
        let plain = self.open
            && self.prepared.is_some()
            && self.arrays.count == 0
            && self.fetched.is_empty()
            && !self.idx.restarts();
        // The number of vertex 0 is what all are based on.
        let (first, base) = (self.scene.verts.len(), self.idx.based(0));
        let elsewhere = self.transformed.elsewhere();
        let Some(mut cache) = self.transformed.good().filter(|_| plain) else {
            return 0;
        };
        let count = numbers
            .len()
            .min(SCENE_LIMIT.saturating_sub(self.order.len() + 1));
        // Room for all at once: then each is no more than a place that is written.
        let (before, mut done) = (self.order.len(), 0);
        self.order.resize(before + count, 0);
        for (place, &number) in self.order[before..].iter_mut().zip(numbers) {
            let index = number.wrapping_add(base);
            *place = match cache.find(index) {
                Some(place) => place,
                None if index >= elsewhere || self.unfetched.len() + 1 >= WORTH_THREADS => break,
                None => {
                    let place = (first + self.unfetched.len()) as u32;
                    cache.keep(index, place);
                    self.unfetched.push(index);
                    place
                }
            };
            done += 1;
        }
        self.order.truncate(before + done);
        done
    }

    /// Makes the cache of transformed vertices ready.
    fn start_cache(&mut self, mem: &Memory) {
        if self.transformed.is_ready() {
            return;
        }
        let scene = &self.scene;
        let textures = self.vertex_texture_reads();
        let textures_are_drawn_to = textures.into_iter().any(|range| scene.reaches(mem, range));
        let drawn_to = |range| textures_are_drawn_to || scene.reaches(mem, range);
        self.transformed.start(&self.idx, drawn_to);
    }

    /// Do the surfaces lie where these vertices, or what they look up, are fetched from?
    pub(super) fn draws_over_vertices(&self, mem: &Memory, start: u32, count: u32) -> bool {
        let textures = self.vertex_texture_reads();
        let mut ranges = self.idx.ranges(start, count).chain(textures);
        ranges.any(|range| self.scene.reaches(mem, range))
    }

    /// Memory of the textures that vertex programs look up.
    pub(super) fn vertex_texture_reads(&self) -> Vec<(u32, usize)> {
        match self.chip.family() {
            Family::Curie => vertex_texture_reads(self.chip, &self.bundles.tex, self.tex).collect(),
            _ => Vec::new(),
        }
    }

    /// Fetches one vertex when everything before it is drawn.
    pub(super) fn fetch_in_order(&mut self, mem: &mut Memory, index: u32) {
        let budget = mem.budget();
        if !budget.charge(Unit::Vertices, Cost::Steps, IN_ORDER_STEPS) {
            return;
        }
        self.send_vertices(mem);
        self.draw_scene(mem);
        self.fetch_batch(mem, index, 1);
        self.send_vertices(mem);
    }
}
