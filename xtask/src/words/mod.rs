//! The declarations against everything that drivers and games sent: every method
//! has a name, every render state decodes and comes back.

pub mod fuzz;
mod methods;
mod render_states;

pub use methods::run as methods;
pub use render_states::run as render_states;

use std::path::{Path, PathBuf};

/// All files of a folder tree with a name that ends so, sorted.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
