//! What the queue holds, as words of a saved state: between any two methods, inside a primitive
//! too.

use super::vertex_cache::ENTRIES;
use super::{Assm, Changed, Queue};
use isotherm_bus::memory::Memory;
use isotherm_bus::saved::Saved;
use isotherm_bus::unit::Takes;
use isotherm_bus::vertex::VtxOut;
use isotherm_pixel::raster::tile::Draw;
use isotherm_pixel::zcull::ClipIds;
use isotherm_regs::bundle::Bundle;

/// More pieces of memory than a state reads: textures, a program, clip ids.
const MOST_READS: usize = 64;

impl Queue {
    /// The word of a bundle's entry, whichever unit holds it.
    #[inline]
    pub(super) fn held(&self, bundle: Bundle, entry: usize) -> Option<u32> {
        let held = self.bundles.register(bundle, entry);
        held.or_else(|| self.xf.bundles().register(bundle, entry))
            .or_else(|| self.idx.bundles().register(bundle, entry))
    }

    /// Everything that a later draw depends on. When it is saved, nothing waits; when it is
    /// loaded, what was under way is forgotten.
    pub(in crate::pipeline) fn saved(&mut self, mem: &mut Memory, saved: &mut Saved) {
        if saved.loads() {
            self.drop_primitive(mem);
            self.changed = Changed::ALL;
        } else {
            self.finish(mem);
        }
        self.saved_words(saved);
        saved.word(&mut self.celsius_config);
        self.surface.saved(saved);
        let mut drawn_to = self.drawn_to.is_some();
        saved.flag(&mut drawn_to);
        if drawn_to {
            self.drawn_to.get_or_insert_default().saved(saved);
        }
        self.tex.iter_mut().for_each(|span| saved.span(span));
        self.idx.saved(saved);
        self.xf.saved(saved);
        saved.flag(&mut self.skips);
        saved.wide(&mut self.passed);
        saved.flag(&mut self.open);
        if self.open {
            self.saved_primitive(mem, saved);
        }
    }

    /// The primitive that was open is none any more.
    pub(in crate::pipeline) fn drop_primitive(&mut self, mem: &mut Memory) {
        self.flush(mem);
        self.open = false;
        self.assm = Assm::default();
        self.scene.verts.clear();
        self.read_before.clear();
    }

    /// The units' words of all bundles.
    fn saved_words(&mut self, saved: &mut Saved) {
        for bundle in Bundle::all() {
            for entry in 0..bundle.row().width() {
                let Some(mut word) = self.held(bundle, entry) else {
                    continue;
                };
                saved.word(&mut word);
                if saved.loads() {
                    self.idx.bundle(bundle, entry, word);
                    self.xf.bundle(bundle, entry, word);
                    self.bundles.take(bundle, entry, word);
                }
            }
        }
    }

    /// What an open primitive has besides registers.
    fn saved_primitive(&mut self, mem: &mut Memory, saved: &mut Saved) {
        let needs = self.assm.needs();
        self.assm.saved(saved);
        for number in needs {
            let verts = &self.scene.verts;
            let mut vertex = verts.get(number as usize).unwrap_or_default();
            vertex.saved(saved);
            if saved.loads() {
                self.scene.verts.push(&vertex);
            }
        }
        self.saved_cache(saved);
        if self.prepared.is_none() {
            self.read_before.clear();
        }
        self.saved_reads(mem, saved);
    }

    /// Vertices by their number, which are not transformed again: that would show in what XF
    /// and IDX keep of the last one.
    fn saved_cache(&mut self, saved: &mut Saved) {
        let kept = self.kept_vertices();
        let mut valid = kept.is_some();
        saved.flag(&mut valid);
        if !valid {
            return;
        }
        let mut kept = kept.unwrap_or_default();
        let mut low_are_elsewhere = self.transformed.low_are_elsewhere;
        saved.flag(&mut low_are_elsewhere);
        let count = saved.count(kept.len(), ENTRIES);
        kept.resize(count, Default::default());
        for (number, vertex) in &mut kept {
            saved.word(number);
            vertex.saved(saved);
        }
        if saved.loads() {
            self.keep_vertices(low_are_elsewhere, kept);
        }
    }

    /// What the open primitive's state read before it was drawn over.
    fn saved_reads(&mut self, mem: &mut Memory, saved: &mut Saved) {
        let count = saved.count(self.read_before.len(), MOST_READS);
        let mut reads = std::mem::take(&mut self.read_before);
        reads.resize_with(count, Default::default);
        for (address, bytes) in &mut reads {
            saved.word(address);
            saved.bytes(bytes);
        }
        if saved.loads() && !reads.is_empty() {
            // Memory as it was shows for as long as the state is prepared.
            let now = exchange(mem, &reads);
            self.prepare(mem);
            exchange(mem, &now);
        }
        self.read_before = reads;
    }

    /// The vertices of the cache with their numbers, if it is in use.
    pub(super) fn kept_vertices(&self) -> Option<Vec<(u32, VtxOut)>> {
        let vertex = |(number, place): (u32, u32)| {
            let vertex = self.scene.verts.get(place as usize)?;
            Some((number, vertex))
        };
        let kept = || self.transformed.kept().filter_map(vertex).collect();
        self.transformed.is_ready().then(kept)
    }

    /// Puts vertices behind the scene's and the cache's numbers to them.
    pub(super) fn keep_vertices(&mut self, low_are_elsewhere: bool, kept: Vec<(u32, VtxOut)>) {
        let first = self.scene.verts.len() as u32;
        let numbers = kept.iter().map(|(number, _)| *number).zip(first..);
        self.transformed.refill(low_are_elsewhere, numbers);
        for (_, vertex) in &kept {
            self.scene.verts.push(vertex);
        }
    }

    /// The scene is about to be drawn over what an open primitive's state read of memory.
    pub(super) fn keep_what_was_read(&mut self, mem: &Memory, state: &Draw) {
        if !self.reads_surfaces || !self.read_before.is_empty() {
            return;
        }
        let textures = state.shade.reads();
        let program = state.program.iter().flat_map(|program| program.reads());
        let height = self.scene.surfaces.clip[3];
        let ids = ClipIds::reads(self.chip, &self.bundles.zcull, height);
        let reads = textures.chain(program).chain(ids);
        let drawn_over = reads.filter(|range| self.scene.reaches(mem, *range));
        let bytes = |(address, len)| (address, mem.bytes(address, len).to_vec());
        self.read_before = drawn_over.map(bytes).collect();
    }
}

/// Writes pieces of memory; gives what was there, to be written in the order given back.
fn exchange(mem: &mut Memory, pieces: &[(u32, Vec<u8>)]) -> Vec<(u32, Vec<u8>)> {
    let mut before = Vec::new();
    for (address, bytes) in pieces {
        let kept = mem.bytes(*address, bytes.len()).to_vec();
        before.push((*address, kept));
        mem.write(*address, bytes);
    }
    before.reverse();
    before
}
