//! The boards that can be plugged in, as their kernel drivers describe them.

use isotherm::{Chip, Family};

/// A board.
pub(crate) struct Board {
    pub chip: Chip,
    /// What the register at address 0 says: the chipset's number.
    pub chipset: u32,
    /// Bytes of its own memory.
    pub vram: u64,
    /// Bytes that it reaches on the bus.
    pub gart: u64,
    /// Pixel processors of a Mali.
    pub pixel_processors: u32,
}

/// Finds a board by the name of its chip (`nv34`, `mali400`) with a Mali's number of pixel
/// processors behind it (`mali400mp4`).
pub(crate) fn board(name: &str) -> Option<Board> {
    let (name, cores) = match name.split_once("mp") {
        Some((name, cores)) => (name, cores.parse().ok().filter(|n| (1..=4).contains(n))?),
        None => (name, 1),
    };
    let chip = Chip::parse(name).filter(|chip| *chip != Chip::Nv2a)?;
    let chipset = match chip.name().strip_prefix("nv") {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => 0,
    };
    let megabytes = match chip.family() {
        Family::Celsius => 32,
        Family::Kelvin => 64,
        Family::Rankine => 128,
        _ => 256,
    };
    Some(Board {
        chip,
        chipset,
        vram: megabytes << 20,
        gart: 128 << 20,
        pixel_processors: cores,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_names() {
        assert_eq!(board("nv34").map(|b| b.chipset), Some(0x34));
        assert_eq!(board("mali400mp3").map(|b| b.pixel_processors), Some(3));
        assert_eq!(board("rsx").map(|b| b.chipset), Some(0x47));
        assert!(board("mali400mp9").is_none() && board("voodoo").is_none());
        // The console has memory of another kind, and no driver.
        assert!(board("nv2a").is_none());
    }
}
