//! Small captures that ask for much, each built here: the budget ends them, with the unit and
//! the place, and what was drawn before stays. And surfaces that lie over each other under
//! other addresses: the same picture at any number of threads.

use isotherm::budget::Cost;
use isotherm::capture::{Error, Payload, Problem, Push, Reader, Writer, read_all};
use isotherm::observe::Observer;
use isotherm::{Chip, Gpu, gpu};
use isotherm_lanes::Random;
use isotherm_regs::xf::asm::assemble;
use isotherm_scenes as scenes;
use serde_json::json;

/// Replays a capture; the chip, and what it fails with.
fn replay(file: &[u8]) -> (Gpu, Result<(), Error>) {
    let mut reader = Reader::new(file).unwrap();
    let mut gpu = gpu::start(&mut reader).unwrap();
    gpu.set_threads(1);
    let result = gpu::run(&mut gpu, &mut reader, |_, _| {});
    (gpu, result)
}

/// A capture with all of memory as object 1, and an object of each class from 2 on.
fn capture(chip: Chip, classes: &[u32], push: &Push) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &json!({ "gpu": chip.name() })).unwrap();
    let last = 0x03FF_FFFF;
    let memory = json!({ "handle": 1, "kind": "dma", "class": 0x3D, "base": 0, "limit": last,
        "instance": 1, "raw": [0xB03D, last, 3, 3] });
    writer.object(&memory).unwrap();
    for (handle, class) in (2..).zip(classes) {
        let object = json!({ "type": "object", "handle": handle, "class": class });
        writer.object(&object).unwrap();
    }
    writer.push(push.words()).unwrap();
    writer.finish().unwrap()
}

/// The error's text; it names the record that asked.
fn refusal((_, result): (Gpu, Result<(), Error>)) -> String {
    let error = result.unwrap_err();
    assert!(matches!(error.problem, Problem::Budget(_)), "{error}");
    assert!(error.offset > 8, "{error}");
    error.problem.to_string()
}

#[test]
fn a_copy_of_four_gigabytes() {
    let mut writer = Writer::new(Vec::new(), &json!({ "gpu": "mali400" })).unwrap();
    writer.copy(0, 0x1000_0000, u32::MAX).unwrap();
    let text = refusal(replay(&writer.finish().unwrap()));
    assert!(text.contains("memory: more than"), "{text}");
}

#[test]
fn memory_is_touched_page_by_page() {
    let mut gpu = Gpu::builder(Chip::Mali400)
        .budget("held=1000000".parse().unwrap())
        .build()
        .unwrap();
    for page in 0..1000 {
        gpu.write_memory(page << 12, &[1]);
    }
    assert!(gpu.within_budget().is_err());
    let last = 1_000_000 / 4096 - 1;
    assert_eq!(gpu.memory.read_u8(last << 12), 1);
    assert_eq!(gpu.memory.read_u8((last + 1) << 12), 0);
}

#[test]
fn scattered_bytes() {
    let mut push = Push::new();
    push.method(0, 0, &[2]).method(0, 0x184, &[1, 1]).method(
        0,
        0x30C,
        &[0, 0, 0, 0, 0x3F_FFFF, 0x7FF, 0x202, 0],
    );
    let text = refusal(replay(&capture(Chip::Nv2a, &[0x39], &push)));
    assert_eq!(text, "over budget: 2D engine: more than 20000000000 steps");
}

/// A scaled image of 32767 by 32767 pixels on a surface of one row.
fn scaled(pitch: u32) -> Vec<u8> {
    let mut push = Push::new();
    push.method(0, 0, &[2])
        .method(1, 0, &[3])
        .method(0, 0x184, &[1, 1])
        .method(0, 0x300, &[10, pitch << 16 | pitch, 0, 0])
        .method(1, 0x184, &[1])
        .method(1, 0x198, &[2])
        .method(
            1,
            0x300,
            &[4, 3, 0, 0x7FFF_7FFF, 0, 0x7FFF_7FFF, 1 << 20, 1 << 20],
        )
        .method(1, 0x400, &[0x0010_0010, 0x0101_0040, 0, 0]);
    capture(Chip::Nv10, &[0x62, 0x89], &push)
}

