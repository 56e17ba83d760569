//! Pusher and front end of every family: words as they come, nothing drawn.

#![no_main]

use isotherm::{Chip, Gpu};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

const CHIPS: [(Chip, u32); 5] = [
    (Chip::Nv10, 0x56),
    (Chip::Nv2a, 0x97),
    (Chip::Nv25, 0x597),
    (Chip::Nv34, 0x697),
    (Chip::Nv40, 0x4097),
];

thread_local! {
    /// Making memory takes longer than running some words.
    static GPUS: RefCell<Vec<Gpu>> = RefCell::new(CHIPS.map(|(chip, _)| make(chip)).into());
}

fn make(chip: Chip) -> Gpu {
    let builder = Gpu::builder(chip).memory_size(1 << 20).threads(1);
    let mut gpu = builder.build().expect("a megabyte");
    gpu.set_drawing(false);
    for (handle, (_, class)) in (1..).zip(CHIPS) {
        gpu.objects_mut().graphics(handle, class);
    }
    gpu.objects_mut().dma(9, 0, 0xF_FFFF);
    gpu
}

fuzz_target!(|data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let words = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|b| u32::from_le_bytes(*b));
    let words: Vec<u32> = words.collect();
    GPUS.with_borrow_mut(|gpus| {
        let chip = usize::from(first) % gpus.len();
        let gpu = &mut gpus[chip];
        gpu.renew_budget();
        let _ = gpu.push(&[1 << 18, chip as u32 + 1]);
        let _ = gpu.push(&words);
        gpu.finish();
    });
});
