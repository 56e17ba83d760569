//! Mesa's driver for a chip: is it there?

use anyhow::bail;
use isotherm::{Chip, Family};
use std::path::{Path, PathBuf};

/// Says what is missing before a program fails in stranger ways.
pub fn check(chip: Chip) -> anyhow::Result<()> {
    let folders = folders();
    let (driver, hint) = match chip.family() {
        // Mesa 22 dropped their driver, nouveau_vieux: the program has to bring it.
        Family::Celsius | Family::Kelvin => return Ok(()),
        Family::Utgard => (
            "lima",
            "build Mesa with -Dgallium-drivers=lima and name its folder in LIBGL_DRIVERS_PATH",
        ),
        _ => ("nouveau", "install Mesa (Debian: libgl1-mesa-dri)"),
    };
    if has(&folders, driver) || has_gallium(&libraries()) {
        return Ok(());
    }
    let list: Vec<_> = folders.iter().map(|f| f.display().to_string()).collect();
    bail!("no {driver}_dri.so in {}: {hint}", list.join(", "))
}

fn has(folders: &[PathBuf], driver: &str) -> bool {
    let file = format!("{driver}_dri.so");
    folders.iter().any(|folder| folder.join(&file).exists())
}

/// From version 24.3 on Mesa has all drivers in one library; a build without X has no other
/// sign of them.
fn has_gallium(folders: &[PathBuf]) -> bool {
    let gallium = |file: std::fs::DirEntry| {
        let name = file.file_name();
        name.to_string_lossy().starts_with("libgallium-")
    };
    let files = folders
        .iter()
        .filter_map(|folder| folder.read_dir().ok())
        .flatten();
    files.flatten().any(gallium)
}

/// Where people put a Mesa of their own.
fn libraries() -> Vec<PathBuf> {
    let path = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    std::env::split_paths(&path).collect()
}

/// Where Mesa looks for drivers.
fn folders() -> Vec<PathBuf> {
    if let Some(path) = std::env::var_os("LIBGL_DRIVERS_PATH") {
        return std::env::split_paths(&path).collect();
    }
    let places = [
        "/usr/lib/x86_64-linux-gnu/dri",
        "/usr/lib/aarch64-linux-gnu/dri",
    ];
    let others = ["/usr/lib64/dri", "/usr/lib/dri", "/usr/local/lib/dri"];
    let found = places.iter().chain(&others).map(Path::new);
    found
        .filter(|folder| folder.is_dir())
        .map(Into::into)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_are_files() {
        let folder = std::env::temp_dir().join(format!("isotherm-dri-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("nouveau_dri.so"), "").unwrap();
        assert!(has(std::slice::from_ref(&folder), "nouveau"));
        assert!(!has(std::slice::from_ref(&folder), "lima"));
        assert!(!has_gallium(std::slice::from_ref(&folder)));
        std::fs::write(folder.join("libgallium-26.3.so"), "").unwrap();
        assert!(has_gallium(std::slice::from_ref(&folder)));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
