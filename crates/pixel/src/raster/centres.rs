//! Where the pixels of a block lie.

use super::num::D;
use crate::frag::LANES;

/// The centres of sixteen pixels in 1/16 pixels, by quads: left to right, then down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Centres {
    pub(super) x: D,
    pub(super) y: D,
}

impl Centres {
    /// Of the quads whose upper left pixels are these.
    #[inline(always)]
    pub(super) fn new(columns: &[i32; 4], rows: &[i32; 4]) -> Centres {
        let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let (quad, right, below) = (lane / 4, lane as i32 % 2, lane as i32 / 2 % 2);
            x[lane] = f64::from((columns[quad] + right) * 16 + 8);
            y[lane] = f64::from((rows[quad] + below) * 16 + 8);
        }
        Centres { x, y }
    }

    /// Of a block whose first pixel is (x, y).
    #[inline(always)]
    pub(super) fn of_block(x: i32, y: i32) -> Centres {
        Centres::new(&[x, x + 2, x + 4, x + 6], &[y; 4])
    }
}
