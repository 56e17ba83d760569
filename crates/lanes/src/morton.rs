//! Morton order: how NVIDIA's swizzled surfaces and textures lie in memory.
//!
//! The bits of x and y take turns, x first, until the shorter side has none left; the longer
//! side's other bits follow. A surface 8 wide and 4 high:
//!
//! ```text
//! place   4  3  2  1  0
//! bit     x2 y1 x1 y0 x0
//! ```

/// The place of a pixel in a surface whose sides are powers of two. Coordinates beyond a side
/// wrap around.
#[inline(always)]
pub fn place(x: u32, y: u32, log_width: u32, log_height: u32) -> u32 {
    let (mut place, mut at) = (0, 0);
    for bit in 0..log_width.max(log_height).min(16) {
        if bit < log_width {
            place |= (x >> bit & 1) << at;
            at += 1;
        }
        if bit < log_height {
            place |= (y >> bit & 1) << at;
            at += 1;
        }
    }
    place
}

/// Column and row of a place.
pub fn pixel(place: u32, log_width: u32, log_height: u32) -> (u32, u32) {
    let (mut x, mut y, mut at) = (0, 0, 0);
    for bit in 0..log_width.max(log_height).min(16) {
        if bit < log_width {
            x |= (place >> at & 1) << bit;
            at += 1;
        }
        if bit < log_height {
            y |= (place >> at & 1) << bit;
            at += 1;
        }
    }
    (x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_take_turns_until_a_side_has_none_left() {
        assert_eq!(place(1, 0, 2, 2), 1);
        assert_eq!(place(0, 1, 2, 2), 2);
        assert_eq!(place(3, 3, 2, 2), 15);
        assert_eq!(place(7, 1, 3, 1), 15);
        assert_eq!(place(2, 1, 3, 1), 6);
    }

    #[test]
    fn places_lead_back_to_their_pixels() {
        for (log_width, log_height) in [(0, 0), (3, 2), (2, 5), (4, 4), (6, 0)] {
            for at in 0..1 << (log_width + log_height) {
                let (x, y) = pixel(at, log_width, log_height);
                assert_eq!(place(x, y, log_width, log_height), at);
            }
        }
    }
}
