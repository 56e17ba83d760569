//! Coverage, weights, depth and w of triangles.

use super::*;
use crate::raster::shares::{SHARE, mix, weights_of, weights_outside};

fn vtx(x: f32, y: f32, z: f32, w: f32) -> VtxHead {
    VtxHead {
        pos: [x.to_bits(), y.to_bits(), z.to_bits(), w.to_bits()],
        ..VtxHead::default()
    }
}

fn covered(v: [&VtxHead; 3]) -> Vec<(i32, i32)> {
    let tri = Tri::new(v, true).unwrap();
    let mut out = Vec::new();
    for y in (0..16).step_by(2) {
        for x in (0..16).step_by(8) {
            let mask = tri.coverage(&tri.edges(x, y, 8.0, 8.0));
            for lane in 0..16 {
                if mask >> lane & 1 != 0 {
                    out.push((x + lane % 8, y + lane / 8));
                }
            }
        }
    }
    out
}

/// The x of a vertex that nobody placed.
fn snap_x(x: u32) -> f64 {
    let v = VtxHead {
        pos: [x, 0, 0, 0],
        ..VtxHead::default()
    };
    snap(&v)[0]
}

#[test]
fn placed_vertices_are_not_cut() {
    let place = |x: f32, y: f32| VtxHead {
        exact: [x.to_bits(), y.to_bits()],
        ..vtx(x, y, 0.0, 1.0)
    };
    assert_eq!(snap(&place(302.0 + 102.0 / 256.0, -0.25)), [4838.375, -4.0]);
    assert_eq!(snap(&place(f32::NAN, f32::INFINITY)), [0.0, 2f64.powi(128)]);
    // An edge that passes centres by 1/256 pixel, on either side, or lies on them: then they
    // belong to the triangle whose left edge it is.
    for (hair, of_the_right) in [(-1.0, true), (0.0, true), (1.0, false)] {
        let x = 2.5 + hair / 256.0;
        let has = |tip: f32| {
            let v = [place(x, 0.0), place(x, 16.0), place(tip, 8.0)];
            covered([&v[0], &v[1], &v[2]]).iter().any(|at| at.0 == 2)
        };
        assert_eq!([has(0.25), has(16.0)], [!of_the_right, of_the_right], "{x}");
    }
}

#[test]
fn snapping_cuts_toward_zero() {
    assert_eq!(snap_x(1.99f32.to_bits()), 31.0);
    assert_eq!(snap_x((-0.0615f32).to_bits()), 0.0);
    assert_eq!(snap_x(f32::NAN.to_bits()), 0.0);
    assert_eq!(snap_x(f32::INFINITY.to_bits()), 2f64.powi(128));
    assert_eq!(snap_x(f32::MIN.to_bits()), -(2f64.powi(128)));
    assert_eq!(snap_x(4.98e36f32.to_bits()), f64::from(4.98e36f32) * 16.0);
}

#[test]
fn two_triangles_share_their_diagonal() {
    let a = vtx(0.5, 0.5, 0.0, 1.0);
    let b = vtx(8.5, 0.5, 0.0, 1.0);
    let c = vtx(8.5, 8.5, 0.0, 1.0);
    let d = vtx(0.5, 8.5, 0.0, 1.0);
    let mut all = covered([&a, &b, &c]);
    all.extend(covered([&a, &c, &d]));
    all.sort_unstable();
    let mut want: Vec<_> = (0..8).flat_map(|x| (0..8).map(move |y| (x, y))).collect();
    want.sort_unstable();
    assert_eq!(all, want, "left and top included, right and bottom not");
}

#[test]
fn a_vertex_behind_the_eye_opens_the_triangle() {
    // Seen through w < 0, vertex 2 at (8, 16) stands for the direction away
    // from it: the region lies above the edge 0-1.
    let v = [
        vtx(0.0, 8.0, 0.0, 1.0),
        vtx(16.0, 8.0, 0.0, 1.0),
        vtx(8.0, 16.0, 0.0, -1.0),
    ];
    let got = covered([&v[0], &v[1], &v[2]]);
    assert!(got.contains(&(8, 0)));
    assert!(!got.contains(&(8, 10)));
}

#[test]
fn equal_colours_stay_themselves() {
    let v = [
        vtx(0.0, 0.0, 0.0, 1.0),
        vtx(16.0, 1.0, 0.0, 3.0),
        vtx(3.0, 16.0, 0.0, 7.0),
    ];
    let tri = Tri::new([&v[0], &v[1], &v[2]], true).unwrap();
    let w = weights_of(&tri.parts(&tri.edges(0, 2, 8.0, 8.0)).shares());
    for lane in 0..4 {
        assert_eq!(w[0][lane] + w[1][lane] + w[2][lane], 256);
    }
    assert_eq!(mix(&w, 77, 77, 77)[1], 77);
}

