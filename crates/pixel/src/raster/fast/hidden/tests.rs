//! Triangles that are found to be hidden, beside what the general way draws of them.

use super::*;
use crate::raster::clip::{Clip, empty, intersect};
use crate::raster::fast::FastState;
use crate::raster::fast::tests::{draw, draw_all, shared, surfaces};
use crate::raster::positions::Positions;
use crate::raster::tile::{Draw, Work};
use crate::raster::{Prim, PrimKind, tri};
use crate::rop::Target;
use crate::rop::surface::{Area, Plane};
use isotherm_bus::vertex::VtxOut;
use isotherm_bus::verts::Verts;
use isotherm_lanes::{Base, Level, Random};
use std::sync::atomic::AtomicU64;

const TILE: [i32; 4] = [0, 0, 64, 64];
const PITCH: usize = 256;
const BYTES: usize = 64 * PITCH;
const LESS_OR_EQUAL: u8 = 3;
const ALWAYS: u8 = 7;

/// A triangle, its draw, and surfaces of one tile.
struct Case {
    planes: [Plane; 2],
    draw: Draw,
    fast: FastState,
    verts: Verts,
    prim: Prim,
    zeta: Vec<u8>,
}

impl Case {
    fn new(random: &mut Random) -> Case {
        let mut surfaces = surfaces(random);
        surfaces.clip = TILE;
        let mut planes = [surfaces.color, surfaces.zeta].map(|plane| plane.expect("it is there"));
        for plane in &mut planes {
            (plane.pitch, plane.end) = (PITCH, BYTES);
        }
        let mut draw = draw(random, &surfaces);
        draw.raster.clip = Clip::new(TILE, &[], false);
        (draw.raster.near, draw.raster.far) = (0.0, 16_777_215.0);
        (draw.rop.alpha, draw.rop.depth_write) = (None, true);
        Case {
            planes,
            fast: draw.fast.take().expect("it goes the fast way"),
            draw,
            verts: (0..3).map(|_| vertex(random)).collect(),
            prim: Prim {
                kind: PrimKind::Triangle,
                front: true,
                offset: 0.0,
                draw: 0,
                phase: 0,
                v: [0, 1, 2],
                provoking: 0,
                bounds: TILE,
            },
            zeta: vec![0xff; BYTES],
        }
    }

    /// How many pixels the general way draws with a depth function.
    fn passed(&mut self, func: u8) -> u64 {
        self.draw.rop.depth = Some(func);
        self.draw.fast = None;
        let (mut color, loop_steps) = (vec![0; BYTES], AtomicU64::new(u64::MAX));
        let work = Work {
            loop_steps: &loop_steps,
            draws: std::slice::from_ref(&self.draw),
            verts: &self.verts,
            prims: std::slice::from_ref(&self.prim),
            clears: &[],
            target: target(&self.planes, &mut color, &mut self.zeta),
        };
        draw_all(Level::Base, &work).all
    }

    /// Is it found to be hidden?
    fn is_hidden<L: QuadLanes>(&mut self, func: u8) -> bool {
        let r = self.bounds();
        self.fast.depth = Some((func, true));
        self.draw.fast = Some(self.fast);
        let mut color = vec![0; BYTES];
        let target = target(&self.planes, &mut color, &mut self.zeta);
        let sink = Sink::new(&self.draw, &target, TILE, [0, 0]).expect("memory is there");
        let [a, b, c] = [0, 1, 2].map(|i| &self.verts.heads()[i]);
        let mut attrs = Attrs::default();
        attrs.begin(&self.draw, &self.prim, &Positions::new([a, b, c]));
        !empty(&r) && is_hidden::<L>(&sink, &attrs, r)
    }

    fn bounds(&self) -> [i32; 4] {
        let heads = self.verts.heads();
        let along = |c: usize| [0, 1, 2].map(|i| f64::from(f32::from_bits(heads[i].pos[c])) * 16.0);
        intersect(tri::bounds(&along(0), &along(1)), TILE)
    }

    /// The least depth in the buffer.
    fn least(&self) -> u32 {
        let (words, _) = self.zeta.as_chunks();
        let depths = words.iter().map(|word| u32::from_le_bytes(*word) >> 8);
        depths.min().expect("it has words")
    }

