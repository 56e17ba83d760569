//! Whole pictures: the same bytes at any number of threads and at every vector level, with
//! shortened programs and with whole ones.

use isotherm_bus::memory::Memory;
use isotherm_bus::observe::{Outcome, Touch};
use isotherm_lanes::{Level, Random};
use isotherm_mali::Machine;
use isotherm_mali::WhatIf;
use isotherm_mali::tile_index;
use isotherm_regs::Chip;
use isotherm_regs::mali::isa_pp::Instr;
use isotherm_regs::mali::isa_pp_text::asm;
use isotherm_regs::mali::words::{RSW_BLEND, RSW_DEPTH, RSW_MULTISAMPLE};

const CHIP: Chip = Chip::Mali400;
const BASE: u32 = 0x8000_0000;
const PLBU: u32 = BASE;
const TILES: u32 = BASE + 0x1_0000;
const STATES: u32 = BASE + 0x2_0000;
const PROGRAMS: u32 = BASE + 0x3_0000;
const TEXTURE: u32 = BASE + 0x4_0000;
const POSITIONS: u32 = BASE + 0x10_0000;
const VARYINGS: u32 = BASE + 0x20_0000;
const PICTURE: u32 = BASE + 0x40_0000;
const DEPTH: u32 = BASE + 0x50_0000;
const WIDTH: u32 = 200;
const HEIGHT: u32 = 150;
const TRIANGLES: u32 = 40;

/// A number between two others.
fn between(random: &mut Random, least: f32, most: f32) -> f32 {
    least + (most - least) * random.unit()
}

/// Fragment programs: colour; texture times colour; colour of a function; a branch with
/// discard, by window position.
const TEXTS: [&str; 3] = [
    "load.v $0 0, stop",
    "load.v $1 0\nload.v ^discard.xy 2.xy, texld 0, mul.v0 $0 ^texture $1, sync, stop",
    "load.v $1 0\nmul.v0 $0 $1 $1, add.v1 $0 ^v0 $1\nmul.s0 $0.x $1.y, fract.s1 $0.x ^s0, stop",
];

struct Scene {
    mem: Memory,
    tiles: u32,
}

impl Scene {
    fn put(&mut self, at: u32, words: &[u32]) {
        for (i, &w) in words.iter().enumerate() {
            self.mem.write_u32(at + 4 * i as u32, w);
        }
    }

    /// A texture of 64x64 in tiles, all levels in range.
    fn texture(&mut self, n: &mut Random) {
        self.put(TEXTURE, &[0x96, 0x0400, 0x0200_0000, 0x0001_0040]);
        self.put(TEXTURE + 16, &[0, 0, 0x6000, (TEXTURE + 0x1000) >> 8]);
        self.put(TEXTURE + 0x800, &[TEXTURE]);
        for i in 0..64 * 64 {
            self.mem.write_u32(TEXTURE + 0x1000 + 4 * i, n.next_u32());
        }
    }

