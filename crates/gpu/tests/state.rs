//! Save in the middle, restore into a fresh chip, go on: the same events, the same picture.

use isotherm::bundle::Event;
use isotherm::capture::{Owned, Reader, Writer, read_all};
use isotherm::gpu::{self, Gpu};
use isotherm::observe::Observer;
use isotherm_scenes as scenes;
use serde_json::json;
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Event>>>);

impl Observer for Log {
    fn event(&mut self, event: &Event) {
        self.0.lock().unwrap().push(*event);
    }
}

fn run(gpu: &mut Gpu, records: &[Owned]) -> Vec<u8> {
    let mut picture = Vec::new();
    for record in records {
        if let Some(surface) = gpu.record(record.record()).unwrap() {
            picture = surface.read(&gpu.memory).rgba;
        }
    }
    picture
}

/// Runs a capture up to any word of its longest `PUSH`, saves there, and compares what a fresh
/// chip does with the rest to what the first one does with it.
fn save_and_go_on(capture: &[u8], name: &str, part: f64) {
    let mut reader = Reader::new(capture).unwrap();
    let mut first = gpu::start(&mut reader).unwrap();
    first.set_threads(1);
    let records = read_all(&mut reader).unwrap();
    let words = |record: &Owned| record.push_words().map_or(0, <[u32]>::len);
    let cut = (0..records.len())
        .max_by_key(|&index| words(&records[index]))
        .unwrap();
    run(&mut first, &records[..cut]);
    let push = records[cut].push_words().unwrap();
    let least = (push.len() as f64 * part) as usize;
    let mut count = 0;
    let done = first
        .push_until(push, |_| {
            count += 1;
            count >= least
        })
        .unwrap();
    let mut writer = Writer::new(Vec::new(), &json!({ "gpu": first.chip().name() })).unwrap();
    first.write_state(&mut writer).unwrap();
    writer.push(&push[done..]).unwrap();
    records[cut + 1..]
        .iter()
        .for_each(|record| record.write(&mut writer).unwrap());
    let file = writer.finish().unwrap();

    let mut reader = Reader::new(file.as_slice()).unwrap();
    let mut second = gpu::start(&mut reader).unwrap();
    second.set_threads(1);
    let state = read_all(&mut reader).unwrap();
    let rest = state
        .iter()
        .position(|record| record.push_words().is_some())
        .unwrap();
    run(&mut second, &state[..rest]);
    assert_eq!(first.context(), second.context(), "{name}: the context");

    let logs = [Log::default(), Log::default()];
    first.set_observer(Some(Box::new(logs[0].clone())));
    second.set_observer(Some(Box::new(logs[1].clone())));
    first.push(&push[done..]).unwrap();
    let one = run(&mut first, &records[cut + 1..]);
    let two = run(&mut second, &state[rest..]);
    assert_eq!(
        *logs[0].0.lock().unwrap(),
        *logs[1].0.lock().unwrap(),
        "{name}: the events"
    );
    assert!(one == two, "{name}: the picture");
    assert_eq!(
        first.context(),
        second.context(),
        "{name}: the final context"
    );
}

/// The records of a capture, and which of them is the longest `PUSH`.
fn records(capture: &[u8]) -> (Vec<Owned>, usize) {
    let mut reader = Reader::new(capture).unwrap();
    gpu::start(&mut reader).unwrap();
    let records = read_all(&mut reader).unwrap();
    let words = |record: &Owned| record.push_words().map_or(0, <[u32]>::len);
    let longest = (0..records.len()).max_by_key(|&index| words(&records[index]));
    (records, longest.unwrap())
}

/// The picture of a capture whose longest `PUSH` has these words, when something happens to the
/// chip before one of them.
fn picture(
    (records, push): (&[Owned], usize),
    words: &[u32],
    at: usize,
    happens: impl Fn(Gpu) -> Gpu,
) -> Vec<u8> {
    let mut gpu = Gpu::new(isotherm::Chip::Nv2a);
    gpu.set_threads(1);
    run(&mut gpu, &records[..push]);
    gpu.push(&words[..at]).unwrap();
    let mut gpu = happens(gpu);
    gpu.push(&words[at..]).unwrap();
    run(&mut gpu, &records[push + 1..])
}

fn scene(name: &str) -> Vec<u8> {
    let scenes = scenes::all().unwrap();
    let found = scenes.into_iter().find(|scene| scene.name == name);
    found.unwrap().capture
}