/// The rule of the shares, in numbers: colours, coordinates.
fn numbers(b: [f64; 3]) -> [[f64; 2]; 2] {
    let b = b.map(|b| b.clamp(-15.0, 15.0));
    let cut = b.map(|b| (b * SHARE).trunc() / SHARE);
    let e = cut.map(pow2);
    let first = (e[0] >= e[1]) & (e[2] < e[0]);
    let second = (e[1] >= e[2]) & (e[0] < e[1]);
    let left = [1.0 - (cut[1] + cut[2]), 1.0 - (cut[0] + cut[1])];
    let choose = |b: [f64; 3], left: [f64; 2]| {
        [
            if first { left[0] } else { b[0] },
            if first || second { b[2] } else { left[1] },
        ]
    };
    [choose(cut, left), choose(b, left.map(t24))]
}

#[test]
fn shares_follow_their_rule() {
    let mut seed = 12345u32;
    let mut random = |n: u32| {
        seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
        (seed >> 8) % n
    };
    let (mut lit, mut inner) = (0, 0);
    for round in 0..20000 {
        // Some are axis-aligned halves of rectangles: their weights hit the steps.
        let size = 1 + random(8000) as i32;
        let v: [VtxHead; 3] = std::array::from_fn(|i| {
            let (mut x, mut y) = (random(8000) as f32 / 16.0, random(8000) as f32 / 16.0);
            if round % 2 == 0 {
                x = if i == round % 3 { size as f32 } else { 0.0 };
                y = if i == (round + 1) % 3 { 480.0 } else { 0.0 };
            }
            let w = if round % 5 == 0 { 1.0 + i as f32 } else { 1.0 };
            vtx(x, y, 0.0, w)
        });
        let Some(tri) = Tri::new([&v[0], &v[1], &v[2]], true) else {
            continue;
        };
        let (x, y) = (random(60) as i32 * 8, random(240) as i32 * 2);
        let e = tri.edges(x, y, 8.0, 8.0);
        let (mask, b, parts) = (tri.coverage(&e), tri.weights(&e), tri.parts(&e));
        let (got, coordinates) = (parts.shares(), parts.coordinate_shares());
        let wide = got.map(|s| s.map(f64::from));
        let (w, outside) = (weights_of(&got), weights_outside(&got));
        for lane in 0..LANES {
            let [want, fine] = numbers([b[0][lane], b[1][lane], b[2][lane]]);
            assert_eq!([wide[0][lane], wide[1][lane]], want.map(|s| s * SHARE));
            let coordinates = [coordinates[0][lane], coordinates[1][lane]];
            assert_eq!(coordinates, fine.map(|s| s * SHARE));
            assert_eq!(outside[0][lane], (want[0] * 256.0) as i32);
            assert_eq!(outside[2][lane], (want[1] * 256.0) as i32);
            if mask >> lane & 1 != 0 {
                lit += 1;
                assert!((0..3).all(|i| w[i][lane] == outside[i][lane]));
                assert!(w.iter().all(|w| (0..=256).contains(&w[lane])));
            }
        }
        if mask == 0xffff {
            inner += 1;
            // SAFETY: all lanes are covered.
            let parts = unsafe { tri.inner_parts(&e) };
            assert_eq!(got, parts.shares());
            assert_eq!(coordinates, parts.coordinate_shares());
        }
    }
    assert!(lit > 10000 && inner > 500, "{lit} lanes, {inner} blocks");
}

#[test]
fn coordinates_keep_the_weights_that_are_not_replaced() {
    // A right triangle of 3 by 19 pixels; its weights are no binary fractions.
    let v = [
        vtx(0.0, 0.0, 0.0, 1.0),
        vtx(3.0, 0.0, 0.0, 1.0),
        vtx(0.0, 19.0, 0.0, 1.0),
    ];
    let tri = Tri::new([&v[0], &v[1], &v[2]], true).unwrap();
    let parts = tri.parts(&tri.edges(0, 0, 8.0, 8.0));
    // At (0.5, 0.5): b1 = 1/6, b2 = 1/38, and vertex 0, the largest, has the rest.
    let r = recip24(14592.0);
    let (b1, b2) = (t24(2432.0 * r) * SHARE, t24(384.0 * r) * SHARE);
    assert!(b1.floor() < b1 && b2.floor() < b2, "both have bits to lose");
    let [s0, s2] = parts.coordinate_shares();
    assert_eq!(s2[0], b2);
    assert_eq!(s0[0], t24(SHARE - b1.floor() - b2.floor()));
    let [c0, c2] = parts.shares();
    assert_eq!(f64::from(c0[0]), SHARE - b1.floor() - b2.floor());
    assert_eq!(f64::from(c2[0]), b2.floor());
}

