//! Scenes that helpers draw while events still come in.
//!
//! Only while somebody vouches for memory (`Queue::overlap`). One scene flies at a time, and
//! its surfaces are those of the scene that is being filled: whoever changes them lands it
//! first. So what the scene reaches is what must not be read, and that is asked wherever memory
//! is read.

use super::Queue;
use isotherm_bus::memory::Memory;
use isotherm_pixel::profile::Part;
use isotherm_pixel::scene::{Flight, Landed};
use isotherm_regs::Family;

/// Primitives after which a scene is drawn when a primitive ends: so many for the first one, and
/// twice as many for each next, as long as nobody asks for what is drawn. Helpers have the
/// first one early, and a tile's words come from memory a few times a frame instead of fifteen.
/// A game's primitives take about twice as long to draw as to make, so helpers are done with a
/// scene when the next one is ready. The same at any number of threads: what preparing the state
/// again costs is counted.
pub(super) const FIRST: usize = 4096;
const LARGEST: usize = 32768;
/// Primitives for each thread after which a scene is drawn inside a primitive, whose state goes
/// on.
const FOR_EACH_THREAD: usize = 1024;

impl Queue {
    /// Another number of primitives after which a scene is drawn.
    pub(in crate::pipeline) fn set_scene_size(&mut self, primitives: usize) {
        self.scene_size = Some(primitives);
    }

    /// Is the scene worth drawing while events come in?
    fn is_worth_it(&mut self) -> bool {
        let size = self.scene.prims.len();
        if let Some(enough) = self.scene_size {
            return size >= enough;
        }
        if !self.open {
            return size >= self.enough;
        }
        // Shared vertices are transformed again, which for programs that jump is counted.
        size >= FOR_EACH_THREAD * self.threads && self.may_share_xf()
    }

    /// From now on scenes may be drawn while events come in, or no longer.
    ///
    /// # Safety
    /// Until it is turned off again, memory must live and be used by this queue alone.
    pub(in crate::pipeline) unsafe fn overlap(&mut self, mem: &mut Memory, on: bool) {
        self.overlaps = on;
        if !on {
            self.land(mem);
        }
    }

    /// Draws the scene if it is large enough, on other threads if it may go there.
    pub(super) fn launch_if_worth_it(&mut self, mem: &mut Memory) {
        if self.inspection.is_some() || !self.is_worth_it() {
            return;
        }
        // What is drawn inside a primitive depends on the number of threads, and must not show.
        let enough = match self.open {
            true => self.enough,
            false => (2 * self.enough).min(LARGEST),
        };
        self.launch(mem);
        self.enough = enough;
    }

    /// Draws the scene, on other threads if it may go there.
    fn launch(&mut self, mem: &mut Memory) {
        let workers = self.workers();
        let alone = !self.overlaps || self.reads_surfaces;
        if alone || !self.scene.may_fly(mem, &workers) {
            return self.draw_scene(mem);
        }
        self.land(mem);
        let (surfaces, carried) = (self.scene.surfaces, self.carry());
        // SAFETY: it may; `overlap`'s caller keeps memory for us, and we land the flight before
        // we touch the surfaces and before that promise ends.
        let flight = unsafe { self.scene.launch(mem, &workers, self.profile.on()) };
        self.flight = Some(flight);
        std::mem::swap(&mut self.scene, &mut self.spare);
        self.scene.start(surfaces, mem);
        self.go_on(carried);
    }

    /// Are helpers free to share vertices? Not while there are tiles left to draw.
    pub(super) fn has_helpers(&mut self, mem: &mut Memory) -> bool {
        let busy = self.flight.as_ref().is_some_and(Flight::has_tiles);
        if !busy {
            self.land(mem);
        }
        !busy
    }

    /// Waits for the scene that is being drawn, and helps.
    pub(super) fn land(&mut self, mem: &mut Memory) {
        let Some(flight) = self.flight.take() else {
            return;
        };
        let started = self.profile.start();
        let landed = flight.land();
        mem.take_back();
        let Some(Landed {
            mut scene,
            passed,
            busy,
        }) = landed
        else {
            return;
        };
        scene.count(&mut self.profile, passed);
        self.profile.end_shared(started, Part::Pixels, busy);
        self.count(passed);
        scene.forget();
        self.spare = scene;
    }

    /// Does work that is under way write to any of these bytes (address and length)?
    pub(super) fn writes(&self, mem: &Memory, range: (u32, usize)) -> bool {
        self.scene.writes(mem, range) || self.flies_over(mem, range)
    }

    /// Is any of these bytes drawn to right now?
    pub(super) fn flies_over(&self, mem: &Memory, range: (u32, usize)) -> bool {
        self.flight.is_some() && self.scene.reaches(mem, range)
    }

    /// Vertices are about to look up textures.
    pub(super) fn land_before_lookups(&mut self, mem: &mut Memory) {
        if self.flight.is_some() && self.chip.family() == Family::Curie {
            let reads = self.vertex_texture_reads();
            if reads.into_iter().any(|range| self.flies_over(mem, range)) {
                self.land(mem);
            }
        }
    }
}
