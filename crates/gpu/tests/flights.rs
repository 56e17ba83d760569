//! Scenes that are drawn while the next ones are made: draws that read what draws before them
//! wrote, on several threads, leave what one thread leaves.

use isotherm::capture::{Push, Reader};
use isotherm::{Gpu, gpu};
use isotherm_lanes::Random;

/// The scenes' colour surface: 256 by 256 words, seen by vertices and textures at this address.
const COLOR: u32 = 0x0010_0000;
const PITCH: u32 = 1024;
/// Positions of vertices, and where the other surface lies.
const VERTICES: u32 = 0x0030_0000;
const ELSEWHERE: u32 = 0x0040_0000;

/// A chip that has every register set as a simple scene wants it.
fn chip(threads: usize, primitives: Option<usize>) -> Gpu {
    let scenes = isotherm_scenes::all().unwrap();
    let scene = scenes.iter().find(|s| s.name == "prim-triangles").unwrap();
    let reader = Reader::new(&scene.capture[..]).unwrap();
    let set = |gpu: &mut Gpu| {
        gpu.set_threads(threads);
        primitives.into_iter().for_each(|n| gpu.set_scene_size(n));
    };
    gpu::replay(reader, set, |_, _| {}).unwrap()
}

fn float(random: &mut Random, most: u32) -> f32 {
    random.below(16 * most) as f32 / 16.0
}

/// One of several things to do, most of which read the surface that is drawn to.
fn step(push: &mut Push, random: &mut Random) {
    match random.below(8) {
        // Colours of vertices are pixels.
        0..=2 => {
            let pixel = random.below(200) * PITCH + 4 * random.below(200);
            push.method(0, 0x1720, &[VERTICES + 16 * random.below(64)]);
            push.method(0, 0x172C, &[COLOR + pixel]);
            push.method(0, 0x1760, &[16 << 8 | 4 << 4 | 2]);
            push.method(0, 0x176C, &[4 << 8 | 4 << 4]);
            push.method(0, 0x17FC, &[1 + random.below(10)]);
            if random.one_in(2) {
                push.method(0, 0x1810, &[29 << 24]);
            } else {
                let indices: Vec<u32> = (0..15).map(|_| random.below(64) * 0x1_0001).collect();
                push.repeat(0, 0x1800, &indices);
            }
            push.method(0, 0x17FC, &[0]);
            push.method(0, 0x1760, &[2, 2, 2, 2]);
        }
        // The texture is the surface.
        3..=4 => {
            push.method(
                0,
                0x1B00,
                &[
                    COLOR,
                    1 | 1 << 3 | 2 << 4 | 0x12 << 8 | 1 << 16,
                    0x0003_0303,
                    0x4003_FFC0,
                ],
            );
            push.method(0, 0x1B10, &[PITCH << 16, 0x0101_2000]);
            push.method(0, 0x1B1C, &[256 << 16 | 256]);
            push.method(0, 0x1E70, &[1]);
            push.method(0, 0x288, &[8, 0x1800]);
            push.method(0, 0x17FC, &[5]);
            for _ in 0..3 {
                push.floats(0, 0x1590, &[float(random, 256), float(random, 256)]);
                push.floats(
                    0,
                    0x1518,
                    &[float(random, 256), float(random, 256), 0.0, 1.0],
                );
            }
            push.method(0, 0x17FC, &[0]);
            push.method(0, 0x1E70, &[0]);
            push.method(0, 0x288, &[4, 0x1400]);
        }
        // Somewhere else for a while.
        5 => {
            let offset = [0, ELSEWHERE - COLOR][random.below(2) as usize];
            push.method(0, 0x210, &[offset]);
        }
        6 => {
            let at = random.below(256);
            push.method(0, 0x1D98, &[at << 16, 255 << 16 | at]);
            push.method(0, 0x1D8C, &[0, random.next_u32(), 0xF0]);
        }
        // The pixels that passed are counted.
        _ => {
            push.method(0, 0x17C8, &[1]);
            push.method(0, 0x17D0, &[1 << 24 | 0x50_0000]);
        }
    }
}

/// The same random things, in so many pushes: what is left in memory.
fn left(seed: u64, threads: usize, primitives: Option<usize>) -> Vec<(u32, Vec<u8>)> {
    let mut random = Random::new(seed);
    let mut gpu = chip(threads, primitives);
    let position = |_| [float(&mut random, 256), float(&mut random, 256), 0.0, 1.0];
    let positions: Vec<u8> = (0..128)
        .flat_map(position)
        .flat_map(f32::to_le_bytes)
        .collect();
    gpu.memory.write(VERTICES, &positions);
    for _ in 0..3 {
        let mut push = Push::new();
        (0..100).for_each(|_| step(&mut push, &mut random));
        gpu.push(push.words()).unwrap();
    }
    gpu.finish();
    assert_eq!(gpu.oddities().traps, 0);
    let pages = gpu.memory.pages();
    pages.map(|(at, bytes)| (at, bytes.to_vec())).collect()
}

#[test]
fn draws_see_what_draws_before_them_left() {
    for seed in 0..12 {
        let one = left(seed, 1, None);
        for (threads, primitives) in [(1, 1), (3, 1), (3, 40)] {
            let other = left(seed, threads, Some(primitives));
            assert!(one == other, "seed {seed}, {threads} threads, {primitives}");
        }
    }
}
