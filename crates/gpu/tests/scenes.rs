//! Pictures against their checksums, at several thread counts. A case is a folder of
//! `tests/scenes`:
//!
//! - `crc32`: checksum of the RGBA bytes of the last surface. A case without one fails.
//! - `known-failure`, if the picture is known to be wrong: the reason, in words. The test then
//!   fails when the picture becomes right, so that the file goes.
//! - `capture.cap.zst`: what to draw, unless the folder has the name of a scene of
//!   `isotherm-scenes`; `bench-NAME` is a scene for measuring speed, at 320x240.
//!
//! `ISOTHERM_BLESS=1 cargo test --test scenes` writes the checksums of all cases that are not
//! known failures anew; look at the pictures (`isotherm demo`) before you keep them.

use isotherm::capture::Reader;
use isotherm::{Gpu, gpu};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// CRC-32 (IEEE), bit by bit: slow and simple.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

fn draw(capture: &[u8], threads: usize) -> Vec<u8> {
    draw_with(capture, |gpu| gpu.set_threads(threads))
}

fn draw_with(capture: &[u8], set: impl FnOnce(&mut Gpu)) -> Vec<u8> {
    let mut picture = Vec::new();
    gpu::replay(Reader::new(capture).unwrap(), set, |gpu, surface| {
        picture = surface.read(&gpu.memory).rgba
    })
    .map(|gpu| assert!(!gpu.oddities().any(), "{:?}", gpu.oddities()))
    .unwrap();
    picture
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes")
}

/// All cases by name: what they draw, `None` when nobody knows.
fn cases() -> BTreeMap<String, Option<Vec<u8>>> {
    let scenes = isotherm_scenes::all().unwrap().into_iter();
    let mut cases: BTreeMap<_, _> = scenes
        .map(|scene| (scene.name, Some(scene.capture)))
        .collect();
    for (name, _) in isotherm_scenes::BENCH {
        let scene = isotherm_scenes::bench(name, 320, 240).unwrap().unwrap();
        cases.insert(format!("bench-{name}"), Some(scene.capture));
    }
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        cases
            .entry(name)
            .or_insert_with(|| std::fs::read(path.join("capture.cap.zst")).ok());
    }
    cases
}

/// What is kept about a case.
#[derive(Clone, Debug, Default)]
struct Expectation {
    checksum: Option<String>,
    known_failure: Option<String>,
}

impl Expectation {
    fn read(case: &Path) -> Expectation {
        let text = |name: &str| std::fs::read_to_string(case.join(name)).ok();
        Expectation {
            checksum: text("crc32").map(|text| text.trim().to_string()),
            known_failure: text("known-failure"),
        }
    }

    /// What is wrong with a picture of this checksum, if anything.
    fn judge(&self, got: &str) -> Result<(), String> {
        let Some(want) = &self.checksum else {
            return Err("no checksum kept; write it with ISOTHERM_BLESS=1".into());
        };
        match (&self.known_failure, want == got) {
            (None, true) => Ok(()),
            (None, false) => Err(format!("checksum {got}, was {want}")),
            (Some(reason), _) if reason.trim().is_empty() => {
                Err("known-failure gives no reason".into())
            }
            (Some(_), false) => Ok(()),
            (Some(_), true) => Err("passes now: delete known-failure".into()),
        }
    }
}

#[test]
fn expectations_can_fail() {
    let case = |checksum: Option<&str>, reason: Option<&str>| Expectation {
        checksum: checksum.map(String::from),
        known_failure: reason.map(String::from),
    };
    assert!(case(Some("1"), None).judge("1").is_ok());
    assert!(case(Some("1"), None).judge("2").is_err());
    assert!(case(None, None).judge("1").is_err());
    assert!(case(None, Some("why")).judge("1").is_err());
    assert!(case(Some("1"), Some("why")).judge("2").is_ok());
    assert!(case(Some("1"), Some("why")).judge("1").is_err());
    assert!(case(Some("1"), Some(" ")).judge("2").is_err());
}

#[test]
fn scenes_are_as_they_were() {
    let bless = std::env::var_os("ISOTHERM_BLESS").is_some();
    let mut wrong = Vec::new();
    for (name, capture) in cases() {
        let case = folder().join(&name);
        let Some(capture) = capture else {
            wrong.push(format!("{name}: neither a scene nor a capture"));
            continue;
        };
        let picture = draw(&capture, 1);
        assert!(
            picture.chunks(4).any(|p| p != &picture[..4]),
            "{name} is empty"
        );
        let sum = format!("{:08x}", crc(&picture));
        let mut kept = Expectation::read(&case);
        if bless && kept.known_failure.is_none() {
            std::fs::create_dir_all(&case).unwrap();
            std::fs::write(case.join("crc32"), format!("{sum}\n")).unwrap();
            kept = Expectation::read(&case);
        }
        if let Err(why) = kept.judge(&sum) {
            wrong.push(format!("{name}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn thread_count_does_not_show() {
    for (name, capture) in cases() {
        let Some(capture) = capture else { continue };
        let one = draw(&capture, 1);
        for threads in [2, 7] {
            assert!(
                draw(&capture, threads) == one,
                "{name} at {threads} threads"
            );
        }
        // Every draw on its way while the next one is made.
        let small = draw_with(&capture, |gpu| {
            gpu.set_threads(3);
            gpu.set_scene_size(1);
        });
        assert!(small == one, "{name} in small scenes");
    }
}
