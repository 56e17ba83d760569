//! Which pixels a triangle covers.

use isotherm_lanes::{Level, Random};
use isotherm_mali::pp::raster::{Inside, ROW, SAMPLES, cover, lane_x, lane_y};

/// Every pixel by itself.
fn slow(tri: &Inside, (dx, dy): (i32, i32)) -> [u32; 8] {
    let [x0, x1, y0, y1] = tri.bounds;
    std::array::from_fn(|row| {
        (0..ROW).fold(0, |out, i| {
            let (x, y) = (lane_x(i), row as i32 * 2 + lane_y(i));
            let inside = tri.crossing.iter().all(|&(a, b, e)| {
                let shift = (i64::from(a) * i64::from(dx) + i64::from(b) * i64::from(dy)) >> 8;
                e.wrapping_add(shift as i32)
                    .wrapping_add(a.wrapping_mul(x))
                    .wrapping_add(b.wrapping_mul(y))
                    >= 0
            });
            let boxed = x >= x0 && x <= x1 && y >= y0 && y <= y1;
            out | u32::from(inside && boxed) << i
        })
    })
}

#[test]
fn rows_are_pixels() {
    let mut random = Random::new(5);
    let mut next = |n: u32| random.below(n) as i32;
    for _ in 0..3000 {
        let (a, b) = (next(16), next(16));
        let (c, d) = (next(16), next(16));
        let crossings = next(4) as usize;
        let tri = Inside {
            bounds: [a.min(b), a.max(b), c.min(d), c.max(d)],
            crossing: std::array::from_fn(|i| {
                if i >= crossings {
                    return (0, 0, 0);
                }
                (next(4000) - 2000, next(4000) - 2000, next(40_000) - 20_000)
            }),
        };
        let at = SAMPLES[next(4) as usize];
        for level in Level::available() {
            let mut out = [9; 8];
            cover(level, &tri, at, &mut out);
            assert_eq!(out, slow(&tri, at), "{level:?}");
        }
    }
}
