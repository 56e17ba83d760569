//! A scene: what was drawn to one pair of surfaces and is not in memory yet.
//!
//! Primitives are binned to screen tiles when they arrive. Finishing the scene
//! runs every tile in submission order, the tiles on as many threads as there
//! are. A tile shares no pixel with another one, so the picture does not depend
//! on the number of threads.

mod alias;
mod flight;

pub use flight::{Flight, Landed};

use crate::profile::{Part, Profile};
use crate::raster::clip::{empty, intersect};
use crate::raster::price;
use crate::raster::tile::{Bin, Draw, Passed, Work, draw_tile};
use crate::raster::{Prim, PrimKind};
use crate::rop::Target;
use crate::rop::clear::Clear;
use crate::rop::prepare::Surfaces;
use crate::rop::surface::Plane;
use crate::watch::{Pixel, Spot};
use isotherm_bus::budget::{Budget, Cost, Unit};
use isotherm_bus::memory::{Memory, Shared};
use isotherm_bus::observe::Touch;
use isotherm_bus::threads::Threads;
use isotherm_bus::turns::Turns;
use isotherm_bus::verts::Verts;
use isotherm_lanes::Level;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Width and height of a tile in pixels: its colour and depth fit the first-level
/// cache.
const TILE: i32 = 64;

/// Below this many pixels of work a second thread costs more than it brings.
const WORTH_THREADS: u64 = 16384;

/// What a step of a block of sixteen pixels costs in steps of the budget.
const BLOCK_STEP: u64 = 16;

/// Pending work.
#[derive(Default)]
pub struct Scene {
    /// Where to.
    pub surfaces: Surfaces,
    /// Their bytes: addresses and lengths.
    spans: Vec<(u32, usize)>,
    /// Prepared states.
    pub draws: Vec<Draw>,
    /// Vertices after transformation.
    pub verts: Verts,
    /// What to draw, in order.
    pub prims: Vec<Prim>,
    clears: Vec<Clear>,
    /// Primitives that are in the bins.
    binned: usize,
    bins: Vec<Vec<u32>>,
    /// Tiles that have work, in the order in which they got it.
    used: Vec<u32>,
    columns: i32,
    rows: i32,
    /// Words may be shared between pixels: one tile, one thread, drawing order.
    serial: bool,
    /// Estimated pixels of work.
    work: u64,
    /// Block steps that loops of fragment programs may take.
    loop_steps: u64,
    /// Address of a pixel that somebody watches.
    pub watch: Option<u32>,
    /// What happened to it.
    pub touches: Vec<Touch>,
}