    /// Many triangles in several draws, each with a state of its own.
    fn new(seed: u64, msaa: bool) -> Scene {
        let mut n = Random::new(seed);
        let mut s = Scene {
            mem: Memory::new(CHIP),
            tiles: 0,
        };
        let programs: Vec<Vec<u32>> = TEXTS
            .iter()
            .map(|t| {
                let code = asm(t).unwrap_or_else(|e| panic!("{t}: {e}"));
                code.iter().flat_map(Instr::encode).collect()
            })
            .collect();
        for (i, words) in programs.iter().enumerate() {
            s.put(PROGRAMS + 0x100 * i as u32, words);
        }
        s.texture(&mut n);
        let mut plbu = vec![0x200, 0x1000_010b, 0, 0x1000_010c, 0x0900_0c00, 0x1000_0109];
        plbu.extend([2, 0x3000_0000, TILES + 0x8000, 0x2800_0000]);
        let f = f32::to_bits;
        plbu.extend([0, 0x1000_0107, f(WIDTH as f32), 0x1000_0108]);
        plbu.extend([0, 0x1000_0105, f(HEIGHT as f32), 0x1000_0106]);
        plbu.extend([0, 0x1000_010e, f(1.0), 0x1000_010f]);
        for draw in 0..24 {
            let first = draw * TRIANGLES * 3;
            for v in first..first + TRIANGLES * 3 {
                let x = between(&mut n, -20.0, WIDTH as f32 + 20.0);
                let y = between(&mut n, -20.0, HEIGHT as f32 + 20.0);
                // Some draws with perspective, some small triangles.
                let (x, y) = if draw % 3 == 0 && v % 3 != 0 {
                    let at = POSITIONS + 16 * (v - v % 3);
                    let of = |i: u32| f32::from_bits(s.mem.read_u32(at + 4 * i));
                    (
                        of(0) + between(&mut n, -9.0, 9.0),
                        of(1) + between(&mut n, -9.0, 9.0),
                    )
                } else {
                    (x, y)
                };
                let w = if draw % 2 == 0 {
                    1.0
                } else {
                    between(&mut n, 0.2, 2.0)
                };
                s.put(
                    POSITIONS + 16 * v,
                    &[f(x), f(y), f(between(&mut n, 0.0, 1.0)), f(w)],
                );
                let color = [0; 4].map(|_: u8| f(between(&mut n, 0.0, 1.0)));
                s.put(VARYINGS + 32 * v, &color);
                let st = [f(between(&mut n, -2.0, 3.0)), f(between(&mut n, -2.0, 3.0))];
                s.put(VARYINGS + 32 * v + 16, &st);
            }
            let program = n.below(3) as usize;
            let state = STATES + 64 * draw;
            let words = state_words(&mut n, program, programs[program][0] & 31, first, msaa);
            s.put(state, &words);
            plbu.extend([state, 0x8000_0000 | (POSITIONS + 16 * first) >> 4]);
            plbu.extend([(TRIANGLES * 3) << 24, 0x0004_0000 | (TRIANGLES * 3) >> 8]);
        }
        plbu.extend([0, 0x5000_0000]);
        s.put(PLBU, &plbu);
        let mut at = TILES;
        for y in 0..HEIGHT.div_ceil(16) {
            for x in 0..WIDTH.div_ceil(16) {
                s.put(at, &[0, 0xB800_0000 | x | y << 8, 0xE000_0002, 0xB000_0000]);
                at += 16;
                s.tiles += 1;
            }
        }
        s.put(at, &[0, 0xBC00_0000]);
        s
    }

    /// Draws it; the bytes of picture and depth.
    fn draw(self, level: Level, threads: usize, linear: bool, msaa: bool) -> Vec<u8> {
        let mut m = Machine::at_level(level);
        m.set_threads(threads);
        self.draw_with(&mut m, linear, msaa)
    }

    /// The same with a machine that is there.
    fn draw_with(mut self, m: &mut Machine, linear: bool, msaa: bool) -> Vec<u8> {
        self.run(m, linear, msaa);
        let size = (self.tiles * 1024) as usize;
        let mut out = self.mem.bytes(PICTURE, size).to_vec();
        out.extend_from_slice(self.mem.bytes(DEPTH, size));
        out
    }

    /// Draws it with a machine that is there.
    fn run(&mut self, m: &mut Machine, linear: bool, msaa: bool) {
        m.gp_job(&mut self.mem, &[0, 0, PLBU, PLBU + 0x8000, 0, 0])
            .unwrap();
        let mut pp = vec![0u32; 68];
        (pp[4], pp[10], pp[11]) = (0xFF_FFFF, WIDTH - 1, HEIGHT - 1);
        (pp[16], pp[17], pp[21], pp[22], pp[23]) = (1, 2 * HEIGHT - 1, 0xE0C, 0x8888, 1);
        let tiles_across = WIDTH.div_ceil(16);
        let (layout, pitch) = if linear {
            (0, WIDTH * 4 / 8)
        } else {
            (2, tiles_across)
        };
        pp[24..30].copy_from_slice(&[2, PICTURE, 3, 0, layout, pitch]);
        if !msaa {
            pp[36..42].copy_from_slice(&[1, DEPTH, 0xF, 0, 2, tiles_across]);
        }
        pp[60] = TILES;
        m.pp_job(&mut self.mem, &pp).unwrap();
        assert_eq!(m.draws(), 24);
    }
}

