//! Lines: Bresenham's, the last pixel left out, so that polylines join.

use super::canvas::Rect;

/// Pixels of the longest line.
pub(super) const MOST_PIXELS: u64 = 0x1_0000;

/// Calls `pixel` for every pixel of the line inside `clip`.
pub(super) fn draw(from: (i32, i32), to: (i32, i32), clip: Rect, mut pixel: impl FnMut(i32, i32)) {
    // Coordinates have 16 bits on the chip; 32-bit methods saturate.
    let limit = |v: i32| v.clamp(-0x8000, 0x7FFF);
    let (x0, y0, x1, y1) = (limit(from.0), limit(from.1), limit(to.0), limit(to.1));
    let (dx, dy) = ((x1 - x0).abs(), (y1 - y0).abs());
    let (sx, sy) = ((x1 - x0).signum(), (y1 - y0).signum());
    let steep = dy > dx;
    let (long, short) = if steep { (dy, dx) } else { (dx, dy) };
    let (mut x, mut y, mut error) = (x0, y0, 2 * short - long);
    for _ in 0..long {
        if x >= clip.x0 && x < clip.x1 && y >= clip.y0 && y < clip.y1 {
            pixel(x, y);
        }
        if error > 0 {
            if steep {
                x += sx
            } else {
                y += sy
            }
            error -= 2 * long;
        }
        if steep {
            y += sy
        } else {
            x += sx
        }
        error += 2 * short;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_pixel_is_left_out() {
        let mut seen = Vec::new();
        draw((4, 3), (4, 5), Rect::ALL, |x, y| seen.push((x, y)));
        assert_eq!(seen, [(4, 3), (4, 4)]);
        draw((4, 3), (4, 3), Rect::ALL, |_, _| panic!("no pixel"));
    }
}
