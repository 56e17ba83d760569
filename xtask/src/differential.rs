//! Mutated captures, replayed in several ways that must leave the same memory: one and seven
//! threads, observed, inspected, saved and restored in between.

use isotherm_fuzz::{mutate, oracle};
use isotherm_lanes::Random;
use isotherm_regs::xf::asm::generate::Rng;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Larger captures take too long to be worth it.
const LARGEST: usize = 400 << 10;

/// The project's own scenes, plain.
fn scenes() -> &'static [Vec<u8>] {
    static SCENES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    SCENES.get_or_init(|| {
        let scenes = isotherm_scenes::all().unwrap_or_default();
        let plain = |scene: &isotherm_scenes::Scene| zstd::decode_all(&*scene.capture).ok();
        scenes.iter().filter_map(plain).collect()
    })
}

/// Captures of the shared data.
fn shared() -> &'static [PathBuf] {
    static SHARED: OnceLock<Vec<PathBuf>> = OnceLock::new();
    SHARED.get_or_init(|| {
        let folders = ["nv2a", "streams"].map(|folder| crate::shared().join(folder));
        crate::threads::captures_in(folders.into())
    })
}

/// A real capture, or one of ours.
fn seed(random: &mut Random) -> Option<Vec<u8>> {
    let files = shared();
    if !files.is_empty() && !random.one_in(4) {
        let path = &files[random.below(files.len() as u32) as usize];
        let packed = std::fs::read(path).ok()?;
        if packed.len() < LARGEST {
            let plain = zstd::decode_all(&*packed).ok()?;
            if plain.len() <= LARGEST {
                return Some(plain);
            }
        }
    }
    let scenes = scenes();
    let at = random.below(scenes.len().max(1) as u32) as usize;
    scenes.get(at).cloned()
}

/// One capture, mutated a few times.
pub fn round(rng: &mut Rng) {
    let mut random = Random::new(rng.0.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let Some(mut file) = seed(&mut random) else {
        return;
    };
    let size = file.len();
    file.resize(size + (64 << 10), 0);
    let mut len = size;
    for _ in 0..=random.below(3) {
        len = mutate::capture(&mut file, len, size + (64 << 10), random.next_u32());
    }
    oracle::compare(&file[..len]);
}
