//! Contexts over the shared captures: saved, restored as the CPU would, and gone on with.
//! `cargo xtask front-end` does the same with whole chips.

use super::{Fe, Object, Objects};
use isotherm_bus::bundle::{DmaSpan, Event};
use isotherm_regs::Chip;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The objects of a capture, by handle.
#[derive(Default)]
pub(crate) struct Ramht(HashMap<u32, Object>);

impl Objects for Ramht {
    fn find(&self, handle: u32) -> Option<Object> {
        self.0.get(&handle).copied()
    }
}

/// One thing that a capture does to the front end.
pub(crate) enum Step {
    Object(u32, Object),
    Register(u32, u32),
    Method(usize, u32, u32),
}

fn shared() -> PathBuf {
    std::env::var_os("ISOTHERM_SHARED").map_or_else(|| "../shared".into(), Into::into)
}

/// Reads a capture into steps.
pub(crate) fn read(path: &Path) -> (Chip, Vec<Step>) {
    let data = zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap();
    let mut steps = Vec::new();
    let mut chip = Chip::Nv2a;
    let mut at = 8;
    while at < data.len() {
        let len = word(&data, at + 4) as usize;
        let (tag, body) = (&data[at..at + 4], &data[at + 8..at + 8 + len]);
        match tag {
            b"INFO" => {
                let json: Value = serde_json::from_slice(body).unwrap();
                chip = Chip::parse(json["gpu"].as_str().unwrap()).unwrap();
            }
            b"OBJ " => objects(&serde_json::from_slice(body).unwrap(), &mut steps),
            b"REG " => steps.push(Step::Register(word(body, 0) & 0xff_ffff, word(body, 4))),
            b"PUSH" => methods(body, &mut steps),
            _ => {}
        }
        at += 8 + len;
    }
    (chip, steps)
}

fn word(data: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(data[at..at + 4].try_into().unwrap())
}

/// The objects that an OBJ record makes.
fn objects(json: &Value, steps: &mut Vec<Step>) {
    let number = |key: &str| json[key].as_u64().unwrap_or(0) as u32;
    let (handle, class) = (number("handle"), number("class"));
    if json["type"] == "channel" {
        // The two spaces that a nouveau channel starts with.
        for (key, target) in [("vram_ctxdma", 0), ("gart_ctxdma", 2)] {
            let handle = number(key);
            let object = Object::dma(handle & 0xffff, 0x3d, target, 0, 0x07ff_ffff);
            steps.push(Step::Object(handle, object));
        }
        return;
    }
    if json["type"] == "notifier" {
        let object = Object::dma(handle & 0xffff, 0x3d, 2, 0, number("size").wrapping_sub(1));
        return steps.push(Step::Object(handle, object));
    }
    let mut object = match json["raw"].as_array() {
        Some(raw) => Object {
            instance: number("instance"),
            words: std::array::from_fn(|i| raw[i].as_u64().unwrap_or(0) as u32),
            span: DmaSpan::default(),
        },
        None if matches!(class, 2 | 3 | 0x3d) => {
            Object::dma(handle & 0xffff, class, 0, number("base"), number("limit"))
        }
        None => Object {
            instance: handle & 0xffff,
            words: [class, 0, 0, 0],
            span: DmaSpan::default(),
        },
    };
    object.span = DmaSpan {
        base: number("base"),
        limit: number("limit"),
    };
    steps.push(Step::Object(handle, object));
}

/// The methods of a PUSH record.
fn methods(body: &[u8], steps: &mut Vec<Step>) {
    let mut p = 0;
    while p + 4 <= body.len() {
        let header = word(body, p);
        p += 4;
        let (subc, count) = ((header >> 13 & 7) as usize, (header >> 18 & 0x7ff) as usize);
        let step = if header & 0x4000_0000 != 0 { 0 } else { 4 };
        for i in 0..count {
            if p + 4 > body.len() {
                break;
            }
            let method = (header & 0x1ffc) + step * i as u32;
            steps.push(Step::Method(subc, method, word(body, p)));
            p += 4;
        }
    }
}

/// All captures below a folder.
pub(crate) fn captures(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![shared().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".cap.zst") {
                found.push(path);
            }
        }
    }
    found.sort();
    if found.is_empty() {
        eprintln!(
            "skipped: no captures at {} (set ISOTHERM_SHARED)",
            shared().join(folder).display()
        );
    }
    found
}

/// A small seeded generator.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// Saves at `cut` methods, restores into a fresh front end, runs both to the end: same events,
/// same state.
fn split_run(path: &Path, cut: usize) {
    let (chip, steps) = read(path);
    let mut objects = Ramht::default();
    let mut first = Fe::new(chip);
    let mut second: Option<Fe> = None;
    let mut done = 0;
    for step in &steps {
        match *step {
            Step::Object(handle, object) => {
                objects.0.insert(handle, object);
            }
            Step::Register(addr, value) => {
                first.write(addr, value);
                if let Some(second) = &mut second {
                    second.write(addr, value);
                }
            }
            Step::Method(subc, method, data) => {
                if method != 0 && !first.executes(first.class(subc)) {
                    continue;
                }
                if done == cut {
                    let words = first.save();
                    let context = super::Context::from_words(&words).unwrap();
                    let mut fresh = Fe::new(chip);
                    fresh.load_context(&context, &mut |_| {}).unwrap();
                    assert!(fresh.same(&first), "{} at {cut}", path.display());
                    second = Some(fresh);
                }
                done += 1;
                let (mut a, mut b) = (Vec::new(), Vec::new());
                let trap = first.method(subc, method, data, &objects, &mut |e: &Event| a.push(*e));
                if let Some(second) = &mut second {
                    let other =
                        second.method(subc, method, data, &objects, &mut |e: &Event| b.push(*e));
                    assert_eq!((a, trap), (b, other), "{} method {done}", path.display());
                }
            }
        }
    }
    if let Some(second) = second {
        assert!(first.same(&second), "{}: final state", path.display());
    }
}

/// `n` captures, spread over all families.
fn spread(n: usize, rng: &mut Rng) -> Vec<PathBuf> {
    let mut paths = captures("nv2a/captures");
    let streams: Vec<_> = captures("streams")
        .into_iter()
        .filter(|p| !p.to_string_lossy().contains("mali"))
        .collect();
    let mut chosen = Vec::new();
    for i in 0..n {
        let from = if i % 2 == 0 {
            &mut paths
        } else {
            &mut streams.clone()
        };
        if !from.is_empty() {
            chosen.push(from[rng.below(from.len())].clone());
        }
    }
    chosen
}

#[test]
fn a_restored_front_end_goes_on_as_before() {
    let mut rng = Rng(1);
    for path in spread(10, &mut rng) {
        let cut = rng.below(20_000);
        split_run(&path, cut);
    }
}