#[test]
fn large_images() {
    let text = refusal(replay(&scaled(0)));
    assert!(text.contains("2D engine"), "{text}");
}

#[test]
fn rows_that_memory_does_not_have_cost_nothing() {
    let (gpu, result) = replay(&scaled(0xFFC0));
    result.unwrap();
    // 64 MiB of the object, in rows of that many bytes, 32767 pixels at most.
    let most = (0x0400_0000 / 0xFFC0 + 1) * 0x8000 * 200;
    assert!(gpu.memory.budget().spent(Cost::Steps) < most);
}

/// A scene of many triangles with so much of the steps that it takes: whether that was enough,
/// and the picture.
fn crowd(share: f64, threads: usize) -> (bool, Vec<u8>) {
    let scenes = scenes::all().unwrap();
    let scene = scenes.iter().find(|scene| scene.name == "crowd").unwrap();
    let (whole, _) = replay(&scene.capture);
    let steps = whole.memory.budget().spent(Cost::Steps) as f64 * share;
    let mut reader = Reader::new(scene.capture.as_slice()).unwrap();
    let mut gpu = gpu::start(&mut reader).unwrap();
    gpu.set_threads(threads);
    gpu.set_budget(format!("steps={}", steps as u64).parse().unwrap());
    let result = gpu::run(&mut gpu, &mut reader, |_, _| {});
    (result.is_ok(), gpu.last_picture().unwrap().rgba)
}

/// Pixels that do not have the first one's colour.
fn drawn(rgba: &[u8]) -> usize {
    let mut pixels = rgba.chunks_exact(4);
    let first = pixels.next();
    pixels.filter(|pixel| Some(*pixel) != first).count()
}

#[test]
fn what_was_drawn_is_kept() {
    let ((cut, part), (whole, picture)) = (crowd(0.6, 1), crowd(1.0, 1));
    assert!(!cut && whole);
    assert!(drawn(&part) > 0 && drawn(&part) < drawn(&picture));
}

/// A budget ends at the same primitive at any number of threads.
#[test]
fn the_same_part_at_any_number_of_threads() {
    for share in [0.3, 0.5, 0.8] {
        assert_eq!(crowd(share, 1), crowd(share, 7), "{share}");
    }
}

/// The depth buffer lies over the colours, behind address bits that memory ignores.
#[test]
fn surfaces_that_meet_behind_the_mask() {
    let all = scenes::all().unwrap();
    for name in ["torus", "crowd", "depth-func"] {
        let scene = all.iter().find(|scene| scene.name == name).unwrap();
        let memory = |threads: usize| {
            let mut reader = Reader::new(scene.capture.as_slice()).unwrap();
            let mut gpu = gpu::start(&mut reader).unwrap();
            gpu.set_threads(threads);
            for record in read_all(&mut reader).unwrap() {
                let object = matches!(record.record().payload, Payload::Object(_));
                gpu.record(record.record()).unwrap();
                if object {
                    gpu.objects_mut().dma(10, 0x0410_0000, 0x00FF_FFFF);
                }
            }
            gpu.finish();
            gpu.memory.bytes(0x10_0000, 0x10_0000).to_vec()
        };
        let one = memory(1);
        assert!(one.iter().any(|byte| *byte != 0), "{name}");
        for _ in 0..3 {
            assert!(one == memory(7), "{name}");
        }
    }
}

/// Bits of x and y in turn, from the lowest.
fn interleaved(x: u32, y: u32) -> usize {
    let bits = (0..6).map(|bit| (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1));
    bits.sum::<u32>() as usize
}

