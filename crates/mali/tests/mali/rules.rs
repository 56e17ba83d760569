//! Rules of silicon, one small picture each (docs/accuracy/mali.md says where they come from).

use isotherm_bus::memory::Memory;
use isotherm_mali::Error;
use isotherm_mali::Machine;
use isotherm_mali::tile_index;
use isotherm_regs::Chip;
use isotherm_regs::mali::isa_pp::Instr;
use isotherm_regs::mali::isa_pp_text::asm;
use isotherm_regs::mali::words::{PP_STACK_SIZE, RSW_DEPTH};

const CHIP: Chip = Chip::Mali400;
const BASE: u32 = 0x8000_0000;
const TILES: u32 = BASE + 0x1000;
const STATE: u32 = BASE + 0x2000;
const PROGRAM: u32 = BASE + 0x3000;
const TEXTURE: u32 = BASE + 0x4000;
const BLOCKS: u32 = BASE + 0x8000;
const POSITIONS: u32 = BASE + 0x1_0000;
const VARYINGS: u32 = BASE + 0x2_0000;
const PICTURE: u32 = BASE + 0x4_0000;
/// Pixels across and down.
const SIZE: u32 = 32;

const TRIANGLES: u32 = 4;
const QUADS: u32 = 7;
const QUAD_STRIP: u32 = 8;
const POINTS: u32 = 0;

/// A draw on a black picture.
struct Scene {
    mem: Memory,
    machine: Machine,
    /// Words of the render state.
    state: [u32; 16],
    /// The frame registers.
    frame: Vec<u32>,
    /// Size of points.
    size: f32,
}

impl Scene {
    fn new(program: &str) -> Scene {
        let mut frame = vec![0u32; 68];
        (frame[4], frame[10], frame[11]) = (0xFF_FFFF, SIZE - 1, SIZE - 1);
        (frame[16], frame[17]) = (1, 2 * SIZE - 1);
        (frame[21], frame[22], frame[23]) = (0xE0C, 0x8888, 1);
        frame[24..30].copy_from_slice(&[2, PICTURE, 3, 0, 2, SIZE / 16]);
        frame[60] = TILES;
        let mut s = Scene {
            mem: Memory::new(CHIP),
            machine: Machine::new(),
            state: [0; 16],
            frame,
            size: 1.0,
        };
        let code = asm(program).unwrap_or_else(|e| panic!("{program}: {e}"));
        let words: Vec<u32> = code.iter().flat_map(Instr::encode).collect();
        s.put(PROGRAM, &words);
        s.state[2..7].copy_from_slice(&[0xfc3b_1ad2, 0x3E, 0xffff_0000, 0xff00_0007, 0xff00_0007]);
        s.state[7..10].copy_from_slice(&[0xffff, 0xf807, PROGRAM | words[0] & 31]);
        s.state[12..16].copy_from_slice(&[TEXTURE, 2 | 0x4020, 0x3000, VARYINGS]);
        s
    }

    fn put(&mut self, at: u32, words: &[u32]) {
        for (at, &w) in (at..).step_by(4).zip(words) {
            self.mem.write_u32(at, w);
        }
    }

    fn geometry(&mut self, mode: u32, count: u32) -> Result<(), Error> {
        let state = self.state;
        self.put(STATE, &state);
        let plbu = [
            [0x1200, 0x1000_010b],
            [self.size.to_bits(), 0x1000_010d],
            [BLOCKS, 0x2800_0003],
            [0, 0x1000_010e],
            [1.0f32.to_bits(), 0x1000_010f],
            [STATE, 0x8000_0000 | POSITIONS >> 4],
            [count << 24, mode << 16 | count >> 8],
            [0, 0x5000_0000],
        ];
        self.put(BASE, plbu.as_flattened());
        let end = BASE + 8 * plbu.len() as u32;
        self.machine.gp_job(&mut self.mem, &[0, 0, BASE, end, 0, 0])
    }

    fn pixels(&mut self) -> Result<(), Error> {
        let mut at = TILES;
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let tile = [0, 0xB800_0000 | x | y << 8, 0xE000_0000, 0xB000_0000];
            self.put(at, &tile);
            at += 16;
        }
        self.put(at, &[0, 0xBC00_0000]);
        let frame = self.frame.clone();
        self.machine.pp_job(&mut self.mem, &frame)
    }

    /// Draws vertices: window positions with 1/w, and a varying of each.
    fn draw(&mut self, mode: u32, vertices: &[([f32; 4], [f32; 4])]) {
        for (i, (position, varying)) in (0..).zip(vertices) {
            self.put(POSITIONS + 16 * i, &position.map(f32::to_bits));
            self.put(VARYINGS + 16 * i, &varying.map(f32::to_bits));
        }
        self.geometry(mode, vertices.len() as u32).unwrap();
        self.pixels().unwrap();
    }

    /// Red, green, blue and alpha of a pixel.
    fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let tile = y / 16 * (SIZE / 16) + x / 16;
        let at = (tile * 256 + tile_index(x & 15, y & 15)) * 4;
        let [b, g, r, a] = self.mem.read_u32(PICTURE + at).to_le_bytes();
        [r, g, b, a]
    }

    /// Pixels that are not black.
    fn drawn(&self) -> usize {
        let all = (0..SIZE * SIZE).map(|i| self.pixel(i % SIZE, i / SIZE));
        all.filter(|p| *p != [0; 4]).count()
    }
}

