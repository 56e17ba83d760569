//! The listed quads against the triangle's coverage, and the levels against each other.

use super::*;
use crate::raster::clip::empty;
use crate::raster::tri::bounds;
use isotherm_bus::verts::VtxHead;
use isotherm_lanes::{Base, Random};

fn triangle(points: [[f32; 2]; 3]) -> Tri {
    let v = points.map(|[x, y]| VtxHead {
        pos: [x, y, 0.0, 1.0].map(f32::to_bits),
        exact: [x, y].map(f32::to_bits),
        ..VtxHead::default()
    });
    Tri::new([&v[0], &v[1], &v[2]], true).expect("it has an area")
}

/// Which pixels of the tile at `origin` are listed.
fn listed(quads: &Quads, origin: [i32; 2]) -> Vec<(i32, i32)> {
    let mut out = Vec::new();
    let mut take = |group: &Group, block: bool, lanes: u16| {
        let [x, y] = places(group, block);
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
            out.push((origin[0] + x[lane], origin[1] + y[lane]));
        }
    };
    for batch in quads.batches::<8>() {
        match batch {
            Batch::Blocks(blocks) => {
                for &first in blocks {
                    take(&[[first; 2]; QUADS], true, 0xffff);
                }
            }
            Batch::Quads(groups) => {
                for group in groups {
                    let count = group.iter().filter(|[quad, _]| quad & 15 != 0).count();
                    for [quad, _] in &group[count..] {
                        assert_eq!(*quad, group[0][0] & !15, "missing ones repeat the first");
                    }
                    take(group, false, Base::covered(group));
                }
            }
        }
    }
    out.sort_unstable();
    out
}

#[test]
fn the_quads_of_a_tile_are_its_covered_pixels() {
    let mut source = Random::new(99);
    let mut random = |n: u32| source.below(n);
    let (mut quads, mut all, mut refused) = (Quads::new(), 0, 0);
    for round in 0..3000 {
        let reach = [4000, 60_000, 3_000_000][round % 3];
        // Every other one at finer positions.
        let fine = [1, 16][round / 3 % 2];
        let mut place = |reach: u32| random(reach * fine) as f32 / (16 * fine) as f32 - 8.0;
        // One corner is never far.
        let points = [4000, reach, reach].map(|reach| [place(reach), place(reach)]);
        let tri = triangle(points);
        let origin = [64 * random(3) as i32, 64 * random(3) as i32];
        let whole = [
            origin[0] + 8 * random(4) as i32,
            origin[1] + 2 * random(16) as i32,
            origin[0] + 64 - 8 * random(4) as i32,
            origin[1] + 64 - 2 * random(16) as i32,
        ];
        let along = |c: usize| points.map(|point| f64::from(point[c]) * 16.0);
        let r = intersect(bounds(&along(0), &along(1)), whole);
        if empty(&r) {
            continue;
        }
        let mut edges = Edges::default();
        let cover = Quads::cover::<Base>;
        if cover(&mut quads, &tri, r, whole, origin, &mut edges).is_none() {
            refused += 1;
            continue;
        }
        let mut want = Vec::new();
        for x in (whole[0]..whole[2]).step_by(8) {
            for y in (whole[1]..whole[3]).step_by(2) {
                let lanes = tri.coverage(&tri.edges(x, y, 8.0, 8.0));
                for lane in 0..LANES as i32 {
                    if lanes >> lane & 1 != 0 {
                        want.push((x + lane % 8, y + lane / 8));
                    }
                }
            }
        }
        want.sort_unstable();
        assert!(listed(&quads, origin) == want, "round {round}");
        all += want.len();
    }
    assert!(
        all > 100_000 && refused > 50,
        "{all} pixels, {refused} refused"
    );
}

#[test]
fn all_quads_of_a_tile_inside_are_blocks() {
    let tri = triangle([[-100.0, -100.0], [400.0, -100.0], [-100.0, 400.0]]);
    let (mut quads, mut edges) = (Quads::new(), Edges::default());
    let r = [0, 0, 64, 16];
    let covered = quads.cover::<Base>(&tri, r, r, [0, 0], &mut edges);
    assert!(covered.is_some());
    assert_eq!(quads.count, 0);
    let places = quads.blocks[..quads.block_count].iter().map(|b| place(*b));
    assert!(places.eq((0..64).map(|i| [i % 8 * 8, i / 8 * 2])));
}

