//! The walk and the slopes, on the triangles of W_buffering.

use super::*;

/// A corner: x, y, z, w.
type Corner = [f32; 4];

const FLOOR: [Corner; 4] = [
    [53.1875, -34.3125, 16809768.0, 325.8058],
    [586.75, -34.3125, 16809768.0, 325.8058],
    [1808.6875, 453.0, 16572698.0, 58.379993],
    [-1168.6875, 453.0, 16572698.0, 58.379993],
];
const ROOF: [Corner; 4] = [
    [-1168.6875, 0.0, 16572698.0, 58.379993],
    [1808.6875, 0.0, 16572698.0, 58.379993],
    [586.75, 487.3125, 16809768.0, 325.8058],
    [53.1875, 487.3125, 16809768.0, 325.8058],
];
const WALL: [Corner; 4] = [
    [637.3125, -26.8125, 16809768.0, 325.8058],
    [637.3125, 506.75, 16809768.0, 325.8058],
    [150.0, 1728.6875, 16572698.0, 58.379993],
    [150.0, -1248.6875, 16572698.0, 58.379993],
];

fn vertex(corner: Corner) -> VtxHead {
    VtxHead {
        pos: corner.map(f32::to_bits),
        ..VtxHead::default()
    }
}

/// The quads of both triangles of a quad drawn within a window of a 640x480 surface.
fn quads(quad: &[Corner; 4], window: [i32; 4]) -> [Option<[i32; 2]>; 2] {
    let v = quad.map(vertex);
    let clip = Clip::new([0, 0, 640, 480], &[window], false);
    [[0, 1, 2], [0, 2, 3]].map(|order| {
        let v = order.map(|i: usize| &v[i]);
        let tri = Tri::new(v, true).expect("it has an area");
        first_quad(&Corners::new(v), &tri, &clip)
    })
}

#[test]
fn the_walk_finds_the_quads_that_the_chip_took() {
    // Read off the goldens: only these quads' slopes fit.
    let all = [150, 0, 640, 480];
    assert_eq!(quads(&FLOOR, all), [Some([178, 0]), Some([150, 0])]);
    assert_eq!(quads(&ROOF, all), [Some([150, 0]), Some([150, 366])]);
    assert_eq!(quads(&WALL, all), [Some([636, 2]), Some([150, 2])]);
    let window = [150, 32, 640, 480];
    assert_eq!(quads(&FLOOR, window), [Some([294, 32]), Some([294, 34])]);
    let window = [159, 0, 640, 480];
    assert_eq!(quads(&WALL, window), [Some([636, 2]), Some([158, 0])]);
    assert_eq!(quads(&WALL, [0; 4]), [None; 2]);
}

#[test]
fn the_walk_looks_at_every_block() {
    // Whatever a triangle covers, the walk finds a pixel of it, and only a covered one.
    let mut random = isotherm_lanes::Random::new(3);
    let clip = Clip::new([0, 0, 64, 64], &[], false);
    let mut found = 0;
    for _ in 0..2000 {
        let v: [VtxHead; 3] = std::array::from_fn(|_| {
            let mut at = || random.below(2048) as f32 / 16.0 - 32.0;
            vertex([at(), at(), 0.0, 1.0])
        });
        let v = v.each_ref();
        let Some(tri) = Tri::new(v, true) else {
            continue;
        };
        let covered = |x: i32, y: i32| tri.coverage(&tri.edges(x, y, 8.0, 8.0));
        let any = (0..64)
            .step_by(2)
            .any(|y| (0..64).step_by(8).any(|x| covered(x, y) != 0));
        let quad = first_quad(&Corners::new(v), &tri, &clip);
        assert_eq!(quad.is_some(), any);
        if let Some([x, y]) = quad {
            found += 1;
            assert_ne!(covered(x, y) & 0x0303, 0);
        }
    }
    assert!(found > 500, "{found}");
}

#[test]
fn rows_and_columns_are_mixed() {
    let mut weights = [[0.0; LANES]; 2];
    // The first vertex changes by 1 to the right below, by 4 downwards on the left.
    weights[0][BOTTOM_LEFT] = 4.0;
    weights[0][BOTTOM_RIGHT] = 5.0;
    // The second by 2 to the right above.
    weights[1][TOP_RIGHT] = 2.0;
    weights[1][BOTTOM_RIGHT] = 2.0;
    let terms = |more| Terms { more, weights };
    let w = [[BOTTOM_LEFT, BOTTOM_RIGHT], [TOP_LEFT, BOTTOM_LEFT]];
    assert_eq!(terms([1.0, 0.0]).slope(w), 4.0);
    assert_eq!(terms([0.0, 1.0]).slope(w), 2.0);
    let z = [[TOP_LEFT, TOP_RIGHT], [TOP_RIGHT, BOTTOM_RIGHT]];
    assert_eq!(terms([1.0, 0.0]).slope(z), 5.0);
    assert_eq!(terms([0.0, 1.0]).slope(z), 2.0);
}
