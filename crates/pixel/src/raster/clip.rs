//! Clip rectangles: surface clip, window clip, scissor.

use crate::frag::LANES;

/// All that limits drawing to rectangles, prepared. Pixels, max exclusive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clip {
    /// The surface, before windows.
    pub surface: [i32; 4],
    /// Nothing is drawn outside.
    pub bounds: [i32; 4],
    /// Window clip rectangles that `bounds` does not express already.
    pub rects: Vec<[i32; 4]>,
    /// Draw outside all of `rects` instead of inside any.
    pub exclusive: bool,
}

/// The common part of two rectangles.
pub fn intersect(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
    [
        a[0].max(b[0]),
        a[1].max(b[1]),
        a[2].min(b[2]),
        a[3].min(b[3]),
    ]
}

/// Is there anything in it?
pub fn empty(r: &[i32; 4]) -> bool {
    r[0] >= r[2] || r[1] >= r[3]
}

/// Lanes of the block at (x, y) inside a rectangle.
#[inline(always)]
pub fn lanes(r: &[i32; 4], x: i32, y: i32) -> u16 {
    let columns = |from: i32, to: i32| -> u32 {
        let (from, to) = (from.clamp(0, 8), to.clamp(0, 8));
        ((1u32 << to) - 1) & !((1u32 << from) - 1)
    };
    let row = columns(r[0] - x, r[2] - x);
    let top = if y >= r[1] && y < r[3] { row } else { 0 };
    let low = if y + 1 >= r[1] && y + 1 < r[3] {
        row
    } else {
        0
    };
    (top | low << 8) as u16
}

impl Clip {
    /// Surface clip and up to eight window rectangles.
    pub fn new(surface: [i32; 4], window: &[[i32; 4]], exclusive: bool) -> Clip {
        let mut rects: Vec<[i32; 4]> = Vec::new();
        for &r in window {
            let r = intersect(surface, r);
            if !empty(&r) && !rects.contains(&r) {
                rects.push(r);
            }
        }
        let mut bounds = surface;
        if !exclusive && !window.is_empty() {
            // Inside any: the rectangles' hull bounds it; a single one is the hull.
            let hull = |a: [i32; 4], b: &[i32; 4]| {
                [
                    a[0].min(b[0]),
                    a[1].min(b[1]),
                    a[2].max(b[2]),
                    a[3].max(b[3]),
                ]
            };
            bounds = rects.iter().fold([i32::MAX, i32::MAX, 0, 0], hull);
            if rects.len() <= 1 {
                rects.clear();
            }
        }
        if empty(&bounds) {
            bounds = [0; 4];
        }
        Clip {
            surface,
            bounds,
            rects,
            exclusive,
        }
    }

    /// Lanes of the block at (x, y) that may be drawn.
    #[inline(always)]
    pub fn mask(&self, x: i32, y: i32) -> u16 {
        let inside = lanes(&self.bounds, x, y);
        if self.rects.is_empty() {
            return inside;
        }
        let any = self.rects.iter().fold(0, |m, r| m | lanes(r, x, y));
        inside & if self.exclusive { !any } else { any }
    }
}

/// Lanes that a polygon stipple lets through.
#[inline(always)]
pub fn stipple(pattern: &[u32; 32], x: i32, y: i32) -> u16 {
    const _: () = assert!(LANES == 16);
    let row = |y: i32| {
        let word = pattern[31 - (y & 31) as usize];
        let byte = (word >> (x & 31)) as u8;
        u16::from(byte.reverse_bits())
    };
    row(y) | row(y + 1) << 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_become_lanes() {
        assert_eq!(lanes(&[0, 0, 100, 100], 8, 2), 0xffff);
        assert_eq!(lanes(&[9, 0, 11, 100], 8, 2), 0x0606);
        assert_eq!(lanes(&[0, 3, 100, 4], 8, 2), 0xff00);
        assert_eq!(lanes(&[0, 0, 8, 100], 8, 2), 0);
    }

    #[test]
    fn window_clip_inside_any_or_outside_all() {
        let (a, b) = ([0, 0, 4, 8], [6, 0, 8, 8]);
        let clip = Clip::new([0, 0, 640, 480], &[a, b, b], false);
        assert_eq!(clip.bounds, [0, 0, 8, 8]);
        assert_eq!(clip.mask(0, 0), 0xcfcf);
        assert_eq!(clip.mask(0, 8), 0);
        let clip = Clip::new([0, 0, 640, 480], &[a, b, b], true);
        assert_eq!(clip.mask(0, 0), 0x3030);
        assert_eq!(clip.mask(8, 8), 0xffff);
        let clip = Clip::new([0, 0, 640, 480], &[[700, 0, 800, 9]], false);
        assert_eq!(clip.mask(0, 0), 0, "a window outside the surface");
    }

    #[test]
    fn stipple_rows_run_upwards_and_bits_from_the_left() {
        let mut pattern = [0; 32];
        pattern[31] = 0x0000_0180;
        assert_eq!(stipple(&pattern, 0, 0), 1);
        assert_eq!(stipple(&pattern, 8, 0), 0x80);
        assert_eq!(stipple(&pattern, 16, 0), 0);
    }
}
