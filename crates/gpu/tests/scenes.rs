//! Our own scenes against their checksums, at several thread counts.
//!
//! `ISOTHERM_BLESS=1 cargo test --test scenes` writes the checksums anew; look at the
//! pictures (`isotherm demo`) before you keep them.

use isotherm::capture::Reader;
use isotherm::{gpu, scenes};
use std::collections::BTreeMap;

/// CRC-32 (IEEE), bit by bit: slow and simple.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

fn draw(capture: &[u8], threads: usize) -> Vec<u8> {
    let mut picture = Vec::new();
    gpu::replay(
        Reader::new(capture).unwrap(),
        |gpu| gpu.set_threads(threads),
        |gpu, surface| picture = surface.read(&gpu.memory).rgba,
    )
    .map(|gpu| assert!(!gpu.oddities().any(), "{:?}", gpu.oddities()))
    .unwrap();
    picture
}

#[test]
fn scenes_are_as_they_were() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenes.crc");
    let old = std::fs::read_to_string(path).unwrap_or_default();
    let old: BTreeMap<&str, &str> = old
        .lines()
        .filter_map(|line| line.split_once(' '))
        .collect();
    let mut new = String::new();
    let mut changed = Vec::new();
    for scene in scenes::all().unwrap() {
        let picture = draw(&scene.capture, 1);
        assert!(
            picture.chunks(4).any(|p| p != &picture[..4]),
            "{} is empty",
            scene.name
        );
        let sum = format!("{:08x}", crc(&picture));
        if old.get(scene.name.as_str()) != Some(&sum.as_str()) {
            changed.push(scene.name.clone());
        }
        new += &format!("{} {sum}\n", scene.name);
    }
    if std::env::var_os("ISOTHERM_BLESS").is_some() {
        std::fs::write(path, new).unwrap();
        return;
    }
    if old.is_empty() {
        eprintln!("skipped: no checksums kept yet; write them with ISOTHERM_BLESS=1");
        return;
    }
    assert!(
        changed.is_empty(),
        "other pictures than before: {changed:?}"
    );
}

#[test]
fn thread_count_does_not_show() {
    for scene in scenes::all().unwrap() {
        let one = draw(&scene.capture, 1);
        for threads in [2, 7] {
            assert!(
                draw(&scene.capture, threads) == one,
                "{} at {threads} threads",
                scene.name
            );
        }
    }
}
