//! Pixel against pixel: how far a picture is from what was expected.

use crate::Image;

/// How two pictures differ; pixels whose largest difference over R, G, B is above a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels compared.
    pub n: u32,
    /// Differ in R, G or B.
    pub diff: u32,
    /// By more than 1.
    pub gt1: u32,
    /// By more than 2.
    pub gt2: u32,
    /// By more than 4.
    pub gt4: u32,
    /// By more than 8.
    pub gt8: u32,
    /// By more than 8 where two references agree within 8 with each other; all of `gt8`
    /// without a second reference.
    pub undisputed: u32,
    /// Largest difference.
    pub max: u8,
    /// Differ in R, G, B or A.
    pub rgba: u32,
    /// The first pixel that differs, alpha included: x, y, expected, found.
    pub first: Option<(u32, u32, [u8; 4], [u8; 4])>,
}

impl Pixels {
    /// At most one pixel in a hundred is off by more than 8: the measure against
    /// references that are no silicon.
    pub fn agrees(&self) -> bool {
        u64::from(self.gt8) * 100 <= u64::from(self.n)
    }

    /// Takes out of `undisputed` what a second reference draws unlike the first.
    pub fn judge(&mut self, first: &Image, second: &Image, found: &Image) {
        let (a, _) = first.rgba.as_chunks::<4>();
        let (b, _) = second.rgba.as_chunks::<4>();
        let (c, _) = found.rgba.as_chunks::<4>();
        let wrong = |((a, b), c): &((&[u8; 4], &[u8; 4]), &[u8; 4])| {
            distance(a, c) > 8 && distance(a, b) <= 8
        };
        self.undisputed = a.iter().zip(b).zip(c).filter(wrong).count() as u32;
    }
}

/// The largest difference over R, G, B.
fn distance(a: &[u8; 4], b: &[u8; 4]) -> u8 {
    a[0].abs_diff(b[0])
        .max(a[1].abs_diff(b[1]))
        .max(a[2].abs_diff(b[2]))
}

/// Compares two pictures; `None` when their sizes differ.
pub fn compare(expected: &Image, found: &Image) -> Option<Pixels> {
    if (expected.width, expected.height) != (found.width, found.height) {
        return None;
    }
    let mut pixels = Pixels {
        n: expected.width * expected.height,
        ..Pixels::default()
    };
    if expected.rgba == found.rgba {
        return Some(pixels);
    }
    let (a, _) = expected.rgba.as_chunks::<4>();
    let (b, _) = found.rgba.as_chunks::<4>();
    for (index, (a, b)) in (0..).zip(a.iter().zip(b)) {
        if a == b {
            continue;
        }
        pixels.rgba += 1;
        let width = expected.width;
        pixels
            .first
            .get_or_insert((index % width, index / width, *a, *b));
        let d = distance(a, b);
        pixels.diff += u32::from(d > 0);
        pixels.gt1 += u32::from(d > 1);
        pixels.gt2 += u32::from(d > 2);
        pixels.gt4 += u32::from(d > 4);
        pixels.gt8 += u32::from(d > 8);
        pixels.max = pixels.max.max(d);
    }
    pixels.undisputed = pixels.gt8;
    Some(pixels)
}

/// The difference, amplified: black where equal; alpha differences alone show as blue.
pub fn difference(expected: &Image, found: &Image) -> Image {
    let (a, _) = expected.rgba.as_chunks::<4>();
    let (b, _) = found.rgba.as_chunks::<4>();
    let amplify = |a: u8, b: u8| match a.abs_diff(b) {
        0 => 0,
        d => (63 + u16::from(d) * 16).min(255) as u8,
    };
    let pixel = |(a, b): (&[u8; 4], &[u8; 4])| {
        let rgb = [0, 1, 2].map(|c| amplify(a[c], b[c]));
        let blue = if rgb == [0; 3] {
            amplify(a[3], b[3])
        } else {
            rgb[2]
        };
        [rgb[0], rgb[1], blue, 255]
    };
    let rgba = a.iter().zip(b).flat_map(pixel).collect();
    Image {
        width: expected.width,
        height: expected.height,
        rgba,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_each_bound() {
        let image = |rgba: &[u8]| Image {
            width: 3,
            height: 1,
            rgba: rgba.to_vec(),
        };
        let a = image(&[0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 9]);
        let b = image(&[0, 0, 0, 0, 7, 0, 1, 0, 0, 0, 0, 0]);
        let p = compare(&a, &b).unwrap();
        assert_eq!(
            (p.n, p.diff, p.gt1, p.gt2, p.gt4, p.max, p.rgba),
            (3, 1, 1, 1, 0, 3, 2)
        );
        assert_eq!(p.first, Some((1, 0, [10, 0, 0, 0], [7, 0, 1, 0])));
        assert!(p.agrees());
        assert_eq!(difference(&a, &b).rgba[8..], [0, 0, 207, 255]);
        assert!(
            compare(
                &a,
                &Image {
                    width: 1,
                    height: 1,
                    rgba: vec![0; 4]
                }
            )
            .is_none()
        );
    }

    #[test]
    fn what_the_references_disagree_on_is_not_held_against_us() {
        let image = |rgba: &[u8]| Image {
            width: 2,
            height: 1,
            rgba: rgba.to_vec(),
        };
        let first = image(&[0, 0, 0, 0, 0, 0, 0, 0]);
        let second = image(&[9, 0, 0, 0, 8, 0, 0, 0]);
        let found = image(&[20, 0, 0, 0, 0, 9, 0, 0]);
        let mut p = compare(&first, &found).unwrap();
        assert_eq!((p.gt8, p.undisputed), (2, 2));
        p.judge(&first, &second, &found);
        assert_eq!((p.gt8, p.undisputed), (2, 1));
        assert!(!p.agrees());
    }
}
