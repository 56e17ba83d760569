//! A pixel's history agrees with the picture: what it says was written is what memory holds,
//! what it says was computed is what the pixel units computed, and watching changes nothing.

use isotherm::capture::{Reader, Surface};
use isotherm::gpu::{self, Gpu};
use isotherm::observe::{Outcome, Touch};
use isotherm_lanes::Random;
use isotherm_scenes as scenes;
use std::path::{Path, PathBuf};

/// Replays with a pixel watched; the surface, the pixel's history and its last word.
fn watch(capture: &[u8], surface: &Surface, x: u32, y: u32) -> (Vec<Touch>, u32, Vec<u8>) {
    let mut picture = Vec::new();
    let address = surface.address(x, y);
    let mut gpu = gpu::replay(
        Reader::new(capture).unwrap(),
        |gpu| {
            gpu.set_threads(1);
            gpu.watch(Some(address));
        },
        |gpu, surface| picture = surface.read(&gpu.memory).rgba,
    )
    .unwrap();
    let touches = gpu.touches();
    (touches, gpu.memory.read_u32(address), picture)
}

fn draw(capture: &[u8]) -> (Gpu, Surface, Vec<u8>) {
    let mut last = (Surface::default(), Vec::new());
    let gpu = gpu::replay(
        Reader::new(capture).unwrap(),
        |gpu| gpu.set_threads(1),
        |gpu, surface| last = (surface.clone(), surface.read(&gpu.memory).rgba),
    )
    .unwrap();
    (gpu, last.0, last.1)
}

/// Nothing happens between two touches.
fn continuous(touches: &[Touch], mask: u32, place: &str) {
    let words = |i: usize, k: usize| {
        let words = touches[i].words()[k];
        (words.color.map(|c| c & mask), words.zeta)
    };
    for i in 1..touches.len() {
        assert_eq!(words(i - 1, 1), words(i, 0), "{place}: touch {i}");
    }
}

/// What the history says must hang together. Says how many fragments were written.
fn check(touches: &[Touch], place: &str) -> u32 {
    let mut written = 0;
    for touch in touches {
        let [before, after] = touch.words();
        let Touch::Fragment(f) = touch else { continue };
        assert!(f.coverage >> f.lane & 1 != 0, "{place}: covered");
        if let Some(color) = f.color {
            let combiners = f.final_combiner.as_ref().map(|last| last.color);
            let program = f.program.as_ref().map(|run| run.color);
            let said = combiners.or(program);
            assert_eq!(said, Some(color), "{place}: the colour that the units said");
        }
        if let Some(write) = &f.write {
            assert_eq!(Some(write.word), after.color, "{place}: the word said");
            written += 1;
        } else {
            assert_eq!(before.color, after.color, "{place}: {:?}", f.outcome);
        }
        if let Some(stencil) = f.stencil_test
            && matches!(f.outcome, Outcome::Written | Outcome::StencilFailed)
        {
            assert_eq!(Some(stencil.after), after.zeta.map(|z| z & 255), "{place}");
        }
        let depth = f.depth_test.is_none_or(|test| test.pass);
        let stencil = f.stencil_test.is_none_or(|s| s.test.pass);
        if matches!(f.outcome, Outcome::Written | Outcome::AlphaFailed) {
            assert!(depth && stencil, "{place}: tests say fail");
        }
        for stage in &f.stages {
            let Some(sampled) = &stage.sampled else {
                continue;
            };
            assert!(!sampled.levels.is_empty(), "{place}: texels were fetched");
            for level in &sampled.levels {
                let weight: f32 = level.texels.iter().map(|t| t.weight).sum();
                assert_eq!(weight, 1.0, "{place}: {level:?}");
            }
            if let [level] = &sampled.levels[..]
                && let [texel] = &level.texels[..]
                && texel.compared.is_none()
            {
                assert_eq!(
                    texel.value, sampled.texel,
                    "{place}: one texel is the result"
                );
            }
        }
    }
    written
}

#[test]
fn the_history_ends_with_what_memory_holds() {
    let mut random = Random::new(0x2545_F491_4F6C_DD1D);
    let (mut written, mut textured, mut blended) = (0, 0, 0);
    let (mut stencilled, mut tested) = (0, 0);
    for scene in scenes::all().unwrap() {
        let (_, surface, picture) = draw(&scene.capture);
        for _ in 0..6 {
            let (x, y) = (random.below(surface.width), random.below(surface.height));
            let place = format!("{} at {x}, {y}", scene.name);
            let (touches, word, watched) = watch(&scene.capture, &surface, x, y);
            assert!(watched == picture, "{place}: watching changed the picture");
            let Some(last) = touches.last() else {
                panic!("{place}: not even cleared");
            };
            // A scene may draw half-words on what the picture shows as words.
            let half = touches.iter().any(|touch| match touch {
                Touch::Fragment(f) => f.write.as_ref().is_some_and(|w| w.format.contains('5')),
                Touch::Clear(_) | Touch::Mali(_) => false,
            });
            let mask = if half { 0xFFFF } else { !0 };
            assert_eq!(last.words()[1].color, Some(word & mask), "{place}");
            continuous(&touches, mask, &place);
            written += check(&touches, &place);
            for touch in &touches {
                if let Touch::Fragment(f) = touch {
                    textured += u32::from(f.stages.iter().any(|s| s.sampled.is_some()));
                    blended += u32::from(f.write.as_ref().is_some_and(|w| w.blend.is_some()));
                    stencilled += u32::from(f.stencil_test.is_some());
                    tested += u32::from(f.depth_test.is_some());
                }
            }
        }
    }
    // The scenes show all of it.
    for (count, what) in [
        (written, "written"),
        (textured, "textured"),
        (blended, "blended"),
        (stencilled, "stencil tested"),
        (tested, "depth tested"),
    ] {
        assert!(count > 10, "only {count} fragments {what}");
    }
}

/// The files of a folder, sorted; none if there is no folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// The same on captures of the shared data: textures of all kinds, texture shaders, fog,
/// combiners, multisampling.
#[test]
fn histories_of_captured_frames_hang_together() {
    let shared = std::env::var("ISOTHERM_SHARED").unwrap_or_else(|_| "../../../shared".into());
    let shared = Path::new(&shared);
    // The first capture of each suite, and some streams of each chip.
    let mut captures: Vec<PathBuf> = files(&shared.join("nv2a/captures"))
        .iter()
        .filter_map(|suite| files(suite).into_iter().next())
        .collect();
    for chip in ["nv10", "nv17", "nv20", "nv25", "nv34", "nv40"] {
        let streams = files(&shared.join("streams").join(chip));
        captures.extend(streams.into_iter().step_by(15));
    }
    if captures.is_empty() {
        eprintln!("skipped: no captures below {}", shared.display());
        return;
    }
    let mut random = Random::new(0x9E37_79B9_7F4A_7C15);
    let mut written = 0;
    for path in &captures {
        let bytes = std::fs::read(path).unwrap();
        let (_, surface, picture) = draw(&bytes);
        if surface.width == 0 {
            continue;
        }
        for _ in 0..2 {
            let (x, y) = (random.below(surface.width), random.below(surface.height));
            let place = format!("{} at {x}, {y}", path.display());
            let (touches, _, watched) = watch(&bytes, &surface, x, y);
            assert!(watched == picture, "{place}: watching changed the picture");
            written += check(&touches, &place);
        }
    }
    assert!(written > 20, "only {written} fragments");
}
