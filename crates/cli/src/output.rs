//! Where results go: files, or standard output for `-`, looked at before the work starts.

use anyhow::{Context, bail};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

static QUIET: AtomicBool = AtomicBool::new(false);
static TAKEN: AtomicBool = AtomicBool::new(false);
static JSON: AtomicBool = AtomicBool::new(false);

/// `--quiet` was given.
pub fn set_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Are notes and progress unwanted?
pub fn quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Does a file go to standard output? What is said goes to standard error then.
pub fn standard_is_taken() -> bool {
    TAKEN.load(Ordering::Relaxed)
}

/// Where text without colours goes that is too long to be said line by line.
pub fn plain() -> Box<dyn Write> {
    match standard_is_taken() {
        true => Box::new(std::io::stderr()),
        false => Box::new(std::io::stdout().lock()),
    }
}

/// With `json`, each file that is written is told as a line of JSON instead of in words.
pub fn tell_files(json: bool) {
    JSON.store(json, Ordering::Relaxed);
}

/// Is it standard input or output?
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Can a file be written there? Said before any work is done.
pub fn check(path: &Path) -> anyhow::Result<()> {
    if is_standard(path) {
        TAKEN.store(true, Ordering::Relaxed);
        return Ok(());
    }
    let name = || path.display().to_string();
    if path.is_dir() {
        bail!("{}: is a folder, a file was expected", name());
    }
    make_folder_of(path)?;
    let new = !path.exists();
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .with_context(name)?;
    if new {
        std::fs::remove_file(path).with_context(name)?;
    }
    Ok(())
}

/// Can a picture be written there? Pictures are PNG.
pub fn check_picture(path: &Path) -> anyhow::Result<()> {
    let suffix = path.extension().map(|s| s.to_string_lossy().to_lowercase());
    let other = [
        "jpg", "jpeg", "bmp", "gif", "tga", "tif", "tiff", "webp", "ppm", "dds", "exr",
    ];
    if suffix.is_some_and(|suffix| other.contains(&suffix.as_str())) {
        bail!(
            "{}: pictures are written as PNG; call it {}",
            path.display(),
            path.with_extension("png").display()
        );
    }
    check(path)
}

/// Can files be written to this folder? It is made if need be.
pub fn check_folder(path: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(path).with_context(|| path.display().to_string())
}

fn make_folder_of(path: &Path) -> anyhow::Result<()> {
    match path.parent() {
        Some(folder) => check_folder(folder),
        None => Ok(()),
    }
}

/// Opens a file for writing, or standard output for `-`.
pub fn create(path: &Path) -> anyhow::Result<Box<dyn Write>> {
    if is_standard(path) {
        return Ok(Box::new(BufWriter::new(std::io::stdout().lock())));
    }
    make_folder_of(path)?;
    let file = File::create(path).with_context(|| path.display().to_string())?;
    Ok(Box::new(BufWriter::new(file)))
}

/// The version of the lines that tell of files.
pub const FILES: &str = "isotherm-files-1";

/// Writes a whole file, or to standard output for `-`.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = create(path)?;
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .with_context(|| path.display().to_string())
}

/// Says that a file was written, unless it went to standard output or nobody wants to know.
pub fn wrote(path: &Path, what: std::fmt::Arguments<'_>) -> std::io::Result<()> {
    if JSON.load(Ordering::Relaxed) {
        let (file, about) = (path.display().to_string(), what.to_string());
        let line = serde_json::json!({ "schema": FILES, "file": file, "about": about });
        say!("{line}");
    } else if !quiet() && !is_standard(path) {
        say!("{}: {what}", path.display());
    }
    Ok(())
}
