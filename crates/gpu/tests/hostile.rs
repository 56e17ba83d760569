//! Captures that lie: cut anywhere, lengths wrong, words random. Whatever they say, there is
//! an answer: a picture or an error with its place, never a panic.

use isotherm::capture::{Limits, Reader, Writer};
use isotherm::{Chip, gpu};
use isotherm_scenes as scenes;
use serde_json::json;

/// SplitMix64: a seed gives the same case everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Replays; the result does not matter, that there is one does.
fn survive(file: &[u8]) {
    let limits = Limits {
        record: 16 << 20,
        total: 64 << 20,
        ..Limits::default()
    };
    let Ok(mut reader) = Reader::with_limits(file, limits) else {
        return;
    };
    let Ok(mut gpu) = gpu::start(&mut reader) else {
        return;
    };
    gpu.set_threads(1);
    while let Ok(Some(record)) = reader.next_record() {
        match gpu.record(record) {
            Ok(Some(surface)) => drop(surface.read(&gpu.memory)),
            Ok(None) => {}
            Err(_) => return,
        }
    }
}

/// A scene's capture, decompressed.
fn plain(name: &str) -> Vec<u8> {
    let scenes = scenes::all().unwrap();
    let scene = scenes.iter().find(|scene| scene.name == name).unwrap();
    zstd::decode_all(scene.capture.as_slice()).unwrap()
}

#[test]
fn cut_anywhere() {
    let file = plain("prim-quads");
    let mut random = Random(1);
    for _ in 0..40 {
        survive(&file[..random.below(file.len())]);
    }
    let packed = zstd::encode_all(file.as_slice(), 1).unwrap();
    for _ in 0..20 {
        survive(&packed[..random.below(packed.len())]);
    }
}

#[test]
fn flipped_bytes() {
    let file = plain("tex-linear");
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut file = file.clone();
        for _ in 0..=random.below(24) {
            let at = 8 + random.below(file.len() - 8);
            file[at] = random.next() as u8;
        }
        survive(&file);
    }
}

/// Random methods with random data on every class, after a scene's own set-up.
#[test]
fn random_methods() {
    let classes = [
        0x97, 0x9F, 0x62, 0x42, 0x5C, 0x5E, 0x4A, 0x19, 0x12, 0x72, 0x43, 0x44, 0x39, 0x89, 0x9E,
        0x61, 0x30, 0x52, 0x56, 0x96,
    ];
    for seed in 0..24 {
        let mut random = Random(seed);
        let chips = [
            Chip::Nv2a,
            Chip::Nv10,
            Chip::Nv17,
            Chip::Nv20,
            Chip::Nv25,
            Chip::Nv34,
            Chip::Nv40,
        ];
        let chip = chips[random.below(chips.len())];
        let info = json!({ "gpu": chip.name() });
        let mut writer = Writer::new(Vec::new(), &info).unwrap();
        writer
            .object(
                &json!({ "handle": 1, "kind": "dma", "class": 0x3D, "base": 0,
            "limit": 0x00FF_FFFF, "instance": 1, "raw": [0xB03D, 0x00FF_FFFF, 3, 3] }),
            )
            .unwrap();
        for (index, class) in classes.iter().enumerate() {
            writer
                .object(&json!({ "type": "object", "handle": index + 2, "class": class }))
                .unwrap();
        }
        let mut words = Vec::new();
        for _ in 0..2000 {
            let subchannel = random.below(8) as u32;
            let method = match random.below(8) {
                0 => 0,
                1 => 0x180 + random.below(16) as u32 * 4,
                _ => random.below(0x800) as u32 * 4,
            };
            words.push(1 << 18 | subchannel << 13 | method);
            words.push(match random.below(6) {
                0 => random.below(24) as u32,
                1 => random.next() as u32,
                2 => (random.next() as u32 & 0xFF) << 16 | (random.next() as u32 & 0xFF),
                3 => (random.next() as f32 / 1e17).to_bits(),
                4 => 1,
                _ => random.next() as u32 & 0xFFFF,
            });
        }
        writer.push(&words).unwrap();
        survive(&writer.finish().unwrap());
    }
}

#[test]
fn random_words() {
    for seed in 100..120 {
        let mut random = Random(seed);
        let mut gpu = gpu::Gpu::new(Chip::Nv2a);
        let words: Vec<u32> = (0..5000).map(|_| random.next() as u32).collect();
        gpu.push(&words).unwrap();
        gpu.finish();
    }
}

#[test]
fn errors_say_where() {
    let mut file = plain("prim-quads");
    file.truncate(file.len() - 3);
    let mut reader = Reader::new(file.as_slice()).unwrap();
    let error = loop {
        match reader.next_record() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the cut was not seen"),
            Err(error) => break error,
        }
    };
    assert_eq!(error.offset, file.len() as u64);
    assert!(error.to_string().contains("more bytes"), "{error}");
}
