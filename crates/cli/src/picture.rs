//! PNG files in and out.

use anyhow::{Context, bail};
use isotherm::capture::Image;
use std::io::{Cursor, Write};
use std::path::Path;

/// Writes a picture as an RGBA PNG file, or to standard output for `-`; folders are made as
/// needed.
pub fn save(path: &Path, image: &Image) -> anyhow::Result<()> {
    let mut out = crate::output::create(path)?;
    encode(&mut out, image)
        .and_then(|()| Ok(out.flush()?))
        .with_context(|| format!("{}", path.display()))
}

/// Writes a picture as RGBA PNG.
pub fn encode(out: impl Write, image: &Image) -> anyhow::Result<()> {
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

/// Reads a PNG file as RGBA, or standard input for `-`.
pub fn load(path: &Path) -> anyhow::Result<Image> {
    let bytes = crate::input::bytes(path)?;
    decode(&bytes).with_context(|| crate::input::name(path))
}

fn decode(bytes: &[u8]) -> anyhow::Result<Image> {
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
