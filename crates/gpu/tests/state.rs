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

/// Runs a capture up to a word of its longest `PUSH`, saves there, and compares what a fresh
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

#[test]
fn scenes_go_on_after_a_restore() {
    for (index, scene) in scenes::all().unwrap().iter().enumerate() {
        let part = 0.3 + 0.65 * (index as f64 * 0.618).fract();
        save_and_go_on(&scene.capture, &scene.name, part);
    }
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
            } else if path.to_string_lossy().ends_with(".cap.zst")
                && !path.to_string_lossy().contains("mali")
            {
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
    for (index, path) in files.iter().step_by(step).enumerate() {
        let capture = std::fs::read(path).unwrap();
        let part = (index as f64 * 0.618 + 0.05).fract();
        save_and_go_on(&capture, &path.display().to_string(), part);
    }
}
