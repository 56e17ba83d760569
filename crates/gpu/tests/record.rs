//! Recordings begun in the middle show what the whole shows: with a context, and from the
//! chip's registers alone.

use isotherm::capture::{Owned, Payload, Reader, Writer, read_all};
use isotherm::fe::Fe;
use isotherm::gpu::{self, Gpu};
use isotherm_scenes as scenes;
use serde_json::json;
use std::io::Write;
use std::sync::{Arc, Mutex};

/// A file in memory.
#[derive(Clone, Default)]
struct File(Arc<Mutex<Vec<u8>>>);

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn start(capture: &[u8]) -> (Gpu, Vec<Owned>) {
    let mut reader = Reader::new(capture).unwrap();
    let mut gpu = gpu::start(&mut reader).unwrap();
    gpu.set_threads(1);
    (gpu, read_all(&mut reader).unwrap())
}

/// The pictures of some records.
fn run(gpu: &mut Gpu, records: &[Owned]) -> Vec<Vec<u8>> {
    let mut pictures = Vec::new();
    for record in records {
        if let Some(surface) = gpu.record(record.record()).unwrap() {
            pictures.push(surface.read(&gpu.memory).rgba);
        }
    }
    pictures
}

fn pictures(capture: &[u8]) -> Vec<Vec<u8>> {
    let (mut gpu, records) = start(capture);
    run(&mut gpu, &records)
}

/// Runs about this part of a capture's words, to a place between methods and outside
/// primitives; what is left of the cut record, and the records behind it.
fn run_part<'a>(gpu: &mut Gpu, records: &'a [Owned], part: f64) -> (&'a [u32], &'a [Owned]) {
    let words = |record: &Owned| record.push_words().map_or(0, <[u32]>::len);
    let least = (records.iter().map(words).sum::<usize>() as f64 * part) as usize;
    let mut seen = 0;
    for (index, record) in records.iter().enumerate() {
        let Some(push) = record.push_words() else {
            drop(gpu.record(record.record()).unwrap());
            continue;
        };
        let mut rest = push;
        while let [header, ..] = rest {
            let (whole, behind) = rest.split_at(1 + (header >> 18 & 0x7FF) as usize);
            gpu.push(whole).unwrap();
            seen += whole.len();
            rest = behind;
            if seen > least && gpu.registers_show_all() {
                return (rest, &records[index + 1..]);
            }
        }
    }
    panic!("no words");
}

/// Where to cut the scene with this number.
fn part(index: usize) -> f64 {
    0.1 + 0.85 * (index as f64 * 0.618).fract()
}

#[test]
fn a_recording_goes_on_from_the_middle() {
    for (index, scene) in scenes::all().unwrap().iter().enumerate() {
        let (mut gpu, records) = start(&scene.capture);
        let (rest, behind) = run_part(&mut gpu, &records, part(index));
        let file = File::default();
        gpu.record_to(file.clone()).unwrap();
        gpu.push(rest).unwrap();
        let shown = run(&mut gpu, behind);
        gpu.end_recording().unwrap();
        let again = pictures(&file.0.lock().unwrap());
        assert!(
            !shown.is_empty() && again.ends_with(&shown),
            "{}",
            scene.name
        );
    }
}

/// Starts a chip from another's registers in the middle of a capture: what the two remember
/// otherwise, if they show something else from there on.
fn other_from_registers(capture: &[u8], name: &str, part: f64) -> Option<String> {
    let (mut gpu, records) = start(capture);
    let (rest, behind) = run_part(&mut gpu, &records, part);
    let mut second = started_from_registers(&mut gpu);
    let differences = differences(&mut gpu, &mut second);
    let [shown, again] = [gpu, second].map(|mut gpu| {
        gpu.push(rest).unwrap();
        run(&mut gpu, behind)
    });
    assert!(!shown.is_empty(), "{name}");
    (again != shown).then(|| format!("{name}: {differences:#?}"))
}

