//! Zstandard: the usual library, which is C; in WebAssembly a reader in Rust, and captures are
//! written plain.

use std::io::{self, BufRead, Read, Write};

/// Decompresses while it is read. A frame that wants a larger window is refused.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn decoder<'r>(
    source: impl BufRead + Send + 'r,
    window_log: u32,
) -> io::Result<impl Read + Send + 'r> {
    let mut decoder = zstd::Decoder::with_buffer(source)?;
    decoder.window_log_max(window_log)?;
    Ok(decoder)
}

/// Decompresses while it is read. A frame that wants a larger window is refused, by the limit
/// that the reader has of its own.
#[cfg(target_arch = "wasm32")]
pub(super) fn decoder<'r>(
    source: impl BufRead + Send + 'r,
    _window_log: u32,
) -> io::Result<impl Read + Send + 'r> {
    ruzstd::decoding::StreamingDecoder::new(source).map_err(io::Error::other)
}

/// The first four bytes of a zstd frame.
pub(super) const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The bytes of a file that may be compressed. They may be many more than the file has: read
/// them with a limit.
pub fn unpacked(file: &[u8]) -> io::Result<Box<dyn Read + Send + '_>> {
    const WINDOW_LOG: u32 = 27;
    Ok(match file.starts_with(&ZSTD) {
        true => Box::new(decoder(file, WINDOW_LOG)?),
        false => Box::new(file),
    })
}

/// Compresses what is written.
#[cfg(not(target_arch = "wasm32"))]
pub(super) struct Encoder<W: Write>(zstd::Encoder<'static, W>);

#[cfg(not(target_arch = "wasm32"))]
impl<W: Write> Encoder<W> {
    pub(super) fn new(out: W) -> io::Result<Encoder<W>> {
        let mut out = zstd::Encoder::new(out, 9)?;
        out.include_checksum(true)?;
        Ok(Encoder(out))
    }

    pub(super) fn finish(self) -> io::Result<W> {
        self.0.finish()
    }
}

/// Passes on what is written.
#[cfg(target_arch = "wasm32")]
pub(super) struct Encoder<W: Write>(W);

#[cfg(target_arch = "wasm32")]
impl<W: Write> Encoder<W> {
    pub(super) fn new(out: W) -> io::Result<Encoder<W>> {
        Ok(Encoder(out))
    }

    pub(super) fn finish(self) -> io::Result<W> {
        Ok(self.0)
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
