//! Every unit acts on the bundles that it declares, and on no others: whatever is written to
//! all the rest, pictures stay as they are.

use isotherm::bundle::{Event, PIPELINE};
use isotherm::capture::{Payload, Reader};
use isotherm::gpu;
use isotherm::memory::Memory;
use isotherm::observe::Observer;
use isotherm::pipeline::{Pipeline, takes};
use isotherm_lanes::Random;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{self as id, Bundle, Kind, Unit};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

fn taken(bundle: Bundle) -> bool {
    PIPELINE.iter().any(|&unit| takes(unit, bundle))
}

/// What the pipeline got, and what the CPU wrote in between.
enum Step {
    Event(Event),
    Memory(u32, Vec<u8>),
}

/// Keeps the front end's events.
struct Events(Arc<Mutex<Vec<Step>>>);

impl Observer for Events {
    fn event(&mut self, event: &Event) {
        self.0.lock().unwrap().push(Step::Event(*event));
    }
}

/// All that a capture sends to the 3D pipeline.
fn steps(capture: &[u8]) -> (Chip, Vec<Step>) {
    let steps = Arc::new(Mutex::new(Vec::new()));
    let mut reader = Reader::new(capture).unwrap();
    let mut gpu = gpu::start(&mut reader).unwrap();
    gpu.set_drawing(false);
    gpu.set_observer(Some(Box::new(Events(steps.clone()))));
    while let Some(record) = reader.next_record().unwrap() {
        if let Payload::Memory { addr, bytes } = &record.payload {
            let step = Step::Memory(*addr, bytes.to_vec());
            steps.lock().unwrap().push(step);
        }
        gpu.record(record).unwrap();
    }
    let steps = std::mem::take(&mut *steps.lock().unwrap());
    (gpu.chip(), steps)
}

/// All memory after the steps. Before every clear and every primitive, random words go to
/// the bundles that `poison` picks.
fn draw(chip: Chip, steps: &[Step], poison: impl Fn(Bundle) -> bool) -> Vec<(u32, Vec<u8>)> {
    let (mut memory, mut pipeline) = (Memory::new(chip), Pipeline::new(chip));
    pipeline.set_threads(1);
    let mut random = Random::new(11);
    let poisoned: Vec<u16> = (0..512)
        .filter(|&id| {
            Bundle::locate(chip.family(), id).is_some_and(|(bundle, _)| {
                // Triggers act at once, whatever their word says.
                bundle.row().kind != Kind::Trigger && poison(bundle)
            })
        })
        .collect();
    for step in steps {
        match step {
            Step::Memory(addr, bytes) => {
                pipeline.flush(&mut memory);
                memory.write(*addr, bytes);
            }
            Step::Event(event) => {
                if matches!(event, Event::Begin { .. } | Event::Clear(_)) {
                    for &id in &poisoned {
                        let (value, last) = (random.next_u32(), true);
                        pipeline.event(&mut memory, &Event::Bundle { id, value, last });
                    }
                }
                pipeline.event(&mut memory, event);
            }
        }
    }
    pipeline.flush(&mut memory);
    let pages = memory.pages();
    pages.map(|(addr, bytes)| (addr, bytes.to_vec())).collect()
}

/// Streams of every family, when they are there.
fn streams(chip: &str) -> Vec<PathBuf> {
    let shared =
        std::env::var_os("ISOTHERM_SHARED").map_or_else(|| "../../../shared".into(), PathBuf::from);
    let Ok(list) = std::fs::read_dir(shared.join("streams").join(chip)) else {
        eprintln!("skipped: no streams of {chip} (set ISOTHERM_SHARED)");
        return Vec::new();
    };
    let mut files: Vec<_> = list
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(".cap.zst"))
        .filter(|path| path.metadata().is_ok_and(|found| found.len() < 40_000))
        .collect();
    files.sort();
    let step = (files.len() / 6).max(1);
    files.into_iter().step_by(step).collect()
}

#[test]
fn words_that_no_unit_declares_do_not_show() {
    for chip in ["nv10", "nv17", "nv20", "nv25", "nv34", "nv40"] {
        let (mut drawn, mut changed) = (0, 0);
        for path in streams(chip) {
            let (chip, steps) = steps(&std::fs::read(&path).unwrap());
            let right = draw(chip, &steps, |_| false);
            let poisoned = draw(chip, &steps, |bundle| !taken(bundle));
            assert!(right == poisoned, "{} changes", path.display());
            // The poison works: a word that somebody takes does show.
            drawn += usize::from(!right.is_empty());
            changed += usize::from(right != draw(chip, &steps, |bundle| bundle == id::BLEND));
        }
        assert!(changed * 2 >= drawn, "{chip}: {changed} of {drawn}");
    }
}

#[test]
fn a_word_belongs_to_a_unit_that_takes_it() {
    for bundle in Bundle::all().filter(|&bundle| taken(bundle)) {
        let unit = bundle.row().unit;
        // The vertex engine's textures are fetched by the texture units, vertex fetch counts
        // instances, and the rasteriser knows how large points are; the page knows no unit for
        // FOG_COEFF.
        let elsewhere = bundle.name().starts_with("XF_TEX_")
            || bundle == id::XF_ATTR_IN_MASK
            || bundle == id::POINT_SIZE
            || unit == Unit::Unknown;
        assert!(takes(unit, bundle) || elsewhere, "{bundle:?} of {unit:?}");
    }
}

#[test]
fn a_few_words_have_several_takers() {
    let takers = |bundle| PIPELINE.map(|unit| takes(unit, bundle));
    let [idx, xf, assm, raster, zcull, tex, shader, rc, rop] = takers(id::CONFIG_B);
    assert!(xf && assm && raster && shader && rop);
    assert!(!(idx || zcull || tex || rc));
    assert_eq!(takers(id::UNK1E68), [false; 9]);
}
