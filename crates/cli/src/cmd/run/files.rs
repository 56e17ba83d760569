//! The files of a GPU in `/dev` and `/sys`, in a directory of their own.

use anyhow::Context;
use isotherm::{Chip, Family};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

/// A directory with a device's files; it goes when the value does.
pub struct Files(PathBuf);

/// What the node is called, and its directory.
const NODE: &str = "dev/dri/renderD128";
const DEVICE: &str = "sys/dev/char/226:128/device";

impl Files {
    /// Makes the files of a board.
    pub fn create(chip: Chip) -> anyhow::Result<Files> {
        let parent = std::env::temp_dir();
        let files = own_folder(&parent)
            .map(Files)
            .with_context(|| format!("cannot make a folder in {}", parent.display()))?;
        files.fill(chip).context("cannot make the device's files")?;
        Ok(files)
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Has any program opened the device?
    pub fn opened(&self) -> bool {
        self.0.join("opened").exists()
    }

    fn fill(&self, chip: Chip) -> std::io::Result<()> {
        self.write(NODE, "")?;
        let mali = chip.family() == Family::Utgard;
        let bus = if mali { "platform" } else { "pci" };
        std::fs::create_dir_all(self.0.join(DEVICE).join("drm/renderD128"))?;
        symlink(
            format!("/sys/bus/{bus}"),
            self.0.join(DEVICE).join("subsystem"),
        )?;
        if mali {
            let text = "DRIVER=lima\nOF_NAME=gpu\nOF_FULLNAME=/soc/gpu\nOF_COMPATIBLE_N=1\n\
                        OF_COMPATIBLE_0=arm,mali-400\nMODALIAS=of:NgpuT(null)Carm,mali-400\n";
            return self.write(&format!("{DEVICE}/uevent"), text);
        }
        let device = device_id(chip.name());
        let text = format!(
            "DRIVER=nouveau\nPCI_CLASS=30000\nPCI_ID=10DE:{device:04X}\n\
             PCI_SUBSYS_ID=10DE:0000\nPCI_SLOT_NAME=0000:01:00.0\n"
        );
        self.write(&format!("{DEVICE}/uevent"), &text)?;
        for (file, value) in [
            ("vendor", 0x10de),
            ("device", device),
            ("subsystem_vendor", 0x10de),
            ("subsystem_device", 0),
        ] {
            self.write(&format!("{DEVICE}/{file}"), &format!("{value:#06x}\n"))?;
        }
        self.write(&format!("{DEVICE}/revision"), "0xa1\n")
    }

    fn write(&self, file: &str, text: &str) -> std::io::Result<()> {
        let path = self.0.join(file);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // A temporary directory that stays behind harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A new folder that nobody else has. One of a process that was killed, and whose number this
/// one has now, is left alone.
fn own_folder(parent: &Path) -> std::io::Result<PathBuf> {
    let process = std::process::id();
    let mut number = 0;
    loop {
        let name = match number {
            0 => format!("isotherm-{process}"),
            _ => format!("isotherm-{process}-{number}"),
        };
        let folder = parent.join(name);
        match std::fs::DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// A PCI number of a board with this chip (pci.ids).
fn device_id(chip: &str) -> u32 {
    match chip {
        "nv10" => 0x0100,
        "nv11" => 0x0110,
        "nv15" => 0x0150,
        "nv17" => 0x0171,
        "nv18" => 0x0181,
        "nv20" => 0x0200,
        "nv25" => 0x0250,
        "nv28" => 0x0281,
        "nv30" => 0x0301,
        "nv31" => 0x0312,
        "nv34" => 0x0322,
        "nv35" => 0x0331,
        "nv36" => 0x0342,
        "nv40" => 0x0041,
        "nv41" => 0x00c1,
        "nv42" => 0x00c2,
        "nv43" => 0x0141,
        "nv44" => 0x0161,
        "nv45" => 0x00f9,
        "nv46" => 0x01d1,
        "nv47" => 0x0091,
        "nv49" => 0x0291,
        "nv4a" => 0x0221,
        "nv4b" => 0x0391,
        "nv4c" => 0x03d1,
        "nv4e" => 0x0241,
        _ => 0x0040,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a killed process left behind is in nobody's way.
    #[test]
    fn folders_are_new() {
        let parent = std::env::temp_dir().join(format!("isotherm-new-{}", std::process::id()));
        std::fs::create_dir(&parent).unwrap();
        let [a, b] = [(); 2].map(|()| own_folder(&parent).unwrap());
        assert!(a != b && a.is_dir() && b.is_dir());
        std::fs::remove_dir_all(&parent).unwrap();
        assert!(own_folder(&parent).is_err());
    }

    #[test]
    fn files_come_and_go() {
        let files = Files::create(Chip::Nv34).unwrap();
        let folder = files.path().to_owned();
        let vendor = std::fs::read_to_string(folder.join(DEVICE).join("vendor")).unwrap();
        assert_eq!(vendor, "0x10de\n");
        let bus = std::fs::read_link(folder.join(DEVICE).join("subsystem")).unwrap();
        assert_eq!(bus, Path::new("/sys/bus/pci"));
        drop(files);
        assert!(!folder.exists());
    }
}
