//! Fuzz target: saved states whose words are not what any chip saved.

use isotherm::budget::Limits;
use isotherm::capture::{Payload, Record};
use isotherm::context::Context;
use isotherm::{Chip, Family, Gpu};
use isotherm_regs::xf::asm::generate::Rng;
use std::sync::OnceLock;

/// Chips with a class of theirs.
const CHIPS: [(Chip, u32); 6] = [
    (Chip::Nv10, 0x56),
    (Chip::Nv2a, 0x97),
    (Chip::Nv25, 0x597),
    (Chip::Nv34, 0x697),
    (Chip::Nv40, 0x4097),
    (Chip::Mali400, 0),
];

fn chip(number: usize) -> Gpu {
    let (chip, class) = CHIPS[number];
    let builder = Gpu::builder(chip).memory_size(1 << 20).threads(1);
    let mut gpu = builder.build().expect("a megabyte");
    gpu.set_budget(Limits {
        held: 64 << 20,
        steps: 20_000_000,
        copied: 1 << 20,
        texels: 1 << 20,
    });
    if class != 0 {
        gpu.objects_mut().graphics(1, class).dma(9, 0, 0xF_FFFF);
    }
    gpu
}

/// Words that bind the object and a surface, and begin a strip; the vertices come later.
fn begin(chip: Chip) -> Vec<u32> {
    let methods: &[(u32, u32)] = &[
        (0, 1),
        (0x194, 9),
        (0x198, 9),
        (0x200, 64 << 16),
        (0x204, 64 << 16),
        (0x208, 0x128),
        (0x20C, 256 << 16 | 256),
        (0x210, 0x1000),
        (0x214, 0x8000),
    ];
    let open = match chip.family() {
        Family::Celsius => 0xDFC,
        Family::Kelvin => 0x17FC,
        _ => 0x1808,
    };
    let methods = methods.iter().copied().chain([(open, 6)]);
    methods.flat_map(|(m, data)| [1 << 18 | m, data]).collect()
}

/// A state of every chip, inside a primitive where there are such.
fn states() -> &'static [Context] {
    static STATES: OnceLock<Vec<Context>> = OnceLock::new();
    STATES.get_or_init(|| {
        let state = |number: usize| {
            let mut gpu = chip(number);
            if gpu.mali().is_none() {
                let _ = gpu.push(&begin(CHIPS[number].0));
                let _ = gpu.push(&vertices(3));
            }
            gpu.context()
        };
        (0..CHIPS.len()).map(state).collect()
    })
}

/// Vertices by number, inline, and by their components, on all chips' methods.
fn vertices(count: u32) -> Vec<u32> {
    let mut words = Vec::new();
    for i in 0..count {
        let at = (8 * i) as f32;
        let position = [at, at * at, 0.5, 1.0].map(f32::to_bits);
        for method in [0x1500, 0x1518, 0x1C00, 0xC00] {
            words.push(4 << 18 | method);
            words.extend(position);
        }
        words.extend([1 << 18 | 0x1800, i, 1 << 18 | 0x1810, i << 8]);
    }
    words
}

fn change(rng: &mut Rng, words: &mut Vec<u32>) {
    if words.is_empty() {
        return;
    }
    for _ in 0..=rng.below(6) {
        // What is short is refused at once, so that is seldom.
        let at = rng.below(words.len().max(1) as u64) as usize;
        match rng.below(40) {
            0 => words.truncate(at),
            1 => words.push(rng.bits() as u32),
            _ => {
                let new = match rng.below(5) {
                    0 => rng.bits() as u32,
                    1 => 1 << rng.below(32),
                    2 => u32::MAX,
                    3 => rng.below(16) as u32,
                    _ => words.get(at).map_or(0, |word| word ^ 1 << rng.below(32)),
                };
                if let Some(word) = words.get_mut(at) {
                    *word = new;
                }
            }
        }
    }
}

/// A state with other words is refused, or a chip goes on from it.
pub fn round(rng: &mut Rng) {
    let number = rng.below(CHIPS.len() as u64) as usize;
    let mut state = states()[number].clone();
    match rng.below(8) {
        0 => change(rng, &mut state.fe),
        1 => change(rng, &mut state.twod),
        2 => state.pusher = std::array::from_fn(|_| rng.bits() as u32),
        3 => state
            .units
            .vab
            .iter_mut()
            .for_each(|row| row[0] = rng.bits() as u32),
        _ => change(rng, &mut state.inner),
    }
    let mut gpu = chip(number);
    let payload = Payload::Context(Box::new(state));
    let loaded = gpu.record(Record { offset: 8, payload });
    if loaded.is_err() {
        return;
    }
    if gpu.mali().is_some() {
        let _ = gpu.vertex_job(&[0; 6]);
        let _ = gpu.fragment_job(&[0; 68]);
    } else {
        let _ = gpu.push(&vertices(4));
        let _ = gpu.push(&[1 << 18 | 0x17FC, 0]);
    }
    gpu.finish();
    let saved = gpu.context();
    let mut again = chip(number);
    let payload = Payload::Context(Box::new(saved.clone()));
    let loaded = again.record(Record { offset: 8, payload });
    assert!(loaded.is_ok(), "{loaded:?}");
    assert_eq!(again.context().inner, saved.inner);
}
