//! Folders of captures, for the commands that take a capture.

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};

/// Every capture below a folder, by name: `.cap` and `.cap.zst`.
pub fn captures(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let list = std::fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))?;
        for entry in list {
            let entry = entry?;
            let path = entry.path();
            // A link to a folder may lead back up: it is not followed.
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if is_named_capture(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_named_capture(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".cap.zst") || name.ends_with(".cap")
}

/// A path without the suffixes of a capture.
pub fn without_suffix(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    PathBuf::from(text.trim_end_matches(".zst").trim_end_matches(".cap"))
}

/// Does something with every capture below a folder; it is told the capture and its path inside
/// the folder without suffixes. One that fails is told, the others go on; an error in the end.
pub fn each(
    folder: &Path,
    mut work: impl FnMut(&Path, &Path) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let captures = captures(folder)?;
    anyhow::ensure!(!captures.is_empty(), "{}: no captures", folder.display());
    let bar = progress(captures.len());
    let mut failed = 0;
    for capture in &captures {
        let inside = capture.strip_prefix(folder).unwrap_or(capture);
        if let Err(error) = work(capture, &without_suffix(inside)) {
            failed += 1;
            bar.suspend(|| crate::show::error(&error));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let count = captures.len();
    anyhow::ensure!(failed == 0, "{failed} of {count} captures failed");
    Ok(())
}

/// A bar with rate and remaining time; hidden where nobody looks.
pub fn progress(length: usize) -> ProgressBar {
    if crate::output::quiet() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{pos}/{len} {wide_bar} {per_sec} {eta} left {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length as u64).with_style(style)
}
