//! PNG files in and out.

use crate::Image;
use anyhow::{Context, bail};
use std::io::{Cursor, Write};

/// Writes a picture as RGBA PNG.
pub fn encode(out: &mut dyn Write, image: &Image) -> anyhow::Result<()> {
    let mut encoder = png::Encoder::new(out, image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let write = || {
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&image.rgba)?;
        writer.finish()
    };
    // A reader that has gone shall be known as such.
    write().map_err(|error| match error {
        png::EncodingError::IoError(error) => error.into(),
        other => other.into(),
    })
}

/// Reads a PNG file as RGBA.
pub fn decode(bytes: &[u8]) -> anyhow::Result<Image> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info()?;
    let mut data = vec![0; reader.output_buffer_size().context("picture too large")?];
    let info = reader.next_frame(&mut data)?;
    data.truncate(info.buffer_size());
    let rgba = match info.color_type {
        png::ColorType::Rgba => data,
        png::ColorType::Rgb => {
            let (pixels, _) = data.as_chunks::<3>();
            pixels
                .iter()
                .flat_map(|&[r, g, b]| [r, g, b, 255])
                .collect()
        }
        png::ColorType::Grayscale => data.iter().flat_map(|&l| [l, l, l, 255]).collect(),
        png::ColorType::GrayscaleAlpha => {
            let (pixels, _) = data.as_chunks::<2>();
            pixels.iter().flat_map(|&[l, a]| [l, l, l, a]).collect()
        }
        png::ColorType::Indexed => bail!("palette was not expanded"),
    };
    Ok(Image {
        width: info.width,
        height: info.height,
        rgba,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let image = Image {
            width: 2,
            height: 2,
            rgba: (0..16).collect(),
        };
        let mut bytes = Vec::new();
        encode(&mut bytes, &image).unwrap();
        assert_eq!(decode(&bytes).unwrap(), image);
        assert!(decode(&bytes[..bytes.len() / 2]).is_err());
    }

    /// A PNG of one row, with what a colour type has of each pixel.
    fn row(color: png::ColorType, width: u32, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, 1);
        encoder.set_color(color);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn every_kind_of_png_becomes_rgba() {
        let rgba = |bytes: Vec<u8>| decode(&bytes).unwrap().rgba;
        let rgb = row(png::ColorType::Rgb, 2, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(rgba(rgb), [1, 2, 3, 255, 4, 5, 6, 255]);
        let grey = row(png::ColorType::Grayscale, 2, &[7, 8]);
        assert_eq!(rgba(grey), [7, 7, 7, 255, 8, 8, 8, 255]);
        let both = row(png::ColorType::GrayscaleAlpha, 1, &[9, 10]);
        assert_eq!(rgba(both), [9, 9, 9, 10]);
    }
}