/// A swizzled surface of 64 by 64 pixels under a clip of 640 by 480: coordinates come round, and
/// where two clears meet, the later one counts, whatever is drawn together.
#[test]
fn a_small_swizzled_surface_is_drawn_in_order() {
    let mut random = Random::new(23);
    let mut words = vec![0u32; 64 * 64];
    let mut push = Push::new();
    push.method(0, 0, &[2])
        .method(0, 0x194, &[1, 1])
        .method(0, 0x200, &[640 << 16, 480 << 16])
        .method(0, 0x208, &[0x0606_0228, 0x0A00_0A00, 0, 0x0100_0000]);
    let mut pushes = vec![push];
    for _ in 0..30 {
        let [x, y] = [random.below(600), random.below(440)];
        let [w, h] = [random.below(40), random.below(40)];
        let color = random.next_u32();
        let mut push = Push::new();
        push.method(0, 0x1D98, &[(x + w) << 16 | x, (y + h) << 16 | y])
            .method(0, 0x1D90, &[color, 0xF0]);
        pushes.push(push);
        for (x, y) in (y..=y + h).flat_map(|y| (x..=x + w).map(move |x| (x, y))) {
            words[interleaved(x & 63, y & 63)] = color;
        }
    }
    let want: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    let start = capture(Chip::Nv2a, &[0x97], &Push::new());
    for (threads, each) in [(1, false), (1, true), (7, false), (7, true)] {
        let (mut gpu, result) = replay(&start);
        result.unwrap();
        gpu.set_threads(threads);
        for push in &pushes {
            gpu.push(push.words()).unwrap();
            if each {
                gpu.finish();
            }
        }
        gpu.finish();
        let found = gpu.memory.bytes(0, 64 * 64 * 4);
        assert!(found == want, "{threads} threads, each clear alone: {each}");
    }
}

/// How the words below are run.
#[derive(Clone, Copy, Debug)]
enum Way {
    Threads(usize),
    Observed,
}

struct Nobody;

impl Observer for Nobody {}

const BEGIN_END: u16 = 0x17FC;
const ELEMENTS: u16 = 0x1800;
const ARRAYS: u16 = 0x1810;
const TRIANGLES: u32 = 5;
/// Vertices of small triangles; those after them are large.
const SMALL: u32 = 2049;
const VERTICES: u32 = SMALL + 51;

/// A chip with a surface, and vertices in its memory that arrays lead to.
fn ready(way: Way) -> Gpu {
    const AT: u32 = 0x0200_0000;
    let scenes = scenes::all().unwrap();
    let (mut gpu, result) = replay(&scenes[0].capture);
    result.unwrap();
    for number in 0..VERTICES {
        let side = if number < SMALL { 4.0 } else { 200.0 };
        let corner = [[0.0, 0.0], [side, 0.0], [0.0, side]][number as usize % 3];
        let position = [corner[0], corner[1], 0.0, 1.0f32];
        let bytes: Vec<u8> = position.into_iter().flat_map(f32::to_le_bytes).collect();
        gpu.write_memory(AT + 16 * number, &bytes);
    }
    let mut push = Push::new();
    push.method(0, 0x1720, &[AT])
        .method(0, 0x1760, &[16 << 8 | 4 << 4 | 2]);
    gpu.push(push.words()).unwrap();
    match way {
        Way::Threads(threads) => gpu.set_threads(threads),
        Way::Observed => gpu.set_observer(Some(Box::new(Nobody))),
    }
    gpu
}

/// What is left when so many steps are there for some words: the error, draws, memory; and how
/// many steps are spent.
fn left(words: &Push, way: Way, steps: u64) -> (Option<String>, u64, Vec<u8>, u64) {
    let mut gpu = ready(way);
    gpu.set_budget(format!("steps={steps}").parse().unwrap());
    let error = gpu.push(words.words()).err().map(|e| e.to_string());
    gpu.finish();
    let memory = gpu.memory.pages().flat_map(|(_, page)| page.to_vec());
    let spent = gpu.memory.budget().spent(Cost::Steps);
    (error, gpu.draws(), memory.collect(), spent)
}

/// Cuts words at many places of their budget, and compares the ways.
fn ends_at_one_place(words: &Push) {
    let (error, _, _, whole) = left(words, Way::Threads(1), u64::MAX >> 1);
    assert_eq!(error, None);
    for part in (1..16).step_by(3) {
        let steps = whole * part / 16;
        let (error, draws, memory, _) = left(words, Way::Threads(1), steps);
        assert!(error.is_some());
        for way in [Way::Threads(7), Way::Observed] {
            let other = left(words, way, steps);
            assert_eq!((&error, draws), (&other.0, other.1), "{part}: {way:?}");
            assert!(memory == other.2, "{part}: {way:?}");
        }
    }
}