impl Scene {
    /// Nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.prims.is_empty()
    }

    /// Starts a scene on these surfaces. The last one must be finished.
    pub fn start(&mut self, surfaces: Surfaces, mem: &Memory) {
        self.surfaces = surfaces;
        self.spans.clear();
        self.spans.extend(alias::spans(&surfaces));
        let [_, _, w, h] = surfaces.clip;
        self.serial = alias::in_order(&surfaces, mem);
        let count = |size: i32| {
            if self.serial {
                1
            } else {
                (size.max(0) + TILE - 1) / TILE
            }
        };
        self.columns = count(w);
        self.rows = count(h);
        let tiles = (self.columns * self.rows) as usize;
        if self.bins.len() < tiles {
            self.bins.resize_with(tiles, Vec::new);
        }
    }

    /// Does pending work write to any of these bytes (address and length)?
    pub fn writes(&self, mem: &Memory, range: (u32, usize)) -> bool {
        !self.is_empty() && self.reaches(mem, range)
    }

    /// Are any of these bytes part of the surfaces?
    pub fn reaches(&self, mem: &Memory, range: (u32, usize)) -> bool {
        self.spans.iter().any(|span| mem.overlap(*span, range))
    }

    /// Must every draw be finished before the next one?
    pub fn serial(&self) -> bool {
        self.serial
    }

    /// Adds a clear.
    pub fn clear(&mut self, clear: Clear, budget: &Budget) {
        self.prims.push(Prim {
            kind: PrimKind::Clear,
            front: true,
            offset: 0.0,
            draw: 0,
            phase: 0,
            v: [self.clears.len() as u32; 3],
            provoking: 0,
            bounds: clear.rect,
        });
        self.clears.push(clear);
        self.bin(budget);
    }

    /// Sorts primitives that arrived since into the tiles they touch, as far as the budget
    /// goes.
    pub fn bin(&mut self, budget: &Budget) {
        let mut prices = price::Prices::default();
        let mut account = budget.account(Unit::Pixels, Cost::Steps);
        let (surface, columns, rows) = (self.surfaces.clip, self.columns, self.rows);
        let (mut work, mut loop_steps) = (0, 0);
        let first = self.binned;
        for (number, prim) in self.prims[first..].iter_mut().enumerate() {
            let index = (first + number) as u32;
            let terms = prices.of(prim, &self.draws, surface);
            let r = intersect(prim.bounds, terms.clip);
            let blocks = price::blocks(prim, r);
            if !account.charge(terms.steps(blocks)) || empty(&r) {
                continue;
            }
            prim.bounds = r;
            work += ((r[2] - r[0]) as u64) * ((r[3] - r[1]) as u64);
            loop_steps += terms.loop_steps(blocks);
            if self.serial {
                self.bins[0].push(index);
                self.used = vec![0];
                continue;
            }
            let mut sort = |column: i32, row: i32| {
                let tile = (row * columns + column) as usize;
                let bin = &mut self.bins[tile];
                if bin.is_empty() {
                    self.used.push(tile as u32);
                }
                bin.push(index);
            };
            let last = |v: i32, n: i32| ((v - 1) / TILE).min(n - 1);
            let (column, row) = (r[0].max(0) / TILE, r[1].max(0) / TILE);
            let (right, down) = (last(r[2], columns), last(r[3], rows));
            if column == right && row == down {
                sort(column, row);
                continue;
            }
            for row in row..=down {
                for column in column..=right {
                    sort(column, row);
                }
            }
        }
        self.work += work;
        self.loop_steps += loop_steps;
        self.binned = self.prims.len();
    }

    /// Draws everything that is pending.
    pub fn finish(&mut self, mem: &mut Memory, threads: &Threads, profile: &mut Profile) -> Passed {
        let started = profile.start();
        let budget = mem.budget().clone();
        let left = AtomicU64::new(budget.left(Cost::Steps) / BLOCK_STEP);
        let (before, spot) = (left.load(Ordering::Relaxed), self.spot(mem));
        self.mark_written(mem);
        let target = self.target(mem.share());
        let (passed, busy) = self.draw(target, &left, threads, profile.on(), spot);
        charge_loops(&budget, before, left.into_inner());
        self.count(profile, passed);
        profile.end_shared(started, Part::Pixels, busy);
        self.forget();
        passed
    }

    /// Has helpers draw everything that is pending while the caller goes on. This scene is empty
    /// then.
    ///
    /// # Safety
    /// The scene must be one that may ([`Scene::may_fly`]).
    /// Until the flight is landed or dropped, the memory must live and nobody touch what the
    /// scene reaches ([`Scene::reaches`]); afterwards memory is taken back
    /// ([`Memory::take_back`]).
    pub unsafe fn launch(&mut self, mem: &mut Memory, threads: &Threads, timed: bool) -> Flight {
        self.mark_written(mem);
        let turns = self.share_out(threads);
        let steps = mem.budget().left(Cost::Steps) / BLOCK_STEP;
        // SAFETY: the caller's promise; and the target has the surfaces alone.
        let shared = unsafe { mem.lend(self.spans.iter().copied()) };
        let job = flight::Job {
            target: self.target(shared),
            timed,
            loop_steps: AtomicU64::new(steps),
            scene: std::mem::take(self),
        };
        Flight::start(job, turns, threads)
    }

    /// May helpers draw it, without being watched, metered or kept in order? Where pages are
    /// compared, reading around the surfaces reads them too.
    pub fn may_fly(&self, mem: &Memory, threads: &Threads) -> bool {
        threads.is_parallel()
            && !mem.is_checked()
            && self.loop_steps == 0
            && self.watch.is_none()
            && self.touches.is_empty()
            && !self.serial
            && !self.wraps()
    }

    /// Do tiles share words?
    fn wraps(&self) -> bool {
        alias::wraps(&self.surfaces, &self.used, self.columns.max(1) as u32)
    }

    /// Tells what was drawn.
    pub fn count(&self, profile: &mut Profile, passed: Passed) {
        profile.primitives += self.prims.len() as u64;
        profile.vertices += self.verts.len() as u64;
        profile.pixels += passed.all;
    }

    /// The surfaces count as written.
    fn mark_written(&self, mem: &mut Memory) {
        for &(address, len) in &self.spans {
            mem.mark_written(address, len);
        }
    }

    /// The surfaces in memory.
    fn target<'m>(&self, shared: Shared<'m>) -> Target<'m> {
        let [_, _, w, h] = self.surfaces.clip;
        let Surfaces {
            color, zeta, more, ..
        } = self.surfaces;
        let bound = |plane: Option<Plane>| {
            let mut plane = plane?;
            // SAFETY: a pixel belongs to one tile and a tile to one worker. Where pixels
            // share bytes, in one surface or with the other one, there is one thread
            // (`alias`).
            let bytes = unsafe { shared.bytes(plane.address, plane.reach(w, h)) };
            plane.end = plane.end.min(bytes.len());
            Some((plane, bytes))
        };
        Target {
            color: bound(color),
            zeta: bound(zeta),
            more: more.map(bound),
        }
    }

    /// Draws all tiles. Returns what passed and, if `timed`, the nanoseconds that the threads
    /// were busy.
    fn draw(
        &mut self,
        target: Target<'_>,
        left: &AtomicU64,
        threads: &Threads,
        timed: bool,
        spot: Option<Spot>,
    ) -> (Passed, u64) {
        let level = Level::current();
        let metered = self.loop_steps > left.load(Ordering::Relaxed);
        if metered {
            self.send_loops_the_general_way();
        }
        let shared = self.wraps();
        let parallel = threads.is_parallel()
            && self.work >= WORTH_THREADS
            && self.used.len() > 1
            && !metered
            && !shared;
        let turns = parallel.then(|| self.share_out(threads));
        let work = Work {
            draws: &self.draws,
            verts: &self.verts,
            prims: &self.prims,
            clears: &self.clears,
            target,
            loop_steps: left,
        };
        let (bins, place) = (&self.bins, Place::of(self));
        let touches = Mutex::new(&mut self.touches);
        let part = |bin: Bin<'_>, next: Option<Bin<'_>>| {
            let start = timed.then(Instant::now);
            let passed = match spot.filter(|spot| spot.inside(&bin.rect)) {
                Some(spot) => {
                    let mut found = touches.lock().unwrap_or_else(PoisonError::into_inner);
                    let pixel = Pixel::new(spot, &mut found);
                    draw_tile(level, &work, bin, next, Some(pixel))
                }
                None => draw_tile(level, &work, bin, next, None),
            };
            (passed, start.map_or(0, |at| at.elapsed().as_nanos() as u64))
        };
        let bin = |number: usize| place.bin(self.used[number], bins);
        let add = |a: (Passed, u64), b: (Passed, u64)| (a.0 + b.0, a.1 + b.1);
        let none = (Passed::default(), 0);
        if shared {
            let parts = in_drawing_order(&self.used, bins);
            let alone = |(index, tile): &'_ (u32, u32)| {
                let (rect, list) = (place.of_tile(*tile), std::slice::from_ref(index));
                part(Bin { rect, list }, None)
            };
            return parts.iter().map(alone).fold(none, add);
        }
        let Some(turns) = turns else {
            let all = self.used.len();
            let tile = |n: usize| part(bin(n), (n + 1 < all).then(|| bin(n + 1)));
            return (0..all).map(tile).fold(none, add);
        };
        let done = threads.all(|thread| {
            let own = std::iter::from_fn(|| turns.take(thread));
            let tile = |number| part(bin(number), turns.after(number).map(bin));
            own.map(tile).fold(none, add)
        });
        done.into_iter().fold(none, add)
    }

    /// Shares the tiles out. A tile is the same thread's in every scene, whose caches have its
    /// pixels from the last one. The longest come first: so nobody waits long for the last one.
    fn share_out(&mut self, threads: &Threads) -> Turns {
        let (threads, tiles) = (threads.count(), (self.columns * self.rows) as usize);
        let owner = |tile: u32| tile as usize * threads / tiles.max(1);
        let bins = &self.bins;
        self.used
            .sort_by_key(|&tile| (owner(tile), Reverse(bins[tile as usize].len())));
        let mut counts = vec![0; threads];
        for tile in &self.used {
            counts[owner(*tile)] += 1;
        }
        Turns::new(counts.into_iter())
    }

    /// Where loops may outrun the budget, tiles are drawn one after the other, and pixels
    /// whose programs were cut are left out: what only the general way can do.
    fn send_loops_the_general_way(&mut self) {
        for draw in &mut self.draws {
            if draw.most_loop_steps(1) > 0 {
                draw.fast = None;
                draw.late = true;
            }
        }
    }

    /// The pixel that somebody watches, if the surfaces have it.
    fn spot(&self, mem: &Memory) -> Option<Spot> {
        let address = self.watch?;
        let planes = self.surfaces.planes();
        let mut planes = planes.iter().flatten();
        planes.find_map(|plane| {
            let at = mem.distance(plane.address, address);
            Spot::find(plane, at as usize, &self.surfaces.clip)
        })
    }

    /// Everything is drawn.
    pub fn forget(&mut self) {
        for &tile in &self.used {
            self.bins[tile as usize].clear();
        }
        self.used.clear();
        self.draws.clear();
        self.verts.clear();
        self.prims.clear();
        self.clears.clear();
        self.binned = 0;
        self.work = 0;
        self.loop_steps = 0;
    }
}

