//! Random triangles: float32 against float64, and both against the general interpolation.

use super::*;
use crate::raster::attrs::Attrs;
use crate::raster::fast::quads::{self, QuadLanes, Quads};
use crate::raster::tri::Tri;
use isotherm_bus::vertex::VtxOut;
use isotherm_bus::verts::Verts;
use isotherm_lanes::{Base, Random};

/// A number from 0 to below `most`.
fn part(random: &mut Random, most: f32) -> f32 {
    random.unit() * most
}

/// A triangle near the tile at (64, 64), small or large.
fn vertices(random: &mut Random) -> [VtxOut; 3] {
    let size = [6.0, 40.0, 300.0, 1500.0][random.below(4) as usize];
    let (depth, wide) = (random.below(3), random.below(4) == 0);
    let fine = random.below(3) == 0;
    let (x, y) = (60.0 + part(random, 70.0), 60.0 + part(random, 70.0));
    // Depths from all over the buffer, or near to each other.
    let depth_from = part(random, 16000000.0);
    let depth_range = [16777216.0 - depth_from, depth_from / 100.0, 1.0][random.below(3) as usize];
    std::array::from_fn(|_| {
        let mut v = VtxOut::default();
        let at = [
            x + part(random, size) - size / 2.0,
            y + part(random, size) - size / 2.0,
        ];
        let w = match depth {
            0 => 1.0,
            1 => 1.0 + part(random, 3.0),
            _ => part(random, 500.0) + 0.01,
        };
        let z = depth_from + part(random, depth_range) + part(random, 1.0);
        if fine {
            let at = at.map(|x| ((x * 256.0).round() / 256.0).to_bits());
            v.exact = at;
            v.pos = [at[0], at[1], z.to_bits(), w.to_bits()];
        } else {
            v.pos = [at[0], at[1], z, w].map(f32::to_bits);
        }
        for c in 0..4 {
            let v1 = match random.below(4) {
                0 => 0.0,
                1 => part(random, 1.0),
                _ => part(random, if wide { 1000.0 } else { 8.0 }) - 3.0,
            };
            v.tex[0][c] = v1.to_bits();
        }
        v.tex[0][3] = 1f32.to_bits();
        v
    })
}

/// The blocks of the tile at (64, 64) around a triangle.
fn around(v: &[VtxOut; 3]) -> [i32; 4] {
    let range = |i: usize, size: i32| {
        let all = v.each_ref().map(|v| f32::from_bits(v.pos[i]));
        let low = all.into_iter().fold(f32::MAX, f32::min).clamp(64.0, 127.0) as i32;
        let high = all.into_iter().fold(f32::MIN, f32::max).clamp(65.0, 127.0) as i32;
        [low & -size, (high + size) & -size]
    };
    let ([x0, x1], [y0, y1]) = (range(0, 8), range(1, 2));
    [x0, y0, x1, y1]
}

/// What `check` gets of random triangles' groups.
struct Case {
    tri: Tri,
    attrs: Attrs,
    edges: Edges,
    interpolator: Interpolator,
    slopes: [Slope; 2],
    group: Group,
    block: bool,
}

impl Case {
    /// The covered lanes.
    fn mask(&self) -> u16 {
        if self.block {
            u16::MAX
        } else {
            Base::covered(&self.group)
        }
    }
}

fn each(seed: u64, mut check: impl FnMut(&Case)) -> usize {
    let mut random = Random::new(seed);
    let (mut list, mut groups) = (Quads::new(), 0);
    for _ in 0..4000 {
        let v = vertices(&mut random);
        let all: Verts = v.into_iter().collect();
        let [a, b, c] = all.heads() else { continue };
        let Some(tri) = Tri::new([a, b, c], true) else {
            continue;
        };
        let attrs = Attrs::textured(&v);
        let (r, mut edges) = (around(&v), Edges::default());
        let covered = list.cover::<Base>(&tri, r, r, [64, 64], &mut edges);
        #[cfg(target_arch = "x86_64")]
        same_edges(&tri, covered.map(|()| edges), r);
        if covered.is_none() {
            continue;
        }
        let [s, t, ..] = &attrs.tex[0];
        let (Some(interpolator), Some(s), Some(t)) =
            (Interpolator::new(&tri), Slope::new(s), Slope::new(t))
        else {
            continue;
        };
        let mut case = Case {
            tri,
            attrs,
            edges,
            interpolator,
            slopes: [s, t],
            group: Group::default(),
            block: false,
        };
        for batch in list.batches::<40>().take(2) {
            let (found, block) = match batch {
                quads::Batch::Blocks(blocks) => {
                    let whole = |first: &u32| [[*first; 2]; quads::QUADS];
                    (blocks.iter().map(whole).collect(), true)
                }
                quads::Batch::Quads(groups) => (groups.to_vec(), false),
            };
            case.block = block;
            groups += found.len();
            for group in found {
                case.group = group;
                check(&case);
            }
        }
    }
    groups
}