const WHITE: [f32; 4] = [1.0; 4];
const COLOR: &str = "load.v $0 0, stop";

fn at(x: f32, y: f32) -> ([f32; 4], [f32; 4]) {
    ([x, y, 0.5, 1.0], WHITE)
}

/// Two triangles over the whole picture.
fn whole(varying: [f32; 4], w: f32) -> [([f32; 4], [f32; 4]); 6] {
    let far = SIZE as f32;
    [
        [0.0, 0.0],
        [far, 0.0],
        [far, far],
        [0.0, 0.0],
        [far, far],
        [0.0, far],
    ]
    .map(|[x, y]| ([x, y, 0.5, 1.0 / w], varying))
}

#[test]
fn quads_are_drawn() {
    let mut s = Scene::new(COLOR);
    s.draw(
        QUADS,
        &[
            at(2.0, 2.0),
            at(10.0, 2.0),
            at(10.0, 10.0),
            at(2.0, 10.0),
            at(20.0, 20.0),
            at(24.0, 20.0),
            at(24.0, 28.0),
            at(20.0, 28.0),
            // A fifth corner is none.
            at(0.0, 0.0),
        ],
    );
    assert_eq!(s.drawn(), 64 + 32);
    assert_eq!(s.pixel(2, 2), [255; 4]);
    assert_eq!(s.pixel(9, 9), [255; 4]);
    let mut s = Scene::new(COLOR);
    s.draw(
        QUAD_STRIP,
        &[
            at(2.0, 2.0),
            at(2.0, 10.0),
            at(10.0, 2.0),
            at(10.0, 10.0),
            at(14.0, 2.0),
            at(14.0, 10.0),
        ],
    );
    assert_eq!(s.drawn(), 96);
}

/// lima spills below the stack's first pointer; each pixel has a stack of its own, and it
/// starts from zero.
#[test]
fn temporaries_count_from_the_stack_pointer() {
    let program = "load.v $0 0, store.t -1 $0\nload.t -1, mov.v1 $1 ^uniform\n\
                   load.t -2, add.v1 $0 $1 ^uniform, stop";
    for (vec4s, want) in [(2, [51, 102, 153, 204]), (0, [0; 4])] {
        let mut s = Scene::new(program);
        let word = PP_STACK_SIZE::SIZE.with(CHIP, 0, vec4s);
        s.frame[13] = PP_STACK_SIZE::INITIAL.with(CHIP, word, vec4s);
        s.draw(TRIANGLES, &whole([0.2, 0.4, 0.6, 0.8], 1.0));
        assert_eq!(s.pixel(5, 9), want);
    }
}

/// What a program reads and never wrote is zero, whatever the batch before left there.
#[test]
fn registers_start_from_zero() {
    let mut s = Scene::new("load.v $3 0, mov.v1 $0 $3, stop");
    s.draw(TRIANGLES, &whole(WHITE, 1.0));
    assert_eq!(s.pixel(3, 3), [255; 4]);
    let branches = |target: usize| {
        format!("load.v $1 0, add.v1 $0 $1 $3\nbranch.ne $1.x $1.y {target}\nmov.v1 $0 $3, stop")
    };
    let last = asm(&branches(0)).unwrap()[2].offset;
    for program in ["mov.v1 $0 $3, stop", &branches(last)] {
        let mut s = Scene::new(program);
        s.draw(TRIANGLES, &whole([0.0; 4], 1.0));
        assert_eq!(s.pixel(3, 3), [0; 4], "{program}");
    }
}

/// The window's fourth coordinate is w; lima's programs take the reciprocal.
#[test]
fn window_w_is_w() {
    let mut s = Scene::new("load.v $0 gl_FragCoord, mov.v1 $0 $0.wwww, stop");
    s.draw(TRIANGLES, &whole(WHITE, 0.4));
    assert_eq!(s.pixel(7, 7), [102; 4]);
}

#[test]
fn points_reach_into_the_picture() {
    let mut s = Scene::new(COLOR);
    s.size = 5.0;
    s.draw(POINTS, &[at(-1.0, 8.5), at(8.5, 33.0), at(40.0, 8.5)]);
    // Column 0 of one point, rows 30 and 31 of another.
    assert_eq!(s.pixel(0, 8), [255; 4]);
    assert_eq!(s.pixel(8, 31), [255; 4]);
    assert_eq!(s.drawn(), 5 + 10);
}