/// Vertices by their numbers wait for more of them, but not for END alone.
#[test]
fn elements_end_at_one_place() {
    let mut push = Push::new();
    push.method(0, BEGIN_END, &[TRIANGLES]);
    // Fewer than several threads want at once, and in the end a few large ones.
    let numbers: Vec<u32> = (0..1500).chain(SMALL..VERTICES).collect();
    for pair in numbers.chunks_exact(2) {
        push.method(0, ELEMENTS, &[pair[1] << 16 | pair[0]]);
    }
    push.method(0, BEGIN_END, &[0]);
    ends_at_one_place(&push);
    // The same number again: END closes what was paid long before.
    let mut push = Push::new();
    push.method(0, BEGIN_END, &[TRIANGLES]);
    for _ in 0..40 {
        for first in (SMALL..SMALL + 48).step_by(2) {
            push.method(0, ELEMENTS, &[(first + 1) << 16 | first]);
        }
    }
    push.method(0, BEGIN_END, &[0]);
    ends_at_one_place(&push);
}

/// Long runs are shared between threads, the rest of them too.
#[test]
fn runs_end_at_one_place() {
    let mut push = Push::new();
    push.method(0, BEGIN_END, &[TRIANGLES]);
    for _ in 0..2 {
        for start in (0..VERTICES).step_by(256) {
            let count = (VERTICES - start).min(256);
            push.method(0, ARRAYS, &[(count - 1) << 24 | start]);
        }
    }
    push.method(0, BEGIN_END, &[0]);
    ends_at_one_place(&push);
}

/// Words of one header are run together: those after the budget's end do nothing.
#[test]
fn a_header_ends_in_its_middle() {
    let mut push = Push::new();
    for _ in 0..4 {
        push.method(0, BEGIN_END, &[TRIANGLES]);
        push.method(0, ARRAYS, &[47 << 24 | SMALL]);
        push.repeat(0, BEGIN_END, &[0, TRIANGLES, 0, TRIANGLES, 0]);
    }
    ends_at_one_place(&push);
}

/// Vertex programs that go in circles are paid by the step, and end at the same vertex at any
/// number of threads.
#[test]
fn vertex_programs_that_do_not_end() {
    let program = assemble("!!VP3.0\nl: BRA l;\nMOV o[HPOS], v[0];\nEND\n", None).unwrap();
    let mut push = Push::new();
    push.method(0, 0, &[2]).method(0, 0x1E9C, &[0]);
    for words in program.upload().chunks(4) {
        push.method(0, 0xB80, words);
    }
    push.method(0, 0x1EA0, &[0])
        // As long as the chip lets them.
        .method(0, 0x1EF8, &[0x20_FFFF])
        .method(0, 0x1E94, &[0x11])
        // Without an array there would be no vertices.
        .method(0, 0x1740, &[0x1042])
        .method(0, 0x1808, &[TRIANGLES]);
    for start in (0..4096).step_by(256) {
        push.method(0, 0x1814, &[255 << 24 | start]);
    }
    push.method(0, 0x1808, &[0]);
    let file = capture(Chip::Nv40, &[0x4097], &push);
    let run = |threads: usize| {
        let mut reader = Reader::new(file.as_slice()).unwrap();
        let mut gpu = gpu::start(&mut reader).unwrap();
        gpu.set_threads(threads);
        gpu.set_budget("steps=10000000".parse().unwrap());
        let result = gpu::run(&mut gpu, &mut reader, |_, _| {});
        let spent = gpu.memory.budget().spent(Cost::Steps);
        (refusal((gpu, result)), spent)
    };
    let (text, spent) = run(1);
    assert_eq!(text, "over budget: vertices: more than 10000000 steps");
    // No more than a batch too much: 128 vertices, eight at a time.
    let batch = 16 * 0x1_0000 * 20;
    assert!(spent < 10_000_000 + batch, "{spent}");
    assert_eq!(run(7), (text, spent));
}