fn restored(mut gpu: Gpu) -> Gpu {
    let mut gpu = Gpu::from_snapshot(&gpu.snapshot()).unwrap();
    gpu.set_threads(1);
    gpu
}

/// Before any word: headers, methods, vertices, their components.
#[test]
fn every_word_is_a_boundary() {
    for name in [
        "prim-line-loop",
        "prim-polygon",
        "prim-quad-strip",
        "tex-linear",
    ] {
        let (records, push) = records(&scene(name));
        let words = records[push].push_words().unwrap();
        let whole = picture((&records, push), words, 0, |gpu| gpu);
        assert!(!whole.is_empty(), "{name}");
        // The last words are the primitive's.
        let first = words.len().saturating_sub(60);
        for at in first..words.len() {
            let cut = picture((&records, push), words, at, restored);
            assert!(
                cut == whole,
                "{name}: saved before word {at} of {}",
                words.len()
            );
        }
    }
}

/// A primitive that is textured with the surface it draws to sees what was there when it
/// began, also when it is saved on its way.
#[test]
fn an_open_primitive_keeps_what_its_textures_were() {
    /// Where the scene draws to.
    const TARGET: u32 = 0x10_0000;
    const TEXTURE_OFFSET: u32 = 0x1B00;
    const BEGIN_END: u32 = 0x17FC;
    const TRIANGLE_STRIP: u32 = 6;
    let (records, push) = records(&scene("tex-linear"));
    let mut words = records[push].push_words().unwrap().to_vec();
    let mut pusher = isotherm::fifo::Pusher::default();
    let mut ends = Vec::new();
    for (at, word) in words.iter_mut().enumerate() {
        let Some(method) = pusher.step(*word) else {
            continue;
        };
        match u32::from(method.method) {
            // Some rows further down, where the first triangle draws.
            TEXTURE_OFFSET => *word = TARGET + 0x8000,
            BEGIN_END => {
                *word = if *word == 0 { 0 } else { TRIANGLE_STRIP };
                ends.push(at);
            }
            _ => {}
        }
    }
    let &[.., begin, end] = ends.as_slice() else {
        panic!("no primitive");
    };
    // Something to see, just before the last primitive.
    let (before, rest) = words.split_at(begin - 1);
    let mut start = Gpu::new(isotherm::Chip::Nv2a);
    run(&mut start, &records[..push]);
    start.push(before).unwrap();
    assert_eq!(start.render_target().unwrap().address, TARGET);
    let noise: Vec<u8> = (0..256 * 256 * 4u32)
        .map(|i| (i.wrapping_mul(0x9E37_79B9) >> 24) as u8)
        .collect();
    start.write_memory(TARGET, &noise);
    let start = start.snapshot();
    let picture = |at: usize, happens: &dyn Fn(Gpu) -> Gpu| {
        let mut gpu = Gpu::from_snapshot(&start).unwrap();
        gpu.push(&rest[..at]).unwrap();
        let mut gpu = happens(gpu);
        gpu.push(&rest[at..]).unwrap();
        run(&mut gpu, &records[push + 1..])
    };
    let whole = picture(0, &|gpu| gpu);
    assert!(!whole.is_empty());
    let mut seen = false;
    for at in (2..=end - begin).step_by(3) {
        assert!(picture(at, &restored) == whole, "saved before word {at}");
        // The CPU's writes show at once: then the picture is another.
        let told = |mut gpu: Gpu| {
            gpu.write_memory(0x03FF_0000, &[0]);
            gpu
        };
        seen |= picture(at, &told) != whole;
    }
    assert!(seen, "the textures are not what is drawn to");
}

