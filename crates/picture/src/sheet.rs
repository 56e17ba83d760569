//! Many pictures on one.

use crate::Image;

/// Width and height of a picture on the sheet, and the gap between two.
const CELL: u32 = 128;
const GAP: u32 = 4;
/// Pictures in a row.
const COLUMNS: u32 = 8;

/// All pictures in rows, reduced to cells of one size.
pub fn contact_sheet(pictures: &[Image]) -> Image {
    let count = pictures.len() as u32;
    let columns = COLUMNS.min(count.max(1));
    let rows = count.div_ceil(columns).max(1);
    let (width, height) = (columns * (CELL + GAP) + GAP, rows * (CELL + GAP) + GAP);
    let mut rgba = [255u8, 255, 255, 255].repeat((width * height) as usize);
    for (i, picture) in (0u32..).zip(pictures) {
        let left = GAP + i % columns * (CELL + GAP);
        let top = GAP + i / columns * (CELL + GAP);
        for y in 0..CELL {
            for x in 0..CELL {
                let at = (((top + y) * width + left + x) * 4) as usize;
                let color = mean(picture, x, y);
                rgba[at..at + 4].copy_from_slice(&color);
            }
        }
    }
    Image {
        width,
        height,
        rgba,
    }
}

/// The mean of the pixels that a pixel of a cell stands for.
fn mean(picture: &Image, x: u32, y: u32) -> [u8; 4] {
    let part = |at: u32, size: u32| {
        let from = at * size / CELL;
        from..((at + 1) * size / CELL).max(from + 1).min(size)
    };
    let (mut sum, mut count) = ([0u32; 3], 0);
    for py in part(y, picture.height) {
        for px in part(x, picture.width) {
            let at = ((py * picture.width + px) * 4) as usize;
            (0..3).for_each(|c| sum[c] += u32::from(picture.rgba[at + c]));
            count += 1;
        }
    }
    let [r, g, b] = sum.map(|sum| (sum / count.max(1)) as u8);
    [r, g, b, 255]
}

/// Is there next to nothing to be seen: fewer than one pixel in fifty that is not dark?
pub fn nearly_black(image: &Image) -> bool {
    let (pixels, _) = image.rgba.as_chunks::<4>();
    let bright = pixels.iter().filter(|p| p[..3].iter().any(|c| *c > 100));
    bright.count() * 50 < pixels.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(size: u32, pixel: [u8; 4]) -> Image {
        Image {
            width: size,
            height: size,
            rgba: pixel.repeat((size * size) as usize),
        }
    }

    #[test]
    fn a_sheet_has_a_cell_for_each_picture() {
        let sheet = contact_sheet(&[plain(256, [10, 20, 30, 0]), plain(1, [40, 50, 60, 0])]);
        assert_eq!((sheet.width, sheet.height), (2 * 132 + 4, 132 + 4));
        let pixel = |x: u32, y: u32| {
            let at = ((y * sheet.width + x) * 4) as usize;
            sheet.rgba[at..at + 4].to_vec()
        };
        assert_eq!(pixel(0, 0), [255; 4]);
        assert_eq!(pixel(4, 4), [10, 20, 30, 255]);
        assert_eq!(pixel(131, 131), [10, 20, 30, 255]);
        assert_eq!(pixel(132, 4), [255; 4]);
        assert_eq!(pixel(136, 131), [40, 50, 60, 255]);
    }

    #[test]
    fn one_bright_pixel_in_fifty_is_enough() {
        let mut image = plain(10, [100, 100, 100, 255]);
        assert!(nearly_black(&image));
        image.rgba[4] = 101;
        assert!(nearly_black(&image));
        image.rgba[8] = 101;
        assert!(!nearly_black(&image));
    }
}