/// Edge functions in a rectangle are the same at all levels.
#[cfg(target_arch = "x86_64")]
fn same_edges(tri: &Tri, want: Option<Edges>, [x0, y0, x1, y1]: [i32; 4]) {
    if !isotherm_lanes::Level::up_to("").is_avx512() {
        return;
    }
    let rectangle = match want {
        Some(edges) => edges.rectangle,
        None => [x0 - 64, y0 - 64, x1 - x0, y1 - y0],
    };
    let mut got = Edges::default();
    let fits = isotherm_lanes::Avx512::edges(&mut got, tri, rectangle, [64, 64]);
    assert_eq!(fits.then_some(got), want);
}

/// The edge functions of a group of the tile at (64, 64), from those of its blocks.
fn general_edges(case: &Case) -> [[f64; LANES]; 3] {
    let [x, y] = quads::places(&case.group, case.block);
    let mut out = [[0.0; LANES]; 3];
    for lane in 0..LANES {
        let e = case.tri.edges(64 + x[lane], 64 + y[lane], 8.0, 8.0);
        for i in 0..3 {
            out[i][lane] = e[i][0];
        }
    }
    out
}

#[test]
fn integers_give_the_general_weights() {
    let groups = each(7, |case| {
        let e = general_edges(case);
        assert_eq!(case.edges.wide(&case.group, case.block), e);
        assert_eq!(lines(&case.edges).at(&case.group, case.block), e);
        let parts = case.tri.parts(&e);
        let mut want = [[0.0; LANES]; 4];
        let shares = parts.coordinate_shares();
        case.attrs.fill_set(0, &shares, &mut want);
        let weights = case.interpolator.weights(&e);
        assert_eq!(weights.shares, parts.shares());
        assert_eq!(case.slopes.map(|slope| slope.value(&weights)), want[..2]);
    });
    assert!(groups > 10000, "{groups}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn float32_gives_the_same() {
    use isotherm_lanes::Avx512;
    if !isotherm_lanes::Level::up_to("").is_avx512() {
        return;
    }
    let (mut depths, mut nears) = (0, 0);
    let groups = each(8, |case| {
        let Case {
            edges,
            interpolator,
            group,
            ..
        } = case;
        let (block, mask) = (case.block, case.mask());
        if edges.are_whole() {
            let firsts = edges.firsts(&[*group; MOST]);
            let last = MOST - 1;
            let first = edges.first(group);
            assert_eq!(firsts.0.map(|e| e[last]), first.0.map(|e| e[0]));
            let at = At::new(group, block, &firsts, last);
            let want = Base::weights(interpolator, edges, at);
            let got = Avx512::weights(interpolator, edges, at);
            assert_eq!(got, want, "{interpolator:?}");
            for slope in &case.slopes {
                let (got, want) = (Avx512::value(slope, &got), Base::value(slope, &want));
                assert_eq!(got, want, "{interpolator:?} {slope:?}");
            }
            let shares = want.shares;
            let same = |got: [I; 2]| {
                for lane in (0..LANES).filter(|lane| mask >> lane & 1 != 0) {
                    assert_eq!(
                        [got[0][lane], got[1][lane]],
                        [shares[0][lane], shares[1][lane]]
                    );
                }
            };
            same(Avx512::shares(interpolator, edges, at));
            same(Base::shares(interpolator, edges, at));
        }
        // With one number for all that are none.
        let numbers = |exact: Exact| {
            let all = [exact.edges, exact.parts];
            all.map(|rows| rows.map(|row| row.map(|x| if x.is_nan() { 1e300 } else { x })))
        };
        assert_eq!(
            numbers(Avx512::exact(&case.tri, group, block, [64, 64])),
            numbers(Base::exact(&case.tri, group, block, [64, 64]))
        );
        let Some(depth) = moderate_depth(case) else {
            return;
        };
        depths += 1;
        let got = Avx512::depth(&lines(edges), &depth, group, block);
        let want = Base::depth(&lines(edges), &depth, group, block);
        for lane in (0..LANES).filter(|lane| mask >> lane & 1 != 0) {
            assert_eq!(got[lane], want[lane], "{depth:?}");
        }
        let mut again = NearDepth::default();
        let is_near = Avx512::near(&mut again, edges, depth.r, &case.attrs.z);
        let near = near_depth(case);
        assert_eq!(is_near.then_some(again), near);
        let Some(near) = near else {
            return;
        };
        nears += 1;
        let got = Avx512::near_depth(&near, group, block);
        for lane in (0..LANES).filter(|lane| mask >> lane & 1 != 0) {
            assert_eq!(f64::from(got[lane]), want[lane], "{near:?} {depth:?}");
        }
    });
    assert!(groups > 10000 && depths > 5000, "{groups}, {depths}");
    assert!(nears > 2000, "{nears}");
}

fn lines(edges: &Edges) -> Lines {
    let mut lines = Lines::default();
    lines.take(edges);
    lines
}

fn moderate_depth(case: &Case) -> Option<Depth> {
    Depth::moderate(case.tri.depth_reciprocal()?, &case.attrs.z)
}

fn near_depth(case: &Case) -> Option<NearDepth> {
    let mut near = NearDepth::default();
    let is_near = near.take(&case.edges, case.tri.depth_reciprocal()?, &case.attrs.z);
    is_near.then_some(near)
}

#[test]
fn near_depths_need_no_more_than_float32() {
    let (mut nears, mut fine) = (0, 0);
    each(10, |case| {
        let Some(depth) = moderate_depth(case) else {
            return;
        };
        let Some(near) = near_depth(case) else {
            return;
        };
        nears += 1;
        fine += usize::from(!case.edges.are_whole());
        let got = Base::near_depth(&near, &case.group, case.block);
        let want = Base::depth(&lines(&case.edges), &depth, &case.group, case.block);
        let mask = case.mask();
        for lane in (0..LANES).filter(|lane| mask >> lane & 1 != 0) {
            assert_eq!(f64::from(got[lane]), want[lane], "{near:?} {depth:?}");
        }
    });
    assert!(nears > 2000 && fine > 100, "{nears}, {fine}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn slopes_are_the_same_at_all_levels() {
    use isotherm_lanes::Avx512;
    if !isotherm_lanes::Level::up_to("").is_avx512() {
        return;
    }
    let mut random = Random::new(12);
    let mut some = 0;
    for round in 0..100_000 {
        let mut corners = || {
            let mut number = || match round % 3 {
                // Any, numbers that are none included.
                0 => f32::from_bits(random.next_u32()),
                1 => random.unit() * f32::from_bits((127 - 45 + random.below(90)) << 23),
                _ => [0.0, 1.0, -0.0, 0.5][random.below(4) as usize],
            };
            let [a, b, c] = [number(), number(), number()];
            [a, b, c, c]
        };
        let (s, t) = (corners(), corners());
        let want = Base::slopes(&s, &t);
        assert_eq!(Avx512::slopes(&s, &t), want, "{s:?} {t:?}");
        some += usize::from(want.is_some());
    }
    assert!(some > 30_000, "{some}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn colours_by_sums_of_two_products() {
    use isotherm_lanes::Avx512;
    if !isotherm_lanes::Level::up_to("").is_avx512() {
        return;
    }
    let mut random = Random::new(11);
    for round in 0..10_000 {
        // Of pixels outside, weights are limited to 15; what two of them leave may be 31.
        let most = [1.0, 31.0][round % 2];
        let share = |random: &mut Random| {
            let from = if round % 2 == 0 { 0.0 } else { -most };
            ((from + part(random, most - from)) * SHARE as f32) as i32
        };
        let mut shares = [[0; LANES]; 2];
        for share_of_lane in shares.as_flattened_mut() {
            *share_of_lane = share(&mut random);
        }
        let corners: [[u8; 4]; 3] =
            std::array::from_fn(|_| std::array::from_fn(|_| random.below(256) as u8));
        let (mut want, mut got) = ([[0; LANES]; 4], [[0; LANES]; 4]);
        Base::mix_color(&shares, &corners, &mut want);
        Avx512::mix_color(&shares, &corners, &mut got);
        assert_eq!(got, want, "{shares:?} {corners:?}");
    }
}