#[test]
fn packing_leaves_out_what_is_not_covered() {
    fn packed<L: QuadLanes>(
        outside: &[[i32; LANES]; 4],
        places: &[u32; LANES],
        lanes: u16,
    ) -> Vec<[u32; 2]> {
        let mut out = [[0; 2]; LANES];
        let load = |i: usize| L::iload(&outside[i].map(i32::cast_unsigned));
        let outside = [load(0), load(1), load(2), load(3)];
        let count = L::pack_quads(0x2420, places, &outside, lanes, &mut out);
        out[..count].to_vec()
    }
    let mut random = Random::new(5);
    for round in 0..500 {
        let shape = &SHAPES[round % SHAPES.len()];
        // Few, half, most of them.
        let mut outside = [[0; LANES]; 4];
        for outside in outside.as_flattened_mut() {
            let (a, b) = (random.next_u32(), random.next_u32());
            *outside = [a & b, a, a | b][round % 3].cast_signed();
        }
        let lanes = [u16::MAX, 0x0ff0, 0x1111, 0][round / 3 % 4];
        let pixels = |quad: usize| {
            let of = |i: usize| u32::from(outside[i][quad] >= 0) << i;
            of(0) | of(1) | of(2) | of(3)
        };
        let columns = round % SHAPES.len() + 1;
        let want: Vec<[u32; 2]> = (0..LANES)
            .filter(|&i| lanes >> i & 1 != 0 && pixels(i) != 0)
            .map(|i| {
                let place = 0x2420 + 0x20 * (i % columns) + 0x800 * (i / columns);
                [place as u32 | pixels(i); 2]
            })
            .collect();
        let places = &shape.places;
        assert_eq!(packed::<Base>(&outside, places, lanes), want, "{outside:?}");
        #[cfg(target_arch = "x86_64")]
        if isotherm_lanes::Level::up_to("").is_avx512() {
            let got = packed::<isotherm_lanes::Avx512>(&outside, places, lanes);
            assert_eq!(got, want, "{outside:?}");
        }
    }
}

/// Claims hold the pixels of blocks and quads, and nothing else.
#[test]
fn claims_are_pixels() {
    let mut random = Random::new(71);
    let mut quads = Quads::new();
    let (mut apart, mut common) = (0, 0);
    for _ in 0..2000 {
        let mut claims = Claims::default();
        let mut taken = vec![false; (SIDE * SIDE) as usize];
        for _ in 0..3 {
            (quads.block_count, quads.count) = (random.below(2) as usize, random.below(6) as usize);
            let mut both = false;
            let mut take = |x: i32, y: i32| {
                both |= std::mem::replace(&mut taken[(y * SIDE + x) as usize], true);
            };
            let mut of_triangle = std::collections::BTreeSet::new();
            for block in &mut quads.blocks[..quads.block_count] {
                let [x, y] = [random.below(8) as i32 * 8, random.below(32) as i32 * 2];
                *block = (x * COLUMN + y * ROW) as u32;
                of_triangle.extend((0..16).map(|i| (x + i % 8, y + i / 8)));
            }
            for quad in &mut quads.list[..quads.count] {
                let [x, y] = [random.below(32) as i32 * 2, random.below(32) as i32 * 2];
                let bits = 1 + random.below(15);
                *quad = [(x * COLUMN + y * ROW) as u32 | bits; 2];
                let pixels = (0..4).filter(|i| bits >> i & 1 != 0);
                let pixels: Vec<_> = pixels.map(|i| (x + i % 2, y + i / 2)).collect();
                if pixels.iter().any(|at| of_triangle.contains(at)) {
                    // A triangle's own pixels lie apart.
                    *quad = [(x * COLUMN + y * ROW) as u32; 2];
                } else {
                    of_triangle.extend(pixels);
                }
            }
            of_triangle.iter().for_each(|&(x, y)| take(x, y));
            assert_eq!(claims.take(&quads), both);
            (apart, common) = (apart + u32::from(!both), common + u32::from(both));
        }
        claims.clear();
        assert_eq!(claims.rows, [0; SIDE as usize]);
    }
    assert!(apart > 1000 && common > 100, "{apart} {common}");
}
