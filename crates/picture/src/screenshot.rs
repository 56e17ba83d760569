//! A picture against a screenshot: what is off by more than a tolerance, and where.

use crate::Image;
use serde::Serialize;

/// How close two pixels must be to count as equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    /// Channels may differ by so much.
    pub tolerance: u8,
    /// Alpha counts, too.
    pub alpha: bool,
}

impl Measure {
    /// The largest difference of a channel that counts.
    pub fn difference(self, a: [u8; 4], b: [u8; 4]) -> u8 {
        let channels = if self.alpha { 4 } else { 3 };
        let pairs = a.iter().zip(&b).take(channels);
        pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
    }

    /// Are two pixels equal as far as it matters?
    pub fn same(self, a: [u8; 4], b: [u8; 4]) -> bool {
        self.difference(a, b) <= self.tolerance
    }
}

/// What the comparison of all pixels gave.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Pixels compared.
    pub pixels: usize,
    /// Those that differ by more than the tolerance.
    pub different: usize,
    /// The largest difference of a channel.
    pub largest: u8,
    /// Column and row of it.
    pub worst: Option<[u32; 2]>,
    /// Left, top, right, bottom of all differing pixels.
    pub bounds: Option<[u32; 4]>,
}

/// Compares two pictures of the same size.
pub fn count(ours: &Image, theirs: &Image, measure: Measure) -> Count {
    let (a, _) = ours.rgba.as_chunks::<4>();
    let (b, _) = theirs.rgba.as_chunks::<4>();
    let mut count = Count {
        pixels: a.len(),
        ..Count::default()
    };
    for (at, (a, b)) in (0u32..).zip(a.iter().zip(b)) {
        let difference = measure.difference(*a, *b);
        if difference <= measure.tolerance {
            continue;
        }
        let (x, y) = (at % ours.width, at / ours.width);
        count.different += 1;
        if difference > count.largest {
            (count.largest, count.worst) = (difference, Some([x, y]));
        }
        let [l, t, r, b] = count.bounds.unwrap_or([x, y, x, y]);
        count.bounds = Some([l.min(x), t.min(y), r.max(x), b.max(y)]);
    }
    count
}

/// Ours darkened, with the differing pixels red.
pub fn differences(ours: &Image, theirs: &Image, measure: Measure) -> Image {
    let (a, _) = ours.rgba.as_chunks::<4>();
    let (b, _) = theirs.rgba.as_chunks::<4>();
    let pixel = |(a, b): (&[u8; 4], &[u8; 4])| {
        let difference = measure.difference(*a, *b);
        let grey = ((u32::from(a[0]) + u32::from(a[1]) + u32::from(a[2])) / 12) as u8;
        match difference > measure.tolerance {
            true => [128 + difference / 2, grey / 2, grey / 2, 255],
            false => [grey, grey, grey, 255],
        }
    };
    Image {
        rgba: a.iter().zip(b).flat_map(pixel).collect(),
        ..*ours
    }
}

/// The first pixel that is not the same, counted row by row, and how many there are; `None` if
/// all are the same.
pub fn first_difference(a: &Image, b: &Image) -> Option<(usize, usize)> {
    let (a, _) = a.rgba.as_chunks::<4>();
    let (b, _) = b.rgba.as_chunks::<4>();
    let differs = |(a, b): (&[u8; 4], &[u8; 4])| a != b;
    let first = a.iter().zip(b).position(differs)?;
    let rest = a[first..].iter().zip(&b[first..]);
    Some((first, rest.filter(|(a, b)| a != b).count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Image, Image) {
        let image = |rgba: &[u8]| Image {
            width: 2,
            height: 1,
            rgba: rgba.to_vec(),
        };
        (
            image(&[1, 2, 3, 4, 5, 6, 7, 8]),
            image(&[1, 2, 3, 9, 5, 9, 7, 8]),
        )
    }

    fn measure(tolerance: u8, alpha: bool) -> Measure {
        Measure { tolerance, alpha }
    }

    #[test]
    fn pixels_are_counted() {
        let (a, b) = pair();
        let found = count(&a, &b, measure(0, false));
        assert_eq!(
            (found.different, found.largest, found.worst),
            (1, 3, Some([1, 0]))
        );
        assert_eq!(count(&a, &b, measure(3, false)).different, 0);
        assert_eq!(count(&a, &b, measure(3, true)).different, 1);
    }

    #[test]
    fn what_differs_is_red() {
        let (a, b) = pair();
        let picture = differences(&a, &b, measure(0, false));
        assert_eq!(picture.rgba, [0, 0, 0, 255, 129, 0, 0, 255]);
    }

    #[test]
    fn the_first_difference_is_found_and_all_are_counted() {
        let (a, b) = pair();
        assert_eq!(first_difference(&a, &b), Some((0, 2)));
        assert_eq!(first_difference(&a, &a), None);
    }
}