#[test]
fn depth_hits_its_vertices() {
    let v = [
        vtx(0.5, 0.5, 100.0, 1.0),
        vtx(16.5, 0.5, 116.0, 1.0),
        vtx(0.5, 16.5, 200.0, 1.0),
    ];
    let tri = Tri::new([&v[0], &v[1], &v[2]], true).unwrap();
    let z = tri.depth(&tri.edges(0, 0, 8.0, 8.0), &[100.0, 116.0, 200.0, 200.0]);
    assert_eq!(z[0], 100.0);
    assert_eq!(z[1], 101.0);
}

/// w at a pixel's centre.
fn w_at(v: [[f32; 3]; 3], x: i32, y: i32) -> f64 {
    let all = v.map(|[x, y, w]| vtx(x, y, 0.0, w));
    let tri = Tri::new([&all[0], &all[1], &all[2]], true).unwrap();
    let w = v.map(|v| f64::from(v[2]));
    tri.depth_w(&tri.edges(x, y, 8.0, 8.0), &w)[0]
}

#[test]
fn w_is_added_to_vertex_1_with_five_guard_bits() {
    // W_buffering LargeZ: w falls by one from vertex 1 to vertex 0, and a share
    // below 1/32 is lost.
    let (near, far) = (16777046.0, 16777047.0);
    let v = [[0.0, 0.0, near], [640.0, 480.0, far], [0.0, 480.0, far]];
    assert_eq!(w_at(v, 150, 464).floor(), f64::from(near));
    assert_eq!(w_at(v, 150, 465), f64::from(far));
}

#[test]
fn w_of_an_edge_loses_its_last_bit_where_shares_are_not_exact() {
    // W_buffering TriV, its left edge from 325 to 325 with the base at 58.
    let v = [
        [160.5, 0.5, 325.0],
        [360.0, 0.5, 58.0],
        [160.5, 10.5, 325.0],
    ];
    // Rows 2, 5 and 8 hang on the reciprocal's last bit.
    for y in [0, 2, 5, 8] {
        assert_eq!(w_at(v, 160, y), 325.0, "row {y}");
    }
    for y in [1, 3, 4, 6, 7, 9] {
        assert!(w_at(v, 160, y) < 325.0, "row {y}");
        assert!(w_at(v, 160, y) > 324.9999, "row {y}");
    }
}

#[test]
fn the_sign_bit_of_w_decides() {
    let v = [
        vtx(0.0, 8.0, 0.0, 1.0),
        vtx(16.0, 8.0, 0.0, 1.0),
        vtx(8.0, 16.0, 0.0, -0.0),
    ];
    assert!(covered([&v[0], &v[1], &v[2]]).contains(&(8, 0)));
    assert_eq!(bounded_w((-0.0f32).to_bits()), -(2f64.powi(-64)));
    assert_eq!(bounded_w(f32::NEG_INFINITY.to_bits()), -(2f64.powi(64)));
    assert_eq!(bounded_w(1e-30f32.to_bits()), 2f64.powi(-64));
    let behind = vtx(0.0, 0.0, 0.0, -0.0);
    assert!(Tri::new([&behind, &behind, &v[2]], true).is_none());
}

#[test]
fn a_vertex_at_infinity_gives_its_edges_their_direction() {
    // Away to the right and down at 45 degrees, from an edge that stands upright.
    let far = f32::INFINITY;
    let v = [
        vtx(2.0, 2.0, 0.0, 1.0),
        vtx(far, far, 0.0, 1.0),
        vtx(2.0, 6.0, 0.0, 1.0),
    ];
    let mut got = covered([&v[0], &v[1], &v[2]]);
    let mut want: Vec<_> = (2..16)
        .flat_map(|x| (x + 1..x + 5).map(move |y| (x, y)))
        .filter(|&(_, y)| y < 16)
        .collect();
    got.sort_unstable();
    want.sort_unstable();
    assert_eq!(got, want);
    // The largest number is infinite too: 16 times as much has no room.
    let most = vtx(f32::MAX, 0.9 * f32::MAX, 0.0, 1.0);
    assert_eq!(covered([&v[0], &most, &v[2]]).len(), want.len());
}
