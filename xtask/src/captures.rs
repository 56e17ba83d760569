//! Fuzz targets: the capture container, the pusher, the whole chip.

use isotherm::Chip;
use isotherm::capture::{Limits, Reader, Writer};
use isotherm::fifo::{Pusher, Walk};
use isotherm::gpu;
use isotherm_regs::xf::asm::generate::Rng;
use serde_json::json;

/// Bytes that begin as a capture and go on as they like.
pub fn container(rng: &mut Rng) {
    let mut file = isotherm::capture::MAGIC.to_vec();
    for _ in 0..rng.below(20) {
        let tags = [
            b"INFO", b"OBJ ", b"MEM ", b"COPY", b"PUSH", b"REG ", b"GP  ", b"PP  ", b"SURF",
        ];
        file.extend_from_slice(tags[rng.below(tags.len() as u64) as usize]);
        let len = rng.below(64) as u32;
        let told = if rng.below(8) == 0 {
            rng.bits() as u32
        } else {
            len
        };
        file.extend_from_slice(&told.to_le_bytes());
        file.extend((0..len).map(|_| rng.bits() as u8));
    }
    let limits = Limits {
        record: 1 << 20,
        total: 1 << 24,
        ..Limits::default()
    };
    let Ok(mut reader) = Reader::with_limits(file.as_slice(), limits) else {
        return;
    };
    while let Ok(Some(_)) = reader.next_record() {}
}

/// Words with every kind of header, as a stream and as memory with jumps.
pub fn pusher(rng: &mut Rng) {
    let words: Vec<u32> = (0..rng.below(200))
        .map(|_| match rng.below(6) {
            0 => (rng.below(64) as u32) << 2 | 1,
            1 => (rng.below(64) as u32) << 2 | 2,
            2 => 0x2000_0000 | (rng.below(64) as u32) << 2,
            3 => 0x0002_0000,
            4 => (rng.below(5) as u32) << 18 | rng.bits() as u32 & 0x4000_FFFC,
            _ => rng.bits() as u32,
        })
        .collect();
    let mut seen = 0;
    Pusher::default().run(&words, |_| seen += 1);
    assert!(seen <= words.len(), "more methods than words");
    let walk = Walk {
        words: &words,
        base: 0,
        get: 0,
        put: 0x1000,
        budget: 10_000,
    };
    if let Ok(fetched) = walk.fetch() {
        assert!(fetched.len() <= 10_000, "more words than the budget");
    }
}

/// Random methods with random data, on all classes of a chip.
pub fn methods(rng: &mut Rng) {
    let chips = [
        Chip::Nv10,
        Chip::Nv17,
        Chip::Nv20,
        Chip::Nv2a,
        Chip::Nv25,
        Chip::Nv34,
        Chip::Nv40,
    ];
    let chip = chips[rng.below(chips.len() as u64) as usize];
    let classes = [
        0x56, 0x96, 0x99, 0x97, 0x597, 0x697, 0x4097, 0x9F, 0x62, 0x5C, 0x4A, 0x39, 0x89, 0x9E,
        0x44,
    ];
    let mut writer = Writer::new(Vec::new(), &json!({ "gpu": chip.name() })).expect("to memory");
    let dma = json!({ "handle": 1, "kind": "dma", "class": 0x3D, "base": 0, "limit": 0xFF_FFFF,
        "instance": 1, "raw": [0xB03D, 0xFF_FFFF, 3, 3] });
    writer.object(&dma).expect("to memory");
    for (index, class) in classes.iter().enumerate() {
        let object = json!({ "type": "object", "handle": index + 2, "class": class });
        writer.object(&object).expect("to memory");
    }
    let mut words = Vec::new();
    for _ in 0..rng.below(400) {
        let method = match rng.below(8) {
            0 => 0,
            1 => 0x180 + rng.below(16) as u32 * 4,
            _ => rng.below(0x800) as u32 * 4,
        };
        words.push(1 << 18 | (rng.below(8) as u32) << 13 | method);
        words.push(match rng.below(4) {
            0 => rng.below(20) as u32,
            1 => rng.below(0x1_0000) as u32,
            _ => rng.bits() as u32,
        });
    }
    writer.push(&words).expect("to memory");
    let file = writer.finish().expect("to memory");
    let reader = Reader::new(file.as_slice()).expect("as written");
    let _ = gpu::replay(reader, |gpu| gpu.set_threads(1), |_, _| {});
}
