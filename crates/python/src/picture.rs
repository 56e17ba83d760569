//! PNG files.

use crate::bad;
use crate::buffer::Buffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Larger than any picture of these chips.
const MOST: usize = 8192 * 8192 * 4;

/// RGBA bytes as a PNG file.
#[pyfunction]
pub fn png_encode<'py>(
    py: Python<'py>,
    rgba: &[u8],
    width: u32,
    height: u32,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(bad)?;
    writer.write_image_data(rgba).map_err(bad)?;
    writer.finish().map_err(bad)?;
    Ok(PyBytes::new(py, &file))
}

/// A PNG file as rows, columns, R G B A.
#[pyfunction]
pub fn png_decode(file: &[u8]) -> PyResult<Buffer> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info().map_err(bad)?;
    let size = reader.output_buffer_size().filter(|size| *size <= MOST);
    let mut bytes = vec![0; size.ok_or_else(|| bad("a picture too large to be one of ours"))?];
    let info = reader.next_frame(&mut bytes).map_err(bad)?;
    bytes.truncate(info.buffer_size());
    let rgba = match info.color_type {
        png::ColorType::Rgba => bytes,
        png::ColorType::GrayscaleAlpha => {
            let pixels = bytes.as_chunks::<2>().0.iter();
            pixels
                .flat_map(|&[grey, alpha]| [grey, grey, grey, alpha])
                .collect()
        }
        other => return Err(bad(format!("a PNG of type {other:?}"))),
    };
    Ok(Buffer::bytes(
        rgba,
        vec![info.height as usize, info.width as usize, 4],
    ))
}
