//! Random triangles: float32 against float64, and both against the general interpolation.

use super::*;
use crate::level::Level;
use crate::raster::attrs::Attrs;
use crate::raster::quads::{Four, Quads};
use crate::raster::tri::Tri;
use isotherm_bus::vertex::VtxOut;
use isotherm_lanes::Base;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        ((self.0 >> 33) as u32) % n
    }

    /// Up to `most` in steps of 2^-20 of it.
    fn part(&mut self, most: f32) -> f32 {
        self.below(1 << 20) as f32 / (1 << 20) as f32 * most
    }
}

/// A triangle near the tile at (64, 64), small or large.
fn vertices(random: &mut Random) -> [VtxOut; 3] {
    let size = [6.0, 40.0, 300.0, 1500.0][random.below(4) as usize];
    let (depth, wide) = (random.below(3), random.below(4) == 0);
    let (x, y) = (60.0 + random.part(70.0), 60.0 + random.part(70.0));
    std::array::from_fn(|_| {
        let mut v = VtxOut::default();
        let at = [
            x + random.part(size) - size / 2.0,
            y + random.part(size) - size / 2.0,
        ];
        let w = match depth {
            0 => 1.0,
            1 => 1.0 + random.part(3.0),
            _ => random.part(500.0) + 0.01,
        };
        let z = random.part(16777216.0) + random.part(1.0);
        v.pos = [at[0], at[1], z, w].map(f32::to_bits);
        for c in 0..4 {
            let v1 = match random.below(4) {
                0 => 0.0,
                1 => random.part(1.0),
                _ => random.part(if wide { 1000.0 } else { 8.0 }) - 3.0,
            };
            v.tex[0][c] = v1.to_bits();
        }
        v.tex[0][3] = 1f32.to_bits();
        v
    })
}

/// What `check` gets of random triangles' quads.
struct Case {
    tri: Tri,
    attrs: Attrs,
    short: Short,
    quads: Four,
}

fn each(seed: u64, mut check: impl FnMut(&Case)) -> usize {
    let mut random = Random(seed);
    let (mut list, mut blocks) = (Quads::new(), 0);
    for _ in 0..4000 {
        let v = vertices(&mut random);
        let Some(tri) = Tri::new([&v[0], &v[1], &v[2]], true) else {
            continue;
        };
        let attrs = Attrs::textured(&v);
        let Some(whole) = list.cover::<Base>(&tri, [64, 64, 128, 128], [64, 64]) else {
            continue;
        };
        let Some(short) = Short::new(&tri, &whole, &attrs, 0) else {
            continue;
        };
        let mut case = Case {
            tri,
            attrs,
            short,
            quads: Four::default(),
        };
        for four in list.all_fours().iter().take(40) {
            case.quads = *four;
            check(&case);
            blocks += 1;
        }
    }
    blocks
}

#[test]
fn whole_numbers_give_the_general_weights() {
    let blocks = each(7, |case| {
        let centres = quads::centres(&case.quads, [64, 64]);
        let e = case.tri.lanes_at::<Base>(&centres);
        assert_eq!(case.short.edges_wide(&case.quads), e);
        let parts = case.tri.parts(&e);
        let mut want = [[0.0; LANES]; 4];
        let shares = parts.coordinate_shares();
        case.attrs.fill_set(0, &shares, &mut want);
        let mut got = [[0.0; LANES]; 2];
        assert_eq!(case.short.wide(&case.quads, &mut got), parts.shares());
        assert_eq!(got, want[..2]);
    });
    assert!(blocks > 10000, "{blocks}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn float32_gives_the_same() {
    use isotherm_lanes::Avx512;
    if isotherm_lanes::Level::up_to("") != isotherm_lanes::Level::Avx512 {
        return;
    }
    let mut depths = 0;
    let blocks = each(8, |case| {
        let (mut got, mut want) = ([[0.0; LANES]; 2], [[0.0; LANES]; 2]);
        assert_eq!(
            Avx512::interpolate(&case.short, &case.quads, &mut got),
            case.short.wide(&case.quads, &mut want),
            "{:?}",
            case.short
        );
        assert_eq!(got, want, "{:?}", case.short);
        let mask = quads::mask::<Base>(&case.quads);
        let covered = || (0..LANES).filter(|lane| mask >> lane & 1 != 0);
        if let Some(r) = case.tri.linear_reciprocal() {
            let e = case.short.edges_wide(&case.quads);
            let got = Avx512::linear_shares(&e, r * SHARE);
            let want = Base::linear_shares(&e, r * SHARE);
            for lane in covered() {
                assert_eq!(got.map(|s| s[lane]), want.map(|s| s[lane]), "{r}");
            }
        }
        let Some(depth) = case.tri.calm_depth(&case.attrs.z) else {
            return;
        };
        depths += 1;
        let got = Avx512::depth(&case.short, &depth, &case.quads);
        let want = case.short.depth(&depth, &case.quads);
        for lane in covered() {
            assert_eq!(got[lane], want[lane], "{depth:?}");
        }
    });
    assert!(blocks > 10000 && depths > 5000, "{blocks}, {depths}");
}