/// A render state: blending, depth and alpha tests by chance.
fn state_words(n: &mut Random, program: usize, length: u32, first: u32, msaa: bool) -> [u32; 16] {
    const FACTORS: [(u32, u32, u32, u32); 6] = [
        (11, 3, 11, 3),
        (16, 24, 0, 8),
        (11, 24, 11, 8),
        (11, 11, 11, 11),
        (1, 3, 1, 3),
        (9, 17, 3, 10),
    ];
    let (a, b, c, d) = FACTORS[n.below(6) as usize];
    let mut blend = 0xFC00_0000 | [2, 2, 2, 0, 4][n.below(5) as usize] | 2 << 3;
    for (field, value) in [
        (RSW_BLEND::SRC_RGB, a),
        (RSW_BLEND::DST_RGB, b),
        (RSW_BLEND::SRC_ALPHA, c),
        (RSW_BLEND::DST_ALPHA, d),
    ] {
        blend = field.with(CHIP, blend, value);
    }
    let depth = RSW_DEPTH::DEPTH_WRITE.with(CHIP, 0x30, n.below(2));
    let depth = RSW_DEPTH::DEPTH_FUNC.with(CHIP, depth, [7, 1, 3, 4][n.below(4) as usize]);
    let alpha = [7, 7, 7, 4][n.below(4) as usize];
    let mut samples = RSW_MULTISAMPLE::ALPHA_FUNC.with(CHIP, 0xF800, alpha);
    if msaa {
        samples = RSW_MULTISAMPLE::MSAA.with(CHIP, samples, 0xD);
    }
    let mut out = [0; 16];
    out[2..9].copy_from_slice(&[
        blend,
        depth,
        0xffff_0000,
        0xff00_0007,
        0xff00_0007,
        0x40_ffff,
        samples,
    ]);
    out[9] = (PROGRAMS + 0x100 * program as u32) | length;
    out[10] = 1 << 3;
    out[12] = TEXTURE + 0x800;
    out[13] = 4 | 0x4020;
    out[14] = 0x3000;
    out[15] = VARYINGS + 32 * first;
    out
}

#[test]
fn same_picture_at_any_thread_count_and_level() {
    for (seed, linear, msaa) in [(1, false, false), (2, true, false), (3, false, true)] {
        let want = Scene::new(seed, msaa).draw(Level::Base, 1, linear, msaa);
        let colors: std::collections::HashSet<&[u8]> = want.chunks(4).collect();
        assert!(colors.len() > 1000, "{} colours", colors.len());
        for level in Level::available() {
            for threads in [1, 2, 7] {
                let got = Scene::new(seed, msaa).draw(level, threads, linear, msaa);
                assert!(got == want, "seed {seed}, {level:?}, {threads} threads");
            }
        }
    }
}

/// The history of a pixel has no gaps, and ends in what is drawn when nobody looks.
#[test]
fn a_watched_pixel_ends_as_it_is_drawn() {
    for (seed, linear) in [(1, false), (2, true)] {
        let plain = Scene::new(seed, false).draw(Level::Base, 1, linear, false);
        let (mut fragments, mut lookups, mut failed) = (0, 0, 0);
        for (x, y) in [(0, 0), (17, 40), (100, 75), (131, 20), (199, 149), (64, 64)] {
            let across = WIDTH.div_ceil(16);
            let tiled = ((y / 16 * across + x / 16) * 256 + tile_index(x & 15, y & 15)) * 4;
            let at = if linear { y * WIDTH * 4 + x * 4 } else { tiled };
            let mut m = Machine::new();
            m.watch(Some(PICTURE + at));
            let mut scene = Scene::new(seed, false);
            scene.run(&mut m, linear, false);
            let touches = m.touches();
            let mut last = touches[0].words()[1];
            for touch in &touches[1..] {
                let [before, after] = touch.words();
                assert_eq!(before, last);
                last = after;
                let Touch::Mali(f) = touch else {
                    panic!("{touch:?}");
                };
                assert_eq!((f.x, f.y), (x, y));
                fragments += 1;
                failed += usize::from(f.outcome != Outcome::Written);
                lookups += f.steps.iter().filter(|s| s.lookup.is_some()).count();
                let changed = before.color != after.color;
                assert!(f.outcome == Outcome::Written || !changed);
            }
            let word = |bytes: &[u8], at: u32| {
                let four = bytes[at as usize..].first_chunk().copied();
                four.map(u32::from_le_bytes)
            };
            let depth = plain.len() / 2;
            assert_eq!(last.color, word(&plain, at), "({x}, {y})");
            assert_eq!(last.zeta, word(&plain[depth..], tiled), "({x}, {y})");
        }
        assert!(
            fragments > 200 && lookups > 50 && failed > 50,
            "{fragments} {lookups} {failed}"
        );
    }
}

/// Full floats are another picture, by little.
#[test]
fn what_if_there_were_no_half_floats() {
    let half = Scene::new(1, false).draw(Level::Base, 1, false, false);
    let mut m = Machine::new();
    m.set_what_if(WhatIf {
        full_floats: true,
        ..WhatIf::default()
    });
    let full = Scene::new(1, false).draw_with(&mut m, false, false);
    assert!(half != full);
}
