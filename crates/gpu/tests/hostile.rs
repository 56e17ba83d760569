//! Captures that lie: cut anywhere, lengths wrong, words random. Whatever they say, there is
//! an answer: a picture or an error with its place, never a panic.

use isotherm::bundle::DmaSpan;
use isotherm::capture::{Limits, Reader, Writer};
use isotherm::trap::Trap;
use isotherm::{Answer, Chip, Fifo, Flip, Gpu, Host, Stop, Wait, gpu};
use isotherm_lanes::Random;
use isotherm_scenes as scenes;
use serde_json::json;

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
    let mut random = Random::new(1);
    for _ in 0..40 {
        survive(&file[..random.below(file.len() as u32) as usize]);
    }
    let packed = zstd::encode_all(file.as_slice(), 1).unwrap();
    for _ in 0..20 {
        survive(&packed[..random.below(packed.len() as u32) as usize]);
    }
}

#[test]
fn flipped_bytes() {
    let file = plain("tex-linear");
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut file = file.clone();
        for _ in 0..=random.below(24) {
            let at = 8 + random.below(file.len() as u32 - 8) as usize;
            file[at] = random.next_u32() as u8;
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
        let mut random = Random::new(seed);
        let chips = [
            Chip::Nv2a,
            Chip::Nv10,
            Chip::Nv17,
            Chip::Nv20,
            Chip::Nv25,
            Chip::Nv34,
            Chip::Nv40,
        ];
        let chip = random.pick(&chips);
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
            let subchannel = random.below(8);
            let method = match random.below(8) {
                0 => 0,
                1 => 0x180 + random.below(16) * 4,
                _ => random.below(0x800) * 4,
            };
            words.push(1 << 18 | subchannel << 13 | method);
            words.push(match random.below(6) {
                0 => random.below(24),
                1 => random.next_u32(),
                2 => (random.next_u32() & 0xFF) << 16 | (random.next_u32() & 0xFF),
                3 => (random.next_u64() as f32 / 1e17).to_bits(),
                4 => 1,
                _ => random.next_u32() & 0xFFFF,
            });
        }
        writer.push(&words).unwrap();
        survive(&writer.finish().unwrap());
    }
}

#[test]
fn random_words() {
    for seed in 100..120 {
        let mut random = Random::new(seed);
        let mut gpu = gpu::Gpu::new(Chip::Nv2a);
        let words: Vec<u32> = (0..5000).map(|_| random.next_u32()).collect();
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

/// A host that waits at everything, and pushbuffers of random words in memory: it always ends.
#[test]
fn random_pushbuffers_with_a_host() {
    struct Waits;
    impl Host for Waits {
        fn interrupt(&mut self, _: &Trap) -> Answer {
            Answer::Wait
        }
        fn flip(&mut self, _: &Flip) -> Answer {
            Answer::Wait
        }
        fn wants_writes(&self) -> bool {
            true
        }
    }
    for seed in 200..212 {
        let mut random = Random::new(seed);
        let chip = random.pick(&[Chip::Nv2a, Chip::Nv17, Chip::Nv34, Chip::Nv40]);
        let mut gpu = Gpu::builder(chip)
            .memory_size(1 << 20)
            .threads(1)
            .host(Waits)
            .build()
            .unwrap();
        for (handle, class) in [(1, 0x97), (2, 0x56), (3, 0x697), (4, 0x4097), (5, 0x9F)] {
            gpu.objects_mut().graphics(handle, class);
        }
        gpu.objects_mut().dma(6, 0, 0xF_FFFF);
        gpu.inspect_draws(random.one_in(2));
        let word = |random: &mut Random| match random.below(8) {
            0 => random.next_u32(),
            1 => random.below(0x4000) & !3 | 1,
            2 => 1 << 18 | random.below(8) << 13 | (4 * random.below(0x80)),
            3 => 1 + random.below(6),
            _ => 1 << 18 | (4 * random.below(0x800)),
        };
        let bytes: Vec<u8> = (0..0x1000)
            .flat_map(|_| word(&mut random).to_le_bytes())
            .collect();
        gpu.write_memory(0, &bytes);
        let limit = 0x3FFF;
        let mut fifo = Fifo::new(DmaSpan { base: 0, limit });
        fifo.put = 0x3FF0;
        for _ in 0..2000 {
            match gpu.fetch(&mut fifo, 500).unwrap() {
                Stop::Empty => break,
                Stop::Wait(Wait::Semaphore { .. }) | Stop::Command(_) | Stop::Nesting => {
                    fifo.get = fifo.get.wrapping_add(4);
                }
                Stop::Outside => fifo.get = 4 * random.below(0x1000),
                Stop::Wait(_) | Stop::Budget => {}
            }
        }
        gpu.finish();
        let target = gpu.render_target();
        target.map(|target| gpu.read_surface(&target));
    }
}