#[test]
fn registers_are_a_state() {
    let scenes = scenes::all().unwrap();
    let failed: Vec<String> = scenes
        .iter()
        .enumerate()
        .filter_map(|(i, scene)| other_from_registers(&scene.capture, &scene.name, part(i)))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A chip with another's registers and memory.
fn started_from_registers(gpu: &mut Gpu) -> Gpu {
    let info = json!({ "gpu": gpu.chip().name() });
    let mut writer = Writer::plain(Vec::new(), &info).unwrap();
    assert!(gpu.write_hardware_state(&mut writer).unwrap());
    for (addr, bytes) in gpu.memory.pages() {
        writer.memory(addr, bytes).unwrap();
    }
    let (mut second, state) = start(&writer.finish().unwrap());
    run(&mut second, &state);
    assert_eq!(second.oddities().traps, 0, "methods of the start trap");
    second
}

/// What a chip remembers otherwise than another.
fn differences(a: &mut Gpu, b: &mut Gpu) -> Vec<String> {
    let (one, two) = (a.context(), b.context());
    let [mut ours, mut theirs] = [Fe::new(a.chip()), Fe::new(a.chip())];
    assert!(ours.restore(&one.fe) && theirs.restore(&two.fe));
    // What goes by in the vertex path is no state.
    let mechanics = ["idx_fifo", "trap_", "fifo_", "xfpr"];
    let words = ours.differences(&theirs).into_iter();
    let mut lines: Vec<String> = words
        .filter(|(name, ..)| !mechanics.iter().any(|m| name.starts_with(m)))
        .map(|(name, a, b)| format!("{name}: {a:x}, then {b:x}"))
        .collect();
    let [one, two] = [one, two].map(|context| json!(context));
    for (key, one) in one["units"].as_object().unwrap() {
        if *one != two["units"][key] {
            lines.push(format!("{key}: {one}, then {}", two["units"][key]));
        }
    }
    lines
}

/// Between the words of a method there is no start.
#[test]
fn no_registers_inside_a_method() {
    let mut gpu = Gpu::new(isotherm::Chip::Nv2a);
    gpu.push(&[2 << 18 | 0x304, 0]).unwrap();
    let state = |gpu: &mut Gpu| gpu.write_hardware_state(&mut Writer::fragment(Vec::new()));
    let refused = state(&mut gpu).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ResourceBusy);
    gpu.push(&[0]).unwrap();
    assert!(state(&mut gpu).unwrap());
    let mut mali = Gpu::new(isotherm::Chip::Mali400);
    assert!(!state(&mut mali).unwrap());
}

/// A flip in the middle of a push is a picture in the middle of the words, and is not noted
/// twice by those who note it themselves.
#[test]
fn flips_are_pictures() {
    const FLIP_STALL: u32 = 1 << 18 | 0x130;
    let scene = &scenes::all().unwrap()[0];
    let (mut gpu, records) = start(&scene.capture);
    let (rest, _) = run_part(&mut gpu, &records, 0.5);
    let file = File::default();
    gpu.record_to(file.clone()).unwrap();
    let words = [&[FLIP_STALL, 0], rest, &[FLIP_STALL, 0]].concat();
    let progress = gpu.push(&words).unwrap();
    assert_eq!((progress.taken, progress.wait), (words.len(), None));
    assert!(gpu.record_picture().unwrap());
    gpu.method(0, 0x130, 0).unwrap();
    let target = gpu.render_target().unwrap();
    let shown = gpu.read_surface(&target).rgba;
    gpu.end_recording().unwrap();
    // Nothing is noted any more.
    gpu.push(&[FLIP_STALL, 0]).unwrap();

    let file = file.0.lock().unwrap();
    let (_, records) = start(&file);
    let order: Vec<bool> = records
        .iter()
        .filter_map(|record| match record.record().payload {
            Payload::Push(_) => Some(false),
            Payload::Surface(_) => Some(true),
            _ => None,
        })
        .collect();
    assert_eq!(order, [false, true, false, true, false, true]);
    let pictures = pictures(&file);
    assert_eq!(pictures[1..], [shown.clone(), shown]);
}

/// The same over captures of real programs, when they are there.
#[test]
fn captures_start_from_registers() {
    let shared = std::env::var_os("ISOTHERM_SHARED")
        .map_or_else(|| "../../../shared".into(), std::path::PathBuf::from);
    let mut files = Vec::new();
    let mut folders = vec![shared.join("nv2a/captures"), shared.join("streams")];
    while let Some(folder) = folders.pop() {
        let list = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for path in list.map(|entry| entry.path()) {
            let name = path.to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".cap.zst") && !name.contains("mali") {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        let shared = shared.display();
        eprintln!("skipped: no captures in {shared} (set ISOTHERM_SHARED)");
        return;
    }
    files.sort();
    let step = (files.len() / 40).max(1);
    let mut failed = Vec::new();
    for (index, path) in files.iter().step_by(step).enumerate() {
        let capture = std::fs::read(path).unwrap();
        failed.extend(other_from_registers(
            &capture,
            &path.display().to_string(),
            part(index),
        ));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
