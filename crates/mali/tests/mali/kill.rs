//! Pixel kill.

use isotherm_lanes::{Level, Random};
use isotherm_mali::pp::pixel_kill::Waiting;

/// Of all triangles, each pixel shows the last that covers it.
#[test]
fn the_last_one_shows() {
    let mut random = Random::new(11);
    for level in Level::available() {
        let covers: Vec<[u32; 8]> = (0..40)
            .map(|_| {
                std::array::from_fn(|_| random.next_u32() & random.next_u32() & random.next_u32())
            })
            .collect();
        let mut waiting = Waiting::default();
        for &cover in &covers {
            waiting.push(level, 0, cover);
        }
        waiting.settle(level);
        let mut shown = [0u32; 8];
        for (n, &cover) in covers.iter().enumerate().rev() {
            let kept = waiting.cover(n);
            for row in 0..8 {
                assert_eq!(kept[row], cover[row] & !shown[row], "{level:?} {n}");
                shown[row] |= cover[row];
            }
        }
    }
}