/// What no register of the front end shows: a clip rectangle that a lower one replaced, the
/// puller's semaphore and counter.
#[test]
fn what_no_register_shows_is_kept() {
    const CLIP_RECT_HORIZ: u16 = 0x2C0;
    let mut gpu = Gpu::new(isotherm::Chip::Nv2a);
    gpu.objects_mut().graphics(1, 0x97).dma(2, 0x1000, 0xFFF);
    for (method, data) in [
        (0, 1),
        (CLIP_RECT_HORIZ + 4 * 5, 100 << 16 | 10),
        (CLIP_RECT_HORIZ, 50 << 16 | 5),
        (0x50, 77),
        (0x60, 2),
        (0x64, 0x20),
    ] {
        assert_eq!(
            gpu.method(0, method, data).unwrap().trap,
            None,
            "{method:x}"
        );
    }
    let fifth = gpu.word("CLIP_RECT_HORIZ", 5);
    assert_eq!(fifth, gpu.word("CLIP_RECT_HORIZ", 0));
    let mut other = restored(gpu);
    assert_eq!(other.word("CLIP_RECT_HORIZ", 5), fifth);
    assert_eq!(other.reference(), 77);
    // SEMAPHORE_RELEASE.
    other.method(0, 0x6C, 0x1234_5678).unwrap();
    assert_eq!(other.memory.read_u32(0x1020), 0x1234_5678);
}

#[test]
fn words_that_are_no_state_are_refused() {
    let (records, push) = records(&scene("prim-quads"));
    let mut gpu = Gpu::new(isotherm::Chip::Nv2a);
    run(&mut gpu, &records[..=push]);
    let saved = gpu.context();
    let load = |context: isotherm::context::Context| {
        let payload = isotherm::capture::Payload::Context(Box::new(context));
        let record = isotherm::capture::Record { offset: 7, payload };
        Gpu::new(isotherm::Chip::Nv2a).record(record).map(drop)
    };
    assert!(load(saved.clone()).is_ok());
    let mut short = saved.clone();
    short.inner.pop();
    assert!(load(short).unwrap_err().to_string().contains("no state"));
    let mut long = saved.clone();
    long.inner.push(0);
    assert!(load(long).is_err());
    // A state from before there were such words.
    let mut old = saved;
    (old.version, old.inner) = (2, Vec::new());
    assert!(load(old).is_ok());
}

#[test]
fn scenes_go_on_after_a_restore() {
    for (index, scene) in scenes::all().unwrap().iter().enumerate() {
        let part = 0.3 + 0.65 * (index as f64 * 0.618).fract();
        save_and_go_on(&scene.capture, &scene.name, part);
    }
}

/// A Mali is saved and restored before every record: geometry jobs leave lists for pixel jobs.
fn jobs_go_on(capture: &[u8], name: &str) {
    let (records, _) = records(capture);
    let mut plain = Gpu::new(isotherm::Chip::Mali400);
    let whole = run(&mut plain, &records);
    let mut gpu = Gpu::new(isotherm::Chip::Mali400);
    let mut picture = Vec::new();
    for record in &records {
        let mut writer = Writer::plain(Vec::new(), &json!({ "gpu": "mali400" })).unwrap();
        gpu.write_state(&mut writer).unwrap();
        let file = writer.finish().unwrap();
        let mut reader = Reader::new(file.as_slice()).unwrap();
        gpu = gpu::start(&mut reader).unwrap();
        run(&mut gpu, &read_all(&mut reader).unwrap());
        if let Some(surface) = gpu.record(record.record()).unwrap() {
            picture = surface.read(&gpu.memory).rgba;
        }
    }
    assert!(picture == whole, "{name}: the picture");
    assert_eq!(gpu.draws(), plain.draws(), "{name}");
    assert_eq!(gpu.context(), plain.context(), "{name}");
}

/// The same over captures of real programs, when they are there.
#[test]
fn captures_go_on_after_a_restore() {
    let shared = std::env::var_os("ISOTHERM_SHARED")
        .map_or_else(|| "../../../shared".into(), std::path::PathBuf::from);
    let mut files = Vec::new();
    let mut folders = vec![shared.join("nv2a/captures"), shared.join("streams")];
    while let Some(folder) = folders.pop() {
        let Ok(list) = std::fs::read_dir(&folder) else {
            continue;
        };
        for path in list.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".cap.zst") {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        eprintln!(
            "skipped: no captures in {} (set ISOTHERM_SHARED)",
            shared.display()
        );
        return;
    }
    files.sort();
    let step = (files.len() / 40).max(1);
    let mut malis = 0;
    for (index, path) in files.iter().step_by(step).enumerate() {
        let capture = std::fs::read(path).unwrap();
        let (name, part) = (
            path.display().to_string(),
            (index as f64 * 0.618 + 0.05).fract(),
        );
        if name.contains("mali") {
            jobs_go_on(&capture, &name);
            malis += 1;
        } else {
            save_and_go_on(&capture, &name, part);
        }
    }
    assert!(malis > 0, "no captures of a Mali");
}
