//! Morton order: how NVIDIA's swizzled surfaces and textures lie in memory.
//!
//! The bits of x and y take turns, x first, until the shorter side has none left; the longer
//! side's other bits follow. A surface 8 wide and 4 high:
//!
//! ```text
//! place   4  3  2  1  0
//! bit     x2 y1 x1 y0 x0
//! ```

/// Most bits of a coordinate.
const BITS: usize = 16;

/// Calls `see` with axis, bit and place of every bit, lowest place first. The axes' sizes
/// are powers of two, given by their logarithms.
#[inline(always)]
fn turns<const N: usize>(log2: [u32; N], mut see: impl FnMut(usize, u32, u32)) {
    let longest = log2.iter().fold(0, |most, &n| most.max(n));
    let mut place = 0;
    for bit in 0..longest.min(BITS as u32) {
        for (axis, &size) in log2.iter().enumerate() {
            if bit < size {
                see(axis, bit, place);
                place += 1;
            }
        }
    }
}

/// The place of a pixel in a surface whose sides are powers of two. Coordinates beyond a side
/// wrap around.
#[inline(always)]
pub fn place(x: u32, y: u32, log_width: u32, log_height: u32) -> u32 {
    let mut place = 0;
    turns([log_width, log_height], |axis, bit, at| {
        place |= ([x, y][axis] >> bit & 1) << at;
    });
    place
}

/// Column and row of a place.
pub fn pixel(place: u32, log_width: u32, log_height: u32) -> (u32, u32) {
    let mut pixel = [0; 2];
    turns([log_width, log_height], |axis, bit, at| {
        pixel[axis] |= (place >> at & 1) << bit;
    });
    (pixel[0], pixel[1])
}

/// Where the bits of one coordinate go. The place of a texel is the sum over its axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Axis([u8; BITS]);

impl Axis {
    /// The part of the place that a coordinate, below the axis' size, gives.
    #[inline]
    pub fn place(&self, coordinate: u32) -> u32 {
        let bits = self.0.iter().enumerate();
        bits.fold(0, |out, (bit, at)| out | (coordinate >> bit & 1) << at)
    }
}

/// The axes of a volume.
pub fn axes(log2: [u32; 3]) -> [Axis; 3] {
    let mut axes = [Axis::default(); 3];
    turns(log2, |axis, bit, at| {
        // Volumes beyond 32 bits of places do not exist in memory.
        axes[axis].0[bit as usize % BITS] = at as u8 % 32;
    });
    axes
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

    #[test]
    fn volumes_add_a_third_axis() {
        let [x, y, z] = axes([2, 1, 2]);
        // z1 x1 z0 y0 x0
        assert_eq!([1, 2].map(|c| x.place(c)), [1, 8]);
        assert_eq!(y.place(1), 2);
        assert_eq!([1, 2].map(|c| z.place(c)), [4, 16]);
        let [x, y, _] = axes([5, 3, 0]);
        for (column, row) in [(0, 0), (31, 7), (21, 5)] {
            let sum = x.place(column) + y.place(row);
            assert_eq!(sum, place(column, row, 5, 3));
        }
    }
}
