//! Pictures from and to files and pipes.

use anyhow::Context;
use isotherm::capture::Image;
use isotherm_picture::file;
use std::path::Path;

/// Writes a picture as an RGBA PNG file, or to standard output for `-`; folders are made as
/// needed.
pub fn save(path: &Path, image: &Image) -> anyhow::Result<()> {
    let mut out = crate::output::create(path)?;
    file::encode(&mut *out, image)
        .and_then(|()| Ok(out.flush()?))
        .with_context(|| format!("{}", path.display()))
}

/// Reads a PNG file as RGBA, or standard input for `-`.
pub fn load(path: &Path) -> anyhow::Result<Image> {
    let bytes = crate::input::bytes(path)?;
    file::decode(&bytes).with_context(|| crate::input::name(path))
}