/// The parts of primitives that lie in tiles, primitive after primitive. Where tiles share
/// words, the picture is that of drawing in order, wherever scenes are cut.
fn in_drawing_order(used: &[u32], bins: &[Vec<u32>]) -> Vec<(u32, u32)> {
    let parts = |tile: &u32| {
        let tile = *tile;
        bins[tile as usize].iter().map(move |index| (*index, tile))
    };
    let mut parts: Vec<(u32, u32)> = used.iter().flat_map(parts).collect();
    parts.sort_unstable();
    parts
}

/// Charges what loops took of the block steps that there were; if they took all, they wanted
/// more.
fn charge_loops(budget: &Budget, before: u64, left: u64) {
    let steps = (before - left).saturating_mul(BLOCK_STEP);
    let more = if left == 0 && before != 0 {
        BLOCK_STEP
    } else {
        0
    };
    // It is done already; the next who asks is refused.
    let _ = budget.charge(Unit::Programs, Cost::Steps, steps.saturating_add(more));
}

/// Where the tiles of a scene are.
#[derive(Clone, Copy)]
struct Place {
    clip: [i32; 4],
    columns: i32,
    serial: bool,
}

impl Place {
    fn of(scene: &Scene) -> Place {
        Place {
            clip: scene.surfaces.clip,
            columns: scene.columns.max(1),
            serial: scene.serial,
        }
    }

    /// A tile and what is in its bin.
    fn bin<'b>(&self, tile: u32, bins: &'b [Vec<u32>]) -> Bin<'b> {
        Bin {
            rect: self.of_tile(tile),
            list: &bins[tile as usize],
        }
    }

    /// The pixels of a tile, max exclusive.
    fn of_tile(&self, tile: u32) -> [i32; 4] {
        if self.serial {
            return self.clip;
        }
        let tile = tile as i32;
        let (x, y) = (tile % self.columns * TILE, tile / self.columns * TILE);
        [x, y, x + TILE, y + TILE]
    }
}