/// A unit of polygon offset is a step of 16 bits, far above one of 24.
#[test]
fn offset_units_are_steps_of_16_bits() {
    const LESS: u32 = 1;
    let mut s = Scene::new(COLOR);
    // Depth of the clear, less one and a half steps of 16 bits.
    let z = 1.0 - 1.5 / 65_535.0;
    s.frame[4] = ((1.0 - 2.0 / 65_535.0) * 16_777_215.0) as u32;
    s.state[3] = RSW_DEPTH::DEPTH_FUNC.with(CHIP, s.state[3], LESS);
    let vertices = whole(WHITE, 1.0).map(|(p, v)| ([p[0], p[1], z, p[3]], v));
    s.draw(TRIANGLES, &vertices);
    assert_eq!(s.drawn(), 0);
    // In halves: minus one unit.
    s.state[3] = RSW_DEPTH::OFFSET_UNITS.with(CHIP, s.state[3], 0xFE);
    s.draw(TRIANGLES, &vertices);
    assert_eq!(s.drawn(), (SIZE * SIZE) as usize);
}

/// Triangles that share edges far outside cover each pixel once when they are clipped.
#[test]
fn clipped_neighbours_meet() {
    // Adding a 16th per layer: pixels drawn twice or not at all show.
    let mut s = Scene::new(COLOR);
    s.state[2] = 0xfc00_0000 | 2 | 2 << 3 | 11 << 6 | 11 << 11 | 11 << 16 | 11 << 20;
    let shade = [1.0 / 16.0; 4];
    let far = 50_000.0;
    let center = [16.3, 15.7, 0.5, 1.0];
    let corners: Vec<[f32; 4]> = (0..11)
        .map(|i| {
            let angle = i as f32 / 11.0 * std::f32::consts::TAU;
            [far * angle.cos(), far * angle.sin(), 0.5, 1.0]
        })
        .collect();
    let mut vertices = Vec::new();
    for i in 0..11 {
        vertices.extend([center, corners[i], corners[(i + 1) % 11]].map(|p| (p, shade)));
    }
    s.draw(TRIANGLES, &vertices);
    for i in 0..SIZE * SIZE {
        assert_eq!(s.pixel(i % SIZE, i / SIZE), [16; 4], "{i}");
    }
}

/// Between two slices of a volume both count.
#[test]
fn volumes_are_filtered_in_depth() {
    let program = "load.v ^discard 0, texld 0, mov.v1 $0 ^texture, sync, stop";
    for (r, want) in [(0.25, 0), (0.5, 128), (0.75, 255)] {
        let mut s = Scene::new(program);
        // 16x16x2, edges clamped, linear.
        let descriptor = [0x16, 2 << 10, 1 << 13 | 1 << 16 | 1 << 19, 0];
        s.put(TEXTURE, &[TEXTURE + 0x40]);
        s.put(TEXTURE + 0x40, &descriptor);
        let (width, height, depth) = (16u32, 16u32, 2u32);
        let word2 = descriptor[2] | width << 22;
        s.put(TEXTURE + 0x48, &[word2, height << 3 | depth << 16]);
        s.put(TEXTURE + 0x58, &[3 << 13, (TEXTURE + 0x400) >> 8]);
        for i in 0..512 {
            let texel = if i < 256 { 0 } else { u32::MAX };
            s.mem.write_u32(TEXTURE + 0x400 + 4 * i, texel);
        }
        s.draw(TRIANGLES, &whole([0.5, 0.5, r, 1.0], 1.0));
        assert_eq!(s.pixel(20, 20), [want; 4], "{r}");
    }
}

/// Lists of many jobs do not pile up: the oldest are dropped, and who asks for them is told.
#[test]
fn old_lists_are_dropped() {
    let mut s = Scene::new(COLOR);
    // Room for the addresses of the blocks of many jobs.
    let jobs = 5000u32;
    for job in 0..jobs {
        s.put(BLOCKS, &[0x100 * (job + 1), 0, 0, 0]);
        s.geometry(TRIANGLES, 3).unwrap();
    }
    let mut draw = |job: u32| {
        let list = 0xE000_0000 | (0x100 * (job + 1)) >> 3;
        s.put(TILES, &[0, 0xB800_0000, list, 0xB000_0000, 0, 0xBC00_0000]);
        let frame = s.frame.clone();
        s.machine.pp_job(&mut s.mem, &frame)
    };
    assert!(draw(jobs - 1).is_ok());
    assert!(matches!(draw(0), Err(Error::ListsGone { block: 0x100 })));
}