    /// The same depth everywhere, with a stencil that must not matter.
    fn fill(&mut self, depth: u32) {
        let (words, _) = self.zeta.as_chunks_mut();
        words.fill((depth << 8 | 0xff).to_le_bytes());
    }
}

fn target<'a>(planes: &[Plane; 2], color: &'a mut [u8], zeta: &'a mut [u8]) -> Target<'a> {
    Target {
        color: Some((planes[0], shared(color))),
        zeta: Some((planes[1], shared(zeta))),
        more: [None; 3],
    }
}

/// Often right in the middle of a pixel, where a vertex has all of the weight.
fn vertex(random: &mut Random) -> VtxOut {
    let mut place = || {
        let fine = if random.one_in(2) {
            0.5
        } else {
            random.below(16) as f32 / 16.0
        };
        (16 + random.below(24)) as f32 + fine
    };
    let (x, y) = (place(), place());
    let most = 4 << random.below(22);
    let z = random.below(most) as f32 * 1.03;
    VtxOut {
        pos: [x, y, z, 1.0 + random.below(3) as f32].map(f32::to_bits),
        exact: [x, y].map(f32::to_bits),
        ..VtxOut::default()
    }
}

#[test]
fn what_is_found_has_no_pixel_that_passes() {
    let mut random = Random::new(41);
    let (mut drawn, mut found) = (0, 0);
    for round in 0..6000 {
        let mut case = Case::new(&mut random);
        if case.passed(ALWAYS) == 0 {
            continue;
        }
        drawn += 1;
        let least = case.least();
        case.fill(least);
        assert_ne!(case.passed(LESS_OR_EQUAL), 0, "round {round}");
        case.fill(least);
        assert!(!case.is_hidden::<Base>(LESS_OR_EQUAL), "round {round}");
        // Something a little nearer, somewhere.
        case.fill(least - (least >> (1 + random.below(12))));
        let hidden = case.is_hidden::<Base>(LESS_OR_EQUAL);
        assert!(!hidden || case.passed(LESS_OR_EQUAL) == 0, "round {round}");
        found += u32::from(hidden);
        assert!(!case.is_hidden::<Base>(ALWAYS), "round {round}");
    }
    assert!(drawn > 3000 && found > 500, "{drawn} drawn, {found} found");
}

/// The greatest word of a rectangle.
fn greatest(area: &Area, [x0, y0, x1, y1]: [i32; 4]) -> u32 {
    let mut most = 0;
    for y in y0..y1 {
        for x in x0..x1 {
            // SAFETY: the test's rectangles are in the area.
            let quad = unsafe { area.read_quad(x & !1, y & !1) };
            most = most.max(quad[(y & 1) as usize][(x & 1) as usize]);
        }
    }
    most
}

#[test]
fn levels_find_the_greatest_word() {
    let mut random = Random::new(42);
    let mut bytes: Vec<u8> = (0..BYTES).map(|_| random.below(256) as u8).collect();
    let planes = Case::new(&mut random).planes;
    let area = planes[1].area(shared(&mut bytes), TILE, [0, 0]);
    let area = area.expect("memory is there");
    for round in 0..2000 {
        let mut ends = || {
            let first = random.below(64) as i32;
            [first, first + 1 + random.below(64 - first as u32) as i32]
        };
        let ([x0, x1], [y0, y1]) = (ends(), ends());
        let r = [x0, y0, x1, y1];
        // SAFETY: it is in the area.
        let found = unsafe { Base::greatest(&area, r) };
        let quads = [x0 & !1, y0 & !1, (x1 + 1) & !1, (y1 + 1) & !1];
        assert_eq!(found, greatest(&area, quads), "round {round}");
        #[cfg(target_arch = "x86_64")]
        if Level::up_to("").is_avx512() {
            // SAFETY: as above, and the processor has the instructions.
            let found = unsafe { isotherm_lanes::Avx512::greatest(&area, r) };
            assert_eq!(found, greatest(&area, r), "round {round}");
        }
    }
}
